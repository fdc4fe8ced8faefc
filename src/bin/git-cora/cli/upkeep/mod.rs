//! `git cora verify` and `git cora prune`.
//!
//! The library recomputes records and drops refs; this file selects the commits and reports.

use serde_json::json;

use git_cora::answer::view::{counted, example};
use git_cora::base::progress::Task;
use git_cora::base::text::{quoted, visible_path};
use git_cora::index::{self, CommitIndex, PruneMode, Verifier};

use crate::command_error::CommandError;
use crate::prune::keep_setting;
use crate::terminal::Context;

use super::Outcome;
use super::args;

mod remote;

pub(crate) fn verify(context: &Context, args: &args::Verify) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let commits = if args.all {
        index::indexed_commits(session.repo())?.into_iter().map(|(commit, ..)| commit).collect()
    } else {
        vec![context.commit(&session, args.rev.as_deref())?]
    };
    let progress = context.progress();
    let mut verifier = Verifier::new(session.repo(), session.indexer().options());
    let mut reports = Vec::new();
    let mut wrong = Vec::new();
    for commit in commits {
        let snapshot = match index::open(session.repo(), commit, &session.indexer().options().manifest())? {
            CommitIndex::Current(snapshot) => snapshot,
            CommitIndex::Absent => return Err(index::Error::NotIndexed { commit }.into()),
            CommitIndex::Newer => return Err(index::Error::Newer { commit }.into()),
            CommitIndex::Outdated { .. } => {
                context.say(&format!(
                    "{}: not compared, because it was made by another version or with other options",
                    commit.abbreviated(10)
                ));
                continue;
            }
            CommitIndex::Damaged { why, .. } => return Err(index::Error::Damaged { commit, why }.into()),
        };
        let sample = args.sample.map(std::num::NonZeroUsize::get);
        let report = verifier.verify(&snapshot, sample, Task::new(progress.as_ref(), &context.cancel))?;
        if !report.differences.is_empty() {
            wrong.push(commit.abbreviated(12).to_string());
        }
        if args.json.is_wanted() {
            reports.push(json!({
                "commit": commit.to_string(),
                "files": report.n_files,
                "checked": report.n_checked,
                "known": report.n_known,
                "differences": report.differences.iter().map(|difference| json!({
                    "path": quoted(difference.path.as_ref()),
                    "what": difference.what,
                })).collect::<Vec<_>>(),
            }));
            continue;
        }
        for difference in report.differences.iter().take(20) {
            context.print(&format!(
                "{}: {}\n",
                visible_path(&quoted(difference.path.as_ref())),
                difference.what
            ))?;
        }
        if report.differences.len() > 20 {
            context.print(&format!("and {} more\n", report.differences.len() - 20))?;
        }
        let known = match report.n_known {
            0 => String::new(),
            n => format!(", {n} already checked with an earlier commit"),
        };
        context.say(&format!(
            "{}: {} of {} recomputed{known}, {} differ",
            commit.abbreviated(10),
            report.n_checked,
            counted(report.n_files, "record", "records"),
            report.differences.len()
        ));
    }
    if args.json.is_wanted() {
        context.print_json(&json!({ "commits": reports }))?;
    }
    if !wrong.is_empty() {
        let hint = format!("run 'git cora index --force {}' to rebuild it", wrong.join(" "));
        return Err(CommandError::new("the index does not match its source", hint).into());
    }
    Ok(Outcome::Found)
}

pub(crate) fn prune(context: &Context, args: &args::Prune) -> anyhow::Result<Outcome> {
    if let Some(asked) = &args.remote {
        return remote::prune(context, args, asked.as_deref());
    }
    let session = context.session()?;
    let keep = match args.keep {
        Some(keep) => keep,
        None => keep_setting(&session)?,
    };
    let dry_run = args.dry_run.dry_run;
    let mode = if dry_run { PruneMode::DryRun } else { PruneMode::Requested };
    let report = index::prune(session.repo(), keep, mode)?;
    let retained = index::retained(session.repo(), keep)?;
    let (n_vectors_kept, vectors) =
        git_cora::provider::sidecar::refs::prune_refs(session.repo(), &retained, dry_run)?;
    if args.json.is_wanted() {
        context.print_json(&json!({
            "kept": report.n_kept,
            "dropped": report.dropped.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "orphans": report.n_orphans,
            "unusable_refs": report.faults.iter().map(|fault| fault.name.to_string()).collect::<Vec<_>>(),
            "embeddings_kept": n_vectors_kept,
            "embeddings_dropped": vectors,
            "dry_run": args.dry_run.dry_run,
        }))?;
    } else {
        let verb = if args.dry_run.dry_run { "would drop" } else { "dropped" };
        if context.verbosity > 0 {
            for commit in &report.dropped {
                context.print(&format!("{verb} {commit}\n"))?;
            }
            for name in &vectors {
                context.print(&format!("{verb} {name}\n"))?;
            }
        }
        if let Some(first) = report.faults.first() {
            context.say(&format!(
                "{} {} {}: {}",
                if dry_run { "would remove" } else { "removed" },
                counted(report.faults.len(), "unusable ref", "unusable refs"),
                example(report.faults.len(), &first.name),
                first.kind.describe()
            ));
        }
        context.say(&format!(
            "{verb} {}, {} {}; 'git gc' frees the space later",
            counted(report.dropped.len(), "index", "indexes"),
            if dry_run { "would keep" } else { "kept" },
            report.n_kept
        ));
        if n_vectors_kept + vectors.len() > 0 {
            context.say(&format!(
                "{verb} vectors of {}, {} those of {n_vectors_kept}",
                counted(vectors.len(), "commit", "commits"),
                if dry_run { "would keep" } else { "kept" },
            ));
        }
    }
    Ok(Outcome::Found)
}
