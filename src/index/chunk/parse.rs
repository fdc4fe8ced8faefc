//! Parsers: text → syntax tree, with a budget that is the same on every machine.
//!
//! Each thread has one parser per language. Two kinds of input would take a parser too long:
//!
//! - Nested templates or generics may never finish. The parser calls back about every hundred
//!   operations, and it is stopped after a number of calls that grows with its progress.
//! - At each `/*` that nothing closes, the lexer reads the rest of the file again. Therefore it
//!   gets the text in pieces, and it is stopped after a number of bytes.
//!
//! The budget counts calls and bytes, not milliseconds. So the result is a function of the text
//! alone, which the identity of records requires.

use super::lines::Lines;
use super::table::Table;
use super::{ByteRange, Language};
use crate::base::text::BYTE_ORDER_MARK;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, ParseState, Parser, Point, Range, Tree};

/// Largest text that is parsed, in bytes: a tree takes about 180 bytes per byte of source.
///
/// See `doc/experiments/chunking.md`.
pub const MAX_PARSE_BYTES: usize = 1 << 20;

/// Longest line in bytes that somebody may have written by hand.
pub(super) const LONG_LINE: usize = 5000;

/// Callbacks that any text may use; they take half a second at most. See
/// `doc/experiments/chunking.md`.
const MIN_CALLS: usize = 2_500;

/// Bytes of progress that pay for one more callback; real code, even the densest, needs fewer
/// callbacks. See `doc/experiments/chunking.md`.
const BYTES_PER_CALL: usize = 16;

/// Bytes that the lexer gets in one piece.
const PIECE: usize = 1024;

/// Bytes that the lexer may read in any text; this takes tens of milliseconds. See
/// `doc/experiments/chunking.md`.
const MIN_READ: usize = 8 << 20;

/// Times that the lexer may read a large text; the greediest real file stays below it. See
/// `doc/experiments/chunking.md`.
const MAX_READS: usize = 64;

thread_local! {
    static PARSERS: RefCell<Vec<(Language, Parser)>> = const { RefCell::new(Vec::new()) };
}

/// Smallest text in bytes that is checked for repetition.
const MIN_REPETITIVE: usize = 2 << 10;

/// Length in bytes of the runs that are counted.
const RUN_BYTES: usize = 8;

/// Length in bytes of the blocks that are checked for repetition one by one.
pub(super) const BLOCK: usize = 16 << 10;

/// A text with fewer different runs than one per this many bytes is a repeated pattern, not code.
/// Real files, even generated ones, have about three times as many. See
/// `doc/experiments/chunking.md`.
const REPETITIONS: usize = 256;

/// Returns whether the text is worth parsing: not too large, not minified (more than half of it in
/// very long lines), and not a short pattern that is repeated, in no place.
///
/// A parser keeps all readings of such a pattern and compares them at the end of the text without
/// calling back. A few kilobytes can take minutes.
pub fn is_parseable(text: &str) -> bool {
    if text.len() > MAX_PARSE_BYTES {
        return false;
    }
    let long: usize = text.split('\n').map(str::len).filter(|&len| len > LONG_LINE).sum();
    long * 2 <= text.len()
        && !is_repetitive(text.as_bytes())
        && !text.as_bytes().chunks(BLOCK).any(is_repetitive)
}

/// Returns whether the text consists of few different runs of bytes, counted by their hashes.
pub(super) fn is_repetitive(text: &[u8]) -> bool {
    if text.len() < MIN_REPETITIVE {
        return false;
    }
    const SLOTS: usize = 1 << 16;
    let enough = (text.len() / REPETITIONS).min(SLOTS / 4);
    let mut seen = vec![0u64; SLOTS / 64];
    let mut different = 0;
    for run in text.windows(RUN_BYTES) {
        let Some(run) = run.first_chunk() else { continue };
        // Fibonacci hashing (Knuth, TAOCP 3, §6.4).
        let slot = (u64::from_le_bytes(*run).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize;
        if let Some(word) = seen.get_mut(slot / 64) {
            different += usize::from(*word >> (slot % 64) & 1 == 0);
            *word |= 1 << (slot % 64);
        }
        if different > enough {
            return false;
        }
    }
    true
}

/// Parses a text. `None` without a grammar, if the grammar's scanner cannot take the text, or if
/// the budget is spent.
pub(super) fn parse(language: Language, text: &str) -> Option<Tree> {
    let input = Input { first: 0, text, masked: None, included: &[] };
    parse_included(language, &input, &mut Budget::default())
}

/// Parses a part of a text: these ranges, in order, as if nothing were between them. Positions in
/// the tree are those of the whole text. `None` as for [`parse`].
pub(super) fn parse_ranges(language: Language, lines: &Lines<'_>, ranges: &[ByteRange]) -> Option<Tree> {
    parse_masked(language, lines, ranges, None, &mut Budget::default())
}

/// As [`parse_ranges`]. If there are `masked` bytes, the parser sees those in place of the text
/// from the first range to the last. Texts with one budget share it.
pub(super) fn parse_masked(
    language: Language,
    lines: &Lines<'_>,
    ranges: &[ByteRange],
    masked: Option<&[u8]>,
    budget: &mut Budget,
) -> Option<Tree> {
    let all = ByteRange { start: ranges.first()?.start, end: ranges.last()?.end };
    let included = included(lines, ranges);
    let text = all.of(lines.text());
    let input = Input { first: all.start as usize, text, masked, included: &included };
    parse_included(language, &input, budget)
}

/// The part of what any text may use that several small texts have used.
#[derive(Debug, Default)]
pub(super) struct Budget {
    /// Callbacks of the parser.
    calls: usize,
    /// Bytes that the lexer read.
    bytes: usize,
}

/// The input of a parser.
struct Input<'t> {
    /// Where it begins in the whole text, in bytes.
    first: usize,
    /// The part of the text from there.
    text: &'t str,
    /// The bytes that the parser sees instead, if there are any.
    masked: Option<&'t [u8]>,
    /// The ranges that it reads; all, if there are none.
    included: &'t [Range],
}

