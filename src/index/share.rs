//! Moving indexes between repositories with Git's own push and fetch.
//!
//! Plain `git push origin 'refs/cora/*'` works; this does better. It moves only refs that the other
//! side lacks and needs, in batches of at most [`BATCH`]. Oldest come first, so that each shares
//! objects with the one before. It never leaves a refspec behind that a later `--prune` could turn
//! against local refs.

use std::collections::{HashMap, HashSet};

use crate::base::id::ObjectId;
use crate::git::{self, Repository};

use super::layout::{REF_PREFIX, commit_of_ref, ref_name};
use super::open::indexed_commits;
use super::{Error, Result};

/// Most refs moved at once: hosts have answered pushes of more than a hundred with server errors.
pub(crate) const BATCH: usize = 50;

/// The result of [`push`]; with `dry_run`, the planned result.
#[derive(Debug, Clone, Default)]
pub struct PushReport {
    /// Source commits whose indexes were sent, oldest first.
    pub sent: Vec<ObjectId>,
    /// Number of indexes that the remote had already.
    pub n_there: usize,
    /// Source commits with a different index on the remote, which was left alone.
    pub conflicting: Vec<ObjectId>,
    /// Git's summary of the transfer.
    pub transfer: String,
}

/// The result of [`fetch`]; with `dry_run`, the planned result.
#[derive(Debug, Clone, Default)]
pub struct FetchReport {
    /// Source commits whose indexes were received.
    pub received: Vec<ObjectId>,
    /// Number of indexes that were here already.
    pub n_here: usize,
    /// Number of indexes on the remote whose commits are not in this repository.
    pub n_foreign: usize,
    /// Git's summary of the transfer.
    pub transfer: String,
}

/// Lists the indexes of the remote: source commit → index commit.
fn remote_indexes(
    repo: &Repository,
    operation: &'static str,
    remote: &str,
) -> Result<HashMap<ObjectId, ObjectId>> {
    let pattern = format!("{REF_PREFIX}*");
    let output = repo.git(&["ls-remote", "--", remote, &pattern]).interactive().run_any()?;
    if !output.success() {
        return Err(Error::Remote { operation, message: message(&output) });
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text
        .lines()
        .filter_map(|line| {
            let (id, name) = line.split_once('\t')?;
            Some((commit_of_ref(name.as_bytes())?, id.parse().ok()?))
        })
        .collect())
}

/// What Git said of a failure, without progress, on one line.
pub(crate) fn message(output: &git::Output) -> String {
    let lines: Vec<&str> = output
        .stderr
        .lines()
        .map(|line| line.rsplit('\r').next().unwrap_or(line).trim())
        .filter(|line| !line.is_empty())
        .collect();
    let is_reason =
        |line: &&&str| ["fatal:", "error:", "remote:", "!"].iter().any(|mark| line.starts_with(mark));
    let reasons: Vec<&str> = lines.iter().filter(is_reason).copied().collect();
    let chosen = if reasons.is_empty() { lines } else { reasons };
    if chosen.is_empty() { "it gave no reason".to_owned() } else { chosen.join("; ") }
}

/// Git's last word on the objects that it moved.
pub(crate) fn transfer(output: &git::Output) -> String {
    let is_summary = |line: &&str| {
        (line.starts_with("Writing objects") || line.starts_with("Receiving objects"))
            && line.contains("done")
    };
    output
        .stderr
        .split(['\n', '\r'])
        .map(str::trim)
        .filter(is_summary)
        .map(|line| format!("{line}\n"))
        .collect()
}

/// Sorts commits by committer time, so that ancestors come first.
fn oldest_first(repo: &Repository, commits: HashSet<ObjectId>) -> Result<Vec<ObjectId>> {
    let mut dated = Vec::with_capacity(commits.len());
    for commit in commits {
        let time = repo.commit(commit).map_or(0, |commit| commit.committer_time_s);
        dated.push((time, commit));
    }
    dated.sort_unstable();
    Ok(dated.into_iter().map(|(_, commit)| commit).collect())
}

