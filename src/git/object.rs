//! Bounded reads of single objects.
//!
//! Owns [`Blob`] and the only place where objects are inflated. A blob's size is read from its
//! header and compared with the caller's limit first, so a blob of gigabytes costs nothing. An
//! unreadable blob is [`Blob::Missing`], not an error: one damaged file must not stop an index
//! of thousands.
//!
//! An object may be damaged in a pack and intact as a loose copy. That is how Git repairs a
//! repository, and how `git cora index --force` does. Git goes on to the loose copy. gix gives up
//! at the pack, so this module looks for the copy itself.

use super::{Error, Repository, Result, to_gix};
use crate::base::id::ObjectId;

/// Size in bytes of the largest tree or commit that is read. A tree of a hundred thousand entries
/// takes 4 MB.
const MAX_STRUCTURE_BYTES: u64 = 256 << 20;

/// The content of a file, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blob {
    /// All its bytes.
    Bytes(Vec<u8>),
    /// It is larger than the caller's limit.
    TooLarge {
        /// Its size in bytes.
        bytes: u64,
    },
    /// It is missing, unreadable or not a blob.
    Missing,
}

/// Bytes of blobs that a [`BlobSeries`] keeps: some tens of versions of a large file.
const SERIES_BYTES: usize = 32 << 20;

/// Reads blobs of which many are versions of the same files. It keeps those that it read last: in a
/// pack, a version is stored as its differences from another one, and that often is the next one.
pub struct BlobSeries {
    repo: Repository,
    handle: gix::Repository,
}

impl BlobSeries {
    /// Reads a blob, as [`Repository::blob`] does.
    ///
    /// # Errors
    /// As [`Repository::blob`].
    pub fn blob(&self, id: ObjectId, limit_bytes: u64) -> Result<Blob> {
        self.repo.blob_by(&self.handle, id, limit_bytes)
    }
}

impl Repository {
    /// Reads a blob of at most `limit_bytes` bytes.
    ///
    /// In a partial clone a promised blob is fetched, unless `GIT_NO_LAZY_FETCH` forbids it.
    ///
    /// # Errors
    /// None for stored data: see [`Blob::Missing`].
    pub fn blob(&self, id: ObjectId, limit_bytes: u64) -> Result<Blob> {
        self.blob_by(&self.handle(), id, limit_bytes)
    }

    /// Returns a reader of blobs of which many are versions of the same files.
    pub fn blob_series(&self) -> BlobSeries {
        let mut handle = self.own_handle();
        let cache = || -> Box<gix::odb::cache::PackCache> {
            Box::new(gix::odb::pack::cache::lru::MemoryCappedHashmap::new(SERIES_BYTES))
        };
        handle.objects.set_pack_cache(cache);
        BlobSeries { repo: self.clone(), handle }
    }

    fn blob_by(&self, handle: &gix::Repository, id: ObjectId, limit_bytes: u64) -> Result<Blob> {
        let gix_id = to_gix(id)?;
        let Some(header) = self.header(handle, id)? else { return Ok(Blob::Missing) };
        if header.kind() != gix::objs::Kind::Blob {
            return Ok(Blob::Missing);
        }
        if header.size() > limit_bytes {
            return Ok(Blob::TooLarge { bytes: header.size() });
        }
        Ok(match read(handle, gix_id, limit_bytes) {
            Ok(Some((_, data))) => Blob::Bytes(data),
            Ok(None) | Err(_) => Blob::Missing,
        })
    }

    /// Returns the error about a blob that [`Repository::blob`] reported as missing.
    pub fn missing_blob(&self, id: ObjectId) -> Error {
        Error::MissingObject { kind: "blob", id, is_promised: self.promisor().is_some() }
    }

    /// Returns the size of a blob in bytes; `None` if it is missing, unreadable or not a blob.
    ///
    /// # Errors
    /// None for stored data.
    pub fn blob_size(&self, id: ObjectId) -> Result<Option<u64>> {
        let header = self.header(&self.handle(), id)?;
        Ok(header.filter(|header| header.kind() == gix::objs::Kind::Blob).map(|header| header.size()))
    }

    /// Returns whether the object is in the store. A promised object that was not fetched is not.
    pub fn contains(&self, id: ObjectId) -> bool {
        to_gix(id).is_ok_and(|id| self.handle().has_object(id))
    }

    /// Reads the header of an object, and fetches a promised one; `None` if it is missing or
    /// unreadable.
    fn header(&self, handle: &gix::Repository, id: ObjectId) -> Result<Option<gix::odb::find::Header>> {
        let gix_id = to_gix(id)?;
        match handle.try_find_header(gix_id) {
            Ok(Some(header)) => Ok(Some(header)),
            Ok(None) if self.fetch_promised(id) => Ok(handle.try_find_header(gix_id).ok().flatten()),
            Ok(None) => Ok(None),
            Err(_) => Ok(loose(handle)
                .try_header(&gix_id)
                .ok()
                .flatten()
                .map(|(size, kind)| gix::odb::find::Header::Loose { kind, size })),
        }
    }

