//! Pieces: source → lines split into classified pieces, for callers that do the colouring
//! themselves.
//!
//! Whatever the repository contains, pieces hold no control characters except tabs, and no
//! characters that reorder text.

use std::ops::{Range, RangeInclusive};

use tree_sitter::Language;

use super::highlight::{Class, highlight_file};
use super::lines::Lines;
use super::terms::Terms;
use super::text::classes;
use super::{ResultItem, Results, reduce};
use crate::base::text::clean;

/// Maximum characters of a line. Longer lines are data or minified code, and are cut.
const MAX_CHARACTERS: usize = 1000;

/// A line of source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeLine {
    /// Its number, 1-based.
    pub number: usize,
    /// The pieces of the line, in order; none for an empty line.
    pub pieces: Vec<Piece>,
    /// Whether the end of the line was cut off.
    pub is_cut: bool,
}

/// A part of a line in which all characters have the same class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The text, cleaned.
    pub text: String,
    /// Syntactic class of the text; `None` for text without one.
    pub class: Option<Class>,
    /// Whether it is a query word.
    pub is_match: bool,
}

/// Returns at most `most` lines of each result: its signature and the lines with query words, as
/// [`text`](super::text()) chooses them.
///
/// A result whose source can't be read has no lines.
pub fn excerpts(
    results: &Results,
    most: usize,
    grammar: &dyn Fn(&str) -> Option<Language>,
) -> Vec<Vec<CodeLine>> {
    let terms = Terms::of(results);
    let excerpt = |item: &ResultItem| {
        let Some(text) = item.text.as_deref() else { return Vec::new() };
        let lines = Lines::new(text);
        let classes = classes(item, &lines, grammar);
        let chosen = reduce::choose(item, &lines, &terms, most.max(1));
        chosen.into_iter().map(|at| line(&lines, at, &classes, Some(&terms))).collect()
    };
    results.results.iter().map(excerpt).collect()
}

/// Returns lines of a whole file; those outside the file are left out.
///
/// ```
/// use git_cora::answer::view::lines;
/// let found = lines("a = 1\nb = 2\n", 2..=9, None);
/// assert_eq!((found.len(), found[0].number, found[0].pieces[0].text.as_str()), (1, 2, "b = 2"));
/// ```
pub fn lines(text: &str, range: RangeInclusive<usize>, grammar: Option<&Language>) -> Vec<CodeLine> {
    let classes = highlight_file(grammar, text);
    let lines = Lines::new(text);
    let last = (*range.end()).min(lines.n());
    (*range.start().max(&1)..=last).map(|at| line(&lines, at, &classes, None)).collect()
}

fn line(
    lines: &Lines<'_>,
    number: usize,
    classes: &[(Range<usize>, Class)],
    terms: Option<&Terms>,
) -> CodeLine {
    let whole = lines.get(number);
    let whole = whole.strip_suffix('\r').unwrap_or(whole);
    let end = whole.char_indices().nth(MAX_CHARACTERS).map_or(whole.len(), |(at, _)| at);
    let shown = whole.get(..end).unwrap_or(whole);
    let start = lines.start(number);
    let mut class_at = classes.partition_point(|(range, _)| range.end <= start);
    let mut found = terms.map(|terms| terms.find(shown)).unwrap_or_default().into_iter().peekable();
    let mut pieces: Vec<Piece> = Vec::new();
    for (offset, c) in shown.char_indices() {
        while classes.get(class_at).is_some_and(|(range, _)| range.end <= start + offset) {
            class_at += 1;
        }
        while found.next_if(|(range, _)| range.end <= offset).is_some() {}
        let class = classes.get(class_at).filter(|(range, _)| range.contains(&(start + offset)));
        let class = class.map(|(_, class)| *class);
        let is_match = found.peek().is_some_and(|(range, _)| range.contains(&offset));
        if pieces.last().is_none_or(|last| (last.class, last.is_match) != (class, is_match)) {
            pieces.push(Piece { text: String::new(), class, is_match });
        }
        if let Some(last) = pieces.last_mut() {
            match clean::stand_in(c).filter(|_| c != '\t') {
                Some(stand_in) => last.text.push_str(&stand_in),
                None => last.text.push(c),
            }
        }
    }
    CodeLine { number, pieces, is_cut: end < whole.len() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_line_with_nothing_that_acts() {
        let rust = tree_sitter_rust::LANGUAGE.into();
        let text = "fn a() {}\r\n\tlet x = \"\u{202e}\x1b[0m<b>\"; // é\n\n";
        let found = lines(text, 1..=99, Some(&rust));
        let shown: Vec<String> =
            found.iter().map(|line| line.pieces.iter().map(|piece| piece.text.as_str()).collect()).collect();
        assert_eq!(shown, ["fn a() {}", "\tlet x = \"‹U+202E›␛[0m<b>\"; // é", ""]);
        let second = &found[1].pieces;
        assert_eq!(second[1], Piece { text: "let".to_owned(), class: Some(Class::Keyword), is_match: false });
        assert_eq!(second[3].class, Some(Class::String));
        assert!(found.iter().all(|line| !line.is_cut));
    }

    #[test]
    fn endless_lines_are_cut() {
        let found = lines(&"é".repeat(5000), 1..=1, None);
        assert!(found[0].is_cut);
        assert_eq!(found[0].pieces[0].text.chars().count(), 1000);
        assert!(lines("", 1..=1, None).is_empty());
    }

    #[test]
    fn excerpts_tell_the_words_of_the_query() {
        let text = "fn one() {\n    retry_upload();\n}\n";
        let item = crate::answer::view::tests::item(1, "a.rs", text, (1, 3), "one");
        let results = Results { query: "upload".to_owned(), results: vec![item], ..Results::default() };
        let found = excerpts(&results, 12, &|_| None);
        let matches: Vec<&str> = found[0]
            .iter()
            .flat_map(|line| &line.pieces)
            .filter(|piece| piece.is_match)
            .map(|piece| piece.text.as_str())
            .collect();
        assert_eq!(matches, ["upload"]);
        assert_eq!(found[0].len(), 3);
    }
}
