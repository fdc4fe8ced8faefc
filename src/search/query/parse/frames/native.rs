//! Frames of native code, which have numbers, addresses and images before the name: gdb, lldb,
//! Valgrind, the sanitizers, perf, macOS, Windows, Boost, glog, and Rust without debug information.
//!
//! A line → the text that begins with the name. Pure; a line that is not such a frame gives `None`.

use super::name::is_decimal;

/// Marks of a frame that say nothing: in Valgrind, glog, lldb, perf, Android, Swift.
const MARKS: [&str; 12] = ["at", "by", "@", "pc", "PC:", "frame", "*", "in", "-", "->", "[ra]", "[inlined]"];

/// Most words of the name of an image: `3   Google Chrome Helper   0x1f2b`.
const IMAGE_WORDS: usize = 5;

/// A frame of native code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Native<'l> {
    /// The text from the function's name on.
    pub(super) called: &'l str,
    /// Whether the line is a frame for certain: it has an address behind a number or a mark, or an
    /// image with a line or an offset. Others may be a list in prose.
    pub(super) is_certain: bool,
}

/// Returns what a frame of native code calls.
pub(super) fn native(line: &str) -> Option<Native<'_>> {
    let mut rest = line.trim();
    let (mut is_numbered, mut is_marked, mut has_address) = (false, false, false);
    loop {
        let word = rest.split_whitespace().next()?;
        let is_mark = MARKS.contains(&word);
        if is_address(word) {
            has_address = true;
        } else if !has_address && is_number(word) {
            is_numbered = true;
        } else if !is_mark {
            break;
        }
        is_marked |= is_mark;
        rest = behind(rest, word);
    }
    if is_numbered
        && !has_address
        && let Some(after) = behind_image(rest)
    {
        (rest, has_address) = (after, true);
    }
    let (rest, has_image) = without_image(rest);
    // Swift: `closure #1 in View.load(_:)`.
    let closure = rest.strip_prefix("closure #").and_then(|rest| rest.split_once(" in "));
    let rest = closure.map_or(rest, |(_, rest)| rest);
    if rest.starts_with(['/', '(']) || rest.starts_with("n/a") {
        return None;
    }
    // perf: `55d0c2b1 f (/usr/bin/prog)`.
    let is_alone = rest.ends_with(')') && rest.split_whitespace().count() == 2;
    let has_offset = has_image
        && (rest.contains("+0x") || rest.contains("+ 0x") || rest.contains(" Line ") || has_address);
    let is_library = rest.contains(") from /");
    let is_certain =
        has_address && (is_numbered || is_marked || is_alone) || has_offset || is_numbered && is_library;
    (is_certain || is_numbered).then_some(Native { called: rest, is_certain })
}

/// Returns the rest of a text behind its first word.
fn behind<'t>(text: &'t str, word: &str) -> &'t str {
    text.get(word.len()..).unwrap_or_default().trim_start()
}

/// Returns whether a word numbers a frame or a process: `#1`, `1:`, `1#`, `1>`, `==123==`.
fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['#', '=']).trim_end_matches(['#', ':', '=', '>']);
    is_decimal(digits)
}

/// Returns whether a word is an address: `0x1f2b`, `[0x1f2b]`, `0x1f2b:`, `ffffffff8104f5e4`,
/// `000000d6`1b2ff7a8`.
fn is_address(word: &str) -> bool {
    let word = word.trim_end_matches([':', ',', ']']).trim_start_matches('[');
    let digits = word.strip_prefix("0x").unwrap_or(word).replace('`', "");
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_mixed =
        digits.bytes().any(|byte| byte.is_ascii_digit()) && !digits.bytes().all(|byte| byte.is_ascii_digit());
    is_hex && !digits.is_empty() && (word.starts_with("0x") || digits.len() >= 8 && is_mixed)
}

/// Returns the text behind the name of an image and an address.
fn behind_image(text: &str) -> Option<&str> {
    let mut rest = text;
    for _ in 0..=IMAGE_WORDS {
        let word = rest.split_whitespace().next()?;
        rest = behind(rest, word);
        if word.starts_with("0x") && is_address(word) {
            return Some(rest);
        }
        if word.contains(['(', '!', '[', '`']) {
            return None;
        }
    }
    None
}

/// Returns a text without the image before its first name, and whether it has one:
/// `prog.exe!A::f(int)`, `` Prog`A::f ``.
fn without_image(text: &str) -> (&str, bool) {
    let name = text.split(['(', '+', '"', '\'']).next().unwrap_or(text);
    match name.find(['!', '`']).filter(|&at| at > 0 && at + 1 < name.len()) {
        Some(at) if !name.get(..at).is_some_and(|image| image.contains(' ')) => {
            (text.get(at + 1..).unwrap_or(text), true)
        }
        _ => (text, false),
    }
}

/// Returns the name of a mangled function, as far as it is made of plain names: `_ZN3foo3barEv` is
/// `foo::bar`. `None` for any other text.
pub(super) fn demangled(name: &str) -> Option<String> {
    let rest = name.strip_prefix("_Z").or_else(|| name.strip_prefix("__Z"))?;
    let is_nested = rest.starts_with('N');
    let mut rest = rest.strip_prefix('N').unwrap_or(rest).trim_start_matches(['K', 'V', 'r', 'L']);
    let mut parts: Vec<&str> = Vec::new();
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some(len) = rest.get(..digits).and_then(|n| n.parse::<usize>().ok()) else { break };
        parts.push(rest.get(digits..digits.checked_add(len)?)?);
        rest = rest.get(digits + len..)?;
        if !is_nested {
            break;
        }
    }
    let ends = !is_nested || rest.starts_with('E');
    (ends && !parts.is_empty()).then(|| parts.join("::"))
}
