//! Refs of sidecars: they belong to source commits but are not indexes.
//!
//! Owns pushing, fetching and pruning them alongside the indexes: vectors of remote models, and
//! commentary. Unlike an index, they cost money to make again. So no ref on either side is ever
//! overwritten, and the newest vectors of each model are always kept. Like an index, they stay here
//! unless the remote has their commit or the user names it.

use std::collections::{BTreeMap, HashSet};

use bstr::ByteSlice;

use crate::base::id::ObjectId;
use crate::git::{Rejection, Repository};
use crate::index::{Destination, Presence, REF_PREFIX, Result, commit_of_ref, receive};

use super::{commentary, vectors};

/// What the refs hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SidecarKind {
    /// Vectors of remote models, at `refs/cora/embeddings/<model>/<commit>`.
    Vectors,
    /// Commentary of language models, at `refs/cora/commentary/<commit>`.
    Commentary,
}

impl SidecarKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Vectors, Self::Commentary];

    /// The prefix of the names of the refs; it ends in `/`.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Vectors => vectors::REF_PREFIX,
            Self::Commentary => commentary::REF_PREFIX,
        }
    }

    /// Returns the source commit of a ref; `None` if the name has another form.
    ///
    /// A remote chooses its refnames freely. A name that Git would read as a pattern or as two
    /// names is refused.
    pub fn commit_of(self, name: &str) -> Option<ObjectId> {
        let rest = name.strip_prefix(self.prefix())?;
        match self {
            Self::Commentary => ObjectId::from_name(rest),
            Self::Vectors => {
                let (model, commit) = rest.split_once('/')?;
                let is_special = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
                if model.is_empty() || model.contains(is_special) {
                    None
                } else {
                    ObjectId::from_name(commit)
                }
            }
        }
    }
}

/// Returns the source commit of a ref below `refs/cora/` that holds an index, vectors or
/// commentary; `None` for any other name.
pub fn source_commit(name: &str) -> Option<ObjectId> {
    if !name.starts_with(REF_PREFIX) {
        return None;
    }
    let of_sidecar = || SidecarKind::ALL.iter().find_map(|what| what.commit_of(name));
    commit_of_ref(name.as_bytes()).or_else(of_sidecar)
}

/// The result of [`push_refs`] or [`fetch_refs`]; with `dry_run`, the planned result.
#[derive(Debug, Clone, Default)]
pub struct TransferReport {
    /// The refs that were moved.
    pub moved: Vec<String>,
    /// Number of refs that the other side had already.
    pub n_there: usize,
    /// Refs with different values on the two sides; both were left alone.
    pub conflicting: Vec<String>,
    /// Refs that stay here, because the remote does not have their commits.
    pub withheld: Vec<String>,
    /// The refs that the remote did not accept.
    pub rejected: Vec<Rejection>,
    /// What the remote printed.
    pub said: Vec<String>,
    /// Git's summary of the transfer.
    pub transfer: String,
}

/// Refs by name, with the object that each points at.
type Refs = BTreeMap<String, ObjectId>;

fn here(repo: &Repository, what: SidecarKind) -> Result<Refs> {
    let refs = repo.list_refs(what.prefix())?;
    let named = |(name, id): (bstr::BString, ObjectId)| {
        let name = name.to_str().ok()?.to_owned();
        what.commit_of(&name)?;
        Some((name, id))
    };
    Ok(refs.into_iter().filter_map(named).collect())
}

/// Sends the refs of `commits` that the remote lacks, whether or not it has these commits. Without
/// commits, sends those of all commits that the remote has.
///
/// # Errors
/// [`crate::index::Error::Git`] with Git's message; batches sent before the failure stay sent.
pub fn push_refs(
    repo: &Repository,
    destination: &Destination,
    what: SidecarKind,
    commits: &[ObjectId],
    dry_run: bool,
) -> Result<TransferReport> {
    let here = here(repo, what)?;
    let all: Vec<ObjectId> = here.keys().filter_map(|name| what.commit_of(name)).collect();
    let published = destination.published(repo, &all)?;
    let mut carried = TransferReport::default();
    for (name, target) in here {
        let Some(commit) = what.commit_of(&name) else { continue };
        if !commits.is_empty() && !commits.contains(&commit) {
            continue;
        }
        match destination.presence(&name, target) {
            Presence::Same => carried.n_there += 1,
            Presence::Different => carried.conflicting.push(name),
            Presence::Absent if commits.is_empty() && !published.contains(&commit) => {
                carried.withheld.push(name);
            }
            Presence::Absent => carried.moved.push(name),
        }
    }
    if !dry_run {
        let shipment = destination.send(repo, &carried.moved)?;
        carried.moved = shipment.moved;
        carried.rejected = shipment.rejected;
        carried.said = shipment.said;
        carried.transfer = shipment.transfer;
    }
    Ok(carried)
}

