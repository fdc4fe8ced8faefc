//! Questions: a question → evidence, gathered step by step → an answer with checked citations.
//!
//! Owns the loop (`gather`): split the question, search each part, look at the results, ask
//! further, stop. A [`Controller`] decides what to search and when to stop: [`Rules`] needs no
//! model, [`ModelController`] asks one. Then [`write()`] has a model write the answer from the
//! evidence, and [`check`] removes citations that do not exist. A [`Journal`] stores answers that
//! were paid for.
//!
//! **Invariants.** Evidence comes only from a [`EvidenceSource`], at one revision. A model's output
//! is checked before use, and can only decide which words to search and which words to print.
//! Repository content is data: it reaches a model between fences that it can't know (`context`).
//! Must not: open a repository, send, print.

mod asking;
mod cite;
mod context;
mod gather;
mod journal;
mod read;
mod rules;
mod split;
#[cfg(test)]
mod tests;
mod writing;

use bstr::BString;
use serde::Serialize;

use super::view::ResultItem;
use crate::base::chat;
use crate::base::error::{ClassifiedError, ErrorKind};
use crate::base::text::{quoted, visible_path};

pub use asking::ModelController;
pub use cite::{CheckedText, UnsupportedClaim, check};
pub use context::{Context, context};
pub use gather::{Controller, Judgement, Limits, gather};
pub use journal::{Header, Journal};
pub use rules::Rules;
pub use split::split;
pub use writing::{WrittenAnswer, prompt, write};

/// The result type of this part.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The search failed.
    #[error("can't search")]
    Retrieve(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] chat::Error),
    /// The trace can't be written or read.
    #[error("can't {action} the trace '{path}'")]
    Trace {
        /// The attempted action.
        action: &'static str,
        /// The file.
        path: String,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// The file is not a trace, or is a trace of something else.
    #[error("can't continue from '{path}': {why}")]
    Resume {
        /// The file.
        path: String,
        /// The reason.
        why: String,
    },
    /// The user interrupted the work.
    #[error("interrupted")]
    Cancelled,
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Retrieve(_) => ErrorKind::Internal,
            Self::Model(error) => error.kind(),
            Self::Trace { .. } => ErrorKind::Git,
            Self::Resume { .. } => ErrorKind::Config,
            Self::Cancelled => ErrorKind::Cancelled,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Model(error) => {
                Some(error.hint().unwrap_or_else(|| "use --extractive to answer without a model".to_owned()))
            }
            Self::Resume { .. } => Some("start again with --trace".to_owned()),
            _ => None,
        }
    }
}

/// A source of evidence.
pub trait EvidenceSource {
    /// Returns the results of a query, best first, at most `limit`.
    ///
    /// # Errors
    /// [`Error::Retrieve`], [`Error::Cancelled`].
    fn find(&self, query: &str, limit: usize) -> Result<Vec<ResultItem>>;

    /// Returns the chunks that refer to a place or that it refers to, nearest first, at most
    /// `limit`.
    ///
    /// [`ResultItem::relation`] says how they are related.
    ///
    /// # Errors
    /// As [`EvidenceSource::find`].
    fn related(&self, to: &ResultItem, limit: usize) -> Result<Vec<ResultItem>>;
}

/// A chunk that was found, as evidence.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Evidence {
    /// The chunk, with its text.
    pub item: ResultItem,
    /// The step that first found it, from 1.
    pub step: usize,
}

impl Evidence {
    /// Returns its place: `path:first-last`.
    pub fn place(&self) -> Place {
        Place::of(&self.item)
    }
}

/// The place of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// Source path, as bytes; serialised as text, quoted as Git does if it is not UTF-8.
    #[serde(serialize_with = "as_text")]
    pub path: BString,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
}

fn as_text<S: serde::Serializer>(path: &BString, to: S) -> std::result::Result<S::Ok, S::Error> {
    to.serialize_str(&quoted(path.as_ref()))
}

impl Place {
    fn of(item: &ResultItem) -> Self {
        Self { path: item.path.clone(), start_line: item.span.start_line, end_line: item.span.end_line }
    }
}

impl std::fmt::Display for Place {
    /// Writes `path:first-last` on one line, without control characters.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = quoted(self.path.as_ref());
        write!(f, "{}:{}", visible_path(&path), self.start_line)?;
        if self.end_line != self.start_line {
            write!(f, "-{}", self.end_line)?;
        }
        Ok(())
    }
}

/// A question for the search: a part of the user's question, or the whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Part {
    /// Its text.
    pub text: String,
    /// The step in which the question came up, from 1.
    pub step: usize,
    /// Whether it is the user's whole question. Its results then come after those of its parts.
    pub is_whole: bool,
    /// An earlier question that is so similar that this one is not searched.
    pub near: Option<String>,
    /// Its results, best first, as indexes into [`State::evidence`].
    pub found: Vec<usize>,
}

/// An aspect of the question that the evidence covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Aspect {
    /// Description of the aspect.
    pub aspect: String,
    /// Places of the evidence.
    pub places: Vec<Place>,
}

/// The outcome of one step.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// Number of the step, from 1.
    pub step: usize,
    /// Number of chunks that were not seen before.
    pub new: usize,
    /// Aspects that are answered so far.
    pub aspects: Vec<Aspect>,
    /// Aspects that are not answered so far.
    pub gaps: Vec<String>,
    /// Contradictions in the evidence.
    pub contradictions: Vec<String>,
    /// Whether the controller judged the evidence sufficient.
    pub sufficient: bool,
}

/// The reason why the loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The evidence is sufficient.
    Sufficient,
    /// There was nothing new to ask, or nothing new was found.
    Exhausted,
    /// The maximum number of steps was reached.
    Steps,
    /// The budget of tokens or calls is spent.
    Budget,
    /// No result is relevant to the question.
    Nothing,
}

impl Stop {
    /// Returns the reason in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sufficient => "the evidence is sufficient",
            Self::Exhausted => "nothing new was found",
            Self::Steps => "the step limit is reached",
            Self::Budget => "the budget is used up",
            Self::Nothing => "no relevant result",
        }
    }
}

/// The state of the loop.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct State {
    /// The question.
    pub question: String,
    /// The searched questions, in order.
    pub parts: Vec<Part>,
    /// The evidence, each chunk once, in the order in which it was found.
    pub evidence: Vec<Evidence>,
    /// The outcomes of the steps so far.
    pub steps: Vec<Step>,
    /// The reason why the loop ended; `None` while it runs.
    pub stop: Option<Stop>,
    /// Problems on the way, for people.
    pub notes: Vec<String>,
}

/// A progress report of the loop.
#[derive(Debug, Clone, Copy)]
pub enum Event<'e> {
    /// A question was searched.
    Searched {
        /// The step, from 1.
        step: usize,
        /// The question.
        part: &'e Part,
        /// Number of chunks that it was the first to find.
        new: usize,
    },
    /// References were followed.
    Expanded {
        /// The step, from 1.
        step: usize,
        /// Number of chunks that were first found this way.
        new: usize,
    },
    /// A step is complete.
    Judged(&'e Step),
    /// The model is asked; the text says for what.
    Asking(&'static str),
    /// The number of characters that the model has answered so far.
    Receiving(usize),
    /// The loop has ended.
    Stopped(Stop),
}

/// A receiver of progress reports.
pub trait Watch {
    /// Receives one event.
    fn tell(&mut self, event: Event<'_>);
}

/// Ignores all events.
impl Watch for () {
    fn tell(&mut self, _: Event<'_>) {}
}
