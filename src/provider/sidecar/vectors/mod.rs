//! Vectors of providers' models: made once, stored in Git, looked up by queries.
//!
//! Owns everything under `refs/cora/embeddings/` (see `FORMAT.md`). For a model and a commit there
//! is a tree that mirrors the source tree, with one blob of 8-bit rows for each indexed file. This
//! stage makes the vectors ([`plan`](fn@plan), `make`), finds them (`find`), and arranges those of
//! one commit in a mapped cache file for queries ([`Table`]).
//!
//! ```text
//! refs/cora/embeddings/<model>/<commit> ─▶ E { tree T, parents: S, and S of the base }
//!                                          S { tree T, no parent }
//! T: manifest, files/<source path>
//! ```
//!
//! The base is the vectors that E was made from, if there were any.
//!
//! **Invariants.**
//!
//! - Vectors are not reproducible and cost money. Therefore they are stored apart from the index,
//!   and the index's bytes never depend on them.
//! - No text is paid for twice. A file is taken over if any ref of the model has vectors of its
//!   record, and a single text by its hash. A journal, written batch by batch, keeps what an
//!   interrupted run has received.
//! - A ref is written after its objects.
//! - Received bytes are hostile: every length is checked, and a file of vectors that does not match
//!   its record counts as missing. A vector never puts words into a result.

mod decode;
mod find;
mod journal;
mod layout;
mod make;
mod plan;
mod send;
mod table;
#[cfg(test)]
mod tests;

use super::Sidecar;
use crate::provider::embedding;

pub use super::chunk_text::{Key, key_of};
pub use decode::{FileVectors, decode, encode};
pub use find::{VectorsRef, find};
pub use journal::KeyedRow;
pub use layout::{REF_PREFIX, ref_name};
pub use make::make;
pub use plan::{FileToEmbed, Plan, Report, Texts, plan};
pub use table::{Rows, Table};

/// The reason why vectors can't be made or read.
pub type Error = super::Error<VectorSidecar>;

/// Result of this part's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Vectors, as a kind of sidecar.
#[derive(Debug)]
pub struct VectorSidecar;

impl Sidecar for VectorSidecar {
    type ModelError = embedding::Error;
    type Entry = KeyedRow;

    const NOUN: &'static str = "vectors";
    const WAS: &'static str = "were";
    const COMMAND: &'static str = "git cora embed";
}

impl From<embedding::Error> for Error {
    fn from(error: embedding::Error) -> Self {
        Self::Model(error)
    }
}
