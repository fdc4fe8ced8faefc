//! Whether a record may be what the writer makes of its source: received records are only data.
//!
//! Owns [`load_record`]. The checks need the text of the source, never its syntax tree. So they
//! cost one pass over the text, not a new record. They are strict: an unusual but honest record may
//! fail. Then [`load_record`] makes the record again. Equal bytes prove it to be honest.
//!
//! A record that passes can still misrank, and leave names out. It can't show a name that does not
//! stand at its place. It can't cost more than an honest record of a similar source.

mod bounds;
mod names;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::ops::Range;

use bstr::ByteSlice as _;

use super::chunk::{ByteRange, DeclarationKind, Language, Method, without_language};
use super::record::{
    self, ChunkView, DeclarationRef, Error, KeywordRef, RecordView, ReferenceRef, Scratch, limits, tokens,
};
use super::{IndexOptions, Recorder, Result, source};
use crate::base::id::ObjectId;
use crate::base::text::{head, path};
use crate::git::{Attributes, Blob, EntryMode, Repository, TreeEntry};
use bounds::Bounds;
use names::{hash, is_clean, is_phrase, mixed, stands, words_stand};

/// Most bytes of a record for each byte of its source, above [`SMALL_RECORD`]. Honest records of
/// more than 2,000 bytes have half a byte.
const RECORD_PER_BYTE: u64 = 4;

/// Bytes that each record may have.
const SMALL_RECORD: u64 = 64 << 10;

/// The tokens of the chunk with the most bytes of tokens are looked up in the text, and those of
/// one chunk in this number, chosen at random. To look up those of all chunks would take a third of
/// a segment's time.
const TOKEN_SAMPLE: u64 = 8;

/// Most searches of a text for names, before it is tokenised instead.
const SEARCHES: u32 = 40;

/// Longest line of a heading whose words are compared one by one.
const HEADING_BYTES: usize = 1000;

/// How a stored record was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedRecord {
    /// The encoded record.
    pub bytes: Vec<u8>,
    /// Whether the stored record was damaged or missing, and this one was made from the source.
    pub is_remade: bool,
    /// Whether its words were read, so that [`RecordView::visit_read`] may follow.
    pub is_read: bool,
}

/// Returns the record of a source file: the stored bytes if they pass the checks, else a new
/// record.
///
/// The source is read only if it is in the store. A promised blob is not fetched for the check. A
/// record that was made here ([`super::is_made_here`]) is checked without its source. A stored
/// record that passes leaves its words in `scratch`.
///
/// # Errors
/// [`super::Error::Git`] if Git fails.
pub fn load_record(
    repo: &Repository,
    recorder: &Recorder,
    attributes: &Attributes,
    file: &TreeEntry,
    mut stored: Option<Vec<u8>>,
    is_made_here: bool,
    scratch: &mut Scratch,
) -> Result<LoadedRecord> {
    if let Some(bytes) = stored.take_if(|bytes| match is_made_here {
        true => check_with(bytes, &Source::absent(file.id, recorder.options()), scratch).is_ok(),
        false => is_accepted(repo, recorder, attributes, file, bytes, scratch),
    }) {
        return Ok(LoadedRecord { bytes, is_remade: false, is_read: true });
    }
    let bytes = record::encode(&recorder.record_entry(repo, file, &attributes.of(file.path.as_bstr()))?);
    let is_remade = stored.is_none_or(|stored| stored != bytes);
    Ok(LoadedRecord { bytes, is_remade, is_read: false })
}

/// Returns the most bytes that the stored record of a file is read to.
///
/// Git compresses objects. A short one may inflate to more than its source can give. A source that
/// is not here counts as the largest that is indexed, and its record has at most as many bytes.
///
/// # Errors
/// [`super::Error::Git`] if Git fails.
pub fn max_record_bytes(repo: &Repository, recorder: &Recorder, file: &TreeEntry) -> Result<u64> {
    let size = if repo.contains(file.id) { repo.blob_size(file.id)? } else { None };
    let share = size.map_or(recorder.max_file_bytes(), |size| size.saturating_mul(RECORD_PER_BYTE));
    Ok(share.saturating_add(SMALL_RECORD).min(limits::RECORD_BYTES as u64))
}

