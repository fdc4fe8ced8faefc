//! Explanations of scores, for people to read: hits → [`Contribution`]s.
//!
//! Runs after the ranking, on the hits only. It reads the same signals and factors as the ranking
//! and adds them up in the same place (the module `inputs`), so that an explanation cannot differ
//! from the score. Each signal words its own explanation. This module must not change scores or
//! order.

use std::collections::HashMap;

use bstr::ByteSlice;

use crate::search::graph::Graph;
use crate::search::segment::{Field, FileView};

use super::factors;
use super::inputs::{FileInputs, Inputs};
use super::order::Candidate;
use super::reranked::Reranked;
use super::signals::{Detail, SIGNALS, WORD};
use crate::search::query::recall::score::contribution;
use crate::search::query::{ChunkRef, Contribution, Error};

/// What the hits of a search are explained from.
pub(super) struct Explanation<'e, 's> {
    reranked: &'e Reranked<'s>,
    graph: Graph<'s, 's>,
    /// By hit, the contribution of each word, largest first.
    words: HashMap<ChunkRef, Vec<Contribution>>,
}

impl<'e, 's> Explanation<'e, 's> {
    /// Prepares the explanation of hits.
    ///
    /// # Errors
    /// [`Error::Segment`] for a damaged index.
    pub(super) fn new(reranked: &'e Reranked<'s>, hits: &[Candidate]) -> Result<Self, Error> {
        let graph = Graph::new(reranked.recalled.index);
        Ok(Self { reranked, graph, words: words(reranked, hits)? })
    }

    pub(super) fn reranked(&self) -> &'e Reranked<'s> {
        self.reranked
    }

    /// Returns the parts of a hit's score, in the order of the signals.
    ///
    /// # Errors
    /// [`Error::Segment`] for a damaged index.
    pub(super) fn of(&self, hit: &Candidate) -> Result<Vec<Contribution>, Error> {
        let known = self.reranked.known();
        let Some(run) = self.reranked.recalled.candidates.files().get(hit.file) else {
            return Ok(Vec::new());
        };
        let of_file = FileInputs::new(known, hit.file, run.file);
        let inputs = Inputs::new(&of_file, hit.chunk.ord);
        let mut contributions = Vec::new();
        let parts = inputs.parts();
        for (signal, value) in SIGNALS.iter().zip(parts) {
            match signal.detail {
                Detail::EachWord => {
                    contributions.extend(self.words.get(&hit.chunk).into_iter().flatten().cloned());
                }
                Detail::Text(detail) if value != 0.0 => {
                    let detail = detail(self, &inputs, signal.value(&inputs))?;
                    contributions.push(Contribution { part: signal.name, value, detail });
                }
                Detail::Text(_) => {}
            }
        }
        contributions.extend(self.factors(&inputs, &run.file, parts.iter().sum()));
        let preference = self.reranked.reranking.preferences.get(&hit.chunk);
        contributions.extend(preference.map(|&value| {
            let detail = "for a question, functions come before the rest of their file".to_owned();
            Contribution { part: "function", value, detail }
        }));
        Ok(contributions)
    }

    /// Returns what the factors of a hit add to its score; `sum` is the score without them.
    fn factors(&self, inputs: &Inputs<'_, '_, '_>, file: &FileView<'_>, sum: f64) -> Option<Contribution> {
        let is_changed = |factor: f64| (factor - 1.0).abs() > f64::EPSILON;
        if !is_changed(inputs.factor) {
            return None;
        }
        let recalled = &self.reranked.recalled;
        let all = factors::of_file(recalled, file);
        let all = all.chain(factors::of_chunk(recalled, file, inputs.row.as_ref()));
        let why: Vec<&str> = all.filter(|one| is_changed(one.1)).map(|one| one.0).collect();
        let detail = format!("× {} ({})", inputs.factor, why.join(", "));
        let part = if inputs.factor < 1.0 { "demotion" } else { "boost" };
        Some(Contribution { part, value: sum * inputs.factor - sum, detail })
    }

    /// Describes the best chunks that refer to this one; names at most two.
    pub(super) fn referrers(&self, chunk: ChunkRef) -> Result<String, Error> {
        let graph = &self.graph;
        let mut names = Vec::new();
        for &from in &self.reranked.references.seeds {
            let leads = from != chunk
                && graph.outgoing(from)?.iter().any(|edge| graph.chunk_of(edge.to) == Some(chunk));
            let row = graph.index().segment(from.part).and_then(|segment| segment.chunk(from.ord));
            if let Some((file, row)) = graph.file_of(from).zip(row).filter(|_| leads) {
                names.push(format!("{}:{}", file.path().to_str_lossy(), row.span.start_line));
            }
        }
        Ok(match names.as_slice() {
            [] => "references from the best chunks lead to it in several steps".to_owned(),
            [one] => format!("{one} refers to it"),
            [first, second] => format!("{first} and {second} refer to it"),
            [first, second, rest @ ..] => format!("{first}, {second} and {} more refer to it", rest.len()),
        })
    }
}

/// Returns, by hit, the contribution of each word, largest first.
fn words(reranked: &Reranked<'_>, hits: &[Candidate]) -> Result<HashMap<ChunkRef, Vec<Contribution>>, Error> {
    let recalled = &reranked.recalled;
    let (index, weights, best) = (recalled.index, &recalled.weights, recalled.candidates.best);
    let by_words = (WORD.weight)(weights, recalled.parsed.kind);
    let mut found: HashMap<ChunkRef, Vec<Contribution>> = HashMap::new();
    let order: Vec<_> = index.segments().map(|(part, _)| part).collect();
    recalled.words.scorer.each_term(index, &recalled.parsed.terms, |_, term, idf, buffers| {
        for &Candidate { chunk, .. } in hits {
            let buffer = order.iter().position(|&part| part == chunk.part).and_then(|i| buffers.get(i));
            let Some(buffer) = buffer else { continue };
            let Ok(at) = buffer.binary_search_by_key(&chunk.ord, |entry| entry.0) else { continue };
            let Some(&(_, tf, fields)) = buffer.get(at) else { continue };
            let fields: Vec<_> =
                Field::ALL.into_iter().filter(|field| fields & field.bit() != 0).map(Field::name).collect();
            let value = by_words * f64::from(contribution(term, idf, tf, weights.k1)) / best;
            let detail =
                format!("'{}' in {} (idf {idf:.2}, weight {})", term.term, fields.join(", "), term.weight);
            found.entry(chunk).or_default().push(Contribution { part: "word", value, detail });
        }
    })?;
    for list in found.values_mut() {
        list.sort_by(|a, b| b.value.total_cmp(&a.value).then_with(|| a.detail.cmp(&b.detail)));
    }
    Ok(found)
}
