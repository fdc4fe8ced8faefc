//! Fortran.
//!
//! Its names are the same in any case, so records have them in lower case. A call and an item of an
//! array are written in the same way: a name that no declaration around makes a variable is called.

use super::fortran_mask;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::node::range;
use crate::index::chunk::parts::{in_field, of_kind};
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, MentionRule, Name, Path,
    Region, Scope, Table, TypeRule,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Groups of variables that have a name: `common /sizes/ n, m`.
const GROUP: DeclarationRule = DeclarationRule::new("", K::Variable)
    .parts(|node| of_kind(node, "variable_group"))
    .name(Name::At(&["@name"]))
    .body(&[]);

/// Fortran's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        unit("module", K::Module, &["@module_statement", "@name"]),
        unit("submodule", K::Module, &["@submodule_statement", "@name"]),
        unit("block_data", K::Module, &["@block_data_statement", "@name"]),
        unit("program", K::Function, &["@program_statement", "@name"]),
        unit("subroutine", K::Function, &["@subroutine_statement", "name"]),
        unit("function", K::Function, &["@function_statement", "name"]),
        unit("module_procedure", K::Function, &["@module_procedure_statement", "name"]),
        unit("derived_type_definition", K::Struct, &["@derived_type_statement", "@type_name"]),
        DeclarationRule::new("interface", K::Function)
            .name(Name::At(&["@interface_statement", "@name"]))
            .body(&[])
            .refine(generic),
        DeclarationRule::new("interface_statement", K::Function)
            .name(Name::At(&["@name"]))
            .body(&[])
            .refine(generic_head),
        DeclarationRule::new("variable_declaration", K::Variable)
            .parts(|node| in_field(node, "declarator"))
            .name(Name::Refined)
            .body(&[])
            .scope(Scope::Outside)
            .refine(variable),
        DeclarationRule::new("enumerator_statement", K::Constant)
            .parts(|node| in_field(node, "declarator"))
            .name(Name::Refined)
            .body(&[])
            .scope(Scope::Outside)
            .refine(declarator),
        DeclarationRule::new("procedure_statement", K::Method)
            .parts(|node| in_field(node, "declarator"))
            .name(Name::Refined)
            .body(&[])
            .refine(bound),
        DeclarationRule::new("generic_statement", K::Method)
            .parts(|node| in_field(node, "declarator"))
            .name(Name::Refined)
            .body(&[])
            .refine(bound),
        DeclarationRule::new("entry_statement", K::Function).body(&[]),
        DeclarationRule { node: "common_statement", ..GROUP },
        DeclarationRule { node: "namelist_statement", ..GROUP },
        DeclarationRule::new("preproc_def", K::Macro).body(&["value"]),
        DeclarationRule::new("preproc_function_def", K::Macro).body(&["value"]),
    ],
    detached: &["!$", "!DIR$", "!dir$"],
    scopes: &[
        "derived_type_procedures",
        "internal_procedures",
        "preproc_elif",
        "preproc_else",
        "preproc_if",
        "preproc_ifdef",
    ],
    imports: &[
        Import {
            names: &[
                ImportedNameRule::aliased("use_alias", "@identifier", "@local_name"),
                ImportedNameRule::leaf("identifier"),
            ],
            ..Import::new("use_statement", "@module_name")
        },
        Import::new("submodule_statement", "ancestor"),
        Import::new("include_statement", "@filename"),
        Import::new("preproc_include", "path"),
    ],
    calls: &[Call::new("subroutine_call", "subroutine"), Call::new("call_expression", "#0")],
    paths: &[Path::new("derived_type_member_expression", "#0", "@type_member")],
    types: &["type_name"],
    regions: &[
        Region::new("base_type_specifier", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("type_statement", Meaning::Refers(ReferenceKind::Type)).at("type"),
        Region::new("allocate_statement", Meaning::Refers(ReferenceKind::Type)).at("type"),
    ],
    names: &["identifier"],
    strings: &["filename", "string_literal"],
    opaque: &["string_literal"],
    valueless: &[
        "common_statement",
        "implicit_statement",
        "private_statement",
        "public_statement",
        "save_statement",
        "variable_modification",
    ],
    typed: &[
        TypeRule::new("variable_declaration").each("declarator").name("").ty(&["type/name"]),
        TypeRule::new("function").name("@function_statement/name").result(&["@function_statement/type/name"]),
        TypeRule { value: &["selector"], ..TypeRule::hides("association", "name") },
    ],
    leaves: &["identifier"],
    member_leaves: &["type_member"],
    mentions: &[
        MentionRule { node: "procedure_statement", read: procedures },
        MentionRule { node: "generic_statement", read: procedures },
        MentionRule { node: "final_statement", read: procedures },
        MentionRule { node: "user_defined_operator", read: applied },
        MentionRule { node: "variable_declaration", read: procedure_type },
    ],
    sees_all: true,
    marks: &["%"],
    has_function_scope: true,
    has_labels: false,
    has_called_items: true,
    folds_case: true,
    mask: Some(fortran_mask::readable),
    ..Table::new(|| tree_sitter_fortran::LANGUAGE.into())
};

