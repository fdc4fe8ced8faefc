//! What a reading leaves out of a text: ranges, and the sides of merge conflicts.

use super::super::ByteRange;
use super::super::lines::{Lines, offset};
use super::written;

/// Returns a range without those in it, and the outermost of them.
pub(super) fn less(whole: ByteRange, inner: &[ByteRange]) -> (Vec<ByteRange>, Vec<ByteRange>) {
    let (mut remaining, mut out) = (Vec::new(), Vec::new());
    let mut start = whole.start;
    for one in inner.iter().filter(|one| one.end <= whole.end) {
        if one.start >= start {
            remaining.push(ByteRange { start, end: one.start });
            out.push(*one);
            start = one.end;
        }
    }
    remaining.push(ByteRange { start, end: whole.end });
    remaining.retain(|one| !one.is_empty());
    (remaining, out)
}

/// Returns the ranges that are left out now, and those that remain. `None` if nothing remains.
pub(super) fn without(
    before: &[ByteRange],
    cut: &[ByteRange],
    text: &str,
) -> Option<(Vec<ByteRange>, Vec<ByteRange>)> {
    let mut left_out: Vec<ByteRange> = before.iter().chain(cut).copied().collect();
    left_out.sort_unstable();
    left_out.dedup_by(|next, kept| {
        let overlaps = next.start <= kept.end;
        kept.end = if overlaps { kept.end.max(next.end) } else { kept.end };
        overlaps
    });
    let (mut remaining, mut start) = (Vec::new(), 0);
    for one in
        left_out.iter().copied().chain([ByteRange { start: offset(text.len()), end: offset(text.len()) }])
    {
        if start < one.start {
            remaining.push(ByteRange { start, end: one.start });
        }
        start = one.end;
    }
    let has_text = remaining.iter().any(|one| !one.of(text).trim().is_empty());
    has_text.then_some((left_out, remaining))
}

/// The merge conflicts of a text.
pub(super) struct Conflicts {
    /// The markers and the second sides.
    pub(super) second: Vec<ByteRange>,
    /// The markers and the first sides.
    pub(super) first: Vec<ByteRange>,
    /// The second sides alone.
    pub(super) own: Vec<ByteRange>,
}

/// Most conflicts of a text. One with more is a test of merges.
const MAX_CONFLICTS: usize = 200;

/// Returns the merge conflicts of a text; `None` if it has none, or too many.
pub(super) fn conflicts(lines: &Lines<'_>) -> Option<Conflicts> {
    let mut found = Conflicts { second: Vec::new(), first: Vec::new(), own: Vec::new() };
    for [begin, middle, equals, end] in markers(lines)? {
        found.second.extend([begin, ByteRange { start: middle.start, end: end.end }]);
        found.first.extend([ByteRange { start: begin.start, end: equals.end }, end]);
        found.own.push(ByteRange { start: equals.end, end: end.start });
    }
    Some(found)
}

/// Returns a text with blanks in place of the markers of its conflicts, for a scanner. `None` if it
/// has no conflicts. Offsets are those of the text.
pub(in crate::index::chunk) fn without_markers(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut start = 0;
    for [begin, middle, equals, end] in markers(&Lines::new(text))? {
        for marker in [begin, middle, equals, end] {
            // Without the text of both, the middle is that of the second side, too.
            if marker.start < start {
                continue;
            }
            out.push_str(ByteRange { start, end: marker.start }.of(text));
            let of =
                |c: char| if matches!(c, '\n' | '\r') { String::from(c) } else { " ".repeat(c.len_utf8()) };
            out.extend(marker.of(text).chars().map(of));
            start = marker.end;
        }
    }
    out.push_str(ByteRange { start, end: offset(text.len()) }.of(text));
    (out.len() == text.len()).then_some(out)
}

/// Returns the markers of each conflict: where it begins, where its first side ends, where its
/// second side begins, and where it ends.
fn markers(lines: &Lines<'_>) -> Option<Vec<[ByteRange; 4]>> {
    let mut found = Vec::new();
    if !lines.text().contains("<<<<<<< ") || !lines.text().contains("\n>>>>>>> ") {
        return None;
    }
    let (mut begin, mut middle, mut equals) = (None, None, None);
    for line in 0..lines.len() {
        let text = written(lines, line);
        let whole = ByteRange { start: lines.start(line), end: lines.start(line + 1) };
        if text.starts_with("<<<<<<< ") {
            (begin, middle, equals) = (Some(whole), None, None);
        } else if text.starts_with("||||||| ") && equals.is_none() {
            middle = middle.or(Some(whole));
        } else if text == "=======" && equals.is_none() {
            (middle, equals) = (middle.or(Some(whole)), Some(whole));
        } else if text.starts_with(">>>>>>> ")
            && let (Some(begin), Some(middle), Some(equals)) = (begin.take(), middle.take(), equals.take())
        {
            found.push([begin, middle, equals, whole]);
        }
    }
    (1..=MAX_CONFLICTS).contains(&found.len()).then_some(found)
}
