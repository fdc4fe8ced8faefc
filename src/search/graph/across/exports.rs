//! Names that a module exports but does not declare: re-exports, names that it exports under
//! another name, and modules that it exports as a name.
//!
//! Input: a lookup in a package whose module has a file. Output: the declarations that the file's
//! imports and exports lead to. The search goes from module to module, and is bounded.

use bstr::BStr;

use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::graph::family::Family;
use crate::search::graph::resolve::Site;
use crate::search::graph::scope::{DEFAULT_EXPORT, Import};
use crate::search::graph::{Candidate, Graph, Result, is_type};
use crate::search::segment::ChunkRef;

use super::claim::{Claim, absolute, own_modules};
use super::lookup::{Lookup, PackageLookup, n_places, with_member};
use super::nothing;
use super::package::PackageIdentity;

/// Most files that are searched for what a script may export.
const MAX_FILES: usize = 100;
/// Maximum length of a chain of re-exports from module to module.
const MAX_DEPTH: usize = 6;

/// Declarations, each with its repository.
type Exports<'s> = Vec<(usize, Candidate<'s>)>;

impl<'s> Lookup<'_, '_, 's> {
    /// Returns what the module of a lookup exports by that name, from anywhere in its repository.
    pub(super) fn exported(&self, wanted: &PackageLookup<'_>, depth: usize) -> Result<Exports<'s>> {
        let Some(graph) = self.graph(wanted.member) else { return Ok(Vec::new()) };
        // The longest path with a file is the module, and what follows are names in it.
        for n in (0..=wanted.within.len()).rev() {
            let (modules, names) = wanted.within.split_at_checked(n).unwrap_or_default();
            if let Some(file) = module_file(graph, wanted.known, modules) {
                return self.in_module(wanted, graph, file, names, depth);
            }
        }
        Ok(Vec::new())
    }

    /// Resolves a name behind other names (`names`) in a module.
    fn in_module(
        &self,
        wanted: &PackageLookup<'_>,
        graph: &Graph<'_, 's>,
        file: ChunkRef,
        names: &[String],
        depth: usize,
    ) -> Result<Exports<'s>> {
        let path = format!("{}.{}", names.join("."), wanted.name);
        if depth >= MAX_DEPTH || !self.begin(file, wanted.kind, path) {
            return Ok(Vec::new());
        }
        let Some(site) = graph.site(file)? else { return Ok(Vec::new()) };
        let Some((first, rest)) = names.split_first() else {
            return self.in_file(wanted, &site, depth);
        };
        let found = match wanted.known.family {
            Family::Rust => self.in_inner_module(wanted, &site, first, rest, depth)?,
            Family::Script | Family::Python => self.in_named_module(wanted, &site, first, rest, depth)?,
            _ => Vec::new(),
        };
        if !found.is_empty() || !rest.is_empty() {
            return Ok(found);
        }
        // A member is re-exported with its type: `Value` of `serde_json::Value::from`.
        let of_type = PackageLookup { name: first, kind: ReferenceKind::Type, ..*wanted };
        let mut types = self.in_file(&of_type, &site, depth)?;
        types.retain(|(_, one)| is_type(one.row.kind));
        self.members_of(&types, wanted, first)
    }

