//! The routes for people: repositories, results with highlighted source, answers with citations,
//! files, relations, commits, histories, overviews.
//!
//! The page at `/` uses these routes, and any other client may. They share guard, queue, time limit
//! and problem documents with the other routes. They return structured source, whereas
//! `/coderag/query` returns text for a language model. In a work tree only the files that are
//! searched can be read, so that ignored files stay private.

mod api;
mod ask;
mod file;
mod history;
mod overview;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::{Request, State as Extracted};
use axum::response::{IntoResponse, Response};
use bstr::ByteSlice;

use git_cora::answer::view::{self, ResultItem, Results, hex, rounded_relevance, rounded_score};
use git_cora::answer::{RelationQuery, TimeQuestion, merge, time_question};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::Cancel;
use git_cora::base::text::quoted;
use git_cora::git::Head;
use git_cora::index::chunk::grammar;
use git_cora::{Query, Target, index};

use super::answer::{PATIENCE, REPOSITORIES, Reach, ReachOutcome, bounded, ms, reach, state, target, work};
use super::api::Repo;
use super::problem::{Kind, Problem};
use super::{ServerState, guard};
use crate::input::relevance;
use crate::server::pool::{OpenRepository, SearcherState};
pub(super) use api::{
    AskAnswer, AskRequest, FileAnswer, FileRequest, HistoryAnswer, HistoryRequest, KeyAnswer, KeyRequest,
    OverviewAnswer, OverviewRequest, RelationsAnswer, RelationsRequest, RepositoriesAnswer,
    RepositoriesRequest, RevisionsAnswer, RevisionsRequest, SearchAnswer, SearchRequest, ServedRepository,
};
use api::{Line, NearbyDeclaration, Part, PlaceHit, RepositoryScope, Revision, UnknownTerm};
pub(super) use ask::ask;
pub(super) use file::file;
pub(super) use history::history;
pub(super) use overview::overview;

/// Length limit of a question in characters.
const QUESTION: usize = 100_000;
/// Length limit of a symbol in bytes.
const SYMBOL_BYTES: usize = 5000;
/// Largest number of source lines in an answer.
const EXCERPTS: u32 = 2000;
/// Largest number of repositories listed.
const LISTED: usize = 1000;
/// Largest number of indexed commits that are read to sort them by date.
const INDEXED: usize = 5000;

/// Exchanges the key for the token, once.
pub(super) async fn key(
    Extracted(shared): Extracted<Arc<ServerState>>,
    request: Request,
) -> Result<Response, Problem> {
    let asked: KeyRequest = guard::body(request, true).await?;
    match shared.guard.unlock(&asked.key) {
        Some(token) => Ok(Json(KeyAnswer { token }).into_response()),
        None => Err(Problem {
            hint: Some("a key works once, within an hour; use the token instead".to_owned()),
            ..Problem::new(Kind::NoToken, "the key is used up, has expired, or is wrong")
        }),
    }
}

pub(super) async fn repositories(
    Extracted(shared): Extracted<Arc<ServerState>>,
    request: Request,
) -> Result<Response, Problem> {
    let _: RepositoriesRequest =
        guard::read(&shared, request, |asked: &RepositoriesRequest| asked.token.as_deref()).await?;
    let answer = work(&shared, |shared, _| {
        let (mut repositories, n) = shared.roots.list(LISTED);
        repositories.truncate(LISTED);
        Ok(RepositoriesAnswer { more: n - repositories.len(), repositories })
    });
    Ok(Json(answer.await?).into_response())
}

pub(super) async fn search(
    Extracted(shared): Extracted<Arc<ServerState>>,
    request: Request,
) -> Result<Response, Problem> {
    let asked: SearchRequest =
        guard::read(&shared, request, |asked: &SearchRequest| asked.token.as_deref()).await?;
    let (limit, lines) = checked(&asked)?;
    let found = move |shared: &ServerState, cancel: &Cancel| searched(shared, &asked, limit, lines, cancel);
    Ok(Json(work(&shared, found).await?).into_response())
}

pub(super) async fn relations(
    Extracted(shared): Extracted<Arc<ServerState>>,
    request: Request,
) -> Result<Response, Problem> {
    let asked: RelationsRequest =
        guard::read(&shared, request, |asked: &RelationsRequest| asked.token.as_deref()).await?;
    if !(1..=SYMBOL_BYTES).contains(&asked.symbol.len()) {
        return Err(Problem::new(
            Kind::BadRequest,
            format!(
                "'symbol' must have 1 to {SYMBOL_BYTES} \
        bytes"
            ),
        ));
    }
    let limit = within("limit", asked.limit, api::RELATED, 1, 200)?;
    let found = move |shared: &ServerState, cancel: &Cancel| related(shared, &asked, limit, cancel);
    Ok(Json(work(&shared, found).await?).into_response())
}

