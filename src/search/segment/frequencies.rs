//! The commonest frequencies of a term in a chunk, so that a posting names them by number.
//!
//! Owns the table, and the way from frequencies to their place in it. The table is the part of the
//! format that measurements decided: `cargo xtask lab frequencies` derives it from the segments of
//! the repositories that `doc/experiments/segment.md` lists. Another table is another version of
//! the format.

use super::field::N_FIELDS;

/// Number of bits that a posting has for the first rows of the table.
pub(super) const CLASS_BITS: u32 = 3;

/// Number of rows that these bits name. The class of a row is its place plus one; class 0 says that
/// a byte follows.
pub(super) const N_CLASSES: usize = (1 << CLASS_BITS) - 1;

/// The byte that names none of the rows after the classes.
pub(super) const EXPLICIT: u8 = u8::MAX;

const N_ROWS: usize = N_CLASSES + EXPLICIT as usize;

/// Number of slots of the hash table, as a power of two.
const SLOT_BITS: u32 = 10;

/// Stands for "no row" in a slot.
const NO_ROW: u16 = u16::MAX;

/// A row of the table, as a reader of postings needs it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Bits of the fields that have the term.
    pub(super) fields: u8,
    n_fields: u8,
    /// The frequencies of those fields, in order; then zeros.
    packed: [u8; N_FIELDS],
}

impl Row {
    /// Returns the frequency in each of the fields, in order.
    #[inline]
    pub(super) fn counts(&self) -> &[u8] {
        self.packed.get(..usize::from(self.n_fields)).unwrap_or_default()
    }

    const fn new(frequencies: &[u8; N_FIELDS]) -> Self {
        let mut row = Self { fields: 0, n_fields: 0, packed: [0; N_FIELDS] };
        let mut field = 0;
        while field < N_FIELDS {
            if frequencies[field] > 0 {
                row.fields |= 1 << field;
                row.packed[row.n_fields as usize] = frequencies[field];
                row.n_fields += 1;
            }
            field += 1;
        }
        row
    }
}

/// Returns the row at a place; `None` behind the last one.
#[inline]
pub(super) fn row(place: usize) -> Option<&'static Row> {
    ROWS.get(place)
}

/// Returns the place of frequencies in the table; `None` if they are not among the commonest.
pub(super) fn place(frequencies: &[u8; N_FIELDS]) -> Option<u16> {
    let mut slot = slot(frequencies);
    loop {
        let place = SLOTS.get(slot).copied().filter(|&place| place != NO_ROW)?;
        if TABLE.get(usize::from(place)) == Some(frequencies) {
            return Some(place);
        }
        slot = (slot + 1) % SLOTS.len();
    }
}

static ROWS: [Row; N_ROWS] = rows();

/// By hash, places in the table. Three of four slots are free, so that each walk ends soon.
static SLOTS: [u16; 1 << SLOT_BITS] = slots();

// The functions below run while the program is compiled: an index that is out of bounds would be an
// error of the compiler.

const fn rows() -> [Row; N_ROWS] {
    let mut rows = [Row::new(&[0; N_FIELDS]); N_ROWS];
    let mut place = 0;
    while place < N_ROWS {
        rows[place] = Row::new(&TABLE[place]);
        place += 1;
    }
    rows
}

const fn slots() -> [u16; 1 << SLOT_BITS] {
    let mut slots = [NO_ROW; 1 << SLOT_BITS];
    let mut place: u16 = 0;
    while (place as usize) < N_ROWS {
        let mut slot = slot(&TABLE[place as usize]);
        while slots[slot] != NO_ROW {
            slot = (slot + 1) % slots.len();
        }
        slots[slot] = place;
        place += 1;
    }
    slots
}

const fn slot(frequencies: &[u8; N_FIELDS]) -> usize {
    let [a, b, c, d, e, f, g] = *frequencies;
    let hash = u64::from_le_bytes([a, b, c, d, e, f, g, 0]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash >> (u64::BITS - SLOT_BITS)) as usize
}

