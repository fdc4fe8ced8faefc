//! `train encoder`: pairs and a teacher → an encoder, which compares the best chunks of a search with a question once more.
//!
//! The student is a small transformer over sets of sub-tokens ([`git_cora::embed::encoder`]). It begins as some layers of the
//! teacher, of whose neurons it keeps those of the largest weights, and learns to give the teacher's directions (1 − cosine),
//! the teacher's order among the codes of a batch (the divergence of their softmaxes), and to tell the pair's code from the
//! others (cross-entropy). Adam (Kingma & Ba 2015), with a rate that falls to nothing. Everything random comes from a seed, and
//! sums are taken in a fixed order.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use rayon::prelude::*;

use git_cora::embed::encoder::{self, Kind as TokenKind, MOST_OF_CHUNK, N_KINDS};
use git_cora::embed::kernels::{MOST_IN_TEXT, keep_most_telling};
use git_cora::embed::{Places as PlacesInCode, Scratch, builtin};
use git_cora::identifier;
use git_cora::record::tokens;

use super::fit::DRESS;
use super::pairs::{self, Kind};
use super::product::sgemm;
use super::sources::files;
use super::teacher::{Teacher, normalise};
use super::transformer::{self, Linear, Passed, Places, Shape, add, softmax};
use crate::random::Random;

/// Options of `train encoder`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Folder of pairs, as `train mine` writes them.
    #[arg(long)]
    pairs: PathBuf,
    /// Folder of the teacher: `model.safetensors`, `config.json`, `vocab.txt`.
    #[arg(long)]
    teacher: PathBuf,
    /// The encoder's file.
    #[arg(long)]
    out: PathBuf,
    /// Layers of the teacher that the student begins with.
    #[arg(long, value_delimiter = ',', default_value = "0,1")]
    layers: Vec<usize>,
    /// Neurons of a layer's second half.
    #[arg(long, default_value_t = 512)]
    inner: usize,
    #[arg(long, default_value_t = 128)]
    batch: usize,
    #[arg(long, default_value_t = 0.001)]
    rate: f32,
    #[arg(long, default_value_t = 2.0)]
    epochs: f64,
    /// Most pairs of a repository.
    #[arg(long, default_value_t = 5000)]
    most: usize,
    /// Most pairs of all.
    #[arg(long, default_value_t = usize::MAX)]
    total: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Share of the pairs of a kind that are learnt from.
const SHARES: [(Kind, f32); 8] = [
    (Kind::Doc, 1.0),
    (Kind::Name, 0.5),
    (Kind::Comment, 0.5),
    (Kind::Commit, 1.0),
    (Kind::NameDoc, 0.5),
    (Kind::Message, 1.0),
    (Kind::Test, 1.0),
    (Kind::DocRest, 0.3),
];

/// Bytes of a code, and words of it that the teacher sees; likewise of a text.
const CODE_BYTES: usize = 1500;
const CODE_WORDS: usize = 56;
const TEXT_WORDS: usize = 16;
/// Words of a comment that are put before its code, in half of the pairs that have one.
const COMMENT_WORDS: usize = 24;

/// Words that questions on the web begin with, beside [`DRESS`].
const LANGUAGES: [&str; 8] = ["python", "javascript", "java", "go", "rust", "c", "php", "ruby"];

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

/// A batch is of groups of so many pairs of one repository, so that codes are told apart that have much in common.
const GROUP: usize = 16;

