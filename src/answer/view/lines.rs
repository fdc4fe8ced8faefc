//! Lines: a file's text → its lines by number.
//!
//! Line numbers are 1-based. Shown lines are cleaned and cut at a maximum length. Numbers outside
//! the text give empty lines or ranges, because the file may have changed since indexing. Must not
//! decide which lines are shown: `reduce` does.

use super::ResultItem;
use crate::index::chunk::{ByteRange, Span};
use std::borrow::Cow;
use std::fmt::Write;
use std::ops::{Range, RangeInclusive};

/// Maximum characters of a line in views without a width. Longer lines are data or minified code
/// and would use up the budget.
const MAX_LINE: usize = 1000;

/// Returns lines of a text behind their numbers. Lines outside the text are left out.
///
/// Control characters are replaced and very long lines are cut; otherwise lines are unchanged.
///
/// ```
/// assert_eq!(git_cora::answer::view::numbered("a\n\tb\nc", 2..=9), "2  \tb\n3  c\n");
/// ```
pub fn numbered(text: &str, range: RangeInclusive<usize>) -> String {
    let lines = Lines::new(text);
    let last = (*range.end()).min(lines.n());
    let gutter = last.to_string().len();
    (*range.start().max(&1)..=last).fold(String::new(), |mut out, at| {
        let _ = writeln!(out, "{at:>gutter$}  {}", lines.shown(at, 0));
        out
    })
}

/// Returns how many of these lines [`numbered`] cuts, because they are longer than `limit`
/// characters, and this limit.
pub fn cut_lines(text: &str, range: RangeInclusive<usize>) -> (usize, usize) {
    let lines = Lines::new(text);
    let last = (*range.end()).min(lines.n());
    let is_long = |at: &usize| {
        let line = lines.get(*at);
        line.len() > MAX_LINE && line.chars().nth(MAX_LINE).is_some()
    };
    ((*range.start().max(&1)..=last).filter(is_long).count(), MAX_LINE)
}

