//! `cargo xtask eval`: measures the quality of answers, on queries with known answers.
//!
//! Reads sets of queries, whose formats are described in each set's module. Indexes the
//! repositories in clones of its own, searches, and prints the metrics that the sets' authors use.
//! One run can measure several settings of the weights: `--set` changes one, `--sweep` tries
//! values, `--ablate` removes one part of the ranking at a time.

mod budget;
mod calibrate;
mod functions;
mod issues;
mod joined;
mod metrics;
pub(crate) mod place;
mod questions;
mod signals;
mod trial;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;

use git_cora::index::embed::encoder::Encoder;
use git_cora::search::query::weights::Weights;

/// Options of `eval`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Sets to ask: files of JSON lines, or what `train sets` wrote.
    #[arg(required = true, value_name = "SET")]
    sets: Vec<PathBuf>,
    /// Folder with clones or mirrors of the repositories, `owner+name` or `owner+name/repo`.
    #[arg(long, value_name = "DIR")]
    repositories: PathBuf,
    /// Folder for clones and their indexes; kept, so that the next run need not index again.
    #[arg(long, value_name = "DIR", default_value = "target/eval")]
    work: PathBuf,
    /// Use this encoder, which `train encoder` wrote, in place of the built-in one.
    #[arg(long, value_name = "FILE")]
    encoder: Option<PathBuf>,
    /// Set a weight, such as `meaning=0.4` or `fields.symbol=3`.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Measure with each of several values of a weight, such as `meaning=0.3,0.5,0.7`.
    #[arg(long, value_name = "NAME=VALUE,…")]
    sweep: Vec<String>,
    /// Measure without each part of the ranking, one part at a time.
    #[arg(long)]
    ablate: bool,
    /// Print every metric of the sets' scorers, by language and kind, for words alone, vectors
    /// alone, and both.
    #[arg(long, conflicts_with_all = ["sweep", "ablate", "cross_validate", "budget"])]
    signals: bool,
    /// For each repository, choose weights on all others, and measure on this one.
    #[arg(long)]
    cross_validate: bool,
    /// Learn the relevance of hits from the sets, and print how well it is calibrated.
    #[arg(long, conflicts_with_all = ["budget", "trial"])]
    calibrate: bool,
    /// Ask only this number of queries of each set, from its start.
    #[arg(long)]
    limit: Option<usize>,
    /// Ask only about repositories whose name contains this.
    #[arg(long)]
    only: Option<String>,
    /// For sets of issues: measure the view for language models with each of these budgets, in
    /// tokens.
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    budget: Vec<usize>,
    /// With `--budget`: measure the map for the issue in place of the view.
    #[arg(long, requires = "budget")]
    map: bool,
    /// For sets of issues: join the titles of two issues of a repository into one question. For
    /// each budget, measure how often `git cora ask --extractive` has evidence for both issues,
    /// compared with a single query.
    #[arg(long, requires = "budget")]
    joined: bool,
    /// For sets of issues: count the tokens that an agent reads until it has the functions of an
    /// issue, by search and by grep.
    #[arg(long)]
    trial: bool,
    /// Print each query whose first result is not an answer, with its results.
    #[arg(long)]
    misses: bool,
    /// Write the predictions with the first setting to this file, in the form that the scorers of
    /// the sets read.
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,
}

/// Weights with a name.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) name: String,
    pub(crate) weights: Weights,
}

