//! Requests and answers of the routes for people, as types from which the OpenAPI document is made.
//!
//! The doc comments of these types are published in the OpenAPI document. A file holds the types of
//! one route; those of the search, and what several routes share, are here. Conversions from the
//! library's types are at the end of each file, so that a change in the library can't change the
//! protocol unnoticed.

mod ask;
mod file;
mod history;
mod overview;
mod relations;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use git_cora::answer::view::{self, Class};

use crate::server::http::api::{Repo, RepoState, State, object, objects};

pub(in crate::server::http) use ask::{AskAnswer, AskRequest};
pub(super) use ask::{Citation, Topic};
pub(super) use file::DeclarationInfo;
pub(in crate::server::http) use file::{FileAnswer, FileRequest};
pub(super) use history::{DeclarationCommit, DeclarationPlace};
pub(in crate::server::http) use history::{HistoryAnswer, HistoryRequest};
pub(super) use overview::{
    ImportantDeclaration, IndexSummary, LanguageShare, OverviewEntry, OverviewFolder, RecentCommit,
};
pub(in crate::server::http) use overview::{OverviewAnswer, OverviewRequest};
pub(in crate::server::http) use relations::{RelationsAnswer, RelationsRequest};

/// Default number of results of a search.
pub(super) const RESULTS: u32 = 20;
/// Default number of source lines per result.
pub(super) const EXCERPT: u32 = 12;
/// Default number of related places in each list.
pub(super) const RELATED: u32 = 20;
/// Default number of source tokens in an answer, as on the command line.
pub(super) const TOKENS: u32 = 6000;
/// Default number of commits.
pub(super) const REVISIONS: u32 = 100;

/// A key that opens the page.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server::http) struct KeyRequest {
    /// The key that the server printed at its start.
    pub(super) key: String,
}

/// The token in exchange for the key.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct KeyAnswer {
    /// The server's token. The key can't be used again.
    pub(super) token: String,
}

/// A request for the repositories that are served.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server::http) struct RepositoriesRequest {
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(super) token: Option<String>,
}

/// The repositories that are served.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct RepositoriesAnswer {
    /// The repositories named at the start, in that order, then those under the roots.
    pub(super) repositories: Vec<ServedRepository>,
    /// Number of further repositories.
    pub(super) more: usize,
}

/// A repository that is served.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct ServedRepository {
    /// Name of its directory.
    pub(in crate::server::http) name: String,
    /// Root of its working tree, or the directory of a bare repository. Requests name the
    /// repository by this path.
    pub(in crate::server::http) checkout_path: String,
    /// Address of its `origin`, without scheme and credentials; null if it has none.
    pub(in crate::server::http) origin: Option<String>,
}

/// A search for places.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server::http) struct SearchRequest {
    /// A question, a name or an error message, with the same filters as in `git cora query`.
    #[schemars(length(min = 1, max = 100_000))]
    pub(super) query: String,
    /// The repositories to search.
    #[schemars(length(min = 1, max = 16))]
    #[serde(deserialize_with = "objects")]
    pub(super) repos: Vec<Repo>,
    /// Maximum number of results; default 20.
    #[schemars(range(min = 1, max = 100))]
    pub(super) limit: Option<u32>,
    /// Maximum number of source lines of each result; default 12.
    #[schemars(range(min = 0, max = 100))]
    pub(super) lines: Option<u32>,
    /// Whether to return every place that matches, not just the best of each file.
    #[serde(default)]
    pub(super) all_chunks: bool,
    /// Lowest relevance of a result; default 0.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub(super) min_score: f64,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(super) token: Option<String>,
}

/// The results of a search.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct SearchAnswer {
    /// What was searched, for each requested repository, in the same order.
    pub(super) repos: Vec<RepositoryScope>,
    /// The results, best first.
    pub(super) results: Vec<PlaceHit>,
    /// Number of further places that match.
    pub(super) more: usize,
    /// Words of the query that occur nowhere.
    pub(super) near: Vec<UnknownTerm>,
    /// Milliseconds to answer.
    pub(super) ms: u64,
}

/// The state of a repository that was searched.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct RepositoryScope {
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
    /// Warnings for people: what the answer could not take into account.
    pub(super) warnings: Vec<String>,
    /// Progress of the index that is being built; null if none is.
    pub(super) progress: Option<String>,
}

