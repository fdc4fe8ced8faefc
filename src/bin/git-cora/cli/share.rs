//! `git cora push` and `git cora fetch`: transfer indexes, paid embeddings and commentary to and
//! from a remote.
//!
//! Chooses the remote and the commits and reports the result, also what stays here and why. The
//! library decides what may be sent and moves the refs.
#![allow(clippy::disallowed_methods, reason = "the environment says whether a push of ours is running")]

use git_cora::answer::view::{counted, example};
use git_cora::base::config;
use git_cora::base::error::ClassifiedError as _;
use git_cora::base::id::ObjectId;
use git_cora::git::{Direction, PUSHING, Rejection, Repository, without_credentials};
use git_cora::index::{Destination, PushReport};
use git_cora::provider::sidecar::refs::{self, SidecarKind, TransferReport};
use git_cora::{Session, index};

use crate::command_error::CommandError;
use crate::terminal::Context;

use super::Outcome;
use super::args;

/// Returns the given remote; otherwise the one that Git would choose.
pub(super) fn remote(session: &Session, direction: Direction, asked: Option<&str>) -> anyhow::Result<String> {
    let repo = session.repo();
    let remotes = repo.remotes()?;
    if let Some(asked) = asked {
        // A URL or a path is also a remote. An argument that can only name a commit was meant as a
        // revision.
        let is_path = asked.contains([':', '/', '\\']) || std::path::Path::new(asked).exists();
        if !remotes.iter().any(|name| name == asked) && !is_path && repo.resolve(asked).is_ok() {
            let first = remotes.first().map_or("origin", String::as_str);
            let operation = if direction == Direction::Push { "push" } else { "fetch" };
            let message = format!("'{asked}' is a revision, not a remote");
            let hint = format!("run 'git cora {operation} {first} {asked}': the remote comes first");
            return Err(CommandError::new(message, hint).into());
        }
        return Ok(asked.to_owned());
    }
    match (repo.default_remote(direction)?, remotes.is_empty()) {
        (Some(here), _) if here == "." => {
            let first = remotes.first().map_or("origin", String::as_str);
            let message = "this branch is not pushed to a remote: 'pushRemote' or 'pushDefault' is '.'";
            Err(CommandError::new(message, format!("run 'git cora push {first}' to name one")).into())
        }
        (Some(remote), _) => Ok(remote),
        (None, true) => {
            let hint = "run 'git remote add origin URL' to add one";
            Err(CommandError::new("there is no remote", hint).into())
        }
        (None, false) => {
            let operation = if direction == Direction::Push { "push" } else { "fetch" };
            let (first, others) =
                remotes.split_first().map_or(("origin", &[][..]), |(one, more)| (one.as_str(), more));
            let hint = format!("run 'git cora {operation} {first}', or name another: {}", quoted(others));
            Err(CommandError::new("there are several remotes", hint).into())
        }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ")
}

fn commits(session: &Session, args: &args::Transfer) -> anyhow::Result<Vec<ObjectId>> {
    Ok(if args.revs.is_empty() { Vec::new() } else { session.repo().resolve_many(&args.revs)? })
}

/// Returns what else is transferred: paid embeddings, commentary.
fn sidecars(session: &Session, args: &args::Transfer) -> anyhow::Result<Vec<SidecarKind>> {
    let name = config::SHARE_EMBEDDINGS.name;
    let value = session.repo().config_string(name);
    let is_set = config::parse_bool(name, value.as_deref().unwrap_or(config::SHARE_EMBEDDINGS.default))?;
    let mut wanted = Vec::new();
    if args.embeddings || is_set {
        wanted.push(SidecarKind::Vectors);
    }
    if args.commentary {
        wanted.push(SidecarKind::Commentary);
    }
    Ok(wanted)
}

/// Returns how a sidecar is called in messages.
fn noun(what: SidecarKind) -> &'static str {
    match what {
        SidecarKind::Vectors => "vectors",
        SidecarKind::Commentary => "commentary",
    }
}

/// Reports the transfer of a sidecar. Returns whether there is any.
fn say_sidecar(
    context: &Context,
    what: SidecarKind,
    carried: &TransferReport,
    verb: &str,
    direction: &str,
    place: &str,
) -> bool {
    let noun = noun(what);
    if context.verbosity > 0 {
        context.complain_lines(&carried.transfer);
    }
    context.say(&format!(
        "{verb} {noun} of {} {direction}, {} {place} already",
        counted(carried.moved.len(), "commit", "commits"),
        carried.n_there
    ));
    if let Some(first) = carried.conflicting.first() {
        context.complain(&format!(
            "warning: {} different {noun} here and on the remote {}; nothing was overwritten",
            counted(carried.conflicting.len(), "commit has", "commits have"),
            example(carried.conflicting.len(), first)
        ));
    }
    if !carried.withheld.is_empty() {
        context.say(&format!(
            "note: not sent: {noun} of {} not on the remote",
            counted(carried.withheld.len(), "commit that is", "commits that are")
        ));
    }
    !(carried.moved.is_empty() && carried.n_there == 0 && carried.conflicting.is_empty())
}

