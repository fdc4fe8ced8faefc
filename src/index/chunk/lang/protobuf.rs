//! Protocol Buffers, versions 2 and 3, and editions.
//!
//! Messages, enums, services and what is in them are declarations. The type of a field or of a
//! method, and the options that an extension declares, are references.

use super::namespaces::own_namespace;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::{DeclarationRule, Import, Meaning, MentionRule, Name, Path, Region, Table};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use tree_sitter::Node;

const FIELD: DeclarationRule =
    DeclarationRule::new("field", K::Field).name(Name::At(&["@identifier"])).body(&[]);
const MESSAGE: DeclarationRule = DeclarationRule::new("message", K::Struct)
    .name(Name::At(&["@message_name", "#0"]))
    .body(&["@message_body"]);
const USES: Region = Region::new("option", Meaning::Refers(ReferenceKind::Use));

/// Protobuf's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        MESSAGE,
        DeclarationRule { node: "group", ..MESSAGE },
        DeclarationRule::new("enum", K::Enum).name(Name::At(&["@enum_name", "#0"])).body(&["@enum_body"]),
        DeclarationRule::new("enum_field", K::Variant).name(Name::At(&["@identifier"])).body(&[]),
        DeclarationRule::new("service", K::Interface)
            .name(Name::At(&["@service_name", "#0"]))
            .body(&["@{"])
            .refine(|_, _, found| {
                found.to_end = true;
                true
            }),
        DeclarationRule::new("rpc", K::Method).name(Name::At(&["@rpc_name", "#0"])).body(&["@{"]).refine(
            |_, _, found| {
                found.to_end = true;
                true
            },
        ),
        DeclarationRule::new("extend", K::Implementation)
            .name(Name::At(&["@full_ident"]))
            .body(&["@message_body"]),
        FIELD,
        DeclarationRule { node: "map_field", ..FIELD },
        DeclarationRule { node: "oneof_field", ..FIELD },
        DeclarationRule { node: "oneof", ..FIELD },
    ],
    heads: &["syntax", "edition", "package"],
    imports: &[Import::new("import", "path")],
    paths: &[Path::new("full_ident", "", ""), Path::new("message_or_enum_type", "", "")],
    types: &["message_or_enum_type"],
    regions: &[USES, Region { node: "field_option", ..USES }, Region { node: "enum_value_option", ..USES }],
    names: &["full_ident"],
    strings: &["string"],
    mentions: &[MentionRule { node: "package", read: package }],
    ..Table::new(|| tree_sitter_proto::LANGUAGE.into())
};

/// Adds the package that the file declares.
fn package<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let name = node.named_child(0).and_then(|name| text.get(name.byte_range()));
    found.extend(name.and_then(|name| own_namespace(node, name, "package")));
}
