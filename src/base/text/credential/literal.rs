//! String literals as programs write them.
//!
//! Owns [`behind_name`], which goes from the end of a name to the string that is its value,
//! [`content`], which returns what is in a string, and [`secret`], which also joins the parts of
//! `"a" + "b"`. No language is asked: the text may be a program, a configuration file, or program
//! text inside a string of either.

use super::LONGEST;
use super::secret_value::is_quoted_secret;

/// The most bytes between a name and its value.
const MOST_BETWEEN: usize = 120;

/// The most bytes of a declared type between a name and its value.
const LONGEST_TYPE: usize = 48;

/// The most signs between a name and its value: `" => Some("`.
const MOST_SIGNS: usize = 6;

/// The most bytes of the name of a call that wraps a string.
const LONGEST_CALL: usize = 48;

/// The most strings that are joined to one value.
const MOST_PARTS: usize = 8;

/// What joins two strings; in C and Python, nothing.
const JOINTS: [&[u8]; 8] = [b"+", b"..", b".", b"<>", b"&", b"||", b"~", b"\\"];

/// Functions that only wrap a string, or convert it, by the last part of their names:
/// `String::from`, `[]byte`. A constructor behind `new` does so too.
const WRAPPERS: [&[u8]; 20] = [
    b"Some",
    b"Ok",
    b"Just",
    b"from",
    b"new",
    b"of",
    b"valueOf",
    b"fromString",
    b"String",
    b"string",
    b"StringPtr",
    b"str",
    b"byte",
    b"bytes",
    b"bytearray",
    b"SecretString",
    b"SecretStr",
    b"GuardedString",
    b"Ptr",
    b"strdup",
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
/// `: &str = "`, `" => "`, `("`, ` || "`, `[] = "`, ` is "`. `has_equals` says that an equals sign
/// belongs to the name's word.
pub(super) fn behind_name(text: &[u8], end: usize, has_equals: bool) -> Option<usize> {
    let line = text.get(end..)?;
    let line = line.get(..line.len().min(MOST_BETWEEN))?;
    let mut at = if has_equals { 0 } else { closing(line) };
    at += n_of(line, at, b" \t");
    // In Go, the brackets of an array begin a type: `secret []byte = `.
    let typed = behind_type(line, at);
    at = if typed > at { typed } else { at + array(line.get(at..)?) };
    // An attribute of C may follow: `password[] PROGMEM = `.
    if line.get(at.wrapping_sub(1)) == Some(&b']') {
        at = behind_type(line, at + n_of(line, at, b" \t"));
    }
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
    Some(end + at + wrappers(line.get(at..)?))
}

/// Returns the length of calls that only wrap the string behind them. One call may be in another,
/// as in `Some(String::from("…"))`.
fn wrappers(rest: &[u8]) -> usize {
    let mut at = 0;
    for _ in 0..2 {
        let n = wrapper(rest.get(at..).unwrap_or_default());
        at += if n > 0 { n + n_of(rest, at + n, b" \t\r\n") } else { 0 };
    }
    at
}

/// Returns the length of a call that only wraps a string, with its bracket.
fn wrapper(rest: &[u8]) -> usize {
    let new = b"new ";
    let from = if rest.starts_with(new) { new.len() } else { 0 };
    let is_call = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.:<>[]&*".contains(byte);
    let len = rest.iter().skip(from).take(LONGEST_CALL).take_while(is_call).count();
    if rest.get(from + len) != Some(&b'(') {
        return 0;
    }
    let call = rest.get(from..from + len).unwrap_or_default();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let last = call.rsplit(|byte| !is_name(byte)).next().unwrap_or_default();
    if from > 0 || WRAPPERS.contains(&last) { from + len + 1 } else { 0 }
}

/// Returns the range of the secret in the string that begins at `at`. If more strings are joined to
/// it, they may be a secret together, or one of them alone.
pub(super) fn secret(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let first = content(text, at + wrappers(text.get(at..)?))?;
    let is_secret = |&(start, end): &(usize, usize)| text.get(start..end).is_some_and(is_quoted_secret);
    let mut parts = vec![first];
    while parts.len() < MOST_PARTS
        && let Some(part) = parts.last().and_then(|(_, end)| joined(text, *end))
    {
        parts.push(part);
    }
    let last = parts.last()?.1;
    if parts.len() > 1 {
        let contents = parts.iter().filter_map(|(start, end)| text.get(*start..*end));
        let whole: Vec<u8> = contents.flatten().copied().collect();
        if is_quoted_secret(&whole) {
            return Some((first.0, last));
        }
    }
    parts.into_iter().find(is_secret)
}

/// Returns what is in the string that is joined to the one whose content ends at `end`.
fn joined(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let at = behind(text, end);
    let at = at + n_of(text, at, b" \t\r\n");
    let rest = text.get(at..)?;
    let joint = JOINTS.iter().find(|joint| rest.starts_with(joint)).map_or(0, |joint| joint.len());
    let at = at + joint;
    let at = at + n_of(text, at, b" \t\r\n");
    content(text, at)
}

/// Returns where the string ends whose content ends at `end`.
pub(super) fn behind(text: &[u8], end: usize) -> usize {
    let rest = text.get(end..).unwrap_or_default();
    end + match rest {
        [b'\\', b'"' | b'\'', ..] => 2,
        [a @ (b'"' | b'\''), b, c, ..] if a == b && a == c => 3,
        [_, ..] => 1,
        [] => 0,
    }
}

/// Returns the length of what closes a name: a quote, with a bracket behind it, or a bracket; in
/// Markdown, two asterisks.
fn closing(line: &[u8]) -> usize {
    if line.starts_with(b"**") {
        return 2;
    }
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

/// Returns where a declared type ends, with the equals sign behind it: `: &str = "`, ` string = "`,
/// ` As String = "`.
fn behind_type(line: &[u8], at: usize) -> usize {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_*<>[].".contains(byte);
    if line.get(at) == Some(&b':') {
        let of_type = |byte: &&u8| is_name(byte) || b"&'?!|, ".contains(byte);
        let len = line.iter().skip(at + 1).take(LONGEST_TYPE).take_while(of_type).count();
        let after = at + 1 + len;
        return if len > 0 && line.get(after) == Some(&b'=') { after } else { at };
    }
    if !at.checked_sub(1).and_then(|before| line.get(before)).is_some_and(|byte| b" \t".contains(byte)) {
        return at;
    }
    let rest = line.get(at..).unwrap_or_default();
    let of = if rest.starts_with(b"As ") || rest.starts_with(b"as ") { 3 } else { 0 };
    let of_type = |byte: &&u8| is_name(byte) || b"()".contains(byte);
    let len = rest.iter().skip(of).take(LONGEST_TYPE).take_while(of_type).count();
    let has_start = rest.get(of).is_some_and(|byte| byte.is_ascii_alphabetic() || b"[*".contains(byte));
    let n_blanks = n_of(rest, of + len, b" \t");
    // An attribute has no blank before its sign: `<Password id="…">`.
    let has_sign = matches!(rest.get(of + len + n_blanks..), Some([b'=', ..] | [b':', b'=', ..]));
    if has_start && n_blanks > 0 && has_sign { at + of + len + n_blanks } else { at }
}

/// Returns the length of a sign between a name and its value.
fn sign(rest: &[u8]) -> usize {
    match rest {
        [b'<', b'<', b'<', ..] => 3,
        [b'|', b'|', ..] | [b'?', b'?' | b'=', ..] | [b'<', b'-', ..] | [b'!', b'=', ..] => 2,
        // The next cell of a table.
        [b'|', b' ', ..] => 1,
        // A tag of YAML: `!unsafe "…"`.
        [b'!', first, ..] if first.is_ascii_alphabetic() => {
            1 + rest.iter().skip(1).take_while(|byte| byte.is_ascii_alphanumeric()).count()
        }
        [b'=' | b':' | b'>' | b'(' | b',' | b'{', ..] => 1,
        [b'o', b'r', b' ', ..] => 3,
        // A sentence, or an entry of a map in Kotlin.
        [b'i', b's', b' ' | b':', ..] | [b't', b'o', b' ', ..] => 2,
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
