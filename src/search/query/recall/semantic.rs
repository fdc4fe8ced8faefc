//! Semantic search: the chunks whose embeddings are nearest to the question's.
//!
//! Question embedding → nearest chunks with their products. There are two passes over the live
//! chunks that the filters admit. The first estimates the products of all of them from the signs of
//! the vectors ([`NearestRows`]), the second computes those of the best. Both treat all segments as
//! one, so the answer does not depend on which segment stores a chunk. If the base has a neighbour
//! graph, as in a long-running process, the graph replaces the first pass there. The mean product,
//! from which scores are measured, follows from sums kept in the index.
//!
//! [`Cosines`] of another model, if given, replace the built-in model's products. Both are scaled
//! from the mean of all chunks (0) to the nearest (1). So a chunk that has changed since, and has
//! no cosine of the other model, falls back to the built-in one and remains comparable.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::base::threads;
use crate::index::embed::{NearestRows, Question, SignBlock};
use crate::search::segment::{Index, Part};

use super::score::Bits;
use crate::search::query::{ChunkRef, Error};

/// Minimum number of chunks whose exact products are computed after the estimate from signs. `cargo
/// xtask bench --vectors` measures the recall of the 20 nearest (`doc/bench.md`); the tests of this
/// module check it less strictly.
const RESCORED: usize = 1600;

/// In a large index, one of this many chunks is rescored instead: a fixed number would lose recall.
/// See `doc/experiments/ranking.md`.
const RESCORED_OF: u64 = 400;

/// Number of rows for which another thread pays: scanning them takes several times as long as
/// starting a thread. See `doc/experiments/ranking.md`.
const ROWS_OF_A_THREAD: usize = 100_000;

/// Number of vectors for which another thread pays. In the first query of a process, most of them
/// are in pages that are not mapped yet.
const PRODUCTS_OF_A_THREAD: usize = 1000;

/// Number of chunks that become candidates by the other model alone.
const BY_OTHER: usize = 400;

/// Minimum number of chunks requested from a graph; in a large base, one of [`RESCORED_OF`]
/// instead. More take longer and find hardly more. See `doc/experiments/ranking.md`.
const BY_GRAPH: usize = 1000;

/// Cosines between a question and chunks, by another embedding model than the built-in one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cosines {
    parts: BTreeMap<Part, Vec<i32>>,
}

impl Cosines {
    /// A cosine of 1. Cosines are integers, so that their mean does not depend on the order of
    /// chunks.
    pub const ONE: i32 = 1 << 20;

    /// The value of a chunk without a cosine.
    const NONE: i32 = i32::MIN;

    /// Sets the cosines of consecutive chunks, starting at `first`.
    pub fn set(&mut self, part: Part, first: u32, cosines: impl IntoIterator<Item = i32>) {
        let all = self.parts.entry(part).or_default();
        for (at, cosine) in (first as usize..).zip(cosines) {
            if all.len() <= at {
                all.resize(at + 1, Self::NONE);
            }
            if let Some(slot) = all.get_mut(at) {
                *slot = cosine.clamp(-Self::ONE, Self::ONE);
            }
        }
    }

    fn get(&self, chunk: ChunkRef) -> Option<i32> {
        let cosine = self.parts.get(&chunk.part)?.get(chunk.ord as usize).copied()?;
        (cosine != Self::NONE).then_some(cosine)
    }

    /// Returns the mean and the maximum over all chunks with a cosine.
    fn mean_and_max(&self) -> Option<(f64, f64)> {
        let known = || self.parts.values().flatten().filter(|cosine| **cosine != Self::NONE);
        let sum: i64 = known().map(|cosine| i64::from(*cosine)).sum();
        let max = known().max()?;
        Some((sum as f64 / known().count() as f64, f64::from(*max)))
    }
}

/// Similarity by the other model from which a chunk becomes a candidate, from 0 (the mean) to 1
/// (the nearest).
const NEAR: f64 = 0.5;

