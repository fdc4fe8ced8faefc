//! Scala, versions 2 and 3.
//!
//! Tests are declared by calls, and in some styles by operators (`"A stack" should "pop" in {…}`).

use super::extensions;
use super::type_aliases;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::parts::of_pattern;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, MentionRule, Name, Path,
    PatternNames, Region, Scope, Table, TypeRule, Values,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use tree_sitter::Node;

/// Scala's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_definition", K::Class),
        DeclarationRule::new("object_definition", K::Class),
        DeclarationRule::new("trait_definition", K::Interface),
        DeclarationRule::new("enum_definition", K::Enum),
        DeclarationRule::new("package_object", K::Module),
        DeclarationRule::new("package_clause", K::Module).refine(has_body),
        DeclarationRule::new("given_definition", K::Implementation).refine(given),
        DeclarationRule::new("extension_definition", K::Implementation).name(Name::At(&[
            "parameters",
            "#0",
            "type",
        ])),
        DeclarationRule::new("function_definition", K::Function),
        DeclarationRule::new("function_declaration", K::Function).body(&[]),
        values("val_definition"),
        values("var_definition"),
        DeclarationRule::new("type_definition", K::Type).body(&["type"]).scope(Scope::Outside),
        DeclarationRule::new("call_expression", K::Test)
            .name(Name::At(&["function", "arguments", "#0"]))
            .body(&["arguments"])
            .refine(test),
        DeclarationRule::new("infix_expression", K::Test)
            .name(Name::At(&["left"]))
            .body(&["right"])
            .refine(infix_test),
    ],
    comments: &["comment", "block_comment"],
    detached: &["#!"],
    attributes: &["annotation"],
    heads: &["package_clause"],
    imports: &[Import {
        names: &[
            ImportedNameRule::aliased("arrow_renamed_identifier", "name", "alias"),
            ImportedNameRule::aliased("as_renamed_identifier", "name", "alias"),
            ImportedNameRule::leaf("identifier"),
        ],
        split: true,
        wildcard: "@namespace_wildcard",
        ..Import::new("import_declaration", "path+")
    }],
    calls: &[
        Call::new("call_expression", "function"),
        Call::new("infix_expression", "operator").word(),
        Call::new("instance_expression", "#0"),
        Call::new("annotation", "name"),
    ],
    words: &["in", "must", "should", "when"],
    paths: &[
        Path::new("field_expression", "value", "field"),
        Path::new("generic_function", "", "function"),
        Path::new("generic_type", "", "type"),
        Path::new("stable_type_identifier", "#0", "#-1"),
        // Its text is the whole path.
        Path::new("package_identifier", "", ""),
    ],
    types: &["type_identifier", "stable_type_identifier"],
    regions: &[
        Region::new("extends_clause", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("derives_clause", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("arguments", Meaning::Nothing),
        Region::new("type_arguments", Meaning::Arguments),
    ],
    strings: &["string"],
    texts: &["interpolated_string"],
    constructors: &["this"],
    opaque: &["string"],
    typed: &[
        TypeRule::new("parameter"),
        TypeRule::new("class_parameter"),
        TypeRule::new("val_definition").name("pattern").value(&["value"]),
        TypeRule::new("var_definition").name("pattern").value(&["value"]),
        TypeRule::new("val_declaration"),
        TypeRule::new("var_declaration"),
        TypeRule::new("typed_pattern").name("pattern"),
        TypeRule::new("function_definition").result(&["return_type"]),
        TypeRule::new("function_declaration").result(&["return_type"]),
        TypeRule::new("binding"),
        TypeRule::hides("lambda_expression", "parameters"),
        TypeRule::hides("enumerator", "#0"),
        TypeRule::hides("case_clause", "pattern").names(PatternNames::Lower),
        TypeRule::parameter("type_parameters"),
        TypeRule::parameter("covariant_type_parameter"),
    ],
    makes: &[("instance_expression", "#0")],
    values: Values { constructs: true, has_implicit_self: true, ..Values::NONE },
    members: &["field_expression"],
    leaves: &["identifier"],
    discards: true,
    has_inner_types: true,
    mentions: &[type_aliases::SCALA, MentionRule { node: "class_definition", read: extended }],
    has_inherited_values: true,
    ..Table::new(|| tree_sitter_scala::LANGUAGE.into())
};

/// Adds the type that an implicit class extends: that of its only parameter.
fn extended<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let (Some(name), Some(parameters)) =
        (node.child_by_field_name("name"), node.child_by_field_name("class_parameters"))
    else {
        return;
    };
    let head = text.get(node.start_byte()..name.start_byte()).unwrap_or_default();
    let is_implicit = head.split_whitespace().any(|word| word == "implicit");
    let first = parameters.named_child(0).filter(|_| is_implicit && parameters.named_child_count() == 1);
    let ty = first.and_then(|first| first.child_by_field_name("type"));
    found.extend(ty.and_then(|ty| extensions::extends(offset(node.start_byte()), of(ty), of(name))));
}

/// Returns a rule for values: `val a, b = 1`, `val (a, b) = c`.
const fn values(node: &'static str) -> DeclarationRule {
    DeclarationRule::new(node, K::Variable)
        .parts(|node| of_pattern(step(node, "pattern"), &[("identifiers", ""), ("tuple_pattern", "")]))
        .body(&["value"])
        .scope(Scope::Outside)
        .refine(value)
}

/// Rejects `package x`, which has no end.
fn has_body(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    found.body.is_some()
}

/// Names a `given` without a name after its type.
fn given<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.name = found.name.or_else(|| node.child_by_field_name("return_type"));
    true
}

/// Accepts values of an object or at the top level; `val X` is a constant.
fn value<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(name) = found.name.filter(|name| name.kind() == "identifier") else { return false };
    let is_capital = text.get(name.byte_range()).is_some_and(|name| name.starts_with(char::is_uppercase));
    if is_capital && node.kind() == "val_definition" {
        found.kind = K::Constant;
    }
    matches!(
        found.around,
        ["template_body", "object_definition" | "package_object"]
            | ["compilation_unit" | "package_clause", _]
    )
}

/// Accepts `test("…") {…}` and `it("…") {…}`.
fn test<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let function = node.child_by_field_name("function").and_then(|call| call.child_by_field_name("function"));
    let word = function.and_then(|word| text.get(word.byte_range())).unwrap_or_default();
    let is_block = found.body.is_some_and(|body| body.kind() == "block");
    is_block
        && found.name.is_some_and(|name| name.kind() == "string")
        && matches!(
            word,
            "test" | "it" | "describe" | "property" | "feature" | "Feature" | "scenario" | "Scenario"
        )
}

/// Accepts `"A stack" should "pop" in {…}`.
fn infix_test<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let operator = node.child_by_field_name("operator").and_then(|word| text.get(word.byte_range()));
    if !matches!(operator, Some("in" | "should" | "when" | "must"))
        || found.body.is_none_or(|body| body.kind() != "block")
    {
        return false;
    }
    let name = found.name.and_then(|left| left.child_by_field_name("right")).or(found.name);
    found.name = name.filter(|name| name.kind() == "string");
    found.name.is_some()
}
