//! Decoding a record: bytes → a checked view that is visited chunk by chunk, or the owned value.
//!
//! Owns [`RecordView`] and the views it hands out. The bytes may come from anyone. Every length is
//! checked against [`super::limits`] and against the bytes left before anything is allocated.
//! Unknown sections are skipped. Nothing here panics or recurses.

use crate::base::id::ObjectId;
use crate::index::chunk::{
    ByteRange, Chunk, Declaration, DeclarationKind, Method, Reference, ReferenceKind, Span,
};
use crate::index::embed::Signs;
use crate::index::source::SkipReason;

use super::bytes::Reader;
use super::codes::{
    chunk_kind_from_code, declaration_kind_from_code, method_from_code, reference_kind_from_code,
};
use super::dictionary::Strings;
use super::encode::{MAGIC, SECTION_CHUNKS, SECTION_EMBEDDINGS, SECTION_KEYWORDS, SECTION_REFERENCES};
use super::keywords::ChunkKeywords;
use super::references::{ChunkTargets, Target};
use super::{
    CONTENT_VERSION, Error, FORMAT_VERSION, FileRecord, IndexedFile, Keyword, common, limits, sketch,
};

/// An opened record.
#[derive(Debug)]
pub enum OpenRecord<'a> {
    /// The file is not indexed.
    Skipped(SkipReason),
    /// The file is indexed.
    Indexed(RecordView<'a>),
}

/// A record with a checked header; its sections are decoded during the visit.
#[derive(Debug, Clone)]
pub struct RecordView<'a> {
    blob: ObjectId,
    language: &'a str,
    method: Method,
    source_bytes: u32,
    n_lines: u32,
    n_declarations: u32,
    n_chunks: u32,
    chunks: Section<'a>,
    embeddings: Section<'a>,
    keywords: Section<'a>,
    references: Section<'a>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Section<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Section<'a> {
    fn reader(&self) -> Reader<'a> {
        Reader::new("record", self.bytes, self.offset)
    }
}

/// A declaration that begins in the visited chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeclarationRef<'r> {
    /// The bare name.
    pub name: &'r str,
    /// The type or namespace that it belongs to without being nested in it; empty if none.
    pub scope: &'r str,
    /// The kind of the declared thing.
    pub kind: DeclarationKind,
    /// Ordinal, in the file, of the declaration around it; `None` at the top level.
    pub parent: Option<u32>,
    /// The span of the whole declaration.
    pub span: Span,
    /// Line of its name, 1-based.
    pub name_line: u32,
    /// Byte range of its signature.
    pub signature: ByteRange,
    /// Byte range of its body; empty if absent.
    pub body: ByteRange,
    /// Byte range of its doc comment; empty if absent.
    pub doc: ByteRange,
}

/// A keyword of the visited chunk, borrowed; see [`Keyword`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeywordRef<'r> {
    /// The token as written.
    pub token: &'r str,
    /// Ordinal of the token among the strings of the record; they are sorted by their bytes.
    pub string: u32,
    /// Number of the token among the words that are common in all records, if it is one of them.
    pub common: Option<u32>,
    /// Number of occurrences in comments and docstrings, 0–7.
    pub doc: u8,
    /// Number of occurrences in signatures, 0–1.
    pub signature: u8,
    /// Number of occurrences elsewhere, 0–15.
    pub body: u8,
}

/// A reference of the visited chunk, borrowed; see [`Reference`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReferenceRef<'r> {
    /// The kind of the reference.
    pub kind: ReferenceKind,
    /// Number of what is referred to in the record; equal references in several chunks share it.
    pub target: u32,
    /// The last segment of the referenced name.
    pub name: &'r str,
    /// The text before the name; empty if none.
    pub qualifier: &'r str,
    /// The local name of an import, or the type of a call's qualifier; empty if none.
    pub alias: &'r str,
}

/// One chunk during a visit.
#[derive(Debug)]
pub struct ChunkView<'r> {
    /// Its ordinal in the file.
    pub ord: u32,
    /// Its span, kind and declaration.
    pub chunk: Chunk,
    /// Ordinal, in the file, of the first of `declarations`.
    pub first_declaration: u32,
    /// The declarations that begin in it.
    pub declarations: &'r [DeclarationRef<'r>],
    /// Its keywords, sorted by token bytes.
    pub keywords: &'r [KeywordRef<'r>],
    /// Its references.
    pub references: &'r [ReferenceRef<'r>],
    /// The signs of its vector by the built-in model, without the words of the file's path.
    pub sketch: &'r Signs,
}

