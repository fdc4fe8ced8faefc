//! Request and answer of the route `/coderag/overview`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RepositoryScope;
use crate::server::http::api::{Repo, object};

/// A request for an overview of a repository.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server::http) struct OverviewRequest {
    /// The repository and its version.
    #[serde(deserialize_with = "object")]
    pub(in crate::server::http::browse) repo: Repo,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(in crate::server::http::browse) token: Option<String>,
}

/// An overview of a repository. Long texts are cut.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct OverviewAnswer {
    /// The state of the repository. Until its index is ready, the fields that need it are empty.
    pub(in crate::server::http::browse) repo: RepositoryScope,
    /// Name of its directory.
    pub(in crate::server::http::browse) name: String,
    /// The branch that is checked out; null if none is.
    pub(in crate::server::http::browse) branch: Option<String>,
    /// The first sentence of its README; empty if it has none.
    pub(in crate::server::http::browse) about: String,
    /// The newest commits along the first parents, from the requested version.
    pub(in crate::server::http::browse) recent: Vec<RecentCommit>,
    /// The size of its index; null if nothing is indexed yet.
    pub(in crate::server::http::browse) index: Option<IndexSummary>,
    /// Number of commits that have an index.
    pub(in crate::server::http::browse) indexed_commits: usize,
    /// Where programs begin.
    pub(in crate::server::http::browse) entries: Vec<OverviewEntry>,
    /// The folders with the most files.
    pub(in crate::server::http::browse) folders: Vec<OverviewFolder>,
    /// The declarations that other code depends on most, best first.
    pub(in crate::server::http::browse) important: Vec<ImportantDeclaration>,
    /// Example questions with names of this repository.
    pub(in crate::server::http::browse) questions: Vec<String>,
    /// Milliseconds to answer.
    pub(in crate::server::http::browse) ms: u64,
}

/// A recent commit.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct RecentCommit {
    /// Its id.
    pub(in crate::server::http::browse) commit: String,
    /// The first line of its message.
    pub(in crate::server::http::browse) subject: String,
    /// Name of its author.
    pub(in crate::server::http::browse) author: String,
    /// When it was committed, in seconds since 1970.
    pub(in crate::server::http::browse) time: i64,
}

/// The size of an index.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct IndexSummary {
    /// Number of files that are searched.
    pub(in crate::server::http::browse) files: u64,
    /// Number of chunks.
    pub(in crate::server::http::browse) chunks: u64,
    /// The languages with the most source, largest first.
    pub(in crate::server::http::browse) languages: Vec<LanguageShare>,
    /// Number of further languages.
    pub(in crate::server::http::browse) more_languages: usize,
}

/// The share of a language.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct LanguageShare {
    /// Name of the language.
    pub(in crate::server::http::browse) language: String,
    /// Number of files.
    pub(in crate::server::http::browse) files: u64,
    /// Share of the bytes of source, from 0 to 1.
    pub(in crate::server::http::browse) share: f64,
}

/// A place where a program begins.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct OverviewEntry {
    /// Path from the root.
    pub(in crate::server::http::browse) path: String,
    /// Line of the function's name, from 1; 1 if the file itself is started.
    pub(in crate::server::http::browse) line: u32,
    /// Symbol path of the function; null if the file itself is started.
    pub(in crate::server::http::browse) symbol: Option<String>,
}

/// A folder.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct OverviewFolder {
    /// Path from the root, with `/` at its end.
    pub(in crate::server::http::browse) path: String,
    /// Number of indexed files in it.
    pub(in crate::server::http::browse) files: u32,
    /// A sentence of its documentation, or its main declarations; may be empty.
    pub(in crate::server::http::browse) about: String,
}

/// A declaration that other code depends on.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct ImportantDeclaration {
    /// Path from the root.
    pub(in crate::server::http::browse) path: String,
    /// Line of its name, from 1.
    pub(in crate::server::http::browse) line: u32,
    /// Its last line.
    pub(in crate::server::http::browse) end_line: u32,
    /// Symbol path.
    pub(in crate::server::http::browse) symbol: String,
    /// `function`, `class`, ….
    pub(in crate::server::http::browse) kind: String,
    /// Its signature on one line.
    pub(in crate::server::http::browse) signature: String,
}
