//! Members that a change removed, although records leave them out: a comparison → subjects with
//! their users.
//!
//! Users are looked for as `git cora refs` does, in the index of the commit before the change.

use std::collections::BTreeSet;

use bstr::ByteSlice;

use crate::answer::diff::{DeclarationChange, DeclarationPlace};
use crate::answer::relations::unresolved::files_with;
use crate::answer::relations::{
    MemberRequest, Place, RelatedPlace, Relation, RelationQuery, place_of, relations_of_member,
};
use crate::answer::view::Change;
use crate::base::progress::Task;
use crate::base::text::named_path;
use crate::search::graph::{Graphs, WrittenName};
use crate::search::query::Sources;
use crate::search::{Error, Result, Searcher};

use super::sight::Sight;
use super::subject::direct;
use super::{Comparison, ImpactCaller, ImpactQuery, ImpactSubject, Risk, is_test_path};

/// Most files that are parsed for the users of all members, unless the query asks for every
/// breaking declaration. For each member, the files with its name are parsed.
const MOST_FILES: usize = 2000;

/// Returns the members that a change removed or hid, with their users outside of it.
pub(super) fn removed(
    searcher: &Searcher,
    graphs: &Graphs<'_, '_>,
    comparison: &Comparison,
    query: &ImpactQuery,
    notes: &mut Vec<String>,
    task: Task<'_>,
) -> Result<Vec<ImpactSubject>> {
    let all = comparison.members.iter().filter(|one| one.change == Change::Removed || one.is_hidden());
    let all: Vec<(&DeclarationChange, &DeclarationPlace)> =
        all.filter_map(|one| Some((one, one.old.as_ref()?))).collect();
    let searched = if query.every_breaking { vec![true; all.len()] } else { within_budget(graphs, &all)? };
    let (n, n_searched) = (all.len(), searched.iter().filter(|is| **is).count());
    if n_searched < n {
        notes.push(format!(
            "users were looked up for only {n_searched} of {n} removed fields; limit the change with --path"
        ));
    }
    let mut subjects = Vec::new();
    for ((one, old), is_searched) in all.into_iter().zip(searched) {
        if task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let users = if is_searched { users(searcher, graphs, old, query.certain)? } else { Vec::new() };
        let n_users = users.len();
        let mut callers: Vec<ImpactCaller> =
            users.into_iter().filter_map(|user| outside(graphs, comparison, user)).collect();
        let n_inside = n_users - callers.len();
        if let Some(sight) = Sight::of(one) {
            let sees = |at: &Place| sight.includes(named_path(&at.path).as_bstr(), &at.symbol);
            callers.retain(|user| sees(&user.place) != Some(true));
            callers.iter_mut().for_each(|user| user.certain &= sees(&user.place).is_some());
        }
        let now = one.new.as_ref();
        subjects.push(ImpactSubject {
            place: now.unwrap_or(old).place(one.kind),
            was: None,
            change: Some(one.change.name()),
            changes: one.changes.iter().map(|change| change.name()).collect(),
            risk: Risk::Breaking,
            signatures: [old.signature.clone(), now.map(|at| at.signature.clone()).unwrap_or_default()],
            keeps_calls: !one.is_hidden(),
            test: is_test_path(&old.path),
            callers_in_change: n_inside,
            callers,
            unsearched: !is_searched,
            unresolved: Vec::new(),
        });
    }
    Ok(subjects)
}

/// Returns for each member whether its users are looked for: those with rare names first.
fn within_budget(
    graphs: &Graphs<'_, '_>,
    all: &[(&DeclarationChange, &DeclarationPlace)],
) -> Result<Vec<bool>> {
    let Some(graph) = graphs.graph(0) else { return Ok(vec![false; all.len()]) };
    let mut sizes: Vec<(usize, usize)> = Vec::with_capacity(all.len());
    for (at, (_, old)) in all.iter().enumerate() {
        sizes.push((files_with(graph.index(), &old.name)?.len(), at));
    }
    sizes.sort_unstable();
    let (mut found, mut n_files) = (vec![false; all.len()], 0);
    for (n, at) in sizes {
        n_files += n;
        if let Some(is_searched) = found.get_mut(at).filter(|_| n_files <= MOST_FILES) {
            *is_searched = true;
        }
    }
    Ok(found)
}

/// Returns the places that may mean a member.
fn users(
    searcher: &Searcher,
    graphs: &Graphs<'_, '_>,
    old: &DeclarationPlace,
    is_certain: bool,
) -> Result<Vec<RelatedPlace>> {
    let query = RelationQuery::new("")
        .with_relations(BTreeSet::from([Relation::Callers]))
        .with_limit(usize::MAX)
        .with_certain(is_certain);
    let owner = old.symbol.strip_suffix(&old.name).unwrap_or_default();
    let owner = owner.rsplit(['.', ':', '\\']).find(|part| !part.is_empty()).unwrap_or_default();
    let written = WrittenName::within(owner, &old.name);
    let asked = MemberRequest { path: Some(old.path.as_bstr()), line: Some(old.line), written };
    let sources: &dyn Sources = searcher;
    let found = relations_of_member(&[sources], graphs, &query, &asked)?.symbols.into_iter().next();
    Ok(found.and_then(|found| found.callers).map(|all| all.items).unwrap_or_default())
}

/// Returns a user at its present lines; `None` if the change touched it.
fn outside(graphs: &Graphs<'_, '_>, comparison: &Comparison, one: RelatedPlace) -> Option<ImpactCaller> {
    let mut caller = direct(one);
    let path = named_path(&caller.place.path);
    if comparison.paths.contains(&path) {
        let file = graphs.graph(0)?.index().file_by_path(path.as_bstr())?;
        let view = file.declarations().find(|view| place_of(0, view) == caller.place)?;
        let [old, new] = comparison.kept.get(&(path, view.row.span.bytes.start)).copied()?;
        let shifted = |line: u32| line.saturating_sub(old).saturating_add(new);
        (caller.place.line, caller.place.end_line, caller.at) =
            (shifted(caller.place.line), shifted(caller.place.end_line), shifted(caller.at));
    }
    Some(caller)
}
