//! The chunks that a question for references asks for, by the references of the records alone.
//!
//! [`RelationQuestion`] → [`RelatedChunks`]. It serves searches whose caller has no source text.
//! A caller with the text finds the places of the references in it, and passes the result to the
//! search.

use bstr::BStr;

use crate::index::chunk::{ChunkKind, ReferenceKind};
use crate::search::graph::{DeclarationRef, Graph, Graphs, manifests};
use crate::search::query::parse::relation::{ReferenceSite, RelationQuestion};
use crate::search::query::{ChunkRef, Direction, Error, RelatedChunk, RelatedChunks, Sources};
use crate::search::segment::{ChunkRow, Index};

/// If more chunks than this mention the name, references are not resolved, as that would take
/// longer than the search. Every mention then counts as a guess.
const MOST_RESOLVED: usize = 1000;

/// If more declarations than this have the name, it does not mean one thing, and nothing is
/// returned.
const MOST_DECLARATIONS: usize = 50;

/// The number of the repository in its own graph.
pub(super) const HOME: usize = 0;

/// Confidence of a mention that is not resolved, or that may be a neighbour's.
const MENTION: f64 = 0.4;

/// Returns the chunks at the other end of the references that a question asks for; none if nothing
/// has the name.
///
/// A reference counts for its whole chunk. The chunk of the declaration itself counts only if it is
/// a group of several. `sources` gives the manifests, which name the packages that the files of
/// this repository import from each other.
pub(in crate::search::query) fn related_chunks(
    asked: &RelationQuestion,
    index: &Index<'_>,
    sources: Option<&dyn Sources>,
) -> Result<RelatedChunks, Error> {
    let graphs = own_graphs(index, sources);
    let mut found = RelatedChunks::none(asked);
    let Some(graph) = graphs.graph(HOME) else { return Ok(found) };
    let mut declarations = graph.find(&asked.symbol)?;
    declarations.retain(|at| asked.admits(graph, *at));
    if declarations.len() > MOST_DECLARATIONS {
        return Ok(found);
    }
    for at in declarations {
        match asked.direction {
            Direction::Incoming => add_incoming(asked, &graphs, at, &mut found)?,
            Direction::Outgoing => add_outgoing(asked, &graphs, at, &mut found)?,
        }
    }
    Ok(found)
}

/// Returns the graph of the repository with the packages that its manifests name, as the only one.
pub(super) fn own_graphs<'i, 's>(index: &'i Index<'s>, sources: Option<&dyn Sources>) -> Graphs<'i, 's> {
    let text = |path: &BStr| sources.and_then(|all| all.texts(&[path]).pop().flatten());
    let mut graphs = Graphs::default();
    graphs.add(Graph::new(index), &manifests::packages(index, "", &text));
    graphs
}

/// Adds the chunks that refer to a declaration.
fn add_incoming(
    asked: &RelationQuestion,
    graphs: &Graphs<'_, '_>,
    at: DeclarationRef,
    found: &mut RelatedChunks,
) -> Result<(), Error> {
    let Some(graph) = graphs.graph(HOME) else { return Ok(()) };
    let Some((file, row)) = graph.declaration(at) else { return Ok(()) };
    let (index, name) = (graph.index(), file.segment.name(&row));
    let is_group = |chunk: &ChunkRef| row_of(index, *chunk).is_some_and(|row| row.kind == ChunkKind::Group);
    let own = graph.chunk_of(at).filter(|chunk| !is_group(chunk));
    let mut mentioning = Vec::new();
    for (part, segment) in index.segments() {
        for kind in asked.kinds {
            let chunks = segment.references(*kind, name)?.into_iter();
            let is_live = |chunk: &ChunkRef| {
                row_of(index, *chunk).is_some_and(|row| index.is_live(chunk.part, row.file))
            };
            mentioning
                .extend(chunks.map(|ord| (ChunkRef { part, ord }, *kind)).filter(|one| is_live(&one.0)));
        }
    }
    if mentioning.len() > MOST_RESOLVED {
        for (chunk, kind) in mentioning {
            found.add(chunk, related(asked, kind, MENTION));
        }
        return Ok(());
    }
    for (_, edge) in graphs.incoming(HOME, at, asked.kinds)? {
        if Some(edge.from) != own {
            found.add(edge.from, related(asked, edge.kind, edge.sure()));
        }
    }
    Ok(())
}

