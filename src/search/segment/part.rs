//! A part of a segment that is being built: files that stand next to each other.
//!
//! Owns [`Part`], and what it is given: [`FileInput`], [`DeclarationInput`]. A part splits a token
//! once and remembers its terms. `write` merges the parts.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use bstr::{BStr, ByteSlice};

use crate::base::text::{head, identifier};
use crate::index::chunk::{ByteRange, Chunk, DeclarationKind, Span};
use crate::index::embed::{self, Bag};

use super::field::{Field, N_FIELDS};
use super::intern::Interner;
use super::inverted::InvertedLists;
use super::mentions::Mentions;
use super::path_words;
use super::postings::n_chunks;
use super::rows::{ChunkRow, DeclarationRow, FieldLengths, FileRow};
use super::subtokens::SubTokens;
use super::terms::{TermKind, each_term};
use super::{Error, Mention, Result, narrow};

/// Longest token that is indexed, in bytes. As in records, a longer run is not a word.
pub(super) const TOKEN_BYTES: usize = 64;

/// Maximum nesting of declarations whose names count as a chunk's scope.
const SCOPE_DEPTH: usize = 64;

/// Most bytes of names in a chunk's scope. Names that people write are shorter, even if they are
/// nested deeply.
const SCOPE_BYTES: usize = 512;

/// Longest name, and longest scope, of a declaration, in bytes.
const NAME_BYTES: usize = 4096;

/// Separator between a declaration's scope and its name in the table of names.
const SCOPE_END: char = '\0';

/// Returns a name with its scope, as the table of names stores it.
fn scoped<'n>(scope: &str, name: &'n str) -> Cow<'n, str> {
    if scope.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(format!("{scope}{SCOPE_END}{name}")) }
}

/// Splits a stored name into its scope and its name.
pub(super) fn unscoped(stored: &[u8]) -> (&[u8], &[u8]) {
    stored.split_once_str(b"\0").unwrap_or((b"", stored))
}

/// Returns the place of what is known for a number of the record; it is empty at first.
pub(super) fn slot<T>(known: &mut Vec<Option<T>>, number: u32) -> Result<&mut Option<T>> {
    let at = number as usize;
    if at >= known.len() {
        known.resize_with(at + 1, || None);
    }
    known.get_mut(at).ok_or(Error::Limit { what: "words of a file" })
}

/// The way in which chunks get their vectors. All but the first exist for measuring vectors.
#[derive(Clone, Default)]
pub enum Embedding {
    /// The built-in model makes them.
    #[default]
    Builtin,
    /// The built-in model makes them, and the callback first sees what each is made of.
    Watched(Arc<dyn Fn(&Bag) + Send + Sync>),
    /// Nothing makes them: they are zero and have no direction.
    None,
}

impl std::fmt::Debug for Embedding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Builtin => "Builtin",
            Self::Watched(_) => "Watched",
            Self::None => "None",
        })
    }
}

/// The properties of a file that are known before its chunks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileInput<'f> {
    pub(crate) language: &'f str,
    pub(crate) n_lines: u32,
    pub(crate) source_bytes: u32,
}

/// A declaration that begins in the current chunk; `parent` is an ordinal in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DeclarationInput<'d> {
    pub(crate) name: &'d str,
    pub(crate) scope: &'d str,
    pub(crate) kind: DeclarationKind,
    pub(crate) parent: Option<u32>,
    pub(crate) span: Span,
    pub(crate) name_line: u32,
    pub(crate) signature: ByteRange,
    pub(crate) body: ByteRange,
    pub(crate) doc: ByteRange,
}

/// A reference that a builder has. It is valid for that builder until another is appended.
#[derive(Debug, Clone)]
pub(crate) struct KnownReference {
    /// The number of kind and name.
    number: u32,
    /// The place of the coded mention.
    coded: Range<usize>,
}

/// The place of a term in the current chunk's pending frequencies, valid only while `stamp` is that
/// of the current chunk.
#[derive(Debug, Clone, Copy, Default)]
struct PendingPlace {
    at: u32,
    stamp: u32,
}

