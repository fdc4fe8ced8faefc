//! A job: something that is opened on a thread of its own, and those who wait for it.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use git_cora::base::progress::Cancel;
use git_cora::{Searchable, SessionError, Target};

use super::stage::Stage;
use super::{Wait, lock};

/// How often a waiting thread looks whether it is still wanted, and tells how far the job is.
const LOOK: Duration = Duration::from_millis(50);

/// What comes of a job.
pub(super) type Found = Result<Arc<Searchable>, Arc<SessionError>>;

/// How waiting ended.
pub(super) enum Waited {
    /// With the job.
    Done(Found),
    /// With the patience.
    TooLong,
    /// Whoever asked gave up.
    GivenUp,
}

/// Something that is being opened.
pub(super) struct Job {
    pub(super) target: Target,
    pub(super) begun: Instant,
    pub(super) stage: Stage,
    /// Asks the job to stop.
    pub(super) cancel: Cancel,
    state: Mutex<State>,
    done: Condvar,
}

#[derive(Default)]
struct State {
    found: Option<Found>,
    n_waiting: usize,
    /// Somebody was told that it goes on: it does, even when nobody waits.
    is_promised: bool,
}

impl Job {
    /// A job with one who waits for it.
    pub(super) fn new(target: Target) -> Self {
        Self {
            target,
            begun: Instant::now(),
            stage: Stage::default(),
            cancel: Cancel::default(),
            state: Mutex::new(State { n_waiting: 1, ..State::default() }),
            done: Condvar::new(),
        }
    }

    /// One more waits for it; `false` if it is over.
    pub(super) fn join(&self) -> bool {
        let mut state = lock(&self.state);
        let is_open = state.found.is_none() && !self.cancel.is_cancelled();
        state.n_waiting += usize::from(is_open);
        is_open
    }

    /// One less waits for it. Without any, and without a promise, it stops.
    pub(super) fn leave(&self) {
        let mut state = lock(&self.state);
        state.n_waiting = state.n_waiting.saturating_sub(1);
        if state.n_waiting == 0 && !state.is_promised {
            self.cancel.cancel();
        }
    }

    /// Lets it go on without those who wait, if `may` allows one more of these. Then the caller no longer waits.
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

    /// Hands the result to all who wait; only the first one counts.
    pub(super) fn finish(&self, found: Found) {
        let mut state = lock(&self.state);
        state.found.get_or_insert(found);
        self.done.notify_all();
    }

    /// Waits until the job is done, but no longer than `end`.
    pub(super) fn wait(&self, end: Instant, wait: &Wait<'_>) -> Waited {
        let mut state = lock(&self.state);
        loop {
            if let Some(found) = &state.found {
                return Waited::Done(found.clone());
            }
            if wait.cancel.is_cancelled() {
                return Waited::GivenUp;
            }
            let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) else {
                return Waited::TooLong;
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
        let wait = Wait { patience: Duration::ZERO, cancel: &cancel, tell: &|_| {} };
        assert!(matches!(job.wait(Instant::now(), &wait), Waited::TooLong));
        cancel.cancel();
        assert!(matches!(job.wait(Instant::now() + LOOK, &wait), Waited::GivenUp));
        job.finish(Err(Arc::new(SessionError::Search(search::Error::Nothing))));
        job.finish(Err(Arc::new(SessionError::cancelled())));
        let Waited::Done(Err(error)) = job.wait(Instant::now(), &wait) else { panic!("not done") };
        assert!(matches!(*error, SessionError::Search(search::Error::Nothing)));
    }
}
