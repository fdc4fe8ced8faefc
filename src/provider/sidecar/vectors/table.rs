//! The vectors of one index, arranged for queries in a mapped cache file.
//!
//! Reading thousands of blobs for each query would take seconds. So the vectors that match an
//! index's records are copied once into a file in `<common directory>/cora/vectors/`. Its name is
//! made of the tree of vectors and the tree of records, which together determine its content. It is
//! a cache: a damaged table is rebuilt, and old ones are removed.
//!
//! ```text
//! "CVECTAB1"
//! rows, file after file: scale f32, components [dimensions]
//! files, by path: path start u32, path length u32, first row u32, number of rows u32
//! paths
//! dimensions u32, number of rows u32, number of files u32, bytes of paths u32, unusable files u32
//! CRC-32 u32 of everything between the rows and itself
//! ```

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use crate::base::id::ObjectId;
use crate::base::new_file::NewFile;
use crate::base::progress::{Phase, Task};
use crate::base::tempfile::Pieces;
use crate::git::{Blob, Repository};
use crate::provider::embedding::Question;
use crate::search::segment::Bytes;

use super::decode::{MAX_BYTES, decode};
use super::{Error, Result, VectorsRef};

const MAGIC: &[u8; 8] = b"CVECTAB1";
const ENTRY: usize = 16;
const TAIL: usize = 24;

/// Most tables that are kept.
const KEPT: usize = 4;

/// The vectors of an index.
#[derive(Debug)]
pub struct Table {
    bytes: Bytes,
    dimensions: usize,
    n_files: usize,
    /// Offset of the files' entries.
    entries: usize,
    /// Number of files whose vectors are damaged or belong to another record.
    pub n_unfit: usize,
}

/// The vectors of a file.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'t> {
    bytes: &'t [u8],
    row_bytes: usize,
}

impl Rows<'_> {
    /// Returns the number of vectors.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.row_bytes.max(1)
    }

    /// Reports whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the cosines with a question, in order, in the units of [`Question::cosine`].
    pub fn cosines(&self, question: &Question) -> impl Iterator<Item = i32> {
        self.bytes.chunks_exact(self.row_bytes.max(1)).map(|row| {
            let (scale, components) = row.split_first_chunk::<4>().unwrap_or((&[0; 4], &[]));
            question.cosine(f32::from_le_bytes(*scale), components)
        })
    }
}

impl Table {
    /// Opens the table of `found` for the index whose tree of records is `records`; builds it first
    /// if it is missing or damaged.
    ///
    /// # Errors
    /// [`Error::Git`], [`Error::Cancelled`].
    pub fn open(repo: &Repository, found: &VectorsRef, records: ObjectId, task: Task<'_>) -> Result<Self> {
        let dir = repo.cora_dir().join("vectors");
        let path = dir.join(format!("{}-{}.v1", found.files, records.abbreviated(20)));
        if let Ok(bytes) = Bytes::map(&path)
            && let Ok(table) = Self::read(bytes)
        {
            return Ok(table);
        }
        let built = (|| -> std::io::Result<Result<Self>> {
            repo.sharing().create_dir_all(&dir)?;
            let mut file = NewFile::in_dir(&dir, "tmp_vectors", 0o666)?;
            let mut out = Pieces::new(file.as_file_mut());
            if let Err(error) = build(repo, found, records, &mut out, task)? {
                return Ok(Err(error));
            }
            out.into_inner()?;
            file.share(repo.sharing())?;
            file.persist(&path)?;
            let bytes = Bytes::map(&path).map_err(|error| std::io::Error::other(error.to_string()))?;
            Ok(Self::read(bytes))
        })();
        evict(&dir, &path);
        match built {
            Ok(table) => table,
            // No space or no permission to store it: build it in memory, for this process only.
            Err(_) => {
                let mut bytes = Vec::new();
                let io = |source| Error::Io { path: path.clone(), source };
                build(repo, found, records, &mut bytes, task).map_err(io)??;
                Self::from_bytes(bytes)
            }
        }
    }

