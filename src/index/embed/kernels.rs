//! Kernel pooling: rates chunks by comparing words, where a vector only knows their sum.
//!
//! K-NRM (Xiong, Dai, Callan, Liu and Power, 2017): each of the question's sub-tokens is compared
//! with all of the chunk's. Gaussian kernels, from "the same word" to "unrelated", pool the
//! cosines, separately for each of the [`Places`]. The rating is a weighted sum of the logarithms
//! of the pooled values. Rows come from the built-in model; learned are a weight of each sub-token
//! in questions and in code, and six numbers per kernel.
//!
//! Short questions and long texts have kernels of their own: an issue has a title, and says much
//! that answers nothing.
//!
//! Must not run on more than the best chunks of a search: it costs a product of rows for each pair
//! of sub-tokens. Ratings are logarithms of odds. The difference of two says how much more likely
//! one chunk is the answer than the other.
//!
//! The file (little-endian):
//!
//! - `CORAKRN1`
//! - number of sub-tokens n, length of the model's name (u32 each)
//! - the name of the model that the sub-tokens belong to
//! - weights in questions, then weights in code (i16 × n each: natural logarithms × 2,048)
//! - for each kernel its mean and width, then for each place its weight and the logarithm of its
//!   scale (f32 each)
//! - the weight of a chunk's size (f32)

use std::sync::LazyLock;

use super::builtin::{Model, Side, builtin};
use super::scan::dot_of_stored;
use super::{Field, N_FIELDS};

/// The first bytes of the file.
pub const MAGIC: &[u8; 8] = b"CORAKRN1";

static QUESTIONS: &[u8] = include_bytes!("kernels.bin");
static LONG_TEXTS: &[u8] = include_bytes!("kernels-long.bin");

/// Number of kernels.
pub const N_KERNELS: usize = 8;

/// Number of [`Places`].
pub const N_PLACES: usize = 3;

/// The places in which a sub-token of a chunk occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Places {
    /// In the name or signature of a declaration that begins in the chunk.
    pub in_head: bool,
    /// Number of occurrences in the code itself or in comments, at most [`MOST_IN_TEXT`].
    pub in_text: u8,
    /// In the file's path, or the name of a declaration around the chunk.
    pub is_around: bool,
}

/// The largest count in the text; larger ones are treated as this one.
pub const MOST_IN_TEXT: u8 = 63;

impl Places {
    /// Returns the places of a sub-token with these counts by [`Field`].
    pub fn of(counts: &[u16; N_FIELDS]) -> Self {
        let count = |field: Field| counts.get(field as usize).copied().unwrap_or_default();
        let has = |fields: &[Field]| fields.iter().any(|&field| count(field) > 0);
        let in_text = count(Field::Body).saturating_add(count(Field::Doc));
        Self {
            in_head: has(&[Field::Symbol, Field::Signature]),
            in_text: u8::try_from(in_text).unwrap_or(u8::MAX).min(MOST_IN_TEXT),
            is_around: has(&[Field::Scope, Field::Stem, Field::Directory]),
        }
    }

    /// Counts one more occurrence: the first in a head sets the head, all others count as text.
    pub fn count(&mut self, in_head: bool) {
        if in_head && !self.in_head {
            self.in_head = true;
        } else {
            self.in_text = (self.in_text + 1).min(MOST_IN_TEXT);
        }
    }

    /// Returns the weight at each place: the logarithm of 1 + the count.
    pub fn weights(self) -> [f32; N_PLACES] {
        let at = |is_there: bool| if is_there { 2f32.ln() } else { 0.0 };
        [at(self.in_head), f32::from(self.in_text).ln_1p(), at(self.is_around)]
    }
}

/// At most this many sub-tokens of a question count: those of the largest weight.
const MOST_ASKED: usize = 32;

/// At most this many sub-tokens of a chunk count, see [`keep_most_telling`].
pub const MOST_OF_CHUNK: usize = 112;

