//! Waiting for `git gc`, which deletes objects that no ref points to yet.
//!
//! Git keeps such objects for two weeks. `git gc --prune=now` does not: it would delete the objects
//! of an index whose ref is about to be written. Therefore nobody writes that ref while it runs,
//! and the objects are looked for once it has ended.

use std::fs;
use std::time::{Duration, Instant, SystemTime};

use super::{Repository, Result};
use crate::base::id::ObjectId;
use crate::base::progress::Cancel;

/// File with the process that collects garbage (`gc_lock` in Git's `builtin/gc.c`).
const LOCK: &str = "gc.pid";

/// Longest wait for `git gc`.
const LONGEST: Duration = Duration::from_secs(60);

/// Interval between two looks.
const POLL: Duration = Duration::from_millis(50);

/// Age of a file that a killed `git gc` left behind. Git waits longer before it ignores one, but a
/// lock that is held for so long does not hold us up.
const STALE: Duration = Duration::from_secs(3600);

impl Repository {
    /// Waits until no `git gc` runs, for at most a minute. Returns whether one ran.
    pub(crate) fn wait_for_gc(&self, cancel: &Cancel) -> bool {
        let path = self.common_dir().join(LOCK);
        let is_running = || {
            let begun = fs::metadata(&path).and_then(|found| found.modified()).ok();
            let age = |begun| SystemTime::now().duration_since(begun).unwrap_or_default();
            begun.is_some_and(|begun| age(begun) < STALE)
        };
        if !is_running() {
            return false;
        }
        let start = Instant::now();
        while is_running() && start.elapsed() < LONGEST && !cancel.is_cancelled() {
            std::thread::sleep(POLL);
        }
        true
    }

    /// Returns whether all objects that a commit consists of exist, without those of its parents.
    pub(crate) fn is_complete(&self, commit: ObjectId) -> Result<bool> {
        let id = commit.to_string();
        let output = self.git(&["rev-list", "--objects", "--no-walk", "--quiet", &id]).run_any()?;
        Ok(output.status == Some(0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Fixture;
    use super::*;

    #[test]
    fn a_collection_is_waited_for() {
        let fixture = Fixture::new();
        let repo = fixture.open();
        assert!(!repo.wait_for_gc(&Cancel::default()));
        let lock = repo.common_dir().join(LOCK);
        fs::write(&lock, "1 host").unwrap();
        let remover = std::thread::spawn({
            let lock = lock.clone();
            move || {
                std::thread::sleep(Duration::from_millis(200));
                fs::remove_file(lock).unwrap();
            }
        });
        assert!(repo.wait_for_gc(&Cancel::default()));
        assert!(!lock.exists(), "it waited");
        remover.join().unwrap();
        fs::write(&lock, "1 host").unwrap();
        let old = SystemTime::now() - Duration::from_secs(7200);
        fs::File::options().write(true).open(&lock).unwrap().set_modified(old).unwrap();
        assert!(!repo.wait_for_gc(&Cancel::default()), "a killed one left it");
    }

    #[test]
    fn a_commit_without_one_of_its_objects_is_incomplete() {
        let fixture = Fixture::new();
        fixture.commit_file("a/b.txt", "x");
        let repo = fixture.open();
        let head = fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap();
        assert!(repo.is_complete(head).unwrap());
        let blob = fixture.git_line(&["rev-parse", "HEAD:a/b.txt"]);
        fs::remove_file(repo.common_dir().join("objects").join(&blob[..2]).join(&blob[2..])).unwrap();
        assert!(!repo.is_complete(head).unwrap());
    }
}
