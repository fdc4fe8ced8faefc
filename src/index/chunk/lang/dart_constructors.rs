//! Constructors of Dart that call one another: `super(…)`, `super.named(…)`, `this.named(…)`, a
//! factory that is another constructor, and a parameter that is one of the supertype's.
//!
//! The mention has the name of the constructor behind that of its type. A constructor without a
//! name of its own is called by the name of its type, and the word is the alias.

use crate::index::chunk::ReferenceKind;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::resolve::step;
use std::borrow::Cow;
use tree_sitter::Node;

/// Levels between a constructor and its class.
const MAX_LEVELS: usize = 16;

/// The type of an unnamed constructor, as it is written behind its type.
const UNNAMED: &str = "new";

/// Reads `super(…)`, `super.named(…)`, `this(…)` and `this.named(…)`.
pub(super) fn entry<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let mut cursor = node.walk();
    let word = node.children(&mut cursor).find(|one| matches!(one.kind(), "super" | "this"));
    let (Some(word), Some(class)) = (word, class_around(node)) else { return };
    let of = if word.kind() == "this" { class.child_by_field_name("name") } else { supertype(class) };
    add(text, word, of, step(node, "@identifier"), found);
}

/// Reads `factory A() = B.named`.
pub(super) fn target<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(target) = node.child_by_field_name("target") else { return };
    let named = target.named_child(1).filter(|one| one.kind() == "type_identifier");
    let named = node.child_by_field_name("target_constructor").or(named);
    let Some(of) = target.named_child(0).and_then(|of| text.get(of.byte_range())) else { return };
    let (at, name) = match named {
        Some(named) => (named.start_byte(), text.get(named.byte_range()).unwrap_or_default()),
        None => (target.start_byte(), of),
    };
    let qualifier = if named.is_some() { of } else { "" };
    found.push(Mention::new(offset(at), ReferenceKind::Call, name, Cow::Borrowed(qualifier)));
}

/// Reads a parameter that is passed to the unnamed constructor of the supertype: `super.key`. If
/// the constructor calls another one, that gets the parameter.
pub(super) fn parameter<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let around = || std::iter::successors(node.parent(), Node::parent).take(MAX_LEVELS);
    let head = around().find(|one| one.kind().ends_with("constructor_signature"));
    let initializers = head.and_then(|head| {
        let mut next = head.next_named_sibling();
        while let Some(one) = next.filter(|one| !matches!(one.kind(), "initializers" | "redirection")) {
            next = one.next_named_sibling();
        }
        next
    });
    let calls_another = initializers.is_some_and(|list| {
        let mut cursor = list.walk();
        let is_call = |entry: Node<'_>| entry.child(0).is_some_and(|first| first.kind() == "super");
        list.named_children(&mut cursor).any(is_call)
    });
    let (Some(_), Some(word), false) = (head, node.child(0), calls_another) else { return };
    let mut cursor = node.walk();
    let word = node.children(&mut cursor).find(|one| one.kind() == "super").unwrap_or(word);
    add(text, word, class_around(node).and_then(supertype), None, found);
}

fn class_around(node: Node<'_>) -> Option<Node<'_>> {
    let mut around = std::iter::successors(node.parent(), Node::parent).take(MAX_LEVELS);
    around.find(|one| matches!(one.kind(), "class_declaration" | "enum_declaration"))
}

/// Returns the name of the class that a class extends.
fn supertype(class: Node<'_>) -> Option<Node<'_>> {
    step(class, "superclass").and_then(|one| step(one, "@type")).and_then(|ty| ty.named_child(0))
}

/// Adds the call of a constructor of the type `of`, with a name of its own or without one.
fn add<'t>(
    text: &'t str,
    word: Node<'_>,
    of: Option<Node<'_>>,
    named: Option<Node<'_>>,
    found: &mut Vec<Mention<'t>>,
) {
    let Some(ty) = of.and_then(|of| text.get(of.byte_range())) else { return };
    let name = named.and_then(|named| text.get(named.byte_range())).filter(|name| *name != UNNAMED);
    let word_at = offset(word.start_byte());
    found.push(match named.zip(name) {
        Some((named, name)) => {
            Mention::new(offset(named.start_byte()), ReferenceKind::Call, name, Cow::Borrowed(ty))
        }
        None => {
            let alias = Cow::Borrowed(text.get(word.byte_range()).unwrap_or_default());
            Mention { alias, ..Mention::new(word_at, ReferenceKind::Call, ty, Cow::Borrowed("")) }
        }
    });
}
