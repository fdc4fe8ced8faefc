//! The relevance of a hit: what is known of it → the probability that it answers the query.
//!
//! A score orders the hits of one answer. A relevance also compares answers: 0.8 means that four of
//! five such hits are right, whatever the question and the repository. It is a logistic model of a
//! few facts, each on a scale that does not depend on the other hits, and of the lead over the best
//! other file. The coefficients were learned from questions with known answers and from the same
//! questions in repositories that have no answer; `cargo xtask eval --calibrate` prints them. See
//! `doc/experiments/ranking.md`. This module must not change scores or order.

use crate::search::query::QueryKind;

use super::candidates::Candidate;
use super::inputs::{FileInputs, Inputs};
use super::over;
use super::recalled::Recalled;
use super::reranked::Reranked;
use crate::search::query::parse::parser::SymbolWord;
use crate::search::query::weights::SYMBOL_SEPARATORS;

/// A fact about a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The share of the query's words that the chunk has, by idf.
    Coverage,
    /// The share of the query's words that occur nowhere.
    Unknown,
    /// The cosine between the embeddings of chunk and query.
    Cosine,
    /// The same by the encoder, for the file's best chunk; 0 if it did not run.
    Encoder,
    /// The log-odds of the file by the kernels of the reranker; 0 if it was not reranked.
    Kernels,
    /// How well a declared name matches, from 0 to 1.
    Definition,
    /// The share of the query's words in the path.
    Path,
    /// The share of the file's stem in the query.
    Stem,
    /// The strength with which the query names the file.
    NamedPath,
    /// 1 if the query names a line of the chunk.
    NamedLine,
    /// The share of the best chunk's match of a program message.
    Message,
    /// The score relative to the best hit's.
    Relative,
    /// The distance to the best score of another file, relative to the own score; at least −1.
    Lead,
    /// The natural logarithm of the product of all factors, at least ln 0.05.
    Factor,
    /// 1 for the first hit.
    First,
}

/// Number of facts.
pub const N_FACTS: usize = Fact::ALL.len();

impl Fact {
    /// All facts, in the order of [`Facts`] and of the coefficients.
    pub const ALL: [Self; 15] = [
        Self::Coverage,
        Self::Unknown,
        Self::Cosine,
        Self::Encoder,
        Self::Kernels,
        Self::Definition,
        Self::Path,
        Self::Stem,
        Self::NamedPath,
        Self::NamedLine,
        Self::Message,
        Self::Relative,
        Self::Lead,
        Self::Factor,
        Self::First,
    ];

    /// Returns the name, as the tables of a calibration show it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Coverage => "coverage",
            Self::Unknown => "unknown",
            Self::Cosine => "cosine",
            Self::Encoder => "encoder",
            Self::Kernels => "kernels",
            Self::Definition => "definition",
            Self::Path => "path",
            Self::Stem => "stem",
            Self::NamedPath => "named path",
            Self::NamedLine => "named line",
            Self::Message => "message",
            Self::Relative => "relative",
            Self::Lead => "lead",
            Self::Factor => "factor",
            Self::First => "first",
        }
    }
}

/// The values of all facts, in the order of [`Fact::ALL`].
pub type Facts = [f64; N_FACTS];

/// The coefficients of a kind of query: the intercept, then one for each fact.
pub type Model = [f64; N_FACTS + 1];

const NAME: Model =
    [-3.826, 0.746, -0.887, 0.0, 0.0, 0.029, 1.383, 1.028, 1.224, 0.0, 0.0, 0.0, -0.338, 2.205, 0.598, 1.183];

const QUESTION: Model = [
    -2.348, 0.949, -1.856, 2.243, 2.44, 0.177, 1.099, -0.007, 0.152, 0.0, 0.0, -0.094, -1.909, 3.601, 1.061,
    0.663,
];

const LONG: Model = [
    2.744, 0.677, 0.0, 2.055, 0.0, 0.668, 0.295, 0.803, -0.025, 1.046, -0.573, 0.133, -3.958, 3.698, -0.192,
    0.217,
];

/// Least relevance of the chunk that matches a program message best: the share of the messages in
/// `doc/experiments/ranking.md` that find their string first.
const MESSAGE: f64 = 0.8;

/// Relevance of the first hit of a name that it declares, spelled as [`SYMBOL_SEPARATORS`] allows:
/// all 59 of them in the questions are right.
const DECLARED: f64 = 0.95;

