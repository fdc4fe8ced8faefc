//! Ruby.
//!
//! Importing, mixing in and declaring attributes are calls, which are recognised by their words.
//! Texts whose heredocs or interpolations would overflow the scanner's state are not parsed.

use crate::index::chunk::parts::of_pattern;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, Name, Path, Region,
    Scope, Table, TypeRule, Values,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use tree_sitter::Node;

/// Ruby's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class", K::Class),
        DeclarationRule::new("module", K::Module),
        DeclarationRule::new("method", K::Function).refine(method),
        DeclarationRule::new("singleton_method", K::Function).refine(method),
        DeclarationRule::new("assignment", K::Constant)
            .parts(|node| of_pattern(step(node, "left"), PATTERNS))
            .body(&["right"])
            .scope(Scope::Outside)
            .refine(constant),
        DeclarationRule::new("call", K::Test)
            .name(Name::At(&["arguments", "#0"]))
            .body(&["block"])
            .refine(call),
        DeclarationRule::new("simple_symbol", K::Field).name(Name::Refined).body(&[]).refine(attribute),
    ],
    detached: &["#!", "# frozen_string_literal"],
    imports: &[Import {
        words: &["require", "require_relative", "load", "autoload"],
        names: &[ImportedNameRule::leaf("string")],
        ..Import::new("call", "")
    }],
    calls: &[Call::new("call", "")],
    words: &[
        "attr",
        "attr_accessor",
        "attr_reader",
        "attr_writer",
        "extend",
        "include",
        "lambda",
        "module_function",
        "prepend",
        "private",
        "private_class_method",
        "private_constant",
        "proc",
        "protected",
        "public",
        "super",
    ],
    makers: &["new"],
    paths: &[Path::new("call", "receiver", "method"), Path::new("scope_resolution", "scope", "name")],
    types: &["constant", "scope_resolution"],
    regions: &[
        Region::new("superclass", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("call", Meaning::Refers(ReferenceKind::Inherits))
            .words(&["include", "extend", "prepend"]),
    ],
    strings: &["string", "simple_symbol"],
    texts: &["heredoc_body"],
    constructors: &["initialize"],
    opaque: &["string_array", "symbol_array"],
    fits,
    typed: &[
        TypeRule::assigned("assignment", "left", &["right"]),
        TypeRule::hides("block_parameters", "").each("@identifier"),
        TypeRule::assigned("operator_assignment", "left", &[]),
        TypeRule::assigned("rest_assignment", "#0", &[]),
        TypeRule::hides("method_parameters", "").each("@identifier"),
        TypeRule::hides("lambda_parameters", "").each("@identifier"),
        TypeRule::hides("destructured_parameter", "").each("@identifier"),
        TypeRule::hides("optional_parameter", "name"),
        TypeRule::hides("keyword_parameter", "name"),
        TypeRule::hides("splat_parameter", "name"),
        TypeRule::hides("hash_splat_parameter", "name"),
        TypeRule::hides("block_parameter", "name"),
        TypeRule::hides("exception_variable", "#0"),
        TypeRule::hides("for", "pattern"),
    ],
    values: Values { makers: &["new"], has_implicit_self: true, ..Values::NONE },
    literals: &[("array", "Array"), ("hash", "Hash"), ("regex", "Regexp"), ("string", "String")],
    members: &["scope_resolution"],
    leaves: &["identifier"],
    has_own_calls: true,
    has_bare_calls: true,
    ..Table::new(|| tree_sitter_ruby::LANGUAGE.into())
};

/// Patterns that an assignment takes a value apart with.
const PATTERNS: &[(&str, &str)] =
    &[("left_assignment_list", ""), ("destructured_left_assignment", ""), ("rest_assignment", "#0")];

/// Makes functions in a module methods: of the classes that include it, or of the module itself.
fn method(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    if found.within == Some(K::Module) {
        found.kind = K::Method;
    }
    true
}

