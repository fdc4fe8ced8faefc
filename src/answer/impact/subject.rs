//! The declarations that an impact is about: a comparison, or a name → subjects, and where they are
//! in the index of the commit before the change.

use std::collections::BTreeSet;

use bstr::ByteSlice;

use crate::index::chunk::{DeclarationKind, has_headers};
use crate::search::Result;
use crate::search::graph::{DeclarationRef, Graph, Graphs, is_function};
use crate::search::query::{Sources, declaration_kind_name};

use super::risk::{risk_of, signature_risk};
use super::sight::Sight;
use super::walk::{AffectedReferences, Source};
use super::{
    Comparison, ImpactCaller, ImpactQuery, ImpactSubject, MOST_SUBJECTS, RepositoryDeclaration, Risk,
    is_data, is_test_path,
};
use crate::answer::diff::{DeclarationChange, DeclarationPlace};
use crate::answer::history::HistoryChange;
use crate::answer::relations::{RelatedPlace, Relation, RelationQuery, is_test, members_of, place_of};
use crate::search::segment::{DeclarationView, FileView};

/// Most declarations of one name.
const MOST_NAMED: usize = 20;

/// Returns the declarations that a symbol means, as if they changed. A prototype counts only if the
/// function has no body here.
pub(super) fn named(
    graph: &Graph<'_, '_>,
    symbol: &str,
    notes: &mut Vec<String>,
) -> Result<(Vec<ImpactSubject>, Vec<Source>)> {
    let (mut subjects, mut sources) = (Vec::new(), Vec::new());
    let mut found = graph.find_most_used(symbol)?;
    let is_c_function = |at: &DeclarationRef, has_body: bool| {
        graph.declaration(*at).is_some_and(|(file, row)| {
            has_headers(file.language()) && is_function(row.kind) && row.body.is_empty() != has_body
        })
    };
    if found.iter().any(|at| is_c_function(at, true)) {
        found.retain(|at| !is_c_function(at, false));
    }
    if found.len() > MOST_NAMED {
        let n = found.len();
        notes.push(format!(
            "{n} declarations have this name; only the first {MOST_NAMED} are shown; to choose one, write PATH:NAME"
        ));
    }
    for at in found.into_iter().take(MOST_NAMED) {
        let Some((file, row)) = graph.declaration(at) else { continue };
        let view = DeclarationView { file, ord: at.ord, row };
        let is_test = graph.chunk_of(at).is_some_and(|chunk| is_test(graph, chunk));
        let name = view.name().to_owned();
        let (subject, affected) = (subjects.len(), AffectedReferences::All);
        sources.push(Source { subject, at: (0, at), name, affected, sight: None, is_outer: false });
        subjects.push(ImpactSubject {
            place: place_of(0, &view),
            was: None,
            change: None,
            changes: Vec::new(),
            risk: Risk::None,
            signatures: [String::new(), String::new()],
            keeps_calls: true,
            test: is_test,
            callers: Vec::new(),
            callers_in_change: 0,
            unsearched: false,
            unresolved: Vec::new(),
        });
    }
    Ok((subjects, sources))
}

/// Returns the members that the index leaves out and that a symbol means, each with the places that
/// refer to it. None if a declaration has the name.
pub(super) fn members(
    sources: &dyn Sources,
    graphs: &Graphs<'_, '_>,
    symbol: &str,
    is_certain: bool,
) -> Result<Vec<ImpactSubject>> {
    let query = RelationQuery::new(symbol)
        .with_relations(BTreeSet::from([Relation::Callers]))
        .with_limit(usize::MAX)
        .with_certain(is_certain);
    let found = members_of(sources, graphs, &query)?.into_iter().take(MOST_NAMED);
    let found = found.map(|one| ImpactSubject {
        was: None,
        change: None,
        changes: Vec::new(),
        risk: Risk::None,
        keeps_calls: true,
        signatures: [String::new(), String::new()],
        test: is_test_path(&one.place.path.as_str().into()),
        callers: one.callers.map(|all| all.items.into_iter().map(direct).collect()).unwrap_or_default(),
        callers_in_change: 0,
        unsearched: false,
        unresolved: Vec::new(),
        place: one.place,
    });
    Ok(found.collect())
}

/// Returns a place that refers to a member as a direct caller.
pub(super) fn direct(one: RelatedPlace) -> ImpactCaller {
    ImpactCaller {
        place: one.place,
        at: one.at,
        relation: one.relation,
        how: one.how,
        certain: one.certain,
        distance: 1,
        via: String::new(),
        test: one.test,
        now: None,
    }
}

