//! `git cora refs` and `git cora related`: show how declarations refer to each other.
//!
//! Resolves the symbol or place on the command line and prints the result. The library resolves
//! references, within one repository or across several.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;

use anyhow::Context as _;
use bstr::{BStr, ByteSlice};
use serde_json::{Value, json};

use git_cora::Session;
use git_cora::answer::relations;
use git_cora::answer::view::theme::{FAINT, STATUS, SYMBOL};
use git_cora::answer::view::{OtherRepository, Paint, SearchedRepository, counted, visible};
use git_cora::answer::{
    MentioningFiles, Neighbour, Neighbours, Place, RelatedPlace, RelatedPlaces, Relation, RelationQuery,
    Relations, SymbolRelations, unknown_qualifier, unresolved_files,
};
use git_cora::base::progress::{NoProgress, Task};
use git_cora::base::text::{named_path, quoted, shell_word, visible_path};
use git_cora::git::Repository;
use git_cora::index::chunk::Language;
use git_cora::search::Searcher;
use git_cora::search::segment::Index;

use crate::terminal::Context;

use super::advice::absent::{Absence, Lookup, Purpose, absence};
use super::args::RefsFormat;
use super::operand::declaration::{self, last_name};
use super::operand::{from_root, repository};
use super::output::Page;
use super::{Outcome, args};

pub(crate) fn run(context: &Context, args: &args::Refs) -> anyhow::Result<Outcome> {
    if is_lines(args) && args.callees && (args.callers || args.implementers) {
        context.complain("error: --format paths and files can't show which lines are callees");
        context.complain("hint: leave out --callees, or use it without --callers and --implementers");
        return Ok(Outcome::Failed);
    }
    if !args.repo.is_empty() {
        let all = OpenRepositories::open(context, &args.repo)?;
        let found = relations(&all.all(), &query(args, from_root::typed(&args.symbol).into_owned()))?;
        return show_relations(context, &all.scope()?, args, &found);
    }
    let session = context.session()?;
    let mut searcher = context.searcher(&session, args.revision.rev.as_deref())?;
    let symbol = from_root::typed(&args.symbol);
    let symbol = from_root::symbol(context, &session, &symbol, &from_root::in_index(&searcher.index()))?;
    let query = query(args, symbol);
    let task = Task::new(&NoProgress, &context.cancel);
    let found = session.read_or_repair(&mut searcher, task, |one| session.relations(one, &query))?;
    show_relations(context, &Scope::of(&session, &searcher), args, &found)
}

/// The repositories that were read.
struct Scope<'s> {
    /// The repository of the current directory; `None` if several were named.
    session: Option<&'s Session>,
    /// The repository whose settings count.
    repo: &'s Repository,
    /// The repositories, the current one first.
    searched: Vec<SearchedRepository>,
    /// Their indexes, in the same order.
    indexes: Vec<Index<'s>>,
}

impl<'s> Scope<'s> {
    /// Returns the scope of a command in one repository.
    fn of(session: &'s Session, searcher: &'s Searcher) -> Self {
        Self {
            session: Some(session),
            repo: session.repo(),
            searched: vec![session.searched(searcher, "")],
            indexes: vec![searcher.index()],
        }
    }
}

/// Prints relations.
fn show_relations(
    context: &Context,
    scope: &Scope<'_>,
    args: &args::Refs,
    found: &Relations,
) -> anyhow::Result<Outcome> {
    let format = if args.json { RefsFormat::Json } else { args.format.unwrap_or(RefsFormat::Text) };
    let typed = from_root::typed(&args.symbol);
    let report = || {
        let mut report = head(&scope.searched);
        report.insert("symbol".to_owned(), json!(typed));
        report.insert("symbols".to_owned(), json!(found.symbols));
        report.insert("more".to_owned(), json!(found.more));
        Value::Object(report)
    };
    if found.symbols.is_empty() {
        let lookup = Lookup {
            purpose: Purpose::References,
            typed: &typed,
            rev: args.revision.rev.as_deref(),
            session: scope.session,
            indexes: &scope.indexes,
        };
        return absence(context, &lookup)?.tell(context, (format == RefsFormat::Json).then(report));
    }
    let places = places(&scope.searched);
    if let Some(note) = note_of_spelling(&typed, found) {
        context.say(&note);
    } else if let Some(unknown) = unknown_qualifier(&scope.indexes, &typed)?
        && let Some(first) = found.symbols.first()
    {
        let shown = visible(&first.place.symbol);
        context.say(&format!("note: no source has the name '{unknown}'; showing '{shown}'"));
    }
    match format {
        RefsFormat::Text => print(Page::open(scope.repo, &args.screen)?, found, &places),
        RefsFormat::Paths | RefsFormat::Files => {
            let paths = PathLines { is_files: format == RefsFormat::Files, limit: args.limit.get() };
            print_paths(context, found, &places, paths)
        }
        RefsFormat::Json => {
            context.print_json(&report())?;
            Ok(Outcome::Found)
        }
    }
}

