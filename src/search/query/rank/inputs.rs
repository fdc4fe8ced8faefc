//! The inputs of a chunk's signals: a phase of the search and a chunk → [`Inputs`], their score.
//!
//! A score is the weighed sum of all [`SIGNALS`](super::signals::SIGNALS) times all
//! [factors](super::factors). Only this module computes it, for ranking and for explanations alike.
//! Signals of a later phase count 0 until that phase has run.

use std::collections::HashMap;

use crate::search::commit_messages::CommitMatch;
use crate::search::segment::{ChunkRow, FileView};

use super::factors;
use super::recalled::Recalled;
use super::rerank::Ratings;
use super::signals::{N_SIGNALS, SIGNALS, WORD};
use crate::search::query::ChunkRef;
use crate::search::query::recall::message::MessageMatch;
use crate::search::query::recall::named::NamedFile;
use crate::search::query::recall::score::Cell;

/// What is known of the candidates, by phase.
#[derive(Clone, Copy)]
pub(super) enum PhaseInputs<'k, 's> {
    /// After recall.
    Recalled(&'k Recalled<'s>),
    /// After references have been followed.
    Expanded(&'k Recalled<'s>, &'k References),
    /// After the best chunks have been read again.
    Reranked(&'k Recalled<'s>, &'k References, &'k RereadSignals),
}

impl<'k, 's> PhaseInputs<'k, 's> {
    pub(super) fn recalled(self) -> &'k Recalled<'s> {
        match self {
            Self::Recalled(recalled) | Self::Expanded(recalled, _) | Self::Reranked(recalled, ..) => recalled,
        }
    }

    pub(super) fn references(self) -> Option<&'k References> {
        match self {
            Self::Recalled(_) => None,
            Self::Expanded(_, references) | Self::Reranked(_, references, _) => Some(references),
        }
    }

    pub(super) fn reranking(self) -> Option<&'k RereadSignals> {
        match self {
            Self::Recalled(_) | Self::Expanded(..) => None,
            Self::Reranked(_, _, reranking) => Some(reranking),
        }
    }
}

/// The inputs that all chunks of a file share.
pub(super) struct FileInputs<'k, 's> {
    known: PhaseInputs<'k, 's>,
    pub(super) file: FileView<'s>,
    /// How the query names the file; `None` if it does not.
    pub(super) named: Option<&'k NamedFile>,
    /// The commit message most similar to the question, among those that changed the file.
    pub(super) commit_match: Option<&'k CommitMatch>,
    /// The file's sum of squared scores, relative to the largest.
    pub(super) coherence: f64,
    /// The product of the file's factors.
    factor: f64,
}

impl<'k, 's> FileInputs<'k, 's> {
    /// Looks up the inputs of a file; `place` is its place among the files with candidates.
    pub(super) fn new(known: PhaseInputs<'k, 's>, place: usize, file: FileView<'s>) -> Self {
        let recalled = known.recalled();
        let key = (file.part, file.ord);
        Self {
            known,
            file,
            named: recalled.named.get(&key),
            commit_match: recalled.commit_matches.get(&key),
            coherence: recalled.coherence.share(place),
            factor: factors::of_file(recalled, &file).map(|one| one.1).product(),
        }
    }
}

/// The inputs of a chunk.
pub(super) struct Inputs<'i, 'k, 's> {
    pub(super) of_file: &'i FileInputs<'k, 's>,
    pub(super) chunk: ChunkRef,
    /// Its word signals.
    pub(super) cell: Cell,
    pub(super) row: Option<ChunkRow>,
    /// The product of the factors of file and chunk.
    pub(super) factor: f64,
}

impl<'i, 'k, 's> Inputs<'i, 'k, 's> {
    /// Looks up the inputs of the file's chunk with this ordinal.
    pub(super) fn new(of_file: &'i FileInputs<'k, 's>, ord: u32) -> Self {
        let recalled = of_file.known.recalled();
        let file = &of_file.file;
        let chunk = ChunkRef { part: file.part, ord };
        let row = file.segment.chunk(ord);
        let mut factor = of_file.factor;
        factors::of_chunk(recalled, file, row.as_ref()).for_each(|(_, one)| factor *= one);
        Self { of_file, chunk, cell: recalled.words.cell(chunk), row, factor }
    }

    pub(super) fn known(&self) -> PhaseInputs<'k, 's> {
        self.of_file.known
    }

    pub(super) fn recalled(&self) -> &'k Recalled<'s> {
        self.of_file.known.recalled()
    }

    /// Returns the weighed signals, in the order of [`SIGNALS`].
    pub(super) fn parts(&self) -> [f64; N_SIGNALS] {
        let mut parts = self.recalled().signal_weights;
        for (part, signal) in parts.iter_mut().zip(&SIGNALS) {
            // Most signals do not matter to a kind of query.
            *part = if *part == 0.0 { 0.0 } else { *part * signal.value(self) };
        }
        parts
    }

    /// Returns the score: the sum of the weighed signals, times the factors.
    pub(super) fn score(&self) -> f64 {
        self.parts().iter().sum::<f64>() * self.factor
    }

    /// Returns the part of the score that the words of the chunk give.
    pub(super) fn score_by_words(&self) -> f64 {
        let recalled = self.recalled();
        (WORD.weight)(&recalled.weights, recalled.parsed.kind) * WORD.value(self) * self.factor
    }
}

/// What references from the best chunks lead to.
#[derive(Debug, Default, PartialEq)]
pub(super) struct References {
    /// The chunks from which references were followed, best first.
    pub(super) seeds: Vec<ChunkRef>,
    /// By chunk, the weight that reached it, relative to the maximum.
    pub(super) reached: HashMap<ChunkRef, f64>,
}

/// What the best chunks say when they are read again.
#[derive(Debug, Default)]
pub(super) struct RereadSignals {
    pub(super) ratings: Ratings,
    /// By chunk, among those rated, what a question adds to its score within the file: it prefers
    /// functions. Empty for other queries. The order of files does not depend on it: a file is
    /// found by what is in it, wherever it is.
    pub(super) preferences: HashMap<ChunkRef, f64>,
    /// Chunks whose string literals match the message in the query.
    pub(super) said: HashMap<ChunkRef, MessageMatch>,
    /// The chunk that has a message which a report quotes, with the line, if it is certain.
    pub(super) quoted: Option<(ChunkRef, u32)>,
}
