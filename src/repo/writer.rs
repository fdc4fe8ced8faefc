//! Writing objects: many as one pack, few as loose objects.
//!
//! Measured for 20,000 records: one pack 0.6–1.8 s, loose objects 3–15 s. Few objects are written loose all the
//! same: a pack for each commit would soon make `git gc --auto` repack. Entries are spilt to a file of ours as
//! they come, so that memory stays bounded; the pack and its index are made by gix, which checks every object
//! on the way. Nothing is visible before [`ObjectWriter::finish`].

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use crate::id::ObjectId;
use crate::progress::Cancel;

use super::trees::{EntryMode, RawEntry};
use super::{Error, Repository, Result, from_gix, to_gix};

/// Up to this many new objects are written loose. A commit of ten files in as many directories makes about 40.
const LOOSE_OBJECTS: usize = 100;

/// Files that killed processes left are removed when they are older than this.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// Kinds of objects that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// A blob.
    Blob,
    /// A tree.
    Tree,
    /// A commit.
    Commit,
}

impl ObjectKind {
    fn gix(self) -> gix::objs::Kind {
        match self {
            Self::Blob => gix::objs::Kind::Blob,
            Self::Tree => gix::objs::Kind::Tree,
            Self::Commit => gix::objs::Kind::Commit,
        }
    }
}

/// An object ready to be written: its id is known and its bytes are deflated. Made on any thread.
#[derive(Debug)]
pub struct EncodedObject {
    id: ObjectId,
    kind: ObjectKind,
    len: usize,
    deflated: Vec<u8>,
}

/// Hashes and deflates an object (zlib level 1: records are compressed already).
///
/// # Errors
/// [`Error::Write`] for bytes whose SHA-1 shows the marks of an attack.
pub fn encode_object(hash_len: usize, kind: ObjectKind, data: &[u8]) -> Result<EncodedObject> {
    let fail = |message: String| Error::Write { message };
    let hash = if hash_len == 32 { gix::hash::Kind::Sha256 } else { gix::hash::Kind::Sha1 };
    let id = gix::objs::compute_hash(hash, kind.gix(), data).map_err(|error| fail(error.to_string()))?;
    let mut out = gix_zlib::stream::deflate::Write::new(Vec::new(), gix_zlib::Compression::BEST_SPEED);
    // Flushing ends the stream.
    out.write_all(data).and_then(|()| out.flush()).map_err(|error| fail(error.to_string()))?;
    let deflated = out.into_inner();
    Ok(EncodedObject { id: from_gix(&id), kind, len: data.len(), deflated })
}

/// What [`ObjectWriter::finish`] wrote.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// New objects.
    pub objects: u64,
    /// Their deflated size in bytes.
    pub bytes: u64,
}

/// Collects new objects. Dropped without [`ObjectWriter::finish`], nothing remains.
pub struct ObjectWriter<'r> {
    repo: &'r Repository,
    /// Looks objects up without re-reading the object directory at each miss: an object that another process
    /// wrote meanwhile is merely written twice.
    objects: gix::OdbHandle,
    added: HashSet<ObjectId>,
    /// Trees that were added, by id: they may be edited before they can be read.
    trees: HashMap<ObjectId, Vec<RawEntry>>,
    /// Objects in memory, until there are too many to be written loose.
    few: Vec<EncodedObject>,
    spill: Option<Spill>,
    written: Written,
}

/// The file that entries of a pack are spilt to.
struct Spill {
    file: BufWriter<File>,
    path: PathBuf,
    n_entries: u32,
}

impl Drop for Spill {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl Repository {
    /// Begins to write objects.
    ///
    /// # Errors
    /// None now; kept fallible for storages that must be prepared.
    pub fn writer(&self) -> Result<ObjectWriter<'_>> {
        let mut objects = self.with(|repo| repo.objects.clone());
        objects.refresh_never();
        Ok(ObjectWriter {
            repo: self,
            objects,
            added: HashSet::new(),
            trees: HashMap::new(),
            few: Vec::new(),
            spill: None,
            written: Written::default(),
        })
    }

