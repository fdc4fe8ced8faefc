//! The tool `diff`: two revisions → the declarations that differ.
//!
//! It never returns changed lines: declarations with their places take far fewer tokens. Both
//! commits need an index; if one is not ready within the patience, the reply says so.

use std::fmt::Write as _;

use bstr::ByteSlice;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use git_cora::Target;
use git_cora::answer::DeclarationChange;
use git_cora::answer::view::{counted, visible};
use git_cora::base::progress::{NoProgress, Task};

use super::Call;
use super::PATIENCE;
use super::reply::{self, CallError};
use super::repositories::begun;
use super::schema;
use crate::server::pool::{SearcherState, WaitLimits};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Branch, tag or commit before the changes.
    from: String,
    /// Branch, tag or commit after the changes; default HEAD.
    to: Option<String>,
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
        "List the functions, types … that were added, changed, moved or removed between two commits: shorter than 'git diff'.",
    )
}

pub(super) fn run(call: &Call<'_>, arguments: Value) -> Result<String, CallError> {
    let Arguments { from, to, path, max_tokens } = reply::arguments(arguments)?;
    let (at, path) = match call.chosen(&path).as_slice() {
        [(at, path)] => (*at, path.clone()),
        _ => {
            let example = visible(call.name(0));
            return Err(CallError::with_hint(
                "'diff' compares commits of one repository",
                format!("set 'path' to the name of one repository, such as '{example}'"),
            ));
        }
    };
    let kept = call.kept(at)?;
    let repo = kept.session.repo();
    let name = call.name(at);
    let resolve = |rev: &str| repo.resolve(rev).map_err(|error| CallError::from(error).of(name));
    let (old, new) = (resolve(&from)?, resolve(to.as_deref().unwrap_or("HEAD"))?);
    // Both commits need an index. Half of the patience for each, so that the call waits no longer
    // than a search.
    let wait = WaitLimits { patience: PATIENCE / 2, cancel: call.cancel, tell: call.tell };
    for commit in [old, new] {
        match kept.reach(&call.pool, &Target::Commit(commit), &wait)? {
            SearcherState::Exact(_) => {}
            SearcherState::Nearest(_, how_far) | SearcherState::Nothing(how_far) => {
                return Ok(format!(
                    "not indexed yet: the index of {} is being built in the background \
                    ({how_far}). Try again in a few seconds.",
                    commit.abbreviated(12)
                ));
            }
        }
    }
    let diff = kept.session.diff(old, new, &path, Task::new(&NoProgress, call.cancel))?;
    let head = format!(
        "{} in {}, {}..{}\n",
        counted(diff.declarations.len(), "declaration differs", "declarations differ"),
        counted(diff.n_files, "changed file", "changed files"),
        old.abbreviated(12),
        new.abbreviated(12)
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
    Ok(draw(reply::budget(max_tokens, "").most(0, lines.len(), draw)))
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
