//! Witnesses: for each weight, a question whose answer moves when the signal is taken away.
//!
//! Recorded in `golden.txt`, so that a weight which no question depends on is noticed. An update
//! looks for the witnesses among all questions; a test asks the recorded ones alone.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use git_cora::search::query::weights::{LongTextWeights, Weights};

use crate::corpus::{Corpus, Place};
use crate::golden::AnswerParts;

/// Each weight, with the value that takes its signal away: 0 for an addend, 1 for a factor. `None`
/// for a weight whose default takes nothing away or adds nothing already.
pub(crate) const WITHOUT: &[(&str, Option<f64>)] = &[
    ("fields.symbol", Some(0.0)),
    ("fields.signature", Some(0.0)),
    ("fields.doc", Some(0.0)),
    ("fields.body", Some(0.0)),
    ("fields.scope", Some(0.0)),
    ("fields.stem", Some(0.0)),
    ("fields.directory", Some(0.0)),
    ("length.symbol", Some(0.0)),
    ("length.signature", Some(0.0)),
    ("length.doc", Some(0.0)),
    ("length.body", Some(0.0)),
    ("length.scope", Some(0.0)),
    ("length.stem", Some(0.0)),
    ("length.directory", Some(0.0)),
    ("k1", Some(0.0)),
    ("part", Some(0.0)),
    ("compound", Some(0.0)),
    ("word", Some(0.0)),
    ("fence", Some(1.0)),
    ("title", Some(1.0)),
    ("turn", Some(0.0)),
    ("words", Some(0.0)),
    ("meaning", Some(0.0)),
    ("unsaid", Some(0.0)),
    ("floor", Some(1.1)),
    ("stem_share", Some(0.0)),
    ("path_share", Some(0.0)),
    ("short_form", Some(0.0)),
    ("coverage", Some(0.0)),
    ("definition", Some(0.0)),
    ("relation", Some(0.0)),
    ("mention", Some(0.0)),
    ("coherence", Some(0.0)),
    ("graph", Some(0.0)),
    ("rerank", Some(0.0)),
    ("kernels", Some(0.0)),
    ("encoder", Some(0.0)),
    ("said", Some(0.0)),
    ("commentary", Some(0.0)),
    ("history", Some(0.0)),
    ("named_path", Some(0.0)),
    ("path_query", Some(0.0)),
    ("named_line", Some(0.0)),
    ("frame", Some(0.0)),
    ("again", Some(1.0)),
    ("part_again", Some(1.0)),
    ("plain_again", Some(1.0)),
    ("plain_first", Some(1.0)),
    ("words_within", Some(0.0)),
    ("lines_within", Some(0.0)),
    ("function_within", Some(0.0)),
    ("long.meaning", Some(0.0)),
    ("long.definition", Some(0.0)),
    ("long.stem_share", Some(0.0)),
    ("long.coherence", Some(0.0)),
    ("long.graph", Some(0.0)),
    ("long.rerank", Some(0.0)),
    ("long.history", Some(0.0)),
    ("long.said", Some(0.0)),
    ("long.prose", Some(1.0)),
    ("long.settings", Some(1.0)),
    ("long.again", Some(1.0)),
    ("long.large", Some(1.0)),
    ("test", Some(1.0)),
    ("example", Some(1.0)),
    ("vendored", Some(1.0)),
    ("prose", Some(1.0)),
    ("other_language", Some(1.0)),
    ("translation", Some(1.0)),
    ("manual", Some(1.0)),
    ("head", Some(1.0)),
    ("typings", Some(1.0)),
    // 1 for everything but a long text, and so without effect.
    ("large", None),
    ("settings", None),
];

/// The heading of the witnesses in `golden.txt`.
pub(crate) const HEADING: &str = "[signals]";

/// An answer that moved without a signal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moved {
    pub(crate) weight: &'static str,
    pub(crate) corpus: String,
    pub(crate) title: String,
    /// The rank of the expected place with the signal and without it.
    pub(crate) ranks: (Option<usize>, Option<usize>),
}

