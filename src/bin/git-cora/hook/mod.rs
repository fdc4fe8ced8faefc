//! Git hooks: keep the index current in the background.
//!
//! A hook runs during the user's own Git command and must never slow it down or make it fail. The
//! scripts in `hooks/` start `git cora hook EVENT` in the background, with standard input, output
//! and error on `/dev/null` and descriptors 3 to 9 closed. This command always exits with 0. A lock
//! per work tree lets one process work at a time. A process that finds it held leaves a note, and
//! the holder does another round. So a rebase of twenty commits indexes its tip first, and then the
//! commits behind it.
#![allow(
    clippy::disallowed_methods,
    reason = "reads the switch of the hooks, and owns the notes that hooks leave"
)]

mod block;
mod install;
pub(crate) mod sequence;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::time::SystemTime;

use git_cora::Session;
use git_cora::base::config;
use git_cora::base::id::ObjectId;
use git_cora::base::progress::{NoProgress, Task};
use git_cora::git::Head;
use git_cora::index::BuildReport;

use crate::prune::auto_prune;
use crate::terminal::Context;

pub(crate) use install::{BEFORE, InstallReport, Plan, Refusal, install, started, uninstall};

/// The hooks and their scripts.
pub(crate) const SCRIPTS: [(&str, &str); 4] = [
    ("post-commit", include_str!("../../../../hooks/post-commit")),
    ("post-checkout", include_str!("../../../../hooks/post-checkout")),
    ("post-merge", include_str!("../../../../hooks/post-merge")),
    ("post-rewrite", include_str!("../../../../hooks/post-rewrite")),
];

/// Largest number of times that a process takes the lock before it leaves the rest to the next
/// hook.
const ROUNDS: usize = 20;

/// What is added to the niceness of the process, which makes it the largest.
#[cfg(unix)]
const LOWEST: i32 = 19;

/// Runs a hook; always returns exit code 0.
pub(crate) fn run(context: &Context, event: &OsStr) {
    if std::env::var_os(config::ENV_SWITCH).is_some_and(|value| value == "0") {
        return;
    }
    // The user's next command comes first, even while the first index is built on all cores.
    #[cfg(unix)]
    let _ = rustix::process::nice(LOWEST);
    if let Err(error) = work(context, event) {
        log(context, &format!("{}: {error:#}", event.to_string_lossy()));
    }
}

fn work(context: &Context, event: &OsStr) -> anyhow::Result<()> {
    let session = context.session()?;
    let dir = session.repo().cora_dir();
    let name = worktree_name(&session);
    let again = dir.join(format!("hook-{name}.again"));
    let lock = session.repo().open_lock(&dir.join(format!("hook-{name}.lock")))?;
    // The note is written before the lock is tried. If the lock is held, its holder sees the note,
    // because it looks for one after each unlock.
    fs::write(&again, event.as_encoded_bytes())?;
    let _ = session.repo().sharing().apply(&again);
    for _ in 0..ROUNDS {
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Ok(()),
            Err(fs::TryLockError::Error(error)) => return Err(error.into()),
        }
        while again.exists() {
            let _ = fs::remove_file(&again);
            sequence::wait(session.repo(), &context.cancel);
            bring_up_to_date(context, &session, is_push(&session, event))?;
        }
        lock.unlock()?;
        if !again.exists() {
            break;
        }
    }
    Ok(())
}

/// Returns a name for the work tree, unique among those that share its objects. Each has its own
/// lock, since each has another HEAD to index.
fn worktree_name(session: &Session) -> String {
    let repo = session.repo();
    match repo.git_dir().file_name() {
        Some(name) if repo.git_dir() != repo.common_dir() => format!("worktree-{}", name.to_string_lossy()),
        _ => "main".to_owned(),
    }
}

/// Returns whether others may have moved any branch, because they pushed to this repository.
fn is_push(session: &Session, event: &OsStr) -> bool {
    session.repo().work_dir().is_none() || event == "post-receive" || event == "post-update"
}

/// Indexes HEAD and the commits behind it, and after a push those of all branches. Builds the
/// segment of HEAD if the cached one differs too much.
fn bring_up_to_date(context: &Context, session: &Session, is_push: bool) -> anyhow::Result<()> {
    let mut checked = HashSet::new();
    let head = match session.repo().head()? {
        Head::Commit { id, .. } => Some(id),
        Head::Unborn { .. } => None,
    };
    if let Some(id) = head {
        let built = index(context, session, id, &mut checked)?;
        ready_to_search(context, session, id, &built)?;
    }
    if is_push {
        for id in session.repo().branch_tips()?.into_iter().filter(|id| Some(*id) != head) {
            index(context, session, id, &mut checked)?;
        }
    }
    auto_prune(session)?;
    Ok(())
}

/// Indexes a commit and the commits behind it.
fn index(
    context: &Context,
    session: &Session,
    id: ObjectId,
    checked: &mut HashSet<ObjectId>,
) -> anyhow::Result<BuildReport> {
    let task = Task::new(&NoProgress, &context.cancel);
    // The log lists failures, and a damaged index that is complete now is not one.
    let (built, _) = session.indexer().index_whole(id, false, checked, task)?;
    if !built.was_there {
        let max = usize::try_from(session.repo().setting(&config::FILL)?).unwrap_or(usize::MAX);
        session.indexer().fill(&built, max, task)?;
    }
    Ok(built)
}

/// Builds the segment of HEAD if the cached one differs too much.
fn ready_to_search(
    context: &Context,
    session: &Session,
    id: ObjectId,
    built: &BuildReport,
) -> anyhow::Result<()> {
    let task = Task::new(&NoProgress, &context.cancel);
    if git_cora::search::is_drifted(session.repo(), &built.snapshot) {
        git_cora::search::warm(session.indexer(), &built.snapshot, task)?;
    } else {
        git_cora::search::cache::keep_commit_messages(session.repo(), id, task);
    }
    Ok(())
}

/// Logs a failure for `git cora doctor`. A log above 64 KiB is started again.
fn log(context: &Context, message: &str) {
    let Ok(session) = Session::open(&context.directory()) else { return };
    let path: PathBuf = log_path(&session);
    if fs::metadata(&path).is_ok_and(|meta| meta.len() > 64 << 10) {
        let _ = fs::remove_file(&path);
    }
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    if let Ok(mut file) = File::options().create(true).append(true).open(&path) {
        let _ = session.repo().sharing().apply(&path);
        let _ = writeln!(file, "{seconds} {}", message.replace('\n', " "));
    }
}

/// Returns the path of the log of failed hooks.
pub(crate) fn log_path(session: &Session) -> PathBuf {
    session.repo().cora_dir().join("hook.log")
}
