//! Types that Python names in strings: `x: "Cart"`, `-> "list[Cart]"`, `cast("Cart", x)`.
//!
//! An annotation may be a string, so that it can name a type that is declared later or imported
//! only for type checkers (<https://peps.python.org/pep-0484/#forward-references>). The strings of
//! `Literal` are values, and so are all but the first of `Annotated`.

use crate::index::chunk::ReferenceKind;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::resolve::step;
use std::borrow::Cow;
use tree_sitter::Node;

/// Nodes of one annotation that are looked at; handwritten ones have fewer.
const MAX_NODES: usize = 64;

/// Longest string in bytes that is read as a type.
const MAX_STRING: usize = 512;

/// Adds the types in the strings of an annotation. An annotation inside of it is read by itself.
pub(super) fn in_annotation<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let mut nodes = vec![node];
    let mut strings = Vec::new();
    for _ in 0..MAX_NODES {
        let Some(at) = nodes.pop() else { break };
        let mut cursor = at.walk();
        let children: Vec<_> = at.named_children(&mut cursor).filter(|one| one.kind() != "type").collect();
        let n_types = if at.kind() == "subscript" { n_types(text, at) } else { usize::MAX };
        for child in children.into_iter().take(n_types) {
            match child.kind() {
                "string" => strings.push(child),
                "binary_operator" | "list" | "subscript" | "tuple" => nodes.push(child),
                _ => {}
            }
        }
    }
    if !strings.is_empty() && is_type_argument(text, node) {
        strings.sort_by_key(Node::start_byte);
        strings.into_iter().for_each(|string| in_string(text, string, found));
    }
}

/// Adds the types that the arguments of a function of `typing` name in strings.
pub(super) fn in_call<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let called = node.child_by_field_name("function").map(of).unwrap_or_default();
    let (first, n) = match called.rsplit('.').next().unwrap_or_default() {
        "cast" | "ForwardRef" | "assert_type" => (0, 2),
        "NewType" => (1, 1),
        "TypeVar" => (1, usize::MAX),
        _ => return,
    };
    let Some(arguments) = node.child_by_field_name("arguments") else { return };
    let mut cursor = arguments.walk();
    for argument in arguments.named_children(&mut cursor).skip(first).take(n) {
        let value = argument.child_by_field_name("value").filter(|_| argument.kind() == "keyword_argument");
        match value.unwrap_or(argument) {
            string if string.kind() == "string" => in_string(text, string, found),
            ty if ty.kind() == "subscript" => in_annotation(text, ty, found),
            _ => {}
        }
    }
}

/// Adds the types that the type arguments of supertypes name in strings: `class A(Base["B"])`.
pub(super) fn in_supertypes<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(types) = node.child_by_field_name("superclasses") else { return };
    let mut cursor = types.walk();
    let subscripts = types.named_children(&mut cursor).filter(|one| one.kind() == "subscript");
    subscripts.for_each(|one| in_annotation(text, one, found));
}

/// Returns the number of children of a generic type, its name included, that are names or types.
fn n_types(text: &str, generic: Node<'_>) -> usize {
    let name = generic.named_child(0).and_then(|name| text.get(name.byte_range())).unwrap_or_default();
    match name.rsplit('.').next().unwrap_or_default() {
        "Literal" => 1,
        "Annotated" => 2,
        _ => usize::MAX,
    }
}

/// Returns whether an annotation is not a value inside of another one.
fn is_type_argument(text: &str, node: Node<'_>) -> bool {
    let list = node.parent().filter(|list| list.kind() == "type_parameter");
    let Some((list, generic)) = list.and_then(|list| Some((list, list.parent()?))) else { return true };
    let before = step(list, "#0").filter(|first| *first != node);
    n_types(text, generic) > if before.is_some() { 2 } else { 1 }
}

/// Adds the types that a string names.
fn in_string<'t>(text: &'t str, string: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let prefix = step(string, "@string_start").and_then(|start| text.get(start.byte_range()));
    let content = step(string, "@string_content").filter(|content| content.byte_range().len() <= MAX_STRING);
    let is_plain = |prefix: &str| !prefix.contains(['b', 'B', 'f', 'F', 't', 'T']);
    let Some(content) = content.filter(|_| prefix.is_some_and(is_plain)) else { return };
    let written = text.get(content.byte_range()).unwrap_or_default();
    let is_type = |c: char| {
        c.is_alphanumeric() || c.is_ascii_whitespace() || matches!(c, '_' | '.' | ',' | '|' | '[' | ']')
    };
    // Names are separated by signs: `Cart | None` is a type, `a few words` are not.
    let is_sentence = |part: &str| part.split_ascii_whitespace().count() > 1;
    if !written.chars().all(is_type) || written.split(['.', ',', '|', '[', ']']).any(is_sentence) {
        return;
    }
    let mut at = 0;
    for part in written.split_inclusive(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))) {
        let path = part.trim_end_matches(|c: char| !(c.is_alphanumeric() || c == '_'));
        let name = path.rsplit('.').next().unwrap_or(path);
        let is_name = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name != "None";
        if is_name && !path.starts_with('.') && identifiers::is_plain(path) {
            let qualifier = path.get(..path.len() - name.len()).unwrap_or_default().trim_end_matches('.');
            let start = offset(content.start_byte() + at);
            let mention = Mention::new(start, ReferenceKind::Type, name, Cow::Borrowed(qualifier));
            found.push(Mention { name_at: start + offset(path.len() - name.len()), ..mention });
        }
        at += part.len();
    }
}
