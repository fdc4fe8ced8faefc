//! One pack of undeltified objects, written as it grows.
//!
//! Owns the bytes of a pack and of its index (`gitformat-pack`, both version 2). Entries go to a
//! buffer, and from there to a temporary file next to the packs. Only a finished pack gets a name
//! that Git looks at: first the pack, then its index, which makes it visible.
//!
//! Why the index is written here: the id, offset and checksum of each entry are known when it is
//! added. The library would stream a pack in and index it, which inflates and hashes every object a
//! second time and leaves a `.keep` file behind.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::storage::{Component, Storage};
use crate::base::id::ObjectId;
use crate::base::new_file::NewFile;
use crate::base::progress::Cancel;
use crate::git::{EncodedObject, Error, ObjectKind, Result};

/// Bytes of entries kept in memory before they go to the temporary file.
const BUFFER_BYTES: usize = 8 << 20;

/// Prefix of all our temporary files. `git gc` removes old files that start with `tmp_`.
pub(in crate::git) const TEMP_PREFIX: &str = "tmp_cora_";

/// How often a file is written if `git gc --prune=now` deletes it before it has its name.
pub(super) const ATTEMPTS: usize = 10;

/// What failed if a temporary file can't be written.
const WRITE: &str = "write a file in";

/// Length of a pack's header in bytes: `PACK`, version, number of objects.
const HEADER_LEN: u64 = 12;

/// An offset with this bit set is an index into the table of large offsets.
const LARGE_OFFSET: u64 = 1 << 31;

/// An unfinished pack.
pub(in crate::git) struct Pack {
    dir: PathBuf,
    storage: Storage,
    entries: Vec<Entry>,
    buffer: Vec<u8>,
    /// Bytes before the buffer, header included.
    written: u64,
    file: Option<NewFile>,
}

/// One object in the pack.
pub(in crate::git) struct Entry {
    pub(in crate::git) id: ObjectId,
    pub(in crate::git) kind: ObjectKind,
    crc: u32,
    offset: u64,
    head_len: usize,
    deflated_len: usize,
    size: usize,
}

impl Pack {
    /// Creates an empty pack, which will be stored in the directory `dir`.
    pub(in crate::git) fn new(dir: PathBuf, storage: Storage) -> Self {
        Self { dir, storage, entries: Vec::new(), buffer: Vec::new(), written: HEADER_LEN, file: None }
    }

    pub(in crate::git) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns whether part of it is in a file already. Then writing loose objects is no longer
    /// cheaper.
    pub(in crate::git) fn is_spilled(&self) -> bool {
        self.file.is_some()
    }

    /// Adds an object and returns its position in [`Pack::entries`].
    pub(in crate::git) fn add(&mut self, object: EncodedObject) -> Result<usize> {
        let head = entry_head(object.kind, object.size);
        let mut crc = crc32fast::Hasher::new();
        crc.update(&head);
        crc.update(&object.deflated);
        let entry = Entry {
            id: object.id,
            kind: object.kind,
            crc: crc.finalize(),
            offset: self.written + as_u64(self.buffer.len()),
            head_len: head.len(),
            deflated_len: object.deflated.len(),
            size: object.size,
        };
        self.buffer.extend_from_slice(&head);
        self.buffer.extend_from_slice(&object.deflated);
        if self.buffer.len() >= BUFFER_BYTES {
            self.spill()?;
        }
        self.entries.push(entry);
        Ok(self.entries.len() - 1)
    }

    /// Reads the bytes of an object that was added.
    pub(in crate::git) fn read(&mut self, index: usize) -> Result<Vec<u8>> {
        let entry = self.entries.get(index).ok_or_else(|| Error::Internal("no such pack entry".into()))?;
        let start = entry.offset + as_u64(entry.head_len);
        let mut deflated = vec![0; entry.deflated_len];
        if start >= self.written {
            let start = usize::try_from(start - self.written).unwrap_or(usize::MAX);
            let range = start..start.saturating_add(entry.deflated_len);
            let bytes =
                self.buffer.get(range).ok_or_else(|| Error::Internal("pack entry out of bounds".into()))?;
            deflated.copy_from_slice(bytes);
        } else if let Some(file) = &mut self.file {
            let file = file.as_file_mut();
            file.seek(SeekFrom::Start(start))
                .and_then(|_| file.read_exact(&mut deflated))
                .and_then(|()| file.seek(SeekFrom::End(0)))
                .map_err(Error::io("read a file in", &self.dir))?;
        }
        let mut data = vec![0; entry.size];
        let (_, _, produced) = gix::zlib::Inflate::default()
            .once(&deflated, &mut data)
            .map_err(Error::git("inflate an object"))?;
        if produced != entry.size {
            return Err(Error::Internal(format!("object {} inflates to a different size", entry.id)));
        }
        Ok(data)
    }

