//! Names followed from one repository to another.
//!
//! Owns [`Graphs`]: the references of several repositories. A mention that means nothing at home for certain is looked
//! for in the others, by the full names that the imports of its file make of it (`claim`): what begins like a package
//! of another repository ([`Package`]) is looked for in that package (`lookup`), a header that is included there in
//! what it declares (`headers`). Never is a declaration meant for its name alone. Members of objects are guessed at
//! where the file names their type; a member that is inherited from a type abroad leaves no doubt.
//!
//! Must not: read source text or manifests; those who know the repositories say what their packages are.

mod claim;
mod headers;
mod internal;
mod lookup;
mod package;
#[cfg(test)]
mod tests;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::index::chunk::ReferenceKind;
use crate::search::segment::{ChunkRef, Mention, Part};

use super::family::Family;
use super::module::normal;
use super::resolve::{Site, plain};
use super::types::declared_type;
use super::walk::Edge;
use super::{Candidate, DeclarationRef, Evidence, Graph, Resolved, Result, is_function, is_type};

use claim::{Claim, claims, is_beside};
use headers::{ByName, Seen};
use lookup::{is_near, n_places};
use package::Known;
pub use package::{Ecosystem, Package};

/// Mentions of a file that are looked at for the types it names.
const MAX_MENTIONS: usize = 3000;
/// Supertypes are followed so far up, here and there.
const MAX_SUPERTYPES: usize = 4;
/// More members of a name than this, of types that a file names, are no guess at all.
const MAX_GUESSES: usize = 5;
/// The shortest name of an object that is compared with those of types.
const MIN_RECEIVER: usize = 3;

/// What was found, and how: repositories with declarations.
type Found<'s> = (Evidence, Vec<(usize, Candidate<'s>)>);

fn nothing<'s>() -> Found<'s> {
    (Evidence::Name, Vec::new())
}

/// A segment of a module's name as it is compared.
fn package_key(segment: &str) -> String {
    normal(segment)
}

/// What a mention can mean: a repository, and a declaration there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meaning {
    /// The repository, by the order in which they were added.
    pub repository: usize,
    /// The declaration there.
    pub resolved: Resolved,
}

/// One repository among others.
struct Member<'i, 's> {
    graph: Graph<'i, 's>,
    packages: Vec<Known>,
    by_name: OnceCell<ByName<'s>>,
}

/// Types of other repositories that a file names.
type Named<'s> = Rc<[(usize, Candidate<'s>)]>;

/// What a repository's files ask its own modules for: the repository, the language, the full name, the way of referring, and
/// whether vendored copies are seen.
type Asked = (usize, Family<'static>, Claim, ReferenceKind, bool);
/// What those hand out, and how it was found.
type Handed<'s> = (Evidence, Vec<Candidate<'s>>);

/// The references of several repositories, in the order in which they were added.
#[derive(Default)]
pub struct Graphs<'i, 's> {
    members: Vec<Member<'i, 's>>,
    seen: RefCell<HashMap<(usize, Part, u32), Rc<Seen>>>,
    types: RefCell<HashMap<(usize, Part, u32), Named<'s>>>,
    handed: RefCell<HashMap<Asked, Handed<'s>>>,
    /// How many more modules may be asked for the name that is looked up.
    hands: Cell<usize>,
}

impl<'i, 's> Graphs<'i, 's> {
    /// Adds a repository, with what others import from it.
    pub fn add(&mut self, graph: Graph<'i, 's>, packages: &[Package]) {
        let packages = packages.iter().map(Known::new).collect();
        self.members.push(Member { graph, packages, by_name: OnceCell::new() });
    }

    /// How many repositories there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// One repository's references.
    pub fn graph(&self, repository: usize) -> Option<&Graph<'i, 's>> {
        self.members.get(repository).map(|member| &member.graph)
    }

    fn packages(&self, family: Family<'_>) -> impl Iterator<Item = (usize, &Known)> {
        let all = self.members.iter().enumerate();
        all.flat_map(|(at, member)| member.packages.iter().map(move |known| (at, known)))
            .filter(move |(_, known)| known.family == family)
    }

