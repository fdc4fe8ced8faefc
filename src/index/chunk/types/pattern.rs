//! The names that patterns, lists of names and labels bind.
//!
//! A pattern is read as a text, because each grammar has nodes of its own for it.

use super::bind::{TypeAnnotation, item, literal, owner_and_name};
use super::bound::BoundKind;
use super::items::{AT, EACH};
use super::parameters::{bound_behind, only_type};
use super::{Bound, Value, is_function};
use crate::index::chunk::ByteRange;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::node::range;
use crate::index::chunk::resolve::{self, Step};
use crate::index::chunk::table::{NameScope, PatternNames, TypeRule};
use crate::index::chunk::walk::Walk;
use std::borrow::Cow;
use tree_sitter::Node;

/// Names that one node binds at most.
const MAX_NAMES: usize = 32;

/// Most nodes of a pattern that are looked at for strings.
const MAX_NODES: usize = 256;

/// Words of Swift in front of a name that a pattern binds.
const MARKS: [&str; 2] = ["let ", "var "];

/// Characters in front of a pattern in which such a word is looked for.
const MAX_BEFORE: usize = 100;

impl<'t> Walk<'t> {
    /// Binds several names. Each gets its own value if there are as many values as names. If a call
    /// can return several results, the first name gets the only value.
    pub(super) fn bind_list(
        &mut self,
        list: Node<'_>,
        values: Option<Node<'_>>,
        saying: &TypeAnnotation<'_, '_>,
    ) {
        let n_values =
            values.filter(|one| one.kind().ends_with("_list")).map_or(0, |one| one.named_child_count());
        let is_shared = n_values == 1 && self.resolved.table.values.has_lists;
        let mut cursor = list.walk();
        for (at, name) in list.named_children(&mut cursor).take(MAX_NAMES).enumerate() {
            let written = range(name).of(self.text);
            let (owner, plain) = owner_and_name(written);
            if !identifiers::is_plain(written) {
                if name.kind().contains("pattern") && literal(self.resolved, name).is_none() {
                    self.bind_pattern(name, 0, saying);
                }
                continue;
            }
            if owner.is_some() {
                continue;
            }
            let is_told = n_values == list.named_child_count() || is_shared && at == 0;
            let value = values.filter(|_| is_told).and_then(|values| values.named_child(offset(at)));
            // A loop of Go gives the index first, and then the item. A channel gives items only.
            let value = match saying.rule.is_item {
                true => {
                    let is_alone = list.named_child_count() == 1;
                    let of = self.value(None, values);
                    if at == 1 {
                        item(of, AT)
                    } else if is_alone {
                        item(of, EACH)
                    } else {
                        Value::Unknown
                    }
                }
                false => self.value(None, value),
            };
            self.out.bound.push(Bound {
                is_assigned: saying.rule.is_assigned,
                known_from: saying.known_from,
                value,
                ..Bound::local((plain, offset(name.start_byte())), saying.within, saying.scope)
            });
        }
    }

    /// Binds the names in a pattern from an offset on, whose types are unknown.
    pub(super) fn bind_pattern(&mut self, pattern: Node<'_>, from: usize, saying: &TypeAnnotation<'_, '_>) {
        let TypeAnnotation { rule, within, scope, known_from, .. } = *saying;
        let at = offset(pattern.start_byte());
        let text = range(pattern).of(self.text);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let quoted = self.quoted_in(pattern);
        let is_quoted = |from: usize| quoted.iter().any(|one| one.contains(at + offset(from)));
        let mut start = 0;
        let names = text.split(|c| !is_part(c)).filter_map(|name| {
            let begin = start;
            let end = begin + name.len();
            start = end + text.get(end..)?.chars().next().map_or(0, char::len_utf8);
            let is_new = !name.is_empty()
                && begin >= from
                && !is_quoted(begin)
                && !self.is_alternative(name, rule)
                && binds(text, begin, name.len(), rule.names);
            is_new.then_some((begin, name))
        });
        let names: Vec<(usize, &str)> = names.take(MAX_NAMES).collect();
        for (from, name) in names {
            if self.is_bound_by_call(at + offset(from)) {
                continue;
            }
            self.out.bound.push(Bound {
                is_assigned: rule.is_assigned,
                at,
                known_from,
                ..Bound::local((name, at + offset(from)), within, scope)
            });
        }
    }

