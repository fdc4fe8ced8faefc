//! `--budget`: measures how much of an issue's answer is in the view for language models, by
//! budget.
//!
//! The query is the issue's whole text. A file is in the view if the view has a `<cora:file>` for
//! it. A function is in the view if a chunk of that file covers the line of its name, and shows
//! that line or the signature that stands for it. Its code is in the view if a line that the fix
//! edited is shown; if the set has no edits, half of the function's lines. Tokens are counted with
//! `tiktoken-rs`, not with our own counter, which this also checks.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Result, ensure};

use git_cora::Session;
use git_cora::answer::MapQuery;
use git_cora::answer::view::{self, Budget};
use git_cora::base::progress::{Cancel, NoProgress, Task};
use git_cora::base::text::identifier::tokens;
use git_cora::search::query::Query;

use super::issues::{Gold, Issue, parts};
use super::{Options, place};

/// Sums of the results with one budget.
#[derive(Debug, Default, Clone, Copy)]
struct BudgetSums {
    n: f64,
    /// Number of issues with all of their files in the view, and with any of them.
    files: [f64; 2],
    n_functions: f64,
    /// The same for their functions.
    functions: [f64; 2],
    /// The same for the code of their functions.
    code: [f64; 2],
    tokens: f64,
    n_files: f64,
}

/// Fewest letters and digits of a line that is looked for in the view.
const LEAST_SAID: usize = 4;

/// A chunk of the view.
struct ShownChunk<'v> {
    path: &'v str,
    /// First and last line; `None` for a whole file.
    lines: Option<(u32, u32)>,
    text: Vec<&'v str>,
}

/// Parses a view into its chunks. It shares no code with the library, so a mistake there cannot
/// hide here.
fn read(view: &str) -> Vec<ShownChunk<'_>> {
    let mut shown: Vec<ShownChunk<'_>> = Vec::new();
    let mut path = "";
    for line in view.lines() {
        let tag = line.trim_start();
        if let Some(rest) = tag.strip_prefix("<cora:file path=\"") {
            path = rest.split('"').next().unwrap_or_default();
            shown.push(ShownChunk { path, lines: None, text: Vec::new() });
        } else if let Some(rest) = tag.strip_prefix("<cora:chunk lines=\"") {
            let range = rest.split('"').next().unwrap_or_default();
            let (start, end) = range.split_once('-').unwrap_or((range, range));
            let lines = start.parse().ok().zip(end.parse().ok());
            let inside = rest.split_once('>').map_or("", |(_, inside)| inside);
            let text = inside.strip_suffix("</cora:chunk>").into_iter().filter(|text| !text.is_empty());
            shown.push(ShownChunk { path, lines, text: text.collect() });
        } else if let Some(last) = shown.last_mut().filter(|_| !tag.starts_with("</cora:")) {
            last.text.push(line);
        }
    }
    shown
}

/// Parses a map; each of its lines becomes a chunk.
fn read_map(map: &str) -> Vec<ShownChunk<'_>> {
    let mut shown: Vec<ShownChunk<'_>> = Vec::new();
    let mut path = "";
    for line in map.lines() {
        let numbered = line.trim_start().split_once(' ').filter(|_| line.starts_with(' '));
        match numbered.and_then(|(n, rest)| Some((n.parse::<u32>().ok()?, rest))) {
            Some((n, text)) => shown.push(ShownChunk { path, lines: Some((n, n)), text: vec![text] }),
            None => path = line,
        }
    }
    shown
}

