//! `--trial`: counts the tokens that an agent reads until it has all functions of an issue.
//!
//! Two scripted agents are compared. An oracle stops each as soon as every function that the fix
//! touched is in its context. Tokens are those of `cl100k_base`.
//!
//! - *Search* reads replies like those of the MCP tool `search`, with the whole issue as the query
//!   and increasing budgets. Every reply counts. Functions that a reply names but does not show in
//!   full are then read. If search gives up, it goes on like grep.
//! - *Grep* counts how many distinct words of the issue each file has, and reads the files with the
//!   most words whole; the list of files is free. One variant considers all files. The other
//!   considers only files outside tests, in the languages of the expected files.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use git_cora::answer::view::{self, BriefLimit, Budget};
use git_cora::search::query::{Query, is_stop_word};
use git_cora::{Searcher, Session};

use super::issues::{Gold, Issue};
use super::{Options, place};

/// Number of results and budget in tokens of each call; the defaults come first.
const CALLS: [(usize, usize); 4] = [(8, 2000), (16, 4000), (32, 8000), (50, 16_000)];

fn tokens(text: &str) -> usize {
    tiktoken_rs::cl100k_base_singleton().count_ordinary(text)
}

/// The lines in the context, by file.
type SeenLines = BTreeMap<String, BTreeSet<u32>>;

/// Adds the lines that a reply shows, and returns the places that it names.
fn read<'r>(reply: &'r str, seen: &mut SeenLines) -> Vec<(&'r str, u32, u32)> {
    let mut places = Vec::new();
    let mut path = "";
    for line in reply.lines() {
        let numbered = line.trim_start().split_once("  ").and_then(|(n, _)| n.parse::<u32>().ok());
        // An empty line has nothing after its number.
        if let Some(n) = numbered.or_else(|| line.trim().parse().ok()) {
            seen.entry(path.to_owned()).or_default().insert(n);
            continue;
        }
        let Some((at, _)) = line.split_once("  ") else { continue };
        let Some((named, range)) = at.rsplit_once(':') else { continue };
        let (start, end) = range.split_once('-').unwrap_or((range, range));
        if let (Ok(start), Ok(end)) = (start.parse(), end.parse()) {
            path = named;
            places.push((named, start, end));
        }
    }
    places
}

fn has(seen: &SeenLines, gold: &Gold) -> bool {
    seen.get(&gold.file).is_some_and(|lines| (gold.start_line..=gold.end_line).all(|n| lines.contains(&n)))
}

/// Returns the tokens read, and the number of calls until everything is in the context; `None` if
/// it never is.
fn by_search(
    session: &Session,
    searcher: &Searcher,
    issue: &Issue,
    gold: &[&Gold],
) -> Result<(usize, Option<usize>)> {
    let mut spent = 0;
    let mut seen = SeenLines::new();
    for (n_calls, (limit, n_tokens)) in (1..).zip(CALLS) {
        let query = Query::new(&issue.query).with_limit(limit);
        let results = session.answer(searcher, &query, &issue.base_commit)?;
        let reply = view::brief(
            "",
            &results,
            BriefLimit::Full,
            &Budget { tokens: Some(n_tokens), ..Budget::default() },
        );
        spent += tokens(&reply);
        let places = read(&reply, &mut seen);
        for gold in gold.iter().filter(|gold| !has(&seen, gold)).collect::<Vec<_>>() {
            let inside = |start: u32, end: u32| start <= gold.end_line && gold.start_line <= end;
            let is_named = places.iter().any(|(path, start, end)| *path == gold.file && inside(*start, *end));
            if !is_named {
                continue;
            }
            let text = searcher.text(gold.file.as_str().into()).unwrap_or_default();
            for (line, n) in
                text.lines().zip(1..).filter(|(_, n)| (gold.start_line..=gold.end_line).contains(n))
            {
                spent += tokens(&format!("{n}  {line}\n"));
                seen.entry(gold.file.clone()).or_default().insert(n);
            }
        }
        if gold.iter().all(|gold| has(&seen, gold)) {
            return Ok((spent, Some(n_calls)));
        }
    }
    Ok((spent, None))
}

