//! `git cora impact`: shows what a change affects beyond its lines.
//!
//! Owns the choice between a declaration and two commits, the formats and the exit status.
//! `commits` reads the commits, and the library follows the references.

use std::ffi::OsString;
use std::num::NonZeroUsize;

use git_cora::answer::view::{Budget, Forge};
use git_cora::answer::{
    self, Impact, ImpactQuery, ImpactReport, ImpactScope, impact_json, impact_markdown, impact_text,
};
use git_cora::base::progress::Task;
use git_cora::base::text::shell_word;
use git_cora::git::is_range;
use git_cora::{Session, Target};

use super::absent::{Lookup, Purpose, absence};
use super::args::{ChangeFormat, ImpactFailure};
use super::commits::{NamedCommits, Operands, no_worktree};
use super::context::Context;
use super::output::Page;
use super::pathspec::Sides;
use super::{CommandError, Outcome, args, from_root, pathspec};

pub(crate) fn run(context: &Context, args: &args::Impact) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let Subject { scope, title, paths } = subject(context, &session, args)?;
    let typed = [args.path.as_slice(), &paths].concat();
    let paths = from_root::pathspecs(context, &session, &typed)?;
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
        .with_pathspecs(paths.clone())
        .with_depth(args.depth.into())
        .with_certain(args.certain)
        .with_every_breaking(args.fail_on.is_some());
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let impact = answer::impact(session.indexer(), &query, task)?;
    drop(progress);
    if impact.subjects.is_empty() {
        if let ImpactScope::Declaration { target, .. } = &scope {
            return nothing(context, &session, args, target, &impact);
        }
        context.say("no declaration differs");
        let sides = match scope {
            ImpactScope::Range([old, new]) => Some(Sides { old, new: Some(new) }),
            ImpactScope::Since(old) => Some(Sides { old, new: None }),
            _ => session.repo().resolve("HEAD").ok().map(|old| Sides { old, new: None }),
        };
        if let Some(sides) = sides {
            pathspec::tell_of_strays(context, &session, sides, &typed, &paths)?;
        }
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

/// What the impact is asked of.
struct Subject {
    scope: ImpactScope,
    /// How the answer names it.
    title: String,
    /// The pathspecs, from the current directory.
    paths: Vec<OsString>,
}

/// Reads what is asked for.
fn subject(context: &Context, session: &Session, args: &args::Impact) -> anyhow::Result<Subject> {
    let repo = session.repo();
    let [first, rest @ ..] = args.words.as_slice() else {
        if repo.work_dir().is_none() {
            return Err(no_worktree("impact").into());
        }
        let title = "the uncommitted changes".to_owned();
        return Ok(Subject { scope: ImpactScope::Worktree, title, paths: args.paths.clone() });
    };
    if rest.is_empty() && !is_range(first) {
        let target = match &args.rev {
            Some(rev) => Target::Commit(repo.resolve(rev)?),
            None if repo.work_dir().is_none() => Target::Commit(repo.resolve("HEAD")?),
            None => Target::Worktree,
        };
        let symbol = from_root::symbol(context, session, first, &from_root::in_target(repo, &target)?)?;
        let scope = ImpactScope::Declaration { target, symbol };
        return Ok(Subject { scope, title: first.clone(), paths: args.paths.clone() });
    }
    // A name with another word after it is not a revision that was misspelt.
    if !is_range(first) && repo.resolve(first).is_err() {
        return Err(expected_two_commits(args, "write A..B to compare two commits".to_owned()));
    }
    let Operands { commits, title, paths } = Operands::read(context, session, &args.words, &args.paths)?;
    match commits {
        NamedCommits::Two(commits) => Ok(Subject { scope: ImpactScope::Range(commits), title, paths }),
        NamedCommits::None | NamedCommits::One(_) => {
            let mut words = vec!["--".to_owned()];
            words.extend(paths.iter().map(|path| shell_word(&path.to_string_lossy()).into_owned()));
            if !title.is_empty() {
                words.insert(0, shell_word(&format!("{title}..HEAD")).into_owned());
            }
            Err(expected_two_commits(args, format!("run 'git cora impact {}'", words.join(" "))))
        }
    }
}

/// Makes the error of words that are neither a declaration nor two commits.
fn expected_two_commits(args: &args::Impact, hint: String) -> anyhow::Error {
    let found = args.words.join(" ");
    CommandError::not_found(format!("expected one declaration or two commits, found '{found}'"), hint).into()
}

/// Reports that no declaration has this name. `impact` is empty.
fn nothing(
    context: &Context,
    session: &Session,
    args: &args::Impact,
    target: &Target,
    impact: &Impact,
) -> anyhow::Result<Outcome> {
    let typed = args.words.first().map(String::as_str).unwrap_or_default();
    let progress = context.progress();
    let searcher = session.searcher(target, Task::new(progress.as_ref(), &context.cancel))?;
    drop(progress);
    let lookup = Lookup {
        purpose: Purpose::Impact,
        typed,
        rev: args.rev.as_deref(),
        session: Some(session),
        indexes: &[searcher.index()],
    };
    let mut absence = absence(context, &lookup)?;
    if session.repo().resolve(typed).is_ok() {
        let range = format!("{typed}..HEAD");
        absence.hint =
            Some(format!("run 'git cora impact {}' for the commits since '{typed}'", shell_word(&range)));
    }
    let report = (format(args) == ChangeFormat::Json).then(|| {
        let report = ImpactReport {
            title: typed,
            limit: args.limit.get(),
            budget: Budget::default(),
            is_coloured: false,
            forge: None,
        };
        impact_json(impact, &report)
    });
    absence.tell(context, report)
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
