//! Progress of a job: the library's progress reports, stored so that any thread can read them.
//!
//! The library pushes its progress; a waiting request polls. The lock between the two is held for a
//! few assignments only.

use std::sync::Mutex;
use std::time::Instant;

use git_cora::answer::view::counted;
use git_cora::base::progress::Progress;
use git_cora::base::threads::lock;

/// The current phase of a job, and the sum of all its progress.
#[derive(Default)]
pub(crate) struct JobProgress(Mutex<Option<Phase>>, Mutex<u64>);

struct Phase {
    what: String,
    unit: String,
    total: Option<u64>,
    done: u64,
    begun: Instant,
}

impl JobProgress {
    /// Returns the sum of the progress of all phases, in mixed units: it only grows, as MCP demands
    /// of progress.
    #[cfg(any(feature = "mcp", test))]
    pub(crate) fn sum(&self) -> u64 {
        *lock(&self.1)
    }

    /// Returns one line for people: `chunking files: 1200 of 3000 files, about 4 s left`.
    pub(crate) fn line(&self) -> String {
        let phase = lock(&self.0);
        let Some(Phase { what, unit, total, done, begun }) = phase.as_ref() else {
            return "opening the repository".to_owned();
        };
        if unit.is_empty() {
            return what.clone();
        }
        let Some(total) = total.filter(|total| total >= done) else {
            return format!("{what}: {done} {unit}");
        };
        let line = format!("{what}: {done} of {total} {unit}");
        let spent_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        // The rate is unreliable in the first half second.
        match (total - done).checked_mul(spent_ms).and_then(|left| left.checked_div(*done)) {
            Some(left_ms) if spent_ms >= 500 => {
                format!("{line}, about {} left", counted(left_ms.div_ceil(1000), "second", "seconds"))
            }
            _ => line,
        }
    }
}

impl Progress for JobProgress {
    fn begin(&self, what: &str, unit: &str, total: Option<u64>) {
        *lock(&self.0) = Some(Phase {
            what: what.to_owned(),
            unit: unit.to_owned(),
            total,
            done: 0,
            begun: Instant::now(),
        });
    }

    fn advance(&self, n: u64) {
        if let Some(phase) = lock(&self.0).as_mut() {
            phase.done = phase.done.saturating_add(n);
        }
        let mut sum = lock(&self.1);
        *sum = sum.saturating_add(n);
    }

    fn end(&self) {
        *lock(&self.0) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_how_far_it_is() {
        let stage = JobProgress::default();
        assert_eq!(stage.line(), "opening the repository");
        stage.begin("chunking", "files", Some(10));
        stage.advance(3);
        assert_eq!(stage.line(), "chunking: 3 of 10 files");
        stage.end();
        stage.begin("writing", "objects", None);
        stage.advance(2);
        assert_eq!(stage.line(), "writing: 2 objects");
        assert_eq!(stage.sum(), 5);
        stage.begin("odd", "files", Some(1));
        stage.advance(2);
        assert_eq!(stage.line(), "odd: 2 files");
    }

    #[test]
    fn the_time_left_is_told_after_half_a_second() {
        let stage = |ms: u64, done: u64| {
            let begun = Instant::now().checked_sub(std::time::Duration::from_millis(ms)).unwrap();
            let (what, unit) = ("chunking".to_owned(), "files".to_owned());
            JobProgress(
                Mutex::new(Some(Phase { what, unit, total: Some(100), done, begun })),
                Mutex::default(),
            )
        };
        assert_eq!(stage(100, 50).line(), "chunking: 50 of 100 files");
        assert_eq!(stage(9_500, 50).line(), "chunking: 50 of 100 files, about 10 seconds left");
        assert_eq!(stage(500, 50).line(), "chunking: 50 of 100 files, about 1 second left");
        assert_eq!(stage(10_000, 0).line(), "chunking: 0 of 100 files", "nothing to reckon with");
    }
}
