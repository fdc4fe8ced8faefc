//! Constructors of C++ that are called without `new`: a type in front of a variable with arguments,
//! a type that a function of the library makes, and a member that a constructor initializes.

use super::ruby_classes::NEW_WORD;
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::MentionRule;
use std::borrow::Cow;
use tree_sitter::Node;

/// Variables: `Cart c(1)`, `Cart c{1}`.
pub(super) const VARIABLE: MentionRule = MentionRule { node: "declaration", read: declared };

/// Members with a value: `Cart c_{1};`.
pub(super) const MEMBER: MentionRule = MentionRule { node: "field_declaration", read: declared };

/// Values: `Cart{1}`.
pub(super) const VALUE: MentionRule = MentionRule {
    node: "compound_literal_expression",
    read: |text, node, found| {
        let ty = node.child_by_field_name("type");
        found.extend(ty.and_then(|ty| constructor(text, ty)));
    },
};

/// Functions of the library: `std::make_unique<Cart>(1)`.
pub(super) const MADE: MentionRule = MentionRule { node: "template_function", read: made };

/// Functions that construct what their first type argument names.
const MAKERS: [&str; 5] = ["allocate_shared", "construct_at", "make_optional", "make_shared", "make_unique"];

/// Most fields of a class that are looked at.
const MAX_FIELDS: usize = 500;

/// Adds the constructor that a variable is made by.
fn declared<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(ty) = node.child_by_field_name("type") else { return };
    let default = node.child_by_field_name("default_value");
    let has_default = default.is_some_and(|value| value.kind() == "initializer_list");
    let mut cursor = node.walk();
    let mut variables = node.children_by_field_name("declarator", &mut cursor);
    if variables.any(|one| is_made(one, has_default) || is_made_of_names(node, one)) {
        found.extend(constructor(text, ty));
    }
}

/// Returns whether a declarator is that of a variable with arguments, and of no pointer to it.
fn is_made(one: Node<'_>, has_default: bool) -> bool {
    if one.kind() != "init_declarator" {
        return has_default && one.kind() == "field_identifier";
    }
    let is_variable = one.child_by_field_name("declarator").is_some_and(|of| of.kind() == "identifier");
    let value = one.child_by_field_name("value").map(|value| value.kind());
    is_variable && matches!(value, Some("argument_list" | "initializer_list"))
}

/// Returns whether a variable is made of other ones, in a function: `Cart c(a, b)`. The parser
/// takes it for a function whose parameters have no names.
fn is_made_of_names(declaration: Node<'_>, one: Node<'_>) -> bool {
    let of = |name| one.child_by_field_name(name);
    let is_variable = one.kind() == "function_declarator"
        && of("declarator").is_some_and(|of| of.kind() == "identifier")
        && declaration.parent().is_some_and(|around| around.kind() == "compound_statement");
    let Some(parameters) = of("parameters").filter(|_| is_variable) else { return false };
    let mut cursor = parameters.walk();
    let is_name = |parameter: Node<'_>| {
        parameter.kind() == "parameter_declaration"
            && parameter.named_child_count() == 1
            && parameter.child_by_field_name("type").is_some_and(|ty| ty.kind() == "type_identifier")
    };
    parameters.named_child_count() > 0 && parameters.named_children(&mut cursor).all(is_name)
}

/// Adds the constructor of the type that `make_unique<T>` makes.
fn made<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let name = node.child_by_field_name("name").and_then(|name| text.get(name.byte_range()));
    if name.is_some_and(|name| MAKERS.contains(&name)) {
        let ty = step(node, "arguments").and_then(|all| step(all, "@type_descriptor"));
        found.extend(ty.and_then(|ty| constructor(text, ty.child_by_field_name("type")?)));
    }
}

/// Returns the constructor of the member that a constructor initializes in the body of its class,
/// whose name this is.
pub(super) fn of_member<'t>(
    text: &'t str,
    class: Node<'_>,
    member: Node<'_>,
    name: &str,
) -> Option<Mention<'t>> {
    let body = class.child_by_field_name("body")?;
    let mut cursor = body.walk();
    let declares = |field: &Node<'_>| {
        let declarator = field.child_by_field_name("declarator");
        field.kind() == "field_declaration"
            && declarator.and_then(|one| text.get(one.byte_range())) == Some(name)
    };
    let field = body.named_children(&mut cursor).take(MAX_FIELDS).find(declares)?;
    let call = constructor(text, field.child_by_field_name("type")?)?;
    let at = offset(member.start_byte());
    // The name of the type is written elsewhere.
    let name = Cow::Owned(call.name.into_owned());
    Some(Mention { at, name_at: at, name, alias: Cow::Borrowed(NEW_WORD), ..call })
}

/// Returns the call of a constructor of a type, at the name of that.
fn constructor<'t>(text: &'t str, ty: Node<'_>) -> Option<Mention<'t>> {
    if !matches!(ty.kind(), "type_identifier" | "qualified_identifier" | "template_type") {
        return None;
    }
    let written = text.get(ty.byte_range())?.split('<').next()?.trim_end();
    let (name, qualifier) = identifiers::split(written);
    if !identifiers::is_plain(written) || name.is_empty() {
        return None;
    }
    let at = offset(ty.start_byte() + written.len() - name.len());
    Some(Mention::new(at, ReferenceKind::Call, name, Cow::Borrowed(qualifier)))
}
