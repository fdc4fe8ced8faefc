//! HCL, the language of Terraform and OpenTofu; also of Packer, Nomad and Terragrunt.
//!
//! A resource is a variable of its type (`aws_instance.web`), and other blocks are variables of
//! `var`, `locals` or `module`, so that references look like they are written. An output belongs to
//! its module, and `source` imports that module: `module.net.id` refers to the output `id` there.
//! Blocks of other tools are keys under their labels.

use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::{DeclarationCandidate, DeclarationRule, MentionRule, Name, Scope, Table};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// The block around local values. `local.a` refers to the value `a` in it.
const LOCALS: &str = "locals";

/// Longest index in bytes between the parts of a reference (`web["a"].id`).
const MAX_INDEX: usize = 200;

/// Terraform's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("block", K::Variable)
            .name(Name::Refined)
            .body(&["@block_start"])
            .scope(Scope::Levels(8))
            .refine(block),
        DeclarationRule::new("attribute", K::Key)
            .name(Name::At(&["@identifier"]))
            .body(&["@expression"])
            .scope(Scope::Levels(2))
            .refine(attribute),
    ],
    strings: &["string_lit"],
    mentions: &[
        MentionRule { node: "variable_expr", read: reference },
        MentionRule { node: "block", read: source },
    ],
    ..Table::new(|| tree_sitter_hcl::LANGUAGE.into())
};

/// Returns the word with which a block begins.
fn word<'t>(text: &'t str, block: Node<'_>) -> &'t str {
    block.named_child(0).and_then(|word| text.get(word.byte_range())).unwrap_or_default()
}

/// Names a block by its last label. A block of Terraform without a label declares nothing.
fn block<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let mut cursor = node.walk();
    let heads: Vec<Node<'tree>> =
        node.named_children(&mut cursor).take_while(|child| child.kind() != "block_start").take(4).collect();
    let (Some(first), labels) = (heads.first().copied(), heads.get(1..).unwrap_or_default()) else {
        return false;
    };
    found.to_end = true;
    found.name = labels.last().copied();
    let is_top = found.around == ["body", "config_file"];
    match (text.get(first.byte_range()).unwrap_or_default(), labels) {
        (LOCALS, []) if is_top => (found.kind, found.name) = (K::Module, Some(first)),
        ("resource" | "data" | "ephemeral", [of, _]) if is_top => found.owner = Some(*of),
        ("variable", [_]) if is_top => found.scope = "var",
        ("module", [_]) if is_top => found.scope = "module",
        ("output", [_]) if is_top => {}
        (_, [.., of, _]) if is_top => (found.kind, found.owner) = (K::Key, Some(*of)),
        (_, [_]) if is_top => (found.kind, found.owner) = (K::Key, Some(first)),
        // The blocks of a job or a build are nested.
        (_, [_]) if found.within == Some(K::Key) => found.kind = K::Key,
        _ => return false,
    }
    true
}

/// Accepts local values, and the values of a file of variables.
fn attribute(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    match (found.within, found.around) {
        (Some(K::Module), ["body", "block"]) => {
            found.kind = K::Variable;
            true
        }
        (None, ["body", "config_file"]) => true,
        _ => false,
    }
}

/// Adds what `var.a`, `local.a`, `module.a.b`, `data.t.a` and `some_type.a` refer to.
fn reference<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let mut parts: [(usize, &'t str); 3] = [(0, ""); 3];
    let mut at = node.start_byte();
    let mut n_parts = 0;
    for part in &mut parts {
        let rest = text.get(at..).unwrap_or_default();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
        let name = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        if name.is_empty() {
            break;
        }
        *part = (at, name);
        n_parts += 1;
        at += name.len() + index_len(rest.get(name.len()..).unwrap_or_default());
        if !text.get(at..).is_some_and(|rest| rest.starts_with('.')) {
            break;
        }
        at += 1;
    }
    let [(_, first), second, third] = parts;
    let mut add = |(at, name): (usize, &'t str), qualifier: &'t str| {
        if !name.is_empty() {
            found.push(Mention::new(offset(at), ReferenceKind::Use, name, Cow::Borrowed(qualifier)));
        }
    };
    match first {
        _ if n_parts < 2 => {}
        "each" | "count" | "self" | "path" | "terraform" => {}
        "var" => add(second, "var"),
        "local" => add(second, "local"),
        "module" => {
            add(second, "module");
            add(third, second.1);
        }
        "data" | "ephemeral" => add(third, second.1),
        // The types of resources begin with the name of their provider.
        _ if first.contains('_') => add(second, first),
        _ => {}
    }
}

/// Returns the length of the index with which a text begins; 0 if there is none.
fn index_len(text: &str) -> usize {
    if !text.starts_with('[') {
        return 0;
    }
    let end = text.bytes().take(MAX_INDEX).position(|byte| matches!(byte, b']' | b'\n'));
    end.filter(|&end| text.as_bytes().get(end) == Some(&b']')).map_or(0, |end| end + 1)
}

/// Adds the import of a module by its `source`, under the name of the block.
fn source<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    if word(text, node) != "module" {
        return;
    }
    let mut cursor = node.walk();
    let mut label = "";
    for child in node.named_children(&mut cursor) {
        let written = text.get(child.byte_range()).unwrap_or_default();
        match child.kind() {
            "string_lit" => label = written.trim_matches('"'),
            "body" => {
                let mut cursor = child.walk();
                for attribute in child.named_children(&mut cursor).filter(|one| one.kind() == "attribute") {
                    let Some(path) = (word(text, attribute) == "source")
                        .then(|| attribute.named_child(1))
                        .flatten()
                        .and_then(|value| text.get(value.byte_range()))
                        .and_then(|value| value.strip_prefix('"')?.strip_suffix('"'))
                        .filter(|path| !path.is_empty() && !path.contains(['$', '"', '\n']))
                    else {
                        continue;
                    };
                    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
                    let at = offset(attribute.start_byte());
                    let import = Mention::new(at, ReferenceKind::Import, name, Cow::Borrowed(path));
                    let alias = if label == name { "" } else { label };
                    found.push(Mention { alias: Cow::Borrowed(alias), ..import });
                }
            }
            _ => {}
        }
    }
}
