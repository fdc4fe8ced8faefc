//! Entries by indentation: a text in which the parser stops at an error → the values that it cannot
//! read.
//!
//! Each document of the text is parsed alone. One with an error is halved between its entries until
//! the broken one is found, and then the entries in that are. An entry is a line with the least
//! indentation, and the lines below that are indented further.

use super::super::ByteRange;
use super::super::lines::{Lines, offset};
use super::super::parse::{Budget, SeenText};
use super::{indentation, written};
use tree_sitter::Tree;

/// How deeply entries are taken apart.
const MAX_DEPTH: usize = 6;

/// Bytes that a parse counts for, besides its own.
const PARSE_BYTES: usize = 512;

/// Bytes that may be parsed for each byte of a text, and for any text.
const MAX_PARSES: usize = 8;
const MAX_BYTES: usize = 1 << 20;

/// Most broken entries of a text. One with more is in another language.
const MAX_BROKEN: usize = 256;

/// An entry that cannot be read.
pub(super) struct BrokenEntry {
    /// Its value, or all of it if it has no key.
    pub(super) value: ByteRange,
    /// The tree of it and of the lines around it.
    pub(super) tree: Tree,
}

/// The state of the search for broken entries.
pub(super) struct Entries<'t, 'b> {
    lines: &'t Lines<'t>,
    seen: &'b SeenText<'t>,
    budget: &'b mut Budget,
    /// Bytes that may still be parsed.
    n_bytes: usize,
    broken: Vec<BrokenEntry>,
}

impl<'t, 'b> Entries<'t, 'b> {
    /// Prepares a search.
    pub(super) fn new(lines: &'t Lines<'t>, seen: &'b SeenText<'t>, budget: &'b mut Budget) -> Self {
        let n_bytes = MAX_PARSES * lines.text().len() + MAX_BYTES;
        Self { lines, seen, budget, n_bytes, broken: Vec::new() }
    }

    /// Returns the broken entries in order. `None` if there are none or too many.
    pub(super) fn find(mut self) -> Option<Vec<BrokenEntry>> {
        let is_mark = |line: &u32| {
            let rest = written(self.lines, *line).strip_prefix("---");
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r']))
        };
        let mut starts: Vec<u32> = (1..self.lines.len()).filter(is_mark).collect();
        starts.insert(0, 0);
        for (at, &first) in starts.iter().enumerate() {
            let last = starts.get(at + 1).copied().unwrap_or(self.lines.len());
            self.narrow(&[], first, last, 0)?;
        }
        (!self.broken.is_empty()).then_some(self.broken)
    }

    /// Returns the bytes of lines, the last one excluded.
    fn range(&self, first: u32, last: u32) -> ByteRange {
        ByteRange { start: self.lines.start(first), end: self.lines.start(last) }
    }

    /// Parses an entry between the first lines of those around it; `None` if too much was parsed
    /// before.
    fn parse(&mut self, around: &[ByteRange], own: ByteRange) -> Option<Tree> {
        let ranges: Vec<ByteRange> = around.iter().copied().chain([own]).collect();
        let size = ranges.iter().map(|one| one.len() as usize).sum::<usize>() + PARSE_BYTES;
        self.n_bytes = self.n_bytes.checked_sub(size)?;
        self.seen.parse(self.lines, &ranges, None, self.budget)
    }

    /// Finds the broken entries in some lines, which are an entry or a document. `None` if this
    /// takes too long or finds too much.
    fn narrow(&mut self, around: &[ByteRange], first: u32, last: u32, depth: usize) -> Option<()> {
        let own = self.range(first, last);
        if own.of(self.lines.text()).trim().is_empty() {
            return Some(());
        }
        let tree = self.parse(around, own)?;
        if !tree.root_node().has_error() {
            return Some(());
        }
        let n_before = self.broken.len();
        let is_document = depth == 0;
        let mut head = around.to_vec();
        let mut inner = first;
        if !is_document || written(self.lines, first).starts_with("---") {
            inner = first + 1;
            head.push(self.range(first, inner));
        }
        let is_taken_apart = depth < MAX_DEPTH
            && inner < last
            && (is_document || !self.parse(around, self.range(first, inner))?.root_node().has_error());
        if is_taken_apart {
            let starts = self.starts(inner, last);
            self.halve(&head, &starts, last, depth + 1)?;
        }
        if self.broken.len() == n_before && !is_document {
            self.broken.push(BrokenEntry { value: self.value(first, last), tree });
        }
        (self.broken.len() <= MAX_BROKEN).then_some(())
    }

    /// Finds the broken ones of several entries, the last of which ends before a line.
    fn halve(&mut self, around: &[ByteRange], starts: &[u32], last: u32, depth: usize) -> Option<()> {
        let Some(&first) = starts.first() else { return Some(()) };
        if starts.len() == 1 {
            return self.narrow(around, first, last, depth);
        }
        if !self.parse(around, self.range(first, last))?.root_node().has_error() {
            return Some(());
        }
        let (before, behind) = starts.split_at_checked(starts.len() / 2)?;
        self.halve(around, before, behind.first().copied().unwrap_or(last), depth)?;
        self.halve(around, behind, last, depth)
    }

    /// Returns the lines at which entries begin: those with the least indentation. The items of a
    /// list may be indented as their key is.
    fn starts(&self, first: u32, last: u32) -> Vec<u32> {
        let begins = |line: &u32| {
            let text = written(self.lines, *line).trim_start();
            !text.is_empty() && !text.starts_with(['#', '}', ']'])
        };
        let indent = |line: u32| indentation(self.lines, line);
        let Some(level) = (first..last).filter(begins).map(indent).min() else { return Vec::new() };
        let is_item = |line: u32| {
            let text = written(self.lines, line).trim();
            text == "-" || text.starts_with("- ")
        };
        let mut all = (first..last).filter(begins).filter(|&line| indent(line) == level);
        let Some(start) = all.next() else { return Vec::new() };
        let is_list = is_item(start);
        std::iter::once(start).chain(all.filter(|&line| is_list || !is_item(line))).collect()
    }

    /// Returns the value of an entry, to the end of its last line. Without a plain key, that is all
    /// of the entry.
    fn value(&self, first: u32, last: u32) -> ByteRange {
        let all = self.range(first, last);
        let line = written(self.lines, first);
        let mut key = line.trim_start();
        while let Some(item) = key.strip_prefix("- ") {
            key = item.trim_start();
        }
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' ');
        let end = key.find(|c: char| !is_plain(c)).unwrap_or(key.len());
        let rest = key.get(end..).unwrap_or_default();
        let is_indented = !line.trim_start_matches(' ').starts_with('\t');
        let has_value =
            end > 0 && is_indented && (rest.starts_with(": ") || rest.starts_with(":\t") || rest == ":");
        if !has_value {
            return all;
        }
        let written = all.of(self.lines.text()).trim_end().len();
        let start = all.start + offset(line.len() - rest.len() + 1);
        ByteRange { start, end: (all.start + offset(written)).max(start) }
    }
}
