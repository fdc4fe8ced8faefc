//! A transformer over sequences packed one after the other, forwards and backwards (Vaswani et al., «Attention Is All You
//! Need», 2017; layers as in Devlin et al., «BERT», 2019: each adds to its input and is normalised after that).
//!
//! Everything is in floats; sums have a fixed order, so that the same inputs give the same weights on one machine.

use std::ops::Range;

use super::product::sgemm;

/// Sizes of a transformer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) layers: usize,
    /// Components of a token's vector.
    pub(crate) width: usize,
    pub(crate) heads: usize,
    /// Neurons of each layer's second half.
    pub(crate) inner: usize,
}

/// Added to variances.
const EPSILON: f32 = 1e-12;

/// Where the weights of a linear map lie: `outputs × inputs`, row by row, then a bias for each output.
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

    fn end(&self) -> usize {
        self.at + (self.inputs + 1) * self.outputs
    }

    /// x[n × inputs] → [n × outputs].
    fn forward(&self, all: &[f32], x: &[f32]) -> Vec<f32> {
        let n = x.len() / self.inputs;
        let mut y = vec![0.0; n * self.outputs];
        let (weights, k) = (&all[self.weights()], self.inputs as isize);
        sgemm(n, self.inputs, self.outputs, x, (k, 1), weights, (1, k), &mut y);
        for row in y.chunks_exact_mut(self.outputs) {
            row.iter_mut().zip(&all[self.bias()]).for_each(|(y, b)| *y += b);
        }
        y
    }

    /// Adds to the gradients, and gives that of the input.
    fn backward(&self, all: &[f32], x: &[f32], dy: &[f32], gradients: &mut [f32]) -> Vec<f32> {
        let n = x.len() / self.inputs;
        let (k, m) = (self.inputs as isize, self.outputs as isize);
        let mut dw = vec![0.0; self.inputs * self.outputs];
        sgemm(self.outputs, n, self.inputs, dy, (1, m), x, (k, 1), &mut dw);
        add(&mut gradients[self.weights()], &dw);
        let bias = &mut gradients[self.bias()];
        dy.chunks_exact(self.outputs).for_each(|row| add(bias, row));
        let mut dx = vec![0.0; x.len()];
        sgemm(n, self.outputs, self.inputs, dy, (m, 1), &all[self.weights()], (k, 1), &mut dx);
        dx
    }
}

/// Where the weights of a normalisation lie: a factor for each component, then a summand.
#[derive(Debug, Clone)]
pub(crate) struct Norm {
    pub(crate) at: usize,
    pub(crate) width: usize,
}

/// What normalising leaves for the way back.
struct Normed {
    /// Before factor and summand.
    scaled: Vec<f32>,
    /// By row, one over the standard deviation.
    inverse: Vec<f32>,
    out: Vec<f32>,
}

impl Norm {
    pub(crate) fn factors(&self) -> Range<usize> {
        self.at..self.at + self.width
    }

    pub(crate) fn summands(&self) -> Range<usize> {
        self.at + self.width..self.at + 2 * self.width
    }

    fn forward(&self, all: &[f32], mut x: Vec<f32>) -> Normed {
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
        Normed { scaled: x, inverse, out }
    }

