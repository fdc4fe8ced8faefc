//! Highlighting: a snippet of source → the bytes that are comments, strings, keywords and so on.
//!
//! Highlighting queries are not used: they are large, differ in quality, and tie us to each
//! grammar's version. The leaves of a syntax tree are enough. Keywords are anonymous leaves made of
//! letters, and grammars use similar names for comments, strings, numbers and types.
//!
//! Only the snippet is parsed. A snippet out of context may get some wrong colours, but its text is
//! always shown correctly.

use std::ops::{ControlFlow, Range};
use tree_sitter::{Language, Node, ParseOptions, ParseState, Parser};

/// The syntactic class of a piece of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// A comment.
    Comment,
    /// Text in quotes, characters and regular expressions.
    String,
    /// A number.
    Number,
    /// A keyword of the language.
    Keyword,
    /// A name of a type.
    Type,
}

/// The limits on the cost of highlighting.
struct Limits {
    /// Maximum bytes to parse; longer texts stay plain.
    bytes: usize,
    /// Maximum number of parser callbacks (one per hundred operations or so) before the parser is
    /// stopped.
    calls: usize,
    /// Maximum number of nodes to visit.
    nodes: usize,
}

const SNIPPET: Limits = Limits { bytes: 32 << 10, calls: 20_000, nodes: 50_000 };

/// The limits for a file: sixteen times those of a snippet, which takes about 0.1 s.
const FILE: Limits = Limits { bytes: 512 << 10, calls: 320_000, nodes: 800_000 };

/// Returns the ranges to highlight with their classes, in order and without overlaps.
///
/// The list is empty if there is no grammar, if the snippet exceeds 32 KiB, or if the parser
/// exceeds its limits.
pub fn highlight(language: Option<&Language>, snippet: &str) -> Vec<(Range<usize>, Class)> {
    within(language, snippet, &SNIPPET)
}

/// Highlights like [`highlight`], but a whole file of up to 512 KiB.
pub fn highlight_file(language: Option<&Language>, text: &str) -> Vec<(Range<usize>, Class)> {
    within(language, text, &FILE)
}

fn within(language: Option<&Language>, snippet: &str, limits: &Limits) -> Vec<(Range<usize>, Class)> {
    let Some(language) = language.filter(|_| snippet.len() <= limits.bytes) else { return Vec::new() };
    let mut parser = Parser::new();
    if parser.set_language(language).is_err() {
        return Vec::new();
    }
    let mut calls = limits.calls;
    let mut progress = |_: &ParseState| match calls.checked_sub(1) {
        Some(rest) => {
            calls = rest;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let bytes = snippet.as_bytes();
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let Some(tree) = parser.parse_with_options(&mut read, None, Some(options)) else { return Vec::new() };

    let mut found: Vec<(Range<usize>, Class)> = Vec::new();
    let mut cursor = tree.walk();
    // Class that each enclosing node gives to its uncoloured children; only strings give one.
    let mut around: Vec<Option<Class>> = Vec::new();
    for _ in 0..limits.nodes {
        let node = cursor.node();
        let outer = around.last().copied().flatten();
        let own = if is_code_in_string(node.kind()) { None } else { class(&node).or(outer) };
        // Do not descend into comments: the words of documentation tools in them get no colour.
        let is_leaf = node.child_count() == 0 || own == Some(Class::Comment);
        if is_leaf {
            if let Some(class) = own.filter(|_| !node.byte_range().is_empty()) {
                push(&mut found, node.byte_range(), class);
            }
        } else if own == Some(Class::String) && !has_code(&node) {
            push(&mut found, node.byte_range(), Class::String);
        } else if cursor.goto_first_child() {
            around.push(own.filter(|class| *class == Class::String));
            continue;
        }
        loop {
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return found;
            }
            around.pop();
        }
    }
    found
}

fn push(found: &mut Vec<(Range<usize>, Class)>, range: Range<usize>, class: Class) {
    match found.last_mut() {
        Some((last, of)) if *of == class && last.end == range.start => last.end = range.end,
        Some((last, _)) if last.end > range.start => (),
        _ => found.push((range, class)),
    }
}

/// Returns whether this string contains code.
fn has_code(node: &Node<'_>) -> bool {
    (0..node.child_count())
        .filter_map(|at| node.child(at))
        .any(|child| is_code_in_string(child.kind()) || child.child_count() > 0)
}

fn is_code_in_string(kind: &str) -> bool {
    kind.contains("interpolation") || kind.contains("substitution") || kind == "template_literal_type"
}

fn class(node: &Node<'_>) -> Option<Class> {
    let kind = node.kind();
    if !node.is_named() {
        let is_word = kind.len() > 1 && kind.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
        return is_word.then_some(Class::Keyword);
    }
    let has = |parts: &[&str]| parts.iter().any(|part| kind.contains(part));
    match kind {
        "type_identifier"
        | "primitive_type"
        | "predefined_type"
        | "builtin_type"
        | "integral_type"
        | "void_type"
        | "floating_point_type"
        | "boolean_type" => Some(Class::Type),
        "self" | "this" | "super" | "true" | "false" | "null" | "nil" | "none" | "None" | "boolean"
        | "boolean_literal" | "null_literal" | "nil_literal" | "mutable_specifier" => Some(Class::Keyword),
        // Lists of strings and string types are not strings.
        _ if has(&["string_array", "string_type", "concatenated", "string_list"]) => None,
        _ if has(&["comment"]) => Some(Class::Comment),
        _ if has(&[
            "string",
            "char_literal",
            "character_literal",
            "heredoc_body",
            "regex",
            "rune_literal",
        ]) =>
        {
            Some(Class::String)
        }
        _ if has(&["number", "integer", "float", "int_literal", "decimal"]) && node.child_count() <= 1 => {
            Some(Class::Number)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes(language: Language, snippet: &str) -> Vec<(&str, Class)> {
        highlight(Some(&language), snippet).into_iter().map(|(at, class)| (&snippet[at], class)).collect()
    }

    #[test]
    fn finds_words_comments_and_strings() {
        use Class::{Comment, Keyword, Number, String, Type};
        assert_eq!(
            classes(
                tree_sitter_rust::LANGUAGE.into(),
                "/// Doc.\nfn f(x: Foo) -> u8 { return g(\"a\\n\", 1); }"
            ),
            [
                ("/// Doc.\n", Comment),
                ("fn", Keyword),
                ("Foo", Type),
                ("u8", Type),
                ("return", Keyword),
                ("\"a\\n\"", String),
                ("1", Number)
            ]
        );
        assert_eq!(
            classes(
                tree_sitter_python::LANGUAGE.into(),
                "def f(self):  # c\n    return f'a{x if y else 2}b'\n"
            ),
            [
                ("def", Keyword),
                ("# c", Comment),
                ("return", Keyword),
                ("f'a", String),
                ("if", Keyword),
                ("else", Keyword),
                ("2", Number),
                ("b'", String)
            ]
        );
    }

    #[test]
    fn plain_without_grammar_and_when_long() {
        assert!(highlight(None, "fn f() {}").is_empty());
        let long = "fn f() {}\n".repeat(4000);
        assert!(highlight(Some(&tree_sitter_rust::LANGUAGE.into()), &long).is_empty());
    }
}
