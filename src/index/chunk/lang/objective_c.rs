//! Objective-C: the rules of C, and those for classes, protocols and messages.
//!
//! A method is called by its whole selector (`add:count:`), which the text has in parts. The
//! grammar reads no C++, so an error of `.mm` files hides the place around it.

use super::c::{
    DECLARED, DEFINED, ENUM, ENUMERATOR, FIELD, FUNCTION, INCLUDES, MACRO, MACRO_FUNCTION, MACRO_PARAMETERS,
    PARAMETER, STRUCT, TYPEDEF, UNION, VARIABLE,
};
use super::{macro_bodies, macros, objective_c_mask, reserved};
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::parts::of_kind;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Meaning, MentionRule, Name, Path, Region, Table,
    TypeRule, Values, WrapperRule,
};
use crate::index::chunk::types::SOME;
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Objective-C's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        FUNCTION,
        VARIABLE,
        STRUCT,
        UNION,
        ENUM,
        TYPEDEF,
        MACRO,
        MACRO_FUNCTION,
        DeclarationRule::new("class_interface", K::Class)
            .name(Name::At(&["@identifier"]))
            .inherits(&["superclass", "@@parameterized_arguments"])
            .refine(class),
        DeclarationRule::new("class_implementation", K::Implementation)
            .name(Name::At(&["@identifier"]))
            .refine(class),
        DeclarationRule::new("protocol_declaration", K::Interface)
            .name(Name::At(&["@identifier"]))
            .inherits(&["@protocol_reference_list"])
            .refine(class),
        DeclarationRule::new("method_declaration", K::Method).name(Name::Refined).body(&[]).refine(method),
        DeclarationRule::new("method_definition", K::Method)
            .name(Name::Refined)
            .body(&["@compound_statement"])
            .refine(method),
        member("property_declaration"),
        member("instance_variable"),
    ],
    wrappers: &[WrapperRule::new("declaration")],
    scopes: &[
        "implementation_definition",
        "linkage_specification",
        "declaration_list",
        "preproc_elif",
        "preproc_else",
        "preproc_if",
        "preproc_ifdef",
        "qualified_protocol_interface_declaration",
    ],
    imports: &[INCLUDES[0], Import::new("module_import", "path")],
    calls: &[Call::new("call_expression", "function")],
    words: WORDS,
    paths: &[Path::new("field_expression", "argument", "field")],
    types: &["type_identifier"],
    part_fields: &["category", "method"],
    regions: &[
        Region::new("class_declaration", Meaning::Refers(ReferenceKind::Type)),
        Region::new("protocol_forward_declaration", Meaning::Refers(ReferenceKind::Type)),
        // Elsewhere, such a list has the protocols that a protocol inherits.
        Region::new("typedefed_specifier", Meaning::Refers(ReferenceKind::Type))
            .at("@protocol_reference_list"),
    ],
    names: &["identifier"],
    strings: &["string_literal", "system_lib_string"],
    opaque: &["string_literal", "char_literal", "preproc_arg"],
    valueless: &["property_attributes_declaration", "property_implementation"],
    typed: &[
        PARAMETER.ty(OF_VALUE),
        DECLARED.ty(OF_VALUE),
        FIELD,
        DEFINED,
        ENUMERATOR,
        MACRO_PARAMETERS,
        TypeRule::new("method_parameter").name("@identifier").ty(IN_PARENTHESES),
        TypeRule::new("method_definition").name("@identifier").result(IN_PARENTHESES),
        TypeRule::new("method_declaration").name("@identifier").result(IN_PARENTHESES),
        TypeRule::new("property_declaration").name("@struct_declaration/@struct_declarator").ty(OF_MEMBER),
        TypeRule::new("instance_variable").name("@struct_declaration/@struct_declarator").ty(OF_MEMBER),
        TypeRule::new("for_statement").name("@pointer_declarator"),
    ],
    values: Values { has_implicit_self: true, ..Values::NONE },
    leaves: &["identifier"],
    member_leaves: &["field_identifier"],
    mentions: &[
        macro_bodies::OBJECT,
        macro_bodies::FUNCTION,
        MentionRule { node: "message_expression", read: message },
        MentionRule { node: "selector_expression", read: selector },
        MentionRule { node: "at_expression", read: protocol },
    ],
    sees_all: true,
    marks: &["->", "::", "?.", "!.", "&.", "."],
    mask: Some(objective_c_mask::readable),
    nested: Some(macros::between_values),
    reserved: reserved::C,
    ..Table::new(|| tree_sitter_objc::LANGUAGE.into())
};

