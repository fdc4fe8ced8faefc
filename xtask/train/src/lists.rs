//! `train lists`: repositories -> chunks as the program sees them, and texts with the chunks they
//! ask for.
//!
//! The program itself cuts, records and counts the chunks of each repository's `HEAD`. Texts that
//! ask for one chunk are the first sentence of its doc comment, and the words of its name. Texts
//! that ask for one of several files or chunks are the subject of a commit that changed the files,
//! and the whole message of a commit that wrote lines of the chunks.
//!
//! A file of lists is compressed with gzip; numbers are little-endian:
//!
//! - CRC-32 of the model's sub-tokens in order of number, joined by line feeds;
//! - number of chunks (u32); for each chunk its file (u32), its number of sub-tokens (u16), and for
//!   each sub-token its number (u16) and its counts by field (u8 × 7);
//! - number of texts (u32); for each text one byte of [`Kind`]; the number of its answers (u8),
//!   each a chunk or a file (u32); its number of sub-tokens (u16), and for each its number (u16)
//!   and the weight of its place (f32).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};

use anyhow::{Context as _, Result, ensure};
use flate2::read::GzDecoder;

use git_cora::base::id::ObjectId;
use git_cora::base::text::identifier;
use git_cora::git::{Blob, FileAttributes};
use git_cora::index::chunk::DeclarationKind as K;
use git_cora::index::embed::{N_FIELDS, builtin};
use git_cora::index::record::{self, FileRecord, IndexedFile, OpenRecord, RecordView, Scratch};
use git_cora::index::{IndexOptions, Recorder};
use git_cora::search::segment::{Embedding, SegmentBuilder};

use super::declared::{self, name_words};
use super::history;
use super::sources::{FILE_BYTES, Sources, blobs, listed, words_hash};

/// The origin of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Kind {
    /// The first sentence of a chunk's doc comment.
    Doc = 1,
    /// The words of a chunk's name.
    Name = 2,
    /// The subject of a commit that changed files.
    Commit = 3,
    /// The whole message of a commit that wrote lines of chunks.
    Message = 4,
}

/// Maximum number of chunks of a repository; the files of larger ones are thinned out evenly.
const CHUNKS: usize = 5000;
/// Maximum number of chunks that one message can be about.
const ANSWERS: usize = 12;
/// Maximum number of texts of each kind of a repository; the first in order of a hash are taken.
const TEXTS: usize = 1500;

pub(crate) fn run(sources: &Sources) -> Result<()> {
    sources.each("lists", |git, banned| {
        let lists = make(git, banned)?;
        Ok((lists.encode()?, format!("{} chunks, {} texts", lists.chunks.len(), lists.texts.len())))
    })
}

/// Sub-tokens with their counts by field.
type Words = Vec<(u16, [u8; N_FIELDS])>;

/// A chunk: its file and its sub-tokens.
pub(crate) type ChunkWords = (u32, Words);

/// A file: its record, and the texts that ask for its chunks.
struct File {
    record: Vec<u8>,
    n_chunks: usize,
    asking: Vec<(u32, Kind, String)>,
    /// Hash of a line that a commit wrote -> the chunk that contains it.
    lines: HashMap<u64, u32>,
}

/// A text and its answers, as indices of chunks or of files.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) kind: Kind,
    pub(crate) answers: Vec<u32>,
    /// Sub-token numbers, repeated for each mention, with the weight of its place.
    pub(crate) words: Vec<(u16, f32)>,
}

/// The chunks of a repository and the texts that ask for some of them.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(crate) chunks: Vec<ChunkWords>,
    pub(crate) texts: Vec<Text>,
}

/// Returns the texts that ask for a declaration of a file: the first sentence of its documentation,
/// and the words of its name. Each comes with the number of its chunk.
fn questions(file: &IndexedFile, text: &str, banned: &HashSet<u64>) -> Vec<(u32, Kind, String)> {
    let mut asking = Vec::new();
    for (at, declaration) in file.declarations.iter().enumerate() {
        let is_code = matches!(
            declaration.kind,
            K::Function
                | K::Method
                | K::Class
                | K::Struct
                | K::Interface
                | K::Enum
                | K::Module
                | K::Constructor
        );
        let chunk = file.chunks.iter().position(|chunk| chunk.declaration == Some(at as u32));
        let Some(chunk) = chunk.filter(|_| is_code && !declared::is_test(declaration)) else { continue };
        if banned.contains(&words_hash(&declared::body(text, declaration))) {
            continue;
        }
        if let Some(sentence) = declared::first_sentence(text, declaration, 3) {
            asking.push((chunk as u32, Kind::Doc, sentence));
        }
        let words = name_words(&declaration.name);
        if words.split(' ').count() >= 2 {
            asking.push((chunk as u32, Kind::Name, words));
        }
    }
    asking
}

