//! Moving indexes between repositories with Git's own push and fetch.
//!
//! A push sends indexes only of commits that the remote has already, or that the caller names. An
//! index holds names and words of its commit's files, so it must not go where the commit did not.
//! The remote has a commit if one of its branches or tags reaches it, as far as this repository
//! knows. A branch there that is not known here counts for nothing.
//!
//! Plain `git push origin 'refs/cora/*'` sends every index that is here. This moves only refs that
//! the other side lacks and needs, in batches of at most [`BATCH`]. Oldest come first, so that each
//! shares objects with the one before. It never leaves a refspec behind that a later `--prune`
//! could turn against local refs.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::base::id::ObjectId;
use crate::git::{self, Commit, EntryMode, Rejection, RemoteRefs, Repository, TreeEntry};

use super::gaps;
use super::layout::{
    FILES, LOCAL_PREFIX, MANIFEST, REF_PREFIX, commit_of_ref, index_commit, ref_name, snapshot_commit,
};
use super::open::indexed_commits;
use super::{Error, Result};

/// Most refs moved at once: hosts have answered pushes of more than a hundred with server errors.
const BATCH: usize = 50;

/// The refs of a remote that tell which commits it has.
const PUBLIC: [&str; 2] = ["refs/heads/", "refs/tags/"];

/// A remote to push to, and the refs that it has at each of its addresses that answers.
#[derive(Debug)]
pub struct Destination {
    remote: String,
    /// What to push to: the remote, or its addresses that answer if others don't. Git would stop at
    /// the first one that doesn't.
    targets: Vec<String>,
    sides: Vec<RemoteRefs>,
    silent: Vec<(String, git::Error)>,
    has_progress: bool,
}

/// The state of a ref at a remote, compared with ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// At least one address of the remote lacks it; no other address has another value.
    Absent,
    /// It is the same everywhere.
    Same,
    /// It has another value.
    Different,
}

/// The refs that [`Destination::send`] moved, and those that the remote did not accept.
#[derive(Debug, Clone, Default)]
pub struct Shipment {
    /// The full names of the refs that were moved.
    pub moved: Vec<String>,
    /// The refs that the remote did not accept.
    pub rejected: Vec<Rejection>,
    /// What the remote printed.
    pub said: Vec<String>,
    /// Git's summary of the transfer; empty unless [`Destination::with_progress`] asked for it.
    pub transfer: String,
}

/// The result of [`push`]; with `dry_run`, the planned result.
#[derive(Debug, Clone, Default)]
pub struct PushReport {
    /// Source commits whose indexes were sent, oldest first.
    pub sent: Vec<ObjectId>,
    /// Number of indexes that the remote had already.
    pub n_there: usize,
    /// Source commits with a different index on the remote, which was left alone.
    pub conflicting: Vec<ObjectId>,
    /// Source commits whose ref here is not an index of theirs. It was not sent.
    pub invalid: Vec<ObjectId>,
    /// Source commits that the remote does not have, newest first. Their indexes stay here.
    pub withheld: Vec<ObjectId>,
    /// The refs that the remote did not accept.
    pub rejected: Vec<Rejection>,
    /// What the remote printed.
    pub said: Vec<String>,
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
    /// Source commits whose ref on the remote is not an index of theirs. It was not kept.
    pub invalid: Vec<ObjectId>,
    /// Git's summary of the transfer.
    pub transfer: String,
}

impl Destination {
    /// Asks a remote, a name or an address, for its refs.
    ///
    /// # Errors
    /// [`Error::Git`] with Git's message if none of its addresses answers.
    pub fn open(repo: &Repository, remote: &str) -> Result<Self> {
        let [heads, tags] = PUBLIC;
        let (mut targets, mut sides, mut silent) = (Vec::new(), Vec::new(), Vec::new());
        for side in repo.push_sides(remote, &[heads, tags, REF_PREFIX])? {
            match side.refs {
                Ok(refs) => {
                    targets.push(side.address);
                    sides.push(refs);
                }
                Err(error) => silent.push((side.address, error)),
            }
        }
        if sides.is_empty()
            && let Some((_, error)) = silent.pop()
        {
            return Err(error.into());
        }
        // Git pushes to all addresses of a remote, with its other settings.
        if silent.is_empty() && repo.has_remote(remote)? {
            targets = vec![remote.to_owned()];
        }
        Ok(Self { remote: remote.to_owned(), targets, sides, silent, has_progress: false })
    }