    /// Reads the bytes of a tree, commit or tag, which must be there.
    pub(super) fn structure(
        &self,
        handle: &gix::Repository,
        id: ObjectId,
        kind: gix::objs::Kind,
    ) -> Result<Vec<u8>> {
        let name = match kind {
            gix::objs::Kind::Tree => "tree",
            gix::objs::Kind::Commit => "commit",
            gix::objs::Kind::Blob => "blob",
            gix::objs::Kind::Tag => "tag",
        };
        let gix_id = to_gix(id)?;
        if kind == gix::objs::Kind::Tree && gix_id.is_empty_tree() {
            return Ok(Vec::new());
        }
        let missing = || Error::MissingObject { kind: name, id, is_promised: self.promisor().is_some() };
        let header = self.header(handle, id)?.ok_or_else(missing)?;
        let corrupt = |detail: String| Error::Corrupt { kind: name, id, detail };
        if header.kind() != kind {
            return Err(corrupt(format!("it is a {}", header.kind())));
        }
        if header.size() > MAX_STRUCTURE_BYTES {
            return Err(corrupt(format!("{} bytes are too many", header.size())));
        }
        match read(handle, gix_id, MAX_STRUCTURE_BYTES) {
            Ok(Some((_, data))) => Ok(data),
            Ok(None) => Err(missing()),
            Err(error) => Err(corrupt(error)),
        }
    }
}

/// Reads an object of at most `limit_bytes` bytes, from a loose copy if the pack's is damaged;
/// `None` if it is nowhere. The caller has checked the header. The bytes are not hashed.
///
/// # Errors
/// The reason why it can't be read.
pub(super) fn read(
    handle: &gix::Repository,
    id: gix::ObjectId,
    limit_bytes: u64,
) -> std::result::Result<Option<(gix::objs::Kind, Vec<u8>)>, String> {
    let error = match handle.try_find_object(id) {
        Ok(found) => return Ok(found.map(|object| (object.kind, object.detach().data))),
        Err(error) => error.to_string(),
    };
    let (loose, mut data) = (loose(handle), Vec::new());
    let is_small = matches!(loose.try_header(&id), Ok(Some((size, _))) if size <= limit_bytes);
    let found = if is_small { loose.try_find(&id, &mut data) } else { Ok(None) };
    match found.ok().flatten().map(|object| object.kind) {
        Some(kind) => Ok(Some((kind, data))),
        None => Err(error),
    }
}

/// Returns whether an object can be read and its bytes match its id.
pub(super) fn is_whole(handle: &gix::Repository, id: gix::ObjectId) -> bool {
    match read(handle, id, MAX_STRUCTURE_BYTES) {
        Ok(Some((kind, data))) => {
            gix::objs::compute_hash(id.kind(), kind, &data).is_ok_and(|hash| hash == id)
        }
        Ok(None) | Err(_) => false,
    }
}

/// Returns the store of loose objects.
fn loose(handle: &gix::Repository) -> gix::odb::loose::Store {
    gix::odb::loose::Store::at(handle.objects.store_ref().path(), handle.object_hash())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn the_limit_is_checked_before_reading() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let id = repo.resolve_any("HEAD:src/main.rs").unwrap();
        assert_eq!(repo.blob_size(id).unwrap(), Some(13));
        assert_eq!(repo.blob(id, 13).unwrap(), Blob::Bytes(b"fn main() {}\n".to_vec()));
        assert_eq!(repo.blob(id, 12).unwrap(), Blob::TooLarge { bytes: 13 });
    }

    #[test]
    fn a_series_reads_each_version_of_a_packed_file() {
        let fixture = Fixture::with_history();
        let text = |n: usize| (0..200).map(|at| format!("line {}\n", at + n)).collect::<String>();
        for n in 0..12 {
            fixture.write("src/main.rs", &text(n));
            fixture.git(&["commit", "-q", "-a", "-m", "next"]);
        }
        fixture.git(&["repack", "-q", "-a", "-d", "-f"]);
        let repo = fixture.open();
        let series = repo.blob_series();
        for n in 0..12 {
            let id = repo.resolve_any(&format!("HEAD~{}:src/main.rs", 11 - n)).unwrap();
            assert_eq!(series.blob(id, 9999).unwrap(), Blob::Bytes(text(n).into_bytes()), "{n}");
            assert_eq!(series.blob(id, 9).unwrap(), Blob::TooLarge { bytes: text(n).len() as u64 });
        }
    }

    #[test]
    fn objects_of_an_alternate_store_are_there_and_not_written_again() {
        let fixture = Fixture::with_history();
        let clone = Fixture::empty_dir();
        let url = fixture.path().display().to_string();
        clone.git(&["clone", "-q", "--shared", "--no-checkout", &url, "."]);
        let repo = clone.open();
        let id = repo.resolve_any("HEAD:src/main.rs").unwrap();
        assert_eq!(repo.blob(id, 99).unwrap(), Blob::Bytes(b"fn main() {}\n".to_vec()));
        let mut writer = repo.writer().unwrap();
        assert_eq!(writer.blob(b"fn main() {}\n").unwrap(), id);
        assert_eq!(writer.finish(&Default::default()).unwrap().objects, 0);
    }

    #[test]
    fn absent_damaged_and_other_objects_are_missing() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let absent = ObjectId::from_bytes(&[7; 20]).unwrap();
        assert_eq!(repo.blob(absent, 99).unwrap(), Blob::Missing);
        assert_eq!(repo.blob(repo.resolve("HEAD").unwrap(), 9999).unwrap(), Blob::Missing);
        assert!(!repo.contains(absent));
        assert!(matches!(repo.tree_files(absent), Err(Error::MissingObject { .. })));

        let id = repo.resolve_any("HEAD:src/main.rs").unwrap();
        assert!(repo.contains(id));
        let hex = id.to_string();
        let file = fixture.path().join(".git/objects").join(&hex[..2]).join(&hex[2..]);
        std::fs::remove_file(&file).unwrap();
        std::fs::write(&file, b"x\x9c no zlib stream").unwrap();
        let repo = fixture.open();
        assert_eq!(repo.blob(id, 99).unwrap(), Blob::Missing);
        assert!(repo.tree_files(id).is_err());
    }
}
