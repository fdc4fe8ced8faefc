//! The teacher: a sentence encoder of the BERT family, read from the files of its package
//! (`model.safetensors`, `vocab.txt`, `config.json`).
//!
//! It is made for all-MiniLM-L6-v2 (Apache-2.0). It sees only words of lower-case ASCII letters and
//! digits, so its tokenizer can be simple: the longest known piece from the left.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;

use super::fit::normalise;
use super::layers::{Linear, Norm, add};
use super::transformer::{self, Places, Shape};

/// The fields of `config.json` that are needed.
#[derive(Debug, Deserialize)]
struct Config {
    hidden_size: usize,
    intermediate_size: usize,
    num_attention_heads: usize,
    num_hidden_layers: usize,
}

/// The header entry of a tensor in `model.safetensors`.
#[derive(Debug, Deserialize)]
struct Tensor {
    dtype: String,
    data_offsets: (usize, usize),
}

/// The tensors of a file, by name.
struct Tensors {
    bytes: Vec<u8>,
    data: usize,
    by_name: HashMap<String, Tensor>,
}

impl Tensors {
    fn open(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| format!("can't read '{}'", path.display()))?;
        let header = bytes.get(..8).and_then(|len| len.try_into().ok()).map(u64::from_le_bytes);
        let data = header.and_then(|len| usize::try_from(len).ok()?.checked_add(8));
        let header = data.and_then(|data| bytes.get(8..data)).context("a file without a header")?;
        let mut all: HashMap<String, serde_json::Value> = serde_json::from_slice(header)?;
        all.remove("__metadata__");
        let by_name = all
            .into_iter()
            .map(|(name, value)| Ok((name, serde_json::from_value(value)?)))
            .collect::<Result<_>>()?;
        let data = data.unwrap_or_default();
        Ok(Self { bytes, data, by_name })
    }

    /// Returns the numbers of a tensor, of which there must be `n`; any number if `n` is `None`.
    fn get(&self, name: &str, n: Option<usize>) -> Result<Vec<f32>> {
        let tensor = self.by_name.get(name).with_context(|| format!("there is no tensor '{name}'"))?;
        ensure!(tensor.dtype == "F32", "'{name}' is of {}", tensor.dtype);
        let (from, to) = tensor.data_offsets;
        let bytes = self.bytes.get(self.data..).and_then(|data| data.get(from..to));
        let bytes = bytes.with_context(|| format!("'{name}' is outside the file"))?;
        let numbers: Vec<f32> =
            bytes.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number)).collect();
        if n.is_some_and(|n| n != numbers.len()) {
            bail!("'{name}' has {} numbers", numbers.len());
        }
        Ok(numbers)
    }
}

/// A sentence encoder from which another one learns.
pub(crate) struct Teacher {
    pub(crate) places: Places,
    pub(crate) weights: Vec<f32>,
    /// Rows, one per piece of a word.
    pieces: Vec<f32>,
    /// Rows, one per position in a text, including the row that all texts share.
    positions: Vec<f32>,
    numbers: HashMap<String, u32>,
}

/// Maximum number of pieces of a text, including the two that mark its beginning and end.
const MOST_PIECES: usize = 64;

