//! What commits said, for questions that make use of it: gathered when it is first asked for, and kept.
//!
//! Histories lie in `<common dir>/cora/history/`, each named by its commit and by where a shallow clone ends. They
//! are a cache: a damaged one is gathered again, and the answer is the same with and without.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::history::{self, History};
use crate::id::ObjectId;
use crate::progress::{Cancel, Progress};
use crate::query;
use crate::repo::Repository;
use crate::temporary;

use super::{Error, Result, Searchable, Session};

/// So many are kept, those used last.
const KEPT: usize = 8;
/// Larger files are none of ours.
const MAX_BYTES: u64 = 64 << 20;

impl Session {
    /// What the commits said that led to the one that `searchable` was opened at. `None` before the first commit, of a
    /// remote repository, and of a clone without the trees of old commits.
    ///
    /// # Errors
    /// [`Error::Repo`] for a commit that can't be read, [`Error::Cancelled`]. What can't be kept is gathered again.
    pub fn history(
        &self,
        searchable: &Searchable,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Option<History>> {
        let Some(commit) = searchable.commit().filter(|_| !self.repo.lacks_trees()) else { return Ok(None) };
        let kept = Kept::new(&self.repo)?;
        match kept.get(commit) {
            Some(history) => Ok(Some(history)),
            None => self.gather(&kept, commit, progress, cancel).map(Some),
        }
    }

    /// Makes sure that a commit's history is kept, if any is.
    pub(super) fn keep_history(
        &self,
        commit: ObjectId,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<()> {
        let kept = Kept::new(&self.repo)?;
        if kept.dir.exists() && !kept.path(commit).exists() && !self.repo.lacks_trees() {
            self.gather(&kept, commit, progress, cancel)?;
        }
        Ok(())
    }

    fn gather(
        &self,
        kept: &Kept,
        commit: ObjectId,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<History> {
        let known = kept.newest();
        let history = history::gather(&self.repo, commit, known.as_ref(), progress, cancel)?;
        let history = history.ok_or(Error::Cancelled)?;
        kept.put(commit, &history);
        Ok(history)
    }

    /// The same, only for a text that makes use of it; a history that can't be read is a warning.
    pub(super) fn history_for(
        &self,
        searchable: &Searchable,
        text: &str,
        warnings: &mut Vec<String>,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Option<History> {
        if !query::wants_history(text) {
            return None;
        }
        self.history(searchable, progress, cancel).unwrap_or_else(|error| {
            warnings.push(format!("what commits said can't be read: {error}"));
            None
        })
    }
}

/// The histories that are kept of one repository.
struct Kept {
    dir: PathBuf,
    /// The end of the name of each.
    end: String,
}

impl Kept {
    fn new(repo: &Repository) -> Result<Self> {
        let boundary = repo.shallow_boundary()?;
        let bytes: Vec<u8> = boundary.iter().flat_map(ObjectId::as_bytes).copied().collect();
        let end = format!("-{:08x}.v{}", crc32fast::hash(&bytes), history::VERSION);
        Ok(Self { dir: repo.cora_dir().join("history"), end })
    }

    fn path(&self, commit: ObjectId) -> PathBuf {
        self.dir.join(format!("{commit}{}", self.end))
    }

    fn get(&self, commit: ObjectId) -> Option<History> {
        read(&self.path(commit))
    }

    /// The one that was made last: most of what a later commit's has is in it.
    fn newest(&self) -> Option<History> {
        self.files().into_iter().map(|(_, path)| path).find_map(|path| {
            path.to_str().is_some_and(|name| name.ends_with(&self.end)).then(|| read(&path)).flatten()
        })
    }

    /// All files, the newest first.
    fn files(&self) -> Vec<(SystemTime, PathBuf)> {
        let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        let mut files: Vec<(SystemTime, PathBuf)> = entries
            .map(|entry| {
                let made = entry.metadata().and_then(|meta| meta.modified());
                (made.unwrap_or(SystemTime::UNIX_EPOCH), entry.path())
            })
            .collect();
        files.sort_by(|a, b| b.cmp(a));
        files
    }

    /// Keeps a history, and removes those that were made long ago.
    fn put(&self, commit: ObjectId, history: &History) {
        let written = fs::create_dir_all(&self.dir)
            .and_then(|()| temporary::file_in(&self.dir, ".history-", 0o666))
            .and_then(|mut file| file.write_all(&history.write()).map(|()| file));
        let Ok(file) = written else { return };
        if file.persist(self.path(commit)).is_ok() {
            for (_, path) in self.files().into_iter().skip(KEPT) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// The history in a file; a damaged one is removed.
fn read(path: &Path) -> Option<History> {
    if fs::metadata(path).ok()?.len() > MAX_BYTES {
        return None;
    }
    let history = History::read(&fs::read(path).ok()?);
    if history.is_err() {
        let _ = fs::remove_file(path);
    }
    history.ok()
}