    fn backward(&self, all: &[f32], normed: &Normed, dy: &[f32], gradients: &mut [f32]) -> Vec<f32> {
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

/// Where a layer's weights lie.
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

/// Where all weights lie, in one row of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    pub(crate) shape: Shape,
    /// What is put on top of the tokens' vectors, normalised before the first layer.
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

/// What the way there leaves for the way back.
pub(crate) struct Passed {
    /// By sequence, where it ends.
    ends: Vec<usize>,
    start: Normed,
    layers: Vec<PassedLayer>,
    /// By sequence, the mean of its tokens' vectors.
    pub(crate) means: Vec<f32>,
}

struct PassedLayer {
    attention: Vec<f32>,
    /// By sequence and head, how much each token looks at each.
    shares: Vec<Vec<f32>>,
    seen: Vec<f32>,
    first: Normed,
    inner: Vec<f32>,
    active: Vec<f32>,
    second: Normed,
}

/// Runs sequences through a transformer: `x` has the vectors of all tokens, `ends` says where each sequence ends.
pub(crate) fn forward(places: &Places, all: &[f32], x: Vec<f32>, ends: &[usize]) -> Passed {
    let Shape { width, heads, .. } = places.shape;
    let start = places.start.forward(all, x);
    let mut layers: Vec<PassedLayer> = Vec::new();
    for layer in &places.layers {
        let input = layers.last().map_or(&start.out, |last| &last.second.out);
        let attention = layer.attention.forward(all, input);
        let mut seen = vec![0.0; input.len()];
        let mut shares = Vec::with_capacity(ends.len() * heads);
        for (at, head) in sequences(ends).flat_map(|at| (0..heads).map(move |head| (at.clone(), head))) {
            let of = Head::new(width, heads, head, &at);
            let mut share = of.product(&attention, of.queries, &attention, of.keys);
            share.chunks_exact_mut(at.len()).for_each(|row| softmax(row, of.scale));
            let out = of.weighted(&share, &attention, of.values);
            for (row, token) in out.chunks_exact(of.size).zip(at.clone()) {
                seen[token * width + head * of.size..][..of.size].copy_from_slice(row);
            }
            shares.push(share);
        }
        let mut joined = layer.joined.forward(all, &seen);
        add(&mut joined, input);
        let first = layer.first.forward(all, joined);
        let inner = layer.inner.forward(all, &first.out);
        let active: Vec<f32> = inner.iter().map(|&x| gelu(x).0).collect();
        let mut outer = layer.outer.forward(all, &active);
        add(&mut outer, &first.out);
        let second = layer.second.forward(all, outer);
        layers.push(PassedLayer { attention, shares, seen, first, inner, active, second });
    }
    let last = layers.last().map_or(&start.out, |last| &last.second.out);
    let mut means = vec![0.0; ends.len() * width];
    for (mean, at) in means.chunks_exact_mut(width).zip(sequences(ends)) {
        last[at.start * width..at.end * width].chunks_exact(width).for_each(|row| add(mean, row));
        mean.iter_mut().for_each(|x| *x /= at.len() as f32);
    }
    Passed { ends: ends.to_vec(), start, layers, means }
}

/// From the gradients of the means to those of the weights, which are added, and of the tokens' vectors.
pub(crate) fn backward(
    places: &Places,
    all: &[f32],
    passed: &Passed,
    of_means: &[f32],
    gradients: &mut [f32],
) -> Vec<f32> {
    let Shape { width, heads, .. } = places.shape;
    let mut d = Vec::with_capacity(passed.start.out.len());
    for (mean, at) in of_means.chunks_exact(width).zip(sequences(&passed.ends)) {
        for _ in at.clone() {
            d.extend(mean.iter().map(|x| x / at.len() as f32));
        }
    }
    for (i, layer) in places.layers.iter().enumerate().rev() {
        let there = &passed.layers[i];
        let input = if i == 0 { &passed.start.out } else { &passed.layers[i - 1].second.out };
        let d_outer = layer.second.backward(all, &there.second, &d, gradients);
        let mut d_inner = layer.outer.backward(all, &there.active, &d_outer, gradients);
        d_inner.iter_mut().zip(&there.inner).for_each(|(d, &x)| *d *= gelu(x).1);
        let mut d_first = layer.inner.backward(all, &there.first.out, &d_inner, gradients);
        add(&mut d_first, &d_outer);
        let d_joined = layer.first.backward(all, &there.first, &d_first, gradients);
        let d_seen = layer.joined.backward(all, &there.seen, &d_joined, gradients);
        let mut d_attention = vec![0.0; there.attention.len()];
        let all_heads = sequences(&passed.ends).flat_map(|at| (0..heads).map(move |head| (at.clone(), head)));
        for ((at, head), share) in all_heads.zip(&there.shares) {
            let of = Head::new(width, heads, head, &at);
            of.backward(&there.attention, share, &d_seen, &mut d_attention);
        }
        d = layer.attention.backward(all, input, &d_attention, gradients);
        add(&mut d, &d_joined);
    }
    places.start.backward(all, &passed.start, &d, gradients)
}

/// The places of sequences that end there.
fn sequences(ends: &[usize]) -> impl Iterator<Item = Range<usize>> + '_ {
    ends.iter().scan(0, |start, &end| Some(std::mem::replace(start, end)..end))
}

/// One head's part of the attention of one sequence.
struct Head {
    tokens: usize,
    size: usize,
    scale: f32,
    /// Row lengths, and where this head's part of them begins.
    row: usize,
    queries: usize,
    keys: usize,
    values: usize,
    /// Where it is in the rows of what was seen.
    seen: usize,
    width: usize,
}

impl Head {
    fn new(width: usize, heads: usize, head: usize, at: &Range<usize>) -> Self {
        let size = width / heads;
        let row = 3 * width;
        let queries = at.start * row + head * size;
        let scale = 1.0 / (size as f32).sqrt();
        let seen = at.start * width + head * size;
        Self {
            tokens: at.len(),
            size,
            scale,
            row,
            queries,
            keys: queries + width,
            values: queries + 2 * width,
            seen,
            width,
        }
    }

    /// Each row's product with each: tokens × tokens.
    fn product(&self, a: &[f32], a_at: usize, b: &[f32], b_at: usize) -> Vec<f32> {
        let mut c = vec![0.0; self.tokens * self.tokens];
        let row = self.row as isize;
        sgemm(self.tokens, self.size, self.tokens, &a[a_at..], (row, 1), &b[b_at..], (1, row), &mut c);
        c
    }

    /// Rows weighed by shares: tokens × size.
    fn weighted(&self, shares: &[f32], rows: &[f32], at: usize) -> Vec<f32> {
        let mut c = vec![0.0; self.tokens * self.size];
        let (t, row) = (self.tokens as isize, self.row as isize);
        sgemm(self.tokens, self.tokens, self.size, shares, (t, 1), &rows[at..], (row, 1), &mut c);
        c
    }