    fn temp_dir(&self) -> PathBuf {
        self.cora_dir().join("tmp")
    }

    /// Removes what killed processes left behind. Failures don't matter: the next time will do.
    pub fn clean_temp(&self) {
        let is_stale = |path: &Path| {
            fs::metadata(path)
                .and_then(|meta| meta.modified())
                .is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|age| age > STALE))
        };
        for entry in fs::read_dir(self.temp_dir()).into_iter().flatten().flatten() {
            let path = entry.path();
            if is_stale(&path) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

impl ObjectWriter<'_> {
    /// Adds a blob.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn blob(&mut self, data: &[u8]) -> Result<ObjectId> {
        self.add(encode_object(self.repo.object_hash_len(), ObjectKind::Blob, data)?)
    }

    /// Adds a tree, whose bytes must be in Git's form and order.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn tree(&mut self, data: &[u8]) -> Result<ObjectId> {
        self.add(encode_object(self.repo.object_hash_len(), ObjectKind::Tree, data)?)
    }

    /// Adds a commit, whose bytes must be in Git's form.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn commit(&mut self, data: &[u8]) -> Result<ObjectId> {
        self.add(encode_object(self.repo.object_hash_len(), ObjectKind::Commit, data)?)
    }

    /// Adds a tree of sorted entries and keeps it at hand for further edits.
    pub(super) fn raw_tree(&mut self, entries: Vec<RawEntry>) -> Result<ObjectId> {
        let mut data = Vec::with_capacity(entries.len() * 40);
        for entry in &entries {
            let mode: &[u8] = match entry.mode {
                None => b"40000 ",
                Some(EntryMode::File) => b"100644 ",
                Some(EntryMode::Executable) => b"100755 ",
                Some(EntryMode::Symlink) => b"120000 ",
                Some(EntryMode::Submodule) => b"160000 ",
            };
            data.extend_from_slice(mode);
            data.extend_from_slice(&entry.name);
            data.push(0);
            data.extend_from_slice(entry.id.as_bytes());
        }
        let id = self.tree(&data)?;
        self.trees.insert(id, entries);
        Ok(id)
    }

    /// The entries of a tree that was added and can't be read from the repository yet.
    pub(super) fn pending_tree(&self, id: ObjectId) -> Option<Vec<RawEntry>> {
        self.trees.get(&id).cloned()
    }

    /// Adds an object, unless it is there or was added already.
    ///
    /// # Errors
    /// [`Error::Write`] when it can't be spilt to disk.
    pub fn add(&mut self, object: EncodedObject) -> Result<ObjectId> {
        let id = object.id;
        if !self.added.insert(id) || gix::objs::Exists::exists(&self.objects, &to_gix(id)) {
            return Ok(id);
        }
        self.written.objects += 1;
        self.written.bytes += object.deflated.len() as u64;
        if self.spill.is_none() && self.few.len() >= LOOSE_OBJECTS {
            self.start_spill()?;
        }
        match &mut self.spill {
            Some(spill) => spill.put(&object)?,
            None => self.few.push(object),
        }
        Ok(id)
    }

    fn start_spill(&mut self) -> Result<()> {
        let fail = |error: std::io::Error| Error::Write { message: error.to_string() };
        self.repo.clean_temp();
        let dir = self.repo.temp_dir();
        fs::create_dir_all(&dir).map_err(fail)?;
        let file = tempfile::Builder::new().prefix("pack-").tempfile_in(&dir).map_err(fail)?;
        let (file, path) = file.keep().map_err(|error| fail(error.error))?;
        let mut spill = Spill { file: BufWriter::with_capacity(1 << 18, file), path, n_entries: 0 };
        spill.file.write_all(&[0; 12]).map_err(fail)?;
        for object in self.few.drain(..) {
            spill.put(&object)?;
        }
        self.spill = Some(spill);
        Ok(())
    }

    /// Makes everything that was added visible, as one pack or as loose objects.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when asked to stop, [`Error::Write`]; either way nothing becomes visible, but for
    /// loose objects that nothing refers to.
    pub fn finish(mut self, cancel: &Cancel) -> Result<Written> {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        for object in std::mem::take(&mut self.few) {
            self.write_loose(&object)?;
        }
        if let Some(spill) = self.spill.take() {
            self.write_pack(spill)?;
        }
        Ok(self.written)
    }

    fn write_loose(&self, object: &EncodedObject) -> Result<()> {
        let fail = |message: String| Error::Write { message };
        let mut data = Vec::with_capacity(object.len);
        let mut inflate = gix_zlib::Inflate::default();
        data.resize(object.len, 0);
        inflate.once(&object.deflated, &mut data).map_err(|error| fail(error.to_string()))?;
        let id = self.repo.with(|repo| {
            use gix::objs::Write as _;
            repo.objects.write_buf(object.kind.gix(), &data).map_err(|error| fail(error.to_string()))
        })?;
        if from_gix(&id) == object.id {
            Ok(())
        } else {
            Err(Error::Internal(format!("object {id} has another id")))
        }
    }

    fn write_pack(&self, mut spill: Spill) -> Result<()> {
        let fail = |error: std::io::Error| Error::Write { message: error.to_string() };
        // The pack: header with the count that is known only now, entries, hash of all of it.
        let mut header = *b"PACK\0\0\0\x02\0\0\0\0";
        header[8..].copy_from_slice(&spill.n_entries.to_be_bytes());
        spill.file.flush().map_err(fail)?;
        let file = spill.file.get_mut();
        file.seek(SeekFrom::Start(0)).map_err(fail)?;
        file.write_all(&header).map_err(fail)?;
        file.seek(SeekFrom::Start(0)).map_err(fail)?;
        let mut hasher = gix::hash::hasher(self.repo.hash);
        let mut buffer = vec![0; 1 << 18];
        loop {
            let n = file.read(&mut buffer).map_err(fail)?;
            if n == 0 {
                break;
            }
            hasher.update(buffer.get(..n).unwrap_or_default());
        }
        let trailer = hasher.try_finalize().map_err(|error| Error::Write { message: error.to_string() })?;
        file.write_all(trailer.as_bytes()).map_err(fail)?;
        file.seek(SeekFrom::Start(0)).map_err(fail)?;

        let pack_dir = self.repo.common_dir.join("objects").join("pack");
        fs::create_dir_all(&pack_dir).map_err(fail)?;
        let interrupt = AtomicBool::new(false);
        let outcome = gix_pack::Bundle::write_to_directory(
            &mut BufReader::with_capacity(1 << 18, &mut *file),
            Some(&pack_dir),
            &mut gix::progress::Discard,
            &interrupt,
            None::<gix::OdbHandle>,
            self.repo.hash,
            gix_pack::bundle::write::Options { thread_limit: Some(2), ..Default::default() },
        )
        .map_err(|error| Error::Write { message: error.to_string() })?;
        if let Some(keep) = outcome.keep_path {
            // A pack that is kept would never be collected again.
            fs::remove_file(keep).map_err(fail)?;
        }
        Ok(())
    }
}

impl Spill {
    /// Appends an entry of a pack: kind and length as Git codes them, then the deflated bytes.
    fn put(&mut self, object: &EncodedObject) -> Result<()> {
        let fail = |error: std::io::Error| Error::Write { message: error.to_string() };
        let kind: u8 = match object.kind {
            ObjectKind::Commit => 1,
            ObjectKind::Tree => 2,
            ObjectKind::Blob => 3,
        };
        let mut len = object.len;
        let low = |len: usize, bits: u32| len.to_le_bytes()[0] & ((1u8 << bits) - 1);
        let mut head = vec![kind << 4 | low(len, 4)];
        len >>= 4;
        while len > 0 {
            if let Some(last) = head.last_mut() {
                *last |= 0x80;
            }
            head.push(low(len, 7));
            len >>= 7;
        }
        self.file.write_all(&head).map_err(fail)?;
        self.file.write_all(&object.deflated).map_err(fail)?;
        self.n_entries += 1;
        Ok(())
    }
}
