//! Scoring and selection of candidates: evidence → signals of each chunk → scores → the best chunks
//! of each file.
//!
//! Some signals are computed late, for the best chunks only. [`Evidence::score_again`] then
//! rescores just these chunks, and all other scores stay as they are. The weighing of signals is
//! left to the module `fuse`, the order inside a file to the module `order`.

use std::ops::Range;

use bstr::{BStr, ByteSlice};

use crate::base::threads;
use crate::index::chunk::ChunkKind;
use crate::search::graph::is_function;
use crate::search::segment::{ChunkRow, FileView, Index};

use super::fuse::{Signals, by_words, fuse};
use super::order::{WithinFileFactors, end_file};
use super::pipeline::Evidence;
use crate::search::query::parse::language;
use crate::search::query::parse::referrers::OWN_DEFINITION;
use crate::search::query::recall::score::Cell;
use crate::search::query::{ChunkRef, QueryKind};

/// A chunk that may become a hit, with its score.
#[derive(Debug, Clone, Copy)]
pub(in crate::search::query) struct Candidate {
    pub(in crate::search::query) score: f64,
    pub(in crate::search::query) chunk: ChunkRef,
    pub(in crate::search::query) file: u32,
    /// The score by which it is compared with other chunks of its file.
    pub(in crate::search::query) own: f64,
    /// The score by which hits are ordered: `score`, lowered if better chunks of the file come
    /// first.
    pub(in crate::search::query) order: f64,
}

/// A file with candidates. The runs of an index are ordered by segment, then by the file's ordinal
/// there.
pub(in crate::search::query) struct Run<'s> {
    pub(in crate::search::query) file: FileView<'s>,
    /// The file's range in the evidence's `found`.
    pub(in crate::search::query) chunks: Range<usize>,
    /// Sum of the squared scores of its chunks, by words and embedding.
    pub(in crate::search::query) squares: f64,
}

