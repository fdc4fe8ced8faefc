//! Whether a record may be what the writer makes of its source: received records are only data.
//!
//! Owns [`check`] and [`load_record`]. The checks need the text of the source, never its syntax
//! tree. So they cost one pass over the text, not a new record. They are strict: an unusual but
//! honest record may fail. Then [`load_record`] makes the record again. Equal bytes prove it to be
//! honest.
//!
//! A record that passes can still misrank, and leave names out. It can't show a name that does not
//! stand at its place. It can't cost more than an honest record of a similar source.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

use bstr::ByteSlice as _;

use super::chunk::{ByteRange, DeclarationKind, Language, Method, without_language};
use super::record::{
    self, ChunkView, DeclarationRef, Error, RecordView, ReferenceRef, Scratch, limits, tokens,
};
use super::{Recorder, Result, source};
use crate::base::id::ObjectId;
use crate::git::{Attributes, Blob, EntryMode, Repository, TreeEntry};

/// Bytes of strings for each byte of a record, if there is no source to compare with. Honest
/// records have 2.
const INFLATION: usize = 16;

/// Bytes of text for each byte of a record, if there is no source to compare with.
const TEXT_PER_BYTE: usize = 1024;

/// Most bytes of a record for each byte of its source, above [`SMALL_RECORD`]. Honest records of
/// more than 2,000 bytes have half a byte.
const RECORD_PER_BYTE: u64 = 4;

/// Bytes that each record may have.
const SMALL_RECORD: u64 = 64 << 10;

/// What each count may have above its share of the text.
const FREE: usize = 64;

/// Fewest bytes of text for each chunk, each declaration and each reference, on average. The least
/// that honest files of more than 2,000 bytes have is 500, 50 and 33.
const BYTES_PER: [usize; 3] = [256, 48, 24];

/// Divides [`BYTES_PER`] if there is no source to compare with, because then no record can be made
/// to prove an unusual one honest.
const LENIENCE: usize = 4;

/// Most bytes of different strings for each byte of text. Honest files have fewer than one.
const STRINGS_PER_BYTE: usize = 2;

/// The tokens of the first chunk are looked up in the text, and those of one chunk in this number,
/// chosen at random. To look up those of all chunks would take a third of a segment's time.
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

/// Returns the record of a source file: the stored bytes if they pass [`check`], else a new record.
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
        true => check_with(bytes, file.id, None, scratch).is_ok(),
        false => is_accepted(repo, recorder, file, bytes, scratch),
    }) {
        return Ok(LoadedRecord { bytes, is_remade: false, is_read: true });
    }
    let bytes = record::encode(&recorder.record_entry(repo, file, &attributes.of(file.path.as_bstr()))?);
    let is_remade = stored.is_none_or(|stored| stored != bytes);
    Ok(LoadedRecord { bytes, is_remade, is_read: false })
}

/// Returns the most bytes that the stored record of a file is read to.
///
/// Git compresses objects. A short one may inflate to more than its source can give.
///
/// # Errors
/// [`super::Error::Git`] if Git fails.
pub fn max_record_bytes(repo: &Repository, file: &TreeEntry) -> Result<u64> {
    let most = limits::RECORD_BYTES as u64;
    if !repo.contains(file.id) {
        return Ok(most);
    }
    let size = repo.blob_size(file.id)?;
    Ok(size.map_or(most, |size| size.saturating_mul(RECORD_PER_BYTE).saturating_add(SMALL_RECORD).min(most)))
}

/// Returns whether a stored record passes all checks that are possible here.
fn is_accepted(
    repo: &Repository,
    recorder: &Recorder,
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
    if !repo.contains(file.id) {
        return check_with(bytes, file.id, None, scratch).is_ok();
    }
    match repo.blob(file.id, recorder.max_file_bytes()) {
        Ok(Blob::Bytes(content)) => {
            check_with(bytes, file.id, Some(&source::decode(&content)), scratch).is_ok()
        }
        Ok(Blob::TooLarge { .. }) => false,
        // Damaged: no better record can be made from it.
        Ok(Blob::Missing) | Err(_) => check_with(bytes, file.id, None, scratch).is_ok(),
    }
}

/// Checks that the bytes are a valid record of this source blob, from the header to the last
/// keyword, and that the text may give it.
///
/// Without a text, the checks are those of the format, and bounds by the size of the record.
///
/// # Errors
/// [`Error`] with the first rule that is broken.
pub fn check(bytes: &[u8], blob: ObjectId, text: Option<&str>) -> std::result::Result<(), Error> {
    check_with(bytes, blob, text, &mut Scratch::default())
}

