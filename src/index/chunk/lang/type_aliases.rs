//! Other names for a type: `type Basket = Cart`, `using Basket = Cart;`,
//! `typedef struct cart cart_t;`.
//!
//! An alias has all members of its type, so it is recorded as if it inherited that. A type that is
//! not one name (a union, a list, a function) is nothing to inherit.

use crate::index::chunk::ReferenceKind;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{MentionRule, Values};
use crate::index::chunk::types::named_type;
use std::borrow::Cow;
use tree_sitter::Node;

/// Types whose members are those of their argument.
const WRAPPERS: Values = Values {
    wrappers: &["Arc", "Box", "Partial", "Rc", "Readonly", "Required", "shared_ptr", "unique_ptr"],
    ..Values::NONE
};

/// Most names that one `typedef` declares.
const MAX_NAMES: usize = 16;

/// C++: `using Basket = Cart;`.
pub(super) const CPP: MentionRule = MentionRule { node: "alias_declaration", read: by_type };

/// C and its relatives: `typedef struct cart cart_t, *cart_p;`.
pub(super) const C: MentionRule = MentionRule { node: "type_definition", read: typedef };

/// Go.
pub(super) const GO: MentionRule = MentionRule { node: "type_alias", read: by_type };

/// TypeScript.
pub(super) const SCRIPT: MentionRule = MentionRule { node: "type_alias_declaration", read: by_value };

/// Rust, outside of implementations, whose types are named behind another one.
pub(super) const RUST: MentionRule = MentionRule {
    node: "type_item",
    read: |text, node, found| {
        let around = node.parent().and_then(|body| body.parent());
        if around.is_none_or(|around| around.kind() != "impl_item") {
            by_type(text, node, found);
        }
    },
};

/// Scala.
#[cfg(feature = "lang-scala")]
pub(super) const SCALA: MentionRule = MentionRule { node: "type_definition", read: by_type };

/// Kotlin.
#[cfg(feature = "lang-kotlin")]
pub(super) const KOTLIN: MentionRule = MentionRule {
    node: "type_alias",
    read: |text, node, found| {
        found.extend(alias(text, node.child_by_field_name("type"), step(node, "#-1")));
    },
};

/// Swift.
#[cfg(feature = "lang-swift")]
pub(super) const SWIFT: MentionRule = MentionRule { node: "typealias_declaration", read: by_value };

/// Dart.
#[cfg(feature = "lang-dart")]
pub(super) const DART: MentionRule = MentionRule {
    node: "type_alias",
    read: |text, node, found| {
        found.extend(alias(text, step(node, "@type_identifier"), step(node, "#-1")));
    },
};

/// Adds the type in the field `type` of an alias.
fn by_type<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    found.extend(alias(text, node.child_by_field_name("name"), node.child_by_field_name("type")));
}

/// Adds the type in the field `value` of an alias.
fn by_value<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    found.extend(alias(text, node.child_by_field_name("name"), node.child_by_field_name("value")));
}

/// Adds the type that each name of a `typedef` stands for, pointers included.
fn typedef<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(ty) = node.child_by_field_name("type") else { return };
    let named = match ty.kind() {
        "struct_specifier" | "union_specifier" | "class_specifier" => ty.child_by_field_name("name"),
        "type_identifier" | "qualified_identifier" | "template_type" => Some(ty),
        _ => None,
    };
    let mut cursor = node.walk();
    for mut name in node.children_by_field_name("declarator", &mut cursor).take(MAX_NAMES) {
        if name.kind() == "pointer_declarator" {
            let Some(inner) = name.child_by_field_name("declarator") else { continue };
            name = inner;
        }
        if name.kind() == "type_identifier" {
            found.extend(alias(text, Some(name), named));
        }
    }
}

/// Returns the mention of the type that a name stands for.
fn alias<'t>(text: &'t str, name: Option<Node<'_>>, ty: Option<Node<'_>>) -> Option<Mention<'t>> {
    let (own, ty) = (text.get(name?.byte_range())?, ty?);
    let written = named_type(text.get(ty.byte_range())?, &WRAPPERS)?;
    let (name, qualifier) = identifiers::split(written);
    let is_of_library = qualifier.split("::").next() == Some("std");
    let is_plain = identifiers::is_plain(written) && !name.is_empty() && name != own && !is_of_library;
    is_plain.then(|| {
        let mention =
            Mention::new(offset(ty.start_byte()), ReferenceKind::Inherits, name, Cow::Borrowed(qualifier));
        Mention { alias: Cow::Borrowed(own), ..mention }
    })
}
