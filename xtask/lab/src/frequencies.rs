//! `frequencies`: cached segments → the commonest frequencies of a term in a chunk.
//!
//! Prints the rows of the table in `src/search/segment/frequencies.rs`, commonest first. Each
//! segment counts alike, whatever its size. Lists of one posting don't count: most of them are in
//! the dictionary, where all rows take as much. Another table is another version of a segment.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;

use git_cora::search::segment::{N_FIELDS, Segment};

/// Options of `frequencies`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Segments, as `.git/cora/segments` has them.
    #[arg(required = true, value_name = "SEGMENT")]
    segments: Vec<PathBuf>,
    /// Number of rows.
    #[arg(long, default_value_t = 262)]
    rows: usize,
}

/// Prints the rows; on standard error, the share of all postings that they cover.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut shares: BTreeMap<[u8; N_FIELDS], f64> = BTreeMap::new();
    for path in &options.segments {
        let (counts, n) = count(path).with_context(|| format!("can't read '{}'", path.display()))?;
        for (frequencies, count) in counts {
            *shares.entry(frequencies).or_default() += count as f64 / n as f64;
        }
    }
    let mut rows: Vec<([u8; N_FIELDS], f64)> = shares.into_iter().collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    rows.truncate(options.rows);
    for (frequencies, _) in &rows {
        println!("    {frequencies:?},");
    }
    let covered =
        |n: usize| rows.iter().take(n).map(|row| row.1).sum::<f64>() / options.segments.len() as f64;
    eprintln!("covered: {:.3} by the first 7 rows, {:.3} by all", covered(7), covered(rows.len()));
    Ok(())
}

/// Returns how often frequencies occur in a segment, and the number of its postings.
fn count(path: &std::path::Path) -> Result<(BTreeMap<[u8; N_FIELDS], u64>, u64)> {
    let segment = Segment::open(path)?;
    let names = segment.term_names()?;
    let mut counts = BTreeMap::new();
    let mut n = 0;
    let lists = segment.postings(names.iter().map(String::as_str))?;
    for posting in lists.into_iter().filter(|list| list.n_declared() > 1).flatten() {
        *counts.entry(posting.frequencies).or_default() += 1;
        n += 1;
    }
    Ok((counts, n))
}
