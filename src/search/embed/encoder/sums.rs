//! Sums of rows, and what is done with them: normalisation, activation; with the same bits everywhere.

use crate::search::embed::scan::widest;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::embed::encoder::{Reader, Writer};
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
