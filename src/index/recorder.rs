//! From one file's bytes to its record: the pure middle of indexing, used for commits and for the work tree.

use bstr::{BStr, ByteSlice};

use super::chunk::{self, Language};
use super::record::{self, FileRecord, IndexedFile};
use super::source::{self, Decision, SkipReason};
use crate::base::id::ObjectId;
use crate::git::{Blob, FileAttributes, Repository, TreeEntry};

use super::{IndexOptions, Result};

/// Makes records under fixed options.
#[derive(Debug, Clone)]
pub struct Recorder {
    options: IndexOptions,
}

/// What the bytes of a file became, and what was done for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Files that were chunked or found to be skipped.
    pub n_files: u64,
    /// Of these, files that were skipped.
    pub n_skipped: u64,
    /// Bytes of source that were chunked.
    pub source_bytes: u64,
    /// Chunks made.
    pub n_chunks: u64,
}

impl Work {
    /// Adds what another piece of work did.
    pub fn add(&mut self, other: Work) {
        self.n_files += other.n_files;
        self.n_skipped += other.n_skipped;
        self.source_bytes += other.source_bytes;
        self.n_chunks += other.n_chunks;
    }

    /// The work that a record stands for.
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
    /// A recorder with these options.
    pub fn new(options: IndexOptions) -> Self {
        Self { options }
    }

    /// Most bytes that are read of one file.
    pub fn max_file_bytes(&self) -> u64 {
        self.options.limits.max_file_bytes
    }

    /// The language that a file is indexed as.
    pub fn language(path: &BStr, bytes: &[u8], attributes: &FileAttributes) -> Language {
        attributes
            .language
            .as_deref()
            .and_then(|name| Language::from_name(&name.to_ascii_lowercase()))
            .unwrap_or_else(|| Language::detect(path, bytes))
    }

    /// The record of an entry of a source tree.
    ///
    /// # Errors
    /// [`super::Error::Repo`] if Git can't be asked; a blob that can't be read is a skip reason.
    pub fn record_entry(
        &self,
        repo: &Repository,
        entry: &TreeEntry,
        attributes: &FileAttributes,
    ) -> Result<FileRecord> {
        let path = file_name(entry.path.as_bstr());
        if let Some(reason) = source::classify_entry(path, entry.mode, attributes) {
            return Ok(FileRecord::Skipped(reason));
        }
        let content = repo.blob(entry.id, self.max_file_bytes())?;
        Ok(self.record(path, entry.id, &content, attributes))
    }

    /// The record of a file at `path` with this content, whose blob id is `id`.
    ///
    /// Of the path, only the file's own name counts (for the language and for telling generated files), and
    /// what the attributes say of it.
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

/// A file's own name: all of its path that a record may depend on.
pub fn file_name(path: &BStr) -> &BStr {
    path.rsplit_once_str(b"/").map_or(path, |(_, name)| name.as_bstr())
}
