//! What old callers mean after the change: a declaration that is gone or elsewhere, and a place
//! that referred to it → the declaration that the place refers to now.
//!
//! A caller of a function that moved to another file goes on working if its import still leads
//! there; one of a removed override means the inherited method. Only certain references count. A
//! type that got the new member of its interface in the same change lacks nothing. The index of the
//! state after the change is opened only if such a declaration has callers.

use std::collections::HashSet;

use bstr::ByteSlice;

use crate::answer::relations::reader::Reader;
use crate::answer::relations::{Place, RelationQuery, graphs_of, place_of};
use crate::base::progress::Task;
use crate::base::text::named_path;
use crate::index::Indexer;
use crate::search::graph::{DeclarationRef, Graph};
use crate::search::query::Sources;
use crate::search::segment::{ChunkRef, DeclarationView};
use crate::search::{Error, Result, Searcher, Target};

use super::subject::{is_member, outer};
use super::walk::{Reach, Source};
use super::{ImpactCaller, ImpactQuery, ImpactScope, ImpactSubject, Risk, last_name};

/// Most callers that are looked up, unless the query asks for every breaking declaration.
const MOST_LOOKED_UP: usize = 2000;

/// Sets what callers of declarations that went or moved refer to after the change, and drops the
/// implementers that have a new member of their interface after it.
pub(super) fn resolve(
    indexer: &Indexer,
    query: &ImpactQuery,
    (subjects, sources): (&[ImpactSubject], &[Source]),
    reach: &mut Reach,
    task: Task<'_>,
) -> Result<()> {
    // The callers of a new member are the types that lack it.
    let is_open = |subject: &ImpactSubject| {
        let is_kept = subject.keeps_calls && !subject.changes.contains(&"kind");
        subject.risk == Risk::Breaking && is_kept && subject.change != Some("added")
    };
    let is_listed = |at: usize| reach.direct.get(&at).is_some_and(|list| !list.is_empty());
    let open: Vec<(usize, String)> = subjects
        .iter()
        .enumerate()
        .filter(|(at, one)| is_open(one) && is_listed(*at))
        .map(|(at, one)| (at, last_name(one.was.as_ref().unwrap_or(&one.place)).to_owned()))
        .collect();
    let new = sources.iter().filter(|one| one.is_outer && is_listed(one.subject));
    let new: Vec<(usize, &Place)> =
        new.filter_map(|one| Some((one.subject, &subjects.get(one.subject)?.place))).collect();
    if open.is_empty() && new.is_empty() {
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
    let read = |searcher: &Searcher| implementers(searcher, &new, reach);
    let (complete, _) = searcher.with_repair(indexer, task, read, |error: &Error| Some(error))?;
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
    for (subject, (path, symbol)) in complete {
        let Some(list) = reach.direct.get_mut(&subject) else { continue };
        list.retain(|one| one.place.path != path || one.place.symbol != symbol);
    }
    Ok(())
}

/// Returns the listed implementers that have a new member of their interface after the change, by
/// subject, with their paths and symbols. They have it themselves, or embed a type with it.
fn implementers(
    searcher: &Searcher,
    new: &[(usize, &Place)],
    reach: &Reach,
) -> Result<Vec<(usize, (String, String))>> {
    let mut found = Vec::new();
    if new.is_empty() {
        return Ok(found);
    }
    let indexes = [searcher.index()];
    let relations = RelationQuery::new("");
    let mut reader =
        Reader::new(graphs_of(&[searcher], &indexes), vec![searcher as &dyn Sources], &relations);
    for (subject, member) in new {
        let file = indexes[0].file_by_path(named_path(&member.path).as_bstr());
        let Some(interface) = file.and_then(|file| outer(file, &member.symbol)) else { continue };
        let at = DeclarationRef { part: interface.file.part, ord: interface.ord };
        let having = reader.having_methods_of((0, at))?;
        let having: HashSet<(&str, &str)> =
            having.iter().map(|one| (one.place.path.as_str(), one.place.symbol.as_str())).collect();
        for caller in reach.direct.get(subject).into_iter().flatten() {
            let (path, symbol) = (&caller.place.path, &caller.place.symbol);
            let is_own = |view: &DeclarationView<'_>| {
                view.name() == last_name(member) && is_member(symbol, &view.symbol_path())
            };
            let file = indexes[0].file_by_path(named_path(path).as_bstr());
            let has_own = || file.is_some_and(|file| file.declarations().any(|view| is_own(&view)));
            // A method of Go has the parameters that the interface asks for.
            let is_complete =
                having.contains(&(path.as_str(), symbol.as_str())) || !path.ends_with(".go") && has_own();
            if is_complete {
                found.push((*subject, (path.clone(), symbol.clone())));
            }
        }
    }
    Ok(found)
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