/// The parts that `--ablate` removes: name, then the weights and their values without that part.
const PARTS: [(&str, &[(&str, f64)]); 24] = [
    (
        "words alone",
        &[("meaning", 0.0), ("unsaid", 0.0), ("long.meaning", 0.0), ("rerank", 0.0), ("long.rerank", 0.0)],
    ),
    ("meaning instead of words", &[("meaning", 1.0), ("unsaid", 0.0), ("long.meaning", 1.0)]),
    ("no comparison word by word", &[("rerank", 0.0), ("long.rerank", 0.0)]),
    ("no strings of messages", &[("said", 0.0), ("long.said", 0.0)]),
    ("no more meaning for what is not said", &[("unsaid", 0.0)]),
    ("no preference for functions", &[("function_within", 0.0)]),
    ("no stem share", &[("stem_share", 0.0)]),
    ("no path share", &[("path_share", 0.0)]),
    ("no coverage", &[("coverage", 0.0)]),
    ("no definition", &[("definition", 0.0)]),
    ("no coherence", &[("coherence", 0.0)]),
    ("no references", &[("graph", 0.0)]),
    ("no history", &[("history", 0.0), ("long.history", 0.0)]),
    ("no short forms", &[("short_form", 0.0)]),
    ("no demotion of tests", &[("test", 1.0)]),
    ("no demotion of examples", &[("example", 1.0)]),
    ("no demotion of vendored code", &[("vendored", 1.0)]),
    (
        "no fields",
        &[("fields.symbol", 1.0), ("fields.scope", 1.0), ("fields.stem", 1.0), ("fields.directory", 1.0)],
    ),
    ("no compounds", &[("compound", 0.0)]),
    ("no whole words", &[("word", 0.0)]),
    ("no named paths", &[("named_path", 0.0)]),
    ("no demotion of prose", &[("prose", 1.0)]),
    ("no demotion of heads", &[("head", 1.0)]),
    ("no demotion of typings", &[("typings", 1.0)]),
];

fn set(weights: &mut Weights, assignment: &str) -> Result<()> {
    let (name, value) = assignment.split_once('=').context("a weight is set as NAME=VALUE")?;
    ensure!(weights.set(name, value.parse()?), "there is no weight '{name}'");
    Ok(())
}

fn settings(options: &Options) -> Result<Vec<Setting>> {
    let mut weights = Weights::default();
    options.set.iter().try_for_each(|assignment| set(&mut weights, assignment))?;
    if options.signals {
        return signals::settings(&weights);
    }
    let mut settings = vec![Setting { name: "as set".to_owned(), weights: weights.clone() }];
    for sweep in &options.sweep {
        let (name, values) = sweep.split_once('=').context("a sweep is NAME=VALUE,…")?;
        for value in values.split(',') {
            let mut weights = weights.clone();
            // `a+b=…` changes several weights together.
            for name in name.split('+') {
                set(&mut weights, &format!("{name}={value}"))?;
            }
            settings.push(Setting { name: format!("{name}={value}"), weights });
        }
    }
    if options.ablate {
        for (name, changes) in PARTS {
            let mut weights = weights.clone();
            for (weight, value) in changes {
                ensure!(weights.set(weight, *value), "there is no weight '{weight}'");
            }
            settings.push(Setting { name: name.to_owned(), weights });
        }
    }
    Ok(settings)
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let settings = settings(options)?;
    std::fs::create_dir_all(&options.work)?;
    let bytes = options
        .encoder
        .as_ref()
        .map(|path| std::fs::read(path).with_context(|| format!("can't read '{}'", path.display())));
    let bytes = bytes.transpose()?;
    let encoder = bytes.as_deref().map(Encoder::open).transpose().map_err(anyhow::Error::msg)?;
    let mut samples = calibrate::Samples::default();
    let mut functions = functions::Sets::default();
    for path in &options.sets {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("can't read '{}'", path.display()))?;
        println!("{}", path.display());
        let first = text.lines().next().unwrap_or_default();
        if path.extension().is_some_and(|extension| extension == "json") {
            functions.ask(options, &settings, encoder.as_ref(), path, &text)?;
        } else if first.contains("\"targets\"") {
            questions::run(options, &settings, &mut samples, encoder.as_ref(), &text)?;
        } else if first.contains("\"gold_spans\"") {
            issues::run(options, &settings, &mut samples, &text)?;
        } else {
            bail!("'{}' is not a set of a known form", path.display());
        }
    }
    functions.finish(&settings);
    samples.print();
    Ok(())
}
