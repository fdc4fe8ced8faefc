//! The tool `diff`: two revisions → the declarations that differ.
//!
//! It never returns changed lines: declarations with their places take far fewer tokens. Both
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
use git_cora::answer::view::{counted, visible};
use git_cora::answer::{self, DeclarationChange, Diff, ImpactQuery, ImpactReport, ImpactScope};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::{NoProgress, Task};

use super::Call;
use super::PATIENCE;
use super::reply::{self, CallError, Stop};
use super::repositories::begun;
use super::schema;
use crate::server::pool::{OpenRepository, SearcherState, WaitLimits};

/// Most items in each list of an impact.
const LIMIT: usize = 30;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Branch, tag or commit before the changes; default: HEAD, to list uncommitted changes.
    from: Option<String>,
    /// Branch, tag or commit after the changes; default HEAD.
    to: Option<String>,
    /// List the impact instead: callers that may break, tests to run, documents.
    #[serde(default)]
    impact: bool,
    /// Only files that match these Git pathspecs.
    #[serde(default, deserialize_with = "schema::strings")]
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
        "List the declarations (functions, types and so on) that were added, changed, moved or removed between two commits, or what these changes affect. The output is shorter than that of 'git diff'.",
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
    let Some(from) = from else {
        if to.is_some() {
            return Err(
                CallError::with_hint("'to' needs 'from'", "leave both out for uncommitted changes").into()
            );
        }
        return of_worktree(call, &kept, name, path, impact, max_tokens);
    };
    let (old, new) = (resolve(&from)?, resolve(to.as_deref().unwrap_or("HEAD"))?);
    // Both commits need an index. Half of the patience for each, so that the call waits no longer
    // than a search.
    for commit in [old, new] {
        wait_for_index(call, &kept, commit, PATIENCE / 2)?;
    }
    let range = format!("{}..{}", old.abbreviated(12), new.abbreviated(12));
    if impact {
        let scope = ImpactScope::Range([old, new]);
        return Ok(of_impact(call, &kept, name, scope, path, &range, max_tokens)?);
    }
    let diff = kept.session.diff(old, new, &path, Task::new(&NoProgress, call.cancel))?;
    Ok(listed(&diff, name, &range, max_tokens))
}

/// Lists the declarations that differ.
fn listed(diff: &Diff, name: &str, range: &str, max_tokens: Option<usize>) -> String {
    let head = format!(
        "{} in {}, {range}\n",
        counted(diff.declarations.len(), "declaration differs", "declarations differ"),
        counted(diff.n_files, "changed file", "changed files"),
    );
    let lines: Vec<String> = diff.declarations.iter().filter_map(|one| line(one, name)).collect();
    let draw = |n: usize| {
        let mut out = head.clone();
        lines.iter().take(n).for_each(|line| out.push_str(line));
        if n < lines.len() {
            let more = counted(lines.len() - n, "more declaration", "more declarations");
            let _ = writeln!(out, "cut: {more}, by max_tokens; narrow the call with 'path'");
        }
        out
    };
    draw(reply::budget(max_tokens, "").most(0, lines.len(), draw))
}

/// The uncommitted changes.
fn of_worktree(
    call: &Call<'_>,
    kept: &Arc<OpenRepository>,
    name: &str,
    path: Vec<String>,
    impact: bool,
    max_tokens: Option<usize>,
) -> Result<String, Stop> {
    let repo = kept.session.repo();
    if repo.work_dir().is_none() {
        return Err(CallError::with_hint("this repository has no working tree", "name two commits").into());
    }
    let head = repo.resolve("HEAD").map_err(|error| CallError::from(error).of(name))?;
    wait_for_index(call, kept, head, PATIENCE)?;
    if impact {
        let title = "the uncommitted changes";
        return Ok(of_impact(call, kept, name, ImpactScope::Worktree, path, title, max_tokens)?);
    }
    let task = Task::new(&NoProgress, call.cancel);
    let diff = answer::diff_worktree(kept.session.indexer(), head, &path, task)?;
    Ok(listed(&diff, name, &format!("{} and the working tree", head.abbreviated(12)), max_tokens))
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

/// What the changes touch.
fn of_impact(
    call: &Call<'_>,
    kept: &Arc<OpenRepository>,
    name: &str,
    scope: ImpactScope,
    path: Vec<String>,
    title: &str,
    max_tokens: Option<usize>,
) -> Result<String, CallError> {
    let query = ImpactQuery::new(scope).with_pathspecs(path);
    let task = Task::new(&NoProgress, call.cancel);
    let mut impact = answer::impact(kept.session.indexer(), &query, task)?;
    if !name.is_empty() {
        impact.map_paths(&|path| begun(name, path));
    }
    let report = ImpactReport {
        title,
        limit: LIMIT,
        budget: reply::budget(max_tokens, ""),
        is_coloured: false,
        forge: None,
    };
    Ok(answer::impact_text(&impact, &report))
}

/// Formats one changed declaration; `name` is the repository's prefix of paths.
fn line(one: &DeclarationChange, name: &str) -> Option<String> {
    let at = one.new.as_ref().or(one.old.as_ref())?;
    let path = begun(name, &at.path.to_str_lossy());
    let mut out = format!(
        "{:<7} {}:{}  {}  {}",
        one.change.name(),
        visible(&path),
        at.line,
        visible(&at.symbol),
        one.kind
    );
    if let Some(old) = one.old.as_ref().filter(|old| old.path != at.path || old.symbol != at.symbol) {
        let _ = write!(
            out,
            "  (was {}:{}  {})",
            visible(&begun(name, &old.path.to_str_lossy())),
            old.line,
            visible(&old.symbol)
        );
    }
    out.push('\n');
    Some(out)
}
