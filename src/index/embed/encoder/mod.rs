//! A small network over sets of sub-tokens: it compares whole texts, where kernels compare words.
//!
//! A deep averaging network (Iyyer, Manjunatha, Boyd-Graber and Daumé, "Deep Unordered Composition
//! Rivals Syntactic Methods for Text Classification", 2015):
//!
//! 1. The rows of a set's sub-tokens are summed, each times the weight of its [`Places`].
//! 2. The sum is normalised and goes through one layer of neurons.
//! 3. The layer's output is added to the sum, so that words change each other's meaning.
//!
//! The cosine of two directions rates how well a chunk answers a question. The network learned from
//! a sentence encoder, then from questions about chunks, to see what [kernels](super::kernels) miss
//! (`cargo xtask train encoder`).
//!
//! Must not run on more than the best chunks of a search: each chunk costs tens of microseconds.
//! See `doc/experiments/embedding.md`.
//!
//! **Invariant.** A direction is the same on every machine. Products are of 8-bit integers; floats
//! use only operations that every machine rounds alike, in a fixed order.
//!
//! The file (little-endian):
//!
//! - `CORAENC2`
//! - width, neurons, number of sub-tokens n, length of the model's name (u32 each)
//! - the name of the model that the sub-tokens belong to
//! - rows of the sub-tokens: scales (f32 × n), components (4 bits × width × n), scales of the
//!   components (f32 × width)
//! - weights of the places (f32 × 3)
//! - normalisation: factors, summands for questions, summands for code (f32 × width each)
//! - the maps to the neurons and back: scales (f32 × outputs), components (i8 × inputs × outputs),
//!   bias (f32 × outputs)
//! - weight of each sub-token in a question, relative to its weight in code (f32 × n)
//!
//! Byte i of a row holds component i in its lower bits and component width / 2 + i in its upper
//! bits. A component of 8 means zero.

mod linear;
mod sums;

use std::sync::LazyLock;

use super::builtin::{self, Side};
use super::kernels::{N_PLACES, Places};
use linear::Linear;
use sums::{NarrowRows, activate, lanes, normalise};

/// The first bytes of the file.
pub const MAGIC: &[u8; 8] = b"CORAENC2";

static BYTES: &[u8] = include_bytes!("../encoder.bin");

static BUILTIN: LazyLock<Encoder<'static>> =
    LazyLock::new(|| Encoder::open(BYTES).expect("because a test opens the file that is compiled in"));

/// Returns the encoder that is compiled into the program.
pub fn builtin() -> &'static Encoder<'static> {
    &BUILTIN
}

/// At most this many sub-tokens of a question count: its first ones.
const MOST_ASKED: usize = 24;

/// Returns the sub-tokens of a question that count, each once.
pub fn first_of_question(numbers: &[u16]) -> Vec<u16> {
    let mut first: Vec<u16> = Vec::new();
    for &number in numbers {
        if first.len() < MOST_ASKED && !first.contains(&number) {
            first.push(number);
        }
    }
    first
}

/// Returns 1 for each place in which a sub-token of a chunk counts, 0 for the others.
///
/// The text counts only if the head does not. The number of occurrences does not matter.
pub fn shares(places: Places) -> [f32; N_PLACES] {
    let is_in_text = !places.in_head && places.in_text > 0;
    [places.in_head, is_in_text, places.is_around].map(|is| f32::from(u8::from(is)))
}

/// Largest width and number of neurons that a file may have.
const LARGEST: [usize; 2] = [1024, 8192];

/// A set of sub-tokens, each with its weight.
pub type Tokens = Vec<(u16, f32)>;

/// A deep averaging network over sets of sub-tokens.
#[derive(Debug, Clone)]
pub struct Encoder<'m> {
    width: usize,
    rows: NarrowRows<'m>,
    places: [f32; N_PLACES],
    in_questions: Vec<f32>,
    factors: Vec<f32>,
    /// Summands of the normalisation, by [`Side`].
    summands: [Vec<f32>; 2],
    inner: Linear<'m>,
    outer: Linear<'m>,
}

