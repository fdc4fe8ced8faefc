//! `git cora index`: builds the indexes of commits.
//!
//! Selects the commits; the library indexes them and fills the commits behind them. The first index
//! of a repository also gets a segment.

use std::collections::HashSet;
use std::time::Instant;

use bstr::BString;
use serde_json::{Value, json};

use git_cora::answer::view::{counted, example};
use git_cora::base::config;
use git_cora::base::id::ObjectId;
use git_cora::base::progress::Task;
use git_cora::index::{BuildReport, FillReport, Snapshot, Work};
use git_cora::{Session, SessionError, Target, index, search};

use crate::prune::auto_prune;
use crate::terminal::Context;

use super::Outcome;
use super::advice::cost;
use super::args;
use super::stats::Holdings;

/// The most commits that a hint names.
const MOST_NAMED: usize = 10;

/// Returns the arguments that index HEAD.
pub(crate) fn of_head() -> args::Index {
    args::Index {
        revs: Vec::new(),
        all: false,
        branches: false,
        tags: false,
        force: false,
        max_fill: None,
        json: args::Json::default(),
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
    if let Some(first) = commits.first() {
        cost::announce(context, &session, *first)?;
    }
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let mut totals = index_all(context, &session, args, &commits, task)?;
    // The first index of a repository gets its segment now, so that the first query is fast.
    if let Some(snapshot) = &totals.newest
        && !search::has_segment(session.repo())
    {
        search::warm(session.indexer(), snapshot, task)?;
        if commits.len() == 1 && totals.filled.indexed.is_empty() {
            let target = Target::Commit(snapshot.commit);
            let searcher = session.searcher(&target, task)?;
            totals.holdings = Some(Holdings::new(&searcher));
        }
    }
    auto_prune(&session)?;
    totals.local.retain(|commit| session.repo().is_blocked_ref(&index::ref_name(*commit)));

    let seconds = started.elapsed().as_secs_f64();
    if args.json.is_wanted() {
        context.print_json(&totals.json(seconds))?;
    } else {
        totals.say(context, &commits, seconds);
    }
    totals.complain(context);
    Ok(Outcome::Found)
}

/// What one run of the command did, over all its commits.
#[derive(Default)]
struct Totals {
    work: Work,
    /// Number of commits that had no index before.
    n_new: usize,
    /// Number of indexes that a newer version of this program made.
    n_newer: usize,
    /// Number of Git objects written.
    n_objects: u64,
    /// Commits whose indexes can't be shared.
    local: Vec<ObjectId>,
    /// Paths of damaged records that were rebuilt.
    repaired: Vec<BString>,
    /// Paths of files that could not be read.
    unreadable: Vec<BString>,
    filled: FillReport,
    /// A gap that remains between an indexed ancestor and a tip, as a range.
    gap: Option<String>,
    /// One JSON object for each commit.
    lines: Vec<Value>,
    /// The index of the first commit: tips are listed newest first.
    newest: Option<Snapshot>,
    /// What the index holds, if it is the only one and the first of the repository. `work` counts
    /// what was read for it, where identical files count once.
    holdings: Option<Holdings>,
}

/// Indexes the commits, and the commits behind them.
fn index_all(
    context: &Context,
    session: &Session,
    args: &args::Index,
    commits: &[ObjectId],
    task: Task<'_>,
) -> anyhow::Result<Totals> {
    let max_fill = match args.max_fill {
        Some(n) => n,
        None => usize::try_from(session.repo().setting(&config::FILL)?).unwrap_or(usize::MAX),
    };
    // The commits behind a tip are filled for tips only; a range or an exclusion is taken
    // literally.
    let fills =
        args.revs.is_empty() || args.revs.iter().all(|rev| !rev.contains("..") && !rev.starts_with('^'));
    let mut totals = Totals::default();
    // Subtrees that are known to be complete: most commits share nearly all of theirs.
    let mut checked = HashSet::new();
    for &commit in commits {
        let indexed = session.indexer().index_whole(commit, args.force, &mut checked, task);
        let (built, damage) = match indexed {
            Err(index::Error::Newer { .. }) => {
                totals.n_newer += 1;
                continue;
            }
            indexed => indexed.map_err(SessionError::from)?,
        };
        if let Some(damage) = damage {
            context.complain(&format!("warning: {damage}"));
        }
        totals.add(commit, &built);
        if fills && !built.was_there {
            totals.add_fill(commit, session.indexer().fill(&built, max_fill, task)?);
        }
        totals.newest.get_or_insert(built.snapshot);
    }
    Ok(totals)
}

impl Totals {
    fn add(&mut self, commit: ObjectId, built: &BuildReport) {
        self.n_newer += usize::from(built.is_beside_newer);
        self.work.add(built.work);
        self.n_new += usize::from(!built.was_there);
        self.n_objects += built.n_objects;
        self.repaired.extend(built.repaired.iter().cloned());
        self.unreadable.extend(built.unreadable.iter().cloned());
        self.local.extend(built.snapshot.is_local.then_some(commit));
        self.lines.push(json!({
            "commit": commit.to_string(),
            "index": built.snapshot.index_commit.to_string(),
            "was_there": built.was_there,
            "local": built.snapshot.is_local,
        }));
    }

    fn add_fill(&mut self, tip: ObjectId, report: FillReport) {
        self.work.add(report.work);
        self.n_objects += report.n_objects;
        self.filled.indexed.extend(report.indexed);
        self.gap = self.gap.take().or_else(|| {
            let base = report.gap_to?;
            Some(format!("{}..{}", base.abbreviated(12), tip.abbreviated(12)))
        });
    }

    fn json(&self, seconds: f64) -> Value {
        json!({
            "commits": self.lines,
            "filled": self.filled.indexed.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "files": self.work.n_files - self.work.n_skipped,
            "skipped": self.work.n_skipped,
            "source_bytes": self.work.source_bytes,
            "chunks": self.work.n_chunks,
            "holdings": self.holdings.as_ref().map(Holdings::json),
            "objects": self.n_objects,
            "repaired": self.repaired.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "unreadable": self.unreadable.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "seconds": seconds,
        })
    }

    fn say(&self, context: &Context, commits: &[ObjectId], seconds: f64) {
        let filled = &self.filled.indexed;
        if self.n_new + filled.len() == 0 {
            context.say(&format!("already indexed: {}", name(commits)));
        } else {
            let behind = if filled.is_empty() {
                String::new()
            } else {
                format!(" and {}", counted(filled.len(), "earlier commit", "earlier commits"))
            };
            let amounts = match &self.holdings {
                Some(holdings) => holdings.to_string(),
                None => format!(
                    "{} read, {} of them skipped, {}",
                    counted(self.work.n_files, "file", "files"),
                    self.work.n_skipped,
                    counted(self.work.n_chunks, "chunk", "chunks")
                ),
            };
            let objects = counted(self.n_objects, "object", "objects");
            context.say(&format!(
                "indexed {}{behind}: {amounts}, {objects} written in {seconds:.2} s",
                name(commits)
            ));
        }
        if let Some(range) = &self.gap {
            context.say(&format!(
                "hint: run 'git cora index {range}' to index the rest: the nearest indexed ancestor is more than \
                cora.fill commits away"
            ));
        }
    }

    /// Prints warnings about indexes, records and files that need the user's attention.
    fn complain(&self, context: &Context) {
        if self.n_newer > 0 {
            context.say(&format!(
                "note: {} made by a newer version of git-cora and left unchanged; upgrade git-cora to use it",
                counted(self.n_newer, "index was", "indexes were")
            ));
        }
        if let Some(first) = self.local.first() {
            context.complain(&format!(
                "warning: {} not be pushed, because another ref is in the way {}",
                counted(self.local.len(), "index will", "indexes will"),
                example(self.local.len(), format!("{}/", index::ref_name(*first)))
            ));
            let named: Vec<String> =
                self.local.iter().take(MOST_NAMED).map(|id| id.abbreviated(12).to_string()).collect();
            context.say(&format!(
                "hint: run 'git cora prune && git cora index {}' to remove what is in the way, so that they can be pushed",
                named.join(" ")
            ));
        }
        if let Some(first) = self.repaired.first() {
            context.complain(&format!(
                "warning: {} damaged {} and rebuilt from the source",
                counted(
                    self.repaired.len(),
                    "record of an earlier index was",
                    "records of an earlier index were"
                ),
                example(self.repaired.len(), first)
            ));
            context.say("hint: run 'git cora verify --all' to check the others");
        }
        if let Some(first) = self.unreadable.first() {
            context.complain(&format!(
                "warning: {} could not be read {}; this index will not be pushed",
                counted(self.unreadable.len(), "file", "files"),
                example(self.unreadable.len(), first)
            ));
        }
    }
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
