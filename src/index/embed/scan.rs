//! Comparing a question with very many rows: estimates of products from signs, and exact products.
//!
//! Owns [`NearestRows`], which visits the signs of all rows once and keeps the best rows;
//! [`SignBlock`], the layout of those signs; and [`dot_stored`] with its variants. They use the
//! widest instructions of the processor, found at run time. All of it is integer arithmetic, so
//! every processor gives the same results. Threads can each visit a share of the rows with a
//! [`NearestRows`] of their own, and [join](NearestRows::join) them.
//!
//! Only the signs of a row are known, but of the question more: its components are rounded to four
//! bits, and each is multiplied by the row's sign. Counting equal signs instead would need four
//! times as many rows to rescore for the same recall. See `doc/experiments/embedding.md`.
//!
//! A table of 16 entries gives the sum for four signs. A register holds the table, and one
//! instruction looks up 32 rows in it (André, Kermarrec and Le Scouarnec, "Cache locality is not
//! enough: High-performance nearest neighbor search with product quantization fast scan", 2015).
//! Therefore signs are stored in blocks of 32 rows, byte by byte. Masking each row by itself is
//! slower for rows in the cache. For a million rows, memory is the limit. See
//! `doc/experiments/embedding.md`.

use std::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, u8x16, u8x32, u16x16};

use super::simd::widest;
use super::{DIMENSIONS, SIGN_BYTES, Signs, Vector};

/// Rows in a [`SignBlock`].
pub const BLOCK_ROWS: usize = 32;

/// The signs of 32 consecutive rows: the first byte of each row, then the second of each, and so
/// on.
pub type SignBlock = [[u8; BLOCK_ROWS]; SIGN_BYTES];

/// Arranges signs in blocks; rows beyond the last one are zero.
pub fn sign_blocks(signs: impl IntoIterator<Item = Signs>) -> Vec<SignBlock> {
    let mut blocks = Vec::new();
    for (row, signs) in signs.into_iter().enumerate() {
        if row % BLOCK_ROWS == 0 {
            blocks.push([[0; BLOCK_ROWS]; SIGN_BYTES]);
        }
        if let Some(block) = blocks.last_mut() {
            for (bytes, byte) in block.iter_mut().zip(signs) {
                bytes[row % BLOCK_ROWS] = byte;
            }
        }
    }
    blocks
}

/// Blocks that are estimated together, before any of their rows is examined.
const BLOCKS: usize = 8;

/// Once this many times the requested number of rows are kept, the worse ones are dropped.
const SLACK: usize = 4;

/// Components of a question are rounded to −7 … 7.
const LARGEST: i16 = 7;

/// Bytes of signs with lookups that are summed in eight bits.
///
/// A byte has two lookups, each of four components of at most [`LARGEST`].
const NARROW: usize = 4;
const _: () =
    assert!(NARROW * 8 * (LARGEST as usize) <= u8::MAX as usize && SIGN_BYTES.is_multiple_of(NARROW));

/// Lookup tables of a question: by byte of [`Signs`], then by half of the byte (lower half first),
/// the sum for each pattern of four signs.
///
/// The sum is over the absolute values of those components whose sign agrees with the pattern.
type Tables = [[[u8; 16]; 2]; SIGN_BYTES];

fn tables(question: &Vector) -> Tables {
    let largest = question.0.iter().map(|x| i16::from(*x).abs()).max().unwrap_or(0).max(1);
    let rounded = question.0.map(|x| {
        let x = i16::from(x);
        (x * LARGEST + x.signum() * largest / 2) / largest
    });
    let mut tables = [[[0; 16]; 2]; SIGN_BYTES];
    for (four, table) in rounded.as_chunks::<4>().0.iter().zip(tables.as_flattened_mut()) {
        for (signs, sum) in table.iter_mut().enumerate() {
            let agrees = |bit: usize, x: i16| (x > 0) == (signs >> bit & 1 == 1);
            let sizes =
                four.iter().enumerate().filter(|&(bit, &x)| agrees(bit, x)).map(|(_, x)| x.unsigned_abs());
            *sum = u8::try_from(sizes.sum::<u16>()).unwrap_or(u8::MAX);
        }
    }
    tables
}

