//! Secret values in the columns of a table.
//!
//! Owns [`values`] and [`rows`]. A table is a line of names, as in `user,password`, and the lines
//! below it that have as many fields. Fields are separated by a comma, a semicolon, a tab or a bar,
//! as in CSV and in Markdown. A name such as `password` says that all values of its column are
//! secret. No file type is asked: tables also stand in comments and in strings of several lines.
//!
//! In SQL, the names and the values stand in brackets: `INSERT INTO users (name, password) VALUES
//! ('joe', 'VALUE'), (…)`.
//!
//! Each line is read once, and so is each row if the caller asks for none that begins in another.
//! So the time is linear in the text.

use bstr::ByteSlice;

use super::secret_name::is_secret_name;
use super::secret_value::is_quoted_secret;
use super::{ByteSet, LONGEST, literal};

/// What separates the fields of a line.
const SEPARATORS: &[u8] = b",;\t|";

/// The most bytes of a line of names.
const LONGEST_HEAD: usize = 2_000;

/// The bytes of a line of names, separators included.
static HEAD_BYTES: ByteSet = ByteSet::alphanumeric_and(b"_-. \"'`*#/\r,;\t|");

/// The words of SQL between the names and the values.
pub(super) const VALUES: [&[u8]; 3] = [b"VALUES", b"values", b"Values"];

/// What may stand between the names and [`VALUES`], as where a statement has two strings.
const BETWEEN: &[u8] = b" \t\r\n\\n\"'+.";

/// The most bytes between the parts of a statement.
const MOST_BETWEEN: usize = 100;

/// The longest row of a statement in bytes.
const LONGEST_ROW: usize = 20_000;

/// A table whose rows may follow.
struct Table {
    separator: u8,
    n_fields: usize,
    /// The columns that hold secrets.
    secret: Vec<usize>,
}

/// Calls `add` with the start and the end of each secret value, in the order of the text.
pub(super) fn values(text: &[u8], mut add: impl FnMut(usize, usize)) {
    let mut table: Option<Table> = None;
    let mut start = 0;
    for line in text.split_str("\n") {
        if let Some(open) = &table {
            let row = fields(line, open.separator);
            if row.len() == open.n_fields {
                for column in &open.secret {
                    let Some(&(first, last)) = row.get(*column) else { continue };
                    let is_short = last - first <= LONGEST;
                    if is_short && line.get(first..last).is_some_and(is_quoted_secret) {
                        add(start + first, start + last);
                    }
                }
            } else {
                table = None;
            }
        }
        if table.is_none() {
            table = head(line);
        }
        start += line.len() + 1;
    }
}

/// Returns the table whose names are in this line; `None` if it has other text, or no name of a
/// secret.
fn head(line: &[u8]) -> Option<Table> {
    if line.len() > LONGEST_HEAD || !line.iter().all(|byte| HEAD_BYTES.has(*byte)) {
        return None;
    }
    let separator = *line.iter().find(|byte| SEPARATORS.contains(byte))?;
    let names = fields(line, separator);
    let name = |&(first, last): &(usize, usize)| line.get(first..last).unwrap_or_default();
    // A column may be without a name, as that of the numbers of the rows.
    let is_name = |name: &[u8]| name.iter().any(u8::is_ascii_alphabetic);
    let n_named = names.iter().map(name).filter(|name| is_name(name)).count();
    if n_named < 2 || !names.iter().map(name).all(|name| name.is_empty() || is_name(name)) {
        return None;
    }
    // Such names may have blanks: `API Key`.
    let secret = secret_columns(names.iter().map(name))?;
    Some(Table { separator, n_fields: names.len(), secret })
}

/// Returns the columns whose names say that their values are secret; `None` without such columns.
fn secret_columns<'a>(names: impl Iterator<Item = &'a [u8]>) -> Option<Vec<usize>> {
    let secret: Vec<usize> =
        (0..).zip(names).filter(|(_, name)| is_secret_name(name)).map(|(ord, _)| ord).collect();
    (!secret.is_empty()).then_some(secret)
}

/// Returns the ranges of the fields of a line, without blanks and quotes around them. A separator
/// in double quotes belongs to its field. Bars may also enclose the line.
fn fields(line: &[u8], separator: u8) -> Vec<(usize, usize)> {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let mut begin = line.iter().take_while(|byte| is_blank(byte)).count();
    let mut end = line.len() - line.iter().skip(begin).rev().take_while(|byte| is_blank(byte)).count();
    let is_bar = |at: usize| separator == b'|' && line.get(at) == Some(&b'|');
    if begin + 1 < end && is_bar(begin) && is_bar(end - 1) {
        (begin, end) = (begin + 1, end - 1);
    }
    let mut found = Vec::new();
    let (mut first, mut is_quoted) = (begin, false);
    for at in begin..=end {
        let byte = line.get(at).filter(|_| at < end);
        is_quoted ^= byte == Some(&b'"');
        if byte.is_none() || byte == Some(&separator) && !is_quoted {
            found.push(trimmed(line, first, at));
            first = at + 1;
        }
    }
    found
}

