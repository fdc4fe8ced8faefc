//! Bytes → text.

use std::borrow::Cow;

/// The text of a file.
///
/// UTF-8 is taken as it is, without its byte order mark; UTF-16 with a byte order mark is converted; anything
/// else is read as Latin-1 where it is not UTF-8, one character a byte, so that lines stay where they are.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        return decode_8(rest);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return Cow::Owned(decode_16(rest, u16::from_le_bytes));
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return Cow::Owned(decode_16(rest, u16::from_be_bytes));
    }
    decode_8(bytes)
}

fn decode_8(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
    }
    Cow::Owned(out)
}

fn decode_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    char::decode_utf16(pairs.iter().map(|&pair| unit(pair)))
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_by_their_marks() {
        assert_eq!(decode("größe".as_bytes()), "größe");
        assert_eq!(decode(b"\xef\xbb\xbfx"), "x");
        assert_eq!(decode(b"\xff\xfea\0\xfc\0"), "aü");
        assert_eq!(decode(b"\xfe\xff\0a\0\xfc"), "aü");
        assert_eq!(decode(b"gr\xfc\xdfe\nx"), "grüße\nx");
        assert_eq!(decode(b"\xff\xfea"), "");
    }
}
