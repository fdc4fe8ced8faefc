//! `git cora query`: searches once, or line by line.
//!
//! Turns arguments into a query and chooses the target: a revision, a range, several repositories,
//! a remote or a database. Prints results in the chosen format. After the output, it builds the
//! segment that makes the next query faster.
#![allow(clippy::disallowed_methods, reason = "writes the file that `--references` names")]

mod include;
mod messages;
mod remote;
mod several;

use std::ffi::OsString;
use std::io::{BufRead, IsTerminal, Read, Write};
use std::slice;
use std::time::Instant;

use anyhow::Context as _;
use serde::Deserialize;

use git_cora::answer::view::{self, Budget, Results, Style, TextStyle, counted};
use git_cora::base::progress::{NoProgress, Task};
use git_cora::index::chunk::{Language, grammar};
use git_cora::search::query::{Filters, filters_in};
use git_cora::search::segment::Index;
use git_cora::{Query, Searcher, Session, Target};

use crate::command_error::CommandError;
use crate::input::{conversation, near};
use crate::terminal::Context;

use super::advice::time::tell_of_time;
use super::advice::{cost, pathspec};
use super::args::{self, Format};
use super::operand::from_root;
use super::{Outcome, output};

/// Range of the factors of `--boost`.
const BOOSTS: std::ops::RangeInclusive<f64> = 0.01..=100.0;
/// Default number of results.
const DEFAULT_LIMIT: usize = 10;
/// Largest number of code lines per result in text.
const CODE_LINES: usize = 12;

pub(crate) fn run(context: &Context, args: &args::Query) -> anyhow::Result<Outcome> {
    if (args.dialect.is_some() || args.family.is_some()) && args.form() != Format::Rag {
        anyhow::bail!("--dialect and --family need --format rag");
    }
    if args.references.is_some() && args.form() != Format::Markdown {
        anyhow::bail!("--references needs --format markdown");
    }
    if let Some(url) = &args.store {
        return super::export::query(context, args, url);
    }
    if let Some(url) = &args.remote {
        return remote::run(context, args, url);
    }
    if !args.repo.is_empty() {
        return several::run(context, args);
    }
    let session = context.session()?;
    if args.batch {
        return batch(context, &session, args);
    }
    let asked = asked(context, &session, args)?;
    let progress = context.progress();
    if let Some(commits) = args.rev.as_deref().map(|rev| session.repo().range(rev)).transpose()?.flatten() {
        let revision = args.rev.as_deref().unwrap_or_default();
        let mut results = session.answer_in_diff(
            commits,
            &asked,
            revision,
            Task::new(progress.as_ref(), &context.cancel),
        )?;
        if !args.include.is_empty() {
            let target = Target::Commit(commits[1]);
            let searcher = session.searcher(&target, Task::new(progress.as_ref(), &context.cancel))?;
            include::add(context, &session, &searcher, &args.include, &mut results)?;
        }
        let hint = match commits[0] == commits[1] {
            true => "hint: the range is empty, so nothing has changed in it",
            false => "hint: try fewer or different words; no changed code contains these words",
        };
        return finish(context, &session, args, results, hint);
    }
    let (target, revision) = Target::resolve(session.repo(), args.rev.as_deref(), args.no_worktree)?;
    if !git_cora::search::has_segment(session.repo())
        && let Target::Commit(_) | Target::Worktree = target
        && let Ok(commit) = context.commit(&session, args.rev.as_deref())
    {
        cost::announce(context, &session, commit)?;
    }
    let begun = Instant::now();
    let mut searcher = session.searcher(&target, Task::new(progress.as_ref(), &context.cancel))?;
    context.tell(|| opened(&searcher), begun);
    let is_told = complain_of_strays(context, &searcher, args, &asked);
    let begun = Instant::now();
    let mut results = session.answer_or_repair(
        &mut searcher,
        &asked,
        &revision,
        Task::new(progress.as_ref(), &context.cancel),
    )?;
    context.tell(|| "answered".to_owned(), begun);
    include::add(context, &session, &searcher, &args.include, &mut results)?;
    let hint = match searcher.index().files().next() {
        _ if is_told => "",
        Some(_) if args.min_score.is_some() => "hint: lower --min-score to see less relevant results",
        Some(_) if asked.text.contains('"') => "hint: remove the quotes to search for the words",
        Some(_) => "hint: try fewer or different words, or remove filters",
        None => "hint: add a file first; there is nothing to search yet",
    };
    let outcome = finish(context, &session, args, results, hint)?;
    // The answer is printed, so there is time for the segment that makes the next query faster.
    if searcher.wants_warming()
        && let Some(snapshot) = searcher.snapshot()
    {
        git_cora::search::warm(session.indexer(), snapshot, Task::new(&NoProgress, &context.cancel))?;
    }
    Ok(outcome)
}

