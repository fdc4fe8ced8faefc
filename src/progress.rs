//! Progress and cancellation, without a terminal.
//!
//! Owns [`Progress`], the trait through which long work tells how far it is, and [`Cancel`], the flag by which
//! it is asked to stop. The library never prints: the binary draws a bar from these calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Receives the progress of one piece of long work; calls may come from several threads.
pub trait Progress: Sync {
    /// A phase begins: `what` is a short present participle («chunking files»), `total` the number of `unit`s
    /// if it is known.
    fn begin(&self, what: &str, unit: &str, total: Option<u64>);
    /// `n` more units of the current phase are done.
    fn advance(&self, n: u64);
    /// The current phase is over.
    fn end(&self);
}

/// Progress that nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: &str, _: Option<u64>) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
}

/// A shared flag that asks long work to stop at its next safe point.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks for a stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether a stop was asked for.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
