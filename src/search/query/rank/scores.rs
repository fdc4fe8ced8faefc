//! The scores of all candidates, as one list in the order of the candidates.
//!
//! The signals of the candidates → [`Scores`]. Some signals become known late and for few chunks.
//! Only these are scored again, and all other scores stay as they are. The module `order` decides
//! which chunk comes first.

use std::ops::Range;

use crate::base::threads;

use super::candidates::{Candidates, Run};
use super::inputs::{FileInputs, Inputs, PhaseInputs};
use crate::search::query::ChunkRef;

/// The scores of all candidates.
#[derive(Debug)]
pub(super) struct Scores(Vec<f64>);

impl Scores {
    /// Scores all candidates, on two threads if `at_once` is set.
    pub(super) fn new(known: PhaseInputs<'_, '_>, at_once: bool) -> Self {
        let candidates = &known.recalled().candidates;
        let of_runs = |first: usize, runs: &[Run<'_>]| {
            let mut scores = Vec::new();
            for (place, run) in (first..).zip(runs) {
                let of_file = FileInputs::new(known, place, run.file);
                let chunks = candidates.chunks(run).iter();
                scores.extend(chunks.map(|&ord| Inputs::new(&of_file, ord).score()));
            }
            scores
        };
        let (files, half) = (candidates.files(), candidates.len() / 2);
        let middle = files.partition_point(|run| run.chunks.start < half);
        let (first, second) = files.split_at(middle);
        let (mut scores, mut others) =
            threads::both(at_once, || of_runs(0, first), || of_runs(middle, second));
        scores.append(&mut others);
        Self(scores)
    }

    /// Scores some chunks again, with what is known now.
    pub(super) fn again<'c>(
        mut self,
        known: PhaseInputs<'_, '_>,
        chunks: impl IntoIterator<Item = &'c ChunkRef>,
    ) -> Self {
        let recalled = known.recalled();
        for &chunk in chunks {
            let Some((place, at)) = recalled.candidates.place_of(recalled.index, chunk) else { continue };
            let run = recalled.candidates.files().get(place);
            if let (Some(run), Some(score)) = (run, self.0.get_mut(at)) {
                *score = Inputs::new(&FileInputs::new(known, place, run.file), chunk.ord).score();
            }
        }
        self
    }

    /// Returns the scores at these places among all candidates.
    pub(super) fn of(&self, places: Range<usize>) -> &[f64] {
        self.0.get(places).unwrap_or_default()
    }

    /// Returns about `n` chunks with the best scores and the best chunks of the `n_files` best
    /// files, each with its file, in order of segment and ordinal.
    pub(super) fn best(&self, candidates: &Candidates<'_>, n: usize, n_files: usize) -> Vec<(ChunkRef, u32)> {
        // Chunks with the same score are kept together: the choice must not depend on which segment
        // stores them.
        let least = value_at(n, &self.0).unwrap_or(f64::NEG_INFINITY);
        let among = self.0.iter().filter(|score| **score >= least).count();
        // Thousands of copies have the same score and would swamp the rest, so they are all left
        // out.
        let admits = |score: f64| if among > 4 * n { score > least } else { score >= least };
        let most =
            |run: &Run<'_>| self.of(run.chunks.clone()).iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let of_files: Vec<f64> = candidates.files().iter().map(most).collect();
        // Files with the score of the last one are left out, again because of copies.
        let least_of_file = value_at(n_files, &of_files).unwrap_or(f64::NEG_INFINITY);
        let mut best = Vec::new();
        for (run, most) in candidates.files().iter().zip(of_files) {
            let scores = self.of(run.chunks.clone());
            // One chunk of a file, since a file may have copies too.
            let is_best = most > least_of_file;
            let first = if is_best { scores.iter().position(|score| *score >= most) } else { None };
            let scored = candidates.chunks(run).iter().zip(scores).enumerate();
            let admitted = scored.filter(|(at, (_, score))| admits(**score) || Some(*at) == first);
            best.extend(admitted.map(|(_, (&ord, _))| (ChunkRef { part: run.file.part, ord }, run.file.ord)));
        }
        best
    }
}

/// Returns the value at a 0-based position when the values are sorted in descending order; `None`
/// if there are not enough.
pub(super) fn value_at(place: usize, values: &[f64]) -> Option<f64> {
    if place >= values.len() {
        return None;
    }
    let mut values = values.to_vec();
    Some(*values.select_nth_unstable_by(place, |a, b| b.total_cmp(a)).1)
}

#[cfg(test)]
mod tests {
    use super::value_at;

    #[test]
    fn values_are_counted_from_the_highest() {
        let values = [1.0, 5.0, 3.0, 5.0];
        for (place, value) in [(0, Some(5.0)), (1, Some(5.0)), (2, Some(3.0)), (3, Some(1.0)), (4, None)] {
            assert_eq!(value_at(place, &values), value, "{place}");
        }
        assert_eq!(value_at(0, &[]), None);
    }
}
