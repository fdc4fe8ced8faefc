//! PHP, including the text around it.
//!
//! A file imports names with `use` and other files with `require` or `include`. Properties count if
//! they hold data: those of the class itself, and those whose value is an array. Those with code of
//! their own count, too.

use super::constructors;
use super::namespaces::own_namespace;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, MentionRule, Name, Path,
    Region, Scope, Table, TypeRule, Values, WrapperRule,
};
use crate::index::chunk::type_rule::ObjectRules;
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Where `$this` is another object than one of the class around. A closure keeps it.
const OBJECTS: ObjectRules = ObjectRules {
    functions: &[],
    methods: &["method_declaration"],
    objects: &["anonymous_class"],
    types: &["class_declaration", "enum_declaration", "trait_declaration"],
};

/// PHP's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_declaration", K::Class),
        DeclarationRule::new("interface_declaration", K::Interface),
        DeclarationRule::new("trait_declaration", K::Interface),
        DeclarationRule::new("enum_declaration", K::Enum),
        DeclarationRule::new("namespace_definition", K::Module).refine(has_body),
        DeclarationRule::new("function_definition", K::Function),
        DeclarationRule::new("method_declaration", K::Method),
        DeclarationRule::new("const_element", K::Constant)
            .name(Name::At(&["#0"]))
            .body(&["#-1"])
            .scope(Scope::Outside),
        DeclarationRule::new("enum_case", K::Variant).body(&[]),
        DeclarationRule::new("property_element", K::Field)
            .name(Name::At(&["name", "#0"]))
            .body(&["default_value"])
            .refine(property),
        DeclarationRule::new("function_call_expression", K::Test)
            .name(Name::At(&["arguments", "#0", "#0"]))
            .body(&["arguments", "#-1", "#0"])
            .refine(call),
    ],
    wrappers: &[
        WrapperRule::new("const_declaration"),
        WrapperRule::new("property_declaration"),
        WrapperRule::new("expression_statement"),
    ],
    attributes: &["attribute_list"],
    values: Values { objects: OBJECTS, is_retyped: true, ..Values::NONE },
    heads: &["php_tag", "declare_statement", "namespace_definition", "namespace_use_declaration"],
    imports: &[
        Import {
            names: &[ImportedNameRule::aliased("namespace_use_clause", "#0", "alias")],
            split: true,
            ..Import::new("namespace_use_declaration", "@namespace_name")
        },
        Import { split: true, alias: "alias", ..Import::new("namespace_use_clause", "#0") },
        Import { names: FILES, ..Import::new("require_once_expression", "") },
        Import { names: FILES, ..Import::new("require_expression", "") },
        Import { names: FILES, ..Import::new("include_once_expression", "") },
        Import { names: FILES, ..Import::new("include_expression", "") },
    ],
    calls: &[
        Call::new("function_call_expression", "function"),
        Call::new("member_call_expression", ""),
        Call::new("nullsafe_member_call_expression", ""),
        Call::new("scoped_call_expression", ""),
        Call::new("object_creation_expression", "#0"),
        Call::new("attribute", "#0"),
    ],
    words: &["static", "self", "parent"],
    paths: &[
        Path::new("class_constant_access_expression", "#0", "#-1"),
        Path::new("member_call_expression", "object", "name"),
        Path::new("nullsafe_member_call_expression", "object", "name"),
        Path::new("scoped_call_expression", "scope", "name"),
        // Its text is the whole path. A `\` in front of it is part of the qualifier.
        Path::new("qualified_name", "", ""),
        Path::new("relative_name", "", ""),
        Path::new("namespace_name", "", "#-1"),
        Path::new("named_type", "", "#0"),
    ],
    types: &["named_type"],
    regions: &[
        Region::new("base_clause", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("class_interface_clause", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("use_declaration", Meaning::Refers(ReferenceKind::Inherits)),
    ],
    names: &["name"],
    strings: &["string", "encapsed_string"],
    texts: &["heredoc", "nowdoc"],
    constructors: &["__construct"],
    opaque: &["string", "nowdoc_body", "text"],
    typed: &[
        TypeRule::new("simple_parameter"),
        TypeRule::new("property_promotion_parameter").member("name"),
        TypeRule::new("property_declaration").each("@property_element"),
        TypeRule::assigned("assignment_expression", "left", &["right"]),
        TypeRule::new("function_definition").result(&["return_type"]),
        TypeRule::new("method_declaration").result(&["return_type"]),
        TypeRule::hides("foreach_statement", "#1"),
        TypeRule::test("if_statement"),
        TypeRule::test("conditional_expression"),
        TypeRule::test("while_statement"),
        TypeRule::new("catch_clause"),
    ],
    makes: &[("object_creation_expression", "#0")],
    members: &["class_constant_access_expression"],
    leaves: &["name"],
    valueless: &["namespace_name"],
    mentions: &[NAMESPACE, CALLABLE, constructors::PHP],
    // A static property has a sigil: `Cart::$rules`.
    marks: &["\\", "?->", "->", "::$", "::", "."],
    has_own_calls: true,
    ..Table::new(|| tree_sitter_php::LANGUAGE_PHP.into())
};

const FILES: &[ImportedNameRule] =
    &[ImportedNameRule::leaf("string"), ImportedNameRule::leaf("encapsed_string")];

/// The namespace of the file: an import of all its names, marked by the word.
const NAMESPACE: MentionRule = MentionRule {
    node: "namespace_definition",
    read: |text, node, found| {
        let name = node.child_by_field_name("name").and_then(|name| text.get(name.byte_range()));
        found.extend(name.and_then(|name| own_namespace(node, name, "namespace")));
    },
};

/// An array that stands for a method: `[$this, 'save']`, `[Cart::class, 'total']`.
const CALLABLE: MentionRule = MentionRule {
    node: "array_creation_expression",
    read: |text, node, found| {
        let written = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
        let value = |at: u32| node.named_child(at).filter(|one| one.named_child_count() == 1);
        let (Some(object), Some(method)) = (value(0), value(1).and_then(|one| one.named_child(0))) else {
            return;
        };
        let object = written(object);
        let class = object.strip_suffix("::class").unwrap_or(object);
        let literal = written(method);
        let name = literal.trim_matches(['"', '\'']);
        let is_name = |name: &str| {
            !name.starts_with(|c: char| c.is_ascii_digit())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\\'))
        };
        let is_class = class.len() < object.len() && is_name(class);
        if node.named_child_count() == 2
            && (is_class || object == "$this")
            && matches!(method.kind(), "string" | "encapsed_string")
            && is_name(name)
        {
            let at = offset(method.start_byte() + literal.find(name).unwrap_or_default());
            found.push(Mention::new(at, ReferenceKind::Call, name, Cow::Borrowed(class)));
        }
    },
};

/// Rejects `namespace x;`, which has no end.
fn has_body(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    found.body.is_some()
}

/// Accepts properties of the class itself, and those with an array as their value.
fn property(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let is_array = found.body.is_some_and(|value| value.kind() == "array_creation_expression");
    let list = || node.parent().and_then(|list| text.get(list.start_byte()..node.start_byte()));
    let has_hooks = node.next_named_sibling().is_some_and(|next| next.kind() == "property_hook_list");
    is_array || has_hooks || list().is_some_and(|head| head.split_whitespace().any(|word| word == "static"))
}

/// Accepts `it('…', function () {…})` and `define('X', …)`.
fn call(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    if !found.name.is_some_and(|name| matches!(name.kind(), "string" | "encapsed_string")) {
        return false;
    }
    let word = node.child_by_field_name("function").and_then(|name| text.get(name.byte_range()));
    match word.unwrap_or_default() {
        "define" => found.kind = K::Constant,
        "describe" | "it" | "test" => {
            found.body = found
                .body
                .filter(|value| matches!(value.kind(), "anonymous_function" | "arrow_function"))
                .and_then(|value| value.child_by_field_name("body"));
        }
        _ => return false,
    }
    found.body.is_some()
}
