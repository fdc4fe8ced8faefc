//! What an encoder computes: sums of rows, normalisation, maps, activation; with the same bits everywhere.

use crate::embed::scan::widest;

/// Rows of components of 8 bits, each row with a scale.
#[derive(Debug, Clone)]
pub(super) struct Rows<'m> {
    pub(super) width: usize,
    pub(super) scales: Vec<f32>,
    pub(super) components: &'m [u8],
}

impl Rows<'_> {
    fn row(&self, at: usize) -> Option<(f32, &[u8])> {
        let components = self.components.get(at.checked_mul(self.width)?..)?.get(..self.width)?;
        Some((*self.scales.get(at)?, components))
    }
}

/// Rows of components of 4 bits, each row and each component with a scale.
#[derive(Debug, Clone)]
pub(super) struct Narrow<'m> {
    /// Bytes of a row: half as many as it has components.
    pub(super) len: usize,
    pub(super) scales: Vec<f32>,
    pub(super) components: &'m [u8],
    pub(super) of_components: Vec<f32>,
}

impl Narrow<'_> {
    /// The components of a number of this size say nothing.
    pub(super) const NOTHING: f32 = 8.0;

    /// Adds a row times a factor to a sum whose components are not scaled yet.
    pub(super) fn add(&self, at: usize, by: f32, sum: &mut [f32]) -> Option<()> {
        let row = self.components.get(at.checked_mul(self.len)?..)?.get(..self.len)?;
        let by = by * self.scales.get(at)?;
        let (first, second) = sum.split_at_mut_checked(self.len)?;
        widest(
            #[inline(always)]
            || {
                for ((first, second), byte) in first.iter_mut().zip(second).zip(row) {
                    *first += by * (f32::from(byte & 15) - Self::NOTHING);
                    *second += by * (f32::from(byte >> 4) - Self::NOTHING);
                }
            },
        );
        Some(())
    }
}

/// A linear map.
#[derive(Debug, Clone)]
pub(super) struct Linear<'m> {
    pub(super) rows: Rows<'m>,
    pub(super) bias: Vec<f32>,
}

/// What is added to variances.
const EPSILON: f32 = 1e-12;

/// Sums are taken in so many lanes, so that the order does not depend on the processor.
const LANES: usize = 8;

/// e to the power of x, by a polynomial for the fraction of a power of two: within 2 in 100,000 of it, and the same
/// everywhere, which a library's is not.
#[inline(always)]
fn exp(x: f32) -> f32 {
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

/// Gaussian error linear units, by the tangent (Hendrycks and Gimpel, 2016).
pub(super) fn activate(x: &mut [f32]) {
    /// Twice the root of 2 / π.
    const BY: f32 = 1.595_769;
    widest(
        #[inline(always)]
        || x.iter_mut().for_each(|x| *x /= 1.0 + exp(-BY * (*x + 0.044_715 * *x * *x * *x))),
    );
}

/// Takes the mean away, scales to a variance of 1, then applies factors and summands.
pub(super) fn normalise(row: &mut [f32], factors: &[f32], summands: &[f32]) {
    let n = row.len() as f32;
    let mean = lanes(row, |x| x) / n;
    let by = 1.0 / (lanes(row, |x| (x - mean) * (x - mean)) / n + EPSILON).sqrt();
    let weights = factors.iter().zip(summands);
    row.iter_mut().zip(weights).for_each(|(x, (f, s))| *x = (*x - mean) * by * f + s);
}

/// The sum of something of each number.
#[inline(always)]
pub(super) fn lanes(x: &[f32], of: impl Fn(f32) -> f32) -> f32 {
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

#[cfg(test)]
mod tests {
    use super::super::{Reader, Writer};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn powers_of_e_are_near() {
        for x in -870..870 {
            let x = x as f32 / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 2e-5, "{x}");
        }
        assert!(exp(-1e30) < 1e-30 && exp(1e30).is_finite());
    }

    proptest! {
        #[test]
        fn narrow_rows_are_near_what_they_stand_for(rows in prop::collection::vec(-3f32..3.0, 6 * 8)) {
            let mut writer = Writer(Vec::new());
            writer.narrow(&rows, 8);
            let bytes = writer.finish();
            let narrow = Reader(&bytes).narrow(6, 8).unwrap();
            for (at, row) in rows.chunks(8).enumerate() {
                let mut sum = vec![0.0; 8];
                narrow.add(at, 2.0, &mut sum).unwrap();
                let scaled = || row.iter().zip(&narrow.of_components).map(|(x, by)| x / by);
                let most = scaled().fold(0.0, |most: f32, x| most.max(x.abs()));
                for (x, y) in scaled().zip(&sum) {
                    prop_assert!((2.0 * x - y).abs() < most * 2.0 / 14.0 + 1e-4);
                }
            }
            prop_assert!(narrow.add(6, 1.0, &mut [0.0; 8]).is_none());
        }

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
    }
}
