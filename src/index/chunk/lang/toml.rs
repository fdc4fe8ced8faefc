//! TOML.
//!
//! Tables and keys are declarations. The tables of a list (`[[bin]]`) count, but not the keys in
//! them, which would be the same in each.

use crate::index::chunk::node::range;
use crate::index::chunk::table::{DeclarationCandidate, DeclarationRule, Name, Scope, Table};
use crate::index::chunk::{ChunkKind, DeclarationKind as K};
use tree_sitter::Node;

const TABLE_OF: DeclarationRule = DeclarationRule::new("table", K::Key)
    .name(Name::At(&["#0"]))
    .body(&["@pair"])
    .scope(Scope::Levels(1))
    .refine(rest);

/// TOML's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        TABLE_OF,
        DeclarationRule { node: "table_array_element", ..TABLE_OF },
        DeclarationRule::new("pair", K::Key).name(Name::At(&["#0"])).body(&["#-1"]).scope(Scope::Levels(3)),
    ],
    names: &["dotted_key"],
    strings: &["quoted_key"],
    opaque: &["string", "quoted_key"],
    closed: &["array", "inline_table", "table_array_element"],
    trailing: &["table", "table_array_element"],
    chunks: Some(ChunkKind::Data),
    ..Table::new(|| tree_sitter_toml_ng::LANGUAGE.into())
};

/// Extends a table's body to everything below its first line. A key with dots is a name as it is
/// written: `target.'cfg(unix)'.dependencies`.
fn rest(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    found.name_bytes = found.name.filter(|name| name.kind() == "dotted_key").map(range);
    found.to_end = true;
    true
}
