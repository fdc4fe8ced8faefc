//! The text before a leaf: the object that a name is a member of.
//!
//! Reads backwards from the name, so no tree is needed. Only a path of names is an object here; any
//! other expression stays unknown.

use super::identifiers::{self, MAX_QUALIFIER};
use crate::index::chunk::types::SOME;

/// The text before a leaf.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::index::chunk) enum LeafPrefix<'t> {
    /// Nothing that the leaf belongs to.
    Nothing,
    /// The object that the leaf is a member of; empty if it is an expression.
    Object(&'t str),
}

/// Reads the object that a name is a member of, backwards from the name. One of `marks` leads to a
/// member.
pub(in crate::index::chunk) fn before<'t>(text: &'t str, at: u32, marks: &[&str]) -> LeafPrefix<'t> {
    let before = text.get(..at as usize).unwrap_or_default().trim_end();
    let Some((mark, object)) = marks.iter().find_map(|one| Some((*one, before.strip_suffix(one)?))) else {
        return LeafPrefix::Nothing;
    };
    // A range (`[..a`) or a spread (`...a`) is not a member, nor is `::a`.
    let is_end = |c: char| c.is_alphanumeric() || matches!(c, '_' | '>' | ')' | ']' | '?' | '"');
    if object.ends_with('.') || matches!(mark, "::" | "::$" | "\\") && !object.ends_with(is_end) {
        return LeafPrefix::Nothing;
    }
    let object = object.trim_end();
    let has_backslash = marks.contains(&"\\");
    let is_part = |c: char| {
        c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$' | '@') || c == '\\' && has_backslash
    };
    let letters = object.char_indices().rev().take(MAX_QUALIFIER + 1);
    let start = letters.take_while(|(_, c)| is_part(*c)).last().map(|(at, _)| at);
    let path = start.and_then(|start| object.get(start..)).unwrap_or_default();
    if path.is_empty()
        && let Some(inner) = in_brackets(object)
    {
        return LeafPrefix::Object(inner);
    }
    let is_whole = path.len() <= MAX_QUALIFIER && identifiers::is_plain(path) && !path.ends_with(['.', ':']);
    if is_whole && !path.starts_with(['.', ':']) && path != SOME {
        LeafPrefix::Object(path)
    } else {
        LeafPrefix::Object("")
    }
}

/// Returns the path that ends a text in brackets, maybe behind the mark of a pointer:
/// `(*store.Cart)`. `None` for the arguments of a call.
fn in_brackets(text: &str) -> Option<&str> {
    let inner = text.strip_suffix(')')?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let start = inner.char_indices().rev().take(MAX_QUALIFIER).take_while(|(_, c)| is_part(*c)).last()?.0;
    let path = inner.get(start..).filter(|path| identifiers::is_plain(path) && !path.starts_with('.'))?;
    let before = inner.get(..start)?.trim_end_matches('*').strip_suffix('(')?;
    (!before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']' | '>' | '!')))
        .then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_name_belongs_to_is_read_backwards() {
        for (text, object) in [
            ("self.a", LeafPrefix::Object("self")),
            ("x = a", LeafPrefix::Nothing),
            ("$this->a", LeafPrefix::Object("$this")),
            ("m::n::a", LeafPrefix::Object("m::n")),
            ("f(x).a", LeafPrefix::Object("")),
            ("(*store.Cart).a", LeafPrefix::Object("store.Cart")),
            ("((Cart) x).a", LeafPrefix::Object("")),
            ("[..a", LeafPrefix::Nothing),
            ("b.c\n    .a", LeafPrefix::Object("b.c")),
            (".a", LeafPrefix::Object("")),
        ] {
            let marks = ["->", "::", "?.", "!.", "&.", "."];
            assert_eq!(before(text, u32::try_from(text.len() - 1).unwrap(), &marks), object, "{text}");
        }
    }
}