impl<'s> Evidence<'s> {
    /// Returns the scores of all candidates, in the order of `found`; on two threads if `at_once`
    /// is set.
    pub(in crate::search::query) fn scores(&self, runs: &[Run<'s>], at_once: bool) -> Vec<f64> {
        let of_runs = |runs: &[Run<'s>]| {
            let mut scores = Vec::with_capacity(self.found.len());
            for run in runs {
                let of_file = self.of_file(&run.file, run.squares);
                scores.extend(self.chunks(run).iter().map(|&ord| self.score(of_file, &run.file, ord)));
            }
            scores
        };
        let half = self.found.len() / 2;
        let (first, second) = runs.split_at(runs.partition_point(|run| run.chunks.start < half));
        let (mut scores, mut others) = threads::both(at_once, || of_runs(first), || of_runs(second));
        scores.append(&mut others);
        scores
    }

    /// Rescores chunks for which further signals have become known.
    pub(in crate::search::query) fn score_again<'c>(
        &self,
        index: &Index<'s>,
        runs: &[Run<'s>],
        scores: &mut [f64],
        chunks: impl Iterator<Item = &'c ChunkRef>,
    ) {
        for &chunk in chunks {
            let row = index.segment(chunk.part).and_then(|segment| segment.chunk(chunk.ord));
            let Some(file) = row.map(|row| (chunk.part, row.file)) else { continue };
            let run = runs.binary_search_by_key(&file, |run| (run.file.part, run.file.ord));
            let Some(run) = run.ok().and_then(|at| runs.get(at)) else { continue };
            let Ok(at) = self.chunks(run).binary_search(&chunk.ord) else { continue };
            if let Some(score) = scores.get_mut(run.chunks.start + at) {
                let of_file = self.of_file(&run.file, run.squares);
                *score = self.score(of_file, &run.file, chunk.ord);
            }
        }
    }

    /// Returns the candidates of a file, in order of their ordinals.
    pub(in crate::search::query) fn chunks(&self, run: &Run<'s>) -> &[u32] {
        self.found.get(run.chunks.clone()).unwrap_or_default()
    }

    /// Returns the candidates of a file, each with its score.
    fn scored<'e>(&'e self, run: &Run<'s>, scores: &'e [f64]) -> impl Iterator<Item = (u32, f64)> + 'e {
        let scores = scores.get(run.chunks.clone()).unwrap_or_default();
        self.chunks(run).iter().copied().zip(scores.iter().copied())
    }

    fn score(&self, of_file: Signals, file: &FileView<'_>, ord: u32) -> f64 {
        let chunk = ChunkRef { part: file.part, ord };
        fuse(&self.of_chunk(of_file, file, chunk), self.parsed.kind, &self.weights)
    }

    /// Returns about `n` chunks with the best scores, each with its file, in order of segment and
    /// ordinal.
    pub(in crate::search::query) fn best(
        &self,
        runs: &[Run<'s>],
        scores: &[f64],
        n: usize,
    ) -> Vec<(ChunkRef, u32)> {
        // Chunks with the same score are kept together: the choice must not depend on which segment
        // stores them.
        let least = value_at(n, scores).unwrap_or(f64::NEG_INFINITY);
        let among = scores.iter().filter(|score| **score >= least).count();
        // Thousands of copies have the same score and would swamp the rest, so they are all left
        // out.
        let admits = |score: f64| if among > 4 * n { score > least } else { score >= least };
        let mut best = Vec::new();
        for run in runs {
            let admitted = self.scored(run, scores).filter(|(_, score)| admits(*score));
            best.extend(admitted.map(|(ord, _)| (ChunkRef { part: run.file.part, ord }, run.file.ord)));
        }
        best
    }

    /// Returns the candidates, those of a file in order of their starts. The n-th best of a file is
    /// ordered as if its score were multiplied n − 1 times by `again.chunk`. Files whose chunks
    /// cannot be among the first `limit` are left out; with `only_firsts`, only the best chunk of
    /// each file is returned.
    pub(in crate::search::query) fn rank(
        &self,
        runs: &[Run<'s>],
        scores: &[f64],
        (limit, only_firsts): (usize, bool),
        again: WithinFileFactors,
    ) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        // The best chunk of a file is ordered by the file's highest score, and no other chunk comes
        // before it.
        let highest = |run: &Run<'s>| self.scored(run, scores).map(|one| one.1).fold(0.0, f64::max);
        let of_files: Vec<f64> = runs.iter().map(highest).collect();
        let least = limit.checked_sub(1).and_then(|last| value_at(last, &of_files)).unwrap_or(0.0);
        for (run, _) in runs.iter().zip(&of_files).filter(|(_, highest)| **highest >= least) {
            let mut from = candidates.len();
            let mut best: Option<Candidate> = None;
            // Each document of a corpus is treated like a file.
            let is_corpus = is_corpus(&run.file);
            // If only the best chunk of each file is kept, the order inside the file is not needed.
            let of_file =
                (again.orders_files() && !only_firsts).then(|| self.of_file(&run.file, run.squares));
            let mut line = 0;
            for (ord, score) in self.scored(run, scores) {
                let chunk = ChunkRef { part: run.file.part, ord };
                let own = of_file.map_or(score, |of_file| self.own(of_file, run, (ord, score), again));
                let candidate = Candidate { score, chunk, file: run.file.ord, own, order: score };
                if is_corpus {
                    let start = run.file.segment.chunk(ord).map_or(0, |row| row.span.start_line);
                    if start != line {
                        end_file(&mut candidates, best.take(), from, only_firsts, (run.file.segment, again));
                        (from, line) = (candidates.len(), start);
                    }
                }
                // Chunks are visited in order of their start, so among equals the first is
                // preferred.
                if best.is_none_or(|known| score > known.score) {
                    best = Some(candidate);
                }
                if !only_firsts {
                    candidates.push(candidate);
                }
            }
            end_file(&mut candidates, best, from, only_firsts, (run.file.segment, again));
        }
        candidates
    }

    /// Returns the score by which a chunk is compared with the others of its file. Its own words
    /// count for more here than signals that merely lead to it.
    fn own(
        &self,
        of_file: Signals,
        run: &Run<'s>,
        (ord, score): (u32, f64),
        again: WithinFileFactors,
    ) -> f64 {
        let signals = self.of_chunk(of_file, &run.file, ChunkRef { part: run.file.part, ord });
        score + again.words_within * by_words(&signals, &self.weights)
    }

    /// Returns the signals that all chunks of a file share; `squares` is its sum of squared scores.
    fn of_file(&self, file: &FileView<'_>, squares: f64) -> Signals {
        let named = self.named.get(&(file.part, file.ord));
        let told = self.told.get(&(file.part, file.ord));
        Signals {
            history: told.map_or(0.0, |told| told.likeness),
            coherence: over(squares, self.most_coherent),
            named_path: named.map_or(0.0, |named| named.strength),
            multiplier: self.factors_of_file(file).map(|one| one.1).product(),
            ..Signals::default()
        }
    }

    /// Returns the signals of a chunk, starting from those of its file.
    fn of_chunk(&self, of_file: Signals, file: &FileView<'_>, chunk: ChunkRef) -> Signals {
        let cell = self.cell(chunk);
        let share = |n: u16, of: u16| if of == 0 { 0.0 } else { f64::from(n.min(of)) / f64::from(of) };
        let row = file.segment.chunk(chunk.ord);
        // A question for referrers is asked by someone who already knows the symbol itself.
        let own = if self.users.is_empty() { 1.0 } else { OWN_DEFINITION };
        let mut signals = Signals {
            words: over(f64::from(cell.score), self.best),
            meaning: self.meaning.of(chunk),
            has_meaning: !self.meaning.is_empty(),
            stem_share: share(cell.stem_words, u16::from(file.row.n_stem_words)),
            path_share: share(cell.path_words, self.n_words),
            coverage: over(f64::from(cell.covered), f64::from(self.total_idf)),
            graph: self.reached.get(&chunk).copied().unwrap_or_default(),
            said: self.said.get(&chunk).map_or(0.0, |said| said.share),
            fitting: self.fitting.get(&chunk).copied().unwrap_or_default(),
            commentary: self.noted.get(&chunk).copied().unwrap_or_default(),
            definition: self.defined.get(&chunk).map_or(0.0, |defined| defined.quality) * own,
            mention: self.mentioned.share(chunk),
            users: self.users.get(&chunk).copied().unwrap_or_default(),
            ..of_file
        };
        if of_file.named_path > 0.0 {
            let named = self.named.get(&(file.part, file.ord));
            let has_line = named.is_some_and(|named| named.lines_of(chunk.ord).next().is_some());
            signals.named_line = if has_line { of_file.named_path } else { 0.0 };
        }
        self.factors_of_chunk(file, row).into_iter().for_each(|(_, factor)| signals.multiplier *= factor);
        signals
    }

    /// Returns the signals of a hit; used only for explanations.
    pub(in crate::search::query) fn signals_of(
        &self,
        index: &Index<'s>,
        candidate: &Candidate,
    ) -> Option<Signals> {
        let file = index.file(candidate.chunk.part, candidate.file)?;
        let squares = self.squares.get(&(file.part, file.ord)).copied().unwrap_or(0.0);
        Some(self.of_chunk(self.of_file(&file, squares), &file, candidate.chunk))
    }

    /// Returns whether `language` is not one that the query asks for. Documents are exempt if the
    /// query asks for documents.
    fn is_other(&self, language: &str) -> bool {
        let is_asked_for = is_prose(language) && self.parsed.wants_prose;
        language::is_other(language, self.parsed.written_in) && !is_asked_for
    }

    /// Returns whether a file is written for people to read. The language "text" also covers files
    /// without a grammar. So for a name or a path, such a file counts only if it has no extension
    /// or one of prose. For questions all of them count, as they answer few. See
    /// `doc/experiments/ranking.md`.
    fn is_prose(&self, file: &FileView<'_>) -> bool {
        const ENDS: [&str; 10] =
            ["adoc", "asciidoc", "org", "pod", "rdoc", "rst", "tex", "text", "textile", "txt"];
        let is_name = matches!(self.parsed.kind, QueryKind::Identifier | QueryKind::Path);
        if is_name && file.language() == "text" {
            let name = file.path().rsplit_str("/").next().unwrap_or_default();
            let end = name.rsplit_once_str(".").map(|(_, end)| end.to_ascii_lowercase());
            return end.is_none_or(|end| ENDS.iter().any(|known| end == known.as_bytes()));
        }
        is_prose(file.language()) || is_manual(file)
    }

    /// Returns whether a file is a drawing and the query does not ask for one. Numbers and names of
    /// shapes are about nothing.
    fn is_drawing(&self, file: &FileView<'_>) -> bool {
        file.path().ends_with(b".svg") && !self.asks_for("svg")
    }

    /// Returns whether a file is a patch of code elsewhere and the query does not ask for one.
    fn is_patch(&self, file: &FileView<'_>) -> bool {
        let is_patch = [".patch", ".diff"].iter().any(|end| file.path().ends_with(end.as_bytes()));
        is_patch && !self.asks_for("patch") && !self.asks_for("diff")
    }

    fn asks_for(&self, term: &str) -> bool {
        self.parsed.terms.iter().any(|asked| asked.term == term)
    }

    /// Returns the factors for the scores of a file's chunks, each with its name. A factor that
    /// does not apply is 1.
    fn factors_of_file(&self, file: &FileView<'_>) -> impl Iterator<Item = (&'static str, f64)> {
        let (parsed, weights, flags) = (&self.parsed, &self.weights, file.flags());
        let boost: f64 =
            self.boosts.iter().filter(|(spec, _)| spec.fits(file.path())).map(|one| one.1).product();
        [
            ("test", flags.is_test() && !parsed.wants_tests, weights.test),
            ("example", flags.is_example() && !parsed.wants_examples, weights.example),
            ("vendored", flags.is_vendored(), weights.vendored),
            ("prose", self.is_prose(file) && !parsed.wants_prose, weights.prose),
            ("another language than asked for", self.is_other(file.language()), weights.other_language),
            ("typings", has_typings(file.path()), weights.typings),
            ("drawing", self.is_drawing(file), weights.prose),
            ("patch", self.is_patch(file), weights.prose),
            ("boosted", true, boost),
        ]
        .into_iter()
        .map(|(name, holds, factor)| (name, if holds { factor } else { 1.0 }))
    }

    /// Returns the factors for the score of a single chunk, in the same form.
    fn factors_of_chunk(&self, file: &FileView<'_>, row: Option<ChunkRow>) -> [(&'static str, f64); 3] {
        let is_test = row.is_some_and(|row| row.is_test) && !file.flags().is_test();
        let is_head = row.is_some_and(|row| row.kind == ChunkKind::Head);
        let part_of = row.filter(|row| row.kind == ChunkKind::Part).and_then(|row| row.declaration);
        let part_of = part_of.and_then(|ord| file.segment.declaration(ord));
        let is_large = part_of.is_some_and(|of| is_function(of.kind));
        [
            ("test", if is_test && !self.parsed.wants_tests { self.weights.test } else { 1.0 }),
            ("head of a file", if is_head { self.weights.head } else { 1.0 }),
            ("part of a large function", if is_large { self.weights.large } else { 1.0 }),
        ]
    }

    /// Returns the names of the factors that change a hit's score; used only for explanations.
    pub(in crate::search::query) fn factors_of(
        &self,
        index: &Index<'_>,
        candidate: &Candidate,
    ) -> Vec<&'static str> {
        let Some(file) = index.file(candidate.chunk.part, candidate.file) else { return Vec::new() };
        let factors = self.factors_of_file(&file);
        let factors = factors.chain(self.factors_of_chunk(&file, file.segment.chunk(candidate.chunk.ord)));
        factors.filter(|one| (one.1 - 1.0).abs() > f64::EPSILON).map(|one| one.0).collect()
    }

    fn cell(&self, chunk: ChunkRef) -> Cell {
        let cells = self.all.iter().find(|cells| cells.part == chunk.part);
        cells.and_then(|cells| cells.cells.get(chunk.ord as usize)).copied().unwrap_or_default()
    }
}

