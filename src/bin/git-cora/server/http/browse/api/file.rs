//! Request and answer of the route `/coderag/file`: a path → lines of the file, and its
//! declarations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Line;
use crate::server::http::api::{Repo, object};

/// A request for lines of a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server::http) struct FileRequest {
    /// The repository and its version.
    #[serde(deserialize_with = "object")]
    pub(in crate::server::http::browse) repo: Repo,
    /// Path from the root.
    #[schemars(length(min = 1, max = 4096))]
    pub(in crate::server::http::browse) path: String,
    /// The path's bytes as hexadecimal digits, if it is not UTF-8; `path` is then ignored.
    #[serde(default)]
    pub(in crate::server::http::browse) path_bytes: Option<String>,
    /// First line, from 1; default 1.
    #[schemars(range(min = 1))]
    pub(in crate::server::http::browse) start_line: Option<u32>,
    /// Last line, included. At most 2000 lines are returned.
    #[schemars(range(min = 1))]
    pub(in crate::server::http::browse) end_line: Option<u32>,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(in crate::server::http::browse) token: Option<String>,
}

/// Lines of a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct FileAnswer {
    /// Path from the root; one that is not UTF-8 is quoted as Git does.
    pub(in crate::server::http::browse) path: String,
    /// The commit that the file is from; null before the first commit.
    pub(in crate::server::http::browse) commit: Option<String>,
    /// Whether it was read in the working tree.
    pub(in crate::server::http::browse) worktree: bool,
    /// The file's state: `unmodified`, `modified`, `untracked`, ….
    pub(in crate::server::http::browse) git_status: String,
    /// Name of the language.
    pub(in crate::server::http::browse) language: String,
    /// Size of the whole file in bytes.
    pub(in crate::server::http::browse) bytes: usize,
    /// Number of lines of the whole file.
    pub(in crate::server::http::browse) n_lines: usize,
    /// The requested lines.
    pub(in crate::server::http::browse) lines: Vec<Line>,
    /// Declarations of the whole file, by line; at most 2000.
    pub(in crate::server::http::browse) declarations: Vec<DeclarationInfo>,
}

/// A declaration.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct DeclarationInfo {
    /// Symbol path.
    pub(in crate::server::http::browse) symbol: String,
    /// `function`, `class`, ….
    pub(in crate::server::http::browse) kind: String,
    /// Line of its name, from 1.
    pub(in crate::server::http::browse) line: u32,
    /// Its first line.
    pub(in crate::server::http::browse) start_line: u32,
    /// Its last line.
    pub(in crate::server::http::browse) end_line: u32,
}
