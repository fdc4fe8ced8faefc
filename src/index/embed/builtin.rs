//! The built-in model: weights compiled into the program, and the arithmetic that uses them.
//!
//! A vector is the weighted sum of its sub-tokens' rows, scaled to a fixed length. The weight of a
//! row is a learned number times the weighted sum of `ln(1 + count)` over the fields. All of it is
//! integer arithmetic in a fixed order, so every machine computes the same bytes.
//!
//! The file (little-endian):
//!
//! - `CORAEMB1`
//! - number of sub-tokens n, dimensions, bytes of the vocabulary, length of the name (u32 each)
//! - the name
//! - weights in texts, then weights in code (u16 × n each)
//! - rows (i8 × dimensions × n)
//! - the vocabulary, an `fst` map from each sub-token to its number

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::base::text::identifier::is_keyword;

use super::simd::widest;
use super::vocabulary::{Scratch, Vocabulary};
use super::{DIMENSIONS, Field, N_FIELDS, Question, Vector};

const MAGIC: &[u8; 8] = b"CORAEMB1";

static BYTES: &[u8] = include_bytes!("model.bin");

static BUILTIN: LazyLock<Model<'static>> =
    LazyLock::new(|| Model::open(BYTES).expect("because a test opens the file that is compiled in"));

/// A static embedding model.
#[derive(Debug)]
pub struct Model<'m> {
    name: &'m str,
    vocabulary: Vocabulary<'m>,
    weights: [&'m [[u8; 2]]; 2],
    rows: &'m [[u8; DIMENSIONS]],
}

/// The role of a text: a sub-token has one weight in questions and another in code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Side {
    /// A question.
    Text = 0,
    /// Code or a document.
    Code = 1,
}

impl<'m> Model<'m> {
    /// Opens a model's bytes without copying them.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn open(bytes: &'m [u8]) -> Result<Self, &'static str> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("it has the wrong magic number")?;
        let (numbers, rest) = rest.split_at_checked(16).ok_or("it is cut short")?;
        let [n, dimensions, n_vocabulary, n_name] = numbers.as_chunks::<4>().0 else {
            return Err("it is cut short");
        };
        let number = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes) as usize;
        let n = number(n);
        if number(dimensions) != DIMENSIONS {
            return Err("it has the wrong number of dimensions");
        }
        if n > usize::from(u16::MAX) {
            return Err("it has more sub-tokens than sixteen bits can number");
        }
        let (name, rest) = rest.split_at_checked(number(n_name)).ok_or("its name is cut short")?;
        let (text, rest) = rest.split_at_checked(n * 2).ok_or("its weights are cut short")?;
        let (code, rest) = rest.split_at_checked(n * 2).ok_or("its weights are cut short")?;
        let (rows, rest) = rest.split_at_checked(n * DIMENSIONS).ok_or("its rows are cut short")?;
        if rest.len() != number(n_vocabulary) {
            return Err("its vocabulary has the wrong length");
        }
        let vocabulary = Vocabulary::open(Cow::Borrowed(rest)).map_err(|_| "its vocabulary is damaged")?;
        if vocabulary.len() != n {
            return Err("its vocabulary has the wrong number of sub-tokens");
        }
        Ok(Self {
            name: std::str::from_utf8(name).map_err(|_| "its name is not text")?,
            vocabulary,
            weights: [text.as_chunks().0, code.as_chunks().0],
            rows: rows.as_chunks().0,
        })
    }

    /// Returns the model's name.
    ///
    /// The name changes with the model's bytes: a vector made under another name is outdated.
    pub fn name(&self) -> &'m str {
        self.name
    }

    /// Returns the model's sub-tokens.
    pub fn vocabulary(&self) -> &Vocabulary<'m> {
        &self.vocabulary
    }

    /// Returns the components of a sub-token's row; each row has a scale of its own.
    pub fn row(&self, number: u16) -> Option<&'m [u8; DIMENSIONS]> {
        self.rows.get(usize::from(number))
    }

    /// Returns the weight of a sub-token in questions or in code.
    pub fn weight(&self, side: Side, number: u16) -> i64 {
        let weights = self.weights.get(side as usize).copied().unwrap_or_default();
        weights.get(usize::from(number)).map_or(0, |w| u16::from_le_bytes(*w).into())
    }

    /// Returns the direction of a question, given as the tokens of running text.
    pub fn question<'t>(&self, tokens: impl IntoIterator<Item = &'t str>) -> Question {
        self.bag_of(&self.asked(tokens)).question(self)
    }

    /// Returns the numbers of a question's sub-tokens, in the order of its text.
    ///
    /// Skips tokens that no record has and training never saw: single letters and digits, and long
    /// numbers.
    pub fn asked<'t>(&self, tokens: impl IntoIterator<Item = &'t str>) -> Vec<u16> {
        let (mut numbers, mut scratch) = (Vec::new(), Scratch::default());
        for token in tokens {
            if is_keyword(token) {
                self.vocabulary
                    .each_after(token, &mut scratch, |number| numbers.extend(u16::try_from(number)));
            }
        }
        numbers
    }

    /// Counts the sub-tokens of a running text, given by their numbers.
    pub fn bag_of(&self, asked: &[u16]) -> Bag {
        let mut bag = Bag::new(self);
        asked.iter().for_each(|&number| bag.add(number.into(), Field::Body, 1));
        bag
    }
}

