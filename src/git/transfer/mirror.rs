//! A partial copy of somebody else's repository, in a cache directory.
//!
//! Owns [`Mirror`]: a bare repository with only those parts of its remote that were requested.
//! Commits come with their trees and without history, single refs come whole, and blobs come only
//! in batches, through [`Repository::prefetch`]. The `git` program fetches with the user's
//! configuration, so credentials, proxies and SSH work as in `git clone`.
//!
//! The remote is a stranger. Its data is limited in bytes (by the operating system, for each file
//! that a transfer writes), in address space and in time. It becomes objects and the refs named
//! here, and nothing else: there is no work tree, no submodule is entered, no hook runs. Only
//! addresses that [`check_address`] accepts are fetched from; a helper named by an address
//! (`ext::sh -c …`) never runs.
//!
//! One process at a time fetches into a mirror; its readers share the lock.
//!
//! Why not a remote of the user's own repository: the copy must not grow that repository, and there
//! may be none.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use super::address::{
    RemoteRevision, check_address, without_credentials, without_credentials_in, without_user,
};
use crate::base::id::ObjectId;
use crate::base::progress::Cancel;
use crate::base::text::hex;
use crate::git::command::{Bounds, Output};
use crate::git::open::MirrorLimits;
use crate::git::{Error, Repository, Result};

/// Longest time of one transfer.
const TIME: Duration = Duration::from_secs(15 * 60);

/// A transfer over HTTP is stopped if it stays below this many bytes a second for this many
/// seconds.
const SLOW: [(&str, &str); 2] = [("http.lowSpeedLimit", "1000"), ("http.lowSpeedTime", "30")];

/// Number of commits searched for an ancestor that the remote has indexed.
const ANCESTORS: u32 = 250;

/// More packs than this are repacked into one. Each transfer adds a pack, and every object lookup
/// asks each pack.
const PACKS: usize = 40;

/// Most bytes of one transfer unless [`Mirror::limit`] sets another limit.
const MAX_BYTES: u64 = 1 << 30;

/// Time between two attempts to take a lock.
const POLL: Duration = Duration::from_millis(50);

/// Prefix of the refs that keep the commits requested by name.
const ASKED: &str = "refs/asked/";

/// A partial copy of a remote repository.
pub struct Mirror {
    repo: Repository,
    /// The full address, including any password.
    given: String,
    url: String,
    dir: PathBuf,
    lock: File,
}

impl Repository {
    /// Creates an empty repository in the empty directory `dir`, to read the user's settings
    /// outside any repository.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Git`].
    pub fn empty(dir: &Path) -> Result<Self> {
        create(dir, "", "sha1")?;
        Self::open_guest(dir, guest("", "", MAX_BYTES))
    }
}

impl Mirror {
    /// Opens the mirror of `url` in the directory `cache`, or creates it; `fresh` always creates a
    /// new one.
    ///
    /// Nothing is fetched yet. Other processes wait until [`Mirror::share`].
    ///
    /// # Errors
    /// [`Error::Address`] if the address must not be fetched from, [`Error::Io`],
    /// [`Error::Cancelled`].
    pub fn open(cache: &Path, url: &str, fresh: bool, cancel: &Cancel) -> Result<Self> {
        let url = check_address(url)?;
        let shown = without_credentials(&url);
        fs::create_dir_all(cache).map_err(Error::io("create", cache))?;
        let dir = cache.join(directory_name(&shown, &without_user(&url)));
        let lock = lock(&dir.with_extension("lock"), cancel)?;
        if fresh {
            remove(&dir)?;
        }
        let guest = guest(&url, &shown, MAX_BYTES);
        let opened = || {
            clear_debris(&dir);
            Repository::open_guest(&dir, guest.clone())
        };
        let repo = match opened() {
            Ok(repo) if repo.promisor().is_some() => repo,
            _ => {
                remove(&dir)?;
                create(&dir, &shown, "sha1")?;
                opened()?
            }
        };
        // The time of last use, which [`Mirror::tidy`] sorts by.
        let _ = lock.set_modified(SystemTime::now());
        Ok(Self { repo, given: url, url: shown, dir, lock })
    }

    /// Sets the most bytes that one transfer may bring.
    ///
    /// # Errors
    /// [`Error::Git`] if the mirror can't be opened.
    pub fn limit(&mut self, max_bytes: u64) -> Result<()> {
        self.repo = Repository::open_guest(&self.dir, guest(&self.given, &self.url, max_bytes))?;
        Ok(())
    }

