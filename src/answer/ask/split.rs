//! Splitting: a question → its parts, by rules on sentences and conjunctions.
//!
//! A part must have enough words to be searched on its own; shorter fragments stay with the text
//! before them. This needs no grammar and no model, so it works offline and gives the same parts
//! every time.

use crate::base::text::identifier;
use crate::index::embed;
use crate::search::query;

/// Maximum number of parts. A longer text is not a question, and is searched as a whole.
const MOST: usize = 6;

/// Minimum number of content words in a part. With fewer, a search finds anything.
const LEAST_WORDS: usize = 2;

/// Cosine (by the built-in model) above which two questions count as the same.
pub(super) const NEAR: f64 = 0.85;

/// Conjunctions between questions, in lower case.
const JOINTS: [&str; 9] =
    [", and also ", " and also ", ", as well as ", " as well as ", ", and ", " and ", "; ", ", but ", " / "];

/// Splits a question at ends of sentences, at line feeds, and at conjunctions whose two sides can
/// be searched separately.
///
/// The parts are in order, without the conjunctions. A single part is the question itself.
///
/// ```
/// let question = "How are tokens refreshed, and where is the session cache evicted?";
/// let parts = git_cora::answer::ask::split(question);
/// assert_eq!(parts, ["How are tokens refreshed", "where is the session cache evicted"]);
/// assert_eq!(git_cora::answer::ask::split("read and write").len(), 1);
/// ```
pub fn split(question: &str) -> Vec<String> {
    let whole = question.trim();
    let mut parts: Vec<&str> = Vec::new();
    for sentence in sentences(whole) {
        parts.extend(joined(sentence));
    }
    let mut out: Vec<String> = Vec::new();
    for part in parts {
        let part =
            without_number(part.trim()).trim_matches(|c: char| c.is_whitespace() || ".;,?!".contains(c));
        // A fragment belongs to the text before it.
        match out.last_mut() {
            Some(last) if weight(part) < LEAST_WORDS => {
                last.push_str(", ");
                last.push_str(part);
            }
            _ if part.is_empty() => {}
            _ => out.push(part.to_owned()),
        }
    }
    if out.len() > 1 && out.first().is_some_and(|first| weight(first) < LEAST_WORDS) {
        let first = out.remove(0);
        if let Some(next) = out.first_mut() {
            *next = format!("{first}, {next}");
        }
    }
    if (2..=MOST).contains(&out.len()) { out } else { vec![whole.to_owned()] }
}

/// Returns the number of content words.
fn weight(text: &str) -> usize {
    words(text).len()
}

/// Returns the content words and the parts of identifiers, in lower case, each once.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for token in identifier::tokens(text) {
        identifier::each_part(token, |part| {
            let part = part.to_lowercase();
            let is_word = part.chars().nth(1).is_some() && !query::is_stop_word(&part);
            if is_word && !words.contains(&part) {
                words.push(part);
            }
        });
    }
    words
}

/// Cuts the text after `.`, `?`, `!` and `;` before a blank, and at line feeds.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let is_end = |at: usize, c: char| {
            c == '\n'
                || ".?!;".contains(c)
                    && rest
                        .get(at + 1..)
                        .and_then(|after| after.chars().next())
                        .is_some_and(char::is_whitespace)
                    && !["e.g", "i.e", "vs", "etc"]
                        .iter()
                        .any(|short| rest.get(..at).unwrap_or_default().to_ascii_lowercase().ends_with(short))
                    && !is_number(rest.get(..at).unwrap_or_default())
        };
        let end = rest
            .char_indices()
            .find(|&(at, c)| is_end(at, c))
            .map_or(rest.len(), |(at, c)| at + c.len_utf8());
        let (sentence, after) = rest.split_at(end);
        rest = after;
        Some(sentence)
    })
}

/// Returns whether a text is the number of a list item.
fn is_number(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.len() < 4 && text.chars().all(|c| c.is_ascii_digit())
}

/// Returns the text of a list item, without its mark.
fn without_number(text: &str) -> &str {
    if let Some(rest) = text.strip_prefix("- ").or_else(|| text.strip_prefix("* ")) {
        return rest;
    }
    match text.split_once(['.', ')']) {
        Some((number, rest)) if is_number(number) && rest.starts_with(' ') => rest.trim_start(),
        _ => text,
    }
}

