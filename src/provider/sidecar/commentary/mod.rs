//! Commentary: short paragraphs about chunks, written by a language model, stored in Git.
//!
//! Owns everything under `refs/cora/commentary/` (see `FORMAT.md`). For a commit there is a tree
//! that mirrors the source tree, with the notes of each file. This part makes notes
//! ([`plan`](fn@plan), `make`) and finds them (`find`, [`read`]).
//!
//! **Invariants.**
//!
//! - A model's text is marked with the model's id wherever it goes.
//! - Commentary is not reproducible and costs money. Therefore it is stored apart from the index,
//!   and the index's bytes never depend on it.
//! - Nothing is paid for twice. A note is taken over by the hash of the text that it is about. A
//!   journal stores what was received before the next request.
//! - Source is sent as fenced data.
//! - Received bytes are hostile, including the model's: every length is checked, and text is one
//!   line without control characters.

mod find;
mod journal;
mod make;
mod note;
mod plan;
mod prompt;
mod send;

use super::Sidecar;
use crate::provider::chat;

pub use super::chunk_text::{Key, key_of};
pub use find::{CommentaryRef, REF_PREFIX, find, read, ref_name};
pub use make::make;
pub use note::{MAX_TEXT, Note, decode, encode, paragraph};
pub use plan::{FileToAnnotate, Plan, Report, RunInputs, Sources, plan};
pub use prompt::Passage;
pub use send::requests;

/// The reason why commentary can't be made or read.
pub type Error = super::Error<CommentarySidecar>;

/// Result of this part's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Commentary, as a kind of sidecar.
#[derive(Debug)]
pub struct CommentarySidecar;

impl Sidecar for CommentarySidecar {
    type ModelError = chat::Error;
    type Entry = Note;

    const NOUN: &'static str = "commentary";
    const WAS: &'static str = "was";
    const COMMAND: &'static str = "git cora annotate";
}

impl From<chat::Error> for Error {
    fn from(error: chat::Error) -> Self {
        Self::Model(error)
    }
}
