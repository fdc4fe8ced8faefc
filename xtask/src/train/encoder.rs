//! `train encoder`: what a teacher says of pairs → an encoder, which compares the best chunks of a search with a question once
//! more.
//!
//! The student is a deep averaging network over sets of sub-tokens ([`git_cora::embed::encoder`]). The row of a sub-token begins
//! as the teacher's vector of it, before any other word is looked at. It learns to give the teacher's directions (1 − cosine), the
//! teacher's order among the codes of a batch (the divergence of their softmaxes), and to tell the pair's code from the others
//! (cross-entropy). Adam (Kingma & Ba 2015), with a rate that falls to nothing. Everything random comes from a seed, and sums are
//! taken in a fixed order.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use rayon::prelude::*;

use git_cora::embed::encoder;
use git_cora::embed::{Places, Side, builtin};

use super::adam::Moments;
use super::fit::normalise;
use super::layers::{Linear, Norm, Normed, add, gelu, softmax};
use super::product::sgemm;
use super::taught::{Pair, Taught};
use super::teacher::Teacher;
use crate::random::Random;

/// Options of `train encoder`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// What a teacher says of pairs, as `train teach` writes it.
    #[arg(long)]
    taught: PathBuf,
    /// Folder of the teacher: `model.safetensors`, `config.json`, `vocab.txt`.
    #[arg(long)]
    teacher: PathBuf,
    /// The encoder's file.
    #[arg(long)]
    out: PathBuf,
    /// Neurons of the layer.
    #[arg(long, default_value_t = 1536)]
    neurons: usize,
    #[arg(long, default_value_t = 128)]
    batch: usize,
    #[arg(long, default_value_t = 0.002)]
    rate: f32,
    #[arg(long, default_value_t = 4.0)]
    epochs: f64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Cosines are multiplied with this before a softmax.
const SHARPNESS: f32 = 20.0;

/// What the losses weigh: the distance from the teacher's directions, from its order, and the cross-entropy.
const LOSSES: [f32; 3] = [6.0, 1.0, 0.2];

/// The gradient of all weights but the rows is not longer than this.
const LONGEST: f32 = 5.0;

/// Steps until the rate is whole.
const WARM_UP: usize = 40;

/// Parts of a batch that are computed by themselves; as many as cores make no difference to what is learnt.
const PARTS: usize = 4;

/// The logarithms of what sub-tokens weigh are learnt at so many times the rate.
const FASTER: f32 = 10.0;

/// What a sub-token weighs around a chunk, over what it does in its text. With 1 as with 2 questions about whole repositories
/// have the same NDCG@10, with 4 .002 less.
const AROUND: f32 = 2.0;

/// A batch is of groups of so many pairs of one repository, so that codes are told apart that have much in common.
const GROUP: usize = 16;

pub(crate) fn run(options: &Options) -> Result<()> {
    let started = Instant::now();
    let teacher = Teacher::open(&options.teacher)?;
    let taught = Taught::open(&options.taught)?;
    ensure!(
        taught.width == teacher.places.shape.width,
        "'{}' is of another teacher",
        options.taught.display()
    );
    ensure!(taught.pairs.len() > options.batch, "there are too few pairs");
    let mut random = Random::new(options.seed);
    let mut student = Student::new(options.neurons, &teacher, &mut random);
    student.fit(options, &taught, &mut random);
    let bytes = student.encode();
    encoder::Encoder::open(&bytes).map_err(anyhow::Error::msg)?;
    std::fs::write(&options.out, &bytes)
        .with_context(|| format!("can't write '{}'", options.out.display()))?;
    println!("{} bytes, {:.0} s in all", bytes.len(), started.elapsed().as_secs_f64());
    Ok(())
}

/// Where the weights lie that are not rows, in one row of numbers.
#[derive(Debug, Clone)]
struct Layout {
    /// The normalisation. Its summands are those of questions.
    norm: Norm,
    /// What code has more than questions.
    of_code: std::ops::Range<usize>,
    inner: Linear,
    outer: Linear,
    len: usize,
}

impl Layout {
    fn new(width: usize, neurons: usize) -> Self {
        let norm = Norm { at: 0, width };
        let of_code = 2 * width..3 * width;
        let inner = Linear { at: of_code.end, inputs: width, outputs: neurons };
        let outer = Linear { at: inner.end(), inputs: neurons, outputs: width };
        let len = outer.end();
        Self { norm, of_code, inner, outer, len }
    }
}

