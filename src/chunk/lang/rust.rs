//! Rust.

use crate::chunk::table::{Call, Declare, Found, Import, Imported, Meaning, Name, Path, Region, Scope, Table};
use crate::chunk::DeclarationKind as K;
use tree_sitter::Node;

/// Rust's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        Declare::new("function_item", K::Function),
        Declare::new("function_signature_item", K::Function).body(&[]),
        Declare::new("struct_item", K::Struct),
        Declare::new("enum_item", K::Enum),
        Declare::new("union_item", K::Union),
        Declare::new("trait_item", K::Interface).inherits(&["bounds"]),
        Declare::new("impl_item", K::Implementation).name(Name::At(&["type"])).inherits(&["trait"]).refine(implemented),
        Declare::new("mod_item", K::Module),
        Declare::new("type_item", K::Type).body(&["type"]).scope(Scope::Outside),
        Declare::new("associated_type", K::Type).body(&[]),
        Declare::new("const_item", K::Constant).body(&["value"]).scope(Scope::Outside),
        Declare::new("static_item", K::Variable).body(&["value"]).scope(Scope::Outside),
        Declare::new("macro_definition", K::Macro).body(&["@macro_rule"]),
    ],
    comments: &["line_comment", "block_comment"],
    detached: &["//!", "/*!"],
    attributes: &["attribute_item"],
    heads: &["inner_attribute_item", "shebang"],
    imports: &[
        Import { names: USED, split: true, ..Import::new("use_declaration", "") },
        Import { alias: "alias", ..Import::new("extern_crate_declaration", "name") },
    ],
    calls: &[
        Call { node: "call_expression", function: "function" },
        Call { node: "macro_invocation", function: "macro" },
        Call { node: "struct_expression", function: "name" },
    ],
    paths: &[
        Path { node: "field_expression", object: "value", name: "field" },
        Path { node: "scoped_identifier", object: "path", name: "name" },
        Path { node: "scoped_type_identifier", object: "path", name: "name" },
        Path { node: "generic_function", object: "", name: "function" },
        Path { node: "generic_type", object: "", name: "type" },
        Path { node: "generic_type_with_turbofish", object: "", name: "type" },
        Path { node: "reference_type", object: "", name: "type" },
        Path { node: "dynamic_type", object: "", name: "trait" },
    ],
    types: &["type_identifier", "scoped_type_identifier"],
    regions: &[
        Region { node: "token_tree", meaning: Meaning::Tokens },
        Region { node: "type_arguments", meaning: Meaning::Arguments },
    ],
    names: &["identifier", "type_identifier"],
    strings: &["string_literal", "raw_string_literal"],
    opaque: &["string_literal", "raw_string_literal", "lifetime", "visibility_modifier", "token_tree_pattern"],
    ..Table::new(|| tree_sitter_rust::LANGUAGE.into())
};

const USED: &[Imported] = &[
    Imported::prefix("scoped_use_list", "path"),
    Imported::aliased("use_as_clause", "path", "alias"),
    Imported::leaf("scoped_identifier"),
    Imported::leaf("identifier"),
    Imported::leaf("self"),
    Imported::leaf("use_wildcard"),
];

/// Implementations for what has no name of its own (tuples, functions) have none.
fn implemented(_: &str, _: Node<'_>, found: &mut Found<'_>) -> bool {
    found.name.is_some()
}
