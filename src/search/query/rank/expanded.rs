//! Third phase: [`Scored`] → [`Expanded`], with the weight that references carry from the best
//! chunks. No further chunks become candidates.

use super::inputs::{PhaseInputs, References};
use super::recalled::Recalled;
use super::scored::Scored;
use super::scores::Scores;

/// Candidates whose scores know the references from the best chunks.
pub(super) struct Expanded<'s> {
    pub(super) recalled: Recalled<'s>,
    pub(super) references: References,
    pub(super) scores: Scores,
}

impl<'s> Scored<'s> {
    /// Adds what references lead to.
    pub(super) fn expand(self, references: References) -> Expanded<'s> {
        let Self { recalled, scores } = self;
        let known = PhaseInputs::Expanded(&recalled, &references);
        let scores = scores.again(known, references.reached.keys());
        Expanded { recalled, references, scores }
    }
}
