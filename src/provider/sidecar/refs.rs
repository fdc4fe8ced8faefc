//! Sidecar refs: refs that belong to source commits but are not indexes.
//!
//! Owns pushing, fetching and pruning them alongside the indexes. Their names are
//! `<prefix><kind>/<commit>`; embeddings of remote models are an example (`refs/cora/embeddings/`).
//! Unlike an index, they cost money to make again. So no ref on either side is ever overwritten,
//! and the newest of each kind is always kept.

use std::collections::{BTreeMap, HashSet};

use bstr::ByteSlice;

use crate::base::id::ObjectId;
use crate::git::Repository;

use crate::index::share::{BATCH, message, transfer};
use crate::index::{Error, Result};

/// The result of [`push_refs`] or [`fetch_refs`]; with `dry_run`, the planned result.
#[derive(Debug, Clone, Default)]
pub struct TransferReport {
    /// The refs that were moved.
    pub moved: Vec<String>,
    /// Number of refs that the other side had already.
    pub n_there: usize,
    /// Refs with different values on the two sides; both were left alone.
    pub conflicting: Vec<String>,
    /// Git's summary of the transfer.
    pub transfer: String,
}

/// Refs by name, with the object that each points at.
type Refs = BTreeMap<String, ObjectId>;

/// Returns the source commit of a ref; `None` if the name has another form.
///
/// A remote chooses its refnames freely. A name that Git would read as a pattern or as two names is
/// refused.
fn commit_of(name: &str, prefix: &str) -> Option<ObjectId> {
    let (kind, commit) = name.strip_prefix(prefix)?.split_once('/')?;
    let is_special = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    if kind.is_empty() || kind.contains(is_special) { None } else { commit.parse().ok() }
}

fn here(repo: &Repository, prefix: &str) -> Result<Refs> {
    let refs = repo.list_refs(prefix)?;
    let named = |(name, id): (bstr::BString, ObjectId)| {
        let name = name.to_str().ok()?.to_owned();
        commit_of(&name, prefix)?;
        Some((name, id))
    };
    Ok(refs.into_iter().filter_map(named).collect())
}

