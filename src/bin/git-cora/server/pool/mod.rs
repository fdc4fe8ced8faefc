//! The pool of open repositories, for the long-running surfaces (MCP, LSP and HTTP).
//!
//! Owns [`RepositoryPool`], all repositories of one process, and [`OpenRepository`], one open
//! repository. A later request reuses what an earlier one opened. Opening runs as a [`Job`] on its
//! own thread, so that no request waits longer than its patience. When that is over, the job
//! continues in the background. The request is answered from the nearest commit that is ready, or
//! with the progress of the job.
//!
//! **Invariants.** [`SearcherState::Exact`] reflects the repository at the time of the request or
//! later. The number of background jobs is bounded. Every other job has a waiting request, and
//! stops when the last of these gives up.

mod definitions;
mod job;
mod recent;
mod stage;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

#[cfg(any(feature = "http", feature = "lsp"))]
use bstr::BStr;
use git_cora::answer::view::Results;
use git_cora::base::error::{ClassifiedError, ErrorKind, with_causes};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::{Cancel, NoProgress, Task};
use git_cora::base::text::path;
use git_cora::base::threads::lock;
use git_cora::git::Head;
#[cfg(any(feature = "http", feature = "lsp"))]
use git_cora::git::{Blob, FileAttributes};
#[cfg(any(feature = "http", feature = "lsp"))]
use git_cora::index::Recorder;
#[cfg(any(feature = "http", feature = "lsp"))]
use git_cora::index::record::{FileRecord, IndexedFile};
use git_cora::search;
use git_cora::{Query, Searcher, Session, SessionError, Target};

#[cfg(feature = "mcp")]
pub(crate) use definitions::AS_WRITTEN;
pub(crate) use definitions::definitions;
pub(crate) use job::WaitLimits;
use job::{Job, WaitOutcome};
use recent::Recent;
pub(crate) use stage::JobProgress;

/// Number of repositories kept open; each costs some file handles and mapped files.
const REPOSITORIES: usize = 64;

/// Number of searchers kept open per repository: a few revisions and the work tree.
const OPEN: usize = 6;

/// Largest number of background jobs. One alone already indexes with all cores.
const BACKGROUND: usize = 2;

/// Longest time that [`RepositoryPool::close`] waits for running work to reach a safe point.
const CLOSING: Duration = Duration::from_secs(5);

/// All repositories that a process has open.
#[derive(Default)]
pub(crate) struct RepositoryPool {
    kept: Mutex<Recent<Arc<OpenRepository>, REPOSITORIES>>,
    live: Mutex<ThreadCounts>,
    ended: Condvar,
    closing: Cancel,
    /// The directory of the repository around the server, which Git's environment may name.
    around: Option<PathBuf>,
}

/// Counts of the threads that a [`RepositoryPool`] has started.
#[derive(Default)]
struct ThreadCounts {
    n_threads: usize,
    n_background: usize,
}

/// The reason why a request failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The library failed; the error is shared by all requests that waited for the same job.
    #[error(transparent)]
    Session(Arc<SessionError>),
    /// Too many background jobs are running.
    #[error("other revisions are being indexed")]
    Busy,
    /// The request was cancelled.
    #[error("interrupted")]
    Cancelled,
}

impl<E: Into<SessionError>> From<E> for Failure {
    fn from(error: E) -> Self {
        let error = error.into();
        if error.kind() == ErrorKind::Cancelled { Self::Cancelled } else { Self::Session(Arc::new(error)) }
    }
}

impl Failure {
    /// Returns the kind of the failure, from which the HTTP status follows.
    #[cfg(any(feature = "http", feature = "lsp"))]
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            Self::Session(error) => error.kind(),
            Self::Busy => ErrorKind::Limit,
            Self::Cancelled => ErrorKind::Cancelled,
        }
    }

    /// Returns the message with those of its causes.
    #[cfg(any(feature = "mcp", feature = "lsp"))]
    pub(crate) fn message(&self) -> String {
        with_causes(self)
    }

    /// Returns one action that may help the caller.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Session(error) => error.hint(),
            Self::Busy => Some("try again in a few seconds".to_owned()),
            Self::Cancelled => None,
        }
    }
}

/// The searcher that a request gets within its patience.
pub(crate) enum SearcherState {
    /// The requested state.
    Exact(Arc<Searcher>),
    /// The nearest commit that is ready, and the progress of the job that prepares the requested
    /// state.
    Nearest(Arc<Searcher>, String),
    /// Nothing to search yet, and the progress of the job.
    Nothing(String),
}

impl RepositoryPool {
    /// Creates a pool. `around` is the directory of the repository that the server was started in;
    /// all others are named by their paths.
    pub(crate) fn around(around: Option<PathBuf>) -> Self {
        Self { around, ..Self::default() }
    }

