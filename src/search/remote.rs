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
use std::sync::Arc;

use crate::base::config;
use crate::base::error::{Classified, ErrorKind};
use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Progress};
use crate::git::Mirror;
use crate::index;

use crate::provider::embedding::asker;
use crate::session::{Result, Session};

/// A repository elsewhere, as it is asked for.
#[derive(Debug, Clone)]
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

impl From<RemoteError> for crate::session::Error {
    fn from(error: RemoteError) -> Self {
        Self::Remote(Box::new(error))
    }
}

impl Classified for RemoteError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::NotIndexed
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoIndex { nearest: Some((commit, n)), .. } => {
                let commits = crate::answer::view::counted(*n, "commit", "commits");
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

impl Session {
    /// Fetches what a search of `revision` (`HEAD` if none) at a remote needs. Gives a session over the copy, the commit
    /// that is searched, and what is to be said of it.
    ///
    /// # Errors
    /// [`crate::session::Error::Repo`] if the remote can't be reached, has no such revision or sends too much,
    /// [`crate::session::Error::Remote`] if it has no index of it, [`crate::session::Error::Index`] for one that is damaged.
    pub fn open_remote(
        remote: &Remote,
        revision: Option<&str>,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<(Self, ObjectId, Vec<String>)> {
        progress.begin("fetching", "objects", None);
        let opened = Self::open_remote_inner(remote, revision, cancel);
        progress.end();
        opened
    }

    fn open_remote_inner(
        remote: &Remote,
        revision: Option<&str>,
        cancel: &Cancel,
    ) -> Result<(Self, ObjectId, Vec<String>)> {
        let mut mirror = Mirror::open(&remote.cache, &remote.url, remote.fresh, cancel)?;
        mirror.limit(crate::session::setting(mirror.repository(), &config::REMOTE_BYTES)?)?;
        let asked = revision.unwrap_or("HEAD");
        let mut commit = mirror.commit(asked, cancel)?;
        let mut notes = Vec::new();
        let mut found = Self::foreign(&mirror, commit, cancel)?;
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
            found = Self::foreign(&mirror, ancestor, cancel)?;
            if found.is_none() {
                return Err(none.into());
            }
            notes.push(format!(
                "HEAD is {} there and has no index; this is the state of {}, {} before it",
                commit.abbreviated(12),
                ancestor.abbreviated(12),
                crate::answer::view::counted(n, "commit", "commits")
            ));
            commit = ancestor;
        }
        mirror.share(cancel)?;
        let repo = mirror.repository().clone();
        let options = found.unwrap_or_default();
        let session =
            Self { repo: Arc::new(repo), options, asker: asker::Asker::default(), mirror: Some(mirror) };
        Ok((session, commit, notes))
    }

    /// The options of the remote's index of a commit; `None` if it has none that can be read.
    fn foreign(mirror: &Mirror, commit: ObjectId, cancel: &Cancel) -> Result<Option<index::IndexOptions>> {
        if !mirror.fetch_ref(&index::ref_name(commit), cancel)? {
            return Ok(None);
        }
        match index::open_foreign(mirror.repository(), commit) {
            Ok((_, options)) => Ok(Some(options)),
            Err(index::Error::NotIndexed { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes room in the directory of copies, after an answer from one; what fails is left for the next time.
    ///
    /// # Errors
    /// [`crate::session::Error::Config`].
    pub fn tidy_remotes(&self) -> Result<()> {
        if let Some(mirror) = &self.mirror {
            mirror.tidy(self.count(&config::REMOTE_CACHE_BYTES)?);
        }
        Ok(())
    }
}
