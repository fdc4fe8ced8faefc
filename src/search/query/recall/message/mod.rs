//! Program messages as queries, as in "Failed to load asset 'a.png' with loader 'png': no such
//! file".
//!
//! Query text → [`Message`] → chunks with a match score. The string literal in the source has the
//! same words, except those that were filled in. These often name something else (a file, a class,
//! an option), which the other signals find first. So this module reads the chunks with the most
//! words in sequence, and rates them by the runs of words in their strings. Comments do not count,
//! since questions are worded like comments. See `doc/experiments/ranking.md`.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bstr::BStr;

use crate::base::text::identifier::{each_part, is_keyword, offset_in, tokens};
use crate::index::chunk::Span;
use crate::search::segment::terms::{TermKind, each_term};
use crate::search::segment::{Index, Part};

use self::key::{Key, KeyPlace};
use self::literal::{Fit, Literal, is_in_string};
use self::shape::{Shape, is_exception, is_path};
use super::place::place;
use super::score::Scorer;
use crate::search::query::parse::parser::QueryTerm;
use crate::search::query::parse::words;
use crate::search::query::{ChunkRef, Error, QueryKind};

/// A provider of file texts.
pub trait Sources: Sync {
    /// Returns the texts of files, in the order of their paths; `None` for a file that cannot be
    /// read.
    fn texts(&self, paths: &[&BStr]) -> Vec<Option<Arc<str>>>;
}

impl fmt::Debug for dyn Sources + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sources")
    }
}

/// Maximum number of chunks that are read. More help little. See `doc/experiments/ranking.md`.
const READ: usize = 48;

/// Number of chunks among which those that are read are chosen.
const LOOKED_AT: usize = 8 * READ;

/// Number of chunks read before checking whether others can still match nearly as well.
const BATCH: usize = 8;

/// Share of the best match up to which chunks are read. A test may quote a message with the values
/// that were filled in, so the source of the message can't match as well. The source still matches
/// better than most other chunks.
const NEARLY: f64 = 0.5;

/// Most chunks of tests among those that are read, if there are others: many tests may quote a
/// message.
const READ_TESTS: usize = READ / 2;

/// Power of the rarity of a run in the sum over all runs. It is above 1, so that one long run
/// counts for more than a part of it and scattered words.
const LONG_RUNS: f64 = 2.0;

/// Longest message, in bytes.
const MOST_BYTES: usize = 1000;

/// Maximum number of words whose order is compared: the bits of a `u128`.
const MOST_WORDS: usize = u128::BITS as usize;

/// Minimum for a match that is not chance: `(n, (few, among))`. It has at least n content words in
/// runs, or at least `few` of them among at least `among` words in runs.
const ENOUGH: (usize, (usize, usize)) = (3, (2, 4));

/// Number of words in runs up to which a match counts as chance, and from which it counts as
/// certain; linear in between.
const CERTAIN: (usize, usize) = (3, 6);

/// Number of promising chunks that are read for a short message, as a multiple of [`READ`]: many
/// chunks have all words of a message of common words, such as "snapshot is empty".
const READ_SHORT: usize = 4;

/// Factor for a chunk that has the words of a message but no literal of nothing else, if another
/// chunk has one.
const NOT_WHOLE: f64 = 0.8;

/// A word of a message.
#[derive(Debug, Clone, PartialEq, Default)]
struct Word {
    /// The word in lower case; empty for a path or an exception's name, which the string does not
    /// contain.
    lower: String,
    /// The word's most specific term; empty for a path or an exception's name. `None` for words
    /// that an index leaves out, such as single letters.
    term: Option<String>,
    /// Whether it is a content word.
    carries: bool,
    /// Whether a colon or another sign behind it ends a part of the message.
    ends_clause: bool,
    /// The idf of the term; 0 before the search, and for a term that occurs nowhere.
    idf: f64,
}

impl Word {
    fn new(token: &str) -> Self {
        let lower = token.to_lowercase();
        let mut term = None;
        if is_keyword(token) {
            each_term(token, |of_token, _| term = Some(of_token.to_owned()));
        }
        let carries = term.is_some() && !words::is_stop_word(&lower);
        Self { lower, term, carries, ends_clause: false, idf: 0.0 }
    }

    /// Returns a word of a key. Its term is the one that a compound identifier has for it too.
    fn of_key(word: &str) -> Self {
        let mut part = None;
        each_term(word, |term, kind| {
            if kind == TermKind::Part {
                part = Some(term.to_owned());
            }
        });
        Self { term: part, ..Self::new(word) }
    }
}

