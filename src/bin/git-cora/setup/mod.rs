//! The user's files that `git cora init` changes: hooks, Git's configuration, agents' files.
//!
//! `git cora uninstall` restores them exactly: bytes, permissions, links and absence.
//!
//! - [`step`]: changes as a list that is applied as a whole or rolled back.
//! - [`ledger`]: a note of each edit, so that uninstall takes out exactly what init put in.
//! - [`edit`]: the bytes of that note, and how an edit is undone.
//! - [`config`]: what belongs into the repository's configuration.

pub(crate) mod config;
mod edit;
pub(crate) mod ledger;
pub(crate) mod step;
