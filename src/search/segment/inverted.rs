//! Keys with growing lists of chunks, while a segment is built.
//!
//! Owns [`InvertedLists`]: the interned keys, the state of each key's list, and the pool that
//! stores all lists. Lists have the byte format of the segment, with differences that count from
//! the builder's own first chunk. `write` rebases the lists when it merges builders.

use super::field::N_FIELDS;
use super::intern::Interner;
use super::pool::{List, Pool};
use super::postings::{encode, encode_varint};
use super::{Error, Result};

/// Keys with growing lists of chunks: terms with their postings, or referenced names.
#[derive(Debug, Default)]
pub(super) struct InvertedLists {
    pub(super) keys: Interner,
    pub(super) entries: Vec<Entry>,
    pub(super) pool: Pool,
}

/// The list of one key so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    pub(super) list: List,
    /// Number of chunks in the list.
    pub(super) n: u32,
    /// The last of those chunks.
    pub(super) last: u32,
}

impl InvertedLists {
    /// Frees what only further chunks need.
    pub(super) fn shrink(&mut self) {
        self.keys.shrink();
        self.entries.shrink_to_fit();
        self.pool.shrink();
    }

    /// Returns the number of a key, which is added if it is new.
    pub(super) fn key(&mut self, key: &[u8]) -> Result<u32> {
        let (number, new) = self.keys.intern(key).ok_or(Error::Limit { what: "terms" })?;
        if new {
            self.entries.push(Entry::default());
        }
        Ok(number)
    }

    /// Appends a chunk to a list; it must come after the list's last one. Only terms have
    /// frequencies.
    pub(super) fn push(
        &mut self,
        number: u32,
        chunk: u32,
        frequencies: Option<&[u8; N_FIELDS]>,
    ) -> Result<()> {
        let full = || Error::Limit { what: "postings" };
        let entry = self.entries.get_mut(number as usize).ok_or_else(full)?;
        let delta = if entry.n == 0 { chunk } else { chunk - entry.last };
        let mut list = entry.list;
        let push = |byte| self.pool.push(&mut list, byte);
        match frequencies {
            Some(frequencies) => encode(delta, frequencies, push),
            None => encode_varint(delta, push),
        }
        .ok_or_else(full)?;
        entry.list = list;
        entry.n += 1;
        entry.last = chunk;
        Ok(())
    }
}
