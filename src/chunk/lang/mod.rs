//! One file a language: its table. A language whose cargo feature is off, or that has no table yet, has `None`.

mod c;
mod cpp;
mod css;
mod go;
#[cfg(feature = "lang-haskell")]
mod haskell;
mod html;
mod java;
mod javascript;
mod json;
#[cfg(feature = "lang-julia")]
mod julia;
#[cfg(feature = "lang-ocaml")]
mod ocaml;
mod python;
mod r;
mod rust;
#[cfg(feature = "lang-sql")]
mod sql;
mod toml;
mod typescript;
mod yaml;
mod zig;

use super::table::Table;

/// Tables by language.
macro_rules! tables {
    ($($(#[$condition:meta])* $language:ident = $table:expr;)*) => {
        $($(#[$condition])*
        pub(super) fn $language() -> Option<&'static Table> {
            $table
        })*
    };
}

tables! {
    bash = None;
    c = Some(&c::TABLE);
    c_sharp = None;
    cpp = Some(&cpp::TABLE);
    css = Some(&css::TABLE);
    dart = None;
    elixir = None;
    go = Some(&go::TABLE);
    #[cfg(feature = "lang-haskell")]
    haskell = Some(&haskell::TABLE);
    #[cfg(not(feature = "lang-haskell"))]
    haskell = None;
    html = Some(&html::TABLE);
    java = Some(&java::TABLE);
    javascript = Some(&javascript::TABLE);
    json = Some(&json::TABLE);
    #[cfg(feature = "lang-julia")]
    julia = Some(&julia::TABLE);
    #[cfg(not(feature = "lang-julia"))]
    julia = None;
    kotlin = None;
    lua = None;
    markdown = None;
    #[cfg(feature = "lang-ocaml")]
    ocaml = Some(&ocaml::TABLE);
    #[cfg(not(feature = "lang-ocaml"))]
    ocaml = None;
    #[cfg(feature = "lang-ocaml")]
    ocaml_interface = Some(&ocaml::INTERFACE);
    #[cfg(not(feature = "lang-ocaml"))]
    ocaml_interface = None;
    php = None;
    python = Some(&python::TABLE);
    r = Some(&r::TABLE);
    ruby = None;
    rust = Some(&rust::TABLE);
    scala = None;
    #[cfg(feature = "lang-sql")]
    sql = Some(&sql::TABLE);
    #[cfg(not(feature = "lang-sql"))]
    sql = None;
    swift = None;
    toml = Some(&toml::TABLE);
    tsx = Some(&typescript::TSX);
    typescript = Some(&typescript::TABLE);
    yaml = Some(&yaml::TABLE);
    zig = Some(&zig::TABLE);
}
