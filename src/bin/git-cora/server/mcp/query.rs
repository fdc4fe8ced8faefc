//! The tool `query`: a question → the best chunks of the repositories.
//!
//! Ranking is the library's; this file maps arguments to a query and the results to a reply.

use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use git_cora::Query;
use git_cora::answer::view::visible;
use git_cora::answer::{TimeTopic, time_question};
use git_cora::search::query::Filters;

use super::Call;
use super::reply::{self, CallError, Detail, Stop};
use super::repositories::{CallRepository, notes};
use super::schema;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A question, names, an error with its stack trace, or a whole issue. "Quoted" text must
    /// match exactly if it starts the query or is nearly all of it.
    query: String,
    /// Branch, tag or commit; default: the working tree.
    rev: Option<String>,
    /// Only files that match these Git pathspecs, such as src/net, *.rs or :!test.
    #[serde(default, deserialize_with = "schema::list")]
    #[schemars(with = "Option<Vec<String>>")]
    path: Vec<String>,
    /// Maximum number of results; default 8.
    #[serde(default, deserialize_with = "schema::number")]
    #[schemars(with = "Option<usize>")]
    k: Option<usize>,
    /// Maximum tokens of the reply; default 2000.
    #[serde(default, deserialize_with = "schema::number")]
    #[schemars(with = "Option<usize>")]
    max_tokens: Option<usize>,
    /// How much of each result to show, within max_tokens; default full.
    detail: Option<Detail>,
}

pub(super) fn tool() -> Tool {
    schema::tool::<Arguments>(
        "query",
        "Find the code that answers a question, anywhere in the repository, ranked, with line numbers. Understands \
         meaning, words and names. Use it before grep; don't grep for what it shows.",
    )
}

/// Names the call that answers a question about time.
fn of_time(query: &str) -> String {
    let Some(question) = time_question(query) else { return String::new() };
    let subject = visible(&question.subject).into_owned();
    let what = match question.topic {
        TimeTopic::When => "when",
        TimeTopic::Blame => "authors",
        TimeTopic::Log => "changes",
        _ => return "note: 'diff' with 'impact' answers questions about changes\n".to_owned(),
    };
    format!("note: 'history' answers this: {{\"name\": {}, \"what\": \"{what}\"}}\n", Value::from(subject))
}

pub(super) fn run(call: &Call<'_>, arguments: Value) -> Result<String, Stop> {
    let Arguments { query, rev, path, k, max_tokens, detail } = reply::arguments(arguments)?;
    if query.trim().is_empty() {
        return Err(CallError::new("the query is empty").into());
    }
    let mut open = call.open(&path, rev.as_deref())?;
    let strays = call.strays(&open, &path)?;
    let limit = reply::limit(k);
    let mut answers = Vec::new();
    for CallRepository { kept, state, specs, .. } in &mut open {
        let filters = Filters::default().with_paths(specs.clone());
        let query = Query::new(query.as_str()).with_limit(limit).with_filters(filters);
        answers.push(kept.answer(&call.pool, &mut state.searcher, &query, &state.revision, call.cancel)?);
    }
    let results = call.merged(&open, answers, limit)?;
    Ok(reply::results(
        &(notes(&open) + &strays + &of_time(&query)),
        &results,
        detail.unwrap_or_default(),
        max_tokens,
    ))
}