/// Adds the chunks that the chunk of a declaration refers to. In a group of several declarations,
/// another one may be what refers to them.
fn add_outgoing(
    asked: &RelationQuestion,
    graphs: &Graphs<'_, '_>,
    at: DeclarationRef,
    found: &mut RelatedChunks,
) -> Result<(), Error> {
    let Some(graph) = graphs.graph(HOME) else { return Ok(()) };
    let Some(own) = graph.chunk_of(at) else { return Ok(()) };
    let is_group = row_of(graph.index(), own).is_some_and(|row| row.kind == ChunkKind::Group);
    let most = if is_group { MENTION } else { 1.0 };
    for (_, edge) in graphs.outgoing(HOME, own)? {
        let is_asked = asked.kinds.contains(&edge.kind) && edge.to != at;
        if let Some(chunk) = graph.chunk_of(edge.to).filter(|chunk| is_asked && *chunk != own) {
            found.add(chunk, related(asked, edge.kind, edge.sure().min(most)));
        }
    }
    Ok(())
}

/// Returns how a reference answers. The code around it is not known without the source.
fn related(asked: &RelationQuestion, kind: ReferenceKind, confidence: f64) -> RelatedChunk {
    asked.related(kind, ReferenceSite::Function, confidence)
}

fn row_of(index: &Index<'_>, chunk: ChunkRef) -> Option<ChunkRow> {
    index.segment(chunk.part)?.chunk(chunk.ord)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[crate::search::segment::samples::SampleFile], symbol: &str) -> Vec<(u32, f64)> {
        let segment = crate::search::segment::samples::segment(files);
        let asked = RelationQuestion::asked(&format!("what calls {symbol}")).unwrap();
        let found = related_chunks(&asked, &Index::whole(&segment), None).unwrap().chunks;
        let sure = |(chunk, one): (ChunkRef, RelatedChunk)| (chunk.ord, one.confidence);
        let mut found: Vec<(u32, f64)> = found.into_iter().map(sure).collect();
        found.sort_by_key(|one| one.0);
        found
    }

    #[test]
    fn a_name_that_very_many_declare_or_mention_is_not_resolved() {
        use crate::search::segment::samples::file;
        let user = ("caller", "", "parse_it");
        let declared = |n: usize| {
            let mut chunks = vec![("parse_it", "", "x"); n];
            chunks.push(user);
            found(&[file("a.py", &chunks)], "parse_it").len()
        };
        assert_eq!(declared(1), 1);
        assert!(declared(50) > 0);
        assert_eq!(declared(51), 0, "it does not mean one thing");
        let mentioned = |n: usize| {
            let mut chunks = vec![user; n];
            chunks.push(("parse_it", "", "x"));
            found(&[file("a.py", &chunks)], "parse_it")
        };
        assert!(mentioned(2).iter().all(|one| one.1 != 0.4), "they are resolved");
        let guesses = mentioned(1001);
        assert_eq!(guesses.len(), 1001);
        assert!(guesses.iter().all(|one| one.1 == 0.4));
    }

    #[test]
    fn what_a_function_calls_is_found_by_its_chunk() {
        use crate::search::segment::samples::file;
        let chunks = [("outer", "", "parse_it"), ("parse_it", "", "x"), ("other", "", "y")];
        let segment = crate::search::segment::samples::segment(&[file("a.py", &chunks)]);
        let asked = RelationQuestion::asked("what does outer call").unwrap();
        let found = related_chunks(&asked, &Index::whole(&segment), None).unwrap();
        let ords: Vec<u32> = found.chunks.keys().map(|chunk| chunk.ord).collect();
        assert_eq!(ords, [1]);
    }
}
