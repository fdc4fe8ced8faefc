//! New objects, collected and then written to the store together.
//!
//! Owns [`ObjectWriter`]. Input: blobs, trees, commits or encoded objects. Output: object ids, and
//! finally objects in the store. Objects that are encoded already (`encoded.rs`) are only appended.
//! Objects that the store has, or that were added before, are skipped. A few objects are written
//! loose, because a pack for each commit would pile up; many are written as one pack. Nothing is
//! visible before [`ObjectWriter::finish`], and a dropped writer leaves nothing behind.
//!
//! The writer asks whether the store has an object, not whether it is readable: reading would cost
//! as much as writing. Only a repairing writer ([`ObjectWriter::repair`]) reads it. It writes a
//! damaged object loose, wherever the damage is. A damaged pack stays as it is, because it holds
//! other objects too. Readers, both Git and ours, go on to the loose copy.
//!
//! Objects that the store had are made new (`freshen.rs`), so that no `git gc` deletes them.

use std::collections::{HashMap, HashSet};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::encoded::{EncodedObject, ObjectKind, deflate, gix_kind, hash_object};
use super::pack::{ATTEMPTS, Pack, TEMP_PREFIX};
use super::storage::Component;
use crate::base::id::ObjectId;
use crate::base::new_file::NewFile;
use crate::base::progress::Cancel;
use crate::base::tempfile;
use crate::git::{EntryMode, Error, Repository, Result, TreeEntry, object, to_gix, tree};

/// Number of objects from which a pack is better than loose objects. `git gc --auto` starts at 50
/// packs or 6,700 loose objects.
const PACK_FROM: usize = 50;

/// The result of [`ObjectWriter::finish`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteReport {
    /// Number of objects that the store did not have.
    pub objects: usize,
    /// The approximate size of these objects in bytes.
    pub bytes: u64,
}

/// A collection of new objects that are written to the store together.
pub struct ObjectWriter {
    repo: Repository,
    /// Never looks for new packs. Otherwise each new object would list the pack directory.
    handle: gix::Repository,
    known: HashMap<ObjectId, usize>,
    /// Objects that were added and that the store has.
    reused: HashSet<ObjectId>,
    pack: Pack,
    mends: bool,
    /// Positions in the pack of objects that the store has but can't read.
    damaged: Vec<usize>,
}

impl Repository {
    /// Returns a writer of new objects.
    ///
    /// # Errors
    /// None at present. Errors of the file system come with the first write.
    pub fn writer(&self) -> Result<ObjectWriter> {
        let mut handle = self.own_handle();
        handle.objects.refresh_never();
        let pack = Pack::new(self.pack_dir(), self.storage());
        Ok(ObjectWriter {
            repo: self.clone(),
            handle,
            known: HashMap::new(),
            reused: HashSet::new(),
            pack,
            mends: false,
            damaged: Vec::new(),
        })
    }

    /// Removes temporary files of killed processes that are at least as old as `older_than`;
    /// returns how many.
    ///
    /// # Errors
    /// None: a file that can't be removed stays for the next call.
    pub fn clean_temp(&self, older_than: Duration) -> Result<usize> {
        let old = |entry: &std::fs::DirEntry| {
            let modified = entry.metadata().and_then(|meta| meta.modified()).ok();
            let age = modified.and_then(|time| SystemTime::now().duration_since(time).ok());
            age.is_some_and(|age| age >= older_than)
        };
        let ours = |entry: &std::fs::DirEntry| {
            entry.file_name().to_str().is_some_and(|name| name.starts_with(TEMP_PREFIX))
        };
        let mut n_removed = 0;
        for dir in [self.pack_dir(), self.cora_dir().join("tmp")] {
            let Ok(entries) = std::fs::read_dir(&dir) else { continue };
            for entry in entries.flatten().filter(|entry| ours(entry) && old(entry)) {
                n_removed += usize::from(std::fs::remove_file(entry.path()).is_ok());
            }
        }
        Ok(n_removed)
    }

    fn pack_dir(&self) -> PathBuf {
        self.objects_dir().join("pack")
    }
}

impl ObjectWriter {
    /// Makes this writer repair objects: from now on, a stored object whose bytes don't match its
    /// id is written again.
    pub fn repair(&mut self) {
        self.mends = true;
    }