/// Does the same as [`check`]; afterwards `scratch` holds the words of a record that passed.
fn check_with(
    bytes: &[u8],
    blob: ObjectId,
    text: Option<&str>,
    scratch: &mut Scratch,
) -> std::result::Result<(), Error> {
    let view = match RecordView::open(bytes)? {
        record::OpenRecord::Skipped(_) => return Ok(()),
        record::OpenRecord::Indexed(view) => view,
    };
    if view.blob() != blob {
        return Err(broken("record of another blob"));
    }
    let mut check = Check::new(&view, bytes.len(), text)?;
    view.visit(scratch, |chunk| check.chunk(&chunk))
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
enum Passed {
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
    /// What is left of each bound.
    keywords: usize,
    references: usize,
    covered: usize,
    end: u32,
    /// Makes the hashes differ per record, so that nobody can choose words with equal ones.
    seed: u64,
    /// Hashes of the tokens of the chunk, sorted.
    tokens: Vec<u64>,
    /// Hashes of names that stand in the text. Most names stand in many chunks.
    names: HashSet<u64>,
    /// By the number of a target of references, the checks that hold for it in each chunk.
    passed: Vec<Passed>,
    /// How often the text may still be searched for a name. To tokenise it costs as much as about
    /// forty searches.
    searches: u32,
    /// Hashes of the tokens of the text, sorted; made when the first is needed.
    all_tokens: Option<Vec<u64>>,
}

impl<'t> Check<'t> {
    fn new(
        view: &RecordView<'_>,
        record_bytes: usize,
        text: Option<&'t str>,
    ) -> std::result::Result<Self, Error> {
        let bytes = view.source_bytes() as usize;
        let mut lines = Vec::new();
        if let Some(text) = text {
            holds(bytes == text.len(), "source has a different size")?;
            lines.push(0);
            lines.extend(
                text.as_bytes().find_iter(b"\n").filter_map(|at| u32::try_from(at.saturating_add(1)).ok()),
            );
            let n_lines = lines.len() - usize::from(text.is_empty() || text.ends_with('\n'));
            holds(view.n_lines() as usize == n_lines, "source has a different number of lines")?;
        } else {
            let most = record_bytes.saturating_mul(TEXT_PER_BYTE);
            holds(bytes <= most, "source is too large for this record")?;
        }
        let lenience = if text.is_some() { 1 } else { LENIENCE };
        let [chunks, declarations, references] =
            BYTES_PER.map(|per| bytes.saturating_mul(lenience) / per + FREE);
        holds(view.n_chunks() as usize <= chunks, "too many chunks for this source")?;
        holds(view.n_declarations() as usize <= declarations, "too many declarations for this source")?;
        let strings = bytes.saturating_mul(STRINGS_PER_BYTE * lenience);
        let strings = strings.saturating_add(FREE * limits::STRING_BYTES);
        let inflated = record_bytes.saturating_mul(INFLATION);
        let most = if text.is_some() { strings } else { strings.min(inflated) };
        let (n_strings, n_bytes) = view.strings()?;
        holds(n_strings.saturating_add(n_bytes) <= most, "too many words for this source")?;
        Ok(Self {
            text,
            language: Language::from_name(view.language()).unwrap_or(Language::TEXT),
            is_window: view.method() != Method::Syntax,
            lines,
            keywords: bytes.saturating_mul(lenience).saturating_add(FREE),
            references,
            covered: bytes.saturating_mul(2).saturating_add(FREE),
            end: 0,
            seed: RandomState::new().hash_one(bytes),
            tokens: Vec::new(),
            names: HashSet::new(),
            passed: Vec::new(),
            searches: SEARCHES,
            all_tokens: None,
        })
    }

    fn chunk(&mut self, view: &ChunkView<'_>) -> std::result::Result<(), Error> {
        let span = view.chunk.span;
        holds(self.is_window || span.bytes.start >= self.end, "chunks overlap")?;
        self.end = span.bytes.end;
        let spend = |rest: &mut usize, n: usize, why| match rest.checked_sub(n) {
            Some(less) => {
                *rest = less;
                Ok(())
            }
            None => Err(broken(why)),
        };
        spend(&mut self.covered, (span.bytes.end - span.bytes.start) as usize, "chunks overlap too much")?;
        spend(&mut self.keywords, view.keywords.len(), "too many words for this source")?;
        spend(&mut self.references, view.references.len(), "too many references for this source")?;
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
            if self.passed_by(reference) != Passed::Nothing {
                continue;
            }
            for name in [reference.name, reference.qualifier, reference.alias] {
                is_clean(name)?;
            }
            self.pass(reference, Passed::Characters);
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
        if view.ord == 0 || chance.is_multiple_of(TOKEN_SAMPLE) {
            self.tokens_of(view, &read)?;
        }
        for declaration in view.declarations {
            self.declaration(text, declaration)?;
        }
        for reference in view.references {
            if self.passed_by(reference) == Passed::Everywhere {
                continue;
            }
            let names = [reference.name, reference.qualifier, without_language(reference.alias)];
            for name in names {
                // A page of the manual is named as written: `git (1)` in `.BR git (1)`.
                holds(self.is_of(text, [piece, &read], name), "reference is not in the source")?;
            }
            if !names.iter().any(|name| is_phrase(name)) {
                self.pass(reference, Passed::Everywhere);
            }
        }
        Ok(())
    }

    /// Returns what the target of a reference has passed in an earlier chunk.
    fn passed_by(&self, reference: &ReferenceRef<'_>) -> Passed {
        self.passed.get(reference.target as usize).copied().unwrap_or_default()
    }

    /// Notes what the target of a reference has passed.
    fn pass(&mut self, reference: &ReferenceRef<'_>, passed: Passed) {
        let target = reference.target as usize;
        if target >= self.passed.len() {
            self.passed.resize(target + 1, Passed::default());
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
        text: &str,
        declaration: &DeclarationRef<'_>,
    ) -> std::result::Result<(), Error> {
        let span = declaration.span;
        self.lines_of(span.bytes, span.start_line, span.end_line)?;
        holds(
            (span.start_line..=span.end_line).contains(&declaration.name_line),
            "line of a name is outside its declaration",
        )?;
        let start = |line: u32| self.lines.get(line as usize).map_or(text.len(), |&start| start as usize);
        let (from, to) = (start(span.start_line.saturating_sub(1)), start(span.end_line));
        let own = text.get(from..to).ok_or_else(|| broken("declaration splits a character"))?;
        let heading = start(declaration.name_line.saturating_sub(1))..start(declaration.name_line);
        let is_title = declaration.kind == DeclarationKind::Section
            && text.get(heading).is_some_and(|line| {
                line.len() <= HEADING_BYTES && words_stand(&self.language.words(line).0, declaration.name)
            });
        let own = self.language.words(own).0;
        holds(is_title || stands(&own, declaration.name), "name is not in the source")?;
        holds(self.is_of(text, [&own], without_language(declaration.scope)), "scope is not in the source")
    }

    /// Returns whether a name stands in one of some pieces of the text, or all its words stand in the
    /// text.
    ///
    /// A name with blanks must stand in a piece: else any words of a text could be made a sentence.
    /// Any other name is looked up once: where it stands does not matter.
    fn is_of<const N: usize>(&mut self, text: &str, pieces: [&str; N], name: &str) -> bool {
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
    fn words_stand(&mut self, text: &str, name: &str) -> bool {
        let seed = self.seed;
        let language = self.language;
        let all = self.all_tokens.get_or_insert_with(|| {
            let read = language.words(text).0;
            let mut all: Vec<u64> = tokens(&read).map(|(_, token)| hash(seed, token)).collect();
            all.sort_unstable();
            all.dedup();
            all
        });
        tokens(name).all(|(_, token)| all.binary_search(&hash(seed, token)).is_ok())
    }
}

/// Returns whether a name has blanks, so that it must stand at its place.
fn is_phrase(name: &str) -> bool {
    name.contains(char::is_whitespace)
}

/// Returns whether a name stands in a text as it is written.
fn stands(text: &str, name: &str) -> bool {
    text.as_bytes().find(name.as_bytes()).is_some()
}

/// Returns whether the words of a title stand in its line, in this order.
///
/// The marks of links, code and emphasis are not part of a title. They can stand beside a sign, as
/// in `--file=_path_`. So a word is a run of letters and digits, or one sign.
fn words_stand(line: &str, title: &str) -> bool {
    let mut rest = line.as_bytes();
    let mut stands = |word: &str| match rest.split_once_str(word) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    };
    title.split_whitespace().all(|part| {
        part.split_inclusive(|c: char| !c.is_alphanumeric()).all(|run| {
            let word = run.trim_end_matches(|c: char| !c.is_alphanumeric());
            (word.is_empty() || stands(word))
                && run.get(word.len()..).is_none_or(|sign| sign.is_empty() || stands(sign))
        })
    })
}

/// Returns a hash of a token; the seed must not be known to who chose the tokens.
fn hash(seed: u64, token: &str) -> u64 {
    token.as_bytes().chunks(8).fold(seed, |hash, part| {
        let mut bytes = [0; 8];
        bytes.iter_mut().zip(part).for_each(|(to, &from)| *to = from);
        mixed(hash, u64::from_le_bytes(bytes))
    })
}

fn mixed(hash: u64, value: u64) -> u64 {
    let mixed = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// Checks the characters of a name.
fn is_clean(name: &str) -> std::result::Result<(), Error> {
    holds(name.is_ascii() || !name.chars().any(is_hidden), "name has hidden characters")?;
    holds(!name.bytes().any(|byte| byte.is_ascii_control()), "name has control characters")
}

/// Returns whether a character changes how the others are shown, or can't be seen.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::index::chunk::{ChunkOptions, Reference, ReferenceKind, chunk};
    use crate::index::record::{FileRecord, IndexedFile};

    fn id() -> ObjectId {
        ObjectId::from_bytes(&[7; 20]).unwrap()
    }

    fn recorded(path: &str, text: &str) -> IndexedFile {
        let language = Language::detect(path.as_bytes(), text.as_bytes());
        record::build(id(), language.name(), text, chunk(language, text, &ChunkOptions::default()))
    }

    fn checked(file: &IndexedFile, text: Option<&str>) -> std::result::Result<(), String> {
        let bytes = record::encode(&FileRecord::Indexed(file.clone()));
        check(&bytes, id(), text).map_err(|error| error.to_string())
    }

    const TEXT: &str = "use std::fmt;\n\npub struct Store;\n\nimpl Store {\n    pub fn find(&self) -> usize {\n        \
                    self.other()\n    }\n}\n\npub fn last() {\n    first()\n}\n";

    #[test]
    fn honest_records_of_all_samples_pass() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/src/index/chunk/tests/samples");
        let (mut n, mut odd) = (0, Vec::new());
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let name = path.file_name().unwrap().to_str().unwrap();
            let file = recorded(name, &text);
            n += 1;
            checked(&file, None).unwrap_or_else(|error| panic!("{name}: {error}"));
            if let Err(error) = checked(&file, Some(&text)) {
                odd.push(format!("{name}: {error}"));
            }
        }
        assert!(n > 25);
        // These are made again, which proves them honest; that costs time.
        assert!(odd.len() * 4 <= n, "{odd:#?}");
    }

    #[test]
    fn forged_records_fail() {
        let whole = recorded("a.rs", TEXT);
        checked(&whole, Some(TEXT)).unwrap();
        let forge = |why: &str, edit: &dyn Fn(&mut IndexedFile)| {
            let mut file = whole.clone();
            edit(&mut file);
            let error = checked(&file, Some(TEXT)).unwrap_err();
            assert!(error.contains(why), "{why}: {error}");
        };
        let last = whole.declarations.len() - 1;
        forge("name is not in the source", &|f| f.declarations[last].name = "run curl | sh".into());
        forge("name is not in the source", &|f| f.declarations[last].name = "find".into());
        forge("name is not in the source", &|f| f.declarations[last].name = "last first".into());
        forge("name is empty", &|f| f.declarations[last].name.clear());
        forge("string is too long", &|f| f.declarations[last].name = "last".repeat(51));
        forge("hidden", &|f| f.declarations[last].name = "la\u{200b}st".into());
        forge("hidden", &|f| f.declarations[last].scope = "\u{2066}Store".into());
        forge("control", &|f| f.declarations[last].name = "last\t".into());
        forge("scope is not in the source", &|f| f.declarations[last].scope = "Store last".into());
        forge("scope is not in the source", &|f| f.declarations[last].scope = "Evil".into());
        forge("outside", &|f| f.declarations[last].name_line = 1);
        forge("line numbers do not match", &|f| f.declarations[last].span.start_line = 1);
        forge("line numbers do not match", &|f| f.chunks[0].span.end_line = 1);
        forge("reference is not in the source", &|f| f.references[0].name = "evil".into());
        forge("reference is not in the source", &|f| f.references[0].qualifier = "first last".into());
        forge("reference is not in the source", &|f| f.references[0].alias = "Store.evil".into());
        forge("token is not in the source", &|f| f.keywords[0][0].token = "AAA".into());
        forge("unknown chunk", &|f| {
            let again = f.keywords[0][0].clone();
            f.keywords[0].insert(0, again);
        });
        forge("different size", &|f| f.source_bytes += 1);
        forge("number of lines", &|f| f.n_lines += 1);
        let other = ObjectId::from_bytes(&[8; 20]).unwrap();
        let bytes = record::encode(&FileRecord::Indexed(whole.clone()));
        assert!(check(&bytes, other, Some(TEXT)).is_err());
        assert!(check(&bytes[..bytes.len() - 1], id(), Some(TEXT)).is_err());
    }

    #[test]
    fn a_phrase_must_stand_in_each_chunk_that_refers_to_it_and_a_name_in_one() {
        let language = Language::detect(b"a.rs", TEXT.as_bytes());
        let options = ChunkOptions { target_bytes: 64, ..ChunkOptions::default() };
        let whole = record::build(id(), language.name(), TEXT, chunk(language, TEXT, &options));
        let last = u32::try_from(whole.chunks.len() - 1).unwrap();
        assert!(last > 0);
        let referred = |name: &str, chunks: &[u32]| {
            let mut file = whole.clone();
            let kind = ReferenceKind::Use;
            let (qualifier, alias) = (String::new(), String::new());
            let one = Reference { chunk: 0, kind, name: name.into(), qualifier, alias };
            file.references = chunks.iter().map(|&chunk| Reference { chunk, ..one.clone() }).collect();
            checked(&file, Some(TEXT))
        };
        // Both stand in the first chunk only.
        for (name, is_anywhere) in [("use std", false), ("td::f", true)] {
            referred(name, &[0]).unwrap();
            assert_eq!(referred(name, &[last]).is_ok(), is_anywhere, "{name}");
            assert_eq!(referred(name, &[0, last]).is_ok(), is_anywhere, "{name}");
        }
        referred("evil", &[0, last]).unwrap_err();
    }

    #[test]
    fn a_name_that_stood_in_the_text_is_not_looked_up_again() {
        let bytes = record::encode(&FileRecord::Indexed(recorded("a.rs", TEXT)));
        let record::OpenRecord::Indexed(view) = RecordView::open(&bytes).unwrap() else { panic!() };
        let mut check = Check::new(&view, bytes.len(), Some(TEXT)).unwrap();
        check.searches = 0;
        // It is no token, so only a search finds it.
        assert!(!check.is_of(TEXT, [""], "td::f::m"));
        assert!(check.is_of(TEXT, ["std::f::mt"], "td::f::m"));
        assert!(check.is_of(TEXT, [""], "td::f::m"));
        assert!(check.is_of(TEXT, ["use std"], "use std"));
        assert!(!check.is_of(TEXT, [""], "use std"));
    }

    #[test]
    fn counts_are_bounded_by_the_size_of_the_source() {
        let whole = recorded("a.rs", TEXT);
        // Without a source too: then by what the record says and by its own size.
        for text in [Some(TEXT), None] {
            let forge = |why: &str, edit: &dyn Fn(&mut IndexedFile)| {
                let mut file = whole.clone();
                edit(&mut file);
                let error = checked(&file, text).unwrap_err();
                assert!(error.contains(why), "{why}: {error}");
            };
            checked(&whole, text).unwrap();
            forge("too many chunks", &|f| {
                let (chunk, words) = (f.chunks[0].clone(), f.keywords[0].clone());
                f.chunks.extend(std::iter::repeat_n(chunk, 1000));
                f.keywords.extend(std::iter::repeat_n(words, 1000));
            });
            forge("overlap", &|f| {
                let (chunk, words) = (f.chunks[0].clone(), f.keywords[0].clone());
                f.chunks.insert(0, chunk);
                f.keywords.insert(0, words);
                f.references.clear();
            });
            forge("too many declarations", &|f| {
                let last = f.declarations.last().unwrap().clone();
                f.declarations.extend(std::iter::repeat_n(last, 1000));
            });
            forge("too many references", &|f| {
                let last = f.references.last().unwrap().clone();
                let other = |n| Reference { qualifier: format!("w{n}"), ..last.clone() };
                f.references.extend((0..1000).map(other));
            });
            forge("too many words", &|f| {
                let word = |n| record::Keyword { token: format!("w{n:06}"), doc: 0, signature: 0, body: 1 };
                f.keywords[0] = (0..10_000).map(word).collect();
            });
            forge("source", &|f| f.source_bytes = 1 << 31);
        }
    }
}
