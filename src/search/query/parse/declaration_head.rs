//! Heads of declarations as queries: `struct session`, `def parse_header`, `type Lessor interface`.
//!
//! A keyword and one name ask for the declaration of that name, of that kind. As plain words, the
//! keyword would lead to the chunks that repeat it most. "Where is Session defined" asks for the
//! declaration of that name, of any kind.

use crate::index::chunk::DeclarationKind as K;

/// The head of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DeclarationHead<'t> {
    /// The name.
    pub(super) name: &'t str,
    /// The kinds that its keyword may mean.
    pub(super) kinds: &'static [K],
}

/// What a name may be that is defined somewhere.
const ANY: &[K] = &[
    K::Class,
    K::Struct,
    K::Interface,
    K::Type,
    K::Enum,
    K::Union,
    K::Function,
    K::Method,
    K::Macro,
    K::Module,
    K::Constant,
    K::Variable,
    K::Field,
];
const CLASSES: &[K] = &[K::Class, K::Struct, K::Interface, K::Type];
const ENUMS: &[K] = &[K::Enum, K::Type];
const FUNCTIONS: &[K] = &[K::Function, K::Method, K::Constructor, K::Test];
const INTERFACES: &[K] = &[K::Interface, K::Class, K::Type];
const MACROS: &[K] = &[K::Macro, K::Constant];
const MODULES: &[K] = &[K::Module];
const STRUCTS: &[K] = &[K::Struct, K::Class, K::Type, K::Union];
const TYPES: &[K] = &[K::Type, K::Struct, K::Interface, K::Enum, K::Class, K::Union];
const VALUES: &[K] = &[K::Constant, K::Variable, K::Field];

/// Keywords, whether they are words of plain English as well, and their kinds.
const KEYWORDS: [(&str, bool, &[K]); 30] = [
    ("#define", false, MACROS),
    ("class", true, CLASSES),
    ("const", false, VALUES),
    ("def", false, FUNCTIONS),
    ("defmodule", false, MODULES),
    ("defn", false, FUNCTIONS),
    ("enum", false, ENUMS),
    ("fn", false, FUNCTIONS),
    ("fun", true, FUNCTIONS),
    ("func", false, FUNCTIONS),
    ("function", true, FUNCTIONS),
    ("impl", false, &[K::Implementation, K::Struct, K::Enum, K::Class]),
    ("interface", true, INTERFACES),
    ("let", true, VALUES),
    ("macro", true, MACROS),
    ("method", true, FUNCTIONS),
    ("mod", false, MODULES),
    ("module", true, MODULES),
    ("namespace", true, MODULES),
    ("object", true, CLASSES),
    ("proc", false, FUNCTIONS),
    ("protocol", true, INTERFACES),
    ("record", true, STRUCTS),
    ("struct", false, STRUCTS),
    ("sub", true, FUNCTIONS),
    ("trait", true, INTERFACES),
    ("type", true, TYPES),
    ("typedef", false, TYPES),
    ("union", true, &[K::Union, K::Type]),
    ("var", false, VALUES),
];

/// Words that may stand before the keyword.
const MODIFIERS: [&str; 14] = [
    "abstract",
    "async",
    "data",
    "export",
    "extern",
    "final",
    "inline",
    "internal",
    "private",
    "protected",
    "pub",
    "public",
    "sealed",
    "static",
];

/// Reads a text that is a keyword and a name, perhaps with the beginning of what follows in code,
/// or a question where a name is defined.
pub(super) fn read(text: &str) -> Option<DeclarationHead<'_>> {
    if let Some(name) = defined(text) {
        return Some(DeclarationHead { name, kinds: ANY });
    }
    let mut words = text.split_whitespace().peekable();
    while words.peek().is_some_and(|word| MODIFIERS.contains(word)) {
        words.next();
    }
    let keyword = words.next()?;
    let (_, is_english, kinds) = KEYWORDS.iter().find(|known| known.0 == keyword)?;
    let written = words.next()?;
    let end = written.find(['(', '{', '<', ':', ';', '=']).unwrap_or(written.len());
    // `Foo::bar` is a name, `Foo:` is not.
    let end = if written.get(end..).is_some_and(|rest| rest.starts_with("::")) { written.len() } else { end };
    let (name, behind) = written.split_at_checked(end)?;
    let is_code = is_code(name) || !behind.is_empty();
    let mut kinds: &'static [K] = kinds;
    let next = words.next();
    // `type Lessor interface {`.
    let of_go = KEYWORDS
        .iter()
        .find(|known| keyword == "type" && next.is_some_and(|next| next.trim_end_matches('{') == known.0));
    if let Some((_, _, of_go)) = of_go {
        kinds = of_go;
    }
    let is_end = |word: &str| word.starts_with(['{', '(', '<', ':', '=', ';']);
    let is_whole = behind.is_empty() && (next.is_none_or(is_end) || of_go.is_some()) || !behind.is_empty();
    (is_name(name) && is_whole && (!is_english || is_code || of_go.is_some()))
        .then_some(DeclarationHead { name, kinds })
}

