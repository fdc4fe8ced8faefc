//! `git cora doctor`: checks the set-up, and says what to do.
//!
//! It checks Git, the hooks, the index of HEAD with a sample of its records, settings, caches and
//! background failures. It only advises and changes nothing.
#![allow(clippy::disallowed_methods, reason = "looks for the program in PATH")]

use std::path::Path;

use std::collections::HashSet;

use serde_json::json;

use git_cora::Session;
use git_cora::answer::view::theme::{BAD, GOOD, STATUS};
use git_cora::answer::view::{counted, example, visible};
use git_cora::base::error::ClassifiedError;
use git_cora::base::progress::{NoProgress, Task};
use git_cora::git::{Head, Repository};
use git_cora::index::{self, CommitIndex, Snapshot, Verifier};

use crate::hook::{self, Plan, Refusal};
use crate::setup;
use crate::setup::config::Contents;
use crate::setup::ledger::Ledger;
use crate::terminal::Context;

use super::{Outcome, args, man, output};

mod refs;
pub(super) mod refspec;

/// Number of records recomputed: enough to notice an index that is wrong throughout, in well under
/// a second.
const SAMPLE: usize = 20;

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// As it should be.
    Good,
    /// Works, but could be better.
    Note,
    /// Does not work.
    Problem,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Note => "note",
            Self::Problem => "problem",
        }
    }

    fn style(self) -> anstyle::Style {
        match self {
            Self::Good => GOOD,
            Self::Note => STATUS,
            Self::Problem => BAD,
        }
    }
}

/// The result of one check.
struct Check {
    what: &'static str,
    level: Level,
    found: String,
    /// A suggested action; empty if none.
    advice: String,
}

impl Check {
    fn new(what: &'static str, level: Level, found: impl Into<String>, advice: impl Into<String>) -> Self {
        let advice = if level == Level::Good { String::new() } else { advice.into() };
        Self { what, level, found: found.into(), advice }
    }

    fn good(what: &'static str, found: impl Into<String>) -> Self {
        Self::new(what, Level::Good, found, "")
    }

    /// Returns a good check, or a problem.
    fn of(what: &'static str, is_good: bool, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::new(what, if is_good { Level::Good } else { Level::Problem }, found, advice)
    }
}

/// What the check of the index of `HEAD` is called.
const INDEX: &str = "index of HEAD";

pub(crate) fn run(context: &Context, args: &args::Doctor) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let repo = session.repo();
    let mut checks = Vec::new();

    let version = repo.git(&["version"]).run_any()?;
    checks.push(Check::of(
        "git",
        version.success(),
        String::from_utf8_lossy(&version.stdout).trim(),
        "install Git 2.30 or newer and put it on PATH",
    ));
    let on_path = is_on_path();
    checks.push(Check::of(
        "git-cora on PATH",
        on_path,
        if on_path { "yes" } else { "no" },
        "put the directory of git-cora on PATH: hooks and 'git cora' find it there",
    ));
    checks.extend(manual());
    checks.push(hooks(repo)?);
    checks.extend(head(context, &session)?);
    let n_indexed = index::indexed_commits(repo)?.len();
    checks.push(Check::good("indexed commits", n_indexed.to_string()));
    let has_segment = git_cora::search::has_segment(session.repo());
    checks.push(Check::good(
        "search cache",
        if has_segment { "present" } else { "empty: the next query fills it" },
    ));
    checks.push(writable(repo));
    let clash = refspec::clash(repo);
    checks.push(Check::of(
        "fetch settings",
        clash.is_none(),
        if clash.is_none() { "fine" } else { "a remote's fetch refspec writes to refs/cora/" },
        clash.map(|clash| clash.advice()).unwrap_or_default(),
    ));
    checks.extend(refs::checks(repo)?);
    let log = std::fs::read_to_string(hook::log_path(&session)).unwrap_or_default();
    let last = log.lines().last().unwrap_or_default();
    checks.push(Check::of(
        "background indexing",
        last.is_empty(),
        if last.is_empty() { "no failures".to_owned() } else { format!("last failure: {last}") },
        format!("fix the cause, then delete '{}'", hook::log_path(&session).display()),
    ));

    let embedder = session.providers().embedder(false).map(|embedder| {
        embedder.map(|embedder| (embedder.model().id(), embedder.model().address().host().to_owned()))
    });
    checks.push(remote("remote model", embedder));
    let language = session
        .providers()
        .language_model(false)
        .map(|model| model.map(|model| (model.choice().id(), model.choice().address().host().to_owned())));
    checks.push(remote("language model", language));

    let is_good = checks.iter().all(|check| check.level != Level::Problem);
    if args.json.is_wanted() {
        let list: Vec<_> = checks
            .iter()
            .map(|check| {
                json!({
                    "check": check.what,
                    "ok": check.level != Level::Problem,
                    "level": check.level.name(),
                    "found": check.found,
                    "advice": context.with_place(&check.advice),
                })
            })
            .collect();
        context.print_json(&json!({ "ok": is_good, "checks": list }))?;
    } else {
        let mut page = output::Page::open(repo, &args.screen)?;
        for check in &checks {
            let level = page.paint.text(&format!("{:<8}", check.level.name()), check.level.style());
            page.write(&format!("{level} {}: {}\n", check.what, visible(&check.found)))?;
            if !check.advice.is_empty() {
                page.write(&format!("         → {}\n", visible(&context.with_place(&check.advice))))?;
            }
        }
        page.close()?;
    }
    Ok(if is_good { Outcome::Found } else { Outcome::Nothing })
}

