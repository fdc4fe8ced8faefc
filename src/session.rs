//! The façade: one repository, opened with its settings, and what a program does with it.
//!
//! Owns [`Session`], which connects the stages: it opens, reads the configuration and delegates. It holds no
//! algorithm. It never prints and never asks for the terminal or the home directory.

use std::path::Path;
use std::sync::Arc;

use crate::answer::view::{Outline, Page, RepositoryInfo, Results};
use crate::answer::{self, Changes, ExplainQuery, Finder, MapQuery, RelationQuery, Relations};
use crate::base::config;
use crate::base::error::{ClassifiedError, ErrorKind};
use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, NoProgress, Task};
use crate::git::{Mirror, Repository};
use crate::index::{BuildReport, Indexer};
use crate::provider::{self, Providers};
use crate::search::query::{Filters, Query};
use crate::search::{self, Remote, Searcher, Target};

/// Why something that was asked of a session failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The repository can't be read, indexed or searched.
    #[error(transparent)]
    Search(search::Error),
    /// An outside model can't be used.
    #[error(transparent)]
    Provider(provider::Error),
    /// A database can't be used.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Database(crate::database::Error),
}

/// What every call of a session returns.
pub type Result<T> = std::result::Result<T, Error>;

impl<E: Into<search::Error>> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Search(error.into())
    }
}

impl From<provider::Error> for Error {
    fn from(error: provider::Error) -> Self {
        match error {
            provider::Error::Search(error) => Self::Search(error),
            other => Self::Provider(other),
        }
    }
}

#[cfg(feature = "postgres")]
impl From<crate::database::Error> for Error {
    fn from(error: crate::database::Error) -> Self {
        match error {
            crate::database::Error::Search(error) => Self::Search(error),
            other => Self::Database(other),
        }
    }
}

impl Error {
    /// The work was interrupted.
    pub fn cancelled() -> Self {
        Self::Search(search::Error::Cancelled)
    }

    fn classified(&self) -> &dyn ClassifiedError {
        match self {
            Self::Search(error) => error,
            Self::Provider(error) => error,
            #[cfg(feature = "postgres")]
            Self::Database(error) => error,
        }
    }
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        self.classified().kind()
    }

    fn hint(&self) -> Option<String> {
        self.classified().hint()
    }
}

/// A repository with its settings.
pub struct Session {
    indexer: Indexer,
    providers: Providers,
    /// The copy of a remote repository that this session is about.
    mirror: Option<Mirror>,
}

