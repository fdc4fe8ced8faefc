//! `git cora impact`: shows what a change affects beyond its lines.
//!
//! Owns the choice between a declaration and two commits, and the exit status. `operand::commits`
//! reads the commits, the library follows the references, and `output::report` writes the result.

use std::ffi::OsString;

use git_cora::answer::view::{Budget, Forge};
use git_cora::answer::{
    self, Impact, ImpactQuery, ImpactReport, ImpactScope, impact_json, impact_markdown, impact_text,
};
use git_cora::base::progress::Task;
use git_cora::base::text::shell_word;
use git_cora::git::is_range;
use git_cora::{Session, Target};

use crate::command_error::CommandError;
use crate::input::place::splits;
use crate::input::strays::Sides;
use crate::terminal::Context;

use super::advice::absent::{Lookup, Purpose, absence, is_revision};
use super::advice::pathspec;
use super::args::{ChangeFormat, ImpactFailure};
use super::diff::tell_of_no_difference;
use super::operand::commits::{NamedCommits, Operands, hint_since, no_worktree};
use super::operand::from_root;
use super::output::report::ReportForm;
use super::{Outcome, args};

/// The flag that makes lists longer.
const LIMIT: &str = "--limit";

pub(crate) fn run(context: &Context, args: &args::Impact) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let Subject { scope, title, paths } = subject(context, &session, args)?;
    let typed = [args.path.as_slice(), &paths].concat();
    let paths = from_root::pathspecs(context, &session, &typed)?;
    let is_declaration = matches!(scope, ImpactScope::Declaration { .. });
    if is_declaration && !paths.is_empty() {
        let name = from_root::typed(args.words.first().map(OsString::as_os_str).unwrap_or_default());
        return Err(paths_of_declaration(context, &session, &name, &typed));
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
    if is_declaration && !impact.subjects.is_empty() && is_revision(&session, &title) {
        let hint = hint_since(&session, "impact", &title, &[]);
        context.say(&format!("note: '{title}' is also a revision; {hint}"));
    }
    if impact.subjects.is_empty() {
        if let ImpactScope::Declaration { target, .. } = &scope {
            return nothing(context, &session, args, target, &impact);
        }
        let is_clean = matches!(scope, ImpactScope::Worktree)
            && impact.n_files == 0
            && !session.repo().has_other_modes(&paths)?;
        tell_of_no_difference(context, (&session, "impact", &typed), is_clean, impact.incomplete);
        let sides = match scope {
            ImpactScope::Range([old, new]) => Some(Sides { old, new: Some(new) }),
            ImpactScope::Since(old) => Some(Sides { old, new: None }),
            _ => session.repo().resolve("HEAD").ok().map(|old| Sides { old, new: None }),
        };
        if let Some(sides) = sides {
            pathspec::tell_of_strays(context, &session, sides, &typed, &paths)?;
        }
        // Of a change that no declaration is part of, the documents still have companions.
        if impact.companions.is_empty() && args.fail_on.is_none() && form(args).format == ChangeFormat::Text {
            for note in &impact.notes {
                context.say(&format!("note: {note}"));
            }
            return Ok(Outcome::Nothing);
        }
    }
    if !write(context, &session, args, &impact, &title)? {
        return Ok(Outcome::Failed);
    }
    if args.fail_on.is_some() && impact.incomplete && impact.n_broken(false) == 0 {
        context.complain("error: the comparison is incomplete, so callers that break may be missing");
        return Ok(Outcome::Failed);
    }
    let is_failed = match args.fail_on {
        Some(ImpactFailure::Broken) => impact.n_broken(false) > 0,
        Some(ImpactFailure::Guess) => impact.n_broken(true) > 0,
        None => impact.subjects.is_empty(),
    };
    Ok(if is_failed { Outcome::Nothing } else { Outcome::Found })
}

/// Returns how the report is written.
fn form(args: &args::Impact) -> ReportForm<'_> {
    ReportForm::new(args.format, args.json, args.length, args.tokens, &args.screen)
}

/// What the impact is asked of.
struct Subject {
    scope: ImpactScope,
    /// How the answer names it.
    title: String,
    /// The pathspecs, from the current directory.
    paths: Vec<OsString>,
}

