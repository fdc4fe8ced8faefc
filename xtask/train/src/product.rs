//! Matrix products of floats.
//!
//! The only `unsafe` block of the workshop: it turns the bounds that `matrixmultiply` trusts into
//! assertions.

/// A matrix in a list of numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matrix<'a> {
    values: &'a [f32],
    rows: usize,
    columns: usize,
    /// The distance in elements from a row to the next one.
    row_stride: usize,
    /// The distance in elements from a column to the next one.
    column_stride: usize,
}

impl<'a> Matrix<'a> {
    /// A matrix `[rows × columns]` that is stored row by row.
    pub(crate) fn new(values: &'a [f32], rows: usize, columns: usize) -> Self {
        Self { values, rows, columns, row_stride: columns, column_stride: 1 }
    }

    /// The same numbers with another distance between rows: the columns of a wider matrix.
    pub(crate) fn spaced(self, row_stride: usize) -> Self {
        Self { row_stride, ..self }
    }

    /// Its rows as columns.
    pub(crate) fn transposed(self) -> Self {
        let Self { values, rows, columns, row_stride, column_stride } = self;
        Self { values, rows: columns, columns: rows, row_stride: column_stride, column_stride: row_stride }
    }

    pub(crate) fn rows(self) -> usize {
        self.rows
    }

    pub(crate) fn columns(self) -> usize {
        self.columns
    }

    /// `n` of its rows, from row `from` on.
    pub(crate) fn part(self, from: usize, n: usize) -> Self {
        Self { values: &self.values[from * self.row_stride..], rows: n, ..self }
    }

    /// The position of its last number.
    fn last(self) -> usize {
        (self.rows - 1) * self.row_stride + (self.columns - 1) * self.column_stride
    }
}

/// Computes c = a · b; c is stored row by row.
#[allow(unsafe_code)]
pub(crate) fn sgemm(a: Matrix<'_>, b: Matrix<'_>, c: &mut [f32]) {
    let (m, k, n) = (a.rows, a.columns, b.columns);
    assert!(m > 0 && k > 0 && n > 0 && k == b.rows && c.len() >= m * n);
    assert!(a.values.len() > a.last() && b.values.len() > b.last());
    // SAFETY: the assertions bound every element that the strides reach.
    unsafe {
        matrixmultiply::sgemm(
            m,
            k,
            n,
            1.0,
            a.values.as_ptr(),
            a.row_stride as isize,
            a.column_stride as isize,
            b.values.as_ptr(),
            b.row_stride as isize,
            b.column_stride as isize,
            0.0,
            c.as_mut_ptr(),
            n as isize,
            1,
        );
    }
}