/// The embedding similarity between a question and chunks.
#[derive(Debug, Default)]
pub(in crate::search::query) struct SemanticScores<'c> {
    question: Question,
    mean: f64,
    max: f64,
    /// Products with the vectors of the compared chunks, sorted by chunk.
    products: Vec<(ChunkRef, i32)>,
    /// The compared chunks, by segment: a fast check before the search in `products`, as most
    /// lookups miss.
    looked_at: BTreeMap<Part, Bits>,
    other: Option<OtherModel<'c>>,
}

/// The similarities by another model.
#[derive(Debug)]
struct OtherModel<'c> {
    cosines: &'c Cosines,
    mean: f64,
    max: f64,
    /// The nearest of all admitted chunks, sorted.
    nearest: Vec<ChunkRef>,
}

/// Runs of chunks that may be found, by segment.
pub(in crate::search::query) type CandidateRuns = BTreeMap<Part, Vec<Range<u32>>>;

impl<'c> SemanticScores<'c> {
    /// Finds the chunks nearest to a question; nothing if the question has no embedding. A chunk's
    /// cosine in `cosines` takes precedence over the built-in model.
    pub(in crate::search::query) fn search(
        index: &Index<'_>,
        question: Question,
        admitted: &CandidateRuns,
        cosines: Option<&'c Cosines>,
    ) -> Result<Self, Error> {
        if question.is_zero() {
            return Ok(Self::default());
        }
        let statistics = index.statistics();
        let mean = statistics.vector_sums.mean_dot(&question, statistics.n_chunks);
        let other = cosines.and_then(|cosines| OtherModel::new(cosines, admitted));
        let mut meaning = Self { question, mean, max: mean, other, ..Self::default() };
        let n = one_of(statistics.n_chunks, RESCORED);
        meaning.look_at(index, nearest(index, &question, admitted, n))?;
        Ok(meaning)
    }

    /// Computes the products with the vectors of further chunks, so that [`SemanticScores::of`]
    /// knows them.
    pub(in crate::search::query) fn look_at(
        &mut self,
        index: &Index<'_>,
        chunks: impl IntoIterator<Item = ChunkRef>,
    ) -> Result<(), Error> {
        if self.question.is_zero() {
            return Ok(());
        }
        let mut others = Vec::new();
        for chunk in chunks {
            let looked_at = self.looked_at.entry(chunk.part).or_default();
            if !looked_at.contains(chunk.ord) {
                looked_at.insert(chunk.ord);
                others.push(chunk);
            }
        }
        let n_threads = threads::worth(others.len(), PRODUCTS_OF_A_THREAD);
        let question = &self.question;
        for products in threads::shares(&others, n_threads, |share| products(index, question, share)) {
            for (chunk, product) in products? {
                self.max = self.max.max(f64::from(product));
                self.products.push((chunk, product));
            }
        }
        self.products.sort_unstable();
        Ok(())
    }

    fn product(&self, chunk: ChunkRef) -> Option<i32> {
        let was_looked_at = self.looked_at.get(&chunk.part).is_some_and(|bits| bits.contains(chunk.ord));
        if !was_looked_at {
            return None;
        }
        let at = self.products.binary_search_by_key(&chunk, |one| one.0).ok()?;
        self.products.get(at).map(|one| one.1)
    }

    /// Returns the similarity of a chunk: 1 for the nearest, 0 for the mean and below, and for a
    /// chunk that was not compared.
    pub(in crate::search::query) fn of(&self, chunk: ChunkRef) -> f64 {
        if let Some(other) = &self.other
            && let Some(nearness) = other.of(chunk)
        {
            return nearness;
        }
        let width = self.max - self.mean;
        let product = self.product(chunk).map_or(self.mean, f64::from);
        if width > 0.0 { ((product - self.mean) / width).max(0.0) } else { 0.0 }
    }

    /// Returns the cosine with a chunk's vector, if it was compared.
    pub(in crate::search::query) fn cosine(&self, chunk: ChunkRef) -> Option<f64> {
        if let Some(cosine) = self.other.as_ref().and_then(|other| other.cosines.get(chunk)) {
            return Some(f64::from(cosine) / f64::from(Cosines::ONE));
        }
        self.product(chunk).map(|product| f64::from(product) / Question::ONE)
    }

