//! Sums of rows, and the steps after them: normalisation and activation, the same bits everywhere.
//!
//! The order of every sum is fixed, and no function of a mathematics library is called but the
//! square root, which IEEE 754 rounds correctly.

use crate::index::embed::simd::widest;

/// Rows of 4-bit components, with a scale for each row and one for each component.
#[derive(Debug, Clone)]
pub(super) struct NarrowRows<'m> {
    /// Bytes of a row: half its number of components.
    pub(super) len: usize,
    pub(super) scales: Vec<f32>,
    pub(super) components: &'m [u8],
    pub(super) of_components: Vec<f32>,
}

impl NarrowRows<'_> {
    /// The code of a component of zero.
    pub(super) const NOTHING: f32 = 8.0;

    /// Adds a row times a factor to `sum`; the caller multiplies by the scales of the components
    /// afterwards.
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

/// Added to variances, against division by zero.
const EPSILON: f32 = 1e-12;

/// Number of partial sums, fixed so that the order of a sum does not depend on the processor.
const LANES: usize = 8;

/// Returns e to the power of x, within 2 in 100,000.
///
/// A polynomial for the fraction of a power of two, the same on every machine. A library's function
/// is not.
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

/// Applies Gaussian error linear units, in the tanh approximation (Hendrycks and Gimpel, 2016).
pub(super) fn activate(x: &mut [f32]) {
    /// Twice the square root of 2 / π.
    const BY: f32 = 1.595_769;
    widest(
        #[inline(always)]
        || x.iter_mut().for_each(|x| *x /= 1.0 + exp(-BY * (*x + 0.044_715 * *x * *x * *x))),
    );
}

/// Subtracts the mean, scales to a variance of 1, then applies factors and summands.
pub(super) fn normalise(row: &mut [f32], factors: &[f32], summands: &[f32]) {
    let n = row.len() as f32;
    let mean = lanes(row, |x| x) / n;
    let by = 1.0 / (lanes(row, |x| (x - mean) * (x - mean)) / n + EPSILON).sqrt();
    let weights = factors.iter().zip(summands);
    row.iter_mut().zip(weights).for_each(|(x, (f, s))| *x = (*x - mean) * by * f + s);
}

/// Returns the sum of `of(x)` over all numbers, in the fixed order of the lanes.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::embed::encoder::{Reader, Writer};
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
    }
}
