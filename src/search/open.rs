//! Opens a target: its records → a base segment with an overlay.
//!
//! For a commit, the overlay holds the files whose record differs from the base's. For the working
//! tree it also holds the files that `git status` names, parsed in memory. The choice of the base
//! affects time only: document frequencies and lengths are exact over base ∖ masked ∪ overlay.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock};

use bstr::{BString, ByteSlice};
use roaring::RoaringBitmap;

use super::cache::segments::{Base, Cache, Loader, add};
use super::cache::worktree::{Parser, stamps};
use super::record_source::{self, RecordSource};
use super::segment::{Index, Segment, SegmentBuilder};
use super::{Error, Result, Searcher, Target, cache};
use crate::base::config;
use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, NoProgress, Phase, Task};
use crate::base::text::{counted, example};
use crate::git::{FileState, Head, Repository, StatusEntry};
use crate::index::record::Scratch;
use crate::index::source::SkipReason;
use crate::index::{self, Indexer, Snapshot};

/// With more changed files than this between the base and the target, its own segment is built
/// first. Below it the overlay takes some ten milliseconds at most.
const OVERLAY_FILES: usize = 400;

/// Building records of more files than this shows progress.
pub(crate) const FEW_FILES: usize = 200;

/// With more changed files than this, a new segment is built after the answer.
const WARM_FILES: usize = 48;

impl Searcher {
    /// Opens a target; indexes it first if necessary.
    ///
    /// # Errors
    /// [`Error::Git`] before the first commit of a bare repository; otherwise as the stages below.
    #[doc(hidden)]
    pub fn open(indexer: &Indexer, target: &Target, task: Task<'_>) -> Result<Self> {
        let repo = indexer.repo();
        match target {
            Target::Commit(commit) => {
                let found = record_source::find(indexer, *commit, task)?;
                Self::open_or_rebuild(indexer, Some(found), None, task)
            }
            Target::Worktree => {
                // Git checks the work tree while the index is opened.
                let job = match repo.work_dir() {
                    Some(_) => Some(repo.status_start()?),
                    None => None,
                };
                let found = match repo.head()? {
                    Head::Commit { id, .. } => Some(record_source::find(indexer, id, task)?),
                    Head::Unborn { .. } if job.is_none() => return Err(Error::unborn(repo)),
                    Head::Unborn { .. } => None,
                };
                let status = job.map(|job| job.finish()).transpose()?;
                Self::open_or_rebuild(indexer, found, status, task)
            }
        }
    }

    /// As [`Self::from_records`], but an index with missing or damaged objects is rebuilt first.
    /// Only a failure makes it look at all of them.
    fn open_or_rebuild(
        indexer: &Indexer,
        found: Option<RecordSource>,
        status: Option<Vec<StatusEntry>>,
        task: Task<'_>,
    ) -> Result<Self> {
        let repo = indexer.repo();
        let known = found.as_ref().and_then(|found| Some((found.commit.id, found.records?)));
        let error = match Self::from_records(indexer, found, status.clone(), task) {
            Err(error) if !repo.is_mirror() => error,
            Err(error) => return Err(error),
            Ok(searcher) => return searcher.filled(indexer, status, task),
        };
        let Some((commit, records)) = known else { return Err(error) };
        let Some(damage) = indexer.damage(&records, &mut HashSet::new()) else { return Err(error) };
        let found = record_source::rebuild(indexer, commit, task)?;
        let mut searcher = Self::from_records(indexer, Some(found), status, task)?;
        searcher.warnings.push(damage.to_string());
        Ok(searcher)
    }

    /// Tries again to index the files that could not be read, if the remote of a partial clone
    /// answers now.
    fn filled(self, indexer: &Indexer, status: Option<Vec<StatusEntry>>, task: Task<'_>) -> Result<Self> {
        let Some(commit) = self.commit.filter(|_| self.may_be_filled()) else { return Ok(self) };
        match indexer.index(commit.id, false, task) {
            Ok(built) if Some(built.snapshot) != self.records => {
                Self::from_records(indexer, Some(RecordSource::stored(built.snapshot)), status, task)
            }
            Err(_) if task.is_cancelled() => Err(Error::Cancelled),
            // The warning of this searcher says what is missing.
            _ => Ok(self),
        }
    }

