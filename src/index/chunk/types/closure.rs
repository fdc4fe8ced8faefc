//! Parameters of closures: `all.map(one => one.run())` → `one` holds an item of `all`.
//!
//! The language's [`ItemRules`](crate::index::chunk::table::ItemRules) name the methods that call a
//! closure with each item, or with the object itself. A parameter with a type of its own is bound
//! by its own rule.

use super::items::EACH;
use super::{Bound, Value};
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::node::range;
use crate::index::chunk::walk::Walk;
use std::borrow::Cow;
use tree_sitter::Node;

/// Node kinds of closures.
const CLOSURES: &[&str] =
    &["arrow_function", "closure_expression", "function_expression", "lambda_expression", "lambda_literal"];

/// Nodes around a closure that is an argument.
const ARGUMENTS: &[&str] =
    &["annotated_lambda", "argument", "argument_list", "arguments", "value_argument", "value_arguments"];

/// The name of a parameter that Kotlin does not write.
const UNWRITTEN: &str = "it";

/// Most nodes between a closure and the name of its parameter.
const MAX_LEVELS: usize = 5;

impl<'t> Walk<'t> {
    /// Binds the first parameter of a closure that a method calls with its object, or with the
    /// items of that. `mention` is that of the method.
    pub(in crate::index::chunk) fn bind_closure(&mut self, call: Node<'_>, mention: &Mention<'_>) {
        let (name, object) = (&*mention.name, &*mention.qualifier);
        let items = &self.resolved.table.values.items;
        let how = if items.closures.contains(&name) {
            EACH
        } else if items.scopes.contains(&name) {
            ""
        } else {
            return;
        };
        let is_known = !object.is_empty() && !object.starts_with(['(', '"']);
        let Some(closure) = closure_in(call).filter(|_| is_known) else { return };
        let Some((name, name_at)) = self.first_parameter(closure) else { return };
        let within = self.innermost();
        self.out.bound.push(Bound {
            at: offset(closure.start_byte()),
            value: Value::Same(Cow::Owned(format!("{object}{how}"))),
            ..Bound::local((name, name_at), within, range(closure))
        });
    }

    /// Returns whether the name that begins there is bound as a parameter of a closure.
    pub(super) fn is_bound_by_call(&self, name_at: u32) -> bool {
        let is_it = |one: &Bound<'_>| one.name_at == name_at && matches!(one.value, Value::Same(_));
        !self.resolved.table.values.items.closures.is_empty()
            && self.out.bound.iter().rev().take(MAX_LEVELS).any(is_it)
    }

    /// Returns the name of a closure's first parameter and where it begins, if no type is written
    /// for it and it is not taken apart.
    fn first_parameter(&self, closure: Node<'_>) -> Option<(&'t str, u32)> {
        let fields = ["parameter", "parameters"];
        let found = fields.iter().find_map(|field| closure.child_by_field_name(field));
        let found = found.or_else(|| {
            let mut cursor = closure.walk();
            closure.named_children(&mut cursor).find(|one| one.kind() == "lambda_parameters")
        });
        let Some(mut node) = found else {
            let is_unwritten = closure.kind() == "lambda_literal";
            let start = offset(closure.start_byte());
            return is_unwritten.then_some((UNWRITTEN, start));
        };
        for _ in 0..MAX_LEVELS {
            let text = range(node).of(self.text);
            if identifiers::is_plain(text) {
                return Some((text, offset(node.start_byte())));
            }
            let is_typed = node.child_by_field_name("type").is_some();
            let is_taken_apart = node.kind().contains("pattern") && node.kind() != "reference_pattern";
            node = node.named_child(0).filter(|_| !is_typed && !is_taken_apart)?;
        }
        None
    }
}

/// Returns the first closure among the arguments of a call.
fn closure_in(call: Node<'_>) -> Option<Node<'_>> {
    let mut around = vec![call];
    for _ in 0..MAX_LEVELS {
        let node = around.pop()?;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if CLOSURES.contains(&child.kind()) {
                return Some(child);
            }
            if ARGUMENTS.contains(&child.kind()) {
                around.push(child);
            }
        }
    }
    None
}