/// The words of a record that was read, in buffers that are reused from record to record.
#[derive(Debug, Default)]
pub struct Scratch {
    strings: Strings,
    /// Numbers of the common words.
    common: Vec<u32>,
    keywords: ChunkKeywords,
    targets: ChunkTargets,
}

impl Scratch {
    /// Returns the chunk whose different tokens have the most bytes together, the first of equals.
    pub fn heaviest_chunk(&self, n_chunks: u32) -> u32 {
        let len = |ord: u32| self.strings.get(ord as usize).map_or(0, str::len);
        let bytes = |chunk: u32| -> usize { self.keywords.of(chunk).iter().map(|&(ord, _)| len(ord)).sum() };
        // A single chunk needs no count.
        let chunks = if n_chunks > 1 { 0..n_chunks } else { 0..0 };
        chunks.rev().max_by_key(|&chunk| bytes(chunk)).unwrap_or(0)
    }
}

impl<'a> RecordView<'a> {
    /// Checks the header of a record.
    ///
    /// # Errors
    /// [`Error::Version`] for another format or content version, otherwise
    /// [`Error::Corrupt`] or [`Error::Limit`] with the offset.
    pub fn open(bytes: &'a [u8]) -> Result<OpenRecord<'a>, Error> {
        if bytes.len() > limits::RECORD_BYTES {
            return Err(Error::Limit {
                what: "record",
                unit: "bytes",
                found: bytes.len() as u64,
                bound: limits::RECORD_BYTES as u64,
            });
        }
        let mut reader = Reader::new("record", bytes, 0);
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(Error::Corrupt { what: "record", offset: 0, why: "magic number is missing" });
        }
        check_version("record", reader.u8()?.into(), FORMAT_VERSION.into())?;
        check_version("record", reader.u16()?.into(), CONTENT_VERSION.into())?;
        let reason = reader.u8()?;
        if reason != 0 {
            let reason =
                SkipReason::from_code(reason).ok_or_else(|| reader.corrupt("unknown skip reason"))?;
            return Ok(OpenRecord::Skipped(reason));
        }
        let id_len = reader.u8()?;
        let blob = ObjectId::from_bytes(reader.take(id_len.into())?)
            .ok_or_else(|| reader.corrupt("blob id has neither 20 nor 32 bytes"))?;
        let name_len = reader.u8()?;
        let language = std::str::from_utf8(reader.take(name_len.into())?)
            .map_err(|_| reader.corrupt("language name is not UTF-8"))?;
        let method =
            method_from_code(reader.u8()?).ok_or_else(|| reader.corrupt("unknown chunking method"))?;
        let source_bytes = reader.u32()?;
        let n_lines = reader.u32()?;
        let n_declarations = small(reader.count("declarations", limits::DECLARATIONS)?);
        let n_chunks = small(reader.count("chunks", limits::CHUNKS)?);
        let mut view = Self {
            blob,
            language,
            method,
            source_bytes,
            n_lines,
            n_declarations,
            n_chunks,
            chunks: Section::default(),
            embeddings: Section::default(),
            keywords: Section::default(),
            references: Section::default(),
        };
        let n_sections = reader.u8()?;
        let mut sections = Vec::with_capacity(n_sections.into());
        for _ in 0..n_sections {
            let tag = reader.u8()?;
            sections.push((tag, reader.count("bytes in a section", limits::RECORD_BYTES)?));
        }
        for (tag, len) in sections {
            let offset = reader.offset();
            let section = Section { bytes: reader.take(len)?, offset };
            match tag {
                SECTION_CHUNKS => view.chunks = section,
                SECTION_EMBEDDINGS => view.embeddings = section,
                SECTION_KEYWORDS => view.keywords = section,
                SECTION_REFERENCES => view.references = section,
                _ => {} // a later writer of the same format may add sections
            }
        }
        if !reader.is_at_end() {
            return Err(reader.corrupt("bytes after the last section"));
        }
        // A chunk's row has at least 7 bytes, so the section bounds the allocation.
        if (n_chunks as usize).saturating_mul(7) > view.chunks.bytes.len() {
            return Err(Error::Corrupt {
                what: "record",
                offset: view.chunks.offset,
                why: "too few chunk rows",
            });
        }
        if view.embeddings.bytes.len() != (n_chunks as usize).saturating_mul(sketch::BYTES) {
            return Err(Error::Corrupt {
                what: "record",
                offset: view.embeddings.offset,
                why: "number of embeddings differs from that of chunks",
            });
        }
        Ok(OpenRecord::Indexed(view))
    }

