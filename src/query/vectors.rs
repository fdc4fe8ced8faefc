//! Search by meaning: the chunks whose vectors are nearest to the question's.
//!
//! Two passes, both exact over the live chunks that the filters admit, so that the answer does not depend on which
//! segment a chunk lies in: the signs of all vectors are compared (Hamming distance), then the products of the
//! nearest are computed. The mean product, which scores are measured from, follows from the sums that an index
//! keeps.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::embed::{DIMENSIONS, Signs, Vector};
use crate::segment::{Index, Part};

use super::{ChunkRef, Error};

/// Chunks whose products are computed because of their signs. Recall of the 20 nearest is measured by the tests
/// of this module.
const RESCORED: usize = 400;

/// What meaning says about the chunks.
#[derive(Debug, Default)]
pub(super) struct Meaning {
    question: Vector,
    mean: f64,
    max: f64,
    products: BTreeMap<ChunkRef, f64>,
}

/// Runs of chunks that may be found, by segment.
pub(super) type Admitted = BTreeMap<Part, Vec<Range<u32>>>;

impl Meaning {
    /// Finds the chunks that are nearest to a question; nothing for a question without direction.
    pub(super) fn search(index: &Index<'_>, question: Vector, admitted: &Admitted) -> Result<Self, Error> {
        if question.is_zero() {
            return Ok(Self::default());
        }
        let statistics = index.statistics();
        let mean = statistics.vector_sums.mean_dot(&question, statistics.n_chunks);
        let mut meaning = Self { question, mean, max: mean, products: BTreeMap::new() };
        for chunk in nearest(index, &question.signs(), admitted, RESCORED) {
            meaning.look_at(index, chunk)?;
        }
        Ok(meaning)
    }

    /// Computes the product with a chunk's vector, so that [`Meaning::of`] knows it.
    pub(super) fn look_at(&mut self, index: &Index<'_>, chunk: ChunkRef) -> Result<(), Error> {
        if self.question.is_zero() || self.products.contains_key(&chunk) {
            return Ok(());
        }
        let Some(segment) = index.segment(chunk.part) else { return Ok(()) };
        if let Some(vector) = segment.vector(chunk.ord)? {
            let product = f64::from(self.question.dot(&vector));
            self.max = self.max.max(product);
            self.products.insert(chunk, product);
        }
        Ok(())
    }

    /// How near a chunk is: 1 for the nearest of all, 0 for the mean and below, and for what was not looked at.
    pub(super) fn of(&self, chunk: ChunkRef) -> f64 {
        let width = self.max - self.mean;
        let product = self.products.get(&chunk).copied().unwrap_or(self.mean);
        if width > 0.0 { ((product - self.mean) / width).max(0.0) } else { 0.0 }
    }

    /// The cosine with a chunk's vector, if it was looked at.
    pub(super) fn cosine(&self, chunk: ChunkRef) -> Option<f64> {
        self.products.get(&chunk).map(|product| product / Vector::ONE)
    }

    /// The chunks that were looked at and have at least this cosine, in order.
    pub(super) fn nearer_than(&self, cosine: f64) -> impl Iterator<Item = ChunkRef> + '_ {
        let product = cosine * Vector::ONE;
        self.products.iter().filter(move |(_, known)| **known >= product).map(|(chunk, _)| *chunk)
    }

    /// Whether anything was looked at.
    pub(super) fn is_empty(&self) -> bool {
        self.products.is_empty()
    }
}

/// At least `n` chunks with the least distance of their signs, all of the same distance together.
fn nearest(index: &Index<'_>, question: &Signs, admitted: &Admitted, n: usize) -> Vec<ChunkRef> {
    let mut distances: Vec<(Part, Range<u32>, Vec<u16>)> = Vec::new();
    let mut histogram = [0usize; DIMENSIONS + 1];
    for (part, segment) in index.segments() {
        let signs = segment.signs();
        for run in admitted.get(&part).map(Vec::as_slice).unwrap_or_default() {
            let rows = signs.get(run.start as usize..run.end as usize).unwrap_or_default();
            let of_run: Vec<u16> = rows.iter().map(|row| distance(row, question)).collect();
            for &distance in &of_run {
                if let Some(count) = histogram.get_mut(usize::from(distance)) {
                    *count += 1;
                }
            }
            distances.push((part, run.clone(), of_run));
        }
    }
    let mut total = 0;
    let limit = histogram.iter().position(|count| {
        total += count;
        total >= n
    });
    let limit = u16::try_from(limit.unwrap_or(DIMENSIONS)).unwrap_or(u16::MAX);
    let mut found = Vec::with_capacity(total);
    for (part, run, of_run) in distances {
        found.extend(
            run.zip(of_run).filter(|&(_, distance)| distance <= limit).map(|(ord, _)| ChunkRef { part, ord }),
        );
    }
    found
}

/// Number of signs that differ.
#[inline]
fn distance(a: &Signs, b: &Signs) -> u16 {
    let (a, b) = (a.as_chunks::<8>().0, b.as_chunks::<8>().0);
    let ones = a.iter().zip(b).map(|(a, b)| (u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b)).count_ones());
    u16::try_from(ones.sum::<u32>()).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identifier;
    use crate::segment::{Segment, samples};

    /// A segment of one file with a chunk for each text.
    fn segment(texts: &[String]) -> Segment {
        let chunks: Vec<(&str, &str, &str)> = texts.iter().map(|text| ("", "", text.as_str())).collect();
        samples::segment(&[samples::file("all.py", &chunks)])
    }

    /// The recall that rescoring by signs is allowed to cost.
    const RECALL: f64 = 0.98;

    #[test]
    fn signs_find_nearly_all_of_the_nearest() {
        // Words in many mixtures: vectors as near to each other as those of one project's chunks.
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
                }
            }
        }
        let segment = segment(&texts);
        let index = Index::whole(&segment);
        let all = Admitted::from([(Part::Base, std::iter::once(0..segment.n_chunks()).collect())]);
        let (mut found, mut wanted) = (0, 0);
        for question in
            ["read a file from its path", "retry after an error", "wait for the thread", "parse tokens"]
        {
            let question = crate::embed::builtin().question(identifier::tokens(question));
            let mut exact: Vec<(i32, u32)> = (0..segment.n_chunks())
                .map(|ord| (question.dot(&segment.vector(ord).unwrap().unwrap()), ord))
                .collect();
            exact.sort_unstable_by(|a, b| b.cmp(a));
            let meaning = Meaning::search(&index, question, &all).unwrap();
            let near: Vec<u32> = meaning.nearer_than(-1.0).map(|chunk| chunk.ord).collect();
            assert!(near.len() >= RESCORED && near.len() < texts.len());
            wanted += 20;
            found += exact.iter().take(20).filter(|(_, ord)| near.contains(ord)).count();
        }
        assert!(found as f64 >= RECALL * f64::from(wanted), "{found} of {wanted}");
    }

    #[test]
    fn what_the_filters_leave_out_is_not_looked_at() {
        let segment = segment(&["read(file)".to_owned(), "open(socket)".to_owned()]);
        let index = Index::whole(&segment);
        let question = crate::embed::builtin().question(["read"]);
        let second = Admitted::from([(Part::Base, std::iter::once(1..2).collect())]);
        let meaning = Meaning::search(&index, question, &second).unwrap();
        assert_eq!(meaning.nearer_than(-1.0).map(|c| c.ord).collect::<Vec<_>>(), [1]);
        assert!(Meaning::search(&index, Vector::default(), &second).unwrap().is_empty());
    }
}
