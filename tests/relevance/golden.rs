//! `golden.txt`: answers → text, and the readable difference of two such texts.
//!
//! By corpus and question: the rank of the expected place (`-` if it is not among the first ten),
//! the title, then the results in order, with `*` at the expected one. Behind them the metrics by
//! corpus and in all, then the witnesses of the signals.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::corpus::{Corpus, Place};
use crate::question::Question;
use crate::signals::{HEADING, Moved, WITHOUT};

/// Scores that differ by less could change places on another machine, whose logarithms round
/// differently. Equal scores are ordered by path, which is the same everywhere.
const LEAST_GAP: f64 = 1e-6;

const HEAD: &str = "\
# Ranks of the questions in questions.json; written by: CORA_UPDATE_GOLDEN=1 cargo test --test relevance
# Each question: the rank of the expected place, the question, the first ten results (* is expected).
";

/// A question with its answer.
pub(crate) struct AnswerParts<'q> {
    pub(crate) question: &'q Question,
    pub(crate) places: Vec<Place>,
    pub(crate) rank: Option<usize>,
}

impl<'q> AnswerParts<'q> {
    /// Asks a question.
    pub(crate) fn new(corpus: &Corpus, question: &'q Question) -> Self {
        let places = corpus.ask(question);
        let rank = corpus.rank(question, &places);
        Self { question, places, rank }
    }
}

/// All answers.
#[derive(Default)]
pub(crate) struct Golden<'q> {
    answered: Vec<AnswerParts<'q>>,
    moved: Vec<Moved>,
}

impl<'q> Golden<'q> {
    /// Adds the answers of a corpus.
    pub(crate) fn add(&mut self, answered: Vec<AnswerParts<'q>>, moved: Vec<Moved>) {
        self.answered.extend(answered);
        self.moved.extend(moved);
    }

