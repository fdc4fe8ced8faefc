//! OCaml: implementations and interfaces.
//!
//! Each has its own grammar; both have the same rules. A doc comment can be above or below its
//! declaration.

use super::opened_modules;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::parts::of_pattern;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Meaning, MentionRule, Name, Path, Region, Scope,
    Table, WrapperRule,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// The table of implementations.
pub(super) static TABLE: Table = OCAML;

/// The table of interfaces.
pub(super) static INTERFACE: Table =
    Table { grammar: || tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE.into(), heads: &[], ..OCAML };

const OCAML: Table = Table {
    declarations: &[
        DeclarationRule::new("let_binding", K::Constant)
            .parts(|node| of_pattern(step(node, "pattern"), PATTERNS))
            .scope(Scope::Outside)
            .refine(binding),
        DeclarationRule::new("value_specification", K::Function)
            .name(Name::Refined)
            .body(&[])
            .refine(specification),
        DeclarationRule::new("external", K::Function).name(Name::Refined).body(&[]).refine(specification),
        DeclarationRule::new("type_binding", K::Type).refine(type_kind),
        DeclarationRule::new("exception_definition", K::Type)
            .name(Name::At(&["@constructor_declaration", "@constructor_name"]))
            .body(&[]),
        DeclarationRule::new("constructor_declaration", K::Variant)
            .name(Name::At(&["@constructor_name"]))
            .body(&[])
            .refine(alternative),
        DeclarationRule::new("module_binding", K::Module).name(Name::At(&["@module_name"])).refine(module),
        DeclarationRule::new("module_type_definition", K::Interface).name(Name::At(&["@module_type_name"])),
        DeclarationRule::new("class_binding", K::Class).name(Name::At(&["@class_name"])),
        DeclarationRule::new("class_type_binding", K::Interface).name(Name::At(&["@class_type_name"])),
        DeclarationRule::new("method_definition", K::Method).name(Name::At(&["@method_name"])),
        DeclarationRule::new("method_specification", K::Method).name(Name::At(&["@method_name"])).body(&[]),
    ],
    wrappers: &[
        WrapperRule::new("value_definition"),
        WrapperRule::new("type_definition"),
        WrapperRule::new("module_definition"),
        WrapperRule::new("class_definition"),
        WrapperRule::new("class_type_definition"),
    ],
    below: &["(**"],
    heads: &["shebang"],
    imports: &[Import::new("open_module", "module"), Import::new("open_module_signature", "module")],
    calls: &[
        Call::new("application_expression", "function"),
        Call::new("method_invocation", "method"),
        Call::new("new_expression", "@class_path"),
    ],
    paths: &[
        Path::new("value_path", "@module_path", "#-1"),
        Path::new("constructor_path", "@module_path", "#-1"),
        Path::new("class_path", "@module_path", "#-1"),
        Path::new("module_path", "@module_path", "#-1"),
        Path::new("extended_module_path", "@extended_module_path", "#-1"),
        Path::new("module_type_path", "@extended_module_path", "#-1"),
        Path::new("type_constructor_path", "@extended_module_path", "#-1"),
        Path::new("parenthesized_operator", "", "#0"),
        Path::new("instantiated_class", "", "#-1"),
    ],
    types: &["type_constructor_path", "module_type_path"],
    regions: &[
        Region::new("inheritance_definition", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("inheritance_specification", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("include_module", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("include_module_type", Meaning::Refers(ReferenceKind::Inherits)),
    ],
    names: &["class_path", "module_path"],
    strings: &["string", "quoted_string"],
    opaque: &["string", "quoted_string", "character", "attribute", "item_attribute", "floating_attribute"],
    leaves: &["value_name"],
    mentions: &[
        MentionRule { node: "constructor_path", read: constructed },
        MentionRule { node: "let_expression", read: opened_before },
        MentionRule { node: "local_open_expression", read: opened_around },
        MentionRule { node: "local_open_pattern", read: opened_around },
        MentionRule { node: "local_open_type", read: opened_around },
    ],
    discards: true,
    opens_modules: true,
    ..Table::new(|| tree_sitter_ocaml::LANGUAGE_OCAML.into())
};

/// Adds the alternative of a type that a value or a pattern names.
fn constructed<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = text.get(node.byte_range()).unwrap_or_default();
    let (module, name) = written.rsplit_once('.').unwrap_or(("", written));
    if identifiers::is_plain(written) && !name.is_empty() {
        let at = offset(node.end_byte() - name.len());
        found.push(Mention::new(at, ReferenceKind::Use, name, Cow::Borrowed(module)));
    }
}

/// Adds the module that an expression opens for what follows: `let open Shop in pay 1`.
fn opened_before<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let mut cursor = node.walk();
    let open = node.named_children(&mut cursor).find(|child| child.kind() == "open_module");
    if let Some((open, module)) = open.and_then(|open| Some((open, open.child_by_field_name("module")?))) {
        found.extend(opened(text, module, offset(open.start_byte()), node));
    }
}

/// Adds the module that a name in front of an expression, a pattern or a type opens:
/// `Shop.(pay 1)`.
fn opened_around<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let module = node.named_child(0).filter(|module| module.kind().ends_with("module_path"));
    found.extend(module.and_then(|module| opened(text, module, offset(node.start_byte()), node)));
}

