//! The network that is trained, forwards and backwards: a deep averaging network over sets of
//! sub-tokens ([`git_cora::index::embed::encoder`]).
//!
//! Sets of sub-tokens come in, one output per set goes out; the losses are computed by the callers.
//! Batches are split into a fixed number of parts, so that the number of cores does not change the
//! result.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use git_cora::index::embed::kernels::N_PLACES;
use git_cora::index::embed::{Places, Side, builtin, encoder};

use super::adam::Moments;
use super::layers::{Linear, Norm, NormOutput, add, gelu};
use super::teacher::Teacher;
use xtask_lab::random::Random;

/// Maximum length of the gradient of all weights except the rows; longer gradients are scaled down.
const LONGEST: f32 = 5.0;

/// Number of parts of each side of a batch that are computed in parallel. Fixed, so that the number
/// of cores does not change what is learned.
const PARTS: usize = 4;

/// Factor of the learning rate for rows.
const OF_ROWS: f32 = 0.5;

/// Positions of all weights except the rows, in one flat array.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// The normalisation. Its summands are those of questions.
    norm: Norm,
    /// The offset that code adds to the summands.
    of_code: Range<usize>,
    inner: Linear,
    outer: Linear,
    pub(super) len: usize,
}

impl Layout {
    pub(super) fn new(width: usize, neurons: usize) -> Self {
        let norm = Norm { at: 0, width };
        let of_code = 2 * width..3 * width;
        let inner = Linear { at: of_code.end, inputs: width, outputs: neurons };
        let outer = Linear { at: inner.end(), inputs: neurons, outputs: width };
        let len = outer.end();
        Self { norm, of_code, inner, outer, len }
    }
}

/// The network with its weights.
#[derive(Debug, Clone)]
pub(super) struct Student {
    pub(super) width: usize,
    pub(super) layout: Layout,
    pub(super) weights: Vec<f32>,
    /// Rows, one per sub-token.
    pub(super) rows: Vec<f32>,
    /// Logarithms of the weights of sub-tokens, by side and sub-token.
    pub(super) tokens: [Vec<f32>; 2],
    /// Weights of the places: head, text, around.
    pub(super) places: [f32; N_PLACES],
}

/// A set of sub-tokens: number, and its share at each place.
pub(super) type Set = Vec<(u16, [f32; N_PLACES])>;

/// Returns the set of a question.
pub(super) fn set_of_question(numbers: &[u16]) -> Set {
    encoder::first_of_question(numbers).into_iter().map(|number| (number, [0.0, 1.0, 0.0])).collect()
}

/// Returns the set of a chunk.
pub(super) fn set_of_chunk(chunk: &[(u16, Places)]) -> Set {
    chunk.iter().map(|&(number, places)| (number, encoder::shares(places))).collect()
}

/// The results of a forward pass for the sets of one side, with everything that the backward pass
/// needs.
pub(super) struct ForwardPass {
    normed: NormOutput,
    /// Input of the inner layer: the normalised sums, plus the offset of code.
    z: Vec<f32>,
    inner: Vec<f32>,
    active: Vec<f32>,
    /// Outputs, one per set, before they are scaled to length 1.
    pub(super) out: Vec<f32>,
}

/// Gradients of a part of a batch.
pub(super) struct Gradients {
    pub(super) weights: Vec<f32>,
    pub(super) places: [f32; N_PLACES],
    /// By sub-token: the gradient of its row, and that of the logarithm of its weight.
    pub(super) rows: BTreeMap<u16, (Vec<f32>, f32)>,
}

/// Gradients of a batch.
pub(super) struct GradientSums {
    weights: Vec<f32>,
    places: [f32; N_PLACES],
    /// Gradients of the logarithms of sub-token weights, by side.
    tokens: [BTreeMap<u16, f32>; 2],
    rows: BTreeMap<u16, Vec<f32>>,
}

impl Student {
    /// Creates a student whose rows are the teacher's vectors of each sub-token alone.
    pub(super) fn new(neurons: usize, teacher: &Teacher, random: &mut Random) -> Self {
        let width = teacher.places.shape.width;
        let layout = Layout::new(width, neurons);
        let mut weights = vec![0.0; layout.len];
        weights[layout.norm.factors()].fill(1.0);
        // The outer map begins as zeros, so that at first only the sum counts.
        let most = 1.0 / (width as f32).sqrt();
        weights[layout.inner.weights()].iter_mut().for_each(|x| *x = (2.0 * random.unit() - 1.0) * most);
        let rows = builtin()
            .vocabulary()
            .words()
            .iter()
            .flat_map(|word| {
                let pieces: Vec<u32> = word.split(' ').flat_map(|part| teacher.pieces_of(part)).collect();
                teacher.alone(&pieces)
            })
            .collect();
        let tokens = [0, 1].map(|_| vec![0.0; builtin().vocabulary().len()]);
        Self { width, layout, weights, rows, tokens, places: [1.0; N_PLACES] }
    }

