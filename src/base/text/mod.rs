//! Text without meaning: identifiers and their parts, paths, stems, counts of tokens, numbers with
//! nouns.

use std::fmt::Write as _;

pub(crate) mod clean;
mod count;
pub mod credential;
pub mod identifier;
pub mod path;
mod quoted;
mod shell;
mod stand_in;
pub(crate) mod stem;
pub mod tokens;

pub use clean::name as visible;
pub use count::{counted, example};
pub use quoted::{named_path, quoted, unescaped, unquoted, visible_path};
pub use shell::{shell_path, shell_word};

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

/// What may begin a text to tell its encoding.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns where a name stands as a whole word in a text, in bytes. A letter, a digit or `_` beside
/// it would belong to the word.
pub fn words<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let (before, after) = text.split_at_checked(*at).unwrap_or_default();
        !before.ends_with(is_word) && !after.get(name.len()..).is_some_and(|after| after.starts_with(is_word))
    })
}

/// Returns the line of a byte of a text, from 1.
pub(crate) fn line_at(text: &str, at: usize) -> u32 {
    let before = text.get(..at).unwrap_or_default();
    u32::try_from(before.matches('\n').count() + 1).unwrap_or(u32::MAX)
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

    #[test]
    fn only_whole_words_are_found() {
        let found = |text: &str| words(text, "get").collect::<Vec<usize>>();
        assert_eq!(found("get_a get(get) forget éget get"), [6, 10, 28]);
    }
}
