//! Depth: how many names are being resolved for the sake of another one.
//!
//! The rules of a language look up types to resolve a name, and names to find a type. Two rules may
//! need each other's answer in a source that nobody thought of. A limit ends that, instead of the
//! program.

use std::cell::Cell;

/// Most names that are resolved for the sake of one. The function questions of the evaluation, in
/// twelve large repositories, need 4.
const MOST: u32 = 16;

/// The number of names that are being resolved.
#[derive(Debug, Default)]
pub(super) struct Depth(Cell<u32>);

/// One more name that is being resolved, until this is dropped.
#[derive(Debug)]
pub(super) struct Deeper<'d>(&'d Depth);

impl Depth {
    /// Begins to resolve one more name; `None` if too many are being resolved.
    pub(super) fn deeper(&self) -> Option<Deeper<'_>> {
        let depth = self.0.get();
        (depth < MOST).then(|| {
            self.0.set(depth + 1);
            Deeper(self)
        })
    }
}

impl Drop for Deeper<'_> {
    fn drop(&mut self) {
        self.0.0.set(self.0.0.get().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_resolved_for_one_another_up_to_a_limit() {
        let depth = Depth::default();
        let mut open: Vec<Deeper<'_>> = std::iter::from_fn(|| depth.deeper()).take(100).collect();
        assert_eq!(open.len(), 16);
        open.pop();
        assert!(depth.deeper().is_some());
        assert!(depth.deeper().is_some(), "the last one was dropped");
    }
}
