//! References between repositories.
//!
//! Owns [`Graphs`], the references of several repositories. A mention without a certain meaning in
//! its own repository is looked up in the others. The imports of its file turn it into full names
//! (`claim`). A name that begins like a package of another repository ([`Package`]) is looked up in
//! that package (`lookup`, `exports`), and an included header in what it declares (`headers`).
//!
//! **Invariant.** A name alone is never enough. A member of an object is guessed at only if the
//! file names its type. A member inherited from a type of another repository leaves no doubt.
//!
//! Must not: read source text or manifests. Callers supply the packages of each repository.

mod claim;
mod exports;
mod headers;
mod internal;
mod lookup;
mod package;
#[cfg(test)]
mod tests;
mod written;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::index::chunk::{ReferenceKind, embedded_language};
use crate::search::segment::{ChunkRef, Mention, Part};

use super::family::Family;
use super::module::normal;
use super::resolve::{Site, plain};
use super::types::declared_type;
use super::walk::Edge;
use super::{Candidate, DeclarationRef, Evidence, Graph, ResolvedDeclaration, Result, is_function, is_type};

use claim::{claims, is_beside};
use headers::VisibleHeaders;
pub(super) use internal::{LookupKey, ReexportResult};
use lookup::{Lookup, is_near, n_places};
pub(super) use package::PackageIdentity;
pub use package::{Ecosystem, Package};

/// Most mentions of a file that are examined for the types it names.
const MAX_MENTIONS: usize = 3000;
/// Most levels of supertypes that are followed, in each repository.
const MAX_SUPERTYPES: usize = 4;
/// If the types that a file names have more members of a name than this, none is guessed at.
const MAX_GUESSES: usize = 5;
/// Minimum length, in bytes, of an object's name that is compared with names of types.
const MIN_RECEIVER: usize = 3;

/// The declarations for a mention, with their repositories, and the evidence that they share.
type CrossMatches<'s> = (Evidence, Vec<(usize, Candidate<'s>)>);

fn nothing<'s>() -> CrossMatches<'s> {
    (Evidence::Name, Vec::new())
}

/// Returns the form in which segments of a module's name are compared.
fn package_key(segment: &str) -> String {
    normal(segment)
}

/// A possible meaning of a mention: a declaration of some repository.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meaning {
    /// Number of the repository, in the order in which they were added.
    pub repository: usize,
    /// The declaration there.
    pub resolved: ResolvedDeclaration,
}

/// The types of other repositories that a file names.
type NamedTypes<'s> = Rc<[(usize, Candidate<'s>)]>;

/// A mention of a chunk of one of the repositories.
type MentionKey<'s> = (usize, ChunkRef, Mention<'s>);

/// The references of several repositories, in the order in which they were added.
#[derive(Default)]
pub struct Graphs<'i, 's> {
    members: Vec<Graph<'i, 's>>,
    seen: RefCell<HashMap<(usize, Part, u32), Rc<VisibleHeaders>>>,
    types: RefCell<HashMap<(usize, Part, u32), NamedTypes<'s>>>,
    /// What mentions mean. Each declaration of a name asks for those of all mentions.
    meanings: RefCell<HashMap<MentionKey<'s>, Rc<[Meaning]>>>,
}

impl<'i, 's> Graphs<'i, 's> {
    /// Adds a repository, with the packages that others import from it.
    pub fn add(&mut self, mut graph: Graph<'i, 's>, packages: &[Package]) {
        graph.packages = packages.iter().map(PackageIdentity::new).collect();
        self.members.push(graph);
    }

    /// Returns the number of repositories.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns whether there are no repositories.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Returns the references of one repository.
    pub fn graph(&self, repository: usize) -> Option<&Graph<'i, 's>> {
        self.members.get(repository)
    }

