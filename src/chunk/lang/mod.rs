//! One file a language: its table. A language whose cargo feature is off, or that has no table yet, has `None`.

mod bash;
mod c;
#[cfg(feature = "lang-c-sharp")]
mod c_sharp;
mod cpp;
#[cfg(feature = "lang-dart")]
mod dart;
#[cfg(feature = "lang-elixir")]
mod elixir;
mod go;
mod java;
mod javascript;
#[cfg(feature = "lang-kotlin")]
mod kotlin;
mod lua;
mod php;
mod python;
mod ruby;
mod rust;
#[cfg(feature = "lang-scala")]
mod scala;
#[cfg(feature = "lang-swift")]
mod swift;
mod typescript;

use super::table::Table;

/// Tables by language.
macro_rules! tables {
    ($($language:ident = $table:expr;)*) => {
        $(pub(super) fn $language() -> Option<&'static Table> {
            $table
        })*
    };
}

/// A table behind a cargo feature.
macro_rules! optional {
    ($feature:literal, $language:ident) => {{
        #[cfg(feature = $feature)]
        let table = Some(&$language::TABLE);
        #[cfg(not(feature = $feature))]
        let table = None;
        table
    }};
}

tables! {
    bash = Some(&bash::TABLE);
    c = Some(&c::TABLE);
    c_sharp = optional!("lang-c-sharp", c_sharp);
    cpp = Some(&cpp::TABLE);
    css = None;
    dart = optional!("lang-dart", dart);
    elixir = optional!("lang-elixir", elixir);
    go = Some(&go::TABLE);
    haskell = None;
    html = None;
    java = Some(&java::TABLE);
    javascript = Some(&javascript::TABLE);
    json = None;
    julia = None;
    kotlin = optional!("lang-kotlin", kotlin);
    lua = Some(&lua::TABLE);
    markdown = None;
    ocaml = None;
    php = Some(&php::TABLE);
    python = Some(&python::TABLE);
    r = None;
    ruby = Some(&ruby::TABLE);
    rust = Some(&rust::TABLE);
    scala = optional!("lang-scala", scala);
    sql = None;
    swift = optional!("lang-swift", swift);
    toml = None;
    tsx = Some(&typescript::TSX);
    typescript = Some(&typescript::TABLE);
    yaml = None;
    zig = None;
}
