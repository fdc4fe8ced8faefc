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
use bstr::ByteSlice;
use std::borrow::Cow;
use tree_sitter::Node;

/// Longest condition that is read, in bytes.
const MAX_CONDITION: usize = 400;

/// Most tests of one condition.
const MAX_TESTS: usize = 4;

/// How far a test counts, in bytes.
const MAX_SCOPE: usize = 4_000;

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
        let scope = until_assignment(self.text, test.name, scope);
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
    let Some(parts) = conjuncts(without_brackets(condition)) else { return Vec::new() };
    let found = parts.iter().filter_map(|part| {
        let end = offset_in(condition, part) + part.len();
        test(part).map(|test| TypeTest { end, ..test })
    });
    // One of several tests that must not all hold says nothing.
    found.filter(|one| parts.len() == 1 || !one.is_negated).take(MAX_TESTS).collect()
}

/// Returns the parts of a condition that all must hold, outside of brackets; `None` if a bracket is
/// not closed, as in a string.
fn conjuncts(condition: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, c) in condition.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        let rest = condition.get(at..).unwrap_or_default();
        let joint = ["&&", " and "].iter().find(|joint| depth == 0 && rest.starts_with(**joint));
        if let Some(joint) = joint.filter(|_| at >= start) {
            parts.push(condition.get(start..at)?);
            start = at + joint.len();
        }
    }
    parts.push(condition.get(start..)?);
    (depth == 0).then_some(parts)
}

/// Returns a text without the brackets that are around all of it.
fn without_brackets(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(inner) = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        if conjuncts(inner).is_none() {
            break;
        }
        text = inner.trim();
    }
    text
}

/// Returns the test that a text is.
fn test(text: &str) -> Option<TypeTest<'_>> {
    let mut text = without_brackets(text);
    let mut is_negated = false;
    while let Some(inner) = text.strip_prefix('!').or_else(|| text.strip_prefix("not ")) {
        (text, is_negated) = (without_brackets(inner), !is_negated);
    }
    if let Some(arguments) = text.strip_prefix("isinstance(") {
        let (name, ty) = arguments.strip_suffix(')')?.split_once(',')?;
        let (name, ty) = (name.trim(), ty.trim());
        return (is_name(name) && is_type(ty)).then_some(TypeTest { name, ty, is_negated, end: 0 });
    }
    let words = [(" instanceof ", false), (" is! ", true), (" !is ", true), (" is ", false)];
    let (name, ty, negates) = words
        .iter()
        .find_map(|(word, negates)| text.split_once(word).map(|(name, ty)| (name, ty, *negates)))?;
    let (name, ty) = (name.trim().trim_start_matches('$'), ty.trim());
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

/// Returns the part of a scope that is before the first assignment to a name, which may give it
/// another type. A long scope is cut.
fn until_assignment(text: &str, name: &str, scope: ByteRange) -> ByteRange {
    let start = scope.start as usize;
    let end = (scope.end as usize).min(start.saturating_add(MAX_SCOPE));
    let part = text.as_bytes().get(start..end).unwrap_or_default();
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_.".contains(&byte) || !byte.is_ascii();
    let is_assigned = |at: &usize| {
        let before = at.checked_sub(1).and_then(|at| part.get(at)).copied();
        let behind = part.get(at + name.len()..).unwrap_or_default().trim_ascii_start();
        let is_sign =
            matches!(behind, [b'=', next, ..] if !b"=>".contains(next)) || behind.starts_with(b":=");
        is_sign && !before.is_some_and(is_of_name)
    };
    let assigned = part.find_iter(name).find(is_assigned);
    ByteRange { end: offset(assigned.map_or(end, |at| start + at)), ..scope }
}

/// Returns whether the statement of a condition without an alternative leaves the block around it.
/// A loop may be left while its condition holds.
fn leaves(node: Node<'_>) -> bool {
    if node.kind().starts_with("while") {
        return false;
    }
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
    fn an_assignment_ends_what_a_test_says() {
        for (text, end) in [
            ("x.pay(); x = y; x.pay()", 9),
            ("x.pay(); x := y", 9),
            ("if (x == y) x.pay()", 19),
            ("xx = y; this.x = y; f(x => 1)", 29),
            ("ä.x(); x=y", 8),
        ] {
            let scope = ByteRange { start: 0, end: offset(text.len()) };
            assert_eq!(until_assignment(text, "x", scope).end, end, "{text}");
        }
    }

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
            ("(!(y && x instanceof Cart))", ""),
            ("not (y and isinstance(x, Cart))", ""),
            ("(none(y && x instanceof Cart))", ""),
            ("any(isinstance(x, Cart))", ""),
            ("((x instanceof Cart) && (y))", "x: Cart"),
            ("(y(\")\") && x instanceof Cart)", ""),
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
