//! Explanations of scores, for people to read: hits → [`Contribution`]s.
//!
//! Runs after the ranking, on the hits only. It reads the same signals and factors as the ranking
//! and adds them up in the same place (the module `inputs`), so that an explanation cannot differ
//! from the score. Each signal words its own explanation. This module must not change scores or
//! order.

use std::collections::HashMap;

use bstr::ByteSlice;

use crate::base::text::counted;
use crate::base::text::stem::stem;
use crate::search::graph::Graph;
use crate::search::segment::{Field, FileView};

use super::candidates::Candidate;
use super::factors;
use super::inputs::{FileInputs, Inputs};
use super::reranked::Reranked;
use super::signals::{Detail, SIGNALS, WORD};
use crate::search::query::recall::score::contribution;
use crate::search::query::{ChunkRef, Contribution, Error, ParsedQuery};

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
        contributions.extend(self.preferred(hit).map(|(part, value)| {
            let detail = if self.reranked.recalled.parsed.wants_default {
                "it declares a default, which the question asks for"
            } else {
                "for a question, functions come before the rest of their file"
            };
            Contribution { part, value, detail: detail.to_owned() }
        }));
        Ok(contributions)
    }

    /// Returns the part that compares a hit with the chunks of its file: its name and its value.
    pub(super) fn preferred(&self, hit: &Candidate) -> Option<(&'static str, f64)> {
        let value = *self.reranked.reranking.preferences.get(&hit.chunk)?;
        Some((if self.reranked.recalled.parsed.wants_default { "default" } else { "function" }, value))
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
    let n_chunks = recalled.words.scorer.n_chunks();
    recalled.words.scorer.each_term(index, &recalled.parsed.terms, |_, term, idf, buffers| {
        let n_with: usize = buffers.iter().map(Vec::len).sum();
        for &Candidate { chunk, .. } in hits {
            let buffer = order.iter().position(|&part| part == chunk.part).and_then(|i| buffers.get(i));
            let Some(buffer) = buffer else { continue };
            let Ok(at) = buffer.binary_search_by_key(&chunk.ord, |entry| entry.0) else { continue };
            let Some(&(_, tf, fields)) = buffer.get(at) else { continue };
            let value = by_words * f64::from(contribution(term, idf, tf, weights.k1)) / best;
            let detail = format!(
                "{} in its {}; {n_with} of {} contain it",
                as_asked(&recalled.parsed, &term.term),
                places(fields),
                counted(n_chunks, "chunk", "chunks")
            );
            found.entry(chunk).or_default().push(Contribution { part: "word", value, detail });
        }
    })?;
    for list in found.values_mut() {
        list.sort_by(|a, b| b.value.total_cmp(&a.value).then_with(|| a.detail.cmp(&b.detail)));
    }
    Ok(found)
}

/// Names the word of the query behind a term, which may be its stem and stand for all of its forms.
fn as_asked(query: &ParsedQuery, term: &str) -> String {
    let words = || query.words.iter().map(|(word, _)| word.as_str());
    let stemmed = words().find(|word| *word != term && stem(word) == term);
    match stemmed.filter(|_| !words().any(|word| word == term)) {
        Some(word) => format!("forms of '{word}'"),
        None => format!("'{term}'"),
    }
}

/// Names the parts of a chunk in which a word was found.
fn places(fields: u8) -> String {
    let plain = |field| match field {
        Field::Symbol => "name",
        Field::Signature => "signature",
        Field::Doc => "comment",
        Field::Body => "code",
        Field::Scope => "enclosing name",
        Field::Stem => "file name",
        Field::Directory => "directory",
    };
    let found: Vec<&str> =
        Field::ALL.into_iter().filter(|field| fields & field.bit() != 0).map(plain).collect();
    match found.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        few => few.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_chunk_have_plain_names() {
        let named = |fields: &[Field]| places(fields.iter().fold(0, |all, field| all | field.bit()));
        assert_eq!(named(&[Field::Symbol]), "name");
        assert_eq!(named(&[Field::Doc, Field::Body]), "comment and code");
        assert_eq!(named(&[Field::Symbol, Field::Doc, Field::Directory]), "name, comment and directory");
    }

    #[test]
    fn a_stem_is_shown_as_the_word_that_was_asked() {
        let query = crate::search::query::parse("how does a lease expire");
        assert_eq!(as_asked(&query, "expir"), "forms of 'expire'");
        assert_eq!(as_asked(&query, "lease"), "'lease'");
        assert_eq!(as_asked(&query, "notifi"), "'notifi'");
    }
}
