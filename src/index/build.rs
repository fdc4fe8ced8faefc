//! Building the index of a commit.
//!
//! Only what differs from a base index is computed: the source trees are diffed, the changed files recorded,
//! the record tree edited. From scratch is the same with an empty base, so there is one way and one result.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use crate::id::ObjectId;
use crate::progress::{Cancel, Phase, Progress};
use crate::record::{self, FileRecord, Manifest, RecordView, Scratch, limits};
use crate::repo::{
    Attributes, Blob, EntryMode, FileAttributes, ObjectKind, ObjectWriter, RefUpdate, Repository, TreeChange,
    TreeEntry, encode_object,
};
use crate::source::SkipReason;

use super::layout::{self, FILES, MANIFEST, local_ref_name, ref_name};
use super::open::{Opened, Snapshot, nearest, open};
use super::{Error, IndexOptions, Recorder, Result, Work, file_name};

/// What [`index_commit`] did.
#[derive(Debug, Clone)]
pub struct Built {
    /// The index that the commit has now.
    pub snapshot: Snapshot,
    /// Whether it was there before, and nothing was done.
    pub was_there: bool,
    /// The work that was done for it, its parent's differing records included.
    pub work: Work,
    /// Objects written.
    pub n_objects: u64,
    /// Source files whose records in the index that was built on were damaged, missing, or of another file, and were
    /// made anew.
    pub mended: Vec<BString>,
    /// Source files that could not be read and are recorded as unreadable. An index with such files is local.
    pub unreadable: Vec<BString>,
}

/// A source tree and its records.
#[derive(Clone, Copy)]
struct Recorded {
    source_tree: ObjectId,
    files: ObjectId,
    /// Whether it is a stored index with records, maybe, of files that could not be read.
    has_gaps: bool,
    /// Whether it is a stored index, which may have come from anyone.
    is_stored: bool,
}

