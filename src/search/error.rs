//! Why a search, or an answer made from one, failed.

use super::{query, segment};
use crate::base::config::ConfigError;
use crate::base::error::{ClassifiedError, ErrorKind};
use crate::base::id::ObjectId;
use crate::base::text::counted;
use crate::index::record;
use crate::{git, index};

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Git, or the repository, failed.
    #[error(transparent)]
    Git(#[from] git::Error),
    /// Indexing failed.
    #[error(transparent)]
    Index(#[from] index::Error),
    /// A record is damaged.
    #[error(transparent)]
    Record(#[from] record::Error),
    /// A segment can't be built or read.
    #[error(transparent)]
    Segment(#[from] segment::Error),
    /// The query makes no sense.
    #[error(transparent)]
    Query(#[from] query::Error),
    /// A setting makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A remote repository can't be searched.
    #[error(transparent)]
    Remote(Box<RemoteError>),
    /// The user interrupted the work.
    #[error("interrupted")]
    Cancelled,
    /// A defect of this program.
    #[error("internal error: expected that {0}")]
    Internal(&'static str),
}

/// What every operation of this stage returns.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// The error of a search that needs a commit, where `HEAD` has none.
    #[doc(hidden)]
    pub fn unborn(repo: &git::Repository) -> Self {
        match repo.resolve("HEAD") {
            Err(error) => Self::Git(error),
            // Somebody has just made it.
            Ok(_) => Self::Internal("HEAD has no commit"),
        }
    }

    /// Whether a cached segment turned out damaged while it was searched. The cache can be rebuilt.
    pub fn is_damaged_cache(&self) -> bool {
        let segment = match self {
            Self::Query(query::Error::Segment(error)) | Self::Segment(error) => error,
            _ => return false,
        };
        matches!(segment, segment::Error::Corrupt { .. })
    }
}

impl From<RemoteError> for Error {
    fn from(error: RemoteError) -> Self {
        Self::Remote(Box::new(error))
    }
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Git(error) => error.kind(),
            Self::Index(error) => error.kind(),
            Self::Record(error) => error.kind(),
            Self::Segment(error) => error.kind(),
            Self::Query(error) => error.kind(),
            Self::Config(_) => ErrorKind::Config,
            Self::Remote(error) => error.kind(),
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Internal(_) => ErrorKind::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Git(error) => error.hint(),
            Self::Index(error) => error.hint(),
            Self::Record(error) => error.hint(),
            Self::Segment(error) => error.hint(),
            Self::Query(error) => error.hint(),
            Self::Config(error) => error.hint(),
            Self::Remote(error) => error.hint(),
            Self::Cancelled | Self::Internal(_) => None,
        }
    }

    fn proposes_repository(&self) -> bool {
        match self {
            Self::Git(error) => error.proposes_repository(),
            Self::Index(error) => error.proposes_repository(),
            _ => false,
        }
    }
}

/// Why a remote repository can't be searched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// It has no index of any commit.
    #[error("'{url}' has no indexes yet")]
    Unindexed {
        /// The address.
        url: String,
    },
    /// It has no index of this one.
    #[error("'{url}' has no index of '{revision}' ({commit}) that this version can read")]
    NoIndex {
        /// The address.
        url: String,
        /// The revision as the user wrote it.
        revision: String,
        /// The commit that it names.
        commit: ObjectId,
        /// An ancestor that has one, and how many commits lie between.
        nearest: Option<(ObjectId, usize)>,
    },
}

impl ClassifiedError for RemoteError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::NotIndexed
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoIndex { nearest: Some((commit, n)), .. } => {
                let commits = counted(*n, "commit", "commits");
                format!("use '--rev {commit}': this ancestor, {commits} earlier, has an index")
            }
            Self::NoIndex { commit, .. } => {
                format!("run 'git cora index {commit} && git cora push' in a clone with push access")
            }
            Self::Unindexed { .. } => {
                "run 'git cora index && git cora push' in a clone with push access".to_owned()
            }
        })
    }
}
