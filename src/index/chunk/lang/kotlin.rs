//! Kotlin.
//!
//! An extension function belongs to the type that it extends. Properties of a class count only with
//! code of their own. The tasks that a build script of Gradle registers are functions.

use super::constructors;
use super::items;
use super::kotlin_mask;
use super::namespaces::own_namespace;
use super::type_aliases;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::node::range;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Meaning, MentionRule, Name, Path, Region, Scope,
    Table, TypeRule, Values,
};
use crate::index::chunk::types::SOME;
use crate::index::chunk::{ByteRange, DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Kotlin's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_declaration", K::Class).body(&["@class_body"]).refine(class),
        DeclarationRule::new("object_declaration", K::Class).body(&["@class_body"]),
        DeclarationRule::new("companion_object", K::Class).body(&["@class_body"]),
        DeclarationRule::new("function_declaration", K::Function).body(&["@function_body"]).refine(function),
        DeclarationRule::new("secondary_constructor", K::Constructor)
            .name(Name::At(&["@constructor"]))
            .body(&["@block"]),
        DeclarationRule::new("property_declaration", K::Variable)
            .name(Name::At(&["@variable_declaration", "@identifier"]))
            .body(&[])
            .scope(Scope::Outside)
            .refine(property),
        TASK,
        DeclarationRule { node: "binary_expression", ..TASK },
        DeclarationRule::new("type_alias", K::Type).name(Name::At(&["type"])).body(&["#-1"]),
    ],
    comments: &["line_comment", "block_comment"],
    detached: &["#!"],
    attributes: &["annotation"],
    heads: &["package_header", "file_annotation", "shebang"],
    imports: &[Import {
        alias: "@identifier",
        split: true,
        wildcard: "@*",
        ..Import::new("import", "@qualified_identifier")
    }],
    calls: &[Call::new("call_expression", "#0"), Call::new("annotation", "#-1")],
    paths: &[
        Path::new("navigation_expression", "#0", "#-1"),
        Path::new("constructor_invocation", "", "#0"),
        Path::new("user_type", "", "@@identifier"),
    ],
    types: &["user_type"],
    regions: &[
        Region::new("delegation_specifiers", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("value_arguments", Meaning::Nothing),
        Region::new("type_arguments", Meaning::Arguments),
    ],
    strings: &["string_literal"],
    texts: &["multiline_string_literal"],
    opaque: &["annotation", "file_annotation"],
    mask: Some(kotlin_mask::readable),
    fits: Some(fits),
    typed: &[
        TypeRule::new("parameter").name("@identifier").ty(&["@user_type", "@nullable_type"]),
        TypeRule::new("class_parameter").name("@identifier").ty(&["@user_type", "@nullable_type"]),
        TypeRule::new("property_declaration")
            .name("@variable_declaration/@identifier")
            .ty(&["@variable_declaration/@user_type", "@variable_declaration/@nullable_type"])
            .value(&["#-1"]),
        TypeRule::new("function_declaration").result(&["@@user_type", "@@nullable_type"]).after(),
        TypeRule::hides("lambda_parameters", "@identifier").each("@variable_declaration"),
        TypeRule::item("for_statement", "@variable_declaration/@identifier", &["#1"]),
        TypeRule::hides("multi_variable_declaration", "@identifier").each("@variable_declaration"),
        TypeRule::test("if_expression"),
        TypeRule::test("when_entry"),
        TypeRule::hides("catch_block", "@identifier"),
        TypeRule::labels("labeled_expression", "@identifier"),
        TypeRule::hides("setter", "@identifier"),
        TypeRule::new("when_subject")
            .name("@variable_declaration/@identifier")
            .ty(&["@variable_declaration/@user_type", "@variable_declaration/@nullable_type"])
            .value(&["#-1"]),
        TypeRule::parameter("type_parameter"),
        TypeRule::constraint("type_constraint"),
    ],
    makes: &[("as_expression", "right")],
    values: Values {
        passing: super::java::PASSING,
        same: &["also", "apply"],
        constructs: true,
        has_implicit_self: true,
        items: items::KOTLIN,
        ..Values::NONE
    },
    members: &["navigation_expression"],
    leaves: &["identifier"],
    sees_all: true,
    mentions: &[
        constructors::KOTLIN,
        type_aliases::KOTLIN,
        NAMESPACE,
        MentionRule { node: "binary_expression", read: generic_call },
        MentionRule { node: "annotation", read: annotation },
    ],
    has_inner_types: true,
    ..Table::new(|| tree_sitter_kotlin_ng::LANGUAGE.into())
};

