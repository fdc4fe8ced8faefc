//! Many byte lists that grow side by side, while a segment is built.
//!
//! Owns [`Pool`]. Half a million posting lists that grow a byte at a time share one arena, as
//! chains of slices that double in size (8, 16, … 256 bytes). The last four bytes of a full
//! slice are the address of the next one. A `Vec<u8>` per list would take 24 bytes of header and an
//! allocation for each, and half of all lists hold one posting. The idea is Lucene's byte block
//! pool.

/// Size of a list's first slice, in bytes.
const FIRST_SLICE: u32 = 8;
/// Size at which slices stop doubling, in bytes. The unused ends of larger ones take more memory
/// than the links of smaller ones (`doc/experiments/segment.md`).
const LAST_SLICE: u32 = 256;
/// Bytes at the end of a slice that are reserved for the address of the next one.
const LINK: u32 = 4;

/// A list of bytes in a [`Pool`].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct List {
    head: u32,
    write: u32,
    /// End of the current slice's bytes and start of its link; equal to `write` when the slice is
    /// full.
    limit: u32,
    slice: u32,
}

/// The arena of all lists.
#[derive(Debug, Default)]
pub(super) struct Pool {
    bytes: Vec<u8>,
}

impl Pool {
    /// Appends a byte; `None` if the arena's four gigabytes are full.
    pub(super) fn push(&mut self, list: &mut List, byte: u8) -> Option<()> {
        if list.write == list.limit {
            self.extend(list)?;
        }
        *self.bytes.get_mut(list.write as usize)? = byte;
        list.write += 1;
        Some(())
    }

    /// Frees the bytes that no list uses yet.
    pub(super) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
    }

    fn extend(&mut self, list: &mut List) -> Option<()> {
        let at = u32::try_from(self.bytes.len()).ok()?;
        let size = if list.slice == 0 { FIRST_SLICE } else { (list.slice * 2).min(LAST_SLICE) };
        self.bytes.resize(self.bytes.len() + size as usize, 0);
        if list.slice == 0 {
            list.head = at;
        } else {
            let link = list.limit as usize;
            self.bytes.get_mut(link..link + LINK as usize)?.copy_from_slice(&at.to_le_bytes());
        }
        list.slice = size;
        list.write = at;
        list.limit = at.checked_add(size - LINK)?;
        Some(())
    }

    /// Copies a list to the end of `out`.
    pub(super) fn copy_to(&self, list: &List, out: &mut Vec<u8>) {
        if list.slice == 0 {
            return;
        }
        let mut at = list.head as usize;
        let mut size = FIRST_SLICE;
        loop {
            let limit = at + (size - LINK) as usize;
            if limit == list.limit as usize {
                out.extend_from_slice(self.bytes.get(at..list.write as usize).unwrap_or_default());
                return;
            }
            out.extend_from_slice(self.bytes.get(at..limit).unwrap_or_default());
            let Some(link) = self.bytes.get(limit..).and_then(|b| b.first_chunk::<4>()) else { return };
            at = u32::from_le_bytes(*link) as usize;
            size = (size * 2).min(LAST_SLICE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{List, Pool};

    #[test]
    fn interleaved_lists_come_back_whole() {
        let mut pool = Pool::default();
        let mut lists = [List::default(); 7];
        let mut expected = vec![Vec::new(); 7];
        for i in 0..100_000usize {
            let which = (i * i) % 7;
            pool.push(&mut lists[which], u8::try_from(i % 251).unwrap()).unwrap();
            expected[which].push(u8::try_from(i % 251).unwrap());
        }
        for (list, bytes) in lists.iter().zip(&expected) {
            let mut out = Vec::new();
            pool.copy_to(list, &mut out);
            assert_eq!(&out, bytes);
        }
    }
}
