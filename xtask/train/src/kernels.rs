//! `train kernels`: texts and the chunks that they ask for → `src/index/embed/kernels.bin`,
//! `src/index/embed/kernels-long.bin`.
//!
//! The two files hold the kernels for questions and for long texts. The former are learned from
//! pairs, sentences, names and subjects, the latter from whole commit messages and subjects.
//!
//! Each text comes with its right chunk and [`WRONG`] other chunks of its repository, drawn from
//! those nearest to the text by their vectors. The rating of
//! [`git_cora::index::embed::KernelQuestion`] is trained so that the right chunk gets the highest
//! one: softmax cross-entropy, Adam (Kingma & Ba 2015), a falling rate. Only the weights of
//! sub-tokens and kernels are learned; the rows of the built-in model stay unchanged. Everything
//! random comes from a seed, and sums are taken in a fixed order.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use rayon::prelude::*;

use git_cora::index::embed::kernels::{
    MAGIC, N_KERNELS, N_PLACES, RANGE, SCALE, length, log_sum_exp, step, values,
};
use git_cora::index::embed::{KernelQuestion, Kernels, Model, Places, Side, builtin};

use super::asked::{Example, Examples, LONG_TEXTS, QUESTIONS, WRONG};
use xtask_lab::random::Random;

/// Options of `train kernels`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Learn how long texts are compared: from the messages of commits in the lists, without pairs.
    #[arg(long)]
    long: bool,
    /// Folder of pairs, as `train mine` writes them.
    #[arg(long, required_unless_present = "long")]
    pairs: Option<PathBuf>,
    /// Folder of lists, as `train lists` writes them.
    #[arg(long)]
    lists: PathBuf,
    /// The file to write; by default, the program's own file of kernels.
    #[arg(long)]
    out: Option<PathBuf>,
    #[arg(long, default_value_t = 64)]
    batch: usize,
    #[arg(long, default_value_t = 0.01)]
    rate: f32,
    #[arg(long, default_value_t = 1)]
    epochs: usize,
    /// Share of the texts that are compared without the surroundings of the chunks.
    #[arg(long, default_value_t = 0.3)]
    around_dropout: f32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Means and widths of the kernels: first the same word, then from related to unrelated. Xiong et
/// al. (2017) have eleven kernels from 1 to −1; few of our sub-tokens are opposites.
const KERNELS: [(f32, f32); N_KERNELS] = [
    (1.0, 0.02),
    (0.85, 0.08),
    (0.7, 0.08),
    (0.55, 0.08),
    (0.4, 0.08),
    (0.25, 0.08),
    (0.1, 0.08),
    (-0.05, 0.08),
];

/// Strength with which weights are pulled towards their initial values.
const DECAY: f32 = 1e-4;

/// The learned weights.
#[derive(Clone)]
struct LearnedWeights {
    /// Logarithms of the weights of sub-tokens, in texts and in code.
    words: [Vec<f32>; 2],
    /// Weight and logarithm of the scale, by place and kernel.
    pools: [[[f32; 2]; N_KERNELS]; N_PLACES],
    /// Weight of a chunk's size, in pairs and in lists.
    size: [f32; 2],
}

/// Weight of a chunk's size in searches. Set by hand: the learned weight only reflects the sizes of
/// the training chunks.
const SIZE: f32 = -0.5;

pub(crate) fn run(options: &Options) -> Result<()> {
    let started = std::time::Instant::now();
    let mut random = Random::new(options.seed);
    let (most, pairs) =
        if options.long { (&LONG_TEXTS, None) } else { (&QUESTIONS, options.pairs.as_deref()) };
    let examples = Examples::read(&options.lists, pairs, most, &mut random)?;
    ensure!(!examples.all.is_empty(), "there is nothing to learn from");
    let learnt = LearnedWeights { size: [SIZE; 2], ..fit(options, &examples, &mut random) };
    let bytes = learnt.encode()?;
    check(&learnt, &bytes, &examples)?;
    let own = if options.long { "src/index/embed/kernels-long.bin" } else { "src/index/embed/kernels.bin" };
    let out = options.out.as_deref().unwrap_or(Path::new(own));
    std::fs::write(out, &bytes).with_context(|| format!("can't write '{}'", out.display()))?;
    println!("{} bytes, {:.0} s in all", bytes.len(), started.elapsed().as_secs_f64());
    Ok(())
}

/// The loss of an example and its gradient.
struct Gradient {
    words: [Vec<(u16, f32)>; 2],
    pools: [[[f32; 2]; N_KERNELS]; N_PLACES],
    size: f32,
    loss: f32,
    is_right: bool,
}

