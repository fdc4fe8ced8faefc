//! Making vectors: the texts that a commit lacks → requests → a ref.
//!
//! 1. Plan. A file is taken over whole if any ref of the model has vectors of its record. Single
//!    texts are taken over by their keys, from those refs and from the journal.
//! 2. Send. The remaining texts are sent in batches. Each answer is in the journal before its
//!    thread sends the next request, so an interruption loses no answer.
//! 3. Publish. Files with a vector for every text become the ref's tree.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Phase, Task};
use crate::base::text::tokens::estimate;
use crate::git::{Blob, EntryMode, RefUpdate, Repository, TreeEntry};
use crate::provider::embedding::{self, Embedder, Model, Purpose, Row};

use super::decode::{MAX_BYTES, decode, encode, key_of};
use super::find::{VectorsRef, commits, open};
use super::journal::Journal;
use super::layout::{self, FILES, MANIFEST, Manifest, ref_name};
use super::{Error, Key, Result};

/// Most refs of the model that are searched for known vectors; more add hardly anything.
///
/// The commit's own ref comes first, then those of its nearest ancestors, then any.
const BASES: usize = 16;

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
    open: Vec<OpenFile>,
    /// File and chunk of each text to send; the file is a position in `open`.
    missing: Vec<(usize, usize)>,
    places: HashMap<Key, (ObjectId, usize)>,
    bases: Vec<VectorsRef>,
}

