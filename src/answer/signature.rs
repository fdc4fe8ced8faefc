//! The text of a signature → what is compared of it, without anything that is only layout.
//!
//! A formatter moves line breaks, trailing commas and quotes. None of them makes another signature,
//! so the words of a signature are compared. Pure functions on the text: no grammar is asked.

use std::borrow::Cow;

use super::parameters::without_parameter_names;
use crate::index::chunk::{DeclarationKind, Language, has_headers};

/// Languages in which both kinds of quotes mean the same.
const QUOTED_EITHER_WAY: [&str; 5] = ["javascript", "jsx", "python", "tsx", "typescript"];
/// Languages that have arrow functions and types written as in TypeScript.
const SCRIPTS: [&str; 4] = ["javascript", "jsx", "tsx", "typescript"];

/// Languages in which the order of modifiers means nothing.
const HAS_MODIFIERS: [&str; 7] = ["c-sharp", "dart", "java", "kotlin", "php", "scala", "swift"];
const MODIFIERS: [&str; 24] = [
    "abstract",
    "async",
    "data",
    "default",
    "external",
    "final",
    "implicit",
    "inline",
    "internal",
    "lateinit",
    "lazy",
    "native",
    "open",
    "override",
    "partial",
    "private",
    "protected",
    "public",
    "readonly",
    "sealed",
    "static",
    "suspend",
    "synchronized",
    "virtual",
];

fn is_modifier(word: &str) -> bool {
    MODIFIERS.contains(&word)
}

/// What is compared of a signature: words with blanks between them, without layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ComparableSignature {
    /// What callers see. Its own name is left out, so that a rename does not change it.
    pub(super) declared: String,
    /// The value of a constant, a variable or a field, or the initialisers of a constructor of C++.
    /// It is a part of the body, wherever it stands.
    pub(super) value: String,
}

/// Returns what is compared of the signature of a declaration of a kind.
pub(super) fn comparable(
    language: &str,
    kind: DeclarationKind,
    signature: &str,
    name: &str,
) -> ComparableSignature {
    let mut words = words(language, signature);
    let is_function =
        matches!(kind, DeclarationKind::Constructor | DeclarationKind::Function | DeclarationKind::Method);
    if is_function && matches!(language, "c" | "cpp") {
        words = without_parameter_names(language, words, name);
    }
    let value = words.split_off(value_start(language, kind, &words));
    if let Some(own) = words.iter().position(|word| word == name) {
        words.remove(own);
    }
    ComparableSignature { declared: words.join(" "), value: value.join(" ") }
}

/// Returns the place of the first word that belongs to the value of a declaration.
fn value_start(language: &str, kind: DeclarationKind, words: &[String]) -> usize {
    use DeclarationKind as K;
    let is_cpp_function = language == "cpp" && matches!(kind, K::Constructor | K::Function | K::Method);
    let is_value = matches!(kind, K::Constant | K::Field | K::Variable);
    match language {
        // The arms of a macro.
        "rust" if kind == K::Macro => {
            let first = words.iter().position(|word| matches!(word.as_str(), "(" | "[" | "{"));
            return first.unwrap_or(words.len());
        }
        "c" | "cpp" | "objective-c" if kind == K::Macro => return definition_start(words),
        _ if kind == K::Key => {
            let mark = words.iter().position(|word| matches!(word.as_str(), ":" | "="));
            return mark.unwrap_or(words.len());
        }
        _ => {}
    }
    let mut depth = 0usize;
    for (at, word) in words.iter().enumerate() {
        let around = |from: usize| words.get(from).map(String::as_str);
        let (last, next) = (at.checked_sub(1).and_then(around), around(at + 1));
        match word.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            // Not an arrow or a comparison.
            "=" if is_value && depth == 0 && next != Some(">") && next != Some("=") => return at,
            ":" if is_cpp_function && depth == 0 && last == Some(")") && next != Some(":") => return at,
            // The compiler writes the body.
            "=" if is_cpp_function && depth == 0 && next == Some("default") => return at,
            _ => {}
        }
    }
    words.len()
}

/// Returns the place of the first word behind `#define NAME(a, b)`.
fn definition_start(words: &[String]) -> usize {
    let name = words.iter().position(|word| word == "define").map_or(words.len(), |at| at + 2);
    let is_list = words.get(name).is_some_and(|word| word == "(");
    let end = words.iter().skip(name).position(|word| word == ")").filter(|_| is_list);
    end.map_or(name, |end| name + end + 1).min(words.len())
}

