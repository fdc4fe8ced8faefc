//! Benchmark of commands about history, such as `log PATH:NAME` and `impact A..B`.
//!
//! Each run measures every command twice: without the cache of histories, and with what the first
//! time left there. The index is there in both. `doc/experiments/history.md` has the targets.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::machine::Machine;
use super::meter::{self, Usage};
use super::place::Place;
use super::report::{duration, median, table};

/// The directory of the cache in a repository.
const CACHE: &str = ".git/cora/trails";

/// Prints a table of what the commands take, as medians of `runs`.
pub(super) fn run(
    repositories: &[impl AsRef<Path>],
    binary: &Path,
    runs: usize,
    commands: &[String],
) -> Result<()> {
    println!("{}", Machine::describe(binary).text());
    for repository in repositories {
        let place = Place::new(repository.as_ref(), binary)?;
        let clone = place.clone("history", true)?;
        let head = ["command", "cold, CPU", "cold, elapsed", "warm, CPU", "warm, elapsed", "peak MB"];
        let mut lines = vec![head.map(str::to_owned)];
        for command in commands {
            lines.push(measure(&place, &clone, runs, command)?);
        }
        println!("\n### {}@{:.10}\n\n{}", place.name, place.commit, table(&lines));
    }
    Ok(())
}

/// Measures a command; returns its line of the table.
fn measure(place: &Place, clone: &Path, runs: usize, command: &str) -> Result<[String; 6]> {
    place.say(command);
    let words: Vec<&str> = ["git", "cora"].into_iter().chain(command.split_whitespace()).collect();
    let usage = || meter::run(place, clone, &words, &[0, 1]);
    // Makes the indexes.
    usage()?;
    let (mut cold, mut warm) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        let cache = clone.join(CACHE);
        if cache.exists() {
            std::fs::remove_dir_all(&cache).context("cannot remove the cache")?;
        }
        cold.push(usage()?);
        warm.push(usage()?);
    }
    let cpu = |all: &[Usage]| cell(all, |usage| usage.cpu_ms, duration);
    let wall = |all: &[Usage]| cell(all, |usage| Some(usage.wall_ms), duration);
    let peak = cell(&cold, |usage| usage.peak_mb, |mb| format!("{mb:.0}"));
    Ok([format!("`{command}`"), cpu(&cold), wall(&cold), cpu(&warm), wall(&warm), peak])
}

/// Returns the median of a figure; empty where the system does not report it.
fn cell(all: &[Usage], pick: fn(&Usage) -> Option<f64>, text: fn(f64) -> String) -> String {
    let numbers: Option<Vec<f64>> = all.iter().map(pick).collect();
    numbers.map_or_else(String::new, |numbers| text(median(&numbers)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_a_median_if_it_is_reported() {
        let usage = |wall_ms, peak_mb| Usage { wall_ms, cpu_ms: None, peak_mb };
        let all = [usage(5.0, Some(1.0)), usage(1.0, Some(1.0)), usage(2.0, Some(4.0))];
        assert_eq!(cell(&all, |usage| Some(usage.wall_ms), duration), "2.0 ms");
        assert_eq!(cell(&all, |usage| usage.cpu_ms, duration), "");
    }
}
