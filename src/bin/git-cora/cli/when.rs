//! `git cora when`: finds when something was added, and when it was removed.
//!
//! Owns the choice between a declaration, a file and a text, and the output; the library searches.

use std::cell::RefCell;

use bstr::{BStr, ByteSlice};
use serde_json::{Value, json};

use git_cora::answer::{
    self, Appearance, AppearanceEvent, AppearanceQuery, DeclarationAppearance, FileAppearance, HistoryQuery,
    Needle, appearance_text, declaration_appearance_text, file_appearance_text, file_kind,
};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::Task;
use git_cora::base::text::{quoted, shell_word};
use git_cora::git::EntryMode;
use git_cora::{NoProgress, Session, Target};

use crate::command_error::CommandError;
use crate::terminal::Context;

use super::advice::absent::{Absence, Lookup, Purpose, absence_at, absence_in_file, rev_option};
use super::operand::declaration::{self, Location, Namesakes, last_name};
use super::operand::from_root;
use super::output::Page;
use super::{Outcome, args, log};

pub(crate) fn run(context: &Context, args: &args::WhenArgs) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let commit = context.commit(&session, args.rev.as_deref())?;
    let typed = args.text.join(" ");
    let Some(mut needle) = answer::needle(&typed) else {
        return Err(CommandError::new(
            format!("'{typed}' does not say what to look for"),
            format!(
                "run 'git cora when {}' to look for exactly this text",
                shell_word(&format!("\"{typed}\""))
            ),
        )
        .into());
    };
    let is_name = !needle.is_quoted && !args.text_only && args.path.is_empty() && args.paths.is_empty();
    let mut located = None;
    // A question mark may end a question, or a name.
    if let Some(marked) = answer::marked_name(&typed).filter(|_| is_name) {
        located = declaration::locate(context, &session, commit, &marked.text)?;
        if located.is_some() {
            needle = marked;
        }
    }
    if needle.text != typed && !needle.is_quoted {
        context.say(&format!("note: looking for '{}'", needle.text));
    }
    if let Some(of) = declaration_in_path(context, &session, commit, &needle, args)? {
        context.say(&format!(
            "note: searching for '{}' as text, because a path is given; run 'git cora when{} {}' to follow the declaration",
            needle.text,
            rev_option(args.rev.as_deref()),
            shell_word(&of)
        ));
    }
    let start = Start { session: &session, commit, needle: &needle };
    // An option of a command line is text, not the name of a declaration.
    let is_name = is_name && !needle.text.starts_with('-') && !needle.text.contains(char::is_whitespace);
    let is_path = needle.text.contains(['.', '/']);
    if is_name
        && is_path
        && let Some(outcome) = of_file(context, start, args)?
    {
        return Ok(outcome);
    }
    let location = match located {
        None if is_name => declaration::locate(context, &session, commit, &needle.text)?,
        located => located,
    };
    if let Some(location) = &location
        && let Some(outcome) = of_declaration(context, start, location, args)?
    {
        return Ok(outcome);
    }
    // A word without a dot more likely names a declaration than a file.
    if is_name
        && !is_path
        && let Some(outcome) = of_file(context, start, args)?
    {
        return Ok(outcome);
    }
    // Nothing of the commit has the name, so it may be the path of a file that is gone.
    if is_name
        && is_path
        && !needle.text.contains(':')
        && let Some(outcome) = of_gone_file(context, start, args)?
    {
        return Ok(outcome);
    }
    let outcome = of_text(context, start, args)?;
    if outcome == Outcome::Found {
        return Ok(outcome);
    }
    let absence = if is_name { absence(context, start, location.as_ref(), args)? } else { None };
    nothing(context, start, absence, args)
}

/// Returns the place of a declaration that is looked for as text, because its file is given as a
/// path: `PATH:NAME`.
fn declaration_in_path(
    context: &Context,
    session: &Session,
    commit: ObjectId,
    needle: &Needle,
    args: &args::WhenArgs,
) -> anyhow::Result<Option<String>> {
    let paths: Vec<_> = args.path.iter().chain(&args.paths).collect();
    let [path] = paths.as_slice() else { return Ok(None) };
    let is_word = !needle.is_quoted && !args.text_only && !needle.text.contains(char::is_whitespace);
    let Some(path) = path.to_str().filter(|_| is_word) else { return Ok(None) };
    let is_file = from_root::in_target(session.repo(), &Target::Commit(commit))?;
    if from_root::existing(context, session, path.into(), &is_file)?.is_none() {
        return Ok(None);
    }
    let of = format!("{path}:{}", needle.text);
    Ok(declaration::locate(context, session, commit, &of)?.map(|_| of))
}

