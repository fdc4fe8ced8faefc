//! Where a name stands in its declaration, and which names a place in a text may be inside of.
//!
//! Pure functions over texts. An index stores the line of a declared name, not its bytes.

use super::rules::name_range as range_from;
use crate::base::text::words;
use crate::index::chunk::{ByteRange, DeclarationKind, Span};
use crate::search::graph::is_function;

/// Returns the bytes of a declared name. If the source writes the name in another way, as a title
/// with markup, these are the bytes of its line without surrounding blanks.
pub fn name_range(text: &str, name: &str, kind: DeclarationKind, span: &Span, name_line: u32) -> ByteRange {
    let line = line_of(text, span, name_line);
    let written = line.of(text);
    let behind = |at: usize| written.get(at + name.len()..).unwrap_or_default().trim_start();
    let begins_call = |at: &usize| behind(*at).starts_with(['(', '<', '[']);
    // A method of Go may be called like its receiver: `func (retry *Timer) retry()`.
    let called = words(written, name).filter(|_| is_function(kind)).find(begins_call);
    let found = called.or_else(|| words(written, name).next()).or_else(|| written.find(name));
    // Objective-C writes a name in parts, and Fortran in any case.
    let first = name.split_inclusive(':').next().unwrap_or(name);
    let found = found.or_else(|| words(written, first).next());
    let found = found.or_else(|| words(&written.to_ascii_lowercase(), name).next());
    match found.filter(|_| !name.is_empty()).and_then(|at| u32::try_from(at).ok()) {
        Some(at) => {
            let is_whole = written.get(at as usize..).is_some_and(|rest| is_same(rest, name));
            range_from(
                line.start.saturating_add(at),
                if is_whole { name } else { first.trim_end_matches(':') },
            )
        }
        None => {
            let n_before = written.len() - written.trim_start().len();
            range_from(line.start.saturating_add(u32::try_from(n_before).unwrap_or(0)), written.trim())
        }
    }
}

/// Returns whether a text begins with a name, in any case.
fn is_same(text: &str, name: &str) -> bool {
    text.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name))
}

/// Returns the bytes of a line of a declaration, as far as the declaration covers it.
fn line_of(text: &str, span: &Span, line: u32) -> ByteRange {
    let mut start = span.bytes.start as usize;
    for _ in span.start_line..line {
        let rest = text.get(start..).unwrap_or_default();
        start += rest.find('\n').map_or(rest.len(), |at| at + 1);
    }
    let rest = text.get(start..).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default().trim_end_matches('\r');
    range_from(u32::try_from(start).unwrap_or(u32::MAX), line)
}

/// Returns the names that a byte of a text may be inside of, or directly behind, longest first.
///
/// Languages differ in what a name may consist of: `empty?`, `$el`, `font-size`.
pub fn names_at(text: &str, byte: u32) -> Vec<ByteRange> {
    let plain = run(text, byte, |c| c.is_alphanumeric() || c == '_');
    let mut found = Vec::new();
    let mut add = |range: ByteRange| {
        if !range.is_empty() && !found.contains(&range) {
            found.push(range);
        }
    };
    let next = |end: u32| text.get(end as usize..).and_then(|rest| rest.chars().next());
    let before = |start: u32| text.get(..start as usize).and_then(|rest| rest.chars().next_back());
    if !plain.is_empty() {
        add(run(text, byte, |c| c.is_alphanumeric() || matches!(c, '_' | '-')));
        if matches!(next(plain.end), Some('?' | '!')) {
            add(ByteRange { end: plain.end + 1, ..plain });
        }
        if matches!(before(plain.start), Some('$' | '@')) {
            add(ByteRange { start: plain.start - 1, ..plain });
        }
        add(run(text, byte, |c| c.is_alphanumeric() || matches!(c, '_' | '$')));
    }
    add(plain);
    found.sort_by_key(|range| std::cmp::Reverse(range.end - range.start));
    found
}

/// Returns the run of such characters around a byte.
fn run(text: &str, byte: u32, is_in: impl Fn(char) -> bool) -> ByteRange {
    let byte = byte as usize;
    let (Some(before), Some(after)) = (text.get(..byte), text.get(byte..)) else {
        return ByteRange::default();
    };
    let start = before.trim_end_matches(&is_in).len();
    let end = byte + after.len() - after.trim_start_matches(&is_in).len();
    let offset = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    ByteRange { start: offset(start), end: offset(end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offset(n: usize) -> u32 {
        u32::try_from(n).unwrap()
    }

    #[test]
    fn the_name_of_a_declaration_is_found_in_its_line() {
        for (text, name, kind, expected) in [
            ("func (retry *T) retry() {", "retry", DeclarationKind::Method, 16),
            ("def open", "open", DeclarationKind::Method, 4),
            ("type Type struct", "Type", DeclarationKind::Struct, 5),
            ("  \"a key\": 1", "a key", DeclarationKind::Key, 3),
            ("## Set *up*", "Set up", DeclarationKind::Section, 0),
            ("- (void)add:(int)a count:(int)n;", "add:count:", DeclarationKind::Method, 8),
            ("      SUBROUTINE DGEMM(A)", "dgemm", DeclarationKind::Function, 17),
            ("größe größen größ größe()", "größ", DeclarationKind::Constant, 17),
        ] {
            let bytes = ByteRange { start: 0, end: offset(text.len()) };
            let span = Span { bytes, start_line: 1, end_line: 1 };
            assert_eq!(name_range(text, name, kind, &span, 1).start, expected, "{text}");
        }
        let text = "x\n/// doc\r\n#[a]\r\nfn a() {}\r\n";
        let bytes = ByteRange { start: 2, end: offset(text.len()) };
        let span = Span { bytes, start_line: 2, end_line: 4 };
        let found = name_range(text, "a", DeclarationKind::Function, &span, 4);
        assert_eq!((found.of(text), found.start), ("a", 20));
        let beyond = name_range(text, "a", DeclarationKind::Function, &span, 99);
        assert!(beyond.is_empty());
    }

    #[test]
    fn a_place_is_in_several_possible_names() {
        let names = |text: &'static str, byte: u32| -> Vec<&str> {
            names_at(text, byte).into_iter().map(|range| range.of(text)).collect()
        };
        assert_eq!(names("x.empty?(1)", 4), ["empty?", "empty"]);
        assert_eq!(names("f($el)", 3), ["$el", "el"]);
        assert_eq!(names("font-size: 1", 2), ["font-size", "font"]);
        assert_eq!(names("größe", 0), ["größe"]);
        assert_eq!(names("go()", 2), ["go"], "behind the name");
        assert!(names("a  b", 2).is_empty());
        assert!(names("ä", 1).is_empty(), "in the middle of a character");
        assert!(names("a", 9).is_empty());
    }
}
