//! Definitions of Lisp, before they are declared.

use super::dialect::Define;
use crate::index::chunk::DeclarationKind;

/// A definition, as its list says it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Definition {
    pub(super) define: Define,
    /// The form that is the name.
    pub(super) name: usize,
    /// The list that the name is in, if it is: `(define (f x) …)`.
    pub(super) head: Option<usize>,
}

/// A definition that others can be in.
#[derive(Debug, Clone, Copy)]
pub(super) struct OuterDefinition {
    /// The first form behind it.
    pub(super) end: usize,
    pub(super) declaration: u32,
    pub(super) kind: DeclarationKind,
}
