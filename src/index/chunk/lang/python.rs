//! Python.
//!
//! A docstring is the first statement of a body. Deeply indented files are not parsed, because the
//! scanner would run out of room for the levels.

use super::items;
use super::{python_abstract, python_fixtures, python_strings};
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::parts::of_pattern;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, MentionRule, Name, Path,
    Region, Scope, Table, TypeRule, Values, WrapperRule,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use std::collections::BTreeSet;
use tree_sitter::Node;

/// Reads what a class says of its methods and supertypes.
fn class<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    python_abstract::methods(text, node, found);
    python_strings::in_supertypes(text, node, found);
}

/// Python's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_definition", K::Class).inherits(&["superclasses"]),
        DeclarationRule::new("function_definition", K::Function),
        DeclarationRule::new("assignment", K::Variable)
            .parts(|node| of_pattern(step(node, "left"), PATTERNS))
            .body(&["right"])
            .scope(Scope::Outside)
            .refine(variable),
        DeclarationRule::new("type_alias_statement", K::Type)
            .name(Name::At(&["left", "#0"]))
            .body(&["right"])
            .refine(alias),
        DeclarationRule::new("call", K::Module)
            .name(Name::Refined)
            .body(&["arguments"])
            .scope(Scope::Top)
            .refine(target),
    ],
    wrappers: &[WrapperRule::decorators("decorated_definition"), WrapperRule::new("expression_statement")],
    attributes: &["decorator"],
    heads: &["future_import_statement"],
    imports: &[
        Import { names: NAMES, ..Import::new("import_statement", "") },
        Import { names: FROM, ..Import::new("import_from_statement", "module_name") },
    ],
    calls: &[Call::new("call", "function"), Call::new("decorator", "#0")],
    paths: &[Path::new("attribute", "object", "attribute")],
    regions: &[
        Region::new("type", Meaning::Refers(ReferenceKind::Type)),
        Region::new("type_parameter", Meaning::Refers(ReferenceKind::Type)),
        Region::new("subscript", Meaning::Arguments).except("value"),
        Region::new("keyword_argument", Meaning::Nothing),
    ],
    names: &["identifier"],
    strings: &["string"],
    docstrings: &["expression_statement"],
    constructors: &["__init__", "__new__"],
    opaque: &["integer", "float", "dotted_name"],
    fits: Some(fits),
    typed: &[
        TypeRule::new("typed_parameter").name("#0"),
        TypeRule::new("typed_default_parameter"),
        TypeRule { is_assigned: true, ..TypeRule::new("assignment").name("left").value(&["right"]) },
        TypeRule::new("named_expression").ty(&[]).value(&["value"]),
        TypeRule::new("function_definition").result(&["return_type"]),
        TypeRule {
            is_decorator: true,
            ..TypeRule::new("decorated_definition")
                .name("@function_definition/name")
                .ty(&["@function_definition/return_type"])
                .value(&["@decorator/#0"])
        },
        TypeRule::new("dictionary_splat_pattern").name("#0"),
        TypeRule::new("list_splat_pattern").name("#0"),
        TypeRule::hides("parameters", "").each("@identifier"),
        TypeRule::hides("lambda_parameters", "").each("@identifier"),
        TypeRule::hides("default_parameter", "name"),
        TypeRule::item("for_statement", "left", &["right"]),
        comprehension("dictionary_comprehension"),
        comprehension("generator_expression"),
        comprehension("list_comprehension"),
        comprehension("set_comprehension"),
        TypeRule::test("if_statement"),
        TypeRule::test("elif_clause"),
        TypeRule::test("while_statement"),
        TypeRule::test("conditional_expression"),
        TypeRule::test("assert_statement"),
        TypeRule::hides("case_pattern", ""),
        TypeRule::new("as_pattern").name("alias").ty(&[]).value(&["#0"]),
    ],
    values: Values {
        failures: &["Awaitable", "Coroutine"],
        callables: &["Callable"],
        parameters: &["ParamSpec", "TypeVar", "TypeVarTuple"],
        properties: &["cached_property", "property"],
        wrappers: &["Annotated", "ClassVar", "Final", "Optional", "Type", "type"],
        constructs: true,
        items: items::PYTHON,
        is_retyped: true,
        ..Values::NONE
    },
    literals: &[
        ("concatenated_string", "str"),
        ("dictionary", "dict"),
        ("dictionary_comprehension", "dict"),
        ("dictionary_splat_pattern", "dict"),
        ("list", "list"),
        ("list_comprehension", "list"),
        ("list_splat_pattern", "tuple"),
        ("set", "set"),
        ("set_comprehension", "set"),
        ("string", "str"),
        ("tuple", "tuple"),
    ],
    members: &["attribute"],
    leaves: &["identifier"],
    has_labels: false,
    has_function_scope: true,
    mentions: &[
        MentionRule { node: "assignment", read: exported },
        MentionRule { node: "augmented_assignment", read: exported },
        python_fixtures::TESTS,
        python_fixtures::FIXTURES,
        python_fixtures::USED,
        MentionRule { node: "call", read: python_strings::in_call },
        MentionRule { node: "class_definition", read: class },
        MentionRule { node: "type", read: python_strings::in_annotation },
    ],
    has_inner_types: true,
    ..Table::new(|| tree_sitter_python::LANGUAGE.into())
};

