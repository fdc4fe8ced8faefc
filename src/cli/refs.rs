//! `git cora refs` and `git cora related`: what the sources say of how declarations hang together.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use bstr::{BString, ByteSlice};
use serde_json::json;

use git_cora::segment::Index;
use git_cora::session::{Listed, Place, Related, Relation, RelationQuery, Relations, Searchable, relations};
use git_cora::view::{Searched, counted, visible};
use git_cora::{Session, Target};

use super::context::Context;
use super::{Outcome, args, near, several, show};

pub(crate) fn run(context: &Context, args: &args::Refs) -> anyhow::Result<Outcome> {
    if !args.repo.is_empty() {
        return run_several(context, args);
    }
    let session = context.session()?;
    let searchable = open(context, &session, &args.revision)?;
    let query = query(args, from_root(context, &session, &args.symbol));
    let found = session.relations(&searchable, &query)?;
    let index = searchable.index();
    if found.symbols.is_empty() {
        return Ok(nothing(context, args, &[index]));
    }
    if args.json.json {
        context.print_json(&json!({
            "symbol": args.symbol,
            "commit": searchable.commit().map(|commit| commit.to_string()),
            "worktree": searchable.is_worktree(),
            "dirty_files": searchable.n_dirty(),
            "symbols": found.symbols,
            "more": found.more,
        }))?;
        return Ok(Outcome::Found);
    }
    print(context, &found, &[])
}

/// Symbols of several repositories, followed from one to another.
fn run_several(context: &Context, args: &args::Refs) -> anyhow::Result<Outcome> {
    let repositories = several::repositories(context, &args.repo, false)?;
    let searchables: Vec<Searchable> =
        repositories.iter().map(|one| one.open(context)).collect::<anyhow::Result<_>>()?;
    let all: Vec<_> = repositories.iter().map(|one| &one.session).zip(&searchables).collect();
    let found = relations(&all, &query(args, args.symbol.clone()))?;
    if found.symbols.is_empty() {
        let indexes: Vec<Index<'_>> = searchables.iter().map(Searchable::index).collect();
        return Ok(nothing(context, args, &indexes));
    }
    let searched: Vec<Searched> =
        repositories.iter().zip(&searchables).map(|(one, searchable)| one.searched(searchable)).collect();
    let (Some(first), Some(others)) = (searched.first(), searched.get(1..)) else {
        anyhow::bail!("a repository is wanted");
    };
    if args.json.json {
        let others: Vec<serde_json::Value> = others
            .iter()
            .map(|one| {
                json!({
                    "origin": one.repository.origin,
                    "path": one.repository.path,
                    "revision": one.revision,
                    "commit": one.commit.map(|commit| commit.to_string()),
                    "worktree": one.worktree,
                })
            })
            .collect();
        context.print_json(&json!({
            "symbol": args.symbol,
            "commit": first.commit.map(|commit| commit.to_string()),
            "worktree": first.worktree,
            "dirty_files": first.n_dirty,
            "symbols": found.symbols,
            "more": found.more,
            "others": others,
        }))?;
        return Ok(Outcome::Found);
    }
    let places: Vec<&str> = match others {
        [] => Vec::new(),
        _ => searched.iter().map(|one| one.repository.path.as_str()).collect(),
    };
    print(context, &found, &places)
}

fn query(args: &args::Refs, symbol: String) -> RelationQuery {
    let chosen: BTreeSet<Relation> = [
        (args.callers, Relation::Callers),
        (args.callees, Relation::Callees),
        (args.implementers, Relation::Implementers),
    ]
    .into_iter()
    .filter_map(|(is_wanted, relation)| is_wanted.then_some(relation))
    .collect();
    let all = || BTreeSet::from([Relation::Callers, Relation::Callees, Relation::Implementers]);
    RelationQuery {
        symbol,
        relations: if chosen.is_empty() { all() } else { chosen },
        depth: args.depth.into(),
        limit: args.limit.get(),
        certain: args.certain,
    }
}

/// Says that nothing is called so, and what is called nearly so.
fn nothing(context: &Context, args: &args::Refs, indexes: &[Index<'_>]) -> Outcome {
    context.say(&format!("no declaration is called '{}'", args.symbol));
    let names: BTreeSet<&str> =
        indexes.iter().flat_map(|index| index.declarations()).map(|one| one.name()).collect();
    let wanted = args.symbol.rsplit([':', '.']).next().unwrap_or(&args.symbol);
    if let Some(question) = near::question(&near::names(wanted, names.into_iter())) {
        context.say(&format!("hint: {question}"));
    }
    Outcome::Nothing
}

/// `places` are those of the repositories, if there are several.
fn print(context: &Context, found: &Relations, places: &[&str]) -> anyhow::Result<Outcome> {
    let mut out = String::new();
    for (at, symbol) in found.symbols.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        let _ = writeln!(out, "{}", line(places, &symbol.place, symbol.place.line));
        list(&mut out, places, "called or named by", false, symbol.callers.as_ref());
        list(&mut out, places, "calls or names", true, symbol.callees.as_ref());
        list(&mut out, places, "inherited or implemented by", false, symbol.implementers.as_ref());
    }
    if found.more > 0 {
        let _ = writeln!(
            out,
            "\n{} of this name: say which, as TYPE.NAME or PATH:NAME",
            counted(found.more, "more declaration", "more declarations")
        );
    }
    context.print(&out)?;
    Ok(Outcome::Found)
}

