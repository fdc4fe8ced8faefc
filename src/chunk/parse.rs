//! The parsers: one a thread and language, with a budget that is the same on every machine.
//!
//! Some inputs never finish (nested templates or generics). The parser calls back every hundred operations or
//! so, and after a number of calls that grows with the text it's stopped. Counting calls, not milliseconds,
//! keeps the answer a function of the text alone, which the records' identity needs.

use super::Language;
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// A text above this many bytes is not parsed: a tree takes about 180 bytes a byte of source.
pub const MAX_PARSE_BYTES: usize = 1 << 20;

/// A line above this many bytes is one that nobody wrote by hand.
const LONG_LINE: usize = 5000;

/// Calls that any text may take.
const MIN_CALLS: usize = 4_000;

/// Real code of eight languages takes one call for 115 to 225 bytes on average, the densest of 4,000 files one
/// for 34.
const BYTES_PER_CALL: usize = 16;

thread_local! {
    static PARSERS: RefCell<Vec<(Language, Parser)>> = const { RefCell::new(Vec::new()) };
}

/// Whether the text is worth parsing: not too large, and not minified (more than half of it in very long lines).
pub(super) fn is_parseable(text: &str) -> bool {
    if text.len() > MAX_PARSE_BYTES {
        return false;
    }
    let long: usize = text.split('\n').map(str::len).filter(|&len| len > LONG_LINE).sum();
    long * 2 <= text.len()
}

/// Parses; `None` without a grammar, or when the budget is spent.
pub(super) fn parse(language: Language, text: &str) -> Option<Tree> {
    let resolved = language.resolved()?;
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
        let mut calls = MIN_CALLS + text.len() / BYTES_PER_CALL;
        let mut progress = |_: &ParseState| match calls.checked_sub(1) {
            Some(rest) => {
                calls = rest;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        };
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut bytes = Cow::Borrowed(text.as_bytes());
        if resolved.table.ascii && !text.is_ascii() {
            bytes = text.bytes().map(|byte| if byte.is_ascii() { byte } else { b'x' }).collect();
        }
        let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        if tree.is_none() {
            // Otherwise the next parse would go on where this one stopped.
            parser.reset();
        }
        tree
    })
}
