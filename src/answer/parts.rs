//! The parts of a declaration that can change by themselves: a text and ranges → a signature and
//! hashes.
//!
//! Owns [`DeclarationParts`]. Lines are compared without surrounding blanks. In languages where
//! indentation has meaning, a line's depth counts: the number of less indented lines that it is
//! under. A nested declaration does not belong to the one around it.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::history::HistoryChange;
use crate::index::chunk::ByteRange;

/// What a declaration consists of, without anything that is only layout.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct DeclarationParts {
    /// The signature on one line.
    pub(super) signature: String,
    body: u64,
    doc: u64,
    /// Decorators, attributes, annotations.
    rest: u64,
}

impl DeclarationParts {
    /// Reads the parts of a declaration. The ranges are its signature, its body and its doc
    /// comment; `inside` are the declarations in it, in order.
    pub(super) fn of(
        text: &str,
        whole: ByteRange,
        [signature, body, doc]: [ByteRange; 3],
        inside: &[ByteRange],
        has_layout: bool,
    ) -> Self {
        Self {
            signature: signature.of(text).split_whitespace().collect::<Vec<_>>().join(" "),
            body: hash(text, outside(body, inside, &[doc]), has_layout).0,
            doc: hash(text, [doc], false).0,
            rest: hash(text, outside(whole, inside, &[signature, body, doc]), false).0,
        }
    }

    /// Returns which parts differ from an older version, of which a name is left out of the
    /// signatures.
    pub(super) fn differences(&self, old: &Self, [name, old_name]: [&str; 2]) -> Vec<HistoryChange> {
        let mut changes = Vec::new();
        let mut add = |differs: bool, change: HistoryChange| {
            if differs {
                changes.push(change);
            }
        };
        add(
            self.signature.replacen(name, "", 1) != old.signature.replacen(old_name, "", 1),
            HistoryChange::Signature,
        );
        add(self.body != old.body, HistoryChange::Body);
        add(self.doc != old.doc, HistoryChange::Documentation);
        add(self.rest != old.rest, HistoryChange::Annotations);
        changes
    }
}

/// The parts of a range that lie outside of the declarations in it and of other ranges.
pub(super) fn outside(all: ByteRange, inside: &[ByteRange], others: &[ByteRange]) -> Vec<ByteRange> {
    let mut others = [inside, others].concat();
    others.retain(|one| !one.is_empty());
    others.sort_unstable();
    pieces(all, &others)
}

/// The parts of a range that lie outside of the ranges in it.
pub(super) fn pieces(all: ByteRange, inside: &[ByteRange]) -> Vec<ByteRange> {
    let mut from = all.start;
    let mut pieces = Vec::new();
    for one in inside {
        pieces.push(ByteRange { start: from, end: one.start.max(from) });
        from = from.max(one.end);
    }
    pieces.push(ByteRange { start: from, end: all.end.max(from) });
    pieces
}

/// A hash of the non-blank lines, without surrounding blanks but, with layout, with their depth;
/// and the number of bytes hashed.
pub(super) fn hash(text: &str, parts: impl IntoIterator<Item = ByteRange>, has_layout: bool) -> (u64, usize) {
    let mut hasher = DefaultHasher::new();
    let mut len = 0;
    let mut depth = Depth::default();
    for part in parts {
        let mut from = part.start as usize;
        for whole in part.of(text).split_inclusive('\n') {
            let (at, line) = (from, whole.trim());
            from += whole.len();
            if line.is_empty() {
                continue;
            }
            if has_layout {
                depth.of(column(text, at + whole.len() - whole.trim_start().len())).hash(&mut hasher);
            }
            line.hash(&mut hasher);
            len += line.len();
        }
    }
    (hasher.finish(), len)
}

/// Columns between tab stops, as in Python and Haskell.
const TAB: usize = 8;

/// The column of a place in a text, from 0.
fn column(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.chars().fold(0, |column, c| if c == '\t' { (column / TAB + 1) * TAB } else { column + 1 })
}

/// The columns of the lines that a line is under, each deeper than the one before.
#[derive(Debug, Default)]
struct Depth(Vec<usize>);

impl Depth {
    /// The number of lines that a line at this column is under.
    fn of(&mut self, column: usize) -> usize {
        while self.0.pop_if(|last| *last >= column).is_some() {}
        self.0.push(column);
        self.0.len() - 1
    }
}
