//! GraphQL: schemas, operations and fragments.
//!
//! A description is the doc comment of what it is part of. The types of fields, arguments and
//! variables are references; a spread calls its fragment, and `@name` its directive.

use crate::index::chunk::DeclarationKind as K;
use crate::index::chunk::table::{Call, DeclarationCandidate, DeclarationRule, Name, Path, Table};
use tree_sitter::Node;

const OBJECT: DeclarationRule = DeclarationRule::new("object_type_definition", K::Struct)
    .name(Name::At(&["@name"]))
    .body(&["@fields_definition"])
    .inherits(&["@implements_interfaces"]);
const INTERFACE: DeclarationRule =
    DeclarationRule { node: "interface_type_definition", kind: K::Interface, ..OBJECT };
const INPUT: DeclarationRule = DeclarationRule {
    node: "input_object_type_definition",
    kind: K::Struct,
    body: &["@input_fields_definition"],
    inherits: &[],
    ..OBJECT
};
const ENUM: DeclarationRule = DeclarationRule {
    node: "enum_type_definition",
    kind: K::Enum,
    body: &["@enum_values_definition"],
    inherits: &[],
    ..OBJECT
};
const UNION: DeclarationRule = DeclarationRule {
    node: "union_type_definition",
    kind: K::Union,
    body: &["@union_member_types"],
    inherits: &[],
    ..OBJECT
};
const SCALAR: DeclarationRule =
    DeclarationRule { node: "scalar_type_definition", kind: K::Type, body: &[], inherits: &[], ..OBJECT };

/// GraphQL's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        OBJECT,
        INTERFACE,
        INPUT,
        ENUM,
        UNION,
        SCALAR,
        DeclarationRule { node: "object_type_extension", kind: K::Implementation, ..OBJECT },
        DeclarationRule { node: "interface_type_extension", kind: K::Implementation, ..INTERFACE },
        DeclarationRule { node: "input_object_type_extension", kind: K::Implementation, ..INPUT },
        DeclarationRule { node: "enum_type_extension", kind: K::Implementation, ..ENUM },
        DeclarationRule { node: "union_type_extension", kind: K::Implementation, ..UNION },
        DeclarationRule { node: "scalar_type_extension", kind: K::Implementation, ..SCALAR },
        DeclarationRule::new("field_definition", K::Field).name(Name::At(&["@name"])).body(&[]),
        DeclarationRule::new("input_value_definition", K::Field)
            .name(Name::At(&["@name"]))
            .body(&[])
            .refine(input),
        DeclarationRule::new("enum_value_definition", K::Variant)
            .name(Name::At(&["@enum_value", "#0"]))
            .body(&[]),
        DeclarationRule::new("directive_definition", K::Macro).name(Name::At(&["@name"])).body(&[]),
        DeclarationRule::new("operation_definition", K::Function)
            .name(Name::At(&["@name"]))
            .body(&["@selection_set"]),
        DeclarationRule::new("fragment_definition", K::Function)
            .name(Name::At(&["@fragment_name", "#0"]))
            .body(&["@selection_set"]),
    ],
    attributes: &["description"],
    inner_docs: &["\""],
    // Each definition has three such nodes around it.
    scopes: &["document", "definition", "type_system_definition", "type_system_extension"],
    calls: &[Call::new("fragment_spread", "@fragment_name"), Call::new("directive", "@name")],
    words: &[
        "Boolean",
        "Float",
        "ID",
        "Int",
        "String",
        "deprecated",
        "include",
        "oneOf",
        "skip",
        "specifiedBy",
    ],
    paths: &[Path::new("named_type", "", "#0"), Path::new("fragment_name", "", "#0")],
    types: &["named_type"],
    strings: &["string_value"],
    ..Table::new(|| tree_sitter_graphql::LANGUAGE.into())
};

/// Accepts the fields of an input, but not the arguments of a field.
fn input(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    found.around[0] == "input_fields_definition"
}
