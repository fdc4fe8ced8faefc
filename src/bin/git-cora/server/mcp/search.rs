//! The tool `search`: a question → the best chunks of the repositories.
//!
//! Ranking is the library's; this file maps arguments to a query and the results to a reply. If no
//! file matches the given paths, that is an error rather than an empty answer, since the agent most
//! likely misspelled a path.

use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use git_cora::search::query::{Filters, Pathspec, admits};
use git_cora::{Query, SessionError};

use super::Call;
use super::reply::{self, CallError, Detail};
use super::repositories::{CallRepository, notes};
use super::schema;

/// Default number of results.
const K: usize = 8;
/// Largest number of results.
const MAX_K: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A question, names, an error with its stack trace, or a whole issue. Text that is all or first "quoted" is exact.
    query: String,
    /// Branch, tag or commit; default: the working tree.
    rev: Option<String>,
    /// Only these: Git pathspecs such as src/net, *.rs or :!test.
    #[serde(default, deserialize_with = "schema::strings")]
    #[schemars(with = "Option<Vec<String>>")]
    path: Vec<String>,
    /// Most results; default 8.
    #[serde(default, deserialize_with = "schema::number")]
    #[schemars(with = "Option<usize>")]
    k: Option<usize>,
    /// Most tokens of the reply; default 2000.
    #[serde(default, deserialize_with = "schema::number")]
    #[schemars(with = "Option<usize>")]
    max_tokens: Option<usize>,
    /// How much of each is shown as far as the tokens go; default full.
    detail: Option<Detail>,
}

pub(super) fn tool() -> Tool {
    schema::tool::<Arguments>(
        "search",
        "Find the code that answers a question, anywhere in the repository, ranked, with line numbers. Understands \
         meaning, words and names. Use it before grep; no need to grep for what it shows.",
    )
}

pub(super) fn run(call: &Call<'_>, arguments: Value) -> Result<String, CallError> {
    let Arguments { query, rev, path, k, max_tokens, detail } = reply::arguments(arguments)?;
    if query.trim().is_empty() {
        return Err(CallError::new("the query is empty"));
    }
    let open = match call.open(&path, rev.as_deref())? {
        Ok(open) => open,
        Err(not_yet) => return Ok(not_yet),
    };
    if let Some(stray) = stray(&open, &path)? {
        return Err(CallError::with_hint(
            format!("no file matches '{stray}'"),
            "paths are from the root of the repository; leave 'path' out to search all of it".to_owned(),
        ));
    }
    let limit = k.unwrap_or(K).clamp(1, MAX_K);
    let mut answers = Vec::new();
    for CallRepository { kept, state, specs, .. } in &open {
        let filters = Filters { paths: specs.clone(), ..Filters::default() };
        let query = Query { limit, filters, ..Query::new(query.as_str()) };
        answers.push(kept.answer(&call.host, &state.searcher, &query, &state.revision, call.cancel)?);
    }
    let results = call.merged(&open, answers, limit)?;
    Ok(reply::results(&notes(&open), &results, detail.unwrap_or_default(), max_tokens))
}

/// Returns the first of the given paths if no file matches any of them: then no query could find
/// anything.
fn stray<'p>(open: &[CallRepository], paths: &'p [String]) -> Result<Option<&'p str>, CallError> {
    for CallRepository { state, specs, .. } in open {
        let specs = specs.iter().map(|spec| Pathspec::parse(spec)).collect::<Result<Vec<_>, _>>();
        let specs = specs.map_err(SessionError::from)?;
        let index = state.searcher.index();
        if specs.is_empty() || index.files().any(|file| admits(&specs, file.path())) {
            return Ok(None);
        }
    }
    Ok(paths.first().map(String::as_str))
}