/// Cuts a sentence at its conjunctions where both sides are questions.
fn joined(sentence: &str) -> Vec<&str> {
    // Same length as the sentence, because only ASCII changes.
    let lower = sentence.to_ascii_lowercase();
    let mut joints: Vec<(usize, usize)> = JOINTS
        .iter()
        .flat_map(|joint| lower.match_indices(joint))
        .map(|(at, joint)| (at, at + joint.len()))
        .collect();
    // A comma before another question.
    let begins = |at: usize| {
        let word = lower.get(at + 2..).and_then(|rest| rest.split_whitespace().next());
        word.is_some_and(|word| ASKING.contains(&word))
    };
    joints.extend(lower.match_indices(", ").filter(|(at, _)| begins(*at)).map(|(at, _)| (at, at + 2)));
    // The longest conjunction at a position comes first.
    joints.sort_by_key(|&(start, end)| (start, std::cmp::Reverse(end)));
    let mut parts = Vec::new();
    let mut begin = 0;
    for (start, end) in joints {
        if start < begin {
            continue;
        }
        let left = sentence.get(begin..start).unwrap_or_default();
        let right = sentence.get(end..).unwrap_or_default();
        // `between this and that` must stay together.
        let lower_left = lower.get(begin..start).unwrap_or_default();
        let is_pair = lower_left.rsplit_once("between ").is_some_and(|(_, first)| !first.contains(" and "));
        if !is_pair && is_question(left) && is_question(right) {
            parts.push(left);
            begin = end;
        }
    }
    parts.push(sentence.get(begin..).unwrap_or_default());
    parts
}

/// Words with which a question begins.
const ASKING: [&str; 16] = [
    "how", "where", "what", "which", "who", "why", "when", "is", "are", "does", "do", "can", "should",
    "must", "will", "was",
];

/// Returns whether a text is long enough to be searched by itself. A text that begins like a
/// question may be shorter.
fn is_question(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let least = if ASKING.contains(&first.as_str()) { LEAST_WORDS } else { LEAST_WORDS + 1 };
    weight(text) >= least
}

/// Returns the cosine of two texts by the built-in model. It is 1 for texts with the same words,
/// and 0 if the model knows no word of one of them.
pub(super) fn cosine(a: &str, b: &str) -> f64 {
    let words = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    if words(a) == words(b) {
        return 1.0;
    }
    let (a, b) = (query::parse(a).question, query::parse(b).question);
    f64::from(a.dot(&b.vector)) / embed::Question::ONE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_split_where_they_are_joined() {
        let cases: [(&str, &[&str]); 12] = [
            ("how are records encoded", &["how are records encoded"]),
            (
                "How are records encoded? Who checks the magic bytes?",
                &["How are records encoded", "Who checks the magic bytes"],
            ),
            (
                "how do retries work and where is the back-off computed",
                &["how do retries work", "where is the back-off computed"],
            ),
            (
                "what happens when a broker dies; which threads elect a leader",
                &["what happens when a broker dies", "which threads elect a leader"],
            ),
            ("add and remove rows and columns", &["add and remove rows and columns"]),
            (
                "parse the config file\nvalidate each header field",
                &["parse the config file", "validate each header field"],
            ),
            (
                "Where is it? The session cache of the server.",
                &["Where is it? The session cache of the server."],
            ),
            (
                "1. where are cookies stored\n2) where are redirects followed",
                &["where are cookies stored", "where are redirects followed"],
            ),
            (
                "how is the format changed, where are CSV columns chosen",
                &["how is the format changed", "where are CSV columns chosen"],
            ),
            (
                "how does it choose between the memory queue and the disk queue, and how is a request written",
                &[
                    "how does it choose between the memory queue and the disk queue",
                    "how is a request written",
                ],
            ),
            ("", &[""]),
            (
                "open(path) fails, e.g. with a.b.c in the name",
                &["open(path) fails, e.g. with a.b.c in the name"],
            ),
        ];
        for (question, parts) in cases {
            assert_eq!(split(question), parts, "{question}");
        }
        let many = "this is a sentence about the parser. ".repeat(20);
        assert_eq!(split(&many).len(), 1, "a text is not a list of questions");
        assert!(split("é and ü; ÄÖÜ / ß and 中文 and İstanbul").len() <= 6);
    }

    #[test]
    fn a_word_counts_once() {
        assert_eq!(words("Cache, the CACHE of openCache"), ["cache", "open"]);
    }

    #[test]
    fn what_says_the_same_is_near() {
        assert!(cosine("how are records encoded", "How are  records encoded") > 0.99);
        assert!(cosine("how are records encoded", "How are the records encoded?") > NEAR);
        assert!(cosine("how are records encoded", "where is the session cache evicted") < NEAR);
    }
}
