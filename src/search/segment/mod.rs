//! Segments: the records of one snapshot merged into one file that is mapped and searched without parsing.
//!
//! Owns the byte layout (`LAYOUT.md` beside this file), [`SegmentBuilder`] that writes it, [`Segment`] that
//! reads it, [`Neighbours`], a graph beside a segment, and [`Index`], what a query searches: a base segment, the set
//! of its files that are outdated, and an overlay segment with what replaces them. Base and overlay have one format;
//! the overlay is merely built in memory. Words: what a term is ([`terms`]) is decided here, records keep tokens as
//! written.
//!
//! **Invariants.** The bytes of a segment are a function of the files given, whatever the number of builders
//! that shared the work. A segment is a cache and never a source of truth: any damage is an
//! [`Error::Corrupt`] and the answer to it is to build it again. Reading any bytes ends in a value or an error,
//! never in a panic. Field lengths and document frequencies are whole numbers, so that the sums over
//! base ∖ outdated ∪ overlay are exact and a score does not depend on which base was at hand.
//!
//! Must not: read Git, know a work tree, rank.

mod build;
mod dictionary;
mod intern;
mod inverted;
mod layout;
mod mapped;
mod mentions;
mod merge;
mod neighbours;
mod open;
mod path_words;
mod pool;
mod postings;
mod reader;
mod rows;
mod subtokens;
pub mod terms;
mod vectors;
mod write;

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use crate::base::error::{Classified, ErrorKind};

#[cfg(test)]
pub(crate) use build::{DeclarationInput, FileInput};
pub use build::{Embedding, SegmentBuilder};
pub(crate) use mapped::Bytes;
pub use mentions::Mention;
pub use neighbours::{Neighbours, build_neighbours};
pub use open::Segment;
pub(crate) use postings::{Counts, RawPosting};
pub use postings::{Field, N_FIELDS, Posting, Postings};
pub use reader::{ChunkRef, DeclarationView, FileView, Index, LanguageCount, Part, SkippedFile, Statistics};
pub(crate) use rows::LENGTHS_BYTES;
pub use rows::{ChunkRow, DeclarationRow, FileFlags, FileRow};
pub use subtokens::SubToken;
pub use vectors::VectorSums;

/// Version of a segment's bytes and of the meaning of its terms and vectors. A reader refuses any other, and since a
/// segment can always be rebuilt, there is no need to read an old one.
pub const SEGMENT_VERSION: u32 = 7;

/// What this stage returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a segment can't be built or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file system failed.
    #[error("can't access segment '{}'", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The bytes are no segment, or a damaged one.
    #[error("corrupt segment: {section} {why}")]
    Corrupt {
        /// The section, or `header`.
        section: &'static str,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The segment has another version.
    #[error("segment has version {found}, this program reads version {expected}")]
    Version {
        /// The version found.
        found: u32,
        /// The version expected.
        expected: u32,
    },
    /// More than the format can hold.
    #[error("too many {what} for one segment")]
    Limit {
        /// What there is too much of.
        what: &'static str,
    },
    /// A record is damaged. The chunks before the damage are in the builder, which can be used on.
    #[error(transparent)]
    Record(#[from] crate::index::record::Error),
    /// Files must be added in bytewise order of their paths, each once.
    #[error("path '{path}' is out of order")]
    Order {
        /// The path that came too late.
        path: String,
    },
}

impl Classified for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Io { .. } => ErrorKind::Git,
            Self::Corrupt { .. } => ErrorKind::Corrupt,
            Self::Version { .. } => ErrorKind::Unsupported,
            Self::Limit { .. } => ErrorKind::Limit,
            Self::Record(error) => error.kind(),
            Self::Order { .. } => ErrorKind::Internal,
        }
    }
}

/// A count or position as the 32 bits that the format has for it.
fn narrow(n: usize, what: &'static str) -> Result<u32> {
    u32::try_from(n).map_err(|_| Error::Limit { what })
}
