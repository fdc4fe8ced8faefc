//! Models that other programs serve, paid or not: nothing here is used without a setting that names
//! it.
//!
//! Owns the HTTP client, embedding and chat models, and the refs in which their answers are kept.

pub mod chat;
mod cosines;
pub mod embedding;
mod error;
pub mod http;
mod registry;
pub mod sidecar;

pub use error::{Error, Result};
pub use registry::Providers;
