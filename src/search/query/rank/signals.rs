//! The signals of the ranking: everything that adds to the score of a chunk.
//!
//! Inputs of a chunk → a value for each signal, normalised to about 0–1 (the reranker's log-odds
//! are not). A [`Signal`] is its name, its weight, its value and its explanation in one place.
//! Ranking and `--explain` go through [`SIGNALS`], and have no other list. A new signal also has
//! rows in the tests and in the evaluation: see "Add a ranking signal" in `CONTRIBUTING.md`.
//!
//! A signal reads what its phase knows: a [`Source`] of a later phase gets the results of that
//! phase. This module must not search the index, nor look at the order of candidates.

use crate::search::query::parse::relation::OWN_DEFINITION;
use crate::search::query::{ChunkRef, Direction, Error, QueryKind};

use super::explain::Explanation;
use super::inputs::{Inputs, References, RereadSignals};
use super::over;
use crate::search::query::weights::Weights;

/// Something that adds to the score of a chunk.
pub(super) struct Signal {
    /// The name, as in [`Contribution::part`](crate::search::query::Contribution::part).
    pub(super) name: &'static str,
    /// The weight for a kind of query; 0 if the signal does not matter to it.
    pub(super) weight: fn(&Weights, QueryKind) -> f64,
    /// The way to the value.
    pub(super) source: Source,
    /// The way in which the value is explained.
    pub(super) detail: Detail,
}

