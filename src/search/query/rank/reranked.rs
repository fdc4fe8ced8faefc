//! Fourth phase: [`Expanded`] → [`Reranked`], with what only the best chunks are read for.
//!
//! The reranker compares the best chunks with the query once more. It chooses them by the scores of
//! the second phase, so it can run while references are followed. For a text that may be a message
//! of a program, the string literals of some chunks are read from the source, if the caller gives
//! it.

use std::collections::HashMap;

use crate::index::embed::encoder::{self, Encoder};

use super::expanded::{Expanded, References};
use super::inputs::PhaseInputs;
use super::recalled::Recalled;
use super::rerank;
use super::scored::Scored;
use super::scores::Scores;
use crate::search::query::recall::message::{Message, MessageMatch, Sources};
use crate::search::query::{ChunkRef, Error};

/// By chunk, the reranker's log-odds over the lowest-rated chunk.
pub(super) type Ratings = HashMap<ChunkRef, f64>;

/// What the best chunks say when they are read again.
#[derive(Debug, Default)]
pub(super) struct RereadSignals {
    pub(super) ratings: Ratings,
    /// Chunks whose string literals match the message in the query.
    pub(super) said: HashMap<ChunkRef, MessageMatch>,
}

/// Candidates whose scores have all signals.
pub(super) struct Reranked<'s> {
    pub(super) recalled: Recalled<'s>,
    pub(super) references: References,
    pub(super) reranking: RereadSignals,
    pub(super) scores: Scores,
}

impl Scored<'_> {
    /// Rates the best chunks; `encoder` takes the place of the built-in one.
    ///
    /// # Errors
    /// [`Error::Segment`] for a damaged index.
    pub(super) fn ratings(&self, encoder: Option<&Encoder<'_>>) -> Result<Ratings, Error> {
        let Self { recalled, scores } = self;
        if recalled.weights.rerank <= 0.0 || recalled.parsed.asked.is_empty() {
            return Ok(Ratings::new());
        }
        let best = scores.best(&recalled.candidates, rerank::BEST);
        let encoder = recalled.is_encoded().then(|| encoder.unwrap_or_else(|| encoder::builtin()));
        rerank::rated(recalled.index, &recalled.parsed, &best, encoder, &recalled.weights)
    }
}

impl<'s> Expanded<'s> {
    /// Adds the ratings of the best chunks and, if there are sources, the matches of their string
    /// literals.
    ///
    /// # Errors
    /// [`Error::Segment`] for a damaged index.
    pub(super) fn rerank(
        self,
        ratings: Ratings,
        sources: Option<&dyn Sources>,
    ) -> Result<Reranked<'s>, Error> {
        let Self { recalled, references, scores } = self;
        let said = sources.map_or_else(|| Ok(HashMap::new()), |sources| said(&recalled, sources))?;
        let reranking = RereadSignals { ratings, said };
        let known = PhaseInputs::Reranked(&recalled, &references, &reranking);
        let scores = scores.again(known, reranking.ratings.keys().chain(reranking.said.keys()));
        Ok(Reranked { recalled, references, reranking, scores })
    }
}

impl<'s> Reranked<'s> {
    /// Returns all that is known.
    pub(super) fn known(&self) -> PhaseInputs<'_, 's> {
        PhaseInputs::Reranked(&self.recalled, &self.references, &self.reranking)
    }
}

/// Returns the chunks whose strings match the query's text, if it may be a message.
fn said(recalled: &Recalled<'_>, sources: &dyn Sources) -> Result<HashMap<ChunkRef, MessageMatch>, Error> {
    let message = Message::of(&recalled.query.text, recalled.parsed.kind);
    let Some(mut message) = message.filter(|_| recalled.weights.said > 0.0) else {
        return Ok(HashMap::new());
    };
    let (index, scorer) = (recalled.index, &recalled.words.scorer);
    let chunks = message.promising(index, scorer, recalled.candidates.all())?;
    Ok(message.said(index, &chunks, sources))
}
