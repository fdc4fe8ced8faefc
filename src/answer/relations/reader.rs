//! The references to and from a declaration, read from the graph and from the source.
//!
//! The graph connects chunks. A chunk may hold several small declarations, so the source is read to
//! find which of them mentions the name, and where.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;

use bstr::{BStr, BString};

use super::places::{ReferencePlaces, Referent};
use super::referrers::{PlaceMatch, Referrers};
use super::rules::{is_file_local, is_member, name_range, reference};
use super::source::FilePlaces;
use super::unresolved::{MentioningFiles, mentioning, mentioning_paths};
use super::words::Remarks;
use super::{
    Place, RelatedPlace, RelatedPlaces, Relation, RelationQuery, RepositoryDeclaration, is_test,
    outside_place, place_of,
};
use crate::answer::view::labels;
use crate::index::chunk::{ChunkKind, DeclarationKind, ReferenceKind, Span, is_document};
use crate::search::Result;
use crate::search::graph::{
    DeclarationRef, Edge, Evidence, Graph, Graphs, Meaning, MethodSet, is_type, overload,
};
use crate::search::query::Sources;
use crate::search::segment::{ChunkRef, DeclarationView, FileView};

/// Guesses below this confidence are dropped. A name with many candidates shares its confidence
/// among them, and says little about any. Not measured on its own; `doc/experiments/references.md`
/// has the precision of lists that are cut here.
pub(crate) const MIN_CONFIDENCE: f64 = 0.1;
/// The kinds of reference by which a mention is resolved.
const MENTIONS: [ReferenceKind; 5] = [
    ReferenceKind::Call,
    ReferenceKind::Type,
    ReferenceKind::Use,
    ReferenceKind::Inherits,
    ReferenceKind::Import,
];
/// Maximum number of places in an answer that are further than one step away.
const MAX_PLACES: usize = 2000;

/// A place that refers to a declaration, for those who walk further.
#[derive(Debug, Clone)]
pub(crate) struct Referrer {
    /// The declaration around the reference; `None` outside of any.
    pub(crate) at: Option<RepositoryDeclaration>,
    /// That declaration's span, or the chunk's.
    pub(crate) span: Span,
    pub(crate) place: Place,
    /// The line where the name is mentioned.
    pub(crate) line: u32,
    pub(crate) kind: ReferenceKind,
    pub(crate) evidence: Evidence,
    pub(crate) is_test: bool,
}

/// Texts that were read, by repository and path; `None` for one that can't be.
type Texts = HashMap<(usize, BString), Option<Arc<str>>>;

/// Returns a text, read if it was not yet.
fn text_of(sources: &[&dyn Sources], texts: &mut Texts, repository: usize, path: &BStr) -> Option<Arc<str>> {
    let read = || sources.get(repository)?.texts(&[path]).pop().flatten();
    texts.entry((repository, path.to_owned())).or_insert_with(read).clone()
}

pub(crate) struct Reader<'r, 'i, 's> {
    graphs: Graphs<'i, 's>,
    /// The sources of the repositories, in their order; none if they can't be read.
    sources: Vec<&'r dyn Sources>,
    texts: Texts,
    /// The places of references in the files that were asked for.
    pub(crate) file_places: HashMap<(usize, BString), FilePlaces>,
    /// What is not code, by file.
    remarks: HashMap<(usize, BString), Rc<Remarks>>,
    /// The types of what arguments call, by repository and name.
    pub(super) results: HashMap<(usize, String), Option<String>>,
    query: &'r RelationQuery,
    left: usize,
    /// Whether every mention is a place of its own; otherwise those of a declaration are one.
    is_each_mention: bool,
}

impl<'r, 'i, 's> Reader<'r, 'i, 's> {
    pub(crate) fn new(
        graphs: Graphs<'i, 's>,
        sources: Vec<&'r dyn Sources>,
        query: &'r RelationQuery,
    ) -> Self {
        let (texts, file_places) = (HashMap::new(), HashMap::new());
        let (remarks, results) = (HashMap::new(), HashMap::new());
        let (left, is_each_mention) = (MAX_PLACES, false);
        Self { graphs, sources, texts, file_places, remarks, results, query, left, is_each_mention }
    }