/// Describes the opened index, for `-v`.
fn opened(searcher: &Searcher) -> String {
    let (mut n_files, mut n_chunks) = (0, 0);
    for file in searcher.index().files().filter(|file| !file.flags().is_skipped()) {
        n_files += 1;
        n_chunks += file.segment.chunks_of(file.ord).len();
    }
    let uncommitted = match searcher.n_dirty() {
        0 => String::new(),
        n => format!(", {n} of them uncommitted,"),
    };
    let commit = searcher.commit().map(|commit| format!("the index of {}", commit.abbreviated(12)));
    format!(
        "opened {}: {}{uncommitted} with {}",
        commit.unwrap_or_else(|| "the working tree before the first commit".to_owned()),
        counted(n_files, "file", "files"),
        counted(n_chunks, "chunk", "chunks")
    )
}

/// Returns the query from the command line or from a chat history. Without a text, the user's last
/// message is the question, and what follows it does not count.
pub(crate) fn asked(context: &Context, session: &Session, args: &args::Query) -> anyhow::Result<Query> {
    let turns = match &args.messages {
        Some(path) => messages::turns(context, path)?,
        None => Vec::new(),
    };
    let (text, turns) = match args.text.is_empty() {
        true => conversation::question(turns)
            .context("the chat has no user message ('role': 'user') with text")?,
        false => (text(&args.text)?, turns),
    };
    let before = turns.into_iter().map(|turn| turn.text).collect();
    Ok(query(context, session, args, text)?.with_explain(args.explain).with_context(before))
}

/// Prints an answer with its warnings and hints.
pub(crate) fn finish(
    context: &Context,
    session: &Session,
    args: &args::Query,
    mut results: Results,
    hint: &str,
) -> anyhow::Result<Outcome> {
    results.results.iter_mut().for_each(|item| item.around = args.context);
    let format = args.form();
    let is_shown = show(context, session, args, format, &results)?;
    // The text has the warnings, too.
    if format != Format::Text || !std::io::stdout().is_terminal() {
        context.warn(&results.warnings);
    }
    tell_of_time(context, session.repo(), &results.query, &results.results);
    if !results.results.is_empty() {
        return Ok(if is_shown { Outcome::Found } else { Outcome::Failed });
    }
    match format {
        Format::Text if !hint.is_empty() => context.say(hint),
        // Nothing else is written, so silence could mean a failure.
        Format::Paths | Format::Files | Format::Rag => context.say("nothing found"),
        _ => {}
    }
    Ok(Outcome::Nothing)
}

/// Returns the text of the query; a single `-` reads standard input.
pub(super) fn text(words: &[String]) -> anyhow::Result<String> {
    let mut text = words.join(" ");
    if text == "-" {
        text.clear();
        std::io::stdin().read_to_string(&mut text).context("can't read the query from standard input")?;
    }
    if text.trim().is_empty() {
        anyhow::bail!("the query is empty");
    }
    Ok(text)
}

fn query(context: &Context, session: &Session, args: &args::Query, text: String) -> anyhow::Result<Query> {
    let tests = match (args.test, args.no_test) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        (false, false) => None,
    };
    let languages = args.filter.lang.iter().map(|name| language(name));
    let filters = Filters::default()
        .with_paths(from_root::pathspecs(context, session, &args.filter.path)?)
        .with_languages(languages.collect::<anyhow::Result<_>>()?)
        .with_kinds(args.filter.kind.clone())
        .with_tests(tests);
    // With a budget, the view decides how many results it shows; it needs enough of them to choose
    // from.
    let budget = budget(args);
    let fills = args.form() == Format::Rag && !budget.is_unlimited();
    let (limit, all_chunks) = match args.limit {
        Some(limit) => (limit.get(), args.all_chunks),
        None if fills => (budget.results(), true),
        None => (DEFAULT_LIMIT, args.all_chunks),
    };
    let boosts = args.boost.iter().map(|boost| self::boost(session, context, boost));
    let boosts = boosts.collect::<anyhow::Result<_>>()?;
    Ok(Query::new(text)
        .with_limit(limit)
        .with_filters(filters)
        .with_all_chunks(all_chunks)
        .with_min_relevance(args.min_score.unwrap_or(0.0))
        .with_also(!matches!(args.form(), Format::Rag | Format::Paths | Format::Files))
        .with_boosts(boosts))
}

