//! A small transformer over sets of sub-tokens: what a chunk says as a whole, where kernels compare word by word.
//!
//! A question and a chunk are each a set: of a chunk its most telling sub-tokens, of which only is known whether they stand in a
//! head ([`Kind`]). Every sub-token looks at every other (Vaswani et al., «Attention Is All You Need», 2017, without
//! places); the mean of what comes out is the direction of the set, and the cosine of two directions says how well they fit.
//! Learnt from a sentence encoder (`cargo xtask train encoder`).
//!
//! It is for the best chunks of a search alone, as one costs milliseconds. The program carries none so far; what one is worth is
//! measured by `cargo xtask eval --encoder FILE`.
//!
//! Products are of 8-bit integers, and the rest is in floats with operations that every machine rounds alike, in a fixed order:
//! so a direction is the same on every machine.
//!
//! The file (little-endian): `CORAENC1`; layers, width, heads, inner width, sub-tokens, length of the model's name whose
//! sub-tokens they are (u32 each); the name; then the rows of sub-tokens, the vectors of [`Kind`]s (f32), the factors and
//! summands of the first normalisation (f32 each), and by layer the maps from a token's vector to queries, keys and values,
//! from what heads have seen, to the inner neurons and back, each followed by its bias (f32), and the factors and summands of its
//! two normalisations. Rows, and maps by output, are their scales (f32 each), then their components (i8 each).

mod layers;

use super::kernels::Places;
use super::model;
use super::scan::widest;
use layers::{Scratch, activate, add, head};

/// The first bytes of the file.
pub const MAGIC: &[u8; 8] = b"CORAENC1";

/// A question counts with so many of its sub-tokens, its first.
pub const MOST_ASKED: usize = 16;

/// A chunk counts with so many, its most telling.
pub const MOST_OF_CHUNK: usize = 48;

/// Layers, width, heads and inner width are no larger than these.
const LARGEST: [usize; 4] = [12, 1024, 64, 4096];

/// Where a token is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Kind {
    /// A question.
    Question = 0,
    /// The name or signature of a declaration of a chunk.
    Head,
    /// The text of a chunk, its path, or what is around it.
    Text,
}

/// Number of [`Kind`]s.
pub const N_KINDS: usize = 3;

/// A set of tokens.
pub type Tokens = Vec<(u16, Kind)>;

/// The tokens of a question: each sub-token once.
pub fn asked(numbers: &[u16]) -> Tokens {
    let mut tokens: Tokens = Vec::new();
    for &number in numbers {
        if tokens.len() < MOST_ASKED && !tokens.iter().any(|one| one.0 == number) {
            tokens.push((number, Kind::Question));
        }
    }
    tokens
}

/// The tokens of a chunk, of which [`MOST_OF_CHUNK`] have been [kept](super::kernels::keep_most_telling).
pub fn of_chunk(chunk: &[(u16, Places)]) -> Tokens {
    let kind = |places: &Places| if places.in_head { Kind::Head } else { Kind::Text };
    chunk.iter().map(|(number, places)| (*number, kind(places))).collect()
}

/// Rows of components of 8 bits, each row with a scale.
#[derive(Debug, Clone)]
struct Rows<'m> {
    width: usize,
    scales: Vec<f32>,
    components: &'m [u8],
}

impl Rows<'_> {
    fn row(&self, at: usize) -> Option<(f32, &[u8])> {
        let components = self.components.get(at.checked_mul(self.width)?..)?.get(..self.width)?;
        Some((*self.scales.get(at)?, components))
    }
}

/// A linear map.
#[derive(Debug, Clone)]
struct Linear<'m> {
    rows: Rows<'m>,
    bias: Vec<f32>,
}

/// A normalisation: factors and summands.
#[derive(Debug, Clone)]
struct Norm {
    factors: Vec<f32>,
    summands: Vec<f32>,
}

#[derive(Debug, Clone)]
struct Layer<'m> {
    attention: Linear<'m>,
    joined: Linear<'m>,
    inner: Linear<'m>,
    outer: Linear<'m>,
    first: Norm,
    second: Norm,
}

/// A transformer over sets of sub-tokens.
#[derive(Debug, Clone)]
pub struct Encoder<'m> {
    width: usize,
    heads: usize,
    rows: Rows<'m>,
    kinds: Vec<f32>,
    start: Norm,
    layers: Vec<Layer<'m>>,
}

