//! Scoring by words: BM25F over the fields of a chunk.
//!
//! Terms → one cell per chunk of each segment. Terms are processed in the query's order, and each
//! term first in the base, then in the overlay. So the additions of a chunk's sum have the same
//! order whichever segment stores it, and its bits are the same. Postings are decoded once, into a
//! reused buffer. Live document frequencies are counted on the way, which makes them exact at no
//! extra cost.
//!
//! - score = Σ over terms of weight · idf · tf / (k1 + tf)
//! - tf = Σ over fields of w · n / (1 − b + b · length / average)
//! - idf = ln(1 + (N − df + ½) / (df + ½))
//!
//! Source: Robertson & Zaragoza, "The Probabilistic Relevance Framework", 2009.

use roaring::RoaringBitmap;

use crate::search::segment::{Counts, Field, Index, LENGTHS_BYTES, N_FIELDS, Part, RawPosting, Segment};

use crate::search::query::parse::parser::QueryTerm;
use crate::search::query::weights::Weights;
use crate::search::query::{ChunkRef, Error};

/// Field lengths below this are looked up in a table; few chunks have longer ones.
const TABLE: usize = 512;

/// The word signals of a chunk.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::search::query) struct Cell {
    /// The BM25F score.
    pub(in crate::search::query) score: f32,
    /// Number of query parts among the words of the file's stem.
    pub(in crate::search::query) stem_words: u16,
    /// Number of query parts among the words of the file's stem and directories.
    pub(in crate::search::query) path_words: u16,
    /// Sum of the idf of the query parts that the chunk has.
    pub(in crate::search::query) covered: f32,
}

impl Cell {
    /// Counts a word that occurs in these fields of the path.
    fn name(&mut self, fields: u8) {
        self.path_words = self.path_words.saturating_add(1);
        if fields & Field::Stem.bit() != 0 {
            self.stem_words = self.stem_words.saturating_add(1);
        }
    }
}

/// The cells of one segment.
#[derive(Debug)]
pub(in crate::search::query) struct Cells<'s> {
    pub(in crate::search::query) part: Part,
    pub(in crate::search::query) segment: &'s Segment,
    /// By chunk, `[n_chunks]`; the cells of outdated chunks stay empty.
    pub(in crate::search::query) cells: Vec<Cell>,
}

/// The chunks that mention the query's names whole.
#[derive(Debug, Default)]
pub(in crate::search::query) struct NameMentions {
    /// By segment and chunk, the number of names that it mentions.
    counts: Vec<(Part, Vec<u8>)>,
    n_names: u8,
}

impl NameMentions {
    /// Returns the share of the names that a chunk mentions, from 0 to 1.
    pub(in crate::search::query) fn share(&self, chunk: ChunkRef) -> f64 {
        let of = self.counts.iter().find(|one| one.0 == chunk.part);
        let n = of.and_then(|one| one.1.get(chunk.ord as usize)).copied().unwrap_or(0);
        f64::from(n) / f64::from(self.n_names.max(1))
    }
}

/// The BM25F scorer of one index.
#[derive(Debug)]
pub(in crate::search::query) struct Scorer {
    norms: Norms,
    k1: f32,
    n_chunks: u64,
    masked: Bits,
}

impl Scorer {
    pub(in crate::search::query) fn new(index: &Index<'_>, weights: &Weights) -> Self {
        let statistics = index.statistics();
        Self {
            norms: Norms::new(&statistics.total_lengths, statistics.n_chunks, weights),
            k1: weights.k1,
            n_chunks: statistics.n_chunks,
            masked: Bits::new(&index.masked_chunks(Part::Base)),
        }
    }

    /// Returns the number of chunks that are searched.
    pub(in crate::search::query) fn n_chunks(&self) -> u64 {
        self.n_chunks
    }

