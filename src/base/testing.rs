//! A bound on the time that a test may take.

use std::time::{Duration, Instant};

/// Time that one hostile text may take. Work that is linear in its length takes some milliseconds;
/// the bound leaves room for a slow and busy machine.
pub(crate) const HOSTILE: Duration = Duration::from_secs(20);

/// Runs `work`, and fails the test if it takes longer than `bound`.
#[track_caller]
pub(crate) fn within<T>(bound: Duration, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let result = work();
    let time = begun.elapsed();
    assert!(time <= bound, "it took {time:?}, more than {bound:?}");
    result
}