    /// Returns the repository around a directory; opens it if it is not open or its settings have
    /// changed.
    pub(crate) fn open(&self, dir: &Path) -> Result<Arc<OpenRepository>, Failure> {
        let is_of = |one: &Arc<OpenRepository>| one.dir == dir;
        let known = lock(&self.kept).get(is_of).map(Arc::clone);
        if let Some(known) = known.filter(|known| known.is_current()) {
            return Ok(known);
        }
        let opened = self
            .session(dir)
            .map(|session| Arc::new(OpenRepository::open(dir, session)))
            .map_err(Failure::from);
        let mut kept = lock(&self.kept);
        match &opened {
            Ok(one) => kept.put(Arc::clone(one), is_of),
            Err(_) => kept.remove(is_of),
        }
        opened
    }

    /// Opens a repository without keeping it.
    pub(crate) fn session(&self, dir: &Path) -> Result<Session, SessionError> {
        if self.around.as_deref() == Some(dir) { Session::open(dir) } else { Session::open_named(dir) }
    }

    /// Stops all work at its next safe point, and waits for that at most [`CLOSING`].
    pub(crate) fn close(&self) {
        self.close_within(CLOSING);
    }

    fn close_within(&self, longest: Duration) {
        self.closing.cancel();
        for kept in lock(&self.kept).iter() {
            kept.stop();
        }
        let end = Instant::now() + longest;
        let mut live = lock(&self.live);
        while live.n_threads > 0 {
            let Some(left) = end.checked_duration_since(Instant::now()) else { break };
            live = self.ended.wait_timeout(live, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Runs work on its own thread, which [`RepositoryPool::close`] waits for; `false` if no thread
    /// could be started.
    fn spawn(self: &Arc<Self>, name: &str, work: impl FnOnce() + Send + 'static) -> bool {
        lock(&self.live).n_threads += 1;
        let ending = ThreadGuard(Arc::clone(self));
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let _ending = ending;
            work();
        });
        thread.is_ok()
    }

    /// Reserves a place for a background job, until [`RepositoryPool::leave_background`]; `false`
    /// if none is free.
    fn enter_background(&self) -> bool {
        let mut live = lock(&self.live);
        let is_free = live.n_background < BACKGROUND;
        live.n_background += usize::from(is_free);
        is_free
    }

    fn leave_background(&self) {
        let mut live = lock(&self.live);
        live.n_background = live.n_background.saturating_sub(1);
    }
}

/// Guard that removes a thread from the count when it ends, even by a panic.
struct ThreadGuard(Arc<RepositoryPool>);

impl Drop for ThreadGuard {
    fn drop(&mut self) {
        let mut live = lock(&self.0.live);
        live.n_threads = live.n_threads.saturating_sub(1);
        self.0.ended.notify_all();
    }
}

/// Length and modification time of the repository's configuration file.
type Settings = Option<(u64, SystemTime)>;

/// An open repository.
pub(crate) struct OpenRepository {
    dir: PathBuf,
    /// The repository with its settings.
    pub(crate) session: Session,
    settings: Settings,
    open: Mutex<Recent<(Target, Arc<Searcher>), OPEN>>,
    jobs: Mutex<Vec<Arc<Job>>>,
    is_warming: AtomicBool,
    is_linking: AtomicBool,
}

impl OpenRepository {
    fn open(dir: &Path, session: Session) -> Self {
        Self {
            dir: dir.to_owned(),
            settings: settings(&session),
            session,
            open: Mutex::default(),
            jobs: Mutex::default(),
            is_warming: AtomicBool::new(false),
            is_linking: AtomicBool::new(false),
        }
    }

    fn is_current(&self) -> bool {
        self.settings.is_some() && self.settings == settings(&self.session)
    }

    fn stop(&self) {
        for job in lock(&self.jobs).iter() {
            job.cancel.cancel();
        }
    }

    /// Resolves a revision to a target and its display name.
    ///
    /// Without a revision, the target is the work tree, or `HEAD` in a bare repository.
    pub(crate) fn target(&self, rev: Option<&str>) -> Result<(Target, String), Failure> {
        Ok(Target::resolve(self.session.repo(), rev, false)?)
    }

    /// Records a file with this content, as an index would; `None` if an index would skip it.
    #[cfg(any(feature = "http", feature = "lsp"))]
    pub(crate) fn record(
        &self,
        path: &BStr,
        content: &Blob,
        attributes: &FileAttributes,
    ) -> Option<IndexedFile> {
        // The id names the source only; what is declared does not depend on it.
        let none = ObjectId::from_bytes(&vec![0; self.session.repo().object_hash_len()])?;
        let recorder = Recorder::new(self.session.indexer().options().clone());
        match recorder.record(path::name(path), none, content, attributes) {
            FileRecord::Indexed(file) => Some(file),
            FileRecord::Skipped(_) => None,
        }
    }