    /// Returns empty cells for every segment.
    pub(in crate::search::query) fn cells<'s>(index: &Index<'s>) -> Vec<Cells<'s>> {
        let empty = |(part, segment): (Part, &'s Segment)| Cells {
            part,
            segment,
            cells: vec![Cell::default(); segment.n_chunks() as usize],
        };
        index.segments().map(empty).collect()
    }

    /// Adds the scores of the terms to the cells of every segment and sets the idf of each term.
    /// Returns the sum of the idf of the terms that are parts of identifiers.
    pub(in crate::search::query) fn score(
        &self,
        index: &Index<'_>,
        terms: &mut [QueryTerm],
        all: &mut [Cells<'_>],
    ) -> Result<f32, Error> {
        let mut idfs = vec![0.0; terms.len()];
        let mut total = 0.0;
        self.each_term(index, terms, |place, term, idf, buffers| {
            if let Some(of_term) = idfs.get_mut(place) {
                *of_term = idf;
            }
            if term.is_part {
                total += idf;
            }
            for (cells, buffer) in all.iter_mut().zip(buffers) {
                for &(chunk, tf, fields) in buffer {
                    let Some(cell) = cells.cells.get_mut(chunk as usize) else { continue };
                    cell.score += contribution(term, idf, tf, self.k1);
                    if term.is_part {
                        cell.covered += idf;
                    }
                    if term.is_part && fields & PATH_FIELDS != 0 {
                        cell.name(fields);
                    }
                }
            }
        })?;
        terms.iter_mut().zip(idfs).for_each(|(term, idf)| term.idf = idf);
        Ok(total)
    }

    /// Counts which of the names among the terms each chunk mentions whole.
    pub(in crate::search::query) fn mentions(
        &self,
        index: &Index<'_>,
        terms: &[QueryTerm],
    ) -> Result<NameMentions, Error> {
        let names: Vec<QueryTerm> = terms.iter().filter(|term| !term.is_part).cloned().collect();
        if names.is_empty() {
            return Ok(NameMentions::default());
        }
        let empty = |(part, segment): (Part, &Segment)| (part, vec![0u8; segment.n_chunks() as usize]);
        let mut counts: Vec<(Part, Vec<u8>)> = index.segments().map(empty).collect();
        self.each_term(index, &names, |_, _, _, buffers| {
            for ((_, counts), buffer) in counts.iter_mut().zip(buffers) {
                for &(chunk, ..) in buffer {
                    if let Some(count) = counts.get_mut(chunk as usize) {
                        *count = count.saturating_add(1);
                    }
                }
            }
        })?;
        Ok(NameMentions { counts, n_names: u8::try_from(names.len()).unwrap_or(u8::MAX) })
    }

    /// Counts path words that are short forms of a query word as that word.
    pub(in crate::search::query) fn short_forms(
        &self,
        index: &Index<'_>,
        terms: &[String],
        all: &mut [Cells<'_>],
    ) -> Result<(), Error> {
        for ((of, segment), cells) in index.segments().zip(all) {
            let masked = (of == Part::Base).then_some(&self.masked);
            for mut postings in segment.postings(terms.iter().map(String::as_str))? {
                while let Some(posting) = postings.next_raw() {
                    let is_named = posting.fields & PATH_FIELDS != 0;
                    if !is_named || masked.is_some_and(|masked| masked.contains(posting.chunk)) {
                        continue;
                    }
                    if let Some(cell) = cells.cells.get_mut(posting.chunk as usize) {
                        cell.name(posting.fields);
                    }
                }
            }
        }
        Ok(())
    }

    /// Calls `each` for every term that some live chunk has. Its arguments are the term's position,
    /// the term, its idf and, by segment, the live chunks with their weighted frequency and fields.
    pub(in crate::search::query) fn each_term(
        &self,
        index: &Index<'_>,
        terms: &[QueryTerm],
        mut each: impl FnMut(usize, &QueryTerm, f32, &[Vec<(u32, f32, u8)>]),
    ) -> Result<(), Error> {
        let segments: Vec<(Part, &Segment)> = index.segments().collect();
        let mut lists = Vec::new();
        for (_, segment) in &segments {
            lists.push(segment.postings(terms.iter().map(|t| t.term.as_str()))?.into_iter());
        }
        let mut buffers = vec![Vec::new(); segments.len()];
        for (place, term) in terms.iter().enumerate() {
            for (((part, segment), lists), buffer) in segments.iter().zip(&mut lists).zip(&mut buffers) {
                buffer.clear();
                let Some(mut postings) = lists.next() else { continue };
                let rows = segment.length_rows();
                let masked = (*part == Part::Base).then_some(&self.masked);
                while let Some(posting) = postings.next_raw() {
                    if masked.is_some_and(|masked| masked.contains(posting.chunk)) {
                        continue;
                    }
                    let Some(row) = rows.get(posting.chunk as usize) else { continue };
                    buffer.push((posting.chunk, self.norms.frequency(&posting, row), posting.fields));
                }
            }
            let df: usize = buffers.iter().map(Vec::len).sum();
            if df > 0 {
                let df = index.frequency(&term.term, df as u64);
                each(place, term, idf(self.n_chunks, df), &buffers);
            }
        }
        Ok(())
    }
}

const PATH_FIELDS: u8 = Field::Stem.bit() | Field::Directory.bit();

/// Returns what a term adds to the score of a chunk.
pub(in crate::search::query) fn contribution(term: &QueryTerm, idf: f32, tf: f32, k1: f32) -> f32 {
    term.weight * idf * tf / (k1 + tf)
}

fn idf(n: u64, df: u64) -> f32 {
    let (n, df) = (n as f32, df as f32);
    (1.0 + (n - df + 0.5).max(0.0) / (df + 0.5)).ln()
}

/// Field weight over length norm, by field and length.
#[derive(Debug)]
struct Norms {
    table: Vec<[f32; N_FIELDS]>,
    averages: [f32; N_FIELDS],
    fields: [f32; N_FIELDS],
    length: [f32; N_FIELDS],
}

impl Norms {
    fn new(totals: &[u64; N_FIELDS], n: u64, weights: &Weights) -> Self {
        let averages = totals.map(|total| if n == 0 { 0.0 } else { total as f32 / n as f32 });
        let mut norms = Self {
            table: Vec::with_capacity(TABLE),
            averages,
            fields: weights.fields,
            length: weights.length,
        };
        for length in 0..TABLE {
            let row = std::array::from_fn(|field| norms.compute(field, length as f32));
            norms.table.push(row);
        }
        norms
    }

    fn compute(&self, field: usize, length: f32) -> f32 {
        let of = |list: &[f32; N_FIELDS]| list.get(field).copied().unwrap_or(0.0);
        let (b, average) = (of(&self.length), of(&self.averages));
        let ratio = if average > 0.0 { length / average } else { 1.0 };
        of(&self.fields) / (1.0 - b + b * ratio)
    }

    #[inline]
    fn get(&self, field: usize, row: &[u8; LENGTHS_BYTES]) -> f32 {
        let at = field * 2;
        let length = row.get(at..at + 2).and_then(|n| n.first_chunk()).map_or(0, |n| u16::from_le_bytes(*n));
        match self.table.get(usize::from(length)).and_then(|norms| norms.get(field)) {
            Some(&norm) => norm,
            None => self.compute(field, f32::from(length)),
        }
    }

    /// Returns the weighted frequency of a term in a chunk.
    #[inline]
    fn frequency(&self, posting: &RawPosting<'_>, row: &[u8; LENGTHS_BYTES]) -> f32 {
        const BODY: usize = Field::Body as usize;
        if let Counts::Body(n) = posting.counts {
            return f32::from(n) * self.get(BODY, row);
        }
        let mut counts: &[u8] = match posting.counts {
            Counts::Each(counts) => counts,
            Counts::Body(_) => &[],
        };
        let mut fields = posting.fields;
        let mut sum = 0.0;
        while fields != 0 {
            let field = fields.trailing_zeros() as usize;
            fields &= fields - 1;
            let norm = self.get(field, row);
            sum += match counts.split_first() {
                Some((&n, rest)) => {
                    counts = rest;
                    f32::from(n) * norm
                }
                None => norm,
            };
        }
        sum
    }
}

/// A set of small numbers as bits. A lookup happens once per posting or chunk, where the search in
/// a Roaring bitmap would be noticeable.
#[derive(Debug, Default)]
pub(in crate::search::query) struct Bits(Vec<u64>);

impl Bits {
    fn new(set: &RoaringBitmap) -> Self {
        let mut bits = Self(Vec::with_capacity(set.max().map_or(0, |max| max as usize / 64 + 1)));
        set.iter().for_each(|n| bits.insert(n));
        bits
    }

    pub(in crate::search::query) fn insert(&mut self, n: u32) {
        let at = n as usize / 64;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        if let Some(word) = self.0.get_mut(at) {
            *word |= 1 << (n % 64);
        }
    }

    #[inline]
    pub(in crate::search::query) fn contains(&self, n: u32) -> bool {
        self.0.get(n as usize / 64).is_some_and(|word| word >> (n % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::weights::WEIGHTS;
    use crate::search::segment::samples::{file, segment};

    fn is_near(found: f32, expected: f32) -> bool {
        (found - expected).abs() < 1e-4
    }

    #[test]
    fn rare_terms_weigh_more() {
        // ln(1 + (n - df + 1/2) / (df + 1/2))
        for (n, df, expected) in
            [(10, 1, 1.992_43), (10, 2, 1.481_60), (10, 10, 0.046_52), (1000, 1, 6.503_29), (3, 5, 0.0)]
        {
            assert!(is_near(idf(n, df), expected), "{n} {df}: {}", idf(n, df));
        }
    }

    #[test]
    fn a_term_that_is_said_often_saturates() {
        let term = QueryTerm { term: "retry".to_owned(), weight: 2.0, is_part: true, idf: 0.0 };
        for (tf, expected) in [(0.0, 0.0), (1.0, 2.0), (2.0, 3.0), (6.0, 4.5), (1e9, 6.0)] {
            assert!(is_near(contribution(&term, 3.0, tf, 2.0), expected), "{tf}");
        }
    }

    #[test]
    fn a_field_counts_by_its_weight_and_length() {
        let mut totals = [0; N_FIELDS];
        (totals[Field::Body as usize], totals[Field::Symbol as usize]) = (1000, 20);
        let norms = Norms::new(&totals, 10, &WEIGHTS);
        // Averages of 100 and 2; b is 0.6 and 0.5, the weight 1 and 5.
        for (field, length, expected) in [
            (Field::Body, 100.0, 1.0),
            (Field::Body, 200.0, 1.0 / 1.6),
            (Field::Body, 0.0, 1.0 / 0.4),
            (Field::Body, 1000.0, 1.0 / 6.4),
            (Field::Symbol, 2.0, 5.0),
            (Field::Symbol, 4.0, 5.0 / 1.5),
            // No chunk has this field.
            (Field::Doc, 7.0, 1.5),
        ] {
            assert!(is_near(norms.compute(field as usize, length), expected), "{field:?} {length}");
        }
        // Beyond the table, lengths are computed.
        let row = |length: u16| {
            let mut row = [0; LENGTHS_BYTES];
            let at = Field::Body as usize * 2;
            row[at..at + 2].copy_from_slice(&length.to_le_bytes());
            norms.get(Field::Body as usize, &row)
        };
        for length in [0, 100, 511, 512, 513, 5000] {
            assert!(is_near(row(length), norms.compute(Field::Body as usize, f32::from(length))));
        }
    }

    #[test]
    fn only_live_chunks_and_parts_of_words_are_counted() {
        let segment = segment(&[file("src/open.py", &[("", "", "retries socket"), ("", "", "socket")])]);
        let index = Index::whole(&segment);
        let scorer = Scorer::new(&index, &WEIGHTS);
        let term = |term: &str, is_part| QueryTerm { term: term.to_owned(), weight: 1.0, is_part, idf: 0.0 };
        let mut terms = [term("open", true), term("retry", true), term("retries", false), term("gone", true)];
        let mut cells = Scorer::cells(&index);
        let total = scorer.score(&index, &mut terms, &mut cells).unwrap();
        let [open, retry, _, gone] = [0, 1, 2, 3].map(|at: usize| terms[at].idf);
        assert!(open > 0.0 && retry > open && gone == 0.0, "{terms:?}");
        assert!(is_near(total, open + retry), "parts alone are summed");
        let [first, second] = [0, 1].map(|ord: usize| cells[0].cells[ord]);
        assert!(is_near(first.covered, total) && is_near(second.covered, open));
        assert_eq!((first.stem_words, first.path_words), (1, 1));
        assert!(first.score > second.score && second.score > 0.0);
        let mentioned = scorer.mentions(&index, &[term("socket", false), term("retries", false)]).unwrap();
        let share = |ord| mentioned.share(ChunkRef { part: Part::Base, ord });
        assert_eq!((share(0), share(1), share(9)), (1.0, 0.5, 0.0));
    }
}
