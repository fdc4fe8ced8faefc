//! Ruby.
//!
//! Importing, mixing in and declaring attributes are calls, which are recognised by their words.
//! The parser does not see a `<<` that begins no heredoc. Texts whose heredocs or interpolations
//! would overflow the scanner's state are not parsed.

use super::{ruby_classes, ruby_symbols};
use crate::index::chunk::node::range;
use crate::index::chunk::parts::of_pattern;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, Name, Path, PatternNames,
    Region, Scope, Table, TypeRule, Values, WrapperRule,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use std::collections::HashMap;
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
        DeclarationRule::new("simple_symbol", K::Field).name(Name::Refined).body(&[]).refine(symbol),
        DeclarationRule::new("string", K::Method).name(Name::Refined).body(&[]).refine(other_name),
        DeclarationRule::new("alias", K::Function).body(&[]).refine(alias),
    ],
    // `private def add` and `memoize def add`.
    wrappers: &[
        WrapperRule::new("call").holding(|call| call.child_by_field_name("arguments").is_some_and(is_method)),
        WrapperRule::new("argument_list").holding(is_method),
    ],
    detached: &["#!", "# frozen_string_literal"],
    imports: &[Import {
        words: &["require", "require_relative", "load", "autoload"],
        beside: &["require_relative"],
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
    fits: Some(fits),
    mask: Some(without_shifts),
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
        TypeRule::assigned("destructured_left_assignment", "", &[]).each("@identifier"),
        TypeRule::hides("in_clause", "pattern").names(PatternNames::Lower),
        TypeRule::hides("match_pattern", "pattern").names(PatternNames::Lower),
        TypeRule::hides("test_pattern", "pattern").names(PatternNames::Lower),
    ],
    values: Values { makers: &["new"], has_implicit_self: true, ..Values::NONE },
    literals: &[("array", "Array"), ("hash", "Hash"), ("regex", "Regexp"), ("string", "String")],
    members: &["scope_resolution"],
    leaves: &["identifier"],
    has_own_calls: true,
    has_bare_calls: true,
    setter: "assignment",
    mentions: &[ruby_symbols::CALL, ruby_classes::SUPER],
    ..Table::new(|| tree_sitter_ruby::LANGUAGE.into())
};

/// Patterns that an assignment takes a value apart with.
const PATTERNS: &[(&str, &str)] =
    &[("left_assignment_list", ""), ("destructured_left_assignment", ""), ("rest_assignment", "#0")];

/// Makes functions in a module methods: of the classes that include it, or of the module itself.
fn method<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if found.within == Some(K::Module) {
        found.kind = K::Method;
    }
    // A setter is two nodes: `name` and `=`.
    let setter = found.name.filter(|name| name.kind() == "setter");
    found.name_bytes = setter.map(range);
    true
}

/// Returns whether a method is all that a call gets.
fn is_method(arguments: Node<'_>) -> bool {
    let first = arguments.named_child(0).map(|first| first.kind());
    matches!(first, Some("method" | "singleton_method")) && arguments.named_child_count() == 1
}

/// Accepts `alias new old`, but not that of a global variable.
fn alias<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    method(text, node, found) && found.name.is_some_and(|name| name.kind() != "global_variable")
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

/// Accepts `describe X do`, `it "…" do` and `define_method(:x) do`, a table of Rails, and what Rake
/// declares.
fn call(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let Some(method) = node.child_by_field_name("method").and_then(|method| text.get(method.byte_range()))
    else {
        return false;
    };
    let receiver = node.child_by_field_name("receiver").and_then(|one| text.get(one.byte_range()));
    match (receiver, method) {
        (None, "define_method") => found.kind = K::Method,
        (None, "create_table") if found.within.is_none_or(|within| within != K::Table) => {
            found.kind = K::Table;
        }
        (None, "enum") if found.within.is_some_and(|within| within != K::Method) => {
            // `enum size: { small: 0 }`; a symbol declares itself.
            (found.kind, found.name) = (K::Field, found.name.and_then(key));
            return found.name.is_some();
        }
        (None, "task" | "multitask" | "file" | "namespace") => return rake(text, method, found),
        (
            None | Some("RSpec"),
            "describe" | "context" | "it" | "specify" | "feature" | "scenario" | "test" | "shared_examples"
            | "shared_context",
        ) => {}
        _ => return false,
    }
    found.body.is_some()
}

