//! Error kinds: failures, grouped by what the caller can do about them.
//!
//! Owns [`ErrorKind`] and the trait [`ClassifiedError`], by which the error enum of each stage
//! names its kind. The binary maps a kind to an exit code. Each stage keeps its own enum with path,
//! id and offset, because one enum for everything would lose those.

/// The meaning of a failure to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A revision, path, symbol or object that does not exist.
    NotFound,
    /// The commit has no index, and none may be built now.
    NotIndexed,
    /// Stored bytes are not valid.
    Corrupt,
    /// A newer format, or an unsupported repository feature.
    Unsupported,
    /// A configuration value or argument that makes no sense.
    Config,
    /// Git, or the file system under it, failed.
    Git,
    /// A remote could not be reached, or gave an invalid answer.
    Network,
    /// A limit on size, time or count was exceeded.
    Limit,
    /// The user interrupted the work.
    Cancelled,
    /// Not inside a Git repository.
    NotARepository,
    /// A bug in this program.
    Internal,
}

/// Returns an error's message with those of its causes. A transparent error repeats the message of
/// its source, which is left out.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut at = error.source();
    while let Some(cause) = at {
        let text = cause.to_string();
        if !message.ends_with(&text) {
            message = format!("{message}: {text}");
        }
        at = cause.source();
    }
    message
}

/// An error that knows its kind.
pub trait ClassifiedError {
    /// Returns the meaning of this failure to the caller.
    fn kind(&self) -> ErrorKind;

    /// Returns what the user can do about it, as a line of its own. A command in it works when
    /// copied.
    fn hint(&self) -> Option<String> {
        None
    }

    /// Returns whether the hint is to make the directory a repository. That is good advice only for
    /// somebody who wants to search it.
    fn proposes_repository(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    #[derive(Debug, thiserror::Error)]
    enum Failure {
        #[error("can't read 'a'")]
        Read(#[source] io::Error),
        #[error(transparent)]
        Other(Box<Failure>),
    }

    #[test]
    fn each_message_stands_once() {
        let error = Failure::Other(Box::new(Failure::Read(io::Error::other("no disk"))));
        assert_eq!(super::with_causes(&error), "can't read 'a': no disk");
    }
}
