//! Tokens → sub-tokens, by the same rules in training, for indexed code and for questions.
//!
//! 1. A token is cut into parts like an identifier ([`identifier::each_part`]).
//! 2. A part is lower-cased; if it is a number, only its first three digits count.
//! 3. If the vocabulary lacks a part, the longest pieces that it has replace the part, from the
//!    left.
//! 4. A pair of neighbouring parts in the vocabulary (`file name`) is an additional sub-token.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::base::text::identifier;

/// Digits of a number that count; longer numbers are data.
const DIGITS: usize = 3;

/// Longest part that is looked up, in bytes; longer runs carry no word.
const PART_BYTES: usize = 64;

/// Separator between the two parts of a pair in the vocabulary.
pub const PAIR_SIGN: u8 = b' ';

/// The sub-tokens that a model knows, each with its number.
#[derive(Debug, Clone)]
pub struct Vocabulary<'m> {
    words: fst::Map<Cow<'m, [u8]>>,
    /// The positions behind each two small letters, found when a word is first looked up. They save
    /// nearly half of the way.
    starts: OnceLock<Box<[Option<Place>]>>,
}

/// The number of small letters.
const N_LETTERS: usize = 26;

/// Reusable buffers of cutting tokens, and the part before the next one.
#[derive(Debug, Default, Clone)]
pub struct Scratch {
    part: String,
    /// The start of all pairs whose first part is the previous part.
    pairs: Option<Place>,
}

/// A position in the vocabulary: a node, and the sum of the outputs on the path to it.
#[derive(Debug, Clone, Copy)]
struct Place {
    node: fst::raw::CompiledAddr,
    sum: fst::raw::Output,
}

impl<'m> Vocabulary<'m> {
    /// Opens the bytes of an `fst` map from sub-tokens to their numbers.
    ///
    /// # Errors
    /// Fails if the bytes are not such a map.
    pub fn open(bytes: Cow<'m, [u8]>) -> Result<Self, fst::Error> {
        Ok(Self { words: fst::Map::new(bytes)?, starts: OnceLock::new() })
    }

    /// Returns the number of a sub-token.
    pub fn number(&self, word: &str) -> Option<u32> {
        self.words.get(word).and_then(|n| u32::try_from(n).ok())
    }

    /// Returns the number of sub-tokens.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Reports whether the vocabulary is empty.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns all sub-tokens, ordered by number.
    pub fn words(&self) -> Vec<String> {
        let mut words = self.words.stream().into_str_vec().unwrap_or_default();
        words.sort_by_key(|(_, number)| *number);
        words.into_iter().map(|(word, _)| word).collect()
    }

    /// Calls `each` with the number of every sub-token of a token; a pair follows its second part.
    pub fn each(&self, token: &str, scratch: &mut Scratch, mut each: impl FnMut(u32)) {
        scratch.pairs = None;
        self.each_after(token, scratch, &mut each);
    }

    /// Does the same as [`Vocabulary::each`] for the next token of a running text.
    ///
    /// The token's first part also pairs with the last part of the token before it. All tokens of
    /// the text must share one `scratch`.
    pub fn each_after(&self, token: &str, scratch: &mut Scratch, mut each: impl FnMut(u32)) {
        let Scratch { part, pairs } = scratch;
        identifier::each_part(token, |written| {
            normalise(written, part);
            if part.is_empty() {
                return;
            }
            let end = self.walk_from_root(part.as_bytes());
            match end.and_then(|end| self.number_at(end)) {
                Some(number) => each(number),
                None => self.pieces(part, &mut each),
            }
            let pair = pairs.and_then(|first| self.walk(first, part.as_bytes()));
            if let Some(number) = pair.and_then(|pair| self.number_at(pair)) {
                each(number);
            }
            *pairs = end.and_then(|end| self.walk(end, &[PAIR_SIGN]));
        });
    }

    /// Follows `bytes` from the root.
    fn walk_from_root(&self, bytes: &[u8]) -> Option<Place> {
        let root = Place { node: self.words.as_fst().root().addr(), sum: fst::raw::Output::zero() };
        let [first @ b'a'..=b'z', second @ b'a'..=b'z', rest @ ..] = bytes else {
            return self.walk(root, bytes);
        };
        let starts = self.starts.get_or_init(|| {
            let pairs = (b'a'..=b'z').flat_map(|first| (b'a'..=b'z').map(move |second| [first, second]));
            pairs.map(|pair| self.walk(root, &pair)).collect()
        });
        let at = usize::from(first - b'a') * N_LETTERS + usize::from(second - b'a');
        starts.get(at).copied().flatten().and_then(|start| self.walk(start, rest))
    }

