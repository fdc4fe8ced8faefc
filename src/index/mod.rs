//! The index: source commit → records → ref, and back.
//!
//! Owns the way records are stored in Git: the tree of records that mirrors the source tree, the
//! two commits around it, and the refs. Its operations are build, open, fill, verify, prune, push
//! and fetch.
//!
//! ```text
//! refs/cora/<commit>        ─▶ B  { tree T, parents: S of this commit, S of its first parent }
//! refs/cora/<root commit>   ─▶ S  { tree T, no parent }
//! refs/cora-local/<commit>  ─▶ S  where the first parent is unknown here (a shallow boundary)
//!                                 or too large to be indexed
//! T: manifest, files/<source path>
//! ```
//!
//! **Invariants.**
//! - An index is a pure function of the source commit, the options in its manifest and our version.
//!   Built from scratch or from any other index, here or elsewhere, it has the same object ids.
//! - A ref is written only after all of its objects.
//! - The base index is untrusted. In directories that change, each reused record is opened and
//!   compared with its source id (at most 2,000). Unchanged directories are reused by tree id,
//!   unchecked. Names are compared with the source before they are shown (`check`), unless this
//!   machine made the index (`made_here`). Only `verify` proves an index correct.
//! - A ref made by a newer version is never overwritten.
//! - An index is stored outside `refs/cora/` if it is at a shallow boundary, if a file could not be
//!   read, or if an index of a newer version has its place. So a plain
//!   `git push origin 'refs/cora/*'` can't send it, and can't cause conflicts.

mod build;
mod check;
pub mod chunk;
pub mod embed;
mod fill;
mod gaps;
mod indexer;
mod layout;
mod made_here;
mod open;
mod prune;
pub mod record;
mod recorder;
mod share;
pub mod source;
mod tree;
mod verify;

use std::path::PathBuf;

use crate::base::config::ConfigError;
use crate::base::error::{ClassifiedError, ErrorKind};
use crate::base::id::ObjectId;
use crate::git;
use chunk::ChunkOptions;
use record::Manifest;

pub use build::{BuildReport, index_commit};
pub use check::{LoadedRecord, load_record, max_record_bytes};
pub use fill::{FillReport, fill};
pub use gaps::unreadable_files;
pub use indexer::{IncompleteIndex, Indexer};
pub use layout::{LOCAL_PREFIX, REF_PREFIX, commit_of_ref, ref_name};
pub use made_here::is_made_here;
pub use open::{CommitIndex, Snapshot, incomplete, indexed_commits, is_newer, nearest, open, open_foreign};
pub use prune::{PruneMode, PruneReport, prune, remove_faults, retained, unreachable};
pub use recorder::{Recorder, Work};
pub use share::{Destination, FetchReport, Presence, PushReport, Shipment, fetch, push, receive};
pub use tree::changes;
pub use verify::{Difference, Verifier, VerifyReport};

/// The options of an index that change its records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexOptions {
    /// Target sizes of chunks.
    pub chunk: ChunkOptions,
    /// Size limits above which files are skipped.
    pub limits: source::Limits,
}

impl IndexOptions {
    /// Returns the manifest of an index that this program makes with these options.
    pub fn manifest(&self) -> Manifest {
        let mut missing: Vec<String> = chunk::Language::all()
            .filter(|language| language.lacks_grammar())
            .map(|language| language.name().to_owned())
            .collect();
        missing.sort_unstable();
        Manifest::current(&self.chunk, self.limits.max_file_bytes, missing)
    }
}

/// A failure of the index stage.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Git or the repository failed.
    #[error(transparent)]
    Git(#[from] git::Error),
    /// An index object is invalid.
    #[error("the index of {commit} is damaged: {why}")]
    Damaged {
        /// The source commit.
        commit: ObjectId,
        /// A description of the damage.
        why: String,
    },
    /// A record can't be read.
    #[error("the record of '{path}' is damaged")]
    Record {
        /// The source path, lossily decoded.
        path: String,
        /// The cause.
        #[source]
        source: record::Error,
    },
    /// The index was made by a newer version.
    #[error("the index of {commit} was made by a newer version of git-cora")]
    Newer {
        /// The source commit.
        commit: ObjectId,
    },
    /// The commit has no index, and this operation must not build one.
    #[error("commit {commit} is not indexed")]
    NotIndexed {
        /// The source commit.
        commit: ObjectId,
    },
    /// A remote has no index of a requested commit.
    #[error("'{remote}' has no index of commit {commit}")]
    NotShared {
        /// The remote as the user wrote it.
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
    /// One of our own files can't be read or written.
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
    /// A setting makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Git(error) => error.kind(),
            Self::Damaged { .. } | Self::Record { .. } => ErrorKind::Corrupt,
            Self::Newer { .. } => ErrorKind::Unsupported,
            Self::NotIndexed { .. } | Self::NotShared { .. } => ErrorKind::NotIndexed,
            Self::NoRecord { .. } => ErrorKind::NotFound,
            Self::Io { .. } => ErrorKind::Git,
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Config(_) => ErrorKind::Config,
        }
    }

    fn proposes_repository(&self) -> bool {
        matches!(self, Self::Git(error) if error.proposes_repository())
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Git(error) => error.hint(),
            Self::Damaged { commit, .. } => {
                Some(format!("run 'git cora index --force {commit}' to rebuild it"))
            }
            Self::Record { .. } => Some("run 'git cora verify --all' to see what is wrong".to_owned()),
            Self::Newer { .. } => Some("upgrade git-cora, or query another commit".to_owned()),
            Self::NotIndexed { commit } => Some(format!("run 'git cora index {commit}' to index it")),
            Self::NotShared { commit, .. } => Some(format!("run 'git cora index {commit}' to build it here")),
            Self::NoRecord { .. } => {
                Some("run 'git cora stats --skipped' to see what is skipped, and why".to_owned())
            }
            Self::Config(error) => error.hint(),
            Self::Io { .. } | Self::Cancelled => None,
        }
    }
}

/// The result of every operation of the index stage.
pub type Result<T> = std::result::Result<T, Error>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_git_proposes_what_git_proposes() {
        let dir = tempfile::tempdir().unwrap();
        let missing = crate::git::Error::NotARepository(dir.path().to_owned());
        for (error, expected) in
            [(missing, true), (crate::git::Error::Internal("no hash has 7 bytes".to_owned()), false)]
        {
            assert_eq!(error.proposes_repository(), expected, "{error}");
            assert_eq!(Error::from(error).proposes_repository(), expected);
        }
        assert!(!Error::Cancelled.proposes_repository());
    }
}
