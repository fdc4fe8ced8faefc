//! SQL.
//!
//! Whatever a statement creates is a declaration. Names of tables are references.

use crate::index::chunk::table::{Call, Declare, Found, Meaning, Name, Path, Region, Table, Wrap};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use tree_sitter::Node;

const TYPE: Meaning = Meaning::Refers(ReferenceKind::Type);

const VIEW: Declare =
    Declare::new("create_view", K::Table).name(Name::At(&["@object_reference"])).body(&["@create_query"]);

/// SQL's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        Declare::new("create_table", K::Table)
            .name(Name::At(&["@object_reference"]))
            .body(&["@column_definitions"]),
        VIEW,
        Declare { node: "create_materialized_view", ..VIEW },
        Declare::new("create_index", K::Table).name(Name::Refined).body(&["@index_fields"]).refine(index),
        Declare::new("create_function", K::Function)
            .name(Name::At(&["@object_reference"]))
            .body(&["@function_body"]),
        Declare::new("create_trigger", K::Function).name(Name::At(&["@object_reference"])).body(&[]),
        Declare::new("create_type", K::Type).name(Name::At(&["@object_reference"])).body(&["@enum_elements"]),
        Declare::new("create_sequence", K::Table).name(Name::At(&["@object_reference"])).body(&[]),
        Declare::new("create_schema", K::Module).name(Name::At(&["@identifier"])).body(&[]),
    ],
    wrappers: &[Wrap::new("statement")],
    comments: &["comment", "marginalia"],
    calls: &[Call::new("invocation", "#0")],
    paths: &[Path::new("object_reference", "schema", "name")],
    regions: &[
        Region::new("relation", TYPE).at("@object_reference"),
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

/// Accepts an index that has a name of its own.
fn index<'tree>(_: &str, node: Node<'tree>, found: &mut Found<'tree>) -> bool {
    found.name = node.child_by_field_name("column");
    found.name.is_some()
}
