//! Calls of Elixir that bring in names or pass calls on: `import`, `defdelegate` and `defimpl`.
//!
//! Code inside of `quote` becomes code of the modules that use this one. So what it imports is
//! marked by [`QUOTED_ALIAS`].

use crate::index::chunk::ReferenceKind;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::{Mention, QUOTED_ALIAS};
use std::borrow::Cow;
use tree_sitter::Node;

/// Levels between an import and the `quote` around it.
const MAX_LEVELS: usize = 16;

/// Adds what a call brings in or passes on.
pub(super) fn read<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let target = node.child_by_field_name("target").and_then(|one| text.get(one.byte_range()));
    let Some(arguments) = child(node, "arguments") else { return };
    match target.unwrap_or_default() {
        "import" => imported(text, node, arguments, found),
        "defdelegate" => delegated(text, arguments, found),
        "defimpl" => implemented(text, arguments, found),
        _ => {}
    }
}

/// Adds what `import A.B` brings in: the names that it lists with `only:`, or all of the module.
fn imported<'t>(text: &'t str, node: Node<'_>, arguments: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let Some(module) = child(arguments, "alias").map(written) else { return };
    let mut around = std::iter::successors(node.parent(), Node::parent).take(MAX_LEVELS);
    let is_quoted =
        around.any(|one| one.child_by_field_name("target").is_some_and(|of| written(of) == "quote"));
    let mut add = |name: &'t str| {
        let import =
            Mention::new(offset(node.start_byte()), ReferenceKind::Import, name, Cow::Borrowed(module));
        let alias = if is_quoted { QUOTED_ALIAS } else { "" };
        found.push(Mention { alias: Cow::Borrowed(alias), ..import });
    };
    let names = option(text, arguments, "only").filter(|one| one.kind() == "list");
    let Some(names) = names.and_then(|names| child(names, "keywords")) else { return add("*") };
    let mut cursor = names.walk();
    for pair in names.named_children(&mut cursor) {
        let key = pair.child_by_field_name("key").map(written).unwrap_or_default();
        add(key.trim_end().trim_end_matches(':'));
    }
}

/// Adds the function that `defdelegate f(x), to: A` calls.
fn delegated<'t>(text: &'t str, arguments: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let head = arguments.named_child(0);
    let own = head.and_then(|head| head.child_by_field_name("target")).or(head);
    let to = option(text, arguments, "to").filter(|to| to.kind() == "alias");
    let (Some(own), Some(to)) = (own.filter(|own| own.kind() == "identifier"), to) else { return };
    let other = option(text, arguments, "as").filter(|one| one.kind() == "atom");
    let name = other.map_or(written(own), |other| written(other).trim_start_matches(':'));
    let module = Cow::Borrowed(written(to));
    // The parameters behind the own name say how many arguments are passed.
    let name_at = offset(own.end_byte().saturating_sub(name.len()));
    let call = Mention::new(offset(to.start_byte()), ReferenceKind::Call, name.to_owned(), module);
    found.push(Mention { name_at, ..call });
}

/// Adds the protocol that `defimpl A, for: B` implements.
fn implemented<'t>(text: &'t str, arguments: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(protocol) = arguments.named_child(0).filter(|one| one.kind() == "alias") else { return };
    let written = text.get(protocol.byte_range()).unwrap_or_default();
    let (name, qualifier) = identifiers::split(written);
    let at = offset(protocol.end_byte() - name.len());
    found.push(Mention::new(at, ReferenceKind::Inherits, name, Cow::Borrowed(qualifier)));
}

/// Returns the value of an option among the arguments of a call.
fn option<'tree>(text: &str, arguments: Node<'tree>, name: &str) -> Option<Node<'tree>> {
    let options = child(arguments, "keywords")?;
    let mut cursor = options.walk();
    let is_it = |pair: &Node<'tree>| {
        let key = pair.child_by_field_name("key").and_then(|key| text.get(key.byte_range()));
        key.is_some_and(|key| key.trim_end().trim_end_matches(':') == name)
    };
    options.named_children(&mut cursor).find(is_it)?.child_by_field_name("value")
}

/// Returns the first child of a kind.
pub(super) fn child<'tree>(node: Node<'tree>, kind: &str) -> Option<Node<'tree>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find(|child| child.kind() == kind)
}
