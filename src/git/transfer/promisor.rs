//! Objects that a partial clone was promised but did not receive.
//!
//! Owns the one `git cat-file` process that fetches them. When it is asked for an object's size,
//! Git fetches the object from the promisor remote. Then the object is in the store and is read
//! like any other. One process is kept, because starting one per object would cost more than the
//! rest.
//!
//! After a few failures in a row (no network, no permission) nothing more is requested, and the
//! objects count as missing.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::base::id::ObjectId;
use crate::base::threads::lock;
use crate::git::{Error, Repository, Result, to_gix};

/// Number of failures in a row after which the remote counts as unreachable.
const MAX_FAILURES: u32 = 3;

/// How long the remote has to say that it is there.
const ANSWER_TIME: Duration = Duration::from_secs(5);

/// How long a remote that did not answer is left alone. Only a process that runs for long comes
/// back to it.
const PAUSE: Duration = Duration::from_secs(60);

/// The state of fetching promised objects. The process starts with the first request.
#[derive(Default)]
pub(in crate::git) struct Promisor {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    process: Option<Process>,
    failures: u32,
    /// When the remote did not answer.
    silent_since: Option<Instant>,
}

impl State {
    /// Returns whether the remote failed so often that it is not asked any more.
    fn has_given_up(&self) -> bool {
        self.failures >= MAX_FAILURES
    }
}

struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process has no state worth keeping. Waiting for it leaves no zombie.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Repository {
    /// Returns the state of the remote that missing objects may be requested from. A mirror fetches
    /// nothing one by one, and nothing without an explicit request.
    fn lazy_promisor(&self) -> Option<&Promisor> {
        self.promisor().filter(|_| !self.is_mirror() && !lazy_fetch_is_off())
    }

    /// Fetches a missing object if a remote promised it; returns whether it is here now.
    pub(in crate::git) fn fetch_promised(&self, id: ObjectId) -> bool {
        let Some(promisor) = self.lazy_promisor() else { return false };
        let mut state = lock(&promisor.state);
        if state.has_given_up() {
            return false;
        }
        let answer = self.ask(&mut state, id);
        match answer {
            Ok(found) => {
                state.failures = 0;
                found
            }
            Err(_) => {
                state.process = None;
                state.failures += 1;
                false
            }
        }
    }

    /// Returns whether this is not a partial clone. Then a missing object is lost.
    pub fn has_all_blobs(&self) -> bool {
        self.promisor().is_none()
    }

    /// Fetches the missing objects among `ids` from the promisor remote, all in one transfer.
    ///
    /// Does nothing in a full clone, or if `GIT_NO_LAZY_FETCH` forbids it. Reading a missing blob
    /// fetches it too, but each with its own round trip.
    ///
    /// # Errors
    /// [`Error::Command`] if the remote can't be reached; in a mirror [`Error::Unreachable`] or
    /// [`Error::Excess`].
    pub fn prefetch(&self, ids: &[ObjectId]) -> Result<()> {
        let Some(promisor) = self.promisor() else { return Ok(()) };
        if !self.is_mirror() && lazy_fetch_is_off() {
            return Ok(());
        }
        if lock(&promisor.state).has_given_up() {
            return Ok(());
        }
        let mut missing = String::new();
        let handle = self.handle();
        for id in ids {
            if !handle.objects.exists_without_refresh(&to_gix(*id)?) {
                missing.push_str(&format!("{id}\n"));
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let remote = self.promisor_remote();
        // Git itself fetches promised objects with these options.
        let command = self.git(&[
            "-c",
            "fetch.negotiationAlgorithm=noop",
            "fetch",
            &remote,
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--recurse-submodules=no",
            "--filter=blob:none",
            "--stdin",
        ]);
        let command = command.as_user().input(missing.into_bytes());
        let fetched = match self.guest() {
            Some(guest) => command.bounded(guest.bounds).run_any().and_then(|mut output| {
                super::mirror::look_at_debris(self, &mut output);
                if output.success() { Ok(output) } else { Err(super::mirror::failure(guest, &output)) }
            }),
            None => command.run(),
        };
        if fetched.is_err() {
            // The next attempt would wait as long and fail the same way.
            lock(&promisor.state).failures = MAX_FAILURES;
        }
        fetched.map(drop)
    }

    /// Returns whether the trees of old commits may be missing here, so that a walk would fetch
    /// them one by one.
    ///
    /// That is so in a mirror, and in a partial clone that leaves out more than blobs
    /// (`--filter=tree:0`).
    pub fn lacks_trees(&self) -> bool {
        if self.promisor().is_none() || self.is_mirror() {
            return self.is_mirror();
        }
        let handle = self.handle();
        let config = handle.config_snapshot();
        let mut sections = config.plumbing().sections_by_name("remote").into_iter().flatten();
        sections.any(|section| {
            section.value("partialclonefilter").is_some_and(|filter| !filter.to_string().starts_with("blob:"))
        })
    }

    /// Returns whether the remote that promised the missing objects answers. If it does, they are
    /// requested again, however often that failed before.
    pub fn reaches_promisor(&self) -> bool {
        let Some(promisor) = self.lazy_promisor() else { return false };
        if lock(&promisor.state).silent_since.is_some_and(|since| since.elapsed() < PAUSE) {
            return false;
        }
        let remote = self.promisor_remote();
        let command = self.git(&["ls-remote", "--quiet", "--", &remote, "HEAD"]).as_user();
        let answers = command.within(ANSWER_TIME).run().is_ok();
        let mut state = lock(&promisor.state);
        if answers {
            state.failures = 0;
        }
        state.silent_since = (!answers).then(Instant::now);
        answers
    }

    fn promisor_remote(&self) -> String {
        if let Some(name) = self.config_string("extensions.partialClone") {
            return name;
        }
        let handle = self.handle();
        let config = handle.config_snapshot();
        let mut sections = config.plumbing().sections_by_name("remote").into_iter().flatten();
        let remote = sections.find(|section| section.value("promisor").is_some());
        let name = remote.and_then(|section| section.header().subsection_name().map(ToString::to_string));
        name.unwrap_or_else(|| "origin".to_owned())
    }

    fn ask(&self, state: &mut State, id: ObjectId) -> Result<bool> {
        let process = match &mut state.process {
            Some(process) => process,
            None => {
                let mut child = self.git(&["cat-file", "--batch-check"]).spawn_dialogue()?;
                let pipes = child.stdin.take().zip(child.stdout.take());
                let (stdin, stdout) = pipes.ok_or_else(|| Error::Internal("git has no pipes".into()))?;
                state.process.insert(Process { child, stdin, stdout: BufReader::new(stdout) })
            }
        };
        let talk = |error| Error::git("talk to git cat-file")(error);
        writeln!(process.stdin, "{id}").and_then(|()| process.stdin.flush()).map_err(talk)?;
        let mut line = String::new();
        if process.stdout.read_line(&mut line).map_err(talk)? == 0 {
            return Err(Error::Internal("git cat-file ended early".into()));
        }
        Ok(!line.trim_end().ends_with("missing"))
    }
}

fn lazy_fetch_is_off() -> bool {
    std::env::var_os("GIT_NO_LAZY_FETCH")
        .is_some_and(|value| value != "0" && value != "false" && !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Blob;
    use crate::git::testing::Fixture;

    #[test]
    fn promised_blobs_are_fetched_singly_and_together() {
        let fixture = Fixture::with_history();
        fixture.git(&["config", "uploadpack.allowFilter", "true"]);
        fixture.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
        let url = format!("file://{}", fixture.path().display());
        for together in [false, true] {
            let clone = Fixture::empty_dir();
            clone.git(&["clone", "-q", "--no-checkout", "--filter=blob:none", &url, "."]);
            let repo = clone.open();
            let head = repo.commit(repo.resolve("HEAD").unwrap()).unwrap();
            let files = repo.tree_files(head.tree).unwrap();
            assert!(files.iter().all(|file| !repo.contains(file.id)));
            if together {
                repo.prefetch(&files.iter().map(|file| file.id).collect::<Vec<_>>()).unwrap();
                assert!(files.iter().all(|file| repo.contains(file.id)));
            }
            for file in files {
                assert!(matches!(repo.blob(file.id, 1 << 20).unwrap(), Blob::Bytes(_)), "{}", file.path);
            }
        }
    }

    #[test]
    fn the_remote_that_promised_is_asked() {
        let fixture = Fixture::with_history();
        assert_eq!(fixture.open().promisor_remote(), "origin");
        fixture.git(&["config", "remote.first.url", "file:///nowhere"]);
        fixture.git(&["config", "remote.second.url", "file:///nowhere"]);
        assert_eq!(fixture.open().promisor_remote(), "origin");
        fixture.git(&["config", "remote.second.promisor", "true"]);
        assert_eq!(fixture.open().promisor_remote(), "second");
    }

    #[test]
    fn a_remote_that_failed_three_times_is_not_asked_again() {
        let failed = |failures| State { failures, ..State::default() }.has_given_up();
        assert_eq!([0, 2, 3, 4].map(failed), [false, false, true, true]);
        let fixture = Fixture::with_history();
        fixture.git(&["config", "uploadpack.allowFilter", "true"]);
        let url = format!("file://{}", fixture.path().display());
        let clone = Fixture::empty_dir();
        clone.git(&["clone", "-q", "--no-checkout", "--filter=blob:none", &url, "."]);
        let repo = clone.open();
        let tree = repo.commit(repo.resolve("HEAD").unwrap()).unwrap().tree;
        let ids: Vec<ObjectId> = repo.tree_files(tree).unwrap().iter().map(|file| file.id).collect();
        clone.git(&["config", "remote.origin.url", "file:///nowhere"]);
        let repo = clone.open();
        assert!(repo.prefetch(&ids).is_err());
        // The second time costs nothing and succeeds.
        repo.prefetch(&ids).unwrap();
        assert!(!repo.fetch_promised(ids[0]));
    }
}