pub(super) async fn revisions(
    Extracted(shared): Extracted<Arc<ServerState>>,
    request: Request,
) -> Result<Response, Problem> {
    let asked: RevisionsRequest =
        guard::read(&shared, request, |asked: &RevisionsRequest| asked.token.as_deref()).await?;
    let limit = within("limit", asked.limit, api::REVISIONS, 1, 1000)?;
    let found = move |shared: &ServerState, _: &Cancel| commits(shared, &asked.repo, limit as usize);
    Ok(Json(work(&shared, found).await?).into_response())
}

/// Checks a text that has to be asked for.
fn question(what: &str, text: &str) -> Result<(), Problem> {
    if text.trim().is_empty() || text.chars().count() > QUESTION {
        return Err(Problem::new(
            Kind::BadRequest,
            format!(
                "'{what}' must have 1 to {QUESTION} \
        characters"
            ),
        ));
    }
    Ok(())
}

/// Returns the number of results of a search, and the number of lines of each.
fn checked(asked: &SearchRequest) -> Result<(u32, u32), Problem> {
    bounded("repos", asked.repos.len(), 1, REPOSITORIES)?;
    question("query", &asked.query)?;
    let limit = within("limit", asked.limit, api::RESULTS, 1, 100)?;
    let lines = within("lines", asked.lines, api::EXCERPT, 0, 100)?;
    relevance::checked(asked.min_score).map_err(|expected| {
        let given = asked.min_score;
        Problem::new(Kind::BadRequest, format!("invalid value '{given}' for 'minScore': {expected}"))
    })?;
    if limit * lines > EXCERPTS {
        return Err(Problem::new(
            Kind::BadRequest,
            format!(
                "'limit' times 'lines' must be at most \
        {EXCERPTS}"
            ),
        ));
    }
    Ok((limit, lines))
}

/// Returns a number of the request, or its default; an error if it is out of bounds.
fn within(what: &str, given: Option<u32>, default: u32, least: u32, most: u32) -> Result<u32, Problem> {
    let given = given.unwrap_or(default);
    if (least..=most).contains(&given) {
        return Ok(given);
    }
    Err(Problem::new(Kind::BadRequest, format!("'{what}' must be from {least} to {most}")))
}

fn searched(
    shared: &ServerState,
    asked: &SearchRequest,
    limit: u32,
    lines: u32,
    cancel: &Cancel,
) -> Result<SearchAnswer, Problem> {
    let begun = Instant::now();
    let mut reach = Reach::new(shared, cancel);
    let mut repos = Vec::new();
    let mut answers: Vec<Results> = Vec::new();
    // For each answer, the position of its repository in the request.
    let mut of: Vec<usize> = Vec::new();
    let time = time_question(&asked.query);
    for (at, wanted) in asked.repos.iter().enumerate() {
        let (kept, version, mut reached) = match reach.next(wanted)? {
            ReachOutcome::Version(kept, version, reached) => (kept, version, reached),
            ReachOutcome::Missing(state) => {
                repos.push(RepositoryScope::from(state));
                continue;
            }
        };
        let mut searched = RepositoryScope::from(state(&kept, version, &reached));
        if let SearcherState::Exact(found) | SearcherState::Nearest(found, _) = &mut reached {
            let query = Query::new(asked.query.clone())
                .with_limit(limit as usize)
                .with_explain(true)
                .with_all_chunks(asked.all_chunks)
                .with_min_relevance(asked.min_score);
            let mut results =
                kept.answer(&shared.pool, found, &query, &searched.version_specifier, cancel)?;
            searched.commit = results.commit.map(|id| id.to_string());
            searched.worktree = results.worktree;
            searched.dirty_files = results.n_dirty;
            searched.warnings = std::mem::take(&mut results.warnings);
            // A search finds code, which has no date.
            let tags = match &time {
                Some(question) if at == 0 && question.is_of_release() => {
                    kept.session.repo().tags(None, cancel)
                }
                _ => Ok(Vec::new()),
            };
            let tags = tags.unwrap_or_default();
            let of_range =
                |question: TimeQuestion| question.since_previous(tags.iter().map(|tag| tag.name.as_str()));
            if let (0, Some(question)) = (at, time.clone().and_then(of_range)) {
                let line = question.command_line();
                searched.warnings.push(format!("this is a question about time; in a terminal, run '{line}'"));
            }
            answers.push(results);
            of.push(at);
        }
        repos.push(searched);
    }
    reach.finish()?;
    let results = merge(answers, limit as usize);
    let code = if lines == 0 {
        vec![Vec::new(); results.results.len()]
    } else {
        view::excerpts(&results, lines as usize, &grammar)
    };
    let near = results.near.into_iter().map(|near| UnknownTerm { word: near.word, instead: near.instead });
    Ok(SearchAnswer {
        repos,
        more: results.n_more,
        near: near.collect(),
        results: results
            .results
            .into_iter()
            .zip(code)
            .map(|(item, code)| {
                let repository = of.get(item.repository).copied().unwrap_or_default();
                found(item, repository, code.into_iter().map(Line::from).collect())
            })
            .collect(),
        ms: ms(begun),
    })
}

