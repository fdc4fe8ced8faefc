//! Julia.
//!
//! A function has two forms (`function f(x) … end`, `f(x) = …`). The string directly above is its
//! doc comment.

use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::parts::of_pattern;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, MentionRule, Name, Path,
    Region, Table, WrapperRule,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

const NAMES: &[ImportedNameRule] = &[
    ImportedNameRule::prefix("selected_import", "#0"),
    ImportedNameRule::aliased("import_alias", "#0", "#-1"),
    ImportedNameRule::leaf("import_path"),
    ImportedNameRule::leaf("scoped_identifier"),
    ImportedNameRule::leaf("identifier"),
    ImportedNameRule::leaf("macro_identifier"),
];

const STRUCT: DeclarationRule =
    DeclarationRule::new("struct_definition", K::Struct).name(Name::Refined).body(&["#1"]).refine(head);

/// Julia's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("function_definition", K::Function)
            .name(Name::At(&["#0"]))
            .body(&["#1"])
            .refine(signature),
        DeclarationRule::new("macro_definition", K::Macro)
            .name(Name::At(&["#0"]))
            .body(&["#1"])
            .refine(signature),
        DeclarationRule::new("assignment", K::Variable)
            .parts(|node| of_pattern(node.named_child(0), &[("open_tuple", ""), ("tuple_expression", "")]))
            .body(&[])
            .refine(assigned),
        DeclarationRule::new("module_definition", K::Module).body(&["#1"]).refine(module),
        STRUCT,
        DeclarationRule::new("macrocall_expression", K::Test)
            .name(Name::Refined)
            .body(&[])
            .refine(called_macro),
        DeclarationRule { node: "abstract_definition", kind: K::Interface, ..STRUCT }.body(&[]),
        DeclarationRule { node: "primitive_definition", kind: K::Type, ..STRUCT }.body(&[]),
    ],
    wrappers: &[
        WrapperRule::new("const_statement"),
        WrapperRule::new("global_statement"),
        WrapperRule::new("macrocall_expression"),
        WrapperRule::new("macro_argument_list"),
    ],
    comments: &["line_comment", "block_comment"],
    heads: &["export_statement", "public_statement"],
    imports: &[
        Import { names: NAMES, split: true, ..Import::new("using_statement", "") },
        Import { names: NAMES, split: true, ..Import::new("import_statement", "") },
    ],
    import_calls: &["include"],
    calls: &[
        Call::new("call_expression", "#0"),
        Call::new("broadcast_call_expression", "#0"),
        Call::new("macrocall_expression", "@macro_identifier"),
    ],
    paths: &[
        Path::new("field_expression", "value", "#-1"),
        Path::new("scoped_identifier", "#0", "#-1"),
        Path::new("parametrized_type_expression", "", "#0"),
        Path::new("macro_identifier", "", "#0"),
    ],
    regions: &[
        Region::new("typed_expression", Meaning::Refers(ReferenceKind::Type)).at("#-1"),
        Region::new("unary_typed_expression", Meaning::Refers(ReferenceKind::Type)),
        Region::new("type_head", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("curly_expression", Meaning::Arguments),
    ],
    names: &["identifier"],
    strings: &["string_literal"],
    above: &["string_literal"],
    opaque: &["string_literal", "command_literal", "prefixed_string_literal"],
    leaves: &["identifier"],
    mentions: &[MentionRule { node: "using_statement", read: used }],
    mask: Some(readable),
    ..Table::new(|| tree_sitter_julia::LANGUAGE.into())
};

/// Returns the text that the parser sees: with a semicolon between a doc comment and a name in its
/// line that begins with `do`. The parser takes these letters for a word behind a string.
fn readable(text: &str) -> Cow<'_, [u8]> {
    let mut seen = Cow::Borrowed(text.as_bytes());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let is_doc = line.trim_start().starts_with('"');
        let at = line.find("\" do").filter(|_| is_doc);
        let rest = at.and_then(|at| line.get(at + 4..)).unwrap_or_default();
        let is_name = rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '!'));
        if let Some(space) = at.filter(|_| is_name)
            && let Some(byte) = seen.to_mut().get_mut(start + space + 1)
        {
            *byte = b';';
        }
        start += line.len();
    }
    seen
}

/// Adds the modules of which all exported names are used: `using A, .B`.
fn used<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let mut cursor = node.walk();
    let whole = |one: &Node<'_>| matches!(one.kind(), "identifier" | "import_path" | "scoped_identifier");
    for module in node.named_children(&mut cursor).filter(whole) {
        let written = text.get(module.byte_range()).unwrap_or_default().trim_start_matches('.');
        if !written.is_empty() {
            let at = offset(module.start_byte());
            found.push(Mention::new(at, ReferenceKind::Import, "*", Cow::Borrowed(written)));
        }
    }
}

