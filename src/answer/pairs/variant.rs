//! Variants of one declaration: the branches of an `#ifdef`, or of an `if` in Python.
//!
//! If one variant goes and another stays, the declaration is still there. So this is a change of
//! the declaration, not a removal. An overload or a setter has other parameters, so it
//! is another declaration.

use std::collections::HashSet;

use crate::answer::side::{DeclarationEntry, File, SideDeclaration, declared};
use crate::answer::view::Change;
use crate::index::chunk::DeclarationKind;
use crate::search::graph::is_function;

use super::Pairs;
use super::overload::is_overload_same;

/// Takes variants out of the lists of declarations that went and came. Each becomes a change of the
/// variant that is on both sides, unless that one is changed already.
pub(super) fn variants(
    files: &[File],
    pairs: &mut Pairs,
    gone: &mut Vec<SideDeclaration>,
    come: &mut Vec<SideDeclaration>,
) {
    let changed: HashSet<[SideDeclaration; 2]> =
        pairs.changes.iter().filter_map(|(_, from, to)| Some([(*from)?, (*to)?])).collect();
    let mut found = Vec::new();
    for (list, is_old) in [(gone, true), (come, false)] {
        let missing: HashSet<SideDeclaration> = list.iter().copied().collect();
        list.retain(|&at| {
            // The one that is on both sides, before and after.
            let beside = variant(files, at, is_old, |ord| !missing.contains(&(at.0, ord)));
            let Some(stays) = beside else { return true };
            let known = changed.iter().find(|pair| pair[usize::from(!is_old)] == (at.0, stays));
            let other = pairs.kept.iter().find(|(from, to)| {
                let own = if is_old { from } else { to };
                *own == (at.0, stays)
            });
            match (known, other) {
                (Some([from, to]), _) => from.0 != at.0 || to.0 != at.0,
                (None, Some((from, to))) => {
                    let pair = if is_old { (at, *to) } else { (*from, at) };
                    found.push((Change::Changed, Some(pair.0), Some(pair.1)));
                    false
                }
                (None, None) => true,
            }
        });
    }
    pairs.changes.append(&mut found);
}

/// Returns another variant of a declaration on its own side.
fn variant(
    files: &[File],
    at: SideDeclaration,
    is_old: bool,
    is_paired: impl Fn(usize) -> bool,
) -> Option<usize> {
    let file = files.get(at.0)?;
    let side = if is_old { &file.old } else { &file.new };
    let one = declared(side, at.1)?;
    let language = side.as_ref()?.language.as_str();
    let all = side.iter().flat_map(|side| &side.declarations).enumerate();
    let mut found = all.filter(|(ord, other)| *ord != at.1 && is_variant(one, other, language));
    found.find(|(ord, _)| is_paired(*ord)).map(|(ord, _)| ord)
}

/// Returns whether two declarations of one side are variants of each other.
fn is_variant(one: &DeclarationEntry, other: &DeclarationEntry, language: &str) -> bool {
    use DeclarationKind as K;
    if one.kind != other.kind || one.symbol != other.symbol || one.around != other.around {
        return false;
    }
    let is_signature_same = one.parts.signature == other.parts.signature;
    match one.kind {
        // Lists of records have many of one symbol.
        K::Key | K::Section | K::Rule | K::Element | K::Test => false,
        K::Implementation => is_signature_same,
        kind if is_function(kind) => {
            let is_same = is_signature_same || language == "c" && is_overload_same(one, other);
            is_same && one.has_body && other.has_body
        }
        _ => true,
    }
}
