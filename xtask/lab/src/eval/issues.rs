//! Sets of whole issues.
//!
//! Each line is a JSON object: `id`, `repo`, `language`, `fetch_repo`, `base_commit`, `query`,
//! `gold_files`, `gold_spans` (each `file`, `start_line`, `end_line`, `name`, `kind`),
//! `n_functions`, `scorable`. The metrics are shares of issues: all of an issue's files among the
//! first 1, 3, 5 or 10 files (acc@k), any of them (hit@k), and the same for its functions among the
//! first 1, 3, 5 or 10 chunks.

use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::time::Instant;

use anyhow::Result;
use serde::Deserialize;
use serde_json::json;

use git_cora::answer::LabelContext;
use git_cora::base::progress::{Cancel, NoProgress, Task};
use git_cora::search::commit_messages::CommitMessageSource;
use git_cora::search::query::weights::Weights;
use git_cora::search::query::{Hit, Query, SideSignals, search_weighted};
use git_cora::{Searcher, Session};

use super::calibrate::Samples;
use super::signals::{self, Scores};
use super::{Options, Setting, budget, joined, place, trial};

#[derive(Debug, Deserialize)]
pub(super) struct Issue {
    pub(super) id: String,
    repo: String,
    fetch_repo: String,
    pub(super) base_commit: String,
    pub(super) query: String,
    pub(super) gold_files: Vec<String>,
    #[serde(default)]
    pub(super) gold_spans: Vec<Gold>,
    scorable: bool,
    #[serde(default)]
    language: String,
    #[serde(default)]
    dataset: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Gold {
    pub(super) file: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) start_line: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) end_line: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub(super) name: String,
    pub(super) kind: String,
    /// Whether it answers as well as the others, so that it counts for "any" and is not needed for
    /// "all".
    #[serde(default)]
    also: bool,
    /// First and last line of each range that the fix changed.
    #[serde(default, deserialize_with = "or_default")]
    pub(super) edited: Vec<(u32, u32)>,
}

/// Reads `null` as the default value: a span outside any declaration has no name.
fn or_default<'de, D: serde::Deserializer<'de>, T: Deserialize<'de> + Default>(
    from: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

impl Issue {
    /// Whether a hit is in a file that answers.
    fn has_file(&self, hit: &Hit) -> bool {
        let of_spans = self.gold_spans.iter().map(|gold| &gold.file);
        self.gold_files.iter().chain(of_spans).any(|file| hit.path == file.as_bytes())
    }
}

/// Number of a repository's issues that are asked in another one, to learn what no answer looks
/// like.
const FOREIGN: usize = 40;

/// Number of hits requested: enough for ten files and ten functions.
const HITS: usize = 60;

/// Sums of the results with one setting; arrays are indexed as [`CUTS`].
#[derive(Debug, Default, Clone, Copy)]
struct SettingSums {
    n: f64,
    files: [f64; CUTS.len()],
    any: [f64; CUTS.len()],
    n_functions: f64,
    functions: [f64; CUTS.len()],
    any_function: [f64; CUTS.len()],
}

const CUTS: [usize; 4] = [1, 3, 5, 10];

