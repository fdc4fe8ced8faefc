//! Commit messages for questions that use them: gathered when they are first needed, and cached.
//!
//! They are stored in `<common dir>/cora/history/`, named by commit and by where a shallow
//! clone ends. They are a cache: damaged ones are gathered again, and the answer is the same.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use crate::base::id::ObjectId;
use crate::base::new_file;
use crate::base::progress::Task;
use crate::base::sharing::Sharing;
use crate::git::Repository;
use crate::search::commit_messages::{self, CommitMessageSource, CommitMessages, GatherOutcome};
use crate::search::segment::Bytes;

use crate::search::{Error, Result, Searcher};

/// Number of commits, the newest, whose messages stay cached: some hundred kilobytes each.
const KEPT: usize = 8;

/// Unusable files older than this were left by another version or a killed process.
const LEFT: Duration = Duration::from_secs(24 * 3600);

/// Time of creation, and the file.
type CachedFile = (SystemTime, PathBuf);

/// The messages of the commits that led to the one `searcher` was opened at. `None` before the
/// first commit, for a remote repository, and in a clone without the trees of old commits. If they
/// can't be cached, they are gathered again.
///
/// # Errors
/// [`Error::Git`] for a commit that can't be read, [`Error::Cancelled`].
pub fn commit_messages(searcher: &Searcher, task: Task<'_>) -> Result<Option<CommitMessages>> {
    let repo = searcher.repo();
    let Some(commit) = searcher.commit().filter(|_| !repo.lacks_trees()) else { return Ok(None) };
    let kept = CommitMessageCache::new(repo)?;
    match kept.get(commit) {
        Some(messages) => Ok(Some(messages)),
        None => gather(repo, &kept, commit, task),
    }
}

/// Caches the messages that led to a commit, if this repository uses them. After a failure, the
/// next question tries again.
pub fn keep_commit_messages(repo: &Repository, commit: ObjectId, task: Task<'_>) {
    let Ok(kept) = CommitMessageCache::new(repo) else { return };
    if kept.dir.exists() && !kept.path(commit).exists() && !repo.lacks_trees() {
        let _ = gather(repo, &kept, commit, task);
    }
}

fn gather(
    repo: &Repository,
    kept: &CommitMessageCache,
    commit: ObjectId,
    task: Task<'_>,
) -> Result<Option<CommitMessages>> {
    let known = kept.newest();
    let messages = match commit_messages::gather(repo, commit, known.as_ref(), task)? {
        GatherOutcome::Whole(messages) => *messages,
        GatherOutcome::Lacking => return Ok(None),
        GatherOutcome::Cancelled => return Err(Error::Cancelled),
    };
    drop(known);
    // A fetch in the meantime may have changed where the shallow clone ends.
    if CommitMessageCache::new(repo)?.end == kept.end {
        kept.put(commit, &messages);
    }
    Ok(Some(messages))
}

/// The [`commit_messages`] for one answer, read when a search first asks for it.
pub(crate) struct LazyCommitMessages<'s> {
    searcher: &'s Searcher,
    task: Task<'s>,
    read: OnceLock<std::result::Result<Option<CommitMessages>, String>>,
}

impl<'s> LazyCommitMessages<'s> {
    pub(crate) fn new(searcher: &'s Searcher, task: Task<'s>) -> Self {
        Self { searcher, task, read: OnceLock::new() }
    }

    /// Returns the warning to show if the messages were needed and can't be read.
    pub(crate) fn warning(&self) -> Option<String> {
        let error = self.read.get()?.as_ref().err()?;
        Some(format!("the commit messages can't be read: {error}"))
    }
}

impl CommitMessageSource for LazyCommitMessages<'_> {
    fn messages(&self) -> Option<&CommitMessages> {
        let read = || commit_messages(self.searcher, self.task).map_err(|error| error.to_string());
        self.read.get_or_init(read).as_ref().ok()?.as_ref()
    }
}

/// The cached commit messages of one repository.
struct CommitMessageCache {
    dir: PathBuf,
    sharing: Sharing,
    /// The end of the names of its files.
    end: String,
}

impl CommitMessageCache {
    fn new(repo: &Repository) -> Result<Self> {
        let boundary = repo.shallow_boundary()?;
        let bytes: Vec<u8> = boundary.iter().flat_map(ObjectId::as_bytes).copied().collect();
        let end = format!("-{:08x}.v{}", crc32fast::hash(&bytes), commit_messages::VERSION);
        Ok(Self { dir: repo.cora_dir().join("history"), sharing: repo.sharing(), end })
    }

    fn path(&self, commit: ObjectId) -> PathBuf {
        self.dir.join(format!("{commit}{}", self.end))
    }

    fn get(&self, commit: ObjectId) -> Option<CommitMessages> {
        let path = self.path(commit);
        let messages = decoded(&path, is_small_enough)?;
        if messages.commit() != Some(commit) {
            // Some systems can't remove a mapped file.
            drop(messages);
            let _ = fs::remove_file(path);
            return None;
        }
        Some(messages)
    }

    /// The newest: those of a later commit share most of them.
    fn newest(&self) -> Option<CommitMessages> {
        self.files().0.into_iter().find_map(|(_, path)| decoded(&path, is_small_enough))
    }

    /// The files of this clone, then the other files there (of other versions, other states of
    /// the clone, interrupted processes); newest first.
    fn files(&self) -> (Vec<CachedFile>, Vec<CachedFile>) {
        let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let mut files: Vec<CachedFile> = entries
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

    /// Stores messages and removes old ones.
    fn put(&self, commit: ObjectId, messages: &CommitMessages) {
        let Some(bytes) = messages.encode() else { return };
        let path = self.path(commit);
        let written = self
            .sharing
            .create_dir_all(&self.dir)
            .and_then(|()| new_file::write(&path, ".history-", 0o666, self.sharing, &bytes));
        if written.is_ok() {
            let (own, others) = self.files();
            let is_left = |(made, _): &CachedFile| made.elapsed().is_ok_and(|age| age > LEFT);
            for (_, path) in own.into_iter().skip(KEPT).chain(others.into_iter().filter(is_left)) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Whether a file of this length can hold commit messages.
fn is_small_enough(len: u64) -> bool {
    len <= commit_messages::MAX_BYTES as u64
}

/// The messages in a file. A damaged or oversized file is removed.
fn decoded(path: &Path, is_small_enough: impl Fn(u64) -> bool) -> Option<CommitMessages> {
    let messages = if is_small_enough(fs::metadata(path).ok()?.len()) {
        CommitMessages::open(Bytes::map(path).ok()?).ok()
    } else {
        None
    };
    if messages.is_none() {
        let _ = fs::remove_file(path);
    }
    messages
}

#[cfg(test)]
mod tests;
