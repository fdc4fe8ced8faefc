//! Narrowing: the lines of errors → the statements that the grammar cannot read.
//!
//! A parser that loses its way in a class takes nothing behind the place for a member. Most often
//! the class itself is intact: a line that opens it, and a line with the same indentation that
//! closes it. So its members are parsed one by one between these two lines. A member that cannot be
//! read so is taken apart in the same way, down to the statements. This costs about one more parse
//! of the lines.

use super::super::ByteRange;
use super::super::lines::Lines;
use super::super::parse::{Budget, SeenText};
use super::{indentation, is_continued, written};
use tree_sitter::Tree;

/// How deeply blocks are taken apart: namespace, class, function, and blocks in it.
const MAX_DEPTH: usize = 6;

/// Most pieces of a text that is worth it. One with more is another dialect.
const MAX_PIECES: usize = 64;

/// Bytes that a parse counts for, besides its own.
const PARSE_BYTES: usize = 128;

/// Most lines or blocks that are read together if the first one cannot be read: an annotation and
/// what it belongs to, a `try` and its `catch`.
const MAX_TOGETHER: usize = 3;

/// A part of a text that cannot be read where it stands, with the lines that open and close the
/// blocks around it.
#[derive(Debug, Clone, Default)]
pub(super) struct Piece {
    pub(super) bytes: ByteRange,
    before: Vec<ByteRange>,
    after: Vec<ByteRange>,
}

impl Piece {
    /// Returns whether blocks are around it.
    pub(super) fn is_in_block(&self) -> bool {
        !self.after.is_empty()
    }

    /// Returns the piece and the lines of the blocks around it, in order.
    pub(super) fn ranges(&self) -> Vec<ByteRange> {
        let all = self.before.iter().chain([&self.bytes]).chain(&self.after);
        all.filter(|one| !one.is_empty()).copied().collect()
    }
}

/// The state of a narrowing.
pub(super) struct Narrower<'t, 'b> {
    pub(super) lines: &'t Lines<'t>,
    pub(super) seen: &'b SeenText<'t>,
    pub(super) budget: &'b mut Budget,
    /// Bytes that may still be parsed.
    pub(super) n_bytes: usize,
    /// The lines of the errors.
    pub(super) spans: &'b [(u32, u32)],
    pub(super) found: Vec<Piece>,
}

impl Narrower<'_, '_> {
    /// Finds the pieces. Returns whether they are few enough to be worth it.
    pub(super) fn run(&mut self) -> bool {
        // The line before the program of a template.
        let has_opening = written(self.lines, 0).starts_with("<?");
        let first = u32::from(has_opening);
        let before = if has_opening { vec![self.range(0, 1)] } else { Vec::new() };
        let around = Piece { before, ..Piece::default() };
        self.narrow(&around, first, self.lines.len(), 0) && !self.found.is_empty()
    }

    /// Returns the bytes of lines, the last one excluded.
    fn range(&self, first: u32, last: u32) -> ByteRange {
        ByteRange { start: self.lines.start(first), end: self.lines.start(last) }
    }

    /// Parses a piece; `None` if too much was parsed before.
    fn parse(&mut self, piece: &Piece) -> Option<Tree> {
        let ranges = piece.ranges();
        let size = ranges.iter().map(|one| one.len() as usize).sum::<usize>() + PARSE_BYTES;
        self.n_bytes = self.n_bytes.checked_sub(size)?;
        self.seen.parse(self.lines, &ranges, None, self.budget)
    }

    /// Finds what cannot be read of some lines between those that open and close the block around
    /// them. Returns `false` if this takes too long or finds too much.
    fn narrow(&mut self, around: &Piece, first: u32, last: u32, depth: usize) -> bool {
        let starts = self.starts(first, last);
        let end = |at: usize| starts.get(at).copied().unwrap_or(last);
        let mut at = 0;
        while at < starts.len() {
            let (from, to) = (end(at), end(at + 1));
            if !self.spans.iter().any(|&(first, last)| first < to && from <= last) {
                at += 1;
                continue;
            }
            let mut n_together = 0;
            for n in 1..=MAX_TOGETHER.min(starts.len() - at) {
                let piece = Piece { bytes: self.range(from, end(at + n)), ..around.clone() };
                let Some(tree) = self.parse(&piece) else { return false };
                if !tree.root_node().has_error() {
                    n_together = n;
                    break;
                }
                // A block that is not the first of several has its end.
                if n == 1 && to - from > 1 && !self.may_go_on(end(at + 1)) {
                    break;
                }
            }
            if n_together == 0 {
                let n_before = self.found.len();
                if depth < MAX_DEPTH && !self.take_apart(around, from, to, depth) {
                    return false;
                }
                if self.found.len() == n_before {
                    self.found.push(Piece { bytes: self.range(from, to), ..around.clone() });
                }
                if self.found.len() > MAX_PIECES {
                    return false;
                }
            }
            at += n_together.max(1);
        }
        true
    }

    /// Returns whether a line may belong to the block before it.
    fn may_go_on(&self, line: u32) -> bool {
        let word = written(self.lines, line).trim_start();
        ["catch", "finally", "while", "until", "elif", "except", "rescue"]
            .iter()
            .any(|one| word.starts_with(one))
    }

    /// Returns the lines at which the statements of the smallest indentation begin.
    fn starts(&self, first: u32, last: u32) -> Vec<u32> {
        let begins = |line: &u32| {
            let is_directive = written(self.lines, *line).starts_with('#');
            let is_part = is_continued(self.lines, *line) || is_label(written(self.lines, *line));
            !self.lines.blank(*line) && !is_part && !is_directive
        };
        let level = (first..last).filter(begins).map(|line| indentation(self.lines, line)).min();
        let is_start = |line: &u32| level.is_some_and(|level| indentation(self.lines, *line) <= level);
        let mut starts: Vec<u32> = (first..last).filter(begins).filter(is_start).collect();
        // The lines before the first one belong to it.
        if let Some(start) = starts.first_mut() {
            *start = first;
        }
        starts
    }

    /// Narrows the lines of a block to what cannot be read in it. Finds nothing if the lines that
    /// open and close it cannot be read, either. Returns `false` as [`Self::narrow`] does.
    fn take_apart(&mut self, around: &Piece, first: u32, last: u32, depth: usize) -> bool {
        let text = |line: u32| written(self.lines, line).trim();
        let is_code = |line: &u32| !self.lines.blank(*line);
        let Some(start) = (first..last).find(is_code) else { return true };
        let level = indentation(self.lines, start);
        let is_level = |line: &u32| indentation(self.lines, *line) == level;
        let open = (start..last).filter(is_level).find(|&line| text(line).ends_with('{'));
        let close = (start..last).rev().find(is_code);
        let close = close.filter(is_level).filter(|&line| text(line).starts_with('}'));
        let Some((open, close)) = open.zip(close).filter(|(open, close)| open + 1 < *close) else {
            return true;
        };
        let mut shell = around.clone();
        shell.before.push(self.range(first, open + 1));
        shell.after.insert(0, self.range(close, last));
        let start = self.lines.start(open + 1);
        shell.bytes = ByteRange { start, end: start };
        let Some(tree) = self.parse(&shell) else { return false };
        tree.root_node().has_error() || self.narrow(&shell, open + 1, close, depth + 1)
    }
}

/// Returns whether a line is nothing but a label, which people indent less than its block. In
/// Python, `try:` begins a block.
fn is_label(line: &str) -> bool {
    let name = line.trim().strip_suffix(':').unwrap_or_default();
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_word && !name.is_empty() && name != "try"
}
