//! Benchmark of a commit of ten files: the delay that the hook adds, the index, the next query.
//!
//! Two clones get the same commits, in alternating order. The hooks are installed in one. In the
//! other, the benchmark runs `git cora index` itself so that it can time it. One query is timed
//! while the hook works in the background. After that, the benchmark waits until the hook has
//! ended, so that its work does not slow down other measurements.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use super::index::{copy_files, segments};
use super::parse::Corpus;
use super::place::Place;
use super::query::QUERIES;
use super::report::{Row, TargetValue, Unit};

/// Number of files that each commit changes.
const FILES: usize = 10;
/// Target: longest time to index such a commit, in milliseconds.
const TARGET_INDEX_MS: f64 = 100.0;
/// Target: longest delay that the hook adds to `git commit`, in milliseconds.
const TARGET_DELAY_MS: f64 = 10.0;
/// Longest time that a hook may work in the background before the benchmark fails.
const PATIENCE: Duration = Duration::from_secs(120);

pub(super) fn measure(place: &Place, segment: &Path, corpus: &Corpus, runs: usize) -> Result<Vec<Row>> {
    let files = chosen(corpus);
    let hooked = place.clone("hooked", true)?;
    let plain = place.clone("plain", true)?;
    for clone in [&hooked, &plain] {
        copy_files(segment, &segments(clone))?;
    }
    place.git(&hooked, &["cora", "init"])?;
    place.git(&plain, &["cora", "index"])?;
    for clone in [&hooked, &plain] {
        place.git(clone, &["status"])?;
    }
    place.say(&format!("committing, {runs} runs"));
    let query = |clone: &Path, text: &str| {
        place.time_search(place.command("git", clone).args(["cora", "query", "--rev", "HEAD", text]))
    };
    let commit = |clone: &Path| {
        place.time(place.command("git", clone).args(["commit", "--quiet", "--all", "--message", "bench"]))
    };
    let (mut with, mut without, mut index) = (vec![], vec![], vec![]);
    let (mut query_of_new, mut query_of_old, mut query_at_once) = (vec![], vec![], vec![]);
    for (run, (text, _)) in (0..runs).zip(QUERIES.iter().cycle()) {
        for clone in [&hooked, &plain] {
            change(clone, &files, run)?;
        }
        let mut in_hooked = || -> Result<()> {
            with.push(commit(&hooked)?);
            query_at_once.push(query(&hooked, text)?);
            wait(place, &hooked)
        };
        let mut in_plain = || -> Result<()> {
            query_of_old.push(query(&plain, text)?);
            without.push(commit(&plain)?);
            index.push(place.time(place.command("git", &plain).args(["cora", "index"]))?);
            query_of_new.push(query(&plain, text)?);
            Ok(())
        };
        // The order alternates, so that neither clone always benefits from warm caches.
        if run % 2 == 0 {
            in_hooked()?;
            in_plain()?;
        } else {
            in_plain()?;
            in_hooked()?;
        }
    }
    let row = |name: &str, ours, beside_name, beside, judged, target| Row {
        name: name.to_owned(),
        ours,
        beside_name,
        beside,
        unit: Unit::Milliseconds,
        judged,
        target,
        note: String::new(),
    };
    let n = files.len();
    Ok(vec![
        row(
            &format!("index after a commit of {n} files"),
            index,
            "",
            Vec::new(),
            TargetValue::Itself,
            Some(TARGET_INDEX_MS),
        ),
        row(
            &format!("git commit of {n} files with hooks"),
            with,
            "without hooks",
            without,
            TargetValue::Difference,
            Some(TARGET_DELAY_MS),
        ),
        row(
            "query --rev HEAD after that index",
            query_of_new,
            "before the commit",
            query_of_old.clone(),
            TargetValue::Ratio,
            None,
        ),
        row(
            "query --rev HEAD while the hook works",
            query_at_once,
            "before the commit",
            query_of_old,
            TargetValue::Ratio,
            None,
        ),
    ])
}

/// Returns [`FILES`] files, spread over the tree, to which a comment line can be appended.
pub(super) fn chosen(corpus: &Corpus) -> Vec<(PathBuf, &'static str)> {
    let fit: Vec<_> = corpus
        .texts
        .iter()
        .filter(|text| !text.language.comments().line.is_empty() && text.text.len() > 1000)
        .filter_map(|text| {
            let path = std::str::from_utf8(&text.entry.path).ok()?;
            Some((PathBuf::from(path), text.language.comments().line))
        })
        .collect();
    let step = (fit.len() / FILES).max(1);
    fit.into_iter().step_by(step).take(FILES).collect()
}

/// Appends a comment line to each file.
pub(super) fn change(clone: &Path, files: &[(PathBuf, &str)], run: usize) -> Result<()> {
    for (path, comment) in files {
        let mut file = fs::OpenOptions::new().append(true).open(clone.join(path))?;
        writeln!(file, "\n{comment} changed in run {run}")?;
    }
    Ok(())
}

/// Waits until the hook has indexed HEAD and ended.
pub(super) fn wait(place: &Place, clone: &Path) -> Result<()> {
    let head = place.git(clone, &["rev-parse", "HEAD"])?;
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        let refs = ["refs/cora", "refs/cora-local"].map(|prefix| format!("{prefix}/{head}"));
        let found = place.git(clone, &["for-each-ref", "--count=1", &refs[0], &refs[1]])?;
        if !found.is_empty() && is_idle(&clone.join(".git").join("cora"))? {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    bail!("the hook has not indexed {head} after {} s", PATIENCE.as_secs());
}

/// Returns whether no hook is running and none is scheduled to run again.
fn is_idle(cora: &Path) -> Result<bool> {
    if cora.join("hook-main.again").exists() {
        return Ok(false);
    }
    match File::options().write(true).open(cora.join("hook-main.lock")) {
        // Dropping the file releases the lock.
        Ok(lock) => match lock.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error.into()),
        },
        Err(_) => Ok(false),
    }
}
