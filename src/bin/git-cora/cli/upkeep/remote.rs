//! `git cora prune --remote`: deletes indexes, vectors and commentary from a remote.
//!
//! Only refs with a name of ours are deleted. Without `--all` these are the refs of commits that no
//! branch or tag of the remote reaches. That is known only if all of them are known here, with
//! their history; otherwise nothing is deleted.

use serde_json::json;

use git_cora::Session;
use git_cora::answer::view::{counted, example};
use git_cora::base::id::ObjectId;
use git_cora::git::{Direction, without_credentials};
use git_cora::index::{Destination, Shipment};
use git_cora::provider::sidecar::refs::source_commit;

use crate::terminal::Context;

use super::super::share::{get_to_know, remote, say_silent};
use super::super::{Outcome, args};

/// Most refs that are listed without `-v`.
const LISTED: usize = 10;

pub(super) fn prune(context: &Context, args: &args::Prune, asked: Option<&str>) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let remote = remote(&session, Direction::Push, asked)?;
    let destination = Destination::open(session.repo(), &remote)?;
    let shown = without_credentials(&remote);
    let ours: Vec<(String, ObjectId)> = destination
        .our_refs()
        .into_iter()
        .filter_map(|name| source_commit(&name).map(|commit| (name, commit)))
        .collect();
    let symbolic = destination.symbolic_refs();
    if let Some(first) = symbolic.first() {
        context.complain(&format!(
            "warning: did not delete {} on '{shown}' {}: deleting a symbolic ref deletes its target",
            counted(symbolic.len(), "symbolic ref", "symbolic refs"),
            example(symbolic.len(), first)
        ));
    }
    let Some(doomed) = doomed(context, &session, &destination, &ours, args.all)? else {
        return Ok(Outcome::Failed);
    };
    let dry_run = args.dry_run.dry_run;
    let n_kept = ours.len() - doomed.len();
    let shipment = if dry_run || doomed.is_empty() {
        Shipment { moved: doomed, ..Shipment::default() }
    } else {
        list(context, &doomed, &shown, "deleting");
        if !args.yes && !context.confirm("Delete them?", "deleted")? {
            return Ok(Outcome::Failed);
        }
        destination.delete(session.repo(), &doomed)?
    };
    if args.json.is_wanted() {
        context.print_json(&json!({
            "remote": shown,
            "dropped": shipment.moved,
            "rejected": shipment.rejected.iter().map(|one| &one.name).collect::<Vec<_>>(),
            "kept": n_kept,
            "dry_run": dry_run,
        }))?;
    } else if dry_run {
        list(context, &shipment.moved, &shown, "would delete");
        context.say(&format!("would keep {n_kept} there"));
    } else {
        context.say(&format!(
            "deleted {} from '{shown}' and kept {n_kept}; the server frees the space later",
            counted(shipment.moved.len(), "ref", "refs")
        ));
    }
    let is_silent = say_silent(context, &destination);
    let Some(first) = shipment.rejected.first() else {
        return Ok(if is_silent { Outcome::Failed } else { Outcome::Found });
    };
    for line in &shipment.said {
        context.complain(&format!("remote: {line}"));
    }
    context.complain(&format!(
        "error: '{shown}' did not delete {} {}: {}",
        counted(shipment.rejected.len(), "ref", "refs"),
        example(shipment.rejected.len(), &first.name),
        first.reason
    ));
    Ok(Outcome::Failed)
}

/// Returns the refs to delete; `None`, with the reason printed, if that is not known.
fn doomed(
    context: &Context,
    session: &Session,
    destination: &Destination,
    ours: &[(String, ObjectId)],
    all: bool,
) -> anyhow::Result<Option<Vec<String>>> {
    let repo = session.repo();
    if all {
        return Ok(Some(ours.iter().map(|(name, _)| name.clone()).collect()));
    }
    let remote = without_credentials(destination.remote());
    let unknown = destination.unknown(repo);
    if let Some(first) = unknown.first() {
        context.complain(&format!(
            "error: can't tell which commits '{remote}' needs: this repository lacks {} of the remote's branches and tags {}",
            unknown.len(),
            example(unknown.len(), first)
        ));
        context.complain(&format!("hint: {}", get_to_know(&repo.remotes()?, &remote)));
        return Ok(None);
    }
    if !repo.shallow_boundary()?.is_empty() {
        context.complain(&format!(
            "error: can't tell which commits '{remote}' needs: the history here is shallow"
        ));
        context
            .complain(&format!("hint: run 'git fetch --unshallow {remote}' to get the rest of the history"));
        return Ok(None);
    }
    let commits: Vec<ObjectId> = ours.iter().map(|(_, commit)| *commit).collect();
    let needed = destination.published_anywhere(repo, &commits)?;
    let is_lost = |(_, commit): &&(String, ObjectId)| !needed.contains(commit);
    Ok(Some(ours.iter().filter(is_lost).map(|(name, _)| name.clone()).collect()))
}

/// Prints the refs to delete.
fn list(context: &Context, names: &[String], remote: &str, verb: &str) {
    context.say(&format!("{verb} {} from '{remote}'", counted(names.len(), "ref", "refs")));
    let n_listed = if context.verbosity > 0 { names.len() } else { LISTED };
    for name in names.iter().take(n_listed) {
        context.say(&format!("  {name}"));
    }
    if names.len() > n_listed {
        context.say(&format!("  and {} more; -v lists them", names.len() - n_listed));
    }
}
