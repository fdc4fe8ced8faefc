//! The common words of source code: records name them by number instead of spelling them.
//!
//! Owns the list `words.txt`, which `cargo xtask train words` makes. A file's words are mostly
//! common ones: the list halves the size of their dictionary. It is part of the format. A new list
//! needs a new `CONTENT_VERSION`.

use std::sync::LazyLock;

use hashbrown::HashMap;

/// The words, sorted by their bytes.
static WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| include_str!("words.txt").lines().collect());

/// The numbers of the words. A table, because each word of each file is looked up.
static NUMBERS: LazyLock<HashMap<&'static str, u32>> =
    LazyLock::new(|| WORDS.iter().copied().zip(0..).collect());

/// Returns the number of a common word.
pub(super) fn number(word: &str) -> Option<u32> {
    NUMBERS.get(word).copied()
}

/// Returns whether records name a word by number.
pub fn is_common_word(word: &str) -> bool {
    number(word).is_some()
}

/// Returns the common word with this number.
pub(super) fn word(number: u32) -> Option<&'static str> {
    WORDS.get(number as usize).copied()
}

/// Returns the number of common words.
pub(super) fn len() -> usize {
    WORDS.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::record::limits;

    #[test]
    fn the_list_is_sorted_and_has_words_only() {
        assert!(len() > 1000);
        assert!(WORDS.is_sorted_by(|a, b| a < b));
        for (ord, word) in (0..).zip(WORDS.iter()) {
            assert!(!word.is_empty() && word.len() <= limits::TOKEN_BYTES, "{word}");
            assert_eq!(number(word), Some(ord));
            assert_eq!(super::word(ord), Some(*word));
        }
        assert_eq!(number("zyxwvut"), None);
        assert_eq!(word(u32::MAX), None);
    }
}
