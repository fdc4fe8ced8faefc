//! `git cora diff`: lists the declarations that differ between two commits, or from the working
//! tree.
//!
//! Owns filters, the limit and output; `operand::commits` reads which commits are meant, and the
//! library compares the declarations.

use std::ffi::OsString;
use std::fmt::Write as _;

use bstr::ByteSlice;
use serde_json::{Value, json};

use git_cora::Session;
use git_cora::answer::view::theme::{BAD, GOOD, NUMBER, STATUS};
use git_cora::answer::view::{Change, Paint, visible};
use git_cora::answer::{DeclarationChange, DeclarationPlace, Diff};
use git_cora::base::progress::Task;
use git_cora::base::text::{quoted, visible_path};

use crate::input::strays::Sides;
use crate::terminal::Context;

use super::advice::pathspec;
use super::operand::commits::{NamedCommits, Operands, hint_for_last, no_worktree};
use super::operand::from_root;
use super::output::Page;
use super::{Outcome, args, query};

pub(crate) fn run(context: &Context, args: &args::Diff) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let repo = session.repo();
    let operands = Operands::read(context, &session, &from_root::all_typed(&args.words), &args.paths)?;
    let is_bare = repo.work_dir().is_none();
    let (old, new) = match operands.commits {
        NamedCommits::Two([old, new]) => (old, Some(new)),
        NamedCommits::One(old) if is_bare => (old, Some(repo.resolve("HEAD")?)),
        NamedCommits::One(old) => (old, None),
        NamedCommits::None if is_bare => return Err(no_worktree(&session, "diff", &operands.paths).into()),
        NamedCommits::None => (repo.resolve("HEAD")?, None),
    };
    let languages: Vec<String> =
        args.filter.lang.iter().map(|name| query::language(name)).collect::<anyhow::Result<_>>()?;
    let typed = [args.filter.path.as_slice(), &operands.paths].concat();
    let paths = from_root::pathspecs(context, &session, &typed)?;
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let mut diff = match new {
        Some(new) => session.diff(old, new, &paths, task)?,
        None => session.diff_worktree(old, &paths, task)?,
    };
    drop(progress);
    diff.declarations.retain(|one| {
        (languages.is_empty() || languages.contains(&one.language))
            && (args.filter.kind.is_empty() || args.filter.kind.iter().any(|kind| kind == one.kind))
    });
    let more = diff.declarations.len().saturating_sub(args.limit.get().unwrap_or(usize::MAX));
    diff.declarations.truncate(diff.declarations.len() - more);
    if args.json.is_wanted() {
        context.print_json(&report(&diff, more))?;
    } else {
        let mut page = Page::open(repo, &args.screen)?;
        let mut out = String::new();
        diff.declarations.iter().for_each(|one| line(&mut out, page.paint, one));
        page.write(&out)?;
        page.close()?;
    }
    context.tell_of_more(more, "--limit");
    for note in &diff.notes {
        context.say(&format!("note: {note}"));
    }
    if diff.declarations.is_empty() {
        let subject = (&session, "diff", typed.as_slice());
        let is_clean = matches!(operands.commits, NamedCommits::None)
            && diff.n_files == 0
            && !repo.has_other_modes(&paths)?;
        tell_of_no_difference(context, subject, is_clean, !diff.notes.is_empty());
        pathspec::tell_of_strays(context, &session, Sides { old, new }, &typed, &paths)?;
        return Ok(Outcome::Nothing);
    }
    Ok(Outcome::Found)
}

/// Says that no difference was found, by a command with these paths. If nothing was edited, it
/// says how to see the last commit instead.
pub(super) fn tell_of_no_difference(
    context: &Context,
    (session, command, paths): (&Session, &str, &[OsString]),
    is_clean: bool,
    is_incomplete: bool,
) {
    context.say(match (is_incomplete, is_clean) {
        (true, _) => "no declaration differs in the files that could be compared",
        (false, true) => "no uncommitted change",
        (false, false) => "no declaration differs",
    });
    let hint =
        if is_clean && !is_incomplete { hint_for_last(session, command, paths) } else { String::new() };
    if !hint.is_empty() {
        context.say(&format!("hint: {hint}"));
    }
}

/// Writes the line of one declaration.
fn line(out: &mut String, paint: Paint, one: &DeclarationChange) {
    let Some(at) = one.new.as_ref().or(one.old.as_ref()) else { return };
    let line = paint.declaration(&quoted(at.path.as_bstr()), at.line, one.kind, &at.symbol);
    let change = paint.text(one.word(), color_of(one.change));
    let pad = " ".repeat(7usize.saturating_sub(one.word().len()));
    let _ = write!(out, "{change}{pad} {line}");
    let was = one.old.as_ref().filter(|old| old.path != at.path || old.symbol != at.symbol);
    if let Some(old) = was {
        let (path, symbol) = (quoted(old.path.as_bstr()), visible(&old.symbol));
        let place = format!("{}:{}", visible_path(&path), old.line);
        let _ = match old.symbol != at.symbol {
            true if one.is_renamed() => write!(out, " (was {symbol})"),
            true => write!(out, " (was {place}: {symbol})"),
            false => write!(out, " (was {place})"),
        };
    }
    out.push('\n');
}

/// Returns the differences for programs. `more` is how many were left out.
fn report(diff: &Diff, more: usize) -> Value {
    let changes: Vec<Value> = diff
        .declarations
        .iter()
        .map(|one| {
            json!({
                "change": one.change.name(), "kind": one.kind, "language": one.language,
                "old": one.old.as_ref().map(place), "new": one.new.as_ref().map(place),
            })
        })
        .collect();
    json!({
        "old": diff.old.to_string(), "new": diff.new.map(|new| new.to_string()),
        "worktree": diff.new.is_none(), "files": diff.n_files, "changes": changes, "more": more,
        "notes": diff.notes,
    })
}

fn color_of(change: Change) -> anstyle::Style {
    match change {
        Change::Added => GOOD,
        Change::Removed => BAD,
        Change::Moved => NUMBER,
        Change::Changed => STATUS,
    }
}

fn place(at: &DeclarationPlace) -> Value {
    json!({
        "path": quoted(at.path.as_bstr()), "line": at.line, "start_line": at.span.start_line,
        "end_line": at.span.end_line, "symbol": at.symbol,
    })
}
