//! Encoding a record: the owned value → bytes, in the layout of FORMAT.md.
//!
//! Positions are relative: a chunk to the chunk before it, a declaration to its chunk, a symbol to
//! the symbols of its chunk. So a chunk that only moves keeps its row, and Git's packs store a
//! changed record as a small delta. The same record always gives the same bytes.

use hashbrown::HashMap;

use crate::index::chunk::{ByteRange, Declaration};

use super::build::prefix;
use super::bytes::{put_distance, put_varint};
use super::keywords::{self, Posting};
use super::references::{self, DECLARES, Target};
use super::{CONTENT_VERSION, FORMAT_VERSION, FileRecord, IndexedFile, common, set_writer, sketch};

/// First bytes of every record.
pub(super) const MAGIC: &[u8; 4] = b"cora";

/// Tags of the sections.
pub(super) const SECTION_CHUNKS: u8 = 1;
pub(super) const SECTION_EMBEDDINGS: u8 = 2;
pub(super) const SECTION_KEYWORDS: u8 = 3;
pub(super) const SECTION_REFERENCES: u8 = 4;

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
    out.push(u8::try_from(sections.len()).expect("because there are four sections"));
    for (tag, payload) in &sections {
        out.push(*tag);
        put_varint(out, payload.len() as u64);
    }
    for (_, payload) in &sections {
        out.extend_from_slice(payload);
    }
}

/// All strings of a file, sorted by their bytes, each once.
struct Strings<'f> {
    sorted: Vec<&'f str>,
    /// The number of each string in the list of common words, in the order of `sorted`.
    common: Vec<Option<u32>>,
    /// Numbers of the strings, in the order of their appearance.
    numbers: HashMap<&'f str, u32>,
    /// Ordinals by number.
    ordinals: Vec<u32>,
    /// Ordinals of the tokens of each chunk, in the order of its keywords.
    tokens: Vec<Vec<u32>>,
}

