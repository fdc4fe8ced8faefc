//! The parsers: one a thread and language, with a budget that is the same on every machine.
//!
//! Some inputs never finish (nested templates or generics). The parser calls back every hundred operations or
//! so, and after a number of calls that grows with how far it has come it's stopped. Others are read over and over: at each
//! `/*` that nothing closes, the lexer looks through the rest of the file. So the lexer gets the text in pieces,
//! and after a number of bytes it's stopped too. Counting calls and bytes, not milliseconds, keeps the answer a
//! function of the text alone, which the records' identity needs.

use super::Language;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// A text above this many bytes is not parsed: a tree takes about 180 bytes a byte of source.
pub const MAX_PARSE_BYTES: usize = 1 << 20;

/// A line above this many bytes is one that nobody wrote by hand.
const LONG_LINE: usize = 5000;

/// Calls that any text may take; half a second is the most that many have been seen to take.
const MIN_CALLS: usize = 2_500;

/// Real code of 30 languages takes one call for 78 to 312 bytes on average, the densest of 8,000 files one for 26;
/// a list of one-digit numbers one for 6 to 33.
const BYTES_PER_CALL: usize = 16;

/// Bytes that the lexer gets at a time.
const PIECE: usize = 1024;

/// Bytes that the lexer may read in any text; as long as some 30 ms take.
const MIN_READ: usize = 8 << 20;

/// How often the lexer may read a large text: real code is read once to twice on average, that of the greediest of
/// 8,000 files 56 times.
const MAX_READS: usize = 64;

thread_local! {
    static PARSERS: RefCell<Vec<(Language, Parser)>> = const { RefCell::new(Vec::new()) };
}

/// Texts below this many bytes may be as repetitive as they like.
const MIN_REPETITIVE: usize = 2 << 10;

/// Bytes of a run that is looked for elsewhere in the text.
const RUN_BYTES: usize = 8;

/// A text with fewer different runs than one in so many of its bytes is a pattern that is repeated, not code. The
/// most repetitive of 20,772 files of nineteen repositories, a generated test of 356 kB in C#, has one in 86.
const REPETITIONS: usize = 256;

/// Whether the text is worth parsing: not too large, not minified (more than half of it in very long lines), and no
/// short pattern over and over. Parsers keep all readings of such a pattern, and compare them at the end of the
/// text without calling back: a few kilobytes can take minutes.
pub(super) fn is_parseable(text: &str) -> bool {
    if text.len() > MAX_PARSE_BYTES {
        return false;
    }
    let long: usize = text.split('\n').map(str::len).filter(|&len| len > LONG_LINE).sum();
    long * 2 <= text.len() && !is_repetitive(text.as_bytes())
}

/// Whether the text is made of few different runs of bytes, counted by their hashes.
fn is_repetitive(text: &[u8]) -> bool {
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

/// Parses; `None` without a grammar, where its scanner can't take the text, or when the budget is spent.
pub(super) fn parse(language: Language, text: &str) -> Option<Tree> {
    let resolved = language.resolved().filter(|resolved| (resolved.table.fits)(text))?;
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
        let mut calls = 0;
        let unread = Cell::new(MIN_READ + text.len() * MAX_READS);
        let ended = Cell::new(false);
        let mut progress = |state: &ParseState| {
            calls += 1;
            let is_within =
                calls <= MIN_CALLS + state.current_byte_offset() / BYTES_PER_CALL && unread.get() > 0;
            if is_within { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut bytes = Cow::Borrowed(text.as_bytes());
        if resolved.table.ascii && !text.is_ascii() {
            bytes = text.bytes().map(|byte| if byte.is_ascii() { byte } else { b'x' }).collect();
        }
        let mut read = |at: usize, _| {
            // Once the budget is spent the text seems to end here, with a line: scanners look for one or the other.
            let piece = match unread.get() {
                0 if ended.replace(true) => &[][..],
                0 => b"\n",
                _ => piece(&bytes, at),
            };
            unread.set(unread.get().saturating_sub(piece.len()));
            piece
        };
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        let tree = tree.filter(|_| unread.get() > 0);
        if tree.is_none() {
            // Otherwise the next parse would go on where this one stopped.
            parser.reset();
        }
        tree
    })
}

/// The bytes at `at` that the lexer gets at once. They end where a character does: it takes no other end well.
fn piece(bytes: &[u8], at: usize) -> &[u8] {
    let mut end = bytes.len().min(at.saturating_add(PIECE));
    while end > at && bytes.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) {
        end -= 1;
    }
    bytes.get(at..end).unwrap_or_default()
}
