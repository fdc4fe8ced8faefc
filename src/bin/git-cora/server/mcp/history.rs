//! The tool `history`: a declaration or a text → the commits that changed it, when it was
//! added and removed, or who wrote it.
//!
//! A declaration is found in the index of the commit; the history itself needs no index.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use bstr::{BString, ByteSlice as _};
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use git_cora::answer::view::{Paint, counted, visible};
use git_cora::answer::{
    self, AppearanceQuery, HistoryPlace, HistoryQuery, Needle, RelationQuery, VersionPlace, appearance_text,
    authors_text, declaration_appearance_text, file_appearance_text, file_kind, history_text,
};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::{NoProgress, Task};
use git_cora::base::text::{named_path, quoted, visible_path};
use git_cora::git::{EntryMode, TreeEntry};
use git_cora::search::query::{Pathspec, admits};

use super::Call;
use super::reply::{self, CallError, Stop};
use super::repositories::{begun, begun_path};
use super::schema;
use crate::input::strays::{Sides, strays_of};
use crate::server::pool::OpenRepository;

/// Most commits of a list.
const MOST_COMMITS: usize = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A declaration: name, Type.name, path:name or path:line. For 'when', also "quoted" text.
    name: String,
    /// The commits that changed it (default), when it was added and removed, or who wrote it.
    what: Option<HistoryAspect>,
    /// Branch, tag or commit; default HEAD.
    rev: Option<String>,
    /// Only files that match these Git pathspecs.
    #[serde(default, deserialize_with = "schema::list")]
    #[schemars(with = "Option<Vec<String>>")]
    path: Vec<String>,
    /// Maximum tokens of the reply; default 2000.
    #[serde(default, deserialize_with = "schema::number")]
    #[schemars(with = "Option<usize>")]
    max_tokens: Option<usize>,
}

/// What is asked of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum HistoryAspect {
    #[default]
    Changes,
    When,
    Authors,
}

pub(super) fn tool() -> Tool {
    schema::tool::<Arguments>(
        "history",
        "Show the history of a function, type …, followed through renames and moves: commits, first release, authors.",
    )
}

/// A declaration of a commit.
struct Location {
    at: usize,
    kept: Arc<OpenRepository>,
    commit: ObjectId,
    path: BString,
    place: HistoryPlace,
    /// A note about other declarations of the name.
    note: String,
}

pub(super) fn run(call: &Call<'_>, arguments: Value) -> Result<String, Stop> {
    let Arguments { name, what, rev, path, max_tokens } = reply::arguments(arguments)?;
    let what = what.unwrap_or_default();
    let is_newest = rev.is_none();
    let rev = rev.as_deref().unwrap_or("HEAD");
    let Some(needle) = answer::needle(&name) else {
        return Err(CallError::new("the name is empty").into());
    };
    // An option of a command line is text, not the name of a declaration.
    let is_option = needle.text.starts_with('-');
    let is_name = !needle.is_quoted && !is_option && !needle.text.contains(char::is_whitespace);
    // A question mark may end a question, or a name.
    let marked = answer::marked_name(&name).map(|marked| locate(call, &marked.text, rev, &path));
    let found = match marked.transpose()?.flatten() {
        None if is_name => locate(call, &needle.text, rev, &path)?,
        found => found,
    };
    let known = match (&found, what) {
        (Some(found), HistoryAspect::Changes) => changes(call, found),
        (Some(found), HistoryAspect::When) => when(call, found),
        (Some(found), HistoryAspect::Authors) => authors(call, found),
        (None, HistoryAspect::When) => {
            let of_file = if is_name { of_file(call, &needle.text, rev)? } else { None };
            of_file.map_or_else(|| of_text(call, &needle, rev, &path), Ok)
        }
        (None, _) => Err(CallError::with_hint(
            format!("no declaration named '{}'", needle.text),
            "for a removed declaration, use path:name; for text, set 'what' to 'when'",
        )),
    };
    let text = match known {
        Ok(text) => text,
        Err(error) if is_newest && !needle.is_quoted => {
            return Err(uncommitted(call, &needle.text, &path)?.unwrap_or(error).into());
        }
        Err(error) => return Err(error.into()),
    };
    let (at, commit) = match &found {
        Some(found) => (found.at, found.commit),
        None => {
            let at = call.chosen(&path).first().map_or(0, |one| one.0);
            (at, call.kept(at)?.session.repo().resolve(rev)?)
        }
    };
    let state = state(call, at, commit, is_newest)?;
    let lines: Vec<&str> = text.lines().collect();
    let draw = |n: usize| {
        let mut out: String = lines.iter().take(n).flat_map(|line| [*line, "\n"]).collect();
        out.push_str(&state);
        if n < lines.len() {
            let n = counted(lines.len() - n, "line", "lines");
            let _ = write!(out, " · to fit max_tokens: {n} left out");
        }
        out.push('\n');
        out
    };
    Ok(draw(reply::budget(max_tokens, "").most(0, lines.len(), draw)))
}

