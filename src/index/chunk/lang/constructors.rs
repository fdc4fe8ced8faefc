//! Constructors that call one another by a word: `this(…)`, `super(…)`, `base(…)`.
//!
//! The word stands for a type: the one around, or its supertype. So the mention has the name of
//! that type, and the word as its alias.
//!
//! Also constructors whose type is written elsewhere: `Cart cart = new(1)` of C#, and the values of
//! an enumeration of Java (`SMALL(1)`). These have no alias.

#[cfg(feature = "lang-c-sharp")]
use super::c_sharp_members;
use super::cpp_constructors;
use super::ruby_classes::NEW_WORD;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::MentionRule;
use crate::index::chunk::{ReferenceKind, identifiers};
use std::borrow::Cow;
use tree_sitter::Node;

/// The words. A constructor of the type around is called by `this`, one of its supertype by `super`
/// and `base`, and either by `new` (`new` of Ruby, `new static` and `new parent` of PHP).
pub const CONSTRUCTOR_WORDS: [&str; 4] = ["this", "super", "base", "new"];

/// Java and Groovy.
pub(super) const JAVA: MentionRule = MentionRule {
    node: "explicit_constructor_invocation",
    read: |text, node, found| {
        let word = node.child_by_field_name("constructor");
        call(text, node, word, |class| step(class, &["superclass", "#0"]), found);
    },
};

/// Java: values of an enumeration with arguments.
pub(super) const ENUM_VALUE: MentionRule = MentionRule {
    node: "enum_constant",
    read: |text, node, found| {
        let enumeration = std::iter::successors(node.parent(), Node::parent)
            .take(MAX_LEVELS)
            .find(|one| one.kind() == "enum_declaration");
        let name = enumeration.and_then(|one| one.child_by_field_name("name"));
        if let Some(arguments) = node.child_by_field_name("arguments") {
            found.extend(name.and_then(|name| constructed(text, name, arguments)));
        }
    },
};

/// C#: `new(…)` where the type is written in front of it.
#[cfg(feature = "lang-c-sharp")]
pub(super) const TARGET_TYPED: MentionRule = MentionRule {
    node: "implicit_object_creation_expression",
    read: |text, node, found| {
        let arguments = step(node, &["@argument_list"]);
        let both = c_sharp_members::expected(node).zip(arguments);
        found.extend(both.and_then(|(ty, arguments)| constructed(text, ty, arguments)));
    },
};

/// Returns the call of a constructor of a type with these arguments. The name is not borrowed,
/// since the text does not have it there.
fn constructed<'t>(text: &'t str, ty: Node<'_>, arguments: Node<'_>) -> Option<Mention<'t>> {
    let written = text.get(ty.byte_range())?.trim_end_matches('?');
    let written = written.split('<').next().unwrap_or_default();
    let (name, qualifier) = written.rsplit_once('.').map_or((written, ""), |(before, last)| (last, before));
    let is_type = !name.is_empty();
    let is_plain = identifiers::is_plain(name) && identifiers::is_plain(qualifier);
    (is_type && is_plain).then(|| {
        let at = offset(arguments.start_byte());
        Mention::new(at, ReferenceKind::Call, name.to_owned(), Cow::Borrowed(qualifier))
    })
}

/// C#.
#[cfg(feature = "lang-c-sharp")]
pub(super) const C_SHARP: MentionRule = MentionRule {
    node: "constructor_initializer",
    read: |text, node, found| {
        call(text, node, word(node), |class| superclass(text, class), found);
    },
};

/// Kotlin.
#[cfg(feature = "lang-kotlin")]
pub(super) const KOTLIN: MentionRule = MentionRule {
    node: "constructor_delegation_call",
    read: |text, node, found| {
        call(text, node, word(node), |class| step(class, &["@delegation_specifiers", "#0", "#0"]), found);
    },
};

/// JavaScript and TypeScript.
pub(super) const SCRIPT: MentionRule = MentionRule {
    node: "call_expression",
    read: |text, node, found| {
        let word = node.child_by_field_name("function").filter(|word| word.kind() == "super");
        if word.is_some() {
            call(text, node, word, |class| step(class, &["@class_heritage", "#0"]), found);
        }
    },
};