    /// Returns the weight of a sub-token alone, and that weight times the weight of its places.
    fn weight(&self, side: Side, (number, places): (u16, [f32; N_PLACES])) -> [f32; 2] {
        let weight = self.tokens[side as usize][usize::from(number)].exp();
        let of_places: f32 = places.iter().zip(&self.places).map(|(share, weight)| share * weight).sum();
        [weight, weight * of_places]
    }

    fn row(&self, number: u16) -> &[f32] {
        &self.rows[usize::from(number) * self.width..][..self.width]
    }

    pub(super) fn forward(&self, side: Side, sets: &[&Set]) -> ForwardPass {
        let Self { width, layout, weights, .. } = self;
        let mut sums = vec![0.0; sets.len() * width];
        for (sum, set) in sums.chunks_exact_mut(*width).zip(sets) {
            for &token in *set {
                let by = self.weight(side, token)[1];
                sum.iter_mut().zip(self.row(token.0)).for_each(|(sum, x)| *sum += by * x);
            }
        }
        let normed = layout.norm.forward(weights, sums);
        let mut z = normed.out.clone();
        if side == Side::Code {
            z.chunks_exact_mut(*width).for_each(|row| add(row, &weights[layout.of_code.clone()]));
        }
        let inner = layout.inner.forward(weights, &z);
        let active: Vec<f32> = inner.iter().map(|&x| gelu(x).0).collect();
        let mut out = layout.outer.forward(weights, &active);
        add(&mut out, &z);
        ForwardPass { normed, z, inner, active, out }
    }

    pub(super) fn backward(
        &self,
        side: Side,
        sets: &[&Set],
        passed: &ForwardPass,
        of_out: &[f32],
    ) -> Gradients {
        let Self { width, layout, weights, .. } = self;
        let mut gradient = vec![0.0; layout.len];
        let mut d_inner = layout.outer.backward(weights, &passed.active, of_out, &mut gradient);
        d_inner.iter_mut().zip(&passed.inner).for_each(|(d, &x)| *d *= gelu(x).1);
        let mut d_z = layout.inner.backward(weights, &passed.z, &d_inner, &mut gradient);
        add(&mut d_z, of_out);
        if side == Side::Code {
            let of_code = &mut gradient[layout.of_code.clone()];
            d_z.chunks_exact(*width).for_each(|row| add(of_code, row));
        }
        let d_sums = layout.norm.backward(weights, &passed.normed, &d_z, &mut gradient);
        let mut places = [0.0; N_PLACES];
        let mut rows: BTreeMap<u16, (Vec<f32>, f32)> = BTreeMap::new();
        for (d, set) in d_sums.chunks_exact(*width).zip(sets) {
            for &token in *set {
                let [alone, by] = self.weight(side, token);
                let along: f32 = self.row(token.0).iter().zip(d).map(|(x, d)| x * d).sum();
                let (row, weight) = rows.entry(token.0).or_insert_with(|| (vec![0.0; *width], 0.0));
                row.iter_mut().zip(d).for_each(|(row, d)| *row += by * d);
                *weight += by * along;
                places.iter_mut().zip(token.1).for_each(|(place, x)| *place += alone * x * along);
            }
        }
        Gradients { weights: gradient, places, rows }
    }

    /// Returns the gradients of a batch of questions and chunks, and the second result of `loss`.
    ///
    /// `loss` receives the outputs of all sets, the questions first, and returns the gradient by
    /// them.
    pub(super) fn slope<L>(
        &self,
        sets: [&[&Set]; 2],
        loss: impl FnOnce(&[f32]) -> (Vec<f32>, L),
    ) -> (GradientSums, L) {
        let width = self.width;
        let parts: Vec<(Side, &[&Set])> = [Side::Text, Side::Code]
            .into_iter()
            .zip(sets)
            .flat_map(|(side, sets)| {
                sets.chunks(sets.len().div_ceil(PARTS).max(1)).map(move |part| (side, part))
            })
            .collect();
        let passed: Vec<ForwardPass> =
            parts.par_iter().map(|(side, sets)| self.forward(*side, sets)).collect();
        let out: Vec<f32> = passed.iter().flat_map(|one| one.out.iter().copied()).collect();
        let (of_out, said) = loss(&out);
        let mut rest = of_out.as_slice();
        let of_parts: Vec<&[f32]> =
            passed.iter().map(|one| rest.split_off(..one.out.len()).unwrap_or_default()).collect();
        let gradients: Vec<Gradients> = parts
            .par_iter()
            .zip(passed.par_iter().zip(&of_parts))
            .map(|((side, sets), (passed, of_out))| self.backward(*side, sets, passed, of_out))
            .collect();
        let mut weights = vec![0.0; self.weights.len()];
        let mut places = [0.0; N_PLACES];
        let mut tokens: [BTreeMap<u16, f32>; 2] = Default::default();
        let mut rows: BTreeMap<u16, Vec<f32>> = BTreeMap::new();
        for ((side, _), one) in parts.iter().zip(gradients) {
            add(&mut weights, &one.weights);
            add(&mut places, &one.places);
            for (number, (d, _)) in &one.rows {
                add(rows.entry(*number).or_insert_with(|| vec![0.0; width]), d);
            }
            let of_side = &mut tokens[*side as usize];
            one.rows.iter().for_each(|(number, (_, d))| *of_side.entry(*number).or_default() += d);
        }
        (GradientSums { weights, places, tokens, rows }, said)
    }

