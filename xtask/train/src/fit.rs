//! `train fit`: pairs -> a vector and two weights for each sub-token.
//!
//! A text or code is the normalised sum of its sub-tokens' vectors, each multiplied by
//! `log1p(count)` and a weight; texts and code have separate weights. The loss is symmetric InfoNCE
//! over the pairs of a batch (van den Oord et al. 2018; Radford et al. 2021). A batch consists of
//! groups of one repository each, so that the model learns to tell similar codes apart. The
//! optimiser is Adam (Kingma & Ba 2015) with a rate that falls to 0. Everything random comes from a
//! seed, and sums are taken in a fixed order.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use git_cora::index::embed::Vocabulary;
use rayon::prelude::*;

use super::corpus::{self, Bag, Corpus, Example, hash};
use super::judge::{self, EmbeddingModel};
use super::pairs::Kind;
use super::product::Matrix;
use super::weights;
use xtask_lab::random::Random;

/// Options of `train fit`.
#[derive(Debug, Args, Clone)]
pub(crate) struct Options {
    /// Folder of pairs.
    #[arg(long)]
    pairs: PathBuf,
    /// Folder of sets to judge by.
    #[arg(long)]
    sets: PathBuf,
    /// The file for the weights, as floats.
    #[arg(long)]
    out: PathBuf,
    #[arg(long, default_value_t = 12_000)]
    words: usize,
    #[arg(long, default_value_t = 4_000)]
    pairs_of_words: usize,
    #[arg(long, default_value_t = 256)]
    dimensions: usize,
    #[arg(long, default_value_t = 1024)]
    batch: usize,
    #[arg(long, default_value_t = 32)]
    group: usize,
    #[arg(long, default_value_t = 2.0)]
    epochs: f64,
    #[arg(long, default_value_t = 0.02)]
    rate: f32,
    #[arg(long, default_value_t = 0.05)]
    temperature: f32,
    #[arg(long, default_value_t = 0.3)]
    code_dropout: f32,
    #[arg(long, default_value_t = 0.1)]
    text_dropout: f32,
    #[arg(long, default_value_t = 0.3)]
    augment: f32,
    /// Continue from a model's file, with its sub-tokens.
    #[arg(long, conflicts_with_all = ["words", "pairs_of_words", "dimensions"])]
    from: Option<PathBuf>,
    /// Share of the pairs used.
    #[arg(long, default_value_t = 1.0)]
    share: f64,
    /// Kinds of pairs left out, by name.
    #[arg(long)]
    without: Vec<String>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Steps between two judgements.
    #[arg(long, default_value_t = 1000)]
    judge_every: usize,
}

/// A model in floats.
pub(crate) struct Model {
    pub(crate) dimensions: usize,
    /// The rows, `[n_words × dimensions]`, row-major.
    pub(crate) vectors: Vec<f32>,
    /// Logarithms of the weights in texts, and in code.
    pub(crate) weights: [Vec<f32>; 2],
}

impl EmbeddingModel for Model {
    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, bag: &Bag, is_code: bool, out: &mut [f32]) {
        out.fill(0.0);
        let weights = &self.weights[usize::from(is_code)];
        for &(id, n) in bag {
            let c = f32::from(n).ln_1p() * weights[usize::from(id)].exp();
            let row = &self.vectors[usize::from(id) * self.dimensions..][..self.dimensions];
            for (o, r) in out.iter_mut().zip(row) {
                *o += c * r;
            }
        }
        normalise(out);
    }
}

pub(super) fn normalise(x: &mut [f32]) -> f32 {
    let norm = x.iter().map(|v| v * v).sum::<f32>().sqrt().max(1e-9);
    for v in x.iter_mut() {
        *v /= norm;
    }
    norm
}

/// Adam's moments, for rows that only some batches touch.
struct Adam {
    m: Vec<f32>,
    v: Vec<f32>,
}

impl Adam {
    fn new(n: usize) -> Self {
        Self { m: vec![0.0; n], v: vec![0.0; n] }
    }
}

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;

fn adam(x: &mut f32, m: &mut f32, v: &mut f32, g: f32, rate: f32) {
    *m = BETA1 * *m + (1.0 - BETA1) * g;
    *v = BETA2 * *v + (1.0 - BETA2) * g * g;
    *x -= rate * *m / (v.sqrt() + 1e-8);
}

/// Words that web queries begin with or contain.
pub(super) const DRESS: [&str; 12] = [
    "how to",
    "function to",
    "code for",
    "in",
    "using",
    "example of",
    "get",
    "check if",
    "way to",
    "use",
    "for",
    "a",
];