/// Parses `SPEC=FACTOR`, and moves the pathspec to the root.
fn boost(session: &Session, context: &Context, text: &str) -> anyhow::Result<(String, f64)> {
    let parsed = text.rsplit_once('=').and_then(|(spec, factor)| Some((spec, factor.parse::<f64>().ok()?)));
    match parsed {
        Some((spec, factor)) if !spec.is_empty() && BOOSTS.contains(&factor) => {
            let specs = from_root::pathspecs(context, session, &[spec.into()])?;
            let spec = specs.into_iter().next().context("expected a pathspec")?;
            Ok((spec, factor))
        }
        _ => anyhow::bail!(
            "invalid value '{text}' for '--boost': expected SPEC=FACTOR with a factor from 0.01 to 100"
        ),
    }
}

/// Returns the name of a language, given by name, alias or extension.
pub(crate) fn language(name: &str) -> anyhow::Result<String> {
    match Language::from_name(name) {
        Some(language) => Ok(language.name().to_owned()),
        None => {
            let known: Vec<&str> = Language::all().map(|language| language.name()).collect();
            let question = near::question(&near::names(name, known.into_iter()));
            let list = || "run 'git cora stats' to list the languages of this repository".to_owned();
            Err(CommandError::new(format!("unknown language '{name}'"), question.unwrap_or_else(list)).into())
        }
    }
}

/// Reports filters that admit no file at all. Returns whether there were any.
fn complain_of_strays(
    context: &Context,
    searcher: &git_cora::Searcher,
    args: &args::Query,
    query: &Query,
) -> bool {
    let index = searcher.index();
    let typed = from_root::all_typed(&args.filter.path);
    let in_text = filters_in(&query.text);
    let languages = [query.filters.languages.as_slice(), &in_text.languages].concat();
    let typed_boost = |boost: &String| Some(boost.rsplit_once('=')?.0.to_owned());
    let boosts: Vec<String> = args.boost.iter().filter_map(typed_boost).collect();
    let boosted: Vec<String> = query.boosts.iter().map(|(spec, _)| spec.clone()).collect();
    // Each boost is about its own files.
    for (typed, spec) in boosts.iter().zip(&boosted) {
        pathspec::complain_of_strays(context, &index, slice::from_ref(typed), slice::from_ref(spec));
    }
    // An array, not `||`: each check must report its own problems.
    [
        pathspec::complain_of_strays(context, &index, &typed, &query.filters.paths),
        pathspec::complain_of_strays(context, &index, &in_text.paths, &in_text.paths),
        complain_of_languages(context, &index, &languages),
    ]
    .contains(&true)
}

/// Reports languages that no file is in. Returns whether there were any.
pub(crate) fn complain_of_languages(context: &Context, index: &Index<'_>, names: &[String]) -> bool {
    if names.is_empty() {
        return false;
    }
    let mut is_told = false;
    let present: Vec<String> = index.languages().into_iter().map(|one| one.language).collect();
    for name in names {
        let known = Language::from_name(name).map_or(name.to_lowercase(), |one| one.name().to_lowercase());
        if !present.iter().any(|one| one.to_lowercase() == known) {
            context.say(&format!("note: no file is in language '{name}'"));
            context.say(&format!("hint: use one of these languages: {}", present.join(", ")));
            is_told = true;
        }
    }
    is_told
}

/// Prints results in a format. Returns whether the budget had room for any.
fn show(
    context: &Context,
    session: &Session,
    args: &args::Query,
    format: Format,
    results: &Results,
) -> anyhow::Result<bool> {
    let budget = budget(args);
    let style = TextStyle {
        color: format == Format::Text && output::is_coloured(session.repo(), &args.screen)?,
        width: output::width(),
        code_lines: CODE_LINES,
        explain: args.explain,
    };
    if let Some(path) = &args.references {
        let map = view::references(results);
        std::fs::write(path, map).with_context(|| format!("can't write '{}'", path.display()))?;
    }
    let draw = |budget: &Budget| match format {
        Format::Json => view::json(results, budget),
        Format::Rag => view::rag(results, dialect(args), budget),
        Format::Markdown => view::markdown(results, budget),
        Format::Paths => view::paths(results, budget),
        Format::Files => view::files(results, budget),
        Format::Text => view::text(results, &style, budget, &grammar),
    };
    let mut text = draw(&budget);
    let is_shown = !text.is_empty();
    if !is_shown && !results.results.is_empty() {
        context.complain_of_budget("one result", budget.needed(draw));
    }
    let unit = match format {
        Format::Paths => Some(["place", "places"]),
        Format::Files => Some(["file", "files"]),
        _ => None,
    };
    if let Some([one, several]) = unit.filter(|_| is_shown && !budget.is_unlimited()) {
        let n_cut = draw(&Budget::default()).lines().count().saturating_sub(text.lines().count());
        if n_cut > 0 {
            context.say(&format!("note: {} cut by the budget", view::counted(n_cut, one, several)));
        }
    }
    let n_unlisted = if unit.is_some() { view::n_unlisted(results) } else { 0 };
    if n_unlisted > 0 {
        let left_out = view::counted(n_unlisted, "result", "results");
        context.say(&format!("note: left out {left_out} that do not refer to the name"));
    }
    // A list of references, or of places with a quoted text, looks like all of them if it is cut.
    if unit.is_some() && n_unlisted == 0 && view::seems_complete(results) {
        context.tell_of_more(results.n_more, "-k");
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    if format == Format::Text {
        output::print(session.repo(), &args.screen, &text)?;
    } else {
        std::io::stdout().lock().write_all(text.as_bytes()).context("can't write to standard output")?;
    }
    Ok(is_shown)
}

fn dialect(args: &args::Query) -> Style {
    match (args.dialect, args.family) {
        (_, Some(args::Family::Claude)) => Style::Claude,
        (_, Some(args::Family::OpenAi)) => Style::OpenAi,
        (Some(args::Dialect::CodeRag), _) => Style::CodeRag,
        (Some(args::Dialect::Cora) | None, None) => Style::Cora,
    }
}

fn budget(args: &args::Query) -> Budget {
    Budget {
        characters: args.length.map(std::num::NonZeroUsize::get),
        tokens: args.tokens.map(std::num::NonZeroUsize::get),
    }
}

/// One line of a batch.
#[derive(Deserialize)]
struct Line {
    id: serde_json::Value,
    query: String,
    rev: Option<String>,
    path: Option<Paths>,
    k: Option<usize>,
}

/// One pathspec or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Paths {
    One(String),
    Several(Vec<String>),
}

