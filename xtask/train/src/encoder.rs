//! `train encoder`: a teacher's directions of pairs, and questions with chunks -> the encoder that
//! reranks.
//!
//! The student is a deep averaging network over sets of sub-tokens
//! ([`git_cora::index::embed::encoder`]). Initially the row of a sub-token is the teacher's vector
//! of it without any context. In the first stage the student learns three things from the teacher:
//! its directions (1 − cosine), its order among the codes of a batch (divergence of the softmaxes),
//! and to tell a pair's code from the others (cross-entropy). In the second stage it learns its
//! actual task ([`super::compared`]). Both stages use Adam (Kingma & Ba 2015) with a rate that
//! falls to 0.
//!
//! Everything random comes from a seed, and sums are taken in a fixed order.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use git_cora::index::embed::encoder;

use super::asked::{Examples, MANY_QUESTIONS};
use super::compared::{self, RerankExamples};
use super::layers::softmax;
use super::product::{Matrix, sgemm};
use super::student::{
    Set, Student, StudentOptimiser, directions, rate, set_of_chunk, set_of_question, through_scaling,
};
use super::taught::TaughtPairs;
use super::teacher::Teacher;
use xtask_lab::random::Random;

/// Options of `train encoder`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The teacher's directions of pairs, as `train teach` writes them.
    #[arg(long)]
    taught: PathBuf,
    /// Folder of the teacher: `model.safetensors`, `config.json`, `vocab.txt`.
    #[arg(long)]
    teacher: PathBuf,
    /// Folder of pairs, as `train mine` writes them.
    #[arg(long)]
    pairs: PathBuf,
    /// Folder of lists, as `train lists` writes them.
    #[arg(long)]
    lists: PathBuf,
    /// The encoder's file to write.
    #[arg(long)]
    out: PathBuf,
    /// Neurons of the layer.
    #[arg(long, default_value_t = 1536)]
    neurons: usize,
    /// Pairs of a batch of the first stage.
    #[arg(long, default_value_t = 128)]
    batch: usize,
    #[arg(long, default_value_t = 0.002)]
    rate: f32,
    #[arg(long, default_value_t = 4.0)]
    epochs: f64,
    #[command(flatten)]
    second: compared::Options,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Factor of cosines before a softmax.
const SHARPNESS: f32 = 20.0;

/// Weights of the losses: distance from the teacher's directions, from its order, and
/// cross-entropy.
pub(super) const LOSSES: [f32; 3] = [6.0, 1.0, 0.2];

/// Initial weight of sub-tokens around a chunk in the second stage, relative to those in its text.
/// The first stage cannot learn it, because the code of a pair has nothing around it.
const AROUND: f32 = 2.0;

/// Factor of the learning rate for the logarithms of sub-token weights.
const FASTER: f32 = 10.0;

/// Number of pairs in a group. A batch consists of groups of one repository each, so that the
/// student learns to tell similar codes apart.
const GROUP: usize = 16;

pub(crate) fn run(options: &Options) -> Result<()> {
    let started = Instant::now();
    let teacher = Teacher::open(&options.teacher)?;
    let taught = TaughtPairs::open(&options.taught)?;
    ensure!(
        taught.width == teacher.places.shape.width,
        "'{}' is of another teacher",
        options.taught.display()
    );
    ensure!(taught.pairs.len() > options.batch, "there are too few pairs");
    // Two generators, so that the random choices of one stage do not depend on the other.
    let [mut first, mut second] = [0, 1].map(|_| Random::new(options.seed));
    let compared = {
        let examples = Examples::read(&options.lists, Some(&options.pairs), &MANY_QUESTIONS, &mut second)?;
        RerankExamples::new(&examples)?
    };
    let mut student = Student::new(options.neurons, &teacher, &mut first);
    let pairs = Pairs::new(&taught);
    fit(&mut student, options, &pairs, &mut first);
    student.places[2] = AROUND * student.places[1];
    compared::fit(&mut student, &options.second, &compared, &pairs, &mut second);
    let bytes = student.encode();
    encoder::Encoder::open(&bytes).map_err(anyhow::Error::msg)?;
    std::fs::write(&options.out, &bytes)
        .with_context(|| format!("can't write '{}'", options.out.display()))?;
    println!("{} bytes, {:.0} s in all", bytes.len(), started.elapsed().as_secs_f64());
    Ok(())
}

