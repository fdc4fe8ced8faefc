//! Erlang.
//!
//! The clauses of a function are one declaration, as are its specification and it. Functions of one
//! name that take different numbers of arguments are different ones. Calls name their module, whose
//! file has its name, and so refer to that, too.

use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, MentionRule, Name,
    Region, Table,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

const TYPE: DeclarationRule =
    DeclarationRule::new("type_alias", K::Type).name(Name::At(&["name", "name"])).body(&["ty"]);

/// Erlang's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("fun_decl", K::Function)
            .name(Name::At(&["clause", "name"]))
            .body(&["clause", "body"])
            .joins_clauses(arity)
            .refine(function),
        DeclarationRule::new("spec", K::Function).name(Name::At(&["fun"])).body(&[]).joins_clauses(arity),
        DeclarationRule::new("callback", K::Function).name(Name::At(&["fun"])).body(&[]),
        DeclarationRule::new("record_decl", K::Struct).body(&["fields"]).refine(to_end),
        DeclarationRule::new("record_field", K::Field).body(&[]).refine(field),
        DeclarationRule::new("pp_define", K::Macro).name(Name::At(&["lhs", "name"])).body(&["replacement"]),
        DeclarationRule::new("module_attribute", K::Module).body(&[]),
        TYPE,
        DeclarationRule { node: "opaque", ..TYPE },
        DeclarationRule { node: "nominal", ..TYPE },
    ],
    detached: &["%%%"],
    heads: &["module_attribute", "export_attribute", "export_type_attribute", "compile_options_attribute"],
    imports: &[
        Import {
            names: &[ImportedNameRule::aliased("fa", "fun", "")],
            ..Import::new("import_attribute", "module")
        },
        Import { names: &[ImportedNameRule::leaf("string")], ..Import::new("pp_include", "") },
        Import { names: &[ImportedNameRule::leaf("string")], ..Import::new("pp_include_lib", "") },
    ],
    calls: &[Call::new("macro_call_expr", "name"), Call::new("internal_fun", "fun")],
    words: BUILT_IN,
    mentions: &[
        MentionRule { node: "call", read: call },
        MentionRule { node: "external_fun", read: external },
    ],
    regions: &[
        Region::new("behaviour_attribute", Meaning::Refers(ReferenceKind::Inherits)).at("name"),
        Region::new("record_name", Meaning::Refers(ReferenceKind::Type)).at("name"),
    ],
    names: &["atom"],
    strings: &["string"],
    ..Table::new(|| tree_sitter_erlang::LANGUAGE.into())
};

/// Functions and types of Erlang itself.
const BUILT_IN: &[&str] = &[
    "abs",
    "any",
    "apply",
    "atom",
    "atom_to_binary",
    "atom_to_list",
    "binary",
    "binary_to_list",
    "binary_to_term",
    "bitstring",
    "boolean",
    "byte",
    "char",
    "element",
    "error",
    "exit",
    "float",
    "function",
    "hd",
    "integer",
    "integer_to_binary",
    "integer_to_list",
    "iodata",
    "iolist",
    "iolist_to_binary",
    "is_atom",
    "is_binary",
    "is_function",
    "is_integer",
    "is_list",
    "is_map",
    "is_pid",
    "is_tuple",
    "length",
    "list",
    "list_to_atom",
    "list_to_binary",
    "list_to_tuple",
    "make_ref",
    "map",
    "map_size",
    "max",
    "min",
    "module",
    "monitor",
    "neg_integer",
    "no_return",
    "node",
    "non_neg_integer",
    "none",
    "nonempty_list",
    "number",
    "pid",
    "port",
    "pos_integer",
    "put",
    "get",
    "reference",
    "register",
    "round",
    "self",
    "setelement",
    "size",
    "spawn",
    "spawn_link",
    "string",
    "term",
    "term_to_binary",
    "throw",
    "timeout",
    "tl",
    "trunc",
    "tuple",
    "tuple_size",
    "tuple_to_list",
    "whereis",
    "FILE",
    "FUNCTION_NAME",
    "LINE",
    "MODULE",
];

/// Adds a call. The grammar puts a call inside of the path with its module, so the module is read
/// from the text before it.
fn call<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(name) = node.child_by_field_name("expr").filter(|name| name.kind() == "atom") else { return };
    let written = text.get(name.byte_range()).unwrap_or_default();
    let before = text.get(..node.start_byte()).unwrap_or_default();
    let module = before.strip_suffix(':').map_or("", |before| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '@');
        let start = before.trim_end_matches(is_part).len();
        before.get(start..).unwrap_or_default()
    });
    found.extend(module_of(module, before.len().saturating_sub(1)));
    if !module.is_empty() || !BUILT_IN.contains(&written) {
        let at = offset(name.start_byte());
        found.push(Mention::new(at, ReferenceKind::Call, written, Cow::Borrowed(module)));
    }
}

/// Returns the mention of a module in front of one of its functions. `end` is the byte behind it.
fn module_of(module: &str, end: usize) -> Option<Mention<'_>> {
    let at = offset(end.checked_sub(module.len())?);
    let is_atom = module.starts_with(|c: char| c.is_lowercase());
    is_atom.then(|| Mention::new(at, ReferenceKind::Type, module, Cow::Borrowed("")))
}

/// Adds a function of another module that is passed on (`fun lists:map/2`).
fn external<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |field| node.child_by_field_name(field).and_then(|one| text.get(one.byte_range()));
    let (Some(module), Some(name)) = (of("module"), of("fun")) else { return };
    let at = offset(node.start_byte());
    let module = module.trim_end_matches(':').trim();
    found.extend(module_of(module, node.start_byte() + module.len()));
    found.push(Mention::new(at, ReferenceKind::Use, name, Cow::Borrowed(module)));
}

/// Returns the number of arguments of a clause or of a specification.
fn arity(_: &str, node: Node<'_>) -> Option<usize> {
    let head = node.child_by_field_name("clause").or_else(|| node.child_by_field_name("sigs"))?;
    let arguments = head.child_by_field_name("args")?;
    let mut cursor = arguments.walk();
    Some(arguments.named_children(&mut cursor).filter(|one| one.kind() != "comment").count())
}

/// Rejects a macro that stands where a function does.
fn function<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    node.child_by_field_name("clause").is_some_and(|clause| clause.kind() == "function_clause")
        && found.name.is_some()
}

fn to_end<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.to_end = true;
    true
}

/// Accepts the fields of a record's declaration, but not those of its values.
fn field<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.around[0] == "record_decl"
}
