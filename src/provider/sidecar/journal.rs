//! The journal: a model's answers, on disk before anything else is done with them.
//!
//! One file for each kind of sidecar and model. It is also the lock against a second run. After the
//! magic, if the kind has one, entries follow each other in the kind's own form. An entry that an
//! interruption cut off is unreadable; it is dropped, with everything after it.
//!
//! The journal is emptied once all its entries are in Git. The file itself stays: removing it would
//! let another process lock a new file while the old one is still locked.
//!
//! Must not: write to Git.

use std::collections::HashMap;
use std::fmt::Debug;
use std::fs::{File, TryLockError};
use std::hash::Hash;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Error, Sidecar};
use crate::base::sharing::Sharing;

/// Retries of a failed lock, and the pause before each.
const ATTEMPTS: usize = 10;
const PAUSE: Duration = Duration::from_millis(20);

/// An answer of a model, as the journal stores it.
pub trait Entry: Sized {
    /// The identity of an entry; a later entry replaces an earlier one.
    type Key: Debug + Eq + Hash;

    /// The first bytes of a journal with entries.
    const MAGIC: &'static [u8];

    /// Returns the identity of the entry.
    fn key(&self) -> Self::Key;

    /// Appends the bytes of the entry.
    fn encode(&self, out: &mut Vec<u8>);

    /// Reads one entry, and returns it with its length in bytes; `None` if it is cut off or
    /// damaged.
    fn read(input: &mut dyn BufRead) -> Option<(Self, usize)>;
}

/// Entries by key.
pub(super) type Entries<E> = HashMap<<E as Entry>::Key, E>;

/// An open journal, which holds the lock.
#[derive(Debug)]
pub(super) struct Journal<S: Sidecar> {
    file: File,
    path: PathBuf,
    /// Offset of the end of the last complete entry.
    end: u64,
    pub(super) entries: Entries<S::Entry>,
}

impl<S: Sidecar> Journal<S> {
    /// Reads the entries of the journal at `path`, if it exists, without the lock.
    pub(super) fn peek(path: &Path) -> Entries<S::Entry> {
        File::open(path)
            .ok()
            .and_then(|file| read::<S::Entry>(file).ok())
            .map(|read| read.0)
            .unwrap_or_default()
    }

    /// Opens and locks the journal at `path`, or creates it.
    ///
    /// # Errors
    /// [`Error::Busy`] if another process holds the lock, [`Error::Io`].
    pub(super) fn open(path: PathBuf, sharing: Sharing) -> Result<Self, Error<S>> {
        let io = |source| Error::Io { path: path.clone(), source };
        if let Some(dir) = path.parent() {
            sharing.create_dir_all(dir).map_err(io)?;
        }
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        // Fails if another user made the file, who has set its permissions then.
        let _ = sharing.apply(&path);
        for attempt in 0.. {
            match file.try_lock() {
                Ok(()) => break,
                // A child process that was starting when the holder ended may keep the lock a
                // moment longer.
                Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => std::thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Err(Error::Busy),
                // A file system without locks. At worst an answer is paid for twice.
                Err(TryLockError::Error(_)) => break,
            }
        }
        let (entries, end) = read::<S::Entry>(file.try_clone().map_err(io)?).map_err(io)?;
        file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(io)?;
        Ok(Self { file, path, end, entries })
    }

    /// Appends entries; returns once they are on disk.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn append(&mut self, entries: Vec<S::Entry>) -> Result<(), Error<S>> {
        let mut out = if self.end == 0 { S::Entry::MAGIC.to_vec() } else { Vec::new() };
        for entry in &entries {
            entry.encode(&mut out);
        }
        if let Err(source) = self.file.write_all(&out).and_then(|()| self.file.sync_data()) {
            // Other threads may still append; behind a torn entry theirs would be unreadable.
            let _ = self.file.set_len(self.end).and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
            return Err(Error::Io { path: self.path.clone(), source });
        }
        self.end += out.len() as u64;
        self.entries.extend(entries.into_iter().map(|entry| (entry.key(), entry)));
        Ok(())
    }

    /// Empties the journal; call it once all its entries are in Git.
    pub(super) fn clear(self) {
        // A failure is harmless: the answers are then stored twice.
        let _ = self.file.set_len(0);
    }
}

/// Reads the complete entries of a journal, and the offset where the last one ends; 0 without a
/// magic.
fn read<E: Entry>(file: File) -> std::io::Result<(Entries<E>, u64)> {
    let mut input = BufReader::new(file);
    input.rewind()?;
    let mut entries = Entries::<E>::new();
    let mut magic = vec![0; E::MAGIC.len()];
    if input.read_exact(&mut magic).is_err() || magic != E::MAGIC {
        return Ok((entries, 0));
    }
    let mut end = E::MAGIC.len() as u64;
    while let Some((entry, len)) = E::read(&mut input) {
        entries.insert(entry.key(), entry);
        end += len as u64;
    }
    Ok((entries, end))
}
