//! Records → ranked chunks.
//!
//! Owns the segment (records merged into one mapped file), the caches of segments and overlays, the
//! built-in embedding, the graph of references, what commit messages say, and the ranking of a query.
//! [`Searcher`] holds what one search needs. Nothing here formats an answer or uses the network.

pub mod cache;
pub mod commit_messages;
pub mod embed;
pub mod graph;
pub mod query;
pub(crate) mod readonly;
pub(crate) mod remote;
pub(crate) mod searcher;
pub mod segment;

pub use remote::{Remote, RemoteError};
pub use searcher::{Readied, Searchable};
