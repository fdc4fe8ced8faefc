//! A repository elsewhere, searched without a clone of it.
//!
//! Of the remote come: the commit that is asked for and its trees, its index, and the sources that are shown, all of
//! them in one transfer. Nothing is indexed here, since that would take every source; where the remote has no index of
//! the commit, its `HEAD` is answered for by the nearest ancestor that has one, and said so, and everything else is an
//! error that says what would help.
//!
//! The index is a stranger's: a record that is damaged, or of another source than the tree has, finds nothing, and what
//! is shown is read from the source blobs alone.

use std::path::PathBuf;

use crate::base::config;
use crate::base::error::{ClassifiedError, ErrorKind};
use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Task};
use crate::base::text::counted;
use crate::git::Mirror;
use crate::index::{self, IndexOptions, Indexer};

#[cfg(doc)]
use super::Error;
use super::Result;

/// A repository elsewhere, as it is asked for.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Remote {
    /// Its address, as `git clone` takes it.
    pub url: String,
    /// The directory in which copies are kept.
    pub cache: PathBuf,
    /// Whether what is kept of it is dropped first.
    pub fresh: bool,
}

/// Why a remote repository can't be searched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// It has no index of any commit.
    #[error("'{url}' has no index of any commit")]
    Unindexed {
        /// The address.
        url: String,
    },
    /// It has no index of this one.
    #[error("'{url}' has no index of '{revision}' ({commit}) that this version can read")]
    NoIndex {
        /// The address.
        url: String,
        /// The revision as it was written.
        revision: String,
        /// The commit that it names.
        commit: ObjectId,
        /// An ancestor that has one, and how many commits lie between.
        nearest: Option<(ObjectId, usize)>,
    },
}

impl ClassifiedError for RemoteError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::NotIndexed
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoIndex { nearest: Some((commit, n)), .. } => {
                let commits = counted(*n, "commit", "commits");
                format!("an ancestor has one, {commits} before it: '--rev {commit}'")
            }
            Self::NoIndex { commit, .. } => format!(
                "whoever may push there can make it, in a clone: 'git cora index {commit}', then 'git cora push'"
            ),
            Self::Unindexed { .. } => {
                "whoever may push there can make one, in a clone: 'git cora index', then 'git cora push'"
                    .to_owned()
            }
        })
    }
}

/// A copy of a remote repository that can be searched.
pub struct Copy {
    /// The copy with the options of the remote's index.
    pub indexer: Indexer,
    /// The directory of copies that it is kept in.
    pub mirror: Mirror,
    /// The commit that is searched.
    pub commit: ObjectId,
    /// What to tell the user about it.
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
    /// [`Error::Git`] if the remote can't be reached, has no such revision or sends too much, [`Error::Remote`] if
    /// it has no index of it, [`Error::Index`] for one that is damaged.
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
            // What was asked for by name is not replaced by something else.
            let (None, Some((ancestor, n))) = (revision, nearest) else { return Err(none.into()) };
            mirror.commit(&ancestor.to_string(), cancel)?;
            found = foreign_options(&mirror, ancestor, cancel)?;
            if found.is_none() {
                return Err(none.into());
            }
            notes.push(format!(
                "HEAD is {} there and has no index; this is the state of {}, {} before it",
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
