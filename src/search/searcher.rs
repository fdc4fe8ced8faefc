//! What a query searches: a base segment, and over it what differs from it.
//!
//! For a commit the overlay holds the files whose record differs from the base's; for the working tree also the
//! files that `git status` names, parsed in memory and never written anywhere. Which base is taken is a matter
//! of time only: document frequencies and lengths are exact over base ∖ masked ∪ overlay.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use bstr::{BStr, BString, ByteSlice};
use roaring::RoaringBitmap;

use super::segment::{Index, Neighbours, Segment, SegmentBuilder};
use crate::answer::view::counted;
use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Phase, Progress};
use crate::git::{Attributes, Blob, FileState, Head, Repository, StatusEntry, TreeEntry};
use crate::index::record::{self, FileRecord, Scratch};
use crate::index::source::{self, SkipReason};
use crate::index::{IndexOptions, Recorder, Snapshot};

use super::cache::segments::{Base, Cache, Loader, add};
use super::cache::worktree::Edited;
use super::readonly::{self, Found};
use crate::provider::sidecar::annotate::Annotations;
use crate::session::{Error, Result};

/// More changed files than this between the base and what is asked: a segment of its own is built first. Below
/// it the overlay takes some ten milliseconds at most.
const OVERLAY_FILES: usize = 400;

/// A file that changed as shortly before it was looked at may change again without its time telling.
const RACY: Duration = Duration::from_secs(2);

/// Records of edited files that are kept at most.
const KEPT_FILES: usize = 2_000;

/// Making the records of more files than this takes long enough to say so.
pub(crate) const FEW_FILES: usize = 200;

/// More changed files than this: a new segment is worth building after the answer.
const WARM_FILES: usize = 48;

/// Something that can be searched, and read.
pub struct Searchable {
    repo: Arc<Repository>,
    snapshot: Option<Snapshot>,
    pub(crate) base: Segment,
    masked: RoaringBitmap,
    overlay: Option<Segment>,
    /// The graph that the base is searched by; `None` inside if there is none to be had.
    pub(crate) neighbours: OnceLock<Option<Neighbours>>,
    dirty: BTreeMap<BString, FileState>,
    /// Of each dirty file what tells whether it is still the one that was read; `None` if it can't be told.
    stamps: Option<Vec<Stamp>>,
    is_worktree: bool,
    is_stored: bool,
    n_overlay: usize,
    /// The commentary that was read last, by its tree.
    annotations: Mutex<Option<(ObjectId, Arc<Annotations>)>>,
    /// Bytes of a stranger's sources that may still be read: small ones to send may be large ones to read.
    rest: AtomicU64,
    /// What a user should know of the answer: damaged records that were made anew, unreadable files.
    pub warnings: Vec<String>,
}

