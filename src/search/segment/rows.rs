//! The fixed rows of a segment's tables, converted to and from bytes.
//!
//! Owns [`FileRow`], [`ChunkRow`], [`DeclarationRow`] and the row of field lengths. Each has a
//! fixed size, so row *n* is found by multiplication. Numbers are little-endian, and fields are in
//! the order of the structs. Hostile bytes decode to a row of nonsense numbers: whoever follows one
//! of them checks it.

use crate::index::chunk::{ByteRange, Chunk, ChunkKind, DeclarationKind, Span};

use super::field::N_FIELDS;

/// Stands for "none" in a column of ordinals.
pub(super) const NONE: u32 = u32::MAX;

/// The role of a file, as its path suggests it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileFlags(pub(super) u8);

impl FileFlags {
    pub(super) const SKIPPED: u8 = 1;
    pub(super) const TEST: u8 = 2;
    pub(super) const EXAMPLE: u8 = 4;
    pub(super) const VENDORED: u8 = 8;

    /// Returns whether the file is in the snapshot, but not indexed.
    pub fn is_skipped(self) -> bool {
        self.0 & Self::SKIPPED != 0
    }

    /// Returns whether the path is that of a test or of what tests need.
    pub fn is_test(self) -> bool {
        self.0 & Self::TEST != 0
    }

    /// Returns whether the path is that of an example, demo or benchmark.
    pub fn is_example(self) -> bool {
        self.0 & Self::EXAMPLE != 0
    }

    /// Returns whether the path is that of a copy of somebody else's code.
    pub fn is_vendored(self) -> bool {
        self.0 & Self::VENDORED != 0
    }
}

/// The row of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileRow {
    pub(super) path_start: u32,
    pub(super) path_len: u32,
    /// Number of lines.
    pub n_lines: u32,
    /// Size of the source text in bytes.
    pub source_bytes: u32,
    /// Its first chunk; its last one precedes the next file's first.
    pub first_chunk: u32,
    /// Its first declaration, likewise.
    pub first_declaration: u32,
    /// Number of its language, see [`super::Segment::language`].
    pub language: u16,
    /// Code of the reason for skipping it, if it is skipped.
    pub skip_reason: u8,
    /// The role that its path suggests.
    pub flags: FileFlags,
    /// Number of distinct parts (terms) of its name's stem.
    pub n_stem_words: u8,
}

impl FileRow {
    pub(super) const BYTES: usize = 32;

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        for n in [
            self.path_start,
            self.path_len,
            self.n_lines,
            self.source_bytes,
            self.first_chunk,
            self.first_declaration,
        ] {
            out.extend_from_slice(&n.to_le_bytes());
        }
        out.extend_from_slice(&self.language.to_le_bytes());
        out.extend_from_slice(&[self.skip_reason, self.flags.0, self.n_stem_words, 0, 0, 0]);
    }

    pub(super) fn decode(row: &[u8; Self::BYTES]) -> Self {
        let [.., l0, l1, skip_reason, flags, n_stem_words, _, _, _] = *row;
        Self {
            path_start: u32_at(row, 0),
            path_len: u32_at(row, 4),
            n_lines: u32_at(row, 8),
            source_bytes: u32_at(row, 12),
            first_chunk: u32_at(row, 16),
            first_declaration: u32_at(row, 20),
            language: u16::from_le_bytes([l0, l1]),
            skip_reason,
            flags: FileFlags(flags),
            n_stem_words,
        }
    }
}

/// The row of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkRow {
    /// Ordinal of its file.
    pub file: u32,
    /// Its span in the file.
    pub span: Span,
    /// The declaration that it is, is a part of, or begins with: an ordinal in the segment.
    pub declaration: Option<u32>,
    /// The first declaration that begins in it; the last one precedes the next chunk's first.
    pub first_declaration: u32,
    /// Kind of chunk.
    pub kind: ChunkKind,
    /// Whether its declarations mark it as a test; its file need not be one.
    pub is_test: bool,
}