/// The frequencies by field, commonest first.
static TABLE: [[u8; N_FIELDS]; N_ROWS] = [
    [0, 0, 0, 1, 0, 0, 0],
    [0, 0, 1, 0, 0, 0, 0],
    [0, 0, 0, 2, 0, 0, 0],
    [0, 0, 0, 3, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 0],
    [0, 0, 2, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 1],
    [1, 1, 0, 0, 0, 0, 0],
    [0, 0, 0, 4, 0, 0, 0],
    [0, 0, 0, 5, 0, 0, 0],
    [0, 0, 0, 0, 0, 1, 0],
    [0, 0, 0, 6, 0, 0, 0],
    [0, 0, 3, 0, 0, 0, 0],
    [0, 1, 0, 1, 0, 0, 0],
    [0, 0, 1, 1, 0, 0, 0],
    [0, 0, 0, 0, 1, 0, 0],
    [1, 1, 0, 1, 0, 0, 0],
    [0, 0, 0, 7, 0, 0, 0],
    [0, 0, 0, 8, 0, 0, 0],
    [0, 1, 0, 2, 0, 0, 0],
    [0, 0, 0, 0, 1, 1, 0],
    [0, 0, 4, 0, 0, 0, 0],
    [0, 0, 0, 9, 0, 0, 0],
    [1, 1, 0, 2, 0, 0, 0],
    [0, 0, 1, 2, 0, 0, 0],
    [0, 0, 0, 10, 0, 0, 0],
    [0, 0, 0, 15, 0, 0, 0],
    [1, 1, 1, 0, 0, 0, 0],
    [0, 1, 0, 3, 0, 0, 0],
    [0, 0, 0, 12, 0, 0, 0],
    [0, 0, 5, 0, 0, 0, 0],
    [0, 0, 0, 11, 0, 0, 0],
    [0, 0, 2, 1, 0, 0, 0],
    [2, 1, 0, 0, 0, 0, 0],
    [1, 1, 0, 3, 0, 0, 0],
    [0, 1, 1, 0, 0, 0, 0],
    [0, 1, 0, 4, 0, 0, 0],
    [2, 2, 0, 0, 0, 0, 0],
    [0, 0, 7, 0, 0, 0, 0],
    [0, 0, 1, 3, 0, 0, 0],
    [0, 0, 6, 0, 0, 0, 0],
    [0, 0, 0, 1, 0, 0, 1],
    [0, 0, 0, 0, 0, 1, 1],
    [0, 2, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 1, 0, 1],
    [0, 0, 2, 2, 0, 0, 0],
    [0, 0, 0, 13, 0, 0, 0],
    [1, 1, 0, 4, 0, 0, 0],
    [1, 1, 1, 1, 0, 0, 0],
    [0, 1, 1, 1, 0, 0, 0],
    [1, 2, 0, 0, 0, 0, 0],
    [0, 0, 0, 14, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 2],
    [1, 0, 0, 0, 0, 0, 0],
    [0, 0, 1, 4, 0, 0, 0],
    [0, 1, 0, 5, 0, 0, 0],
    [1, 1, 0, 0, 0, 1, 0],
    [0, 0, 0, 1, 1, 0, 0],
    [0, 0, 0, 1, 0, 1, 0],
    [0, 0, 8, 0, 0, 0, 0],
    [0, 1, 0, 6, 0, 0, 0],
    [1, 1, 0, 5, 0, 0, 0],
    [1, 1, 2, 0, 0, 0, 0],
    [0, 2, 0, 2, 0, 0, 0],
    [0, 0, 0, 0, 1, 1, 1],
    [0, 2, 0, 1, 0, 0, 0],
    [0, 0, 3, 1, 0, 0, 0],
    [0, 1, 2, 1, 0, 0, 0],
    [0, 0, 1, 5, 0, 0, 0],
    [0, 0, 2, 3, 0, 0, 0],
    [0, 1, 2, 0, 0, 0, 0],
    [1, 1, 0, 6, 0, 0, 0],
    [0, 1, 1, 2, 0, 0, 0],
    [2, 2, 0, 2, 0, 0, 0],
    [0, 0, 0, 1, 1, 1, 0],
    [0, 0, 0, 2, 1, 0, 0],
    [1, 2, 0, 1, 0, 0, 0],
    [3, 3, 0, 0, 0, 0, 0],
    [0, 0, 0, 2, 0, 0, 1],
    [0, 1, 0, 7, 0, 0, 0],
    [0, 0, 0, 16, 0, 0, 0],
    [0, 0, 1, 0, 0, 0, 1],
    [1, 1, 2, 1, 0, 0, 0],
    [1, 1, 1, 2, 0, 0, 0],
    [0, 0, 0, 2, 0, 1, 0],
    [0, 0, 1, 6, 0, 0, 0],
    [3, 1, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 1, 0, 0],
    [0, 0, 1, 0, 0, 1, 0],
    [0, 1, 0, 8, 0, 0, 0],
    [0, 0, 2, 4, 0, 0, 0],
    [1, 1, 0, 7, 0, 0, 0],
    [0, 0, 3, 2, 0, 0, 0],
    [1, 2, 0, 2, 0, 0, 0],
    [0, 0, 10, 0, 0, 0, 0],
    [0, 0, 0, 0, 1, 0, 2],
    [0, 0, 0, 1, 0, 1, 1],
    [0, 0, 0, 2, 1, 1, 0],
    [1, 1, 0, 1, 0, 1, 0],
    [2, 2, 0, 1, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 1],
    [0, 1, 2, 2, 0, 0, 0],
    [2, 1, 0, 2, 0, 0, 0],
    [0, 0, 9, 0, 0, 0, 0],
    [0, 0, 0, 3, 1, 0, 0],
    [1, 1, 0, 8, 0, 0, 0],
    [0, 0, 1, 7, 0, 0, 0],
    [1, 1, 0, 0, 0, 1, 1],
    [0, 1, 1, 3, 0, 0, 0],
    [0, 1, 0, 9, 0, 0, 0],
    [0, 0, 0, 3, 0, 0, 1],
    [0, 0, 0, 17, 0, 0, 0],
    [0, 0, 4, 1, 0, 0, 0],
    [2, 1, 0, 1, 0, 0, 0],
    [0, 2, 0, 3, 0, 0, 0],
    [0, 0, 0, 18, 0, 0, 0],
    [2, 2, 0, 4, 0, 0, 0],
    [0, 0, 1, 0, 1, 0, 0],
    [1, 1, 0, 0, 0, 0, 1],
    [0, 0, 3, 3, 0, 0, 0],
    [0, 0, 0, 4, 1, 0, 0],
    [1, 1, 1, 3, 0, 0, 0],
    [0, 2, 0, 4, 0, 0, 0],
    [1, 1, 3, 0, 0, 0, 0],
    [2, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 4, 0, 0, 1],
    [1, 1, 0, 9, 0, 0, 0],
    [0, 0, 0, 3, 0, 1, 0],
    [0, 1, 0, 0, 0, 1, 0],
    [1, 1, 3, 1, 0, 0, 0],
    [0, 0, 2, 5, 0, 0, 0],
    [0, 0, 0, 3, 1, 1, 0],
    [0, 0, 1, 8, 0, 0, 0],
    [1, 2, 0, 0, 0, 1, 0],
    [0, 1, 0, 10, 0, 0, 0],
    [4, 4, 0, 0, 0, 0, 0],
    [0, 0, 1, 9, 0, 0, 0],
    [1, 2, 0, 3, 0, 0, 0],
    [0, 0, 0, 4, 1, 1, 0],
    [1, 1, 2, 2, 0, 0, 0],
    [4, 1, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 2, 0, 0],
    [0, 1, 0, 0, 1, 0, 1],
    [2, 2, 0, 3, 0, 0, 0],
    [2, 3, 0, 0, 0, 0, 0],
    [0, 1, 1, 4, 0, 0, 0],
    [0, 1, 3, 0, 0, 0, 0],
    [1, 1, 0, 2, 0, 1, 0],
    [0, 0, 4, 2, 0, 0, 0],
    [0, 0, 2, 6, 0, 0, 0],
    [1, 2, 1, 0, 0, 0, 0],
    [0, 1, 0, 15, 0, 0, 0],
    [1, 1, 0, 10, 0, 0, 0],
    [0, 0, 2, 0, 0, 1, 0],
    [1, 1, 1, 0, 0, 1, 0],
    [1, 2, 0, 4, 0, 0, 0],
    [0, 0, 2, 0, 0, 0, 1],
    [0, 0, 0, 4, 0, 1, 0],
    [0, 3, 0, 0, 0, 0, 0],
    [1, 1, 1, 4, 0, 0, 0],
    [0, 0, 0, 0, 2, 1, 2],
    [1, 1, 0, 0, 1, 0, 0],
    [1, 2, 2, 0, 0, 0, 0],
    [0, 0, 1, 0, 1, 1, 0],
    [0, 0, 0, 5, 0, 0, 1],
    [0, 1, 0, 0, 1, 1, 0],
    [0, 1, 3, 1, 0, 0, 0],
    [0, 1, 4, 0, 0, 0, 0],
    [1, 1, 0, 11, 0, 0, 0],
    [0, 0, 0, 1, 1, 1, 1],
    [0, 0, 0, 20, 0, 0, 0],
    [0, 1, 0, 0, 0, 1, 1],
    [0, 0, 3, 4, 0, 0, 0],
    [0, 2, 1, 1, 0, 0, 0],
    [0, 0, 12, 0, 0, 0, 0],
    [0, 2, 0, 5, 0, 0, 0],
    [0, 1, 0, 11, 0, 0, 0],
    [0, 0, 0, 1, 0, 0, 2],
    [0, 1, 0, 12, 0, 0, 0],
    [2, 2, 0, 5, 0, 0, 0],
    [2, 2, 2, 0, 0, 0, 0],
    [2, 1, 0, 4, 0, 0, 0],
    [0, 0, 0, 5, 1, 0, 0],
    [0, 2, 2, 1, 0, 0, 0],
    [0, 2, 0, 6, 0, 0, 0],
    [0, 0, 0, 6, 0, 0, 1],
    [1, 1, 0, 3, 0, 1, 0],
    [0, 0, 0, 6, 1, 0, 0],
    [0, 0, 0, 19, 0, 0, 0],
    [1, 2, 1, 1, 0, 0, 0],
    [1, 1, 2, 3, 0, 0, 0],
    [0, 1, 3, 2, 0, 0, 0],
    [1, 2, 0, 5, 0, 0, 0],
    [3, 3, 0, 3, 0, 0, 0],
    [0, 0, 0, 6, 1, 1, 0],
    [0, 0, 5, 1, 0, 0, 0],
    [0, 0, 0, 5, 0, 1, 0],
    [0, 0, 3, 5, 0, 0, 0],
    [0, 0, 0, 5, 1, 1, 0],
    [1, 1, 1, 5, 0, 0, 0],
    [0, 1, 1, 5, 0, 0, 0],
    [1, 1, 0, 0, 1, 1, 0],
    [2, 2, 0, 6, 0, 0, 0],
    [2, 1, 0, 3, 0, 0, 0],
    [1, 1, 4, 0, 0, 0, 0],
    [0, 0, 2, 7, 0, 0, 0],
    [0, 1, 3, 3, 0, 0, 0],
    [1, 1, 4, 1, 0, 0, 0],
    [0, 0, 4, 4, 0, 0, 0],
    [0, 0, 1, 1, 0, 0, 1],
    [0, 0, 2, 8, 0, 0, 0],
    [0, 0, 1, 2, 0, 0, 1],
    [0, 1, 1, 6, 0, 0, 0],
    [1, 1, 0, 12, 0, 0, 0],
    [0, 0, 0, 6, 0, 1, 0],
    [1, 3, 0, 0, 0, 0, 0],
    [2, 2, 0, 0, 0, 1, 1],
    [1, 1, 0, 4, 0, 1, 0],
    [1, 1, 0, 15, 0, 0, 0],
    [0, 1, 2, 3, 0, 0, 0],
    [1, 2, 0, 6, 0, 0, 0],
    [0, 1, 0, 13, 0, 0, 0],
    [0, 0, 0, 9, 0, 0, 1],
    [1, 1, 0, 1, 1, 1, 1],
    [1, 1, 3, 2, 0, 0, 0],
    [0, 0, 0, 7, 1, 0, 0],
    [0, 1, 2, 4, 0, 0, 0],
    [0, 1, 4, 1, 0, 0, 0],
    [0, 1, 7, 1, 0, 0, 0],
    [2, 2, 1, 0, 0, 0, 0],
    [0, 0, 3, 6, 0, 0, 0],
    [1, 2, 0, 1, 0, 1, 0],
    [0, 0, 1, 10, 0, 0, 0],
    [0, 0, 6, 1, 0, 0, 0],
    [2, 2, 2, 2, 0, 0, 0],
    [0, 0, 0, 0, 0, 1, 2],
    [0, 0, 4, 3, 0, 0, 0],
    [1, 2, 2, 1, 0, 0, 0],
    [1, 2, 0, 2, 0, 1, 0],
    [0, 0, 0, 8, 1, 0, 0],
    [1, 1, 0, 5, 0, 1, 0],
    [0, 0, 0, 3, 1, 1, 1],
    [0, 0, 2, 0, 1, 0, 0],
    [0, 0, 0, 21, 0, 0, 0],
    [1, 1, 2, 4, 0, 0, 0],
    [1, 3, 0, 2, 0, 0, 0],
    [1, 1, 0, 1, 0, 0, 1],
    [0, 2, 0, 7, 0, 0, 0],
    [0, 0, 0, 2, 0, 1, 1],
    [0, 0, 0, 22, 0, 0, 0],
    [1, 1, 1, 6, 0, 0, 0],
    [1, 2, 1, 2, 0, 0, 0],
    [0, 1, 0, 1, 0, 0, 1],
    [0, 0, 5, 2, 0, 0, 0],
    [1, 1, 0, 13, 0, 0, 0],
    [3, 1, 0, 1, 0, 0, 0],
    [2, 1, 1, 0, 0, 0, 0],
    [2, 3, 0, 2, 0, 0, 0],
    [0, 0, 0, 7, 0, 0, 1],
    [5, 1, 0, 0, 0, 0, 0],
    [0, 0, 0, 10, 1, 0, 0],
    [2, 4, 0, 0, 0, 0, 0],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_once_and_others_are_not() {
        for (expected, frequencies) in (0u16..).zip(&TABLE) {
            assert_eq!(place(frequencies), Some(expected), "{frequencies:?}");
            let row = row(usize::from(expected)).unwrap();
            let mut counts = row.counts().iter();
            for (field, &n) in frequencies.iter().enumerate() {
                assert_eq!(row.fields >> field & 1 == 1, n > 0);
                assert!(n == 0 || counts.next() == Some(&n));
            }
            assert_eq!(counts.next(), None);
        }
        assert!(row(N_ROWS).is_none());
        assert_eq!(place(&[0; N_FIELDS]), None);
        assert_eq!(place(&[u8::MAX; N_FIELDS]), None);
        assert_eq!(place(&[0, 0, 0, 1, 0, 0, 0]), Some(0), "once in the body is the commonest");
    }
}
