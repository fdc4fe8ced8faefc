//! Declarations that became another kind where they are: a static that is a constant now, a class
//! that is a struct, a function that is a method, a macro that is a constant.
//!
//! It is one declaration if nothing else of its file has its symbol among those that went and came.

use std::collections::HashMap;

use super::super::side::{DeclarationEntry, File, SideDeclaration, entry};
use crate::index::chunk::DeclarationKind;

/// Takes the declarations out of the lists that have the same symbol in the same file, and another
/// kind.
pub(super) fn other_kinds(
    files: &[File],
    gone: &mut Vec<SideDeclaration>,
    come: &mut Vec<SideDeclaration>,
) -> Vec<(SideDeclaration, SideDeclaration)> {
    let mut by_symbol: HashMap<(usize, &str), [Vec<SideDeclaration>; 2]> = HashMap::new();
    for (side, list) in [&*gone, &*come].into_iter().enumerate() {
        for &at in list {
            let one = entry(files, at, side == 0).filter(|one| can_change(one));
            if let Some(one) = one
                && let Some(list) = by_symbol.entry((at.0, &one.symbol)).or_default().get_mut(side)
            {
                list.push(at);
            }
        }
    }
    let of_one = |sides: [Vec<SideDeclaration>; 2]| match [sides[0].as_slice(), sides[1].as_slice()] {
        [[old], [new]] => Some((*old, *new)),
        _ => None,
    };
    let mut found: Vec<_> = by_symbol.into_values().filter_map(of_one).collect();
    found.sort_unstable();
    gone.retain(|at| found.iter().all(|(from, _)| from != at));
    come.retain(|at| found.iter().all(|(_, to)| to != at));
    found
}

/// Returns whether a declaration may become another kind. An `impl` is beside its type, and a
/// constructor has its name. Parts of data have no kind to speak of.
fn can_change(one: &DeclarationEntry) -> bool {
    use DeclarationKind as K;
    let is_fixed = matches!(
        one.kind,
        K::Implementation | K::Constructor | K::Key | K::Section | K::Rule | K::Element | K::Test
    );
    !is_fixed && !one.symbol.is_empty()
}
