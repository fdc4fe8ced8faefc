//! Spelling correction: words of the query that occur nowhere → similar words of the index.
//!
//! Names are looked up in the module `symbols`; this module handles the words of a question. It
//! generates all words one edit away, some hundred for each word, and looks them up. That is faster
//! than a search of the whole dictionary. Only if none of them occurs, declared names two edits
//! away are searched. Only live chunks are counted, so the result does not depend on the base.

use std::collections::BTreeSet;

use bstr::ByteSlice as _;
use roaring::RoaringBitmap;

use crate::base::text::identifier::is_unspaced;
use crate::index::embed::Question;
use crate::search::segment::terms::{TermKind, each_term};
use crate::search::segment::{Index, Part};

use crate::search::query::parse::parser::{ParsedQuery, QueryTerm, directed};
use crate::search::query::parse::{language, words};
use crate::search::query::weights;
use crate::search::query::weights::Weights;
use crate::search::query::{Error, UnknownTerm};

/// Minimum length of a corrected word, in letters: shorter words are one edit from too many others.
const MIN_LETTERS: usize = 4;
/// Maximum length of a corrected word, in letters: longer tokens are not words.
const MAX_LETTERS: usize = 32;
/// Length from which names two edits away are searched, in letters.
const MIN_TWO_EDITS: usize = 8;
/// Maximum number of words that are replaced, and of words that are only reported as missing.
const MAX_WORDS: usize = 8;
/// Minimum length of a word that is reported as missing, in letters: the index leaves out single
/// letters.
const MIN_NAMED: usize = 3;
/// Maximum number of replacements for one word.
const MAX_INSTEAD: usize = 3;
/// Minimum frequency of a replacement, as a share of the most frequent replacement's.
const LEAST_SHARE: f64 = 0.05;

/// Returns the words of the query without any known term, each with its replacements, and the
/// compound names of which only parts are known. A word of another language has no replacements.
/// Also returns the terms of the replacements, which have to be searched for as well. The terms of
/// the query must have been scored before.
pub(in crate::search::query) fn words(
    index: &Index<'_>,
    parsed: &ParsedQuery,
    ranking: &Weights,
) -> Result<(Vec<UnknownTerm>, Vec<QueryTerm>), Error> {
    let known = |term: &str| is_known(index, parsed, term);
    let (mut found, mut n_replaced) = (Vec::new(), 0);
    let mut missing = Vec::new();
    let mut terms: Vec<QueryTerm> = Vec::new();
    for (word, weight) in &parsed.words {
        let n_letters = word.chars().count();
        // A run of ideographs has many terms, and some of them occur by chance.
        let is_run = word.chars().any(is_unspaced);
        let (mut n_known, mut n_terms) = (0, 0);
        each_term(word, |term, _| {
            n_terms += 1;
            n_known += usize::from(known(term));
        });
        let is_known = if is_run { n_known * 2 >= n_terms } else { n_known > 0 };
        let is_word = n_letters <= MAX_LETTERS && (is_run || word.chars().all(char::is_lowercase));
        if is_known || !is_word {
            continue;
        }
        let is_long = n_letters >= MIN_LETTERS && n_replaced < MAX_WORDS;
        let may_be_misspelt = is_long && !is_run && !parsed.is_foreign;
        let instead = if may_be_misspelt { instead(index, word)? } else { Vec::new() };
        if instead.is_empty() {
            if n_letters >= MIN_NAMED && !words::is_contracted(word) {
                missing.push(word.clone());
            }
            continue;
        }
        n_replaced += 1;
        for (n, near) in instead.iter().enumerate() {
            each_term(near, |term, kind| {
                let factor = if kind == TermKind::Word { ranking.word } else { ranking.part };
                let is_new = terms.iter().chain(&parsed.terms).all(|known| known.term != term);
                if is_new && kind != TermKind::Compound {
                    let weight = weight * factor * weights::NEAR_WORD;
                    // The first replacement is the likely meaning, so it counts like a word of the
                    // query.
                    let is_part = n == 0 && kind == TermKind::Part;
                    terms.push(QueryTerm { term: term.to_owned(), weight, is_part, idf: 0.0 });
                }
            });
        }
        found.push(UnknownTerm { word: word.clone(), instead });
    }
    // The parts of a compound name are searched for, but the user should know that the name itself
    // is absent.
    let names = parsed.symbols.iter().flat_map(|symbol| [&symbol.name, &symbol.qualifier]);
    missing.extend(absent_names(names.filter(|_| !parsed.kind.is_long()), &known));
    not_in_paths(index, &mut missing);
    missing.retain(|word| !words::asks_for_place(word));
    // The language that the query asks for, and "code".
    missing.retain(|word| parsed.written_in.is_empty() || !language::says_so(word));
    missing.truncate(MAX_WORDS);
    found.extend(missing.into_iter().map(|word| UnknownTerm { word, instead: Vec::new() }));
    Ok((found, terms))
}

