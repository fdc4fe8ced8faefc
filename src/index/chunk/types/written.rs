//! Written expressions: node → names, members and calls, without the arguments of calls.
//!
//! A reference stores its qualifier in this form. An expression of any other kind, or a long one,
//! is not written: its qualifier is [`SOME`], or [`TEXT`] for a string literal.

use super::items::AT;
use super::{MAX_DEPTH, MAX_TYPE, bare};
use crate::index::chunk::ByteRange;
use crate::index::chunk::identifiers;
use crate::index::chunk::node::range;
use crate::index::chunk::resolve::{self, NONE, ResolvedTable, Step, step};
use crate::index::chunk::table::PassingFunction;
use std::borrow::Cow;
use tree_sitter::Node;

/// Nodes around a value that keep its type, or only remove a pointer or a failure.
const WRAPPERS: &[&str] = &[
    "await",
    "await_expression",
    "expression_list",
    "non_null_expression",
    "null_assertion_expression",
    "parenthesized_expression",
    "pointer_expression",
    "reference_expression",
    "try_expression",
    "tuple_expression",
    "unary_expression",
];

/// The qualifier of a call on a string literal.
pub(in crate::index::chunk) const TEXT: &str = "\"\"";
/// The qualifier of a call on an expression that is not written out.
pub(in crate::index::chunk) const SOME: &str = "()";

/// Returns the type of a value that is constructed in place (`new Foo()`, `Foo {}`) or converted.
pub(in crate::index::chunk) fn made<'t>(
    resolved: &ResolvedTable,
    node: Node<'_>,
    text: &'t str,
) -> Option<&'t str> {
    let mut node = node;
    for _ in 0..MAX_DEPTH {
        if let Some(ty) = resolved.makes(node) {
            return ty.follow(node).map(|ty| range(ty).of(text)).filter(|ty| ty.len() <= MAX_TYPE);
        }
        if let Some(ty) = cast(node, text) {
            return Some(ty).filter(|ty| ty.len() <= MAX_TYPE);
        }
        if !WRAPPERS.contains(&node.kind()) {
            return None;
        }
        node = inside(node)?;
    }
    None
}

/// Casts of C++, which are words of the language.
const CASTS: [&str; 4] = ["const_cast", "dynamic_cast", "reinterpret_cast", "static_cast"];

/// Functions of C++'s library that return a pointer to a value of their type argument.
const OF_STD: [&str; 4] = ["dynamic_pointer_cast", "make_shared", "make_unique", "static_pointer_cast"];

/// Returns the type to which a call of C++ converts a value: `static_cast<Cart*>(x)`.
fn cast<'t>(node: Node<'_>, text: &'t str) -> Option<&'t str> {
    let function = node.child_by_field_name("function").filter(|_| node.kind() == "call_expression")?;
    let is_of_std = range(function).of(text).starts_with("std::");
    let function = match function.kind() {
        "qualified_identifier" => function.child_by_field_name("name")?,
        _ => function,
    };
    let name = function.child_by_field_name("name").filter(|_| function.kind() == "template_function")?;
    let name = range(name).of(text);
    (CASTS.contains(&name) || is_of_std && OF_STD.contains(&name)).then_some(())?;
    let arguments = range(function.child_by_field_name("arguments")?).of(text);
    arguments.strip_prefix('<')?.strip_suffix('>').map(str::trim)
}

/// Returns the value inside a node; `None` if there are several.
fn inside(node: Node<'_>) -> Option<Node<'_>> {
    let is_list = matches!(node.kind(), "expression_list" | "tuple_expression");
    let is_several = is_list && node.named_child_count() != 1;
    if is_several { None } else { step(node, "#-1") }
}

/// Writes an expression of names, members and calls, without the calls' arguments:
/// `self.open().log`. `None` for any other expression, and for one that is too long.
pub(in crate::index::chunk) fn written<'t>(
    resolved: &ResolvedTable,
    node: Node<'_>,
    text: &'t str,
    depth: usize,
) -> Option<Cow<'t, str>> {
    let whole = range(node).of(text);
    if resolved.role(node).is(resolve::STRING) {
        return None;
    }
    if identifiers::is_plain(whole) {
        return Some(Cow::Borrowed(whole)).filter(|_| !whole.is_empty());
    }
    if depth >= MAX_DEPTH {
        return None;
    }
    let role = resolved.role(node);
    if role.call != NONE
        && let Some(argument) = passed(resolved, node, text)
    {
        return written(resolved, argument, text, depth + 1);
    }
    let found = if let Some(whole) = resolved.indexes(node) {
        let of = whole.follow(node).filter(|of| *of != node)?;
        format!("{}{AT}", written(resolved, of, text, depth + 1)?)
    } else if role.call != NONE {
        let function = match resolved.calls.get(usize::from(role.call))? {
            Step::Nowhere => node,
            function => function.follow(node)?,
        };
        let function = if function == node || resolved.role(function).path != NONE {
            path(resolved, function, text, depth)?
        } else {
            written(resolved, function, text, depth + 1)?
        };
        let marks = if resolved.table.has_called_items { "" } else { "()" };
        format!("{}{marks}", function.trim_end_matches(['?', '!', '.']))
    } else if role.path != NONE {
        path(resolved, node, text, depth)?.into_owned()
    } else if WRAPPERS.contains(&node.kind()) {
        let inner = written(resolved, inside(node)?, text, depth + 1)?;
        let is_tried =
            node.kind() == "try_expression" && whole.ends_with('?') || node.kind().starts_with("await");
        if is_tried { format!("{inner}?") } else { inner.into_owned() }
    } else {
        return None;
    };
    (found.len() <= identifiers::MAX_QUALIFIER).then_some(Cow::Owned(found))
}