/// What is known of the source of a record.
struct Source<'t> {
    blob: ObjectId,
    /// `None` if it is not here.
    text: Option<&'t str>,
    /// The language that the writer takes it for; `None` if that is not known.
    language: Option<Language>,
    options: &'t IndexOptions,
}

impl<'t> Source<'t> {
    fn absent(blob: ObjectId, options: &'t IndexOptions) -> Self {
        Self { blob, text: None, language: None, options }
    }
}

/// Returns whether a stored record passes all checks that are possible here.
fn is_accepted(
    repo: &Repository,
    recorder: &Recorder,
    attributes: &Attributes,
    file: &TreeEntry,
    bytes: &[u8],
    scratch: &mut Scratch,
) -> bool {
    match RecordView::open(bytes) {
        Ok(record::OpenRecord::Skipped(_)) => return true,
        Ok(record::OpenRecord::Indexed(view)) if view.blob() == file.id => {}
        Ok(record::OpenRecord::Indexed(_)) | Err(_) => return false,
    }
    // The writer skips all other entries.
    if !matches!(file.mode, EntryMode::File | EntryMode::Executable) {
        return false;
    }
    let absent = Source::absent(file.id, recorder.options());
    if !repo.contains(file.id) {
        return check_with(bytes, &absent, scratch).is_ok();
    }
    match repo.blob(file.id, recorder.max_file_bytes()) {
        Ok(Blob::Bytes(content)) => {
            let text = source::decode(&content);
            let entry = file.path.as_bstr();
            let language = Recorder::language(path::name(entry), text.as_bytes(), &attributes.of(entry));
            let source = Source { text: Some(&text), language: Some(language), ..absent };
            check_with(bytes, &source, scratch).is_ok()
        }
        Ok(Blob::TooLarge { .. }) => false,
        // Damaged: no better record can be made from it.
        Ok(Blob::Missing) | Err(_) => check_with(bytes, &absent, scratch).is_ok(),
    }
}

/// Checks that the bytes are a valid record of this source, from the header to the last keyword,
/// and that the text may give it. Afterwards `scratch` holds the words of a record that passed.
///
/// Without a text, the checks are those of the format, and bounds by the size of the record.
///
/// # Errors
/// [`Error`] with the first rule that is broken.
fn check_with(bytes: &[u8], source: &Source<'_>, scratch: &mut Scratch) -> std::result::Result<(), Error> {
    let view = match RecordView::open(bytes)? {
        record::OpenRecord::Skipped(_) => return Ok(()),
        record::OpenRecord::Indexed(view) => view,
    };
    if view.blob() != source.blob {
        return Err(broken("record of another blob"));
    }
    let mut check = Check::new(&view, bytes.len(), source)?;
    view.read(scratch)?;
    // Without a text, no tokens are compared.
    if source.text.is_some() {
        check.heaviest = scratch.heaviest_chunk(view.n_chunks());
    }
    view.visit_read(scratch, |chunk| check.chunk(&chunk))
}

/// Returns the language that a record names.
///
/// # Errors
/// [`Error`] if there is no such language, or if the source is in another one. The name goes on to
/// answers as it is, and the language decides which words a text has.
fn language_of(view: &RecordView<'_>, source: &Source<'_>) -> std::result::Result<Language, Error> {
    let named = Language::from_name(view.language()).filter(|one| one.name() == view.language());
    let named = named.ok_or_else(|| broken("unknown language"))?;
    holds(source.language.is_none_or(|one| one == named), "source is in another language")?;
    Ok(named)
}

fn broken(why: &'static str) -> Error {
    Error::Corrupt { what: "record", offset: 0, why }
}

/// Returns an error with this reason unless the rule holds.
fn holds(rule: bool, why: &'static str) -> std::result::Result<(), Error> {
    if rule { Ok(()) } else { Err(broken(why)) }
}