/// Says that the declarations that were found are spelled in another way than the symbol.
fn note_of_spelling(symbol: &str, found: &Relations) -> Option<String> {
    let name = last_name(symbol);
    let is_line = name.parse::<u32>().is_ok();
    let folds_case = |place: &Place| Language::detect(place.path.as_bytes(), b"").folds_case();
    let is_exact = |place: &Place| {
        place.symbol.contains(name) || folds_case(place) && place.symbol.contains(&name.to_ascii_lowercase())
    };
    let first = found.symbols.first()?;
    let is_other = !is_line && !found.symbols.iter().any(|one| is_exact(&one.place));
    is_other.then(|| {
        format!("note: no declaration is named '{name}'; showing '{}'", visible(&first.place.symbol))
    })
}

/// Returns whether the output is one line for each place or file, whatever list it is from.
fn is_lines(args: &args::Refs) -> bool {
    !args.json && matches!(args.format, Some(RefsFormat::Paths | RefsFormat::Files))
}

fn query(args: &args::Refs, symbol: String) -> RelationQuery {
    let mut chosen: BTreeSet<Relation> = [
        (args.callers, Relation::Callers),
        (args.callees, Relation::Callees),
        (args.implementers, Relation::Implementers),
    ]
    .into_iter()
    .filter_map(|(is_wanted, relation)| is_wanted.then_some(relation))
    .collect();
    if chosen.is_empty() && is_lines(args) {
        // Both refer to the declaration. A line does not say in which direction a reference goes.
        chosen = BTreeSet::from([Relation::Callers, Relation::Implementers]);
    }
    // Lines are counted when equal ones have become one. At a depth, all places may be too many.
    let limit = match args.depth {
        _ if !is_lines(args) => args.limit.get(),
        1 => usize::MAX,
        _ => args.limit.get().max(DEEP_PLACES),
    };
    let query =
        RelationQuery::new(symbol).with_depth(args.depth.into()).with_limit(limit).with_certain(args.certain);
    let query = query.with_overriders(args.implementers);
    if chosen.is_empty() { query } else { query.with_relations(chosen) }
}

/// Prints relations as text. `places` are the paths of the repositories if there are several, else
/// empty.
fn print(mut page: Page, found: &Relations, places: &[&str]) -> anyhow::Result<Outcome> {
    let paint = page.paint;
    let mut out = String::new();
    for (at, (symbol, others)) in grouped(&found.symbols).into_iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        for one in [symbol].into_iter().chain(others) {
            let _ = writeln!(out, "{}", line(paint, places, &one.place, one.place.line));
        }
        for (title, here, listed) in [
            ("called or referred to by", false, &symbol.callers),
            ("calls or refers to", true, &symbol.callees),
            (heirs_title(&symbol.place), false, &symbol.implementers),
        ] {
            list(&mut out, paint, places, RelationHeading { title, here }, listed.as_ref());
        }
        let lists = [&symbol.callers, &symbol.callees, &symbol.implementers];
        if lists.into_iter().flatten().all(|listed| listed.items.is_empty()) {
            // A Go type does not declare which interfaces it implements.
            let is_silent = symbol.implementers.is_some() && symbol.place.path.ends_with(".go");
            let why = if is_silent { ": Go types do not declare their interfaces" } else { "" };
            let _ = writeln!(out, "  none found{why}");
        }
    }
    // Declarations of one name share a list.
    let mentioned = found.symbols.iter().filter_map(|symbol| symbol.mentioned.as_ref());
    for mentioned in mentioned.filter(|one| !one.files.is_empty()) {
        if found.symbols.len() > 1 {
            out.push('\n');
        }
        add_mentioned(&mut out, Some(mentioned));
    }
    if found.more > 0 {
        let _ = writeln!(out, "\n{}", more_declarations(found.more));
    }
    page.write(&out)?;
    page.close()?;
    Ok(Outcome::Found)
}