    /// Opens a table in memory.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::read(Bytes::Owned(bytes))
    }

    /// Checks the bytes of a table, except the rows.
    fn read(bytes: Bytes) -> Result<Self> {
        let bad = Error::Corrupt("the table is damaged");
        let tail = bytes.len().checked_sub(TAIL).and_then(|at| bytes.get(at..));
        let Some(tail) = tail.filter(|_| bytes.starts_with(MAGIC)) else { return Err(bad) };
        let n = |at: usize| {
            tail.get(at..).and_then(|rest| rest.first_chunk::<4>()).map_or(0, |n| u32::from_le_bytes(*n))
        };
        let [dimensions, n_rows, n_files, n_paths, n_unfit, crc] = [0, 4, 8, 12, 16, 20].map(n);
        // The product of two numbers of 32 bits and a little more does not fit in 64 bits.
        let entries = MAGIC.len() as u128 + u128::from(n_rows) * (4 + u128::from(dimensions));
        let rest = u128::from(n_files) * ENTRY as u128 + u128::from(n_paths);
        if dimensions == 0 || entries + rest + TAIL as u128 != bytes.len() as u128 {
            return Err(bad);
        }
        let entries = usize::try_from(entries).map_err(|_| Error::Corrupt("the table is too large"))?;
        let checked = bytes.get(entries..bytes.len() - 4).unwrap_or_default();
        if crc32fast::hash(checked) != crc {
            return Err(bad);
        }
        Ok(Self {
            dimensions: dimensions as usize,
            n_files: n_files as usize,
            entries,
            n_unfit: n_unfit as usize,
            bytes,
        })
    }

    /// Returns the number of files.
    pub fn n_files(&self) -> usize {
        self.n_files
    }

    fn entry(&self, at: usize) -> Option<[u32; 4]> {
        let entry = self.bytes.get(self.entries + at * ENTRY..)?.first_chunk::<ENTRY>()?;
        let (numbers, _) = entry.as_chunks::<4>();
        let mut all = [0; 4];
        for (to, from) in all.iter_mut().zip(numbers) {
            *to = u32::from_le_bytes(*from);
        }
        Some(all)
    }

    fn path(&self, entry: [u32; 4]) -> Option<&BStr> {
        let start = self.entries + self.n_files * ENTRY + entry[0] as usize;
        Some(self.bytes.get(start..start.checked_add(entry[1] as usize)?)?.as_bstr())
    }

    /// Returns the dimensions of each vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Returns the vectors of the file at `path`, one for each of its chunks.
    pub fn rows(&self, path: &BStr) -> Option<Rows<'_>> {
        let (mut low, mut high) = (0, self.n_files);
        while low < high {
            let middle = low + (high - low) / 2;
            let entry = self.entry(middle)?;
            match self.path(entry)?.cmp(path) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    let row_bytes = 4 + self.dimensions;
                    let start = MAGIC.len().checked_add((entry[2] as usize).checked_mul(row_bytes)?)?;
                    let end = start.checked_add((entry[3] as usize).checked_mul(row_bytes)?)?;
                    let bytes = self.bytes.get(start..end).filter(|_| end <= self.entries)?;
                    return Some(Rows { bytes, row_bytes });
                }
            }
        }
        None
    }
}

