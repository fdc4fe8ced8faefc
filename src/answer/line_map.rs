//! Which line of a text is which line of a changed copy of it.
//!
//! Owns [`LineMap`]. An editor may show a text that differs from the one that was searched. A line
//! outside of every difference is the same line in both. A line inside of one has no counterpart:
//! a guessed line would be wrong without a sign of it.

use std::hash::Hash;
use std::ops::Range;

use gix::diff::blob::{Algorithm, Diff, InternedInput, Interner};

/// The differences between two texts, by line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineMap {
    /// In order; lines are 0-based.
    changes: Vec<Change>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    old: Range<u32>,
    new: Range<u32>,
}

impl LineMap {
    /// Compares two texts, given their lines.
    pub fn of<T: Hash + Eq>(old: impl Iterator<Item = T>, new: impl Iterator<Item = T>) -> Self {
        let mut input = InternedInput { before: Vec::new(), after: Vec::new(), interner: Interner::new(0) };
        input.update_before(old);
        input.update_after(new);
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_no_heuristic(&input);
        let changes = diff.hunks().map(|hunk| Change { old: hunk.before, new: hunk.after }).collect();
        Self { changes }
    }

    /// Returns whether the texts have the same lines.
    pub fn is_same(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns the old lines that changed and the lines that replace them, in order, 0-based.
    pub(crate) fn changes(&self) -> impl Iterator<Item = (&Range<u32>, &Range<u32>)> {
        self.changes.iter().map(|change| (&change.old, &change.new))
    }

    /// Returns the line of the new text, 0-based.
    ///
    /// # Errors
    /// If the line changed: the lines that replace it and its neighbours; empty if they were
    /// removed.
    pub fn to_new(&self, line: u32) -> Result<u32, Range<u32>> {
        mapped(line, self.changes.iter().map(|change| (&change.old, &change.new)))
    }

    /// Returns the line of the old text, 0-based.
    ///
    /// # Errors
    /// As [`LineMap::to_new`].
    pub fn to_old(&self, line: u32) -> Result<u32, Range<u32>> {
        mapped(line, self.changes.iter().map(|change| (&change.new, &change.old)))
    }
}

fn mapped<'c>(
    line: u32,
    changes: impl Iterator<Item = (&'c Range<u32>, &'c Range<u32>)>,
) -> Result<u32, Range<u32>> {
    // The ends of the last change before the line, on both sides.
    let (mut from_end, mut to_end) = (0, 0);
    for (from, to) in changes {
        if line < from.start {
            break;
        }
        if from.contains(&line) {
            return Err(to.clone());
        }
        (from_end, to_end) = (from.end, to.end);
    }
    Ok(line.saturating_sub(from_end).saturating_add(to_end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn map(old: &str, new: &str) -> LineMap {
        LineMap::of(old.split(' '), new.split(' '))
    }

    #[test]
    fn lines_outside_of_changes_are_found_and_others_are_not() {
        let same = map("a b c", "a b c");
        assert!(same.is_same());
        assert_eq!(same.to_new(2), Ok(2));
        let inserted = map("a b c", "x y a b c");
        assert_eq!((inserted.to_new(0), inserted.to_old(4)), (Ok(2), Ok(2)));
        assert_eq!(inserted.to_old(1), Err(0..0));
        let changed = map("a b c d", "a B1 B2 c d");
        assert_eq!(changed.to_new(1), Err(1..3));
        assert_eq!(changed.to_old(2), Err(1..2));
        assert_eq!((changed.to_new(2), changed.to_new(3)), (Ok(3), Ok(4)));
        let removed = map("a b c", "a c");
        assert_eq!((removed.to_new(1), removed.to_new(2), removed.to_old(1)), (Err(1..1), Ok(1), Ok(2)));
    }

    proptest! {
        #[test]
        fn a_mapped_line_has_the_same_text_and_comes_back(
            old in prop::collection::vec(0u8..4, 0..30),
            new in prop::collection::vec(0u8..4, 0..30),
        ) {
            let map = LineMap::of(old.iter(), new.iter());
            for (line, text) in (0u32..).zip(&old) {
                if let Ok(there) = map.to_new(line) {
                    prop_assert_eq!(new.get(there as usize), Some(text));
                    prop_assert_eq!(map.to_old(there), Ok(line));
                }
            }
        }
    }
}
