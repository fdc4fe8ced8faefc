//! Questions about an option, a setting or a variable of the environment: text → whether a manual
//! answers it, and the key that it names.
//!
//! A key is recognised by its shape (`max-idle`, `linger.ms`, `--quiet`, `LOG_LEVEL`), or because
//! the question calls it an option. Only the text is looked at, so the key may not exist.

use super::words::{PERSONS, asked_how, is_extension, is_one_of};

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
    let names_option = text.split_whitespace().any(|word| is_option(word, false) || is_variable(word));
    let names_key = || {
        let is_key = |word: &str| is_option(word, false) && !word.contains('.') || is_variable(word);
        text.split_whitespace().any(is_key)
    };
    let is_about = is_about_a_key(words.get(begin..).unwrap_or_default()) && names_key();
    asks_as_user || (has_setting || names_option) && means || which || default || is_about
}

/// Returns whether the words ask about whatever key they name: "explain x-y", "meaning of x-y",
/// "which values can X_Y have".
fn is_about_a_key(words: &[&str]) -> bool {
    match *words {
        ["explain" | "describe", ..] => words.len() <= 6,
        ["meaning", "of", ..] | ["default", "of" | "for" | "value", ..] => true,
        ["what", "is", ..] | ["what's", ..] => words.len() <= 5 || words.last() == Some(&"for"),
        ["allowed" | "possible" | "valid" | "what" | "which", "choices" | "values", ..] => true,
        _ => false,
    }
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
    let is_key = |word: &str| is_option(word, true) || is_variable(word);
    let options: Vec<(&str, bool)> = all.filter(|(word, _)| is_key(word)).collect();
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
    let words: Vec<&str> = text.split_whitespace().map(option_in).collect();
    named_option(&words).map(|word| (word, true)).or_else(|| {
        let end = words.iter().position(|word| is_one_of(word, &["do", "mean", "means"]))?;
        if words.get(end + 1).is_some_and(|word| !is_one_of(word, &WHERE)) {
            return None;
        }
        let [what, does, word] = *words.get(..end)? else { return None };
        let asks = is_one_of(what, &["what"]) && is_one_of(does, &["do", "does"]);
        asks.then_some((word, is_variable(word)))
    })
}

/// Returns the word that a question calls an option: "what does the option maxmemory mean", "how do
/// I set the maxmemory setting", "explain the variable `HOME`".
fn named_option<'w>(words: &[&'w str]) -> Option<&'w str> {
    let is = |at: usize, any: &[&str]| words.get(at).is_some_and(|word| is_one_of(word, any));
    let asks_meaning = is(0, &["explain", "describe"])
        || is(0, &["meaning"]) && is(1, &["of"])
        || is(0, &["what"]) && is(1, &["do", "does"]);
    let asks_how = is(0, &["how"]) && is(1, &["can", "do", "should", "to"]);
    if !(asks_meaning || asks_how) {
        return None;
    }
    let at = words.iter().position(|word| is_one_of(word, &NOUNS))?;
    let before = words.get(at.checked_sub(1)?).copied()?;
    if !before.is_empty() && !is_one_of(before, &NO_NAMES) {
        // "What does a flag do" and "how do I parse flag" name none.
        let has_article = at >= 2 && is(at - 2, &["the", "this", "a", "an"]);
        return has_article.then_some(before);
    }
    let ends = is(at + 2, &WHERE) || is(at + 2, &["do", "mean", "means"]) || at + 2 == words.len();
    let is_name = |word: &&str| !is_one_of(word, &WHERE) && !is_one_of(word, &["do", "mean", "means"]);
    words.get(at + 1).copied().filter(|word| asks_meaning && ends && is_name(word))
}

/// What a question calls a key.
const NOUNS: [&str; 8] =
    ["flag", "key", "option", "parameter", "preference", "setting", "switch", "variable"];

/// Words in front of these nouns that name no key.
const NO_NAMES: [&str; 16] = [
    "a",
    "an",
    "another",
    "any",
    "command-line",
    "config",
    "configuration",
    "default",
    "do",
    "does",
    "env",
    "environment",
    "new",
    "that",
    "the",
    "this",
];

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

/// Returns whether a word is written like a variable of the environment: `LOG_LEVEL`.
pub(in crate::search::query) fn is_variable(word: &str) -> bool {
    let name = option_in(word);
    let is_sign = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    name.contains('_') && name.starts_with(|c: char| c.is_ascii_uppercase()) && name.bytes().all(is_sign)
}

/// Returns whether a name begins with a letter: `1.6` is a version.
fn is_lettered(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "what does APP_LOG_LEVEL mean",
            "explain max-idle",
            "meaning of the max-idle option",
            "what is max-idle used for?",
            "what's APP_LOG_LEVEL",
            "default of max-idle",
            "which values can APP_LOG_LEVEL have",
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
            "explain parse_header",
            "explain os.path",
            "what is the best way to write a non-blocking reader",
            "which values are copied",
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
            ("explain `APP_LOG_LEVEL`", Some("APP_LOG_LEVEL")),
            ("what is max-idle for", Some("max-idle")),
        ] {
            assert_eq!(asked_option(text), expected, "{text}");
        }
    }

    #[test]
    fn a_word_may_be_called_an_option() {
        for (text, expected) in [
            ("what does maxmemory do", Some(("maxmemory", false))),
            ("what does the option maxmemory mean in the server", Some(("maxmemory", true))),
            ("what does the maxmemory setting do?", Some(("maxmemory", true))),
            ("what does the environment variable HOME mean", Some(("HOME", true))),
            ("how do I set the maxmemory option", Some(("maxmemory", true))),
            ("explain the `maxmemory` option", Some(("maxmemory", true))),
            ("meaning of the option maxmemory", Some(("maxmemory", true))),
            ("what does APP_LOG_LEVEL do", Some(("APP_LOG_LEVEL", true))),
            ("how do I add an option to the parser", None),
            ("which option controls the prefix", None),
            ("what does the option do", None),
            ("how do we parse flag names", None),
        ] {
            assert_eq!(asked_word(text), expected, "{text}");
        }
    }
}
