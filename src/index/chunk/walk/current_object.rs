//! The current object of functions and objects inside of a type.
//!
//! In JavaScript, `this` in a function is what its caller chooses, and in a method of an object it
//! is that object. In PHP, it may be the object of a class without a name. The type around, which
//! a chunk knows, is then not meant.

use super::Walk;

/// Most nodes around a place that are looked at.
const MAX_AROUND: usize = 256;

impl Walk<'_> {
    /// Returns whether an expression begins with the word for the current object, and that is not
    /// one of the type with a name around it.
    pub(super) fn is_of_other_object(&self, expression: &str) -> bool {
        let rules = self.resolved.table.values.objects;
        let first = expression.split(['.', '-', '?', ':']).next().unwrap_or_default();
        if rules.types.is_empty() || !self.resolved.self_words.is_own(first) {
            return false;
        }
        let (mut is_other, mut is_in_method) = (false, false);
        for kind in self.kinds.iter().rev().take(MAX_AROUND) {
            let kind = self.resolved.grammar.node_kind_for_id(*kind).unwrap_or_default();
            if rules.types.contains(&kind) {
                return is_other;
            }
            is_other |= rules.functions.contains(&kind) || is_in_method && rules.objects.contains(&kind);
            is_in_method |= rules.methods.contains(&kind);
        }
        false
    }
}
