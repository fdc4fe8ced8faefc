//! Retention: the choice of index refs that stay.
//!
//! Kept are the indexes of branch tips (remote ones included), of tags, of every work tree's
//! `HEAD`, and of the newest N commits of each branch's first-parent line. All other index refs are
//! deleted, and so are refs that nobody can use. Their objects go with Git's next garbage
//! collection. Nothing is lost but time, because any index can be built again.

use std::collections::HashSet;

use bstr::{BString, ByteSlice};

use crate::base::id::ObjectId;
use crate::git::{Head, RefFault, Repository};

use super::Result;
use super::open::indexed_commits;

/// The result of [`prune`]; with `dry_run`, the planned result.
#[derive(Debug, Clone, Default)]
pub struct PruneReport {
    /// Number of index refs that stay.
    pub n_kept: usize,
    /// Source commits whose index refs were deleted.
    pub dropped: Vec<ObjectId>,
    /// Number of deleted refs whose source commit is no longer in the repository.
    pub n_orphans: usize,
    /// Refs and locks below our prefixes that nobody could use or that were in the way, and that
    /// were removed.
    pub faults: Vec<RefFault>,
}

/// What [`prune`] may delete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PruneMode {
    /// Nothing: the report says what [`PruneMode::Requested`] would delete.
    DryRun,
    /// Index refs, and refs that nobody can miss: nobody looks at the report.
    Automatic,
    /// Refs in the way of ours, too.
    Requested,
}

/// Deletes the index refs that retention does not keep, and faulty refs below our prefixes. Refs
/// whose objects are not all there go too, unless the mode is [`PruneMode::Automatic`]: to find
/// them, all trees of all indexes are read.
///
/// # Errors
/// [`super::Error::Git`].
pub fn prune(repo: &Repository, keep: usize, mode: PruneMode) -> Result<PruneReport> {
    let dry_run = mode == PruneMode::DryRun;
    let mut faults = if dry_run { repo.ref_faults()? } else { remove_faults(repo, mode)? };
    if mode != PruneMode::Automatic {
        let mut incomplete = repo.incomplete_refs()?;
        incomplete.retain(|fault| dry_run || repo.remove_ref_fault(fault).unwrap_or(false));
        faults.extend(incomplete);
    }
    let mut report = PruneReport { faults, ..PruneReport::default() };
    let is_faulty = |name: &BString| report.faults.iter().any(|fault| fault.name == *name);
    let mut indexed = indexed_commits(repo)?;
    indexed.retain(|(_, name, _)| !is_faulty(name));
    if indexed.is_empty() {
        return Ok(report);
    }
    let kept = retained(repo, keep)?;
    let mut dropped: Vec<(BString, ObjectId)> = Vec::new();
    for (commit, name, target) in indexed {
        if kept.contains(&commit) {
            report.n_kept += 1;
        } else {
            report.n_orphans += usize::from(!repo.contains(commit));
            report.dropped.push(commit);
            dropped.push((name, target));
        }
    }
    if !dry_run && !dropped.is_empty() {
        let named: Vec<(String, ObjectId)> =
            dropped.into_iter().map(|(name, target)| (name.to_str_lossy().into_owned(), target)).collect();
        repo.delete_refs(&named)?;
    }
    Ok(report)
}

/// Removes the refs and locks below our prefixes that nobody can use, and that stop Git itself.
/// Locks of killed processes of ours go too. Returns those that were removed.
///
/// # Errors
/// [`super::Error::Git`] if the refs can't be listed. One that can't be removed stays.
pub fn remove_faults(repo: &Repository, mode: PruneMode) -> Result<Vec<RefFault>> {
    repo.recover_locks();
    let mut faults = repo.ref_faults()?;
    faults.retain(|fault| match mode {
        PruneMode::DryRun => false,
        PruneMode::Automatic => fault.kind.is_useless(),
        PruneMode::Requested => true,
    });
    faults.retain(|fault| repo.remove_ref_fault(fault).unwrap_or(false));
    Ok(faults)
}

/// Returns the indexed commits that no branch, tag, other ref or `HEAD` reaches, and how many of
/// these a reflog still holds.
///
/// # Errors
/// [`super::Error::Git`].
pub fn unreachable(repo: &Repository) -> Result<(Vec<ObjectId>, usize)> {
    let mut commits: Vec<ObjectId> = indexed_commits(repo)?.into_iter().map(|(commit, ..)| commit).collect();
    commits.sort_unstable();
    commits.dedup();
    let lost = repo.unreached(&commits, false)?;
    let n_gone = repo.unreached(&lost, true)?.len();
    let n_in_reflog = lost.len() - n_gone;
    Ok((lost, n_in_reflog))
}

/// Returns the source commits whose indexes are kept: those of branches, tags and work trees, and
/// `keep` more on each first-parent line.
///
/// # Errors
/// [`super::Error::Git`].
pub fn retained(repo: &Repository, keep: usize) -> Result<HashSet<ObjectId>> {
    let mut kept: HashSet<ObjectId> = HashSet::new();
    if let Head::Commit { id, .. } = repo.head()? {
        kept.insert(id);
        kept.extend(repo.first_parents(id, keep)?);
    }
    kept.extend(worktree_heads(repo)?);
    for (name, id) in repo.tips()? {
        kept.insert(id);
        if !name.starts_with(b"refs/tags/") {
            kept.extend(repo.first_parents(id, keep)?);
        }
    }
    Ok(kept)
}

/// Returns the `HEAD` commits of all work trees.
fn worktree_heads(repo: &Repository) -> Result<Vec<ObjectId>> {
    let output = repo.git(&["worktree", "list", "--porcelain"]).run()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| line.strip_prefix("HEAD ")?.parse().ok()).collect())
}
