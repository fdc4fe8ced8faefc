//! Commentary as a signal: notes about chunks → how well each matches a question.
//!
//! It is a signal of its own, next to the words and the embedding of the source. A note is short,
//! and says what code is for in words that the code may not have. Notes are rated among themselves,
//! so that a repository without notes ranks as before. A rating is the mean of two values:
//!
//! - words: BM25, as a share of the score of a note with all of the question's words;
//! - embedding: the cosine by the built-in model, scaled from [`FLOOR`] to 1.
//!
//! If the question has no embedding, words count alone. The rating does not depend on which segment
//! stores a chunk.

use std::collections::{BTreeMap, HashMap};

use crate::base::text::identifier::tokens;
use crate::index::embed::{Question, builtin};
use crate::search::segment::terms::each_term;

use crate::search::query::{ChunkRef, ParsedQuery};

/// BM25's k1: where a term's frequency in a note saturates. The usual value (Robertson & Zaragoza,
/// 2009).
const K1: f64 = 1.2;
/// BM25's b: how strongly the length of a note lowers its score. The usual value, from the same
/// source.
const B: f64 = 0.75;
/// Cosine that counts as no similarity: the typical cosine of two random notes.
const FLOOR: f64 = 0.3;
/// Minimum rating; a note below it does not make its chunk a candidate.
const LEAST: f64 = 0.15;
/// Maximum number of chunks that become candidates by their notes.
const MOST: usize = 400;

/// Notes about chunks.
#[derive(Debug, Clone, Default)]
pub struct Notes<'t> {
    /// Chunks with their notes, in order of path and start.
    pub texts: Vec<(ChunkRef, &'t str)>,
}

impl Notes<'_> {
    /// Returns how well notes match a question, from 0 to 1; notes that hardly match are omitted.
    pub(in crate::search::query) fn rate(&self, parsed: &ParsedQuery) -> BTreeMap<ChunkRef, f64> {
        let asked: HashMap<&str, usize> =
            parsed.terms.iter().enumerate().map(|(at, term)| (term.term.as_str(), at)).collect();
        let mut counted: Vec<(HashMap<usize, f64>, f64)> = Vec::with_capacity(self.texts.len());
        let mut with: Vec<f64> = vec![0.0; parsed.terms.len()];
        for (_, text) in &self.texts {
            let mut counts: HashMap<usize, f64> = HashMap::new();
            let mut length = 0.0;
            for token in tokens(text) {
                length += 1.0;
                each_term(token, |term, _| {
                    if let Some(at) = asked.get(term) {
                        *counts.entry(*at).or_default() += 1.0;
                    }
                });
            }
            for at in counts.keys() {
                with.get_mut(*at).into_iter().for_each(|n| *n += 1.0);
            }
            counted.push((counts, length));
        }
        let n = self.texts.len() as f64;
        let average = (counted.iter().map(|one| one.1).sum::<f64>() / n.max(1.0)).max(1.0);
        let worth: Vec<f64> = parsed
            .terms
            .iter()
            .zip(&with)
            .map(|(term, with)| f64::from(term.weight) * (1.0 + (n - with + 0.5) / (with + 0.5)).ln())
            .collect();
        let most: f64 = worth.iter().sum();
        let mut rated: Vec<(ChunkRef, f64)> = Vec::new();
        for ((chunk, text), (counts, length)) in self.texts.iter().zip(&counted) {
            // Summed in the order of the terms: a sum of floating-point numbers depends on its
            // order.
            let words: f64 = worth
                .iter()
                .enumerate()
                .filter_map(|(at, worth)| Some(worth * saturated(*counts.get(&at)?, length / average)))
                .sum();
            let words = if most > 0.0 { words / most } else { 0.0 };
            let rating = if parsed.question.is_zero() {
                words
            } else {
                let noted = builtin().question(tokens(text));
                let cosine = f64::from(parsed.question.dot(&noted.vector)) / Question::ONE;
                (words + ((cosine - FLOOR) / (1.0 - FLOOR)).clamp(0.0, 1.0)) / 2.0
            };
            if rating >= LEAST {
                rated.push((*chunk, rating));
            }
        }
        if rated.len() > MOST {
            // Notes with the same rating are kept together: the choice must not depend on which
            // segment stores the chunks.
            let mut order: Vec<f64> = rated.iter().map(|one| one.1).collect();
            order.sort_unstable_by(|a, b| b.total_cmp(a));
            let least = order.get(MOST - 1).copied().unwrap_or(0.0);
            rated.retain(|one| one.1 >= least);
        }
        rated.into_iter().collect()
    }
}

