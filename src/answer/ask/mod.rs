//! Questions: a question → evidence, step by step → an answer whose citations were checked.
//!
//! Owns the loop ([`gather`]): split the question, search for each part, look at what was found, ask on, stop. What is
//! looked for and when it is enough is up to a [`Controller`]: [`Rules`], which needs no model, or [`Asking`], which asks
//! one. Then the answer: [`write()`] has a model write it from the evidence, and [`check`] lets no citation through that
//! does not exist. A [`Journal`] keeps what was paid for.
//!
//! **Invariants.** Evidence comes from a [`Retrieve`] alone, at one revision. What a model says is checked before it is
//! used, and decides about words to search for and words to print, nothing else. What lies in the repository is data:
//! it reaches a model between fences that it can't know ([`context`]). Must not: open a repository, send, print.

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
use crate::base::error::{Classified, ErrorKind};

pub use asking::Asking;
pub use cite::{Checked, Unsupported, check};
pub use context::{Context, context};
pub use gather::{Controller, Judgement, Limits, gather};
pub use journal::{Header, Journal};
pub use rules::Rules;
pub use split::split;
pub use writing::{Written, prompt, write};

/// What this stage returns.
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
        /// What was tried.
        action: &'static str,
        /// The file.
        path: String,
        /// Why it failed.
        #[source]
        source: std::io::Error,
    },
    /// The trace is of something else, or none.
    #[error("can't go on from '{path}': {why}")]
    Resume {
        /// The file.
        path: String,
        /// What is wrong.
        why: String,
    },
    /// The user interrupted the work.
    #[error("interrupted")]
    Cancelled,
}

impl Classified for Error {
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
                Some(error.hint().unwrap_or_else(|| "--extractive answers without a model".to_owned()))
            }
            Self::Resume { .. } => Some("begin anew with --trace".to_owned()),
            _ => None,
        }
    }
}

/// Where evidence comes from.
pub trait Retrieve {
    /// What answers a query, best first, at most `limit`.
    ///
    /// # Errors
    /// [`Error::Retrieve`], [`Error::Cancelled`].
    fn find(&self, query: &str, limit: usize) -> Result<Vec<ResultItem>>;

    /// What references lead to from a place and back, nearest first, at most `limit`;
    /// [`ResultItem::relation`] says how.
    ///
    /// # Errors
    /// As [`Retrieve::find`].
    fn related(&self, to: &ResultItem, limit: usize) -> Result<Vec<ResultItem>>;
}

/// A place that was found.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The chunk, with its text.
    pub item: ResultItem,
    /// The step that found it first, from 1.
    pub step: usize,
}

impl Evidence {
    /// Its place: `path:first-last`.
    pub fn place(&self) -> Place {
        Place::of(&self.item)
    }
}

/// Where a chunk lies.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// Source path, as bytes; where that is no UTF-8, it is written with U+FFFD.
    #[serde(serialize_with = "lossy")]
    pub path: BString,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
}

fn lossy<S: serde::Serializer>(path: &BString, to: S) -> std::result::Result<S::Ok, S::Error> {
    to.serialize_str(&path.to_string())
}

impl Place {
    fn of(item: &ResultItem) -> Self {
        Self { path: item.path.clone(), start_line: item.span.start_line, end_line: item.span.end_line }
    }
}

impl std::fmt::Display for Place {
    /// `path:first-last`, on one line, without control characters.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = self.path.to_string();
        write!(f, "{}:{}", super::view::visible(&path), self.start_line)?;
        if self.end_line != self.start_line {
            write!(f, "-{}", self.end_line)?;
        }
        Ok(())
    }
}

/// A question that was searched for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// Its text.
    pub text: String,
    /// The step in which it came up, from 1.
    pub step: usize,
    /// Whether it is the whole question beside its parts: what it finds comes after what they find.
    pub is_whole: bool,
    /// The earlier question that it is too near to be searched for again.
    pub near: Option<String>,
    /// What it found, best first: positions in [`State::evidence`].
    pub found: Vec<usize>,
}

/// A side of the question that the evidence speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Aspect {
    /// What it is.
    pub aspect: String,
    /// Where the evidence lies.
    pub places: Vec<Place>,
}

/// What happened in one step.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Step {
    /// Which, from 1.
    pub step: usize,
    /// Chunks that were not seen before.
    pub new: usize,
    /// Answered so far.
    pub aspects: Vec<Aspect>,
    /// Not answered so far.
    pub gaps: Vec<String>,
    /// What contradicts itself.
    pub contradictions: Vec<String>,
    /// Whether it was found enough.
    pub sufficient: bool,
}

/// Why the loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// What was found is enough.
    Sufficient,
    /// There was nothing new to ask, or nothing new was found.
    Exhausted,
    /// As many steps as there may be.
    Steps,
    /// The budget of tokens or calls.
    Budget,
    /// Nothing that was found has to do with the question.
    Nothing,
}

impl Stop {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sufficient => "the evidence suffices",
            Self::Exhausted => "nothing new is found",
            Self::Steps => "no more steps",
            Self::Budget => "the budget is spent",
            Self::Nothing => "nothing that is found has to do with the question",
        }
    }
}

/// All that the loop knows.
#[derive(Debug, Clone)]
pub struct State {
    /// The question.
    pub question: String,
    /// What was searched for, in order.
    pub parts: Vec<Part>,
    /// Each chunk once, in the order of finding.
    pub evidence: Vec<Evidence>,
    /// What was made of it.
    pub steps: Vec<Step>,
    /// Why it ended; `None` while it runs.
    pub stop: Option<Stop>,
    /// What did not go as it should, for people.
    pub notes: Vec<String>,
}

/// What is told while the loop runs.
#[derive(Debug, Clone, Copy)]
pub enum Event<'e> {
    /// A question was searched for.
    Searched {
        /// The step, from 1.
        step: usize,
        /// The question.
        part: &'e Part,
        /// Chunks that it found first.
        new: usize,
    },
    /// References were followed.
    Expanded {
        /// The step, from 1.
        step: usize,
        /// Chunks that were found so first.
        new: usize,
    },
    /// A step is over.
    Judged(&'e Step),
    /// The model is asked: for what.
    Asking(&'static str),
    /// The model has answered so many characters.
    Receiving(usize),
    /// The loop is over.
    Stopped(Stop),
}

/// Who is told.
pub trait Watch {
    /// Something has happened.
    fn tell(&mut self, event: Event<'_>);
}

/// Nobody.
impl Watch for () {
    fn tell(&mut self, _: Event<'_>) {}
}
