//! Errors of the façade: one type over the errors of the stages.

use crate::answer::ask;
use crate::base::error::{ClassifiedError, ErrorKind};
use crate::provider;
use crate::search;

/// The reason why a call of a [`Session`](crate::Session) failed.
///
/// [`ClassifiedError::kind`] tells the caller what to do, and [`ClassifiedError::hint`] tells the
/// user.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The repository can't be read, indexed or searched.
    #[error(transparent)]
    Search(search::Error),
    /// An outside model can't be used.
    #[error(transparent)]
    Provider(provider::Error),
    /// A database can't be used.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Database(crate::database::Error),
}

/// The result of every call of a session.
pub type Result<T> = std::result::Result<T, Error>;

impl<E: Into<search::Error>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Search(error.into())
    }
}

impl From<provider::Error> for Error {
    fn from(error: provider::Error) -> Self {
        match error {
            provider::Error::Search(error) => Self::Search(error),
            other => Self::Provider(other),
        }
    }
}

impl From<ask::Error> for Error {
    fn from(error: ask::Error) -> Self {
        match error {
            ask::Error::Retrieve(source) => match source.downcast() {
                Ok(error) => Self::Search(*error),
                Err(_) => Self::Search(search::Error::Internal("evidence comes from the search")),
            },
            ask::Error::Cancelled => Self::cancelled(),
            ask::Error::Model(error) => Self::Provider(error.into()),
            ask::Error::Trace { .. } | ask::Error::Resume { .. } => {
                Self::Search(search::Error::Internal("no trace is kept"))
            }
        }
    }
}

#[cfg(feature = "postgres")]
impl From<crate::database::Error> for Error {
    fn from(error: crate::database::Error) -> Self {
        match error {
            crate::database::Error::Search(error) => Self::Search(error),
            other => Self::Database(other),
        }
    }
}

impl Error {
    /// Returns the error of interrupted work.
    pub fn cancelled() -> Self {
        Self::Search(search::Error::Cancelled)
    }

    /// Returns the error of the search stage, if it is one.
    pub(super) fn search(&self) -> Option<&search::Error> {
        match self {
            Self::Search(error) => Some(error),
            _ => None,
        }
    }

    fn classified(&self) -> &dyn ClassifiedError {
        match self {
            Self::Search(error) => error,
            Self::Provider(error) => error,
            #[cfg(feature = "postgres")]
            Self::Database(error) => error,
        }
    }
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        self.classified().kind()
    }

    fn hint(&self) -> Option<String> {
        self.classified().hint()
    }

    fn proposes_repository(&self) -> bool {
        self.classified().proposes_repository()
    }
}
