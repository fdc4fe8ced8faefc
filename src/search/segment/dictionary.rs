//! Looks up keys in a segment's `fst` dictionaries.
//!
//! `fst` trusts its bytes: a damaged node makes it index out of bounds. Therefore:
//! - a dictionary is read only after its section's checksum was compared;
//! - every look-up runs inside `catch_unwind`, so that a file crafted with right checksums causes
//!   an error and not the end of a server;
//! - searches bound the length of the keys that they follow, because a crafted node may point back
//!   at itself.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fst::automaton::Levenshtein;
use fst::{Automaton, IntoStreamer, Map, Streamer};

use super::{Error, Result};

/// Longest key that a search follows, in bytes. Records cut declared names far below it.
const KEY_BYTES: usize = 1024;

/// A dictionary: sorted keys, each with a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dictionary<'s> {
    bytes: &'s [u8],
    section: &'static str,
}

impl<'s> Dictionary<'s> {
    pub(super) fn new(bytes: &'s [u8], section: &'static str) -> Self {
        Self { bytes, section }
    }

    fn guarded<T>(&self, work: impl FnOnce(&Map<&'s [u8]>) -> T) -> Result<T> {
        let corrupt = |why| Error::Corrupt { section: self.section, why };
        // The closure leaves nothing half changed outside: its result is dropped on a panic.
        catch_unwind(AssertUnwindSafe(|| Map::new(self.bytes).map(|map| work(&map))))
            .map_err(|_| corrupt("has a damaged node"))?
            .map_err(|_| corrupt("is not a dictionary"))
    }

    /// Returns the number of a key.
    pub(super) fn get(&self, key: &[u8]) -> Result<Option<u64>> {
        self.guarded(|map| map.get(key))
    }

    /// Returns the numbers of several keys, in their order.
    pub(super) fn get_all<'k>(&self, keys: impl Iterator<Item = &'k [u8]>) -> Result<Vec<Option<u64>>> {
        self.guarded(|map| keys.map(|key| map.get(key)).collect())
    }

    /// Calls `each` with the keys that begin with `prefix`, in order, until it returns false.
    pub(super) fn prefixed(&self, prefix: &[u8], mut each: impl FnMut(&[u8], u64) -> bool) -> Result<()> {
        self.guarded(|map| {
            let mut stream = map.search(Prefix { prefix }).into_stream();
            while let Some((key, value)) = stream.next() {
                if !each(key, value) {
                    return;
                }
            }
        })
    }

    /// Returns the keys within this many edits of `word`, in order; none if the word is too long
    /// for an automaton.
    pub(super) fn similar(&self, word: &str, edits: u32) -> Result<Vec<(String, u64)>> {
        let Ok(automaton) = Levenshtein::new(word, edits) else { return Ok(Vec::new()) };
        self.guarded(|map| {
            let mut found = Vec::new();
            let mut stream = map.search(&automaton).into_stream();
            while let Some((key, value)) = stream.next() {
                if let Ok(key) = std::str::from_utf8(key) {
                    found.push((key.to_owned(), value));
                }
            }
            found
        })
    }
}

/// A search for keys with a prefix, up to [`KEY_BYTES`] long. The `StartsWith` of `fst` has no
/// bound.
struct Prefix<'p> {
    prefix: &'p [u8],
}

impl Automaton for Prefix<'_> {
    /// Number of bytes matched so far, or `None` after a mismatch.
    type State = Option<usize>;

    fn start(&self) -> Self::State {
        Some(0)
    }

    fn is_match(&self, state: &Self::State) -> bool {
        state.is_some_and(|n| n >= self.prefix.len())
    }

    fn can_match(&self, state: &Self::State) -> bool {
        state.is_some()
    }

    fn accept(&self, state: &Self::State, byte: u8) -> Self::State {
        let n = (*state)?;
        let fits = self.prefix.get(n).is_none_or(|&expected| expected == byte);
        (fits && n < KEY_BYTES).then_some(n + 1)
    }
}