/// A file that is not taken over whole.
#[derive(Debug)]
struct OpenFile {
    path: BString,
    record: ObjectId,
    keys: Vec<Key>,
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
    let mut plan = Plan {
        n_files: files.len(),
        commit: Some(commit),
        bases: bases(repo, model, commit)?,
        ..Plan::default()
    };
    let by_record = plan.read_bases(repo, task.cancel)?;
    let journal = Journal::peek(&journal_path(repo, model));
    let mut rest = Vec::new();
    for file in files {
        match by_record.get(&file.record) {
            Some(&(blob, n)) if n == file.n_chunks => plan.taken.push((file.path, blob)),
            _ => rest.push(file),
        }
    }
    plan.n_files_known = plan.taken.len();
    let phase = Phase::begin(task.progress, "looking for what is known", "files", rest.len(), 500);
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
            if plan.places.contains_key(key) || journal.contains_key(key) {
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

/// Returns the vectors to take over from: the commit's own, those of the nearest ancestors, then
/// any.
fn bases(repo: &Repository, model: &Model, commit: ObjectId) -> Result<Vec<VectorsRef>> {
    let (id, component) = (model.id(), model.component());
    let known = commits(repo, &component)?;
    let mut bases: Vec<VectorsRef> = Vec::new();
    match open(repo, &id, &component, commit) {
        Ok(found) => bases.extend(found),
        // Vectors of a newer version must not be replaced.
        Err(error @ Error::Newer { .. }) => return Err(error),
        Err(Error::Corrupt(_) | Error::Repo(_)) => {}
        Err(error) => return Err(error),
    }
    let line = repo.first_parents(commit, 2_000)?;
    let near = line.iter().filter(|ancestor| known.contains(ancestor));
    let mut seen = HashSet::from([commit]);
    for candidate in near.chain(&known) {
        if bases.len() >= BASES {
            break;
        }
        if seen.insert(*candidate)
            && let Ok(Some(found)) = open(repo, &id, &component, *candidate)
        {
            bases.push(found);
        }
    }
    // If the length of a model's vectors has changed, it is another model, whatever its name.
    if let Some(dimensions) = bases.first().map(|base| base.dimensions) {
        bases.retain(|base| base.dimensions == dimensions);
    }
    Ok(bases)
}

impl Plan {
    /// Reads the bases and stores the place of each key; returns, by record, blob and number of
    /// chunks.
    fn read_bases(
        &mut self,
        repo: &Repository,
        cancel: &Cancel,
    ) -> Result<HashMap<ObjectId, (ObjectId, usize)>> {
        let mut blobs = Vec::new();
        let mut seen = HashSet::new();
        for base in &self.bases {
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
        let mut by_record = HashMap::new();
        for (id, record, keys) in read.into_iter().flatten() {
            by_record.entry(record).or_insert((id, keys.len()));
            for (at, key) in keys.into_iter().enumerate() {
                self.places.entry(key).or_insert((id, at));
            }
        }
        Ok(by_record)
    }
}

/// Returns the path of a model's journal.
fn journal_path(repo: &Repository, model: &Model) -> std::path::PathBuf {
    repo.cora_dir().join("embeddings").join(format!("{}.journal", model.component()))
}

/// The queue of texts to send, and the budget.
struct Feeder<'p> {
    plan: &'p Plan,
    texts: &'p dyn Texts,
    model: &'p Model,
    budget: Option<u64>,
    next: usize,
    /// Tokens counted so far, plus the estimate for requests under way.
    spent: u64,
    is_over_budget: bool,
    is_stopped: bool,
    loaded: Option<(usize, Vec<String>)>,
}

/// The texts of one request.
#[derive(Default)]
struct Batch {
    keys: Vec<Key>,
    texts: Vec<String>,
    n_tokens: u64,
}

impl Feeder<'_> {
    /// Returns the next batch within the provider's limits; `None` at the end of the texts or the
    /// budget.
    fn batch(&mut self) -> Option<Batch> {
        let limits = self.model.limits();
        let mut batch = Batch::default();
        while let Some(&(at, chunk)) = self.plan.missing.get(self.next) {
            if self.is_stopped || batch.texts.len() >= limits.batch_texts {
                break;
            }
            let file = self.plan.open.get(at)?;
            if self.loaded.as_ref().is_none_or(|(loaded, _)| *loaded != at) {
                self.loaded = Some((at, self.texts.of(file.path.as_bstr())));
            }
            let text = self.loaded.as_ref().and_then(|(_, texts)| texts.get(chunk));
            // A file that was changed or removed after planning is left for the next run.
            let (Some(text), Some(&key)) =
                (text, file.keys.get(chunk).filter(|key| text.is_some_and(|text| key_of(text) == **key)))
            else {
                self.next += 1;
                continue;
            };
            let n_tokens = estimate(text).min(limits.text_tokens).max(1) as u64;
            if !batch.texts.is_empty() && batch.n_tokens + n_tokens > limits.batch_tokens as u64 {
                break;
            }
            if self.budget.is_some_and(|budget| self.spent + batch.n_tokens + n_tokens > budget) {
                self.is_over_budget = true;
                break;
            }
            batch.keys.push(key);
            batch.texts.push(text.clone());
            batch.n_tokens += n_tokens;
            self.next += 1;
        }
        self.spent += batch.n_tokens;
        (!batch.texts.is_empty()).then_some(batch)
    }
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
    let path = journal_path(repo, embedder.model());
    let is_needed = !plan.missing.is_empty() || path.exists();
    let journal = if is_needed { Some(Journal::open(path)?) } else { None };
    let mut report = Report::default();
    let mut journal = match journal {
        Some(journal) if !plan.missing.is_empty() => {
            Some(send(embedder, plan, texts, budget, journal, &mut report, task)?)
        }
        other => other,
    };
    let no_rows = HashMap::new();
    let rows = journal.as_ref().map_or(&no_rows, |journal| &journal.rows);
    report.n_left = plan
        .missing
        .iter()
        .filter(|(at, chunk)| {
            let key = plan.open.get(*at).and_then(|file| file.keys.get(*chunk));
            key.is_some_and(|key| !rows.contains_key(key))
        })
        .count();
    publish(repo, embedder.model(), plan, rows, &mut report, task.cancel)?;
    if report.n_left == 0
        && plan.n_unreadable == 0
        && let Some(journal) = journal.take()
    {
        journal.remove();
    }
    Ok(report)
}

/// Sends batch after batch, with as many requests in parallel as the provider allows.
#[allow(clippy::too_many_arguments, reason = "the parts of one loop")]
fn send(
    embedder: &Embedder,
    plan: &Plan,
    texts: &dyn Texts,
    budget: Option<u64>,
    journal: Journal,
    report: &mut Report,
    task: Task<'_>,
) -> Result<Journal> {
    let model = embedder.model();
    let feeder = Mutex::new(Feeder {
        plan,
        texts,
        model,
        budget,
        next: 0,
        spent: 0,
        is_over_budget: false,
        is_stopped: false,
        loaded: None,
    });
    let sink = Mutex::new((journal, report));
    let failure: Mutex<Option<Error>> = Mutex::new(None);
    let work = || {
        loop {
            let batch = lock(&feeder).batch();
            let Some(batch) = batch else { return };
            let list: Vec<&str> = batch.texts.iter().map(String::as_str).collect();
            let outcome = embedder
                .embed(&list, Purpose::Document, task.cancel)
                .map_err(Error::from)
                .and_then(|embedded| {
                    let n = embedded.rows.len();
                    let mut sink = lock(&sink);
                    sink.0.append(batch.keys.into_iter().zip(embedded.rows).collect())?;
                    sink.1.n_texts += n;
                    sink.1.n_tokens = sink.1.n_tokens.saturating_add(embedded.tokens);
                    sink.1.n_cut += embedded.n_cut;
                    task.progress.advance(n as u64);
                    Ok(embedded.tokens)
                });
            let mut feeder = lock(&feeder);
            match outcome {
                Ok(counted) => {
                    feeder.spent = feeder.spent.saturating_sub(batch.n_tokens).saturating_add(counted)
                }
                Err(error) => {
                    feeder.is_stopped = true;
                    lock(&failure).get_or_insert(error);
                    return;
                }
            }
        }
    };
    task.progress.begin("embedding", "texts", Some(plan.missing.len() as u64));
    std::thread::scope(|scope| {
        for _ in 1..model.limits().requests {
            scope.spawn(work);
        }
        work();
    });
    task.progress.end();
    let (journal, report) = sink.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    report.is_over_budget = lock(&feeder).is_over_budget;
    let failure = lock(&failure).take();
    match failure {
        _ if task.is_cancelled() => Err(Error::Cancelled),
        Some(Error::Embed(error)) => {
            report.failure = Some(error);
            Ok(journal)
        }
        Some(error) => Err(error),
        None => Ok(journal),
    }
}

/// Writes the files with a vector for every text, then the ref.
fn publish(
    repo: &Repository,
    model: &Model,
    plan: &Plan,
    rows: &HashMap<Key, Row>,
    report: &mut Report,
    cancel: &Cancel,
) -> Result<()> {
    let mut writer = repo.writer()?;
    let mut edits: Vec<(BString, Option<ObjectId>)> =
        plan.taken.iter().map(|(path, id)| (path.clone(), Some(*id))).collect();
    let mut dimensions = plan.bases.first().map(|base| base.dimensions);
    let mut blobs: HashMap<ObjectId, Vec<u8>> = HashMap::new();
    for file in &plan.open {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let found: Option<Vec<(Key, Row)>> =
            file.keys.iter().map(|key| Some((*key, row_of(repo, plan, rows, &mut blobs, key)?))).collect();
        let Some(found) = found else { continue };
        let n = found.first().map_or(0, |(_, row)| row.components.len());
        if *dimensions.get_or_insert(n) != n {
            continue;
        }
        if let Some(bytes) = encode(file.record, &found) {
            edits.push((file.path.clone(), Some(writer.blob(&bytes)?)));
        }
    }
    report.n_files = edits.len();
    let (Some(dimensions), Some(commit), false) = (dimensions, plan.commit, edits.is_empty()) else {
        return Ok(());
    };
    edits.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let files = repo.edit_tree(&mut writer, None, &edits)?;
    let manifest = writer.blob(Manifest { model: model.id(), dimensions }.encode().as_bytes())?;
    let tree = writer.tree(&[
        TreeEntry { path: MANIFEST.into(), mode: EntryMode::File, id: manifest },
        TreeEntry { path: FILES.into(), mode: EntryMode::Directory, id: files },
    ])?;
    let refname = ref_name(&model.component(), commit);
    let present = repo.read_ref(&refname)?;
    let is_there = plan.bases.first().is_some_and(|base| base.commit == commit && base.files == files);
    if !is_there {
        let snapshot = writer.commit(&layout::snapshot_commit(tree))?;
        let base = plan.bases.first().map(|base| base.snapshot_commit);
        let id = writer.commit(&layout::commit(tree, commit, snapshot, base))?;
        writer.finish(cancel)?;
        let mut expected = present;
        for _ in 0..3 {
            match repo.update_ref(&refname, expected, id)? {
                RefUpdate::Done | RefUpdate::AlreadyThere => break,
                RefUpdate::Conflict { actual } => expected = actual,
            }
        }
    }
    report.refname = Some(refname);
    Ok(())
}

/// Returns the row of a key, from the journal or from a base's blob.
fn row_of(
    repo: &Repository,
    plan: &Plan,
    rows: &HashMap<Key, Row>,
    blobs: &mut HashMap<ObjectId, Vec<u8>>,
    key: &Key,
) -> Option<Row> {
    if let Some(row) = rows.get(key) {
        return Some(row.clone());
    }
    let &(id, at) = plan.places.get(key)?;
    // Most texts of a file come from one other file, its older version, so few blobs need to be
    // kept.
    if !blobs.contains_key(&id) {
        let Ok(Blob::Bytes(bytes)) = repo.blob(id, MAX_BYTES) else { return None };
        if blobs.len() >= 8 {
            blobs.clear();
        }
        blobs.insert(id, bytes);
    }
    let vectors = decode(blobs.get(&id)?).ok()?;
    let row = vectors.rows().nth(at).filter(|row| row.key == *key)?;
    Some(row.to_row())
}

/// Locks a mutex and ignores poison.
///
/// No holder panics while the data is inconsistent.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