/// Fetches the refs of `commits` from `remote`; without commits, of every commit in this
/// repository.
///
/// # Errors
/// [`crate::index::Error::Git`] with Git's message.
pub fn fetch_refs(
    repo: &Repository,
    remote: &str,
    what: SidecarKind,
    commits: &[ObjectId],
    dry_run: bool,
) -> Result<TransferReport> {
    let here = here(repo, what)?;
    let mut carried = TransferReport::default();
    for (name, id) in repo.remote_refs(remote, &[what.prefix()])? {
        let Some(commit) = what.commit_of(&name) else { continue };
        if if commits.is_empty() { !repo.contains(commit) } else { !commits.contains(&commit) } {
            continue;
        }
        match here.get(&name) {
            Some(ours) if *ours == id => carried.n_there += 1,
            Some(_) => carried.conflicting.push(name),
            None => carried.moved.push(name),
        }
    }
    if !dry_run {
        carried.transfer = receive(repo, remote, &carried.moved)?;
    }
    Ok(carried)
}

/// Deletes the vectors of commits that are not `retained`; the newest of each model always stays.
///
/// Returns the number of refs kept and the names of those deleted.
///
/// # Errors
/// [`crate::index::Error::Git`].
pub fn prune_refs(
    repo: &Repository,
    retained: &HashSet<ObjectId>,
    dry_run: bool,
) -> Result<(usize, Vec<String>)> {
    let mut kinds: BTreeMap<String, Vec<(i64, bool, String, ObjectId)>> = BTreeMap::new();
    for (name, target) in here(repo, SidecarKind::Vectors)? {
        let Some(commit) = SidecarKind::Vectors.commit_of(&name) else { continue };
        let kind = name.rsplit_once('/').map_or("", |(kind, _)| kind).to_owned();
        let time = repo.commit(commit).map_or(0, |commit| commit.committer_time_s);
        kinds.entry(kind).or_default().push((time, retained.contains(&commit), name, target));
    }
    let mut n_kept = 0;
    let mut dropped: Vec<(String, ObjectId)> = Vec::new();
    for mut refs in kinds.into_values() {
        refs.sort();
        let newest = refs.pop();
        n_kept += usize::from(newest.is_some());
        for (_, is_retained, name, target) in refs {
            if is_retained {
                n_kept += 1;
            } else {
                dropped.push((name, target));
            }
        }
    }
    if !dry_run && !dropped.is_empty() {
        repo.delete_refs(&dropped)?;
    }
    Ok((n_kept, dropped.into_iter().map(|(name, _)| name).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_kind_and_a_commit() {
        let commit = "aa51d04b7a6733917cb9d4319750db9a9cf143cc";
        let of = |name: &str| SidecarKind::Vectors.commit_of(name).map(|id| id.to_string());
        assert_eq!(of(&format!("refs/cora/embeddings/voyage=x/{commit}")).as_deref(), Some(commit));
        for name in [
            &format!("refs/cora/{commit}"),
            &format!("refs/cora/commentary/{commit}"),
            &format!("refs/cora/embeddings/{commit}"),
            &format!("refs/cora/embeddings//{commit}"),
            &format!("refs/cora/embeddings/a/b/{commit}"),
            &format!("refs/cora/embeddings/*/{commit}"),
            &format!("refs/cora/embeddings/a:b/{commit}"),
            &format!("refs/cora/embeddings/a/{}", commit.to_uppercase()),
            &format!("refs/cora/embeddings/a/{commit}/b"),
            "refs/cora/embeddings/a/main",
        ] {
            assert_eq!(of(name), None, "{name}");
        }
        let of = |name: &str| SidecarKind::Commentary.commit_of(name).map(|id| id.to_string());
        assert_eq!(of(&format!("refs/cora/commentary/{commit}")).as_deref(), Some(commit));
        for name in [
            format!("refs/cora/{commit}"),
            format!("refs/cora/commentary/a/{commit}"),
            format!("refs/cora/commentary/{commit}/a"),
            format!("refs/cora/commentary/{}", commit.to_uppercase()),
        ] {
            assert_eq!(of(&name), None, "{name}");
        }
    }
}