/// Returns the key of `key => value` or of `key: value`.
fn key(pair: Node<'_>) -> Option<Node<'_>> {
    pair.named_child(0).filter(|_| pair.kind() == "pair")
}

/// Accepts a task of Rake, a file that it makes, and a name space of tasks. They are at the top
/// level, or in such a name space. The name of a task may be the key of what it depends on:
/// `task a: :b`.
fn rake(text: &str, method: &str, found: &mut DeclarationCandidate<'_>) -> bool {
    let is_inside = found.within == Some(K::Module) && found.around == ["body_statement", "do_block"];
    let depends = found.name.and_then(key);
    found.name = depends.or(found.name);
    let has_body = found.body.is_some();
    match method {
        "namespace" => {
            found.kind = K::Module;
            // A name space of Sinatra is a path.
            let is_path = found
                .name
                .and_then(|name| text.get(name.byte_range()))
                .is_some_and(|name| name.contains('/'));
            has_body && depends.is_none() && !is_path && (is_inside || found.around[0] == "program")
        }
        "file" => {
            found.kind = K::Function;
            depends.is_some() && (is_inside || found.around[0] == "program")
        }
        _ => {
            found.kind = K::Function;
            (has_body || depends.is_some()) && (is_inside || found.within.is_none())
        }
    }
}

/// Accepts `attr_reader :x` and `alias_method :x, :y`.
fn symbol<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    attribute(text, node, found) || other_name(text, node, found)
}

/// Accepts the first argument of `alias_method`.
fn other_name<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if found.around != ["argument_list", "call"] || found.within.is_none_or(|within| within == K::Method) {
        return false;
    }
    let list = node.parent();
    let is_first = list.and_then(|list| list.named_child(0)) == Some(node);
    let word = list.and_then(|list| list.prev_sibling()).filter(|_| is_first);
    if word.and_then(|word| text.get(word.byte_range())) != Some("alias_method") {
        return false;
    }
    // `other.alias_method` is about another class.
    let is_own = word.is_some_and(|word| word.prev_sibling().is_none());
    (found.kind, found.name) = (K::Method, Some(node));
    is_own
}

/// Accepts `attr_reader :x`, and what declares a member in Rails: `has_many :x`.
fn attribute<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if found.around != ["argument_list", "call"] || found.within.is_none_or(|within| within == K::Method) {
        return false;
    }
    let list = node.parent();
    let word = list.and_then(|list| list.prev_sibling()).and_then(|word| text.get(word.byte_range()));
    let is_first = list.and_then(|list| list.named_child(0)) == Some(node);
    let is_last = || list.and_then(|list| step(list, "#-1")) == Some(node);
    found.name = Some(node);
    match word.unwrap_or_default() {
        "attr" | "attr_accessor" | "attr_reader" | "attr_writer" => true,
        word if ACCESSORS.contains(&word) => true,
        word if RELATIONS.contains(&word) => is_first,
        "store_accessor" => !is_first,
        word => {
            found.kind = K::Method;
            match word {
                // With a prefix, the methods have names that are written nowhere.
                "delegate" => !list.is_some_and(|list| has_key(text, list, "prefix")),
                "scope" => is_first,
                "def_delegators" | "def_instance_delegators" => !is_first,
                // The last one is the name, if it is another one here.
                "def_delegator" | "def_instance_delegator" => !is_first && is_last(),
                _ => false,
            }
        }
    }
}

/// Named arguments at the end of a list that are looked at.
const MAX_OPTIONS: u32 = 4;

