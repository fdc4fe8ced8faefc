//! What a caller wrote → values, for every surface of the program: the command line, agents,
//! programs, people.
//!
//! Nothing here knows which surface asks, so each one words its own errors and hints.

pub(crate) mod conversation;
pub(crate) mod near;
pub(crate) mod place;
pub(crate) mod relevance;
pub(crate) mod strays;
