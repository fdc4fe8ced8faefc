//! Elm.
//!
//! A type annotation joins the definition below it.

use crate::index::chunk::imports::last_segment;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, MentionRule, Name, Path, Scope,
    Table, TypeRule,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

const VALUE: DeclarationRule = DeclarationRule::new("value_declaration", K::Function)
    .name(Name::At(&["functionDeclarationLeft", "#0"]))
    .scope(Scope::Top)
    .joins();

/// Elm's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        VALUE.refine(value),
        DeclarationRule::new("type_annotation", K::Function).body(&[]).scope(Scope::Top).joins(),
        DeclarationRule::new("port_annotation", K::Function).body(&[]).scope(Scope::Top),
        DeclarationRule::new("type_declaration", K::Enum).body(&["@eq"]).refine(to_end),
        DeclarationRule::new("union_variant", K::Variant).body(&[]),
        DeclarationRule::new("type_alias_declaration", K::Type).body(&["typeExpression"]).refine(alias),
        DeclarationRule::new("field_type", K::Field).body(&[]).refine(field),
    ],
    comments: &["line_comment", "block_comment"],
    heads: &["module_declaration"],
    imports: &[Import {
        alias: "asClause/name",
        names: &[
            ImportedNameRule::leaf("exposed_value"),
            ImportedNameRule::aliased("exposed_type", "#0", ""),
        ],
        wildcard: "",
        ..Import::new("import_clause", "moduleName")
    }],
    calls: &[Call::new("function_call_expr", "target")],
    paths: &[
        Path::new("value_expr", "", "#0"),
        Path::new("type_ref", "", "@upper_case_qid"),
        // Their text is the whole path (`Html.Attributes.class`).
        Path::new("value_qid", "", ""),
        Path::new("upper_case_qid", "", ""),
    ],
    types: &["type_ref"],
    words: &["Basics", "Bool", "Char", "Float", "Int", "List", "Maybe", "Never", "Result", "String"],
    strings: &["string_constant_expr"],
    typed: &[
        TypeRule::hides("lower_pattern", ""),
        TypeRule::hides("value_declaration", "functionDeclarationLeft/#0"),
    ],
    leaves: &["value_qid"],
    sees_all: true,
    has_lower_variables: true,
    mentions: &[
        MentionRule { node: "value_qid", read: qualified },
        MentionRule { node: "upper_case_qid", read: alternative },
        MentionRule { node: "import_clause", read: exposed },
    ],
    ..Table::new(|| tree_sitter_elm::LANGUAGE.into())
};

/// Adds a value of another module (`Money.zero`).
fn qualified<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = text.get(node.byte_range()).unwrap_or_default();
    if let Some((module, name)) = written.rsplit_once('.') {
        let at = offset(node.end_byte() - name.len());
        found.push(Mention::new(at, ReferenceKind::Use, name, Cow::Borrowed(module)));
    }
}

/// Adds an alternative of a type that a value or a pattern names (`Just x`, `Msg.Closed`).
fn alternative<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    if node.parent().is_none_or(|around| !matches!(around.kind(), "union_pattern" | "value_expr")) {
        return;
    }
    let written = text.get(node.byte_range()).unwrap_or_default();
    let (module, name) = written.rsplit_once('.').unwrap_or(("", written));
    let at = offset(node.end_byte() - name.len());
    found.push(Mention::new(at, ReferenceKind::Use, name, Cow::Borrowed(module)));
}

/// Adds the module of which all names are imported, and the other name of a module of which some
/// are: `import A exposing (..)`, `import A as B exposing (c)`.
fn exposed<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let list = node.child_by_field_name("exposing");
    let of = |node: Option<Node<'_>>| node.and_then(|node| text.get(node.byte_range()));
    let (Some(module), Some(list)) = (of(node.child_by_field_name("moduleName")), list) else { return };
    let at = offset(node.start_byte());
    if step(list, "doubleDot").is_some() {
        found.push(Mention::new(at, ReferenceKind::Import, "*", Cow::Borrowed(module)));
    }
    let alias = node.child_by_field_name("asClause").and_then(|clause| clause.child_by_field_name("name"));
    if let Some(alias) = of(alias) {
        let import = Mention::new(at, ReferenceKind::Import, last_segment(module), Cow::Borrowed(module));
        found.push(Mention { alias: Cow::Borrowed(alias), ..import });
    }
}

/// Accepts values at the top level.
fn value<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.is_top || found.within.is_none()
}

fn to_end<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.to_end = true;
    true
}

/// An alias of a record is that record.
fn alias<'tree>(text: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let is_record =
        found.body.and_then(|body| text.get(body.byte_range())).is_some_and(|one| one.starts_with('{'));
    if is_record {
        found.kind = K::Struct;
    }
    true
}

/// Accepts the fields of a record that has a name.
fn field<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.within == Some(K::Struct)
}
