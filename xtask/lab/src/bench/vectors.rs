//! `cargo xtask bench --vectors REPOSITORY…`: measures the cost of vectors and the recall of their
//! search.
//!
//! All chunks of the repositories' HEADs go into one segment. For each measured size, files are
//! taken in the order of a hash of their path, so that any part is a mixture of all repositories.
//! If there are too few, files are taken again under other folders, whose names change their
//! vectors; the table says how many. Each run starts this program again, so that opening and the
//! first query are those of a one-shot process.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use git_cora::Session;
use git_cora::base::progress::{Cancel, NoProgress, Task};
use git_cora::base::text::identifier;
use git_cora::git::Blob;
use git_cora::index::embed::{self, Bag, DIMENSIONS, Side, encoder};
use git_cora::index::record::{OpenRecord, RecordView, Scratch, limits};
use git_cora::search::query;
use git_cora::search::segment::{Embedding, Index, Neighbours, Segment, SegmentBuilder, build_neighbours};

use super::cpu::{Cpu, ThreadSet};
use super::index::segments;
use super::machine::Machine;
use super::place::Place;
use super::report::median;

/// Sizes in chunks, each with the target for the vector part of a query in milliseconds.
const SIZES: [(usize, Option<f64>); 4] =
    [(10_000, None), (50_000, None), (100_000, Some(3.0)), (1_000_000, Some(10.0))];
/// Number of nearest chunks that count for recall (the `k` of recall@k).
const NEAREST: usize = 20;
const TARGET_RECALL: f64 = 0.98;
/// Number of best chunks that the encoder compares with a question as wholes.
const COMPARED: usize = 64;
/// Target: chunks that one core embeds per second, at least.
const TARGET_RATE: f64 = 100_000.0;
/// Target: longest time of indexing, as a multiple of indexing without vectors.
const TARGET_INDEX: f64 = 1.1;
/// Number of chunks on which embedding is timed.
const EMBEDDED: usize = 20_000;
/// Minimum number of runs for timing embedding.
const EMBEDDED_RUNS: usize = 9;
/// Number of declaration names that serve as questions, in addition to [`QUESTIONS`].
const NAMES: usize = 160;
/// Minimum number of files in one part of a segment, the same as in the program.
const PART_FILES: usize = 256;

/// Questions about code of any kind.
const QUESTIONS: [&str; 40] = [
    "retry a request after a timeout",
    "parse the command line",
    "read the configuration from a file",
    "compare two versions",
    "write to a temporary file and rename it",
    "escape special characters in HTML",
    "open a connection to the database",
    "cache the result of an expensive computation",
    "check whether the user may do this",
    "convert a date to a string",
    "split a string into words",
    "sort by several keys",
    "handle errors of the network",
    "compress and decompress a stream",
    "log a warning with its source",
    "lock a file against other processes",
    "stop all threads when the program ends",
    "compute a checksum",
    "validate the input of a form",
    "merge two maps",
    "draw text on the screen",
    "walk through a directory tree",
    "decode UTF-8",
    "send an email",
    "iterate over a tree without recursion",
    "find the shortest path in a graph",
    "multiply two matrices",
    "serialise an object to JSON",
    "read lines from standard input",
    "generate random numbers from a seed",
    "measure how long a call takes",
    "close the socket when the peer is gone",
    "resolve the types of arguments",
    "test that an exception is thrown",
    "choose the leader of a cluster",
    "balance partitions over consumers",
    "render a template",
    "authenticate with a token",
    "undo the last change",
    "which dependencies are out of date",
];

/// A file: path, record and number of chunks.
struct File {
    path: String,
    bytes: Arc<[u8]>,
    n_chunks: usize,
}

/// The measurements of one process.
#[derive(Debug, Serialize, Deserialize)]
struct Process {
    open_ms: f64,
    /// Duration of the vector part of each query. The first one includes all one-time work.
    query_ms: Vec<f64>,
    /// Time on one core to compare each query with its best [`COMPARED`] chunks as wholes.
    wholes_ms: Vec<f64>,
}