/// Highest relevance of code that no frame of a stack trace names, if other code is named.
const BESIDE_FRAMES: f64 = 0.3;

/// Least relevance of a hit that mentions all names of the query whole. It is a match, if perhaps
/// not the one in question.
const MENTIONED: f64 = 0.25;

/// Returns the model for a kind of query. No set has stack traces or paths. A result that these
/// name is as relevant as the name is clear; the rest uses the models of long texts and names.
fn model(kind: QueryKind) -> &'static Model {
    match kind {
        QueryKind::Identifier | QueryKind::Path => &NAME,
        QueryKind::NaturalLanguage => &QUESTION,
        QueryKind::LongText | QueryKind::StackTrace => &LONG,
    }
}

/// Returns the relevance that follows from facts, between 0 and 1.
pub fn relevance(kind: QueryKind, facts: &Facts) -> f64 {
    probability(model(kind), facts)
}

/// Returns the probability that a model gives to facts.
pub fn probability(model: &Model, facts: &Facts) -> f64 {
    let [intercept, coefficients @ ..] = model;
    let sum: f64 = facts.iter().zip(coefficients).map(|(fact, coefficient)| fact * coefficient).sum();
    1.0 / (1.0 + (-(intercept + sum)).exp())
}

/// Highest relevance if nothing has the name that the query consists of, or if the words that occur
/// nowhere are most of the question, by idf. No match is clear then.
const ABSENT: f64 = 0.19;

/// Highest relevance if they are a good part of the question.
const MUCH_ABSENT: f64 = 0.3;

/// Share of a question's words, by idf, above which [`ABSENT`] and [`MUCH_ABSENT`] apply.
const ABSENT_SHARES: (f64, f64) = (0.6, 0.4);

/// Returns the highest relevance of similar code: below 1 if the query names something that occurs
/// nowhere, and no similar spelling was searched for instead.
fn most_of(recalled: &Recalled<'_>) -> f64 {
    let parsed = &recalled.parsed;
    let near = recalled.words.near.iter().filter(|one| one.instead.is_empty());
    match parsed.kind {
        QueryKind::Identifier => {
            let absent: Vec<&str> = near.map(|one| one.word.as_str()).collect();
            let is_absent = |symbol: &SymbolWord| {
                let is = |name: &str| absent.iter().any(|one| one.eq_ignore_ascii_case(name));
                is(&symbol.name) || is(&symbol.qualifier)
            };
            let is_none = !parsed.symbols.is_empty() && parsed.symbols.iter().all(is_absent);
            if is_none { ABSENT } else { 1.0 }
        }
        // What is related to a name that occurs nowhere? Only this name is left of the words then.
        QueryKind::NaturalLanguage if recalled.relation.is_some() && near.clone().next().is_some() => ABSENT,
        QueryKind::NaturalLanguage if !parsed.is_foreign => {
            // As the scorer computes it for a word in no chunk.
            let idf = (2.0 + 2.0 * recalled.words.scorer.n_chunks() as f64).ln();
            let missing = idf * f64::from(u16::try_from(near.count()).unwrap_or(u16::MAX));
            match over(missing, missing + f64::from(recalled.words.total_idf)) {
                share if share > ABSENT_SHARES.0 => ABSENT,
                share if share > ABSENT_SHARES.1 => MUCH_ABSENT,
                _ => 1.0,
            }
        }
        _ => 1.0,
    }
}

/// The facts of all hits of a search.
pub(super) struct Evidence<'e, 's> {
    reranked: &'e Reranked<'s>,
    /// The best scores of two files, best first, each with the place of its file.
    best: [(f64, usize); 2],
    /// The highest relevance of code that is only similar, because the query names something that
    /// is absent.
    most: f64,
}

impl<'e, 's> Evidence<'e, 's> {
    /// Prepares the facts of hits.
    pub(super) fn new(reranked: &'e Reranked<'s>) -> Self {
        let mut best = [(0.0, usize::MAX); 2];
        for (place, run) in reranked.recalled.candidates.files().iter().enumerate() {
            let score = reranked.scores.of(run.chunks.clone()).iter().copied().fold(0.0, f64::max);
            if score > best[0].0 {
                best = [(score, place), best[0]];
            } else if score > best[1].0 {
                best[1] = (score, place);
            }
        }
        Self { reranked, best, most: most_of(&reranked.recalled) }
    }

