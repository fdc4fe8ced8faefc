//! Members of Swift that are named without their type: `.open` where a `State` is expected.
//!
//! The expected type is the one that is written for a property, a parameter or the result of the
//! function around, or that of the other side of `=` and `==`. In other places, such as an
//! argument, only the declaration of the called function would say it, and the type stays unknown.

use crate::index::chunk::ReferenceKind;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::resolve::step;
use crate::index::chunk::types::SOME;
use std::borrow::Cow;
use tree_sitter::Node;

/// Nodes between a member and what says its type; handwritten code stays below it.
const MAX_LEVELS: usize = 24;

/// What is known of the type of an expression.
enum ExpectedType<'t> {
    /// The type as it is written.
    Type(&'t str),
    /// An expression of the same type.
    LikeValue(&'t str),
    Unknown,
}

/// Adds the member that an expression names without its type: `.open`, `.make(3)`, `.open.size`.
pub(super) fn implicit<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let is_dot = node.child_by_field_name("operation").is_some_and(|sign| of(sign) == ".");
    let mut target = node.child_by_field_name("target").filter(|_| is_dot);
    let mut is_whole = true;
    while let Some(outer) = target.filter(|target| target.kind() == "navigation_expression") {
        target = outer.child_by_field_name("target");
        is_whole = false;
    }
    let Some(name) = target.filter(|target| target.kind() == "simple_identifier") else { return };
    let call = node.parent().filter(|around| around.kind() == "call_expression" && is_whole);
    let kind = if call.is_some() { ReferenceKind::Call } else { ReferenceKind::Use };
    let at = offset(name.start_byte());
    if let Some(ty) = generic_before(text, node.start_byte()) {
        found.push(Mention::new(at, kind, of(name), Cow::Borrowed(ty)));
        return;
    }
    let expected = if is_whole { expected(text, call.unwrap_or(node)) } else { ExpectedType::Unknown };
    let (qualifier, alias) = match expected {
        ExpectedType::Type(ty) => (SOME, ty),
        ExpectedType::LikeValue(value) => (value, ""),
        ExpectedType::Unknown => (SOME, ""),
    };
    let mention = Mention::new(at, kind, of(name), Cow::Borrowed(qualifier));
    found.push(Mention { alias: Cow::Borrowed(alias), is_implicit: true, ..mention });
}

/// Returns the generic type in front of a dot (`Box<Int>.make`), which the grammar takes for
/// comparisons.
fn generic_before(text: &str, dot: usize) -> Option<&str> {
    let before = text.get(..dot)?.strip_suffix('>')?;
    let mut depth = 1;
    let is_type = |c: char| c.is_alphanumeric() || "_.,:<>[]?! ".contains(c);
    for (at, c) in before.char_indices().rev().take(MAX_TYPE).take_while(|(_, c)| is_type(*c)) {
        match c {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let before = before.get(..at)?;
            let start = before.rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')));
            let path = before.get(start.map_or(0, |start| start + 1)..)?;
            let last = path.rsplit('.').next().unwrap_or(path);
            return Some(path).filter(|path| last.starts_with(char::is_uppercase) && !path.starts_with('.'));
        }
    }
    None
}

/// Longest arguments of a generic type, in characters.
const MAX_TYPE: usize = 200;

/// Returns what is known of the type that a value is expected to have.
fn expected<'t>(text: &'t str, value: Node<'_>) -> ExpectedType<'t> {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let ty = |node: Option<Node<'_>>| node.map_or(ExpectedType::Unknown, |node| ExpectedType::Type(of(node)));
    let mut at = value;
    for _ in 0..MAX_LEVELS {
        let Some(around) = at.parent() else { break };
        match around.kind() {
            "ternary_expression" if around.child_by_field_name("condition") != Some(at) => {}
            "property_declaration" if around.child_by_field_name("value") == Some(at) => {
                return ty(annotation(around));
            }
            "assignment" => return like(of(around.named_child(0).unwrap_or(around))),
            "equality_expression" => {
                let other = ["lhs", "rhs"].iter().filter_map(|side| around.child_by_field_name(side));
                return like(other.into_iter().find(|side| *side != at).map_or("", of));
            }
            "control_transfer_statement" => return ty(result_around(around)),
            "statements" if around.named_child_count() == 1 => return ty(result_around(around)),
            "function_declaration" | "init_declaration" => {
                let parameter = at.prev_named_sibling().filter(|before| before.kind() == "parameter");
                return ty(parameter.and_then(|parameter| parameter.child_by_field_name("type")));
            }
            _ => break,
        }
        at = around;
    }
    ExpectedType::Unknown
}

/// Returns the expression that has the type of a value, if it consists of names.
fn like(expression: &str) -> ExpectedType<'_> {
    if identifiers::is_plain(expression) && !expression.is_empty() && !expression.starts_with('.') {
        ExpectedType::LikeValue(expression)
    } else {
        ExpectedType::Unknown
    }
}

/// Returns the type that is written for a property.
fn annotation(property: Node<'_>) -> Option<Node<'_>> {
    step(property, "@type_annotation").and_then(|annotation| annotation.named_child(0))
}

/// Returns the result type of the function, or the type of the computed property, around a node.
/// That of a closure is not written.
fn result_around(node: Node<'_>) -> Option<Node<'_>> {
    let mut at = node;
    for _ in 0..MAX_LEVELS {
        at = at.parent()?;
        match at.kind() {
            "function_declaration" => return at.child_by_field_name("return_type"),
            "property_declaration" => return annotation(at),
            "lambda_literal" | "init_declaration" | "subscript_declaration" | "class_declaration" => {
                return None;
            }
            _ => {}
        }
    }
    None
}
