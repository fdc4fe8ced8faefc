//! Making vectors: the texts that a commit lacks → requests → a ref.
//!
//! 1. Plan. A file is taken over whole if any ref of the model has vectors of its record. Single
//!    texts are taken over by their keys, from those refs and from the journal.
//! 2. Send. A user may take long to confirm the plan. So the list is checked again with the journal
//!    locked, and texts that others have embedded meanwhile are not sent. The remaining texts are
//!    sent in batches. Each answer is in the journal before its thread sends the next request, so
//!    an interruption loses no answer.
//! 3. Publish. Files with a vector for every text become the ref's tree, together with those that
//!    the ref has by then.

use std::collections::{HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Phase, Task};
use crate::base::text::tokens::estimate;
use crate::git::{Blob, ObjectWriter, Repository};
use crate::provider::embedding::{self, Embedder, Model, Row};
use crate::provider::sidecar::journal;
use crate::provider::sidecar::publish::{self, Draft, Edits, Place};

use super::decode::{MAX_BYTES, decode, encode, key_of};
use super::find::{VectorsRef, bases};
use super::layout::{Manifest, ref_name};
use super::send::{Feeder, send};
use super::{Error, Key, KeyedRow, Result, Vectors};

pub(super) type Journal = journal::Journal<Vectors>;
type Rows = journal::Entries<KeyedRow>;

/// An indexed file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileToEmbed {
    /// The file's path.
    pub path: BString,
    /// The id of the file's record.
    pub record: ObjectId,
    /// Number of chunks, at least 1.
    pub n_chunks: usize,
}

/// A source of the texts to embed.
pub trait Texts: Sync {
    /// Returns the texts of a file's chunks, in order; none if the file can't be read.
    fn of(&self, path: &BStr) -> Vec<String>;
}

/// The work that a commit needs.
#[derive(Debug, Default)]
pub struct Plan {
    /// Number of files to embed.
    pub n_files: usize,
    /// Number of files that have vectors already, made for this commit or another.
    pub n_files_known: usize,
    /// Number of texts in the other files that are known from elsewhere or from an interrupted run.
    pub n_texts_known: usize,
    /// Number of texts to send, each counted once.
    pub n_texts: usize,
    /// Tokens of these texts, estimated on the high side.
    pub n_tokens: u64,
    /// Number of files that can't be read.
    pub n_unreadable: usize,
    commit: Option<ObjectId>,
    taken: Vec<(BString, ObjectId)>,
    pub(super) open: Vec<OpenFile>,
    /// File and chunk of each text to send; the file is a position in `open`.
    missing: Vec<(usize, usize)>,
    known: StoredVectors,
}

/// The vectors in Git that a commit can take over.
#[derive(Debug, Default)]
struct StoredVectors {
    bases: Vec<VectorsRef>,
    /// By record: the blob, and the number of its vectors.
    by_record: HashMap<ObjectId, (ObjectId, usize)>,
    /// By text: the blob, and the position in it.
    places: HashMap<Key, (ObjectId, usize)>,
}

/// A file that is not taken over whole.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) path: BString,
    record: ObjectId,
    pub(super) keys: Vec<Key>,
}

/// The outcome of [`make`].
#[derive(Debug, Default)]
pub struct Report {
    /// Number of texts that were sent.
    pub n_texts: usize,
    /// Tokens that the provider counted.
    pub n_tokens: u64,
    /// Number of texts of which only the beginning was sent.
    pub n_cut: usize,
    /// Number of files that have vectors now.
    pub n_files: usize,
    /// Number of texts that are still missing.
    pub n_left: usize,
    /// Whether the budget ended the run.
    pub is_over_budget: bool,
    /// The ref, if it has any file.
    pub refname: Option<String>,
    /// The failure that ended the run early; everything received before it is kept.
    pub failure: Option<embedding::Error>,
}