/// Returns the first argument of a call if the called function returns it.
fn passed<'tree>(resolved: &ResolvedTable, call: Node<'tree>, text: &str) -> Option<Node<'tree>> {
    let passing = resolved.table.values.passing;
    if passing.is_empty() {
        return None;
    }
    let function = match resolved.calls.get(usize::from(resolved.role(call).call))? {
        Step::Nowhere => call,
        function => function.follow(call)?,
    };
    let called = identifiers::read(resolved, function, text)?;
    let owner = bare(called.qualifier);
    let is_it = |one: &PassingFunction| {
        one.name == called.name && (owner.is_empty() || owner == one.owner) && text.contains(one.library)
    };
    passing.iter().find(|one| is_it(one))?;
    let list = step(call, "arguments").or_else(|| step(call, "@value_arguments"))?;
    let first = list.named_child(0)?;
    // An argument of Kotlin may have a label in front of it.
    if first.kind() == "value_argument" { step(first, "#-1") } else { Some(first) }
}

fn path<'t>(resolved: &ResolvedTable, node: Node<'_>, text: &'t str, depth: usize) -> Option<Cow<'t, str>> {
    let (object, name) = resolved.paths.get(usize::from(resolved.role(node).path)).copied()?;
    let name = name.follow(node)?;
    let Some(object) = object.follow(node) else {
        // An item of a list or a map does not have the type of the whole.
        let is_item = node.kind() == "index_expression";
        return if is_item { None } else { written(resolved, name, text, depth + 1) };
    };
    let (from, to) = (range(object).end, range(name).start);
    let between = ByteRange { start: from, end: to.max(from) }.of(text).trim();
    let between = if matches!(between, "->" | "::" | "?." | "?->") { between } else { "." };
    let object = written(resolved, object, text, depth + 1)?;
    let name = identifiers::read(resolved, name, text)?.name;
    Some(Cow::Owned(format!("{object}{between}{name}")))
}

/// Returns the qualifier of a name among unparsed tokens, read backwards from the name: `a.b` for
/// `a.b.c`, `()` for `f(x).c`.
pub(in crate::index::chunk) fn before(text: &str, bytes: ByteRange) -> &str {
    let Some(before) = text.get(..bytes.start as usize) else { return "" };
    let Some(object) = before.strip_suffix('.').or_else(|| before.strip_suffix("::")) else { return "" };
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
    let start = object.char_indices().rev().take_while(|(_, c)| is_part(*c)).last().map(|(at, _)| at);
    let Some(start) = start else { return SOME };
    let path = object.get(start..).unwrap_or_default();
    let is_whole = !path.starts_with(['.', ':']) && !path.ends_with(['.', ':']);
    if is_whole && path.len() <= identifiers::MAX_QUALIFIER { path } else { SOME }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::lines::offset;
    use crate::index::chunk::types::tests::check;

    #[test]
    fn tokens_before_a_name_are_its_qualifier() {
        for (text, qualifier) in [
            ("a.b.c", "a.b"),
            ("f(x).c", "()"),
            ("x + c", ""),
            ("m::n::c", "m::n"),
            (".c", "()"),
            ("größe.c", "größe"),
        ] {
            let end = offset(text.len());
            assert_eq!(before(text, ByteRange { start: end - 1, end }), qualifier, "{text}");
        }
    }

    #[test]
    fn a_function_that_returns_its_argument_has_the_type_of_that() {
        let text = "import static org.mockito.Mockito.verify;
import java.util.Objects;
class CartTest {
  Cart cart;
  void test(Shop shop) {
    verify(cart).pay();
    verify(cart, times(2)).add(1);
    doReturn(1).when(shop).open();
    Objects.requireNonNull(shop).shut();
    other.verify(cart).none();
  }
}
";
        check(
            "java",
            text,
            &[
                "add of cart: Cart",
                "none of other.verify(): ",
                "open of shop: Shop",
                "pay of cart: Cart",
                "requireNonNull of Objects: ",
                "shut of shop: Shop",
                "verify of other: ",
                "when of doReturn(): ",
            ],
        );
        let text = "import org.mockito.Mockito.verify\nfun test(cart: Cart) {\n  verify(cart).pay()\n}\n";
        check("kotlin", text, &["pay of cart: Cart"]);
        // Another function of that name.
        check("java", "class A {\n  void f(Cart cart) { verify(cart).pay(); }\n}\n", &["pay of verify(): "]);
    }
}
