//! What the nodes of a tree say of types, noted on the walk.

use super::written::{made, written};
use super::{Bound, MAX_TYPE, Place, Value, ancestors, head::NOTHING, is_self, owner_name};
use crate::chunk::declare::is_type;
use crate::chunk::lines::offset;
use crate::chunk::names;
use crate::chunk::resolve::{Role, Step, TypedSteps, follow, step};
use crate::chunk::table::Typed;
use crate::chunk::walk::{Walk, range};
use tree_sitter::Node;

/// Words where a type could stand that leave it to the value.
const INFERRED: &[&str] =
    &["Any", "any", "auto", "dynamic", "let", "mixed", "object", "Object", "unknown", "val", "var", "void"];

/// A node that says of types, and where it stands.
#[derive(Clone, Copy)]
struct Saying<'r, 'tree> {
    rule: &'static Typed,
    steps: &'r TypedSteps,
    /// The type that is written in it.
    ty: Option<Node<'tree>>,
    /// Whether it makes a member of what it declares.
    is_member: bool,
    /// The declaration around it.
    within: Option<u32>,
    /// The declaration that it is.
    declared: Option<u32>,
}

impl<'t> Walk<'t> {
    /// Notes what a node says of types. `within` is the declaration around it, `declared` the one that it is.
    pub(in crate::chunk) fn bind(
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
        let ty = steps.ty.iter().find_map(|path| follow(node, Some(path)));
        let is_member = !rule.member.is_empty() && step(node, rule.member).is_some();
        let saying = Saying { rule, steps, ty, is_member, within, declared };
        if matches!(steps.each, Step::Nowhere) {
            return self.bind_one(node, &saying);
        }
        let mut cursor = node.walk();
        for child in steps.each.all(node, &mut cursor) {
            self.bind_one(child, &saying);
        }
    }

    fn bind_one(&mut self, of: Node<'_>, saying: &Saying<'_, '_>) {
        let Saying { rule, steps, ty, mut within, mut declared, .. } = *saying;
        let Some(mut name) = follow(of, Some(&steps.name)) else { return };
        let value = steps.value.iter().find_map(|path| follow(of, Some(path)));
        let mut value = value.filter(|one| *one != name);
        let mut is_result = rule.is_result;
        // Down through C's declarators.
        while name.kind().ends_with("_declarator") {
            is_result |= name.kind() == "function_declarator";
            let Some(inner) = name.child_by_field_name("declarator").or_else(|| name.named_child(0)) else {
                return;
            };
            name = inner;
        }
        // Of several names, the first has the first value.
        if name.kind().ends_with("_list") {
            let Some(first) = name.named_child(0) else { return };
            (name, value) = (first, value.and_then(|list| list.named_child(0)));
        }
        let written = range(name).of(self.text);
        if !names::is_plain(written)
            || rule.is_after && ty.is_some_and(|ty| ty.start_byte() < name.end_byte())
        {
            return;
        }
        let (owner, name) = owner_and_name(written);
        // A signature in the declaration that it is of.
        let around = within.and_then(|at| self.out.declarations.get(at as usize));
        if is_result && let Some(around) = around.filter(|one| one.name == name && !is_type(one.kind)) {
            (declared, within) = (within, around.parent);
        }
        let Some(place) = self.place(owner, is_result, within, declared) else { return };
        let value = self.value(ty, value);
        if matches!(value, Value::Unknown) && !matches!(place, Place::Local(_)) {
            return;
        }
        let bound = Bound { name, is_result, place, within, at: offset(of.start_byte()), value };
        if saying.is_member
            && let Some(around) = self.type_around(within)
        {
            self.out.bound.push(Bound { place: Place::Member(around), ..bound.clone() });
        }
        self.out.bound.push(bound);
    }

    /// Where a name belongs that is written behind `owner`.
    fn place(
        &self,
        owner: Option<&'t str>,
        is_result: bool,
        within: Option<u32>,
        declared: Option<u32>,
    ) -> Option<Place<'t>> {
        let declaration = |at: u32| self.out.declarations.get(at as usize);
        match owner {
            Some(owner) if is_self(owner) => self.type_around(within).map(Place::Member),
            // `void A::f()`.
            Some(owner) if is_result => Some(Place::MemberOf(owner)),
            Some(_) => None,
            // What is declared apart from its type says itself what that is.
            None if is_result && declared.and_then(declaration).is_some_and(|one| !one.scope.is_empty()) => {
                declared.map(Place::Member)
            }
            None if within.and_then(declaration).is_some_and(|one| is_type(one.kind)) => {
                within.map(Place::Member)
            }
            None => Some(Place::Local(within)),
        }
    }

    /// The declaration of the type, or of its member, that code lies in.
    fn type_around(&self, within: Option<u32>) -> Option<u32> {
        let all = &self.out.declarations;
        ancestors(all, within).find(|(_, one)| owner_name(one).is_some()).map(|(at, _)| at)
    }

    /// What a type or, where it leaves it open, a value says.
    fn value(&self, ty: Option<Node<'_>>, value: Option<Node<'_>>) -> Value<'t> {
        if let Some(ty) = ty {
            let written = range(ty).of(self.text).trim_start_matches([':', ' ']);
            if !INFERRED.contains(&written) {
                return if written.len() <= MAX_TYPE { Value::Type(written) } else { Value::Unknown };
            }
        }
        let Some(value) = value else { return Value::Unknown };
        if let Some(made) = made(self.resolved, value, self.text) {
            return Value::Type(made);
        }
        match written(self.resolved, value, self.text, 0) {
            Some(one) if !NOTHING.contains(&one.as_ref()) => Value::Same(one),
            _ => Value::Unknown,
        }
    }
}

/// What stands before the last name of a path of two, and that; sigils are taken off.
fn owner_and_name(written: &str) -> (Option<&str>, &str) {
    let written = written.trim_matches(['?', '!']);
    match written.rfind(['.', ':', '>']) {
        Some(at) => {
            let (owner, name) = written.split_at_checked(at + 1).unwrap_or(("", written));
            (Some(owner.trim_end_matches(['.', ':', '>', '-', '?', '!'])), name.trim_start_matches('$'))
        }
        None if written.starts_with('@') => (Some("self"), written.trim_start_matches('@')),
        None => (None, written.trim_start_matches('$')),
    }
}