    /// Makes [`Reader::referrers`] return every mention, not one for each declaration around them.
    /// A mention that is in several chunks is returned for each of them.
    pub(crate) fn with_each_mention(mut self) -> Self {
        self.is_each_mention = true;
        self
    }

    /// The references of the repositories.
    pub(crate) fn graphs(&self) -> &Graphs<'i, 's> {
        &self.graphs
    }

    /// The sources of the repositories, in their order.
    pub(super) fn sources(&self) -> &[&'r dyn Sources] {
        &self.sources
    }

    pub(crate) fn is_type(&self, (repository, at): RepositoryDeclaration) -> bool {
        self.graphs.graph(repository).is_some_and(|graph| graph.is_type(at))
    }

    pub(crate) fn text(&mut self, repository: usize, path: &BStr) -> Option<Arc<str>> {
        text_of(&self.sources, &mut self.texts, repository, path)
    }

    /// What is not code in a file.
    pub(crate) fn remarks(&mut self, repository: usize, file: &FileView<'_>) -> Rc<Remarks> {
        let key = (repository, file.path().to_owned());
        self.remarks.entry(key).or_insert_with(|| Rc::new(Remarks::of(file.language()))).clone()
    }

    /// Returns whether a text was read already, or can't be.
    pub(crate) fn has_text(&self, repository: usize, path: &BStr) -> bool {
        self.texts.contains_key(&(repository, path.to_owned()))
    }

    /// Reads texts in parallel.
    pub(super) fn add_texts(&mut self, repository: usize, paths: &[&BStr]) {
        let Some(sources) = self.sources.get(repository).filter(|_| paths.len() > 1) else { return };
        let read = sources.texts(paths);
        self.texts.extend(paths.iter().map(|path| (repository, (*path).to_owned())).zip(read));
    }

