//! The search of an index: query → phases → answer.
//!
//! Owns the entry points and the order of the phases. Each phase consumes the one before, so a
//! wrong order does not compile:
//!
//! ```text
//! Query ─▶ Inquiry ─▶ Recalled ─▶ Scored ─▶ Expanded ─▶ Reranked ─▶ Ordered ─▶ Answer
//! ```
//!
//! Words, embeddings, names and paths recall the candidates. Cheap signals score all of them;
//! signals that read chunks again (references, reranker, message strings) score only the best. This
//! module must not weigh signals: that is left to the module `signals`. A search runs each phase
//! once; whoever wants another search asks again.

use crate::base::threads;
use crate::index::embed::Question;
use crate::search::segment::Index;

use super::SideSignals;
use super::inputs::References;
use super::inquiry::Inquiry;
use super::recalled::{Recalled, admitted};
use crate::search::query::parse::filter::Filter;
use crate::search::query::recall::semantic::SemanticScores;
use crate::search::query::weights::{WEIGHTS, Weights};
use crate::search::query::{Answer, ChunkRef, Error, Filters, Query};

/// Searches an index.
///
/// Hits are ordered by score, best first, then path, then start. Unless [`Query::all_chunks`] is
/// set, one chunk of each file comes before the second of any file, in the order of the files' best
/// scores. For a question, that chunk is a function if one fits nearly as well. For long texts,
/// further chunks are lowered instead; see [`Weights::again`].
///
/// # Errors
/// [`Error::Segment`] for a damaged index, [`Error::Kind`] and [`Error::Pathspec`] for invalid
/// filters.
pub fn search(index: &Index<'_>, query: &Query) -> Result<Answer, Error> {
    search_weighted(index, query, SideSignals::default(), &WEIGHTS)
}

/// Searches an index like [`search`], with optional further inputs.
///
/// # Errors
/// As [`search`].
pub fn search_by(index: &Index<'_>, query: &Query, beside: SideSignals<'_>) -> Result<Answer, Error> {
    search_weighted(index, query, beside, &WEIGHTS)
}

/// Searches an index like [`search_by`], with other weights; for evaluations.
///
/// # Errors
/// As [`search`].
pub fn search_weighted(
    index: &Index<'_>,
    query: &Query,
    beside: SideSignals<'_>,
    weights: &Weights,
) -> Result<Answer, Error> {
    let inquiry = Inquiry::new(index, query, weights)?;
    let scored = Recalled::new(index, query, inquiry, beside)?.score();
    // Both read the scores as they are now, so they can run in parallel.
    let pays = scored.recalled.is_large() && !scored.recalled.parsed.asked.is_empty();
    let (references, ratings) =
        threads::both(pays, || References::follow(&scored), || scored.ratings(beside.encoder));
    scored.expand(references?).rerank(ratings?, beside.sources)?.order().answer()
}

/// Returns the live chunks nearest to a question by the built-in embedding model, nearest first,
/// each with its cosine. There are at most `n`, and none if the question has no embedding. This is
/// the semantic part of a search, on its own.
///
/// # Errors
/// [`Error::Segment`] for a damaged index.
pub fn near_meaning(index: &Index<'_>, question: Question, n: usize) -> Result<Vec<(ChunkRef, f64)>, Error> {
    let all = admitted(index, &Filter::compile(&Filters::default(), &Default::default())?);
    let meaning = SemanticScores::search(index, question, &all, None)?;
    let mut found: Vec<(ChunkRef, f64)> =
        meaning.nearer_than(-1.0).filter_map(|chunk| Some((chunk, meaning.cosine(chunk)?))).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.truncate(n);
    Ok(found)
}