/// Returns the model that is compiled into the program.
pub fn builtin() -> &'static Model<'static> {
    &BUILTIN
}

/// `round(256 · ln(1 + n))`, by n.
static LOGARITHMS: LazyLock<Vec<i64>> = LazyLock::new(|| (0..=COUNT_LIMIT).map(logarithm).collect());

/// The largest count; larger ones are treated as this one.
const COUNT_LIMIT: u16 = 255;

/// Returns `round(256 · ln(1 + n))`, computed with integers.
///
/// The binary digits of the logarithm come from repeated squaring (Knuth, TAOCP 1, §1.2.2, exercise
/// 25). A mathematics library would give different last bits on different machines.
fn logarithm(n: u16) -> i64 {
    let x = u64::from(n) + 1;
    let whole = x.ilog2();
    // Base 2, in 32 binary digits, from x / 2^whole in [1, 2) with 31 binary digits.
    let mut mantissa = (x << 31) >> whole;
    let mut log2 = u64::from(whole) << 32;
    for digit in (0..32).rev() {
        mantissa = (mantissa * mantissa) >> 31;
        if mantissa >= 1 << 32 {
            mantissa >>= 1;
            log2 |= 1 << digit;
        }
    }
    /// ln 2 in 32 binary digits.
    const LN_2: u128 = 2_977_044_472;
    i64::try_from((u128::from(log2) * LN_2 * 256 + (1 << 63)) >> 64).unwrap_or(0)
}

/// The sub-tokens of one chunk or text with their counts by field.
#[derive(Debug, Clone)]
pub struct Bag {
    /// Position in `counts` plus one, or 0, by sub-token.
    ///
    /// 16 bits are enough: a model has fewer than 2¹⁶ sub-tokens.
    places: Vec<u16>,
    counts: Vec<(u16, [u16; N_FIELDS])>,
}

impl Bag {
    /// Makes an empty bag for the sub-tokens of this model.
    pub fn new(model: &Model<'_>) -> Self {
        Self { places: vec![0; model.vocabulary.len()], counts: Vec::new() }
    }

    /// Counts a sub-token in one field.
    #[inline]
    pub fn add(&mut self, number: u32, field: Field, count: u16) {
        self.add_several(number, [(field, count)]);
    }