/// Keeps the [`MOST_OF_CHUNK`] sub-tokens of a chunk that count.
///
/// Those in its head or around it come first, then the others by their weight in its text.
pub fn keep_most_telling(chunk: &mut Vec<(u16, Places)>, model: &Model<'_>) {
    if chunk.len() <= MOST_OF_CHUNK {
        return;
    }
    let rank = |&(number, places): &(u16, Places)| {
        let text = f32::from(places.in_text).ln_1p() * model.weight(Side::Code, number) as f32;
        (places.in_head || places.is_around, text)
    };
    chunk.sort_by(|a, b| {
        let (a_rank, b_rank) = (rank(a), rank(b));
        b_rank.0.cmp(&a_rank.0).then_with(|| b_rank.1.total_cmp(&a_rank.1)).then(a.0.cmp(&b.0))
    });
    chunk.truncate(MOST_OF_CHUNK);
}

/// Steps of a cosine per 1.
const STEPS: f32 = 128.0;

/// Returns the values of kernels with these means and widths, by [`step`] of the cosine.
pub fn values(kernels: &[(f32, f32); N_KERNELS]) -> Vec<[f32; N_KERNELS]> {
    let value = |cosine: f32| kernels.map(|(mean, width)| (-((cosine - mean) / width).powi(2) / 2.0).exp());
    (0..=256u16).map(|step| value(f32::from(step) / STEPS - 1.0)).collect()
}

/// Returns the step of the cosine of two sub-tokens: 0 is opposite, 128 unrelated, 256 the same.
///
/// Each sub-token comes with the [`length`] of its row.
pub fn step(model: &Model<'_>, (a, a_length): (u16, f32), (b, b_length): (u16, f32)) -> u16 {
    let cosine = match (model.row(a), model.row(b)) {
        _ if a == b => 1.0,
        (Some(x), Some(y)) => dot_of_stored(x, y) as f32 / (a_length * b_length).max(1.0),
        _ => 0.0,
    };
    // From 0 to 256, whatever the rows.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let step = ((cosine.clamp(-1.0, 1.0) + 1.0) * STEPS).round() as u16;
    step
}

/// Returns each sub-token once with its emphasis, in order of their numbers.
///
/// The emphasis is log₂(1 + the sum of its mentions' weights). A single mention of weight 1 gives
/// 1.
pub fn emphasised(words: impl IntoIterator<Item = (u16, f32)>) -> Vec<(u16, f32)> {
    let mut words: Vec<(u16, f32)> = words.into_iter().collect();
    words.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    words.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 += if is_same { next.1 } else { 0.0 };
        is_same
    });
    words.iter_mut().for_each(|word| word.1 = (1.0 + word.1).log2());
    words
}

/// Returns the length of a sub-token's row.
pub fn length(model: &Model<'_>, number: u16) -> f32 {
    model.row(number).map_or(0.0, |row| (dot_of_stored(row, row) as f32).sqrt())
}

/// Returns the logarithm of the sum of exponentials: given log-odds, the log-odds of any of them.
pub fn log_sum_exp(logarithms: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = logarithms.clone().fold(f64::NEG_INFINITY, f64::max);
    most + logarithms.map(|one| (one - most).exp()).sum::<f64>().ln()
}

/// Factor of the logarithms of weights in a file.
pub const SCALE: f32 = 2048.0;

/// Factor of ratings, which brings a sum over normalised weights to the scale of logarithms of
/// odds.
pub const RANGE: f32 = 4.0;

/// The learned numbers of a kernel at a place.
#[derive(Debug, Clone, Copy, Default)]
struct Pool {
    weight: f32,
    scale: f32,
}

/// Kernels and weights, read from the bytes of a file.
#[derive(Debug)]
pub struct Kernels<'k> {
    model: &'k str,
    weights: [&'k [[u8; 2]]; 2],
    pools: [[Pool; N_KERNELS]; N_PLACES],
    size: f32,
    /// Values of each kernel, by step of the cosine.
    values: Vec<[f32; N_KERNELS]>,
}

