//! Declared types: what an object that something is called on is said to be, as far as its own file says it.
//!
//! The walk notes what gives a name a type ([`Bound`]): parameters, variables, fields, results of functions, and what
//! is assigned to them. [`Types`] then reads the expression before a call's name (`self.log`, `open()`, `x`) along
//! those, and answers with the type as it is written. There is no inference beyond that: no generics, no overloads, no
//! flow but that the last assignment above counts. What isn't said stays unknown.

mod bind;
mod head;
#[cfg(test)]
mod tests;
mod written;

use super::declare::is_type;
use super::lines::offset;
use super::table::Values;
use super::walk::Mention;
use super::{Declaration, ReferenceKind};
use head::head;
use std::borrow::Cow;
use std::collections::HashMap;

pub(super) use written::{SOME, TEXT, before, made, written};

/// How deep expressions and values that refer to each other are followed.
const MAX_DEPTH: usize = 6;
/// A type that is written with more bytes is none that anything is called by.
const MAX_TYPE: usize = 200;
/// Of the places that give one name a type, so many are looked at.
const MAX_BOUND: usize = 64;

/// What has a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place<'t> {
    /// A name in this declaration, or at the top of the file.
    Local(Option<u32>),
    /// A member of the type that this declaration is.
    Member(u32),
    /// A member of a type of this name.
    MemberOf(&'t str),
}

/// Of which type something is.
#[derive(Debug, Clone)]
enum Value<'t> {
    /// Of the one that is written so.
    Type(&'t str),
    /// Of the same as this expression.
    Same(Cow<'t, str>),
    /// That isn't said.
    Unknown,
}

/// A name with a type, or a function with the type of its result.
#[derive(Debug, Clone)]
pub(super) struct Bound<'t> {
    name: &'t str,
    is_result: bool,
    place: Place<'t>,
    /// The declaration that it is said in.
    within: Option<u32>,
    at: u32,
    value: Value<'t>,
}

/// Whether a name is that of the object that code belongs to.
fn is_self(name: &str) -> bool {
    matches!(name, "self" | "this" | "$this" | "cls")
}

/// The declarations around, from the innermost on.
fn ancestors(all: &[Declaration], within: Option<u32>) -> impl Iterator<Item = (u32, &Declaration)> {
    let declaration = |at: u32| all.get(at as usize).map(|one| (at, one));
    std::iter::successors(within.and_then(declaration), move |(_, one)| one.parent.and_then(declaration))
}

/// The type that a declaration is, or says that it belongs to.
fn owner_name(one: &Declaration) -> Option<&str> {
    if is_type(one.kind) {
        return Some(bare(&one.name));
    }
    Some(bare(&one.scope)).filter(|owner| !owner.is_empty())
}

/// The last segment of a type's name, without arguments and pointers.
fn bare(name: &str) -> &str {
    let name = name.split(['<', '[', '(']).next().unwrap_or(name).trim();
    name.rsplit(['.', ':', '\\', '*', '&', ' ']).next().unwrap_or(name)
}

/// Where a name is bound: as a value, and as a function with a result.
#[derive(Debug, Default)]
struct Named {
    values: Vec<u32>,
    results: Vec<u32>,
}

impl Named {
    fn of(&self, is_result: bool) -> &[u32] {
        if is_result { &self.results } else { &self.values }
    }
}

/// What a file says of types.
pub(super) struct Types<'a, 't> {
    declarations: &'a [Declaration],
    bound: &'a [Bound<'t>],
    by_name: HashMap<&'t str, Named>,
    values: &'static Values,
}

/// Gives calls the types of what they are called on.
pub(super) fn tell<'t>(
    declarations: &[Declaration],
    bound: &[Bound<'t>],
    values: &'static Values,
    mentions: &mut [Mention<'t>],
) {
    let types = Types::new(declarations, bound, values);
    for call in mentions.iter_mut().filter(|one| one.kind == ReferenceKind::Call && !one.qualifier.is_empty())
    {
        if !call.alias.is_empty() {
            let name = head(&call.alias, values, false).unwrap_or_default().to_owned();
            call.alias = Cow::Owned(name);
        } else if let Some(ty) = types.of(&call.qualifier, At { within: call.within, at: call.at }) {
            call.alias = ty;
        }
    }
}

/// Where an expression stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    /// The declaration around it.
    pub(super) within: Option<u32>,
    /// Its first byte.
    pub(super) at: u32,
}