    /// Opens a target; if that takes longer than the patience, the nearest commit that is ready.
    pub(crate) fn reach(
        self: &Arc<Self>,
        pool: &Arc<RepositoryPool>,
        target: &Target,
        wait: &WaitLimits<'_>,
    ) -> Result<SearcherState, Failure> {
        let asked = Instant::now();
        let end = asked + wait.patience;
        let is_commit = matches!(target, Target::Commit(_));
        if is_commit && let Some(found) = self.opened(target) {
            return Ok(SearcherState::Exact(found));
        }
        loop {
            let job = self.join_or_start(pool, target)?;
            match job.wait(end, wait) {
                // A job that began before this request may have seen an older work tree, so another
                // one is started.
                WaitOutcome::Done(Ok(_)) if !is_commit && job.begun < asked => {}
                WaitOutcome::Done(Ok(found)) => return Ok(SearcherState::Exact(found)),
                WaitOutcome::Done(Err(error)) => {
                    return Err(match error.kind() {
                        ErrorKind::Cancelled => Failure::Cancelled,
                        _ => Failure::Session(error),
                    });
                }
                WaitOutcome::GivenUp => {
                    job.leave();
                    return Err(Failure::Cancelled);
                }
                WaitOutcome::TooLong => {
                    if !job.promise(|| pool.enter_background()) {
                        job.leave();
                        return Err(Failure::Busy);
                    }
                    let how_far = job.stage.line();
                    return Ok(match self.next_best(target)? {
                        Some(found) => SearcherState::Nearest(found, how_far),
                        None => SearcherState::Nothing(how_far),
                    });
                }
            }
        }
    }

    /// Answers a query from a searcher, and prepares it for the next query in the background.
    ///
    /// Repairs as [`OpenRepository::read`] does.
    pub(crate) fn answer(
        self: &Arc<Self>,
        pool: &Arc<RepositoryPool>,
        searcher: &mut Arc<Searcher>,
        query: &Query,
        revision: &str,
        cancel: &Cancel,
    ) -> Result<Results, Failure> {
        let task = Task::new(&NoProgress, cancel);
        let answer = |one: &Searcher| self.session.answer_watched(one, query, revision, task);
        self.answer_by(pool, searcher, cancel, answer)
    }

    /// As [`OpenRepository::answer`], but nothing is sent to a model.
    #[cfg(feature = "lsp")]
    pub(crate) fn answer_here(
        self: &Arc<Self>,
        pool: &Arc<RepositoryPool>,
        searcher: &mut Arc<Searcher>,
        query: &Query,
        revision: &str,
        cancel: &Cancel,
    ) -> Result<Results, Failure> {
        let task = Task::new(&NoProgress, cancel);
        let stored = search::StoredAnswers(self.session.providers());
        let answer = |one: &Searcher| Ok(git_cora::answer::answer(one, &stored, query, revision, task)?);
        self.answer_by(pool, searcher, cancel, answer)
    }

    fn answer_by(
        self: &Arc<Self>,
        pool: &Arc<RepositoryPool>,
        searcher: &mut Arc<Searcher>,
        cancel: &Cancel,
        answer: impl Fn(&Searcher) -> Result<Results, SessionError>,
    ) -> Result<Results, Failure> {
        let results = self.read(searcher, cancel, answer)?;
        self.warm(pool, searcher);
        self.link(searcher);
        Ok(results)
    }

    /// Reads from a searcher. If a cached segment turns out corrupt, it is rebuilt, `searcher` is
    /// replaced by the searcher over the new one, and the read is repeated.
    pub(crate) fn read<T>(
        &self,
        searcher: &mut Arc<Searcher>,
        cancel: &Cancel,
        read: impl Fn(&Searcher) -> Result<T, SessionError>,
    ) -> Result<T, Failure> {
        let (value, repaired) = self.session.with_repair(searcher, Task::new(&NoProgress, cancel), read)?;
        if let Some(repaired) = repaired.map(Arc::new) {
            // The other open searchers may map the corrupt file too.
            lock(&self.open).clear();
            self.keep(&repaired.target(), &repaired);
            *searcher = repaired;
        }
        Ok(value)
    }

