//! Planning: the texts of a commit that have no vector of a model.
//!
//! A file is taken over whole if any ref of the model has vectors of its record. Single texts are
//! taken over by their keys, from those refs and from the journal.
//!
//! Must not: send anything.

use std::collections::{HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice as _};
use rayon::prelude::*;

use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Phase, Task};
use crate::base::text::tokens::estimate;
use crate::git::{Blob, Repository};
use crate::provider::embedding::{self, Model};
use crate::provider::sidecar::find::blobs;
use crate::provider::sidecar::journal;

use super::decode::{MAX_BYTES, decode};
use super::find::{VectorsRef, bases};
use super::{Error, Key, Result, VectorSidecar, key_of};

pub(super) type Journal = journal::Journal<VectorSidecar>;

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
    pub(super) commit: Option<ObjectId>,
    pub(super) taken: Vec<(BString, ObjectId)>,
    pub(super) open: Vec<OpenFile>,
    /// File and chunk of each text to send; the file is a position in `open`.
    pub(super) missing: Vec<(usize, usize)>,
    pub(super) known: StoredVectors,
}

/// The vectors in Git that a commit can take over.
#[derive(Debug, Default)]
pub(super) struct StoredVectors {
    pub(super) bases: Vec<VectorsRef>,
    /// By record: the blob, and the number of its vectors.
    pub(super) by_record: HashMap<ObjectId, (ObjectId, usize)>,
    /// By text: the blob, and the position in it.
    pub(super) places: HashMap<Key, (ObjectId, usize)>,
}

/// A file that is not taken over whole.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) path: BString,
    pub(super) record: ObjectId,
    pub(super) keys: Vec<Key>,
}

/// The outcome of [`make`](fn@super::make).
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
/// [`Error::Newer`] if the commit's vectors are of a newer format, [`Error::Git`],
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
    pub(super) fn key(&self, (file, chunk): (usize, usize)) -> Option<&Key> {
        self.open.get(file)?.keys.get(chunk)
    }
}

impl StoredVectors {
    /// Reads the keys of all vectors of the bases; if several match, the first base's.
    fn read(repo: &Repository, bases: Vec<VectorsRef>, cancel: &Cancel) -> Result<Self> {
        // All bases have the same.
        let dimensions = bases.first().map_or(0, |base| base.dimensions);
        let read: Vec<Option<(ObjectId, ObjectId, Vec<Key>)>> =
            blobs(repo, bases.iter().map(|base| base.files))
                .into_par_iter()
                .map(|id| {
                    if cancel.is_cancelled() {
                        return Err(Error::Cancelled);
                    }
                    let Blob::Bytes(bytes) = repo.blob(id, MAX_BYTES)? else { return Ok(None) };
                    let vectors = decode(&bytes).ok().filter(|vectors| vectors.dimensions == dimensions);
                    Ok(vectors
                        .map(|vectors| (id, vectors.record, vectors.rows().map(|row| row.key).collect())))
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
    pub(super) fn reread(
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
