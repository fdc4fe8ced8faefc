//! What a package of Perl uses and inherits: statements → imports and supertypes.
//!
//! Perl has one statement for both (`use parent 'A'`, `use List::Util qw(first)`), and modules give
//! a package functions that inherit (`extends 'A'`). Their arguments are words and strings in many
//! forms, so they are read from the text of the nodes.

use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::node::range;
use crate::index::chunk::parts::MAX_PARTS;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::MentionRule;
use crate::index::chunk::walk::perl_forms::words as split;
use crate::index::chunk::{ByteRange, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// `use` with a module, and what it imports or inherits.
pub(super) const IMPORTED: MentionRule = MentionRule { node: "use_statement", read: used };

/// `require My::Module`.
pub(super) const REQUIRED: MentionRule = MentionRule {
    node: "require_expression",
    read: |text, node, found| {
        let module = node.named_child(0).filter(|one| one.kind() == "bareword").map(range);
        found.extend(module.map(|module| path(text, module, ReferenceKind::Import)));
    },
};

/// `our @ISA = ('A', 'B')`.
pub(super) const ASSIGNED: MentionRule = MentionRule {
    node: "assignment_expression",
    read: |text, node, found| {
        let [left, right] = ["left", "right"].map(|side| node.child_by_field_name(side));
        let left = left.and_then(|left| text.get(left.byte_range())).unwrap_or_default();
        if left.ends_with("@ISA") || left.ends_with("::ISA") {
            inherited(text, right, found);
        }
    },
};

/// `extends 'A'`, `with 'B'` and `push @ISA, 'C'`.
pub(super) const INHERITED: MentionRule =
    MentionRule { node: "ambiguous_function_call_expression", read: called };

/// The same in parentheses: `extends('A')`.
pub(super) const INHERITED_IN_PARENTHESES: MentionRule =
    MentionRule { node: "function_call_expression", read: called };

/// `class Point :isa(Shape)`.
pub(super) const CLASS: MentionRule = MentionRule { node: "class_statement", read: attributes };

/// `role Drawn :does(Shown)`.
pub(super) const ROLE: MentionRule = MentionRule { node: "role_statement", read: attributes };

/// Most nodes of a list that are looked at.
const MAX_NODES: usize = 4 * MAX_PARTS;

/// Returns a reference to a package by its full name.
fn path(text: &str, bytes: ByteRange, kind: ReferenceKind) -> Mention<'_> {
    let written = bytes.of(text);
    let at = written.rfind("::").map_or(0, |at| at + 2);
    let (before, name) = written.split_at_checked(at).unwrap_or(("", written));
    let qualifier = Cow::Borrowed(before.trim_end_matches(':'));
    Mention { name_at: bytes.start + offset(at), ..Mention::new(bytes.start, kind, name, qualifier) }
}

/// Returns whether a text is a name without a package.
pub(super) fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && !text.is_empty()
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns whether a text is the name of a package.
fn is_package(text: &str) -> bool {
    text.split("::").all(is_name)
}

/// Returns the words and strings in a list, in order, each with its bytes. Strings in a string, and
/// functions, have none.
fn words(text: &str, list: Option<Node<'_>>) -> Vec<ByteRange> {
    let mut found = Vec::new();
    let mut open: Vec<Node<'_>> = list.into_iter().collect();
    let mut n_nodes = 0;
    while let Some(node) = open.pop().filter(|_| n_nodes < MAX_NODES) {
        n_nodes += 1;
        match node.kind() {
            "bareword" | "autoquoted_bareword" => found.push(range(node)),
            "string_literal" | "interpolated_string_literal" => {
                found.extend(step(node, "content").map(range));
            }
            "quoted_word_list" => {
                found.extend(step(node, "content").map(|one| split(text, range(one))).unwrap_or_default())
            }
            "list_expression" | "parenthesized_expression" | "anonymous_array_expression" => {
                let mut cursor = node.walk();
                let mut children: Vec<_> = node.named_children(&mut cursor).take(MAX_NODES).collect();
                children.reverse();
                open.append(&mut children);
            }
            _ => {}
        }
    }
    found
}

