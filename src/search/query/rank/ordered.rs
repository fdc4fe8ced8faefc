//! Last phase: [`Reranked`] → [`Ordered`], the candidates in the order of the hits → [`Answer`].
//!
//! An answer is made from here only, so that no hit misses a signal.

use std::collections::HashSet;

use super::candidates::Candidate;
use super::copies::Copies;
use super::explain::Explanation;
use super::hit::hit;
use super::order::{all, runners_up};
use super::relevance::Evidence;
use super::reranked::Reranked;
use crate::search::query::{Answer, ChunkRef, Error, Hit};

/// The candidates that become hits, best first.
pub(super) struct Ordered<'s> {
    pub(super) reranked: Reranked<'s>,
    pub(super) candidates: Vec<Candidate>,
    /// The copies among their files.
    pub(super) copies: Copies,
}

impl<'s> Reranked<'s> {
    /// Orders the candidates and keeps as many as the query asks for.
    pub(super) fn order(self) -> Ordered<'s> {
        let (candidates, copies) = all(self.known(), &self.scores, self.recalled.query.limit);
        Ordered { reranked: self, candidates, copies }
    }
}

/// Returns the line of a hit that has the message or the key of the query, if it is certain. A long
/// text names much that it does not ask for.
fn said_line(reranked: &Reranked<'_>, hit: &Hit) -> Option<u32> {
    if reranked.recalled.parsed.kind.is_long() {
        return None;
    }
    reranked.reranking.said.get(&hit.chunk).filter(|said| said.is_literal).map(|said| said.line)
}

impl Ordered<'_> {
    /// Returns the answer, with explanations if the query asks for them.
    ///
    /// # Errors
    /// [`Error::Segment`] for a damaged index.
    pub(super) fn answer(self) -> Result<Answer, Error> {
        let Self { reranked, candidates, copies } = &self;
        let recalled = &reranked.recalled;
        let mut hits = Vec::with_capacity(candidates.len());
        let evidence = Evidence::new(reranked);
        for candidate in candidates {
            let facts = evidence.of(candidate, hits.is_empty());
            let relevance = evidence.relevance(candidate, &facts);
            let lines = |hit: &Hit| if hit.lines.is_empty() { said_line(reranked, hit) } else { None };
            let hit = hit(recalled, candidate).map(|hit| match lines(&hit) {
                Some(line) => Hit { relevance, facts, lines: vec![line], ..hit },
                None => Hit { relevance, facts, ..hit },
            });
            hits.extend(hit.map(|hit| (hit, candidate)));
        }
        if recalled.query.also {
            let mut seen = HashSet::new();
            for (hit, candidate) in hits.iter_mut().filter(|(_, candidate)| seen.insert(candidate.file)) {
                hit.copies = copies.paths(recalled, candidate.file);
            }
        }
        // A query for all chunks, or for references, has them as hits already.
        if recalled.query.also && !recalled.query.all_chunks && recalled.related.is_empty() {
            let mut named: HashSet<ChunkRef> = candidates.iter().map(|one| one.chunk).collect();
            for (of, candidate) in &mut hits {
                let others = runners_up(reranked.known(), &reranked.scores, candidate, &named);
                named.extend(others.iter().map(|other| other.chunk));
                of.also = others.iter().filter_map(|other| hit(recalled, other)).collect();
            }
        }
        if recalled.query.explain {
            let explanation = Explanation::new(reranked, candidates)?;
            for (hit, candidate) in &mut hits {
                hit.contributions = explanation.of(candidate)?;
            }
        }
        let hits = hits.into_iter().map(|(hit, _)| hit).collect();
        let n_candidates = recalled.candidates.len() - copies.n_left_out(recalled);
        let recalled = self.reranked.recalled;
        Ok(Answer {
            hits,
            near: recalled.words.near,
            terms: recalled.parsed.terms,
            asked: recalled.parsed.asked,
            n_candidates,
            strength: recalled.candidates.best,
            query_kind: recalled.parsed.kind,
            needs_text_check: recalled.parsed.phrases,
            relation: recalled.relation,
        })
    }
}
