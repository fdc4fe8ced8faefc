//! New objects: hashed, deflated, packed, and stored so that other Git programs can use them.
//!
//! [`ObjectWriter`](super::ObjectWriter) collects objects and writes them as one pack. `edit` makes
//! a new tree from an old one. `storage` completes files: flushed to the disk, with the permissions
//! of the repository. Refs are moved in `refs`, after the objects are stored.

pub(super) mod edit;
pub(super) mod encoded;
pub(super) mod freshen;
pub(super) mod pack;
pub(super) mod storage;
pub(super) mod writer;
