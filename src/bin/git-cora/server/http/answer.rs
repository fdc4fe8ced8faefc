//! The routes `/coderag/query` and `/coderag/refresh`: an authorised request → an answer.
//!
//! Also owns what all routes that search have in common: the queue, the time limit, versions, and
//! the state of a repository. Repositories are searched one after the other, so that a request
//! takes one thread for blocking work. A request that is given up sets its cancel flag, and the
//! work stops at the next safe point.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Request, State as Extracted};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use bstr::{BString, ByteSlice};
use tokio::sync::Semaphore;

use git_cora::answer::include;
use git_cora::answer::view::{self, Budget, ResultItem, Results, Style, counted};
use git_cora::answer::{Include, MAX_FOLLOWED, follow};
use git_cora::base::progress::Cancel;
use git_cora::base::text::quoted;
use git_cora::search::query::Pathspec;
use git_cora::{Query, Searcher, Target};

use super::api::{
    self, Boost, Metadata, ModelFamily, Place, QueryAnswer, QueryRequest, RefreshAnswer, RefreshProgress,
    RefreshRequest, Repo, RepoState, State, Timing,
};
use super::problem::{Kind, Problem};
use super::values::is_plain_version;
use super::{AT_ONCE, QUEUE, ServerState, guard};
use crate::input::conversation;
use crate::server::pool::{OpenRepository, SearcherState, WaitLimits, definitions};

/// Longest time that a request waits for indexes before it is answered with what is ready.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// Time limit of a request.
const TOTAL: Duration = Duration::from_secs(30);
/// Largest number of repositories in a request.
pub(super) const REPOSITORIES: usize = 16;
/// Largest number of messages in a conversation.
const MESSAGES: usize = 1000;
/// Largest number of boosted files, and of boosted declarations.
const BOOSTS: usize = 100;
/// Length limit of an answer in characters.
const MAX_LENGTH: u32 = 2_000_000;
/// Usual length of a result in characters; the number of results to search for is derived from it.
const RESULT: usize = 400;
/// Bounds of the number of results to search for, whatever the length.
const RESULTS: (usize, usize) = (10, 100);
/// Largest number of declarations taken for one boosted name.
const OF_ONE_NAME: usize = 3;

pub(super) async fn query(
    Extracted(shared): Extracted<Arc<ServerState>>,
    request: Request,
) -> Result<Response, Problem> {
    let asked: QueryRequest =
        guard::read(&shared, request, |asked: &QueryRequest| asked.token.as_deref()).await?;
    check(&asked)?;
    let answer = work(&shared, move |shared, cancel| answer(shared, &asked, cancel)).await?;
    Ok(Json(answer).into_response())
}

pub(super) async fn refresh(
    Extracted(shared): Extracted<Arc<ServerState>>,
    request: Request,
) -> Result<Response, Problem> {
    let asked: RefreshRequest =
        guard::read(&shared, request, |asked: &RefreshRequest| asked.token.as_deref()).await?;
    bounded("repos", asked.repos.len(), 1, REPOSITORIES)?;
    let answer = work(&shared, move |shared, cancel| refreshed(shared, &asked, cancel)).await?;
    let is_done = answer.repos.iter().all(|repo| repo.state == State::Exact);
    let status = if is_done { StatusCode::OK } else { StatusCode::ACCEPTED };
    Ok((status, Json(answer)).into_response())
}

/// Guard that sets the cancel flag when it is dropped: the client has left, or the time is over.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Runs blocking work after waiting in the queue, within the time limit of a request.
pub(super) async fn work<T: Send + 'static>(
    shared: &Arc<ServerState>,
    work: impl FnOnce(&ServerState, &Cancel) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let own = Arc::clone(shared);
    let patience = RetryLimits { queue: QUEUE, total: TOTAL };
    work_within(&shared.turns, patience, move |cancel| work(&own, cancel)).await
}

/// The time limits of a request.
struct RetryLimits {
    queue: Duration,
    total: Duration,
}

async fn work_within<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    patience: RetryLimits,
    work: impl FnOnce(&Cancel) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let busy = || Problem {
        hint: Some("try again in a few seconds".to_owned()),
        ..Problem::new(Kind::Busy, format!("too many requests: {AT_ONCE} are in progress"))
    };
    let turn = tokio::time::timeout(patience.queue, Arc::clone(turns).acquire_owned()).await;
    let Ok(Ok(turn)) = turn else { return Err(busy()) };
    let cancel = Cancel::default();
    let _cancel_on_drop = CancelOnDrop(cancel.clone());
    let running = tokio::task::spawn_blocking(move || {
        // The permit belongs to the work, not to the waiting request: abandoned work still uses a
        // thread.
        let _turn = turn;
        work(&cancel)
    });
    let total = patience.total;
    match tokio::time::timeout(total, running).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(Problem::new(Kind::Internal, "internal error of git-cora")),
        Err(_) => {
            let total = counted(total.as_secs(), "second", "seconds");
            Err(Problem::new(Kind::TimedOut, format!("no answer within {total}")))
        }
    }
}

