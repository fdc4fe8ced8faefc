//! Names of C++ behind a path, and types inside of other types: where the code sees them.
//!
//! Input: the candidates of a name. Output: those that a path leads to, or that the code sees
//! without one. A nested type is seen in the code of the type around it and of its subtypes.

use std::collections::HashSet;

use super::family::Family;
use super::nesting::{containers, is_declared_type, is_free, may_be_one_namespace, namespaces, path};
use super::resolve::{Candidates, Matches, Site, in_one_file, is_member, nothing, pick};
use super::types::type_name;
use super::{Candidate, DeclarationRef, Evidence, Graph, Result, is_function, last_segment};
use crate::index::chunk::DeclarationKind;
use crate::search::segment::DeclarationRow;

impl<'s> Graph<'_, 's> {
    /// Returns whether a type of C++ is declared in another type.
    pub(super) fn is_nested(&self, one: &Candidate<'s>) -> Result<bool> {
        if !is_declared_type(one.row.kind) || one.file.language() != "cpp" || !is_member(one) {
            return Ok(false);
        }
        let segment = one.file.segment;
        if segment.scope(&one.row).is_empty() {
            let parent = one.row.parent.and_then(|ord| segment.declaration(ord));
            return Ok(parent.is_some_and(|parent| parent.kind != DeclarationKind::Module));
        }
        // `struct a::B {}`, where `a` may be a namespace or a type.
        let is_outer = |of: &Candidate<'s>| of.family == Family::C && is_declared_type(of.row.kind);
        Ok(self.candidates(one.owner)?.iter().any(is_outer))
    }
}

/// Most namespaces that the declarations of one name are compared by.
const MAX_NAMESPACES: usize = 32;

/// Most declarations of a chunk that are asked for their namespace.
const MAX_DECLARATIONS: usize = 256;

/// The name of the namespace of C++'s own library.
const LIBRARY: &str = "std";

/// Members that containers and pointers of C++'s library have.
const LIBRARY_MEMBERS: [&str; 33] = [
    "append",
    "at",
    "back",
    "begin",
    "c_str",
    "cbegin",
    "cend",
    "clear",
    "count",
    "data",
    "emplace",
    "emplace_back",
    "empty",
    "end",
    "erase",
    "find",
    "front",
    "get",
    "insert",
    "length",
    "pop",
    "pop_back",
    "push",
    "push_back",
    "rbegin",
    "rend",
    "reserve",
    "reset",
    "resize",
    "size",
    "str",
    "substr",
    "swap",
];

/// Returns whether a member has the name of one of C++'s library.
pub(super) fn is_of_library(member: &Candidate<'_>) -> bool {
    let name = member.file.segment.name(&member.row);
    is_function(member.row.kind) && LIBRARY_MEMBERS.binary_search(&name).is_ok()
}

impl<'g, 's> Site<'g, '_, 's> {
    /// Resolves a name of C++ behind a path of namespaces and types: what is declared there, if one
    /// file declares it. `None` if the path says no more than its last name.
    pub(super) fn of_cpp_path(
        &self,
        candidates: &[&'g Candidate<'s>],
        names: &[&str],
    ) -> Option<Matches<'g, 's>> {
        if self.file.language() != "cpp" {
            return None;
        }
        let within = pick(candidates, |one| {
            let around = containers(&one.file, &one.row);
            let mut left = around.iter();
            names.iter().rev().all(|name| {
                // A namespace between two others may be left out, if it is an inline one.
                left.by_ref()
                    .take_while(|one| one.is_module || one.name == *name)
                    .any(|one| one.name == *name)
            })
        });
        if within.is_empty() {
            return (names.first() == Some(&LIBRARY)).then(nothing);
        }
        let exact = pick(&within, |one| containers(&one.file, &one.row).len() == names.len());
        let is_exact = !exact.is_empty() && are_apart(&within);
        let found = in_one_file(if is_exact { exact } else { within });
        (!found.is_empty()).then_some((Evidence::Qualifier, found))
    }
}

