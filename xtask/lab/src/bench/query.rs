//! Benchmark of one query, from process start to end, compared with one pass of ripgrep over the
//! files.
//!
//! Each run measures every query once, alternating with ripgrep. Without ripgrep the times are
//! reported alone.

use std::path::Path;

use anyhow::Result;

use xtask_lab::product;

use super::index::{copy_files, segments};
use super::place::Place;
use super::report::{Row, TargetValue, Unit, median};

/// Queries of one to six words that match something in any repository, each with the word that
/// ripgrep counts.
pub(super) const QUERIES: [(&str, &str); 6] = [
    ("error", "error"),
    ("open connection", "connection"),
    ("parse configuration file", "configuration"),
    ("retry request after timeout", "timeout"),
    ("where are messages written to", "messages"),
    ("how is stale metadata cache refreshed", "metadata"),
];

/// Target: longest time of a query of a commit, in passes of ripgrep.
const TARGET: f64 = 1.0;
/// A query of the work tree may take this many runs of `git status` on top.
const STATUS_FACTOR: f64 = 1.3;

pub(super) fn measure(place: &Place, segment: &Path, runs: usize) -> Result<Vec<Row>> {
    let clone = place.clone("query", true)?;
    copy_files(segment, &segments(&clone))?;
    place.git(&clone, &["cora", "index"])?;
    let has_rg = product::is_installed("rg", &["--version"]);
    if !has_rg {
        place.say("ripgrep is not installed, so queries are compared with nothing; 'cargo install ripgrep', or see https://github.com/BurntSushi/ripgrep#installation");
    }

    let times = |args: &[&str]| place.time_search(place.command("git", &clone).args(args));
    let of_commit = |query: &str| times(&["cora", "query", "--rev", "HEAD", query]);
    let of_worktree = |query: &str| times(&["cora", "query", query]);
    let pass = |word: &str| -> Result<f64> {
        // Without a path, ripgrep would read standard input.
        if has_rg {
            place.time_search(place.command("rg", &clone).args(["-c", "--", word, "."]))
        } else {
            Ok(0.0)
        }
    };
    for (query, word) in QUERIES {
        of_commit(query)?;
        of_worktree(query)?;
        pass(word)?;
        times(&["status"])?;
    }
    let mut each: Vec<Times> = QUERIES.iter().map(|_| Times::default()).collect();
    place.say(&format!("querying, {runs} runs"));
    for _ in 0..runs {
        for ((query, word), times_of) in QUERIES.iter().zip(&mut each) {
            let rg = pass(word)?;
            times_of.commit.push(of_commit(query)?);
            let status = times(&["status"])?;
            times_of.worktree.push(of_worktree(query)?);
            times_of.rg.push(rg);
            times_of.rg_and_status.push(rg + STATUS_FACTOR * status);
        }
    }

    let mut rows = Vec::new();
    let commit = (|times: &Times| (times.commit.clone(), times.rg.clone())) as TimeSelector;
    let worktree = (|times: &Times| (times.worktree.clone(), times.rg_and_status.clone())) as TimeSelector;
    for (what, beside_name, pick) in [
        ("query --rev HEAD", "rg -c", commit),
        ("query of the working tree", "rg -c + 1.3 git status", worktree),
    ] {
        let all: Vec<Pair> = each.iter().map(pick).collect();
        let row = |name: String, (ours, beside): Pair, note: String| Row {
            name,
            ours,
            beside_name,
            beside: if has_rg { beside } else { Vec::new() },
            unit: Unit::Milliseconds,
            judged: TargetValue::Ratio,
            target: has_rg.then_some(TARGET),
            note,
        };
        rows.push(row(format!("{what}, mean of {}", QUERIES.len()), mean(&all), String::new()));
        let share = |(ours, beside): &Pair| median(ours) / median(beside).max(f64::MIN_POSITIVE);
        let slowest = all.iter().zip(QUERIES).max_by(|(a, _), (b, _)| share(a).total_cmp(&share(b)));
        if let Some((pair, (query, word))) = slowest {
            rows.push(row(format!("{what}, slowest"), pair.clone(), format!("'{query}' against '{word}'")));
        }
    }
    Ok(rows)
}

/// Times of one query in milliseconds, one entry per run.
#[derive(Default)]
struct Times {
    commit: Vec<f64>,
    worktree: Vec<f64>,
    rg: Vec<f64>,
    rg_and_status: Vec<f64>,
}

/// Our times and those of the comparison, run by run.
type Pair = (Vec<f64>, Vec<f64>);

type TimeSelector = fn(&Times) -> Pair;

/// Returns the mean over the queries, for each run.
fn mean(all: &[Pair]) -> Pair {
    let runs = all.iter().map(|(ours, _)| ours.len()).min().unwrap_or_default();
    let n = all.len().max(1) as f64;
    let of = |pick: fn(&Pair) -> &Vec<f64>| {
        (0..runs).map(|run| all.iter().filter_map(|pair| pick(pair).get(run)).sum::<f64>() / n).collect()
    };
    (of(|pair| &pair.0), of(|pair| &pair.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_have_one_to_six_words() {
        let lengths: Vec<_> = QUERIES.iter().map(|(query, _)| query.split(' ').count()).collect();
        assert_eq!(lengths, [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn the_mean_is_taken_run_by_run() {
        let all = [(vec![1.0, 2.0], vec![3.0, 5.0]), (vec![3.0, 4.0], vec![5.0, 7.0])];
        assert_eq!(mean(&all), (vec![2.0, 3.0], vec![4.0, 6.0]));
    }
}
