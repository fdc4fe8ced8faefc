//! Java.
//!
//! Imports name a class by its whole path. Fields are constants if they are `static final`, and
//! left out otherwise.

use super::constructors;
use super::items;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::parts::in_field;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, MentionRule, Name,
    PassingFunction, Path, Region, Scope, Table, TypeRule, Values,
};
use crate::index::chunk::types::SOME;
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Java's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_declaration", K::Class),
        DeclarationRule::new("record_declaration", K::Struct),
        DeclarationRule::new("interface_declaration", K::Interface),
        DeclarationRule::new("annotation_type_declaration", K::Interface),
        DeclarationRule::new("enum_declaration", K::Enum),
        DeclarationRule::new("module_declaration", K::Module),
        DeclarationRule::new("method_declaration", K::Method),
        DeclarationRule::new("annotation_type_element_declaration", K::Method).body(&[]),
        DeclarationRule::new("constructor_declaration", K::Constructor),
        DeclarationRule::new("compact_constructor_declaration", K::Constructor),
        constants("constant_declaration"),
        constants("field_declaration").refine(constant),
    ],
    comments: &["line_comment", "block_comment"],
    attributes: &["annotation", "marker_annotation"],
    heads: &["package_declaration"],
    imports: &[Import {
        names: &[ImportedNameRule::leaf("scoped_identifier"), ImportedNameRule::leaf("identifier")],
        split: true,
        wildcard: "@asterisk",
        ..Import::new("import_declaration", "")
    }],
    calls: &[
        Call::new("method_invocation", ""),
        Call::new("object_creation_expression", "type"),
        Call::new("annotation", "name"),
        Call::new("marker_annotation", "name"),
    ],
    words: &["Override"],
    paths: &[
        Path::new("method_invocation", "object", "name"),
        Path::new("field_access", "object", "field"),
        Path::new("scoped_identifier", "scope", "name"),
        Path::new("scoped_type_identifier", "#0", "#-1"),
        Path::new("generic_type", "", "#0"),
    ],
    types: &["type_identifier", "scoped_type_identifier"],
    regions: &[
        Region::new("superclass", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("super_interfaces", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("extends_interfaces", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("type_arguments", Meaning::Arguments),
    ],
    names: &["type_identifier"],
    strings: &["string_literal"],
    opaque: &["string_literal"],
    typed: &[
        TypeRule::new("formal_parameter"),
        TypeRule::new("local_variable_declaration").each("declarator").value(&["value"]),
        TypeRule::new("field_declaration").each("declarator").value(&["value"]),
        TypeRule { is_item: true, ..TypeRule::new("enhanced_for_statement").value(&["value"]) },
        TypeRule::new("resource").value(&["value"]),
        TypeRule::new("instanceof_expression").ty(&["right"]),
        TypeRule::new("method_declaration").result(&["type"]),
        TypeRule::new("catch_formal_parameter").ty(&["@catch_type"]),
        TypeRule::hides("lambda_expression", "parameters"),
        TypeRule::hides("inferred_parameters", "").each("@identifier"),
        TypeRule::hides("spread_parameter", "@variable_declarator/name"),
        TypeRule::new("type_pattern").name("#-1").ty(&["#0"]),
        TypeRule::new("record_pattern_component").name("#-1").ty(&["#0"]),
        TypeRule::labels("labeled_statement", "#0"),
        TypeRule::parameter("type_parameter"),
    ],
    makes: &[("object_creation_expression", "type"), ("cast_expression", "type")],
    values: Values { has_implicit_self: true, passing: PASSING, items: items::JAVA, ..Values::NONE },
    members: &["field_access"],
    leaves: &["identifier"],
    valueless: &["break_statement", "continue_statement"],
    mentions: &[
        constructors::JAVA,
        constructors::ENUM_VALUE,
        MentionRule { node: "method_reference", read: method_reference },
        MentionRule { node: "element_value_pair", read: element },
    ],
    has_own_calls: true,
    has_inner_types: true,
    has_inherited_values: true,
    ..Table::new(|| tree_sitter_java::LANGUAGE.into())
};

/// Functions of libraries for Java and Kotlin that return their first argument.
pub(super) const PASSING: &[PassingFunction] = &[
    PassingFunction { name: "verify", owner: "Mockito", library: "org.mockito" },
    PassingFunction { name: "when", owner: "Mockito", library: "org.mockito" },
    PassingFunction { name: "whenever", owner: "Mockito", library: "org.mockito" },
    PassingFunction { name: "spy", owner: "Mockito", library: "org.mockito" },
    PassingFunction { name: "requireNonNull", owner: "Objects", library: "java.util." },
    PassingFunction { name: "checkNotNull", owner: "Preconditions", library: "com.google.common.base" },
];

/// Adds the element of an annotation that gets a value: `@Retry(times = 3)` calls `Retry.times`.
fn element<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let annotation = node.parent().and_then(|list| list.parent());
    let of = annotation.and_then(|annotation| annotation.child_by_field_name("name"));
    let (Some(key), Some(of)) = (node.child_by_field_name("key"), of) else { return };
    let [name, of] = [key, of].map(|one| text.get(one.byte_range()).unwrap_or_default());
    found.push(Mention::new(offset(key.start_byte()), ReferenceKind::Call, name, Cow::Borrowed(of)));
}

/// Adds the method of `Cart::total`, or the type of `Cart::new`, as a call.
fn method_reference<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let n = node.child_count();
    let (Some(object), Some(last)) = (node.child(0), n.checked_sub(1).and_then(|at| node.child(at))) else {
        return;
    };
    let written = text.get(object.byte_range()).unwrap_or_default();
    let path = written.split(['<', '[']).next().unwrap_or_default();
    let (name, qualifier, at) = match last.kind() {
        "identifier" => (text.get(last.byte_range()).unwrap_or_default(), path, last.start_byte()),
        _ => {
            let start = path.rfind('.').map_or(0, |at| at + 1);
            let (before, name) = path.split_at_checked(start).unwrap_or_default();
            (name, before.trim_end_matches('.'), object.start_byte() + start)
        }
    };
    if !name.is_empty() && identifiers::is_plain(name) {
        let qualifier = if identifiers::is_plain(qualifier) { qualifier } else { SOME };
        found.push(Mention::new(offset(at), ReferenceKind::Call, name, Cow::Borrowed(qualifier)));
    }
}

/// Returns a rule for constants: `int A = 1, B = 2`.
const fn constants(node: &'static str) -> DeclarationRule {
    DeclarationRule::new(node, K::Constant)
        .parts(|node| in_field(node, "declarator"))
        .name(Name::At(&["name"]))
        .body(&["value"])
        .scope(Scope::Outside)
}

/// Accepts fields that are `static final`.
fn constant(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let Some(first) = node.child_by_field_name("declarator").filter(|_| found.name.is_some()) else {
        return false;
    };
    let modifiers = text.get(node.start_byte()..first.start_byte()).unwrap_or_default();
    let has = |word| modifiers.split_whitespace().any(|one| one == word);
    has("static") && has("final")
}
