//! Planning: the requested chunks of a commit that have no note of a model, by their keys.
//!
//! Must not: send anything.

use std::collections::HashSet;

use bstr::{BStr, BString, ByteSlice as _};
use rayon::prelude::*;

use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Task};
use crate::git::Repository;
use crate::provider::chat::{self, LanguageModel};
use crate::provider::sidecar::find::blobs;
use crate::provider::sidecar::journal;

use super::find::{CommentaryRef, bases};
use super::note::{ByKey, MAX_CHUNKS};
use super::prompt::{Passage, prompt};
use super::{CommentarySidecar, Error, Key, Note, Result, key_of, read};

pub(super) type Journal = journal::Journal<CommentarySidecar>;

/// Chunks with fewer non-blank bytes explain themselves, and are not annotated.
const LEAST_BYTES: usize = 24;

/// An indexed file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileToAnnotate {
    /// The file's path.
    pub path: BString,
    /// The id of the file's record.
    pub record: ObjectId,
    /// Whether its chunks are to be annotated; otherwise it only keeps the notes that it has.
    pub is_wanted: bool,
}

/// A source of the texts to annotate.
pub trait Sources: Sync {
    /// Returns the annotated texts of a file's chunks, in order; none if the file can't be read.
    fn texts(&self, path: &BStr) -> Vec<String>;

    /// Returns some of a file's chunks in the form that a model gets.
    fn passages(&self, path: &BStr, chunks: &[u32]) -> Vec<Passage>;
}

/// The work that a commit needs.
#[derive(Debug, Default)]
pub struct Plan {
    /// Number of files to annotate.
    pub n_files: usize,
    /// Number of chunks in these files.
    pub n_chunks: usize,
    /// Number of these chunks that have a note of the model, made for this commit or another.
    pub n_known: usize,
    /// Number of chunks to send; equal texts count once.
    pub n_missing: usize,
    /// Tokens of all requests and answers, estimated on the high side.
    pub n_tokens: u64,
    /// Number of files that can't be read.
    pub n_unreadable: usize,
    pub(super) commit: Option<ObjectId>,
    pub(super) files: Vec<OpenFile>,
    pub(super) missing: Vec<PendingWork>,
    pub(super) given: GitNotes,
}

#[derive(Debug)]
pub(super) struct OpenFile {
    pub(super) path: BString,
    pub(super) record: ObjectId,
    pub(super) keys: Vec<Key>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct PendingWork {
    pub(super) file: usize,
    pub(super) chunk: u32,
    pub(super) key: Key,
    pub(super) n_tokens: u64,
}

/// The notes in Git that match the keys of a commit's chunks.
#[derive(Debug, Default)]
pub(super) struct GitNotes {
    pub(super) bases: Vec<CommentaryRef>,
    pub(super) notes: ByKey,
}

impl Plan {
    /// Reads the notes in Git again if there are other bases than when this was planned; `None` if
    /// they are the same.
    pub(super) fn reread(
        &self,
        repo: &Repository,
        commit: ObjectId,
        cancel: &Cancel,
    ) -> Result<Option<GitNotes>> {
        let bases = bases(repo, commit)?;
        if bases == self.given.bases {
            return Ok(None);
        }
        let keys = self.files.iter().flat_map(|file| &file.keys).copied().collect();
        GitNotes::read(repo, bases, &keys, cancel).map(Some)
    }
}

/// The model and the sources of a run.
pub struct RunInputs<'w> {
    /// The model; its own budget, if it has one, ends the run.
    pub model: &'w dyn LanguageModel,
    /// The source of the chunks.
    pub sources: &'w dyn Sources,
}

/// The outcome of [`make`](fn@super::make).
#[derive(Debug, Default)]
pub struct Report {
    /// Number of notes that were written.
    pub n_notes: usize,
    /// Number of chunks about which the model said nothing useful.
    pub n_useless: usize,
    /// Number of chunks that are still missing.
    pub n_left: usize,
    /// Number of files that have notes now.
    pub n_files: usize,
    /// Whether the budget ended the run.
    pub is_over_budget: bool,
    /// The ref, if it has any file.
    pub refname: Option<String>,
    /// The failure that ended the run early; everything received before it is kept.
    pub failure: Option<chat::Error>,
}