/// PHP: `new static`, `new self` and `new parent`.
pub(super) const PHP: MentionRule = MentionRule {
    node: "object_creation_expression",
    read: |text, node, found| {
        let named = node.named_child(0).or_else(|| node.child(1));
        let named = named.and_then(|one| text.get(one.byte_range())).unwrap_or_default();
        let is_own = named.eq_ignore_ascii_case("static") || named.eq_ignore_ascii_case("self");
        if !is_own && !named.eq_ignore_ascii_case("parent") {
            return;
        }
        let around = std::iter::successors(node.parent(), Node::parent).take(MAX_PHP_LEVELS);
        let is_type = |one: &Node<'_>| {
            matches!(one.kind(), "class_declaration" | "enum_declaration" | "anonymous_class")
        };
        let class = around.into_iter().find(is_type);
        let of = match is_own {
            true => class.and_then(|class| class.child_by_field_name("name")),
            false => class.and_then(|class| step(class, &["@base_clause", "#0"])),
        };
        let Some(written) = of.and_then(|of| text.get(of.byte_range())) else { return };
        let (name, qualifier) = identifiers::split(written);
        let mention =
            Mention::new(offset(node.start_byte()), ReferenceKind::Call, name, Cow::Borrowed(qualifier));
        found.push(Mention { alias: Cow::Borrowed(NEW_WORD), ..mention });
    },
};

/// Levels between an expression of PHP and the class around it.
const MAX_PHP_LEVELS: usize = 24;

/// C++: what a constructor initializes by the name of a type.
pub(super) const CPP: MentionRule = MentionRule {
    node: "field_initializer",
    read: |text, node, found| {
        let Some(name) = node.named_child(0).filter(|name| name.kind() == "field_identifier") else { return };
        let written = text.get(name.byte_range()).unwrap_or_default();
        let parents = std::iter::successors(node.parent(), Node::parent).take(MAX_LEVELS);
        let class =
            parents.into_iter().find(|one| matches!(one.kind(), "class_specifier" | "struct_specifier"));
        let is_named = |part: Option<Node<'_>>| {
            part.and_then(|part| text.get(part.byte_range())).is_some_and(|part| {
                part.split(|c: char| !c.is_alphanumeric() && c != '_').any(|one| one == written)
            })
        };
        let is_type = class.is_some_and(|class| {
            is_named(class.child_by_field_name("name")) || is_named(step(class, &["@base_class_clause"]))
        });
        if is_type {
            let at = offset(name.start_byte());
            found.push(Mention::new(at, ReferenceKind::Call, written, Cow::Borrowed("")));
        } else if let Some(class) = class {
            found.extend(cpp_constructors::of_member(text, class, name, written));
        }
    },
};

/// Returns the class that a C# class inherits. It comes first, and an interface is named by custom
/// with an `I` before another capital.
#[cfg(feature = "lang-c-sharp")]
fn superclass<'tree>(text: &str, class: Node<'tree>) -> Option<Node<'tree>> {
    let first = step(class, &["@base_list", "#0"])?;
    let name = text.get(first.byte_range()).unwrap_or_default();
    let is_interface = name.strip_prefix('I').is_some_and(|rest| rest.starts_with(char::is_uppercase));
    (!is_interface).then_some(first)
}

/// Levels between a call and its type.
const MAX_LEVELS: usize = 12;

/// Returns the first of the words that a node contains.
#[cfg(any(feature = "lang-c-sharp", feature = "lang-kotlin"))]
fn word(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|child| CONSTRUCTOR_WORDS.contains(&child.kind()))
}

fn step<'tree>(node: Node<'tree>, steps: &[&str]) -> Option<Node<'tree>> {
    steps.iter().try_fold(node, |at, one| crate::index::chunk::resolve::step(at, one))
}

/// Adds the call of a constructor by a word. `supertype` leads from a type to its supertype.
fn call<'t>(
    text: &'t str,
    node: Node<'_>,
    word: Option<Node<'_>>,
    supertype: impl for<'tree> Fn(Node<'tree>) -> Option<Node<'tree>>,
    found: &mut Vec<Mention<'t>>,
) {
    let Some(word) = word else { return };
    let parents = std::iter::successors(node.parent(), Node::parent).take(MAX_LEVELS);
    let is_type = |node: &Node<'_>| {
        matches!(
            node.kind(),
            "class"
                | "class_declaration"
                | "abstract_class_declaration"
                | "enum_declaration"
                | "record_declaration"
                | "struct_declaration"
        )
    };
    let Some(around) = parents.into_iter().find(is_type) else { return };
    let named = match word.kind() {
        "this" => around.child_by_field_name("name"),
        _ => supertype(around),
    };
    let (Some(named), Some(alias)) = (named, text.get(word.byte_range())) else { return };
    let written = text.get(named.byte_range()).unwrap_or_default();
    let written =
        written.trim_start_matches("extends").split(['<', '(', '{']).next().unwrap_or_default().trim();
    let (name, qualifier) = written.rsplit_once('.').map_or((written, ""), |(before, last)| (last, before));
    if name.is_empty() || !identifiers::is_plain(name) || !identifiers::is_plain(qualifier) {
        return;
    }
    let at = offset(word.start_byte());
    let mention = Mention::new(at, ReferenceKind::Call, name, Cow::Borrowed(qualifier));
    found.push(Mention { alias: Cow::Borrowed(alias), ..mention });
}