pub(crate) fn related(context: &Context, args: &args::Related) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let searchable = open(context, &session, &args.revision)?;
    let (path, at) = match args.place.rsplit_once(':') {
        Some((path, line)) if line.parse::<u32>().is_ok() => (path, line.parse().unwrap_or(1)),
        _ => (args.place.as_str(), 1),
    };
    let path = show::from_root(&session, context, BString::from(path))?;
    let Some((place, neighbours)) = session.related(&searchable, path.as_bstr(), at, args.limit.get())?
    else {
        context.say(&format!("'{path}' is not indexed"));
        let index = searchable.index();
        let near = near::paths(&path.to_string(), index.files().map(|file| file.path()));
        if let Some(question) = near::question(&near) {
            context.say(&format!("hint: {question}"));
        }
        return Ok(Outcome::Nothing);
    };
    if args.json.json {
        context.print_json(&json!({
            "place": place,
            "commit": searchable.commit().map(|commit| commit.to_string()),
            "worktree": searchable.is_worktree(),
            "dirty_files": searchable.n_dirty(),
            "related": neighbours,
        }))?;
    } else {
        let mut out = format!("{}\n", line(&[], &place, place.line));
        for one in &neighbours {
            let test = if one.test { "  test" } else { "" };
            let _ = writeln!(out, "  {:<12} {}{test}", one.relation, line(&[], &one.place, one.place.line));
        }
        context.print(&out)?;
    }
    if neighbours.is_empty() {
        context.say("no reference leads anywhere from there");
        return Ok(Outcome::Nothing);
    }
    Ok(Outcome::Found)
}

pub(crate) fn open(
    context: &Context,
    session: &Session,
    revision: &args::Revision,
) -> anyhow::Result<Searchable> {
    let target = match &revision.rev {
        Some(rev) => Target::Commit(session.repo().resolve(rev)?),
        None => Target::Worktree,
    };
    let progress = context.progress();
    Ok(session.searchable(&target, progress.as_ref(), &context.cancel)?)
}

/// A symbol with its path, if it has one, as from the repository's root.
pub(crate) fn from_root(context: &Context, session: &Session, symbol: &str) -> String {
    let split = symbol.rsplit_once(':').filter(|(path, _)| !path.ends_with(':'));
    let moved = split.and_then(|(path, rest)| {
        let path = show::from_root(session, context, BString::from(path)).ok()?;
        Some(format!("{path}:{rest}"))
    });
    match moved {
        // `a::b` is a name; so is `A:b` where no folder lies between here and the root.
        Some(moved) => moved,
        None => symbol.to_owned(),
    }
}

fn line(places: &[&str], place: &Place, at: u32) -> String {
    let path = match places.get(place.repository) {
        Some(repository) => format!("{repository}/{}", place.path),
        None => place.path.clone(),
    };
    format!("{}:{at}: {} {}", visible(&path), place.kind, visible(&place.symbol)).trim_end().to_owned()
}

/// `here` if it is the place asked for that mentions them.
fn list(out: &mut String, places: &[&str], title: &str, here: bool, listed: Option<&Listed>) {
    let Some(listed) = listed.filter(|listed| !listed.items.is_empty()) else { return };
    let _ = writeln!(out, "  {title}");
    items(out, places, &listed.items, here, 2);
    if listed.more > 0 {
        let _ = writeln!(out, "    and {} more (-k)", listed.more);
    }
}

fn items(out: &mut String, places: &[&str], items: &[Related], here: bool, depth: usize) {
    for one in items {
        let doubt = if one.certain { "" } else { "?" };
        let test = if one.test { ", test" } else { "" };
        let indent = "  ".repeat(depth);
        // Who mentions it is told with the line where it does; what is mentioned, with its own.
        let (shown, at) =
            if here { (one.place.line, format!(" at {}", one.at)) } else { (one.at, String::new()) };
        let place = line(places, &one.place, shown);
        let _ = writeln!(out, "{indent}{place}  ({}{at}: {}{doubt}{test})", one.relation, one.how);
        self::items(out, places, &one.related, here, depth + 1);
    }
}
