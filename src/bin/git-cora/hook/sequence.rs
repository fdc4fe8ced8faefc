//! Waits while Git makes a sequence of commits: a rebase, or a cherry-pick of several.
//!
//! Only the result is worth indexing. A sequence that stopped for the user leaves its directory
//! behind; then HEAD is worth indexing as it is. Hooks and `git cora watch` wait alike.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use git_cora::base::progress::Cancel;
use git_cora::git::Repository;

/// Directories that exist during a sequence.
const DIRS: [&str; 3] = ["rebase-merge", "rebase-apply", "sequencer"];
/// Longest wait.
const LONGEST: Duration = Duration::from_secs(60);
/// Age of an unchanged directory of a sequence that has stopped for the user. Each step writes
/// there.
const STOPPED: Duration = Duration::from_secs(5);
/// Interval between two looks.
const POLL: Duration = Duration::from_millis(100);

/// Waits until no sequence runs, for at most a minute.
pub(crate) fn wait(repo: &Repository, cancel: &Cancel) {
    let began = Instant::now();
    while is_running(repo.git_dir(), SystemTime::now()) && began.elapsed() < LONGEST && !cancel.is_cancelled()
    {
        std::thread::sleep(POLL);
    }
}

/// Whether a sequence exists that has not stopped.
fn is_running(git_dir: &Path, now: SystemTime) -> bool {
    let mut changed = DIRS
        .iter()
        .filter_map(|name| fs::metadata(git_dir.join(name)).ok()?.modified().ok())
        .map(|at| now.duration_since(at).unwrap_or_default())
        .peekable();
    changed.peek().is_some() && changed.all(|age| age <= STOPPED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_runs_while_its_directory_changes() {
        let dir = tempfile::tempdir().unwrap();
        let after = |seconds| SystemTime::now() + Duration::from_secs(seconds);
        assert!(!is_running(dir.path(), after(0)));
        for name in DIRS {
            let path = dir.path().join(name);
            fs::create_dir(&path).unwrap();
            assert!(is_running(dir.path(), after(0)) && is_running(dir.path(), after(4)), "{name}");
            assert!(!is_running(dir.path(), after(7)), "{name}");
            fs::remove_dir(&path).unwrap();
        }
    }
}