impl<'k> Kernels<'k> {
    /// Opens the bytes of a file.
    ///
    /// # Errors
    /// Says what is wrong with the bytes.
    pub fn open(bytes: &'k [u8]) -> Result<Self, &'static str> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("it has the wrong magic number")?;
        let (numbers, rest) = rest.split_at_checked(8).ok_or("it is cut short")?;
        let [n, n_name] = numbers.as_chunks::<4>().0 else { return Err("it is cut short") };
        let number = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes) as usize;
        let (n, n_name) = (number(n), number(n_name));
        let (name, rest) = rest.split_at_checked(n_name).ok_or("its model's name is cut short")?;
        let (asked, rest) = rest.split_at_checked(n * 2).ok_or("its weights are cut short")?;
        let (code, rest) = rest.split_at_checked(n * 2).ok_or("its weights are cut short")?;
        if rest.len() != (N_KERNELS * (2 + 2 * N_PLACES) + 1) * 4 {
            return Err("its kernels have the wrong length");
        }
        let floats: Vec<f32> =
            rest.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if !floats.iter().all(|x| x.is_finite()) {
            return Err("a value in its kernels is not a number");
        }
        let (kernels, size) = floats.as_chunks::<{ 2 + 2 * N_PLACES }>();
        let mut pools = [[Pool::default(); N_KERNELS]; N_PLACES];
        let mut shapes = [(0.0, 1.0); N_KERNELS];
        for (at, (kernel, shape)) in kernels.iter().zip(&mut shapes).enumerate() {
            *shape = (kernel[0], kernel[1]);
            for (pools, learnt) in pools.iter_mut().zip(kernel[2..].as_chunks::<2>().0) {
                if let Some(pool) = pools.get_mut(at) {
                    *pool = Pool { weight: learnt[0], scale: learnt[1].exp() };
                }
            }
        }
        Ok(Self {
            model: std::str::from_utf8(name).map_err(|_| "its model's name is not text")?,
            weights: [asked.as_chunks().0, code.as_chunks().0],
            pools,
            size: size.first().copied().unwrap_or_default(),
            values: values(&shapes),
        })
    }

    /// Returns the name of the model that the sub-tokens belong to.
    pub fn model(&self) -> &'k str {
        self.model
    }

    fn weight(&self, side: Side, number: u16) -> f32 {
        let weights = self.weights.get(side as usize).copied().unwrap_or_default();
        weights.get(usize::from(number)).map_or(1.0, |w| (f32::from(i16::from_le_bytes(*w)) / SCALE).exp())
    }
}

/// Returns the built-in kernels for questions of a sentence or less.
pub fn of_questions() -> &'static Kernels<'static> {
    static KERNELS: LazyLock<Kernels<'static>> = LazyLock::new(|| Kernels::open(QUESTIONS).expect(OPENED));
    &KERNELS
}

/// Returns the built-in kernels for issues and messages.
pub fn of_long_texts() -> &'static Kernels<'static> {
    static KERNELS: LazyLock<Kernels<'static>> = LazyLock::new(|| Kernels::open(LONG_TEXTS).expect(OPENED));
    &KERNELS
}

/// Reason why the built-in files open.
const OPENED: &str = "because a test opens the files that are compiled in";

/// A question that rates chunks one after the other.
#[derive(Debug)]
pub struct KernelQuestion<'k> {
    kernels: &'k Kernels<'k>,
    model: &'k Model<'k>,
    /// Sub-tokens with their share of the question and the length of their row.
    words: Vec<(u16, f32, f32)>,
    /// By sub-token, for those of chunks seen so far: its position in `weights` plus one, or 0.
    places: Vec<u32>,
    /// Steps of the cosine with each of `words`, `[weights.len() × words.len()]`, row-major.
    steps: Vec<u16>,
    weights: Vec<f32>,
}

impl KernelQuestion<'static> {
    /// Prepares a question for kernels of the built-in model, see [`KernelQuestion::of`].
    pub fn new(kernels: &'static Kernels<'static>, words: impl IntoIterator<Item = (u16, f32)>) -> Self {
        Self::of(kernels, builtin(), words)
    }
}

