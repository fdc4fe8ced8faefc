//! The steps that builds are compared on: what users wait for, each as a command of its own.
//!
//! They use only commands that every build has: `index`, `init`, `query`, and what the hook runs.
//! Each function takes the workplaces of the builds and records its steps round by round.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::super::commit;
use super::super::index::segments;
use super::super::meter::{self, Usage};
use super::super::parse::Corpus;
use super::super::place::Place;
use super::super::query::QUERIES;
use super::super::report::megabytes;
use super::super::size::bytes_in;
use super::report::Size;
use super::{Steps, order};

/// More queries, of kinds that short questions do not show.
const LONGER: [(&str, &str); 2] = [
    ("a pasted error", "error: connection refused: no such host \"localhost:2181\" after 30 s"),
    (
        "an issue",
        "Client hangs on shutdown when a request is still in flight\n\nAfter an upgrade, close() waits \
         for ever if the server does not answer. I expected the timeout from the configuration to be \
         used. It works if I close the connection before the retry starts. The log repeats: failed to \
         send request, will retry after backoff.",
    ),
];

/// Exit statuses of a search: something or nothing was found.
const SEARCHED: [i32; 2] = [0, 1];

/// Measures indexing from nothing, and the first query without a cached segment. Returns the sizes
/// of what the builds wrote.
pub(super) fn index(places: &[Place], steps: &mut Steps, runs: usize) -> Result<Vec<Size>> {
    let mut sizes = vec![Size::default(); places.len()];
    for round in 0..=runs {
        say(places, &format!("indexing, round {round} of {runs}"));
        for build in order(places.len(), round) {
            let place = &places[build];
            let clone = place.clone("fresh", false)?;
            let packs = clone.join(".git").join("objects").join("pack");
            let before = bytes_in(&packs)?;
            // A build that can't index can do nothing else.
            let usage = meter::run(place, &clone, &["git", "cora", "index"], &[0])?;
            steps.record(round, build, "index from scratch", Ok(usage));
            sizes[build].pack_mb = megabytes(bytes_in(&packs)?.saturating_sub(before));
            sizes[build].segment_mb = megabytes(bytes_in(&segments(&clone))?);
            fs::remove_dir_all(segments(&clone))?;
            let usage = of_commit(place, &clone, QUERIES[0].0);
            steps.record(round, build, "first query --rev HEAD, builds the segment", usage);
        }
    }
    Ok(sizes)
}

/// Asks a question in a clone.
type Ask = dyn Fn(&Place, &Path, &str) -> Result<Usage>;

/// Measures each query, of a commit and of the working tree, when all caches are there.
pub(super) fn query(places: &[Place], steps: &mut Steps, runs: usize) -> Result<()> {
    let clones: Vec<PathBuf> = places
        .iter()
        .map(|place| {
            let clone = place.clone("query", true)?;
            place.git(&clone, &["cora", "index"])?;
            place.git(&clone, &["status"])?;
            Ok(clone)
        })
        .collect::<Result<_>>()?;
    say(places, &format!("querying, {runs} rounds"));
    let short = QUERIES.map(|(text, _)| (format!("'{text}'"), text));
    let longer = LONGER.map(|(name, text)| (name.to_owned(), text));
    let queries: Vec<(String, &str)> = short.into_iter().chain(longer).collect();
    let kinds: [(&str, &Ask); 2] =
        [("query --rev HEAD", &of_commit), ("query of the working tree", &of_worktree)];
    for (kind, ask) in kinds {
        for round in 0..=runs {
            let mut usages = vec![Vec::new(); places.len()];
            for (at, (name, text)) in queries.iter().enumerate() {
                for build in order(places.len(), round + at) {
                    let usage = ask(&places[build], &clones[build], text);
                    usages[build].extend(usage.as_ref().ok().copied());
                    steps.record(round, build, &format!("{kind}: {name}"), usage);
                }
            }
            for (build, usages) in usages.iter().enumerate() {
                if let (Some(mean), true) = (Usage::mean(usages), usages.len() == queries.len()) {
                    steps.record(round, build, &format!("{kind}, mean of {}", queries.len()), Ok(mean));
                }
            }
        }
    }
    Ok(())
}

/// Measures a commit of ten files: with and without hooks, its index, the next query, and the work
/// of the hook.
pub(super) fn commit(places: &[Place], corpus: &Corpus, steps: &mut Steps, runs: usize) -> Result<()> {
    let files = commit::chosen(corpus);
    let clones: Vec<[PathBuf; 3]> = places
        .iter()
        .map(|place| {
            let clones = ["hooked", "plain", "worked"].map(|name| place.clone(name, true));
            let [hooked, plain, worked] = clones;
            let clones = [hooked?, plain?, worked?];
            for clone in &clones {
                place.git(clone, &["cora", "index"])?;
                place.git(clone, &["status"])?;
            }
            place.git(&clones[0], &["cora", "init"])?;
            Ok(clones)
        })
        .collect::<Result<_>>()?;
    say(places, &format!("committing, {runs} rounds"));
    let n = files.len();
    for (round, (text, _)) in (0..=runs).zip(QUERIES.iter().cycle()) {
        for clone in clones.iter().flatten() {
            commit::change(clone, &files, round)?;
        }
        let committed = |place: &Place, clone: &Path| {
            meter::run(place, clone, &["git", "commit", "--quiet", "--all", "--message", "bench"], &[0])
        };
        for build in order(places.len(), round) {
            let (place, [hooked, plain, worked]) = (&places[build], &clones[build]);
            let hooks = format!("git commit of {n} files with hooks");
            if !steps.has_failed(build, &hooks) {
                // The hook works in the background, and must not slow the other steps down.
                let usage =
                    committed(place, hooked).and_then(|usage| commit::wait(place, hooked).map(|()| usage));
                steps.record(round, build, &hooks, usage);
            }
            let mut record = |name: &str, usage| steps.record(round, build, name, usage);
            record(&format!("git commit of {n} files without hooks"), committed(place, plain));
            let index = meter::run(place, plain, &["git", "cora", "index"], &[0]);
            record("index after that commit", index);
            record("query --rev HEAD after that index", of_commit(place, plain, text));
            committed(place, worked)?;
            let work = meter::run(place, worked, &["git-cora", "hook", "post-commit"], &[0]);
            record("work of the hook after that commit", work);
        }
    }
    Ok(())
}

fn of_commit(place: &Place, clone: &Path, text: &str) -> Result<Usage> {
    meter::run(place, clone, &["git", "cora", "query", "--rev", "HEAD", text], &SEARCHED)
}

fn of_worktree(place: &Place, clone: &Path, text: &str) -> Result<Usage> {
    meter::run(place, clone, &["git", "cora", "query", text], &SEARCHED)
}

/// Reports progress; all workplaces have the same repository.
fn say(places: &[Place], what: &str) {
    if let Some(place) = places.first() {
        place.say(what);
    }
}
