//! A text of some language, and the declarations in it.

use crate::index::chunk::{ByteRange, DeclarationKind};

/// A text of some language.
#[derive(Debug, Clone, Copy)]
pub(in crate::answer) struct SourceText<'t> {
    pub(in crate::answer) language: &'t str,
    /// The path of its file.
    pub(in crate::answer) path: &'t str,
    pub(in crate::answer) text: &'t str,
}

/// A declaration in its text.
#[derive(Debug, Clone, Copy)]
pub(in crate::answer) struct DeclarationText<'t> {
    pub(in crate::answer) name: &'t str,
    /// The type or namespace that it belongs to without being nested in it.
    pub(in crate::answer) scope: &'t str,
    pub(in crate::answer) kind: DeclarationKind,
    /// The ordinal of the declaration around it, which comes before it.
    pub(in crate::answer) parent: Option<u32>,
    pub(in crate::answer) whole: ByteRange,
    pub(in crate::answer) signature: ByteRange,
}