    /// Returns where the strings and comments of a pattern are: the pattern compares with their
    /// words, and binds none of them.
    fn quoted_in(&self, pattern: Node<'_>) -> Vec<ByteRange> {
        let mut found = Vec::new();
        let mut left = vec![pattern];
        let mut cursor = pattern.walk();
        for _ in 0..MAX_NODES {
            let Some(node) = left.pop() else { break };
            if self.resolved.role(node).is(resolve::STRING | resolve::COMMENT) {
                found.push(range(node));
            } else {
                left.extend(node.named_children(&mut cursor));
            }
        }
        found
    }

    /// Returns whether a name in a pattern is that of an alternative, which the pattern compares
    /// with.
    pub(super) fn is_alternative(&self, name: &str, rule: &TypeRule) -> bool {
        let compares = rule.names != PatternNames::All || self.resolved.table.has_lower_variables;
        compares && name.starts_with(char::is_uppercase)
    }

    /// Binds the names of a pattern that are behind `let` or `var`, which may stand in front of the
    /// whole pattern.
    pub(super) fn bind_marked(&mut self, pattern: Node<'_>, saying: &TypeAnnotation<'_, '_>) {
        let bytes = range(pattern);
        let from = marked_from(bytes.of(self.text)).or_else(|| {
            let before = self.text.get(..bytes.start as usize).unwrap_or_default();
            is_marked_before(before).then_some(0)
        });
        if let Some(from) = from {
            self.bind_pattern(pattern, from, saying);
        }
    }

    /// Binds the other names of a node with several.
    pub(super) fn bind_more<'tree>(&mut self, node: Node<'tree>, saying: &TypeAnnotation<'_, 'tree>) {
        if saying.rule.more.is_empty() {
            return;
        }
        for name in saying.names_of(node).into_iter().skip(1).take(MAX_NAMES) {
            let written = range(name).of(self.text);
            if !name.is_named() || !identifiers::is_plain(written) {
                continue;
            }
            let Some(place) = self.place(None, false, saying.scope, saying.within, None) else { continue };
            self.out.bound.push(Bound {
                place,
                known_from: saying.known_from,
                ..Bound::local((written, offset(name.start_byte())), saying.within, saying.scope)
            });
        }
    }

    /// Binds the name of an expression inside of it. What holds the expression may have that name:
    /// `const run = function run() {…}`. Then it means the same.
    pub(super) fn bind_own_name<'tree>(&mut self, node: Node<'tree>, saying: &TypeAnnotation<'_, 'tree>) {
        let Some(name) = saying.name_of(node) else { return };
        let written = range(name).of(self.text);
        let around = saying.within.and_then(|at| self.out.declarations.get(at as usize));
        if saying.declared.is_none() && around.is_none_or(|around| around.name != written) {
            self.hide((written, offset(name.start_byte())), saying.within, saying.scope);
        }
    }

    /// Binds what is called like a function but holds one: `int (*run)(int)`.
    pub(super) fn bind_callable(&mut self, name: &'t str, name_at: u32, saying: &TypeAnnotation<'_, '_>) {
        if let Some(place) = self.place(None, false, saying.scope, saying.within, saying.declared) {
            self.out.bound.push(Bound {
                place,
                known_from: saying.known_from,
                ..Bound::local((name, name_at), saying.within, saying.scope)
            });
        }
    }

    /// Records the type parameters that a node declares.
    pub(super) fn bind_type_parameters(
        &mut self,
        node: Node<'_>,
        rule: &TypeRule,
        each: Step,
        within: Option<u32>,
    ) {
        let around = match rule.scope {
            NameScope::Parent => self.ranges.last().copied(),
            _ => self.generic_around(),
        };
        let mut cursor = node.walk();
        let names: Vec<Node<'_>> = match each {
            Step::Nowhere => node
                .named_children(&mut cursor)
                .find(|one| !one.kind().contains("modifier"))
                .into_iter()
                .collect(),
            step => step.all(node, &mut cursor),
        };
        let behind = names.last().map_or(node.end_byte(), Node::end_byte)..node.end_byte();
        let bound = match node.child_by_field_name("type").filter(|_| !rule.ty.is_empty()) {
            Some(ty) => only_type(range(ty).of(self.text)),
            None => bound_behind(self.text.get(behind).unwrap_or_default()),
        };
        for one in names {
            let name = range(one).of(self.text);
            if !identifiers::is_plain(name) || rule.is_constraint && !self.out.parameters.has(name) {
                continue;
            }
            self.out.parameters.add(name, around, bound);
            if let Some(around) = around.filter(|_| !rule.is_constraint) {
                self.announced.hide(name, around);
                if rule.scope == NameScope::Template {
                    self.hide((name, offset(one.start_byte())), within, around);
                }
            }
        }
    }

    /// Notes that a name is a label, which is not a use of anything and hides nothing.
    pub(super) fn bind_label(&mut self, label: Node<'_>, within: Option<u32>) {
        let bytes = range(label);
        let scope = ByteRange { start: bytes.start, end: bytes.start };
        self.hide((bytes.of(self.text), bytes.start), within, scope);
    }

    /// Notes that a name means something else in a scope.
    fn hide(&mut self, name: (&'t str, u32), within: Option<u32>, scope: ByteRange) {
        self.out.bound.push(Bound { kind: BoundKind::Hiding, ..Bound::local(name, within, scope) });
    }

    /// Records the names that a function imports, which are the mentions from `first` on.
    pub(in crate::index::chunk) fn bind_imports(
        &mut self,
        node: Node<'_>,
        first: usize,
        within: Option<u32>,
    ) {
        let Some(within) = within.filter(|at| is_function(&self.out.declarations, *at)) else { return };
        let scope = self.scope_of(node);
        let names = self.out.mentions.get(first..).unwrap_or_default().iter().filter_map(|one| {
            let name = if one.alias.is_empty() { &one.name } else { &one.alias };
            // `import a.b` gives the name `a`.
            let is_path = one.alias.is_empty() && one.qualifier.ends_with(&format!(".{name}"));
            match name {
                // A call by the name of the import may mean it, so no such call is hidden.
                Cow::Borrowed(name) if !is_path && *name != "*" => {
                    Some((*name, if one.alias.is_empty() { u32::MAX } else { scope.start }))
                }
                _ => None,
            }
        });
        let bound = names.map(|(name, known_from)| Bound {
            kind: BoundKind::Import,
            known_from,
            ..Bound::local((name, offset(node.start_byte())), Some(within), scope)
        });
        self.out.bound.extend(bound.collect::<Vec<_>>());
    }
}

