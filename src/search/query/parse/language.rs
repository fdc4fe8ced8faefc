//! The language that a question asks in: «sort a list in Python».
//!
//! Where nearly everything is written in that language, its name tells no chunk from another, but those few that happen to
//! mention it. CoSQA's questions, 99 in 100 of which name theirs, are answered at MRR@10 .453 without the name and at .435
//! with it (`cargo xtask eval SETS/cosqa.json --signals`; vectors alone .425 and .418, words alone .358 and .348).

use crate::search::segment::Index;

use super::words::is_stop_word;

/// How languages are called in a question, each with the names of what is written in it.
const CALLED: [(&[&str], &[&str]); 26] = [
    (&["bash", "shell"], &["bash"]),
    (&["c"], &["c", "cpp"]),
    (&["c#", "csharp"], &["c-sharp"]),
    (&["c++", "cpp"], &["cpp", "c"]),
    (&["clojure"], &["clojure"]),
    (&["dart"], &["dart"]),
    (&["elixir"], &["elixir"]),
    (&["erlang"], &["erlang"]),
    (&["fortran"], &["fortran"]),
    (&["go", "golang"], &["go"]),
    (&["haskell"], &["haskell"]),
    (&["java"], &["java"]),
    (&["javascript", "js", "typescript", "ts"], &["javascript", "svelte", "tsx", "typescript", "vue"]),
    (&["julia"], &["julia"]),
    (&["kotlin"], &["kotlin"]),
    (&["lua"], &["lua"]),
    (&["objective-c"], &["objective-c"]),
    (&["ocaml"], &["ocaml", "ocaml-interface"]),
    (&["perl"], &["perl"]),
    (&["php"], &["php"]),
    (&["python", "python2", "python3"], &["python"]),
    (&["r"], &["r"]),
    (&["ruby"], &["ruby"]),
    (&["rust"], &["rust"]),
    (&["scala"], &["scala"]),
    (&["swift"], &["swift"]),
];

/// Words that are a language's name only after a preposition.
const ALSO_WORDS: [&str; 6] = ["c", "go", "js", "r", "shell", "ts"];

/// Words for code, which say that it is asked for in the language named before them. Not «class», «module» and the like, which
/// a language has, too.
const CODE: [&str; 7] =
    ["code", "implementation", "implementations", "program", "programs", "script", "scripts"];

/// What such a question begins with, if not with the language. «Of Python code» may be asked of a tool for Python, which is
/// written in another.
const FIRST: [&str; 10] = ["a", "any", "find", "our", "some", "the", "what", "where", "which", "is"];

/// Where it asks «in» a language, one in so many chunks of code must be written in it: less of it may be what the code is
/// about.
const SHARE: u64 = 5;

/// The fewest words with a meaning that must be left.
const MIN_LEFT: usize = 2;

/// A question without the language that it names, and the names of what is written in that.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::search::query) struct Unsaid {
    pub(in crate::search::query) text: String,
    languages: &'static [&'static str],
}

impl Unsaid {
    /// Of a question that begins or ends with a language, or says that it asks «in» or «using» one. A quotation is left as it
    /// is, and so is what would be hardly a question any more.
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

    /// Whether most of the code is written in the language.
    pub(in crate::search::query) fn is_of(&self, index: &Index<'_>) -> bool {
        let (of_these, of_code) = count(index, self.languages);
        of_these > of_code - of_these
    }
}

/// How many chunks are written in these languages, and in any that a question may name.
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

/// The languages that the code has to be in which a question asks for: «in Java», «shell scripts that». Empty for others, and
/// where there is no such code.
pub(in crate::search::query) fn written_in(text: &str, index: &Index<'_>) -> &'static [&'static str] {
    let Some((languages, is_in)) = asked_for(text) else { return &[] };
    let (of_these, of_code) = count(index, languages);
    let is_enough = if is_in { of_these * SHARE >= of_code } else { of_these > 0 };
    if is_enough { languages } else { &[] }
}

/// The languages that are asked for, and whether by a preposition.
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

/// Whether a word of a question that asks for code in a language is one that says so.
pub(in crate::search::query) fn says_so(word: &str) -> bool {
    called(word).is_some() || CODE.contains(&word)
}

/// Whether what is written in `language` is none of the code that is asked for.
pub(in crate::search::query) fn is_other(language: &str, written_in: &[&str]) -> bool {
    !written_in.is_empty() && !written_in.contains(&language)
}

/// The names of what is written in a language that is called so.
fn called(name: &str) -> Option<&'static [&'static str]> {
    CALLED.iter().find(|(called, _)| called.contains(&name)).map(|(_, languages)| *languages)
}

/// A word without the marks after it, in lower case.
fn bare(word: &str) -> String {
    word.trim_end_matches(['?', '.', ',', '!', ':', ';']).to_ascii_lowercase()
}

/// Whether a preposition says that what follows is what is asked in.
fn is_in(words: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    before.is_some_and(|word| word.eq_ignore_ascii_case("in") || word.eq_ignore_ascii_case("using"))
}

/// `3`, `2.7`, `3.x`.
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
        let left = |text: &str| Unsaid::of(text).map(|unsaid| unsaid.text);
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
