//! Values of names such as `password`, `api_key` or `secret`.
//!
//! Owns [`value`], and the rules for names and values that [`bare`](super::bare) shares. A value
//! is taken for a secret if it stands in quotes, or behind `NAME=` on a line of its own, and mixes
//! letters and digits as no name does. A plain word (`"changeme"`) is kept.

/// The ends of such names, in small letters and without `_` and `-`.
const NAMES: [&[u8]; 16] = [
    b"password",
    b"passwd",
    b"passphrase",
    b"passcode",
    b"pwd",
    b"secret",
    b"token",
    b"apikey",
    b"accesskey",
    b"secretkey",
    b"privatekey",
    b"authkey",
    b"accountkey",
    b"sharedkey",
    b"credential",
    b"credentials",
];

/// Calls that only wrap a string.
const WRAPPERS: [&[u8]; 7] = [
    b"Some(",
    b"Ok(",
    b"String::from(",
    b"SecretString::from(",
    b"SecretString::new(",
    b"Secret::new(",
    b"new String(",
];

/// What may stand before `NAME=VALUE` on a line.
const BEFORE: [&[u8]; 4] = [b"export", b"set", b"ENV", b"ARG"];

/// The shortest and the longest value in bytes.
const SHORTEST: usize = 8;
const LONGEST: usize = 200;

/// The most bytes before a name on its line.
const LONGEST_INDENT: usize = 200;

/// The most bytes of a declared type between a name and its value.
const LONGEST_TYPE: usize = 32;

/// Returns the start and the end of the secret that follows the word at `start`, which ends at
/// `end`.
pub(super) fn value(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let word = text.get(start..end)?;
    let line = text.get(end..)?;
    if may_start_line(text, start)
        && let Some(at) = word.iter().position(|byte| *byte == b'=')
        && at + 1 < word.len()
    {
        return behind_equals(text, start, start + at);
    }
    let mut name = word;
    while let Some(shorter) = name.strip_suffix(b"=") {
        name = shorter;
    }
    if !is_secret_name(name) {
        return None;
    }
    let quote = end + quote_behind(line, name.len() < word.len())?;
    let mark = *text.get(quote)?;
    let rest = text.get(quote + 1..)?;
    let len = rest.iter().take(LONGEST + 1).position(|byte| *byte == mark || *byte == b'\n')?;
    let is_closed = rest.get(len) == Some(&mark);
    (is_closed && is_secret(rest.get(..len)?)).then_some((quote + 1, quote + 1 + len))
}

/// Returns whether a word is the first of its line, or the second behind one of [`BEFORE`]. Looks
/// back at most [`LONGEST_INDENT`] bytes, because a line may be as long as the text.
pub(super) fn starts_line(text: &[u8], start: usize) -> bool {
    let from = start.saturating_sub(LONGEST_INDENT);
    let before = text.get(from..start).unwrap_or_default();
    let begin = match before.iter().rposition(|byte| *byte == b'\n') {
        Some(at) => at + 1,
        None if from > 0 => return false,
        None => 0,
    };
    let before = before.get(begin..).unwrap_or_default().trim_ascii();
    before.is_empty() || BEFORE.contains(&before)
}

/// Returns whether [`starts_line`] may be true. A cheap look that nearly all words fail.
pub(super) fn may_start_line(text: &[u8], start: usize) -> bool {
    let before = |n: usize| start.checked_sub(n).and_then(|at| text.get(at));
    match before(1) {
        None | Some(b'\n') => true,
        Some(b' ' | b'\t') => before(2).is_none_or(|byte| b"\n\t tVG".contains(byte)),
        Some(_) => false,
    }
}

/// Returns the value of a line `NAME=VALUE`, where the equals sign is at `equals`.
fn behind_equals(text: &[u8], start: usize, equals: usize) -> Option<(usize, usize)> {
    if !is_secret_name(text.get(start..equals)?) || !starts_line(text, start) {
        return None;
    }
    let rest = text.get(equals + 1..)?;
    let len = rest.iter().take(LONGEST).take_while(|byte| byte.is_ascii_graphic()).count();
    let ends = rest.get(len).is_none_or(|byte| b"\r\n".contains(byte));
    (ends && is_secret(rest.get(..len)?)).then_some((equals + 1, equals + 1 + len))
}