/// The pairs of the first stage, prepared for training.
pub(super) struct Pairs<'t> {
    taught: &'t TaughtPairs,
    /// The sets of the texts, and those of the codes.
    sets: [Vec<Set>; 2],
    repositories: Vec<u32>,
}

impl<'t> Pairs<'t> {
    fn new(taught: &'t TaughtPairs) -> Self {
        let texts = taught.pairs.iter().map(|pair| set_of_question(&pair.text)).collect();
        let codes = taught.pairs.iter().map(|pair| set_of_chunk(&pair.code)).collect();
        let repositories = taught.pairs.iter().map(|pair| pair.repository).collect();
        Self { taught, sets: [texts, codes], repositories }
    }

    pub(super) fn len(&self) -> usize {
        self.repositories.len()
    }

    /// Returns the sets of the chosen texts, and those of their codes.
    pub(super) fn sets_of(&self, chosen: &[usize]) -> [Vec<&Set>; 2] {
        [0, 1].map(|side: usize| chosen.iter().map(|&at| &self.sets[side][at]).collect())
    }

    /// Returns the teacher's directions of the chosen pairs, those of the texts first.
    pub(super) fn goals(&self, chosen: &[usize]) -> Vec<f32> {
        let width = self.taught.width;
        let rows = |all: &'t Vec<f32>| chosen.iter().flat_map(move |&at| &all[at * width..][..width]);
        self.taught.directions.iter().flat_map(rows).copied().collect()
    }

    /// Returns all pairs in random order, in groups of one repository.
    pub(super) fn order(&self, random: &mut Random) -> Vec<usize> {
        grouped(&self.repositories, random)
    }
}

/// Runs the first stage.
fn fit(student: &mut Student, options: &Options, pairs: &Pairs<'_>, random: &mut Random) {
    let (width, batch) = (student.width, options.batch);
    let steps = (pairs.len() as f64 * options.epochs / batch as f64) as usize;
    let mut learning = StudentOptimiser::new(student, FASTER);
    let mut order: Vec<usize> = Vec::new();
    let mut progress = Progress::new("pairs", batch, steps);
    for step in 1..=steps {
        if order.len() < batch {
            order = pairs.order(random);
        }
        let chosen = order.split_off(order.len() - batch);
        let [texts, codes] = pairs.sets_of(&chosen);
        let goals = pairs.goals(&chosen);
        let (summed, losses) = student.slope([&texts, &codes], |out| loss(out, &goals, batch, width));
        learning.step(student, summed, rate(options.rate, step, steps));
        progress.step(step, losses);
    }
}

/// A report of the training progress and of the mean losses, printed every 200 steps.
pub(super) struct Progress<const N: usize> {
    of: &'static str,
    batch: usize,
    steps: usize,
    started: Instant,
    sums: [f32; N],
    summed: usize,
}

impl<const N: usize> Progress<N> {
    pub(super) fn new(of: &'static str, batch: usize, steps: usize) -> Self {
        Self { of, batch, steps, started: Instant::now(), sums: [0.0; N], summed: 0 }
    }

    pub(super) fn step(&mut self, step: usize, losses: [f32; N]) {
        self.sums.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += loss);
        self.summed += 1;
        if step.is_multiple_of(200) || step == self.steps {
            let means: Vec<String> =
                self.sums.iter().map(|sum| format!("{:.3}", sum / self.summed as f32)).collect();
            let speed = (step * self.batch) as f64 / self.started.elapsed().as_secs_f64();
            println!("step {step} of {}: {}, {speed:.0} {}/s", self.steps, means.join(" "), self.of);
            (self.sums, self.summed) = ([0.0; N], 0);
        }
    }
}

