//! Segments: the records of one snapshot, merged into one file that is mapped and searched without
//! parsing.
//!
//! This part owns:
//! - the byte layout (`LAYOUT.md` next to this file), [`SegmentBuilder`], which writes it, and
//!   [`Segment`], which reads it;
//! - [`Neighbours`], a graph of similar chunks, stored alongside a segment;
//! - [`Index`], which a query searches: a base segment, the set of its outdated files, and an
//!   overlay segment with their replacements. Base and overlay have the same format; the overlay is
//!   only built in memory;
//! - the definition of a term ([`terms`]). Records keep tokens as written.
//!
//! **Invariants.** The bytes of a segment depend on the files alone, whatever the number of
//! builders that shared the work. A segment is a cache and never a source of truth: any damage is
//! an [`Error::Corrupt`], and the segment is rebuilt. Reading any bytes ends in a value or
//! an error, never in a panic. Field lengths and document frequencies are whole numbers. Sums over
//! base ∖ outdated ∪ overlay are therefore exact, and a score does not depend on the base at hand.
//!
//! Must not: read Git, know a work tree, rank.

mod add_file;
mod build;
mod component;
mod dictionary;
mod field;
mod frequencies;
mod intern;
mod inverted;
mod layout;
mod mapped;
mod mentions;
mod neighbours;
mod open;
mod part;
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

use crate::base::error::{ClassifiedError, ErrorKind};

pub use build::SegmentBuilder;
pub(crate) use component::{component_name, hyphenated_tags, is_component_language};
pub use field::{Field, N_FIELDS};
pub(crate) use mapped::Bytes;
pub use mentions::Mention;
pub use neighbours::{Neighbours, build_neighbours};
pub use open::Segment;
pub use part::Embedding;
#[cfg(test)]
pub(crate) use part::{DeclarationInput, FileInput};
pub(crate) use path_words::flags as path_flags;
pub(crate) use postings::{Counts, RawPosting};
pub use postings::{Posting, Postings};
pub use reader::{ChunkRef, DeclarationView, FileView, Index, LanguageCount, Part, SkippedFile, Statistics};
pub(crate) use rows::LENGTHS_BYTES;
pub use rows::{ChunkRow, DeclarationRow, FileFlags, FileRow};
pub use subtokens::SubToken;
pub use vectors::VectorSums;

/// Version of a segment's bytes and of the meaning of its terms and vectors.
///
/// A reader refuses any other version. It never needs to read an old one, since a segment can
/// always be rebuilt.
pub const SEGMENT_VERSION: u32 = 11;

/// The result type of this part.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a segment can't be built or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file system failed.
    #[error("can't access segment '{}'", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        source: std::io::Error,
    },
    /// The bytes are not a segment, or are a damaged one.
    #[error("corrupt segment: {section} {why}")]
    Corrupt {
        /// The section, or `header`.
        section: &'static str,
        /// The damage.
        why: &'static str,
    },
    /// The segment has another version.
    #[error("segment has version {found}; this program reads version {expected}")]
    Version {
        /// The version found.
        found: u32,
        /// The version expected.
        expected: u32,
    },
    /// The content exceeds what the format can hold.
    #[error("too many {what} for one segment")]
    Limit {
        /// The kind of content that there is too much of.
        what: &'static str,
    },
    /// A record is damaged. The builder has the chunks before the damage and stays usable.
    #[error(transparent)]
    Record(#[from] crate::index::record::Error),
    /// Files must be added in bytewise order of their paths, each once.
    #[error("path '{path}' is out of order")]
    Order {
        /// The path that came too late.
        path: String,
    },
}

impl ClassifiedError for Error {
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

/// Converts a count or position to the 32 bits that the format has for it.
fn narrow(n: usize, what: &'static str) -> Result<u32> {
    u32::try_from(n).map_err(|_| Error::Limit { what })
}
