//! Sources: which files are indexed, why others are not, and bytes → text.
//!
//! Owns [`classify`] and [`decode`]. Both are pure: a decision depends on a file's name, its bytes, its
//! attributes in the tree and the limits in the manifest, and on nothing of this machine.

mod skip;
mod text;

pub use skip::{Decision, Limits, SkipReason, classify};
pub use text::decode;