/// Returns the words of a signature without layout: names, strings, and each other character that
/// is not blank.
pub(super) fn words(language: &str, signature: &str) -> Vec<String> {
    let signature = without_comments(language, signature);
    let mut words: Vec<String> = split(&signature, QUOTED_EITHER_WAY.contains(&language));
    match language {
        "go" if words.first().is_some_and(|first| is_block_word(language, first)) => {
            words.remove(0);
        }
        "python" => words = without_annotation_quotes(words),
        _ if SCRIPTS.contains(&language) => words = script(words),
        _ => {}
    }
    let mut words = without_trailing_commas(words);
    if HAS_MODIFIERS.contains(&language) {
        words.chunk_by_mut(|a, b| is_modifier(a) && is_modifier(b)).for_each(<[String]>::sort_unstable);
    }
    while words.last().is_some_and(|last| matches!(last.as_str(), ";" | ",")) {
        words.pop();
    }
    words
}

/// Returns the text of a signature on one line: its words with single blanks, without comments and
/// without the marks of C that a line goes on.
pub(super) fn on_one_line(language: &str, text: &str) -> String {
    let text = without_comments(language, text);
    match has_headers(language) && text.contains('\\') {
        true => {
            single_blanks(text.replace("\\\r\n", " ").replace("\\\n", " ").trim_end().trim_end_matches('\\'))
        }
        false => single_blanks(&text),
    }
}

/// Returns the words of a text with single blanks.
pub(super) fn single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a text with a blank for each comment in it. A mark in a string begins no comment.
pub(super) fn without_comments<'t>(language: &str, text: &'t str) -> Cow<'t, str> {
    let Some(marks) = Language::from_name(language).map(Language::comments) else { return text.into() };
    let (open, close) = marks.block;
    let begins = |rest: &str, mark: &str| !mark.is_empty() && rest.starts_with(mark);
    let has_any = [marks.line, open].iter().any(|mark| !mark.is_empty() && text.contains(mark));
    if !has_any {
        return text.into();
    }
    // In other languages, one such quote begins a lifetime or a character.
    let is_script = marks.line == "#" || QUOTED_EITHER_WAY.contains(&language);
    let quotes = if is_script { "\"'`" } else { "\"`" };
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        // Not `$#` of a shell.
        let is_alone = marks.line != "#" || found.is_empty() || found.ends_with(char::is_whitespace);
        let end = if is_alone && begins(rest, marks.line) {
            found.push(' ');
            rest.find('\n').unwrap_or(rest.len())
        } else if begins(rest, open) {
            found.push(' ');
            rest.find(close).map_or(rest.len(), |at| at + close.len())
        } else {
            let end = if quotes.contains(first) { string_end(rest) } else { first.len_utf8() };
            found.push_str(rest.get(..end).unwrap_or_default());
            end
        };
        rest = rest.get(end..).unwrap_or_default();
    }
    found.into()
}

/// Returns whether a text around a declaration only begins or ends it, or a block of several: one
/// in a block has the same text around it as the others.
pub(super) fn is_block_word(language: &str, text: &str) -> bool {
    let word = text.trim_end_matches('(').trim_end();
    language == "go" && matches!(word, "" | ")" | "const" | "var" | "type")
}

/// Splits a text into words. With `either`, a string has the quotes that most people write.
fn split(text: &str, either: bool) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = match first {
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            '"' | '`' => string_end(rest),
            '\'' if either => string_end(rest),
            _ => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        let inside = word.strip_prefix('\'').and_then(|word| word.strip_suffix('\''));
        match inside.filter(|inside| either && !inside.contains(['"', '\\'])) {
            Some(inside) => found.push(format!("\"{inside}\"")),
            None => found.push(word.to_owned()),
        }
        rest = after.trim_start();
    }
    found
}

/// Where the string ends that a text begins with; behind the quote if it has no end.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    let quote = text.chars().next();
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if Some(c) == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    quote.map_or(0, char::len_utf8)
}

