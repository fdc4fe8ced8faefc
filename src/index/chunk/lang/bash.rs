//! Bash and similar shells.
//!
//! Every command is a call, except those of the shell itself. Variables count only at the top
//! level.

use crate::index::chunk::DeclarationKind as K;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Path, Scope, Table, WrapperRule,
};
use tree_sitter::Node;

/// Bash's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("function_definition", K::Function),
        DeclarationRule::new("variable_assignment", K::Variable)
            .body(&["value"])
            .scope(Scope::Top)
            .refine(variable),
    ],
    wrappers: &[WrapperRule::new("declaration_command")],
    detached: &["#!"],
    imports: &[Import { words: &["source", "."], ..Import::new("command", "argument") }],
    calls: &[Call::new("command", "name")],
    words: BUILT_IN,
    paths: &[Path::new("command_name", "", "#0")],
    texts: &["heredoc_body", "raw_string", "string"],
    opaque: &["heredoc_start", "raw_string"],
    ascii: true,
    ..Table::new(|| tree_sitter_bash::LANGUAGE.into())
};

/// Commands of the shell itself, which are not calls.
const BUILT_IN: &[&str] = &[
    ":", "[", "[[", "alias", "break", "cd", "continue", "echo", "eval", "exec", "exit", "false", "local",
    "popd", "printf", "pushd", "pwd", "read", "return", "set", "shift", "shopt", "test", "trap", "true",
    "type", "ulimit", "umask", "unalias", "unset", "wait",
];

/// Accepts assignments at the top level, but not those before a command; read-only ones are
/// constants.
fn variable(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    match found.around {
        ["program", _] | ["variable_assignments", "program"] => {}
        ["declaration_command", _] => {
            let Some(parent) = node.parent() else { return false };
            let words = text.get(parent.start_byte()..node.start_byte()).unwrap_or_default();
            if words.starts_with("readonly") || words.contains(" -r") {
                found.kind = K::Constant;
            }
        }
        _ => return false,
    }
    found.name.is_some_and(|name| name.kind() == "variable_name")
}
