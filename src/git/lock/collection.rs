//! Waiting for `git gc`, which deletes objects that no ref points to yet.
//!
//! Git keeps such objects for two weeks. `git gc --prune=now` does not: it would delete the objects
//! of an index whose ref is about to be written. Therefore nobody writes that ref while it runs,
//! and the objects are looked for once it has ended.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use crate::base::host;
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::{Repository, Result};

/// File with the process that collects garbage (`gc_lock` in Git's `builtin/gc.c`).
const LOCK: &str = "gc.pid";

/// Longest wait for `git gc`.
const LONGEST: Duration = Duration::from_secs(60);

/// A shorter wait is not reported to the user.
const SHORT: Duration = Duration::from_secs(1);

/// Interval between two looks.
const POLL: Duration = Duration::from_millis(50);

/// Age of a file that a killed `git gc` left behind. Git waits longer before it ignores one, but a
/// lock that is held for so long does not hold us up.
const STALE: Duration = Duration::from_secs(3600);

impl Repository {
    /// Waits until no `git gc` runs, for at most a minute. Returns whether one ran.
    pub(crate) fn wait_for_gc(&self, task: Task<'_>) -> bool {
        let path = self.common_dir().join(LOCK);
        let Some(mut holder) = collector(&path) else { return false };
        let (start, mut is_shown) = (Instant::now(), false);
        while start.elapsed() < LONGEST && !task.is_cancelled() {
            if !is_shown && start.elapsed() > SHORT {
                task.progress.wait(&format!("waiting for {holder}, which is running 'git gc'"));
                is_shown = true;
            }
            std::thread::sleep(POLL);
            match collector(&path) {
                Some(next) => holder = next,
                None => break,
            }
        }
        if is_shown {
            task.progress.end();
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

/// Returns the process that collects garbage, by the file that it wrote; `None` if none does. As in
/// Git, a file of this machine counts only while its process exists.
fn collector(path: &Path) -> Option<String> {
    let begun = fs::metadata(path).and_then(|found| found.modified()).ok()?;
    let age = SystemTime::now().duration_since(begun).unwrap_or_default();
    let text = fs::read_to_string(path).unwrap_or_default();
    let (process, machine) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let is_here = machine == host::name();
    let is_gone = is_here && process.parse().is_ok_and(|process| !exists(process));
    (age < STALE && !is_gone).then(|| match process {
        "" => "another process".to_owned(),
        process if machine.is_empty() || is_here => format!("process {process}"),
        process => format!("process {process} on {machine}"),
    })
}

/// Returns whether a process of this machine exists; true if that is not known.
#[cfg(unix)]
fn exists(process: i32) -> bool {
    let Some(process) = rustix::process::Pid::from_raw(process) else { return true };
    rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH)
}

/// Returns whether a process of this machine exists; true if that is not known.
#[cfg(not(unix))]
fn exists(_: i32) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::progress::{Cancel, NoProgress};
    use crate::git::testing::Fixture;

    #[test]
    fn a_collection_is_waited_for() {
        let fixture = Fixture::new();
        let repo = fixture.open();
        let cancel = Cancel::default();
        let task = Task::new(&NoProgress, &cancel);
        assert!(!repo.wait_for_gc(task));
        let lock = repo.common_dir().join(LOCK);
        fs::write(&lock, "1 host").unwrap();
        let remover = std::thread::spawn({
            let lock = lock.clone();
            move || {
                std::thread::sleep(Duration::from_millis(200));
                fs::remove_file(lock).unwrap();
            }
        });
        assert!(repo.wait_for_gc(task));
        assert!(!lock.exists(), "it waited");
        remover.join().unwrap();
        fs::write(&lock, "1 host").unwrap();
        let old = SystemTime::now() - Duration::from_secs(7200);
        fs::File::options().write(true).open(&lock).unwrap().set_modified(old).unwrap();
        assert!(!repo.wait_for_gc(task), "a killed one left it");
    }

    #[cfg(unix)]
    #[test]
    fn a_process_that_is_gone_collects_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let lock = dir.path().join(LOCK);
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let gone = child.id();
        child.wait().unwrap();
        let here = host::name();
        for (text, expected) in [
            (format!("{gone} {here}"), None),
            (format!("{gone} {here}.elsewhere"), Some(format!("process {gone} on {here}.elsewhere"))),
            (format!("{} {here}", std::process::id()), Some(format!("process {}", std::process::id()))),
            (String::new(), Some("another process".to_owned())),
            ("x y".to_owned(), Some("process x on y".to_owned())),
        ] {
            fs::write(&lock, &text).unwrap();
            assert_eq!(collector(&lock), expected, "{text}");
        }
    }

    #[test]
    fn a_long_wait_is_shown() {
        #[derive(Default)]
        struct PhaseLog(std::sync::Mutex<Vec<String>>);
        impl crate::base::progress::Progress for PhaseLog {
            fn begin(&self, what: &str, _: &str, _: Option<u64>) {
                self.0.lock().unwrap().push(what.to_owned());
            }
            fn advance(&self, _: u64) {}
            fn end(&self) {
                self.0.lock().unwrap().push("end".to_owned());
            }
        }
        let fixture = Fixture::new();
        let repo = fixture.open();
        fs::write(repo.common_dir().join(LOCK), "7 elsewhere").unwrap();
        let (shown, cancel) = (PhaseLog::default(), Cancel::default());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(SHORT * 2);
                cancel.cancel();
            });
            assert!(repo.wait_for_gc(Task::new(&shown, &cancel)));
        });
        let expected = ["waiting for process 7 on elsewhere, which is running 'git gc'", "end"];
        assert_eq!(*shown.0.lock().unwrap(), expected);
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
