//! Resolves a full name to declarations of another repository.
//!
//! Input: a full name (package, modules, name). Output: the declarations that it means, and the
//! evidence. A declaration at the very place that the name spells out is meant. Packages also
//! re-export names from elsewhere. Then the imports of the file that stands for the module say from
//! where. If they don't (macros, exports by assignment), the only declaration of that name below
//! the module is meant, and of several each may be.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use bstr::{BStr, ByteSlice};

use crate::index::chunk::ReferenceKind;
use crate::search::graph::family::Family;
use crate::search::graph::resolve::drop_constructors;
use crate::search::graph::scope::folder;
use crate::search::graph::{Candidate, Evidence, Graph, Result, fits};
use crate::search::segment::ChunkRef;

use super::claim::Claim;
use super::package::{PackageIdentity, jvm_package, scope_of};
use super::{CrossMatches, nothing};

/// If a package has more declarations of a name than this, none is guessed at.
const MAX_GUESSES: usize = 5;
/// Most modules that are searched for re-exports of one name.
const MAX_MODULES: usize = 200;

/// A lookup of a name in a package.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackageLookup<'w> {
    pub(super) member: usize,
    pub(super) known: &'w PackageIdentity,
    /// Modules and types in the package, before the name.
    pub(super) within: &'w [String],
    pub(super) name: &'w str,
    pub(super) kind: ReferenceKind,
    /// Whether an import of all names of a module leads here.
    pub(super) is_of_all: bool,
    pub(super) is_vendored: bool,
}

/// The packages of one or several repositories, in which one full name is looked up.
pub(in crate::search::graph) struct Lookup<'g, 'i, 's> {
    graphs: Vec<&'g Graph<'i, 's>>,
    /// Number of modules that may still be searched for re-exports.
    left: Cell<usize>,
    /// The modules that were searched, each with the name.
    searched: RefCell<HashSet<(ChunkRef, ReferenceKind, String)>>,
}

impl<'s> Graph<'_, 's> {
    /// Returns the declarations of a name that other packages can see.
    pub(super) fn open_to(
        &self,
        family: Family<'_>,
        name: &str,
        kind: ReferenceKind,
        is_vendored: bool,
    ) -> Result<Vec<Candidate<'s>>> {
        let all = self.candidates(name)?;
        let mut found: Vec<Candidate<'s>> = all
            .iter()
            .filter(|one| one.family == family && fits(kind, one.row.kind) && !one.is_local)
            .filter(|one| is_vendored || !one.file.flags().is_vendored())
            .copied()
            .collect();
        drop_constructors(&mut found);
        Ok(found)
    }
}

impl<'g, 'i, 's> Lookup<'g, 'i, 's> {
    pub(super) fn new(graphs: Vec<&'g Graph<'i, 's>>) -> Self {
        Self { graphs, left: Cell::new(MAX_MODULES), searched: RefCell::default() }
    }

    /// Begins to search a module for a name; returns whether it may be searched. Modules that
    /// re-export each other's names would be visited in every order.
    pub(super) fn begin(&self, module: ChunkRef, kind: ReferenceKind, name: String) -> bool {
        let Some(left) = self.left.get().checked_sub(1) else { return false };
        self.left.set(left);
        self.searched.borrow_mut().insert((module, kind, name))
    }

    /// Resolves a full name in any repository but `home`. Nothing if the name belongs to `home`.
    pub(super) fn claimed(
        &self,
        home: usize,
        family: Family<'_>,
        claim: &Claim,
        kind: ReferenceKind,
        is_vendored: bool,
    ) -> Result<CrossMatches<'s>> {
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

    /// As [`Graph::open_to`], in the repository of the lookup.
    pub(super) fn open_to(&self, wanted: &PackageLookup<'_>) -> Result<Vec<Candidate<'s>>> {
        let Some(graph) = self.graph(wanted.member) else { return Ok(Vec::new()) };
        graph.open_to(wanted.known.family, wanted.name, wanted.kind, wanted.is_vendored)
    }

    pub(super) fn graph(&self, member: usize) -> Option<&'g Graph<'i, 's>> {
        self.graphs.get(member).copied()
    }

    /// Returns the packages of a language, each with its repository.
    fn packages(&self, family: Family<'_>) -> impl Iterator<Item = (usize, &'g PackageIdentity)> {
        let all = self.graphs.iter().enumerate();
        all.flat_map(|(at, &graph)| graph.packages.iter().map(move |known| (at, known)))
            .filter(move |(_, known)| known.family == family)
    }

    fn others(&self, home: usize) -> impl Iterator<Item = usize> + use<> {
        (0..self.graphs.len()).filter(move |&at| at != home)
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
            let Some(graph) = self.graph(member) else { continue };
            let mut found = graph.open_to(Family::Jvm, name, kind, is_vendored)?;
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
            let Some(graph) = self.graph(member) else { continue };
            let mut found = graph.open_to(Family::CSharp, name, kind, is_vendored)?;
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
        // Only a package itself has its aliases, and another one may have the same.
        let is_alias = claim.path.first().is_some_and(|first| first.starts_with('#'));
        if is_alias && home.is_some() {
            return Ok(nothing());
        }
        let is_shared = is_alias && owners.len() > 1;
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
                let evidence = if known.is_common || is_shared { Evidence::InPackage } else { evidence };
                return Ok((evidence, found));
            }
        }
        Ok(nothing())
    }

    /// Resolves a Ruby constant: its full name comes from the modules around it, whatever the file.
    fn in_gem(&self, wanted: &PackageLookup<'_>, path: &[String]) -> Result<CrossMatches<'s>> {
        let Some((_, within)) = path.split_last() else { return Ok(nothing()) };
        let mut found = self.open_to(wanted)?;
        found.retain(|one| wanted.known.inside(one.file.path()).is_some() && scope_of(one) == *within);
        Ok((Evidence::Import, with_member(wanted.member, found)))
    }

    pub(super) fn in_package(&self, wanted: &PackageLookup<'_>, depth: usize) -> Result<CrossMatches<'s>> {
        let family = wanted.known.family;
        let mut all = self.open_to(wanted)?;
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
        let handed = self.exported(wanted, depth)?;
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
}

/// Returns whether a Kotlin file is in a source set that is never built for the JVM
/// (<https://kotlinlang.org/docs/multiplatform-hierarchy.html>).
fn is_of_other_platform(path: &BStr) -> bool {
    let others: [&[u8]; 10] =
        [b"nonJvm", b"js", b"wasm", b"native", b"apple", b"ios", b"macos", b"linux", b"mingw", b"unix"];
    let sets = path.split_str("/").filter(|one| one.ends_with(b"Main"));
    sets.into_iter().any(|set| others.iter().any(|other| set.starts_with(other)))
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
