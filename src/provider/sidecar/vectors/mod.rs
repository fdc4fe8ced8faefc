//! Vectors of providers' models: made once, stored in Git, looked up by queries.
//!
//! Owns everything under `refs/cora/embeddings/` (see `FORMAT.md`). For a model and a commit there
//! is a tree that mirrors the source tree, with one blob of 8-bit rows for each indexed file. This
//! stage makes the vectors ([`plan`], [`make`]), finds them ([`find`]), and arranges those of one
//! commit in a mapped cache file for queries ([`Table`]).
//!
//! ```text
//! refs/cora/embeddings/<model>/<commit> ─▶ E { tree T, parents: S, and S of the base }
//!                                          S { tree T, no parent }
//! T: manifest, files/<source path>
//! ```
//!
//! The base is the vectors that E was made from, if there were any.
//!
//! **Invariants.**
//!
//! - Vectors are not reproducible and cost money. Therefore they are stored apart from the index,
//!   and the index's bytes never depend on them.
//! - No text is paid for twice. A file is taken over if any ref of the model has vectors of its
//!   record, and a single text by its hash. A journal, written batch by batch, keeps what an
//!   interrupted run has received.
//! - A ref is written after its objects.
//! - Received bytes are hostile: every length is checked, and a file of vectors that does not match
//!   its record counts as missing. A vector never puts words into a result.

mod decode;
mod find;
mod journal;
mod layout;
mod make;
mod table;

use std::path::PathBuf;

use crate::base::error::{ClassifiedError, ErrorKind};
use crate::base::id::ObjectId;
use crate::git;
use crate::provider::embedding;

pub use decode::{FileVectors, Key, decode, encode, key_of};
pub use find::{VectorsRef, find};
pub use layout::{REF_PREFIX, ref_name};
pub use make::{FileToEmbed, Plan, Report, Texts, make, plan};
pub use table::{Rows, Table};

/// Result of this stage's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Reason why vectors can't be made or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Git, or the repository, failed.
    #[error(transparent)]
    Repo(#[from] git::Error),
    /// The provider's model failed.
    #[error(transparent)]
    Embed(#[from] embedding::Error),
    /// The bytes are no vectors of ours, or damaged ones.
    #[error("corrupt vectors: {0}")]
    Corrupt(&'static str),
    /// The ref holds vectors of a newer format.
    #[error("the vectors of {commit} were made by a newer version of git-cora")]
    Newer {
        /// The source commit.
        commit: ObjectId,
    },
    /// Another process is making vectors of the same model.
    #[error("another 'git cora embed' is at work here")]
    Busy,
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
            Self::Embed(error) => error.kind(),
            Self::Corrupt(_) => ErrorKind::Corrupt,
            Self::Newer { .. } => ErrorKind::Unsupported,
            Self::Busy | Self::Io { .. } => ErrorKind::Git,
            Self::Cancelled => ErrorKind::Cancelled,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Repo(error) => error.hint(),
            Self::Embed(error) => error.hint(),
            Self::Corrupt(_) => Some("'git cora embed' makes them again".to_owned()),
            Self::Newer { .. } => Some("upgrade git-cora".to_owned()),
            Self::Busy => Some("wait for it to end".to_owned()),
            Self::Io { .. } | Self::Cancelled => None,
        }
    }
}
