//! `--remote URL`: searches a repository that is not cloned.
//!
//! The library keeps a partial copy in the user's cache directory; old copies are removed after the
//! answer.
#![allow(clippy::disallowed_methods, reason = "reads where the user's caches are")]

use std::path::PathBuf;

use git_cora::base::progress::{NoProgress, Task};
use git_cora::search::Remote;
use git_cora::{Session, Target};

use crate::cli::{Outcome, args};
use crate::command_error::CommandError;
use crate::terminal::Context;

use super::{asked, complain_of_strays, finish, include};

pub(super) fn run(context: &Context, args: &args::Query, url: &str) -> anyhow::Result<Outcome> {
    context.catch_signals();
    let progress = context.progress();
    let remote = Remote::new(url, cache_dir()?.join("remotes")).with_fresh(args.fresh);
    let (session, commit, notes) =
        Session::open_remote(&remote, args.rev.as_deref(), Task::new(progress.as_ref(), &context.cancel))?;
    let query = asked(context, &session, args)?;
    let target = Target::Commit(commit);
    let mut searcher = session.searcher(&target, Task::new(progress.as_ref(), &context.cancel))?;
    let is_told = complain_of_strays(context, &searcher, args, &query);
    let revision = args.rev.as_deref().unwrap_or("HEAD");
    let mut results = session.answer_or_repair(
        &mut searcher,
        &query,
        revision,
        Task::new(progress.as_ref(), &context.cancel),
    )?;
    include::add(context, &session, &searcher, &args.include, &mut results)?;
    results.warnings.extend(notes);
    let lacks_text = results.results.iter().filter(|one| one.text.is_none()).count();
    if lacks_text > 0 {
        let n = git_cora::answer::view::counted(lacks_text, "result", "results");
        let its = if lacks_text == 1 { "its" } else { "their" };
        results.warnings.push(format!(
            "the source of {n} could not be fetched, or is too large, so {its} names could not be \
            checked"
        ));
    }
    let hint = if is_told { "" } else { "hint: try fewer or different words, or remove filters" };
    let outcome = finish(context, &session, args, results, hint)?;
    // The answer is printed, so there is time for the segment that makes the next query faster, and
    // for removing old copies.
    if searcher.wants_warming()
        && let Some(snapshot) = searcher.snapshot()
    {
        git_cora::search::warm(session.indexer(), snapshot, Task::new(&NoProgress, &context.cancel))?;
    }
    session.tidy_remotes()?;
    Ok(outcome)
}

/// Returns the user's cache directory for this program.
fn cache_dir() -> anyhow::Result<PathBuf> {
    let dir = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = dir("XDG_CACHE_HOME")
        .or_else(|| {
            dir(if cfg!(windows) { "LOCALAPPDATA" } else { "HOME" })
                .map(|home| if cfg!(windows) { home } else { home.join(".cache") })
        })
        .ok_or_else(|| {
            let hint = "run 'export XDG_CACHE_HOME=/path/of/a/directory' to choose a directory";
            CommandError::new("can't cache the remote repository: there is no home directory", hint)
        })?;
    Ok(cache.join("git-cora"))
}