fn saturated(n: f64, length: f64) -> f64 {
    n / (K1 * (1.0 - B + B * length) + n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::parse::parser::parse;
    use crate::search::segment::Part;

    fn rated(texts: &[&str], question: &str) -> Vec<(u32, f64)> {
        let chunk = |ord| ChunkRef { part: Part::Base, ord };
        let notes = Notes { texts: (0..).map(chunk).zip(texts.iter().copied()).collect() };
        let mut found: Vec<(u32, f64)> =
            notes.rate(&parse(question)).into_iter().map(|(c, r)| (c.ord, r)).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found
    }

    #[test]
    fn the_note_that_says_it_comes_first() {
        let texts = [
            "Waits longer after each failed attempt, so that a server that is down is spared.",
            "Reads the settings of a repository from its configuration file.",
            "Draws a circle on the canvas.",
        ];
        let found = rated(&texts, "wait longer after a failed attempt");
        assert_eq!(found.first().map(|one| one.0), Some(0), "{found:?}");
        assert!(found.iter().all(|one| (LEAST..=1.0).contains(&one.1)), "{found:?}");
        assert_eq!(rated(&texts, "settings configuration").first().map(|one| one.0), Some(1));
        assert_eq!(rated(&[], "anything"), []);
        assert_eq!(rated(&texts, "quicksort pivot").len(), 0);
    }

    #[test]
    fn a_word_saturates_by_how_often_it_is_said_and_in_how_long_a_note() {
        // n / (1.2 · (0.25 + 0.75 · length) + n)
        for (n, length, expected) in [(1.0, 1.0, 1.0 / 2.2), (2.0, 1.0, 2.0 / 3.2), (1.0, 2.0, 1.0 / 3.1)] {
            let found = saturated(n, length);
            assert!((found - expected).abs() < 1e-9, "{n} {length}: {found}");
        }
    }

    #[test]
    fn notes_that_hardly_match_make_no_candidates() {
        // A name has no embedding, so words count alone.
        let found = rated(
            &["retry", "retry and very many other words that nobody asks for here or elsewhere"],
            "retry",
        );
        assert_eq!(found.len(), 2);
        let filler = "word ".repeat(400);
        let long = format!("retry {filler}");
        let mut texts = vec!["retry"; 9];
        texts.push(&long);
        let found = rated(&texts, "retry");
        assert_eq!(
            found.iter().map(|one| one.0).collect::<Vec<_>>(),
            (0..9).collect::<Vec<_>>(),
            "{found:?}"
        );
        assert!(found.iter().all(|one| one.1 >= 0.15));
        let same = vec!["retry"; MOST + 50];
        assert_eq!(rated(&same, "retry").len(), MOST + 50, "equal notes are kept together");
        let texts: Vec<String> =
            (0..MOST + 50).map(|n| format!("retry {}", "x ".repeat(n % 450 + 1))).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(rated(&texts, "retry").len(), 400);
    }

    #[test]
    fn the_order_of_notes_does_not_matter() {
        let texts = ["retry with a delay", "a delay before the retry of a request", "nothing of that"];
        let mut turned = texts;
        turned.reverse();
        let rating = |texts: &[&str]| {
            let mut all: Vec<String> = rated(texts, "retry delay")
                .into_iter()
                .map(|(at, rating)| format!("{} {rating:?}", texts[at as usize]))
                .collect();
            all.sort();
            all
        };
        assert_eq!(rating(&texts), rating(&turned));
    }
}
