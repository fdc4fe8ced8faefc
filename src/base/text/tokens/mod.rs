//! Tokens: a text → the number of tokens that a language model counts in it.
//!
//! This counts exactly like OpenAI's `cl100k_base`, a published byte-pair encoding that is often
//! used for comparison. Other vendors use encodings of their own: see [`tokens`]. The table
//! `cl100k.fst` maps each of the 100,256 pieces to its rank; `cargo xtask train vocabulary` builds
//! it from the published one. It is searched in place inside the binary, so a count needs no
//! set-up.
//!
//! A text is cut into words by the encoding's regular expression. Neighbouring pieces of a word are
//! then merged by rank, lowest first. The cost is linear in the text, and `n log n` in the longest
//! word.

mod estimate;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

use fst::Map;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

pub use estimate::estimate;

/// The table: piece → rank.
static TABLE: &[u8] = include_bytes!("../cl100k.fst");

/// Returns the number of tokens of a text in the encoding `cl100k_base`. Special tokens count as
/// plain text.
///
/// Other models count differently. `o200k_base` (later models of OpenAI) counts a few per cent
/// fewer for source code. For Claude, Anthropic publishes no encoding, only a counting service.
/// Leave a margin for those.
pub fn tokens(text: &str) -> usize {
    tokens_up_to(text, usize::MAX)
}

/// Counts like [`tokens`], but stops once the count exceeds `most`.
pub(crate) fn tokens_up_to(text: &str, most: usize) -> usize {
    let mut n = 0;
    let mut rest = text;
    while n <= most && !rest.is_empty() {
        let (word, after) = rest.split_at(word(rest).max(1).min(rest.len()));
        n += pieces(word.as_bytes());
        rest = after;
    }
    n
}

/// The character classes of the encoding's regular expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Number,
    Feed,
    Blank,
    Other,
}

fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' => Class::Letter,
        '0'..='9' => Class::Number,
        '\n' | '\r' => Class::Feed,
        c if c.is_whitespace() => Class::Blank,
        c if c.is_ascii() => Class::Other,
        c => match c.general_category_group() {
            GeneralCategoryGroup::Letter => Class::Letter,
            GeneralCategoryGroup::Number => Class::Number,
            _ => Class::Other,
        },
    }
}

/// Returns the length of the first word in bytes.
///
/// The encoding's regular expression has these alternatives, in this order:
///
/// ```text
/// (?i:'s|'t|'re|'ve|'m|'ll|'d)
/// [^\r\n\p{L}\p{N}]?\p{L}+
/// \p{N}{1,3}
///  ?[^\s\p{L}\p{N}]+[\r\n]*
/// \s*[\r\n]+
/// \s+(?!\S)
/// \s+
/// ```
fn word(text: &str) -> usize {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return 0 };
    let (one, after) = (first.len_utf8(), chars.as_str());
    let run = |text: &str, is: &dyn Fn(Class) -> bool| {
        text.chars().take_while(|&c| is(class(c))).map(char::len_utf8).sum::<usize>()
    };
    let letters = |text: &str| run(text, &|class| class == Class::Letter);
    let marks = |text: &str| {
        let len = run(text, &|class| class == Class::Other);
        let feeds = text.get(len..).map_or(0, |rest| run(rest, &|class| class == Class::Feed));
        if len == 0 { 0 } else { len + feeds }
    };
    if first == '\'' {
        // `ſ` is listed because case-insensitive matching folds it to `s`.
        let ends = ["s", "t", "re", "ve", "m", "ll", "d", "ſ"];
        let is_end =
            |end: &&&str| after.get(..end.len()).is_some_and(|start| start.eq_ignore_ascii_case(end));
        if let Some(end) = ends.iter().find(is_end) {
            return one + end.len();
        }
    }
    match class(first) {
        Class::Letter => letters(text),
        Class::Number => {
            text.chars().take(3).take_while(|&c| class(c) == Class::Number).map(char::len_utf8).sum()
        }
        Class::Other => match letters(after) {
            0 => marks(text),
            len => one + len,
        },
        of @ (Class::Blank | Class::Feed) => {
            if of == Class::Blank {
                let len = letters(after);
                if len > 0 {
                    return one + len;
                }
            }
            if first == ' ' {
                let len = marks(after);
                if len > 0 {
                    return one + len;
                }
            }
            let all = run(text, &|class| matches!(class, Class::Blank | Class::Feed));
            let blanks = text.get(..all).unwrap_or_default();
            if let Some(at) = blanks.rfind(['\r', '\n']) {
                return at + 1;
            }
            // The last blank before a word belongs to that word.
            let last = blanks.chars().next_back().map_or(0, char::len_utf8);
            if all == text.len() || all == last { all } else { all - last }
        }
    }
}