/// One column of the table.
#[derive(Debug, Default, Serialize)]
struct Size {
    n_chunks: usize,
    n_varied: usize,
    open_ms: Vec<f64>,
    first_ms: Vec<f64>,
    later_ms: Vec<f64>,
    wholes_ms: Vec<f64>,
    recall: f64,
    /// Recall of a scan of all 8-bit rows. What it lacks is the loss of rounding, not of the
    /// search.
    recall_of_rows: f64,
    target_ms: Option<f64>,
    graph: Option<Graph>,
}

/// Cost and recall of a segment's graph of neighbours.
#[derive(Debug, Serialize)]
struct Graph {
    build_s: f64,
    bytes: usize,
    open_ms: f64,
    query_ms: Vec<f64>,
    recall: f64,
}

/// The measurements that are made once, not per size.
#[derive(Debug, Default, Serialize)]
struct OneTimeFigures {
    chunks_per_second: Vec<f64>,
    index_ms: Vec<f64>,
    vectors_ms: Vec<f64>,
}

/// Opens a segment, queries it in this process, and prints a [`Process`] as JSON.
pub(super) fn one_process(segment: &Path) -> Result<()> {
    let start = Instant::now();
    let segment = Segment::open(segment)?;
    let index = Index::whole(&segment);
    let open_ms = ms(start);
    let mut query_ms = Vec::new();
    for text in QUESTIONS {
        let start = Instant::now();
        let question = embed::builtin().question(identifier::tokens(text));
        let found = query::near_meaning(&index, question, NEAREST)?;
        query_ms.push(ms(start));
        ensure!(!found.is_empty(), "nothing is near to '{text}'");
    }
    let mut wholes_ms = Vec::new();
    for text in QUESTIONS {
        let question = embed::builtin().question(identifier::tokens(text));
        let found = query::near_meaning(&index, question, COMPARED)?;
        let start = Instant::now();
        let encoder = encoder::builtin();
        let asked = encoder.asked(&embed::builtin().asked(identifier::tokens(text)));
        encoder.directions(Side::Text, &[asked]);
        let mut chunks = Vec::new();
        for (chunk, _) in found {
            let words = segment.subtokens(chunk.ord)?;
            chunks.push(encoder.of_chunk(words.into_iter().map(|word| (word.number, word.places))));
        }
        std::hint::black_box(encoder.directions(Side::Code, &chunks));
        wholes_ms.push(ms(start));
    }
    println!("{}", serde_json::to_string(&Process { open_ms, query_ms, wholes_ms })?);
    Ok(())
}

pub(super) fn run(
    repositories: &[PathBuf],
    binary: &Path,
    runs: usize,
    [most, most_linked]: [usize; 2],
    as_json: bool,
) -> Result<()> {
    let machine = Machine::describe(binary);
    let mut files = Vec::new();
    let mut names = Vec::new();
    let mut once = OneTimeFigures::default();
    for (ord, repository) in repositories.iter().enumerate() {
        let place = Place::new(repository, binary)?;
        let clone = place.clone("vectors", false)?;
        place.say("indexing");
        place.git(&clone, &["cora", "index"])?;
        // Several mirrors may have a folder of the same name.
        let is_known = names.iter().any(|(name, _)| *name == place.name);
        let folder = if is_known { format!("{}-{ord}", place.name) } else { place.name.clone() };
        let own = read(&clone, &folder)?;
        if ord == 0 {
            index_time(&place, &own, runs, &mut once)?;
        }
        names.push((place.name.clone(), format!("{}@{:.10}", place.name, place.commit)));
        files.extend(own);
    }
    let names: Vec<String> = names.into_iter().map(|(_, at)| at).collect();
    let n_all: usize = files.iter().map(|file| file.n_chunks).sum();
    ensure!(n_all > 0, "there are no chunks in these repositories");
    // Not sorted by path, so that any prefix of the list mixes all repositories and folders.
    files.sort_by_cached_key(|file| (crc32fast::hash(file.path.as_bytes()), file.path.clone()));
    once.chunks_per_second = rate(&files, runs)?;

    let dir = tempfile::Builder::new().prefix("git-cora-bench-").tempdir()?;
    let mut sizes = Vec::new();
    for (n, target_ms) in SIZES.into_iter().filter(|(n, _)| *n <= most) {
        eprintln!("{n} chunks");
        let path = dir.path().join(format!("{n}.segment"));
        let size = measure_size(&files, n, &path, runs, n <= most_linked)?;
        sizes.push(Size { target_ms, ..size });
        std::fs::remove_file(&path)?;
    }
    if as_json {
        println!("{}", json!({"machine": machine, "repositories": names, "once": once, "sizes": sizes}));
    } else {
        println!("{}\n\n{}", machine.text(), text(&names, n_all, &once, &sizes));
    }
    Ok(())
}