/// Returns the title of the list of implementers.
fn heirs_title(place: &Place) -> &'static str {
    if place.kind == "method" { "overridden or implemented by" } else { "inherited or implemented by" }
}

/// Returns each declaration with later ones that have the same lists, so that these are printed
/// once: a function and its prototype, or its versions. Only the definition may have callees. Of
/// declarations without references, nothing says that they are one.
fn grouped(symbols: &[SymbolRelations]) -> Vec<(&SymbolRelations, Vec<&SymbolRelations>)> {
    let is_same = |one: &SymbolRelations, first: &SymbolRelations| {
        let is_empty = |list: &RelatedPlaces| list.items.is_empty();
        let has_callees = !one.callees.as_ref().is_none_or(is_empty);
        let is_same = (&one.callers, &one.implementers) == (&first.callers, &first.implementers);
        let may_be_one = one.callees == first.callees || !has_callees && one.callers.is_some();
        is_same && may_be_one && !one.callers.as_ref().is_some_and(is_empty)
    };
    let mut groups: Vec<(&SymbolRelations, Vec<&SymbolRelations>)> = Vec::new();
    for symbol in symbols {
        match groups.iter_mut().find(|(first, _)| is_same(symbol, first)) {
            Some((_, others)) => others.push(symbol),
            None => groups.push((symbol, Vec::new())),
        }
    }
    groups
}

fn more_declarations(n: usize) -> String {
    let more = counted(n, "more declaration has", "more declarations have");
    format!("{more} this name; to choose one, write TYPE.NAME, PATH:NAME or PATH:LINE")
}

/// Most places in each list at each depth, for lines of paths.
const DEEP_PLACES: usize = 200;

/// How places are written as lines.
#[derive(Clone, Copy)]
struct PathLines {
    /// Whether a line is a file and not a place.
    is_files: bool,
    /// Most lines.
    limit: usize,
}

/// Prints each place of the lists, or each file, once. As in the text, a referrer has the line of
/// the reference, and a referenced declaration its own line. Returns [`Outcome::Nothing`] if the
/// lists are empty.
fn print_paths(
    context: &Context,
    found: &Relations,
    places: &[&str],
    PathLines { is_files, limit }: PathLines,
) -> anyhow::Result<Outcome> {
    let (mut out, mut seen) = (String::new(), HashSet::new());
    let mut add = |one: &RelatedPlace, is_here: bool| {
        let path = full_path(places, &one.place);
        let path = visible_path(&path);
        let line = if is_here { one.place.line } else { one.at };
        let place = if is_files { path.into_owned() } else { format!("{path}:{line}") };
        if seen.insert(place.clone()) && seen.len() <= limit {
            let symbol = if is_files { String::new() } else { format!(": {}", visible(&one.place.symbol)) };
            let _ = writeln!(out, "{place}{symbol}");
        }
    };
    for symbol in &found.symbols {
        let lists = [(&symbol.callers, false), (&symbol.callees, true), (&symbol.implementers, false)];
        for (list, is_here) in lists {
            for one in list.iter().flat_map(|list| &list.items) {
                each(one, &mut |one| add(one, is_here));
            }
        }
    }
    context.print(&out)?;
    if seen.len() > limit {
        context.say(&format!("and {} more; raise --limit", seen.len() - limit));
    }
    if found.more > 0 {
        context.say(&more_declarations(found.more));
    }
    Ok(if out.is_empty() { Outcome::Nothing } else { Outcome::Found })
}

