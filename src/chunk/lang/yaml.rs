//! YAML: keys, as deep as a reader would name them. What stands in a list has no key of its own.

use crate::chunk::table::{Declare, Found, Name, Path, Scope, Table};
use crate::chunk::{ChunkKind, DeclarationKind as K};
use tree_sitter::Node;

const KEY: Declare =
    Declare::new("block_mapping_pair", K::Key).name(Name::At(&["key"])).body(&["value"]).refine(key);

/// YAML's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        KEY.scope(Scope::Levels(3)),
        Declare { node: "flow_pair", ..KEY.scope(Scope::Levels(1)) },
    ],
    heads: &["yaml_directive", "tag_directive"],
    paths: &[Path::new("flow_node", "", "#-1")],
    names: &["plain_scalar"],
    strings: &["double_quote_scalar", "single_quote_scalar"],
    closed: &["block_sequence", "flow_sequence"],
    trailing: &["block_mapping_pair", "block_sequence_item", "document"],
    chunks: Some(ChunkKind::Data),
    ..Table::new(|| tree_sitter_yaml::LANGUAGE.into())
};

/// Merging another mapping (`<<: *base`) is no key.
fn key(text: &str, _: Node<'_>, found: &mut Found<'_>) -> bool {
    found.name.is_some_and(|name| text.get(name.byte_range()) != Some("<<"))
}