    /// Returns the bytes of the encoder's file.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = encoder::Writer::new(self.width as u32, self.layout.inner.outputs as u32);
        let [of_texts, of_code] = &self.tokens;
        let rows = self.rows.chunks_exact(self.width).zip(of_code);
        let rows: Vec<f32> = rows.flat_map(|(row, by)| row.iter().map(|x| x * by.exp())).collect();
        out.narrow(&rows, self.width);
        out.floats(&self.places);
        let of = |range: Range<usize>| &self.weights[range];
        let summands = of(self.layout.norm.summands());
        let of_code_too: Vec<f32> =
            summands.iter().zip(of(self.layout.of_code.clone())).map(|(x, y)| x + y).collect();
        [of(self.layout.norm.factors()), summands, &of_code_too].into_iter().for_each(|one| out.floats(one));
        for linear in [&self.layout.inner, &self.layout.outer] {
            out.rows(of(linear.weights()), linear.inputs);
            out.floats(of(linear.bias()));
        }
        let in_questions: Vec<f32> =
            of_texts.iter().zip(of_code).map(|(text, code)| (text - code).exp()).collect();
        out.floats(&in_questions);
        out.finish()
    }
}

/// The optimiser of a student: Adam for everything that it learns.
pub(super) struct StudentOptimiser {
    weights: Moments,
    rows: Moments,
    tokens: [Moments; 2],
    places: Moments,
    /// Factor of the learning rate for the logarithms of sub-token weights.
    faster: f32,
    steps: usize,
}

impl StudentOptimiser {
    pub(super) fn new(student: &Student, faster: f32) -> Self {
        Self {
            weights: Moments::new(student.weights.len()),
            rows: Moments::new(student.rows.len()),
            tokens: [0, 1].map(|side: usize| Moments::new(student.tokens[side].len())),
            places: Moments::new(N_PLACES),
            faster,
            steps: 0,
        }
    }

    /// Performs one step.
    pub(super) fn step(&mut self, student: &mut Student, summed: GradientSums, rate: f32) {
        self.steps += 1;
        let GradientSums { weights: mut gradient, places, tokens, rows } = summed;
        let length = gradient.iter().map(|x| x * x).sum::<f32>().sqrt();
        let by = (LONGEST / length.max(f32::MIN_POSITIVE)).min(1.0);
        gradient.iter_mut().for_each(|x| *x *= by);
        self.weights.step(0, &mut student.weights, &gradient, rate, self.steps);
        self.places.step(0, &mut student.places, &places, rate, self.steps);
        for (number, d) in &rows {
            let at = usize::from(*number) * student.width;
            let row = &mut student.rows[at..at + student.width];
            self.rows.step(at, row, d, rate * OF_ROWS, self.steps);
        }
        for ((of_side, tokens), weights) in self.tokens.iter_mut().zip(&tokens).zip(&mut student.tokens) {
            for (number, d) in tokens {
                let at = usize::from(*number);
                of_side.step(at, &mut weights[at..=at], &[*d], rate * self.faster, self.steps);
            }
        }
    }
}

/// Returns the learning rate at a step, counted from 1: it rises during the warm-up, then falls to
/// 0.
pub(super) fn rate(most: f32, step: usize, steps: usize) -> f32 {
    /// Number of steps until the rate reaches its full value.
    const WARM_UP: f32 = 40.0;
    let share = 1.0 - (step - 1) as f32 / steps as f32;
    most * share * (step as f32 / WARM_UP).min(1.0)
}

/// Scales outputs to length 1; returns the directions and the original lengths.
pub(super) fn directions(out: &[f32], width: usize) -> (Vec<f32>, Vec<f32>) {
    let mut directions = out.to_vec();
    let lengths = directions.chunks_exact_mut(width).map(super::fit::normalise).collect();
    (directions, lengths)
}

