//! The cache of segments: finding, building, bounding it.
//!
//! A segment is stored in `<common dir>/cora/segments/`, named by its record tree, its source tree
//! and the segment version. Linked work trees share it. It is a cache: a damaged file is deleted
//! and rebuilt, and the choice of a file never changes an answer.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use crate::base::config;
use crate::base::id::ObjectId;
use crate::base::progress::{Phase, Task};
use crate::git::{self, Attributes, Blob, Repository, TreeEntry};
use crate::index::record::{self, RecordView, Scratch};
use crate::index::{
    IndexOptions, LoadedRecord, Recorder, Snapshot, is_made_here, load_record, max_record_bytes,
};
use crate::search::segment::{self, SEGMENT_VERSION, Segment, SegmentBuilder};

use crate::search::{Error, Result};

/// Number of cached segments that are tried as a base, most recently used first.
const BASES: usize = 6;

/// Parts of a segment that are built for each thread.
const PARTS_PER_THREAD: usize = 2;

/// Most parts that a segment is built in. Each holds words that others hold too, so the memory
/// grows with their number.
const PARTS: usize = 8;

/// Chunks that any foreign index may have.
const FREE_CHUNKS: u64 = 10_000;

/// Fewest compressed bytes of a repository for each chunk of a foreign index. The record of an
/// honest chunk has 300, and less where a pack has it as the difference from another one.
const STORED_BYTES_PER_CHUNK: u64 = 64;

/// Fewest files of a part.
const MIN_PART_FILES: usize = 256;

/// File extension of a segment's graph of neighbours, after the segment's own.
const NEIGHBOURS: &str = ".hnsw";

/// A file's time of use is renewed when it is older than this, so that queries don't write each
/// time.
const USE_GRAIN: Duration = Duration::from_secs(3600);

/// The cache of one repository.
pub(crate) struct Cache<'r> {
    repo: &'r Repository,
    dir: PathBuf,
}

/// A cached segment and what it holds.
pub(crate) struct Base {
    /// The record tree that it was built from.
    pub(crate) files: ObjectId,
    pub(crate) segment: Segment,
}

impl<'r> Cache<'r> {
    pub(crate) fn new(repo: &'r Repository) -> Self {
        Self { repo, dir: repo.cora_dir().join("segments") }
    }

    fn path(&self, snapshot: &Snapshot) -> PathBuf {
        let source = snapshot.source_tree.abbreviated(20);
        self.dir.join(format!("{}-{source}.v{SEGMENT_VERSION}", snapshot.files))
    }

    /// The segment of exactly this snapshot, if it is cached and intact.
    pub(crate) fn exact(&self, snapshot: &Snapshot) -> Option<Base> {
        Some(Base { files: snapshot.files, segment: open_or_remove(&self.path(snapshot), snapshot.files)? })
    }

    /// Whether the segment of exactly this snapshot is cached.
    pub(crate) fn has(&self, snapshot: &Snapshot) -> bool {
        self.path(snapshot).exists()
    }

    /// Whether any segment is cached. None is opened, so all may be damaged.
    pub(crate) fn has_any(&self) -> bool {
        self.stored().next().is_some()
    }

    /// The files of segments, each with the record tree that it was built from.
    fn stored(&self) -> impl Iterator<Item = (fs::DirEntry, ObjectId)> + use<> {
        let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        entries.filter_map(|entry| files_of(&entry.path()).map(|id| (entry, id)))
    }

