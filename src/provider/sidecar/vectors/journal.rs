//! An entry of the journal: a key, a scale, the number of dimensions, the components, and a CRC-32.
//!
//! The checksum finds an entry that an interruption cut off.

use std::io::BufRead;

use crate::provider::embedding::Row;
use crate::provider::sidecar::Entry;

use super::Key;

/// Bytes of key, scale and number of dimensions.
const HEAD: usize = 16 + 4 + 4;
const MAX_DIMENSIONS: u32 = 16_384;

/// A vector and the key of its text.
#[derive(Debug, Clone)]
pub struct KeyedRow {
    /// The key of the text.
    pub key: Key,
    /// The vector.
    pub row: Row,
}

impl Entry for KeyedRow {
    type Key = Key;

    const MAGIC: &'static [u8] = b"CVECLOG1";

    fn key(&self) -> Key {
        self.key
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let start = out.len();
        let n = u32::try_from(self.row.components.len()).unwrap_or(u32::MAX);
        out.extend_from_slice(&self.key);
        out.extend_from_slice(&self.row.scale.to_le_bytes());
        out.extend_from_slice(&n.to_le_bytes());
        out.extend(self.row.components.iter().map(|x| x.cast_unsigned()));
        let crc = crc32fast::hash(out.get(start..).unwrap_or_default());
        out.extend_from_slice(&crc.to_le_bytes());
    }

    fn read(input: &mut dyn BufRead) -> Option<(Self, usize)> {
        let mut entry = vec![0; HEAD];
        input.read_exact(&mut entry).ok()?;
        let n = u32::from_le_bytes(*entry.last_chunk::<4>()?);
        if !(1..=MAX_DIMENSIONS).contains(&n) {
            return None;
        }
        entry.resize(HEAD + n as usize + 4, 0);
        input.read_exact(entry.get_mut(HEAD..)?).ok()?;
        let (body, crc) = entry.split_last_chunk::<4>()?;
        let key = *body.first_chunk::<16>()?;
        let scale = f32::from_le_bytes(*body.get(16..)?.first_chunk::<4>()?);
        if u32::from_le_bytes(*crc) != crc32fast::hash(body) || !scale.is_finite() {
            return None;
        }
        let components = body.get(HEAD..)?.iter().map(|byte| byte.cast_signed()).collect();
        Some((Self { key, row: Row { scale, components } }, entry.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Error, VectorSidecar};
    use super::*;
    use crate::base::sharing::Sharing;
    use crate::provider::sidecar::journal;

    type Journal = journal::Journal<VectorSidecar>;

    fn row(n: u8) -> KeyedRow {
        KeyedRow { key: [n; 16], row: Row::quantise(&[f32::from(n), 1.0, -2.0]).unwrap() }
    }

    #[test]
    fn what_was_appended_is_there_again_and_torn_ends_are_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sub/m.journal");
        let mut journal = Journal::open(path.clone(), Sharing::Umask).unwrap();
        journal.append(vec![row(1), row(2)]).unwrap();
        journal.append(vec![row(3)]).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let entry = (whole.len() - KeyedRow::MAGIC.len()) / 3;
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let n = cut.saturating_sub(KeyedRow::MAGIC.len()) / entry;
            assert_eq!(Journal::peek(&path).len(), n, "{cut}");
            let mut journal = Journal::open(path.clone(), Sharing::Umask).unwrap();
            assert_eq!(journal.entries.len(), n, "{cut}");
            journal.append(vec![row(9)]).unwrap();
            drop(journal);
            assert_eq!(Journal::peek(&path).len(), n + 1, "{cut}");
        }
        let mut bad = whole.clone();
        bad[KeyedRow::MAGIC.len() + entry + 20] ^= 1;
        std::fs::write(&path, &bad).unwrap();
        assert_eq!(Journal::peek(&path).into_keys().collect::<Vec<_>>(), [[1; 16]]);
        Journal::open(path.clone(), Sharing::Umask).unwrap().clear();
        assert!(path.exists() && Journal::peek(&path).is_empty());
    }

    #[test]
    fn two_do_not_write_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("m.journal");
        let first = Journal::open(path.clone(), Sharing::Umask).unwrap();
        assert!(matches!(Journal::open(path.clone(), Sharing::Umask), Err(Error::Busy)));
        drop(first);
        Journal::open(path, Sharing::Umask).unwrap();
    }

    #[test]
    fn an_emptied_journal_keeps_its_lock() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("m.journal");
        let mut first = Journal::open(path.clone(), Sharing::Umask).unwrap();
        first.append(vec![row(1)]).unwrap();
        // Another process has opened the file and waits for its lock.
        let waiting = std::fs::File::open(&path).unwrap();
        first.clear();
        // A child process of another test that is just starting may keep the lock a moment longer.
        waiting.lock().unwrap();
        assert!(matches!(Journal::open(path, Sharing::Umask), Err(Error::Busy)), "both would write");
    }

    #[test]
    fn a_lock_that_is_held_for_a_moment_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("m.journal");
        let first = Journal::open(path.clone(), Sharing::Umask).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(50));
                drop(first);
            });
            Journal::open(path, Sharing::Umask).unwrap();
        });
    }

    #[test]
    fn dimensions_are_bounded() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("m.journal");
        for (n, is_good) in [(0, false), (1, true), (16_384, true), (16_385, false)] {
            let mut journal = Journal::open(path.clone(), Sharing::Umask).unwrap();
            journal
                .append(vec![KeyedRow { key: [7; 16], row: Row { scale: 1.0, components: vec![1; n] } }])
                .unwrap();
            drop(journal);
            assert_eq!(Journal::peek(&path).len(), usize::from(is_good), "{n} dimensions");
            std::fs::remove_file(&path).unwrap();
        }
    }
}