    fn spill(&mut self) -> Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => {
                self.storage.sharing.create_dir_all(&self.dir).map_err(Error::io("create", &self.dir))?;
                let mut file = temporary_file(&self.dir)?;
                // Space for the header; the number of objects is only known at the end.
                let head = file.as_file_mut().write_all(&[0; 12]);
                head.map_err(Error::io(WRITE, &self.dir))?;
                file
            }
        };
        // The temporary file's own writer would name its path, which means nothing to the user.
        file.as_file_mut().write_all(&self.buffer).map_err(Error::io(WRITE, &self.dir))?;
        self.written += as_u64(self.buffer.len());
        self.buffer.clear();
        self.file = Some(file);
        Ok(())
    }

    /// Completes the pack, makes it visible, and returns its size in bytes.
    pub(in crate::git) fn finish(mut self, hash: gix::hash::Kind, cancel: &Cancel) -> Result<u64> {
        self.spill()?;
        let Some(mut file) = self.file.take() else {
            return Err(Error::Internal("a pack without a file".into()));
        };
        let n_objects = u32::try_from(self.entries.len())
            .map_err(|_| Error::Internal("more objects than a pack can hold".into()))?;
        let handle = file.as_file_mut();
        let mut head = [0; 12];
        for (slot, part) in
            head.chunks_exact_mut(4).zip([*b"PACK", 2u32.to_be_bytes(), n_objects.to_be_bytes()])
        {
            slot.copy_from_slice(&part);
        }
        handle
            .seek(SeekFrom::Start(0))
            .and_then(|_| handle.write_all(&head))
            .and_then(|()| handle.seek(SeekFrom::Start(0)))
            .map_err(Error::io(WRITE, &self.dir))?;
        let checksum = hash_of_file(handle, hash, &self.dir, cancel)?;
        handle.write_all(checksum.as_slice()).map_err(Error::io(WRITE, &self.dir))?;

        self.entries.sort_unstable_by_key(|entry| entry.id);
        let mut index = temporary_file(&self.dir)?;
        write_index(&mut BufWriter::new(index.as_file_mut()), &self.entries, checksum.as_slice(), hash)?;

        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let stem = self.dir.join(format!("pack-{}", checksum.to_hex()));
        self.name(Component::Pack, file, &stem.with_extension("pack"))?;
        self.name(Component::PackIndex, index, &stem.with_extension("idx"))?;
        self.storage.complete_names(Component::Pack, &self.dir).map_err(Error::io("sync", &self.dir))?;
        Ok(self.written + as_u64(checksum.as_slice().len()))
    }

    /// Completes a file and gives it its name.
    ///
    /// `git gc --prune=now` deletes the temporary files of all processes, if they have names. One
    /// that it deletes is written once more, from the file that is still open.
    fn name(&self, component: Component, mut file: NewFile, path: &Path) -> Result<()> {
        for _ in 1..ATTEMPTS {
            let mut content = file.as_file().try_clone().map_err(Error::io("read", path))?;
            match self.try_name(component, file, path) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                named => return named.map_err(Error::io("create", path)),
            }
            file = temporary_file(&self.dir)?;
            content
                .rewind()
                .and_then(|()| io::copy(&mut content, file.as_file_mut()))
                .map_err(Error::io(WRITE, &self.dir))?;
        }
        self.try_name(component, file, path).map_err(Error::io("create", path))
    }

    fn try_name(&self, component: Component, file: NewFile, path: &Path) -> io::Result<()> {
        self.storage.complete(component, file.as_file())?;
        persist(file, path)
    }
}

/// Names a file. One that exists already has the same checksum in its name, so it should have the
/// same content; one that is damaged is replaced.
fn persist(mut file: NewFile, path: &Path) -> io::Result<()> {
    if path.exists() && std::fs::read(path).ok() == Some(file.content()?) {
        return Ok(());
    }
    file.persist(path).map(drop)
}

fn temporary_file(dir: &Path) -> Result<NewFile> {
    // Like Git's own packs: never written again, and as readable as the user's umask allows.
    NewFile::in_dir(dir, TEMP_PREFIX, 0o444).map_err(Error::io("create a file in", dir))
}

/// Hashes a file from its current position to its end, and leaves the position there.
fn hash_of_file(
    file: &mut File,
    hash: gix::hash::Kind,
    dir: &Path,
    cancel: &Cancel,
) -> Result<gix::ObjectId> {
    let mut hasher = gix::hash::hasher(hash);
    let mut buffer = vec![0; 1 << 16];
    loop {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let n = file.read(&mut buffer).map_err(Error::io("read a file in", dir))?;
        if n == 0 {
            return hasher.try_finalize().map_err(Error::git("hash a pack"));
        }
        hasher.update(buffer.get(..n).unwrap_or_default());
    }
}

