//! Resolves an imported name in a module, through re-exports of folders.
//!
//! Input: the candidates of a name and the module that it is imported from. Output: the candidates
//! in the files that fit the module best. If those only share the module's folder, the imports of
//! the file that stands for the folder decide (`__init__.py`, `index.ts`).

use bstr::ByteSlice;

use super::Candidate;
use super::family::Family;
use super::module::{FOLDER_FILES, Fit, Module};
use super::resolve::{Candidates, Site, pick};
use super::rules::inner_module::is_in_declared_module;
use super::scope::folder;
use crate::search::segment::FileView;

/// Most re-exports from folder to folder that are followed.
const MAX_HANDED: usize = 4;

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns the candidates in the files that fit a module best.
    pub(super) fn in_module(
        &self,
        candidates: &[&'g Candidate<'s>],
        module: &Module,
        admits: impl Fn(&Candidate<'s>) -> bool,
    ) -> Candidates<'g, 's> {
        self.fitting(candidates, module, admits).1
    }

    /// As [`Self::in_module`], with how well the files fit.
    pub(super) fn fitting(
        &self,
        candidates: &[&'g Candidate<'s>],
        module: &Module,
        admits: impl Fn(&Candidate<'s>) -> bool,
    ) -> (Option<Fit>, Candidates<'g, 's>) {
        if module.is_empty() {
            return (None, Vec::new());
        }
        if module.library().is_some() {
            let found = self.in_library(candidates, module, admits);
            return ((!found.is_empty()).then_some(Fit::Fully), found);
        }
        let mut best: Option<Fit> = None;
        let mut found = Vec::new();
        for one in candidates.iter().filter(|one| admits(one)) {
            let Some(fit) = self.fit(module, one) else { continue };
            if fit >= Fit::Within && self.is_inside_package(module, one) {
                continue;
            }
            if best.is_none_or(|best| fit > best) {
                best = Some(fit);
                found.clear();
            }
            if best == Some(fit) {
                found.push(*one);
            }
        }
        // A weak fit counts only if it is unlikely to be chance: alone below the module, or two
        // shared segments. In Go, one segment is enough.
        let found = self.nearest(module, found);
        let is_sure = match best {
            Some(Fit::Fully | Fit::Declared) => true,
            Some(Fit::Within) => return (best, self.handed_on(&found, candidates, 0).unwrap_or(found)),
            Some(Fit::Partly(n)) => n >= 2 || self.scope.family == Family::Go,
            Some(Fit::Below) => found.len() == 1,
            None => false,
        };
        (best, if is_sure { found } else { Vec::new() })
    }

    /// Returns how well the file of a declaration fits a module. The namespace that the file
    /// declares counts more than its path.
    fn fit(&self, module: &Module, one: &Candidate<'s>) -> Option<Fit> {
        let path = one.file.path();
        if self.scope.family.declares_modules() {
            return is_in_declared_module(one, module).then_some(Fit::Declared);
        }
        if !matches!(self.scope.family, Family::Php | Family::Jvm) {
            return module.fit(path);
        }
        match self.graph.scope(&one.file).ok().and_then(|scope| scope.namespace.as_ref()) {
            Some(own) if own.is_same(module) => Some(Fit::Declared),
            // The module may be a type in the namespace.
            Some(own) if self.scope.family == Family::Php => {
                let name = if one.owner.is_empty() { one.file.segment.name(&one.row) } else { one.owner };
                if own.join(name).is_same(module) { module.fit(path) } else { None }
            }
            // The module may be an object or a type in the package.
            Some(own) if !one.owner.is_empty() && own.join(&owner_path(one)).is_same(module) => {
                Some(Fit::Declared)
            }
            _ => module.fit(path),
        }
    }

    /// Returns whether an absolute import of Python can't mean a file, because the folder in which
    /// the module's name begins is itself a package: `import json` is not `flask/json`.
    fn is_inside_package(&self, module: &Module, one: &Candidate<'s>) -> bool {
        let Some(root) =
            (self.scope.family == Family::Python).then(|| module.root(one.file.path())).flatten()
        else {
            return false;
        };
        let beside = if root.is_empty() { "__init__.py".to_owned() } else { format!("{root}/__init__.py") };
        self.graph.index().file_by_path(beside.as_str().into()).is_some()
    }

    /// Keeps the files that share the most folders with the importing file, where a path alias
    /// (`~/server/context`) or a root of sources begins. A repository of several projects may have
    /// such a file in each. Of C headers, the one beside the file is meant, if there is one.
    fn nearest(&self, module: &Module, mut found: Candidates<'g, 's>) -> Candidates<'g, 's> {
        if self.scope.family == Family::C {
            let beside: Candidates<'g, 's> =
                pick(&found, |one| folder(one.file.path()) == self.scope.folder());
            if !beside.is_empty() {
                return beside;
            }
            // The header is beside the file, so it is not one of this name elsewhere.
            if self.has_header(self.scope.folder(), module) {
                found.retain(|one| !self.has_header(folder(one.file.path()), module));
            }
            return found;
        }
        let has_roots = matches!(self.scope.family, Family::Script | Family::Python);
        if has_roots && !module.is_relative() && found.len() > 1 {
            let shared = |one: &Candidate<'s>| {
                let (own, other) = (self.scope.path.split_str("/"), one.file.path().split_str("/"));
                own.zip(other).take_while(|(a, b)| a == b).count()
            };
            let most = found.iter().map(|one| shared(one)).max().unwrap_or_default();
            found.retain(|one| shared(one) == most);
        }
        found
    }

    /// Returns whether a folder has the header that an `#include` names.
    fn has_header(&self, folder: &[u8], module: &Module) -> bool {
        let Some(header) = module.header() else { return false };
        let path = if folder.is_empty() { header.into() } else { [folder, b"/", header.as_bytes()].concat() };
        self.graph.index().file_by_path(path.as_bstr()).is_some()
    }

    /// Returns what the file that stands for the folder of `found` re-exports under their name.
    ///
    /// `None` if that file imports no such name. If it does, the declaration next to it is another
    /// one of the same name.
    fn handed_on(
        &self,
        found: &[&'g Candidate<'s>],
        candidates: &[&'g Candidate<'s>],
        depth: usize,
    ) -> Option<Candidates<'g, 's>> {
        let (first, name) = found.first().map(|one| (one, one.file.segment.name(&one.row)))?;
        let scope = self.graph.scope(&self.file_of_folder(first)?).ok()?;
        let import = scope.imports.iter().find(|import| import.local == name && import.name == name)?;
        let fits = |one: &&&Candidate<'s>, wanted: Fit| import.module().fit(one.file.path()) == Some(wanted);
        let of = |wanted: Fit| candidates.iter().filter(|one| fits(one, wanted)).copied().collect::<Vec<_>>();
        let handed = of(Fit::Fully);
        if !handed.is_empty() {
            return Some(handed);
        }
        let within = of(Fit::Within);
        if within.is_empty() || depth >= MAX_HANDED {
            return None;
        }
        Some(self.handed_on(&within, candidates, depth + 1).unwrap_or(within))
    }

    /// Returns the file that stands for the folder of a declaration's file.
    fn file_of_folder(&self, one: &Candidate<'s>) -> Option<FileView<'s>> {
        let path = one.file.path();
        let extension = path.rfind_byte(b'.').and_then(|at| path.get(at..))?;
        FOLDER_FILES.iter().find_map(|stem| {
            let mut beside = folder(path).to_vec();
            if !beside.is_empty() {
                beside.push(b'/');
            }
            beside.extend_from_slice(stem.as_bytes());
            beside.extend_from_slice(extension);
            self.graph.index().file_by_path(beside.as_bstr())
        })
    }
}

/// Returns the names of the types around a declaration, the outermost first, with dots. The type
/// that it extends is not around it.
fn owner_path(one: &Candidate<'_>) -> String {
    let segment = one.file.segment;
    let mut names = Vec::new();
    let (mut at, mut before) = (one.row.parent, one.at.ord);
    while let Some((ord, row)) =
        at.filter(|ord| *ord < before).and_then(|ord| Some((ord, segment.declaration(ord)?)))
    {
        names.push(segment.name(&row));
        (at, before) = (row.parent, ord);
    }
    names.reverse();
    names.join(".")
}
