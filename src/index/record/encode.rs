//! Encoding a record: the owned value → bytes, in the layout of FORMAT.md.
//!
//! Everything is relative: a chunk to the chunk before it, a declaration to its chunk, a name to
//! its chunk's strings. So a chunk that only moves keeps its bytes, and Git's packs store a changed
//! record as a small delta. The same record always gives the same bytes.

use std::collections::HashMap;

use crate::index::chunk::{ByteRange, Declaration};

use super::bytes::{put_distance, put_varint};
use super::{CONTENT_VERSION, FORMAT_VERSION, FileRecord, IndexedFile, Keyword, frame};

/// First bytes of every record.
pub(super) const MAGIC: &[u8; 4] = b"cora";

/// Tags of the sections.
pub(super) const SECTION_CHUNKS: u8 = 1;
pub(super) const SECTION_KEYWORDS: u8 = 3;
pub(super) const SECTION_REFERENCES: u8 = 4;

/// Flags in the same byte as a reference's kind.
pub(super) const HAS_QUALIFIER: u8 = 0x40;
pub(super) const HAS_ALIAS: u8 = 0x80;

/// Encodes a record; the same record always gives the same bytes.
///
/// The record must come from `super::build` or from decoding: its names are normalised and its
/// lists sorted.
pub fn encode(record: &FileRecord) -> Vec<u8> {
    let mut out = Vec::with_capacity(1024);
    out.extend_from_slice(MAGIC);
    out.push(FORMAT_VERSION);
    out.extend_from_slice(&CONTENT_VERSION.to_le_bytes());
    match record {
        FileRecord::Skipped(reason) => out.push(reason.code()),
        FileRecord::Indexed(file) => {
            out.push(0);
            put_file(&mut out, file);
        }
    }
    out
}

fn put_short(out: &mut Vec<u8>, bytes: &[u8]) {
    let len = u8::try_from(bytes.len()).unwrap_or(u8::MAX);
    out.push(len);
    out.extend_from_slice(bytes.get(..usize::from(len)).unwrap_or_default());
}

fn put_file(out: &mut Vec<u8>, file: &IndexedFile) {
    put_short(out, file.blob.as_bytes());
    put_short(out, file.language.as_bytes());
    out.push(file.method as u8);
    put_varint(out, file.source_bytes.into());
    put_varint(out, file.n_lines.into());
    put_varint(out, file.declarations.len() as u64);
    put_varint(out, file.chunks.len() as u64);

    let sections = put_sections(file);
    out.push(u8::try_from(sections.len()).expect("because there are three sections"));
    for (tag, payload) in &sections {
        out.push(*tag);
        put_varint(out, payload.len() as u64);
    }
    for (_, payload) in &sections {
        out.extend_from_slice(payload);
    }
}

/// The strings of one chunk: its tokens in order, then the other names in its rows.
struct Strings<'f> {
    tokens: &'f [Keyword],
    extra: Vec<&'f str>,
    /// The ordinals of the extra strings.
    ordinals: HashMap<&'f str, u64>,
}

impl<'f> Strings<'f> {
    fn new(file: &'f IndexedFile, chunk: usize) -> Self {
        let tokens = file.keywords.get(chunk).map(Vec::as_slice).unwrap_or_default();
        Self { tokens, extra: Vec::new(), ordinals: HashMap::new() }
    }

    fn ordinal(&mut self, string: &'f str) -> u64 {
        if let Ok(token) = self.tokens.binary_search_by(|keyword| keyword.token.as_str().cmp(string)) {
            return token as u64;
        }
        let next = (self.tokens.len() + self.extra.len()) as u64;
        *self.ordinals.entry(string).or_insert_with(|| {
            self.extra.push(string);
            next
        })
    }
}

/// Returns the number of declarations around each declaration. A parent that is not an earlier
/// declaration counts as none.
fn depths(declarations: &[Declaration]) -> Vec<u64> {
    let mut depths: Vec<u64> = Vec::with_capacity(declarations.len());
    for declaration in declarations {
        let depth = declaration.parent.and_then(|p| depths.get(p as usize)).map_or(0, |d| d + 1);
        depths.push(depth);
    }
    depths
}

/// Returns the uncompressed keyword frame of each chunk. A dictionary is trained on these samples.
pub fn keyword_payloads(file: &IndexedFile) -> Vec<Vec<u8>> {
    let mut payloads = Vec::with_capacity(file.chunks.len());
    put_sections_with(file, |raw, _| payloads.push(raw.to_vec()));
    payloads
}

fn put_sections(file: &IndexedFile) -> [(u8, Vec<u8>); 3] {
    put_sections_with(file, |raw, out| {
        let mut compressed = Vec::new();
        frame::compress(raw, &mut compressed);
        put_varint(out, compressed.len() as u64);
        out.extend_from_slice(&compressed);
    })
}

