//! The programming language that a question names, as in "sort a list in Python".
//!
//! Question text → the language, and the text without it. If most of the code is in that language,
//! its name does not distinguish chunks, except for the few that happen to mention it. So the name
//! is removed from the question. Otherwise the question prefers code in that language. See
//! `doc/experiments/ranking.md`.
//!
//! The rules are strict: a language in the middle of a question is often its subject ("how Java
//! types are resolved").

use crate::search::segment::Index;

use super::words::is_stop_word;

/// Names of languages in a question, each list with the languages of the index that it stands for.
const CALLED: [(&[&str], &[&str]); 40] = [
    (&["bash", "shell"], &["bash"]),
    (&["c"], &["c", "cpp"]),
    (&["c#", "csharp"], &["c-sharp", "razor"]),
    (&["c++", "cpp"], &["cpp", "c"]),
    (&["clojure", "clojurescript"], &["clojure"]),
    (&["common-lisp"], &["common-lisp"]),
    (&["dart"], &["dart"]),
    (&["elixir"], &["elixir"]),
    (&["elm"], &["elm"]),
    (&["elisp", "emacs-lisp"], &["emacs-lisp"]),
    (&["erlang"], &["erlang"]),
    (&["fortran"], &["fortran"]),
    (&["f#", "fsharp"], &["fsharp"]),
    (&["gdscript"], &["gdscript"]),
    (&["glsl"], &["glsl"]),
    (&["go", "golang"], &["go"]),
    (&["groovy"], &["groovy"]),
    (&["haskell"], &["haskell"]),
    (&["java"], &["java"]),
    (&["javascript", "js", "typescript", "ts"], &["javascript", "svelte", "tsx", "typescript", "vue"]),
    (&["julia"], &["julia"]),
    (&["kotlin"], &["kotlin"]),
    (&["lua"], &["lua"]),
    (&["objective-c", "objc"], &["objective-c"]),
    (&["ocaml"], &["ocaml", "ocaml-interface"]),
    (&["perl"], &["perl"]),
    (&["php"], &["php"]),
    (&["powershell"], &["powershell"]),
    (&["python", "python2", "python3"], &["python", "jupyter"]),
    (&["r"], &["r"]),
    (&["racket"], &["racket"]),
    (&["razor", "blazor"], &["razor"]),
    (&["ruby"], &["ruby"]),
    (&["rust"], &["rust"]),
    (&["scala"], &["scala"]),
    (&["scheme"], &["scheme"]),
    (&["solidity"], &["solidity"]),
    (&["swift"], &["swift"]),
    (&["verilog", "systemverilog"], &["verilog"]),
    (&["vhdl"], &["vhdl"]),
];

/// Names that are ordinary words; they mean a language only after a preposition.
const ALSO_WORDS: [&str; 6] = ["c", "go", "js", "r", "shell", "ts"];

/// Words for code: the language before them is the one asked for. "class", "module" and the like
/// are missing because a question about a language's own classes would match.
const CODE: [&str; 7] =
    ["code", "implementation", "implementations", "program", "programs", "script", "scripts"];

/// Words that such a question may begin with before the language. "... of Python code" may concern
/// a tool for Python that is written in another language.
const FIRST: [&str; 10] = ["a", "any", "find", "our", "some", "the", "what", "where", "which", "is"];

/// For a question "in" a language, at least one in this many chunks of code must be in that
/// language. If there is less, the language may be what the code is about.
const SHARE: u64 = 5;

/// Minimum number of content words that remain without the language.
const MIN_LEFT: usize = 2;

/// A question without the language that it names, and the languages of the index that the name
/// stands for.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::search::query) struct QuestionWithoutLanguage {
    pub(in crate::search::query) text: String,
    languages: &'static [&'static str],
}