/// Reports the addresses of a remote that do not answer. Returns whether there are any.
pub(super) fn say_silent(context: &Context, destination: &Destination) -> bool {
    for (address, error) in destination.silent() {
        context.complain(&format!("error: '{}': {error}", without_credentials(address)));
        if let Some(hint) = error.hint() {
            context.complain(&format!("hint: {hint}"));
        }
    }
    !destination.silent().is_empty()
}

/// Reports the refs that the remote did not accept, and what it printed. Returns whether there are
/// any.
fn say_rejected(context: &Context, remote: &str, rejected: &[Rejection], said: &[String]) -> bool {
    let Some(first) = rejected.first() else { return false };
    for line in said {
        context.complain(&format!("remote: {line}"));
    }
    context.complain(&format!(
        "error: '{remote}' rejected {} {}: {}",
        counted(rejected.len(), "ref", "refs"),
        example(rejected.len(), &first.name),
        first.reason
    ));
    true
}

/// Reports the indexes that stay here, why, and what sends them.
fn say_withheld(context: &Context, session: &Session, destination: &Destination, pushed: &PushReport) {
    let Some(&newest) = pushed.withheld.first() else { return };
    let repo = session.repo();
    let remote = pushed_to(destination);
    let n = pushed.withheld.len();
    context.say(&format!(
        "note: {} here: no known branch or tag of '{remote}' contains {}",
        counted(n, "index stays", "indexes stay"),
        if n == 1 { "its commit" } else { "their commits" }
    ));
    if context.verbosity > 0 {
        for commit in &pushed.withheld {
            context.complain(&format!("stays here: {commit}"));
        }
    }
    let unknown = destination.unknown(repo);
    if destination.is_empty() {
        context.say(&format!("hint: run 'git push {remote} HEAD' to push the commits first"));
    } else if !unknown.is_empty() {
        context.say(&format!(
            "hint: this repository lacks {} of '{remote}'; {}",
            counted(unknown.len(), "branch or tag", "branches and tags"),
            get_to_know(&session.repo().remotes().unwrap_or_default(), &remote)
        ));
    } else {
        context.say(&format!(
            "hint: run 'git cora push {remote} {}' to send one anyway",
            newest.abbreviated(12)
        ));
    }
}

/// Says why no index can be shared, although there are some.
fn say_all_local(context: &Context, repo: &Repository) -> anyhow::Result<()> {
    if !repo.shallow_boundary()?.is_empty() {
        context.say("all indexes here are local, because the clone is shallow: none can be shared");
        context.say("hint: run 'git fetch --unshallow && git cora index' to build complete ones");
        return Ok(());
    }
    context.say(
        "all indexes here are local: files were missing when they were built, or a newer version made others",
    );
    let hint = if repo.is_partial() {
        "hint: run 'git fetch --refetch --no-filter && git cora index' to get all files and build complete ones"
    } else {
        "hint: run 'git cora index -v' to see which files are missing"
    };
    context.say(hint);
    Ok(())
}

/// Reports refs that were not sent, because they don't lead to an index of their commit. Returns
/// whether there are any.
fn say_invalid(context: &Context, invalid: &[ObjectId]) -> bool {
    let Some(first) = invalid.first() else { return false };
    let name = index::ref_name(*first);
    context.complain(&format!(
        "error: {} {}",
        counted(
            invalid.len(),
            "ref was not sent: it does not point to an index of its commit",
            "refs were not sent: they do not point to indexes of their commits",
        ),
        example(invalid.len(), &name)
    ));
    context.complain(&format!(
        "hint: run 'git update-ref --no-deref -d {name} && git cora index {}' to rebuild it",
        first.abbreviated(12)
    ));
    true
}

/// Returns how to fetch all branches and tags of a remote.
pub(super) fn get_to_know(remotes: &[String], remote: &str) -> String {
    if remotes.iter().any(|name| name == remote) {
        format!("run 'git fetch --tags {remote} \"+refs/heads/*:refs/remotes/{remote}/*\"' to get them")
    } else {
        format!("run 'git remote add other {remote} && git fetch --tags other' to get them")
    }
}

/// Returns the name of the remote for messages, without a password.
fn pushed_to(destination: &Destination) -> String {
    without_credentials(destination.remote())
}