impl Searchable {
    /// The state of what was found of a commit, with the working tree's changes over it if `status` is given. `found` is
    /// `None` before the first commit.
    pub(crate) fn open(
        repo: &Arc<Repository>,
        found: Option<Found>,
        status: Option<Vec<StatusEntry>>,
        options: &IndexOptions,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Self> {
        let is_worktree = status.is_some();
        let dirty: BTreeMap<BString, FileState> =
            status.unwrap_or_default().into_iter().map(|entry| (entry.path, entry.state)).collect();
        let mut repaired = Vec::new();
        let mut warnings = Vec::new();
        let cache = Cache::new(repo);
        // The overlay: for each path its record, or that it is gone.
        let mut over: BTreeMap<BString, Option<Vec<u8>>> = BTreeMap::new();
        let base = match found.as_ref().and_then(|found| found.records.as_ref()) {
            None => Base {
                files: repo.empty_tree(),
                segment: Segment::from_bytes(SegmentBuilder::new().into_memory()?)?,
            },
            Some(snapshot) => {
                let look = || match cache.exact(snapshot) {
                    Some(base) => Some((base, Vec::new())),
                    None => nearest(repo, &cache, snapshot),
                };
                let build = || {
                    let base = cache.build(snapshot, options, &mut repaired, progress, cancel)?;
                    Ok((base, Vec::new()))
                };
                let (base, changes) = cache.find_or_build(look, build, progress, cancel)?;
                // Only these need the attributes of the tree.
                if !changes.is_empty() {
                    let loader = Loader::new(repo, options, snapshot)?;
                    for (path, record) in changes {
                        let file = repo.tree_entry(snapshot.source_tree, path.as_bstr())?;
                        let bytes = match (file, record) {
                            (Some(file), Some(record)) => {
                                let loaded = loader.load(&file, Some(record))?;
                                if loaded.is_remade {
                                    repaired.push(path.clone());
                                }
                                Some(loaded.bytes)
                            }
                            _ => None,
                        };
                        over.insert(path, bytes);
                    }
                }
                base
            }
        };
        if let Some(first) = repaired.first() {
            let n = counted(repaired.len(), "record was", "records were");
            warnings.push(if repo.is_mirror() {
                format!("{n} damaged or missing there, '{first}' first: nothing is found in those files")
            } else {
                format!(
                    "{n} damaged or missing and made anew from the source, '{first}' first; see 'git cora verify --all'"
                )
            });
        }
        if let Some(found) = &found {
            warnings.extend(readonly::add_missing(repo, found, options, &mut over, progress, cancel)?);
        }
        let is_stored = found.as_ref().is_none_or(Found::is_stored);
        let snapshot = found.map(|found| found.shown);
        let n_overlay = over.len();
        // Taken before the files are read: what changes in between is seen the next time.
        let stamps = stamps(repo, &dirty);
        if !dirty.is_empty() {
            let tree = snapshot.map_or(repo.empty_tree(), |snapshot| snapshot.source_tree);
            let phase = Phase::begin(progress, "reading changed files", "files", dirty.len(), FEW_FILES);
            let read = Parser::new(repo, tree, options)?.read(repo, &dirty, progress, cancel)?;
            drop(phase);
            if read.n_lost > 0 {
                let n = counted(read.n_lost, "changed file", "changed files");
                warnings.push(format!("{n} of the working tree can't be read"));
            }
            over.extend(read.records);
        }

        let mut masked = RoaringBitmap::new();
        let mut builder = SegmentBuilder::new();
        let mut scratch = Scratch::default();
        let mut has_overlay = false;
        for (path, bytes) in &over {
            if let Some(ord) = base.segment.file_by_path(path.as_bstr()) {
                masked.insert(ord);
            }
            if let Some(bytes) = bytes {
                add(&mut builder, path.as_bstr(), bytes, &mut scratch)?;
                has_overlay = true;
            }
        }
        let overlay = if has_overlay { Some(Segment::from_bytes(builder.into_memory()?)?) } else { None };
        // Only a local index has gaps; it may be local for another reason.
        if let Some(snapshot) = snapshot.filter(|snapshot| snapshot.is_local) {
            let index = Index::new(&base.segment, masked.clone(), overlay.as_ref());
            warnings.extend(gaps(&index, snapshot.commit));
        }
        Ok(Self {
            repo: Arc::clone(repo),
            snapshot,
            base: base.segment,
            masked,
            overlay,
            neighbours: OnceLock::new(),
            dirty,
            stamps,
            is_worktree,
            is_stored,
            n_overlay,
            annotations: Mutex::default(),
            rest: AtomicU64::new(repo.max_foreign_bytes().unwrap_or(u64::MAX)),
            warnings,
        })
    }

    /// What the query stage searches.
    pub fn index(&self) -> Index<'_> {
        let graph = self.neighbours.get().and_then(Option::as_ref);
        Index::new(&self.base, self.masked.clone(), self.overlay.as_ref()).with_neighbours(graph)
    }

    /// The commit that is searched; `None` before the first one.
    pub fn commit(&self) -> Option<ObjectId> {
        self.snapshot.map(|snapshot| snapshot.commit)
    }