    /// Returns the source blob of the record.
    pub fn blob(&self) -> ObjectId {
        self.blob
    }

    /// Returns the name of the language.
    pub fn language(&self) -> &'a str {
        self.language
    }

    /// Returns the way the file was chunked.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Returns the size of the source text in bytes.
    pub fn source_bytes(&self) -> u32 {
        self.source_bytes
    }

    /// Returns the number of lines of the source text.
    pub fn n_lines(&self) -> u32 {
        self.n_lines
    }

    /// Returns the number of chunks.
    pub fn n_chunks(&self) -> u32 {
        self.n_chunks
    }

    /// Returns the number of declarations.
    pub fn n_declarations(&self) -> u32 {
        self.n_declarations
    }

    /// Returns the bytes of the sections: chunk table, embeddings, keywords, references.
    pub fn section_bytes(&self) -> [usize; 4] {
        [self.chunks, self.embeddings, self.keywords, self.references].map(|section| section.bytes.len())
    }

    /// Returns the number and the bytes of the record's different strings, as the record states
    /// them: an upper bound until a visit has checked them.
    ///
    /// # Errors
    /// [`Error::Corrupt`] or [`Error::Limit`].
    pub fn strings(&self) -> Result<(usize, usize), Error> {
        if self.n_chunks == 0 {
            return Ok((0, 0));
        }
        let [n_own, n_bytes, n_common] = string_counts(&mut self.keywords.reader())?;
        Ok((n_own + n_common, n_bytes))
    }

    /// Reads the strings, the keywords and the references into `scratch`, for
    /// [`RecordView::visit_read`].
    ///
    /// # Errors
    /// [`Error::Corrupt`] or [`Error::Limit`] if the bytes break the format.
    pub fn read(&self, scratch: &mut Scratch) -> Result<(), Error> {
        let Scratch { strings, common, keywords, targets } = scratch;
        strings.clear();
        if self.n_chunks == 0 {
            return Ok(());
        }
        let mut rows = self.keywords.reader();
        let [n_own, n_bytes, n_common] = string_counts(&mut rows)?;
        common.clear();
        let mut next = 0u32;
        for _ in 0..n_common {
            let number = next.checked_add(rows.u32()?);
            common.extend(number);
            next = number
                .and_then(|number| number.checked_add(1))
                .ok_or_else(|| rows.corrupt("unknown common word"))?;
        }
        let len = rows.count("bytes in a set", limits::RECORD_BYTES)?;
        let set = rows.take(len)?;
        // Each string has a row of at least one byte, so the section bounds the allocations.
        let n_strings = n_own + n_common;
        if n_strings > rows.remaining() || n_bytes > n_strings.saturating_mul(limits::STRING_BYTES) {
            return Err(rows.corrupt("fewer strings than stated"));
        }
        strings.read(set, n_own, n_bytes, common).map_err(|why| rows.corrupt(why))?;
        keywords.read(&mut rows, n_strings, self.n_chunks)?;
        if !rows.is_at_end() {
            return Err(rows.corrupt("bytes after the last keyword"));
        }
        targets.read(&mut self.references.reader(), n_strings, self.n_chunks)
    }

    /// Decodes one chunk after another and passes each to `f`, which may stop the visit with an
    /// error.
    ///
    /// # Errors
    /// The error of `f`, or [`Error::Corrupt`] or [`Error::Limit`] if the bytes break the
    /// format.
    pub fn visit<E: From<Error>>(
        &self,
        scratch: &mut Scratch,
        f: impl FnMut(ChunkView<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.read(scratch)?;
        self.visit_read(scratch, f)
    }

    /// Visits the chunks of a record whose words [`RecordView::read`] has read before.
    ///
    /// # Errors
    /// The same as [`RecordView::visit`].
    pub fn visit_read<E: From<Error>>(
        &self,
        words: &Scratch,
        mut f: impl FnMut(ChunkView<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Scratch { strings, keywords: by_chunk, targets, .. } = words;
        let string = |ord: u32| strings.get(ord as usize).unwrap_or_default();
        let optional = |ord: Option<u32>| ord.map(string).unwrap_or_default();
        let mut rows = self.chunks.reader();
        let (mut end_byte, mut end_line) = (0u32, 0u32);
        let mut n_declarations = 0u32;
        // The declarations around the next one: ordinal and depth, outermost first.
        let mut around: Vec<(u32, usize)> = Vec::new();
        let (mut declared, mut keywords) = (Vec::<Target>::new(), Vec::new());
        let (mut declarations, mut references) = (Vec::new(), Vec::new());
        let sketches = self.embeddings.bytes.as_chunks::<{ sketch::BYTES }>().0;
        for (ord, sketch) in (0..self.n_chunks).zip(sketches) {
            let (of_chunk, referred) = targets.of(ord);
            declared.clear();
            declared.extend(of_chunk);
            let mut chunk = self.read_chunk(&mut rows, end_byte, end_line, n_declarations)?;
            if chunk.declaration.is_some_and(|d| d >= self.n_declarations) {
                chunk.declaration = None;
            }
            let n_begins = rows.count("declarations", limits::DECLARATIONS)?;
            if n_begins > (self.n_declarations - n_declarations) as usize {
                return Err(rows.corrupt("more declarations than stated").into());
            }
            let first_declaration = n_declarations;
            declarations.clear();
            for _ in 0..n_begins {
                let kind = declaration_kind_from_code(rows.u8()?)
                    .ok_or_else(|| rows.corrupt("unknown declaration kind"))?;
                let depth = rows.count("levels of declarations", limits::DEPTH)?;
                around.retain(|&(_, outer)| outer < depth);
                let parent = around.last().map(|&(ord, _)| ord);
                around.push((n_declarations, depth));
                let symbol = usize::try_from(rows.varint()?).ok().and_then(|symbol| declared.get(symbol));
                let symbol = symbol.ok_or_else(|| rows.corrupt("declaration of an unknown symbol"))?;
                let names = [string(symbol.name), optional(symbol.qualifier)];
                declarations.push(self.read_declaration(&mut rows, names, kind, parent, &chunk)?);
                n_declarations += 1;
            }

            keywords.clear();
            keywords.extend(by_chunk.of(ord).iter().map(|&(ord, counts)| KeywordRef {
                token: string(ord),
                string: ord,
                common: strings.common(ord as usize),
                body: counts & 0x0f,
                doc: counts >> 4 & 0x07,
                signature: counts >> 7,
            }));
            references.clear();
            for (number, target) in referred {
                references.push(ReferenceRef {
                    kind: reference_kind_from_code(target.kind)
                        .ok_or_else(|| self.references.reader().corrupt("unknown reference kind"))?,
                    target: number,
                    name: string(target.name),
                    qualifier: optional(target.qualifier),
                    alias: optional(target.alias),
                });
            }
            for (n, unit, bound) in [
                (keywords.len(), "tokens of a chunk", limits::TOKENS_PER_CHUNK),
                (references.len(), "references of a chunk", limits::REFERENCES_PER_CHUNK),
            ] {
                if n > bound {
                    let (found, bound) = (n as u64, bound as u64);
                    return Err(Error::Limit { what: "record", unit, found, bound }.into());
                }
            }

            end_byte = chunk.span.bytes.end;
            end_line = chunk.span.end_line;
            f(ChunkView {
                ord,
                chunk,
                first_declaration,
                declarations: &declarations,
                keywords: &keywords,
                references: &references,
                sketch,
            })?;
        }
        if n_declarations != self.n_declarations {
            return Err(rows.corrupt("fewer declarations than stated").into());
        }
        Ok(())
    }

    /// Reads a span inside the file; its start is relative to the given byte and line.
    fn read_span(&self, rows: &mut Reader<'_>, from_byte: u32, from_line: u32) -> Result<Span, Error> {
        let start = rows.distance(from_byte)?;
        let end = start.checked_add(rows.u32()?).filter(|&end| end <= self.source_bytes);
        let start_line = rows.distance(from_line)?;
        let end_line = start_line.checked_add(rows.u32()?).filter(|&line| line <= self.n_lines);
        match (end, end_line) {
            (Some(end), Some(end_line)) if start_line > 0 => {
                Ok(Span { bytes: ByteRange { start, end }, start_line, end_line })
            }
            _ => Err(rows.corrupt("span ends outside the file")),
        }
    }

    fn read_chunk(
        &self,
        rows: &mut Reader<'_>,
        end_byte: u32,
        end_line: u32,
        n_declarations: u32,
    ) -> Result<Chunk, Error> {
        let kind = chunk_kind_from_code(rows.u8()?).ok_or_else(|| rows.corrupt("unknown chunk kind"))?;
        let span = self.read_span(rows, end_byte, end_line)?;
        let declaration = match rows.u8()? {
            0 => None,
            1 => Some(rows.distance(n_declarations)?),
            _ => return Err(rows.corrupt("chunk's declaration is neither absent nor present")),
        };
        Ok(Chunk { span, kind, declaration })
    }

    fn read_declaration<'r>(
        &self,
        rows: &mut Reader<'_>,
        [name, scope]: [&'r str; 2],
        kind: DeclarationKind,
        parent: Option<u32>,
        chunk: &Chunk,
    ) -> Result<DeclarationRef<'r>, Error> {
        let span = self.read_span(rows, chunk.span.bytes.start, chunk.span.start_line)?;
        let name_line = rows.distance(span.start_line)?;
        let mut parts = [ByteRange::default(); 3];
        for part in &mut parts {
            let len = rows.u32()?;
            if len > 0 {
                let start = rows.distance(span.bytes.start)?;
                let end = start
                    .checked_add(len)
                    .filter(|&end| end <= self.source_bytes)
                    .ok_or_else(|| rows.corrupt("part of a declaration ends outside the file"))?;
                *part = ByteRange { start, end };
            }
        }
        let [signature, body, doc] = parts;
        Ok(DeclarationRef { name, scope, kind, parent, span, name_line, signature, body, doc })
    }

    /// Decodes everything into the owned value.
    ///
    /// # Errors
    /// The same as [`RecordView::visit`].
    pub fn to_owned(&self, scratch: &mut Scratch) -> Result<IndexedFile, Error> {
        let mut file = IndexedFile {
            blob: self.blob,
            language: self.language.to_owned(),
            method: self.method,
            source_bytes: self.source_bytes,
            n_lines: self.n_lines,
            declarations: Vec::new(),
            chunks: Vec::new(),
            keywords: Vec::new(),
            references: Vec::new(),
        };
        self.visit(scratch, |view| {
            file.declarations.extend(view.declarations.iter().map(|d| Declaration {
                name: d.name.to_owned(),
                scope: d.scope.to_owned(),
                kind: d.kind,
                parent: d.parent,
                span: d.span,
                name_line: d.name_line,
                signature: d.signature,
                body: d.body,
                doc: d.doc,
            }));
            file.keywords.push(
                view.keywords
                    .iter()
                    .map(|k| Keyword {
                        token: k.token.to_owned(),
                        doc: k.doc,
                        signature: k.signature,
                        body: k.body,
                    })
                    .collect(),
            );
            file.references.extend(view.references.iter().map(|r| Reference {
                chunk: view.ord,
                kind: r.kind,
                name: r.name.to_owned(),
                qualifier: r.qualifier.to_owned(),
                alias: r.alias.to_owned(),
            }));
            file.chunks.push(view.chunk);
            Ok::<(), Error>(())
        })?;
        Ok(file)
    }
}

/// Decodes a record completely.
///
/// # Errors
/// The same as [`RecordView::open`] and [`RecordView::visit`].
pub fn decode(bytes: &[u8]) -> Result<FileRecord, Error> {
    match RecordView::open(bytes)? {
        OpenRecord::Skipped(reason) => Ok(FileRecord::Skipped(reason)),
        OpenRecord::Indexed(view) => Ok(FileRecord::Indexed(view.to_owned(&mut Scratch::default())?)),
    }
}

/// Returns an error unless the version is the expected one.
pub(super) fn check_version(what: &'static str, found: u32, expected: u32) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(Error::Version { what, found, expected }) }
}

/// Converts a count whose bound is far below 32 bits.
fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Reads the number of strings that are spelt out, the bytes of all strings, and the number of
/// common words.
fn string_counts(rows: &mut Reader<'_>) -> Result<[usize; 3], Error> {
    let n_own = rows.count("strings", limits::STRINGS)?;
    let n_bytes = rows.count("bytes of strings", limits::STRINGS_BYTES)?;
    Ok([n_own, n_bytes, rows.count("common words", common::len())?])
}
