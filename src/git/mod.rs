//! The only door to Git.
//!
//! Owns everything that touches a repository: finding and opening it, revisions and commits,
//! bounded reads of blobs, tree walks and tree differences, the state of the work tree,
//! configuration, attributes, writing objects as one pack, and moving refs by compare-and-swap.
//! Input: names and object ids. Output: our own types, so that no other stage depends on the
//! library that reads the object database.
//!
//! Invariants:
//! - This stage writes only objects, refs under `refs/cora/` and `refs/cora-local/`, and files
//!   under `<common directory>/cora/`. It writes no reflog, no staging index and no work tree.
//! - Every answer about content is a function of the object ids in the request. Replacement refs
//!   (`refs/replace/`) are ignored, because an index must be the same on every machine.
//! - Stored bytes are hostile. Sizes are checked before anything is inflated. Walks use no
//!   recursion and are bounded in depth, count and bytes.
//!
//! gix is used where it is exact and fast. The `git` program does what gix can't: refs and
//! revisions in a reftable repository, objects that a partial clone promised, `status` (see
//! `worktree/status.rs`), ranges of commits, push and fetch. The choice is made once, when the
//! repository is opened. A stranger's repository is read through a [`Mirror`].
//!
//! This stage knows commits, trees and blobs. It must not know chunks or records.
#![allow(
    clippy::disallowed_methods,
    reason = "starts Git, reads the variables that Git reads, and writes objects, refs and locks"
)]

mod attributes;
mod blame;
mod command;
mod config;
mod diff;
mod discover;
mod error;
mod header;
mod lock;
mod log;
mod object;
mod open;
mod own_ref;
mod pickaxe;
mod range;
mod refs;
mod revision;
mod stores;
mod transfer;
mod tree;
mod worktree;
mod write;

#[cfg(test)]
pub(crate) mod testing;

pub use attributes::{Attributes, FileAttributes};
pub use blame::BlameCommit;
pub use command::{Command, Output};
pub use diff::TreeChange;
pub use error::{Error, Refusal, Result};
pub use lock::job_lock::JobLock;
pub use log::{Authorship, PathCommit};
pub use object::{Blob, BlobSeries};
pub use open::Repository;
pub use pickaxe::{SearchedText, Tag};
pub use range::is_range;
pub use refs::RefUpdate;
pub use refs::fault::{FaultKind, RefFault};
pub use revision::{Commit, Head};
pub use transfer::address::without_credentials;
pub use transfer::http::HttpSettings;
pub use transfer::mirror::Mirror;
pub use transfer::remote::{Delivery, Direction, PUSHING, Rejection, RemoteRefs};
pub use tree::{EntryMode, TreeEntry};
pub use worktree::WorktreeFile;
pub use worktree::status::{FileState, StatusEntry, StatusJob};
pub use write::encoded::{EncodedObject, ObjectKind, encode_object};
pub use write::writer::{ObjectWriter, WriteReport};

/// The parsers of what Git stores and prints, for the fuzz targets.
pub mod parsers {
    pub use super::config::parse_parameters;
    pub use super::header::{CommitParts, parse_commit, tag_target};
    pub use super::own_ref::parse_loose;
    pub use super::refs::delete::without as packed_refs_without;
    pub use super::tree::{RawEntry, unique_entries};
    pub use super::worktree::status::parse_status;
}

use crate::base::id::ObjectId;

/// Converts our id to the library's; both are SHA-1 or SHA-256.
fn to_gix(id: ObjectId) -> Result<gix::ObjectId> {
    gix::ObjectId::try_from(id.as_bytes())
        .map_err(|_| Error::Internal(format!("'{id}' is not a usable object id")))
}

/// Converts the library's id to ours.
fn from_gix(id: &gix::oid) -> ObjectId {
    ObjectId::from_bytes(id.as_bytes()).expect("because the library knows the same two hashes")
}
