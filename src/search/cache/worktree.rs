//! Cached records of work tree files that differ from HEAD, so that a query need not parse them.
//!
//! They are stored in `<common dir>/cora/edited/` (`edited-<name>` for a linked work tree), named
//! by a hash of their inputs: the options, the file's name, its attributes and its content. A query
//! reads them, and writes them only if it had to parse for long ([`SLOW`]). `watch` writes them,
//! too, and removes those that nobody edits any more. A damaged file counts as missing.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Task};
use crate::base::sharing::Sharing;
use crate::base::tempfile::rename;
use crate::base::text::path;
use crate::git::{Attributes, Blob, FileAttributes, FileState, Head, Repository};
use crate::index::record::{self, FileRecord, OpenRecord, RecordView};
use crate::index::source;
use crate::index::{IndexOptions, Indexer, Recorder};
use crate::search::{Error, Result};

/// Larger files are not cached: reading the record would cost more than a parse.
const MAX_BYTES: usize = 8 << 20;

/// The records of edited files of one repository.
pub(crate) struct RecordCache {
    dir: PathBuf,
    sharing: Sharing,
    made_with: Vec<u8>,
}

impl RecordCache {
    pub(crate) fn new(repo: &Repository, options: &IndexOptions) -> Self {
        // Each work tree has its own edits.
        let name = match repo.git_dir().file_name() {
            Some(name) if repo.git_dir() != repo.common_dir() => format!("edited-{}", name.to_string_lossy()),
            _ => "edited".to_owned(),
        };
        Self {
            dir: repo.cora_dir().join(name),
            sharing: repo.sharing(),
            made_with: options.manifest().encode(),
        }
    }

    /// Whether the cache exists.
    pub(crate) fn is_used(&self) -> bool {
        self.dir.exists()
    }

    /// The file's name in the cache.
    pub(crate) fn key(&self, path: &BStr, content: &[u8], attributes: &FileAttributes) -> String {
        let mut hash = Sha256::new();
        let name = path::name(path);
        let attributes = format!("{attributes:?}");
        for part in [self.made_with.as_slice(), name, attributes.as_bytes(), content] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hash.finalize().iter().take(20).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The record under a key, if it is there and intact.
    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let stored = read_at_most(&self.dir.join(key), MAX_BYTES)?;
        let (bytes, sum) = stored.split_last_chunk::<4>()?;
        if crc32fast::hash(bytes) != u32::from_le_bytes(*sum) {
            return None;
        }
        match RecordView::open(bytes) {
            Ok(OpenRecord::Indexed(_) | OpenRecord::Skipped(_)) => Some(bytes.to_vec()),
            Err(_) => None,
        }
    }

    /// Stores a record. If that fails, the next query builds it again.
    pub(crate) fn put(&self, key: &str, bytes: &[u8]) {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        if bytes.len() + 4 > MAX_BYTES || self.sharing.create_dir_all(&self.dir).is_err() {
            return;
        }
        let n = COUNTER.fetch_add(1, Ordering::Relaxed);
        let temporary = self.dir.join(format!("tmp-{}-{n}", std::process::id()));
        let whole = [bytes, &crc32fast::hash(bytes).to_le_bytes()].concat();
        let written = fs::write(&temporary, whole).and_then(|()| self.sharing.apply(&temporary));
        if written.and_then(|()| rename(&temporary, &self.dir.join(key))).is_err() {
            let _ = fs::remove_file(temporary);
        }
    }

    /// Returns the number of records.
    fn len(&self) -> usize {
        fs::read_dir(&self.dir).map_or(0, Iterator::count)
    }