    /// Returns the copy as a repository.
    pub fn repository(&self) -> &Repository {
        &self.repo
    }

    /// Returns the remote's address without anything that may be a password.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Fetches the commit that a revision names at the remote, with its trees, and returns its id.
    ///
    /// A revision is `HEAD`, a branch, a tag or a full object id. Each may be followed by `~N`, `^`
    /// or `^N`, up to a thousand generations. A name is fetched on every call; a full id only once.
    ///
    /// # Errors
    /// [`Error::NoRemoteRevision`], [`Error::Unreachable`], [`Error::Excess`],
    /// [`Error::Cancelled`].
    pub fn commit(&mut self, revision: &str, cancel: &Cancel) -> Result<ObjectId> {
        let (url, named) = (self.url.clone(), revision.to_owned());
        let none = |why| Error::NoRemoteRevision { url: url.clone(), revision: named.clone(), why };
        let asked = RemoteRevision::parse(revision).map_err(none)?;
        let base = if asked.generations > 0 {
            let id = self.ancestor(&asked, revision, cancel)?;
            RemoteRevision { base: id.to_string(), suffix: String::new(), generations: 0 }
        } else {
            asked
        };
        let kept = asked_ref(&base.base);
        let is_id = base.base.parse::<ObjectId>().is_ok();
        if !is_id || self.repo.read_ref(&kept)?.is_none() {
            self.fetch_name(&base.base, &kept, revision, cancel)?;
        }
        match self.repo.resolve(&format!("{kept}{}", base.suffix)) {
            Err(Error::NotFound { .. } | Error::NotACommit { .. }) => Err(none(": it is not a commit")),
            found => found,
        }
    }

    /// Fetches a ref under `refs/cora/` with everything it reaches, unless it is here; returns
    /// false if the remote has no such ref.
    ///
    /// # Errors
    /// The same as [`Mirror::commit`].
    pub fn fetch_ref(&self, name: &str, cancel: &Cancel) -> Result<bool> {
        if self.repo.read_ref(name)?.is_some() {
            return Ok(true);
        }
        // The new index may build on one that is here. Only the indexes are offered as common
        // commits, not all refs.
        let mut args = vec!["fetch", "--no-filter"];
        if !self.repo.list_refs("refs/cora/")?.is_empty() {
            args.push("--negotiation-tip=refs/cora/*");
        }
        let spec = format!("+{name}:{name}");
        let output = self.fetch(&self.repo, &args, &[&spec], cancel)?;
        if output.success() {
            return Ok(true);
        }
        if is_no_such_ref(&output) {
            return Ok(false);
        }
        Err(self.failure(&output))
    }

