//! Weights in floats, as `fit` writes them, and the quantised model that the program contains.
//!
//! `write` averages several results of `fit`, quantises the mean, and measures it before and after.
//! A quantised model can be read back, so that training can continue from it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use git_cora::index::embed::{self, Bag as Counts, Field, Side};

use super::corpus::{Bag, vocabulary_bytes};
use super::fit::Model;
use super::judge::{self, EmbeddingModel};

/// Options of `train write`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Weights that `fit` wrote. Of several, the mean is used. They must have the same sub-tokens,
    /// and come from the same model.
    #[arg(long, required = true)]
    weights: Vec<PathBuf>,
    /// Folder of sets to judge by: the weights as floats, and the written model.
    #[arg(long)]
    sets: PathBuf,
    /// The model's file.
    #[arg(long, default_value = "src/index/embed/model.bin")]
    out: PathBuf,
    /// Files of kernels for this model: its name is written into them. They must be learnt with a
    /// model of the same sub-tokens.
    #[arg(long)]
    kernels: Vec<PathBuf>,
}

/// Writes the number of sub-tokens and of dimensions, the sub-tokens (one per line), and all
/// numbers as little-endian floats.
pub(crate) fn write(path: &Path, words: &[String], model: &Model) -> Result<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    writeln!(out, "{} {}", words.len(), model.dimensions)?;
    for word in words {
        writeln!(out, "{word}")?;
    }
    for x in model.weights.iter().flatten().chain(&model.vectors) {
        out.write_all(&x.to_le_bytes())?;
    }
    out.flush()?;
    Ok(())
}

/// Reads a file that [`write()`] wrote.
pub(crate) fn read(path: &Path) -> Result<(Vec<String>, Model)> {
    let file = std::fs::File::open(path).with_context(|| format!("can't read '{}'", path.display()))?;
    let mut input = BufReader::new(file);
    let mut line = String::new();
    input.read_line(&mut line)?;
    let (n, dimensions) = line.trim().split_once(' ').context("no weights")?;
    let (n, dimensions): (usize, usize) = (n.parse()?, dimensions.parse()?);
    let mut words = Vec::with_capacity(n);
    for _ in 0..n {
        line.clear();
        input.read_line(&mut line)?;
        words.push(line.trim_end_matches('\n').to_owned());
    }
    let mut floats = |n: usize| -> Result<Vec<f32>> {
        let mut bytes = vec![0u8; n * 4];
        input.read_exact(&mut bytes)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
    };
    let weights = [floats(n)?, floats(n)?];
    let vectors = floats(n * dimensions)?;
    Ok((words, Model { dimensions, vectors, weights }))
}

/// Returns the mean of weights that were trained from one model with different orders of the pairs.
/// The mean keeps what all agree on (Wortsman et al., "Model soups", 2022).
fn mean(paths: &[PathBuf]) -> Result<(Vec<String>, Model)> {
    let (first, others) = paths.split_first().context("no weights")?;
    let (words, mut model) = read(first)?;
    for path in others {
        let (of_other, other) = read(path)?;
        ensure!(of_other == words, "'{}' has other sub-tokens than '{}'", path.display(), first.display());
        let theirs = other.weights.iter().flatten().chain(&other.vectors);
        for (x, y) in model.weights.iter_mut().flatten().chain(&mut model.vectors).zip(theirs) {
            *x += y;
        }
    }
    for x in model.weights.iter_mut().flatten().chain(&mut model.vectors) {
        *x /= paths.len() as f32;
    }
    Ok((words, model))
}

/// Recovers sub-tokens, rows and weights from a model's file, up to rounding.
///
/// Rows and weights are scaled to the magnitude that `fit` produces, so that it can continue with
/// them.
pub(crate) fn of_model(path: &Path) -> Result<(Vec<String>, Model)> {
    /// Approximate largest component of a row after one epoch; next, the mean of the weights.
    const LARGEST: f32 = 2.2;
    const MEAN: f32 = 1.6;
    let bytes = std::fs::read(path).with_context(|| format!("can't read '{}'", path.display()))?;
    let model = embed::Model::open(&bytes).map_err(anyhow::Error::msg)?;
    let words = model.vocabulary().words();
    let numbers = 0..u16::try_from(words.len())?;
    let rows = numbers.clone().filter_map(|number| model.row(number)).flatten();
    let vectors = rows.map(|&x| f32::from(x.cast_signed()) / 127.0 * LARGEST).collect();
    let weights = [Side::Text, Side::Code].map(|side| {
        let of: Vec<f32> = numbers.clone().map(|number| model.weight(side, number).max(1) as f32).collect();
        let mean = of.iter().sum::<f32>() / of.len().max(1) as f32;
        of.into_iter().map(|w| (w / mean * MEAN).ln()).collect()
    });
    Ok((words, Model { dimensions: embed::DIMENSIONS, vectors, weights }))
}

