//! C#.
//!
//! Fields count only if they are constant; properties always count.

use super::extensions;
use super::items;
use super::{c_sharp_members, c_sharp_text, constructors};
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::{ATTRIBUTE_ALIAS, EXTENSION_WORD, Mention};
use crate::index::chunk::node::range;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Meaning, MentionRule, Name, NameScope, Path, Region,
    Scope, Table, TypeRule, Values, WrapperRule,
};
use crate::index::chunk::uses::MIN_NAME;
use crate::index::chunk::{ByteRange, DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// C#'s table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_declaration", K::Class).refine(class),
        DeclarationRule::new("record_declaration", K::Struct),
        DeclarationRule::new("struct_declaration", K::Struct),
        DeclarationRule::new("interface_declaration", K::Interface),
        DeclarationRule::new("enum_declaration", K::Enum),
        DeclarationRule::new("namespace_declaration", K::Module),
        DeclarationRule::new("file_scoped_namespace_declaration", K::Module).body(&[]).goes_on(),
        DeclarationRule::new("delegate_declaration", K::Type).body(&[]),
        DeclarationRule::new("method_declaration", K::Method),
        DeclarationRule::new("local_function_statement", K::Function),
        DeclarationRule::new("constructor_declaration", K::Constructor),
        DeclarationRule::new("property_declaration", K::Field).body(&["accessors"]).refine(property),
        DeclarationRule::new("indexer_declaration", K::Field)
            .name(Name::At(&["@this"]))
            .body(&["accessors"])
            .refine(property),
        DeclarationRule::new("event_declaration", K::Field).body(&["accessors"]),
        DeclarationRule::new("operator_declaration", K::Method).name(Name::Refined).refine(operator),
        DeclarationRule::new("conversion_operator_declaration", K::Method)
            .name(Name::Refined)
            .refine(operator),
        DeclarationRule::new("destructor_declaration", K::Method).name(Name::Refined).refine(operator),
        DeclarationRule::new("parameter", K::Field).body(&[]).refine(of_record),
        DeclarationRule::new("variable_declarator", K::Constant)
            .body(&["#-1"])
            .scope(Scope::Outside)
            .refine(constant),
    ],
    wrappers: &[
        WrapperRule::new("field_declaration"),
        WrapperRule::new("event_field_declaration"),
        WrapperRule::new("variable_declaration"),
    ],
    attributes: &["attribute_list"],
    heads: &[
        "extern_alias_directive",
        "file_scoped_namespace_declaration",
        "global_attribute",
        "preproc_endregion",
        "preproc_nullable",
        "preproc_region",
        "shebang_directive",
    ],
    scopes: &["preproc_if", "preproc_else", "preproc_elif"],
    imports: &[Import { alias: "name", ..Import::new("using_directive", "#-1") }],
    calls: &[Call::new("invocation_expression", "function"), Call::new("object_creation_expression", "type")],
    words: &["nameof"],
    paths: &[
        Path::new("member_access_expression", "expression", "name"),
        Path::new("conditional_access_expression", "condition", "#-1"),
        Path::new("member_binding_expression", "", "name"),
        Path::new("qualified_name", "qualifier", "name"),
        Path::new("alias_qualified_name", "alias", "name"),
        Path::new("generic_name", "", "#0"),
    ],
    type_fields: &["type", "returns"],
    regions: &[
        Region::new("base_list", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("type_argument_list", Meaning::Refers(ReferenceKind::Type)),
        Region::new("argument_list", Meaning::Nothing),
    ],
    names: &["identifier"],
    strings: &["string_literal", "verbatim_string_literal", "raw_string_literal"],
    texts: &["interpolated_string_expression"],
    opaque: &["string_literal", "verbatim_string_literal", "raw_string_literal"],
    typed: &[
        TypeRule::new("parameter"),
        TypeRule::new("variable_declaration").each("@variable_declarator").value(&["#-1"]),
        TypeRule::new("property_declaration"),
        TypeRule { is_item: true, ..TypeRule::new("foreach_statement").name("left").value(&["right"]) },
        TypeRule::new("declaration_pattern"),
        TypeRule::new("declaration_expression"),
        TypeRule::new("catch_declaration"),
        TypeRule::new("method_declaration").result(&["returns"]),
        TypeRule::new("local_function_statement").result(&["type"]),
        TypeRule::hides("implicit_parameter", ""),
        TypeRule::hides("from_clause", "name"),
        TypeRule::hides("parenthesized_variable_designation", "").each("name"),
        TypeRule::hides("tuple_pattern", "").each("name"),
        // A parameter that takes any number of arguments has no node of its own.
        TypeRule::new("parameter_list"),
        TypeRule::new("bracketed_parameter_list"),
        TypeRule::new("recursive_pattern"),
        TypeRule::hides("list_pattern", "name"),
        TypeRule::hides("let_clause", "#0"),
        TypeRule::hides("join_clause", "@identifier"),
        TypeRule::hides("join_into_clause", "#0"),
        TypeRule::hides("query_expression", "").each("@identifier"),
        TypeRule::labels("labeled_statement", "#0"),
        TypeRule::parameter("type_parameter"),
        TypeRule::constraint("type_parameter_constraints_clause").scope(NameScope::Parent),
    ],
    makes: &[("object_creation_expression", "type"), ("cast_expression", "type"), ("as_expression", "right")],
    values: Values {
        wrappers: &["Nullable"],
        failures: &["Task", "ValueTask"],
        has_implicit_self: true,
        part_word: "partial",
        items: items::C_SHARP,
        ..Values::NONE
    },
    members: &["member_access_expression"],
    leaves: &["identifier"],
    mentions: &[
        constructors::C_SHARP,
        constructors::TARGET_TYPED,
        MentionRule { node: "method_declaration", read: extended },
        MentionRule { node: "class_declaration", read: all_extended },
        MentionRule { node: "attribute", read: attribute },
        MentionRule { node: "as_expression", read: tested },
        MentionRule { node: "constant_pattern", read: tested },
        MentionRule { node: "initializer_expression", read: c_sharp_members::initialized },
        MentionRule { node: "invocation_expression", read: named },
        MentionRule { node: "is_expression", read: tested },
        MentionRule { node: "property_pattern_clause", read: c_sharp_members::matched },
        MentionRule { node: "with_expression", read: c_sharp_members::changed },
    ],
    static_import: "using static ",
    has_inner_types: true,
    has_capital_packages: true,
    mask: Some(c_sharp_text::known),
    has_inherited_values: true,
    ..Table::new(|| tree_sitter_c_sharp::LANGUAGE.into())
};

