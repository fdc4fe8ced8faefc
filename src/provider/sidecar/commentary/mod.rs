//! Commentary: short paragraphs about chunks, written by a language model, stored in Git.
//!
//! Owns everything under `refs/cora/commentary/` (see `FORMAT.md`). For a commit there is a tree
//! that mirrors the source tree, with the notes of each file. This stage makes notes ([`plan`],
//! [`make`]) and finds them ([`find`], [`read`]).
//!
//! **Invariants.**
//!
//! - A model's text is marked with the model's id wherever it goes.
//! - Commentary is not reproducible and costs money. Therefore it is stored apart from the index,
//!   and the index's bytes never depend on it.
//! - Nothing is paid for twice. A note is taken over by the hash of the text that it is about. A
//!   journal stores what was received before the next request.
//! - Source is sent as fenced data.
//! - Received bytes are hostile, including the model's: every length is checked, and text is one
//!   line without control characters.

mod find;
mod journal;
mod make;
mod note;
mod prompt;
mod send;

use std::path::PathBuf;

use crate::base::error::{ClassifiedError, ErrorKind};
use crate::base::id::ObjectId;
use crate::git;
use crate::provider::chat;

pub use find::{CommentaryRef, REF_PREFIX, find, read, ref_name};
pub use make::{FileToAnnotate, Plan, Report, RunInputs, Sources, make, plan};
pub use note::{Key, MAX_TEXT, Note, decode, encode, key_of, paragraph};
pub use prompt::Passage;
pub use send::requests;

/// Result of this stage's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Reason why commentary can't be made or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Git, or the repository, failed.
    #[error(transparent)]
    Repo(#[from] git::Error),
    /// The language model failed.
    #[error(transparent)]
    Model(#[from] chat::Error),
    /// The bytes are damaged, or are not commentary of this format.
    #[error("corrupt commentary: {0}")]
    Corrupt(&'static str),
    /// The ref holds commentary of a newer format.
    #[error("the commentary of {commit} was made by a newer version of git-cora")]
    Newer {
        /// The source commit.
        commit: ObjectId,
    },
    /// Another process is annotating this repository.
    #[error("another 'git cora annotate' is at work here")]
    Busy,
    /// Every attempt to write the ref failed because somebody else had moved it.
    #[error("the commentary of {commit} is being changed by somebody else")]
    Moving {
        /// The source commit.
        commit: ObjectId,
    },
    /// A file of this stage can't be read or written.
    #[error("can't access '{}'", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// The user interrupted the work.
    #[error("interrupted")]
    Cancelled,
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Repo(error) => error.kind(),
            Self::Model(error) => error.kind(),
            Self::Corrupt(_) => ErrorKind::Corrupt,
            Self::Newer { .. } => ErrorKind::Unsupported,
            Self::Busy | Self::Moving { .. } | Self::Io { .. } => ErrorKind::Git,
            Self::Cancelled => ErrorKind::Cancelled,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Repo(error) => error.hint(),
            Self::Model(error) => error.hint(),
            Self::Corrupt(_) => Some("'git cora annotate' makes it again".to_owned()),
            Self::Newer { .. } => Some("upgrade git-cora".to_owned()),
            Self::Busy => Some("wait for it to end".to_owned()),
            Self::Moving { .. } => {
                Some("run 'git cora annotate' again: what was received is kept".to_owned())
            }
            Self::Io { .. } | Self::Cancelled => None,
        }
    }
}
