//! The route `/coderag/ask`: a question → evidence for each of its parts, with citations.
//!
//! Rules gather the evidence, not a language model: whatever the settings name, this route sends
//! nothing anywhere. The citations have the same numbers as those of `git cora ask --extractive`.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::{Request, State as Extracted};
use axum::response::{IntoResponse, Response};

use git_cora::answer::ask::{self, Limits, Rules};
use git_cora::answer::view::{self, ResultItem, Results};
use git_cora::base::error::{ClassifiedError as _, ErrorKind};
use git_cora::base::progress::Cancel;
use git_cora::index::chunk::grammar;
use git_cora::index::chunk::{doc_text, first_sentence};
use git_cora::search::query::Filters;

use super::api::{AskAnswer, AskRequest, Citation, Line, RepositoryScope, Topic};
use super::{found, question, within};
use crate::server::http::answer::{PATIENCE, ms, reach, state, work};
use crate::server::http::problem::{Kind, Problem};
use crate::server::http::{ServerState, guard};
use crate::server::pool::SearcherState;

/// Largest number of source lines per place.
const LINES: usize = 10;
/// Largest number of steps.
const STEPS: usize = 4;
/// Length limit of a place's summary in characters.
const SAYS: usize = 200;

pub(in crate::server::http) async fn ask(
    Extracted(shared): Extracted<Arc<ServerState>>,
    request: Request,
) -> Result<Response, Problem> {
    let asked: AskRequest =
        guard::read(&shared, request, |asked: &AskRequest| asked.token.as_deref()).await?;
    question("question", &asked.question)?;
    let tokens = within("tokens", asked.tokens, super::api::TOKENS, 100, 50_000)?;
    let answer = move |shared: &ServerState, cancel: &Cancel| answer(shared, &asked, tokens as usize, cancel);
    Ok(Json(work(&shared, answer).await?).into_response())
}

fn answer(
    shared: &ServerState,
    asked: &AskRequest,
    tokens: usize,
    cancel: &Cancel,
) -> Result<AskAnswer, Problem> {
    let begun = Instant::now();
    let (kept, version, reached) = reach(shared, &asked.repo, PATIENCE, cancel)?;
    let mut repo = RepositoryScope::from(state(&kept, version, &reached));
    let (SearcherState::Exact(searcher) | SearcherState::Nearest(searcher, _)) = &reached else {
        return Ok(AskAnswer {
            repo,
            topics: Vec::new(),
            places: Vec::new(),
            cut: 0,
            stopped: None,
            ms: ms(begun),
        });
    };
    repo.commit = searcher.commit().map(|id| id.to_string());
    repo.worktree = searcher.is_worktree();
    repo.dirty_files = searcher.n_dirty();
    let finder = kept.session.finder(searcher, &repo.version_specifier, Filters::default(), cancel);
    let limits = Limits::default().with_steps(STEPS);
    let gathered =
        ask::gather(&asked.question, &mut Rules, &finder, &limits, &mut (), cancel).map_err(failed)?;
    for warning in finder.warnings() {
        if !repo.warnings.contains(&warning) {
            repo.warnings.push(warning);
        }
    }
    repo.warnings.extend(gathered.notes.iter().cloned());
    let shown = ask::context(&gathered, tokens);
    let number: HashMap<usize, usize> = (1..).zip(&shown.numbers).map(|(number, &at)| (at, number)).collect();
    let mut places: Vec<Option<Citation>> = shown.numbers.iter().map(|_| None).collect();
    let mut topics = Vec::new();
    for part in gathered.parts.iter().filter(|part| part.near.is_none()) {
        let cited: Vec<(usize, &ResultItem)> = part
            .found
            .iter()
            .filter_map(|at| Some((*number.get(at)?, &gathered.evidence.get(*at)?.item)))
            .collect();
        // A place is shown under the first part that it was found for.
        let new: Vec<&(usize, &ResultItem)> = cited
            .iter()
            .filter(|(number, _)| {
                number.checked_sub(1).and_then(|at| places.get(at)).is_some_and(Option::is_none)
            })
            .collect();
        let mut results = Results::default();
        results.query.clone_from(&part.text);
        for (number, item) in &new {
            let mut item = (*item).clone();
            item.rank = *number;
            results.results.push(item);
        }
        let code = view::excerpts(&results, LINES, &grammar);
        for (item, code) in results.results.into_iter().zip(code) {
            let (relation, says) = (item.relation.clone(), says(&item));
            let place = item.rank.checked_sub(1).and_then(|at| places.get_mut(at));
            if let Some(place) = place {
                let code = code.into_iter().map(Line::from).collect();
                *place = Some(Citation { place: found(item, 0, code), relation, says });
            }
        }
        topics.push(Topic {
            question: part.text.clone(),
            whole: part.is_whole,
            cited: cited.into_iter().map(|(number, _)| number).collect(),
        });
    }
    Ok(AskAnswer {
        repo,
        topics,
        places: places.into_iter().flatten().collect(),
        cut: shown.n_cut,
        stopped: gathered.stop.map(|stop| stop.name().to_owned()),
        ms: ms(begun),
    })
}

fn failed(error: ask::Error) -> Problem {
    let kind = match error.kind() {
        ErrorKind::Cancelled => Kind::TimedOut,
        _ => Kind::Internal,
    };
    let hint = error.hint();
    let reason = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
    Problem { hint, ..Problem::new(kind, format!("{error}{reason}")) }
}

/// Returns the first sentence of a result's doc comment.
fn says(item: &ResultItem) -> Option<String> {
    let text = item.text.as_deref()?;
    let named = item.named.and_then(|at| item.declarations.get(at));
    let of = named.or_else(|| {
        item.declarations
            .iter()
            .find(|one| one.span.start_line >= item.span.start_line && item.symbol.ends_with(&one.name))
    })?;
    let doc = text.get(of.doc.start as usize..of.doc.end as usize)?;
    let sentence = first_sentence(&doc_text(doc, &item.language));
    let sentence: String = sentence.chars().take(SAYS).collect();
    if sentence.is_empty() {
        return None;
    }
    Some(view::visible(&sentence).into_owned())
}
