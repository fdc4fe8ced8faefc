//! Declarations of C and its relatives that only announce others: changes of declarations → those
//! that say something of their own.
//!
//! Whoever uses a function or a variable refers to its definition and to its prototype in a header.
//! So a prototype to which the same happened as to the definition is left out.

use std::collections::HashSet;

use super::diff::DeclarationChange;
use super::history::HistoryChange;
use crate::index::chunk::has_headers;

/// Leaves out prototypes, and `extern` variables, to which the same happened as to the definition.
pub(super) fn without_prototypes(mut changes: Vec<DeclarationChange>) -> Vec<DeclarationChange> {
    let symbol = |one: &DeclarationChange| one.new.as_ref().or(one.old.as_ref()).map(|at| at.symbol.clone());
    let has_signature = |one: &DeclarationChange| one.changes.contains(&HistoryChange::Signature);
    let defined: HashSet<(Option<String>, bool, &str, bool)> = changes
        .iter()
        .filter(|one| is_defined(one) == Some(true))
        .flat_map(|one| {
            // A prototype with other comments alone says nothing new either.
            let all = if has_signature(one) { vec![true, false] } else { vec![false] };
            let key = |is_other| (symbol(one), is_variable(one), one.change.name(), is_other);
            all.into_iter().map(key).collect::<Vec<_>>()
        })
        .collect();
    changes.retain(|one| {
        let key = (symbol(one), is_variable(one), one.change.name(), has_signature(one));
        is_defined(one) != Some(false) || !defined.contains(&key)
    });
    changes
}

/// Returns whether a change is that of a definition; `None` if it may be neither a definition nor a
/// prototype.
fn is_defined(one: &DeclarationChange) -> Option<bool> {
    let mut sides = [&one.old, &one.new].into_iter().flatten();
    let is_function = matches!(one.kind, "function" | "method" | "constructor");
    match has_headers(&one.language) {
        true if is_function => Some(sides.any(|at| at.has_body)),
        true if is_variable(one) => Some(sides.any(|at| !at.signature.starts_with("extern "))),
        _ => None,
    }
}

fn is_variable(one: &DeclarationChange) -> bool {
    matches!(one.kind, "variable" | "constant")
}
