//! Measures a model on questions with known answers.
//!
//! Three rankings are compared on every set: BM25 alone, vectors alone, and both fused. They use a
//! BM25 of their own rather than the program's search, so that only the text of the functions and
//! the model count.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Result;
use rayon::prelude::*;

use git_cora::index::embed::Vocabulary;
use git_cora::index::record::tokens;
use git_cora::search::segment::terms::{TermKind, each_term};

use super::corpus::{Bag, bag};
use super::sources::files;
use xtask_lab::functions::Set;

/// Weight of vectors in a fused score. Measured on both kinds of set. See
/// `doc/experiments/training.md`.
const VECTOR_SHARE: f32 = 0.65;

/// A set with everything that does not depend on the model.
pub(crate) struct Judged {
    pub(crate) name: String,
    pub(crate) docs: Vec<Bag>,
    pub(crate) questions: Vec<Question>,
}

pub(crate) struct Question {
    text: Bag,
    answer: usize,
    is_test: bool,
    /// BM25 scores of all docs.
    keywords: Vec<f32>,
}

/// MRR@10 and recall@10 over `n` questions; either sums or means.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Figures {
    pub(crate) n: usize,
    pub(crate) mrr: f64,
    pub(crate) recall: f64,
}

/// The metrics of a model on one set, by ranking.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Report {
    pub(crate) keywords: Figures,
    pub(crate) dense: Figures,
    pub(crate) fused: Figures,
}

/// A model that turns bags into normalised vectors of [`EmbeddingModel::dimensions`] components.
pub(crate) trait EmbeddingModel: Sync {
    fn dimensions(&self) -> usize;
    fn embed(&self, bag: &Bag, is_code: bool, out: &mut [f32]);
}

pub(crate) fn open(folder: &Path, vocabulary: &Vocabulary<'_>) -> Result<Vec<Judged>> {
    files(folder, "json")?
        .iter()
        .map(|path| {
            let set: Set = serde_json::from_slice(&std::fs::read(path)?)?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let keywords = Bm25::new(&set.docs);
            let docs = set.docs.par_iter().map(|doc| bag(vocabulary, doc, true)).collect();
            let ask = |(text, answer): &(String, usize), is_test| Question {
                text: bag(vocabulary, text, false),
                answer: *answer,
                is_test,
                keywords: keywords.scores(text),
            };
            let dev = set.dev.par_iter().map(|q| ask(q, false));
            let test = set.test.par_iter().map(|q| ask(q, true));
            Ok(Judged { name, docs, questions: dev.chain(test).collect() })
        })
        .collect()
}

/// An index for Okapi BM25 over stemmed parts of identifiers, with k1 = 1.2 and b = 0.75.
struct Bm25 {
    postings: HashMap<String, Vec<(usize, f32)>>,
    lengths: Vec<f32>,
    mean: f32,
}

fn each_part(text: &str, mut each: impl FnMut(&str)) {
    for (_, token) in tokens(text) {
        each_term(token, |term, kind| {
            if kind == TermKind::Part {
                each(term);
            }
        });
    }
}

impl Bm25 {
    fn new(docs: &[String]) -> Self {
        let mut postings: HashMap<String, Vec<(usize, f32)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (i, doc) in docs.iter().enumerate() {
            let mut n = 0.0;
            each_part(doc, |term| {
                n += 1.0;
                let list = postings.entry(term.to_owned()).or_default();
                match list.last_mut() {
                    Some((last, tf)) if *last == i => *tf += 1.0,
                    _ => list.push((i, 1.0)),
                }
            });
            lengths.push(n);
        }
        let mean = lengths.iter().sum::<f32>() / lengths.len().max(1) as f32;
        Self { postings, lengths, mean }
    }

