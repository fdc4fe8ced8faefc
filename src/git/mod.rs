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
//! `status.rs`), ranges of commits, push and fetch. The choice is made once, when the repository is
//! opened. A stranger's repository is read through a [`Mirror`].
//!
//! This stage knows commits, trees and blobs. It must not know chunks or records.
#![allow(
    clippy::disallowed_methods,
    reason = "starts Git, reads the variables that Git reads, and writes objects, refs and locks"
)]

mod address;
mod attributes;
mod blame;
mod claim;
mod clean;
mod collection;
mod command;
mod config;
mod delete;
mod diff;
mod discover;
mod edit;
mod encoded;
mod encoding;
mod error;
mod fault;
mod freshen;
mod head_link;
mod header;
mod http;
mod log;
mod loose_ref;
mod mirror;
mod object;
mod open;
mod own_ref;
mod pack;
mod pickaxe;
mod promisor;
mod range;
mod refs;
mod remote;
mod revision;
mod status;
mod storage;
mod stores;
mod tree;
mod turn;
mod worktree;
mod writer;

#[cfg(test)]
pub(crate) mod testing;

pub use address::without_credentials;
pub use attributes::{Attributes, FileAttributes};
pub use blame::BlameCommit;
pub use command::{Command, Output};
pub use diff::TreeChange;
pub use encoded::{EncodedObject, ObjectKind, encode_object};
pub use error::{Error, Refusal, Result};
pub use fault::{FaultKind, RefFault};
pub use http::HttpSettings;
pub use log::{Authorship, PathCommit};
pub use mirror::Mirror;
pub use object::Blob;
pub use open::Repository;
pub use pickaxe::Tag;
pub use range::is_range;
pub use refs::RefUpdate;
pub use remote::{Delivery, Direction, PUSHING, Rejection, RemoteRefs};
pub use revision::{Commit, Head};
pub use status::{FileState, StatusEntry, StatusJob};
pub use tree::{EntryMode, TreeEntry};
pub use turn::JobLock;
pub use worktree::WorktreeFile;
pub use writer::{ObjectWriter, WriteReport};

/// The parsers of what Git stores and prints, for the fuzz targets.
pub mod parsers {
    pub use super::config::parse_parameters;
    pub use super::delete::without as packed_refs_without;
    pub use super::header::{CommitParts, parse_commit, tag_target};
    pub use super::own_ref::parse_loose;
    pub use super::status::parse_status;
    pub use super::tree::{RawEntry, unique_entries};
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
