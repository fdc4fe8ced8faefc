//! What was typed → what it names: commits, a declaration, paths from the root, repositories, a
//! question.
//!
//! The same words mean the same in every command, because all commands read them here.

pub(crate) mod commits;
pub(crate) mod declaration;
pub(crate) mod from_root;
pub(crate) mod question;
pub(crate) mod repository;
