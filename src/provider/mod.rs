//! Models that other programs serve, paid or not: nothing here is used without a setting that names it.
//!
//! Owns the HTTP client, embedding and chat models, and the refs in which their answers are kept.

pub mod chat;
pub mod embedding;
pub mod http;
pub(crate) mod registry;
pub mod sidecar;