/// Returns whether a term of the query occurs. In a part of a repository, terms that occur in the
/// rest of it are known as well.
fn is_known(index: &Index<'_>, parsed: &ParsedQuery, term: &str) -> bool {
    let at = parsed.terms.binary_search_by(|known| known.term.as_str().cmp(term)).ok();
    let is_here = at.and_then(|at| parsed.terms.get(at)).is_some_and(|term| term.idf > 0.0);
    is_here || index.frequency(term, 0) > 0
}

/// Returns the compound names that occur nowhere whole.
fn absent_names<'n>(
    names: impl Iterator<Item = &'n String>,
    known: &dyn Fn(&str) -> bool,
) -> impl Iterator<Item = String> {
    let is_absent = |name: &&String| {
        let mut is_here = true;
        each_term(name, |term, kind| is_here &= kind != TermKind::Compound || known(term));
        !is_here
    };
    names.filter(is_absent).cloned()
}

/// Returns the qualifiers of the query's names that occur nowhere (`Foo` of `Foo.bar`), with no
/// replacements. The names themselves are declared.
pub(in crate::search::query) fn qualifiers(index: &Index<'_>, parsed: &ParsedQuery) -> Vec<UnknownTerm> {
    let known = |term: &str| is_known(index, parsed, term);
    let qualifiers = parsed.symbols.iter().map(|symbol| &symbol.qualifier);
    let mut absent: Vec<String> = absent_names(qualifiers, &known).collect();
    absent.dedup();
    not_in_paths(index, &mut absent);
    absent.into_iter().map(|word| UnknownTerm { word, instead: Vec::new() }).collect()
}

/// Removes the words that occur in the path of any file, even of one that is not indexed.
fn not_in_paths(index: &Index<'_>, words: &mut Vec<String>) {
    if words.is_empty() {
        return;
    }
    let mut paths = Vec::new();
    for file in index.files() {
        paths.extend_from_slice(file.path());
        paths.push(b'\n');
    }
    let paths = paths.to_lowercase();
    words.retain(|word| paths.find(word.to_lowercase()).is_none());
}

/// Returns the embedding and the sub-tokens of the query's words, with replacements in place of the
/// words that occur nowhere.
pub(in crate::search::query) fn question(
    parsed: &ParsedQuery,
    found: &[UnknownTerm],
) -> (Question, Vec<(u16, f32)>) {
    let of = |word: &str| found.iter().find(|near| near.word == word).and_then(|near| near.instead.first());
    let words: Vec<&str> = parsed.words.iter().map(|(word, _)| of(word).unwrap_or(word).as_str()).collect();
    directed(&words)
}

/// Longest end that a word may have behind its stem, in bytes.
const LONGEST_END: usize = 5;

/// Most words of an index that are compared with a stem. Thousands of names begin like a short one.
const MOST_OF_STEM: usize = 4096;

/// Returns the known words nearest to `word`, most frequent first. All of them are written in the
/// source.
fn instead(index: &Index<'_>, word: &str) -> Result<Vec<String>, Error> {
    let mut counted = counted(index, one_edit(word))?;
    if counted.is_empty() && word.chars().count() >= MIN_TWO_EDITS {
        let mut names = BTreeSet::new();
        for (_, segment) in index.segments() {
            names.extend(segment.symbols_like(word, 2)?.into_iter().map(|(name, _)| name));
        }
        counted = self::counted(index, names)?;
    }
    let most = counted.iter().map(|(n, _)| *n).max().unwrap_or(0) as f64;
    counted.retain(|(n, _)| *n as f64 >= most * LEAST_SHARE);
    counted.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    counted.truncate(MAX_INSTEAD);
    let mut known: Vec<String> = Vec::new();
    for (_, near) in counted {
        let near = as_written(index, near)?.filter(|near| near != word && !known.contains(near));
        known.extend(near);
    }
    Ok(known)
}

