//! Refs that belong to source commits and are no index: moved, and dropped, beside the indexes.
//!
//! Their names are `<prefix><kind>/<commit>`; vectors of remote models are such (`refs/cora/embeddings/`). Unlike an
//! index they can't be made again for nothing. So none here or there is ever overwritten, and of each kind one stays.

use std::collections::{BTreeMap, HashSet};

use bstr::ByteSlice;

use crate::base::id::ObjectId;
use crate::git::Repository;

use crate::index::share::{BATCH, message, transfer};
use crate::index::{Error, Result};

/// What [`push_refs`] or [`fetch_refs`] did, or would do.
#[derive(Debug, Clone, Default)]
pub struct Carried {
    /// The refs that were moved.
    pub moved: Vec<String>,
    /// Refs that were on the other side already.
    pub n_there: usize,
    /// Refs of which the other side has another version; both were left alone.
    pub conflicting: Vec<String>,
    /// What Git reported of the transfer.
    pub transfer: String,
}

/// By name, what a ref points at.
type Refs = BTreeMap<String, ObjectId>;

/// The source commit that a ref belongs to, if its name is of the form. A remote may name its refs as it likes: what Git
/// would take for a pattern, or for two names, is no name.
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

/// What of `from` is not in `to`.
fn missing(from: Refs, to: &Refs, prefix: &str, wants: impl Fn(ObjectId) -> bool) -> Carried {
    let mut carried = Carried::default();
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
    carried: &mut Carried,
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

/// Sends the refs under `prefix` of `commits` (all that are here, if empty) that `remote` does not have.
///
/// # Errors
/// [`Error::Remote`] with what Git said; batches that went before it stay sent.
pub fn push_refs(
    repo: &Repository,
    remote: &str,
    prefix: &str,
    commits: &[ObjectId],
    dry_run: bool,
) -> Result<Carried> {
    let there = there(repo, "push", remote, prefix)?;
    let wants = |commit| commits.is_empty() || commits.contains(&commit);
    let mut carried = missing(here(repo, prefix)?, &there, prefix, wants);
    if !dry_run {
        run(repo, "push", &["--no-verify"], remote, &mut carried)?;
    }
    Ok(carried)
}

/// Receives the refs under `prefix` of `commits` from `remote`; if empty, of every commit that is in this repository.
///
/// # Errors
/// [`Error::Remote`] with what Git said.
pub fn fetch_refs(
    repo: &Repository,
    remote: &str,
    prefix: &str,
    commits: &[ObjectId],
    dry_run: bool,
) -> Result<Carried> {
    let there = there(repo, "fetch", remote, prefix)?;
    let wants = |commit| if commits.is_empty() { repo.contains(commit) } else { commits.contains(&commit) };
    let mut carried = missing(there, &here(repo, prefix)?, prefix, wants);
    if !dry_run {
        let mut options = vec!["--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
        if repo.config_string("extensions.partialClone").is_some()
            || repo.config_string(&format!("remote.{remote}.promisor")).is_some()
        {
            // The filter of a partial clone would leave every blob behind.
            options.push("--no-filter");
        }
        run(repo, "fetch", &options, remote, &mut carried)?;
    }
    Ok(carried)
}

/// Drops the refs under `prefix` of commits that are not `retained`; of each kind the newest stays in any case. Gives the
/// number that is kept, and the names of the dropped.
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
