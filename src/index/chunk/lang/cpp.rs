//! C++: the rules of C, and those for classes, templates and namespaces.
//!
//! A function that is defined outside its class belongs to it by its qualified name.

use super::c::{
    DECLARED, DEFINED, ENUM, ENUMERATOR, FIELD, FLAG, FUNCTION, INCLUDES, MACRO, MACRO_FUNCTION,
    MACRO_PARAMETERS, PARAMETER, SCOPES, SECTION, STRUCT, TYPEDEF, UNION, VARIABLE, declarators, has_body,
    suite,
};
use super::items;
use super::{constructors, cpp_constructors, cpp_using, macro_bodies, macros, reserved, type_aliases};
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Meaning, Name, NameScope, Path, Region, Table, TypeRule,
    Values, WrapperRule,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// C++'s table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        FUNCTION,
        VARIABLE,
        FLAG,
        SECTION,
        DeclarationRule::new("field_declaration", K::Method)
            .parts(declarators)
            .name(Name::Declarator("declarator"))
            .body(&["default_value"])
            .refine(member),
        DeclarationRule::new("class_specifier", K::Class).refine(has_body),
        STRUCT,
        UNION,
        ENUM,
        TYPEDEF,
        DeclarationRule::new("alias_declaration", K::Type).body(&["type"]),
        DeclarationRule::new("concept_definition", K::Interface).body(&[]),
        DeclarationRule::new("namespace_definition", K::Module).refine(namespace),
        MACRO,
        MACRO_FUNCTION,
    ],
    wrappers: &[WrapperRule::new("template_declaration"), WrapperRule::new("declaration")],
    heads: &["using_declaration"],
    scopes: SCOPES,
    imports: INCLUDES,
    calls: &[Call::new("call_expression", "function"), Call::new("new_expression", "type")],
    words: &["const_cast", "dynamic_cast", "reinterpret_cast", "static_cast"],
    paths: &[
        Path::new("field_expression", "argument", "field"),
        Path::new("qualified_identifier", "scope", "name"),
        Path::new("template_function", "", "name"),
        Path::new("template_method", "", "name"),
        Path::new("template_type", "", "name"),
        Path::new("dependent_name", "", "#0"),
        // Its text is the whole path.
        Path::new("nested_namespace_specifier", "", ""),
        Path::new("pointer_type_declarator", "", "declarator"),
    ],
    types: &["type_identifier"],
    scope_words: &["inline "],
    regions: &[
        Region::new("base_class_clause", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("template_argument_list", Meaning::Arguments),
        Region::new("argument_list", Meaning::Nothing),
    ],
    names: &["type_identifier", "destructor_name", "operator_name"],
    strings: &["string_literal", "system_lib_string", "raw_string_literal"],
    constructors: &["="],
    opaque: &["string_literal", "raw_string_literal", "char_literal", "preproc_arg"],
    typed: &[
        PARAMETER,
        DECLARED,
        FIELD,
        DEFINED,
        ENUMERATOR,
        MACRO_PARAMETERS,
        TypeRule::new("optional_parameter_declaration").name("declarator").scope(NameScope::Template),
        TypeRule::hides("variadic_parameter_declaration", "declarator").scope(NameScope::Template),
        TypeRule { is_item: true, ..TypeRule::new("for_range_loop").name("declarator").value(&["right"]) },
        TypeRule::hides("lambda_capture_initializer", "left"),
        TypeRule::parameter("type_parameter_declaration").scope(NameScope::Template),
        TypeRule::parameter("optional_type_parameter_declaration").scope(NameScope::Template),
        TypeRule::parameter("variadic_type_parameter_declaration").scope(NameScope::Template),
    ],
    makes: &[
        ("new_expression", "type"),
        ("cast_expression", "type"),
        ("compound_literal_expression", "type"),
    ],
    values: Values {
        wrappers: &["intrusive_ptr", "optional", "reference_wrapper", "shared_ptr", "unique_ptr"],
        items: items::CPP,
        has_implicit_self: true,
        ..Values::NONE
    },
    members: &["qualified_identifier"],
    leaves: &["identifier"],
    sees_all: true,
    marks: &["->", "::", "?.", "!.", "&.", "."],
    mentions: &[
        constructors::CPP,
        cpp_constructors::VARIABLE,
        cpp_constructors::MEMBER,
        cpp_constructors::VALUE,
        cpp_constructors::MADE,
        cpp_using::NAMESPACE,
        type_aliases::C,
        type_aliases::CPP,
        macro_bodies::OBJECT,
        macro_bodies::FUNCTION,
        macros::FIXTURE,
    ],
    reserved: reserved::CPP,
    nested: Some(macros::between_values),
    mask: Some(without_modules),
    has_inner_types: true,
    has_type_paths: true,
    ..Table::new(|| tree_sitter_cpp::LANGUAGE.into())
};

/// Accepts namespaces. A suite of tests is one to the parser.
fn namespace(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    suite(text, node, found) || {
        found.kind = K::Module;
        found.name.is_some()
    }
}

/// Accepts functions among the members that are declared but not defined, and constants.
fn member<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if prototype(found) {
        // `= 0` belongs to the signature.
        found.body = None;
        return true;
    }
    constant(text, node, found)
}

/// Accepts members that are `static` and never change: `static constexpr int max = 3;`.
fn constant<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(first) = node.child_by_field_name("declarator").filter(|_| found.name.is_some()) else {
        return false;
    };
    let head = text.get(node.start_byte()..first.start_byte()).unwrap_or_default();
    let has = |word| head.split_whitespace().any(|one| one == word);
    found.kind = K::Constant;
    has("static") && (has("constexpr") || has("const"))
}

/// Accepts functions.
fn prototype(found: &DeclarationCandidate<'_>) -> bool {
    let mut at = Some(found.part);
    for _ in 0..32 {
        let Some(inner) = at else { return false };
        if inner.kind() == "function_declarator" {
            let is_pointer = inner
                .child_by_field_name("declarator")
                .is_some_and(|one| one.kind() == "parenthesized_declarator");
            return found.name.is_some() && !is_pointer;
        }
        at = inner.child_by_field_name("declarator").or_else(|| {
            Some(inner)
                .filter(|inner| inner.kind().ends_with("_declarator"))
                .and_then(|inner| inner.named_child(0))
        });
    }
    false
}

/// Returns the text that the parser sees: without macros, and without the words for modules, which
/// the grammar does not know. An exported declaration stays one; `export module a;` is blanked.
fn without_modules(text: &str) -> Cow<'_, [u8]> {
    let is_exported = |line: &str| line.starts_with("export ");
    if !text.lines().any(is_exported) {
        return super::macros::without(text);
    }
    let mut start = 0;
    let hidden = text.split_inclusive('\n').map(|line| {
        let begin = start;
        start += line.len();
        let rest = line.strip_prefix("export ").unwrap_or(line);
        let is_module = ["module ", "module;", "import "].iter().any(|word| rest.starts_with(word));
        let is_whole = is_module && line.trim_end().ends_with(';');
        (begin, if is_whole { start } else { start - rest.len() })
    });
    super::macros::without_ranges(text, hidden)
}
