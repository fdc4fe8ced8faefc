//! `--repo PATH[@REV]`: parses and opens the repositories of a query.
//!
//! Shared by all commands with this option. It decides where the path ends and the revision begins.

use anyhow::Context as _;

use git_cora::answer::view::SearchedRepository;
use git_cora::base::progress::Task;
use git_cora::{Searcher, Session, Target};

use crate::terminal::Context;

/// A repository given by `--repo`.
pub(crate) struct Repository {
    pub(crate) session: Session,
    pub(crate) target: Target,
    /// The revision as the user wrote it.
    pub(crate) revision: String,
}

impl Repository {
    /// Describes the searched state, for answers.
    pub(crate) fn searched(&self, searcher: &Searcher) -> SearchedRepository {
        self.session.searched(searcher, &self.revision)
    }

    /// Opens a searcher, and indexes the repository first if necessary.
    pub(crate) fn open(&self, context: &Context) -> anyhow::Result<Searcher> {
        let progress = context.progress();
        let found = self.session.searcher(&self.target, Task::new(progress.as_ref(), &context.cancel));
        found.with_context(|| format!("can't search '{}'", self.session.info().path))
    }
}

/// Opens the repositories around these paths, at these revisions.
///
/// Without a revision the work tree is the target; with `no_worktree`, HEAD.
pub(crate) fn repositories(
    context: &Context,
    named: &[String],
    no_worktree: bool,
) -> anyhow::Result<Vec<Repository>> {
    let mut all = Vec::new();
    for repository in named {
        let (path, rev) = split(context, repository);
        let session = context.session_at(&context.directory().join(path));
        let session = session.with_context(|| format!("can't search '{repository}'"))?;
        let target = Target::resolve(session.repo(), rev, no_worktree);
        let (target, revision) = target.with_context(|| format!("can't search '{repository}'"))?;
        all.push(Repository { session, target, revision });
    }
    Ok(all)
}

/// Splits `PATH[@REV]`. If a file or directory has the whole text as its name, there is no
/// revision.
fn split<'a>(context: &Context, text: &'a str) -> (&'a str, Option<&'a str>) {
    if context.directory().join(text).exists() {
        return (text, None);
    }
    // `HEAD@{1}` contains an `@` of its own.
    let cut = match text.split_once("@{") {
        Some((before, _)) => before.rfind('@'),
        None => text.rfind('@'),
    };
    match cut.and_then(|at| Some((text.get(..at)?, text.get(at + 1..)?))) {
        Some((path, rev)) if !path.is_empty() && !rev.is_empty() => (path, Some(rev)),
        _ => (text, None),
    }
}