/// Splits a symbol path into its parts; the last one is the symbol's own name.
pub(super) fn parts(name: &str) -> Vec<String> {
    let name = name.split('(').next().unwrap_or_default();
    let name = name.replace("::", ".").replace("->", ".").replace(['#', '/'], ".");
    name.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn names_agree(a: &str, b: &str) -> bool {
    let (a, b) = (parts(a), parts(b));
    let (Some(x), Some(y)) = (a.last(), b.last()) else { return false };
    x == y && (a.len() < 2 || b.len() < 2 || a[a.len() - 2] == b[b.len() - 2])
}

pub(super) fn meets(hit: &Hit, gold: &Gold) -> bool {
    if hit.path != gold.file.as_bytes() {
        return false;
    }
    let (start, end) = (hit.span.start_line, hit.span.end_line);
    let (low, high) = (start.max(gold.start_line), end.min(gold.end_line));
    if high < low {
        return false;
    }
    if names_agree(&hit.symbol, &gold.name) {
        return true;
    }
    let union = end.max(gold.end_line) - start.min(gold.start_line) + 1;
    f64::from(high - low + 1) / f64::from(union) >= 0.5
}

fn judge(reached: &mut SettingSums, issue: &Issue, hits: &[Hit]) -> bool {
    let mut files: Vec<&[u8]> = Vec::new();
    for hit in hits {
        if !files.contains(&hit.path.as_slice()) {
            files.push(&hit.path);
        }
    }
    reached.n += 1.0;
    let rank = |file: &String| files.iter().position(|f| *f == file.as_bytes()).unwrap_or(usize::MAX);
    let ranks: Vec<usize> = issue.gold_files.iter().map(rank).collect();
    for (i, cut) in CUTS.into_iter().enumerate() {
        reached.files[i] += f64::from(u8::from(ranks.iter().all(|&rank| rank < cut)));
        reached.any[i] += f64::from(u8::from(ranks.iter().any(|&rank| rank < cut)));
    }
    let functions: Vec<&Gold> = issue.gold_spans.iter().filter(|g| g.kind == "function").collect();
    if !functions.is_empty() {
        reached.n_functions += 1.0;
        let rank = |gold: &&Gold| hits.iter().position(|hit| meets(hit, gold)).unwrap_or(usize::MAX);
        let needed: Vec<usize> = functions.iter().filter(|gold| !gold.also).map(rank).collect();
        let any = functions.iter().map(rank).min().unwrap_or(usize::MAX);
        for (i, cut) in CUTS.into_iter().enumerate() {
            reached.functions[i] += f64::from(u8::from(needed.iter().all(|&rank| rank < cut)));
            reached.any_function[i] += f64::from(u8::from(any < cut));
        }
    }
    ranks.iter().all(|&rank| rank < 1)
}

fn line(reached: &SettingSums) -> String {
    let share =
        |x: [f64; CUTS.len()], n: f64| x.map(|x| format!("{:>5.1}", 100.0 * x / n.max(1.0))).join(" ");
    format!(
        "file acc@1/3/5/10 {} | any {} | function acc@1/3/5/10 {} | any {} (of {})",
        share(reached.files, reached.n),
        share(reached.any, reached.n),
        share(reached.functions, reached.n_functions),
        share(reached.any_function, reached.n_functions),
        reached.n_functions
    )
}

/// Returns the issues of a set that the options select.
fn selected(options: &Options, text: &str) -> Result<Vec<Issue>> {
    let mut issues: Vec<Issue> =
        text.lines().map(serde_json::from_str).collect::<Result<_, serde_json::Error>>()?;
    issues.retain(|i| {
        i.scorable
            && !i.gold_files.is_empty()
            && options.only.as_ref().is_none_or(|only| i.fetch_repo.contains(only))
    });
    // Evenly spread over the set, so that the selection represents the whole.
    if let Some(limit) = options.limit.filter(|&limit| limit < issues.len()) {
        let n = issues.len();
        let keep: std::collections::BTreeSet<usize> = (0..limit).map(|i| i * n / limit).collect();
        let mut at = 0..;
        issues.retain(|_| at.next().is_some_and(|i| keep.contains(&i)));
    }
    Ok(issues)
}

/// Asks the issues of one repository in another one, where nothing answers them.
fn ask_elsewhere(samples: &mut Samples, session: &Session, commit: &str, issues: &[&Issue]) -> Result<()> {
    let searcher = place::open(session, commit)?;
    let index = searcher.index();
    for issue in issues.iter().take(FOREIGN) {
        let beside = SideSignals { sources: Some(&searcher), ..SideSignals::default() };
        let answer = search_weighted(&index, &Query::new(&issue.query), beside, &Weights::default())?;
        samples.add(&issue.repo, answer.query_kind, &answer.hits, None);
    }
    Ok(())
}

fn by_repository(issues: &[Issue]) -> BTreeMap<&str, Vec<&Issue>> {
    let mut by_repository: BTreeMap<&str, Vec<&Issue>> = BTreeMap::new();
    for issue in issues {
        by_repository.entry(&issue.fetch_repo).or_default().push(issue);
    }
    by_repository
}

fn print_cost(issues: &[Issue], seconds: f64, searching: f64) {
    let n = issues.len().max(1) as f64;
    println!(
        "{} issues, {:.2} s each in all, {:.1} ms of it for one search",
        issues.len(),
        seconds / n,
        1000.0 * searching / n
    );
    let repos: std::collections::BTreeSet<&str> = issues.iter().map(|i| i.repo.as_str()).collect();
    println!("of {} repositories", repos.len());
}

pub(super) fn run(options: &Options, settings: &[Setting], samples: &mut Samples, text: &str) -> Result<()> {
    let issues = selected(options, text)?;
    let by_repository = by_repository(&issues);
    if options.trial {
        return trial::run(options, &by_repository);
    }
    if options.joined {
        return joined::run(options, &by_repository);
    }
    if !options.budget.is_empty() {
        return budget::run(options, &by_repository);
    }
    let mut all = vec![SettingSums::default(); settings.len()];
    let mut predictions =
        options.predictions.as_ref().map(std::fs::File::create).transpose()?.map(std::io::BufWriter::new);
    let started = Instant::now();
    let mut searching = 0.0;
    let mut scores = Scores::default();
    let lists: Vec<Vec<&Issue>> = by_repository.values().cloned().collect();
    for ((repository, issues), others) in by_repository.into_iter().zip(lists.iter().cycle().skip(1)) {
        let clone = place::clone(&options.repositories, &options.work, repository)?;
        let session = Session::open(&clone)?;
        let mut here = vec![SettingSums::default(); settings.len()];
        if let Some(first) = issues.first().filter(|_| options.calibrate) {
            ask_elsewhere(samples, &session, &first.base_commit, others)?;
        }
        for issue in issues {
            let searcher: Searcher = place::open(&session, &issue.base_commit)?;
            let index = searcher.index();
            let query = Query::new(&issue.query).with_limit(HITS);
            let history = git_cora::search::cache::commit_messages(
                &searcher,
                Task::new(&NoProgress, &Cancel::default()),
            )?;
            let beside = SideSignals {
                history: history.as_ref().map(|one| one as &dyn CommitMessageSource),
                sources: Some(&searcher),
                ..SideSignals::default()
            };
            let mut texts = HashMap::new();
            for (i, setting) in settings.iter().enumerate() {
                let before = Instant::now();
                let answer = search_weighted(&index, &query, beside, &setting.weights)?;
                searching += before.elapsed().as_secs_f64();
                let kind = answer.query_kind;
                let asked = LabelContext::new(&answer);
                let mut hits = answer.hits;
                for hit in &mut hits {
                    let text =
                        texts.entry(hit.path.clone()).or_insert_with(|| searcher.text(hit.path.as_ref()));
                    let named = text.as_deref().and_then(|text| asked.symbol(&index, hit, text));
                    hit.symbol = named.unwrap_or_else(|| hit.symbol.clone());
                }
                if options.calibrate && i == 0 {
                    samples.add(&issue.repo, kind, &hits, Some(&|hit| issue.has_file(hit)));
                }
                judge(&mut all[i], issue, &hits);
                if options.signals {
                    let values = signals::of_issue(issue, &hits);
                    let (set, language) =
                        (format!("set {}", issue.dataset), format!("language {}", issue.language));
                    for group in ["all", &set, &language] {
                        scores.add(group, "", i, &values);
                    }
                }
                let found = judge(&mut here[i], issue, &hits);
                if i > 0 {
                    continue;
                }
                if options.misses && !found {
                    println!("── {} {:?}", issue.id, issue.query.lines().next().unwrap_or_default());
                    println!("   wanted {:?}", issue.gold_files);
                    for hit in hits.iter().take(5) {
                        println!("   {:.3} {} {}", hit.score, hit.path, hit.symbol);
                    }
                }
                if let Some(out) = &mut predictions {
                    let ranked: Vec<_> = hits
                        .iter()
                        .map(|h| {
                            json!({"file": h.path.to_string(), "start": h.span.start_line,
                                   "end": h.span.end_line, "name": h.symbol})
                        })
                        .collect();
                    writeln!(out, "{}", json!({"id": issue.id, "ranked": ranked}))?;
                }
            }
        }
        println!("  {repository} ({}): {}", here[0].n, line(&here[0]));
    }
    scores.print(settings);
    for (setting, reached) in settings.iter().zip(&all) {
        println!("{:<32} {}", setting.name, line(reached));
    }
    print_cost(&issues, started.elapsed().as_secs_f64(), searching / settings.len() as f64);
    Ok(())
}
