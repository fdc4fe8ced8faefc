//! The query stage: the text of a query → ranked chunks of an [`Index`].
//!
//! Owns [`Query`] and [`Answer`]. It has three parts: `parse` reads query texts, `recall` finds
//! chunks by words, names, paths, embeddings and more, and [`rank`] runs a search in phases and
//! scores what was found. The lists of everything that makes a score are `rank/signals.rs` and
//! `rank/factors.rs`; all weights are in [`weights`], which the three parts import. `parse` imports
//! neither of the others, and `recall` does not import [`rank`].
//!
//! **Invariants.** The answer is a function of the live files and the query. It does not depend on
//! which files are stored in the base or the overlay, down to the bits of the scores. Order: best
//! score of the file, best first; then path; then start. If all chunks are asked for, each is
//! ordered by its own score. A search runs once; whoever needs another one asks again.
//!
//! **Source text.** The index has none, and this part opens no file. One module reads source text:
//! `recall::message`, for a query that may be a message of a program. It gets the text of at most a
//! few dozen chunks from the [`Sources`] that the caller passes in [`SideSignals`], and reads none
//! if there are no sources. Quoted phrases are not verified here: hits contain all words of the
//! phrase, and [`Answer::needs_text_check`] lists the phrases that the caller has to look for.

mod parse;
pub mod rank;
mod recall;
pub mod weights;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use bstr::BString;

use super::segment;
use crate::base::error::{ClassifiedError, ErrorKind};
use crate::index::chunk::{ChunkKind, DeclarationKind, ReferenceKind, Span};

#[cfg(doc)]
use super::segment::Index;

pub use parse::filter::{KindFilter, chunk_kind_name, declaration_kind_name};
pub use parse::parser::phrases;
pub use parse::parser::{ParsedQuery, QueryTerm, SymbolWord, filters_in, parse};
pub use parse::paths::NamedPath;
pub use parse::pathspec::{Pathspec, admits, strays};
pub use parse::quotes::{has_phrase, unquoted};
pub use parse::relation::{ReferenceSite, RelationQuestion};
pub use parse::words::is_stop_word;
pub use rank::SideSignals;
pub(crate) use rank::hit::around_local;
pub use rank::pipeline::{near_meaning, search, search_by, search_weighted};
pub(crate) use rank::rule::{AFTER_FILES, SHOWN};
pub use recall::message::Sources;
pub use recall::notes::Notes;
pub use recall::semantic::Cosines;

pub use super::segment::ChunkRef;

/// A query and its options.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Query {
    /// The text of the query: words, an identifier, a path, a stack trace, a whole issue.
    pub text: String,
    /// Maximum number of hits.
    pub limit: usize,
    /// Filters that a hit must pass, in addition to those in the text.
    pub filters: Filters,
    /// Whether further chunks of a file compete with the best chunks of other files. By default
    /// they come after them; for long texts, they are only lowered.
    pub all_chunks: bool,
    /// Lowest [`Hit::relevance`] of a hit, from 0 to 1; 0 keeps all.
    pub min_relevance: f64,
    /// Whether hits list the contributions to their scores.
    pub explain: bool,
    /// Whether hits name the other chunks of their files that answer nearly as well, and the copies
    /// of their files. Off for views that have many hits and do not show these.
    pub also: bool,
    /// Pathspecs with factors for the scores of matching files. If several match a file, their
    /// factors are multiplied.
    pub boosts: Vec<(String, f64)>,
    /// Earlier turns of a chat, the latest first. Their words and names count less than the
    /// query's, and the older the turn, the less.
    pub context: Vec<String>,
    /// The names of the repository. A question that mentions one, as in "how does redis choose a
    /// key", does not ask for it. Empty if they are unknown.
    pub repository_names: Vec<String>,
}