/// Reads a file from its beginning.
struct Reader<'m>(&'m [u8]);

impl<'m> Reader<'m> {
    fn take(&mut self, n: usize) -> Result<&'m [u8], &'static str> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or("an encoder ends early")?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<usize, &'static str> {
        let bytes = self.take(4)?.try_into().map_err(|_| "an encoder ends early")?;
        usize::try_from(u32::from_le_bytes(bytes)).map_err(|_| "an encoder is too large")
    }

    fn floats(&mut self, n: usize) -> Result<Vec<f32>, &'static str> {
        let floats: Vec<f32> =
            self.take(4 * n)?.as_chunks().0.iter().map(|x| f32::from_le_bytes(*x)).collect();
        if floats.iter().all(|x| x.is_finite()) {
            Ok(floats)
        } else {
            Err("an encoder has a number that is none")
        }
    }

    fn rows(&mut self, n: usize, width: usize) -> Result<Rows<'m>, &'static str> {
        Ok(Rows { width, scales: self.floats(n)?, components: self.take(n * width)? })
    }

    fn linear(&mut self, inputs: usize, outputs: usize) -> Result<Linear<'m>, &'static str> {
        Ok(Linear { rows: self.rows(outputs, inputs)?, bias: self.floats(outputs)? })
    }

    fn norm(&mut self, width: usize) -> Result<Norm, &'static str> {
        Ok(Norm { factors: self.floats(width)?, summands: self.floats(width)? })
    }
}

impl<'m> Encoder<'m> {
    /// Opens the bytes of an encoder.
    ///
    /// # Errors
    /// Says what is wrong with bytes that are none, or that belong to another model than the built-in one.
    pub fn open(bytes: &'m [u8]) -> Result<Self, &'static str> {
        let mut reader = Reader(bytes);
        if reader.take(MAGIC.len())? != MAGIC {
            return Err("not an encoder");
        }
        let sizes = [reader.number()?, reader.number()?, reader.number()?, reader.number()?];
        let [n_layers, width, heads, inner] = sizes;
        let is_sound = sizes.iter().zip(LARGEST).all(|(&size, largest)| (1..=largest).contains(&size));
        if !is_sound || width % heads != 0 {
            return Err("an encoder of impossible sizes");
        }
        let n = reader.number()?;
        let name_len = reader.number()?;
        if reader.take(name_len)? != model::builtin().name().as_bytes()
            || n != model::builtin().vocabulary().len()
        {
            return Err("an encoder for another model");
        }
        let rows = reader.rows(n, width)?;
        let kinds = reader.floats(N_KINDS * width)?;
        let start = reader.norm(width)?;
        let layer = |reader: &mut Reader<'m>| {
            Ok(Layer {
                attention: reader.linear(width, 3 * width)?,
                joined: reader.linear(width, width)?,
                inner: reader.linear(width, inner)?,
                outer: reader.linear(inner, width)?,
                first: reader.norm(width)?,
                second: reader.norm(width)?,
            })
        };
        let layers = (0..n_layers).map(|_| layer(&mut reader)).collect::<Result<_, &'static str>>()?;
        if reader.0.is_empty() {
            Ok(Self { width, heads, rows, kinds, start, layers })
        } else {
            Err("an encoder is too long")
        }
    }

    /// The directions of some sets, each of length 1; of an empty set nothing but zeros.
    pub fn directions(&self, sets: &[&Tokens]) -> Vec<Vec<f32>> {
        let width = self.width;
        let mut x = Vec::new();
        let mut ends = Vec::with_capacity(sets.len());
        for set in sets {
            for &(number, kind) in *set {
                let Some((scale, row)) = self.rows.row(number.into()) else { continue };
                let kinds = self.kinds.chunks_exact(width).nth(kind as usize).unwrap_or_default();
                x.extend(row.iter().zip(kinds).map(|(&x, kind)| f32::from(x.cast_signed()) * scale + kind));
            }
            ends.push(x.len() / width);
        }
        self.start.apply(&mut x);
        for layer in &self.layers {
            let attention = layer.attention.apply(&x);
            let seen = self.attend(&attention, &ends);
            add(&mut x, &layer.joined.apply(&seen));
            layer.first.apply(&mut x);
            let mut inner = layer.inner.apply(&x);
            activate(&mut inner);
            add(&mut x, &layer.outer.apply(&inner));
            layer.second.apply(&mut x);
        }
        let mut from = 0;
        let mean = |&end: &usize| {
            let mut sum = vec![0.0; width];
            let tokens = x.chunks_exact(width).take(end).skip(from);
            from = end;
            tokens.for_each(|token| add(&mut sum, token));
            let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
            sum.iter_mut().for_each(|x| *x /= length);
            sum
        };
        ends.iter().map(mean).collect()
    }

