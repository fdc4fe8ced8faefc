//! Bindings: nodes of the syntax tree → names with types, recorded during the walk.
//!
//! Follows the table's rules in [`TypeRule`]. Only the text is recorded here; `Types` reads it
//! after the walk, when all declarations of the file are known.

use super::head::NOTHING;
use super::written::{made, written};
use super::{Bound, MAX_TYPE, Place, Value, ancestors, bare, owner_name};
use crate::index::chunk::ByteRange;
use crate::index::chunk::declare::is_type;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::node::range;
use crate::index::chunk::resolve::{self, ResolvedTable, Role, Step, TypedSteps, follow, step};
use crate::index::chunk::table::TypeRule;
use crate::index::chunk::walk::Walk;
use std::borrow::Cow;
use tree_sitter::Node;

/// Words in the place of a type that leave the type to the value.
const INFERRED: &[&str] =
    &["Any", "any", "auto", "dynamic", "let", "mixed", "object", "Object", "unknown", "val", "var", "void"];

/// The owner of a name whose sigil marks a member (Ruby's `@log`).
const OWN_MEMBER: &str = "@";

/// Names that one node binds at most.
const MAX_NAMES: usize = 32;

/// Most nodes of a pattern that are looked at for strings.
const MAX_NODES: usize = 256;

/// Returns whether the text in the place of a type leaves the type to the value.
fn is_inferred(written: &str) -> bool {
    INFERRED.contains(&written.trim_start_matches([':', ' ']))
}

