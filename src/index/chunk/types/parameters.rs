//! Type parameters: their names, where each is known, and the type that bounds it.
//!
//! Of an object whose type is `T` in `<T extends Run>`, the code knows that it is a `Run`. With two
//! bounds, it may be either, so nothing is known.

use super::super::ByteRange;
use std::collections::HashMap;

/// What stands between a type parameter and its bound.
const MARKS: [&str; 4] = ["extends ", "<:", ":", "implements "];

/// Bounds that have no members of a repository: keywords of C#, and what mostly stands beside
/// another one, of the libraries of Java, Kotlin and Rust.
const NO_BOUNDS: [&str; 26] = [
    "Any",
    "Clone",
    "Comparable",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Serializable",
    "Sized",
    "Sync",
    "Unpin",
    "any",
    "class",
    "comparable",
    "default",
    "new()",
    "notnull",
    "object",
    "struct",
    "unmanaged",
];

/// Parameters of one name that are looked at.
const MAX_PARAMETERS: usize = 64;

/// A type parameter.
#[derive(Debug, Clone, Copy)]
struct TypeParameter<'t> {
    /// Where it is known.
    scope: ByteRange,
    /// The text of its bound; empty if it has none.
    bound: &'t str,
}

/// The type parameters of a text.
#[derive(Debug, Default)]
pub(in crate::index::chunk) struct TypeParameters<'t> {
    by_name: HashMap<&'t str, Vec<TypeParameter<'t>>>,
}

impl<'t> TypeParameters<'t> {
    /// Adds one, or another bound of one.
    pub(super) fn add(&mut self, name: &'t str, scope: Option<ByteRange>, bound: &'t str) {
        let scope = scope.unwrap_or(ByteRange { start: 0, end: u32::MAX });
        self.by_name.entry(name).or_default().push(TypeParameter { scope, bound });
    }

    /// Adds those of another part of the text.
    pub(in crate::index::chunk) fn extend(&mut self, other: Self) {
        for (name, mut those) in other.by_name {
            self.by_name.entry(name).or_default().append(&mut those);
        }
    }

    /// Returns whether a name is that of a type parameter anywhere.
    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Returns the text of the only bound that a type parameter has at a place.
    pub(super) fn bound(&self, name: &str, at: u32) -> Option<&'t str> {
        let all = self.by_name.get(name)?;
        let until = all.partition_point(|one| one.scope.start <= at);
        let above = || all.iter().take(until).rev().take(MAX_PARAMETERS);
        let inner =
            above().map(|one| one.scope).filter(|scope| scope.contains(at)).max_by_key(|one| one.start)?;
        let mut bounds = above().filter(|one| one.scope == inner && !one.bound.is_empty());
        bounds.next().map(|one| one.bound).filter(|_| bounds.next().is_none())
    }
}

/// Returns the only type in the text behind a type parameter, without its default; empty if there
/// is none, or if there are several.
pub(super) fn bound_behind(text: &str) -> &str {
    let text = text.trim_start();
    MARKS.iter().find_map(|mark| text.strip_prefix(mark)).map(only_type).unwrap_or_default()
}

/// Returns the only type of a list of bounds.
pub(super) fn only_type(text: &str) -> &str {
    let text = text.split(" = ").next().unwrap_or(text);
    let (mut depth, mut start, mut found) = (0u32, 0, "");
    let ends = text.char_indices().chain([(text.len(), ',')]);
    for (at, c) in ends {
        match c {
            '<' | '[' | '(' | '{' => depth += 1,
            '>' | ']' | ')' | '}' => depth = depth.saturating_sub(1),
            '|' => return "",
            ',' | '&' | '+' if depth == 0 || at == text.len() => {
                let part = text.get(start..at).unwrap_or_default().trim();
                start = at + c.len_utf8();
                let name = part.split('<').next().unwrap_or(part);
                if part.is_empty() || part.starts_with(['\'', '?']) || NO_BOUNDS.contains(&name) {
                    continue;
                }
                if !found.is_empty() {
                    return "";
                }
                found = part;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_the_only_type_behind_a_parameter() {
        for (text, bound) in [
            ("", ""),
            (" extends Run", "Run"),
            (" extends Run = Walk", "Run"),
            (" = Walk", ""),
            (" extends Run & Walk", ""),
            (" extends A | B", ""),
            (": Run", "Run"),
            (": 'a + Run<K, V> + Send + ?Sized", "Run<K, V>"),
            (": Run + Walk", ""),
            (" : class, IRun, new()", "IRun"),
            (": Clone + Send", ""),
            (" <: Run", "Run"),
        ] {
            assert_eq!(bound_behind(text), bound, "{text}");
        }
    }

    #[test]
    fn the_innermost_parameter_counts() {
        let scope = |start, end| Some(ByteRange { start, end });
        let mut all = TypeParameters::default();
        all.add("T", scope(0, 100), "Run");
        all.add("T", scope(10, 20), "");
        all.add("T", scope(30, 40), "");
        all.add("T", scope(30, 40), "Walk");
        all.add("T", scope(50, 60), "A");
        all.add("T", scope(50, 60), "B");
        for (at, bound) in
            [(5, Some("Run")), (15, None), (35, Some("Walk")), (55, None), (70, Some("Run")), (200, None)]
        {
            assert_eq!(all.bound("T", at), bound, "{at}");
        }
        assert!(all.has("T") && !all.has("U") && all.bound("U", 5).is_none());
    }
}
