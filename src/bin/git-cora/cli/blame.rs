//! `git cora blame`: shows who wrote a declaration.
//!
//! Owns the syntax and the output; the library counts lines.

use bstr::{BString, ByteSlice};
use serde_json::{Value, json};

use git_cora::answer::{self, Authors, HistoryQuery, authors_text};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::Task;
use git_cora::base::text::quoted;
use git_cora::git::{EntryMode, FileState};
use git_cora::{Session, Target};

use crate::command_error::CommandError;
use crate::terminal::Context;

use super::advice::absent::{Lookup, Purpose, absence_at, absence_in_file};
use super::operand::declaration::{self, Namesakes};
use super::operand::from_root;
use super::output::Page;
use super::{Outcome, args};

pub(crate) fn run(context: &Context, args: &args::Blame) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let commit = context.commit(&session, args.rev.as_deref())?;
    let typed = from_root::typed(&args.declaration);
    let lookup = Lookup::new(Purpose::Authors, &session, &typed, args.rev.as_deref());
    let nothing = || args.json.is_wanted().then(empty_report);
    let (path, location) = match whole_file(context, &session, commit, &typed)? {
        Some(path) => (path, None),
        None => match declaration::locate(context, &session, commit, &typed)? {
            Some(found) => (found.path.clone(), Some(found)),
            None => return absence_at(context, &lookup, commit)?.tell(context, nothing()),
        },
    };
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let place = location.as_ref().map(|one| &one.place);
    let found = answer::authors(session.indexer(), commit, &path, place, args.moves, task)?;
    let Some(mut found) = found else {
        let Some(location) = &location else {
            anyhow::bail!("'{}' can't be read at this commit", quoted(path.as_bstr()))
        };
        let query = HistoryQuery::new(commit, path, location.place.clone()).with_newest();
        let is_removed = answer::history(session.indexer(), &query, task)?.is_some();
        drop(progress);
        return absence_in_file(context, &lookup, commit, location, is_removed)?.tell(context, nothing());
    };
    drop(progress);
    let namesakes = Namesakes::new(location.as_ref(), &found.others);
    if let Some(location) = &location {
        let read = found.place.as_ref().map_or("", |place| place.symbol.as_str());
        let note = location.note_of_container(read, "these are the authors");
        found.notes.splice(0..0, location.note_of_name(&typed).into_iter().chain(note));
    }
    for note in &found.notes {
        context.say(&format!("note: {note}"));
    }
    tell_of_edits(context, &session, commit, &path)?;
    if args.json.is_wanted() {
        context.print_json(&report(&found, &namesakes))?;
    } else {
        let mut page = Page::open(session.repo(), &args.screen)?;
        page.write(&authors_text(&found, page.paint))?;
        page.close()?;
    }
    if let Some(place) = &found.place {
        namesakes.tell(context, place);
    }
    Ok(Outcome::Found)
}

/// Returns the path from the root if the commit has such a file.
///
/// # Errors
/// If the path is that of a symbolic link or a submodule.
fn whole_file(
    context: &Context,
    session: &Session,
    commit: ObjectId,
    typed: &str,
) -> anyhow::Result<Option<BString>> {
    let repo = session.repo();
    let is_file = from_root::in_target(repo, &Target::Commit(commit))?;
    let Some(path) = from_root::existing(context, session, typed.into(), &is_file)? else { return Ok(None) };
    let entry = repo.tree_entry(repo.commit(commit)?.tree, path.as_bstr())?;
    let what = match entry.map(|one| one.mode) {
        Some(EntryMode::File | EntryMode::Executable) => return Ok(Some(path)),
        Some(EntryMode::Symlink) => "a symbolic link",
        Some(EntryMode::Submodule) => "a submodule",
        // A declaration may have the name of a directory.
        Some(EntryMode::Directory) | None => return Ok(None),
    };
    Err(CommandError::new(
        format!("'{}' is {what}", quoted(path.as_bstr())),
        "name a file, or a declaration as NAME or PATH:NAME",
    )
    .into())
}

/// Says that uncommitted changes of the file do not count.
fn tell_of_edits(
    context: &Context,
    session: &Session,
    commit: ObjectId,
    path: &BString,
) -> anyhow::Result<()> {
    if context.is_quiet() || session.repo().resolve("HEAD").ok() != Some(commit) {
        return Ok(());
    }
    let status = session.repo().status()?;
    if status.iter().any(|one| one.path == *path && one.state != FileState::Deleted) {
        let path = quoted(path.as_bstr());
        context.say(&format!("note: uncommitted changes of '{path}' are not counted"));
    }
    Ok(())
}

/// Returns the report if there is no such file or declaration.
fn empty_report() -> Value {
    json!({
        "path": null, "declaration": null, "others": [], "lines": 0, "unknown_lines": 0,
        "authors": [], "commits": [], "last": null, "notes": [],
    })
}

fn report(found: &Authors, namesakes: &Namesakes) -> Value {
    let authors: Vec<Value> = found
        .authors
        .iter()
        .zip(found.percents())
        .map(|(one, percent)| {
            json!({
                "name": one.name, "email": one.email, "lines": one.n_lines,
                "percent": percent, "newest": one.date,
            })
        })
        .collect();
    let commits: Vec<Value> = found
        .commits
        .iter()
        .map(|one| {
            json!({
                "commit": one.id.to_string(), "author": one.name, "email": one.email,
                "time": one.time_s, "subject": one.subject, "lines": one.n_lines,
            })
        })
        .collect();
    let last = found.last.as_ref().map(|one| {
        let changes: Vec<&str> = one.changes.iter().map(|change| change.name()).collect();
        json!({
            "commit": one.commit.to_string(), "date": one.date, "author": one.author,
            "email": one.email, "subject": one.subject, "changes": changes,
        })
    });
    json!({
        "path": quoted(found.path.as_bstr()),
        "declaration": found.place.as_ref().map(super::log::place),
        "others": namesakes.report(),
        "lines": found.n_lines, "unknown_lines": found.n_unknown, "authors": authors,
        "commits": commits, "last": last, "notes": found.notes,
    })
}