/// Returns the milliseconds since `start` by the clock.
fn ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}

/// Reads the records of a clone's index; their paths get the prefix `folder`.
fn read(clone: &Path, folder: &str) -> Result<Vec<File>> {
    let session = Session::open(clone)?;
    let commit = session.repo().resolve("HEAD")?;
    let snapshot = session.indexer().snapshot(commit, Task::new(&NoProgress, &Cancel::default()))?;
    let mut files = Vec::new();
    for entry in session.repo().tree_files(snapshot.files)? {
        let Blob::Bytes(bytes) = session.repo().blob(entry.id, limits::RECORD_BYTES as u64)? else {
            bail!("the record of '{}' can't be read", entry.path);
        };
        let n_chunks = match RecordView::open(&bytes)? {
            OpenRecord::Indexed(view) => view.n_chunks() as usize,
            OpenRecord::Skipped(_) => 0,
        };
        if n_chunks > 0 {
            let path = format!("{folder}/{}", entry.path);
            files.push(File { path, bytes: bytes.into(), n_chunks });
        }
    }
    Ok(files)
}

/// Builds a segment from sorted files on all cores, and returns its builder.
fn build(files: &[(String, &File)], embedding: &Embedding) -> Result<SegmentBuilder> {
    let part_len = (files.len() / (rayon::current_num_threads() * 4)).max(PART_FILES);
    let parts: Vec<SegmentBuilder> = files
        .par_chunks(part_len)
        .map(|part| {
            let mut builder = SegmentBuilder::embedding(embedding.clone());
            let mut scratch = Scratch::default();
            add(&mut builder, part, &mut scratch)?;
            Ok(builder)
        })
        .collect::<Result<_>>()?;
    let mut whole = SegmentBuilder::new();
    parts.into_iter().try_for_each(|part| whole.append(part))?;
    Ok(whole)
}

fn add(builder: &mut SegmentBuilder, files: &[(String, &File)], scratch: &mut Scratch) -> Result<()> {
    for (path, file) in files {
        if let OpenRecord::Indexed(view) = RecordView::open(&file.bytes)? {
            builder.add_file(path.as_str().into(), &view, scratch)?;
        }
    }
    Ok(())
}

/// Takes files, sorted by path, until they have at least `n` chunks.
///
/// Also returns how many of the chunks are varied: repeated under another path than in their
/// repository.
fn taken(files: &[File], n: usize) -> (Vec<(String, &File)>, usize) {
    let mut taken: Vec<(String, &File)> = Vec::new();
    let (mut total, mut n_varied) = (0, 0);
    let mut round = 0;
    while total < n {
        for (at, file) in files.iter().enumerate() {
            if total >= n {
                break;
            }
            let path = if round == 0 {
                file.path.clone()
            } else {
                // The folder of another file, a different one in each round.
                let other = &files[(at * 31 + round * 7919) % files.len()].path;
                let folder = other.rsplit_once('/').map_or("", |(folder, _)| folder);
                let name = file.path.rsplit_once('/').map_or(file.path.as_str(), |(_, name)| name);
                n_varied += file.n_chunks;
                format!("{folder}/{round}-{at}/{name}")
            };
            total += file.n_chunks;
            taken.push((path, file));
        }
        round += 1;
    }
    taken.sort_by(|a, b| a.0.cmp(&b.0));
    (taken, n_varied)
}

