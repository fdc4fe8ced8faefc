//! GDScript, the language of Godot.
//!
//! A file is a class; `class_name` declares its name, and what follows belongs to it.

use crate::index::chunk::DeclarationKind as K;
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Meaning, MentionRule, Name, Path, Region, Scope, Table,
    Values,
};
use std::borrow::Cow;
use tree_sitter::Node;

const VARIABLE: DeclarationRule =
    DeclarationRule::new("variable_statement", K::Variable).body(&["value"]).scope(Scope::Outside);

/// GDScript's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_name_statement", K::Class).body(&[]).inherits(&["extends"]).goes_on(),
        DeclarationRule::new("class_definition", K::Class).inherits(&["extends"]),
        DeclarationRule::new("function_definition", K::Function).refine(function),
        DeclarationRule::new("constructor_definition", K::Constructor).name(Name::At(&["@_init"])),
        DeclarationRule::new("signal_statement", K::Field).body(&[]),
        DeclarationRule::new("enum_definition", K::Enum),
        DeclarationRule::new("enumerator", K::Variant).name(Name::At(&["left"])).body(&[]),
        DeclarationRule { node: "const_statement", kind: K::Constant, ..VARIABLE },
        VARIABLE.refine(member),
        DeclarationRule { node: "export_variable_statement", ..VARIABLE },
        DeclarationRule { node: "onready_variable_statement", ..VARIABLE },
    ],
    attributes: &["annotation", "annotations"],
    detached: &["#!"],
    import_calls: &["preload", "load"],
    import_name: Some(bound_to),
    calls: &[Call::new("call", "#0")],
    words: &[
        "Array",
        "Dictionary",
        "String",
        "assert",
        "bool",
        "float",
        "int",
        "len",
        "print",
        "printerr",
        "push_error",
        "push_warning",
        "range",
        "str",
        "void",
    ],
    types: &["type"],
    paths: &[Path::new("type", "", "#0")],
    regions: &[Region::new("extends_statement", Meaning::Refers(ReferenceKind::Inherits))],
    strings: &["string"],
    values: Values { has_implicit_self: true, ..Values::NONE },
    mentions: &[
        MentionRule { node: "attribute_call", read: method },
        MentionRule { node: "class_name_statement", read: supertype },
    ],
    leaves: &["identifier"],
    has_labels: true,
    ..Table::new(|| tree_sitter_gdscript::LANGUAGE.into())
};

/// Returns the name of the constant or variable that holds a loaded file.
fn bound_to(load: Node<'_>) -> Option<Node<'_>> {
    load.parent().and_then(|around| around.child_by_field_name("name"))
}

/// Makes `_init` a constructor, with or without parameters.
fn function<'tree>(text: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if found.name.and_then(|name| text.get(name.byte_range())) == Some("_init") {
        found.kind = K::Constructor;
    }
    true
}

/// Adds the supertype that stands in front of the name of a file's class: `extends Node`,
/// `class_name Player`.
fn supertype<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let mut before = node.prev_named_sibling();
    while before.is_some_and(|one| matches!(one.kind(), "annotation" | "annotations" | "comment")) {
        before = before.and_then(|one| one.prev_named_sibling());
    }
    let extends = before.filter(|one| one.kind() == "extends_statement");
    let name = extends.and_then(|one| one.named_child(0)).filter(|one| one.kind() == "type");
    let heir = node.child_by_field_name("name");
    if let Some((name, heir)) = name.zip(heir) {
        let [written, heir] = [name, heir].map(|one| text.get(one.byte_range()).unwrap_or_default());
        let at = offset(name.start_byte());
        let mention = Mention::new(at, ReferenceKind::Inherits, written, Cow::Borrowed(""));
        found.push(Mention { alias: Cow::Borrowed(heir), ..mention });
    }
}

fn member<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if found.within == Some(K::Class) {
        found.kind = K::Field;
    }
    true
}

/// Adds a call with the object before it; the grammar puts all parts of a path side by side.
fn method<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(name) = node.named_child(0) else { return };
    let before = text.get(..node.start_byte()).unwrap_or_default();
    let object = before.strip_suffix('.').unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let start = object
        .rfind(|c| !is_part(c))
        .map_or(0, |at| at + object.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
    let qualifier = object.get(start..).unwrap_or_default();
    let name_text = text.get(name.byte_range()).unwrap_or_default();
    let at = offset(name.start_byte());
    found.push(Mention::new(at, ReferenceKind::Call, name_text, Cow::Borrowed(qualifier)));
}
