//! Prototypes of C and C++: a declaration without a body → the definitions of the same function.
//!
//! A call means the definition, and so the references of both are the same. A pure virtual method
//! has no definition; its references are its own.

use super::family::Family;
use super::{Candidate, DeclarationRef, Graph, Result, is_function};

impl<'s> Graph<'_, 's> {
    /// Returns the definitions of a function that is declared without a body: in its own file if
    /// there are any, or else in all files. Empty for anything else, and in other languages.
    ///
    /// Overloads are not told apart.
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
        let is_here = |one: &&&Candidate<'s>| (one.file.part, one.file.ord) == (file.part, file.ord);
        let here: Vec<DeclarationRef> = all.iter().filter(is_here).map(|one| one.at).collect();
        Ok(if here.is_empty() { all.iter().map(|one| one.at).collect() } else { here })
    }
}

/// Returns whether a declaration has the body of another one, which has none.
pub(super) fn defines(one: &Candidate<'_>, prototype: &Candidate<'_>) -> bool {
    let is_same = one.owner == prototype.owner && one.family == prototype.family;
    is_same && is_function(one.row.kind) == is_function(prototype.row.kind) && !one.row.body.is_empty()
}
