//! Text: results → text for people on a terminal.
//!
//! Each result has a header and the few lines of it that say most: its signature and the lines with
//! query words. Whatever the repository contains, only our own escape sequences are written, and
//! only with colour.

use super::budget::{Omission, fit};
use super::highlight::{Class, highlight};
use super::lines::Lines;
use super::passage::prose;
use super::reduce::{self, Detail, Row};
use super::terms::Terms;
use super::theme::{self, FAINT, MATCH, NUMBER, PATH, STATUS, SYMBOL};
use super::{Budget, InclusionDetail, ResultItem, Results, SearchedRepository, counted};
use crate::base::text::clean;
use anstyle::Style;
use std::fmt::Write;
use std::ops::Range;
use tree_sitter::Language;

/// The appearance of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextStyle {
    /// Whether escape sequences for colours and emphasis are written.
    pub color: bool,
    /// Columns of the terminal, at which lines are cut; 0 for no limit.
    pub width: usize,
    /// Maximum lines of code per result, in addition to the lines around it.
    pub code_lines: usize,
    /// Whether scores and their parts are shown.
    pub explain: bool,
}

impl Default for TextStyle {
    fn default() -> Self {
        Self { color: false, width: 0, code_lines: 12, explain: false }
    }
}

/// Columns between two tab stops.
const TAB: usize = 4;

/// Maximum characters of a line that are processed, whatever the width of the terminal.
const MAX_CHARACTERS: usize = 8 << 10;

/// Writes the results for people, best first, within the budget.
///
/// `grammar` returns a language's grammar by name, for syntax highlighting. It is called only with
/// colour.
pub fn text(
    results: &Results,
    style: &TextStyle,
    budget: &Budget,
    grammar: &dyn Fn(&str) -> Option<Language>,
) -> String {
    let terms = Terms::of(results);
    let levels = [Detail::Full, Detail::Location];
    let drawn: Vec<_> = results
        .results
        .iter()
        .map(|item| {
            let header = header(item, style);
            let full = format!("{header}{}\n", body(item, &terms, style, grammar));
            [(Detail::Full, full), (Detail::Location, header)]
        })
        .collect();
    let rule = first_similar(results);
    fit(results, budget, &levels, &|details, cut| {
        let mut out = String::new();
        for (at, (drawn, wanted)) in drawn.iter().zip(details).enumerate() {
            if let Some((_, text)) = drawn.iter().find(|(detail, _)| detail == wanted) {
                if Some(at) == rule {
                    out.push_str(SIMILAR);
                }
                out.push_str(text);
            }
        }
        out.push_str(&footer(results, style, cut));
        out
    })
}

/// The line between the references that were asked for and what is merely similar.
const SIMILAR: &str = "-- similar results that do not refer to it --\n";

/// The name of the line with the rule that moved a result.
const ORDER: &str = "order";

/// Returns the position of the first result without a reference that was asked for, if those before
/// it have one.
pub(super) fn first_similar(results: &Results) -> Option<usize> {
    let refers = |item: &ResultItem| item.relation.is_some();
    results.results.first().filter(|first| results.asks_references && refers(first))?;
    results.results.iter().position(|item| !refers(item))
}

/// Returns the text that [`text`] writes for each result, in order, without budget and footer.
pub fn entries(
    results: &Results,
    style: &TextStyle,
    grammar: &dyn Fn(&str) -> Option<Language>,
) -> Vec<String> {
    let terms = Terms::of(results);
    let entry = |item| format!("{}{}", header(item, style), body(item, &terms, style, grammar));
    results.results.iter().map(entry).collect()
}

/// A line that is being written: its text and the columns used.
struct Pen<'s> {
    out: String,
    style: &'s TextStyle,
    column: usize,
    /// Maximum columns of the line; 0 for no limit.
    width: usize,
    /// Column from which tab stops count.
    margin: usize,
    open: Style,
    is_full: bool,
}

impl<'s> Pen<'s> {
    fn new(style: &'s TextStyle) -> Self {
        let width = style.width;
        Self { out: String::new(), style, column: 0, width, margin: 0, open: Style::new(), is_full: false }
    }

    /// Writes text in a style, with controls replaced, tabs expanded, and cut at the width.
    fn write(&mut self, text: &str, style: Style) {
        for c in text.chars() {
            if c == '\t' {
                let to_stop = TAB - (self.column - self.margin.min(self.column)) % TAB;
                (0..to_stop).for_each(|_| self.put(' ', style));
            } else if let Some(shown) = clean::stand_in(c) {
                shown.chars().for_each(|c| self.put(c, style));
            } else {
                self.put(c, style);
            }
        }
    }

