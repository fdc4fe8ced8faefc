//! Groovy, and Gradle's build scripts.
//!
//! As in Java, and functions of scripts. The tasks that a build registers are functions, and a
//! feature of Spock is a method under its sentence.

use super::groovy_text;
use crate::index::chunk::parts::of_kind;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Meaning, Name, Path, Region, Scope, Table, TypeRule,
    Values,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use tree_sitter::Node;

const MEMBER: Path = Path::new("field_access", "object", "field");

/// Groovy's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_declaration", K::Class).refine(class),
        DeclarationRule::new("interface_declaration", K::Interface),
        DeclarationRule::new("annotation_type_declaration", K::Interface),
        DeclarationRule::new("record_declaration", K::Struct),
        DeclarationRule::new("enum_declaration", K::Enum),
        DeclarationRule::new("enum_constant", K::Variant).body(&[]),
        DeclarationRule::new("method_declaration", K::Function),
        DeclarationRule::new("constructor_declaration", K::Function).refine(constructor),
        DeclarationRule { kind: K::Field, ..variables("field_declaration") }.refine(field),
        variables("local_variable_declaration").scope(Scope::Top).refine(variable),
        variables("multi_assignment_declaration").scope(Scope::Top).refine(variable),
        DeclarationRule::new("method_invocation", K::Function).name(Name::Refined).body(&[]).refine(task),
        DeclarationRule::new("command_chain", K::Function).name(Name::Refined).body(&[]).refine(old_task),
    ],
    comments: &["line_comment", "block_comment", "groovydoc_comment"],
    detached: &["#!"],
    attributes: &["annotation"],
    heads: &["package_declaration", "shebang"],
    imports: &[Import { alias: "alias", split: true, ..Import::new("import_declaration", "name") }],
    calls: &[
        Call::new("method_invocation", "function"),
        Call::new("command_chain", "receiver"),
        Call::new("object_creation_expression", "type"),
        Call::new("annotation", "name"),
    ],
    words: &[
        "Override", "String", "and", "boolean", "def", "double", "int", "long", "void", "doFirst", "doLast",
        "expect", "given", "print", "println", "task", "then", "when", "where",
    ],
    paths: &[
        MEMBER,
        Path { node: "direct_field_access_expression", ..MEMBER },
        Path::new("safe_navigation_expression", "object", "property"),
        Path::new("spread_dot_expression", "object", "property"),
        // Their text is the whole path.
        Path::new("qualified_name", "", ""),
        Path::new("qualified_type", "", ""),
        Path::new("generic_type", "", "base"),
    ],
    types: &["type_identifier", "qualified_type"],
    regions: &[
        Region::new("superclass", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("super_interfaces", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("extends_interfaces", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("type_arguments", Meaning::Arguments),
    ],
    names: &["type_identifier"],
    strings: &["string_literal", "quoted_identifier"],
    typed: &[
        TypeRule::new("formal_parameter"),
        TypeRule::new("local_variable_declaration").each("@variable_declarator").value(&["value"]),
        TypeRule::new("field_declaration").each("@variable_declarator").value(&["value"]),
        TypeRule::new("method_declaration").result(&["return_type"]),
        TypeRule::hides("closure_parameter", "name"),
    ],
    makes: &[("object_creation_expression", "type"), ("cast_expression", "type")],
    values: Values { has_implicit_self: true, ..Values::NONE },
    members: &["field_access"],
    has_own_calls: true,
    constructors: &["="],
    mask: Some(groovy_text::typed),
    nested: Some(groovy_text::nested),
    leaves: &["identifier"],
    ..Table::new(|| dekobon_tree_sitter_groovy::LANGUAGE.into())
};

/// Returns a rule for variables: `int a, b = 2`.
const fn variables(node: &'static str) -> DeclarationRule {
    DeclarationRule::new(node, K::Variable)
        .parts(declarators)
        .name(Name::At(&["name"]))
        .body(&["value"])
        .scope(Scope::Outside)
}

/// Returns the variables that a node declares. One with a type can be the node itself.
fn declarators(node: Node<'_>) -> Vec<Node<'_>> {
    let all = of_kind(node, "variable_declarator");
    if all.is_empty() { vec![node] } else { all }
}

/// Makes a trait an interface: the parser sees another word.
fn class<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let mut cursor = node.walk();
    let word = node.children(&mut cursor).find(|one| one.kind() == "class");
    if word.and_then(|word| text.get(word.byte_range())) == Some("trait") {
        found.kind = K::Interface;
    }
    true
}

/// Rejects statements: the grammar reads `for (a in b) {` in a broken class as a constructor.
fn constructor<'tree>(text: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    const WORDS: [&str; 8] = ["catch", "else", "finally", "for", "if", "switch", "try", "while"];
    let name = found.name.and_then(|name| text.get(name.byte_range()));
    name.is_some_and(|name| !WORDS.contains(&name))
}

/// Makes `static class A` a class: the grammar reads a type inside another one as a field.
fn field<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let word = node.child_by_field_name("type").and_then(|one| text.get(one.byte_range()));
    match word {
        Some("class") => found.kind = K::Class,
        Some("enum") => found.kind = K::Enum,
        Some("interface" | "trait") => found.kind = K::Interface,
        _ => {}
    }
    true
}

/// Accepts variables at the top level of a script.
fn variable<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.around[0] == "source_file"
}

/// Accepts `tasks.register('name')`, `task('name')` and `task name(type: A)` of Gradle.
fn task<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let function = node.child_by_field_name("function");
    if is_behind_task(text, node) {
        found.name = function.filter(|one| one.kind() == "identifier");
        return found.name.is_some();
    }
    let written = function.and_then(|one| text.get(one.byte_range()));
    if !matches!(written, Some("tasks.register" | "tasks.create" | "task")) {
        return false;
    }
    let first = node.child_by_field_name("arguments").and_then(|arguments| arguments.named_child(0));
    found.name = first.filter(|first| matches!(first.kind(), "string_literal" | "identifier"));
    // The closure behind the call is its body.
    found.name.is_some()
}

/// Accepts `task name { … }`, which the grammar reads as two statements.
fn old_task<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let receiver = node.child_by_field_name("receiver");
    found.name = receiver.filter(|one| is_behind_task(text, node) && one.kind() == "identifier");
    found.name.is_some()
}

/// Returns whether the word `task` is all that its line has before a node.
fn is_behind_task(text: &str, node: Node<'_>) -> bool {
    let before = text.get(..node.start_byte()).unwrap_or_default();
    let is_blank = |c| matches!(c, ' ' | '\t');
    let line =
        before.trim_end_matches(is_blank).strip_suffix("task").map(|line| line.trim_end_matches(is_blank));
    line.is_some_and(|line| line.is_empty() || line.ends_with('\n')) && before.ends_with(is_blank)
}