    /// Returns the text of `golden.txt`.
    pub(crate) fn render(&self) -> String {
        let mut out = HEAD.to_owned();
        let mut by_corpus: Vec<(&str, Vec<&AnswerParts<'q>>)> = Vec::new();
        for one in &self.answered {
            match by_corpus.last_mut() {
                Some((name, list)) if *name == one.question.corpus => list.push(one),
                _ => by_corpus.push((&one.question.corpus, vec![one])),
            }
        }
        for (name, answered) in &by_corpus {
            writeln!(out, "\n[{name}]").unwrap();
            for one in answered {
                let rank = one.rank.map_or("-".to_owned(), |rank| rank.to_string());
                writeln!(out, "{rank:<2} {}", one.question.title()).unwrap();
                for (ord, place) in (1..).zip(&one.places) {
                    let mark = if one.rank == Some(ord) { "*" } else { "" };
                    writeln!(out, "     {}:{}{mark}", place.path, place.lines.0).unwrap();
                }
            }
        }
        writeln!(out, "\n[metrics]\n{:<10} {:>9} {:>9} {:>6} {:>4}", "", "recall@1", "recall@5", "MRR", "n")
            .unwrap();
        let all: Vec<&AnswerParts<'q>> = self.answered.iter().collect();
        for (name, answered) in by_corpus.iter().chain([&("all", all)]) {
            writeln!(out, "{}", metrics(name, answered)).unwrap();
        }
        writeln!(out, "\n{HEADING}").unwrap();
        for (weight, _) in WITHOUT.iter().filter(|(_, without)| without.is_some()) {
            let of_weight = self.moved.iter().filter(|moved| moved.weight == *weight);
            // Of several, the first question.
            let first = of_weight.min_by_key(|moved| moved.class());
            match first {
                Some(moved) => writeln!(out, "{}", moved.line()).unwrap(),
                None => writeln!(out, "{weight:<18} no question depends on it").unwrap(),
            }
        }
        out
    }

    /// Fails if a weight could be taken away unnoticed, or if an order could be another one on
    /// another machine.
    pub(crate) fn check(&self) {
        for (weight, _) in WITHOUT.iter().filter(|(_, without)| without.is_some()) {
            let has_witness = self.moved.iter().any(|moved| moved.weight == *weight);
            assert!(has_witness, "no question depends on '{weight}': add one to questions.json");
        }
        for one in &self.answered {
            for pair in one.places.windows(2) {
                let gap = (pair[0].score - pair[1].score).abs();
                if gap > 0.0 && gap < LEAST_GAP {
                    one.question.complain(&format!(
                        "{} and {} differ by {gap:e} only: ask for something more definite",
                        pair[0].path, pair[1].path
                    ));
                }
            }
        }
    }
}

fn metrics(name: &str, answered: &[&AnswerParts<'_>]) -> String {
    let count = |n: usize| f64::from(u32::try_from(n).unwrap());
    let n = count(answered.len());
    let within =
        |most: usize| answered.iter().filter(|one| one.rank.is_some_and(|rank| rank <= most)).count();
    let mrr: f64 = answered.iter().filter_map(|one| one.rank).map(|rank| 1.0 / count(rank)).sum();
    let (first, five) = (count(within(1)) / n, count(within(5)) / n);
    format!("{name:<10} {first:>9.3} {five:>9.3} {:>6.3} {:>4}", mrr / n, answered.len())
}

/// A question's block of `golden.txt`: its head, and its places in order.
type Blocks<'t> = BTreeMap<(&'t str, &'t str), (&'t str, Vec<&'t str>)>;

fn blocks(text: &str) -> (Blocks<'_>, Vec<&str>) {
    let (mut blocks, mut others) = (Blocks::new(), Vec::new());
    let (mut corpus, mut title) = ("", "");
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with('[') {
            corpus = line;
        } else if corpus == "[metrics]" || corpus == HEADING {
            others.push(line);
        } else if let Some(place) = line.strip_prefix("     ") {
            blocks.entry((corpus, title)).or_default().1.push(place);
        } else {
            title = line.get(3..).unwrap_or_default();
            blocks.entry((corpus, title)).or_default().0 = line.get(..3).unwrap_or_default().trim();
        }
    }
    (blocks, others)
}

/// Says, question by question, what moved from the recorded text to the new one.
pub(crate) fn difference(recorded: &str, new: &str) -> String {
    let ((before, lines_before), (after, lines_after)) = (blocks(recorded), blocks(new));
    let mut out = String::from("answers are not as recorded in tests/relevance/golden.txt:\n");
    let mut names: Vec<_> = before.keys().chain(after.keys()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let none = ("", Vec::new());
        let (old, new) = (before.get(name).unwrap_or(&none), after.get(name).unwrap_or(&none));
        if old == new {
            continue;
        }
        writeln!(out, "\n{} {}   (expected: {:?} → {:?})", name.0, name.1, old.0, new.0).unwrap();
        let bare = |place: &&str| place.trim_end_matches('*').to_owned();
        let (old, new) = (old.1.iter().map(bare), new.1.iter().map(bare).collect::<Vec<_>>());
        let old: Vec<String> = old.collect();
        let at = |list: &[String], place: &String| list.iter().position(|known| known == place);
        for (rank, place) in (1..).zip(&new) {
            match at(&old, place) {
                Some(was) if was + 1 == rank => {}
                Some(was) => writeln!(out, "    {:>2} → {rank:<2} {place}", was + 1).unwrap(),
                None => writeln!(out, "     new {rank:<2} {place}").unwrap(),
            }
        }
        for place in old.iter().filter(|place| at(&new, place).is_none()) {
            writeln!(out, "    gone    {place}").unwrap();
        }
    }
    for line in lines_before.iter().filter(|line| !lines_after.contains(line)) {
        writeln!(out, "  - {line}").unwrap();
    }
    for line in lines_after.iter().filter(|line| !lines_before.contains(line)) {
        writeln!(out, "  + {line}").unwrap();
    }
    out
}

#[test]
fn a_difference_says_what_moved() {
    let recorded = "# head\n\n[a]\n1  where\n     x.c:1*\n     y.c:2\n     z.c:9\n\n[metrics]\nall 1\n";
    let new = "# head\n\n[a]\n2  where\n     y.c:2\n     x.c:1*\n     w.c:3\n\n[metrics]\nall 2\n";
    let report = difference(recorded, new);
    for part in [
        "[a] where   (expected: \"1\" → \"2\")",
        "2 → 1  y.c:2",
        "1 → 2  x.c:1",
        "new 3  w.c:3",
        "gone    z.c:9",
        "- all 1",
        "+ all 2",
    ] {
        assert!(report.contains(part), "no '{part}' in:\n{report}");
    }
    assert_eq!(difference(new, new).lines().count(), 1);
}