fn found(item: ResultItem, repository: usize, code: Vec<Line>) -> PlaceHit {
    let named = item.named.and_then(|at| item.declarations.get(at));
    // A chunk that is one declaration links to the line of its name, below its comment.
    let named = named.or_else(|| {
        let begins = |one: &&view::DeclarationItem| {
            (item.span.start_line..=item.span.end_line).contains(&one.span.start_line)
                && item.symbol.ends_with(&one.name)
        };
        item.declarations.iter().find(begins)
    });
    PlaceHit {
        rank: item.rank,
        repository,
        path_bytes: item.path.to_str().is_err().then(|| hex(&item.path)),
        path: quoted(item.path.as_bstr()).into_owned(),
        start_line: item.span.start_line,
        end_line: item.span.end_line,
        symbol_line: named.map_or(item.span.start_line, |one| one.name_line),
        symbol: Some(item.symbol).filter(|symbol| !symbol.is_empty()),
        kind: item.kind.to_owned(),
        language: item.language,
        score: rounded_score(item.score),
        relevance: item.relevance.map(rounded_relevance),
        git_status: item.git_status.to_owned(),
        explain: item
            .explanation
            .into_iter()
            .map(|one| Part { part: one.part, value: rounded_score(one.value), detail: one.detail })
            .collect(),
        order: item.moved,
        code,
        copies: item.copies.iter().map(|path| quoted(path.as_bstr()).into_owned()).collect(),
        also: item
            .also
            .into_iter()
            .map(|one| NearbyDeclaration { line: one.line, symbol: one.symbol, kind: one.kind.to_owned() })
            .collect(),
    }
}

fn related(
    shared: &ServerState,
    asked: &RelationsRequest,
    limit: u32,
    cancel: &Cancel,
) -> Result<RelationsAnswer, Problem> {
    let (kept, version, mut reached) = reach(shared, &asked.repo, PATIENCE, cancel)?;
    let mut repo = RepositoryScope::from(state(&kept, version, &reached));
    let (SearcherState::Exact(found) | SearcherState::Nearest(found, _)) = &mut reached else {
        return Ok(RelationsAnswer { repo, symbols: Vec::new(), more: 0 });
    };
    repo.commit = found.commit().map(|id| id.to_string());
    repo.worktree = found.is_worktree();
    repo.dirty_files = found.n_dirty();
    let query =
        RelationQuery::new(asked.symbol.clone()).with_limit(limit as usize).with_certain(asked.certain);
    let relations = kept.read(found, cancel, |one| kept.session.relations(one, &query))?;
    let symbols = relations.symbols.into_iter().map(Into::into).collect();
    Ok(RelationsAnswer { repo, symbols, more: relations.more })
}

