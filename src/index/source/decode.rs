//! Decoding: bytes → text.
//!
//! Owns [`decode`] and [`text`]. Byte ranges in records refer to the decoded text, and whoever
//! shows a result decodes the same blob in the same way. So the result for the same bytes never
//! changes without a new content version. For UTF-8, nearly every file, text and bytes are the
//! same, and offsets are those of the file. Every encoding keeps the number and order of lines.

use std::borrow::Cow;

/// Bytes at the beginning that are checked to distinguish text from binary; Git checks as many.
const SNIFF_BYTES: usize = 8000;

/// A file is not text if more than one byte in this many is a control character.
const CONTROL_SHARE: usize = 10;

/// Returns the text of a file, or `None` if its bytes are not text.
///
/// An index skips the same files as binary, so whoever shows a file uses this rule.
pub fn text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    (!is_binary(bytes)).then(|| decode(bytes))
}

/// Returns the text of a file.
///
/// - UTF-8 stays as it is. Its byte order mark stays, as the character U+FEFF, so that offsets are
///   those of the file.
/// - UTF-16 in either byte order needs a byte order mark, which stays too. A unit that is not a
///   character becomes U+FFFD.
/// - Damaged UTF-8 is recognised if more of its non-ASCII parts are valid than invalid. Each
///   invalid part becomes U+FFFD.
/// - Anything else is read as Latin-1, one character per byte: every file has a text, and no line
///   is lost. Bytes from 0x80 to 0x9f become characters of Windows-1252, which such files mean.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let characters = std::char::decode_utf16(utf16_units(bytes));
        return Cow::Owned(characters.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect());
    }
    let (mut n_right, mut n_wrong) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        n_right += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        n_wrong += usize::from(!chunk.invalid().is_empty());
    }
    if n_right > n_wrong {
        return String::from_utf8_lossy(bytes);
    }
    Cow::Owned(bytes.iter().map(|b| latin(*b)).collect())
}

/// Returns the 16-bit units of a text, including its byte order mark; an odd last byte is dropped.
pub(super) fn utf16_units(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    let big = bytes.starts_with(b"\xfe\xff");
    bytes.chunks_exact(2).filter_map(move |pair| {
        let pair = <[u8; 2]>::try_from(pair).ok()?;
        Some(if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) })
    })
}

/// Returns the character of a byte in Windows-1252, the Latin-1 of the web. The five bytes that it
/// leaves open are control characters.
fn latin(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', //
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH.get(usize::from(byte - 0x80)).copied().unwrap_or(char::from(byte)),
        _ => char::from(byte),
    }
}

/// Returns whether bytes are not text: they have a NUL, or too many control characters, near the
/// beginning; or they are a PDF, as drawings of Illustrator are, or a picture in PostScript.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    // UTF-16 is full of NULs, but its byte order mark identifies it.
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return std::char::decode_utf16(utf16_units(bytes).take(SNIFF_BYTES / 2))
            .any(|unit| unit.is_err() || unit == Ok('\0'));
    }
    let head = bytes.get(..SNIFF_BYTES).unwrap_or(bytes);
    if bytes.starts_with(b"%PDF-") || bytes.starts_with(b"%!PS-Adobe-") && contains_in_line(head, b" EPSF-") {
        return true;
    }
    let is_control = |b: &&u8| matches!(b, 0x01..=0x07 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f);
    head.contains(&0) || head.iter().filter(is_control).count() * CONTROL_SHARE > head.len()
}

/// Returns whether the first line has these bytes.
fn contains_in_line(head: &[u8], wanted: &[u8]) -> bool {
    let line = head.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    line.windows(wanted.len()).any(|part| part == wanted)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_encoding_gives_its_text() {
        assert!(matches!(decode("grün\n".as_bytes()), Cow::Borrowed("grün\n")));
        assert_eq!(decode(b"\xef\xbb\xbfx"), "\u{feff}x");
        assert_eq!(decode(b"\xff\xfea\0\xe4\0\n\0"), "\u{feff}aä\n");
        assert_eq!(decode(b"\xfe\xff\0a\0\xe4\0\n"), "\u{feff}aä\n");
        assert_eq!(decode(b"\xff\xfe\x00\xd8x"), "\u{feff}\u{fffd}");
        assert_eq!(decode(b"caf\xe9 \x80\n"), "café €\n");
        assert_eq!(decode(b"gr\xc3\xbcn \xc3\xa4 \xff\n"), "grün ä \u{fffd}\n");
        assert_eq!(decode(b""), "");
    }

    #[test]
    fn documents_for_printers_are_no_text() {
        for bytes in [&b"%PDF-1.5\n1 0 obj\n"[..], b"%!PS-Adobe-3.0 EPSF-3.0\n%%Title: x\n"] {
            assert!(is_binary(bytes));
        }
        for bytes in
            [&b"%!PS\n/x 1 def\n"[..], b"%!PS-Adobe-2.0\n% EPSF- of gs\n", b"% PDF-1.5\n", b"a %PDF-"]
        {
            assert!(!is_binary(bytes));
        }
    }

    proptest! {
        #[test]
        fn every_file_has_a_text_with_the_same_lines(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assume!(!bytes.starts_with(b"\xff\xfe") && !bytes.starts_with(b"\xfe\xff"));
            let n_lines = bytes.iter().filter(|b| **b == b'\n').count();
            prop_assert_eq!(decode(&bytes).matches('\n').count(), n_lines);
        }
    }
}
