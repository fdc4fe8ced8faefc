//! What a walk over a text finds.

use super::atom::Atom;
use super::mention::Mention;
use super::strings::Literal;
use super::types::Bound;
use super::uses::Leaf;
use super::{ByteRange, Declaration};
use std::collections::HashSet;

/// The result of a walk.
#[derive(Debug, Default)]
pub(super) struct WalkResult<'t> {
    pub(super) declarations: Vec<Declaration>,
    pub(super) mentions: Vec<Mention<'t>>,
    pub(super) comments: Vec<ByteRange>,
    pub(super) atoms: Vec<Atom>,
    pub(super) bound: Vec<Bound<'t>>,
    /// The names of type parameters (`T`).
    pub(super) parameters: HashSet<&'t str>,
    /// Leaves that may name values.
    pub(super) leaves: Vec<Leaf<'t>>,
    /// Strings that may hold another language.
    pub(super) strings: Vec<Literal>,
}
