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
//! - the end of a line that begins with the name, or a cell of a table: `password VALUE`,
//!   `| password | VALUE |`;
//! - a sentence: `the password is VALUE.`, `User: joe, password: VALUE`;
//! - the line below a key of YAML: `password: |`, `secretKey:`;
//! - an element: `<password>VALUE</password>`;
//! - what follows the scheme of an HTTP header: `Bearer VALUE`;
//! - an entry of a map on one line of YAML: `{user: joe, password: VALUE}`.
//!
//! Program code has other things in such places (`token = next(input);`), so a value ends at every
//! character that a program would have behind a name.

use super::LONGEST;
use super::assignment::starts_line;
use super::place::{line_before, n_white, secret_at};
use super::secret_name::is_secret_name;

/// The schemes of the header `Authorization` that a secret follows.
pub(super) const SCHEMES: [&[u8]; 4] = [b"Bearer", b"bearer", b"Basic", b"basic"];

/// The most blanks on either side of the sign between a name and its value.
const MOST_BLANKS: usize = 40;

/// Returns the start and the end of the secret that follows the word at `start`, which ends at
/// `end`, or that is the second part of that word.
pub(super) fn value(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let word = text.get(start..end)?;
    let before = start.checked_sub(1).and_then(|at| text.get(at));
    let is_option = word.starts_with(b"-");
    let is_joined = || is_option || before.is_some_and(|byte| b"?&;\"'".contains(byte));
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
    if matches!(next, Some(b'>' | b' ')) && before == Some(&b'<') && !word.starts_with(b"/") {
        return in_element(text, end);
    }
    if is_option && next == Some(&b' ') {
        return secret_at(text, end + 1);
    }
    setting(text, start, end, n_equals > 0)
}

/// Returns the value of a setting that ends its line or a quoted string. Its name ends at `end`,
/// or at the equals sign before it.
fn setting(text: &[u8], start: usize, end: usize, has_equals: bool) -> Option<(usize, usize)> {
    let before = start.checked_sub(1).and_then(|at| text.get(at)).copied();
    let quote = before.filter(|byte| b"\"'`".contains(byte));
    // Markdown prints a name in bold: `**Password**: VALUE`.
    let is_bold = text.get(..start).is_some_and(|before| before.ends_with(b"**"));
    let first = if is_bold { start - 2 } else { start };
    let is_first = starts_line(text, first);
    if quote.is_none() && !is_first && !is_item(text, first) && !is_listed(text, first) {
        return if has_equals { None } else { entry(text, start, end).or_else(|| told(text, start, end)) };
    }
    let sign = if has_equals { Some(end) } else { behind_sign(text, end, quote, is_bold) };
    let Some(at) = sign else {
        let found = told(text, start, end);
        return found.or_else(|| is_first.then(|| only_value(text, end)).flatten());
    };
    let is_key = text.get(at - 1) != Some(&b'=');
    let mut at = at + n_blanks(text, at);
    if is_key {
        at = behind_tag(text, behind_tag(text, at));
        if let Some(found) = below(text, start, at) {
            return Some(found);
        }
    }
    let (first, last) = secret_at(text, at)?;
    let is_quoted = || quote.is_some() && text.get(last).copied() == quote;
    (ends_line(text, last) || is_quoted()).then_some((first, last))
}

/// Returns where the sign between a name and its value ends.
fn behind_sign(text: &[u8], end: usize, quote: Option<u8>, is_bold: bool) -> Option<usize> {
    let bold = |at: usize| if is_bold && text.get(at..at + 2) == Some(b"**") { 2 } else { 0 };
    let mut at = end;
    // The name of a key may have quotes of its own.
    let is_key = quote.is_some() && text.get(at).copied() == quote && text.get(at + 1) == Some(&b':');
    at += usize::from(is_key) + bold(at);
    at += n_blanks(text, at);
    // Make and Go write `:=`.
    at += usize::from(matches!(text.get(at..at + 2), Some(b":=" | b"?=")));
    at += usize::from(text.get(at).is_some_and(|byte| b":=".contains(byte)));
    text.get(at - 1).is_some_and(|byte| b":=".contains(byte)).then(|| at + bold(at))
}

/// Returns whether nothing but a comment, or the end of one, is left of a line.
fn ends_line(text: &[u8], at: usize) -> bool {
    let n = n_blanks(text, at);
    match text.get(at + n..).unwrap_or_default() {
        [] | [b'\r' | b'\n', ..] => true,
        [b'#' | b';', ..] | [b'*', b'/', ..] | [b'-', b'-', b'>', ..] => n > 0,
        _ => false,
    }
}

