//! Records: what is stored for one source file, types ↔ bytes.
//!
//! Owns [`FileRecord`], its byte format (`FORMAT.md` beside this file), the two versions, and the manifest of an
//! index. A record is a pure function of the file's bytes, its language and the chunk options: no path, no
//! clock, no machine is in it. No source text is stored, only its words: what is shown is always read from the
//! source blob, so that a received record can misrank but never put words into a result.
//!
//! **Invariants.** [`encode`] is deterministic. Decoding any bytes ends in a value or an error, never in a
//! panic, and allocates no more than the bounds in [`limits`] allow, however the bytes lie.
//!
//! A record keeps *tokens* as written (`parseHttpHeader`), not index terms: splitting, lower case and stemming
//! are the segment's business, so that a better splitter needs no new records.

mod build;
mod bytes;
mod decode;
mod encode;
mod frame;
pub mod limits;
mod manifest;
#[cfg(test)]
mod tests;

use super::chunk::{Chunk, Declaration, Method, Reference};
use super::source::SkipReason;
use crate::base::error::{Classified, ErrorKind};
use crate::base::id::ObjectId;

pub use build::{build, tokens};
pub use decode::{
    ChunkView, DeclarationRef, KeywordRef, Opened, RecordView, ReferenceRef, Scratch, chunk_kind_from_code,
    declaration_kind_from_code, decode, reference_kind_from_code,
};
pub use encode::{encode, keyword_payloads};
pub use manifest::{Manifest, ManifestState};

/// Version of the bytes of a record and of the manifest. A reader refuses any other.
pub const FORMAT_VERSION: u8 = 1;

/// Version of the meaning: the tokenizer, the chunker with its grammars, the compressor, the model. Raised
/// whenever the same source would give other bytes; an index of an older one counts as not indexed.
pub const CONTENT_VERSION: u16 = 1;

/// What is stored for one path of the source tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileRecord {
    /// The file is not indexed, for this reason.
    Skipped(SkipReason),
    /// The file is indexed.
    Indexed(IndexedFile),
}

/// The record of an indexed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedFile {
    /// The source blob that it was made from.
    pub blob: ObjectId,
    /// The language's name, as `chunk::Language::name` gives it.
    pub language: String,
    /// How the file was cut.
    pub method: Method,
    /// Size of the source text in bytes, after decoding to UTF-8.
    pub source_bytes: u32,
    /// Number of lines.
    pub n_lines: u32,
    /// Declarations, outer before inner, in order of their start.
    pub declarations: Vec<Declaration>,
    /// Chunks, in order.
    pub chunks: Vec<Chunk>,
    /// The keywords of each chunk, `[n_chunks]`, each list sorted by token bytes.
    pub keywords: Vec<Vec<Keyword>>,
    /// References, by chunk.
    pub references: Vec<Reference>,
}

/// A token of a chunk, with how often it occurs in each part. Counts saturate at the bounds given, which lie
/// where BM25 has long stopped to care.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyword {
    /// The token as written: a run of letters, digits, `_` (no white space, at most [`limits::TOKEN_BYTES`]).
    pub token: String,
    /// Occurrences in comments and docstrings, 0–7.
    pub doc: u8,
    /// Occurrences in the signatures of declarations, 0–1.
    pub signature: u8,
    /// Occurrences anywhere else, 0–15.
    pub body: u8,
}

/// Why bytes are no record or manifest of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes break the format.
    #[error("corrupt {what} at byte {offset}: {why}")]
    Corrupt {
        /// `record` or `manifest`.
        what: &'static str,
        /// Where, in bytes from the start.
        offset: usize,
        /// What was expected there.
        why: &'static str,
    },
    /// The bytes are of a format that this version doesn't know.
    #[error("{what} has format {found}, this version reads format {expected}")]
    Version {
        /// `record` or `manifest`.
        what: &'static str,
        /// The version found.
        found: u32,
        /// The version expected.
        expected: u32,
    },
    /// A bound of the format is passed.
    #[error("{what} has {found} {unit}, more than the {bound} allowed")]
    Limit {
        /// `record` or `manifest`.
        what: &'static str,
        /// What is counted.
        unit: &'static str,
        /// How many there are.
        found: u64,
        /// How many there may be.
        bound: u64,
    },
}

impl Classified for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Corrupt { .. } => ErrorKind::Corrupt,
            Self::Version { .. } => ErrorKind::Unsupported,
            Self::Limit { .. } => ErrorKind::Limit,
        }
    }
}

/// The format document. Its reader in Rust runs as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("FORMAT.md")]
struct Format;
