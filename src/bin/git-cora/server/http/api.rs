//! Requests and answers of the routes for programs, as types from which the OpenAPI document is
//! made.
//!
//! The doc comments of these types are published in that document. Unknown fields are refused, so
//! that a client notices a misspelled one.

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

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

/// A question about one repository or several.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct QueryRequest {
    /// The conversation, oldest message first. The last one of the user is the question; what was
    /// said before it counts less, the older the less.
    #[schemars(length(min = 1, max = 1000))]
    #[serde(deserialize_with = "objects")]
    pub(super) messages: Vec<Message>,
    /// About how many characters `ragText` should have; it never has more.
    #[schemars(range(min = 1, max = 2_000_000))]
    pub(super) approx_length: Option<u32>,
    /// Where to look.
    #[schemars(length(min = 1, max = 16))]
    #[serde(deserialize_with = "objects")]
    pub(super) repos: Vec<Repo>,
    /// What is wanted in any case.
    #[serde(default, deserialize_with = "object")]
    pub(super) boost: Boost,
    /// Which family of models reads the answer: `ragText` has the form that its vendor advises.
    /// Without one, it has the form `<cora:rag-result>`.
    #[serde(default)]
    pub(super) model_family: Option<ModelFamily>,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(super) token: Option<String>,
}

/// A message of a conversation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Message {
    /// Who says it.
    pub(super) role: Role,
    /// What is said.
    pub(super) content: String,
}

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    System,
    User,
    Assistant,
}

/// A family of language models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum ModelFamily {
    Claude,
    Openai,
}

/// A repository and its state: by the path of a checkout on this host, or by the URL that it came
/// from. By neither: the only one that is served.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Repo {
    /// URL of its `origin`.
    #[serde(default)]
    pub(super) origin_uri: Option<String>,
    /// Name of the host of the checkout: this one.
    #[serde(default)]
    pub(super) checkout_host: Option<String>,
    /// Path of the checkout, absolute.
    #[serde(default)]
    pub(super) checkout_path: Option<String>,
    /// `latest` (the commit that is checked out), `workspace` (with uncommitted changes), or a
    /// commit, branch or tag. Default: `workspace`, or `latest` without a work tree.
    #[serde(default)]
    pub(super) version_specifier: Option<String>,
}

/// What is wanted in the answer in any case, before what the question finds.
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

/// A file that is wanted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BoostFile {
    /// Path from the root of the repository.
    pub(super) path: String,
}

/// A declaration that is wanted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct BoostDeclaration {
    /// Its name, or that with the names around it: `parse`, `Parser.parse`.
    pub(super) name: String,
    /// The file that it is in, if several have one of this name.
    #[serde(default)]
    pub(super) path: Option<String>,
    /// Whether its body is wanted too.
    #[serde(default)]
    pub(super) implementation: bool,
}

/// What was found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct QueryAnswer {
    /// Source for a language model, one repository after the other.
    pub(super) rag_text: String,
    /// What it was made from.
    pub(super) metadata: Metadata,
}

/// What an answer was made from.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Metadata {
    /// For each repository that was asked for, in their order.
    pub(super) repos: Vec<RepoState>,
    /// Characters of `ragText`.
    pub(super) characters: usize,
    /// Tokens of `ragText`, by the encoding `cl100k_base`.
    pub(super) tokens: usize,
    /// What took how long.
    pub(super) timing_ms: Timing,
}

/// What was searched in a repository, and how it went.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RepoState {
    /// URL of its `origin`, without credentials; empty if it has none.
    pub(super) origin_uri: String,
    /// Name of this host; empty if unknown.
    pub(super) checkout_host: String,
    /// Root of its work tree, or the directory of a bare repository.
    pub(super) checkout_path: String,
    /// The version as it was asked for.
    pub(super) version_specifier: String,
    /// Whether that is what was searched.
    pub(super) state: State,
    /// The commit that was searched; null before the first one, and where nothing is indexed yet.
    pub(super) commit: Option<String>,
    /// Whether uncommitted changes were searched too.
    pub(super) worktree: bool,
    /// Files that differ from the commit.
    pub(super) dirty_files: usize,
    /// The places in `ragText` and those cut from it, best first.
    pub(super) results: Vec<Place>,
    /// Places that match beyond these.
    pub(super) more: usize,
    /// What the length left out; null if nothing.
    pub(super) cut: Option<String>,
    /// What the answer could not take into account, for people.
    pub(super) warnings: Vec<String>,
    /// How far the index is that is being made; null if none is.
    pub(super) progress: Option<String>,
}

/// Whether what was asked for was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// It was.
    Exact,
    /// The nearest commit that was ready was, while the other is being indexed.
    Nearest,
    /// Nothing was: it is being indexed.
    Indexing,
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
    /// Higher is better, comparable within one repository; null for what was wanted in any case.
    pub(super) score: Option<f64>,
    /// The file's state: `unmodified`, `modified`, `untracked`, ….
    pub(super) git_status: String,
}

/// Milliseconds.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Timing {
    /// To open what is searched, or to wait for its index.
    pub(super) open: u64,
    /// To search.
    pub(super) search: u64,
    /// To write the answer.
    pub(super) render: u64,
    /// All together.
    pub(super) total: u64,
}

/// Wants repositories to be indexed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RefreshRequest {
    /// Which.
    #[schemars(length(min = 1, max = 16))]
    #[serde(deserialize_with = "objects")]
    pub(super) repos: Vec<Repo>,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(super) token: Option<String>,
}

/// How far they are.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefreshAnswer {
    /// For each repository that was asked for, in their order.
    pub(super) repos: Vec<RefreshProgress>,
}

/// How far a repository is.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RefreshProgress {
    /// Root of its work tree, or the directory of a bare repository.
    pub(super) checkout_path: String,
    /// The version as it was asked for.
    pub(super) version_specifier: String,
    /// `exact`: it can be searched.
    pub(super) state: State,
    /// Its commit; null before the first one, and while it is being indexed.
    pub(super) commit: Option<String>,
    /// How far the index is that is being made; null if none is.
    pub(super) progress: Option<String>,
}
