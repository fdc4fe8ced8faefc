//! `--repo PATH[@REV]`: searches several repositories and merges the answers.
//!
//! The same query runs in each; references between the results of different repositories are added
//! afterwards.

use anyhow::Context as _;

use git_cora::answer::{follow, merge};
use git_cora::base::progress::Task;

use crate::cli::operand::repository;
use crate::cli::{Outcome, args};
use crate::terminal::Context;

use super::{asked, finish};

pub(super) fn run(context: &Context, args: &args::Query) -> anyhow::Result<Outcome> {
    let repositories = repository::repositories(context, &args.repo, args.no_worktree)?;
    let progress = context.progress();
    let (mut answers, mut searched, mut limit) = (Vec::new(), Vec::new(), 0);
    for one in &repositories {
        let query = asked(context, &one.session, args)?;
        limit = query.limit;
        let mut searcher = one.open(context)?;
        answers.push(one.session.answer_or_repair(
            &mut searcher,
            &query,
            &one.revision,
            Task::new(progress.as_ref(), &context.cancel),
        )?);
        searched.push(searcher);
    }
    let mut results = merge(answers, limit);
    let all: Vec<_> = searched.iter().collect();
    follow(&all, None, results.results.iter_mut())?;
    let session = &repositories.first().context("expected a repository")?.session;
    finish(context, session, args, results, "hint: try fewer or different words, or remove filters")
}
