//! Bash and similar shells.
//!
//! Every command is a call, except those of the shell itself. An alias counts as a variable.
//! Variables count only at the top level. The parser sees a test of Bats (`@test "name" {`) as a
//! function. What Zsh adds is hidden from it (`zsh`).

use super::zsh;
use crate::index::chunk::lines::offset;
use crate::index::chunk::parts::in_field;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Name, Path, Scope, Table, WrapperRule,
};
use crate::index::chunk::{ByteRange, DeclarationKind as K};
use std::borrow::Cow;
use tree_sitter::Node;

/// Bash's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("function_definition", K::Function).refine(function),
        DeclarationRule::new("variable_assignment", K::Variable)
            .body(&["value"])
            .scope(Scope::Top)
            .refine(variable),
        DeclarationRule::new("command", K::Test)
            .parts(|node| in_field(node, "argument"))
            .name(Name::Refined)
            .body(&[])
            .refine(command),
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
    mask: Some(|text| zsh::mask(text, without_tests(text))),
    outermost: Some(zsh::functions),
    ..Table::new(|| tree_sitter_bash::LANGUAGE.into())
};

/// Commands of the shell itself, which are not calls.
const BUILT_IN: &[&str] = &[
    ":", "[", "[[", "alias", "break", "cd", "continue", "echo", "eval", "exec", "exit", "false", "local",
    "popd", "printf", "pushd", "pwd", "read", "return", "set", "shift", "shopt", "test", "trap", "true",
    "type", "ulimit", "umask", "unalias", "unset", "wait",
];

/// The word that begins a test of Bats.
const TEST: &str = "@test ";

/// Returns the text that the parser sees: the head of a test is that of a function.
fn without_tests(text: &str) -> Cow<'_, [u8]> {
    if !text.contains(TEST) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut seen = text.as_bytes().to_vec();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let head = line.trim_end().strip_suffix('{').map(str::trim_end).filter(|head| head.starts_with(TEST));
        if let Some(slots) = head.and_then(|head| seen.get_mut(start..start + head.len())) {
            slots.fill(b'_');
            slots.iter_mut().rev().zip(b")(").for_each(|(slot, byte)| *slot = *byte);
        }
        start += line.len();
    }
    Cow::Owned(seen)
}

/// Accepts functions; a test of Bats is named by its text.
fn function<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let head = text.get(node.start_byte()..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    if let Some(name) = head.strip_prefix(TEST).and_then(|rest| rest.trim_end().strip_suffix('{')) {
        let name = name.trim().trim_matches(['"', '\'']);
        let start = offset(node.start_byte() + head.find(name).unwrap_or_default());
        found.kind = K::Test;
        found.name_bytes = Some(ByteRange { start, end: start + offset(name.len()) });
    }
    true
}

/// Accepts what a command declares with one of its arguments: an alias or a test.
fn command<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let word = node.child_by_field_name("name").and_then(|name| text.get(name.byte_range()));
    match word {
        Some("alias") => alias(text, found),
        Some("test_expect_success" | "test_expect_failure") => suite_test(text, node, found),
        _ => false,
    }
}

/// Accepts an argument that gives an alias its value: `gst='git status'`.
fn alias(text: &str, found: &mut DeclarationCandidate<'_>) -> bool {
    let start = offset(found.part.start_byte());
    let written = text.get(found.part.byte_range()).unwrap_or_default();
    let plain = written.trim_start_matches(['"', '\'']);
    let Some((name, _)) = plain.split_once('=') else { return false };
    let start = start + offset(written.len() - plain.len());
    // A command of this name elsewhere need not be the alias: scripts do not expand any.
    found.kind = K::Variable;
    found.name_bytes = Some(ByteRange { start, end: start + offset(name.len()) });
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || matches!(c, '$' | '`' | '"' | '\''))
}

/// Accepts the tests of Git's suite and of Sharness, which are called by their text:
/// `test_expect_success 'a file is added' '…'`. What they need may stand in front of it.
fn suite_test<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let mut cursor = node.walk();
    let arguments: Vec<_> = node.children_by_field_name("argument", &mut cursor).take(3).collect();
    let title = match arguments.as_slice() {
        [title, _] | [_, title, _] => title,
        _ => return false,
    };
    if *title != found.part || !matches!(title.kind(), "raw_string" | "string") {
        return false;
    }
    let written = text.get(title.byte_range()).unwrap_or_default();
    let name = written.trim_matches(['"', '\'']);
    let start = offset(title.start_byte() + written.find(name).unwrap_or_default());
    found.name_bytes = Some(ByteRange { start, end: start + offset(name.len()) });
    found.body = arguments.last().copied();
    true
}

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
