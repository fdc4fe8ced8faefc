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

/// Returns whether a text asks for tests: "tests for leases", "which test covers it", "how is it
/// tested". A program may also test something itself ("tested before it is used", "test whether"),
/// and have things for it ("the test query").
pub(in crate::search::query) fn asks_for_tests(text: &str) -> bool {
    let words: Vec<String> = tokens(text).map(str::to_lowercase).collect();
    let word = |at: usize| words.get(at).map_or("", String::as_str);
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
    (0..words.len()).any(asks)
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
const PERSONS: [&str; 4] = ["i", "we", "you", "one"];

/// Returns the verb of "how to VERB" and "how do I VERB", where `how` is the place of the first
/// word, and whether a person asks for himself.
fn asked_how<'w>(words: &[&'w str], how: usize) -> Option<(&'w str, bool)> {
    let is = |at: usize, any: &[&str]| words.get(at).is_some_and(|word| is_one_of(word, any));
    let asks = is(how + 1, &["do", "can", "should", "could", "would"]) && is(how + 2, &PERSONS);
    let at = if is(how + 1, &["to"]) { how + 2 } else { how + 3 };
    let verb = words.get(at).copied()?;
    (asks || at == how + 2).then_some((verb, asks))
}

fn is_one_of(word: &str, any: &[&str]) -> bool {
    any.iter().any(|one| word.eq_ignore_ascii_case(one))
}

/// Verbs for what a user does with a program, as opposed to what the program does.
const SET_UP: [&str; 8] =
    ["configure", "customise", "customize", "disable", "enable", "install", "uninstall", "upgrade"];

/// The same, for words that code does as well: they count only after "how do I".
const USE: [&str; 6] = ["change", "override", "set", "switch", "turn", "use"];

/// What a manual describes.
const SETTINGS: [&str; 10] = [
    "flag",
    "flags",
    "option",
    "options",
    "preference",
    "preferences",
    "setting",
    "settings",
    "switch",
    "switches",
];

/// Words before the program or the file that has an option.
const WHERE: [&str; 6] = ["for", "from", "in", "of", "when", "with"];

/// Returns whether a text is a question that a manual answers: "how do I enable mouse support",
/// "what does the option escape-time mean", "what is the default of history-limit".
pub(in crate::search::query) fn asks_for_manual(text: &str) -> bool {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric() && !"-_'".contains(c))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is = |at: usize, any: &[&str]| words.get(at).is_some_and(|word| any.contains(word));
    let begin = usize::from(is(0, &["so", "and", "please"]));
    let asks_as_user = match words.get(begin) {
        Some(&"how") => asked_how(&words, begin)
            .is_some_and(|(verb, asks)| SET_UP.contains(&verb) || asks && USE.contains(&verb)),
        Some(&"can") if is(begin + 1, &PERSONS) => is(begin + 2, &SET_UP) || is(begin + 2, &USE),
        _ => false,
    };
    let has_setting = words.iter().any(|word| SETTINGS.contains(word));
    // "What does --quiet do in the client".
    let ends = |at: usize| at + 1 == words.len() || is(at + 1, &WHERE);
    let means = is(begin, &["what"])
        && is(begin + 1, &["do", "does"])
        && (begin + 2..words.len()).any(|at| is(at, &["do", "mean"]) && ends(at));
    let which = is(begin, &["which", "what"]) && is(begin + 1, &SETTINGS)
        || is(begin, &["is"])
            && is(begin + 1, &["there"])
            && is(begin + 2, &["a", "an"])
            && is(begin + 3, &SETTINGS);
    let default = is(begin, &["what", "what's"]) && words.windows(2).any(|two| two == ["the", "default"]);
    let names_option = text.split_whitespace().any(|word| is_option(word, false));
    asks_as_user || (has_setting || names_option) && means || which || default
}