/// The text that a parser sees in place of a text, for several parses of parts of it.
pub(super) struct SeenText<'t> {
    language: Language,
    text: &'t str,
    bytes: Cow<'t, [u8]>,
}

impl<'t> SeenText<'t> {
    /// Returns what the parser of a language sees of a text. `None` without a grammar.
    pub(super) fn of(language: Language, text: &'t str) -> Option<Self> {
        let resolved = language.resolved()?;
        Some(Self { language, text, bytes: seen(resolved.table, text, None) })
    }

    /// Parses these ranges of the text as [`parse_masked`] does. What an `old` tree of other ranges
    /// of this text says of the same lines need not be parsed again.
    pub(super) fn parse(
        &self,
        lines: &Lines<'_>,
        ranges: &[ByteRange],
        old: Option<&Tree>,
        budget: &mut Budget,
    ) -> Option<Tree> {
        ranges.first()?;
        let included = included(lines, ranges);
        let input = Input { first: 0, text: self.text, masked: None, included: &included };
        parse_bytes(self.language, &input, &self.bytes, old, budget)
    }
}

/// Returns the ranges as the parser takes them.
fn included(lines: &Lines<'_>, ranges: &[ByteRange]) -> Vec<Range> {
    let point = |at: u32| {
        let row = lines.of(at);
        let column = at - lines.start(row);
        Point { row: row as usize, column: column as usize }
    };
    let range = |one: &ByteRange| Range {
        start_byte: one.start as usize,
        end_byte: one.end as usize,
        start_point: point(one.start),
        end_point: point(one.end),
    };
    ranges.iter().map(range).collect()
}

fn parse_included(language: Language, input: &Input<'_>, budget: &mut Budget) -> Option<Tree> {
    let resolved = language.resolved()?;
    let bytes = seen(resolved.table, input.text, input.masked);
    parse_bytes(language, input, &bytes, None, budget)
}