/// Rejects a block of extension members, which the parser sees as a class.
fn class<'tree>(text: &str, node: Node<'tree>, _: &mut DeclarationCandidate<'tree>) -> bool {
    !is_extension(text, node)
}

/// Returns whether a class is a block of extension members.
fn is_extension(text: &str, node: Node<'_>) -> bool {
    text.get(node.start_byte()..).is_some_and(|text| text.starts_with(c_sharp_text::EXTENSION))
}

/// Finds the body of `T P => …;`, which is in another field.
fn property<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.body = found.body.or_else(|| node.child_by_field_name("value"));
    true
}

/// Names `operator +`, `operator int` and `~Cart`.
fn operator<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let last = node.child_by_field_name(match node.kind() {
        "operator_declaration" => "operator",
        "conversion_operator_declaration" => "type",
        _ => "name",
    });
    let first = step(node, "@operator").or_else(|| step(node, "@~"));
    found.name_bytes =
        first.zip(last).map(|(first, last)| ByteRange { start: range(first).start, end: range(last).end });
    // The parser does not see the sign `=` of `operator +=`.
    if let Some(name) = found.name_bytes.as_mut().filter(|_| node.kind() == "operator_declaration") {
        name.end += u32::from(text.get(name.end as usize..).is_some_and(|rest| rest.starts_with('=')));
    }
    found.name_bytes.is_some()
}

/// Accepts the parameters of a record, which are properties. Reads of a shorter name are not
/// recorded.
fn of_record(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let is_long = found.name.is_some_and(|name| name.byte_range().len() >= MIN_NAME);
    is_long && found.around[1] == "record_declaration"
}

/// Adds the type that an extension method extends: the type of its parameter with `this`.
fn extended<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let first = node.child_by_field_name("parameters").and_then(|all| all.named_child(0));
    let written = |one: &Node<'_>| text.get(one.byte_range()).unwrap_or_default();
    let first = first.filter(|first| written(first).starts_with(EXTENSION_WORD));
    found.extend(first.and_then(|first| extends(text, node, first)));
}