/// A cursor over the bytes of a file.
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
            Err("an encoder has a value that is not a number")
        }
    }

    fn narrow(&mut self, n: usize, width: usize) -> Result<NarrowRows<'m>, &'static str> {
        let len = width / 2;
        let (scales, components) = (self.floats(n)?, self.take(n * len)?);
        Ok(NarrowRows { len, scales, components, of_components: self.floats(width)? })
    }

    fn linear(&mut self, inputs: usize, outputs: usize) -> Result<Linear<'m>, &'static str> {
        let (scales, components) = (self.floats(outputs)?, self.take(outputs * inputs)?);
        Ok(Linear { inputs, scales, components, bias: self.floats(outputs)? })
    }
}

impl<'m> Encoder<'m> {
    /// Opens the bytes of an encoder.
    ///
    /// # Errors
    /// Says what is wrong, if the bytes are not an encoder or belong to another model than the
    /// built-in one.
    pub fn open(bytes: &'m [u8]) -> Result<Self, &'static str> {
        let mut reader = Reader(bytes);
        if reader.take(MAGIC.len())? != MAGIC {
            return Err("not an encoder");
        }
        let sizes = [reader.number()?, reader.number()?];
        let [width, neurons] = sizes;
        if !sizes.iter().zip(LARGEST).all(|(&size, largest)| (2..=largest).contains(&size)) || width % 2 != 0
        {
            return Err("an encoder with invalid sizes");
        }
        let n = reader.number()?;
        let name_len = reader.number()?;
        if reader.take(name_len)? != builtin::builtin().name().as_bytes()
            || n != builtin::builtin().vocabulary().len()
        {
            return Err("an encoder for another model");
        }
        let rows = reader.narrow(n, width)?;
        let places = reader.floats(N_PLACES)?.try_into().map_err(|_| "an encoder ends early")?;
        let factors = reader.floats(width)?;
        let summands = [reader.floats(width)?, reader.floats(width)?];
        let inner = reader.linear(width, neurons)?;
        let outer = reader.linear(neurons, width)?;
        let in_questions = reader.floats(n)?;
        if reader.0.is_empty() {
            Ok(Self { width, rows, places, in_questions, factors, summands, inner, outer })
        } else {
            Err("an encoder is too long")
        }
    }

    /// Weighs the sub-tokens of a question.
    pub fn asked(&self, numbers: &[u16]) -> Tokens {
        let weight = |number: u16| self.in_questions.get(usize::from(number)).copied().unwrap_or_default();
        first_of_question(numbers).into_iter().map(|number| (number, weight(number))).collect()
    }

    /// Weighs the sub-tokens of a chunk.
    pub fn of_chunk(&self, chunk: impl IntoIterator<Item = (u16, Places)>) -> Tokens {
        let weight = |places: Places| {
            shares(places).iter().zip(&self.places).map(|(share, weight)| share * weight).sum()
        };
        chunk.into_iter().map(|(number, places)| (number, weight(places))).collect()
    }

    /// Returns the directions of some sets, each of length 1.
    ///
    /// An empty set has a direction, too: that of a sum of zero.
    pub fn directions(&self, side: Side, sets: &[Tokens]) -> Vec<Vec<f32>> {
        let mut x = Vec::with_capacity(sets.len() * self.width);
        let [of_texts, of_code] = &self.summands;
        let summands = match side {
            Side::Text => of_texts,
            Side::Code => of_code,
        };
        for set in sets {
            let mut sum = vec![0.0; self.width];
            for &(number, weight) in set {
                // `None` only for a number without a row, which the built-in vocabulary does not
                // have.
                let _ = self.rows.add(number.into(), weight, &mut sum);
            }
            sum.iter_mut().zip(&self.rows.of_components).for_each(|(x, by)| *x *= by);
            normalise(&mut sum, &self.factors, summands);
            x.extend(sum);
        }
        let mut inner = self.inner.apply(&x);
        activate(&mut inner);
        x.iter_mut().zip(self.outer.apply(&inner)).for_each(|(x, y)| *x += y);
        let direction = |row: &[f32]| {
            let length = lanes(row, |x| x * x).sqrt().max(f32::MIN_POSITIVE);
            row.iter().map(|x| x / length).collect()
        };
        x.chunks_exact(self.width).map(direction).collect()
    }
}

/// A writer of an encoder's file; the caller adds the parts in the order of the format.
#[derive(Debug)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// Starts the file of an encoder of this width and number of neurons, for the built-in model.
    pub fn new(width: u32, neurons: u32) -> Self {
        let mut out = MAGIC.to_vec();
        let name = builtin::builtin().name();
        let n = u32::try_from(builtin::builtin().vocabulary().len()).unwrap_or(u32::MAX);
        let name_len = u32::try_from(name.len()).unwrap_or(u32::MAX);
        for number in [width, neurons, n, name_len] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(name.as_bytes());
        Self(out)
    }

