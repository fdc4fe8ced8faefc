//! The declarations that an impact is about: a comparison, or a name → subjects, and where they are
//! in the index of the commit before the change.

use bstr::ByteSlice;

use crate::search::Result;
use crate::search::graph::{DeclarationRef, Graph};
use crate::search::query::declaration_kind_name;

use super::walk::Source;
use super::{At, Comparison, ImpactSubject, MOST_SUBJECTS, Risk, is_test_path, risk};
use crate::answer::diff::{DeclarationChange, DeclarationPlace};
use crate::answer::relations::{is_test, place_of};
use crate::search::segment::DeclarationView;

/// Most declarations of one name.
const MOST_NAMED: usize = 20;

/// Returns the declarations that a symbol means, as if they changed.
pub(super) fn named(graph: &Graph<'_, '_>, symbol: &str) -> Result<(Vec<ImpactSubject>, Vec<Source>)> {
    let (mut subjects, mut sources) = (Vec::new(), Vec::new());
    for at in graph.find(symbol)?.into_iter().take(MOST_NAMED) {
        let Some((file, row)) = graph.declaration(at) else { continue };
        let view = DeclarationView { file, ord: at.ord, row };
        let is_test = graph.chunk_of(at).is_some_and(|chunk| is_test(graph, chunk));
        sources.push(Source { subject: subjects.len(), at: (0, at), name: view.name().to_owned() });
        subjects.push(ImpactSubject {
            place: place_of(0, &view),
            was: None,
            change: None,
            changes: Vec::new(),
            risk: Risk::Breaking,
            signatures: [String::new(), String::new()],
            test: is_test,
            callers: Vec::new(),
            callers_in_change: 0,
        });
    }
    Ok((subjects, sources))
}

/// Returns the declarations that changed. Those that can do something to callers and that the index
/// has are sources of a walk.
pub(super) fn changed(graph: &Graph<'_, '_>, comparison: &Comparison) -> (Vec<ImpactSubject>, Vec<Source>) {
    let (mut subjects, mut sources) = (Vec::new(), Vec::new());
    for one in &comparison.declarations {
        let Some(now) = one.new.as_ref().or(one.old.as_ref()) else { continue };
        let risk = risk(one.change, &one.changes);
        let old = one.old.as_ref().and_then(|old| find(graph, one, old));
        if let Some((at, name)) = old.filter(|_| risk != Risk::None && sources.len() < MOST_SUBJECTS) {
            sources.push(Source { subject: subjects.len(), at, name });
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
            test: one.kind == "test" || is_test_path(&now.path),
            callers: Vec::new(),
            callers_in_change: 0,
        });
    }
    (subjects, sources)
}

/// Finds a declaration of the old commit in its index.
fn find(graph: &Graph<'_, '_>, one: &DeclarationChange, old: &DeclarationPlace) -> Option<(At, String)> {
    let file = graph.index().file_by_path(old.path.as_bstr())?;
    let view = file.declarations().find(|view| {
        view.row.span.bytes == old.span.bytes && declaration_kind_name(view.row.kind) == one.kind
    })?;
    Some(((0, DeclarationRef { part: file.part, ord: view.ord }), view.name().to_owned()))
}
