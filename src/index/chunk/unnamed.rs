//! Namespaces of C++ without a name, which records leave out: what they declare is visible in its
//! own file only.
//!
//! Input: a text. Output: the ranges of these namespaces. Only texts that contain such a namespace
//! are parsed.

use super::node::range;
use super::{ByteRange, Language, clip, parse};
use tree_sitter::Node;

/// Returns whether the declaration that ends at byte `end` is in a namespace without a name.
pub fn is_in_unnamed_namespace(language: Language, text: &str, end: u32) -> bool {
    let last = end.checked_sub(1);
    last.is_some_and(|last| unnamed_namespaces(language, text).iter().any(|one| one.contains(last)))
}

/// Returns the ranges of the outermost namespaces without a name.
pub fn unnamed_namespaces(language: Language, text: &str) -> Vec<ByteRange> {
    let mut found = Vec::new();
    let text = clip(text);
    if language.name() != "cpp" || !has_unnamed(text) || !parse::is_parseable(text) {
        return found;
    }
    let Some(tree) = parse::parse(language, text) else { return found };
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let is_namespace = child.kind() == "namespace_definition";
            if is_namespace && child.child_by_field_name("name").is_none() {
                found.push(range(child));
            } else if is_namespace || is_around_namespaces(child) {
                open.push(child);
            }
        }
    }
    found.sort_unstable();
    found
}

/// Returns whether a namespace can be in a node.
fn is_around_namespaces(node: Node<'_>) -> bool {
    let kind = node.kind();
    matches!(kind, "declaration_list" | "linkage_specification" | "ERROR") || kind.starts_with("preproc_")
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