/// Returns the offset behind the first `let` or `var` of a text.
fn marked_from(text: &str) -> Option<usize> {
    let ends = MARKS.iter().filter_map(|mark| {
        let is_word = |at: &usize| {
            !text.get(..*at).is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        text.match_indices(mark).map(|(at, _)| at).find(is_word).map(|at| at + mark.len())
    });
    ends.min()
}

/// Returns whether a text ends in a pattern that is not complete, with such a word at its begin:
/// `if case let .one(`.
fn is_marked_before(text: &str) -> bool {
    let tail = text.char_indices().rev().take(MAX_BEFORE).last().map_or(0, |(at, _)| at);
    let tail = text.get(tail..).unwrap_or_default();
    tail.rsplit_once("case ").is_some_and(|(_, begun)| {
        MARKS.iter().any(|mark| begun.trim_start().starts_with(mark)) && !begun.contains(['=', '{', '\n'])
    })
}

/// Returns whether a name in a pattern is bound by it. The name of a type or a constant is not, nor
/// is a key: `Some(x)`, `a::B`, `{ key: x }`.
fn binds(pattern: &str, start: usize, len: usize, names: PatternNames) -> bool {
    let before = pattern.get(..start).unwrap_or_default();
    let after = pattern.get(start + len..).unwrap_or_default();
    let behind = after.trim_start();
    let is_colon = behind.starts_with(':') && !behind.starts_with("::");
    let is_key = match names {
        PatternNames::All => is_colon && before.contains('{'),
        PatternNames::Lower | PatternNames::Marked => {
            let value = behind.trim_start_matches(':').trim_start();
            is_colon && !(value.is_empty() || value.starts_with([',', '}', ')', '|']))
        }
    };
    let is_rest = before.ends_with("...");
    let is_path = after.starts_with("::") || before.ends_with(['.', ':']) && !is_rest;
    // An infix function, and a name that is compared with.
    let is_read = before.ends_with(['`', '^']);
    !(behind.starts_with(['(', '{', '.', '!']) || is_path || is_key || is_read)
}