pub(crate) fn run(options: &Options) -> Result<()> {
    let started = std::time::Instant::now();
    let from = options.from.as_deref().map(weights::of_model).transpose()?;
    let known = from.as_ref().map(|(words, _)| &words[..]);
    let corpus = corpus::load(&options.pairs, known, options.words, options.pairs_of_words)?;
    ensure!(corpus.words.len() <= usize::from(u16::MAX), "more sub-tokens than sixteen bits can number");
    println!(
        "{} pairs, {} sub-tokens, {} languages, {:.0} s",
        corpus.examples.len(),
        corpus.words.len(),
        corpus.languages.len(),
        started.elapsed().as_secs_f64()
    );
    for kind in Kind::ALL {
        print!("{kind:?} {}  ", corpus.examples.iter().filter(|e| e.kind == kind).count());
    }
    println!();
    let vocabulary = Vocabulary::open((&corpus.bytes[..]).into())?;
    let sets = judge::open(&options.sets, &vocabulary)?;
    let mut random = Random::new(options.seed);
    let model = from.map_or_else(|| initial(options, &corpus, &mut random), |(_, model)| model);
    let model = fit(options, model, random, &corpus, &vocabulary, &sets);
    println!("test: {}", judge::summary(&model, &sets, true));
    weights::write(&options.out, &corpus.words, &model)?;
    println!("{:.0} s in all", started.elapsed().as_secs_f64());
    Ok(())
}

fn initial(options: &Options, corpus: &Corpus, random: &mut Random) -> Model {
    let (n, d) = (corpus.words.len(), options.dimensions);
    let gauss = |random: &mut Random| -> f32 { (0..6).map(|_| random.unit() - 0.5).sum::<f32>() };
    let vectors = (0..n * d).map(|_| gauss(random) * 0.1).collect();
    let total = corpus.examples.len().max(1) as f32;
    let idf: Vec<f32> =
        corpus.frequency.iter().map(|&f| ((total / (f as f32 + 10.0)).ln().max(0.2) / 5.0).ln()).collect();
    Model { dimensions: d, vectors, weights: [idf.clone(), idf] }
}