    /// Finds the nearest ancestor of `commit` for which the remote has a ref `<prefix><commit>`.
    ///
    /// The first value is that ancestor and the number of commits visited before it (0 for `commit`
    /// itself); `None` if none of the last 250 commits has a ref. The second value is the number of
    /// refs with that prefix at the remote. This fetches the remote's list of refs, and commits
    /// without their trees.
    ///
    /// # Errors
    /// The same as [`Mirror::commit`].
    pub fn nearest(
        &self,
        commit: ObjectId,
        prefix: &str,
        cancel: &Cancel,
    ) -> Result<(Option<(ObjectId, usize)>, usize)> {
        let pattern = format!("{prefix}*");
        let command = self.repo.git(&["ls-remote", "--", "origin", &pattern]).interactive();
        let output = command.bounded(self.bounds()).cancel(cancel).run_any()?;
        if !output.success() {
            return Err(self.failure(&output));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let there: std::collections::HashSet<ObjectId> = text
            .lines()
            .filter_map(|line| line.split_once('\t')?.1.strip_prefix(prefix)?.parse().ok())
            .collect();
        if there.is_empty() {
            return Ok((None, 0));
        }
        let history = self.history(&commit.to_string(), ANCESTORS, cancel)?;
        let Ok(history) = history else { return Ok((None, there.len())) };
        let line = history.ancestors(commit, usize::try_from(ANCESTORS).unwrap_or(usize::MAX), cancel)?;
        let found = line.iter().position(|one| there.contains(one));
        Ok((found.and_then(|at| Some((*line.get(at)?, at))), there.len()))
    }

    /// Turns the lock into a shared one, so that others can read the mirror. From here on only
    /// [`Repository::prefetch`] adds to it.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Cancelled`].
    pub fn share(&self, cancel: &Cancel) -> Result<()> {
        // A lock can't be downgraded. Another process may replace the mirror in between; that looks
        // as if the user had removed it.
        self.lock.unlock().map_err(Error::io("unlock", &self.dir))?;
        until_locked(&self.dir, cancel, || self.lock.try_lock_shared())
    }

    /// Repacks this mirror if it has many packs, and removes other mirrors until all take at most
    /// `max_bytes`.
    ///
    /// Those used longest ago go first. Mirrors in use stay. A step that fails is left for the next
    /// call.
    pub fn tidy(&self, max_bytes: u64) {
        let packs = fs::read_dir(self.dir.join("objects/pack")).into_iter().flatten().flatten();
        let n_packs = packs.filter(|entry| entry.path().extension().is_some_and(|e| e == "pack")).count();
        // A shared lock can't be upgraded. Without any lock, another process may remove this
        // mirror.
        if n_packs > PACKS && self.lock.unlock().is_ok() {
            if self.lock.try_lock().is_ok() {
                let _ = self.repo.git(&["repack", "-a", "-d", "-q"]).run_any();
            } else if self.lock.try_lock_shared().is_err() {
                // Somebody fetches into it or removes it. The rest is left for the next call.
                return;
            }
        }
        let mut copies: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in
            self.dir.parent().and_then(|cache| fs::read_dir(cache).ok()).into_iter().flatten().flatten()
        {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "git") {
                let used = fs::metadata(path.with_extension("lock")).and_then(|meta| meta.modified());
                copies.push((used.unwrap_or(SystemTime::UNIX_EPOCH), bytes_in(&path), path));
            }
        }
        let mut total: u64 = copies.iter().map(|(_, bytes, _)| bytes).sum();
        copies.sort();
        for (_, bytes, path) in copies {
            if total <= max_bytes {
                break;
            }
            let Ok(lock) = File::options().write(true).open(path.with_extension("lock")) else { continue };
            if path != self.dir && lock.try_lock().is_ok() && remove(&path).is_ok() {
                total -= bytes;
            }
        }
    }

    fn bounds(&self) -> Bounds {
        self.repo.guest().map_or(Bounds { file_bytes: MAX_BYTES, time: TIME }, |guest| guest.bounds)
    }

    /// Fetches the commit that a name stands for, with its trees and without blobs.
    fn fetch_name(&mut self, name: &str, kept: &str, revision: &str, cancel: &Cancel) -> Result<()> {
        let spec = format!("+{name}:{kept}");
        for is_second in [false, true] {
            let mut args = vec!["fetch", "--depth=1", "--filter=blob:none"];
            let tip = format!("--negotiation-tip={ASKED}*");
            if !self.repo.list_refs(ASKED)?.is_empty() {
                args.push(&tip);
            }
            let output = self.fetch(&self.repo, &args, &[&spec], cancel)?;
            if output.success() {
                return Ok(());
            }
            if !is_second && output.stderr.contains("mismatched algorithms") {
                self.begin_again(if self.repo.object_hash_len() == 20 { "sha256" } else { "sha1" })?;
                continue;
            }
            if is_no_such_ref(&output) {
                let is_short = name.len() < 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
                let why = match (name, is_short) {
                    ("HEAD", _) => ": that repository has no commit, or its HEAD points to no branch",
                    (_, true) => ": only a clone can resolve an abbreviated id",
                    (_, false) => "",
                };
                return Err(Error::NoRemoteRevision {
                    url: self.url.clone(),
                    revision: revision.to_owned(),
                    why,
                });
            }
            return Err(self.failure(&output));
        }
        Err(Error::Internal("a remote uses neither SHA-1 nor SHA-256".into()))
    }

    /// Replaces the mirror by an empty one with the other hash.
    fn begin_again(&mut self, hash: &str) -> Result<()> {
        remove(&self.dir)?;
        create(&self.dir, &self.url, hash)?;
        let max_bytes = self.bounds().file_bytes;
        self.repo = Repository::open_guest(&self.dir, guest(&self.given, &self.url, max_bytes))?;
        Ok(())
    }

