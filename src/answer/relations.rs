//! The references to and from a declaration, with lines.
//!
//! The graph connects chunks. A chunk may hold several small declarations, so the source is read to
//! find which of them mentions the name, and where.
//!
//! Longer than 600 lines because callers, callees and implementers read the source by the same
//! rules.

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};
use serde::Serialize;

use super::view::labels;
use crate::index::chunk::{ChunkKind, DeclarationKind, ReferenceKind, Span};
use crate::search::graph::{DeclarationRef, Edge, Graph, Graphs};
use crate::search::segment::{ChunkRef, DeclarationView, Index};

use super::results::origin;
use crate::search::graph::{arity, manifests};
use crate::search::{Result, Searcher};

/// Maximum number of declarations of one name in an answer.
const MAX_SYMBOLS: usize = 20;
/// Guesses below this confidence are dropped.
const MIN_CONFIDENCE: f64 = 0.1;
/// Maximum number of related places in an answer, over all depths.
const MAX_PLACES: usize = 2000;
/// Maximum depth of relations of relations.
pub const MAX_DEPTH: usize = 8;

/// A declaration of one of the repositories.
type At = (usize, DeclarationRef);

/// A way in which declarations are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// Places that call it, construct it, or name it as a type.
    Callers,
    /// Declarations that it calls, constructs, or names.
    Callees,
    /// Types that inherit or implement it.
    Implementers,
}

/// A query for the relations of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RelationQuery {
    /// `name`, `Type.name`, `path:name` or `path:line`.
    pub symbol: String,
    /// Which relations.
    pub relations: BTreeSet<Relation>,
    /// How far relations are followed, from 1 to [`MAX_DEPTH`].
    pub depth: usize,
    /// Most places in each list.
    pub limit: usize,
    /// Whether guesses are left out.
    pub certain: bool,
}

impl RelationQuery {
    /// Asks for all relations of a symbol: one step, at most thirty places in each list, guesses
    /// included.
    pub fn new(symbol: impl Into<String>) -> Self {
        Self {
            symbol: symbol.into(),
            relations: BTreeSet::from([Relation::Callers, Relation::Callees, Relation::Implementers]),
            depth: 1,
            limit: 30,
            certain: false,
        }
    }

    /// Sets which relations are listed.
    #[must_use]
    pub fn with_relations(mut self, relations: BTreeSet<Relation>) -> Self {
        self.relations = relations;
        self
    }

    /// Sets how far relations are followed, from 1 to [`MAX_DEPTH`].
    #[must_use]
    pub fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Sets the maximum number of places in each list.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Sets whether guesses are left out.
    #[must_use]
    pub fn with_certain(mut self, certain: bool) -> Self {
        self.certain = certain;
        self
    }
}

/// The place of a declaration, or of a chunk outside any.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The position of its repository among those searched; 0, which is omitted, is the first.
    #[serde(skip_serializing_if = "is_first")]
    pub repository: usize,
    /// Source path.
    pub path: String,
    /// Line of its name, or its first line if it has none; 1-based.
    pub line: u32,
    /// Its last line.
    pub end_line: u32,
    /// Symbol path; empty outside of declarations.
    pub symbol: String,
    /// Kind of the declaration, or of the chunk.
    pub kind: String,
}

// Serde wants a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_first(repository: &usize) -> bool {
    *repository == 0
}

/// A declaration with its relations. Lists that were not requested are absent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SymbolRelations {
    /// The declaration.
    #[serde(flatten)]
    pub place: Place,
    /// References to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<RelatedPlaces>,
    /// References from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callees: Option<RelatedPlaces>,
    /// Types that inherit or implement it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implementers: Option<RelatedPlaces>,
}

/// Related places, sure ones first, tests last, then those of other repositories last.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct RelatedPlaces {
    /// The first of them.
    pub items: Vec<RelatedPlace>,
    /// How many more there are.
    pub more: usize,
}

/// A related place.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RelatedPlace {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// The line where the name is mentioned.
    pub at: u32,
    /// The kind of reference: `call`, `type`, `inherits`, `import`.
    pub relation: &'static str,
    /// The evidence for it.
    pub how: &'static str,
    /// Whether it is certain; otherwise it is a guess.
    pub certain: bool,
    /// Confidence, from 0 to 1.
    pub confidence: f64,
    /// Whether the place is a test.
    pub test: bool,
    /// Its own relations of the same sort, with a depth above 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<RelatedPlace>,
}

/// The answer about a symbol.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Relations {
    /// The declarations that the symbol means.
    pub symbols: Vec<SymbolRelations>,
    /// Number of further declarations that the symbol means.
    pub more: usize,
}

