//! String literals as programs write them.
//!
//! Owns [`behind_name`], which goes from the end of a name to the string that is its value, and
//! [`content`], which returns what is in a string. No language is asked: the text may be a program,
//! a configuration file, or program text inside a string of either.

use super::LONGEST;

/// The most bytes between a name and its value.
const MOST_BETWEEN: usize = 120;

/// The most bytes of a declared type between a name and its value.
const LONGEST_TYPE: usize = 48;

/// The most signs between a name and its value: `" => Some("`.
const MOST_SIGNS: usize = 6;

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

/// Marks before a string that belong to it: of Python, C++, C#, Rust and SQL.
const MARKS: [&[u8]; 17] = [
    b"b", b"B", b"r", b"R", b"u", b"U", b"f", b"F", b"L", b"N", b"$", b"@", b"br", b"rb", b"u8", b"fr", b"$@",
];

/// Strings without quotes: of Perl, Ruby and Lua.
const BRACKETS: [(&[u8], &[u8]); 8] = [
    (b"q{", b"}"),
    (b"q(", b")"),
    (b"qq{", b"}"),
    (b"qq(", b")"),
    (b"%q(", b")"),
    (b"%q{", b"}"),
    (b"%q[", b"]"),
    (b"[[", b"]]"),
];

/// Returns whether a word consists of the marks of the string that begins at `at`, as in
/// `NAME=b"…"`.
pub(super) fn is_mark(word: &[u8], text: &[u8], at: usize) -> bool {
    MARKS.contains(&word) && text.get(at).is_some_and(|byte| b"\"'#".contains(byte))
}

/// Returns the start and the end of what is in the string that begins at `at`. It is on one line,
/// and has at most [`LONGEST`] bytes.
pub(super) fn content(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = text.get(at..)?;
    if let Some((open, close)) = BRACKETS.iter().find(|(open, _)| rest.starts_with(open)) {
        return until(text, at + open.len(), close);
    }
    let marks = MARKS.iter().filter(|mark| rest.starts_with(mark)).map(|mark| mark.len());
    let quote_behind = |n: &usize| {
        let hashes = n_of(rest, *n, b"#");
        matches!(rest.get(n + hashes), Some(b'"' | b'\'')).then_some(n + hashes)
    };
    let open = match rest.first()? {
        b'"' | b'\'' | b'`' => 0,
        b'\\' if matches!(rest.get(1), Some(b'"' | b'\'')) => 0,
        _ => marks.chain([0]).find_map(|n| quote_behind(&n))?,
    };
    let opening = rest.get(open..)?;
    let n = match opening {
        [b'\\', ..] => 2,
        [a @ (b'"' | b'\''), b, c, ..] if a == b && a == c => 3,
        _ => 1,
    };
    let start = at + open + n;
    // Black and others put a long text on lines of its own.
    let start = start + if n == 3 { n_of(text, start, b" \t\r\n\\") } else { 0 };
    until(text, start, opening.get(..n)?)
}

/// Returns the range from `start` to the next `close`, if both are on one line.
fn until(text: &[u8], start: usize, close: &[u8]) -> Option<(usize, usize)> {
    let rest = text.get(start..)?;
    let rest = rest.get(..rest.len().min(LONGEST + close.len()))?;
    let line = rest.split(|byte| *byte == b'\n').next()?;
    let end = line.windows(close.len()).position(|part| part == close);
    // A text in three quotes may end below its content.
    let end =
        end.or_else(|| (close.len() == 3 && line.len() < rest.len()).then(|| line.trim_ascii_end().len()));
    end.map(|len| (start, start + len))
}

/// Returns where the string is that is the value of a name which ends at `end`: `: "`, `="`,
/// `: &str = "`, `" => "`, `("`, ` || "`, `[] = "`. `has_equals` says that an equals sign belongs
/// to the name's word.
pub(super) fn behind_name(text: &[u8], end: usize, has_equals: bool) -> Option<usize> {
    let line = text.get(end..)?;
    let line = line.get(..line.len().min(MOST_BETWEEN))?;
    let mut at = if has_equals { 0 } else { closing(line) };
    at += n_of(line, at, b" \t");
    at += array(line.get(at..)?);
    at = behind_type(line, at);
    let mut n_signs = usize::from(has_equals);
    let mut n_lines = 0;
    loop {
        at += n_of(line, at, b" \t");
        let rest = line.get(at..)?;
        // A formatter puts a long value below its name. Below a comma stands another argument.
        let is_open = n_signs > 0 && line.get(..at)?.trim_ascii_end().last() != Some(&b',');
        let is_break = is_open && n_lines == 0 && matches!(rest, [b'\n', ..] | [b'\r', b'\n', ..]);
        if is_break {
            at += n_of(line, at, b"\r\n");
            n_lines += 1;
            continue;
        }
        let sign = sign(rest);
        if sign == 0 || n_signs >= MOST_SIGNS {
            break;
        }
        at += sign;
        n_signs += 1;
    }
    // One call may be in another, as in `Some(String::from("…"))`.
    for _ in 0..2 {
        let rest = line.get(at..)?;
        at += WRAPPERS.iter().find(|call| rest.starts_with(call)).map_or(0, |call| call.len());
    }
    Some(end + at)
}

/// Returns the length of what closes a name: a quote, with a bracket behind it, or a bracket.
fn closing(line: &[u8]) -> usize {
    let escape = usize::from(matches!(line, [b'\\', b'"' | b'\'', ..]));
    let quote = usize::from(line.get(escape).is_some_and(|byte| b"\"'`".contains(byte)));
    let at = if quote > 0 { escape + quote } else { 0 };
    let is_bracket = |byte: &u8| *byte == b']' || quote > 0 && b")>".contains(byte);
    at + usize::from(line.get(at).is_some_and(is_bracket))
}

/// Returns the length of the brackets of an array of C.
fn array(rest: &[u8]) -> usize {
    let digits = n_of(rest, 1, b"0123456789");
    match (rest.first(), rest.get(1 + digits)) {
        (Some(b'['), Some(b']')) => digits + 2,
        _ => 0,
    }
}

/// Returns where a declared type ends, with the equals sign behind it.
fn behind_type(line: &[u8], at: usize) -> usize {
    let of_type = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_&*<>'[]?!.|, ".contains(byte);
    let after = at + 1;
    let len = line.iter().skip(after).take(LONGEST_TYPE).take_while(of_type).count();
    let has_type = line.get(at) == Some(&b':') && len > 0 && line.get(after + len) == Some(&b'=');
    if has_type { after + len } else { at }
}

/// Returns the length of a sign between a name and its value.
fn sign(rest: &[u8]) -> usize {
    match rest {
        [b'|', b'|', ..] | [b'?', b'?' | b'=', ..] => 2,
        [b'=' | b':' | b'>' | b'(' | b',' | b'{', ..] => 1,
        [b'o', b'r', b' ', ..] => 3,
        _ => {
            let word = b"default";
            let behind = word.len() + n_of(rest, word.len(), b" \t");
            let has_sign = rest.get(behind).is_some_and(|byte| b"=:".contains(byte));
            if has_sign && rest.starts_with(word) { behind } else { 0 }
        }
    }
}

/// Returns how many of these bytes follow each other at `at`.
fn n_of(text: &[u8], at: usize, bytes: &[u8]) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().take(MOST_BETWEEN).take_while(|byte| bytes.contains(byte)).count()
}
