//! Reading commits and blobs.

use bstr::BString;

use crate::id::ObjectId;

use super::git::Batch;
use super::{Error, Repository, Result, from_gix, to_gix};

/// A commit, as far as anyone here cares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its id.
    pub id: ObjectId,
    /// Its tree.
    pub tree: ObjectId,
    /// Its parents, in order; none at a shallow boundary.
    pub parents: Vec<ObjectId>,
    /// Author time in seconds since the epoch.
    pub author_time_s: i64,
    /// Committer time in seconds since the epoch.
    pub committer_time_s: i64,
    /// First line of its message.
    pub subject: BString,
}

/// The content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blob {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// It is longer than asked for.
    TooLarge {
        /// Its length.
        bytes: u64,
    },
    /// It is not there, or can't be read.
    Missing,
}

impl Repository {
    /// Reads a commit. Parents beyond a shallow boundary are left out.
    ///
    /// # Errors
    /// [`Error::Object`] if it is missing, damaged, or no commit.
    pub fn commit(&self, id: ObjectId) -> Result<Commit> {
        let fail = |message: String| Error::Object { what: "commit", id, message };
        let mut commit = self.with(|repo| -> Result<Commit> {
            let object = repo
                .try_find_object(to_gix(id))
                .map_err(|error| fail(error.to_string()))?
                .ok_or_else(|| fail("it is missing".to_owned()))?;
            if object.kind != gix::objs::Kind::Commit {
                return Err(fail(format!("it is a {}", object.kind)));
            }
            let commit = gix::objs::CommitRef::from_bytes(&object.data, self.hash)
                .map_err(|error| fail(error.to_string()))?;
            let seconds = |signature: std::result::Result<gix::actor::SignatureRef<'_>, _>| {
                signature.ok().and_then(|signature| signature.time().ok()).map_or(0, |time| time.seconds)
            };
            let author_time_s = seconds(commit.author().map_err(|_| ()));
            let committer_time_s = seconds(commit.committer().map_err(|_| ()));
            Ok(Commit {
                id,
                tree: from_gix(&commit.tree()),
                parents: commit.parents().map(|parent| from_gix(&parent)).collect(),
                author_time_s,
                committer_time_s,
                subject: BString::from(
                    commit.message.split(|&byte| byte == b'\n').next().unwrap_or_default(),
                ),
            })
        })?;
        if !commit.parents.is_empty() && self.is_shallow_boundary(id)? {
            commit.parents.clear();
        }
        Ok(commit)
    }

    /// Whether the parents of this commit were left out by a shallow clone.
    ///
    /// # Errors
    /// [`Error::Object`] if the list of boundaries can't be read.
    pub fn is_shallow_boundary(&self, id: ObjectId) -> Result<bool> {
        let commits = self.with(|repo| repo.shallow_commits()).map_err(|error| Error::Object {
            what: "commit",
            id,
            message: error.to_string(),
        })?;
        let wanted = to_gix(id);
        Ok(commits.is_some_and(|commits| commits.iter().any(|boundary| *boundary == wanted)))
    }

    /// Reads a blob of at most `limit_bytes`; the size is known before anything is inflated. In a partial clone
    /// a promised blob is fetched by Git, unless `GIT_NO_LAZY_FETCH` is set.
    ///
    /// # Errors
    /// None for a blob that is missing or damaged: that is [`Blob::Missing`]. [`Error::Git`] if `git` can't be
    /// started in a partial clone.
    pub fn blob(&self, id: ObjectId, limit_bytes: u64) -> Result<Blob> {
        let found = self.with(|repo| {
            let header = repo.try_find_header(to_gix(id)).ok().flatten()?;
            if header.kind() != gix::objs::Kind::Blob {
                return Some(Blob::Missing);
            }
            if header.size() > limit_bytes {
                return Some(Blob::TooLarge { bytes: header.size() });
            }
            match repo.try_find_object(to_gix(id)) {
                Ok(Some(mut object)) => Some(Blob::Bytes(std::mem::take(&mut object.data))),
                _ => Some(Blob::Missing),
            }
        });
        match found {
            Some(blob) => Ok(blob),
            None if self.is_partial && std::env::var_os("GIT_NO_LAZY_FETCH").is_none() => {
                self.promised_blob(id, limit_bytes)
            }
            None => Ok(Blob::Missing),
        }
    }

    fn promised_blob(&self, id: ObjectId, limit_bytes: u64) -> Result<Blob> {
        let mut slot = self.promisor.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if slot.is_none() {
            *slot = Some(Batch::start(self)?);
        }
        match slot.as_mut().map(|batch| batch.blob(id, limit_bytes)) {
            Some(Ok(blob)) => Ok(blob),
            // The process is gone: the next one may have more luck.
            _ => {
                *slot = None;
                Ok(Blob::Missing)
            }
        }
    }

    /// Whether the object is here.
    pub fn contains(&self, id: ObjectId) -> bool {
        self.with(|repo| repo.has_object(to_gix(id)))
    }
}