/// Visits a place and the places that it leads to.
fn each(one: &RelatedPlace, visit: &mut dyn FnMut(&RelatedPlace)) {
    visit(one);
    for one in &one.related {
        each(one, visit);
    }
}

pub(crate) fn related(context: &Context, args: &args::RelatedArgs) -> anyhow::Result<Outcome> {
    let place = from_root::typed(&args.place);
    let (path, at) = match place.rsplit_once(':') {
        Some((path, line)) if line.parse::<u32>().is_ok() => (path, line.parse().unwrap_or(1)),
        _ => (&*place, 1),
    };
    let limit = args.limit.get();
    if !args.repo.is_empty() {
        let all = OpenRepositories::open(context, &args.repo)?;
        let (mut file, mut at) = (named_path(path), at);
        let has = |one: &Searcher| one.index().file_by_path(file.as_bstr()).is_some();
        let mut home = all.searchers.iter().position(has);
        if home.is_none() {
            let query = RelationQuery::new(&*place).with_relations(BTreeSet::new()).with_limit(1);
            let named = relations(&all.all(), &query)?.symbols.into_iter().map(|one| one.place);
            match named.collect::<Vec<Place>>().as_slice() {
                [] => {}
                [one] => (home, file, at) = (Some(one.repository), named_path(&one.path), one.line),
                several => return tell_of_several(context, &all.scope()?, args, several),
            }
        }
        if let Some(home) = home.and_then(|home| all.searchers.get(home)) {
            complain_of_line(&home.index(), file.as_bstr(), at)?;
        }
        let found = home.map(|home| git_cora::answer::related(&all.all(), home, file.as_bstr(), at, limit));
        let found = found.transpose()?.flatten();
        return show_related(context, &all.scope()?, args, path, found);
    }
    let session = context.session()?;
    let mut searcher = context.searcher(&session, args.revision.rev.as_deref())?;
    let typed = from_root::existing(context, &session, path.into(), &from_root::in_index(&searcher.index()))?;
    let (file, at) = match typed {
        Some(file) => (file, at),
        // A name stands for the place of its declaration, if there is only one.
        None => match declaration::places(context, &session, &mut searcher, &place)?.as_slice() {
            [] => {
                let index = searcher.index();
                let has = from_root::in_index(&index);
                (from_root::file(context, &session, path.into(), &has)?, at)
            }
            [one] => (named_path(&one.path), one.line),
            several => return tell_of_several(context, &Scope::of(&session, &searcher), args, several),
        },
    };
    complain_of_line(&searcher.index(), file.as_bstr(), at)?;
    let task = Task::new(&NoProgress, &context.cancel);
    let found = session.read_or_repair(&mut searcher, task, |one| {
        Ok(git_cora::answer::related(&[one], 0, file.as_bstr(), at, limit)?)
    })?;
    show_related(context, &Scope::of(&session, &searcher), args, path, found)
}

/// Most places that are named if several declarations have a name.
const MOST_PLACES: usize = 5;

/// Says that several declarations have the name in place of a place, and where they are.
fn tell_of_several(
    context: &Context,
    scope: &Scope<'_>,
    args: &args::RelatedArgs,
    several: &[Place],
) -> anyhow::Result<Outcome> {
    let typed = from_root::typed(&args.place);
    let similar: Vec<String> = several.iter().map(|one| format!("{}:{}", one.path, one.line)).collect();
    let shown: Vec<Cow<'_, str>> = similar.iter().take(MOST_PLACES).map(|place| shell_word(place)).collect();
    let rest = if several.len() > shown.len() { ", …" } else { "" };
    let message = format!("{} declarations are named '{typed}'; expected one PATH:LINE", several.len());
    let hint = format!("to choose one, write one of these instead: {}{rest}", shown.join(", "));
    let report = args.json.is_wanted().then(|| related_report(scope, None, &[], [0, 0]));
    Absence { message, hint: Some(hint), similar }.tell(context, report)
}

/// Returns the JSON report of `related`, with the numbers of further places: direct and indirect.
fn related_report(
    scope: &Scope<'_>,
    place: Option<&Place>,
    items: &[Neighbour],
    [more, more_indirect]: [usize; 2],
) -> Value {
    let mut report = head(&scope.searched);
    report.insert("place".to_owned(), json!(place));
    report.insert("related".to_owned(), json!(items));
    report.insert("more".to_owned(), json!(more));
    report.insert("more_indirect".to_owned(), json!(more_indirect));
    Value::Object(report)
}

