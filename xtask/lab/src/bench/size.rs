//! Benchmark of the peak memory of indexing, and of the index's size on disk compared with its
//! source.
//!
//! The peak is read from `/proc` while the program runs; other systems report none.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::index::segments;
use super::place::Place;
use super::report::{Row, TargetValue, Unit, megabytes};

/// Target: peak memory of indexing, in MB.
const TARGET_MEMORY_MB: f64 = 400.0;
/// Target: size of a packed index, as a share of the indexed source.
const TARGET_SIZE: f64 = 0.35;
/// Interval at which the peak is read. Only growth within the last interval can be missed.
const POLL: Duration = Duration::from_millis(2);

pub(super) fn measure(place: &Place) -> Result<Vec<Row>> {
    place.say("memory and size");
    let mut rows = Vec::new();
    let clone = place.clone("size", false)?;
    let packs = clone.join(".git").join("objects").join("pack");
    let before = bytes_in(&packs)?;
    let peak = peak_memory(place, &clone)?;
    match peak {
        Some(bytes) => rows.push(row("peak memory of indexing", bytes, None, Some(TARGET_MEMORY_MB))),
        None => place.say("the peak memory of a process is read from /proc, which is not here"),
    }
    let written = bytes_in(&packs)?.saturating_sub(before);
    let stats: serde_json::Value =
        serde_json::from_str(&place.git(&clone, &["cora", "stats", "--json"])?).context("stats")?;
    let source = stats["source_bytes"].as_u64().context("'stats --json' has no source_bytes")?;
    let source = usize::try_from(source)?;

    // A repository with the index alone, because its share of a mixed pack cannot be measured.
    let alone = place.path("alone.git");
    if alone.exists() {
        fs::remove_dir_all(&alone)?;
    }
    place.git(&place.path(""), &["init", "--quiet", "--bare", "alone.git"])?;
    let refs = ["+refs/cora/*:refs/cora/*", "+refs/cora-local/*:refs/cora-local/*"];
    place.git(&alone, &["fetch", "--quiet", &clone.to_string_lossy(), refs[0], refs[1]])?;
    place.git(&alone, &["gc", "--quiet", "--prune=now"])?;
    let collected = bytes_in(&alone.join("objects").join("pack"))?;

    rows.push(row("packed index as written", written, Some(source), Some(TARGET_SIZE)));
    rows.push(row("packed index after git gc", collected, Some(source), Some(TARGET_SIZE)));
    rows.push(row("segment in the cache", bytes_in(&segments(&clone))?, Some(source), None));
    Ok(rows)
}

fn row(name: &str, bytes: usize, source: Option<usize>, target: Option<f64>) -> Row {
    Row {
        name: name.to_owned(),
        ours: vec![megabytes(bytes)],
        beside_name: if source.is_some() { "source" } else { "" },
        beside: source.map(megabytes).into_iter().collect(),
        unit: Unit::Megabytes,
        judged: if source.is_some() { TargetValue::Ratio } else { TargetValue::Itself },
        target,
        note: String::new(),
    }
}

/// Runs the indexer and returns the peak memory of the process in bytes; `None` where the system
/// does not report it. Mapped files count while they are resident.
fn peak_memory(place: &Place, clone: &Path) -> Result<Option<usize>> {
    let mut command = place.command(&place.binary, clone);
    let mut child = command.args(["index", "--quiet"]).stdout(Stdio::null()).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    let exit = loop {
        peak = peak.max(fs::read_to_string(&status).ok().and_then(|text| high_water_mark(&text)));
        if let Some(exit) = child.try_wait()? {
            break exit;
        }
        std::thread::sleep(POLL);
    };
    ensure!(exit.success(), "git-cora index: {exit}");
    Ok(peak)
}

/// Reads `VmHWM` from the text of `/proc/PID/status` and returns it in bytes.
fn high_water_mark(status: &str) -> Option<usize> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// Returns the total size of the files in a directory in bytes; 0 if the directory does not exist.
pub(super) fn bytes_in(dir: &Path) -> Result<usize> {
    let mut sum = 0;
    for entry in fs::read_dir(dir).into_iter().flatten() {
        sum += usize::try_from(entry?.metadata()?.len())?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_read() {
        assert_eq!(high_water_mark("Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t 1 kB\n"), Some(2 << 20));
        assert_eq!(high_water_mark("Name:\tx\n"), None);
    }
}
