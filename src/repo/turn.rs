//! Turns at large works, of which one process at a time is enough.

use std::fs::{self, File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::time::{Duration, Instant};

use super::{Error, Repository, Result};
use crate::progress::{Cancel, Progress};

/// Time between two looks at a lock.
const POLL: Duration = Duration::from_millis(50);

/// Nobody waits longer, in case that who holds the turn has been stopped: work that is done twice does no harm.
const MOST: Duration = Duration::from_secs(600);

/// A turn at a large work; others wait until it is dropped, or its process ends.
#[derive(Debug)]
#[must_use]
pub struct Turn(#[expect(dead_code, reason = "it is the lock")] Option<File>);

impl Repository {
    /// Waits until nobody else, in this process or another, is at the work that is called `name`, and may have done it: look
    /// again. `doing` says what it is: «indexes this repository». Where nothing can be locked (a repository that may only be read,
    /// a file system without locks) nobody waits. A thread that has a turn must not ask for it again.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn turn(&self, name: &str, doing: &str, progress: &dyn Progress, cancel: &Cancel) -> Result<Turn> {
        let path = self.cora_dir().join(format!("{name}.lock"));
        let opened = fs::create_dir_all(self.cora_dir())
            .and_then(|()| File::options().create(true).truncate(false).read(true).write(true).open(path));
        let Ok(mut file) = opened else { return Ok(Turn(None)) };
        let begun = Instant::now();
        let mut told: Option<u64> = None;
        let turn = loop {
            match file.try_lock() {
                Ok(()) => {
                    note_holder(&mut file);
                    break Ok(Turn(Some(file)));
                }
                Err(TryLockError::WouldBlock) if cancel.is_cancelled() => break Err(Error::Cancelled),
                Err(TryLockError::WouldBlock) if begun.elapsed() < MOST => {
                    let seconds = begun.elapsed().as_secs();
                    match told.replace(seconds) {
                        Some(before) => progress.advance(seconds - before),
                        None => {
                            let what = format!("waiting for {}, which {doing}:", holder(&mut file));
                            progress.begin(&what, "s", None);
                        }
                    }
                    std::thread::sleep(POLL);
                }
                Err(_) => break Ok(Turn(None)),
            }
        };
        if told.is_some() {
            progress.end();
        }
        turn
    }
}

/// Writes down who holds a lock, for those who wait.
fn note_holder(file: &mut File) {
    let _ = file.set_len(0).and_then(|()| file.rewind());
    let _ = write!(file, "{}", std::process::id());
}

/// Who holds a lock, as far as it can be read: not everywhere before it is free.
fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let _ = file.rewind();
    let number = file.take(20).read_to_string(&mut text).ok().and_then(|_| text.parse::<u32>().ok());
    number.map_or_else(|| "another process".to_owned(), |number| format!("process {number}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::progress::Silent;
    use crate::repo::testing::Fixture;

    /// Lets go of a turn when somebody waits for it.
    struct Gives(Mutex<Option<Turn>>, Mutex<String>);

    impl Progress for Gives {
        fn begin(&self, what: &str, _: &str, _: Option<u64>) {
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
        let first = repo.turn("test", "tries", &Silent, &cancel).unwrap();
        drop(repo.turn("other", "tries", &Silent, &cancel).unwrap());
        let cancelled = Cancel::default();
        cancelled.cancel();
        assert!(matches!(repo.turn("test", "tries", &Silent, &cancelled), Err(Error::Cancelled)));
        let gives = Gives(Mutex::new(Some(first)), Mutex::default());
        drop(repo.turn("test", "tries", &gives, &cancel).unwrap());
        let said = gives.1.into_inner().unwrap();
        assert_eq!(said, format!("waiting for process {}, which tries:", std::process::id()));
    }

    #[test]
    fn where_nothing_can_be_locked_nobody_waits() {
        let fixture = Fixture::with_history();
        fixture.write(".git/cora", "a file in the way");
        let repo = fixture.open();
        let turn = || repo.turn("test", "tries", &Silent, &Cancel::default()).unwrap();
        let _first = turn();
        drop(turn());
    }
}
