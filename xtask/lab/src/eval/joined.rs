//! `--joined`: questions of two parts with known answers, made by joining the titles of two issues
//! of one repository.
//!
//! The question is asked at the first issue's commit. A part is found if the evidence within the
//! budget has a file that its fix changed; in a stricter metric, a function. Two ways are compared:
//! one search for the whole question, and the loop of `git cora ask` without a model. Both are
//! shown in the same form with the same budget.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::Result;

use git_cora::Session;
use git_cora::answer::ask::{self, Controller, Judgement, Limits, Rules, State, Watch};
use git_cora::base::progress::Cancel;
use git_cora::search::query::Filters;

use super::issues::{Gold, Issue, parts};
use super::{Options, place};

/// The texts that join two titles into one question.
const JOINTS: [&str; 6] = [", and ", ". ", "; ", " and ", ", as well as ", "\n"];

/// A controller that searches once for the whole question.
struct Single;

impl Controller for Single {
    fn decompose(&mut self, state: &mut State, _: &mut dyn Watch) -> ask::Result<Vec<String>> {
        Ok(vec![state.question.clone()])
    }

    fn judge(&mut self, _: &mut State, _: usize, _: &mut dyn Watch) -> ask::Result<Judgement> {
        Ok(Judgement::default())
    }
}

/// Sums over questions.
#[derive(Debug, Default, Clone, Copy)]
struct QuestionSums {
    n: f64,
    /// Questions with a file of both parts, and parts with a file.
    files: [f64; 2],
    n_functions: f64,
    /// The same for functions, among questions whose parts both have functions to find.
    functions: [f64; 2],
    seconds: f64,
}

fn title(issue: &Issue) -> &str {
    issue.query.lines().next().unwrap_or_default().trim().trim_end_matches('.')
}

pub(super) fn run(options: &Options, issues: &BTreeMap<&str, Vec<&Issue>>) -> Result<()> {
    let n = options.budget.len();
    let mut all = [vec![QuestionSums::default(); n], vec![QuestionSums::default(); n]];
    let mut n_split = [0usize; 3];
    for (repository, issues) in issues {
        let clone = place::clone(&options.repositories, &options.work, repository)?;
        let session = Session::open(&clone)?;
        for (pair, joint) in issues.as_chunks::<2>().0.iter().zip(JOINTS.iter().cycle()) {
            let [first, second] = pair;
            let searcher = match place::open(&session, &first.base_commit) {
                Ok(searcher) => searcher,
                Err(error) => {
                    println!("left out {}: {error:#}", first.id);
                    continue;
                }
            };
            let index = searcher.index();
            let is_there = |issue: &Issue| {
                issue.gold_files.iter().any(|file| index.file_by_path(file.as_str().into()).is_some())
            };
            if !is_there(first) || !is_there(second) {
                continue;
            }
            let question = format!("{}{joint}{}", title(first), title(second));
            n_split[ask::split(&question).len().min(3) - 1] += 1;
            let finder =
                session.finder(&searcher, &first.base_commit, Filters::default(), &Cancel::default());
            let controllers: [&mut dyn Controller; 2] = [&mut Single, &mut Rules];
            for (controller, reached) in controllers.into_iter().zip(&mut all) {
                let before = Instant::now();
                let limits = Limits::default();
                let state =
                    ask::gather(&question, controller, &finder, &limits, &mut (), &Cancel::default())?;
                let seconds = before.elapsed().as_secs_f64();
                for (&n_tokens, reached) in options.budget.iter().zip(reached) {
                    let shown = ask::context(&state, n_tokens);
                    let evidence = || shown.numbers.iter().filter_map(|at| state.evidence.get(*at));
                    let has_file = |issue: &Issue| {
                        issue
                            .gold_files
                            .iter()
                            .any(|file| evidence().any(|one| one.item.path == file.as_str()))
                    };
                    let has = |gold: &Gold| {
                        let parts = parts(&gold.name);
                        evidence().filter(|one| one.item.path == gold.file.as_str()).any(|one| {
                            let mut names = one.item.declarations.iter().map(|one| one.name.as_str());
                            parts.last().is_some_and(|name| names.any(|known| known == name))
                        })
                    };
                    let functions = |issue: &Issue| {
                        let mut wanted =
                            issue.gold_spans.iter().filter(|gold| gold.kind == "function").peekable();
                        wanted.peek().is_some().then(|| wanted.any(has))
                    };
                    let files = [has_file(first), has_file(second)];
                    reached.n += 1.0;
                    reached.seconds += seconds;
                    reached.files[0] += f64::from(u8::from(files == [true, true]));
                    reached.files[1] += files.iter().filter(|&&is| is).count() as f64;
                    if let (Some(a), Some(b)) = (functions(first), functions(second)) {
                        reached.n_functions += 1.0;
                        reached.functions[0] += f64::from(u8::from(a && b));
                        reached.functions[1] += f64::from(u8::from(a)) + f64::from(u8::from(b));
                    }
                    if options.misses && files != [true, true] {
                        println!("── {n_tokens} {files:?} {question:?} {:?}", state.parts.len());
                    }
                }
            }
        }
    }
    println!(
        "{} questions, split into one part {}, two {}, more {}",
        n_split.iter().sum::<usize>(),
        n_split[0],
        n_split[1],
        n_split[2]
    );
    println!("tokens            both parts: file  function   parts: file  function   (of)   ms");
    for (name, reached) in ["one query", "loop"].iter().zip(&all) {
        for (n_tokens, reached) in options.budget.iter().zip(reached) {
            let share = |x: f64, n: f64| 100.0 * x / n.max(1.0);
            println!(
                "{n_tokens:>6}  {name:<9}             {:>5.1}     {:>5.1}         {:>5.1}     {:>5.1}   ({}, {})   {:.0}",
                share(reached.files[0], reached.n),
                share(reached.functions[0], reached.n_functions),
                share(reached.files[1], 2.0 * reached.n),
                share(reached.functions[1], 2.0 * reached.n_functions),
                reached.n,
                reached.n_functions,
                1000.0 * reached.seconds / reached.n.max(1.0),
            );
        }
    }
    Ok(())
}
