//! Tests of types, and what a value has where a test holds: `x instanceof Cart` → `x` is a `Cart`.
//!
//! A condition is read as a text, because its tests look alike in all grammars: names joined by
//! `&&`. An alternative (`||`) says nothing. A test that must not hold (`!(x instanceof Cart)`)
//! counts behind the statement, if that leaves the block.

use super::bound::BoundKind;
use super::{Bound, MAX_TYPE, Value, is_function};
use crate::base::text::identifier::offset_in;
use crate::index::chunk::ByteRange;
use crate::index::chunk::lines::offset;
use crate::index::chunk::node::range;
use crate::index::chunk::resolve::step;
use crate::index::chunk::walk::Walk;
use std::borrow::Cow;
use tree_sitter::Node;

/// Longest condition that is read, in bytes.
const MAX_CONDITION: usize = 400;

/// Most tests of one condition.
const MAX_TESTS: usize = 4;

/// Ends of the kinds of statements that leave a block.
const EXITS: [&str; 7] = [
    "return_statement",
    "throw_statement",
    "raise_statement",
    "continue_statement",
    "break_statement",
    "return_expression",
    "throw_expression",
];

/// A test whether a value has a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TypeTest<'t> {
    name: &'t str,
    ty: &'t str,
    /// Whether it must not hold.
    is_negated: bool,
    /// Where it ends in its condition.
    end: usize,
}

impl<'t> Walk<'t> {
    /// Binds the names whose type a condition tests, where the test holds.
    pub(super) fn narrow(&mut self, node: Node<'_>, within: Option<u32>) {
        // Outside of functions, names are looked up without their scope.
        if !within.is_some_and(|at| is_function(&self.out.declarations, at)) {
            return;
        }
        let field = |names: &[&str]| names.iter().find_map(|name| node.child_by_field_name(name));
        let kind = self.resolved.kind(node);
        if kind == "when_entry" {
            return self.narrow_entry(node, within);
        }
        let (condition, positive) = match kind {
            "assert_statement" => (step(node, "#0"), self.behind(node)),
            // Python has the value in front of the condition.
            "conditional_expression" if field(&["condition"]).is_none() => {
                (step(node, "#1"), step(node, "#0").map(range))
            }
            _ => (
                field(&["condition"]),
                field(&["consequence", "body"]).or_else(|| step(node, "#1")).map(range),
            ),
        };
        let Some(condition) = condition else { return };
        let tests = tests(range(condition).of(self.text));
        let alternative = field(&["alternative"]).map(range);
        for test in tests {
            let scope = match (test.is_negated, alternative) {
                (false, _) => {
                    // What follows in the condition is read only if the test holds.
                    let behind = range(condition).start.saturating_add(offset(test.end));
                    positive.map(|of| ByteRange { start: of.start.min(behind), ..of })
                }
                (true, Some(alternative)) => Some(alternative),
                (true, None) => self.behind(node).filter(|_| leaves(node)),
            };
            if let Some(scope) = scope {
                self.bind_narrowed(node, test, scope, within);
            }
        }
    }

    /// Binds what a branch of Kotlin tests: `when (x) { is Cart -> x.pay() }`.
    fn narrow_entry(&mut self, node: Node<'_>, within: Option<u32>) {
        let entry = range(node).of(self.text);
        let whole = self.ranges.last().map(|around| around.of(self.text)).unwrap_or_default();
        let subject = whole.strip_prefix("when").and_then(|rest| rest.trim_start().strip_prefix('('));
        let subject = subject.and_then(|rest| rest.get(..rest.find(')')?)).map(str::trim);
        let ty = entry.strip_prefix("is ").and_then(|rest| rest.get(..rest.find("->")?)).map(str::trim);
        let Some((name, ty)) = subject.zip(ty).filter(|(name, ty)| is_name(name) && is_type(ty)) else {
            return;
        };
        self.bind_narrowed(node, TypeTest { name, ty, is_negated: false, end: 0 }, range(node), within);
    }

    /// Returns the bytes behind a statement in the node around it.
    fn behind(&self, node: Node<'_>) -> Option<ByteRange> {
        self.ranges.last().map(|around| ByteRange { start: range(node).end, end: around.end })
    }

    fn bind_narrowed(&mut self, node: Node<'_>, test: TypeTest<'t>, scope: ByteRange, within: Option<u32>) {
        let at = offset(node.start_byte());
        self.out.bound.push(Bound {
            is_written: true,
            value: Value::Type(test.ty),
            kind: BoundKind::Narrowed,
            ..Bound::local((test.name, at), within, scope)
        });
    }

