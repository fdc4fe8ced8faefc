//! Commit messages for questions that use them: gathered when they are first needed, and cached.
//!
//! Histories are stored in `<common dir>/cora/history/`, named by commit and by where a shallow
//! clone ends. They are a cache: a damaged one is gathered again, and the answer is the same.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::base::sharing::Sharing;
use crate::base::tempfile;
use crate::git::Repository;
use crate::search::commit_messages::{self, GatherOutcome, History, HistorySource};
use crate::search::segment::Bytes;

use crate::search::{Error, Result, Searcher};

/// Number of histories kept, the newest; each has some hundred kilobytes.
const KEPT: usize = 8;

/// Unusable files older than this were left by another version or a killed process.
const LEFT: Duration = Duration::from_secs(24 * 3600);

/// Time of creation, and the file.
type HistoryFile = (SystemTime, PathBuf);

/// The messages of the commits that led to the one `searcher` was opened at. `None` before the
/// first commit, for a remote repository, and in a clone without the trees of old commits. If they
/// can't be cached, they are gathered again.
///
/// # Errors
/// [`Error::Git`] for a commit that can't be read, [`Error::Cancelled`].
pub fn history(searcher: &Searcher, task: Task<'_>) -> Result<Option<History>> {
    let repo = searcher.repo();
    let Some(commit) = searcher.commit().filter(|_| !repo.lacks_trees()) else { return Ok(None) };
    let kept = HistoryCache::new(repo)?;
    match kept.get(commit) {
        Some(history) => Ok(Some(history)),
        None => gather(repo, &kept, commit, task),
    }
}

/// Caches a commit's history, if histories are used here. The next question tries again after a
/// failure.
pub fn keep_history(repo: &Repository, commit: ObjectId, task: Task<'_>) {
    let Ok(kept) = HistoryCache::new(repo) else { return };
    if kept.dir.exists() && !kept.path(commit).exists() && !repo.lacks_trees() {
        let _ = gather(repo, &kept, commit, task);
    }
}

fn gather(
    repo: &Repository,
    kept: &HistoryCache,
    commit: ObjectId,
    task: Task<'_>,
) -> Result<Option<History>> {
    let known = kept.newest();
    let history = match commit_messages::gather(repo, commit, known.as_ref(), task)? {
        GatherOutcome::Whole(history) => *history,
        GatherOutcome::Lacking => return Ok(None),
        GatherOutcome::Cancelled => return Err(Error::Cancelled),
    };
    drop(known);
    // A fetch in the meantime may have changed where the shallow clone ends.
    if HistoryCache::new(repo)?.end == kept.end {
        kept.put(commit, &history);
    }
    Ok(Some(history))
}

/// The [`history`] for one answer, read when a search first asks for it.
pub(crate) struct LazyHistory<'s> {
    searcher: &'s Searcher,
    task: Task<'s>,
    read: OnceLock<std::result::Result<Option<History>, String>>,
}

impl<'s> LazyHistory<'s> {
    pub(crate) fn new(searcher: &'s Searcher, task: Task<'s>) -> Self {
        Self { searcher, task, read: OnceLock::new() }
    }

    /// Returns the warning to show if the history was asked for and can't be read.
    pub(crate) fn warning(&self) -> Option<String> {
        let error = self.read.get()?.as_ref().err()?;
        Some(format!("the commit messages can't be read: {error}"))
    }
}

impl HistorySource for LazyHistory<'_> {
    fn history(&self) -> Option<&History> {
        let read = || history(self.searcher, self.task).map_err(|error| error.to_string());
        self.read.get_or_init(read).as_ref().ok()?.as_ref()
    }
}

/// The cached histories of one repository.
struct HistoryCache {
    dir: PathBuf,
    sharing: Sharing,
    /// File extension of a history.
    end: String,
}

impl HistoryCache {
    fn new(repo: &Repository) -> Result<Self> {
        let boundary = repo.shallow_boundary()?;
        let bytes: Vec<u8> = boundary.iter().flat_map(ObjectId::as_bytes).copied().collect();
        let end = format!("-{:08x}.v{}", crc32fast::hash(&bytes), commit_messages::VERSION);
        Ok(Self { dir: repo.cora_dir().join("history"), sharing: repo.sharing(), end })
    }

    fn path(&self, commit: ObjectId) -> PathBuf {
        self.dir.join(format!("{commit}{}", self.end))
    }

    fn get(&self, commit: ObjectId) -> Option<History> {
        let path = self.path(commit);
        let history = decoded(&path, is_small_enough)?;
        if history.commit() != Some(commit) {
            // Some systems can't remove a mapped file.
            drop(history);
            let _ = fs::remove_file(path);
            return None;
        }
        Some(history)
    }

    /// The newest: a later commit's history shares most of it.
    fn newest(&self) -> Option<History> {
        self.files().0.into_iter().find_map(|(_, path)| decoded(&path, is_small_enough))
    }

    /// The histories of this clone, then the other files there (of other versions, other states of
    /// the clone, interrupted processes); newest first.
    fn files(&self) -> (Vec<HistoryFile>, Vec<HistoryFile>) {
        let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let mut files: Vec<HistoryFile> = entries
            .map(|entry| {
                let made = entry.metadata().and_then(|meta| meta.modified());
                (made.unwrap_or(SystemTime::UNIX_EPOCH), entry.path())
            })
            .collect();
        files.sort_by(|a, b| b.cmp(a));
        let is_own = |path: &Path| {
            path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.ends_with(&self.end))
        };
        files.into_iter().partition(|(_, path)| is_own(path))
    }

    /// Stores a history and removes old ones.
    fn put(&self, commit: ObjectId, history: &History) {
        let Some(bytes) = history.encode() else { return };
        let path = self.path(commit);
        let written = self
            .sharing
            .create_dir_all(&self.dir)
            .and_then(|()| tempfile::write(&path, ".history-", 0o666, self.sharing, &bytes));
        if written.is_ok() {
            let (own, others) = self.files();
            let is_left = |(made, _): &HistoryFile| made.elapsed().is_ok_and(|age| age > LEFT);
            for (_, path) in own.into_iter().skip(KEPT).chain(others.into_iter().filter(is_left)) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Whether a file of this length can be a history.
fn is_small_enough(len: u64) -> bool {
    len <= commit_messages::MAX_BYTES as u64
}

/// The history in a file. A damaged or oversized one is removed.
fn decoded(path: &Path, is_small_enough: impl Fn(u64) -> bool) -> Option<History> {
    let history = if is_small_enough(fs::metadata(path).ok()?.len()) {
        History::open(Bytes::map(path).ok()?).ok()
    } else {
        None
    };
    if history.is_none() {
        let _ = fs::remove_file(path);
    }
    history
}

#[cfg(test)]
mod tests;
