//! What old callers mean after the change: a declaration that is gone or elsewhere, and a place
//! that referred to it → the declaration that the place refers to now.
//!
//! A caller of a function that moved to another file goes on working if its import still leads
//! there; one of a removed override means the inherited method. Only certain references count. A
//! type that got the new member of its interface in the same change lacks nothing. The index of the
//! state after the change is opened only if such a declaration has callers.

use std::collections::{HashMap, HashSet};

use bstr::ByteSlice;

use crate::answer::relations::reader::Reader;
use crate::answer::relations::{Place, RelationQuery, graphs_of, place_of};
use crate::base::progress::Task;
use crate::base::text::named_path;
use crate::index::Indexer;
use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::graph::DeclarationRef;
use crate::search::query::Sources;
use crate::search::segment::{ChunkRef, DeclarationView};
use crate::search::{Error, Result, Searcher, Target};

use super::constructors::constructing;
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
    let is_listed = |at: usize| reach.direct.get(&at).is_some_and(|list| !list.is_empty());
    let open: Vec<(usize, OpenSubject<'_>)> = subjects
        .iter()
        .enumerate()
        .filter(|(at, _)| is_listed(*at))
        .filter_map(|(at, one)| Some((at, OpenSubject::of(one)?)))
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
        let indexes = [searcher.index()];
        let relations = RelationQuery::new("");
        let graphs = graphs_of(&[searcher], &indexes);
        let mut later = Later {
            reader: Reader::new(graphs, vec![searcher as &dyn Sources], &relations).with_each_mention(),
            calls: HashMap::new(),
        };
        let (mut found, mut n) = (Vec::new(), 0);
        for (subject, one) in &open {
            for (at, caller) in reach.direct.get(subject).into_iter().flatten().enumerate() {
                n += 1;
                if n > most {
                    return Ok(found);
                }
                let place = later.meaning(caller, one)?;
                found.extend(place.filter(|place| one.allows(place)).map(|place| (*subject, at, place)));
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

/// A subject that is gone or elsewhere. Its callers may mean another declaration now.
struct OpenSubject<'s> {
    /// The names that its callers write: its own, and that of the type that it constructs.
    names: Vec<&'s str>,
    is_constructor: bool,
    /// Its place after the change, if calls of it there break.
    broken: Option<&'s Place>,
}

impl<'s> OpenSubject<'s> {
    /// Returns a subject as such a one. The callers of a new member are the types that lack it.
    fn of(subject: &'s ImpactSubject) -> Option<Self> {
        let is_kept = subject.keeps_calls && !subject.changes.contains(&"kind");
        let is_elsewhere = subject.was.is_some();
        let is_open = subject.risk == Risk::Breaking && (is_kept || is_elsewhere);
        let old = subject.was.as_ref().unwrap_or(&subject.place);
        let is_constructor = subject.place.kind == "constructor";
        let outer = old.symbol.strip_suffix(last_name(old)).unwrap_or_default();
        let outer = outer.rsplit(['.', ':', '\\', '#']).find(|part| !part.is_empty());
        let mut names = vec![last_name(old)];
        names.extend(outer.filter(|_| is_constructor));
        let broken = (!is_kept).then_some(&subject.place);
        (is_open && subject.change != Some("added")).then_some(Self { names, is_constructor, broken })
    }

    /// Returns whether a caller that means a place now goes on working.
    fn allows(&self, now: &Place) -> bool {
        let is_same = |one: &Place| (&one.path, &one.symbol, one.line) == (&now.path, &now.symbol, now.line);
        !self.broken.is_some_and(is_same)
    }
}

/// The state after the change.
struct Later<'r, 'i, 's> {
    reader: Reader<'r, 'i, 's>,
    /// By declaration, the paths and lines of its calls.
    calls: HashMap<DeclarationRef, HashSet<(String, u32)>>,
}

impl Later<'_, '_, '_> {
    /// The declaration that a place certainly refers to by one of the names of a subject.
    fn meaning(&mut self, caller: &ImpactCaller, subject: &OpenSubject<'_>) -> Result<Option<Place>> {
        for to in self.meanings(caller, &subject.names)? {
            let is_meant = caller.relation != "call" || self.is_called(to, subject.is_constructor, caller)?;
            if let Some(view) = self.reader.view((0, to)).filter(|_| is_meant) {
                return Ok(Some(place_of(0, &view)));
            }
        }
        Ok(None)
    }

    /// The declarations that a place certainly refers to by one of these names.
    fn meanings(&self, caller: &ImpactCaller, names: &[&str]) -> Result<Vec<DeclarationRef>> {
        let mut meant = Vec::new();
        let Some(graph) = self.reader.graphs().graph(0) else { return Ok(meant) };
        let Some(file) = graph.index().file_by_path(named_path(&caller.place.path).as_bstr()) else {
            return Ok(meant);
        };
        for ord in file.segment.chunks_of(file.ord) {
            let around = file
                .segment
                .chunk(ord)
                .is_some_and(|row| (row.span.start_line..=row.span.end_line).contains(&caller.at));
            if !around {
                continue;
            }
            for mention in file.segment.mentions(ord)? {
                let relation = crate::answer::view::labels::reference_kind(mention.kind);
                if !names.contains(&mention.name) || relation != caller.relation {
                    continue;
                }
                let found = graph.resolve(ChunkRef { part: file.part, ord }, &mention)?;
                meant.extend(found.into_iter().filter(|one| one.evidence.is_certain()).map(|one| one.to));
            }
        }
        Ok(meant)
    }

    /// Returns whether the line of a caller calls a declaration, or one of the constructors of a
    /// type. An overload with other parameters is not called there.
    fn is_called(&mut self, to: DeclarationRef, is_constructor: bool, caller: &ImpactCaller) -> Result<bool> {
        let mut all = vec![to];
        if let Some(view) = self.reader.view((0, to)).filter(|_| is_constructor) {
            let members = view.file.declarations().filter(|one| one.row.parent == Some(to.ord));
            let own = members.filter(|one| one.row.kind == DeclarationKind::Constructor);
            let own: Vec<_> = own.map(|one| DeclarationRef { part: to.part, ord: one.ord }).collect();
            if !own.is_empty() {
                all = own;
            }
        }
        for at in all {
            if !self.calls.contains_key(&at) {
                let mut calls = self.reader.referrers_of((0, at), &[ReferenceKind::Call])?;
                calls.extend(constructing(&mut self.reader, (0, at))?);
                let calls = calls.into_iter().map(|one| (one.place.path, one.line)).collect();
                self.calls.insert(at, calls);
            }
            let key = (caller.place.path.clone(), caller.at);
            if self.calls.get(&at).is_some_and(|calls| calls.contains(&key)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