/// Leaves out blanks, and then one pair of quotes, on both sides of a field.
fn trimmed(line: &[u8], first: usize, last: usize) -> (usize, usize) {
    let field = line.get(first..last).unwrap_or_default();
    let inner = field.trim_ascii_start();
    let first = last - inner.len();
    let inner = inner.trim_ascii_end();
    match inner {
        [open @ (b'"' | b'\'' | b'`'), .., close] if open == close => (first + 1, first + inner.len() - 1),
        _ => (first, first + inner.len()),
    }
}

/// Calls `add` with the start and the end of each secret value in the rows behind the word at
/// `start`, which ends at `end`. Returns where the rows end, or `end` if there are none.
pub(super) fn rows(text: &[u8], start: usize, end: usize, mut add: impl FnMut(usize, usize)) -> usize {
    let is_announced = text.get(start..end).is_some_and(|word| VALUES.contains(&word));
    let Some(secret) = is_announced.then(|| secret_names(text, start)).flatten() else { return end };
    let mut at = end;
    while let Some(open) = next_row(text, at) {
        let (row, close) = values_of_row(text, open + 1);
        for column in &secret {
            let Some(&(first, last)) = row.get(*column) else { continue };
            if let Some((first, last)) = quoted_field(text, first, last) {
                add(first, last);
            }
        }
        at = close;
    }
    at
}

/// Returns the columns of secrets in the names in brackets that end before `at`. `None` without
/// such columns.
fn secret_names(text: &[u8], at: usize) -> Option<Vec<usize>> {
    let before = text.get(at.saturating_sub(LONGEST_HEAD)..at)?;
    let n_between = before.iter().rev().take(MOST_BETWEEN).take_while(|byte| BETWEEN.contains(byte)).count();
    let before = before.get(..before.len() - n_between)?.strip_suffix(b")")?;
    let open = before.iter().rposition(|byte| b"();".contains(byte))?;
    let names = (before.get(open) == Some(&b'(')).then(|| before.get(open + 1..)).flatten()?;
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    // A name may stand in quotes, in brackets or behind the name of its table.
    let words = names.split(|byte| *byte == b',').map(|name| name.rsplit(|byte| !is_letter(byte)));
    secret_columns(words.map(|mut words| words.find(|word| !word.is_empty()).unwrap_or_default()))
}

/// Returns where the next row begins behind a comma, or behind [`VALUES`].
fn next_row(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let is_between = |byte: &&u8| **byte == b',' || BETWEEN.contains(byte);
    let len = rest.iter().take(MOST_BETWEEN).take_while(is_between).count();
    (rest.get(len) == Some(&b'(')).then_some(at + len)
}

/// Returns the ranges of the values of a row, which begins behind its bracket at `open`, and where
/// it ends.
fn values_of_row(text: &[u8], open: usize) -> (Vec<(usize, usize)>, usize) {
    let (mut found, mut first, mut depth, mut at) = (Vec::new(), open, 1, open);
    let text = text.get(..text.len().min(open + LONGEST_ROW)).unwrap_or_default();
    while let Some(byte) = text.get(at) {
        match byte {
            b'\'' => {
                let rest = text.get(at + 1..).unwrap_or_default();
                at += 1 + rest.iter().position(|byte| *byte == b'\'').unwrap_or(rest.len());
            }
            b'(' => depth += 1,
            b')' => depth -= 1,
            b',' if depth == 1 => {
                found.push((first, at));
                first = at + 1;
            }
            b';' => break,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            found.push((first, at - 1));
            break;
        }
    }
    (found, at.min(text.len()))
}

/// Returns the secret in quotes in a field of a row, also as an argument of a call:
/// `crypt('VALUE', …)`.
fn quoted_field(text: &[u8], first: usize, last: usize) -> Option<(usize, usize)> {
    let field = text.get(first..last)?;
    let at = first + field.iter().take(LONGEST).position(|byte| b"'\"".contains(byte))?;
    let (start, end) = literal::content(text, at).filter(|(_, end)| *end < last)?;
    is_quoted_secret(text.get(start..end)?).then_some((start, end))
}
