//! Methods of Python that subclasses implement: those with a decorator that says so, and those that
//! only raise an error or have no code
//! (<https://docs.python.org/3/library/abc.html#abc.abstractmethod>).
//!
//! Such a method has a body like any other, so a mention with [`ABSTRACT_QUALIFIER`] says it. The
//! class is in the alias, because a chunk may hold several.

use super::python_fixtures::word_of;
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::{ABSTRACT_QUALIFIER, Mention};
use std::borrow::Cow;
use tree_sitter::Node;

/// Decorators of a method without an implementation.
const ABSTRACT: [&str; 2] = ["abstractmethod", "abstractproperty"];

/// The methods of a class that subclasses implement.
pub(super) fn methods<'t>(text: &'t str, class: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let (Some(name), Some(body)) = (class.child_by_field_name("name"), class.child_by_field_name("body"))
    else {
        return;
    };
    let alias = format!("{ABSTRACT_QUALIFIER} {}", written(name));
    let mut cursor = body.walk();
    for member in body.named_children(&mut cursor) {
        let method = member.child_by_field_name("definition").unwrap_or(member);
        if method.kind() != "function_definition" {
            continue;
        }
        let mut cursor = member.walk();
        let mut words = member.named_children(&mut cursor).filter_map(|one| word_of(text, one));
        let is_abstract = match member.kind() {
            "decorated_definition" if words.any(|word| ABSTRACT.contains(&word)) => true,
            _ => is_empty(text, method),
        };
        // The signatures of a function with several are not its implementation.
        let is_overload = text
            .get(member.start_byte()..method.start_byte())
            .is_some_and(|decorators| decorators.contains("overload"));
        if let Some(name) = method.child_by_field_name("name").filter(|_| is_abstract && !is_overload) {
            let at = offset(member.start_byte());
            let qualifier = Cow::Borrowed(ABSTRACT_QUALIFIER);
            let given = Mention::new(at, ReferenceKind::Gives, written(name), qualifier);
            found.push(Mention { alias: Cow::Owned(alias.clone()), ..given });
        }
    }
}

/// Returns whether a method has `...` or `raise NotImplementedError` for its code, besides its
/// documentation.
fn is_empty(text: &str, method: Node<'_>) -> bool {
    let Some(body) = method.child_by_field_name("body") else { return false };
    let written = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let mut cursor = body.walk();
    let statements: Vec<Node<'_>> = body.named_children(&mut cursor).collect();
    let Some((last, before)) = statements.split_last() else { return false };
    let is_text = |one: &Node<'_>| {
        one.kind() == "comment" || one.named_child(0).is_some_and(|one| one.kind() == "string")
    };
    let is_raise = last.kind() == "raise_statement" && written(*last).contains("NotImplementedError");
    (is_raise || written(*last) == "...") && before.iter().all(is_text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::{ChunkOptions, Language, chunk};

    #[test]
    fn a_method_without_code_is_abstract() {
        for (method, expected) in [
            ("@abstractmethod\n    def f(self):\n        pass", true),
            ("@property\n    @abc.abstractmethod\n    def f(self):\n        \"\"\"Text.\"\"\"", true),
            ("def f(self): ...", true),
            ("def f(self):\n        \"\"\"Text.\"\"\"\n        raise NotImplementedError(1)", true),
            ("def f(self):\n        pass", false),
            ("def f(self):\n        raise ValueError", false),
            ("def f(self):\n        g()\n        raise NotImplementedError", false),
            ("@overload\n    def f(self): ...", false),
        ] {
            let text = format!("class A(B):\n    {method}\n");
            let file = chunk(Language::from_name("python").unwrap(), &text, &ChunkOptions::default());
            let found = file.references.iter().find(|one| one.qualifier == ABSTRACT_QUALIFIER);
            let found = found.map(|one| (one.name.as_str(), one.alias.as_str()));
            assert_eq!(found, expected.then_some(("f", "@abstract A")), "{text}");
        }
    }
}
