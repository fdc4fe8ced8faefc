//! Records: the stored data of one source file, types ↔ bytes.
//!
//! Owns [`FileRecord`], its byte format (`FORMAT.md` next to this file), the two versions, and the
//! manifest of an index. A record is a pure function of the file's bytes, its language and the
//! chunk options. It holds no path, no time and nothing of the machine. It holds words but no
//! source text: snippets are always read from the source blob. A received record can misrank; its
//! names are compared with the source (`index::check`) before they are shown.
//!
//! **Invariants.** `encode` is deterministic. Decoding any bytes gives a value or an error, never
//! a panic. It allocates no more than the bounds in [`limits`] allow, whatever the bytes are.
//!
//! A record keeps *tokens* as written (`parseHttpHeader`), not index terms. The segment splits,
//! lower-cases and stems them, so that a better splitter needs no new records.

mod build;
mod by_chunk;
mod bytes;
mod codes;
mod common;
mod decode;
mod dictionary;
mod encode;
mod keywords;
pub mod limits;
mod manifest;
mod references;
mod set_writer;
mod sketch;
#[cfg(test)]
mod tests;

use super::chunk::{Chunk, Declaration, Method, Reference};
use super::source::SkipReason;
use crate::base::error::{ClassifiedError, ErrorKind};
use crate::base::id::ObjectId;

pub use build::{build, tokens};
pub use codes::{chunk_kind_from_code, declaration_kind_from_code, reference_kind_from_code};
pub use common::is_common_word;
pub use decode::{
    ChunkView, DeclarationRef, KeywordRef, OpenRecord, RecordView, ReferenceRef, Scratch, decode,
};
pub use encode::encode;
pub use manifest::{Manifest, ManifestState};

/// Version of the byte layout of records and manifests. A reader refuses any other.
pub const FORMAT_VERSION: u8 = 1;

/// Version of the content: the tokenizer, the chunker with its grammars, the embedding model.
/// It is raised whenever the same source gives other bytes. An index of an older version counts as
/// not indexed.
pub const CONTENT_VERSION: u16 = 29;

/// The stored data of one path of the source tree.
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
    /// The source blob.
    pub blob: ObjectId,
    /// The language's name, as returned by `chunk::Language::name`.
    pub language: String,
    /// The way the file was chunked.
    pub method: Method,
    /// Size of the source text in bytes, after decoding to UTF-8.
    pub source_bytes: u32,
    /// Number of lines.
    pub n_lines: u32,
    /// Declarations by start, outer before inner.
    pub declarations: Vec<Declaration>,
    /// Chunks in order of their start.
    pub chunks: Vec<Chunk>,
    /// The keywords of each chunk, `[n_chunks]`, each list sorted by token bytes.
    pub keywords: Vec<Vec<Keyword>>,
    /// References, sorted by chunk, then by kind and name, each once.
    pub references: Vec<Reference>,
}

/// A token of a chunk, with its number of occurrences in each part.
///
/// Counts saturate at the given bounds. BM25 hardly changes above them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyword {
    /// The token as written: a run of letters, digits and `_`, at most [`limits::TOKEN_BYTES`]
    /// bytes.
    pub token: String,
    /// Number of occurrences in comments and docstrings, 0–7.
    pub doc: u8,
    /// Number of occurrences in the signatures of declarations, 0–1.
    pub signature: u8,
    /// Number of occurrences elsewhere, 0–15.
    pub body: u8,
}

/// The reason why bytes are not a valid record or manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes break the format.
    #[error("corrupt {what} at byte {offset}: {why}")]
    Corrupt {
        /// `record` or `manifest`.
        what: &'static str,
        /// Offset in bytes from the start.
        offset: usize,
        /// A description of the violation.
        why: &'static str,
    },
    /// The bytes are of a format that this version can't read.
    #[error("{what} has format {found}, this version reads format {expected}")]
    Version {
        /// `record` or `manifest`.
        what: &'static str,
        /// The version found.
        found: u32,
        /// The version expected.
        expected: u32,
    },
    /// A bound of the format is exceeded.
    #[error("{what} has {found} {unit}, more than the {bound} allowed")]
    Limit {
        /// `record` or `manifest`.
        what: &'static str,
        /// The unit that is counted.
        unit: &'static str,
        /// The number found.
        found: u64,
        /// The largest number allowed.
        bound: u64,
    },
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Corrupt { .. } => ErrorKind::Corrupt,
            Self::Version { .. } => ErrorKind::Unsupported,
            Self::Limit { .. } => ErrorKind::Limit,
        }
    }
}

/// The format document. The reader in it runs as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("FORMAT.md")]
struct Format;