/// Words of the language that the grammar takes for names.
const WORDS: &[&str] = &[
    "BOOL",
    "Class",
    "IMP",
    "NO",
    "NULL",
    "Protocol",
    "SEL",
    "YES",
    "_cmd",
    "encode",
    "id",
    "instancetype",
    "nil",
    "protocol",
    "self",
    "super",
];

/// Paths to the type of a method's result or parameter.
const IN_PARENTHESES: &[&str] = &[
    "@method_type/@type_name/@type_identifier",
    "@method_type/@type_name/@generic_specifier/@type_identifier",
    "@method_type/@type_name/@typedefed_specifier/@protocol_reference_list/#0",
];

/// Paths to the type of a variable or a parameter of a function.
const OF_VALUE: &[&str] = &["type/@protocol_reference_list/#0", "type"];

/// Paths to the type of a property or an instance variable.
const OF_MEMBER: &[&str] = &[
    "@struct_declaration/@type_identifier",
    "@struct_declaration/@generic_specifier/@type_identifier",
    "@struct_declaration/@typedefed_specifier/@protocol_reference_list/#0",
];

/// Returns a rule for a member that holds a value.
const fn member(node: &'static str) -> DeclarationRule {
    DeclarationRule::new(node, K::Field)
        .parts(|node| {
            step(node, "@struct_declaration").map_or_else(Vec::new, |all| of_kind(all, "struct_declarator"))
        })
        .name(Name::Declarator("declarator"))
        .body(&[])
}

/// What the head of a class consists of, besides its name.
const HEAD: [&str; 10] = [
    "#",
    ":",
    "(",
    ")",
    "@implementation",
    "@interface",
    "@protocol",
    "identifier",
    "parameterized_arguments",
    "protocol_reference_list",
];

/// Ends the head of a class in front of its first member. A category and an extension add to their
/// class.
fn class<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let mut cursor = node.walk();
    let children: Vec<Node<'tree>> = node.children(&mut cursor).collect();
    if found.kind == K::Class && children.iter().any(|child| child.kind() == "(") {
        found.kind = K::Implementation;
    }
    let is_member =
        |child: &Node<'_>| !HEAD.contains(&child.kind()) && !matches!(child.kind(), "@end" | "comment");
    found.body = children.into_iter().find(is_member);
    found.to_end = true;
    found.name.is_some()
}

/// Names a method by its selector.
fn method<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.name = step(node, "@identifier");
    found.whole_name = Some(declared);
    found.name.is_some()
}

/// Returns the selector of a method's head: `add:count:` of `- (void)add:(int)a count:(int)n`.
fn declared(text: &str, node: Node<'_>) -> Option<String> {
    let mut cursor = node.walk();
    let mut name = String::new();
    let mut last = "";
    for child in node.named_children(&mut cursor) {
        match child.kind() {
            "identifier" => last = text.get(child.byte_range())?,
            "method_parameter" => {
                name.push_str(last);
                name.push(':');
                last = "";
            }
            "compound_statement" => break,
            _ => {}
        }
    }
    let is_plain = name.is_empty();
    Some(if is_plain { last.to_owned() } else { name })
}