/// The references to and from a symbol in several repositories. Declarations of one repository are
/// followed into the others by their imports. Each place says which repository it is in. No symbols
/// if no declaration has that name.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub fn relations(repositories: &[&Searcher], query: &RelationQuery) -> Result<Relations> {
    let indexes: Vec<Index<'_>> = repositories.iter().map(|searcher| searcher.index()).collect();
    let graphs = graphs_of(repositories, &indexes);
    let mut found: Vec<At> = Vec::new();
    for at in 0..graphs.len() {
        let declared = graphs.graph(at).map(|graph| graph.find(&query.symbol)).transpose()?;
        found.extend(declared.into_iter().flatten().map(|one| (at, one)));
    }
    let more = found.len().saturating_sub(MAX_SYMBOLS);
    let searchers = repositories.to_vec();
    let symbols = relations_in(searchers, graphs, found.into_iter().take(MAX_SYMBOLS), query)?;
    Ok(Relations { symbols: symbols.into_iter().map(|(_, symbol)| symbol).collect(), more })
}

/// The references of repositories, whose indexes are given in their order.
pub(crate) fn graphs_of<'i, 's>(repositories: &[&'s Searcher], indexes: &'i [Index<'s>]) -> Graphs<'i, 's> {
    let mut graphs = Graphs::default();
    for (index, searcher) in indexes.iter().zip(repositories) {
        let text = |path: &BStr| searcher.text(path);
        let packages = manifests::packages(index, &origin(searcher.repo()), &text);
        graphs.add(Graph::new(index), &packages);
    }
    graphs
}

/// The relations of declarations of one repository, whatever symbol the query names.
pub(crate) fn relations_of<'s>(
    searcher: &Searcher,
    graph: Graph<'_, 's>,
    of: impl Iterator<Item = DeclarationRef>,
    query: &RelationQuery,
) -> Result<Vec<(DeclarationView<'s>, SymbolRelations)>> {
    let mut graphs = Graphs::default();
    graphs.add(graph, &[]);
    relations_in(vec![searcher], graphs, of.map(|one| (0, one)), query)
}

fn relations_in<'s>(
    searchers: Vec<&Searcher>,
    graphs: Graphs<'_, 's>,
    of: impl Iterator<Item = At>,
    query: &RelationQuery,
) -> Result<Vec<(DeclarationView<'s>, SymbolRelations)>> {
    let mut reader = Reader { graphs, searchers, texts: HashMap::new(), query, left: MAX_PLACES };
    let mut symbols = Vec::new();
    for at in of {
        let Some(view) = reader.view(at) else { continue };
        let is_type = reader.graphs.graph(at.0).is_some_and(|graph| graph.is_type(at.1));
        let mut list = |relation: Relation| -> Result<Option<RelatedPlaces>> {
            if !query.relations.contains(&relation) || relation == Relation::Implementers && !is_type {
                return Ok(None);
            }
            reader.list(at, relation, 1, &mut vec![at]).map(Some)
        };
        let relations = SymbolRelations {
            place: place_of(at.0, &view),
            callers: list(Relation::Callers)?,
            callees: list(Relation::Callees)?,
            implementers: list(Relation::Implementers)?,
        };
        symbols.push((view, relations));
    }
    Ok(symbols)
}

/// A reference seen from its place.
pub(crate) fn forward(kind: ReferenceKind) -> &'static str {
    match kind {
        ReferenceKind::Call => "calls",
        ReferenceKind::Import => "imports",
        ReferenceKind::Type => "names",
        ReferenceKind::Inherits => "inherits",
        ReferenceKind::Link => "links to",
        ReferenceKind::Use => "uses",
        ReferenceKind::Gives => "gives",
    }
}

/// A reference seen from its target.
pub(crate) fn backward(kind: ReferenceKind) -> &'static str {
    match kind {
        ReferenceKind::Call => "called by",
        ReferenceKind::Import => "imported by",
        ReferenceKind::Type => "named by",
        ReferenceKind::Inherits => "inherited by",
        ReferenceKind::Link => "linked from",
        ReferenceKind::Use => "used by",
        ReferenceKind::Gives => "given by",
    }
}

