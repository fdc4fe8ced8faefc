//! Reads a segment, a mapped file or bytes in memory, and finds rows of its tables by ordinal.
//!
//! Owns [`Segment`]. Opening compares the checksums of the header and of every section but those of
//! lists and vectors, and checks that the tables agree with each other. Lists and vectors are by
//! far the largest part. Each carries its own checksum, which is compared when it is read. After
//! opening, a wrong ordinal in a crafted file gives `None`, never a panic.

use std::path::{Path, PathBuf};

use bstr::{BStr, ByteSlice};
use roaring::RoaringBitmap;

use crate::index::chunk::{Language, ReferenceKind, embedded_language, without_language};
use crate::index::embed::{self, BLOCK_ROWS, DIMENSIONS, SignBlock, Vector};

use super::dictionary::Dictionary;
use super::field::N_FIELDS;
use super::layout::{SECTIONS, Section, Table};
use super::mapped::Bytes;
use super::part::unscoped;
use super::postings::{Postings, ascending, varint};
use super::rows::{
    ChunkRow, DeclarationRow, FieldLengths, FileRow, LENGTHS_BYTES, decode_lengths, u32_at, u64_at,
};
use super::vectors::{VECTOR_BYTES, VectorSums, decode_model};
use super::{Error, Mention, Result, SubToken, mentions, narrow, subtokens};

/// An opened segment. It is immutable, and so cheap to share.
#[derive(Debug)]
pub struct Segment {
    path: Option<PathBuf>,
    bytes: Bytes,
    table: Table,
    languages: Vec<String>,
    n_files: u32,
    n_chunks: u32,
    n_declarations: u32,
    vector_sums: VectorSums,
}