/// Returns the type that a language has for a kind of literal.
fn literal(resolved: &ResolvedTable, node: Node<'_>) -> Option<&'static str> {
    let of_node = resolved.kind(node);
    resolved.table.literals.iter().find(|(kind, _)| *kind == of_node).map(|(_, ty)| *ty)
}

/// A node that gives names a type, with its place.
#[derive(Clone, Copy)]
struct TypeAnnotation<'r, 'tree> {
    rule: &'static TypeRule,
    steps: &'r TypedSteps,
    /// The type that is written in it.
    ty: Option<Node<'tree>>,
    /// Whether it also makes the names members of the enclosing type.
    is_member: bool,
    /// The enclosing declaration.
    within: Option<u32>,
    /// The declaration that the node itself is.
    declared: Option<u32>,
    /// The bytes in which the names are known.
    scope: ByteRange,
    /// The byte from which on their values are known.
    known_from: u32,
}

impl<'t> Walk<'t> {
    /// Records the names that a node gives a type. `within` is the enclosing declaration,
    /// `declared` the one that the node itself is.
    pub(in crate::index::chunk) fn bind(
        &mut self,
        node: Node<'_>,
        role: Role,
        within: Option<u32>,
        declared: Option<u32>,
    ) {
        let resolved = self.resolved;
        let index = usize::from(role.typed);
        let (Some(rule), Some(steps)) = (resolved.table.typed.get(index), resolved.typed.get(index)) else {
            return;
        };
        // The node around binds it already, maybe with a value.
        let is_bound = || self.kinds.last().is_some_and(|around| resolved.binds_pattern(*around));
        if rule.ty.is_empty() && resolved.kind(node).ends_with("pattern") && is_bound() {
            return;
        }
        if rule.is_parameter {
            let names = node
                .named_child(0)
                .map(|one| range(one).of(self.text))
                .filter(|one| identifiers::is_plain(one));
            if let (Some(name), Some(around)) = (names, self.generic_around()) {
                self.announced.hide(name, around);
            }
            self.out.parameters.extend(names);
            return;
        }
        let ty = steps.ty.iter().find_map(|path| follow(node, Some(path)));
        let is_member = !rule.member.is_empty() && step(node, rule.member).is_some();
        let scope = match rule.is_assigned && !resolved.table.has_function_scope {
            true => ByteRange { start: 0, end: u32::MAX },
            false => self.scope_of(node),
        };
        // The value of a variable sees what the variable then hides: `let end = end();`.
        let is_after = !rule.value.is_empty() && !resolved.table.has_function_scope && !rule.is_assigned;
        let known_from = if is_after { range(node).end } else { scope.start };
        let saying = TypeAnnotation { rule, steps, ty, is_member, within, declared, scope, known_from };
        if matches!(steps.each, Step::Nowhere) {
            return self.bind_one(node, &saying);
        }
        let mut cursor = node.walk();
        let mut has_children = false;
        for child in steps.each.all(node, &mut cursor) {
            has_children = true;
            self.bind_one(child, &saying);
        }
        if !has_children {
            self.bind_one(node, &saying);
        }
    }

    fn bind_one(&mut self, of: Node<'_>, saying: &TypeAnnotation<'_, '_>) {
        let TypeAnnotation { rule, steps, ty, mut within, mut declared, scope, known_from, .. } = *saying;
        let Some(mut name) = follow(of, Some(&steps.name)) else { return };
        let value = steps.value.iter().find_map(|path| follow(of, Some(path)));
        let value = value.filter(|one| *one != name);
        let mut is_result = rule.is_result;
        // Go down through C's declarators.
        while self.resolved.kind(name).ends_with("_declarator") {
            is_result |= self.resolved.kind(name) == "function_declarator";
            let Some(inner) = name.child_by_field_name("declarator").or_else(|| name.named_child(0)) else {
                return;
            };
            name = inner;
        }
        if self.resolved.kind(name).ends_with("_list") {
            return self.bind_list(name, value, saying);
        }
        if rule.is_decorator {
            return self.bind_decorated(of, name, value, saying);
        }
        let written = range(name).of(self.text);
        if rule.is_after && ty.is_some_and(|ty| ty.start_byte() < name.end_byte()) {
            return;
        }
        if !identifiers::is_plain(written) {
            // One that has a type of its own is bound by itself.
            if literal(self.resolved, name).is_some() {
                return;
            }
            let is_pattern = name.kind().contains("pattern") || rule.ty.is_empty() && rule.name == "pattern";
            if is_pattern || name.kind().starts_with("structured_binding") {
                self.bind_pattern(name, within, scope, known_from);
            }
            return;
        }
        if self.is_alternative(written) {
            return;
        }
        let name_at = offset(name.end_byte() - owner_and_name(written).1.len());
        let (owner, name) = owner_and_name(written);
        // A signature inside the declaration that it belongs to.
        let around = within.and_then(|at| self.out.declarations.get(at as usize));
        if is_result && let Some(around) = around.filter(|one| one.name == name && !is_type(one.kind)) {
            (declared, within) = (within, around.parent);
        }
        let Some(place) = self.place(owner, is_result, scope, within, declared) else { return };
        // An empty value (`null`) says nothing about the type.
        if ty.is_none() && value.is_some_and(|one| NOTHING.contains(&range(one).of(self.text))) {
            return;
        }
        let is_written = ty.is_some_and(|ty| !is_inferred(range(ty).of(self.text)));
        if value.is_some_and(|one| self.makes_parameter(one)) {
            self.out.parameters.insert(name);
        }
        let value = match literal(self.resolved, of) {
            Some(of_kind) if ty.is_none() => Value::Type(of_kind),
            _ => self.value(ty, value),
        };
        let bound = Bound {
            name,
            is_result,
            is_written,
            is_assigned: rule.is_assigned,
            is_decorated: false,
            place,
            within,
            at: offset(of.start_byte()),
            scope,
            known_from,
            name_at,
            value,
        };
        if saying.is_member
            && let Some(around) = self.type_around(within)
        {
            self.out.bound.push(Bound { place: Place::Member(around), ..bound.clone() });
        }
        self.out.bound.push(bound);
    }

    /// Binds the name of a function as the value that the outermost decorator makes of it:
    /// `@group() def app()`. A property has the type of the function's result.
    fn bind_decorated(
        &mut self,
        of: Node<'_>,
        name: Node<'_>,
        decorator: Option<Node<'_>>,
        saying: &TypeAnnotation<'_, '_>,
    ) {
        let resolved = self.resolved;
        let Some(decorator) = decorator.and_then(|one| written(resolved, one, self.text, 0)) else { return };
        let is_property = resolved.table.values.properties.contains(&bare(&decorator));
        let value = match saying.ty.filter(|_| is_property) {
            Some(ty) => self.value(Some(ty), None),
            None if is_property => return,
            None if decorator.ends_with("()") => Value::Same(decorator),
            None => Value::Same(Cow::Owned(format!("{decorator}()"))),
        };
        let written = range(name).of(self.text);
        let Some(place) = self.place(None, false, saying.scope, saying.within, saying.declared) else {
            return;
        };
        if !identifiers::is_plain(written) {
            return;
        }
        self.out.bound.push(Bound {
            name: written,
            is_result: false,
            is_written: is_property,
            is_assigned: false,
            is_decorated: true,
            place,
            within: saying.within,
            at: offset(of.start_byte()),
            scope: saying.scope,
            known_from: saying.known_from,
            name_at: offset(name.start_byte()),
            value,
        });
    }

    /// Binds several names. Each gets its own value if there are as many values as names. If a call
    /// can return several results, the first name gets the only value.
    fn bind_list(&mut self, list: Node<'_>, values: Option<Node<'_>>, saying: &TypeAnnotation<'_, '_>) {
        let n_values =
            values.filter(|one| one.kind().ends_with("_list")).map_or(0, |one| one.named_child_count());
        let is_shared = n_values == 1 && self.resolved.table.values.has_lists;
        let mut cursor = list.walk();
        for (at, name) in list.named_children(&mut cursor).take(MAX_NAMES).enumerate() {
            let written = range(name).of(self.text);
            let (owner, plain) = owner_and_name(written);
            if !identifiers::is_plain(written) || owner.is_some() {
                continue;
            }
            let is_told = n_values == list.named_child_count() || is_shared && at == 0;
            let value = values.filter(|_| is_told).and_then(|values| values.named_child(offset(at)));
            let value = self.value(None, value);
            self.out.bound.push(Bound {
                name: plain,
                is_result: false,
                is_written: false,
                is_assigned: saying.rule.is_assigned,
                is_decorated: false,
                place: Place::Local(saying.within),
                within: saying.within,
                at: offset(name.start_byte()),
                scope: saying.scope,
                known_from: saying.known_from,
                name_at: offset(name.start_byte()),
                value,
            });
        }
    }

    /// Binds the names in a pattern, whose types are unknown.
    fn bind_pattern(&mut self, pattern: Node<'_>, within: Option<u32>, scope: ByteRange, known_from: u32) {
        let at = offset(pattern.start_byte());
        let text = range(pattern).of(self.text);
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let quoted = self.quoted_in(pattern);
        let is_quoted = |from: usize| quoted.iter().any(|one| one.contains(at + offset(from)));
        let mut start = 0;
        let names = text.split(|c| !is_part(c)).filter_map(|name| {
            let from = start;
            let end = from + name.len();
            start = end + text.get(end..)?.chars().next().map_or(0, char::len_utf8);
            let is_new = !name.is_empty()
                && !is_quoted(from)
                && !self.is_alternative(name)
                && binds(text, from, name.len());
            is_new.then_some((from, name))
        });
        let names: Vec<(usize, &str)> = names.take(MAX_NAMES).collect();
        for (from, name) in names {
            self.out.bound.push(Bound {
                name,
                is_result: false,
                is_written: false,
                is_assigned: false,
                is_decorated: false,
                place: Place::Local(within),
                within,
                at,
                scope,
                known_from,
                name_at: at + offset(from),
                value: Value::Unknown,
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
    fn is_alternative(&self, name: &str) -> bool {
        self.resolved.table.has_lower_variables && name.starts_with(char::is_uppercase)
    }

    /// Returns whether a value is a new type parameter: `TypeVar("T")`.
    fn makes_parameter(&self, value: Node<'_>) -> bool {
        let makers = self.resolved.table.values.parameters;
        let is_maker = |function: &str| makers.contains(&bare(function));
        !makers.is_empty()
            && range(value).of(self.text).split_once('(').is_some_and(|(function, _)| is_maker(function))
    }

    /// Returns the place of a name that is written after `owner` and known in `scope`.
    fn place(
        &self,
        owner: Option<&'t str>,
        is_result: bool,
        scope: ByteRange,
        within: Option<u32>,
        declared: Option<u32>,
    ) -> Option<Place<'t>> {
        let declaration = |at: u32| self.out.declarations.get(at as usize);
        match owner {
            Some(owner) if owner == OWN_MEMBER || self.resolved.self_words.is_own(owner) => {
                self.type_around(within).map(Place::Member)
            }
            // As in `void A::f()`.
            Some(owner) if is_result => Some(Place::MemberOf(owner)),
            Some(_) => None,
            // A member that is declared outside its type names that type itself.
            None if is_result && declared.and_then(declaration).is_some_and(|one| !one.scope.is_empty()) => {
                declared.map(Place::Member)
            }
            // A block inside of a type, such as a function without a name, has locals of its own.
            None if within
                .and_then(declaration)
                .is_some_and(|one| is_type(one.kind) && scope.start <= one.span.bytes.start) =>
            {
                within.map(Place::Member)
            }
            None => Some(Place::Local(within)),
        }
    }

    /// Returns the declaration of the enclosing type, or of the member of it that contains the
    /// code.
    fn type_around(&self, within: Option<u32>) -> Option<u32> {
        let all = &self.out.declarations;
        ancestors(all, within).find(|(_, one)| owner_name(one).is_some()).map(|(at, _)| at)
    }

    /// Returns what the written type says or, if it leaves that open, what the value says.
    fn value(&self, ty: Option<Node<'_>>, value: Option<Node<'_>>) -> Value<'t> {
        if let Some(ty) = ty {
            let written = range(ty).of(self.text).trim_start_matches([':', ' ']);
            if !is_inferred(written) {
                return if written.len() <= MAX_TYPE { Value::Type(written) } else { Value::Unknown };
            }
        }
        let Some(value) = value else { return Value::Unknown };
        if let Some(of_kind) = literal(self.resolved, value) {
            return Value::Type(of_kind);
        }
        if let Some(made) = made(self.resolved, value, self.text) {
            return Value::Type(made);
        }
        match written(self.resolved, value, self.text, 0) {
            Some(one) if !NOTHING.contains(&one.as_ref()) => Value::Same(one),
            _ => Value::Unknown,
        }
    }
}

/// Returns whether a name in a pattern is bound by it. The name of a type or a constant is not, nor
/// is a key: `Some(x)`, `a::B`, `{ key: x }`.
fn binds(pattern: &str, start: usize, len: usize) -> bool {
    let before = pattern.get(..start).unwrap_or_default();
    let after = pattern.get(start + len..).unwrap_or_default();
    let behind = after.trim_start();
    let is_key = behind.starts_with(':') && before.contains('{');
    let is_path = behind.starts_with("::") || before.ends_with(['.', ':']);
    !(behind.starts_with(['(', '{', '.', '!']) || is_path || is_key)
}

/// Returns the part before the last name of a path, if there is one, and that name, without sigils.
fn owner_and_name(written: &str) -> (Option<&str>, &str) {
    let written = written.trim_matches(['?', '!']);
    match written.rfind(['.', ':', '>']) {
        Some(at) => {
            let (owner, name) = written.split_at_checked(at + 1).unwrap_or(("", written));
            (Some(owner.trim_end_matches(['.', ':', '>', '-', '?', '!'])), name.trim_start_matches('$'))
        }
        None if written.starts_with('@') => (Some(OWN_MEMBER), written.trim_start_matches('@')),
        None => (None, written.trim_start_matches('$')),
    }
}

#[cfg(test)]
mod tests {
    use crate::index::chunk::types::tests::check;

    #[test]
    fn literals_have_the_types_of_their_language() {
        check(
            "python",
            "def f(*names: int, other, **options: object):
    options.pop('a'); names.count(1); other.pop()
    parts = []
    parts.append(1)
    table = {}
    table.get(1)
    text = 'a' 'b'
    text.strip()
    either = []
    if other: either = Cart()
    either.append(2)
",
            &[
                "append of either: ",
                "append of parts: list",
                "count of names: tuple",
                "get of table: dict",
                "pop of options: dict",
                "pop of other: ",
                "strip of text: str",
            ],
        );
        check(
            "typescript",
            "export function f(x: any) {
  const parts = [1], text = `a`
  const own = { map() { return 1 } }
  parts.map(x); text.trim(); own.map(); x.map()
}
",
            &["map of own: ", "map of parts: Array", "map of x: ", "trim of text: String"],
        );
        check(
            "ruby",
            "def f(x)\n  all = []\n  all.each(1)\n  x.each(2)\nend\n",
            &["each of all: Array", "each of x: "],
        );
    }

    #[test]
    fn a_decorated_function_holds_what_its_decorator_makes_of_it() {
        let text = "class Group:
    def command(self, name=None) -> t.Callable[[F], Command]: ...
    @property
    def log(self) -> Log: ...
    @cached_property
    def unknown(self): ...
    @staticmethod
    def made() -> Other: ...
    def f(self):
        self.log.a(); self.unknown.b(); self.made().c(); self.made.d()
FC = t.TypeVar('FC', bound=Group)
def group(name: str) -> Callable[[FC], Group]: ...
def same(x) -> Callable[[FC], FC]: ...
@group('x')
@same(1)
def app(): ...
@app.command()
def sub(): ...
@same
def kept() -> Log: ...
app.e(); sub.f(); kept.g(); kept().h(); same(1).i()
def test():
    @app.command()
    def inner(): ...
    inner.j()
    ";
        check(
            "python",
            text,
            &[
                "TypeVar of t: ",
                "a of self.log: Log",
                "b of self.unknown: ",
                "c of self.made(): Other",
                "command of app: Group",
                "d of self.made: ",
                "e of app: Group",
                "f of sub: Command",
                "g of kept: same()",
                "h of kept(): Log",
                "i of same(): ",
                "j of inner: Command",
                "made of self: ",
            ],
        );
    }
}
