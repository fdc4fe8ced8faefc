//! Prototypes of C and its relatives: a declaration without a body → the definitions of the same
//! function.
//!
//! A call means the definition, and so the references of both are the same. A pure virtual method
//! has no definition; its references are its own.

use std::collections::{HashMap, HashSet};

use crate::search::graph::alternatives::are_alternatives;
use crate::search::graph::family::Family;
use crate::search::graph::nesting::{is_free, may_be_one_namespace, may_define, namespaces};
use crate::search::graph::resolve::pick;
use crate::search::graph::scope::folder;
use crate::search::graph::{Candidate, DeclarationRef, Graph, Result, is_function};

/// The definitions of a function that is declared without a body.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Definitions {
    /// The definitions, by path, then by start.
    pub all: Vec<DeclarationRef>,
    /// Whether they may belong to other programs or platforms, so that a reference to one of them
    /// is a guess for the function.
    pub are_alternatives: bool,
}

impl<'s> Graph<'_, 's> {
    /// Returns the definitions of a function that is declared without a body: in its own file, in
    /// its folder, or else in other folders. Empty for anything else, and in other languages.
    ///
    /// Overloads are not distinguished.
    ///
    /// # Errors
    /// [`Error::Corrupt`](crate::search::graph::Error::Corrupt).
    pub fn definitions_of(&self, at: DeclarationRef) -> Result<Definitions> {
        let none = Definitions::default();
        let Some((file, row)) = self.declaration(at) else { return Ok(none) };
        if file.language() == "fortran" {
            return Ok(Definitions { all: self.bodies_at(at)?, are_alternatives: false });
        }
        if Family::of(file.language()) != Family::C || !is_function(row.kind) || !row.body.is_empty() {
            return Ok(none);
        }
        let all = self.candidates(file.segment.name(&row))?;
        let Some(own) = all.iter().find(|one| one.at == at) else { return Ok(none) };
        let all: Vec<&Candidate<'s>> = all.iter().filter(|one| defines(one, own)).collect();
        let is_here = |one: &Candidate<'s>| (one.file.part, one.file.ord) == (file.part, file.ord);
        let is_beside = |one: &Candidate<'s>| folder(one.file.path()) == folder(file.path());
        for nearest in [pick(&all, is_here), pick(&all, is_beside)] {
            if !nearest.is_empty() {
                let all = nearest.iter().map(|one| one.at).collect();
                return Ok(Definitions { all, are_alternatives: false });
            }
        }
        // Several programs may define a function of one name. Versions of one are in one folder, or
        // in a folder for each platform.
        let first = all.first().map(|one| folder(one.file.path()));
        let is_one = all.iter().all(|one| Some(folder(one.file.path())) == first);
        if !is_one && !are_alternatives(&all) {
            return Ok(none);
        }
        Ok(Definitions { all: all.iter().map(|one| one.at).collect(), are_alternatives: !is_one })
    }
}

/// Returns whether a declaration has the body of another one, which has none. A member of a type is
/// defined by a member of that type. A macro may hide the namespace around other functions.
pub(in crate::search::graph) fn defines<'s>(one: &Candidate<'s>, prototype: &Candidate<'s>) -> bool {
    DefinedNames::of([one].into_iter()).contain(prototype)
}

/// What the definitions among some declarations of one name define.
#[derive(Default)]
pub(in crate::search::graph) struct DefinedNames<'s> {
    /// Those of members and of all else, by sort, language and owner. Of those with the same path
    /// in a file, one counts.
    owned: HashMap<(bool, Family<'s>, &'s str), Vec<Candidate<'s>>>,
    /// The namespaces of those that no type declares, by sort and language.
    free: HashMap<(bool, Family<'s>), HashSet<Vec<&'s str>>>,
}

impl<'s> DefinedNames<'s> {
    pub(in crate::search::graph) fn of<'g>(all: impl Iterator<Item = &'g Candidate<'s>>) -> Self
    where
        's: 'g,
    {
        let mut found = Self::default();
        let mut places = HashSet::new();
        for one in all.filter(|one| !one.row.body.is_empty()) {
            let sort = is_function(one.row.kind);
            let place = (one.file.part, one.file.ord, one.row.parent, one.file.segment.scope(&one.row));
            if places.insert((sort, one.family, one.owner, place)) {
                found.owned.entry((sort, one.family, one.owner)).or_default().push(*one);
            }
            if is_free(one) {
                found.free.entry((sort, one.family)).or_default().insert(namespaces(&one.file, &one.row));
            }
        }
        found
    }

    /// Returns whether one of them is the definition of a declaration without a body.
    pub(in crate::search::graph) fn contain(&self, prototype: &Candidate<'s>) -> bool {
        let sort = is_function(prototype.row.kind);
        let owned = self.owned.get(&(sort, prototype.family, prototype.owner));
        owned.is_some_and(|all| all.iter().any(|one| may_define(one, prototype)))
            || is_free(prototype) && self.is_free_defined(prototype)
    }
}

impl DefinedNames<'_> {
    /// Returns whether one of them may define a function that no type declares: a macro may hide a
    /// namespace, but two others are different.
    fn is_free_defined(&self, prototype: &Candidate<'_>) -> bool {
        let key = (is_function(prototype.row.kind), prototype.family);
        let Some(all) = self.free.get(&key) else { return false };
        let own = namespaces(&prototype.file, &prototype.row);
        all.iter().any(|one| may_be_one_namespace(one, &own))
    }
}
