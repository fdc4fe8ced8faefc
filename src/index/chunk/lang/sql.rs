//! SQL.
//!
//! A statement that creates something is a declaration. Names of tables are references.

use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Meaning, Name, Path, Region, Table, WrapperRule,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use tree_sitter::Node;

const TYPE: Meaning = Meaning::Refers(ReferenceKind::Type);

const VIEW: DeclarationRule = DeclarationRule::new("create_view", K::Table)
    .name(Name::At(&["@object_reference"]))
    .body(&["@create_query"]);

/// SQL's table.
pub(super) static TABLE: Table = Table {
    has_dialects: true,
    declarations: &[
        DeclarationRule::new("create_table", K::Table)
            .name(Name::At(&["@object_reference"]))
            .body(&["@column_definitions"]),
        DeclarationRule::new("column_definition", K::Field).body(&[]).refine(column),
        VIEW,
        DeclarationRule { node: "create_materialized_view", ..VIEW },
        DeclarationRule::new("create_index", K::Table)
            .name(Name::Refined)
            .body(&["@index_fields"])
            .refine(index),
        DeclarationRule::new("create_function", K::Function)
            .name(Name::At(&["@object_reference"]))
            .body(&["@function_body"]),
        DeclarationRule::new("create_trigger", K::Function).name(Name::At(&["@object_reference"])).body(&[]),
        DeclarationRule::new("create_type", K::Type)
            .name(Name::At(&["@object_reference"]))
            .body(&["@enum_elements"]),
        DeclarationRule::new("create_sequence", K::Table).name(Name::At(&["@object_reference"])).body(&[]),
        DeclarationRule::new("create_extension", K::Module).name(Name::At(&["@identifier"])).body(&[]),
        DeclarationRule::new("create_role", K::Module).name(Name::At(&["@identifier"])).body(&[]),
        DeclarationRule::new("create_schema", K::Module).name(Name::At(&["@identifier"])).body(&[]),
    ],
    wrappers: &[WrapperRule::new("statement")],
    comments: &["comment", "marginalia"],
    calls: &[Call::new("invocation", "#0")],
    paths: &[Path::new("object_reference", "schema", "name")],
    regions: &[
        Region::new("relation", TYPE).at("@object_reference"),
        Region::new("from", TYPE).at("@object_reference"),
        Region::new("insert", TYPE).at("@object_reference"),
        Region::new("alter_table", TYPE).at("@object_reference"),
        Region::new("create_index", TYPE).at("@object_reference"),
        Region::new("column_definition", TYPE),
        Region::new("constraint", TYPE).at("@object_reference"),
        Region::new("drop_table", TYPE),
        Region::new("invocation", Meaning::Nothing),
    ],
    // A quoted identifier is a string here, so that it loses its quotes.
    strings: &["literal", "identifier"],
    ..Table::new(|| tree_sitter_sequel::LANGUAGE.into())
};

/// Accepts the columns of a table, where it is created.
fn column(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    found.around == ["column_definitions", "create_table"]
}

/// Accepts an index that has a name of its own.
fn index<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.name = node.child_by_field_name("column");
    found.name.is_some()
}
