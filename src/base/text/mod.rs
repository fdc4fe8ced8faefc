//! Text without meaning: identifiers and their parts, stems, counts of tokens, numbers with nouns.

pub(crate) mod clean;
mod count;
pub mod credential;
pub mod identifier;
pub(crate) mod stem;
pub mod tokens;

pub use clean::name as visible;
pub use count::{counted, example};

/// Returns the end of a text: its longest suffix of at most `max` bytes that begins at a character.
pub fn tail(text: &str, max: usize) -> &str {
    let start = text.len().saturating_sub(max);
    (start..=text.len()).find_map(|at| text.get(at..)).unwrap_or_default()
}
