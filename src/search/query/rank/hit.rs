//! From a ranked candidate to a hit: path, name, kind and lines.
//!
//! Reads the index only. A hit's contributions stay empty unless the query asks for explanations.
//! The name of a hit is the declaration that the query names, since a chunk of several declarations
//! may begin with any of them.

use crate::index::chunk::{ChunkKind, ReferenceKind, Span};
use crate::search::graph::is_function;
use crate::search::segment::{Part, Segment};

use super::candidates::Candidate;
use super::recalled::Recalled;
use super::relevance::N_FACTS;
use crate::search::query::{ChunkRef, Direction, Hit};

/// Returns the hit for a candidate; `None` if its file or chunk does not exist.
pub(super) fn hit(recalled: &Recalled<'_>, candidate: &Candidate) -> Option<Hit> {
    let ChunkRef { part, ord } = candidate.chunk;
    let file = recalled.candidates.files().get(candidate.file)?.file;
    let row = file.segment.chunk(ord)?;
    // The first declaration of a chunk is arbitrary, so a hit is called by the one that the query
    // names. A long text names much that it does not ask for, so there this holds only for groups.
    let is_long = recalled.parsed.kind.is_long();
    let named = recalled.words.defined.get(&candidate.chunk).map(|defined| defined.declaration);
    let named = named.filter(|named| {
        row.kind == ChunkKind::Group || !is_long && row.declaration.is_some_and(|first| first != *named)
    });
    let named = named.map(|at| if is_long { around_local(file.segment, at, &row.span) } else { at });
    let first = row.declaration.map(|at| around_local(file.segment, at, &row.span));
    let named_or_first = named.or(first);
    let declaration = named_or_first.and_then(|d| file.segment.declaration(d));
    let lines = recalled.named.get(&(part, file.ord)).into_iter().flat_map(|file| file.lines_of(ord));
    Some(Hit {
        path: file.path().to_owned(),
        language: file.language().to_owned(),
        span: row.span,
        chunk_kind: row.kind,
        declaration_kind: declaration.map(|d| d.kind),
        symbol: named_or_first.map(|d| file.segment.symbol_path(d)).unwrap_or_default(),
        lines: lines.map(|one| one.line).collect(),
        named,
        relation: relation(recalled, candidate.chunk),
        score: candidate.score,
        relevance: 0.0,
        facts: [0.0; N_FACTS],
        contributions: Vec::new(),
        moved: None,
        also: Vec::new(),
        copies: Vec::new(),
        in_overlay: part == Part::Overlay,
        chunk: candidate.chunk,
    })
}

/// Returns how a chunk answers a question for the references of a symbol.
fn relation(recalled: &Recalled<'_>, chunk: ChunkRef) -> Option<String> {
    let related = recalled.related.get(&chunk)?;
    let target = recalled.relation.as_ref()?;
    let what = match (target.direction, target.kind) {
        (Direction::Incoming, ReferenceKind::Inherits) => "inherits from",
        (Direction::Incoming, _) => "refers to",
        (Direction::Outgoing, ReferenceKind::Inherits) => "inherited by",
        (Direction::Outgoing, _) => "referred to by",
    };
    let how_sure = if related.confidence < 1.0 { ", perhaps" } else { "" };
    Some(format!("{what} {}{how_sure}", target.name))
}

/// Returns the outermost function around a declaration that begins in the same chunk, or the
/// declaration itself if there is none. Thus a local function is shown under the name of the
/// function around it.
pub(crate) fn around_local(segment: &Segment, declaration: u32, chunk: &Span) -> u32 {
    let is_begun = |ord: u32| {
        let row = segment.declaration(ord);
        let begins = |at: u32| chunk.bytes.contains(at);
        row.is_some_and(|row| is_function(row.kind) && begins(row.span.bytes.start))
    };
    // A parent comes before its children; the check stops a crafted index from causing an endless
    // loop.
    let parent = |&ord: &u32| segment.declaration(ord)?.parent.filter(|&parent| parent < ord);
    let around = std::iter::successors(parent(&declaration), parent);
    around.filter(|&ord| is_begun(ord)).last().unwrap_or(declaration)
}
