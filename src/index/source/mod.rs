//! Which files are indexed, and their bytes as text.
//!
//! Owns the decision, [`classify`], with its reasons, [`SkipReason`], and [`decode`]. In: a path, bytes, the
//! file's attributes. Out: index it or why not; text.
//!
//! Invariant: pure functions of their arguments. An index has to be the same on every machine, so nothing
//! here looks at the work tree, the clock, the configuration of the machine or other files. Of the path only
//! the file's own name counts: the record of a blob is found again wherever a file is moved to.
//!
//! Code in `vendor/` or `node_modules/` is indexed: people do search there, and ranking puts it last. It is
//! skipped only where the repository itself says `linguist-vendored`.

mod classify;
mod decode;
mod generated;

pub use classify::{Decision, Limits, SkipReason, classify, classify_entry};
pub use decode::decode;