    /// The index that is searched.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_ref()
    }

    /// Whether the working tree is searched.
    pub fn is_worktree(&self) -> bool {
        self.is_worktree
    }

    /// Whether it is of a remote repository, whose texts come when they are asked for.
    pub(crate) fn is_remote(&self) -> bool {
        self.repo.is_mirror()
    }

    /// Files of the working tree that differ from the commit.
    pub fn n_dirty(&self) -> usize {
        self.dirty.len()
    }

    /// Whether opening it again would give the same: `head` and `status` are those of now.
    pub(crate) fn is_of(&self, head: Option<ObjectId>, status: &[StatusEntry]) -> bool {
        self.is_worktree
            && self.commit() == head
            && self.dirty.len() == status.len()
            && status.iter().all(|entry| self.dirty.get(&entry.path) == Some(&entry.state))
            && self.stamps.is_some()
            && self.stamps == stamps(&self.repo, &self.dirty)
    }

    /// Whether the commit has an index of its own; without one, its files were read for this.
    pub fn is_stored(&self) -> bool {
        self.is_stored
    }

    /// Whether a segment of this very commit would make the next query faster.
    pub fn wants_warming(&self) -> bool {
        self.is_stored && wants_warming(self.n_overlay)
    }

    /// The state of a file in the working tree, as a word.
    pub fn git_status(&self, path: &BStr) -> &'static str {
        self.dirty.get(path.as_bytes()).map_or("unmodified", status_name)
    }

    /// The commentary of that tree, if it was read before.
    pub(crate) fn known_annotations(&self, tree: ObjectId) -> Option<Arc<Annotations>> {
        let known = self.annotations.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(known, _)| *known == tree).map(|(_, annotations)| Arc::clone(annotations))
    }

    /// Keeps the commentary of that tree for the next question.
    pub(crate) fn remember_annotations(&self, tree: ObjectId, annotations: &Arc<Annotations>) {
        let mut known = self.annotations.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some((tree, Arc::clone(annotations)));
    }

    /// Whether a file of the working tree differs from the commit.
    pub(crate) fn is_dirty(&self, path: &BStr) -> bool {
        self.dirty.contains_key(path.as_bytes())
    }

    /// The source blob of a path; `None` where its content is not committed.
    pub fn blob(&self, path: &BStr) -> Option<ObjectId> {
        if self.dirty.contains_key(path.as_bytes()) {
            return None;
        }
        self.entry(path).map(|entry| entry.id)
    }

    fn entry(&self, path: &BStr) -> Option<TreeEntry> {
        let snapshot = self.snapshot.as_ref()?;
        self.repo.tree_entry(snapshot.source_tree, path).ok().flatten()
    }

    /// Fetches the sources of these files if a remote only promised them, all in one transfer.
    pub(crate) fn prefetch<'p>(&self, paths: impl Iterator<Item = &'p BStr>) -> Result<()> {
        if self.repo.has_all_blobs() {
            return Ok(());
        }
        let ids: Vec<ObjectId> = paths.filter_map(|path| self.blob(path)).collect();
        Ok(self.repo.prefetch(&ids)?)
    }

    /// The text of a file as it was searched; `None` if it can't be read any more.
    pub fn text(&self, path: &BStr) -> Option<Arc<str>> {
        let limit = u64::from(u32::MAX);
        let content = if self.dirty.contains_key(path.as_bytes()) {
            self.repo.read_worktree(path, limit)
        } else {
            let id = self.entry(path)?.id;
            if self.is_remote() {
                // What does not come is a text that can't be read.
                let _ = self.repo.prefetch(&[id]);
                let content = self.repo.blob(id, self.rest.load(Ordering::Relaxed));
                if let Ok(Blob::Bytes(bytes)) = &content {
                    let less = |rest: u64| Some(rest.saturating_sub(bytes.len() as u64));
                    let _ = self.rest.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
                }
                content
            } else {
                self.repo.blob(id, limit)
            }
        };
        match content {
            Ok(Blob::Bytes(bytes)) => Some(Arc::from(source::decode(&bytes))),
            _ => None,
        }
    }
}

