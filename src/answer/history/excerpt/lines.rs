//! The lines of two versions of a file, and which of them are the same.

use std::ops::Range;

use crate::answer::LineMap;
use crate::index::chunk::ByteRange;

/// The lines of a text, counted from 0.
pub(super) struct Lines<'t> {
    pub(super) text: &'t str,
    /// Where each line starts, and the end of the text.
    starts: Vec<u32>,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| offset(at + 1)));
        if starts.last() != Some(&offset(text.len())) {
            starts.push(offset(text.len()));
        }
        Self { text, starts }
    }

    fn len(&self) -> u32 {
        offset(self.starts.len().saturating_sub(1))
    }

    /// Where a line starts; behind the last one, the end of the text.
    pub(super) fn start(&self, line: u32) -> u32 {
        self.starts.get(line as usize).copied().unwrap_or(offset(self.text.len()))
    }

    /// The bytes of some lines, with their ends.
    pub(super) fn bytes(&self, lines: &Range<u32>) -> ByteRange {
        ByteRange { start: self.start(lines.start), end: self.start(lines.end) }
    }

    /// A line with its end.
    fn line(&self, line: u32) -> &'t str {
        self.bytes(&(line..line + 1)).of(self.text)
    }

    /// The line of a byte.
    pub(super) fn at(&self, byte: u32) -> u32 {
        offset(self.starts.partition_point(|&start| start <= byte).saturating_sub(1))
    }

    /// The lines of some bytes.
    pub(super) fn around(&self, bytes: ByteRange) -> Range<u32> {
        self.at(bytes.start)..self.at(bytes.end.saturating_sub(1).max(bytes.start)) + 1
    }
}

/// The lines that differ between two versions.
pub(super) struct Difference<'t> {
    pub(super) old: Lines<'t>,
    pub(super) new: Lines<'t>,
    /// The old lines and the lines that replace them, in order.
    changes: Vec<(Range<u32>, Range<u32>)>,
}

impl<'t> Difference<'t> {
    pub(super) fn of(old: Lines<'t>, new: Lines<'t>) -> Self {
        let most = old.len().min(new.len());
        let n_same = |same: &dyn Fn(u32) -> bool, most: u32| (0..most).take_while(|&at| same(at)).count();
        let before = offset(n_same(&|at| old.line(at) == new.line(at), most));
        let is_same_end = |at: u32| old.line(old.len() - 1 - at) == new.line(new.len() - 1 - at);
        let after = offset(n_same(&is_same_end, most - before));
        let between = |lines: &Lines<'t>| (before..lines.len() - after).map(|at| lines.line(at)).collect();
        let (olds, news): (Vec<&str>, Vec<&str>) = (between(&old), between(&new));
        let map = LineMap::of(olds.into_iter(), news.into_iter());
        let moved = |lines: &Range<u32>| lines.start + before..lines.end + before;
        let changes = map.changes().map(|(old, new)| (moved(old), moved(new))).collect();
        Self { old, new, changes }
    }

    /// Whether these old lines, the one before and the one behind are in the new version, one after
    /// the other.
    pub(super) fn keeps(&self, lines: &Range<u32>) -> bool {
        let next = self.changes.partition_point(|(old, _)| old.end < lines.start);
        self.changes.get(next).is_none_or(|(old, _)| old.start > lines.end)
    }

    /// Whether this line of the old version was changed or removed.
    pub(super) fn has_changed(&self, line: u32) -> bool {
        let next = self.changes.partition_point(|(old, _)| old.end <= line);
        self.changes.get(next).is_some_and(|(old, _)| old.contains(&line))
    }

    /// Whether this line of the new version is not in the old one.
    pub(super) fn is_new(&self, line: u32) -> bool {
        let next = self.changes.partition_point(|(_, new)| new.end <= line);
        self.changes.get(next).is_some_and(|(_, new)| new.contains(&line))
    }

    /// The new line of an old one outside of all changes.
    pub(super) fn line(&self, line: u32) -> u32 {
        let n_before = self.changes.partition_point(|(old, _)| old.end <= line);
        let last = n_before.checked_sub(1).and_then(|at| self.changes.get(at));
        last.map_or(line, |(old, new)| line - old.end + new.end)
    }

    /// The new lines in place of some old ones; none if the line before or behind changed too, so
    /// that nobody knows where they begin or end.
    pub(super) fn lines(&self, lines: &Range<u32>) -> Range<u32> {
        if self.keeps(lines) {
            let start = self.line(lines.start);
            return start..start + offset(lines.len());
        }
        let is_bound = |line: u32| line < self.old.len() && !self.has_changed(line);
        match lines.start.checked_sub(1) {
            Some(before) if is_bound(before) && is_bound(lines.end) => {
                self.line(before) + 1..self.line(lines.end)
            }
            _ => 0..0,
        }
    }

    /// Whether the first and the last of some old lines are those of the new lines in their place.
    pub(super) fn keeps_ends(&self, old: &Range<u32>, new: &Range<u32>) -> bool {
        let last = old.end.saturating_sub(1);
        !self.has_changed(old.start)
            && !self.has_changed(last)
            && self.line(old.start) == new.start
            && self.line(last) + 1 == new.end
    }

    /// The new place of old bytes that are kept.
    pub(super) fn bytes(&self, bytes: ByteRange) -> ByteRange {
        let line = self.old.at(bytes.start);
        let start = bytes.start - self.old.start(line) + self.new.start(self.line(line));
        ByteRange { start, end: start + bytes.len() }
    }
}

/// Converts an offset. It always fits, because only texts of at most a megabyte are compared.
pub(super) fn offset(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