    /// Whether files are missing that could be fetched now.
    fn may_be_filled(&self) -> bool {
        self.has_gaps && self.repo.reaches_promisor()
    }

    /// Like [`Searcher::open`], but returns `before` if it is still current. That costs a check of
    /// the work tree, or nothing for a commit.
    ///
    /// # Errors
    /// As [`Searcher::open`].
    #[doc(hidden)]
    pub fn reopen(
        indexer: &Indexer,
        target: &Target,
        before: Option<Arc<Self>>,
        task: Task<'_>,
    ) -> Result<Arc<Self>> {
        let repo = indexer.repo();
        if let Some(before) = before {
            let is_current = match target {
                Target::Commit(commit) => !before.is_worktree() && before.commit() == Some(*commit),
                Target::Worktree if repo.work_dir().is_some() => {
                    let job = repo.status_start()?;
                    let head = match repo.head()? {
                        Head::Commit { id, .. } => Some(id),
                        Head::Unborn { .. } => None,
                    };
                    before.is_of(head, &job.finish()?)
                }
                Target::Worktree => false,
            };
            if is_current && !before.may_be_filled() {
                return Ok(before);
            }
        }
        Ok(Arc::new(Self::open(indexer, target, task)?))
    }

    /// Opens an immediate substitute for `commit`: the nearest indexed commit whose segment, or one
    /// close to it, is cached. `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Git`], [`Error::Index`], [`Error::Segment`].
    #[doc(hidden)]
    pub fn nearest(indexer: &Indexer, commit: ObjectId) -> Result<Option<Self>> {
        let (repo, manifest) = (indexer.repo(), indexer.options().manifest());
        let snapshot = match index::open(repo, commit, &manifest)? {
            index::CommitIndex::Current(snapshot) => Some(snapshot),
            _ => index::nearest(repo, commit, &manifest)?,
        };
        let Some(snapshot) = snapshot else { return Ok(None) };
        let cache = Cache::new(repo);
        if !cache.has(&snapshot) && drift(repo, &cache, &snapshot).is_none() {
            return Ok(None);
        }
        let found = Some(RecordSource::stored(snapshot));
        Ok(Some(Self::from_records(indexer, found, None, Task::new(&NoProgress, &Cancel::default()))?))
    }

    /// Runs `read` on this searcher. If a cached segment turns out damaged, clears the cache, opens
    /// the same target again, and reads once more. Returns what was read, and the new searcher if
    /// there is one; the caller uses it from then on.
    ///
    /// This is the only place that repairs the cache while it is read. `cause` returns the error of
    /// this stage in an error of `read`, if there is one.
    ///
    /// # Errors
    /// Those of `read` and of [`Searcher::open`].
    #[doc(hidden)]
    pub fn with_repair<T, E: From<Error>>(
        &self,
        indexer: &Indexer,
        task: Task<'_>,
        read: impl Fn(&Self) -> std::result::Result<T, E>,
        cause: impl Fn(&E) -> Option<&Error>,
    ) -> std::result::Result<(T, Option<Self>), E> {
        match read(self) {
            Err(error) if cause(&error).is_some_and(Error::is_damaged_cache) => {
                Cache::new(indexer.repo()).clear();
                let repaired = Self::open(indexer, &self.target(), task)?;
                Ok((read(&repaired)?, Some(repaired)))
            }
            read => Ok((read?, None)),
        }
    }

