//! The frame of a segment file: header, section table, checksums.
//!
//! Owns the list and order of the sections, and how each is located and checked. The contents
//! belong to `rows`, `postings` and `dictionary`. LAYOUT.md describes the format for outsiders.

use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;

use super::rows::{u32_at, u64_at};
use super::{Error, Result, SEGMENT_VERSION};

/// First bytes of a segment.
pub(super) const MAGIC: [u8; 8] = *b"CORASEG\0";

/// A section. The discriminant is its place in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Section {
    Key = 0,
    Meta,
    Languages,
    Files,
    Paths,
    Chunks,
    Lengths,
    Declarations,
    Names,
    Model,
    Signs,
    Vectors,
    SubTokens,
    SubTokenOffsets,
    Mentions,
    MentionOffsets,
    MentionStrings,
    Terms,
    Postings,
    Symbols,
    SymbolLists,
    References,
    ReferenceLists,
}

pub(super) const SECTIONS: [(Section, [u8; 4], &str); 23] = [
    (Section::Key, *b"KEY ", "key"),
    (Section::Meta, *b"META", "meta"),
    (Section::Languages, *b"LANG", "languages"),
    (Section::Files, *b"FILE", "files"),
    (Section::Paths, *b"PATH", "paths"),
    (Section::Chunks, *b"CHNK", "chunks"),
    (Section::Lengths, *b"FLEN", "field lengths"),
    (Section::Declarations, *b"DECL", "declarations"),
    (Section::Names, *b"NAME", "names"),
    (Section::Model, *b"MODL", "model"),
    (Section::Signs, *b"SIGN", "signs"),
    (Section::Vectors, *b"VECT", "vectors"),
    (Section::SubTokens, *b"SUBT", "sub-tokens"),
    (Section::SubTokenOffsets, *b"SOFF", "offsets of sub-tokens"),
    (Section::Mentions, *b"MENT", "mentions"),
    (Section::MentionOffsets, *b"MOFF", "offsets of mentions"),
    (Section::MentionStrings, *b"MSTR", "strings of mentions"),
    (Section::Terms, *b"TERM", "terms"),
    (Section::Postings, *b"POST", "postings"),
    (Section::Symbols, *b"SYMB", "symbols"),
    (Section::SymbolLists, *b"SYML", "symbol lists"),
    (Section::References, *b"REFS", "references"),
    (Section::ReferenceLists, *b"REFB", "reference lists"),
];

const FIXED: usize = 16;
const ENTRY: usize = 24;
/// Size of the header in bytes: magic, version, number of sections, section table, checksum,
/// rounded up to a multiple of 8.
pub(super) const HEADER: usize = (FIXED + SECTIONS.len() * ENTRY + 4).next_multiple_of(8);

impl Section {
    pub(super) fn name(self) -> &'static str {
        SECTIONS.get(self as usize).map_or("section", |s| s.2)
    }

    /// Returns whether the lists or rows of the section carry their own checksums, so that opening
    /// need not read all of it.
    pub(super) fn checks_itself(self) -> bool {
        matches!(
            self,
            Self::Postings | Self::ReferenceLists | Self::Mentions | Self::Vectors | Self::SubTokens
        )
    }
}

/// The positions and checksums of the sections of an opened segment.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    ranges: [Range<usize>; SECTIONS.len()],
    checksums: [u32; SECTIONS.len()],
}

impl Table {
    /// Reads and checks the header and the bounds of every section. [`Table::check`] checks the
    /// contents.
    pub(super) fn open(bytes: &[u8]) -> Result<Self> {
        let corrupt = |why| Error::Corrupt { section: "header", why };
        if bytes.get(..MAGIC.len()) != Some(&MAGIC) {
            return Err(corrupt("has the wrong magic number"));
        }
        let found = u32_at(bytes, 8);
        if found != SEGMENT_VERSION {
            return Err(Error::Version { found, expected: SEGMENT_VERSION });
        }
        let table_end = FIXED + SECTIONS.len() * ENTRY;
        let head = bytes.get(..table_end).ok_or(corrupt("is cut short"))?;
        if bytes.len() < HEADER {
            return Err(corrupt("is cut short"));
        }
        if u32_at(bytes, table_end) != crc32fast::hash(head) {
            return Err(corrupt("does not match its checksum"));
        }
        if u32_at(bytes, 12) as usize != SECTIONS.len() {
            return Err(corrupt("has the wrong number of sections"));
        }
        let mut table = Self::default();
        for (i, (section, tag, _)) in SECTIONS.iter().enumerate() {
            let at = FIXED + i * ENTRY;
            if head.get(at..at + 4) != Some(tag) {
                return Err(Error::Corrupt { section: section.name(), why: "has the wrong tag" });
            }
            let range = usize::try_from(u64_at(head, at + 8))
                .ok()
                .zip(usize::try_from(u64_at(head, at + 16)).ok())
                .and_then(|(start, len)| Some(start..start.checked_add(len)?))
                .filter(|range| range.end <= bytes.len())
                .ok_or(Error::Corrupt { section: section.name(), why: "is outside the file" })?;
            if let (Some(slot), Some(sum)) = (table.ranges.get_mut(i), table.checksums.get_mut(i)) {
                *slot = range;
                *sum = u32_at(head, at + 4);
            }
        }
        Ok(table)
    }

