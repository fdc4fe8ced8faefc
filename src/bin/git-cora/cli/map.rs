//! `git cora map`: prints an outline of the most important declarations, by file.
//!
//! Resolves paths and filters and prints the outline within a token budget; the library ranks the
//! declarations.

use bstr::{ByteSlice, ByteVec};
use serde_json::json;

use git_cora::Target;
use git_cora::answer::MapQuery;
use git_cora::answer::view::{Budget, OutlineView, outline, outline_as, outline_in_colour, outline_limit};
use git_cora::base::progress::Task;
use git_cora::base::text::quoted;

use crate::input::near;
use crate::terminal::Context;

use super::advice::pathspec;
use super::operand::from_root;
use super::output::Page;
use super::{Outcome, args, query};

/// Tokens that are enough for an outline with one declaration.
const LEAST_TOKENS: usize = 100;

pub(crate) fn run(context: &Context, args: &args::Map) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let target = match &args.revision.rev {
        Some(rev) => Target::Commit(session.repo().resolve(rev)?),
        None => Target::Worktree,
    };
    let text = if args.text.is_empty() { String::new() } else { query::text(&args.text)? };
    let progress = context.progress();
    let mut searcher = context.searcher_of(&session, &target)?;
    let index = searcher.index();
    let mut files = Vec::new();
    for file in &args.file {
        let path = Vec::from_os_string(file.clone())
            .map_err(|file| anyhow::anyhow!("'{}' is not UTF-8", file.to_string_lossy()))?;
        files.push(from_root::file(context, &session, path.into(), &from_root::in_index(&index))?);
    }
    let languages = args.filter.lang.iter().map(|name| query::language(name));
    let most = args.limit.get().unwrap_or(usize::MAX).min(outline_limit(args.tokens.get()));
    let map = MapQuery::new(most)
        .with_text(text)
        .with_files(files)
        .with_paths(from_root::pathspecs(context, &session, &args.filter.path)?)
        .with_languages(languages.collect::<anyhow::Result<_>>()?)
        .with_kinds(args.filter.kind.clone());
    for path in &map.files {
        if index.file_by_path(path.as_bstr()).is_none() {
            context.say(&format!("note: '{}' is not indexed", quoted(path.as_bstr())));
            let near = near::files(&quoted(path.as_bstr()), index.files().map(|file| file.path()));
            let near = from_root::as_typed(context, session.repo(), near);
            if let Some(question) = near::question(&near) {
                context.say(&format!("hint: {question}"));
            }
        }
    }
    let typed = from_root::all_typed(&args.filter.path);
    pathspec::complain_of_strays(context, &index, &typed, &map.paths);
    query::complain_of_languages(context, &index, &map.languages);
    let task = Task::new(progress.as_ref(), &context.cancel);
    let mut found = session.read_or_repair(&mut searcher, task, |one| session.map(one, &map, task))?;
    found.raise = if args.limit.get().is_some() { "--tokens or --limit" } else { "--tokens" };
    if found.is_missed {
        context.say("note: no result for the question; this is an outline of the whole repository");
    }
    let budget = Budget { tokens: Some(args.tokens.get()), characters: None };
    let drawn_as_json = |outlined: &OutlineView<'_>| {
        let mut drawn = json!({
            "query": map.text,
            "commit": searcher.commit().map(|commit| commit.to_string()),
            "worktree": searcher.is_worktree(),
            "dirty_files": searcher.n_dirty(),
            "missed": found.is_missed,
            "files": outlined.files,
            "cut": outlined.cut,
        });
        if let Some(introduction) = outlined.introduction {
            drawn["introduction"] = json!(introduction);
        }
        format!("{drawn}\n")
    };
    let (outlined, text) = match args.json.is_wanted() {
        true => outline_as(&found, &budget, &drawn_as_json),
        false => outline(&found, &budget),
    };
    let is_empty = outlined.files.is_empty();
    if args.json.is_wanted() {
        context.print(&text)?;
    } else if !is_empty {
        let mut page = Page::open(session.repo(), &args.screen)?;
        let text = if page.paint.is_on() { outline_in_colour(&outlined) } else { text };
        page.write(&text)?;
        page.close()?;
    }
    if !is_empty {
        return Ok(Outcome::Found);
    }
    if found.n_ranked == 0 {
        context.say("no declaration to show");
        return Ok(Outcome::Nothing);
    }
    let draw = |budget: &Budget| {
        let (outlined, text) = outline(&found, budget);
        if outlined.files.is_empty() { String::new() } else { text }
    };
    // With another budget, other declarations are ranked, and their lines may be longer.
    let least = budget.needed(draw).and_then(|needed| needed.tokens).unwrap_or(0).max(LEAST_TOKENS);
    context.complain_of_budget("one declaration", Some(Budget { tokens: Some(least), characters: None }));
    Ok(Outcome::Failed)
}