    /// The searcher of a commit's records, with the working tree's changes over it if `status` is
    /// given. `found` is `None` before the first commit.
    pub(super) fn from_records(
        indexer: &Indexer,
        found: Option<RecordSource>,
        status: Option<Vec<StatusEntry>>,
        task: Task<'_>,
    ) -> Result<Self> {
        let (repo, options) = (indexer.repo(), indexer.options());
        let is_worktree = status.is_some();
        let dirty: BTreeMap<BString, FileState> =
            status.unwrap_or_default().into_iter().map(|entry| (entry.path, entry.state)).collect();
        let mut repaired = Vec::new();
        let mut warnings = Vec::new();
        // The overlay: for each path its record, or that it is gone.
        let mut over: BTreeMap<BString, Option<Vec<u8>>> = BTreeMap::new();
        let base = match found.as_ref().and_then(|found| found.records.as_ref()) {
            None => Base {
                files: repo.empty_tree(),
                segment: Segment::from_bytes(SegmentBuilder::new().into_memory()?)?,
            },
            Some(snapshot) => base(indexer, snapshot, &mut over, &mut repaired, task)?,
        };
        if let Some(first) = repaired.first() {
            let (n, example) = (repaired.len(), example(repaired.len(), first));
            warnings.push(if repo.is_mirror() {
                let records = counted(n, "record of the remote index is", "records of the remote index are");
                format!("{records} damaged or missing {example}; a file without its record is not searched")
            } else {
                let records = counted(n, "damaged or missing record", "damaged or missing records");
                let were = if n == 1 { "was" } else { "were" };
                format!(
                    "{records} {example} {were} rebuilt from the source; run 'git cora verify --all' to check \
                    the others"
                )
            });
        }
        if let Some(found) = &found {
            warnings.extend(record_source::add_missing(repo, found, options, &mut over, task)?);
        }
        let records = found.as_ref().and_then(|found| found.records);
        // Only a local index has gaps; it may be local for another reason.
        let may_have_gaps = found.as_ref().is_some_and(|found| found.own().is_none_or(|own| own.is_local));
        let commit = found.map(|found| found.commit);
        let n_overlay = over.len();
        // Taken before the files are read, so that changes in between are seen next time.
        let stamps = stamps(repo, &dirty);
        if !dirty.is_empty() {
            let tree = commit.map_or(repo.empty_tree(), |commit| commit.source_tree);
            let phase = Phase::begin(task.progress, "reading changed files", "files", dirty.len(), FEW_FILES);
            let read = Parser::new(repo, tree, options)?.read(repo, &dirty, task)?;
            drop(phase);
            if read.n_lost > 0 {
                let n = counted(read.n_lost, "changed file", "changed files");
                warnings.push(format!("{n} in the working tree can't be read"));
            }
            over.extend(read.records);
        }

        let (masked, overlay) = overlay(&base.segment, &over)?;
        let gaps = commit.filter(|_| may_have_gaps).and_then(|commit| {
            let index = Index::new(&base.segment, masked.clone(), overlay.as_ref());
            gaps(&index, commit.id)
        });
        let has_gaps = gaps.is_some();
        warnings.extend(gaps);
        Ok(Self {
            repo: Arc::clone(repo),
            commit,
            records,
            options: options.clone(),
            base: base.segment,
            masked,
            overlay,
            neighbours: OnceLock::new(),
            dirty,
            stamps,
            is_worktree,
            has_gaps,
            n_overlay,
            notes: Mutex::default(),
            rest: AtomicU64::new(repo.max_foreign_bytes().unwrap_or(u64::MAX)),
            warnings,
        })
    }
}

/// Returns the segment of a snapshot, or the nearest one in the cache. Records that differ from the
/// nearest one go into `over`; paths of damaged records that were rebuilt go into `repaired`.
fn base(
    indexer: &Indexer,
    snapshot: &Snapshot,
    over: &mut BTreeMap<BString, Option<Vec<u8>>>,
    repaired: &mut Vec<BString>,
    task: Task<'_>,
) -> Result<Base> {
    let (repo, options) = (indexer.repo(), indexer.options());
    let cache = Cache::new(repo);
    let look = || match cache.exact(snapshot) {
        Some(base) => Some(NearBase { base, changes: Vec::new() }),
        None => nearest(repo, &cache, snapshot),
    };
    let build = || {
        let base = cache.build(snapshot, options, repaired, task)?;
        Ok(NearBase { base, changes: Vec::new() })
    };
    let NearBase { base, changes } = cache.find_or_build(look, build, task)?;
    // Only these need the attributes of the tree.
    if changes.is_empty() {
        return Ok(base);
    }
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
    Ok(base)
}

