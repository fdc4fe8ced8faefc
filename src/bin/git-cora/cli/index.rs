//! `git cora index`: builds the indexes of commits.
//!
//! Selects the commits; the library indexes them and fills the commits behind them. The first index
//! of a repository also gets a segment.

use std::collections::HashSet;
use std::time::Instant;

use serde_json::json;

use git_cora::answer::view::counted;
use git_cora::base::config;
use git_cora::base::id::ObjectId;
use git_cora::base::progress::Task;
use git_cora::index::{FillReport, Work};
use git_cora::{Session, SessionError, index, search};

use super::args;
use super::context::Context;
use super::{Outcome, upkeep};

/// Returns the arguments that index HEAD.
pub(crate) fn of_head() -> args::Index {
    args::Index {
        revs: Vec::new(),
        all: false,
        branches: false,
        tags: false,
        force: false,
        max_fill: None,
        json: args::Json { json: false },
    }
}

pub(crate) fn run(context: &Context, args: &args::Index) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let session = context.session()?;
    let commits = commits(&session, args)?;
    if commits.is_empty() {
        context.say("nothing to index");
        return Ok(Outcome::Nothing);
    }
    let progress = context.progress();
    let max_fill = match args.max_fill {
        Some(n) => n,
        None => usize::try_from(session.repo().setting(&config::FILL)?).unwrap_or(usize::MAX),
    };
    // The commits behind a tip are filled for tips only; a range or an exclusion is taken
    // literally.
    let fills =
        args.revs.is_empty() || args.revs.iter().all(|rev| !rev.contains("..") && !rev.starts_with('^'));
    let mut work = Work::default();
    let (mut n_new, mut n_objects) = (0usize, 0u64);
    let (mut mended, mut unreadable) = (Vec::new(), Vec::new());
    let mut filled = FillReport::default();
    let mut lines = Vec::new();
    let mut newest = None;
    // Subtrees that are known to be complete: most commits share nearly all of theirs.
    let mut checked = HashSet::new();
    let mut n_newer = 0usize;
    for &commit in &commits {
        let task = Task::new(progress.as_ref(), &context.cancel);
        let mut built = match session.index(commit, args.force, task) {
            Err(SessionError::Search(search::Error::Index(index::Error::Newer { .. }))) => {
                n_newer += 1;
                continue;
            }
            built => built?,
        };
        if built.was_there
            && let Some(why) = index::incomplete(session.repo(), &built.snapshot, &mut checked)
        {
            built = session.index(commit, true, task)?;
            context.complain(&format!(
                "warning: the index of {} was damaged and was rebuilt: {why}",
                commit.abbreviated(12)
            ));
        }
        n_newer += usize::from(built.is_beside_newer);
        work.add(built.work);
        n_new += usize::from(!built.was_there);
        n_objects += built.n_objects;
        mended.extend(built.mended.iter().cloned());
        unreadable.extend(built.unreadable.iter().cloned());
        lines.push(json!({
            "commit": commit.to_string(),
            "index": built.snapshot.index_commit.to_string(),
            "was_there": built.was_there,
            "local": built.snapshot.is_local,
        }));
        if fills && !built.was_there {
            let report =
                session.indexer().fill(&built, max_fill, Task::new(progress.as_ref(), &context.cancel))?;
            work.add(report.work);
            n_objects += report.n_objects;
            filled.indexed.extend(report.indexed);
            filled.is_cut |= report.is_cut;
        }
        newest.get_or_insert(built.snapshot);
    }
    // The first index of a repository gets its segment now, so that the first query is fast.
    if let Some(snapshot) = newest
        && !git_cora::search::has_segment(session.repo())
    {
        git_cora::search::warm(session.indexer(), &snapshot, Task::new(progress.as_ref(), &context.cancel))?;
    }
    upkeep::auto_prune(&session)?;

    let seconds = started.elapsed().as_secs_f64();
    if args.json.json {
        context.print_json(&json!({
            "commits": lines,
            "filled": filled.indexed.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "files": work.n_files,
            "skipped": work.n_skipped,
            "source_bytes": work.source_bytes,
            "chunks": work.n_chunks,
            "objects": n_objects,
            "mended": mended.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "unreadable": unreadable.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "seconds": seconds,
        }))?;
    } else {
        let n_all = n_new + filled.indexed.len();
        if n_all == 0 {
            context.say(&format!("already indexed: {}", name(&commits)));
        } else {
            let behind = if filled.indexed.is_empty() {
                String::new()
            } else {
                format!(" and {} behind", counted(filled.indexed.len(), "commit", "commits"))
            };
            context.say(&format!(
                "indexed {}{behind}: {} read, {} skipped, {}, {} written in {seconds:.2} s",
                name(&commits),
                counted(work.n_files, "file", "files"),
                work.n_skipped,
                counted(work.n_chunks, "chunk", "chunks"),
                counted(n_objects, "object", "objects")
            ));
        }
        if filled.is_cut {
            context.say(
                "hint: index the rest with 'git cora index OLD..NEW': the nearest indexed ancestor is more than \
                cora.fill commits away",
            );
        }
    }
    if n_newer > 0 {
        context.say(&format!(
            "note: {} made by a newer version of git-cora and left unchanged; upgrade git-cora to use it",
            counted(n_newer, "index was", "indexes were")
        ));
    }
    if let Some(first) = mended.first() {
        context.complain(&format!(
            "warning: {} damaged in the index that this one was built on ('{first}' first) and \
            rebuilt from the source",
            counted(mended.len(), "record was", "records were")
        ));
        context.say("hint: run 'git cora verify --all' to check the others");
    }
    if let Some(first) = unreadable.first() {
        context.complain(&format!(
            "warning: {} could not be read ('{first}' first); this index will not be pushed",
            counted(unreadable.len(), "file", "files")
        ));
    }
    Ok(Outcome::Found)
}

/// Describes the indexed commits, for the user.
fn name(commits: &[ObjectId]) -> String {
    match commits {
        [one] => format!("commit {}", one.abbreviated(10)),
        more => format!("{} commits", more.len()),
    }
}

/// Returns the requested commits, each once, newest first within a range.
fn commits(session: &Session, args: &args::Index) -> anyhow::Result<Vec<ObjectId>> {
    let repo = session.repo();
    let mut commits = Vec::new();
    if args.all || args.branches || args.tags {
        for (name, id) in repo.tips()? {
            let is_tag = name.starts_with(b"refs/tags/");
            let is_branch = name.starts_with(b"refs/heads/");
            if args.all || (args.tags && is_tag) || (args.branches && is_branch) {
                commits.push(id);
            }
        }
    }
    if !args.revs.is_empty() {
        commits.extend(repo.resolve_many(&args.revs)?);
    } else if commits.is_empty() && !(args.all || args.branches || args.tags) {
        commits.push(repo.resolve("HEAD")?);
    }
    let mut seen = HashSet::new();
    commits.retain(|commit| seen.insert(*commit));
    Ok(commits)
}