/// A run of files. All ordinals in it count from the run's beginning.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) files: Vec<FileRow>,
    pub(super) paths: Vec<u8>,
    pub(super) languages: Interner,
    pub(super) chunks: Vec<ChunkRow>,
    pub(super) lengths: Vec<FieldLengths>,
    /// In these rows, `name_start` is the number of the name in `names`.
    pub(super) declarations: Vec<DeclarationRow>,
    pub(super) names: Interner,
    pub(super) terms: InvertedLists,
    pub(super) references: InvertedLists,
    pub(super) mentions: Mentions,
    tokens: Interner,
    /// By number of a common word of records, its token.
    pub(super) common_tokens: Vec<Option<u32>>,
    /// By token, the start of its terms in `token_terms`; one entry more than there are tokens.
    token_starts: Vec<u32>,
    token_terms: Vec<(u32, TermKind)>,
    /// By chunk, the components of its vector.
    pub(super) vectors: Vec<[u8; embed::DIMENSIONS]>,
    /// By chunk, the sketch of its record.
    pub(super) sketches: Vec<embed::Signs>,
    /// The sketch of the current chunk.
    pub(super) sketch: Option<embed::Signs>,
    pub(super) subtokens: SubTokens,
    /// By token, the start of its sub-tokens in `token_subtokens`; one entry more than there are
    /// tokens.
    subtoken_starts: Vec<u32>,
    token_subtokens: Vec<u16>,
    embedding: Embedding,
    bag: Bag,
    scratch: embed::Scratch,
    pending: Vec<(u32, [u8; N_FIELDS])>,
    /// By term, its place in `pending`.
    term_places: Vec<PendingPlace>,
    pending_lengths: [u32; N_FIELDS],
    stem_tokens: Vec<u32>,
    directory_tokens: Vec<u32>,
}

impl Part {
    /// Returns a part without files, whose chunks get their vectors in this way.
    pub(super) fn new(embedding: Embedding) -> Self {
        Self {
            files: Vec::new(),
            paths: Vec::new(),
            languages: Interner::default(),
            chunks: Vec::new(),
            lengths: Vec::new(),
            declarations: Vec::new(),
            names: Interner::default(),
            terms: InvertedLists::default(),
            references: InvertedLists::default(),
            mentions: Mentions::default(),
            tokens: Interner::default(),
            common_tokens: Vec::new(),
            token_starts: vec![0],
            token_terms: Vec::new(),
            vectors: Vec::new(),
            sketches: Vec::new(),
            sketch: None,
            subtokens: SubTokens::default(),
            subtoken_starts: vec![0],
            token_subtokens: Vec::new(),
            embedding,
            bag: Bag::new(embed::builtin()),
            scratch: embed::Scratch::default(),
            pending: Vec::new(),
            term_places: Vec::new(),
            pending_lengths: [0; N_FIELDS],
            stem_tokens: Vec::new(),
            directory_tokens: Vec::new(),
        }
    }

    /// Frees what only adding chunks needs. A further file takes the time to build it again.
    pub(super) fn shrink(&mut self) {
        self.tokens = Interner::default();
        self.common_tokens = Vec::new();
        self.token_starts = vec![0];
        self.token_terms = Vec::new();
        self.subtoken_starts = vec![0];
        self.token_subtokens = Vec::new();
        self.term_places = Vec::new();
        self.pending = Vec::new();
        self.files.shrink_to_fit();
        self.paths.shrink_to_fit();
        self.languages.shrink();
        self.chunks.shrink_to_fit();
        self.lengths.shrink_to_fit();
        self.declarations.shrink_to_fit();
        self.names.shrink();
        self.terms.shrink();
        self.references.shrink();
        self.mentions.shrink();
        self.vectors.shrink_to_fit();
        self.sketches.shrink_to_fit();
        self.subtokens.shrink();
    }

    /// Frees the tables of files, chunks and declarations.
    pub(super) fn forget_tables(&mut self) {
        self.files = Vec::new();
        self.paths = Vec::new();
        self.chunks = Vec::new();
        self.lengths = Vec::new();
        self.declarations = Vec::new();
        self.names = Interner::default();
    }

    /// Frees what belongs to the embedding model.
    pub(super) fn forget_vectors(&mut self) {
        self.vectors = Vec::new();
        self.sketches = Vec::new();
        self.subtokens = SubTokens::default();
    }

