//! Evidence → scores → ordered hits, each of which can say how its score came about.

pub(super) mod candidates;
pub(super) mod explain;
pub(super) mod fuse;
pub(super) mod hit;
pub(super) mod order;
pub(super) mod pipeline;
pub(super) mod rerank;
pub mod weights;