    /// The declarations that a mention in a chunk of a repository can mean, the best first. What is certain stands
    /// alone; of guesses those at home come first.
    ///
    /// # Errors
    /// [`super::Error::Corrupt`].
    pub fn resolve(&self, home: usize, from: ChunkRef, mention: &Mention<'_>) -> Result<Vec<Meaning>> {
        let Some(graph) = self.graph(home) else { return Ok(Vec::new()) };
        let own = graph.resolve(from, mention)?;
        let is_settled = own.first().is_some_and(|one| one.evidence.is_certain());
        let mut found: Vec<Meaning> =
            own.into_iter().map(|resolved| Meaning { repository: home, resolved }).collect();
        // What lies in the folder of a module may yet not be what that module hands out.
        let is_imported = found.first().is_some_and(|one| one.resolved.evidence == Evidence::Import);
        if is_settled && !is_imported || matches!(mention.kind, ReferenceKind::Link | ReferenceKind::Gives) {
            return Ok(found);
        }
        let (evidence, handed) = self.handed_at_home(home, graph, from, mention)?;
        if !handed.is_empty() && (!is_settled || evidence == Evidence::Import) {
            let confidence = evidence.confidence(handed.len());
            let told = handed.into_iter().map(|one| Resolved { to: one.at, evidence, confidence });
            return Ok(told.map(|resolved| Meaning { repository: home, resolved }).collect());
        }
        if is_settled || self.len() < 2 {
            return Ok(found);
        }
        let (evidence, abroad) = self.abroad(home, graph, from, mention)?;
        // A member of that name at home is as likely as one of whatever types the file names.
        if evidence == Evidence::Mentioned && !found.is_empty() {
            return Ok(found);
        }
        if evidence.is_certain() && !abroad.is_empty() {
            found.clear();
        }
        let confidence = evidence.confidence(n_places(&abroad.iter().map(|one| one.1).collect::<Vec<_>>()));
        found.extend(abroad.into_iter().map(|(repository, one)| Meaning {
            repository,
            resolved: Resolved { to: one.at, evidence, confidence },
        }));
        Ok(found)
    }

    /// What a chunk of a repository refers to, in order of its mentions, with the repositories.
    ///
    /// # Errors
    /// [`super::Error::Corrupt`].
    pub fn outgoing(&self, home: usize, from: ChunkRef) -> Result<Vec<(usize, Edge)>> {
        let segment = self.graph(home).and_then(|graph| graph.index().segment(from.part));
        let mut edges = Vec::new();
        for mention in segment.map(|segment| segment.mentions(from.ord)).transpose()?.unwrap_or_default() {
            for meaning in self.resolve(home, from, &mention)? {
                let Resolved { to, evidence, confidence } = meaning.resolved;
                edges.push((meaning.repository, Edge { from, to, kind: mention.kind, evidence, confidence }));
            }
        }
        Ok(edges)
    }

    /// What refers to a declaration of a repository in these ways: from that repository first, then from the others in
    /// their order; otherwise as [`Graph::incoming`].
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

