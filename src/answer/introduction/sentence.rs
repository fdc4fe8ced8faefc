//! The form of a sentence: what tells a sentence about the subject of a document from one about
//! something else.
//!
//! Paragraph → its first sentences, and for each its words and the verb that says what its subject
//! is. The words that decide are English. Where the sentence is in its document is not looked at
//! here.

use crate::index::chunk::first_sentence;

/// Fewest words of a sentence that says what something is.
pub(super) const WORDS: usize = 4;

/// Most words before the verb of a sentence that says what something is.
const SUBJECT_WORDS: usize = 6;

/// Most sentences of a paragraph that are read.
const SENTENCES: usize = 3;

/// First words of a sentence that leads elsewhere, or speaks to or of people.
pub(super) const POINTERS: [&str; 53] = [
    "all",
    "although",
    "and",
    "as",
    "because",
    "but",
    "check",
    "click",
    "copyright",
    "current",
    "documentation",
    "download",
    "find",
    "follow",
    "for",
    "get",
    "here",
    "how",
    "i",
    "if",
    "in",
    "it",
    "its",
    "join",
    "latest",
    "learn",
    "make",
    "more",
    "most",
    "note",
    "on",
    "our",
    "please",
    "read",
    "see",
    "show",
    "since",
    "star",
    "supported",
    "thanks",
    "there",
    "these",
    "they",
    "those",
    "to",
    "use",
    "version",
    "visit",
    "we",
    "welcome",
    "what",
    "when",
    "you",
];

/// Words of a sentence about an event, a right, or the document itself.
pub(super) const ASIDES: [&str; 23] = [
    "announce",
    "announcing",
    "badge",
    "changelog",
    "contribute",
    "contributing",
    "contributors",
    "copyright",
    "deprecated",
    "discord",
    "excited",
    "licence",
    "license",
    "licensed",
    "moved",
    "readme",
    "released",
    "slack",
    "spdx",
    "sponsor",
    "sponsored",
    "sponsors",
    "warning",
];

/// Verbs by which a sentence says what its subject is or does.
const DEFINING: [&str; 22] = [
    "adds",
    "aims",
    "allows",
    "are",
    "brings",
    "contains",
    "defines",
    "enables",
    "extends",
    "gives",
    "helps",
    "implements",
    "includes",
    "is",
    "lets",
    "makes",
    "offers",
    "provides",
    "sends",
    "supports",
    "takes",
    "turns",
];

/// Words after "is" in a sentence about a state of the subject.
const STATES: [&str; 22] = [
    "also",
    "available",
    "being",
    "built",
    "compatible",
    "currently",
    "developed",
    "distributed",
    "in",
    "interested",
    "maintained",
    "no",
    "not",
    "now",
    "open",
    "published",
    "required",
    "still",
    "tested",
    "under",
    "used",
    "where",
];

/// Returns the first sentences of a paragraph.
pub(super) fn sentences(paragraph: &str) -> Vec<String> {
    let mut rest = paragraph;
    let mut found = Vec::new();
    while found.len() < SENTENCES && !rest.trim().is_empty() {
        found.push(first_sentence(rest));
        let end = rest.match_indices(['.', '!', '?']).map(|(at, _)| at + 1).find(|&at| {
            let (before, after) = rest.split_at(at);
            let is_short = before.ends_with("e.g.") || before.ends_with("i.e.");
            !is_short && after.starts_with(char::is_whitespace)
        });
        rest = end.and_then(|end| rest.get(end..)).unwrap_or_default();
    }
    found
}

/// Returns the place of the verb in the words of a sentence that says what its subject is.
pub(super) fn defining_verb(words: &[String]) -> Option<usize> {
    let is_verb = |word: &String| DEFINING.contains(&word.as_str());
    let at = words.iter().take(SUBJECT_WORDS + 1).position(is_verb).filter(|&at| at > 0)?;
    let of_state = words.get(at + 1).is_none_or(|next| STATES.contains(&next.as_str()));
    let is_open = words.get(at + 1).is_some_and(|next| next == "open") && words.len() > at + 4;
    (!of_state || is_open).then_some(at)
}

/// Returns the words of a text, in lower case.
pub(super) fn words(text: &str) -> Vec<String> {
    let is_sign = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '\'' | '’');
    text.split(is_sign).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Returns whether the first word of a text is one of these. A contraction is its first half.
pub(super) fn begins_with(text: &str, any: &[&str]) -> bool {
    let first = words(text).into_iter().next().unwrap_or_default();
    let first = first.split(['\'', '’']).next().unwrap_or_default();
    any.contains(&first)
}

/// Returns a sentence without the clause that leads to a list or a command. Empty if nothing else
/// is in it.
pub(super) fn before_list(mut sentence: String) -> String {
    if sentence.ends_with(':') {
        let whole = words(&sentence);
        let leads =
            ["as", "are", "being", "following", "for", "include", "includes", "is", "of", "to", "with"];
        let is_whole = whole.last().is_none_or(|last| !leads.contains(&last.as_str()))
            && !whole.iter().any(|word| word == "following")
            && defining_verb(&whole).is_some();
        let end = if is_whole { Some(sentence.len() - 1) } else { sentence.rfind(", ") };
        sentence.truncate(end.unwrap_or(0));
        if sentence.split_whitespace().count() <= WORDS {
            sentence.clear();
        }
    }
    sentence
}
