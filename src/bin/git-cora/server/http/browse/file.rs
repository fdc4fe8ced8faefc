//! The route `/coderag/file`: a path and a version → highlighted lines and the declarations of the
//! file.
//!
//! A commit's file is read from Git and needs no index. A work tree's file is read only if it is
//! one that is searched. The declarations are computed from the bytes that are shown, so that both
//! always agree.

use std::ops::RangeInclusive;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State as Extracted};
use axum::response::{IntoResponse, Response};
use bstr::{BStr, ByteSlice};

use git_cora::Target;
use git_cora::answer::view::{self, counted, labels};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::Cancel;
use git_cora::base::text::{named_path, quoted};
use git_cora::git::{Blob, Repository};
use git_cora::index::Recorder;
use git_cora::index::source;

use super::api::{DeclarationInfo, FileAnswer, FileRequest, Line};
use crate::input::near;
use crate::server::http::answer::{PATIENCE, reach, target, work};
use crate::server::http::problem::{Kind, Problem};
use crate::server::http::values::unhex;
use crate::server::http::{ServerState, guard};
use crate::server::pool::{OpenRepository, SearcherState};

/// Size limit of a file in bytes; larger ones are data and are not shown.
const MAX_BYTES: u64 = 16 << 20;
/// Largest number of lines in an answer, and of characters in them, approximately.
const LINES: usize = 2000;
const CHARACTERS: usize = 500_000;
/// Largest number of declarations in an answer.
const DECLARATIONS: usize = 2000;
/// Length limit of a path in bytes.
const PATH_BYTES: usize = 4096;

pub(in crate::server::http) async fn file(
    Extracted(shared): Extracted<Arc<ServerState>>,
    request: Request,
) -> Result<Response, Problem> {
    let asked: FileRequest =
        guard::read(&shared, request, |asked: &FileRequest| asked.token.as_deref()).await?;
    let path = match &asked.path_bytes {
        Some(digits) => unhex(digits).ok_or_else(|| {
            Problem::new(Kind::BadRequest, "'pathBytes' must be hexadecimal digits, two per byte")
        })?,
        None => named_path(asked.path.strip_prefix("./").unwrap_or(&asked.path)),
    };
    check_path(&path)?;
    if !is_range(asked.start_line, asked.end_line) {
        return Err(Problem::new(
            Kind::BadRequest,
            "'startLine' must be 1 or more, and 'endLine' must not be less than 'startLine'",
        ));
    }
    let read = move |shared: &ServerState, cancel: &Cancel| read(shared, &asked, path.as_bstr(), cancel);
    Ok(Json(work(&shared, read).await?).into_response())
}

/// Checks the length of a path.
pub(super) fn check_path(path: &[u8]) -> Result<(), Problem> {
    if (1..=PATH_BYTES).contains(&path.len()) {
        return Ok(());
    }
    Err(Problem::new(Kind::BadRequest, format!("'path' must have 1 to {PATH_BYTES} bytes")))
}

fn is_range(first: Option<u32>, last: Option<u32>) -> bool {
    first.is_none_or(|first| first > 0 && last.is_none_or(|last| last >= first)) && last != Some(0)
}

/// The content of a file and the state that it was read from.
struct Content {
    blob: Blob,
    commit: Option<ObjectId>,
    worktree: bool,
    git_status: &'static str,
    /// The tree that the file's attributes are read from.
    tree: ObjectId,
}

fn read(
    shared: &ServerState,
    asked: &FileRequest,
    path: &BStr,
    cancel: &Cancel,
) -> Result<FileAnswer, Problem> {
    let kept = shared.roots.open(&shared.pool, &asked.repo)?;
    let repo = kept.session.repo();
    let content = match target(&kept, &asked.repo)?.0 {
        // A commit needs no index; Git has the content.
        Target::Commit(commit) => committed(repo, commit, path)?,
        Target::Worktree => {
            let (_, _, reached) = reach(shared, &asked.repo, PATIENCE, cancel)?;
            let found = match reached {
                SearcherState::Exact(found) | SearcherState::Nearest(found, _) => found,
                SearcherState::Nothing(how_far) => {
                    let detail =
                        format!("not indexed yet: the index is being built in the background ({how_far})");
                    return Err(Problem {
                        hint: Some("try again in a few seconds".to_owned()),
                        ..Problem::new(Kind::Busy, detail)
                    });
                }
            };
            let tree = found.source_tree().unwrap_or(repo.empty_tree());
            let git_status = found.git_status(path);
            let blob = match git_status {
                "unmodified" => repo.read_committed(tree, path, MAX_BYTES)?,
                _ => repo.read_shared_as_stored(&repo.attributes(tree)?, path, MAX_BYTES)?.into_blob(),
            };
            Content { blob, commit: found.commit(), worktree: found.is_worktree(), git_status, tree }
        }
    };
    let (text, n_bytes) = match &content.blob {
        Blob::Bytes(bytes) => match source::text(bytes) {
            Some(text) => (text, bytes.len()),
            None => {
                let n = counted(bytes.len(), "byte", "bytes");
                let detail = format!("'{}' is not text: {n}", quoted(path.as_bstr()));
                return Err(Problem::new(Kind::NotText, detail));
            }
        },
        Blob::TooLarge { bytes } => {
            let detail = format!("'{}' has {bytes} bytes: too many to show", quoted(path.as_bstr()));
            return Err(Problem::new(Kind::NotText, detail));
        }
        Blob::Missing => return Err(missing(repo, &content, path)),
    };
    answer(&kept, asked, path, &text, n_bytes, &content)
}

