//! Linear maps of 8-bit integers: vectors of floats → vectors of floats, the same bits everywhere.
//!
//! Each vector is rounded to 8 bits by its own largest component, so all products are integers and
//! their order does not matter. Several rows are multiplied with several vectors per pass, so that
//! each is loaded once for all of them. A vector is called a token here.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, i16x16, i32x8};

/// A linear map: for each output a scale, components of 8 bits, and a bias.
#[derive(Debug, Clone)]
pub(super) struct Linear<'m> {
    pub(super) inputs: usize,
    pub(super) scales: Vec<f32>,
    /// `[outputs × inputs]`, row-major, signed.
    pub(super) components: &'m [u8],
    pub(super) bias: Vec<f32>,
}

/// Tokens per block, few enough to stay in the nearest cache.
const BLOCK: usize = 8;

/// Components that are multiplied by one instruction.
const STEP: usize = 16;

/// Rows per pass: each token is read once for all of them, and their sums fit the registers.
const ROWS: usize = 3;

/// Tokens per pass, for the same reason.
const TOKENS: usize = 4;

impl Linear<'_> {
    /// Maps `[n × inputs]` to `[n × outputs]`, both row-major; rounds each token by its own largest
    /// component.
    pub(super) fn apply(&self, x: &[f32]) -> Vec<f32> {
        let (inputs, outputs) = (self.inputs, self.bias.len());
        let mut y = vec![0.0; x.len() / inputs * outputs];
        let mut block = Block::default();
        let level = Level::new();
        for (x, y) in x.chunks(BLOCK * inputs).zip(y.chunks_mut(BLOCK * outputs)) {
            dispatch!(level, simd => self.apply_by(simd, x, &mut block, y));
        }
        y
    }

    #[inline(always)]
    fn apply_by<S: Simd>(&self, simd: S, x: &[f32], block: &mut Block, y: &mut [f32]) {
        simd.vectorize(
            #[inline(always)]
            || {
                block.round(x, self.inputs);
                let (several, rest) = self.components.split_at(self.bias.len() / ROWS * ROWS * self.inputs);
                let mut output = 0;
                for rows in several.chunks_exact(ROWS * self.inputs) {
                    self.products::<S, ROWS>(simd, output, rows, block, y);
                    output += ROWS;
                }
                for row in rest.chunks_exact(self.inputs) {
                    self.products::<S, 1>(simd, output, row, block, y);
                    output += 1;
                }
            },
        );
    }

    /// Computes the outputs of some rows, the first of which is `output`, for all tokens of a
    /// block.
    #[inline(always)]
    fn products<S: Simd, const R: usize>(
        &self,
        simd: S,
        output: usize,
        rows: &[u8],
        block: &Block,
        y: &mut [f32],
    ) {
        let outputs = self.bias.len();
        let (several, rest) = block.tokens.split_at(block.scales.len() / TOKENS * TOKENS * self.inputs);
        let mut token = 0;
        for tokens in several.chunks_exact(TOKENS * self.inputs) {
            for products in products::<S, R, TOKENS>(simd, rows, tokens, self.inputs) {
                self.set(output, block.scales[token], products, &mut y[token * outputs + output..]);
                token += 1;
            }
        }
        for one in rest.chunks_exact(self.inputs) {
            let [of_one] = products::<S, R, 1>(simd, rows, one, self.inputs);
            self.set(output, block.scales[token], of_one, &mut y[token * outputs + output..]);
            token += 1;
        }
    }

    /// Writes the outputs of one token for some rows, the first of which is `output`, to the start
    /// of `y`. A method, because a closure would be called once for each token and not inlined.
    #[inline(always)]
    fn set<const R: usize>(&self, output: usize, scale: f32, products: [i32; R], y: &mut [f32]) {
        let (scales, bias) = (&self.scales[output..][..R], &self.bias[output..][..R]);
        let y = &mut y[..R];
        for row in 0..R {
            y[row] = products[row] as f32 * (scales[row] * scale) + bias[row];
        }
    }
}

/// Tokens with components rounded to 8 bits.
#[derive(Debug, Default)]
struct Block {
    /// `[tokens × inputs]`, row-major.
    tokens: Vec<i16>,
    scales: Vec<f32>,
}

impl Block {
    #[inline(always)]
    fn round(&mut self, x: &[f32], inputs: usize) {
        self.tokens.clear();
        self.scales.clear();
        for token in x.chunks_exact(inputs) {
            let largest = token.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
            let by = 127.0 / largest.max(f32::MIN_POSITIVE);
            self.scales.push(largest / 127.0);
            // At most 127 in absolute value.
            #[allow(clippy::cast_possible_truncation)]
            self.tokens.extend(token.iter().map(|x| (x * by).round_ties_even() as i16));
        }
    }
}