/// Makes sure that `commit` is indexed, and gives its index.
///
/// `hint` is an index to start from, if one is at hand; otherwise the nearest is looked for. With `force` an
/// index that is there is built anew, from scratch, and replaced where it differs.
///
/// # Errors
/// [`Error::Newer`] when the commit has an index of a newer version; [`Error::Cancelled`], after which the
/// repository is as it was; [`Error::Repo`].
pub fn index_commit(
    repo: &Repository,
    commit: ObjectId,
    options: &IndexOptions,
    hint: Option<Snapshot>,
    force: bool,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Built> {
    let manifest = options.manifest();
    let mut found = find(repo, commit, &manifest, hint, force)?;
    let mut turn = None;
    if !force && matches!(&found, Found::Job { base: None, .. }) {
        // All files are to be read: whoever came first does it for all.
        turn = Some(repo.turn("index", "indexes this repository", progress, cancel)?);
        found = find(repo, commit, &manifest, hint, force)?;
    }
    let (replaces, base) = match found {
        Found::There(snapshot) => {
            return Ok(Built {
                snapshot,
                was_there: true,
                work: Work::default(),
                n_objects: 0,
                mended: Vec::new(),
                unreadable: Vec::new(),
            });
        }
        Found::Job { replaces, base } => (replaces, base),
    };

    let source = repo.commit(commit)?;
    let mut builder = Builder {
        repo,
        recorder: Recorder::new(options.clone()),
        progress,
        cancel,
        report: Report::default(),
    };
    let mut writer = repo.writer()?;
    if force {
        writer.mend();
    }
    let manifest_id = writer.blob(&manifest.encode())?;
    let own = builder.record_tree(&mut writer, base, source.tree)?;
    let tree = builder.index_tree(&mut writer, manifest_id, own.files)?;
    let snapshot_commit = writer.commit(&layout::snapshot_commit(tree))?;
    let mut index_commit = snapshot_commit;
    let mut is_local = repo.is_shallow_boundary(commit)?;
    if let (Some(&parent), false) = (source.parents.first(), is_local) {
        let parent_snapshot = match open(repo, parent, &manifest) {
            // With `force` no index is believed: a damaged one of the parent would make this one another.
            Ok(Opened::Current(snapshot)) if !force && !snapshot.is_local => snapshot.snapshot_commit,
            _ => {
                let parent_tree = repo.commit(parent)?.tree;
                let recorded = builder.record_tree(&mut writer, Some(own), parent_tree)?;
                let tree = builder.index_tree(&mut writer, manifest_id, recorded.files)?;
                writer.commit(&layout::snapshot_commit(tree))?
            }
        };
        index_commit =
            writer.commit(&layout::index_commit(tree, commit, snapshot_commit, parent_snapshot))?;
    }
    if !builder.report.unreadable.is_empty() {
        // Another machine can read what this one can't, and would give the index another id.
        is_local = true;
        index_commit = snapshot_commit;
    }
    let written = writer.finish(cancel)?;
    if cancel.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let refname = if is_local { local_ref_name(commit) } else { ref_name(commit) };
    publish(repo, &refname, replaces, index_commit)?;
    drop(turn);
    Ok(Built {
        snapshot: Snapshot {
            commit,
            source_tree: source.tree,
            index_commit,
            snapshot_commit,
            tree,
            files: own.files,
            is_local,
        },
        was_there: false,
        work: builder.report.work,
        n_objects: written.objects as u64,
        mended: builder.report.mended,
        unreadable: builder.report.unreadable,
    })
}

/// What there is of a commit's index.
enum Found {
    /// The index itself.
    There(Snapshot),
    /// The ref that the index is to take the place of, and what it can be built on.
    Job { replaces: Option<(String, ObjectId)>, base: Option<Recorded> },
}

fn find(
    repo: &Repository,
    commit: ObjectId,
    manifest: &Manifest,
    hint: Option<Snapshot>,
    force: bool,
) -> Result<Found> {
    let found = open(repo, commit, manifest)?;
    // What was unreadable the last time may be there now: a local index is looked through once more.
    let previous = match &found {
        Opened::Current(snapshot) => Some(*snapshot),
        _ => None,
    };
    let replaces = match found {
        Opened::Current(snapshot)
            if !force && (!snapshot.is_local || repo.is_shallow_boundary(commit)?) =>
        {
            return Ok(Found::There(snapshot));
        }
        Opened::Current(snapshot) => Some((
            if snapshot.is_local { local_ref_name(commit) } else { ref_name(commit) },
            snapshot.index_commit,
        )),
        Opened::Absent => None,
        Opened::Outdated { refname, target, .. } | Opened::Damaged { refname, target, .. } => {
            Some((refname, target))
        }
    };
    let base = match (force, previous, hint) {
        (true, ..) => None,
        (false, Some(previous), _) => Some(previous),
        (false, None, Some(hint)) => Some(hint),
        (false, None, None) => nearest(repo, commit, manifest)?,
    };
    let base = base.map(|snapshot| Recorded {
        source_tree: snapshot.source_tree,
        files: snapshot.files,
        has_gaps: snapshot.is_local,
        is_stored: true,
    });
    Ok(Found::Job { replaces, base })
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

/// Points the ref at the new index, whose objects are all written. Another builder that came first made the
/// same index, or an outdated one that is replaced.
fn publish(
    repo: &Repository,
    refname: &str,
    replaces: Option<(String, ObjectId)>,
    index_commit: ObjectId,
) -> Result<()> {
    let (mut expected, elsewhere) = match replaces {
        Some((name, target)) if name == refname => (Some(target), None),
        Some(other) => (None, Some(other)),
        None => (None, None),
    };
    for _ in 0..3 {
        match repo.update_ref(refname, expected, index_commit)? {
            RefUpdate::Done | RefUpdate::AlreadyThere => break,
            RefUpdate::Conflict { actual } => expected = actual,
        }
    }
    if let Some(old) = elsewhere {
        // A local index that has become a proper one, or the reverse.
        repo.delete_refs(&[old])?;
    }
    Ok(())
}

#[derive(Default)]
struct Report {
    work: Work,
    mended: Vec<BString>,
    unreadable: Vec<BString>,
}

struct Builder<'b> {
    repo: &'b Repository,
    recorder: Recorder,
    progress: &'b dyn Progress,
    cancel: &'b Cancel,
    report: Report,
}

impl Builder<'_> {
    /// The tree of records of `source_tree`, starting from what `base` has.
    fn record_tree(
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
        }

        let mut edits: Vec<(BString, Option<ObjectId>)> = Vec::new();
        let mut jobs = Vec::new();
        for change in changes {
            match change.new {
                None => edits.push((change.path, None)),
                Some((mode, id)) => jobs.push(TreeEntry { path: change.path, mode, id }),
            }
        }
        let phase = Phase::begin(self.progress, "indexing", "files", jobs.len(), 200);
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
    ///
    /// A base may have been fetched from anyone. Subtrees in which nothing changes are taken over by their id,
    /// unopened: that is what makes the next commit cost no more than its changes, and what `verify` is for.
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
        // The same blob under the same name with the same attributes is the same record: copies are made once.
        let seen: Mutex<HashMap<(ObjectId, BString), (FileAttributes, ObjectId)>> =
            Mutex::new(HashMap::new());
        let n_done = AtomicU64::new(0);
        let sink = Mutex::new(writer);
        let this = &*self;
        let mut out: Vec<(BString, Option<ObjectId>)> = jobs
            .par_iter()
            // Short runs: with long ones, one thread is still at its last when the others have nothing left.
            .with_max_len(4)
            .map(|job| -> Result<(BString, Option<ObjectId>)> {
                if this.cancel.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                let attributes = attributes.of(job.path.as_bstr());
                let key = (job.id, BString::from(file_name(job.path.as_bstr())));
                if let Some((of, id)) = lock(&seen).get(&key)
                    && *of == attributes
                {
                    this.progress.advance(1);
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
                n_done.fetch_add(1, Ordering::Relaxed);
                this.progress.advance(1);
                Ok((job.path.clone(), Some(id)))
            })
            .collect::<Result<_>>()?;
        out.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let mut unreadable = unreadable.into_inner().unwrap_or_default();
        unreadable.sort_unstable();
        self.report.unreadable.append(&mut unreadable);
        self.report.work.add(work.into_inner().unwrap_or_default());
        Ok(out)
    }

    /// The index tree: the manifest and the records.
    fn index_tree(&self, writer: &mut ObjectWriter, manifest: ObjectId, files: ObjectId) -> Result<ObjectId> {
        let mut entries = vec![TreeEntry { path: MANIFEST.into(), mode: EntryMode::File, id: manifest }];
        if files != self.repo.empty_tree() {
            entries.push(TreeEntry { path: FILES.into(), mode: EntryMode::Directory, id: files });
        }
        Ok(writer.tree(&entries)?)
    }
}

/// The files of a source tree whose records can differ from those of an older one, and those that are gone: what differs, and,
/// since a changed `.gitattributes` can change the record of every file below it, what lies below one.
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
    if old.is_none() || below.is_empty() {
        return Ok(changes);
    }
    let known: HashSet<BString> = changes.iter().map(|change| change.path.clone()).collect();
    for entry in repo.tree_files(source_tree)? {
        let is_below = below.iter().any(|dir| entry.path.starts_with(dir));
        if is_below && !known.contains(&entry.path) {
            changes.push(TreeChange { path: entry.path, old: None, new: Some((entry.mode, entry.id)) });
        }
    }
    Ok(changes)
}

/// A lock whose holder never panics in between; a poisoned one still holds whole values.
fn lock<T: ?Sized>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
