//! The caches under `<common dir>/cora/` that make the next search fast. All of them can be
//! rebuilt.
#![allow(clippy::disallowed_methods, reason = "owns the caches under the repository's cora directory")]

pub(in crate::search) mod commit_messages;
mod hnsw;
pub(crate) mod segments;
pub(in crate::search) mod worktree;

pub(crate) use commit_messages::LazyCommitMessages;
pub use commit_messages::{commit_messages, keep_commit_messages};
pub(crate) use hnsw::check_settings;
pub use hnsw::{use_neighbours, wants_neighbours};
pub(crate) use worktree::edited_records;
pub use worktree::{WarmReport, ready_worktree};
