//! Why something that needs an outside model failed.

use super::sidecar::{commentary, vectors};
use super::{chat, embedding};
use crate::base::config::ConfigError;
use crate::base::error::{ClassifiedError, ErrorKind};
use crate::{git, search};

/// Why an outside model can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The repository can't be read or searched.
    #[error(transparent)]
    Search(#[from] search::Error),
    /// A setting makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// An embedding model can't be asked, or its settings make no sense.
    #[error(transparent)]
    Embedding(#[from] embedding::Error),
    /// A language model can't be asked, or its settings make no sense.
    #[error(transparent)]
    Chat(#[from] chat::Error),
    /// Vectors of an embedding model can't be made or read.
    #[error(transparent)]
    Vectors(#[from] vectors::Error),
    /// Commentary can't be made or read.
    #[error(transparent)]
    Commentary(#[from] commentary::Error),
}

/// What every operation of this stage returns.
pub type Result<T> = std::result::Result<T, Error>;

impl From<git::Error> for Error {
    fn from(error: git::Error) -> Self {
        Self::Search(error.into())
    }
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Search(error) => error.kind(),
            Self::Config(_) => ErrorKind::Config,
            Self::Embedding(error) => error.kind(),
            Self::Chat(error) => error.kind(),
            Self::Vectors(error) => error.kind(),
            Self::Commentary(error) => error.kind(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Search(error) => error.hint(),
            Self::Config(error) => error.hint(),
            Self::Embedding(error) => error.hint(),
            Self::Chat(error) => error.hint(),
            Self::Vectors(error) => error.hint(),
            Self::Commentary(error) => error.hint(),
        }
    }
}
