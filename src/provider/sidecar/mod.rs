//! What models answered, kept beside the index in refs of its own: vectors and commentary.
//!
//! It can't be computed again from the source, so no index depends on it.
#![allow(clippy::disallowed_methods, reason = "owns the journals and tables of what models answered")]

mod annotate;
pub mod commentary;
mod embed;
pub mod refs;
pub mod vectors;

pub(super) use annotate::annotations;
pub use annotate::{annotate, annotation_plan, annotation_requests};
pub use embed::{embed, embedding_plan};
