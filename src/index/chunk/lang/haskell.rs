//! Haskell.
//!
//! A type signature and the equations of the same name below it are one declaration. An instance
//! has the name of its type.

use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, Name, Path, Region,
    Scope, Table,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use tree_sitter::Node;

/// Haskell's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("signature", K::Function).body(&[]).scope(Scope::Outside).joins().refine(typed),
        DeclarationRule::new("function", K::Function)
            .body(&["match"])
            .scope(Scope::Outside)
            .joins()
            .refine(equation),
        DeclarationRule::new("bind", K::Constant)
            .body(&["match"])
            .scope(Scope::Outside)
            .joins()
            .refine(equation),
        DeclarationRule::new("data_type", K::Enum).body(&["constructors"]).refine(data),
        DeclarationRule::new("newtype", K::Struct).body(&["constructor"]),
        DeclarationRule::new("type_synonym", K::Type).body(&["type"]),
        DeclarationRule::new("type_family", K::Type).body(&["closed_family"]),
        DeclarationRule::new("data_family", K::Type).body(&[]),
        DeclarationRule::new("class", K::Interface).body(&["declarations"]),
        DeclarationRule::new("instance", K::Implementation)
            .name(Name::At(&["patterns", "#0"]))
            .body(&["declarations"])
            .inherits(&["name"])
            .refine(instance),
        DeclarationRule::new("deriving_instance", K::Implementation)
            .name(Name::At(&["patterns", "#0"]))
            .body(&[])
            .inherits(&["name"])
            .refine(instance),
        DeclarationRule::new("foreign_import", K::Function).name(Name::At(&["signature", "name"])).body(&[]),
    ],
    comments: &["comment", "haddock"],
    detached: &["-- ^", "-- |\n"],
    heads: &["header", "pragma"],
    scopes: &["imports", "declarations"],
    imports: &[Import {
        alias: "alias",
        names: &[ImportedNameRule::leaf("import_name")],
        ..Import::new("import", "module")
    }],
    calls: &[Call::new("apply", "function"), Call::new("exp", "#0"), Call::new("record", "constructor")],
    paths: &[
        Path::new("qualified", "module", "id"),
        Path::new("parens", "", "#0"),
        Path::new("apply", "", "constructor"),
        Path::new("prefix_id", "", "#0"),
    ],
    types: &["name"],
    regions: &[Region::new("deriving", Meaning::Refers(ReferenceKind::Inherits))],
    names: &["variable", "constructor", "operator"],
    strings: &["string"],
    opaque: &["string", "char", "quasiquote", "exports", "pragma", "cpp"],
    leaves: &["variable"],
    ..Table::new(|| tree_sitter_haskell::LANGUAGE.into())
};

/// Makes a separate signature a function or a value, depending on its type.
fn typed<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let is_plain =
        node.child_by_field_name("type").is_some_and(|of| matches!(of.kind(), "name" | "list" | "tuple"));
    if is_plain {
        found.kind = K::Constant;
    }
    if found.name.is_none() {
        found.name = node.child_by_field_name("names").and_then(|names| names.named_child(0));
    }
    // Inside an expression, a signature gives the type of that expression and declares nothing.
    let written = text.get(node.byte_range()).unwrap_or_default();
    found.name.is_some_and(|name| name.start_byte() == node.start_byte()) && !written.is_empty()
}

fn equation<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if let Some(infix) = node.child(0).filter(|first| first.kind() == "infix") {
        found.name = infix.child_by_field_name("operator");
    }
    if node.kind() == "bind" && found.body.is_some_and(|body| !is_literal(body)) {
        found.kind = K::Function;
    }
    found.to_end = true;
    true
}

fn is_literal(body: Node<'_>) -> bool {
    let value = body.child_by_field_name("expression");
    value.is_some_and(|value| matches!(value.kind(), "literal" | "list" | "tuple"))
}

/// Makes a type with one alternative and named fields a record.
fn data(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let one = found.body.filter(|body| body.named_child_count() == 1).and_then(|body| body.named_child(0));
    let is_record = one
        .and_then(|one| one.child_by_field_name("constructor"))
        .is_some_and(|constructor| constructor.kind() == "record");
    if is_record {
        found.kind = K::Struct;
    }
    true
}

/// Names an instance after the type that it is for.
fn instance<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let mut name = found.name;
    for _ in 0..8 {
        name = match name {
            Some(at) if at.kind() == "parens" => at.named_child(0),
            Some(at) if at.kind() == "apply" => at.child_by_field_name("constructor"),
            Some(at) if at.kind() == "list" => at.named_child(0),
            _ => break,
        };
    }
    found.name = name.or_else(|| node.child_by_field_name("name"));
    true
}