/// Returns the declarations that changed. Those that can do something to callers and that the index
/// has are sources of a walk. If there are too many, code comes before tests and documents, and
/// what may break callers before the rest.
pub(super) fn changed(
    graph: &Graph<'_, '_>,
    comparison: &Comparison,
    query: &ImpactQuery,
    notes: &mut Vec<String>,
) -> (Vec<ImpactSubject>, Vec<Source>) {
    let (mut subjects, mut sources): (Vec<ImpactSubject>, Vec<Source>) = (Vec::new(), Vec::new());
    for one in &comparison.declarations {
        let Some(now) = one.new.as_ref().or(one.old.as_ref()) else { continue };
        let of_signature = signature_risk(one);
        let (mut risk, affected) = risk_of(one, of_signature);
        let subject = subjects.len();
        let old = one.old.as_ref().and_then(|old| find(graph, one, old));
        if let Some((at, name)) = old.filter(|_| risk != Risk::None) {
            let sight = Sight::of(one).filter(|_| risk == Risk::Breaking);
            sources.push(Source { subject, at, name, affected, sight, is_outer: false });
        } else if let Some((at, name)) = outer_of_abstract(graph, one) {
            risk = Risk::Breaking;
            let (affected, sight) = (AffectedReferences::All, None);
            sources.push(Source { subject, at, name, affected, sight, is_outer: true });
        }
        let place = |at: &DeclarationPlace| at.place(one.kind);
        let was = one.old.as_ref().filter(|old| old.path != now.path || old.symbol != now.symbol);
        let signature =
            |at: &Option<DeclarationPlace>| at.as_ref().map(|at| at.signature.clone()).unwrap_or_default();
        subjects.push(ImpactSubject {
            place: place(now),
            was: was.map(place),
            change: Some(one.change.name()),
            changes: one.changes.iter().map(|change| change.name()).collect(),
            risk,
            signatures: [signature(&one.old), signature(&one.new)],
            keeps_calls: of_signature != Risk::Breaking
                && !one.is_hidden()
                && affected != AffectedReferences::Calls,
            test: one.kind == "test" || is_test_path(&now.path),
            callers: Vec::new(),
            callers_in_change: 0,
            unsearched: false,
            unresolved: Vec::new(),
        });
    }
    let risk = |source: &Source| subjects.get(source.subject).map(|one| one.risk);
    // Tests, sections of documents and settings have few callers, and none that matters more.
    let is_minor =
        |source: &Source| subjects.get(source.subject).is_none_or(|one| one.test || is_data(&one.place.kind));
    let n_breaking = sources.iter().filter(|source| risk(source) == Some(Risk::Breaking)).count();
    let most = if query.every_breaking { MOST_SUBJECTS.max(n_breaking) } else { MOST_SUBJECTS };
    if sources.len() > most {
        let n = sources.len();
        // With each breaking one, none of them may be left out.
        sources.sort_by_key(|source| {
            (!query.every_breaking && is_minor(source), risk(source), is_minor(source))
        });
        for source in sources.drain(most..) {
            if let Some(subject) = subjects.get_mut(source.subject) {
                subject.unsearched = true;
            }
        }
        notes.push(format!(
            "callers were looked up for only {most} of {n} changed declarations; limit the change with --path"
        ));
    }
    (subjects, sources)
}

/// Finds the type that has a new member without a body, if the old commit has the type and others
/// implement such members.
fn outer_of_abstract(
    graph: &Graph<'_, '_>,
    one: &DeclarationChange,
) -> Option<(RepositoryDeclaration, String)> {
    const WITH_ABSTRACT: [&str; 11] =
        ["c-sharp", "cpp", "dart", "go", "java", "kotlin", "php", "rust", "swift", "tsx", "typescript"];
    let new = one.new.as_ref().filter(|_| one.old.is_none())?;
    let is_member = matches!(one.kind, "method" | "function" | "field");
    if !is_member || new.has_body || !WITH_ABSTRACT.contains(&one.language.as_str()) {
        return None;
    }
    let file = graph.index().file_by_path(new.path.as_bstr())?;
    let view = outer(file, &new.symbol)?;
    let signature = new.signature.as_str();
    let is_optional = signature.contains("?:") || signature.contains("?(");
    let is_abstract = match one.language.as_str() {
        "cpp" => signature.replace(' ', "").ends_with("=0"),
        _ if view.row.kind == DeclarationKind::Interface => !is_optional,
        _ => signature.split_whitespace().any(|word| word == "abstract"),
    };
    is_abstract.then(|| ((0, DeclarationRef { part: file.part, ord: view.ord }), view.name().to_owned()))
}

/// Finds the declaration in a file that a member with this symbol is directly in.
pub(super) fn outer<'s>(file: FileView<'s>, symbol: &str) -> Option<DeclarationView<'s>> {
    file.declarations().find(|view| is_member(view.symbol_path().as_str(), symbol))
}

/// Returns whether a symbol is that of a direct member of another one.
pub(super) fn is_member(outer: &str, symbol: &str) -> bool {
    let rest = symbol.strip_prefix(outer).filter(|rest| rest.starts_with(['.', ':', '\\', '#']));
    let rest = rest.map(|rest| rest.trim_start_matches(['.', ':', '\\', '#']));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['.', ':', '\\']))
}

/// Finds a declaration of the old commit in its index.
fn find(
    graph: &Graph<'_, '_>,
    one: &DeclarationChange,
    old: &DeclarationPlace,
) -> Option<(RepositoryDeclaration, String)> {
    let file = graph.index().file_by_path(old.path.as_bstr())?;
    // It may have been of another kind.
    let is_of_kind = |kind: DeclarationKind| {
        declaration_kind_name(kind) == one.kind || one.changes.contains(&HistoryChange::Kind)
    };
    let view = file.declarations().find(|view| {
        view.row.span.bytes == old.span.bytes && view.name() == old.name && is_of_kind(view.row.kind)
    })?;
    Some(((0, DeclarationRef { part: file.part, ord: view.ord }), view.name().to_owned()))
}
