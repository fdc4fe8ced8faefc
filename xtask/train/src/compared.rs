//! The second stage of `train encoder`: learns what the encoder adds to the kernels.
//!
//! Each text comes with its right chunk and other chunks near it by their vectors
//! ([`super::asked`]). A chunk's rating is the kernels' rating plus [`SHARPNESS`] times the cosine
//! of its direction and the text's: the logarithm of the odds that it is the right one. The loss is
//! the softmax cross-entropy of the ratings. The encoder thus learns what the kernels, which
//! compare word by word, miss. Batches also contain pairs of the first stage with a reduced loss,
//! so that the encoder does not forget them.

use anyhow::{Result, ensure};
use clap::Args;
use rayon::prelude::*;

use git_cora::index::embed::{KernelQuestion, kernels};

use super::asked::{Example, Examples, WRONG};
use super::encoder::{self, Pairs, Progress};
use super::layers::softmax;
use super::student::{
    Set, Student, StudentOptimiser, directions, rate, set_of_chunk, set_of_question, through_scaling,
};
use xtask_lab::random::Random;

/// Options of the second stage.
#[derive(Debug, Clone, Args)]
pub(crate) struct Options {
    /// The second stage's rate.
    #[arg(long, default_value_t = 0.0005)]
    pub(super) compare_rate: f32,
    /// How often the second stage sees each text.
    #[arg(long, default_value_t = 1.0)]
    pub(super) compare_epochs: f64,
}

/// Number of candidate chunks of a text, the right one first.
const ASKED: usize = 1 + WRONG;

/// Number of texts in a batch; next, of pairs of the first stage.
const TEXTS: usize = 32;
const PAIRS: usize = 64;

/// Factor of a cosine when it is added to the kernels' rating, a logarithm of odds.
const SHARPNESS: f32 = 10.0;

/// Factor of the learning rate for the logarithms of sub-token weights.
const FASTER: f32 = 5.0;

/// Weight of the first stage's losses.
const OF_TEACHER: f32 = 0.3;

/// The texts of the second stage with their candidate chunks.
pub(super) struct RerankExamples {
    chunks: Vec<Set>,
    all: Vec<Text>,
}

struct Text {
    set: Set,
    chunks: [u32; ASKED],
    /// The kernels' rating of each chunk.
    ratings: [f32; ASKED],
}

impl RerankExamples {
    pub(super) fn new(examples: &Examples) -> Result<Self> {
        ensure!(!examples.all.is_empty(), "there are no texts that are asked of chunks");
        let rated = |example: &Example| {
            let mut asked = KernelQuestion::new(kernels::of_questions(), example.text.iter().copied());
            let chunk = |at: u32| &examples.chunks[at as usize];
            let numbers: Vec<u16> = example.text.iter().map(|word| word.0).collect();
            Text {
                set: set_of_question(&numbers),
                chunks: example.chunks,
                ratings: example.chunks.map(|at| asked.rate(chunk(at).iter().copied()) as f32),
            }
        };
        Ok(Self {
            chunks: examples.chunks.iter().map(|chunk| set_of_chunk(chunk)).collect(),
            all: examples.all.par_iter().map(rated).collect(),
        })
    }
}

/// Runs the second stage.
pub(super) fn fit(
    student: &mut Student,
    options: &Options,
    compared: &RerankExamples,
    pairs: &Pairs<'_>,
    random: &mut Random,
) {
    let width = student.width;
    let steps = (compared.all.len() as f64 * options.compare_epochs / TEXTS as f64).ceil() as usize;
    let mut learning = StudentOptimiser::new(student, FASTER);
    let (mut order, mut of_pairs): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut progress = Progress::new("texts", TEXTS, steps);
    for step in 1..=steps {
        if order.is_empty() {
            order = (0..compared.all.len()).collect();
            random.shuffle(&mut order);
        }
        if of_pairs.is_empty() {
            of_pairs = pairs.order(random);
        }
        let texts: Vec<&Text> = order
            .split_off(order.len().saturating_sub(TEXTS))
            .into_iter()
            .map(|at| &compared.all[at])
            .collect();
        let chosen = of_pairs.split_off(of_pairs.len().saturating_sub(PAIRS));
        let [paired_texts, paired_codes] = pairs.sets_of(&chosen);
        let goals = pairs.goals(&chosen);
        let asking: Vec<&Set> = texts.iter().map(|text| &text.set).chain(paired_texts).collect();
        let chunks = texts.iter().flat_map(|text| text.chunks).map(|at| &compared.chunks[at as usize]);
        let chunks: Vec<&Set> = chunks.chain(paired_codes).collect();
        let (summed, losses) = student.slope([&asking, &chunks], |out| loss(out, &texts, &goals, width));
        learning.step(student, summed, rate(options.compare_rate, step, steps));
        progress.step(step, losses);
    }
}