/// Measures the CPU time of `git cora index` from scratch, and the share of it that vectors take.
///
/// Vectors are made while the segment is built, so their share is the difference of building with
/// and without them.
fn index_time(place: &Place, files: &[File], runs: usize, once: &mut OneTimeFigures) -> Result<()> {
    let mut sorted: Vec<(String, &File)> = files.iter().map(|file| (file.path.clone(), file)).collect();
    sorted.sort_by(|a, b| a.0.cmp(&b.0));
    for run in 1..=runs {
        place.say(&format!("with vectors and without, run {run} of {runs}"));
        let clone = place.clone("timed", false)?;
        let start = Cpu::of(ThreadSet::Children);
        place.time(place.command("git", &clone).args(["cora", "index"]))?;
        once.index_ms.push(start.seconds() * 1000.0);
        ensure!(segments(&clone).exists(), "indexing has left no segment");
        let time = |embedding: Embedding| -> Result<f64> {
            let start = Cpu::of(ThreadSet::Process);
            build(&sorted, &embedding)?.into_memory()?;
            Ok(start.seconds() * 1000.0)
        };
        let without = time(Embedding::None)?;
        once.vectors_ms.push(time(Embedding::Builtin)? - without);
    }
    Ok(())
}

/// Returns the chunks embedded per second by one core, one number per run.
///
/// It is computed from the difference of building with and without vectors. Noise makes a small
/// difference uncertain, so there are at least [`EMBEDDED_RUNS`] runs.
fn rate(files: &[File], runs: usize) -> Result<Vec<f64>> {
    let (some, _) = taken(files, EMBEDDED);
    let n: usize = some.iter().map(|(_, file)| file.n_chunks).sum();
    let time = |embedding: Embedding| -> Result<f64> {
        let start = Cpu::of(ThreadSet::Thread);
        let mut builder = SegmentBuilder::embedding(embedding);
        add(&mut builder, &some, &mut Scratch::default())?;
        Ok(start.seconds())
    };
    (0..runs.max(EMBEDDED_RUNS))
        .map(|_| {
            let without = time(Embedding::None)?;
            Ok(n as f64 / (time(Embedding::Builtin)? - without).max(1e-9))
        })
        .collect()
}

fn measure_size(files: &[File], n: usize, path: &Path, runs: usize, is_linked: bool) -> Result<Size> {
    let (some, n_varied) = taken(files, n);
    build(&some, &Embedding::Builtin)?.finish("", path, Default::default())?;
    let mut size = Size { n_varied, ..Size::default() };
    {
        let segment = Segment::open(path)?;
        size.n_chunks = segment.n_chunks() as usize;
        let exact = exact(&some)?;
        ensure!(exact.len() == size.n_chunks, "the exact vectors are of other chunks");
        let index = Index::whole(&segment);
        [size.recall, size.recall_of_rows] = recall(&index, &exact)?;
        if is_linked {
            eprintln!("building the graph of {n} chunks");
            let place = path.with_extension("graph");
            let start = Cpu::of(ThreadSet::Process);
            build_neighbours(&segment, &place, Default::default())?;
            let build_s = start.seconds();
            let start = Instant::now();
            let graph = Neighbours::open(&place, &segment)?;
            let open_ms = ms(start);
            let index = index.with_neighbours(Some(&graph));
            let [recall, _] = recall(&index, &exact)?;
            let mut query_ms = Vec::new();
            for text in QUESTIONS {
                let start = Instant::now();
                let question = embed::builtin().question(identifier::tokens(text));
                query::near_meaning(&index, question, NEAREST)?;
                query_ms.push(ms(start));
            }
            size.graph = Some(Graph { build_s, bytes: graph.n_bytes(), open_ms, query_ms, recall });
        }
    }
    for _ in 0..runs {
        let output = Command::new(std::env::current_exe()?)
            .args(["bench", "--one-process"])
            .arg(path)
            .output()
            .context("cannot run this program again")?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let process: Process = serde_json::from_slice(&output.stdout)?;
        let (first, later) = process.query_ms.split_first().context("a process without queries")?;
        size.open_ms.push(process.open_ms);
        size.first_ms.push(*first);
        size.later_ms.push(median(later));
        size.wholes_ms.push(median(&process.wholes_ms));
    }
    Ok(size)
}