    /// What the tokens of each set see of each other, by queries, keys and values.
    fn attend(&self, attention: &[f32], ends: &[usize]) -> Vec<f32> {
        let (width, size) = (self.width, self.width / self.heads);
        let mut seen = vec![0.0; attention.len() / 3];
        let mut scratch = Scratch::default();
        let mut from = 0;
        for &end in ends {
            let tokens = attention.get(from * 3 * width..end * 3 * width).unwrap_or_default();
            let out = seen.get_mut(from * width..end * width).unwrap_or_default();
            from = end;
            for at in (0..width).step_by(size) {
                widest(
                    #[inline(always)]
                    || head(tokens, out, width, at..at + size, &mut scratch),
                );
            }
        }
        seen
    }
}

/// Writes the file.
#[derive(Debug)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// A file of an encoder with these numbers of layers, components, heads and inner neurons, for the sub-tokens of the
    /// built-in model of that name.
    pub fn new(sizes: [u32; 4], name: &str) -> Self {
        let mut out = MAGIC.to_vec();
        let n = u32::try_from(model::builtin().vocabulary().len()).unwrap_or(u32::MAX);
        let name_len = u32::try_from(name.len()).unwrap_or(u32::MAX);
        for number in sizes.into_iter().chain([n, name_len]) {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(name.as_bytes());
        Self(out)
    }

    /// Adds numbers.
    pub fn floats(&mut self, floats: &[f32]) {
        floats.iter().for_each(|x| self.0.extend_from_slice(&x.to_le_bytes()));
    }

    /// Adds rows of a width, each rounded by its largest component.
    pub fn rows(&mut self, rows: &[f32], width: usize) {
        let largest = |row: &[f32]| row.iter().fold(f32::MIN_POSITIVE, |most, x| most.max(x.abs()));
        let scales: Vec<f32> = rows.chunks_exact(width).map(|row| largest(row) / 127.0).collect();
        self.floats(&scales);
        for (row, scale) in rows.chunks_exact(width).zip(&scales) {
            // At most 127 in size.
            #[allow(clippy::cast_possible_truncation)]
            self.0.extend(row.iter().map(|x| ((x / scale).round() as i8).cast_unsigned()));
        }
    }

    /// The bytes.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WIDTH: usize = 8;
    const INNER: usize = 12;

    /// The bytes of an encoder with weights that look like any.
    fn bytes() -> Vec<u8> {
        let mut seed = 1u32;
        let mut drawn = |n: usize| -> Vec<f32> {
            let mut next = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                f32::from(u8::try_from(seed >> 24).unwrap()) / 128.0 - 1.0
            };
            (0..n).map(|_| next()).collect()
        };
        let mut out = Writer::new([2, 8, 2, 12], model::builtin().name());
        out.rows(&drawn(model::builtin().vocabulary().len() * WIDTH), WIDTH);
        out.floats(&drawn(N_KINDS * WIDTH));
        out.floats(&drawn(2 * WIDTH));
        for _ in 0..2 {
            for (inputs, outputs) in [(WIDTH, 3 * WIDTH), (WIDTH, WIDTH), (WIDTH, INNER), (INNER, WIDTH)] {
                out.rows(&drawn(inputs * outputs), inputs);
                out.floats(&drawn(outputs));
            }
            out.floats(&drawn(2 * 2 * WIDTH));
        }
        out.finish()
    }

    /// The sub-tokens of a text, as a chunk has them.
    fn chunk(text: &str) -> Tokens {
        let mut numbers = model::builtin().asked(text.split(' '));
        numbers.sort_unstable();
        numbers.dedup();
        let places = Places { in_text: 1, ..Places::default() };
        of_chunk(&numbers.into_iter().map(|number| (number, places)).collect::<Vec<_>>())
    }

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn directions_are_the_same_on_every_machine() {
        let bytes = bytes();
        let encoder = Encoder::open(&bytes).unwrap();
        let direction = encoder.directions(&[&chunk("how to sort a list in descending order")]).remove(0);
        let bits: Vec<u32> = direction.iter().map(|x| x.to_bits()).collect();
        assert_eq!(
            bits,
            [
                0x3ea7_8127,
                0x3e60_e7bb,
                0xbe63_499f,
                0x3d30_7922,
                0xbf20_8113,
                0xbf07_3347,
                0xbe33_7f84,
                0x3e9a_577e,
            ]
        );
    }

    #[test]
    fn words_are_read_by_where_they_stand() {
        let bytes = bytes();
        let encoder = Encoder::open(&bytes).unwrap();
        let set = chunk("sort a list");
        let of_kind = |kind| -> Tokens { set.iter().map(|one| (one.0, kind)).collect() };
        let [asked, head] = [Kind::Question, Kind::Head].map(of_kind);
        let directions = encoder.directions(&[&set, &asked, &head]);
        assert!(
            directions[0] != directions[1]
                && directions[0] != directions[2]
                && directions[1] != directions[2]
        );
    }

    #[test]
    fn sets_do_not_see_each_other() {
        let bytes = bytes();
        let encoder = Encoder::open(&bytes).unwrap();
        let sets =
            ["read a file line by line", "close", "parse the header of a request and its body"].map(chunk);
        let together = encoder.directions(&[&sets[0], &sets[1], &Tokens::new(), &sets[2]]);
        for (set, there) in [(0, 0), (1, 1), (2, 3)] {
            assert_eq!(encoder.directions(&[&sets[set]])[0], together[there]);
            assert!((cosine(&together[there], &together[there]) - 1.0).abs() < 1e-5);
        }
        assert!(together[2].iter().all(|x| *x == 0.0));
        assert!(encoder.directions(&[]).is_empty());
    }

    #[test]
    fn a_question_has_each_sub_token_once() {
        assert_eq!(asked(&[5, 3, 5]), [(5, Kind::Question), (3, Kind::Question)]);
        let many: Vec<u16> = (0..100).collect();
        assert_eq!(asked(&many).len(), MOST_ASKED);
    }

    #[test]
    fn powers_of_e_are_near() {
        for x in -870..870 {
            let x = x as f32 / 10.0;
            assert!((layers::exp(x) / x.exp() - 1.0).abs() < 2e-5, "{x}");
        }
        assert!(layers::exp(-1e30) < 1e-30 && layers::exp(1e30).is_finite());
    }

    #[test]
    fn what_is_no_encoder_says_so() {
        let bytes = bytes();
        assert!(Encoder::open(&bytes).is_ok());
        for len in (0..200).chain((200..bytes.len()).step_by(4001)) {
            assert!(Encoder::open(&bytes[..len]).is_err(), "{len}");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert_eq!(Encoder::open(&longer).unwrap_err(), "an encoder is too long");
        let changed = |at: usize, to: u32| {
            let mut bytes = bytes.clone();
            bytes[at..at + 4].copy_from_slice(&to.to_le_bytes());
            Encoder::open(&bytes).map(|_| ()).unwrap_err()
        };
        assert_eq!(changed(0, 0), "not an encoder");
        for size in [0, 7, u32::MAX] {
            assert_eq!(changed(16, size), "an encoder of impossible sizes");
        }
        assert_eq!(changed(24, 3), "an encoder for another model");
        assert_eq!(changed(28, u32::MAX), "an encoder ends early");
    }

    proptest! {
        #[test]
        fn a_map_is_near_what_it_stands_for(
            x in prop::collection::vec(-3f32..3.0, 2 * 24),
            weights in prop::collection::vec(-1f32..1.0, 5 * 24),
            bias in prop::collection::vec(-1f32..1.0, 5),
        ) {
            let mut writer = Writer(Vec::new());
            writer.rows(&weights, 24);
            writer.floats(&bias);
            let bytes = writer.finish();
            let map = Reader(&bytes).linear(24, 5).unwrap();
            for (x, y) in x.chunks(24).zip(map.apply(&x).chunks(5)) {
                for (output, y) in y.iter().enumerate() {
                    let exact: f32 = x.iter().zip(&weights[output * 24..]).map(|(x, w)| x * w).sum();
                    prop_assert!((exact + bias[output] - y).abs() < 0.3);
                }
            }
        }
    }
}