/// Returns the files of `base` that the overlay replaces, and the segment of the overlay's records.
fn overlay(
    base: &Segment,
    over: &BTreeMap<BString, Option<Vec<u8>>>,
) -> Result<(RoaringBitmap, Option<Segment>)> {
    let mut masked = RoaringBitmap::new();
    let mut builder = SegmentBuilder::new();
    let mut scratch = Scratch::default();
    let mut has_overlay = false;
    for (path, bytes) in over {
        if let Some(ord) = base.file_by_path(path.as_bstr()) {
            masked.insert(ord);
        }
        if let Some(bytes) = bytes {
            add(&mut builder, path.as_bstr(), bytes, &mut scratch)?;
            has_overlay = true;
        }
    }
    let segment = if has_overlay { Some(Segment::from_bytes(builder.into_memory()?)?) } else { None };
    Ok((masked, segment))
}

/// Caches a commit's segment, and its commit messages if they were used before. Runs after an
/// answer and after indexing. A failure to read messages is not an error.
///
/// # Errors
/// [`Error::Segment`], [`Error::Git`], [`Error::Cancelled`].
pub fn warm(indexer: &Indexer, snapshot: &Snapshot, task: Task<'_>) -> Result<()> {
    let repo = indexer.repo();
    let cache = Cache::new(repo);
    let look = || cache.has(snapshot).then_some(());
    let build = || cache.build(snapshot, indexer.options(), &mut Vec::new(), task).map(drop);
    cache.find_or_build(look, build, task)?;
    cache.evict(repo.setting(&config::CACHE_BYTES)?, snapshot);
    cache::keep_commit_messages(repo, snapshot.commit, task);
    if task.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}

/// Whether a search of this snapshot would need a large overlay, or a new segment.
pub fn is_drifted(repo: &Repository, snapshot: &Snapshot) -> bool {
    let cache = Cache::new(repo);
    !cache.has(snapshot) && drift(repo, &cache, snapshot).is_none_or(wants_warming)
}

/// Whether any segment is cached, be it damaged.
pub fn has_segment(repo: &Repository) -> bool {
    Cache::new(repo).has_any()
}

/// Whether an overlay of this many files justifies a segment of its own.
pub(super) fn wants_warming(n_overlay: usize) -> bool {
    n_overlay > WARM_FILES
}

/// Returns whether a base that differs in this number of files is near enough.
fn fits_an_overlay(n_changes: usize) -> bool {
    n_changes <= OVERLAY_FILES
}

/// How many files the overlay over the nearest cached segment would have; `None` without a near
/// one.
pub(super) fn drift(repo: &Repository, cache: &Cache<'_>, snapshot: &Snapshot) -> Option<usize> {
    nearest(repo, cache, snapshot).map(|near| near.changes.len())
}

/// A cached segment that is near a snapshot.
struct NearBase {
    base: Base,
    /// The files that differ, each with its record in the snapshot; `None` if it is gone.
    changes: Vec<(BString, Option<ObjectId>)>,
}

/// The cached segment with the fewest files that differ from `snapshot`.
fn nearest(repo: &Repository, cache: &Cache<'_>, snapshot: &Snapshot) -> Option<NearBase> {
    let mut best: Option<NearBase> = None;
    for base in cache.candidates() {
        // A base whose record tree was collected as garbage can't be compared.
        let Ok(changes) = repo.diff_trees(Some(base.files), snapshot.files) else { continue };
        if fits_an_overlay(changes.len())
            && best.as_ref().is_none_or(|best| changes.len() < best.changes.len())
        {
            let is_near = !wants_warming(changes.len());
            let changes =
                changes.into_iter().map(|change| (change.path, change.new.map(|(_, id)| id))).collect();
            best = Some(NearBase { base, changes });
            if is_near {
                break;
            }
        }
    }
    best
}

/// The warning about files that could not be read when their commit was indexed.
fn gaps(index: &Index<'_>, commit: ObjectId) -> Option<String> {
    let unreadable = SkipReason::Unreadable.code();
    let mut files = index.skipped().filter(|file| file.reason == unreadable);
    let first = files.next()?;
    let n = 1 + files.count();
    Some(format!(
        "{} not searched {}, because {} could not be read when {commit} was indexed; run 'git cora index \
        {commit}' to try again",
        counted(n, "file is", "files are"),
        example(n, first.path),
        if n == 1 { "it" } else { "they" },
        commit = commit.abbreviated(12)
    ))
}

#[cfg(test)]
mod tests;