/// Returns the order of one epoch: groups of examples of one repository, shuffled.
fn order(examples: &[&Example], group: usize, random: &mut Random) -> Vec<usize> {
    let mut by_repository: Vec<Vec<usize>> = Vec::new();
    for (i, example) in examples.iter().enumerate() {
        let at = usize::from(example.repository);
        if by_repository.len() <= at {
            by_repository.resize_with(at + 1, Vec::new);
        }
        by_repository[at].push(i);
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for mut list in by_repository {
        random.shuffle(&mut list);
        groups.extend(list.chunks(group).map(<[usize]>::to_vec));
    }
    random.shuffle(&mut groups);
    groups.into_iter().flatten().collect()
}

/// One side of a batch: bags with coefficients, after dropout and augmentation.
struct Side {
    bags: Vec<Vec<(u16, f32)>>,
    /// Normalised sums, `[batch × dimensions]`; next, their norms before that.
    units: Vec<f32>,
    norms: Vec<f32>,
}

fn forward(model: &Model, bags: Vec<Vec<(u16, f32)>>, side: usize) -> Side {
    let d = model.dimensions;
    let mut sums = vec![0f32; bags.len() * d];
    let weights = &model.weights[side];
    sums.par_chunks_mut(d).zip(&bags).for_each(|(out, bag)| {
        for &(id, tf) in bag {
            let c = tf * weights[usize::from(id)].exp();
            let row = &model.vectors[usize::from(id) * d..][..d];
            for (o, r) in out.iter_mut().zip(row) {
                *o += c * r;
            }
        }
    });
    let mut units = sums;
    let norms = units.par_chunks_mut(d).map(normalise).collect();
    Side { bags, units, norms }
}

/// Computes c = a · b; threads share the rows.
fn multiply(a: Matrix<'_>, b: Matrix<'_>, c: &mut [f32]) {
    let rows = a.rows().div_ceil(4).max(1);
    c.par_chunks_mut(rows * b.columns()).enumerate().for_each(|(i, part)| {
        let here = part.len() / b.columns();
        super::product::sgemm(a.part(i * rows, here), b, part);
    });
}

fn fit(
    options: &Options,
    mut model: Model,
    mut random: Random,
    corpus: &Corpus,
    vocabulary: &Vocabulary<'_>,
    sets: &[judge::Judged],
) -> Model {
    let (v, d) = (corpus.words.len(), model.dimensions);
    let mut moments = Adam::new(v * d);
    let mut weight_moments = [Adam::new(v), Adam::new(v)];
    let without = |kind: Kind| options.without.iter().any(|name| *name == format!("{kind:?}"));
    let mut examples: Vec<&Example> = corpus.examples.iter().filter(|e| !without(e.kind)).collect();
    if options.share < 1.0 {
        random.shuffle(&mut examples);
        examples.truncate((examples.len() as f64 * options.share) as usize);
    }
    let dress: Vec<Vec<u16>> = DRESS
        .iter()
        .map(|text| corpus::bag(vocabulary, text, false).into_iter().map(|(id, _)| id).collect())
        .collect();
    let languages: Vec<Vec<u16>> = corpus
        .languages
        .iter()
        .map(|name| corpus::bag(vocabulary, name, false).into_iter().map(|(id, _)| id).collect())
        .collect();
    let b = options.batch;
    let steps = (examples.len() as f64 * options.epochs / b as f64) as usize;
    let mut at: Vec<usize> = Vec::new();
    let mut loss_sum = 0.0;
    let mut gradient = vec![0f32; v * d];
    let started = std::time::Instant::now();
    for step in 0..steps {
        if at.len() < b {
            at = order(&examples, options.group, &mut random);
        }
        let batch: Vec<&Example> = at.split_off(at.len() - b).into_iter().map(|i| examples[i]).collect();
        let mut drop = |bag: &Bag, p: f32| -> Vec<(u16, f32)> {
            let kept: Vec<(u16, f32)> = bag
                .iter()
                .filter_map(|&(id, n)| (random.unit() >= p).then_some((id, f32::from(n).ln_1p())))
                .collect();
            if kept.is_empty() {
                bag.iter().map(|&(id, n)| (id, f32::from(n).ln_1p())).collect()
            } else {
                kept
            }
        };
        let code: Vec<_> = batch.iter().map(|e| drop(&e.code, options.code_dropout)).collect();
        let mut text: Vec<_> = batch.iter().map(|e| drop(&e.text, options.text_dropout)).collect();
        for (bag, example) in text.iter_mut().zip(&batch) {
            if random.unit() < options.augment {
                let mut extra: Vec<u16> = Vec::new();
                if random.unit() < 0.6 {
                    extra.extend(&languages[usize::from(example.language)]);
                }
                if random.unit() < 0.6 {
                    extra.extend(&dress[random.below(dress.len())]);
                }
                bag.extend(extra.into_iter().map(|id| (id, std::f32::consts::LN_2)));
            }
        }
        let sides = [forward(&model, text, 0), forward(&model, code, 1)];
        let hashes: Vec<(u64, u64)> = batch.iter().map(|e| (hash(&e.text), hash(&e.code))).collect();
        let (loss, gradients) = contrast(&sides, &hashes, options.temperature, d);
        loss_sum += loss;
        let rate = options.rate * (1.0 - step as f32 / steps as f32) * ((step as f32 + 1.0) / 100.0).min(1.0);
        update(&mut model, &mut moments, &mut weight_moments, &mut gradient, &sides, &gradients, rate);
        if (step + 1) % options.judge_every == 0 || step + 1 == steps {
            println!(
                "step {} of {steps}, loss {:.3}, {:.0} s, dev: {}",
                step + 1,
                loss_sum / options.judge_every as f32,
                started.elapsed().as_secs_f64(),
                judge::summary(&model, sets, false)
            );
            loss_sum = 0.0;
        }
    }
    model
}

/// Returns the loss and its gradients by the unit vectors of both sides.
fn contrast(sides: &[Side; 2], hashes: &[(u64, u64)], temperature: f32, d: usize) -> (f32, [Vec<f32>; 2]) {
    let b = hashes.len();
    let mut scores = vec![0f32; b * b];
    multiply(
        Matrix::new(&sides[0].units, b, d),
        Matrix::new(&sides[1].units, b, d).transposed(),
        &mut scores,
    );
    // Pairs with the same text or the same code are not negatives of each other.
    scores.par_chunks_mut(b).enumerate().for_each(|(i, row)| {
        for (j, s) in row.iter_mut().enumerate() {
            let same = i != j && (hashes[i].0 == hashes[j].0 || hashes[i].1 == hashes[j].1);
            *s = if same { f32::NEG_INFINITY } else { *s / temperature };
        }
    });
    let row_sums: Vec<(f32, f32)> = scores
        .par_chunks(b)
        .map(|row| {
            let max = row.iter().copied().fold(f32::MIN, f32::max);
            (max, row.iter().map(|s| (s - max).exp()).sum())
        })
        .collect();
    let mut columns = vec![(f32::MIN, 0f32); b];
    for row in scores.chunks(b) {
        for (c, s) in columns.iter_mut().zip(row) {
            c.0 = c.0.max(*s);
        }
    }
    for row in scores.chunks(b) {
        for (c, s) in columns.iter_mut().zip(row) {
            c.1 += (s - c.0).exp();
        }
    }
    let loss: f32 = (0..b)
        .map(|i| {
            let s = scores[i * b + i];
            let row = row_sums[i].0 + row_sums[i].1.ln() - s;
            let column = columns[i].0 + columns[i].1.ln() - s;
            (row + column) / 2.0
        })
        .sum::<f32>()
        / b as f32;
    let scale = 1.0 / (2.0 * b as f32 * temperature);
    scores.par_chunks_mut(b).enumerate().for_each(|(i, row)| {
        let (max, sum) = row_sums[i];
        for (j, s) in row.iter_mut().enumerate() {
            let p = (*s - max).exp() / sum + (*s - columns[j].0).exp() / columns[j].1;
            *s = scale * (p - if i == j { 2.0 } else { 0.0 });
        }
    });
    let mut gradients = [vec![0f32; b * d], vec![0f32; b * d]];
    let [text, code] = &mut gradients;
    multiply(Matrix::new(&scores, b, b), Matrix::new(&sides[1].units, b, d), text);
    multiply(Matrix::new(&scores, b, b).transposed(), Matrix::new(&sides[0].units, b, d), code);
    (loss, gradients)
}

/// Performs one step of Adam on everything that the batch touched.
fn update(
    model: &mut Model,
    moments: &mut Adam,
    weight_moments: &mut [Adam; 2],
    gradient: &mut [f32],
    sides: &[Side; 2],
    gradients: &[Vec<f32>; 2],
    rate: f32,
) {
    let d = model.dimensions;
    let v = model.weights[0].len();
    // Gradient by the sums before normalising: (g − (u·g) u) / norm.
    let by_sum: Vec<Vec<f32>> = sides
        .iter()
        .zip(gradients)
        .map(|(side, gradient)| {
            let mut out = gradient.clone();
            out.par_chunks_mut(d).zip(side.units.par_chunks(d)).zip(&side.norms).for_each(
                |((g, u), norm)| {
                    let dot: f32 = g.iter().zip(u).map(|(a, b)| a * b).sum();
                    for (g, u) in g.iter_mut().zip(u) {
                        *g = (*g - dot * u) / norm;
                    }
                },
            );
            out
        })
        .collect();
    let mut touched = vec![false; v];
    for side in sides {
        for &(id, _) in side.bags.iter().flatten() {
            touched[usize::from(id)] = true;
        }
    }
    // Gradient by a weight's logarithm a, where the weight is exp(a): c · (row · g).
    let mut weight_gradients = [vec![0f32; v], vec![0f32; v]];
    weight_gradients.par_iter_mut().enumerate().for_each(|(s, out)| {
        for (bag, g) in sides[s].bags.iter().zip(by_sum[s].chunks(d)) {
            for &(id, tf) in bag {
                let row = &model.vectors[usize::from(id) * d..][..d];
                let dot: f32 = row.iter().zip(g).map(|(a, b)| a * b).sum();
                out[usize::from(id)] += tf * model.weights[s][usize::from(id)].exp() * dot;
            }
        }
    });
    // Threads share the rows by number, so every sum has one fixed order.
    let shards = 4usize;
    let rows = v.div_ceil(shards);
    gradient.par_chunks_mut(rows * d).enumerate().for_each(|(shard, out)| {
        let range = shard * rows..(shard + 1) * rows;
        for id in range.clone().filter(|&id| id < v && touched[id]) {
            out[(id - range.start) * d..][..d].fill(0.0);
        }
        for s in 0..2 {
            let weights = &model.weights[s];
            for (bag, g) in sides[s].bags.iter().zip(by_sum[s].chunks(d)) {
                for &(id, tf) in bag {
                    let id = usize::from(id);
                    if range.contains(&id) {
                        let c = tf * weights[id].exp();
                        for (o, g) in out[(id - range.start) * d..][..d].iter_mut().zip(g) {
                            *o += c * g;
                        }
                    }
                }
            }
        }
    });
    model
        .vectors
        .par_chunks_mut(d)
        .zip(moments.m.par_chunks_mut(d))
        .zip(moments.v.par_chunks_mut(d))
        .zip(gradient.par_chunks(d))
        .zip(&touched)
        .for_each(|((((x, m), v), g), &touched)| {
            if touched {
                for (((x, m), v), g) in x.iter_mut().zip(m).zip(v).zip(g) {
                    adam(x, m, v, *g, rate);
                }
            }
        });
    for s in 0..2 {
        let moments = &mut weight_moments[s];
        let rows = model.weights[s].iter_mut().zip(&mut moments.m).zip(&mut moments.v);
        for (((x, m), v), &g) in rows.zip(&weight_gradients[s]) {
            if g != 0.0 {
                adam(x, m, v, g, rate);
            }
        }
    }
}
