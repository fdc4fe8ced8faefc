//! The façade: one repository with its settings, and what a program does with it.
//!
//! Owns [`Session`], which connects the stages: it opens, reads the configuration and delegates. It
//! holds no algorithm. It never prints, and never uses the terminal or the home directory.

mod error;
mod read;

use std::path::Path;
use std::sync::Arc;

use crate::answer;
use crate::answer::view::{RepositoryInfo, SearchedRepository};
use crate::base::config;
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::{Mirror, Repository};
use crate::index::{BuildReport, Indexer};
use crate::provider::Providers;
use crate::search::{self, Remote, Searcher, Target};

pub use error::{Error, Result};

/// A repository with its settings: the entry point of the library.
///
/// A session is cheap to keep, may be shared between threads, and reads the settings once. Calls
/// that read an index take a [`Searcher`], which is opened once and used many times.
pub struct Session {
    indexer: Indexer,
    providers: Providers,
    /// The copy of the remote repository that this session is about.
    mirror: Option<Mirror>,
}

/// Opening a repository and its index.
impl Session {
    /// Opens the repository around the directory `dir`, which Git's environment may name, and reads
    /// its settings.
    ///
    /// # Errors
    /// Of kind `NotARepository` if there is none, and of kind `Config` for an invalid setting.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// use git_cora::{ErrorKind, Session};
    ///
    /// let session = Session::open(dir.path())?;
    /// assert!(session.info().path.ends_with("sample"));
    /// let error = Session::open(dir.path().parent().unwrap()).err().unwrap();
    /// assert_eq!(git_cora::ClassifiedError::kind(&error), ErrorKind::NotARepository);
    /// # Ok(()) }
    /// ```
    pub fn open(dir: &Path) -> Result<Self> {
        Self::from_repository(Repository::discover(dir)?)
    }

    /// As [`Session::open`], for a repository that somebody named by a path. Variables such as
    /// `GIT_DIR`, which Git exports to its hooks and aliases, are about another one and don't
    /// count.
    ///
    /// # Errors
    /// As [`Session::open`].
    pub fn open_named(dir: &Path) -> Result<Self> {
        Self::from_repository(Repository::open_named(dir)?)
    }

    fn from_repository(repo: Repository) -> Result<Self> {
        let indexer = Indexer::new(repo)?;
        search::cache::check_settings(indexer.repo())?;
        Ok(Self::from_indexer(indexer, None))
    }

    /// Opens a session without a repository, over the empty directory `dir`, for the user's
    /// settings alone.
    ///
    /// # Errors
    /// Of kind `Git` or `Config`.
    #[doc(hidden)]
    pub fn detached(dir: &Path) -> Result<Self> {
        Ok(Self::from_indexer(Indexer::new(Repository::empty(dir)?)?, None))
    }

    /// Fetches what a search of `revision` at a remote repository needs; `HEAD` if it is `None`.
    ///
    /// Returns a session over the copy, the commit that is searched, and notes for the user. The
    /// commit is an ancestor of `HEAD` if only that one has an index there. Nothing is indexed
    /// here.
    ///
    /// # Errors
    /// Of kind `Git` if the remote can't be reached or has no such revision, `NotIndexed` if it has
    /// no index of it, and `Corrupt` if that index is damaged.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// use git_cora::{Query, Remote, Session, Target, Task};
    ///
    /// # session.index(session.commit("HEAD")?, false, Task::silent())?;
    /// # let cache = tempfile::tempdir()?;
    /// # let url = format!("file://{}", dir.path().display());
    /// let remote = Remote::new(url, cache.path());
    /// let (session, commit, _) = Session::open_remote(&remote, None, Task::silent())?;
    /// let searcher = session.searcher(&Target::Commit(commit), Task::silent())?;
    /// let results = session.answer(&searcher, &Query::new("retry a failed upload"), "HEAD")?;
    /// assert_eq!(results.results[0].path, "src/upload.rs");
    /// session.tidy_remotes()?;
    /// # Ok(()) }
    /// ```
    pub fn open_remote(
        remote: &Remote,
        revision: Option<&str>,
        task: Task<'_>,
    ) -> Result<(Self, ObjectId, Vec<String>)> {
        let copy = remote.open(revision, task)?;
        Ok((Self::from_indexer(copy.indexer, Some(copy.mirror)), copy.commit, copy.notes))
    }