    /// Follows `bytes` from a position; `None` if no sub-token continues so.
    fn walk(&self, from: Place, bytes: &[u8]) -> Option<Place> {
        let fst = self.words.as_fst();
        let (mut node, mut sum) = (fst.node(from.node), from.sum);
        for &byte in bytes {
            let transition = node.transition(node.find_input(byte)?);
            sum = sum.cat(transition.out);
            node = fst.node(transition.addr);
        }
        Some(Place { node: node.addr(), sum })
    }

    /// Returns the number of the sub-token that ends at a position.
    fn number_at(&self, place: Place) -> Option<u32> {
        let node = self.words.as_fst().node(place.node);
        let number = node.is_final().then(|| place.sum.cat(node.final_output()).value());
        number.and_then(|number| u32::try_from(number).ok())
    }

    /// Calls `each` with the longest pieces of a part, from the left; skips bytes that start no
    /// sub-token.
    fn pieces(&self, part: &str, each: &mut impl FnMut(u32)) {
        let fst = self.words.as_fst();
        let mut rest = part.as_bytes();
        while !rest.is_empty() {
            let (mut node, mut value) = (fst.root(), fst::raw::Output::zero());
            let mut longest: Option<(usize, u64)> = None;
            for (i, &byte) in rest.iter().enumerate() {
                let Some(transition) = node.find_input(byte).map(|at| node.transition(at)) else { break };
                value = value.cat(transition.out);
                node = fst.node(transition.addr);
                if node.is_final() {
                    longest = Some((i + 1, value.cat(node.final_output()).value()));
                }
            }
            let (len, number) = longest.map_or((1, None), |(len, number)| (len, u32::try_from(number).ok()));
            if let Some(number) = number {
                each(number);
            }
            rest = rest.get(len..).unwrap_or_default();
        }
    }
}

/// Writes a part to `out` in the form that the vocabulary stores; empty if the part is too long.
pub fn normalise(written: &str, out: &mut String) {
    out.clear();
    if written.len() > PART_BYTES {
        return;
    }
    if written.starts_with(|c: char| c.is_ascii_digit()) {
        out.extend(written.chars().take(DIGITS).map(|c| c.to_ascii_lowercase()));
    } else if written.is_ascii() {
        out.push_str(written);
        out.make_ascii_lowercase();
    } else {
        out.extend(written.chars().flat_map(char::to_lowercase));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary(words: &[&str]) -> Vocabulary<'static> {
        let mut sorted: Vec<(&str, u64)> = words.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        let mut map = fst::MapBuilder::memory();
        for (word, number) in sorted {
            map.insert(word, number).unwrap();
        }
        Vocabulary::open(Cow::Owned(map.into_inner().unwrap())).unwrap()
    }

    fn cut(vocabulary: &Vocabulary<'_>, words: &[&str], text: &[&str]) -> Vec<String> {
        let (mut scratch, mut out) = (Scratch::default(), Vec::new());
        for token in text {
            vocabulary.each_after(token, &mut scratch, |n| out.push(words[n as usize].to_owned()));
        }
        out
    }

    #[test]
    fn words_pieces_and_pairs() {
        let words = ["file", "name", "file name", "re", "try", "retry", "t", "404", "read file"];
        let vocabulary = vocabulary(&words);
        let cut = |text: &[&str]| cut(&vocabulary, &words, text);
        assert_eq!(cut(&["FileName"]), ["file", "name", "file name"]);
        assert_eq!(cut(&["retry"]), ["retry"]);
        assert_eq!(cut(&["retryt"]), ["retry", "t"]);
        assert_eq!(cut(&["40471"]), ["404"]);
        assert_eq!(cut(&["read", "file"]), ["re", "file", "read file"]);
        assert_eq!(cut(&["", "_", "é"]), Vec::<String>::new());
    }

    #[test]
    fn a_token_by_itself_pairs_with_nothing_before_it() {
        let words = ["file", "name", "file name"];
        let vocabulary = vocabulary(&words);
        let (mut scratch, mut out) = (Scratch::default(), Vec::new());
        for token in ["file", "name"] {
            vocabulary.each(token, &mut scratch, |n| out.push(n));
        }
        assert_eq!(out, [0, 1]);
    }
}