/// A text or a code, as the student and as the teacher see it.
struct Seen {
    tokens: Vec<(u16, TokenKind)>,
    pieces: Vec<u32>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let started = Instant::now();
    let teacher = Teacher::open(&options.teacher)?;
    ensure!(options.layers.iter().all(|&layer| layer < teacher.places.shape.layers), "no such layer");
    ensure!(options.inner <= teacher.places.shape.inner, "the teacher has fewer neurons");
    let mut random = Random::new(options.seed);
    let (examples, repositories) = read(options, &teacher, &mut random)?;
    ensure!(examples.len() > options.batch, "there are too few pairs");
    let texts: Vec<&[u32]> = examples.iter().map(|one| one[0].pieces.as_slice()).collect();
    let codes: Vec<&[u32]> = examples.iter().map(|one| one[1].pieces.as_slice()).collect();
    let taught = [texts, codes].map(|all| -> Vec<f32> {
        all.par_chunks(32).map(|some| teacher.directions(some)).collect::<Vec<_>>().concat()
    });
    println!("{} pairs, seen by the teacher after {:.0} s", examples.len(), started.elapsed().as_secs_f64());
    let mut student = Student::new(options, &teacher);
    student.fit(options, &examples, &repositories, &taught, &mut random);
    let bytes = student.encode();
    encoder::Encoder::open(&bytes).map_err(anyhow::Error::msg)?;
    std::fs::write(&options.out, &bytes)
        .with_context(|| format!("can't write '{}'", options.out.display()))?;
    println!("{} bytes, {:.0} s in all", bytes.len(), started.elapsed().as_secs_f64());
    Ok(())
}

/// A text and its code.
type Example = [Seen; 2];

/// Pairs of all repositories, each as a text and a code, and the repositories that they are of.
fn read(options: &Options, teacher: &Teacher, random: &mut Random) -> Result<(Vec<Example>, Vec<usize>)> {
    let mut examples = Vec::new();
    let mut known = HashMap::new();
    let mut scratch = Scratch::default();
    for (repository, path) in files(&options.pairs, "pairs")?.into_iter().enumerate() {
        let mut taken = Vec::new();
        pairs::read(&path, |kind, _, text, code| {
            let share = SHARES.iter().find(|of| of.0 == kind).map_or(0.0, |of| of.1);
            if random.unit() < share {
                taken.push((kind, text.to_owned(), pairs::clip(code, CODE_BYTES).to_owned()));
            }
        })?;
        random.shuffle(&mut taken);
        taken.truncate(options.most);
        for (kind, text, code) in taken {
            let mut asked = text.clone();
            if random.unit() < 0.3 {
                let at = random.below(DRESS.len() + LANGUAGES.len());
                let dress = DRESS.into_iter().chain(LANGUAGES).nth(at).unwrap_or_default();
                asked = format!("{dress} {text}");
            }
            let has_comment = matches!(kind, Kind::Doc | Kind::Comment) && random.unit() < 0.5;
            let comment = if has_comment { text.as_str() } else { "" };
            let mut seen = |parts: [(&str, usize); 2], is_code: bool| {
                let words = parts.into_iter().flat_map(|(part, most)| words(part).into_iter().take(most));
                let most = if is_code { CODE_WORDS } else { TEXT_WORDS };
                let pieces: Vec<u32> = words
                    .take(most)
                    .flat_map(|word| {
                        known.entry(word).or_insert_with_key(|word| teacher.pieces_of(word)).clone()
                    })
                    .collect();
                let tokens = if is_code {
                    tokens_of_code(parts[0].0, parts[1].0, &mut scratch)
                } else {
                    encoder::asked(&builtin().asked(tokens(parts[1].0).map(|(_, token)| token)))
                };
                Seen { tokens, pieces }
            };
            let text = seen([("", 0), (&asked, TEXT_WORDS)], false);
            let code = seen([(comment, COMMENT_WORDS), (&code, CODE_WORDS)], true);
            if text.tokens.len() > 1 && code.tokens.len() > 3 && !text.pieces.is_empty() {
                examples.push((repository, [text, code]));
            }
        }
    }
    random.shuffle(&mut examples);
    examples.truncate(options.total);
    let (repositories, examples) = examples.into_iter().unzip();
    Ok((examples, repositories))
}

/// The words of a text, in lower case, as the teacher is shown them.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (_, token) in tokens(text) {
        identifier::each_part(token, |part| words.push(part.to_ascii_lowercase()));
    }
    words.retain(|word| word.bytes().all(|b| b.is_ascii_alphanumeric()));
    words
}

