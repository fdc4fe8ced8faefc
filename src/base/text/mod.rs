//! Text without meaning: identifiers and their parts, stems, counts of tokens, numbers with nouns.

pub(crate) mod count;
pub mod identifier;
pub(crate) mod stem;
pub mod tokens;

pub use count::counted;
