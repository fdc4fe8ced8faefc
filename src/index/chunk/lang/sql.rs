//! SQL.
//!
//! A statement that creates something is a declaration. Names of tables are references.

use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Meaning, MentionRule, Name, NameScope, Path, Region, Table,
    TypeRule, WrapperRule,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
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
    mentions: &[MentionRule { node: "create_trigger", read: trigger }],
    // The name of a query hides a table in its statement: `WITH orders AS (…) SELECT …`.
    typed: &[TypeRule::parameter("cte").scope(NameScope::Parent)],
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

/// Adds the table that a trigger watches, and the function that it executes.
fn trigger<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let mut kind = None;
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "keyword_on" => kind = Some(ReferenceKind::Type),
            "keyword_function" | "keyword_procedure" => kind = Some(ReferenceKind::Call),
            "object_reference" => {
                let Some(kind) = kind.take() else { continue };
                let Some(written) = text.get(child.byte_range()) else { continue };
                let (name, qualifier) = identifiers::split(written);
                if identifiers::is_plain(written) && !name.is_empty() {
                    let at = offset(child.end_byte() - name.len());
                    found.push(Mention::new(at, kind, name, Cow::Borrowed(qualifier)));
                }
            }
            _ => {}
        }
    }
}