/// The sub-tokens of a code with its comment, as a chunk has them. The first line of the code counts as its head.
fn tokens_of_code(comment: &str, code: &str, scratch: &mut Scratch) -> Vec<(u16, TokenKind)> {
    let code = code.trim_start();
    let head = code.find('\n').unwrap_or(code.len());
    let mut places: HashMap<u16, PlacesInCode> = HashMap::new();
    let mut add = |token: &str, in_head: bool| {
        builtin().vocabulary().each(token, scratch, |number| {
            let places = places.entry(number as u16).or_default();
            if in_head && !places.in_head {
                places.in_head = true;
            } else {
                places.in_text = (places.in_text + 1).min(MOST_IN_TEXT);
            }
        });
    };
    tokens(comment).for_each(|(_, token)| add(token, false));
    tokens(code).for_each(|(_, token)| add(token, identifier::offset_in(code, token) < head));
    let mut chunk: Vec<(u16, PlacesInCode)> = places.into_iter().collect();
    chunk.sort_unstable_by_key(|one| one.0);
    keep_most_telling(&mut chunk, builtin(), MOST_OF_CHUNK);
    encoder::of_chunk(&chunk)
}

/// What is learnt, with the moments of its gradients.
struct Student {
    places: Places,
    weights: Vec<f32>,
    /// By sub-token.
    rows: Vec<f32>,
    /// By kind of token.
    kinds: Vec<f32>,
}

/// Moments of gradients.
struct Moments {
    first: Vec<f32>,
    second: Vec<f32>,
}

impl Moments {
    fn new(n: usize) -> Self {
        Self { first: vec![0.0; n], second: vec![0.0; n] }
    }

    /// A step of Adam for some of the weights.
    fn step(&mut self, at: usize, weights: &mut [f32], gradient: &[f32], rate: f32, steps: usize) {
        const BETA: [f32; 2] = [0.9, 0.98];
        let [c1, c2] = BETA.map(|beta| 1.0 - beta.powi(steps as i32));
        let moments = self.first[at..].iter_mut().zip(&mut self.second[at..]);
        for ((w, g), (m, v)) in weights.iter_mut().zip(gradient).zip(moments) {
            *m = BETA[0] * *m + (1.0 - BETA[0]) * g;
            *v = BETA[1] * *v + (1.0 - BETA[1]) * g * g;
            *w -= rate * (*m / c1) / ((*v / c2).sqrt() + 1e-8);
        }
    }
}

impl Student {
    fn new(options: &Options, teacher: &Teacher) -> Self {
        let shape = Shape { layers: options.layers.len(), inner: options.inner, ..teacher.places.shape };
        let places = Places::new(shape);
        let mut weights = vec![0.0; places.len];
        let copy = |weights: &mut [f32], to: std::ops::Range<usize>, from: std::ops::Range<usize>| {
            weights[to].copy_from_slice(&teacher.weights[from]);
        };
        let norm = |weights: &mut [f32], to: &transformer::Norm, from: &transformer::Norm| {
            copy(weights, to.at..to.summands().end, from.at..from.summands().end);
        };
        norm(&mut weights, &places.start, &teacher.places.start);
        for (to, &from) in places.layers.iter().zip(&options.layers) {
            let from = &teacher.places.layers[from];
            norm(&mut weights, &to.first, &from.first);
            norm(&mut weights, &to.second, &from.second);
            for (to, from) in [(&to.attention, &from.attention), (&to.joined, &from.joined)] {
                copy(&mut weights, to.weights(), from.weights());
                copy(&mut weights, to.bias(), from.bias());
            }
            let kept = largest(&teacher.weights, &from.inner, &from.outer, options.inner);
            let width = shape.width;
            for (at, &neuron) in kept.iter().enumerate() {
                let row = |linear: &Linear, i: usize| linear.at + i * width..linear.at + (i + 1) * width;
                copy(&mut weights, row(&to.inner, at), row(&from.inner, neuron));
                weights[to.inner.bias()][at] = teacher.weights[from.inner.bias()][neuron];
                for i in 0..width {
                    weights[to.outer.at + i * to.outer.inputs + at] =
                        teacher.weights[from.outer.at + i * from.outer.inputs + neuron];
                }
            }
            copy(&mut weights, to.outer.bias(), from.outer.bias());
        }
        // A sub-token begins as the mean of its pieces.
        let mut rows = Vec::new();
        for word in builtin().vocabulary().words() {
            let parts = word.split(' ').flat_map(|part| teacher.pieces_of(part));
            let pieces: Vec<u32> = parts.collect();
            let mut row = vec![0.0; shape.width];
            pieces.iter().for_each(|&piece| add(&mut row, teacher.row(piece)));
            row.iter_mut().for_each(|x| *x /= pieces.len().max(1) as f32);
            rows.extend(row);
        }
        let kinds = teacher.mean_position().repeat(N_KINDS);
        Self { places, weights, rows, kinds }
    }