/// Refuses a line that the file does not have.
fn complain_of_line(index: &Index<'_>, path: &BStr, line: u32) -> anyhow::Result<()> {
    let n_lines = index.file_by_path(path).map_or(line, |file| file.row.n_lines);
    let path = quoted(path);
    anyhow::ensure!(line <= n_lines.max(1), "'{path}' has {}", counted(n_lines as usize, "line", "lines"));
    anyhow::ensure!(line > 0, "'{path}' has no line 0; lines are counted from 1");
    Ok(())
}

/// Prints a place with its related places; `None` if no file has the typed path.
fn show_related(
    context: &Context,
    scope: &Scope<'_>,
    args: &args::RelatedArgs,
    path: &str,
    found: Option<Neighbours>,
) -> anyhow::Result<Outcome> {
    let found = found.map(Neighbours::by_relation);
    let Some(Neighbours { place, items, more, more_indirect, mentioned, .. }) = found else {
        let lookup = Lookup {
            purpose: Purpose::Neighbours,
            typed: path,
            rev: args.revision.rev.as_deref(),
            session: scope.session,
            indexes: &scope.indexes,
        };
        let report = args.json.is_wanted().then(|| related_report(scope, None, &[], [0, 0]));
        return absence(context, &lookup)?.tell(context, report);
    };
    if args.json.is_wanted() {
        let mut report = related_report(scope, Some(&place), &items, [more, more_indirect]);
        if let (Some(report), Some(mentioned)) = (report.as_object_mut(), &mentioned) {
            report.insert("mentioned".to_owned(), json!(mentioned));
        }
        context.print_json(&report)?;
    } else {
        let mut page = Page::open(scope.repo, &args.screen)?;
        let (paint, places) = (page.paint, places(&scope.searched));
        let mut out = format!("{}\n", line(paint, &places, &place, place.line));
        for one in &items {
            let test = if one.test { "  test" } else { "" };
            let relation = paint.text(&format!("{:<14}", one.relation), FAINT);
            let place = line(paint, &places, &one.place, one.place.line);
            let _ = writeln!(out, "  {relation} {place}{}", paint.text(test, STATUS));
        }
        add_mentioned(&mut out, mentioned.as_ref());
        page.write(&out)?;
        page.close()?;
    }
    match (more, more_indirect) {
        (_, 0) => context.tell_of_more(more, "--limit"),
        (0, n) => {
            let n = counted(n, "more place that is", "more places that are");
            context.say(&format!("note: {n} reached indirectly; raise --limit"));
        }
        (n, _) => {
            let n = counted(n, "more place", "more places");
            let indirect = counted(more_indirect, "that is", "that are");
            context.say(&format!("note: {n}, and {indirect} reached indirectly; raise --limit"));
        }
    }
    if items.is_empty() {
        context.say("no references to or from this place");
        return Ok(Outcome::Nothing);
    }
    Ok(Outcome::Found)
}

/// Adds the lines that contain a name where no reference could be resolved.
fn add_mentioned(out: &mut String, mentioned: Option<&MentioningFiles>) {
    let Some(mentioned) = mentioned.filter(|one| !one.files.is_empty()) else { return };
    let _ = writeln!(out, "  {}:", unresolved_files(mentioned.n_files()));
    for one in &mentioned.lines {
        let around = match one.symbol.as_str() {
            "" => String::new(),
            symbol => format!(": in {} {}", one.kind, visible(symbol)),
        };
        let _ = writeln!(out, "    {}:{}{around}", visible_path(&one.path), one.line);
    }
    if mentioned.more_lines > 0 {
        let lines = counted(mentioned.more_lines, "more line", "more lines");
        let _ = writeln!(out, "    and {lines}; raise --limit");
    }
}

/// Several repositories with their searchers.
struct OpenRepositories {
    repositories: Vec<repository::Repository>,
    searchers: Vec<Searcher>,
}