/// What is learnt.
#[derive(Debug, Clone)]
struct Student {
    width: usize,
    layout: Layout,
    weights: Vec<f32>,
    /// By sub-token.
    rows: Vec<f32>,
    /// By side and sub-token, the logarithm of what it weighs.
    tokens: [Vec<f32>; 2],
    /// What a sub-token weighs in a head, in a text.
    places: [f32; 2],
}

/// What a batch's way through the network leaves for the way back, for the sets of one side.
struct Passed {
    normed: Normed,
    /// With what code has more.
    z: Vec<f32>,
    inner: Vec<f32>,
    active: Vec<f32>,
    /// By set, before it is scaled to length 1.
    out: Vec<f32>,
}

/// A set of sub-tokens: number, what it weighs by its place alone in a head and in a text.
type Set = Vec<(u16, [f32; 2])>;

/// Gradients of a part of a batch.
struct Gradients {
    weights: Vec<f32>,
    places: [f32; 2],
    /// Of the rows of sub-tokens, and of the logarithms of what these weigh.
    rows: BTreeMap<u16, (Vec<f32>, f32)>,
}

/// Gradients of a batch.
struct Summed {
    weights: Vec<f32>,
    places: [f32; 2],
    /// By side.
    tokens: [BTreeMap<u16, f32>; 2],
    rows: BTreeMap<u16, Vec<f32>>,
}

impl Student {
    fn new(neurons: usize, teacher: &Teacher, random: &mut Random) -> Self {
        let width = teacher.places.shape.width;
        let layout = Layout::new(width, neurons);
        let mut weights = vec![0.0; layout.len];
        weights[layout.norm.factors()].fill(1.0);
        // The map back begins as nothing, so that the sum alone counts at first.
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
        Self { width, layout, weights, rows, tokens, places: [1.0; 2] }
    }

    /// What a sub-token weighs by itself, and times what it weighs where it stands.
    fn weight(&self, side: Side, (number, places): (u16, [f32; 2])) -> [f32; 2] {
        let weight = self.tokens[side as usize][usize::from(number)].exp();
        [weight, weight * (places[0] * self.places[0] + places[1] * self.places[1])]
    }

    fn row(&self, number: u16) -> &[f32] {
        &self.rows[usize::from(number) * self.width..][..self.width]
    }

    fn forward(&self, side: Side, sets: &[&Set]) -> Passed {
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
        Passed { normed, z, inner, active, out }
    }