fn make(git: &Path, banned: &HashSet<u64>) -> Result<Lists> {
    let listed = listed(git)?;
    let messages = history::messages(git)?;
    let mut written: HashMap<&str, HashSet<u64>> = HashMap::new();
    for (path, lines) in messages.iter().flat_map(|message| &message.files) {
        written.entry(path).or_default().extend(lines);
    }
    let recorder = Recorder::new(IndexOptions::default());
    let attributes = FileAttributes::default();
    // Any id will do: nothing that is read from the records depends on it.
    let id = ObjectId::from_bytes(&[0; 20]).context("twenty bytes are an id")?;
    let mut files: BTreeMap<String, File> = BTreeMap::new();
    blobs(git, &listed.iter().collect::<Vec<_>>(), |path, bytes| {
        if bytes.len() > FILE_BYTES {
            return;
        }
        let name = path.rsplit('/').next().unwrap_or_default();
        let blob = Blob::Bytes(bytes.to_vec());
        let record = recorder.record(name.into(), id, &blob, &attributes);
        let FileRecord::Indexed(file) = &record else { return };
        let text = git_cora::index::source::decode(bytes);
        let asking = questions(file, &text, banned);
        let mut lines = HashMap::new();
        if let Some(written) = written.get(path) {
            for (chunk, number) in file.chunks.iter().zip(0..) {
                let hashes = chunk.span.bytes.of(&text).lines().filter_map(history::line_hash);
                lines.extend(hashes.filter(|hash| written.contains(hash)).map(|hash| (hash, number)));
            }
        }
        let n_chunks = file.chunks.len();
        files.insert(path.to_owned(), File { record: record::encode(&record), n_chunks, asking, lines });
    })?;
    let n_chunks: usize = files.values().map(|file| file.n_chunks).sum();
    let every = n_chunks.div_ceil(CHUNKS).max(1);
    let mut at = 0;
    files.retain(|_, _| {
        at += 1;
        at % every == 0
    });
    let bags: Arc<Mutex<Vec<Words>>> = Arc::default();
    let watch = Arc::clone(&bags);
    let mut builder = SegmentBuilder::embedding(Embedding::Watched(Arc::new(move |bag| {
        let narrow = |counts: &[u16; N_FIELDS]| counts.map(|n| u8::try_from(n).unwrap_or(u8::MAX));
        let mut words: Words = bag.entries().map(|(number, counts)| (number, narrow(counts))).collect();
        words.sort_unstable();
        if let Ok(mut bags) = watch.lock() {
            bags.push(words);
        }
    })));
    let mut scratch = Scratch::default();
    let mut lists = Lists::default();
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut firsts: Vec<u32> = Vec::new();
    let mut asking: Vec<(u64, Kind, Vec<u32>, &str)> = Vec::new();
    let mut first = 0u32;
    let mut of_chunks = Vec::new();
    for (number, (path, file)) in files.iter().enumerate() {
        let OpenRecord::Indexed(view) = RecordView::open(&file.record)? else { continue };
        builder.add_file(path.as_str().into(), &view, &mut scratch)?;
        numbers.insert(path, number as u32);
        firsts.resize(number + 1, first);
        of_chunks.extend(std::iter::repeat_n(number as u32, file.n_chunks));
        for (chunk, kind, text) in &file.asking {
            asking.push((words_hash(&format!("{path} {chunk} {text}")), *kind, vec![first + chunk], text));
        }
        first += file.n_chunks as u32;
    }
    let bags = std::mem::take(&mut *bags.lock().ok().context("a builder failed")?);
    ensure!(bags.len() == of_chunks.len(), "{} chunks have {} bags", of_chunks.len(), bags.len());
    lists.chunks = of_chunks.into_iter().zip(bags).collect();
    let subjects = history::subjects(git)?;
    for (subject, paths) in &subjects {
        let answers: Vec<u32> = paths.iter().filter_map(|path| numbers.get(path.as_str()).copied()).collect();
        if !answers.is_empty() {
            asking.push((words_hash(subject), Kind::Commit, answers, subject));
        }
    }
    for message in &messages {
        let mut chunks = BTreeSet::new();
        for (path, lines) in &message.files {
            let first = numbers.get(path.as_str()).and_then(|&number| firsts.get(number as usize));
            let (Some(file), Some(first)) = (files.get(path), first) else { continue };
            chunks.extend(lines.iter().filter_map(|line| file.lines.get(line)).map(|chunk| first + chunk));
        }
        if (1..=ANSWERS).contains(&chunks.len()) {
            let answers = chunks.into_iter().collect();
            asking.push((words_hash(&message.text), Kind::Message, answers, &message.text));
        }
    }
    asking.sort();
    lists.texts = texts(asking);
    Ok(lists)
}