/// The declaration that a chunk is or begins with, or the chunk itself.
pub(crate) fn chunk_place(repository: usize, graph: &Graph<'_, '_>, chunk: ChunkRef) -> Option<Place> {
    let file = graph.file_of(chunk)?;
    let row = file.segment.chunk(chunk.ord)?;
    let declaration = row.declaration.and_then(|ord| Some((ord, file.segment.declaration(ord)?)));
    Some(Place {
        repository,
        path: file.path().to_str_lossy().into_owned(),
        line: row.span.start_line,
        end_line: row.span.end_line,
        symbol: declaration.map(|(ord, _)| file.segment.symbol_path(ord)).unwrap_or_default(),
        kind: match declaration {
            Some((_, declaration)) => labels::declaration_kind(declaration.kind),
            None => labels::chunk_kind(row.kind),
        }
        .to_owned(),
    })
}

pub(crate) fn is_test(graph: &Graph<'_, '_>, chunk: ChunkRef) -> bool {
    graph.file_of(chunk).is_some_and(|file| {
        file.flags().is_test() || file.segment.chunk(chunk.ord).is_some_and(|row| row.is_test)
    })
}

/// A place that mentions a name, or the target of a mention.
struct PlaceMatch<'s> {
    /// The repository of the other end.
    repository: usize,
    edge: Edge,
    /// The declaration at the other end; `None` outside of any.
    other: Option<DeclarationView<'s>>,
    at: u32,
}

struct Reader<'r, 'i, 's> {
    graphs: Graphs<'i, 's>,
    searchers: Vec<&'r Searcher>,
    texts: HashMap<(usize, BString), Option<Arc<str>>>,
    query: &'r RelationQuery,
    left: usize,
}

impl<'s> Reader<'_, '_, 's> {
    fn text(&mut self, repository: usize, path: &BStr) -> Option<Arc<str>> {
        let read = || self.searchers.get(repository)?.text(path);
        self.texts.entry((repository, path.to_owned())).or_insert_with(read).clone()
    }