/// Number of sentence ends inside a text from which it is a report. A report describes a program in
/// common words ("does not"), so only longer runs count.
const REPORT: usize = 2;

/// Number of words in the shortest run that counts: in a message, and in a report.
const SHORTEST: (usize, usize) = (2, 4);

/// A text that may be a message of a program.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::search::query) struct Message {
    /// The words, in order.
    words: Vec<Word>,
    /// Number of words in the shortest run that counts.
    shortest: usize,
    /// Whether it may as well be the name of what is searched for. Then only a literal that begins
    /// with all words counts.
    is_phrase: bool,
    /// The key, if the text is a configuration key or a flag.
    key: Option<Key>,
}

/// The match of a chunk with a message.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::search::query) struct MessageMatch {
    /// The idf of the runs in the chunk's strings, relative to the best chunk; lowered if the match
    /// may be chance.
    pub(in crate::search::query) share: f64,
    /// The words of the longest run, in lower case.
    pub(in crate::search::query) run: String,
    /// The line of the file that has them, 1-based.
    pub(in crate::search::query) line: u32,
    /// Whether the message is or begins one of its literals, or is a key.
    pub(in crate::search::query) is_literal: bool,
    /// Number of words of the literal that is nothing but the message, apart from what fills its
    /// placeholders; 0 if there is none.
    pub(in crate::search::query) n_whole: usize,
    /// Whether and how it documents a key.
    pub(in crate::search::query) documents: Option<Documents>,
}

/// How a chunk documents a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search::query) enum Documents {
    /// A question asks what the key means: such chunks come first.
    Asked,
    /// The query is the key alone: one such chunk is shown beside the code.
    Beside,
}

impl Message {
    /// Returns the message or the key in a text; `None` for a question, another name, a path or an
    /// issue.
    pub(in crate::search::query) fn of(text: &str, kind: QueryKind) -> Option<Self> {
        if let Some(key) = Key::of(text, kind) {
            let mut words = Vec::new();
            each_part(key.name(), |part| words.extend(is_keyword(part).then(|| Word::of_key(part))));
            return Some(Self { words, shortest: SHORTEST.0, is_phrase: false, key: Some(key) });
        }
        let is_text = matches!(kind, QueryKind::NaturalLanguage | QueryKind::LongText);
        let shape = Shape::of(text).filter(|_| is_text && text.len() <= MOST_BYTES)?;
        let mut words = Vec::new();
        for written in text.split_whitespace() {
            if is_path(written) || is_exception(written) {
                words.push(Word { term: Some(String::new()), ends_clause: true, ..Word::default() });
                continue;
            }
            words.extend(tokens(written).map(Word::new));
            // A sign that stands alone belongs to the word before it.
            if written.ends_with([':', ';', ',', '.', '!', ')', ']', '-', '–', '—'])
                && let Some(last) = words.last_mut()
            {
                last.ends_clause = true;
            }
        }
        let is_end = |pair: &[u8]| matches!(pair, [b'.' | b'!' | b'?', b' ' | b'\n']);
        let n_ends = text.trim_end().as_bytes().windows(2).filter(|pair| is_end(pair)).count();
        let shortest = if n_ends < REPORT { SHORTEST.0 } else { SHORTEST.1 };
        Some(Self { words, shortest, is_phrase: shape == Shape::Phrase, key: None })
    }

    /// Returns the messages that a report quotes; see the module `passages`.
    pub(in crate::search::query) fn passages(text: &str) -> Vec<Self> {
        passages::passages(text)
    }

