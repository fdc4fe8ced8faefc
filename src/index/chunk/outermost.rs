//! Functions at the top level of a text that a grammar cannot read as a whole.

use super::ByteRange;

/// A function at the top level that is found without a parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outermost {
    /// All of it, with the comment above.
    pub(super) bytes: ByteRange,
    /// Its head, with the brace behind it.
    pub(super) head: ByteRange,
    /// Its name.
    pub(super) name: ByteRange,
}
