//! Pairs -> sub-tokens: chooses the vocabulary and loads the training data into memory.
//!
//! The order of examples and vocabulary depends only on the files and their names. Copies of a pair
//! in other repositories are dropped here, because only here are all repositories seen together.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use rayon::prelude::*;

use git_cora::base::text::identifier;
use git_cora::index::embed::{PAIR_SIGN, Scratch, Vocabulary, normalise};
use git_cora::index::record::tokens;

use super::pairs::{self, Kind};
use super::sources::files;

/// A bag of sub-tokens: number and count, sorted by number.
pub(crate) type Bag = Vec<(u16, u8)>;

/// A pair as the model sees it.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    pub(crate) kind: Kind,
    pub(crate) language: u8,
    pub(crate) repository: u16,
    pub(crate) text: Bag,
    pub(crate) code: Bag,
}

/// All pairs of all files, with their vocabulary.
pub(crate) struct Corpus {
    pub(crate) words: Vec<String>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) examples: Vec<Example>,
    /// For each sub-token, the number of codes that contain it.
    pub(crate) frequency: Vec<u32>,
    pub(crate) languages: Vec<String>,
}

#[derive(Default)]
struct Counts {
    words: HashMap<String, (u32, u32)>,
    pairs: HashMap<String, (u32, u32)>,
}

impl Counts {
    fn add(&mut self, text: &str, is_code: bool) {
        let mut before = String::new();
        let mut part = String::new();
        let mut pair = String::new();
        for (_, token) in tokens(text) {
            if is_code {
                before.clear();
            }
            identifier::each_part(token, |written| {
                normalise(written, &mut part);
                if part.is_empty() {
                    return;
                }
                count(&mut self.words, &part, is_code);
                if !before.is_empty() {
                    pair.clear();
                    pair.push_str(&before);
                    pair.push(PAIR_SIGN.into());
                    pair.push_str(&part);
                    count(&mut self.pairs, &pair, is_code);
                }
                std::mem::swap(&mut before, &mut part);
            });
        }
    }

    fn merge(mut self, other: Self) -> Self {
        for (mine, theirs) in [(&mut self.words, other.words), (&mut self.pairs, other.pairs)] {
            for (word, (text, code)) in theirs {
                let counts = mine.entry(word).or_default();
                counts.0 += text;
                counts.1 += code;
            }
        }
        self
    }
}

fn count(counts: &mut HashMap<String, (u32, u32)>, word: &str, is_code: bool) {
    let counts = match counts.get_mut(word) {
        Some(counts) => counts,
        None => counts.entry(word.to_owned()).or_default(),
    };
    if is_code { counts.1 += 1 } else { counts.0 += 1 }
}

/// Chooses the sub-tokens: single letters and digits, then the highest-ranked words and pairs.
///
/// Words are ranked by the product of their frequencies in texts and in code, which drops names
/// that no text ever mentions. Each repository counts a word at most `PER_REPOSITORY` times.
fn vocabulary(files: &[PathBuf], n_words: usize, n_pairs: usize) -> Result<Vec<String>> {
    const PER_REPOSITORY: u32 = 2000;
    let counts = files
        .par_iter()
        .map(|path| -> Result<Counts> {
            let mut counts = Counts::default();
            pairs::read(path, |_, _, text, code| {
                counts.add(text, false);
                counts.add(code, true);
            })?;
            counts.words.retain(|_, n| n.0 + n.1 > 1);
            counts.pairs.retain(|_, n| n.0 > 0 && n.1 > 1);
            for n in counts.words.values_mut().chain(counts.pairs.values_mut()) {
                *n = (n.0.min(PER_REPOSITORY), n.1.min(PER_REPOSITORY));
            }
            Ok(counts)
        })
        .try_reduce(Counts::default, |a, b| Ok(a.merge(b)))?;
    let best = |map: HashMap<String, (u32, u32)>, n: usize| {
        let mut all: Vec<(u64, String)> = map
            .into_iter()
            .map(|(word, (text, code))| ((u64::from(text) + 1) * (u64::from(code) + 1), word))
            .collect();
        all.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        all.truncate(n);
        all.into_iter().map(|(_, word)| word).collect::<Vec<_>>()
    };
    let mut words: Vec<String> = ('a'..='z')
        .chain('0'..='9')
        .map(String::from)
        .chain((0x80u8..=0xff).map(|_| String::new()))
        .collect();
    words.retain(|w| !w.is_empty());
    let frequent = best(counts.words, n_words);
    words.extend(frequent.into_iter().filter(|w| w.chars().count() > 1));
    words.truncate(n_words);
    words.extend(best(counts.pairs, n_pairs));
    words.sort_unstable();
    words.dedup();
    Ok(words)
}