/// A text with the offsets at which its lines begin.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Finds the lines, in linear time.
    pub(super) fn new(text: &'t str) -> Self {
        let after_feeds = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(after_feeds).filter(|&at| at < text.len()).collect();
        Self { text, starts }
    }

    /// Returns the number of lines; a last line without line feed counts.
    pub(super) fn n(&self) -> usize {
        self.starts.len()
    }

    /// Returns the line with that number, 1-based, without its line feed; empty if it does not
    /// exist.
    pub(super) fn get(&self, number: usize) -> &'t str {
        let Some(&start) = number.checked_sub(1).and_then(|at| self.starts.get(at)) else { return "" };
        let end = self.starts.get(number).map_or(self.text.len(), |&next| next);
        let line = self.text.get(start..end).unwrap_or_default();
        line.strip_suffix('\n').unwrap_or(line)
    }

    /// Returns whether the line contains only white space.
    pub(super) fn is_blank(&self, number: usize) -> bool {
        self.get(number).trim().is_empty()
    }

    /// Returns the existing lines of a span; empty if the span is outside the text (the file has
    /// changed).
    pub(super) fn of_span(&self, span: &Span) -> RangeInclusive<usize> {
        (span.start_line as usize).max(1)..=(span.end_line as usize).min(self.n())
    }

    /// Returns the existing lines of a result and those shown around it; empty if the result is
    /// outside the text.
    pub(super) fn of_item(&self, item: &ResultItem) -> RangeInclusive<usize> {
        let core = self.of_span(&item.span);
        if core.is_empty() {
            return core;
        }
        let start = core.start().saturating_sub(item.around).max(1);
        start..=core.end().saturating_add(item.around).min(self.n())
    }

    /// Returns the lines around a result that are shown with it.
    pub(super) fn around(&self, item: &ResultItem) -> impl Iterator<Item = usize> {
        let core = self.of_span(&item.span);
        self.of_item(item).filter(move |at| !core.contains(at))
    }

    /// Returns the lines that a byte range touches; `None` if the range is empty or outside the
    /// text.
    pub(super) fn of_bytes(&self, range: &ByteRange) -> Option<RangeInclusive<usize>> {
        let (start, end) = (range.start as usize, range.end as usize);
        if range.is_empty() || end > self.text.len() {
            return None;
        }
        let line = |at: usize| self.starts.partition_point(|&start| start <= at);
        Some(line(start)..=line(end - 1))
    }

    /// Returns the byte offset at which a line (1-based) begins; the end of the text for lines
    /// beyond it.
    pub(super) fn start(&self, number: usize) -> usize {
        number.checked_sub(1).and_then(|at| self.starts.get(at)).map_or(self.text.len(), |&at| at)
    }

    /// Returns the position of these lines in characters (Unicode scalar values) from the start of
    /// the text, 0-based, half-open.
    pub(super) fn characters(&self, lines: RangeInclusive<usize>) -> Range<usize> {
        let count = |until: usize| self.text.get(..until).map_or(0, |text| text.chars().count());
        count(self.start(*lines.start()))..count(self.start(lines.end() + 1))
    }

    /// Returns at most [`MAX_LINE`] characters of a line, without control characters.
    ///
    /// A longer line begins at byte offset `from` of the text if that is inside the line. A byte
    /// order mark at the start of the text is not shown.
    pub(super) fn shown(&self, number: usize, from: usize) -> Cow<'t, str> {
        let whole = self.get(number);
        let line = if number == 1 { whole.strip_prefix('\u{feff}').unwrap_or(whole) } else { whole };
        if line.len() <= MAX_LINE {
            return super::clean::line(line);
        }
        let skipped = from.saturating_sub(self.start(number) + whole.len() - line.len());
        let rest = line.get(skipped..).unwrap_or(line);
        let end = rest.char_indices().nth(MAX_LINE).map_or(rest.len(), |(at, _)| at);
        let kept = rest.get(..end).unwrap_or_default();
        if kept.len() == line.len() {
            return super::clean::line(line);
        }
        let (before, after) = (rest.len() < line.len(), end < rest.len());
        let dots = |is: bool| if is { "…" } else { "" };
        Cow::Owned(format!("{}{}{}", dots(before), super::clean::line(kept), dots(after)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_not_shown() {
        let text = format!("\u{feff}using System;\n\u{feff}{}\n", "x".repeat(9));
        let lines = Lines::new(&text);
        assert_eq!(lines.shown(1, 0), "using System;");
        assert!(lines.shown(2, 0).contains("FEFF"), "in the middle it is a character like others");
        let long = format!("\u{feff}{}\n", "ab".repeat(MAX_LINE));
        let from = 3 + 10;
        assert!(Lines::new(&long).shown(1, from).starts_with("…ab"));
    }

    #[test]
    fn numbers_lines() {
        let lines = Lines::new("a\nbb\n\nc");
        assert_eq!(lines.n(), 4);
        assert_eq!((1..=5).map(|n| lines.get(n)).collect::<Vec<_>>(), ["a", "bb", "", "c", ""]);
        assert_eq!(lines.of_bytes(&ByteRange { start: 2, end: 5 }), Some(2..=2));
        assert_eq!(lines.of_bytes(&ByteRange { start: 2, end: 6 }), Some(2..=3));
        assert_eq!(lines.of_bytes(&ByteRange { start: 2, end: 60 }), None);
        assert_eq!(Lines::new("").n(), 0);
    }

    #[test]
    fn cuts_endless_lines() {
        let text = format!("x\n{}", "ab".repeat(5000));
        let lines = Lines::new(&text);
        let shown = lines.shown(2, 2 + 3001);
        assert!(shown.starts_with("…ba") && shown.ends_with("ba…"), "{shown}");
        assert_eq!(shown.chars().count(), 1_002);
    }
}