    /// Removes all cached segments; what can't be removed is left.
    pub(crate) fn clear(&self) {
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let _ = fs::remove_file(entry.path());
        }
    }

    /// Cached segments that may serve as a base, most recently used first; opened one by one.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = Base> + use<> {
        let mut files: Vec<(SystemTime, PathBuf, ObjectId)> = Vec::new();
        for (entry, id) in self.stored() {
            if let Ok(meta) = entry.metadata() {
                files.push((meta.modified().unwrap_or(SystemTime::UNIX_EPOCH), entry.path(), id));
            }
        }
        files.sort_by(|a, b| b.cmp(a));
        files
            .into_iter()
            .take(BASES)
            .filter_map(|(_, path, files)| Some(Base { files, segment: open_or_remove(&path, files)? }))
    }

    /// Returns what `look` finds, else what `build` makes. Before building it waits until no other
    /// process builds a segment, and looks again.
    pub(crate) fn find_or_build<T>(
        &self,
        look: impl Fn() -> Option<T>,
        build: impl FnOnce() -> Result<T>,
        task: Task<'_>,
    ) -> Result<T> {
        if let Some(found) = look() {
            return Ok(found);
        }
        let _turn = self.repo.turn("segment", "preparing the search", task)?;
        look().map_or_else(build, Ok)
    }

    /// Builds the segment of a snapshot and caches it; for [`Cache::find_or_build`]. Records that
    /// are missing, damaged or of another blob are rebuilt from the source; their paths are added
    /// to `repaired`.
    pub(crate) fn build(
        &self,
        snapshot: &Snapshot,
        options: &IndexOptions,
        repaired: &mut Vec<BString>,
        task: Task<'_>,
    ) -> Result<Base> {
        let source = self.repo.tree_files(snapshot.source_tree)?;
        let records = self.repo.tree_files_beside(snapshot.files, &source)?;
        let loader = Loader::new(self.repo, options, snapshot)?;
        let phase = Phase::begin(task.progress, "preparing the search", "files", source.len(), 2_000);
        let parts = || self.build_parts(&loader, &source, &records, task);
        let (builder, mut remade) = parts()?;
        drop(phase);
        repaired.append(&mut remade);
        let path = self.path(snapshot);
        let files = snapshot.files;
        let sharing = self.repo.sharing();
        let stored = sharing
            .create_dir_all(&self.dir)
            .map_err(|source| segment::Error::Io { path: self.dir.clone(), source })
            .and_then(|()| builder.finish(&snapshot.files.to_string(), &path, sharing));
        match stored {
            Ok(_) => Ok(Base { files, segment: Segment::open(&path)? }),
            // It can't be written: keep it in memory for this run.
            Err(segment::Error::Io { .. }) => {
                Ok(Base { files, segment: Segment::from_bytes(parts()?.0.into_memory()?)? })
            }
            Err(error) => Err(Error::Segment(error)),
        }
    }

    fn build_parts(
        &self,
        loader: &Loader<'_>,
        source: &[TreeEntry],
        records: &[TreeEntry],
        task: Task<'_>,
    ) -> Result<(SegmentBuilder, Vec<BString>)> {
        let part_len = part_len(source.len(), rayon::current_num_threads());
        let parts: Vec<Result<(SegmentBuilder, Vec<BString>)>> = source
            .par_chunks(part_len)
            .map(|part| {
                let mut builder = SegmentBuilder::new();
                let mut scratch = Scratch::default();
                let mut remade = Vec::new();
                for file in part {
                    if task.is_cancelled() {
                        return Err(Error::Cancelled);
                    }
                    let stored = records
                        .binary_search_by(|record| record.path.cmp(&file.path))
                        .ok()
                        .and_then(|at| records.get(at));
                    let loaded = loader.load_into(file, stored.map(|entry| entry.id), &mut scratch)?;
                    if loaded.is_remade {
                        remade.push(file.path.clone());
                    }
                    add_loaded(&mut builder, file.path.as_bstr(), &loaded, &mut scratch)?;
                    task.progress.advance(1);
                }
                builder.shrink();
                Ok((builder, remade))
            })
            .collect();
        let mut whole = SegmentBuilder::new();
        let mut repaired = Vec::new();
        for part in parts {
            let (builder, mut remade) = part?;
            whole.append(builder)?;
            repaired.append(&mut remade);
        }
        Ok((whole, repaired))
    }

    /// Removes the least recently used segments until the cache is below `max_bytes`, and files of
    /// interrupted builds. The segment of `in_use` stays. Failures are ignored until the next time.
    pub(crate) fn evict(&self, max_bytes: u64, in_use: &Snapshot) {
        let keep = self.path(in_use);
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            let (path, Ok(meta)) = (entry.path(), entry.metadata()) else { continue };
            let used = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let is_ours = files_of(&path).is_some();
            let age = SystemTime::now().duration_since(used).unwrap_or_default();
            if path == keep || path == neighbours_path(&keep) || is_of_segment(&path) {
                continue;
            }
            if is_ours {
                // Its graph counts with it and is removed with it.
                let graph = fs::metadata(neighbours_path(&path)).map_or(0, |meta| meta.len());
                files.push((used, meta.len() + graph, path));
            } else if age > Duration::from_secs(24 * 3600) {
                let _ = fs::remove_file(&path);
            }
        }
        let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        files.sort();
        for (_, bytes, path) in files {
            if total <= max_bytes {
                break;
            }
            if fs::remove_file(&path).is_ok() {
                let _ = fs::remove_file(neighbours_path(&path));
                total -= bytes;
            }
        }
    }
}

/// Returns the number of files in each part of a segment that this many threads build.
///
/// Parts are few and large, because each collects its own words. There are enough of them that no
/// thread waits long at the end. The result is the same for any number.
fn part_len(n_files: usize, n_threads: usize) -> usize {
    let n_parts = n_threads.saturating_mul(PARTS_PER_THREAD).clamp(1, PARTS);
    n_files.div_ceil(n_parts).max(MIN_PART_FILES)
}

