//! Explanations of scores, for people to read.
//!
//! Runs after the ranking, on the hits only. It reads the same signals and weighs them in the same
//! place (the module `fuse`), so that an explanation cannot differ from the score. It must not
//! change scores or order.

use std::collections::HashMap;

use bstr::ByteSlice;

use crate::search::graph::Graph;
use crate::search::segment::{Field, Index, Part};

use super::candidates::Candidate;
use super::fuse::{fuse, parts};
use super::pipeline::Evidence;
use crate::search::query::recall::score::contribution;
use crate::search::query::{ChunkRef, Contribution, Error, Hit};

/// Fills the contributions of `hits`, which belong to `candidates` in the same order.
pub(in crate::search::query) fn explain(
    index: &Index<'_>,
    evidence: &Evidence<'_>,
    candidates: &[Candidate],
    hits: &mut [Hit],
) -> Result<(), Error> {
    let mut words = words(index, evidence, hits)?;
    let graph = Graph::new(index);
    for (hit, candidate) in hits.iter_mut().zip(candidates) {
        let Some(signals) = evidence.signals_of(index, candidate) else { continue };
        hit.contributions = words.remove(&hit.chunk).unwrap_or_default();
        let kind = evidence.parsed.kind;
        let weighed = parts(&signals, kind, &evidence.weights);
        for (part, value) in weighed.into_iter().filter(|&(part, value)| part != "word" && value != 0.0) {
            let detail = match part {
                "stem" => format!(
                    "{:.0} % of the words of the file's name are asked for",
                    signals.stem_share * 100.0
                ),
                "meaning" => {
                    let cosine = evidence.meaning.cosine(hit.chunk).unwrap_or(0.0);
                    format!("its vector and the question's have cosine {cosine:.2}")
                }
                "path" => format!("{:.0} % of the words are in its path", signals.path_share * 100.0),
                "coverage" => {
                    format!("it has {:.0} % of the words, by their rarity", signals.coverage * 100.0)
                }
                "definition" => definition(index, evidence, hit.chunk),
                "mention" => format!("it mentions {:.0} % of the names as they are", signals.mention * 100.0),
                "users" if signals.users < 1.0 => "it may refer to what is asked for".to_owned(),
                "users" => "it refers to what is asked for".to_owned(),
                "coherence" => "other chunks of the file match too".to_owned(),
                "references" => referrers(&graph, evidence, hit.chunk)?,
                "fitting" => {
                    let odds = signals.fitting.exp();
                    let how =
                        if evidence.is_encoded() { "word by word and as a whole" } else { "word by word" };
                    format!("{how}, its file answers {odds:.0} times as well as the last of the best chunks")
                }
                "message" => {
                    let said = evidence.said.get(&hit.chunk);
                    said.map(|said| format!("a string of it says '{}'", said.run)).unwrap_or_default()
                }
                "commentary" => {
                    format!("what a model wrote about it fits to {:.0} %", signals.commentary * 100.0)
                }
                "history" => history(evidence, hit.chunk.part, candidate.file),
                "named path" => "the query names the file".to_owned(),
                "named line" => "the query names a line of it".to_owned(),
                _ => String::new(),
            };
            hit.contributions.push(Contribution { part, value, detail });
        }
        if (signals.multiplier - 1.0).abs() > f64::EPSILON {
            let sum: f64 = weighed.iter().map(|part| part.1).sum();
            let why = evidence.factors_of(index, candidate);
            let detail = format!("× {} ({})", signals.multiplier, why.join(", "));
            let value = fuse(&signals, kind, &evidence.weights) - sum;
            hit.contributions.push(Contribution {
                part: if signals.multiplier < 1.0 { "demotion" } else { "boost" },
                value,
                detail,
            });
        }
    }
    Ok(())
}

/// Describes the best chunks that refer to this one; names at most two.
fn referrers(graph: &Graph<'_, '_>, evidence: &Evidence<'_>, chunk: ChunkRef) -> Result<String, Error> {
    let mut names = Vec::new();
    for &from in &evidence.seeds {
        let leads =
            from != chunk && graph.outgoing(from)?.iter().any(|edge| graph.chunk_of(edge.to) == Some(chunk));
        let row = graph.index().segment(from.part).and_then(|segment| segment.chunk(from.ord));
        if let Some((file, row)) = graph.file_of(from).zip(row).filter(|_| leads) {
            names.push(format!("{}:{}", file.path().to_str_lossy(), row.span.start_line));
        }
    }
    Ok(match names.as_slice() {
        [] => "the best chunks lead to it by others".to_owned(),
        [one] => format!("{one} refers to it"),
        [first, second] => format!("{first} and {second} refer to it"),
        [first, second, rest @ ..] => format!("{first}, {second} and {} more refer to it", rest.len()),
    })
}

/// Describes the commit whose message is most similar to the question, among those that changed the
/// file.
fn history(evidence: &Evidence<'_>, part: Part, file: u32) -> String {
    let told = evidence.told.get(&(part, file));
    told.map(|told| format!("commit {} changed its file, and says the like", told.commit.abbreviated(10)))
        .unwrap_or_default()
}

fn definition(index: &Index<'_>, evidence: &Evidence<'_>, chunk: ChunkRef) -> String {
    let (Some(defined), Some(segment)) = (evidence.defined.get(&chunk), index.segment(chunk.part)) else {
        return String::new();
    };
    format!("{} '{}'", defined.how, segment.symbol_path(defined.declaration))
}

/// Returns, by hit, the contribution of each word, largest first.
fn words(
    index: &Index<'_>,
    evidence: &Evidence<'_>,
    hits: &[Hit],
) -> Result<HashMap<ChunkRef, Vec<Contribution>>, Error> {
    let mut found: HashMap<ChunkRef, Vec<Contribution>> = HashMap::new();
    let order: Vec<_> = index.segments().map(|(part, _)| part).collect();
    evidence.scorer.each_term(index, &evidence.parsed.terms, |_, term, idf, buffers| {
        for hit in hits {
            let buffer = order.iter().position(|&part| part == hit.chunk.part).and_then(|i| buffers.get(i));
            let Some(buffer) = buffer else { continue };
            let Ok(at) = buffer.binary_search_by_key(&hit.chunk.ord, |entry| entry.0) else { continue };
            let Some(&(_, tf, fields)) = buffer.get(at) else { continue };
            let fields: Vec<_> =
                Field::ALL.into_iter().filter(|field| fields & field.bit() != 0).map(Field::name).collect();
            let value = evidence.words_weight() * f64::from(contribution(term, idf, tf, evidence.weights.k1))
                / evidence.best;
            let detail =
                format!("'{}' in {} (idf {idf:.2}, weight {})", term.term, fields.join(", "), term.weight);
            found.entry(hit.chunk).or_default().push(Contribution { part: "word", value, detail });
        }
    })?;
    for list in found.values_mut() {
        list.sort_by(|a, b| b.value.total_cmp(&a.value).then_with(|| a.detail.cmp(&b.detail)));
    }
    Ok(found)
}