/// Returns a generated word if the source has it in this spelling, else the most frequent word with
/// its stem. `winned` has a stem that occurs; the source may say `wins`.
fn as_written(index: &Index<'_>, word: String) -> Result<Option<String>, Error> {
    let (mut stem, mut whole) = (None, None);
    each_term(&word, |term, kind| match kind {
        TermKind::Part => stem = Some(term.to_owned()),
        TermKind::Word | TermKind::Compound => whole = Some(term.to_owned()),
    });
    if let Some(whole) = whole
        && live_chunks(index, std::iter::once(whole.as_str()))?.iter().any(|n| *n > 0)
    {
        return Ok(Some(word));
    }
    let Some(stem) = stem else { return Ok(Some(word)) };
    let mut words = BTreeSet::new();
    for (_, segment) in index.segments() {
        // The stem of `retries` is `retry`.
        words.extend(segment.terms_with_prefix(stem.trim_end_matches('y'), MOST_OF_STEM)?);
    }
    let has_stem = |known: &String| {
        let (mut is_of_stem, mut is_word) = (false, false);
        each_term(known, |term, kind| match kind {
            TermKind::Part => is_of_stem = term == stem,
            TermKind::Word | TermKind::Compound => is_word = true,
        });
        is_of_stem && is_word && known.len() <= stem.len() + LONGEST_END
    };
    words.retain(has_stem);
    let counts = live_chunks(index, words.iter().map(String::as_str))?;
    let n_stem = live_chunks(index, std::iter::once(stem.as_str()))?.iter().sum::<u64>();
    let mut stems_own = BTreeSet::new();
    each_term(&stem, |term, _| _ = stems_own.insert(term.to_owned()));
    // A stem that occurs in more chunks than all longer words is a word itself.
    if n_stem > counts.iter().sum() && stems_own.iter().eq([&stem]) {
        return Ok(Some(stem));
    }
    // The first of equals.
    let more = |best: (u64, String), one: (u64, String)| if one.0 > best.0 { one } else { best };
    Ok(counts.into_iter().zip(words).filter(|(n, _)| *n > 0).reduce(more).map(|(_, word)| word))
}

/// Returns the words that occur, with their numbers of live chunks. Of several words with one stem,
/// only the most frequent is kept. A bare stem ("schedul") never hides a word that is written in
/// the source.
fn counted(index: &Index<'_>, words: BTreeSet<String>) -> Result<Vec<(u64, String)>, Error> {
    // By word: the whole word, its stem, and the word as generated. A word that is its own stem has
    // one term; for any other, the term of the whole word proves that the source has this spelling.
    let mut asked: Vec<(String, String, String)> = Vec::new();
    for word in words.into_iter().filter(|word| !words::is_stop_word(word)) {
        let (mut stem, mut whole) = (None, None);
        each_term(&word, |term, kind| match kind {
            TermKind::Part => stem = Some(term.to_owned()),
            TermKind::Word | TermKind::Compound => whole = Some(term.to_owned()),
        });
        if let Some(stem) = stem {
            asked.push((whole.unwrap_or_else(|| stem.clone()), stem, word));
        }
    }
    let wholes = live_chunks(index, asked.iter().map(|(whole, ..)| whole.as_str()))?;
    let stems = live_chunks(index, asked.iter().map(|(_, stem, _)| stem.as_str()))?;
    let mut found: Vec<(bool, u64, String, String)> = Vec::new();
    for (((_, stem, word), whole), of_stem) in asked.into_iter().zip(wholes).zip(stems) {
        if of_stem > 0 {
            found.push((whole > 0, whole.max(1), stem, word));
        }
    }
    // Words that occur in the source with this spelling come before those whose stem alone occurs.
    if found.iter().any(|(is_written, ..)| *is_written) {
        found.retain(|(is_written, ..)| *is_written);
    }
    found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.3.cmp(&b.3)));
    let mut of_stems: Vec<(u64, String, String)> = Vec::new();
    for (_, n, stem, word) in found {
        match of_stems.iter_mut().find(|known| known.1 == stem) {
            None => of_stems.push((n, stem, word)),
            Some((_, _, known)) if *known == stem => *known = word,
            Some(_) => {}
        }
    }
    Ok(of_stems.into_iter().map(|(n, _, word)| (n, word)).collect())
}

