//! Regions of a tree in which names are references: the part of a table that says what they mean.

use super::ReferenceKind;

/// The meaning of names in a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// References of this kind.
    Refers(ReferenceKind),
    /// No references, although an outer region says otherwise.
    Nothing,
    /// Type arguments: names are types inside another region, and nothing elsewhere.
    Arguments,
    /// Unparsed tokens: a name directly before `(` is a call.
    Tokens,
}

/// A node kind in which names are references.
#[derive(Debug, Clone, Copy)]
pub struct Region {
    /// The node kind.
    pub node: &'static str,
    /// The meaning of the names.
    pub meaning: Meaning,
    /// Words, one of which the node must begin with; if empty, any will do.
    pub words: &'static [&'static str],
    /// Step to the child that is the region; if empty, it is the node itself.
    pub at: &'static str,
    /// Step to a child of type arguments that they are given to; if empty, it is outside of the
    /// node.
    pub except: &'static str,
}

impl Region {
    /// Returns a region.
    pub const fn new(node: &'static str, meaning: Meaning) -> Self {
        Self { node, meaning, words: &[], at: "", except: "" }
    }

    /// Requires the node to begin with one of these words.
    pub const fn words(mut self, words: &'static [&'static str]) -> Self {
        self.words = words;
        self
    }

    /// Leaves a child of the node in the region around it.
    pub const fn except(mut self, step: &'static str) -> Self {
        self.except = step;
        self
    }

    /// Restricts the region to a child.
    pub const fn at(mut self, step: &'static str) -> Self {
        self.at = step;
        self
    }
}