impl<'k> KernelQuestion<'k> {
    /// Prepares a question, given by its sub-tokens with the weights of their mentions, for any
    /// kernels of this model.
    ///
    /// The weights are 1 for a short question. A sub-token counts with its [emphasis](emphasised)
    /// times its learned weight.
    pub fn of(
        kernels: &'k Kernels<'k>,
        model: &'k Model<'k>,
        words: impl IntoIterator<Item = (u16, f32)>,
    ) -> Self {
        let mut words: Vec<(u16, f32, f32)> = emphasised(words)
            .into_iter()
            .filter(|&(number, _)| model.row(number).is_some())
            .map(|(number, emphasis)| {
                (number, emphasis * kernels.weight(Side::Text, number), length(model, number))
            })
            .collect();
        words.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        words.truncate(MOST_ASKED);
        let sum: f32 = words.iter().map(|word| word.1).sum();
        for word in &mut words {
            word.1 /= sum.max(f32::MIN_POSITIVE);
        }
        let places = vec![0; model.vocabulary().len()];
        Self { kernels, model, words, places, steps: Vec::new(), weights: Vec::new() }
    }

    /// Reports whether the model knows none of the question's sub-tokens.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Rates how well a chunk answers, by its sub-tokens and their places.
    ///
    /// Only the difference between two chunks' ratings has a meaning.
    pub fn rate(&mut self, chunk: impl IntoIterator<Item = (u16, Places)>) -> f64 {
        let mut chunk: Vec<(u16, Places)> = chunk.into_iter().filter(|one| self.see(one.0)).collect();
        keep_most_telling(&mut chunk, self.model);
        let of_chunk: Vec<(u16, [f32; N_PLACES])> =
            chunk.into_iter().map(|(number, places)| (number, places.weights())).collect();
        let size: f32 = of_chunk.iter().map(|(_, [head, text, _])| head.max(*text)).sum();
        let mut rating = 0.0f64;
        for (at, word) in self.words.iter().enumerate() {
            let mut sums = [[0f32; N_KERNELS]; N_PLACES];
            for &(number, weights) in &of_chunk {
                let Some(place) = self.places.get(usize::from(number)).and_then(|p| p.checked_sub(1)) else {
                    continue;
                };
                let place = place as usize;
                let step = self.steps.get(place * self.words.len() + at).copied().unwrap_or_default();
                let factor = self.weights.get(place).copied().unwrap_or_default();
                let Some(values) = self.kernels.values.get(usize::from(step)) else { continue };
                for (sums, weight) in sums.iter_mut().zip(weights).filter(|(_, weight)| *weight > 0.0) {
                    for (sum, value) in sums.iter_mut().zip(values) {
                        *sum += weight * factor * value;
                    }
                }
            }
            let pooled: f32 = self
                .kernels
                .pools
                .iter()
                .flatten()
                .zip(sums.iter().flatten())
                .map(|(pool, sum)| pool.weight * (sum * pool.scale).ln_1p())
                .sum();
            rating += f64::from(word.1 * pooled);
        }
        rating * f64::from(RANGE) + f64::from(self.kernels.size * size.ln_1p())
    }

    /// Compares a sub-token with the question's when it first appears; false if the model lacks it.
    fn see(&mut self, number: u16) -> bool {
        let Some(place) = self.places.get_mut(usize::from(number)) else { return false };
        if *place > 0 {
            return true;
        }
        if self.model.row(number).is_none() {
            return false;
        }
        let own = (number, length(self.model, number));
        self.steps
            .extend(self.words.iter().map(|&(asked, _, length)| step(self.model, own, (asked, length))));
        self.weights.push(self.kernels.weight(Side::Code, number));
        *place = u32::try_from(self.weights.len()).unwrap_or(0);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::text::identifier::tokens;
    use crate::index::embed::Scratch;

    /// The numbers of the sub-tokens of code.
    fn numbers(text: &str) -> Vec<u16> {
        let (mut numbers, mut scratch) = (Vec::new(), Scratch::default());
        for token in tokens(text) {
            builtin().vocabulary().each(token, &mut scratch, |number| numbers.extend(u16::try_from(number)));
        }
        numbers
    }

    fn asked(text: &str) -> KernelQuestion<'static> {
        KernelQuestion::new(
            of_questions(),
            builtin().asked(tokens(text)).into_iter().map(|number| (number, 1.0)),
        )
    }