pub(super) fn bounded(what: &str, n: usize, least: usize, most: usize) -> Result<(), Problem> {
    if (least..=most).contains(&n) {
        return Ok(());
    }
    Err(Problem::new(
        Kind::BadRequest,
        format!("'{what}' has {}; expected {least} to {most}", counted(n, "entry", "entries")),
    ))
}

fn check(asked: &QueryRequest) -> Result<(), Problem> {
    bounded("repos", asked.repos.len(), 1, REPOSITORIES)?;
    bounded("messages", asked.messages.len(), 1, MESSAGES)?;
    bounded("boost.files", asked.boost.files.len(), 0, BOOSTS)?;
    bounded("boost.declarations", asked.boost.declarations.len(), 0, BOOSTS)?;
    if asked.approx_length.is_some_and(|length| !(1..=MAX_LENGTH).contains(&length)) {
        return Err(Problem::new(
            Kind::BadRequest,
            format!(
                "'approxLength' must be from 1 to \
        {MAX_LENGTH}"
            ),
        ));
    }
    Ok(())
}

pub(super) fn ms(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Resolves the name of a version to a target and its display name.
pub(super) fn target(kept: &OpenRepository, wanted: &Repo) -> Result<(Target, String), Problem> {
    let no_version = |detail: String| Problem::new(Kind::NoVersion, detail);
    match wanted.version_specifier.as_deref() {
        None | Some("") => {
            let (target, _) = kept.target(None)?;
            let name = if target == Target::Worktree { "workspace" } else { "latest" };
            Ok((target, name.to_owned()))
        }
        Some("workspace") => match kept.session.repo().work_dir() {
            Some(_) => Ok((Target::Worktree, "workspace".to_owned())),
            None => Err(no_version("the repository has no working tree".to_owned())),
        },
        Some("latest") => Ok((kept.target(Some("HEAD"))?.0, "latest".to_owned())),
        Some(name) => {
            // Only commits, branches, tags and steps back from these. Other revisions, such as
            // `:/text`, search the history, which costs time.
            if !is_plain_version(name) {
                return Err(Problem {
                    hint: Some("use a commit, a branch or a tag, optionally followed by '~N'".to_owned()),
                    ..no_version(format!("unknown revision '{name}'"))
                });
            }
            Ok((kept.target(Some(name))?.0, name.to_owned()))
        }
    }
}

/// Returns the number of results to look for in each of `n_repos` repositories, if their text may
/// have `length` characters.
fn limit(length: usize, n_repos: usize) -> usize {
    (length / n_repos / RESULT).clamp(RESULTS.0, RESULTS.1)
}

/// Returns a repository, the display name of its version, and the searcher that is ready within
/// `patience`.
pub(super) fn reach(
    shared: &ServerState,
    wanted: &Repo,
    patience: Duration,
    cancel: &Cancel,
) -> Result<(Arc<OpenRepository>, String, SearcherState), Problem> {
    let kept = shared.roots.open(&shared.pool, wanted)?;
    let (target, version) = target(&kept, wanted)?;
    let wait = WaitLimits { patience, cancel, tell: &|_| {} };
    let reached = kept.reach(&shared.pool, &target, &wait)?;
    Ok((kept, version, reached))
}

/// A repository of a request.
pub(super) enum ReachOutcome {
    /// It has the version: the repository, the display name of the version, and the searcher.
    Version(Arc<OpenRepository>, String, SearcherState),
    /// It has no such version, but may be one of several.
    Missing(RepoState),
}

/// The repositories of one request, reached one after the other within [`PATIENCE`].
///
/// A revision may be in only some of them. That is a problem only if none has it.
pub(super) struct Reach<'s> {
    shared: &'s ServerState,
    cancel: &'s Cancel,
    end: Instant,
    n_reached: usize,
    problem: Option<Problem>,
}

impl<'s> Reach<'s> {
    pub(super) fn new(shared: &'s ServerState, cancel: &'s Cancel) -> Self {
        Self { shared, cancel, end: Instant::now() + PATIENCE, n_reached: 0, problem: None }
    }

