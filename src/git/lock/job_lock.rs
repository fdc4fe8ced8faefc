//! A cross-process lock for expensive work.
//!
//! Owns [`JobLock`]. It keeps two processes, or two threads of one, from doing the same large job
//! in parallel. Input: the name of the job. Output: a guard that holds `<common
//! directory>/cora/<name>.lock`.
//!
//! The lock saves work; it never guards correctness. Callers must look again after they get it, and
//! must stay correct without it: where nothing can be locked, nobody waits. The holder writes a
//! heartbeat, because a stopped process keeps its lock for ever.

use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::base::progress::Task;
use crate::git::{Error, Repository, Result};

/// Time between two attempts to take the lock.
const POLL: Duration = Duration::from_millis(50);
/// A shorter wait is not reported to the user.
const SHORT: Duration = Duration::from_secs(1);
/// Time between two heartbeats of the holder.
const BEAT: Duration = Duration::from_secs(2);
/// A holder without a heartbeat for this long counts as stopped, and nobody waits for it. Work that
/// is done twice does no harm.
const DEAD: Duration = Duration::from_secs(20);
/// Longest wait, whatever the holder does.
const MOST: Duration = Duration::from_secs(600);

/// A lock on an expensive job. Others wait until it is dropped or its process ends.
#[derive(Debug)]
#[must_use]
pub struct JobLock {
    /// `None` if nothing could be locked.
    _held: Option<LockHolder>,
}

/// A locked file whose holder writes heartbeats until it is dropped.
#[derive(Debug)]
struct LockHolder {
    file: File,
    /// The heartbeat thread, and the channel whose end stops it.
    beating: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

impl LockHolder {
    fn new(mut file: File) -> Self {
        // Waiters read the holder from the file. If it can't be written, they see "another
        // process".
        let _ = file.set_len(0);
        note_holder(&mut file);
        let beating = file.try_clone().ok().and_then(|mut file| {
            let (end, ended) = mpsc::channel::<()>();
            let beat = move || {
                while ended.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                    note_holder(&mut file);
                }
            };
            let thread = thread::Builder::new().name("turn".to_owned()).spawn(beat);
            Some((end, thread.ok()?))
        });
        Self { file, beating }
    }
}

impl Drop for LockHolder {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.beating.take() {
            drop(end);
            let _ = thread.join();
        }
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

impl Repository {
    /// Opens a lock file in our own directory, or creates it so that all users of the repository
    /// can lock it.
    ///
    /// # Errors
    /// Any error of creating the directory or the file.
    pub fn open_lock(&self, path: &std::path::Path) -> std::io::Result<File> {
        self.sharing().create_dir_all(&self.cora_dir())?;
        let file = File::options().create(true).truncate(false).read(true).write(true).open(path)?;
        // Fails if another user made the file, who has set its permissions then.
        let _ = self.sharing().apply(path);
        Ok(file)
    }

    /// Waits until nobody else holds the lock called `name`, in this process or another.
    ///
    /// The previous holder may have done the work, so look again afterwards. `doing` says what the
    /// holder does, and follows "which is", as in "indexing this repository". A thread that holds
    /// the lock must not ask for it again.
    ///
    /// Nobody waits where nothing can be locked: in a read-only repository, or on a file system
    /// without locks. The wait ends after 20 seconds if the holder can't write heartbeats, because
    /// the lock file belongs to another user.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn turn(&self, name: &str, doing: &str, task: Task<'_>) -> Result<JobLock> {
        let path = self.cora_dir().join(format!("{name}.lock"));
        let opened = self.open_lock(&path).or_else(|_| File::open(&path));
        let Ok(mut file) = opened else { return Ok(JobLock { _held: None }) };
        let begun = Instant::now();
        let mut life = (file.metadata().and_then(|meta| meta.modified()).ok(), begun);
        let mut shown: Option<String> = None;
        let turn = loop {
            match file.try_lock() {
                Ok(()) => break Ok(JobLock { _held: Some(LockHolder::new(file)) }),
                Err(TryLockError::WouldBlock) if task.is_cancelled() => break Err(Error::Cancelled),
                Err(TryLockError::WouldBlock) if is_worth_waiting(begun.elapsed(), life.1.elapsed()) => {
                    let modified = file.metadata().and_then(|meta| meta.modified()).ok();
                    if modified != life.0 {
                        life = (modified, Instant::now());
                    }
                    if begun.elapsed() > SHORT {
                        let what = format!("waiting for {}, which is {doing}", holder(&mut file));
                        if shown.as_ref() != Some(&what) {
                            if shown.is_some() {
                                task.progress.end();
                            }
                            task.progress.wait(&what);
                            shown = Some(what);
                        }
                    }
                    thread::sleep(POLL);
                }
                Err(_) => break Ok(JobLock { _held: None }),
            }
        };
        if shown.is_some() {
            task.progress.end();
        }
        turn
    }
}

