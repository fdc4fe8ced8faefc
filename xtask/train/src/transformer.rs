//! The forward pass of a transformer over sequences that are packed one after the other.
//!
//! Vaswani et al., "Attention Is All You Need", 2017. The layers are those of Devlin et al.,
//! "BERT", 2019: each adds its result to its input and normalises the sum. There is no backward
//! pass, because the teacher is never trained.

use std::ops::Range;

use super::layers::{Linear, Norm, add, gelu, softmax};
use super::product::{Matrix, sgemm};

/// The sizes of a transformer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) layers: usize,
    /// Number of components of a token's vector.
    pub(crate) width: usize,
    pub(crate) heads: usize,
    /// Number of neurons in the second half of each layer.
    pub(crate) inner: usize,
}

/// Positions of a layer's weights.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    /// Queries, keys and values, one after the other.
    pub(crate) attention: Linear,
    pub(crate) joined: Linear,
    pub(crate) first: Norm,
    pub(crate) inner: Linear,
    pub(crate) outer: Linear,
    pub(crate) second: Norm,
}

/// Positions of all weights, in one flat array.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    pub(crate) shape: Shape,
    /// The normalisation of the tokens' vectors before the first layer.
    pub(crate) start: Norm,
    pub(crate) layers: Vec<Layer>,
    /// Number of weights.
    pub(crate) len: usize,
}

impl Places {
    pub(crate) fn new(shape: Shape) -> Self {
        let Shape { width, inner, .. } = shape;
        let mut len = 0;
        let norm = |len: &mut usize| {
            *len += 2 * width;
            Norm { at: *len - 2 * width, width }
        };
        let linear = |len: &mut usize, inputs: usize, outputs: usize| {
            let linear = Linear { at: *len, inputs, outputs };
            *len = linear.end();
            linear
        };
        let start = norm(&mut len);
        let layers = (0..shape.layers)
            .map(|_| Layer {
                attention: linear(&mut len, width, 3 * width),
                joined: linear(&mut len, width, width),
                first: norm(&mut len),
                inner: linear(&mut len, width, inner),
                outer: linear(&mut len, inner, width),
                second: norm(&mut len),
            })
            .collect();
        Self { shape, start, layers, len }
    }
}

/// Runs sequences through a transformer and returns, for each, the mean of its tokens' vectors.
///
/// `x` holds the vectors of all tokens; `ends` holds the end of each sequence in tokens, excluded.
pub(crate) fn forward(places: &Places, all: &[f32], x: Vec<f32>, ends: &[usize]) -> Vec<f32> {
    let Shape { width, heads, .. } = places.shape;
    let mut x = places.start.forward(all, x).out;
    for layer in &places.layers {
        let attention = layer.attention.forward(all, &x);
        let mut seen = vec![0.0; x.len()];
        for (at, head) in sequences(ends).flat_map(|at| (0..heads).map(move |head| (at.clone(), head))) {
            let of = Head::new(width, heads, head, &at);
            let mut share = of.product(&attention, of.queries, &attention, of.keys);
            share.chunks_exact_mut(at.len()).for_each(|row| softmax(row, of.scale));
            let out = of.weighted(&share, &attention, of.values);
            for (row, token) in out.chunks_exact(of.size).zip(at) {
                seen[token * width + head * of.size..][..of.size].copy_from_slice(row);
            }
        }
        add(&mut x, &layer.joined.forward(all, &seen));
        x = layer.first.forward(all, x).out;
        let mut inner = layer.inner.forward(all, &x);
        inner.iter_mut().for_each(|x| *x = gelu(*x).0);
        add(&mut x, &layer.outer.forward(all, &inner));
        x = layer.second.forward(all, x).out;
    }
    let mut means = vec![0.0; ends.len() * width];
    for (mean, at) in means.chunks_exact_mut(width).zip(sequences(ends)) {
        x[at.start * width..at.end * width].chunks_exact(width).for_each(|row| add(mean, row));
        mean.iter_mut().for_each(|x| *x /= at.len() as f32);
    }
    means
}

/// Returns the token ranges of sequences with these ends.
fn sequences(ends: &[usize]) -> impl Iterator<Item = Range<usize>> + '_ {
    ends.iter().scan(0, |start, &end| Some(std::mem::replace(start, end)..end))
}

/// One head's part of the attention of one sequence.
struct Head {
    tokens: usize,
    size: usize,
    scale: f32,
    /// Length of a row; next, the offsets of this head's queries, keys and values.
    row: usize,
    queries: usize,
    keys: usize,
    values: usize,
}

impl Head {
    fn new(width: usize, heads: usize, head: usize, at: &Range<usize>) -> Self {
        let size = width / heads;
        let row = 3 * width;
        let queries = at.start * row + head * size;
        let scale = 1.0 / (size as f32).sqrt();
        let (keys, values) = (queries + width, queries + 2 * width);
        Self { tokens: at.len(), size, scale, row, queries, keys, values }
    }

    /// Returns the product of each row with each row: [tokens × tokens].
    fn product(&self, a: &[f32], a_at: usize, b: &[f32], b_at: usize) -> Vec<f32> {
        let mut c = vec![0.0; self.tokens * self.tokens];
        let rows = |of| Matrix::new(of, self.tokens, self.size).spaced(self.row);
        sgemm(rows(&a[a_at..]), rows(&b[b_at..]).transposed(), &mut c);
        c
    }

    /// Returns sums of rows weighted by shares: [tokens × size].
    fn weighted(&self, shares: &[f32], rows: &[f32], at: usize) -> Vec<f32> {
        let mut c = vec![0.0; self.tokens * self.size];
        let rows = Matrix::new(&rows[at..], self.tokens, self.size).spaced(self.row);
        sgemm(Matrix::new(shares, self.tokens, self.tokens), rows, &mut c);
        c
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xtask_lab::random::Random;

    #[test]
    fn sequences_do_not_see_each_other() {
        let places = Places::new(Shape { layers: 1, width: 8, heads: 2, inner: 8 });
        let mut random = Random::new(5);
        let mut drawn = |n: usize| -> Vec<f32> { (0..n).map(|_| random.unit() - 0.5).collect() };
        let (all, a, b) = (drawn(places.len), drawn(3 * 8), drawn(4 * 8));
        let alone = forward(&places, &all, b.clone(), &[4]);
        let beside = forward(&places, &all, [a, b].concat(), &[3, 7]);
        let far = alone.iter().zip(&beside[8..]).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
        assert!(far < 1e-5, "{far}");
    }
}