    fn put(&mut self, c: char, style: Style) {
        if self.is_full {
            return;
        }
        let columns = clean::columns(c);
        // The last column is reserved for the dots.
        let (c, columns) = match self.width {
            0 => (c, columns),
            width if self.column + columns < width => (c, columns),
            _ => {
                self.is_full = true;
                ('…', 1)
            }
        };
        if self.style.color && style != self.open {
            self.close();
            let _ = write!(self.out, "{style}");
            self.open = style;
        }
        self.out.push(c);
        self.column += columns;
    }

    fn close(&mut self) {
        let _ = write!(self.out, "{:#}", self.open);
        self.open = Style::new();
    }

    fn end(&mut self) {
        self.close();
        let trimmed = self.out.trim_end_matches([' ']).len();
        self.out.truncate(trimmed);
        self.out.push('\n');
        (self.column, self.margin, self.is_full) = (0, 0, false);
    }
}

pub(super) fn header(item: &ResultItem, style: &TextStyle) -> String {
    let mut pen = Pen::new(style);
    let place = reduce::place(item);
    let (path, lines) = place.rsplit_once(':').unwrap_or((&place, ""));
    // The place is never cut, because a cut place can't be opened.
    pen.width = 0;
    pen.write(path, PATH);
    pen.write(":", FAINT);
    pen.write(lines, NUMBER);
    pen.width = style.width;
    if !item.symbol.is_empty() {
        pen.write("  ", Style::new());
        pen.write(&item.symbol, SYMBOL);
    }
    pen.write("  ", Style::new());
    pen.write(item.kind, FAINT);
    let url = item.document().map(|document| document.url).unwrap_or_default();
    if !url.is_empty() {
        pen.write("  ", Style::new());
        pen.write(&url, FAINT);
    }
    let marks = item.marks();
    if !marks.is_empty() {
        pen.write("  ", Style::new());
        pen.write(&format!("[{marks}]"), STATUS);
    }
    if style.explain {
        pen.write("  ", Style::new());
        pen.write(&format!("{:.4}", item.score), NUMBER);
        if let Some(relevance) = item.relevance {
            pen.write("  ", Style::new());
            pen.write(&format!("relevance {relevance:.2}"), FAINT);
        }
    }
    pen.end();
    if style.explain {
        let parts = item.explanation.iter().map(|one| one.part.chars().count());
        let width = parts.max().unwrap_or_default().clamp(ORDER.len(), 24);
        for one in &item.explanation {
            pen.write(&format!("    {:<width$}  {:>9.4}  ", one.part, one.value), FAINT);
            pen.write(&one.detail, FAINT);
            pen.end();
        }
        if let Some(moved) = &item.moved {
            pen.write(&format!("    {ORDER:<width$}  {:>9}  {moved}", ""), FAINT);
            pen.end();
        }
    }
    if let Some(relation) = &item.relation {
        pen.write(&format!("    {relation}"), FAINT);
        pen.end();
    }
    pen.out
}

fn body(
    item: &ResultItem,
    terms: &Terms,
    style: &TextStyle,
    grammar: &dyn Fn(&str) -> Option<Language>,
) -> String {
    let Some(text) = item.text.as_deref() else { return String::new() };
    let lines = Lines::new(text);
    let all = lines.of_item(item);
    let mut chosen = match item.included {
        Some(InclusionDetail::Signature) => reduce::shown(item, &lines, terms, Detail::Signature),
        _ => reduce::choose(item, &lines, terms, style.code_lines.max(1)),
    };
    chosen.extend(lines.around(item));
    let classes = if style.color { classes(item, &lines, grammar) } else { Vec::new() };
    let gutter = all.end().to_string().len();
    let mut pen = Pen::new(style);
    for row in reduce::rows(all, &chosen) {
        match row {
            Row::Line(at) => {
                pen.write(&format!("{at:>gutter$}  "), FAINT);
                pen.margin = pen.column;
                match prose(item, &lines, at) {
                    Some(text) => code(&mut pen, &text, 0, terms, &[]),
                    None => code(&mut pen, lines.get(at), lines.start(at), terms, &classes),
                }
            }
            Row::Elided(_) => pen.write(&format!("{:>gutter$}", "⋮"), FAINT),
        }
        pen.end();
    }
    for also in item.also_line().into_iter().chain(item.copies_line()) {
        pen.write(&format!("{:>gutter$}  {also}", ""), FAINT);
        pen.end();
    }
    pen.out
}

