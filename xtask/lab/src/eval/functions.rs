//! Sets of functions, as `train sets` writes them.
//!
//! The whole ranking is measured here where only the text of functions counts: each set becomes a
//! repository with one file per function, which the program indexes and searches. The metrics are
//! MRR@10 and recall@10, reported separately for the questions for tuning and for those for
//! measuring.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use rayon::prelude::*;

use git_cora::index::embed::encoder::Encoder;
use git_cora::search::query::{Query, SideSignals, search_weighted};
use git_cora::{Searcher, Session};

use super::{Options, Setting, place};
use xtask_lab::functions::Set;

/// MRR@10 and recall@10 with the number of questions; either sums or means.
#[derive(Debug, Clone, Copy, Default)]
struct Figures {
    mrr: f64,
    recall: f64,
    n: f64,
}

/// Metrics of the questions for tuning, and of those for measuring.
type SplitFigures = [Figures; 2];

/// Sums of the metrics over sets, by setting.
#[derive(Debug, Default)]
pub(super) struct Sets {
    sums: Vec<SplitFigures>,
    n: f64,
}

impl Sets {
    /// Asks the questions of a set and prints the metrics.
    pub(super) fn ask(
        &mut self,
        options: &Options,
        settings: &[Setting],
        encoder: Option<&Encoder<'_>>,
        path: &Path,
        text: &str,
    ) -> Result<()> {
        let set: Set = serde_json::from_str(text)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let repository = written(&options.work.join("functions").join(name.as_ref()), &set)?;
        let session = Session::open(&repository)?;
        let searcher = place::open(&session, "HEAD")?;
        let asked: Vec<SplitFigures> = settings
            .par_iter()
            .map(|setting| {
                let half = |questions| ask(&searcher, setting, encoder, questions, options.limit);
                Ok([half(&set.dev)?, half(&set.test)?])
            })
            .collect::<Result<_>>()?;
        print(settings, &asked);
        self.sums.resize(settings.len(), SplitFigures::default());
        self.n += 1.0;
        for (sum, one) in self.sums.iter_mut().flatten().zip(asked.iter().flatten()) {
            sum.mrr += one.mrr;
            sum.recall += one.recall;
            sum.n += one.n;
        }
        Ok(())
    }

    /// Prints the means over the sets, if there are several.
    pub(super) fn finish(mut self, settings: &[Setting]) {
        if self.n > 1.0 {
            for sum in self.sums.iter_mut().flatten() {
                sum.mrr /= self.n;
                sum.recall /= self.n;
            }
            println!("mean over {} sets of functions", self.n);
            print(settings, &self.sums);
        }
    }
}

fn print(settings: &[Setting], figures: &[SplitFigures]) {
    println!("{:40} MRR@10, recall@10: tuning    measuring", "setting");
    for (setting, halves) in settings.iter().zip(figures) {
        let line: Vec<String> =
            halves.iter().map(|one| format!("{:.4} {:.4} of {:<5}", one.mrr, one.recall, one.n)).collect();
        println!("{:40} {}", setting.name, line.join("   ").trim_end());
    }
}

fn ask(
    searcher: &Searcher,
    setting: &Setting,
    encoder: Option<&Encoder<'_>>,
    questions: &[(String, usize)],
    limit: Option<usize>,
) -> Result<Figures> {
    let index = searcher.index();
    let beside = SideSignals { encoder, ..SideSignals::default() };
    let mut sums = Figures::default();
    for (text, answer) in questions.iter().take(limit.unwrap_or(usize::MAX)) {
        let hits = search_weighted(&index, &Query::new(text), beside, &setting.weights)?.hits;
        let file = stem(*answer);
        // A long function has several chunks, so the rank is that of its file.
        let rank = hits.iter().position(|hit| hit.path.starts_with(file.as_bytes()));
        if let Some(rank) = rank.filter(|&rank| rank < 10) {
            sums.mrr += 1.0 / (rank + 1) as f64;
            sums.recall += 1.0;
        }
        sums.n += 1.0;
    }
    let n = sums.n.max(1.0);
    Ok(Figures { mrr: sums.mrr / n, recall: sums.recall / n, ..sums })
}

/// Returns the file name of a function, up to and including the dot.
///
/// The name carries no information: the model takes only the first three digits of a number for a
/// word, and these are zeros.
fn stem(function: usize) -> String {
    format!("{function:08}.")
}

/// Returns a repository with the functions of a set, made on first use.
fn written(place: &Path, set: &Set) -> Result<PathBuf> {
    if place.join(".git").is_dir() {
        return Ok(place.to_owned());
    }
    let part = place.with_extension("part");
    if part.exists() {
        std::fs::remove_dir_all(&part)?;
    }
    std::fs::create_dir_all(&part)?;
    for (function, code) in set.docs.iter().enumerate() {
        // Without this tag, PHP code is treated as plain text.
        let head = if set.extension == "php" { "<?php\n" } else { "" };
        std::fs::write(part.join(stem(function) + &set.extension), format!("{head}{code}\n"))
            .with_context(|| format!("can't write into '{}'", part.display()))?;
    }
    let identity = ["-c", "user.name=eval", "-c", "user.email=eval@localhost", "-c", "commit.gpgSign=false"];
    for arguments in [&["init", "--quiet"][..], &["add", "--all"], &["commit", "--quiet", "--message=set"]] {
        let done = Command::new("git").arg("-C").arg(&part).args(identity).args(arguments).status()?;
        ensure!(done.success(), "can't make a repository in '{}'", part.display());
    }
    std::fs::rename(&part, place)?;
    Ok(place.to_owned())
}
