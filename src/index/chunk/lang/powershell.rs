//! PowerShell.
//!
//! Every command is a call, except those of PowerShell itself. Names are the same in any case, but
//! are compared as they are written.

use super::powershell_mask;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::node::range;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, MentionRule, Name, Path, Scope, Table,
};
use crate::index::chunk::{ByteRange, DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// PowerShell's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("function_statement", K::Function)
            .name(Name::At(&["@function_name"]))
            .body(&["@{"])
            .refine(function),
        DeclarationRule::new("class_statement", K::Class)
            .name(Name::At(&["@simple_name"]))
            .body(&["@{"])
            .inherits(&["@@simple_name"])
            .refine(to_end),
        DeclarationRule::new("enum_statement", K::Enum)
            .name(Name::At(&["@simple_name"]))
            .body(&["@{"])
            .refine(to_end),
        DeclarationRule::new("enum_member", K::Variant).name(Name::At(&["@simple_name"])).body(&[]),
        DeclarationRule::new("class_method_definition", K::Method)
            .name(Name::At(&["@simple_name"]))
            .body(&["@{"])
            .refine(to_end),
        DeclarationRule::new("class_property_definition", K::Field).name(Name::At(&["@variable"])).body(&[]),
        DeclarationRule::new("assignment_expression", K::Variable)
            .parts(variables)
            .body(&["value"])
            .scope(Scope::Top)
            .refine(variable),
        DeclarationRule::new("data_statement", K::Variable)
            .name(Name::At(&["@data_name", "@simple_name"]))
            .body(&[]),
        DeclarationRule::new("command", K::Test).name(Name::Refined).body(&[]).refine(command),
    ],
    detached: &["#!", "#requires", "#Requires"],
    calls: &[Call::new("command", "command_name")],
    words: BUILT_IN,
    constructors: &["="],
    paths: &[Path::new("type_name", "", "")],
    types: &["type_name"],
    names: &["simple_name"],
    mask: Some(powershell_mask::readable),
    strings: &["string_literal"],
    mentions: &[
        MentionRule { node: "command", read: imported },
        MentionRule { node: "invokation_expression", read: method },
    ],
    ..Table::new(|| tree_sitter_powershell::LANGUAGE.into())
};

/// Commands of PowerShell itself, which are not calls.
const BUILT_IN: &[&str] = &[
    "Add-Member",
    "Add-Type",
    "AfterAll",
    "AfterEach",
    "BeforeAll",
    "BeforeEach",
    "Context",
    "Describe",
    "It",
    "Should",
    "using",
    "Clear-Variable",
    "Copy-Item",
    "ForEach-Object",
    "Format-List",
    "Format-Table",
    "Get-ChildItem",
    "Get-Command",
    "Get-Content",
    "Get-Date",
    "Get-Item",
    "Get-Location",
    "Get-Member",
    "Get-Module",
    "Get-Process",
    "Get-Variable",
    "Group-Object",
    "Import-Module",
    "Invoke-Expression",
    "Join-Path",
    "Measure-Object",
    "Move-Item",
    "New-Item",
    "New-Object",
    "Out-File",
    "Out-Host",
    "Out-Null",
    "Out-String",
    "Remove-Item",
    "Remove-Variable",
    "Resolve-Path",
    "Select-Object",
    "Select-String",
    "Set-Content",
    "Set-Item",
    "Set-Location",
    "Set-StrictMode",
    "Set-Variable",
    "Sort-Object",
    "Split-Path",
    "Start-Process",
    "Start-Sleep",
    "Test-Path",
    "Where-Object",
    "Write-Debug",
    "Write-Error",
    "Write-Host",
    "Write-Output",
    "Write-Verbose",
    "Write-Warning",
    "array",
    "bool",
    "byte",
    "datetime",
    "double",
    "hashtable",
    "int",
    "long",
    "object",
    "psobject",
    "pscustomobject",
    "regex",
    "scriptblock",
    "string",
    "switch",
    "void",
    "xml",
];

fn to_end<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.to_end = true;
    true
}

/// Names a function without the scope in front of its name (`global:Add-Item`).
fn function<'tree>(text: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.to_end = true;
    let Some(bytes) = found.name.map(range) else { return false };
    let written = bytes.of(text);
    let scope = written.find(':').map_or(0, |colon| colon + 1);
    found.name_bytes =
        (scope < written.len()).then(|| ByteRange { start: bytes.start + offset(scope), ..bytes });
    true
}

/// Most nodes around a variable in front of `=`: one for each precedence of an operator.
const MAX_OPERATORS: usize = 32;

/// Most variables that one assignment sets.
const MAX_NAMES: usize = 64;