/// Reads "where is NAME defined" and "definition of NAME". A plain word is not a name here: "where
/// is retry implemented" asks for code that retries.
fn defined(text: &str) -> Option<&str> {
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_end_matches('?')).collect();
    let is = |word: &str, list: &[&str]| list.iter().any(|known| word.eq_ignore_ascii_case(known));
    let mut words = words.as_slice();
    match words {
        [first, second, inner @ .., last] if is(first, &["where"]) && is(second, &["is", "are"]) => {
            words = inner;
            if !is(last, &["declared", "defined", "implemented", "located"]) {
                return None;
            }
        }
        [inner @ .., noun, of, _] if is(noun, &["declaration", "definition"]) && is(of, &["of"]) => {
            if !inner.iter().all(|word| is(word, &["find", "show", "the", "me", "where", "is"])) {
                return None;
            }
            words = words.get(inner.len() + 2..)?;
        }
        _ => return None,
    }
    while let [first, rest @ ..] = words
        && !rest.is_empty()
        && (is(first, &["the", "a"]) || KEYWORDS.iter().any(|known| known.0 == *first))
    {
        words = rest;
    }
    let [name] = words else { return None };
    let name = name.trim_matches('`').trim_end_matches("()");
    (is_name(name) && is_code(name)).then_some(name)
}

/// Returns whether a word can be a name.
fn is_name(word: &str) -> bool {
    word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '?' | '!'))
        && word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns whether a name is not a plain word.
fn is_code(name: &str) -> bool {
    name.contains(['_', '.', ':']) || name.contains(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_a_definition_names_a_declaration() {
        for (text, name) in [
            ("where is Client defined", "Client"),
            ("Where is the class `Gson` declared?", "Gson"),
            ("where is parse_header() implemented?", "parse_header"),
            ("find the definition of lease.Lessor", "lease.Lessor"),
            ("definition of URL", "URL"),
        ] {
            assert_eq!(read(text), Some(DeclarationHead { name, kinds: ANY }), "{text}");
        }
        for text in [
            "where is retry implemented",
            "where is the retry of Uploads defined",
            "where is Client used",
            "where is Client",
            "definition of done",
            "what is the definition of URL",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_keyword_and_a_name_are_a_head() {
        for (text, name, kinds) in [
            ("struct session", "session", STRUCTS),
            ("enum X", "X", ENUMS),
            ("type raft struct", "raft", STRUCTS),
            ("type Lessor interface {", "Lessor", INTERFACES),
            ("def parse_header(self, text):", "parse_header", FUNCTIONS),
            ("pub fn main() -> Result<()> {", "main", FUNCTIONS),
            ("class Session", "Session", CLASSES),
            ("class SessionStore(Base):", "SessionStore", CLASSES),
            ("public static class Foo<T>", "Foo", CLASSES),
            ("#define MAX_PATH 260", "", MACROS),
            ("export function open()", "open", FUNCTIONS),
            ("trait Iterator", "Iterator", INTERFACES),
        ] {
            let expected = Some(DeclarationHead { name, kinds }).filter(|one| !one.name.is_empty());
            assert_eq!(read(text), expected, "{text}");
        }
        for text in [
            "class loader",
            "function timeout",
            "struct alignment rules",
            "type checking",
            "enum",
            "how is struct session freed",
            "module resolution",
            "def",
            "union of sets",
            "struct 12",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
