//! The vectors of a segment's chunks: rows, signs, and sums.
//!
//! Owns the bytes of the sections `MODL`, `SIGN` and `VECT`. The mean of a query's products with
//! all chunks is its product with the mean of their vectors, so the sums of the vectors are stored.
//! They are whole numbers, so the vectors of outdated chunks can be subtracted exactly.

use crate::index::embed::{DIMENSIONS, Question, Vector};

use super::rows::u64_at;

/// Size of a stored vector in bytes: its components and their CRC-32.
pub(super) const VECTOR_BYTES: usize = DIMENSIONS + 4;

/// The sums over vectors, by component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorSums(pub [i64; DIMENSIONS]);

impl Default for VectorSums {
    fn default() -> Self {
        Self([0; DIMENSIONS])
    }
}

impl VectorSums {
    /// Adds a vector.
    pub(super) fn add(&mut self, vector: &Vector) {
        for (sum, &x) in self.0.iter_mut().zip(&vector.0) {
            *sum = sum.wrapping_add(x.into());
        }
    }

    /// Subtracts a vector that was added.
    pub(super) fn remove(&mut self, vector: &Vector) {
        for (sum, &x) in self.0.iter_mut().zip(&vector.0) {
            *sum = sum.wrapping_sub(x.into());
        }
    }

    /// Adds other sums.
    pub(super) fn merge(&mut self, other: &Self) {
        for (sum, &x) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.wrapping_add(x);
        }
    }

    /// Returns the product of a question with the mean of `n` vectors, as [`Question::dot`]; 0 if
    /// `n` is 0.
    pub fn mean_dot(&self, question: &Question, n: u64) -> f64 {
        let sum: i128 =
            self.0.iter().zip(question.components()).map(|(&a, &b)| i128::from(a) * i128::from(b)).sum();
        if n == 0 { 0.0 } else { sum as f64 / n as f64 }
    }
}

/// Encodes the section `MODL`: the sums, then the model's name.
pub(super) fn encode_model(name: &str, sums: &VectorSums) -> Vec<u8> {
    let mut bytes: Vec<u8> = sums.0.iter().flat_map(|n| n.to_le_bytes()).collect();
    bytes.extend_from_slice(name.as_bytes());
    bytes
}

/// Decodes the section `MODL` into the sums and the model's name; `None` if it is cut short.
pub(super) fn decode_model(bytes: &[u8]) -> Option<(VectorSums, &[u8])> {
    let (sums, name) = bytes.split_at_checked(DIMENSIONS * 8)?;
    Some((VectorSums(std::array::from_fn(|i| u64_at(sums, i * 8).cast_signed())), name))
}