    /// Adds the bytes of a file.
    ///
    /// # Errors
    /// [`Error::Io`] if the temporary file can't be written.
    pub fn blob(&mut self, data: &[u8]) -> Result<ObjectId> {
        self.raw(ObjectKind::Blob, data)
    }

    /// Adds a directory. Each entry's path is a single name; the order does not matter.
    ///
    /// # Errors
    /// [`Error::Internal`] if a name is invalid or occurs twice, [`Error::Io`].
    pub fn tree(&mut self, entries: &[TreeEntry]) -> Result<ObjectId> {
        let mut sorted: Vec<&TreeEntry> = entries.iter().collect();
        sorted.sort_by(|a, b| git_order(a).cmp(git_order(b)));
        let mut bytes = Vec::with_capacity(sorted.len() * 48);
        for entry in sorted {
            if !tree::is_valid_name(&entry.path) {
                return Err(Error::Internal(format!("'{}' is not a valid name in a tree", entry.path)));
            }
            bytes.extend_from_slice(entry.mode.as_octal().as_bytes());
            bytes.push(b' ');
            bytes.extend_from_slice(&entry.path);
            bytes.push(0);
            bytes.extend_from_slice(entry.id.as_bytes());
        }
        let mut names: Vec<_> = entries.iter().map(|entry| &entry.path).collect();
        names.sort_unstable();
        if let Some(twice) =
            names.windows(2).find_map(|pair| (pair.first() == pair.last()).then(|| pair.first()))
        {
            return Err(Error::Internal(format!("{twice:?} occurs twice in a tree")));
        }
        self.raw(ObjectKind::Tree, &bytes)
    }

    /// Adds a commit with these bytes: headers, an empty line, the message.
    ///
    /// # Errors
    /// [`Error::Io`] if the temporary file can't be written.
    pub fn commit(&mut self, bytes: &[u8]) -> Result<ObjectId> {
        self.raw(ObjectKind::Commit, bytes)
    }

    /// Adds an encoded object, unless it is known.
    ///
    /// # Errors
    /// [`Error::Io`] if the temporary file can't be written.
    pub fn add(&mut self, encoded: EncodedObject) -> Result<ObjectId> {
        if self.is_reused(encoded.id)? { Ok(encoded.id) } else { self.put(encoded) }
    }

    /// Adds an object that is not known.
    fn put(&mut self, encoded: EncodedObject) -> Result<ObjectId> {
        let id = encoded.id;
        let index = self.pack.add(encoded)?;
        self.known.insert(id, index);
        if self.mends && self.is_stored(id)? {
            self.damaged.push(index);
        }
        Ok(id)
    }

    /// Returns whether the object was added here or is in the store. For a repairing writer it must
    /// also be intact there.
    ///
    /// # Errors
    /// [`Error::Internal`] for an id of another hash.
    pub fn has(&self, id: ObjectId) -> Result<bool> {
        if self.known.contains_key(&id) {
            return Ok(true);
        }
        Ok(self.is_stored(id)? && (!self.mends || object::is_whole(&self.handle, to_gix(id)?)))
    }

    /// Returns whether an object need not be written, and remembers to make it new.
    fn is_reused(&mut self, id: ObjectId) -> Result<bool> {
        let has = self.has(id)?;
        if has && !self.known.contains_key(&id) {
            self.reused.insert(id);
        }
        Ok(has)
    }

    /// Makes the reused objects new, and adds those for which that fails. An object that can't be
    /// read is left alone: reading it fails for everybody.
    fn freshen(&mut self) -> Result<()> {
        for id in self.repo.freshen(&std::mem::take(&mut self.reused)) {
            let Ok(Some((kind, data))) = object::read(&self.handle, to_gix(id)?, u64::MAX) else { continue };
            let kind = match kind {
                gix::objs::Kind::Blob => ObjectKind::Blob,
                gix::objs::Kind::Tree => ObjectKind::Tree,
                gix::objs::Kind::Commit => ObjectKind::Commit,
                gix::objs::Kind::Tag => continue,
            };
            let index =
                self.pack.add(EncodedObject { id, kind, size: data.len(), deflated: deflate(&data)? })?;
            self.known.insert(id, index);
        }
        Ok(())
    }

    fn is_stored(&self, id: ObjectId) -> Result<bool> {
        Ok(self.handle.objects.exists_without_refresh(&to_gix(id)?))
    }