/// Sends the indexes of `commits` that `remote` does not have; without commits, all that are here.
///
/// An index that the remote has with another id (other options or another version) is left alone
/// and reported.
///
/// # Errors
/// [`Error::NotIndexed`] for a commit without an index, [`Error::Remote`] with Git's message.
/// Batches sent before the failure stay sent.
pub fn push(repo: &Repository, remote: &str, commits: &[ObjectId], dry_run: bool) -> Result<PushReport> {
    let here: HashMap<ObjectId, ObjectId> = indexed_commits(repo)?
        .into_iter()
        .filter(|(_, name, _)| name.starts_with(REF_PREFIX.as_bytes()))
        .map(|(commit, _, target)| (commit, target))
        .collect();
    for &commit in commits {
        if !here.contains_key(&commit) {
            return Err(Error::NotIndexed { commit });
        }
    }
    let there = remote_indexes(repo, "push", remote)?;
    let asked: HashSet<ObjectId> =
        if commits.is_empty() { here.keys().copied().collect() } else { commits.iter().copied().collect() };
    let mut pushed = PushReport::default();
    let mut wanted = HashSet::new();
    for commit in asked {
        match there.get(&commit) {
            Some(target) if here.get(&commit) == Some(target) => pushed.n_there += 1,
            Some(_) => pushed.conflicting.push(commit),
            None => {
                wanted.insert(commit);
            }
        }
    }
    // Sends the ancestors back to the nearest one on the remote, too. Without them Git would send
    // whole indexes.
    for commit in wanted.clone() {
        let line = repo.first_parents(commit, 1_000)?;
        let n_open = line.iter().position(|ancestor| there.contains_key(ancestor)).unwrap_or(0);
        wanted.extend(line.iter().take(n_open).filter(|ancestor| here.contains_key(ancestor)));
    }
    pushed.conflicting.sort_unstable();
    pushed.sent = oldest_first(repo, wanted)?;
    if dry_run {
        return Ok(pushed);
    }
    for batch in pushed.sent.chunks(BATCH) {
        let specs: Vec<String> = batch.iter().map(|&commit| format!("{0}:{0}", ref_name(commit))).collect();
        let mut args = vec!["push", "--progress", "--no-verify", "--", remote];
        args.extend(specs.iter().map(String::as_str));
        let output = repo.git(&args).interactive().run_any()?;
        if !output.success() {
            return Err(Error::Remote { operation: "push", message: message(&output) });
        }
        pushed.transfer.push_str(&transfer(&output));
    }
    Ok(pushed)
}

/// Fetches the indexes of `commits` from `remote`; without commits, of every commit in this
/// repository that `remote` has an index of.
///
/// # Errors
/// [`Error::Remote`] with Git's message; [`Error::NotShared`] for a requested commit without an
/// index there.
pub fn fetch(repo: &Repository, remote: &str, commits: &[ObjectId], dry_run: bool) -> Result<FetchReport> {
    let there = remote_indexes(repo, "fetch", remote)?;
    let here: HashMap<ObjectId, ObjectId> =
        indexed_commits(repo)?.into_iter().map(|(commit, _, target)| (commit, target)).collect();
    let mut fetched = FetchReport::default();
    let mut wanted = HashSet::new();
    let asked: Vec<ObjectId> =
        if commits.is_empty() { there.keys().copied().collect() } else { commits.to_vec() };
    for commit in asked {
        let Some(target) = there.get(&commit) else {
            return Err(Error::NotShared { remote: remote.to_owned(), commit });
        };
        if here.get(&commit) == Some(target) {
            fetched.n_here += 1;
        } else if here.contains_key(&commit) {
            // Ours stays: it was made here, with our options.
            fetched.n_here += 1;
        } else if repo.contains(commit) {
            wanted.insert(commit);
        } else {
            fetched.n_foreign += 1;
        }
    }
    fetched.received = oldest_first(repo, wanted)?;
    if dry_run {
        return Ok(fetched);
    }
    for batch in fetched.received.chunks(BATCH) {
        let specs: Vec<String> = batch.iter().map(|&commit| format!("{0}:{0}", ref_name(commit))).collect();
        let mut args =
            vec!["fetch", "--progress", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
        if repo.config_string("extensions.partialClone").is_some()
            || repo.config_string(&format!("remote.{remote}.promisor")).is_some()
        {
            // The filter of a partial clone would leave out all records.
            args.push("--no-filter");
        }
        args.extend(["--", remote]);
        args.extend(specs.iter().map(String::as_str));
        let output = repo.git(&args).interactive().run_any()?;
        if !output.success() {
            return Err(Error::Remote { operation: "fetch", message: message(&output) });
        }
        fetched.transfer.push_str(&transfer(&output));
    }
    Ok(fetched)
}