    /// Binds the names that a condition of Swift unwraps: `if let cart = x as? Cart`, `if let
    /// cart`.
    pub(super) fn bind_unwrapped(&mut self, node: Node<'_>, scope: ByteRange, within: Option<u32>) {
        let mut cursor = node.walk();
        if !cursor.goto_first_child() {
            return;
        }
        let mut name: Option<Node<'_>> = None;
        let mut found: Vec<(Node<'_>, Option<Node<'_>>)> = Vec::new();
        loop {
            let child = cursor.node();
            if cursor.field_name() == Some("bound_identifier") {
                found.extend(name.take().map(|name| (name, None)));
                name = Some(child);
            } else if child.is_named() && cursor.field_name() == Some("condition") {
                found.extend(name.take().map(|name| (name, Some(child))));
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        found.extend(name.map(|name| (name, None)));
        for (name, value) in found {
            let written = range(name).of(self.text);
            let value = match value {
                Some(value) => self.value(None, Some(value)),
                None => Value::Same(Cow::Borrowed(written)),
            };
            let at = offset(name.start_byte());
            let scope_at_name = ByteRange { start: scope.start.max(at), end: scope.end };
            self.out.bound.push(Bound { value, ..Bound::local((written, at), within, scope_at_name) });
        }
    }
}

/// Returns the tests of a condition that all must hold.
fn tests(condition: &str) -> Vec<TypeTest<'_>> {
    let is_open = || condition.contains("||") || condition.contains(" or ");
    if condition.len() > MAX_CONDITION || is_open() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for part in condition.split("&&").flat_map(|part| part.split(" and ")) {
        let end = offset_in(condition, part) + part.len();
        found.extend(test(part).map(|test| TypeTest { end, ..test }));
        // One of several tests that must not all hold says nothing.
        if found.len() >= MAX_TESTS {
            break;
        }
    }
    let is_alone = !condition.contains("&&") && !condition.contains(" and ");
    found.retain(|one| is_alone || !one.is_negated);
    found
}

/// Returns the test that a text is.
fn test(text: &str) -> Option<TypeTest<'_>> {
    let mut text = text.trim();
    let mut is_negated = false;
    loop {
        let inner = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
        if let Some(inner) = inner {
            text = inner.trim();
        } else if let Some(inner) = text.strip_prefix('(').filter(|_| !text.ends_with(')')) {
            // The bracket ends behind another test.
            text = inner.trim();
        } else if let Some(inner) = text.strip_prefix('!').or_else(|| text.strip_prefix("not ")) {
            (text, is_negated) = (inner.trim(), !is_negated);
        } else {
            break;
        }
    }
    if let Some(arguments) = text.strip_prefix("isinstance(") {
        let (name, ty) = arguments.trim_end_matches(')').split_once(',')?;
        let (name, ty) = (name.trim(), ty.trim());
        return (is_name(name) && is_type(ty)).then_some(TypeTest { name, ty, is_negated, end: 0 });
    }
    let words = [(" instanceof ", false), (" is! ", true), (" !is ", true), (" is ", false)];
    let (name, ty, negates) = words
        .iter()
        .find_map(|(word, negates)| text.split_once(word).map(|(name, ty)| (name, ty, *negates)))?;
    let (name, ty) = (name.trim().trim_start_matches('$'), ty.trim().trim_end_matches(')').trim());
    let is_negated = is_negated != negates;
    (is_name(name) && is_type(ty)).then_some(TypeTest { name, ty, is_negated, end: 0 })
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns whether a text is the name of a type.
fn is_type(text: &str) -> bool {
    text.len() <= MAX_TYPE
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '\\'))
        && text.contains(char::is_uppercase)
}

/// Returns whether the statement of a condition without an alternative leaves the block around it.
fn leaves(node: Node<'_>) -> bool {
    let fields = ["consequence", "body"];
    let body = fields.iter().find_map(|name| node.child_by_field_name(name)).or_else(|| step(node, "#1"));
    let Some(body) = body else { return false };
    let is_exit = |node: Node<'_>| EXITS.contains(&node.kind());
    is_exit(body)
        || step(body, "#-1").is_some_and(|last| {
            is_exit(last) || last.kind().ends_with("statement") && step(last, "#0").is_some_and(is_exit)
        })
}

/// Returns the name that a pattern of Rust takes out of an optional value or a result, and where it
/// begins in the pattern: `Some(cart)`.
pub(super) fn unwrapped(pattern: &str) -> Option<(usize, &str)> {
    let inner = pattern.strip_prefix("Some(").or_else(|| pattern.strip_prefix("Ok("))?;
    let (inside, behind) = inner.split_once(')')?;
    let behind = behind.trim();
    if !(behind.is_empty() || behind.starts_with("if ")) {
        return None;
    }
    let mut name = inside.trim_start();
    for word in ["&", "ref ", "mut "] {
        name = name.strip_prefix(word).unwrap_or(name).trim_start();
    }
    let at = pattern.len() - inner.len() + (inside.len() - name.len());
    let name = name.trim_end();
    (is_name(name) && name.starts_with(char::is_lowercase)).then_some((at, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_tests_types() {
        let found = |text| {
            let tests = tests(text);
            let shown = tests.iter().map(|one| {
                let mark = if one.is_negated { "!" } else { "" };
                format!("{mark}{}: {}", one.name, one.ty)
            });
            shown.collect::<Vec<_>>().join(", ")
        };
        for (text, expected) in [
            ("(x instanceof Cart)", "x: Cart"),
            ("(!(x instanceof Cart))", "!x: Cart"),
            ("(x instanceof Cart && x.ok)", "x: Cart"),
            ("(x instanceof Cart && y instanceof Bank)", "x: Cart, y: Bank"),
            ("(x instanceof Cart || x.ok)", ""),
            ("($x instanceof \\Acme\\Cart)", "x: \\Acme\\Cart"),
            ("isinstance(x, Cart)", "x: Cart"),
            ("not isinstance(x, shop.Cart)", "!x: shop.Cart"),
            ("isinstance(x, Cart) and x.ok", "x: Cart"),
            ("isinstance(x, (Cart, Bank))", ""),
            ("isinstance(x.y, Cart)", ""),
            ("x is Cart", "x: Cart"),
            ("x !is Cart", "!x: Cart"),
            ("x is! Cart", "!x: Cart"),
            ("x is None", "x: None"),
            ("!(x instanceof Cart) && y", ""),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn patterns_of_rust_take_values_out() {
        for (text, expected) in [
            ("Some(cart)", Some((5, "cart"))),
            ("Ok(mut cart)", Some((7, "cart"))),
            ("Some(cart) if cart.ok()", Some((5, "cart"))),
            ("Some((a, b))", None),
            ("Some(MAX)", None),
            ("Err(cart)", None),
        ] {
            assert_eq!(unwrapped(text), expected, "{text}");
        }
    }
}