/// Returns the value in a sentence, or in the next cell of a table: `the password is VALUE`, `|
/// password | VALUE |`.
fn told(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let rest = text.get(end..)?;
    if let Some(value) = rest.strip_prefix(b" is ") {
        let (first, last) = secret_at(text, text.len() - value.len())?;
        return text.get(last).is_none_or(u8::is_ascii_whitespace).then_some((first, last));
    }
    let at = end + n_blanks(text, end);
    if text.get(at) != Some(&b'|') || !text.get(..start)?.trim_ascii_end().ends_with(b"|") {
        return None;
    }
    let (first, last) = secret_at(text, at + 1 + n_blanks(text, at + 1))?;
    (text.get(last + n_blanks(text, last)) == Some(&b'|')).then_some((first, last))
}

/// Returns the value of a setting without a sign, as in the files of some servers: `password
/// VALUE`.
fn only_value(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let blanks = n_blanks(text, end);
    let (first, last) = secret_at(text, end + blanks)?;
    (blanks > 0 && ends_line(text, last)).then_some((first, last))
}

/// Returns where the value behind a tag or an anchor of YAML begins: `!vault VALUE`, `&a VALUE`.
fn behind_tag(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    if !matches!(rest, [b'!' | b'&', ..]) {
        return at;
    }
    let len = rest.iter().take(MOST_BLANKS).take_while(|byte| byte.is_ascii_graphic()).count();
    if rest.get(len) == Some(&b' ') { at + len + n_blanks(text, at + len) } else { at }
}

/// Returns the value in the line below a key of YAML, which is in the line of `start`. The sign of
/// a block (`|`, `>-`), or the backslash that ends a line of properties, may be at `at`. The value
/// has a line of its own, and stands further to the right than the key.
fn below(text: &[u8], start: usize, at: usize) -> Option<(usize, usize)> {
    let rest = text.get(at..)?;
    let is_sign = matches!(rest, [b'|' | b'>' | b'\\', ..]);
    let len =
        if is_sign { rest.iter().take(3).take_while(|byte| !byte.is_ascii_whitespace()).count() } else { 0 };
    let end = at + len + n_blanks(text, at + len);
    let line = match text.get(end..)? {
        [b'\n', ..] => end + 1,
        [b'\r', b'\n', ..] => end + 2,
        _ => return None,
    };
    let indent = n_blanks(text, line);
    if indent <= n_blanks(text, start - line_before(text, start).len()) {
        return None;
    }
    let (first, last) = secret_at(text, line + indent)?;
    let is_key = text.get(last - 1) == Some(&b':');
    let is_end = matches!(text.get(last + n_blanks(text, last)), None | Some(b'\r' | b'\n'));
    (is_end && !is_key).then_some((first, last))
}

/// Returns the value in an element whose name, or another part of whose tag, ends at `at`. It may
/// stand in elements or in a section of characters of its own: `<setting
/// name="password"><value>VALUE</value>`.
pub(super) fn in_element(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let mut at = behind_mark(text, at)?;
    for _ in 0..2 {
        let inner = at + n_white(text, at);
        match text.get(inner..)? {
            [b'<', b'!', b'[', ..] => at = inner + b"<![CDATA[".len(),
            [b'<', first, ..] if first.is_ascii_alphabetic() => at = behind_mark(text, inner + 1)?,
            _ => break,
        }
    }
    let (first, last) = secret_at(text, at + n_white(text, at))?;
    let behind = text.get(last + n_white(text, last));
    matches!(behind, Some(b'<' | b']')).then_some((first, last))
}

/// Returns where the tag ends of which `at` is a part. It is not that of an empty element.
fn behind_mark(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let len = rest.iter().take(LONGEST).position(|byte| b"<>".contains(byte))?;
    let is_empty = len > 0 && rest.get(len - 1) == Some(&b'/');
    (rest.get(len) == Some(&b'>') && !is_empty).then_some(at + len + 1)
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

/// Returns whether the word follows another setting in a sentence: `User: joe, password: VALUE`.
fn is_listed(text: &[u8], start: usize) -> bool {
    let line = line_before(text, start);
    line.ends_with(b", ")
        && line.windows(2).any(|two| two == b": ")
        && !line.iter().any(|byte| b"(){}[];=\"'".contains(byte))
}

/// Returns whether the word begins an item of a list or a comment, as in `- token: VALUE`.
fn is_item(text: &[u8], start: usize) -> bool {
    let before = start.checked_sub(2).and_then(|at| text.get(at..start));
    matches!(before, Some([b'-' | b'#' | b'/' | b'*' | b';', b' ']))
}

/// Returns the number of blanks at `at`.
fn n_blanks(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().take(MOST_BLANKS).take_while(|byte| b" \t".contains(byte)).count()
}
