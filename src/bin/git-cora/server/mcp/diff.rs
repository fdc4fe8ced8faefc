//! The tool `diff`: two revisions, or a revision and the working tree → the declarations that
//! differ.
//!
//! It never returns changed lines: declarations with their places take far fewer tokens. The
//! commits need an index; if one is not ready within the patience, the reply says so.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use bstr::ByteSlice;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use git_cora::Target;
use git_cora::answer::view::{Budget, counted, visible};
use git_cora::answer::{self, DeclarationChange, Diff, ImpactQuery, ImpactReport, ImpactScope};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::{NoProgress, Task};
use git_cora::base::text::{quoted, visible_path};
use git_cora::search::query::Pathspec;

use super::Call;
use super::PATIENCE;
use super::reply::{self, CallError, Stop};
use super::repositories::begun;
use super::schema;
use crate::input::strays::{Sides, strays_of};
use crate::server::pool::{OpenRepository, SearcherState, WaitLimits};

/// Most items in each list of an impact.
const LIMIT: usize = 30;
/// The reply if nothing was edited.
const CLEAN: &str = "no uncommitted change; set 'from' to 'HEAD~' and 'to' to 'HEAD' for the last commit\n";

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Revision before the changes, or a range A...B; default HEAD.
    from: Option<String>,
    /// Revision after the changes; default: the working tree.
    to: Option<String>,
    /// List the impact instead: callers that may break, tests to run, documents.
    #[serde(default, deserialize_with = "schema::flag")]
    impact: bool,
    /// Only files that match these Git pathspecs.
    #[serde(default, deserialize_with = "schema::list")]
    #[schemars(with = "Option<Vec<String>>")]
    path: Vec<String>,
    /// Maximum tokens of the reply; default 2000.
    #[serde(default, deserialize_with = "schema::number")]
    #[schemars(with = "Option<usize>")]
    max_tokens: Option<usize>,
}

pub(super) fn tool() -> Tool {
    schema::tool::<Arguments>(
        "diff",
        "List functions, types … that were added, changed, moved or removed since a commit, or what these changes affect. Shorter than 'git diff'.",
    )
}

pub(super) fn run(call: &Call<'_>, arguments: Value) -> Result<String, Stop> {
    let Arguments { from, to, impact, path, max_tokens } = reply::arguments(arguments)?;
    let (at, path) = match call.chosen(&path).as_slice() {
        [(at, path)] => (*at, path.clone()),
        _ => {
            let example = visible(call.name(0));
            return Err(CallError::with_hint(
                "'diff' compares commits of one repository",
                format!("set 'path' to the name of one repository, such as '{example}'"),
            )
            .into());
        }
    };
    let kept = call.kept(at)?;
    let repo = kept.session.repo();
    let name = call.name(at);
    let resolve = |rev: &str| repo.resolve(rev).map_err(|error| CallError::from(error).of(name));
    let range = |rev: &str| repo.range(rev).map_err(|error| CallError::from(error).of(name));
    let is_bare = repo.work_dir().is_none();
    let (old, new) = match (&from, &to) {
        (None, Some(_)) => {
            return Err(
                CallError::with_hint("'to' needs 'from'", "leave both out for uncommitted changes").into()
            );
        }
        (None, None) if is_bare => {
            return Err(
                CallError::with_hint("this repository has no working tree", "name two commits").into()
            );
        }
        (None, None) => (resolve("HEAD")?, None),
        (Some(from), Some(to)) => (resolve(from)?, Some(resolve(to)?)),
        (Some(from), None) => match range(from)? {
            Some([old, new]) => (old, Some(new)),
            None if is_bare => (resolve(from)?, Some(resolve("HEAD")?)),
            None => (resolve(from)?, None),
        },
    };
    let strays = strays(&kept, Sides { old, new }, name, &path)?;
    // Both commits need an index. Half of the patience for each, so that the call waits no longer
    // than a search. The working tree is read as HEAD with its edits.
    let later = match new {
        Some(new) => new,
        None => resolve("HEAD")?,
    };
    for commit in [old, later] {
        wait_for_index(call, &kept, commit, PATIENCE / 2)?;
    }
    if impact {
        let (scope, title) = match new {
            Some(new) => (ImpactScope::Range([old, new]), between(old, Some(new))),
            None if from.is_none() => (ImpactScope::Worktree, answer::UNCOMMITTED.to_owned()),
            None => (ImpactScope::Since(old), between(old, None)),
        };
        let what = ChangeScope { scope, title: &title, path };
        return Ok(of_impact(call, &kept, name, what, &strays, max_tokens)?);
    }
    let task = Task::new(&NoProgress, call.cancel);
    let diff = match new {
        Some(new) => kept.session.diff(old, new, &path, task)?,
        None => kept.session.diff_worktree(old, &path, task)?,
    };
    if from.is_none() && diff.n_files == 0 && diff.notes.is_empty() {
        return Ok(format!("{strays}{}", unchanged(&kept, &path)?));
    }
    Ok(listed(&diff, name, &strays, max_tokens))
}

/// Returns the reply if no file was edited that can be compared.
fn unchanged(kept: &OpenRepository, paths: &[String]) -> Result<&'static str, CallError> {
    Ok(if kept.session.repo().has_other_modes(paths)? { "no declaration differs\n" } else { CLEAN })
}