/// A text to look for, and the commit at which the search starts.
#[derive(Clone, Copy)]
struct Start<'s> {
    session: &'s Session,
    commit: ObjectId,
    needle: &'s Needle,
}

/// Answers for a declaration; `None` if it has no history of its own.
fn of_declaration(
    context: &Context,
    Start { session, commit, needle }: Start<'_>,
    location: &Location,
    args: &args::WhenArgs,
) -> anyhow::Result<Option<Outcome>> {
    let query = HistoryQuery::new(commit, location.path.clone(), location.place.clone());
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let Some(history) = answer::history(session.indexer(), &query, task)? else { return Ok(None) };
    let found = answer::declaration_appearance(session.repo(), &history, task)?;
    drop(progress);
    // A field without a history of its own is found in a function that sets it.
    if !location.is_typed && last_name(&found.place.symbol) != last_name(&needle.text) {
        return Ok(None);
    }
    let namesakes = Namesakes::new(Some(location), &history.others);
    for note in &found.notes {
        context.say(&format!("note: {note}"));
    }
    if args.json.is_wanted() {
        context.print_json(&declaration_report(&found, &namesakes))?;
    } else {
        let mut page = Page::open(session.repo(), &args.screen)?;
        page.write(&declaration_appearance_text(&found, page.paint))?;
        page.close()?;
    }
    namesakes.tell(context, &history.place);
    if !args.json.is_wanted() {
        let name = if location.is_typed { last_name(&found.place.symbol) } else { &needle.text };
        let (rev, name) = (rev_option(args.rev.as_deref()), shell_word(name));
        context.say(&format!(
            "hint: run 'git cora when{rev} --text-only {name}' to search for the name as text"
        ));
    }
    Ok(Some(Outcome::Found))
}

/// Answers for a file of the commit; `None` if it has no such file.
fn of_file(context: &Context, start: Start<'_>, args: &args::WhenArgs) -> anyhow::Result<Option<Outcome>> {
    let Start { session, commit, needle } = start;
    let is_file = from_root::in_target(session.repo(), &Target::Commit(commit))?;
    let path = from_root::existing(context, session, needle.text.as_str().into(), &is_file)?;
    let Some(path) = path else { return Ok(None) };
    let task = Task::new(&NoProgress, &context.cancel);
    let found = answer::file_appearance(session.repo(), commit, path.as_bstr(), task)?;
    found.map(|found| file_outcome(context, start, path.as_bstr(), &found, args)).transpose()
}

/// Answers for a file that the commit has no more; `None` if its history never had it.
fn of_gone_file(
    context: &Context,
    start: Start<'_>,
    args: &args::WhenArgs,
) -> anyhow::Result<Option<Outcome>> {
    let Start { session, commit, needle } = start;
    let task = Task::new(&NoProgress, &context.cancel);
    let found = RefCell::new(None);
    let was_there = |path: &BStr| {
        let appearance = answer::file_appearance(session.repo(), commit, path, task)?;
        let is_gone = appearance.as_ref().is_some_and(|one| one.removed.is_some());
        found.replace(appearance);
        Ok(is_gone)
    };
    let path = from_root::existing(context, session, needle.text.as_str().into(), &was_there)?;
    let Some((path, found)) = path.zip(found.take()) else { return Ok(None) };
    file_outcome(context, start, path.as_bstr(), &found, args).map(Some)
}

/// Reports when a file was added and removed.
fn file_outcome(
    context: &Context,
    Start { session, commit, needle }: Start<'_>,
    path: &BStr,
    found: &FileAppearance,
    args: &args::WhenArgs,
) -> anyhow::Result<Outcome> {
    let typed = needle.text.as_str();
    let entry = session.repo().tree_entry(session.repo().commit(commit)?.tree, path)?;
    let kind = file_kind(entry.is_some_and(|entry| entry.mode == EntryMode::Submodule));
    if args.json.is_wanted() {
        context.print_json(&json!({
            "of": kind, "path": quoted(path), "added": event(&found.added),
            "removed": found.removed.as_ref().map(event), "notes": [],
        }))?;
    } else {
        let mut page = Page::open(session.repo(), &args.screen)?;
        page.write(&file_appearance_text(&quoted(path), kind, found, page.paint))?;
        page.close()?;
        let (rev, typed) = (rev_option(args.rev.as_deref()), shell_word(typed));
        context.say(&format!(
            "hint: run 'git cora when{rev} --text-only {typed}' to search for the path as text"
        ));
    }
    Ok(Outcome::Found)
}