    /// The vectors of the tokens of texts, and where each text ends.
    fn input<'s>(&self, texts: impl Iterator<Item = &'s Seen>) -> (Vec<f32>, Vec<usize>) {
        let width = self.places.shape.width;
        let (mut x, mut ends) = (Vec::new(), Vec::new());
        for text in texts {
            for &(number, kind) in &text.tokens {
                let row = &self.rows[usize::from(number) * width..][..width];
                let kind = &self.kinds[kind as usize * width..][..width];
                x.extend(row.iter().zip(kind).map(|(x, y)| x + y));
            }
            ends.push(x.len() / width);
        }
        (x, ends)
    }

    fn fit(
        &mut self,
        options: &Options,
        examples: &[Example],
        repositories: &[usize],
        taught: &[Vec<f32>; 2],
        random: &mut Random,
    ) {
        let (width, batch) = (self.places.shape.width, options.batch);
        let steps = (examples.len() as f64 * options.epochs / batch as f64) as usize;
        let mut of_weights = Moments::new(self.weights.len());
        let mut of_rows = Moments::new(self.rows.len());
        let mut of_kinds = Moments::new(self.kinds.len());
        let mut order: Vec<usize> = Vec::new();
        let mut sums = [0.0; 3];
        let started = Instant::now();
        for step in 1..=steps {
            if order.len() < batch {
                order = grouped(repositories, random);
            }
            let chosen = order.split_off(order.len() - batch);
            let share = 1.0 - (step - 1) as f32 / steps as f32;
            let rate = options.rate * share * (step as f32 / WARM_UP as f32).min(1.0);
            // Texts first, then codes, each in parts.
            let parts: Vec<(usize, &[usize])> = (0..2)
                .flat_map(|side| chosen.chunks(batch.div_ceil(PARTS)).map(move |part| (side, part)))
                .collect();
            let passed: Vec<Passed> = parts
                .par_iter()
                .map(|&(side, part)| {
                    let (x, ends) = self.input(part.iter().map(|&at| &examples[at][side]));
                    transformer::forward(&self.places, &self.weights, x, &ends)
                })
                .collect();
            let means: Vec<f32> = passed.iter().flat_map(|one| one.means.iter().copied()).collect();
            let goals: Vec<f32> = (0..2)
                .flat_map(|side| chosen.iter().map(move |&at| (side, at)))
                .flat_map(|(side, at)| taught[side][at * width..][..width].iter().copied())
                .collect();
            let (of_means, losses) = loss(&means, &goals, batch, width);
            sums.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += loss);
            let mut offset = 0;
            let with_gradients: Vec<(&Passed, &[f32])> = passed
                .iter()
                .map(|one| {
                    offset += one.means.len();
                    (one, &of_means[offset - one.means.len()..offset])
                })
                .collect();
            let gradients: Vec<(Vec<f32>, Vec<f32>)> = with_gradients
                .par_iter()
                .map(|(one, of_means)| {
                    let mut gradient = vec![0.0; self.places.len];
                    let of_x =
                        transformer::backward(&self.places, &self.weights, one, of_means, &mut gradient);
                    (gradient, of_x)
                })
                .collect();
            let mut gradient = vec![0.0; self.places.len];
            let mut by_kind = vec![0.0; self.kinds.len()];
            let mut by_row: HashMap<u16, Vec<f32>> = HashMap::new();
            for (&(side, part), (one, of_x)) in parts.iter().zip(&gradients) {
                add(&mut gradient, one);
                let tokens = part.iter().flat_map(|&at| &examples[at][side].tokens);
                for (&(number, kind), d) in tokens.zip(of_x.chunks_exact(width)) {
                    add(&mut by_kind[kind as usize * width..][..width], d);
                    add(by_row.entry(number).or_insert_with(|| vec![0.0; width]), d);
                }
            }
            let length = gradient.iter().map(|x| x * x).sum::<f32>().sqrt();
            let by = (LONGEST / length.max(f32::MIN_POSITIVE)).min(1.0);
            gradient.iter_mut().for_each(|x| *x *= by);
            of_weights.step(0, &mut self.weights, &gradient, rate, step);
            of_kinds.step(0, &mut self.kinds, &by_kind, rate, step);
            for (number, d) in &by_row {
                let at = usize::from(*number) * width;
                of_rows.step(at, &mut self.rows[at..at + width], d, rate / 2.0, step);
            }
            if step % 100 == 0 || step == steps {
                let n = if step % 100 == 0 { 100 } else { step % 100 } as f32;
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
        let Shape { layers, width, heads, inner } = self.places.shape;
        let sizes = [layers, width, heads, inner].map(|size| size as u32);
        let mut out = encoder::Writer::new(sizes, builtin().name());
        out.rows(&self.rows, width);
        out.floats(&self.kinds);
        out.floats(&self.weights[self.places.start.at..self.places.start.summands().end]);
        for layer in &self.places.layers {
            for linear in [&layer.attention, &layer.joined, &layer.inner, &layer.outer] {
                out.rows(&self.weights[linear.weights()], linear.inputs);
                out.floats(&self.weights[linear.bias()]);
            }
            for norm in [&layer.first, &layer.second] {
                out.floats(&self.weights[norm.at..norm.summands().end]);
            }
        }
        out.finish()
    }
}