    /// Appends numbers.
    pub fn floats(&mut self, floats: &[f32]) {
        floats.iter().for_each(|x| self.0.extend_from_slice(&x.to_le_bytes()));
    }

    /// Appends the rows of sub-tokens in 4 bits a component; the width must be even.
    ///
    /// Each component is first divided by its root mean square over all rows, then rounded to steps
    /// of a seventh of the row's largest component.
    pub fn narrow(&mut self, rows: &[f32], width: usize) {
        let n = (rows.len() / width).max(1) as f32;
        let mut spread = vec![0.0; width];
        for row in rows.chunks_exact(width) {
            spread.iter_mut().zip(row).for_each(|(sum, x)| *sum += x * x);
        }
        spread.iter_mut().for_each(|x: &mut f32| *x = (*x / n).sqrt().max(f32::MIN_POSITIVE));
        let most = NarrowRows::NOTHING - 1.0;
        let mut components = Vec::with_capacity(rows.len() / 2);
        for row in rows.chunks_exact(width) {
            let row: Vec<f32> = row.iter().zip(&spread).map(|(x, by)| x / by).collect();
            let scale = row.iter().fold(f32::MIN_POSITIVE, |most, x| most.max(x.abs())) / most;
            self.floats(&[scale]);
            // From 1 to 15.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let rounded = |x: &f32| ((x / scale).round().clamp(-most, most) + NarrowRows::NOTHING) as u8;
            let (first, second) = row.split_at(width / 2);
            components.extend(first.iter().zip(second).map(|(a, b)| rounded(a) | rounded(b) << 4));
        }
        self.0.extend(components);
        self.floats(&spread);
    }

    /// Appends rows of 8 bits a component, each scaled by its largest component.
    pub fn rows(&mut self, rows: &[f32], width: usize) {
        let largest = |row: &[f32]| row.iter().fold(f32::MIN_POSITIVE, |most, x| most.max(x.abs()));
        let scales: Vec<f32> = rows.chunks_exact(width).map(|row| largest(row) / 127.0).collect();
        self.floats(&scales);
        for (row, scale) in rows.chunks_exact(width).zip(&scales) {
            // At most 127 in absolute value.
            #[allow(clippy::cast_possible_truncation)]
            self.0.extend(row.iter().map(|x| ((x / scale).round() as i8).cast_unsigned()));
        }
    }

    /// Returns the bytes of the file.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    const WIDTH: usize = 8;
    const NEURONS: usize = 12;

