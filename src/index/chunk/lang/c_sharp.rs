//! C#.
//!
//! Fields count only if they are constant; properties always count.

use crate::index::chunk::table::{
    Call, Declare, Found, Import, Meaning, Path, Region, Scope, Table, Typed, Values, Wrap,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use tree_sitter::Node;

/// C#'s table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        Declare::new("class_declaration", K::Class),
        Declare::new("record_declaration", K::Struct),
        Declare::new("struct_declaration", K::Struct),
        Declare::new("interface_declaration", K::Interface),
        Declare::new("enum_declaration", K::Enum),
        Declare::new("namespace_declaration", K::Module),
        Declare::new("delegate_declaration", K::Type).body(&[]),
        Declare::new("method_declaration", K::Method),
        Declare::new("local_function_statement", K::Function),
        Declare::new("constructor_declaration", K::Constructor),
        Declare::new("property_declaration", K::Field).body(&["accessors"]).refine(property),
        Declare::new("variable_declarator", K::Constant)
            .body(&["#-1"])
            .scope(Scope::Outside)
            .refine(constant),
    ],
    wrappers: &[Wrap::new("field_declaration"), Wrap::new("variable_declaration")],
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
    opaque: &["string_literal", "verbatim_string_literal", "raw_string_literal"],
    typed: &[
        Typed::new("parameter"),
        Typed::new("variable_declaration").each("@variable_declarator").value(&["#-1"]),
        Typed::new("property_declaration"),
        Typed::new("foreach_statement").name("left"),
        Typed::new("declaration_pattern"),
        Typed::new("declaration_expression"),
        Typed::new("catch_declaration"),
        Typed::new("method_declaration").result(&["returns"]),
        Typed::new("local_function_statement").result(&["type"]),
        Typed::hides("implicit_parameter", ""),
        Typed::hides("from_clause", "name"),
        Typed::parameter("type_parameter"),
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
    ..Table::new(|| tree_sitter_c_sharp::LANGUAGE.into())
};

/// Finds the body of `T P => …;`, which is in another field.
fn property<'tree>(_: &str, node: Node<'tree>, found: &mut Found<'tree>) -> bool {
    found.body = found.body.or_else(|| node.child_by_field_name("value"));
    true
}

/// Accepts only constant fields.
fn constant(text: &str, node: Node<'_>, found: &mut Found<'_>) -> bool {
    if found.around[1] != "field_declaration" {
        return false;
    }
    let Some(field) = node.parent().and_then(|list| list.parent()) else { return false };
    let modifiers = text.get(field.start_byte()..node.start_byte()).unwrap_or_default();
    found.body = found.body.filter(|value| Some(*value) != found.name);
    let has = |word| modifiers.split_whitespace().any(|one| one == word);
    has("const") || (has("static") && has("readonly"))
}
