//! Bindings: nodes of the syntax tree → names with types, recorded during the walk.
//!
//! Follows the table's rules in [`TypeRule`]. Only the text is recorded here; `Types` reads it
//! after the walk, when all declarations of the file are known.

use super::brackets::NOTHING;
use super::items::EACH;
use super::narrowing::unwrapped;
use super::written::{made, written};
use super::{Bound, MAX_TYPE, Place, Value, ancestors, bare, owner_name};
use crate::index::chunk::ByteRange;
use crate::index::chunk::declare::is_type;
use crate::index::chunk::identifiers;
use crate::index::chunk::lines::offset;
use crate::index::chunk::node::range;
use crate::index::chunk::resolve::{ResolvedTable, Role, Step, TypedSteps, follow, step};
use crate::index::chunk::table::{NameScope, PatternNames, TypeRule};
use crate::index::chunk::walk::Walk;
use std::borrow::Cow;
use tree_sitter::Node;

/// Words in the place of a type that leave the type to the value.
const INFERRED: &[&str] =
    &["Any", "any", "auto", "dynamic", "let", "mixed", "object", "Object", "unknown", "val", "var", "void"];

/// The owner of a name whose sigil marks a member (Ruby's `@log`).
const OWN_MEMBER: &str = "@";

/// Returns whether the text in the place of a type leaves the type to the value.
pub(super) fn is_inferred(written: &str) -> bool {
    INFERRED.contains(&written.trim_start_matches([':', ' ']))
}

/// Returns the type that a language has for a kind of literal.
pub(super) fn literal(resolved: &ResolvedTable, node: Node<'_>) -> Option<&'static str> {
    let of_node = resolved.kind(node);
    resolved.table.literals.iter().find(|(kind, _)| *kind == of_node).map(|(_, ty)| *ty)
}

/// A node that gives names a type, with its place.
#[derive(Clone, Copy)]
pub(super) struct TypeAnnotation<'r, 'tree> {
    pub(super) rule: &'static TypeRule,
    steps: &'r TypedSteps,
    /// The type that is written in it.
    ty: Option<Node<'tree>>,
    /// The value of a condition of C++ that declares a name: `if (auto c = find())`.
    condition: Option<Node<'tree>>,
    /// Whether it also makes the names members of the enclosing type.
    is_member: bool,
    /// Whether the names are known in a template only, and so are never members.
    is_inner: bool,
    /// The enclosing declaration.
    pub(super) within: Option<u32>,
    /// The declaration that the node itself is.
    pub(super) declared: Option<u32>,
    /// The bytes in which the names are known.
    pub(super) scope: ByteRange,
    /// The byte from which on their values are known.
    pub(super) known_from: u32,
}

/// The name at the bottom of declarators.
struct DeclaredName<'tree> {
    node: Node<'tree>,
    /// Whether a type is that of a function's result.
    is_result: bool,
    /// Whether it is a pointer to a function: a value that can be called.
    is_callable: bool,
}

