//! Training examples for `train kernels` and `train encoder`: texts, each with one right chunk and
//! some wrong ones.
//!
//! They are built from pairs and from lists of repositories' chunks. Wrong chunks are drawn from
//! those nearest to the text by the built-in vectors: random ones would be too easy to tell apart.
//! All random choices come from the given generator.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use rayon::prelude::*;

use git_cora::base::text::identifier;
use git_cora::index::embed::kernels::{emphasised, keep_most_telling};
use git_cora::index::embed::{Bag, Field, N_FIELDS, Places, Scratch, Side, Vector, builtin};
use git_cora::index::record::tokens;

use super::fit::DRESS;
use super::lists::{self, Kind, Lists};
use super::pairs;
use super::sources::files;
use xtask_lab::random::Random;

/// Number of wrong chunks of an example.
pub(super) const WRONG: usize = 15;
/// Wrong chunks are drawn from this many nearest to the text.
const NEAR: usize = 60;
/// For commits: wrong chunks are drawn from this many files that the commit did not change, the
/// best chunk of each.
const NEAR_FILES: usize = 40;

/// Maximum number of sub-tokens used of a text; next, of a whole commit message.
const TEXT_WORDS: usize = 16;
const MESSAGE_WORDS: usize = 32;

/// Maximum number of texts taken from a repository.
pub(super) struct Most {
    /// From its lists, by kind.
    of_lists: &'static [(Kind, usize)],
    of_pairs: usize,
}

/// Limits for the kernels of questions.
pub(super) const QUESTIONS: Most =
    Most { of_lists: &[(Kind::Doc, 150), (Kind::Name, 75), (Kind::Commit, 150)], of_pairs: 560 };
/// Limits for the kernels of long texts.
pub(super) const LONG_TEXTS: Most =
    Most { of_lists: &[(Kind::Commit, 100), (Kind::Message, 300)], of_pairs: 0 };
/// Limits for an encoder, which has far more weights.
pub(super) const MANY_QUESTIONS: Most =
    Most { of_lists: &[(Kind::Doc, 450), (Kind::Name, 225), (Kind::Commit, 450)], of_pairs: 1680 };

/// Maximum number of pairs of a repository by kind; their codes are the candidates to tell apart.
const OF_PAIRS: [(pairs::Kind, usize); 5] = [
    (pairs::Kind::Doc, 1100),
    (pairs::Kind::Name, 350),
    (pairs::Kind::Commit, 120),
    (pairs::Kind::Message, 150),
    (pairs::Kind::Test, 120),
];

/// Languages that questions on the web name but code does not.
const LANGUAGES: [&str; 8] = ["python", "javascript", "java", "go", "rust", "c", "php", "ruby"];

/// A text: sub-tokens with the weights of their mentions, or with their emphasis.
pub(super) type Words = Vec<(u16, f32)>;

/// A chunk: sub-tokens with their places.
pub(super) type Chunk = Vec<(u16, Places)>;

/// A text and its candidate chunks, the right one first.
pub(super) struct Example {
    /// Sub-tokens with their emphasis.
    pub(super) text: Words,
    pub(super) chunks: [u32; 1 + WRONG],
    /// Whether the chunks come from a repository's lists, not from pairs.
    pub(super) is_of_lists: bool,
}

#[derive(Default)]
pub(super) struct Examples {
    pub(super) chunks: Vec<Chunk>,
    pub(super) all: Vec<Example>,
}

/// Returns the sub-tokens of a text that are used, with their emphasis.
///
/// A question has each sub-token once, and sometimes extra words that web queries begin with.
fn asked(words: &[(u16, f32)], kind: Kind, random: &mut Random) -> Words {
    let dressed = match kind {
        Kind::Message => return most_telling(words.to_vec(), MESSAGE_WORDS),
        Kind::Commit => 0.2,
        Kind::Doc | Kind::Name => 0.4,
    };
    let mut words = words.to_vec();
    if random.unit() < dressed {
        words.extend(mentioned(&builtin().asked(identifier::tokens(dress(random)))));
    }
    words.sort_unstable_by_key(|word| word.0);
    words.dedup_by_key(|word| word.0);
    most_telling(words, TEXT_WORDS)
}

/// Returns words that web queries begin with, or the name of a language, drawn at random.
pub(super) fn dress(random: &mut Random) -> &'static str {
    let at = random.below(DRESS.len() + LANGUAGES.len());
    DRESS.into_iter().chain(LANGUAGES).nth(at).unwrap_or_default()
}