/// Checks whether the hooks are installed. Without them everything works, only later, so this is
/// never a problem.
fn hooks(repo: &Repository) -> anyhow::Result<Check> {
    const WHAT: &str = "hooks";
    let mut ledger = Ledger::open(repo);
    let mut installed = hook::install(repo, &mut ledger)?;
    if installed.plan == Plan::Config {
        let wanted = Contents { hooks: true, decoration: false };
        installed.changed = setup::config::plan(repo, &mut ledger, wanted)?.hooks;
    }
    let started = hook::started(repo, &installed.plan);
    if started.len() == hook::SCRIPTS.len() {
        return Ok(Check::good(WHAT, "installed"));
    }
    installed.changed.retain(|event| !started.contains(event));
    installed.refused.retain(|refusal| !started.contains(&refusal.event));
    let elsewhere = |dir: &Path, why: &str| {
        let found = match started.as_slice() {
            [] => format!("not installed: '{}' is {why}", dir.display()),
            some => format!("only {} in '{}'", some.join(", "), dir.display()),
        };
        Check::new(WHAT, Level::Note, found, "run 'git cora init' to see the line to add")
    };
    Ok(match (&installed.plan, installed.changed.as_slice(), installed.refused.as_slice()) {
        (Plan::Foreign(dir), ..) => elsewhere(dir, "outside the repository or shared with others"),
        (Plan::Tracked(dir), ..) => elsewhere(dir, "part of the working tree"),
        (Plan::Bare, ..) => Check::new(
            WHAT,
            Level::Note,
            "none, because nobody commits in a bare repository: what is pushed is indexed by the next query",
            "run 'git cora init' to see the line for the post-receive hook",
        ),
        (Plan::Off(why), ..) => Check::new(
            WHAT,
            Level::Note,
            format!("switched off, because {why}"),
            "run 'git cora watch' to have new commits indexed in the background",
        ),
        (_, [], []) => Check::good(WHAT, "installed"),
        (_, [], refused) => Check::new(
            WHAT,
            Level::Note,
            format!("not installed: {}", listed(refused)),
            "have each hook run 'git-cora hook NAME' in the background, where NAME is the hook's name",
        ),
        (_, changed, refused) if changed.len() + refused.len() == hook::SCRIPTS.len() => Check::new(
            WHAT,
            Level::Note,
            "not installed: new commits are indexed by the next query",
            "run 'git cora init' to have them indexed in the background",
        ),
        (_, changed, _) => Check::new(
            WHAT,
            Level::Problem,
            format!("{} missing or changed", changed.join(", ")),
            "run 'git cora init' to install them again",
        ),
    })
}

fn listed(refused: &[Refusal]) -> String {
    let hooks: Vec<_> = refused.iter().map(|hook| format!("{} {}", hook.event, hook.why)).collect();
    hooks.join(", ")
}