    /// Removes all but these.
    pub(crate) fn retain(&self, keys: &std::collections::HashSet<String>) {
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_none_or(|name| !keys.contains(name)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Returns the content of a file; `None` if it is longer than `most` bytes or can't be read.
fn read_at_most(path: &Path, most: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte above the limit shows that the file is longer.
    fs::File::open(path).ok()?.take(most as u64 + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() <= most).then_some(bytes)
}

/// A file that changed this shortly before it was checked may change again without a new time
/// stamp.
const RACY: Duration = Duration::from_secs(2);

/// A query that parses edited files for longer than this stores their records for the next one.
/// Faster ones leave the repository as it is.
const SLOW: Duration = Duration::from_millis(500);

/// Maximum number of cached records of edited files.
const KEPT_FILES: usize = 2_000;

/// Records of the working tree's changes.
pub(in crate::search) struct Edits {
    /// By path; `None` for a file that is gone.
    pub(in crate::search) records: Vec<(BString, Option<Vec<u8>>)>,
    /// Files that can't be read.
    pub(in crate::search) n_lost: usize,
}

/// Builds records of work tree files, and finds cached ones.
pub(in crate::search) struct Parser {
    recorder: Recorder,
    attributes: Attributes,
    edited: RecordCache,
    no_id: ObjectId,
    slow: Duration,
}

/// A record of a file that differs from HEAD.
struct EditedRecord {
    path: BString,
    /// `None` if the file is gone.
    bytes: Option<Vec<u8>>,
    /// Its name in the cache, if it has one.
    key: Option<String>,
    is_cached: bool,
    is_lost: bool,
}

impl Parser {
    pub(in crate::search) fn new(
        repo: &Repository,
        source_tree: ObjectId,
        options: &IndexOptions,
    ) -> Result<Self> {
        Ok(Self {
            recorder: Recorder::new(options.clone()),
            attributes: repo.attributes(source_tree)?,
            edited: RecordCache::new(repo, options),
            slow: SLOW,
            no_id: ObjectId::from_bytes(&vec![0; repo.object_hash_len()])
                .ok_or(Error::Internal("the null id has the repository's length"))?,
        })
    }

    /// The records of changed files: cached ones, or built now.
    pub(in crate::search) fn read(
        &self,
        repo: &Repository,
        dirty: &BTreeMap<BString, FileState>,
        task: Task<'_>,
    ) -> Result<Edits> {
        let begun = Instant::now();
        let one = |(path, state): (&BString, &FileState)| self.read_one(repo, path, state, task);
        let read: Vec<EditedRecord> = dirty.par_iter().map(one).collect::<Result<_>>()?;
        if begun.elapsed() > self.slow {
            self.keep(&read);
        }
        let n_lost = read.iter().filter(|one| one.is_lost).count();
        Ok(Edits { records: read.into_iter().map(|one| (one.path, one.bytes)).collect(), n_lost })
    }

    fn read_one(
        &self,
        repo: &Repository,
        path: &BString,
        state: &FileState,
        task: Task<'_>,
    ) -> Result<EditedRecord> {
        if task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        task.progress.advance(1);
        let mut one =
            EditedRecord { path: path.clone(), bytes: None, key: None, is_cached: false, is_lost: false };
        if *state == FileState::Deleted {
            return Ok(one);
        }
        let limit = self.recorder.max_file_bytes();
        let content = repo.read_worktree_as_stored(&self.attributes, path.as_bstr(), limit)?;
        one.is_lost = matches!(content, Blob::Missing) && repo.has_file(path.as_bstr());
        one.key = self.key(path.as_bstr(), &content);
        let cached = one.key.as_ref().filter(|_| self.edited.is_used()).and_then(|key| self.edited.get(key));
        one.is_cached = cached.is_some();
        one.bytes = Some(cached.unwrap_or_else(|| self.parse(path.as_bstr(), &content)));
        Ok(one)
    }

    /// Stores the records that were made, and removes others if the cache would grow too large. If
    /// nothing can be written, the next query parses again.
    fn keep(&self, read: &[EditedRecord]) {
        let kept: Vec<(&String, &EditedRecord)> =
            read.iter().filter_map(|one| Some((one.key.as_ref()?, one))).take(KEPT_FILES).collect();
        if self.edited.len() + kept.len() > KEPT_FILES {
            self.edited.retain(&kept.iter().map(|(key, _)| (*key).clone()).collect());
        }
        kept.par_iter().filter(|(_, one)| !one.is_cached).for_each(|(key, one)| {
            if let Some(bytes) = &one.bytes {
                self.edited.put(key, bytes);
            }
        });
    }

    /// The cache name of a file's record; `None` for a file without content.
    fn key(&self, path: &BStr, content: &Blob) -> Option<String> {
        match content {
            Blob::Bytes(bytes) => Some(self.edited.key(path, bytes, &self.attributes.of(path))),
            Blob::TooLarge { .. } | Blob::Missing => None,
        }
    }

    fn parse(&self, path: &BStr, content: &Blob) -> Vec<u8> {
        let record = match content {
            Blob::Missing => FileRecord::Skipped(source::SkipReason::Unreadable),
            content => self.recorder.record(path, self.no_id, content, &self.attributes.of(path)),
        };
        record::encode(&record)
    }
}

/// Returns the records of files of the work tree that differ from `source_tree`, by path; `None`
/// for a file that is gone.
///
/// # Errors
/// [`Error::Git`], [`Error::Cancelled`].
pub(crate) fn edited_records(
    indexer: &Indexer,
    source_tree: ObjectId,
    dirty: &BTreeMap<BString, FileState>,
    task: Task<'_>,
) -> Result<Vec<(BString, Option<Vec<u8>>)>> {
    let repo = indexer.repo();
    Ok(Parser::new(repo, source_tree, indexer.options())?.read(repo, dirty, task)?.records)
}

/// What [`ready_worktree`] did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WarmReport {
    /// Files of the work tree that differ from HEAD.
    pub n_dirty: usize,
    /// Of these, files that were parsed now.
    pub n_made: usize,
}

/// Parses work tree files that differ from `HEAD` and caches their records for the next query.
/// Records of files that no longer differ are removed.
///
/// # Errors
/// [`Error::Git`], [`Error::Index`], [`Error::Cancelled`].
pub fn ready_worktree(indexer: &Indexer, cancel: &Cancel) -> Result<WarmReport> {
    ready_at_most(indexer, KEPT_FILES, cancel)
}

/// As [`ready_worktree`], but keeps at most `most` records.
fn ready_at_most(indexer: &Indexer, most: usize, cancel: &Cancel) -> Result<WarmReport> {
    let (repo, options) = (indexer.repo(), indexer.options());
    let mut readied = WarmReport::default();
    let status = repo.status()?;
    let source_tree = match repo.head()? {
        Head::Commit { id, .. } => repo.commit(id)?.tree,
        Head::Unborn { .. } => repo.empty_tree(),
    };
    let parser = Parser::new(repo, source_tree, options)?;
    let mut keys = HashSet::new();
    for entry in status.iter().filter(|entry| entry.state != FileState::Deleted) {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        readied.n_dirty += 1;
        let path = entry.path.as_bstr();
        let limit = parser.recorder.max_file_bytes();
        let content = repo.read_worktree_as_stored(&parser.attributes, path, limit)?;
        let Some(key) = parser.key(path, &content).filter(|_| keys.len() < most) else { continue };
        if parser.edited.get(&key).is_none() {
            parser.edited.put(&key, &parser.parse(path, &content));
            readied.n_made += 1;
        }
        keys.insert(key);
    }
    parser.edited.retain(&keys);
    Ok(readied)
}

/// Length and time of the last change of a file; `None` where there is none.
pub(in crate::search) type Stamp = Option<(u64, SystemTime)>;

/// The stamps of work tree files; `None` if one changed so recently that its stamp is not reliable.
pub(in crate::search) fn stamps(
    repo: &Repository,
    dirty: &BTreeMap<BString, FileState>,
) -> Option<Vec<Stamp>> {
    let now = SystemTime::now();
    let root = repo.work_dir();
    let stamp = |path: &BString| -> Option<Stamp> {
        let path = path.to_path().ok()?;
        let Ok(found) = root?.join(path).symlink_metadata() else { return Some(None) };
        let changed = found.modified().ok()?;
        is_settled(changed, now).then_some(Some((found.len(), changed)))
    };
    dirty.keys().map(stamp).collect()
}

/// Whether a file that changed at that time would have another time if it changed again now.
fn is_settled(changed: SystemTime, now: SystemTime) -> bool {
    now.duration_since(changed).is_ok_and(|age| age > RACY)
}

#[cfg(test)]
mod tests;
