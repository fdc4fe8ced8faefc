//! The references to and from a declaration, read from the graph and from the source.
//!
//! The graph connects chunks. A chunk may hold several small declarations, so the source is read to
//! find which of them mentions the name, and where.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use bstr::{BStr, BString};

use super::field_name::is_field_name;
use super::mention::{enclosing, mentions};
use super::mention_match::{PlaceContext, RecordedReference, evidence_at};
use super::mentioned::{MentioningFiles, mentioning, mentioning_paths};
use super::reference_places::{FilePlaces, NamedPlace};
use super::relation_rules::{
    chosen, constructed, is_file_local, is_first, is_member, is_receiver, is_visible, known_by, name_range,
    reference,
};
use super::relations::{
    At, Place, RelatedPlace, RelatedPlaces, Relation, RelationQuery, chunk_place, is_test, outside_place,
    place_of,
};
use super::view::labels;
use crate::index::chunk::{ByteRange, DeclarationKind, ReferenceKind, Span};
use crate::search::graph::arity::{CallText, Choice, Overload};
use crate::search::graph::{
    DeclarationRef, Edge, Evidence, Graph, Graphs, Meaning, MethodSet, arity, is_type,
};
use crate::search::segment::{ChunkRef, DeclarationView};
use crate::search::{Result, Searcher};

/// Guesses below this confidence are dropped.
const MIN_CONFIDENCE: f64 = 0.1;
/// The kinds of reference by which a mention is resolved.
const MENTIONS: [ReferenceKind; 5] = [
    ReferenceKind::Call,
    ReferenceKind::Type,
    ReferenceKind::Use,
    ReferenceKind::Inherits,
    ReferenceKind::Import,
];
/// Maximum number of related places in an answer, over all depths.
const MAX_PLACES: usize = 2000;

/// A place that mentions a name, or the target of a mention.
pub(super) struct PlaceMatch<'s> {
    /// The repository of the other end.
    pub(super) repository: usize,
    pub(super) edge: Edge,
    /// The declaration at the other end; `None` outside of any.
    pub(super) other: Option<DeclarationView<'s>>,
    pub(super) at: u32,
    /// The bytes of the name in the text of the place; `None` if the name was not found there.
    pub(super) name: Option<ByteRange>,
}

/// A place that refers to a declaration, for those who walk further.
#[derive(Debug, Clone)]
pub(super) struct Referrer {
    /// The declaration around the reference; `None` outside of any.
    pub(super) at: Option<At>,
    /// That declaration's span, or the chunk's.
    pub(super) span: Span,
    pub(super) place: Place,
    /// The line where the name is mentioned.
    pub(super) line: u32,
    pub(super) kind: ReferenceKind,
    pub(super) evidence: Evidence,
    pub(super) is_test: bool,
}

pub(super) struct Reader<'r, 'i, 's> {
    graphs: Graphs<'i, 's>,
    searchers: Vec<&'r Searcher>,
    texts: HashMap<(usize, BString), Option<Arc<str>>>,
    /// The places of references in the files that were asked for.
    pub(super) places: HashMap<(usize, BString), FilePlaces>,
    query: &'r RelationQuery,
    left: usize,
    /// Whether every mention is a place of its own; otherwise those of a declaration are one.
    is_each_mention: bool,
}

impl<'r, 'i, 's> Reader<'r, 'i, 's> {
    pub(super) fn new(
        graphs: Graphs<'i, 's>,
        searchers: Vec<&'r Searcher>,
        query: &'r RelationQuery,
    ) -> Self {
        let (texts, places) = (HashMap::new(), HashMap::new());
        Self { graphs, searchers, texts, places, query, left: MAX_PLACES, is_each_mention: false }
    }

    /// Makes [`Reader::referrers`] return every mention, not one for each declaration around them.
    /// A mention that is in several chunks is returned for each of them.
    pub(super) fn with_each_mention(mut self) -> Self {
        self.is_each_mention = true;
        self
    }

    /// The references of the repositories.
    pub(super) fn graphs(&self) -> &Graphs<'i, 's> {
        &self.graphs
    }

    pub(super) fn is_type(&self, (repository, at): At) -> bool {
        self.graphs.graph(repository).is_some_and(|graph| graph.is_type(at))
    }

