//! What is shown for a character that must not be printed.

use std::borrow::Cow;

/// Returns the visible stand-in for a character that must not be printed as it is; `None` for all
/// others.
///
/// Tab and line feed have a stand-in too. Callers let them through where they are structure.
pub(crate) fn stand_in(c: char) -> Option<Cow<'static, str>> {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).map(|c| Cow::Owned(c.to_string())),
        '\x7f' => Some(Cow::Borrowed("␡")),
        // C1 controls (some terminals obey them), direction marks, line separators.
        '\u{80}'..='\u{9f}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{61c}'
        | '\u{feff}' => Some(Cow::Owned(format!("‹U+{:04X}›", u32::from(c)))),
        _ => None,
    }
}
