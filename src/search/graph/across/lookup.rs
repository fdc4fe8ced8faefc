//! Resolves a full name to declarations of another repository.
//!
//! Input: a full name (package, modules, name). Output: the declarations that it means, and the
//! evidence. A declaration at the very place that the name spells out is meant. Packages also
//! re-export names from elsewhere. Then the imports of the file that stands for the module say from
//! where. If they don't (macros, exports by assignment), the only declaration of that name below
//! the module is meant, and of several each may be.

use bstr::{BStr, ByteSlice};

use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::graph::family::Family;
use crate::search::graph::resolve::drop_constructors;
use crate::search::graph::scope::folder;
use crate::search::graph::{Candidate, Evidence, Graph, Result, fits, is_type};
use crate::search::segment::ChunkRef;

use super::claim::{Claim, absolute, own_modules};
use super::package::{PackageIdentity, jvm_package, scope_of};
use super::{CrossMatches, Graphs, nothing};

/// If a package has more declarations of a name than this, none is guessed at.
const MAX_GUESSES: usize = 5;
/// Maximum length of a chain of re-exports from module to module.
const MAX_DEPTH: usize = 6;
/// Most modules that are searched for re-exports of one name.
pub(super) const MAX_HANDS: usize = 200;

/// A lookup of a name in a package.
struct PackageLookup<'w> {
    member: usize,
    known: &'w PackageIdentity,
    /// Modules and types in the package, before the name.
    within: &'w [String],
    name: &'w str,
    kind: ReferenceKind,
    is_of_all: bool,
    is_vendored: bool,
}

