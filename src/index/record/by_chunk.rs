//! Lists by chunk, made of entries that come in another order.

/// Entries of the chunks of a record; those of a chunk keep the order in which they came.
#[derive(Debug)]
pub(super) struct ByChunk<T> {
    entries: Vec<T>,
    /// Start of each chunk in `entries`; one more than there are chunks.
    starts: Vec<u32>,
}

impl<T> Default for ByChunk<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), starts: Vec::new() }
    }
}

impl<T: Copy + Default> ByChunk<T> {
    /// Replaces all entries by these, each with its chunk.
    pub(super) fn fill(&mut self, n_chunks: u32, found: impl Iterator<Item = (u32, T)> + Clone) {
        self.starts.clear();
        self.starts.resize(n_chunks as usize + 1, 0);
        for (chunk, _) in found.clone() {
            if let Some(n) = self.starts.get_mut(chunk as usize + 1) {
                *n += 1;
            }
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        let mut next = self.starts.clone();
        self.entries.clear();
        self.entries.resize(sum as usize, T::default());
        for (chunk, entry) in found {
            if let Some(at) = next.get_mut(chunk as usize)
                && let Some(slot) = self.entries.get_mut(*at as usize)
            {
                *slot = entry;
                *at += 1;
            }
        }
    }

    /// Returns the entries of a chunk.
    pub(super) fn of(&self, chunk: u32) -> &[T] {
        let bound = |i: usize| self.starts.get(i).map_or(0, |&n| n as usize);
        self.entries.get(bound(chunk as usize)..bound(chunk as usize + 1)).unwrap_or_default()
    }
}