/// Says which commit the history ends with, and whether changes of the working tree are missing in
/// it.
fn state(call: &Call<'_>, at: usize, commit: ObjectId, is_newest: bool) -> Result<String, CallError> {
    let kept = call.kept(at)?;
    let repo = kept.session.repo();
    let name = call.name(at);
    let whose = if name.is_empty() { String::new() } else { format!("{}, ", visible(name)) };
    let n = if is_newest && repo.work_dir().is_some() { repo.status()?.len() } else { 0 };
    let dirty = match n {
        0 => String::new(),
        n => format!(" · without the changes of {}", counted(n, "uncommitted file", "uncommitted files")),
    };
    Ok(format!("{whose}up to commit {}{dirty}", commit.abbreviated(12)))
}

/// Returns the error for a declaration that only the working tree has; `None` if it has none.
///
/// # Errors
/// If the working tree can't be searched.
fn uncommitted(call: &Call<'_>, name: &str, path: &[String]) -> Result<Option<CallError>, CallError> {
    let open = match call.open(path, None) {
        Ok(open) => open,
        Err(Stop::NotIndexed(_)) => return Ok(None),
        Err(Stop::Error(error)) => return Err(error),
    };
    let (_, name) = call.symbol(name);
    for one in &open {
        let query = RelationQuery::new(name.as_ref()).with_relations(BTreeSet::new()).with_limit(1);
        let found = answer::relations(&[&*one.state.searcher], &query)?;
        if let Some(first) = found.symbols.first() {
            let at = format!("{}:{}", begun(call.name(one.at), &first.place.path), first.place.line);
            return Ok(Some(CallError::with_hint(
                format!("'{name}' has no history yet: no commit has it, only the working tree ({at})"),
                "use 'diff' to list the uncommitted changes",
            )));
        }
    }
    Ok(None)
}

/// Finds a declaration.
///
/// # Errors
/// [`Stop::NotIndexed`] if nothing is indexed yet.
fn locate(call: &Call<'_>, name: &str, rev: &str, path: &[String]) -> Result<Option<Location>, Stop> {
    if let Some(found) = in_file(call, name, rev)? {
        let chosen = call.chosen(path);
        let specs = chosen.iter().find(|one| one.0 == found.at).map(|one| parsed(&one.1)).transpose()?;
        if specs.is_some_and(|specs| admits(&specs, found.path.as_bstr())) {
            return Ok(Some(found));
        }
    }
    let open = call.open(path, Some(rev))?;
    call.strays(&open, path)?;
    for one in &open {
        let query = RelationQuery::new(name).with_relations(BTreeSet::new()).with_limit(1);
        let found = answer::relations(&[&*one.state.searcher], &query)?;
        let specs = parsed(&one.specs)?;
        let is_admitted =
            |symbol: &answer::SymbolRelations| admits(&specs, named_path(&symbol.place.path).as_bstr());
        let mut symbols = found.symbols.into_iter().filter(is_admitted);
        let Some(first) = symbols.next() else { continue };
        let others: Vec<String> =
            symbols.map(|symbol| format!("{}:{}", symbol.place.path, symbol.place.line)).collect();
        let Some(commit) = one.state.searcher.commit() else { continue };
        return Ok(Some(Location {
            at: one.at,
            kept: Arc::clone(&one.kept),
            commit,
            path: named_path(&first.place.path),
            place: HistoryPlace::Line(first.place.line),
            note: note_of_others(&others),
        }));
    }
    Ok(None)
}