impl ChunkRow {
    pub(super) const BYTES: usize = 32;

    pub(super) fn new(file: u32, chunk: &Chunk, declaration: Option<u32>, first_declaration: u32) -> Self {
        Self { file, span: chunk.span, declaration, first_declaration, kind: chunk.kind, is_test: false }
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.file.to_le_bytes());
        encode_span(&self.span, out);
        out.extend_from_slice(&self.declaration.unwrap_or(NONE).to_le_bytes());
        out.extend_from_slice(&self.first_declaration.to_le_bytes());
        out.extend_from_slice(&[self.kind as u8, u8::from(self.is_test), 0, 0]);
    }

    /// Decodes a row; `None` if this version does not know its kind.
    pub(super) fn decode(row: &[u8; Self::BYTES]) -> Option<Self> {
        let [.., kind, is_test, _, _] = *row;
        Some(Self {
            file: u32_at(row, 0),
            span: span_at(row, 4),
            declaration: some_ordinal(u32_at(row, 20)),
            first_declaration: u32_at(row, 24),
            kind: chunk_kind(kind)?,
            is_test: is_test & 1 != 0,
        })
    }
}

/// The row of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeclarationRow {
    /// The chunk in which it begins.
    pub chunk: u32,
    pub(super) name_start: u32,
    pub(super) name_len: u16,
    /// Kind of declaration.
    pub kind: DeclarationKind,
    /// The enclosing declaration: an ordinal in the segment, smaller than its own.
    pub parent: Option<u32>,
    /// Its whole span.
    pub span: Span,
    /// Line of its name, 1-based.
    pub name_line: u32,
    /// Its signature; empty if it has none.
    pub signature: ByteRange,
    /// Its body; empty if it has none.
    pub body: ByteRange,
    /// Its doc comment; empty if it has none.
    pub doc: ByteRange,
}

impl DeclarationRow {
    pub(super) const BYTES: usize = 60;

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.chunk.to_le_bytes());
        out.extend_from_slice(&self.name_start.to_le_bytes());
        out.extend_from_slice(&self.name_len.to_le_bytes());
        out.extend_from_slice(&[self.kind as u8, 0]);
        out.extend_from_slice(&self.parent.unwrap_or(NONE).to_le_bytes());
        encode_span(&self.span, out);
        out.extend_from_slice(&self.name_line.to_le_bytes());
        for range in [self.signature, self.body, self.doc] {
            out.extend_from_slice(&range.start.to_le_bytes());
            out.extend_from_slice(&range.end.to_le_bytes());
        }
    }

    /// Decodes a row; `None` if this version does not know its kind.
    pub(super) fn decode(row: &[u8; Self::BYTES]) -> Option<Self> {
        let [_, _, _, _, _, _, _, _, l0, l1, kind, ..] = *row;
        Some(Self {
            chunk: u32_at(row, 0),
            name_start: u32_at(row, 4),
            name_len: u16::from_le_bytes([l0, l1]),
            kind: declaration_kind(kind)?,
            parent: some_ordinal(u32_at(row, 12)),
            span: span_at(row, 16),
            name_line: u32_at(row, 32),
            signature: range_at(row, 36),
            body: range_at(row, 44),
            doc: range_at(row, 52),
        })
    }
}

/// Lengths of a chunk's fields in terms, saturated, by [`super::Field`].
pub(super) type FieldLengths = [u16; N_FIELDS];

/// Size of a row of field lengths in bytes: seven numbers and two spare bytes.
pub(crate) const LENGTHS_BYTES: usize = 16;

pub(super) fn encode_lengths(lengths: &FieldLengths, out: &mut Vec<u8>) {
    for n in lengths {
        out.extend_from_slice(&n.to_le_bytes());
    }
    out.extend_from_slice(&[0, 0]);
}