/// Adds the types in the arguments of an annotation (`@Throws(IOException::class)`), and the
/// annotations behind it that the parser does not see.
fn annotation<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    kotlin_mask::named_classes(text, node.byte_range(), found);
    kotlin_mask::hidden_annotations(text, node, found);
}

const TASK: DeclarationRule = DeclarationRule::new("call_expression", K::Function)
    .name(Name::Refined)
    .body(&["@annotated_lambda"])
    .refine(task);

/// Calls of Gradle that make a task.
const TASKS: [&str; 4] = ["tasks.register", "tasks.create", "tasks.maybeCreate", "task"];

/// Accepts `tasks.register("name") { … }`, also with a type: `tasks.register<Copy>("name")`. The
/// grammar takes that for two comparisons if no block follows.
fn task<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let is = |node: Node<'_>, kind: &str| node.kind() == kind;
    // A block makes a call of a call. The outer one declares the task.
    if found.around[0] == "call_expression" {
        return false;
    }
    if spec(text, node, found) {
        return true;
    }
    if found.within.is_some_and(|within| matches!(within, K::Function | K::Method | K::Constructor)) {
        return false;
    }
    let (called, arguments) = if is(node, "binary_expression") {
        let comparison = node.child_by_field_name("left").filter(|left| is(*left, "binary_expression"));
        let called = comparison.and_then(|inner| inner.child_by_field_name("left"));
        (called, node.child_by_field_name("right").filter(|right| is(*right, "parenthesized_expression")))
    } else {
        let first = node.named_child(0);
        let call = first.filter(|first| is(*first, "call_expression")).unwrap_or(node);
        (call.named_child(0), child(call, "value_arguments"))
    };
    let written = called.and_then(|called| text.get(called.byte_range()));
    if !written.is_some_and(|written| TASKS.contains(&written)) {
        return false;
    }
    let first = arguments.and_then(|arguments| arguments.named_child(0));
    let first =
        first.map(|first| if is(first, "value_argument") { first.named_child(0) } else { Some(first) });
    found.name = first.flatten().filter(|name| is(*name, "string_literal"));
    found.name.is_some_and(|name| child(name, "interpolation").is_none())
}

/// Functions of Kotest that begin a test or a group of tests.
const SPECS: [&str; 12] = [
    "context", "describe", "expect", "feature", "given", "it", "scenario", "should", "test", "then", "when",
    "xtest",
];

/// Names a test of Kotest in the class of a specification: `"adds" {…}` and `test("adds") {…}`.
fn spec<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if !matches!(found.within, Some(K::Class | K::Test)) || node.kind() != "call_expression" {
        return false;
    }
    let Some(block) = child(node, "annotated_lambda") else { return false };
    let Some(called) = node.named_child(0) else { return false };
    let name = match called.kind() {
        "string_literal" => Some(called),
        "call_expression" => {
            let word = called.named_child(0).and_then(|word| text.get(word.byte_range()));
            let arguments = child(called, "value_arguments").filter(|list| list.named_child_count() > 0);
            let first =
                arguments.filter(|_| word.is_some_and(|word| SPECS.contains(&word.trim_matches('`'))));
            let first = first.and_then(|list| list.named_child(0));
            let inner = first.and_then(|first| step(first, "@string_literal").or(Some(first)));
            inner.filter(|name| name.kind() == "string_literal")
        }
        _ => None,
    };
    let Some(name) = name.filter(|name| child(*name, "interpolation").is_none()) else { return false };
    (found.kind, found.name, found.body) = (K::Test, Some(name), Some(block));
    true
}