    /// Returns the commit some generations behind a name.
    fn ancestor(&self, asked: &RemoteRevision, revision: &str, cancel: &Cancel) -> Result<ObjectId> {
        let none =
            |why| Error::NoRemoteRevision { url: self.url.clone(), revision: revision.to_owned(), why };
        let history = self.history(&asked.base, asked.generations + 1, cancel)?;
        let history = history
            .map_err(|output| if is_no_such_ref(&output) { none("") } else { self.failure(&output) })?;
        history.resolve(&format!("{}{}", asked_ref(&asked.base), asked.suffix)).map_err(|error| match error {
            Error::NotFound { .. } | Error::NotACommit { .. } | Error::MissingObject { .. } => {
                none(": its history is not that long")
            }
            other => other,
        })
    }

    /// Fetches the last `generations` commits behind a name, without their trees. The inner error
    /// is Git's output. They go into a repository of their own, because a commit without trees must
    /// not count as a complete one.
    fn history(
        &self,
        name: &str,
        generations: u32,
        cancel: &Cancel,
    ) -> Result<std::result::Result<Repository, Output>> {
        let dir = self.dir.join("history");
        remove(&dir)?;
        create(&dir, &self.url, if self.repo.object_hash_len() == 20 { "sha1" } else { "sha256" })?;
        let guest = guest(&self.given, &self.url, self.bounds().file_bytes);
        let repo = Repository::open_guest(&dir, guest)?;
        let depth = format!("--depth={generations}");
        let spec = format!("+{name}:{}", asked_ref(name));
        let output = self.fetch(&repo, &["fetch", &depth, "--filter=tree:0"], &[&spec], cancel)?;
        Ok(if output.success() { Ok(repo) } else { Err(output) })
    }

    fn fetch(&self, repo: &Repository, args: &[&str], specs: &[&str], cancel: &Cancel) -> Result<Output> {
        let common =
            ["--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", "--no-auto-gc", "--quiet"];
        let args = [args, &common, &["--", "origin"], specs].concat();
        let mut output = repo.git(&args).interactive().bounded(self.bounds()).cancel(cancel).run_any();
        if let Ok(output) = &mut output {
            look_at_debris(repo, output);
        }
        if !matches!(&output, Ok(output) if output.success()) {
            clear_debris(repo.git_dir());
        }
        output
    }

    fn failure(&self, output: &Output) -> Error {
        self.repo.guest().map_or_else(
            || Error::Internal("a copy of a remote repository has no remote".into()),
            |guest| failure(guest, output),
        )
    }
}

/// Returns the error for a failed transfer.
pub(in crate::git) fn failure(guest: &MirrorLimits, output: &Output) -> Error {
    let url = guest.url.clone();
    if output.is_late {
        let limit = format!("{} minutes", guest.bounds.time.as_secs() / 60);
        return Error::Excess { url, what: "takes longer", limit };
    }
    if output.is_cut {
        let limit = format!("{} bytes", guest.bounds.file_bytes);
        return Error::Excess { url, what: "sends more", limit };
    }
    let reasons: Vec<&str> = output.stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let message = if reasons.is_empty() { "no reason given".to_owned() } else { reasons.join("; ") };
    let message = without_credentials_in(&message.replace(&guest.given, &url));
    Error::Unreachable { message, url }
}

/// Marks a failed transfer as cut if a partial pack reached the byte limit.
pub(in crate::git) fn look_at_debris(repo: &Repository, output: &mut Output) {
    if let Some(guest) = repo.guest().filter(|_| !output.success()) {
        // Git does not always report why a pack ended early, but its length shows it.
        output.is_cut = longest_debris(repo.git_dir()) + 4096 >= guest.bounds.file_bytes;
    }
}

/// Returns the ref that keeps the commit of a name. It is a hash, because `a` and `a/b` can't both
/// be refs.
fn asked_ref(name: &str) -> String {
    format!("{ASKED}{}", digest(name))
}

/// Returns the directory of an address's mirror: a readable word of the address as it is shown, and
/// a hash of the address without its user.
fn directory_name(shown: &str, url: &str) -> String {
    let last = shown.trim_end_matches(['/', '\\']).rsplit(['/', '\\', ':']).next().unwrap_or_default();
    let word: String = last
        .trim_end_matches(".git")
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-' || *c == '_')
        .take(40)
        .collect();
    format!("{word}-{}.git", digest(url))
}

/// Returns the first 16 hexadecimal digits of a text's SHA-256.
fn digest(text: &str) -> String {
    hex(Sha256::digest(text.as_bytes()).get(..8).unwrap_or_default())
}

