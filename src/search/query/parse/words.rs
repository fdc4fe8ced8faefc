//! Word lists: stop words, file extensions, and words that ask for tests, examples or documents.
//!
//! Pure lookups of lower-case words, in English only; nothing here reads an index.

use crate::base::text::identifier::tokens;

/// English stop words: common in questions, but no chunk is about them; sorted.
const STOP_WORDS: [&str; 111] = [
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "before", "being", "between", "both", "but", "by", "can", "cannot", "could", "did", "do", "does",
    "doing", "done", "each", "even", "for", "from", "get", "gets", "had", "has", "have", "having", "here",
    "how", "i", "if", "in", "instead", "into", "is", "it", "its", "itself", "just", "like", "may", "me",
    "might", "more", "most", "must", "my", "no", "nor", "not", "now", "of", "off", "on", "once", "only",
    "or", "other", "our", "out", "over", "own", "s", "same", "should", "so", "some", "such", "t", "than",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to",
    "too", "under", "up", "us", "very", "was", "we", "were", "what", "when", "where", "which", "while",
    "who", "why", "will", "with",
];

/// Further stop words: polite words and the like, and the first half of "don't".
const MORE_STOP_WORDS: [&str; 8] = ["would", "you", "your", "please", "thanks", "hi", "hello", "don"];

/// Extensions of files that people mention without a directory; sorted.
const EXTENSIONS: [&str; 75] = [
    "bash", "c", "cc", "cfg", "clj", "cmake", "conf", "cpp", "cs", "cshtml", "css", "cxx", "dart", "erl",
    "ex", "exs", "f90", "gd", "glsl", "go", "gradle", "graphql", "groovy", "h", "hcl", "hpp", "hs", "html",
    "ini", "ipynb", "java", "jl", "js", "json", "jsx", "kt", "lua", "md", "mjs", "ml", "mli", "mm", "nix",
    "pas", "php", "pl", "pm", "proto", "ps1", "py", "pyi", "pyx", "r", "razor", "rb", "rs", "rst", "scala",
    "scss", "sh", "sol", "sql", "svelte", "swift", "tf", "toml", "ts", "tsx", "txt", "vhd", "vue", "xml",
    "yaml", "yml", "zig",
];

/// Returns whether a lower-case word carries no meaning.
pub fn is_stop_word(lower: &str) -> bool {
    STOP_WORDS.binary_search(&lower).is_ok() || MORE_STOP_WORDS.contains(&lower)
}

/// Returns whether a lower-case word is the first half of a contraction: "isn" of "isn't".
pub(in crate::search::query) fn is_contracted(lower: &str) -> bool {
    matches!(
        lower,
        "aren"
            | "couldn"
            | "didn"
            | "doesn"
            | "hadn"
            | "hasn"
            | "haven"
            | "isn"
            | "shouldn"
            | "wasn"
            | "weren"
            | "won"
            | "wouldn"
    )
}

/// Returns whether a lower-case extension belongs to files that people mention.
pub(in crate::search::query) fn is_extension(lower: &str) -> bool {
    EXTENSIONS.binary_search(&lower).is_ok()
}

/// Words that always mean tests; sorted.
const TESTS: [&str; 6] = ["fixture", "fixtures", "pytest", "specs", "tests", "unittest"];

/// What "test" and "testing" describe when the code of tests is meant; sorted.
const OF_TESTS: [&str; 28] = [
    "case",
    "cases",
    "class",
    "classes",
    "code",
    "coverage",
    "covering",
    "covers",
    "data",
    "directory",
    "double",
    "doubles",
    "file",
    "files",
    "folder",
    "framework",
    "function",
    "functions",
    "harness",
    "helper",
    "helpers",
    "method",
    "methods",
    "runner",
    "setup",
    "suite",
    "suites",
    "utilities",
];

/// Words before "testing" that make it the work on tests; sorted.
const KINDS_OF_TESTS: [&str; 7] =
    ["acceptance", "for", "fuzz", "integration", "property", "regression", "unit"];

/// Returns whether a part of a name, in lower case, is about tests: `test` of `test_lease`.
pub(in crate::search::query) fn names_tests(lower: &str) -> bool {
    matches!(lower, "test" | "testing" | "tested" | "spec") || TESTS.binary_search(&lower).is_ok()
}

/// Verbs for what people do with the code of tests, or where it is; sorted.
const DONE_WITH_TESTS: [&str; 13] = [
    "declared",
    "defined",
    "generated",
    "implemented",
    "kept",
    "located",
    "named",
    "organised",
    "organized",
    "run",
    "stored",
    "structured",
    "written",
];

/// Returns whether a program does something with tests, according to the three words behind "tests"
/// or "test files": "executed", "are retried". `are`: whether the verb is in front of the noun, as
/// in "how are tests divided".
fn works_on_tests(are: bool, [next, after, last]: [&str; 3]) -> bool {
    let is_verb = |word: &str| {
        word.ends_with("ed")
            || matches!(word, "chosen" | "cut" | "found" | "rerun" | "sent" | "shown" | "split")
    };
    let (verb, after) = match next {
        "are" | "is" | "get" | "gets" | "must" | "to" => (after, last),
        _ if are => (next, after),
        _ => return false,
    };
    is_verb(verb) && DONE_WITH_TESTS.binary_search(&verb).is_err()
        || verb == "run" && matches!(after, "again" | "twice")
}

