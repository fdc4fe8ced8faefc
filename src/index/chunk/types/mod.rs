//! Declared types: the type of the object that a call is made on, as far as its own file declares
//! it.
//!
//! The walk records whatever gives a name a type ([`Bound`]): parameters, variables, fields,
//! results of functions, and assignments to them. [`Types`] reads the expression before a call's
//! name (`self.log`, `open()`, `x`) step by step through those, and returns the type as it is
//! written.
//!
//! There is no other inference: no generics, no overloads, no control flow. A type that is not
//! declared, or declared in two ways, stays unknown.

mod bind;
mod bound;
mod brackets;
mod closure;
mod give;
mod head;
mod items;
mod narrowing;
mod nested;
mod parameters;
mod pattern;
mod scope;
mod shadow;
mod steps;
#[cfg(test)]
mod tests;
mod written;

use super::declare::is_type;
use super::lines::offset;
use super::mention::Mention;
use super::resolve::ResolvedTable;
use super::self_words::SelfWords;
use super::table::Values;
use super::walk_result::WalkResult;
use super::{Declaration, DeclarationKind, ReferenceKind};
use bound::{BoundKind, Place, Value};
use head::{head, named};
use items::{Access, is_item, taken};
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::{HashMap, HashSet};
use steps::{Step, steps};

pub(super) use bound::Bound;
pub(super) use nested::qualify;
pub(super) use parameters::TypeParameters;
pub(super) use shadow::{LocalDeclarations, ShadowedNames, hiding_ranges, local_declarations};
pub(super) use written::{SOME, TEXT, before, made, written};

/// Returns the name of the type that a text names, without the text around it. `None` if it is not
/// one name, or that of a basic type.
pub(super) fn named_type<'t>(written: &'t str, values: &Values) -> Option<&'t str> {
    head(written, values, Access::default()).filter(|ty| !give::is_basic(ty))
}

/// An object, in front of one of its members.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemberObject<'t> {
    /// The first byte of the member's name.
    pub(super) at: u32,
    /// The names that lead to the object.
    pub(super) path: &'t str,
    /// The declaration around the place.
    pub(super) within: Option<u32>,
}

/// Depth to which expressions and values that refer to each other are followed.
const MAX_DEPTH: usize = 6;
/// Longest type in bytes; a longer one stays unknown, since nothing is called by such a name.
const MAX_TYPE: usize = 200;
/// Bindings of one name that are considered at most.
const MAX_BOUND: usize = 64;

/// Bindings above which a name is not looked up among members and at the top of the file.
const MAX_PLACES: usize = 1000;
/// Enclosing declarations that are considered at most, from the innermost on.
const MAX_AROUND: usize = 64;
/// Bindings that are read for one call, and for a whole file. Without a limit, members that are
/// assigned from each other could be followed in far too many ways.
const MAX_READS: u32 = 256;
const MAX_READS_OF_FILE: u32 = 2_000_000;

/// Returns the items of the smallest depth, at most [`MAX_BOUND`].
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

/// Returns those of a name's bindings that count where all of them are visible: the ones in the
/// innermost scope, and what is assigned to the name there.
fn innermost<'b, 't>(mut all: Vec<&'b Bound<'t>>) -> Vec<&'b Bound<'t>> {
    let declaring = all.iter().filter(|one| !one.is_assigned);
    if let Some(inner) = declaring.map(|one| one.scope).min_by_key(|scope| scope.end - scope.start) {
        all.retain(|one| if one.is_assigned { inner.contains(one.at) } else { one.scope == inner });
    }
    all
}

