//! What references lead to: [`Scored`] → [`References`].
//!
//! The best chunk of each of the best files is a seed. References are followed from the seeds only,
//! so the cost does not grow with the index. Nothing is scored here.

use crate::search::graph::{Graph, Spread};

use super::inputs::References;
use super::order::firsts;
use super::over;
use super::scored::Scored;
use crate::search::query::{ChunkRef, Error};

/// Number of chunks from which references are followed: the best chunks, each from a different
/// file. Insensitive between 10 and 50. See `doc/experiments/ranking.md`.
const SEEDS: usize = 20;

/// Parameters for following references. Forward only: weight that flows back to referrers lowers
/// the quality of answers. The limits bound the time of a search. Implementers take time, and don't
/// make answers better. See `doc/experiments/ranking.md`.
const SPREAD: Spread = Spread {
    stay: 0.5,
    least: 1e-3,
    pushes: 16,
    forward: 1.0,
    common: 400,
    referrers: 0,
    implementers: false,
};

impl References {
    /// Follows references from the best chunks.
    ///
    /// # Errors
    /// [`Error::Segment`] for a damaged index.
    pub(super) fn follow(scored: &Scored<'_>) -> Result<Self, Error> {
        let Scored { recalled, scores } = scored;
        if recalled.weights.graph <= 0.0 {
            return Ok(Self::default());
        }
        let best = firsts(recalled, scores, SEEDS);
        let start: Vec<(ChunkRef, f64)> = best.iter().map(|one| (one.chunk, one.score)).collect();
        let reached = SPREAD.run(&Graph::new(recalled.index), &start)?;
        let most = reached.iter().map(|one| one.1).fold(0.0, f64::max);
        let reached = reached.into_iter().map(|(chunk, weight)| (chunk, over(weight, most))).collect();
        Ok(Self { seeds: best.iter().map(|one| one.chunk).collect(), reached })
    }
}