/// Values that stay the same during training.
struct Fixed {
    /// Values of the kernels, by step of the cosine.
    values: Vec<[f32; N_KERNELS]>,
    /// Lengths of the model's rows.
    lengths: Vec<f32>,
}

impl Fixed {
    fn new() -> Self {
        let words = 0..builtin().vocabulary().len();
        Self { values: values(&KERNELS), lengths: words.map(|word| length(builtin(), word as u16)).collect() }
    }

    /// Returns the kernels' values for two sub-tokens.
    fn compare(&self, a: u16, b: u16) -> &[f32; N_KERNELS] {
        let [a, b] = [a, b].map(|word| (word, self.lengths[usize::from(word)]));
        &self.values[usize::from(step(builtin(), a, b))]
    }
}

/// Returns the weight of a sub-token at each place.
fn counts(places: Places, without_around: bool) -> [f32; N_PLACES] {
    let mut counts = places.weights();
    if without_around {
        counts[N_PLACES - 1] = 0.0;
    }
    counts
}

/// Returns the share of each word of an example's text; they sum to 1.
fn shares(learnt: &LearnedWeights, example: &Example) -> Vec<f32> {
    let raw: Vec<f32> = example
        .text
        .iter()
        .map(|&(word, emphasis)| emphasis * learnt.words[0][usize::from(word)].exp())
        .collect();
    let sum: f32 = raw.iter().sum();
    raw.iter().map(|x| x / sum.max(f32::MIN_POSITIVE)).collect()
}

/// Computes the loss of an example's ratings and its gradient.
fn rate(
    learnt: &LearnedWeights,
    fixed: &Fixed,
    examples: &Examples,
    example: &Example,
    without_around: bool,
) -> Gradient {
    let n = example.text.len();
    let shares = shares(learnt, example);
    let size_of = usize::from(example.is_of_lists);
    // For each chunk: sums by word, place and kernel; the pooled value of each word; the size.
    let mut sums = vec![[[0f32; N_KERNELS]; N_PLACES]; n * example.chunks.len()];
    let mut pooled = vec![0f32; n * example.chunks.len()];
    let mut sizes = [0f32; 1 + WRONG];
    let mut ratings = [0f32; 1 + WRONG];
    for (at, &chunk) in example.chunks.iter().enumerate() {
        let chunk = &examples.chunks[chunk as usize];
        for &(word, places) in chunk {
            let counts = counts(places, without_around);
            let factor = learnt.words[1][usize::from(word)].exp();
            sizes[at] += counts[0].max(counts[1]);
            for (i, &(asked, _)) in example.text.iter().enumerate() {
                let values = fixed.compare(asked, word);
                for (sums, count) in sums[at * n + i].iter_mut().zip(counts).filter(|(_, count)| *count > 0.0)
                {
                    for (sum, value) in sums.iter_mut().zip(values) {
                        *sum += factor * count * value;
                    }
                }
            }
        }
        for i in 0..n {
            for (sums, pools) in sums[at * n + i].iter().zip(&learnt.pools) {
                for (sum, [weight, scale]) in sums.iter().zip(pools) {
                    pooled[at * n + i] += weight * (sum * scale.exp()).ln_1p();
                }
            }
            ratings[at] += RANGE * shares[i] * pooled[at * n + i];
        }
        ratings[at] += learnt.size[size_of] * sizes[at].ln_1p();
    }
    let most = ratings.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let odds = ratings.map(|rating| (rating - most).exp());
    let total: f32 = odds.iter().sum();
    let mut gradient = Gradient {
        words: [Vec::new(), Vec::new()],
        pools: [[[0.0; 2]; N_KERNELS]; N_PLACES],
        size: 0.0,
        loss: total.ln() + most - ratings[0],
        is_right: ratings[0] >= most,
    };
    let mut of_shares = vec![0f32; n];
    for (at, &chunk) in example.chunks.iter().enumerate() {
        let of_rating = odds[at] / total - if at == 0 { 1.0 } else { 0.0 };
        gradient.size += of_rating * sizes[at].ln_1p();
        // For each word of the text: the derivative by each sum.
        let mut of_sums = vec![[[0f32; N_KERNELS]; N_PLACES]; n];
        for i in 0..n {
            of_shares[i] += of_rating * RANGE * pooled[at * n + i];
            let of_pooled = of_rating * RANGE * shares[i];
            for place in 0..N_PLACES {
                for kernel in 0..N_KERNELS {
                    let [weight, scale] = learnt.pools[place][kernel];
                    let (scale, sum) = (scale.exp(), sums[at * n + i][place][kernel]);
                    let [of_weight, of_scale] = &mut gradient.pools[place][kernel];
                    *of_weight += of_pooled * (sum * scale).ln_1p();
                    let inner = of_pooled * weight * scale / (1.0 + sum * scale);
                    *of_scale += inner * sum;
                    of_sums[i][place][kernel] = inner;
                }
            }
        }
        for &(word, places) in &examples.chunks[chunk as usize] {
            let counts = counts(places, without_around);
            let factor = learnt.words[1][usize::from(word)].exp();
            let mut of_word = 0.0;
            for (i, &(asked, _)) in example.text.iter().enumerate() {
                let values = fixed.compare(asked, word);
                for (of_sums, count) in of_sums[i].iter().zip(counts).filter(|(_, count)| *count > 0.0) {
                    let of_place: f32 =
                        of_sums.iter().zip(values).map(|(of_sum, value)| of_sum * value).sum();
                    of_word += of_place * factor * count;
                }
            }
            gradient.words[1].push((word, of_word));
        }
    }
    let mean: f32 = of_shares.iter().zip(&shares).map(|(of, share)| of * share).sum();
    for ((&(word, _), of), share) in example.text.iter().zip(&of_shares).zip(&shares) {
        gradient.words[0].push((word, share * (of - mean)));
    }
    gradient
}

