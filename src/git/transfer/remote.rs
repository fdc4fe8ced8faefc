//! Remotes: which one is meant, which refs it has, and pushing our refs to it.
//!
//! The `git` program talks to the remote, so its credentials, proxies and hooks are the user's.
//! Input: the name or address of a remote. Output: its refs, and for a push the refs that the
//! remote rejected. A remote may have several push addresses; then it has a ref or a commit only if
//! each address has it.
//!
//! The user's `pre-push` hook runs as in any push. A push never sends tags or submodules that the
//! configuration would add.

use std::collections::{BTreeMap, HashSet};

use super::address::without_credentials_in;
use crate::base::id::ObjectId;
use crate::base::text::head;
use crate::git::{Error, Head, Output, Refusal, Repository, Result, without_credentials};

/// The refs of a remote by full name, with the object that each points to.
pub type RemoteRefs = BTreeMap<String, ObjectId>;

/// Set in the environment of a push, and so of its hooks. A `pre-push` hook that runs `git cora
/// push` would otherwise start itself for ever.
pub const PUSHING: &str = "CORA_PUSHING";

/// Most bytes of a hook's output in an error message.
const HOOK_BYTES: usize = 2_000;

/// The direction of a transfer. Git has separate settings for the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the remote.
    Push,
    /// From the remote.
    Fetch,
}

impl Direction {
    fn name(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::Fetch => "fetch",
        }
    }
}

/// A ref that a remote did not accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The full name of the ref.
    pub name: String,
    /// The reason that the remote gave.
    pub reason: String,
}

/// The result of [`Repository::push_refs`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delivery {
    /// The refs that the remote did not accept; the others were moved.
    pub rejected: Vec<Rejection>,
    /// What the remote printed.
    pub said: Vec<String>,
    /// Git's summary of the transfer.
    pub transfer: String,
}

/// An address that a push goes to.
#[derive(Debug)]
pub struct Side {
    /// What to call it: the name of the remote if that has only one address.
    pub address: String,
    /// Its refs, or why it did not answer.
    pub refs: Result<RemoteRefs>,
}

impl Rejection {
    /// Returns what kind of refusal this is.
    pub fn refusal(&self) -> Refusal {
        let reason = self.reason.to_lowercase();
        let is_name = ["hidden ref", "refname", "ref name", "namespace", "prohibited"];
        if is_name.iter().any(|text| reason.contains(text)) { Refusal::Rejected } else { Refusal::Declined }
    }
}

impl Repository {
    /// Returns the names of the configured remotes.
    ///
    /// # Errors
    /// [`Error::Command`] if they can't be listed.
    pub fn remotes(&self) -> Result<Vec<String>> {
        let listed = self.git(&["remote"]).run()?;
        Ok(String::from_utf8_lossy(&listed.stdout).lines().map(str::to_owned).collect())
    }

    /// Returns the remote that Git uses if none is named: the branch's, the default one, `origin`,
    /// or the only one. `None` if there is none, or if there are several and none of these.
    ///
    /// For a push, `branch.<name>.pushRemote` and `remote.pushDefault` come first. If it is a dot,
    /// which stands for this repository, it is returned.
    ///
    /// # Errors
    /// Those of [`Repository::head`] and [`Repository::remotes`].
    pub fn default_remote(&self, direction: Direction) -> Result<Option<String>> {
        let refname = match self.head()? {
            Head::Commit { refname, .. } => refname,
            Head::Unborn { refname } => Some(refname),
        };
        let branch = refname.and_then(|name| {
            let name = name.strip_prefix(b"refs/heads/")?;
            Some(String::from_utf8_lossy(name).into_owned())
        });
        // A dot stands for this repository itself, where there is nothing to move.
        let set = |key: &str| self.config_string(key).filter(|name| !name.is_empty());
        let of_branch = |key: &str| set(&format!("branch.{}.{key}", branch.as_deref()?));
        let upstream = || of_branch("remote").filter(|name| name != ".");
        let chosen = match direction {
            Direction::Push => {
                of_branch("pushRemote").or_else(|| set("remote.pushDefault")).or_else(upstream)
            }
            Direction::Fetch => upstream(),
        };
        if chosen.is_some() {
            return Ok(chosen);
        }
        let remotes = self.remotes()?;
        Ok(match remotes.as_slice() {
            [only] => Some(only.clone()),
            more => more.iter().find(|name| *name == "origin").cloned(),
        })
    }

