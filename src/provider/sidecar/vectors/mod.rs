//! Vectors of remote models: made once, kept in Git, looked up by queries.
//!
//! Owns what lies under `refs/cora/embeddings/` (`FORMAT.md` beside this file): for a model and a commit a tree that
//! mirrors the source tree, with one blob of eight-bit rows for each indexed file. It makes them ([`plan`], [`make`]),
//! finds them ([`find`]), and lays those of one commit out in a mapped file of the cache for queries ([`Table`]).
//!
//! ```text
//! refs/cora/embeddings/<model>/<commit> ─▶ E { tree T, parents: S, and S of the vectors that it was made from }
//!                                          S { tree T, no parent }
//! T: manifest, files/<source path>
//! ```
//!
//! **Invariants.** Vectors are not reproducible and cost money, hence apart from the index, whose bytes never depend
//! on them. No text is paid for twice: a file whose record has vectors under any ref of the model is taken over, then
//! each text by its hash; what an interrupted run has received lies in a journal, written batch by batch. A ref is
//! written after its objects. Received bytes are hostile: every length is checked, a file of vectors that does not fit
//! its record counts as missing, and no vector puts words into a result.

mod decode;
mod find;
mod journal;
mod layout;
mod make;
mod table;

use std::path::PathBuf;

use crate::base::error::{Classified, ErrorKind};
use crate::base::id::ObjectId;
use crate::git;
use crate::provider::embedding;

pub use decode::{FileVectors, Key, decode, encode, key_of};
pub use find::{Found, find};
pub use layout::{REF_PREFIX, ref_name};
pub use make::{FileToEmbed, Plan, Report, Texts, make, plan};
pub use table::{Rows, Table};

/// What this stage returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why vectors can't be made or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Git, or the repository, failed.
    #[error(transparent)]
    Repo(#[from] git::Error),
    /// The remote model failed.
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
    /// A file of ours can't be read or written.
    #[error("can't access '{}'", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The user interrupted the work.
    #[error("interrupted")]
    Cancelled,
}

impl Classified for Error {
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
