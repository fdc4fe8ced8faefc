//! The refs that are ours: their names, the files of loose refs, and the age of a lock that nobody
//! holds any more.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::{Error, Result};
use crate::base::id::ObjectId;

/// The namespaces that we may write to.
pub(super) const OURS: [&str; 2] = ["refs/cora/", "refs/cora-local/"];

/// An older lock on one of our refs was left by a killed process. A lock is held for milliseconds,
/// or for as long as a fetch takes to write very many refs.
pub(super) const STALE_LOCK: Duration = Duration::from_secs(60);

/// Returns whether a lock was left by a process that was killed: no process holds one of ours for
/// so long.
pub(super) fn is_stale(lock: &Path) -> bool {
    let made = fs::metadata(lock).and_then(|meta| meta.modified());
    made.is_ok_and(|made| made.elapsed().is_ok_and(is_stale_age))
}

/// Returns whether a lock of this age was left behind by a process that is gone.
pub(super) fn is_stale_age(age: Duration) -> bool {
    age > STALE_LOCK
}

/// Returns the id that the file of a loose ref holds, read as Git does: the id, then white space or
/// nothing.
pub fn parse_loose(text: &[u8]) -> Option<ObjectId> {
    let end = text.iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(text.len());
    let (id, rest) = text.split_at_checked(end)?;
    let is_ended = rest.first().is_none_or(u8::is_ascii_whitespace);
    std::str::from_utf8(id).ok().filter(|_| is_ended)?.parse().ok()
}

/// Returns whether a name of a ref goes on behind an object id. All our names end in one, so this
/// ref is in the way of one of ours: a name can't be both a ref and the directory of another.
/// `hash_len` is the length of the repository's ids in bytes.
pub(super) fn is_below_ours(name: &[u8], hash_len: usize) -> bool {
    let Some(rest) = OURS.iter().find_map(|prefix| name.strip_prefix(prefix.as_bytes())) else {
        return false;
    };
    let is_id = |part: &[u8]| {
        let id = std::str::from_utf8(part).ok().and_then(ObjectId::from_name);
        id.is_some_and(|id| id.as_bytes().len() == hash_len)
    };
    let last = rest.iter().rposition(|byte| *byte == b'/').unwrap_or_default();
    rest.get(..last).unwrap_or_default().split(|byte| *byte == b'/').any(is_id)
}

pub(super) fn check_ours(name: &str) -> Result<()> {
    if is_valid_refname(name) && OURS.iter().any(|prefix| name.starts_with(prefix)) {
        return Ok(());
    }
    Err(Error::Internal(format!("'{name}' is not a ref that git-cora owns")))
}

/// Returns whether this is the full name of a ref, or `HEAD`.
pub(super) fn is_valid_refname(name: &str) -> bool {
    gix::validate::reference::name(name.into()).is_ok() && !name.starts_with('-') && !name.contains('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_below_a_name_of_ours_are_told_apart() {
        let id = "12".repeat(20);
        for name in ["x", "x/y/z", &id].map(|rest| format!("{id}/{rest}")) {
            for prefix in ["refs/cora", "refs/cora-local", "refs/cora/commentary", "refs/cora/embeddings/m"] {
                assert!(is_below_ours(format!("{prefix}/{name}").as_bytes(), 20), "{prefix}/{name}");
            }
        }
        for name in [
            format!("refs/cora/{id}"),
            format!("refs/cora/embeddings/m/{id}"),
            format!("refs/cora/{}/x", "AB".repeat(20)),
            format!("refs/cora/{}/x", "12".repeat(32)),
            format!("refs/cora/{}/x", &id[1..]),
            format!("refs/heads/{id}/x"),
            format!("refs/cora-other/{id}/x"),
            "refs/cora/x".to_owned(),
            "refs/cora/".to_owned(),
            String::new(),
        ] {
            assert!(!is_below_ours(name.as_bytes(), 20), "{name}");
        }
    }

    #[test]
    fn a_lock_is_stale_after_a_minute() {
        let ages = [0, 60_000, 60_001].map(Duration::from_millis);
        assert_eq!(ages.map(is_stale_age), [false, false, true]);
    }
}
