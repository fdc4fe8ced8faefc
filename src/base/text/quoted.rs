//! Paths as text: any bytes ↔ UTF-8 on one line, in Git's own quoting (`core.quotePath` in
//! `git-config(1)`).
//!
//! Owns [`quoted`], for programs and for text that is read back, [`visible_path`], for people, and
//! [`unquoted`], which reads both. Quoting is reversible, so two paths never become the same text.
//! A path is quoted only if it must be: Git quotes every letter outside of ASCII too, which makes
//! `größe.rs` hard to read.

use std::borrow::Cow;

use bstr::{BStr, BString, ByteSlice};

use super::stand_in::stand_in;

/// The letters that stand for control characters, as in C.
const LETTERS: [(u8, u8); 7] =
    [(7, b'a'), (8, b'b'), (9, b't'), (10, b'n'), (11, b'v'), (12, b'f'), (13, b'r')];

/// Returns the path itself if it is UTF-8 and does not begin with a quote, else quoted as Git does.
///
/// ```
/// use git_cora::base::text::quoted;
/// assert_eq!(quoted("größe.rs".into()), "größe.rs");
/// assert_eq!(quoted(b"caf\xe9.rs".as_slice().into()), r#""caf\351.rs""#);
/// ```
pub fn quoted(path: &BStr) -> Cow<'_, str> {
    match path.to_str() {
        Ok(text) if !text.starts_with('"') && !text.contains('\0') => Cow::Borrowed(text),
        _ => Cow::Owned(escaped(path)),
    }
}

/// Returns a path that may be [`quoted`] as people see it: quoted, too, if it has characters that
/// must not be printed as they are.
pub fn visible_path(path: &str) -> Cow<'_, str> {
    match path.chars().any(|c| stand_in(c).is_some()) {
        true => Cow::Owned(escaped(path.into())),
        false => Cow::Borrowed(path),
    }
}

/// Returns the path that was quoted, or the text itself if it does not begin with a quote; `None`
/// for text that [`quoted`] never returns.
pub fn unquoted(text: &str) -> Option<BString> {
    match text.strip_prefix('"') {
        Some(inner) => unescaped(inner.strip_suffix('"')?),
        None => Some(text.into()),
    }
}

/// Returns the path that a text names: what [`unquoted`] returns, or the text itself.
pub fn named_path(text: &str) -> BString {
    unquoted(text).unwrap_or_else(|| text.into())
}

/// Reads the escapes of a quoted path, without the quotes around it; `None` if one is unknown.
///
/// A shell takes away the quotes of a path that is pasted, and leaves its backslashes.
pub fn unescaped(text: &str) -> Option<BString> {
    let mut bytes = text.bytes();
    let mut path = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return None,
            b'\\' => path.push(escape(&mut bytes)?),
            plain => path.push(plain),
        }
    }
    Some(path.into())
}

/// Reads an escape behind its backslash.
fn escape(bytes: &mut std::str::Bytes<'_>) -> Option<u8> {
    let first = bytes.next()?;
    if matches!(first, b'"' | b'\\') {
        return Some(first);
    }
    if let Some((control, _)) = LETTERS.iter().find(|(_, letter)| *letter == first) {
        return Some(*control);
    }
    let digits = [first, bytes.next()?, bytes.next()?];
    let is_octal = digits.iter().all(|digit| (b'0'..=b'7').contains(digit));
    let value = u16::from_str_radix(std::str::from_utf8(&digits).ok()?, 8).ok()?;
    u8::try_from(value).ok().filter(|_| is_octal)
}

fn escaped(path: &BStr) -> String {
    let mut out = String::from("\"");
    for byte in path.bytes() {
        match (byte, LETTERS.iter().find(|(control, _)| *control == byte)) {
            (b'"' | b'\\', _) => out.extend(['\\', char::from(byte)]),
            (b' '..=b'~', _) => out.push(char::from(byte)),
            (_, Some((_, letter))) => out.extend(['\\', char::from(*letter)]),
            (other, None) => out.push_str(&format!("\\{other:03o}")),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_path_is_quoted_only_if_it_must_be() {
        for (path, text, visible) in [
            (&b"src/a b.rs"[..], "src/a b.rs", "src/a b.rs"),
            ("größe.rs".as_bytes(), "größe.rs", "größe.rs"),
            (b"caf\xe9.rs", r#""caf\351.rs""#, r#""caf\351.rs""#),
            ("ü\tü".as_bytes(), "ü\tü", r#""\303\274\t\303\274""#),
            (b"\"a\"", r#""\"a\"""#, r#""\"a\"""#),
            (b"say \"a\"\\", "say \"a\"\\", "say \"a\"\\"),
            (b"a\n\x1b[m", "a\n\x1b[m", r#""a\n\033[m""#),
        ] {
            let as_text = quoted(path.into());
            assert_eq!((&*as_text, &*visible_path(&as_text)), (text, visible));
            assert_eq!([&as_text, visible].map(named_path), [path, path].map(BString::from));
        }
        assert_eq!(unescaped(r"caf\351.rs"), Some(b"caf\xe9.rs".into()));
        for bad in [r#""a"#, r#""a\"#, r#""a\q""#, r#""\400""#, r#""\+12""#, r#""a"b""#] {
            assert_eq!((unquoted(bad), named_path(bad)), (None, bad.into()), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_path_comes_back(bytes in proptest::collection::vec(1u8.., 0..40)) {
            let text = quoted(bytes.as_bstr());
            prop_assert_eq!(unquoted(&text), Some(bytes.as_bstr().into()));
            prop_assert_eq!(unquoted(&visible_path(&text)), Some(bytes.as_bstr().into()));
        }

        #[test]
        fn any_text_is_a_path_or_none(text in "\"?[\\\\0-9\"a]{0,12}") {
            let _ = unquoted(&text);
        }
    }
}