impl Session {
    /// Opens the repository around `dir` and reads its settings.
    ///
    /// # Errors
    /// Of kind `NotARepository` where there is none, `Config` for a setting that makes no sense.
    ///
    /// ```no_run
    /// use git_cora::{Query, Session, Target};
    /// use git_cora::base::progress::{Cancel, NoProgress, Task};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let session = Session::open(std::path::Path::new("."))?;
    /// let searcher = session.searcher(&Target::Worktree, Task::new(&NoProgress, &Cancel::default()))?;
    /// let answer = session.answer(&searcher, &Query::new("retry failed uploads"), "HEAD")?;
    /// for result in answer.results {
    ///     println!("{}:{}", result.path, result.span.start_line);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn open(dir: &Path) -> Result<Self> {
        let indexer = Indexer::new(Repository::discover(dir)?)?;
        search::cache::ann(indexer.repo())?;
        Ok(Self::of(indexer, None))
    }

    /// Opens a session without a repository, over the empty directory `dir`, for the user's settings alone.
    ///
    /// # Errors
    /// Of kind `Git` or `Config`.
    pub fn detached(dir: &Path) -> Result<Self> {
        Ok(Self::of(Indexer::new(Repository::empty(dir)?)?, None))
    }

    /// Fetches what a search of `revision` (`HEAD` if none) at a remote needs. Returns a session over the copy, the
    /// commit that is searched, and notes for the user.
    ///
    /// # Errors
    /// As [`Remote::open`].
    pub fn open_remote(
        remote: &Remote,
        revision: Option<&str>,
        task: Task<'_>,
    ) -> Result<(Self, ObjectId, Vec<String>)> {
        let copy = remote.open(revision, task)?;
        Ok((Self::of(copy.indexer, Some(copy.mirror)), copy.commit, copy.notes))
    }

    fn of(indexer: Indexer, mirror: Option<Mirror>) -> Self {
        let providers = Providers::new(Arc::clone(indexer.repo()));
        Self { indexer, providers, mirror }
    }

    /// The repository.
    pub fn repo(&self) -> &Repository {
        self.indexer.repo()
    }

    /// The repository with the options of its indexes, as the stages take it.
    pub fn indexer(&self) -> &Indexer {
        &self.indexer
    }

    /// The outside models that the settings name.
    pub fn providers(&self) -> &Providers {
        &self.providers
    }

    /// Where the repository comes from and is stored.
    pub fn info(&self) -> RepositoryInfo {
        answer::repository_info(self.repo())
    }

    /// Makes sure that `commit` is indexed.
    ///
    /// # Errors
    /// As [`Indexer::index`].
    pub fn index(&self, commit: ObjectId, force: bool, task: Task<'_>) -> Result<BuildReport> {
        Ok(self.indexer.index(commit, force, task)?)
    }

    /// Opens what is to be searched; indexes it first if need be.
    ///
    /// # Errors
    /// As [`Searcher::open`].
    pub fn searcher(&self, target: &Target, task: Task<'_>) -> Result<Searcher> {
        Ok(Searcher::open(&self.indexer, target, task)?)
    }

    /// Answers a query from what `searcher` holds. `revision` is what the user asked for, for the record.
    ///
    /// # Errors
    /// As [`answer::answer`].
    pub fn answer(&self, searcher: &Searcher, query: &Query, revision: &str) -> Result<Results> {
        self.answer_watched(searcher, query, revision, Task::new(&NoProgress, &Cancel::default()))
    }

    /// As [`Session::answer`]; a remote model that is asked reports to `progress`, and stops with `cancel`.
    ///
    /// # Errors
    /// As [`answer::answer`].
    pub fn answer_watched(
        &self,
        searcher: &Searcher,
        query: &Query,
        revision: &str,
        task: Task<'_>,
    ) -> Result<Results> {
        Ok(answer::answer(searcher, &self.providers, query, revision, task)?)
    }

    /// As [`Session::answer_watched`]; a cached segment that turns out damaged is rebuilt once.
    ///
    /// # Errors
    /// As [`answer::answer`] and [`Searcher::open`].
    pub fn answer_or_repair(
        &self,
        searcher: &mut Searcher,
        target: &Target,
        query: &Query,
        revision: &str,
        task: Task<'_>,
    ) -> Result<Results> {
        let ask = |one: &Searcher| answer::answer(one, &self.providers, query, revision, task);
        Ok(searcher.with_repair(&self.indexer, target, task, ask)?)
    }

    /// Lists the declarations that differ between two commits.
    ///
    /// # Errors
    /// As [`answer::changes`].
    pub fn changes(
        &self,
        old: ObjectId,
        new: ObjectId,
        pathspecs: &[String],
        task: Task<'_>,
    ) -> Result<Changes> {
        Ok(answer::changes(&self.indexer, old, new, pathspecs, task)?)
    }

    /// As [`Session::answer_watched`], but only with what differs between two commits.
    ///
    /// # Errors
    /// As [`answer::answer_changed`].
    pub fn answer_changed(
        &self,
        commits: [ObjectId; 2],
        query: &Query,
        revision: &str,
        task: Task<'_>,
    ) -> Result<Results> {
        let (indexer, providers) = (&self.indexer, &self.providers);
        Ok(answer::answer_changed(indexer, providers, commits, query, revision, task)?)
    }

    /// Finds what refers to a symbol, and what it refers to.
    ///
    /// # Errors
    /// As [`answer::relations`].
    pub fn relations(&self, searcher: &Searcher, query: &RelationQuery) -> Result<Relations> {
        Ok(answer::relations(&[searcher], query)?)
    }

    /// Collects what is known of a file or a declaration. `None` if there is nothing of that name.
    ///
    /// # Errors
    /// As [`answer::explain`].
    pub fn explain(&self, searcher: &Searcher, what: &ExplainQuery) -> Result<Option<Page>> {
        Ok(answer::explain(searcher, &self.providers, what)?)
    }

    /// Draws the map of a repository, for a question, or around files.
    ///
    /// # Errors
    /// As [`answer::map`].
    pub fn map(&self, searcher: &Searcher, map: &MapQuery, task: Task<'_>) -> Result<Outline> {
        Ok(answer::map(searcher, &self.providers, map, task)?)
    }

    /// Makes the source of evidence for `ask`, among the files that the filters admit.
    pub fn finder<'s>(
        &'s self,
        searcher: &'s Searcher,
        revision: &str,
        filters: Filters,
        cancel: &Cancel,
    ) -> Finder<'s> {
        Finder::new(searcher, &self.providers, revision, filters, cancel)
    }

    /// Makes room in the directory of copies, after an answer from one; what fails is left for the next time.
    ///
    /// # Errors
    /// Of kind `Config`.
    pub fn tidy_remotes(&self) -> Result<()> {
        if let Some(mirror) = &self.mirror {
            mirror.tidy(self.repo().setting(&config::REMOTE_CACHE_BYTES)?);
        }
        Ok(())
    }
}