/// Writes a line of code, highlighted, with the query's words emphasised.
fn code(pen: &mut Pen<'_>, line: &str, start: usize, terms: &Terms, classes: &[(Range<usize>, Class)]) {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let end = line.char_indices().nth(MAX_CHARACTERS).map_or(line.len(), |(at, _)| at);
    let line = line.get(..end).unwrap_or(line);
    let found = if pen.style.color { terms.find(line) } else { Vec::new() };
    let mut class_at = classes.partition_point(|(range, _)| range.end <= start);
    let mut found = found.into_iter().peekable();
    for (offset, c) in line.char_indices() {
        while classes.get(class_at).is_some_and(|(range, _)| range.end <= start + offset) {
            class_at += 1;
        }
        while found.next_if(|(range, _)| range.end <= offset).is_some() {}
        let class = classes.get(class_at).filter(|(range, _)| range.contains(&(start + offset)));
        let mut look = class.map_or(Style::new(), |(_, class)| theme::of_class(*class));
        if found.peek().is_some_and(|(range, _)| range.contains(&offset)) {
            look |= MATCH;
        }
        let mut bytes = [0; 4];
        pen.write(c.encode_utf8(&mut bytes), look);
    }
}

/// Returns the ranges of the whole chunk to highlight, in bytes of the file's text.
///
/// The shown lines alone are not enough, because a comment may begin above them.
pub(super) fn classes(
    item: &ResultItem,
    lines: &Lines<'_>,
    grammar: &dyn Fn(&str) -> Option<Language>,
) -> Vec<(Range<usize>, Class)> {
    let all = lines.of_item(item);
    let (start, end) = (lines.start(*all.start()), lines.start(all.end() + 1));
    let text = item.text.as_deref().and_then(|text| text.get(start..end)).unwrap_or_default();
    let classes = highlight(grammar(&item.language).as_ref(), text);
    classes.into_iter().map(|(range, class)| (range.start + start..range.end + start, class)).collect()
}

/// Returns the state of a searched repository in words.
fn state(searched: &SearchedRepository) -> String {
    let files = |n: usize| counted(n, "uncommitted file", "uncommitted files");
    match (&searched.commit, searched.worktree, searched.n_dirty) {
        (Some(commit), true, 0) => format!("working tree at {}", commit.abbreviated(12)),
        (Some(commit), true, n) => format!("working tree at {} + {}", commit.abbreviated(12), files(n)),
        (Some(commit), false, _) => match &searched.repository {
            // A remote repository has no other location than its origin.
            of if !of.origin.is_empty() && of.origin == of.path => {
                format!("commit {} of {}", commit.abbreviated(12), of.origin)
            }
            _ => format!("commit {}", commit.abbreviated(12)),
        },
        (None, _, n) => format!("working tree before the first commit, {}", files(n)),
    }
}

pub(super) fn footer(results: &Results, style: &TextStyle, cut: Option<&Omission>) -> String {
    let several = results.is_named || !results.others.is_empty();
    let searched = (0..=results.others.len()).map(|repository| results.searched(repository));
    let mut parts: Vec<String> = searched
        .map(|one| match several {
            true => format!("{}: {}", clean::name(&one.repository.path), state(&one)),
            false => state(&one),
        })
        .collect();
    if results.results.is_empty() {
        parts.insert(0, "nothing found".to_owned());
    }
    if results.n_more > 0 {
        parts.push(format!("{} more found", results.n_more));
    }
    parts.extend(cut.map(Omission::line));
    // Do not cut these lines at the width: that could hide their point.
    let mut pen = Pen::new(style);
    pen.width = 0;
    for warning in &results.warnings {
        pen.write("warning: ", STATUS);
        pen.write(warning, Style::new());
        pen.end();
    }
    for line in results.notes() {
        pen.write(&line, STATUS);
        pen.end();
    }
    pen.write(&parts.join(" · "), FAINT);
    pen.end();
    pen.out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_to_the_terminal() {
        for (text, width, shown) in [
            ("abcdef", 0, "abcdef\n"),
            ("abcdef", 6, "abcde…\n"),
            ("abcdef", 7, "abcdef\n"),
            ("a\tb\tc", 0, "a   b   c\n"),
            ("中中中", 4, "中…\n"),
            ("\x1b[2Jx", 0, "␛[2Jx\n"),
        ] {
            let style = TextStyle { width, ..TextStyle::default() };
            let mut pen = Pen::new(&style);
            pen.write(text, Style::new());
            pen.end();
            assert_eq!(pen.out, shown);
        }
    }
}
