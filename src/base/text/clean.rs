//! Cleaning: text from a repository → text that can't act on a terminal or on the lines around it.
//!
//! Paths, symbols and source are untrusted bytes. Control characters become visible stand-ins (ESC
//! is `␛`) in every view except JSON, which escapes them. Characters that reorder text on the
//! screen become `‹U+202E›`.

use std::borrow::Cow;

use bstr::BStr;

use super::quoted::{quoted, visible_path};
pub(crate) use super::stand_in::stand_in;

/// Returns a name (path, symbol, kind) on one line, in which nothing acts on a terminal or ends the
/// line.
pub fn name(text: &str) -> Cow<'_, str> {
    replace(text, |_| false)
}

/// Returns a path on one line, quoted as Git does if it can't be printed as it is.
pub(crate) fn path(path: &BStr) -> String {
    visible_path(&quoted(path)).into_owned()
}

/// Cleans a line of source as [`name`] does, but keeps tabs and drops a carriage return at its end.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    replace(text.strip_suffix('\r').unwrap_or(text), |c| c == '\t')
}

fn replace(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_clean = |c: char| stays(c) || stand_in(c).is_none();
    if text.chars().all(is_clean) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match stand_in(c).filter(|_| !stays(c)) {
            Some(shown) => clean.push_str(&shown),
            None => clean.push(c),
        }
    }
    Cow::Owned(clean)
}

/// Returns the number of columns that a character takes on a terminal: 0, 1 or 2.
///
/// This approximates by Unicode blocks. It has to keep the terminal from wrapping lines, not to be
/// exact to the column.
pub(crate) fn columns(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f | 0x200b..=0x200d | 0xfe00..=0xfe0f | 0x20d0..=0x20ff | 0xe0100..=0xe01ef => 0,
        0x1100..=0x115f
        | 0x2e80..=0x303e
        | 0x3041..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_become_visible() {
        for (raw, shown) in [
            ("a\x1b[31mb", "a␛[31mb"),
            ("a\nb\tc", "a␊b␉c"),
            ("\u{9b}1m", "‹U+009B›1m"),
            ("x\u{202e}y", "x‹U+202E›y"),
            ("\x7f\0", "␡␀"),
            ("plain é 中", "plain é 中"),
        ] {
            assert_eq!(name(raw), shown);
        }
        assert_eq!(line("\tx\r"), "\tx");
        assert_eq!(path(BStr::new(b"a\xffb")), r#""a\377b""#);
    }
}