/// Answers queries line by line until the end of the input. The searcher stays open while
/// consecutive lines have the same revision.
fn batch(context: &Context, session: &Session, args: &args::Query) -> anyhow::Result<Outcome> {
    let stdin = std::io::stdin().lock();
    let mut stdout = std::io::BufWriter::new(std::io::stdout().lock());
    let progress = context.progress();
    let mut open: Option<(Option<String>, git_cora::Searcher)> = None;
    let (mut has_error, mut has_answer) = (false, false);
    for line in stdin.split(b'\n') {
        let line = line.context("can't read from standard input")?;
        if context.cancel.is_cancelled() {
            anyhow::bail!("interrupted");
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (id, outcome) = match serde_json::from_slice::<Line>(&line) {
            Err(error) => {
                let id = serde_json::from_slice::<serde_json::Value>(&line)
                    .ok()
                    .and_then(|value| value.get("id").cloned());
                (id.unwrap_or(serde_json::Value::Null), Err(anyhow::anyhow!("invalid line: {error}")))
            }
            Ok(asked) => {
                let id = asked.id.clone();
                (id, answer(context, session, args, asked, &mut open, progress.as_ref()))
            }
        };
        let text = match outcome {
            Ok(results) => {
                has_answer = true;
                view::batch_line(&id, &results, &budget(args))
            }
            Err(error) => {
                has_error = true;
                view::batch_error(&id, &format!("{error:#}"))
            }
        };
        stdout.write_all(text.trim_end().as_bytes()).context("can't write to standard output")?;
        stdout.write_all(b"\n").context("can't write to standard output")?;
        stdout.flush().context("can't write to standard output")?;
    }
    if has_error {
        anyhow::ensure!(has_answer, "no query could be answered");
        context.complain("error: some queries failed");
        return Ok(Outcome::Failed);
    }
    Ok(Outcome::Found)
}

fn answer(
    context: &Context,
    session: &Session,
    args: &args::Query,
    asked: Line,
    open: &mut Option<(Option<String>, git_cora::Searcher)>,
    progress: &dyn git_cora::base::progress::Progress,
) -> anyhow::Result<Results> {
    let rev = asked.rev.or_else(|| args.rev.clone());
    if asked.query.trim().is_empty() {
        anyhow::bail!("the query is empty");
    }
    let (target, revision) = Target::resolve(session.repo(), rev.as_deref(), args.no_worktree)?;
    let searcher = match open {
        Some((at, searcher)) if *at == rev => searcher,
        _ => {
            let searcher = session.searcher(&target, Task::new(progress, &context.cancel))?;
            &mut open.insert((rev, searcher)).1
        }
    };
    let mut query = query(context, session, args, asked.query)?;
    if let Some(k) = asked.k {
        query.limit = k;
    }
    // Relative to the current directory, as with `--path`.
    let paths: Vec<OsString> = match asked.path {
        Some(Paths::One(path)) => vec![path.into()],
        Some(Paths::Several(paths)) => paths.into_iter().map(OsString::from).collect(),
        None => Vec::new(),
    };
    query.filters.paths.extend(from_root::pathspecs(context, session, &paths)?);
    Ok(session.answer_or_repair(searcher, &query, &revision, Task::new(progress, &context.cancel))?)
}