/// Accepts constants and global variables; `Class.new` and `Struct.new` make types.
fn constant<'tree>(text: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    match found.name.map(|name| name.kind()) {
        Some("constant" | "scope_resolution") => {}
        Some("global_variable") => found.kind = K::Variable,
        _ => return false,
    }
    let made = found.body.filter(|value| value.kind() == "call");
    let receiver = made.and_then(|value| value.child_by_field_name("receiver"));
    let method = made.and_then(|value| value.child_by_field_name("method"));
    let [receiver, method] =
        [receiver, method].map(|one| one.and_then(|one| text.get(one.byte_range())).unwrap_or_default());
    found.kind = match (receiver, method) {
        ("Class", "new") => K::Class,
        ("Module", "new") => K::Module,
        ("Struct", "new") | ("Data", "define") => K::Struct,
        _ => return true,
    };
    found.body = made.and_then(|value| value.child_by_field_name("block"));
    true
}

/// Accepts `describe X do`, `it "…" do` and `define_method(:x) do`.
fn call(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let Some(method) = node.child_by_field_name("method").and_then(|method| text.get(method.byte_range()))
    else {
        return false;
    };
    let receiver = node.child_by_field_name("receiver").and_then(|one| text.get(one.byte_range()));
    match (receiver, method) {
        (None, "define_method") => found.kind = K::Method,
        (
            None | Some("RSpec"),
            "describe" | "context" | "it" | "specify" | "feature" | "scenario" | "test" | "shared_examples"
            | "shared_context",
        ) => {}
        _ => return false,
    }
    found.body.is_some()
}

/// Accepts `attr_reader :x`.
fn attribute<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if found.around != ["argument_list", "call"] || found.within.is_none_or(|within| within == K::Method) {
        return false;
    }
    let list = node.parent();
    let word = list.and_then(|list| list.prev_sibling()).and_then(|word| text.get(word.byte_range()));
    found.name = Some(node);
    matches!(word, Some("attr_reader" | "attr_writer" | "attr_accessor" | "attr"))
}

/// Bytes that the words of open heredocs may take, plus 4 for each. The scanner has about 1000 for
/// them and the strings around them. It counts the bytes of a word in one byte, and aborts the
/// process for a longer one.
const MAX_HEREDOCS: usize = 250;
/// Depth to which interpolations may be nested: each open string takes 5 of those bytes.
const MAX_INTERPOLATIONS: usize = 100;

/// Returns whether the scanner has room for all heredocs and interpolations. Each heredoc that
/// seems to begin counts until a line that is its word. A quoted word may span lines.
fn fits(text: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let (mut taken, mut depth) = (0, 0_usize);
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        if !open.is_empty()
            && let Some(at) = open.iter().position(|word| *word == line.trim())
        {
            taken -= open.swap_remove(at).len() + 4;
        }
        for (at, pair) in line.as_bytes().windows(2).enumerate() {
            match pair {
                b"<<" => {
                    let word = heredoc_word(text.get(from + at + 2..).unwrap_or_default());
                    if !word.is_empty() {
                        open.push(word);
                        taken += word.len() + 4;
                    }
                }
                b"#{" => depth += 1,
                [b'}', _] => depth = depth.saturating_sub(1),
                _ => {}
            }
            if taken > MAX_HEREDOCS || depth > MAX_INTERPOLATIONS {
                return false;
            }
        }
        from += line.len();
    }
    true
}

/// Returns the word that ends a heredoc, given the text after its `<<`. A word that is too long is
/// cut just above the limit.
fn heredoc_word(begun: &str) -> &str {
    let begun = begun.strip_prefix(['-', '~']).unwrap_or(begun);
    let quote = begun.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let (word, ends): (&str, &dyn Fn(char) -> bool) = match &quote {
        Some(quote) => (begun.get(1..).unwrap_or_default(), &move |c| c == *quote),
        // The C library decides which characters beyond ASCII are letters, so all of them count.
        None => (begun, &|c: char| c.is_ascii() && !(c.is_ascii_alphanumeric() || c == '_')),
    };
    let end = word.char_indices().find(|(at, c)| ends(*c) || *at > MAX_HEREDOCS);
    end.and_then(|(at, _)| word.get(..at)).unwrap_or(word)
}
