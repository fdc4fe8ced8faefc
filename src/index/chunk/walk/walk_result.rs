//! What a walk over a text finds.

use super::mention::Mention;
use super::uses::Leaf;
use crate::index::chunk::atom::Atom;
use crate::index::chunk::strings::Literal;
use crate::index::chunk::types::{Bound, TypeParameters};
use crate::index::chunk::{ByteRange, Declaration};

/// The result of a walk.
#[derive(Debug, Default)]
pub(in crate::index::chunk) struct WalkResult<'t> {
    pub(in crate::index::chunk) declarations: Vec<Declaration>,
    pub(in crate::index::chunk) mentions: Vec<Mention<'t>>,
    pub(in crate::index::chunk) comments: Vec<ByteRange>,
    pub(in crate::index::chunk) atoms: Vec<Atom>,
    pub(in crate::index::chunk) bound: Vec<Bound<'t>>,
    /// Type parameters (`T`).
    pub(in crate::index::chunk) parameters: TypeParameters<'t>,
    /// Leaves that may name values.
    pub(in crate::index::chunk) leaves: Vec<Leaf<'t>>,
    /// Strings that may hold another language.
    pub(in crate::index::chunk) strings: Vec<Literal>,
    /// As in [`crate::index::chunk::ChunkedFile`].
    pub(in crate::index::chunk) errors: Option<Vec<ByteRange>>,
}
