//! YAML.
//!
//! Keys are declarations, as deep as a reader would name them. A value in a list has no key of its
//! own. A document that describes an object of Kubernetes declares that (`Deployment.web`), and an
//! operation of OpenAPI is named by its `operationId`. What values refer to is in
//! `yaml_references`.

use super::yaml_references::{children, collection, kind_and_name, pairs, reference, scalar, value};
use crate::index::chunk::table::{
    DeclarationCandidate, DeclarationRule, MentionRule, Name, Path, Scope, Table,
};
use crate::index::chunk::{ChunkKind, DeclarationKind as K};
use std::collections::BTreeSet;
use tree_sitter::Node;

const KEY: DeclarationRule = DeclarationRule::new("block_mapping_pair", K::Key)
    .parts(items)
    .name(Name::At(&["key"]))
    .body(&["value"])
    .refine(key);

/// YAML's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("document", K::Variable)
            .name(Name::Refined)
            .body(&[])
            .scope(Scope::Top)
            .refine(object),
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
    mentions: &[
        MentionRule { node: "block_mapping_pair", read: reference },
        MentionRule { node: "flow_pair", read: reference },
        MentionRule { node: "block_mapping", read: kind_and_name },
    ],
    chunks: Some(ChunkKind::Data),
    fits: Some(fits),
    is_indented: true,
    ..Table::new(|| tree_sitter_yaml::LANGUAGE.into())
};

/// The methods of HTTP, which are the keys of OpenAPI's operations.
const METHODS: [&str; 8] = ["delete", "get", "head", "options", "patch", "post", "put", "trace"];

/// Returns a pair, and the items of the list that is its value.
fn items(node: Node<'_>) -> Vec<Node<'_>> {
    let list = value(node).and_then(collection).filter(|list| list.kind() == "block_sequence");
    std::iter::once(node).chain(list.map(children).unwrap_or_default()).collect()
}

/// Names an object that a kustomization makes: an item of `configMapGenerator`.
fn generated<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let key = node.child_by_field_name("key").and_then(|key| text.get(key.byte_range()));
    found.scope = match key {
        Some("configMapGenerator") => "ConfigMap",
        Some("secretGenerator") => "Secret",
        _ => return false,
    };
    (found.kind, found.body) = (K::Variable, None);
    found.name = found.part.named_child(0).and_then(|item| scalar(text, item, "name"));
    found.name.is_some_and(|name| is_plain(text, name))
}

/// Rejects the merge of another mapping (`<<: *base`), which is not a key. Names an operation of
/// OpenAPI by its `operationId`.
fn key<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if found.part != node {
        return generated(text, node, found);
    }
    let written = found.name.and_then(|name| text.get(name.byte_range())).unwrap_or_default();
    if METHODS.contains(&written)
        && let Some(operation) = value(node).and_then(|of| scalar(text, of, "operationId"))
    {
        found.name = Some(operation);
    }
    !matches!(written, "" | "<<")
}

/// Names a document that describes an object of Kubernetes: by its kind and its name.
fn object<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let mut cursor = node.walk();
    let Some(root) = node.named_children(&mut cursor).find(|child| child.kind() == "block_node") else {
        return false;
    };
    let Some(metadata) = pairs(root).find(|(key, _)| text.get(key.byte_range()) == Some("metadata")) else {
        return false;
    };
    found.owner = scalar(text, root, "kind");
    found.name = metadata.1.and_then(|of| scalar(text, of, "name"));
    // Version and kind are the signature.
    (found.body, found.to_end) = (metadata.1, true);
    let is_object = scalar(text, root, "apiVersion").is_some() && found.owner.is_some();
    is_object && found.name.is_some_and(|name| is_plain(text, name))
}

/// Returns whether the text of a name has no placeholder of a template in it.
fn is_plain(text: &str, name: Node<'_>) -> bool {
    text.get(name.byte_range()).is_some_and(|name| !name.contains(['{', '$']))
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
