//! Locks between processes: for expensive work, for files, and the wait for `git gc`.

pub(super) mod claim;
pub(super) mod collection;
pub(super) mod job_lock;
mod replace;