/// The rows nearest to a question, judged by their signs.
///
/// At least as many rows as requested. Rows with equal estimates are kept or dropped together, so
/// the order of visits does not matter.
#[derive(Debug, Clone)]
pub struct NearestRows<K> {
    n: usize,
    tables: Tables,
    /// The threshold: a row with a lower estimate is not among the nearest.
    least: u16,
    found: Vec<(u16, K)>,
}

impl<K> NearestRows<K> {
    /// Starts a search for the `n` rows nearest to a question.
    pub fn new(question: &Vector, n: usize) -> Self {
        Self { n: n.max(1), tables: tables(question), least: 0, found: Vec::new() }
    }

    /// Visits `rows` of these blocks, numbered from the first row of the blocks.
    ///
    /// `key` turns a row number into its name in the result. Skips rows that the blocks do not
    /// have.
    pub fn see(&mut self, blocks: &[SignBlock], rows: Range<usize>, mut key: impl FnMut(usize) -> K) {
        let level = Level::new();
        let mut estimates = [[0; BLOCK_ROWS]; BLOCKS];
        let mut first = rows.start / BLOCK_ROWS;
        let end = rows.end.div_ceil(BLOCK_ROWS).min(blocks.len());
        for blocks in blocks.get(first..end).unwrap_or_default().chunks(BLOCKS) {
            let tables = &self.tables;
            let best = dispatch!(level, simd => estimate(simd, blocks, tables, &mut estimates));
            for (at, (estimates, best)) in estimates.iter().zip(best).take(blocks.len()).enumerate() {
                if best < self.least {
                    continue;
                }
                for (row, &estimate) in ((first + at) * BLOCK_ROWS..).zip(estimates) {
                    if estimate >= self.least && rows.contains(&row) {
                        self.found.push((estimate, key(row)));
                    }
                }
            }
            if self.found.len() >= self.n * SLACK {
                self.let_go();
            }
            first += blocks.len();
        }
    }

    fn let_go(&mut self) {
        if self.found.len() > self.n {
            let (_, nth, _) = self.found.select_nth_unstable_by(self.n - 1, |a, b| b.0.cmp(&a.0));
            self.least = nth.0;
            let least = self.least;
            self.found.retain(|one| one.0 >= least);
        }
    }

    /// Adds the rows of another search, which must have the same question and the same `n`.
    pub fn join(&mut self, mut other: Self) {
        self.found.append(&mut other.found);
        self.let_go();
    }

    /// Returns the nearest of all visited rows, in no particular order.
    pub fn finish(mut self) -> Vec<K> {
        self.let_go();
        self.found.into_iter().map(|(_, key)| key).collect()
    }
}

/// Writes the estimates of at most [`BLOCKS`] blocks to `out`, and returns the largest of each
/// block.
///
/// The estimate of a row is the sum of the absolute values of the question's components whose sign
/// the row shares.
fn estimate<S: Simd>(
    simd: S,
    blocks: &[SignBlock],
    tables: &Tables,
    out: &mut [[u16; BLOCK_ROWS]; BLOCKS],
) -> [u16; BLOCKS] {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut best = [0; BLOCKS];
            for ((block, out), best) in blocks.iter().zip(out).zip(&mut best) {
                let (mut first, mut second) = (u16x16::splat(simd, 0), u16x16::splat(simd, 0));
                for (bytes, tables) in block.chunks_exact(NARROW).zip(tables.chunks_exact(NARROW)) {
                    let mut sums = u8x32::splat(simd, 0);
                    for at in 0..NARROW {
                        let signs = u8x32::from_slice(simd, &bytes[at]);
                        let table =
                            |half: usize| u8x32::block_splat(u8x16::from_slice(simd, &tables[at][half]));
                        sums += table(0).swizzle_dyn_within_blocks(signs & 0x0f);
                        sums += table(1).swizzle_dyn_within_blocks(signs >> 4);
                    }
                    let (of_first, of_second) = sums.widen();
                    first += of_first;
                    second += of_second;
                }
                let (of_first, of_second) = out.split_at_mut(BLOCK_ROWS / 2);
                first.store_slice(of_first);
                second.store_slice(of_second);
                *best = first.max(second).reduce_max();
            }
            best
        },
    )
}

/// Returns the product of a vector with a stored one, see [`Vector::to_bytes`].
#[inline]
pub fn dot_stored(a: &Vector, b: &[u8; DIMENSIONS]) -> i32 {
    product(|i| a.0[i], |i| b[i].cast_signed())
}