/// Writes the table to `out`; the outer error is the file system's.
fn build(
    repo: &Repository,
    found: &VectorsRef,
    records: ObjectId,
    out: &mut dyn Write,
    task: Task<'_>,
) -> std::io::Result<Result<()>> {
    let (files, records) = match repo.tree_files(found.files).and_then(|f| Ok((f, repo.tree_files(records)?)))
    {
        Ok(trees) => trees,
        Err(error) => return Ok(Err(error.into())),
    };
    let phase = Phase::begin(task.progress, "preparing the vectors", "files", files.len(), 1_000);
    out.write_all(MAGIC)?;
    let (mut entries, mut paths) = (Vec::new(), Vec::new());
    let (mut n_rows, mut n_unfit) = (0u32, 0u32);
    let narrow = |n: usize| u32::try_from(n).map_err(|_| std::io::Error::other("too many vectors"));
    for part in files.chunks(256) {
        let read: Vec<(&BString, Option<Vec<u8>>)> = part
            .par_iter()
            .filter_map(|file| {
                let at = records.binary_search_by(|record| record.path.cmp(&file.path)).ok()?;
                let record = records.get(at)?.id;
                let bytes = match repo.blob(file.id, MAX_BYTES) {
                    Ok(Blob::Bytes(bytes)) => bytes,
                    _ => return Some((&file.path, None)),
                };
                let rows = decode(&bytes)
                    .ok()
                    .filter(|vectors| vectors.record == record && vectors.dimensions == found.dimensions);
                let rows = rows.map(|vectors| {
                    let mut rows = Vec::new();
                    for row in vectors.rows() {
                        rows.extend_from_slice(&row.scale.to_le_bytes());
                        rows.extend_from_slice(row.components);
                    }
                    rows
                });
                Some((&file.path, rows))
            })
            .collect();
        if task.is_cancelled() {
            return Ok(Err(Error::Cancelled));
        }
        for (path, rows) in read {
            let Some(rows) = rows else {
                n_unfit += 1;
                continue;
            };
            let n = narrow(rows.len() / (4 + found.dimensions))?;
            for number in [narrow(paths.len())?, narrow(path.len())?, n_rows, n] {
                entries.extend_from_slice(&number.to_le_bytes());
            }
            paths.extend_from_slice(path);
            n_rows = n_rows.checked_add(n).ok_or_else(|| std::io::Error::other("too many vectors"))?;
            out.write_all(&rows)?;
        }
        phase.advance(part.len() as u64);
    }
    drop(phase);
    let n_entries = narrow(entries.len() / ENTRY)?;
    let mut rest = entries;
    let n_paths = narrow(paths.len())?;
    rest.append(&mut paths);
    for number in [narrow(found.dimensions)?, n_rows, n_entries, n_paths, n_unfit] {
        rest.extend_from_slice(&number.to_le_bytes());
    }
    rest.extend_from_slice(&crc32fast::hash(&rest).to_le_bytes());
    out.write_all(&rest)?;
    Ok(Ok(()))
}

/// Removes all but the newest tables; ignores failures.
fn evict(dir: &Path, keep: &Path) {
    let mut tables: Vec<(std::time::SystemTime, PathBuf)> = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path() != keep)
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    tables.sort_unstable_by(|a, b| b.cmp(a));
    for (_, path) in tables.into_iter().skip(KEPT - 1) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn absurd_numbers_are_no_table() {
        let table = |numbers: [u32; 5], paths: &[u8]| {
            let tail: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            let checked = [paths, &tail].concat();
            Table::from_bytes([&MAGIC[..], &checked, &crc32fast::hash(&checked).to_le_bytes()].concat())
        };
        assert_eq!(table([1, 0, 0, 0, 0], b"").unwrap().n_files(), 0);
        for numbers in [
            [u32::MAX, u32::MAX, 0, 0, 0],
            [u32::MAX; 5],
            // Multiplied in 64 bits, these rows would have no bytes.
            [u32::MAX - 3, 1 << 31, 0, 0, 0],
            [1, 0, u32::MAX, 0, 0],
            [0, 0, 0, 0, 0],
        ] {
            assert!(table(numbers, b"").is_err(), "{numbers:?}");
        }
    }

    #[test]
    fn the_four_newest_tables_stay() {
        let dir = ::tempfile::tempdir().unwrap();
        let path = |n: u64| dir.path().join(n.to_string());
        for n in 1..=6 {
            let file = fs::File::create(path(n)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(3600 * n)).unwrap();
        }
        evict(dir.path(), &path(6));
        let left: Vec<u64> = (1..=6).filter(|n| path(*n).exists()).collect();
        assert_eq!(left, [1, 2, 3, 6], "the one in use is the fourth");
    }
}
