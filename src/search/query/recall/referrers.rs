//! The chunks that refer to the symbol of a question, by the references of their records alone.
//!
//! [`ReferrerQuestion`] → [`Referrers`]. It serves searches whose caller has no source text.
//! Whoever has the text finds the places of the references in it, and passes the result to the
//! search.

use bstr::BStr;

use crate::index::chunk::ChunkKind;
use crate::search::graph::{Graph, Graphs, manifests};
use crate::search::query::parse::referrers::ReferrerQuestion;
use crate::search::query::{ChunkRef, Error, Referrers, Sources};
use crate::search::segment::{ChunkRow, Index};

/// If more chunks than this mention the name, references are not resolved, as that would take
/// longer than the search. Every mention then counts as a guess.
const MOST_RESOLVED: usize = 1000;

/// If more declarations than this have the name, it does not mean one thing, and no referrers are
/// returned.
const MOST_DECLARATIONS: usize = 50;

/// The number of the repository in its own graph.
const HOME: usize = 0;

/// Confidence of a mention that is not resolved.
const MENTION: f64 = 0.4;

/// Returns the chunks that refer to the symbol of a question, each with a confidence from 0 to 1;
/// none if nothing has the name.
///
/// A reference counts for its whole chunk. The chunk of the declaration itself counts only if it is
/// a group of several. `sources` gives the manifests, which name the packages that the files of
/// this repository import from each other.
pub(in crate::search::query) fn referrers(
    asked: &ReferrerQuestion,
    index: &Index<'_>,
    sources: Option<&dyn Sources>,
) -> Result<Referrers, Error> {
    let text = |path: &BStr| sources.and_then(|all| all.texts(&[path]).pop().flatten());
    let mut graphs = Graphs::default();
    graphs.add(Graph::new(index), &manifests::packages(index, "", &text));
    let mut referrers = Referrers::none(asked);
    let Some(graph) = graphs.graph(HOME) else { return Ok(referrers) };
    let mut note = |chunk: ChunkRef, sure: f64| {
        let known = referrers.chunks.entry(chunk).or_default();
        *known = known.max(sure);
    };
    let mut declarations = graph.find(&asked.symbol)?;
    declarations.retain(|at| asked.admits(graph, *at));
    if declarations.len() > MOST_DECLARATIONS {
        return Ok(referrers);
    }
    for at in declarations {
        let Some((file, row)) = graph.declaration(at) else { continue };
        let name = file.segment.name(&row);
        let is_group =
            |chunk: &ChunkRef| row_of(index, *chunk).is_some_and(|row| row.kind == ChunkKind::Group);
        let own = graph.chunk_of(at).filter(|chunk| !is_group(chunk));
        let mut mentioning = Vec::new();
        for (part, segment) in index.segments() {
            for kind in asked.kinds {
                let chunks = segment.references(*kind, name)?.into_iter();
                let is_live = |chunk: &ChunkRef| {
                    row_of(index, *chunk).is_some_and(|row| index.is_live(chunk.part, row.file))
                };
                mentioning.extend(chunks.map(|ord| ChunkRef { part, ord }).filter(is_live));
            }
        }
        if mentioning.len() > MOST_RESOLVED {
            mentioning.into_iter().for_each(|chunk| note(chunk, MENTION));
            continue;
        }
        for (_, edge) in graphs.incoming(HOME, at, asked.kinds)? {
            if Some(edge.from) != own {
                note(edge.from, if edge.evidence.is_certain() { 1.0 } else { edge.confidence });
            }
        }
    }
    Ok(referrers)
}

fn row_of(index: &Index<'_>, chunk: ChunkRef) -> Option<ChunkRow> {
    index.segment(chunk.part)?.chunk(chunk.ord)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[crate::search::segment::samples::SampleFile], symbol: &str) -> Vec<(u32, f64)> {
        let segment = crate::search::segment::samples::segment(files);
        let asked = ReferrerQuestion::asked(&format!("what calls {symbol}")).unwrap();
        let found = referrers(&asked, &Index::whole(&segment), None).unwrap().chunks;
        let mut found: Vec<(u32, f64)> = found.into_iter().map(|(chunk, sure)| (chunk.ord, sure)).collect();
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
}
