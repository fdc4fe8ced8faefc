//! `git cora push` and `git cora fetch`.

use git_cora::id::ObjectId;
use git_cora::{Session, index};

use super::args;
use super::context::Context;
use super::Outcome;

/// The remote asked for; otherwise the one of the current branch, `origin`, or the only one.
fn remote(session: &Session, asked: Option<&str>) -> anyhow::Result<String> {
    if let Some(asked) = asked {
        return Ok(asked.to_owned());
    }
    let repo = session.repo();
    if let git_cora::repo::Head::Commit { refname: Some(name), .. } = repo.head()?
        && let Some(branch) = name.to_string().strip_prefix("refs/heads/")
        && let Some(remote) = repo.config_string(&format!("branch.{branch}.remote"))
    {
        return Ok(remote);
    }
    if repo.remote_url("origin").is_some() {
        return Ok("origin".to_owned());
    }
    let listed = repo.git(&["remote"]).run()?;
    match String::from_utf8_lossy(&listed.stdout).lines().collect::<Vec<_>>().as_slice() {
        [only] => Ok((*only).to_owned()),
        [] => anyhow::bail!("there is no remote; add one with 'git remote add origin URL'"),
        _ => anyhow::bail!("there are several remotes; name the one that is meant"),
    }
}

fn commits(session: &Session, args: &args::Transfer) -> anyhow::Result<Vec<ObjectId>> {
    Ok(if args.revs.is_empty() { Vec::new() } else { session.repo().resolve_many(&args.revs)? })
}

pub(crate) fn push(context: &Context, args: &args::Transfer) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let remote = remote(&session, args.remote.as_deref())?;
    let commits = commits(&session, args)?;
    let pushed = index::push(session.repo(), &remote, &commits, args.dry_run.dry_run)?;
    if context.verbosity > 0 {
        context.complain(pushed.transfer.trim_end());
    }
    let verb = if args.dry_run.dry_run { "would send" } else { "sent" };
    context.say(&format!("{verb} {} index(es) to '{remote}', {} were there", pushed.sent.len(), pushed.n_there));
    if let Some(first) = pushed.conflicting.first() {
        context.complain(&format!(
            "warning: '{remote}' has {} other index(es), of {first} first: made by another version or with other options, and left alone",
            pushed.conflicting.len()
        ));
    }
    Ok(Outcome::Found)
}

pub(crate) fn fetch(context: &Context, args: &args::Transfer) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let remote = remote(&session, args.remote.as_deref())?;
    let commits = commits(&session, args)?;
    let fetched = index::fetch(session.repo(), &remote, &commits, args.dry_run.dry_run)?;
    if context.verbosity > 0 {
        context.complain(fetched.transfer.trim_end());
    }
    let verb = if args.dry_run.dry_run { "would receive" } else { "received" };
    let foreign = if fetched.n_foreign > 0 {
        format!(", {} are of commits that are not here", fetched.n_foreign)
    } else {
        String::new()
    };
    context.say(&format!(
        "{verb} {} index(es) from '{remote}', {} were here{foreign}",
        fetched.received.len(),
        fetched.n_here
    ));
    let is_empty = fetched.received.is_empty() && fetched.n_here == 0;
    Ok(if is_empty { Outcome::Nothing } else { Outcome::Found })
}
