//! The façade: one repository, opened with its settings, and what a program does with it.
//!
//! Owns [`Session`], which ties the stages together for the surfaces: open, index, search, read. It holds the
//! order of things (index on the way, then segment, then overlay) and the cache of segments, and no logic of a
//! stage. It never prints and never asks for the terminal or the home directory.

use std::path::Path;
use std::sync::Arc;

use crate::base::config::{self, ConfigError, Key};
use crate::base::error::{Classified, ErrorKind};
use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Progress, Silent};
use crate::git;
use crate::git::{Head, Repository};
use crate::index::chunk::ChunkOptions;
use crate::index::{self, Built, FillReport, IndexOptions, Snapshot};
use crate::index::{record, source};
use crate::provider::chat;
use crate::provider::embedding;
use crate::provider::sidecar::{commentary, vectors};
use crate::search::{query, segment};

pub use crate::answer::changes::{Changes, DeclarationChange, DeclarationPlace};
pub use crate::answer::explain::Explained;
pub use crate::answer::finder::Finder;
pub use crate::answer::include::{Include, include};
pub use crate::answer::label::Asked;
pub use crate::answer::map::MapQuery;
pub use crate::answer::merge::{MAX_FOLLOWED, follow, merge};
pub use crate::answer::neighbours::{Neighbour, related};
pub use crate::answer::relations::{
    Listed, MAX_DEPTH, Place, Related, Relation, RelationQuery, Relations, SymbolRelations, relations,
};
#[cfg(feature = "postgres")]
pub use crate::database::stored::{ExportOptions, answer_stored};
use crate::search::cache::segments::Cache;
use crate::search::readonly::Found;
pub use crate::search::remote::{Remote, RemoteError};
pub use crate::search::searcher::{Readied, Searchable};

