//! Source files: path, bytes and attributes → whether to index the file, and its text.
//!
//! Owns the decision, `classify`, with its reasons, [`SkipReason`], and the text, `decode` and
//! `text`.
//!
//! Invariant: these are pure functions of their arguments. An index must be the same on every
//! machine, so nothing here looks at the work tree, the clock, the machine's configuration or other
//! files. Only the last component of a path counts, so that a blob's record stays valid wherever
//! the file is moved.
//!
//! Code in `vendor/` or `node_modules/` is indexed: people do search there, and ranking puts it
//! last. It is skipped only if the repository itself sets `linguist-vendored`.

mod classify;
mod decode;
mod generated;

pub use classify::{Decision, Limits, SkipReason, classify, classify_entry};
pub use decode::{decode, text};
