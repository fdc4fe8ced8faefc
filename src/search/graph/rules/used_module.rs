//! Modules of Fortran: a name → what the modules declare that a file uses, or what they use.
//!
//! A module has a name of its own, whatever its file is called, and it hands on what it uses. It
//! may only announce a procedure in an interface; a submodule then has its body.

use crate::index::chunk::{DeclarationKind, ReferenceKind};

use crate::search::graph::family::Family;
use crate::search::graph::resolve::{Candidates, Site, pick};
use crate::search::graph::scope::Import;
use crate::search::graph::{Candidate, DeclarationRef, Graph, Result, fits};

/// The family of the rule.
const FORTRAN: Family<'static> = Family::Other("fortran");

/// Most modules in a chain, each of which uses the next one.
const MAX_CHAIN: usize = 8;

/// Most modules that are looked at for one name.
const MAX_MODULES: usize = 64;

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns what the modules that the file uses have under a name. Empty in other languages.
    pub(in crate::search::graph) fn of_used_modules(
        &self,
        name: &str,
        kind: ReferenceKind,
    ) -> Result<Candidates<'g, 's>> {
        if self.scope.family != FORTRAN {
            return Ok(Vec::new());
        }
        let mut left = MAX_MODULES;
        self.graph.used(&self.scope.imports, name, kind, MAX_CHAIN, &mut left)
    }

    /// Returns the module that an import names, or what it names in the module. Empty in other
    /// languages.
    pub(in crate::search::graph) fn imported_of_module(
        &self,
        candidates: &[&'g Candidate<'s>],
        name: &str,
        module: &str,
    ) -> Result<Candidates<'g, 's>> {
        if self.scope.family != FORTRAN {
            return Ok(Vec::new());
        }
        if name == module {
            return Ok(pick(candidates, |one| is_module(one)));
        }
        let declared = pick(candidates, |one| one.owner == module && is_in_module(one));
        let import = self.scope.imports.iter().find(|one| one.name == name && one.written == module);
        match import.filter(|_| declared.is_empty()) {
            Some(import) => self.of_used_modules(import.local, ReferenceKind::Use),
            None => Ok(declared),
        }
    }

    /// Puts definitions in place of procedures that are only announced.
    pub(in crate::search::graph) fn with_bodies(
        &self,
        found: Candidates<'g, 's>,
    ) -> Result<Candidates<'g, 's>> {
        if self.scope.family != FORTRAN || found.iter().all(|one| !one.row.body.is_empty()) {
            return Ok(found);
        }
        let mut all: Candidates<'g, 's> = Vec::new();
        for one in found {
            let bodies = self.graph.bodies_of(one)?;
            let new = if bodies.is_empty() { vec![one] } else { bodies };
            all.extend(
                new.into_iter().filter(|new| !all.iter().any(|known| known.at == new.at)).collect::<Vec<_>>(),
            );
        }
        Ok(all)
    }
}

impl<'s> Graph<'_, 's> {
    /// Returns what imports bring in under a name, directly or through what their modules use.
    fn used(
        &self,
        imports: &[Import<'s>],
        name: &str,
        kind: ReferenceKind,
        chain: usize,
        left: &mut usize,
    ) -> Result<Candidates<'_, 's>> {
        for import in imports {
            let is_whole = import.name == import.written;
            if !is_whole && import.local != name || *left == 0 || chain == 0 {
                continue;
            }
            *left -= 1;
            let wanted = if is_whole { name } else { import.name };
            let is_of_module = |one: &&Candidate<'s>| {
                one.family == FORTRAN
                    && one.owner == import.written
                    && !one.is_local
                    && fits(kind, one.row.kind)
            };
            let declared: Vec<_> = self.candidates(wanted)?.iter().filter(is_of_module).collect();
            let declared = pick(&declared, |one| is_in_module(one));
            if !declared.is_empty() {
                return Ok(declared);
            }
            let modules: Vec<_> =
                self.candidates(import.written)?.iter().filter(|one| is_module(one)).collect();
            let [module] = modules.as_slice() else { continue };
            let inner = &self.scope(&module.file)?.imports;
            // The file of the module may be the one at hand.
            if !std::ptr::eq(inner.as_slice(), imports) {
                let found = self.used(inner, wanted, kind, chain - 1, left)?;
                if !found.is_empty() {
                    return Ok(found);
                }
            }
        }
        Ok(Vec::new())
    }

    /// Returns the procedures of submodules whose interface is this one. Empty for anything else.
    pub(in crate::search::graph) fn bodies_of(&self, one: &Candidate<'s>) -> Result<Candidates<'_, 's>> {
        let is_announced = one.family == FORTRAN && one.row.kind == DeclarationKind::Function;
        if !is_announced || !one.row.body.is_empty() || one.owner.is_empty() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for other in self.candidates(one.file.segment.name(&one.row))? {
            let is_body = other.family == FORTRAN && !other.row.body.is_empty() && is_in_module(other);
            if !is_body || other.is_local || other.row.kind != DeclarationKind::Function {
                continue;
            }
            let is_own = other.owner == one.owner
                && (other.file.part, other.file.ord) == (one.file.part, one.file.ord);
            // A submodule names its module as an import does.
            if is_own || self.scope(&other.file)?.imports.iter().any(|import| import.written == one.owner) {
                found.push(other);
            }
        }
        Ok(found)
    }

    /// As [`Graph::bodies_of`], for a declaration.
    pub(in crate::search::graph) fn bodies_at(&self, at: DeclarationRef) -> Result<Vec<DeclarationRef>> {
        let Some((file, row)) = self.declaration(at) else { return Ok(Vec::new()) };
        let all = self.candidates(file.segment.name(&row))?;
        let Some(own) = all.iter().find(|one| one.at == at) else { return Ok(Vec::new()) };
        Ok(self.bodies_of(own)?.into_iter().map(|one| one.at).collect())
    }
}

/// Returns whether a declaration is a module.
fn is_module(one: &Candidate<'_>) -> bool {
    one.family == FORTRAN && one.row.kind == DeclarationKind::Module
}

/// Returns whether a declaration is directly in a module, and not in a type with that name.
fn is_in_module(one: &Candidate<'_>) -> bool {
    let parent = one.row.parent.and_then(|parent| one.file.segment.declaration(parent));
    parent.is_some_and(|parent| parent.kind == DeclarationKind::Module)
}
