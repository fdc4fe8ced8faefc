//! `git cora impact`: shows what a change affects beyond its lines.
//!
//! Owns the syntax of what is asked for, the formats and the exit status; the library follows the
//! references.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use git_cora::answer::view::{Budget, Forge};
use git_cora::answer::{
    self, Impact, ImpactQuery, ImpactReport, ImpactScope, impact_json, impact_markdown, impact_text,
};
use git_cora::base::progress::Task;
use git_cora::base::text::shell_word;
use git_cora::{Session, Target};

use super::args::{ChangeFormat, ImpactFailure};
use super::context::Context;
use super::output::Page;
use super::{CommandError, Outcome, args, diff, from_root, near};

pub(crate) fn run(context: &Context, args: &args::Impact) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let (scope, title) = scope(context, &session, args)?;
    let paths = [args.path.as_slice(), &args.paths].concat();
    let paths = from_root::pathspecs(context, &session, &paths)?;
    let is_declaration = matches!(scope, ImpactScope::Declaration { .. });
    if is_declaration && !paths.is_empty() {
        return Err(CommandError::new(
            "pathspecs apply to changed files, not to a declaration",
            "write PATH:NAME for a declaration in one file",
        )
        .into());
    }
    if !is_declaration && args.rev.is_some() {
        return Err(
            CommandError::new("--rev needs a declaration", "write A..B to compare two commits").into()
        );
    }
    let query = ImpactQuery::new(scope.clone())
        .with_pathspecs(paths)
        .with_depth(args.depth.into())
        .with_certain(args.certain)
        .with_every_breaking(args.fail_on.is_some());
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let impact = answer::impact(session.indexer(), &query, task)?;
    drop(progress);
    if impact.subjects.is_empty() {
        if let ImpactScope::Declaration { target, symbol } = &scope {
            return nothing(context, &session, target, symbol);
        }
        context.say("no declaration differs");
        // Of a change that no declaration is part of, the documents still have companions.
        if impact.companions.is_empty() && args.fail_on.is_none() && format(args) == ChangeFormat::Text {
            return Ok(Outcome::Nothing);
        }
    }
    if !write(context, &session, args, &impact, &title)? {
        return Ok(Outcome::Failed);
    }
    let is_failed = match args.fail_on {
        Some(ImpactFailure::Broken) => impact.n_broken(false) > 0,
        Some(ImpactFailure::Guess) => impact.n_broken(true) > 0,
        None => impact.subjects.is_empty(),
    };
    Ok(if is_failed { Outcome::Nothing } else { Outcome::Found })
}

fn format(args: &args::Impact) -> ChangeFormat {
    if args.json { ChangeFormat::Json } else { args.format.unwrap_or(ChangeFormat::Text) }
}

/// Reads what is asked for, and how a title names it.
fn scope(context: &Context, session: &Session, args: &args::Impact) -> anyhow::Result<(ImpactScope, String)> {
    let Some(of) = &args.of else {
        if session.repo().work_dir().is_none() {
            return Err(CommandError::new(
                "this repository has no working tree",
                "run 'git cora impact HEAD~..HEAD' for the last commit",
            )
            .into());
        }
        return Ok((ImpactScope::Worktree, "the uncommitted changes".to_owned()));
    };
    // No name of a declaration has two dots side by side, but a relative path does.
    if of.contains("..")
        && !of.contains("../")
        && let Some(commits) = diff::range_or_branch(session, of)?
    {
        return Ok((ImpactScope::Range(commits), of.clone()));
    }
    let target = match &args.rev {
        Some(rev) => Target::Commit(session.repo().resolve(rev)?),
        None if session.repo().work_dir().is_none() => Target::Commit(session.repo().resolve("HEAD")?),
        None => Target::Worktree,
    };
    let symbol = from_root::symbol(context, session, of);
    Ok((ImpactScope::Declaration { target, symbol }, of.clone()))
}

/// Reports that no declaration has this name.
fn nothing(context: &Context, session: &Session, target: &Target, symbol: &str) -> anyhow::Result<Outcome> {
    context.say(&format!("no declaration named '{symbol}'"));
    if session.repo().resolve(symbol).is_ok() {
        let range = format!("{symbol}..HEAD");
        context.say(&format!(
            "hint: run 'git cora impact {}' for the commits since '{symbol}'",
            shell_word(&range)
        ));
        return Ok(Outcome::Nothing);
    }
    let progress = context.progress();
    let searcher = session.searcher(target, Task::new(progress.as_ref(), &context.cancel))?;
    let index = searcher.index();
    let names: BTreeSet<&str> = index.declarations().map(|one| one.name()).collect();
    let wanted = symbol.rsplit([':', '.']).next().unwrap_or(symbol);
    if let Some(question) = near::question(&near::names(wanted, names.into_iter())) {
        context.say(&format!("hint: {question}"));
    }
    Ok(Outcome::Nothing)
}

/// Writes the answer; false if it does not fit the budget.
fn write(
    context: &Context,
    session: &Session,
    args: &args::Impact,
    impact: &Impact,
    title: &str,
) -> anyhow::Result<bool> {
    let most = |n: Option<NonZeroUsize>| n.map(NonZeroUsize::get);
    let forge = session.repo().remote_url("origin").and_then(|url| Forge::of(&url));
    let mut report = ImpactReport {
        title,
        limit: args.limit.get(),
        budget: Budget { characters: most(args.length), tokens: most(args.tokens) },
        is_coloured: false,
        forge: forge.as_ref(),
    };
    let text = match format(args) {
        ChangeFormat::Json => {
            context.print_json(&impact_json(impact, &report))?;
            return Ok(true);
        }
        ChangeFormat::Markdown => impact_markdown(impact, &report),
        ChangeFormat::Text => {
            let mut page = Page::open(session.repo(), &args.screen)?;
            report.is_coloured = page.paint.is_on();
            let text = impact_text(impact, &report);
            page.write(&text)?;
            page.close()?;
            text
        }
    };
    if text.is_empty() {
        context.complain("error: the budget is too small for the heading");
        context.say("hint: allow more with --tokens or --length");
        return Ok(false);
    }
    if format(args) == ChangeFormat::Markdown {
        context.print(&text)?;
    }
    Ok(true)
}
