//! Request and answer of the route `/coderag/ask`: a question → places that answer its parts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PlaceHit, RepositoryScope};
use crate::server::http::api::{Repo, object};

/// A request for an answer from the sources.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server::http) struct AskRequest {
    /// The question; it is split into its parts.
    #[schemars(length(min = 1, max = 100_000))]
    pub(in crate::server::http::browse) question: String,
    /// The repository and its version.
    #[serde(deserialize_with = "object")]
    pub(in crate::server::http::browse) repo: Repo,
    /// Maximum tokens of source in all places, counted with the encoding `cl100k_base`; default
    /// 6000.
    #[schemars(range(min = 100, max = 50_000))]
    pub(in crate::server::http::browse) tokens: Option<u32>,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(in crate::server::http::browse) token: Option<String>,
}

/// An answer from the sources. No language model was used.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct AskAnswer {
    /// The state of the repository that was searched.
    pub(in crate::server::http::browse) repo: RepositoryScope,
    /// The parts of the question, in order.
    pub(in crate::server::http::browse) topics: Vec<Topic>,
    /// The cited places, by number: the first is 1.
    pub(in crate::server::http::browse) places: Vec<Citation>,
    /// Number of places left out to keep within `tokens`.
    pub(in crate::server::http::browse) cut: usize,
    /// Why the search for evidence ended; null if nothing could be searched yet.
    pub(in crate::server::http::browse) stopped: Option<String>,
    /// Milliseconds to answer.
    pub(in crate::server::http::browse) ms: u64,
}

/// A part of the question.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Topic {
    /// The text that was searched for.
    pub(in crate::server::http::browse) question: String,
    /// Whether this is the whole question, which is searched in addition to its parts.
    pub(in crate::server::http::browse) whole: bool,
    /// Numbers of the places found for it, best first.
    pub(in crate::server::http::browse) cited: Vec<usize>,
}

/// A cited place.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Citation {
    /// The place; its rank is its number.
    pub(in crate::server::http::browse) place: PlaceHit,
    /// The reference through which the place was found, such as `called by`; null if the place was
    /// found by its own words.
    pub(in crate::server::http::browse) relation: Option<String>,
    /// First sentence of its comment; null if it has none.
    pub(in crate::server::http::browse) says: Option<String>,
}