    fn view(&self, (repository, at): At) -> Option<DeclarationView<'s>> {
        let (file, row) = self.graphs.graph(repository)?.declaration(at)?;
        Some(DeclarationView { file, ord: at.ord, row })
    }

    fn list(
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
            Relation::Implementers => self.referrers(of, &[ReferenceKind::Inherits])?,
            Relation::Callees => self.referred(of)?,
        };
        found.retain(|one| {
            one.edge.evidence.is_certain() || !self.query.certain && one.edge.confidence >= MIN_CONFIDENCE
        });
        let tests: Vec<bool> = found.iter().map(|one| self.is_test(one, relation)).collect();
        let mut order: Vec<(usize, bool)> = tests.into_iter().enumerate().collect();
        // Places in other repositories come first, because several repositories were searched for
        // them. The sort is stable: by path, or by appearance.
        order.sort_by_key(|&(at, test)| {
            let one = found.get(at);
            let is_certain = one.is_some_and(|one| one.edge.evidence.is_certain());
            (!is_certain, test, one.is_some_and(|one| one.repository == of.0))
        });
        let n = order.len();
        let mut items = Vec::new();
        for (at, test) in order.into_iter().take(self.query.limit.min(self.left)) {
            let Some(one) = found.get(at) else { continue };
            let at_other = |view: DeclarationView<'_>| DeclarationRef { part: view.file.part, ord: view.ord };
            let other = one.other.map(|view| (one.repository, at_other(view)));
            let place = match &one.other {
                Some(view) => Some(place_of(one.repository, view)),
                None => self
                    .graphs
                    .graph(one.repository)
                    .and_then(|graph| chunk_place(one.repository, graph, one.edge.from)),
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

    fn is_test(&self, one: &PlaceMatch<'_>, relation: Relation) -> bool {
        let Some(graph) = self.graphs.graph(one.repository) else { return false };
        let chunk = match relation {
            Relation::Callees => graph.chunk_of(one.edge.to),
            _ => Some(one.edge.from),
        };
        chunk.is_some_and(|chunk| is_test(graph, chunk))
    }

    /// The declarations that mention this one, each once, with the line.
    fn referrers(&mut self, of: At, kinds: &[ReferenceKind]) -> Result<Vec<PlaceMatch<'s>>> {
        let Some(target) = self.view(of) else { return Ok(Vec::new()) };
        let (home, of) = of;
        let own_text = self.text(home, target.file.path());
        let taken = own_text.and_then(|text| arity::taken(&target, &text));
        let own_chunk = self.graphs.graph(home).and_then(|graph| graph.chunk_of(of));
        let mut found: Vec<PlaceMatch<'s>> = Vec::new();
        for (repository, edge) in self.graphs.incoming(home, of, kinds)? {
            let is_home = repository == home;
            let file = self.graphs.graph(repository).and_then(|graph| graph.file_of(edge.from));
            let Some(file) = file else { continue };
            let Some(row) = file.segment.chunk(edge.from.ord) else { continue };
            let Some(text) = self.text(repository, file.path()) else {
                found.push(PlaceMatch { repository, edge, other: None, at: row.span.start_line });
                continue;
            };
            let lines = mentions(&text, row.span.bytes.start, row.span.bytes.end, target.name(), edge.kind);
            let mut n = 0;
            for (byte, line) in lines {
                let around = enclosing(file.declarations(), |span| span.bytes.contains(byte));
                let own = is_home && around.is_some_and(|one| (one.file.part, one.ord) == (of.part, of.ord));
                // Mentions of a type by its own methods, if they are in one chunk with it.
                let span = target.row.span.bytes;
                let own = own
                    || Some(edge.from) == own_chunk.filter(|_| is_home)
                        && edge.kind != ReferenceKind::Call
                        && span.contains(byte);
                let is_of_kind = edge.kind != ReferenceKind::Inherits
                    || around.is_none_or(|one| !crate::search::graph::is_function(one.row.kind));
                let is_name =
                    around.is_some_and(|one| one.name() == target.name() && one.row.name_line == line);
                if own || is_name || !is_of_kind {
                    continue;
                }
                n += 1;
                // It calls another of its overloads.
                let behind = text.get(byte as usize + target.name().len()..).unwrap_or_default();
                let is_overload = |taken: &RangeInclusive<usize>| {
                    edge.kind == ReferenceKind::Call
                        && arity::passed(behind).is_some_and(|passed| !taken.contains(&passed))
                };
                if taken.as_ref().is_some_and(is_overload) {
                    continue;
                }
                let is_known = found.iter().filter(|known| known.repository == repository).any(|known| {
                    known.other.map(|one| (one.file.part, one.ord))
                        == around.map(|one| (one.file.part, one.ord))
                        && (around.is_some() || known.edge.from == edge.from)
                });
                if !is_known {
                    found.push(PlaceMatch { repository, edge, other: around, at: line });
                }
            }
            // Mentioned by an alias, or in a way that this scan does not see.
            if n == 0 && row.declaration.is_some() && !(is_home && Some(edge.from) == own_chunk) {
                let other = row
                    .declaration
                    .and_then(|ord| Some(DeclarationView { file, ord, row: file.segment.declaration(ord)? }));
                found.push(PlaceMatch { repository, edge, other, at: row.span.start_line });
            }
        }
        Ok(found)
    }

    /// The declarations that this one mentions, in order of their first mention.
    fn referred(&mut self, of: At) -> Result<Vec<PlaceMatch<'s>>> {
        let Some(source) = self.view(of) else { return Ok(Vec::new()) };
        let (home, of) = of;
        let span = source.row.span;
        let text = self.text(home, source.file.path());
        let mut found: Vec<PlaceMatch<'s>> = Vec::new();
        for ord in source.file.segment.chunks_of(source.file.ord) {
            let Some(row) = source.file.segment.chunk(ord) else { continue };
            if row.span.bytes.end <= span.bytes.start || row.span.bytes.start >= span.bytes.end {
                continue;
            }
            for (repository, edge) in self.graphs.outgoing(home, ChunkRef { part: of.part, ord })? {
                if matches!(edge.kind, ReferenceKind::Import | ReferenceKind::Link) {
                    continue;
                }
                let itself = (repository, edge.to) == (home, of);
                let Some(other) = self.view((repository, edge.to)).filter(|_| !itself) else { continue };
                let at = match &text {
                    Some(text) => {
                        let start = row.span.bytes.start.max(span.bytes.start);
                        let end = row.span.bytes.end.min(span.bytes.end);
                        let doc = source.row.doc;
                        let is_said = |one: &(u32, u32)| doc.contains(one.0);
                        let body = source.row.body;
                        let found = match edge.kind {
                            // Calls are in the body; a signature only names types.
                            ReferenceKind::Call if !body.is_empty() => {
                                mentions(text, start.max(body.start), end, other.name(), edge.kind)
                            }
                            _ => mentions(text, start, end, other.name(), edge.kind),
                        };
                        let at = found.into_iter().find(|one| !is_said(one)).map(|one| one.1);
                        // Mentioned by an alias, in a chunk that holds only this declaration.
                        let is_alone = span.bytes.start <= row.span.bytes.start
                            && row.span.bytes.end <= span.bytes.end
                            && row.kind != ChunkKind::Group;
                        at.or_else(|| is_alone.then_some(source.row.name_line))
                    }
                    None => Some(row.span.start_line),
                };
                // A mention outside the declaration belongs to a neighbour in the same chunk.
                let Some(at) = at else { continue };
                // Overloads count as one.
                let here = found.iter().filter(|known| known.repository == repository);
                let is_known = here.filter_map(|known| known.other).any(|known| {
                    known.file.path() == other.file.path() && known.symbol_path() == other.symbol_path()
                });
                if !is_known {
                    found.push(PlaceMatch { repository, edge, other: Some(other), at });
                }
            }
        }
        found.sort_by_key(|one| one.at);
        Ok(found)
    }
}