    /// Returns candidate chunks with an upper bound on their match score, best first (the index
    /// stores no positions). They are at most [`READ`], or for a short message [`READ_SHORT`] times
    /// as many. Also sets the idf of the words.
    pub(in crate::search::query) fn promising(
        &mut self,
        index: &Index<'_>,
        scorer: &Scorer,
        admitted: impl Iterator<Item = ChunkRef>,
    ) -> Result<Vec<(f64, ChunkRef)>, Error> {
        let mut asked: Vec<(QueryTerm, u128)> = Vec::new();
        for (at, term) in self.words.iter().filter_map(|word| word.term.as_ref()).take(MOST_WORDS).enumerate()
        {
            match asked.iter_mut().find(|known| known.0.term == *term) {
                Some((_, places)) => *places |= 1 << at,
                None => {
                    let term = QueryTerm { term: term.clone(), weight: 1.0, is_part: false, idf: 0.0 };
                    asked.push((term, 1 << at));
                }
            }
        }
        let (terms, places): (Vec<QueryTerm>, Vec<u128>) = asked.into_iter().unzip();
        let segments: Vec<Part> = index.segments().map(|(part, _)| part).collect();
        let empty = index.segments().map(|(_, segment)| vec![0u128; segment.n_chunks() as usize]);
        let mut had: Vec<Vec<u128>> = empty.collect();
        let mut idfs: HashMap<String, f64> = HashMap::new();
        scorer.each_term(index, &terms, |place, term, idf, buffers| {
            idfs.insert(term.term.clone(), idf.into());
            let places = places.get(place).copied().unwrap_or_default();
            for (had, buffer) in had.iter_mut().zip(buffers) {
                for &(chunk, ..) in buffer {
                    if let Some(had) = had.get_mut(chunk as usize) {
                        *had |= places;
                    }
                }
            }
        })?;
        for word in &mut self.words {
            word.idf = word.term.as_ref().and_then(|term| idfs.get(term)).copied().unwrap_or(0.0);
        }
        let rarity: Vec<f64> =
            self.words.iter().filter(|word| word.term.is_some()).map(|word| word.idf).collect();
        let every = places.iter().fold(0, |every, places| every | places);
        let promise = |chunk: ChunkRef| {
            let had = had.get(segments.iter().position(|part| *part == chunk.part)?)?;
            let had = *had.get(chunk.ord as usize)?;
            // A key needs all its words, and only those places count that the languages have.
            let most = match &self.key {
                Some(key) if had != every || !may_have(index, chunk, key) => 0.0,
                Some(_) => rarity.iter().sum(),
                None => in_runs(had, &rarity),
            };
            (most > 0.0 && (!self.is_phrase || had == every)).then_some((most, chunk))
        };
        let mut found: Vec<(f64, ChunkRef)> = admitted.filter_map(promise).collect();
        if found.len() > LOOKED_AT {
            let last = LOOKED_AT - 1;
            let (_, &mut (least, _), _) = found.select_nth_unstable_by(last, |a, b| b.0.total_cmp(&a.0));
            found.retain(|one| one.0 >= least);
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| place(index, a.1).cmp(&place(index, b.1))));
        let is_plain = self.key.as_ref().is_some_and(Key::is_plain);
        let n_read = if self.words.len() < CERTAIN.1 && !is_plain { READ_SHORT * READ } else { READ };
        if found.len() > n_read {
            leave_out_tests(index, &mut found, n_read);
        }
        found.truncate(n_read);
        Ok(found)
    }

    /// Returns the matches of the promising chunks. Stops reading when no remaining chunk can match
    /// [nearly](NEARLY) as well as the best so far.
    pub(in crate::search::query) fn said(
        &self,
        index: &Index<'_>,
        promising: &[(f64, ChunkRef)],
        sources: &dyn Sources,
    ) -> HashMap<ChunkRef, MessageMatch> {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, word) in self.words.iter().enumerate().filter(|(_, word)| !word.lower.is_empty()) {
            places.entry(&word.lower).or_default().push(at);
        }
        let mut found: Vec<(ChunkRef, u32, Runs)> = Vec::new();
        let (mut most, mut n_words) = (0.0, 0);
        for batch in promising.chunks(BATCH) {
            if batch.first().is_some_and(|first| first.0 < most * NEARLY) {
                break;
            }
            for ChunkText { chunk, language, start_line, text } in read(index, batch, sources) {
                let mut runs = self.runs(&text, language, &places);
                // Tests are often named in a few words, and quote messages with values.
                if is_test(index, chunk) {
                    (runs.fit, runs.n_whole) = (None, 0);
                }
                if self.is_phrase && runs.fit.is_none() {
                    continue;
                }
                if runs.rarity > most {
                    (most, n_words) = (runs.rarity, runs.n_words);
                }
                if runs.rarity > 0.0 {
                    let above = text.get(..runs.start).unwrap_or_default().matches('\n').count();
                    let line = start_line.saturating_add(u32::try_from(above).unwrap_or(u32::MAX));
                    found.push((chunk, line, runs));
                }
            }
        }
        let above_chance = n_words.saturating_sub(CERTAIN.0) as f64 / (CERTAIN.1 - CERTAIN.0) as f64;
        let has_whole = found.iter().any(|one| one.2.fit == Some(Fit::Whole));
        let said = |(chunk, line, runs): (ChunkRef, u32, Runs)| {
            let run = self.words.get(runs.longest).unwrap_or_default();
            let run: Vec<&str> = run.iter().map(|word| word.lower.as_str()).collect();
            let certainty = if runs.fit.is_some() { 1.0 } else { above_chance.min(1.0) };
            let is_less = has_whole && runs.fit != Some(Fit::Whole);
            let share = if is_less { NOT_WHOLE * certainty } else { certainty } * runs.rarity / most;
            let is_asked = self.key.as_ref().is_some_and(Key::is_asked);
            let how = if is_asked { Documents::Asked } else { Documents::Beside };
            let (is_literal, documents) = (runs.fit.is_some(), runs.is_documented.then_some(how));
            let (run, n_whole) = (run.join(" "), runs.n_whole);
            (chunk, MessageMatch { share, run, line, is_literal, n_whole, documents })
        };
        found.into_iter().map(said).collect()
    }

    /// Finds the message's runs in the strings of a lower-case text. `places` has the positions of
    /// each word.
    fn runs(&self, text: &str, language: &str, places: &HashMap<&str, Vec<usize>>) -> Runs {
        if let Some(key) = &self.key {
            let Some(place) = key.place(text, language) else { return Runs::default() };
            let KeyPlace { strength, at: start, is_documented } = place;
            let idf: f64 = self.words.iter().map(|word| word.idf).sum();
            let (rarity, n_words) = (idf * strength, self.words.len());
            let fit = Some(Fit::Whole);
            return Runs { rarity, n_words, longest: 0..n_words, start, fit, n_whole: 0, is_documented };
        }
        // By word of the message, the last run in the text that ended with it: the position of its
        // last token, its number of words, and its first byte.
        let mut last: Vec<Option<(usize, usize, usize)>> = vec![None; self.words.len()];
        // By word of the message, the number of words of the longest run in a string that ends with
        // it, and its first byte.
        let mut longest: Vec<(usize, usize)> = vec![(0, 0); self.words.len()];
        let mut best: Option<(Fit, usize)> = None;
        for (at, token) in tokens(text).enumerate() {
            let Some(places) = places.get(token) else { continue };
            let byte = offset_in(text, token);
            // Backwards, so that a repeated word does not follow itself.
            for &place in places.iter().rev() {
                let before = place.checked_sub(1).and_then(|before| last.get(before).copied().flatten());
                let (n, start) = match before {
                    Some((of, n, start)) if of + 1 == at => (n + 1, start),
                    _ => (1, byte),
                };
                if let Some(last) = last.get_mut(place) {
                    *last = Some((at, n, start));
                }
                let Some(longest) = longest.get_mut(place) else { continue };
                let is_whole = best.is_some_and(|best| best.0 == Fit::Whole);
                let is_longer = n > longest.0 || n == longest.0 && !is_whole;
                if n < self.shortest || !is_longer || !is_in_string(text, start, language) {
                    continue;
                }
                if n > longest.0 {
                    *longest = (n, start);
                }
                let literal = Literal::around(text, start, language);
                let fit = literal.and_then(|one| match self.is_phrase {
                    true => one.fit_phrase(&self.words),
                    false => one.fit(&self.words),
                });
                if fit > best.map(|best| best.0) {
                    best = fit.map(|fit| (fit, start));
                }
            }
        }
        let mut runs = Runs { fit: best.map(|best| best.0), ..Runs::default() };
        let mut n_carrying = 0;
        let mut end = longest.len();
        while let Some(place) = end.checked_sub(1) {
            let (n, start) = longest.get(place).copied().unwrap_or_default();
            let run = (end - n)..end;
            end -= n.max(1);
            let words = self.words.get(run.clone()).unwrap_or_default();
            runs.rarity += words.iter().map(|word| word.idf).sum::<f64>().powf(LONG_RUNS);
            runs.n_words += n;
            n_carrying += words.iter().filter(|word| word.carries).count();
            if n > runs.longest.len() {
                (runs.longest, runs.start) = (run, start);
            }
        }
        runs.start = best.map_or(runs.start, |best| best.1);
        let whole = best.filter(|best| best.0 == Fit::Whole);
        let whole = whole.and_then(|best| Literal::around(text, best.1, language));
        runs.n_whole = whole.map_or(0, |literal| literal.n_words());
        runs.rarity = runs.rarity.powf(1.0 / LONG_RUNS);
        let (alone, (few, among)) = ENOUGH;
        let is_enough = n_carrying >= alone
            || n_carrying >= few && runs.n_words >= among
            || n_carrying > 0 && runs.fit.is_some();
        if is_enough { runs } else { Runs::default() }
    }
}