    /// Reaches the next repository.
    pub(super) fn next(&mut self, wanted: &Repo) -> Result<ReachOutcome, Problem> {
        let left = self.end.saturating_duration_since(Instant::now());
        match reach(self.shared, wanted, left, self.cancel) {
            Ok((kept, version, reached)) => {
                self.n_reached += 1;
                Ok(ReachOutcome::Version(kept, version, reached))
            }
            Err(problem) if problem.kind == Kind::NoVersion => {
                let kept = self.shared.roots.open(&self.shared.pool, wanted)?;
                let version = wanted.version_specifier.clone().unwrap_or_default();
                let mut state = state(&kept, version, &SearcherState::Nothing(String::new()));
                (state.state, state.progress) = (State::Missing, None);
                state.warnings.push(problem.detail.clone());
                self.problem.get_or_insert(problem);
                Ok(ReachOutcome::Missing(state))
            }
            Err(problem) => Err(problem),
        }
    }

    /// Ends the request. Fails if no repository has its version.
    pub(super) fn finish(self) -> Result<(), Problem> {
        match self.problem {
            Some(problem) if self.n_reached == 0 => Err(problem),
            _ => Ok(()),
        }
    }
}

fn refreshed(
    shared: &ServerState,
    asked: &RefreshRequest,
    cancel: &Cancel,
) -> Result<RefreshAnswer, Problem> {
    let end = Instant::now() + PATIENCE;
    let mut repos = Vec::new();
    for wanted in &asked.repos {
        let (kept, version_specifier, reached) =
            reach(shared, wanted, end.saturating_duration_since(Instant::now()), cancel)?;
        let (state, commit, progress) = match reached {
            SearcherState::Exact(found) => (State::Exact, found.commit().map(|id| id.to_string()), None),
            SearcherState::Nearest(_, how_far) | SearcherState::Nothing(how_far) => {
                (State::Indexing, None, Some(how_far))
            }
        };
        repos.push(RefreshProgress {
            checkout_path: kept.session.info().path,
            version_specifier,
            state,
            commit,
            progress,
        });
    }
    Ok(RefreshAnswer { repos })
}

fn answer(shared: &ServerState, asked: &QueryRequest, cancel: &Cancel) -> Result<QueryAnswer, Problem> {
    let begun = Instant::now();
    let Some((question, before)) = conversation::question(conversation::turns(asked.messages.clone())) else {
        return Err(Problem::new(Kind::BadRequest, "no message with role 'user' has text"));
    };
    let context: Vec<String> = before.into_iter().map(|turn| turn.text).collect();
    let style = match asked.model_family {
        None => Style::Cora,
        Some(ModelFamily::Claude) => Style::Claude,
        Some(ModelFamily::Openai) => Style::OpenAi,
    };
    let mut timing = Timing::default();
    let mut left = asked.approx_length.unwrap_or(api::LENGTH) as usize;
    let mut repos = Vec::new();
    let mut answers: Vec<Answer> = Vec::new();
    let mut reach = Reach::new(shared, cancel);
    for (at, wanted) in asked.repos.iter().enumerate() {
        let step = Instant::now();
        let reached = reach.next(wanted)?;
        timing.open += ms(step);
        let (kept, version, reached) = match reached {
            ReachOutcome::Version(kept, version, reached) => (kept, version, reached),
            ReachOutcome::Missing(state) => {
                repos.push(state);
                continue;
            }
        };
        let state = state(&kept, version, &reached);
        if let SearcherState::Exact(mut found) | SearcherState::Nearest(mut found, _) = reached {
            let step = Instant::now();
            let limit = limit(left, asked.repos.len());
            let query =
                Query::new(question.clone()).with_limit(limit).with_context(context.clone()).with_also(false);
            let mut results =
                kept.answer(&shared.pool, &mut found, &query, &state.version_specifier, cancel)?;
            boost(&kept, &found, &asked.boost, &mut results)?;
            timing.search += ms(step);
            answers.push(Answer { at, found, results });
        }
        repos.push(state);
    }
    reach.finish()?;
    let step = Instant::now();
    follow_all(&mut answers)?;
    timing.search += ms(step);
    let step = Instant::now();
    let mut rag_text = String::new();
    for (one, n_left) in answers.iter().zip((1..=answers.len()).rev()) {
        // A repository that needs less than its share leaves the rest to those after it.
        let budget = Budget { characters: Some(left / n_left), tokens: None };
        let text = view::rag(&one.results, style, &budget);
        left = left.saturating_sub(text.chars().count());
        if let Some(state) = repos.get_mut(one.at) {
            tell(state, &one.found, &one.results, style, &text);
        }
        rag_text.push_str(&text);
    }
    timing.render = ms(step);
    timing.total = ms(begun);
    let metadata = Metadata {
        repos,
        characters: rag_text.chars().count(),
        tokens: view::tokens(&rag_text),
        timing_ms: timing,
    };
    Ok(QueryAnswer { rag_text, metadata })
}

/// The answer from one repository.
struct Answer {
    /// Position in the request's list of repositories.
    at: usize,
    found: Arc<Searcher>,
    results: Results,
}