/// Answers for a text. If no commit has it, the caller reports that.
fn of_text(
    context: &Context,
    Start { session, commit, needle }: Start<'_>,
    args: &args::WhenArgs,
) -> anyhow::Result<Outcome> {
    let repo = session.repo();
    if !repo.has_all_blobs() {
        return Err(CommandError::new(
            "this partial clone lacks the files of old commits",
            "name a declaration as PATH:NAME, or search in a full clone",
        )
        .into());
    }
    let paths = [args.path.as_slice(), &args.paths].concat();
    let paths = from_root::pathspecs(context, session, &paths)?;
    let query = AppearanceQuery::new(commit, needle.text.clone(), needle.is_word)
        .with_pathspecs(paths)
        .in_any_case(!needle.is_quoted);
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let found = answer::appearance(repo, &query, task)?;
    drop(progress);
    let Some(found) = found else { return Ok(Outcome::Nothing) };
    for note in &found.notes {
        context.say(&format!("note: {note}"));
    }
    if args.json.is_wanted() {
        context.print_json(&text_report(&found, needle))?;
    } else {
        let mut page = Page::open(session.repo(), &args.screen)?;
        page.write(&appearance_text(&found, needle, page.paint))?;
        page.close()?;
    }
    Ok(Outcome::Found)
}

/// Explains why there is no declaration with the name either; `None` if there is one.
fn absence(
    context: &Context,
    Start { session, commit, needle }: Start<'_>,
    location: Option<&Location>,
    args: &args::WhenArgs,
) -> anyhow::Result<Option<Absence>> {
    let lookup = Lookup::new(Purpose::Appearance, session, &needle.text, args.rev.as_deref());
    Ok(match location {
        None => Some(absence_at(context, &lookup, commit)?),
        Some(location) if location.is_typed => {
            Some(absence_in_file(context, &lookup, commit, location, false)?)
        }
        Some(_) => None,
    })
}

/// Reports that neither a declaration nor a text was found.
fn nothing(
    context: &Context,
    Start { session, needle, .. }: Start<'_>,
    absence: Option<Absence>,
    args: &args::WhenArgs,
) -> anyhow::Result<Outcome> {
    let is_shallow = !session.repo().shallow_boundary()?.is_empty();
    let notes = if is_shallow { &["this clone is shallow: older commits are unknown"][..] } else { &[] };
    for note in notes {
        context.say(&format!("note: {note}"));
    }
    let mut absence = absence.unwrap_or_else(|| Absence {
        message: format!("no commit in this history contains '{}'", needle.text),
        hint: None,
        similar: Vec::new(),
    });
    if absence.hint.is_none() && needle.is_word {
        let quoted = format!("\"{}\"", needle.text);
        let rev = rev_option(args.rev.as_deref());
        absence.hint =
            Some(format!("run 'git cora when{rev} {}' to find it inside words too", shell_word(&quoted)));
    }
    let report = json!({
        "of": "text", "text": needle.text, "word": needle.is_word, "files": [], "added": null,
        "removed": null, "left_code": null, "notes": notes,
    });
    absence.tell(context, args.json.is_wanted().then_some(report))
}

fn event(event: &AppearanceEvent) -> Value {
    let release =
        |one: &Option<answer::Release>| one.as_ref().map(|one| json!({"tag": one.tag, "date": one.date}));
    json!({
        "commit": event.commit.to_string(), "date": event.date, "author": event.author,
        "email": event.email, "subject": event.subject, "release": release(&event.release),
        "preview": release(&event.preview), "clone_ends": event.is_clone_end,
    })
}

fn text_report(found: &Appearance, needle: &Needle) -> Value {
    let files: Vec<_> = found.files.iter().map(|path| quoted(path.as_bstr()).into_owned()).collect();
    json!({
        "of": "text", "text": needle.text, "word": needle.is_word, "files": files,
        "added": found.added.as_ref().map(event), "removed": found.removed.as_ref().map(event),
        "left_code": found.left_code.as_ref().map(event), "notes": found.notes,
    })
}

fn declaration_report(found: &DeclarationAppearance, namesakes: &Namesakes) -> Value {
    json!({
        "of": "declaration", "declaration": log::place(&found.place),
        "others": namesakes.report(), "how": found.how.name(),
        "from": found.from.as_ref().map(log::place), "added": found.added.as_ref().map(event),
        "renamed": found.named.as_ref().map(event), "old_name": found.old_name,
        "removed": found.removed.as_ref().map(event), "to": found.to.as_ref().map(log::place),
        "notes": found.notes,
    })
}