/// The checks that the names of a reference have passed. Equal references in several chunks share
/// their target, and most checks of it have the same result in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum PassedChecks {
    /// None yet.
    #[default]
    Nothing,
    /// That of the characters. Where the names stand is checked in each chunk.
    Characters,
    /// All. None of the names must stand at a certain place.
    Everywhere,
}

/// The state of a check between the chunks of a record.
struct Check<'t> {
    text: Option<&'t str>,
    language: Language,
    is_window: bool,
    /// Starts of the lines of the text.
    lines: Vec<u32>,
    bounds: Bounds,
    /// The chunk with the most bytes of tokens.
    heaviest: u32,
    end: u32,
    /// Makes the hashes differ per record, so that nobody can choose words with equal ones.
    seed: u64,
    /// Hashes of the tokens of the chunk, sorted.
    tokens: Vec<u64>,
    /// Hashes of names that stand in the text. Most names stand in many chunks.
    names: HashSet<u64>,
    /// By the number of a target of references, the checks that hold for it in each chunk.
    passed: Vec<PassedChecks>,
    /// How often the text may still be searched for a name. To tokenise it costs as much as about
    /// forty searches.
    searches: u32,
    /// Hashes of the tokens of the text, sorted; made when the first is needed.
    all_tokens: Option<Vec<u64>>,
    /// The text as a reader sees it; made when it is first needed.
    decoded: Option<DecodedText<'t>>,
}

/// A text without the escapes of its language.
struct DecodedText<'t> {
    text: Cow<'t, str>,
    /// As [`Language::words`] returns them.
    places: Vec<(usize, usize)>,
}

impl DecodedText<'_> {
    /// Returns what a range of the source is.
    fn of(&self, range: Range<usize>) -> &str {
        let place = |at: usize| {
            let next = self.places.partition_point(|&(_, from)| from <= at);
            let (to, from) =
                next.checked_sub(1).and_then(|i| self.places.get(i)).copied().unwrap_or_default();
            let end = self.places.get(next).map_or(self.text.len(), |&(to, _)| to);
            head(&self.text, (to + (at - from)).min(end)).len()
        };
        self.text.get(place(range.start)..place(range.end)).unwrap_or_default()
    }
}

impl<'t> Check<'t> {
    fn new(
        view: &RecordView<'_>,
        record_bytes: usize,
        source: &Source<'t>,
    ) -> std::result::Result<Self, Error> {
        let language = language_of(view, source)?;
        let bytes = view.source_bytes() as usize;
        let mut lines = Vec::new();
        if let Some(text) = source.text {
            holds(bytes == text.len(), "source has a different size")?;
            lines.push(0);
            lines.extend(
                text.as_bytes().find_iter(b"\n").filter_map(|at| u32::try_from(at.saturating_add(1)).ok()),
            );
            let n_lines = lines.len() - usize::from(text.is_empty() || text.ends_with('\n'));
            holds(view.n_lines() as usize == n_lines, "source has a different number of lines")?;
        }
        Ok(Self {
            text: source.text,
            language,
            is_window: view.method() != Method::Syntax,
            lines,
            bounds: Bounds::new(view, record_bytes, source, language)?,
            heaviest: 0,
            end: 0,
            seed: RandomState::new().hash_one(bytes),
            tokens: Vec::new(),
            names: HashSet::new(),
            passed: Vec::new(),
            searches: SEARCHES,
            all_tokens: None,
            decoded: None,
        })
    }

