//! What Groovy's parser sees: text → text of the same length, and types that are parsed alone.
//!
//! The grammar takes a member without a type for something else (`private final lock = a`), so such
//! a member gets a `def` in place of a modifier. It ends a class at the end of the first type in
//! it, so types in other types are parsed without what is around them. It knows neither
//! `for (A b : c)` nor a few signs in expressions, and loses the class around them. So the loop's
//! head becomes a statement, and the signs become blanks.

use crate::base::text::words as places_of;
use crate::index::chunk::ByteRange;
use crate::index::chunk::lines::{blank, offset};
use std::borrow::Cow;
use std::ops::Range;

/// Longest head of a loop, and longest type arguments, in bytes.
const MAX_HEAD: usize = 1000;

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
        let is_final = line.trim_start().starts_with("final ");
        if is_final && declared_type(line).is_none() {
            // In a function, the grammar knows it only in front of a name.
            let at = start + line.len() - line.trim_start().len();
            put(seen.to_mut(), at..at + "final".len(), b"");
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
        if let Some((name_at, name)) = declared_type(line) {
            class = name.to_owned();
            // The grammar knows no interfaces of a trait.
            let word = self::words(line).find(|(at, word)| *word == "trait" && *at < name_at);
            if let Some((at, word)) = word {
                put(seen.to_mut(), start + at..start + at + word.len(), b"class");
            }
        }
        start += line.len();
    }
    for at in places_of(&code, "for") {
        if let Some(head) = LoopHead::read(&code, at) {
            head.write(seen.to_mut());
        }
    }
    for part in unread(&code) {
        blank(seen.to_mut().get_mut(part).unwrap_or_default());
    }
    for at in places_of(&code, "synchronized").filter(|&at| is_before(&code, at + 12, "(")) {
        // Another word for a statement with a head and a block.
        put(seen.to_mut(), at..at + 12, b"if");
    }
    for (open, close) in places_of(&code, "new").filter_map(|at| sized(&code, at)) {
        put(seen.to_mut(), open..open + 1, b"(");
        put(seen.to_mut(), close..close + 1, b")");
    }
    for (at, sign) in text.match_indices("~/ ").filter(|&(at, _)| is_before(&code, at, "~ ")) {
        // A pattern does not begin with a blank.
        put(seen.to_mut(), at + 2..at + sign.len(), b"_");
    }
    seen
}

/// Fills a part with blanks and begins it with a word.
fn put(seen: &mut [u8], part: Range<usize>, word: &[u8]) {
    if let Some(slots) = seen.get_mut(part) {
        blank(slots);
        slots.iter_mut().zip(word).for_each(|(slot, byte)| *slot = *byte);
    }
}

/// Returns whether a sign follows a place, behind blanks.
fn is_before(code: &str, at: usize, sign: &str) -> bool {
    code.get(at..).is_some_and(|rest| rest.trim_start().starts_with(sign))
}

/// Returns the parts of expressions that the grammar cannot read: `<>` of `new A<>()`, `<B>` of
/// `a.<B>f()`, and `final` of `catch (final E e)`.
fn unread(code: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> =
        code.match_indices("<>").map(|(at, sign)| at..at + sign.len()).collect();
    found.extend(code.match_indices(".<").filter_map(|(at, _)| {
        let mut rest = code.get(at..)?.bytes().take(MAX_HEAD);
        let len = rest.position(|byte| matches!(byte, b'>' | b'\n'))?;
        (code.as_bytes().get(at + len) == Some(&b'>')).then_some(at + 1..at + len + 1)
    }));
    found.extend(places_of(code, "final").filter_map(|at| {
        let before = code.get(..at)?.trim_end().strip_suffix('(')?;
        before.trim_end().ends_with("catch").then_some(at..at + "final".len())
    }));
    found
}

/// Returns the brackets around the size of an array: `new A[b]`. `at` is that of `new`.
fn sized(code: &str, at: usize) -> Option<(usize, usize)> {
    let behind = code.get(at + "new".len()..)?;
    let name = behind.trim_start();
    let size = name.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let open = code.len() - size.len();
    let len = size.strip_prefix('[')?.find([']', '[', '\n'])?;
    let close = open + 1 + len;
    (len > 0 && name.len() > size.len() && code.get(close..)?.starts_with(']')).then_some((open, close))
}

