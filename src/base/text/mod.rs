//! Text without meaning: identifiers and their parts, stems, counts of tokens, numbers with nouns.

use std::fmt::Write as _;

pub(crate) mod clean;
mod count;
pub mod credential;
pub mod identifier;
pub(crate) mod stem;
pub mod tokens;

pub use clean::name as visible;
pub use count::{counted, example};

/// Returns the beginning of a text: its longest prefix of at most `max` bytes that ends at a
/// character boundary.
pub fn head(text: &str, max: usize) -> &str {
    let end = text.len().min(max);
    (0..=end).rev().find_map(|at| text.get(..at)).unwrap_or_default()
}

/// Returns the end of a text: its longest suffix of at most `max` bytes that begins at a character.
pub fn tail(text: &str, max: usize) -> &str {
    let start = text.len().saturating_sub(max);
    (start..=text.len()).find_map(|at| text.get(at..)).unwrap_or_default()
}

/// Returns bytes as hexadecimal digits, two for each.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut digits, byte| {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_is_never_cut() {
        for (max, expected) in [(0, ""), (1, "a"), (2, "a"), (3, "aé"), (4, "aéb"), (9, "aéb")] {
            assert_eq!(head("aéb", max), expected, "{max}");
        }
        assert_eq!(hex(&[0, 0x0f, 0xff]), "000fff");
        assert_eq!((tail("aéb", 2), tail("aéb", 3), tail("aéb", 9)), ("b", "éb", "aéb"));
    }
}
