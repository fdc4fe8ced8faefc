//! Several declarations of one name, each of which may be the one that is meant.

use std::collections::HashSet;

use super::family::Family;
use super::{Candidate, is_function};
use crate::index::chunk::DeclarationKind;
use crate::search::segment::Part;

/// A name with more declarations than this is not guessed at.
pub(super) const MAX_GUESSES: usize = 30;

/// Returns whether these are functions or tables of one name: alternatives, of which a build or a
/// database has one. Each is in a file of its own, or is one of several in a file of C or C++, by
/// platform or setting.
pub(super) fn are_alternatives(all: &[&Candidate<'_>]) -> bool {
    let mut files: HashSet<(Part, u32)> = HashSet::new();
    // In C++, they may also be overloads, one of which a call means.
    let mut is_one = |one: &Candidate<'_>| {
        let is_first = files.insert((one.file.part, one.file.ord));
        is_first || one.family == Family::C && !one.row.body.is_empty()
    };
    (2..=MAX_GUESSES).contains(&all.len())
        && all.iter().all(|one| is_one(one))
        && (all.iter().all(|one| is_function(one.row.kind))
            || all.iter().all(|one| one.row.kind == DeclarationKind::Table))
}