    /// Returns the chunks that become candidates by similarity alone, sorted: compared chunks with
    /// at least this cosine by the built-in model, and the nearest by the other model.
    pub(in crate::search::query) fn nearer_than(&self, cosine: f64) -> impl Iterator<Item = ChunkRef> + '_ {
        let product = cosine * Question::ONE;
        let is_known =
            |chunk: &ChunkRef| self.other.as_ref().is_some_and(|other| other.cosines.get(*chunk).is_some());
        let builtin = self
            .products
            .iter()
            .filter(move |(chunk, known)| f64::from(*known) >= product && !is_known(chunk))
            .map(|(chunk, _)| *chunk);
        let others = self.other.as_ref().map(|other| other.nearest.as_slice()).unwrap_or_default();
        let mut builtin = builtin.peekable();
        let mut others = others.iter().copied().peekable();
        std::iter::from_fn(move || match (builtin.peek(), others.peek()) {
            (Some(a), Some(b)) if a < b => builtin.next(),
            (_, Some(_)) => others.next(),
            (_, None) => builtin.next(),
        })
    }

    /// Returns whether nothing was compared.
    pub(in crate::search::query) fn is_empty(&self) -> bool {
        self.products.is_empty() && self.other.is_none()
    }
}

impl<'c> OtherModel<'c> {
    /// Finds the nearest chunks by the other model; `None` if no chunk has a cosine.
    fn new(cosines: &'c Cosines, admitted: &CandidateRuns) -> Option<Self> {
        let (mean, max) = cosines.mean_and_max()?;
        let mut other = Self { cosines, mean, max, nearest: Vec::new() };
        let mut near: Vec<(i32, ChunkRef)> = Vec::new();
        for (&part, runs) in admitted {
            for ord in runs.iter().cloned().flatten() {
                let chunk = ChunkRef { part, ord };
                // The cosine of a near chunk differs between models, so the limit is half of the
                // way from the mean to the nearest.
                if let Some(cosine) = cosines.get(chunk)
                    && other.of(chunk).is_some_and(|nearness| nearness >= NEAR)
                {
                    near.push((cosine, chunk));
                }
            }
        }
        if near.len() > BY_OTHER {
            // Chunks with the same cosine are kept together, as for the built-in model.
            let (_, &mut (limit, _), _) = near.select_nth_unstable_by(BY_OTHER, |a, b| b.0.cmp(&a.0));
            near.retain(|&(cosine, _)| cosine >= limit);
        }
        other.nearest = near.into_iter().map(|(_, chunk)| chunk).collect();
        other.nearest.sort_unstable();
        Some(other)
    }

    /// Returns the similarity of a chunk, scaled as in [`SemanticScores::of`]; `None` if it has no
    /// cosine.
    fn of(&self, chunk: ChunkRef) -> Option<f64> {
        let cosine = f64::from(self.cosines.get(chunk)?);
        let width = self.max - self.mean;
        Some(if width > 0.0 { ((cosine - self.mean) / width).max(0.0) } else { 0.0 })
    }
}

/// Returns the products of a question with the vectors of chunks.
fn products(
    index: &Index<'_>,
    question: &Question,
    chunks: &[ChunkRef],
) -> Result<Vec<(ChunkRef, i32)>, Error> {
    let mut products = Vec::with_capacity(chunks.len());
    for &chunk in chunks {
        let Some(segment) = index.segment(chunk.part) else { continue };
        products.extend(segment.vector(chunk.ord)?.map(|vector| (chunk, question.dot(&vector))));
    }
    Ok(products)
}

/// Returns one of [`RESCORED_OF`] chunks, but at least `least`.
fn one_of(n_chunks: u64, least: usize) -> usize {
    usize::try_from(n_chunks / RESCORED_OF).unwrap_or(least).max(least)
}

