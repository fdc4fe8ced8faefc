//! What C#'s parser sees: text → text of the same length, without two signs of C# 14 that the
//! grammar does not know.
//!
//! A block `extension(A a) { … }` looks like a class with a constructor; its members are those of
//! the class around it. `operator +=` looks like `operator +`.

use crate::base::text::{tail, words};
use std::borrow::Cow;

/// The word that begins a block of extension members.
pub(super) const EXTENSION: &str = "extension";

/// Another word for the parser, of the same length.
const CLASS: &[u8] = b"class ext";

/// Longest head of an extension block, in bytes.
const MAX_HEAD: usize = 1000;

/// Returns the text that the parser sees.
pub(super) fn known(text: &str) -> Cow<'_, [u8]> {
    let mut seen = Cow::Borrowed(text.as_bytes());
    for at in words(text, EXTENSION).filter(|&at| is_extension(text, at)) {
        let slots = seen.to_mut().get_mut(at..at + EXTENSION.len()).unwrap_or_default();
        slots.iter_mut().zip(CLASS).for_each(|(slot, byte)| *slot = *byte);
    }
    for at in words(text, "operator").filter_map(|at| assigning(text, at)) {
        if let Some(slot) = seen.to_mut().get_mut(at) {
            *slot = b' ';
        }
    }
    seen
}

/// Returns whether the word at a byte begins a block of extension members: it stands where a member
/// begins, and a block follows its parameters.
fn is_extension(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let behind = text.get(at + EXTENSION.len()..).unwrap_or_default();
    // A comment may end in front of it.
    let is_member = before.ends_with(['{', '}', ';']) || before.ends_with("*/") || ends_in_comment(before);
    if !is_member || !behind.trim_start().starts_with(['(', '<']) {
        return false;
    }
    let mut depth = 0usize;
    for byte in behind.bytes().take(MAX_HEAD) {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'{' if depth == 0 => return true,
            b';' | b'}' | b'=' => return false,
            _ => {}
        }
    }
    false
}

/// Returns whether the last line of a text is a comment.
fn ends_in_comment(text: &str) -> bool {
    let line = tail(text, MAX_HEAD).rsplit('\n').next();
    line.is_some_and(|line| line.trim_start().starts_with("//"))
}

/// Returns where the sign `=` of an operator is that assigns: `operator +=(`. `at` is that of the
/// word.
fn assigning(text: &str, at: usize) -> Option<usize> {
    let start = at + "operator".len();
    let behind = text.get(start..)?;
    let sign = behind.trim_start();
    let sign = sign.strip_prefix("checked").map_or(sign, str::trim_start);
    let sign_at = start + behind.len() - sign.len();
    let len = sign.find(|c: char| !"+-*/%&|^<>".contains(c)).filter(|len| *len > 0)?;
    let (signs, rest) = sign.split_at_checked(len)?;
    let is_compared = matches!(signs, "<" | ">");
    let rest = rest.strip_prefix('=').filter(|_| !is_compared)?;
    rest.trim_start().starts_with('(').then_some(sign_at + len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parser_sees_what_it_knows() {
        for (text, seen) in [
            ("{ extension(A a) { } }", "{ class ext(A a) { } }"),
            ("; extension<T>(A<T> a) where T : B\n{ }", "; class ext<T>(A<T> a) where T : B\n{ }"),
            ("{\n // b\n extension(A) { }", "{\n // b\n class ext(A) { }"),
            ("{ extension(a); }", "{ extension(a); }"),
            ("public extension(A a) { }", "public extension(A a) { }"),
            ("void operator +=(int a) { }", "void operator + (int a) { }"),
            ("void operator checked -= (A a) { }", "void operator checked -  (A a) { }"),
            ("bool operator <=(A a, A b)", "bool operator <=(A a, A b)"),
            ("bool operator ==(A a, A b)", "bool operator ==(A a, A b)"),
            ("void operator >>=(int a)", "void operator >> (int a)"),
        ] {
            assert_eq!(String::from_utf8_lossy(&known(text)), seen, "{text}");
        }
    }
}
