//! Secret values that stand without quotes.
//!
//! Owns [`value`]. A value is taken for a secret if the text around it is one of these forms, and
//! if it mixes letters and digits as no name does:
//!
//! - a setting that ends its line or a quoted string: `password: VALUE`, `api_key = VALUE`,
//!   `"X-Api-Key: VALUE"`;
//! - a parameter: `?token=VALUE`, `&token=VALUE`, `;Pwd=VALUE`;
//! - an option of a command: `--password=VALUE`, `--token VALUE`, `-Dkey.password=VALUE`, `--set
//!   db.password=VALUE`;
//! - what a variable is if it is missing: `${DB_PASSWORD:-VALUE}`;
//! - an element: `<password>VALUE</password>`;
//! - what follows the scheme of an HTTP header: `Bearer VALUE`;
//! - an entry of a map on one line of YAML: `{user: joe, password: VALUE}`.
//!
//! Program code has other things in such places (`token = next(input);`), so a value ends at every
//! character that a program would have behind a name.

use super::LONGEST;
use super::assignment::{is_secret, is_secret_name, may_start_line, starts_line};

/// The schemes of the header `Authorization` that a secret follows.
pub(super) const SCHEMES: [&[u8]; 4] = [b"Bearer", b"bearer", b"Basic", b"basic"];

/// The most blanks on either side of the sign between a name and its value.
const MOST_BLANKS: usize = 40;

/// Returns the start and the end of the secret that follows the word at `start`, which ends at
/// `end`, or that is the second part of that word.
pub(super) fn value(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let word = text.get(start..end)?;
    let before = start.checked_sub(1).and_then(|at| text.get(at));
    let is_option = word.starts_with(b"--");
    let is_joined = || word.starts_with(b"-") || before.is_some_and(|byte| b"?&;\"'".contains(byte));
    let is_argument = || before == Some(&b' ') && follows_option(text, start);
    if word.contains(&b'=') && (is_joined() || is_argument()) {
        // In `--from-literal=password=VALUE`, the second sign is the one.
        let mut equals = (0..word.len()).filter(|at| word.get(*at) == Some(&b'='));
        if let Some(equals) = equals.find(|at| word.get(..*at).is_some_and(is_secret_name))
            && equals + 1 < word.len()
        {
            let found = secret_at(text, start + equals + 1);
            // Behind a quote stands a whole string, or a list of such settings.
            let is_part = |last: usize| text.get(last).is_some_and(|byte| b"\"';&".contains(byte));
            let is_quoted = before.is_some_and(|byte| b"\"'".contains(byte));
            return found.filter(|(_, last)| !is_quoted || is_part(*last));
        }
    }
    if next_is_default(text, start, end) && is_secret_name(word) {
        let sign = usize::from(text.get(end + 1).is_some_and(|byte| b"-=".contains(byte)));
        return secret_at(text, end + 1 + sign).filter(|(_, last)| text.get(*last) == Some(&b'}'));
    }
    let next = text.get(end);
    if next == Some(&b' ') && SCHEMES.contains(&word) {
        return secret_at(text, end + 1);
    }
    let n_equals = word.iter().rev().take_while(|byte| **byte == b'=').count();
    if n_equals > 1 || !is_secret_name(word.get(..word.len() - n_equals)?) {
        return None;
    }
    if next == Some(&b'>') && before == Some(&b'<') {
        return secret_at(text, end + 1).filter(|(_, last)| text.get(*last) == Some(&b'<'));
    }
    if is_option && next == Some(&b' ') {
        return secret_at(text, end + 1);
    }
    let is_quoted = before.is_some_and(|byte| b"\"'".contains(byte));
    let is_first = may_start_line(text, start) && starts_line(text, start);
    if !is_quoted && !is_first && !is_item(text, start) {
        return (n_equals == 0).then(|| entry(text, start, end)).flatten();
    }
    let mut at = end;
    if n_equals == 0 {
        at += n_blanks(text, at);
        // Make and Go write `:=`.
        at += usize::from(matches!(text.get(at..at + 2), Some(b":=" | b"?=")));
        at += usize::from(text.get(at).is_some_and(|byte| b":=".contains(byte)));
        if !text.get(at - 1).is_some_and(|byte| b":=".contains(byte)) {
            return None;
        }
    }
    let (first, last) = secret_at(text, at + n_blanks(text, at))?;
    let behind = text.get(last..)?;
    let is_comment = |rest: &[u8]| matches!(rest.trim_ascii_start(), [b'#' | b';', ..]);
    let is_end = match behind.first() {
        None | Some(b'\r' | b'\n') => true,
        Some(byte @ (b'"' | b'\'')) => is_quoted && Some(byte) == before,
        Some(b' ' | b'\t') => {
            let len = behind.iter().take_while(|byte| **byte != b'\n').count();
            behind.get(..len).is_some_and(|rest| rest.trim_ascii().is_empty() || is_comment(rest))
        }
        Some(_) => false,
    };
    is_end.then_some((first, last))
}

/// Returns the value of a key in a map on one line: `{KEY: VALUE}`, `{a: 1, KEY: VALUE, b: 2}`.
fn entry(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let before = start.checked_sub(1).and_then(|at| text.get(at))?;
    if text.get(end..end + 2) != Some(b": ") || !b"{ ,".contains(before) {
        return None;
    }
    let (first, last) = secret_at(text, end + 1 + n_blanks(text, end + 1))?;
    let behind = text.get(last + n_blanks(text, last));
    if !matches!(behind, Some(b'}' | b',')) {
        return None;
    }
    // The innermost bracket that is open, as far as one can see from here.
    let before = text.get(start.saturating_sub(LONGEST)..start)?;
    let bracket = before.iter().rposition(|byte| b"{}()[];\n".contains(byte))?;
    (before.get(bracket) == Some(&b'{')).then_some((first, last))
}

/// Returns whether the word before this one is an option: `--set NAME=VALUE`.
fn follows_option(text: &[u8], start: usize) -> bool {
    let before = text.get(start.saturating_sub(MOST_BLANKS)..start).unwrap_or_default().trim_ascii_end();
    let last = before.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    matches!(last, [b'-', b'a'..=b'z' | b'-', ..])
}

/// Returns whether a value in the place of a missing variable follows: `${NAME:-VALUE}`.
fn next_is_default(text: &[u8], start: usize, end: usize) -> bool {
    text.get(end) == Some(&b':') && text.get(..start).is_some_and(|before| before.ends_with(b"${"))
}

/// Returns whether the word begins an item of a list or a comment, as in `- token: VALUE`.
fn is_item(text: &[u8], start: usize) -> bool {
    let before = start.checked_sub(2).and_then(|at| text.get(at..start));
    matches!(before, Some([b'-' | b'#' | b'/' | b'*', b' ']))
}

/// Returns the number of blanks at `at`.
fn n_blanks(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().take(MOST_BLANKS).take_while(|byte| b" \t".contains(byte)).count()
}

/// Returns the range of the value at `at` if it is a secret.
pub(super) fn secret_at(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = text.get(at..)?;
    let is_value = |byte: &&u8| byte.is_ascii_graphic() && !b"\"'`<>()[]{},;&\\".contains(byte);
    let len = rest.iter().take(LONGEST + 1).take_while(is_value).count();
    is_secret(rest.get(..len)?).then_some((at, at + len))
}