    pub(super) fn first_path(&self) -> Option<&[u8]> {
        self.files.first().map(|file| self.path(file))
    }

    pub(super) fn last_path(&self) -> Option<&[u8]> {
        self.files.last().map(|file| self.path(file))
    }

    fn path(&self, file: &FileRow) -> &[u8] {
        self.paths
            .get(file.path_start as usize..)
            .and_then(|p| p.get(..file.path_len as usize))
            .unwrap_or_default()
    }

    pub(super) fn begin_file(&mut self, path: &BStr, input: FileInput<'_>) -> Result<()> {
        if self.last_path().is_some_and(|last| last >= path.as_bytes()) {
            return Err(Error::Order { path: path.to_str_lossy().into_owned() });
        }
        let full = Error::Limit { what: "languages" };
        let (language, _) = self.languages.intern(input.language.as_bytes()).ok_or(full)?;
        let (stem, directory) = path_words::stem_and_directory(path);
        self.stem_tokens = self.text_tokens(&stem)?;
        self.directory_tokens = self.text_tokens(&directory)?;
        let mut words: Vec<u32> = Vec::new();
        for &token in &self.stem_tokens {
            words.extend(self.terms_of(token).filter(|t| t.1 == TermKind::Part).map(|t| t.0));
        }
        words.sort_unstable();
        words.dedup();
        self.files.push(FileRow {
            path_start: narrow(self.paths.len(), "bytes of paths")?,
            path_len: narrow(path.len(), "bytes of a path")?,
            n_lines: input.n_lines,
            source_bytes: input.source_bytes,
            first_chunk: narrow(self.chunks.len(), "chunks")?,
            first_declaration: narrow(self.declarations.len(), "declarations")?,
            language: u16::try_from(language).map_err(|_| Error::Limit { what: "languages" })?,
            skip_reason: 0,
            flags: path_words::flags(path),
            n_stem_words: u8::try_from(words.len()).unwrap_or(u8::MAX),
        });
        self.paths.extend_from_slice(path);
        Ok(())
    }

    pub(super) fn begin_chunk(&mut self, chunk: &Chunk) -> Result<()> {
        let file = narrow(self.files.len(), "files")?.saturating_sub(1);
        let base = self.files.last().map_or(0, |f| f.first_declaration);
        let next = narrow(self.declarations.len(), "declarations")?;
        let declaration = chunk.declaration.and_then(|d| base.checked_add(d));
        n_chunks(self.chunks.len() + 1)?;
        self.chunks.push(ChunkRow::new(file, chunk, declaration, next));
        self.pending.clear();
        self.pending_lengths = [0; N_FIELDS];
        Ok(())
    }

    pub(super) fn declaration(&mut self, input: &DeclarationInput<'_>) -> Result<()> {
        let base = self.files.last().map_or(0, |f| f.first_declaration);
        let own = narrow(self.declarations.len(), "declarations")?;
        let name = head(input.name, NAME_BYTES);
        let stored = scoped(head(input.scope, NAME_BYTES), name);
        let (number, _) = self.names.intern(stored.as_bytes()).ok_or(Error::Limit { what: "names" })?;
        self.declarations.push(DeclarationRow {
            chunk: narrow(self.chunks.len(), "chunks")?.saturating_sub(1),
            name_start: number,
            name_len: u16::try_from(stored.len()).unwrap_or(0),
            kind: input.kind,
            parent: input.parent.and_then(|p| base.checked_add(p)).filter(|&p| p < own),
            span: input.span,
            name_line: input.name_line,
            signature: input.signature,
            body: input.body,
            doc: input.doc,
        });
        for token in self.text_tokens(name)? {
            self.add(token, &[(Field::Symbol, 1)]);
        }
        Ok(())
    }

    pub(super) fn reference(&mut self, mention: &Mention<'_>) -> Result<KnownReference> {
        let name = head(mention.name, usize::from(u8::MAX));
        let short = |text| head(text, usize::from(u8::MAX));
        let (qualifier, alias) = (short(mention.qualifier), short(mention.alias));
        let coded = self.mentions.push(&Mention { name, qualifier, alias, ..*mention })?;
        let mut key = Vec::with_capacity(name.len() + 1);
        key.push(mention.kind as u8);
        key.extend_from_slice(name.as_bytes());
        let number = self.references.key(&key)?;
        self.refer(number)?;
        Ok(KnownReference { number, coded })
    }