fn answer(
    kept: &OpenRepository,
    asked: &FileRequest,
    path: &BStr,
    text: &str,
    n_bytes: usize,
    content: &Content,
) -> Result<FileAnswer, Problem> {
    let repo = kept.session.repo();
    let attributes = repo.attributes(content.tree)?.of(path);
    let language = Recorder::language(path, text.as_bytes(), &attributes);
    let n_lines = text.lines().count();
    let grammar = language.grammar();
    let mut lines = Vec::new();
    let mut n_characters = 0;
    for line in view::lines(text, range(asked, n_lines), grammar.as_ref()) {
        n_characters += line.pieces.iter().map(|piece| piece.text.len()).sum::<usize>();
        if n_characters > CHARACTERS && !lines.is_empty() {
            break;
        }
        lines.push(Line::from(line));
    }
    Ok(FileAnswer {
        path: quoted(path.as_bstr()).into_owned(),
        commit: content.commit.map(|id| id.to_string()),
        worktree: content.worktree,
        git_status: content.git_status.to_owned(),
        language: language.name().to_owned(),
        bytes: n_bytes,
        n_lines,
        lines,
        declarations: declarations(kept, path, &content.blob, &attributes),
    })
}

/// Returns the lines to show, from 1: at most [`LINES`].
fn range(asked: &FileRequest, n_lines: usize) -> RangeInclusive<usize> {
    let first = asked.start_line.unwrap_or(1) as usize;
    let last = asked.end_line.map_or(n_lines, |last| last as usize);
    first..=last.min(first.saturating_add(LINES - 1))
}

/// Returns the declarations of a file, as its record would list them.
fn declarations(
    kept: &OpenRepository,
    path: &BStr,
    blob: &Blob,
    attributes: &git_cora::git::FileAttributes,
) -> Vec<DeclarationInfo> {
    let Some(file) = kept.record(path, blob, attributes) else { return Vec::new() };
    let declared = (0..).zip(&file.declarations).take(DECLARATIONS).map(|(ord, one)| DeclarationInfo {
        symbol: labels::symbol_path(&file, ord),
        kind: labels::declaration_kind(one.kind).to_owned(),
        line: one.name_line,
        start_line: one.span.start_line,
        end_line: one.span.end_line,
    });
    declared.collect()
}

fn committed(repo: &Repository, commit: ObjectId, path: &BStr) -> Result<Content, Problem> {
    let tree = repo.commit(commit)?.tree;
    let blob = repo.read_committed(tree, path, MAX_BYTES)?;
    Ok(Content { blob, commit: Some(commit), worktree: false, git_status: "unmodified", tree })
}

fn missing(repo: &Repository, content: &Content, path: &BStr) -> Problem {
    let files = repo.tree_files(content.tree).unwrap_or_default();
    let shown = quoted(path.as_bstr());
    let hint = near::question(&near::files(&shown, files.iter().map(|file| file.path.as_bstr())));
    Problem { hint, ..Problem::new(Kind::NoFile, format!("no file '{shown}' at this revision")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_from_1_and_in_order() {
        for (first, last, expected) in [
            (None, None, true),
            (None, Some(1), true),
            (None, Some(0), false),
            (Some(0), None, false),
            (Some(1), None, true),
            (Some(2), Some(2), true),
            (Some(2), Some(1), false),
        ] {
            assert_eq!(is_range(first, last), expected, "{first:?} {last:?}");
        }
    }

    #[test]
    fn two_thousand_lines_are_shown_at_most() {
        for (body, expected) in [
            (serde_json::json!({}), 1..=2000),
            (serde_json::json!({ "startLine": 5 }), 5..=2004),
            (serde_json::json!({ "startLine": 5, "endLine": 9 }), 5..=9),
            (serde_json::json!({ "endLine": 4000 }), 1..=2000),
        ] {
            let mut body = body;
            body["repo"] = serde_json::json!({});
            body["path"] = "a".into();
            let asked: FileRequest = serde_json::from_value(body).unwrap();
            assert_eq!(range(&asked, 5000), expected);
        }
    }
}