    /// Returns what a file exports by the name of a lookup, but does not declare by this name.
    fn in_file(
        &self,
        wanted: &PackageLookup<'_>,
        site: &Site<'_, '_, 's>,
        depth: usize,
    ) -> Result<Exports<'s>> {
        if wanted.known.family != Family::Script {
            return self.imported_by(wanted, site, depth);
        }
        let is_here = |one: &Candidate<'s>| {
            (one.file.part, one.file.ord) == (site.file.part, site.file.ord) && one.owner.is_empty()
        };
        let own: Vec<Candidate<'s>> = self.open_to(wanted)?.into_iter().filter(is_here).collect();
        if !own.is_empty() {
            return Ok(with_member(wanted.member, own));
        }
        let found = self.renamed(wanted, site, depth)?;
        if !found.is_empty() {
            return Ok(found);
        }
        let found = self.imported_by(wanted, site, depth)?;
        // `import a from "./b"` names the default export of `b` as it likes. If everything that `b`
        // exports is known, and `a` is not among it, that import is meant.
        if !found.is_empty() || wanted.is_of_all || self.may_export(wanted.known, site, wanted.name)? {
            return Ok(found);
        }
        let default = PackageLookup { name: DEFAULT_EXPORT, ..*wanted };
        let found = self.renamed(&default, site, depth)?;
        if found.is_empty() { self.imported_by(&default, site, depth) } else { Ok(found) }
    }

    /// Returns whether a script may export a name, as anything.
    fn may_export(&self, known: &PackageIdentity, site: &Site<'_, '_, 's>, name: &str) -> Result<bool> {
        let graph = site.graph;
        let mut files = vec![site.from];
        let mut at = 0;
        while let Some(&from) = files.get(at) {
            at += 1;
            let Some(site) = graph.site(from)? else { return Ok(true) };
            let is_here = |one: &Candidate<'s>| site.is_here(one) && one.owner.is_empty();
            if site.scope.imports.iter().any(|one| one.local == name)
                || graph.exports(&site.file)?.iter().any(|one| one.exported == name)
                || graph.candidates(name)?.iter().any(is_here)
            {
                return Ok(true);
            }
            for import in site.scope.imports.iter().filter(|one| hands_all_on(one, Family::Script)) {
                let modules = own_modules(known, site.scope.path, import.written);
                let file = modules.and_then(|modules| module_file(graph, known, &modules));
                match file {
                    Some(file) if files.contains(&file) => {}
                    Some(file) if files.len() < MAX_FILES => files.push(file),
                    // Nobody knows what such a module exports.
                    _ => return Ok(true),
                }
            }
        }
        Ok(false)
    }

    /// Returns what a script declares or imports by another name than it is exported by.
    fn renamed(
        &self,
        wanted: &PackageLookup<'_>,
        site: &Site<'_, '_, 's>,
        depth: usize,
    ) -> Result<Exports<'s>> {
        for one in site.graph.exports(&site.file)?.iter().filter(|one| one.exported == wanted.name) {
            let own = PackageLookup { name: one.own, ..*wanted };
            let mut found = self.open_to(&own)?;
            found.retain(|one| {
                (one.file.part, one.file.ord) == (site.file.part, site.file.ord) && one.owner.is_empty()
            });
            if !found.is_empty() {
                return Ok(with_member(wanted.member, found));
            }
            let found = self.imported_by(&own, site, depth)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// Resolves a name in a Rust module that has no file of its own. Either the file contains the
    /// module, or it re-exports the module from elsewhere.
    fn in_inner_module(
        &self,
        wanted: &PackageLookup<'_>,
        site: &Site<'_, '_, 's>,
        module: &str,
        rest: &[String],
        depth: usize,
    ) -> Result<Exports<'s>> {
        let is_here = |one: &&Candidate<'s>| {
            one.row.kind == DeclarationKind::Module
                && (one.file.part, one.file.ord) == (site.file.part, site.file.ord)
                && !one.row.body.is_empty()
        };
        if rest.is_empty() && site.graph.candidates(module)?.iter().any(|one| is_here(&one)) {
            let found = self.imported_by(wanted, site, depth)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        for import in &site.scope.imports {
            let mut path = Vec::new();
            match import.local {
                "" => path.push(module.to_owned()),
                local if local == module && import.name != import.written => {
                    path.push(import.name.to_owned())
                }
                local if local == module => {}
                _ => continue,
            }
            path.extend_from_slice(rest);
            let found = self.handed_on(wanted, site.scope.path, import.written, &path, depth)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// Resolves a name in a module that a file exports as a name: `export * as core from "./core"`,
    /// `from . import core`.
    fn in_named_module(
        &self,
        wanted: &PackageLookup<'_>,
        site: &Site<'_, '_, 's>,
        module: &str,
        rest: &[String],
        depth: usize,
    ) -> Result<Exports<'s>> {
        let family = wanted.known.family;
        let own = if family == Family::Script { site.graph.exports(&site.file)? } else { &[] };
        let is_default = family == Family::Script && !self.may_export(wanted.known, site, module)?;
        let exported = if is_default { DEFAULT_EXPORT } else { module };
        let others = own.iter().filter(|one| one.exported == exported).map(|one| one.own);
        for module in others.chain(std::iter::once(module)) {
            for import in site.scope.imports.iter().filter(|import| import.local == module) {
                if import.is_module(family) {
                    let found = self.handed_on(wanted, site.scope.path, import.written, rest, depth)?;
                    if !found.is_empty() {
                        return Ok(found);
                    }
                }
                let mut path = vec![import.name.to_owned()];
                path.extend_from_slice(rest);
                let found = self.handed_on(wanted, site.scope.path, import.written, &path, depth)?;
                if !found.is_empty() {
                    return Ok(found);
                }
            }
        }
        let mut path = vec![module.to_owned()];
        path.extend_from_slice(rest);
        for import in site.scope.imports.iter().filter(|import| hands_all_on(import, family)) {
            let found = self.handed_on(wanted, site.scope.path, import.written, &path, depth)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// Returns the members of `types` with the name that is looked up.
    fn members_of(
        &self,
        types: &[(usize, Candidate<'s>)],
        wanted: &PackageLookup<'_>,
        owner: &str,
    ) -> Result<Exports<'s>> {
        let mut found = Vec::new();
        for (member, of) in types {
            let all = self.open_to(&PackageLookup { member: *member, ..*wanted })?;
            let here = all.into_iter().filter(|one| {
                one.owner == owner && (one.file.part, one.file.ord) == (of.file.part, of.file.ord)
            });
            found.extend(here.map(|one| (*member, one)));
        }
        Ok(found)
    }

    /// Returns what a file imports by the name of a lookup: by imports of that name first, then by
    /// imports of all names.
    fn imported_by(
        &self,
        wanted: &PackageLookup<'_>,
        site: &Site<'_, '_, 's>,
        depth: usize,
    ) -> Result<Exports<'s>> {
        let is_own = |one: &Candidate<'s>| is_type(one.row.kind) || one.owner.is_empty();
        let is_dart = wanted.known.family == Family::Dart;
        let is_script = wanted.known.family == Family::Script;
        let imports = if is_dart { &site.scope.exports } else { &site.scope.imports };
        for is_named in [true, false] {
            for import in imports {
                let is_all = hands_all_on(import, wanted.known.family);
                // Such a module is not a declaration, and `export *` hands on no default export.
                let is_meant = match is_named {
                    true => import.local == wanted.name && !import.is_namespace,
                    false => is_all && !(is_script && wanted.name == DEFAULT_EXPORT),
                };
                if !is_meant {
                    continue;
                }
                // The main file of a Dart library lists the files that it re-exports.
                if is_dart {
                    let all = site.candidates(wanted.name, wanted.kind)?;
                    let found: Vec<Candidate<'s>> =
                        site.in_module(&all, import.module(), is_own).into_iter().copied().collect();
                    if n_places(&found) == 1 {
                        return Ok(with_member(wanted.member, found));
                    }
                }
                let name = if is_named { import.name } else { wanted.name };
                // `* as a` is a module: maybe called like a name in it, but not a default export.
                let is_module = import.is_module(wanted.known.family) && import.local != import.name;
                let next = PackageLookup { name, is_of_all: !is_named || is_module, ..*wanted };
                let found = self.handed_on(&next, site.scope.path, import.written, &[], depth)?;
                if !found.is_empty() {
                    return Ok(found);
                }
            }
        }
        Ok(Vec::new())
    }

    /// Resolves a name that a module re-exports from another one, behind the names in `names`. The
    /// other module is in the same package, or in another one of the same repository.
    fn handed_on(
        &self,
        wanted: &PackageLookup<'_>,
        from: &BStr,
        module: &str,
        names: &[String],
        depth: usize,
    ) -> Result<Exports<'s>> {
        let family = wanted.known.family;
        let mut handed = nothing();
        if let Some(mut path) = absolute(family, module) {
            path.extend_from_slice(names);
            path.push(wanted.name.to_owned());
            if wanted.known.covers(&path).is_none() {
                let claim = Claim { path, is_of_all: wanted.is_of_all };
                handed = self.by_package(None, family, &claim, wanted.kind, wanted.is_vendored, depth + 1)?;
            }
        }
        if handed.1.is_empty()
            && let Some(mut within) = own_modules(wanted.known, from, module)
        {
            within.extend_from_slice(names);
            handed = self.in_package(&PackageLookup { within: &within, ..*wanted }, depth + 1)?;
        }
        let (evidence, mut found) = handed;
        found.retain(|(member, _)| *member == wanted.member && evidence.is_certain());
        Ok(found)
    }
}

/// Returns whether an import brings in all names of a module, and hands them on.
fn hands_all_on(import: &Import<'_>, family: Family<'_>) -> bool {
    // `export * from './hooks'` is recorded as an import of the module. `import * as a` has a name
    // of its own, and hands nothing on.
    let last = import.written.rsplit('/').next().unwrap_or_default();
    let is_module = family == Family::Script && last.starts_with(import.name) && import.local == import.name;
    import.local.is_empty() || is_module && !import.is_namespace
}

/// Returns the first chunk of the file that stands for a module of a package.
fn module_file(graph: &Graph<'_, '_>, known: &PackageIdentity, modules: &[String]) -> Option<ChunkRef> {
    known.module_files(modules).into_iter().find_map(|path| {
        let file = graph.index().file_by_path(path.as_str().into())?;
        let ord = file.segment.chunks_of(file.ord).next()?;
        Some(ChunkRef { part: file.part, ord })
    })
}