    /// Counts a sub-token in several fields.
    #[inline]
    pub fn add_several(&mut self, number: u32, counts: impl IntoIterator<Item = (Field, u16)>) {
        let Some(place) = self.places.get_mut(number as usize) else { return };
        if *place == 0 {
            let Ok(short) = u16::try_from(number) else { return };
            self.counts.push((short, [0; N_FIELDS]));
            *place = u16::try_from(self.counts.len()).unwrap_or(0);
        }
        let Some((_, of_it)) = self.counts.get_mut(usize::from(*place) - 1) else { return };
        for (field, count) in counts {
            if let Some(n) = of_it.get_mut(field as usize) {
                *n = n.saturating_add(count).min(COUNT_LIMIT);
            }
        }
    }

    /// Returns each sub-token's number with its counts by [`Field`], in order of first appearance.
    pub fn entries(&self) -> impl Iterator<Item = (u16, &[u16; N_FIELDS])> {
        self.counts.iter().map(|(number, counts)| (*number, counts))
    }

    /// Returns the direction of the bag before rounding, of length 1; all zero for an empty bag.
    ///
    /// It is the reference for measuring the loss of 8 bits and of a search by signs. It uses
    /// floats, so it is not the same on every machine.
    pub fn direction(&self, model: &Model<'_>, side: Side) -> [f32; DIMENSIONS] {
        let mut total = [0f64; DIMENSIONS];
        for (number, counts) in &self.counts {
            let logarithms =
                counts.iter().zip(Field::WEIGHTS).map(|(&n, weight)| f64::from(n).ln_1p() * weight as f64);
            let coefficient = logarithms.sum::<f64>() * model.weight(side, *number) as f64;
            for (sum, &x) in total.iter_mut().zip(model.rows.get(usize::from(*number)).into_iter().flatten())
            {
                *sum += coefficient * f64::from(x.cast_signed());
            }
        }
        let length = total.iter().map(|x| x * x).sum::<f64>().sqrt();
        // Exact enough: 24 bits, compared with the 8 bits that are measured against it.
        #[allow(clippy::cast_possible_truncation)]
        total.map(|x| if length > 0.0 { (x / length) as f32 } else { 0.0 })
    }

    /// Returns the vector of the bag, and empties it.
    pub fn finish(&mut self, model: &Model<'_>, side: Side) -> Vector {
        let total = self.sum(model, side);
        widest(
            #[inline(always)]
            || Vector::scaled(&total),
        )
    }

    /// Returns the direction of the bag as a question, and empties it.
    pub fn question(&mut self, model: &Model<'_>) -> Question {
        Question::scaled(&self.sum(model, Side::Text))
    }

    /// Returns the weighted sum of the bag's rows, and empties the bag.
    fn sum(&mut self, model: &Model<'_>, side: Side) -> [i64; DIMENSIONS] {
        let mut total = [0i64; DIMENSIONS];
        let logarithms = &*LOGARITHMS;
        let mut weighed: Vec<(i16, &[u8; DIMENSIONS])> = Vec::with_capacity(self.counts.len().min(BLOCK));
        for block in self.counts.chunks(BLOCK) {
            weighed.clear();
            for (number, counts) in block {
                let logarithms = counts.iter().zip(Field::WEIGHTS).map(|(&n, weight)| {
                    let of_count = logarithms.get(usize::from(n)).copied().unwrap_or(0);
                    of_count * weight
                });
                let coefficient = (logarithms.sum::<i64>() * model.weight(side, *number)) >> SHIFT;
                let row = model.rows.get(usize::from(*number));
                weighed.extend(row.map(|row| (i16::try_from(coefficient).unwrap_or(i16::MAX), row)));
            }
            let sums = widest(
                #[inline(always)]
                || weighted_sum(&weighed),
            );
            for (total, sum) in total.iter_mut().zip(sums) {
                *total += i64::from(sum);
            }
        }
        for (number, _) in self.counts.drain(..) {
            if let Some(place) = self.places.get_mut(usize::from(number)) {
                *place = 0;
            }
        }
        total
    }
}

