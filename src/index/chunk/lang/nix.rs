//! Nix.
//!
//! The attributes of a file, and the names of an outer `let`, are declarations as deep as a reader
//! would name them; one that is a function is a function. Files that are imported, and functions
//! that are applied, are references.

use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::{DeclarationCandidate, DeclarationRule, MentionRule, Name, Scope, Table};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Nix's table.
pub(super) static TABLE: Table = Table {
    declarations: &[DeclarationRule::new("binding", K::Variable)
        .name(Name::At(&["attrpath"]))
        .body(&["expression"])
        .scope(Scope::Levels(3))
        .refine(binding)],
    closed: &["list_expression"],
    // A path of attributes is one name (`services.nginx`), as people look it up.
    names: &["attrpath"],
    strings: &["string_expression"],
    mentions: &[
        MentionRule { node: "apply_expression", read: applied },
        MentionRule { node: "path_expression", read: path },
        MentionRule { node: "inherit_from", read: inherited },
    ],
    ..Table::new(|| tree_sitter_nix::LANGUAGE.into())
};

/// Functions of Nix itself, which are not calls.
const BUILT_IN: &[&str] = &[
    "abort",
    "baseNameOf",
    "builtins",
    "derivation",
    "dirOf",
    "fetchTarball",
    "fetchurl",
    "import",
    "isNull",
    "map",
    "removeAttrs",
    "throw",
    "toString",
];

/// Makes a value that is a function one, and gives it the body behind its arguments.
fn binding<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let mut value = found.body;
    while let Some(function) = value.filter(|value| value.kind() == "function_expression") {
        found.kind = K::Function;
        value = function.child_by_field_name("body");
    }
    found.body = value;
    // Inside of a function are its locals.
    found.within != Some(K::Function)
}

/// Adds the function that is applied: a name, or the last one of a path (`lib.types.listOf`).
fn applied<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(function) = node.child_by_field_name("function") else { return };
    let written = text.get(function.byte_range()).unwrap_or_default();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '.');
    // Arguments are nested to the left, so most texts are long and end this at once.
    if !written.chars().all(is_name) {
        return;
    }
    let (before, name) = written.rsplit_once('.').unwrap_or(("", written));
    if before.is_empty() && BUILT_IN.contains(&name) {
        return;
    }
    let at = offset(function.end_byte() - name.len());
    found.push(Mention::new(at, ReferenceKind::Call, name, Cow::Borrowed(before)));
}

/// Adds the file that a path names.
fn path<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = text.get(node.byte_range()).unwrap_or_default();
    let is_file = !written.contains("${") && written.len() > 2;
    let name = written.trim_end_matches('/').rsplit('/').next().unwrap_or(written);
    if is_file && !name.is_empty() {
        let at = offset(node.start_byte());
        let import = Mention::new(at, ReferenceKind::Import, name, Cow::Borrowed(written));
        found.push(Mention { alias: Cow::Borrowed(bound_to(text, node).unwrap_or_default()), ..import });
    }
}

/// Returns the name that holds what a file gives: `a = import ./b.nix` or `a = import ./b.nix c`.
fn bound_to<'t>(text: &'t str, path: Node<'_>) -> Option<&'t str> {
    let mut at = path.parent()?;
    let function = at.child_by_field_name("function").and_then(|function| text.get(function.byte_range()));
    function.filter(|function| matches!(*function, "import" | "builtins.import"))?;
    while at.kind() == "apply_expression" {
        at = at.parent()?;
    }
    let name = at.child_by_field_name("attrpath").filter(|_| at.kind() == "binding")?;
    text.get(name.byte_range()).filter(|name| !name.contains(['.', '"', '$']))
}

/// Adds the names that are taken over from another set (`inherit (lib) mkIf`).
fn inherited<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let from = node.child_by_field_name("expression").and_then(|from| text.get(from.byte_range()));
    let Some(attributes) = node.child_by_field_name("attrs") else { return };
    let mut cursor = attributes.walk();
    for one in attributes.named_children(&mut cursor).filter(|one| one.kind() == "identifier") {
        let qualifier = from.filter(|from| !from.contains(['(', ' ', '\n'])).unwrap_or_default();
        let name = text.get(one.byte_range()).unwrap_or_default();
        let at = offset(one.start_byte());
        found.push(Mention::new(at, ReferenceKind::Use, name, Cow::Borrowed(qualifier)));
    }
}