/// Returns all indices in random order, in groups of one repository.
fn grouped(repositories: &[u32], random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..repositories.len()).collect();
    random.shuffle(&mut order);
    order.sort_by_key(|&at| repositories[at]);
    let of_one = order.chunk_by(|&a, &b| repositories[a] == repositories[b]);
    let mut groups: Vec<&[usize]> = of_one.flat_map(|all| all.chunks(GROUP)).collect();
    random.shuffle(&mut groups);
    groups.concat()
}

/// Returns the gradient of a batch's loss by the outputs `means`, texts first, and the three
/// losses.
pub(super) fn loss(means: &[f32], goals: &[f32], batch: usize, width: usize) -> (Vec<f32>, [f32; 3]) {
    let n = batch as f32;
    let (directions, lengths) = directions(means, width);
    let half = batch * width;
    let products = |all: &[f32]| {
        let mut products = vec![0.0; batch * batch];
        let (ours, theirs) = (&all[..half], &all[half..]);
        sgemm(Matrix::new(ours, batch, width), Matrix::new(theirs, batch, width).transposed(), &mut products);
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
    let (of_texts, of_codes) = gradient.split_at_mut(half);
    sgemm(Matrix::new(&by_product, batch, batch), Matrix::new(&directions[half..], batch, width), of_texts);
    let by_text = Matrix::new(&by_product, batch, batch).transposed();
    sgemm(by_text, Matrix::new(&directions[..half], batch, width), of_codes);
    let rows = gradient.chunks_exact_mut(width).zip(directions.chunks_exact(width));
    for ((d, direction), (goal, length)) in rows.zip(goals.chunks_exact(width).zip(&lengths)) {
        let cosine: f32 = direction.iter().zip(goal).map(|(x, y)| x * y).sum();
        losses[0] += (1.0 - cosine) / n;
        d.iter_mut().zip(goal).for_each(|(d, goal)| *d -= LOSSES[0] * goal / n);
        through_scaling(d, direction, *length);
    }
    (gradient, losses)
}

#[cfg(test)]
mod tests {
    use super::super::pairs::{self, Kind};
    use super::super::student::tests::{assert_slopes, drawn};
    use super::super::{sources, taught, teacher};
    use super::*;
    use git_cora::index::embed::{Side, builtin};

    /// Compares the gradient of the weighted losses with finite differences of their sum.
    #[test]
    fn the_gradient_of_the_loss_is_its_slope() {
        let (batch, width) = (3, 8);
        let mut random = Random::new(11);
        let means = drawn(2 * batch * width, &mut random);
        let goals = directions(&drawn(2 * batch * width, &mut random), width).0;
        let value = |means: &[f32]| -> f64 {
            let losses = loss(means, &goals, batch, width).1;
            losses.into_iter().zip(LOSSES).map(|(loss, weight)| f64::from(loss) * f64::from(weight)).sum()
        };
        let (gradient, _) = loss(&means, &goals, batch, width);
        assert_slopes(&gradient, &means, value);
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

    /// Trains an encoder from pairs and a teacher twice: the program can open it, and both are
    /// equal.
    #[test]
    fn an_encoder_is_learnt_the_same_way_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let [of_teacher, of_pairs, of_lists] = ["teacher", "pairs", "lists"].map(|name| {
            let path = folder.path().join(name);
            std::fs::create_dir(&path).unwrap();
            path
        });
        teacher::tests::written(&of_teacher, "");
        let pair = |at: usize| pairs::Pair {
            kind: Kind::Doc,
            language: "python".to_owned(),
            text: format!("read a file and file number{at} reads"),
            code: format!("def read_file{at}(path):\n    return open(path).read()[{at}]\n"),
        };
        let pairs: Vec<pairs::Pair> = (0..280).map(pair).collect();
        let bytes = sources::compressed(&pairs::encode(&pairs).unwrap()).unwrap();
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
                pairs: of_pairs.clone(),
                lists: of_lists.clone(),
                out: out.clone(),
                neurons: 12,
                batch: 8,
                rate: 0.001,
                epochs: 2.0,
                second: compared::Options { compare_rate: 0.001, compare_epochs: 0.5 },
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
