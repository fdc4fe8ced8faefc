//! The trees of records that an index is made of.
//!
//! Only what differs from a base is computed: the source trees are compared, the changed files recorded, in as many
//! threads as there are, and the base's tree of records edited. A file that only moved keeps its record. From scratch is
//! the same without a base, so there is one way and one result.
//!
//! A base may have been fetched from anyone. What is taken over of a directory in which something changes is opened first;
//! a subtree in which nothing changes is taken over by its id: that is what makes the next commit cost no more than its
//! changes, and what `verify` is for.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Mutex;

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use super::record::{self, FileRecord, RecordView, Scratch, limits};
use super::source::SkipReason;
use crate::base::id::ObjectId;
use crate::base::progress::{Phase, Task};
use crate::git::{
    Attributes, Blob, EntryMode, FileAttributes, ObjectKind, ObjectWriter, Repository, TreeChange, TreeEntry,
    encode_object,
};

use super::layout::{FILES, MANIFEST};
use super::{Error, Recorder, Result, Work, file_name};

/// A source tree and its records.
#[derive(Clone, Copy)]
pub(super) struct Recorded {
    pub(super) source_tree: ObjectId,
    pub(super) files: ObjectId,
    /// Whether it is a stored index with records, maybe, of files that could not be read.
    pub(super) has_gaps: bool,
    /// Whether it is a stored index, which may have come from anyone.
    pub(super) is_stored: bool,
}

/// What was done, and what is to be said of it.
#[derive(Default)]
pub(super) struct Report {
    pub(super) work: Work,
    /// Files whose records in the base were damaged, missing, or of another file.
    pub(super) mended: Vec<BString>,
    /// Files that could not be read.
    pub(super) unreadable: Vec<BString>,
}

/// Records by blob and name of a file: with the same attributes, these are the same record, wherever the file lies.
pub(super) type Copies = HashMap<(ObjectId, BString), (FileAttributes, ObjectId)>;

fn key(path: &BString, blob: ObjectId) -> (ObjectId, BString) {
    (blob, BString::from(file_name(path.as_bstr())))
}

/// Makes trees of records.
pub(super) struct Builder<'b> {
    pub(super) repo: &'b Repository,
    pub(super) recorder: Recorder,
    pub(super) task: Task<'b>,
    pub(super) report: Report,
    /// What was made or found so far.
    pub(super) copies: Copies,
}

