//! Request and answer of the route `/coderag/relations`: a name → declarations, with the references
//! to and from each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use git_cora::answer::{self, RelatedPlace, RelatedPlaces, SymbolRelations};

use super::RepositoryScope;
use crate::server::http::api::{Repo, object};

/// A request for references to and from a declaration.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in crate::server::http) struct RelationsRequest {
    /// The repository and its version.
    #[serde(deserialize_with = "object")]
    pub(in crate::server::http::browse) repo: Repo,
    /// `name`, `Type.name`, `path:name` or `path:line`.
    #[schemars(length(min = 1, max = 5000))]
    pub(in crate::server::http::browse) symbol: String,
    /// Maximum number of places in each list; default 20.
    #[schemars(range(min = 1, max = 200))]
    pub(in crate::server::http::browse) limit: Option<u32>,
    /// Whether to leave out guesses.
    #[serde(default)]
    pub(in crate::server::http::browse) certain: bool,
    /// The server's token, for clients that can't set the header `Authorization`.
    #[serde(default)]
    pub(in crate::server::http::browse) token: Option<String>,
}

/// The declarations of that name, with their relations.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct RelationsAnswer {
    /// The state of the repository that was searched.
    pub(in crate::server::http::browse) repo: RepositoryScope,
    /// The declarations; empty if none has this name.
    pub(in crate::server::http::browse) symbols: Vec<Symbol>,
    /// Number of further declarations.
    pub(in crate::server::http::browse) more: usize,
}

/// A declaration with its relations.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Symbol {
    /// Its location.
    pub(in crate::server::http::browse) place: Node,
    /// The places that refer to it.
    pub(in crate::server::http::browse) callers: Relatives,
    /// The places that it refers to.
    pub(in crate::server::http::browse) callees: Relatives,
    /// The types that inherit or implement it; null unless it is a type.
    pub(in crate::server::http::browse) implementers: Option<Relatives>,
}

/// The location of a declaration, or of code outside declarations.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Node {
    /// Path from the root.
    pub(in crate::server::http::browse) path: String,
    /// Line of its name, or its first line if it has none.
    pub(in crate::server::http::browse) line: u32,
    /// Its last line.
    pub(in crate::server::http::browse) end_line: u32,
    /// Symbol path; null outside of declarations.
    pub(in crate::server::http::browse) symbol: Option<String>,
    /// `function`, `class`, ….
    pub(in crate::server::http::browse) kind: String,
}

/// Related places: certain ones first, tests last.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Relatives {
    /// The first places.
    pub(in crate::server::http::browse) items: Vec<Relative>,
    /// Number of further places.
    pub(in crate::server::http::browse) more: usize,
}

/// A related place.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::server::http) struct Relative {
    /// Its location.
    pub(in crate::server::http::browse) place: Node,
    /// The line of the reference.
    pub(in crate::server::http::browse) at: u32,
    /// The kind of reference: `call`, `type`, `inherits`, `import`.
    pub(in crate::server::http::browse) relation: String,
    /// The reason why the reference was resolved to this declaration.
    pub(in crate::server::http::browse) how: String,
    /// Whether the reference is certain; otherwise it is a guess.
    pub(in crate::server::http::browse) certain: bool,
    /// Confidence, from 0 to 1.
    pub(in crate::server::http::browse) confidence: f64,
    /// Whether the place is a test.
    pub(in crate::server::http::browse) test: bool,
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
            how: related.how.name().to_owned(),
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
