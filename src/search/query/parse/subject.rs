//! Questions about one declaration: "how does Session.request work" → `Session.request`.
//!
//! Owns [`subject`]. A question is about one declaration if it consists of the words of such a
//! question and of one name as programs write it.

/// Beginnings of questions about one thing, in small letters.
const BEGINNINGS: [&[&str]; 20] = [
    &["how", "does"],
    &["how", "do"],
    &["how", "is"],
    &["how"],
    &["what", "does"],
    &["what", "is", "the", "purpose", "of"],
    &["what", "is", "the", "point", "of"],
    &["what", "is"],
    &["what's"],
    &["what"],
    &["explain", "how"],
    &["explain", "what"],
    &["explain"],
    &["describe"],
    &["show", "me"],
    &["show"],
    &["tell", "me", "about"],
    &["purpose", "of"],
    &["where", "is"],
    &["implementation", "of"],
];

/// Ends of such questions.
const ENDS: [&[&str]; 15] = [
    &[],
    &["work"],
    &["works"],
    &["work", "internally"],
    &["works", "internally"],
    &["do"],
    &["does"],
    &["mean"],
    &["return"],
    &["implemented"],
    &["defined"],
    &["for"],
    &["used", "for"],
    &["good", "for"],
    &["under", "the", "hood"],
];

/// Words that say what kind of declaration the name is, before it or behind it.
const KINDS: [&str; 13] = [
    "function",
    "method",
    "class",
    "struct",
    "type",
    "macro",
    "trait",
    "interface",
    "enum",
    "constant",
    "procedure",
    "module",
    "component",
];

/// Returns the name of the only declaration that a question is about, without a call's brackets;
/// `None` for other questions.
pub(in crate::search::query) fn subject(text: &str) -> Option<&str> {
    let text = text.trim().trim_end_matches(['?', '.', '!']);
    let words: Vec<&str> = text.split_whitespace().collect();
    let starts = |beginning: &&&[&str]| starts_with(&words, beginning);
    let beginning = BEGINNINGS.iter().find(starts)?;
    let rest = words.get(beginning.len()..)?;
    let rest =
        without_first(rest, |word| ["the", "a", "an"].iter().any(|one| word.eq_ignore_ascii_case(one)));
    let rest = without_first(rest, is_kind);
    let (name, end) = rest.split_first()?;
    let end = without_first(end, is_kind);
    let is_end = ENDS.iter().any(|known| known.len() == end.len() && starts_with(end, known));
    let name = name.trim_matches('`').trim_end_matches("()");
    (is_end && is_name(name)).then_some(name)
}

/// Returns whether words begin with these, whatever their case.
fn starts_with(words: &[&str], beginning: &[&str]) -> bool {
    words.len() >= beginning.len()
        && words.iter().zip(beginning).all(|(word, known)| word.eq_ignore_ascii_case(known))
}

fn is_kind(word: &str) -> bool {
    KINDS.iter().any(|kind| word.eq_ignore_ascii_case(kind))
}

/// Returns the words without the first one if it is such a word and another one follows.
fn without_first<'a, 'b>(words: &'a [&'b str], is_such: impl Fn(&str) -> bool) -> &'a [&'b str] {
    match words {
        [first, rest @ ..] if is_such(first) => rest,
        _ => words,
    }
}

/// Returns whether a word is written as a name in a program: with a qualifier, with `_`, or with a
/// capital and a small letter.
fn is_name(word: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || "_.:#$>-!?".contains(c);
    let has = |is: fn(char) -> bool| word.chars().any(is);
    let has_qualifier = || [".", "::", "#", "->"].iter().any(|sign| word.contains(sign));
    let is_written_so =
        has_qualifier() || word.contains('_') || has(char::is_uppercase) && has(char::is_lowercase);
    word.chars().all(is_of_name) && has(char::is_alphabetic) && !word.contains('/') && is_written_so
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_about_one_name_has_that_subject() {
        for (text, name) in [
            ("how does Session.request work", "Session.request"),
            ("How does the method `Session.request()` work?", "Session.request"),
            ("what does uv_run do", "uv_run"),
            ("explain Foo::bar", "Foo::bar"),
            ("explain how Element#text works", "Element#text"),
            ("what is the purpose of RetryPolicy", "RetryPolicy"),
            ("what is a RetryPolicy", "RetryPolicy"),
            ("where is Context implemented", "Context"),
            ("how is the Context class implemented", "Context"),
            ("show me parseHeader", "parseHeader"),
            ("how does caching work", ""),
            ("what does HTTP mean", ""),
            ("how does Session.request retry", ""),
            ("how does the Session work with cookies", ""),
            ("Session.request", ""),
            ("what does src/main.rs do", ""),
            ("how", ""),
            ("", ""),
        ] {
            assert_eq!(subject(text).unwrap_or_default(), name, "{text}");
        }
    }
}