/// Leaves out the commas before a closing bracket. That of a tuple with one part stays.
fn without_trailing_commas(words: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::with_capacity(words.len());
    // For each open bracket, whether it begins a list, and whether it has several parts.
    let mut open: Vec<(bool, bool)> = Vec::new();
    for word in words {
        let is_end = matches!(word.as_str(), ")" | "]" | "}");
        // A comma is between two parts if something follows it.
        if let Some(innermost) = open.last_mut()
            && !is_end
        {
            innermost.1 |= found.last().is_some_and(|last| last == ",");
        }
        match word.as_str() {
            "(" | "[" | "{" => open.push((word != "(" || begins_list(&found), false)),
            ")" | "]" | "}" => {
                let (is_list, has_parts) = open.pop().unwrap_or_default();
                if (is_list || has_parts) && found.last().is_some_and(|last| last == ",") {
                    found.pop();
                }
            }
            ">" if found.last().is_some_and(|last| last == ",") => {
                found.pop();
            }
            _ => {}
        }
        found.push(word);
    }
    found
}

/// Whether a parenthesis behind these words begins a list of parameters or arguments.
fn begins_list(before: &[String]) -> bool {
    match before {
        [.., first, last] if last == ">" => !matches!(first.as_str(), "-" | "="),
        [.., last] => last.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ']' | '>' | ')')),
        [] => true,
    }
}

/// Leaves out the quotes around annotations of Python: `a: "Name"` is `a: Name`.
fn without_annotation_quotes(words: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::with_capacity(words.len());
    let mut depth = 0usize;
    // How deep the default value is in which the word is.
    let mut value: Option<usize> = None;
    // How deep the text is that is a value in an annotation, as in `Literal["a"]`.
    let mut literal: Option<usize> = None;
    let mut is_annotation = false;
    for word in words {
        match word.as_str() {
            "(" | "[" | "{" => {
                depth += 1;
                let is_literal = found.last().is_some_and(|last| last == "Literal" || last == "Annotated");
                literal = literal.or(is_literal.then_some(depth));
            }
            ")" | "]" | "}" => {
                literal = literal.filter(|at| *at < depth);
                depth = depth.saturating_sub(1);
                value = value.filter(|at| *at <= depth);
                is_annotation &= word != ")";
            }
            "=" => value = value.or(Some(depth)),
            "," if value == Some(depth) => (value, is_annotation) = (None, false),
            ":" => is_annotation = true,
            ">" if found.last().is_some_and(|last| last == "-") => is_annotation = true,
            _ => {}
        }
        let inside = word.strip_prefix('"').and_then(|word| word.strip_suffix('"'));
        match inside.filter(|_| is_annotation && value.is_none() && literal.is_none()) {
            Some(inside) => found.extend(split(inside, true)),
            None => found.push(word),
        }
    }
    found
}