fn commits(shared: &ServerState, wanted: &Repo, limit: usize) -> Result<RevisionsAnswer, Problem> {
    let kept = shared.roots.open(&shared.pool, wanted)?;
    let repo = kept.session.repo();
    let (from, branch) = start(&kept, wanted)?;
    let mut names: HashMap<ObjectId, Vec<String>> = HashMap::new();
    for (name, commit) in repo.tips()? {
        names.entry(commit).or_default().push(short_name(&name.to_str_lossy()));
    }
    let indexed: HashSet<ObjectId> =
        index::indexed_commits(repo)?.into_iter().map(|(commit, ..)| commit).collect();
    let line = match from {
        Some(from) => repo.first_parents(from, limit)?,
        None => Vec::new(),
    };
    let revision = |id: ObjectId| -> Result<Revision, Problem> {
        let commit = repo.commit(id)?;
        Ok(Revision {
            commit: id.to_string(),
            subject: commit.subject.to_str_lossy().into_owned(),
            time: commit.committer_time_s,
            names: names.get(&id).cloned().unwrap_or_default(),
            indexed: indexed.contains(&id),
        })
    };
    let on_line: HashSet<ObjectId> = line.iter().copied().collect();
    let mut aside: Vec<ObjectId> = indexed.difference(&on_line).copied().collect();
    aside.sort();
    // An index can exist without its commit: it was fetched, or the commit was removed. Such ids
    // are skipped.
    let mut others: Vec<Revision> =
        aside.into_iter().take(INDEXED).filter_map(|id| revision(id).ok()).collect();
    others.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.commit.cmp(&b.commit)));
    others.truncate(limit);
    Ok(RevisionsAnswer {
        checkout_path: kept.session.info().path,
        worktree: repo.work_dir().is_some(),
        branch,
        line: line.into_iter().map(revision).collect::<Result<_, _>>()?,
        others,
    })
}

/// Returns the commit of the requested version, or that of `HEAD`, and the branch that is checked
/// out.
fn start(kept: &OpenRepository, wanted: &Repo) -> Result<(Option<ObjectId>, Option<String>), Problem> {
    let (head, branch) = match kept.session.repo().head()? {
        Head::Commit { id, refname } => (Some(id), refname),
        Head::Unborn { refname } => (None, Some(refname)),
    };
    let from = match wanted.version_specifier.as_deref() {
        None | Some("" | "workspace" | "latest") => head,
        Some(_) => match target(kept, wanted)?.0 {
            Target::Commit(commit) => Some(commit),
            Target::Worktree => head,
        },
    };
    Ok((from, branch.map(|name| short_name(&name.to_str_lossy()))))
}

/// Returns the short name of a branch or tag.
fn short_name(refname: &str) -> String {
    let prefixes = ["refs/heads/", "refs/remotes/", "refs/tags/"];
    prefixes.iter().find_map(|prefix| refname.strip_prefix(prefix)).unwrap_or(refname).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(change: impl Fn(&mut serde_json::Value)) -> Result<(u32, u32), String> {
        let mut request = serde_json::json!({ "query": "x", "repos": [{}] });
        change(&mut request);
        let asked: SearchRequest = serde_json::from_value(request).unwrap();
        checked(&asked).map_err(|problem| problem.detail)
    }

    #[test]
    fn every_part_of_a_search_is_bounded() {
        assert_eq!(search(|_| {}), Ok((20, 12)), "the defaults");
        for (limit, lines, is_good) in [
            (0, 1, false),
            (1, 0, true),
            (100, 20, true),
            (100, 21, false),
            (20, 100, true),
            (21, 100, false),
            (23, 87, false),
            (101, 0, false),
            (1, 101, false),
        ] {
            let asked = search(|request| {
                request["limit"] = limit.into();
                request["lines"] = lines.into();
            });
            assert_eq!(asked.is_ok(), is_good, "{limit} {lines}: {asked:?}");
        }
        for (n, is_good) in [(0, false), (1, true), (16, true), (17, false)] {
            let repos = serde_json::Value::from(vec![serde_json::json!({}); n]);
            assert_eq!(
                search(|request| request["repos"] = repos.clone()).is_ok(),
                is_good,
                "{n} repositories"
            );
        }
    }

    #[test]
    fn a_question_has_a_character_and_not_too_many() {
        for (text, is_good) in [
            (String::new(), false),
            (" \n".to_owned(), false),
            ("x".to_owned(), true),
            ("é".repeat(100_000), true),
            ("é".repeat(100_001), false),
        ] {
            assert_eq!(question("query", &text).is_ok(), is_good, "{} bytes", text.len());
        }
        assert_eq!(SYMBOL_BYTES, 5000);
    }

    #[test]
    fn a_number_has_a_default_and_bounds() {
        for (given, expected) in
            [(None, Some(5)), (Some(1), None), (Some(2), Some(2)), (Some(9), Some(9)), (Some(10), None)]
        {
            assert_eq!(within("n", given, 5, 2, 9).ok(), expected, "{given:?}");
        }
        for (n, is_good) in [(0, false), (1, true), (3, true), (4, false)] {
            assert_eq!(bounded("n", n, 1, 3).is_ok(), is_good, "{n}");
        }
    }
}