/// Calls `each` for every sub-token of a comment and then of its code, in order. The flag tells
/// whether the sub-token is in the first line of the code, which counts as its head.
pub(super) fn each_of_code(
    comment: &str,
    code: &str,
    scratch: &mut Scratch,
    mut each: impl FnMut(u16, bool),
) {
    let code = code.trim_start();
    let head = code.find('\n').unwrap_or(code.len());
    for (_, token) in tokens(comment) {
        builtin().vocabulary().each(token, scratch, |number| each(number as u16, false));
    }
    for (_, token) in tokens(code) {
        let in_head = identifier::offset_in(code, token) < head;
        builtin().vocabulary().each(token, scratch, |number| each(number as u16, in_head));
    }
}

/// Returns the sub-tokens of a short text with weight 1 for each mention.
fn mentioned(numbers: &[u16]) -> impl Iterator<Item = (u16, f32)> {
    numbers.iter().map(|&number| (number, 1.0))
}

/// Returns the sub-tokens with the largest weights, with their emphasis.
fn most_telling(words: Words, most: usize) -> Words {
    let mut words = emphasised(words);
    let weight = |&(word, emphasis): &(u16, f32)| emphasis * builtin().weight(Side::Text, word) as f32;
    words.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.0.cmp(&b.0)));
    words.truncate(most);
    words
}

/// Returns the built-in model's vector of a text.
fn direction(words: &[(u16, f32)]) -> Vector {
    let numbers: Vec<u16> = words.iter().map(|word| word.0).collect();
    builtin().bag_of(&numbers).finish(builtin(), Side::Text)
}

impl Examples {
    /// Builds the examples of all repositories, from a folder of lists and one of pairs.
    pub(super) fn read(lists: &Path, pairs: Option<&Path>, most: &Most, random: &mut Random) -> Result<Self> {
        let mut examples = Self::default();
        for path in files(lists, "lists")? {
            examples.add_lists(&lists::read(&path)?, most.of_lists, random)?;
        }
        let n_of_lists = examples.all.len();
        if let Some(pairs) = pairs {
            for path in files(pairs, "pairs")? {
                examples.add_pairs(&path, most.of_pairs, random)?;
            }
        }
        println!(
            "{} texts of lists and {} of pairs, {} chunks",
            n_of_lists,
            examples.all.len() - n_of_lists,
            examples.chunks.len()
        );
        Ok(examples)
    }

    /// Adds the examples of a repository's lists.
    ///
    /// A text must not find its chunk by its own words: a chunk's doc comment is hidden when the
    /// comment asks for it, and the comment and the name are hidden when the name asks.
    fn add_lists(&mut self, lists: &Lists, most: &[(Kind, usize)], random: &mut Random) -> Result<()> {
        let mut bag = Bag::new(builtin());
        for (kind, most) in most.iter().copied() {
            let hidden: &[Field] = match kind {
                Kind::Doc => &[Field::Doc],
                Kind::Name => &[Field::Doc, Field::Symbol],
                Kind::Commit | Kind::Message => &[],
            };
            let seen = |counts: &[u8; N_FIELDS]| {
                let mut counts = counts.map(u16::from);
                hidden.iter().for_each(|&field| counts[field as usize] = 0);
                counts
            };
            let vectors: Vec<Vector> = lists
                .chunks
                .iter()
                .map(|(_, words)| {
                    for (word, counts) in words {
                        for (field, &n) in Field::ALL.into_iter().zip(&seen(counts)) {
                            if n > 0 {
                                bag.add((*word).into(), field, n);
                            }
                        }
                    }
                    bag.finish(builtin(), Side::Code)
                })
                .collect();
            let mut texts: Vec<&lists::Text> = lists.texts.iter().filter(|text| text.kind == kind).collect();
            random.shuffle(&mut texts);
            texts.truncate(most);
            let mut known: HashMap<u32, u32> = HashMap::new();
            for text in texts {
                let question = direction(&text.words);
                let order = nearest(&question, &vectors);
                let is_file = kind == Kind::Commit;
                let file = |chunk: u32| lists.chunks.get(chunk as usize).map_or(0, |chunk| chunk.0);
                let (right, mut wrong) = if is_file {
                    let right = order.iter().copied().find(|&chunk| text.answers.contains(&file(chunk)));
                    let mut files: Vec<u32> = text.answers.clone();
                    let mut wrong = Vec::new();
                    for &chunk in order.iter().take(3 * NEAR) {
                        if wrong.len() < NEAR_FILES && !files.contains(&file(chunk)) {
                            files.push(file(chunk));
                            wrong.push(chunk);
                        }
                    }
                    (right, wrong)
                } else {
                    let at = if text.answers.len() > 1 { random.below(text.answers.len()) } else { 0 };
                    let right = text.answers.get(at).copied();
                    let wrong: Vec<u32> =
                        order.iter().copied().filter(|one| !text.answers.contains(one)).take(NEAR).collect();
                    (right, wrong)
                };
                let Some(right) = right.filter(|_| wrong.len() >= WRONG) else { continue };
                random.shuffle(&mut wrong);
                let mut number = |chunk: u32| -> Result<u32> {
                    if let Some(&number) = known.get(&chunk) {
                        return Ok(number);
                    }
                    let words = lists.chunks.get(chunk as usize).context("a chunk that is none")?;
                    let placed = words.1.iter().map(|(word, counts)| (*word, Places::of(&seen(counts))));
                    let number =
                        self.chunk(placed.filter(|(_, places)| *places != Places::default()).collect())?;
                    known.insert(chunk, number);
                    Ok(number)
                };
                let mut chunks = [number(right)?; 1 + WRONG];
                for (slot, &chunk) in chunks.iter_mut().skip(1).zip(&wrong) {
                    *slot = number(chunk)?;
                }
                let text = asked(&text.words, kind, random);
                self.all.push(Example { text, chunks, is_of_lists: true });
            }
        }
        Ok(())
    }