/// Returns the option that a question for a manual names: "what does linger.ms mean", "how do I set
/// --max-count". `None` if it names none, or several. A flag comes before other words of that
/// shape, and these before the name of a program: "what does --quiet do in my-tool".
pub(in crate::search::query) fn asked_option(text: &str) -> Option<&str> {
    if !asks_for_manual(text) {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_behind = |at: usize| {
        at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|word| is_one_of(word, &WHERE))
    };
    let all = words.iter().enumerate().map(|(at, word)| (option_in(word), is_behind(at)));
    let options: Vec<(&str, bool)> = all.filter(|(word, _)| is_option(word, true)).collect();
    let only = |is_meant: &dyn Fn(&(&'_ str, bool)) -> bool| {
        let mut meant = options.iter().filter(|one| is_meant(one));
        let first = meant.next()?.0;
        meant.next().is_none().then_some(first)
    };
    if options.iter().any(|(word, _)| word.starts_with("--")) {
        return only(&|(word, _)| word.starts_with("--"));
    }
    only(&|(_, is_behind)| !is_behind).or_else(|| only(&|_| true))
}

/// Returns the one word that a text asks the meaning of ("what does maxmemory do"), and whether it
/// calls the word an option.
pub(in crate::search::query) fn asked_word(text: &str) -> Option<(&str, bool)> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let end = words.iter().position(|word| is_one_of(option_in(word), &["do", "mean", "means"]))?;
    if words.get(end + 1).is_some_and(|word| !is_one_of(word, &WHERE)) {
        return None;
    }
    words.truncate(end);
    let words = words.iter().map(|word| option_in(word)).collect::<Vec<_>>();
    let is_setting = |noun| SETTINGS.contains(&noun) || ["key", "parameter", "variable"].contains(&noun);
    let (is_option, word) = match *words.as_slice() {
        [what, does, word] => (false, (what, does, word)),
        [what, does, "the", noun, word] | [what, does, noun, word] if is_setting(noun) => {
            (true, (what, does, word))
        }
        _ => return None,
    };
    let (what, does, word) = word;
    (is_one_of(what, &["what"]) && is_one_of(does, &["do", "does"])).then_some((word, is_option))
}

/// Returns a word without the signs around it.
fn option_in(word: &str) -> &str {
    word.trim_end_matches(|c: char| !c.is_alphanumeric())
        .trim_start_matches(|c: char| !c.is_alphanumeric() && c != '-')
}

/// Returns whether a word is written like an option, in lower case: with a hyphen or a dot between
/// its parts, or behind two hyphens. Names in code have underscores as well.
fn is_option(word: &str, with_underscores: bool) -> bool {
    let word = option_in(word);
    let name = word.trim_start_matches('-');
    let is_joint = |c: char| matches!(c, '-' | '.') || with_underscores && c == '_';
    let is_part = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    };
    let parts: Vec<&str> = name.split(is_joint).collect();
    let is_flag = word.starts_with("--") && !name.is_empty();
    let is_file = name.contains('.') && parts.last().is_some_and(|end| is_extension(end));
    (is_flag || parts.len() > 1) && parts.iter().all(|part| is_part(part)) && !is_file && is_lettered(name)
}

/// Returns whether a name begins with a letter: `1.6` is a version.
fn is_lettered(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
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
    fn questions_for_a_manual_are_recognised() {
        for text in [
            "how do I enable mouse support",
            "How can we turn off colours?",
            "how to configure a proxy",
            "can I override the theme?",
            "what does the option escape-time mean",
            "what do these flags do",
            "which setting controls the prefix",
            "is there an option to sort by size",
            "what is the default value of history-limit",
            "what does --no-password do in my-tool",
            "what does the option max-idle mean for a pool",
        ] {
            assert!(asks_for_manual(text), "{text}");
        }
        for text in [
            "how to change a list while iterating",
            "how does the server enable mouse support",
            "where is the option parsed",
            "what does parse_header do",
            "how do we retry failed uploads",
            "which function sets the option",
            "default handler",
            "enable",
            "",
        ] {
            assert!(!asks_for_manual(text), "{text}");
        }
    }

    #[test]
    fn a_question_for_a_manual_may_name_an_option() {
        for (text, expected) in [
            ("what does linger.ms mean?", Some("linger.ms")),
            ("what does the option maxmemory-policy mean", Some("maxmemory-policy")),
            ("how do I set --max-count", Some("--max-count")),
            ("how do I enable `mouse_support`?", Some("mouse_support")),
            ("how do I enable mouse support", None),
            ("what does parse_header do", None),
            ("what does main.rs do", None),
            ("how do I use a-b and c-d", None),
            ("how do I set --no-a and --no-b", None),
            ("what does --no-password do in my-tool", Some("--no-password")),
            ("what does no-password do in my-tool", Some("no-password")),
            ("how is maxmemory-policy read", None),
        ] {
            assert_eq!(asked_option(text), expected, "{text}");
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
        assert!(STOP_WORDS.is_sorted());
        assert!(EXTENSIONS.is_sorted());
    }
}
