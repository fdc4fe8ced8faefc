//! The only door to Git.
//!
//! Owns everything that touches a repository: finding and opening it, revisions and commits, bounded reads of
//! blobs, walks and differences of trees, the state of the work tree, configuration, attributes, objects
//! written as one pack, and refs moved by compare-and-swap. In: names and ids. Out: our own types, so that no
//! other stage knows which library reads the object database.
//!
//! Invariants:
//! - nothing is written but objects, refs under `refs/cora/` and `refs/cora-local/`, and files under
//!   `<common directory>/cora/`; no reflog, no index, no work tree;
//! - every answer about content is a function of the object ids asked for: replacement refs (`refs/replace/`)
//!   are ignored, because an index has to be the same on every machine;
//! - stored bytes are hostile: sizes are looked at before anything is inflated, walks use no recursion and
//!   are bounded in depth, count and bytes.
//!
//! The library (gix) is used where it is exact and fast, the `git` program where the library can't follow:
//! refs and revisions in a reftable repository, objects a partial clone promised, `status` (see `status.rs`),
//! ranges of commits, push and fetch. Which of them applies is detected once, at open. A stranger's repository is read
//! through a [`Mirror`].
//!
//! This stage knows commits, trees and blobs. It never learns what a chunk or a record is.

mod address;
mod attributes;
mod command;
mod config;
mod diff;
mod edit;
mod error;
mod http;
mod mirror;
mod object;
mod open;
mod pack;
mod promisor;
mod refs;
mod revision;
mod status;
mod tree;
mod turn;
mod worktree;
mod writer;

#[cfg(test)]
pub(crate) mod testing;

pub use address::without_credentials;
pub use attributes::{Attributes, FileAttributes};
pub use command::{Command, Output};
pub use diff::TreeChange;
pub use error::{Error, Result};
pub use http::HttpSettings;
pub use mirror::Mirror;
pub use object::Blob;
pub use open::Repository;
pub use refs::RefUpdate;
pub use revision::{Commit, Head};
pub use status::{FileState, StatusEntry, StatusJob};
pub use tree::{EntryMode, TreeEntry};
pub use turn::Turn;
pub use writer::{EncodedObject, ObjectKind, ObjectWriter, Written, encode_object};

use crate::base::id::ObjectId;

/// Our id as the library's; both are SHA-1 or SHA-256.
fn to_gix(id: ObjectId) -> Result<gix::ObjectId> {
    gix::ObjectId::try_from(id.as_bytes())
        .map_err(|_| Error::Internal(format!("'{id}' is no usable object id")))
}

/// The library's id as ours.
fn from_gix(id: &gix::oid) -> ObjectId {
    ObjectId::from_bytes(id.as_bytes()).expect("because the library knows the same two hashes")
}
