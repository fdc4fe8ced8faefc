//! The tool `read`: lines of a file, in the work tree or at a revision.
//!
//! It reads from Git or the work tree and needs no index, so that it works while one is being
//! built. Of the work tree it reads the files that are searched, and no ignored ones: these may
//! hold secrets. If the path is a directory or does not exist, the error lists the entries or
//! similar paths.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;

use bstr::{BStr, ByteSlice};
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use git_cora::Target;
use git_cora::answer::view::{counted, cut_lines, numbered};
use git_cora::base::text::{named_path, quoted, visible_path};
use git_cora::git::{Blob, Head, Repository, WorktreeFile};
use git_cora::index::source;

use super::Call;
use super::reply::{self, CallError, Stop};
use super::repositories::begun;
use super::schema;
use crate::input::near;

/// Size limit of a file in bytes. Larger ones are data, and a reply would show a thousandth of
/// them.
const MAX_BYTES: u64 = 64 << 20;

/// Largest number of entries listed for a directory.
const SHOWN_ENTRIES: usize = 40;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Path, as in replies.
    path: String,
    /// First line, from 1; default 1.
    #[serde(default, deserialize_with = "schema::number")]
    #[schemars(with = "Option<usize>")]
    start_line: Option<usize>,
    /// Last line, inclusive; default: the last that fits max_tokens.
    #[serde(default, deserialize_with = "schema::number")]
    #[schemars(with = "Option<usize>")]
    end_line: Option<usize>,
    /// Branch, tag or commit; default: the working tree.
    rev: Option<String>,
    /// Maximum tokens of the reply; default 2000.
    #[serde(default, deserialize_with = "schema::number")]
    #[schemars(with = "Option<usize>")]
    max_tokens: Option<usize>,
}

pub(super) fn tool() -> Tool {
    schema::tool::<Arguments>(
        "read",
        "Read lines of a file, with their numbers, in the working tree or at a revision.",
    )
}

pub(super) fn run(call: &Call<'_>, arguments: Value) -> Result<String, Stop> {
    let Arguments { path, start_line, end_line, rev, max_tokens } = reply::arguments(arguments)?;
    let (at, own) = call.file(&path)?;
    let kept = call.kept(at)?;
    let repo = kept.session.repo();
    let (target, _) = kept.target(rev.as_deref())?;
    let wanted = named_path(own.strip_prefix("./").unwrap_or(&own));
    let wanted = wanted.as_bstr();
    // The reply shows an absolute path as other replies do, relative to the repository.
    let path = begun(call.name(at), &quoted(wanted));
    let content = match target {
        Target::Commit(commit) => repo.read_committed(repo.commit(commit)?.tree, wanted, MAX_BYTES)?,
        Target::Worktree => match shared(repo, wanted)? {
            WorktreeFile::Open(content) => content,
            WorktreeFile::Ignored => return Err(ignored(&path, &quoted(wanted)).into()),
            WorktreeFile::Untracked => return Err(untracked(&path).into()),
            WorktreeFile::Foreign { repository } => {
                return Err(CallError::new(format!(
                    "'{path}' can't be read: it belongs to another repository, '{}'",
                    begun(call.name(at), &quoted(repository.as_bstr()))
                ))
                .into());
            }
        },
    };
    let bytes = match content {
        Blob::Bytes(bytes) => bytes,
        Blob::TooLarge { bytes } => {
            return Err(CallError::new(format!("'{path}' has {bytes} bytes: too many to show")).into());
        }
        _ => return Err(missing(repo, &own, &target, call.name(at)).into()),
    };
    let Some(text) = source::text(&bytes) else {
        return Err(CallError::new(format!(
            "'{path}' is not text: {}",
            counted(bytes.len(), "byte", "bytes")
        ))
        .into());
    };
    let state = match target {
        Target::Commit(commit) => format!("commit {}", commit.abbreviated(12)),
        Target::Worktree => worktree(repo, wanted)?,
    };
    let n_lines = text.lines().count();
    let first = start_line.unwrap_or(1).max(1);
    let last = end_line.unwrap_or(n_lines).min(n_lines);
    if n_lines == 0 {
        return Ok(format!("{} is empty\n{state}\n", visible_path(&path)));
    }
    if let Some(end) = end_line.filter(|end| *end < first) {
        return Err(
            CallError::new(format!("'end_line' is {end}, before 'start_line', which is {first}")).into()
        );
    }
    if first > last {
        return Err(CallError::new(format!(
            "'{path}' has {}: no line {first}",
            counted(n_lines, "line", "lines")
        ))
        .into());
    }
    let draw = |last: usize| {
        let mut out = format!("{}:{first}-{last} of {n_lines}\n", visible_path(&path));
        out.push_str(&numbered(&text, first..=last));
        out.push_str(&state);
        let asked = end_line.unwrap_or(n_lines).min(n_lines);
        let mut cut = Vec::new();
        if last < asked {
            cut.push(format!("lines {}-{asked} to fit max_tokens", last + 1));
        }
        let (n_long, most) = cut_lines(&text, first..=last);
        if n_long > 0 {
            let lines = counted(n_long, "long line", "long lines");
            cut.push(format!("{lines} after {most} characters"));
        }
        if !cut.is_empty() {
            let _ = write!(out, " · cut: {}", cut.join("; "));
        }
        out.push('\n');
        out
    };
    Ok(draw(reply::budget(max_tokens, "").most(first, last, draw)))
}

