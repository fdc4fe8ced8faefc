//! Where all signals about a chunk become one score.
//!
//! Signals are normalised to about 0–1 before they come here; [`parts`] is the only place that weighs them, for
//! ranking and for explaining alike. A further signal is a field of [`Signals`] and a line in [`parts`].

use super::weights::Weights;
use crate::search::query::QueryKind;

/// What is known about a candidate.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::search::query) struct Signals {
    /// Its score by words, over the best candidate's.
    pub(in crate::search::query) words: f64,
    /// How near its vector is to the question's: 1 for the nearest, 0 for the mean.
    pub(in crate::search::query) meaning: f64,
    /// Whether the question has a vector.
    pub(in crate::search::query) has_meaning: bool,
    /// Share of the words of the file's stem that are asked for.
    pub(in crate::search::query) stem_share: f64,
    /// Share of the query's words that are in the file's stem or directories.
    pub(in crate::search::query) path_share: f64,
    /// Share of the query's words that it has, each by its idf.
    pub(in crate::search::query) coverage: f64,
    /// How well a declaration in it fits a name asked for.
    pub(in crate::search::query) definition: f64,
    /// How sure it is that it refers to what the users of are asked for.
    pub(in crate::search::query) users: f64,
    /// Share of the names asked for that it mentions whole.
    pub(in crate::search::query) mention: f64,
    /// Its file's sum of squared scores by words, over the largest.
    pub(in crate::search::query) coherence: f64,
    /// What comes to it by references from the best chunks, over the most that comes to any.
    pub(in crate::search::query) graph: f64,
    /// How well its words answer the question's, over the one of the best chunks that fits least; in logarithms of odds.
    pub(in crate::search::query) fitting: f64,
    /// How much of a message stands in its strings, over the most that any has.
    pub(in crate::search::query) said: f64,
    /// How well what was written about it fits.
    pub(in crate::search::query) commentary: f64,
    /// Whether the query names its file (1, or less for a bare name).
    pub(in crate::search::query) named_path: f64,
    /// Whether the query names a line of it, likewise.
    pub(in crate::search::query) named_line: f64,
    /// How like the question is what a commit said that changed its file, over the most of any file.
    pub(in crate::search::query) history: f64,
    /// What the whole is multiplied with.
    pub(in crate::search::query) multiplier: f64,
}

/// Number of weighed parts of a score.
pub(in crate::search::query) const N_PARTS: usize = 16;

/// The weighed parts, in order: words, meaning, stem, path, coverage, definition, users, mention, coherence, references, fitting, message, commentary,
/// history, named path, named line.
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

/// What words alone add to the score.
pub(in crate::search::query) fn by_words(signals: &Signals, weights: &Weights) -> f64 {
    (1.0 - meaning(signals, weights)) * signals.words * signals.multiplier
}

/// The score.
pub(in crate::search::query) fn fuse(signals: &Signals, kind: QueryKind, weights: &Weights) -> f64 {
    let sum: f64 = parts(signals, kind, weights).iter().map(|part| part.1).sum();
    sum * signals.multiplier
}