/// Length and time of the last change of a file; `None` where there is none.
type Stamp = Option<(u64, SystemTime)>;

/// The stamps of files of the work tree; `None` if one changed so lately that its stamp says nothing.
fn stamps(repo: &Repository, dirty: &BTreeMap<BString, FileState>) -> Option<Vec<Stamp>> {
    let now = SystemTime::now();
    let root = repo.work_dir();
    let stamp = |path: &BString| -> Option<Stamp> {
        let path = path.to_path().ok()?;
        let Ok(found) = root?.join(path).symlink_metadata() else { return Some(None) };
        let changed = found.modified().ok()?;
        now.duration_since(changed).is_ok_and(|age| age > RACY).then_some(Some((found.len(), changed)))
    };
    dirty.keys().map(stamp).collect()
}

/// The word that views show for a state.
fn status_name(state: &FileState) -> &'static str {
    match state {
        FileState::Modified => "modified",
        FileState::Added => "added",
        FileState::Untracked => "untracked",
        FileState::Deleted => "deleted",
        FileState::Renamed { .. } => "renamed",
        FileState::Conflicted => "conflicted",
        FileState::TypeChanged => "type-changed",
    }
}

/// Whether so many files in an overlay make a segment of one's own worth building.
pub(crate) fn wants_warming(n_overlay: usize) -> bool {
    n_overlay > WARM_FILES
}

/// How many files the overlay over the nearest cached segment would have; `None` without a near one.
pub(crate) fn drift(repo: &Repository, cache: &Cache<'_>, snapshot: &Snapshot) -> Option<usize> {
    nearest(repo, cache, snapshot).map(|(_, changes)| changes.len())
}

/// The cached segment with the fewest files that differ from `snapshot`, and those files with their records.
#[allow(clippy::type_complexity)]
fn nearest(
    repo: &Repository,
    cache: &Cache<'_>,
    snapshot: &Snapshot,
) -> Option<(Base, Vec<(BString, Option<ObjectId>)>)> {
    let mut best: Option<(Base, Vec<(BString, Option<ObjectId>)>)> = None;
    for base in cache.candidates() {
        // A base whose record tree was collected as garbage can't be compared.
        let Ok(changes) = repo.diff_trees(Some(base.files), snapshot.files) else { continue };
        if changes.len() <= OVERLAY_FILES
            && best.as_ref().is_none_or(|(_, least)| changes.len() < least.len())
        {
            let is_near = changes.len() <= WARM_FILES;
            let changes =
                changes.into_iter().map(|change| (change.path, change.new.map(|(_, id)| id))).collect();
            best = Some((base, changes));
            if is_near {
                break;
            }
        }
    }
    best
}

/// Records of the working tree's changes.
struct Edits {
    /// By path; `None` for a file that is gone.
    records: Vec<(BString, Option<Vec<u8>>)>,
    /// Files that can't be read.
    n_lost: usize,
}

/// Makes records of files of the work tree, and finds those that are kept.
struct Parser {
    recorder: Recorder,
    attributes: Attributes,
    edited: Edited,
    no_id: ObjectId,
}

impl Parser {
    fn new(repo: &Repository, source_tree: ObjectId, options: &IndexOptions) -> Result<Self> {
        Ok(Self {
            recorder: Recorder::new(options.clone()),
            attributes: repo.attributes(source_tree)?,
            edited: Edited::new(repo, options),
            no_id: ObjectId::from_bytes(&vec![0; repo.object_hash_len()])
                .ok_or(Error::Internal("the null id has the repository's length"))?,
        })
    }