/// Returns the name in a call, below the nodes that give its types.
fn called<'tree>(node: Node<'tree>) -> Option<Node<'tree>> {
    let mut node = node;
    for _ in 0..8 {
        match node.kind() {
            "signature" | "where_expression" | "typed_expression" => node = node.named_child(0)?,
            "call_expression" => return node.named_child(0).map(quoted).map(in_parentheses),
            // `a ⊕ b = …`
            "binary_expression" => return node.named_child(1).filter(|one| one.kind() == "operator"),
            _ => return None,
        }
    }
    None
}

/// Returns the type of an object that is called, `(s::S)(x) = …`, and the operator of `(+)(a, b)`.
fn in_parentheses(name: Node<'_>) -> Node<'_> {
    let inner = Some(name).filter(|name| name.kind() == "parenthesized_expression");
    let Some(inner) = inner.and_then(|inner| inner.named_child(0)) else { return name };
    let is_typed = matches!(inner.kind(), "typed_expression" | "unary_typed_expression");
    let Some(ty) = step(inner, "#-1").filter(|_| is_typed) else { return inner };
    step(ty, "#0").filter(|_| ty.kind() == "parametrized_type_expression").unwrap_or(ty)
}

/// Returns the operator of `Base.:+` and `Base.:(==)`, and any other name itself.
fn quoted(name: Node<'_>) -> Node<'_> {
    let quote = name
        .named_child(1)
        .filter(|one| name.kind() == "field_expression" && one.kind() == "quote_expression");
    let inner = quote.and_then(|quote| quote.named_child(0));
    let operator =
        inner.filter(|one| one.kind() == "parenthesized_expression").and_then(|one| one.named_child(0));
    operator.or(inner).unwrap_or(name)
}

fn signature<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    // A function without a method (`function f end`) has only a name.
    let bare = found.name.filter(|name| name.kind() == "signature").and_then(|name| name.named_child(0));
    found.name = found.name.and_then(called).or(bare.filter(|bare| bare.kind() == "identifier"));
    found.to_end = true;
    true
}

/// Accepts `f(x) = …` everywhere, and `x = …` outside functions.
fn assigned<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(left) = found.name else { return false };
    found.body = step(node, "#-1");
    if let Some(name) = called(left) {
        (found.name, found.kind) = (Some(name), K::Function);
        return true;
    }
    let before = text.get(..node.start_byte()).unwrap_or_default().trim_end();
    let is_constant = before.ends_with("const");
    if is_constant {
        found.kind = K::Constant;
    }
    found.name = if left.kind() == "typed_expression" { left.named_child(0) } else { Some(left) };
    if is_constant && left.kind() == "parametrized_type_expression" {
        (found.kind, found.name) = (K::Type, left.named_child(0));
    }
    let is_local = !matches!(found.within, None | Some(K::Module));
    let is_name = found.name.is_some_and(|name| name.kind() == "identifier");
    is_name && !is_local && (is_constant || found.is_top || before.ends_with("global"))
}

fn module(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    found.to_end = true;
    true
}

/// Accepts `@testset "…" begin … end` and `@enum Color red green`.
fn called_macro<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let word = node.named_child(0).and_then(|word| text.get(word.byte_range()));
    let Some(arguments) = node.named_child(1) else { return false };
    match word {
        Some("@testset") => {}
        Some("@enum") => {
            let first = arguments.named_child(0);
            let typed = first.filter(|first| first.kind() == "typed_expression");
            (found.kind, found.name) = (K::Enum, typed.and_then(|typed| typed.named_child(0)).or(first));
            return found.name.is_some_and(|name| name.kind() == "identifier");
        }
        _ => return false,
    }
    let mut cursor = arguments.walk();
    for argument in arguments.named_children(&mut cursor) {
        match argument.kind() {
            "string_literal" => found.name = Some(argument),
            "compound_statement" | "for_statement" | "let_statement" => found.body = Some(argument),
            _ => {}
        }
    }
    found.name.is_some()
}

/// Finds the name in a type's head, before its parameters and supertype.
fn head<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let mut cursor = node.walk();
    let mut name = node.named_children(&mut cursor).find(|child| child.kind() == "type_head");
    for _ in 0..4 {
        name = match name {
            Some(at)
                if matches!(
                    at.kind(),
                    "type_head" | "binary_expression" | "parametrized_type_expression"
                ) =>
            {
                at.named_child(0)
            }
            _ => break,
        };
    }
    found.name = name;
    found.to_end = true;
    true
}
