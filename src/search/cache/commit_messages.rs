//! What commits said, for questions that make use of it: gathered when it is first asked for, and kept.
//!
//! Histories lie in `<common dir>/cora/history/`, each named by its commit and by where a shallow clone ends. They
//! are a cache: a damaged one is gathered again, and the answer is the same with and without.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::base::sharing::Sharing;
use crate::base::tempfile;
use crate::git::Repository;
use crate::search::commit_messages::{self, GatherOutcome, History};
use crate::search::query;
use crate::search::segment::Bytes;

use crate::search::{Error, Result, Searcher};

/// So many are kept, those made last; each of some hundred kilobytes.
const KEPT: usize = 8;

/// What can't be used and is older was left by another version, or by a process that was killed.
const LEFT: Duration = Duration::from_secs(24 * 3600);

/// When a file was made, and the file.
type HistoryFile = (SystemTime, PathBuf);

/// What the commits said that led to the one that `searcher` was opened at. `None` before the first commit, of a
/// remote repository, and of a clone without the trees of old commits. What can't be kept is gathered again.
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

/// Makes sure that a commit's history is kept, if any is; what fails is tried again by the next question.
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
    // Somebody may have fetched meanwhile: then it is of neither clone.
    if HistoryCache::new(repo)?.end == kept.end {
        kept.put(commit, &history);
    }
    Ok(Some(history))
}

/// The same as [`history`], only for a text that makes use of it; a history that can't be read is a warning.
pub(crate) fn history_for(
    searcher: &Searcher,
    text: &str,
    warnings: &mut Vec<String>,
    task: Task<'_>,
) -> Option<History> {
    if !query::wants_history(text) {
        return None;
    }
    history(searcher, task).unwrap_or_else(|error| {
        warnings.push(format!("what commits said can't be read: {error}"));
        None
    })
}

/// The histories that are kept of one repository.
struct HistoryCache {
    dir: PathBuf,
    sharing: Sharing,
    /// The end of the name of each.
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
            // A file that is mapped can't be removed everywhere.
            drop(history);
            let _ = fs::remove_file(path);
            return None;
        }
        Some(history)
    }

    /// The one that was made last: most of what a later commit's has is in it.
    fn newest(&self) -> Option<History> {
        self.files().0.into_iter().find_map(|(_, path)| decoded(&path, is_small_enough))
    }

    /// The histories of this clone, and then what else lies there (of other versions, of other states of the clone, of
    /// interrupted processes); those made last first.
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

    /// Keeps a history, and removes those that were made long ago.
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

/// The history in a file; one that is damaged or too large is removed.
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
