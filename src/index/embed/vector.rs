//! Vectors of a fixed length, and their signs.
//!
//! Sum of rows → [`Vector`] (8 bits a component) or [`Question`] (the same direction, 64 times
//! finer).
//!
//! **Invariant.** Integer arithmetic only, so that a direction has the same bytes on every machine.

use super::simd::dot;

/// Number of dimensions.
pub const DIMENSIONS: usize = 256;

/// Bytes of the signs of a vector.
pub const SIGN_BYTES: usize = DIMENSIONS / 8;

/// Length of a vector.
///
/// Hardly any component exceeds 127/300 = .42 of it; larger ones are clamped.
const LENGTH: i64 = 300;

/// Steps of a question's component per step of a vector's.
const FINE: i64 = 64;

/// A direction: `[DIMENSIONS]` components with squares that sum to about 300²; all zero if empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vector(pub [i8; DIMENSIONS]);

/// The direction of a question: a vector, and the same in steps a 64th as large.
///
/// Stored rows are many, so they must be small. There is only one question, and rounding it as
/// coarsely would double the rounding error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// The question at the precision of stored rows.
    pub vector: Vector,
    fine: [i16; DIMENSIONS],
}

/// The signs of a vector: bit set if the component is above zero, first component in the lowest bit
/// of the first byte.
pub type Signs = [u8; SIGN_BYTES];

impl Default for Vector {
    fn default() -> Self {
        Self([0; DIMENSIONS])
    }
}

impl Vector {
    /// The largest product of two vectors, which is that of a vector with itself.
    pub const ONE: f64 = (LENGTH * LENGTH) as f64;

    /// Scales a sum to the fixed length.
    #[inline(always)]
    pub(super) fn scaled(total: &[i64; DIMENSIONS]) -> Self {
        Self(scaled(total, 1).map(|x| i8::try_from(x).unwrap_or(0)))
    }

    /// Returns the product with another vector, up to about [`Vector::ONE`].
    #[inline]
    pub fn dot(&self, other: &Self) -> i32 {
        let products = self.0.iter().zip(&other.0).map(|(&a, &b)| i32::from(i16::from(a) * i16::from(b)));
        products.sum()
    }

    /// Reports whether all components are zero, so that there is no direction.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|&x| x == 0)
    }

    /// Returns the signs of the components.
    pub fn signs(&self) -> Signs {
        let mut signs = [0u8; SIGN_BYTES];
        for (byte, eight) in signs.iter_mut().zip(self.0.as_chunks::<8>().0) {
            for (bit, &x) in eight.iter().enumerate() {
                *byte |= u8::from(x > 0) << bit;
            }
        }
        signs
    }

    /// Returns the components as bytes.
    pub fn to_bytes(&self) -> [u8; DIMENSIONS] {
        self.0.map(i8::cast_unsigned)
    }

    /// Makes a vector from its bytes; any bytes are valid.
    pub fn from_bytes(bytes: &[u8; DIMENSIONS]) -> Self {
        Self(bytes.map(u8::cast_signed))
    }
}

/// Scales a sum to the fixed length, in steps a `fine`th as large as those of a [`Vector`].
#[inline(always)]
fn scaled(total: &[i64; DIMENSIONS], fine: i64) -> [i64; DIMENSIONS] {
    let largest = total.iter().map(|x| x.unsigned_abs()).max().unwrap_or(0);
    // 24 bits, so that the sum of squares and the products below fit 64 bits.
    let shift = (u64::BITS - largest.leading_zeros()).saturating_sub(24);
    let small = total.map(|x| x >> shift);
    let squares: u64 = small.iter().map(|x| x.unsigned_abs() * x.unsigned_abs()).sum();
    let norm = squares.isqrt().max(1);
    let factor = ((LENGTH * fine) << 40) / i64::try_from(norm).unwrap_or(i64::MAX);
    small.map(|x| ((x * factor + (1 << 39)) >> 40).clamp(-127 * fine, 127 * fine))
}

impl Default for Question {
    fn default() -> Self {
        Self { vector: Vector::default(), fine: [0; DIMENSIONS] }
    }
}

impl Question {
    /// The largest product with a vector, which is that with the question's own vector.
    pub const ONE: f64 = Vector::ONE * FINE as f64;

    /// Scales a sum to the fixed length.
    #[inline(always)]
    pub(super) fn scaled(total: &[i64; DIMENSIONS]) -> Self {
        let fine = scaled(total, FINE).map(|x| i16::try_from(x).unwrap_or(0));
        Self { vector: Vector::scaled(total), fine }
    }

    /// Returns the components, in steps a 64th as large as those of [`Question::vector`].
    pub fn components(&self) -> &[i16; DIMENSIONS] {
        &self.fine
    }

    /// Returns the product with a vector, up to about [`Question::ONE`].
    pub fn dot(&self, vector: &Vector) -> i32 {
        dot(&self.fine, &vector.0)
    }

    /// Reports whether all components are zero, so that there is no direction.
    pub fn is_zero(&self) -> bool {
        self.vector.is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_empty_sum_has_no_direction() {
        assert!(Vector::scaled(&[0; DIMENSIONS]).is_zero());
        assert_eq!(Question::scaled(&[0; DIMENSIONS]), Question::default());
    }

    proptest! {
        #[test]
        fn a_direction_keeps_its_length_and_its_sense(
            values in proptest::collection::vec(-1_000_000i64..1_000_000, DIMENSIONS),
            factor in 1i64..1_000_000,
        ) {
            let total: [i64; DIMENSIONS] = values.try_into().unwrap();
            let vector = Vector::scaled(&total);
            let length = f64::from(vector.dot(&vector)).sqrt();
            prop_assume!(total.iter().any(|x| *x != 0));
            prop_assert!((length - 300.0).abs() < 12.0, "{}", length);
            let larger = Vector::scaled(&total.map(|x| x * factor));
            for (a, b) in vector.0.iter().zip(larger.0) {
                prop_assert!((i32::from(*a) - i32::from(b)).abs() <= 1);
            }
            prop_assert_eq!(Vector::from_bytes(&vector.to_bytes()), vector);
            // A question has the same direction, and its product is that of its fine components.
            let question = Question::scaled(&total);
            prop_assert_eq!(question.vector, vector);
            for (fine, coarse) in question.components().iter().zip(vector.0) {
                prop_assert!((f64::from(*fine) / 64.0 - f64::from(coarse)).abs() <= 0.51);
            }
            let products = question.fine.iter().zip(vector.0);
            let plain: i64 = products.map(|(&a, b)| i64::from(a) * i64::from(b)).sum();
            prop_assert_eq!(i64::from(question.dot(&vector)), plain);
            prop_assert!((plain as f64 / Question::ONE - 1.0).abs() < 0.08);
        }
    }
}
