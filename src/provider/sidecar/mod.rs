//! What models answered, kept beside the index in refs of its own: vectors and commentary.
//!
//! It can't be computed again from the source, so no index depends on it.

pub(crate) mod annotate;
pub mod commentary;
pub mod refs;
pub mod vectors;