/// Returns the unrounded directions of all chunks, in the segment's order. One thread makes them,
/// which keeps that order.
fn exact(files: &[(String, &File)]) -> Result<Vec<[f32; DIMENSIONS]>> {
    let rows = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&rows);
    let watch = move |bag: &Bag| {
        let row = bag.direction(embed::builtin(), Side::Code);
        seen.lock().unwrap_or_else(PoisonError::into_inner).push(row);
    };
    let embedding = Embedding::Watched(Arc::new(watch));
    // In parts, because a builder also holds everything else of a segment.
    for part in files.chunks(4 * PART_FILES) {
        let mut builder = SegmentBuilder::embedding(embedding.clone());
        add(&mut builder, part, &mut Scratch::default())?;
    }
    drop(embedding);
    let rows = Arc::try_unwrap(rows).ok().context("the rows are still being watched")?;
    Ok(rows.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Returns the mean recall of the search and that of a scan of all stored rows, both compared with
/// exact products.
fn recall(index: &Index<'_>, exact: &[[f32; DIMENSIONS]]) -> Result<[f64; 2]> {
    let mut texts: Vec<String> = QUESTIONS.iter().map(|text| (*text).to_owned()).collect();
    for (_, segment) in index.segments() {
        let step = (segment.n_declarations() as usize / NAMES).max(1);
        for ord in (0..segment.n_declarations()).step_by(step) {
            texts.extend(segment.declaration(ord).map(|row| segment.name(&row).to_owned()));
        }
    }
    let shares: Vec<[f64; 2]> = texts
        .par_iter()
        .map(|text| {
            let model = embed::builtin();
            let mut bag = model.bag_of(&model.asked(identifier::tokens(text)));
            let direction = bag.direction(model, Side::Text);
            let product =
                |row: &[f32; DIMENSIONS]| -> f32 { row.iter().zip(&direction).map(|(a, b)| a * b).sum() };
            let mut products: Vec<(f32, u32)> = exact.iter().map(product).zip(0..).collect();
            let n = NEAREST.min(products.len());
            products.select_nth_unstable_by(n.saturating_sub(1), |a, b| b.0.total_cmp(&a.0));
            // A chunk as near as the last of them counts as equally good.
            let least = products[..n].iter().map(|one| one.0).fold(f32::INFINITY, f32::min);
            let question = bag.question(model);
            let found = query::near_meaning(index, question, n)?;
            if found.is_empty() {
                return Ok(None);
            }
            let share = |ords: &mut dyn Iterator<Item = u32>| {
                let hits = ords.filter(|&ord| product(&exact[ord as usize]) >= least - 1e-6);
                hits.count() as f64 / n as f64
            };
            let of_search = share(&mut found.iter().map(|one| one.0.ord));
            let mut rows = Vec::new();
            for (_, segment) in index.segments() {
                for ord in 0..segment.n_chunks() {
                    rows.extend(segment.vector(ord)?.map(|row| (question.dot(&row), ord)));
                }
            }
            rows.select_nth_unstable_by(n.saturating_sub(1), |a, b| b.cmp(a));
            Ok(Some([of_search, share(&mut rows[..n].iter().map(|one| one.1))]))
        })
        .collect::<Result<Vec<Option<[f64; 2]>>>>()?
        .into_iter()
        .flatten()
        .collect();
    let mean = |i: usize| shares.iter().map(|one| one[i]).sum::<f64>() / shares.len().max(1) as f64;
    Ok([mean(0), mean(1)])
}

fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn most(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "**missed**" }
}

/// Returns the verdict of several runs, from the verdicts of the best and of the median.
fn steady(best: bool, median: bool) -> &'static str {
    if best && !median { "unsteady" } else { verdict(median) }
}

/// Formats minimum and median, with a verdict if there is a target.
fn times(numbers: &[f64], target: Option<f64>) -> String {
    let (least, median) = (least(numbers), median(numbers));
    let verdict =
        target.map_or_else(String::new, |most| format!(" {}", steady(least <= most, median <= most)));
    format!("{least:.2} / {median:.2}{verdict}")
}