pub(crate) fn place_of(repository: usize, one: &DeclarationView<'_>) -> Place {
    Place {
        repository,
        path: one.file.path().to_str_lossy().into_owned(),
        line: one.row.name_line,
        end_line: one.row.span.end_line,
        symbol: one.symbol_path(),
        kind: labels::declaration_kind(one.row.kind).to_owned(),
    }
}

/// The innermost of a file's declarations (given in order) around a place, ignoring plain values.
pub(crate) fn enclosing<'s>(
    declarations: impl Iterator<Item = DeclarationView<'s>>,
    is_around: impl Fn(&Span) -> bool,
) -> Option<DeclarationView<'s>> {
    let is_value = |kind| matches!(kind, DeclarationKind::Variant | DeclarationKind::Field);
    declarations.filter(|one| is_around(&one.row.span) && !is_value(one.row.kind)).last()
}

/// Beginnings of lines that are comments or imports.
const REMARKS: [&str; 11] =
    ["//", "/*", "* ", "# ", "-- ", ";;", "import ", "from ", "use ", "pub use ", "using "];

/// The places of a name as a word in a range of a text: bytes and lines. Comments and imports are
/// used only if there is no other place. For calls, only places that are calls are used, if there
/// are any.
pub(crate) fn mentions(text: &str, start: u32, end: u32, name: &str, kind: ReferenceKind) -> Vec<(u32, u32)> {
    let Some(range) = text.get(start as usize..end as usize) else { return Vec::new() };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut all = Vec::new();
    let (mut called, mut perhaps, mut remarks) = (Vec::new(), Vec::new(), Vec::new());
    let mut line = 1 + text.get(..start as usize).map_or(0, |before| before.matches('\n').count());
    let mut counted = 0;
    for (at, _) in range.match_indices(name) {
        let before = range.get(..at).and_then(|before| before.chars().next_back());
        let after = range.get(at + name.len()..).unwrap_or_default();
        if before.is_some_and(is_word) || after.starts_with(is_word) {
            continue;
        }
        line += range.get(counted..at).map_or(0, |between| between.matches('\n').count());
        counted = at;
        let byte = start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        let place = (byte, u32::try_from(line).unwrap_or(u32::MAX));
        let before = range.get(..at).unwrap_or_default();
        let begun =
            before.rfind('\n').map_or(before, |end| before.get(end..).unwrap_or_default()).trim_start();
        if REMARKS.iter().any(|mark| begun.starts_with(mark)) {
            remarks.push(place);
            continue;
        }
        all.push(place);
        if after.starts_with(['(', '!', '<']) || after.starts_with("::") {
            called.push(place);
        } else if after.trim_start().starts_with(['(', '{']) {
            perhaps.push(place);
        }
    }
    // A brace may begin a value, or the body of what returns one.
    if kind != ReferenceKind::Call {
        (called, perhaps) = (Vec::new(), Vec::new());
    }
    [called, perhaps, all, remarks].into_iter().find(|places| !places.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{ReferenceKind, mentions};

    #[test]
    fn names_are_found_as_words() {
        let text = "a get\nget_all()\nx.get(1)\nget\n";
        assert_eq!(mentions(text, 0, 30, "get", ReferenceKind::Call), []);
        let end = u32::try_from(text.len()).unwrap();
        assert_eq!(mentions(text, 0, end, "get", ReferenceKind::Call), [(18, 3)]);
        assert_eq!(mentions(text, 0, 10, "get", ReferenceKind::Call), [(2, 1)]);
        assert_eq!(mentions(text, 16, end, "x", ReferenceKind::Call), [(16, 3)]);
        // Other mentions may stand beside a call; comments count only if there is nothing else.
        let text = "// open it\nopen();\nlater(open);\n";
        let end = u32::try_from(text.len()).unwrap();
        assert_eq!(mentions(text, 0, end, "open", ReferenceKind::Call), [(11, 2)]);
        assert_eq!(mentions(text, 0, end, "open", ReferenceKind::Use), [(11, 2), (25, 3)]);
        assert_eq!(mentions(text, 0, 10, "open", ReferenceKind::Use), [(3, 1)]);
    }
}
