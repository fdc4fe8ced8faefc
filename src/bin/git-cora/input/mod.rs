//! What a caller wrote → values, for every surface of the program: commands, agents, programs, people.
//!
//! Nothing here knows who the caller is: a word about the error is the surface's own.

pub(crate) mod relevance;