impl Teacher {
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read_to_string(&path).with_context(|| format!("can't read '{}'", path.display()))
        };
        let config: Config = serde_json::from_str(&read("config.json")?)?;
        let shape = Shape {
            layers: config.num_hidden_layers,
            width: config.hidden_size,
            heads: config.num_attention_heads,
            inner: config.intermediate_size,
        };
        let places = Places::new(shape);
        let tensors = Tensors::open(&folder.join("model.safetensors"))?;
        let mut weights = vec![0.0; places.len];
        let norm = |to: &Norm, name: &str, weights: &mut [f32]| -> Result<()> {
            weights[to.factors()].copy_from_slice(&tensors.get(&format!("{name}.weight"), Some(to.width))?);
            weights[to.summands()].copy_from_slice(&tensors.get(&format!("{name}.bias"), Some(to.width))?);
            Ok(())
        };
        // One map here may combine several maps of the file, one after the other.
        let linear = |to: &Linear, names: &[String], weights: &mut [f32]| -> Result<()> {
            for (part, range) in [("weight", to.weights()), ("bias", to.bias())] {
                let each = range.len() / names.len();
                for (slot, name) in weights[range].chunks_exact_mut(each).zip(names) {
                    slot.copy_from_slice(&tensors.get(&format!("{name}.{part}"), Some(each))?);
                }
            }
            Ok(())
        };
        norm(&places.start, "embeddings.LayerNorm", &mut weights)?;
        for (i, layer) in places.layers.iter().enumerate() {
            let name = |part: &str| format!("encoder.layer.{i}.{part}");
            let attention = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
            linear(&layer.attention, &attention, &mut weights)?;
            linear(&layer.joined, &[name("attention.output.dense")], &mut weights)?;
            norm(&layer.first, &name("attention.output.LayerNorm"), &mut weights)?;
            linear(&layer.inner, &[name("intermediate.dense")], &mut weights)?;
            linear(&layer.outer, &[name("output.dense")], &mut weights)?;
            norm(&layer.second, &name("output.LayerNorm"), &mut weights)?;
        }
        let mut positions = tensors.get("embeddings.position_embeddings.weight", None)?;
        let kinds = tensors.get("embeddings.token_type_embeddings.weight", None)?;
        positions.chunks_exact_mut(shape.width).for_each(|row| add(row, &kinds[..shape.width]));
        let numbers: HashMap<String, u32> =
            read("vocab.txt")?.lines().zip(0..).map(|(word, number)| (word.to_owned(), number)).collect();
        let pieces = tensors.get("embeddings.word_embeddings.weight", Some(numbers.len() * shape.width))?;
        for special in ["[CLS]", "[SEP]", "[UNK]"] {
            ensure!(numbers.contains_key(special), "the vocabulary lacks {special}");
        }
        Ok(Self { places, weights, pieces, positions, numbers })
    }

    fn number(&self, piece: &str) -> u32 {
        self.numbers.get(piece).copied().unwrap_or_default()
    }

    /// Splits a lower-case word into pieces, the longest from the left first.
    pub(crate) fn pieces_of(&self, word: &str) -> Vec<u32> {
        let mut pieces = Vec::new();
        let mut from = 0;
        while from < word.len() {
            let sign = if from == 0 { "" } else { "##" };
            let ends = (from + 1..=word.len()).rev().filter(|&end| word.is_char_boundary(end));
            let longest = ends
                .filter_map(|end| Some((end, *self.numbers.get(&format!("{sign}{}", &word[from..end]))?)))
                .next();
            let Some((end, number)) = longest else { return vec![self.number("[UNK]")] };
            pieces.push(number);
            from = end;
        }
        pieces
    }

    /// Returns the vector of a piece.
    pub(crate) fn row(&self, piece: u32) -> &[f32] {
        let width = self.places.shape.width;
        &self.pieces[piece as usize * width..][..width]
    }

    /// Returns the vector of a word without context, at the mean position.
    pub(crate) fn alone(&self, pieces: &[u32]) -> Vec<f32> {
        let width = self.places.shape.width;
        let positions = self.positions.chunks_exact(width).take(MOST_PIECES);
        let mut word = vec![0.0; width];
        let rows = pieces.iter().map(|&piece| (self.row(piece), pieces.len()));
        for (row, n) in rows.chain(positions.clone().map(|row| (row, positions.len()))) {
            word.iter_mut().zip(row).for_each(|(sum, x)| *sum += x / n as f32);
        }
        self.places.start.forward(&self.weights, word).out
    }

    /// Returns the directions of texts, given as pieces of words; each direction has length 1.
    pub(crate) fn directions(&self, texts: &[&[u32]]) -> Vec<f32> {
        let width = self.places.shape.width;
        let (mut x, mut ends) = (Vec::new(), Vec::new());
        for text in texts {
            let inside = text.iter().copied().take(MOST_PIECES - 2);
            let all = std::iter::once(self.number("[CLS]")).chain(inside);
            for (piece, position) in all.chain([self.number("[SEP]")]).zip(self.positions.chunks_exact(width))
            {
                x.extend(self.row(piece).iter().zip(position).map(|(x, y)| x + y));
            }
            ends.push(x.len() / width);
        }
        let mut means = transformer::forward(&self.places, &self.weights, x, &ends);
        means.chunks_exact_mut(width).for_each(|row| {
            normalise(row);
        });
        means
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use xtask_lab::random::Random;

    /// Writes a teacher of two layers with random weights, in the format of its package.
    pub(crate) fn written(folder: &Path, without: &str) {
        let (width, inner) = (8, 16);
        let vocabulary =
            ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "read", "re", "##ad", "##er", "file", "a", "##s"];
        std::fs::write(folder.join("vocab.txt"), vocabulary.join("\n")).unwrap();
        let config = serde_json::json!({
            "hidden_size": width, "intermediate_size": inner, "num_attention_heads": 2, "num_hidden_layers": 2,
        });
        std::fs::write(folder.join("config.json"), config.to_string()).unwrap();
        let mut shapes = vec![
            ("embeddings.word_embeddings.weight".to_owned(), vocabulary.len() * width),
            ("embeddings.position_embeddings.weight".to_owned(), 70 * width),
            ("embeddings.token_type_embeddings.weight".to_owned(), 2 * width),
        ];
        let mut linear = |name: String, inputs: usize, outputs: usize| {
            shapes.push((format!("{name}.weight"), inputs * outputs));
            shapes.push((format!("{name}.bias"), outputs));
        };
        linear("embeddings.LayerNorm".to_owned(), 1, width);
        for layer in 0..2 {
            let name = |part: &str| format!("encoder.layer.{layer}.{part}");
            for part in ["query", "key", "value"] {
                linear(name(&format!("attention.self.{part}")), width, width);
            }
            linear(name("attention.output.dense"), width, width);
            linear(name("attention.output.LayerNorm"), 1, width);
            linear(name("intermediate.dense"), width, inner);
            linear(name("output.dense"), inner, width);
            linear(name("output.LayerNorm"), 1, width);
        }
        let mut random = Random::new(7);
        let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
        for (name, n) in shapes.into_iter().filter(|(name, _)| name != without) {
            let from = data.len();
            (0..n).for_each(|_| data.extend((random.unit() - 0.5).to_le_bytes()));
            let tensor = serde_json::json!({ "dtype": "F32", "data_offsets": [from, data.len()] });
            header.insert(name, tensor);
        }
        header.insert("__metadata__".to_owned(), serde_json::json!({ "format": "pt" }));
        let header = serde_json::Value::Object(header).to_string();
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.into_bytes());
        file.extend(data);
        std::fs::write(folder.join("model.safetensors"), file).unwrap();
    }

    #[test]
    fn a_teacher_is_read_and_asked() {
        let folder = tempfile::tempdir().unwrap();
        written(folder.path(), "");
        let teacher = Teacher::open(folder.path()).unwrap();
        assert_eq!(teacher.pieces_of("read"), [4]);
        assert_eq!(teacher.pieces_of("reader"), [4, 7]);
        assert_eq!(teacher.pieces_of("reads"), [4, 10]);
        assert_eq!(teacher.pieces_of("reading"), [1]);
        let texts: [&[u32]; 3] = [&[4, 8], &[4], &[8, 4]];
        let directions = teacher.directions(&texts);
        assert_eq!(directions.len(), 3 * 8);
        for direction in directions.chunks(8) {
            assert!((direction.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5);
        }
        assert_ne!(directions[..8], directions[16..], "the order of words counts");
        let alone = teacher.directions(&texts[1..2]);
        assert!(alone.iter().zip(&directions[8..16]).all(|(x, y)| (x - y).abs() < 1e-5));
        let long: Vec<u32> = [4; 200].to_vec();
        assert_eq!(teacher.directions(&[&long]), teacher.directions(&[&long[..MOST_PIECES - 2]]));
    }

    #[test]
    fn what_a_teacher_lacks_is_said() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Teacher::open(folder.path()).is_err());
        written(folder.path(), "encoder.layer.1.output.dense.bias");
        let error = Teacher::open(folder.path()).err().unwrap().to_string();
        assert!(error.contains("encoder.layer.1.output.dense.bias"), "{error}");
        std::fs::write(folder.path().join("model.safetensors"), [255; 12]).unwrap();
        assert!(Teacher::open(folder.path()).is_err());
    }
}
