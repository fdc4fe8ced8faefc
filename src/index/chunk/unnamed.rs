//! Namespaces of C++ without a name, which records leave out: what they declare is visible in its
//! own file only.
//!
//! Input: a text and a place. Only texts that contain such a namespace are parsed.

use super::{Language, clip, parse};
use tree_sitter::Node;

/// Most nodes around a place that are looked at.
const MAX_LEVELS: usize = 200;

/// Returns whether the declaration that ends at byte `end` is in a namespace without a name.
pub fn is_in_unnamed_namespace(language: Language, text: &str, end: u32) -> bool {
    let text = clip(text);
    let Some(last) = (end as usize).checked_sub(1).filter(|last| *last < text.len()) else { return false };
    if language.name() != "cpp" || !has_unnamed(text) || !parse::is_parseable(text) {
        return false;
    }
    let Some(tree) = parse::parse(language, text) else { return false };
    let Some(inner) = tree.root_node().descendant_for_byte_range(last, last) else { return false };
    std::iter::successors(Some(inner), Node::parent)
        .take(MAX_LEVELS)
        .any(|node| node.kind() == "namespace_definition" && node.child_by_field_name("name").is_none())
}

/// Returns whether a text has the word `namespace` before a brace.
fn has_unnamed(text: &str) -> bool {
    text.match_indices("namespace").any(|(at, word)| {
        text.get(at + word.len()..).is_some_and(|behind| behind.trim_start().starts_with('{'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_namespace_without_a_name_hides_its_functions() {
        let text = "namespace {\nvoid a() {}\nclass B { void c() {} };\n}\nnamespace d { void e() {} namespace { int f; } }\nvoid g() {}\n";
        let language = Language::from_name("cpp").unwrap();
        let is_hidden = |of: &str| {
            let at = text.find(of).unwrap() + of.len();
            is_in_unnamed_namespace(language, text, u32::try_from(at).unwrap())
        };
        for (of, expected) in [
            ("void a() {}", true),
            ("void c() {}", true),
            ("void e() {}", false),
            ("int f;", true),
            ("void g() {}", false),
        ] {
            assert_eq!(is_hidden(of), expected, "{of}");
        }
        assert!(
            !is_in_unnamed_namespace(language, text, 0) && !is_in_unnamed_namespace(language, text, 9_999)
        );
    }
}