impl OpenRepositories {
    fn open(context: &Context, named: &[String]) -> anyhow::Result<Self> {
        let repositories = repository::repositories(context, named, false)?;
        let searchers: Vec<Searcher> =
            repositories.iter().map(|one| one.open(context)).collect::<anyhow::Result<_>>()?;
        searchers.iter().for_each(|searcher| context.warn(&searcher.warnings));
        Ok(Self { repositories, searchers })
    }

    fn all(&self) -> Vec<&Searcher> {
        self.searchers.iter().collect()
    }

    /// Returns what is searched. The settings of the first repository count.
    fn scope(&self) -> anyhow::Result<Scope<'_>> {
        let both = self.repositories.iter().zip(&self.searchers);
        Ok(Scope {
            session: None,
            repo: self.repositories.first().context("expected a repository")?.session.repo(),
            searched: both.map(|(one, searcher)| one.searched(searcher)).collect(),
            indexes: self.searchers.iter().map(Searcher::index).collect(),
        })
    }
}

/// Returns the common head of the JSON reports: the state of the first repository, and the others.
fn head(searched: &[SearchedRepository]) -> serde_json::Map<String, Value> {
    let mut head = serde_json::Map::new();
    let commit = |one: &SearchedRepository| one.commit.map(|commit| commit.to_string());
    if let Some(first) = searched.first() {
        head.insert("commit".to_owned(), json!(commit(first)));
        head.insert("worktree".to_owned(), json!(first.worktree));
        head.insert("dirty_files".to_owned(), json!(first.n_dirty));
    }
    if let Some(others @ [_, ..]) = searched.get(1..) {
        head.insert(
            "others".to_owned(),
            others.iter().map(|one| json!(OtherRepository::from(one))).collect(),
        );
    }
    head
}

/// Returns the paths of the repositories if there are several, else nothing.
fn places(searched: &[SearchedRepository]) -> Vec<&str> {
    match searched {
        [_] => Vec::new(),
        several => several.iter().map(|one| one.repository.path.as_str()).collect(),
    }
}

fn line(paint: Paint, places: &[&str], place: &Place, at: u32) -> String {
    paint.declaration(&full_path(places, place), at, &place.kind, &place.symbol)
}

/// The path of a place, from its repository if there are several.
fn full_path(places: &[&str], place: &Place) -> String {
    match places.get(place.repository) {
        Some(repository) => {
            let path = [repository.as_bytes(), b"/", &named_path(&place.path)].concat();
            quoted(path.as_bstr()).into_owned()
        }
        None => place.path.clone(),
    }
}

/// The heading of a list of relations.
#[derive(Clone, Copy)]
struct RelationHeading {
    title: &'static str,
    /// Whether the queried declaration contains the references.
    here: bool,
}

/// Appends a list of relations.
fn list(
    out: &mut String,
    paint: Paint,
    places: &[&str],
    listed: RelationHeading,
    related: Option<&RelatedPlaces>,
) {
    let Some(related) = related.filter(|related| !related.items.is_empty()) else { return };
    let _ = writeln!(out, "  {}", paint.text(listed.title, SYMBOL));
    items(out, paint, places, &related.items, listed.here, 2);
    if related.more > 0 {
        let _ = writeln!(out, "    and {} more; raise --limit", related.more);
    }
}

fn items(out: &mut String, paint: Paint, places: &[&str], items: &[RelatedPlace], here: bool, depth: usize) {
    for one in items {
        let indent = "  ".repeat(depth);
        // A referrer is shown with the line of the reference, a referenced declaration with its own
        // line. A type that inherits refers to the other one where it is declared.
        let place = match here || one.relation == "inherits" && !one.place.symbol.is_empty() {
            true => line(paint, places, &one.place, one.place.line),
            false => {
                let (path, place) = (full_path(places, &one.place), &one.place);
                paint.reference(&path, one.at, &place.kind, &place.symbol)
            }
        };
        let how = format!("({})", one.reason(here));
        let how = paint.text(&how, if one.certain { FAINT } else { STATUS });
        let _ = writeln!(out, "{indent}{place}  {how}");
        self::items(out, paint, places, &one.related, here, depth + 1);
    }
}