    /// Makes Git report its progress, which gives [`Shipment::transfer`].
    pub fn with_progress(mut self, has_progress: bool) -> Self {
        self.has_progress = has_progress;
        self
    }

    /// Returns the addresses that do not answer, and why. Nothing is pushed there.
    pub fn silent(&self) -> &[(String, git::Error)] {
        &self.silent
    }

    /// Returns the remote as the caller gave it; an address may hold a password.
    pub fn remote(&self) -> &str {
        &self.remote
    }

    /// Returns the refs below `refs/cora/` that any address of the remote has, sorted by name.
    /// Symbolic ones are left out.
    pub fn our_refs(&self) -> Vec<String> {
        let symbolic: HashSet<String> = self.symbolic_refs().into_iter().collect();
        self.named(|name, _| name.starts_with(REF_PREFIX) && !symbolic.contains(name))
    }

    /// Returns those below `refs/cora/` that are symbolic at any address, sorted by name. To delete
    /// one there would delete what it points to.
    pub fn symbolic_refs(&self) -> Vec<String> {
        self.named(|name, id| name.starts_with(REF_PREFIX) && id.as_bytes().iter().all(|byte| *byte == 0))
    }

    fn named(&self, admits: impl Fn(&str, ObjectId) -> bool) -> Vec<String> {
        let all = self.sides.iter().flatten().filter(|(name, id)| admits(name, **id));
        let names: BTreeSet<&String> = all.map(|(name, _)| name).collect();
        names.into_iter().cloned().collect()
    }

    /// Returns the state of a ref at the remote; ours points to `target`.
    pub fn presence(&self, name: &str, target: ObjectId) -> Presence {
        let states: Vec<Option<ObjectId>> = self.sides.iter().map(|side| side.get(name).copied()).collect();
        if states.iter().flatten().any(|found| *found != target) {
            Presence::Different
        } else if states.contains(&None) {
            Presence::Absent
        } else {
            Presence::Same
        }
    }

    /// Returns those of `commits` that a branch or tag of the remote reaches, at each of its
    /// addresses.
    ///
    /// # Errors
    /// [`Error::Git`] if the history can't be walked.
    pub fn published(&self, repo: &Repository, commits: &[ObjectId]) -> Result<HashSet<ObjectId>> {
        let mut rest: HashSet<ObjectId> = commits.iter().copied().collect();
        for side in &self.sides {
            let left: Vec<ObjectId> = rest.into_iter().collect();
            let tips: Vec<ObjectId> = public(side).map(|(_, id)| id).collect();
            rest = repo.reachable(&left, &tips)?;
        }
        Ok(rest)
    }

    /// Returns those of `commits` that a branch or tag of the remote reaches at any of its
    /// addresses.
    ///
    /// # Errors
    /// [`Error::Git`] if the history can't be walked.
    pub fn published_anywhere(&self, repo: &Repository, commits: &[ObjectId]) -> Result<HashSet<ObjectId>> {
        let tips: Vec<ObjectId> = self.sides.iter().flat_map(public).map(|(_, id)| id).collect();
        Ok(repo.reachable(commits, &tips)?)
    }