    pub(crate) fn view(&self, (repository, at): RepositoryDeclaration) -> Option<DeclarationView<'s>> {
        let (file, row) = self.graphs.graph(repository)?.declaration(at)?;
        Some(DeclarationView { file, ord: at.ord, row })
    }

    pub(crate) fn list(
        &mut self,
        of: RepositoryDeclaration,
        relation: Relation,
        depth: usize,
        path: &mut Vec<RepositoryDeclaration>,
    ) -> Result<RelatedPlaces> {
        let mut found = match relation {
            Relation::Callers => {
                self.referrers(of, &[ReferenceKind::Call, ReferenceKind::Type, ReferenceKind::Use])?
            }
            Relation::Implementers if self.query.overriders && !self.is_type(of) => self.overriders(of)?,
            Relation::Implementers => self.heirs(of)?,
            Relation::Callees => self.referred(of)?,
        };
        found.retain(is_listed);
        if relation == Relation::Callers && depth == 1 {
            found.extend(self.possible_uses(of, &found)?);
        }
        found.retain(|one| one.edge.evidence.is_certain() || !self.query.certain);
        let target = self.view(of).filter(|target| is_type(target.row.kind));
        let tests = found.iter().map(|one| {
            let is_own = target.zip(one.other).is_some_and(|(target, other)| is_member(&other, &target));
            (self.is_test(one, relation), is_own && one.repository == of.0)
        });
        let mut order: Vec<(usize, (bool, bool))> =
            tests.collect::<Vec<_>>().into_iter().enumerate().collect();
        // Places in other repositories come first, because several repositories were searched for
        // them. The sort is stable: by path, or by appearance.
        order.sort_by_key(|&(at, (test, is_own))| {
            let one = found.get(at);
            let is_certain = one.is_some_and(|one| one.edge.evidence.is_certain());
            let is_document = one.is_some_and(|one| self.is_in_document(one, relation));
            // A type's own methods say least about who uses it.
            (is_document, !is_certain, test, is_own, one.is_some_and(|one| one.repository == of.0))
        });
        let n = order.len();
        let mut items = Vec::new();
        let most = if depth == 1 { usize::MAX } else { self.left };
        for (at, (test, _)) in order.into_iter().take(self.query.limit.min(most)) {
            let Some(one) = found.get(at) else { continue };
            let other = one.other.map(|view| (one.repository, reference(&view)));
            let place = match &one.other {
                Some(view) => Some(place_of(one.repository, view)),
                None => self
                    .graphs
                    .graph(one.repository)
                    // Never a neighbour, of which the chunk has the name.
                    .and_then(|graph| outside_place(one.repository, graph, one.edge.from, one.at)),
            };
            let Some(place) = place else { continue };
            self.left = self.left.saturating_sub(usize::from(depth > 1));
            let mut related = Vec::new();
            if let Some(other) = other.filter(|other| depth < self.query.depth && !path.contains(other)) {
                path.push(other);
                related = self.list(other, relation, depth + 1, path)?.items;
                path.pop();
            }
            items.push(RelatedPlace {
                place,
                at: one.at,
                relation: labels::reference_kind(one.edge.kind),
                how: one.edge.evidence,
                certain: one.edge.evidence.is_certain(),
                confidence: one.edge.confidence,
                test,
                related,
            });
        }
        Ok(RelatedPlaces { more: n.saturating_sub(items.len()), items })
    }

    /// Returns the places that refer to a declaration in one of these ways, guesses included, by
    /// path and line.
    pub(crate) fn referrers_of(
        &mut self,
        of: RepositoryDeclaration,
        kinds: &[ReferenceKind],
    ) -> Result<Vec<Referrer>> {
        let mut found = Vec::new();
        for one in self.referrers(of, kinds)? {
            let (evidence, edge) = (one.edge.evidence, one.edge);
            if !is_listed(&one) {
                continue;
            }
            let Some(graph) = self.graphs.graph(one.repository) else { continue };
            let row = || Some(graph.file_of(edge.from)?.segment.chunk(edge.from.ord)?.span);
            let (place, span) = match &one.other {
                Some(view) => (Some(place_of(one.repository, view)), Some(view.row.span)),
                // Never a neighbour, of which the chunk has the name.
                None => (outside_place(one.repository, graph, edge.from, one.at), row()),
            };
            let (Some(place), Some(span)) = (place, span) else { continue };
            found.push(Referrer {
                at: one.other.map(|v| (one.repository, DeclarationRef { part: v.file.part, ord: v.ord })),
                span,
                place,
                line: one.at,
                kind: edge.kind,
                evidence,
                is_test: is_test(graph, edge.from),
            });
        }
        Ok(found)
    }

    /// Returns the methods of subtypes that replace a method, with the evidence for the subtype.
    /// For one of an interface of Go, those of the types that have all its methods.
    pub(crate) fn overriders_of(&mut self, (home, of): RepositoryDeclaration) -> Result<Vec<Referrer>> {
        let mut found = Vec::new();
        let Some(method) = self.view((home, of)) else { return Ok(found) };
        let Some(owner) = method.row.parent.filter(|_| method.row.kind == DeclarationKind::Method) else {
            return Ok(found);
        };
        let owner = (home, DeclarationRef { part: of.part, ord: owner });
        if !self.is_type(owner) {
            return Ok(found);
        }
        for set in self.method_sets(owner)? {
            let own = set.methods.iter().find(|(asked, _)| *asked == of).map(|(_, own)| *own);
            found.extend(own.and_then(|own| self.by_methods((home, own))));
        }
        for subtype in self.referrers_of(owner, &[ReferenceKind::Inherits])? {
            let Some((repository, at)) = subtype.at else { continue };
            let Some(view) = self.view((repository, at)) else { continue };
            let members = view.file.declarations().filter(|one| one.row.parent == Some(at.ord));
            for one in members.filter(|one| one.name() == method.name()) {
                let at = DeclarationRef { part: one.file.part, ord: one.ord };
                found.push(Referrer {
                    at: Some((repository, at)),
                    span: one.row.span,
                    place: place_of(repository, &one),
                    line: one.row.name_line,
                    kind: ReferenceKind::Inherits,
                    ..subtype.clone()
                });
            }
        }
        Ok(found)
    }

    /// Returns the methods that replace a method, as [`Reader::overriders_of`] does.
    fn overriders(&mut self, of: RepositoryDeclaration) -> Result<Vec<PlaceMatch<'s>>> {
        let found = self.overriders_of(of)?;
        Ok(found.into_iter().filter_map(|one| self.as_heir(one.at?, of.1, one.evidence)).collect())
    }

    /// Returns a type or method as a match of the one that it inherits or replaces.
    fn as_heir(
        &self,
        (repository, at): RepositoryDeclaration,
        to: DeclarationRef,
        evidence: Evidence,
    ) -> Option<PlaceMatch<'s>> {
        let from = self.graphs.graph(repository)?.chunk_of(at)?;
        let other = self.view((repository, at))?;
        let kind = ReferenceKind::Inherits;
        let edge = Edge { from, to, kind, evidence, confidence: evidence.confidence(1) };
        Some(PlaceMatch { repository, edge, at: other.row.name_line, other: Some(other), name: None })
    }

    /// Returns the types that have the methods of an interface of Go as referrers of it.
    pub(crate) fn having_methods_of(
        &mut self,
        (home, interface): RepositoryDeclaration,
    ) -> Result<Vec<Referrer>> {
        let sets = self.method_sets((home, interface))?;
        Ok(sets.into_iter().filter_map(|set| self.by_methods((home, set.of))).collect())
    }

    /// Returns a type or method of Go as a referrer of an interface, which it does not name.
    fn by_methods(&self, at: RepositoryDeclaration) -> Option<Referrer> {
        let view = self.view(at)?;
        let graph = self.graphs.graph(at.0)?;
        Some(Referrer {
            at: Some(at),
            span: view.row.span,
            place: place_of(at.0, &view),
            line: view.row.name_line,
            kind: ReferenceKind::Inherits,
            evidence: Evidence::MethodSet,
            is_test: graph.chunk_of(at.1).is_some_and(|chunk| is_test(graph, chunk)),
        })
    }

    /// Returns the methods of the types that have those of an interface of Go, with as many
    /// parameters.
    pub(crate) fn method_sets(&mut self, (home, interface): RepositoryDeclaration) -> Result<Vec<MethodSet>> {
        let graph = self.graphs.graph(home);
        let mut sets = graph.map(|graph| graph.method_sets(interface)).transpose()?.unwrap_or_default();
        sets.retain(|set| {
            let is_same = |(asked, own): &(DeclarationRef, DeclarationRef)| {
                self.parameters((home, *asked)) == self.parameters((home, *own))
            };
            set.methods.iter().all(is_same)
        });
        Ok(sets)
    }

    /// Returns the types that have the methods of an interface of Go, with as many parameters.
    fn with_its_methods(&mut self, of: RepositoryDeclaration) -> Result<Vec<PlaceMatch<'s>>> {
        let sets = self.method_sets(of)?;
        let heir = |set: MethodSet| self.as_heir((of.0, set.of), of.1, Evidence::MethodSet);
        Ok(sets.into_iter().filter_map(heir).collect())
    }

    /// Returns how many arguments a function takes, if its source says so.
    fn parameters(&mut self, of: RepositoryDeclaration) -> Option<RangeInclusive<usize>> {
        let view = self.view(of)?;
        let text = self.text(of.0, view.file.path())?;
        overload::parameters(&view, &text)
    }

    /// Returns the files of a repository that mention declarations of one name without a resolved
    /// reference to any of them.
    pub(crate) fn mentioned(
        &mut self,
        repository: usize,
        of: &[DeclarationRef],
    ) -> Result<Option<MentioningFiles>> {
        let limit = self.query.limit;
        self.unresolved(repository, of, |graph, targets, resolved, text| {
            mentioning(graph, targets, resolved, text, limit)
        })
    }

    /// Returns all of these files; none if the name is too common.
    pub(crate) fn mentioned_paths(
        &mut self,
        repository: usize,
        of: &[DeclarationRef],
    ) -> Result<Vec<BString>> {
        Ok(self.unresolved(repository, of, mentioning_paths)?.unwrap_or_default())
    }

    /// Returns what `look` finds of declarations of one name outside of the chunks with a reference
    /// that was resolved to one of them, or that certainly means something else.
    fn unresolved<T>(
        &mut self,
        repository: usize,
        of: &[DeclarationRef],
        look: impl FnOnce(
            &Graph<'_, 's>,
            &[DeclarationView<'s>],
            &HashSet<ChunkRef>,
            &mut dyn FnMut(&BStr) -> Option<Arc<str>>,
        ) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let mut resolved = HashSet::new();
        for &at in of {
            resolved.extend(self.resolved((repository, at))?);
        }
        let targets: Vec<_> = of.iter().filter_map(|at| self.view((repository, *at))).collect();
        let Some(graph) = self.graphs.graph(repository) else { return Ok(None) };
        let (sources, texts) = (&self.sources, &mut self.texts);
        look(graph, &targets, &resolved, &mut |path| text_of(sources, texts, repository, path))
    }

    /// Returns the chunks with a reference to a declaration that was resolved, or that certainly
    /// means another one.
    fn resolved(&mut self, of: RepositoryDeclaration) -> Result<HashSet<ChunkRef>> {
        let (home, at) = of;
        let (all, _) = self.with_definitions(of)?;
        let mut resolved = HashSet::new();
        self.graphs.each_mention(home, at, &MENTIONS, |from, meanings| {
            let is_certain = meanings.first().is_some_and(|one| one.resolved.evidence.is_certain());
            let is_shown = |one: &Meaning| {
                all.contains(&(one.repository, one.resolved.to)) && one.resolved.confidence >= MIN_CONFIDENCE
            };
            if is_certain || meanings.iter().any(is_shown) {
                resolved.insert(from);
            }
        })?;
        Ok(resolved)
    }

    fn is_test(&self, one: &PlaceMatch<'_>, relation: Relation) -> bool {
        let Some(graph) = self.graphs.graph(one.repository) else { return false };
        let chunk = match relation {
            Relation::Callees => graph.chunk_of(one.edge.to),
            _ => Some(one.edge.from),
        };
        chunk.is_some_and(|chunk| is_test(graph, chunk))
    }

    /// Returns whether a place is in a document, which may have copies in other languages.
    fn is_in_document(&self, one: &PlaceMatch<'_>, relation: Relation) -> bool {
        let Some(graph) = self.graphs.graph(one.repository) else { return false };
        let file = match relation {
            Relation::Callees => graph.declaration(one.edge.to).map(|(file, _)| file),
            _ => graph.file_of(one.edge.from),
        };
        file.is_some_and(|file| is_document(file.language()))
    }

    /// Returns the types that inherit a type, and those of Go that have the methods of an
    /// interface, each once.
    pub(crate) fn heirs(&mut self, of: RepositoryDeclaration) -> Result<Vec<PlaceMatch<'s>>> {
        let mut found = self.inheritors(of)?;
        let key = |one: &PlaceMatch<'_>| one.other.as_ref().map(|other| (one.repository, reference(other)));
        let known: HashSet<_> = found.iter().filter_map(key).collect();
        let by_methods = self.with_its_methods(of)?.into_iter();
        found.extend(by_methods.filter(|one| key(one).is_none_or(|key| !known.contains(&key))));
        Ok(found)
    }

    /// The declarations that mention this one, each once, with the line. Use
    /// [`Reader::inheritors`] for those that inherit it.
    pub(crate) fn referrers(
        &mut self,
        of: RepositoryDeclaration,
        kinds: &[ReferenceKind],
    ) -> Result<Vec<PlaceMatch<'s>>> {
        let mut found = Referrers::default();
        let (all, are_alternatives) = self.with_definitions(of)?;
        for one in all {
            found.most = if are_alternatives && one != of { Evidence::Alternative } else { Evidence::Class };
            for referent in self.referents(one) {
                // A constructor is called by the name of its type.
                let kinds = if referent.named == one.1 { kinds } else { &[ReferenceKind::Call][..] };
                self.add_referrers(one, &referent, kinds, &mut found)?;
            }
        }
        Ok(found.places)
    }

    /// Returns a declaration, and the definitions of the same function if it is a prototype. They
    /// take as many arguments. Also returns whether each of them is only one of several that it may
    /// announce.
    fn with_definitions(&mut self, of: RepositoryDeclaration) -> Result<(Vec<RepositoryDeclaration>, bool)> {
        let (home, at) = of;
        let definitions = self.graphs.graph(home).map(|graph| graph.definitions_of(at)).transpose()?;
        let definitions = definitions.unwrap_or_default();
        let own = self.view(of);
        let mut all = vec![of];
        for definition in definitions.all {
            let other = (home, definition);
            let Some((own, view)) = own.zip(self.view(other)) else { continue };
            let is_here = (own.file.part, own.file.ord) == (view.file.part, view.file.ord);
            let text = self.text(home, view.file.path());
            let is_hidden = text.is_some_and(|text| is_file_local(&view, &text)) && !is_here;
            let is_overload = match (self.parameters(of), self.parameters(other)) {
                (Some(asked), Some(given)) => !asked.contains(given.end()),
                _ => false,
            };
            if !is_hidden && !is_overload {
                all.push(other);
            }
        }
        Ok((all, definitions.are_alternatives))
    }

    /// Adds the declarations that mention one by a name that it has.
    fn add_referrers(
        &mut self,
        (home, of): RepositoryDeclaration,
        referent: &Referent<'s>,
        kinds: &[ReferenceKind],
        found: &mut Referrers<'s>,
    ) -> Result<()> {
        let own_chunk = self.graphs.graph(home).and_then(|graph| graph.chunk_of(of));
        let edges = self.graphs.incoming(home, referent.named, kinds)?;
        self.read_texts(&edges);
        self.parse_files(&edges, (home, referent.named), referent.called)?;
        for (repository, edge) in edges {
            let is_own_chunk = repository == home && Some(edge.from) == own_chunk;
            match self.places(repository, &edge, referent)? {
                ReferencePlaces::Hidden => {}
                // A chunk that is the declaration says nothing about its users.
                ReferencePlaces::Unread(row) if is_own_chunk && row.kind != ChunkKind::Group => {}
                ReferencePlaces::Unread(row) => {
                    let at = row.span.start_line;
                    found.push(PlaceMatch { repository, edge, other: None, at, name: None });
                }
                ReferencePlaces::Places { file, row, places, is_unseen } => {
                    for one in places.into_iter().filter(|one| self.is_each_mention || !one.is_own) {
                        let name = Some(name_range(one.byte, one.name));
                        let (edge, other, at) = (one.edge, one.around, one.line);
                        let place = PlaceMatch { repository, edge, other, at, name };
                        if self.is_each_mention {
                            found.push(place);
                        } else {
                            found.add(place);
                        }
                    }
                    let Some(ord) = row.declaration.filter(|_| is_unseen && !is_own_chunk) else { continue };
                    let other = file.segment.declaration(ord).map(|row| DeclarationView { file, ord, row });
                    let at = row.span.start_line;
                    let is_itself = |view: &DeclarationView<'_>| (repository, reference(view)) == (home, of);
                    if !other.as_ref().is_some_and(is_itself) {
                        found.push(PlaceMatch { repository, edge, other, at, name: None });
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a place is sure enough to be listed.
pub(crate) fn is_listed(one: &PlaceMatch<'_>) -> bool {
    one.edge.evidence.is_certain() || one.edge.confidence >= MIN_CONFIDENCE
}
