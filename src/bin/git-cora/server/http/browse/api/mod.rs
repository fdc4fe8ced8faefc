//! Requests and answers of the routes for people, as types from which the OpenAPI document is made.
//!
//! The doc comments of these types are published in the OpenAPI document. Conversions from the
//! library's types are at the end, so that a change in the library can't change the protocol
//! unnoticed. Longer than 600 lines because all types of one protocol are read together.

mod history;
mod overview;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use git_cora::answer::view::{self, Class};
use git_cora::answer::{self, RelatedPlace, RelatedPlaces, SymbolRelations};

use crate::server::http::api::{Repo, RepoState, State, object, objects};

pub(super) use history::{DeclarationCommit, DeclarationPlace};
pub(in crate::server::http) use history::{HistoryAnswer, HistoryRequest};
pub(super) use overview::{
    ImportantDeclaration, IndexSummary, LanguageShare, OverviewEntry, OverviewFolder, RecentCommit,
};
pub(in crate::server::http) use overview::{OverviewAnswer, OverviewRequest};

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
    /// The probability that the place is in a file that answers, from 0 to 1. Comparable between
    /// answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) relevance: Option<f64>,
    /// The file's state: `unmodified`, `modified`, `untracked`, ….
    pub(super) git_status: String,
    /// The parts of its score, which say why it was found.
    pub(super) explain: Vec<Part>,
    /// Its most relevant lines.
    pub(super) code: Vec<Line>,
    /// Other declarations of the file that answer nearly as well, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) also: Vec<NearbyDeclaration>,
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

/// A request for an answer from the sources.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server::http) struct AskRequest {
    /// The question; it is split into its parts.
    #[schemars(length(min = 1, max = 100_000))]
    pub(super) question: String,
    /// The repository and its version.
    #[serde(deserialize_with = "object")]
    pub(super) repo: Repo,
    /// Maximum tokens of source in all places, counted with the encoding `cl100k_base`; default
    /// 6000.
    #[schemars(range(min = 100, max = 50_000))]
    pub(super) tokens: Option<u32>,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(super) token: Option<String>,
}

/// An answer from the sources. No language model was used.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct AskAnswer {
    /// The state of the repository that was searched.
    pub(super) repo: RepositoryScope,
    /// The parts of the question, in order.
    pub(super) topics: Vec<Topic>,
    /// The cited places, by number: the first is 1.
    pub(super) places: Vec<Citation>,
    /// Number of places left out to keep within `tokens`.
    pub(super) cut: usize,
    /// Why the search for evidence ended; null if nothing could be searched yet.
    pub(super) stopped: Option<String>,
    /// Milliseconds to answer.
    pub(super) ms: u64,
}

/// A part of the question.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Topic {
    /// The text that was searched for.
    pub(super) question: String,
    /// Whether this is the whole question, which is searched in addition to its parts.
    pub(super) whole: bool,
    /// Numbers of the places found for it, best first.
    pub(super) cited: Vec<usize>,
}

/// A cited place.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Citation {
    /// The place; its rank is its number.
    pub(super) place: PlaceHit,
    /// The reference through which the place was found, such as `called by`; null if the place was
    /// found by its own words.
    pub(super) relation: Option<String>,
    /// First sentence of its comment; null if it has none.
    pub(super) says: Option<String>,
}

/// A request for lines of a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server::http) struct FileRequest {
    /// The repository and its version.
    #[serde(deserialize_with = "object")]
    pub(super) repo: Repo,
    /// Path from the root.
    #[schemars(length(min = 1, max = 4096))]
    pub(super) path: String,
    /// The path's bytes as hexadecimal digits, if it is not UTF-8; `path` is then ignored.
    #[serde(default)]
    pub(super) path_bytes: Option<String>,
    /// First line, from 1; default 1.
    #[schemars(range(min = 1))]
    pub(super) start_line: Option<u32>,
    /// Last line, included. At most 2000 lines are returned.
    #[schemars(range(min = 1))]
    pub(super) end_line: Option<u32>,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(super) token: Option<String>,
}

/// Lines of a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct FileAnswer {
    /// Path from the root; one that is not UTF-8 is quoted as Git does.
    pub(super) path: String,
    /// The commit that the file is from; null before the first commit.
    pub(super) commit: Option<String>,
    /// Whether it was read in the working tree.
    pub(super) worktree: bool,
    /// The file's state: `unmodified`, `modified`, `untracked`, ….
    pub(super) git_status: String,
    /// Name of the language.
    pub(super) language: String,
    /// Size of the whole file in bytes.
    pub(super) bytes: usize,
    /// Number of lines of the whole file.
    pub(super) n_lines: usize,
    /// The requested lines.
    pub(super) lines: Vec<Line>,
    /// Declarations of the whole file, by line; at most 2000.
    pub(super) declarations: Vec<DeclarationInfo>,
}

