//! `git cora explain`: writes a page about a file or a declaration.
//!
//! Decides whether the argument is a path or a symbol, and how links look; the library gathers and
//! formats the page.

use std::num::NonZeroUsize;

use git_cora::Session;
use git_cora::answer::ExplainQuery;
use git_cora::answer::view::{self, Budget, Forge, page};
use git_cora::base::progress::{NoProgress, Task};
use git_cora::base::text::quoted;
use git_cora::search::Searcher;

use crate::terminal::Context;

use super::advice::absent::{Lookup, Purpose, absence};
use super::operand::from_root;
use super::output::{self, Page};
use super::{Outcome, args};

pub(crate) fn run(context: &Context, args: &args::Explain) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let mut searcher = context.searcher(&session, args.revision.rev.as_deref())?;
    let place = place(context, &session, &searcher, &from_root::typed(&args.place))?;
    let forge = match session.repo().remote_url("origin").and_then(|url| Forge::of(&url)) {
        _ if !args.permalinks => None,
        Some(forge) => Some(forge),
        None => {
            context.complain("error: the web host of 'origin' is not known");
            context.complain("hint: leave out --permalinks for links relative to the root of the repository");
            return Ok(Outcome::Failed);
        }
    };
    let what = ExplainQuery::new(place);
    let what = match args.limit {
        Some(limit) => what.with_limit(limit.get()),
        None => what,
    };
    let task = Task::new(&NoProgress, &context.cancel);
    let explained = session.read_or_repair(&mut searcher, task, |one| session.explain(one, &what))?;
    let Some(found) = explained else {
        return nothing(context, &session, &searcher, args);
    };
    if args.json.is_wanted() {
        context.print_json(&serde_json::to_value(&found)?)?;
        return Ok(Outcome::Found);
    }
    let most = |n: Option<NonZeroUsize>| n.map(NonZeroUsize::get);
    let budget = Budget { characters: most(args.length), tokens: most(args.tokens) };
    let text = page(&found, forge.as_ref(), &budget);
    if text.is_empty() {
        let needed = budget.needed(|budget| page(&found, forge.as_ref(), budget));
        context.complain_of_budget("the heading", needed);
        return Ok(Outcome::Failed);
    }
    let mut out = Page::open(session.repo(), &args.screen)?;
    let text = output::markdown(out.paint, &text);
    out.write(&text)?;
    out.close()?;
    Ok(Outcome::Found)
}

/// Returns the typed place with its path from the root. If no such file is indexed, the place is a
/// symbol, or PATH:SYMBOL.
fn place(context: &Context, session: &Session, searcher: &Searcher, typed: &str) -> anyhow::Result<String> {
    let index = searcher.index();
    let is_indexed = from_root::in_index(&index);
    match from_root::existing(context, session, typed.into(), &is_indexed)? {
        Some(path) => Ok(quoted(path.as_ref()).into_owned()),
        None => from_root::symbol(context, session, typed, &is_indexed),
    }
}

/// Reports that nothing has this name.
fn nothing(
    context: &Context,
    session: &Session,
    searcher: &Searcher,
    args: &args::Explain,
) -> anyhow::Result<Outcome> {
    let (rev, typed) = (args.revision.rev.as_deref(), from_root::typed(&args.place));
    let lookup =
        Lookup { indexes: &[searcher.index()], ..Lookup::new(Purpose::Explanation, session, &typed, rev) };
    let mut empty = view::Page::default();
    empty.title = typed.to_string();
    empty.commit = searcher.commit().map(|commit| commit.to_string());
    empty.worktree = searcher.is_worktree();
    let report = if args.json.is_wanted() { Some(serde_json::to_value(&empty)?) } else { None };
    absence(context, &lookup)?.tell(context, report)
}