    fn chunk(&mut self, view: &ChunkView<'_>) -> std::result::Result<(), Error> {
        let span = view.chunk.span;
        holds(self.is_window || span.bytes.start >= self.end, "chunks overlap")?;
        self.end = span.bytes.end;
        self.bounds.chunk(span.bytes, view.keywords.len(), view.references.len())?;
        holds(
            view.keywords.iter().all(|keyword| keyword.token.len() <= limits::TOKEN_BYTES),
            "token is too long",
        )?;
        for declaration in view.declarations {
            is_clean(declaration.name)?;
            is_clean(declaration.scope)?;
            holds(!declaration.name.is_empty(), "name is empty")?;
        }
        for reference in view.references {
            if self.passed_by(reference) != PassedChecks::Nothing {
                continue;
            }
            for name in [reference.name, reference.qualifier, reference.alias] {
                is_clean(name)?;
            }
            self.pass(reference, PassedChecks::Characters);
        }
        let Some(text) = self.text else { return Ok(()) };
        let piece = text
            .get(span.bytes.start as usize..span.bytes.end as usize)
            .ok_or_else(|| broken("chunk splits a character"))?;
        self.lines_of(span.bytes, span.start_line, span.end_line)?;
        self.tokens.clear();
        // A forger of many words can't know which chunks are looked at; few words do no harm.
        let chance = mixed(self.seed, u64::from(view.ord));
        let read = self.language.words(piece).0;
        holds(written_bytes(view.keywords) <= read.len() + 1, "too many words for this chunk")?;
        if view.ord == self.heaviest || chance.is_multiple_of(TOKEN_SAMPLE) {
            self.tokens_of(view, &read)?;
        }
        for declaration in view.declarations {
            self.declaration(text, declaration)?;
        }
        for reference in view.references {
            if self.passed_by(reference) == PassedChecks::Everywhere {
                continue;
            }
            let names = [reference.name, reference.qualifier, without_language(reference.alias)];
            for name in names {
                if is_phrase(name) {
                    self.bounds.search_phrase(piece.len())?;
                }
                // A page of the manual is named as written: `git (1)` in `.BR git (1)`.
                holds(self.is_of(text, [piece, &read], name), "reference is not in the source")?;
            }
            if !names.iter().any(|name| is_phrase(name)) {
                self.pass(reference, PassedChecks::Everywhere);
            }
        }
        Ok(())
    }

    /// Returns what the target of a reference has passed in an earlier chunk.
    fn passed_by(&self, reference: &ReferenceRef<'_>) -> PassedChecks {
        self.passed.get(reference.target as usize).copied().unwrap_or_default()
    }

    /// Notes what the target of a reference has passed.
    fn pass(&mut self, reference: &ReferenceRef<'_>, passed: PassedChecks) {
        let target = reference.target as usize;
        if target >= self.passed.len() {
            self.passed.resize(target + 1, PassedChecks::default());
        }
        if let Some(slot) = self.passed.get_mut(target) {
            *slot = passed;
        }
    }

    /// Checks that all tokens of a chunk stand in it.
    fn tokens_of(&mut self, view: &ChunkView<'_>, piece: &str) -> std::result::Result<(), Error> {
        self.tokens.extend(tokens(piece).map(|(_, token)| hash(self.seed, token)));
        self.tokens.sort_unstable();
        let stands = |token: &str| self.tokens.binary_search(&hash(self.seed, token)).is_ok();
        holds(view.keywords.iter().all(|keyword| stands(keyword.token)), "token is not in the source")
    }

    /// Checks that a range of bytes has these lines.
    fn lines_of(&self, range: ByteRange, first: u32, last: u32) -> std::result::Result<(), Error> {
        let line = |at: u32| self.lines.partition_point(|&start| start <= at);
        let end = line(range.end.saturating_sub(1).max(range.start));
        holds(
            line(range.start) == first as usize && end == last as usize,
            "line numbers do not match the bytes",
        )
    }

    /// Checks that a declaration's name stands in its lines, and its scope in the text.
    fn declaration(
        &mut self,
        text: &'t str,
        declaration: &DeclarationRef<'_>,
    ) -> std::result::Result<(), Error> {
        let span = declaration.span;
        self.lines_of(span.bytes, span.start_line, span.end_line)?;
        holds(
            (span.start_line..=span.end_line).contains(&declaration.name_line),
            "line of a name is outside its declaration",
        )?;
        let lines = self.start_of(span.start_line.saturating_sub(1))..self.start_of(span.end_line);
        let own = text.get(lines.clone()).ok_or_else(|| broken("declaration splits a character"))?;
        holds(self.is_named(text, declaration, lines.clone())?, "name is not in the source")?;
        let scope = without_language(declaration.scope);
        if !scope.is_empty() && !self.names.contains(&hash(self.seed, scope)) {
            self.bounds.search_names(own.len())?;
        }
        let is_there =
            self.is_of(text, [own], scope) || is_phrase(scope) && stands(self.decoded(text).of(lines), scope);
        holds(is_there, "scope is not in the source")
    }