/// Returns whether one file declares a name in two namespaces, so that they are not one namespace
/// with an inline one in it.
fn are_apart(candidates: &[&Candidate<'_>]) -> bool {
    if candidates.len() > MAX_NAMESPACES {
        return false;
    }
    let spaces: Vec<_> = candidates
        .iter()
        .filter(|one| is_free(one))
        .map(|one| ((one.file.part, one.file.ord), namespaces(&one.file, &one.row)))
        .collect();
    let is_other = |(file, of): &(_, Vec<&str>)| {
        spaces
            .iter()
            .any(|(other, others)| other == file && !of.is_empty() && !others.is_empty() && of != others)
    };
    spaces.iter().any(is_other)
}

/// Which candidates of several namespaces a name may mean.
pub(super) enum NamespaceChoice<'g, 's> {
    /// All of them, as their namespaces do not contradict each other.
    All,
    /// These only.
    Seen(Candidates<'g, 's>),
    /// One of these, but nobody knows which.
    OneOf(Candidates<'g, 's>),
    /// One of them, but nobody knows which.
    Any,
}

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns which of some candidates of C++ the code of the chunk sees, if they are in several
    /// namespaces: those of its own, or else those of a namespace that its file opens. Code that
    /// sees none of them may mean any.
    pub(super) fn in_own_namespace(&self, candidates: &[&'g Candidate<'s>]) -> NamespaceChoice<'g, 's> {
        if self.file.language() != "cpp" || candidates.len() < 2 {
            return NamespaceChoice::All;
        }
        // A member may be inherited from a type of another namespace.
        let of = |one: &Candidate<'s>| match is_free(one) {
            true => namespaces(&one.file, &one.row),
            false => Vec::new(),
        };
        let spaces: HashSet<Vec<&str>> = candidates.iter().map(|one| of(one)).collect();
        if spaces.len() > MAX_NAMESPACES {
            return NamespaceChoice::Any;
        }
        let is_one = spaces.iter().all(|one| spaces.iter().all(|other| may_be_one_namespace(one, other)));
        let is_apart = are_apart(candidates);
        if is_one && !is_apart {
            return NamespaceChoice::All;
        }
        let Some(own) = self.namespaces_of_chunk() else { return NamespaceChoice::Any };
        if is_apart {
            // The name in the nearest namespace hides those further out.
            let depth = |one: &Candidate<'s>| Some(of(one)).filter(|of| own.ends_with(of)).map(|of| of.len());
            let nearest = candidates.iter().filter_map(|one| depth(one)).max();
            if nearest.is_some_and(|n| n > 0) {
                return NamespaceChoice::Seen(pick(candidates, |one| depth(one) == nearest));
            }
        }
        let seen_by = |sees: &dyn Fn(&[&str]) -> bool| {
            let seen = pick(candidates, |one| {
                let of = of(one);
                of.is_empty() || sees(&of)
            });
            seen.iter().any(|one| !of(one).is_empty()).then_some(seen)
        };
        if let Some(seen) = seen_by(&|of| of.iter().any(|name| own.contains(name))) {
            return NamespaceChoice::Seen(seen);
        }
        let opened: HashSet<&str> = self.scope.opened.iter().copied().collect();
        let is_in = |opened: &str, of: &[&str]| path(opened).all(|name| of.contains(&name));
        let n_opening = opened.iter().filter(|one| seen_by(&|of| is_in(one, of)).is_some()).count();
        let seen = seen_by(&|of| opened.iter().any(|one| is_in(one, of)));
        match (seen, n_opening) {
            (Some(seen), 1) => NamespaceChoice::Seen(seen),
            (Some(seen), _) => NamespaceChoice::OneOf(seen),
            (None, _) => NamespaceChoice::Any,
        }
    }

    /// Returns the namespaces around the code of the chunk; `None` if it has code of several.
    fn namespaces_of_chunk(&self) -> Option<Vec<&'s str>> {
        let chunk = self.file.segment.chunk(self.from.ord)?;
        let is_here = |row: &DeclarationRow| {
            row.span.bytes.end <= chunk.span.bytes.end && row.kind != DeclarationKind::Module
        };
        let around = self.around.and_then(|ord| self.file.segment.declaration(ord));
        let around = around.filter(|row| row.kind != DeclarationKind::Module);
        let inner = self.file.segment.declarations_in(self.from.ord).take(MAX_DECLARATIONS);
        let inner = inner.filter_map(|ord| self.file.segment.declaration(ord)).filter(is_here);
        let mut all = around.into_iter().chain(inner).map(|row| namespaces(&self.file, &row));
        let first = all.next()?;
        all.all(|one| one == first).then_some(first)
    }
}