impl Query {
    /// Creates a query with ten hits and no filters.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            limit: 10,
            filters: Filters::default(),
            all_chunks: false,
            min_relevance: 0.0,
            explain: false,
            also: true,
            boosts: Vec::new(),
            context: Vec::new(),
            repository_names: Vec::new(),
        }
    }

    /// Sets the maximum number of hits.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Sets the filters that a hit must pass, in addition to those in the text.
    #[must_use]
    pub fn with_filters(mut self, filters: Filters) -> Self {
        self.filters = filters;
        self
    }

    /// Sets whether further chunks of a file compete with the best chunks of other files.
    #[must_use]
    pub fn with_all_chunks(mut self, all_chunks: bool) -> Self {
        self.all_chunks = all_chunks;
        self
    }

    /// Sets the lowest relevance of a hit, from 0 to 1.
    #[must_use]
    pub fn with_min_relevance(mut self, min_relevance: f64) -> Self {
        self.min_relevance = min_relevance;
        self
    }

    /// Sets whether hits list the contributions to their scores.
    #[must_use]
    pub fn with_explain(mut self, explain: bool) -> Self {
        self.explain = explain;
        self
    }

    /// Sets whether hits name the other chunks of their files that answer nearly as well.
    #[must_use]
    pub fn with_also(mut self, also: bool) -> Self {
        self.also = also;
        self
    }

    /// Sets the factors for the scores of files, by pathspec.
    #[must_use]
    pub fn with_boosts(mut self, boosts: Vec<(String, f64)>) -> Self {
        self.boosts = boosts;
        self
    }

    /// Sets the earlier turns of a chat, the latest first.
    #[must_use]
    pub fn with_context(mut self, context: Vec<String>) -> Self {
        self.context = context;
        self
    }
}

/// Filters on hits. An empty list admits everything; entries of one list are alternatives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Filters {
    /// Paths, as Git's pathspecs; see [`Pathspec`].
    pub paths: Vec<String>,
    /// Languages of the file, by name or extension, in any case.
    pub languages: Vec<String>,
    /// Kinds of the chunk or of its declarations; see [`KindFilter`].
    pub kinds: Vec<String>,
    /// `Some(true)` admits only tests, `Some(false)` everything else; `None` admits both.
    pub tests: Option<bool>,
}

impl Filters {
    /// Sets the pathspecs of the files that hits may come from.
    #[must_use]
    pub fn with_paths(mut self, paths: Vec<String>) -> Self {
        self.paths = paths;
        self
    }

    /// Sets the languages, by name or extension, in any case.
    #[must_use]
    pub fn with_languages(mut self, languages: Vec<String>) -> Self {
        self.languages = languages;
        self
    }

    /// Sets the kinds of the chunk or of its declarations.
    #[must_use]
    pub fn with_kinds(mut self, kinds: Vec<String>) -> Self {
        self.kinds = kinds;
        self
    }

    /// Sets whether hits must be tests (`Some(true)`) or must not (`Some(false)`).
    #[must_use]
    pub fn with_tests(mut self, tests: Option<bool>) -> Self {
        self.tests = tests;
        self
    }
}

/// The kind of a query, guessed from the shape of its text; it selects the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QueryKind {
    /// A name, or a few of them.
    Identifier,
    /// Words of a question.
    NaturalLanguage,
    /// A path.
    Path,
    /// A stack trace.
    StackTrace,
    /// An issue, a message or a log: several lines, or very many words.
    LongText,
}

impl QueryKind {
    /// Returns whether the text names much that it does not ask for, as issues and stack traces do.
    pub fn is_long(self) -> bool {
        matches!(self, Self::LongText | Self::StackTrace)
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// Number of chunks that matched in any way.
    pub n_candidates: usize,
    /// The word score of the best chunk, before scores are scaled so that it is 1. Roughly
    /// comparable between indexes.
    pub strength: f64,
    /// The terms that were searched for, with their weights.
    pub terms: Vec<QueryTerm>,
    /// The sub-tokens of the query with the weights of their mentions, as the reranker compares
    /// them.
    pub asked: Vec<(u16, f32)>,
    /// The kind that the query was classified as.
    pub query_kind: QueryKind,
    /// Words that occur nowhere, each with the words searched for instead; in order of the words.
    pub near: Vec<UnknownTerm>,
    /// Phrases that the source of a hit must contain as written. The index only knows that all
    /// their words occur.
    pub needs_text_check: Vec<String>,
    /// The symbol whose references the query asks for, if it is such a question.
    pub relation: Option<RelationTarget>,
}

/// The symbol whose references a question asks for, as in "what calls parse_header".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationTarget {
    /// The bare name of the symbol.
    pub name: String,
    /// The kind of reference; if the question asks for several kinds, the first.
    pub kind: ReferenceKind,
    /// Whether what refers to the symbol is asked for, or what it refers to.
    pub direction: Direction,
}

/// The end of a reference that a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// What refers to the symbol: "what calls open".
    Incoming,
    /// What the symbol refers to: "what does open call".
    Outgoing,
}

/// The chunks that a question for a relation asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct RelatedChunks {
    /// The symbol of the question.
    pub target: RelationTarget,
    /// The chunks at the other end of its references.
    pub chunks: HashMap<ChunkRef, RelatedChunk>,
}

