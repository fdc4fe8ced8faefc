//! The text of a signature → what is compared of it, without anything that is only layout.
//!
//! A formatter moves line breaks, trailing commas and quotes. None of them makes another signature,
//! so the words of a signature are compared. Pure functions on the text: no grammar is asked.

/// Languages in which both kinds of quotes mean the same.
const QUOTED_EITHER_WAY: [&str; 5] = ["javascript", "jsx", "python", "tsx", "typescript"];
/// Languages that have arrow functions and types written as in TypeScript.
const SCRIPTS: [&str; 4] = ["javascript", "jsx", "tsx", "typescript"];

/// Returns the words of a signature without layout, with blanks between them. Its own name is left
/// out, so that a rename does not change it.
pub(super) fn comparable(language: &str, signature: &str, name: &str) -> String {
    let mut words = words(language, signature);
    if let Some(own) = words.iter().position(|word| word == name) {
        words.remove(own);
    }
    words.join(" ")
}

/// Returns the words of a signature without layout: names, strings, and each other character that
/// is not blank.
pub(super) fn words(language: &str, signature: &str) -> Vec<String> {
    let mut words: Vec<String> = split(signature, QUOTED_EITHER_WAY.contains(&language));
    match language {
        "go" if words.first().is_some_and(|first| is_block_word(language, first)) => {
            words.remove(0);
        }
        "python" => words = without_annotation_quotes(words),
        _ if SCRIPTS.contains(&language) => words = script(words),
        _ => {}
    }
    let mut words = without_trailing_commas(words);
    while words.last().is_some_and(|last| matches!(last.as_str(), ";" | ",")) {
        words.pop();
    }
    words
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
        // A comment is layout.
        if let Some((_, after)) = rest.strip_prefix("/*").and_then(|inside| inside.split_once("*/")) {
            rest = after.trim_start();
            continue;
        }
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
            ("c", "static char* f(char* a)", "static char *\nf(char *a)"),
        ] {
            assert_eq!(comparable(language, old, "f"), comparable(language, new, "f"), "{language}");
        }
        for (language, old, new) in [
            ("python", "def f(a=\"A\"):", "def f(a=A):"),
            ("python", "def f(a: Literal[\"b\"]):", "def f(a: Literal[b]):"),
            ("python", "def f(a=(1,)):", "def f(a=(1)):"),
            ("rust", "fn f() -> (T,)", "fn f() -> (T)"),
            ("go", "func f(a int)", "func f(a int64)"),
            ("rust", "fn f(a: &'a str)", "fn f(a: &'b str)"),
        ] {
            assert_ne!(comparable(language, old, "f"), comparable(language, new, "f"), "{language}");
        }
    }

    #[test]
    fn the_own_name_is_a_whole_word() {
        assert_eq!(comparable("rust", "pub fn p(a: p)", "p"), comparable("rust", "pub fn q(a: p)", "q"));
    }
}
