//! Watches a repository: file system events → indexes, segments and parsed files, before a query
//! needs them.
//!
//! It adds to the hooks and to a query's overlay:
//! - A commit is indexed however a ref moved, including by programs that run no hooks (an editor's
//!   own Git, `git fetch`, `git update-ref`), and on request on every branch.
//! - The segment of HEAD is merged before a query needs it.
//! - An edited file is parsed once, when it is saved, instead of by each query until it is
//!   committed.
//!
//! A query never waits for the watcher and never trusts it: the caches hold what the query would
//! have made itself.
//!
//! The operating system reports changes ([`place::Places`]). An event says only that something
//! changed; each round reads the current state of the repository. So a lost, repeated or late event
//! costs time and nothing else, and memory does not grow with the number of changes. The settings
//! are read again in each round.
#![allow(clippy::disallowed_methods, reason = "makes the directory that it watches")]

mod place;

use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use git_cora::Session;
use git_cora::answer::view::counted;
use git_cora::base::config;
use git_cora::base::error::{ClassifiedError, ErrorKind};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::{NoProgress, Task};
use git_cora::git::Head;

use crate::hook::sequence;
use crate::prune::auto_prune;
use crate::terminal::Context;
use place::{Change, Places};

/// Pause after the last change before work begins: editors save in several steps, and a checkout
/// writes many files.
const QUIET: Duration = Duration::from_millis(150);
/// Longest time before changes without a pause are processed anyway.
const LONGEST: Duration = Duration::from_secs(2);
/// Interval at which Ctrl-C is checked.
const POLL: Duration = Duration::from_millis(100);
/// Interval between rounds if the operating system can't report all changes.
const LOOK: Duration = Duration::from_secs(2);
/// Length limit in bytes for another watcher's process id.
const PID_BYTES: u64 = 20;

/// Kinds of changes since the last round.
#[derive(Debug, Clone, Copy, Default)]
struct PendingChanges {
    refs: bool,
    files: bool,
    directories: bool,
}

impl PendingChanges {
    const ALL: Self = Self { refs: true, files: true, directories: true };

    fn note(&mut self, change: Change) {
        match change {
            Change::Refs => self.refs = true,
            Change::Files => self.files = true,
            Change::Directories => (self.files, self.directories) = (true, true),
            Change::Unknown => *self = Self::ALL,
        }
    }

    fn is_empty(self) -> bool {
        !(self.refs || self.files || self.directories)
    }
}

/// Watches until Ctrl-C or a termination signal.
pub(crate) fn run(context: &Context, branches: bool) -> anyhow::Result<()> {
    let session = context.session()?;
    let _lock = lock(&session)?;
    let (mut places, changes) = Places::new(&session)?;
    drop(session);
    let (mut pending, mut is_told) = (PendingChanges::ALL, false);
    let mut last_error = String::new();
    while !context.cancel.is_cancelled() {
        match round(context, &mut places, pending, branches) {
            Ok(()) => last_error.clear(),
            Err(_) if context.cancel.is_cancelled() => break,
            Err(error) => {
                let session = error.downcast_ref::<git_cora::SessionError>();
                if session.is_some_and(|error| error.kind() == ErrorKind::NotARepository) {
                    return Err(error);
                }
                // During a history rewrite objects and refs can be missing for a moment; the next
                // change tries again.
                let text = format!("{error:#}");
                if text != last_error {
                    context.complain(&format!("warning: {text}"));
                }
                last_error = text;
            }
        }
        if !is_told {
            is_told = true;
            context.say(&format!("watching {}", places.describe()));
        }
        pending = wait(context, &changes, places.is_blind());
    }
    context.say("stopped");
    Ok(())
}