/// Returns the value at a 0-based position when the values are sorted in descending order; `None`
/// if there are not enough.
fn value_at(place: usize, values: &[f64]) -> Option<f64> {
    if place >= values.len() {
        return None;
    }
    let mut values = values.to_vec();
    Some(*values.select_nth_unstable_by(place, |a, b| b.total_cmp(a)).1)
}

/// Returns whether a file holds documents, one a line. These declare their titles, which other data
/// does not.
pub(in crate::search::query) fn is_corpus(file: &FileView<'_>) -> bool {
    file.language() == "json-lines" && !file.segment.declarations_of(file.ord).is_empty()
}

/// Returns whether files of a language are written for people to read.
fn is_prose(language: &str) -> bool {
    matches!(language, "markdown" | "text" | "json-lines")
}

/// Returns whether a file is a manual in HTML, often generated from the code: a page in a
/// documentation directory. Ranking these lower helps issues find the code. See
/// `doc/experiments/ranking.md`.
fn is_manual(file: &FileView<'_>) -> bool {
    const DIRECTORIES: [&str; 6] = ["apidocs", "doc", "docs", "documentation", "javadoc", "javadocs"];
    // Checked first because this runs for every file: the language decides in most cases.
    if file.language() != "html" {
        return false;
    }
    let directories = file.path().rsplit_once_str("/").map_or(&b""[..], |(directories, _)| directories);
    let is_document =
        |part: &[u8]| DIRECTORIES.iter().any(|known| part.eq_ignore_ascii_case(known.as_bytes()));
    directories.split_str("/").any(is_document)
}

/// Returns whether a file declares the types of code that is elsewhere.
fn has_typings(path: &BStr) -> bool {
    [".d.ts", ".d.mts", ".d.cts", ".pyi"].iter().any(|end| path.ends_with(end.as_bytes()))
}

pub(in crate::search::query) fn over(value: f64, most: f64) -> f64 {
    if most > 0.0 { value / most } else { 0.0 }
}