    fn backward(&self, side: Side, sets: &[&Set], passed: &Passed, of_out: &[f32]) -> Gradients {
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
        let mut places = [0.0; 2];
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

    /// The gradients of some pairs' losses, and the losses.
    fn slope(&self, all: &[[Set; 2]], taught: &Taught, chosen: &[usize]) -> (Summed, [f32; 3]) {
        let width = self.width;
        // Texts first, then codes, each in parts.
        let parts: Vec<(Side, Vec<&Set>)> = [Side::Text, Side::Code]
            .into_iter()
            .flat_map(|side| chosen.chunks(chosen.len().div_ceil(PARTS)).map(move |part| (side, part)))
            .map(|(side, part)| (side, part.iter().map(|&at| &all[at][side as usize]).collect()))
            .collect();
        let passed: Vec<Passed> = parts.par_iter().map(|(side, sets)| self.forward(*side, sets)).collect();
        let out: Vec<f32> = passed.iter().flat_map(|one| one.out.iter().copied()).collect();
        let goals: Vec<f32> = taught
            .directions
            .iter()
            .flat_map(|all| chosen.iter().map(move |&at| &all[at * width..][..width]))
            .flatten()
            .copied()
            .collect();
        let (of_out, losses) = loss(&out, &goals, chosen.len(), width);
        let mut rest = of_out.as_slice();
        let of_parts: Vec<&[f32]> =
            passed.iter().map(|one| rest.split_off(..one.out.len()).unwrap_or_default()).collect();
        let gradients: Vec<Gradients> = parts
            .par_iter()
            .zip(passed.par_iter().zip(&of_parts))
            .map(|((side, sets), (passed, of_out))| self.backward(*side, sets, passed, of_out))
            .collect();
        let mut weights = vec![0.0; self.weights.len()];
        let mut places = [0.0; 2];
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
        (Summed { weights, places, tokens, rows }, losses)
    }

    fn fit(&mut self, options: &Options, taught: &Taught, random: &mut Random) {
        let (width, batch) = (self.width, options.batch);
        let sets: Vec<[Set; 2]> = taught.pairs.iter().map(sets_of).collect();
        let repositories: Vec<u32> = taught.pairs.iter().map(|pair| pair.repository).collect();
        let steps = (sets.len() as f64 * options.epochs / batch as f64) as usize;
        let mut of_weights = Moments::new(self.weights.len());
        let mut of_rows = Moments::new(self.rows.len());
        let mut of_tokens = [0, 1].map(|side: usize| Moments::new(self.tokens[side].len()));
        let mut of_places = Moments::new(2);
        let mut order: Vec<usize> = Vec::new();
        let mut sums = [0.0; 3];
        let started = Instant::now();
        for step in 1..=steps {
            if order.len() < batch {
                order = grouped(&repositories, random);
            }
            let chosen = order.split_off(order.len() - batch);
            let share = 1.0 - (step - 1) as f32 / steps as f32;
            let rate = options.rate * share * (step as f32 / WARM_UP as f32).min(1.0);
            let (summed, losses) = self.slope(&sets, taught, &chosen);
            sums.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += loss);
            let Summed { weights: mut gradient, places, tokens, rows } = summed;
            let length = gradient.iter().map(|x| x * x).sum::<f32>().sqrt();
            let by = (LONGEST / length.max(f32::MIN_POSITIVE)).min(1.0);
            gradient.iter_mut().for_each(|x| *x *= by);
            of_weights.step(0, &mut self.weights, &gradient, rate, step);
            of_places.step(0, &mut self.places, &places, rate, step);
            for (number, d) in &rows {
                let at = usize::from(*number) * width;
                of_rows.step(at, &mut self.rows[at..at + width], d, rate / 2.0, step);
            }
            for ((of_side, tokens), weights) in of_tokens.iter_mut().zip(&tokens).zip(&mut self.tokens) {
                for (number, d) in tokens {
                    let at = usize::from(*number);
                    of_side.step(at, &mut weights[at..=at], &[*d], rate * FASTER, step);
                }
            }
            if step % 200 == 0 || step == steps {
                let n = if step % 200 == 0 { 200 } else { step % 200 } as f32;
                let [direction, order, entropy] = sums.map(|sum| sum / n);
                let speed = (step * batch) as f64 / started.elapsed().as_secs_f64();
                println!(
                    "step {step} of {steps}: {direction:.3} {order:.3} {entropy:.3}, {speed:.0} pairs/s"
                );
                sums = [0.0; 3];
            }
        }
    }