fn text(names: &[String], n_all: usize, once: &OneTimeFigures, sizes: &[Size]) -> String {
    let mut out = format!("{} chunks of {}.\n\n| ", grouped(n_all), names.join(", "));
    let mut line = |name: &str, target: &str, cell: &dyn Fn(&Size) -> String| {
        let cells: Vec<String> = sizes.iter().map(cell).collect();
        let _ = writeln!(out, "{name} | {} | {target} |", cells.join(" | "));
        out.push_str("| ");
    };
    line("", "target", &|size| grouped(size.n_chunks));
    line("---", "---", &|_| "---".to_owned());
    line("chunks of repeated files", "", &|size| grouped(size.n_varied));
    line("opening the segment, ms", "", &|size| times(&size.open_ms, None));
    line("vector part, first query of a process, ms", "≤ 3 at 100,000, ≤ 10 at 1,000,000", &|size| {
        times(&size.first_ms, size.target_ms)
    });
    line("vector part, later queries, ms", "", &|size| times(&size.later_ms, size.target_ms));
    line("the 64 nearest compared by the encoder, one core, ms", "", &|size| times(&size.wholes_ms, None));
    let recall = |recall: f64| format!("{recall:.4} {}", verdict(recall >= TARGET_RECALL));
    line("recall@20", "≥ 0.98", &|size| recall(size.recall));
    line("recall@20 of a full scan of 8-bit rows", "", &|size| format!("{:.4}", size.recall_of_rows));
    if sizes.iter().any(|size| size.graph.is_some()) {
        let mut line = |name: &str, target: &str, cell: &dyn Fn(&Graph) -> String| {
            line(name, target, &|size| size.graph.as_ref().map_or_else(String::new, cell));
        };
        line("hnsw: building, one thread, s", "", &|graph| format!("{:.1}", graph.build_s));
        line("hnsw: file, MB", "", &|graph| format!("{:.1}", graph.bytes as f64 / 1e6));
        line("hnsw: opening, ms", "", &|graph| format!("{:.2}", graph.open_ms));
        line("hnsw: vector part, ms", "", &|graph| times(&graph.query_ms, None));
        line("hnsw: recall@20", "≥ 0.98", &|graph| recall(graph.recall));
    }
    out.truncate(out.trim_end_matches("| ").len());
    let (best, rate) = (most(&once.chunks_per_second), median(&once.chunks_per_second));
    let whole = |rate: f64| grouped(rate.max(0.0).round().to_string().parse().unwrap_or(0));
    let _ = writeln!(
        out,
        "\nEmbedding, one core: {} / {} chunks/s (target ≥ {}): {}.",
        whole(best),
        whole(rate),
        grouped(100_000),
        steady(best >= TARGET_RATE, rate >= TARGET_RATE)
    );
    let (index, vectors) = (median(&once.index_ms), median(&once.vectors_ms));
    let ratio = index / (index - vectors);
    let _ = writeln!(
        out,
        "Indexing {}: {:.2} s on all cores together with vectors, {:.0} ms of it for them: {ratio:.3} × without (target ≤ {TARGET_INDEX}): {}.",
        names.first().map_or("", String::as_str),
        index / 1000.0,
        vectors,
        verdict(ratio <= TARGET_INDEX)
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_taken_again_under_other_paths() {
        let file = |path: &str, n_chunks| File { path: path.to_owned(), bytes: Arc::from([]), n_chunks };
        let files = [file("a/x/1.rs", 3), file("a/y/2.rs", 2)];
        let (some, n_varied) = taken(&files, 4);
        assert_eq!((some.len(), n_varied), (2, 0));
        let (some, n_varied) = taken(&files, 11);
        assert_eq!((some.len(), n_varied), (5, 8));
        assert!(some.windows(2).all(|pair| pair[0].0 < pair[1].0), "sorted, each path once");
    }

    #[test]
    fn thousands_are_apart() {
        assert_eq!([7, 1_000, 1_234_567].map(grouped), ["7", "1,000", "1,234,567"]);
    }
}
