//! `git cora init` and `git cora uninstall`: install and remove hooks and configuration.
//!
//! Only the repository's own configuration and hooks are changed; a hooks path outside it gets a
//! hint instead.

use git_cora::git::Repository;

use crate::hook::{self, Plan};

use super::context::Context;
use super::{Outcome, args};

/// Settings that hide our refs in `git log`. The commits need no hiding, since they have the oldest
/// possible date.
const DECORATION: (&str, &str) = ("log.excludeDecoration", "refs/cora/*");
const LOCAL_DECORATION: (&str, &str) = ("log.excludeDecoration", "refs/cora-local/*");

fn values(repo: &Repository, key: &str) -> anyhow::Result<Vec<String>> {
    let output = repo.git(&["config", "--local", "--get-all", key]).run_any()?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

pub(crate) fn init(context: &Context, args: &args::Init) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let repo = session.repo();
    let dry_run = args.dry_run.dry_run;
    if !args.agent.is_empty() {
        #[cfg(feature = "mcp")]
        return super::agent::add(context, repo, &args.agent, dry_run).map(|()| Outcome::Found);
        #[cfg(not(feature = "mcp"))]
        anyhow::bail!(super::mcp::NOT_BUILT);
    }
    let [put, wrote, added] =
        if dry_run { ["would put", "would write", "would add"] } else { ["put", "wrote", "added"] };
    if !args.no_hooks {
        let installed = hook::install(repo, dry_run)?;
        match &installed.plan {
            Plan::Config if installed.changed.is_empty() => {
                context.say("hooks: already in the configuration")
            }
            Plan::Config => {
                context.say(&format!("hooks: {put} {} into the configuration", installed.changed.join(", ")))
            }
            Plan::Files(dir) if installed.changed.is_empty() => {
                context.say(&format!("hooks: already in '{}'", dir.display()));
            }
            Plan::Files(dir) => {
                context.say(&format!(
                    "hooks: {wrote} {} in '{}'",
                    installed.changed.join(", "),
                    dir.display()
                ));
            }
            Plan::Foreign(dir) => {
                context.complain(&format!(
                    "warning: hooks live in '{}', outside the repository: not touched",
                    dir.display()
                ));
                context.complain("hint: add this line to its post-commit, post-checkout, post-merge and post-rewrite hooks:");
                context
                    .complain("hint:   (git-cora hook \"$(basename \"$0\")\" </dev/null >/dev/null 2>&1 &)");
            }
        }
        for event in &installed.refused {
            context.complain(&format!("warning: the {event} hook is no shell script and was left alone"));
            context.complain(&format!("hint: let it start 'git-cora hook {event}' in the background"));
        }
    }
    if args.hooks_only {
        return Ok(Outcome::Found);
    }
    for (key, value) in [DECORATION, LOCAL_DECORATION] {
        if !values(repo, key)?.iter().any(|one| one == value) {
            context.say(&format!("config: {added} {key} = {value}"));
            if !dry_run {
                repo.git(&["config", "--local", "--add", key, value]).run()?;
            }
        }
    }
    if dry_run {
        context.say("index: would index HEAD");
        return Ok(Outcome::Found);
    }
    match repo.head()? {
        git_cora::git::Head::Commit { .. } => super::index::run(context, &super::index::of_head()),
        git_cora::git::Head::Unborn { .. } => {
            context.say("index: nothing yet; the first commit will be indexed");
            Ok(Outcome::Found)
        }
    }
}

pub(crate) fn uninstall(context: &Context, args: &args::Uninstall) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let repo = session.repo();
    let dry_run = args.dry_run.dry_run;
    let would = if dry_run { "would remove" } else { "removed" };
    let changed = hook::uninstall(repo, dry_run)?;
    if !changed.is_empty() {
        context.say(&format!("hooks: {would} {}", changed.join(", ")));
    }
    let mut n_config = 0;
    for (key, value) in [DECORATION, LOCAL_DECORATION] {
        if values(repo, key)?.iter().any(|one| one == value) {
            n_config += 1;
            context.say(&format!("config: {would} {key} = {value}"));
            if !dry_run {
                let pattern = format!("^{}$", value.replace('*', "\\*"));
                repo.git(&["config", "--local", "--unset-all", key, &pattern]).run()?;
            }
        }
    }
    #[cfg(feature = "mcp")]
    let clients = super::agent::remove(repo, dry_run)?;
    #[cfg(not(feature = "mcp"))]
    let clients: [&str; 0] = [];
    for file in &clients {
        context.say(&format!("agent: {would} 'cora' from '{file}'"));
    }
    if changed.is_empty() && n_config == 0 && clients.is_empty() {
        context.say("nothing to remove");
    }
    context.say("the indexes stay; 'git cora uninstall --help' says how to drop them");
    Ok(Outcome::Found)
}
