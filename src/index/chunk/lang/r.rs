//! R.
//!
//! A function or class is assigned to a name, or declared by a call (`setClass`, `setMethod`).

use crate::base::text::{head, words};
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, MentionRule, Name, Path, Table,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// R's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("binary_operator", K::Variable)
            .name(Name::At(&["lhs"]))
            .body(&["rhs"])
            .refine(assigned),
        DeclarationRule::new("call", K::Function).name(Name::Refined).body(&["arguments"]).refine(declared),
        DeclarationRule::new("argument", K::Method).body(&["value"]).refine(member),
    ],
    import_calls: &["library", "require", "requireNamespace", "loadNamespace", "source"],
    bare_imports: true,
    calls: &[Call::new("call", "function")],
    paths: &[Path::new("namespace_operator", "lhs", "rhs"), Path::new("extract_operator", "lhs", "rhs")],
    names: &["identifier"],
    strings: &["string"],
    opaque: &["string"],
    leaves: &["identifier"],
    mentions: &[MentionRule { node: "call", read: applied }],
    ..Table::new(|| tree_sitter_r::LANGUAGE.into())
};

/// Functions that apply another one, each with the position of that one among the arguments.
const APPLYING: &[(&str, usize)] = &[
    ("Filter", 0),
    ("Map", 0),
    ("Reduce", 0),
    ("apply", 2),
    ("do.call", 0),
    ("lapply", 1),
    ("map", 1),
    ("map2", 2),
    ("map_chr", 1),
    ("map_dbl", 1),
    ("map_int", 1),
    ("map_lgl", 1),
    ("mapply", 0),
    ("sapply", 1),
    ("tapply", 2),
    ("vapply", 1),
    ("walk", 1),
];

/// Adds the function that another one applies: `lapply(list, f)`, `sapply(list, FUN = f)`.
fn applied<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let called = function(text, node);
    let Some((_, at)) = APPLYING.iter().find(|(name, _)| *name == called) else { return };
    let Some(arguments) = node.child_by_field_name("arguments") else { return };
    let mut cursor = arguments.walk();
    let is_function = |one: &Node<'_>| {
        one.child_by_field_name("name").is_some_and(|name| matches!(of(name), "FUN" | ".f" | "f" | "what"))
    };
    let named = arguments.named_children(&mut cursor).find(is_function);
    let given =
        named.or_else(|| argument(arguments, *at).filter(|one| one.child_by_field_name("name").is_none()));
    let value = given.and_then(|one| one.child_by_field_name("value"));
    if let Some(value) =
        value.filter(|value| value.kind() == "identifier" && !is_local(text, node, of(*value)))
    {
        let at = offset(value.start_byte());
        found.push(Mention::new(at, ReferenceKind::Use, of(value), Cow::Borrowed("")));
    }
}

/// Most nodes around a name that are looked at.
const MAX_LEVELS: usize = 64;

/// Bytes at the beginning of a function in which a local name is looked for.
const MAX_FUNCTION: usize = 1 << 13;

/// Returns whether a function around a node has a parameter of a name, or assigns to it.
fn is_local(text: &str, node: Node<'_>, name: &str) -> bool {
    let around = std::iter::successors(node.parent(), Node::parent).take(MAX_LEVELS);
    around.filter(|one| one.kind() == "function_definition").any(|function| {
        let written = head(text.get(function.byte_range()).unwrap_or_default(), MAX_FUNCTION);
        let parameters = function.child_by_field_name("parameters").map_or(0, |list| list.byte_range().len());
        words(written, name).any(|at| {
            let behind = written.get(at + name.len()..).unwrap_or_default().trim_start();
            at < parameters + "function".len() || behind.starts_with("<-") || behind.starts_with('=')
        })
    })
}

/// Returns the function that a call names, without its package.
fn function<'t>(text: &'t str, call: Node<'_>) -> &'t str {
    let function = call.child_by_field_name("function");
    let written = function.and_then(|function| text.get(function.byte_range())).unwrap_or_default();
    written.rsplit(':').next().unwrap_or_default()
}

/// Returns the argument at a position.
fn argument(arguments: Node<'_>, at: usize) -> Option<Node<'_>> {
    let mut cursor = arguments.walk();
    arguments.named_children(&mut cursor).filter(|child| child.kind() == "argument").nth(at)
}

/// Accepts `name <- value`: functions and classes everywhere, other values at the top level.
fn assigned<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let operator = node.child_by_field_name("operator").map(|operator| operator.kind());
    match operator {
        Some("<-" | "<<-" | "=") => {}
        Some("->" | "->>") => std::mem::swap(&mut found.name, &mut found.body),
        _ => return false,
    }
    if !found.name.is_some_and(|name| matches!(name.kind(), "identifier" | "string" | "extract_operator")) {
        return false;
    }
    let Some(value) = found.body else { return false };
    match value.kind() {
        "function_definition" => {
            (found.kind, found.body) = (K::Function, value.child_by_field_name("body"));
            return true;
        }
        "call" if matches!(function(text, value), "R6Class" | "setRefClass" | "setClass" | "ggproto") => {
            found.kind = K::Class;
            found.body = value.child_by_field_name("arguments").and_then(|arguments| argument(arguments, 1));
            found.to_end = true;
            return true;
        }
        _ => {}
    }
    found.is_top && found.name.is_some_and(|name| name.kind() == "identifier")
}

/// Accepts `setMethod("area", …)`, `test_that("…", …)` and the like.
fn declared<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.kind = match function(text, node) {
        "setClass" | "setRefClass" => K::Class,
        "setGeneric" => K::Function,
        "setMethod" => K::Method,
        "test_that" | "describe" | "it" => K::Test,
        _ => return false,
    };
    // A class that is assigned is named by the assignment.
    let before = text.get(..node.start_byte()).unwrap_or_default().trim_end();
    if before.ends_with("<-") || before.ends_with('=') {
        return false;
    }
    let Some(arguments) = found.body else { return false };
    let first = argument(arguments, 0).and_then(|first| first.child_by_field_name("value"));
    found.name = first.filter(|name| name.kind() == "string");
    if found.kind == K::Class {
        found.body = argument(arguments, 1);
        found.to_end = true;
        return true;
    }
    let last = arguments.named_child_count().checked_sub(1).and_then(|at| u32::try_from(at).ok());
    let value =
        last.and_then(|at| arguments.named_child(at)).and_then(|last| last.child_by_field_name("value"));
    found.body = match value {
        Some(function) if function.kind() == "function_definition" => function.child_by_field_name("body"),
        value => value.filter(|value| value.kind() == "braced_expression"),
    };
    true
}

/// Accepts functions in the lists that define a class.
fn member<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let is_member = found.within == Some(K::Class);
    let Some(value) = found.body.filter(|value| is_member && value.kind() == "function_definition") else {
        return false;
    };
    let list = node.parent().and_then(|arguments| arguments.parent());
    let outer = list.and_then(|list| list.parent()).filter(|outer| outer.kind() == "argument");
    found.body = value.child_by_field_name("body");
    outer.is_some() && list.is_some_and(|list| function(text, list) == "list")
}