/// Returns whether to wait on, after this time, and this time since the holder's last heartbeat.
fn is_worth_waiting(waited: Duration, silent: Duration) -> bool {
    waited < MOST && silent < DEAD
}

/// Writes the holder's process id into the lock file, which is also its heartbeat.
fn note_holder(file: &mut File) {
    let _ = file.rewind().and_then(|()| write!(file, "{}", std::process::id()));
}

/// Describes the holder of a lock. Some systems let nobody read the file before it is unlocked.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let _ = file.rewind();
    match file.take(20).read_to_string(&mut text).ok().and_then(|_| text.parse::<u32>().ok()) {
        Some(number) if number == std::process::id() => "another thread of this process".to_owned(),
        Some(number) => format!("process {number}"),
        None => "another process".to_owned(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::base::progress::NoProgress;
    use crate::base::progress::{Cancel, Progress};
    use crate::git::testing::Fixture;

    /// Releases a lock as soon as somebody waits for it.
    struct TurnRelease(Mutex<Option<JobLock>>, Mutex<String>);

    impl Progress for TurnRelease {
        fn begin(&self, _: &str, _: &str, _: Option<u64>) {}
        fn wait(&self, what: &str) {
            what.clone_into(&mut self.1.lock().unwrap());
            drop(self.0.lock().unwrap().take());
        }
        fn advance(&self, _: u64) {}
        fn end(&self) {}
    }

    #[test]
    fn a_turn_is_waited_for_and_given_up() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let cancel = Cancel::default();
        let first = repo.turn("test", "trying", Task::new(&NoProgress, &cancel)).unwrap();
        drop(repo.turn("other", "trying", Task::new(&NoProgress, &cancel)).unwrap());
        let cancelled = Cancel::default();
        cancelled.cancel();
        assert!(matches!(
            repo.turn("test", "trying", Task::new(&NoProgress, &cancelled)),
            Err(Error::Cancelled)
        ));
        let gives = TurnRelease(Mutex::new(Some(first)), Mutex::default());
        assert!(repo.turn("test", "trying", Task::new(&gives, &cancel)).unwrap()._held.is_some());
        let said = gives.1.into_inner().unwrap();
        // Where locks are mandatory, the holder can't be read.
        let who = if cfg!(windows) { "another process" } else { "another thread of this process" };
        assert_eq!(said, format!("waiting for {who}, which is trying"));
        assert!(repo.turn("test", "trying", Task::new(&NoProgress, &cancel)).unwrap()._held.is_some());
    }

    #[test]
    fn where_nothing_can_be_locked_nobody_waits() {
        let fixture = Fixture::with_history();
        fixture.write(".git/cora", "a file in the way");
        let repo = fixture.open();
        let turn = || repo.turn("test", "trying", Task::new(&NoProgress, &Cancel::default())).unwrap();
        assert!(turn()._held.is_none());
        let _first = turn();
        assert!(turn()._held.is_none());
    }

    #[test]
    fn nobody_waits_for_a_silent_holder_or_for_ever() {
        let second = Duration::from_secs;
        for (waited, silent, expected) in
            [(0, 0, true), (599, 19, true), (600, 0, false), (20, 20, false), (599, 20, false)]
        {
            assert_eq!(is_worth_waiting(second(waited), second(silent)), expected, "{waited} {silent}");
        }
        assert!(DEAD > 2 * BEAT, "a living holder is heard in time");
    }

    #[test]
    fn a_holder_is_heard_while_it_works() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let _held = repo.turn("test", "trying", Task::new(&NoProgress, &Cancel::default())).unwrap();
        let path = repo.cora_dir().join("test.lock");
        let beat = || std::fs::metadata(&path).unwrap().modified().unwrap();
        let first = beat();
        let end = Instant::now() + 4 * BEAT;
        while beat() == first {
            assert!(Instant::now() < end, "no heartbeat");
            thread::sleep(POLL);
        }
    }
}