/// Returns the enclosing declarations, from the innermost on.
pub(super) fn ancestors(
    all: &[Declaration],
    within: Option<u32>,
) -> impl Iterator<Item = (u32, &Declaration)> {
    let declaration = |at: u32| all.get(at as usize).map(|one| (at, one));
    let parent = move |(_, one): &(u32, &'_ Declaration)| one.parent.and_then(declaration);
    std::iter::successors(within.and_then(declaration), parent).take(MAX_AROUND)
}

/// Returns the type that a declaration is, or that it names as its scope.
fn owner_name(one: &Declaration) -> Option<&str> {
    if is_type(one.kind) {
        return Some(bare(&one.name));
    }
    Some(bare(&one.scope)).filter(|owner| !owner.is_empty())
}

/// Returns the last segment of a type's name, without arguments and pointers.
pub(super) fn bare(name: &str) -> &str {
    let name = name.split(['<', '[', '(']).next().unwrap_or(name).trim();
    name.rsplit(['.', ':', '\\', '*', '&', ' ']).next().unwrap_or(name)
}

/// The bindings of a name: as a value, and as a function with a result.
#[derive(Debug, Default)]
struct NameBindings {
    values: Vec<u32>,
    results: Vec<u32>,
}

impl NameBindings {
    fn of(&self, is_result: bool) -> &[u32] {
        if is_result { &self.results } else { &self.values }
    }
}

/// Returns whether a declaration is neither a type nor a module, so that what it declares is local.
fn is_function(declarations: &[Declaration], at: u32) -> bool {
    let of = declarations.get(at as usize);
    of.is_some_and(|one| !is_type(one.kind) && one.kind != DeclarationKind::Module)
}

/// Returns whether a declaration is a module, which only contains others.
fn is_module(declarations: &[Declaration], at: u32) -> bool {
    declarations.get(at as usize).is_some_and(|one| one.kind == DeclarationKind::Module)
}

/// The types that a file declares.
struct Types<'a, 't> {
    declarations: &'a [Declaration],
    bound: &'a [Bound<'t>],
    by_name: HashMap<&'t str, NameBindings>,
    /// The names that the file declares.
    declared: HashSet<&'a str>,
    /// The local names of the file's imports.
    imported: HashSet<String>,
    values: &'static Values,
    /// The language's words for the current object.
    words: SelfWords,
    /// The type parameters of the file's types and functions.
    parameters: &'a TypeParameters<'t>,
    /// The names of what functions declare inside.
    local: OnceCell<LocalDeclarations<'a>>,
    /// Bindings that may still be read: for the current call, and for the file.
    left: Cell<(u32, u32)>,
}

/// Sets the alias of each call to the type of its receiver, and adds the types of functions and
/// variables for other files. Adds those of `reads` whose object has a type, with that type.
pub(super) fn tell<'t>(
    declarations: &[Declaration],
    bound: &[Bound<'t>],
    parameters: &TypeParameters<'t>,
    resolved: &'static ResolvedTable,
    mentions: &mut Vec<Mention<'t>>,
    reads: Vec<Mention<'t>>,
) {
    let table = resolved.table;
    let values = &table.values;
    let imported = imported(mentions);
    let types = Types::new(declarations, bound, parameters, resolved, imported);
    let has_object = |one: &&mut Mention<'_>| {
        let is_call = one.is_assigned || one.kind == ReferenceKind::Call;
        one.is_implicit || is_call && !one.qualifier.is_empty()
    };
    for call in mentions.iter_mut().filter(has_object) {
        // What a parameter returns is unknown, even if it is called like a type or a function.
        if types.calls_value(&call.qualifier, ExpressionPlace { within: call.within, at: call.at }) {
            (call.qualifier, call.alias) = (Cow::Borrowed(SOME), Cow::Borrowed(""));
        } else if !call.alias.is_empty() {
            let name = head(&call.alias, values, Access::default()).unwrap_or_default().to_owned();
            call.alias = Cow::Owned(name);
        } else if let Some(ty) =
            types.of(&call.qualifier, ExpressionPlace { within: call.within, at: call.at })
        {
            call.alias = ty;
        } else if let Some(expression) =
            types.expression(&call.qualifier, ExpressionPlace { within: call.within, at: call.at })
        {
            call.alias = Cow::Owned(expression);
        } else if types.hides(
            &call.qualifier,
            ExpressionPlace { within: call.within, at: call.at },
            table.sees_package,
        ) {
            call.alias = Cow::Borrowed(SOME);
        }
        // Of which type it is a member is then unknown. The name of the object says nothing.
        if call.is_implicit && (call.alias.is_empty() || call.alias == SOME) {
            (call.qualifier, call.alias) = (Cow::Borrowed(SOME), Cow::Borrowed(""));
        }
    }
    // Other files know nothing of items.
    if !values.items.indexes.is_empty() {
        for one in mentions.iter_mut().filter(|one| is_item(&one.qualifier)) {
            one.qualifier = Cow::Borrowed(SOME);
        }
    }
    types.given(table.sees_package, mentions);
    for mut read in reads {
        let at = ExpressionPlace { within: read.within, at: read.at };
        let ty = types.of(&read.qualifier, at).filter(|ty| !give::is_basic(ty));
        let ty = ty.or_else(|| types.expression(&read.qualifier, at).map(Cow::Owned));
        if let Some(ty) = ty {
            read.alias = ty;
            mentions.push(read);
        } else if types.is_type_path(&read.qualifier, at) {
            mentions.push(read);
        }
    }
}

