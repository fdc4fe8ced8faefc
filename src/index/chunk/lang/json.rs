//! JSON.
//!
//! Keys are declarations, as deep as a reader would name them. A value in a list has no key of its
//! own. `$ref` of OpenAPI and JSON Schema refers to a key.

use super::schema_reference;
use crate::index::chunk::table::{DeclarationRule, MentionRule, Name, Scope, Table};
use crate::index::chunk::{ChunkKind, DeclarationKind as K};

/// JSON's table.
pub(super) static TABLE: Table = Table {
    declarations: &[DeclarationRule::new("pair", K::Key)
        .name(Name::At(&["key"]))
        .body(&["value"])
        .scope(Scope::Levels(3))],
    strings: &["string"],
    opaque: &["string"],
    closed: &["array"],
    mentions: &[MentionRule { node: "pair", read: schema_reference::of_pair }],
    chunks: Some(ChunkKind::Data),
    ..Table::new(|| tree_sitter_json::LANGUAGE.into())
};
