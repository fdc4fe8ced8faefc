//! The fields of a chunk: in each, a term has a frequency of its own.

/// A field of a chunk. The discriminant is a bit number in stored postings and is never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Field {
    /// Names of the declarations that begin in the chunk.
    Symbol = 0,
    /// Signatures of those declarations.
    Signature = 1,
    /// Comments and docstrings.
    Doc = 2,
    /// Everything else in the chunk.
    Body = 3,
    /// Names of the declarations around the chunk.
    Scope = 4,
    /// The file's name without its extension.
    Stem = 5,
    /// Names of the directories that contain the file.
    Directory = 6,
}

/// Number of fields.
pub const N_FIELDS: usize = 7;

impl Field {
    /// All fields, in order of their numbers.
    pub const ALL: [Self; N_FIELDS] =
        [Self::Symbol, Self::Signature, Self::Doc, Self::Body, Self::Scope, Self::Stem, Self::Directory];

    /// Returns the field's bit in [`super::Posting::fields`].
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Returns the field's name, for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Symbol => "symbol",
            Self::Signature => "signature",
            Self::Doc => "doc",
            Self::Body => "body",
            Self::Scope => "scope",
            Self::Stem => "stem",
            Self::Directory => "directory",
        }
    }
}