    /// Removes the oldest copies of remote repositories until the rest fits
    /// `cora.remoteCacheBytes`.
    ///
    /// Does nothing in a session that [`Session::open_remote`] did not open. A copy that can't be
    /// removed is left for the next time.
    ///
    /// # Errors
    /// Of kind `Config` for an invalid setting.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// session.tidy_remotes()?;
    /// # Ok(()) }
    /// ```
    pub fn tidy_remotes(&self) -> Result<()> {
        if let Some(mirror) = &self.mirror {
            mirror.tidy(self.repo().setting(&config::REMOTE_CACHE_BYTES)?);
        }
        Ok(())
    }

    fn from_indexer(indexer: Indexer, mirror: Option<Mirror>) -> Self {
        let providers = Providers::new(Arc::clone(indexer.repo()));
        Self { indexer, providers, mirror }
    }

    /// Returns the repository.
    #[doc(hidden)]
    pub fn repo(&self) -> &Repository {
        self.indexer.repo()
    }

    /// Returns the repository with the options of its indexes, as the stages take it.
    #[doc(hidden)]
    pub fn indexer(&self) -> &Indexer {
        &self.indexer
    }

    /// Returns the outside models that the settings name.
    #[doc(hidden)]
    pub fn providers(&self) -> &Providers {
        &self.providers
    }

    /// Returns where the repository comes from and where it is stored.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// let info = session.info();
    /// assert!(info.path.ends_with("sample"));
    /// assert_eq!(info.origin, "");
    /// # Ok(()) }
    /// ```
    pub fn info(&self) -> RepositoryInfo {
        answer::repository_info(self.repo())
    }

    /// Resolves a revision to its commit, as `git rev-parse REVISION^{commit}` does.
    ///
    /// # Errors
    /// Of kind `NotFound` if there is no such commit.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// let head = session.commit("HEAD")?;
    /// assert_eq!(head.to_string().len(), 40);
    /// assert!(session.commit("no-such-branch").is_err());
    /// # Ok(()) }
    /// ```
    pub fn commit(&self, revision: &str) -> Result<ObjectId> {
        Ok(self.repo().resolve(revision)?)
    }

    /// Makes sure that `commit` is indexed; with `force`, rebuilds an index that exists.
    ///
    /// The index is a ref under `refs/cora/` of this repository. The same commit gives the same
    /// objects everywhere. It costs time in proportion to the files that differ from the nearest
    /// indexed ancestor.
    ///
    /// # Errors
    /// Of kind `Git` if the repository can't be read or written, `Unsupported` for an index of
    /// a newer version, and `Cancelled`.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// let head = session.commit("HEAD")?;
    /// let built = session.index(head, false, git_cora::Task::silent())?;
    /// assert_eq!(built.snapshot.commit, head);
    /// assert!(session.index(head, false, git_cora::Task::silent())?.was_there);
    /// # Ok(()) }
    /// ```
    pub fn index(&self, commit: ObjectId, force: bool, task: Task<'_>) -> Result<BuildReport> {
        Ok(self.indexer.index(commit, force, task)?)
    }

    /// Opens what is to be searched, and indexes it first if necessary.
    ///
    /// [`Target::Worktree`] is `HEAD` with the uncommitted changes as they are at the time of the
    /// call.
    ///
    /// # Errors
    /// As [`Session::index`]; of kind `NotFound` before the first commit of a bare repository.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// use git_cora::{Target, Task};
    ///
    /// let searcher = session.searcher(&Target::Worktree, Task::silent())?;
    /// assert_eq!(searcher.commit(), Some(session.commit("HEAD")?));
    /// assert!(searcher.text("src/upload.rs".into()).is_some());
    /// # Ok(()) }
    /// ```
    pub fn searcher(&self, target: &Target, task: Task<'_>) -> Result<Searcher> {
        Ok(Searcher::open(&self.indexer, target, task)?)
    }

    /// Describes the searched state, for answers about several repositories.
    ///
    /// `revision` is the revision as the user wrote it.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// let searched = session.searched(&searcher, "HEAD");
    /// assert!(searched.worktree);
    /// assert_eq!(searched.n_dirty, 0);
    /// # Ok(()) }
    /// ```
    pub fn searched(&self, searcher: &Searcher, revision: &str) -> SearchedRepository {
        SearchedRepository {
            repository: self.info(),
            revision: revision.to_owned(),
            commit: searcher.commit(),
            worktree: searcher.is_worktree(),
            n_dirty: searcher.n_dirty(),
        }
    }
}
