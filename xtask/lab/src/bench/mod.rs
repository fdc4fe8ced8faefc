//! `cargo xtask bench REPOSITORY…`: measures time, memory and size on real repositories.
//!
//! No time is judged alone. Each is compared with a well-known operation, measured in the same run
//! and in alternation with it, so that the ratio means something on any machine. A missed target is
//! marked but does not make the command fail. It works only in temporary clones. `doc/bench.md`
//! explains each row.

mod commit;
mod cpu;
mod index;
mod machine;
mod parse;
mod place;
mod query;
mod report;
mod size;
mod vectors;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};

use crate::tree;
use machine::Machine;
use place::Place;
use report::{RepositoryRows, Row};

/// Steps that take milliseconds run this many times as often as steps that take seconds.
const SHORT_FACTOR: usize = 4;

/// Stack size of a worker thread in bytes, the same as in the program.
const STACK_BYTES: usize = 8 << 20;

#[derive(Debug, clap::Args)]
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
    /// Measure what vectors cost instead, on all repositories together; the first one's index is timed.
    #[arg(long)]
    vectors: bool,
    /// With --vectors: the most chunks to measure with.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    chunks: usize,
    /// With --vectors: the most chunks to build a graph of neighbours of, at about a second for a thousand.
    #[arg(long, value_name = "N", default_value_t = 0)]
    graph: usize,
    /// Ask this segment and print the times.
    #[arg(long, hide = true, value_name = "SEGMENT")]
    one_process: Option<PathBuf>,
    /// The program to measure; without it, it is built first.
    #[arg(long, hide = true, value_name = "PATH")]
    binary: Option<PathBuf>,
}

/// Builds the program if no binary is given, then measures it.
pub(crate) fn run(options: &Options) -> Result<()> {
    if let Some(segment) = &options.one_process {
        return vectors::one_process(segment);
    }
    let Some(binary) = &options.binary else { return build_and_run(options) };
    rayon::ThreadPoolBuilder::new().stack_size(STACK_BYTES).build_global()?;
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

/// Builds the program and xtask for release, and runs the benchmark with the release build of
/// xtask.
///
/// The bare parse that indexing is compared with runs in xtask's process. A fair comparison needs
/// the same optimisation for both.
fn build_and_run(options: &Options) -> Result<()> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "--locked", "--package", "git-cora", "--package", "xtask"])
        .args(["--bins", "--message-format", "json-render-diagnostics"])
        .current_dir(tree::root())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    ensure!(output.status.success(), "cargo build: {}", output.status);
    let messages = String::from_utf8_lossy(&output.stdout);
    let status = Command::new(executable(&messages, "xtask")?)
        .args(["bench", "--runs", &options.runs.to_string()])
        .args(options.json.then_some("--json"))
        .args(options.vectors.then_some("--vectors"))
        .args(["--chunks", &options.chunks.to_string(), "--graph", &options.graph.to_string()])
        .arg("--binary")
        .arg(executable(&messages, "git-cora")?)
        .arg("--")
        .args(&options.repositories)
        .status()?;
    if !status.success() {
        bail!("the measurement failed: {status}");
    }
    Ok(())
}

/// Returns the path of a program from cargo's messages, which are one JSON object per line.
fn executable(messages: &str, name: &str) -> Result<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .with_context(|| format!("cargo did not say where it put '{name}'"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_cargos_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","target":{"name":"git-cora"},"executable":null}"#,
            "\nno json\n",
            r#"{"reason":"compiler-artifact","target":{"name":"git-cora"},"executable":"a/git-cora"}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        assert_eq!(executable(messages, "git-cora").unwrap(), PathBuf::from("a/git-cora"));
        assert!(executable(messages, "xtask").is_err());
    }
}
