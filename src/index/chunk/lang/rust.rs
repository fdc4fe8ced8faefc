//! Rust.
//!
//! An `impl` block counts as an implementation of the type that it names. In a macro's tokens, a
//! name before `(` is a call.

use super::items;
use super::type_aliases;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::node::range;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, MentionRule, Name,
    NameScope, Path, Region, Scope, Table, TypeRule, Values,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Most members of a block that are looked at for the target of `Deref`.
const MAX_MEMBERS: usize = 16;

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
        TypeRule::item("for_expression", "pattern", &["value"]),
        TypeRule::hides("match_pattern", ""),
        TypeRule::hides("let_condition", "pattern").value(&["value"]),
        TypeRule::hides("tuple_pattern", ""),
        TypeRule::hides("reference_pattern", ""),
        TypeRule::hides("struct_pattern", ""),
        TypeRule::hides("tuple_struct_pattern", ""),
        TypeRule::hides("captured_pattern", ""),
        TypeRule::hides("mut_pattern", ""),
        TypeRule::hides("ref_pattern", ""),
        TypeRule::hides("slice_pattern", ""),
        TypeRule::parameter("const_parameter").scope(NameScope::Template),
        TypeRule::parameter("type_parameter"),
        TypeRule::constraint("where_predicate"),
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
        items: items::RUST,
        constructs: true,
        ..Values::NONE
    },
    members: &["scoped_identifier"],
    leaves: &["identifier"],
    valueless: &["label", "lifetime"],
    mentions: &[MentionRule { node: "impl_item", read: target }, type_aliases::RUST],
    discards: true,
    ..Table::new(|| tree_sitter_rust::LANGUAGE.into())
};

/// Adds the target of `impl Deref for T` as a supertype of `T`: a method that `T` does not have is
/// looked for there.
fn target<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let is_deref =
        node.child_by_field_name("trait").map(of).is_some_and(|one| one.rsplit("::").next() == Some("Deref"));
    let Some(body) = node.child_by_field_name("body").filter(|_| is_deref) else { return };
    let mut cursor = body.walk();
    let mut members = body.named_children(&mut cursor).take(MAX_MEMBERS);
    let is_target = |one: &Node<'_>| one.child_by_field_name("name").map(of) == Some("Target");
    let Some(mut ty) = members.find(is_target).and_then(|one| one.child_by_field_name("type")) else {
        return;
    };
    if ty.kind() == "generic_type" {
        let Some(named) = ty.child_by_field_name("type") else { return };
        ty = named;
    }
    let (qualifier, name) = match ty.kind() {
        "type_identifier" => ("", of(ty)),
        "scoped_type_identifier" => of(ty).rsplit_once("::").unwrap_or_default(),
        _ => return,
    };
    let start = ty.end_byte() - name.len();
    let mention =
        Mention::new(offset(ty.start_byte()), ReferenceKind::Inherits, name, Cow::Borrowed(qualifier));
    found.push(Mention { name_at: offset(start), ..mention });
}

const USED: &[ImportedNameRule] = &[
    ImportedNameRule::prefix("scoped_use_list", "path"),
    ImportedNameRule::aliased("use_as_clause", "path", "alias"),
    ImportedNameRule::leaf("scoped_identifier"),
    ImportedNameRule::leaf("identifier"),
    ImportedNameRule::leaf("self"),
    ImportedNameRule::leaf("use_wildcard"),
];

/// Longest type without a name that has an implementation, in bytes.
const MAX_TYPE: u32 = 48;

/// Accepts implementations. A type without a name is called as it is written: `[T]`, `&dyn Fn()`.
fn implemented(_: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let ty = node.child_by_field_name("type").filter(|ty| is_unnamed(*ty));
    found.name_bytes = ty.map(range).filter(|ty| ty.len() <= MAX_TYPE);
    found.name.is_some() || found.name_bytes.is_some()
}

/// Returns whether a type has no name of its own, behind references.
fn is_unnamed(ty: Node<'_>) -> bool {
    let mut ty = ty;
    while let ("reference_type", Some(inner)) = (ty.kind(), ty.child_by_field_name("type")) {
        ty = inner;
    }
    matches!(
        ty.kind(),
        "abstract_type"
            | "array_type"
            | "bounded_type"
            | "dynamic_type"
            | "function_type"
            | "pointer_type"
            | "tuple_type"
            | "unit_type"
    )
}