/// Reads a file of the work tree in the encoding in which Git would store it.
fn shared(repo: &Repository, path: &BStr) -> Result<WorktreeFile, CallError> {
    let tree = match repo.head()? {
        Head::Commit { id, .. } => repo.commit(id)?.tree,
        Head::Unborn { .. } => repo.empty_tree(),
    };
    Ok(repo.read_shared_as_stored(&repo.attributes(tree)?, path, MAX_BYTES)?)
}

/// Returns the error for an ignored file. `path` is the one that the agent knows, `own` is relative
/// to the root.
fn ignored(path: &str, own: &str) -> CallError {
    let quoted = own.replace('\'', "'\\''");
    CallError::with_hint(
        format!("'{path}' can't be read: Git ignores it"),
        format!("run \"git check-ignore -v -- '{quoted}'\" to see the rule"),
    )
}

/// Returns the error for an untracked file, where untracked files are not searched. It proposes no
/// `git add`: the file may be a secret.
fn untracked(path: &str) -> CallError {
    CallError::with_hint(
        format!("'{path}' can't be read: Git doesn't track it, and 'status.showUntrackedFiles' is 'no'"),
        "run 'git config --show-origin status.showUntrackedFiles' to see where it is set",
    )
}

/// Describes the state of a file in the work tree, for the last line of the reply.
fn worktree(repo: &Repository, path: &BStr) -> Result<String, CallError> {
    let head = match repo.head()? {
        Head::Commit { id, .. } => format!("working tree at {}", id.abbreviated(12)),
        Head::Unborn { .. } => "working tree before the first commit".to_owned(),
    };
    let mut literal = OsString::from(":(top,literal)");
    literal.push(path.to_path_lossy().as_os_str());
    let args = ["--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=all", "--"];
    let output = repo.git(&args).as_user().arg(literal).run()?;
    let is_changed = !output.stdout.is_empty();
    Ok(if is_changed { format!("{head}, this file has uncommitted changes") } else { head })
}

/// Returns the error for a missing file; `name` is the repository's prefix, empty for the only one.
fn missing(repo: &Repository, path: &str, target: &Target, name: &str) -> CallError {
    let commit = match target {
        Target::Commit(commit) => Some(*commit),
        Target::Worktree => match repo.head() {
            Ok(Head::Commit { id, .. }) => Some(id),
            _ => None,
        },
    };
    let files = commit.and_then(|id| repo.tree_files(repo.commit(id).ok()?.tree).ok()).unwrap_or_default();
    let held = entries(path, files.iter().map(|file| file.path.as_bstr()));
    if !held.is_empty() {
        let shown: Vec<&str> = held.iter().take(SHOWN_ENTRIES).map(String::as_str).collect();
        let more = match held.len() - shown.len() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        return CallError::with_hint(
            format!("'{}' is a directory", begun(name, path)),
            format!("read one of its entries: {}{more}", shown.join(", ")),
        );
    }
    let found = near::files(path, files.iter().map(|file| file.path.as_bstr()));
    let question = near::question(&found.iter().map(|path| begun(name, path)).collect::<Vec<_>>());
    let message = format!("no file '{}'", begun(name, path));
    match question {
        Some(question) => CallError::with_hint(message, question),
        None => {
            let paths = if name.is_empty() {
                "a path starts at the root of the repository"
            } else {
                "a path begins with the name of its repository"
            };
            CallError::with_hint(message, format!("{paths}; use 'query' to find the file"))
        }
    }
}

/// Returns the entries of a directory among these paths: each once, directories with a trailing
/// slash.
fn entries<'p>(directory: &str, paths: impl Iterator<Item = &'p BStr>) -> BTreeSet<String> {
    let directory = directory.trim_start_matches("./").trim_end_matches(['/', '.']);
    let inside = |path: &'p BStr| -> Option<String> {
        let rest = match directory {
            "" => path.as_bytes(),
            directory => path.strip_prefix(directory.as_bytes())?.strip_prefix(b"/")?,
        };
        let (first, is_directory) =
            rest.split_once_str("/").map_or((rest, false), |(first, _)| (first, true));
        Some(format!("{}{}", first.to_str_lossy(), if is_directory { "/" } else { "" }))
    };
    paths.filter_map(inside).collect()
}
