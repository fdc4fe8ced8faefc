//! What a reading leaves out of a text: ranges, and the sides of merge conflicts.

use super::super::ByteRange;
use super::super::lines::{Lines, offset};
use super::written;

/// Lines that are left out of a text.
pub(super) struct Cut {
    pub(super) out: Vec<ByteRange>,
    /// The part of them that is read alone.
    pub(super) alone: Vec<ByteRange>,
}

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

/// Returns the second sides and the markers of merge conflicts; `None` if there are none.
pub(super) fn conflicts(lines: &Lines<'_>) -> Option<Cut> {
    let (mut out, mut alone): (Vec<ByteRange>, Vec<ByteRange>) = Default::default();
    if !lines.text().contains("<<<<<<< ") || !lines.text().contains("\n>>>>>>> ") {
        return None;
    }
    // The markers of the current conflict: its begin, and the end of its first side.
    let (mut begin, mut middle) = (None, None);
    for line in 0..lines.len() {
        let text = written(lines, line);
        let whole = ByteRange { start: lines.start(line), end: lines.start(line + 1) };
        if text.starts_with("<<<<<<< ") {
            (begin, middle) = (Some(whole), None);
        } else if text.starts_with("||||||| ") || text == "=======" {
            let is_second = middle.is_some() && text == "=======";
            middle = if is_second { middle } else { Some(whole) }.filter(|_| begin.is_some());
            if text == "=======" && begin.is_some() {
                alone.push(ByteRange { start: whole.end, end: whole.end });
            }
        } else if text.starts_with(">>>>>>> ")
            && let (Some(first), Some(second)) = (begin.take(), middle.take())
        {
            out.extend([first, ByteRange { start: second.start, end: whole.end }]);
            if let Some(side) = alone.last_mut() {
                side.end = whole.start.max(side.start);
            }
        }
    }
    alone.retain(|side| !side.is_empty());
    (!out.is_empty()).then_some(Cut { out, alone })
}