/// Why something that was asked of a session failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The repository failed.
    #[error(transparent)]
    Repo(#[from] git::Error),
    /// Indexing failed.
    #[error(transparent)]
    Index(#[from] index::Error),
    /// A record is damaged.
    #[error(transparent)]
    Record(#[from] record::Error),
    /// A segment can't be built or read.
    #[error(transparent)]
    Segment(#[from] segment::Error),
    /// The query makes no sense.
    #[error(transparent)]
    Query(#[from] query::Error),
    /// A setting makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A remote model can't be asked, or its settings make no sense.
    #[error(transparent)]
    Embed(#[from] embedding::Error),
    /// A language model can't be asked, or its settings make no sense.
    #[error(transparent)]
    Model(#[from] chat::Error),
    /// Vectors of a remote model can't be made or read.
    #[error(transparent)]
    Vectors(#[from] vectors::Error),
    /// Commentary can't be made or read.
    #[error(transparent)]
    Commentary(#[from] commentary::Error),
    /// A remote repository can't be searched.
    #[error(transparent)]
    Remote(Box<RemoteError>),
    /// A database can't be used.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Store(crate::database::Error),
    /// There is nothing to search: no commit yet, and no working tree.
    #[error("the repository has no commit and no working tree")]
    Nothing,
    /// The user interrupted the work.
    #[error("interrupted")]
    Cancelled,
    /// A defect of ours.
    #[error("internal error: {0} does not hold")]
    Internal(&'static str),
}

impl Classified for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Repo(error) => error.kind(),
            Self::Index(error) => error.kind(),
            Self::Record(error) => error.kind(),
            Self::Segment(error) => error.kind(),
            Self::Query(error) => error.kind(),
            Self::Config(_) => ErrorKind::Config,
            Self::Embed(error) => error.kind(),
            Self::Model(error) => error.kind(),
            Self::Vectors(error) => error.kind(),
            Self::Commentary(error) => error.kind(),
            Self::Remote(error) => error.kind(),
            #[cfg(feature = "postgres")]
            Self::Store(error) => error.kind(),
            Self::Nothing => ErrorKind::NotFound,
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Internal(_) => ErrorKind::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Repo(error) => error.hint(),
            Self::Index(error) => error.hint(),
            Self::Record(error) => error.hint(),
            Self::Segment(error) => error.hint(),
            Self::Query(error) => error.hint(),
            Self::Config(error) => error.hint(),
            Self::Embed(error) => error.hint(),
            Self::Model(error) => error.hint(),
            Self::Vectors(error) => error.hint(),
            Self::Commentary(error) => error.hint(),
            Self::Remote(error) => error.hint(),
            #[cfg(feature = "postgres")]
            Self::Store(error) => error.hint(),
            Self::Nothing | Self::Cancelled | Self::Internal(_) => None,
        }
    }
}

/// What every call of a session returns.
pub type Result<T> = std::result::Result<T, Error>;

/// What is searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The working tree: HEAD and what is not committed.
    Worktree,
    /// A commit.
    Commit(ObjectId),
}

/// A repository with its settings.
pub struct Session {
    pub(crate) repo: Arc<Repository>,
    pub(crate) options: IndexOptions,
    pub(crate) asker: crate::provider::embedding::asker::Asker,
    /// The copy of a remote repository that this is about.
    pub(crate) mirror: Option<git::Mirror>,
}

impl Session {
    /// Opens the repository around `dir` and reads its settings.
    ///
    /// # Errors
    /// Of kind `NotARepository` where there is none, `Config` for a setting that makes no sense.
    ///
    /// ```no_run
    /// use git_cora::{Query, Session, Target, progress::{Cancel, Silent}};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let session = Session::open(std::path::Path::new("."))?;
    /// let searchable = session.searchable(&Target::Worktree, &Silent, &Cancel::default())?;
    /// let answer = session.answer(&searchable, &Query::new("retry failed uploads"), "HEAD")?;
    /// for result in answer.results {
    ///     println!("{}:{}", result.path, result.span.start_line);
    /// }
    /// # Ok(()) }
    /// ```
    pub fn open(dir: &Path) -> Result<Self> {
        let repo = Repository::discover(dir)?;
        let options = read_options(&repo)?;
        let repo = Arc::new(repo);
        let session =
            Self { repo, options, asker: crate::provider::embedding::asker::Asker::default(), mirror: None };
        session.ann()?;
        Ok(session)
    }

    /// The repository.
    pub fn repo(&self) -> &Repository {
        &self.repo
    }

    /// The options that indexes are made with here.
    pub fn options(&self) -> &IndexOptions {
        &self.options
    }

    /// A number among the settings, or its default.
    ///
    /// # Errors
    /// [`Error::Config`] for a value that is no such number.
    pub fn count(&self, key: &Key) -> Result<u64> {
        setting(&self.repo, key)
    }

    /// Makes sure that `commit` is indexed.
    ///
    /// # Errors
    /// As [`index::index_commit`].
    pub fn index(
        &self,
        commit: ObjectId,
        force: bool,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Built> {
        Ok(index::index_commit(&self.repo, commit, &self.options, None, force, progress, cancel)?)
    }

    /// Indexes the gap between an indexed commit and its nearest indexed ancestor, at most `max` commits.
    ///
    /// # Errors
    /// As [`index::fill`].
    pub fn fill(
        &self,
        tip: &Built,
        max: usize,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<FillReport> {
        Ok(index::fill(&self.repo, tip, &self.options, max, progress, cancel)?)
    }

    /// The index of `commit`, made on the way if there is none.
    ///
    /// # Errors
    /// As [`index::index_commit`].
    pub fn snapshot(&self, commit: ObjectId, progress: &dyn Progress, cancel: &Cancel) -> Result<Snapshot> {
        // A copy of a remote repository has no sources to make an index from.
        if self.repo.is_mirror() {
            return Ok(index::open_foreign(&self.repo, commit)?.0);
        }
        match index::open(&self.repo, commit, &self.options.manifest())? {
            index::Opened::Current(snapshot) => Ok(snapshot),
            _ => Ok(self.index(commit, false, progress, cancel)?.snapshot),
        }
    }

    /// Makes sure that a commit's segment is cached, and what commits said where that was asked for before; for the time after
    /// an answer, and after indexing. What commits said is not worth an error.
    ///
    /// # Errors
    /// [`Error::Segment`], [`Error::Repo`], [`Error::Cancelled`].
    pub fn warm(&self, snapshot: &Snapshot, progress: &dyn Progress, cancel: &Cancel) -> Result<()> {
        let cache = Cache::new(&self.repo);
        let look = || cache.has(snapshot).then_some(());
        let build = || cache.build(snapshot, &self.options, &mut Vec::new(), progress, cancel).map(drop);
        cache.find_or_build(look, build, progress, cancel)?;
        cache.evict(self.count(&config::CACHE_BYTES)?, snapshot);
        self.keep_history(snapshot.commit, progress, cancel);
        if cancel.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// Parses the files of the work tree that differ from HEAD and keeps what came of it for the next query; what is kept
    /// of files that no longer differ is removed.
    ///
    /// # Errors
    /// [`Error::Repo`], [`Error::Index`], [`Error::Cancelled`].
    pub fn ready_worktree(&self, cancel: &Cancel) -> Result<Readied> {
        crate::search::searcher::ready_worktree(&self.repo, &self.options, cancel)
    }

    /// Whether a search of this snapshot would need a large overlay, or a new segment.
    ///
    /// # Errors
    /// [`Error::Repo`].
    pub fn is_drifted(&self, snapshot: &Snapshot) -> Result<bool> {
        let cache = Cache::new(&self.repo);
        Ok(!cache.has(snapshot)
            && crate::search::searcher::drift(&self.repo, &cache, snapshot)
                .is_none_or(crate::search::searcher::wants_warming))
    }

    /// Whether any segment is cached.
    pub fn has_segment(&self) -> bool {
        Cache::new(&self.repo).candidates().next().is_some()
    }

    /// Opens what is to be searched; indexes it first if need be.
    ///
    /// # Errors
    /// [`Error::Nothing`] before the first commit of a bare repository; otherwise as the stages.
    pub fn searchable(
        &self,
        target: &Target,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Searchable> {
        match target {
            Target::Commit(commit) => {
                let found = self.found(*commit, progress, cancel)?;
                Searchable::open(&self.repo, Some(found), None, &self.options, progress, cancel)
            }
            Target::Worktree => {
                // Git looks through the work tree while the index is opened.
                let job = match self.repo.work_dir() {
                    Some(_) => Some(self.repo.status_start()?),
                    None => None,
                };
                let found = match self.repo.head()? {
                    Head::Commit { id, .. } => Some(self.found(id, progress, cancel)?),
                    Head::Unborn { .. } if job.is_none() => return Err(Error::Nothing),
                    Head::Unborn { .. } => None,
                };
                let status = job.map(|job| job.finish()).transpose()?;
                Searchable::open(&self.repo, found, status, &self.options, progress, cancel)
            }
        }
    }

    /// As [`Session::searchable`], but gives `before` again where it still is what that would open: for those who
    /// ask more than once. What that costs is a look at the work tree, or nothing for a commit.
    ///
    /// # Errors
    /// As [`Session::searchable`].
    pub fn searchable_again(
        &self,
        target: &Target,
        before: Option<Arc<Searchable>>,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Arc<Searchable>> {
        if let Some(before) = before {
            let is_current = match target {
                Target::Commit(commit) => !before.is_worktree() && before.commit() == Some(*commit),
                Target::Worktree if self.repo.work_dir().is_some() => {
                    let job = self.repo.status_start()?;
                    let head = match self.repo.head()? {
                        Head::Commit { id, .. } => Some(id),
                        Head::Unborn { .. } => None,
                    };
                    before.is_of(head, &job.finish()?)
                }
                Target::Worktree => false,
            };
            if is_current {
                return Ok(before);
            }
        }
        Ok(Arc::new(self.searchable(target, progress, cancel)?))
    }

    /// What can be searched at once in place of `commit`: the nearest commit that is indexed and whose segment, or
    /// one close to it, is cached. `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Repo`], [`Error::Index`], [`Error::Segment`].
    pub fn at_hand(&self, commit: ObjectId) -> Result<Option<Searchable>> {
        let manifest = self.options.manifest();
        let snapshot = match index::open(&self.repo, commit, &manifest)? {
            index::Opened::Current(snapshot) => Some(snapshot),
            _ => index::nearest(&self.repo, commit, &manifest)?,
        };
        let Some(snapshot) = snapshot else { return Ok(None) };
        let cache = Cache::new(&self.repo);
        if !cache.has(&snapshot) && crate::search::searcher::drift(&self.repo, &cache, &snapshot).is_none() {
            return Ok(None);
        }
        let none = Cancel::default();
        Ok(Some(Searchable::open(
            &self.repo,
            Some(Found::stored(snapshot)),
            None,
            &self.options,
            &Silent,
            &none,
        )?))
    }
}

/// The number under `key` in the repository's configuration, or the key's default.
pub(crate) fn setting(repo: &Repository, key: &Key) -> Result<u64> {
    let value = repo.config_string(key.name);
    Ok(key.number(value.as_deref())?)
}

/// The options that change records, as configured.
pub(crate) fn read_options(repo: &Repository) -> Result<IndexOptions> {
    let small = |key: &Key| -> Result<u32> { Ok(u32::try_from(setting(repo, key)?).unwrap_or(u32::MAX)) };
    let limits = source::Limits { max_file_bytes: setting(repo, &config::MAX_FILE_BYTES)? };
    let chunk = ChunkOptions {
        target_bytes: small(&config::CHUNK_BYTES)?,
        window_tokens: small(&config::WINDOW_TOKENS)?,
        window_overlap: small(&config::WINDOW_OVERLAP)?,
    };
    if chunk.window_overlap >= chunk.window_tokens {
        return Err(Error::Config(ConfigError::OutOfRange {
            key: config::WINDOW_OVERLAP.name.to_owned(),
            value: chunk.window_overlap.to_string(),
            min: 0,
            max: u64::from(chunk.window_tokens.saturating_sub(1)),
        }));
    }
    Ok(IndexOptions { chunk, limits })
}