fn has_function(shown: &[ShownChunk<'_>], gold: &Gold, source: &str) -> bool {
    let parts = parts(&gold.name);
    let Some(name) = parts.last() else { return false };
    // The span begins with the function's decorators and comments, so its first line may not be the
    // signature.
    let span = source.lines().zip(1u32..).filter(|(_, n)| (gold.start_line..=gold.end_line).contains(n));
    let declares = |line: &str| {
        let line = line.trim_start();
        let rest = line.strip_prefix("async ").unwrap_or(line).strip_prefix("def ");
        rest.and_then(|rest| rest.strip_prefix(name.as_str())).is_some_and(|rest| rest.starts_with('('))
    };
    let span: Vec<(&str, u32)> = span.collect();
    // In other languages than Python, the first line with the name declares the function.
    let names = |line: &str| tokens(line).any(|token| token == name);
    let declared = span.iter().find(|(line, _)| declares(line));
    let declared =
        declared.or_else(|| span.iter().find(|(line, _)| !gold.file.ends_with(".py") && names(line)));
    let Some(&(signature, n)) = declared else { return false };
    let signature = signature.trim().trim_end_matches([':', '{', ' ']);
    shown.iter().filter(|chunk| chunk.path == gold.file).any(|chunk| {
        chunk.lines.is_none_or(|(start, end)| (start..=end).contains(&n))
            && chunk.text.iter().any(|line| line.contains(signature))
    })
}

/// Returns whether a line that answers is shown: one that the fix edited, or half of the function.
fn has_code(shown: &[ShownChunk<'_>], gold: &Gold, source: &str) -> bool {
    let is_asked = |n: u32| match gold.edited.as_slice() {
        [] => (gold.start_line..=gold.end_line).contains(&n),
        edited => edited.iter().any(|&(start, end)| (start..=end).contains(&n)),
    };
    // Brackets and blank lines are in any text.
    let says = |line: &str| line.chars().filter(|c| c.is_alphanumeric()).count() >= LEAST_SAID;
    let asked = source.lines().map(str::trim).zip(1u32..).filter(|(line, n)| is_asked(*n) && says(line));
    let is_shown = |line: &str, n: u32| {
        shown.iter().filter(|chunk| chunk.path == gold.file).any(|chunk| {
            chunk.lines.is_none_or(|(start, end)| (start..=end).contains(&n))
                && chunk.text.iter().any(|text| text.contains(line))
        })
    };
    let asked: Vec<bool> = asked.map(|(line, n)| is_shown(line, n)).collect();
    let n_shown = asked.iter().filter(|is| **is).count();
    let needed = if gold.edited.is_empty() { asked.len().div_ceil(2) } else { 1 };
    n_shown >= needed.max(1)
}

pub(super) fn run(options: &Options, issues: &BTreeMap<&str, Vec<&Issue>>) -> Result<()> {
    let mut all = vec![BudgetSums::default(); options.budget.len()];
    let (mut answering, mut drawing) = (0.0, 0.0);
    for (repository, issues) in issues {
        let clone = place::clone(&options.repositories, &options.work, repository)?;
        let session = Session::open(&clone)?;
        for issue in issues {
            // A mirror may lack objects.
            let searcher = match place::open(&session, &issue.base_commit) {
                Ok(searcher) => searcher,
                Err(error) => {
                    println!("left out {}: {error:#}", issue.id);
                    continue;
                }
            };
            for (&n_tokens, reached) in options.budget.iter().zip(&mut all) {
                let budget = Budget { characters: None, tokens: Some(n_tokens) };
                let before = Instant::now();
                let (view, after) = if options.map {
                    let limit = view::outline_limit(n_tokens);
                    let asked = MapQuery::new(limit).with_text(&issue.query);
                    let found = session.map(&searcher, &asked, Task::new(&NoProgress, &Cancel::default()))?;
                    let after = Instant::now();
                    (view::outline(&found, &budget).1, after)
                } else {
                    let query = Query::new(&issue.query).with_limit(budget.results()).with_all_chunks(true);
                    let results = session.answer(&searcher, &query, &issue.base_commit)?;
                    let after = Instant::now();
                    (view::rag(&results, view::Style::Cora, &budget), after)
                };
                answering += (after - before).as_secs_f64();
                drawing += after.elapsed().as_secs_f64();
                let n = tiktoken_rs::cl100k_base_singleton().count_ordinary(&view);
                ensure!(n <= n_tokens, "{}: {n} tokens in a budget of {n_tokens}", issue.id);
                let shown = if options.map { read_map(&view) } else { read(&view) };
                let has_file = |path: &String| shown.iter().any(|chunk| chunk.path == path);
                reached.n += 1.0;
                reached.tokens += n as f64;
                reached.n_files += shown.iter().filter(|chunk| chunk.lines.is_none()).count() as f64;
                reached.files[0] += f64::from(u8::from(issue.gold_files.iter().all(has_file)));
                reached.files[1] += f64::from(u8::from(issue.gold_files.iter().any(has_file)));
                let (mut functions, mut code) = (Vec::new(), Vec::new());
                for gold in issue.gold_spans.iter().filter(|gold| gold.kind == "function") {
                    let source = searcher.text(gold.file.as_str().into());
                    let source = source.as_deref().unwrap_or_default();
                    functions.push(has_function(&shown, gold, source));
                    code.push(has_code(&shown, gold, source));
                }
                if !functions.is_empty() {
                    reached.n_functions += 1.0;
                    reached.functions[0] += f64::from(u8::from(functions.iter().all(|&is| is)));
                    reached.functions[1] += f64::from(u8::from(functions.iter().any(|&is| is)));
                    reached.code[0] += f64::from(u8::from(code.iter().all(|&is| is)));
                    reached.code[1] += f64::from(u8::from(code.iter().any(|&is| is)));
                }
                if options.misses && !issue.gold_files.iter().all(has_file) {
                    println!("── {} {n_tokens}: wanted {:?}", issue.id, issue.gold_files);
                }
            }
        }
    }
    println!("tokens   file all/any    function all/any  code all/any   (of)   files  used");
    for (n_tokens, reached) in options.budget.iter().zip(&all) {
        let share = |x: f64, n: f64| 100.0 * x / n.max(1.0);
        println!(
            "{n_tokens:>6}   {:>5.1} / {:>5.1}   {:>5.1} / {:>5.1}   {:>5.1} / {:>5.1}   ({})   {:.1}   {:.0}",
            share(reached.files[0], reached.n),
            share(reached.files[1], reached.n),
            share(reached.functions[0], reached.n_functions),
            share(reached.functions[1], reached.n_functions),
            share(reached.code[0], reached.n_functions),
            share(reached.code[1], reached.n_functions),
            reached.n_functions,
            reached.n_files / reached.n.max(1.0),
            reached.tokens / reached.n.max(1.0)
        );
    }
    let n = (all.first().map_or(0.0, |one| one.n) * options.budget.len() as f64).max(1.0);
    println!("{:.0} ms to answer, {:.0} ms to draw", 1000.0 * answering / n, 1000.0 * drawing / n);
    Ok(())
}