impl QuestionWithoutLanguage {
    /// Removes the language from a question that begins or ends with it, or asks "in" or "using"
    /// it. `None` for a question with a quotation, and if too few content words would remain.
    pub(in crate::search::query) fn of(text: &str) -> Option<Self> {
        if text.contains('"') {
            return None;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let is_version = |at: usize| words.get(at).is_some_and(|word| is_version(word));
        let (at, languages) = words.iter().enumerate().find_map(|(at, word)| {
            let name = bare(word);
            let languages = called(&name)?;
            let ends = at + 1 == words.len() || at + 2 == words.len() && is_version(at + 1);
            let stands_out = (at == 0 || ends) && !ALSO_WORDS.contains(&name.as_str());
            (stands_out || is_in(&words, at)).then_some((at, languages))
        })?;
        let from = if is_in(&words, at) { at - 1 } else { at };
        let to = if is_version(at + 1) { at + 2 } else { at + 1 };
        let left = || words.iter().take(from).chain(words.iter().skip(to)).copied();
        let n = left().filter(|word| !is_stop_word(&word.to_lowercase())).count();
        (n >= MIN_LEFT).then(|| Self { text: left().collect::<Vec<_>>().join(" "), languages })
    }

    /// Returns whether most of the code is in the language.
    pub(in crate::search::query) fn is_of(&self, index: &Index<'_>) -> bool {
        let (of_these, of_code) = count(index, self.languages);
        of_these > of_code - of_these
    }
}

/// Returns the number of chunks in these languages, and in all languages that a question may name.
fn count(index: &Index<'_>, languages: &[&str]) -> (u64, u64) {
    let (mut of_these, mut of_code) = (0, 0);
    for count in index.languages() {
        let language = count.language.as_str();
        if CALLED.iter().any(|(_, languages)| languages.contains(&language)) {
            of_code += count.chunks;
            of_these += if languages.contains(&language) { count.chunks } else { 0 };
        }
    }
    (of_these, of_code)
}

/// Returns the languages that a question asks for code in ("in Java", "shell scripts that"); empty
/// if it names none, or if there is no such code.
pub(in crate::search::query) fn written_in(text: &str, index: &Index<'_>) -> &'static [&'static str] {
    let Some((languages, is_in)) = asked_for(text) else { return &[] };
    let (of_these, of_code) = count(index, languages);
    let is_enough = if is_in { of_these * SHARE >= of_code } else { of_these > 0 };
    if is_enough { languages } else { &[] }
}

/// Returns the languages that a question asks for, and whether it does so with a preposition.
fn asked_for(text: &str) -> Option<(&'static [&'static str], bool)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let languages = called(&bare(word))?;
        let is_code = words.get(at + 1).is_some_and(|next| CODE.contains(&bare(next).as_str()));
        let is_first = words.iter().take(at).all(|before| FIRST.contains(&bare(before).as_str()));
        let is_in = is_in(&words, at);
        (is_code && is_first || is_in).then_some((languages, is_in))
    })
}

/// Returns whether a word names a language or means code.
pub(in crate::search::query) fn says_so(word: &str) -> bool {
    called(word).is_some() || CODE.contains(&word)
}

/// Returns whether `language` is not among the languages that are asked for.
pub(in crate::search::query) fn is_other(language: &str, written_in: &[&str]) -> bool {
    !written_in.is_empty() && !written_in.contains(&language)
}

/// Returns the languages of the index that a name stands for.
fn called(name: &str) -> Option<&'static [&'static str]> {
    CALLED.iter().find(|(called, _)| called.contains(&name)).map(|(_, languages)| *languages)
}

/// Returns a word in lower case, without punctuation at its end.
fn bare(word: &str) -> String {
    word.trim_end_matches(['?', '.', ',', '!', ':', ';']).to_ascii_lowercase()
}

/// Returns whether a preposition ("in", "using") comes before the word.
fn is_in(words: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    before.is_some_and(|word| word.eq_ignore_ascii_case("in") || word.eq_ignore_ascii_case("using"))
}

/// Returns whether a word is a version: `3`, `2.7`, `3.x`.
fn is_version(word: &str) -> bool {
    let word = word.trim_end_matches('?');
    word.starts_with(|first: char| first.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'x'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::Language;

    #[test]
    fn a_language_is_left_out_where_it_says_what_is_asked_in() {
        let left = |text: &str| QuestionWithoutLanguage::of(text).map(|unsaid| unsaid.text);
        for (text, expected) in [
            ("sort a list in Python", "sort a list"),
            ("python check if a file is readonly", "check if a file is readonly"),
            ("how to read a file line by line python 3?", "how to read a file line by line"),
            ("where in C++ are buffers freed again", "where are buffers freed again"),
            ("parse flags using go", "parse flags"),
            ("close a socket in c#?", "close a socket"),
        ] {
            assert_eq!(left(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "how Java types are resolved here",
            "go to definition of symbols",
            "what to do when threads go",
            "find python",
            "in python",
            "errors that say \"not in python\"",
            "what happens in pythonic code",
            "",
        ] {
            assert_eq!(left(text), None, "{text}");
        }
    }

    #[test]
    fn code_is_asked_for_in_a_language() {
        for (text, expected) in [
            ("Python code that parses the output", Some(("python", false))),
            ("which shell scripts start the broker", Some(("bash", false))),
            ("where is the Go implementation of retries", Some(("go", false))),
            ("how in Rust, are buffers freed", Some(("rust", true))),
            ("how are unused imports of Python code found", None),
            ("go on with the code", None),
            ("python module search path", None),
            ("interactive shell", None),
            ("what scripts are run", None),
        ] {
            let asked = asked_for(text).map(|(languages, is_in)| (languages[0], is_in));
            assert_eq!(asked, expected, "{text}");
        }
        assert!(is_other("java", &["python"]) && is_other("json", &["python"]));
        assert!(!is_other("python", &["python"]) && !is_other("java", &[]));
    }

    #[test]
    fn languages_are_known() {
        for (called, languages) in CALLED {
            assert!(!called.is_empty());
            for name in languages {
                assert!(Language::all().any(|language| language.name() == *name), "{name}");
            }
        }
    }
}
