//! A map from strings to dense numbers and back, while a segment is built.
//!
//! Owns [`Interner`]: all strings in one arena, and an open-addressing table of their numbers. A
//! `HashMap<Box<str>, u32>` of half a million short keys takes three times the memory. The hash is
//! the standard library's keyed one: tokens come from records, records come from the network, and
//! nobody must be able to pile up keys in one bucket. Numbers are given in order of first
//! appearance.

use std::hash::{BuildHasher, RandomState};

/// A set of byte strings, each numbered by how many came before it.
#[derive(Debug, Default)]
pub(super) struct Interner {
    arena: Vec<u8>,
    /// End of each string in the arena, by number.
    ends: Vec<u32>,
    /// By hash slot, the number of its string plus one, or zero for none. The length is a power of
    /// two.
    table: Vec<u32>,
    hasher: RandomState,
}

impl Interner {
    /// Returns the number of strings.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the string with this number; empty if there is none.
    pub(super) fn get(&self, number: u32) -> &[u8] {
        let i = number as usize;
        let start = if i == 0 { 0 } else { self.ends.get(i - 1).copied().unwrap_or(0) };
        let end = self.ends.get(i).copied().unwrap_or(0);
        self.arena.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Returns the number of `key`, and whether it is new; `None` if the arena's four gigabytes are
    /// full.
    pub(super) fn intern(&mut self, key: &[u8]) -> Option<(u32, bool)> {
        if (self.ends.len() + 1) * 4 > self.table.len() * 3 {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut slot = self.slot(key);
        loop {
            match self.table.get(slot).copied().unwrap_or(0) {
                0 => break,
                found if self.get(found - 1) == key => return Some((found - 1, false)),
                _ => slot = (slot + 1) & mask,
            }
        }
        let end = u32::try_from(self.arena.len() + key.len()).ok()?;
        let number = u32::try_from(self.ends.len()).ok()?;
        self.arena.extend_from_slice(key);
        self.ends.push(end);
        if let Some(cell) = self.table.get_mut(slot) {
            *cell = number.checked_add(1)?;
        }
        Some((number, true))
    }

    fn slot(&self, key: &[u8]) -> usize {
        let hash = self.hasher.hash_one(key);
        // Only the low bits matter, whatever the width of `usize`.
        usize::try_from(hash & (self.table.len() as u64 - 1)).unwrap_or(0)
    }

    /// Frees what only further strings need. A further string takes the time to build it again.
    pub(super) fn shrink(&mut self) {
        self.table = Vec::new();
        self.arena.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Makes a table with at least two slots for each string and for another one.
    fn grow(&mut self) {
        self.table = vec![0; ((self.ends.len() + 1) * 2).next_power_of_two().max(64)];
        let mask = self.table.len() - 1;
        for number in 0..self.ends.len() {
            let Ok(number) = u32::try_from(number) else { break };
            let mut slot = self.slot(self.get(number));
            while self.table.get(slot).is_some_and(|&cell| cell != 0) {
                slot = (slot + 1) & mask;
            }
            if let Some(cell) = self.table.get_mut(slot) {
                *cell = number + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Interner;

    #[test]
    fn numbers_are_dense_and_stable() {
        let mut strings = Interner::default();
        for i in 0..5_000u32 {
            assert_eq!(strings.intern(i.to_string().as_bytes()), Some((i, true)));
        }
        for i in 0..5_000u32 {
            assert_eq!(strings.intern(i.to_string().as_bytes()), Some((i, false)));
            assert_eq!(strings.get(i), i.to_string().as_bytes());
        }
        assert_eq!(strings.len(), 5_000);
    }

    #[test]
    fn strings_keep_their_numbers_when_memory_is_freed() {
        let mut strings = Interner::default();
        for i in 0..1_000u32 {
            strings.intern(i.to_string().as_bytes()).unwrap();
        }
        strings.shrink();
        assert_eq!(strings.table.capacity(), 0);
        assert_eq!(strings.get(77), b"77");
        assert_eq!(strings.intern(b"999"), Some((999, false)));
        assert_eq!(strings.intern(b"1000"), Some((1_000, true)));
    }
}
