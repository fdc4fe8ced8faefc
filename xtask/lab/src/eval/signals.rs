//! `--signals`: every metric of the sets' scorers, by what the ranking uses.
//!
//! The four settings are words alone, vectors alone, vectors with the encoder, and everything. The
//! metrics are those of the scorers that come with the sets, defined again here so that one run
//! measures all. The scorers themselves can check them with the output of `--predictions`.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};

use git_cora::search::query::Hit;
use git_cora::search::query::weights::Weights;

use super::Setting;
use super::issues::{Gold, Issue, meets};
use super::metrics::{Span, ndcg10};

/// Weights for vectors alone: words count for nothing, nor does any other signal that uses the
/// query's words.
const VECTORS_ALONE: [(&str, f64); 20] = [
    ("meaning", 1.0),
    ("long.meaning", 1.0),
    ("floor", -1.0),
    ("rerank", 0.0),
    ("long.rerank", 0.0),
    ("history", 0.0),
    ("long.history", 0.0),
    ("coverage", 0.0),
    ("definition", 0.0),
    ("long.definition", 0.0),
    ("graph", 0.0),
    ("long.graph", 0.0),
    ("path_share", 0.0),
    ("short_form", 0.0),
    ("stem_share", 0.0),
    ("long.stem_share", 0.0),
    ("named_path", 0.0),
    ("named_line", 0.0),
    ("frame", 0.0),
    ("path_query", 0.0),
];

/// Weights for words alone: vectors neither find nor score chunks, and kernels do not compare
/// words. Commit messages are off too, because they are not the code's own words.
const KEYWORD_ALONE: [(&str, f64); 8] = [
    ("meaning", 0.0),
    ("unsaid", 0.0),
    ("long.meaning", 0.0),
    ("floor", 2.0),
    ("rerank", 0.0),
    ("long.rerank", 0.0),
    ("history", 0.0),
    ("long.history", 0.0),
];

/// Weights that let the encoder compare the chunks that vectors found.
const AND_ENCODER: [(&str, f64); 2] = [("rerank", 0.12), ("kernels", 0.0)];

/// Chunks of more lines than this do not count for the edited lines that they cover.
const MOST_LINES: u32 = 400;

/// Derives the settings from the given weights. Demotions by file (tests, examples, vendored code)
/// are the same in all.
pub(super) fn settings(weights: &Weights) -> Result<Vec<Setting>> {
    let with = |name: &str, changes: &[(&str, f64)]| -> Result<Setting> {
        let mut weights = weights.clone();
        for (weight, value) in changes {
            ensure!(weights.set(weight, *value), "there is no weight '{weight}'");
        }
        Ok(Setting { name: name.to_owned(), weights })
    };
    Ok(vec![
        with("fused", &[])?,
        with("keyword alone", &KEYWORD_ALONE)?,
        with("vectors alone", &VECTORS_ALONE)?,
        with("vectors and encoder", &[&VECTORS_ALONE[..], &AND_ENCODER].concat())?,
    ])
}

/// Values by group, metric and setting. A group's value is the mean over its units of each unit's
/// mean.
#[derive(Debug, Default)]
pub(super) struct Scores {
    groups: BTreeMap<String, BTreeMap<&'static str, Vec<Units>>>,
    metrics: Vec<&'static str>,
}

/// Sum and count, by unit.
type Units = BTreeMap<String, (f64, usize)>;

