//! Benchmark of indexing from scratch, compared with a bare parse of the same files.
//!
//! Input: the corpus of one repository. Output: the rows, and a copy of its segment, which later
//! benchmarks put into their clones so that they need not build it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use super::parse::Corpus;
use super::place::Place;
use super::report::{Row, TargetValue, Unit};

/// Target: longest time of indexing, as a multiple of a bare parse.
const TARGET: f64 = 2.0;

/// Returns the rows and a directory that holds the commit's segment, for clones that need one.
pub(super) fn measure(place: &Place, corpus: &Corpus, runs: usize) -> Result<(Vec<Row>, PathBuf)> {
    let segment = place.path("segment");
    let first = place.clone("fresh", false)?;
    place.git(&first, &["cora", "index"])?;
    copy_files(&segments(&first), &segment)?;
    corpus.parse();

    let (mut parse, mut read_and_parse, mut whole, mut records) = (vec![], vec![], vec![], vec![]);
    for run in 1..=runs {
        place.say(&format!("indexing, run {run} of {runs}"));
        let start = Instant::now();
        corpus.parse();
        parse.push(start.elapsed().as_secs_f64() * 1000.0);

        let fresh = place.clone("fresh", false)?;
        whole.push(place.time(place.command("git", &fresh).args(["cora", "index"]))?);

        let start = Instant::now();
        corpus.read_and_parse()?;
        read_and_parse.push(start.elapsed().as_secs_f64() * 1000.0);

        let fresh = place.clone("fresh", false)?;
        copy_files(&segment, &segments(&fresh))?;
        records.push(place.time(place.command("git", &fresh).args(["cora", "index"]))?);
    }
    let speed = |samples: &[f64]| {
        let seconds = super::report::median(samples) / 1000.0;
        format!("{:.1} MB/s", super::report::megabytes(corpus.bytes()) / seconds)
    };
    let row = |name: &str, ours: &[f64], beside_name, beside: &[f64]| Row {
        name: name.to_owned(),
        ours: ours.to_vec(),
        beside_name,
        beside: beside.to_vec(),
        unit: Unit::Milliseconds,
        judged: TargetValue::Ratio,
        target: None,
        note: speed(ours),
    };
    let rows = vec![
        Row { target: Some(TARGET), ..row("index from scratch", &whole, "parse", &parse) },
        row("index from scratch", &whole, "read and parse", &read_and_parse),
        row("index from scratch, with a cached segment", &records, "parse", &parse),
        row("index from scratch, with a cached segment", &records, "read and parse", &read_and_parse),
    ];
    Ok((rows, segment))
}

/// Returns the directory in which a clone stores its segments.
pub(super) fn segments(clone: &Path) -> PathBuf {
    clone.join(".git").join("cora").join("segments")
}

/// Copies the files of one directory into another.
pub(super) fn copy_files(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