    fn lookup(&self) -> Lookup<'_, 'i, 's> {
        Lookup::new(self.members.iter().collect())
    }

    /// Returns the declarations that a mention in a chunk of a repository can mean, best first.
    ///
    /// A certain meaning stands alone. Of guesses, those in the own repository come first.
    ///
    /// # Errors
    /// [`super::Error::Corrupt`].
    pub fn resolve(&self, home: usize, from: ChunkRef, mention: &Mention<'_>) -> Result<Vec<Meaning>> {
        let Some(graph) = self.graph(home) else { return Ok(Vec::new()) };
        let mut own = graph.resolve(from, mention)?;
        let is_imported = own.first().is_some_and(|one| one.evidence == Evidence::Import);
        if is_imported && self.imports_elsewhere(home, graph, from, mention)? {
            own.clear();
        }
        let is_settled =
            own.first().is_some_and(|one| one.evidence.is_certain() || one.evidence == Evidence::Alternative);
        let mut found: Vec<Meaning> =
            own.into_iter().map(|resolved| Meaning { repository: home, resolved }).collect();
        let is_reference = !matches!(mention.kind, ReferenceKind::Link | ReferenceKind::Gives)
            && embedded_language(mention.alias).is_none();
        if is_settled || self.len() < 2 || !is_reference {
            return Ok(found);
        }
        let (evidence, abroad) = self.abroad(home, graph, from, mention)?;
        // A member of that name in the own repository is as likely as one of any type that the file
        // names.
        if evidence == Evidence::Mentioned && !found.is_empty() {
            return Ok(found);
        }
        if evidence.is_certain() && !abroad.is_empty() {
            found.clear();
        }
        let confidence = evidence.confidence(n_places(&abroad.iter().map(|one| one.1).collect::<Vec<_>>()));
        found.extend(abroad.into_iter().map(|(repository, one)| Meaning {
            repository,
            resolved: ResolvedDeclaration { to: one.at, evidence, confidence },
        }));
        Ok(found)
    }

    /// As [`Graphs::resolve`], for a mention that may be asked for again.
    ///
    /// # Errors
    /// [`super::Error::Corrupt`].
    pub fn meanings(&self, home: usize, from: ChunkRef, mention: &Mention<'s>) -> Result<Rc<[Meaning]>> {
        let key = (home, from, *mention);
        if let Some(known) = self.meanings.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found: Rc<[Meaning]> = self.resolve(home, from, mention)?.into();
        self.meanings.borrow_mut().insert(key, found.clone());
        Ok(found)
    }

    /// Returns the references of a chunk, in order of its mentions, with the repositories that they
    /// lead to.
    ///
    /// # Errors
    /// [`super::Error::Corrupt`].
    pub fn outgoing(&self, home: usize, from: ChunkRef) -> Result<Vec<(usize, Edge)>> {
        let segment = self.graph(home).and_then(|graph| graph.index().segment(from.part));
        let mut edges = Vec::new();
        for mention in segment.map(|segment| segment.mentions(from.ord)).transpose()?.unwrap_or_default() {
            for meaning in self.resolve(home, from, &mention)? {
                let ResolvedDeclaration { to, evidence, confidence } = meaning.resolved;
                edges.push((meaning.repository, Edge { from, to, kind: mention.kind, evidence, confidence }));
            }
        }
        Ok(edges)
    }

    /// Returns the references of these kinds to a declaration: from its own repository first, then
    /// from the others in order. Otherwise as [`Graph::incoming`].
    ///
    /// # Errors
    /// [`super::Error::Corrupt`].
    pub fn incoming(
        &self,
        home: usize,
        to: DeclarationRef,
        kinds: &[ReferenceKind],
    ) -> Result<Vec<(usize, Edge)>> {
        let others = (0..self.len()).filter(|&at| at != home);
        let mut edges = Vec::new();
        for at in std::iter::once(home).chain(others) {
            edges.extend(self.incoming_from(at, home, to, kinds)?.into_iter().map(|edge| (at, edge)));
        }
        Ok(edges)
    }

    /// Calls `each` with every mention of a declaration's name in its own repository, by chunk, and
    /// with what it can mean.
    ///
    /// # Errors
    /// [`super::Error::Corrupt`].
    pub fn each_mention(
        &self,
        home: usize,
        of: DeclarationRef,
        kinds: &[ReferenceKind],
        mut each: impl FnMut(ChunkRef, &[Meaning]),
    ) -> Result<()> {
        let Some(graph) = self.graph(home) else { return Ok(()) };
        let Some((file, row)) = graph.declaration(of) else { return Ok(()) };
        let others = graph.other_names(graph, of)?;
        for &kind in kinds {
            for (from, mention) in graph.mentions_of(file.segment.name(&row), &others, kind)? {
                each(from, &self.meanings(home, from, &mention)?);
            }
        }
        Ok(())
    }

    /// Returns the references from the repository `at` to a declaration of `home`.
    ///
    /// # Errors
    /// [`super::Error::Corrupt`].
    pub fn incoming_from(
        &self,
        at: usize,
        home: usize,
        to: DeclarationRef,
        kinds: &[ReferenceKind],
    ) -> Result<Vec<Edge>> {
        let (Some(graph), Some(of)) = (self.graph(at), self.graph(home)) else { return Ok(Vec::new()) };
        let Some((file, row)) = of.declaration(to) else { return Ok(Vec::new()) };
        let name = file.segment.name(&row);
        let others = graph.other_names(of, to)?;
        graph.referring(to, name, &others, kinds, |from, mention| {
            let all = self.meanings(at, from, mention)?;
            let here = all.iter().find(|one| one.repository == home && one.resolved.to == to);
            Ok(here.map(|one| one.resolved))
        })
    }

    /// Returns whether a mention of Go is imported from a module that is not of this repository.
    ///
    /// The folders of an import path may end like those of this repository by chance. Its beginning
    /// says which module is meant, if the repository names its own.
    fn imports_elsewhere(
        &self,
        home: usize,
        graph: &Graph<'i, 's>,
        from: ChunkRef,
        mention: &Mention<'_>,
    ) -> Result<bool> {
        let Some(site) = graph.site(from)?.filter(|site| site.scope.family == Family::Go) else {
            return Ok(false);
        };
        let Some(of_home) = self.members.get(home) else { return Ok(false) };
        let own: Vec<_> = of_home.packages.iter().filter(|one| one.family == Family::Go).collect();
        let local = mention.qualifier.split('.').next().unwrap_or_default();
        let mut imports = site.scope.imports.iter().filter(|import| import.local == local).peekable();
        Ok(!own.is_empty()
            && imports.peek().is_some()
            && !imports.any(|import| own.iter().any(|package| package.has_import(import.written))))
    }

    fn abroad(
        &self,
        home: usize,
        graph: &Graph<'i, 's>,
        from: ChunkRef,
        mention: &Mention<'_>,
    ) -> Result<CrossMatches<'s>> {
        let Some(site) = graph.site(from)? else { return Ok(nothing()) };
        let other = site.in_type_of(mention).map(|other| (other, Mention { alias: "", ..*mention }));
        let (site, mention) = other.as_ref().map_or((&site, mention), |(site, mention)| (site, mention));
        if let Some(ty) = declared_type(mention) {
            return self.of_declared_type(home, from, &ty, mention);
        }
        let (is_bound, found) = self.named(home, graph, site, mention)?;
        if !found.1.is_empty() || is_bound {
            return Ok(found);
        }
        let inherited = self.inherited(home, site, mention)?;
        if !inherited.is_empty() {
            return Ok((Evidence::Inherited, inherited));
        }
        self.member(home, graph, site, mention)
    }

    /// Resolves a call on an object whose declared type belongs to another repository.
    fn of_declared_type(
        &self,
        home: usize,
        from: ChunkRef,
        ty: &Mention<'_>,
        call: &Mention<'_>,
    ) -> Result<CrossMatches<'s>> {
        for one in self.resolve(home, from, ty)? {
            if one.repository != home && one.resolved.evidence.is_certain() {
                return Ok((Evidence::Declared, self.declared_by(one.repository, one.resolved.to, call)?));
            }
        }
        Ok(nothing())
    }

    /// Resolves a mention by the imports of its file, and returns whether an import binds its name.
    fn named(
        &self,
        home: usize,
        graph: &Graph<'i, 's>,
        site: &Site<'_, '_, 's>,
        mention: &Mention<'_>,
    ) -> Result<(bool, CrossMatches<'s>)> {
        let family = site.scope.family;
        if family == Family::C {
            return Ok((false, self.included(home, site, mention)?));
        }
        let (claims, is_bound) = claims(site, mention, None);
        let mut guessed = nothing();
        for claim in &claims {
            let first = claim.path.first().map(String::as_str).unwrap_or_default();
            if is_beside(graph.index(), site, first) {
                continue;
            }
            let is_vendored = site.file.flags().is_vendored();
            let found = self.lookup().claimed(home, family, claim, mention.kind, is_vendored)?;
            if !found.1.is_empty() && found.0.is_certain() {
                return Ok((is_bound, found));
            }
            if guessed.1.is_empty() {
                guessed = found;
            }
        }
        Ok((is_bound, guessed))
    }

    /// Returns the member that the type around a mention inherits from a type of another
    /// repository, directly or through its own supertypes.
    fn inherited(
        &self,
        home: usize,
        site: &Site<'_, '_, 's>,
        mention: &Mention<'_>,
    ) -> Result<Vec<(usize, Candidate<'s>)>> {
        let family = site.scope.family;
        let is_own = match mention.qualifier {
            "" => {
                family.has_implicit_self() && matches!(mention.kind, ReferenceKind::Call | ReferenceKind::Use)
            }
            qualifier => family.is_self(site.file.language(), qualifier).is_some(),
        };
        let Some(graph) = self.graph(home).filter(|_| is_own && !site.class.is_empty()) else {
            return Ok(Vec::new());
        };
        let mut level: Vec<DeclarationRef> = Vec::new();
        for one in graph.candidates(site.class)?.iter() {
            let is_here = (one.file.part, one.file.ord) == (site.file.part, site.file.ord);
            if is_here && is_type(one.row.kind) {
                level.push(one.at);
            }
        }
        let mut seen = level.clone();
        for _ in 0..MAX_SUPERTYPES {
            let mut next = Vec::new();
            for at in level {
                let (Some(chunk), Some((file, row))) = (graph.chunk_of(at), graph.declaration(at)) else {
                    continue;
                };
                for supertype in file.segment.mentions(chunk.ord)? {
                    let is_its_own = supertype.alias == file.segment.name(&row);
                    if supertype.kind != ReferenceKind::Inherits || !is_its_own {
                        continue;
                    }
                    for one in self.resolve(home, chunk, &supertype)? {
                        let to = one.resolved.to;
                        if !one.resolved.evidence.is_certain() {
                            continue;
                        }
                        if one.repository != home {
                            let found = self.declared_by(one.repository, to, mention)?;
                            if !found.is_empty() {
                                return Ok(found);
                            }
                        } else if !seen.contains(&to) {
                            seen.push(to);
                            next.push(to);
                        }
                    }
                }
            }
            level = next;
        }
        Ok(Vec::new())
    }

    /// Returns the members of a name that a type declares, or else the nearest of its supertypes in
    /// that repository.
    fn declared_by(
        &self,
        member: usize,
        of: DeclarationRef,
        mention: &Mention<'_>,
    ) -> Result<Vec<(usize, Candidate<'s>)>> {
        let Some(graph) = self.graph(member) else { return Ok(Vec::new()) };
        let Some((file, row)) = graph.declaration(of) else { return Ok(Vec::new()) };
        let family = Family::of(file.language());
        let mut all = graph.open_to(family, mention.name, mention.kind, true)?;
        all.retain(|one| is_function(one.row.kind));
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let named = graph.candidates(file.segment.name(&row))?;
        let types: Vec<&Candidate<'s>> = named.iter().filter(|one| one.at == of).collect();
        let all: Vec<&Candidate<'s>> = all.iter().collect();
        let mut found = graph.members_of(&all, &types)?;
        if found.is_empty() {
            let inherited = graph.climb(&types, |level| {
                let mut found = Vec::new();
                for supertype in level.iter().filter(|one| one.is_certain) {
                    found.extend(graph.members_of(&all, &[supertype.of])?);
                }
                Ok(Some(found).filter(|found| !found.is_empty()))
            })?;
            found = inherited.unwrap_or_default();
        }
        Ok(found.into_iter().map(|one| (member, *one)).collect())
    }

    /// Guesses a member of an object: one of a type of another repository that the file names.
    fn member(
        &self,
        home: usize,
        graph: &Graph<'i, 's>,
        site: &Site<'_, '_, 's>,
        mention: &Mention<'_>,
    ) -> Result<CrossMatches<'s>> {
        let Some(receiver) = mention.qualifier.rsplit(['.', ':', '>', '-']).find(|one| !one.is_empty())
        else {
            return Ok(nothing());
        };
        let is_self = || site.scope.family.is_self(site.file.language(), mention.qualifier).is_some();
        if mention.kind != ReferenceKind::Call || is_self() {
            return Ok(nothing());
        }
        let mut found: Vec<(usize, Candidate<'s>)> = Vec::new();
        for (member, named) in self.types_named(home, graph, site)?.iter() {
            let of_type =
                |one: &Candidate<'s>| one.owner == named.file.segment.name(&named.row) && is_near(one, named);
            let Some(graph) = self.graph(*member) else { continue };
            let all = graph.open_to(site.scope.family, mention.name, mention.kind, false)?;
            for one in all.into_iter().filter(of_type) {
                if !found.iter().any(|known| known.0 == *member && known.1.at == one.at) {
                    found.push((*member, one));
                }
            }
        }
        let wanted = plain(receiver);
        let is_called_so = |one: &(usize, Candidate<'s>)| {
            wanted.len() >= MIN_RECEIVER && plain(one.1.owner).ends_with(&wanted)
        };
        if found.iter().any(is_called_so) {
            found.retain(is_called_so);
            return Ok((Evidence::Receiver, found));
        }
        let places = n_places(&found.iter().map(|one| one.1).collect::<Vec<_>>());
        Ok(if places > MAX_GUESSES { nothing() } else { (Evidence::Mentioned, found) })
    }

    /// Returns the types of other repositories that a file imports or names.
    fn types_named(
        &self,
        home: usize,
        graph: &Graph<'i, 's>,
        site: &Site<'_, '_, 's>,
    ) -> Result<NamedTypes<'s>> {
        let key = (home, site.file.part, site.file.ord);
        if let Some(known) = self.types.borrow().get(&key) {
            return Ok(known.clone());
        }
        let mut asked = HashSet::new();
        let mut found: Vec<(usize, Candidate<'s>)> = Vec::new();
        for ord in site.file.segment.chunks_of(site.file.ord) {
            let from = ChunkRef { part: site.file.part, ord };
            for mention in site.file.segment.mentions(ord)? {
                let names_type = match mention.kind {
                    ReferenceKind::Type | ReferenceKind::Inherits => true,
                    ReferenceKind::Import => !site.scope.family.imports_all(),
                    // A type is constructed: `Client()`.
                    ReferenceKind::Call => mention.name.starts_with(char::is_uppercase),
                    ReferenceKind::Link | ReferenceKind::Use | ReferenceKind::Gives => false,
                };
                if !names_type || asked.len() >= MAX_MENTIONS || !asked.insert(mention) {
                    continue;
                }
                let Some(site) = graph.site(from)? else { continue };
                let own = graph.resolve(from, &mention)?;
                if own.first().is_some_and(|one| one.evidence.is_certain()) {
                    continue;
                }
                let (_, (evidence, all)) = self.named(home, graph, &site, &mention)?;
                if evidence.is_certain() {
                    found.extend(all.into_iter().filter(|(_, one)| is_type(one.row.kind)));
                }
            }
        }
        found.sort_unstable_by_key(|(member, one)| (*member, one.at));
        found.dedup_by_key(|(member, one)| (*member, one.at));
        let found: NamedTypes<'s> = found.into();
        self.types.borrow_mut().insert(key, found.clone());
        Ok(found)
    }
}