    fn scores(&self, text: &str) -> Vec<f32> {
        let mut scores = vec![0.0; self.lengths.len()];
        let n = self.lengths.len() as f32;
        each_part(text, |term| {
            let Some(list) = self.postings.get(term) else { return };
            let df = list.len() as f32;
            let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
            for &(doc, tf) in list {
                let norm = 1.2 * (0.25 + 0.75 * self.lengths[doc] / self.mean);
                scores[doc] += idf * tf * 2.2 / (tf + norm);
            }
        });
        scores
    }
}

/// Rescales scores: (x − mean) / (max − mean).
fn scaled(scores: &[f32]) -> Vec<f32> {
    let mean = scores.iter().sum::<f32>() / scores.len().max(1) as f32;
    let max = scores.iter().copied().fold(f32::MIN, f32::max);
    let width = (max - mean).max(1e-9);
    scores.iter().map(|x| (x - mean) / width).collect()
}

fn rank(scores: &[f32], answer: usize) -> usize {
    let mine = scores[answer];
    // Ties count against the answer.
    scores.iter().enumerate().filter(|&(i, &s)| s > mine || (s == mine && i != answer)).count()
}

fn add(figures: &mut Figures, rank: usize) {
    figures.n += 1;
    if rank < 10 {
        figures.mrr += 1.0 / (rank + 1) as f64;
        figures.recall += 1.0;
    }
}

fn mean(figures: Figures) -> Figures {
    let n = figures.n.max(1) as f64;
    Figures { n: figures.n, mrr: figures.mrr / n, recall: figures.recall / n }
}

pub(crate) fn judge(model: &dyn EmbeddingModel, set: &Judged, is_test: bool) -> Report {
    let d = model.dimensions();
    let mut docs = vec![0f32; set.docs.len() * d];
    docs.par_chunks_mut(d).zip(&set.docs).for_each(|(out, doc)| model.embed(doc, true, out));
    let ranks: Vec<[usize; 3]> = set
        .questions
        .par_iter()
        .filter(|q| q.is_test == is_test)
        .map(|question| {
            let mut query = vec![0f32; d];
            model.embed(&question.text, false, &mut query);
            let dense: Vec<f32> =
                docs.chunks(d).map(|doc| doc.iter().zip(&query).map(|(a, b)| a * b).sum()).collect();
            let fused: Vec<f32> = scaled(&dense)
                .iter()
                .zip(scaled(&question.keywords))
                .map(|(v, k)| VECTOR_SHARE * v + (1.0 - VECTOR_SHARE) * k)
                .collect();
            [&question.keywords, &dense, &fused].map(|scores| rank(scores, question.answer))
        })
        .collect();
    let mut report = Report::default();
    for [keywords, dense, fused] in ranks {
        add(&mut report.keywords, keywords);
        add(&mut report.dense, dense);
        add(&mut report.fused, fused);
    }
    Report { keywords: mean(report.keywords), dense: mean(report.dense), fused: mean(report.fused) }
}

/// Returns the metrics of CoSQA and the mean of all other sets, in one line.
pub(crate) fn summary(model: &dyn EmbeddingModel, sets: &[Judged], is_test: bool) -> String {
    let mut lines = String::new();
    let (mut others, mut n) = (Report::default(), 0.0f64);
    for set in sets {
        let report = judge(model, set, is_test);
        if set.name == "cosqa" {
            lines = format!("cosqa {}", line(&report));
            continue;
        }
        n += 1.0;
        for (sum, one) in [
            (&mut others.keywords, report.keywords),
            (&mut others.dense, report.dense),
            (&mut others.fused, report.fused),
        ] {
            sum.mrr += one.mrr;
            sum.recall += one.recall;
        }
    }
    for sum in [&mut others.keywords, &mut others.dense, &mut others.fused] {
        sum.mrr /= n.max(1.0);
        sum.recall /= n.max(1.0);
    }
    format!("{lines} | repositories {}", line(&others))
}

pub(crate) fn line(report: &Report) -> String {
    let one = |f: &Figures| format!("{:.3}/{:.3}", f.mrr, f.recall);
    format!("bm25 {} dense {} fused {}", one(&report.keywords), one(&report.dense), one(&report.fused))
}