fn table() -> Option<&'static Map<&'static [u8]>> {
    static OPEN: OnceLock<Option<Map<&'static [u8]>>> = OnceLock::new();
    OPEN.get_or_init(|| Map::new(TABLE).ok()).as_ref()
}

/// Returns the number of tokens of one word.
fn pieces(word: &[u8]) -> usize {
    let rank = |bytes: &[u8]| table().and_then(|table| table.get(bytes));
    if word.len() < 2 || rank(word).is_some() {
        return word.len().min(1);
    }
    // A doubly linked list of pieces by their start: the start of the next piece, and of the one
    // before. `word.len()` ends the list.
    let end = word.len();
    let mut next: Vec<usize> = (1..=end).collect();
    let mut before: Vec<usize> = (0..=end).map(|at| at.saturating_sub(1)).collect();
    let mut is_start = vec![true; end];
    let after = |next: &[usize], at: usize| next.get(at).copied().unwrap_or(end);
    let mut joins = BinaryHeap::new();
    let offer = |joins: &mut BinaryHeap<_>, next: &[usize], at: usize| {
        let middle = after(next, at);
        let stop = after(next, middle);
        if middle < end
            && let Some(rank) = word.get(at..stop).and_then(rank)
        {
            joins.push(Reverse((rank, at, stop)));
        }
    };
    (0..end).for_each(|at| offer(&mut joins, &next, at));
    let mut n = end;
    while let Some(Reverse((_, at, stop))) = joins.pop() {
        let middle = after(&next, at);
        // Either half may have been merged with another piece since.
        if !is_start.get(at).is_some_and(|is| *is) || middle >= end || after(&next, middle) != stop {
            continue;
        }
        if let (Some(slot), Some(is)) = (next.get_mut(at), is_start.get_mut(middle)) {
            (*slot, *is) = (stop, false);
        }
        if let Some(slot) = before.get_mut(stop) {
            *slot = at;
        }
        n -= 1;
        offer(&mut joins, &next, at);
        if at > 0 {
            offer(&mut joins, &next, before.get(at).copied().unwrap_or_default());
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts are those of OpenAI's own program; `cargo test -p xtask-train` compares more of them.
    #[test]
    fn counts_as_the_tokenizer() {
        for (text, cl100k) in [
            ("", 0),
            ("fn main() {\n    println!(\"hello\");\n}\n", 10),
            (
                "def get_element_by_id(self, id_: str) -> Optional[Element]:\n    return self._elements.get(id_)\n",
                24,
            ),
            ("if (a && b) { return x[i + 1]; }\n", 15),
            ("HTTP_STATUS_CODES = {404: 'Not Found', 500: 'Internal Server Error'}\n", 19),
            ("[1, 2, 3, 45, 678, 9012, 34567]", 23),
            ("// Überprüft, ob der Wert gültig ist.\n", 13),
            ("// 解析命令行参数\n", 9),
            ("internationalization of configuration", 4),
            ("\t\t\tcase *ast.FuncDecl:\n\t\t\t\treturn nil, err\n", 13),
        ] {
            assert_eq!(tokens(text), cl100k, "{text:?}");
        }
    }

    #[test]
    fn long_words_take_no_long_time() {
        assert!(tokens(&"ab1_\u{301}é中😀 ".repeat(20_000)) > 20_000);
        assert!(tokens(&"q".repeat(300_000)) > 10_000);
        assert!(tokens_up_to(&"a ".repeat(300_000), 10) <= 12);
    }
}
