//! Rust.
//!
//! An `impl` block counts as an implementation of the type that it names. In a macro's tokens, a
//! name before `(` is a call.

use crate::index::chunk::DeclarationKind as K;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, Name, Path, Region,
    Scope, Table, TypeRule, Values,
};
use tree_sitter::Node;

/// Rust's table.
pub(super) static TABLE: Table = Table {
    has_item_macros: true,
    declarations: &[
        DeclarationRule::new("function_item", K::Function),
        DeclarationRule::new("function_signature_item", K::Function).body(&[]),
        DeclarationRule::new("struct_item", K::Struct),
        DeclarationRule::new("enum_item", K::Enum),
        DeclarationRule::new("union_item", K::Union),
        DeclarationRule::new("trait_item", K::Interface).inherits(&["bounds"]),
        DeclarationRule::new("impl_item", K::Implementation)
            .name(Name::At(&["type"]))
            .inherits(&["trait"])
            .refine(implemented),
        DeclarationRule::new("mod_item", K::Module),
        DeclarationRule::new("type_item", K::Type).body(&["type"]).scope(Scope::Outside),
        DeclarationRule::new("associated_type", K::Type).body(&[]),
        DeclarationRule::new("const_item", K::Constant).body(&["value"]).scope(Scope::Outside),
        DeclarationRule::new("static_item", K::Variable).body(&["value"]).scope(Scope::Outside),
        DeclarationRule::new("macro_definition", K::Macro).body(&["@macro_rule"]),
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
        Call::new("call_expression", "function"),
        Call::new("macro_invocation", "macro"),
        Call::new("struct_expression", "name"),
    ],
    words: &["cfg", "doc"],
    paths: &[
        Path::new("field_expression", "value", "field"),
        Path::new("scoped_identifier", "path", "name"),
        Path::new("scoped_type_identifier", "path", "name"),
        Path::new("generic_function", "", "function"),
        Path::new("generic_type", "", "type"),
        Path::new("generic_type_with_turbofish", "", "type"),
        Path::new("reference_type", "", "type"),
        Path::new("dynamic_type", "", "trait"),
    ],
    types: &["type_identifier", "scoped_type_identifier"],
    regions: &[Region::new("token_tree", Meaning::Tokens), Region::new("type_arguments", Meaning::Arguments)],
    names: &["identifier", "type_identifier"],
    strings: &["string_literal", "raw_string_literal"],
    opaque: &[
        "string_literal",
        "raw_string_literal",
        "lifetime",
        "visibility_modifier",
        "token_tree_pattern",
    ],
    typed: &[
        TypeRule::new("parameter").name("pattern"),
        TypeRule::new("let_declaration").name("pattern").value(&["value"]),
        TypeRule::new("field_declaration"),
        TypeRule::new("static_item"),
        TypeRule::new("const_item"),
        TypeRule::new("function_item").result(&["return_type"]),
        TypeRule::new("function_signature_item").result(&["return_type"]),
        TypeRule::hides("closure_parameters", "").each("@identifier"),
        TypeRule::hides("for_expression", "pattern"),
        TypeRule::hides("match_pattern", ""),
        TypeRule::hides("let_condition", "pattern"),
        TypeRule::hides("tuple_pattern", ""),
        TypeRule::hides("reference_pattern", ""),
        TypeRule::hides("struct_pattern", ""),
        TypeRule::hides("tuple_struct_pattern", ""),
        TypeRule::parameter("type_parameter"),
    ],
    makes: &[("struct_expression", "name"), ("type_cast_expression", "type")],
    values: Values {
        wrappers: &[
            "Arc",
            "Box",
            "MutexGuard",
            "Pin",
            "Rc",
            "Ref",
            "RefMut",
            "RwLockReadGuard",
            "RwLockWriteGuard",
        ],
        failures: &["Option", "Result"],
        same: &["as_mut", "as_ref", "borrow", "borrow_mut", "clone", "expect", "to_owned", "unwrap"],
        makers: &["default", "from", "new"],
        constructs: true,
        ..Values::NONE
    },
    members: &["scoped_identifier"],
    leaves: &["identifier"],
    discards: true,
    ..Table::new(|| tree_sitter_rust::LANGUAGE.into())
};

const USED: &[ImportedNameRule] = &[
    ImportedNameRule::prefix("scoped_use_list", "path"),
    ImportedNameRule::aliased("use_as_clause", "path", "alias"),
    ImportedNameRule::leaf("scoped_identifier"),
    ImportedNameRule::leaf("identifier"),
    ImportedNameRule::leaf("self"),
    ImportedNameRule::leaf("use_wildcard"),
];

/// Rejects implementations for types without a name (tuples, functions).
fn implemented(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    found.name.is_some()
}
