//! Members of C# that are named without their object: those that get a value where an object is
//! made (`new Cart { Total = 3 }`), changed (`cart with { Total = 3 }`), or compared
//! (`cart is { Total: 3 }`).
//!
//! The type is the one that is written, or that of the object in front. Where neither is known, the
//! name is recorded as nothing: it means no member of the type around.

use crate::index::chunk::ReferenceKind;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::resolve::step;
use crate::index::chunk::types::SOME;
use std::borrow::Cow;
use tree_sitter::Node;

/// Nodes between a value and what says its type.
const MAX_LEVELS: usize = 6;

/// Patterns inside of each other whose object is looked for.
const MAX_PATTERNS: usize = 4;

/// Nodes between a returned value and the function that returns it.
const MAX_AROUND: usize = 24;

/// The object whose members are named.
#[derive(Clone)]
enum Object<'t> {
    /// An object of the type that is written.
    OfType(&'t str),
    /// The object that these names mean.
    Value(Cow<'t, str>),
    Unknown,
}

/// Adds the members that get a value where an object is made.
pub(super) fn initialized<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let Some(maker) = node.parent() else { return };
    let ty = match maker.kind() {
        "object_creation_expression" => maker.child_by_field_name("type"),
        "implicit_object_creation_expression" => expected(maker),
        _ => return,
    };
    let object = ty.map_or(Object::Unknown, |ty| Object::OfType(of(ty)));
    let mut cursor = node.walk();
    for one in node.named_children(&mut cursor).filter(|one| one.kind() == "assignment_expression") {
        let name = one.child_by_field_name("left").filter(|name| name.kind() == "identifier");
        found.extend(name.map(|name| member(text, name, &object)));
    }
}

/// Adds the members that get a value where an object is changed.
pub(super) fn changed<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let object = value(text, node.named_child(0));
    let mut cursor = node.walk();
    for one in node.named_children(&mut cursor).filter(|one| one.kind() == "with_initializer") {
        found.extend(step(one, "@identifier").map(|name| member(text, name, &object)));
    }
}

/// Adds the members that a pattern compares.
pub(super) fn matched<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let Some(pattern) = node.parent().filter(|around| around.kind() == "recursive_pattern") else { return };
    let object = match pattern.child_by_field_name("type") {
        Some(ty) => Object::OfType(of(ty)),
        None => compared(text, pattern, 0),
    };
    let mut cursor = node.walk();
    for one in node.named_children(&mut cursor).filter(|one| one.kind() == "subpattern") {
        let Some(name) = one.named_child(0).filter(|_| step(one, "@:").is_some()) else { continue };
        // `{ Owner.Name: "a" }` names two members.
        let mut object = object.clone();
        for name in path(name) {
            found.push(member(text, name, &object));
            object = object.of_member(of(name));
        }
    }
}

/// Returns the names of a path of members, the first one first; none for another expression.
fn path(node: Node<'_>) -> Vec<Node<'_>> {
    let mut names = Vec::new();
    let mut at = node;
    for _ in 0..MAX_LEVELS {
        if at.kind() == "identifier" {
            names.push(at);
            names.reverse();
            return names;
        }
        let parts = at.child_by_field_name("expression").zip(at.child_by_field_name("name"));
        let Some((object, name)) = parts.filter(|_| at.kind() == "member_access_expression") else { break };
        names.push(name);
        at = object;
    }
    Vec::new()
}

/// Returns the type that is written for a value that is made without naming it.
pub(super) fn expected(value: Node<'_>) -> Option<Node<'_>> {
    let mut at = value;
    for _ in 0..MAX_LEVELS {
        let around = at.parent()?;
        match around.kind() {
            "variable_declarator" | "parenthesized_expression" => {}
            "variable_declaration" | "property_declaration" | "parameter" => {
                return around.child_by_field_name("type").filter(|ty| ty.kind() != "implicit_type");
            }
            "arrow_expression_clause" | "return_statement" => return result_around(around),
            "conditional_expression" if around.child_by_field_name("condition") != Some(at) => {}
            _ => return None,
        }
        at = around;
    }
    None
}

/// Returns the type of the result of the function or the property around a node. That of a function
/// without a name is not written.
fn result_around(node: Node<'_>) -> Option<Node<'_>> {
    let mut at = node;
    for _ in 0..MAX_AROUND {
        at = at.parent()?;
        match at.kind() {
            "method_declaration" => return at.child_by_field_name("returns"),
            "local_function_statement"
            | "property_declaration"
            | "indexer_declaration"
            | "operator_declaration" => return at.child_by_field_name("type"),
            kind if kind.ends_with("_declaration")
                || kind.contains("lambda")
                || kind.contains("anonymous") =>
            {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// Returns the object that a pattern without a type compares.
fn compared<'t>(text: &'t str, pattern: Node<'_>, depth: usize) -> Object<'t> {
    if depth >= MAX_PATTERNS {
        return Object::Unknown;
    }
    let mut at = pattern;
    for _ in 0..MAX_LEVELS {
        let Some(around) = at.parent() else { break };
        match around.kind() {
            "negated_pattern"
            | "and_pattern"
            | "or_pattern"
            | "parenthesized_pattern"
            | "switch_expression_arm"
            | "switch_section"
            | "switch_body" => {}
            "is_pattern_expression" => return value(text, around.child_by_field_name("expression")),
            "switch_expression" => return value(text, around.named_child(0)),
            "switch_statement" => return value(text, around.child_by_field_name("value")),
            // A pattern inside of another one compares a member.
            "subpattern" => {
                let Some(name) = around.named_child(0).filter(|name| name.kind() == "identifier") else {
                    break;
                };
                let clause = around.parent().filter(|clause| clause.kind() == "property_pattern_clause");
                let Some(outer) = clause.and_then(|clause| clause.parent()) else { break };
                let object = match outer.child_by_field_name("type") {
                    Some(ty) => Object::OfType(text.get(ty.byte_range()).unwrap_or_default()),
                    None => compared(text, outer, depth + 1),
                };
                return object.of_member(text.get(name.byte_range()).unwrap_or_default());
            }
            _ => break,
        }
        at = around;
    }
    Object::Unknown
}

/// Returns the object that an expression means, if it consists of names.
fn value<'t>(text: &'t str, node: Option<Node<'_>>) -> Object<'t> {
    let written = node.and_then(|node| text.get(node.byte_range())).unwrap_or_default();
    match identifiers::is_plain(written) && !written.is_empty() {
        true => Object::Value(Cow::Borrowed(written)),
        false => Object::Unknown,
    }
}

impl<'t> Object<'t> {
    /// Returns a member of it as the object.
    fn of_member(&self, name: &str) -> Self {
        match self {
            Self::Value(path) => Self::Value(Cow::Owned(format!("{path}.{name}"))),
            Self::OfType(_) | Self::Unknown => Self::Unknown,
        }
    }
}

/// Returns the use of a member.
fn member<'t>(text: &'t str, name: Node<'_>, object: &Object<'t>) -> Mention<'t> {
    let at = offset(name.start_byte());
    let written = text.get(name.byte_range()).unwrap_or_default();
    let of = |qualifier| Mention::new(at, ReferenceKind::Use, written, qualifier);
    match object {
        Object::OfType(ty) => {
            Mention { alias: Cow::Borrowed(ty), is_implicit: true, ..of(Cow::Borrowed(SOME)) }
        }
        Object::Value(path) => Mention { is_read: true, ..of(path.clone()) },
        Object::Unknown => Mention { is_read: true, ..of(Cow::Borrowed(SOME)) },
    }
}
