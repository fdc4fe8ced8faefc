//! Names of nodes: node → last segment of the name, and the qualifier before it.
//!
//! Reads leaves, string literals and paths, following the language's table. An expression has no
//! name; [`object`] returns its node, and `types` writes it.

use super::node::range;
use crate::index::chunk::lines::offset;
use crate::index::chunk::resolve::{self, NONE, ResolvedTable, Step, step};
use tree_sitter::Node;

/// Longest qualifier in bytes. A longer one is an expression rather than a name, and is left out.
pub(in crate::index::chunk) const MAX_QUALIFIER: usize = 64;

/// Deepest nesting of declarators and paths that is followed; handwritten code stays below it.
const MAX_NESTING: usize = 32;

/// A name with its qualifier.
#[derive(Debug, Clone, Copy)]
pub(in crate::index::chunk) struct QualifiedName<'t> {
    pub(in crate::index::chunk) name: &'t str,
    pub(in crate::index::chunk) qualifier: &'t str,
    /// The offset at which `name` begins.
    pub(in crate::index::chunk) at: u32,
}

/// Reads the name of a node: a leaf, a string literal, or a path down to its last segment.
pub(in crate::index::chunk) fn read<'t>(
    resolved: &ResolvedTable,
    node: Node<'_>,
    text: &'t str,
) -> Option<QualifiedName<'t>> {
    let mut node = node;
    let mut object: Option<Node<'_>> = None;
    for _ in 0..MAX_NESTING {
        let role = resolved.role(node);
        if role.path == NONE {
            let written = range(node).of(text);
            let is_string = role.is(resolve::STRING);
            let name = if is_string { first_line(unquoted(written)) } else { written };
            if name.contains('\n')
                || (name.contains('(')
                    && !is_string
                    && !name.starts_with('`')
                    && !name.starts_with("operator"))
                || (node.named_child_count() > 0 && !role.is(resolve::STRING | resolve::NAME))
            {
                return None;
            }
            let object = object.filter(|object| !resolved.role(*object).is(resolve::STRING));
            let qualifier =
                object.map(|object| range(object).of(text).trim_matches('`')).filter(|one| is_plain(one));
            let qualifier = qualifier.unwrap_or_default();
            let qualifier = qualifier.trim_end_matches('.').trim_start_matches(['!', '?']);
            let within = if is_string { written.find(name).unwrap_or(0) } else { 0 };
            return Some(QualifiedName { name, qualifier, at: offset(node.start_byte() + within) });
        }
        let (qualifier, name) = resolved.paths.get(usize::from(role.path)).copied()?;
        if matches!(name, Step::Nowhere) {
            // Perl may write `&` in front of a function.
            let whole = range(node).of(text);
            let written = whole.trim_start_matches(['&', ' ']);
            let before = whole.len() - written.len();
            let mut at = written.rfind(['.', ':', '\\']).map_or(0, |last| last + 1);
            // A word in front of the name belongs to neither: `a::inline b`.
            let last = written.get(at..)?.trim_start();
            let word = resolved.table.scope_words.iter().find_map(|word| last.strip_prefix(word));
            let last = word.map_or(last, str::trim_start);
            let (qualifier, _) = written.split_at_checked(at)?;
            at = written.len() - last.len();
            let name = last;
            let mut qualifier = qualifier.trim_end_matches(['.', ':', '\\']);
            if let Some(object) = object.filter(|_| qualifier.is_empty()).map(|object| range(object).of(text))
            {
                qualifier = if is_plain(object) { object } else { "" };
            }
            return Some(QualifiedName { name, qualifier, at: offset(node.start_byte() + before + at) });
        }
        if !matches!(qualifier, Step::Nowhere) {
            // The innermost object is the whole qualifier only if names nest to the left, as in
            // nearly all languages. In C++ they nest to the right: the outer objects are scopes,
            // and the nearest one says most.
            object = qualifier.follow(node).or(object);
        }
        node = name.follow(node)?;
    }
    None
}

/// Returns the object of a path if that is an expression, for which [`read`] gives no qualifier.
pub(in crate::index::chunk) fn object<'tree>(
    resolved: &ResolvedTable,
    node: Node<'tree>,
    text: &str,
) -> Option<Node<'tree>> {
    let mut node = node;
    let mut object = None;
    for _ in 0..MAX_NESTING {
        let role = resolved.role(node);
        if role.path == NONE {
            return object;
        }
        let (qualifier, name) = resolved.paths.get(usize::from(role.path)).copied()?;
        if !matches!(qualifier, Step::Nowhere) {
            object = qualifier.follow(node).or(object);
        }
        if matches!(name, Step::Nowhere) {
            // A leaf whose text is a path says its object itself: `$a->B::c`.
            let is_path = range(node).of(text).contains("::");
            return object.filter(|_| !is_path);
        }
        node = name.follow(node)?;
    }
    object
}