/// Reads pathspecs.
fn parsed(specs: &[String]) -> Result<Vec<Pathspec>, CallError> {
    let parse = |spec: &String| Pathspec::parse(spec).map_err(git_cora::SessionError::from);
    Ok(specs.iter().map(parse).collect::<Result<_, _>>()?)
}

/// Returns what a commit has at the path of a file, with both.
fn entry(
    call: &Call<'_>,
    at: usize,
    file: &str,
    rev: &str,
) -> Result<(ObjectId, BString, Option<TreeEntry>), CallError> {
    let kept = call.kept(at)?;
    let repo = kept.session.repo();
    let commit = repo.resolve(rev).map_err(|error| CallError::from(error).of(call.name(at)))?;
    let path = named_path(file);
    let entry = repo.tree_entry(repo.commit(commit)?.tree, path.as_bstr())?;
    Ok((commit, path, entry))
}

/// Reads `path:line` or `path:name`, where the commit or its history has the file.
fn in_file(call: &Call<'_>, name: &str, rev: &str) -> Result<Option<Location>, CallError> {
    for (colon, _) in name.match_indices(':') {
        let (Some(file), Some(rest)) = (name.get(..colon), name.get(colon + 1..)) else { continue };
        if file.is_empty() || rest.is_empty() || rest.starts_with(':') {
            continue;
        }
        let Ok((at, file)) = call.file(file) else { continue };
        let kept = call.kept(at)?;
        let repo = kept.session.repo();
        let (commit, path, entry) = entry(call, at, &file, rev)?;
        let is_file = entry.is_some_and(|one| matches!(one.mode, EntryMode::File | EntryMode::Executable));
        let looks_like_file = file.contains(['/', '.']);
        if !is_file
            && (!looks_like_file || repo.path_commits(commit, path.as_bstr(), call.cancel)?.is_empty())
        {
            continue;
        }
        let place = match rest.parse() {
            Ok(line) => HistoryPlace::Line(line),
            Err(_) => HistoryPlace::Name(rest.to_owned()),
        };
        return Ok(Some(Location { at, kept, commit, path, place, note: String::new() }));
    }
    Ok(None)
}

/// The history of a declaration.
fn history(call: &Call<'_>, of: &Location, limit: usize) -> Result<answer::History, CallError> {
    let query = HistoryQuery::new(of.commit, of.path.clone(), of.place.clone()).with_limit(limit);
    let task = Task::new(&NoProgress, call.cancel);
    let found = answer::history(of.kept.session.indexer(), &query, task)?;
    found.ok_or_else(|| CallError::new(format!("no such declaration in '{}'", of.path)))
}

fn changes(call: &Call<'_>, of: &Location) -> Result<String, CallError> {
    let mut found = history(call, of, MOST_COMMITS)?;
    let name = call.name(of.at);
    prefix(name, &mut found.place);
    for row in &mut found.rows {
        row.old.iter_mut().chain(&mut row.new).for_each(|place| prefix(name, place));
    }
    let place = &found.place;
    let path = quoted(place.path.as_bstr());
    let head =
        format!("{}:{}  {}  {}\n", visible_path(&path), place.line, visible(&place.symbol), place.kind);
    Ok(head
        + &notes(&found.notes)
        + &history_text(&found, "", Paint::new(false))
        + &note(call, of, &found.others))
}

fn when(call: &Call<'_>, of: &Location) -> Result<String, CallError> {
    let history = history(call, of, 0)?;
    let task = Task::new(&NoProgress, call.cancel);
    let mut found = answer::declaration_appearance(of.kept.session.repo(), &history, task)?;
    let name = call.name(of.at);
    prefix(name, &mut found.place);
    found.from.iter_mut().chain(&mut found.to).for_each(|place| prefix(name, place));
    Ok(notes(&found.notes)
        + &declaration_appearance_text(&found, Paint::new(false))
        + &note(call, of, &history.others))
}

fn authors(call: &Call<'_>, of: &Location) -> Result<String, CallError> {
    let task = Task::new(&NoProgress, call.cancel);
    let indexer = of.kept.session.indexer();
    let found = answer::authors(indexer, of.commit, &of.path, Some(&of.place), false, task)?;
    let Some(mut found) = found else {
        return Err(CallError::new(format!("no such declaration in '{}'", of.path)));
    };
    let name = call.name(of.at);
    found.path = begun_path(name, found.path.as_bstr());
    found.place.iter_mut().for_each(|place| prefix(name, place));
    Ok(notes(&found.notes) + &authors_text(&found, Paint::new(false)) + &note(call, of, &found.others))
}

