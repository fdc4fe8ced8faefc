//! The journal: a model's notes, on disk before the next request.
//!
//! One file in `<common directory>/cora/commentary/`, with one note a line in the format of a
//! file's notes. It is also the lock against a second run. A line that an interruption cut off is
//! unreadable; it is dropped, with everything after it.
//!
//! The journal is emptied once all its notes are in Git. The file itself stays: removing it would
//! let another process lock a new file while the old one is still locked.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::note::{ByKey, Line};
use super::{Error, Note, Result};

/// Most bytes that are read from a journal.
const MAX_BYTES: u64 = 1 << 30;
/// Retries of a failed lock, and the pause before each.
const ATTEMPTS: usize = 10;
const PAUSE: Duration = Duration::from_millis(20);

/// An open journal, which holds the lock.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    /// Offset of the end of the last complete line.
    end: u64,
    /// Its notes by key and model.
    pub(super) notes: ByKey,
}

impl Journal {
    /// Reads the notes of the journal at `path`, if it exists, without the lock.
    pub(super) fn peek(path: &Path) -> ByKey {
        File::open(path).ok().and_then(|file| read(file).ok()).map(|(notes, _)| notes).unwrap_or_default()
    }

    /// Opens and locks the journal at `path`, or creates it.
    ///
    /// # Errors
    /// [`Error::Busy`] if another process holds the lock, [`Error::Io`].
    pub(super) fn open(path: PathBuf) -> Result<Self> {
        let io = |source| Error::Io { path: path.clone(), source };
        if let Some(dir) = path.parent() {
            std::fs::create_dir_all(dir).map_err(io)?;
        }
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        for attempt in 0.. {
            match file.try_lock() {
                Ok(()) => break,
                // A child process that was starting when the holder ended may keep the lock a
                // moment longer.
                Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => std::thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Err(Error::Busy),
                // A file system without locks. At worst a note is paid for twice.
                Err(TryLockError::Error(_)) => break,
            }
        }
        let (notes, end) = read(file.try_clone().map_err(io)?).map_err(io)?;
        file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(io)?;
        Ok(Self { file, path, end, notes })
    }

    /// Appends notes; returns once they are on disk.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn append(&mut self, notes: Vec<Note>) -> Result<()> {
        let io = |source| Error::Io { path: self.path.clone(), source };
        let mut out = Vec::new();
        for note in &notes {
            out.extend(serde_json::to_vec(&Line::of(note)).unwrap_or_default());
            out.push(b'\n');
        }
        if let Err(error) = self.file.write_all(&out).and_then(|()| self.file.sync_data()) {
            // Other threads may still append their notes; behind a torn line those would be
            // unreadable.
            let _ = self.file.set_len(self.end).and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
            return Err(io(error));
        }
        self.end += out.len() as u64;
        self.notes.extend(notes.into_iter().map(|note| ((note.key, note.model.clone()), note)));
        Ok(())
    }

    /// Empties the journal; call it once all its notes are in Git.
    pub(super) fn clear(self) {
        // A failure is harmless: the notes are then stored twice.
        let _ = self.file.set_len(0);
    }
}

/// Reads the complete lines of a journal, and the offset where the last one ends.
fn read(mut file: File) -> std::io::Result<(ByKey, u64)> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    let mut notes = ByKey::new();
    let mut end = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let note = serde_json::from_slice::<Line>(line).ok().and_then(Line::note);
        let Some(note) = note.filter(|_| line.ends_with(b"\n")) else { break };
        notes.insert((note.key, note.model.clone()), note);
        end += line.len() as u64;
    }
    Ok((notes, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::sidecar::commentary::key_of;

    #[test]
    fn what_was_appended_is_there_again_and_torn_ends_are_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sub/journal");
        let note = |text: &str| Note { chunk: 0, key: key_of(text), model: "m".into(), text: text.into() };
        let mut journal = Journal::open(path.clone()).unwrap();
        assert!(matches!(Journal::open(path.clone()), Err(Error::Busy)));
        journal.append(vec![note("one"), note("two")]).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let entry = whole.len() / 2;
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let n = cut / entry;
            assert_eq!(Journal::peek(&path).len(), n, "{cut}");
            let mut journal = Journal::open(path.clone()).unwrap();
            journal.append(vec![note("new")]).unwrap();
            drop(journal);
            assert_eq!(Journal::peek(&path).len(), n + 1, "{cut}");
        }
        Journal::open(path.clone()).unwrap().clear();
        assert!(Journal::peek(&path).is_empty() && Journal::open(path).unwrap().notes.is_empty());
    }
}