/// Leaves out what formatters of JavaScript and TypeScript add: the parentheses around the one
/// parameter of an arrow function, the `|` before the first type, the end of the last member.
fn script(words: Vec<String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let next = |n: usize| words.get(at + n).map(String::as_str).unwrap_or_default();
        let last = found.last().map(String::as_str).unwrap_or_default();
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match word.as_str() {
            "|" | "&" if matches!(last, "=" | ":" | "(" | "<" | ",") => {}
            "}" if matches!(last, ";" | ",") => {
                found.pop();
                found.push(word.clone());
            }
            _ if is_name && next(1) == "=" && next(2) == ">" && !matches!(last, "(" | ":") => {
                found.extend(["(".to_owned(), word.clone(), ")".to_owned()]);
            }
            // Members of a type may end with either.
            ";" if !next(1).is_empty() => found.push(",".to_owned()),
            _ => found.push(word.clone()),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_makes_no_other_signature() {
        let of = |language: &str, text: &str| comparable(language, DeclarationKind::Function, text, "f");
        for (language, old, new) in [
            ("go", "func f(a int, b string) error", "func f(\n\ta int,\n\tb string,\n) error"),
            ("go", "const f = 1", "f = 1"),
            ("python", "def f(a, b=(1, 2)):", "def f(\n    a,\n    b=(\n        1,\n        2,\n    ),\n):"),
            ("python", "def f(a: 'A', b: List['B']) -> 'C':", "def f(a: A, b: List[B]) -> C:"),
            ("python", "def f(a='x'):", "def f(a=\"x\"):"),
            ("kotlin", "fun f(a: Int, b: Map<A, B>)", "fun f(\n    a: Int,\n    b: Map<A, B,>,\n)"),
            ("rust", "fn f<T>(a: T) -> T where T: A,", "fn f<T>( a: T, ) -> T where T: A"),
            ("swift", "func f(a: Int, b: Int)", "func f( a: Int, b: Int, )"),
            ("typescript", "const f = a => ", "const f = (a) => "),
            ("typescript", "type f = A | B", "type f =\n  | A\n  | B;"),
            ("typescript", "f(a: { b: 'c'; d: D }): void", "f(a: {\n b: \"c\";\n d: D;\n}): void;"),
            ("swift", "/* private */ internal func f()", "internal func f()"),
            ("java", "public // Not `final f`.\n void f(int a /* b */)", "public void f(int a)"),
            ("java", "static abstract void f()", "abstract static void f()"),
            ("c-sharp", "public static async Task f()", "static public async Task f()"),
            ("python", "def f(a,  # the 'a'\n    b='#'):", "def f(a, b='#'):"),
            ("c", "static char* f(char* a)", "static char *\nf(char *a)"),
            ("c", "int f(const char *name, int n)", "int f(const char *, int)"),
            ("c", "int f(int a[2])", "int f(int b[2])"),
            ("cpp", "int F::f(std::string a, int n = 1)", "int F::f(std::string b, int m = 1)"),
        ] {
            assert_eq!(of(language, old), of(language, new), "{language}");
        }
        for (language, old, new) in [
            ("python", "def f(a=\"A\"):", "def f(a=A):"),
            ("python", "def f(a: Literal[\"b\"]):", "def f(a: Literal[b]):"),
            ("python", "def f(a=(1,)):", "def f(a=(1)):"),
            ("rust", "fn f() -> (T,)", "fn f() -> (T)"),
            ("go", "func f(a int)", "func f(a int64)"),
            ("c", "int f(const char *a)", "int f(char *a)"),
            ("c", "int f(unsigned int)", "int f(unsigned long)"),
            ("cpp", "int f(int n = 1)", "int f(int n = 2)"),
            ("rust", "fn f(a: &'a str)", "fn f(a: &'b str)"),
        ] {
            assert_ne!(of(language, old), of(language, new), "{language}");
        }
    }

    #[test]
    fn a_value_is_no_part_of_what_callers_see() {
        use DeclarationKind as K;
        for (language, kind, signature, declared, value) in [
            ("java", K::Constant, "static final int F = 5;", "static final int", "= 5"),
            ("python", K::Variable, "F: int = a == b", "int :", "= a = = b"),
            ("c-sharp", K::Field, "int F => 5;", "int = > 5", ""),
            (
                "cpp",
                K::Constructor,
                "F(int a = 1) : A::F(a), b_(a)",
                "( int = 1 )",
                ": A : : F ( a ) , b_ ( a )",
            ),
            ("cpp", K::Method, "void A::F(int a)", "void A : : ( int )", ""),
            ("cpp", K::Constructor, "F() = default", "( )", "= default"),
            ("cpp", K::Constructor, "F() = delete", "( ) = delete", ""),
            ("c", K::Macro, "#define F 10", "# define", "10"),
            ("c", K::Macro, "#define F(a, b) ((a) + (b))", "# define ( a , b )", "( ( a ) + ( b ) )"),
            (
                "rust",
                K::Macro,
                "macro_rules! F { ($x:expr) => { $x }; }",
                "macro_rules !",
                "{ ( $ x : expr ) = > { $ x } ; }",
            ),
            ("yaml", K::Key, "F: 80", "", ": 80"),
            ("typescript", K::Type, "type F = A", "type = A", ""),
            ("kotlin", K::Function, "fun F() = 1", "fun ( ) = 1", ""),
        ] {
            let found = comparable(language, kind, signature, "F");
            let sorted = |text: &str| {
                let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
                words.sort_unstable();
                words
            };
            assert_eq!(
                (sorted(&found.declared), found.value.as_str()),
                (sorted(declared), value),
                "{signature}"
            );
        }
    }

    #[test]
    fn the_own_name_is_a_whole_word() {
        let of = |signature: &str, name: &str| comparable("rust", DeclarationKind::Function, signature, name);
        assert_eq!(of("pub fn p(a: p)", "p"), of("pub fn q(a: p)", "q"));
    }
}