/// Returns the product of two stored vectors.
#[inline]
pub fn dot_of_stored(a: &[u8; DIMENSIONS], b: &[u8; DIMENSIONS]) -> i32 {
    product(|i| a[i].cast_signed(), |i| b[i].cast_signed())
}

#[inline(always)]
fn product(a: impl Fn(usize) -> i8, b: impl Fn(usize) -> i8) -> i32 {
    widest(
        #[inline(always)]
        || (0..DIMENSIONS).map(|i| i32::from(i16::from(a(i)) * i16::from(b(i)))).sum(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::embed::SIGN_BYTES;
    use crate::index::embed::simd::dot;
    use proptest::prelude::*;

    /// The estimate without tables, up to a constant for the question.
    fn plain(row: &Signs, question: &Vector) -> i32 {
        let largest = question.0.iter().map(|x| f64::from(*x).abs()).fold(1.0, f64::max);
        let rounded = question.0.map(|x| (f64::from(x) * 7.0 / largest).round());
        let is_set = |at: usize| row[at / 8] >> (at % 8) & 1 == 1;
        let sum: f64 = (0..DIMENSIONS).filter(|at| is_set(*at)).map(|at| rounded[at]).sum();
        #[allow(clippy::cast_possible_truncation)]
        let whole = sum as i32;
        whole
    }

    fn vector(x: [[i8; 16]; 16]) -> Vector {
        Vector(x.concat().try_into().unwrap())
    }

    proptest! {
        #[test]
        fn the_nearest_are_those_of_a_full_sort(
            seed: Vec<[u8; 4]>,
            question: [[i8; 16]; 16],
            n in 1usize..50,
            cut in 0usize..2011,
        ) {
            // Few different bytes give many rows with one estimate. Enough rows that some are
            // dropped several times.
            let rows: Vec<Signs> = (0..2011)
                .map(|i| {
                    std::array::from_fn(|j| {
                        seed.get((i * 7 + j) % seed.len().max(1)).map_or(1, |s| s[i % 4])
                    })
                })
                .collect();
            let question = vector(question);
            let mut nearest = NearestRows::new(&question, n);
            let blocks = sign_blocks(rows.iter().copied());
            prop_assert_eq!(blocks.len(), rows.len().div_ceil(BLOCK_ROWS));
            nearest.see(&blocks, 0..cut / 2, |i| i);
            nearest.see(&blocks, cut / 2..cut, |i| i);
            let mut others = NearestRows::new(&question, n);
            others.see(&blocks, cut..rows.len(), |i| i);
            nearest.join(others);
            let mut found = nearest.finish();
            found.sort_unstable();
            let mut estimates: Vec<i32> = rows.iter().map(|row| plain(row, &question)).collect();
            estimates.sort_unstable_by(|a, b| b.cmp(a));
            let wanted: Vec<usize> =
                (0..rows.len()).filter(|&i| plain(&rows[i], &question) >= estimates[n - 1]).collect();
            prop_assert_eq!(found, wanted);
        }

        #[test]
        fn products_do_not_depend_on_the_instructions(a: [[i8; 16]; 16], b: [[i8; 16]; 16]) {
            let (a, b) = (vector(a), vector(b));
            let plain: i32 = (0..DIMENSIONS).map(|i| i32::from(a.0[i]) * i32::from(b.0[i])).sum();
            prop_assert_eq!(dot(&a.0.map(i16::from), &b.0), plain);
            prop_assert_eq!(a.dot(&b), plain);
            prop_assert_eq!(dot_stored(&a, &b.to_bytes()), plain);
            prop_assert_eq!(dot_of_stored(&a.to_bytes(), &b.to_bytes()), plain);
        }
    }

    #[test]
    fn fewer_rows_than_wanted_are_all_found() {
        let question = Vector([1; DIMENSIONS]);
        let mut nearest = NearestRows::new(&question, 10);
        let blocks = sign_blocks([[0; SIGN_BYTES], [255; SIGN_BYTES]]);
        nearest.see(&blocks, 0..2, |i| i);
        nearest.see(&blocks, 500..600, |i| i);
        nearest.see(&[], 0..2, |i| i);
        assert_eq!(nearest.finish(), [0, 1]);
        assert!(NearestRows::<usize>::new(&Vector::default(), 10).finish().is_empty());
    }
}
