//! `--repo PATH[@REV]`: one question to several repositories.

use anyhow::Context as _;

use git_cora::Session;
use git_cora::session::merge;

use super::{asked, finish, target};
use crate::cli::context::Context;
use crate::cli::{Outcome, args};

pub(super) fn run(context: &Context, args: &args::Query) -> anyhow::Result<Outcome> {
    let mut sessions = Vec::new();
    for repository in &args.repo {
        let (path, rev) = split(context, repository);
        let session = context.session_at(&context.directory().join(path));
        sessions.push((session.with_context(|| format!("can't search '{repository}'"))?, rev));
    }
    let progress = context.progress();
    let (mut answers, mut limit) = (Vec::new(), 0);
    for (session, rev) in &sessions {
        let query = asked(context, session, args)?;
        limit = query.limit;
        let (target, revision) = target(session, *rev, args.no_worktree)?;
        let mut searchable = session.searchable(&target, progress.as_ref(), &context.cancel)?;
        answers.push(session.answer_mended(
            &mut searchable,
            &target,
            &query,
            &revision,
            progress.as_ref(),
            &context.cancel,
        )?);
    }
    let results = merge(answers, limit);
    let (session, _): &(Session, _) = sessions.first().context("a repository is wanted")?;
    finish(context, session, args, &results, "hint: try fewer or other words, or without filters")
}

/// A directory of that name is meant as a whole; otherwise what follows the last `@` is a revision.
fn split<'a>(context: &Context, text: &'a str) -> (&'a str, Option<&'a str>) {
    if context.directory().join(text).exists() {
        return (text, None);
    }
    // `HEAD@{1}` is a revision too.
    let cut = match text.split_once("@{") {
        Some((before, _)) => before.rfind('@'),
        None => text.rfind('@'),
    };
    match cut.and_then(|at| Some((text.get(..at)?, text.get(at + 1..)?))) {
        Some((path, rev)) if !path.is_empty() && !rev.is_empty() => (path, Some(rev)),
        _ => (text, None),
    }
}
