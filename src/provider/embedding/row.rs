//! Vectors of a provider's model in the form that is stored and compared: 8-bit directions.
//!
//! Vector of floats → [`Row`]; [`Question`] and row → cosine in whole units.

/// Most dimensions of a vector; the largest models in use have 4,096.
const MAX_DIMENSIONS: usize = 16_384;

/// A direction: `components × scale` has length 1, or all components are 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Factor of the components; finite, not negative.
    pub scale: f32,
    /// The components, `[dimensions]`.
    pub components: Vec<i8>,
}

impl Row {
    /// Reports whether the vector was zero, so that there is no direction.
    pub fn is_zero(&self) -> bool {
        self.scale == 0.0
    }

    /// Rounds the direction of a vector, so that the largest component becomes ±127.
    ///
    /// # Errors
    /// Says what is wrong with the vector: no or too many components, or one that is not finite.
    pub fn quantise(vector: &[f32]) -> Result<Self, &'static str> {
        if vector.is_empty() || vector.len() > MAX_DIMENSIONS {
            return Err("a vector has no dimensions, or too many");
        }
        if vector.iter().any(|x| !x.is_finite()) {
            return Err("a vector has a component that is not a finite number");
        }
        let length = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
        let largest = vector.iter().map(|x| f64::from(x.abs())).fold(0.0, f64::max);
        if largest == 0.0 || length == 0.0 {
            return Ok(Self { scale: 0.0, components: vec![0; vector.len()] });
        }
        #[allow(clippy::cast_possible_truncation, reason = "rounded to -127 to 127")]
        let components: Vec<i8> =
            vector.iter().map(|&x| (f64::from(x) / largest * 127.0).round() as i8).collect();
        // Computed from the rounded components, so that the length of the stored row is 1.
        let squares: i64 = components.iter().map(|&x| i64::from(x) * i64::from(x)).sum();
        #[allow(clippy::cast_possible_truncation, reason = "seven digits are more than the components have")]
        let scale = (1.0 / (squares as f64).sqrt()) as f32;
        Ok(Self { scale, components })
    }
}

/// The row that other rows are compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct Question(pub Row);

impl Question {
    /// Returns the cosine with a row of this scale and these components, in units of 2⁻²⁰.
    ///
    /// A whole number, so that a sum of cosines does not depend on their order. 0 if the lengths
    /// differ.
    pub fn cosine(&self, scale: f32, components: &[u8]) -> i32 {
        if components.len() != self.0.components.len() {
            return 0;
        }
        let products = self.0.components.iter().zip(components);
        let sum: i32 = products.map(|(&a, &b)| i32::from(i16::from(a) * i16::from(b.cast_signed()))).sum();
        let cosine = f64::from(sum) * f64::from(scale) * f64::from(self.0.scale);
        #[allow(clippy::cast_possible_truncation, reason = "bounded just before")]
        let units = (cosine.clamp(-1.0, 1.0) * Self::ONE).round() as i32;
        units
    }

    /// The cosine of a row with itself, in the units of [`Question::cosine`].
    pub const ONE: f64 = (1 << 20) as f64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes(row: &Row) -> Vec<u8> {
        row.components.iter().map(|x| x.cast_unsigned()).collect()
    }

    #[test]
    fn bad_vectors_are_refused() {
        for vector in [&[][..], &[f32::NAN, 1.0], &[f32::INFINITY], &[1.0, f32::NEG_INFINITY]] {
            assert!(Row::quantise(vector).is_err());
        }
        assert!(Row::quantise(&vec![1.0; 16_384]).is_ok());
        assert!(Row::quantise(&vec![1.0; 16_385]).is_err());
        let zero = Row::quantise(&[0.0; 3]).unwrap();
        assert_eq!(Question(zero.clone()).cosine(zero.scale, &bytes(&zero)), 0);
        assert!(Row::quantise(&[f32::MAX; 4]).unwrap().scale.is_finite());
        assert_eq!(Question(zero).cosine(1.0, &[1]), 0);
    }

    proptest! {
        #[test]
        fn cosines_survive(
            a in proptest::collection::vec(-1.0f32..1.0, 256),
            b in proptest::collection::vec(-1.0f32..1.0, 256),
        ) {
            let product = |(&x, &y): (&f32, &f32)| f64::from(x) * f64::from(y);
            let of = |x: &[f32], y: &[f32]| x.iter().zip(y).map(product).sum::<f64>();
            let exact = of(&a, &b) / (of(&a, &a) * of(&b, &b)).sqrt();
            let (a, b) = (Row::quantise(&a).unwrap(), Row::quantise(&b).unwrap());
            let found = f64::from(Question(a.clone()).cosine(b.scale, &bytes(&b))) / Question::ONE;
            prop_assert!((found - exact).abs() < 0.01, "{found} {exact}");
            let same = f64::from(Question(a.clone()).cosine(a.scale, &bytes(&a))) / Question::ONE;
            prop_assert!((same - 1.0).abs() < 1e-5);
        }
    }
}
