//! `git cora diff`: lists the declarations that differ between two commits.
//!
//! Owns the syntax of the two commits, filters and output; the library compares the declarations.

use std::fmt::Write as _;

use bstr::ByteSlice;
use serde_json::{Value, json};

use git_cora::Session;
use git_cora::answer::DeclarationPlace;
use git_cora::answer::view::Change;
use git_cora::answer::view::theme::{BAD, GOOD, NUMBER, STATUS};
use git_cora::answer::view::visible;
use git_cora::base::id::ObjectId;
use git_cora::base::progress::Task;

use super::context::Context;
use super::output::Page;
use super::{CommandError, Outcome, args, from_root, query};

pub(crate) fn run(context: &Context, args: &args::Diff) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let [old, new] = commits(&session, &args.revs)?;
    let languages: Vec<String> =
        args.filter.lang.iter().map(|name| query::language(name)).collect::<anyhow::Result<_>>()?;
    let paths = [args.filter.path.as_slice(), &args.paths].concat();
    let paths = from_root::pathspecs(context, &session, &paths)?;
    let progress = context.progress();
    let mut diff = session.diff(old, new, &paths, Task::new(progress.as_ref(), &context.cancel))?;
    diff.declarations.retain(|one| {
        (languages.is_empty() || languages.contains(&one.language))
            && (args.filter.kind.is_empty() || args.filter.kind.iter().any(|kind| kind == one.kind))
    });
    if args.json.is_wanted() {
        let list: Vec<Value> = diff
            .declarations
            .iter()
            .map(|one| {
                json!({
                    "change": one.change.name(), "kind": one.kind, "language": one.language,
                    "old": one.old.as_ref().map(place), "new": one.new.as_ref().map(place),
                })
            })
            .collect();
        let answer = json!({
            "old": old.to_string(), "new": new.to_string(), "files": diff.n_files, "changes": list,
        });
        context.print_json(&answer)?;
    } else {
        let mut page = Page::open(session.repo(), &args.screen)?;
        let paint = page.paint;
        let mut out = String::new();
        for one in &diff.declarations {
            let Some(at) = one.new.as_ref().or(one.old.as_ref()) else { continue };
            let line = paint.declaration(&at.path.to_str_lossy(), at.line, one.kind, &at.symbol);
            let change = paint.text(one.change.name(), color_of(one.change));
            let pad = " ".repeat(7usize.saturating_sub(one.change.name().len()));
            let _ = write!(out, "{change}{pad} {line}");
            let was = one.old.as_ref().filter(|old| old.path != at.path || old.symbol != at.symbol);
            if let Some(old) = was {
                let path = old.path.to_str_lossy();
                let _ = write!(out, " (was {}:{}", visible(&path), old.line);
                if old.symbol != at.symbol {
                    let _ = write!(out, ": {}", visible(&old.symbol));
                }
                out.push(')');
            }
            out.push('\n');
        }
        page.write(&out)?;
        page.close()?;
    }
    if diff.declarations.is_empty() {
        context.say("no declaration differs");
        return Ok(Outcome::Nothing);
    }
    Ok(Outcome::Found)
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
        "path": at.path.to_str_lossy(), "line": at.line, "start_line": at.span.start_line,
        "end_line": at.span.end_line, "symbol": at.symbol,
    })
}

/// Resolves the two commits of `A B`, `A..B` or `A`.
fn commits(session: &Session, revs: &[String]) -> anyhow::Result<[ObjectId; 2]> {
    match revs {
        [one] => match range(session, one)? {
            Some(commits) => Ok(commits),
            None => Ok([session.repo().resolve(one)?, session.repo().resolve("HEAD")?]),
        },
        [old, new] => Ok([session.repo().resolve(old)?, session.repo().resolve(new)?]),
        _ => anyhow::bail!("expected two commits"),
    }
}

/// Resolves `A..B`, and `A...B`, whose first commit is where the branch B left A.
pub(crate) fn range_or_branch(session: &Session, rev: &str) -> anyhow::Result<Option<[ObjectId; 2]>> {
    let Some((a, b)) = rev.split_once("...").filter(|_| !rev.starts_with(':')) else {
        return range(session, rev);
    };
    let repo = session.repo();
    let of = |rev: &str| repo.resolve(if rev.is_empty() { "HEAD" } else { rev });
    let (old, new) = (of(a)?, of(b)?);
    match repo.merge_base(old, new)? {
        Some(base) => Ok(Some([base, new])),
        None if repo.shallow_boundary()?.is_empty() => {
            anyhow::bail!("'{a}' and '{b}' have no common ancestor")
        }
        None => Err(CommandError::new(
            format!("this shallow clone has no common ancestor of '{a}' and '{b}'"),
            "run 'git fetch --unshallow'",
        )
        .into()),
    }
}

/// Resolves the two commits of `A..B`, where an omitted side is HEAD; `None` if this is not such a
/// range.
pub(crate) fn range(session: &Session, rev: &str) -> anyhow::Result<Option<[ObjectId; 2]>> {
    // `A...B` is another kind of range, and `:/a..b` names one commit by its message.
    let Some((old, new)) = rev.split_once("..").filter(|(_, new)| !new.starts_with('.')) else {
        return Ok(None);
    };
    if rev.starts_with(':') || old.contains("^{") {
        return Ok(None);
    }
    let of = |rev: &str| session.repo().resolve(if rev.is_empty() { "HEAD" } else { rev });
    Ok(Some([of(old)?, of(new)?]))
}
