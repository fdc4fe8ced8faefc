//! Declared types: what an object that something is called on is said to be, as far as its own file says it.
//!
//! The walk notes what gives a name a type ([`Bound`]): parameters, variables, fields, results of functions, and what
//! is assigned to them. [`Types`] then reads the expression before a call's name (`self.log`, `open()`, `x`) along
//! those, and answers with the type as it is written. There is no inference beyond that: no generics, no overloads, no
//! flow. What isn't said, or said in two ways, stays unknown.

mod bind;
mod give;
mod head;
#[cfg(test)]
mod tests;
mod written;

use super::declare::is_type;
use super::lines::offset;
use super::table::{Table, Values};
use super::walk::Mention;
use super::{Declaration, DeclarationKind, ReferenceKind};
use head::head;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

pub(super) use written::{SOME, TEXT, before, made, written};

/// How deep expressions and values that refer to each other are followed.
const MAX_DEPTH: usize = 6;
/// A type that is written with more bytes is none that anything is called by.
const MAX_TYPE: usize = 200;
/// Of the places that give one name a type, so many are looked at.
const MAX_BOUND: usize = 64;

/// A name that is given a type in more places than this is not looked up among members and at the top of a file.
const MAX_PLACES: usize = 1000;
/// Declarations around a place that are looked at, from the innermost on.
const MAX_AROUND: usize = 64;
/// Of what is bound, so much is looked at for one call, and for all of a file: members can be assigned from each other in more
/// ways than anyone could follow.
const MAX_READS: u32 = 256;
const MAX_READS_OF_FILE: u32 = 2_000_000;

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
    /// Whether a type is written for it.
    is_written: bool,
    /// Whether it is an assignment, which declares nothing new.
    is_assigned: bool,
    place: Place<'t>,
    /// The declaration that it is said in.
    within: Option<u32>,
    at: u32,
    value: Value<'t>,
}

/// Those that are nearest, which are at most [`MAX_BOUND`].
fn nearest<'b, T>(all: impl Iterator<Item = (usize, &'b T)>) -> Vec<&'b T> {
    let mut best = usize::MAX;
    let mut found = Vec::new();
    for (depth, one) in all {
        if depth < best {
            best = depth;
            found.clear();
        }
        if depth == best && found.len() < MAX_BOUND {
            found.push(one);
        }
    }
    found
}

/// Whether a name is that of the object that code belongs to.
pub(super) fn is_self(name: &str) -> bool {
    matches!(name, "self" | "this" | "$this" | "cls")
}