/// Turns a gradient by a direction into the gradient by the vector before scaling, which had this
/// `length`.
pub(super) fn through_scaling(gradient: &mut [f32], direction: &[f32], length: f32) {
    let along: f32 = gradient.iter().zip(direction).map(|(d, x)| d * x).sum();
    gradient.iter_mut().zip(direction).for_each(|(d, x)| *d = (*d - x * along) / length);
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn drawn(n: usize, random: &mut Random) -> Vec<f32> {
        (0..n).map(|_| random.unit() - 0.5).collect()
    }

    /// Compares a gradient with a finite difference. `value` returns the function's value after a
    /// weight is moved.
    pub(in super::super) fn assert_slope(name: &str, gradient: f32, value: impl Fn(f32) -> f64) {
        const STEP: f32 = 1e-3;
        let slope = (value(STEP) - value(-STEP)) / f64::from(2.0 * STEP);
        let error = (slope - f64::from(gradient)).abs();
        assert!(error < 0.02 * (1.0 + slope.abs()), "{name}: {slope} and {gradient}");
    }

    /// Compares each component of a gradient with a finite difference.
    pub(in super::super) fn assert_slopes(gradient: &[f32], x: &[f32], value: impl Fn(&[f32]) -> f64) {
        assert_eq!(gradient.len(), x.len());
        for (at, &gradient) in gradient.iter().enumerate() {
            assert_slope(&format!("{at}"), gradient, |by| {
                let mut x = x.to_vec();
                x[at] += by;
                value(&x)
            });
        }
    }

    /// Compares the gradients of all weights, rows, places and sub-token weights with finite
    /// differences.
    #[test]
    fn gradients_of_the_student_are_its_slopes() {
        let (width, neurons) = (6, 9);
        let mut random = Random::new(3);
        let layout = Layout::new(width, neurons);
        let weights = drawn(layout.len, &mut random);
        let rows = drawn(5 * width, &mut random);
        let tokens = [drawn(5, &mut random), drawn(5, &mut random)];
        let student = Student { width, layout, weights, rows, tokens, places: [1.2, 0.7, 1.5] };
        let sets: [Set; 2] = [
            vec![(0, [0.7, 1.1, 0.0]), (3, [0.0, 0.7, 1.0])],
            vec![(3, [0.7, 0.0, 0.0]), (4, [0.0, 1.6, 0.4]), (1, [0.0, 0.7, 0.0])],
        ];
        let sets: Vec<&Set> = sets.iter().collect();
        for side in [Side::Text, Side::Code] {
            let towards = drawn(2 * width, &mut random);
            let value = |student: &Student| -> f64 {
                let out = student.forward(side, &sets).out;
                out.iter().zip(&towards).map(|(x, t)| f64::from(x * t)).sum()
            };
            let passed = student.forward(side, &sets);
            let gradients = student.backward(side, &sets, &passed, &towards);
            let check = |name: &str, gradient: f32, moved: &dyn Fn(&mut Student, f32)| {
                assert_slope(name, gradient, |by| {
                    let mut other = student.clone();
                    moved(&mut other, by);
                    value(&other)
                });
            };
            for at in 0..student.weights.len() {
                check(&format!("weight {at}"), gradients.weights[at], &|one, by| one.weights[at] += by);
            }
            for at in 0..N_PLACES {
                check(&format!("place {at}"), gradients.places[at], &|one, by| one.places[at] += by);
            }
            for at in 0..student.rows.len() {
                let row = gradients.rows.get(&((at / width) as u16));
                let gradient = row.map_or(0.0, |row| row.0[at % width]);
                check(&format!("row {at}"), gradient, &|one, by| one.rows[at] += by);
            }
            for at in 0..5 {
                let gradient = gradients.rows.get(&(at as u16)).map_or(0.0, |row| row.1);
                check(&format!("token {at}"), gradient, &|one, by| one.tokens[side as usize][at] += by);
            }
        }
    }

    #[test]
    fn a_sub_token_counts_once_in_its_chunk_and_besides_around_it() {
        let places = |in_head, in_text, is_around| Places { in_head, in_text, is_around };
        let set = set_of_chunk(&[
            (1, places(true, 3, false)),
            (2, places(false, 9, true)),
            (3, places(false, 0, true)),
        ]);
        assert_eq!(set, [(1, [1.0, 0.0, 0.0]), (2, [0.0, 1.0, 1.0]), (3, [0.0, 0.0, 1.0])]);
        assert_eq!(set_of_question(&[4, 5, 4]).len(), 2);
    }
}
