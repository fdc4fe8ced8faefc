//! Configuration keys and flags as queries: `process-timeout`, `--no-cache`, `stream_large_bodies`.
//!
//! Query text → [`Key`] → how a chunk has the key as a whole string or as a key of a table. The
//! index has the words of a key, not the key, so the chunks are read, like those of messages.

use crate::base::text::identifier::{offset_in, tokens};
use crate::search::query::QueryKind;

use super::literal::{Literal, is_in_string};

/// Strength of a key that has a value in a table, or of a flag.
const DECLARED: f64 = 1.0;
/// Strength of a key with further arguments behind it, such as its default value.
const ARGUMENT: f64 = 0.9;
/// Strength of a key anywhere else in a string: there it is mostly read.
const MENTIONED: f64 = 0.5;

/// A configuration key or a flag.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    /// The words in lower case.
    words: Vec<String>,
}

impl Key {
    /// Returns the key that a text consists of: lower-case words that are joined by hyphens or
    /// underscores, at most with hyphens before them.
    pub(super) fn of(text: &str, kind: QueryKind) -> Option<Self> {
        let name = text.trim();
        let name = name.strip_prefix("--").or_else(|| name.strip_prefix('-')).unwrap_or(name);
        let is_word = |word: &&str| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        let words: Vec<&str> = name.split(['-', '_']).collect();
        let may_be = matches!(kind, QueryKind::NaturalLanguage | QueryKind::Identifier);
        (may_be && words.len() > 1 && words.iter().all(is_word))
            .then(|| Self { words: words.into_iter().map(str::to_owned).collect() })
    }

    /// Returns the words, in order.
    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns how well a lower-case text has the key, above 0 and up to 1, and where: best as a
    /// flag or as a key with a value. The first place of equals; `None` if there is none.
    pub(super) fn place(&self, text: &str, language: &str) -> Option<(f64, usize)> {
        let first = self.words.first()?;
        let mut best: Option<(f64, usize)> = None;
        for token in tokens(text).filter(|token| token.split('_').next() == Some(first)) {
            let at = offset_in(text, token);
            let rest = text.get(at..).unwrap_or_default();
            let Some(len) = self.len_in(rest) else { continue };
            let strength = if is_in_string(text, at, language) {
                let literal = Literal::around(text, at, language);
                literal.map_or(0.0, |literal| self.in_literal(&literal))
            } else {
                in_table(text, at, len)
            };
            if strength > best.map_or(0.0, |best| best.0) {
                best = Some((strength, at));
            }
        }
        best
    }

    /// Returns the length of the key at the beginning of a text, in bytes; `None` if the text
    /// begins otherwise.
    fn len_in(&self, text: &str) -> Option<usize> {
        let mut rest = text;
        for (n, word) in self.words.iter().enumerate() {
            rest = if n > 0 { rest.strip_prefix(['-', '_'])? } else { rest };
            rest = rest.strip_prefix(word.as_str())?;
        }
        let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || "-_".contains(c));
        ends.then_some(text.len() - rest.len())
    }

    /// Returns how well a literal has the key: as its whole text, or as a flag with a short form or
    /// the name of its value (`-c, --config PATH`).
    fn in_literal(&self, literal: &Literal<'_>) -> f64 {
        let is_key = |word: &str| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            self.len_in(word) == Some(word.len())
        };
        let mut words = literal.text.split([' ', '=', ',', '|']).filter(|word| !word.is_empty());
        let is_whole = is_key(literal.text);
        let is_flag =
            literal.text.starts_with('-') && words.any(|word| word.starts_with("--") && is_key(word));
        if !is_whole && !is_flag {
            return 0.0;
        }
        let after = literal.after.trim_start();
        let is_entry = after.starts_with(':') || after.starts_with("=>");
        if is_entry || literal.text.starts_with('-') {
            DECLARED
        } else if after.starts_with(',') {
            ARGUMENT
        } else {
            MENTIONED
        }
    }
}

/// Returns how well a text has a word outside strings as a key: at the beginning of its line, with
/// a colon or an equals sign behind it.
fn in_table(text: &str, at: usize, len: usize) -> f64 {
    let before = text.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
    let after = text.get(at + len..).unwrap_or_default().trim_start_matches([' ', '\t']);
    let is_key = after.starts_with(':') && !after.starts_with("::")
        || after.starts_with('=') && !after.starts_with("==");
    if before.trim_start_matches(['-', ' ', '\t']).is_empty() && is_key { DECLARED } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_single_words_with_joints() {
        let of = |text: &str| Key::of(text, QueryKind::NaturalLanguage).map(|key| key.words.join(" "));
        assert_eq!(of("--no-cache"), Some("no cache".to_owned()));
        assert_eq!(of("process-timeout"), Some("process timeout".to_owned()));
        assert_eq!(of("stream_large_bodies"), Some("stream large bodies".to_owned()));
        for text in ["cache", "--cache", "no cache", "Content-Type", "a--b", "parseHeader", "-", ""] {
            assert_eq!(of(text), None, "{text}");
        }
        assert_eq!(Key::of("no-cache", QueryKind::Path), None);
    }

    #[test]
    fn a_key_counts_most_where_it_is_declared() {
        let key = Key::of("--no-cache", QueryKind::NaturalLanguage).unwrap();
        for (text, language, expected) in [
            ("p.add_argument(\"--no-cache\")", "python", DECLARED),
            ("flags.boolvar(&opts.nocache, \"no-cache\", false)", "go", ARGUMENT),
            ("'no-cache' => false,", "php", DECLARED),
            ("o.on \"-n\", \"--no-cache path\", \"x\" do", "ruby", DECLARED),
            ("loader.add_option(\n    \"no_cache\", bool)", "python", ARGUMENT),
            ("  no-cache: true", "yaml", DECLARED),
            ("if args[\"no-cache\"] {", "rust", MENTIONED),
            ("fail(\"use --no-cache to go on\")", "rust", 0.0),
            ("// \"no-cache\",", "rust", 0.0),
            ("no_cache_dir = 1", "python", 0.0),
            ("no cache", "python", 0.0),
        ] {
            let found = key.place(text, language).map_or(0.0, |place| place.0);
            assert!((found - expected).abs() < 1e-9, "{text}: {found}");
        }
    }
}