/// Returns the number of live chunks with each term, in the order of the terms.
fn live_chunks<'t>(
    index: &Index<'_>,
    terms: impl Iterator<Item = &'t str> + Clone,
) -> Result<Vec<u64>, Error> {
    let mut counts = vec![0u64; terms.clone().count()];
    for (part, segment) in index.segments() {
        let masked = if part == Part::Base { index.masked_chunks(part) } else { RoaringBitmap::new() };
        for (count, postings) in counts.iter_mut().zip(segment.postings(terms.clone())?) {
            *count += postings.filter(|posting| !masked.contains(posting.chunk)).count() as u64;
        }
    }
    Ok(counts)
}

/// Returns all words one edit from `word` (lower case): one letter omitted, replaced or inserted,
/// or two neighbours swapped. The first letter stays, as it is seldom mistyped except by swapping
/// it with the second.
fn one_edit(word: &str) -> BTreeSet<String> {
    let letters: Vec<char> = word.chars().collect();
    let mut alphabet: BTreeSet<char> = ('a'..='z').collect();
    alphabet.extend(&letters);
    let mut words = BTreeSet::new();
    let mut add = |before: &[char], middle: &[char], after: &[char]| {
        words.insert([before, middle, after].concat().into_iter().collect::<String>());
    };
    for at in 0..letters.len() {
        let (before, rest) = letters.split_at(at);
        if let [a, b, after @ ..] = rest {
            add(before, &[*b, *a], after);
        }
        let [own, after @ ..] = rest else { continue };
        for c in &alphabet {
            // Inserted after the letter, so that the first letter stays.
            add(before, &[*own, *c], after);
            if at > 0 {
                add(before, &[*c], after);
            }
        }
        if at > 0 {
            add(before, &[], after);
        }
    }
    words.remove(word);
    words
}

#[cfg(test)]
mod tests {
    use super::{instead, one_edit, words};
    use crate::search::query::parse::parser::parse;
    use crate::search::query::weights::WEIGHTS;
    use crate::search::segment::samples::{file, segment};
    use crate::search::segment::{Index, Segment};

    /// Returns a segment in which each word is in the given number of chunks.
    fn with(counts: &[(&str, usize)]) -> Segment {
        let chunks: Vec<(&str, &str, &str)> =
            counts.iter().flat_map(|&(word, n)| (0..n).map(move |_| ("", "", word))).collect();
        segment(&[file("all.py", &chunks)])
    }

    fn near(counts: &[(&str, usize)], word: &str) -> Vec<String> {
        instead(&Index::whole(&with(counts)), word).unwrap()
    }

    #[test]
    fn rare_neighbours_of_a_common_word_are_left_out() {
        // A twentieth is the limit.
        assert_eq!(near(&[("retry", 40), ("rety", 1)], "retyr"), ["retry"]);
        assert_eq!(near(&[("retry", 21), ("rety", 1)], "retyr"), ["retry"]);
        assert_eq!(near(&[("retry", 20), ("rety", 1)], "retyr"), ["retry", "rety"]);
        assert_eq!(near(&[("retry", 1), ("rety", 40)], "retyr"), ["rety"]);
        assert_eq!(near(&[("socket", 3)], "retyr"), Vec::<String>::new());
    }

