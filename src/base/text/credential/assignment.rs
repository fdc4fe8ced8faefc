//! Values of names such as `password`, `api_key` or `secret`.
//!
//! Owns [`value`], and where a line starts. A value is taken for a secret if it stands in quotes,
//! or behind `NAME=` on a line of its own, and mixes letters and digits as no name does.

use super::place::{LOOK_BACK, line_before};
use super::secret_name::is_secret_name;
use super::secret_value::is_secret;
use super::{LONGEST, literal};

/// What may stand before `NAME=VALUE` on a line.
const BEFORE: [&[u8]; 4] = [b"export", b"set", b"ENV", b"ARG"];

/// Returns the start and the end of the secret that follows the word at `start`, which ends at
/// `end`.
pub(super) fn value(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let word = text.get(start..end)?;
    let equals = word.iter().position(|byte| *byte == b'=');
    let name = word.get(..equals.unwrap_or(word.len()))?;
    if !is_secret_name(name) {
        return None;
    }
    let behind = equals.map_or(end, |at| start + at + 1);
    let rest = text.get(behind..end)?;
    if rest.iter().all(|byte| *byte == b'=') || literal::is_mark(rest, text, end) {
        let from = if rest.ends_with(b"=") { end } else { behind };
        let at = literal::behind_name(text, from, equals.is_some())?;
        return literal::secret(text, at);
    }
    starts_line(text, start).then(|| behind_equals(text, behind)).flatten()
}

/// Returns whether a word is the first of its line, or the second behind one of [`BEFORE`]. Looks
/// back at most [`LOOK_BACK`] bytes, because a line may be as long as the text.
pub(super) fn starts_line(text: &[u8], start: usize) -> bool {
    if !may_start_line(text, start) {
        return false;
    }
    let line = line_before(text, start);
    if line.len() == LOOK_BACK && start > LOOK_BACK {
        return false;
    }
    let before = line.trim_ascii();
    before.is_empty() || BEFORE.contains(&before)
}

/// Returns whether [`starts_line`] may be true. A cheap look that nearly all words fail.
fn may_start_line(text: &[u8], start: usize) -> bool {
    let before = |n: usize| start.checked_sub(n).and_then(|at| text.get(at));
    match before(1) {
        None | Some(b'\n') => true,
        Some(b' ' | b'\t') => before(2).is_none_or(|byte| b"\n\t tVG".contains(byte)),
        Some(_) => false,
    }
}

/// Returns the value of a line `NAME=VALUE` that starts at `at`.
fn behind_equals(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = text.get(at..)?;
    let len = rest.iter().take(LONGEST).take_while(|byte| byte.is_ascii_graphic()).count();
    let ends = rest.get(len).is_none_or(|byte| b"\r\n".contains(byte));
    (ends && is_secret(rest.get(..len)?)).then_some((at, at + len))
}