    /// The records of changed files: kept ones, or made now.
    fn read(
        &self,
        repo: &Repository,
        dirty: &BTreeMap<BString, FileState>,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Edits> {
        use rayon::prelude::*;
        let read = dirty.par_iter().map(|(path, state)| -> Result<(BString, Option<Vec<u8>>, bool)> {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            progress.advance(1);
            if *state == FileState::Deleted {
                return Ok((path.clone(), None, false));
            }
            let content = repo.read_worktree(path.as_bstr(), self.recorder.max_file_bytes())?;
            let is_lost = matches!(content, Blob::Missing);
            let record = self
                .known(path.as_bstr(), &content)
                .map_or_else(|| self.parse(path.as_bstr(), &content), |(_, bytes)| bytes);
            Ok((path.clone(), Some(record), is_lost))
        });
        let read: Vec<_> = read.collect::<Result<_>>()?;
        let n_lost = read.iter().filter(|(.., is_lost)| *is_lost).count();
        Ok(Edits { records: read.into_iter().map(|(path, bytes, _)| (path, bytes)).collect(), n_lost })
    }

    /// The name under which a file's record is kept; none for one that has no content.
    fn key(&self, path: &BStr, content: &Blob) -> Option<String> {
        match content {
            Blob::Bytes(bytes) => Some(self.edited.key(path, bytes, &self.attributes.of(path))),
            Blob::TooLarge { .. } | Blob::Missing => None,
        }
    }

    /// The record that is kept of a file, with its name.
    fn known(&self, path: &BStr, content: &Blob) -> Option<(String, Vec<u8>)> {
        if !self.edited.is_used() {
            return None;
        }
        let key = self.key(path, content)?;
        let bytes = self.edited.get(&key)?;
        Some((key, bytes))
    }

    fn parse(&self, path: &BStr, content: &Blob) -> Vec<u8> {
        let record = match content {
            Blob::Missing => FileRecord::Skipped(source::SkipReason::Unreadable),
            content => self.recorder.record(path, self.no_id, content, &self.attributes.of(path)),
        };
        record::encode(&record)
    }
}

/// What [`crate::session::Session::ready_worktree`] found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Readied {
    /// Files of the work tree that differ from HEAD.
    pub n_dirty: usize,
    /// Of these, files that were parsed now.
    pub n_made: usize,
}

/// See [`crate::session::Session::ready_worktree`].
pub(crate) fn ready_worktree(repo: &Repository, options: &IndexOptions, cancel: &Cancel) -> Result<Readied> {
    let mut readied = Readied::default();
    let status = repo.status()?;
    let source_tree = match repo.head()? {
        Head::Commit { id, .. } => repo.commit(id)?.tree,
        Head::Unborn { .. } => repo.empty_tree(),
    };
    let parser = Parser::new(repo, source_tree, options)?;
    let mut keys = std::collections::HashSet::new();
    for entry in status.iter().filter(|entry| entry.state != FileState::Deleted) {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        readied.n_dirty += 1;
        let path = entry.path.as_bstr();
        let content = repo.read_worktree(path, parser.recorder.max_file_bytes())?;
        let Some(key) = parser.key(path, &content).filter(|_| keys.len() < KEPT_FILES) else { continue };
        if parser.edited.get(&key).is_none() {
            parser.edited.put(&key, &parser.parse(path, &content));
            readied.n_made += 1;
        }
        keys.insert(key);
    }
    parser.edited.retain(&keys);
    Ok(readied)
}

/// What to say of files that could not be read when their commit was indexed.
fn gaps(index: &Index<'_>, commit: ObjectId) -> Option<String> {
    let unreadable = SkipReason::Unreadable.code();
    let mut files = index.skipped().filter(|file| file.reason == unreadable);
    let first = files.next()?;
    let n = counted(1 + files.count(), "file", "files");
    Some(format!(
        "{n} could not be read when {commit} was indexed, '{}' first: nothing is found there; \
         'git cora index {commit}' tries again",
        first.path,
        commit = commit.abbreviated(12)
    ))
}