/// Returns the types of objects in front of members, as far as a text gives them one, by the places
/// of the members.
pub(super) fn of_objects(
    resolved: &'static ResolvedTable,
    walked: &WalkResult<'_>,
    objects: &[MemberObject<'_>],
) -> Vec<(u32, String)> {
    let imported = imported(&walked.mentions);
    let types = Types::new(&walked.declarations, &walked.bound, &walked.parameters, resolved, imported);
    let typed = objects.iter().filter_map(|one| {
        let ty = types.of(one.path, ExpressionPlace { within: one.within, at: one.at })?;
        Some((one.at, ty.into_owned()))
    });
    typed.collect()
}

/// Most bytes between the name of a variable and the module that gives it its value.
const MAX_BEFORE_MODULE: u32 = 400;

/// Marks the variables that hold what an import gives them: `const { open } = require("./a")`.
pub(super) fn mark_imported(text: &str, mentions: &[Mention<'_>], bound: &mut [Bound<'_>]) {
    let mut places: HashMap<&str, Vec<u32>> = HashMap::new();
    let is_value = |one: &&Mention<'_>| {
        let written = text.get(one.at as usize..).unwrap_or_default();
        one.kind == ReferenceKind::Import
            && ["require(", "import("].iter().any(|call| written.starts_with(call))
    };
    for one in mentions.iter().filter(is_value) {
        let local = if one.alias.is_empty() { &*one.name } else { &*one.alias };
        places.entry(local).or_default().push(one.at);
    }
    places.values_mut().for_each(|all| all.sort_unstable());
    for one in bound.iter_mut().filter(|one| one.kind == BoundKind::Value) {
        let Some(all) = places.get(one.name) else { continue };
        let next = all.get(all.partition_point(|at| *at < one.name_at));
        if next.is_some_and(|at| at - one.name_at < MAX_BEFORE_MODULE) {
            one.kind = BoundKind::Import;
        }
    }
}

