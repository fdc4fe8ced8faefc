//! What is kept under `<common dir>/cora/` so that the next search is fast. All of it can be rebuilt.

pub(crate) mod commit_messages;
pub(crate) mod hnsw;
pub(crate) mod segments;
pub(crate) mod worktree;