    /// Adds an object with these bytes, without checking them.
    pub(in crate::git) fn raw(&mut self, kind: ObjectKind, data: &[u8]) -> Result<ObjectId> {
        let id = hash_object(self.repo.hash(), kind, data)?;
        if self.is_reused(id)? {
            return Ok(id);
        }
        self.put(EncodedObject { id, kind, size: data.len(), deflated: deflate(data)? })
    }

    /// Reads the bytes of a tree, including one that was only added here.
    pub(in crate::git) fn read_tree(&mut self, id: ObjectId) -> Result<Vec<u8>> {
        match self.known.get(&id) {
            Some(index) => self.pack.read(*index),
            None => self.repo.structure(&self.repo.handle(), id, gix::objs::Kind::Tree),
        }
    }

    /// Writes all objects to the store: as one pack, or loose if they are few.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::Io`], [`Error::Git`]. After a cancellation the store has
    /// nothing new, or a few loose objects that nothing points to.
    pub fn finish(mut self, cancel: &Cancel) -> Result<WriteReport> {
        let objects = self.pack.entries().len();
        self.freshen()?;
        let n_entries = self.pack.entries().len();
        if n_entries == 0 {
            return Ok(WriteReport::default());
        }
        self.repo.storage().check(&self.repo)?;
        if n_entries >= PACK_FROM || self.pack.is_spilled() {
            for index in std::mem::take(&mut self.damaged) {
                self.write_loose(index, cancel)?;
            }
            let bytes = self.pack.finish(self.repo.hash(), cancel)?;
            return Ok(WriteReport { objects, bytes });
        }
        let mut bytes = 0;
        // In the order they were added, so that an object is written after those it points to.
        for index in 0..n_entries {
            bytes += self.write_loose(index, cancel)?;
        }
        Ok(WriteReport { objects, bytes })
    }

    /// Writes an added object as a loose one; returns its size in bytes.
    fn write_loose(&mut self, index: usize, cancel: &Cancel) -> Result<u64> {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let entry = self.pack.entries().get(index);
        let entry = entry.ok_or_else(|| Error::Internal("no such pack entry".into()))?;
        let (kind, id) = (entry.kind, to_gix(entry.id)?);
        let data = self.pack.read(index)?;
        let size = u64::try_from(data.len()).unwrap_or(u64::MAX);
        let head = format!("{} {}\0", gix_kind(kind), data.len());
        let deflated = deflate(&[head.as_bytes(), &data].concat())?;
        let hex = id.to_hex().to_string();
        let (dir, name) = hex.split_at(2);
        let path = self.repo.objects_dir().join(dir).join(name);
        for _ in 1..ATTEMPTS {
            match self.try_loose(&path, &deflated) {
                // `git gc --prune=now` has just deleted the temporary file or the empty directory.
                Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {}
                written => return written.map(|()| size),
            }
        }
        self.try_loose(&path, &deflated).map(|()| size)
    }

    /// Writes a compressed object to `path`, in the directory of the objects with the same first
    /// byte.
    fn try_loose(&self, path: &Path, deflated: &[u8]) -> Result<()> {
        let dir = tempfile::folder_of(path);
        let storage = self.repo.storage();
        storage.sharing.create_dir_all(dir).map_err(Error::io("create", dir))?;
        // As Git's own: never written again. `git prune` removes old files of this name.
        let mut file = NewFile::in_dir(dir, "tmp_obj_", 0o444).map_err(Error::io("create a file in", dir))?;
        file.as_file_mut()
            .write_all(deflated)
            .and_then(|()| storage.complete(Component::LooseObject, file.as_file()))
            .map_err(Error::io("write a file in", dir))?;
        make_replaceable(path);
        match file.persist(path) {
            // Another process has just written the same object, and Windows does not replace a file
            // that somebody reads.
            Err(_) if cfg!(windows) && !self.mends && path.exists() => Ok(()),
            persisted => persisted.map(drop).map_err(Error::io("create", path)),
        }
    }
}

impl std::fmt::Debug for ObjectWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ObjectWriter").field("n_objects", &self.pack.entries().len()).finish_non_exhaustive()
    }
}

