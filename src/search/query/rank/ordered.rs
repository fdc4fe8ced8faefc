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
use super::rule::{PlacedChunk, RuleContext};
use crate::base::text::quoted;
use crate::search::query::{Answer, ChunkRef, Error, Hit};

/// The candidates that become hits, best first.
pub(super) struct Ordered<'s> {
    pub(super) reranked: Reranked<'s>,
    pub(super) placed: Vec<PlacedChunk>,
    /// The copies among their files.
    pub(super) copies: Copies,
}

impl<'s> Reranked<'s> {
    /// Orders the candidates and keeps as many as the query asks for.
    pub(super) fn order(self) -> Ordered<'s> {
        let (placed, copies) = all(self.known(), &self.scores, self.recalled.query.limit);
        Ordered { reranked: self, placed, copies }
    }
}

/// Returns the line of a hit that has the message or the key of the query, if it is certain. A long
/// text names much that it does not ask for.
fn said_line(reranked: &Reranked<'_>, hit: &Hit) -> Option<u32> {
    if let Some((_, line)) = reranked.reranking.quoted.filter(|(chunk, _)| *chunk == hit.chunk) {
        return Some(line);
    }
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
        let Self { reranked, placed, copies } = &self;
        let recalled = &reranked.recalled;
        let mut hits = Vec::with_capacity(placed.len());
        let evidence = Evidence::new(reranked);
        for placed in placed {
            let candidate = &placed.candidate;
            let facts = evidence.of(candidate, hits.is_empty());
            let relevance = evidence.relevance(candidate, &facts);
            let lines = |hit: &Hit| if hit.lines.is_empty() { said_line(reranked, hit) } else { None };
            let hit = hit(recalled, candidate).map(|hit| match lines(&hit) {
                Some(line) => Hit { relevance, facts, lines: vec![line], ..hit },
                None => Hit { relevance, facts, ..hit },
            });
            hits.extend(hit.map(|hit| (hit, placed)));
        }
        if recalled.query.also {
            let mut seen = HashSet::new();
            let firsts = hits.iter_mut().map(|(hit, placed)| (hit, &placed.candidate));
            for (hit, candidate) in firsts.filter(|(_, candidate)| seen.insert(candidate.file)) {
                hit.copies = copies.paths(recalled, candidate.file);
            }
        }
        // A query for all chunks, or for references, has them as hits already.
        if recalled.query.also && !recalled.query.all_chunks && recalled.related.is_empty() {
            let mut named: HashSet<ChunkRef> = placed.iter().map(|one| one.candidate.chunk).collect();
            for (of, placed) in &mut hits {
                let others = runners_up(reranked.known(), &reranked.scores, &placed.candidate, &named);
                named.extend(others.iter().map(|other| other.chunk));
                of.also = others.iter().filter_map(|other| hit(recalled, other)).collect();
            }
        }
        if recalled.query.explain {
            let candidates: Vec<Candidate> = placed.iter().map(|one| one.candidate).collect();
            let explanation = Explanation::new(reranked, &candidates)?;
            for (hit, placed) in &mut hits {
                hit.contributions = explanation.of(&placed.candidate)?;
                let original = copies.original(placed.candidate.file);
                let original = original.and_then(|place| recalled.candidates.files().get(place));
                let original = original.map(|run| quoted(run.file.path()));
                hit.moved = placed.rule.map(|rule| {
                    rule.in_words(&RuleContext {
                        score: placed.candidate.score,
                        preference: explanation.preferred(&placed.candidate),
                        original: original.as_deref(),
                    })
                });
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
