//! Pascal: Free Pascal and Delphi.
//!
//! A routine is declared in the interface of its unit or in its class, and defined below. Names are
//! the same in any case, but are compared as they are written.

use crate::index::chunk::lines::blank;
use crate::index::chunk::node::range;
use crate::index::chunk::parts::in_field;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Name, Path, Scope, Table,
};
use crate::index::chunk::{ByteRange, DeclarationKind as K};
use std::borrow::Cow;
use tree_sitter::Node;

/// Pascal's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("declType", K::Type).body(&["type"]).refine(typed),
        DeclarationRule::new("defProc", K::Function)
            .name(Name::At(&["header", "name"]))
            .body(&["body"])
            .refine(owned),
        DeclarationRule::new("declProc", K::Function).body(&[]).refine(header),
        DeclarationRule::new("declField", K::Field).parts(|node| in_field(node, "name")).body(&[]),
        DeclarationRule::new("declProp", K::Field).body(&[]),
        DeclarationRule::new("declEnumValue", K::Variant).body(&[]),
        DeclarationRule::new("declConst", K::Constant).body(&["defaultValue"]).scope(Scope::Outside),
        DeclarationRule::new("declVar", K::Variable)
            .parts(|node| in_field(node, "name"))
            .body(&["defaultValue"])
            .scope(Scope::Outside),
    ],
    scopes: &[
        "unit",
        "interface",
        "implementation",
        "declTypes",
        "declConsts",
        "declVars",
        "declSection",
        "program",
        "library",
    ],
    imports: &[Import { names: &[ImportedNameRule::leaf("moduleName")], ..Import::new("declUses", "") }],
    calls: &[Call::new("exprCall", "entity"), Call::new("statement", "#0")],
    words: BUILT_IN,
    paths: &[
        Path::new("exprDot", "lhs", "rhs"),
        Path::new("genericDot", "lhs", "rhs"),
        Path::new("genericTpl", "", "entity"),
        Path::new("typerefDot", "lhs", "rhs"),
        Path::new("typerefTpl", "", "entity"),
        Path::new("typeref", "", "#0"),
        Path::new("moduleName", "", ""),
    ],
    types: &["typeref"],
    strings: &["literalString"],
    leaves: &["identifier"],
    mask: Some(readable),
    ..Table::new(|| tree_sitter_pascal::LANGUAGE.into())
};

/// Routines and types of the language itself.
const BUILT_IN: &[&str] = &[
    "Assert",
    "Assigned",
    "Boolean",
    "Break",
    "Byte",
    "Cardinal",
    "Char",
    "Continue",
    "Copy",
    "Dec",
    "Delete",
    "Double",
    "Exit",
    "Format",
    "FreeAndNil",
    "Halt",
    "High",
    "Inc",
    "Insert",
    "Int64",
    "Integer",
    "Length",
    "Low",
    "Move",
    "New",
    "Ord",
    "Pointer",
    "Pos",
    "Real",
    "SetLength",
    "Single",
    "SizeOf",
    "Str",
    "String",
    "Val",
    "Word",
    "Write",
    "WriteLn",
    "Writeln",
    "string",
    "writeln",
];

/// Words that begin a section of declarations.
const SECTIONS: &[&str] = &["const", "label", "resourcestring", "threadvar", "type", "var"];

/// Directives of conditional text, the first of which is at its begin.
struct Conditional {
    directives: Vec<(usize, usize)>,
    /// Whether each branch begins a section.
    has_sections: bool,
}

/// Returns the text that the parser sees: without the directives around sections of declarations.
/// The grammar cannot read them between the head of a routine and its block.
fn readable(text: &str) -> Cow<'_, [u8]> {
    let mut seen = Cow::Borrowed(text.as_bytes());
    let mut open: Vec<Conditional> = Vec::new();
    for (start, _) in text.match_indices("{$") {
        let Some(end) = text.get(start..).and_then(|rest| rest.find('}')).map(|n| start + n + 1) else {
            break;
        };
        let written = text.get(start + 2..end).unwrap_or_default().to_ascii_lowercase();
        let word = written.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        let has_section = || begins_section(text.get(end..).unwrap_or_default());
        match word {
            "if" | "ifdef" | "ifndef" | "ifopt" => {
                open.push(Conditional { directives: vec![(start, end)], has_sections: has_section() });
            }
            "else" | "elseif" => {
                if let Some(last) = open.last_mut() {
                    last.directives.push((start, end));
                    last.has_sections = last.has_sections && has_section();
                }
            }
            "endif" | "ifend" => {
                let Some(closed) = open.pop().filter(|one| one.has_sections) else { continue };
                for (start, end) in closed.directives.into_iter().chain([(start, end)]) {
                    blank(seen.to_mut().get_mut(start..end).unwrap_or_default());
                }
            }
            _ => {}
        }
    }
    seen
}

/// Most directives in front of a section that are skipped.
const MAX_DIRECTIVES: usize = 64;

/// Returns whether a text begins with a section of declarations, maybe behind other directives.
fn begins_section(text: &str) -> bool {
    let mut rest = text.trim_start();
    for _ in 0..MAX_DIRECTIVES {
        let Some((_, behind)) = rest.strip_prefix("{$").and_then(|rest| rest.split_once('}')) else { break };
        rest = behind.trim_start();
    }
    let word = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
    SECTIONS.iter().any(|section| word.eq_ignore_ascii_case(section))
}

/// Gives a type the kind of what it is: a class, an interface, a record or an enumeration.
fn typed<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(body) = found.body else { return true };
    found.kind = match body.kind() {
        "declIntf" => K::Interface,
        "declHelper" => K::Implementation,
        "declClass" => {
            let word = text.get(body.byte_range()).unwrap_or_default();
            let word = word.get(..6).unwrap_or(word).to_ascii_lowercase();
            if word == "record" || word == "packed" { K::Struct } else { K::Class }
        }
        _ if body.named_child(0).is_some_and(|inner| inner.kind() == "declEnum") => K::Enum,
        _ => K::Type,
    };
    let _ = node;
    true
}

/// Returns the bytes of the name of `operator + (…)`.
fn operator(header: Node<'_>) -> Option<ByteRange> {
    let name = header.child_by_field_name("name").filter(|name| name.kind() == "operatorName")?;
    let word = step(header, "@kOperator")?;
    Some(ByteRange { start: range(word).start, end: range(name).end })
}

/// Gives `procedure TCart.Add` its class.
fn owned<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.name_bytes = node.child_by_field_name("header").and_then(operator);
    if let Some(name) = found.name.filter(|name| name.kind() == "genericDot") {
        found.owner = name.child_by_field_name("lhs");
    }
    true
}

/// Accepts the declaration of a routine, but not the head of its definition.
fn header<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.name_bytes = operator(node);
    found.around[0] != "defProc"
}
