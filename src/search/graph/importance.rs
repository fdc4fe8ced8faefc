//! Finds the declarations that much of the repository refers to.
//!
//! Input: an index and a filter. Output: functions, types, macros and constants, best first.
//!
//! An exact count would resolve every mention in the repository. Two cheaper passes replace it. The
//! first counts the chunks that mention each name and shares the count among the declarations of
//! that name. The second resolves a sample of the mentions of the best names. The sample tells a
//! declaration that is really meant from a common word, or from a name of something outside the
//! repository.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::index::chunk::{DeclarationKind, ReferenceKind};

use super::rules::constant::is_added_to;
use super::walk::rank;
use super::{DeclarationRef, Graph, Place, Result, is_function, is_type};

/// Kinds of references that count.
const KINDS: [ReferenceKind; 3] = [ReferenceKind::Call, ReferenceKind::Type, ReferenceKind::Inherits];

/// At most this many mentions of a name are resolved for each kind of reference.
const SAMPLE: usize = 32;

/// The same, to order the declarations of one name.
const LARGE_SAMPLE: usize = 1000;

impl<'s> Graph<'_, 's> {
    /// Returns the functions, types, macros and constants that other files refer to most, best
    /// first, at most `limit`.
    ///
    /// Each comes with ln(1 + n), where n estimates how many chunks of other files mean it.
    /// `admits` filters the declarations. The result is the same whatever is cached, because
    /// samples are taken in order of positions.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn important(
        &self,
        limit: usize,
        admits: impl Fn(DeclarationRef) -> bool,
    ) -> Result<Vec<(DeclarationRef, f64)>> {
        let mut of_name: HashMap<&str, Vec<DeclarationRef>> = HashMap::new();
        for one in self.index.declarations() {
            let at = DeclarationRef { part: one.file.part, ord: one.ord };
            let is_added_to =
                is_type(one.row.kind) && is_added_to(one.file.language(), one.name(), one.file.path());
            let is_own = is_counted(one.row.kind) && !is_added_to;
            if is_own && admits(at) {
                of_name.entry(one.name()).or_default().push(at);
            }
        }
        let mut by_name: Vec<(f64, &str, Vec<DeclarationRef>)> = Vec::new();
        for (name, declared) in of_name {
            let mut n = 0;
            for kind in KINDS {
                n += self.n_mentions(name, kind)?;
            }
            if n > 0 && !name.is_empty() {
                by_name.push((log(n) / float(declared.len()), name, declared));
            }
        }
        by_name.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        let mut found: Vec<(Place<'s>, DeclarationRef, f64)> = Vec::new();
        for (_, name, declared) in by_name.into_iter().take(limit) {
            let mut meant = self.meant(name, SAMPLE)?;
            for at in declared {
                let n = meant.remove(&at).unwrap_or_default();
                if let Some(chunk) = self.chunk_of(at).filter(|_| n > 0.0) {
                    found.push((self.place(chunk), at, (1.0 + n).ln()));
                }
            }
        }
        found.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)).then(a.1.cmp(&b.1)));
        found.truncate(limit);
        Ok(found.into_iter().map(|(_, at, weight)| (at, weight)).collect())
    }

    /// As [`Graph::find`]. Among declarations that are equal but for their places, those with the
    /// most references from other files come first, by an estimate.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn find_most_used(&self, symbol: &str) -> Result<Vec<DeclarationRef>> {
        let found = self.find(symbol)?;
        if found.len() < 2 {
            return Ok(found);
        }
        let named = found.iter().filter_map(|at| self.declaration(*at));
        let names: BTreeSet<&str> = named.map(|(file, row)| file.segment.name(&row)).collect();
        let mut meant: BTreeMap<DeclarationRef, f64> = BTreeMap::new();
        for name in names {
            meant.extend(self.meant(name, LARGE_SAMPLE)?);
        }
        let rank = |at: &DeclarationRef| self.declaration(*at).map(|(file, row)| rank(&file, &row));
        let uses = |at: &DeclarationRef| meant.get(at).copied().unwrap_or_default();
        let mut ranked: Vec<_> = found.into_iter().map(|at| (rank(&at), uses(&at), at)).collect();
        ranked.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.total_cmp(&a.1)));
        Ok(ranked.into_iter().map(|one| one.2).collect())
    }

    /// Estimates, for each declaration of a name, how many chunks of other files mean it without
    /// doubt. At most `sample` mentions are resolved for each kind of reference.
    ///
    /// Each chunk counts with its confidence. Chunks of tests count a tenth of that.
    fn meant(&self, name: &str, sample: usize) -> Result<BTreeMap<DeclarationRef, f64>> {
        let mut meant: BTreeMap<DeclarationRef, f64> = BTreeMap::new();
        for kind in KINDS {
            let mut mentions: Vec<_> = self
                .mentions_of(name, self.aliases_of(name)?, kind)?
                .into_iter()
                .map(|(from, mention)| (self.place(from), from, mention))
                .collect();
            mentions.sort_by(|a, b| a.0.cmp(&b.0));
            // Spread over all positions: the first mentions would come from a few folders only.
            let step = mentions.len().div_ceil(sample).max(1);
            let taken = mentions.iter().step_by(step).count();
            let share = float(mentions.len()) / float(taken.max(1));
            for (place, from, mention) in mentions.iter().step_by(step) {
                let is_test = self.file_of(*from).is_some_and(|file| file.flags().is_test());
                for resolved in self.resolve(*from, mention)? {
                    let elsewhere =
                        self.declaration(resolved.to).is_some_and(|(file, _)| file.path() != place.path);
                    // Guesses don't count. They add up fastest for the names that mean least:
                    // `len`, `get`, `collect`.
                    if elsewhere && resolved.evidence.is_certain() {
                        let counts = if is_test { 0.1 } else { 1.0 };
                        *meant.entry(resolved.to).or_default() += share * counts * resolved.confidence;
                    }
                }
            }
        }
        Ok(meant)
    }
}

/// Returns whether a declaration of this kind is worth a line of its own.
fn is_counted(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    is_function(kind) && kind != K::Test
        || is_type(kind) && kind != K::Implementation
        || matches!(kind, K::Macro | K::Constant)
}

fn log(n: u64) -> f64 {
    (1.0 + f64::from(u32::try_from(n).unwrap_or(u32::MAX))).ln()
}

fn float(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}