/// Adds the packages in a list as supertypes.
fn inherited<'t>(text: &'t str, list: Option<Node<'_>>, found: &mut Vec<Mention<'t>>) {
    let packages = words(text, list).into_iter().filter(|one| is_package(one.of(text)));
    found.extend(packages.map(|one| path(text, one, ReferenceKind::Inherits)));
}

/// Reads a `use`. The names that it lists are imported. Without a list, the module decides.
fn used<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(module) = node.child_by_field_name("module").map(range) else { return };
    let is_without = text.get(node.start_byte()..).is_some_and(|statement| statement.starts_with("no "));
    let mut given = node.named_child(1);
    if given.is_some_and(|one| matches!(one.kind(), "number" | "version")) {
        given = node.named_child(2);
    }
    let name = module.of(text);
    match name {
        _ if is_without => return,
        "parent" | "base" => return inherited(text, given, found),
        // These change how the code is read, and name nothing.
        "constant" | "fields" | "vars" => return,
        name if !name.contains("::") && name.starts_with(|c: char| c.is_ascii_lowercase()) => return,
        _ => found.push(path(text, module, ReferenceKind::Import)),
    }
    let words = words(text, given);
    if name == "Mojo::Base" {
        // The argument is the supertype, if it names one.
        let supertype = words.iter().copied().find(|one| {
            let word = one.of(text);
            is_package(word) && word.starts_with(char::is_uppercase)
        });
        let is_base = words.iter().any(|one| one.of(text).trim_start_matches('-') == "base");
        let supertype = supertype.or(Some(module).filter(|_| is_base));
        found.extend(supertype.map(|one| path(text, one, ReferenceKind::Inherits)));
        return;
    }
    let is_tag = |one: &ByteRange| one.of(text).starts_with(':');
    if given.is_none() || words.iter().any(is_tag) {
        found.push(Mention::new(module.start, ReferenceKind::Import, "*", Cow::Borrowed(name)));
    }
    for word in words {
        let written = word.of(text);
        let own = written.trim_start_matches(['$', '@', '%', '&']);
        // `name => { -as => 'other' }` and options begin with other characters.
        if is_name(own) {
            let at = word.end - offset(own.len());
            found.push(Mention::new(at, ReferenceKind::Import, own, Cow::Borrowed(name)));
        }
    }
}

/// Reads a call of a function that inherits, or that wraps an inherited method.
fn called<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let function = node.child_by_field_name("function").and_then(|name| text.get(name.byte_range()));
    let list = node.child_by_field_name("arguments");
    match function.unwrap_or_default() {
        "extends" | "with" => inherited(text, list, found),
        "push" | "unshift" => {
            let array = list.and_then(|list| step(list, "#0")).and_then(|one| text.get(one.byte_range()));
            if array.is_some_and(|array| array == "@ISA" || array.ends_with("::ISA")) {
                inherited(text, list, found);
            }
        }
        "after" | "around" | "before" => {
            let methods = words(text, list.and_then(|list| step(list, "#0")));
            found.extend(methods.into_iter().filter(|one| is_name(one.of(text))).map(|one| {
                Mention::new(one.start, ReferenceKind::Call, one.of(text), Cow::Borrowed("__PACKAGE__"))
            }));
        }
        _ => {}
    }
}

/// Reads the attributes of a class that inherit.
fn attributes<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(list) = node.child_by_field_name("attributes") else { return };
    let mut cursor = list.walk();
    for attribute in list.named_children(&mut cursor).take(MAX_PARTS) {
        let name = attribute.child_by_field_name("name").and_then(|name| text.get(name.byte_range()));
        let Some(value) = attribute.child_by_field_name("value").map(range) else { continue };
        let written = value.of(text);
        let package = written.split_whitespace().next().unwrap_or_default();
        if matches!(name, Some("isa" | "does" | "extends" | "with")) && is_package(package) {
            let start = value.start + offset(written.len() - written.trim_start().len());
            let bytes = ByteRange { start, end: start + offset(package.len()) };
            found.push(path(text, bytes, ReferenceKind::Inherits));
        }
    }
}
