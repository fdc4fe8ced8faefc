//! C#.
//!
//! Fields count only if they are constant; properties always count.

use super::constructors;
use crate::index::chunk::node::range;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Meaning, Name, Path, Region, Scope, Table, TypeRule,
    Values, WrapperRule,
};
use crate::index::chunk::{ByteRange, DeclarationKind as K, ReferenceKind};
use tree_sitter::Node;

/// C#'s table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_declaration", K::Class),
        DeclarationRule::new("record_declaration", K::Struct),
        DeclarationRule::new("struct_declaration", K::Struct),
        DeclarationRule::new("interface_declaration", K::Interface),
        DeclarationRule::new("enum_declaration", K::Enum),
        DeclarationRule::new("namespace_declaration", K::Module),
        DeclarationRule::new("file_scoped_namespace_declaration", K::Module).body(&[]).goes_on(),
        DeclarationRule::new("delegate_declaration", K::Type).body(&[]),
        DeclarationRule::new("method_declaration", K::Method),
        DeclarationRule::new("local_function_statement", K::Function),
        DeclarationRule::new("constructor_declaration", K::Constructor),
        DeclarationRule::new("property_declaration", K::Field).body(&["accessors"]).refine(property),
        DeclarationRule::new("indexer_declaration", K::Field)
            .name(Name::At(&["@this"]))
            .body(&["accessors"])
            .refine(property),
        DeclarationRule::new("event_declaration", K::Field).body(&["accessors"]),
        DeclarationRule::new("operator_declaration", K::Method).name(Name::Refined).refine(operator),
        DeclarationRule::new("conversion_operator_declaration", K::Method)
            .name(Name::Refined)
            .refine(operator),
        DeclarationRule::new("destructor_declaration", K::Method).name(Name::Refined).refine(operator),
        DeclarationRule::new("variable_declarator", K::Constant)
            .body(&["#-1"])
            .scope(Scope::Outside)
            .refine(constant),
    ],
    wrappers: &[WrapperRule::new("field_declaration"), WrapperRule::new("variable_declaration")],
    attributes: &["attribute_list"],
    heads: &[
        "extern_alias_directive",
        "file_scoped_namespace_declaration",
        "global_attribute",
        "preproc_endregion",
        "preproc_nullable",
        "preproc_region",
        "shebang_directive",
    ],
    scopes: &["preproc_if", "preproc_else", "preproc_elif"],
    imports: &[Import { alias: "name", ..Import::new("using_directive", "#-1") }],
    calls: &[
        Call::new("invocation_expression", "function"),
        Call::new("object_creation_expression", "type"),
        Call::new("attribute", "name"),
    ],
    words: &["nameof"],
    paths: &[
        Path::new("member_access_expression", "expression", "name"),
        Path::new("conditional_access_expression", "condition", "#-1"),
        Path::new("member_binding_expression", "", "name"),
        Path::new("qualified_name", "qualifier", "name"),
        Path::new("alias_qualified_name", "alias", "name"),
        Path::new("generic_name", "", "#0"),
    ],
    type_fields: &["type", "returns"],
    regions: &[
        Region::new("base_list", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("type_argument_list", Meaning::Refers(ReferenceKind::Type)),
        Region::new("argument_list", Meaning::Nothing),
    ],
    names: &["identifier"],
    strings: &["string_literal", "verbatim_string_literal", "raw_string_literal"],
    texts: &["interpolated_string_expression"],
    opaque: &["string_literal", "verbatim_string_literal", "raw_string_literal"],
    typed: &[
        TypeRule::new("parameter"),
        TypeRule::new("variable_declaration").each("@variable_declarator").value(&["#-1"]),
        TypeRule::new("property_declaration"),
        TypeRule::new("foreach_statement").name("left"),
        TypeRule::new("declaration_pattern"),
        TypeRule::new("declaration_expression"),
        TypeRule::new("catch_declaration"),
        TypeRule::new("method_declaration").result(&["returns"]),
        TypeRule::new("local_function_statement").result(&["type"]),
        TypeRule::hides("implicit_parameter", ""),
        TypeRule::hides("from_clause", "name"),
        TypeRule::hides("parenthesized_variable_designation", "").each("name"),
        TypeRule::hides("tuple_pattern", "").each("name"),
        TypeRule::parameter("type_parameter"),
    ],
    makes: &[("object_creation_expression", "type"), ("cast_expression", "type"), ("as_expression", "right")],
    values: Values {
        wrappers: &["Nullable"],
        failures: &["Task", "ValueTask"],
        has_implicit_self: true,
        ..Values::NONE
    },
    members: &["member_access_expression"],
    leaves: &["identifier"],
    mentions: &[constructors::C_SHARP],
    ..Table::new(|| tree_sitter_c_sharp::LANGUAGE.into())
};

/// Finds the body of `T P => …;`, which is in another field.
fn property<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.body = found.body.or_else(|| node.child_by_field_name("value"));
    true
}

/// Names `operator +`, `operator int` and `~Cart`.
fn operator<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let last = node.child_by_field_name(match node.kind() {
        "operator_declaration" => "operator",
        "conversion_operator_declaration" => "type",
        _ => "name",
    });
    let first = step(node, "@operator").or_else(|| step(node, "@~"));
    found.name_bytes =
        first.zip(last).map(|(first, last)| ByteRange { start: range(first).start, end: range(last).end });
    found.name_bytes.is_some()
}

/// Accepts only constant fields.
fn constant(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    if found.around[1] != "field_declaration" {
        return false;
    }
    let Some(field) = node.parent().and_then(|list| list.parent()) else { return false };
    let modifiers = text.get(field.start_byte()..node.start_byte()).unwrap_or_default();
    found.body = found.body.filter(|value| Some(*value) != found.name);
    let has = |word| modifiers.split_whitespace().any(|one| one == word);
    has("const") || (has("static") && has("readonly"))
}