/// A splitter of tokens into sub-tokens, with a cache by token.
struct Cutter<'v> {
    vocabulary: &'v Vocabulary<'v>,
    scratch: Scratch,
    known: HashMap<String, Vec<u16>>,
}

impl Cutter<'_> {
    fn bag(&mut self, text: &str, is_code: bool) -> Bag {
        let mut ids: Vec<u16> = Vec::new();
        self.scratch = Scratch::default();
        for (_, token) in tokens(text) {
            if !is_code {
                self.vocabulary.each_after(token, &mut self.scratch, |n| ids.push(n as u16));
                continue;
            }
            if let Some(known) = self.known.get(token) {
                ids.extend(known);
                continue;
            }
            let mut of_token = Vec::new();
            self.vocabulary.each(token, &mut self.scratch, |n| of_token.push(n as u16));
            ids.extend(&of_token);
            self.known.insert(token.to_owned(), of_token);
        }
        ids.sort_unstable();
        let mut bag: Bag = Vec::new();
        for id in ids {
            match bag.last_mut() {
                Some((last, n)) if *last == id => *n = n.saturating_add(1),
                _ => bag.push((id, 1)),
            }
        }
        bag
    }
}

/// Returns the bag of a text or of code.
pub(crate) fn bag(vocabulary: &Vocabulary<'_>, text: &str, is_code: bool) -> Bag {
    Cutter { vocabulary, scratch: Scratch::default(), known: HashMap::new() }.bag(text, is_code)
}

/// Returns the bytes of the vocabulary's FST.
pub(crate) fn vocabulary_bytes(words: &[String]) -> Result<Vec<u8>> {
    let mut map = fst::MapBuilder::memory();
    for (word, number) in words.iter().zip(0u64..) {
        map.insert(word, number)?;
    }
    Ok(map.into_inner()?)
}

/// Loads all pairs of a folder. Without a `known` vocabulary, chooses one of `n_words` words and
/// `n_pairs` pairs.
pub(crate) fn load(
    folder: &Path,
    known: Option<&[String]>,
    n_words: usize,
    n_pairs: usize,
) -> Result<Corpus> {
    let files = files(folder, "pairs")?;
    let words = match known {
        Some(words) => words.to_vec(),
        None => vocabulary(&files, n_words, n_pairs)?,
    };
    let bytes = vocabulary_bytes(&words)?;
    let vocabulary = Vocabulary::open(Cow::Borrowed(&bytes))?;
    let mut languages: Vec<String> = Vec::new();
    let parts = files
        .par_iter()
        .enumerate()
        .map(|(repository, path)| -> Result<Vec<(String, Example)>> {
            let repository = u16::try_from(repository)?;
            let mut cutter =
                Cutter { vocabulary: &vocabulary, scratch: Scratch::default(), known: HashMap::new() };
            let mut examples = Vec::new();
            pairs::read(path, |kind, language, text, code| {
                let (text, code) = (cutter.bag(text, false), cutter.bag(code, true));
                if text.len() >= 2 && code.len() >= 3 {
                    examples
                        .push((language.to_owned(), Example { kind, language: 0, repository, text, code }));
                }
            })?;
            Ok(examples)
        })
        .collect::<Result<Vec<_>>>()?;
    let mut examples = Vec::new();
    let mut frequency = vec![0u32; words.len()];
    let mut seen = std::collections::HashSet::new();
    for (language, example) in parts.into_iter().flatten() {
        // Copies of code in other repositories have the same sub-tokens in text and code.
        if !seen.insert((hash(&example.text), hash(&example.code))) {
            continue;
        }
        let at = languages.iter().position(|l| *l == language).unwrap_or_else(|| {
            languages.push(language);
            languages.len() - 1
        });
        for &(id, _) in &example.code {
            frequency[usize::from(id)] += 1;
        }
        examples.push(Example { language: u8::try_from(at).unwrap_or(u8::MAX), ..example });
    }
    Ok(Corpus { words, bytes, examples, frequency, languages })
}

/// Returns a hash of the set of sub-tokens in a bag, without their counts.
pub(crate) fn hash(bag: &Bag) -> u64 {
    bag.iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |h, &(id, _)| (h ^ u64::from(id)).wrapping_mul(0x0100_0000_01b3))
}
