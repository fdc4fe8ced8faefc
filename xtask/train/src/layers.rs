//! Layers of neural networks, forwards and backwards.
//!
//! All weights of a network are in one flat array; a layer stores only its offsets. Everything is
//! in floats. Sums have a fixed order, so that the same inputs give the same weights on one
//! machine.

use std::ops::Range;

use super::product::{Matrix, sgemm};

/// Added to variances, so that no division by 0 occurs.
const EPSILON: f32 = 1e-12;

/// Position of a linear map's weights: `outputs × inputs`, row-major, then a bias for each output.
#[derive(Debug, Clone)]
pub(crate) struct Linear {
    pub(crate) at: usize,
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
}

impl Linear {
    pub(crate) fn weights(&self) -> Range<usize> {
        self.at..self.at + self.inputs * self.outputs
    }

    pub(crate) fn bias(&self) -> Range<usize> {
        self.weights().end..self.end()
    }

    pub(crate) fn end(&self) -> usize {
        self.at + (self.inputs + 1) * self.outputs
    }

    /// Computes the outputs: x[n × inputs] -> [n × outputs].
    pub(crate) fn forward(&self, all: &[f32], x: &[f32]) -> Vec<f32> {
        let n = x.len() / self.inputs;
        let mut y = vec![0.0; n * self.outputs];
        let weights = Matrix::new(&all[self.weights()], self.outputs, self.inputs).transposed();
        sgemm(Matrix::new(x, n, self.inputs), weights, &mut y);
        for row in y.chunks_exact_mut(self.outputs) {
            row.iter_mut().zip(&all[self.bias()]).for_each(|(y, b)| *y += b);
        }
        y
    }

    /// Adds to the gradients of the weights, and returns the gradient by the input.
    pub(crate) fn backward(&self, all: &[f32], x: &[f32], dy: &[f32], gradients: &mut [f32]) -> Vec<f32> {
        let n = x.len() / self.inputs;
        let mut dw = vec![0.0; self.inputs * self.outputs];
        sgemm(Matrix::new(dy, n, self.outputs).transposed(), Matrix::new(x, n, self.inputs), &mut dw);
        add(&mut gradients[self.weights()], &dw);
        let bias = &mut gradients[self.bias()];
        dy.chunks_exact(self.outputs).for_each(|row| add(bias, row));
        let mut dx = vec![0.0; x.len()];
        let weights = Matrix::new(&all[self.weights()], self.outputs, self.inputs);
        sgemm(Matrix::new(dy, n, self.outputs), weights, &mut dx);
        dx
    }
}

/// Position of a normalisation's weights: a factor for each component, then a summand for each.
#[derive(Debug, Clone)]
pub(crate) struct Norm {
    pub(crate) at: usize,
    pub(crate) width: usize,
}

/// The output of a normalisation, with the intermediate results that its backward pass needs.
pub(crate) struct NormOutput {
    /// Normalised rows, before factor and summand.
    scaled: Vec<f32>,
    /// The reciprocal of each row's standard deviation.
    inverse: Vec<f32>,
    pub(crate) out: Vec<f32>,
}

impl Norm {
    pub(crate) fn factors(&self) -> Range<usize> {
        self.at..self.at + self.width
    }

    pub(crate) fn summands(&self) -> Range<usize> {
        self.at + self.width..self.at + 2 * self.width
    }

    pub(crate) fn forward(&self, all: &[f32], mut x: Vec<f32>) -> NormOutput {
        let n = self.width as f32;
        let mut out = Vec::with_capacity(x.len());
        let mut inverse = Vec::with_capacity(x.len() / self.width);
        for row in x.chunks_exact_mut(self.width) {
            let mean = row.iter().sum::<f32>() / n;
            let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / n;
            let by = 1.0 / (variance + EPSILON).sqrt();
            row.iter_mut().for_each(|x| *x = (*x - mean) * by);
            inverse.push(by);
            let weights = all[self.factors()].iter().zip(&all[self.summands()]);
            out.extend(row.iter().zip(weights).map(|(x, (f, s))| x * f + s));
        }
        NormOutput { scaled: x, inverse, out }
    }

    pub(crate) fn backward(
        &self,
        all: &[f32],
        normed: &NormOutput,
        dy: &[f32],
        gradients: &mut [f32],
    ) -> Vec<f32> {
        let n = self.width as f32;
        let mut dx = Vec::with_capacity(dy.len());
        let rows = dy.chunks_exact(self.width).zip(normed.scaled.chunks_exact(self.width));
        for ((dy, x), by) in rows.zip(&normed.inverse) {
            add(&mut gradients[self.summands()], dy);
            let factors = &mut gradients[self.factors()];
            factors.iter_mut().zip(dy.iter().zip(x)).for_each(|(f, (dy, x))| *f += dy * x);
            let through: Vec<f32> = dy.iter().zip(&all[self.factors()]).map(|(dy, f)| dy * f).collect();
            let mean = through.iter().sum::<f32>() / n;
            let along = through.iter().zip(x).map(|(d, x)| d * x).sum::<f32>() / n;
            dx.extend(through.iter().zip(x).map(|(d, x)| by * (d - mean - x * along)));
        }
        dx
    }
}

/// Replaces a row by the softmax of the row times `scale`.
pub(crate) fn softmax(row: &mut [f32], scale: f32) {
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter_mut().for_each(|x| *x = ((*x - most) * scale).exp());
    let sum: f32 = row.iter().sum();
    row.iter_mut().for_each(|x| *x /= sum);
}

/// Returns the GELU activation and its derivative (Hendrycks and Gimpel, "Gaussian Error Linear
/// Units", 2016, tanh approximation).
pub(crate) fn gelu(x: f32) -> (f32, f32) {
    const BY: f32 = 0.797_884_6;
    let inner = BY * (x + 0.044_715 * x * x * x);
    let tanh = inner.tanh();
    let slope = BY * (1.0 + 3.0 * 0.044_715 * x * x);
    (0.5 * x * (1.0 + tanh), 0.5 * (1.0 + tanh) + 0.5 * x * (1.0 - tanh * tanh) * slope)
}

/// Computes a += b.
pub(crate) fn add(a: &mut [f32], b: &[f32]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
}