/// Returns at least `n` chunks that are nearest by their signs; chunks with the same estimate are
/// kept together.
///
/// A base with a graph is searched through it. The result is approximate, and outdated or filtered
/// chunks are removed from it afterwards. An overlay is always scanned.
fn nearest(index: &Index<'_>, question: &Question, admitted: &CandidateRuns, n: usize) -> Vec<ChunkRef> {
    let mut to_scan = Vec::new();
    let mut by_graph = Vec::new();
    for (part, segment) in index.segments() {
        let runs = admitted.get(&part).map(Vec::as_slice).unwrap_or_default();
        if part == Part::Base
            && let Some(graph) = index.neighbours()
            && is_most(runs, segment.n_chunks())
        {
            let found = graph.search(segment, &question.vector, one_of(segment.n_chunks().into(), BY_GRAPH));
            let found = found.into_iter().filter(|ord| holds(runs, *ord));
            by_graph.extend(found.map(|ord| ChunkRef { part, ord }));
            continue;
        }
        let signs = segment.signs();
        to_scan.extend(runs.iter().map(|run| Rows { part, ords: run.clone(), signs }));
    }
    let mut found = scan(&to_scan, &NearestRows::new(&question.vector, n)).finish();
    found.append(&mut by_graph);
    found
}

/// Consecutive chunks, with the signs of all chunks of their segment.
#[derive(Clone)]
struct Rows<'s> {
    part: Part,
    ords: Range<u32>,
    signs: &'s [SignBlock],
}

impl Rows<'_> {
    /// Splits off the first `n` rows.
    fn split_at(&self, n: usize) -> (Self, Self) {
        let n = u32::try_from(n.min(self.ords.len())).unwrap_or(0);
        let at = self.ords.start + n;
        (Self { ords: self.ords.start..at, ..*self }, Self { ords: at..self.ords.end, ..*self })
    }

    fn show(&self, nearest: &mut NearestRows<ChunkRef>) {
        let Range { start, end } = self.ords;
        nearest.see(self.signs, start as usize..end as usize, |ord| {
            // `ord` is one of a run of 32-bit ordinals, so the conversion cannot fail.
            ChunkRef { part: self.part, ord: u32::try_from(ord).unwrap_or(end) }
        });
    }
}

/// Scans all rows, on several threads if there are very many.
fn scan(rows: &[Rows<'_>], none: &NearestRows<ChunkRef>) -> NearestRows<ChunkRef> {
    let n_rows: usize = rows.iter().map(|rows| rows.ords.len()).sum();
    scan_on(threads::worth(n_rows, ROWS_OF_A_THREAD), rows, none)
}

/// Scans all rows on `n_threads` threads, including this one.
fn scan_on(n_threads: usize, rows: &[Rows<'_>], none: &NearestRows<ChunkRef>) -> NearestRows<ChunkRef> {
    let see = |rows: &[Rows<'_>]| {
        let mut nearest = none.clone();
        rows.iter().for_each(|rows| rows.show(&mut nearest));
        nearest
    };
    let n_rows: usize = rows.iter().map(|rows| rows.ords.len()).sum();
    let shares = shares(rows, n_rows.div_ceil(n_threads).max(1));
    let seen = threads::each(&shares, |share| see(share)).into_iter();
    let joined = seen.reduce(|mut nearest, other| {
        nearest.join(other);
        nearest
    });
    joined.unwrap_or_else(|| none.clone())
}

/// Divides rows into shares of `n`; the last share holds the rest.
fn shares<'s>(rows: &[Rows<'s>], n: usize) -> Vec<Vec<Rows<'s>>> {
    let mut shares = Vec::new();
    let mut share = Vec::new();
    let mut space = n;
    for mut rows in rows.iter().cloned() {
        while !rows.ords.is_empty() {
            let (some, others) = rows.split_at(space);
            space -= some.ords.len();
            share.push(some);
            rows = others;
            if space == 0 {
                shares.push(std::mem::take(&mut share));
                space = n;
            }
        }
    }
    if !share.is_empty() {
        shares.push(share);
    }
    shares
}

