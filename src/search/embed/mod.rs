//! Embedding: text → vectors.
//!
//! Owns the built-in model, how tokens are cut for it, [`Vector`], and the [kernels] that compare word by word.
//! A chunk's vector is a pure function of its keywords (with their counts by field), its declarations' names and its path,
//! all of which records and their place in the tree give: so no record stores one. They are computed when records become a
//! segment, and a better model needs no new records.
//!
//! **Invariant.** The same input has the same vector of the built-in model, to the last bit, on every machine: integer
//! arithmetic only. Models of providers are apart from it, in [`remote`], and are asked only where a setting names one.

mod builtin;
pub mod encoder;
pub mod kernels;
mod scan;
mod vector;
mod vocabulary;

pub use builtin::{Bag, Model, Side, builtin};
pub use kernels::{Asked, Kernels, Places};
pub use scan::{BLOCK_ROWS, Nearest, SignBlock, dot_of_stored, dot_stored, sign_blocks};
pub use vector::{DIMENSIONS, Question, SIGN_BYTES, Signs, Vector};
pub use vocabulary::{PAIR_SIGN, Scratch, Vocabulary, normalise};

/// Where a sub-token stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Field {
    /// In the code or the text itself.
    Body = 0,
    /// In a comment.
    Doc,
    /// In the signature of a declaration.
    Signature,
    /// In the name of a declaration.
    Symbol,
    /// In the name of a declaration around it.
    Scope,
    /// In the file's name.
    Stem,
    /// In the names of the folders above it.
    Directory,
}

/// Number of [`Field`]s.
pub const N_FIELDS: usize = 7;

impl Field {
    /// All of them, in order of their numbers.
    pub const ALL: [Self; N_FIELDS] =
        [Self::Body, Self::Doc, Self::Signature, Self::Symbol, Self::Scope, Self::Stem, Self::Directory];

    /// What a count in each field weighs, in sixteenths.
    pub(crate) const WEIGHTS: [i64; N_FIELDS] = [16, 16, 16, 32, 8, 32, 8];
}
