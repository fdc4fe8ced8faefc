//! Query words: a query → the places of its words in a line, for choosing lines and emphasising
//! words.
//!
//! This only affects how a found chunk is shown, so it is simpler than the search. Words are the
//! parts of identifiers (`getElement`, `get_element`), compared without case and common endings.

use super::Results;
use std::collections::HashMap;
use std::ops::Range;

/// Words that do not help to choose a line.
const STOP: [&str; 32] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "how", "i", "in",
    "is", "it", "of", "on", "or", "that", "the", "this", "to", "we", "what", "when", "where", "which", "why",
    "with",
];

/// The words of a query: stem → number.
pub(super) struct Terms(HashMap<String, usize>);

impl Terms {
    /// Collects the searched words: those of the query and the substitutes for misspelt ones.
    pub(super) fn of(results: &Results) -> Self {
        let near = results.near.iter().flat_map(|near| &near.instead).map(String::as_str);
        Self::of_text(&[results.query.as_str()].into_iter().chain(near).collect::<Vec<_>>().join(" "))
    }

    fn of_text(query: &str) -> Self {
        let words = parts(query).into_iter().filter_map(|at| query.get(at)).map(str::to_lowercase);
        let words = words.filter(|word| word.chars().nth(1).is_some() && !STOP.contains(&word.as_str()));
        let mut numbered = HashMap::new();
        for word in words.map(stem) {
            let next = numbered.len();
            numbered.entry(word).or_insert(next);
        }
        Self(numbered)
    }

    /// Returns the places of query words in `text`, in order, each with the number of its word.
    pub(super) fn find(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        if self.0.is_empty() {
            return Vec::new();
        }
        parts(text)
            .into_iter()
            .filter_map(|at| {
                let word = stem(text.get(at.clone())?.to_lowercase());
                self.0.get(&word).map(|&which| (at, which))
            })
            .collect()
    }
}

/// Returns the word without a common English ending.
fn stem(mut word: String) -> String {
    for ending in ["ing", "ies", "ed", "es", "er", "s", "e", "y"] {
        if word.strip_suffix(ending).is_some_and(|rest| rest.len() > 2) {
            word.truncate(word.len() - ending.len());
            break;
        }
    }
    word
}

/// Returns the parts of words: runs of letters and digits, cut where a capital follows a small
/// letter.
fn parts(text: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, c) in text.char_indices() {
        if !c.is_alphanumeric() {
            if let Some((start, _)) = open.take() {
                parts.push(start..at);
            }
            continue;
        }
        open = match open {
            Some((start, last)) if c.is_uppercase() && !last.is_uppercase() => {
                parts.push(start..at);
                Some((at, c))
            }
            Some((start, _)) => Some((start, c)),
            None => Some((at, c)),
        };
    }
    if let Some((start, _)) = open {
        parts.push(start..text.len());
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_words_across_spellings() {
        let terms = Terms::of_text("where are the options parsed?");
        let found =
            |text: &str| terms.find(text).into_iter().map(|(at, _)| text[at].to_owned()).collect::<Vec<_>>();
        assert_eq!(found("fn parse_option(x)"), ["parse", "option"]);
        assert_eq!(found("let parsingOptions = 1"), ["parsing", "Options"]);
        assert!(found("where are the").is_empty());
    }
}