    /// Returns the relevance of a hit.
    ///
    /// An answer to a question for references is as relevant as the reference is certain. A query
    /// of filters or quoted phrases is answered by all chunks that meet them; the caller checks the
    /// phrases.
    pub(super) fn relevance(&self, hit: &Candidate, facts: &Facts) -> f64 {
        let recalled = &self.reranked.recalled;
        let parsed = &recalled.parsed;
        if let Some(related) = recalled.related.get(&hit.chunk) {
            return related.confidence;
        }
        let is_filter = parsed.terms.is_empty() && recalled.named.is_empty();
        if is_filter || !parsed.phrases.is_empty() {
            return 1.0;
        }
        let of_model = relevance(parsed.kind, facts).min(self.most);
        let fact = |fact: Fact| facts[fact as usize];
        let of_name = match parsed.kind {
            QueryKind::Path => fact(Fact::NamedPath),
            QueryKind::StackTrace => self.of_frame(hit),
            _ => 0.0,
        };
        // Other code of a trace's files is seldom what the trace is about.
        let is_beside = parsed.kind == QueryKind::StackTrace && !recalled.named.is_empty();
        let of_model = if is_beside { of_model.min(BESIDE_FRAMES) } else { of_model };
        let is_declared = parsed.kind == QueryKind::Identifier && fact(Fact::Definition) >= SYMBOL_SEPARATORS;
        let is_declared = is_declared && fact(Fact::First) > 0.0 && self.most >= 1.0;
        let of_declared = if is_declared { DECLARED } else { 0.0 };
        let is_mentioned =
            parsed.kind == QueryKind::Identifier && recalled.words.mentioned.share(hit.chunk) >= 1.0;
        let of_mentioned = if is_mentioned { MENTIONED.min(self.most) } else { 0.0 };
        let is_quoted = self.reranked.reranking.quoted.is_some_and(|(chunk, _)| chunk == hit.chunk);
        let of_quotation = if is_quoted { MESSAGE } else { 0.0 };
        of_model
            .max(of_quotation)
            .max(of_mentioned)
            .max(of_name.min(1.0))
            .max(MESSAGE * fact(Fact::Message))
            .max(of_declared)
    }

    /// Returns how well the frames of a trace name a hit.
    fn of_frame(&self, hit: &Candidate) -> f64 {
        let recalled = &self.reranked.recalled;
        let file = recalled.candidates.files().get(hit.file).map(|run| (run.file.part, run.file.ord));
        let named = file.and_then(|file| recalled.named.get(&file));
        let lines = named.into_iter().flat_map(|named| named.lines_of(hit.chunk.ord));
        lines.map(|line| line.strength).fold(0.0, f64::max)
    }

