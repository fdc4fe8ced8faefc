//! CPU time of a thread, of this process or of its children.
//!
//! CPU time leaves out whatever else runs on the machine. Linux reports it in `/proc`; on other
//! systems the clock is used instead.

use std::time::Instant;

/// The threads whose CPU time is measured.
#[derive(Clone, Copy)]
pub(super) enum ThreadSet {
    Thread,
    /// All threads of this process.
    Process,
    /// The child processes that this process has waited for.
    Children,
}

/// A stopwatch for CPU time; falls back to the clock where the system reports no CPU time.
pub(super) struct Cpu {
    whose: ThreadSet,
    from: Option<f64>,
    clock: Instant,
}

impl Cpu {
    pub(super) fn of(whose: ThreadSet) -> Self {
        Self { whose, from: Self::now(whose), clock: Instant::now() }
    }

    /// Returns the CPU time used so far in seconds, as Linux reports it; `None` on other systems.
    fn now(whose: ThreadSet) -> Option<f64> {
        /// One clock tick of `/proc/…/stat` in seconds (proc(5)).
        const TICK: f64 = 0.01;
        if matches!(whose, ThreadSet::Thread) {
            let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
            return Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9);
        }
        let text = std::fs::read_to_string("/proc/self/stat").ok()?;
        // The process name may contain anything, so the fields are counted after its closing
        // bracket. The first one there is field 3 of proc(5).
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let first = if matches!(whose, ThreadSet::Process) { 11 } else { 13 };
        let ticks: f64 = fields.get(first..first + 2)?.iter().filter_map(|n| n.parse::<f64>().ok()).sum();
        Some(ticks * TICK)
    }

    pub(super) fn seconds(&self) -> f64 {
        match (self.from, Self::now(self.whose)) {
            (Some(from), Some(to)) => to - from,
            _ => self.clock.elapsed().as_secs_f64(),
        }
    }
}
