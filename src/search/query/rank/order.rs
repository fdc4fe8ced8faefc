//! The order of candidates: the best chunk of each file, the chunks behind it, ties by place.
//!
//! Scored candidates → the `order` of each → the hits, best first. A chunk keeps its score; only
//! `order` is lowered, so that explanations still add up. The order must not depend on which
//! segment stores a chunk: ties are broken by path and start.

use std::collections::HashSet;

use bstr::BStr;

use crate::index::chunk::ChunkKind;
use crate::search::graph::is_function;
use crate::search::segment::{ChunkRow, Index, Segment};

use super::candidates::{Candidate, over};
use super::weights::Weights;
use crate::search::query::ChunkRef;

/// More than any score. A chunk lowered by it comes after the best chunk of every file.
const BEHIND: f64 = 1e6;

/// The factors that order the chunks of a file behind its best.
#[derive(Debug, Clone, Copy)]
pub(in crate::search::query) struct WithinFileFactors {
    /// [`Weights::again`](Weights::again); 1 keeps the order by score.
    pub(in crate::search::query) chunk: f64,
    /// [`Weights::part_again`](Weights::part_again).
    pub(in crate::search::query) part: f64,
    /// [`Weights::plain_again`](Weights::plain_again).
    pub(in crate::search::query) plain: f64,
    /// [`Weights::plain_first`](Weights::plain_first).
    pub(in crate::search::query) plain_first: f64,
    /// [`Weights::words_within`](Weights::words_within).
    pub(in crate::search::query) words_within: f64,
}

impl WithinFileFactors {
    pub(in crate::search::query) fn of(weights: &Weights, all_chunks: bool) -> Self {
        let chunk = if all_chunks { 1.0 } else { weights.again };
        let Weights { part_again: part, plain_again: plain, plain_first, words_within, .. } = *weights;
        Self { chunk, part, plain, plain_first, words_within }
    }

    /// Returns whether the chunks of a file are compared with each other before those of other
    /// files.
    pub(in crate::search::query) fn orders_files(&self) -> bool {
        self.chunk > 0.0 && self.chunk < 1.0
    }
}

/// Finishes a file whose candidates start at `from`: keeps only `best`, or orders the others behind
/// it.
pub(in crate::search::query) fn end_file(
    candidates: &mut Vec<Candidate>,
    best: Option<Candidate>,
    from: usize,
    only_firsts: bool,
    (segment, again): (&Segment, WithinFileFactors),
) {
    let Some(best) = best else { return };
    let of_file = candidates.get_mut(from..).unwrap_or_default();
    if only_firsts {
        candidates.push(best);
    } else if again.chunk == 0.0 {
        let others = of_file.iter_mut().filter(|candidate| candidate.chunk != best.chunk);
        others.for_each(|candidate| candidate.order = candidate.score - BEHIND);
    } else if again.orders_files() {
        put_back(of_file, best.score, segment, again);
    }
}

/// Sets the order of a file's chunks.
///
/// A file ranks by its best chunk. Within a file, a function goes first unless a non-function
/// scores more than 1 / `plain_first` times as high; later chunks are lowered.
fn put_back(of_file: &mut [Candidate], highest: f64, segment: &Segment, again: WithinFileFactors) {
    let mut of_file: Vec<FileCandidate<'_>> =
        of_file.iter_mut().map(|one| FileCandidate::new(one, segment)).collect();
    let as_first =
        |one: &FileCandidate<'_>| one.candidate.own * if one.has_function { 1.0 } else { again.plain_first };
    // The sort is stable: among equals, the chunk that starts first stays first.
    of_file.sort_by(|a, b| as_first(b).total_cmp(&as_first(a)));
    let most = of_file.iter().map(|one| one.candidate.own).fold(0.0, f64::max);
    let mut share = 1.0;
    let mut seen = HashSet::new();
    for (n, FileCandidate { candidate, part_of, has_function }) in of_file.into_iter().enumerate() {
        candidate.order = if n == 0 { highest } else { over(candidate.own, most) * highest * share };
        if n > 0 && !has_function {
            candidate.order *= again.plain;
        }
        if part_of.is_some_and(|of| !seen.insert(of)) {
            candidate.order *= again.part;
        } else {
            share *= again.chunk;
        }
        candidate.order = candidate.order.min(highest);
    }
}

/// A chunk to be ordered within its file.
struct FileCandidate<'c> {
    candidate: &'c mut Candidate,
    /// The declaration that the chunk is a part of.
    part_of: Option<u32>,
    /// Whether a function begins or continues in the chunk.
    has_function: bool,
}

impl<'c> FileCandidate<'c> {
    fn new(candidate: &'c mut Candidate, segment: &Segment) -> Self {
        let row = segment.chunk(candidate.chunk.ord);
        let part_of = row.filter(|row| row.kind == ChunkKind::Part).and_then(|row| row.declaration);
        let has_function = row.is_some_and(|row| has_function(segment, &row));
        Self { candidate, part_of, has_function }
    }
}

/// Returns whether a function begins or continues in a chunk.
fn has_function(segment: &Segment, row: &ChunkRow) -> bool {
    let of = row.declaration.and_then(|ord| segment.declaration(ord)).map(|one| one.kind);
    of.map_or(row.kind == ChunkKind::Group, is_function)
}

/// Keeps the best `limit` candidates and sorts them.
pub(in crate::search::query) fn select(index: &Index<'_>, candidates: &mut Vec<Candidate>, limit: usize) {
    let order = |a: &Candidate, b: &Candidate| {
        b.order.total_cmp(&a.order).then_with(|| place(index, a.chunk).cmp(&place(index, b.chunk)))
    };
    if limit == 0 {
        candidates.clear();
    } else if limit < candidates.len() {
        candidates.select_nth_unstable_by(limit - 1, order);
        candidates.truncate(limit);
    }
    candidates.sort_unstable_by(order);
}

/// Returns the sort key among chunks with the same score; it does not depend on the segment.
pub(in crate::search::query) fn place<'s>(index: &Index<'s>, chunk: ChunkRef) -> (&'s BStr, u32, u32, u32) {
    let ChunkRef { part, ord } = chunk;
    let row = index.segment(part).and_then(|segment| segment.chunk(ord));
    let file = row.as_ref().and_then(|row| index.file(part, row.file));
    let path = file.map_or(BStr::new(""), |file| file.path());
    let start = row.map_or((0, 0), |row| (row.span.start_line, row.span.bytes.start));
    (path, start.0, start.1, ord)
}
