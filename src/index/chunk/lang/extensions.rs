//! Types that methods extend from outside: what an extension declares is called on their objects.
//!
//! The type is recorded as one that is given, with a word and the name of the method, or of the
//! block or class that has the methods, as the alias.

use crate::index::chunk::ReferenceKind;
use crate::index::chunk::mention::{EXTENSION_WORD, Mention};
use std::borrow::Cow;

/// Returns the mention of the type that `name` extends, given as it is written.
pub(super) fn extends<'t>(at: u32, written: &'t str, name: &str) -> Option<Mention<'t>> {
    let ty = written.split(['<', '[', '?']).next().unwrap_or(written).trim();
    let (qualifier, ty) = ty.rsplit_once('.').unwrap_or(("", ty));
    let is_name = !ty.is_empty() && ty.chars().all(|c| c.is_alphanumeric() || c == '_');
    let given = Mention::new(at, ReferenceKind::Gives, ty, Cow::Borrowed(qualifier));
    is_name.then(|| Mention { alias: Cow::Owned(format!("{EXTENSION_WORD}{name}")), ..given })
}