impl<'f> Strings<'f> {
    fn of(file: &'f IndexedFile) -> Self {
        let mut all: Vec<&str> = Vec::new();
        let mut numbers = HashMap::new();
        let mut add = |string: &'f str| -> u32 {
            let next = position(all.len());
            *numbers.entry(string).or_insert_with(|| {
                all.push(string);
                next
            })
        };
        let mut tokens: Vec<Vec<u32>> =
            file.keywords.iter().map(|of| of.iter().map(|keyword| add(&keyword.token)).collect()).collect();
        for declaration in &file.declarations {
            add(&declaration.name);
            Some(&*declaration.scope).filter(|scope| !scope.is_empty()).map(&mut add);
        }
        for reference in &file.references {
            add(&reference.name);
            // An empty qualifier or alias is absent. An empty name is not.
            for optional in [&*reference.qualifier, &*reference.alias] {
                Some(optional).filter(|string| !string.is_empty()).map(&mut add);
            }
        }
        let mut order: Vec<(u64, &str, u32)> =
            all.iter().zip(0..).map(|(string, number)| (prefix(string), *string, number)).collect();
        order.sort_unstable();
        let mut ordinals = vec![0; all.len()];
        for (&(_, _, number), ord) in order.iter().zip(0..) {
            if let Some(slot) = ordinals.get_mut(number as usize) {
                *slot = ord;
            }
        }
        let ordinal = |number: &mut u32| *number = ordinals.get(*number as usize).copied().unwrap_or(0);
        tokens.iter_mut().flatten().for_each(ordinal);
        let sorted: Vec<&str> = order.iter().map(|&(_, string, _)| string).collect();
        let common = sorted.iter().map(|string| common::number(string)).collect();
        Self { sorted, common, numbers, ordinals, tokens }
    }

    fn ordinal(&self, string: &str) -> u32 {
        let number = self.numbers.get(string).copied().unwrap_or(0);
        self.ordinals.get(number as usize).copied().unwrap_or(0)
    }

    /// Returns the ordinals of a chunk's tokens.
    fn tokens_of(&self, chunk: usize) -> &[u32] {
        self.tokens.get(chunk).map(Vec::as_slice).unwrap_or_default()
    }

    fn optional(&self, string: &str) -> Option<u32> {
        (!string.is_empty()).then(|| self.ordinal(string))
    }

    fn declared(&self, declaration: &Declaration) -> Target {
        let (name, scope) = (self.ordinal(&declaration.name), self.optional(&declaration.scope));
        Target { kind: DECLARES, name, qualifier: scope, alias: None }
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

/// Returns the number of declarations that begin before the chunk after this one.
///
/// A declaration is stored with the last chunk that starts at or before it. Those before the first
/// chunk go to the first.
pub(super) fn declarations_until(file: &IndexedFile, chunk: usize) -> usize {
    file.chunks.get(chunk + 1).map_or(file.declarations.len(), |following| {
        file.declarations.partition_point(|d| d.span.bytes.start < following.span.bytes.start)
    })
}

/// Lays out the sections, in the order of their tags.
fn put_sections(file: &IndexedFile) -> [(u8, Vec<u8>); 4] {
    let strings = Strings::of(file);
    let mut mentions = Vec::new();
    let chunks = put_chunks(file, &strings, &mut mentions);
    for reference in &file.references {
        let target = Target {
            kind: reference.kind as u8,
            name: strings.ordinal(&reference.name),
            qualifier: strings.optional(&reference.qualifier),
            alias: strings.optional(&reference.alias),
        };
        mentions.push((target, reference.chunk));
    }
    mentions.sort_unstable();
    mentions.dedup();
    let mut referred = Vec::new();
    references::put(&mut referred, &mentions);
    let signs = sketch::sketches(file, &strings.sorted, &strings.common, |chunk| strings.tokens_of(chunk));
    [
        (SECTION_CHUNKS, chunks),
        (SECTION_EMBEDDINGS, signs.concat()),
        (SECTION_KEYWORDS, put_keywords(file, &strings)),
        (SECTION_REFERENCES, referred),
    ]
}

/// Lays out the strings and the postings.
fn put_keywords(file: &IndexedFile, strings: &Strings<'_>) -> Vec<u8> {
    let mut postings = Vec::new();
    for ((keywords, ordinals), chunk) in file.keywords.iter().zip(&strings.tokens).zip(0..) {
        postings.extend(keywords.iter().zip(ordinals).map(|(keyword, &string)| Posting {
            string,
            chunk,
            counts: keywords::counts(keyword),
        }));
    }
    postings.sort_unstable();
    let both = || strings.sorted.iter().copied().zip(strings.common.iter().copied());
    let own: Vec<&str> = both().filter(|(_, common)| common.is_none()).map(|(string, _)| string).collect();
    let common: Vec<u32> = both().filter_map(|(_, common)| common).collect();
    let set = if own.is_empty() { Vec::new() } else { set_writer::write(&own) };
    let mut out = Vec::new();
    put_varint(&mut out, own.len() as u64);
    put_varint(&mut out, strings.sorted.iter().map(|string| string.len() as u64).sum());
    put_varint(&mut out, common.len() as u64);
    let mut next = 0;
    for number in common {
        put_varint(&mut out, u64::from(number - next));
        next = number + 1;
    }
    put_varint(&mut out, set.len() as u64);
    out.extend_from_slice(&set);
    keywords::put(&mut out, strings.sorted.len(), &postings);
    out
}

/// Lays out the chunk table, and adds what each chunk declares to `mentions`.
fn put_chunks(file: &IndexedFile, strings: &Strings<'_>, mentions: &mut Vec<(Target, u32)>) -> Vec<u8> {
    let mut out = Vec::new();
    let depths = depths(&file.declarations);
    let mut next_declaration = 0usize;
    let (mut end_byte, mut end_line) = (0u32, 0u32);
    for (ord, chunk) in file.chunks.iter().enumerate() {
        let until = declarations_until(file, ord);
        let begins = file.declarations.get(next_declaration..until).unwrap_or_default();
        let mut declared: Vec<Target> = begins.iter().map(|d| strings.declared(d)).collect();
        declared.sort_unstable();
        declared.dedup();
        mentions.extend(declared.iter().map(|&target| (target, position(ord))));

        out.push(chunk.kind as u8);
        put_distance(&mut out, end_byte, chunk.span.bytes.start);
        put_varint(&mut out, chunk.span.bytes.len().into());
        put_distance(&mut out, end_line, chunk.span.start_line);
        put_varint(&mut out, chunk.span.end_line.saturating_sub(chunk.span.start_line).into());
        match chunk.declaration {
            None => out.push(0),
            Some(declaration) => {
                out.push(1);
                put_distance(&mut out, position(next_declaration), declaration);
            }
        }
        put_varint(&mut out, begins.len() as u64);
        for (declaration, depth) in begins.iter().zip(depths.get(next_declaration..).unwrap_or_default()) {
            out.push(declaration.kind as u8);
            put_varint(&mut out, *depth);
            let symbol = declared.partition_point(|target| *target < strings.declared(declaration));
            put_varint(&mut out, symbol as u64);
            put_declaration_spans(&mut out, declaration, chunk.span.bytes.start, chunk.span.start_line);
        }
        next_declaration = next_declaration.max(until);
        end_byte = chunk.span.bytes.end;
        end_line = chunk.span.end_line;
    }
    out
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
