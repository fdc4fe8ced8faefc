//! Ranked chunks → what is read: results, relations, changes, maps, pages, views, answers with sources.
//!
//! Nothing here computes a score, and nothing retrieves except through `search`.

pub mod ask;
pub(crate) mod changes;
pub(crate) mod explain;
pub(crate) mod finder;
pub(crate) mod include;
pub(crate) mod label;
pub(crate) mod map;
pub(crate) mod merge;
pub(crate) mod neighbours;
pub(crate) mod relations;
pub(crate) mod results;
pub mod view;

pub use changes::{Changes, DeclarationChange, DeclarationPlace};
pub use explain::Explained;
pub use finder::Finder;
pub use include::{Include, include};
pub use label::Asked;
pub use map::MapQuery;
pub use merge::{MAX_FOLLOWED, follow, merge};
pub use neighbours::{Neighbour, related};
pub use relations::{
    Listed, MAX_DEPTH, Place, Related, Relation, RelationQuery, Relations, SymbolRelations, relations,
};
