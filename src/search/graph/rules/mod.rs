//! Rules of single languages: what makes names visible there, and what they can mean.
//!
//! Each file belongs to one language or a few. The files beside this folder have the rules that
//! most languages share, and call these where the family of the file says so.

pub(super) mod component;
pub(super) mod constant;
pub(super) mod extension;
pub(super) mod fixture;
pub(super) mod inner_module;
pub(super) mod library;
pub(super) mod method_sets;
pub(super) mod named_module;
pub(super) mod namespace;
pub(super) mod prototype;
pub(super) mod used_code;
pub(super) mod used_module;
