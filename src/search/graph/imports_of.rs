//! The imports of one name that count at a place, and what several of them mean together.
//!
//! A file may import one name more than once: in different functions, or from one of two modules,
//! whichever is there (`try: … except ImportError: …`). Which of them a use means is open then,
//! unless one stands in the same function.

use super::family::Family;
use super::resolve::{Candidates, Matches, Site};
use super::scope::{Import, function_of};
use super::{Evidence, Result};

/// Most imports of one name that count.
const MAX_SAME: usize = 16;

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns the imports that may give a name its meaning here: those of the own chunk or
    /// function, else those that count in the whole file, else all.
    pub(super) fn imports_of(&self, local: &str) -> Vec<&'g Import<'s>> {
        let mut all: Vec<&Import<'s>> =
            self.scope.imports.iter().filter(|import| import.local == local).collect();
        if all.len() < 2 {
            return all;
        }
        let function = function_of(&self.file, self.from.ord);
        let is_own = |import: &&Import<'s>| {
            import.chunk == self.from.ord || function.is_some() && import.function == function
        };
        if all.iter().any(is_own) {
            all.retain(is_own);
        } else if all.iter().any(|import| import.function.is_none()) {
            all.retain(|import| import.function.is_none());
        }
        all.truncate(MAX_SAME);
        all
    }

    /// Returns what some imports of one name mean together. `found` returns what one of them means.
    pub(super) fn through_any(
        &self,
        imports: &[&'g Import<'s>],
        mut found: impl FnMut(&'g Import<'s>) -> Result<Candidates<'g, 's>>,
    ) -> Result<Matches<'g, 's>> {
        // Elsewhere, one of them may import a type, and another a function of the same name.
        let is_one_binding = matches!(self.scope.family, Family::Python | Family::Script);
        let mut all: Candidates<'g, 's> = Vec::new();
        let mut n_meanings = 0;
        for (at, import) in imports.iter().enumerate() {
            let is_same = |one: &&Import<'s>| one.name == import.name && one.written == import.written;
            if imports.iter().take(at).any(is_same) {
                continue;
            }
            let next = found(import)?;
            let n_before = all.len();
            all.extend(
                next.iter()
                    .filter(|one| all.iter().all(|known| known.at != one.at))
                    .copied()
                    .collect::<Vec<_>>(),
            );
            // What one module exports may have several records.
            let is_alone = imports.iter().filter(|one| one.written == import.written).count() == 1;
            let is_other = all.len() > n_before || next.is_empty() && is_one_binding && is_alone;
            n_meanings += usize::from(is_other);
        }
        let evidence = if n_meanings > 1 { Evidence::Alternative } else { Evidence::Import };
        Ok((evidence, all))
    }
}