    pub(super) fn repeat(&mut self, known: &KnownReference) -> Result<()> {
        self.mentions.repeat(known.coded.clone());
        self.refer(known.number)
    }

    /// Adds the current chunk to the list of a referenced name, once.
    fn refer(&mut self, number: u32) -> Result<()> {
        let chunk = narrow(self.chunks.len(), "chunks")?.saturating_sub(1);
        let entry = self.references.entries.get(number as usize).copied().unwrap_or_default();
        if entry.n == 0 || entry.last != chunk {
            self.references.push(number, chunk, None)?;
        }
        Ok(())
    }

    pub(super) fn end_chunk(&mut self) -> Result<()> {
        let chunk = narrow(self.chunks.len(), "chunks")?.saturating_sub(1);
        let is_test = self.is_test(chunk);
        if let Some(row) = self.chunks.last_mut() {
            row.is_test = is_test;
        }
        for name in self.scope(chunk) {
            let name = String::from_utf8_lossy(&name).into_owned();
            for token in self.text_tokens(&name)? {
                self.add(token, &[(Field::Scope, 1)]);
            }
        }
        for (tokens, field) in [
            (std::mem::take(&mut self.stem_tokens), Field::Stem),
            (std::mem::take(&mut self.directory_tokens), Field::Directory),
        ] {
            for &token in &tokens {
                self.add(token, &[(field, 1)]);
            }
            match field {
                Field::Stem => self.stem_tokens = tokens,
                _ => self.directory_tokens = tokens,
            }
        }
        let mut pending = std::mem::take(&mut self.pending);
        for (term, frequencies) in pending.drain(..) {
            self.terms.push(term, chunk, Some(&frequencies))?;
        }
        self.pending = pending;
        if let Embedding::Watched(watch) = &self.embedding {
            watch(&self.bag);
        }
        self.subtokens.push(&self.bag)?;
        let vector = self.bag.finish(embed::builtin(), embed::Side::Code);
        self.sketches.push(self.sketch.take().unwrap_or_else(|| vector.signs()));
        self.vectors.push(vector.to_bytes());
        self.mentions.end_chunk()?;
        self.lengths.push(self.pending_lengths.map(|n| u16::try_from(n).unwrap_or(u16::MAX)));
        Ok(())
    }

    /// Returns the names of the declarations and scopes around a chunk, innermost first.
    ///
    /// The chunk's own declaration counts only if it began in an earlier chunk. The outer names
    /// that exceed [`SCOPE_BYTES`] are left out: every chunk in a declaration has all of its names.
    fn scope(&self, chunk: u32) -> Vec<Vec<u8>> {
        let mut names: Vec<Vec<u8>> = Vec::new();
        let mut rest = SCOPE_BYTES;
        let mut at = self.chunks.last().and_then(|c| c.declaration);
        while let Some(row) = at.and_then(|d| self.declarations.get(d as usize)) {
            if names.len() >= SCOPE_DEPTH {
                break;
            }
            let (scope, name) = unscoped(self.names.get(row.name_start));
            let name = if row.chunk == chunk { &[] } else { name };
            for part in [name, scope].into_iter().filter(|part| !part.is_empty()) {
                let Some(less) = rest.checked_sub(part.len()) else { return names };
                rest = less;
                names.push(part.to_vec());
            }
            at = row.parent;
        }
        names
    }

    /// Returns whether a chunk is a declared test case, a function called `test_…`, or part of a
    /// module of tests.
    fn is_test(&self, chunk: u32) -> bool {
        use DeclarationKind as K;
        let mut at = self.chunks.last().and_then(|c| c.declaration);
        let mut depth = 0;
        while let Some(row) = at.and_then(|d| self.declarations.get(d as usize)) {
            let (_, name) = unscoped(self.names.get(row.name_start));
            let says_so = match row.kind {
                K::Test => true,
                K::Module => matches!(name, b"test" | b"tests"),
                K::Function | K::Method => name.starts_with(b"test_"),
                _ => false,
            };
            if says_so {
                return true;
            }
            if depth >= SCOPE_DEPTH {
                break;
            }
            depth += 1;
            at = row.parent;
        }
        let first = self.chunks.last().map_or(0, |c| c.first_declaration);
        let own = self.declarations.get(first as usize..).unwrap_or_default();
        !own.is_empty() && own.iter().all(|row| row.kind == K::Test && row.chunk == chunk)
    }