/// Determines which texts `commit` lacks, in the order of `files`, without sending anything.
///
/// # Errors
/// [`Error::Newer`] if the commit's vectors are of a newer format, [`Error::Repo`],
/// [`Error::Cancelled`].
pub fn plan(
    repo: &Repository,
    model: &Model,
    commit: ObjectId,
    files: Vec<FileToEmbed>,
    texts: &dyn Texts,
    task: Task<'_>,
) -> Result<Plan> {
    let known = StoredVectors::read(repo, bases(repo, model, commit)?, task.cancel)?;
    let mut plan = Plan { n_files: files.len(), commit: Some(commit), known, ..Plan::default() };
    let journal = Journal::peek(&journal_path(repo, model));
    let mut rest = Vec::new();
    for file in files {
        match plan.known.by_record.get(&file.record) {
            Some(&(blob, n)) if n == file.n_chunks => plan.taken.push((file.path, blob)),
            _ => rest.push(file),
        }
    }
    plan.n_files_known = plan.taken.len();
    let phase = Phase::begin(task.progress, "looking up stored results", "files", rest.len(), 500);
    let most = model.limits().text_tokens;
    let read: Vec<_> = rest
        .into_par_iter()
        .map(|file| {
            phase.advance(1);
            let texts = if task.is_cancelled() { Vec::new() } else { texts.of(file.path.as_bstr()) };
            let keys: Vec<_> = texts.iter().map(|text| (key_of(text), estimate(text).min(most))).collect();
            (keys.len() == file.n_chunks).then_some((file, keys))
        })
        .collect();
    drop(phase);
    if task.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let mut seen = HashSet::new();
    for read in read {
        let Some((file, keys)) = read else {
            plan.n_unreadable += 1;
            continue;
        };
        let at = plan.open.len();
        for (chunk, (key, n_tokens)) in keys.iter().enumerate() {
            if plan.known.places.contains_key(key) || journal.contains_key(key) {
                plan.n_texts_known += 1;
            } else if seen.insert(*key) {
                plan.missing.push((at, chunk));
                plan.n_tokens += *n_tokens as u64;
            }
        }
        let keys = keys.into_iter().map(|(key, _)| key).collect();
        plan.open.push(OpenFile { path: file.path, record: file.record, keys });
    }
    plan.n_texts = plan.missing.len();
    Ok(plan)
}

impl Plan {
    fn key(&self, (file, chunk): (usize, usize)) -> Option<&Key> {
        self.open.get(file)?.keys.get(chunk)
    }
}

impl StoredVectors {
    /// Reads the keys of all vectors of the bases; if several match, the first base's.
    fn read(repo: &Repository, bases: Vec<VectorsRef>, cancel: &Cancel) -> Result<Self> {
        let mut blobs = Vec::new();
        let mut seen = HashSet::new();
        for base in &bases {
            // A base that can't be read is skipped: it only saves money.
            for entry in repo.tree_files(base.files).unwrap_or_default() {
                if seen.insert(entry.id) {
                    blobs.push((entry.id, base.dimensions));
                }
            }
        }
        let read: Vec<Option<(ObjectId, ObjectId, Vec<Key>)>> = blobs
            .into_par_iter()
            .map(|(id, dimensions)| {
                if cancel.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                let Blob::Bytes(bytes) = repo.blob(id, MAX_BYTES)? else { return Ok(None) };
                let vectors = decode(&bytes).ok().filter(|vectors| vectors.dimensions == dimensions);
                Ok(vectors.map(|vectors| (id, vectors.record, vectors.rows().map(|row| row.key).collect())))
            })
            .collect::<Result<_>>()?;
        let mut known = Self { bases, ..Self::default() };
        for (id, record, keys) in read.into_iter().flatten() {
            known.by_record.entry(record).or_insert((id, keys.len()));
            for (at, key) in keys.into_iter().enumerate() {
                known.places.entry(key).or_insert((id, at));
            }
        }
        Ok(known)
    }

    /// Reads the bases again if they are others than these; `None` if they are the same.
    fn reread(
        &self,
        repo: &Repository,
        model: &Model,
        commit: ObjectId,
        cancel: &Cancel,
    ) -> Result<Option<Self>> {
        let bases = bases(repo, model, commit)?;
        if bases == self.bases { Ok(None) } else { Self::read(repo, bases, cancel).map(Some) }
    }
}

/// Returns the path of a model's journal.
pub(super) fn journal_path(repo: &Repository, model: &Model) -> std::path::PathBuf {
    repo.cora_dir().join("embeddings").join(format!("{}.journal", model.component()))
}

/// Sends the missing texts and points the ref at all complete files.
///
/// Sends at most `budget` tokens, if it is given. A failure of the provider is part of the report.
///
/// # Errors
/// [`Error::Busy`], [`Error::Io`], [`Error::Repo`], [`Error::Cancelled`]. The journal keeps
/// everything received before, for the next run.
pub fn make(
    repo: &Repository,
    embedder: &Embedder,
    plan: &Plan,
    texts: &dyn Texts,
    budget: Option<u64>,
    task: Task<'_>,
) -> Result<Report> {
    let Some(commit) = plan.commit else { return Ok(Report::default()) };
    let model = embedder.model();
    let mut journal = Journal::open(journal_path(repo, model), repo.sharing())?;
    // The lock is held: from here on nobody else adds vectors. Those added since planning are
    // already paid for.
    let reread = plan.known.reread(repo, model, commit, task.cancel)?;
    let known = reread.as_ref().unwrap_or(&plan.known);
    let lacks = |journal: &Journal, at: &(usize, usize)| {
        plan.key(*at).is_some_and(|key| !known.places.contains_key(key) && !journal.entries.contains_key(key))
    };
    let missing: Vec<(usize, usize)> =
        plan.missing.iter().filter(|at| lacks(&journal, at)).copied().collect();
    let mut report = Report::default();
    if !missing.is_empty() {
        let feeder = Feeder::new(plan, &missing, texts, model, budget);
        journal = send(embedder, feeder, journal, &mut report, task)?;
    }
    report.n_left = missing.iter().filter(|at| lacks(&journal, at)).count();
    // A row that no file of this commit has may be one of another commit's.
    if publish(repo, model, plan, commit, &journal.entries, &mut report, task.cancel)? {
        journal.clear();
    }
    Ok(report)
}