/// Determines which chunks of `commit` lack a note of a model, without sending anything.
///
/// `files` must be all files of the commit; chunks are planned in their order.
///
/// # Errors
/// [`Error::Newer`] if the commit's commentary is of a newer format, [`Error::Git`],
/// [`Error::Cancelled`].
pub fn plan(
    repo: &Repository,
    model: &str,
    commit: ObjectId,
    files: Vec<FileToAnnotate>,
    sources: &dyn Sources,
    task: Task<'_>,
) -> Result<Plan> {
    task.progress.begin("looking up stored results", "files", Some(files.len() as u64));
    let keyed: Vec<(FileToAnnotate, Vec<(Key, u64)>)> = files
        .into_par_iter()
        .map(|file| {
            let texts = if task.is_cancelled() { Vec::new() } else { sources.texts(file.path.as_bstr()) };
            task.progress.advance(1);
            let cost = |text: &str| {
                let n = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
                if n < LEAST_BYTES { 0 } else { Passage::cost(text) }
            };
            let keys = texts.iter().map(|text| (key_of(text), cost(text))).collect();
            (file, keys)
        })
        .collect();
    task.progress.end();
    if task.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let mut plan = Plan { commit: Some(commit), ..Plan::default() };
    let all: HashSet<Key> = keyed.iter().flat_map(|(_, keys)| keys.iter().map(|(key, _)| *key)).collect();
    plan.given = GitNotes::read(repo, bases(repo, commit)?, &all, task.cancel)?;
    let received = Journal::peek(&journal_path(repo));
    let mut seen = HashSet::new();
    for (file, keys) in keyed {
        let at = plan.files.len();
        if file.is_wanted {
            plan.n_files += 1;
            plan.n_unreadable += usize::from(keys.is_empty());
            for (chunk, &(key, n_tokens)) in (0..MAX_CHUNKS).zip(&keys) {
                plan.n_chunks += 1;
                let by = (key, model.to_owned());
                if plan.given.notes.contains_key(&by) || received.contains_key(&by) {
                    plan.n_known += 1;
                } else if n_tokens > 0 && seen.insert(key) {
                    plan.missing.push(PendingWork { file: at, chunk, key, n_tokens });
                    plan.n_tokens = plan.n_tokens.saturating_add(n_tokens);
                }
            }
        }
        let keys = keys.into_iter().map(|(key, _)| key).collect();
        plan.files.push(OpenFile { path: file.path, record: file.record, keys });
    }
    plan.n_missing = plan.missing.len();
    // The instructions, once for each request.
    let requests = plan.n_missing.div_ceil(BATCH) as u64;
    plan.n_tokens = plan.n_tokens.saturating_add(requests * prompt(&[]).estimate());
    Ok(plan)
}

impl GitNotes {
    /// Reads the notes in Git that have some keys; if several match in text and model, the first
    /// base's.
    ///
    /// Drops all others, so that fetched commentary takes no more memory than the commit's own
    /// chunks.
    fn read(
        repo: &Repository,
        bases: Vec<CommentaryRef>,
        keys: &HashSet<Key>,
        cancel: &Cancel,
    ) -> Result<Self> {
        let read: Vec<Vec<Note>> = blobs(repo, bases.iter().map(|base| base.files))
            .into_par_iter()
            .map(|id| {
                if cancel.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                let mut notes = read(repo, id)?.map(|(_, notes)| notes).unwrap_or_default();
                notes.retain(|note| keys.contains(&note.key));
                Ok(notes)
            })
            .collect::<Result<_>>()?;
        let mut notes = ByKey::new();
        for note in read.into_iter().flatten() {
            notes.entry((note.key, note.model.clone())).or_insert(note);
        }
        Ok(Self { bases, notes })
    }
}

pub(super) fn journal_path(repo: &Repository) -> std::path::PathBuf {
    repo.cora_dir().join("commentary").join("journal")
}

/// Most chunks of one request.
pub(super) const BATCH: usize = 6;