impl Builder<'_> {
    /// The tree of records of `source_tree`, starting from what `base` has.
    pub(super) fn record_tree(
        &mut self,
        writer: &mut ObjectWriter,
        base: Option<Recorded>,
        source_tree: ObjectId,
    ) -> Result<Recorded> {
        let retries = match base {
            Some(base) if base.has_gaps => self.unreadable_in(base, source_tree)?,
            _ => Vec::new(),
        };
        if let Some(base) = base
            && base.source_tree == source_tree
            && retries.is_empty()
        {
            return Ok(base);
        }
        let mut changes = changes(self.repo, base.map(|base| base.source_tree), source_tree)?;
        for entry in retries {
            if changes.iter().all(|change| change.path != entry.path) {
                changes.push(TreeChange { path: entry.path, old: None, new: Some((entry.mode, entry.id)) });
            }
        }
        let attributes = self.repo.attributes(source_tree)?;
        if let Some(base) = base
            && base.is_stored
        {
            let mended = self.damaged_beside(base, source_tree, &changes)?;
            if !mended.is_empty() {
                writer.mend();
            }
            self.report.mended.extend(mended.iter().map(|change| change.path.clone()));
            changes.extend(mended);
            let moved = self.moved(base, &changes)?;
            self.copies.extend(moved);
        }
        let mut edits: Vec<(BString, Option<ObjectId>)> = Vec::new();
        let mut jobs = Vec::new();
        for change in changes {
            match change.new {
                None => edits.push((change.path, None)),
                Some((mode, id)) => jobs.push(TreeEntry { path: change.path, mode, id }),
            }
        }
        let phase = Phase::begin(self.task.progress, "indexing", "files", jobs.len(), 200);
        edits.extend(self.record_files(writer, &attributes, &jobs)?);
        drop(phase);
        edits.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let files = self.repo.edit_tree(writer, base.map(|base| base.files), &edits)?;
        // Its gaps are in the report, and trying again so soon would not help.
        Ok(Recorded { source_tree, files, has_gaps: false, is_stored: false })
    }

    /// What is wrong with the base beside `changes`: for each directory that has to be rewritten because a file
    /// directly in it changes, the records of its other files that are not whole, not of their source, missing, or
    /// of no source; as changes that mend them.
    fn damaged_beside(
        &self,
        base: Recorded,
        source_tree: ObjectId,
        changes: &[TreeChange],
    ) -> Result<Vec<TreeChange>> {
        let changed: HashSet<&BStr> = changes.iter().map(|change| change.path.as_bstr()).collect();
        let directories: BTreeSet<&BStr> = changed.iter().map(|path| parent(path)).collect();
        let mut pairs: Vec<(TreeEntry, Option<ObjectId>)> = Vec::new();
        let mut mended = Vec::new();
        for directory in directories {
            let records = self.repo.tree_directory(base.files, directory)?;
            let sources = self.repo.tree_directory(source_tree, directory)?;
            let is_file = |entry: &&TreeEntry| {
                entry.mode != EntryMode::Directory && !changed.contains(entry.path.as_bstr())
            };
            let at = |list: &[TreeEntry], path: &BString| {
                list.binary_search_by(|entry| entry.path.cmp(path)).ok().and_then(|at| list.get(at).cloned())
            };
            for record in records.iter().filter(is_file) {
                // Where a directory was that goes, its files' removal takes this along.
                let is_above = || changed.iter().any(|path| is_below(path, record.path.as_bstr()));
                if at(&sources, &record.path).is_none() && !is_above() {
                    mended.push(TreeChange { path: record.path.clone(), old: None, new: None });
                }
            }
            for source in sources.iter().filter(is_file) {
                let record = at(&records, &source.path).filter(|entry| entry.mode != EntryMode::Directory);
                pairs.push((source.clone(), record.map(|record| record.id)));
            }
            if pairs.len() > MOST_BESIDE {
                break;
            }
        }
        pairs.truncate(MOST_BESIDE);
        let damaged: Vec<Option<TreeChange>> = pairs
            .into_par_iter()
            .map(|(source, record)| -> Result<Option<TreeChange>> {
                let bytes = match record {
                    Some(record) => self.repo.blob(record, limits::RECORD_BYTES as u64)?,
                    None => Blob::Missing,
                };
                let is_whole = matches!(bytes, Blob::Bytes(bytes) if is_opened(&bytes, source.id));
                let new = Some((source.mode, source.id));
                Ok((!is_whole).then_some(TreeChange { path: source.path, old: None, new }))
            })
            .collect::<Result<_>>()?;
        mended.extend(damaged.into_iter().flatten());
        mended.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(mended)
    }

    /// The files of `source_tree` that `base` has recorded as unreadable.
    fn unreadable_in(&self, base: Recorded, source_tree: ObjectId) -> Result<Vec<TreeEntry>> {
        // Such a record holds nothing but its reason, so that all of them are one blob.
        let record = record::encode(&FileRecord::Skipped(SkipReason::Unreadable));
        let id = encode_object(self.repo.object_hash_len(), ObjectKind::Blob, &record)?.id();
        let mut found = Vec::new();
        for recorded in self.repo.tree_files(base.files)? {
            if recorded.id == id {
                found.extend(self.repo.tree_entry(source_tree, recorded.path.as_bstr())?);
            }
        }
        Ok(found)
    }

    /// The records of files that are gone from the base, where one of the same name and content is new: it has moved with
    /// its directory.
    fn moved(&self, base: Recorded, changes: &[TreeChange]) -> Result<Copies> {
        let new: HashSet<(ObjectId, BString)> = changes
            .iter()
            .filter(|change| change.old.is_none())
            .filter_map(|change| Some(key(&change.path, change.new?.1)))
            .collect();
        let gone: Vec<(&BString, ObjectId)> = changes
            .iter()
            .filter(|change| change.new.is_none())
            .filter_map(|change| Some((&change.path, change.old?.1)))
            .filter(|(path, id)| new.contains(&key(path, *id)))
            .collect();
        let attributes = self.repo.attributes(base.source_tree)?;
        gone.into_par_iter()
            .map(|(path, id)| -> Result<Option<_>> {
                let Some(record) = self.repo.tree_entry(base.files, path.as_bstr())? else { return Ok(None) };
                // One that says why there is none says it of a path, or of a time at which the file could not be read.
                let is_whole = match self.repo.blob(record.id, limits::RECORD_BYTES as u64)? {
                    Blob::Bytes(bytes) => {
                        matches!(RecordView::open(&bytes), Ok(record::Opened::Indexed(view)) if view.blob() == id)
                    }
                    _ => false,
                };
                Ok(is_whole.then(|| (key(path, id), (attributes.of(path.as_bstr()), record.id))))
            })
            .filter_map(Result::transpose)
            .collect()
    }

    /// Records the files in parallel; the result is in the order of `jobs`, whatever the threads did.
    fn record_files(
        &mut self,
        writer: &mut ObjectWriter,
        attributes: &Attributes,
        jobs: &[TreeEntry],
    ) -> Result<Vec<(BString, Option<ObjectId>)>> {
        let hash_len = self.repo.object_hash_len();
        let unreadable = Mutex::new(Vec::new());
        let work = Mutex::new(Work::default());
        let seen = Mutex::new(std::mem::take(&mut self.copies));
        let sink = Mutex::new(writer);
        let this = &*self;
        let mut out: Vec<(BString, Option<ObjectId>)> = jobs
            .par_iter()
            // Short runs: with long ones, one thread is still at its last when the others have nothing left.
            .with_max_len(4)
            .map(|job| -> Result<(BString, Option<ObjectId>)> {
                if this.task.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                let attributes = attributes.of(job.path.as_bstr());
                let key = key(&job.path, job.id);
                if let Some((of, id)) = lock(&seen).get(&key)
                    && *of == attributes
                {
                    this.task.progress.advance(1);
                    return Ok((job.path.clone(), Some(*id)));
                }
                let record = this.recorder.record_entry(this.repo, job, &attributes)?;
                if record == FileRecord::Skipped(SkipReason::Unreadable) {
                    lock(&unreadable).push(job.path.clone());
                }
                lock(&work).add(Work::of(&record));
                let encoded = encode_object(hash_len, ObjectKind::Blob, &record::encode(&record))?;
                let id = lock(&sink).add(encoded)?;
                lock(&seen).insert(key, (attributes, id));
                this.task.progress.advance(1);
                Ok((job.path.clone(), Some(id)))
            })
            .collect::<Result<_>>()?;
        out.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        self.copies = seen.into_inner().unwrap_or_default();
        let mut unreadable = unreadable.into_inner().unwrap_or_default();
        unreadable.sort_unstable();
        self.report.unreadable.append(&mut unreadable);
        self.report.work.add(work.into_inner().unwrap_or_default());
        Ok(out)
    }

    /// The index tree: the manifest and the records.
    pub(super) fn index_tree(
        &self,
        writer: &mut ObjectWriter,
        manifest: ObjectId,
        files: ObjectId,
    ) -> Result<ObjectId> {
        let mut entries = vec![TreeEntry { path: MANIFEST.into(), mode: EntryMode::File, id: manifest }];
        if files != self.repo.empty_tree() {
            entries.push(TreeEntry { path: FILES.into(), mode: EntryMode::Directory, id: files });
        }
        Ok(writer.tree(&entries)?)
    }
}