/// Splits a path into its last segment and the part before it.
pub(in crate::index::chunk) fn split(path: &str) -> (&str, &str) {
    let start = path.rfind(['.', ':', '\\']).map_or(0, |at| at + 1);
    let (before, last) = path.split_at_checked(start).unwrap_or(("", path));
    (last, before.trim_end_matches(['.', ':', '\\']))
}

/// Returns whether a receiver is a name or a path of names, not an expression.
pub(in crate::index::chunk) fn is_plain(qualifier: &str) -> bool {
    qualifier.len() <= MAX_QUALIFIER
        && qualifier.chars().all(|c| {
            c.is_alphanumeric()
                || matches!(c, '_' | '.' | ':' | '$' | '@' | '#' | '-' | '>' | '?' | '!' | '\\' | '\'')
        })
}

/// Returns the text of a string literal without quotes and prefix.
pub(in crate::index::chunk) fn unquoted(literal: &str) -> &str {
    let literal = literal.strip_prefix(':').unwrap_or(literal);
    let inner = literal.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '#' || c == '@');
    let inner = if inner.len() < literal.len() { inner.trim_end_matches('#') } else { inner };
    let Some(open) = inner.chars().next().filter(|c| matches!(c, '"' | '\'' | '`' | '<')) else {
        return literal;
    };
    let close = if open == '<' { '>' } else { open };
    let after = inner.trim_start_matches(open);
    let before = inner.trim_end_matches(close);
    // One pair or three. A quote inside the text stays, even at its end.
    let n = (inner.len() - after.len()).min(inner.len() - before.len()).min(inner.len() / 2);
    let n = if n >= 3 { 3 } else { n.min(1) };
    if n == 0 { literal } else { inner.get(n..inner.len() - n).unwrap_or(literal) }
}

/// Returns the first line of a name that spans several lines.
fn first_line(name: &str) -> &str {
    name.trim().lines().next().unwrap_or_default().trim_end_matches([',', ' ', '\t'])
}

/// Follows a field as often as it exists, also through declarators that lack it.
pub(in crate::index::chunk) fn declarator<'tree>(node: Node<'tree>, field: &str) -> Option<Node<'tree>> {
    innermost(node.child_by_field_name(field)?, field)
}

/// As [`declarator`], from the first declarator on.
pub(in crate::index::chunk) fn innermost<'tree>(node: Node<'tree>, field: &str) -> Option<Node<'tree>> {
    let mut node = node;
    for _ in 0..MAX_NESTING {
        node = match node.child_by_field_name(field) {
            Some(inner) => inner,
            None if node.kind().ends_with("_declarator") => node.named_child(0)?,
            None => return Some(node),
        };
    }
    None
}

/// Returns the first argument if it is a string.
pub(in crate::index::chunk) fn argument<'tree>(
    resolved: &ResolvedTable,
    node: Node<'tree>,
    field: &str,
) -> Option<Node<'tree>> {
    let first = step(node, field)?.named_child(0)?;
    resolved.role(first).is(resolve::STRING).then_some(first)
}

/// Returns the first string among a call's arguments, however the grammar nests them.
pub(in crate::index::chunk) fn first_string<'tree>(
    resolved: &ResolvedTable,
    node: Node<'tree>,
) -> Option<Node<'tree>> {
    let kinds = if resolved.table.bare_imports { resolve::STRING | resolve::NAME } else { resolve::STRING };
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        if resolved.role(child).is(resolve::STRING) {
            return Some(child);
        }
        if let Some(first) = child.named_child(0) {
            if resolved.role(first).is(resolve::STRING) {
                return Some(first);
            }
            if let Some(inner) = first.named_child(0).filter(|inner| resolved.role(*inner).is(kinds)) {
                return Some(inner);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::unquoted;

    #[test]
    fn a_literal_loses_the_quotes_around_it_and_none_within() {
        for (literal, text) in [
            ("'scroll is \"none\"'", "scroll is \"none\""),
            ("\"it's 'so'\"", "it's 'so'"),
            ("\"\"\"all of it\"\"\"", "all of it"),
            ("r#\"a \"b\" c\"#", "a \"b\" c"),
            ("@\"c:\\dir\"", "c:\\dir"),
            ("<stdio.h>", "stdio.h"),
            (":name", "name"),
            ("\"\"", ""),
            ("\"", "\""),
            ("plain", "plain"),
        ] {
            assert_eq!(unquoted(literal), text, "{literal}");
        }
    }
}
