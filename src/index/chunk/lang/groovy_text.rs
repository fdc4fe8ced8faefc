//! What Groovy's parser sees: text → text of the same length, and types that are parsed alone.
//!
//! The grammar takes a member without a type for something else (`private final lock = a`), so such
//! a member gets a `def` in place of a modifier. It ends a class at the end of the first type in
//! it, so types in other types are parsed without what is around them.

use crate::index::chunk::ByteRange;
use crate::index::chunk::lines::{blank, offset};
use std::borrow::Cow;

/// Modifiers of members.
const MODIFIERS: [&str; 9] = [
    "abstract",
    "final",
    "private",
    "protected",
    "public",
    "static",
    "synchronized",
    "transient",
    "volatile",
];

/// Words that declare a type.
const TYPES: [&str; 5] = ["@interface", "class", "enum", "interface", "trait"];

/// Returns the text that the parser sees.
pub(super) fn typed(text: &str) -> Cow<'_, [u8]> {
    let code = code(text);
    let mut seen = Cow::Borrowed(text.as_bytes());
    let mut class = String::new();
    let mut start = 0;
    for line in code.split_inclusive('\n') {
        let mut words = words(line).peekable();
        let mut last = None;
        while let Some((at, word)) = words.next_if(|(_, word)| MODIFIERS.contains(word)) {
            last = Some((at, word.len()));
        }
        if let Some((at, len)) = last
            && let Some((name_at, name)) = words.next()
        {
            let behind = line.get(name_at + name.len()..).unwrap_or_default().trim_start();
            let is_value = behind.starts_with('=') && !behind.starts_with("==");
            let is_function = behind.starts_with('(') && name != class;
            if (is_value || is_function)
                && name != "def"
                && let Some(slots) = seen.to_mut().get_mut(start + at..start + at + len)
            {
                slots.fill(b' ');
                slots.iter_mut().zip(b"def").for_each(|(slot, byte)| *slot = *byte);
            }
        }
        if let Some((_, name)) = declared_type(line) {
            class = name.to_owned();
        }
        start += line.len();
    }
    seen
}

/// Returns the types in other types, in order, outer before inner.
pub(super) fn nested(text: &str) -> Vec<ByteRange> {
    let code = code(text);
    let mut found = Vec::new();
    // For each open brace: where the type begins whose body it opens, if it is one.
    let mut open: Vec<Option<usize>> = Vec::new();
    let (mut pending, mut lead) = (None, None);
    let mut start = 0;
    for line in code.split_inclusive('\n') {
        let begin = start + line.len() - line.trim_start().len();
        if line.trim_start().starts_with('@') && !line.trim_start().starts_with("@interface") {
            lead = lead.or(Some(begin));
        }
        if declared_type(line).is_some() {
            // The grammar reads no modifiers in front of `enum`.
            let word = words(line).find(|(_, word)| *word == "enum").map(|(at, _)| start + at);
            pending = Some(word.or(lead).unwrap_or(begin));
        }
        if !line.trim_start().starts_with('@') {
            lead = None;
        }
        for (at, byte) in line.bytes().enumerate() {
            match byte {
                b'{' => open.push(pending.take()),
                b'}' => {
                    let body = open.pop().flatten();
                    if let Some(begin) = body.filter(|_| open.iter().any(Option::is_some)) {
                        found.push(ByteRange { start: offset(begin), end: offset(start + at + 1) });
                    }
                }
                _ => {}
            }
        }
        start += line.len();
    }
    found.sort_unstable_by_key(|one| one.start);
    found
}

/// Returns the offset and the name of a type that a line declares.
fn declared_type(line: &str) -> Option<(usize, &str)> {
    let mut words = words(line).skip_while(|(_, word)| MODIFIERS.contains(word) || is_annotation(word));
    words.next().filter(|(_, word)| TYPES.contains(word))?;
    words.next().filter(|(_, name)| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

fn is_annotation(word: &str) -> bool {
    word.starts_with('@') && word != "@interface"
}

/// Returns the words that a line begins with, up to the first sign, and where they are.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@');
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = line.get(at..)?;
        let word_at = at + rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let rest = line.get(word_at..)?;
        let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        at = word_at + len;
        rest.get(..len).filter(|word| !word.is_empty()).map(|word| (word_at, word))
    })
}

/// Returns the text with blanks for comments and for what is in strings. Line feeds stay.
fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let starts =
        |at: usize, sign: &str| bytes.get(at..).is_some_and(|rest| rest.starts_with(sign.as_bytes()));
    let mut out = bytes.to_vec();
    let mut at = 0;
    // The last byte of the code that is not blank.
    let mut before = b';';
    while at < bytes.len() {
        let (open, close, is_one_line) = if starts(at, "//") || starts(at, "#!") && at == 0 {
            (2, "\n", true)
        } else if starts(at, "/*") {
            (2, "*/", false)
        } else if let Some(quote) = ["\"\"\"", "'''"].into_iter().find(|quote| starts(at, quote)) {
            (3, quote, false)
        } else if let Some(quote) = ["\"", "'"].into_iter().find(|quote| starts(at, quote)) {
            (1, quote, true)
        } else if starts(at, "/") && b"=(,~:[!&|?{;".contains(&before) {
            (1, "/", true)
        } else {
            let byte = bytes.get(at).copied().unwrap_or_default();
            before = if byte.is_ascii_whitespace() { before } else { byte };
            at += 1;
            continue;
        };
        let mut end = at + open;
        while end < bytes.len() && !starts(end, close) && !(is_one_line && starts(end, "\n")) {
            let is_escape = starts(end, "\\") && !matches!(close, "\n" | "*/");
            end += if is_escape { 2 } else { 1 };
        }
        end = if starts(end, "\n") { end } else { (end + close.len()).min(bytes.len()) };
        blank(out.get_mut(at..end).unwrap_or_default());
        before = b'"';
        at = end.max(at + 1);
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_without_a_type_get_one() {
        for (text, seen) in [
            ("  private final lock = new A()\n", "  private def   lock = new A()\n"),
            ("  private static a(String b) {}\n", "  private def    a(String b) {}\n"),
            ("  static main(args) {}\n", "  def    main(args) {}\n"),
            ("class A {\n  private A(int b) {}\n", "class A {\n  private A(int b) {}\n"),
            ("  private final int a = 1\n", "  private final int a = 1\n"),
            ("  static a = 'static b = 1'\n", "  def    a = 'static b = 1'\n"),
        ] {
            assert_eq!(String::from_utf8_lossy(&typed(text)), seen, "{text}");
        }
    }

    #[test]
    fn types_in_types_are_found() {
        let text = "class A {\n  String b = \"class }\" // {\n  @C\n  static class D { enum E { F } }\n  def g = { h.class }\n  interface I {}\n  static enum K { L }\n}\nclass J {}\n";
        let found: Vec<&str> = nested(text).iter().map(|one| one.of(text)).collect();
        assert_eq!(found, ["@C\n  static class D { enum E { F } }", "interface I {}", "enum K { L }"]);
    }
}