    /// Returns the first byte of a line, from 0; the end of the text if it has fewer lines.
    fn start_of(&self, line: u32) -> usize {
        let end = self.text.map_or(0, str::len);
        self.lines.get(line as usize).map_or(end, |&start| start as usize)
    }

    /// Returns whether the name of a declaration stands in it, in its lines, or in its heading.
    ///
    /// # Errors
    /// [`Error`] if the bytes of all declarations together are too many to be searched.
    fn is_named(
        &mut self,
        text: &'t str,
        declaration: &DeclarationRef<'_>,
        lines: Range<usize>,
    ) -> std::result::Result<bool, Error> {
        let (span, name) = (declaration.span.bytes, declaration.name);
        let own = text.get(span.start as usize..span.end as usize).unwrap_or_default();
        self.bounds.search_names(own.len())?;
        if stands(own, name) {
            return Ok(true);
        }
        self.bounds.search_names(lines.len())?;
        let line = declaration.name_line;
        let heading = self.start_of(line.saturating_sub(1))..self.start_of(line);
        let is_title = declaration.kind == DeclarationKind::Section
            && text.get(heading).is_some_and(|line| {
                line.len() <= HEADING_BYTES && words_stand(&self.language.words(line).0, name)
            });
        Ok(is_title
            || text.get(lines.clone()).is_some_and(|own| stands(own, name))
            || stands(self.decoded(text).of(lines), name))
    }

    /// Returns the text without escapes.
    fn decoded(&mut self, text: &'t str) -> &DecodedText<'t> {
        let language = self.language;
        self.decoded.get_or_insert_with(|| {
            let (text, places) = language.words(text);
            DecodedText { text, places }
        })
    }

    /// Returns whether a name stands in one of some pieces of the text, or all its words stand in
    /// the text.
    ///
    /// A name with blanks must stand in a piece: else any words of a text could be made a sentence.
    /// Any other name is looked up once: where it stands does not matter.
    fn is_of<const N: usize>(&mut self, text: &'t str, pieces: [&str; N], name: &str) -> bool {
        if name.is_empty() {
            return true;
        }
        let stands_here = || pieces.iter().any(|piece| stands(piece, name));
        if is_phrase(name) {
            return stands_here();
        }
        let hashed = hash(self.seed, name);
        if self.names.contains(&hashed) {
            return true;
        }
        let is_found = self.tokens.binary_search(&hashed).is_ok()
            || stands_here()
            || self.searched(text, name)
            || self.words_stand(text, name);
        if is_found {
            self.names.insert(hashed);
        }
        is_found
    }

    /// Returns whether a search of the text finds a name. It does not search too often.
    fn searched(&mut self, text: &str, name: &str) -> bool {
        if self.all_tokens.is_some() || self.searches == 0 {
            return false;
        }
        self.searches -= 1;
        stands(text, name)
    }

    /// Returns whether all words of a name are tokens of the text.
    fn words_stand(&mut self, text: &'t str, name: &str) -> bool {
        let seed = self.seed;
        if self.all_tokens.is_none() {
            let read = &self.decoded(text).text;
            let mut all: Vec<u64> = tokens(read).map(|(_, token)| hash(seed, token)).collect();
            all.sort_unstable();
            all.dedup();
            self.all_tokens = Some(all);
        }
        let all = self.all_tokens.as_deref().unwrap_or_default();
        tokens(name).all(|(_, token)| all.binary_search(&hash(seed, token)).is_ok())
    }
}

/// Returns the fewest bytes that different tokens take up in a text.
///
/// A sign stands between two tokens, unless the second is the rest of a long run of letters that
/// are not ASCII.
fn written_bytes(keywords: &[KeywordRef<'_>]) -> usize {
    let sign = |token: &str| usize::from(token.starts_with(|c: char| c.is_ascii()));
    keywords.iter().map(|keyword| keyword.token.len() + sign(keyword.token)).sum()
}