    /// Adds examples from the pairs of a repository, at most `most`. All codes of the repository
    /// are candidates; the first line of a code counts as its head.
    fn add_pairs(&mut self, path: &Path, most: usize, random: &mut Random) -> Result<()> {
        let mut by_kind: Vec<Vec<(Words, Chunk, Vector)>> = OF_PAIRS.iter().map(|_| Vec::new()).collect();
        let mut bag = Bag::new(builtin());
        let mut scratch = Scratch::default();
        pairs::read(path, |kind, _, text, code| {
            let Some(of_kind) =
                OF_PAIRS.iter().position(|of| of.0 == kind).and_then(|at| by_kind.get_mut(at))
            else {
                return;
            };
            // Cut into sub-tokens in the same way as the code.
            let words: Words = mentioned(&builtin().asked(tokens(text).map(|(_, token)| token))).collect();
            let mut places: HashMap<u16, Places> = HashMap::new();
            each_of_code("", code, &mut scratch, |number, in_head| {
                bag.add(number.into(), Field::Body, 1);
                places.entry(number).or_default().count(in_head);
            });
            let vector = bag.finish(builtin(), Side::Code);
            if words.len() >= 3 && places.len() >= 6 {
                let mut chunk: Chunk = places.into_iter().collect();
                chunk.sort_unstable_by_key(|one| one.0);
                of_kind.push((words, chunk, vector));
            }
        })?;
        let mut taken = Vec::new();
        for (mut pairs, (_, most)) in by_kind.into_iter().zip(OF_PAIRS) {
            random.shuffle(&mut pairs);
            pairs.truncate(most);
            taken.extend(pairs);
        }
        if taken.len() < 4 * NEAR {
            return Ok(());
        }
        let vectors: Vec<Vector> = taken.iter().map(|pair| pair.2).collect();
        let mut order: Vec<usize> = (0..taken.len()).collect();
        random.shuffle(&mut order);
        let mut numbers: Vec<Option<u32>> = vec![None; taken.len()];
        for at in order.into_iter().take(most) {
            let question = direction(&taken[at].0);
            let mut wrong: Vec<u32> = nearest(&question, &vectors)
                .into_iter()
                .filter(|&one| one as usize != at)
                .take(NEAR)
                .collect();
            random.shuffle(&mut wrong);
            let mut chunks = [0; 1 + WRONG];
            let right = u32::try_from(at)?;
            for (slot, code) in chunks.iter_mut().zip(std::iter::once(right).chain(wrong)) {
                *slot = match numbers[code as usize] {
                    Some(number) => number,
                    None => self.chunk(taken[code as usize].1.clone())?,
                };
                numbers[code as usize] = Some(*slot);
            }
            self.all.push(Example {
                text: asked(&taken[at].0, Kind::Doc, random),
                chunks,
                is_of_lists: false,
            });
        }
        Ok(())
    }

    fn chunk(&mut self, mut chunk: Chunk) -> Result<u32> {
        keep_most_telling(&mut chunk, builtin());
        self.chunks.push(chunk);
        Ok(u32::try_from(self.chunks.len() - 1)?)
    }
}

/// Returns the indices of the vectors, nearest to the question first, ties by index.
fn nearest(question: &Vector, vectors: &[Vector]) -> Vec<u32> {
    let mut order: Vec<(i32, u32)> =
        vectors.par_iter().map(|vector| question.dot(vector)).zip(0..vectors.len() as u32).collect();
    order.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    order.into_iter().map(|one| one.1).collect()
}