/// The model's bytes, laid out as `src/index/embed/builtin.rs` says.
fn quantised(words: &[String], model: &Model) -> Result<Vec<u8>> {
    let d = model.dimensions;
    let mut rows = Vec::with_capacity(words.len() * d);
    let mut scales = Vec::with_capacity(words.len());
    for row in model.vectors.chunks(d) {
        let largest = row.iter().fold(0f32, |m, x| m.max(x.abs())).max(1e-12);
        scales.push(largest / 127.0);
        rows.extend(row.iter().map(|x| (x / largest * 127.0).round() as i8 as u8));
    }
    let mut weights = Vec::new();
    for side in &model.weights {
        let of: Vec<f32> = side.iter().zip(&scales).map(|(w, s)| w.exp() * s).collect();
        let largest = of.iter().copied().fold(0f32, f32::max);
        for w in of {
            weights.extend(((w / largest * 65_535.0).round() as u16).to_le_bytes());
        }
    }
    let vocabulary = vocabulary_bytes(words)?;
    let mut sum = crc32fast::Hasher::new();
    for part in [&weights, &rows, &vocabulary] {
        sum.update(part);
    }
    let name = format!("cora-static-{d}-{:08x}", sum.finalize());
    let mut out = b"CORAEMB1".to_vec();
    for n in [words.len(), d, vocabulary.len(), name.len()] {
        out.extend(u32::try_from(n)?.to_le_bytes());
    }
    out.extend(name.as_bytes());
    out.extend(weights);
    out.extend(rows);
    out.extend(vocabulary);
    Ok(out)
}

/// A quantised model, measured in the same way as one in floats.
struct QuantisedModel<'m>(embed::Model<'m>);

impl EmbeddingModel for QuantisedModel<'_> {
    fn dimensions(&self) -> usize {
        embed::DIMENSIONS
    }

    fn embed(&self, bag: &Bag, is_code: bool, out: &mut [f32]) {
        let mut counts = Counts::new(&self.0);
        for &(number, n) in bag {
            counts.add(number.into(), Field::Body, n.into());
        }
        let vector = counts.finish(&self.0, if is_code { Side::Code } else { Side::Text });
        for (o, x) in out.iter_mut().zip(vector.0) {
            *o = f32::from(x) / 300.0;
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let (words, model) = mean(&options.weights)?;
    ensure!(model.dimensions == embed::DIMENSIONS, "the program has {} dimensions", embed::DIMENSIONS);
    let bytes = quantised(&words, &model)?;
    let opened = embed::Model::open(&bytes).map_err(anyhow::Error::msg)?;
    let sets = judge::open(&options.sets, opened.vocabulary())?;
    println!("floats: {}", judge::summary(&model, &sets, true));
    let quantised = QuantisedModel(opened);
    println!("quantised: {}", judge::summary(&quantised, &sets, true));
    for set in &sets {
        println!("  {}: {}", set.name, judge::line(&judge::judge(&quantised, set, true)));
    }
    std::fs::write(&options.out, &bytes)?;
    println!("{}: {} bytes, {} sub-tokens", options.out.display(), bytes.len(), words.len());
    for path in &options.kernels {
        super::kernels::go_with(path, &quantised.0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::bag;

    /// Reads the same samples as the program's own test, `tests/formats/embedding.rs`.
    #[test]
    fn training_counts_and_embeds_as_the_program_does() {
        let golden = include_str!("../../../tests/formats/embedding.tsv");
        let bytes = include_bytes!("../../../src/index/embed/model.bin");
        let model = QuantisedModel(embed::Model::open(bytes).unwrap());
        let mut n = 0;
        for line in golden.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [side, text, numbers, crc, _] = fields[..] else { panic!("five fields: {line}") };
            let (text, is_code): (String, bool) = (serde_json::from_str(text).unwrap(), side == "code");
            let bag = bag(model.0.vocabulary(), &text, is_code);
            let counted: Vec<String> = bag.iter().map(|(number, n)| format!("{number}:{n}")).collect();
            assert_eq!(counted.join(" "), numbers, "{text}");
            let mut out = [0f32; embed::DIMENSIONS];
            model.embed(&bag, is_code, &mut out);
            let bytes = out.map(|x| ((x * 300.0).round() as i8).cast_unsigned());
            assert_eq!(format!("{:08x}", crc32fast::hash(&bytes)), crc, "{text}");
            n += 1;
        }
        assert!(n >= 22, "{n} lines");
    }
}