/// Returns whether a text asks for tests: "tests for leases", "which test covers it", "how is it
/// tested". A program may also test something itself ("tested before it is used", "test whether"),
/// have things for it ("the test query"), or work on tests ("how are tests divided").
pub(in crate::search::query) fn asks_for_tests(text: &str) -> bool {
    let words: Vec<String> = tokens(text).map(str::to_lowercase).collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let works_on = |at: usize| {
        let end = at + usize::from(OF_TESTS.binary_search(&word(at + 1)).is_ok());
        let are = (0..at).any(|before| matches!(word(before), "are" | "is"));
        works_on_tests(are, [word(end + 1), word(end + 2), word(end + 3)])
    };
    let asks = |at: usize| {
        let next = word(at + 1);
        let before = at.checked_sub(1).map_or("", word);
        let describes = OF_TESTS.binary_search(&next).is_ok();
        let is_plain = next.is_empty() || describes || is_stop_word(next) && !matches!(next, "if" | "while");
        let does = matches!(before, "must" | "to" | "can" | "should" | "we" | "it");
        match word(at) {
            // At the beginning of a few words, the tests of a thing are meant.
            "test" if at == 0 => !matches!(next, "whether" | "if" | "that"),
            "test" if matches!(before, "which" | "what") => true,
            "test" => is_plain && (!does || word(0) == "how"),
            "spec" => is_plain,
            "testing" => next.is_empty() || describes || KINDS_OF_TESTS.binary_search(&before).is_ok(),
            "tested" => next.is_empty() || matches!(next, "by" | "in"),
            other => TESTS.binary_search(&other).is_ok(),
        }
    };
    (0..words.len()).any(|at| asks(at) && !works_on(at))
}

/// Returns whether a text asks for a default value: "where is the default of X", "default X". What
/// happens "by default" is done by functions.
pub(in crate::search::query) fn asks_for_default(text: &str) -> bool {
    let words: Vec<String> = tokens(text).map(str::to_lowercase).collect();
    let is_noun =
        |at: usize| at.checked_sub(1).and_then(|before| words.get(before)).is_none_or(|one| one != "by");
    words.len() > 1
        && words
            .iter()
            .enumerate()
            .any(|(at, word)| matches!(word.as_str(), "default" | "defaults") && is_noun(at))
}

/// Returns whether a lower-case word asks for a place ("where is the lease defined"), so that the
/// place need not contain the word.
pub(in crate::search::query) fn asks_for_place(lower: &str) -> bool {
    matches!(lower, "declared" | "defined" | "implemented" | "located")
}

/// Returns whether a lower-case word asks for translated texts.
pub(in crate::search::query) fn asks_for_translations(lower: &str) -> bool {
    matches!(
        lower,
        "i18n"
            | "l10n"
            | "locale"
            | "locales"
            | "localisation"
            | "localised"
            | "localization"
            | "localized"
            | "translated"
            | "translation"
            | "translations"
            | "translator"
    )
}

/// Returns whether a lower-case word asks for documents.
pub(in crate::search::query) fn asks_for_prose(lower: &str) -> bool {
    matches!(
        lower,
        "doc"
            | "docs"
            | "documentation"
            | "documented"
            | "readme"
            | "guide"
            | "tutorial"
            | "changelog"
            | "license"
            | "licence"
            | "manual"
            | "faq"
            | "install"
            | "installation"
    )
}

/// Verbs for work on a project, as opposed to what the project does.
const WORK: [&str; 11] = [
    "build",
    "compile",
    "contribute",
    "deploy",
    "develop",
    "install",
    "lint",
    "release",
    "run",
    "set",
    "setup",
];

/// Returns the verb of a question about working on the project ("how do I run the tests", "how to
/// build it"), which its documents answer; `None` for any other question.
pub(in crate::search::query) fn asks_how_to_work(text: &str) -> Option<&str> {
    how_in(text).map(|(verb, _)| verb).filter(|verb| is_one_of(verb, &WORK))
}

/// Parts of a project that are built, run and set up, as opposed to what its code works with.
const PROJECT: [&str; 19] = [
    "app",
    "benchmark",
    "benchmarks",
    "binary",
    "code",
    "docs",
    "documentation",
    "environment",
    "it",
    "linter",
    "locally",
    "project",
    "repo",
    "repository",
    "server",
    "source",
    "suite",
    "test",
    "tests",
];

/// Returns whether a question about working on a project is about the project as a whole: a person
/// asks ("how do I build redis"), or it names a part of one ("how to run the tests").
pub(in crate::search::query) fn asks_to_work_on_project(text: &str) -> bool {
    let Some((verb, asks)) = how_in(text).filter(|(verb, _)| is_one_of(verb, &WORK)) else { return false };
    let names_part = tokens(text).any(|word| is_one_of(word, &PROJECT));
    // "Set" alone is what a program does, too.
    names_part || asks && !verb.eq_ignore_ascii_case("set")
}