    #[test]
    fn a_replacement_is_written_in_the_source() {
        // `winned` and `winder` are one edit away; their stems occur, but not they themselves.
        assert_eq!(near(&[("winning", 3), ("wins", 1)], "winner"), ["winning"]);
        assert_eq!(near(&[("win", 3), ("wins", 1)], "winner"), ["win"]);
        assert_eq!(near(&[("scheduling", 2), ("schedules", 1)], "schedull"), ["scheduling"]);
        assert_eq!(near(&[("indexed", 2)], "indexs"), ["indexed"]);
        assert_eq!(near(&[("index", 2), ("indexed", 1)], "indxe"), ["index"]);
        assert_eq!(near(&[("retries", 2)], "retyr"), ["retries"]);
    }

    #[test]
    fn at_most_three_words_stand_for_one() {
        let counts = [("brand", 4), ("grind", 9), ("gland", 5), ("grant", 3), ("grand", 0), ("gran", 2)];
        assert_eq!(near(&counts, "grand"), ["grind", "gland", "grant"]);
    }

    #[test]
    fn short_words_and_two_edits_have_limits() {
        let replaced = |known: &str, asked: &str| -> Vec<String> {
            let segment = segment(&[file("all.py", &[(known, "", "socket")])]);
            let asked = parse(&format!("where is the {asked}"));
            let (found, _) = words(&Index::whole(&segment), &asked, &WEIGHTS).unwrap();
            found.into_iter().flat_map(|near| near.instead).collect()
        };
        assert_eq!(replaced("abce", "abcd"), ["abce"]);
        assert_eq!(replaced("abe", "abd"), Vec::<String>::new(), "three letters");
        let letters = "abcdefghijklmnopqrstuvwxyzabcdef";
        assert_eq!(replaced(letters, &letters.replace("jk", "kj")).len(), 1);
        assert!(replaced(&format!("{letters}g"), &format!("{letters}h")).is_empty(), "33 letters");
        // Two edits away: names only, from eight letters on.
        assert_eq!(replaced("scheduler", "sxhedulxr"), ["scheduler"]);
        assert_eq!(replaced("schedul", "sxhedxl"), Vec::<String>::new());
    }

    #[test]
    fn words_of_another_language_are_not_replaced() {
        let segment = segment(&[file("all.py", &[("send", "", "warm registry weren 検索する")])]);
        let unknown = |asked: &str| -> Vec<(String, Vec<String>)> {
            let (found, _) = words(&Index::whole(&segment), &parse(asked), &WEIGHTS).unwrap();
            found.into_iter().map(|one| (one.word, one.instead)).collect()
        };
        for (asked, missing) in [
            ("wo sind die Register", vec!["register"]),
            ("wie werden die Einträge gespeichert", vec!["einträge", "gespeichert"]),
            ("dónde se guardan los registros", vec!["guardan", "registros"]),
            ("今日の検索はどうですか", vec!["今日の検索はどうですか"]),
            ("検索", vec![]),
        ] {
            let missing: Vec<_> = missing.into_iter().map(|word| (word.to_owned(), Vec::new())).collect();
            assert_eq!(unknown(asked), missing, "{asked}");
        }
        assert_eq!(unknown("where is the registri"), [("registri".to_owned(), vec!["registry".to_owned()])]);
    }

    #[test]
    fn a_replacement_weighs_half_of_the_word() {
        let segment = with(&[("retries", 3), ("socket", 1)]);
        let asked = parse("where are the retreis");
        let (found, terms) = words(&Index::whole(&segment), &asked, &WEIGHTS).unwrap();
        assert_eq!(found[0].instead, ["retries"]);
        let mut weights: Vec<(&str, f32, bool)> =
            terms.iter().map(|term| (term.term.as_str(), term.weight, term.is_part)).collect();
        weights.sort_by_key(|one| one.0);
        assert_eq!(weights, [("retries", 0.25, false), ("retry", 0.5, true)]);
    }

    #[test]
    fn an_edit_is_made_in_every_way() {
        let words = one_edit("retyr");
        for near in ["retry", "rety", "ertyr", "retyre", "retar", "rretyr"] {
            assert!(words.contains(near), "{near}");
        }
        for far in ["retyr", "letyr", "etyr", "aretyr", "retries"] {
            assert!(!words.contains(far), "{far}");
        }
        assert!(one_edit("größe").contains("grösse") || one_edit("größe").contains("gröse"));
    }
}