/// Returns the settings of every program that works on a mirror.
fn guest(url: &str, shown: &str, max_bytes: u64) -> MirrorLimits {
    let mut settings: Vec<(String, String)> =
        SLOW.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    settings.push(("transfer.bundleURI".into(), "false".into()));
    settings.push(("fetch.uriProtocols".into(), String::new()));
    settings.push(("core.hooksPath".into(), "/dev/null".into()));
    settings.push(("submodule.recurse".into(), "false".into()));
    if url != shown {
        // A password in an address must not be written to a file.
        settings.push((format!("url.{url}.insteadOf"), shown.to_owned()));
    }
    // Ours come after those that the user's environment sets in the same way.
    let before: usize =
        std::env::var("GIT_CONFIG_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(0);
    let mut env = vec![("GIT_CONFIG_COUNT".to_owned(), (before + settings.len()).to_string())];
    for (at, (key, value)) in (before..).zip(settings) {
        env.push((format!("GIT_CONFIG_KEY_{at}"), key));
        env.push((format!("GIT_CONFIG_VALUE_{at}"), value));
    }
    MirrorLimits {
        given: url.to_owned(),
        url: shown.to_owned(),
        env,
        bounds: Bounds { file_bytes: max_bytes, time: TIME },
    }
}

/// Writes an empty repository whose promisor remote is `origin`.
fn create(dir: &Path, url: &str, hash: &str) -> Result<()> {
    let quoted = url.replace('\\', "\\\\").replace('"', "\\\"");
    let format = if hash == "sha1" { String::new() } else { format!("\tobjectFormat = {hash}\n") };
    let config = format!(
        "[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n\tlogAllRefUpdates = false\n\
         [extensions]\n\tpartialClone = origin\n{format}\
         [remote \"origin\"]\n\turl = \"{quoted}\"\n\tpromisor = true\n\
         [gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[fetch]\n\twriteCommitGraph = false\n\tunpackLimit = 1\n\
         [log]\n\texcludeDecoration = refs/cora/*\n"
    );
    for sub in ["objects/pack", "objects/info", "refs"] {
        let path = dir.join(sub);
        fs::create_dir_all(&path).map_err(Error::io("create", path))?;
    }
    for (name, text) in [("config", config.as_str()), ("HEAD", "ref: refs/heads/none\n")] {
        let path = dir.join(name);
        fs::write(&path, text).map_err(Error::io("write", path))?;
    }
    Ok(())
}

/// Removes the remains of an interrupted transfer: lock files and partial packs.
fn clear_debris(dir: &Path) {
    for name in ["shallow.lock", "packed-refs.lock", "config.lock", "HEAD.lock"] {
        let _ = fs::remove_file(dir.join(name));
    }
    for entry in fs::read_dir(dir.join("objects/pack")).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(b"tmp_") {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns the size in bytes of the largest partial pack.
fn longest_debris(dir: &Path) -> u64 {
    let entries = fs::read_dir(dir.join("objects/pack")).into_iter().flatten().flatten();
    let debris = entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"tmp_"));
    debris.filter_map(|entry| Some(entry.metadata().ok()?.len())).max().unwrap_or(0)
}

/// Takes the exclusive lock of a mirror.
fn lock(path: &Path, cancel: &Cancel) -> Result<File> {
    let file = File::options().create(true).truncate(false).write(true).open(path);
    let file = file.map_err(Error::io("open", path))?;
    until_locked(path, cancel, || file.try_lock())?;
    Ok(file)
}

fn until_locked(
    path: &Path,
    cancel: &Cancel,
    attempt: impl Fn() -> std::result::Result<(), TryLockError>,
) -> Result<()> {
    loop {
        match attempt() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if cancel.is_cancelled() => return Err(Error::Cancelled),
            Err(TryLockError::WouldBlock) => std::thread::sleep(POLL),
            Err(TryLockError::Error(error)) => return Err(Error::io("lock", path)(error)),
        }
    }
}

fn remove(dir: &Path) -> Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io("remove", dir)(error)),
        _ => Ok(()),
    }
}

/// Returns the bytes of all files below a directory; links are not followed.
fn bytes_in(dir: &Path) -> u64 {
    let mut total = 0;
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => open.push(entry.path()),
                Ok(meta) => total += meta.len(),
                Err(_) => {}
            }
        }
    }
    total
}

fn is_no_such_ref(output: &Output) -> bool {
    output.stderr.contains("couldn't find remote ref")
}

#[cfg(test)]
mod tests;
