//! `git cora push` and `git cora fetch`: transfer indexes and paid embeddings to and from a remote.
//!
//! Chooses the remote and the commits and reports the result; the library moves the refs.

use git_cora::answer::view::counted;
use git_cora::base::config;
use git_cora::base::id::ObjectId;
use git_cora::provider::sidecar::refs::{self, TransferReport};
use git_cora::provider::sidecar::vectors;
use git_cora::{Session, index};

use super::Outcome;
use super::args;
use super::context::Context;

/// Returns the given remote; otherwise that of the current branch, `origin`, or the only one.
fn remote(session: &Session, operation: &str, asked: Option<&str>) -> anyhow::Result<String> {
    let repo = session.repo();
    let listed = repo.git(&["remote"]).run()?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let remotes: Vec<&str> = listed.lines().collect();
    if let Some(asked) = asked {
        // A URL or a path is also a remote. An argument that can only name a commit was meant as a
        // revision.
        let is_path = asked.contains([':', '/', '\\']) || std::path::Path::new(asked).exists();
        if !remotes.contains(&asked) && !is_path && repo.resolve(asked).is_ok() {
            let first = remotes.first().unwrap_or(&"origin");
            anyhow::bail!(
                "'{asked}' is a revision, not a remote; the remote comes first: 'git cora {operation} {first} {asked}'"
            );
        }
        return Ok(asked.to_owned());
    }
    if let git_cora::git::Head::Commit { refname: Some(name), .. } = repo.head()?
        && let Some(branch) = name.to_string().strip_prefix("refs/heads/")
        && let Some(remote) = repo.config_string(&format!("branch.{branch}.remote"))
        && remote != "."
    {
        return Ok(remote);
    }
    if repo.remote_url("origin").is_some() {
        return Ok("origin".to_owned());
    }
    match remotes.as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => anyhow::bail!("there is no remote; add one with 'git remote add origin URL'"),
        _ => anyhow::bail!("there are several remotes; name the one that is meant"),
    }
}

fn commits(session: &Session, args: &args::Transfer) -> anyhow::Result<Vec<ObjectId>> {
    Ok(if args.revs.is_empty() { Vec::new() } else { session.repo().resolve_many(&args.revs)? })
}

/// Whether paid embeddings are transferred as well.
fn wants_vectors(session: &Session, args: &args::Transfer) -> anyhow::Result<bool> {
    let name = config::SHARE_EMBEDDINGS.name;
    let value = session.repo().config_string(name);
    Ok(args.embeddings
        || config::parse_bool(name, value.as_deref().unwrap_or(config::SHARE_EMBEDDINGS.default))?)
}

/// Reports the transfer of embeddings. Returns whether there are any.
fn say_vectors(
    context: &Context,
    carried: &TransferReport,
    verb: &str,
    direction: &str,
    place: &str,
) -> bool {
    if context.verbosity > 0 {
        context.complain(carried.transfer.trim_end());
    }
    context.say(&format!(
        "{verb} {} {direction}, {} {place} already",
        counted(carried.moved.len(), "commit", "commits"),
        carried.n_there
    ));
    if let Some(first) = carried.conflicting.first() {
        context.complain(&format!(
            "warning: {} on both sides, of '{first}' first, and left alone",
            counted(
                carried.conflicting.len(),
                "commit has different vectors",
                "commits have different vectors"
            )
        ));
    }
    !(carried.moved.is_empty() && carried.n_there == 0 && carried.conflicting.is_empty())
}

pub(crate) fn push(context: &Context, args: &args::Transfer) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let remote = remote(&session, "push", args.remote.as_deref())?;
    let commits = commits(&session, args)?;
    let pushed = index::push(session.repo(), &remote, &commits, args.dry_run.dry_run)?;
    if context.verbosity > 0 {
        context.complain(pushed.transfer.trim_end());
    }
    let has_vectors = if wants_vectors(&session, args)? {
        let carried =
            refs::push_refs(session.repo(), &remote, vectors::REF_PREFIX, &commits, args.dry_run.dry_run)?;
        let verb = if args.dry_run.dry_run { "would send" } else { "sent" };
        say_vectors(context, &carried, &format!("{verb} vectors of"), &format!("to '{remote}'"), "there")
    } else {
        false
    };
    if pushed.sent.is_empty() && pushed.n_there == 0 && pushed.conflicting.is_empty() {
        if index::indexed_commits(session.repo())?.is_empty() {
            context.say("nothing is indexed here yet");
            context.say("hint: index the current commit with 'git cora index'");
        } else {
            context.say("there are only local indexes here, made where history is cut off: none to share");
            context.say("hint: get the history with 'git fetch --unshallow', then 'git cora index'");
        }
        return Ok(if has_vectors { Outcome::Found } else { Outcome::Nothing });
    }
    let verb = if args.dry_run.dry_run { "would send" } else { "sent" };
    context.say(&format!(
        "{verb} {} to '{remote}', {} there already",
        counted(pushed.sent.len(), "index", "indexes"),
        pushed.n_there
    ));
    if let Some(first) = pushed.conflicting.first() {
        context.complain(&format!(
            "warning: '{remote}' has {}, of {first} first: made by another version or with other options, and left alone",
            counted(pushed.conflicting.len(), "other index", "other indexes")
        ));
    }
    Ok(Outcome::Found)
}

pub(crate) fn fetch(context: &Context, args: &args::Transfer) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let remote = remote(&session, "fetch", args.remote.as_deref())?;
    let commits = commits(&session, args)?;
    let fetched = index::fetch(session.repo(), &remote, &commits, args.dry_run.dry_run)?;
    if context.verbosity > 0 {
        context.complain(fetched.transfer.trim_end());
    }
    let has_vectors = if wants_vectors(&session, args)? {
        let carried =
            refs::fetch_refs(session.repo(), &remote, vectors::REF_PREFIX, &commits, args.dry_run.dry_run)?;
        let verb = if args.dry_run.dry_run { "would receive" } else { "received" };
        say_vectors(context, &carried, &format!("{verb} vectors of"), &format!("from '{remote}'"), "here")
    } else {
        false
    };
    let verb = if args.dry_run.dry_run { "would receive" } else { "received" };
    let is_empty = fetched.received.is_empty() && fetched.n_here == 0;
    if is_empty && fetched.n_foreign == 0 {
        context.say(&format!("'{remote}' has no indexes yet"));
        context.say("hint: make them here with 'git cora index', and share them with 'git cora push'");
        return Ok(if has_vectors { Outcome::Found } else { Outcome::Nothing });
    }
    let foreign = match fetched.n_foreign {
        0 => String::new(),
        n => format!(", {} of commits that are not", n),
    };
    context.say(&format!(
        "{verb} {} from '{remote}', {} here already{foreign}",
        counted(fetched.received.len(), "index", "indexes"),
        fetched.n_here
    ));
    if is_empty {
        context.say(&format!("hint: get the commits first, with 'git fetch {remote}'"));
    }
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Found })
}