/// Returns the variables that an assignment sets: `$a`, `[int]$a`, `$a, $b`.
fn variables(assignment: Node<'_>) -> Vec<Node<'_>> {
    let Some(mut left) = assignment.named_child(0) else { return Vec::new() };
    for _ in 0..MAX_OPERATORS {
        left = match (left.kind(), left.named_child_count()) {
            ("variable", _) => return vec![left],
            ("array_literal_expression", 2..) => {
                let mut cursor = left.walk();
                return left.named_children(&mut cursor).take(MAX_NAMES).filter_map(variable_in).collect();
            }
            _ => match inner(left) {
                Some(inner) => inner,
                None => break,
            },
        };
    }
    Vec::new()
}

/// Returns what a node is around, without the type in front of it.
fn inner(node: Node<'_>) -> Option<Node<'_>> {
    match (node.kind(), node.named_child_count()) {
        ("cast_expression", 2) => node.named_child(1),
        (_, 1) => node.named_child(0),
        _ => None,
    }
}

/// Returns the variable that a node consists of.
fn variable_in(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    for _ in 0..MAX_OPERATORS {
        if node.kind() == "variable" {
            return Some(node);
        }
        node = inner(node)?;
    }
    None
}

/// Accepts a simple variable at the top level of a script. Inside an error, it could be one of a
/// function that the grammar cannot read.
fn variable<'tree>(text: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let name = found.name.and_then(|name| text.get(name.byte_range()));
    let is_plain = name.is_some_and(|name| name.len() > 1 && !name.starts_with("${"));
    is_plain
        && !found.is_broken
        && found.within.is_none()
        && found.around[1] == "statement_list"
        && found.around[0] == "pipeline"
}

/// Accepts commands that declare something: the blocks of Pester's tests (`Describe "…" { … }`), a
/// configuration (`configuration Server { … }`), and an alias.
fn command<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let word = node.child_by_field_name("command_name").and_then(|name| text.get(name.byte_range()));
    let (Some(word), Some(elements)) = (word, node.child_by_field_name("command_elements")) else {
        return false;
    };
    let written = text.get(elements.byte_range()).unwrap_or_default();
    let has_block = written.contains('{');
    match word.to_ascii_lowercase().as_str() {
        "describe" | "context" | "it" => {
            let mut cursor = elements.walk();
            let is_string =
                |one: &Node<'_>| text.get(one.byte_range()).is_some_and(|one| one.starts_with(['"', '\'']));
            found.name = elements.named_children(&mut cursor).find(is_string).and_then(string_in);
            has_block && found.name.is_some()
        }
        "configuration" => {
            found.kind = K::Function;
            found.name = argument(elements, 0);
            has_block && found.name.is_some()
        }
        "set-alias" | "new-alias" => {
            found.kind = K::Function;
            let words: Vec<&str> = written.split_whitespace().collect();
            let n_parameters = words.iter().position(|word| word.eq_ignore_ascii_case("-name"));
            found.name = match n_parameters {
                Some(at) => {
                    argument(elements, words.iter().take(at).filter(|one| !one.starts_with('-')).count())
                }
                None => {
                    argument(elements, 0).filter(|_| words.first().is_some_and(|one| !one.starts_with('-')))
                }
            };
            found.name.is_some()
        }
        _ => false,
    }
}

/// Returns one of the bare words of a command.
fn argument(elements: Node<'_>, at: usize) -> Option<Node<'_>> {
    let mut cursor = elements.walk();
    let words = elements.named_children(&mut cursor);
    let mut words = words.filter(|one| !matches!(one.kind(), "command_argument_sep" | "command_parameter"));
    words.nth(at).filter(|word| word.kind() == "generic_token")
}

/// Returns the string that a node consists of.
fn string_in(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    for _ in 0..16 {
        if node.kind() == "string_literal" {
            return Some(node);
        }
        node = node.named_child(0)?;
    }
    None
}

/// Adds the module or script that a command loads.
fn imported<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = text.get(node.byte_range()).unwrap_or_default();
    let mut words = written.split_whitespace();
    let path = match words.next() {
        Some("Import-Module") => words.find(|word| !word.starts_with('-')),
        Some("." | "&") => words.next(),
        _ => return,
    };
    let Some(path) = path.map(|path| path.trim_matches(['"', '\''])) else { return };
    let path = path.strip_prefix("$PSScriptRoot").map_or(path, |rest| rest.trim_start_matches(['/', '\\']));
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    if !name.is_empty() && !path.contains(['$', '(', '{']) {
        let at = offset(node.start_byte());
        found.push(Mention::new(at, ReferenceKind::Import, name, Cow::Borrowed(path)));
    }
}

/// Adds the method that an object or a type calls.
fn method<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let mut cursor = node.walk();
    let Some(name) = node.named_children(&mut cursor).find(|child| child.kind() == "member_name") else {
        return;
    };
    let object = node.named_child(0).and_then(|object| text.get(object.byte_range())).unwrap_or_default();
    let object = object.trim_start_matches(['$', '[']).trim_end_matches(']');
    let is_plain = object.len() < 64 && object.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let written = text.get(name.byte_range()).unwrap_or_default();
    if written.chars().all(|c| c.is_alphanumeric() || c == '_') {
        let qualifier = if is_plain { object } else { "()" };
        let at = offset(name.start_byte());
        found.push(Mention::new(at, ReferenceKind::Call, written, Cow::Borrowed(qualifier)));
    }
}
