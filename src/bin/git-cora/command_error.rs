//! Errors of the program that have a hint: what failed, and what to do about it.
//!
//! The library's errors bring their own hints. This one is for what a command itself rejects or
//! finds missing. An error without a hint is a plain `anyhow` message.

use std::fmt;

use git_cora::base::error::{ClassifiedError, ErrorKind};

/// A failure of a command, and what the user can do about it.
#[derive(Debug)]
pub(crate) struct CommandError {
    message: String,
    hint: String,
    kind: ErrorKind,
}

impl CommandError {
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), kind: ErrorKind::Config }
    }

    /// Makes the error of an argument that names nothing.
    pub(crate) fn not_found(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { kind: ErrorKind::NotFound, ..Self::new(message, hint) }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CommandError {}

impl ClassifiedError for CommandError {
    fn kind(&self) -> ErrorKind {
        self.kind
    }

    fn hint(&self) -> Option<String> {
        Some(self.hint.clone()).filter(|hint| !hint.is_empty())
    }
}