/// Returns whether most chunks are admitted. Otherwise too much of a graph's result would be
/// filtered out, and scanning the few admitted chunks is also faster.
fn is_most(runs: &[Range<u32>], n_chunks: u32) -> bool {
    let n: u64 = runs.iter().map(|run| u64::from(run.end.saturating_sub(run.start))).sum();
    n * 2 > u64::from(n_chunks)
}

/// Returns whether a chunk is in one of the runs, which are sorted.
fn holds(runs: &[Range<u32>], ord: u32) -> bool {
    let after = runs.partition_point(|run| run.end <= ord);
    runs.get(after).is_some_and(|run| run.start <= ord)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::text::identifier;
    use crate::index::embed::{Signs, sign_blocks};
    use crate::search::segment::{Segment, samples};

    /// Returns a segment of one file with a chunk for each text.
    fn segment(texts: &[String]) -> Segment {
        let chunks: Vec<(&str, &str, &str)> = texts.iter().map(|text| ("", "", text.as_str())).collect();
        samples::segment(&[samples::file("all.py", &chunks)])
    }

    /// Minimum recall of rescoring by signs.
    const RECALL: f64 = 0.98;

    #[test]
    fn signs_find_nearly_all_of_the_nearest() {
        // Words in many mixtures give vectors as near to each other as those of one project's
        // chunks.
        let words =
            ["file", "socket", "retry", "parse", "token", "cache", "index", "merge", "branch", "thread"];
        let verbs = ["open", "close", "read", "write", "find", "make", "drop", "send", "wait", "check"];
        let nouns = ["name", "error", "buffer", "path", "list", "node", "user", "key", "time", "size"];
        let mut texts = Vec::new();
        for (i, word) in words.iter().enumerate() {
            for (j, verb) in verbs.iter().enumerate() {
                for (k, noun) in nouns.iter().enumerate() {
                    let other = nouns[(i + j * 3 + k * 7) % nouns.len()];
                    texts.push(format!("{verb}_{word}({noun}, {other}); {word}.{noun} = {verb}({other})"));
                    texts.push(format!("{word}.{verb}({other}) + {}", verbs[(i + k) % verbs.len()]));
                    texts.push(format!("{noun}_{verb}_{other} = {}", words[(j + k) % words.len()]));
                }
            }
        }
        let segment = segment(&texts);
        let index = Index::whole(&segment);
        let all = CandidateRuns::from([(Part::Base, std::iter::once(0..segment.n_chunks()).collect())]);
        let (mut found, mut wanted) = (0, 0);
        for question in
            ["read a file from its path", "retry after an error", "wait for the thread", "parse tokens"]
        {
            let question = crate::index::embed::builtin().question(identifier::tokens(question));
            let mut exact: Vec<(i32, u32)> = (0..segment.n_chunks())
                .map(|ord| (question.dot(&segment.vector(ord).unwrap().unwrap()), ord))
                .collect();
            exact.sort_unstable_by(|a, b| b.cmp(a));
            let meaning = SemanticScores::search(&index, question, &all, None).unwrap();
            let near: Vec<u32> = meaning.nearer_than(-1.0).map(|chunk| chunk.ord).collect();
            assert!(near.len() >= RESCORED && near.len() < texts.len());
            wanted += 20;
            found += exact.iter().take(20).filter(|(_, ord)| near.contains(ord)).count();
        }
        assert!(found as f64 >= RECALL * f64::from(wanted), "{found} of {wanted}");
    }

    #[test]
    fn products_by_several_threads_are_those_of_each_chunk() {
        let texts: Vec<String> =
            (0..PRODUCTS_OF_A_THREAD * 3 + 1).map(|i| format!("read_{i} file")).collect();
        let segment = segment(&texts);
        let index = Index::whole(&segment);
        let question = crate::index::embed::builtin().question(["read", "file"]);
        let chunk = |ord| ChunkRef { part: Part::Base, ord };
        let mut meaning = SemanticScores { question, ..SemanticScores::default() };
        // Some chunks occur twice, some were compared before.
        meaning.look_at(&index, [2, 7, 2].map(chunk)).unwrap();
        meaning.look_at(&index, (0..segment.n_chunks()).chain(5..9).map(chunk)).unwrap();
        assert_eq!(meaning.products.len(), texts.len());
        for ord in 0..segment.n_chunks() {
            let product = question.dot(&segment.vector(ord).unwrap().unwrap());
            assert_eq!(meaning.product(chunk(ord)), Some(product));
            assert!(meaning.max >= f64::from(product));
        }
    }

    #[test]
    fn rows_on_several_threads_are_those_on_one() {
        let signs: Vec<Signs> = (0..ROWS_OF_A_THREAD * 3 + 17)
            .map(|i| std::array::from_fn(|j| u8::try_from((i * 31 + j * 7 + i * j) % 256).unwrap()))
            .collect();
        let (few, many) = signs.split_at(1000);
        let (few, many) = (sign_blocks(few.iter().copied()), sign_blocks(many.iter().copied()));
        let n_many = u32::try_from(signs.len()).unwrap() - 1000;
        let rows = |part, ords, signs| Rows { part, ords, signs };
        let rows = [rows(Part::Base, 5..n_many, &many), rows(Part::Overlay, 0..1000, &few)];
        let question = crate::index::embed::builtin().question(["read", "file"]);
        let none = NearestRows::new(&question.vector, 40);
        let mut plain = none.clone();
        rows.iter().for_each(|rows| rows.show(&mut plain));
        let sorted = |nearest: NearestRows<ChunkRef>| {
            let mut found = nearest.finish();
            found.sort_unstable();
            found
        };
        let plain = sorted(plain);
        assert!(plain.len() >= 40);
        assert_eq!(sorted(scan(&rows, &none)), plain);
        for n_threads in 1..6 {
            assert_eq!(sorted(scan_on(n_threads, &rows, &none)), plain);
        }
        let n_rows = signs.len() - 5;
        for n in [1, 999, 1000, 1001, 60_000, n_rows, n_rows + 1] {
            let shares = shares(&rows, n);
            let len = |share: &Vec<Rows<'_>>| share.iter().map(|rows| rows.ords.len()).sum::<usize>();
            assert!(shares.iter().take(shares.len() - 1).all(|share| len(share) == n));
            let chunks: Vec<ChunkRef> = shares
                .iter()
                .flatten()
                .flat_map(|rows| rows.ords.clone().map(|ord| ChunkRef { part: rows.part, ord }))
                .collect();
            assert!(chunks.is_sorted() && chunks.windows(2).all(|two| two[0] != two[1]));
            let of = |part| chunks.iter().filter(move |chunk| chunk.part == part);
            assert_eq!(of(Part::Overlay).count(), 1000);
            assert_eq!(of(Part::Base).map(|chunk| chunk.ord).max(), Some(n_many - 1));
            assert_eq!(chunks.len(), n_rows);
        }
        assert!(scan(&[], &none).finish().is_empty());
    }

    #[test]
    fn a_graph_finds_what_is_live_and_admitted_beside_the_overlay() {
        let words = ["file", "socket", "retry", "parse", "token", "cache", "index", "merge"];
        let texts = |n: usize| -> Vec<String> {
            (0..n).map(|i| format!("{}({}, x{})", words[i % 8], words[i / 8 % 8], i % 50)).collect()
        };
        let files: Vec<(String, Vec<String>)> =
            (0..20).map(|i| (format!("f{i:02}.py"), texts(60 + i))).collect();
        let inputs: Vec<_> = files
            .iter()
            .map(|(path, texts)| {
                let chunks: Vec<(&str, &str, &str)> =
                    texts.iter().map(|text| ("", "", text.as_str())).collect();
                samples::file(path, &chunks)
            })
            .collect();
        let base = samples::segment(&inputs);
        let overlay = segment(&["read(file)".to_owned(), "open(socket)".to_owned()]);
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("graph");
        crate::search::segment::build_neighbours(&base, &place, Default::default()).unwrap();
        let graph = crate::search::segment::Neighbours::open(&place, &base).unwrap();
        let masked: roaring::RoaringBitmap = [3, 17].into_iter().collect();
        let index = Index::new(&base, masked, Some(&overlay)).with_neighbours(Some(&graph));
        let question = crate::index::embed::builtin().question(["read", "file"]);
        let found = crate::search::query::near_meaning(&index, question, 2000).unwrap();
        let of = |part| found.iter().filter(move |one| one.0.part == part);
        assert_eq!(of(Part::Overlay).count(), 2);
        assert!(of(Part::Base).count() > BY_GRAPH / 2 && of(Part::Base).count() <= BY_GRAPH);
        assert!(of(Part::Base).all(|(chunk, _)| ![3, 17].contains(&base.chunk(chunk.ord).unwrap().file)));
        assert_eq!(found[0].1, of(Part::Overlay).next().unwrap().1, "scores are of one scale");
        // A narrow filter is scanned, so everything that it admits is found.
        let few = CandidateRuns::from([(Part::Base, [base.chunks_of(5), base.chunks_of(9)].into())]);
        let meaning = SemanticScores::search(&index, question, &few, None).unwrap();
        assert_eq!(meaning.nearer_than(-1.0).count(), 65 + 69);
        assert!(holds(&[1..3, 5..6], 5) && !holds(&[1..3, 5..6], 4) && !holds(&[], 0));
    }

    #[test]
    fn what_the_filters_leave_out_is_not_looked_at() {
        let segment = segment(&["read(file)".to_owned(), "open(socket)".to_owned()]);
        let index = Index::whole(&segment);
        let question = crate::index::embed::builtin().question(["read"]);
        let second = CandidateRuns::from([(Part::Base, std::iter::once(1..2).collect())]);
        let meaning = SemanticScores::search(&index, question, &second, None).unwrap();
        assert_eq!(meaning.nearer_than(-1.0).map(|c| c.ord).collect::<Vec<_>>(), [1]);
        assert!(SemanticScores::search(&index, Question::default(), &second, None).unwrap().is_empty());
    }

    #[test]
    fn another_models_cosines_go_before_the_built_in_ones() {
        let texts = ["read(file)", "open(socket)", "close(door)", "paint(wall)"].map(str::to_owned);
        let segment = segment(&texts);
        let index = Index::whole(&segment);
        let question = crate::index::embed::builtin().question(["read"]);
        let all = CandidateRuns::from([(Part::Base, std::iter::once(0..4).collect())]);
        let chunk = |ord| ChunkRef { part: Part::Base, ord };
        let one = Cosines::ONE;
        let mut cosines = Cosines::default();
        cosines.set(Part::Base, 1, [one / 10, one / 2, one / 10]);
        let meaning = SemanticScores::search(&index, question, &all, Some(&cosines)).unwrap();
        let plain = SemanticScores::search(&index, question, &all, None).unwrap();
        assert_eq!(meaning.of(chunk(2)), 1.0);
        assert_eq!(meaning.of(chunk(1)), 0.0, "below the mean");
        assert_eq!(meaning.cosine(chunk(2)), Some(0.5));
        assert_eq!(meaning.of(chunk(0)), plain.of(chunk(0)), "without one of its own");
        assert!(plain.of(chunk(0)) > 0.0);
        let found: Vec<u32> = meaning.nearer_than(0.0).map(|c| c.ord).collect();
        assert_eq!(found, [0, 2]);
        let third = CandidateRuns::from([(Part::Base, std::iter::once(3..4).collect())]);
        let meaning = SemanticScores::search(&index, question, &third, Some(&cosines)).unwrap();
        assert_eq!(meaning.nearer_than(0.0).count(), 0, "what the filters leave out");
        assert!(
            SemanticScores::search(&index, Question::default(), &all, Some(&cosines)).unwrap().is_empty()
        );
        assert!(OtherModel::new(&Cosines::default(), &all).is_none());
    }
}