/// Returns the tokens of the files that are read until all files of the issue are among them.
fn by_grep(searcher: &Searcher, issue: &Issue, gold: &[&Gold], only_source: bool) -> Option<usize> {
    let words: BTreeSet<String> = issue
        .query
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.len() > 3 && !word.starts_with(|c: char| c.is_ascii_digit()))
        .map(str::to_lowercase)
        .filter(|word| !is_stop_word(word))
        .collect();
    let mut missing: BTreeSet<&str> = gold.iter().map(|gold| gold.file.as_str()).collect();
    let mut files = Vec::new();
    let index = searcher.index();
    let languages: BTreeSet<&str> =
        missing.iter().filter_map(|path| Some(index.file_by_path((*path).into())?.language())).collect();
    for file in index.files() {
        let path = file.path().to_string();
        let is_asked = missing.contains(path.as_str());
        if only_source && (file.flags().is_test() || !languages.contains(file.language())) && !is_asked {
            continue;
        }
        let Some(text) = searcher.text(file.path()) else { continue };
        let lower = text.to_lowercase();
        let n_words = words.iter().filter(|word| lower.contains(word.as_str())).count();
        if n_words > 0 {
            files.push((std::cmp::Reverse(n_words), path, text));
        }
    }
    files.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    let mut spent = 0;
    for (_, path, text) in files {
        spent += tokens(&text);
        missing.remove(path.as_str());
        if missing.is_empty() {
            return Some(spent);
        }
    }
    None
}

/// Returns the given quartile of some numbers; sorts them.
fn quartile(numbers: &mut [usize], quarters: usize) -> usize {
    numbers.sort_unstable();
    numbers.get(numbers.len().saturating_sub(1) * quarters / 4).copied().unwrap_or_default()
}

pub(super) fn run(options: &Options, issues: &BTreeMap<&str, Vec<&Issue>>) -> Result<()> {
    let mut rows: [(&str, Vec<usize>); 3] =
        [("search", Vec::new()), ("grep, source outside tests", Vec::new()), ("grep, all files", Vec::new())];
    let mut calls: BTreeMap<usize, usize> = BTreeMap::new();
    let mut n_lost = 0;
    for (repository, issues) in issues {
        let clone = place::clone(&options.repositories, &options.work, repository)?;
        let session = Session::open(&clone)?;
        for issue in issues {
            let gold: Vec<&Gold> = issue.gold_spans.iter().filter(|gold| gold.kind == "function").collect();
            if gold.is_empty() {
                continue;
            }
            let searcher = match place::open(&session, &issue.base_commit) {
                Ok(searcher) => searcher,
                Err(error) => {
                    println!("left out {}: {error:#}", issue.id);
                    continue;
                }
            };
            let (source, all) =
                (by_grep(&searcher, issue, &gold, true), by_grep(&searcher, issue, &gold, false));
            let (Some(source), Some(all)) = (source, all) else {
                println!("left out {}: no word of it is in the files", issue.id);
                continue;
            };
            let (spent, found) = by_search(&session, &searcher, issue, &gold)?;
            match found {
                Some(n) => *calls.entry(n).or_default() += 1,
                None => n_lost += 1,
            }
            let spent = spent + if found.is_none() { source } else { 0 };
            println!(
                "{:<40} search {spent:>8}  grep {source:>9} {all:>9}  {}",
                issue.id,
                if found.is_some() { "" } else { "not found by search" }
            );
            for ((_, numbers), n) in rows.iter_mut().zip([spent, source, all]) {
                numbers.push(n);
            }
        }
    }
    println!("tokens until all functions are in the context   quarter   median   three quarters");
    for (name, numbers) in &mut rows {
        println!(
            "{name:<46} {:>8} {:>8} {:>16}",
            quartile(numbers, 1),
            quartile(numbers, 2),
            quartile(numbers, 3)
        );
    }
    println!("{} issues; calls of search: {calls:?}, given up {n_lost}", rows[0].1.len());
    Ok(())
}
