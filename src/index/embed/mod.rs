//! Embedding: text → vectors.
//!
//! Owns the built-in model, the rules that cut tokens for it, [`Vector`], and the [kernels] that
//! compare word by word.
//!
//! A chunk's vector is a pure function of its keywords with their counts by field, its
//! declarations' names, and its path. A record stores the signs of the vector without the path.
//! Whole vectors are computed when records become a segment.
//!
//! **Invariant.** The built-in model gives the same input the same vector, to the last bit, on
//! every machine: it uses integer arithmetic only. Models of providers are separate, in
//! `provider::embedding`; they are called only if a setting names one.

mod builtin;
pub mod encoder;
pub mod kernels;
mod scan;
mod simd;
mod vector;
mod vocabulary;

pub use builtin::{Bag, Model, Side, builtin};
pub use kernels::{KernelQuestion, Kernels, Places};
pub use scan::{BLOCK_ROWS, NearestRows, SignBlock, dot_of_stored, dot_stored, sign_blocks};
pub use vector::{DIMENSIONS, Question, SIGN_BYTES, Signs, Vector};
pub use vocabulary::{PAIR_SIGN, Scratch, Vocabulary, normalise};

/// The part of a chunk in which a sub-token occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Field {
    /// The code or the text itself.
    Body = 0,
    /// A comment.
    Doc,
    /// The signature of a declaration.
    Signature,
    /// The name of a declaration.
    Symbol,
    /// The name of an enclosing declaration.
    Scope,
    /// The file's name.
    Stem,
    /// The names of the folders above the file.
    Directory,
}

/// Number of [`Field`]s.
pub const N_FIELDS: usize = 7;

impl Field {
    /// All fields, in order of their numbers.
    pub const ALL: [Self; N_FIELDS] =
        [Self::Body, Self::Doc, Self::Signature, Self::Symbol, Self::Scope, Self::Stem, Self::Directory];

    /// Weight of a count in each field, in sixteenths.
    pub(crate) const WEIGHTS: [i64; N_FIELDS] = [16, 16, 16, 32, 8, 32, 8];
}