/// Adds the method that a message calls, and its receiver if that is a class.
fn message<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let Some((at, name)) = sent(text, node) else { return };
    let Some(receiver) = node.child_by_field_name("receiver") else { return };
    let written = of(receiver);
    let mut call = Mention::new(at, ReferenceKind::Call, name, Cow::Borrowed(written));
    if receiver.kind() == "identifier" && is_class(written) {
        found.push(Mention::new(
            offset(receiver.start_byte()),
            ReferenceKind::Type,
            written,
            Cow::Borrowed(""),
        ));
    } else if !identifiers::is_plain(written) {
        call.qualifier = Cow::Borrowed(SOME);
        match made(text, receiver) {
            Some(OWN) => call.qualifier = Cow::Borrowed(OWN),
            Some(class) => call.alias = Cow::Borrowed(class),
            None => {}
        }
    }
    found.push(call);
}

/// Returns the selector that a message sends, and where its first part begins.
fn sent<'t>(text: &'t str, node: Node<'_>) -> Option<(u32, Cow<'t, str>)> {
    let mut cursor = node.walk();
    let mut parts: Vec<&str> = Vec::new();
    let mut has_colon = false;
    let mut name = String::new();
    let mut at = None;
    if !cursor.goto_first_child() {
        return None;
    }
    loop {
        let child = cursor.node();
        if cursor.field_name() == Some("method") {
            at = at.or(Some(child.start_byte()));
            parts.push(text.get(child.byte_range())?);
            name.push_str(text.get(child.byte_range())?);
        } else if child.kind() == ":" {
            has_colon = true;
            name.push(':');
        }
        if !cursor.goto_next_sibling() {
            break;
        }
    }
    let first = *parts.first()?;
    let name = if has_colon { Cow::Owned(name) } else { Cow::Borrowed(first) };
    Some((offset(at?), name))
}

/// Returns whether the receiver of a message is a class, by custom.
fn is_class(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.contains(|c: char| c.is_ascii_lowercase())
}

/// Methods of classes that return an object of the class, by custom, or the beginning of their
/// names.
const MAKERS: [&str; 7] = ["alloc", "class", "default", "init", "new", "shared", "standard"];

/// The word for the current object, and for its class in a method of the class.
const OWN: &str = "self";

/// Most messages inside of each other that are followed to a class.
const MAX_MESSAGES: usize = 8;

/// Returns the class of the object that nested messages create (`[[Cart alloc] init]`), or the word
/// for the own class.
fn made<'t>(text: &'t str, message: Node<'_>) -> Option<&'t str> {
    let mut at = message;
    for _ in 0..MAX_MESSAGES {
        if at.kind() != "message_expression" {
            return None;
        }
        let (_, name) = sent(text, at)?;
        if !MAKERS.iter().any(|maker| name.starts_with(maker)) {
            return None;
        }
        at = at.child_by_field_name("receiver")?;
        let written = text.get(at.byte_range())?;
        if at.kind() == "identifier" {
            return Some(written).filter(|name| is_class(name) || *name == OWN);
        }
    }
    None
}

/// Adds the method that `@selector(add:count:)` names.
fn selector<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    add_inside(text, node, ReferenceKind::Use, found);
}

/// Adds the protocol that `@protocol(Name)` names.
fn protocol<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = text.get(node.byte_range()).unwrap_or_default();
    if written.starts_with("@protocol") {
        add_inside(text, node, ReferenceKind::Type, found);
    }
}

/// Adds the name in the parentheses of a node.
fn add_inside<'t>(text: &'t str, node: Node<'_>, kind: ReferenceKind, found: &mut Vec<Mention<'t>>) {
    let written = text.get(node.byte_range()).unwrap_or_default();
    let Some(inside) = written.split_once('(').and_then(|(_, rest)| rest.split_once(')')) else { return };
    let name = inside.0.trim();
    let start = node.start_byte() + written.find('(').unwrap_or(0) + 1;
    let at = offset(start + inside.0.find(name).unwrap_or(0));
    if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':')) {
        found.push(Mention::new(at, kind, name, Cow::Borrowed("")));
    }
}