/// Reads what is asked for. As in Git, a word before `--` is a revision.
fn subject(context: &Context, session: &Session, args: &args::Impact) -> anyhow::Result<Subject> {
    let repo = session.repo();
    let words = from_root::all_typed(&args.words);
    let [first, rest @ ..] = words.as_slice() else {
        if repo.work_dir().is_none() {
            return Err(no_worktree(session, "impact", &args.paths).into());
        }
        let title = answer::UNCOMMITTED.to_owned();
        return Ok(Subject { scope: ImpactScope::Worktree, title, paths: args.paths.clone() });
    };
    if rest.is_empty() && !is_range(first) && !context.has_separator {
        let target = match &args.rev {
            Some(rev) => Target::Commit(repo.resolve(rev)?),
            None if repo.work_dir().is_none() => Target::Commit(repo.resolve("HEAD")?),
            None => Target::Worktree,
        };
        let symbol = from_root::symbol(context, session, first, &from_root::in_target(repo, &target)?)?;
        let scope = ImpactScope::Declaration { target, symbol };
        return Ok(Subject { scope, title: first.clone(), paths: Vec::new() });
    }
    if !is_range(first)
        && let Err(error) = repo.resolve(first)
    {
        // Next to a commit, or without a path, the word is a revision that was misspelt.
        let is_misspelt = rest.iter().any(|word| repo.resolve(word).is_ok());
        return Err(if is_misspelt || rest.is_empty() && args.paths.is_empty() {
            error.into()
        } else if rest.is_empty() {
            paths_of_declaration(context, session, first, &args.paths)
        } else {
            let found = words.join(" ");
            let message = format!("expected one declaration or two commits, found '{found}'");
            let paths: Vec<OsString> = rest.iter().map(OsString::from).collect();
            CommandError::not_found(message, hint_for_declaration(context, session, first, &paths)).into()
        });
    }
    let Operands { commits, title, paths, .. } = Operands::read(context, session, &words, &args.paths)?;
    if let NamedCommits::Two(commits) = commits {
        return Ok(Subject { scope: ImpactScope::Range(commits), title, paths });
    }
    let message = format!("expected two commits, found only '{title}'");
    Err(CommandError::not_found(message, hint_since(session, "impact", &title, &paths)).into())
}

/// Makes the error of paths next to the name of a declaration.
fn paths_of_declaration(
    context: &Context,
    session: &Session,
    name: &str,
    paths: &[OsString],
) -> anyhow::Error {
    let hint = hint_for_declaration(context, session, name, paths);
    CommandError::new("pathspecs apply to changed files, not to a declaration", hint).into()
}

/// Returns the hint that asks for a declaration alone: in the path, if that is one file.
fn hint_for_declaration(context: &Context, session: &Session, name: &str, paths: &[OsString]) -> String {
    let is_file = |path: &str| {
        let found = from_root::in_target(session.repo(), &Target::Worktree)
            .and_then(|has| from_root::existing(context, session, path.into(), &has));
        found.is_ok_and(|found| found.is_some())
    };
    let file = match paths {
        [one] => one.to_str().filter(|path| is_file(path)),
        _ => None,
    };
    let declaration = match file {
        Some(file) if splits(name).next().is_none() => format!("{file}:{name}"),
        _ => name.to_owned(),
    };
    format!("run 'git cora impact {}' for the declaration", shell_word(&declaration))
}

/// Reports that no declaration has this name. `impact` is empty.
fn nothing(
    context: &Context,
    session: &Session,
    args: &args::Impact,
    target: &Target,
    impact: &Impact,
) -> anyhow::Result<Outcome> {
    let typed = from_root::typed(args.words.first().map(OsString::as_os_str).unwrap_or_default());
    let searcher = context.searcher_of(session, target)?;
    let lookup = Lookup {
        indexes: &[searcher.index()],
        ..Lookup::new(Purpose::Impact, session, &typed, args.rev.as_deref())
    };
    let mut absence = absence(context, &lookup)?;
    if is_revision(session, &typed) {
        absence.hint = Some(hint_since(session, "impact", &typed, &[]));
    }
    let report = (form(args).format == ChangeFormat::Json).then(|| {
        let report = ImpactReport {
            title: &typed,
            limit: args.limit.get(),
            limit_flag: LIMIT,
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
    let forge = session.repo().remote_url("origin").and_then(|url| Forge::of(&url));
    let form = form(args);
    let report = |budget: &Budget, is_coloured: bool| ImpactReport {
        title,
        limit: args.limit.get(),
        limit_flag: LIMIT,
        budget: *budget,
        is_coloured,
        forge: forge.as_ref(),
    };
    let text = |budget: &Budget, is_coloured: bool| match form.format {
        ChangeFormat::Markdown => impact_markdown(impact, &report(budget, is_coloured)),
        _ => impact_text(impact, &report(budget, is_coloured)),
    };
    let json = || impact_json(impact, &report(&form.budget, false));
    form.write(context, session.repo(), &text, &json)
}
