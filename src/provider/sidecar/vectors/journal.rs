//! The journal: a provider's answers, on disk before anything else is done with them.
//!
//! One file for each model in `<common directory>/cora/embeddings/`. It is also the lock against a
//! second run. After the magic, an entry is a key, a scale, the number of dimensions, the
//! components, and a CRC-32. The checksum finds an entry that an interruption cut off; it is
//! dropped. The journal is removed once all its rows are in Git.
//!
//! Must not: write to Git.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::provider::embedding::Row;

use super::{Error, Key, Result};

const MAGIC: &[u8; 8] = b"CVECLOG1";
/// Bytes of key, scale and number of dimensions.
const HEAD: usize = 16 + 4 + 4;
const MAX_DIMENSIONS: u32 = 16_384;

/// An open journal, which holds the lock.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    /// Its rows by key.
    pub(super) rows: HashMap<Key, Row>,
}

impl Journal {
    /// Reads the rows of the journal at `path`, if it exists, without the lock.
    pub(super) fn peek(path: &Path) -> HashMap<Key, Row> {
        File::open(path).ok().and_then(|file| read(&file).ok()).map(|(rows, _)| rows).unwrap_or_default()
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
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::Busy),
            // A file system without locks. At worst a text is paid for twice.
            Err(TryLockError::Error(_)) => {}
        }
        let (rows, end) = read(&file).map_err(io)?;
        let end = match end {
            0 => {
                file.set_len(0)
                    .and_then(|()| file.rewind())
                    .and_then(|()| file.write_all(MAGIC))
                    .map_err(io)?;
                MAGIC.len() as u64
            }
            end => end,
        };
        file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end))).map_err(io)?;
        Ok(Self { file, path, rows })
    }

    /// Appends rows; returns once they are on disk.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub(super) fn append(&mut self, rows: Vec<(Key, Row)>) -> Result<()> {
        let io = |source| Error::Io { path: self.path.clone(), source };
        let mut out = BufWriter::new(&self.file);
        for (key, row) in &rows {
            let n = u32::try_from(row.components.len()).unwrap_or(u32::MAX);
            let mut entry = Vec::with_capacity(HEAD + row.components.len() + 4);
            entry.extend_from_slice(key);
            entry.extend_from_slice(&row.scale.to_le_bytes());
            entry.extend_from_slice(&n.to_le_bytes());
            entry.extend(row.components.iter().map(|x| x.cast_unsigned()));
            entry.extend_from_slice(&crc32fast::hash(&entry).to_le_bytes());
            out.write_all(&entry).map_err(io)?;
        }
        out.flush().map_err(io)?;
        drop(out);
        self.file.sync_data().map_err(io)?;
        self.rows.extend(rows);
        Ok(())
    }

    /// Removes the journal; call it once all its rows are in Git.
    pub(super) fn remove(self) {
        // Emptied first, for processes that have it open already.
        let _ = self.file.set_len(0);
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Reads the complete entries of a journal, and the offset where the last one ends; 0 without a
/// magic.
fn read(file: &File) -> std::io::Result<(HashMap<Key, Row>, u64)> {
    let mut rows = HashMap::new();
    let mut input = BufReader::new(file);
    input.rewind()?;
    let mut magic = [0; MAGIC.len()];
    if input.read_exact(&mut magic).is_err() || magic != *MAGIC {
        return Ok((rows, 0));
    }
    let mut end = MAGIC.len() as u64;
    let mut entry = vec![0; HEAD];
    loop {
        entry.resize(HEAD, 0);
        if input.read_exact(&mut entry).is_err() {
            return Ok((rows, end));
        }
        let n = entry.last_chunk::<4>().copied().map_or(0, u32::from_le_bytes);
        if !(1..=MAX_DIMENSIONS).contains(&n) {
            return Ok((rows, end));
        }
        entry.resize(HEAD + n as usize + 4, 0);
        if input.read_exact(entry.get_mut(HEAD..).unwrap_or_default()).is_err() {
            return Ok((rows, end));
        }
        let Some((body, crc)) = entry.split_last_chunk::<4>() else { return Ok((rows, end)) };
        let (Some(key), Some(scale), Some(components)) = (
            body.first_chunk::<16>(),
            body.get(16..).and_then(|rest| rest.first_chunk::<4>()),
            body.get(HEAD..),
        ) else {
            return Ok((rows, end));
        };
        let scale = f32::from_le_bytes(*scale);
        if u32::from_le_bytes(*crc) != crc32fast::hash(body) || !scale.is_finite() {
            return Ok((rows, end));
        }
        let components = components.iter().map(|byte| byte.cast_signed()).collect();
        rows.insert(*key, Row { scale, components });
        end += entry.len() as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(n: u8) -> (Key, Row) {
        ([n; 16], Row::quantise(&[f32::from(n), 1.0, -2.0]).unwrap())
    }

    #[test]
    fn what_was_appended_is_there_again_and_torn_ends_are_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sub/m.journal");
        let mut journal = Journal::open(path.clone()).unwrap();
        journal.append(vec![row(1), row(2)]).unwrap();
        journal.append(vec![row(3)]).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let entry = (whole.len() - MAGIC.len()) / 3;
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let n = cut.saturating_sub(MAGIC.len()) / entry;
            assert_eq!(Journal::peek(&path).len(), n, "{cut}");
            let mut journal = Journal::open(path.clone()).unwrap();
            assert_eq!(journal.rows.len(), n, "{cut}");
            journal.append(vec![row(9)]).unwrap();
            drop(journal);
            assert_eq!(Journal::peek(&path).len(), n + 1, "{cut}");
        }
        let mut bad = whole.clone();
        bad[MAGIC.len() + entry + 20] ^= 1;
        std::fs::write(&path, &bad).unwrap();
        assert_eq!(Journal::peek(&path).into_keys().collect::<Vec<_>>(), [[1; 16]]);
        Journal::open(path.clone()).unwrap().remove();
        assert!(!path.exists());
    }

    #[test]
    fn two_do_not_write_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("m.journal");
        let first = Journal::open(path.clone()).unwrap();
        assert!(matches!(Journal::open(path.clone()), Err(Error::Busy)));
        drop(first);
        Journal::open(path).unwrap();
    }
}
