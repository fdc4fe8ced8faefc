//! The tables of the languages, one file per language.
//!
//! A language without a table yet, or whose cargo feature is off, has `None` and is cut into
//! windows. A file holds the table and the functions that correct candidates for declarations where
//! the table cannot tell.

mod bash;
mod c;
#[cfg(feature = "lang-c-sharp")]
mod c_sharp;
#[cfg(feature = "lang-c-sharp")]
mod c_sharp_members;
#[cfg(feature = "lang-c-sharp")]
mod c_sharp_text;
mod cmake;
pub(super) mod constructors;
mod cpp;
pub(super) mod cpp_aliases;
mod cpp_constructors;
pub(super) mod cpp_using;
pub(super) mod css;
#[cfg(feature = "lang-dart")]
mod dart;
#[cfg(feature = "lang-dart")]
mod dart_constructors;
#[cfg(feature = "lang-elixir")]
mod elixir;
#[cfg(feature = "lang-elixir")]
mod elixir_calls;
mod elm;
mod erlang;
mod extensions;
#[cfg(feature = "lang-fortran")]
mod fortran;
#[cfg(feature = "lang-fortran")]
mod fortran_mask;
mod gdscript;
mod glsl;
mod go;
mod go_mask;
mod graphql;
mod groovy;
mod groovy_text;
#[cfg(feature = "lang-haskell")]
mod haskell;
mod html;
mod items;
mod java;
mod javascript;
mod javascript_objects;
mod json;
#[cfg(feature = "lang-julia")]
mod julia;
#[cfg(feature = "lang-kotlin")]
mod kotlin;
#[cfg(feature = "lang-kotlin")]
mod kotlin_lexer;
#[cfg(feature = "lang-kotlin")]
mod kotlin_mask;
mod lua;
mod macro_bodies;
mod macros;
pub(super) mod namespaces;
mod nix;
#[cfg(feature = "lang-objective-c")]
mod objective_c;
#[cfg(feature = "lang-objective-c")]
mod objective_c_mask;
#[cfg(feature = "lang-ocaml")]
mod ocaml;
pub(super) mod opened_modules;
mod pascal;
#[cfg(feature = "lang-perl")]
mod perl;
#[cfg(feature = "lang-perl")]
mod perl_imports;
mod php;
mod powershell;
mod powershell_mask;
mod protobuf;
mod python;
mod python_abstract;
mod python_fixtures;
mod python_strings;
mod r;
#[cfg(feature = "lang-c-sharp")]
mod razor;
mod reserved;
mod ruby;
pub(super) mod ruby_classes;
mod ruby_symbols;
mod rust;
pub(super) mod rust_scopes;
#[cfg(feature = "lang-scala")]
mod scala;
mod schema_reference;
mod solidity;
#[cfg(feature = "lang-sql")]
mod sql;
pub(super) mod sql_calls;
#[cfg(feature = "lang-swift")]
mod swift;
#[cfg(feature = "lang-swift")]
mod swift_members;
mod terraform;
mod toml;
mod type_aliases;
mod typescript;
mod vhdl;
mod xml;
mod yaml;
mod yaml_references;
mod zig;
mod zsh;

use super::table::Table;

/// Languages whose grammar needs a cargo feature, and whether this build has it. A manifest names
/// those that are missing, because records differ without them.
pub(super) const OPTIONAL: [(&str, bool); 15] = [
    ("c-sharp", cfg!(feature = "lang-c-sharp")),
    ("dart", cfg!(feature = "lang-dart")),
    ("elixir", cfg!(feature = "lang-elixir")),
    ("fortran", cfg!(feature = "lang-fortran")),
    ("haskell", cfg!(feature = "lang-haskell")),
    ("julia", cfg!(feature = "lang-julia")),
    ("kotlin", cfg!(feature = "lang-kotlin")),
    ("objective-c", cfg!(feature = "lang-objective-c")),
    ("ocaml", cfg!(feature = "lang-ocaml")),
    ("ocaml-interface", cfg!(feature = "lang-ocaml")),
    ("perl", cfg!(feature = "lang-perl")),
    ("razor", cfg!(feature = "lang-c-sharp")),
    ("scala", cfg!(feature = "lang-scala")),
    ("sql", cfg!(feature = "lang-sql")),
    ("swift", cfg!(feature = "lang-swift")),
];

