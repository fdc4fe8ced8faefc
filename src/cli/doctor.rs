//! `git cora doctor`: what is set up, what is not, and what to do about it.

use serde_json::json;

use git_cora::index::{self, Opened};
use git_cora::repo::Head;

use crate::hook;

use super::context::Context;
use super::{Outcome, args};

/// One thing that was looked at.
struct Check {
    what: &'static str,
    is_good: bool,
    found: String,
    /// What to do, if anything.
    advice: String,
}

pub(crate) fn run(context: &Context, args: &args::Doctor) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let repo = session.repo();
    let mut checks = Vec::new();
    let mut add = |what, is_good, found: String, advice: &str| {
        checks.push(Check {
            what,
            is_good,
            found,
            advice: if is_good { String::new() } else { advice.to_owned() },
        });
    };

    let version = repo.git(&["version"]).run_any()?;
    add(
        "git",
        version.success(),
        String::from_utf8_lossy(&version.stdout).trim().to_owned(),
        "install Git 2.30 or newer and put it on PATH",
    );
    let on_path = is_on_path();
    add(
        "git-cora on PATH",
        on_path,
        if on_path { "yes" } else { "no" }.to_owned(),
        "put the directory of git-cora on PATH: hooks and 'git cora' find it there",
    );
    let has_hooks = hook::is_current(repo)?;
    add(
        "hooks",
        has_hooks,
        if has_hooks { "installed" } else { "not installed" }.to_owned(),
        "run 'git cora init'",
    );
    let manifest = session.options().manifest();
    match repo.head()? {
        Head::Unborn { .. } => add("index of HEAD", true, "no commit yet".to_owned(), ""),
        Head::Commit { id, .. } => match index::open(repo, id, &manifest) {
            Ok(Opened::Current(snapshot)) => {
                let kind = if snapshot.is_local { "present, local" } else { "present" };
                add("index of HEAD", true, kind.to_owned(), "");
            }
            Ok(Opened::Absent) => add("index of HEAD", false, "missing".to_owned(), "run 'git cora index'"),
            Ok(Opened::Outdated { .. }) => add(
                "index of HEAD",
                false,
                "made by another version or with other options".to_owned(),
                "run 'git cora index'",
            ),
            Ok(Opened::Damaged { why, .. }) => {
                add("index of HEAD", false, format!("damaged: {why}"), "run 'git cora index --force'");
            }
            Err(error) => add("index of HEAD", false, error.to_string(), "upgrade git-cora"),
        },
    }
    let n_indexed = index::indexed_commits(repo)?.len();
    add("indexed commits", true, n_indexed.to_string(), "");
    let has_segment = session.has_segment();
    add(
        "search cache",
        true,
        if has_segment { "present" } else { "empty: the next query makes it" }.to_owned(),
        "",
    );
    let mirror = fetches_mirror(&session);
    add(
        "fetch settings",
        !mirror,
        if mirror { "a remote maps into refs/cora/" } else { "fine" }.to_owned(),
        "remove that refspec: 'git fetch --prune' would delete local indexes; use 'git cora fetch'",
    );
    let log = std::fs::read_to_string(hook::log_path(&session)).unwrap_or_default();
    let last = log.lines().last().unwrap_or_default().to_owned();
    add(
        "background indexing",
        last.is_empty(),
        if last.is_empty() { "no failures".to_owned() } else { format!("last failure: {last}") },
        &format!("mend it and delete '{}'", hook::log_path(&session).display()),
    );

    let is_good = checks.iter().all(|check| check.is_good);
    if args.json.json {
        let list: Vec<_> = checks
            .iter()
            .map(|check| json!({ "check": check.what, "ok": check.is_good, "found": check.found, "advice": check.advice }))
            .collect();
        context.print_json(&json!({ "ok": is_good, "checks": list }))?;
    } else {
        for check in &checks {
            let mark = if check.is_good { "ok  " } else { "TO DO" };
            context.print(&format!(
                "{mark:<5} {}: {}\n",
                check.what,
                git_cora::view::visible(&check.found)
            ))?;
            if !check.advice.is_empty() {
                context.print(&format!("      → {}\n", check.advice))?;
            }
        }
    }
    Ok(if is_good { Outcome::Found } else { Outcome::Nothing })
}

/// Whether `git-cora` is found on PATH.
fn is_on_path() -> bool {
    let name = format!("git-cora{}", std::env::consts::EXE_SUFFIX);
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(&name).is_file()))
}

/// Whether a remote's fetch refspec writes into our refs.
fn fetches_mirror(session: &git_cora::Session) -> bool {
    let Ok(output) = session.repo().git(&["config", "--get-regexp", "^remote\\..*\\.fetch$"]).run_any()
    else {
        return false;
    };
    String::from_utf8_lossy(&output.stdout).lines().any(|line| line.contains(":refs/cora/"))
}