/// Parses the asking texts, and keeps at most [`TEXTS`] of each kind.
fn texts(asking: Vec<(u64, Kind, Vec<u32>, &str)>) -> Vec<Text> {
    let mut texts = Vec::new();
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for (_, kind, answers, text) in asking {
        let count = counts.entry(kind).or_default();
        let words = if kind == Kind::Message {
            git_cora::search::query::parse(text).asked
        } else {
            builtin().asked(identifier::tokens(text)).into_iter().map(|number| (number, 1.0)).collect()
        };
        if *count < TEXTS && words.len() >= 2 {
            *count += 1;
            texts.push(Text { kind, answers, words });
        }
    }
    texts
}

/// Reads a file that [`run`] wrote.
pub(crate) fn read(path: &Path) -> Result<Lists> {
    let file = std::fs::File::open(path).with_context(|| format!("can't read '{}'", path.display()))?;
    let mut bytes = Vec::new();
    GzDecoder::new(file)
        .read_to_end(&mut bytes)
        .with_context(|| format!("can't decompress '{}'", path.display()))?;
    let (sum, lists) =
        bytes.split_first_chunk().with_context(|| format!("'{}' is not a file of lists", path.display()))?;
    ensure!(
        u32::from_le_bytes(*sum) == sub_tokens(),
        "'{}' has the numbers of another model's sub-tokens: make it again with `train lists`",
        path.display()
    );
    Lists::decode(lists).with_context(|| format!("'{}' is not a file of lists", path.display()))
}

/// Returns a checksum that identifies the model's vocabulary.
fn sub_tokens() -> u32 {
    static SUM: LazyLock<u32> =
        LazyLock::new(|| crc32fast::hash(builtin().vocabulary().words().join("\n").as_bytes()));
    *SUM
}

/// Removes a little-endian number from the front of a byte slice and returns it.
macro_rules! take {
    ($bytes:expr, $number:ty) => {{
        let (number, rest) = $bytes.split_first_chunk::<{ size_of::<$number>() }>()?;
        *$bytes = rest;
        <$number>::from_le_bytes(*number)
    }};
}

impl Lists {
    fn decode(mut bytes: &[u8]) -> Option<Self> {
        let bytes = &mut bytes;
        let mut lists = Self::default();
        for _ in 0..take!(bytes, u32) {
            let (file, n) = (take!(bytes, u32), take!(bytes, u16));
            let mut words = Vec::with_capacity(n.into());
            for _ in 0..n {
                let number = take!(bytes, u16);
                let (counts, rest) = bytes.split_first_chunk::<N_FIELDS>()?;
                words.push((number, *counts));
                *bytes = rest;
            }
            lists.chunks.push((file, words));
        }
        for _ in 0..take!(bytes, u32) {
            let number = take!(bytes, u8);
            let kind = [Kind::Doc, Kind::Name, Kind::Commit, Kind::Message]
                .into_iter()
                .find(|kind| *kind as u8 == number)?;
            let mut answers = Vec::new();
            for _ in 0..take!(bytes, u8) {
                answers.push(take!(bytes, u32));
            }
            let mut words = Vec::new();
            for _ in 0..take!(bytes, u16) {
                words.push((take!(bytes, u16), take!(bytes, f32)));
            }
            lists.texts.push(Text { kind, answers, words });
        }
        Some(lists)
    }

    fn encode(&self) -> Result<Vec<u8>> {
        let mut bytes = sub_tokens().to_le_bytes().to_vec();
        bytes.extend_from_slice(&u32::try_from(self.chunks.len())?.to_le_bytes());
        for (file, words) in &self.chunks {
            bytes.extend_from_slice(&file.to_le_bytes());
            bytes.extend_from_slice(&u16::try_from(words.len())?.to_le_bytes());
            for (number, counts) in words {
                bytes.extend_from_slice(&number.to_le_bytes());
                bytes.extend_from_slice(counts);
            }
        }
        bytes.extend_from_slice(&u32::try_from(self.texts.len())?.to_le_bytes());
        for text in &self.texts {
            bytes.push(text.kind as u8);
            bytes.push(u8::try_from(text.answers.len())?);
            text.answers.iter().for_each(|answer| bytes.extend_from_slice(&answer.to_le_bytes()));
            bytes.extend_from_slice(&u16::try_from(text.words.len())?.to_le_bytes());
            for (number, weight) in &text.words {
                bytes.extend_from_slice(&number.to_le_bytes());
                bytes.extend_from_slice(&weight.to_le_bytes());
            }
        }
        Ok(bytes)
    }
}
