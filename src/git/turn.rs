//! Turns at large works, of which one process at a time is enough.

use std::fs::{self, File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{Error, Repository, Result};
use crate::base::progress::Task;

/// Time between two looks at a lock.
const POLL: Duration = Duration::from_millis(50);
/// Shorter waiting is not told of.
const SHORT: Duration = Duration::from_secs(1);
/// Time between two signs of life of who has the turn.
const BEAT: Duration = Duration::from_secs(2);
/// Without a sign of life for so long, who has the turn has been stopped, and nobody waits for it. Work that is done twice does
/// no harm.
const DEAD: Duration = Duration::from_secs(20);
/// Nobody waits longer in any case.
const MOST: Duration = Duration::from_secs(600);

/// A turn at a large work; others wait until it is dropped, or its process ends.
#[derive(Debug)]
#[must_use]
pub struct Turn {
    /// None where there is nothing to wait for.
    _held: Option<Held>,
}

/// A lock, with signs of life until it is dropped.
#[derive(Debug)]
struct Held {
    file: File,
    /// The thread that gives them, and what ends it.
    beating: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

impl Held {
    fn new(mut file: File) -> Self {
        // Who has it, for those who wait; where that may not be written, they don't learn it.
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

impl Drop for Held {
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
    /// Waits until nobody else, in this process or another, is at the work that is called `name`, and may have done it: look
    /// again. `doing` says what it is: «indexes this repository». Where nothing can be locked (a repository that may only be read,
    /// a file system without locks) nobody waits, nor for long for another user whose lock may only be read. A thread that has a
    /// turn must not ask for it again.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn turn(&self, name: &str, doing: &str, task: Task<'_>) -> Result<Turn> {
        let path = self.cora_dir().join(format!("{name}.lock"));
        let opened = fs::create_dir_all(self.cora_dir())
            .and_then(|()| File::options().create(true).truncate(false).read(true).write(true).open(&path))
            .or_else(|_| File::open(&path));
        let Ok(mut file) = opened else { return Ok(Turn { _held: None }) };
        let begun = Instant::now();
        let mut life = (file.metadata().and_then(|meta| meta.modified()).ok(), begun);
        let mut told: Option<String> = None;
        let turn = loop {
            match file.try_lock() {
                Ok(()) => break Ok(Turn { _held: Some(Held::new(file)) }),
                Err(TryLockError::WouldBlock) if task.is_cancelled() => break Err(Error::Cancelled),
                Err(TryLockError::WouldBlock) if begun.elapsed() < MOST && life.1.elapsed() < DEAD => {
                    let modified = file.metadata().and_then(|meta| meta.modified()).ok();
                    if modified != life.0 {
                        life = (modified, Instant::now());
                    }
                    if begun.elapsed() > SHORT {
                        let what = format!("waiting for {}, which {doing}", holder(&mut file));
                        if told.as_ref() != Some(&what) {
                            if told.is_some() {
                                task.progress.end();
                            }
                            task.progress.wait(&what);
                            told = Some(what);
                        }
                    }
                    thread::sleep(POLL);
                }
                Err(_) => break Ok(Turn { _held: None }),
            }
        };
        if told.is_some() {
            task.progress.end();
        }
        turn
    }
}

/// Writes down who holds a lock, which is a sign of life, too.
fn note_holder(file: &mut File) {
    let _ = file.rewind().and_then(|()| write!(file, "{}", std::process::id()));
}

/// Who holds a lock, as far as it can be read: not everywhere before it is free.
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
    use crate::base::progress::Silent;
    use crate::base::progress::{Cancel, Progress};
    use crate::git::testing::Fixture;

    /// Lets go of a turn when somebody waits for it.
    struct Gives(Mutex<Option<Turn>>, Mutex<String>);

    impl Progress for Gives {
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
        let first = repo.turn("test", "tries", Task::new(&Silent, &cancel)).unwrap();
        drop(repo.turn("other", "tries", Task::new(&Silent, &cancel)).unwrap());
        let cancelled = Cancel::default();
        cancelled.cancel();
        assert!(matches!(repo.turn("test", "tries", Task::new(&Silent, &cancelled)), Err(Error::Cancelled)));
        let gives = Gives(Mutex::new(Some(first)), Mutex::default());
        assert!(repo.turn("test", "tries", Task::new(&gives, &cancel)).unwrap()._held.is_some());
        let said = gives.1.into_inner().unwrap();
        // Where locks are mandatory, who holds one can't be read.
        let who = if cfg!(windows) { "another process" } else { "another thread of this process" };
        assert_eq!(said, format!("waiting for {who}, which tries"));
        assert!(repo.turn("test", "tries", Task::new(&Silent, &cancel)).unwrap()._held.is_some());
    }

    #[test]
    fn where_nothing_can_be_locked_nobody_waits() {
        let fixture = Fixture::with_history();
        fixture.write(".git/cora", "a file in the way");
        let repo = fixture.open();
        let turn = || repo.turn("test", "tries", Task::new(&Silent, &Cancel::default())).unwrap();
        assert!(turn()._held.is_none());
        let _first = turn();
        assert!(turn()._held.is_none());
    }
}