    /// What refers to a declaration of `home` from the repository `at`.
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
        graph.referring(to, name, kinds, |from, mention| {
            let all = self.resolve(at, from, mention)?.into_iter();
            let mut here = all.filter(|one| one.repository == home && one.resolved.to == to);
            Ok(here.next().map(|one| one.resolved))
        })
    }

    fn abroad(
        &self,
        home: usize,
        graph: &Graph<'i, 's>,
        from: ChunkRef,
        mention: &Mention<'_>,
    ) -> Result<Found<'s>> {
        let Some(site) = graph.site(from)? else { return Ok(nothing()) };
        if let Some(ty) = declared_type(mention) {
            return self.of_declared_type(home, from, &ty, mention);
        }
        let (is_bound, found) = self.named(home, graph, &site, mention)?;
        if !found.1.is_empty() || is_bound {
            return Ok(found);
        }
        let inherited = self.inherited(home, &site, mention)?;
        if !inherited.is_empty() {
            return Ok((Evidence::Inherited, inherited));
        }
        self.member(home, graph, &site, mention)
    }

    /// What a call on an object of a declared type means, if that type is another repository's.
    fn of_declared_type(
        &self,
        home: usize,
        from: ChunkRef,
        ty: &Mention<'_>,
        call: &Mention<'_>,
    ) -> Result<Found<'s>> {
        for one in self.resolve(home, from, ty)? {
            if one.repository != home && one.resolved.evidence.is_certain() {
                return Ok((Evidence::Declared, self.declared_by(one.repository, one.resolved.to, call)?));
            }
        }
        Ok(nothing())
    }

    /// What imports say of a mention, and whether they say so of its name.
    fn named(
        &self,
        home: usize,
        graph: &Graph<'i, 's>,
        site: &Site<'_, '_, 's>,
        mention: &Mention<'_>,
    ) -> Result<(bool, Found<'s>)> {
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
            let found = self.claimed(home, family, claim, mention.kind, is_vendored)?;
            if !found.1.is_empty() && found.0.is_certain() {
                return Ok((is_bound, found));
            }
            if guessed.1.is_empty() {
                guessed = found;
            }
        }
        Ok((is_bound, guessed))
    }

    /// What the type around a mention inherits from a type of another repository, at first or second hand.
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
            qualifier => family.is_self(qualifier).is_some(),
        };
        let Some(graph) = self.graph(home).filter(|_| is_own && !site.class.is_empty()) else {
            return Ok(Vec::new());
        };
        let mut level: Vec<ChunkRef> = Vec::new();
        for one in graph.candidates(site.class)?.iter() {
            let is_here = (one.file.part, one.file.ord) == (site.file.part, site.file.ord);
            if is_here && is_type(one.row.kind) {
                level.push(ChunkRef { part: one.at.part, ord: one.file.segment.chunk_of_name(&one.row) });
            }
        }
        let mut seen = level.clone();
        for _ in 0..MAX_SUPERTYPES {
            let mut next = Vec::new();
            for chunk in level {
                let Some(segment) = graph.index().segment(chunk.part) else { continue };
                for supertype in segment.mentions(chunk.ord)? {
                    if supertype.kind != ReferenceKind::Inherits {
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
                        } else if let Some(chunk) = graph.chunk_of(to).filter(|chunk| !seen.contains(chunk)) {
                            seen.push(chunk);
                            next.push(chunk);
                        }
                    }
                }
            }
            level = next;
        }
        Ok(Vec::new())
    }

    /// The members of a name that a type of a repository declares, or the nearest of its supertypes there.
    fn declared_by(
        &self,
        member: usize,
        of: DeclarationRef,
        mention: &Mention<'_>,
    ) -> Result<Vec<(usize, Candidate<'s>)>> {
        let Some(graph) = self.graph(member) else { return Ok(Vec::new()) };
        let Some((file, row)) = graph.declaration(of) else { return Ok(Vec::new()) };
        let family = Family::of(file.language());
        let mut all = self.open_to(member, family, mention.name, mention.kind, true)?;
        all.retain(|one| is_function(one.row.kind));
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let mut level = vec![file.segment.name(&row).to_owned()];
        let mut seen = level.clone();
        for depth in 0..=MAX_SUPERTYPES {
            let found: Vec<_> = all
                .iter()
                .filter(|one| level.iter().any(|name| name == one.owner))
                .filter(|one| depth > 0 || (one.file.part, one.file.ord) == (file.part, file.ord))
                .map(|one| (member, *one))
                .collect();
            if !found.is_empty() {
                return Ok(found);
            }
            let mut next = Vec::new();
            for name in &level {
                for supertype in graph.supertypes(name, family, (depth == 0).then_some(&file))? {
                    if !seen.contains(&supertype) {
                        seen.push(supertype.clone());
                        next.push(supertype);
                    }
                }
            }
            level = next;
        }
        Ok(Vec::new())
    }

    /// A member of some object: of a type of another repository that the file names.
    fn member(
        &self,
        home: usize,
        graph: &Graph<'i, 's>,
        site: &Site<'_, '_, 's>,
        mention: &Mention<'_>,
    ) -> Result<Found<'s>> {
        let Some(receiver) = mention.qualifier.rsplit(['.', ':', '>', '-']).find(|one| !one.is_empty())
        else {
            return Ok(nothing());
        };
        if mention.kind != ReferenceKind::Call || site.scope.family.is_self(mention.qualifier).is_some() {
            return Ok(nothing());
        }
        let mut found: Vec<(usize, Candidate<'s>)> = Vec::new();
        for (member, named) in self.types_named(home, graph, site)?.iter() {
            let of_type =
                |one: &Candidate<'s>| one.owner == named.file.segment.name(&named.row) && is_near(one, named);
            let all = self.open_to(*member, site.scope.family, mention.name, mention.kind, false)?;
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

    /// The types of other repositories that a file imports or names.
    fn types_named(&self, home: usize, graph: &Graph<'i, 's>, site: &Site<'_, '_, 's>) -> Result<Named<'s>> {
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
                    // What is constructed, and what a name is asked of: `Client()`, `Client.open()`.
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
        let found: Named<'s> = found.into();
        self.types.borrow_mut().insert(key, found.clone());
        Ok(found)
    }
}
