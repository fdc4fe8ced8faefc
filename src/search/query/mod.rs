//! Queries: text → ranked chunks of an [`Index`].
//!
//! Owns [`Query`] and [`Answer`], what a query's text means ([`parse`]), and how chunks are ranked ([`search`]):
//! words by BM25F, declared names, paths, then priors of the file. All weights are in [`weights`]; all signals
//! meet in one function of the module `fuse`, where later ones join.
//!
//! **Invariants.** The answer is a function of the live files and the query: it does not depend on which of
//! them lie in the base or the overlay, down to the bits of the scores. Order: score, best first; then path;
//! then start. Must not: write, format, read source text. A quoted phrase can't be checked without the text, so
//! the hits have all its words and [`Answer::needs_text_check`] says what the caller has to look for.

mod parse;
pub mod rank;
mod recall;

#[cfg(test)]
mod tests;

use bstr::BString;

use super::segment;
use crate::base::error::{Classified, ErrorKind};
use crate::index::chunk::{ChunkKind, DeclarationKind, ReferenceKind, Span};

#[cfg(doc)]
use super::segment::Index;

pub use parse::filter::{KindFilter, chunk_kind_name, declaration_kind_name};
pub use parse::parser::{Parsed, QueryTerm, SymbolWord, parse};
pub use parse::paths::NamedPath;
pub use parse::pathspec::{Pathspec, admits};
pub use parse::quotes::unquoted;
pub use parse::words::is_stop_word;
pub(crate) use rank::hit::around_local;
pub use rank::pipeline::{Beside, near_meaning, search, search_by, search_weighted, wants_history};
pub use recall::message::Sources;
pub use recall::notes::Notes;
pub use recall::semantic::Cosines;

pub use super::segment::ChunkRef;

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The question: words, an identifier, a path, a stack trace, a whole issue.
    pub text: String,
    /// Most hits wanted.
    pub limit: usize,
    /// What a hit must be besides, together with the filters in the text.
    pub filters: Filters,
    /// Whether a file's further chunks compete with other files' best ones. By default they come after them.
    pub all_chunks: bool,
    /// Whether hits say what their scores are made of.
    pub explain: bool,
    /// Pathspecs of files whose scores are multiplied, and with what; all that fit a file count.
    pub boosts: Vec<(String, f64)>,
    /// What was said before the question, the latest first: its words and names count less, the older the less.
    pub context: Vec<String>,
}

impl Query {
    /// A question with ten hits and no filters.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            limit: 10,
            filters: Filters::default(),
            all_chunks: false,
            explain: false,
            boosts: Vec::new(),
            context: Vec::new(),
        }
    }
}

/// What a hit must be. An empty list admits everything; several entries of one list are alternatives.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filters {
    /// Where it may lie, as Git's pathspecs, see [`Pathspec`].
    pub paths: Vec<String>,
    /// Its file's language, by name or extension, in any case.
    pub languages: Vec<String>,
    /// What it is or declares, see [`KindFilter`].
    pub kinds: Vec<String>,
    /// Whether it is a test; `None` for either.
    pub tests: Option<bool>,
}

/// What a query's text looks like, which decides how it is weighed.
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
    /// An issue, a message, a log: several lines or very many words.
    LongText,
}

impl QueryKind {
    /// Whether it names much that it does not ask for, as issues and stack traces do.
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
    /// The best chunk's score by words, before it became 1: comparable, roughly, between indexes.
    pub strength: f64,
    /// The terms that were searched for, with their weights.
    pub terms: Vec<QueryTerm>,
    /// What the text was taken for.
    pub query_kind: QueryKind,
    /// Words that occur nowhere, and what was searched for besides; in order of the words.
    pub near: Vec<Near>,
    /// Phrases that a hit's source must contain as written; the index only knows that all their words are there.
    pub needs_text_check: Vec<String>,
    /// What the users of are asked for.
    pub users: Option<UsersAsked>,
}

/// What a question asks for users of, as «what calls parse_header».
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsersAsked {
    /// Its bare name.
    pub name: String,
    /// How it is used; of several ways, the first that is asked for.
    pub kind: ReferenceKind,
}

/// A word of the query that is not in the index, or a name of which only parts are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    /// The word, in lower case; a name as it was written.
    pub word: String,
    /// The words of the index that are spelled most like it, most frequent first; at most three.
    pub instead: Vec<String>,
}

/// A chunk that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its file's path.
    pub path: BString,
    /// Its file's language.
    pub language: String,
    /// Where it lies.
    pub span: Span,
    /// What it is.
    pub chunk_kind: ChunkKind,
    /// The kind of the declaration that it is, is a part of, or begins with; of several, the kind of the
    /// declaration that the query names.
    pub declaration_kind: Option<DeclarationKind>,
    /// That declaration's symbol path (`Class.method`); empty if there is none.
    pub symbol: String,
    /// The lines of it that the query names (`path:12`, a frame of a stack trace), in order.
    pub lines: Vec<u32>,
    /// Of a chunk of several declarations, the ordinal in its segment of the one that the query names, if it names one.
    pub named: Option<u32>,
    /// From 0, higher is better; 1 is about the best that words alone give.
    pub score: f64,
    /// What the score is the sum of, to within rounding; empty unless asked for.
    pub contributions: Vec<Contribution>,
    /// Whether it lies in the overlay.
    pub in_overlay: bool,
    /// Where the index has it.
    pub chunk: ChunkRef,
}

/// A part of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Contribution {
    /// Which rule: `word`, `meaning`, `stem`, `path`, `coverage`, `definition`, `users`, `mention`, `coherence`, `references`, `fitting`, `message`,
    /// `commentary`, `history`, `named path`, `named line`, `demotion`, `boost`.
    pub part: &'static str,
    /// What it adds to the score.
    pub value: f64,
    /// What it was given for, for people.
    pub detail: String,
}

/// Why a query can't be answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The index can't be read.
    #[error(transparent)]
    Segment(#[from] segment::Error),
    /// No kind of chunk or declaration has this name.
    #[error("unknown kind '{0}'")]
    Kind(String),
    /// The pathspec has magic that is not known, or is too long.
    #[error("can't use pathspec '{0}'")]
    Pathspec(String),
}

impl Classified for Error {
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
