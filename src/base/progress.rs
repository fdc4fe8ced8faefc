//! Progress and cancellation, without a terminal.
//!
//! Owns [`Progress`], the trait through which long work reports how far it is, and [`Cancel`], the
//! flag that asks it to stop. The library never prints: the binary draws a progress bar from these
//! calls.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// Receives the progress of one long task; calls may come from several threads.
pub trait Progress: Sync {
    /// Begins a phase.
    ///
    /// `what` is a short present participle ("chunking files"), and `total` is the number of
    /// `unit`s, if known.
    fn begin(&self, what: &str, unit: &str, total: Option<u64>);
    /// Begins a phase without units that waits for another process: "waiting for process 12".
    fn wait(&self, what: &str) {
        self.begin(what, "", None);
    }
    /// Reports that `n` more units of the current phase are done.
    fn advance(&self, n: u64);
    /// Ends the current phase.
    fn end(&self);
}

/// A [`Progress`] that ignores all calls.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _: &str, _: &str, _: Option<u64>) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
}

/// A phase that is reported only if it is long. It ends when dropped.
pub struct Phase<'p>(Option<&'p dyn Progress>);

impl<'p> Phase<'p> {
    /// Begins a phase of `total` units, as [`Progress::begin`]. A phase of at most `few` units is
    /// not reported.
    pub fn begin(progress: &'p dyn Progress, what: &str, unit: &str, total: usize, few: usize) -> Self {
        let shown = (total > few).then_some(progress);
        if let Some(progress) = shown {
            progress.begin(what, unit, Some(total as u64));
        }
        Self(shown)
    }

    /// Begins a phase whose length is not known.
    pub fn begin_unbounded(progress: &'p dyn Progress, what: &str, unit: &str) -> Self {
        progress.begin(what, unit, None);
        Self(Some(progress))
    }

    /// Reports that `n` more units are done.
    pub fn advance(&self, n: u64) {
        if let Some(progress) = self.0 {
            progress.advance(n);
        }
    }
}

impl Drop for Phase<'_> {
    fn drop(&mut self) {
        if let Some(progress) = self.0 {
            progress.end();
        }
    }
}

/// A piece of long work as its caller sees it: where its progress goes, and the flag that stops it.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    /// Receives the progress.
    pub progress: &'t dyn Progress,
    /// Asks the work to stop.
    pub cancel: &'t Cancel,
}

impl<'t> Task<'t> {
    /// Creates a task that reports to `progress` and stops with `cancel`.
    pub fn new(progress: &'t dyn Progress, cancel: &'t Cancel) -> Self {
        Self { progress, cancel }
    }

    /// Returns whether a stop was requested.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }
}

impl Task<'static> {
    /// Creates a task that reports nothing and that nobody stops.
    pub fn silent() -> Self {
        static NEVER: LazyLock<Cancel> = LazyLock::new(Cancel::default);
        Self { progress: &NoProgress, cancel: &NEVER }
    }
}

/// A shared flag that asks long work to stop at its next safe point.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Requests a stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether a stop was requested.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
