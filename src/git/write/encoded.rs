//! Objects that are ready to be written: hashed and deflated.
//!
//! Hashing and deflating are expensive, so they are the free function [`encode_object`], which any
//! number of threads can run.

use std::cell::RefCell;

use gix::zlib::stream::deflate::{Compress, FlushCompress};

use crate::base::id::ObjectId;
use crate::git::{Error, Repository, Result, from_gix};

/// Our blobs are compressed already and our trees hold random ids. A higher level gains nothing.
const DEFLATE_LEVEL: i32 = 1;

thread_local! {
    /// Kept, because creating one takes longer than deflating a small object.
    static COMPRESSOR: RefCell<Compress> =
        RefCell::new(Compress::new(gix::zlib::Compression::new(DEFLATE_LEVEL).unwrap_or_default()));
}

/// The kinds of objects that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// The bytes of a file.
    Blob,
    /// A directory.
    Tree,
    /// A commit.
    Commit,
}

/// A hashed and deflated object, ready to be added.
#[derive(Debug, Clone)]
pub struct EncodedObject {
    pub(in crate::git) id: ObjectId,
    pub(in crate::git) kind: ObjectKind,
    pub(in crate::git) size: usize,
    pub(in crate::git) deflated: Vec<u8>,
}

impl EncodedObject {
    /// Returns the id that Git gives to the object.
    pub fn id(&self) -> ObjectId {
        self.id
    }
}

/// Hashes and deflates an object for a repository whose ids have `hash_len` bytes (20 or 32).
///
/// It needs no repository, so it can run in any number of threads.
///
/// # Errors
/// [`Error::Internal`] for another `hash_len`, [`Error::Git`] if the bytes are a SHA-1 collision
/// attack.
pub fn encode_object(hash_len: usize, kind: ObjectKind, data: &[u8]) -> Result<EncodedObject> {
    let hash = match hash_len {
        20 => gix::hash::Kind::Sha1,
        32 => gix::hash::Kind::Sha256,
        _ => return Err(Error::Internal(format!("no hash has {hash_len} bytes"))),
    };
    let id = hash_object(hash, kind, data)?;
    Ok(EncodedObject { id, kind, size: data.len(), deflated: deflate(data)? })
}

pub(in crate::git) fn hash_object(hash: gix::hash::Kind, kind: ObjectKind, data: &[u8]) -> Result<ObjectId> {
    let id = gix::objs::compute_hash(hash, gix_kind(kind), data).map_err(Error::git("hash an object"))?;
    Ok(from_gix(&id))
}

pub(in crate::git) fn deflate(data: &[u8]) -> Result<Vec<u8>> {
    let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    COMPRESSOR.with_borrow_mut(|compressor| {
        compressor.reset();
        let mut out = Vec::new();
        loop {
            let (read, written) = (size(compressor.total_in()), size(compressor.total_out()));
            out.resize(written + data.len() / 2 + 64, 0);
            let (rest, room) = (data.get(read..).unwrap_or_default(), out.get_mut(written..));
            let status = compressor
                .compress(rest, room.unwrap_or_default(), FlushCompress::Finish)
                .map_err(Error::git("deflate an object"))?;
            let n_out = size(compressor.total_out());
            if matches!(status, gix::zlib::Status::StreamEnd) {
                out.truncate(n_out);
                return Ok(out);
            }
            if n_out == written && size(compressor.total_in()) == read {
                return Err(Error::Internal("the compressor made no progress".to_owned()));
            }
        }
    })
}

pub(in crate::git) fn gix_kind(kind: ObjectKind) -> gix::objs::Kind {
    match kind {
        ObjectKind::Blob => gix::objs::Kind::Blob,
        ObjectKind::Tree => gix::objs::Kind::Tree,
        ObjectKind::Commit => gix::objs::Kind::Commit,
    }
}

impl Repository {
    /// Returns the id of a commit with these bytes. Nothing is written.
    ///
    /// # Errors
    /// [`Error::Git`] if the bytes are a SHA-1 collision attack.
    pub fn commit_id(&self, bytes: &[u8]) -> Result<ObjectId> {
        hash_object(self.hash(), ObjectKind::Commit, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn inflated(deflated: &[u8], len: usize) -> Vec<u8> {
        let mut out = vec![0; len + 1];
        let inflate = &mut gix::zlib::Inflate::default();
        let (status, read, written) = inflate.once(deflated, &mut out).unwrap();
        assert_eq!((status, read), (gix::zlib::Status::StreamEnd, deflated.len()));
        out.truncate(written);
        out
    }

    #[test]
    fn objects_of_all_sizes_are_deflated_one_after_the_other() {
        let noise = |len: usize| -> Vec<u8> {
            let mut state = 1u32;
            let next = |_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state.to_be_bytes()[0]
            };
            (0..len).map(next).collect()
        };
        for len in [0, 1, 100, 4095, 4096, 8191, 8192, 100_000, 3_000_000] {
            for data in [noise(len), vec![b'a'; len]] {
                assert!(inflated(&deflate(&data).unwrap(), len) == data, "{len}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_deflated_object_is_inflated_again(data: Vec<u8>) {
            prop_assert_eq!(inflated(&deflate(&data).unwrap(), data.len()), data);
        }
    }
}