/// Returns whether a name says that its value is secret.
pub(super) fn is_secret_name(name: &[u8]) -> bool {
    let [.., before, last] = name else { return false };
    // The last two letters of each name, capitals made small. Nearly all words fail here.
    if !matches!(
        [before | 0x20, last | 0x20],
        [b's', b's']
            | [b'r' | b'w', b'd']
            | [b's' | b'd', b'e']
            | [b'e', b't' | b'n' | b'y']
            | [b'a', b'l']
            | [b'l', b's']
    ) {
        return false;
    }
    let is_end = |end: &&[u8]| {
        let mut letters = name.iter().rev().filter(|byte| !b"_-".contains(byte)).map(u8::to_ascii_lowercase);
        end.iter().rev().all(|byte| letters.next() == Some(*byte))
    };
    NAMES.iter().any(is_end) || is_pass(name)
}

/// Returns whether a name is `pass` or ends in it as a word of its own, which `bypass` does not.
fn is_pass(name: &[u8]) -> bool {
    let Some((before, last)) = name.split_last_chunk::<4>() else { return false };
    last.eq_ignore_ascii_case(b"pass")
        && match (before.last(), last) {
            (None, _) => true,
            (Some(byte), _) if !byte.is_ascii_alphabetic() => true,
            (Some(byte), [first, ..]) => byte.is_ascii_lowercase() && first.is_ascii_uppercase(),
        }
}

/// Returns the length of a call that only wraps a string: `Some(`, `String::from(`.
fn wrapper(line: &[u8]) -> usize {
    let len = |rest: &[u8]| WRAPPERS.iter().find(|call| rest.starts_with(call)).map_or(0, |call| call.len());
    let first = len(line);
    first + line.get(first..).map_or(0, len)
}

/// Returns where the quote of a value is, behind the name: `: "`, `="`, `: &str = "`, `" => "`,
/// `("`, ` "`. `is_equal` says that an equals sign stands between the two.
fn quote_behind(line: &[u8], is_equal: bool) -> Option<usize> {
    let closing = |byte: &&u8| !is_equal && b"\"'`]".contains(byte);
    let mut at = line.iter().take(2).take_while(closing).count();
    let blank = |at: usize| at + line.iter().skip(at).take_while(|byte| b" \t".contains(byte)).count();
    at = blank(at);
    if line.get(at) == Some(&b':') {
        let of_type = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_&*<>'[]?!. ".contains(byte);
        let after = at + 1;
        let len = line.iter().skip(after).take(LONGEST_TYPE).take_while(of_type).count();
        if len > 0 && line.get(after + len) == Some(&b'=') {
            at = after + len;
        }
    }
    at += line.iter().skip(at).take(3).take_while(|byte| b"=:>(,".contains(byte)).count();
    at = blank(at);
    at += line.get(at..).map_or(0, wrapper);
    // Python's and C++'s marks before a string.
    at += usize::from(line.get(at).is_some_and(|byte| b"bruLf@$".contains(byte)));
    line.get(at).filter(|byte| b"\"'`".contains(byte)).map(|_| at)
}

/// Returns whether a value mixes letters and digits as no name does.
pub(super) fn is_secret(value: &[u8]) -> bool {
    let n = value.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    (SHORTEST..=LONGEST).contains(&value.len())
        && value.iter().all(|byte| byte.is_ascii_graphic())
        && value.iter().any(u8::is_ascii_alphabetic)
        && value.iter().any(u8::is_ascii_digit)
        && !value.first().is_some_and(|byte| b"$%{<[(/.~*#@".contains(byte))
        && ![&b"${"[..], b"{{", b"#{", b"%(", b"://"]
            .iter()
            .any(|part| value.windows(part.len()).any(|w| w == *part))
        && super::changes(value) >= 3
        && super::in_words(value) * 10 < n * 6
}
