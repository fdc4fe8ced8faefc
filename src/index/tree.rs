//! The trees of records that make up an index.
//!
//! Owns [`Builder`]. Input: a source tree and optionally a base, that is another source tree with
//! its records. Output: the tree of records. Only differences from the base are computed. The
//! source trees are compared, the changed files are recorded in parallel, and the base's tree of
//! records is edited. A file that only moved keeps its record. Building from scratch is the same
//! without a base, so there is one code path and one result.
//!
//! The base may come from anyone. Where a file in a directory changes, the other records of that
//! directory are opened before they are reused. A subtree without changes is reused by its id,
//! unchecked. So the next commit costs no more than its changes, and `verify` checks the rest.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Mutex;

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use super::record::{self, FileRecord, RecordView, limits};
use super::source::SkipReason;
use crate::base::id::ObjectId;
use crate::base::progress::{Phase, Task};
use crate::base::text::path;
use crate::base::threads::lock;
use crate::git::{
    Attributes, Blob, EntryMode, FileAttributes, ObjectKind, ObjectWriter, Repository, TreeChange, TreeEntry,
    encode_object,
};

use super::gaps;
use super::layout::{FILES, MANIFEST};
use super::{Error, Recorder, Result, Work};

/// A source tree and its tree of records.
#[derive(Clone, Copy)]
pub(super) struct TreePair {
    pub(super) source_tree: ObjectId,
    pub(super) files: ObjectId,
    /// Whether it is a stored index that may record files as unreadable.
    pub(super) has_gaps: bool,
    /// Whether it is a stored index, which may come from anyone.
    pub(super) is_stored: bool,
}

/// The work of a build, and the paths to report to the user.
#[derive(Default)]
pub(super) struct Report {
    pub(super) work: Work,
    /// Files whose records in the base were damaged, missing, or of another file.
    pub(super) repaired: Vec<BString>,
    /// Files that could not be read.
    pub(super) unreadable: Vec<BString>,
}

/// Records by blob and file name. With the same attributes it is the same record, whatever the
/// directory.
pub(super) type Copies = HashMap<(ObjectId, BString), (FileAttributes, ObjectId)>;

fn key(path: &BString, blob: ObjectId) -> (ObjectId, BString) {
    (blob, BString::from(path::name(path.as_bstr())))
}

/// The state of one build of trees of records.
pub(super) struct Builder<'b> {
    pub(super) repo: &'b Repository,
    pub(super) recorder: Recorder,
    pub(super) task: Task<'b>,
    pub(super) report: Report,
    /// Records made or found so far.
    pub(super) copies: Copies,
}