/// Most records beside changed files that are opened for one commit: a bound on what distrust may cost, some
/// hundredths of a second, where a directory has tens of thousands of files.
const MOST_BESIDE: usize = 2_000;

/// Whether the bytes open as a record of this source blob: version, bounds, tables. Its keywords are not unpacked,
/// which would take most of the time that the next commit takes.
fn is_opened(bytes: &[u8], source: ObjectId) -> bool {
    match RecordView::open(bytes) {
        Ok(record::Opened::Skipped(_)) => true,
        Ok(record::Opened::Indexed(view)) => view.blob() == source,
        Err(_) => false,
    }
}

/// Whether the bytes are a record, whole from its head to its last keyword, and of this source blob. What it says may
/// still be wrong: only recomputing it tells.
pub fn is_record_of(bytes: &[u8], source: ObjectId) -> bool {
    match RecordView::open(bytes) {
        Ok(record::Opened::Skipped(_)) => true,
        Ok(record::Opened::Indexed(view)) => {
            view.blob() == source
                && view.visit(&mut Scratch::default(), |_| Ok::<(), record::Error>(())).is_ok()
        }
        Err(_) => false,
    }
}

fn is_below(path: &BStr, directory: &BStr) -> bool {
    path.strip_prefix(directory.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"))
}

/// The directory that a path lies in; empty at the root.
fn parent(path: &BStr) -> &BStr {
    path.rsplit_once_str(b"/").map_or(BStr::new(""), |(parent, _)| parent.as_bstr())
}

/// The files of a source tree whose records can differ from those of an older one, and those that are gone: what differs, and,
/// below a `.gitattributes` that does, those of which the attributes do.
///
/// # Errors
/// [`Error::Repo`].
pub fn changes(repo: &Repository, old: Option<ObjectId>, source_tree: ObjectId) -> Result<Vec<TreeChange>> {
    let mut changes = repo.diff_trees(old, source_tree)?;
    let below: Vec<BString> = changes
        .iter()
        .filter_map(|change| Attributes::affected_by(change.path.as_bstr()))
        .map(BString::from)
        .collect();
    let Some(old) = old.filter(|_| !below.is_empty()) else { return Ok(changes) };
    let known: HashSet<BString> = changes.iter().map(|change| change.path.clone()).collect();
    let (before, after) = (repo.attributes(old)?, repo.attributes(source_tree)?);
    let others: Vec<TreeChange> = repo
        .tree_files(source_tree)?
        .into_par_iter()
        .filter(|entry| below.iter().any(|dir| entry.path.starts_with(dir)) && !known.contains(&entry.path))
        .filter(|entry| before.of(entry.path.as_bstr()) != after.of(entry.path.as_bstr()))
        .map(|entry| TreeChange { path: entry.path, old: None, new: Some((entry.mode, entry.id)) })
        .collect();
    changes.extend(others);
    Ok(changes)
}

/// A lock whose holder never panics in between; a poisoned one still holds whole values.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
