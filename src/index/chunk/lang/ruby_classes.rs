//! Classes of Ruby and their methods: what `super` calls, and which methods belong to the class.
//!
//! `super` calls the method around it, as a supertype declares it. So its mention has the name of
//! that method, and the word as its qualifier.

use crate::index::chunk::ReferenceKind;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::MentionRule;
use std::borrow::Cow;
use tree_sitter::Node;

/// The word that calls the method of a supertype.
pub const SUPER_WORD: &str = "super";

/// The word that constructs an instance.
pub(in crate::index::chunk) const NEW_WORD: &str = "new";

/// Calls of the method of a supertype.
pub(super) const SUPER: MentionRule = MentionRule { node: "super", read: inherited };

/// Levels between `super` and the method around it.
const MAX_LEVELS: usize = 24;

/// Adds the call of the method around, as a supertype declares it.
fn inherited<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let around = std::iter::successors(node.parent(), Node::parent).take(MAX_LEVELS);
    let is_end = |one: &Node<'_>| matches!(one.kind(), "method" | "singleton_method" | "class" | "module");
    let method = around.into_iter().find(is_end);
    let name = method.filter(|one| one.kind().ends_with("method"));
    let name = name.and_then(|one| text.get(one.child_by_field_name("name")?.byte_range()));
    if let Some(name) = name {
        let at = offset(node.start_byte());
        // The text does not write the name there.
        let name = Cow::Owned(name.to_owned());
        found.push(Mention::new(at, ReferenceKind::Call, name, Cow::Borrowed(SUPER_WORD)));
    }
}

/// Returns whether a method of Ruby belongs to its class or module itself. `first` is where that
/// begins, and `start` where the method does, whose name and signature these are.
pub fn is_singleton_method(text: &str, first: u32, start: u32, signature: &str, name: &str) -> bool {
    let head = signature.strip_prefix("def").unwrap_or(signature).trim_start();
    let is_named_so = head.split_once('.').is_some_and(|(object, rest)| {
        object.chars().all(|c| c.is_alphanumeric() || c == '_') && rest.trim_start().starts_with(name)
    });
    is_named_so || is_in_singleton_class(text, first as usize, start as usize)
}

/// Returns whether a declaration that begins at `start` is in `class << self`: the next line above
/// with less indentation that opens a class, a module or a method says so. `first` is where the
/// class around begins.
fn is_in_singleton_class(text: &str, first: usize, start: usize) -> bool {
    let line = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let Some(above) = text.get(first..line).filter(|above| above.contains("class <<")) else { return false };
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = text.get(line..start).map_or(0, indent);
    let opens = |line: &str| ["class ", "module ", "def "].iter().any(|word| line.starts_with(word));
    let outer = above.lines().rev().find(|line| indent(line) < own && opens(line.trim_start()));
    outer.is_some_and(|line| line.trim_start().starts_with("class <<"))
}