impl<'s> Graphs<'_, 's> {
    /// Resolves a full name in any repository but `home`. Nothing if the name belongs to `home`.
    pub(super) fn claimed(
        &self,
        home: usize,
        family: Family<'_>,
        claim: &Claim,
        kind: ReferenceKind,
        is_vendored: bool,
    ) -> Result<CrossMatches<'s>> {
        self.hands.set(MAX_HANDS);
        match family {
            Family::Jvm => self.by_folders(home, claim, kind, is_vendored),
            Family::CSharp => {
                let found = self.by_namespace(home, claim, kind, is_vendored)?;
                if found.1.is_empty() {
                    self.by_package(Some(home), family, claim, kind, is_vendored, 0)
                } else {
                    Ok(found)
                }
            }
            _ => self.by_package(Some(home), family, claim, kind, is_vendored, 0),
        }
    }

    /// Returns the declarations of a name that other repositories can see.
    pub(super) fn open_to(
        &self,
        member: usize,
        family: Family<'_>,
        name: &str,
        kind: ReferenceKind,
        is_vendored: bool,
    ) -> Result<Vec<Candidate<'s>>> {
        let Some(graph) = self.graph(member) else { return Ok(Vec::new()) };
        let all = graph.candidates(name)?;
        let mut found: Vec<Candidate<'s>> = all
            .iter()
            .filter(|one| one.family == family && fits(kind, one.row.kind) && !one.is_local)
            .filter(|one| is_vendored || !one.file.flags().is_vendored())
            .copied()
            .collect();
        drop_constructors(&mut found);
        Ok(found)
    }

    fn others(&self, home: usize) -> impl Iterator<Item = usize> + use<> {
        (0..self.len()).filter(move |&at| at != home)
    }

    /// Resolves a name of a JVM language, where the folders are the package.
    fn by_folders(
        &self,
        home: usize,
        claim: &Claim,
        kind: ReferenceKind,
        is_vendored: bool,
    ) -> Result<CrossMatches<'s>> {
        let Some((name, within)) = claim.path.split_last() else { return Ok(nothing()) };
        for member in self.others(home) {
            let mut found = self.open_to(member, Family::Jvm, name, kind, is_vendored)?;
            found.retain(|one| {
                let scope = scope_of(one);
                let within: Vec<&str> =
                    within.iter().map(String::as_str).filter(|one| *one != "Companion").collect();
                let Some(folders) = within.strip_suffix(scope.as_slice()) else { return false };
                let (package, is_rooted) = jvm_package(one.file.path());
                match is_rooted {
                    true => !folders.is_empty() && package == folders,
                    false => folders.len() > 1 && package.ends_with(folders),
                }
            });
            // Kotlin declares a name once for each platform. Other repositories mean the one for
            // the JVM.
            if found.iter().any(|one| !is_of_other_platform(one.file.path())) {
                found.retain(|one| !is_of_other_platform(one.file.path()));
            }
            if !found.is_empty() {
                return Ok((Evidence::Import, with_member(member, found)));
            }
        }
        Ok(nothing())
    }

    /// Resolves a name of C#, by the namespace declared around it.
    fn by_namespace(
        &self,
        home: usize,
        claim: &Claim,
        kind: ReferenceKind,
        is_vendored: bool,
    ) -> Result<CrossMatches<'s>> {
        let Some((name, within)) = claim.path.split_last() else { return Ok(nothing()) };
        for member in self.others(home) {
            let mut found = self.open_to(member, Family::CSharp, name, kind, is_vendored)?;
            found.retain(|one| scope_of(one) == *within && !is_test(one));
            if !found.is_empty() {
                return Ok((Evidence::Import, with_member(member, found)));
            }
        }
        Ok(nothing())
    }

    /// Resolves a name of any other language, in the package that shares the longest prefix with
    /// it.
    pub(super) fn by_package(
        &self,
        home: Option<usize>,
        family: Family<'_>,
        claim: &Claim,
        kind: ReferenceKind,
        is_vendored: bool,
        depth: usize,
    ) -> Result<CrossMatches<'s>> {
        let Some((name, before)) = claim.path.split_last() else { return Ok(nothing()) };
        let mut best = 0;
        let mut owners: Vec<(usize, &PackageIdentity)> = Vec::new();
        for (member, known) in self.packages(family) {
            let Some(n) = known.covers(&claim.path) else { continue };
            if n > best {
                best = n;
                owners.clear();
            }
            if n == best {
                owners.push((member, known));
            }
        }
        if owners.iter().any(|(member, _)| Some(*member) == home) {
            return Ok(nothing());
        }
        for (member, known) in owners {
            let within = before.get(best..).unwrap_or_default();
            let wanted =
                PackageLookup { member, known, within, name, kind, is_of_all: claim.is_of_all, is_vendored };
            let (evidence, found) = match family {
                Family::Ruby => self.in_gem(&wanted, &claim.path)?,
                _ => self.in_package(&wanted, depth)?,
            };
            if !found.is_empty() {
                // Another package may have the same common name.
                let evidence = if known.is_common { Evidence::InPackage } else { evidence };
                return Ok((evidence, found));
            }
        }
        Ok(nothing())
    }

    /// Resolves a Ruby constant: its full name comes from the modules around it, whatever the file.
    fn in_gem(&self, wanted: &PackageLookup<'_>, path: &[String]) -> Result<CrossMatches<'s>> {
        let Some((_, within)) = path.split_last() else { return Ok(nothing()) };
        let mut found =
            self.open_to(wanted.member, Family::Ruby, wanted.name, wanted.kind, wanted.is_vendored)?;
        found.retain(|one| wanted.known.inside(one.file.path()).is_some() && scope_of(one) == *within);
        Ok((Evidence::Import, with_member(wanted.member, found)))
    }

    fn in_package(&self, wanted: &PackageLookup<'_>, depth: usize) -> Result<CrossMatches<'s>> {
        let family = wanted.known.family;
        let mut all = self.open_to(wanted.member, family, wanted.name, wanted.kind, wanted.is_vendored)?;
        all.retain(|one| self.is_of(wanted, one.file.path()));
        // In Go and PHP a folder has the names of its files and no others.
        let is_by_file = !matches!(family, Family::Go | Family::Php | Family::CSharp | Family::Swift);
        let mut exact = Vec::new();
        let mut under = Vec::new();
        for one in &all {
            let Some(modules) = wanted.known.modules(one.file.path()) else { continue };
            let scope = scope_of(one);
            let n = wanted.within.len().saturating_sub(scope.len());
            let (before, around) = wanted.within.split_at_checked(n).unwrap_or_default();
            if around != scope.as_slice() {
                continue;
            }
            let before: Vec<String> = before.iter().map(|one| super::package_key(one)).collect();
            if before == modules {
                exact.push(*one);
            } else if is_by_file && modules.starts_with(&before) || family == Family::CSharp {
                under.push(*one);
            }
        }
        let is_public = |one: &Candidate<'s>| !is_test(one) && !one.file.flags().is_example();
        if exact.iter().any(is_public) {
            exact.retain(is_public);
        }
        if !exact.is_empty() {
            return Ok((Evidence::Import, with_member(wanted.member, exact)));
        }
        if !is_by_file && family != Family::CSharp {
            return Ok(nothing());
        }
        let handed = self.handed_out(wanted, depth)?;
        if !handed.is_empty() {
            return Ok((Evidence::Import, handed));
        }
        under.retain(is_public);
        let is_sure = !wanted.is_of_all && n_places(&under) == 1;
        Ok(match n_places(&under) {
            0 => nothing(),
            _ if is_sure => (Evidence::Reexport, with_member(wanted.member, under)),
            n if n <= MAX_GUESSES => (Evidence::InPackage, with_member(wanted.member, under)),
            _ => nothing(),
        })
    }

    /// Returns whether a file belongs to the package, and not to another one inside of its folder.
    fn is_of(&self, wanted: &PackageLookup<'_>, path: &BStr) -> bool {
        if wanted.known.inside(path).is_none() {
            return false;
        }
        let len = wanted.known.folder.len();
        !self.packages(wanted.known.family).any(|(member, other)| {
            member == wanted.member && other.folder.len() > len && other.inside(path).is_some()
        })
    }

    /// Returns what the module of a lookup imports by that name, from anywhere in its repository.
    fn handed_out(&self, wanted: &PackageLookup<'_>, depth: usize) -> Result<Vec<(usize, Candidate<'s>)>> {
        let Some(graph) = self.graph(wanted.member) else { return Ok(Vec::new()) };
        // A member is re-exported with its type: `Value` of `serde_json::Value::from`.
        for n in (0..=wanted.within.len()).rev() {
            let (modules, types) = wanted.within.split_at_checked(n).unwrap_or_default();
            let Some(file) = module_file(graph, wanted.known, modules) else { continue };
            if wanted.known.family == Family::Rust
                && let Some((module, rest)) = types.split_first()
            {
                let found = self.in_handed_module(wanted, graph, file, module, rest, depth)?;
                if !found.is_empty() {
                    return Ok(found);
                }
            }
            let (name, kind) = match types {
                [] => (wanted.name, wanted.kind),
                [owner] => (owner.as_str(), ReferenceKind::Type),
                _ => continue,
            };
            let mut found = self.imported_by(wanted, graph, file, name, kind, depth)?;
            if let [owner] = types {
                let of: Vec<(usize, Candidate<'s>)> =
                    found.into_iter().filter(|(_, one)| is_type(one.row.kind)).collect();
                found = self.members_of(&of, wanted, owner)?;
            }
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// Resolves a name in a Rust module that has no file of its own. Either `file` contains the
    /// module, or it re-exports the module from elsewhere.
    fn in_handed_module(
        &self,
        wanted: &PackageLookup<'_>,
        graph: &Graph<'_, 's>,
        file: ChunkRef,
        module: &str,
        rest: &[String],
        depth: usize,
    ) -> Result<Vec<(usize, Candidate<'s>)>> {
        let Some(site) = graph.site(file)?.filter(|_| depth < MAX_DEPTH) else { return Ok(Vec::new()) };
        let is_here = |one: &&Candidate<'s>| {
            one.row.kind == DeclarationKind::Module
                && (one.file.part, one.file.ord) == (site.file.part, site.file.ord)
                && !one.row.body.is_empty()
        };
        if rest.is_empty() && graph.candidates(module)?.iter().any(|one| is_here(&one)) {
            let found = self.imported_by(wanted, graph, file, wanted.name, wanted.kind, depth)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        for import in &site.scope.imports {
            let mut path = vec![import.written];
            match import.local {
                "" => path.push(module),
                local if local == module && import.name != import.written => path.push(import.name),
                local if local == module => {}
                _ => continue,
            }
            path.extend(rest.iter().map(String::as_str));
            let found = self.handed_on(wanted, site.scope.path, &path.join("::"), depth + 1)?;
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
    ) -> Result<Vec<(usize, Candidate<'s>)>> {
        let mut found = Vec::new();
        for (member, of) in types {
            let all =
                self.open_to(*member, wanted.known.family, wanted.name, wanted.kind, wanted.is_vendored)?;
            let here = all.into_iter().filter(|one| {
                one.owner == owner && (one.file.part, one.file.ord) == (of.file.part, of.file.ord)
            });
            found.extend(here.map(|one| (*member, one)));
        }
        Ok(found)
    }

    /// Returns what a file imports as `name`: by imports of that name first, then by imports of all
    /// names.
    fn imported_by(
        &self,
        wanted: &PackageLookup<'_>,
        graph: &Graph<'_, 's>,
        file: ChunkRef,
        name: &str,
        kind: ReferenceKind,
        depth: usize,
    ) -> Result<Vec<(usize, Candidate<'s>)>> {
        let Some(site) = graph.site(file)? else { return Ok(Vec::new()) };
        let is_own = |one: &Candidate<'s>| is_type(one.row.kind) || one.owner.is_empty();
        for is_named in [true, false] {
            for import in &site.scope.imports {
                // `export * from './hooks'` is recorded as an import of the module. `import * as a`
                // has a name of its own, and hands nothing on.
                let last = import.written.rsplit('/').next().unwrap_or_default();
                let is_module = wanted.known.family == Family::Script
                    && last.starts_with(import.name)
                    && import.local == import.name;
                let is_all = import.local.is_empty() || is_module;
                let fits = if is_named { import.local == name } else { is_all };
                if !fits {
                    continue;
                }
                // The main file of a Dart library lists the files that it re-exports.
                if wanted.known.family == Family::Dart {
                    let all = site.candidates(name, kind)?;
                    let found: Vec<Candidate<'s>> =
                        site.in_module(&all, &import.module, is_own).into_iter().copied().collect();
                    if n_places(&found) == 1 {
                        return Ok(with_member(wanted.member, found));
                    }
                }
                if depth >= MAX_DEPTH {
                    continue;
                }
                let name = if is_named { import.name } else { name };
                let next = PackageLookup { name, kind, is_of_all: !is_named, ..*wanted };
                let found = self.handed_on(&next, site.scope.path, import.written, depth + 1)?;
                if !found.is_empty() {
                    return Ok(found);
                }
            }
        }
        Ok(Vec::new())
    }

    /// Resolves a name that a module re-exports from another one, in its own package or another
    /// package of the same repository.
    fn handed_on(
        &self,
        wanted: &PackageLookup<'_>,
        from: &BStr,
        module: &str,
        depth: usize,
    ) -> Result<Vec<(usize, Candidate<'s>)>> {
        // Modules that re-export each other's names would be visited in every order.
        let Some(left) = self.hands.get().checked_sub(1) else { return Ok(Vec::new()) };
        self.hands.set(left);
        let family = wanted.known.family;
        let mut handed = nothing();
        if let Some(mut path) = absolute(family, module) {
            path.push(wanted.name.to_owned());
            if wanted.known.covers(&path).is_none() {
                let claim = Claim { path, is_of_all: wanted.is_of_all };
                handed = self.by_package(None, family, &claim, wanted.kind, wanted.is_vendored, depth)?;
            }
        }
        if handed.1.is_empty()
            && let Some(modules) = own_modules(wanted.known, from, module)
        {
            handed = self.in_package(&PackageLookup { within: &modules, ..*wanted }, depth)?;
        }
        let (evidence, mut found) = handed;
        found.retain(|(member, _)| *member == wanted.member && evidence.is_certain());
        Ok(found)
    }
}

/// Returns whether a Kotlin file is in a source set that is never built for the JVM
/// (<https://kotlinlang.org/docs/multiplatform-hierarchy.html>).
fn is_of_other_platform(path: &BStr) -> bool {
    let others: [&[u8]; 10] =
        [b"nonJvm", b"js", b"wasm", b"native", b"apple", b"ios", b"macos", b"linux", b"mingw", b"unix"];
    let sets = path.split_str("/").filter(|one| one.ends_with(b"Main"));
    sets.into_iter().any(|set| others.iter().any(|other| set.starts_with(other)))
}

/// Returns the first chunk of the file that stands for a module of a package.
fn module_file(graph: &Graph<'_, '_>, known: &PackageIdentity, modules: &[String]) -> Option<ChunkRef> {
    known.module_files(modules).into_iter().find_map(|path| {
        let file = graph.index().file_by_path(path.as_str().into())?;
        let ord = file.segment.chunks_of(file.ord).next()?;
        Some(ChunkRef { part: file.part, ord })
    })
}

pub(super) fn is_test(one: &Candidate<'_>) -> bool {
    let chunk = one.file.segment.chunk(one.row.chunk);
    one.file.flags().is_test() || chunk.is_some_and(|chunk| chunk.is_test)
}

/// Returns the number of distinct files and types of candidates. Overloads, and declarations for
/// several systems, count as one.
pub(super) fn n_places(found: &[Candidate<'_>]) -> usize {
    let mut places: Vec<_> = found.iter().map(|one| (one.file.path(), one.owner)).collect();
    places.sort_unstable();
    places.dedup();
    places.len()
}

/// Returns whether two declarations are in the same folder.
pub(super) fn is_near(a: &Candidate<'_>, b: &Candidate<'_>) -> bool {
    folder(a.file.path()) == folder(b.file.path())
}

pub(super) fn with_member(member: usize, found: Vec<Candidate<'_>>) -> Vec<(usize, Candidate<'_>)> {
    found.into_iter().map(|one| (member, one)).collect()
}
