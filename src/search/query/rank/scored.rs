//! Second phase: [`Recalled`] → [`Scored`], a score for each candidate.
//!
//! The scores have all signals that recall knows. The next phases take the best chunks from here:
//! they follow the references of these chunks and rerank them.

use super::inputs::PhaseInputs;
use super::recalled::Recalled;
use super::scores::Scores;
use crate::search::query::QueryKind;
use crate::search::query::weights::Weights;

/// Candidates with a score each.
pub(super) struct Scored<'s> {
    pub(super) recalled: Recalled<'s>,
    pub(super) scores: Scores,
}

impl<'s> Recalled<'s> {
    /// Scores all candidates.
    pub(super) fn score(self) -> Scored<'s> {
        let scores = Scores::new(PhaseInputs::Recalled(&self), self.is_large());
        Scored { recalled: self, scores }
    }

    /// Returns whether the encoder takes part in reranking: it does for questions.
    pub(super) fn is_encoded(&self) -> bool {
        let Weights { encoder, .. } = self.weights;
        self.parsed.kind == QueryKind::NaturalLanguage && encoder > 0.0
    }
}