/// Returns the header of a pack entry: 3 bits of type, then the size, least significant bits first
/// (4 bits, then 7 per byte).
fn entry_head(kind: ObjectKind, size: usize) -> Vec<u8> {
    let kind = match kind {
        ObjectKind::Commit => 1u8,
        ObjectKind::Tree => 2,
        ObjectKind::Blob => 3,
    };
    let low = |value: usize, mask: usize| u8::try_from(value & mask).unwrap_or_default();
    let mut head = Vec::with_capacity(4);
    let mut byte = (kind << 4) | low(size, 0x0f);
    let mut rest = size >> 4;
    while rest > 0 {
        head.push(byte | 0x80);
        byte = low(rest, 0x7f);
        rest >>= 7;
    }
    head.push(byte);
    head
}

/// Writes a pack index, version 2, for entries sorted by id.
fn write_index(
    out: &mut impl Write,
    entries: &[Entry],
    pack_checksum: &[u8],
    hash: gix::hash::Kind,
) -> Result<()> {
    let mut bytes = Vec::with_capacity(8 + 1024 + entries.len() * (hash.len_in_bytes() + 8));
    bytes.extend_from_slice(b"\xfftOc");
    bytes.extend_from_slice(&2u32.to_be_bytes());
    // The fan-out table: for each first byte, the number of ids up to and including it.
    let first = |entry: &Entry| entry.id.as_bytes().first().copied().unwrap_or_default();
    for byte in 0..=u8::MAX {
        let n = entries.partition_point(|entry| first(entry) <= byte);
        bytes.extend_from_slice(&u32::try_from(n).unwrap_or(u32::MAX).to_be_bytes());
    }
    for entry in entries {
        bytes.extend_from_slice(entry.id.as_bytes());
    }
    for entry in entries {
        bytes.extend_from_slice(&entry.crc.to_be_bytes());
    }
    let mut large = Vec::new();
    for entry in entries {
        let offset = if entry.offset < LARGE_OFFSET {
            entry.offset
        } else {
            large.push(entry.offset);
            LARGE_OFFSET | as_u64(large.len() - 1)
        };
        bytes.extend_from_slice(&u32::try_from(offset).unwrap_or(u32::MAX).to_be_bytes());
    }
    for offset in large {
        bytes.extend_from_slice(&offset.to_be_bytes());
    }
    bytes.extend_from_slice(pack_checksum);
    let mut hasher = gix::hash::hasher(hash);
    hasher.update(&bytes);
    let checksum = hasher.try_finalize().map_err(Error::git("hash a pack index"))?;
    out.write_all(&bytes)
        .and_then(|()| out.write_all(checksum.as_slice()))
        .and_then(|()| out.flush())
        .map_err(Error::git("write a pack index"))
}

/// Converts a length in memory, which always fits.
fn as_u64(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_entries_are_those_of_git() {
        // From `git verify-pack` on real packs: a blob of 13 bytes, a tree of 300 bytes.
        assert_eq!(entry_head(ObjectKind::Blob, 13), [0x3d]);
        assert_eq!(entry_head(ObjectKind::Tree, 300), [0xac, 0x12]);
        assert_eq!(entry_head(ObjectKind::Commit, 1 << 20), [0x90, 0x80, 0x80, 0x04]);
    }

    #[test]
    fn a_deleted_temporary_file_is_written_again() {
        let dir = ::tempfile::tempdir().unwrap();
        let mut file = NewFile::named(dir.path(), TEMP_PREFIX, 0o444).unwrap();
        file.write_all(b"pack").unwrap();
        std::fs::remove_file(file.temporary_name().unwrap()).unwrap();
        let path = dir.path().join("pack-1.pack");
        let pack = Pack::new(dir.path().to_owned(), Storage::default());
        pack.name(Component::Pack, file, &path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"pack");
        let names: Vec<_> = std::fs::read_dir(dir.path()).unwrap().flatten().collect();
        assert_eq!(names.len(), 1, "no temporary file is left");

        // A directory that is gone does not come back.
        let file = temporary_file(dir.path()).unwrap();
        drop(std::fs::remove_dir_all(dir.path()));
        assert!(pack.name(Component::Pack, file, &path).is_err());
    }

    #[test]
    fn offsets_beyond_two_gigabytes_go_to_their_own_table() {
        let entry = |byte, offset| Entry {
            id: ObjectId::from_bytes(&[byte; 20]).unwrap(),
            kind: ObjectKind::Blob,
            crc: 7,
            offset,
            head_len: 1,
            deflated_len: 1,
            size: 1,
        };
        let entries = [entry(1, 12), entry(2, 5 << 31), entry(255, (1 << 31) - 1)];
        let mut bytes = Vec::new();
        write_index(&mut bytes, &entries, &[9; 20], gix::hash::Kind::Sha1).unwrap();
        let offsets = 8 + 1024 + 3 * 24;
        assert_eq!(bytes[8..12], [0, 0, 0, 0]);
        assert_eq!(bytes[8 + 1020..8 + 1024], [0, 0, 0, 3]);
        assert_eq!(bytes[offsets..offsets + 12], [0, 0, 0, 12, 0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff]);
        assert_eq!(bytes[offsets + 12..offsets + 20], (5u64 << 31).to_be_bytes());
        assert_eq!(bytes.len(), offsets + 20 + 40);
    }
}
