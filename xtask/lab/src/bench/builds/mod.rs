//! Several builds of the program, measured in turn in one run: is the new one as fast as the old?
//!
//! Each build has clones of its own, so none sees the index or the cache of another. In each round,
//! all builds take the same step before the next step begins, and the order of the builds is
//! reversed from one round to the next (A B, B A, A B, …). What slows the machine down for a while
//! then slows all builds down. The first round warms up caches and is not counted.
//!
//! An old build may lack something. A step that fails is reported once and left out for that build.

mod report;
mod steps;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::SHORT_FACTOR;
use super::machine::Machine;
use super::meter::Usage;
use super::parse::Corpus;
use super::place::Place;
use report::{Build, Repository};

/// A step of the measurement: one command, run by each build in each round.
#[derive(Debug, Clone)]
struct Step {
    name: String,
    /// The usages of each build, one per round. Empty for a build that can't take the step.
    usages: Vec<Vec<Usage>>,
    /// Whether the step failed with this build.
    has_failed: Vec<bool>,
}

/// All steps on one repository, in the order in which they were first taken.
struct Steps {
    n_builds: usize,
    all: Vec<Step>,
}

impl Steps {
    /// Returns whether a step has failed with a build, so that it need not be tried again.
    fn has_failed(&self, build: usize, name: &str) -> bool {
        self.all.iter().any(|step| step.name == name && step.has_failed[build])
    }

    /// Records what a step took in a round, or that it failed. Only the first failure of a step is
    /// printed.
    fn record(&mut self, round: usize, build: usize, name: &str, usage: Result<Usage>) {
        let at = self.all.iter().position(|step| step.name == name).unwrap_or_else(|| {
            self.all.push(Step {
                name: name.to_owned(),
                usages: vec![Vec::new(); self.n_builds],
                has_failed: vec![false; self.n_builds],
            });
            self.all.len() - 1
        });
        let step = &mut self.all[at];
        match usage {
            Ok(usage) if round > 0 && !step.has_failed[build] => step.usages[build].push(usage),
            Ok(_) => {}
            Err(error) => {
                if !step.has_failed[build] {
                    eprintln!("{} can't do '{name}': {error:#}", report::label(build));
                }
                step.has_failed[build] = true;
                step.usages[build].clear();
            }
        }
    }
}

/// Compares the builds on each repository and prints a table, or JSON with every measurement.
///
/// # Errors
/// If a repository can't be cloned, and if a build can't index it.
pub(super) fn run(repositories: &[PathBuf], binaries: &[PathBuf], runs: usize, is_json: bool) -> Result<()> {
    let binaries: Vec<PathBuf> = binaries
        .iter()
        .map(|path| {
            let found = path.canonicalize().with_context(|| format!("no program '{}'", path.display()))?;
            // Git runs 'git cora' under this name only.
            let is_named = found.file_stem().is_some_and(|name| name == "git-cora");
            ensure!(is_named, "'{}' is not called 'git-cora'", path.display());
            Ok(found)
        })
        .collect::<Result<_>>()?;
    let machine = binaries.first().map(|first| Machine::describe(first)).context("no build")?;
    let builds: Vec<Build> = binaries.iter().map(|path| Build::describe(path)).collect();
    let mut measured = Vec::new();
    for repository in repositories {
        let one = measure(repository, &binaries, runs)
            .with_context(|| format!("cannot measure on '{}'", repository.display()))?;
        if !is_json {
            if measured.is_empty() {
                println!("{}\n\n{}", machine.text(), report::legend(&builds));
            }
            println!("{}", one.text());
        }
        measured.push(one);
    }
    if is_json {
        println!("{}", report::json(&machine, &builds, &measured));
    }
    Ok(())
}

fn measure(repository: &Path, binaries: &[PathBuf], runs: usize) -> Result<Repository> {
    let places: Vec<Place> =
        binaries.iter().map(|binary| Place::new(repository, binary)).collect::<Result<_>>()?;
    let first = places.first().context("no build")?;
    first.say("reading the files");
    let corpus = Corpus::read(first)?;
    let mut steps = Steps { n_builds: places.len(), all: Vec::new() };
    let sizes = steps::index(&places, &mut steps, runs)?;
    steps::query(&places, &mut steps, runs * SHORT_FACTOR)?;
    steps::commit(&places, &corpus, &mut steps, runs * SHORT_FACTOR)?;
    Ok(Repository { name: first.name.clone(), commit: first.commit.clone(), steps: steps.all, sizes })
}

/// Returns the order in which the builds take their turn in a round.
fn order(n_builds: usize, round: usize) -> Vec<usize> {
    let forward = 0..n_builds;
    if round.is_multiple_of(2) { forward.collect() } else { forward.rev().collect() }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn builds_alternate() {
        let turns = |n, rounds| (0..rounds).flat_map(|round| order(n, round)).collect::<Vec<_>>();
        assert_eq!(turns(2, 4), [0, 1, 1, 0, 0, 1, 1, 0]);
        assert_eq!(turns(3, 2), [0, 1, 2, 2, 1, 0]);
        assert_eq!(turns(1, 2), [0, 0]);
    }

    #[test]
    fn the_first_round_and_failures_are_left_out() {
        let usage = |wall_ms| Usage { wall_ms, cpu_ms: None, peak_mb: None };
        let mut steps = Steps { n_builds: 2, all: Vec::new() };
        for round in 0..3 {
            steps.record(round, 0, "a", Ok(usage(round as f64)));
            let of_second = if round == 1 { Err(anyhow!("unknown option")) } else { Ok(usage(5.0)) };
            steps.record(round, 1, "a", of_second);
            steps.record(round, 1, "b", Ok(usage(7.0)));
        }
        assert!(steps.has_failed(1, "a") && !steps.has_failed(0, "a") && !steps.has_failed(1, "b"));
        let names: Vec<_> = steps.all.iter().map(|step| step.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(steps.all[0].usages, [vec![usage(1.0), usage(2.0)], vec![]]);
        assert_eq!(steps.all[1].usages, [vec![], vec![usage(7.0), usage(7.0)]]);
    }
}
