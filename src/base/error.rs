//! What can go wrong, told apart by what the caller can do about it.
//!
//! Owns [`ErrorKind`] and the trait [`Classified`] by which each stage's own error enum names its kind; the
//! binary turns a kind into an exit code. Stages keep their own enums, with path, id and offset in them: one
//! enum for everything would lose those.

/// What a failure means to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A revision, path, symbol or object that does not exist.
    NotFound,
    /// The commit has no index and none may be made on the way.
    NotIndexed,
    /// Stored bytes that are not what they should be.
    Corrupt,
    /// A newer format, or a repository feature that is not handled.
    Unsupported,
    /// A configuration value or argument that makes no sense.
    Config,
    /// Git, or the file system under it, failed.
    Git,
    /// A remote could not be reached or answered wrongly.
    Network,
    /// A bound on size, time or count was hit.
    Limit,
    /// The user interrupted the work.
    Cancelled,
    /// Not inside a Git repository.
    NotARepository,
    /// A defect of ours.
    Internal,
}

/// An error that knows its kind.
pub trait Classified {
    /// What this failure means to the caller.
    fn kind(&self) -> ErrorKind;

    /// What the user can do about it, as a line of its own; a command in it works when followed.
    fn hint(&self) -> Option<String> {
        None
    }
}
