//! What a layer of an encoder computes: maps, normalisations, attention, activation.

use std::ops::Range;

use super::{Linear, Norm};
use crate::embed::scan::widest;

/// What is added to variances.
const EPSILON: f32 = 1e-12;

/// What heads reuse.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The keys of a set, by component.
    keys: Vec<f32>,
    /// How much a token looks at each.
    shares: Vec<f32>,
}

/// What one head, which has these components of queries, keys and values, adds for the tokens of a set.
#[inline(always)]
pub(super) fn head(tokens: &[f32], out: &mut [f32], width: usize, own: Range<usize>, scratch: &mut Scratch) {
    let scale = 1.0 / (own.len() as f32).sqrt();
    let n = tokens.len() / (3 * width);
    let Scratch { keys, shares } = scratch;
    // By component and not by token: shares are then sums of rows, and no sum is taken across one.
    keys.clear();
    keys.resize(own.len() * n, 0.0);
    for (at, token) in tokens.chunks_exact(3 * width).enumerate() {
        let key = token.get(width + own.start..width + own.end).unwrap_or_default();
        for (row, &component) in keys.chunks_exact_mut(n).zip(key) {
            if let Some(slot) = row.get_mut(at) {
                *slot = component * scale;
            }
        }
    }
    for (token, out) in tokens.chunks_exact(3 * width).zip(out.chunks_exact_mut(width)) {
        let query = token.get(own.clone()).unwrap_or_default();
        shares.clear();
        shares.resize(n, 0.0);
        for (row, &component) in keys.chunks_exact(n).zip(query) {
            shares.iter_mut().zip(row).for_each(|(share, key)| *share += component * key);
        }
        softmax(shares);
        let out = out.get_mut(own.clone()).unwrap_or_default();
        for (other, share) in tokens.chunks_exact(3 * width).zip(shares.iter()) {
            let value = other.get(2 * width + own.start..2 * width + own.end).unwrap_or_default();
            out.iter_mut().zip(value).for_each(|(out, value)| *out += share * value);
        }
    }
}

/// Sums are taken in so many lanes, so that the order does not depend on the processor.
const LANES: usize = 8;

pub(super) fn add(a: &mut [f32], b: &[f32]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
}

/// e to the power of x, by a polynomial for the fraction of a power of two: within 3 in 10 millions of it, and the same
/// everywhere, which a library's is not.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    let power = (x * std::f32::consts::LOG2_E).clamp(-126.0, 126.0);
    let whole = power.floor();
    let f = (power - whole) * std::f32::consts::LN_2;
    let fraction = 1.0
        + f * (1.0 + f * (0.5 + f * (1.0 / 6.0 + f * (1.0 / 24.0 + f * (1.0 / 120.0 + f * (1.0 / 720.0))))));
    // From 1 to 253 after the clamp above.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let exponent = (whole as i32 + 127) as u32;
    fraction * f32::from_bits(exponent << 23)
}

#[inline(always)]
fn softmax(row: &mut [f32]) {
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter_mut().for_each(|x| *x = exp(*x - most));
    let sum: f32 = row.iter().sum();
    row.iter_mut().for_each(|x| *x /= sum);
}

/// Gaussian error linear units, by the tangent (Hendrycks and Gimpel, 2016).
pub(super) fn activate(x: &mut [f32]) {
    /// Twice the root of 2 / π.
    const BY: f32 = 1.595_769;
    widest(
        #[inline(always)]
        || x.iter_mut().for_each(|x| *x /= 1.0 + exp(-BY * (*x + 0.044_715 * *x * *x * *x))),
    );
}

impl Norm {
    pub(super) fn apply(&self, x: &mut [f32]) {
        let n = self.factors.len() as f32;
        for row in x.chunks_exact_mut(self.factors.len()) {
            widest(
                #[inline(always)]
                || {
                    let mean = lanes(row, |x| x) / n;
                    let by = 1.0 / (lanes(row, |x| (x - mean) * (x - mean)) / n + EPSILON).sqrt();
                    let weights = self.factors.iter().zip(&self.summands);
                    row.iter_mut().zip(weights).for_each(|(x, (f, s))| *x = (*x - mean) * by * f + s);
                },
            );
        }
    }
}

/// The sum of something of each number.
#[inline(always)]
fn lanes(x: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut sums = [0.0; LANES];
    let (whole, rest) = x.as_chunks::<LANES>();
    for some in whole {
        for lane in 0..LANES {
            sums[lane] += of(some[lane]);
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|&x| of(x)).sum::<f32>()
}

/// Tokens that a map is applied to at once, so that they stay near the processor.
const BLOCK: usize = 32;

impl Linear<'_> {
    /// x[n × inputs] → [n × outputs], by products of 8-bit integers: each token is rounded by its own largest component.
    pub(super) fn apply(&self, x: &[f32]) -> Vec<f32> {
        let (inputs, outputs) = (self.rows.width, self.bias.len());
        let mut y = vec![0.0; x.len() / inputs * outputs];
        let mut rounded = Vec::with_capacity(BLOCK * inputs);
        let mut scales = Vec::with_capacity(BLOCK);
        let mut weights = vec![0i16; inputs];
        let mut found: Vec<i32> = Vec::with_capacity(BLOCK);
        for (x, y) in x.chunks(BLOCK * inputs).zip(y.chunks_mut(BLOCK * outputs)) {
            rounded.clear();
            scales.clear();
            for token in x.chunks_exact(inputs) {
                let largest = token.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
                let by = 127.0 / largest.max(f32::MIN_POSITIVE);
                scales.push(largest / 127.0);
                widest(
                    #[inline(always)]
                    || {
                        // At most 127 in size.
                        #[allow(clippy::cast_possible_truncation)]
                        rounded.extend(token.iter().map(|x| (x * by).round_ties_even() as i16));
                    },
                );
            }
            for (output, &bias) in self.bias.iter().enumerate() {
                let Some((scale, row)) = self.rows.row(output) else { continue };
                weights.iter_mut().zip(row).for_each(|(to, from)| *to = i16::from(from.cast_signed()));
                found.clear();
                widest(
                    #[inline(always)]
                    || {
                        let (fours, rest) = rounded.split_at(rounded.len() / (4 * inputs) * 4 * inputs);
                        for four in fours.chunks_exact(4 * inputs) {
                            found.extend(products_of_four(&weights, four));
                        }
                        for token in rest.chunks_exact(inputs) {
                            found.push(product(&weights, token));
                        }
                    },
                );
                let results =
                    found.iter().zip(&scales).map(|(&product, token)| product as f32 * (scale * token));
                for (y, result) in y.iter_mut().skip(output).step_by(outputs).zip(results) {
                    *y = result + bias;
                }
            }
        }
        y
    }
}

#[inline(always)]
fn product(row: &[i16], other: &[i16]) -> i32 {
    row.iter().zip(other).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum()
}

/// The products of a row with four others, which lie one after the other.
#[inline(always)]
fn products_of_four(row: &[i16], four: &[i16]) -> [i32; 4] {
    let (first, rest) = four.split_at(row.len());
    let (second, rest) = rest.split_at(row.len());
    let (third, fourth) = rest.split_at(row.len());
    let mut sums = [0i32; 4];
    let others = first.iter().zip(second).zip(third.iter().zip(fourth));
    for (&x, ((&a, &b), (&c, &d))) in row.iter().zip(others) {
        let x = i32::from(x);
        sums[0] += x * i32::from(a);
        sums[1] += x * i32::from(b);
        sums[2] += x * i32::from(c);
        sums[3] += x * i32::from(d);
    }
    sums
}
