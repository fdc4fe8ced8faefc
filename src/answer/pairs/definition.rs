//! Definitions of C and C++ that moved to where a prototype was, or away from there.
//!
//! A prototype and a definition of one symbol in one file are a pair at first: the function got or
//! lost its body. If the definition went to another file, or came from there, it is the same one.

use std::collections::HashMap;

use bstr::ByteSlice;

use super::overload::is_overload_same;
use crate::answer::side::{DeclarationEntry, File, Pair, SideDeclaration, entry};
use crate::answer::view::Change;
use crate::index::chunk::has_headers;
use crate::search::graph::is_function;

/// Takes definitions that went and came out of the lists, and returns them as moves. Prototypes
/// that are no longer paired become `forward`.
pub(super) fn moved_definitions(
    files: &[File],
    changes: &mut Vec<Pair>,
    forward: &mut Vec<Pair>,
    gone: &mut Vec<SideDeclaration>,
    come: &mut Vec<SideDeclaration>,
) -> Vec<(SideDeclaration, SideDeclaration)> {
    let mut moves = Vec::new();
    let mut open = [by_symbol(files, gone, true), by_symbol(files, come, false)];
    let [went, came] = &mut open;
    changes.retain(|(_, from, to)| {
        let Some((from, to)) = from.zip(*to) else { return true };
        let Some((old, new)) = entry(files, from, true).zip(entry(files, to, false)) else { return true };
        if old.has_body == new.has_body || !is_function(old.kind) || !is_c(files, to) {
            return true;
        }
        let list = if new.has_body { &mut *went } else { &mut *came };
        let defined = if new.has_body { new } else { old };
        let Some(other) = take(files, list, defined, new.has_body) else { return true };
        if new.has_body {
            moves.push((other, to));
            forward.push((Change::Removed, Some(from), None));
        } else {
            moves.push((from, other));
            forward.push((Change::Added, None, Some(to)));
        }
        false
    });
    // Both definitions are beside their prototypes, or have none.
    let mut ends: Vec<SideDeclaration> = came.values().flatten().copied().collect();
    ends.sort_unstable();
    for to in ends {
        let Some(new) = entry(files, to, false) else { continue };
        let is_one = came.get(new.symbol.as_str()).is_some_and(|list| list.len() == 1);
        let from = went.get(new.symbol.as_str()).filter(|list| list.len() == 1).and_then(|list| list.first());
        let Some(from) = from.copied().filter(|_| is_one) else { continue };
        let is_same = entry(files, from, true).is_some_and(|old| is_overload_same(old, new));
        if is_same && (new.symbol.contains("::") || is_header(files, from) || is_header(files, to)) {
            moves.push((from, to));
        }
    }
    gone.retain(|at| moves.iter().all(|(from, _)| from != at));
    come.retain(|at| moves.iter().all(|(_, to)| to != at));
    moves
}

/// The definitions of functions of C and C++ among declarations that went or came.
fn by_symbol<'f>(
    files: &'f [File],
    list: &[SideDeclaration],
    is_old: bool,
) -> HashMap<&'f str, Vec<SideDeclaration>> {
    let mut found: HashMap<&str, Vec<SideDeclaration>> = HashMap::new();
    for &at in list {
        if let Some(one) = entry(files, at, is_old)
            && one.has_body
            && is_function(one.kind)
            && is_c(files, at)
        {
            found.entry(&one.symbol).or_default().push(at);
        }
    }
    found
}

/// Takes the definition of the same function out of a list.
fn take(
    files: &[File],
    list: &mut HashMap<&str, Vec<SideDeclaration>>,
    defined: &DeclarationEntry,
    is_old: bool,
) -> Option<SideDeclaration> {
    let found = list.get_mut(defined.symbol.as_str())?;
    let is_same =
        |at: &SideDeclaration| entry(files, *at, is_old).is_some_and(|one| is_overload_same(one, defined));
    let at = found.iter().position(is_same)?;
    Some(found.remove(at))
}

/// Whether a file is one of C, C++ or Objective-C.
fn is_c(files: &[File], at: SideDeclaration) -> bool {
    let side = files.get(at.0).and_then(|file| file.new.as_ref().or(file.old.as_ref()));
    side.is_some_and(|side| has_headers(&side.language))
}

/// Whether a file is meant to be included.
fn is_header(files: &[File], at: SideDeclaration) -> bool {
    const ENDS: [&str; 7] = [".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tpp"];
    files.get(at.0).is_some_and(|file| ENDS.iter().any(|end| file.path.ends_with_str(end)))
}
