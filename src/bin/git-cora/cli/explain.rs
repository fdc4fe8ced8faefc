//! `git cora explain`: writes a page about a file or a declaration.
//!
//! Decides whether the argument is a path or a symbol, and how links look; the library gathers and
//! formats the page.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use bstr::{BString, ByteSlice};

use git_cora::answer::ExplainQuery;
use git_cora::answer::view::{Budget, Forge, page};
use git_cora::base::progress::{NoProgress, Task};
use git_cora::base::text::shell_word;
use git_cora::index::source::SkipReason;
use git_cora::search::Searcher;

use super::context::Context;
use super::output::Page;
use super::{Outcome, args, from_root, near, refs};

pub(crate) fn run(context: &Context, args: &args::Explain) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let mut searcher = refs::open(context, &session, &args.revision)?;
    // A path is relative to the current directory. If no such file is indexed, the argument is a
    // symbol, or PATH:SYMBOL.
    let path = from_root::path(context, &session, BString::from(args.place.as_str()));
    let place = match path {
        Ok(path) if searcher.index().file_by_path(path.as_bstr()).is_some() => path.to_string(),
        _ => from_root::symbol(context, &session, &args.place),
    };
    let forge = match session.repo().remote_url("origin").and_then(|url| Forge::of(&url)) {
        _ if !args.permalinks => None,
        Some(forge) => Some(forge),
        None => {
            context.complain("error: the web host of 'origin' is not known");
            context.complain("hint: leave out --permalinks for links relative to the root of the repository");
            return Ok(Outcome::Failed);
        }
    };
    for warning in &searcher.warnings {
        context.complain(&format!("warning: {warning}"));
    }
    let what = ExplainQuery::new(place).with_limit(args.limit.get());
    let task = Task::new(&NoProgress, &context.cancel);
    let explained = session.read_or_repair(&mut searcher, task, |one| session.explain(one, &what))?;
    let Some(found) = explained else {
        nothing(context, &searcher, &what.place);
        return Ok(Outcome::Nothing);
    };
    if args.json.is_wanted() {
        context.print_json(&serde_json::to_value(&found)?)?;
        return Ok(Outcome::Found);
    }
    let most = |n: Option<NonZeroUsize>| n.map(NonZeroUsize::get);
    let budget = Budget { characters: most(args.length), tokens: most(args.tokens) };
    let text = page(&found, forge.as_ref(), &budget);
    if text.is_empty() {
        context.complain("error: the budget is too small for the heading");
        context.say("hint: allow more with --tokens or --length");
        return Ok(Outcome::Failed);
    }
    let mut out = Page::open(session.repo(), &args.screen)?;
    let text = out.paint.markdown(&text);
    out.write(&text)?;
    out.close()?;
    Ok(Outcome::Found)
}

/// Reports that nothing has this name, and suggests similar names.
fn nothing(context: &Context, searcher: &Searcher, place: &str) {
    let index = searcher.index();
    let (path, symbol) = place.rsplit_once(':').unwrap_or((place, place));
    let in_file = index.file_by_path(path.into()).filter(|_| path != symbol);
    let is_directory = {
        let below = format!("{}/", place.trim_end_matches('/'));
        index.files().any(|file| file.path().starts_with(below.as_bytes()))
    };
    if is_directory {
        context.say(&format!("'{place}' is a directory; expected a file or a declaration"));
        context
            .say(&format!("hint: run 'git cora list --path {}' to see what it declares", shell_word(place)));
        return;
    }
    if let Some(skipped) = index.skipped().find(|file| file.path == place) {
        let reason = SkipReason::from_code(skipped.reason).map_or("skipped", SkipReason::as_str);
        context.say(&format!("'{place}' is not indexed: {reason}"));
        return;
    }
    context.say(&format!("no file or declaration named '{place}'"));
    let names: BTreeSet<&str> = match in_file {
        Some(file) => file.declarations().map(|one| one.name()).collect(),
        None => index.declarations().map(|one| one.name()).collect(),
    };
    let wanted = symbol.rsplit(['.', ':']).next().unwrap_or(symbol);
    let by_name = near::names(wanted, names.into_iter());
    let by_path = || {
        let near = near::paths(path, index.files().map(|file| file.path()));
        from_root::as_typed(context, searcher.repo(), near)
    };
    let is_path = path == symbol && path.contains('/');
    let found = match in_file {
        None if is_path || by_name.is_empty() => by_path(),
        _ => by_name,
    };
    if let Some(question) = near::question(&found) {
        context.say(&format!("hint: {question}"));
    }
}
