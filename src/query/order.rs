//! The order of candidates: the best of each file, what comes behind it, ties by place.

use bstr::BStr;

use crate::segment::Index;

use super::ChunkRef;
use super::search::Candidate;

/// More than any score: what is put behind by it comes after the best chunk of every file.
const BEHIND: f64 = 1e6;

/// Ends a file, of which the candidates begin at `from` and the best is known: keeps that one alone, or orders the others
/// behind it.
pub(super) fn end_file(
    candidates: &mut Vec<Candidate>,
    best: Option<Candidate>,
    from: usize,
    only_firsts: bool,
    again: f64,
) {
    if only_firsts {
        candidates.extend(best);
    } else if again < 1.0 {
        put_back(candidates.get_mut(from..).unwrap_or_default(), again);
    }
}

/// Lowers what all but the best chunk of a file are ordered by.
fn put_back(of_file: &mut [Candidate], again: f64) {
    // Of equals the one that starts first is the better one.
    let mut by_score: Vec<&mut Candidate> = of_file.iter_mut().collect();
    by_score.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut share = 1.0;
    for (n, candidate) in by_score.into_iter().enumerate() {
        candidate.order =
            if n == 0 || again > 0.0 { candidate.score * share } else { candidate.score - BEHIND };
        share *= again;
    }
}

/// Keeps the hits wanted, in order.
pub(super) fn select(index: &Index<'_>, candidates: &mut Vec<Candidate>, limit: usize) {
    let order = |a: &Candidate, b: &Candidate| {
        b.order.total_cmp(&a.order).then_with(|| place(index, a).cmp(&place(index, b)))
    };
    if limit == 0 {
        candidates.clear();
    } else if limit < candidates.len() {
        candidates.select_nth_unstable_by(limit - 1, order);
        candidates.truncate(limit);
    }
    candidates.sort_unstable_by(order);
}

/// Where a candidate stands among those of the same score.
pub(super) fn place<'s>(index: &Index<'s>, candidate: &Candidate) -> (&'s BStr, u32, u32, u32) {
    let ChunkRef { part, ord } = candidate.chunk;
    let path = index.file(part, candidate.file).map_or(BStr::new(""), |file| file.path());
    let row = index.segment(part).and_then(|segment| segment.chunk(ord));
    let start = row.map_or((0, 0), |row| (row.span.start_line, row.span.bytes.start));
    (path, start.0, start.1, ord)
}
