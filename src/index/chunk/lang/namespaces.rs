//! The namespace that a file declares for all that follows (`namespace A\B;`, `package a.b`).
//!
//! It is recorded as an import of all names of that namespace, since the file sees those. A keyword
//! as the alias marks it, which no import can give as a name.

use crate::index::chunk::ReferenceKind;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use std::borrow::Cow;
use tree_sitter::Node;

/// The words that mark the file's own namespace.
pub const NAMESPACE_WORDS: [&str; 2] = ["namespace", "package"];

/// Longest name of a namespace in bytes.
const MAX_NAMESPACE: usize = 200;

/// Returns the mention of a namespace that a node declares by a word.
pub(super) fn own_namespace<'t>(node: Node<'_>, name: &'t str, word: &'static str) -> Option<Mention<'t>> {
    let is_plain = !name.is_empty() && name.len() <= MAX_NAMESPACE && !name.contains(char::is_whitespace);
    is_plain.then(|| {
        let own = Mention::new(offset(node.start_byte()), ReferenceKind::Import, "*", Cow::Borrowed(name));
        Mention { alias: Cow::Borrowed(word), ..own }
    })
}
