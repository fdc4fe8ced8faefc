//! Text without meaning: identifiers and their parts, stems, counts of tokens, numbers with nouns.

pub(crate) mod clean;
mod count;
pub mod credential;
pub mod identifier;
pub(crate) mod stem;
pub mod tokens;

pub use clean::name as visible;
pub use count::{counted, example};