pub(crate) fn push(context: &Context, args: &args::Transfer) -> anyhow::Result<Outcome> {
    // We are in a hook of our own push.
    if std::env::var_os(PUSHING).is_some() {
        context.say("already pushing");
        return Ok(Outcome::Found);
    }
    let session = context.session()?;
    let remote = remote(&session, Direction::Push, args.remote.as_deref())?;
    let commits = commits(&session, args)?;
    let dry_run = args.dry_run.dry_run;
    let destination = Destination::open(session.repo(), &remote)?.with_progress(context.verbosity > 0);
    let pushed = index::push(session.repo(), &destination, &commits, dry_run)?;
    let shown = pushed_to(&destination);
    if context.verbosity > 0 {
        context.complain_lines(&pushed.transfer);
    }
    let verb = if dry_run { "would send" } else { "sent" };
    let mut has_sidecars = false;
    let mut is_rejected = say_silent(context, &destination);
    for what in sidecars(&session, args)? {
        let carried = refs::push_refs(session.repo(), &destination, what, &commits, dry_run)?;
        has_sidecars |= say_sidecar(context, what, &carried, verb, &format!("to '{shown}'"), "there");
        is_rejected |= say_rejected(context, &shown, &carried.rejected, &carried.said);
    }
    let is_empty = pushed.sent.is_empty() && pushed.n_there == 0 && pushed.conflicting.is_empty();
    let is_empty = is_empty && pushed.invalid.is_empty();
    if is_empty && pushed.withheld.is_empty() && pushed.rejected.is_empty() {
        if index::indexed_commits(session.repo())?.is_empty() {
            context.say("nothing is indexed here yet");
            context.say("hint: run 'git cora index' to index the current commit");
        } else {
            say_all_local(context, session.repo())?;
        }
        return Ok(match (is_rejected, has_sidecars) {
            (true, _) => Outcome::Failed,
            (false, true) => Outcome::Found,
            (false, false) => Outcome::Nothing,
        });
    }
    context.say(&format!(
        "{verb} {} to '{shown}', {} there already",
        counted(pushed.sent.len(), "index", "indexes"),
        pushed.n_there
    ));
    if let Some(first) = pushed.conflicting.first() {
        context.complain(&format!(
            "warning: '{shown}' has {} made by another version or with other options {}; nothing was \
            overwritten",
            counted(pushed.conflicting.len(), "index", "indexes"),
            example(pushed.conflicting.len(), first)
        ));
    }
    is_rejected |= say_invalid(context, &pushed.invalid);
    say_withheld(context, &session, &destination, &pushed);
    is_rejected |= say_rejected(context, &shown, &pushed.rejected, &pushed.said);
    Ok(match (is_rejected, is_empty && !has_sidecars) {
        (true, _) => Outcome::Failed,
        (false, true) => Outcome::Nothing,
        (false, false) => Outcome::Found,
    })
}

pub(crate) fn fetch(context: &Context, args: &args::Transfer) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let remote = remote(&session, Direction::Fetch, args.remote.as_deref())?;
    let commits = commits(&session, args)?;
    let dry_run = args.dry_run.dry_run;
    let fetched = index::fetch(session.repo(), &remote, &commits, dry_run)?;
    let shown = without_credentials(&remote);
    if context.verbosity > 0 {
        context.complain_lines(&fetched.transfer);
    }
    let verb = if dry_run { "would receive" } else { "received" };
    let mut has_sidecars = false;
    for what in sidecars(&session, args)? {
        let carried = refs::fetch_refs(session.repo(), &remote, what, &commits, dry_run)?;
        has_sidecars |= say_sidecar(context, what, &carried, verb, &format!("from '{shown}'"), "here");
    }
    if let Some(first) = fetched.invalid.first() {
        let n = fetched.invalid.len();
        let refs = counted(n, "ref", "refs");
        let example = example(n, index::ref_name(*first));
        let why = match n {
            1 => "was dropped: it does not point to an index of its commit",
            _ => "were dropped: they do not point to indexes of their commits",
        };
        context.say(&format!("note: {refs} {example} from '{shown}' {why}"));
    }
    let is_empty = fetched.received.is_empty() && fetched.n_here == 0;
    if is_empty && fetched.n_foreign == 0 && fetched.invalid.is_empty() {
        context.say(&format!("'{shown}' has no indexes yet"));
        context.say("hint: run 'git cora index && git cora push' to build and share one");
        return Ok(if has_sidecars { Outcome::Found } else { Outcome::Nothing });
    }
    let foreign = match fetched.n_foreign {
        0 => String::new(),
        n => format!(
            ", {n} not fetched, because this repository lacks {}",
            if n == 1 { "its commit" } else { "their commits" }
        ),
    };
    context.say(&format!(
        "{verb} {} from '{shown}', {} here already{foreign}",
        counted(fetched.received.len(), "index", "indexes"),
        fetched.n_here
    ));
    if is_empty && fetched.n_foreign > 0 {
        context.say(&format!("hint: run 'git fetch {shown}' to get the commits first"));
    }
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Found })
}
