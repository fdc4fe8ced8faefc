//! The ground that every stage stands on: ids, errors, settings, progress, locks, threads, text.
//!
//! Nothing here knows Git, an index or a query. It imports nothing else of this crate.

pub mod chat;
pub mod config;
pub mod error;
pub(crate) mod host;
pub mod id;
pub mod new_file;
pub mod path;
pub mod progress;
pub mod request;
pub mod sharing;
pub mod tempfile;
#[cfg(test)]
pub(crate) mod testing;
pub mod text;
pub mod threads;
