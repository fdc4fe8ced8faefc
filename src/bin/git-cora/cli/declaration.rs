//! A declaration as it is typed → its file and its place there.
//!
//! `PATH:LINE` and `PATH:NAME` need no index. A bare name is looked up in the index of the commit.

use std::collections::BTreeSet;

use bstr::{BString, ByteSlice};

use git_cora::answer::view::counted;
use git_cora::answer::{HistoryPlace, Place};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::Task;
use git_cora::base::text::shell_word;
use git_cora::git::EntryMode;
use git_cora::{RelationQuery, Session, Target};

use super::context::Context;
use super::from_root;

/// A declaration's file and its place there.
pub(crate) struct Location {
    pub(crate) path: BString,
    pub(crate) place: HistoryPlace,
    /// Other declarations of that name.
    pub(crate) others: Vec<Place>,
    /// Whether the file was typed, as in `PATH:LINE`.
    pub(crate) is_typed: bool,
}

/// Finds a declaration of a commit; `None` if nothing has that name.
pub(crate) fn locate(
    context: &Context,
    session: &Session,
    commit: ObjectId,
    typed: &str,
) -> anyhow::Result<Option<Location>> {
    if let Some(location) = in_file(context, session, commit, typed)? {
        return Ok(Some(location));
    }
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let mut searcher = session.searcher(&Target::Commit(commit), task)?;
    let query = RelationQuery::new(from_root::symbol(context, session, typed))
        .with_relations(BTreeSet::new())
        .with_limit(1);
    let found = session.read_or_repair(&mut searcher, task, |one| session.relations(one, &query))?;
    let mut places: Vec<Place> = found.symbols.into_iter().map(|symbol| symbol.place).collect();
    if places.is_empty() {
        return Ok(None);
    }
    let first = places.remove(0);
    let (path, place) = (BString::from(first.path), HistoryPlace::Line(first.line));
    Ok(Some(Location { path, place, others: places, is_typed: false }))
}

/// Reads `PATH:LINE` or `PATH:NAME`, where the commit or its history has the file.
fn in_file(
    context: &Context,
    session: &Session,
    commit: ObjectId,
    typed: &str,
) -> anyhow::Result<Option<Location>> {
    let repo = session.repo();
    let tree = repo.commit(commit)?.tree;
    for (at, _) in typed.match_indices(':') {
        let (Some(file), Some(rest)) = (typed.get(..at), typed.get(at + 1..)) else { continue };
        if file.is_empty() || rest.is_empty() || rest.starts_with(':') {
            continue;
        }
        let path = match from_root::path(context, session, file.into()) {
            Ok(path) => path,
            Err(error) if file.starts_with(['/', '.']) => return Err(error),
            Err(_) => continue,
        };
        let entry = repo.tree_entry(tree, path.as_bstr())?;
        let is_file =
            entry.is_some_and(|entry| matches!(entry.mode, EntryMode::File | EntryMode::Executable));
        let looks_like_file = file.contains(['/', '.']);
        if !is_file
            && (!looks_like_file || repo.path_commits(commit, path.as_bstr(), &context.cancel)?.is_empty())
        {
            continue;
        }
        let place = match rest.parse() {
            Ok(line) => HistoryPlace::Line(line),
            Err(_) => HistoryPlace::Name(rest.to_owned()),
        };
        return Ok(Some(Location { path, place, others: Vec::new(), is_typed: true }));
    }
    Ok(None)
}

/// Says that a file has no such declaration.
pub(crate) fn tell_of_absence(context: &Context, location: &Location) {
    let path = &location.path;
    match &location.place {
        HistoryPlace::Line(line) => context.say(&format!("no declaration at line {line} of '{path}'")),
        HistoryPlace::Name(name) => {
            context.say(&format!("no declaration named '{name}' in the history of '{path}'"));
        }
        _ => context.say(&format!("no such declaration in '{path}'")),
    }
    // From the root, wherever the command was typed.
    let path = format!(":/{path}");
    context.say(&format!("hint: run 'git cora list --path {}' for its declarations", shell_word(&path)));
}

/// Says which other declarations have the name.
pub(crate) fn tell_of_others(context: &Context, location: &Location) {
    if location.others.is_empty() {
        return;
    }
    let more = location.others.len();
    let named: Vec<String> =
        location.others.iter().take(3).map(|one| format!("{}:{}", one.path, one.line)).collect();
    let rest = if more > named.len() { ", …" } else { "" };
    let have = counted(more, "more declaration has", "more declarations have");
    context.say(&format!("note: {have} this name: {}{rest}", named.join(", ")));
}
