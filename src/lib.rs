//! Code retrieval with its index inside the Git repository.

pub mod chunk;
pub mod error;
pub mod id;
pub mod progress;
pub mod record;
pub mod view;