impl Segment {
    /// Maps and checks a segment file.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Version`], [`Error::Corrupt`]. After the last two, rebuild
    /// the segment.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self { path: Some(path.to_owned()), ..Self::check(Bytes::map(path)?)? })
    }

    /// Checks a segment in memory, as [`super::SegmentBuilder::into_memory`] returns it.
    ///
    /// # Errors
    /// As [`Segment::open`], without `Io`.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::check(Bytes::Owned(bytes))
    }

    fn check(bytes: Bytes) -> Result<Self> {
        let table = Table::open(&bytes)?;
        for (section, ..) in SECTIONS {
            if !section.checks_itself() {
                table.check(&bytes, section)?;
            }
        }
        let rows = |section: Section, size: usize| {
            let len = table.get(&bytes, section).len();
            if len % size != 0 {
                return Err(Error::Corrupt { section: section.name(), why: "is not made of whole rows" });
            }
            narrow(len / size, "rows")
        };
        let n_files = rows(Section::Files, FileRow::BYTES)?;
        let n_chunks = rows(Section::Chunks, ChunkRow::BYTES)?;
        let n_declarations = rows(Section::Declarations, DeclarationRow::BYTES)?;
        if rows(Section::Lengths, LENGTHS_BYTES)? != n_chunks {
            return Err(Error::Corrupt {
                section: Section::Lengths.name(),
                why: "has a different number of chunks",
            });
        }
        for offsets in [Section::MentionOffsets, Section::SubTokenOffsets] {
            if rows(offsets, 4)? != n_chunks.saturating_add(1) {
                return Err(Error::Corrupt {
                    section: offsets.name(),
                    why: "has a different number of chunks",
                });
            }
        }
        let n_blocks = n_chunks.div_ceil(narrow(BLOCK_ROWS, "rows")?);
        for (section, size, n) in
            [(Section::Signs, size_of::<SignBlock>(), n_blocks), (Section::Vectors, VECTOR_BYTES, n_chunks)]
        {
            if rows(section, size)? != n {
                return Err(Error::Corrupt {
                    section: section.name(),
                    why: "has a different number of chunks",
                });
            }
        }
        let corrupt = |why| Error::Corrupt { section: Section::Model.name(), why };
        let (vector_sums, model) =
            decode_model(table.get(&bytes, Section::Model)).ok_or(corrupt("is cut short"))?;
        if model != embed::builtin().name().as_bytes() {
            return Err(corrupt("is not the built-in model"));
        }
        let languages = languages(table.get(&bytes, Section::Languages))?;
        let segment =
            Self { path: None, bytes, table, languages, n_files, n_chunks, n_declarations, vector_sums };
        segment.check_files()?;
        Ok(segment)
    }

    /// Checks that files are sorted, that their runs of chunks follow each other, and that paths
    /// are inside the pool.
    fn check_files(&self) -> Result<()> {
        let corrupt = |why| Err(Error::Corrupt { section: Section::Files.name(), why });
        let paths = self.section(Section::Paths);
        let (mut last, mut chunk, mut declaration) = (None::<&[u8]>, 0, 0);
        for (ord, row) in self.file_rows().enumerate() {
            let path = paths.get(row.path_start as usize..).and_then(|p| p.get(..row.path_len as usize));
            let Some(path) = path else { return corrupt("has a path outside the pool") };
            if last.is_some_and(|last| last >= path) {
                return corrupt("is not sorted");
            }
            if (ord == 0 && row.first_chunk != 0)
                || row.first_chunk < chunk
                || row.first_chunk > self.n_chunks
                || row.first_declaration < declaration
                || row.first_declaration > self.n_declarations
            {
                return corrupt("has runs that overlap");
            }
            if usize::from(row.language) >= self.languages.len() {
                return corrupt("names an unknown language");
            }
            (last, chunk, declaration) = (Some(path), row.first_chunk, row.first_declaration);
        }
        if self.n_files == 0 && self.n_chunks > 0 {
            return corrupt("is empty, but there are chunks");
        }
        Ok(())
    }

    /// Compares the checksums of all sections, those that opening leaves for later included.
    ///
    /// # Errors
    /// [`Error::Corrupt`] naming the section.
    pub fn verify(&self) -> Result<()> {
        SECTIONS.iter().try_for_each(|(section, ..)| self.table.check(&self.bytes, *section))
    }

    fn section(&self, section: Section) -> &[u8] {
        self.table.get(&self.bytes, section)
    }

    fn row<const N: usize>(&self, section: Section, ord: u32) -> Option<&[u8; N]> {
        self.section(section).as_chunks::<N>().0.get(ord as usize)
    }

    /// Returns the id of the text that the segment was made from, as given to the builder.
    pub fn key(&self) -> &[u8] {
        self.section(Section::Key)
    }

    /// Returns the number of files, skipped ones included.
    pub fn n_files(&self) -> u32 {
        self.n_files
    }

    /// Returns the number of chunks.
    pub fn n_chunks(&self) -> u32 {
        self.n_chunks
    }

    /// Returns the number of declarations.
    pub fn n_declarations(&self) -> u32 {
        self.n_declarations
    }

    /// Returns the size in bytes.
    pub fn n_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Returns a file by its ordinal.
    pub fn file(&self, ord: u32) -> Option<FileRow> {
        self.row(Section::Files, ord).map(FileRow::decode)
    }

    /// Returns all files, in bytewise order of their paths.
    pub fn file_rows(&self) -> impl Iterator<Item = FileRow> + '_ {
        self.section(Section::Files).as_chunks().0.iter().map(FileRow::decode)
    }

    /// Returns a file's path.
    pub fn path(&self, file: &FileRow) -> &BStr {
        let all = self.section(Section::Paths);
        all.get(file.path_start as usize..)
            .and_then(|p| p.get(..file.path_len as usize))
            .unwrap_or_default()
            .as_bstr()
    }

    /// Returns the ordinal of the file with this path.
    pub fn file_by_path(&self, path: &BStr) -> Option<u32> {
        let rows = self.section(Section::Files).as_chunks().0;
        let found = rows.binary_search_by(|row| self.path(&FileRow::decode(row)).cmp(path)).ok()?;
        u32::try_from(found).ok()
    }

    /// Returns a language's name by its number; empty for an unknown one.
    pub fn language(&self, number: u16) -> &str {
        self.languages.get(usize::from(number)).map_or("", String::as_str)
    }

    /// Returns the ordinals of a file's chunks.
    pub fn chunks_of(&self, file: u32) -> std::ops::Range<u32> {
        let first = self.file(file).map_or(self.n_chunks, |f| f.first_chunk);
        let next = file.checked_add(1).and_then(|n| self.file(n)).map_or(self.n_chunks, |f| f.first_chunk);
        first..next
    }

    /// Returns the ordinals of a file's declarations.
    pub fn declarations_of(&self, file: u32) -> std::ops::Range<u32> {
        let first = self.file(file).map_or(self.n_declarations, |f| f.first_declaration);
        let next = file
            .checked_add(1)
            .and_then(|n| self.file(n))
            .map_or(self.n_declarations, |f| f.first_declaration);
        first..next
    }

    /// Returns a chunk by its ordinal.
    pub fn chunk(&self, ord: u32) -> Option<ChunkRow> {
        self.row(Section::Chunks, ord).and_then(ChunkRow::decode)
    }

    /// Returns the ordinals of the declarations that begin in a chunk.
    pub fn declarations_in(&self, chunk: u32) -> std::ops::Range<u32> {
        let Some(row) = self.chunk(chunk) else { return 0..0 };
        let next = chunk.checked_add(1).and_then(|n| self.chunk(n)).map(|next| next.first_declaration);
        let end = next.unwrap_or(self.n_declarations).min(self.n_declarations);
        row.first_declaration.min(end)..end
    }

    /// Returns a declaration by its ordinal.
    pub fn declaration(&self, ord: u32) -> Option<DeclarationRow> {
        self.row(Section::Declarations, ord).and_then(DeclarationRow::decode)
    }

    /// Returns the chunk that contains a declaration's name. Its doc comment may begin in another
    /// chunk, pages above.
    pub fn chunk_of_name(&self, declaration: &DeclarationRow) -> u32 {
        let first = declaration.chunk;
        let Some(file) = self.chunk(first).map(|row| row.file) else { return first };
        let holds =
            |ord: &u32| self.chunk(*ord).is_some_and(|row| row.span.end_line >= declaration.name_line);
        (first..self.chunks_of(file).end).find(holds).unwrap_or(first)
    }

    /// Returns a declaration's bare name.
    pub fn name(&self, declaration: &DeclarationRow) -> &str {
        std::str::from_utf8(unscoped(self.stored_name(declaration)).1).unwrap_or_default()
    }

    /// Returns the type or namespace that a declaration belongs to without being inside it in the
    /// source; empty for most.
    pub fn scope(&self, declaration: &DeclarationRow) -> &str {
        without_language(self.stored_scope(declaration))
    }

    /// Returns the language of the string or script that a declaration belongs to, if it is another
    /// one than that of its file.
    pub(super) fn embedded_in(&self, declaration: &DeclarationRow) -> Option<&'static str> {
        let mut row = *declaration;
        loop {
            if let Some((language, _)) = embedded_language(self.stored_scope(&row)) {
                return Some(language);
            }
            // A parent comes before its children. A crafted one that does not would cause an
            // endless loop.
            let up = row.parent?;
            row = self.declaration(up).filter(|around| around.parent.is_none_or(|next| next < up))?;
        }
    }

    fn stored_scope(&self, declaration: &DeclarationRow) -> &str {
        std::str::from_utf8(unscoped(self.stored_name(declaration)).0).unwrap_or_default()
    }

    fn stored_name(&self, declaration: &DeclarationRow) -> &[u8] {
        let pool = self.section(Section::Names);
        pool.get(declaration.name_start as usize..)
            .and_then(|p| p.get(..usize::from(declaration.name_len)))
            .unwrap_or_default()
    }

    /// Returns a declaration's name after those of the declarations around it, joined with its
    /// language's separator.
    pub fn symbol_path(&self, declaration: u32) -> String {
        let mut names = Vec::new();
        let mut at = Some(declaration);
        let mut separator = ".";
        while let Some((ord, row)) = at.and_then(|ord| Some((ord, self.declaration(ord)?))) {
            if names.is_empty() {
                separator = self.separator(&row);
            }
            names.push(self.name(&row));
            let scope = self.scope(&row);
            if !scope.is_empty() {
                names.push(scope);
            }
            // A parent comes before its children. A crafted one that does not would cause an
            // endless loop.
            at = row.parent.filter(|&parent| parent < ord);
        }
        names.reverse();
        names.join(separator)
    }

    fn separator(&self, declaration: &DeclarationRow) -> &'static str {
        let file = self.chunk(declaration.chunk).and_then(|chunk| self.file(chunk.file));
        let language = file.and_then(|file| Language::from_name(self.language(file.language)));
        language.map_or(".", Language::separator)
    }

    /// Returns the lengths of a chunk's fields, in terms.
    pub(crate) fn lengths(&self, chunk: u32) -> FieldLengths {
        self.row::<LENGTHS_BYTES>(Section::Lengths, chunk).map(decode_lengths).unwrap_or_default()
    }

    /// Returns the stored rows of all chunks' field lengths.
    pub(crate) fn length_rows(&self) -> &[[u8; LENGTHS_BYTES]] {
        self.section(Section::Lengths).as_chunks().0
    }

    /// Returns a chunk's vector; `None` for an ordinal that no chunk has.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the vector does not match its checksum.
    pub fn vector(&self, chunk: u32) -> Result<Option<Vector>> {
        let Some(row) = self.row::<VECTOR_BYTES>(Section::Vectors, chunk) else { return Ok(None) };
        let Some((bytes, sum)) = row.split_first_chunk::<DIMENSIONS>() else { return Ok(None) };
        if crc32fast::hash(bytes).to_le_bytes() != sum {
            return Err(Error::Corrupt {
                section: Section::Vectors.name(),
                why: "has a row that does not match its checksum",
            });
        }
        Ok(Some(Vector::from_bytes(bytes)))
    }

    /// Returns the stored bytes of a chunk's vector, without comparing their checksum.
    pub(super) fn stored_vector(&self, chunk: u32) -> Option<&[u8; DIMENSIONS]> {
        self.row::<VECTOR_BYTES>(Section::Vectors, chunk)?.first_chunk()
    }

    /// Returns the checksum of the section of vectors, from the header.
    pub(super) fn vectors_checksum(&self) -> u32 {
        self.table.checksum(Section::Vectors)
    }

    /// Returns the path that the segment was opened from; `None` for one in memory.
    pub fn place(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the signs of all chunks' vectors, in order of the chunks.
    pub fn signs(&self) -> &[SignBlock] {
        self.section(Section::Signs).as_chunks().0.as_chunks().0
    }

    /// Returns the sums over all chunks' vectors.
    pub(crate) fn vector_sums(&self) -> &VectorSums {
        &self.vector_sums
    }

    /// Returns the sums of the field lengths over all chunks.
    pub(crate) fn total_lengths(&self) -> [u64; N_FIELDS] {
        let meta = self.section(Section::Meta);
        std::array::from_fn(|i| u64_at(meta, i * 8))
    }

    /// Returns the postings of several terms, in the terms' order.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the dictionary or a list is damaged.
    pub fn postings<'s, 'k>(&'s self, terms: impl Iterator<Item = &'k str>) -> Result<Vec<Postings<'s>>> {
        let dictionary = Dictionary::new(self.section(Section::Terms), Section::Terms.name());
        let values = dictionary.get_all(terms.map(str::as_bytes))?;
        values
            .into_iter()
            .map(|value| match value {
                None => Ok(Postings::empty()),
                Some(value) if value & 1 == 1 => Postings::one(value)
                    .ok_or(Error::Corrupt { section: Section::Terms.name(), why: "has an invalid value" }),
                Some(value) => {
                    let (n, list) = self.list(Section::Postings, value)?;
                    Ok(Postings::list(list, n))
                }
            })
            .collect()
    }

    /// Returns the terms that begin with `prefix`, sorted and at most `most` (at least 1).
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the dictionary is damaged.
    pub fn terms_with_prefix(&self, prefix: &str, most: usize) -> Result<Vec<String>> {
        let mut names = Vec::new();
        let terms = Dictionary::new(self.section(Section::Terms), Section::Terms.name());
        terms.prefixed(prefix.as_bytes(), |key, _| {
            names.extend(std::str::from_utf8(key).ok().map(str::to_owned));
            names.len() < most
        })?;
        Ok(names)
    }

    /// Returns all terms, sorted.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if the dictionary is damaged.
    pub fn term_names(&self) -> Result<Vec<String>> {
        // A crafted dictionary may have no end: stop at more terms than its bytes can hold.
        self.terms_with_prefix("", self.section(Section::Terms).len().saturating_mul(4))
    }

    /// Returns the number of entries and the bytes of the list that a dictionary's value points at,
    /// once the checksum matches.
    fn list(&self, section: Section, value: u64) -> Result<(u32, &[u8])> {
        let read = || {
            let mut rest = self.section(section).get(usize::try_from(value >> 1).ok()?..)?;
            let n = varint(&mut rest)?;
            let len = varint(&mut rest)? as usize;
            let sum = u32_at(rest.get(..4)?, 0);
            Some((n, rest.get(4..)?.get(..len)?, sum))
        };
        let (n, list, sum) = read()
            .ok_or(Error::Corrupt { section: section.name(), why: "has a list outside the section" })?;
        if crc32fast::hash(list) != sum {
            return Err(Error::Corrupt {
                section: section.name(),
                why: "has a list that does not match its checksum",
            });
        }
        Ok((n, list))
    }

    /// Returns the declarations whose name has this key ([`super::terms::symbol_key`]), in order.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn symbol(&self, key: &str) -> Result<Vec<u32>> {
        match self.symbols().get(key.as_bytes())? {
            None => Ok(Vec::new()),
            Some(value) => self.symbol_list(value),
        }
    }

    fn symbols(&self) -> Dictionary<'_> {
        Dictionary::new(self.section(Section::Symbols), Section::Symbols.name())
    }

    fn symbol_list(&self, value: u64) -> Result<Vec<u32>> {
        let corrupt = || Error::Corrupt { section: Section::SymbolLists.name(), why: "has an invalid list" };
        if value & 1 == 1 {
            return Ok(vec![u32::try_from(value >> 1).map_err(|_| corrupt())?]);
        }
        let (n, list) = self.list(Section::SymbolLists, value)?;
        ascending(list, n).ok_or_else(corrupt)
    }

    /// Calls `each` with every key of declared names that begins with `prefix` and its
    /// declarations, in order, until it returns false.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn symbols_with_prefix(
        &self,
        prefix: &str,
        mut each: impl FnMut(&str, Vec<u32>) -> bool,
    ) -> Result<()> {
        let mut failure = None;
        self.symbols().prefixed(prefix.as_bytes(), |name, value| match self.symbol_list(value) {
            Ok(list) => std::str::from_utf8(name).is_ok_and(|name| each(name, list)),
            Err(error) => {
                failure = Some(error);
                false
            }
        })?;
        failure.map_or(Ok(()), Err)
    }

    /// Returns the keys of declared names within this many edits of `word`, in order, each with its
    /// declarations.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn symbols_like(&self, word: &str, edits: u32) -> Result<Vec<(String, Vec<u32>)>> {
        let similar = self.symbols().similar(word, edits)?;
        similar.into_iter().map(|(name, value)| Ok((name, self.symbol_list(value)?))).collect()
    }

    /// Returns the mentions of a chunk, in order of kind, name, qualifier, alias; empty for an
    /// ordinal that no chunk has.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn mentions(&self, chunk: u32) -> Result<Vec<Mention<'_>>> {
        self.mentions_that(chunk, |_| true)
    }

    /// Returns the mentions of a chunk that are imports.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn imports(&self, chunk: u32) -> Result<Vec<Mention<'_>>> {
        self.mentions_that(chunk, |kind| kind == ReferenceKind::Import)
    }

    fn mentions_that(&self, chunk: u32, admits: impl Fn(ReferenceKind) -> bool) -> Result<Vec<Mention<'_>>> {
        if chunk >= self.n_chunks {
            return Ok(Vec::new());
        }
        let list = self.list_of(Section::Mentions, Section::MentionOffsets, chunk);
        list.and_then(|list| mentions::decode(list, self.section(Section::MentionStrings), admits))
            .ok_or(Error::Corrupt { section: Section::Mentions.name(), why: "has a list that can't be read" })
    }

    /// Returns a chunk's list in a section of lists.
    fn list_of(&self, lists: Section, offsets: Section, chunk: u32) -> Option<&[u8]> {
        let offsets = self.section(offsets);
        let at = |ord: u32| u32_at(offsets, ord as usize * 4) as usize;
        self.section(lists).get(at(chunk)..at(chunk + 1))
    }

    /// Returns the sub-tokens of a chunk, in order of their numbers; empty for an ordinal that no
    /// chunk has.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn subtokens(&self, chunk: u32) -> Result<Vec<SubToken>> {
        if chunk >= self.n_chunks {
            return Ok(Vec::new());
        }
        let list = self.list_of(Section::SubTokens, Section::SubTokenOffsets, chunk);
        list.and_then(subtokens::decode).ok_or(Error::Corrupt {
            section: Section::SubTokens.name(),
            why: "has a list that can't be read",
        })
    }

    /// Returns the chunks that refer to `name` (as written) with this kind of reference.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn references(&self, kind: ReferenceKind, name: &str) -> Result<RoaringBitmap> {
        let corrupt = |why| Error::Corrupt { section: Section::ReferenceLists.name(), why };
        let dictionary = Dictionary::new(self.section(Section::References), Section::References.name());
        let mut key = vec![kind as u8];
        key.extend_from_slice(name.as_bytes());
        let Some(value) = dictionary.get(&key)? else { return Ok(RoaringBitmap::new()) };
        if value & 1 == 1 {
            let chunk = u32::try_from(value >> 1).map_err(|_| corrupt("has an invalid value"))?;
            return Ok(RoaringBitmap::from_iter([chunk]));
        }
        let (n, list) = self.list(Section::ReferenceLists, value)?;
        ascending(list, n)
            .filter(|chunks| chunks.last().is_none_or(|&last| last < self.n_chunks))
            .and_then(|chunks| RoaringBitmap::from_sorted_iter(chunks).ok())
            .ok_or_else(|| corrupt("has an invalid list"))
    }
}

fn languages(mut bytes: &[u8]) -> Result<Vec<String>> {
    let mut names = Vec::new();
    while let Some((&len, rest)) = bytes.split_first() {
        let name = rest.split_at_checked(usize::from(len)).and_then(|(name, rest)| {
            bytes = rest;
            std::str::from_utf8(name).ok()
        });
        let why = "is not a list of names";
        names.push(name.ok_or(Error::Corrupt { section: Section::Languages.name(), why })?.to_owned());
    }
    Ok(names)
}
