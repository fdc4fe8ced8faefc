//! Request and answer of the route `/coderag/history`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::server::http::api::{Repo, object};

/// A request for the commits that changed a declaration.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server::http) struct HistoryRequest {
    /// The repository and its version. The history of a working tree begins at `HEAD`.
    #[serde(deserialize_with = "object")]
    pub(in crate::server::http::browse) repo: Repo,
    /// Path of the file from the root of the repository.
    #[schemars(length(min = 1, max = 4096))]
    pub(in crate::server::http::browse) path: String,
    /// A line of the declaration; 1 is the first line of the file.
    #[schemars(range(min = 1))]
    pub(in crate::server::http::browse) line: u32,
    /// The declaration's symbol path. It finds the declaration if an uncommitted change has moved
    /// it to another line.
    #[serde(default)]
    #[schemars(length(max = 5000))]
    pub(in crate::server::http::browse) symbol: Option<String>,
    /// Maximum number of commits; default 50.
    #[schemars(range(min = 1, max = 500))]
    pub(in crate::server::http::browse) limit: Option<u32>,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(in crate::server::http::browse) token: Option<String>,
}

/// The commits that changed a declaration, through renames and moves.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct HistoryAnswer {
    /// The commit from which the declaration was followed.
    pub(in crate::server::http::browse) commit: String,
    /// The newest first; empty if no declaration was found.
    pub(in crate::server::http::browse) commits: Vec<DeclarationCommit>,
    /// Number of older commits that were left out.
    pub(in crate::server::http::browse) more: usize,
    /// Notes for people: what the answer could not take into account.
    pub(in crate::server::http::browse) notes: Vec<String>,
    /// Milliseconds to answer.
    pub(in crate::server::http::browse) ms: u64,
}

/// A commit that changed a declaration.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct DeclarationCommit {
    /// Its id.
    pub(in crate::server::http::browse) commit: String,
    /// The first line of its message.
    pub(in crate::server::http::browse) subject: String,
    /// Name of its author, as `.mailmap` gives it.
    pub(in crate::server::http::browse) author: String,
    /// Author date, as `2024-01-31`.
    pub(in crate::server::http::browse) date: String,
    /// Whether it is a merge whose declaration differs from that of every parent.
    pub(in crate::server::http::browse) merge: bool,
    /// What changed, for example `body`, `signature` or `moved`.
    pub(in crate::server::http::browse) changes: Vec<String>,
    /// The declaration in the commit; null if the commit removed it.
    pub(in crate::server::http::browse) place: Option<DeclarationPlace>,
}

/// The place of a declaration in a commit.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct DeclarationPlace {
    /// Path of its file.
    pub(in crate::server::http::browse) path: String,
    /// The line of its name.
    pub(in crate::server::http::browse) line: u32,
    /// Its first and last line.
    pub(in crate::server::http::browse) start_line: u32,
    pub(in crate::server::http::browse) end_line: u32,
    /// Its symbol path.
    pub(in crate::server::http::browse) symbol: String,
    /// Its kind.
    pub(in crate::server::http::browse) kind: String,
}