/// Checks what the parser sees of a text, which is as long as the text.
#[cfg(test)]
#[cfg(any(feature = "lang-fortran", feature = "lang-objective-c"))]
fn check_mask(readable: super::table::Mask, text: &str, expected: &str) {
    let seen = String::from_utf8_lossy(&readable(text)).into_owned();
    assert_eq!((seen.len(), seen.as_str()), (text.len(), expected));
}

/// Defines one function per language that returns its table.
macro_rules! tables {
    ($($(#[$condition:meta])* $language:ident = $table:expr;)*) => {
        $($(#[$condition])*
        pub(super) fn $language() -> Option<&'static Table> {
            $table
        })*
    };
}

/// Returns a table that needs a cargo feature.
macro_rules! optional {
    ($feature:literal, $language:ident, $table:ident) => {{
        #[cfg(feature = $feature)]
        let table = Some(&$language::$table);
        #[cfg(not(feature = $feature))]
        let table = None;
        table
    }};
}

tables! {
    c = Some(&c::TABLE);
    c_sharp = optional!("lang-c-sharp", c_sharp, TABLE);
    cmake = Some(&cmake::TABLE);
    cpp = Some(&cpp::TABLE);
    css = Some(&css::TABLE);
    dart = optional!("lang-dart", dart, TABLE);
    elixir = optional!("lang-elixir", elixir, TABLE);
    elm = Some(&elm::TABLE);
    erlang = Some(&erlang::TABLE);
    fortran = optional!("lang-fortran", fortran, TABLE);
    gdscript = Some(&gdscript::TABLE);
    glsl = Some(&glsl::TABLE);
    go = Some(&go::TABLE);
    graphql = Some(&graphql::TABLE);
    groovy = Some(&groovy::TABLE);
    haskell = optional!("lang-haskell", haskell, TABLE);
    html = Some(&html::TABLE);
    java = Some(&java::TABLE);
    javascript = Some(&javascript::TABLE);
    json = Some(&json::TABLE);
    julia = optional!("lang-julia", julia, TABLE);
    kotlin = optional!("lang-kotlin", kotlin, TABLE);
    lua = Some(&lua::TABLE);
    nix = Some(&nix::TABLE);
    objective_c = optional!("lang-objective-c", objective_c, TABLE);
    ocaml = optional!("lang-ocaml", ocaml, TABLE);
    ocaml_interface = optional!("lang-ocaml", ocaml, INTERFACE);
    pascal = Some(&pascal::TABLE);
    perl = optional!("lang-perl", perl, TABLE);
    php = Some(&php::TABLE);
    powershell = Some(&powershell::TABLE);
    protobuf = Some(&protobuf::TABLE);
    python = Some(&python::TABLE);
    r = Some(&r::TABLE);
    razor = optional!("lang-c-sharp", razor, TABLE);
    ruby = Some(&ruby::TABLE);
    rust = Some(&rust::TABLE);
    scala = optional!("lang-scala", scala, TABLE);
    solidity = Some(&solidity::TABLE);
    sql = optional!("lang-sql", sql, TABLE);
    swift = optional!("lang-swift", swift, TABLE);
    terraform = Some(&terraform::TABLE);
    toml = Some(&toml::TABLE);
    tsx = Some(&typescript::TSX);
    typescript = Some(&typescript::TABLE);
    vhdl = Some(&vhdl::TABLE);
    xml = Some(&xml::TABLE);
    yaml = Some(&yaml::TABLE);
    zig = Some(&zig::TABLE);
    bash = Some(&bash::TABLE);
}
