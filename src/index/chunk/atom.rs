//! Atoms: what the cutter joins.
//!
//! An **atom** is a node that fits into one chunk or has no children, inside a node that is too
//! large. The cutter cuts between atoms, in order.

use super::ByteRange;

/// The role of an atom for the cutter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtomKind {
    Comment,
    Head,
    /// The first lines of an entry of a document, such as an option.
    Entry,
    Other,
}

/// A node that the cutter can cut before and after.
#[derive(Debug, Clone, Copy)]
pub(super) struct Atom {
    pub(super) bytes: ByteRange,
    pub(super) depth: u32,
    pub(super) kind: AtomKind,
}
