//! The tool `map`: a query or a list of files → an outline of the repository.
//!
//! The outline is made for each chosen repository, with an equal share of the tokens. One whose
//! outline does not fit is counted as cut.

use std::fmt::Write as _;

use bstr::{BString, ByteSlice as _};
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use git_cora::answer::MapQuery;
use git_cora::answer::view::{self, Budget, outline, outline_limit, visible};
use git_cora::base::progress::{NoProgress, Task};
use git_cora::base::text::{named_path, quoted, visible_path};

use super::Call;
use super::reply::{self, CallError, Stop};
use super::repositories::{CallRepository, begun};
use super::schema;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A question: code that answers it comes first; default: what other code depends on most.
    query: Option<String>,
    /// Files you are working on: code that they use, or that uses them, comes first.
    #[serde(default, deserialize_with = "schema::list")]
    #[schemars(with = "Option<Vec<String>>")]
    files: Vec<String>,
    /// Branch, tag or commit; default: the working tree.
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

pub(super) fn tool() -> Tool {
    schema::tool::<Arguments>(
        "map",
        "Outline the repository: its most important declarations by file, with line numbers and signatures. Use it to \
         get to know the code, or to see which code a task involves.",
    )
}

pub(super) fn run(call: &Call<'_>, arguments: Value) -> Result<String, Stop> {
    let Arguments { query, files, rev, path, max_tokens } = reply::arguments(arguments)?;
    let mut of_files: Vec<(usize, BString)> = Vec::new();
    for file in &files {
        let (at, file) = call.file(file)?;
        of_files.push((at, named_path(&file)));
    }
    // If no path names a repository, the files decide which ones are meant.
    let names: Vec<String> = of_files.iter().map(|(at, _)| call.name(*at).to_owned()).collect();
    let is_by_files = call.is_several() && path.is_empty();
    let mut open = call.open(if is_by_files { &names } else { &path }, rev.as_deref())?;
    let strays = call.strays(&open, &path)?;
    let tokens = reply::tokens(max_tokens) / open.len().max(1);
    let whole = reply::budget(max_tokens, "");
    let (mut reply, mut n_cut) = (if call.is_several() { strays.clone() } else { String::new() }, 0);
    for CallRepository { at, kept, state, specs } in &mut open {
        let searcher = &mut state.searcher;
        let commit = searcher.commit().map(|id| id.abbreviated(12).to_string());
        let is_unborn = commit.is_none();
        let commit = match commit {
            None => "the working tree before the first commit".to_owned(),
            Some(commit) if searcher.is_worktree() => format!("the working tree at {commit}"),
            Some(commit) => format!("commit {commit}"),
        };
        let dirty = match searcher.n_dirty() {
            _ if is_unborn => String::new(),
            0 => String::new(),
            n => format!(" + {}", view::counted(n, "uncommitted file", "uncommitted files")),
        };
        let at = *at;
        let name = call.name(at);
        let whose = if name.is_empty() { String::new() } else { format!("{}, ", visible(name)) };
        let strays = if call.is_several() { "" } else { strays.as_str() };
        let notes = format!("{strays}{}outline of {whose}{commit}{dirty}\n", state.notes);
        let own: Vec<BString> =
            of_files.iter().filter(|(of, _)| *of == at).map(|(_, file)| file.clone()).collect();
        let index = searcher.index();
        if let Some(missing) = own.iter().find(|file| index.file_by_path(file.as_bstr()).is_none()) {
            return Err(CallError::with_hint(
                format!("'{}' is not indexed", visible_path(&begun(name, &quoted(missing.as_bstr())))),
                "use 'query' to find the file".to_owned(),
            )
            .beside(state.notes.clone())
            .into());
        }
        let map = MapQuery::new(outline_limit(tokens))
            .with_text(query.clone().unwrap_or_default())
            .with_files(own)
            .with_paths(specs.clone());
        let task = Task::new(&NoProgress, call.cancel);
        let mut found = kept.read(searcher, call.cancel, |one| kept.session.map(one, &map, task))?;
        found.items.iter_mut().for_each(|item| item.path = begun(name, &item.path));
        let missed = "no result for the query; this is an outline of the whole repository\n";
        let notes = if found.is_missed { notes + missed } else { notes };
        let draw = |budget: &Budget| {
            let (drawn, text) = outline(&found, budget);
            if drawn.files.is_empty() { String::new() } else { text }
        };
        let text = draw(&reply::rest(tokens, &notes));
        if !call.is_several() && text.is_empty() && found.n_ranked > 0 {
            let needed = Budget { tokens: Some(tokens), characters: None }.needed(draw);
            let least = needed.and_then(|needed| needed.tokens).unwrap_or(tokens) + view::tokens(&notes);
            return Err(reply::too_few(least).into());
        }
        let why = match found.n_ranked {
            _ if !text.is_empty() => "",
            0 => "no declaration to show",
            _ => "the budget is too small for one declaration",
        };
        if !call.is_several() {
            return if why.is_empty() { Ok(notes + &text) } else { Err(CallError::new(why).into()) };
        }
        let end = if why.is_empty() { "" } else { "\n" };
        let all = format!("{reply}{notes}{text}{why}{end}");
        if whole.holds(&all) { reply = all } else { n_cut += 1 }
    }
    if n_cut > 0 {
        let _ = writeln!(
            reply,
            "to fit max_tokens: {} left out; narrow the call with 'path'",
            view::counted(n_cut, "repository", "repositories")
        );
    }
    Ok(reply)
}
