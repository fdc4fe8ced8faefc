//! Go.
//!
//! A method belongs to the type of its receiver. A name can come from another file of the package
//! without an import.

use crate::index::chunk::DeclarationKind as K;
use crate::index::chunk::table::{Call, Declare, Found, Import, Path, Scope, Table, Typed, Values, Wrap};
use tree_sitter::Node;

/// Go's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        Declare::new("function_declaration", K::Function),
        Declare::new("method_declaration", K::Method).refine(receiver),
        Declare::new("method_elem", K::Method).body(&[]),
        Declare::new("type_spec", K::Type).body(&["type"]).refine(type_kind),
        Declare::new("type_alias", K::Type).body(&["type"]),
        Declare::new("const_spec", K::Constant).body(&["value"]).scope(Scope::Top),
        Declare::new("var_spec", K::Variable).body(&["value"]).scope(Scope::Top),
    ],
    wrappers: &[
        Wrap::new("type_declaration"),
        Wrap::new("const_declaration"),
        Wrap::new("var_declaration"),
        Wrap::new("var_spec_list"),
    ],
    heads: &["package_clause", "import_declaration"],
    imports: &[Import { alias: "name", ..Import::new("import_spec", "path") }],
    calls: &[Call::new("call_expression", "function")],
    paths: &[
        Path::new("selector_expression", "operand", "field"),
        Path::new("qualified_type", "package", "name"),
        Path::new("type_instantiation_expression", "", "#0"),
        Path::new("index_expression", "", "operand"),
        Path::new("generic_type", "", "type"),
        Path::new("pointer_type", "", "#0"),
    ],
    types: &["type_identifier", "qualified_type"],
    strings: &["interpreted_string_literal", "raw_string_literal"],
    opaque: &["interpreted_string_literal", "raw_string_literal"],
    typed: &[
        Typed::new("parameter_declaration").each("name").name(""),
        Typed::new("var_spec").value(&["value"]),
        Typed::new("field_declaration").each("name").name(""),
        Typed::new("short_var_declaration").name("left").ty(&[]).value(&["right"]),
        Typed::new("function_declaration").result(&["result"]),
        Typed::new("method_declaration").result(&["result"]),
        Typed::hides("range_clause", "left"),
        Typed::hides("type_switch_statement", "alias"),
        Typed::parameter("type_parameter_declaration"),
    ],
    makes: &[("composite_literal", "type"), ("type_assertion_expression", "type")],
    values: Values { has_lists: true, ..Values::NONE },
    leaves: &["identifier"],
    member_leaves: &["field_identifier"],
    sees_package: true,
    ..Table::new(|| tree_sitter_go::LANGUAGE.into())
};

/// Assigns a method to the type of its receiver.
fn receiver<'tree>(_: &str, node: Node<'tree>, found: &mut Found<'tree>) -> bool {
    found.owner = node
        .child_by_field_name("receiver")
        .and_then(|receiver| receiver.named_child(0))
        .and_then(|parameter| parameter.child_by_field_name("type"));
    true
}

fn type_kind(_: &str, _: Node<'_>, found: &mut Found<'_>) -> bool {
    match found.body.map(|body| body.kind()) {
        Some("struct_type") => found.kind = K::Struct,
        Some("interface_type") => found.kind = K::Interface,
        _ => {}
    }
    true
}
