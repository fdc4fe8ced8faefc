//! Errors of both kinds of sidecar: one type, with the words of the kind.

use std::fmt;
use std::path::PathBuf;

use super::Sidecar;
use crate::base::error::{ClassifiedError, ErrorKind};
use crate::base::id::ObjectId;
use crate::git;

/// The reason why a sidecar can't be made or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error<S: Sidecar> {
    /// Git, or the repository, failed.
    Git(git::Error),
    /// The model failed.
    Model(S::ModelError),
    /// The bytes are damaged, or are not of this format.
    Corrupt(&'static str),
    /// The ref holds a newer format.
    Newer {
        /// The source commit.
        commit: ObjectId,
    },
    /// Another process makes the same sidecar here.
    Busy,
    /// Every attempt to write the ref failed because somebody else had moved it.
    Moving {
        /// The source commit.
        commit: ObjectId,
    },
    /// A file of this part can't be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The user interrupted the work.
    Cancelled,
}

impl<S: Sidecar> fmt::Display for Error<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Git(error) => error.fmt(f),
            Self::Model(error) => error.fmt(f),
            Self::Corrupt(why) => write!(f, "corrupt {}: {why}", S::NOUN),
            Self::Newer { commit } => {
                write!(f, "the {} of {commit} {} made by a newer version of git-cora", S::NOUN, S::WAS)
            }
            Self::Busy => write!(f, "another '{}' is running in this repository", S::COMMAND),
            Self::Moving { commit } => {
                let is = if S::WAS == "were" { "are" } else { "is" };
                write!(f, "the {} of {commit} {is} being changed by another process", S::NOUN)
            }
            Self::Io { path, .. } => write!(f, "can't access '{}'", path.display()),
            Self::Cancelled => f.write_str("interrupted"),
        }
    }
}

impl<S: Sidecar> std::error::Error for Error<S> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Git(error) => error.source(),
            Self::Model(error) => error.source(),
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl<S: Sidecar> From<git::Error> for Error<S> {
    fn from(error: git::Error) -> Self {
        Self::Git(error)
    }
}

impl<S: Sidecar> ClassifiedError for Error<S> {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Git(error) => error.kind(),
            Self::Model(error) => error.kind(),
            Self::Corrupt(_) => ErrorKind::Corrupt,
            Self::Newer { .. } => ErrorKind::Unsupported,
            Self::Busy | Self::Moving { .. } | Self::Io { .. } => ErrorKind::Git,
            Self::Cancelled => ErrorKind::Cancelled,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Git(error) => error.hint(),
            Self::Model(error) => error.hint(),
            Self::Corrupt(_) => {
                let them = if S::WAS == "were" { "them" } else { "it" };
                Some(format!("run '{}' to replace {them}", S::COMMAND))
            }
            Self::Newer { .. } => Some("upgrade git-cora".to_owned()),
            Self::Busy => Some("try again when it has ended".to_owned()),
            Self::Moving { .. } => Some(format!("run '{}' again; replies so far are kept", S::COMMAND)),
            Self::Io { .. } | Self::Cancelled => None,
        }
    }
}