/// The runs of a message's words that occur in a text.
#[derive(Debug, Clone, PartialEq, Default)]
struct Runs {
    /// The sum of the idf of their words, raised to [`LONG_RUNS`] for each run and back for all.
    rarity: f64,
    n_words: usize,
    /// The positions of the longest run's words in the message.
    longest: Range<usize>,
    /// The first byte of that run in the text, or of the literal that fits best.
    start: usize,
    /// How well the message fits the literal that it fits best; `None` without one.
    fit: Option<Fit>,
    /// Number of words of that literal, if it is whole; else 0.
    n_whole: usize,
    /// Whether the text documents the key.
    is_documented: bool,
}

/// Returns whether the language of a chunk has places that count for a key.
fn may_have(index: &Index<'_>, chunk: ChunkRef, key: &Key) -> bool {
    let row = index.segment(chunk.part).and_then(|segment| segment.chunk(chunk.ord));
    let file = row.and_then(|row| index.file(chunk.part, row.file));
    file.is_some_and(|file| key.may_be_in(file.language()))
}

/// The text of a chunk, in lower case.
struct ChunkText<'i> {
    chunk: ChunkRef,
    language: &'i str,
    /// The line of the file that it begins in, 1-based.
    start_line: u32,
    text: String,
}

/// Returns the texts of chunks.
fn read<'i>(index: &Index<'i>, chunks: &[(f64, ChunkRef)], sources: &dyn Sources) -> Vec<ChunkText<'i>> {
    let mut paths: Vec<&BStr> = Vec::new();
    let mut wanted: Vec<(ChunkRef, &str, Span, usize)> = Vec::new();
    for &(_, chunk) in chunks {
        let row = index.segment(chunk.part).and_then(|segment| segment.chunk(chunk.ord));
        let file = row.as_ref().and_then(|row| index.file(chunk.part, row.file));
        let Some((row, file)) = row.zip(file) else { continue };
        let at = paths.iter().position(|path| *path == file.path()).unwrap_or(paths.len());
        if at == paths.len() {
            paths.push(file.path());
        }
        wanted.push((chunk, file.language(), row.span, at));
    }
    let texts = sources.texts(&paths);
    let text = |(chunk, language, span, at): (ChunkRef, &'i str, Span, usize)| {
        let text = texts.get(at)?.as_deref()?;
        let text = span.bytes.of(text).to_lowercase();
        Some(ChunkText { chunk, language, start_line: span.start_line, text })
    };
    wanted.into_iter().filter_map(text).collect()
}

