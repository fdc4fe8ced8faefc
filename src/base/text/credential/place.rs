//! What stands at a place in a text: a secret value, blanks, and the line before it.
//!
//! No function looks farther than a fixed number of bytes, because a line may be as long as the
//! text.

use super::LONGEST;
use super::secret_value::is_secret;

/// How far to look along a line, back or ahead, in bytes.
pub(super) const LOOK_BACK: usize = 200;

/// The most blanks and line ends that stand together.
const MOST_WHITE: usize = 40;

/// Returns the range of the value at `at` if it is a secret.
pub(super) fn secret_at(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = text.get(at..)?;
    let is_value = |byte: &&u8| byte.is_ascii_graphic() && !b"\"'`<>()[]{},;&\\".contains(byte);
    let len = rest.iter().take(LONGEST + 1).take_while(is_value).count();
    is_secret(rest.get(..len)?).then_some((at, at + len))
}

/// Returns the range of the value at `at` if it is a secret, and if one of `ends` or nothing
/// follows it.
pub(super) fn secret_before(text: &[u8], at: usize, ends: &[u8]) -> Option<(usize, usize)> {
    secret_at(text, at).filter(|(_, end)| text.get(*end).is_none_or(|byte| ends.contains(byte)))
}

/// Returns the number of blanks and line ends at `at`.
pub(super) fn n_white(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().take(MOST_WHITE).take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Returns the line before `at`, at most [`LOOK_BACK`] bytes of it.
pub(super) fn line_before(text: &[u8], at: usize) -> &[u8] {
    let before = text.get(at.saturating_sub(LOOK_BACK)..at).unwrap_or_default();
    let begin = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    before.get(begin..).unwrap_or_default()
}

/// Returns whether a text has this part.
pub(super) fn has(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
