//! Swift.
//!
//! Its grammar has one node kind for classes, structures, enumerations, actors and extensions.

use super::swift_members;
use crate::index::chunk::parts::{in_field, of_pattern};
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Meaning, MentionRule, Name, Path, Region, Scope,
    Table, TypeRule, Values,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use tree_sitter::Node;

/// Swift's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_declaration", K::Class).refine(class),
        DeclarationRule::new("protocol_declaration", K::Interface),
        DeclarationRule::new("function_declaration", K::Function),
        DeclarationRule::new("protocol_function_declaration", K::Method).body(&[]),
        DeclarationRule::new("init_declaration", K::Constructor),
        DeclarationRule::new("property_declaration", K::Variable)
            .parts(names)
            .body(&["value"])
            .scope(Scope::Outside)
            .refine(property),
        DeclarationRule::new("protocol_property_declaration", K::Field)
            .name(Name::At(&["name", "bound_identifier"]))
            .body(&[]),
        DeclarationRule::new("subscript_declaration", K::Method)
            .name(Name::At(&["@subscript"]))
            .body(&["@computed_property"]),
        DeclarationRule::new("deinit_declaration", K::Method).name(Name::At(&["@deinit"])),
        DeclarationRule::new("typealias_declaration", K::Type).body(&["#-1"]),
        DeclarationRule::new("associatedtype_declaration", K::Type).body(&[]),
        DeclarationRule::new("macro_declaration", K::Macro)
            .name(Name::At(&["@simple_identifier"]))
            .body(&["definition"]),
    ],
    comments: &["comment", "multiline_comment"],
    detached: &["#!", "// MARK"],
    attributes: &["attribute"],
    heads: &["directive", "shebang_line"],
    imports: &[Import::new("import_declaration", "@identifier")],
    calls: &[
        Call::new("call_expression", "#0"),
        Call::new("constructor_expression", "constructed_type"),
        Call::new("attribute", "@user_type"),
    ],
    paths: &[
        Path::new("navigation_expression", "target", "suffix"),
        Path::new("navigation_suffix", "", "suffix"),
        Path::new("user_type", "", "@@type_identifier"),
    ],
    types: &["user_type"],
    regions: &[
        Region::new("inheritance_specifier", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("type_arguments", Meaning::Arguments),
    ],
    strings: &["line_string_literal"],
    texts: &["multi_line_string_literal", "raw_string_literal"],
    opaque: &["attribute"],
    typed: &[
        TypeRule::new("parameter"),
        TypeRule::new("property_declaration")
            .name("name/bound_identifier")
            .ty(&["@type_annotation"])
            .value(&["value"]),
        TypeRule::new("protocol_property_declaration")
            .name("name/bound_identifier")
            .ty(&["@type_annotation"]),
        TypeRule::new("function_declaration").result(&["return_type"]),
        TypeRule::new("protocol_function_declaration").result(&["return_type"]),
        TypeRule::new("lambda_parameter"),
        TypeRule::hides("enum_entry", "").each("name"),
        TypeRule::hides("for_statement", "item"),
        TypeRule::hides("if_statement", "").each("bound_identifier"),
        TypeRule::hides("guard_statement", "").each("bound_identifier"),
        TypeRule::parameter("type_parameter"),
    ],
    makes: &[("as_expression", "type")],
    values: Values { constructs: true, has_implicit_self: true, ..Values::NONE },
    members: &["navigation_expression"],
    leaves: &["simple_identifier"],
    mentions: &[MentionRule { node: "prefix_expression", read: swift_members::implicit }],
    discards: true,
    sees_all: true,
    has_inner_types: true,
    ..Table::new(|| tree_sitter_swift::LANGUAGE.into())
};

/// Distinguishes the kinds of types, which the grammar all treats as classes.
fn class(_: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    found.kind = match node.child_by_field_name("declaration_kind").map(|word| word.kind()) {
        Some("struct") => K::Struct,
        Some("enum") => K::Enum,
        Some("extension") => K::Implementation,
        _ => K::Class,
    };
    true
}

/// Returns the names of `let a = 1, b = 2` and `let (a, b) = c`.
fn names(node: Node<'_>) -> Vec<Node<'_>> {
    let patterns = in_field(node, "name").into_iter().filter(|pattern| pattern.kind() == "pattern");
    let names = patterns.flat_map(|pattern| of_pattern(Some(pattern), &[("pattern", "")]));
    names.filter(|name| name.kind() == "simple_identifier").collect()
}

/// Accepts properties at the top level, constants of a type, and computed properties.
fn property<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let computed = node.child_by_field_name("computed_value");
    let Some(name) = found.name else { return false };
    let words = text.get(node.start_byte()..name.start_byte()).unwrap_or_default();
    let has = |word| words.split_whitespace().any(|one| one == word);
    if has("let") {
        found.kind = K::Constant;
    }
    if found.around[0] == "source_file" {
        return true;
    }
    if computed.is_some() {
        (found.kind, found.body) = (K::Field, computed);
    }
    computed.is_some() || (has("static") && has("let"))
}
