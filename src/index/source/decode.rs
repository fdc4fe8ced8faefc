//! Bytes as text.
//!
//! Owns [`decode`]. Byte ranges in records are ranges of the decoded text, and whoever shows a result decodes
//! the same blob in the same way; so this function never changes for the same bytes without a new content
//! version. For UTF-8, nearly every file, decoded text and bytes are the same, and offsets are those of the
//! file. In every encoding the number and order of lines stay the same.

use std::borrow::Cow;

/// The text of a file.
///
/// - UTF-8 as it is. Its byte order mark stays, as the character U+FEFF, so that offsets are the file's.
/// - UTF-16 of either byte order if it has a byte order mark, which stays too; what is no character becomes
///   U+FFFD.
/// - UTF-8 with damage, if more of what is beyond ASCII is right than wrong; each wrong piece becomes U+FFFD.
/// - Anything else as Latin-1, a character per byte: every file has a text, and no line is lost. Bytes from
///   0x80 to 0x9f become the visible characters of Windows-1252, which is what such files mean.
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

/// The 16-bit units of text with a byte order mark, which is the first; an odd last byte is dropped.
pub(super) fn utf16_units(bytes: &[u8]) -> impl Iterator<Item = u16> + '_ {
    let big = bytes.starts_with(b"\xfe\xff");
    bytes.chunks_exact(2).filter_map(move |pair| {
        let pair = <[u8; 2]>::try_from(pair).ok()?;
        Some(if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) })
    })
}

/// A byte of Windows-1252, the Latin-1 of the web; the five that it leaves open are control characters.
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

    proptest! {
        #[test]
        fn every_file_has_a_text_with_the_same_lines(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assume!(!bytes.starts_with(b"\xff\xfe") && !bytes.starts_with(b"\xfe\xff"));
            let n_lines = bytes.iter().filter(|b| **b == b'\n').count();
            prop_assert_eq!(decode(&bytes).matches('\n').count(), n_lines);
        }
    }
}