    fn terms_of(&self, token: u32) -> impl Iterator<Item = (u32, TermKind)> + '_ {
        let bound = |i: u32| self.token_starts.get(i as usize).map_or(0, |&n| n as usize);
        self.token_terms.get(bound(token)..bound(token + 1)).unwrap_or_default().iter().copied()
    }

    fn text_tokens(&mut self, text: &str) -> Result<Vec<u32>> {
        let mut tokens = Vec::new();
        for token in identifier::tokens(text).filter(|t| t.len() <= TOKEN_BYTES) {
            tokens.push(self.token(token)?);
        }
        Ok(tokens)
    }

    /// Returns the number of a token. Its terms and sub-tokens are determined on its first
    /// appearance.
    pub(super) fn token(&mut self, token: &str) -> Result<u32> {
        let (number, new) = self.tokens.intern(token.as_bytes()).ok_or(Error::Limit { what: "tokens" })?;
        if new {
            let Self { terms, token_terms, token_subtokens, scratch, .. } = self;
            let mut failure = None;
            each_term(token, |term, kind| match terms.key(term.as_bytes()) {
                Ok(number) => token_terms.push((number, kind)),
                Err(error) => failure = Some(error),
            });
            if let Some(error) = failure {
                return Err(error);
            }
            if !matches!(self.embedding, Embedding::None) {
                embed::builtin().vocabulary().each(token, scratch, |subtoken| {
                    token_subtokens.extend(u16::try_from(subtoken));
                });
            }
            self.term_places.resize(self.terms.entries.len(), PendingPlace::default());
            self.token_starts.push(narrow(self.token_terms.len(), "terms")?);
            self.subtoken_starts.push(narrow(self.token_subtokens.len(), "sub-tokens")?);
        }
        Ok(number)
    }

    /// Adds a token's terms and sub-tokens to the counts of the current chunk.
    pub(super) fn add(&mut self, token: u32, counts: &[(Field, u8)]) {
        let stamp = u32::try_from(self.chunks.len()).unwrap_or(u32::MAX);
        let Self { term_places, pending, pending_lengths, bag, .. } = self;
        for &subtoken in run(&self.token_subtokens, &self.subtoken_starts, token) {
            bag.add_several(
                subtoken.into(),
                counts.iter().map(|&(field, count)| (embedded(field), count.into())),
            );
        }
        for &(term, _) in run(&self.token_terms, &self.token_starts, token) {
            let Some(place) = term_places.get_mut(term as usize) else { continue };
            // A stamp marks stale places, because resetting all terms for each chunk would cost far
            // more.
            if place.stamp != stamp {
                place.stamp = stamp;
                place.at = u32::try_from(pending.len()).unwrap_or(u32::MAX);
                pending.push((term, [0; N_FIELDS]));
            }
            let Some((_, frequencies)) = pending.get_mut(place.at as usize) else { continue };
            for &(field, count) in counts {
                if let (Some(n), Some(length)) =
                    (frequencies.get_mut(field as usize), pending_lengths.get_mut(field as usize))
                {
                    *n = n.saturating_add(count);
                    *length = length.saturating_add(u32::from(count));
                }
            }
        }
    }
}

/// Returns the entries of one token from a list of all tokens' entries.
fn run<'a, T>(all: &'a [T], starts: &[u32], token: u32) -> &'a [T] {
    let bound = |i: u32| starts.get(i as usize).map_or(0, |&n| n as usize);
    all.get(bound(token)..bound(token + 1)).unwrap_or_default()
}

/// Returns the embedding model's name for a field.
fn embedded(field: Field) -> embed::Field {
    match field {
        Field::Symbol => embed::Field::Symbol,
        Field::Signature => embed::Field::Signature,
        Field::Doc => embed::Field::Doc,
        Field::Body => embed::Field::Body,
        Field::Scope => embed::Field::Scope,
        Field::Stem => embed::Field::Stem,
        Field::Directory => embed::Field::Directory,
    }
}