/// Returns whether a chunk is a test or in a file of tests.
fn is_test(index: &Index<'_>, chunk: ChunkRef) -> bool {
    let row = index.segment(chunk.part).and_then(|segment| segment.chunk(chunk.ord));
    let of_file = |file: u32| index.file(chunk.part, file).is_some_and(|file| file.flags().is_test());
    row.is_some_and(|row| row.is_test || of_file(row.file))
}

/// Leaves out chunks of tests beyond [`READ_TESTS`], as far as others follow that take their place
/// among the `n_read` that are read.
fn leave_out_tests(index: &Index<'_>, found: &mut Vec<(f64, ChunkRef)>, n_read: usize) {
    let (mut n_tests, mut excess) = (0, found.len().saturating_sub(n_read));
    found.retain(|&(_, chunk)| {
        if excess == 0 || !is_test(index, chunk) {
            return true;
        }
        n_tests += 1;
        let is_read = n_tests <= READ_TESTS;
        excess -= usize::from(!is_read);
        is_read
    });
}

/// Returns the most that [`Runs::rarity`] can be for words in runs of two and more; the bits of
/// `had` mark the words that occur.
fn in_runs(mut had: u128, rarity: &[f64]) -> f64 {
    let (mut at, mut sum) = (0, 0.0);
    while had != 0 {
        let skipped = had.trailing_zeros();
        had >>= skipped;
        at += skipped as usize;
        let n = had.trailing_ones();
        let run = rarity.get(at..at + n as usize).unwrap_or_default();
        if run.len() > 1 {
            sum += run.iter().sum::<f64>().powf(LONG_RUNS);
        }
        had = had.checked_shr(n).unwrap_or(0);
        at += n as usize;
    }
    sum.powf(1.0 / LONG_RUNS)
}

mod key;
mod literal;
mod passages;
mod shape;
#[cfg(test)]
mod tests;