/// Says when a file was added; `None` if the commit does not have it.
fn of_file(call: &Call<'_>, name: &str, rev: &str) -> Result<Option<String>, CallError> {
    let Ok((at, file)) = call.file(name) else { return Ok(None) };
    let kept = call.kept(at)?;
    let repo = kept.session.repo();
    let (commit, path, entry) = entry(call, at, &file, rev)?;
    let Some(entry) = entry.filter(|entry| entry.mode != EntryMode::Directory) else { return Ok(None) };
    let is_submodule = entry.mode == EntryMode::Submodule;
    let task = Task::new(&NoProgress, call.cancel);
    let found = answer::file_appearance(repo, commit, path.as_bstr(), task)?;
    let (path, kind) = (begun(call.name(at), &file), file_kind(is_submodule));
    Ok(found.map(|found| file_appearance_text(&path, kind, &found, Paint::new(false))))
}

/// When a text was added and removed, in the one repository that is chosen.
fn of_text(call: &Call<'_>, needle: &Needle, rev: &str, path: &[String]) -> Result<String, CallError> {
    let (at, specs) = match call.chosen(path).as_slice() {
        [(at, specs)] => (*at, specs.clone()),
        _ => {
            return Err(CallError::with_hint(
                "text can be searched for in only one repository",
                "set 'path' to the name of one repository",
            ));
        }
    };
    let kept = call.kept(at)?;
    let repo = kept.session.repo();
    if !repo.has_all_blobs() {
        return Err(CallError::new("this partial clone lacks the files of old commits"));
    }
    let commit = repo.resolve(rev).map_err(|error| CallError::from(error).of(call.name(at)))?;
    let sides = Sides { old: commit, new: Some(commit) };
    let stray = strays_of(&kept.session, sides, &specs)?.first().and_then(|at| specs.get(*at)).cloned();
    let query = AppearanceQuery::new(commit, needle.text.clone(), needle.is_word)
        .with_pathspecs(specs)
        .in_any_case(!needle.is_quoted);
    let found = answer::appearance(repo, &query, Task::new(&NoProgress, call.cancel))?;
    let Some(mut found) = found else {
        let shallow = if repo.shallow_boundary()?.is_empty() { "" } else { " (a shallow clone)" };
        let text = &needle.text;
        if let Some(stray) = stray {
            let stray = begun(call.name(at), &stray);
            return Err(CallError::with_hint(
                format!("no commit in this history{shallow} contains '{text}' in '{stray}'"),
                format!("no file matches '{stray}' now; leave 'path' out to search all of the repository"),
            ));
        }
        return Err(CallError::new(format!("no commit in this history{shallow} contains '{text}'")));
    };
    for path in &mut found.files {
        *path = begun_path(call.name(at), path.as_bstr());
    }
    Ok(notes(&found.notes) + &appearance_text(&found, needle, Paint::new(false)))
}

/// Adds the prefix of a repository's paths.
fn prefix(name: &str, place: &mut VersionPlace) {
    place.path = begun_path(name, place.path.as_bstr());
}

fn notes(notes: &[String]) -> String {
    notes.iter().map(|note| format!("note: {}\n", visible(note))).collect()
}

/// Returns a note about further declarations that the name means, with a line for each place.
fn note_of_others(places: &[String]) -> String {
    let note = match places.len() {
        0 => return String::new(),
        1 => "note: another declaration has this name; to choose it, write this instead:\n".to_owned(),
        n => format!(
            "note: {n} other declarations have this name; to choose one, write one of these instead:\n"
        ),
    };
    note + &places.iter().map(|place| format!("  {}\n", visible(place))).collect::<String>()
}

/// Returns the note of a location, with the further declarations in a file that was named.
fn note(call: &Call<'_>, of: &Location, in_file: &[VersionPlace]) -> String {
    let place =
        |one: &VersionPlace| format!("{}:{}", begun(call.name(of.at), &quoted(one.path.as_bstr())), one.line);
    of.note.clone() + &note_of_others(&in_file.iter().map(place).collect::<Vec<_>>())
}
