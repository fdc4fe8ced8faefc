//! A job: the opening of one target on its own thread, and the requests that wait for it.
//!
//! All requests for the same target share one job. It ends early when the last waiting request
//! leaves, unless it was promised to continue in the background. The job knows nothing of
//! repositories; [`super::OpenRepository`] starts it and keeps the list of jobs.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use git_cora::base::progress::Cancel;
use git_cora::{Searcher, SessionError, Target};

use super::stage::JobProgress;
use git_cora::base::threads::lock;

/// Interval at which a waiting thread checks for cancellation and reports progress.
const LOOK: Duration = Duration::from_millis(50);

/// The result of a job, shared by all requests that waited for it.
pub(super) type JobResult = Result<Arc<Searcher>, Arc<SessionError>>;

/// The outcome of waiting for a job.
pub(super) enum WaitOutcome {
    /// The job ended.
    Done(JobResult),
    /// The time ran out first.
    TooLong,
    /// The request was cancelled first.
    GivenUp,
}

/// A target that is being opened.
pub(super) struct Job {
    pub(super) target: Target,
    pub(super) begun: Instant,
    pub(super) stage: JobProgress,
    /// Set to stop the job.
    pub(super) cancel: Cancel,
    state: Mutex<State>,
    done: Condvar,
}

#[derive(Default)]
struct State {
    found: Option<JobResult>,
    n_waiting: usize,
    /// Whether a reply said that the work continues; then it runs on even if nobody waits.
    is_promised: bool,
}

impl Job {
    /// Creates a job for which one request waits.
    pub(super) fn new(target: Target) -> Self {
        Self {
            target,
            begun: Instant::now(),
            stage: JobProgress::default(),
            cancel: Cancel::default(),
            state: Mutex::new(State { n_waiting: 1, ..State::default() }),
            done: Condvar::new(),
        }
    }

    /// Adds a waiting request; `false` if the job has ended or was cancelled.
    pub(super) fn join(&self) -> bool {
        let mut state = lock(&self.state);
        let is_open = state.found.is_none() && !self.cancel.is_cancelled();
        state.n_waiting += usize::from(is_open);
        is_open
    }

    /// Removes a waiting request. The last one to leave stops the job, unless it is promised.
    pub(super) fn leave(&self) {
        let mut state = lock(&self.state);
        state.n_waiting = state.n_waiting.saturating_sub(1);
        if state.n_waiting == 0 && !state.is_promised {
            self.cancel.cancel();
        }
    }

    /// Lets the job continue in the background, and stops counting the caller as waiting.
    ///
    /// `may` decides whether one more background job is allowed. Returns `false` if it refuses;
    /// then nothing changes. A job that has ended needs no permission.
    pub(super) fn promise(&self, may: impl FnOnce() -> bool) -> bool {
        let mut state = lock(&self.state);
        if !state.is_promised && state.found.is_none() {
            state.is_promised = may();
        }
        let is_kept = state.is_promised || state.found.is_some();
        if is_kept {
            state.n_waiting = state.n_waiting.saturating_sub(1);
        }
        is_kept
    }

    pub(super) fn is_promised(&self) -> bool {
        lock(&self.state).is_promised
    }

    /// Sets the result and wakes all waiting requests; only the first call counts.
    pub(super) fn finish(&self, found: JobResult) {
        let mut state = lock(&self.state);
        state.found.get_or_insert(found);
        self.done.notify_all();
    }

    /// Waits until the job has ended, at most until `end`.
    pub(super) fn wait(&self, end: Instant, wait: &WaitLimits<'_>) -> WaitOutcome {
        let mut state = lock(&self.state);
        loop {
            if let Some(found) = &state.found {
                return WaitOutcome::Done(found.clone());
            }
            if wait.cancel.is_cancelled() {
                return WaitOutcome::GivenUp;
            }
            let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else {
                return WaitOutcome::TooLong;
            };
            let step = left.min(LOOK);
            state = self.done.wait_timeout(state, step).unwrap_or_else(PoisonError::into_inner).0;
            if state.found.is_none() {
                drop(state);
                (wait.tell)(&self.stage);
                state = lock(&self.state);
            }
        }
    }
}

/// How a request waits: for how long, and where progress and cancellation go.
pub(crate) struct WaitLimits<'a> {
    /// Longest time to wait.
    pub(crate) patience: Duration,
    /// Set when the client gives up.
    pub(crate) cancel: &'a Cancel,
    /// Called some times a second during the wait, with the progress of the job.
    pub(crate) tell: &'a dyn Fn(&JobProgress),
}

#[cfg(test)]
mod tests {
    use super::*;
    use git_cora::search;

    #[test]
    fn a_job_stops_with_the_last_who_waits_unless_promised() {
        let job = Job::new(Target::Worktree);
        assert!(job.join());
        job.leave();
        assert!(!job.cancel.is_cancelled());
        job.leave();
        assert!(job.cancel.is_cancelled());
        assert!(!job.join());

        let job = Job::new(Target::Worktree);
        assert!(!job.promise(|| false));
        assert!(job.promise(|| true));
        assert!(job.join());
        job.leave();
        assert!(!job.cancel.is_cancelled());
    }

    #[test]
    fn waiting_ends_with_patience_result_or_cancellation() {
        let job = Job::new(Target::Worktree);
        let cancel = Cancel::default();
        let wait = WaitLimits { patience: Duration::ZERO, cancel: &cancel, tell: &|_| {} };
        assert!(matches!(job.wait(Instant::now(), &wait), WaitOutcome::TooLong));
        cancel.cancel();
        assert!(matches!(job.wait(Instant::now() + LOOK, &wait), WaitOutcome::GivenUp));
        job.finish(Err(Arc::new(SessionError::Search(search::Error::Internal("one")))));
        job.finish(Err(Arc::new(SessionError::cancelled())));
        let WaitOutcome::Done(Err(error)) = job.wait(Instant::now(), &wait) else { panic!("not done") };
        assert!(matches!(*error, SessionError::Search(search::Error::Internal(_))));
    }
}
