//! `git cora log`: shows the history of a declaration.
//!
//! Owns the syntax and the output; the library follows the declaration.

use bstr::ByteSlice;
use serde_json::{Value, json};

use git_cora::answer::{self, History, HistoryQuery, HistoryRow, VersionPlace, history_text};
use git_cora::base::progress::Task;
use git_cora::base::text::quoted;

use crate::terminal::Context;

use super::advice::absent::{Lookup, Purpose, absence_at, absence_in_file};
use super::operand::declaration::{self, Namesakes};
use super::operand::from_root;
use super::output::Page;
use super::{Outcome, args};

pub(crate) fn run(context: &Context, args: &args::Log) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let commit = context.commit(&session, args.rev.as_deref())?;
    let typed = from_root::typed(&args.declaration);
    let lookup = Lookup::new(Purpose::History, &session, &typed, args.rev.as_deref());
    let nothing = || args.json.is_wanted().then(empty_report);
    let Some(location) = declaration::locate(context, &session, commit, &typed)? else {
        return absence_at(context, &lookup, commit)?.tell(context, nothing());
    };
    let query = HistoryQuery::new(commit, location.path.clone(), location.place.clone())
        .with_limit(args.limit.get().unwrap_or(0))
        .with_patch(args.patch);
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let found = answer::history(session.indexer(), &query, task)?;
    drop(progress);
    let Some(mut found) = found else {
        return absence_in_file(context, &lookup, commit, &location, false)?.tell(context, nothing());
    };
    let note = location.note_of_container(&found.place.symbol, "this is the history");
    found.notes.splice(0..0, location.note_of_name(&typed).into_iter().chain(note));
    let namesakes = Namesakes::new(Some(&location), &found.others);
    for note in &found.notes {
        context.say(&format!("note: {note}"));
    }
    if args.json.is_wanted() {
        context.print_json(&report(&found, &namesakes))?;
    } else {
        let mut page = Page::open(session.repo(), &args.screen)?;
        page.write(&history_text(&found, "--limit", page.paint))?;
        page.close()?;
    }
    namesakes.tell(context, &found.place);
    Ok(Outcome::Found)
}

fn report(history: &History, namesakes: &Namesakes) -> Value {
    let commits: Vec<Value> = history.rows.iter().map(row).collect();
    json!({
        "declaration": place(&history.place), "others": namesakes.report(), "commits": commits,
        "more": history.more, "notes": history.notes,
    })
}

/// Returns the report if there is no such declaration.
fn empty_report() -> Value {
    json!({"declaration": null, "others": [], "commits": [], "more": 0, "notes": []})
}

fn row(row: &HistoryRow) -> Value {
    let changes: Vec<&str> = row.changes.iter().map(|change| change.name()).collect();
    let mut value = json!({
        "commit": row.commit.to_string(), "date": row.date, "author": row.author, "email": row.email,
        "subject": row.subject, "merge": row.merge, "changes": changes,
        "new": row.new.as_ref().map(place), "old": row.old.as_ref().map(place),
    });
    if let (Some(patch), Some(object)) = (&row.patch, value.as_object_mut()) {
        object.insert("patch".to_owned(), json!(patch));
    }
    value
}

/// Returns the place of a declaration for programs.
pub(super) fn place(at: &VersionPlace) -> Value {
    json!({
        "path": quoted(at.path.as_bstr()), "line": at.line, "start_line": at.span.start_line,
        "end_line": at.span.end_line, "symbol": at.symbol, "kind": at.kind,
    })
}