/// Parses a text of which the parser sees these bytes, as it saw them when it made the `old` tree.
fn parse_bytes(
    language: Language,
    input: &Input<'_>,
    bytes: &[u8],
    old: Option<&Tree>,
    budget: &mut Budget,
) -> Option<Tree> {
    let &Input { first, text: within, included, .. } = input;
    let resolved = language.resolved()?;
    if !is_taken(resolved.table, bytes, first, included) {
        return None;
    }
    let len = match included {
        [] => within.len(),
        all => all.iter().map(|one| one.end_byte.saturating_sub(one.start_byte)).sum(),
    };
    PARSERS.with(|parsers| {
        let mut parsers = parsers.try_borrow_mut().ok()?;
        let at = match parsers.iter().position(|(of, _)| *of == language) {
            Some(at) => at,
            None => {
                let mut parser = Parser::new();
                parser.set_language(&resolved.grammar).ok()?;
                parsers.push((language, parser));
                parsers.len() - 1
            }
        };
        let (_, parser) = parsers.get_mut(at)?;
        parser.set_included_ranges(included).ok()?;
        let mut calls = budget.calls;
        let reads = MAX_READS * resolved.table.reads;
        let may_read = readable(len, reads);
        let unread = Cell::new(may_read.saturating_sub(budget.bytes));
        let ended = Cell::new(false);
        let mut progress = |state: &ParseState| {
            calls += 1;
            let progress = state.current_byte_offset().saturating_sub(first).min(len);
            let is_within = calls <= allowed_calls(progress) && unread.get() > 0;
            if is_within { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut read = |at: usize, _| {
            // Once the budget is spent, the text seems to end here, after a line feed: scanners
            // look for one or the other.
            let piece = match unread.get() {
                0 if ended.replace(true) => &[][..],
                0 => b"\n",
                _ => at.checked_sub(first).map(|at| piece(bytes, at)).unwrap_or_default(),
            };
            unread.set(unread.get().saturating_sub(piece.len()));
            piece
        };
        let tree = parser.parse_with_options(&mut read, old, Some(options));
        let tree = tree.filter(|_| unread.get() > 0);
        budget.calls = calls.saturating_sub(len / BYTES_PER_CALL);
        budget.bytes = (may_read - unread.get()).saturating_sub(len * reads);
        if tree.is_none() {
            // Otherwise the next parse would resume where this one stopped.
            parser.reset();
        }
        tree
    })
}

/// Returns the bytes that the parser sees in place of a text, of the same length.
fn seen<'t>(table: &Table, text: &'t str, masked: Option<&'t [u8]>) -> Cow<'t, [u8]> {
    let given = masked.map_or(Ok(text), std::str::from_utf8);
    let bytes = match (given, table.mask) {
        (Ok(given), Some(mask)) => mask(given),
        _ => Cow::Borrowed(masked.unwrap_or(text.as_bytes())),
    };
    if table.ascii && !text.is_ascii() {
        // One letter per byte keeps the offsets of the text.
        let mut letters: Vec<u8> =
            bytes.iter().map(|&byte| if byte.is_ascii() { byte } else { b'x' }).collect();
        let n_mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        letters.get_mut(..n_mark).unwrap_or_default().fill(b' ');
        return Cow::Owned(letters);
    }
    bytes
}

/// Returns whether the grammar's scanner can take the bytes of these ranges.
fn is_taken(table: &Table, bytes: &[u8], first: usize, included: &[Range]) -> bool {
    let Some(fits) = table.fits else { return true };
    if included.is_empty() {
        return fits(&String::from_utf8_lossy(bytes));
    }
    let part = |one: &Range| bytes.get(one.start_byte.checked_sub(first)?..one.end_byte.checked_sub(first)?);
    let parts: Vec<&[u8]> = included.iter().filter_map(part).collect();
    fits(&String::from_utf8_lossy(&parts.concat()))
}

/// Returns the number of callbacks until the parser has come to this byte.
fn allowed_calls(offset: usize) -> usize {
    MIN_CALLS + offset / BYTES_PER_CALL
}

/// Returns the bytes that the lexer may read of a text of this length: `reads` times the text, and
/// what it may read of any.
fn readable(len: usize, reads: usize) -> usize {
    MIN_READ + len * reads
}

/// Returns the piece at `at` for the lexer. It ends at a character boundary, because the lexer
/// mishandles any other end.
fn piece(bytes: &[u8], at: usize) -> &[u8] {
    let mut end = bytes.len().min(at.saturating_add(PIECE));
    while end > at && bytes.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) {
        end -= 1;
    }
    bytes.get(at..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns lines of numbers, so that no run of bytes comes often.
    fn numbers(len: usize) -> String {
        let mut text: String = (0..len / 4).map(|n| format!("x{n}\n")).collect();
        text.truncate(len);
        text
    }

    #[test]
    fn what_is_large_or_long_is_not_parsed() {
        for (len, expected) in [(1 << 20, true), ((1 << 20) + 1, false)] {
            assert_eq!(is_parseable(&numbers(len)), expected, "{len} bytes");
        }
        let line = |len: usize| numbers(len).replace('\n', " ");
        for (long, rest, expected) in
            [(5000, 0, true), (5001, 0, false), (5001, 4999, false), (5001, 5000, true), (6000, 5999, true)]
        {
            let text = format!("{}\n{}", line(long), numbers(rest));
            assert_eq!(is_parseable(&text), expected, "{long} {rest}");
        }
    }

    #[test]
    fn a_repeated_pattern_is_not_parsed() {
        let pattern = |period: usize, len: usize| -> String {
            (0..len).map(|at| char::from(b'a' + u8::try_from(at % period).unwrap())).collect()
        };
        for (period, len, expected) in [
            (2, 2047, false),
            (2, 2048, true),
            (8, 2048, true),
            (9, 2048, false),
            (10, 2560, true),
            (11, 2560, false),
            (10, 2559, false),
        ] {
            assert_eq!(is_repetitive(pattern(period, len).as_bytes()), expected, "{period} {len}");
        }
    }

    #[test]
    fn the_budget_grows_with_the_text() {
        assert_eq!([0, 15, 16, 16_000].map(allowed_calls), [2_500, 2_500, 2_501, 3_500]);
        assert_eq!(
            [0, 1, 1 << 20].map(|len| readable(len, MAX_READS)),
            [8 << 20, (8 << 20) + 64, (8 << 20) + (64 << 20)]
        );
    }

    #[test]
    fn pieces_are_short_and_end_between_letters() {
        let text = format!("{}é{}", "x".repeat(1023), "y".repeat(2000));
        let bytes = text.as_bytes();
        for (at, len) in [(0, 1023), (1, 1024), (1023, 1024), (3000, 25), (3025, 0), (9000, 0)] {
            assert_eq!(piece(bytes, at).len(), len, "at {at}");
        }
    }
}