/// All pairs in any order, but groups of one repository together.
fn grouped(repositories: &[usize], random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..repositories.len()).collect();
    random.shuffle(&mut order);
    order.sort_by_key(|&at| repositories[at]);
    let of_one = order.chunk_by(|&a, &b| repositories[a] == repositories[b]);
    let mut groups: Vec<&[usize]> = of_one.flat_map(|all| all.chunks(GROUP)).collect();
    random.shuffle(&mut groups);
    groups.concat()
}

/// The neurons of the largest weights, in order.
fn largest(weights: &[f32], inner: &Linear, outer: &Linear, n: usize) -> Vec<usize> {
    let mut neurons: Vec<(f32, usize)> = (0..inner.outputs)
        .map(|neuron| {
            let into = &weights[inner.at + neuron * inner.inputs..][..inner.inputs];
            let from = weights[outer.weights()].iter().skip(neuron).step_by(outer.inputs);
            let length = |sum: f32| sum.sqrt();
            (length(into.iter().map(|x| x * x).sum()) * length(from.map(|x| x * x).sum()), neuron)
        })
        .collect();
    neurons.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut kept: Vec<usize> = neurons.into_iter().take(n).map(|one| one.1).collect();
    kept.sort_unstable();
    kept
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
    use crate::train::teacher;

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

    #[test]
    fn groups_are_of_one_repository_and_all_pairs_come_once() {
        let repositories: Vec<usize> = (0..1000).map(|at| at % 3).collect();
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
            let out = folder.path().join(name);
            let options = Options {
                pairs: of_pairs.clone(),
                teacher: of_teacher.clone(),
                out: out.clone(),
                layers: vec![1],
                inner: 12,
                batch: 8,
                rate: 0.001,
                epochs: 2.0,
                most: 5000,
                total: 30,
                seed: 1,
            };
            run(&options).unwrap();
            std::fs::read(out).unwrap()
        };
        let first = learnt("first");
        let encoder = encoder::Encoder::open(&first).unwrap();
        let asked = encoder::asked(&builtin().asked(["read", "file"]));
        assert_eq!(encoder.directions(&[&asked])[0].len(), 8);
        assert_eq!(first, learnt("second"));
    }
}
