//! What a command says besides its result: why nothing was found, which pathspec matches no file,
//! how long a first index takes.

pub(crate) mod absent;
pub(crate) mod cost;
pub(crate) mod pathspec;
pub(crate) mod time;