/// A declaration.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct DeclarationInfo {
    /// Symbol path.
    pub(super) symbol: String,
    /// `function`, `class`, ….
    pub(super) kind: String,
    /// Line of its name, from 1.
    pub(super) line: u32,
    /// Its first line.
    pub(super) start_line: u32,
    /// Its last line.
    pub(super) end_line: u32,
}

/// A request for references to and from a declaration.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server::http) struct RelationsRequest {
    /// The repository and its version.
    #[serde(deserialize_with = "object")]
    pub(super) repo: Repo,
    /// `name`, `Type.name`, `path:name` or `path:line`.
    #[schemars(length(min = 1, max = 5000))]
    pub(super) symbol: String,
    /// Maximum number of places in each list; default 20.
    #[schemars(range(min = 1, max = 200))]
    pub(super) limit: Option<u32>,
    /// Whether to leave out guesses.
    #[serde(default)]
    pub(super) certain: bool,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(super) token: Option<String>,
}

/// The declarations of that name, with their relations.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct RelationsAnswer {
    /// The state of the repository that was searched.
    pub(super) repo: RepositoryScope,
    /// The declarations; empty if none has this name.
    pub(super) symbols: Vec<Symbol>,
    /// Number of further declarations.
    pub(super) more: usize,
}

/// A declaration with its relations.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Symbol {
    /// Its location.
    pub(super) place: Node,
    /// The places that refer to it.
    pub(super) callers: Relatives,
    /// The places that it refers to.
    pub(super) callees: Relatives,
    /// The types that inherit or implement it; null unless it is a type.
    pub(super) implementers: Option<Relatives>,
}

/// The location of a declaration, or of code outside declarations.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Node {
    /// Path from the root.
    pub(super) path: String,
    /// Line of its name, or its first line if it has none.
    pub(super) line: u32,
    /// Its last line.
    pub(super) end_line: u32,
    /// Symbol path; null outside of declarations.
    pub(super) symbol: Option<String>,
    /// `function`, `class`, ….
    pub(super) kind: String,
}

/// Related places: certain ones first, tests last.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Relatives {
    /// The first places.
    pub(super) items: Vec<Relative>,
    /// Number of further places.
    pub(super) more: usize,
}

/// A related place.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Relative {
    /// Its location.
    pub(super) place: Node,
    /// The line of the reference.
    pub(super) at: u32,
    /// The kind of reference: `call`, `type`, `inherits`, `import`.
    pub(super) relation: String,
    /// The reason why the reference was resolved to this declaration.
    pub(super) how: String,
    /// Whether the reference is certain; otherwise it is a guess.
    pub(super) certain: bool,
    /// Confidence, from 0 to 1.
    pub(super) confidence: f64,
    /// Whether the place is a test.
    pub(super) test: bool,
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

impl From<SymbolRelations> for Symbol {
    fn from(symbol: SymbolRelations) -> Self {
        let relatives = |listed: Option<RelatedPlaces>| listed.map(Relatives::from);
        Self {
            place: symbol.place.into(),
            callers: relatives(symbol.callers).unwrap_or_default(),
            callees: relatives(symbol.callees).unwrap_or_default(),
            implementers: relatives(symbol.implementers),
        }
    }
}

impl From<RelatedPlaces> for Relatives {
    fn from(listed: RelatedPlaces) -> Self {
        Self { items: listed.items.into_iter().map(Into::into).collect(), more: listed.more }
    }
}

impl From<RelatedPlace> for Relative {
    fn from(related: RelatedPlace) -> Self {
        Self {
            place: related.place.into(),
            at: related.at,
            relation: related.relation.to_owned(),
            how: related.how.to_owned(),
            certain: related.certain,
            confidence: (related.confidence * 1e3).round() / 1e3,
            test: related.test,
        }
    }
}

impl From<answer::Place> for Node {
    fn from(place: answer::Place) -> Self {
        Self {
            path: place.path,
            line: place.line,
            end_line: place.end_line,
            symbol: Some(place.symbol).filter(|symbol| !symbol.is_empty()),
            kind: place.kind,
        }
    }
}
