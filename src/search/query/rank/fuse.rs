//! The fusion of all signals of a chunk into one score.
//!
//! Signals are normalised to about 0–1 before they come here, except the reranker's log-odds.
//! [`parts`] is the only place that weighs them, for ranking and for explanations alike. To add a
//! signal, add a field to [`Signals`] and a line to [`parts`].

use super::weights::Weights;
use crate::search::query::QueryKind;

/// The signals of a candidate.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::search::query) struct Signals {
    /// The word score, relative to the best candidate's.
    pub(in crate::search::query) words: f64,
    /// The similarity of the embeddings of chunk and question: 1 for the nearest chunk, 0 for the
    /// mean.
    pub(in crate::search::query) meaning: f64,
    /// Whether the question has an embedding.
    pub(in crate::search::query) has_meaning: bool,
    /// Share of the words of the file's stem that the query asks for.
    pub(in crate::search::query) stem_share: f64,
    /// Share of the query's words that are in the file's stem or directories.
    pub(in crate::search::query) path_share: f64,
    /// Share of the query's words that the chunk has, by idf.
    pub(in crate::search::query) coverage: f64,
    /// How well a declaration in the chunk matches a name in the query, from 0 to 1.
    pub(in crate::search::query) definition: f64,
    /// Confidence that the chunk refers to the symbol whose referrers are asked for, from 0 to 1.
    pub(in crate::search::query) users: f64,
    /// Share of the query's names that the chunk mentions whole.
    pub(in crate::search::query) mention: f64,
    /// The file's sum of squared scores by words and embedding, relative to the largest.
    pub(in crate::search::query) coherence: f64,
    /// The weight that reaches the chunk by references from the best chunks, relative to the
    /// maximum.
    pub(in crate::search::query) graph: f64,
    /// The reranker's log-odds over the lowest-rated of the best chunks; at least 0.
    pub(in crate::search::query) fitting: f64,
    /// How much of a message occurs in the chunk's strings, relative to the best chunk.
    pub(in crate::search::query) said: f64,
    /// How well the commentary on the chunk matches, from 0 to 1.
    pub(in crate::search::query) commentary: f64,
    /// How well the query names the file: 1 for its path, less for a bare name, 0 if not at all.
    pub(in crate::search::query) named_path: f64,
    /// The same value if the query names a line of the chunk, else 0.
    pub(in crate::search::query) named_line: f64,
    /// The similarity of the question to a commit message that changed the file, relative to the
    /// most similar file.
    pub(in crate::search::query) history: f64,
    /// The factor for the sum of all parts.
    pub(in crate::search::query) multiplier: f64,
}

/// Number of weighed parts of a score.
pub(in crate::search::query) const N_PARTS: usize = 16;

/// Returns the weighed parts of a score, each with its name.
pub(in crate::search::query) fn parts(
    signals: &Signals,
    kind: QueryKind,
    weights: &Weights,
) -> [(&'static str, f64); N_PARTS] {
    let path_share = if kind == QueryKind::NaturalLanguage { weights.path_share } else { 0.0 };
    let meaning = meaning(signals, weights);
    let asked = if kind == QueryKind::NaturalLanguage { 1.0 } else { 0.0 };
    let named_path = if kind == QueryKind::Path { weights.path_query } else { weights.named_path };
    let named_line = if kind == QueryKind::StackTrace { weights.frame } else { weights.named_line };
    [
        ("word", (1.0 - meaning) * signals.words),
        ("meaning", meaning * signals.meaning),
        ("stem", weights.stem_share * signals.stem_share),
        ("path", path_share * signals.path_share),
        ("coverage", asked * weights.coverage * signals.coverage),
        ("definition", weights.definition * signals.definition),
        ("users", weights.users * signals.users),
        ("mention", weights.mention * signals.mention),
        ("coherence", weights.coherence * signals.coherence),
        ("references", weights.graph * signals.graph),
        ("fitting", weights.fitting * signals.fitting),
        ("message", weights.said * signals.said),
        ("commentary", weights.commentary * signals.commentary),
        ("history", weights.history * signals.history),
        ("named path", named_path * signals.named_path),
        ("named line", named_line * signals.named_line),
    ]
}

fn meaning(signals: &Signals, weights: &Weights) -> f64 {
    if signals.has_meaning { weights.meaning } else { 0.0 }
}

/// Returns what words alone add to the score.
pub(in crate::search::query) fn by_words(signals: &Signals, weights: &Weights) -> f64 {
    (1.0 - meaning(signals, weights)) * signals.words * signals.multiplier
}

/// Returns the score: the sum of all parts, times the multiplier.
pub(in crate::search::query) fn fuse(signals: &Signals, kind: QueryKind, weights: &Weights) -> f64 {
    let sum: f64 = parts(signals, kind, weights).iter().map(|part| part.1).sum();
    sum * signals.multiplier
}