/// Names what is compared: two commits, or a commit and the working tree.
fn between(old: ObjectId, new: Option<ObjectId>) -> String {
    match new {
        Some(new) => format!("{}..{}", old.abbreviated(12), new.abbreviated(12)),
        None => format!("{} and the working tree", old.abbreviated(12)),
    }
}

/// Returns notes about the paths that match no file of either side.
///
/// # Errors
/// If no path matches a file: the agent most likely misspelled it.
fn strays(kept: &OpenRepository, sides: Sides, name: &str, paths: &[String]) -> Result<String, CallError> {
    let found = strays_of(&kept.session, sides, paths)?;
    let is_included = |path: &&String| Pathspec::parse(path).is_ok_and(|spec| !spec.is_exclusion());
    match found.first().and_then(|at| paths.get(*at)) {
        Some(first) if found.len() == paths.iter().filter(is_included).count() => Err(CallError::with_hint(
            format!("no file matches '{}'", begun(name, first)),
            "paths are from the root of the repository; leave 'path' out to compare all of it",
        )),
        _ => {
            let note = |path: &String| format!("note: no file matches '{}'\n", visible(&begun(name, path)));
            Ok(found.iter().filter_map(|at| paths.get(*at)).map(note).collect())
        }
    }
}

/// Lists the declarations that differ.
fn listed(diff: &Diff, name: &str, strays: &str, max_tokens: Option<usize>) -> String {
    let notes: String = diff.notes.iter().map(|note| format!("note: {}\n", visible(note))).collect();
    let head = format!(
        "{strays}{notes}{} in {}, {}\n",
        counted(diff.declarations.len(), "declaration differs", "declarations differ"),
        counted(diff.n_files, "changed file", "changed files"),
        between(diff.old, diff.new),
    );
    let lines: Vec<String> = diff.declarations.iter().filter_map(|one| line(one, name)).collect();
    let draw = |n: usize| {
        let mut out = head.clone();
        lines.iter().take(n).for_each(|line| out.push_str(line));
        if n < lines.len() {
            let more = counted(lines.len() - n, "declaration", "declarations");
            let _ = writeln!(out, "to fit max_tokens: {more} left out; narrow the call with 'path'");
        }
        out
    };
    draw(reply::budget(max_tokens, "").most(0, lines.len(), draw))
}

/// Waits for the index of a commit.
///
/// # Errors
/// [`Stop::NotIndexed`] if it is not ready in time.
fn wait_for_index(
    call: &Call<'_>,
    kept: &Arc<OpenRepository>,
    commit: ObjectId,
    patience: Duration,
) -> Result<(), Stop> {
    let wait = WaitLimits { patience, cancel: call.cancel, tell: call.tell };
    match kept.reach(&call.pool, &Target::Commit(commit), &wait)? {
        SearcherState::Exact(_) => Ok(()),
        SearcherState::Nearest(_, how_far) | SearcherState::Nothing(how_far) => {
            Err(Stop::NotIndexed(format!(
                "not indexed yet: the index of {} is being built in the background \
                ({how_far}). Try again in a few seconds.",
                commit.abbreviated(12)
            )))
        }
    }
}

/// The changes whose impact is listed.
struct ChangeScope<'t> {
    scope: ImpactScope,
    title: &'t str,
    path: Vec<String>,
}

/// What the changes touch, below the notes `strays`.
fn of_impact(
    call: &Call<'_>,
    kept: &OpenRepository,
    name: &str,
    what: ChangeScope<'_>,
    strays: &str,
    max_tokens: Option<usize>,
) -> Result<String, CallError> {
    let is_of_edits = what.scope == ImpactScope::Worktree;
    let query = ImpactQuery::new(what.scope).with_pathspecs(what.path);
    let task = Task::new(&NoProgress, call.cancel);
    let mut impact = answer::impact(kept.session.indexer(), &query, task)?;
    if is_of_edits && impact.n_files == 0 && !impact.incomplete {
        return Ok(format!("{strays}{}", unchanged(kept, &query.pathspecs)?));
    }
    if !name.is_empty() {
        impact.map_paths(&|path| begun(name, path));
    }
    let budget = reply::budget(max_tokens, strays);
    let report = ImpactReport {
        title: what.title,
        limit: LIMIT,
        limit_flag: "",
        budget,
        is_coloured: false,
        forge: None,
    };
    let text = answer::impact_text(&impact, &report);
    if !text.is_empty() {
        return Ok(format!("{strays}{text}"));
    }
    // The shortest reply: headings and numbers. It says how many tokens are needed.
    let report = ImpactReport { limit: 0, budget: Budget::default(), ..report };
    Ok(format!("{strays}{}", answer::impact_text(&impact, &report)))
}

/// Formats one changed declaration; `name` is the repository's prefix of paths.
fn line(one: &DeclarationChange, name: &str) -> Option<String> {
    let at = one.new.as_ref().or(one.old.as_ref())?;
    let path = begun(name, &quoted(at.path.as_bstr()));
    let mut out = format!(
        "{:<7} {}:{}  {}  {}",
        one.word(),
        visible_path(&path),
        at.line,
        visible(&at.symbol),
        one.kind
    );
    if let Some(old) = one.old.as_ref().filter(|old| old.path != at.path || old.symbol != at.symbol) {
        let _ = write!(
            out,
            "  (was {}:{}  {})",
            visible_path(&begun(name, &quoted(old.path.as_bstr()))),
            old.line,
            visible(&old.symbol)
        );
    }
    out.push('\n');
    Some(out)
}
