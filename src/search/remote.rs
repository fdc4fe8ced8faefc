//! A remote repository, searched without a clone.
//!
//! Fetches the commit with its trees, its index, and the sources that are shown, in one transfer.
//! Nothing is indexed here, because that would need every source. If the remote has no index of its
//! `HEAD`, the nearest indexed ancestor is searched, with a warning. A missing index of a named
//! revision is an error with a hint.
//!
//! The index is untrusted: a record that is damaged, or of another file, is ignored, and shown text
//! comes only from the source blobs.

use std::path::PathBuf;

use crate::base::config;
use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Task};
use crate::base::text::counted;
use crate::git::Mirror;
use crate::index::{self, IndexOptions, Indexer};

#[cfg(doc)]
use super::Error;
use super::{RemoteError, Result};

/// A request for a remote repository.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Remote {
    /// Its address, as `git clone` takes it.
    pub url: String,
    /// The directory in which copies are kept.
    pub cache: PathBuf,
    /// Whether its cached copy is deleted first.
    pub fresh: bool,
}

/// A copy of a remote repository that can be searched.
pub struct Copy {
    /// The copy with the options of the remote's index.
    pub indexer: Indexer,
    /// The directory of copies that it is kept in.
    pub mirror: Mirror,
    /// The commit that is searched.
    pub commit: ObjectId,
    /// Warnings for the user.
    pub notes: Vec<String>,
}

impl Remote {
    /// Names a remote repository; copies are kept in the directory `cache`.
    pub fn new(url: impl Into<String>, cache: impl Into<PathBuf>) -> Self {
        Self { url: url.into(), cache: cache.into(), fresh: false }
    }

    /// Sets whether an existing copy is dropped first.
    #[must_use]
    pub fn with_fresh(mut self, fresh: bool) -> Self {
        self.fresh = fresh;
        self
    }

    /// Fetches what a search of `revision` (`HEAD` if none) needs.
    ///
    /// # Errors
    /// [`Error::Git`] if the remote can't be reached, has no such revision or sends too much,
    /// [`Error::Remote`] if it has no index of it, [`Error::Index`] for one that is damaged.
    #[doc(hidden)]
    pub fn open(&self, revision: Option<&str>, task: Task<'_>) -> Result<Copy> {
        task.progress.begin("fetching", "objects", None);
        let opened = self.fetch(revision, task.cancel);
        task.progress.end();
        opened
    }

    fn fetch(&self, revision: Option<&str>, cancel: &Cancel) -> Result<Copy> {
        let mut mirror = Mirror::open(&self.cache, &self.url, self.fresh, cancel)?;
        mirror.limit(mirror.repository().setting(&config::REMOTE_BYTES)?)?;
        let asked = revision.unwrap_or("HEAD");
        let mut commit = mirror.commit(asked, cancel)?;
        let mut notes = Vec::new();
        let mut found = foreign_options(&mirror, commit, cancel)?;
        if found.is_none() {
            let (nearest, n_there) = mirror.nearest(commit, index::REF_PREFIX, cancel)?;
            let url = mirror.url().to_owned();
            if n_there == 0 {
                return Err(RemoteError::Unindexed { url }.into());
            }
            let none = RemoteError::NoIndex { url, revision: asked.to_owned(), commit, nearest };
            // A revision that the user named is not replaced.
            let (None, Some((ancestor, n))) = (revision, nearest) else { return Err(none.into()) };
            mirror.commit(&ancestor.to_string(), cancel)?;
            found = foreign_options(&mirror, ancestor, cancel)?;
            if found.is_none() {
                return Err(none.into());
            }
            notes.push(format!(
                "HEAD of the remote, {}, has no index; searched its ancestor {}, {} earlier",
                commit.abbreviated(12),
                ancestor.abbreviated(12),
                counted(n, "commit", "commits")
            ));
            commit = ancestor;
        }
        mirror.share(cancel)?;
        let repo = mirror.repository().clone();
        let indexer = Indexer::with_options(repo, found.unwrap_or_default());
        Ok(Copy { indexer, mirror, commit, notes })
    }
}

/// The options of the remote's index of a commit; `None` if it has none that can be read.
fn foreign_options(mirror: &Mirror, commit: ObjectId, cancel: &Cancel) -> Result<Option<IndexOptions>> {
    if !mirror.fetch_ref(&index::ref_name(commit), cancel)? {
        return Ok(None);
    }
    match index::open_foreign(mirror.repository(), commit) {
        Ok((_, options)) => Ok(Some(options)),
        Err(index::Error::NotIndexed { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