    /// Returns the facts of a hit; all 0 if its file does not exist.
    pub(super) fn of(&self, hit: &Candidate, is_first: bool) -> Facts {
        let Self { reranked, best: [best, second], .. } = self;
        let recalled = &reranked.recalled;
        let Some(run) = recalled.candidates.files().get(hit.file) else { return [0.0; N_FACTS] };
        let of_file = FileInputs::new(reranked.known(), hit.file, run.file);
        let inputs = Inputs::new(&of_file, hit.chunk.ord);
        let words = &recalled.words;
        let (n_parts, n_stem) = (f64::from(words.n_parts), f64::from(of_file.file.row.n_stem_words));
        let n_unknown = f64::from(u16::try_from(words.near.len()).unwrap_or(u16::MAX));
        let rating = reranked.reranking.ratings.files.get(&(run.file.part, run.file.ord));
        let rating = rating.copied().unwrap_or_default();
        let other = if best.1 == hit.file { second.0 } else { best.0 };
        let names_line = of_file.named.is_some_and(|named| named.lines_of(hit.chunk.ord).next().is_some());
        let said = reranked.reranking.said.get(&hit.chunk);
        Fact::ALL.map(|fact| match fact {
            Fact::Coverage => over(inputs.cell.covered.into(), words.total_idf.into()),
            Fact::Unknown => over(n_unknown, n_unknown + n_parts),
            Fact::Cosine => recalled.meaning.cosine(hit.chunk).unwrap_or(0.0),
            Fact::Encoder => rating.cosine,
            Fact::Kernels => rating.log_odds,
            Fact::Definition => words.defined.get(&hit.chunk).map_or(0.0, |defined| defined.quality),
            Fact::Path => over(f64::from(inputs.cell.path_words).min(n_parts), n_parts),
            Fact::Stem => over(f64::from(inputs.cell.stem_words).min(n_stem), n_stem),
            Fact::NamedPath => of_file.named.map_or(0.0, |named| named.strength),
            Fact::NamedLine => {
                if names_line {
                    1.0
                } else {
                    0.0
                }
            }
            Fact::Message => said.map_or(0.0, |said| said.share),
            Fact::Relative => over(hit.score, best.0),
            Fact::Lead => over(hit.score - other, hit.score).max(-1.0),
            Fact::Factor => inputs.factor.max(0.05).ln(),
            Fact::First => {
                if is_first {
                    1.0
                } else {
                    0.0
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::rank::samples::Repository;
    use crate::search::query::weights::WEIGHTS;
    use crate::search::query::{Hit, Query};

    /// Returns the facts with one of them changed.
    fn with(facts: &Facts, fact: Fact, value: f64) -> Facts {
        let mut facts = *facts;
        facts[fact as usize] = value;
        facts
    }

    #[test]
    fn facts_are_in_the_order_of_their_numbers() {
        for (at, fact) in Fact::ALL.iter().enumerate() {
            assert_eq!(*fact as usize, at, "{fact:?}");
        }
    }

    #[test]
    fn evidence_for_an_answer_raises_the_relevance() {
        let none = [0.0; N_FACTS];
        for kind in [QueryKind::Identifier, QueryKind::NaturalLanguage, QueryKind::LongText] {
            let of = |facts: &Facts| relevance(kind, facts);
            for fact in [Fact::Coverage, Fact::Definition, Fact::Lead, Fact::First, Fact::Kernels] {
                assert!(of(&with(&none, fact, 0.5)) > of(&none), "{kind:?} {fact:?}");
            }
            assert!(of(&with(&none, Fact::Unknown, 0.5)) <= of(&none), "{kind:?}");
        }
        for kind in [QueryKind::NaturalLanguage, QueryKind::LongText] {
            assert!(relevance(kind, &with(&none, Fact::Cosine, 0.5)) > relevance(kind, &none));
        }
    }

    #[test]
    fn the_relevance_of_a_hit_does_not_depend_on_the_limit() {
        let repository = Repository::new();
        let hits = |text: &str, limit: usize| repository.hits(&Query { limit, ..Query::new(text) }, &WEIGHTS);
        for text in ["where is an upload tried again", "retry_upload", "src/http/upload.py"] {
            let (all, one) = (hits(text, 100), hits(text, 1));
            assert!(all.len() > 1, "{text}");
            assert_eq!(one[0].relevance, all[0].relevance, "{text}");
            assert!(all.iter().all(|hit| (0.0..=1.0).contains(&hit.relevance)), "{text}");
        }
    }

    #[test]
    fn nothing_answers_if_the_name_or_most_words_are_absent() {
        let repository = Repository::new();
        let most = |text: &str| {
            let hits = repository.hits(&Query::new(text), &WEIGHTS);
            hits.iter().map(|hit| hit.relevance).fold(0.0, f64::max)
        };
        for text in ["retry_download_of_pages", "UploadGarbageTruck.retry_upload"] {
            assert!(most(text) <= ABSENT, "{text}: {}", most(text));
        }
        assert!(most("where are kubernetes ingresses retried") <= ABSENT);
        assert!(most("what calls uploadEachRetry") <= ABSENT);
        assert!(most("where is an upload retried") > MUCH_ABSENT);
    }

    #[test]
    fn what_meets_a_filter_or_is_named_is_the_answer() {
        let repository = Repository::new();
        let first = |text: &str| -> Hit { repository.hits(&Query::new(text), &WEIGHTS).remove(0) };
        assert_eq!(first("path:src/http").relevance, 1.0);
        assert!(first("src/http/upload.py").relevance >= 0.8);
        assert!(first("what calls retry_upload").relevance >= 0.5);
        assert_eq!(first("retry_upload").relevance, DECLARED);
        assert!(first("retry_uploads_of").relevance < DECLARED);
    }
}