/// Returns the opening of a module from a byte to the end of a node.
fn opened<'t>(text: &'t str, module: Node<'_>, at: u32, node: Node<'_>) -> Option<Mention<'t>> {
    let written = text.get(module.byte_range()).filter(|path| identifiers::is_plain(path))?;
    Some(opened_modules::opening(written, at, offset(node.end_byte())))
}

/// Accepts the alternatives of types. An exception is declared by the node around.
fn alternative(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    found.around[0] != "exception_definition"
}

/// Patterns that a binding takes a value apart with.
const PATTERNS: &[(&str, &str)] = &[
    ("tuple_pattern", ""),
    ("parenthesized_pattern", ""),
    ("typed_pattern", "#0"),
    ("record_pattern", ""),
    ("field_pattern", "pattern"),
];

/// Makes a binding with a parameter, or of a `fun`, a function. Other values count only if no `in`
/// follows. `let%test "…"` and `let%expect_test "…"` are tests.
fn binding<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if found.name.is_some_and(|name| name.kind() == "string") {
        found.kind = K::Test;
        let word = node.prev_named_sibling().filter(|word| word.kind() == "attribute_id");
        return word.and_then(|word| text.get(word.byte_range())).is_some_and(|word| word.contains("test"));
    }
    let Some(name) = found.name.filter(|name| matches!(name.kind(), "value_name" | "parenthesized_operator"))
    else {
        return false;
    };
    let mut cursor = node.walk();
    let has_parameter = node.named_children(&mut cursor).any(|child| child.kind() == "parameter");
    let is_function = |body: Node<'_>| matches!(body.kind(), "fun_expression" | "function_expression");
    if has_parameter || found.body.is_some_and(is_function) {
        found.kind = K::Function;
    }
    found.name = Some(name);
    let after = text.get(node.end_byte()..).unwrap_or_default().trim_start().strip_prefix("in");
    let is_local = after.is_some_and(|after| !after.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    found.kind == K::Function || !is_local
}

fn specification<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let mut cursor = node.walk();
    found.name = node
        .named_children(&mut cursor)
        .find(|child| matches!(child.kind(), "value_name" | "parenthesized_operator"));
    let of = node.child_by_field_name("type");
    let of =
        of.and_then(
            |of| if of.kind() == "polymorphic_type" { of.child_by_field_name("type") } else { Some(of) },
        );
    if of.is_none_or(|of| of.kind() != "function_type") {
        found.kind = K::Constant;
    }
    true
}

fn type_kind(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    match found.body.map(|body| body.kind()) {
        Some("variant_declaration") => found.kind = K::Enum,
        Some("record_declaration") => found.kind = K::Struct,
        _ => {}
    }
    true
}

/// Gives a module in an interface its signature as the body.
fn module<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.body = found.body.or_else(|| node.child_by_field_name("module_type"));
    true
}
