//! Prototypes of C and C++: a declaration without a body → the definitions of the same function.
//!
//! A call means the definition, and so the references of both are the same. A pure virtual method
//! has no definition; its references are its own.

use crate::index::chunk::DeclarationKind;

use super::family::Family;
use super::resolve::pick;
use super::scope::folder;
use super::{Candidate, DeclarationRef, Graph, Result, is_function};

impl<'s> Graph<'_, 's> {
    /// Returns the definitions of a function that is declared without a body: in its own file, in
    /// its folder, or else in one other folder. Empty for anything else, and in other languages.
    ///
    /// Overloads are not distinguished.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn definitions_of(&self, at: DeclarationRef) -> Result<Vec<DeclarationRef>> {
        let Some((file, row)) = self.declaration(at) else { return Ok(Vec::new()) };
        if Family::of(file.language()) != Family::C || !is_function(row.kind) || !row.body.is_empty() {
            return Ok(Vec::new());
        }
        let all = self.candidates(file.segment.name(&row))?;
        let Some(own) = all.iter().find(|one| one.at == at) else { return Ok(Vec::new()) };
        let all: Vec<&Candidate<'s>> = all.iter().filter(|one| defines(one, own)).collect();
        let is_here = |one: &Candidate<'s>| (one.file.part, one.file.ord) == (file.part, file.ord);
        let is_beside = |one: &Candidate<'s>| folder(one.file.path()) == folder(file.path());
        for nearest in [pick(&all, is_here), pick(&all, is_beside)] {
            if !nearest.is_empty() {
                return Ok(nearest.iter().map(|one| one.at).collect());
            }
        }
        // Several programs may define a function of one name. Versions of one are in one folder.
        let first = all.first().map(|one| folder(one.file.path()));
        let is_one = all.iter().all(|one| Some(folder(one.file.path())) == first);
        Ok(if is_one { all.iter().map(|one| one.at).collect() } else { Vec::new() })
    }
}

/// Returns whether a declaration has the body of another one, which has none. A member of a type is
/// defined by a member of that type. A macro may hide the namespace around other functions.
pub(super) fn defines(one: &Candidate<'_>, prototype: &Candidate<'_>) -> bool {
    let is_same_sort = is_function(one.row.kind) == is_function(prototype.row.kind);
    let is_defined = is_same_sort && one.family == prototype.family && !one.row.body.is_empty();
    let is_free = |of: &Candidate<'_>| {
        let parent = of.row.parent.and_then(|parent| of.file.segment.declaration(parent));
        let is_outside = parent.is_none_or(|parent| parent.kind == DeclarationKind::Module);
        is_outside && of.file.segment.scope(&of.row).is_empty()
    };
    is_defined && (one.owner == prototype.owner || is_free(one) && is_free(prototype))
}
