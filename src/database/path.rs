//! Paths as text: any bytes ↔ UTF-8 without NUL, which is all that a database's text can hold.
//!
//! Quoting is reversible, so that two paths never become the same text.

use bstr::{BStr, BString, ByteSlice};

/// Returns the path itself if it is UTF-8 and does not begin with a quote, else quoted like Git
/// does.
pub(super) fn quoted(path: &BStr) -> String {
    match path.to_str() {
        Ok(text) if !text.starts_with('"') && !text.contains('\0') => text.to_owned(),
        _ => {
            let mut out = String::from("\"");
            for byte in path.bytes() {
                match byte {
                    b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
                    b' '..=b'~' => out.push(char::from(byte)),
                    other => out.push_str(&format!("\\{other:03o}")),
                }
            }
            out.push('"');
            out
        }
    }
}

/// Returns the path that was quoted; `None` for text that [`quoted`] never returns.
pub(super) fn unquoted(text: &str) -> Option<BString> {
    let Some(inner) = text.strip_prefix('"') else { return Some(text.into()) };
    let mut bytes = inner.strip_suffix('"')?.bytes();
    let mut path = Vec::new();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            path.push(byte);
            continue;
        }
        match bytes.next()? {
            same @ (b'"' | b'\\') => path.push(same),
            first => {
                let digits = [first, bytes.next()?, bytes.next()?];
                let value = u16::from_str_radix(std::str::from_utf8(&digits).ok()?, 8).ok()?;
                path.push(u8::try_from(value).ok()?);
            }
        }
    }
    Some(path.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_path_comes_back(bytes in proptest::collection::vec(1u8.., 0..40)) {
            let text = quoted(bytes.as_bstr());
            prop_assert_eq!(unquoted(&text), Some(bytes.into()));
        }

        #[test]
        fn any_text_is_a_path_or_none(text in "\"?[\\\\0-9\"a]{0,12}") {
            let _ = unquoted(&text);
        }
    }
}