    /// Returns the branches and tags of the remote whose commits are not in this repository. Nobody
    /// here can tell what they reach.
    pub fn unknown(&self, repo: &Repository) -> Vec<String> {
        let all = self.sides.iter().flat_map(public);
        let unknown = all.filter(|(_, id)| !repo.contains(*id)).map(|(name, _)| name.to_owned());
        let mut names: Vec<String> = unknown.collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns whether the remote has neither a branch nor a tag.
    pub fn is_empty(&self) -> bool {
        self.sides.iter().all(|side| public(side).next().is_none())
    }

    /// Pushes our refs of these names.
    ///
    /// # Errors
    /// [`Error::Git`] if the remote does not answer, or accepts none of them. Batches sent before
    /// the failure stay sent.
    pub fn send(&self, repo: &Repository, names: &[String]) -> Result<Shipment> {
        self.move_all(repo, names, |name| format!("{name}:{name}"))
    }

    /// Deletes the refs of these names from the remote.
    ///
    /// # Errors
    /// As [`Destination::send`].
    pub fn delete(&self, repo: &Repository, names: &[String]) -> Result<Shipment> {
        self.move_all(repo, names, |name| format!(":{name}"))
    }

    fn move_all(
        &self,
        repo: &Repository,
        names: &[String],
        spec: impl Fn(&String) -> String,
    ) -> Result<Shipment> {
        let mut shipment = Shipment::default();
        for batch in names.chunks(BATCH) {
            let specs: Vec<String> = batch.iter().map(&spec).collect();
            let mut rejected: Vec<Rejection> = Vec::new();
            for target in &self.targets {
                let delivery = repo.push_refs(target, &specs, self.has_progress)?;
                shipment.transfer.push_str(&delivery.transfer);
                rejected.extend(delivery.rejected);
                let new: Vec<String> =
                    delivery.said.into_iter().filter(|line| !shipment.said.contains(line)).collect();
                shipment.said.extend(new);
            }
            rejected.sort_by(|a, b| a.name.cmp(&b.name));
            rejected.dedup_by(|a, b| a.name == b.name);
            let failed: HashSet<&str> = rejected.iter().map(|one| one.name.as_str()).collect();
            let moved = batch.iter().filter(|name| !failed.contains(name.as_str()));
            shipment.moved.extend(moved.cloned());
            shipment.rejected.extend(rejected);
            if shipment.moved.is_empty() {
                break; // a server that accepts none of fifty will not accept the others
            }
        }
        match shipment.rejected.first().filter(|_| shipment.moved.is_empty()) {
            None => Ok(shipment),
            Some(first) => Err(Error::Git(git::Error::Transfer {
                operation: "push",
                remote: git::without_credentials(&self.remote),
                message: rejection(first, &shipment.said),
                why: first.refusal(),
            })),
        }
    }
}

/// Returns why a ref was not accepted, with what the remote printed.
fn rejection(first: &Rejection, said: &[String]) -> String {
    let said = if said.is_empty() { String::new() } else { format!(": {}", said.join("; ")) };
    format!("the server rejected '{}': {}{said}", first.name, first.reason)
}

/// The branches and tags of a remote.
fn public(side: &RemoteRefs) -> impl Iterator<Item = (&str, ObjectId)> {
    let is_public = |name: &str| PUBLIC.iter().any(|prefix| name.starts_with(prefix));
    side.iter().map(|(name, id)| (name.as_str(), *id)).filter(move |(name, _)| is_public(name))
}

/// Sorts commits by committer time, so that ancestors come first.
fn oldest_first(repo: &Repository, commits: impl IntoIterator<Item = ObjectId>) -> Vec<ObjectId> {
    let time = |commit| repo.commit(commit).map_or(0, |commit| commit.committer_time_s);
    let mut dated: Vec<(i64, ObjectId)> = commits.into_iter().map(|commit| (time(commit), commit)).collect();
    dated.sort_unstable();
    dated.into_iter().map(|(_, commit)| commit).collect()
}

/// Returns whether an object is the index of a source commit in every byte of its commits: S, or B
/// with the snapshot of the commit and that of its first parent. A snapshot names no commit, but it
/// has a record for each file.
fn is_index(repo: &Repository, source: ObjectId, target: ObjectId) -> Result<bool> {
    // A commit that can't be read can't be sent either.
    let Ok(index) = repo.commit(target) else { return Ok(false) };
    let snapshot = repo.commit_id(&snapshot_commit(index.tree))?;
    if !has_index_entries(repo, index.tree) {
        return Ok(false);
    }
    let commit = repo.commit(source).ok();
    if target == snapshot {
        let is_of =
            |commit: Commit| commit.parents.is_empty() && has_same_paths(repo, index.tree, commit.tree);
        return Ok(commit.is_some_and(is_of));
    }
    let before = index.parents.get(1).copied().unwrap_or(snapshot);
    if target != repo.commit_id(&index_commit(index.tree, source, snapshot, before))? {
        return Ok(false);
    }
    let Ok(before_it) = repo.commit(before) else { return Ok(false) };
    let is_snapshot = before == repo.commit_id(&snapshot_commit(before_it.tree))?;
    if !is_snapshot || !has_index_entries(repo, before_it.tree) {
        return Ok(false);
    }
    // A clone that lacks the commit can't tell.
    commit.map_or(Ok(true), |commit| is_snapshot_of(repo, before, before_it.tree, commit.parents.first()))
}

/// Returns whether a snapshot and its tree may be those of a commit, as far as this clone can tell:
/// they are those of the commit's index here, or have a record for each of its files.
fn is_snapshot_of(
    repo: &Repository,
    snapshot: ObjectId,
    tree: ObjectId,
    commit: Option<&ObjectId>,
) -> Result<bool> {
    let Some(&commit) = commit else { return Ok(false) };
    // A damaged ref of another index says nothing about this one.
    let index = repo.read_ref(&ref_name(commit)).ok().flatten().and_then(|index| repo.commit(index).ok());
    if let Some(index) = index
        && snapshot == repo.commit_id(&snapshot_commit(index.tree))?
    {
        return Ok(true);
    }
    // A shallow clone lacks the parents of its oldest commits.
    Ok(repo.commit(commit).map_or(true, |commit| has_same_paths(repo, tree, commit.tree)))
}

/// Returns whether the tree of an index has a record for each file of a source tree.
fn has_same_paths(repo: &Repository, index: ObjectId, source: ObjectId) -> bool {
    let Ok(entry) = repo.tree_entry(index, FILES.into()) else { return false };
    let records = entry.map_or(Ok(Vec::new()), |entry| repo.tree_files(entry.id));
    match (records, repo.tree_files(source)) {
        (Ok(records), Ok(files)) => records.iter().map(|one| &one.path).eq(files.iter().map(|one| &one.path)),
        _ => false,
    }
}

/// Returns whether a tree has the entries of an index and no others.
fn has_index_entries(repo: &Repository, tree: ObjectId) -> bool {
    let Ok(entries) = repo.tree_directory(tree, "".into()) else { return false };
    let is_ours = |one: &TreeEntry| match one.mode {
        EntryMode::Directory => one.path == FILES,
        _ => one.path == MANIFEST,
    };
    entries.iter().any(|one| one.path == MANIFEST) && entries.iter().all(is_ours)
}

/// Sends indexes that the remote lacks: those of `commits`, whether or not the remote has these
/// commits. Without commits, those of all indexed commits that the remote has.
///
/// An index that the remote has with another id (other options or another version) is left alone
/// and reported.
///
/// # Errors
/// [`Error::NotIndexed`] for a commit without an index, [`Error::Git`] with Git's message.
/// Batches sent before the failure stay sent.
pub fn push(
    repo: &Repository,
    destination: &Destination,
    commits: &[ObjectId],
    dry_run: bool,
) -> Result<PushReport> {
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
    let presence = |commit: ObjectId, target: ObjectId| destination.presence(&ref_name(commit), target);
    let absent: Vec<ObjectId> = here
        .iter()
        .filter(|(commit, target)| presence(**commit, **target) == Presence::Absent)
        .map(|(commit, _)| *commit)
        .collect();
    let published = destination.published(repo, &absent)?;
    let asked: HashSet<ObjectId> =
        if commits.is_empty() { here.keys().copied().collect() } else { commits.iter().copied().collect() };
    let mut pushed = PushReport::default();
    let (mut wanted, mut withheld) = (HashSet::new(), Vec::new());
    for commit in asked {
        let Some(&target) = here.get(&commit) else { continue };
        match presence(commit, target) {
            Presence::Same => pushed.n_there += 1,
            Presence::Different => pushed.conflicting.push(commit),
            Presence::Absent if commits.is_empty() && !published.contains(&commit) => withheld.push(commit),
            Presence::Absent => {
                wanted.insert(commit);
            }
        }
    }
    // Sends the ancestors back to the nearest one on the remote, too. Without them Git would send
    // whole indexes.
    for commit in wanted.clone() {
        let line = repo.first_parents(commit, 1_000)?;
        let is_there = |ancestor: &ObjectId| {
            here.get(ancestor).is_some_and(|target| presence(*ancestor, *target) != Presence::Absent)
        };
        let n_open = line.iter().position(is_there).unwrap_or(0);
        wanted.extend(line.iter().take(n_open).filter(|ancestor| published.contains(*ancestor)));
    }
    // A ref may be made to point anywhere, and a push sends all that it leads to.
    for commit in wanted.clone() {
        let Some(&target) = here.get(&commit) else { continue };
        if !is_index(repo, commit, target)? {
            wanted.remove(&commit);
            pushed.invalid.push(commit);
        }
    }
    pushed.invalid.sort_unstable();
    pushed.conflicting.sort_unstable();
    pushed.withheld = oldest_first(repo, withheld);
    pushed.withheld.reverse();
    pushed.sent = oldest_first(repo, wanted);
    if dry_run {
        return Ok(pushed);
    }
    let names: Vec<String> = pushed.sent.iter().map(|&commit| ref_name(commit)).collect();
    let shipment = destination.send(repo, &names)?;
    pushed.sent = shipment.moved.iter().filter_map(|name| commit_of_ref(name.as_bytes())).collect();
    pushed.rejected = shipment.rejected;
    pushed.said = shipment.said;
    pushed.transfer = shipment.transfer;
    Ok(pushed)
}

/// Fetches the indexes of `commits` from `remote`; without commits, of every commit in this
/// repository that `remote` has an index of.
///
/// An index that was made here stays, even if it differs. One that lacks files, because they could
/// not be read, is replaced.
///
/// # Errors
/// [`Error::Git`] with Git's message; [`Error::NotShared`] for a requested commit without an
/// index there.
pub fn fetch(repo: &Repository, remote: &str, commits: &[ObjectId], dry_run: bool) -> Result<FetchReport> {
    let refs = repo.remote_refs(remote, &[REF_PREFIX])?;
    let there: HashSet<ObjectId> = refs.keys().filter_map(|name| commit_of_ref(name.as_bytes())).collect();
    let mut here: HashSet<ObjectId> = HashSet::new();
    let mut local: HashMap<ObjectId, (String, ObjectId)> = HashMap::new();
    for (commit, name, target) in indexed_commits(repo)? {
        if name.starts_with(LOCAL_PREFIX.as_bytes()) {
            local.insert(commit, (name.to_string(), target));
        } else {
            here.insert(commit);
        }
    }
    let mut fetched = FetchReport::default();
    let mut wanted = HashSet::new();
    let asked: Vec<ObjectId> =
        if commits.is_empty() { there.iter().copied().collect() } else { commits.to_vec() };
    for commit in asked {
        if !there.contains(&commit) {
            return Err(Error::NotShared { remote: remote.to_owned(), commit });
        }
        let is_complete = |(_, target): &(String, ObjectId)| !has_gaps(repo, commit, *target);
        if here.contains(&commit) || local.get(&commit).is_some_and(is_complete) {
            // Ours stays, even if it differs: it was made here, with our options.
            fetched.n_here += 1;
        } else if repo.contains(commit) && repo.commit(commit).is_ok() {
            wanted.insert(commit);
        } else {
            fetched.n_foreign += 1;
        }
    }
    fetched.received = oldest_first(repo, wanted);
    if dry_run {
        return Ok(fetched);
    }
    let names: Vec<String> = fetched.received.iter().map(|&commit| ref_name(commit)).collect();
    fetched.transfer = receive(repo, remote, &names)?;
    // A ref of the remote may point anywhere.
    let mut strays: Vec<(String, ObjectId)> = Vec::new();
    for commit in std::mem::take(&mut fetched.received) {
        let name = ref_name(commit);
        match repo.read_ref(&name)? {
            Some(target) if !is_index(repo, commit, target)? => {
                strays.push((name, target));
                fetched.invalid.push(commit);
            }
            _ => fetched.received.push(commit),
        }
    }
    let replaced = fetched.received.iter().filter_map(|commit| local.remove(commit));
    strays.extend(replaced);
    repo.delete_refs(&strays)?;
    Ok(fetched)
}

/// Returns whether a local index lacks files that could not be read when it was made. One whose
/// trees can't be read lacks all of them.
fn has_gaps(repo: &Repository, commit: ObjectId, target: ObjectId) -> bool {
    let unreadable = || -> Result<bool> {
        let (source, index) = (repo.commit(commit)?, repo.commit(target)?);
        let Some(files) = repo.tree_entry(index.tree, FILES.into())? else { return Ok(false) };
        Ok(!gaps::unreadable_in(repo, source.tree, files.id)?.is_empty())
    };
    unreadable().unwrap_or(true)
}

/// Fetches the refs of these names, in batches; returns Git's summary of the transfer.
///
/// # Errors
/// [`Error::Git`] with Git's message. Batches received before the failure stay.
pub fn receive(repo: &Repository, remote: &str, names: &[String]) -> Result<String> {
    let mut transfer = String::new();
    for batch in names.chunks(BATCH) {
        let specs: Vec<String> = batch.iter().map(|name| format!("{name}:{name}")).collect();
        transfer.push_str(&repo.fetch_refs(remote, &specs)?);
    }
    Ok(transfer)
}
