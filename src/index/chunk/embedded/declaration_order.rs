//! The order of declarations that come from several parts of a file, and which of them are around
//! others.

use std::cmp::Reverse;

use crate::index::chunk::lines::offset;
use crate::index::chunk::{ByteRange, Declaration};

/// Puts declarations in order, outer before inner, without those that are not kept. Also returns
/// the new index of each.
pub(in crate::index::chunk) fn in_order(
    all: &[Declaration],
    is_kept: impl Fn(usize) -> bool,
) -> (Vec<Declaration>, Vec<Option<u32>>) {
    let mut order: Vec<usize> = (0..all.len()).filter(|&at| is_kept(at)).collect();
    order.sort_by_key(|&at| all.get(at).map(|one| (one.span.bytes.start, Reverse(one.span.bytes.end))));
    let mut places = vec![None; all.len()];
    for (place, &at) in order.iter().enumerate() {
        if let Some(slot) = places.get_mut(at) {
            *slot = Some(offset(place));
        }
    }
    let moved = order.iter().enumerate().filter_map(|(place, &at)| {
        let mut one = all.get(at)?.clone();
        // A parent comes first, even where broken syntax gave a child an earlier lead.
        let parent = one.parent.and_then(|parent| places.get(parent as usize).copied().flatten());
        one.parent = parent.filter(|&parent| (parent as usize) < place);
        Some(one)
    });
    (moved.collect(), places)
}

/// Returns the innermost declaration around a range, of those that are kept. `all` is in order.
pub(in crate::index::chunk) fn around(
    all: &[Declaration],
    range: ByteRange,
    is_kept: impl Fn(usize) -> bool,
) -> Option<u32> {
    let mut at = all.partition_point(|one| one.span.bytes.start <= range.start).checked_sub(1);
    while let Some((ord, one)) = at.and_then(|at| Some((at, all.get(at)?))) {
        if one.span.bytes.end >= range.end && is_kept(ord) {
            return Some(offset(ord));
        }
        at = one.parent.map(|parent| parent as usize).filter(|&parent| parent < ord);
    }
    None
}
