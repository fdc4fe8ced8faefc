//! `cargo xtask bench REPOSITORY…`: measures time, memory and size on real repositories.
//!
//! No time is judged alone. Each is compared with a well-known operation, measured in the same run
//! and in alternation with it, so that the ratio means something on any machine. A missed target is
//! marked but does not make the command fail. It works only in temporary clones. `doc/bench.md`
//! explains each row.
//!
//! With several builds of the program, `builds` compares these with each other instead.

mod builds;
mod commit;
mod cpu;
mod history;
mod index;
mod machine;
mod meter;
mod parse;
mod place;
mod query;
mod report;
mod size;
mod vectors;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use machine::Machine;
use place::Place;
use report::{RepositoryRows, Row};
use xtask_lab::product;

/// Steps that take milliseconds run this many times as often as steps that take seconds.
const SHORT_FACTOR: usize = 4;

/// Stack size of a worker thread in bytes, the same as in the program.
const STACK_BYTES: usize = 8 << 20;

#[derive(Debug, clap::Args)]
#[command(after_long_help = "With '--binary OLD --binary NEW', the builds are compared with each \
other: each step is measured with both in turn, and the CPU time counts.")]
pub(crate) struct Options {
    /// Repositories to measure on. They are cloned and not changed.
    #[arg(required_unless_present = "one_process", value_name = "REPOSITORY")]
    repositories: Vec<PathBuf>,
    /// How often each long step is measured.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    runs: u16,
    /// Print every single measurement as JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Measure what vectors cost instead, on all repositories together. The time of indexing is
    /// that of the first repository alone.
    #[arg(long)]
    vectors: bool,
    /// With --vectors: maximum number of chunks to measure with.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    chunks: usize,
    /// With --vectors: maximum number of chunks in a graph of neighbours. Building it takes about a
    /// second per thousand chunks.
    #[arg(long, value_name = "N", default_value_t = 0)]
    graph: usize,
    /// Measure this command of 'git cora' instead, such as 'log PATH:NAME', without the cache of
    /// histories and with it. May be repeated.
    #[arg(long, value_name = "COMMAND")]
    history: Vec<String>,
    /// Ask this segment and print the times.
    #[arg(long, hide = true, value_name = "SEGMENT")]
    one_process: Option<PathBuf>,
    /// Run this command once and print what it took.
    #[arg(long, hide = true)]
    meter: bool,
    /// Build of the program to measure; without it, the program is built first. Repeat it to
    /// compare builds with the first one. Each file must be called 'git-cora'.
    #[arg(long, value_name = "PATH")]
    binary: Vec<PathBuf>,
}

/// Builds the program if no binary is given, then measures it.
///
/// The bare parse that indexing is compared with runs in this process, and an unoptimised parse
/// would flatter indexing. So this program has to be a release build, as the measured one.
pub(crate) fn run(options: &Options) -> Result<()> {
    if let Some(segment) = &options.one_process {
        return vectors::one_process(segment);
    }
    if options.meter {
        return meter::one_command(&options.repositories);
    }
    ensure!(!cfg!(debug_assertions), "not a release build\nhint: run 'cargo xtask bench'");
    rayon::ThreadPoolBuilder::new().stack_size(STACK_BYTES).build_global()?;
    if options.binary.len() > 1 {
        ensure!(!options.vectors, "--vectors measures one build, not {}", options.binary.len());
        return builds::run(&options.repositories, &options.binary, usize::from(options.runs), options.json);
    }
    let binary = &options.binary.first().cloned().map_or_else(product::build, Ok)?;
    if !options.history.is_empty() {
        let runs = usize::from(options.runs);
        return history::run(&options.repositories, binary, runs, &options.history);
    }
    if options.vectors {
        let runs = usize::from(options.runs);
        return vectors::run(
            &options.repositories,
            binary,
            runs,
            [options.chunks, options.graph],
            options.json,
        );
    }
    let machine = Machine::describe(binary);
    let mut measured = Vec::new();
    for repository in &options.repositories {
        let one = measure(repository, binary, usize::from(options.runs))
            .with_context(|| format!("cannot measure on '{}'", repository.display()))?;
        if !options.json {
            if measured.is_empty() {
                println!("{}", machine.text());
            }
            println!("{}", one.text());
        }
        measured.push(one);
    }
    if options.json {
        println!("{}", report::json(&machine, &measured));
    }
    Ok(())
}

fn measure(repository: &Path, binary: &Path, runs: usize) -> Result<RepositoryRows> {
    let place = Place::new(repository, binary)?;
    place.say("reading the files");
    let corpus = parse::Corpus::read(&place)?;
    let mut rows: Vec<Row> = Vec::new();
    let (index_rows, segment) = index::measure(&place, &corpus, runs)?;
    rows.extend(index_rows);
    rows.extend(query::measure(&place, &segment, runs * SHORT_FACTOR)?);
    rows.extend(commit::measure(&place, &segment, &corpus, runs * SHORT_FACTOR)?);
    rows.extend(size::measure(&place)?);
    Ok(RepositoryRows {
        repository: place.name.clone(),
        commit: place.commit.clone(),
        n_files: corpus.n_files,
        n_parsed: corpus.texts.len(),
        parsed_bytes: corpus.bytes(),
        rows,
    })
}
