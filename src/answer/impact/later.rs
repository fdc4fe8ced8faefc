//! What old callers mean after the change: a declaration that is gone or elsewhere, and a place
//! that referred to it → the declaration that the place refers to now.
//!
//! A caller of a function that moved to another file goes on working if its import still leads
//! there; one of a removed override means the inherited method. Only certain references count. The
//! index of the state after the change is opened only if such a declaration has callers.

use bstr::ByteSlice;

use crate::answer::relations::{Place, place_of};
use crate::base::progress::Task;
use crate::base::text::named_path;
use crate::index::Indexer;
use crate::search::graph::Graph;
use crate::search::segment::{ChunkRef, DeclarationView};
use crate::search::{Error, Result, Searcher, Target};

use super::walk::Reach;
use super::{ImpactCaller, ImpactQuery, ImpactScope, ImpactSubject, Risk};

/// Most callers that are looked up, unless the query asks for every breaking declaration.
const MOST_LOOKED_UP: usize = 2000;

/// Sets what callers of declarations that went or moved refer to after the change.
pub(super) fn resolve(
    indexer: &Indexer,
    query: &ImpactQuery,
    subjects: &[ImpactSubject],
    reach: &mut Reach,
    task: Task<'_>,
) -> Result<()> {
    let is_open = |subject: &ImpactSubject| {
        subject.risk == Risk::Breaking && subject.keeps_calls && !subject.changes.contains(&"kind")
    };
    let open: Vec<(usize, String)> = subjects
        .iter()
        .enumerate()
        .filter(|(at, one)| is_open(one) && reach.direct.get(at).is_some_and(|list| !list.is_empty()))
        .map(|(at, one)| (at, last_name(one.was.as_ref().unwrap_or(&one.place)).to_owned()))
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    let target = match &query.scope {
        ImpactScope::Range([_, new]) => Target::Commit(*new),
        _ => Target::Worktree,
    };
    let searcher = Searcher::open(indexer, &target, task)?;
    let n_callers: usize = open.iter().filter_map(|(at, _)| reach.direct.get(at)).map(Vec::len).sum();
    let most = if query.every_breaking { n_callers } else { MOST_LOOKED_UP };
    if n_callers > most {
        reach.notes.push(format!(
            "only {most} of {n_callers} callers of removed or moved declarations were checked \
             against the new version; some of the others may still work"
        ));
    }
    let read = |searcher: &Searcher| -> Result<Vec<(usize, usize, Place)>> {
        let index = searcher.index();
        let graph = Graph::new(&index);
        let (mut found, mut n) = (Vec::new(), 0);
        for (subject, name) in &open {
            for (at, caller) in reach.direct.get(subject).into_iter().flatten().enumerate() {
                n += 1;
                if n > most {
                    return Ok(found);
                }
                if let Some(place) = meaning(&graph, caller, name)? {
                    found.push((*subject, at, place));
                }
            }
        }
        Ok(found)
    };
    let (found, _) = searcher.with_repair(indexer, task, read, |error: &Error| Some(error))?;
    for (subject, at, place) in found {
        let caller = reach.direct.get_mut(&subject).and_then(|list| list.get_mut(at));
        if let Some(caller) = caller {
            caller.now = Some(place);
        }
    }
    Ok(())
}

/// The declaration that a place certainly refers to by a name.
fn meaning(graph: &Graph<'_, '_>, caller: &ImpactCaller, name: &str) -> Result<Option<Place>> {
    let Some(file) = graph.index().file_by_path(named_path(&caller.place.path).as_bstr()) else {
        return Ok(None);
    };
    for ord in file.segment.chunks_of(file.ord) {
        let around = file
            .segment
            .chunk(ord)
            .is_some_and(|row| (row.span.start_line..=row.span.end_line).contains(&caller.at));
        if !around {
            continue;
        }
        for mention in file.segment.mentions(ord)?.into_iter().filter(|one| one.name == name) {
            if crate::answer::view::labels::reference_kind(mention.kind) != caller.relation {
                continue;
            }
            let found = graph.resolve(ChunkRef { part: file.part, ord }, &mention)?;
            let sure = found.into_iter().find(|one| one.evidence.is_certain());
            let declared = sure.and_then(|one| Some((one.to, graph.declaration(one.to)?)));
            if let Some((to, (file, row))) = declared {
                return Ok(Some(place_of(0, &DeclarationView { file, ord: to.ord, row })));
            }
        }
    }
    Ok(None)
}

/// The last segment of a symbol path.
fn last_name(place: &Place) -> &str {
    place.symbol.rsplit(['.', ':', '\\', '#']).next().unwrap_or(&place.symbol)
}