/// Adam's moments of one number.
type Moments = (f32, f32);

/// Performs step `step` of Adam, counted from 0. The second moment decays ten times as fast as
/// usual, because most gradients of a sub-token are 0.
fn adam(x: &mut f32, (m, v): &mut Moments, gradient: f32, step: usize, rate: f32) {
    const BETAS: (f32, f32) = (0.9, 0.99);
    *m = BETAS.0 * *m + (1.0 - BETAS.0) * gradient;
    *v = BETAS.1 * *v + (1.0 - BETAS.1) * gradient * gradient;
    let power = step as f32 + 1.0;
    let (m, v) = (*m / (1.0 - BETAS.0.powf(power)), *v / (1.0 - BETAS.1.powf(power)));
    *x -= rate * m / (v.sqrt() + 1e-8);
}

fn fit(options: &Options, examples: &Examples, random: &mut Random) -> LearnedWeights {
    let started = std::time::Instant::now();
    let fixed = Fixed::new();
    let n = builtin().vocabulary().len();
    // The initial weight of a sub-token in questions is its weight in the built-in model.
    let logarithms: Vec<f32> =
        (0..n).map(|word| (builtin().weight(Side::Text, word as u16).max(1) as f32).ln()).collect();
    let mean = logarithms.iter().sum::<f32>() / n.max(1) as f32;
    let first: Vec<f32> = logarithms.iter().map(|x| x - mean).collect();
    const FIRST: [f32; N_KERNELS] = [1.0, 0.5, 0.3, 0.1, 0.0, 0.0, 0.0, 0.0];
    let place = |share: f32| FIRST.map(|weight| [weight * share, 0.0]);
    let mut learnt = LearnedWeights {
        words: [first.clone(), vec![0.0; n]],
        pools: [place(1.0), place(0.5), place(0.5)],
        size: [-0.05; 2],
    };
    let mut moments: [Vec<Moments>; 2] = [vec![(0.0, 0.0); n], vec![(0.0, 0.0); n]];
    let mut of_pools = [[[(0.0, 0.0); 2]; N_KERNELS]; N_PLACES];
    let mut of_size = [(0.0, 0.0); 2];
    let mut order: Vec<usize> = (0..examples.all.len()).collect();
    let mut epochs = Vec::new();
    for _ in 0..options.epochs {
        random.shuffle(&mut order);
        epochs.extend_from_slice(&order);
    }
    let order = epochs;
    let steps = order.len().div_ceil(options.batch.max(1));
    let (mut loss, mut right, mut seen) = (0.0, 0usize, 0usize);
    for (step, batch) in order.chunks(options.batch.max(1)).enumerate() {
        let without: Vec<bool> = batch.iter().map(|_| random.unit() < options.around_dropout).collect();
        let gradients: Vec<(bool, Gradient)> = batch
            .par_iter()
            .zip(&without)
            .map(|(&at, &without)| {
                let example = &examples.all[at];
                (example.is_of_lists, rate(&learnt, &fixed, examples, example, without))
            })
            .collect();
        let share = 1.0 / batch.len() as f32;
        let mut words = [vec![0f32; n], vec![0f32; n]];
        let mut pools = [[[0f32; 2]; N_KERNELS]; N_PLACES];
        let mut size = [0f32; 2];
        for (is_of_lists, gradient) in &gradients {
            for (words, of) in words.iter_mut().zip(&gradient.words) {
                of.iter().for_each(|&(word, x)| words[usize::from(word)] += x * share);
            }
            for (sum, x) in
                pools.iter_mut().flatten().flatten().zip(gradient.pools.iter().flatten().flatten())
            {
                *sum += x * share;
            }
            size[usize::from(*is_of_lists)] += gradient.size * share;
            loss += gradient.loss;
            right += usize::from(gradient.is_right);
            seen += 1;
        }
        let rate = options.rate * (1.0 - step as f32 / steps as f32).max(0.05);
        let update = |x: &mut f32, moments: &mut Moments, g: f32| adam(x, moments, g, step, rate);
        for (side, begin) in [&first, &vec![0.0; n]].into_iter().enumerate() {
            for word in 0..n {
                let x = &mut learnt.words[side][word];
                let decay = 2.0 * DECAY * (*x - begin[word]) / n as f32;
                update(x, &mut moments[side][word], words[side][word] + decay);
            }
        }
        for ((x, m), g) in learnt
            .pools
            .iter_mut()
            .flatten()
            .flatten()
            .zip(of_pools.iter_mut().flatten().flatten())
            .zip(pools.iter().flatten().flatten())
        {
            update(x, m, *g);
        }
        for ((x, m), g) in learnt.size.iter_mut().zip(&mut of_size).zip(size) {
            update(x, m, g);
        }
        if (step + 1) % 200 == 0 || step + 1 == steps {
            println!(
                "step {} of {steps}, loss {:.3}, right {:.3}, {:.0} s",
                step + 1,
                loss / seen as f32,
                right as f64 / seen as f64,
                started.elapsed().as_secs_f64()
            );
            (loss, right, seen) = (0.0, 0, 0);
        }
    }
    println!(
        "weights by place {:.2?}, of sizes {:.2?}",
        learnt.pools.map(|place| place.map(|one| one[0])),
        learnt.size
    );
    learnt
}