/// A result: a range of lines in a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct PlaceHit {
    /// Position among the results, from 1.
    pub(super) rank: usize,
    /// Its repository: a position in `repos`, from 0.
    pub(super) repository: usize,
    /// Path from the root; one that is not UTF-8 is quoted as Git does.
    pub(super) path: String,
    /// The path's bytes as hexadecimal digits, if it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) path_bytes: Option<String>,
    /// First line, from 1.
    pub(super) start_line: u32,
    /// Last line, included.
    pub(super) end_line: u32,
    /// Symbol path of the declaration; null if there is none.
    pub(super) symbol: Option<String>,
    /// Line of the declaration's name, or the first line. `/coderag/relations` accepts `path:line`
    /// as `symbol`.
    pub(super) symbol_line: u32,
    /// `function`, `class`, ….
    pub(super) kind: String,
    /// Name of the language.
    pub(super) language: String,
    /// Higher is better. Scores are comparable only within one answer.
    pub(super) score: f64,
    /// The probability, from 0 to 1, that the place is in a file that answers the question. It can
    /// be compared between requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) relevance: Option<f64>,
    /// The file's state: `unmodified`, `modified`, `untracked`, ….
    pub(super) git_status: String,
    /// The parts of its score, which say why it was found.
    pub(super) explain: Vec<Part>,
    /// The rule that moved it from the place that its score gives it; absent if no rule did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) order: Option<String>,
    /// Its most relevant lines.
    pub(super) code: Vec<Line>,
    /// Other declarations of the file that answer nearly as well, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) also: Vec<NearbyDeclaration>,
    /// Files that say nearly the same: translations, other versions, copies in vendored code. Only
    /// for the first result of a file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) copies: Vec<String>,
}

/// Another declaration in the file of a result.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct NearbyDeclaration {
    /// Line of its name, from 1.
    pub(super) line: u32,
    /// Symbol path of the declaration.
    pub(super) symbol: String,
    /// `function`, `class`, ….
    pub(super) kind: String,
}

/// A part of a score.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Part {
    /// Name of the part.
    pub(super) part: String,
    /// Its share of the score: all parts add up to the score.
    pub(super) value: f64,
    /// The reason in words.
    pub(super) detail: String,
}

/// A word of the query that occurs nowhere.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct UnknownTerm {
    /// The word, as written in the query.
    pub(super) word: String,
    /// Similar words that were searched for instead.
    pub(super) instead: Vec<String>,
}

/// A line of source.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Line {
    /// Its number, from 1.
    pub(super) number: usize,
    /// Its text in pieces, in order. Control characters are replaced by visible signs.
    pub(super) pieces: Vec<Piece>,
    /// Whether the line was cut.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) cut: bool,
}

/// A part of a line.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Piece {
    /// The text.
    pub(super) text: String,
    /// The text's role in its language, such as `keyword`; absent for all other text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) class: Option<PieceClass>,
    /// Whether it is a word of the query.
    #[serde(rename = "match", skip_serializing_if = "is_false")]
    pub(super) is_match: bool,
}

/// The class of a piece of source.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::server::http) enum PieceClass {
    Comment,
    String,
    Number,
    Keyword,
    Type,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A request for the commits that can be searched.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server::http) struct RevisionsRequest {
    /// The repository. The list of first parents starts at its version, or at `HEAD`.
    #[serde(deserialize_with = "object")]
    pub(super) repo: Repo,
    /// Maximum number of commits; default 100.
    #[schemars(range(min = 1, max = 1000))]
    pub(super) limit: Option<u32>,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(super) token: Option<String>,
}

/// Commits, newest first.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct RevisionsAnswer {
    /// Root of its working tree, or the directory of a bare repository.
    pub(super) checkout_path: String,
    /// Whether it has a working tree.
    pub(super) worktree: bool,
    /// The branch that is checked out; null if none is.
    pub(super) branch: Option<String>,
    /// The commits along the first parents, newest first.
    pub(super) line: Vec<Revision>,
    /// Other commits that have an index, newest first.
    pub(super) others: Vec<Revision>,
}

/// A commit.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Revision {
    /// Its id.
    pub(super) commit: String,
    /// The first line of its message.
    pub(super) subject: String,
    /// When it was committed, in seconds since 1970.
    pub(super) time: i64,
    /// Branches and tags that point at it.
    pub(super) names: Vec<String>,
    /// Whether it has an index; a commit without one is indexed first.
    pub(super) indexed: bool,
}

impl From<RepoState> for RepositoryScope {
    fn from(state: RepoState) -> Self {
        Self {
            checkout_path: state.checkout_path,
            version_specifier: state.version_specifier,
            state: state.state,
            commit: state.commit,
            worktree: state.worktree,
            dirty_files: state.dirty_files,
            warnings: state.warnings,
            progress: state.progress,
        }
    }
}

impl From<view::CodeLine> for Line {
    fn from(line: view::CodeLine) -> Self {
        Self {
            number: line.number,
            pieces: line.pieces.into_iter().map(Into::into).collect(),
            cut: line.is_cut,
        }
    }
}

impl From<view::Piece> for Piece {
    fn from(piece: view::Piece) -> Self {
        let class = piece.class.map(|class| match class {
            Class::Comment => PieceClass::Comment,
            Class::String => PieceClass::String,
            Class::Number => PieceClass::Number,
            Class::Keyword => PieceClass::Keyword,
            Class::Type => PieceClass::Type,
        });
        Self { text: piece.text, class, is_match: piece.is_match }
    }
}