/// Returns the local names of imports.
fn imported(mentions: &[Mention<'_>]) -> HashSet<String> {
    let imports = mentions.iter().filter(|one| one.kind == ReferenceKind::Import);
    let local =
        |one: &Mention<'_>| if one.alias.is_empty() { one.name.to_string() } else { one.alias.to_string() };
    imports.map(local).collect()
}

/// The place of an expression.
#[derive(Debug, Clone, Copy)]
struct ExpressionPlace {
    /// The enclosing declaration.
    within: Option<u32>,
    /// Its first byte.
    at: u32,
}

impl<'a, 't> Types<'a, 't> {
    fn new(
        declarations: &'a [Declaration],
        bound: &'a [Bound<'t>],
        parameters: &'a TypeParameters<'t>,
        resolved: &'static ResolvedTable,
        imported: HashSet<String>,
    ) -> Self {
        let mut by_name: HashMap<&'t str, NameBindings> = HashMap::new();
        for (ord, one) in bound.iter().enumerate().filter(|(_, one)| one.kind.has_value()) {
            let named = by_name.entry(one.name).or_default();
            if one.is_result { &mut named.results } else { &mut named.values }.push(offset(ord));
        }
        let declared = declarations.iter().map(|one| one.name.as_str()).collect();
        let left = Cell::new((0, MAX_READS_OF_FILE));
        let (values, words) = (&resolved.table.values, resolved.self_words);
        let local = OnceCell::new();
        Self { declarations, bound, by_name, declared, imported, values, words, parameters, local, left }
    }

    /// Returns the type of an expression, as it is written where it is declared. `None` for the
    /// current object, and if no type is declared.
    fn of(&self, expression: &str, at: ExpressionPlace) -> Option<Cow<'t, str>> {
        if self.words.contains(expression) {
            return None;
        }
        self.refill();
        self.follow(expression, at, 0)
    }

    /// Returns whether a path may be the full name of a type, and no object that the file knows:
    /// `com.acme.Cart`, `\Acme\Cart`.
    fn is_type_path(&self, path: &str, at: ExpressionPlace) -> bool {
        let marks = ['.', '\\'];
        let Some((package, ty)) = path.trim_start_matches('\\').rsplit_once(marks) else { return false };
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let first = package.split(marks).next().unwrap_or_default();
        package.split(marks).all(is_name)
            && is_name(ty)
            && ty.starts_with(char::is_uppercase)
            && ty.contains(char::is_lowercase)
            && !self.words.is_own(first)
            && self.lookup(&Step::of_name(first), at).is_empty()
    }

    /// Begins another lookup, with a budget of its own within that of the file.
    fn refill(&self) {
        let (_, of_file) = self.left.get();
        self.left.set((MAX_READS.min(of_file), of_file));
    }

    /// Spends one read; returns whether the budget had one left.
    fn spend(&self) -> bool {
        let (of_call, of_file) = self.left.get();
        if of_call > 0 {
            self.left.set((of_call - 1, of_file - 1));
        }
        of_call > 0
    }

    fn follow(&self, expression: &str, at: ExpressionPlace, depth: usize) -> Option<Cow<'t, str>> {
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
        let mut current = if !first.is_call && first.items.is_empty() && self.words.is_own(first.name) {
            Cow::Owned(self.owner(at.within)?.to_owned())
        } else if let known = self.lookup(first, at)
            && !known.is_empty()
        {
            let (ty, n_steps) =
                self.accessed(&steps, 0, takes_failures(0), |access| self.agreed(&known, access, depth))?;
            done = n_steps;
            ty
        } else {
            // A type, maybe behind the modules that contain it.
            let is_type = |one: &Step<'_>| one.name.starts_with(char::is_uppercase);
            let mut ord = steps.iter().position(is_type)?;
            while !steps.get(ord)?.is_call && steps.get(ord + 1).is_some_and(is_type) {
                ord += 1;
            }
            if steps.iter().take(ord).any(|one| one.is_call) || !steps.get(ord)?.items.is_empty() {
                return None;
            }
            let ty = steps.get(ord)?;
            let is_made = steps.get(ord + 1).is_some_and(|next| self.values.makers.contains(&next.name));
            done = ord + 1 + usize::from(is_made);
            match (ty.is_call, steps.len() - ord) {
                (true, _) if !self.values.constructs => return None,
                (false, 1) => return self.bounded(ty.name, at.at).map(Cow::Borrowed),
                _ => {}
            }
            match ty.name {
                "Self" => Cow::Owned(self.owner(at.within)?.to_owned()),
                _ => Cow::Owned(expression.get(..ty.end)?.to_owned()),
            }
        };
        while done < steps.len() {
            let step = steps.get(done)?;
            let (ty, n_steps) = self.accessed(&steps, done, takes_failures(done), |access| {
                self.member_of(&current, step, access, depth)
            })?;
            (current, done) = (ty, done + n_steps);
        }
        Some(current)
    }

    /// Returns the type of a step by `of`, and the number of steps that it stands for: those behind
    /// it may take an item of its value.
    fn accessed(
        &self,
        steps: &[Step<'_>],
        from: usize,
        takes_failures: bool,
        of: impl Fn(Access<'_>) -> Option<Cow<'t, str>>,
    ) -> Option<(Cow<'t, str>, usize)> {
        let own = Access { takes_failures, items: steps.get(from)?.items };
        let taken = taken(steps, from, self.values)?;
        let is_tried = steps.get(from)?.is_tried;
        let of_item = if taken.n_steps > 1 { of(taken.access(is_tried)) } else { None };
        match of_item {
            Some(ty) => Some((ty, taken.n_steps)),
            None => Some((of(own)?, 1)),
        }
    }

    fn member_of(
        &self,
        of: &Cow<'t, str>,
        step: &Step<'_>,
        access: Access<'_>,
        depth: usize,
    ) -> Option<Cow<'t, str>> {
        if step.is_call && access.items.is_empty() && self.values.same.contains(&step.name) {
            return Some(of.clone());
        }
        let of = bare(of);
        let all = self.by_name.get(step.name)?.of(step.is_call);
        if all.len() > MAX_PLACES {
            return None;
        }
        let members = all.iter().filter_map(|&ord| self.bound.get(ord as usize));
        let members: Vec<_> = members.filter(|one| self.owner_of(one) == Some(of)).take(MAX_BOUND).collect();
        self.agreed(&members, access, depth)
    }

    /// Returns the type that all bindings agree on. If a type is written for one, assignments don't
    /// count.
    fn agreed(&self, all: &[&Bound<'t>], access: Access<'_>, depth: usize) -> Option<Cow<'t, str>> {
        let is_declared = all.iter().any(|one| one.is_written);
        let mut found: Option<Cow<'t, str>> = None;
        if is_declared && self.values.is_retyped {
            // Something of another type is assigned later.
            let written = all.iter().find(|one| one.is_written)?;
            let declared = self.read(written, access, depth)?;
            let mut assigned = all.iter().filter(|one| one.is_assigned && !one.is_written);
            if assigned.any(|one| self.read(one, access, depth).is_some_and(|other| other != declared)) {
                return None;
            }
        }
        for one in all.iter().filter(|one| !is_declared || one.is_written || !one.is_assigned) {
            let next = self.read(one, access, depth)?;
            match &found {
                Some(known) if *known != next => return None,
                _ => found = Some(next),
            }
        }
        found
    }

    /// Returns the type that a binding is a member of.
    fn owner_of(&self, one: &Bound<'t>) -> Option<&str> {
        match one.place {
            Place::Member(at) => self.declarations.get(at as usize).and_then(owner_name),
            Place::MemberOf(owner) => Some(bare(owner)),
            Place::Local(_) => None,
        }
    }

    /// Returns the name of the enclosing type.
    fn owner(&self, within: Option<u32>) -> Option<&'a str> {
        ancestors(self.declarations, within).find_map(|(_, one)| owner_name(one))
    }

    /// Returns the bindings of a name at the nearest place that has any: local names, then members
    /// of an enclosing type, then the top of the file.
    fn lookup(&self, step: &Step<'_>, at: ExpressionPlace) -> Vec<&'a Bound<'t>> {
        let Some(named) = self.by_name.get(step.name) else { return Vec::new() };
        let bound = |ord: &u32| self.bound.get(*ord as usize);
        let all = named.of(step.is_call);
        let around: Vec<(u32, &Declaration)> = ancestors(self.declarations, at.within).collect();
        if !step.is_member {
            // Functions are visible before their declaration, variables are not.
            let until =
                all.partition_point(|ord| step.is_call || bound(ord).is_some_and(|one| one.at <= at.at));
            let above = all.iter().take(until).rev().take(MAX_PLACES).filter_map(bound);
            let visible = above.filter(|one| step.is_call || one.scope.contains(at.at)).take(MAX_BOUND);
            let local = visible.filter_map(|one| match one.place {
                Place::Local(Some(within)) => Some((around.iter().position(|&(at, _)| at == within)?, one)),
                _ => None,
            });
            let found = innermost(nearest(local));
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

    /// Returns whether an expression begins with the call of a value that a function binds.
    fn calls_value(&self, expression: &str, at: ExpressionPlace) -> bool {
        let end = expression.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or_default();
        let Some((name, rest)) = expression.split_at_checked(end) else { return false };
        if name.is_empty() || !rest.starts_with("()") {
            return false;
        }
        let bound = self.lookup(&Step::of_name(name), at);
        let is_value = |one: &&Bound<'_>| {
            let Place::Local(Some(of)) = one.place else { return false };
            one.kind == BoundKind::Value && is_function(self.declarations, of)
        };
        // What a function declares inside is found by its declaration.
        let is_declared = || {
            let local = self.local.get_or_init(|| local_declarations(self.declarations));
            ancestors(self.declarations, at.within).any(|(of, _)| local.contains(&(name, of)))
        };
        let has_result = || !self.lookup(&Step { is_call: true, ..Step::of_name(name) }, at).is_empty();
        !bound.is_empty() && bound.iter().all(is_value) && !has_result() && !is_declared()
    }

    /// Returns the type that bounds a type parameter at a place.
    fn bounded(&self, name: &str, at: u32) -> Option<&'t str> {
        let bound = head(self.parameters.bound(name, at)?, self.values, Access::default())?;
        (!self.parameters.has(bound)).then_some(bound)
    }

    fn read(&self, one: &Bound<'t>, access: Access<'_>, depth: usize) -> Option<Cow<'t, str>> {
        if !self.spend() {
            return None;
        }
        match &one.value {
            Value::Type(written) => {
                let head = named(written, self.values, access)?;
                if self.parameters.has(head) || head::is_parameter(head) {
                    return self.bounded(head, one.at).map(Cow::Borrowed);
                }
                if !access.items.is_empty() && bind::is_inferred(head) {
                    return None;
                }
                // Nothing is known of a type that belongs to another (`Self::Item`).
                if head.starts_with("Self:") || head.starts_with("Self.") {
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
                // The right side of an assignment sees only what is bound before it.
                let at = ExpressionPlace { within: one.within, at: one.at.saturating_sub(1) };
                match access.items {
                    "" => self.follow(expression, at, depth + 1),
                    items => self.follow(&format!("{expression}{items}"), at, depth + 1),
                }
            }
            Value::Unknown => None,
        }
    }
}