/// Returns a rule for a unit with a statement at its begin and one at its end.
const fn unit(node: &'static str, kind: K, name: &'static [&'static str]) -> DeclarationRule {
    DeclarationRule::new(node, kind).name(Name::At(name)).body(&[]).refine(from_second)
}

/// Begins the body of a unit behind its first statement. A procedure in an interface has none.
fn from_second<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let is_prototype = found.around.contains(&"interface");
    found.body = node.named_child(1).filter(|_| !is_prototype);
    found.to_end = true;
    found.name.is_some()
}

/// Returns whether an interface declares procedures, and does not only list them.
fn has_prototypes(interface: Node<'_>) -> bool {
    ["@subroutine", "@function"].iter().any(|kind| step(interface, kind).is_some())
}

/// Accepts interfaces that list the procedures of a generic name or of an operator.
fn generic<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if let Some(head) = step(node, "@interface_statement") {
        operator(head, found);
    }
    !has_prototypes(node) && from_second(text, node, found)
}

/// Names a declaration by the operator in a node: `operator(.in.)`, `assignment(=)`.
fn operator<'tree>(node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) {
    let named = OPERATORS.iter().find_map(|kind| step(node, kind));
    if found.name.is_none()
        && let Some(named) = named
    {
        (found.name, found.name_bytes) = (Some(named), Some(range(named)));
    }
}

/// Nodes in place of a generic name.
const OPERATORS: [&str; 3] = ["@operator", "@assignment", "@defined_io_procedure"];

/// Accepts the heads of interfaces that declare procedures. Those are not local to the generic
/// name.
fn generic_head<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    operator(node, found);
    found.name.is_some() && node.parent().is_some_and(has_prototypes)
}

/// Names what a declarator declares: `a` of `a(3) = 0` and of `a => null()`.
fn declarator<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.name = named(found.part);
    found.name.is_some()
}

/// Most declarators inside of each other.
const MAX_DECLARATORS: usize = 8;

/// Returns the name at the bottom of declarators.
fn named(declarator: Node<'_>) -> Option<Node<'_>> {
    let mut at = declarator;
    for _ in 0..MAX_DECLARATORS {
        if matches!(at.kind(), "identifier" | "method_name") {
            return Some(at);
        }
        at = at.child_by_field_name("left").or_else(|| at.named_child(0))?;
    }
    None
}

/// Makes variables of a type its fields, and those that never change constants.
fn variable<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if found.within == Some(K::Struct) {
        found.kind = K::Field;
    } else if in_field(node, "attribute").iter().any(|one| is_word(text, *one, "parameter")) {
        found.kind = K::Constant;
    }
    declarator(text, node, found)
}

fn is_word(text: &str, node: Node<'_>, word: &str) -> bool {
    text.get(node.byte_range()).is_some_and(|written| written.eq_ignore_ascii_case(word))
}

/// Accepts procedures and operators that are bound to a type.
fn bound<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let binding = step(found.part, "@binding_name");
    let name = binding.and_then(|name| name.named_child(0)).unwrap_or(found.part);
    found.name = Some(name).filter(|name| matches!(name.kind(), "identifier" | "method_name"));
    if let Some(binding) = binding {
        operator(binding, found);
    }
    found.name.is_some() && found.within == Some(K::Struct)
}

/// Adds the procedures that a statement binds to a type, or lists for a generic name.
fn procedures<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    // The name of a method may be that of its procedure, too.
    let at = offset(node.start_byte());
    let mut add = |name: Node<'_>, qualifier: &'t str| {
        let mut mention = Mention::new(at, ReferenceKind::Use, of(name), Cow::Borrowed(qualifier));
        mention.name_at = offset(name.start_byte());
        found.push(mention);
    };
    if let Some(interface) = step(node, "@procedure_interface") {
        add(interface, "");
        // A deferred procedure has only this.
        return;
    }
    // A generic name of a type lists procedures that are bound to the type.
    let ty = node.parent().and_then(|around| around.parent());
    let ty = ty.filter(|ty| ty.kind() == "derived_type_definition" && node.kind() == "generic_statement");
    let ty = ty.and_then(|ty| step(ty, "@derived_type_statement")).and_then(|head| step(head, "@type_name"));
    let qualifier = ty.map(of).unwrap_or_default();
    for part in in_field(node, "declarator") {
        if part.kind() == "method_name" {
            add(part, qualifier);
        }
        let mut cursor = part.walk();
        for name in part.named_children(&mut cursor).filter(|one| one.kind() == "method_name") {
            add(name, qualifier);
        }
    }
}

/// Adds the operator that an expression applies: `operator(.in.)` of `a .in. b`.
fn applied<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let name = format!("operator({})", text.get(node.byte_range()).unwrap_or_default());
    found.push(Mention::new(offset(node.start_byte()), ReferenceKind::Call, name, Cow::Borrowed("")));
}

/// Adds the interface of a pointer to a procedure: `procedure(callback), pointer :: f`.
fn procedure_type<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let interface = node.child_by_field_name("type").and_then(|ty| step(ty, "@procedure_interface"));
    let Some(interface) = interface else { return };
    let name = text.get(interface.byte_range()).unwrap_or_default();
    found.push(Mention::new(offset(interface.start_byte()), ReferenceKind::Use, name, Cow::Borrowed("")));
}
