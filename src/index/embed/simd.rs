//! Arithmetic that is compiled for the widest instructions of the processor, found at run time.

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch};

/// Returns the sum of the products of two rows.
#[inline]
pub(super) fn dot<const N: usize>(a: &[i16; N], b: &[i8; N]) -> i32 {
    widest(
        #[inline(always)]
        || a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum(),
    )
}

/// Runs `work` compiled for the widest instructions of the processor.
#[inline(always)]
pub(super) fn widest<R>(work: impl FnOnce() -> R) -> R {
    #[inline(always)]
    fn by<S: Simd, R>(simd: S, work: impl FnOnce() -> R) -> R {
        simd.vectorize(work)
    }
    let level = Level::new();
    dispatch!(level, simd => by(simd, work))
}
