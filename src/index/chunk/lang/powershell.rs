//! PowerShell.
//!
//! Every command is a call, except those of PowerShell itself. Names are the same in any case, but
//! are compared as they are written.

use super::powershell_mask;
use crate::index::chunk::DeclarationKind as K;
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, MentionRule, Name, Path, Scope, Table,
};
use std::borrow::Cow;
use tree_sitter::Node;

/// PowerShell's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("function_statement", K::Function)
            .name(Name::At(&["@function_name"]))
            .body(&["@{"])
            .refine(to_end),
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
            .name(Name::Refined)
            .body(&["value"])
            .scope(Scope::Top)
            .refine(variable),
        DeclarationRule::new("command", K::Test).name(Name::Refined).body(&[]).refine(test),
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

/// Accepts a simple variable at the top level of a script. Inside an error, it could be one of a
/// function that the grammar cannot read.
fn variable<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(mut left) = node.named_child(0) else { return false };
    while left.kind() != "variable" {
        match left.named_child(0) {
            Some(inner) if left.named_child_count() == 1 => left = inner,
            _ => return false,
        }
    }
    found.name = Some(left);
    let is_plain = text.get(left.byte_range()).is_some_and(|name| name.len() > 1 && !name.starts_with("${"));
    is_plain
        && !found.is_broken
        && found.within.is_none()
        && found.around[1] == "statement_list"
        && found.around[0] == "pipeline"
}

/// Accepts the blocks of Pester's tests: `Describe "…" { … }`, `It "…" { … }`.
fn test<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let word = node.child_by_field_name("command_name").and_then(|name| text.get(name.byte_range()));
    if !matches!(word, Some("Describe" | "Context" | "It")) {
        return false;
    }
    let Some(elements) = node.child_by_field_name("command_elements") else { return false };
    let written = text.get(elements.byte_range()).unwrap_or_default();
    let mut cursor = elements.walk();
    let is_string =
        |one: &Node<'_>| text.get(one.byte_range()).is_some_and(|one| one.starts_with(['"', '\'']));
    found.name = elements.named_children(&mut cursor).find(is_string).and_then(string_in);
    written.contains('{') && found.name.is_some()
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