impl Scores {
    pub(super) fn add(&mut self, group: &str, unit: &str, setting: usize, values: &[(&'static str, f64)]) {
        let group = self.groups.entry(group.to_owned()).or_default();
        for &(metric, value) in values {
            if !self.metrics.contains(&metric) {
                self.metrics.push(metric);
            }
            let settings = group.entry(metric).or_default();
            if settings.len() <= setting {
                settings.resize_with(setting + 1, Units::default);
            }
            let unit = settings[setting].entry(unit.to_owned()).or_default();
            *unit = (unit.0 + value, unit.1 + 1);
        }
    }

    /// Adds a group whose units are all groups with this prefix.
    pub(super) fn add_means(&mut self, name: &str, prefix: &str) {
        let mut means: BTreeMap<&'static str, Vec<Units>> = BTreeMap::new();
        for (group, metrics) in self.groups.iter().filter(|(group, _)| group.starts_with(prefix)) {
            for (metric, settings) in metrics {
                let of = means.entry(*metric).or_default();
                of.resize_with(of.len().max(settings.len()), Units::default);
                for (units, all) in of.iter_mut().zip(settings) {
                    units.insert(group.clone(), (mean(all), 1));
                }
            }
        }
        self.groups.insert(name.to_owned(), means);
    }

    pub(super) fn print(&self, settings: &[Setting]) {
        for (name, group) in &self.groups {
            let n: usize = group.values().filter_map(|of| of.first()).map(count).max().unwrap_or(0);
            println!("\n{name} ({n})");
            let names: Vec<String> = settings.iter().map(|setting| format!("{:>14}", setting.name)).collect();
            println!("  {:<18}{}", "", names.join(""));
            for metric in self.metrics.iter().filter(|metric| group.contains_key(*metric)) {
                let cells: Vec<String> =
                    group[metric].iter().map(|of| format!("{:>14.4}", mean(of))).collect();
                let of = group[metric].first().map_or(0, count);
                let of = if of == n { String::new() } else { format!("  of {of}") };
                println!("  {metric:<18}{}{of}", cells.join(""));
            }
        }
    }
}

fn count(units: &Units) -> usize {
    units.values().map(|unit| unit.1).sum()
}

fn mean(units: &Units) -> f64 {
    units.values().map(|unit| unit.0 / unit.1 as f64).sum::<f64>() / units.len().max(1) as f64
}

/// Returns the metrics of the scorer of short questions. It computes them for three lists: the
/// chunks as they are, the chunks reduced to files, and the first ten chunks reduced to files.
pub(super) fn of_question(found: &[Span], targets: &[Span]) -> Vec<(&'static str, f64)> {
    let mut out = Vec::new();
    let files = |spans: &[Span]| -> Vec<Span> {
        let mut files: Vec<Span> = Vec::new();
        for span in spans {
            if !files.iter().any(|known| known.file == span.file) {
                files.push(Span { file: span.file.clone(), lines: None });
            }
        }
        files
    };
    let lists = [
        (["ndcg@10 chunks", "mrr@10 chunks", "recall@10 chunks", "hit@1 chunks"], found.to_vec()),
        (["ndcg@10 files", "mrr@10 files", "recall@10 files", "hit@1 files"], files(found)),
        (
            ["ndcg@10 files10", "mrr@10 files10", "recall@10 files10", "hit@1 files10"],
            files(&found[..found.len().min(10)]),
        ),
    ];
    for ([ndcg, mrr, recall, hit], list) in lists {
        let ranks: Vec<usize> =
            targets.iter().filter_map(|target| super::metrics::rank(&list, target)).collect();
        let first = ranks.iter().min();
        out.push((ndcg, ndcg10(&list, targets)));
        out.push((mrr, first.map_or(0.0, |first| 1.0 / (*first as f64 + 1.0))));
        out.push((recall, ranks.len() as f64 / targets.len().max(1) as f64));
        out.push((hit, f64::from(u8::from(first == Some(&0)))));
    }
    out
}

/// Returns the metrics of the scorer of issues, without those of functions and lines if the issue
/// has none.
pub(super) fn of_issue(issue: &Issue, hits: &[Hit]) -> Vec<(&'static str, f64)> {
    let mut files: Vec<&[u8]> = Vec::new();
    for hit in hits {
        if !files.contains(&hit.path.as_slice()) {
            files.push(&hit.path);
        }
    }
    let gold = &issue.gold_files;
    let ranks: Vec<Option<usize>> =
        gold.iter().map(|file| files.iter().position(|found| *found == file.as_bytes())).collect();
    let mut out = by_ranks(
        &ranks,
        &[
            (1, ["acc@1", "acc_la@1", "hit@1", "recall@1"]),
            (3, ["acc@3", "acc_la@3", "hit@3", "recall@3"]),
            (5, ["acc@5", "acc_la@5", "hit@5", "recall@5"]),
            (10, ["acc@10", "acc_la@10", "hit@10", "recall@10"]),
        ],
        "mrr",
    );
    let gain = |rank: usize| 1.0 / ((rank + 2) as f64).log2();
    let reached: f64 = ranks.iter().flatten().filter(|rank| **rank < 10).map(|rank| gain(*rank)).sum();
    out.push(("ndcg@10", reached / (0..gold.len().min(10)).map(gain).sum::<f64>()));
    let functions: Vec<&Gold> = issue.gold_spans.iter().filter(|span| span.kind == "function").collect();
    if !functions.is_empty() {
        let ranks: Vec<Option<usize>> =
            functions.iter().map(|gold| hits.iter().position(|hit| meets(hit, gold))).collect();
        out.extend(by_ranks(
            &ranks,
            &[
                (1, ["facc@1", "facc_la@1", "fhit@1", "frecall@1"]),
                (5, ["facc@5", "facc_la@5", "fhit@5", "frecall@5"]),
                (10, ["facc@10", "facc_la@10", "fhit@10", "frecall@10"]),
            ],
            "fmrr",
        ));
    }
    let mut edited: Vec<(&str, u32)> = issue
        .gold_spans
        .iter()
        .flat_map(|span| {
            span.edited.iter().flat_map(|(a, b)| (*a..=*b).map(|line| (span.file.as_str(), line)))
        })
        .collect();
    edited.sort_unstable();
    edited.dedup();
    if !edited.is_empty() {
        for (k, name) in [(5, "lrecall@5"), (10, "lrecall@10")] {
            let covers = |hit: &Hit, file: &str, line: u32| {
                let span = hit.span;
                hit.path == file.as_bytes()
                    && span.end_line - span.start_line < MOST_LINES
                    && (span.start_line..=span.end_line).contains(&line)
            };
            let is_covered = |one: &&(&str, u32)| hits.iter().take(k).any(|hit| covers(hit, one.0, one.1));
            out.push((name, edited.iter().filter(is_covered).count() as f64 / edited.len() as f64));
        }
    }
    out
}

/// Returns four metrics for each cut: all targets are above it; as many as fit are; any is; the
/// share that is. The reciprocal rank of the first target follows.
fn by_ranks(
    ranks: &[Option<usize>],
    cuts: &[(usize, [&'static str; 4])],
    mrr: &'static str,
) -> Vec<(&'static str, f64)> {
    let mut out = Vec::new();
    let n = ranks.len();
    for &(k, [acc, acc_la, hit, recall]) in cuts {
        let found = ranks.iter().flatten().filter(|rank| **rank < k).count();
        let is = |holds: bool| f64::from(u8::from(holds));
        out.push((acc, is(found == n)));
        out.push((acc_la, is(found >= k.min(n))));
        out.push((hit, is(found > 0)));
        out.push((recall, found as f64 / n.max(1) as f64));
    }
    let first = ranks.iter().flatten().min();
    out.push((mrr, first.map_or(0.0, |first| 1.0 / (*first as f64 + 1.0))));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(values: &[(&str, f64)], name: &str) -> f64 {
        values.iter().find(|one| one.0 == name).unwrap().1
    }

    #[test]
    fn settings_differ_in_weights_that_there_are() {
        let settings = settings(&Weights::default()).unwrap();
        let meaning = |i: usize| (settings[i].weights.meaning, settings[i].weights.long.meaning);
        assert_eq!([1, 2].map(meaning), [(0.0, 0.0), (1.0, 1.0)]);
        assert!((0.0..1.0).contains(&meaning(0).0));
    }

    #[test]
    fn ranks_become_the_scorers_metrics() {
        let values =
            by_ranks(&[Some(2), None, Some(0)], &[(1, ["a", "l", "h", "r"]), (3, ["A", "L", "H", "R"])], "m");
        assert_eq!(["a", "l", "h", "m"].map(|name| value(&values, name)), [0.0, 1.0, 1.0, 1.0]);
        assert_eq!(["A", "L", "H"].map(|name| value(&values, name)), [0.0, 0.0, 1.0]);
        assert!((value(&values, "R") - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn files_take_one_rank_each() {
        let span = |file: &str, line| Span { file: file.to_owned(), lines: Some((line, line + 9)) };
        let found = [span("b", 1), span("b", 11), span("a", 1)];
        let values = of_question(&found, &[Span { file: "a".to_owned(), lines: None }]);
        assert!((value(&values, "mrr@10 chunks") - 1.0 / 3.0).abs() < 1e-12);
        assert!((value(&values, "mrr@10 files") - 0.5).abs() < 1e-12);
        assert!((value(&values, "ndcg@10 files10") - 1.0 / 3f64.log2()).abs() < 1e-12);
        assert_eq!(value(&values, "hit@1 files"), 0.0);
    }

    #[test]
    fn a_groups_figure_is_the_mean_of_its_units() {
        let mut scores = Scores::default();
        for (unit, value) in [("a", 1.0), ("a", 1.0), ("b", 0.0)] {
            scores.add("all", unit, 0, &[("m", value)]);
        }
        assert!((mean(&scores.groups["all"]["m"][0]) - 0.5).abs() < 1e-12);
        assert_eq!(count(&scores.groups["all"]["m"][0]), 3);
        scores.add("all too", "c", 0, &[("m", 0.0)]);
        scores.add_means("of groups", "all");
        assert!((mean(&scores.groups["of groups"]["m"][0]) - 0.25).abs() < 1e-12);
    }
}