/// Returns whether a person asks how to do something ("how do I mock a module"), whatever it is: a
/// document may say so. "How to" also asks for the code that does it.
pub(in crate::search::query) fn asks_as_user(text: &str) -> bool {
    how_in(text).is_some_and(|(_, asks)| asks)
}

/// Returns what [`asked_how`] does, for the first "how" of a text.
fn how_in(text: &str) -> Option<(&str, bool)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let how = words.iter().position(|word| word.eq_ignore_ascii_case("how"))?;
    asked_how(&words, how).map(|(verb, asks)| (verb.trim_end_matches(['?', '!', '.', ',']), asks))
}

/// Who asks how to do something.
pub(super) const PERSONS: [&str; 4] = ["i", "we", "you", "one"];

/// Returns the verb of "how to VERB" and "how do I VERB", where `how` is the place of the first
/// word, and whether a person asks for himself.
pub(super) fn asked_how<'w>(words: &[&'w str], how: usize) -> Option<(&'w str, bool)> {
    let is = |at: usize, any: &[&str]| words.get(at).is_some_and(|word| is_one_of(word, any));
    let asks = is(how + 1, &["do", "can", "should", "could", "would"]) && is(how + 2, &PERSONS);
    let at = if is(how + 1, &["to"]) { how + 2 } else { how + 3 };
    let verb = words.get(at).copied()?;
    (asks || at == how + 2).then_some((verb, asks))
}

pub(super) fn is_one_of(word: &str, any: &[&str]) -> bool {
    any.iter().any(|one| word.eq_ignore_ascii_case(one))
}

/// Returns whether a lower-case word asks for examples or benchmarks.
pub(in crate::search::query) fn asks_for_examples(lower: &str) -> bool {
    matches!(
        lower,
        "example"
            | "examples"
            | "demo"
            | "demos"
            | "sample"
            | "samples"
            | "bench"
            | "benchmark"
            | "benchmarks"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_with_a_project_is_asked_for() {
        for (text, verb) in [
            ("How do I run the tests", Some("run")),
            ("how to build a jar", Some("build")),
            ("please tell me how we can install it", None),
            ("how should I set up my editor?", Some("set")),
            ("how are builds run", None),
            ("how to parse a header", None),
            ("how does it run the tests", None),
            ("run the tests", None),
        ] {
            assert_eq!(asks_how_to_work(text), verb, "{text}");
        }
    }

    #[test]
    fn a_project_is_built_run_and_set_up() {
        for text in [
            "how do I run the test suite",
            "how to run the tests",
            "how do I build redis",
            "How can I contribute?",
            "how do I set up the project locally",
        ] {
            assert!(asks_to_work_on_project(text), "{text}");
        }
        for text in
            ["how to build a query", "how do I set a timeout", "where are the tests run", "run the tests"]
        {
            assert!(!asks_to_work_on_project(text), "{text}");
        }
    }

    #[test]
    fn persons_ask_how_to_do_things() {
        for text in ["how do I mock a module", "so, how can we add an index?", "How should you report it"] {
            assert!(asks_as_user(text), "{text}");
        }
        for text in ["how does it mock a module", "how to mock a module", "where do I mock it", "how"] {
            assert!(!asks_as_user(text), "{text}");
        }
    }

    #[test]
    fn tests_are_asked_for_by_nouns() {
        for text in [
            "tests for the lease",
            "which test covers the lease",
            "which test shows that a lease ends",
            "unit test of retries",
            "how is the lease tested",
            "is the lease tested?",
            "where is the lease tested in Python",
            "how to test the lease",
            "test cases of the parser",
            "unit testing of the parser",
            "lease test",
            "test lease",
            "fixtures of the pool",
            "where are the tests of the lease",
            "how are the tests organised",
            "where are test files kept",
            "how are tests run in CI",
            "tests that failed last",
        ] {
            assert!(asks_for_tests(text), "{text}");
        }
        for text in [
            "where is a connection tested before it is handed out",
            "must be tested before handing it out",
            "test whether the lease is alive",
            "where is the test query set",
            "code that has to test a connection",
            "testing connections for life",
            "the latest lease",
            "how are tests divided between machines",
            "in which order are the test files executed",
            "which test files are run again when a file changes",
            "when do the test cases get skipped",
            "where is the order of slow tests remembered between runs",
        ] {
            assert!(!asks_for_tests(text), "{text}");
        }
    }

    #[test]
    fn defaults_are_asked_for_by_nouns() {
        for text in ["where is the default of max-idle", "default pool size", "which defaults has a lease"] {
            assert!(asks_for_default(text), "{text}");
        }
        for text in ["what happens by default when it fails", "default", "default_port", "lease"] {
            assert!(!asks_for_default(text), "{text}");
        }
    }

    #[test]
    fn lists_are_sorted() {
        assert!(TESTS.is_sorted() && OF_TESTS.is_sorted() && KINDS_OF_TESTS.is_sorted());
        assert!(DONE_WITH_TESTS.is_sorted());
        assert!(STOP_WORDS.is_sorted());
        assert!(EXTENSIONS.is_sorted());
    }
}
