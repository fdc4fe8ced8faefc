//! Sets of short questions.
//!
//! Each line is a JSON object: `id`, `repo`, `language`, `category`, `fetch_repo`, `rev`, `root`,
//! `query`, `usable` and `targets` (each `file`, optionally `start` and `end`). The metric is
//! NDCG@10, averaged over repositories.

use std::collections::BTreeMap;
use std::io::Write as _;

use anyhow::Result;
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::json;

use git_cora::base::progress::{Cancel, NoProgress, Task};
use git_cora::index::embed::encoder::Encoder;
use git_cora::search::commit_messages::{CommitMessageSource, CommitMessages};
use git_cora::search::query::{Filters, Hit, Query, SideSignals, search_by, search_weighted};
use git_cora::{Searcher, Session};

use super::calibrate::Samples;
use super::metrics::{Groups, Span, ndcg10};
use super::signals::{self, Scores};
use super::{Options, Setting, place};

#[derive(Debug, Deserialize)]
struct Question {
    id: String,
    repo: String,
    language: String,
    category: String,
    fetch_repo: String,
    rev: String,
    root: Option<String>,
    query: String,
    targets: Vec<Target>,
    usable: bool,
}

#[derive(Debug, Deserialize)]
struct Target {
    file: String,
    start: Option<u32>,
    end: Option<u32>,
}

/// The results of one question: NDCG@10 by setting, and the spans found with the first setting.
struct QuestionResult<'q> {
    question: &'q Question,
    figures: Vec<f64>,
    found: Vec<Span>,
    /// The hits with the first setting; empty without `--calibrate`.
    samples: Samples,
    /// All metrics by setting; empty without `--signals`.
    metrics: Vec<Vec<(&'static str, f64)>>,
}

fn ask<'q>(
    searcher: &Searcher,
    history: Option<&CommitMessages>,
    encoder: Option<&Encoder<'_>>,
    question: &'q Question,
    settings: &[Setting],
    options: &Options,
) -> Result<QuestionResult<'q>> {
    let targets: Vec<Span> =
        question.targets.iter().map(|t| Span { file: t.file.clone(), lines: t.start.zip(t.end) }).collect();
    let paths = question.root.iter().filter(|root| !root.is_empty()).cloned().collect();
    let query = Query::new(&question.query).with_filters(Filters::default().with_paths(paths));
    let index = searcher.index();
    let history = history.map(|one| one as &dyn CommitMessageSource);
    let beside = SideSignals { history, sources: Some(searcher), encoder, ..SideSignals::default() };
    let mut asked = QuestionResult {
        question,
        figures: Vec::new(),
        found: Vec::new(),
        samples: Samples::default(),
        metrics: Vec::new(),
    };
    for (i, setting) in settings.iter().enumerate() {
        let answer = search_weighted(&index, &query, beside, &setting.weights)?;
        if options.calibrate && i == 0 {
            let is_right = |hit: &Hit| targets.iter().any(|target| hit.path == target.file.as_bytes());
            asked.samples.add(&question.repo, answer.query_kind, &answer.hits, Some(&is_right));
        }
        let found: Vec<Span> = answer
            .hits
            .iter()
            .map(|hit| Span {
                file: hit.path.to_string(),
                lines: Some((hit.span.start_line, hit.span.end_line)),
            })
            .collect();
        asked.figures.push(ndcg10(&found, &targets));
        if options.signals {
            asked.metrics.push(signals::of_question(&found, &targets));
        }
        if i == 0 {
            asked.found = found;
        }
    }
    Ok(asked)
}

/// Asks the questions of one repository in another one, where nothing answers them.
fn ask_elsewhere(searcher: &Searcher, questions: &[&Question]) -> Result<Samples> {
    let mut samples = Samples::default();
    for question in questions {
        let beside = SideSignals { sources: Some(searcher), ..SideSignals::default() };
        let answer = search_by(&searcher.index(), &Query::new(&question.query), beside)?;
        samples.add(&question.repo, answer.query_kind, &answer.hits, None);
    }
    Ok(samples)
}

