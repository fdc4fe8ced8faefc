//! The index: commit → records → ref, and back.
//!
//! Owns how records hang together in Git: the tree of records that mirrors the source tree, the two commits
//! around it, the refs, and what keeps them: build, open, fill, verify, prune, push and fetch.
//!
//! ```text
//! refs/cora/<commit>        ─▶ B  { tree T, parents: S of this commit, S of its first parent }
//! refs/cora/<root commit>   ─▶ S  { tree T, no parent }
//! refs/cora-local/<commit>  ─▶ S  where the first parent is unknown here (a shallow boundary)
//! T: manifest, files/<source path>
//! ```
//!
//! **Invariants.** An index is a pure function of the source commit, the options in its manifest and our version:
//! built from scratch or from any other index, here or elsewhere, it has the same object ids. A ref is written
//! only after all of its objects. What is built on may have come from anyone: directories in which a file changed get no
//! record from it that does not open or is of another source (up to a bound); others are taken over unopened, and
//! only `verify` tells whether all records are what the source gives. A ref made by a newer version is never overwritten. What can't be pushed
//! without conflict (an index at a shallow boundary) lies outside `refs/cora/`, so that a plain
//! `git push origin 'refs/cora/*'` can't send it.

mod build;
pub mod chunk;
mod fill;
mod indexer;
mod layout;
mod open;
mod prune;
pub mod record;
mod recorder;
pub(crate) mod share;
pub mod source;
mod tree;
mod verify;

use std::path::PathBuf;

use crate::base::config::ConfigError;
use crate::base::error::{Classified, ErrorKind};
use crate::base::id::ObjectId;
use crate::git;
use chunk::ChunkOptions;
use record::Manifest;

pub use build::{Built, index_commit};
pub use fill::{FillReport, fill};
pub use indexer::Indexer;
pub use layout::{LOCAL_PREFIX, REF_PREFIX, commit_of_ref, ref_name};
pub use open::{Opened, Snapshot, indexed_commits, nearest, open, open_foreign};
pub use prune::{PruneReport, prune, retained};
pub use recorder::{Recorder, Work, file_name};
pub use share::{Fetched, Pushed, fetch, push};
pub use tree::{changes, is_record_of};
pub use verify::{Difference, Verifier, VerifyReport};

/// What an index is made with: options that change records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexOptions {
    /// Sizes that chunking aims at.
    pub chunk: ChunkOptions,
    /// Which files are left out by size.
    pub limits: source::Limits,
}

impl IndexOptions {
    /// The manifest of an index made with these options by this program.
    pub fn manifest(&self) -> Manifest {
        let mut missing: Vec<String> = chunk::Language::all()
            .filter(|language| language.lacks_grammar())
            .map(|language| language.name().to_owned())
            .collect();
        missing.sort_unstable();
        Manifest::current(&self.chunk, self.limits.max_file_bytes, missing)
    }
}

/// Why indexing, or what belongs to it, failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Git, or the repository, failed.
    #[error(transparent)]
    Repo(#[from] git::Error),
    /// An index object is not what it should be.
    #[error("the index of {commit} is damaged: {why}")]
    Damaged {
        /// The source commit.
        commit: ObjectId,
        /// What is wrong with it.
        why: String,
    },
    /// A record can't be read.
    #[error("the record of '{path}' is damaged")]
    Record {
        /// The source path, lossily decoded.
        path: String,
        /// What is wrong with it.
        #[source]
        source: record::Error,
    },
    /// The index was made by a newer version.
    #[error("the index of {commit} was made by a newer version of git-cora")]
    Newer {
        /// The source commit.
        commit: ObjectId,
    },
    /// The commit has no index, and none may be made on the way.
    #[error("commit {commit} is not indexed")]
    NotIndexed {
        /// The source commit.
        commit: ObjectId,
    },
    /// A remote has no index of a commit that was asked for.
    #[error("'{remote}' has no index of commit {commit}")]
    NotShared {
        /// The remote, as it was named.
        remote: String,
        /// The source commit.
        commit: ObjectId,
    },
    /// The path is not in the commit, or has no record.
    #[error("no record of '{path}' at {commit}")]
    NoRecord {
        /// The path, lossily decoded.
        path: String,
        /// The source commit.
        commit: ObjectId,
    },
    /// A remote refused, or could not be reached.
    #[error("{operation} failed: {message}")]
    Remote {
        /// `push` or `fetch`.
        operation: &'static str,
        /// What Git said.
        message: String,
    },
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
    /// A setting makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl Classified for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Repo(error) => error.kind(),
            Self::Damaged { .. } | Self::Record { .. } => ErrorKind::Corrupt,
            Self::Newer { .. } => ErrorKind::Unsupported,
            Self::NotIndexed { .. } | Self::NotShared { .. } => ErrorKind::NotIndexed,
            Self::NoRecord { .. } => ErrorKind::NotFound,
            Self::Remote { .. } => ErrorKind::Network,
            Self::Io { .. } => ErrorKind::Git,
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Config(_) => ErrorKind::Config,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Repo(error) => error.hint(),
            Self::Damaged { commit, .. } => {
                Some(format!("rebuild it with 'git cora index --force {commit}'"))
            }
            Self::Record { .. } => Some("find what is wrong with 'git cora verify --all'".to_owned()),
            Self::Newer { .. } => Some("upgrade git-cora, or query another commit".to_owned()),
            Self::NotIndexed { commit } => Some(format!("index it with 'git cora index {commit}'")),
            Self::NotShared { commit, .. } => Some(format!("make it here with 'git cora index {commit}'")),
            Self::NoRecord { .. } => {
                Some("see what is skipped, and why, with 'git cora stats --skipped'".to_owned())
            }
            Self::Remote { .. } => Some(
                "'git remote -v' lists the remotes; 'git ls-remote REMOTE' shows whether one answers"
                    .to_owned(),
            ),
            Self::Config(error) => error.hint(),
            Self::Io { .. } | Self::Cancelled => None,
        }
    }
}

/// What every operation of this stage returns.
pub type Result<T> = std::result::Result<T, Error>;