/// The phase that a signal reads from, and how.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// What recall knows.
    Recalled(fn(&Inputs<'_, '_, '_>) -> f64),
    /// What references lead to.
    Expanded(fn(&References, ChunkRef) -> f64),
    /// What the best chunks say when they are read again.
    Reranked(fn(&RereadSignals, ChunkRef) -> f64),
}

/// The explanation of a signal's contribution, for people to read.
#[derive(Clone, Copy)]
pub(super) enum Detail {
    /// One text, from the chunk and the value of the signal.
    Text(fn(&Explanation<'_, '_>, &Inputs<'_, '_, '_>, f64) -> Result<String, Error>),
    /// One contribution for each word of the query that the chunk has.
    EachWord,
}

impl Signal {
    /// Returns the value for a chunk; 0 before the phase that the signal reads from.
    pub(super) fn value(&self, inputs: &Inputs<'_, '_, '_>) -> f64 {
        match self.source {
            Source::Recalled(value) => value(inputs),
            Source::Expanded(value) => {
                inputs.known().references().map_or(0.0, |references| value(references, inputs.chunk))
            }
            Source::Reranked(value) => {
                inputs.known().reranking().map_or(0.0, |reranking| value(reranking, inputs.chunk))
            }
        }
    }
}

/// Number of signals.
pub(super) const N_SIGNALS: usize = 16;

/// All signals. Scores are sums in this order, and explanations list it.
pub(super) const SIGNALS: [Signal; N_SIGNALS] = [
    WORD, MEANING, STEM, PATH, COVERAGE, DEFINITION, RELATION, MENTION, COHERENCE, REFERENCES, RERANK,
    MESSAGE, COMMENTARY, HISTORY, NAMED_PATH, NAMED_LINE,
];

/// The word score, relative to the best candidate's.
pub(super) const WORD: Signal = Signal {
    name: "word",
    weight: |weights, kind| {
        1.0 - weights.meaning + only_if(kind == QueryKind::NaturalLanguage, weights.words)
    },
    source: Source::Recalled(|of| over(f64::from(of.cell.score), of.recalled().candidates.best)),
    detail: Detail::EachWord,
};

/// The similarity of the embeddings of chunk and question: 1 for the nearest chunk, 0 for the mean.
const MEANING: Signal = Signal {
    name: "meaning",
    weight: |weights, _| weights.meaning,
    source: Source::Recalled(|of| of.recalled().meaning.of(of.chunk)),
    detail: Detail::Text(|_, of, _| {
        let cosine = of.recalled().meaning.cosine(of.chunk).unwrap_or(0.0);
        Ok(format!("similarity in meaning to the query, from 0 to 1: {cosine:.2}"))
    }),
};

/// Share of the words of the file's stem that the query asks for.
const STEM: Signal = Signal {
    name: "stem",
    weight: |weights, _| weights.stem_share,
    source: Source::Recalled(|of| share(of.cell.stem_words, of.of_file.file.row.n_stem_words.into())),
    detail: Detail::Text(|_, _, share| {
        Ok(format!("{} of the words in the file's name are in the query", percent(share)))
    }),
};

/// Share of the query's words that are in the file's stem or directories.
const PATH: Signal = Signal {
    name: "path",
    weight: |weights, kind| only_if(kind == QueryKind::NaturalLanguage, weights.path_share),
    source: Source::Recalled(|of| share(of.cell.path_words, of.recalled().words.n_parts)),
    detail: Detail::Text(|_, _, share| {
        Ok(format!("{} of the query's words are in its path", percent(share)))
    }),
};

/// Share of the query's words that the chunk has, by idf.
const COVERAGE: Signal = Signal {
    name: "coverage",
    weight: |weights, kind| only_if(kind == QueryKind::NaturalLanguage, weights.coverage),
    source: Source::Recalled(|of| over(of.cell.covered.into(), of.recalled().words.total_idf.into())),
    detail: Detail::Text(|_, _, share| {
        Ok(match percent(share).as_str() {
            "100%" => "it has all words of the query".to_owned(),
            share => format!("it has {share} of the query's words; rare words count more"),
        })
    }),
};

/// How well a declaration in the chunk matches a name in the query, from 0 to 1. A question for
/// references is asked by someone who already knows the symbol itself.
const DEFINITION: Signal = Signal {
    name: "definition",
    weight: |weights, _| weights.definition,
    source: Source::Recalled(|of| {
        let recalled = of.recalled();
        let own = if recalled.related.is_empty() { 1.0 } else { OWN_DEFINITION };
        recalled.words.defined.get(&of.chunk).map_or(0.0, |defined| defined.quality) * own
    }),
    detail: Detail::Text(|_, of, _| {
        let defined = of.recalled().words.defined.get(&of.chunk);
        let symbol = |ord| of.of_file.file.segment.symbol_path(ord);
        Ok(defined.map(|one| format!("{} '{}'", one.how, symbol(one.declaration))).unwrap_or_default())
    }),
};

/// How well the chunk answers a question for references of a symbol, from 0 to 1: the confidence in
/// the reference, less if its kind is another one.
const RELATION: Signal = Signal {
    name: "relation",
    weight: |weights, _| weights.relation,
    source: Source::Recalled(|of| of.recalled().related.get(&of.chunk).copied().unwrap_or_default().value()),
    detail: Detail::Text(|_, of, _| {
        let recalled = of.recalled();
        let sure = recalled.related.get(&of.chunk).is_some_and(|one| one.confidence >= 1.0);
        let is_outgoing = recalled.relation.as_ref().is_some_and(|one| one.direction == Direction::Outgoing);
        let text = match (is_outgoing, sure) {
            (false, true) => "it refers to the symbol in question",
            (false, false) => "it may refer to the symbol in question",
            (true, true) => "the symbol in question refers to it",
            (true, false) => "the symbol in question may refer to it",
        };
        Ok(text.to_owned())
    }),
};

/// Share of the query's names that the chunk mentions whole.
const MENTION: Signal = Signal {
    name: "mention",
    weight: |weights, _| weights.mention,
    source: Source::Recalled(|of| of.recalled().words.mentioned.share(of.chunk)),
    detail: Detail::Text(|_, _, share| {
        Ok(format!("it mentions {} of the query's names exactly", percent(share)))
    }),
};

/// The file's sum of squared scores by words and embedding, relative to the largest.
const COHERENCE: Signal = Signal {
    name: "coherence",
    weight: |weights, _| weights.coherence,
    source: Source::Recalled(|of| of.of_file.coherence),
    detail: Detail::Text(|_, _, _| Ok("other chunks of the file match too".to_owned())),
};

/// The weight that reaches the chunk by references from the best chunks, relative to the maximum.
const REFERENCES: Signal = Signal {
    name: "references",
    weight: |weights, _| weights.graph,
    source: Source::Expanded(|references, chunk| references.reached.get(&chunk).copied().unwrap_or_default()),
    detail: Detail::Text(|explanation, of, _| explanation.referrers(of.chunk)),
};

/// The reranker's log-odds over the lowest-rated of the best chunks; at least 0.
const RERANK: Signal = Signal {
    name: "rerank",
    weight: |weights, _| weights.rerank,
    source: Source::Reranked(|reranking, chunk| {
        reranking.ratings.chunks.get(&chunk).copied().unwrap_or_default()
    }),
    detail: Detail::Text(|_, of, _| {
        let how = if of.recalled().is_encoded() { "by words and meaning" } else { "word by word" };
        Ok(format!("compared more closely with the query, {how} (only for the best chunks and files)"))
    }),
};

/// How much of a message occurs in the chunk's strings, relative to the best chunk.
const MESSAGE: Signal = Signal {
    name: "message",
    weight: |weights, _| weights.said,
    source: Source::Reranked(|reranking, chunk| reranking.said.get(&chunk).map_or(0.0, |said| said.share)),
    detail: Detail::Text(|explanation, of, _| {
        let said = explanation.reranked().reranking.said.get(&of.chunk);
        Ok(said.map(|said| format!("one of its strings has the words '{}'", said.run)).unwrap_or_default())
    }),
};

/// How well the commentary on the chunk matches, from 0 to 1.
const COMMENTARY: Signal = Signal {
    name: "commentary",
    weight: |weights, _| weights.commentary,
    source: Source::Recalled(|of| of.recalled().noted.get(&of.chunk).copied().unwrap_or_default()),
    detail: Detail::Text(|_, _, rating| Ok(format!("its commentary matches: {}", percent(rating)))),
};

/// The similarity of the question to a commit message that changed the file, relative to the most
/// similar file.
const HISTORY: Signal = Signal {
    name: "history",
    weight: |weights, _| weights.history,
    source: Source::Recalled(|of| of.of_file.commit_match.map_or(0.0, |one| one.likeness)),
    detail: Detail::Text(|_, of, _| {
        let commit = of.of_file.commit_match.map(|one| one.commit.abbreviated(10));
        let says = |commit| format!("commit {commit} changed the file, and its message resembles the query");
        Ok(commit.map(says).unwrap_or_default())
    }),
};

/// How well the query names the file: 1 for its path, less for a bare name, 0 if not at all.
const NAMED_PATH: Signal = Signal {
    name: "named path",
    weight: |weights, kind| match kind {
        QueryKind::Path => weights.path_query,
        _ => weights.named_path,
    },
    source: Source::Recalled(|of| of.of_file.named.map_or(0.0, |named| named.strength)),
    detail: Detail::Text(|_, _, _| Ok("the query names the file".to_owned())),
};

/// How well the query names a line of the chunk; the best of several, 0 if it names none.
const NAMED_LINE: Signal = Signal {
    name: "named line",
    weight: |weights, kind| match kind {
        QueryKind::StackTrace => weights.frame,
        _ => weights.named_line,
    },
    source: Source::Recalled(|of| {
        let lines = of.of_file.named.into_iter().flat_map(|named| named.lines_of(of.chunk.ord));
        lines.map(|one| one.strength).fold(0.0, f64::max)
    }),
    detail: Detail::Text(|_, _, _| Ok("the query names a line in it".to_owned())),
};

fn only_if(holds: bool, weight: f64) -> f64 {
    if holds { weight } else { 0.0 }
}

fn share(n: u16, of: u16) -> f64 {
    if of == 0 { 0.0 } else { f64::from(n.min(of)) / f64::from(of) }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}