    fn encode(&self) -> Vec<u8> {
        let mut out = encoder::Writer::new(self.width as u32, self.layout.inner.outputs as u32);
        let [of_texts, of_code] = &self.tokens;
        let rows = self.rows.chunks_exact(self.width).zip(of_code);
        let rows: Vec<f32> = rows.flat_map(|(row, by)| row.iter().map(|x| x * by.exp())).collect();
        out.narrow(&rows, self.width);
        // No code of a pair has anything around it.
        out.floats(&[self.places[0], self.places[1], AROUND * self.places[1]]);
        let of = |range: std::ops::Range<usize>| &self.weights[range];
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

/// The sets of a text and of its code.
fn sets_of(pair: &Pair) -> [Set; 2] {
    let text = encoder::first_of_question(&pair.text);
    let text = text.into_iter().map(|number| (number, [0.0, 1.0])).collect();
    let of_places = |places: Places| if places.in_head { [1.0, 0.0] } else { [0.0, 1.0] };
    [text, pair.code.iter().map(|&(number, places)| (number, of_places(places))).collect()]
}

/// All pairs in any order, but groups of one repository together.
fn grouped(repositories: &[u32], random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..repositories.len()).collect();
    random.shuffle(&mut order);
    order.sort_by_key(|&at| repositories[at]);
    let of_one = order.chunk_by(|&a, &b| repositories[a] == repositories[b]);
    let mut groups: Vec<&[usize]> = of_one.flat_map(|all| all.chunks(GROUP)).collect();
    random.shuffle(&mut groups);
    groups.concat()
}

/// The losses of a batch, and their gradient by the means, of which the texts' come first.
fn loss(means: &[f32], goals: &[f32], batch: usize, width: usize) -> (Vec<f32>, [f32; 3]) {
    let n = batch as f32;
    let mut directions = means.to_vec();
    let lengths: Vec<f32> = directions.chunks_exact_mut(width).map(normalise).collect();
    let half = batch * width;
    let products = |all: &[f32]| {
        let mut products = vec![0.0; batch * batch];
        let w = width as isize;
        sgemm(batch, width, batch, &all[..half], (w, 1), &all[half..], (1, w), &mut products);
        products
    };
    let (mut ours, mut theirs) = (products(&directions), products(goals));
    ours.chunks_exact_mut(batch).for_each(|row| softmax(row, SHARPNESS));
    theirs.chunks_exact_mut(batch).for_each(|row| softmax(row, SHARPNESS));
    let mut losses = [0.0; 3];
    let mut by_product = vec![0.0; batch * batch];
    for i in 0..batch {
        for j in 0..batch {
            let at = i * batch + j;
            let (p, q) = (ours[at].max(1e-12), theirs[at].max(1e-12));
            let is_right = f32::from(u8::from(i == j));
            losses[1] += q * (q / p).ln() / n;
            losses[2] -= is_right * p.ln() / n;
            by_product[at] = SHARPNESS * (LOSSES[1] * (p - q) + LOSSES[2] * (p - is_right)) / n;
        }
    }
    let mut gradient = vec![0.0; 2 * half];
    let (b, w) = (batch as isize, width as isize);
    let (of_texts, of_codes) = gradient.split_at_mut(half);
    sgemm(batch, batch, width, &by_product, (b, 1), &directions[half..], (w, 1), of_texts);
    sgemm(batch, batch, width, &by_product, (1, b), &directions[..half], (w, 1), of_codes);
    let rows = gradient.chunks_exact_mut(width).zip(directions.chunks_exact(width));
    for ((d, direction), (goal, length)) in rows.zip(goals.chunks_exact(width).zip(&lengths)) {
        let cosine: f32 = direction.iter().zip(goal).map(|(x, y)| x * y).sum();
        losses[0] += (1.0 - cosine) / n;
        d.iter_mut().zip(goal).for_each(|(d, goal)| *d -= LOSSES[0] * goal / n);
        // Through the scaling to length 1.
        let along: f32 = d.iter().zip(direction).map(|(d, x)| d * x).sum();
        d.iter_mut().zip(direction).for_each(|(d, x)| *d = (*d - x * along) / length);
    }
    (gradient, losses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::pairs::{self, Kind};
    use crate::train::{taught, teacher};

    fn drawn(n: usize, random: &mut Random) -> Vec<f32> {
        (0..n).map(|_| random.unit() - 0.5).collect()
    }

    /// The gradient of all losses is compared with differences of their sum.
    #[test]
    fn the_gradient_of_the_loss_is_its_slope() {
        let (batch, width) = (3, 8);
        let mut random = Random::new(11);
        let means = drawn(2 * batch * width, &mut random);
        let mut goals = drawn(2 * batch * width, &mut random);
        goals.chunks_exact_mut(width).for_each(|row| {
            normalise(row);
        });
        let value = |means: &[f32]| -> f64 {
            let losses = loss(means, &goals, batch, width).1;
            losses.into_iter().zip(LOSSES).map(|(loss, weight)| f64::from(loss) * f64::from(weight)).sum()
        };
        let (gradient, _) = loss(&means, &goals, batch, width);
        let step = 1e-3;
        for at in 0..means.len() {
            let moved = |by: f32| {
                let mut means = means.clone();
                means[at] += by;
                value(&means)
            };
            let slope = (moved(step) - moved(-step)) / f64::from(2.0 * step);
            let error = (slope - f64::from(gradient[at])).abs();
            assert!(error < 0.02 * (1.0 + slope.abs()), "{at}: {slope} and {}", gradient[at]);
        }
    }

    /// Gradients of all weights, rows and places are compared with differences of what they are gradients of.
    #[test]
    fn gradients_of_the_student_are_its_slopes() {
        let (width, neurons) = (6, 9);
        let mut random = Random::new(3);
        let layout = Layout::new(width, neurons);
        let weights = drawn(layout.len, &mut random);
        let rows = drawn(5 * width, &mut random);
        let tokens = [drawn(5, &mut random), drawn(5, &mut random)];
        let student = Student { width, layout, weights, rows, tokens, places: [1.2, 0.7] };
        let sets: [Set; 2] =
            [vec![(0, [0.7, 1.1]), (3, [0.0, 0.7])], vec![(3, [0.7, 0.0]), (4, [0.0, 1.6]), (1, [0.0, 0.7])]];
        let sets: Vec<&Set> = sets.iter().collect();
        for side in [Side::Text, Side::Code] {
            let towards = drawn(2 * width, &mut random);
            let value = |student: &Student| -> f64 {
                let out = student.forward(side, &sets).out;
                out.iter().zip(&towards).map(|(x, t)| f64::from(x * t)).sum()
            };
            let passed = student.forward(side, &sets);
            let gradients = student.backward(side, &sets, &passed, &towards);
            let step = 1e-3;
            let check = |name: &str, gradient: f32, moved: &dyn Fn(&mut Student, f32)| {
                let [more, less] = [step, -step].map(|by| {
                    let mut other = student.clone();
                    moved(&mut other, by);
                    value(&other)
                });
                let slope = (more - less) / f64::from(2.0 * step);
                let error = (slope - f64::from(gradient)).abs();
                assert!(error < 0.02 * (1.0 + slope.abs()), "{name}: {slope} and {gradient}");
            };
            for at in 0..student.weights.len() {
                check(&format!("weight {at}"), gradients.weights[at], &|one, by| one.weights[at] += by);
            }
            for at in 0..2 {
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
    fn groups_are_of_one_repository_and_all_pairs_come_once() {
        let repositories: Vec<u32> = (0..1000).map(|at| at % 3).collect();
        let order = grouped(&repositories, &mut Random::new(1));
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..1000));
        let changes = order.windows(2).filter(|pair| repositories[pair[0]] != repositories[pair[1]]).count();
        assert!(changes < 1000 / GROUP + 4, "{changes}");
        assert_ne!(order, grouped(&repositories, &mut Random::new(2)));
    }

    /// From pairs and a teacher to an encoder that the program can open, the same one each time.
    #[test]
    fn an_encoder_is_learnt_the_same_way_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let (of_teacher, of_pairs) = (folder.path().join("teacher"), folder.path().join("pairs"));
        std::fs::create_dir(&of_teacher).unwrap();
        std::fs::create_dir(&of_pairs).unwrap();
        teacher::tests::written(&of_teacher, "");
        let pair = |at: usize| pairs::Pair {
            kind: Kind::Doc,
            language: "python".to_owned(),
            text: format!("read a file and file number{at} reads"),
            code: format!("def read_file{at}(path):\n    return open(path).read()[{at}]\n"),
        };
        let pairs: Vec<pairs::Pair> = (0..40).map(pair).collect();
        let bytes = zstd::encode_all(pairs::encode(&pairs).unwrap().as_slice(), 1).unwrap();
        std::fs::write(of_pairs.join("a+b.pairs"), bytes).unwrap();
        let learnt = |name: &str| {
            let (taught, out) = (folder.path().join(format!("{name}.taught")), folder.path().join(name));
            taught::run(&taught::Options {
                pairs: of_pairs.clone(),
                teacher: of_teacher.clone(),
                out: taught.clone(),
                most: 5000,
                total: 30,
                seed: 1,
            })
            .unwrap();
            let options = Options {
                taught,
                teacher: of_teacher.clone(),
                out: out.clone(),
                neurons: 12,
                batch: 8,
                rate: 0.001,
                epochs: 2.0,
                seed: 1,
            };
            run(&options).unwrap();
            std::fs::read(out).unwrap()
        };
        let first = learnt("first");
        let encoder = encoder::Encoder::open(&first).unwrap();
        let asked = encoder.asked(&builtin().asked(["read", "file"]));
        assert_eq!(encoder.directions(Side::Text, &[asked])[0].len(), 8);
        assert_eq!(first, learnt("second"));
    }
}