    /// Builds in the background the segment that would make the next query faster.
    fn warm(self: &Arc<Self>, pool: &Arc<RepositoryPool>, searcher: &Searcher) {
        let Some(snapshot) = searcher.snapshot().copied().filter(|_| searcher.wants_warming()) else {
            return;
        };
        if self.is_warming.swap(true, Ordering::Relaxed) {
            return;
        }
        if !pool.enter_background() {
            self.is_warming.store(false, Ordering::Relaxed);
            return;
        }
        let (kept, owner) = (Arc::clone(self), Arc::clone(pool));
        let is_running = pool.spawn("warm", move || {
            // Only time is lost without it.
            let _ = git_cora::search::warm(
                kept.session.indexer(),
                &snapshot,
                Task::new(&NoProgress, &owner.closing),
            );
            lock(&kept.open).clear();
            kept.is_warming.store(false, Ordering::Relaxed);
            owner.leave_background();
        });
        if !is_running {
            self.is_warming.store(false, Ordering::Relaxed);
            pool.leave_background();
        }
    }

    /// Builds the graph of nearest neighbours in the background, if the settings ask for it.
    ///
    /// [`RepositoryPool::close`] does not wait for it: an unfinished graph leaves nothing behind.
    fn link(self: &Arc<Self>, searcher: &Arc<Searcher>) {
        if !search::cache::wants_neighbours(searcher) || self.is_linking.swap(true, Ordering::Relaxed) {
            return;
        }
        let (kept, searcher) = (Arc::clone(self), Arc::clone(searcher));
        let thread = std::thread::Builder::new().name("neighbours".to_owned()).spawn(move || {
            // Only time is lost without it.
            let _ = search::cache::use_neighbours(&searcher);
            kept.is_linking.store(false, Ordering::Release);
        });
        if thread.is_err() {
            self.is_linking.store(false, Ordering::Relaxed);
        }
    }

    fn opened(&self, target: &Target) -> Option<Arc<Searcher>> {
        lock(&self.open).get(|(known, _)| known == target).map(|(_, found)| Arc::clone(found))
    }

    fn keep(&self, target: &Target, searcher: &Arc<Searcher>) {
        lock(&self.open).put((target.clone(), Arc::clone(searcher)), |(known, _)| known == target);
    }

    /// Returns the commit nearest to a target that can be searched immediately.
    fn next_best(&self, target: &Target) -> Result<Option<Arc<Searcher>>, Failure> {
        let commit: ObjectId = match target {
            Target::Commit(commit) => *commit,
            Target::Worktree => match self.session.repo().head()? {
                Head::Commit { id, .. } => id,
                Head::Unborn { .. } => return Ok(None),
            },
        };
        let found = Searcher::nearest(self.session.indexer(), commit)?.map(Arc::new);
        if let Some(found) = &found
            && let Some(commit) = found.commit()
        {
            self.keep(&Target::Commit(commit), found);
        }
        Ok(found)
    }

    fn join_or_start(
        self: &Arc<Self>,
        pool: &Arc<RepositoryPool>,
        target: &Target,
    ) -> Result<Arc<Job>, Failure> {
        let mut jobs = lock(&self.jobs);
        if let Some(job) = jobs.iter().find(|job| job.target == *target && job.join()) {
            return Ok(Arc::clone(job));
        }
        let job = Arc::new(Job::new(target.clone()));
        jobs.push(Arc::clone(&job));
        drop(jobs);
        let (kept, owner, work) = (Arc::clone(self), Arc::clone(pool), Arc::clone(&job));
        let is_running = pool.spawn("open", move || {
            let ending = JobGuard { kept, pool: owner, job: work };
            let JobGuard { kept, job, .. } = &ending;
            let before = kept.opened(&job.target);
            let found = Searcher::reopen(
                kept.session.indexer(),
                &job.target,
                before,
                Task::new(&job.stage, &job.cancel),
            );
            if let Ok(found) = &found {
                kept.keep(&job.target, found);
            }
            job.finish(found.map_err(|error| Arc::new(error.into())));
        });
        if !is_running {
            lock(&self.jobs).retain(|other| !Arc::ptr_eq(other, &job));
            return Err(Failure::Busy);
        }
        Ok(job)
    }
}

/// Guard that removes a job from the list when its thread ends, even by a panic: otherwise requests
/// would wait forever.
struct JobGuard {
    kept: Arc<OpenRepository>,
    pool: Arc<RepositoryPool>,
    job: Arc<Job>,
}

impl Drop for JobGuard {
    fn drop(&mut self) {
        lock(&self.kept.jobs).retain(|other| !Arc::ptr_eq(other, &self.job));
        self.job.finish(Err(Arc::new(SessionError::from(search::Error::Internal("opening ends")))));
        if self.job.is_promised() {
            self.pool.leave_background();
        }
    }
}

/// Returns length and time of the repository's configuration, to notice changes.
fn settings(session: &Session) -> Settings {
    let found = session.repo().common_dir().join("config").metadata().ok()?;
    Some((found.len(), found.modified().ok()?))
}