impl<'tree> TypeAnnotation<'_, 'tree> {
    /// Returns the name of a node.
    pub(super) fn name_of(&self, node: Node<'tree>) -> Option<Node<'tree>> {
        follow(node, Some(&self.steps.name))
    }

    /// Returns the nodes of all its names.
    pub(super) fn names_of(&self, node: Node<'tree>) -> Vec<Node<'tree>> {
        self.steps.more.all(node, &mut node.walk())
    }
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
        if rule.is_test {
            return self.narrow(node, within);
        }
        if rule.is_parameter {
            return self.bind_type_parameters(node, rule, steps.each, within);
        }
        let leads = |one: &Step| one.follow(node).is_some();
        if !steps.only_with.is_empty() && !steps.only_with.iter().any(leads) {
            return;
        }
        if let Some(label) = steps.label.follow(node) {
            self.bind_label(label, within);
        }
        let ty = steps.ty.iter().find_map(|path| follow(node, Some(path)));
        let is_member = !rule.member.is_empty() && step(node, rule.member).is_some();
        let template = if rule.scope == NameScope::Template { self.generic_around() } else { None };
        let of_function = self.function_scope(node, within);
        let scope = match rule.scope {
            NameScope::Inside => range(node),
            _ if rule.is_assigned && !resolved.table.has_function_scope => {
                ByteRange { start: 0, end: u32::MAX }
            }
            _ => of_function.or(template).unwrap_or_else(|| self.scope_of(node)),
        };
        // The value of a variable sees what the variable then hides: `let end = end();`.
        let is_after = !rule.value.is_empty()
            && !resolved.table.has_function_scope
            && !rule.is_assigned
            && !rule.is_item
            && of_function.is_none();
        let known_from = if is_after { range(node).end } else { scope.start };
        let is_inner = template.is_some();
        let is_condition = resolved.kind(node) == "declaration" && rule.each == "declarator";
        let condition = node.child_by_field_name("value").filter(|_| is_condition);
        let saying = TypeAnnotation {
            condition,
            rule,
            steps,
            ty,
            is_member,
            is_inner,
            within,
            declared,
            scope,
            known_from,
        };
        if rule.scope == NameScope::Inside {
            return self.bind_own_name(node, &saying);
        }
        if rule.each == "bound_identifier" {
            return self.bind_unwrapped(node, scope, within);
        }
        if rule.names == PatternNames::Marked {
            return self.bind_marked(node, &saying);
        }
        if matches!(steps.each, Step::Nowhere) {
            self.bind_one(node, &saying);
            return self.bind_more(node, &saying);
        }
        let mut cursor = node.walk();
        let mut has_children = false;
        for child in steps.each.all(node, &mut cursor) {
            has_children = true;
            self.bind_one(child, &saying);
        }
        if !has_children {
            self.bind_one(embedded_name(node).unwrap_or(node), &saying);
        }
    }

    /// Goes down through C's declarators, and through what stands for the rest of a list.
    fn declared_name<'tree>(&self, from: Node<'tree>, rule: &TypeRule) -> Option<DeclaredName<'tree>> {
        let mut found = DeclaredName { node: from, is_result: rule.is_result, is_callable: false };
        loop {
            let kind = self.resolved.kind(found.node);
            let is_declarator = kind.ends_with("_declarator") && !kind.starts_with("structured_binding");
            if !is_declarator && kind != "rest_pattern" {
                return Some(found);
            }
            let inner = found.node.child_by_field_name("declarator").or_else(|| found.node.named_child(0))?;
            if kind == "function_declarator" {
                found.is_result = true;
                found.is_callable = rule.node == "parameter_declaration";
            } else if kind == "parenthesized_declarator" && found.is_result {
                found.is_callable |=
                    matches!(self.resolved.kind(inner), "pointer_declarator" | "reference_declarator");
            }
            found.node = inner;
        }
    }

    fn bind_one(&mut self, of: Node<'_>, saying: &TypeAnnotation<'_, '_>) {
        let TypeAnnotation { rule, steps, ty, mut within, mut declared, scope, known_from, is_inner, .. } =
            *saying;
        let Some(name) = follow(of, Some(&steps.name)) else { return };
        let value = steps.value.iter().find_map(|path| follow(of, Some(path))).or(saying.condition);
        let value = value.filter(|one| *one != name && !(rule.is_item && takes_keys(of)));
        let Some(declared_name) = self.declared_name(name, rule) else { return };
        let DeclaredName { node: name, is_result, is_callable } = declared_name;
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
            if let Some((from, inner)) = unwrapped(written)
                && let Some(value) = self.matched(of, name, value)
            {
                let value = Value::Same(Cow::Owned(format!("{value}?")));
                let at = offset(name.start_byte() + from);
                let bound = Bound::local((inner, at), within, scope);
                self.out.bound.push(Bound { at: offset(of.start_byte()), known_from, value, ..bound });
                return;
            }
            let is_pattern = name.kind().contains("pattern") || rule.ty.is_empty() && rule.name == "pattern";
            if is_pattern || name.kind().starts_with("structured_binding") {
                self.bind_pattern(name, 0, saying);
            }
            return;
        }
        if self.is_alternative(written, rule) {
            return;
        }
        let name_at = offset(name.end_byte() - owner_and_name(written).1.len());
        let (owner, name) = owner_and_name(written);
        // A signature inside the declaration that it belongs to.
        let around = within.and_then(|at| self.out.declarations.get(at as usize));
        if is_result && let Some(around) = around.filter(|one| one.name == name && !is_type(one.kind)) {
            (declared, within) = (within, around.parent);
        }
        if self.is_bound_by_call(name_at) {
            return;
        }
        if is_callable && owner.is_none() {
            self.bind_callable(name, name_at, saying);
        }
        let place = match is_inner {
            true => Some(Place::Local(within)),
            false => self.place(owner, is_result, scope, within, declared),
        };
        let Some(place) = place else { return };
        // An empty value (`null`) says nothing about the type.
        if ty.is_none() && value.is_some_and(|one| NOTHING.contains(&range(one).of(self.text))) {
            return;
        }
        let is_written = ty.is_some_and(|ty| !is_inferred(range(ty).of(self.text)));
        if value.is_some_and(|one| self.makes_parameter(one)) {
            self.out.parameters.add(name, None, "");
        }
        let value = match literal(self.resolved, of) {
            Some(of_kind) if ty.is_none() => Value::Type(of_kind),
            _ => self.value(ty, value),
        };
        let value = if rule.is_item && !is_written { item(value, EACH) } else { value };
        let bound = Bound {
            is_result,
            is_written,
            is_assigned: rule.is_assigned,
            place,
            // A comprehension's first expression sees its variables.
            at: if rule.is_item && !rule.each.is_empty() { scope.start } else { offset(of.start_byte()) },
            known_from,
            value,
            ..Bound::local((name, name_at), within, scope)
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
            is_written: is_property,
            is_decorated: true,
            place,
            at: offset(of.start_byte()),
            known_from: saying.known_from,
            value,
            ..Bound::local((written, offset(name.start_byte())), saying.within, saying.scope)
        });
    }

    /// Returns the value that a pattern of Rust is compared with, as it is written: that of the
    /// node, or of the `match` around it.
    fn matched(&self, of: Node<'_>, name: Node<'_>, value: Option<Node<'_>>) -> Option<Cow<'t, str>> {
        if let Some(value) = value {
            return written(self.resolved, value, self.text, 0);
        }
        if self.resolved.kind(name) != "match_pattern" && self.resolved.kind(of) != "match_pattern" {
            return None;
        }
        // An arm, the block of arms, and the expression are around.
        let around = |n: usize| self.ranges.len().checked_sub(n).and_then(|at| self.ranges.get(at)).copied();
        let (whole, block) = (around(3)?, around(2)?);
        let head = ByteRange { start: whole.start, end: block.start.max(whole.start) }.of(self.text);
        let value = head.strip_prefix("match")?.trim().trim_start_matches(['&', '*']);
        (value.len() <= MAX_TYPE && identifiers::is_plain(value)).then_some(Cow::Borrowed(value))
    }

    /// Returns whether a value is a new type parameter: `TypeVar("T")`.
    fn makes_parameter(&self, value: Node<'_>) -> bool {
        let makers = self.resolved.table.values.parameters;
        let is_maker = |function: &str| makers.contains(&bare(function));
        !makers.is_empty()
            && range(value).of(self.text).split_once('(').is_some_and(|(function, _)| is_maker(function))
    }

    /// Returns the place of a name that is written after `owner` and known in `scope`.
    pub(super) fn place(
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
    pub(super) fn value(&self, ty: Option<Node<'_>>, value: Option<Node<'_>>) -> Value<'t> {
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

/// Returns the name of a field that Go names after the type that it embeds: `*store.Cart`.
fn embedded_name(node: Node<'_>) -> Option<Node<'_>> {
    let ty = node.child_by_field_name("type").filter(|_| node.kind() == "field_declaration")?;
    let ty = ty.child_by_field_name("type").filter(|_| ty.kind() == "generic_type").unwrap_or(ty);
    match ty.kind() {
        "type_identifier" => Some(ty),
        "qualified_type" => ty.child_by_field_name("name"),
        _ => None,
    }
}

/// Returns whether a loop of JavaScript takes the keys of an object: `for (const key in object)`.
fn takes_keys(node: Node<'_>) -> bool {
    node.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "in")
}

/// Returns the value that an item of another value has.
pub(super) fn item<'t>(of: Value<'t>, how: &str) -> Value<'t> {
    match of {
        Value::Same(expression) => Value::Same(Cow::Owned(format!("{expression}{how}"))),
        // What is made in place has no name.
        Value::Type(_) | Value::Unknown => Value::Unknown,
    }
}

/// Returns the part before the last name of a path, if there is one, and that name, without sigils.
pub(super) fn owner_and_name(written: &str) -> (Option<&str>, &str) {
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
