//! Fourth phase: [`Expanded`] → [`Reranked`], with what only the best chunks are read for.
//!
//! The reranker compares the best chunks with the query once more. It chooses them by the scores of
//! the second phase, so it can run while references are followed. For a text that may be a message
//! of a program, the string literals of some chunks are read from the source, if the caller gives
//! it.

use std::collections::HashMap;

use crate::index::embed::encoder::{self, Encoder};

use super::expanded::Expanded;
use super::inputs::{FileInputs, Inputs, PhaseInputs, References, RereadSignals};
use super::recalled::Recalled;
use super::rerank::{self, Ratings};
use super::scored::Scored;
use super::scores::Scores;
use crate::index::chunk::DeclarationKind;
use crate::search::graph::is_function;
use crate::search::query::recall::message::{Message, MessageMatch, Sources};
use crate::search::query::recall::place::place;
use crate::search::query::weights::SYMBOL_SEPARATORS;
use crate::search::query::{ChunkRef, Error, QueryKind};
use crate::search::segment::Segment;

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
            return Ok(Ratings::default());
        }
        let best = scores.best(&recalled.candidates, rerank::BEST, rerank::BEST_FILES);
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
        let preferences = preferences(PhaseInputs::Expanded(&recalled, &references), &ratings);
        let quoted = sources.map_or(Ok(None), |sources| quoted(&recalled, sources))?;
        let reranking = RereadSignals { ratings, preferences, said, quoted };
        let known = PhaseInputs::Reranked(&recalled, &references, &reranking);
        let scores = scores.again(known, reranking.ratings.chunks.keys().chain(reranking.said.keys()));
        Ok(Reranked { recalled, references, reranking, scores })
    }
}

impl<'s> Reranked<'s> {
    /// Returns all that is known.
    pub(super) fn known(&self) -> PhaseInputs<'_, 's> {
        PhaseInputs::Reranked(&self.recalled, &self.references, &self.reranking)
    }
}

/// Returns what a question prefers among the chunks of each file: a function, or defaults if it
/// asks for a default, by the factors of its file and chunk. Related chunks keep their order by
/// score.
fn preferences(known: PhaseInputs<'_, '_>, ratings: &Ratings) -> HashMap<ChunkRef, f64> {
    let recalled = known.recalled();
    if recalled.parsed.kind != QueryKind::NaturalLanguage || !recalled.related.is_empty() {
        return HashMap::new();
    }
    let preference = |&chunk: &ChunkRef| {
        let is_preferred = if recalled.parsed.wants_default { has_default } else { has_function };
        recalled.index.segment(chunk.part).filter(|one| is_preferred(one, chunk.ord))?;
        let (place, _) = recalled.candidates.place_of(recalled.index, chunk)?;
        let of_file = FileInputs::new(known, place, recalled.candidates.files().get(place)?.file);
        Some((chunk, recalled.weights.function_within * Inputs::new(&of_file, chunk.ord).factor))
    };
    ratings.chunks.keys().filter_map(preference).collect()
}

/// Returns whether a chunk is a function or a part of one, or has one that begins in it.
fn has_function(segment: &Segment, chunk: u32) -> bool {
    let is_function = |ord: u32| segment.declaration(ord).is_some_and(|one| is_function(one.kind));
    has(segment, chunk, is_function)
}

/// Returns whether a chunk declares a constant, a variable, a field or a key that is named as a
/// default (`DEFAULT_PORT`, `defaults`).
fn has_default(segment: &Segment, chunk: u32) -> bool {
    use DeclarationKind as K;
    let is_default = |ord: u32| {
        let value = segment.declaration(ord);
        let value = value.filter(|one| matches!(one.kind, K::Constant | K::Variable | K::Field | K::Key));
        value.is_some_and(|one| segment.name(&one).to_lowercase().contains("default"))
    };
    has(segment, chunk, is_default)
}

/// Returns whether the declaration that a chunk is a part of, or one that begins in it, is so.
fn has(segment: &Segment, chunk: u32, is: impl Fn(u32) -> bool) -> bool {
    let own = segment.chunk(chunk).and_then(|row| row.declaration);
    own.is_some_and(&is) || segment.declarations_in(chunk).any(is)
}

/// Returns the chunks whose strings match the query's text, if it may be a message.
fn said(recalled: &Recalled<'_>, sources: &dyn Sources) -> Result<HashMap<ChunkRef, MessageMatch>, Error> {
    let message = Message::of(&recalled.query.text, recalled.parsed.kind);
    // A name that is declared is found by its declaration, wherever its text stands in strings.
    let mut defined = recalled.words.defined.values();
    let is_declared = recalled.parsed.kind == QueryKind::Identifier
        && defined.any(|defined| defined.quality >= SYMBOL_SEPARATORS);
    let Some(mut message) = message.filter(|_| recalled.weights.said > 0.0 && !is_declared) else {
        return Ok(HashMap::new());
    };
    let (index, scorer) = (recalled.index, &recalled.words.scorer);
    let chunks = message.promising(index, scorer, recalled.candidates.all())?;
    Ok(message.said(index, &chunks, sources))
}

/// Most places of a message that a report quotes. If there are more, it is said in many ways.
const MOST_PLACES: usize = 3;

/// Fewest words of a literal by which a report leads to it.
const QUOTED_WORDS: usize = 4;

/// Returns the place of a message that a report quotes: a chunk with a literal that is nothing but
/// the message. Of several, the one with the most words.
fn quoted(recalled: &Recalled<'_>, sources: &dyn Sources) -> Result<Option<(ChunkRef, u32)>, Error> {
    if recalled.parsed.kind != QueryKind::LongText || recalled.weights.said <= 0.0 {
        return Ok(None);
    }
    let (index, scorer) = (recalled.index, &recalled.words.scorer);
    let mut best: Option<(usize, ChunkRef, u32)> = None;
    for mut message in Message::passages(&recalled.query.text) {
        let chunks = message.promising(index, scorer, recalled.candidates.all())?;
        let found = message.said(index, &chunks, sources);
        let places = found.iter().filter(|one| one.1.n_whole >= QUOTED_WORDS);
        let mut places: Vec<(usize, ChunkRef, u32)> =
            places.map(|(&chunk, one)| (one.n_whole, chunk, one.line)).collect();
        if places.len() > MOST_PLACES {
            continue;
        }
        let by_place = |chunk: ChunkRef| place(index, chunk);
        places.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| by_place(a.1).cmp(&by_place(b.1))));
        best = match (best, places.first().copied()) {
            (Some(best), Some(one)) if one.0 > best.0 => Some(one),
            (None, one) => one,
            (best, _) => best,
        };
    }
    Ok(best.map(|(_, chunk, line)| (chunk, line)))
}
