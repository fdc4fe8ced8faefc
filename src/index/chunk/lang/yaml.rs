//! YAML.
//!
//! Keys are declarations, as deep as a reader would name them. A value in a list has no key of its
//! own.

use crate::index::chunk::table::{DeclarationCandidate, DeclarationRule, Name, Path, Scope, Table};
use crate::index::chunk::{ChunkKind, DeclarationKind as K};
use std::collections::BTreeSet;
use tree_sitter::Node;

const KEY: DeclarationRule =
    DeclarationRule::new("block_mapping_pair", K::Key).name(Name::At(&["key"])).body(&["value"]).refine(key);

/// YAML's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        KEY.scope(Scope::Levels(3)),
        DeclarationRule { node: "flow_pair", ..KEY.scope(Scope::Levels(1)) },
    ],
    heads: &["yaml_directive", "tag_directive"],
    paths: &[Path::new("flow_node", "", "#-1")],
    names: &["plain_scalar"],
    strings: &["double_quote_scalar", "single_quote_scalar"],
    opaque: &["block_scalar", "double_quote_scalar", "plain_scalar", "single_quote_scalar"],
    closed: &["block_sequence", "flow_sequence"],
    trailing: &["block_mapping_pair", "block_sequence_item", "document"],
    chunks: Some(ChunkKind::Data),
    fits: Some(fits),
    ..Table::new(|| tree_sitter_yaml::LANGUAGE.into())
};

/// Rejects the merge of another mapping (`<<: *base`), which is not a key.
fn key(text: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    found.name.is_some_and(|name| text.get(name.byte_range()) != Some("<<"))
}

/// Columns in which collections may begin. The scanner has room for 253 nested collections, and up
/// to two may begin in one column.
const MAX_COLUMNS: usize = 120;

/// Returns whether the scanner has room for the nested collections. Each begins further to the
/// right than the one around it. So there are at most as many as columns in which one may begin: at
/// a line's first word, and after each `- `, `? ` or `: `.
fn fits(text: &str) -> bool {
    let mut columns = BTreeSet::new();
    for line in text.lines() {
        let mut chars = line.chars().enumerate().peekable();
        // Whether a collection may begin at the next word.
        let mut begins = true;
        while let Some((column, c)) = chars.next() {
            if c == ' ' || c == '\t' {
                continue;
            }
            if begins {
                columns.insert(column);
            }
            let is_last = chars.peek().is_none_or(|&(_, next)| next == ' ' || next == '\t');
            begins = is_last && (c == ':' || (begins && matches!(c, '-' | '?')));
        }
    }
    columns.len() <= MAX_COLUMNS
}