    /// Returns the bytes of a section.
    pub(super) fn get<'b>(&self, bytes: &'b [u8], section: Section) -> &'b [u8] {
        self.ranges.get(section as usize).and_then(|range| bytes.get(range.clone())).unwrap_or_default()
    }

    /// Returns the checksum of a section, from the header.
    pub(super) fn checksum(&self, section: Section) -> u32 {
        self.checksums.get(section as usize).copied().unwrap_or(0)
    }

    /// Compares a section with its checksum.
    pub(super) fn check(&self, bytes: &[u8], section: Section) -> Result<()> {
        if crc32fast::hash(self.get(bytes, section)) == self.checksum(section) {
            return Ok(());
        }
        Err(Error::Corrupt { section: section.name(), why: "does not match its checksum" })
    }
}

/// A writer of a segment, section by section. The header is written last, so a truncated file is
/// never mistaken for a whole one.
pub(super) struct FrameWriter<W> {
    out: W,
    at: u64,
    entries: Vec<(u32, u64, u64)>,
}

impl<W: Write + Seek> FrameWriter<W> {
    pub(super) fn new(mut out: W) -> std::io::Result<Self> {
        out.write_all(&[0; HEADER])?;
        Ok(Self { out, at: HEADER as u64, entries: Vec::with_capacity(SECTIONS.len()) })
    }

    /// Appends the next section, in the order of [`SECTIONS`].
    pub(super) fn section(&mut self, section: Section, bytes: &[u8]) -> std::io::Result<()> {
        self.rows(section, [bytes])
    }

    /// Appends the next section, row by row, so that it need not be in memory as a whole.
    pub(super) fn rows(
        &mut self,
        section: Section,
        rows: impl IntoIterator<Item = impl AsRef<[u8]>>,
    ) -> std::io::Result<()> {
        debug_assert_eq!(self.entries.len(), section as usize, "sections are written in order");
        let start = self.at;
        let mut sum = crc32fast::Hasher::new();
        for row in rows {
            let row = row.as_ref();
            sum.update(row);
            self.out.write_all(row)?;
            self.at += row.len() as u64;
        }
        self.entries.push((sum.finalize(), start, self.at - start));
        let padding = self.at.next_multiple_of(8) - self.at;
        for _ in 0..padding {
            self.out.write_all(&[0])?;
        }
        self.at += padding;
        Ok(())
    }

    /// Writes the header; returns the file's size and the output.
    pub(super) fn finish(mut self) -> std::io::Result<(u64, W)> {
        let mut head = Vec::with_capacity(HEADER);
        head.extend_from_slice(&MAGIC);
        head.extend_from_slice(&SEGMENT_VERSION.to_le_bytes());
        head.extend_from_slice(&u32::try_from(SECTIONS.len()).unwrap_or(0).to_le_bytes());
        for ((_, tag, _), (sum, offset, len)) in SECTIONS.iter().zip(&self.entries) {
            head.extend_from_slice(tag);
            head.extend_from_slice(&sum.to_le_bytes());
            head.extend_from_slice(&offset.to_le_bytes());
            head.extend_from_slice(&len.to_le_bytes());
        }
        let sum = crc32fast::hash(&head);
        head.extend_from_slice(&sum.to_le_bytes());
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&head)?;
        self.out.flush()?;
        Ok((self.at, self.out))
    }
}

/// Recomputes all checksums of the frame, for tests with crafted files.
#[cfg(test)]
pub(super) fn tests_reseal(bytes: &mut [u8]) {
    for i in 0..SECTIONS.len() {
        let at = FIXED + i * ENTRY;
        let number = |at| usize::try_from(u64_at(bytes, at)).unwrap();
        let (start, len) = (number(at + 8), number(at + 16));
        let sum = crc32fast::hash(&bytes[start..start + len]);
        bytes[at + 4..at + 8].copy_from_slice(&sum.to_le_bytes());
    }
    let end = FIXED + SECTIONS.len() * ENTRY;
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..end + 4].copy_from_slice(&sum.to_le_bytes());
}