pub(super) fn run(
    options: &Options,
    settings: &[Setting],
    samples: &mut Samples,
    encoder: Option<&Encoder<'_>>,
    text: &str,
) -> Result<()> {
    let mut questions: Vec<Question> =
        text.lines().map(serde_json::from_str).collect::<Result<_, serde_json::Error>>()?;
    questions.retain(|q| q.usable && options.only.as_ref().is_none_or(|only| q.fetch_repo.contains(only)));
    questions.truncate(options.limit.unwrap_or(usize::MAX));
    let mut by_place: BTreeMap<(&str, &str), Vec<&Question>> = BTreeMap::new();
    for question in &questions {
        by_place.entry((&question.fetch_repo, &question.rev)).or_default().push(question);
    }
    let places: Vec<_> = by_place.into_iter().collect();
    let others: Vec<&[&Question]> =
        places.iter().cycle().skip(1).take(places.len()).map(|one| one.1.as_slice()).collect();
    let mut asked: Vec<QuestionResult<'_>> = places
        .par_iter()
        .zip(&others)
        .map(|(((repository, revision), questions), others)| -> Result<Vec<QuestionResult<'_>>> {
            let clone = place::clone(&options.repositories, &options.work, repository)?;
            let session = Session::open(&clone)?;
            let searcher = place::open(&session, revision)?;
            let history = git_cora::search::cache::commit_messages(
                &searcher,
                Task::new(&NoProgress, &Cancel::default()),
            )?;
            let ask = |question| ask(&searcher, history.as_ref(), encoder, question, settings, options);
            let mut asked: Vec<_> = questions.iter().map(|&question| ask(question)).collect::<Result<_>>()?;
            if let Some(last) = asked.last_mut().filter(|_| options.calibrate) {
                last.samples.append(ask_elsewhere(&searcher, others)?);
            }
            Ok(asked)
        })
        .collect::<Result<Vec<_>>>()?
        .into_iter()
        .flatten()
        .collect();
    asked.iter_mut().for_each(|one| samples.append(std::mem::take(&mut one.samples)));
    if options.signals {
        let mut scores = Scores::default();
        for one in &asked {
            let question = one.question;
            let language = format!("language {}", question.language);
            let category = format!("kind {}", question.category);
            for (i, values) in one.metrics.iter().enumerate() {
                for group in ["all, mean over repositories", &language, &category] {
                    scores.add(group, &question.repo, i, values);
                }
                for group in ["all, mean over questions", &format!("{category}, mean over questions")] {
                    scores.add(group, "", i, values);
                }
            }
        }
        scores.add_means("all, mean over languages", "language ");
        scores.print(settings);
    }
    print(&asked, settings);
    if options.cross_validate {
        cross_validate(&asked, settings);
    }
    if options.misses {
        misses(&asked);
    }
    if let Some(path) = &options.predictions {
        let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
        for one in &asked {
            let ranked: Vec<_> = one
                .found
                .iter()
                .map(|s| json!({"file": s.file, "start": s.lines.map(|l| l.0), "end": s.lines.map(|l| l.1)}))
                .collect();
            writeln!(out, "{}", json!({"id": one.question.id, "ranked": ranked}))?;
        }
    }
    Ok(())
}

/// Groups the NDCG@10 of one setting by repository.
fn by_repository(asked: &[QuestionResult<'_>], setting: usize) -> Groups {
    let mut groups = Groups::default();
    for one in asked {
        groups.add(&one.question.repo, one.figures.get(setting).copied().unwrap_or(0.0));
    }
    groups
}

fn print(asked: &[QuestionResult<'_>], settings: &[Setting]) {
    let mut categories: Vec<&str> = asked.iter().map(|a| a.question.category.as_str()).collect();
    categories.sort_unstable();
    categories.dedup();
    println!("{} questions; NDCG@10, mean over repositories", asked.len());
    println!("{:<32} {:>7} {:>8} {}", "setting", "all", "±", categories.join("  "));
    let base = by_repository(asked, 0).mean();
    for (i, setting) in settings.iter().enumerate() {
        let all = by_repository(asked, i).mean();
        let mut line = format!("{:<32} {all:>7.4} {:>+8.4}", setting.name, all - base);
        for category in &categories {
            let mut groups = Groups::default();
            for one in asked.iter().filter(|a| a.question.category == *category) {
                groups.add(&one.question.repo, one.figures.get(i).copied().unwrap_or(0.0));
            }
            line.push_str(&format!("  {:.4}", groups.mean()));
        }
        println!("{line}");
    }
    let language: BTreeMap<&str, &str> =
        asked.iter().map(|a| (a.question.repo.as_str(), a.question.language.as_str())).collect();
    let mut languages = Groups::default();
    let mut line = String::new();
    for (repository, mean) in by_repository(asked, 0).means() {
        languages.add(language.get(repository).copied().unwrap_or_default(), mean);
        line.push_str(&format!("{repository} {mean:.3}  "));
    }
    println!("by repository: {line}");
    let line: Vec<String> = languages.means().map(|(name, mean)| format!("{name} {mean:.3}")).collect();
    println!("by language: {}", line.join("  "));
}

/// Prints the mean over repositories, each measured with the setting that is best on all others.
fn cross_validate(asked: &[QuestionResult<'_>], settings: &[Setting]) {
    let by_setting: Vec<BTreeMap<String, f64>> = (0..settings.len())
        .map(|i| by_repository(asked, i).means().map(|(name, mean)| (name.to_owned(), mean)).collect())
        .collect();
    let Some(first) = by_setting.first() else { return };
    let mut total = 0.0;
    let mut chosen: BTreeMap<&str, usize> = BTreeMap::new();
    for held_out in first.keys() {
        let others = |means: &BTreeMap<String, f64>| -> f64 {
            means.iter().filter(|(name, _)| *name != held_out).map(|(_, mean)| mean).sum()
        };
        let best = (0..settings.len())
            .max_by(|&a, &b| others(&by_setting[a]).total_cmp(&others(&by_setting[b])).then(b.cmp(&a)));
        let best = best.unwrap_or(0);
        total += by_setting[best].get(held_out).copied().unwrap_or(0.0);
        *chosen.entry(&settings[best].name).or_default() += 1;
    }
    println!("leave one repository out: {:.4} {chosen:?}", total / first.len().max(1) as f64);
}

fn misses(asked: &[QuestionResult<'_>]) {
    for one in asked.iter().filter(|a| a.figures.first().is_some_and(|&f| f < 0.5)) {
        let q = one.question;
        println!("── {} [{} {}] {:.2}: {}", q.id, q.repo, q.category, one.figures[0], q.query);
        for target in &q.targets {
            println!("   wanted {} {:?}", target.file, target.start.zip(target.end));
        }
        for (i, span) in one.found.iter().enumerate().take(6) {
            println!("   {} {} {:?}", i + 1, span.file, span.lines.unwrap_or_default());
        }
    }
}
