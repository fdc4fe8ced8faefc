//! Requests and answers of the routes for programs, as types from which the OpenAPI document is
//! made.
//!
//! The doc comments of these types are published in that document. Unknown fields are rejected, so
//! that a client notices a misspelled one; only messages may have more, as chat APIs write them.

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::input::conversation::Message;

/// Default number of characters of source text in an answer.
pub(super) const LENGTH: u32 = 20_000;

/// Reads an object. A derived reader would also accept a list of the values, which the document
/// does not promise.
pub(super) fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<T, D::Error> {
    let map = Map::<String, Value>::deserialize(deserializer)?;
    serde_json::from_value(Value::Object(map)).map_err(D::Error::custom)
}

/// Reads a list of objects.
pub(super) fn objects<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let maps = Vec::<Map<String, Value>>::deserialize(deserializer)?;
    let read = |map| serde_json::from_value(Value::Object(map)).map_err(D::Error::custom);
    maps.into_iter().map(read).collect()
}

/// A question about one or more repositories.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct QueryRequest {
    /// The conversation, oldest message first. The user's last message is the question. The older a
    /// message is, the less it counts.
    #[schemars(length(min = 1, max = 1000))]
    #[serde(deserialize_with = "objects")]
    pub(super) messages: Vec<Message>,
    /// Maximum length of `ragText` in characters. As many results as fit are included.
    #[schemars(range(min = 1, max = 2_000_000))]
    pub(super) approx_length: Option<u32>,
    /// The repositories to search.
    #[schemars(length(min = 1, max = 16))]
    #[serde(deserialize_with = "objects")]
    pub(super) repos: Vec<Repo>,
    /// Files and declarations that are always included.
    #[serde(default, deserialize_with = "object")]
    pub(super) boost: Boost,
    /// The family of models that reads the answer: `ragText` has the form that the vendor of these
    /// models recommends. By default it has the form `<cora:rag-result>`.
    #[serde(default)]
    pub(super) model_family: Option<ModelFamily>,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(super) token: Option<String>,
}

/// A family of language models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ModelFamily {
    Claude,
    Openai,
}

/// A repository and its version. The repository is named by the path of a checkout on this host, or
/// by the URL of its `origin`. Without either, the server must serve exactly one repository.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Repo {
    /// URL of its `origin`.
    #[serde(default)]
    pub(super) origin_uri: Option<String>,
    /// Name of the host of the checkout; only this host is served.
    #[serde(default)]
    pub(super) checkout_host: Option<String>,
    /// Path of the checkout, absolute.
    #[serde(default)]
    pub(super) checkout_path: Option<String>,
    /// `latest` (the commit that is checked out), `workspace` (with uncommitted changes), or a
    /// commit, branch or tag. Default: `workspace`, or `latest` without a working tree.
    #[serde(default)]
    pub(super) version_specifier: Option<String>,
}

/// Content that is always included, before the results.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Boost {
    /// Whole files.
    #[serde(default, deserialize_with = "objects")]
    #[schemars(length(max = 100))]
    pub(super) files: Vec<BoostFile>,
    /// Declarations.
    #[serde(default, deserialize_with = "objects")]
    #[schemars(length(max = 100))]
    pub(super) declarations: Vec<BoostDeclaration>,
}

/// A file to include.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BoostFile {
    /// Path from the root of the repository.
    pub(super) path: String,
}

/// A declaration to include.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BoostDeclaration {
    /// Its name, alone or qualified: `parse`, `Parser.parse`.
    pub(super) name: String,
    /// Its file, if several declare this name.
    #[serde(default)]
    pub(super) path: Option<String>,
    /// Whether to include its body.
    #[serde(default)]
    pub(super) implementation: bool,
}

/// The answer to a query.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct QueryAnswer {
    /// Source for a language model, one repository after the other.
    pub(super) rag_text: String,
    /// Facts about the answer.
    pub(super) metadata: Metadata,
}

/// Facts about an answer.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Metadata {
    /// What was searched, for each requested repository, in the same order.
    pub(super) repos: Vec<RepoState>,
    /// Length of `ragText` in characters.
    pub(super) characters: usize,
    /// Length of `ragText` in tokens, counted with the encoding `cl100k_base`.
    pub(super) tokens: usize,
    /// How long each step took.
    pub(super) timing_ms: Timing,
}

/// What was searched in a repository, and the results.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RepoState {
    /// URL of its `origin`, without credentials; empty if it has none.
    pub(super) origin_uri: String,
    /// Name of this host; empty if unknown.
    pub(super) checkout_host: String,
    /// Root of its working tree, or the directory of a bare repository.
    pub(super) checkout_path: String,
    /// The requested version, as written.
    pub(super) version_specifier: String,
    /// Whether that version was searched.
    pub(super) state: State,
    /// The commit that was searched; null before the first one, or if nothing is indexed yet.
    pub(super) commit: Option<String>,
    /// Whether uncommitted changes were searched too.
    pub(super) worktree: bool,
    /// Number of files that differ from the commit.
    pub(super) dirty_files: usize,
    /// The places in `ragText` and those cut from it, best first.
    pub(super) results: Vec<Place>,
    /// Number of further places that match.
    pub(super) more: usize,
    /// What was left out to stay within the maximum length; null if nothing.
    pub(super) cut: Option<String>,
    /// Warnings for people: what the answer could not take into account.
    pub(super) warnings: Vec<String>,
    /// Progress of the index that is being built; null if none is.
    pub(super) progress: Option<String>,
}

/// Whether the requested version was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// The requested version was searched.
    Exact,
    /// The nearest commit with an index was searched; the requested version is being indexed.
    Nearest,
    /// Nothing was searched: the requested version is being indexed.
    Indexing,
    /// Nothing was searched: this repository has no such version, but another one of the request
    /// has.
    Missing,
}

/// A place in a repository.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Place {
    /// Path from the root.
    pub(super) path: String,
    /// First line, from 1.
    pub(super) start_line: u32,
    /// Last line, included.
    pub(super) end_line: u32,
    /// Symbol path of the declaration; null if there is none.
    pub(super) symbol: Option<String>,
    /// `function`, `class`, …; `file` for a whole file.
    pub(super) kind: String,
    /// Higher is better. Scores are comparable only within one repository; null for content that is
    /// always included.
    pub(super) score: Option<f64>,
    /// The file's state: `unmodified`, `modified`, `untracked`, ….
    pub(super) git_status: String,
}

/// Milliseconds.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Timing {
    /// Opening the index, or waiting for it.
    pub(super) open: u64,
    /// Searching.
    pub(super) search: u64,
    /// Writing the answer.
    pub(super) render: u64,
    /// The whole request.
    pub(super) total: u64,
}

/// A request to index repositories.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RefreshRequest {
    /// The repositories to index.
    #[schemars(length(min = 1, max = 16))]
    #[serde(deserialize_with = "objects")]
    pub(super) repos: Vec<Repo>,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(super) token: Option<String>,
}

/// The progress of indexing.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefreshAnswer {
    /// The progress of each requested repository, in the same order.
    pub(super) repos: Vec<RefreshProgress>,
}

/// The progress of a repository.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefreshProgress {
    /// Root of its working tree, or the directory of a bare repository.
    pub(super) checkout_path: String,
    /// The requested version, as written.
    pub(super) version_specifier: String,
    /// `exact` if the version can be searched.
    pub(super) state: State,
    /// Its commit; null before the first one, and while it is being indexed.
    pub(super) commit: Option<String>,
    /// Progress of the index that is being built; null if none is.
    pub(super) progress: Option<String>,
}