/// Checks the index of HEAD and a sample of its records.
fn head(context: &Context, session: &Session) -> anyhow::Result<Vec<Check>> {
    let repo = session.repo();
    let Head::Commit { id, .. } = repo.head()? else {
        return Ok(vec![Check::good(INDEX, "no commit yet")]);
    };
    let snapshot = match index::open(repo, id, &session.indexer().options().manifest()) {
        Ok(CommitIndex::Current(snapshot)) => snapshot,
        Ok(CommitIndex::Absent) => {
            let advice = "run 'git cora fetch' to get it from the remote, or 'git cora index' to \
            build it now";
            return Ok(vec![Check::new(INDEX, Level::Note, "missing: the next query builds it", advice)]);
        }
        Ok(CommitIndex::Outdated { .. }) => {
            let found = "made by another version or with other options: the next query replaces it";
            return Ok(vec![Check::new(INDEX, Level::Note, found, "run 'git cora index' to replace it now")]);
        }
        Ok(CommitIndex::Damaged { why, .. }) => {
            let advice = "run 'git cora index --force' to rebuild it";
            return Ok(vec![Check::new(INDEX, Level::Problem, format!("damaged: {why}"), advice)]);
        }
        Ok(CommitIndex::Newer) => {
            return Ok(vec![newer("the next query builds another index and uses that")]);
        }
        Err(index::Error::Newer { .. }) => return Ok(vec![newer("each query reads all files again")]),
        Err(error) => {
            let advice = error.hint().unwrap_or_default();
            return Ok(vec![Check::new(INDEX, Level::Problem, error.to_string(), advice)]);
        }
    };
    if let Some(why) = index::incomplete(repo, &snapshot, &mut HashSet::new()) {
        let found = format!("damaged: {why}");
        return Ok(vec![Check::new(INDEX, Level::Problem, found, "run 'git cora index' to repair it")]);
    }
    match content(context, session, &snapshot) {
        Err(index::Error::Cancelled) => Err(index::Error::Cancelled.into()),
        // Such as trees that list more files than any source has.
        Err(error) => {
            let found = format!("damaged: {error}");
            Ok(vec![Check::new(INDEX, Level::Problem, found, "run 'git cora index --force' to rebuild it")])
        }
        Ok(checks) => Ok(checks),
    }
}

/// Checks what the index of HEAD holds.
fn content(context: &Context, session: &Session, snapshot: &Snapshot) -> index::Result<Vec<Check>> {
    let (repo, id) = (session.repo(), snapshot.commit);
    let kind = if snapshot.is_local { "present, local" } else { "present" };
    let unreadable = index::unreadable_files(repo, snapshot)?;
    let present = if let Some(first) = unreadable.first() {
        let n = unreadable.len();
        let (files, were) = (counted(n, "file", "files"), if n == 1 { "was" } else { "were" });
        let found = format!("incomplete: {files} {} {were} unreadable and not indexed", example(n, first));
        Check::new(INDEX, Level::Note, found, "run 'git cora index' to try again")
    } else if snapshot.is_local && index::is_newer(repo, id, &session.indexer().options().manifest())? {
        newer("queries use an index that was built here")
    } else {
        Check::good(INDEX, kind)
    };
    let mut verifier = Verifier::new(repo, session.indexer().options());
    let report = verifier.verify(snapshot, Some(SAMPLE), Task::new(&NoProgress, &context.cancel))?;
    let records = match report.differences.as_slice() {
        [] => Check::good(
            "records",
            format!("{} of {} recomputed, all correct", report.n_checked, report.n_files),
        ),
        [first, ..] => Check::new(
            "records",
            Level::Problem,
            format!(
                "{} match the source {}",
                counted(report.differences.len(), "does not", "do not"),
                example(report.differences.len(), &first.path)
            ),
            "run 'git cora index --force && git cora verify --all' to rebuild the index and \
            check the others",
        ),
    };
    Ok(vec![present, records])
}

/// Says that the index of HEAD was made by a newer version, and what follows.
fn newer(then: &str) -> Check {
    let found = format!("made by a newer version: {then}");
    Check::new("index of HEAD", Level::Note, found, "upgrade git-cora to use it")
}

/// Checks whether indexes can be stored.
fn writable(repo: &Repository) -> Check {
    let tried = repo.try_write().map_err(anyhow::Error::from);
    let found =
        tried.as_ref().map_or_else(|why| format!("not writable: {why:#}"), |()| "writable".to_owned());
    let advice = "make the repository writable: until then no commit can be indexed, and queries use \
    existing indexes";
    Check::of("repository", tried.is_ok(), found, advice)
}

/// Checks whether `git cora --help` finds its page; nothing to check without `man`.
fn manual() -> Option<Check> {
    const WHAT: &str = "manual pages";
    Some(match man::is_findable()? {
        true => Check::good(WHAT, "installed"),
        false => Check::new(
            WHAT,
            Level::Note,
            "not installed: 'git cora --help' finds no page",
            "run 'git cora man --install' to install them",
        ),
    })
}

/// Whether `git-cora` is on PATH.
fn is_on_path() -> bool {
    let name = format!("git-cora{}", std::env::consts::EXE_SUFFIX);
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(&name).is_file()))
}

/// What is sent to a model, by its id, and where.
fn remote(what: &'static str, model: git_cora::provider::Result<Option<(String, String)>>) -> Check {
    match model {
        Ok(None) => Check::good(what, "none; nothing is sent"),
        Ok(Some((id, host))) => Check::good(what, format!("{id} at '{host}'")),
        Err(error) => {
            let advice = error.hint().unwrap_or_default();
            Check::new(what, Level::Problem, error.to_string(), advice)
        }
    }
}
