//! Secret values in a list or a map that has a name.
//!
//! Owns [`values`]. The name says that everything in the list is secret, and may be a plural:
//! `SECRETS = ["VALUE", "VALUE"]`, `tokens: { a: "VALUE" }`, `tokens := []string{"VALUE"}`,
//! `List.of("VALUE")`. In YAML, each item or entry may have a line of its own. A value is taken for
//! a secret by the rule of [`secret_value`](super::secret_value).
//!
//! No list is read twice, so the time is linear in the text: the caller asks for no list that
//! begins in another.

use super::LONGEST;
use super::place::line_before;
use super::secret_name::is_secret_name;
use super::secret_value::{is_quoted_secret, is_secret};

/// The longest list in bytes.
const LONGEST_LIST: usize = 4_000;

/// The most bytes between a name and the bracket of its list.
const MOST_BETWEEN: usize = 60;

/// Functions that make a list or a map of their arguments, by the ends of their names in small
/// letters.
const MAKERS: [&[u8]; 7] = [b"of", b"list", b"set", b"array", b"tuple", b"dict", b"vec"];

/// Calls `add` with the start and the end of each secret in the list behind the word at `start`,
/// which ends at `end`. Returns where the list ends, or `end` if there is none.
pub(super) fn values(text: &[u8], start: usize, end: usize, add: impl FnMut(usize, usize)) -> usize {
    let word = text.get(start..end).unwrap_or_default();
    let name = word.strip_suffix(b"=").unwrap_or(word);
    let is_plural = is_plural(name);
    if !is_plural && !is_secret_name(name) {
        return end;
    }
    match opening(text, end - (word.len() - name.len())) {
        Some(ListStart::Bracket(at)) => strings(text, at, is_plural, add),
        Some(ListStart::Line(at)) => items(text, at, is_plural, add),
        None => end,
    }
}

/// Returns whether a name is the plural of one of a secret.
pub(super) fn is_plural(name: &[u8]) -> bool {
    singular(name).is_some_and(is_secret_name)
}

/// Returns a name without the `s` of a plural.
pub(super) fn singular(name: &[u8]) -> Option<&[u8]> {
    name.strip_suffix(b"s").or_else(|| name.strip_suffix(b"S"))
}

/// Where a list begins.
enum ListStart {
    /// Behind a bracket.
    Bracket(usize),
    /// At the end of a line, in YAML.
    Line(usize),
}

/// Returns where the list begins that is the value of the name which ends at `end`.
fn opening(text: &[u8], end: usize) -> Option<ListStart> {
    let rest = text.get(end..text.len().min(end + MOST_BETWEEN))?;
    // The name may stand in quotes, and in brackets.
    let quotes = rest.iter().take(3).take_while(|byte| b"\\\"'])".contains(byte)).count();
    let is_between = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.:<>&*!@=[]{( \t%".contains(byte);
    let len = rest.iter().skip(quotes).take_while(is_between).count();
    let between = rest.get(quotes..quotes + len)?;
    let sign = between.iter().position(|byte| b":=".contains(byte))?;
    if rest.get(quotes + len).is_some_and(|byte| b"\r\n".contains(byte))
        && between.get(sign..)?.trim_ascii() == b":"
    {
        return Some(ListStart::Line(end + quotes + len));
    }
    let bracket = between.iter().rposition(|byte| b"[{(".contains(byte)).filter(|at| *at > sign)?;
    let before = between.get(sign + 1..bracket)?;
    let is_name = before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b']');
    let is_list = match between.get(bracket)? {
        // Behind a name, the bracket is that of an index.
        b'[' => !is_name,
        b'(' => {
            let last = before.rsplit(|byte| !byte.is_ascii_alphanumeric()).next()?.to_ascii_lowercase();
            last.is_empty() && !is_name || MAKERS.iter().any(|maker| last.ends_with(maker))
        }
        _ => true,
    };
    is_list.then_some(ListStart::Bracket(end + quotes + bracket + 1))
}

/// Adds the strings of a list that begins at `open`, but for the keys of a map. The fields of an
/// object that has a name in the singular may be anything, so they are added only if `has_fields`.
/// Returns where the list ends.
fn strings(text: &[u8], open: usize, has_fields: bool, mut add: impl FnMut(usize, usize)) -> usize {
    let limit = text.len().min(open + LONGEST_LIST);
    let (mut at, mut depth) = (open, 1);
    while at < limit {
        match text.get(at) {
            Some(quote @ (b'"' | b'\'' | b'`')) => {
                let rest = text.get(at + 1..limit).unwrap_or_default();
                let is_end = |byte: &u8| byte == quote || *byte == b'\n';
                let len = rest.iter().take(LONGEST + 1).position(is_end);
                let Some(len) = len.filter(|len| rest.get(*len) == Some(quote)) else {
                    at += 1;
                    continue;
                };
                let behind = rest.get(len + 1..).unwrap_or_default().trim_ascii_start();
                let is_key = matches!(behind, [b':', ..] | [b'=', b'>', ..]);
                let before = text.get(open - 1..at).unwrap_or_default().trim_ascii_end();
                let is_first = before.len() == 1 || before.last().is_some_and(|byte| b"[{,".contains(byte));
                let is_item = has_fields || is_first;
                if !is_key && is_item && rest.get(..len).is_some_and(is_quoted_secret) {
                    add(at + 1, at + 1 + len);
                }
                at += len + 1;
            }
            Some(b'[' | b'{' | b'(') => depth += 1,
            Some(b']' | b'}' | b')') => depth -= 1,
            // A statement: the bracket is that of a body.
            Some(b';') | None => return at,
            Some(_) => {}
        }
        at += 1;
        if depth == 0 {
            return at;
        }
    }
    at
}

/// Adds the items of a list of YAML, or the values of a map, which begins at the end of a line.
/// Returns where it ends. A map has a name in the plural, and stands further to the right than it.
fn items(text: &[u8], open: usize, is_plural: bool, mut add: impl FnMut(usize, usize)) -> usize {
    let limit = text.len().min(open + LONGEST_LIST);
    let indent = line_before(text, open).iter().take_while(|byte| **byte == b' ').count();
    let mut at = open;
    while let Some(rest) = text.get(at..limit) {
        let n_ends = rest.iter().take(2).take_while(|byte| b"\r\n".contains(byte)).count();
        let line = rest.get(n_ends..).unwrap_or_default();
        let len = line.iter().take_while(|byte| !b"\r\n".contains(byte)).count();
        let line = line.get(..len).unwrap_or_default();
        let n_blanks = line.iter().take_while(|byte| **byte == b' ').count();
        let entry = line.get(n_blanks..).unwrap_or_default();
        let n_key = match entry {
            [b'-', b' ', ..] => 2,
            _ if is_plural && n_blanks > indent => {
                let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
                let n = entry.iter().take_while(is_name).count();
                if n > 0 && entry.get(n) == Some(&b':') { n + 1 } else { break }
            }
            _ => break,
        };
        let value = entry.get(n_key..).unwrap_or_default().trim_ascii_start();
        let first = at + n_ends + len - value.len();
        let value = value.trim_ascii_end();
        let (first, value) = match value {
            [open @ (b'"' | b'\''), inner @ .., close] if open == close => (first + 1, inner),
            _ => (first, value),
        };
        if !value.ends_with(b":") && is_secret(value) {
            add(first, first + value.len());
        }
        at += n_ends + len;
    }
    at
}