fn there(repo: &Repository, operation: &'static str, remote: &str, prefix: &str) -> Result<Refs> {
    let output = repo.git(&["ls-remote", "--", remote, &format!("{prefix}*")]).interactive().run_any()?;
    if !output.success() {
        return Err(Error::Remote { operation, message: message(&output) });
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let named = |line: &str| {
        let (id, name) = line.split_once('\t')?;
        commit_of(name, prefix)?;
        Some((name.to_owned(), id.parse().ok()?))
    };
    Ok(text.lines().filter_map(named).collect())
}

/// Sorts the refs of `from` into missing in `to`, equal and conflicting.
fn missing(from: Refs, to: &Refs, prefix: &str, wants: impl Fn(ObjectId) -> bool) -> TransferReport {
    let mut carried = TransferReport::default();
    for (name, id) in from {
        if !commit_of(&name, prefix).is_some_and(&wants) {
            continue;
        }
        match to.get(&name) {
            Some(other) if *other == id => carried.n_there += 1,
            Some(_) => carried.conflicting.push(name),
            None => carried.moved.push(name),
        }
    }
    carried
}

fn run(
    repo: &Repository,
    operation: &'static str,
    options: &[&str],
    remote: &str,
    carried: &mut TransferReport,
) -> Result<()> {
    for batch in carried.moved.chunks(BATCH) {
        let specs: Vec<String> = batch.iter().map(|name| format!("{name}:{name}")).collect();
        let mut args = vec![operation, "--progress"];
        args.extend(options);
        args.extend(["--", remote]);
        args.extend(specs.iter().map(String::as_str));
        let output = repo.git(&args).interactive().run_any()?;
        if !output.success() {
            return Err(Error::Remote { operation, message: message(&output) });
        }
        carried.transfer.push_str(&transfer(&output));
    }
    Ok(())
}

/// Sends the refs under `prefix` of `commits` that `remote` does not have; without commits, all
/// that are here.
///
/// # Errors
/// [`Error::Remote`] with Git's message; batches sent before the failure stay sent.
pub fn push_refs(
    repo: &Repository,
    remote: &str,
    prefix: &str,
    commits: &[ObjectId],
    dry_run: bool,
) -> Result<TransferReport> {
    let there = there(repo, "push", remote, prefix)?;
    let wants = |commit| commits.is_empty() || commits.contains(&commit);
    let mut carried = missing(here(repo, prefix)?, &there, prefix, wants);
    if !dry_run {
        run(repo, "push", &["--no-verify"], remote, &mut carried)?;
    }
    Ok(carried)
}

/// Fetches the refs under `prefix` of `commits` from `remote`; without commits, of every commit in
/// this repository.
///
/// # Errors
/// [`Error::Remote`] with Git's message.
pub fn fetch_refs(
    repo: &Repository,
    remote: &str,
    prefix: &str,
    commits: &[ObjectId],
    dry_run: bool,
) -> Result<TransferReport> {
    let there = there(repo, "fetch", remote, prefix)?;
    let wants = |commit| if commits.is_empty() { repo.contains(commit) } else { commits.contains(&commit) };
    let mut carried = missing(there, &here(repo, prefix)?, prefix, wants);
    if !dry_run {
        let mut options = vec!["--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
        if repo.config_string("extensions.partialClone").is_some()
            || repo.config_string(&format!("remote.{remote}.promisor")).is_some()
        {
            // The filter of a partial clone would leave out all blobs.
            options.push("--no-filter");
        }
        run(repo, "fetch", &options, remote, &mut carried)?;
    }
    Ok(carried)
}

/// Deletes the refs under `prefix` of commits that are not `retained`; the newest of each kind
/// always stays.
///
/// Returns the number of refs kept and the names of those deleted.
///
/// # Errors
/// [`Error::Repo`].
pub fn prune_refs(
    repo: &Repository,
    prefix: &str,
    retained: &HashSet<ObjectId>,
    dry_run: bool,
) -> Result<(usize, Vec<String>)> {
    let mut kinds: BTreeMap<String, Vec<(i64, bool, String, ObjectId)>> = BTreeMap::new();
    for (name, target) in here(repo, prefix)? {
        let Some(commit) = commit_of(&name, prefix) else { continue };
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
        let of = |name: &str| commit_of(name, "refs/cora/embeddings/").map(|id| id.to_string());
        assert_eq!(of(&format!("refs/cora/embeddings/voyage=x/{commit}")).as_deref(), Some(commit));
        for name in [
            &format!("refs/cora/{commit}"),
            &format!("refs/cora/embeddings/{commit}"),
            &format!("refs/cora/embeddings//{commit}"),
            &format!("refs/cora/embeddings/a/b/{commit}"),
            &format!("refs/cora/embeddings/*/{commit}"),
            &format!("refs/cora/embeddings/a:b/{commit}"),
            "refs/cora/embeddings/a/main",
        ] {
            assert_eq!(of(name), None, "{name}");
        }
    }

    #[test]
    fn what_differs_is_left_alone() {
        let id = |digit: &str| digit.repeat(40).parse::<ObjectId>().unwrap();
        let refs = |list: &[(&str, &str)]| -> Refs {
            list.iter().map(|(commit, target)| (format!("p/m/{}", id(commit)), id(target))).collect()
        };
        let from = refs(&[("1", "a"), ("2", "b"), ("3", "c"), ("4", "d")]);
        let carried = missing(from, &refs(&[("1", "a"), ("2", "e")]), "p/", |commit| commit != id("4"));
        assert_eq!(carried.moved, [format!("p/m/{}", id("3"))]);
        assert_eq!((carried.n_there, carried.conflicting.len()), (1, 1));
    }
}