/// Lays out the sections; `put_frame` appends the frame of a chunk's raw strings.
fn put_sections_with(
    file: &IndexedFile,
    mut put_frame: impl FnMut(&[u8], &mut Vec<u8>),
) -> [(u8, Vec<u8>); 3] {
    let (mut chunks, mut keywords, mut references) = (Vec::new(), Vec::new(), Vec::new());
    let depths = depths(&file.declarations);
    let mut next_declaration = 0usize;
    let mut next_reference = 0usize;
    let (mut end_byte, mut end_line) = (0u32, 0u32);
    let mut raw = Vec::new();
    for (ord, chunk) in file.chunks.iter().enumerate() {
        let mut strings = Strings::new(file, ord);
        // A declaration is stored with the last chunk that starts at or before it. Those before the
        // first chunk go to the first.
        let until = file.chunks.get(ord + 1).map_or(file.declarations.len(), |following| {
            file.declarations.partition_point(|d| d.span.bytes.start < following.span.bytes.start)
        });
        let begins = file.declarations.get(next_declaration..until).unwrap_or_default();

        chunks.push(chunk.kind as u8);
        put_distance(&mut chunks, end_byte, chunk.span.bytes.start);
        put_varint(&mut chunks, chunk.span.bytes.len().into());
        put_distance(&mut chunks, end_line, chunk.span.start_line);
        put_varint(&mut chunks, chunk.span.end_line.saturating_sub(chunk.span.start_line).into());
        match chunk.declaration {
            None => chunks.push(0),
            Some(declaration) => {
                chunks.push(1);
                put_distance(&mut chunks, position(next_declaration), declaration);
            }
        }
        put_varint(&mut chunks, begins.len() as u64);
        for (declaration, depth) in begins.iter().zip(depths.get(next_declaration..).unwrap_or_default()) {
            chunks.push(declaration.kind as u8);
            put_varint(&mut chunks, *depth);
            put_varint(&mut chunks, strings.ordinal(&declaration.name));
            let scope =
                if declaration.scope.is_empty() { 0 } else { strings.ordinal(&declaration.scope) + 1 };
            put_varint(&mut chunks, scope);
            put_declaration_spans(&mut chunks, declaration, chunk.span.bytes.start, chunk.span.start_line);
        }
        next_declaration = next_declaration.max(until);

        let rest = file.references.get(next_reference..).unwrap_or_default();
        let n = rest.iter().take_while(|r| r.chunk as usize == ord).count();
        put_varint(&mut references, n as u64);
        for reference in rest.iter().take(n) {
            let mut head = reference.kind as u8;
            head |= if reference.qualifier.is_empty() { 0 } else { HAS_QUALIFIER };
            head |= if reference.alias.is_empty() { 0 } else { HAS_ALIAS };
            references.push(head);
            put_varint(&mut references, strings.ordinal(&reference.name));
            for optional in [&reference.qualifier, &reference.alias] {
                if !optional.is_empty() {
                    put_varint(&mut references, strings.ordinal(optional));
                }
            }
        }
        next_reference += n;

        raw.clear();
        put_strings(&mut raw, file, ord, &strings);
        put_varint(&mut keywords, raw.len() as u64);
        put_frame(&raw, &mut keywords);

        end_byte = chunk.span.bytes.end;
        end_line = chunk.span.end_line;
    }
    [(SECTION_CHUNKS, chunks), (SECTION_KEYWORDS, keywords), (SECTION_REFERENCES, references)]
}

fn put_declaration_spans(out: &mut Vec<u8>, declaration: &Declaration, chunk_byte: u32, chunk_line: u32) {
    let span = &declaration.span;
    put_distance(out, chunk_byte, span.bytes.start);
    put_varint(out, span.bytes.len().into());
    put_distance(out, chunk_line, span.start_line);
    put_varint(out, span.end_line.saturating_sub(span.start_line).into());
    put_distance(out, span.start_line, declaration.name_line);
    for part in [declaration.signature, declaration.body, declaration.doc] {
        put_part(out, span.bytes, part);
    }
}

/// Converts an ordinal to 32 bits; the limits of the format are far below that.
fn position(ord: usize) -> u32 {
    u32::try_from(ord).unwrap_or(u32::MAX)
}

/// Appends a part of a declaration: its length and, unless that is 0, its distance from the
/// declaration's start.
fn put_part(out: &mut Vec<u8>, of: ByteRange, part: ByteRange) {
    put_varint(out, part.len().into());
    if !part.is_empty() {
        put_distance(out, of.start, part.start);
    }
}

/// Appends the raw bytes of a keyword frame: two counts, one byte of counts per token, the strings.
fn put_strings(raw: &mut Vec<u8>, file: &IndexedFile, chunk: usize, strings: &Strings<'_>) {
    let tokens = file.keywords.get(chunk).map(Vec::as_slice).unwrap_or_default();
    put_varint(raw, tokens.len() as u64);
    put_varint(raw, strings.extra.len() as u64);
    for keyword in tokens {
        raw.push(keyword.body.min(15) | keyword.doc.min(7) << 4 | keyword.signature.min(1) << 7);
    }
    for string in tokens.iter().map(|k| k.token.as_str()).chain(strings.extra.iter().copied()) {
        raw.extend_from_slice(string.as_bytes());
        raw.push(b'\n');
    }
}
