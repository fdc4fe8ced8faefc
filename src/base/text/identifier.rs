//! Identifiers: a text → its tokens → the words that each token is made of.
//!
//! Index terms, queries and the embedding model must cut identifiers in the same way, so all of
//! them use these functions. A change here changes the terms of every index.

/// Calls `each` with every part of an identifier, as written.
///
/// Identifiers are cut:
///
/// - at `_` and other signs,
/// - from lower to upper case,
/// - before the last capital of a run that a small letter follows (`HTTPResponse`),
/// - between letters and the digits after them,
/// - around ideographs.
///
/// A token that begins with a digit stays whole (`0x1f2b`, `3d`).
pub fn each_part<'t>(token: &'t str, mut each: impl FnMut(&'t str)) {
    let mut start = 0;
    let mut before: Option<Class> = None;
    let mut starts_with_digit = false;
    let mut chars = token.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let class = Class::of(c);
        let next = chars.peek().map(|&(_, c)| Class::of(c));
        let cut = match (before, class) {
            (None, _) => false,
            (Some(Class::Sign), _) | (_, Class::Sign) => true,
            (Some(Class::Unspaced), now) => now != Class::Unspaced,
            (_, Class::Unspaced) => true,
            _ if starts_with_digit => false,
            (Some(Class::Lower), Class::Upper) => true,
            (Some(Class::Upper), Class::Upper) => next == Some(Class::Lower),
            (Some(Class::Lower | Class::Upper), Class::Digit) => true,
            (Some(Class::Digit), Class::Lower | Class::Upper) => true,
            _ => false,
        };
        if cut || before.is_none() {
            emit(token, start, at, &mut each);
            start = at;
            // A digit run inside an identifier ends at the next letter; a run at the start of a
            // word includes the letters after it.
            starts_with_digit = class == Class::Digit && matches!(before, None | Some(Class::Sign));
        }
        before = Some(class);
    }
    emit(token, start, token.len(), &mut each);
}

/// Returns the byte offset of `part`, a slice of `text`, in it. For a slice of another text, the
/// offset is beyond its end.
pub fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize).unwrap_or(usize::MAX)
}

/// Maximum length of a number as a keyword. Longer numbers are hashes and data.
const NUMBER_BYTES: usize = 16;

/// Returns whether a token is useful as a keyword of a record, whatever its length.
///
/// Single ASCII characters, long numbers and tokens that contain only `_` are not.
pub fn is_keyword(token: &str) -> bool {
    !token.is_ascii()
        || (token.len() > 1
            && (!token.starts_with(|c: char| c.is_ascii_digit()) || token.len() <= NUMBER_BYTES)
            && token.bytes().any(|b| b != b'_'))
}

/// Returns the tokens of a text, in order: its runs of letters, digits and `_`.
pub fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c != '_' && Class::of(c) == Class::Sign).filter(|token| !token.is_empty())
}

fn emit<'t>(token: &'t str, start: usize, end: usize, each: &mut impl FnMut(&'t str)) {
    let part = token.get(start..end).unwrap_or_default();
    if part.chars().next().is_some_and(|c| Class::of(c) != Class::Sign) {
        each(part);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Unspaced,
    Sign,
}

impl Class {
    fn of(c: char) -> Self {
        if c.is_ascii_lowercase() {
            Self::Lower
        } else if c.is_ascii_uppercase() {
            Self::Upper
        } else if c.is_numeric() {
            Self::Digit
        } else if is_unspaced(c) {
            Self::Unspaced
        } else if c.is_uppercase() {
            Self::Upper
        } else if c.is_alphabetic() || is_mark(c) {
            Self::Lower
        } else {
            Self::Sign
        }
    }
}

/// Returns whether a character is a combining mark (accents, Indic vowel signs, Thai tone marks),
/// which belongs to the letter before it.
fn is_mark(c: char) -> bool {
    matches!(u32::from(c), 0x300..=0x36f | 0x900..=0xe4f | 0x1ab0..=0x1aff | 0x20d0..=0x20ff)
}

/// Returns whether a character belongs to a script written without spaces: Han or kana. Thai is
/// treated by its marks.
pub fn is_unspaced(c: char) -> bool {
    matches!(
        u32::from(c),
        0x3040..=0x30ff
            | 0x31f0..=0x31ff
            | 0x3400..=0x4dbf
            | 0x4e00..=0x9fff
            | 0xf900..=0xfaff
            | 0x20000..=0x323af
    )
}

/// Returns a name in Pascal case; a separator stands between its words: `LineItems` of
/// `line_items`.
pub(crate) fn in_pascal_case(name: &str, separator: char) -> String {
    let mut out = String::with_capacity(name.len());
    for part in name.split(separator) {
        let mut chars = part.chars();
        out.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        out.push_str(chars.as_str());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(token: &str) -> Vec<&str> {
        let mut out = Vec::new();
        each_part(token, |part| out.push(part));
        out
    }

    #[test]
    fn identifiers_are_cut_where_a_reader_would() {
        for (token, expected) in [
            ("parseHTTPResponse2", &["parse", "HTTP", "Response", "2"][..]),
            ("snake_case_name", &["snake", "case", "name"]),
            ("__init__", &["init"]),
            ("SCREAMING_SNAKE", &["SCREAMING", "SNAKE"]),
            ("utf8Decoder", &["utf", "8", "Decoder"]),
            ("0x1F2b", &["0x1F2b"]),
            ("x_3d", &["x", "3d"]),
            ("GrößeÄndern", &["Größe", "Ändern"]),
            ("検索index", &["検索", "index"]),
            ("_", &[]),
            ("", &[]),
        ] {
            assert_eq!(parts(token), expected, "{token}");
        }
    }

    #[test]
    fn long_numbers_and_single_signs_are_no_keywords() {
        for (token, expected) in [
            ("ab", true),
            ("a", false),
            ("é", true),
            ("__", false),
            ("_a", true),
            ("1234567890123456", true),
            ("12345678901234567", false),
            ("a2345678901234567", true),
        ] {
            assert_eq!(is_keyword(token), expected, "{token}");
        }
    }
}
