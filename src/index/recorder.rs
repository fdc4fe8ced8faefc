//! One file's bytes → its record.
//!
//! Owns [`Recorder`] and [`Work`]. This is the pure part of indexing, used for commits and for the
//! work tree. A record depends on the file's bytes, its own name, its attributes and the options,
//! and on nothing else. So a file that moves keeps its record.

use bstr::{BStr, ByteSlice};

use super::chunk::{self, Language};
use super::record::{self, FileRecord, IndexedFile};
use super::source::{self, Decision, SkipReason};
use crate::base::id::ObjectId;
use crate::base::text::path;
use crate::git::{Blob, FileAttributes, Repository, TreeEntry};

use super::{IndexOptions, Result};

/// The maker of records, with fixed options.
#[derive(Debug, Clone)]
pub struct Recorder {
    options: IndexOptions,
}

/// The amount of work done for files, and its results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Work {
    /// Number of files that were chunked or skipped.
    pub n_files: u64,
    /// Number of these files that were skipped.
    pub n_skipped: u64,
    /// Bytes of source text that were chunked.
    pub source_bytes: u64,
    /// Number of chunks made.
    pub n_chunks: u64,
}

impl Work {
    /// Adds the numbers of `other`.
    pub fn add(&mut self, other: Work) {
        self.n_files += other.n_files;
        self.n_skipped += other.n_skipped;
        self.source_bytes += other.source_bytes;
        self.n_chunks += other.n_chunks;
    }

    /// Returns the work behind one record.
    pub fn of(record: &FileRecord) -> Work {
        match record {
            FileRecord::Skipped(_) => Work { n_files: 1, n_skipped: 1, ..Work::default() },
            FileRecord::Indexed(file) => Work {
                n_files: 1,
                n_skipped: 0,
                source_bytes: file.source_bytes.into(),
                n_chunks: file.chunks.len() as u64,
            },
        }
    }
}

impl Recorder {
    /// Creates a recorder with these options.
    pub fn new(options: IndexOptions) -> Self {
        Self { options }
    }

    /// Returns the options that records are made with.
    pub(super) fn options(&self) -> &IndexOptions {
        &self.options
    }

    /// Returns the size in bytes above which a file is skipped.
    pub fn max_file_bytes(&self) -> u64 {
        self.options.limits.max_file_bytes
    }

    /// Returns the language that a file is indexed as: the one in its attributes, or the detected
    /// one.
    pub fn language(path: &BStr, bytes: &[u8], attributes: &FileAttributes) -> Language {
        attributes
            .language
            .as_deref()
            .and_then(|name| Language::from_name(&name.to_ascii_lowercase()))
            .unwrap_or_else(|| Language::detect(path, bytes))
    }

    /// Records one entry of a source tree.
    ///
    /// # Errors
    /// [`super::Error::Git`] if Git fails. A blob that can't be read is a skip reason, not an
    /// error.
    pub fn record_entry(
        &self,
        repo: &Repository,
        entry: &TreeEntry,
        attributes: &FileAttributes,
    ) -> Result<FileRecord> {
        // The only part of a path that a record may depend on.
        let path = path::name(entry.path.as_bstr());
        if let Some(reason) = source::classify_entry(path, entry.mode, attributes) {
            return Ok(FileRecord::Skipped(reason));
        }
        let content = repo.blob(entry.id, self.max_file_bytes())?;
        Ok(self.record(path, entry.id, &content, attributes))
    }

    /// Records a file at `path` with this content, whose blob id is `id`.
    ///
    /// Only the file's own name counts, not its directory. It decides the language and whether the
    /// file is generated.
    pub fn record(
        &self,
        path: &BStr,
        id: ObjectId,
        content: &Blob,
        attributes: &FileAttributes,
    ) -> FileRecord {
        let bytes = match content {
            Blob::Bytes(bytes) => bytes,
            Blob::TooLarge { .. } => return FileRecord::Skipped(SkipReason::TooLarge),
            Blob::Missing => return FileRecord::Skipped(SkipReason::Unreadable),
        };
        match source::classify(path, bytes, attributes, &self.options.limits) {
            Decision::Skip(reason) => FileRecord::Skipped(reason),
            Decision::Index => {
                let text = source::decode(bytes);
                FileRecord::Indexed(self.chunked(path, id, &text, attributes))
            }
        }
    }

    fn chunked(&self, path: &BStr, id: ObjectId, text: &str, attributes: &FileAttributes) -> IndexedFile {
        let language = Self::language(path, text.as_bytes(), attributes);
        let chunked = chunk::chunk(language, text, &self.options.chunk);
        record::build(id, language.name(), text, chunked)
    }
}
