//! Names and words: whether a text has them, and whether they are safe to show.

use bstr::ByteSlice as _;

use super::{Error, holds};
use crate::base::text::clean::stand_in;

/// Returns whether a name has blanks, so that it must stand at its place.
pub(super) fn is_phrase(name: &str) -> bool {
    name.contains(char::is_whitespace)
}

/// Returns whether a name stands in a text as it is written.
pub(super) fn stands(text: &str, name: &str) -> bool {
    text.as_bytes().find(name.as_bytes()).is_some()
}

/// Returns whether the words of a title stand in its line, in this order.
///
/// The marks of links, code and emphasis are not part of a title. They can stand beside a sign, as
/// in `--file=_path_`. So a word is a run of letters and digits, or one sign.
pub(super) fn words_stand(line: &str, title: &str) -> bool {
    let mut rest = line.as_bytes();
    let mut stands = |word: &str| match rest.split_once_str(word) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    };
    title.split_whitespace().all(|part| {
        part.split_inclusive(|c: char| !c.is_alphanumeric()).all(|run| {
            let word = run.trim_end_matches(|c: char| !c.is_alphanumeric());
            (word.is_empty() || stands(word))
                && run.get(word.len()..).is_none_or(|sign| sign.is_empty() || stands(sign))
        })
    })
}

/// Returns a hash of a token; the seed must not be known to who chose the tokens.
pub(super) fn hash(seed: u64, token: &str) -> u64 {
    token.as_bytes().chunks(8).fold(seed, |hash, part| {
        let mut bytes = [0; 8];
        bytes.iter_mut().zip(part).for_each(|(to, &from)| *to = from);
        mixed(hash, u64::from_le_bytes(bytes))
    })
}

pub(super) fn mixed(hash: u64, value: u64) -> u64 {
    let mixed = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// Checks the characters of a name.
pub(super) fn is_clean(name: &str) -> std::result::Result<(), Error> {
    holds(name.is_ascii() || !name.chars().any(is_hidden), "name has hidden characters")?;
    holds(!name.bytes().any(|byte| byte.is_ascii_control()), "name has control characters")
}

/// Returns whether a character changes how the others are shown, or can't be seen.
fn is_hidden(c: char) -> bool {
    stand_in(c).is_some()
        || matches!(
            c,
            '\u{ad}'
                | '\u{200b}'
                | '\u{2060}'..='\u{206f}'
                | '\u{e0000}'..='\u{e007f}'
                | '\u{e0100}'..='\u{e01ef}'
        )
}