/// Adds a record's bytes to a builder.
pub(crate) fn add(
    builder: &mut SegmentBuilder,
    path: &BStr,
    bytes: &[u8],
    scratch: &mut Scratch,
) -> Result<()> {
    match RecordView::open(bytes)? {
        record::OpenRecord::Skipped(reason) => builder.add_skipped(path, reason.code())?,
        record::OpenRecord::Indexed(view) => builder.add_file(path, &view, scratch)?,
    }
    Ok(())
}

/// Adds a record that was loaded with the same `scratch`. A record that was checked is not read
/// again.
fn add_loaded(
    builder: &mut SegmentBuilder,
    path: &BStr,
    loaded: &LoadedRecord,
    scratch: &mut Scratch,
) -> Result<()> {
    match RecordView::open(&loaded.bytes)? {
        record::OpenRecord::Indexed(view) if loaded.is_read => builder.add_read_file(path, &view, scratch)?,
        _ => add(builder, path, &loaded.bytes, scratch)?,
    }
    Ok(())
}

/// Loads records and rebuilds those that can't be trusted.
pub(crate) struct Loader<'r> {
    repo: &'r Repository,
    recorder: Recorder,
    attributes: Attributes,
    /// Whether this machine made all records of the snapshot.
    is_made_here: bool,
    /// The bounds of a foreign index whose sources may be missing.
    allowance: Option<Allowance>,
}

impl<'r> Loader<'r> {
    pub(crate) fn new(repo: &'r Repository, options: &IndexOptions, snapshot: &Snapshot) -> Result<Self> {
        let is_made_here = is_made_here(repo, snapshot.files);
        Ok(Self {
            repo,
            recorder: Recorder::new(options.clone()),
            attributes: repo.attributes(snapshot.source_tree)?,
            is_made_here,
            allowance: if is_made_here { None } else { allowance(repo, snapshot)? },
        })
    }

    /// Returns a loader for sources without stored records: it makes all of them.
    pub(crate) fn without_records(
        repo: &'r Repository,
        options: &IndexOptions,
        source_tree: ObjectId,
    ) -> Result<Self> {
        Ok(Self {
            repo,
            recorder: Recorder::new(options.clone()),
            attributes: repo.attributes(source_tree)?,
            is_made_here: false,
            allowance: None,
        })
    }

    /// The record of a source file: the stored one if its source may give it, else a new one.
    pub(crate) fn load(&self, file: &TreeEntry, stored: Option<ObjectId>) -> Result<LoadedRecord> {
        self.load_into(file, stored, &mut Scratch::default())
    }

    /// Does the same as [`Loader::load`]. A stored record leaves its words in `scratch`.
    fn load_into(
        &self,
        file: &TreeEntry,
        stored: Option<ObjectId>,
        scratch: &mut Scratch,
    ) -> Result<LoadedRecord> {
        let stored = match stored {
            Some(stored) => match self.repo.blob(stored, self.max_record_bytes(file)?)? {
                Blob::Bytes(bytes) => {
                    self.allowance.as_ref().map_or(Ok(()), |all| all.read(bytes.len() as u64))?;
                    Some(bytes)
                }
                Blob::TooLarge { .. } | Blob::Missing => None,
            },
            None => None,
        };
        let Self { repo, recorder, attributes, is_made_here, .. } = self;
        let loaded = load_record(repo, recorder, attributes, file, stored, *is_made_here, scratch)?;
        if let Some(all) = self.allowance.as_ref().filter(|_| !loaded.is_remade)
            && let record::OpenRecord::Indexed(view) = RecordView::open(&loaded.bytes)?
        {
            all.add_chunks(view.n_chunks().into(), || repo.stored_bytes())?;
        }
        Ok(loaded)
    }

    /// Returns whether a file's stored record belongs to its source blob, but is not what the
    /// source gives. The source must be here.
    pub(crate) fn is_forged(&self, file: &TreeEntry, stored: ObjectId) -> Result<bool> {
        let Blob::Bytes(bytes) = self.repo.blob(stored, record::limits::RECORD_BYTES as u64)? else {
            return Ok(false);
        };
        // Damaged records, and those of another blob, are in no segment.
        let is_its_own = match RecordView::open(&bytes) {
            Ok(record::OpenRecord::Indexed(view)) => view.blob() == file.id,
            Ok(record::OpenRecord::Skipped(_)) | Err(_) => false,
        };
        Ok(is_its_own && self.load(file, Some(stored))?.is_remade)
    }