impl<'a, 't> Types<'a, 't> {
    pub(super) fn new(
        declarations: &'a [Declaration],
        bound: &'a [Bound<'t>],
        values: &'static Values,
    ) -> Self {
        let mut by_name: HashMap<&'t str, Named> = HashMap::new();
        for (ord, one) in bound.iter().enumerate() {
            let named = by_name.entry(one.name).or_default();
            if one.is_result { &mut named.results } else { &mut named.values }.push(offset(ord));
        }
        Self { declarations, bound, by_name, values }
    }

    /// The type of an expression, as it is written where something is said to be of it. `None` for the object that the
    /// code belongs to, and where nothing is said.
    pub(super) fn of(&self, expression: &str, at: At) -> Option<Cow<'t, str>> {
        let is_own = is_self(expression) || matches!(expression, "super" | "super()" | "base" | "parent");
        if is_own { None } else { self.follow(expression, at, 0) }
    }

    fn follow(&self, expression: &str, at: At, depth: usize) -> Option<Cow<'t, str>> {
        if depth >= MAX_DEPTH {
            return None;
        }
        let steps = steps(expression);
        let takes_failures = |ord: usize| {
            let is_tried = steps.get(ord).is_some_and(|one| one.is_tried);
            is_tried
                || steps
                    .get(ord + 1)
                    .is_some_and(|next| next.is_call && self.values.same.contains(&next.name))
        };
        let first = steps.first()?;
        let mut done = 1;
        let mut current = if !first.is_call && is_self(first.name) {
            Cow::Owned(self.owner(at.within)?.to_owned())
        } else if let Some(one) = self.lookup(first, at) {
            self.read(one, takes_failures(0), depth)?
        } else {
            // A type, maybe behind the modules that it lies in.
            let is_type = |one: &Step<'_>| one.name.starts_with(char::is_uppercase);
            let mut ord = steps.iter().position(is_type)?;
            while !steps.get(ord)?.is_call && steps.get(ord + 1).is_some_and(is_type) {
                ord += 1;
            }
            if steps.iter().take(ord).any(|one| one.is_call) {
                return None;
            }
            let ty = steps.get(ord)?;
            let is_made = steps.get(ord + 1).is_some_and(|next| self.values.makers.contains(&next.name));
            done = ord + 1 + usize::from(is_made);
            match (ty.is_call, steps.len() - ord) {
                (true, _) if !self.values.constructs => return None,
                (false, 1) => return None,
                _ => {}
            }
            match ty.name {
                "Self" => Cow::Owned(self.owner(at.within)?.to_owned()),
                _ => Cow::Owned(expression.get(..ty.end)?.to_owned()),
            }
        };
        for ord in done..steps.len() {
            current = self.member_of(&current, steps.get(ord)?, takes_failures(ord), depth)?;
        }
        Some(current)
    }

    fn member_of(
        &self,
        of: &Cow<'t, str>,
        step: &Step<'_>,
        takes_failures: bool,
        depth: usize,
    ) -> Option<Cow<'t, str>> {
        if step.is_call && self.values.same.contains(&step.name) {
            return Some(of.clone());
        }
        let of = bare(of);
        let all = self.by_name.get(step.name)?.of(step.is_call);
        let mut found: Option<Cow<'t, str>> = None;
        for one in all.iter().filter_map(|&ord| self.bound.get(ord as usize)).take(MAX_BOUND) {
            if self.owner_of(one) != Some(of) {
                continue;
            }
            let Some(next) = self.read(one, takes_failures, depth) else { continue };
            match &found {
                Some(known) if *known != next => return None,
                _ => found = Some(next),
            }
        }
        found
    }

    /// The type that something is a member of.
    fn owner_of(&self, one: &Bound<'t>) -> Option<&str> {
        match one.place {
            Place::Member(at) => self.declarations.get(at as usize).and_then(owner_name),
            Place::MemberOf(owner) => Some(bare(owner)),
            Place::Local(_) => None,
        }
    }

    /// The name of the type around.
    fn owner(&self, within: Option<u32>) -> Option<&'a str> {
        ancestors(self.declarations, within).find_map(|(_, one)| owner_name(one))
    }

    /// What a name means where it stands: the nearest one that is local there, a member of a type around, or one at the
    /// top of the file.
    fn lookup(&self, step: &Step<'_>, at: At) -> Option<&'a Bound<'t>> {
        let all = self.by_name.get(step.name)?.of(step.is_call);
        let is_member = step.is_member;
        let around: Vec<u32> = ancestors(self.declarations, at.within).map(|(at, _)| at).collect();
        let bound = |ord: &u32| self.bound.get(*ord as usize);
        let before = all.partition_point(|ord| bound(ord).is_some_and(|one| one.at <= at.at));
        let mut best: Option<(usize, &'a Bound<'t>)> = None;
        if !is_member {
            let (above, below) = all.split_at_checked(before)?;
            // Functions are seen before they are declared, variables are not.
            let below = below.iter().filter(|_| step.is_call).take(MAX_BOUND);
            for one in above.iter().rev().take(MAX_BOUND).chain(below).filter_map(bound) {
                let Place::Local(within) = one.place else { continue };
                let depth = match within {
                    Some(within) => around.iter().position(|&at| at == within),
                    None => Some(around.len()),
                };
                let Some(depth) = depth else { continue };
                if best.is_none_or(|(known, _)| depth < known) {
                    best = Some((depth, one));
                }
            }
            if best.is_some_and(|(depth, _)| depth < around.len()) {
                return best.map(|(_, one)| one);
            }
        }
        if is_member || self.values.has_implicit_self {
            let owners: Vec<&str> =
                ancestors(self.declarations, at.within).filter_map(|(_, one)| owner_name(one)).collect();
            let members = all.iter().take(MAX_BOUND * 4).filter_map(bound);
            let member = members.filter_map(|one| {
                let owner = self.owner_of(one)?;
                Some((owners.iter().position(|around| *around == owner)?, one))
            });
            if let Some((_, one)) = member.min_by_key(|(depth, _)| *depth) {
                return Some(one);
            }
        }
        if let Some((_, one)) = best {
            return Some(one);
        }
        // A variable at the top of the file that is only assigned further down.
        let mut below = all.iter().skip(before).take(MAX_BOUND).filter_map(bound);
        below.find(|one| !is_member && one.place == Place::Local(None))
    }

    fn read(&self, one: &Bound<'t>, takes_failures: bool, depth: usize) -> Option<Cow<'t, str>> {
        match &one.value {
            Value::Type(written) => {
                let head = head(written, self.values, takes_failures)?;
                if matches!(head, "Self" | "self" | "static" | "this") {
                    return match one.place {
                        Place::MemberOf(owner) => Some(Cow::Borrowed(bare(owner))),
                        Place::Member(at) => self.owner(Some(at)).map(|owner| Cow::Owned(owner.to_owned())),
                        Place::Local(_) => self.owner(one.within).map(|owner| Cow::Owned(owner.to_owned())),
                    };
                }
                Some(Cow::Borrowed(head))
            }
            Value::Same(expression) => {
                // What stands on the right of an assignment is seen from before it.
                let at = At { within: one.within, at: one.at.saturating_sub(1) };
                self.follow(expression, at, depth + 1)
            }
            Value::Unknown => None,
        }
    }
}

/// A step of an expression: a name, and what is done with it.
#[derive(Debug, Clone, Copy)]
struct Step<'e> {
    name: &'e str,
    is_call: bool,
    /// Whether its failure is passed on (`?`).
    is_tried: bool,
    /// Whether its sigil says that it is a member (Ruby's `@log`).
    is_member: bool,
    /// Where the name ends.
    end: usize,
}

/// The steps of an expression as [`written`] makes it.
fn steps(expression: &str) -> Vec<Step<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    for part in expression.split(['.', ':', '>']) {
        let whole = part.trim_end_matches(['-', '?', '!']);
        let called = whole.strip_suffix("()");
        let name = called.unwrap_or(whole);
        let plain = if is_self(name) { name } else { name.trim_start_matches(['$', '@']) };
        if !plain.is_empty() {
            found.push(Step {
                name: plain,
                is_call: called.is_some(),
                is_tried: part.ends_with('?'),
                is_member: name.starts_with('@'),
                end: start + name.len(),
            });
        }
        start += part.len() + 1;
    }
    found
}