    /// Returns the refs below `prefixes` (each ends in `/`) at each address that a push to a remote
    /// goes to. They are as [`Repository::remote_refs`] returns them.
    ///
    /// # Errors
    /// [`Error::Command`] if the addresses can't be listed.
    pub fn push_sides(&self, remote: &str, prefixes: &[&str]) -> Result<Vec<Side>> {
        let side = |address: String| {
            let refs = self.refs_at(&address, Direction::Push, prefixes);
            Side { address, refs }
        };
        Ok(self.push_addresses(remote)?.into_iter().map(side).collect())
    }

    /// Returns the refs below `prefixes` (each ends in `/`) at a remote to fetch from.
    ///
    /// An annotated tag
    /// occurs twice: as itself and, with `^{}` behind its name, as the object that it names. A ref
    /// of ours that is symbolic has the id zero, because to move or delete it moves or deletes
    /// another one. A server says so from version 2 of the protocol on.
    ///
    /// # Errors
    /// [`Error::Transfer`] if it does not answer.
    pub fn remote_refs(&self, remote: &str, prefixes: &[&str]) -> Result<RemoteRefs> {
        self.refs_at(remote, Direction::Fetch, prefixes)
    }

    fn refs_at(&self, address: &str, direction: Direction, prefixes: &[&str]) -> Result<RemoteRefs> {
        let patterns: Vec<String> = prefixes.iter().map(|prefix| format!("{prefix}*")).collect();
        let settings = match direction {
            Direction::Push => self.as_it_is(address, false)?.settings,
            Direction::Fetch => Vec::new(),
        };
        let mut args: Vec<&str> = settings.iter().map(String::as_str).collect();
        args.extend(["ls-remote", "--symref", "--", address]);
        args.extend(patterns.iter().map(String::as_str));
        let output = self.git(&args).interactive().run_any()?;
        if !output.success() {
            return Err(failure(direction, address, &output));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let links = text.lines().filter_map(|line| line.strip_prefix("ref: ")?.split_once('\t'));
        let symbolic: HashSet<&str> =
            links.map(|(_, name)| name).filter(|name| name.starts_with("refs/cora/")).collect();
        let named = |line: &str| {
            let (id, name) = line.split_once('\t')?;
            let id = if symbolic.contains(name) { "0".repeat(id.len()) } else { id.to_owned() };
            // Git's patterns match the end of a name, too.
            let is_wanted = prefixes.iter().any(|prefix| name.starts_with(prefix));
            Some((name.to_owned(), id.parse().ok().filter(|_| is_wanted)?))
        };
        Ok(text.lines().filter_map(named).collect())
    }

    /// Pushes with these refspecs, whose right sides are below `refs/cora/`, to a remote or to an
    /// address of [`Repository::push_sides`]. The remote may reject some and accept the others.
    ///
    /// With `has_progress`, Git reports its progress, and the summary of the transfer comes from
    /// it. Otherwise there is none: if we are killed, Git would stop in the middle of the next
    /// report, and the remote would keep half of a pack.
    ///
    /// # Errors
    /// [`Error::Transfer`] if nothing was pushed: the remote does not answer, or the `pre-push`
    /// hook refused. [`Error::Internal`] for a refspec outside our namespace.
    pub fn push_refs(&self, remote: &str, specs: &[String], has_progress: bool) -> Result<Delivery> {
        if let Some(spec) = specs.iter().find(|spec| !is_ours(spec)) {
            return Err(Error::Internal(format!("'{spec}' pushes a ref that git-cora does not own")));
        }
        let mirror = format!("remote.{remote}.mirror");
        // Git refuses refspecs for a mirror, which moves all refs.
        let no_mirror = format!("{mirror}=false");
        let exact = self.as_it_is(remote, true)?;
        let mut args: Vec<&str> = exact.settings.iter().map(String::as_str).collect();
        if !remote.contains('=') && self.config_bool(&mirror)? == Some(true) {
            args.extend(["-c", no_mirror.as_str()]);
        }
        let progress = if has_progress { "--progress" } else { "--no-progress" };
        args.extend(["push", progress, "--porcelain", "--no-follow-tags", "--recurse-submodules=no"]);
        args.extend(["--", exact.target.as_str()]);
        args.extend(specs.iter().map(String::as_str));
        let output = self.git(&args).env(PUSHING, "1").interactive().run_any()?;
        let rejected = rejections(&output);
        if !output.success() && rejected.is_empty() {
            return Err(failure(Direction::Push, remote, &output));
        }
        Ok(Delivery { rejected, said: said(&output), transfer: transfer(&output) })
    }

    /// Fetches with these refspecs, whose right sides are below `refs/cora/`; returns Git's summary
    /// of the transfer.
    ///
    /// # Errors
    /// [`Error::Transfer`] with Git's message, [`Error::Internal`] for a refspec outside our
    /// namespace.
    pub fn fetch_refs(&self, remote: &str, specs: &[String]) -> Result<String> {
        if let Some(spec) = specs.iter().find(|spec| !is_ours(spec)) {
            return Err(Error::Internal(format!("'{spec}' fetches into a ref that git-cora does not own")));
        }
        let mut args = vec![
            "fetch",
            "--progress",
            "--no-prune",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
        ];
        // A few small objects need no maintenance, and one that is killed leaves its lock.
        args.push("--no-auto-maintenance");
        if self.config_string("extensions.partialClone").is_some()
            || self.config_string(&format!("remote.{remote}.promisor")).is_some()
        {
            // The filter of a partial clone would leave out all blobs.
            args.push("--no-filter");
        }
        args.extend(["--", remote]);
        args.extend(specs.iter().map(String::as_str));
        let output = self.git(&args).interactive().run_any()?;
        if !output.success() {
            return Err(failure(Direction::Fetch, remote, &output));
        }
        Ok(transfer(&output))
    }

    /// Returns those of `commits` that are reachable from `tips`, as far as this repository has the
    /// history. Objects that are not here or are not commits are left out.
    ///
    /// # Errors
    /// [`Error::Command`] if the history can't be walked.
    pub fn reachable(&self, commits: &[ObjectId], tips: &[ObjectId]) -> Result<HashSet<ObjectId>> {
        let (mut wanted, mut starts) = (HashSet::new(), HashSet::new());
        for &commit in commits {
            wanted.extend(self.peel_to_commit(commit)?.filter(|peeled| *peeled == commit));
        }
        for &tip in tips {
            starts.extend(self.peel_to_commit(tip)?);
        }
        if wanted.is_empty() || starts.is_empty() {
            return Ok(HashSet::new());
        }
        let mut input = String::new();
        for commit in &wanted {
            input.push_str(&format!("{commit}\n"));
        }
        for tip in &starts {
            input.push_str(&format!("^{tip}\n"));
        }
        let beyond = self.git(&["rev-list", "--stdin"]).input(input.into_bytes()).run()?;
        for line in String::from_utf8_lossy(&beyond.stdout).lines() {
            let id: ObjectId = line.parse().map_err(Error::git("parse the output of git rev-list"))?;
            wanted.remove(&id);
        }
        Ok(wanted)
    }
}

impl Repository {
    /// Returns those of `commits` that no ref and no `HEAD` of a work tree reaches, in their order.
    /// With `reflogs`, what a reflog holds counts as reached. Our own refs don't count.
    ///
    /// # Errors
    /// [`Error::Command`] if the history can't be walked.
    pub fn unreached(&self, commits: &[ObjectId], reflogs: bool) -> Result<Vec<ObjectId>> {
        let here: HashSet<ObjectId> = commits.iter().copied().filter(|id| self.contains(*id)).collect();
        if here.is_empty() {
            return Ok(commits.to_vec());
        }
        let input: String = here.iter().map(|id| format!("{id}\n")).collect();
        let mut args = vec!["rev-list", "--ignore-missing", "--stdin", "--not"];
        args.extend(["--exclude=refs/cora/*", "--exclude=refs/cora-local/*", "--all"]);
        if reflogs {
            args.push("--reflog");
        }
        let beyond = self.git(&args).input(input.into_bytes()).run()?;
        let beyond: HashSet<&str> = std::str::from_utf8(&beyond.stdout).unwrap_or_default().lines().collect();
        let is_lost = |id: &ObjectId| beyond.contains(id.to_string().as_str()) || !here.contains(id);
        Ok(commits.iter().copied().filter(is_lost).collect())
    }
}

/// Returns whether the right side of a refspec is one of our refs.
fn is_ours(spec: &str) -> bool {
    spec.rsplit(':').next().is_some_and(|name| name.starts_with("refs/cora/"))
}

/// Returns the refs that a push could not move, from Git's porcelain report: a flag, the refspec
/// and a summary, separated by tabs.
fn rejections(output: &Output) -> Vec<Rejection> {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut rejected: Vec<Rejection> = Vec::new();
    // The lines before the first 'To' are the output of a hook.
    for line in text.lines().skip_while(|line| !line.starts_with("To ")) {
        let mut fields = line.split('\t');
        let (Some("!"), Some(spec), Some(summary)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let name = spec.rsplit(':').next().unwrap_or(spec).to_owned();
        let reason = summary.split_once('(').map_or(summary, |(_, reason)| reason.trim_end_matches(')'));
        if rejected.iter().all(|one| one.name != name) {
            rejected.push(Rejection { name, reason: reason.to_owned() });
        }
    }
    rejected
}

/// Returns what the remote printed, without its progress, at most [`HOOK_BYTES`].
fn said(output: &Output) -> Vec<String> {
    let mut left = HOOK_BYTES;
    let lines = output.stderr.lines().filter_map(|line| {
        // A line of progress is written over again and again.
        let line = without_colors(line.rsplit('\r').next().unwrap_or(line));
        let line = line.trim().strip_prefix("remote:")?.trim();
        let is_progress = ["Enumerating ", "Counting ", "Compressing ", "Resolving ", "Total "]
            .iter()
            .any(|word| line.starts_with(word));
        (!is_progress && !line.is_empty()).then(|| line.to_owned())
    });
    let fits = |line: &String| {
        left = left.saturating_sub(line.len());
        left > 0
    };
    lines.take_while(fits).collect()
}

/// Removes the color codes that `color.push` and `color.remote` add, and those of a server.
fn without_colors(line: &str) -> String {
    let mut parts = line.split("\x1b[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once(|c: char| c.is_ascii_alphabetic()).map_or(part, |(_, rest)| rest));
    }
    plain
}

/// Returns the error of a transfer that failed as a whole.
fn failure(direction: Direction, remote: &str, output: &Output) -> Error {
    let (why, shown) = (refusal(output), without_credentials(remote));
    let message = match why {
        Refusal::Hook => format!("the pre-push hook rejected it{}", hook_output(output)),
        _ => without_credentials_in(&message(output).replace(remote, &shown)),
    };
    Error::Transfer { operation: direction.name(), remote: shown, message, why }
}

/// Texts by which servers and SSH say that this user may not do this.
const DENIED: [&str; 11] = [
    "permission denied",
    "permission to ",
    "authentication failed",
    "could not read username",
    "could not read password",
    "terminal prompts disabled",
    "error: 401",
    "error: 403",
    "access denied",
    "not authorized",
    "unauthorized",
];

fn refusal(output: &Output) -> Refusal {
    let said = without_colors(&output.stderr).to_lowercase();
    if DENIED.iter().any(|text| said.contains(text)) {
        return Refusal::Denied;
    }
    // Git says nothing else about a hook, and nothing at all about refs, because it did not
    // connect.
    let has_reason = said.lines().any(|line| line.starts_with("fatal:") || line.starts_with("remote:"));
    if said.contains("failed to push some refs") && !has_reason {
        return Refusal::Hook;
    }
    Refusal::Unreachable
}

/// Returns the output of a `pre-push` hook as the end of a message. It is mixed with Git's own.
fn hook_output(output: &Output) -> String {
    let printed = String::from_utf8_lossy(&output.stdout);
    let lines = printed.lines().chain(output.stderr.lines()).map(str::trim);
    let own: Vec<&str> = lines
        .filter(|line| {
            !line.is_empty() && !without_colors(line).starts_with("error: failed to push some refs")
        })
        .collect();
    let mut text = own.join("; ");
    if text.len() > HOOK_BYTES {
        text.truncate(head(&text, HOOK_BYTES).len());
        text.push('…');
    }
    if text.is_empty() { text } else { format!(": {text}") }
}

/// What Git said of a failure, without progress, on one line.
pub(in crate::git) fn message(output: &Output) -> String {
    let stderr = without_colors(&output.stderr);
    let lines: Vec<&str> = stderr
        .lines()
        .map(|line| line.rsplit('\r').next().unwrap_or(line).trim())
        .filter(|line| !line.is_empty())
        .collect();
    let is_reason =
        |line: &&&str| ["fatal:", "error:", "remote:", "!"].iter().any(|mark| line.starts_with(mark));
    let reasons: Vec<&str> = lines.iter().filter(is_reason).copied().collect();
    let chosen = if reasons.is_empty() { lines } else { reasons };
    if chosen.is_empty() { "no reason given".to_owned() } else { chosen.join("; ") }
}

/// Git's last word on the objects that it moved.
fn transfer(output: &Output) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    fn output(stdout: &str, stderr: &str) -> Output {
        Output {
            status: Some(1),
            stdout: stdout.into(),
            stderr: stderr.into(),
            is_late: false,
            is_cut: false,
        }
    }

    #[test]
    fn a_failure_has_the_hint_that_fits_it() {
        let failed = "error: failed to push some refs to '../b.git'";
        let table = [
            ("fatal: '../x' does not appear to be a git repository", Refusal::Unreachable),
            (
                "ssh: connect to host h port 22: Connection refused\nfatal: Could not read",
                Refusal::Unreachable,
            ),
            ("git@h: Permission denied (publickey).\nfatal: Could not read from remote", Refusal::Denied),
            ("remote: Permission to a/b.git denied to c.\nfatal: … error: 403", Refusal::Denied),
            ("fatal: Authentication failed for 'https://h/x'", Refusal::Denied),
            ("fatal: could not read Username for 'https://h': terminal prompts disabled", Refusal::Denied),
            (failed, Refusal::Hook),
        ];
        for (stderr, expected) in table {
            assert_eq!(refusal(&output("", stderr)), expected, "{stderr}");
        }
        let error = failure(Direction::Push, "origin", &output("a secret!\n", failed));
        assert_eq!(error.to_string(), "push failed: the pre-push hook rejected it: a secret!");
    }

    #[test]
    fn rejected_refs_are_told_from_moved_ones_and_from_a_hooks_output() {
        let stdout = "!\trefs/cora/0:refs/cora/0\t[printed by a hook]\nTo ../b.git\n\
                      *\trefs/cora/1:refs/cora/1\t[new reference]\n\
                      !\trefs/cora/2:refs/cora/2\t[remote rejected] (hook declined)\n\
                      !\t:refs/cora/3\t[rejected]\nDone\n";
        let rejected = rejections(&output(stdout, ""));
        let of = |name: &str, reason: &str| Rejection { name: name.into(), reason: reason.into() };
        assert_eq!(rejected, [of("refs/cora/2", "hook declined"), of("refs/cora/3", "[rejected]")]);
    }

    #[test]
    fn a_remote_is_quoted_without_progress_and_colors() {
        let stderr = "remote: Counting objects: 1% (1/90)\rremote: Counting objects: done.        \n\
                      \x1b[31mremote: \x1b[1mquota\x1b[m exceeded   \nremote:   \nremote: call 555\nTo x\n";
        assert_eq!(said(&output("", stderr)), ["quota exceeded", "call 555"]);
        let colored = "\x1b[31merror: failed to push some refs to 'x'\x1b[m";
        assert_eq!(refusal(&output("", colored)), Refusal::Hook);
        for (reason, expected) in [
            ("deny updating a hidden ref", Refusal::Rejected),
            ("funny refname", Refusal::Rejected),
            ("prohibited by Gerrit: not permitted: create", Refusal::Rejected),
            ("pre-receive hook declined", Refusal::Declined),
            ("unpacker error", Refusal::Declined),
        ] {
            let rejection = Rejection { name: "refs/cora/0".into(), reason: reason.into() };
            assert_eq!(rejection.refusal(), expected, "{reason}");
        }
    }

    #[test]
    fn only_what_the_tips_reach_is_reachable() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let id = |revision: &str| repo.resolve_any(revision).unwrap();
        fixture.git(&["tag", "-a", "-m", "a tag", "v1", "HEAD~1"]);
        let (head, parent, tree) = (id("HEAD"), id("HEAD~1"), id("HEAD^{tree}"));
        let absent = ObjectId::from_bytes(&[7; 20]).unwrap();
        let all = [head, parent, tree, absent];
        let reached = |tips: &[ObjectId]| repo.reachable(&all, tips).unwrap();
        assert_eq!(reached(&[head]), HashSet::from([head, parent]));
        assert_eq!(reached(&[id("v1"), absent, tree]), HashSet::from([parent]));
        assert_eq!(reached(&[absent]), HashSet::new());
        assert_eq!(reached(&[]), HashSet::new());
        let tag = repo.reachable(&[id("v1")], &[head]).unwrap();
        assert_eq!(tag, HashSet::new(), "a tag is not a commit");
    }

    #[test]
    fn a_push_reports_its_progress_only_if_somebody_sees_it() {
        let fixture = Fixture::with_history();
        fixture.git(&["init", "-q", "--bare", "there.git"]);
        let (repo, there) = (fixture.open(), fixture.path().join("there.git").display().to_string());
        for (revision, has_progress) in [("HEAD~1", false), ("HEAD", true)] {
            let id = repo.resolve_any(revision).unwrap();
            let delivery = repo.push_refs(&there, &[format!("{id}:refs/cora/{id}")], has_progress).unwrap();
            assert_eq!(delivery.transfer.contains("Writing objects"), has_progress, "{revision}");
            assert_eq!(delivery.rejected, []);
        }
    }

    #[test]
    fn no_other_ref_can_be_pushed() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        for spec in ["HEAD:refs/heads/x", ":refs/tags/v1", "refs/heads/main", "refs/cora/a:refs/heads/a"] {
            let specs = [spec.to_owned()];
            assert!(matches!(repo.push_refs("origin", &specs, false), Err(Error::Internal(_))), "{spec}");
            assert!(matches!(repo.fetch_refs("origin", &specs), Err(Error::Internal(_))), "{spec}");
        }
    }
}