/// How a chunk answers a question for a relation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RelatedChunk {
    /// Confidence in the reference, from 0 to 1.
    pub confidence: f64,
    /// How well the kind of reference answers the question, from 0 to 1: what calls a function is
    /// asked for before what merely names it.
    pub fit: f64,
    /// Whether it only lists the name among those that a module exports. Such a chunk comes after
    /// all others.
    pub is_export: bool,
}

impl RelatedChunk {
    /// The value of the signal, from 0 to 1.
    pub fn value(self) -> f64 {
        self.confidence * self.fit
    }
}

impl RelatedChunks {
    /// Returns an answer without chunks.
    pub fn none(asked: &RelationQuestion) -> Self {
        Self { target: asked.target(), chunks: HashMap::new() }
    }

    /// Adds a reference. Of those of one chunk, the best counts; any other before an export.
    pub(crate) fn add(&mut self, chunk: ChunkRef, one: RelatedChunk) {
        let order = |one: &RelatedChunk| (!one.is_export, one.value());
        let known = self.chunks.entry(chunk).or_insert(one);
        if order(&one) > order(known) {
            *known = one;
        }
    }
}

/// A word of the query that is not in the index, or a compound name of which only parts are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTerm {
    /// The word, in lower case; a name keeps its spelling.
    pub word: String,
    /// The words of the index with the most similar spelling, most frequent first; at most three.
    pub instead: Vec<String>,
}

/// A chunk in the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The path of the file.
    pub path: BString,
    /// The language of the file.
    pub language: String,
    /// The range of the chunk in the file.
    pub span: Span,
    /// The kind of the chunk.
    pub chunk_kind: ChunkKind,
    /// The kind of the declaration that the chunk is, is part of, or begins with. If the chunk has
    /// several, the declaration that the query names.
    pub declaration_kind: Option<DeclarationKind>,
    /// The symbol path of that declaration (`Class.method`); empty if there is none.
    pub symbol: String,
    /// The lines of the chunk that the query names (`path:12`, a stack frame), 1-based. Those of
    /// inner frames come first; otherwise ascending. If there are none, the line whose string is
    /// the message or the key of the query.
    pub lines: Vec<u32>,
    /// If the query names one of several declarations in the chunk, the ordinal of that declaration
    /// in its segment.
    pub named: Option<u32>,
    /// How it refers to the symbol, if the query asks for what refers to one.
    pub relation: Option<String>,
    /// The score, at least 0; higher is better. 1 is about the most that words alone give.
    pub score: f64,
    /// The probability that the hit answers the query, from 0 to 1. Comparable between answers; see
    /// [`rank::relevance`].
    pub relevance: f64,
    /// What the relevance is computed from.
    pub facts: rank::relevance::Facts,
    /// The parts that add up to the score, to within rounding; empty unless [`Query::explain`] is
    /// set.
    pub contributions: Vec<Contribution>,
    /// The rule that gave the hit another place than its score does, for people to read. Only if
    /// [`Query::explain`] is set.
    pub moved: Option<String>,
    /// Other chunks of the file that answer nearly as well, best first, at most four; their own
    /// lists are empty. None if the query asks for all chunks or for what refers to a symbol.
    pub also: Vec<Hit>,
    /// If it is the first hit of its file, the files that say nearly the same, by path:
    /// translations, other versions, copies in vendored code. They come after all other files, or
    /// are not among the hits.
    pub copies: Vec<BString>,
    /// Whether the chunk is stored in the overlay.
    pub in_overlay: bool,
    /// The reference to the chunk in the index.
    pub chunk: ChunkRef,
}

/// One part of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Contribution {
    /// The signal that the part comes from: `word`, `meaning`, `stem`, `path`, `coverage`,
    /// `definition`, `relation`, `mention`, `coherence`, `references`, `rerank`, `message`,
    /// `commentary`, `history`, `named path`, `named line`, `demotion`, `boost` or `function`.
    pub part: &'static str,
    /// The amount that the part adds to the score; may be negative.
    pub value: f64,
    /// The reason for the amount, for people to read.
    pub detail: String,
}

/// The reason that a query cannot be answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The index cannot be read.
    #[error(transparent)]
    Segment(#[from] segment::Error),
    /// No kind of chunk or declaration has this name.
    #[error("unknown kind '{0}'")]
    Kind(String),
    /// The pathspec has unknown magic or is too long.
    #[error("can't use pathspec '{0}'")]
    Pathspec(String),
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Segment(error) => error.kind(),
            Self::Kind(_) | Self::Pathspec(_) => ErrorKind::Config,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Kind(_) => Some(format!("kinds are {}", parse::filter::kind_names().join(", "))),
            _ => None,
        }
    }
}