    pub(super) fn text(&mut self, repository: usize, path: &BStr) -> Option<Arc<str>> {
        let read = || self.searchers.get(repository)?.text(path);
        self.texts.entry((repository, path.to_owned())).or_insert_with(read).clone()
    }

    pub(super) fn view(&self, (repository, at): At) -> Option<DeclarationView<'s>> {
        let (file, row) = self.graphs.graph(repository)?.declaration(at)?;
        Some(DeclarationView { file, ord: at.ord, row })
    }

    pub(super) fn list(
        &mut self,
        of: At,
        relation: Relation,
        depth: usize,
        path: &mut Vec<At>,
    ) -> Result<RelatedPlaces> {
        let mut found = match relation {
            Relation::Callers => {
                self.referrers(of, &[ReferenceKind::Call, ReferenceKind::Type, ReferenceKind::Use])?
            }
            Relation::Implementers => {
                let mut found = self.inheritors(of)?;
                found.extend(self.with_its_methods(of)?);
                found
            }
            Relation::Callees => self.referred(of)?,
        };
        found.retain(|one| {
            one.edge.evidence.is_certain() || !self.query.certain && one.edge.confidence >= MIN_CONFIDENCE
        });
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
            // A type's own methods say least about who uses it.
            (!is_certain, test, is_own, one.is_some_and(|one| one.repository == of.0))
        });
        let n = order.len();
        let mut items = Vec::new();
        for (at, (test, _)) in order.into_iter().take(self.query.limit.min(self.left)) {
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
            self.left = self.left.saturating_sub(1);
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
                how: one.edge.evidence.name(),
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
    pub(super) fn referrers_of(&mut self, of: At, kinds: &[ReferenceKind]) -> Result<Vec<Referrer>> {
        let mut found = Vec::new();
        for one in self.referrers(of, kinds)? {
            let (evidence, edge) = (one.edge.evidence, one.edge);
            if !evidence.is_certain() && edge.confidence < MIN_CONFIDENCE {
                continue;
            }
            let Some(graph) = self.graphs.graph(one.repository) else { continue };
            let row = || Some(graph.file_of(edge.from)?.segment.chunk(edge.from.ord)?.span);
            let (place, span) = match &one.other {
                Some(view) => (Some(place_of(one.repository, view)), Some(view.row.span)),
                None => (chunk_place(one.repository, graph, edge.from), row()),
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
    pub(super) fn overriders_of(&mut self, (home, of): At) -> Result<Vec<Referrer>> {
        let mut found = Vec::new();
        let Some(method) = self.view((home, of)) else { return Ok(found) };
        let Some(owner) = method.row.parent.filter(|_| method.row.kind == DeclarationKind::Method) else {
            return Ok(found);
        };
        let owner = (home, DeclarationRef { part: of.part, ord: owner });
        if !self.is_type(owner) {
            return Ok(found);
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

    /// Returns the methods of the types that have those of an interface of Go, with as many
    /// parameters.
    pub(super) fn method_sets(&mut self, (home, interface): At) -> Result<Vec<MethodSet>> {
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
    pub(super) fn with_its_methods(&mut self, of: At) -> Result<Vec<PlaceMatch<'s>>> {
        let (home, interface) = of;
        let mut found = Vec::new();
        for set in self.method_sets(of)? {
            let from = self.graphs.graph(home).and_then(|graph| graph.chunk_of(set.of));
            let (Some(other), Some(from)) = (self.view((home, set.of)), from) else { continue };
            let (evidence, kind) = (Evidence::MethodSet, ReferenceKind::Inherits);
            let edge = Edge { from, to: interface, kind, evidence, confidence: evidence.confidence(1) };
            let at = other.row.name_line;
            found.push(PlaceMatch { repository: home, edge, at, other: Some(other), name: None });
        }
        Ok(found)
    }

    /// Returns how many arguments a function takes, if its source says so.
    fn parameters(&mut self, of: At) -> Option<RangeInclusive<usize>> {
        let view = self.view(of)?;
        let text = self.text(of.0, view.file.path())?;
        arity::parameters(&view, &text)
    }

    /// Returns the files of a declaration's repository that mention it without a resolved
    /// reference.
    pub(super) fn mentioned(&mut self, of: At) -> Result<Option<MentioningFiles>> {
        let Some(target) = self.view(of) else { return Ok(None) };
        let resolved = self.resolved(of)?;
        let Some(index) = self.graphs.graph(of.0).map(Graph::index) else { return Ok(None) };
        mentioning(index, &target, &resolved, &mut |path| self.text(of.0, path))
    }

    /// Returns all of these files; none if the name is too common.
    pub(super) fn mentioned_paths(&mut self, of: At) -> Result<Vec<BString>> {
        let Some(target) = self.view(of) else { return Ok(Vec::new()) };
        let resolved = self.resolved(of)?;
        let Some(index) = self.graphs.graph(of.0).map(Graph::index) else { return Ok(Vec::new()) };
        let found = mentioning_paths(index, &target, &resolved, &mut |path| self.text(of.0, path))?;
        Ok(found.unwrap_or_default())
    }

    /// Returns the chunks with a reference to a declaration that was resolved, or that certainly
    /// means another one.
    fn resolved(&self, of: At) -> Result<HashSet<ChunkRef>> {
        let (home, at) = of;
        let mut resolved = HashSet::new();
        self.graphs.each_mention(home, at, &MENTIONS, |from, meanings| {
            let is_certain = meanings.first().is_some_and(|one| one.resolved.evidence.is_certain());
            let is_shown = |one: &Meaning| {
                (one.repository, one.resolved.to) == of && one.resolved.confidence >= MIN_CONFIDENCE
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

    /// The types that inherit a type, each once, with the line that says so.
    pub(super) fn inheritors(&mut self, of: At) -> Result<Vec<PlaceMatch<'s>>> {
        let (home, to) = of;
        let mut found: Vec<PlaceMatch<'s>> = Vec::new();
        for (repository, edge) in self.graphs.incoming(home, to, &[ReferenceKind::Inherits])? {
            let file = self.graphs.graph(repository).and_then(|graph| graph.file_of(edge.from));
            let Some(file) = file else { continue };
            let Some(chunk) = file.segment.chunk(edge.from.ord) else { continue };
            let text = self.text(repository, file.path());
            for mention in file.segment.mentions(edge.from.ord)? {
                if mention.kind != ReferenceKind::Inherits {
                    continue;
                }
                let meanings = self.graphs.resolve(repository, edge.from, &mention)?;
                let Some(meaning) = meanings.iter().find(|one| (one.repository, one.resolved.to) == of)
                else {
                    continue;
                };
                // The mention says which type inherits.
                let is_heir = |one: &DeclarationView<'_>| {
                    let span = one.row.span.bytes;
                    one.name() == mention.alias
                        && is_type(one.row.kind)
                        && span.start < chunk.span.bytes.end
                        && span.end > chunk.span.bytes.start
                        && (repository, reference(one)) != of
                };
                let Some(heir) = file.declarations().filter(is_heir).last() else { continue };
                let is_heir = |one: &DeclarationView<'_>| reference(one) == reference(&heir);
                if found
                    .iter()
                    .any(|one| one.repository == repository && one.other.as_ref().is_some_and(is_heir))
                {
                    continue;
                }
                let span = heir.row.span.bytes;
                let lines = text.as_deref().map(|text| {
                    let start = span.start.max(chunk.span.bytes.start);
                    mentions(text, start, span.end, mention.name, edge.kind)
                });
                let named = lines.into_iter().flatten().map(|(_, line)| line);
                let at = named.filter(|line| *line >= heir.row.name_line).min().unwrap_or(heir.row.name_line);
                let edge = Edge {
                    evidence: meaning.resolved.evidence,
                    confidence: meaning.resolved.confidence,
                    ..edge
                };
                found.push(PlaceMatch { repository, edge, other: Some(heir), at, name: None });
            }
        }
        Ok(found)
    }

    /// The references of a chunk to the name of a declaration, as an edge found them, with what
    /// each means.
    fn recorded(
        &self,
        repository: usize,
        edge: &Edge,
        of: At,
        lines: &[(u32, u32, &'s str)],
    ) -> Result<Vec<RecordedReference<'s>>> {
        let Some(graph) = self.graphs.graph(repository) else { return Ok(Vec::new()) };
        let Some(segment) = graph.index().segment(edge.from.part) else { return Ok(Vec::new()) };
        let named: Vec<_> = segment
            .mentions(edge.from.ord)?
            .into_iter()
            .filter(|one| one.kind == edge.kind)
            .filter(|one| lines.iter().any(|(_, _, name)| one.name == *name))
            .collect();
        let mut recorded = Vec::new();
        for mention in &named {
            let evidence = if named.len() == 1 {
                Some(edge.evidence)
            } else {
                let meanings = self.graphs.resolve(repository, edge.from, mention)?;
                let meant = meanings.iter().find(|one| (one.repository, one.resolved.to) == of);
                meant.map(|one| one.resolved.evidence)
            };
            let (qualifier, alias) = (mention.qualifier, mention.alias);
            let own_type = graph.own_type(edge.from, mention)?;
            recorded.push(RecordedReference { qualifier, alias, own_type, evidence });
        }
        Ok(recorded)
    }

    /// The places of a name in the chunk of an edge, as far as the words of its text say.
    fn written_places(
        &self,
        repository: usize,
        edge: &Edge,
        of: At,
        called: &'s str,
        text: &str,
    ) -> Result<Vec<NamedPlace<'s>>> {
        let Some(file) = self.graphs.graph(repository).and_then(|graph| graph.file_of(edge.from)) else {
            return Ok(Vec::new());
        };
        let Some(row) = file.segment.chunk(edge.from.ord) else { return Ok(Vec::new()) };
        let lines_of = |name: &'s str| {
            let found = mentions(text, row.span.bytes.start, row.span.bytes.end, name, edge.kind);
            found.into_iter().map(move |(byte, line)| (byte, line, name))
        };
        let mut lines: Vec<(u32, u32, &str)> = lines_of(called).collect();
        // An import may give it another name.
        if lines.is_empty() {
            lines = self.aliases(repository, edge, of)?.into_iter().flat_map(lines_of).collect();
        }
        let recorded = self.recorded(repository, edge, of, &lines)?;
        let starts: Vec<u32> = lines.iter().map(|one| one.0).collect();
        let evidence = evidence_at(&recorded, text, &starts, |byte| PlaceContext::of(&file, byte));
        let places = lines.into_iter().zip(evidence);
        Ok(places.map(|((byte, line, name), evidence)| NamedPlace { byte, line, name, evidence }).collect())
    }

    /// The names by which a chunk refers to a declaration.
    fn aliases(&self, repository: usize, edge: &Edge, of: At) -> Result<Vec<&'s str>> {
        let mut names = Vec::new();
        let Some(graph) = self.graphs.graph(repository) else { return Ok(names) };
        let Some(segment) = graph.index().segment(edge.from.part) else { return Ok(names) };
        for mention in segment.mentions(edge.from.ord)? {
            if mention.kind != edge.kind || names.contains(&mention.name) {
                continue;
            }
            let meanings = self.graphs.resolve(repository, edge.from, &mention)?;
            if meanings.iter().any(|one| (one.repository, one.resolved.to) == of) {
                names.push(mention.name);
            }
        }
        Ok(names)
    }

    /// The declarations that mention this one, each once, with the line. Use
    /// [`Reader::inheritors`] for those that inherit it.
    pub(super) fn referrers(&mut self, of: At, kinds: &[ReferenceKind]) -> Result<Vec<PlaceMatch<'s>>> {
        let mut found: Vec<PlaceMatch<'s>> = Vec::new();
        let Some(target) = self.view(of) else { return Ok(found) };
        let constructed = constructed(&target).and_then(|ty| self.view((of.0, ty)));
        if constructed.is_none_or(|ty| ty.name() != target.name()) {
            self.add_referrers(of, of.1, target.name(), kinds, &mut found)?;
        }
        // A constructor is called by the name of its type.
        if let Some(ty) = constructed {
            let kinds = [ReferenceKind::Call];
            self.add_referrers(of, reference(&ty), ty.name(), &kinds, &mut found)?;
        }
        Ok(found)
    }

    /// Adds the declarations that mention a declaration by the name of `named`.
    fn add_referrers(
        &mut self,
        of: At,
        named: DeclarationRef,
        called: &'s str,
        kinds: &[ReferenceKind],
        found: &mut Vec<PlaceMatch<'s>>,
    ) -> Result<()> {
        let Some(target) = self.view(of) else { return Ok(()) };
        let (home, of) = of;
        let own_text = self.text(home, target.file.path());
        let overload = own_text.as_deref().and_then(|text| Overload::of(&target, text));
        let is_static = own_text.as_deref().is_some_and(|text| is_file_local(&target, text));
        let own_chunk = self.graphs.graph(home).and_then(|graph| graph.chunk_of(of));
        let is_each_mention = self.is_each_mention;
        for (repository, edge) in self.graphs.incoming(home, named, kinds)? {
            let is_home = repository == home;
            let file = self.graphs.graph(repository).and_then(|graph| graph.file_of(edge.from));
            let Some(file) = file else { continue };
            if is_static && !(is_home && (file.part, file.ord) == (target.file.part, target.file.ord)) {
                continue;
            }
            let Some(row) = file.segment.chunk(edge.from.ord) else { continue };
            let Some(text) = self.text(repository, file.path()) else {
                let at = row.span.start_line;
                found.push(PlaceMatch { repository, edge, other: None, at, name: None });
                continue;
            };
            let (mut n, mut is_received) = (0, false);
            let exact = self.named_places(repository, &edge, (home, named), (called, named != of))?;
            let exact = exact.filter(|places| named != of || !places.is_empty());
            let is_exact = exact.is_some();
            let places = match exact {
                Some(exact) => exact,
                None => self.written_places(repository, &edge, (home, named), called, &text)?,
            };
            for NamedPlace { byte, line, name, evidence } in places {
                let around = enclosing(file.declarations(), |span| span.bytes.contains(byte));
                let is_other = !is_exact
                    && (around.is_some_and(|one| one.row.doc.contains(byte))
                        || target.row.kind != DeclarationKind::Field
                            && is_field_name(&file, around.as_ref(), &text, byte, name));
                let Some(evidence) =
                    evidence.filter(|_| !is_other && is_visible(&target, &file, &text, byte))
                else {
                    // The name means something else here.
                    n += 1;
                    continue;
                };
                let edge = if evidence == edge.evidence { edge } else { known_by(edge, evidence) };
                let own = is_home && around.is_some_and(|one| (one.file.part, one.ord) == (of.part, of.ord));
                // Mentions of a type by its own methods, if they are in one chunk with it.
                let span = target.row.span.bytes;
                let own = own
                    || Some(edge.from) == own_chunk.filter(|_| is_home)
                        && edge.kind != ReferenceKind::Call
                        && span.contains(byte);
                let is_name = !is_exact
                    && around.is_some_and(|one| {
                        one.name() == name && one.row.name_line == line && is_first(&text, byte, name)
                    });
                let receives = around.is_some_and(|one| is_receiver(&one, &target, &text, byte));
                is_received |= receives;
                if is_name || !is_each_mention && (own || receives) {
                    continue;
                }
                n += 1;
                let behind = text.get(byte as usize + name.len()..).unwrap_or_default();
                let start = around.map_or(0, |one| one.row.span.bytes.start as usize);
                let before = text.get(start..byte as usize).unwrap_or_default();
                let call = CallText { before, file: &text };
                let choice = overload.as_ref().map_or(Choice::This, |one| one.choice(behind, call));
                let Some(edge) = chosen(edge, choice) else { continue };
                let name = Some(name_range(byte, name));
                let place = PlaceMatch { repository, edge, other: around, at: line, name };
                if is_each_mention {
                    found.push(place);
                } else {
                    add(found, place);
                }
            }
            // Mentioned by an alias, or in a way that this scan does not see.
            if n == 0
                && !is_received
                && row.declaration.is_some()
                && !(is_home && Some(edge.from) == own_chunk)
            {
                let other = row
                    .declaration
                    .and_then(|ord| Some(DeclarationView { file, ord, row: file.segment.declaration(ord)? }));
                let at = row.span.start_line;
                found.push(PlaceMatch { repository, edge, other, at, name: None });
            }
        }
        Ok(())
    }
}

/// Adds a place that mentions a declaration. Of the places in one declaration, the surest stays.
fn add<'s>(found: &mut Vec<PlaceMatch<'s>>, place: PlaceMatch<'s>) {
    let around = |one: &PlaceMatch<'s>| one.other.map(|one| (one.file.part, one.ord));
    let known = found.iter_mut().filter(|known| known.repository == place.repository).find(|known| {
        around(known) == around(&place) && (place.other.is_some() || known.edge.from == place.edge.from)
    });
    match known {
        // Another line of it leaves less doubt.
        Some(known) if place.edge.evidence < known.edge.evidence => {
            (known.edge, known.at, known.name) = (place.edge, place.at, place.name);
        }
        Some(_) => {}
        None => found.push(place),
    }
}