pub(super) fn decode_lengths(row: &[u8; LENGTHS_BYTES]) -> FieldLengths {
    let mut lengths = [0; N_FIELDS];
    for (n, pair) in lengths.iter_mut().zip(row.as_chunks::<2>().0) {
        *n = u16::from_le_bytes(*pair);
    }
    lengths
}

fn some_ordinal(n: u32) -> Option<u32> {
    (n != NONE).then_some(n)
}

fn encode_span(span: &Span, out: &mut Vec<u8>) {
    for n in [span.bytes.start, span.bytes.end, span.start_line, span.end_line] {
        out.extend_from_slice(&n.to_le_bytes());
    }
}

fn span_at(row: &[u8], at: usize) -> Span {
    Span { bytes: range_at(row, at), start_line: u32_at(row, at + 8), end_line: u32_at(row, at + 12) }
}

fn range_at(row: &[u8], at: usize) -> ByteRange {
    ByteRange { start: u32_at(row, at), end: u32_at(row, at + 4) }
}

/// Returns the number at `at`; zero beyond the end, which the callers' fixed rows never reach.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()).map_or(0, |n| u32::from_le_bytes(*n))
}

/// Returns the number at `at`; zero beyond the end.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()).map_or(0, |n| u64::from_le_bytes(*n))
}

fn chunk_kind(code: u8) -> Option<ChunkKind> {
    use ChunkKind as K;
    [K::Head, K::Declaration, K::Part, K::Group, K::Code, K::Section, K::Data, K::Window]
        .into_iter()
        .find(|&kind| kind as u8 == code)
}

fn declaration_kind(code: u8) -> Option<DeclarationKind> {
    use DeclarationKind as K;
    const ALL: [K; 22] = [
        K::Function,
        K::Method,
        K::Constructor,
        K::Class,
        K::Struct,
        K::Interface,
        K::Enum,
        K::Variant,
        K::Union,
        K::Type,
        K::Implementation,
        K::Module,
        K::Constant,
        K::Variable,
        K::Field,
        K::Macro,
        K::Test,
        K::Section,
        K::Key,
        K::Rule,
        K::Table,
        K::Element,
    ];
    ALL.get(usize::from(code).checked_sub(1)?).copied().filter(|&kind| kind as u8 == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_round_trip_in_their_declared_size() {
        let span = Span { bytes: ByteRange { start: 3, end: 9 }, start_line: 1, end_line: 2 };
        let chunk = ChunkRow {
            file: 7,
            span,
            declaration: Some(4),
            first_declaration: 4,
            kind: ChunkKind::Window,
            is_test: true,
        };
        let mut out = Vec::new();
        chunk.encode(&mut out);
        assert_eq!(ChunkRow::decode(out.first_chunk().unwrap()), Some(chunk));
        assert_eq!(out.len(), ChunkRow::BYTES);

        let declaration = DeclarationRow {
            chunk: 1,
            name_start: 2,
            name_len: 3,
            kind: DeclarationKind::Element,
            parent: None,
            span,
            name_line: 1,
            signature: span.bytes,
            body: ByteRange { start: 8, end: 9 },
            doc: ByteRange::default(),
        };
        out.clear();
        declaration.encode(&mut out);
        assert_eq!(DeclarationRow::decode(out.first_chunk().unwrap()), Some(declaration));
        assert_eq!(out.len(), DeclarationRow::BYTES);

        let file = FileRow {
            path_start: 1,
            path_len: 2,
            n_lines: 3,
            source_bytes: 4,
            first_chunk: 5,
            first_declaration: 6,
            language: 7,
            skip_reason: 8,
            flags: FileFlags(9),
            n_stem_words: 10,
        };
        out.clear();
        file.encode(&mut out);
        assert_eq!(FileRow::decode(out.first_chunk().unwrap()), file);
        assert_eq!(out.len(), FileRow::BYTES);

        let lengths = [1, 2, 3, 4, 5, 6, u16::MAX];
        out.clear();
        encode_lengths(&lengths, &mut out);
        assert_eq!(decode_lengths(out.first_chunk().unwrap()), lengths);
    }
}
