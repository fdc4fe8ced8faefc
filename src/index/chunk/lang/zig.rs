//! Zig.
//!
//! A type is the value of a constant, so the value decides the kind of the declaration.

use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Meaning, MentionRule, Name, Path, Region, Scope, Table,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
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
    import_name: Some(bound_to),
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
    mentions: &[MentionRule { node: "variable_declaration", read: taken }],
    discards: true,
    ..Table::new(|| tree_sitter_zig::LANGUAGE.into())
};

/// Returns the name of the constant that holds an imported file.
fn bound_to(import: Node<'_>) -> Option<Node<'_>> {
    step(import.parent().filter(|around| around.kind() == "variable_declaration")?, "@identifier")
}

/// Adds what a constant takes from another file: `const A = @import("b.zig").A`.
fn taken<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let Some(value) = step(node, "#-1").filter(|value| value.kind() == "field_expression") else { return };
    let import = value.child_by_field_name("object").filter(|one| of(*one).starts_with("@import("));
    let path = import.and_then(|import| of(import).split('"').nth(1));
    let names = value.child_by_field_name("member").zip(step(node, "@identifier"));
    if let Some((path, (name, local))) = path.zip(names) {
        let at = offset(node.start_byte());
        let import = Mention::new(at, ReferenceKind::Import, of(name), Cow::Borrowed(path));
        let alias = if of(local) == of(name) { "" } else { of(local) };
        found.push(Mention { alias: Cow::Borrowed(alias), ..import });
    }
}

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
        // The file itself is a type.
        "builtin_function" if found.within.is_none() && text.get(value.byte_range()) == Some("@This()") => {
            found.body = None;
            K::Struct
        }
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
