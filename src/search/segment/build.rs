//! Builds a segment: takes files one by one and inverts them as they come.
//!
//! Owns [`SegmentBuilder`]. Each builder splits a token once and remembers its terms. Postings go
//! straight into compact growing lists: 100,000 chunks take some hundred megabytes, and the records
//! are read only once. To share the work, builders take neighbouring runs of the sorted file list
//! and are appended to each other in that order. `write` merges the parts, and the bytes do not
//! depend on how many there were.

use std::io::Cursor;
use std::path::Path;

use bstr::{BStr, ByteSlice};

use crate::base::new_file::NewFile;
use crate::base::sharing::Sharing;
use crate::base::tempfile::Pieces;
use crate::index::chunk::Chunk;
use crate::index::embed;

use super::field::Field;
use super::part::{DeclarationInput, Embedding, FileInput, KnownReference, Part, TOKEN_BYTES, slot};
use super::rows::FileFlags;
use super::{Error, Mention, Result, write};

/// A builder of a segment from the files of a snapshot.
///
/// Files are added in bytewise order of their paths, each once. Several builders may take
/// neighbouring runs of that order in parallel; [`SegmentBuilder::append`] joins them.
#[derive(Debug)]
pub struct SegmentBuilder {
    parts: Vec<Part>,
}

impl Default for SegmentBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl SegmentBuilder {
    /// Creates an empty builder.
    pub fn new() -> Self {
        Self::embedding(Embedding::Builtin)
    }

    /// Creates an empty builder whose chunks get their vectors in this way.
    pub fn embedding(embedding: Embedding) -> Self {
        Self { parts: vec![Part::new(embedding)] }
    }

    /// Adds a file that is in the snapshot but not indexed, with the code of the reason.
    ///
    /// # Errors
    /// [`Error::Order`], [`Error::Limit`].
    pub fn add_skipped(&mut self, path: &BStr, reason: u8) -> Result<()> {
        let part = self.part()?;
        part.begin_file(path, FileInput { language: "", n_lines: 0, source_bytes: 0 })?;
        if let Some(file) = part.files.last_mut() {
            file.flags.0 |= FileFlags::SKIPPED;
            file.skip_reason = reason;
        }
        Ok(())
    }

    /// Appends the files of a builder that continues this one's order of paths.
    ///
    /// # Errors
    /// [`Error::Order`] if its first path is not after this one's last.
    pub fn append(&mut self, later: Self) -> Result<()> {
        for part in later.parts {
            let last = self.parts.iter().rev().find_map(Part::last_path);
            if let (Some(last), Some(first)) = (last, part.first_path())
                && first <= last
            {
                return Err(Error::Order { path: first.to_str_lossy().into_owned() });
            }
            if !part.files.is_empty() {
                self.parts.push(part);
            }
        }
        Ok(())
    }

    /// Frees what only adding files needs, so that finished builders can wait for others. A further
    /// file takes the time to build it again.
    pub fn shrink(&mut self) {
        self.parts.iter_mut().for_each(Part::shrink);
    }

    /// Writes the segment to `out`, through a temporary file next to it and a rename; returns its
    /// size in bytes.
    ///
    /// `key` is an id of the text that the segment was made from. `sharing` adds permissions. The
    /// file is not synced to disk: a segment that a crash cuts short does not match its checksums
    /// and is rebuilt.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Limit`].
    pub fn finish(self, key: &str, out: &Path, sharing: Sharing) -> Result<u64> {
        let io = |source| Error::Io { path: out.to_owned(), source };
        let folder = out.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = NewFile::in_dir(folder, ".segment-", 0o666).map_err(io)?;
        let (size, pieces) = write::write(self.parts, key, Pieces::new(file), out)?;
        let file = pieces.into_inner().map_err(io)?;
        file.share(sharing).map_err(io)?;
        file.persist(out).map_err(io)?;
        Ok(size)
    }

    /// Returns the segment's bytes, for an overlay that is never stored.
    ///
    /// # Errors
    /// [`Error::Limit`].
    pub fn into_memory(self) -> Result<Vec<u8>> {
        let (_, out) = write::write(self.parts, "", Cursor::new(Vec::new()), Path::new("<memory>"))?;
        Ok(out.into_inner())
    }

    pub(crate) fn begin_file(&mut self, path: &BStr, file: FileInput<'_>) -> Result<()> {
        self.part()?.begin_file(path, file)
    }

    /// Begins a chunk of the current file. Its declarations come next, then its tokens and
    /// references.
    pub(crate) fn begin_chunk(&mut self, chunk: &Chunk) -> Result<()> {
        self.part()?.begin_chunk(chunk)
    }

    pub(crate) fn declaration(&mut self, declaration: &DeclarationInput<'_>) -> Result<()> {
        self.part()?.declaration(declaration)
    }

    /// Returns the number of a token; `None` if it is too long to be a word.
    pub(super) fn token(&mut self, token: &str) -> Result<Option<u32>> {
        let part = self.part()?;
        (token.len() <= TOKEN_BYTES).then(|| part.token(token)).transpose()
    }

    /// Does the same for the common word of records with this number, without hashing it.
    pub(super) fn common_token(&mut self, number: u32, token: &str) -> Result<Option<u32>> {
        if let Some(known) = *slot(&mut self.part()?.common_tokens, number)? {
            return Ok(Some(known));
        }
        let token = self.token(token)?;
        *slot(&mut self.part()?.common_tokens, number)? = token;
        Ok(token)
    }

    /// Gives the current chunk the sketch of its record. Without one, its vector makes it.
    pub(super) fn sketch(&mut self, sketch: &embed::Signs) -> Result<()> {
        self.part()?.sketch = Some(*sketch);
        Ok(())
    }

    #[cfg(test)]
    pub(crate) fn keyword(&mut self, token: &str, doc: u8, signature: u8, body: u8) -> Result<()> {
        let token = self.token(token)?;
        self.count(token, doc, signature, body)
    }

    /// Counts a token in the current chunk; its number is that of [`SegmentBuilder::token`].
    pub(super) fn count(&mut self, token: Option<u32>, doc: u8, signature: u8, body: u8) -> Result<()> {
        let part = self.part()?;
        if let Some(token) = token {
            part.add(token, &[(Field::Doc, doc), (Field::Signature, signature), (Field::Body, body)]);
        }
        Ok(())
    }

    /// Adds a reference to the current chunk. The result adds the same reference to later chunks.
    pub(crate) fn reference(&mut self, mention: &Mention<'_>) -> Result<KnownReference> {
        self.part()?.reference(mention)
    }

    /// Adds a reference to the current chunk that an earlier chunk has.
    pub(super) fn repeat(&mut self, known: &KnownReference) -> Result<()> {
        self.part()?.repeat(known)
    }

    pub(crate) fn end_chunk(&mut self) -> Result<()> {
        self.part()?.end_chunk()
    }

    fn part(&mut self) -> Result<&mut Part> {
        self.parts.last_mut().ok_or(Error::Limit { what: "parts" })
    }
}