impl LearnedWeights {
    fn encode(&self) -> Result<Vec<u8>> {
        let mut bytes = head(builtin().vocabulary().len(), builtin().name())?;
        for logarithm in self.words.iter().flatten() {
            bytes.extend_from_slice(
                &((logarithm * SCALE).round().clamp(-32767.0, 32767.0) as i16).to_le_bytes(),
            );
        }
        for (kernel, (mean, width)) in KERNELS.into_iter().enumerate() {
            let of_places = self.pools.iter().flat_map(|place| place[kernel]);
            for x in [mean, width].into_iter().chain(of_places) {
                bytes.extend_from_slice(&x.to_le_bytes());
            }
        }
        bytes.extend_from_slice(&SIZE.to_le_bytes());
        Ok(bytes)
    }
}

/// Returns the head of a kernels file: the number of sub-tokens it knows and the name of their
/// model.
fn head(n_sub_tokens: usize, model: &str) -> Result<Vec<u8>> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&u32::try_from(n_sub_tokens)?.to_le_bytes());
    bytes.extend_from_slice(&u32::try_from(model.len())?.to_le_bytes());
    bytes.extend_from_slice(model.as_bytes());
    Ok(bytes)
}

/// Writes the name of `model` into a kernels file that was trained with another model of the same
/// sub-tokens.
pub(crate) fn go_with(path: &Path, model: &Model<'_>) -> Result<()> {
    let bytes = std::fs::read(path).with_context(|| format!("can't read '{}'", path.display()))?;
    let before = Kernels::open(&bytes).map_err(anyhow::Error::msg)?;
    let n = model.vocabulary().len();
    let rest = bytes
        .strip_prefix(&head(n, before.model())?[..])
        .with_context(|| format!("'{}' knows other sub-tokens than the model", path.display()))?;
    std::fs::write(path, [&head(n, model.name())?[..], rest].concat())?;
    Ok(())
}

/// Fails if the program, reading the file, rates examples differently from the learned weights.
fn check(learnt: &LearnedWeights, bytes: &[u8], examples: &Examples) -> Result<()> {
    let kernels = Kernels::open(bytes).map_err(anyhow::Error::msg)?;
    let fixed = Fixed::new();
    for example in examples.all.iter().step_by(997) {
        let expected = rate(learnt, &fixed, examples, example, false);
        let asked = example.text.iter().map(|&(word, emphasis)| (word, emphasis.exp2() - 1.0));
        let mut asked = KernelQuestion::of(&kernels, builtin(), asked);
        let ratings: Vec<f64> = example
            .chunks
            .iter()
            .map(|&chunk| asked.rate(examples.chunks[chunk as usize].iter().copied()))
            .collect();
        let loss = log_sum_exp(ratings.iter().copied()) - ratings[0];
        ensure!(
            (loss - f64::from(expected.loss)).abs() < 0.02,
            "the program rates otherwise: {loss} for {}",
            expected.loss
        );
    }
    Ok(())
}