/// The types of C++ among some candidates that are declared in other types.
#[derive(Debug, Default)]
pub(super) struct NestedTypes<'g, 's> {
    /// Those that the code sees without a qualifier.
    pub(super) seen: Candidates<'g, 's>,
    /// Whether the code may mean a type outside of all types, too.
    pub(super) is_ambiguous: bool,
    /// Types that the code can't mean by their names alone.
    hidden: Vec<DeclarationRef>,
}

impl<'s> NestedTypes<'_, 's> {
    /// Returns whether the code may mean a candidate by its name alone.
    pub(super) fn admit(&self, one: &Candidate<'s>) -> bool {
        !self.hidden.contains(&one.at)
    }
}

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns which of the candidates are nested types of C++, and which of them the code sees:
    /// those of a type that the chunk has code of, and those that such a type inherits.
    pub(super) fn nested_types(&self, candidates: &[&'g Candidate<'s>]) -> Result<NestedTypes<'g, 's>> {
        let mut found = NestedTypes::default();
        if self.scope.family != Family::C {
            return Ok(found);
        }
        let mut unseen = Vec::new();
        let mut free = Vec::new();
        for &one in candidates {
            if !self.graph.is_nested(one)? {
                free.extend(is_declared_type(one.row.kind).then_some(one.at));
            } else if self.is_in_outer_type(one) {
                found.seen.push(one);
            } else {
                unseen.push(one);
            }
        }
        if found.seen.is_empty()
            && !unseen.is_empty()
            && !self.class.is_empty()
            && let Some((evidence, inherited)) = self.inherited(&unseen, self.own_types()?)?
            && evidence.is_certain()
        {
            found.seen = inherited;
        }
        unseen.retain(|one| found.seen.iter().all(|seen| seen.at != one.at));
        found.hidden = unseen.iter().map(|one| one.at).collect();
        // The nearest type hides the others. In a chunk with several types, any may be around.
        if !found.seen.is_empty() && !free.is_empty() {
            let own = self.own_types()?;
            let is_own = found.seen.iter().any(|one| own.iter().any(|of| type_name(of) == one.owner));
            found.is_ambiguous = !is_own && !self.is_in_class();
            found.hidden.extend(free);
        }
        Ok(found)
    }

    /// Returns whether the chunk has code of the type that a nested type is declared in.
    fn is_in_outer_type(&self, nested: &Candidate<'s>) -> bool {
        let segment = self.file.segment;
        let Some(chunk) = segment.chunk(self.from.ord) else { return false };
        self.file.declarations().any(|one| {
            let span = one.row.span.bytes;
            let is_here = span.start < chunk.span.bytes.end && span.end > chunk.span.bytes.start;
            let is_type = is_declared_type(one.row.kind);
            let named = |written| path(written).any(|name| name == nested.owner);
            is_here
                && (is_type && last_segment(segment.name(&one.row)) == nested.owner
                    || named(segment.scope(&one.row)))
        })
    }
}