impl Moved {
    /// Returns how much the answer shows, 0 the most: the expected place falls back without the
    /// signal, it comes forward, or only other places move.
    pub(crate) fn class(&self) -> u8 {
        let place = |rank: Option<usize>| rank.unwrap_or(usize::MAX);
        match place(self.ranks.1).cmp(&place(self.ranks.0)) {
            Ordering::Greater => 0,
            Ordering::Less => 1,
            Ordering::Equal => 2,
        }
    }

    /// Returns the line of `golden.txt`.
    pub(crate) fn line(&self) -> String {
        let rank = |rank: Option<usize>| rank.map_or("-".to_owned(), |rank| rank.to_string());
        let what = match self.class() {
            2 => format!("{} order", rank(self.ranks.0)),
            _ => format!("{} → {}", rank(self.ranks.0), rank(self.ranks.1)),
        };
        format!("{:<18} {what:<8} {}: {}", self.weight, self.corpus, self.title)
    }
}

/// Reads the recorded witnesses: by weight, the corpus and the title of the question.
pub(crate) fn recorded(golden: &str) -> BTreeMap<String, String> {
    let lines = golden.lines().skip_while(|line| *line != HEADING).skip(1);
    let of_line = |line: &str| {
        let (weight, rest) = line.split_once(' ')?;
        // The question begins at a fixed column, counted in characters.
        Some((weight.to_owned(), rest.trim_start().chars().skip(9).collect()))
    };
    lines.filter_map(of_line).collect()
}

/// Asks the questions of a corpus without each signal, and returns the answers that moved. If
/// witnesses are given, only they are asked.
pub(crate) fn measure(
    corpus: &Corpus,
    answered: &[AnswerParts<'_>],
    witnesses: Option<&BTreeMap<String, String>>,
) -> Vec<Moved> {
    let mut moved = Vec::new();
    let mut asked: Vec<Option<Vec<Place>>> = answered.iter().map(|_| None).collect();
    for &(weight, without) in WITHOUT {
        let Some(value) = without else { continue };
        let mut weights = Weights::default();
        assert!(weights.set(weight, value), "signals.rs: there is no weight '{weight}'");
        for (one, with) in answered.iter().zip(&mut asked) {
            let question = one.question;
            let name = format!("{}: {}", question.corpus, question.title());
            if witnesses.is_some_and(|known| known.get(weight) != Some(&name)) {
                continue;
            }
            let with = with.get_or_insert_with(|| corpus.ask_weighted(question, &Weights::default()));
            let without = corpus.ask_weighted(question, &weights);
            if !is_same_order(with, &without) {
                let ranks = (corpus.rank(question, with), corpus.rank(question, &without));
                let (corpus, title) = (question.corpus.clone(), question.title());
                let of_question = Moved { weight, corpus, title, ranks };
                let is_enough = of_question.class() == 0;
                moved.push(of_question);
                if is_enough {
                    break;
                }
            }
        }
    }
    moved
}

fn is_same_order(with: &[Place], without: &[Place]) -> bool {
    let place = |one: &Place| (one.path.clone(), one.lines);
    with.iter().map(place).eq(without.iter().map(place))
}

/// The table must not miss a weight.
#[test]
fn every_weight_is_in_the_table() {
    let plain = Weights::NAMES.iter().map(ToString::to_string);
    let long = LongTextWeights::NAMES.iter().map(|name| format!("long.{name}"));
    let names: Vec<String> = plain.chain(long).chain(["fields.".to_owned(), "length.".to_owned()]).collect();
    for name in &names {
        let is_known = |known: &str| known == name || name.ends_with('.') && known.starts_with(name.as_str());
        let n = WITHOUT.iter().filter(|(known, _)| is_known(known)).count();
        let expected = if name.ends_with('.') { 7 } else { 1 };
        assert_eq!(n, expected, "signals.rs: '{name}' needs a row that says what takes it away");
    }
    assert!(names.len() > 50, "{names:?}");
}
