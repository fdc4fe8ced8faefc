//! VHDL.
//!
//! An architecture adds to its entity. Instances of entities and components are calls.

use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::parts::of_kind;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Meaning, MentionRule, Name, Path, Region, Scope, Table,
    TypeRule, Values,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// VHDL's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("entity_declaration", K::Class)
            .name(Name::At(&["entity"]))
            .body(&["@entity_head"])
            .refine(to_end),
        DeclarationRule::new("architecture_definition", K::Implementation)
            .name(Name::At(&["architecture"]))
            .body(&["@architecture_head"])
            .refine(architecture),
        DeclarationRule::new("component_declaration", K::Interface)
            .name(Name::At(&["component"]))
            .body(&["@component_body"]),
        DeclarationRule::new("package_declaration", K::Module)
            .name(Name::At(&["package"]))
            .body(&["@package_declaration_body"]),
        DeclarationRule::new("package_instantiation_declaration", K::Module)
            .name(Name::At(&["package"]))
            .body(&[]),
        DeclarationRule::new("context_declaration", K::Module)
            .name(Name::At(&["@identifier"]))
            .body(&["@context_declaration_body"]),
        DeclarationRule::new("package_definition", K::Implementation)
            .name(Name::At(&["package"]))
            .body(&["@package_definition_body"]),
        DeclarationRule::new("configuration_declaration", K::Module)
            .name(Name::At(&["configuration"]))
            .body(&[]),
        DeclarationRule::new("subprogram_definition", K::Function)
            .name(Name::Refined)
            .body(&["@sequential_block"])
            .refine(subprogram),
        DeclarationRule::new("subprogram_declaration", K::Function)
            .name(Name::Refined)
            .body(&[])
            .refine(subprogram),
        DeclarationRule::new("type_declaration", K::Type)
            .name(Name::At(&["type"]))
            .body(&["#1"])
            .refine(typed),
        DeclarationRule::new("subtype_declaration", K::Type).name(Name::At(&["type"])).body(&[]),
        DeclarationRule { body: &["@initialiser"], kind: K::Constant, ..listed("constant_declaration") },
        listed("signal_declaration"),
        listed("variable_declaration").refine(shared),
        listed("file_declaration"),
        DeclarationRule::new("alias_declaration", K::Variable)
            .name(Name::At(&["#0"]))
            .body(&[])
            .scope(Scope::Outside),
        DeclarationRule { kind: K::Field, ..listed("interface_declaration") },
        DeclarationRule { kind: K::Field, ..listed("interface_constant_declaration") },
        DeclarationRule { kind: K::Field, ..listed("interface_signal_declaration") },
        DeclarationRule { kind: K::Field, ..listed("element_declaration") },
        DeclarationRule::new("process_statement", K::Function)
            .name(Name::At(&["@label_declaration", "@label"]))
            .body(&["@sequential_block"]),
    ],
    comments: &["line_comment", "block_comment"],
    scopes: &["design_unit"],
    unnamed: &["process_statement"],
    valueless: &["end_architecture", "library_clause", "use_clause"],
    heads: &["library_clause", "use_clause"],
    calls: &[Call::new("component_instantiation_statement", "component"), Call::new("function_call", "#0")],
    paths: &[Path::new("name", "", "#-1")],
    regions: &[
        Region::new("instantiated_unit", Meaning::Refers(ReferenceKind::Call)),
        Region::new("subtype_indication", Meaning::Refers(ReferenceKind::Type)).at("type"),
        // The bounds of an array.
        Region::new("parenthesis_group", Meaning::Nothing),
    ],
    names: &["identifier"],
    strings: &["string_literal"],
    typed: &[
        bound("interface_constant_declaration"),
        bound("interface_declaration"),
        bound("interface_signal_declaration"),
        bound("variable_declaration"),
        TypeRule::hides("parameter_specification", "#0"),
    ],
    values: Values { has_implicit_self: true, ..Values::NONE },
    leaves: &["identifier"],
    sees_all: true,
    mentions: &[
        MentionRule { node: "selected_name", read: used },
        MentionRule { node: "name", read: called },
        MentionRule { node: "procedure_call_statement", read: called_alone },
    ],
    ..Table::new(|| tree_sitter_vhdl::LANGUAGE.into())
};

/// Returns a rule for a list of names that hide others.
const fn bound(node: &'static str) -> TypeRule {
    TypeRule::hides(node, "").each("@identifier_list")
}

/// Adds the function of `f(x)`. An item of an array is written in the same way, and a range in the
/// parentheses is one of an array.
fn called<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let list = step(node, "@parenthesis_group").and_then(|group| group.named_child(0));
    if list.and_then(|list| step(list, "@association_element")).is_some() {
        call(text, node, found);
    }
}

/// Adds the procedure of a statement that calls one.
fn called_alone<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    if let Some(name) = step(node, "@name").filter(|name| step(*name, "@parenthesis_group").is_none()) {
        call(text, name, found);
    }
}

/// Adds the call of the path that a name begins with: `f` or `package.f`.
fn call<'t>(text: &'t str, name: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let end = step(name, "@parenthesis_group").map_or(name.end_byte(), |group| group.start_byte());
    let path = text.get(name.start_byte()..end).unwrap_or_default().trim_end();
    let start = path.rfind('.').map_or(0, |dot| dot + 1);
    let Some((before, last)) = path.split_at_checked(start) else { return };
    if identifiers::is_plain(path) && !last.is_empty() {
        let at = offset(name.start_byte() + start);
        let qualifier = Cow::Borrowed(before.trim_end_matches('.'));
        found.push(Mention::new(at, ReferenceKind::Call, last, qualifier));
    }
}

/// Returns a rule for a list of names with one type.
const fn listed(node: &'static str) -> DeclarationRule {
    DeclarationRule::new(node, K::Variable)
        .parts(|node| {
            step(node, "@identifier_list").map_or_else(Vec::new, |list| of_kind(list, "identifier"))
        })
        .body(&[])
        .scope(Scope::Outside)
}

/// Accepts the variables that processes share. Others belong to one process.
fn shared<'tree>(text: &str, node: Node<'tree>, _: &mut DeclarationCandidate<'tree>) -> bool {
    let written = text.get(node.byte_range()).unwrap_or_default();
    written.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("shared"))
}

/// Adds the package that `use work.types.all` names.
fn used<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = text.get(node.byte_range()).unwrap_or_default();
    let mut parts = written.split('.').skip(1);
    let Some(package) = parts.next().map(str::trim).filter(|one| !one.is_empty()) else { return };
    let at = offset(node.start_byte());
    found.push(Mention::new(at, ReferenceKind::Import, package, Cow::Borrowed(package)));
}

fn to_end<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.to_end = true;
    true
}

/// Gives an architecture its entity as owner.
fn architecture<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.owner = node.child_by_field_name("entity");
    found.to_end = true;
    true
}

/// Names a function or procedure.
fn subprogram<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(head) = node.named_child(0) else { return false };
    found.name = head.child_by_field_name("function").or_else(|| head.child_by_field_name("procedure"));
    found.name.is_some()
}

/// Gives a type the kind of what it is.
fn typed<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.kind = match found.body.map(|body| body.kind()) {
        Some("record_type_definition") => K::Struct,
        Some("enumeration_type_definition") => K::Enum,
        Some("protected_type_declaration" | "protected_type_body") => K::Class,
        _ => K::Type,
    };
    true
}
