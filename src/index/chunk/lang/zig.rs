//! Zig.
//!
//! A type is the value of a constant, so the value decides the kind of the declaration.

use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Meaning, Name, Path, Region, Scope, Table,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use tree_sitter::Node;

const TYPE: Meaning = Meaning::Refers(ReferenceKind::Type);

/// Zig's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("function_declaration", K::Function),
        DeclarationRule::new("variable_declaration", K::Constant)
            .name(Name::At(&["@identifier"]))
            .body(&["#-1"])
            .scope(Scope::Outside)
            .refine(variable),
        DeclarationRule::new("test_declaration", K::Test).name(Name::At(&["#0"])).body(&["@block"]),
    ],
    unnamed: &["test_declaration", "comptime_declaration"],
    detached: &["//!"],
    import_calls: &["@import", "@cImport", "@embedFile"],
    calls: &[
        Call::new("call_expression", "function"),
        Call::new("builtin_function", "@builtin_identifier"),
        Call::new("struct_initializer", "#0"),
    ],
    paths: &[Path::new("field_expression", "object", "member")],
    regions: &[
        Region::new("parameter", TYPE).at("type"),
        Region::new("container_field", TYPE).at("type"),
        Region::new("function_declaration", TYPE).at("type"),
        Region::new("variable_declaration", TYPE).at("type"),
    ],
    names: &["identifier"],
    strings: &["string", "multiline_string"],
    opaque: &["string", "multiline_string", "character", "payload"],
    leaves: &["identifier"],
    discards: true,
    ..Table::new(|| tree_sitter_zig::LANGUAGE.into())
};

/// Accepts `const T = struct {…}` and `var x = …`, but not an import.
fn variable<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(value) = found.body.filter(|value| Some(value.id()) != found.name.map(|name| name.id())) else {
        found.body = None;
        return found.name.is_some();
    };
    found.kind = match value.kind() {
        "struct_declaration" | "opaque_declaration" => K::Struct,
        "enum_declaration" | "error_set_declaration" => K::Enum,
        "union_declaration" => K::Union,
        _ => {
            let value = text.get(value.byte_range()).unwrap_or_default();
            let mut cursor = node.walk();
            let is_var = node.children(&mut cursor).any(|child| child.kind() == "var");
            found.kind = if is_var { K::Variable } else { K::Constant };
            return !value.starts_with("@import");
        }
    };
    true
}
