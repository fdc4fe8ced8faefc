//! Objects that are ready to be written: hashed and deflated.
//!
//! Hashing and deflating are expensive, so they are the free function [`encode_object`], which any
//! number of threads can run.

use std::io::Write;

use crate::base::id::ObjectId;
use crate::git::{Error, Repository, Result, from_gix};

/// Our blobs are compressed already and our trees hold random ids. A higher level gains nothing.
const DEFLATE_LEVEL: i32 = 1;

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
    let level = gix::zlib::Compression::new(DEFLATE_LEVEL).unwrap_or_default();
    let room = Vec::with_capacity(data.len() / 2 + 64);
    let mut out = gix::zlib::stream::deflate::Write::new(room, level);
    out.write_all(data).and_then(|()| out.flush()).map_err(Error::git("deflate an object"))?;
    Ok(out.into_inner())
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
