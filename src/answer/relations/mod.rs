//! The references to and from a declaration, with lines: a question → lists of places.
//!
//! Owns the question ([`RelationQuery`]) and the answer ([`Relations`]). `relation_reader` finds
//! the places.

pub(in crate::answer) mod field_name;
pub(in crate::answer) mod matching;
pub(in crate::answer) mod members;
pub(in crate::answer) mod name_at;
pub(in crate::answer) mod places;
pub(in crate::answer) mod question;
pub(in crate::answer) mod reader;
pub(in crate::answer) mod rules;
pub(in crate::answer) mod source;
pub(in crate::answer) mod targets;
pub(in crate::answer) mod unresolved;
pub(in crate::answer) mod words;

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};
use serde::Serialize;

use crate::answer::results::origin;
use crate::answer::view::labels;
use crate::index::chunk::ReferenceKind;
use crate::search::graph::{DeclarationRef, Graph, Graphs, manifests};
use crate::search::query::Sources;
use crate::search::segment::{ChunkRef, DeclarationView, Index};
use crate::search::{Result, Searcher};
use reader::Reader;
use unresolved::MentioningFiles;

/// Maximum number of declarations of one name in an answer.
pub(in crate::answer) const MAX_SYMBOLS: usize = 20;
/// Maximum depth of relations of relations.
pub const MAX_DEPTH: usize = 8;

/// A declaration of one of the repositories.
pub(in crate::answer) type At = (usize, DeclarationRef);

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
    /// Files of its repository that mention its name without a resolved reference. Absent if its
    /// callers were not asked for, or if the name is a common word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mentioned: Option<MentioningFiles>,
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
/// followed into the others by their imports. Each place says which repository it is in. If no
/// declaration has that name, fields and alternatives that the index leaves out are looked for.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub fn relations(repositories: &[&Searcher], query: &RelationQuery) -> Result<Relations> {
    let indexes: Vec<Index<'_>> = repositories.iter().map(|searcher| searcher.index()).collect();
    let graphs = graphs_of(repositories, &indexes);
    let mut found: Vec<At> = Vec::new();
    for at in 0..graphs.len() {
        let declared = graphs.graph(at).map(|graph| graph.find_most_used(&query.symbol)).transpose()?;
        found.extend(declared.into_iter().flatten().map(|one| (at, one)));
    }
    if found.is_empty() {
        return members::relations(repositories, &graphs, query);
    }
    let more = found.len().saturating_sub(MAX_SYMBOLS);
    let symbols = relations_in(sources_of(repositories), graphs, found.into_iter().take(MAX_SYMBOLS), query)?;
    Ok(Relations { symbols: symbols.into_iter().map(|(_, symbol)| symbol).collect(), more })
}

/// The place of a declaration in one of several repositories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeclaredAt<'p> {
    /// The position of its repository.
    pub repository: usize,
    /// Source path.
    pub path: &'p BStr,
    /// Line of its name.
    pub line: u32,
    /// Its name.
    pub name: &'p str,
}

/// As [`relations`], for the declarations of a name at a line, whatever symbol the query names.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub fn relations_at(
    repositories: &[&Searcher],
    at: DeclaredAt<'_>,
    query: &RelationQuery,
) -> Result<Vec<SymbolRelations>> {
    let indexes: Vec<Index<'_>> = repositories.iter().map(|searcher| searcher.index()).collect();
    let graphs = graphs_of(repositories, &indexes);
    let file = indexes.get(at.repository).and_then(|index| index.file_by_path(at.path));
    let found = file.into_iter().flat_map(|file| file.declarations());
    let found = found.filter(|one| one.row.name_line == at.line && one.name() == at.name);
    let found = found.map(|one| (at.repository, DeclarationRef { part: one.file.part, ord: one.ord }));
    let symbols = relations_in(sources_of(repositories), graphs, found, query)?;
    Ok(symbols.into_iter().map(|(_, symbol)| symbol).collect())
}

/// The declarations that a symbol means, in the order in which its references are listed.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub fn declared(searcher: &Searcher, symbol: &str) -> Result<Vec<DeclarationRef>> {
    let indexes = [searcher.index()];
    let graphs = graphs_of(&[searcher], &indexes);
    Ok(graphs.graph(0).map(|graph| graph.find_most_used(symbol)).transpose()?.unwrap_or_default())
}

/// The sources of repositories, in their order.
pub(in crate::answer) fn sources_of<'r>(repositories: &[&'r Searcher]) -> Vec<&'r dyn Sources> {
    repositories.iter().map(|&one| one as &dyn Sources).collect()
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

/// The relations of declarations of one repository, whatever symbol the query names. `graphs` are
/// the references of that repository.
pub(crate) fn relations_of<'s>(
    searcher: &Searcher,
    graphs: Graphs<'_, 's>,
    of: impl Iterator<Item = DeclarationRef>,
    query: &RelationQuery,
) -> Result<Vec<(DeclarationView<'s>, SymbolRelations)>> {
    relations_in(vec![searcher], graphs, of.map(|one| (0, one)), query)
}

fn relations_in<'s>(
    sources: Vec<&dyn Sources>,
    graphs: Graphs<'_, 's>,
    of: impl Iterator<Item = At>,
    query: &RelationQuery,
) -> Result<Vec<(DeclarationView<'s>, SymbolRelations)>> {
    let mut reader = Reader::new(graphs, sources, query);
    let mut symbols = Vec::new();
    for at in of {
        let Some(view) = reader.view(at) else { continue };
        let is_type = reader.is_type(at);
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
            mentioned: None,
        };
        let mentioned =
            if query.relations.contains(&Relation::Callers) { reader.mentioned(at)? } else { None };
        let relations = SymbolRelations { mentioned, ..relations };
        symbols.push((view, relations));
    }
    Ok(symbols)
}

/// A reference seen from its place.
pub(crate) fn forward(kind: ReferenceKind) -> &'static str {
    match kind {
        ReferenceKind::Call => "calls",
        ReferenceKind::Import => "imports",
        ReferenceKind::Type => "refers to",
        ReferenceKind::Inherits => "inherits",
        ReferenceKind::Link => "links to",
        ReferenceKind::Use => "uses",
        ReferenceKind::Gives => "returns or holds",
    }
}

/// A reference seen from its target.
pub(crate) fn backward(kind: ReferenceKind) -> &'static str {
    match kind {
        ReferenceKind::Call => "called by",
        ReferenceKind::Import => "imported by",
        ReferenceKind::Type => "referred to by",
        ReferenceKind::Inherits => "inherited by",
        ReferenceKind::Link => "linked from",
        ReferenceKind::Use => "used by",
        ReferenceKind::Gives => "returned or held by",
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

/// A line of a chunk outside of any declaration.
pub(in crate::answer) fn outside_place(
    repository: usize,
    graph: &Graph<'_, '_>,
    chunk: ChunkRef,
    line: u32,
) -> Option<Place> {
    let file = graph.file_of(chunk)?;
    let row = file.segment.chunk(chunk.ord)?;
    Some(Place {
        repository,
        path: file.path().to_str_lossy().into_owned(),
        line,
        end_line: line,
        symbol: String::new(),
        kind: labels::chunk_kind(row.kind).to_owned(),
    })
}

pub(crate) fn is_test(graph: &Graph<'_, '_>, chunk: ChunkRef) -> bool {
    graph.file_of(chunk).is_some_and(|file| {
        file.flags().is_test() || file.segment.chunk(chunk.ord).is_some_and(|row| row.is_test)
    })
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
