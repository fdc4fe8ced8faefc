//! What models answered, kept beside the index in refs of its own: vectors and commentary.
//!
//! It can't be computed again from the source, so no index depends on it.
#![allow(clippy::disallowed_methods, reason = "owns the journals and tables of what models answered")]

mod annotate;
mod chunk_text;
pub mod commentary;
mod embed;
mod error;
mod find;
mod journal;
mod layout;
mod publish;
pub mod refs;
pub mod vectors;

use std::fmt::Debug;

use crate::base::error::ClassifiedError;

pub(super) use annotate::notes;
pub use annotate::{annotate, annotation_plan, annotation_requests};
pub use embed::{embed, embedding_plan};
pub use error::Error;
pub use journal::Entry;

/// A kind of sidecar: what its journal stores, whose errors it has, and its words.
///
/// Everything else of the two kinds is the same: plan → send → journal → publish → ref.
pub trait Sidecar: Debug + 'static {
    /// The error of the model that is asked.
    type ModelError: std::error::Error + ClassifiedError + Send + Sync + 'static;
    /// An answer, as the journal stores it.
    type Entry: Entry + Debug;

    /// What it is called, in messages and in the commits in Git.
    const NOUN: &'static str;
    /// `was` or `were`, as the noun has it.
    const WAS: &'static str;
    /// The command that makes it.
    const COMMAND: &'static str;
}
