//! The route `/coderag/history`: a declaration → the commits that changed it.
//!
//! The history is read from Git and needs no index.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::{Request, State as Extracted};
use axum::response::{IntoResponse, Response};
use bstr::ByteSlice;

use git_cora::Target;
use git_cora::answer::{self, History, HistoryPlace, HistoryQuery, HistoryRow, VersionPlace};
use git_cora::base::progress::{Cancel, NoProgress, Task};
use git_cora::base::text::quoted;

use super::api::{DeclarationCommit, DeclarationPlace, HistoryAnswer, HistoryRequest};
use super::file::check_path;
use super::{SYMBOL_BYTES, within};
use crate::server::http::answer::{ms, target, work};
use crate::server::http::problem::{Kind, Problem};
use crate::server::http::{ServerState, guard};
use crate::server::pool::OpenRepository;

/// Number of commits in an answer unless the request says so.
const COMMITS: u32 = 50;
/// The most that a request may ask for.
const MOST: u32 = 500;

pub(in crate::server::http) async fn history(
    Extracted(shared): Extracted<Arc<ServerState>>,
    request: Request,
) -> Result<Response, Problem> {
    let asked: HistoryRequest =
        guard::read(&shared, request, |asked: &HistoryRequest| asked.token.as_deref()).await?;
    check_path(asked.path.as_bytes())?;
    if asked.line == 0 {
        return Err(Problem::new(Kind::BadRequest, "'line' must be 1 or more"));
    }
    if asked.symbol.as_ref().is_some_and(|symbol| !(1..=SYMBOL_BYTES).contains(&symbol.len())) {
        return Err(Problem::new(Kind::BadRequest, format!("'symbol' must have 1 to {SYMBOL_BYTES} bytes")));
    }
    let limit = within("limit", asked.limit, COMMITS, 1, MOST)?;
    let read = move |shared: &ServerState, cancel: &Cancel| read(shared, &asked, limit as usize, cancel);
    Ok(Json(work(&shared, read).await?).into_response())
}

fn read(
    shared: &ServerState,
    asked: &HistoryRequest,
    limit: usize,
    cancel: &Cancel,
) -> Result<HistoryAnswer, Problem> {
    let begun = Instant::now();
    let kept = shared.roots.open(&shared.pool, &asked.repo)?;
    let by_line = HistoryPlace::Line(asked.line);
    let query = |commit, place| HistoryQuery::new(commit, asked.path.as_str(), place).with_limit(limit);
    let (commit, found) = match (target(&kept, &asked.repo)?.0, &asked.symbol) {
        (Target::Commit(commit), _) => (commit, follow(&kept, &query(commit, by_line), cancel)?),
        (Target::Worktree, symbol) => {
            let commit = kept.session.repo().resolve("HEAD")?;
            let by_name = symbol.clone().map(HistoryPlace::Name);
            let place = by_name.unwrap_or_else(|| by_line.clone());
            let mut found = follow(&kept, &query(commit, place), cancel)?;
            // Only the line tells declarations of one name apart.
            if found.as_ref().is_some_and(|found| !found.others.is_empty()) {
                found = follow(&kept, &query(commit, by_line), cancel)?;
            }
            (commit, found)
        }
    };
    let (rows, more, notes) = found.map(|found| (found.rows, found.more, found.notes)).unwrap_or_default();
    Ok(HistoryAnswer {
        commit: commit.to_string(),
        commits: rows.into_iter().map(row).collect(),
        more,
        notes,
        ms: ms(begun),
    })
}

fn follow(kept: &OpenRepository, query: &HistoryQuery, cancel: &Cancel) -> Result<Option<History>, Problem> {
    Ok(answer::history(kept.session.indexer(), query, Task::new(&NoProgress, cancel))?)
}

fn row(row: HistoryRow) -> DeclarationCommit {
    DeclarationCommit {
        commit: row.commit.to_string(),
        subject: row.subject,
        author: row.author,
        date: row.date,
        merge: row.merge,
        changes: row.changes.iter().map(|change| change.name().to_owned()).collect(),
        place: row.new.map(place),
    }
}

fn place(at: VersionPlace) -> DeclarationPlace {
    DeclarationPlace {
        path: quoted(at.path.as_bstr()).into_owned(),
        line: at.line,
        start_line: at.span.start_line,
        end_line: at.span.end_line,
        symbol: at.symbol,
        kind: at.kind,
    }
}
