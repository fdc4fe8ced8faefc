//! Imports: an import's node → the imported names, each with its module and local name.
//!
//! Follows the [`Import`] rules of the language's table. Modules stay as written: to find their
//! files would need other files, which this part does not see.

use super::identifiers::unquoted;
use super::node::range;
use crate::index::chunk::ByteRange;
use crate::index::chunk::resolve::step;
use std::borrow::Cow;
use tree_sitter::Node;

/// A node kind that imports something.
#[derive(Debug, Clone, Copy)]
pub struct Import {
    /// The node kind.
    pub node: &'static str,
    /// Words, one of which the node must begin with if importing is a call (`require "x"`); if
    /// empty, any will do.
    pub words: &'static [&'static str],
    /// Those of these words after which a module begins at the file's folder. It is recorded with
    /// `./` then.
    pub beside: &'static [&'static str],
    /// Step to the module; if empty, each name is a module. A node without that child is not an
    /// import. With a `+` after a field, the module spans its children (`a`, `.`, `b`).
    pub module: &'static str,
    /// Steps to the local name of the whole module, joined by `/`; empty if there is none.
    pub alias: &'static str,
    /// Nodes that name imported things; if none is found, the whole module is imported.
    pub names: &'static [ImportedNameRule],
    /// Whether the last segment of a dotted path is the imported name, and the rest its module.
    pub split: bool,
    /// Step to the child that stands for all names of the module; empty if there is none.
    pub wildcard: &'static str,
}

impl Import {
    /// Returns an import of a module path, or of the path in a child; to be completed with `..`.
    pub const fn new(node: &'static str, module: &'static str) -> Self {
        Self { node, words: &[], beside: &[], module, alias: "", names: &[], split: false, wildcard: "" }
    }
}

/// A node kind inside an import that names an imported thing.
#[derive(Debug, Clone, Copy)]
pub struct ImportedNameRule {
    /// The node kind.
    pub node: &'static str,
    /// Step to the name. If empty, it is the node itself; `"*"` is the whole module.
    pub name: &'static str,
    /// Steps to the local name, joined by `/`; empty if there is none.
    pub alias: &'static str,
    /// Step to a path that is the module of the names in this node (Rust's `a::{b, c}`).
    pub prefix: &'static str,
}

impl ImportedNameRule {
    /// Returns a rule for a node that is the name itself.
    pub const fn leaf(node: &'static str) -> Self {
        Self { node, name: "", alias: "", prefix: "" }
    }

    /// Returns a rule for a node with a name and a local name.
    pub const fn aliased(node: &'static str, name: &'static str, alias: &'static str) -> Self {
        Self { node, name, alias, prefix: "" }
    }

    /// Returns a rule for a node with a path and further names below it.
    pub const fn prefix(node: &'static str, prefix: &'static str) -> Self {
        Self { node, name: "", alias: "", prefix }
    }
}

/// A callback that gets the name, module and local name of an import.
pub(in crate::index::chunk) type ImportCallback<'f, 't> = &'f mut dyn FnMut(&'t str, Cow<'t, str>, &'t str);

/// Names per import. An import of more is generated, and the rest is left out.
const MAX_NAMES: usize = 2000;

/// Returns the last segment of a module's path, in any notation.
pub(in crate::index::chunk) fn last_segment(module: &str) -> &str {
    let trimmed = module.trim_end_matches(['/', '.', ':', '*', ';']);
    if trimmed.contains('/') {
        return trimmed.rsplit('/').next().unwrap_or(trimmed);
    }
    let is_file = trimmed.rsplit_once('.').is_some_and(|(stem, end)| {
        let files = [
            "h", "hpp", "hh", "js", "css", "scss", "less", "php", "inc", "sh", "dart", "zig", "jl", "R", "r",
            "proto", "hrl", "glsl", "sol", "gd", "nix", "pas",
        ];
        !stem.is_empty() && files.contains(&end)
    });
    if is_file { trimmed } else { trimmed.rsplit(['.', ':', '\\']).next().unwrap_or(trimmed) }
}

/// Splits a path into the part before its last segment, and that segment.
fn split_path(path: &str) -> (&str, &str) {
    let name = path.rsplit(['.', ':', '\\', '/']).next().unwrap_or(path);
    let module = path.get(..path.len() - name.len()).unwrap_or_default();
    (module.trim_end_matches(['.', ':', '\\', '/']), name)
}

/// An import statement, as its parts are read.
#[derive(Clone, Copy)]
struct Statement<'r, 't> {
    rule: &'r Import,
    /// Separates the segments of a module's name.
    separator: &'r str,
    text: &'t str,
    /// Whether it imports all names of a module.
    is_wildcard: bool,
}