/// Returns a rule for the variables of a comprehension, which its first expression sees.
const fn comprehension(node: &'static str) -> TypeRule {
    TypeRule::item(node, "left", &["right"]).each("@for_in_clause")
}

const NAMES: &[ImportedNameRule] =
    &[ImportedNameRule::leaf("dotted_name"), ImportedNameRule::aliased("aliased_import", "name", "alias")];
const FROM: &[ImportedNameRule] = &[
    ImportedNameRule::leaf("dotted_name"),
    ImportedNameRule::aliased("aliased_import", "name", "alias"),
    ImportedNameRule::leaf("wildcard_import"),
];

/// Patterns that an assignment takes a value apart with.
const PATTERNS: &[(&str, &str)] =
    &[("pattern_list", ""), ("tuple_pattern", ""), ("list_pattern", ""), ("list_splat_pattern", "#0")];

/// Names `type A[T] = …` without its parameters.
fn alias<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if let Some(generic) = found.name.filter(|name| name.kind() == "generic_type") {
        found.name = generic.named_child(0);
    }
    true
}

/// Statements at the start of a file, one of which imports something in most programs.
const MAX_FIRST: u32 = 4;

/// Accepts the rule of a build that makes a target: `cc_library(name = "core", …)` of Starlark. It
/// is a statement with named arguments only. Starlark has no `import`, so a file that begins with
/// one is a program.
fn target<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let is_rule = node.child_by_field_name("function").is_some_and(|one| one.kind() == "identifier");
    if found.around != ["expression_statement", "module"] || !is_rule {
        return false;
    }
    let Some(arguments) = node.child_by_field_name("arguments") else { return false };
    let mut cursor = arguments.walk();
    for argument in arguments.named_children(&mut cursor).filter(|one| one.kind() != "comment") {
        if argument.kind() != "keyword_argument" {
            return false;
        }
        let key = argument.child_by_field_name("name").and_then(|key| text.get(key.byte_range()));
        let value = argument.child_by_field_name("value").filter(|value| value.kind() == "string");
        if key == Some("name") && found.name.is_none() {
            found.name = value.filter(|value| step(*value, "@interpolation").is_none());
        }
    }
    found.name.is_some() && !begins_with_import(node)
}

/// Returns whether one of the first statements around a top-level call imports something.
fn begins_with_import(call: Node<'_>) -> bool {
    let module = call.parent().and_then(|statement| statement.parent());
    let first = |at| module.and_then(|module| module.named_child(at));
    (0..MAX_FIRST).filter_map(first).any(|one| one.kind().starts_with("import_"))
}

/// Adds the names that a module lists in `__all__`
/// (<https://docs.python.org/3/reference/simple_stmts.html#the-import-statement>).
fn exported<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let left = node.child_by_field_name("left").and_then(|left| text.get(left.byte_range()));
    let Some(list) = node.child_by_field_name("right").filter(|_| left == Some("__all__")) else { return };
    if !matches!(list.kind(), "list" | "tuple") {
        return;
    }
    let mut cursor = list.walk();
    for item in list.named_children(&mut cursor).filter(|item| item.kind() == "string") {
        let content = item.named_children(&mut item.walk()).find(|part| part.kind() == "string_content");
        let Some(content) = content else { continue };
        let name = text.get(content.byte_range()).unwrap_or_default();
        if identifiers::is_plain(name) {
            found.push(Mention::new(
                offset(content.start_byte()),
                ReferenceKind::Use,
                name,
                Cow::Borrowed(""),
            ));
        }
    }
}

/// Accepts assignments to a plain name. A name in capitals is a constant; in a class only constants
/// count.
fn variable(text: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let Some(name) = found.name.filter(|name| name.kind() == "identifier") else { return false };
    let name = text.get(name.byte_range()).unwrap_or_default();
    if name.chars().all(|c| !c.is_lowercase()) && name.chars().any(char::is_uppercase) {
        found.kind = K::Constant;
    }
    found.kind == K::Constant || matches!(found.within, None | Some(K::Module))
}

/// Levels of indentation that the scanner has room for: two bytes each, besides 255 open strings.
const MAX_LEVELS: usize = 380;

/// Returns whether the scanner has room for the levels of indentation. Each level is deeper than
/// the one around it. So there are at most as many as different widths of white space after a
/// line's end, as the scanner measures them.
fn fits(text: &str) -> bool {
    let mut widths = BTreeSet::new();
    let mut width: u16 = 0;
    let mut begins = true;
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b' ' => width = width.wrapping_add(1),
            b'\t' => width = width.wrapping_add(8),
            b'\n' => (width, begins) = (0, true),
            b'\r' | 0x0C => width = 0,
            b'\\' if matches!(bytes.peek(), Some(b'\r' | b'\n')) => {
                // The next line continues with this one's width.
                let is_both = bytes.next() == Some(b'\r');
                bytes.next_if(|&next| is_both && next == b'\n');
            }
            _ => {
                if begins {
                    widths.insert(width);
                }
                (width, begins) = (0, false);
            }
        }
    }
    widths.len() <= MAX_LEVELS
}
