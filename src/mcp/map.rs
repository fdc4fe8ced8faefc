//! `map`: a question or files in hand → an outline of the repository.

use bstr::BString;
use rmcp::model::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use git_cora::session::MapQuery;
use git_cora::view::{self, outline, outline_limit};

use super::Call;
use super::reply::{self, Trouble};
use super::schema;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What the map is for; without it, what all hangs on.
    query: Option<String>,
    /// Files in hand: what they use and what uses them comes first.
    #[serde(default, deserialize_with = "schema::strings")]
    #[schemars(with = "Option<Vec<String>>")]
    files: Vec<String>,
    /// Branch, tag or commit; default: the working tree.
    rev: Option<String>,
    /// Only these: Git pathspecs.
    #[serde(default, deserialize_with = "schema::strings")]
    #[schemars(with = "Option<Vec<String>>")]
    path: Vec<String>,
    /// Most tokens of the reply; default 2000.
    max_tokens: Option<usize>,
}

pub(super) fn tool() -> Tool {
    schema::tool::<Arguments>(
        "map",
        "Outline the repository: its most important declarations by file, with line numbers and signatures. For getting \
         to know it, or what a task touches.",
    )
}

pub(super) fn run(call: &Call<'_>, arguments: Value) -> Result<String, Trouble> {
    let Arguments { query, files, rev, path, max_tokens } = reply::arguments(arguments)?;
    let kept = call.kept()?;
    let state = match reply::state(call, &kept, rev.as_deref())? {
        Ok(state) => state,
        Err(not_yet) => return Ok(not_yet),
    };
    let searchable = &state.searchable;
    let commit = searchable.commit().map(|id| id.abbreviated(12).to_string()).unwrap_or_default();
    let dirty = match searchable.n_dirty() {
        0 => String::new(),
        n => format!(" and {}", view::counted(n, "uncommitted file", "uncommitted files")),
    };
    let notes = format!("{}outline of {commit}{dirty}\n", state.notes);
    let budget = reply::budget(max_tokens, &notes);
    let map = MapQuery {
        text: query.unwrap_or_default(),
        files: files.into_iter().map(BString::from).collect(),
        paths: path,
        limit: outline_limit(budget.tokens.unwrap_or(reply::TOKENS)),
        ..MapQuery::default()
    };
    let found = kept.session.map(searchable, &map)?;
    let (_, text) = outline(&found, &budget);
    if text.is_empty() {
        return Err(Trouble::new(match found.n_ranked {
            0 => "there is no declaration to show",
            _ => "not one declaration fits into max_tokens; allow more",
        }));
    }
    Ok(format!("{notes}{text}"))
}
