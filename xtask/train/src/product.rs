//! Matrix products of floats.
//!
//! The only `unsafe` block of the workshop: it turns the bounds that `matrixmultiply` trusts into
//! assertions.

/// Computes c[m×n] = a[m×k] · b[k×n]; strides are in elements, and c is row-major.
#[allow(unsafe_code, clippy::too_many_arguments)]
pub(crate) fn sgemm(
    m: usize,
    k: usize,
    n: usize,
    a: &[f32],
    a_strides: (isize, isize),
    b: &[f32],
    b_strides: (isize, isize),
    c: &mut [f32],
) {
    let last = |rows: usize, columns: usize, (r, s): (isize, isize)| {
        (rows - 1) * r as usize + (columns - 1) * s as usize
    };
    assert!(m > 0 && k > 0 && n > 0 && c.len() >= m * n);
    assert!(a.len() > last(m, k, a_strides) && b.len() > last(k, n, b_strides));
    // SAFETY: the assertions bound every element that the strides reach.
    unsafe {
        matrixmultiply::sgemm(
            m,
            k,
            n,
            1.0,
            a.as_ptr(),
            a_strides.0,
            a_strides.1,
            b.as_ptr(),
            b_strides.0,
            b_strides.1,
            0.0,
            c.as_mut_ptr(),
            n as isize,
            1,
        );
    }
}