impl Builder<'_> {
    /// Builds the tree of records of `source_tree`, starting from `base`.
    pub(super) fn record_tree(
        &mut self,
        writer: &mut ObjectWriter,
        base: Option<TreePair>,
        source_tree: ObjectId,
    ) -> Result<TreePair> {
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
            let repaired = self.damaged_beside(base, source_tree, &changes)?;
            if !repaired.is_empty() {
                writer.repair();
            }
            self.report.repaired.extend(repaired.iter().map(|change| change.path.clone()));
            changes.extend(repaired);
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
        // Its gaps are in the report already. Another attempt so soon would not help.
        Ok(TreePair { source_tree, files, has_gaps: false, is_stored: false })
    }

    /// Returns changes that repair the base's records next to `changes`.
    ///
    /// It looks at each directory in which a file changes, because that directory is rewritten
    /// anyway. There it finds records of the other files that are damaged, of another source,
    /// missing or without a source.
    fn damaged_beside(
        &self,
        base: TreePair,
        source_tree: ObjectId,
        changes: &[TreeChange],
    ) -> Result<Vec<TreeChange>> {
        let changed: HashSet<&BStr> = changes.iter().map(|change| change.path.as_bstr()).collect();
        let directories: BTreeSet<&BStr> = changed.iter().map(|path| path::parent(path)).collect();
        let mut pairs: Vec<(TreeEntry, Option<ObjectId>)> = Vec::new();
        let mut repaired = self.records_in_place_of(base, source_tree, &directories, &changed)?;
        for directory in directories {
            let records = self.repo.tree_directory(base.files, directory)?;
            let sources = self.repo.tree_directory(source_tree, directory)?;
            let is_file = |entry: &&TreeEntry| {
                entry.mode != EntryMode::Directory && !changed.contains(entry.path.as_bstr())
            };
            let is_directory = |entry: &&TreeEntry| entry.mode == EntryMode::Directory;
            let at = |list: &[TreeEntry], path: &BString| {
                list.binary_search_by(|entry| entry.path.cmp(path)).ok().and_then(|at| list.get(at).cloned())
            };
            for record in records.iter().filter(is_file) {
                // Changes below this path replace or remove this entry.
                let is_above = || changed.iter().any(|path| is_below(path, record.path.as_bstr()));
                if at(&sources, &record.path).is_none() && !is_above() {
                    repaired.push(TreeChange { path: record.path.clone(), old: None, new: None });
                }
            }
            for records in records.iter().filter(is_directory) {
                let source = at(&sources, &records.path).filter(|source| is_directory(&source));
                if source.is_some() || changed.contains(records.path.as_bstr()) {
                    continue;
                }
                // If the base's source had the directory, `changes` removes all of its files.
                let of_base = self.repo.tree_entry(base.source_tree, records.path.as_bstr())?;
                if of_base.is_none_or(|entry| entry.mode != EntryMode::Directory) {
                    repaired.push(TreeChange { path: records.path.clone(), old: None, new: None });
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
        repaired.extend(damaged.into_iter().flatten());
        repaired.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        repaired.dedup_by(|a, b| a.path == b.path);
        Ok(repaired)
    }

    /// Returns changes that remove records of the base which are in the place of a directory with
    /// changes. The base has no record of any other file of that directory, so all are recorded.
    fn records_in_place_of(
        &self,
        base: TreePair,
        source_tree: ObjectId,
        directories: &BTreeSet<&BStr>,
        changed: &HashSet<&BStr>,
    ) -> Result<Vec<TreeChange>> {
        let mut above = BTreeSet::new();
        for directory in directories {
            let mut path = *directory;
            while !path.is_empty() && above.insert(path) {
                path = path::parent(path);
            }
        }
        let mut found = Vec::new();
        for path in above.into_iter().filter(|path| !changed.contains(path)) {
            let record = self.repo.tree_entry(base.files, path)?;
            if record.is_none_or(|record| record.mode == EntryMode::Directory) {
                continue;
            }
            found.push(TreeChange { path: path.to_owned(), old: None, new: None });
            let source = self.repo.tree_entry(source_tree, path)?;
            let Some(source) = source.filter(|source| source.mode == EntryMode::Directory) else { continue };
            for file in self.repo.tree_files(source.id)? {
                let path = BString::from([path.as_bytes(), b"/", file.path.as_slice()].concat());
                if !changed.contains(path.as_bstr()) {
                    found.push(TreeChange { path, old: None, new: Some((file.mode, file.id)) });
                }
            }
        }
        Ok(found)
    }

    /// Returns the files of `source_tree` that `base` recorded as unreadable.
    fn unreadable_in(&self, base: TreePair, source_tree: ObjectId) -> Result<Vec<TreeEntry>> {
        let mut found = Vec::new();
        for path in gaps::unreadable_in(self.repo, base.source_tree, base.files)? {
            found.extend(self.repo.tree_entry(source_tree, path.as_bstr())?);
        }
        Ok(found)
    }

    /// Returns the records of deleted files that reappear with the same name and content: a
    /// directory was moved.
    fn moved(&self, base: TreePair, changes: &[TreeChange]) -> Result<Copies> {
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
                // A skip record is not reused: its reason may depend on the path, or on a temporary
                // read error.
                let is_whole = match self.repo.blob(record.id, limits::RECORD_BYTES as u64)? {
                    Blob::Bytes(bytes) => {
                        let opened = RecordView::open(&bytes);
                        matches!(opened, Ok(record::OpenRecord::Indexed(view)) if view.blob() == id)
                    }
                    _ => false,
                };
                Ok(is_whole.then(|| (key(path, id), (attributes.of(path.as_bstr()), record.id))))
            })
            .filter_map(Result::transpose)
            .collect()
    }

    /// Records the files in parallel. The result is sorted by path, so it does not depend on the
    /// threads.
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
            // Short runs: with long ones, one thread is still busy after the others have run out of
            // work.
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

    /// Adds the index tree: the manifest and the records.
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

/// Most records next to changed files that are opened for one commit. It limits the cost of
/// distrust to some hundredths of a second where a directory has tens of thousands of files.
const MOST_BESIDE: usize = 2_000;

/// Returns whether the bytes open as a record of this source blob: version, bounds, tables.
/// Keywords are not decompressed, because that would take most of the time of the next commit.
fn is_opened(bytes: &[u8], source: ObjectId) -> bool {
    match RecordView::open(bytes) {
        Ok(record::OpenRecord::Skipped(_)) => true,
        Ok(record::OpenRecord::Indexed(view)) => view.blob() == source,
        Err(_) => false,
    }
}

fn is_below(path: &BStr, directory: &BStr) -> bool {
    path.strip_prefix(directory.as_bytes()).is_some_and(|rest| rest.starts_with(b"/"))
}

/// Returns the files of a source tree whose records may differ from those of an older tree, and the
/// deleted files.
///
/// These are the changed files, and, below a changed `.gitattributes`, the files whose attributes
/// differ.
///
/// # Errors
/// [`Error::Git`].
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