/// Returns the gradient of a batch's loss by the network's outputs, and the losses.
///
/// The outputs are those for the texts, the texts of pairs, the chunks and the codes of pairs, in
/// this order. The losses are the texts' cross-entropy, the share of texts whose right chunk is
/// rated highest, and the three losses of the pairs, which are weighted with [`OF_TEACHER`] in the
/// gradient.
fn loss(out: &[f32], texts: &[&Text], goals: &[f32], width: usize) -> (Vec<f32>, [f32; 5]) {
    let n_pairs = goals.len() / (2 * width);
    let (first, rest) = out.split_at(texts.len() * width);
    let (paired_texts, rest) = rest.split_at(n_pairs * width);
    let (chunks, paired_codes) = rest.split_at(texts.len() * ASKED * width);
    let (of_texts, of_chunks, [entropy, right]) = compare(first, chunks, texts, width);
    let paired = [paired_texts, paired_codes].concat();
    let (mut of_pairs, [direction, order, pairs_entropy]) = encoder::loss(&paired, goals, n_pairs, width);
    of_pairs.iter_mut().for_each(|d| *d *= OF_TEACHER);
    let (of_paired_texts, of_codes) = of_pairs.split_at(n_pairs * width);
    let gradient = [&of_texts, of_paired_texts, &of_chunks, of_codes].concat();
    (gradient, [entropy, right, direction, order, pairs_entropy])
}

/// Returns the gradients of the cross-entropy by the outputs for some texts and for their chunks.
/// Also returns the cross-entropy and the share of texts whose right chunk is rated highest.
fn compare(first: &[f32], chunks: &[f32], texts: &[&Text], width: usize) -> (Vec<f32>, Vec<f32>, [f32; 2]) {
    let n = texts.len() as f32;
    let (asked, lengths) = directions(first, width);
    let (chunks, of_lengths) = directions(chunks, width);
    let (mut of_texts, mut of_chunks) = (vec![0.0; asked.len()], vec![0.0; chunks.len()]);
    let mut said = [0.0; 2];
    for (at, text) in texts.iter().enumerate() {
        let asked = &asked[at * width..][..width];
        let of_text = &mut of_texts[at * width..][..width];
        let chunk = |i: usize| &chunks[(at * ASKED + i) * width..][..width];
        let mut odds: [f32; ASKED] = std::array::from_fn(|i| {
            let cosine: f32 = asked.iter().zip(chunk(i)).map(|(x, y)| x * y).sum();
            text.ratings[i] + SHARPNESS * cosine
        });
        said[1] += f32::from(u8::from(odds.iter().skip(1).all(|other| *other < odds[0]))) / n;
        softmax(&mut odds, 1.0);
        said[0] -= odds[0].max(1e-12).ln() / n;
        for (i, share) in odds.into_iter().enumerate() {
            let by = SHARPNESS * (share - if i == 0 { 1.0 } else { 0.0 }) / n;
            let of_chunk = &mut of_chunks[(at * ASKED + i) * width..][..width];
            of_text.iter_mut().zip(chunk(i)).for_each(|(d, x)| *d += by * x);
            of_chunk.iter_mut().zip(asked).for_each(|(d, x)| *d += by * x);
            through_scaling(of_chunk, chunk(i), of_lengths[at * ASKED + i]);
        }
        through_scaling(of_text, asked, lengths[at]);
    }
    (of_texts, of_chunks, said)
}

#[cfg(test)]
mod tests {
    use super::super::student::tests::{assert_slopes, drawn};
    use super::*;

    /// Compares the gradient of the weighted losses with finite differences of their sum.
    #[test]
    fn the_gradient_of_the_loss_is_its_slope() {
        let (n, pairs, width) = (2, 3, 6);
        let mut random = Random::new(5);
        let mut drawn = |n: usize| drawn(n, &mut random);
        let text = |ratings: Vec<f32>| Text {
            set: Set::new(),
            chunks: [0; ASKED],
            ratings: ratings.try_into().unwrap(),
        };
        let texts: Vec<Text> = (0..n).map(|_| text(drawn(ASKED))).collect();
        let texts: Vec<&Text> = texts.iter().collect();
        let goals = directions(&drawn(2 * pairs * width), width).0;
        let out = drawn((n * (1 + ASKED) + 2 * pairs) * width);
        let value = |out: &[f32]| -> f64 {
            let [entropy, _, losses @ ..] = loss(out, &texts, &goals, width).1;
            let of_pairs = losses.into_iter().zip(encoder::LOSSES).map(|(loss, by)| f64::from(loss * by));
            f64::from(entropy) + f64::from(OF_TEACHER) * of_pairs.sum::<f64>()
        };
        let (gradient, _) = loss(&out, &texts, &goals, width);
        assert_slopes(&gradient, &out, value);
    }
}
