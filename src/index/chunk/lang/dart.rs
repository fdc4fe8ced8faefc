//! Dart.
//!
//! The grammar puts a member's names into a signature node inside it, so functions here look there.

use super::dart_constructors;
use super::extensions;
use super::type_aliases;
use crate::index::chunk::identifiers;
use crate::index::chunk::imports::last_segment;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::{EXPORT_ALIAS, Mention};
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Meaning, MentionRule, Name, Path, Region, Scope,
    Table, TypeRule, Values, WrapperRule,
};
use crate::index::chunk::types::SOME;
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Dart's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_declaration", K::Class),
        DeclarationRule::new("mixin_declaration", K::Class),
        DeclarationRule::new("mixin_application_class", K::Class)
            .name(Name::At(&["@identifier"]))
            .body(&[])
            .inherits(&["@mixin_application"]),
        DeclarationRule::new("extension_type_declaration", K::Class).name(Name::At(&["name", "#0"])),
        DeclarationRule::new("enum_declaration", K::Enum),
        DeclarationRule::new("extension_declaration", K::Implementation).refine(extension),
        DeclarationRule::new("type_alias", K::Type).name(Name::At(&["@type_identifier"])).body(&["#-1"]),
        DeclarationRule::new("function_declaration", K::Function).name(Name::At(&["signature", "name"])),
        accessor("getter_declaration"),
        accessor("setter_declaration"),
        accessor("external_function_declaration"),
        accessor("external_getter_declaration"),
        accessor("external_setter_declaration"),
        DeclarationRule::new("local_function_declaration", K::Function)
            .name(Name::At(&["@function_signature", "name"]))
            .body(&["@function_body"]),
        DeclarationRule::new("method_declaration", K::Method).name(Name::Refined).refine(method),
        DeclarationRule::new("declaration", K::Method)
            .name(Name::Refined)
            .body(&["@initializers"])
            .refine(member),
        DeclarationRule::new("static_final_declaration", K::Constant)
            .body(&["value"])
            .scope(Scope::Outside)
            .refine(constant),
        DeclarationRule::new("initialized_identifier", K::Variable).body(&["value"]).scope(Scope::Top),
        DeclarationRule::new("call_expression", K::Test)
            .name(Name::Argument("arguments"))
            .body(&["arguments", "#-1", "body"])
            .refine(test),
    ],
    wrappers: &[
        // It is one around a mixin application.
        WrapperRule::new("class_declaration"),
        WrapperRule::new("member_declaration"),
        WrapperRule::new("declaration"),
        WrapperRule::new("top_level_variable_declaration"),
        WrapperRule::new("static_final_declaration_list"),
        WrapperRule::new("initialized_identifier_list"),
        WrapperRule::new("expression_statement"),
    ],
    comments: &["comment", "documentation_comment"],
    detached: &["#!"],
    attributes: &["annotation"],
    heads: &["library_name", "part_of_directive", "script_tag"],
    imports: &[
        Import { alias: "alias", ..Import::new("import_specification", "uri") },
        Import::new("library_export", "uri"),
        Import::new("part_directive", "uri"),
    ],
    calls: &[
        Call::new("call_expression", "function"),
        Call::new("new_expression", "@type_identifier"),
        Call::new("const_object_expression", "@type_identifier"),
        Call::new("annotation", "name"),
    ],
    words: &["dynamic"],
    paths: &[
        Path::new("member_expression", "object", "property"),
        Path::new("null_aware_member_expression", "object", "property"),
        Path::new("instantiation_expression", "", "function"),
    ],
    types: &["type_identifier"],
    regions: &[
        Region::new("superclass", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("interfaces", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("mixins", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("type_arguments", Meaning::Arguments),
    ],
    strings: &["string_literal"],
    typed: &[
        TypeRule::new("formal_parameter").name("@identifier").ty(&["@type"]),
        TypeRule::new("initialized_variable_declaration").ty(&["@type"]).value(&["value"]),
        TypeRule::new("declaration")
            .name("@initialized_identifier_list/@initialized_identifier/name")
            .ty(&["@type"])
            .value(&["@initialized_identifier_list/@initialized_identifier/value"]),
        TypeRule::new("function_signature").result(&["return_type"]),
        TypeRule::new("getter_signature").ty(&["return_type"]),
        TypeRule::hides("field_formal_parameter", "name"),
        TypeRule::hides("super_formal_parameter", "name"),
        TypeRule::hides("for_statement", "name"),
        TypeRule::hides("catch_clause", "exception"),
        TypeRule::test("if_statement"),
        TypeRule::hides("variable_pattern", "name"),
        TypeRule::parameter("type_parameter"),
    ],
    makes: &[("new_expression", "@type_identifier"), ("const_object_expression", "@type_identifier")],
    values: Values { failures: &["Future"], constructs: true, has_implicit_self: true, ..Values::NONE },
    members: &["member_expression"],
    leaves: &["identifier"],
    valueless: &[
        "break_statement",
        "continue_statement",
        "label",
        "library_name",
        "part_of_directive",
        "typed_identifier",
    ],
    sees_all: true,
    mentions: &[
        type_aliases::DART,
        MentionRule { node: "extension_declaration", read: extended },
        MentionRule { node: "library_export", read: exported },
        MentionRule { node: "cascade", read: cascaded },
        MentionRule { node: "initializer_list_entry", read: dart_constructors::entry },
        MentionRule { node: "redirection", read: dart_constructors::entry },
        MentionRule { node: "redirecting_factory_constructor_signature", read: dart_constructors::target },
        MentionRule { node: "super_formal_parameter", read: dart_constructors::parameter },
    ],
    ..Table::new(|| tree_sitter_dart::LANGUAGE.into())
};

/// Most nodes between a section of a cascade and the name that it begins with.
const MAX_SELECTORS: usize = 16;

/// Adds the calls of a cascade, each on the object in front of it: `make()..open()..send(2)`.
fn cascaded<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let Some(object) = node.named_child(0) else { return };
    let called = object.child_by_field_name("function").filter(|_| object.kind() == "call_expression");
    let path = of(called.unwrap_or(object));
    let qualifier = match (identifiers::is_plain(path), called) {
        (true, Some(_)) => Cow::Owned(format!("{path}()")),
        (true, None) => Cow::Borrowed(path),
        (false, _) => Cow::Borrowed(SOME),
    };
    let mut cursor = node.walk();
    for section in node.named_children(&mut cursor).filter(|one| one.kind() == "cascade_section") {
        let mut inner = section.named_child(0);
        for _ in 0..MAX_SELECTORS {
            let Some(node) = inner else { break };
            let name = node.child_by_field_name("property");
            if let Some(name) = name.filter(|_| node.kind() == "cascade_call_expression") {
                let at = offset(name.start_byte());
                found.push(Mention::new(at, ReferenceKind::Call, of(name), qualifier.clone()));
                break;
            }
            inner = node.named_child(0);
        }
    }
}

/// Adds the library whose names another one hands on: `export 'src/a.dart'`. It is recorded as an
/// import, too.
fn exported<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let uri = node.child_by_field_name("uri").and_then(|uri| text.get(uri.byte_range()));
    let uri = identifiers::unquoted(uri.unwrap_or_default().trim());
    if !uri.is_empty() {
        let at = offset(node.start_byte());
        let import = Mention::new(at, ReferenceKind::Import, last_segment(uri), Cow::Borrowed(uri));
        found.push(Mention { alias: Cow::Borrowed(EXPORT_ALIAS), ..import });
    }
}