/// Returns whether a list of arguments names one at its end: `prefix: true`.
fn has_key(text: &str, list: Node<'_>, name: &str) -> bool {
    let n = u32::try_from(list.named_child_count()).unwrap_or(u32::MAX);
    let last = (n.saturating_sub(MAX_OPTIONS)..n).filter_map(|at| list.named_child(at));
    let mut keys = last.filter_map(key);
    keys.any(|key| text.get(key.byte_range()).is_some_and(|key| key.trim_start_matches(':') == name))
}

/// Words of Rails that declare an attribute by each of their symbols.
const ACCESSORS: [&str; 8] = [
    "cattr_accessor",
    "cattr_reader",
    "cattr_writer",
    "class_attribute",
    "mattr_accessor",
    "mattr_reader",
    "mattr_writer",
    "thread_mattr_accessor",
];

/// Words of Rails that declare an attribute by their first symbol.
const RELATIONS: [&str; 10] = [
    "alias_attribute",
    "attribute",
    "belongs_to",
    "enum",
    "has_and_belongs_to_many",
    "has_many",
    "has_many_attached",
    "has_one",
    "has_one_attached",
    "has_rich_text",
];

/// Bytes that the words of open heredocs may take, plus 4 for each. The scanner has about 1000 for
/// them and the strings around them. It counts the bytes of a word in one byte, and aborts the
/// process for a longer one.
const MAX_HEREDOCS: usize = 250;
/// Depth to which interpolations may be nested: each open string takes 5 of those bytes.
const MAX_INTERPOLATIONS: usize = 100;

/// Returns the text that the parser sees. A `<<` begins a heredoc only if its word is on its line
/// and ends it on a later one. The scanner would take any other one, as in `1<<SHIFT` or in a
/// string, for a heredoc that extends to the end of the text. Such a `<<` becomes a `+`.
fn without_shifts(text: &str) -> Cow<'_, [u8]> {
    let mut seen = Cow::Borrowed(text.as_bytes());
    if !text.contains("<<") {
        return seen;
    }
    // The last line that may end the heredoc of a word: any line, and one that is not indented.
    let last = |trim: fn(&str) -> &str| -> HashMap<&str, usize> { text.lines().map(trim).zip(1..).collect() };
    let (ends, unindented) = (last(str::trim), last(str::trim_end));
    let mut start = 0;
    for (line, n_line) in text.split_inclusive('\n').zip(1..) {
        for (at, _) in line.as_bytes().windows(2).enumerate().filter(|(_, pair)| pair == b"<<") {
            let begun = line.get(at + 2..).unwrap_or_default();
            let word = heredoc_word(begun);
            let ends = if begun.starts_with(['-', '~']) { &ends } else { &unindented };
            let is_heredoc = ends.get(word).is_some_and(|end| *end > n_line);
            // `class <<self` opens the class of an object, and `def <<value` is a method.
            let before = line.get(..at).unwrap_or_default().trim_end();
            let is_name = begun.starts_with(|c: char| c.is_ascii_alphabetic())
                && (before.ends_with("class") || before.ends_with("def"));
            if !(word.is_empty() || is_heredoc || is_name)
                && let Some(shift) = seen.to_mut().get_mut(start + at..start + at + 2)
            {
                shift.copy_from_slice(b"+ ");
            }
        }
        start += line.len();
    }
    seen
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_is_no_heredoc() {
        for (text, seen) in [
            ("# Use `<<` to add.\nx = '<<'\n", "# Use `+ ` to add.\nx = '+ '\n"),
            ("['+', '<<', :x]\nsend(\"<<\", 1)\n", "['+', '+ ', :x]\nsend(\"+ \", 1)\n"),
            ("a = 1<<B\nb <<line\n  line\n", "a = 1+ B\nb + line\n  line\n"),
            ("f(<<~SQL)\n  x\n  SQL\n", "f(<<~SQL)\n  x\n  SQL\n"),
            ("f(<<\"THE END\")\nx\nTHE END\n", "f(<<\"THE END\")\nx\nTHE END\n"),
            ("class <<self\nend\nclass A<<'\n", "class <<self\nend\nclass A+ '\n"),
        ] {
            assert_eq!(String::from_utf8_lossy(&without_shifts(text)), seen, "{text}");
        }
    }
}