/// The declarations around, from the innermost on.
fn ancestors(all: &[Declaration], within: Option<u32>) -> impl Iterator<Item = (u32, &Declaration)> {
    let declaration = |at: u32| all.get(at as usize).map(|one| (at, one));
    let parent = move |(_, one): &(u32, &'_ Declaration)| one.parent.and_then(declaration);
    std::iter::successors(within.and_then(declaration), parent).take(MAX_AROUND)
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

/// Which names are bound in functions, and so hide others.
pub(super) struct Hidden<'a, 't> {
    declarations: &'a [Declaration],
    /// Names, each with the declaration that it is bound in.
    local: HashSet<(&'t str, u32)>,
    /// What is said to be a member.
    fields: HashSet<&'t str>,
}

impl<'a, 't> Hidden<'a, 't> {
    pub(super) fn new(declarations: &'a [Declaration], bound: &[Bound<'t>]) -> Self {
        let mut local = HashSet::new();
        let mut fields = HashSet::new();
        for one in bound.iter().filter(|one| !one.is_result) {
            if let Place::Local(Some(within)) = one.place {
                // What a module holds is no local of a function.
                if !is_module(declarations, within) {
                    local.insert((one.name, within));
                }
            } else if !matches!(one.place, Place::Local(_)) {
                fields.insert(one.name);
            }
        }
        Self { declarations, local, fields }
    }

    /// Whether a member of that name is said to be one that holds a value.
    pub(super) fn is_field(&self, name: &str) -> bool {
        self.fields.contains(name)
    }

    /// Whether a name is bound in a declaration or one around it.
    pub(super) fn is(&self, name: &str, within: Option<u32>) -> bool {
        ancestors(self.declarations, within).any(|(at, _)| self.local.contains(&(name, at)))
    }
}

/// Whether a declaration only holds others.
fn is_module(declarations: &[Declaration], at: u32) -> bool {
    declarations.get(at as usize).is_some_and(|one| one.kind == DeclarationKind::Module)
}

/// What a file says of types.
struct Types<'a, 't> {
    declarations: &'a [Declaration],
    bound: &'a [Bound<'t>],
    by_name: HashMap<&'t str, Named>,
    /// The names of what the file declares, and of what it imports.
    declared: HashSet<&'a str>,
    imported: HashSet<String>,
    values: &'static Values,
    /// The names of the parameters of the file's types and functions.
    parameters: &'a HashSet<&'t str>,
    /// How much may still be looked at, for the call at hand and for the file.
    left: Cell<(u32, u32)>,
}

/// Gives calls the types of what they are called on.
pub(super) fn tell<'t>(
    declarations: &[Declaration],
    bound: &[Bound<'t>],
    parameters: &HashSet<&'t str>,
    table: &'static Table,
    mentions: &mut Vec<Mention<'t>>,
) {
    let values = &table.values;
    let imports = mentions.iter().filter(|one| one.kind == ReferenceKind::Import);
    let local =
        |one: &Mention<'_>| if one.alias.is_empty() { one.name.to_owned() } else { one.alias.to_string() };
    let imported = imports.map(local).collect();
    let types = Types::new(declarations, bound, parameters, values, imported);
    for call in mentions.iter_mut().filter(|one| one.kind == ReferenceKind::Call && !one.qualifier.is_empty())
    {
        if !call.alias.is_empty() {
            let name = head(&call.alias, values, false).unwrap_or_default().to_owned();
            call.alias = Cow::Owned(name);
        } else if let Some(ty) = types.of(&call.qualifier, At { within: call.within, at: call.at }) {
            call.alias = ty;
        } else if let Some(expression) =
            types.expression(&call.qualifier, At { within: call.within, at: call.at })
        {
            call.alias = Cow::Owned(expression);
        } else if types.hides(&call.qualifier, At { within: call.within, at: call.at }, table.sees_package) {
            call.alias = Cow::Borrowed(SOME);
        }
    }
    types.given(table.sees_package, mentions);
}

/// Where an expression stands.
#[derive(Debug, Clone, Copy)]
struct At {
    /// The declaration around it.
    within: Option<u32>,
    /// Its first byte.
    at: u32,
}

impl<'a, 't> Types<'a, 't> {
    fn new(
        declarations: &'a [Declaration],
        bound: &'a [Bound<'t>],
        parameters: &'a HashSet<&'t str>,
        values: &'static Values,
        imported: HashSet<String>,
    ) -> Self {
        let mut by_name: HashMap<&'t str, Named> = HashMap::new();
        for (ord, one) in bound.iter().enumerate() {
            let named = by_name.entry(one.name).or_default();
            if one.is_result { &mut named.results } else { &mut named.values }.push(offset(ord));
        }
        let declared = declarations.iter().map(|one| one.name.as_str()).collect();
        let left = Cell::new((0, MAX_READS_OF_FILE));
        Self { declarations, bound, by_name, declared, imported, values, parameters, left }
    }

    /// The type of an expression, as it is written where something is said to be of it. `None` for the object that the
    /// code belongs to, and where nothing is said.
    fn of(&self, expression: &str, at: At) -> Option<Cow<'t, str>> {
        let is_own = is_self(expression) || matches!(expression, "super" | "super()" | "base" | "parent");
        if is_own {
            return None;
        }
        let (_, of_file) = self.left.get();
        self.left.set((MAX_READS.min(of_file), of_file));
        self.follow(expression, at, 0)
    }

    /// Whether something more may be looked at.
    fn spend(&self) -> bool {
        let (of_call, of_file) = self.left.get();
        if of_call > 0 {
            self.left.set((of_call - 1, of_file - 1));
        }
        of_call > 0
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
        } else if let known = self.lookup(first, at)
            && !known.is_empty()
        {
            self.agreed(&known, takes_failures(0), depth)?
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
        if all.len() > MAX_PLACES {
            return None;
        }
        let members = all.iter().filter_map(|&ord| self.bound.get(ord as usize));
        let members: Vec<_> = members.filter(|one| self.owner_of(one) == Some(of)).take(MAX_BOUND).collect();
        self.agreed(&members, takes_failures, depth)
    }

    /// The type that all of these are of. Where a type is written for one, what is assigned to it doesn't count.
    fn agreed(&self, all: &[&Bound<'t>], takes_failures: bool, depth: usize) -> Option<Cow<'t, str>> {
        let is_declared = all.iter().any(|one| one.is_written);
        let mut found: Option<Cow<'t, str>> = None;
        for one in all.iter().filter(|one| !is_declared || one.is_written || !one.is_assigned) {
            let next = self.read(one, takes_failures, depth)?;
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

    /// What a name can mean where it stands, all at the nearest place that has it: what is local there, members of a type
    /// around, or what is at the top of the file.
    fn lookup(&self, step: &Step<'_>, at: At) -> Vec<&'a Bound<'t>> {
        let Some(named) = self.by_name.get(step.name) else { return Vec::new() };
        let bound = |ord: &u32| self.bound.get(*ord as usize);
        let all = named.of(step.is_call);
        let around: Vec<(u32, &Declaration)> = ancestors(self.declarations, at.within).collect();
        if !step.is_member {
            // Functions are seen before they are declared, variables are not.
            let until =
                all.partition_point(|ord| step.is_call || bound(ord).is_some_and(|one| one.at <= at.at));
            let above = all.iter().take(until).rev().take(MAX_BOUND).filter_map(bound);
            let local = above.filter_map(|one| match one.place {
                Place::Local(Some(within)) => Some((around.iter().position(|&(at, _)| at == within)?, one)),
                _ => None,
            });
            let found = nearest(local);
            if !found.is_empty() {
                return found;
            }
        }
        if all.len() > MAX_PLACES {
            return Vec::new();
        }
        if step.is_member || self.values.has_implicit_self {
            let owners: Vec<&str> = around.iter().filter_map(|(_, one)| owner_name(one)).collect();
            let members = all.iter().filter_map(bound).filter_map(|one| {
                let owner = self.owner_of(one)?;
                Some((owners.iter().position(|around| *around == owner)?, one))
            });
            let found = nearest(members);
            if !found.is_empty() {
                return found;
            }
        }
        let top =
            all.iter().filter_map(bound).filter(|one| !step.is_member && one.place == Place::Local(None));
        top.take(MAX_BOUND).collect()
    }

    fn read(&self, one: &Bound<'t>, takes_failures: bool, depth: usize) -> Option<Cow<'t, str>> {
        if !self.spend() {
            return None;
        }
        match &one.value {
            Value::Type(written) => {
                let head = head(written, self.values, takes_failures)?;
                // Of a parameter of a type, or what belongs to a type, nothing is known.
                if self.parameters.contains(head) || head.starts_with("Self:") || head.starts_with("Self.") {
                    return None;
                }
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