/// Adds references across repositories to the best results of each answer.
fn follow_all(answers: &mut [Answer]) -> Result<(), Problem> {
    let n = answers.len();
    if n < 2 {
        return Ok(());
    }
    let (mut repositories, mut items) = (Vec::new(), Vec::new());
    for (one, repository) in answers.iter_mut().zip(0..) {
        repositories.push(&*one.found);
        for item in one.results.results.iter_mut().take(MAX_FOLLOWED / n) {
            item.repository = repository;
            items.push(item);
        }
    }
    follow(&repositories, None, items.iter_mut().map(|item| &mut **item))?;
    // Each answer is rendered on its own, as one repository.
    items.into_iter().for_each(|item| item.repository = 0);
    Ok(())
}

pub(super) fn state(kept: &OpenRepository, version_specifier: String, reached: &SearcherState) -> RepoState {
    let info = kept.session.info();
    let (state, progress, searcher) = match reached {
        SearcherState::Exact(searcher) => (State::Exact, None, Some(searcher)),
        SearcherState::Nearest(searcher, how_far) => (State::Nearest, Some(how_far.clone()), Some(searcher)),
        SearcherState::Nothing(how_far) => (State::Indexing, Some(how_far.clone()), None),
    };
    RepoState {
        origin_uri: info.origin,
        checkout_host: info.host,
        checkout_path: info.path,
        version_specifier,
        state,
        commit: None,
        worktree: false,
        dirty_files: 0,
        results: Vec::new(),
        more: 0,
        cut: None,
        warnings: searcher.map(|searcher| searcher.warnings.clone()).unwrap_or_default(),
        progress,
    }
}

/// Records in `state` the results, and what did not fit into the text.
fn tell(state: &mut RepoState, found: &Searcher, results: &Results, style: Style, text: &str) {
    state.commit = found.commit().map(|id| id.to_string());
    state.worktree = found.is_worktree();
    state.dirty_files = found.n_dirty();
    state.more = results.n_more;
    state.warnings.clone_from(&results.warnings);
    state.results = results.results.iter().map(place).collect();
    // These tags can't come from source text, because the view escapes them there.
    let (begin, end) = match style {
        Style::Cora => ("  <cora:cut>", "</cora:cut>"),
        Style::CodeRag => ("  <codeRag:cut>", "</codeRag:cut>"),
        Style::Claude | Style::OpenAi => ("\n<!-- ", " -->"),
    };
    let cut = text.rmatch_indices(begin).find_map(|(at, _)| {
        let (cut, _) = text.get(at + begin.len()..)?.split_once(end)?;
        cut.starts_with(view::OMISSION).then_some(cut)
    });
    state.cut = match cut {
        Some(cut) => Some(cut.to_owned()),
        None if text.is_empty() => Some("everything: the budget is too small for one result".to_owned()),
        None => None,
    };
}

fn place(item: &ResultItem) -> Place {
    Place {
        path: quoted(item.path.as_bstr()).into_owned(),
        start_line: item.span.start_line,
        end_line: item.span.end_line,
        symbol: Some(item.symbol.clone()).filter(|symbol| !symbol.is_empty()),
        kind: item.kind.to_owned(),
        // Six decimals, as in the JSON of the command line.
        score: (item.score > 0.0).then(|| (item.score * 1e6).round() / 1e6),
        git_status: item.git_status.to_owned(),
    }
}

/// Puts boosted files and declarations before the results of the question.
fn boost(
    kept: &OpenRepository,
    found: &Searcher,
    boost: &Boost,
    results: &mut Results,
) -> Result<(), Problem> {
    let mut first: Vec<ResultItem> = Vec::new();
    for file in &boost.files {
        let path = BString::from(file.path.strip_prefix("./").unwrap_or(&file.path));
        let wanted = Include::new(path);
        let items = git_cora::answer::included(found, &wanted);
        if items.is_empty() {
            results.warnings.push(format!("no file '{}'", file.path));
        }
        first.extend(items);
    }
    for wanted in &boost.declarations {
        let literal = wanted.path.as_ref().map(|path| Pathspec::parse(&format!(":(literal){path}")));
        let specs: Vec<Pathspec> =
            literal.transpose().map_err(git_cora::SessionError::from)?.into_iter().collect();
        let declared =
            definitions(&kept.session, found, &wanted.name, &specs, OF_ONE_NAME, &results.revision)?.results;
        if declared.is_empty() {
            results.warnings.push(format!("no declaration named '{}'", wanted.name));
        }
        for one in declared {
            let wanted =
                Include::new(one.path).with_symbol(one.symbol).with_only_signature(!wanted.implementation);
            first.extend(git_cora::answer::included(found, &wanted));
        }
    }
    if !first.is_empty() {
        include(results, first);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