    /// A chunk with these words in its head and in its text.
    fn chunk(head: &str, text: &str) -> Vec<(u16, Places)> {
        let mut chunk: Vec<(u16, Places)> = Vec::new();
        for (numbers, in_head) in [(numbers(head), true), (numbers(text), false)] {
            for number in numbers {
                let at = chunk.iter().position(|one| one.0 == number).unwrap_or(chunk.len());
                if at == chunk.len() {
                    chunk.push((number, Places::default()));
                }
                let places = &mut chunk[at].1;
                places.in_head |= in_head;
                places.in_text += u8::from(!in_head);
            }
        }
        chunk
    }

    #[test]
    fn the_kernels_that_are_compiled_in_are_those_of_the_model() {
        for kernels in [of_questions(), of_long_texts()] {
            assert_eq!(kernels.model(), builtin().name());
            assert_eq!(kernels.weights.map(<[_]>::len), [builtin().vocabulary().len(); 2]);
        }
    }

    #[test]
    fn every_cut_is_an_error_and_so_is_no_number() {
        for len in [0, 7, 8, 12, 16, 20, 1000, QUESTIONS.len() / 2, QUESTIONS.len() - 4, QUESTIONS.len() - 1]
        {
            assert!(Kernels::open(&QUESTIONS[..len]).is_err(), "{len}");
        }
        let mut bytes = QUESTIONS.to_vec();
        let end = bytes.len() - 4;
        bytes[end..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(Kernels::open(&bytes).is_err());
    }

    #[test]
    fn what_answers_is_rated_higher_with_the_same_words_or_related_ones() {
        let mut asked = asked("delete a file from disk");
        let delete = asked.rate(chunk("delete_file path", "if path.exists() { fs.delete(path) }"));
        let related = asked.rate(chunk("unlink path", "os.remove(path)"));
        let other = asked.rate(chunk("connect host", "socket.create_connection(host, port)"));
        assert!(delete > related && related > other, "{delete} {related} {other}");
    }

    #[test]
    fn a_word_counts_more_in_a_name() {
        let mut asked = asked("parse the header");
        let named = asked.rate(chunk("parse_header", "x = split(line)"));
        let mentioned = asked.rate(chunk("split line", "x = parse_header"));
        assert!(named > mentioned, "{named} {mentioned}");
    }

    #[test]
    fn what_is_said_often_or_in_a_title_counts_more() {
        assert_eq!(emphasised([(7, 1.0), (3, 1.0), (7, 2.0)]), [(3, 1.0), (7, 2.0)]);
        let [delete, connect] = ["delete", "connect"].map(|word| builtin().asked([word])[0]);
        let ask = |weights: [f32; 2]| {
            let mut asked = KernelQuestion::new(of_long_texts(), [delete, connect].into_iter().zip(weights));
            asked.rate(chunk("delete path", "")) - asked.rate(chunk("connect host", ""))
        };
        assert!(ask([8.0, 1.0]) > ask([1.0, 1.0]) && ask([1.0, 1.0]) > ask([1.0, 8.0]));
    }

    #[test]
    fn neither_order_nor_what_was_rated_before_changes_a_rating() {
        let words = chunk("retry_upload", &"for attempt in backoff { send(part) } ".repeat(40));
        let first = asked("retry failed uploads").rate(words.clone());
        let mut asked = asked("retry failed uploads");
        asked.rate(chunk("other", "thing one two three"));
        assert_eq!(asked.rate(words.iter().copied().rev()), first);
        assert_eq!(asked.rate(words), first);
    }

    #[test]
    fn what_the_model_does_not_know_is_passed_over() {
        let unknown = (u16::MAX, Places { in_text: 1, ..Places::default() });
        assert!(KernelQuestion::new(of_questions(), [(u16::MAX, 1.0)]).is_empty());
        let mut asked = asked("retry failed uploads");
        let (with, without) = (asked.rate([unknown]), asked.rate([]));
        assert_eq!(with, without);
    }
}