/// Reads one import; `found` gets the name, module and local name of each imported thing.
pub(in crate::index::chunk) fn read<'t>(
    rule: &Import,
    separator: &str,
    node: Node<'_>,
    text: &'t str,
    found: ImportCallback<'_, 't>,
) {
    let module_bytes = module(rule, node);
    let module = module_bytes.map(|module| unquoted(module.of(text).trim())).unwrap_or_default();
    let is_wildcard = step(node, rule.wildcard).is_some();
    let statement = Statement { rule, separator, text, is_wildcard };
    let mut n_found = 0;
    // Such an import of Haskell (`hiding`) lists the names that it leaves out.
    let is_without = is_wildcard && !rule.split;
    if !rule.names.is_empty() && !is_without {
        // Depth first, with the module that applies. No recursion is needed for the few nodes of an
        // import.
        let mut rest = vec![(node, Cow::Borrowed(module), module)];
        while let Some((at, module, nearest)) = rest.pop() {
            if n_found >= MAX_NAMES {
                return;
            }
            let named = rule.names.iter().find(|one| one.node == at.kind() && at.id() != node.id());
            match named {
                Some(named) if named.prefix.is_empty() && has_name(named, at) => {
                    n_found += 1;
                    one(statement, named, at, module, nearest, found);
                }
                _ => {
                    let prefix = named.and_then(|named| step(at, named.prefix));
                    let prefix_text = prefix.map(|prefix| range(prefix).of(text));
                    let nearest = prefix_text.unwrap_or(nearest);
                    let module = match prefix_text {
                        None => module,
                        Some(prefix) if module.is_empty() => Cow::Borrowed(prefix),
                        Some(prefix) => Cow::Owned(format!("{module}{separator}{prefix}")),
                    };
                    let mut cursor = at.walk();
                    let children: Vec<_> = at.named_children(&mut cursor).collect();
                    let is_skipped = |child: &Node<'_>| {
                        prefix.is_some_and(|prefix| prefix.id() == child.id())
                            || module_bytes.is_some_and(|module| {
                                let child = range(*child);
                                module.start <= child.start && child.end <= module.end
                            })
                    };
                    rest.extend(
                        children
                            .into_iter()
                            .rev()
                            .filter(|child| !is_skipped(child))
                            .map(|child| (child, module.clone(), nearest)),
                    );
                }
            }
        }
    }
    if n_found == 0 && !module.is_empty() {
        let alias = local_name(rule.alias, node, text);
        if is_wildcard {
            emit("*", Cow::Borrowed(module), "", found);
        } else if rule.split {
            let (module, name) = split_path(module);
            emit(name, Cow::Borrowed(module), alias, found);
        } else {
            emit(last_segment(module), Cow::Borrowed(module), alias, found);
        }
    }
}

/// Returns the range of an import's module.
fn module(rule: &Import, node: Node<'_>) -> Option<ByteRange> {
    let Some(field) = rule.module.strip_suffix('+') else { return step(node, rule.module).map(range) };
    let mut cursor = node.walk();
    let mut parts = node.children_by_field_name(field, &mut cursor).map(range);
    let first = parts.next()?;
    Some(ByteRange { start: first.start, end: parts.last().unwrap_or(first).end })
}

/// Returns whether the name is where the table expects it.
fn has_name(named: &ImportedNameRule, node: Node<'_>) -> bool {
    matches!(named.name, "" | "*") || step(node, named.name).is_some()
}

/// Returns the local name at the end of a path; empty for anything that is not a name (an option).
fn local_name<'t>(path: &str, node: Node<'_>, text: &'t str) -> &'t str {
    let found = path.split('/').try_fold(node, step);
    let written = found.filter(|_| !path.is_empty()).map(|found| range(found).of(text)).unwrap_or_default();
    if written.contains(['[', '(', ' ', '\n']) || written.starts_with(':') { "" } else { written }
}

/// Reads one imported name. `module` is the module that applies to it, and `nearest` the last part
/// of that module which is written in one piece.
fn one<'t>(
    Statement { rule, separator, text, is_wildcard }: Statement<'_, 't>,
    named: &ImportedNameRule,
    node: Node<'_>,
    module: Cow<'t, str>,
    nearest: &'t str,
    found: ImportCallback<'_, 't>,
) {
    let alias = local_name(named.alias, node, text);
    if named.name == "*" {
        // Such a module has its local name even where that is its own. An import of something in
        // the module has not.
        let name = if let Cow::Borrowed(path) = module { last_segment(path) } else { "" };
        if is_recordable(name, &module) {
            found(name, module, alias);
        }
        return;
    }
    let name = if named.name.is_empty() { Some(node) } else { step(node, named.name) };
    let Some(name) = name.map(|name| unquoted(range(name).of(text).trim())) else { return };
    if name == "self" {
        // `a::{self}` names the module itself.
        let last = last_segment(nearest);
        let path = module.strip_suffix(last).unwrap_or_default().trim_end_matches(separator).to_owned();
        emit(last, Cow::Owned(path), alias, found);
    } else if rule.split {
        if is_wildcard {
            emit("*", Cow::Borrowed(name), "", found);
            return;
        }
        let (path, last) = split_path(name);
        let module = match (path, module) {
            ("", module) => module,
            (path, module) if module.is_empty() => Cow::Borrowed(path),
            (path, module) => Cow::Owned(format!("{module}{separator}{path}")),
        };
        emit(last, module, alias, found);
    } else if rule.module.is_empty() {
        emit(last_segment(name), Cow::Borrowed(name), alias, found);
    } else {
        emit(name, module, alias, found);
    }
}

fn emit<'t>(name: &'t str, module: Cow<'t, str>, alias: &'t str, found: ImportCallback<'_, 't>) {
    if is_recordable(name, &module) {
        found(name, module, if alias == name { "" } else { alias });
    }
}

fn is_recordable(name: &str, module: &str) -> bool {
    !name.is_empty() && name.len() <= 256 && module.len() <= 512 && !name.contains('\n')
}