/// Returns the product of each of R rows with each of T tokens, all of one length.
///
/// Uses indices on purpose: closures passed to functions of the standard library may be compiled
/// without the wide instructions, which is several times slower. See
/// `doc/experiments/embedding.md`.
#[inline(always)]
fn products<S: Simd, const R: usize, const T: usize>(
    simd: S,
    rows: &[u8],
    tokens: &[i16],
    len: usize,
) -> [[i32; R]; T] {
    let rows: [&[u8]; R] = std::array::from_fn(|r| &rows[r * len..][..len]);
    let tokens: [&[i16]; T] = std::array::from_fn(|t| &tokens[t * len..][..len]);
    let whole = len / STEP * STEP;
    let mut sums = [[i32x8::splat(simd, 0); R]; T];
    for at in (0..whole).step_by(STEP) {
        let mut weights = [i16x16::splat(simd, 0); R];
        for r in 0..R {
            let bytes = &rows[r][at..at + STEP];
            let mut wide = [0; STEP];
            for i in 0..STEP {
                wide[i] = i16::from(bytes[i].cast_signed());
            }
            weights[r] = i16x16::simd_from(simd, wide);
        }
        for t in 0..T {
            let token = i16x16::from_slice(simd, &tokens[t][at..at + STEP]);
            for r in 0..R {
                sums[t][r] += token.pairwise_dot_product(weights[r]);
            }
        }
    }
    let mut products = [[0; R]; T];
    for t in 0..T {
        for r in 0..R {
            products[t][r] = sums[t][r].reduce_sum();
            for i in whole..len {
                products[t][r] += i32::from(rows[r][i].cast_signed()) * i32::from(tokens[t][i]);
            }
        }
    }
    products
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::embed::encoder::{Reader, Writer};
    use proptest::prelude::*;

    /// The map of one token by its definition.
    fn plain(map: &Linear<'_>, token: &[f32]) -> Vec<f32> {
        let largest = token.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
        let by = 127.0 / largest.max(f32::MIN_POSITIVE);
        let of_row = |(output, row): (usize, &[u8])| {
            let product: i32 =
                row.iter().zip(token).map(|(w, x)| i32::from(w.cast_signed()) * rounded(x * by)).sum();
            product as f32 * (map.scales[output] * (largest / 127.0)) + map.bias[output]
        };
        map.components.chunks(map.inputs).enumerate().map(of_row).collect()
    }

    #[allow(clippy::cast_possible_truncation)]
    fn rounded(x: f32) -> i32 {
        x.round_ties_even() as i32
    }

    proptest! {
        #[test]
        fn a_map_is_near_what_it_stands_for(
            x in prop::collection::vec(-3f32..3.0, 2 * 24),
            weights in prop::collection::vec(-1f32..1.0, 5 * 24),
            bias in prop::collection::vec(-1f32..1.0, 5),
        ) {
            let mut writer = Writer(Vec::new());
            writer.rows(&weights, 24);
            writer.floats(&bias);
            let bytes = writer.finish();
            let map = Reader(&bytes).linear(24, 5).unwrap();
            for (x, y) in x.chunks(24).zip(map.apply(&x).chunks(5)) {
                for (output, y) in y.iter().enumerate() {
                    let exact: f32 = x.iter().zip(&weights[output * 24..]).map(|(x, w)| x * w).sum();
                    prop_assert!((exact + bias[output] - y).abs() < 0.3);
                }
            }
        }

        #[test]
        fn tokens_and_rows_of_any_number_are_mapped_alike(
            tokens in 0..20usize,
            inputs in 1..70usize,
            outputs in 1..8usize,
            components: [u8; 32],
            numbers: [i8; 32],
        ) {
            let of = |at: usize| f32::from(numbers[at * 7 % 32]) / 16.0;
            let components: Vec<u8> = (0..inputs * outputs).map(|at| components[at * 5 % 32]).collect();
            let map = Linear {
                inputs,
                scales: (0..outputs).map(|at| of(at).abs()).collect(),
                components: &components,
                bias: (0..outputs).map(of).collect(),
            };
            let x: Vec<f32> = (0..tokens * inputs).map(of).collect();
            let expected: Vec<f32> = x.chunks(inputs).flat_map(|token| plain(&map, token)).collect();
            prop_assert_eq!(map.apply(&x), expected);
        }
    }
}
