//! The reranker of the best candidates.
//!
//! Best chunks → log-odds that each answers the query. Kernels compare the words of a chunk with
//! those of the query one by one. For questions, an encoder also compares them as a whole. Both
//! read sub-tokens of the index, not the source. They are too slow for all candidates, so they run
//! for the best [`BEST`] chunks, and the best chunk of each of the [`BEST_FILES`] best files.

use std::collections::{BTreeMap, HashMap};

use crate::base::threads;
use crate::index::embed::Side;
use crate::index::embed::encoder::{Encoder, Tokens};
use crate::index::embed::kernels::{self, KernelQuestion};
use crate::search::segment::{Index, Part};

use crate::search::query::parse::parser::ParsedQuery;
use crate::search::query::weights::Weights;
use crate::search::query::{ChunkRef, Error, QueryKind};

/// Number of chunks that are reranked. More make answers to questions worse. See
/// `doc/experiments/ranking.md`.
pub(super) const BEST: usize = 64;

/// Number of files whose best chunk is reranked too. Otherwise one large file often takes most of
/// the places, and the others have no rating. See `doc/experiments/ranking.md`.
pub(super) const BEST_FILES: usize = 64;

/// Share of a chunk's own rating, as opposed to its file's, for a long text: such a text is about
/// several functions of a file. Questions use the file's rating alone. See
/// `doc/experiments/ranking.md`.
const OWN_SHARE: f64 = 0.3;

/// Number of threads that encode.
const THREADS: usize = 2;

/// A file, by segment and ordinal.
pub(super) type File = (Part, u32);

/// What the reranker knows of a file, on a scale that does not depend on the other files.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct FileRating {
    /// The log-odds of its chunks together, by kernels.
    pub(super) log_odds: f64,
    /// The cosine between the question and its best chunk, by the encoder; 0 without one.
    pub(super) cosine: f64,
}

/// The ratings of the best chunks and of their files.
#[derive(Debug, Default)]
pub(super) struct Ratings {
    /// By chunk, the log-odds over the lowest-rated chunk.
    pub(super) chunks: HashMap<ChunkRef, f64>,
    /// By file.
    pub(super) files: HashMap<File, FileRating>,
}

/// Returns the log-odds of the best chunks' files, over the lowest, by chunk; empty if the model
/// knows no word of the query.
///
/// Kernel ratings are log-odds, so the rating of a file is the logarithm of the sum over its chunks
/// (log-sum-exp). A question that several chunks answer is more likely about their file. Rating
/// each chunk alone is worse. The encoder adds the cosine of a file's best chunk; a sum would
/// favour files with many chunks. See `doc/experiments/ranking.md`.
pub(super) fn rated(
    index: &Index<'_>,
    parsed: &ParsedQuery,
    best: &[(ChunkRef, u32)],
    encoder: Option<&Encoder<'_>>,
    weights: &Weights,
) -> Result<Ratings, Error> {
    let is_long = parsed.kind == QueryKind::LongText;
    let kernels = if is_long { kernels::of_long_texts() } else { kernels::of_questions() };
    let mut asked = KernelQuestion::new(kernels, parsed.asked.iter().copied());
    if asked.is_empty() {
        return Ok(Ratings::default());
    }
    let mut files: BTreeMap<File, Vec<(ChunkRef, f64)>> = BTreeMap::new();
    let mut sets: Vec<(File, Tokens)> = Vec::new();
    for &(chunk, file) in best {
        let Some(segment) = index.segment(chunk.part) else { continue };
        let words = segment.subtokens(chunk.ord)?;
        let words = words.iter().map(|word| (word.number, word.places));
        if let Some(encoder) = encoder {
            sets.push(((chunk.part, file), encoder.of_chunk(words.clone())));
        }
        files.entry((chunk.part, file)).or_default().push((chunk, asked.rate(words)));
    }
    let cosines = encoder.map_or_else(BTreeMap::new, |encoder| cosines(encoder, parsed, sets));
    let least = cosines.values().copied().fold(f64::INFINITY, f64::min);
    let mut rated = HashMap::new();
    let mut of_files = HashMap::new();
    for (file, chunks) in &files {
        let together = cosines.get(file).map_or(0.0, |cosine| cosine - least) * weights.encoder;
        let log_odds = kernels::log_sum_exp(chunks.iter().map(|one| one.1));
        let cosine = cosines.get(file).copied().unwrap_or_default();
        of_files.insert(*file, FileRating { log_odds, cosine });
        let of_words = log_odds * weights.kernels;
        let of_file = of_words + together;
        let own_share = if is_long { OWN_SHARE } else { 0.0 };
        let shared = |own: f64| of_file + own_share * (own - of_file);
        rated.extend(chunks.iter().map(|&(chunk, own)| (chunk, shared(own))));
    }
    let least = rated.values().copied().fold(f64::INFINITY, f64::min);
    rated.values_mut().for_each(|rating| *rating -= least);
    Ok(Ratings { chunks: rated, files: of_files })
}

/// Returns, by file, the cosine between the question and the file's best chunk.
fn cosines(encoder: &Encoder<'_>, parsed: &ParsedQuery, sets: Vec<(File, Tokens)>) -> BTreeMap<File, f64> {
    let (files, sets): (Vec<File>, Vec<Tokens>) = sets.into_iter().unzip();
    let numbers: Vec<u16> = parsed.asked.iter().map(|one| one.0).collect();
    let question = encoder.directions(Side::Text, &[encoder.asked(&numbers)]).pop().unwrap_or_default();
    let directions = threads::shares(&sets, THREADS, |share| encoder.directions(Side::Code, share));
    let mut cosines: BTreeMap<File, f64> = BTreeMap::new();
    for (file, direction) in files.into_iter().zip(directions.into_iter().flatten()) {
        let cosine = question.iter().zip(&direction).map(|(x, y)| f64::from(x * y)).sum();
        let best = cosines.entry(file).or_insert(f64::NEG_INFINITY);
        *best = best.max(cosine);
    }
    cosines
}