    /// The bytes of an encoder with pseudo-random weights.
    fn bytes() -> Vec<u8> {
        let mut seed = 1u32;
        let mut drawn = |n: usize| -> Vec<f32> {
            let mut next = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                f32::from(u8::try_from(seed >> 24).unwrap()) / 128.0 - 1.0
            };
            (0..n).map(|_| next()).collect()
        };
        let n = builtin_len();
        let mut out = Writer::new(8, 12);
        out.narrow(&drawn(n * WIDTH), WIDTH);
        out.floats(&[2.0, 1.0, 0.5]);
        out.floats(&drawn(3 * WIDTH));
        for (inputs, outputs) in [(WIDTH, NEURONS), (NEURONS, WIDTH)] {
            out.rows(&drawn(inputs * outputs), inputs);
            out.floats(&drawn(outputs));
        }
        out.floats(&drawn(n));
        out.finish()
    }

    fn builtin_len() -> usize {
        builtin::builtin().vocabulary().len()
    }

    /// The sub-tokens of a text, as if a chunk contained it.
    fn words(text: &str) -> Vec<(u16, Places)> {
        let mut numbers = builtin::builtin().asked(text.split(' '));
        numbers.sort_unstable();
        numbers.dedup();
        let places = Places { in_text: 1, ..Places::default() };
        numbers.into_iter().map(|number| (number, places)).collect()
    }

    fn cosine(a: &[f32], b: &[f32]) -> f32 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn directions_are_the_same_on_every_machine() {
        let bytes = bytes();
        let encoder = Encoder::open(&bytes).unwrap();
        let set = encoder.of_chunk(words("how to sort a list in descending order"));
        let direction = encoder.directions(Side::Code, &[set]).remove(0);
        let bits: Vec<u32> = direction.iter().map(|x| x.to_bits()).collect();
        assert_eq!(
            bits,
            [
                0xbe6e_555d,
                0x3f00_0aab,
                0x3ee2_8331,
                0x3c8d_58db,
                0x3e80_4f16,
                0xbec1_2182,
                0xbf06_fcd7,
                0x3e03_9836
            ]
        );
    }

    #[test]
    fn what_words_mean_depends_on_where_they_stand() {
        let bytes = bytes();
        let encoder = Encoder::open(&bytes).unwrap();
        let chunk = words("sort list");
        let numbers: Vec<u16> = chunk.iter().map(|one| one.0).collect();
        let mut in_head = chunk.clone();
        in_head[0].1.in_head = true;
        let mut around = chunk.clone();
        around[0].1.is_around = true;
        let sets = [&chunk, &in_head, &around].map(|set| encoder.of_chunk(set.iter().copied()));
        let of_code = encoder.directions(Side::Code, &sets);
        let asked = encoder.directions(Side::Text, &[encoder.asked(&numbers), sets[0].clone()]);
        for (i, a) in of_code.iter().chain(&asked).enumerate() {
            assert!((cosine(a, a) - 1.0).abs() < 1e-5);
            assert!(of_code.iter().chain(&asked).skip(i + 1).all(|b| a != b), "{i}");
        }
    }

    #[test]
    fn sets_do_not_see_each_other() {
        let bytes = bytes();
        let encoder = Encoder::open(&bytes).unwrap();
        let sets = ["read a file line by line", "", "parse the header of a request and its body"]
            .map(|text| encoder.of_chunk(words(text)));
        let together = encoder.directions(Side::Code, &sets);
        for (set, there) in sets.iter().zip(&together) {
            assert_eq!(encoder.directions(Side::Code, std::slice::from_ref(set))[0], *there);
            assert!(there.iter().all(|x| x.is_finite()));
        }
        assert!(encoder.directions(Side::Code, &[]).is_empty());
    }

    #[test]
    fn a_question_has_each_sub_token_once() {
        let bytes = bytes();
        let encoder = Encoder::open(&bytes).unwrap();
        let numbers = |set: Tokens| set.into_iter().map(|one| one.0).collect::<Vec<_>>();
        assert_eq!(numbers(encoder.asked(&[5, 3, 5])), [5, 3]);
        let many: Vec<u16> = (0..100).collect();
        assert_eq!(encoder.asked(&many).len(), MOST_ASKED);
        assert_eq!(encoder.asked(&[u16::MAX]), [(u16::MAX, 0.0)]);
    }

    #[test]
    fn the_builtin_encoder_opens_and_tells_meanings_apart() {
        let encoder = builtin();
        let near = |question: &str, codes: [&str; 2]| {
            let asked = encoder.asked(&builtin::builtin().asked(question.split(' ')));
            let question = encoder.directions(Side::Text, &[asked]).remove(0);
            let codes = codes.map(|code| encoder.of_chunk(words(code)));
            let [a, b] = &encoder.directions(Side::Code, &codes)[..] else { panic!() };
            assert!(cosine(&question, a) > cosine(&question, b));
        };
        near("delete a directory", ["remove folder path", "insert row table"]);
        near("wait until the thread ends", ["join worker handle", "parse header bytes"]);
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
        for size in [0, u32::MAX] {
            assert_eq!(changed(8, size), "an encoder with invalid sizes");
            assert_eq!(changed(12, size), "an encoder with invalid sizes");
        }
        assert_eq!(changed(16, 3), "an encoder for another model");
        assert_eq!(changed(20, u32::MAX), "an encoder ends early");
        let first_scale = 24 + builtin::builtin().name().len();
        assert_eq!(changed(first_scale, f32::NAN.to_bits()), "an encoder has a value that is not a number");
    }
}
