//! One file a language: its table. A language whose cargo feature is off, or that has no table yet, has `None`.

mod c;
mod cpp;
mod go;
mod java;
mod javascript;
mod python;
mod rust;
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

tables! {
    bash = None;
    c = Some(&c::TABLE);
    c_sharp = None;
    cpp = Some(&cpp::TABLE);
    css = None;
    dart = None;
    elixir = None;
    go = Some(&go::TABLE);
    haskell = None;
    html = None;
    java = Some(&java::TABLE);
    javascript = Some(&javascript::TABLE);
    json = None;
    julia = None;
    kotlin = None;
    lua = None;
    markdown = None;
    ocaml = None;
    php = None;
    python = Some(&python::TABLE);
    r = None;
    ruby = None;
    rust = Some(&rust::TABLE);
    scala = None;
    sql = None;
    swift = None;
    toml = None;
    tsx = Some(&typescript::TSX);
    typescript = Some(&typescript::TABLE);
    yaml = None;
    zig = None;
}