    fn backward(&self, attention: &[f32], share: &[f32], d_seen: &[f32], d_attention: &mut [f32]) {
        let (tokens, size) = (self.tokens, self.size);
        let (t, row, width) = (tokens as isize, self.row as isize, self.width as isize);
        let d_seen = &d_seen[self.seen..];
        let mut part = vec![0.0; tokens * size];
        // Values: shareᵀ · d_seen.
        sgemm(tokens, tokens, size, share, (1, t), d_seen, (width, 1), &mut part);
        self.put(&part, self.values, d_attention);
        // Shares: d_seen · valuesᵀ, then through the softmax and the scale.
        let mut d_share = vec![0.0; tokens * tokens];
        sgemm(tokens, size, tokens, d_seen, (width, 1), &attention[self.values..], (1, row), &mut d_share);
        for (d, p) in d_share.chunks_exact_mut(tokens).zip(share.chunks_exact(tokens)) {
            let along: f32 = d.iter().zip(p).map(|(d, p)| d * p).sum();
            d.iter_mut().zip(p).for_each(|(d, p)| *d = p * (*d - along) * self.scale);
        }
        sgemm(tokens, tokens, size, &d_share, (t, 1), &attention[self.keys..], (row, 1), &mut part);
        self.put(&part, self.queries, d_attention);
        sgemm(tokens, tokens, size, &d_share, (1, t), &attention[self.queries..], (row, 1), &mut part);
        self.put(&part, self.keys, d_attention);
    }

    fn put(&self, part: &[f32], at: usize, rows: &mut [f32]) {
        for (token, part) in part.chunks_exact(self.size).enumerate() {
            rows[at + token * self.row..][..self.size].copy_from_slice(part);
        }
    }
}

/// The softmax of a row times a factor.
pub(crate) fn softmax(row: &mut [f32], scale: f32) {
    let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    row.iter_mut().for_each(|x| *x = ((*x - most) * scale).exp());
    let sum: f32 = row.iter().sum();
    row.iter_mut().for_each(|x| *x /= sum);
}

/// The activation (Hendrycks and Gimpel, «Gaussian Error Linear Units», 2016, by the tangent) and its slope.
fn gelu(x: f32) -> (f32, f32) {
    const BY: f32 = 0.797_884_6;
    let inner = BY * (x + 0.044_715 * x * x * x);
    let tanh = inner.tanh();
    let slope = BY * (1.0 + 3.0 * 0.044_715 * x * x);
    (0.5 * x * (1.0 + tanh), 0.5 * (1.0 + tanh) + 0.5 * x * (1.0 - tanh * tanh) * slope)
}

/// a += b.
pub(crate) fn add(a: &mut [f32], b: &[f32]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Gradients are compared with differences of what they are gradients of.
    #[test]
    fn gradients_are_differences() {
        let places = Places::new(Shape { layers: 2, width: 8, heads: 2, inner: 12 });
        let mut random = Random::new(3);
        let mut drawn = |n: usize| -> Vec<f32> { (0..n).map(|_| random.unit() - 0.5).collect() };
        let (all, x, towards) = (drawn(places.len), drawn(5 * 8), drawn(2 * 8));
        let ends = [2, 5];
        let value = |all: &[f32], x: &[f32]| -> f64 {
            let passed = forward(&places, all, x.to_vec(), &ends);
            passed.means.iter().zip(&towards).map(|(m, t)| f64::from(m * t)).sum()
        };
        let passed = forward(&places, &all, x.clone(), &ends);
        let mut gradients = vec![0.0; places.len];
        let of_x = backward(&places, &all, &passed, &towards, &mut gradients);
        let step = 3e-3;
        let check = |name: &str, at: usize, gradient: f32, more: f64, less: f64| {
            let difference = (more - less) / f64::from(2.0 * step);
            let error = (difference - f64::from(gradient)).abs();
            assert!(error < 2e-2 * (1.0 + difference.abs()), "{name} {at}: {gradient} and {difference}");
        };
        for at in (0..places.len).step_by(7) {
            let moved = |by: f32| {
                let mut all = all.clone();
                all[at] += by;
                value(&all, &x)
            };
            check("weight", at, gradients[at], moved(step), moved(-step));
        }
        for at in 0..x.len() {
            let moved = |by: f32| {
                let mut x = x.clone();
                x[at] += by;
                value(&all, &x)
            };
            check("input", at, of_x[at], moved(step), moved(-step));
        }
    }

    #[test]
    fn sequences_do_not_see_each_other() {
        let places = Places::new(Shape { layers: 1, width: 8, heads: 2, inner: 8 });
        let mut random = Random::new(5);
        let mut drawn = |n: usize| -> Vec<f32> { (0..n).map(|_| random.unit() - 0.5).collect() };
        let (all, a, b) = (drawn(places.len), drawn(3 * 8), drawn(4 * 8));
        let alone = forward(&places, &all, b.clone(), &[4]).means;
        let beside = forward(&places, &all, [a, b].concat(), &[3, 7]).means;
        let far = alone.iter().zip(&beside[8..]).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
        assert!(far < 1e-5, "{far}");
    }
}
