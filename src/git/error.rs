//! What can go wrong between us and Git.
//!
//! Owns [`Error`], the one error enum of the repo stage. A library's own error is kept as a boxed source, never
//! as a type: the library behind the door can change and no caller notices.

use std::path::PathBuf;

use crate::base::error::{Classified, ErrorKind};
use crate::base::id::ObjectId;

/// The result of every operation of the repo stage.
pub type Result<T> = std::result::Result<T, Error>;

/// Whatever failed underneath, kept for the chain of causes.
pub(super) type Source = Box<dyn std::error::Error + Send + Sync + 'static>;

/// A failure of Git, of the file system under it, or of what is stored there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No repository at this directory nor above it.
    #[error("not a git repository (or any of the parent directories): '{}'", .0.display())]
    NotARepository(PathBuf),
    /// A revision that names nothing, or no commit.
    #[error("unknown revision '{revision}'")]
    NotFound {
        /// What was asked for, as it was written.
        revision: String,
    },
    /// A range where one commit is wanted.
    #[error("'{revision}' is a range of commits; one commit is wanted")]
    Range {
        /// What was asked for, as it was written.
        revision: String,
    },
    /// `HEAD` is a branch without a commit yet.
    #[error("there is no commit yet")]
    Unborn,
    /// An object that ought to be in the repository and is not.
    #[error("{kind} {id} is missing")]
    MissingObject {
        /// The kind that was expected there.
        kind: &'static str,
        /// The object that is missing.
        id: ObjectId,
    },
    /// An object whose bytes are not what they should be.
    #[error("{kind} {id} is damaged: {detail}")]
    Corrupt {
        /// The kind that was expected there.
        kind: &'static str,
        /// The damaged object.
        id: ObjectId,
        /// What is wrong with it.
        detail: String,
    },
    /// A bound that protects against hostile or hopeless input was hit.
    #[error("{what} in tree {id}: more than {limit}")]
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// The tree that was read.
        id: ObjectId,
        /// The bound.
        limit: usize,
    },
    /// A configuration value that makes no sense.
    #[error("bad value '{value}' for '{key}': expected {expected}")]
    Config {
        /// The configuration key.
        key: String,
        /// The value found.
        value: String,
        /// What would have been understood.
        expected: &'static str,
    },
    /// Reading or writing the repository failed.
    #[error("cannot {action}")]
    Git {
        /// What was attempted, as the end of «cannot …».
        action: String,
        /// Why it failed.
        #[source]
        source: Source,
    },
    /// The `git` program could not be started.
    #[error("cannot run the git program")]
    NoGit(#[source] std::io::Error),
    /// The `git` program failed.
    #[error("git {command} failed{}: {stderr}", .status.map(|code| format!(" with status {code}")).unwrap_or_default())]
    Command {
        /// The subcommand that was run.
        command: String,
        /// Its exit status; `None` when a signal ended it.
        status: Option<i32>,
        /// What it said on standard error, trimmed.
        stderr: String,
    },
    /// A file operation failed.
    #[error("cannot {action} '{}'", .path.display())]
    Io {
        /// What was attempted, as the end of «cannot …».
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why it failed.
        #[source]
        source: std::io::Error,
    },
    /// An address that is not fetched from.
    #[error("can't fetch from '{url}': {why}")]
    Address {
        /// The address, without what may be a password.
        url: String,
        /// Why not.
        why: &'static str,
    },
    /// A remote can't be reached, or refuses.
    #[error("can't fetch from '{url}': {message}")]
    Unreachable {
        /// The address, without what may be a password.
        url: String,
        /// What Git said.
        message: String,
    },
    /// A remote sent more, or took longer, than it may.
    #[error("'{url}' {what} than {limit}; the transfer was stopped")]
    Excess {
        /// The address, without what may be a password.
        url: String,
        /// `sends more` or `takes longer`.
        what: &'static str,
        /// The bound.
        limit: String,
    },
    /// A revision that a remote does not have, or that only a whole clone can tell.
    #[error("'{url}' has no '{revision}'{why}")]
    NoRemoteRevision {
        /// The address, without what may be a password.
        url: String,
        /// The revision as it was written.
        revision: String,
        /// More about it, after a colon; empty if there is nothing to say.
        why: &'static str,
    },
    /// The user interrupted the work.
    #[error("interrupted")]
    Cancelled,
    /// A defect of ours.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Error {
    /// The failure of an attempt to do `action`, for use in `map_err`.
    pub(super) fn git<E: Into<Source>>(action: impl Into<String>) -> impl FnOnce(E) -> Self {
        move |source| Self::Git { action: action.into(), source: source.into() }
    }

    /// The failure of a file operation, for use in `map_err`.
    pub(super) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { action, path: path.into(), source }
    }
}

impl Classified for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NotARepository(_) => ErrorKind::NotARepository,
            Self::NotFound { .. } | Self::Unborn => ErrorKind::NotFound,
            Self::Range { .. } => ErrorKind::Config,
            Self::Corrupt { .. } => ErrorKind::Corrupt,
            Self::Limit { .. } | Self::Excess { .. } => ErrorKind::Limit,
            Self::Address { .. } => ErrorKind::Config,
            Self::Unreachable { .. } => ErrorKind::Network,
            Self::NoRemoteRevision { .. } => ErrorKind::NotFound,
            Self::Config { .. } => ErrorKind::Config,
            Self::MissingObject { .. }
            | Self::Git { .. }
            | Self::NoGit(_)
            | Self::Command { .. }
            | Self::Io { .. } => ErrorKind::Git,
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Internal(_) => ErrorKind::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotARepository(_) => {
                "a folder of documents becomes one with 'git init && git add . && git commit -m documents'"
                    .into()
            }
            Self::NotFound { .. } => "'git log --oneline --all' shows the commits of this repository".into(),
            Self::Range { revision } => {
                let end = revision.rsplit("..").next().unwrap_or_default().trim_matches('.');
                let end = end.split('^').next().unwrap_or_default();
                format!("name one end of it, '{}' for example", if end.is_empty() { "HEAD" } else { end })
            }
            Self::Unborn => "the first commit makes it work: 'git commit'".into(),
            Self::MissingObject { .. } | Self::Corrupt { .. } => {
                "'git fsck' tells what else is missing or damaged".into()
            }
            Self::Config { key, .. } => format!("'git config --show-origin {key}' tells where it is set"),
            Self::Address { .. } => "https, http, ssh and git addresses are fetched from, and paths".into(),
            Self::Unreachable { url, .. } => format!(
                "'git ls-remote {url} HEAD' shows whether it answers; 'git credential' and SSH hold passwords and keys"
            ),
            Self::Excess { what: "sends more", .. } => {
                "'git config --global cora.remoteBytes 4g' lets one transfer be larger".into()
            }
            Self::NoRemoteRevision { .. } => {
                "HEAD, a branch, a tag or a full commit id is wanted, with '~N' behind it if need be".into()
            }
            Self::NoGit(_) => "is git installed, and in the search path?".into(),
            _ => return None,
        })
    }
}