/// Adds the type that an extension extends.
fn extended<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |field: &str| node.child_by_field_name(field).and_then(|one| text.get(one.byte_range()));
    let Some(ty) = of("class") else { return };
    let at = offset(node.start_byte());
    let own = ty.split('<').next().unwrap_or(ty);
    found.extend(extensions::extends(at, ty, of("name").unwrap_or(own)));
}

/// Names an extension without a name after the type that it extends: `extension on T {…}`.
fn extension<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.name = found.name.or_else(|| step(node, "class")?.named_child(0));
    found.name.is_some()
}

/// Returns a rule for a getter, a setter or an external function at the top level.
const fn accessor(node: &'static str) -> DeclarationRule {
    DeclarationRule::new(node, K::Function).name(Name::At(&["signature", "name"]))
}

/// Reads a member's signature: its kind, and the last of its names (`T.named`).
fn signature<'tree>(node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if node.kind().ends_with("constructor_signature") {
        found.kind = K::Constructor;
    }
    let mut cursor = node.walk();
    found.name = node.children_by_field_name("name", &mut cursor).filter(|part| part.is_named()).last();
    found.name = found.name.or_else(|| node.child_by_field_name("operator"));
    found.name.is_some()
}

fn method<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let inner = node.child_by_field_name("signature").and_then(|outer| outer.named_child(0));
    inner.is_some_and(|inner| signature(inner, found))
}

/// Accepts members without a body: abstract ones, and constructors.
fn member<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let mut cursor = node.walk();
    let inner = node.named_children(&mut cursor).find(|child| child.kind().ends_with("_signature"));
    inner.is_some_and(|inner| signature(inner, found))
}

/// Accepts final values at the top level, and the constants of a class.
fn constant(text: &str, node: Node<'_>, _: &mut DeclarationCandidate<'_>) -> bool {
    let Some(outer) = node.parent().and_then(|list| list.parent()) else { return false };
    let words = text.get(outer.start_byte()..node.start_byte()).unwrap_or_default();
    outer.kind() == "top_level_variable_declaration" || words.split_whitespace().any(|word| word == "const")
}

/// Accepts `group('…', () {…})` and `test('…', () {…})`.
fn test(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let word =
        node.child_by_field_name("function").and_then(|word| text.get(word.byte_range())).unwrap_or_default();
    matches!(word, "group" | "test" | "testWidgets" | "blocTest")
        && found.body.is_some_and(|body| body.kind() == "function_expression_body")
}
