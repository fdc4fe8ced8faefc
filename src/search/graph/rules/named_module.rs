//! Modules that a qualifier names, by the rules of single languages: namespaces of PHP, modules of
//! Elixir, tables of Lua, files that are types, and objects of JavaScript that have no class.
//!
//! Input: the candidates of a name behind a qualifier. Output: those that the module has.

use crate::index::chunk::DeclarationKind;

use crate::search::graph::family::Family;
use crate::search::graph::module::Module;
use crate::search::graph::resolve::{Candidates, Matches, Site, guess, is_member, pick};
use crate::search::graph::{Candidate, Evidence, Result, is_function, is_type};

impl<'g, 's> Site<'g, '_, 's> {
    /// Resolves a name behind the name of a module. `is_imported`: whether an import binds the
    /// first name of the qualifier. `None` if no module of that name has it.
    pub(in crate::search::graph) fn of_named_module(
        &self,
        candidates: &[&'g Candidate<'s>],
        qualifier: &str,
        is_imported: bool,
    ) -> Result<Option<Matches<'g, 's>>> {
        let family = self.scope.family;
        let (evidence, found) = if family == Family::Php {
            let module = self.php_namespace(qualifier);
            (Evidence::Qualifier, self.in_module(candidates, &module, |one| one.owner.is_empty()))
        } else if family.declares_modules() && !is_imported {
            let module = Module::parse(family, self.scope.path, qualifier);
            (Evidence::Qualifier, self.in_module(candidates, &module, |_| true))
        } else if family.returns_tables() && !is_imported {
            let own = self.of_own_table(candidates, qualifier)?;
            (if own.len() == 1 { Evidence::File } else { Evidence::Alternative }, own)
        } else if family.has_file_types() && !is_imported {
            (Evidence::Qualifier, self.of_file_type(candidates, qualifier)?)
        } else if family == Family::Other("r") {
            (Evidence::Qualifier, self.of_r_package(candidates, qualifier))
        } else {
            return Ok(None);
        };
        Ok((!found.is_empty()).then_some((evidence, found)))
    }

    /// Returns the namespace of PHP that a qualifier names: from the root (`\A\B`), behind an
    /// imported name, or inside the own namespace, which the word `namespace` names, too.
    fn php_namespace(&self, qualifier: &str) -> Module {
        let parse = |name: &str| Module::parse(self.scope.family, self.scope.path, name);
        if qualifier.starts_with('\\') {
            return parse(qualifier);
        }
        let (first, rest) = qualifier.split_once('\\').unwrap_or((qualifier, ""));
        let import = self.scope.imports.iter().find(|import| import.local == first);
        match (import, &self.scope.namespace) {
            (_, Some(own)) if first == "namespace" => own.join(rest),
            (Some(import), _) if import.written == import.name => parse(import.name).join(rest),
            (Some(import), _) => import.module().join(import.name).join(rest),
            (None, Some(own)) => own.join(qualifier),
            (None, None) => parse(qualifier),
        }
    }

    /// Returns what the package of R with a name declares, as its `DESCRIPTION` gives it: `pkg::f`.
    fn of_r_package(&self, candidates: &[&'g Candidate<'s>], name: &str) -> Candidates<'g, 's> {
        let mut packages = self.graph.packages.iter().filter(|one| one.is_named(self.scope.family, name));
        let Some(package) = packages.next() else { return Vec::new() };
        pick(candidates, |one| one.owner.is_empty() && package.inside(one.file.path()).is_some())
    }

    /// Returns the functions of this file that a table of Lua holds, which the file declares:
    /// `M.open()` after `local M = {}` and `function M.open()`.
    fn of_own_table(&self, candidates: &[&'g Candidate<'s>], table: &str) -> Result<Candidates<'g, 's>> {
        let is_top = |one: &Candidate<'s>| self.is_here(one) && one.row.parent.is_none();
        let is_table =
            self.graph.candidates(table)?.iter().any(|one| is_top(one) && !is_function(one.row.kind));
        Ok(if is_table { pick(candidates, |one| is_top(one) && one.owner.is_empty()) } else { Vec::new() })
    }

    /// Returns the functions at the top of the file that is a type of that name, if only one file
    /// is.
    fn of_file_type(&self, candidates: &[&'g Candidate<'s>], ty: &str) -> Result<Candidates<'g, 's>> {
        let is_seen = |one: &&Candidate<'s>| self.scope.family.sees(one.family) && one.row.parent.is_none();
        // A type with a body has its members there.
        let is_file = |one: &&Candidate<'s>| is_type(one.row.kind) && one.row.body.is_empty();
        let types: Vec<_> = self.graph.candidates(ty)?.iter().filter(is_seen).filter(is_file).collect();
        let [file] = types.as_slice() else { return Ok(Vec::new()) };
        Ok(pick(candidates, |one| {
            one.owner.is_empty()
                && is_function(one.row.kind)
                && (one.file.part, one.file.ord) == (file.file.part, file.file.ord)
        }))
    }

    /// Resolves a member of the own object outside of types, where the file itself is one:
    /// `self.f()` of Zig and GDScript.
    pub(in crate::search::graph) fn of_own_file(&self, candidates: &[&'g Candidate<'s>]) -> Matches<'g, 's> {
        let own = pick(candidates, |one| self.is_here(one) && one.owner.is_empty());
        // In Zig, any parameter may be called `self`.
        let is_always_own = self.scope.family.has_file_objects();
        match own.as_slice() {
            [_] if is_always_own => (Evidence::Class, own),
            [_] => (Evidence::Sole, own),
            [] => guess(pick(candidates, is_member)),
            _ => guess(own),
        }
    }

    /// Resolves a member of `this` outside of classes, in an object of JavaScript: one that members
    /// are assigned to, the options of a component, or any other. A file of Vue has one component.
    pub(in crate::search::graph) fn of_own_object(
        &self,
        candidates: &[&'g Candidate<'s>],
    ) -> Matches<'g, 's> {
        let is_vue = self.file.language() == "vue";
        let is_listed = |kind| kind == DeclarationKind::Method || is_vue && kind == DeclarationKind::Field;
        let here = pick(candidates, |one| self.is_here(one) && is_listed(one.row.kind));
        let beside = pick(&here, |one| !self.class.is_empty() && one.owner == self.class);
        let own = if beside.is_empty() { pick(&here, |one| one.owner.is_empty()) } else { beside };
        match own.as_slice() {
            [] => guess(pick(candidates, is_member)),
            [_] if is_vue => (Evidence::File, own),
            [_] => (Evidence::Sole, own),
            _ => guess(own),
        }
    }
}