/// Lets a file be replaced. Windows does not replace one that is read-only, as Git's objects are.
fn make_replaceable(path: &Path) {
    #[cfg(windows)]
    if let Ok(found) = path.metadata() {
        let mut permissions = found.permissions();
        // Windows has no permissions of others that this could widen.
        #[allow(clippy::permissions_set_readonly_false)]
        permissions.set_readonly(false);
        let _ = std::fs::set_permissions(path, permissions);
    }
    #[cfg(not(windows))]
    let _ = path;
}

/// Returns the bytes by which Git sorts an entry: a directory sorts as if its name ended in a
/// slash.
fn git_order(entry: &TreeEntry) -> impl Iterator<Item = &u8> {
    let slash: &[u8] = if entry.mode == EntryMode::Directory { b"/" } else { b"" };
    entry.path.iter().chain(slash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;
    use crate::git::{Blob, encode_object};

    fn write(repo: &Repository, n: usize, size: usize) -> (ObjectId, WriteReport) {
        let mut writer = repo.writer().unwrap();
        let mut entries = Vec::new();
        for i in 0..n {
            let mut data = format!("blob {i}\n").into_bytes();
            let mut x = u64::try_from(i).unwrap() + 1;
            data.extend(
                std::iter::repeat_with(|| {
                    x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    x.to_le_bytes()[7]
                })
                .take(size),
            );
            let id =
                writer.add(encode_object(repo.object_hash_len(), ObjectKind::Blob, &data).unwrap()).unwrap();
            let name = format!("{}{i}", if i % 3 == 0 { "a-" } else { "a" });
            entries.push(TreeEntry { path: name.into(), mode: EntryMode::File, id });
        }
        let inner = writer.tree(&entries).unwrap();
        entries.push(TreeEntry { path: "a".into(), mode: EntryMode::Directory, id: inner });
        let tree = writer.tree(&entries).unwrap();
        let who = "cora <cora@localhost> 0 +0000";
        let commit = format!("tree {tree}\nauthor {who}\ncommitter {who}\n\nindex\n");
        let commit = writer.commit(commit.as_bytes()).unwrap();
        let is_new = !repo.contains(commit);
        let written = writer.finish(&Cancel::default()).unwrap();
        assert!(is_new || written.objects == 0, "nothing is visible before the end");
        (commit, written)
    }

    fn pack_files(fixture: &Fixture) -> Vec<String> {
        let dir = std::fs::read_dir(fixture.path().join(".git/objects/pack"));
        let mut names: Vec<_> = dir.unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn few_objects_are_loose_and_many_are_one_pack_that_git_accepts() {
        for hash in ["sha1", "sha256"] {
            for (n, size, n_files) in
                [(5, 10, 0), (46, 10, 0), (47, 10, 2), (200, 100, 2), (12, 1_000_000, 2)]
            {
                let fixture = Fixture::with_history_in(hash);
                let repo = fixture.open();
                let (commit, written) = write(&repo, n, size);
                assert_eq!(written.objects, n + 3);
                assert!(repo.contains(commit), "the same handles see them afterwards");
                assert!(matches!(
                    repo.update_ref("refs/cora/x", None, commit),
                    Ok(crate::git::RefUpdate::Done)
                ));
                let files = pack_files(&fixture);
                assert_eq!(files.len(), n_files, "{files:?}");
                assert!(files.iter().all(|name| name.starts_with("pack-") && !name.ends_with(".keep")));
                assert_eq!(fixture.git_line(&["fsck", "--strict", "--full", "--no-dangling"]), "");
                if n_files > 0 {
                    let index = files.iter().find(|name| name.ends_with(".idx")).unwrap();
                    fixture.git(&["verify-pack", &format!(".git/objects/pack/{index}")]);
                }
                let listed = fixture.git_bytes(&["ls-tree", "-r", "refs/cora/x"]);
                assert_eq!(listed.iter().filter(|b| **b == b'\n').count(), 2 * n);
                assert_eq!(
                    write_again(&repo, n, size),
                    WriteReport::default(),
                    "all of them are known by now"
                );
            }
        }
    }

    fn write_again(repo: &Repository, n: usize, size: usize) -> WriteReport {
        let mut writer = repo.writer().unwrap();
        let head = repo.resolve("refs/cora/x").unwrap();
        for file in repo.tree_files(repo.commit(head).unwrap().tree).unwrap() {
            let limit = u64::try_from(size).unwrap() + 99;
            let Blob::Bytes(bytes) = repo.blob(file.id, limit).unwrap() else { panic!("{n}") };
            assert_eq!(writer.blob(&bytes).unwrap(), file.id);
        }
        writer.finish(&Cancel::default()).unwrap()
    }

    /// Makes every object of the store three weeks old, and deletes the ref that holds them.
    fn age(fixture: &Fixture) {
        let old = SystemTime::now() - Duration::from_secs(21 * 24 * 3600);
        let times = std::fs::FileTimes::new().set_modified(old);
        let mut dirs = vec![fixture.path().join(".git/objects")];
        while let Some(dir) = dirs.pop() {
            for entry in std::fs::read_dir(dir).unwrap().flatten() {
                if entry.file_type().unwrap().is_dir() {
                    dirs.push(entry.path());
                } else {
                    std::fs::File::open(entry.path()).unwrap().set_times(times).unwrap();
                }
            }
        }
        fixture.git(&["update-ref", "-d", "refs/cora/x"]);
    }

    #[test]
    fn old_objects_that_are_used_again_survive_a_prune() {
        // Unreachable objects: loose ones, a pack, and a cruft pack of both sizes.
        let cruft = &["-c", "gc.pruneExpire=never", "-c", "gc.cruftPacks=true", "gc", "-q"][..];
        for (n, repack) in [(5, &[][..]), (60, &[]), (5, cruft), (60, cruft)] {
            let fixture = Fixture::with_history();
            let repo = fixture.open();
            let (commit, _) = write(&repo, n, 10);
            repo.update_ref("refs/cora/x", None, commit).unwrap();
            age(&fixture);
            if !repack.is_empty() {
                fixture.git(repack);
                age(&fixture);
            }
            let repo = fixture.open();
            let (again, written) = write(&repo, n, 10);
            assert_eq!((again, written.objects), (commit, 0), "{n} {repack:?}");
            // It runs between the last object and the ref.
            fixture.git(&["-c", "gc.pruneExpire=2.weeks.ago", "gc", "-q"]);
            repo.update_ref("refs/cora/x", None, commit).unwrap();
            assert_eq!(fixture.git_line(&["fsck", "--full", "--no-dangling"]), "", "{n} {repack:?}");
        }
    }

    #[test]
    fn an_interrupted_or_dropped_writer_leaves_nothing() {
        let fixture = Fixture::new();
        let repo = fixture.open();
        for finish in [false, true] {
            let mut writer = repo.writer().unwrap();
            for i in 0..20 {
                let mut x = i;
                let data: Vec<u8> = std::iter::repeat_with(|| {
                    x = (x * 1_103_515_245 + 12_345) % 2_147_483_648u64;
                    x.to_le_bytes()[2]
                })
                .take(1 << 20)
                .collect();
                writer.blob(&data).unwrap();
            }
            // On Linux, the file has no name yet.
            assert!(writer.pack.is_spilled() && pack_files(&fixture).len() <= 1);
            let cancel = Cancel::default();
            cancel.cancel();
            if finish {
                assert!(matches!(writer.finish(&cancel), Err(Error::Cancelled)));
            } else {
                drop(writer);
            }
            assert_eq!(pack_files(&fixture), Vec::<String>::new());
        }
    }

    #[test]
    fn old_temporary_files_are_removed_and_young_ones_stay() {
        let fixture = Fixture::new();
        let repo = fixture.open();
        let dir = fixture.path().join(".git/objects/pack");
        std::fs::write(dir.join("tmp_cora_dead"), b"x").unwrap();
        std::fs::write(dir.join("tmp_pack_of_git"), b"x").unwrap();
        assert_eq!(repo.clean_temp(Duration::from_secs(3600)).unwrap(), 0);
        assert_eq!(repo.clean_temp(Duration::ZERO).unwrap(), 1);
        assert_eq!(pack_files(&fixture), ["tmp_pack_of_git"]);
    }

    #[test]
    fn impossible_trees_are_refused() {
        let repo = Fixture::new().open_kept();
        let mut writer = repo.1.writer().unwrap();
        let id = writer.blob(b"x").unwrap();
        let file = |name: &str| TreeEntry { path: name.into(), mode: EntryMode::File, id };
        for entries in [vec![file("..")], vec![file("a/b")], vec![file("a"), file("a")]] {
            assert!(matches!(writer.tree(&entries), Err(Error::Internal(_))));
        }
    }
}