/// Writes the files with a vector for every text, then the ref; returns whether every received
/// vector is in Git.
fn publish(
    repo: &Repository,
    model: &Model,
    plan: &Plan,
    commit: ObjectId,
    received: &Rows,
    report: &mut Report,
    cancel: &Cancel,
) -> Result<bool> {
    let refname = ref_name(&model.component(), commit);
    let place = Place { repo, refname: &refname, commit };
    let mut is_all = false;
    publish::publish::<Vectors>(&place, cancel, |writer| {
        let reread = plan.known.reread(repo, model, commit, cancel)?;
        let known = reread.as_ref().unwrap_or(&plan.known);
        let mut files = Files { repo, plan, known, received, blobs: HashMap::new() };
        let VectorChanges { edits, published, dimensions } = files.write(writer, cancel)?;
        is_all = received.keys().all(|key| published.contains(key) || known.places.contains_key(key));
        report.n_files = edits.len();
        let Some(dimensions) = dimensions.filter(|_| !edits.is_empty()) else { return Ok(None) };
        report.refname = Some(refname.clone());
        let base = known.bases.first();
        Ok(Some(Draft {
            files: edits,
            manifest: Manifest { model: model.id(), dimensions }.encode().into_bytes(),
            base: base.map(|base| base.snapshot_commit),
            present: base.filter(|base| base.commit == commit).map(|base| base.files),
        }))
    })?;
    Ok(is_all)
}

/// The files of a commit, and where their vectors are.
struct Files<'f> {
    repo: &'f Repository,
    plan: &'f Plan,
    known: &'f StoredVectors,
    received: &'f Rows,
    /// Some of the blobs of the bases.
    blobs: HashMap<ObjectId, Vec<u8>>,
}

/// The blobs of all complete files, the keys of the vectors in those that are new, and the
/// dimensions.
struct VectorChanges {
    edits: Edits,
    published: HashSet<Key>,
    dimensions: Option<usize>,
}

impl Files<'_> {
    fn write(&mut self, writer: &mut ObjectWriter, cancel: &Cancel) -> Result<VectorChanges> {
        let mut edits: Edits = self.plan.taken.iter().map(|(path, id)| (path.clone(), Some(*id))).collect();
        let mut published = HashSet::new();
        let mut dimensions = self.known.bases.first().map(|base| base.dimensions);
        for file in &self.plan.open {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            // Somebody may have published the file since it was planned.
            if let Some(&(blob, n)) = self.known.by_record.get(&file.record)
                && n == file.keys.len()
            {
                edits.push((file.path.clone(), Some(blob)));
                continue;
            }
            let found: Option<Vec<(Key, Row)>> =
                file.keys.iter().map(|key| Some((*key, self.row(key)?))).collect();
            let Some(found) = found else { continue };
            let n = found.first().map_or(0, |(_, row)| row.components.len());
            if *dimensions.get_or_insert(n) != n {
                continue;
            }
            if let Some(bytes) = encode(file.record, &found) {
                edits.push((file.path.clone(), Some(writer.blob(&bytes)?)));
                published.extend(&file.keys);
            }
        }
        Ok(VectorChanges { edits, published, dimensions })
    }

    /// Returns the row of a key, from the journal or from a base's blob.
    fn row(&mut self, key: &Key) -> Option<Row> {
        if let Some(received) = self.received.get(key) {
            return Some(received.row.clone());
        }
        let places = [&self.known.places, &self.plan.known.places];
        let &(id, at) = places.into_iter().find_map(|places| places.get(key))?;
        // Most texts of a file come from one other file, its older version, so few blobs need to be
        // kept.
        if !self.blobs.contains_key(&id) {
            let Ok(Blob::Bytes(bytes)) = self.repo.blob(id, MAX_BYTES) else { return None };
            if self.blobs.len() >= 8 {
                self.blobs.clear();
            }
            self.blobs.insert(id, bytes);
        }
        let vectors = decode(self.blobs.get(&id)?).ok()?;
        let row = vectors.rows().nth(at).filter(|row| row.key == *key)?;
        Some(row.to_row())
    }
}