/// The package of the file: an import of all its names, marked by the word.
const NAMESPACE: MentionRule = MentionRule {
    node: "package_header",
    read: |text, node, found| {
        let name = child(node, "qualified_identifier").and_then(|name| text.get(name.byte_range()));
        found.extend(name.and_then(|name| own_namespace(node, name, "package")));
    },
};

/// Adds the call of a function with a type argument, `f<A>(b)` or `f<A> { b }`, which the grammar
/// takes for two comparisons.
fn generic_call<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let part = |node: Node<'_>, field: &str| node.child_by_field_name(field).map(of);
    let is_call = part(node, "operator") == Some(">")
        && node
            .child_by_field_name("right")
            .is_some_and(|right| matches!(right.kind(), "parenthesized_expression" | "lambda_literal"));
    let inner = node.child_by_field_name("left").filter(|left| is_call && left.kind() == "binary_expression");
    let Some(inner) = inner.filter(|inner| part(*inner, "operator") == Some("<")) else { return };
    let Some(function) = inner.child_by_field_name("left") else { return };
    // A comparison has a space in front of its sign.
    let is_close = text.as_bytes().get(function.end_byte()) == Some(&b'<');
    let is_type = part(inner, "right").is_some_and(|right| right.starts_with(char::is_uppercase));
    let name = match function.kind() {
        "identifier" => Some(function),
        "navigation_expression" => step(function, "#-1").filter(|name| name.kind() == "identifier"),
        _ => None,
    };
    if let Some(name) = name.filter(|_| is_close && is_type) {
        let before = text.get(function.start_byte()..name.start_byte()).unwrap_or_default();
        let object = before.trim_end().trim_end_matches(['.', '?']);
        let qualifier = if identifiers::is_plain(object) { object } else { SOME };
        let at = offset(name.start_byte());
        found.push(Mention::new(at, ReferenceKind::Call, of(name), Cow::Borrowed(qualifier)));
    }
}

/// Returns whether the scanner finds an end after the last `@`. It looks for the end of the line
/// and not for that of the text, so without a line feed it never stops.
fn fits(text: &str) -> bool {
    text.rsplit_once('@').is_none_or(|(_, rest)| rest.contains('\n'))
}

/// Returns the first child of a kind.
fn child<'tree>(node: Node<'tree>, kind: &str) -> Option<Node<'tree>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|child| child.kind() == kind)
}

/// Distinguishes interfaces and enumerations, which the grammar treats as classes.
fn class<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let modifiers = child(node, "modifiers").and_then(|list| text.get(list.byte_range())).unwrap_or_default();
    if child(node, "interface").is_some() {
        found.kind = K::Interface;
    } else if modifiers.split_whitespace().any(|word| word == "enum") {
        found.kind = K::Enum;
        found.body = child(node, "enum_class_body");
    }
    true
}

/// Assigns `fun T.f()` to `T`.
fn function<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    assign(node, found);
    true
}

/// Assigns an extension to the type in front of its name, which can be in another one: `fun
/// Outer.Inner.f()`.
fn assign<'tree>(node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) {
    let ty = child(node, ".").and_then(|dot| dot.prev_named_sibling());
    // `String?`
    let inner = ty.filter(|ty| ty.kind() == "nullable_type").and_then(|ty| ty.named_child(0));
    found.owner = inner.or(ty);
    let last = found.owner.and_then(|owner| step(owner, "@@identifier"));
    let (Some(owner), Some(last)) = (found.owner, last) else { return };
    found.path = Some(ByteRange { start: range(owner).start, end: range(last).start });
}

/// Accepts top-level properties, constants, and properties with code of their own.
fn property<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let modifiers = child(node, "modifiers").and_then(|list| text.get(list.byte_range())).unwrap_or_default();
    let accessor = child(node, "getter").or_else(|| child(node, "property_delegate"));
    found.body = accessor.or_else(|| child(node, "=").and_then(|sign| sign.next_named_sibling()));
    let is_constant = modifiers.split_whitespace().any(|word| word == "const");
    assign(node, found);
    if is_constant {
        found.kind = K::Constant;
    } else if found.owner.is_some() {
        found.kind = K::Field;
    } else if found.around[0].ends_with("class_body") {
        found.kind = K::Field;
        return accessor.is_some();
    }
    true
}
