//! Paths of types in C++: a text and the place of a type in it → the names in front of the type.
//!
//! The grammar nests `a::B<int>::C` in a way that has the path of `C` in several nodes. The text
//! has it in one place.

use super::identifiers::MAX_QUALIFIER;
use crate::index::chunk::types::SOME;

/// Most names of a path.
const MAX_NAMES: usize = 8;

/// Longest arguments of a template in bytes that are skipped.
const MAX_ARGUMENTS: usize = 256;

/// Returns the path in front of a type, without arguments of templates: `a::B` in front of `C` in
/// `a::B<int>::C`. Empty if there is none, and [`SOME`] if it is not one of names.
pub(super) fn before(text: &str, at: usize) -> String {
    let mut names = Vec::new();
    let mut rest = text.get(..at).unwrap_or_default().trim_end();
    while let Some(path) = rest.strip_suffix("::") {
        let path = path.trim_end();
        let Some(path) = without_arguments(path) else { return SOME.to_owned() };
        let start = path.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        let (before, name) = path.split_at_checked(start).unwrap_or_default();
        // `::a` begins at the namespace around all others.
        if name.is_empty() {
            break;
        }
        if names.len() >= MAX_NAMES {
            return SOME.to_owned();
        }
        names.push(name);
        rest = before.trim_end();
    }
    names.reverse();
    let path = names.join("::");
    if path.len() <= MAX_QUALIFIER { path } else { SOME.to_owned() }
}

/// Returns a text without the arguments of a template that it ends with. `None` if they do not
/// begin, or if something else is at the end.
fn without_arguments(text: &str) -> Option<&str> {
    if !text.ends_with('>') {
        return (!text.ends_with([')', ']', '}'])).then_some(text);
    }
    let mut depth = 0_usize;
    for (at, c) in text.char_indices().rev() {
        match c {
            '>' => depth += 1,
            '<' if depth == 1 => return text.get(..at).map(str::trim_end),
            '<' => depth -= 1,
            ';' | '{' | '}' => return None,
            _ => {}
        }
        if text.len() - at > MAX_ARGUMENTS {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::before;

    #[test]
    fn the_path_of_a_type_is_in_front_of_it() {
        for (text, path) in [
            ("f(Kind", ""),
            ("f(a::Kind", "a"),
            ("f(a :: b::Kind", "a::b"),
            ("f(::Kind", ""),
            ("f(::a::Kind", "a"),
            ("typename a::List<Key, std::less<Key>>::Kind", "a::List"),
            ("decltype(x)::Kind", "()"),
            ("x > y; ::Kind", ""),
            ("a < b; c>::Kind", "()"),
        ] {
            assert_eq!(before(text, text.len() - "Kind".len()), path, "{text}");
        }
    }
}
