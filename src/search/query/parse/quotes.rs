//! Quoted phrases in a query.
//!
//! A quoted phrase must match exactly if it starts the query or is nearly all of it. Inside a
//! longer sentence, such as a pasted error message, quotes are ignored: they surround values that
//! are in no source.

use super::filter::{is_filter, without_filters};
use crate::search::query::Filters;

/// Maximum number of words outside the quotes; with more, the text is a sentence.
const MOST_BESIDE: usize = 2;

/// Returns whether the quotes in a text belong to a sentence, such as a message (`no service
/// "app.mailer", path: "a".`). They do unless the text begins with one or has few other words;
/// punctuation right after a quote also marks a sentence.
pub(in crate::search::query) fn quotes_in_passing(text: &str) -> bool {
    let mut phrases = Vec::new();
    let rest = without_phrases(text, &mut phrases);
    let plain = without_filters(&rest, &mut Filters::default(), &mut Vec::new());
    let begins =
        text.split_whitespace().find(|word| !is_filter(word)).is_some_and(|word| word.starts_with('"'));
    let is_word = |word: &&str| word.contains(char::is_alphanumeric);
    let is_ended = |phrase: &String| {
        let behind = text.split_once(&format!("\"{phrase}\"")).map_or("", |(_, behind)| behind);
        behind.starts_with(['.', ',', ';', ':', '?', '!'])
    };
    !begins
        && (plain.split_whitespace().filter(is_word).count() > MOST_BESIDE || phrases.iter().any(is_ended))
}

/// Returns a text without its quotation marks, for another search if the phrase occurs nowhere;
/// `None` if there is no phrase, or nothing but phrases and filters.
pub fn unquoted(text: &str) -> Option<String> {
    let mut phrases = Vec::new();
    let rest = without_phrases(text, &mut phrases);
    let plain = without_filters(&rest, &mut Filters::default(), &mut Vec::new());
    (!phrases.is_empty() && plain.contains(char::is_alphanumeric)).then(|| text.replace('"', " "))
}

/// Returns whether a text has a phrase: exactly, or but for case if the phrase has no upper case.
pub fn has_phrase(text: &str, phrase: &str) -> bool {
    if phrase.chars().any(char::is_uppercase) {
        text.contains(phrase)
    } else {
        text.to_lowercase().contains(phrase)
    }
}

pub(in crate::search::query) fn without_phrases(text: &str, phrases: &mut Vec<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('"') {
        // A quotation mark inside a word (`5"`, `"a"b`) does not begin a phrase.
        let opens = before.chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
        match after.split_once('"') {
            Some((phrase, next)) if opens && !phrase.trim().is_empty() => {
                out.push_str(before);
                out.push(' ');
                phrases.push(phrase.to_owned());
                rest = next;
            }
            _ => {
                out.push_str(before);
                out.push(' ');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::unquoted;
    use crate::search::query::Query;
    use crate::search::query::parse::parser::{parse, phrases as phrases_of};
    use crate::search::segment::Index;
    use crate::search::segment::samples::{file, segment};

    #[test]
    fn quotes_of_a_sentence_are_no_filter() {
        let phrases = |text| parse(text).phrases;
        for text in [
            "No route found for \"GET /foo/bar\"",
            "Untrusted Host \"evil.com\".",
            "Environment variable not found: \"DATABASE_URL\".",
            "no service \"app.foo\". Did you mean \"app.bar\"?",
        ] {
            assert_eq!(phrases(text), Vec::<String>::new(), "{text}");
            assert!(unquoted(text).is_some_and(|text| !text.contains('"')));
        }
        assert_eq!(phrases("path:src \"fn open(\" of files that are there"), ["fn open("]);
        assert_eq!(phrases("lang:rust retry \"max attempts\""), ["max attempts"]);
        assert_eq!(unquoted("\"fn open(\" path:src"), None);
        assert_eq!(
            unquoted("retry \"max attempts\" path:src").as_deref(),
            Some("retry  max attempts  path:src")
        );
    }

    #[test]
    fn the_phrases_of_a_text_are_those_of_its_answer() {
        let segment = segment(&[file("a.py", &[("retry", "", "max attempts")])]);
        for text in [
            "\"max attempts\"",
            "retry \"max attempts\" in Python",
            "no route found for \"GET /foo/bar\"",
            "say \"yes\"\nor \"no\"",
            "five 5\" disks",
            "a.py",
            "",
        ] {
            let answer = crate::search::query::search(&Index::whole(&segment), &Query::new(text)).unwrap();
            assert_eq!(phrases_of(text), answer.needs_text_check, "{text}");
        }
        assert_eq!(phrases_of("\"max attempts\""), ["max attempts"]);
    }
}