/// Adds the type that the methods of a block of extension members extend.
fn all_extended<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    if !is_extension(text, node) {
        return;
    }
    let first = step(node, "@parameter_list").and_then(|all| all.named_child(0));
    let (Some(first), Some(body)) = (first, node.child_by_field_name("body")) else { return };
    let mut cursor = body.walk();
    for method in body.named_children(&mut cursor).filter(|one| one.kind() == "method_declaration") {
        let name_at = method.child_by_field_name("name").map_or(method.end_byte(), |name| name.start_byte());
        let head = text.get(method.start_byte()..name_at).unwrap_or_default();
        // A static one is called on the type itself.
        if !head.split_whitespace().any(|word| word == "static") {
            found.extend(extends(text, method, first));
        }
    }
}

/// Returns the mention of the type of a parameter, which a method extends.
fn extends<'t>(text: &'t str, method: Node<'_>, parameter: Node<'_>) -> Option<Mention<'t>> {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let ty = of(parameter.child_by_field_name("type")?);
    let name = of(method.child_by_field_name("name")?);
    extensions::extends(offset(method.start_byte()), ty, name)
}

/// Adds the type that an attribute names.
fn attribute<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(name) = node.child_by_field_name("name") else { return };
    let written = text.get(name.byte_range()).unwrap_or_default();
    let written = written.split('<').next().unwrap_or(written);
    let (qualifier, ty) = written.rsplit_once('.').unwrap_or(("", written));
    let at = offset(name.start_byte());
    let named = Mention::new(at, ReferenceKind::Type, ty, Cow::Borrowed(qualifier));
    let name_at = at + offset(written.len() - ty.len());
    found.push(Mention { alias: Cow::Borrowed(ATTRIBUTE_ALIAS), name_at, ..named });
}

/// Adds the type that a value is compared with or converted to: `o is A`, `o as A`, `case A:`. A
/// name in such a place may be that of a constant, too.
fn tested<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let is_pattern = node.kind() == "constant_pattern";
    let ty = if is_pattern { node.named_child(0) } else { node.child_by_field_name("right") };
    found.extend(ty.and_then(|ty| possible_type(text, ty)));
}

/// Adds the type that `nameof(A)` names.
fn named<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    if node.child_by_field_name("function").is_some_and(|function| of(function) == "nameof") {
        let argument = node.child_by_field_name("arguments").and_then(|all| all.named_child(0));
        let name = argument.and_then(|argument| argument.named_child(0));
        found.extend(name.and_then(|name| possible_type(text, name)));
    }
}

/// Returns the mention of the type that a name means, unless it means a value. What is behind a dot
/// in a pattern is mostly a constant, and recorded with its type.
fn possible_type<'t>(text: &'t str, name: Node<'_>) -> Option<Mention<'t>> {
    let ty = match name.kind() {
        "generic_name" | "array_type" | "nullable_type" => name.named_child(0)?,
        _ => name,
    };
    let written = text.get(ty.byte_range())?;
    let (before, last) = match ty.kind() {
        "identifier" => ("", written),
        "qualified_name" => written.rsplit_once('.')?,
        _ => return None,
    };
    let is_type = last.starts_with(char::is_uppercase) && identifiers::is_plain(before);
    let last = last.split('<').next().unwrap_or(last);
    let at = offset(ty.start_byte());
    let name_at = at + offset(if before.is_empty() { 0 } else { before.len() + 1 });
    let mention = Mention::new(at, ReferenceKind::Type, last, Cow::Borrowed(before));
    let may_be_value = ty == name && before.is_empty();
    is_type.then_some(Mention { may_be_value, name_at, ..mention })
}

/// Accepts constant fields and events.
fn constant(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    if found.around[1] == "event_field_declaration" {
        (found.kind, found.body) = (K::Field, None);
        return true;
    }
    if found.around[1] != "field_declaration" {
        return false;
    }
    let Some(field) = node.parent().and_then(|list| list.parent()) else { return false };
    let modifiers = text.get(field.start_byte()..node.start_byte()).unwrap_or_default();
    found.body = found.body.filter(|value| Some(*value) != found.name);
    let has = |word| modifiers.split_whitespace().any(|one| one == word);
    has("const") || (has("static") && has("readonly"))
}