/// Waits for changes, and then for a pause in them.
fn wait(context: &Context, changes: &Receiver<Change>, is_blind: bool) -> PendingChanges {
    let mut pending = PendingChanges::default();
    let began = Instant::now();
    let (mut first, mut last) = (None, Instant::now());
    while !context.cancel.is_cancelled() {
        match changes.recv_timeout(POLL.min(QUIET)) {
            Ok(change) => {
                pending.note(change);
                last = Instant::now();
                first.get_or_insert(last);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(POLL),
        }
        if is_blind && began.elapsed() > LOOK {
            return PendingChanges::ALL;
        }
        if !pending.is_empty()
            && (last.elapsed() >= QUIET || first.is_some_and(|first: Instant| first.elapsed() >= LONGEST))
        {
            break;
        }
    }
    pending
}

fn round(
    context: &Context,
    places: &mut Places,
    pending: PendingChanges,
    branches: bool,
) -> anyhow::Result<()> {
    let session = Session::open(&context.directory())?;
    if pending.directories
        && let Some(warning) = places.look(&session)?
    {
        context.complain(&format!("warning: {warning}"));
    }
    if pending.refs {
        sequence::wait(session.repo(), &context.cancel);
        let head = match session.repo().head()? {
            Head::Commit { id, .. } => Some(id),
            Head::Unborn { .. } => None,
        };
        let tips = if branches { session.repo().branch_tips()? } else { head.into_iter().collect() };
        // Tips share nearly all of their trees, so each is checked once.
        let mut checked = HashSet::new();
        for tip in tips {
            index(context, &session, tip, Some(tip) == head, &mut checked)?;
        }
    }
    if pending.files || pending.refs {
        let start = Instant::now();
        let report = git_cora::search::ready_worktree(session.indexer(), &context.cancel)?;
        if report.n_made > 0 {
            context.say(&format!(
                "read {} in {:.2} s",
                counted(report.n_made, "changed file", "changed files"),
                start.elapsed().as_secs_f64()
            ));
        }
    }
    Ok(())
}

/// Indexes a commit and the commits behind it, and builds its segment if it is HEAD.
fn index(
    context: &Context,
    session: &Session,
    tip: ObjectId,
    is_head: bool,
    checked: &mut HashSet<ObjectId>,
) -> anyhow::Result<()> {
    let start = Instant::now();
    let task = Task::new(&NoProgress, &context.cancel);
    let (built, damage) = session.indexer().index_whole(tip, false, checked, task)?;
    if let Some(damage) = damage {
        context.complain(&format!("warning: {damage}"));
    }
    if !built.was_there {
        let max = usize::try_from(session.repo().setting(&config::FILL)?).unwrap_or(usize::MAX);
        session.indexer().fill(&built, max, task)?;
        context.say(&format!("indexed {} in {:.2} s", tip.abbreviated(10), start.elapsed().as_secs_f64()));
    }
    if is_head
        && (!git_cora::search::has_segment(session.repo())
            || git_cora::search::is_drifted(session.repo(), &built.snapshot))
    {
        let start = Instant::now();
        git_cora::search::warm(session.indexer(), &built.snapshot, task)?;
        context.say(&format!(
            "prepared the search cache for {} in {:.2} s",
            tip.abbreviated(10),
            start.elapsed().as_secs_f64()
        ));
    } else if is_head {
        git_cora::search::cache::keep_commit_messages(session.repo(), tip, task);
    }
    if !built.was_there {
        auto_prune(session)?;
    }
    Ok(())
}

/// Takes the lock that allows one watcher per work tree; it is released when the process ends.
fn lock(session: &Session) -> anyhow::Result<File> {
    let repo = session.repo();
    let dir = repo.cora_dir();
    let name = match repo.git_dir().file_name() {
        Some(name) if repo.git_dir() != repo.common_dir() => format!("watch-{}.lock", name.to_string_lossy()),
        _ => "watch.lock".to_owned(),
    };
    let path = dir.join(name);
    let mut file = repo.open_lock(&path).with_context(|| format!("can't open '{}'", path.display()))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut pid = String::new();
            let _ = file.take(PID_BYTES).read_to_string(&mut pid);
            anyhow::bail!("this working tree is already watched by process {}", pid.trim());
        }
        Err(TryLockError::Error(error)) => {
            return Err(error).with_context(|| format!("can't lock '{}'", path.display()));
        }
    }
    // The process id is for the error message of a second watcher; the lock holds without it.
    let _ =
        file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{}", std::process::id()));
    Ok(file)
}