/// The head of a loop over a collection: `for (A b : c)` or `for (A b in c)`. All places are bytes
/// of the text.
struct LoopHead {
    /// `for (`.
    begin: Range<usize>,
    /// The part in front of the variable: modifiers and the type.
    before: Range<usize>,
    /// Where the type begins; `None` if there is none.
    type_at: Option<usize>,
    /// The sign or word in front of the collection.
    separator: Range<usize>,
    /// The parenthesis at the end.
    end: usize,
}

impl LoopHead {
    /// Reads the head of a loop whose word is at a byte. `None` if it is another loop, or one that
    /// the grammar can read.
    fn read(code: &str, at: usize) -> Option<Self> {
        let behind = code.get(at + 3..)?;
        let open =
            at + 3 + behind.find(|c: char| !c.is_whitespace()).filter(|_| is_before(code, at + 3, "("))?;
        let (mut depth, mut separator, mut end) = (0usize, None, None);
        for (place, byte) in code.bytes().enumerate().skip(open).take(MAX_HEAD) {
            let rest = code.as_bytes().get(place..).unwrap_or_default();
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' if depth == 1 => {
                    end = Some(place);
                    break;
                }
                b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
                b';' if depth == 1 => return None,
                b':' if depth == 1 && separator.is_none() => separator = Some(place..place + 1),
                b' ' if depth == 1 && separator.is_none() && rest.starts_with(b" in ") => {
                    separator = Some(place + 1..place + 3);
                }
                _ => {}
            }
        }
        let (separator, end) = (separator?, end?);
        let left = code.get(open + 1..separator.start)?.trim_end();
        let before = left.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
        let before = open + 1..open + 1 + before.len();
        let written = code.get(before.clone())?;
        let ty = words(written).find(|(_, word)| !MODIFIERS.contains(word) && !is_annotation(word));
        let type_at = ty.filter(|(_, word)| !matches!(*word, "def" | "var")).map(|(at, _)| before.start + at);
        // The grammar knows `for (b in c)`.
        (!written.trim().is_empty()).then_some(Self { begin: at..open + 1, before, type_at, separator, end })
    }

    /// Makes the head a statement: `A b = c;`. Without a type, it is `def b; c;`, because the
    /// variable has not the type of the collection.
    fn write(self, seen: &mut [u8]) {
        let sign: &[u8] = if self.type_at.is_some() { b"=" } else { b";" };
        match self.type_at {
            Some(at) => put(seen, self.before.start..at, b""),
            None => {
                let len = self.before.len();
                put(seen, self.before.clone(), b"");
                put(seen, self.before.end - len.min(4)..self.before.end, b"def");
            }
        }
        put(seen, self.begin, b"");
        put(seen, self.separator, sign);
        put(seen, self.end..self.end + 1, b";");
    }
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
    fn what_the_grammar_cannot_read_is_written_otherwise() {
        for (text, seen) in [
            ("  private final lock = new A()\n", "  private def   lock = new A()\n"),
            ("  private static a(String b) {}\n", "  private def    a(String b) {}\n"),
            ("  static main(args) {}\n", "  def    main(args) {}\n"),
            ("class A {\n  private A(int b) {}\n", "class A {\n  private A(int b) {}\n"),
            ("  private final int a = 1\n", "  private final int a = 1\n"),
            ("  static a = 'static b = 1'\n", "  def    a = 'static b = 1'\n"),
            ("  for( A<B> a : b(c) ) {}\n", "       A<B> a = b(c) ; {}\n"),
            ("  for (final a in b) {}\n", "         def a ;  b; {}\n"),
            ("  for (def a : b)\n", "       def a ; b;\n"),
            ("  for (final Map<A, ?> a : b)\n", "             Map<A, ?> a = b;\n"),
            ("  for (A<?, ?> a : b)\n", "       A<?, ?> a = b;\n"),
            ("  for (a in b) {}\n", "  for (a in b) {}\n"),
            ("  for (int a = b ? c : d; e; f) {}\n", "  for (int a = b ? c : d; e; f) {}\n"),
            ("  a = new B<>(c.<D>e())\n", "  a = new B  (c.   e())\n"),
            ("  catch (final A a) {}\n", "  catch (      A a) {}\n"),
            ("  synchronized (a) {}\n", "  if           (a) {}\n"),
            ("  final A a = b\n", "        A a = b\n"),
            ("  a = new byte[b + 1]\n", "  a = new byte(b + 1)\n"),
            ("  a = new String[] { }\n", "  a = new String[] { }\n"),
            ("  final class A {}\n", "  final class A {}\n"),
            ("@A trait B implements C {\n", "@A class B implements C {\n"),
            ("  a = ~/ b/\n", "  a = ~/_b/\n"),
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
