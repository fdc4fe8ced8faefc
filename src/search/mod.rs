//! Records → ranked chunks.
//!
//! Owns the segment (records merged into one mapped file), the caches of segments and overlays, the
//! graph of references, what commit messages say, and the ranking of a query. [`Searcher`] holds
//! what one search needs. Nothing here formats an answer or uses the network, except [`Remote`],
//! which has Git fetch the index of a repository that the user names.

pub mod cache;
pub mod commit_messages;
mod error;
pub mod graph;
mod models;
mod open;
pub mod query;
mod record_source;
mod remote;
mod searcher;
pub mod segment;
mod target;

pub use cache::{WarmReport, ready_worktree};
pub use error::{Error, RemoteError, Result};
pub use models::{IndexNotes, Note, OutsideModels, StoredAnswers};
pub use open::{has_segment, is_drifted, warm};
pub(crate) use record_source::snapshot;
pub use remote::{Copy, Remote};
pub use searcher::Searcher;
pub use target::Target;
