//! Solidity.

use crate::index::chunk::DeclarationKind as K;
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, Name, Path, Region,
    Table, Values,
};
use tree_sitter::Node;

const CONTRACT: DeclarationRule = DeclarationRule::new("contract_declaration", K::Class);
const VALUE: DeclarationRule =
    DeclarationRule::new("constant_variable_declaration", K::Constant).body(&["value"]);
const EVENT: DeclarationRule = DeclarationRule::new("event_definition", K::Struct).body(&[]);

/// Solidity's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        CONTRACT,
        DeclarationRule { node: "interface_declaration", kind: K::Interface, ..CONTRACT },
        DeclarationRule { node: "library_declaration", ..CONTRACT },
        DeclarationRule::new("struct_declaration", K::Struct),
        DeclarationRule::new("struct_member", K::Field).body(&[]),
        DeclarationRule::new("enum_declaration", K::Enum),
        DeclarationRule::new("enum_value", K::Variant).name(Name::Refined).body(&[]).refine(itself),
        DeclarationRule::new("function_definition", K::Function),
        DeclarationRule::new("modifier_definition", K::Function),
        DeclarationRule::new("constructor_definition", K::Constructor).name(Name::At(&["@constructor"])),
        DeclarationRule::new("fallback_receive_definition", K::Method).name(Name::Refined).refine(first),
        DeclarationRule::new("state_variable_declaration", K::Field).body(&["value"]).refine(state),
        VALUE,
        EVENT,
        DeclarationRule { node: "error_declaration", ..EVENT },
        DeclarationRule::new("user_defined_type_definition", K::Type).body(&[]),
    ],
    heads: &["pragma_directive"],
    imports: &[Import {
        names: &[ImportedNameRule::leaf("identifier")],
        ..Import::new("import_directive", "source")
    }],
    calls: &[
        Call::new("call_expression", "function"),
        Call::new("emit_statement", "name"),
        Call::new("revert_statement", "error"),
        Call::new("modifier_invocation", "#0"),
    ],
    words: &[
        "abi",
        "assert",
        "block",
        "gasleft",
        "keccak256",
        "msg",
        "require",
        "revert",
        "super",
        "this",
        "tx",
        "address",
        "uint256",
        "sha256",
        "ecrecover",
        "addmod",
        "mulmod",
        "selfdestruct",
    ],
    paths: &[
        Path::new("expression", "", "#0"),
        Path::new("member_expression", "object", "property"),
        Path::new("user_defined_type", "", ""),
    ],
    types: &["user_defined_type"],
    regions: &[
        Region::new("inheritance_specifier", Meaning::Refers(ReferenceKind::Inherits)).at("ancestor"),
        Region::new("using_directive", Meaning::Refers(ReferenceKind::Type)),
    ],
    strings: &["string"],
    leaves: &["identifier"],
    values: Values { has_implicit_self: true, ..Values::NONE },
    ..Table::new(|| tree_sitter_solidity::LANGUAGE.into())
};

fn itself<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.name = Some(node);
    true
}

/// Names `receive()` and `fallback()` by their word.
fn first<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.name = node.child(0);
    true
}

/// A state variable that never changes is a constant.
fn state<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(name) = found.name else { return false };
    let before = text.get(node.start_byte()..name.start_byte()).unwrap_or_default();
    if before.split_whitespace().any(|word| matches!(word, "constant" | "immutable")) {
        found.kind = K::Constant;
    }
    true
}
