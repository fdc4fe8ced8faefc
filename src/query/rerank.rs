//! The best candidates are read again: how well the words of each one answer the question's, word by word.

use std::collections::{BTreeMap, HashMap};

use crate::embed::kernels::{self, Asked};
use crate::segment::{Index, Part};

use super::parse::Parsed;
use super::{ChunkRef, Error, QueryKind};

/// So many of the best chunks are read again; with 200 questions about whole repositories lose .001 to .003 of NDCG@10.
pub(super) const BEST: usize = 64;

/// How much of a chunk's rating is its own and not its file's, for a long text, which is about several functions of a
/// file. With 0 instead, 54.2 and not 55.5 % of 380 issues in Python have all their files first, and 79.7 and not 80.3 among
/// five; with 0.6 55.5 and 79.2; others differ by less than two in a hundred. Questions lose .007 of NDCG@10 by it.
const OWN_SHARE: f64 = 0.3;

/// How well the files of the best chunks, given with their files and in order, answer: over the one of them that does
/// least, by chunk; empty for a question without words of the model.
///
/// Ratings are logarithms of odds, so those of a file's chunks make the file's by the logarithm of their sum: what is
/// answered by several chunks of a file is more likely in it. A rating of each chunk by itself costs questions about whole
/// repositories .006 to .015 of NDCG@10.
pub(super) fn rated(
    index: &Index<'_>,
    parsed: &Parsed,
    best: &[(ChunkRef, u32)],
) -> Result<HashMap<ChunkRef, f64>, Error> {
    let is_long = parsed.kind == QueryKind::LongText;
    let kernels = if is_long { kernels::of_long_texts() } else { kernels::of_questions() };
    let mut asked = Asked::new(kernels, parsed.asked.iter().copied());
    if asked.is_empty() {
        return Ok(HashMap::new());
    }
    let mut files: BTreeMap<(Part, u32), Vec<(ChunkRef, f64)>> = BTreeMap::new();
    for &(chunk, file) in best {
        let Some(segment) = index.segment(chunk.part) else { continue };
        let words = segment.subtokens(chunk.ord)?;
        let rating = asked.rate(words.iter().map(|word| (word.number, word.places)));
        files.entry((chunk.part, file)).or_default().push((chunk, rating));
    }
    let mut rated = HashMap::new();
    for chunks in files.values() {
        let of_file = kernels::log_sum_exp(chunks.iter().map(|one| one.1));
        let own_share = if is_long { OWN_SHARE } else { 0.0 };
        let shared = |own: f64| of_file + own_share * (own - of_file);
        rated.extend(chunks.iter().map(|&(chunk, own)| (chunk, shared(own))));
    }
    let least = rated.values().copied().fold(f64::INFINITY, f64::min);
    rated.values_mut().for_each(|rating| *rating -= least);
    Ok(rated)
}