    /// The most bytes that a stored record is read to.
    fn max_record_bytes(&self, file: &TreeEntry) -> Result<u64> {
        if self.is_made_here {
            return Ok(record::limits::RECORD_BYTES as u64);
        }
        Ok(max_record_bytes(self.repo, &self.recorder, file)?)
    }
}

/// What the records of a foreign index may cost together. One large record may be in its tree a
/// million times, and bytes that repeat are short when they are compressed.
#[derive(Debug)]
struct Allowance {
    tree: ObjectId,
    /// The most bytes of records.
    bytes: u64,
    read: AtomicU64,
    chunks: AtomicU64,
    /// The most chunks, if that was needed.
    most_chunks: OnceLock<u64>,
}

impl Allowance {
    fn new(tree: ObjectId, bytes: u64) -> Self {
        let [read, chunks] = [0, 0].map(AtomicU64::new);
        Self { tree, bytes, read, chunks, most_chunks: OnceLock::new() }
    }

    /// Counts the bytes of a record.
    ///
    /// # Errors
    /// [`git::Error::Limit`] if all records together have too many.
    fn read(&self, n_bytes: u64) -> Result<()> {
        self.within("bytes of records", add_to(&self.read, n_bytes), self.bytes)
    }

    /// Counts the chunks of a record. `stored` returns the compressed bytes of all objects.
    ///
    /// # Errors
    /// [`git::Error::Limit`] if all records together have too many.
    fn add_chunks(&self, n_chunks: u64, stored: impl FnOnce() -> Option<u64>) -> Result<()> {
        let sum = add_to(&self.chunks, n_chunks);
        if sum <= FREE_CHUNKS {
            return Ok(());
        }
        let most = || stored().map_or(u64::MAX, |bytes| FREE_CHUNKS.max(bytes / STORED_BYTES_PER_CHUNK));
        self.within("chunks of records", sum, *self.most_chunks.get_or_init(most))
    }

    fn within(&self, what: &'static str, sum: u64, most: u64) -> Result<()> {
        if sum <= most {
            return Ok(());
        }
        let limit = usize::try_from(most).unwrap_or(usize::MAX);
        Err(git::Error::Limit { what, id: self.tree, limit }.into())
    }
}

/// Adds to a sum, and returns the new one.
fn add_to(sum: &AtomicU64, n: u64) -> u64 {
    sum.fetch_add(n, Ordering::Relaxed).saturating_add(n)
}

/// Returns the bounds of the records of a snapshot that others made; `None` if they can be compared
/// with their sources.
fn allowance(repo: &Repository, snapshot: &Snapshot) -> Result<Option<Allowance>> {
    let bytes = match repo.max_foreign_bytes() {
        Some(bytes) => bytes,
        None if repo.is_partial() => repo.setting(&config::REMOTE_BYTES)?,
        None => return Ok(None),
    };
    Ok(Some(Allowance::new(snapshot.files, bytes)))
}

/// The path of a cached segment's graph.
pub(crate) fn neighbours_path(segment: &Path) -> PathBuf {
    let mut path = segment.as_os_str().to_owned();
    path.push(NEIGHBOURS);
    path.into()
}

/// Whether the file is the graph of a segment that is there.
fn is_of_segment(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).and_then(|name| name.strip_suffix(NEIGHBOURS));
    let segment = name.map(|name| path.with_file_name(name));
    segment.is_some_and(|segment| files_of(&segment).is_some() && segment.exists())
}

/// The record tree that a cached segment of this version holds, by its name.
fn files_of(path: &Path) -> Option<ObjectId> {
    let name = path.file_name()?.to_str()?;
    let (ids, version) = name.rsplit_once(".v")?;
    if version.parse() != Ok(SEGMENT_VERSION) {
        return None;
    }
    ids.split_once('-')?.0.parse().ok()
}

/// Opens the segment of a record tree. A damaged one, or one of another tree, is removed and so
/// rebuilt.
fn open_or_remove(path: &Path, files: ObjectId) -> Option<Segment> {
    match Segment::open(path) {
        Ok(segment) if segment.key() == files.to_string().as_bytes() => {
            touch(path);
            return Some(segment);
        }
        Err(segment::Error::Io { .. }) => return None,
        // Windows removes no file that is mapped.
        Ok(other) => drop(other),
        Err(_) => {}
    }
    let _ = fs::remove_file(path);
    None
}

/// Notes that the file was used.
fn touch(path: &Path) {
    let now = SystemTime::now();
    let used = fs::metadata(path).and_then(|meta| meta.modified()).unwrap_or(now);
    if now.duration_since(used).is_ok_and(|age| age > USE_GRAIN)
        && let Ok(file) = fs::File::options().append(true).open(path)
    {
        let _ = file.set_modified(now);
    }
}

#[cfg(test)]
mod tests;