/// Returns the sum of at most [`BLOCK`] rows, each times its coefficient.
#[inline(always)]
fn weighted_sum(weighed: &[(i16, &[u8; DIMENSIONS])]) -> [i32; DIMENSIONS] {
    // 16 bits × 16 bits: every processor has an instruction for it.
    let product = |coefficient: i16, x: u8| i32::from(coefficient) * i32::from(i16::from(x.cast_signed()));
    let mut sums = [0i32; DIMENSIONS];
    // Four rows per pass, since most processors cannot hold all sums in registers.
    let (fours, others) = weighed.as_chunks::<4>();
    for &[(a, of_a), (b, of_b), (c, of_c), (d, of_d)] in fours {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum += product(a, of_a[i]) + product(b, of_b[i]) + product(c, of_c[i]) + product(d, of_d[i]);
        }
    }
    for &(a, of_a) in others {
        for (sum, &x) in sums.iter_mut().zip(of_a) {
            *sum += product(a, x);
        }
    }
    sums
}

/// Sub-tokens per block, so that a block's sum fits 32 bits: 512 · 32767 · 127 < 2³¹.
const BLOCK: usize = 512;
/// Scales weight (16 bits) · field weight (×16) · logarithm (×256) down to the coefficient.
///
/// A sub-token that occurs once in a body and has the largest weight gets 11,300.
const SHIFT: u32 = 14;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithms_are_those_of_mathematics() {
        for n in 0..=COUNT_LIMIT {
            let exact = 256.0 * f64::from(n).ln_1p();
            assert!((logarithm(n) as f64 - exact).abs() <= 0.5 + 1e-6, "{n}: {} for {exact}", logarithm(n));
        }
    }

    #[test]
    fn the_model_that_is_compiled_in_opens() {
        let model = Model::open(BYTES).unwrap();
        assert!(model.vocabulary().len() > 1000);
        assert!(!model.name().is_empty());
    }

    #[test]
    fn every_cut_of_a_model_is_an_error() {
        for len in [0, 7, 8, 20, 24, 1000, BYTES.len() / 2, BYTES.len() - 1] {
            assert!(Model::open(&BYTES[..len]).is_err(), "{len}");
        }
    }

    #[test]
    fn meaning_is_nearer_than_words() {
        let model = builtin();
        let code = |text: &str| {
            let (mut bag, mut scratch) = (Bag::new(model), Scratch::default());
            for token in crate::base::text::identifier::tokens(text) {
                model.vocabulary().each(token, &mut scratch, |number| bag.add(number, Field::Body, 1));
            }
            bag.finish(model, Side::Code)
        };
        let ask = |text: &str| model.question(crate::base::text::identifier::tokens(text));
        let delete = code("def unlink(self, path): os.remove(path)");
        let connect = code("def open(self): self.socket = socket.create_connection((self.host, self.port))");
        let question = ask("delete a file");
        assert!(question.dot(&delete) > question.dot(&connect));
        let question = ask("connect to a server");
        assert!(question.dot(&connect) > question.dot(&delete));
    }

    #[test]
    fn a_vector_is_its_direction_in_eight_bits() {
        let model = builtin();
        let mut bag = Bag::new(model);
        assert_eq!(bag.direction(model, Side::Code), [0.0; DIMENSIONS]);
        for (number, field) in [(5, Field::Body), (700, Field::Symbol), (5, Field::Doc), (3000, Field::Scope)]
        {
            bag.add(number, field, 2);
        }
        let exact = bag.direction(model, Side::Code);
        let rounded = bag.finish(model, Side::Code);
        for (exact, rounded) in exact.iter().zip(rounded.0) {
            assert!((exact * 300.0 - f32::from(rounded)).abs() < 0.6, "{} and {rounded}", exact * 300.0);
        }
    }

    #[test]
    fn order_of_words_and_bags_before_change_nothing() {
        let model = builtin();
        let mut bag = Bag::new(model);
        for number in [5, 9, 5, 700] {
            bag.add(number, Field::Body, 1);
        }
        let first = bag.finish(model, Side::Code);
        for number in [700, 5, 5, 9] {
            bag.add(number, Field::Body, 1);
        }
        assert_eq!(bag.finish(model, Side::Code), first);
        assert_eq!(bag.finish(model, Side::Code), Vector::default());
    }
}
