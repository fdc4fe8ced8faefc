//! Time on cores.

use std::time::Instant;

/// Whose time on cores is taken.
#[derive(Clone, Copy)]
pub(super) enum Whose {
    Thread,
    /// All threads of this process.
    Process,
    /// The processes that it has waited for.
    Children,
}

/// Time on cores, where the system tells it, so that whatever else runs does not count; otherwise by the clock.
pub(super) struct Cpu {
    whose: Whose,
    from: Option<f64>,
    clock: Instant,
}

impl Cpu {
    pub(super) fn of(whose: Whose) -> Self {
        Self { whose, from: Self::now(whose), clock: Instant::now() }
    }

    /// As Linux tells it.
    fn now(whose: Whose) -> Option<f64> {
        /// Of a second, in `/proc/…/stat` (proc(5)).
        const TICK: f64 = 0.01;
        if matches!(whose, Whose::Thread) {
            let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
            return Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9);
        }
        let text = std::fs::read_to_string("/proc/self/stat").ok()?;
        // After the name, which may hold anything: the third field and those behind it.
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let first = if matches!(whose, Whose::Process) { 11 } else { 13 };
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
