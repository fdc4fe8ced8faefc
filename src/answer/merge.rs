//! Several repositories: one answer of each → one answer that names the references between them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use bstr::ByteSlice;

use super::view::{ResultItem, Results, SearchedRepository};
use crate::index::chunk::ReferenceKind;
use crate::search::graph::{DeclarationRef, Graphs};
use crate::search::segment::{ChunkRef, Index};

use super::relations::{backward, chunk_place, forward, graphs_of};
use super::results::repository_info;
use crate::search::{Result, Searcher};

/// Maximum number of results that are followed to other repositories, best first.
pub const MAX_FOLLOWED: usize = 50;
/// Maximum number of declarations of one sort and repository that one result names.
const MAX_NAMED: usize = 3;

/// Keeps in each answer the words that no repository has, with all replacements found anywhere.
pub(crate) fn share_near(answers: &mut [Results]) {
    let Some((first, others)) = answers.split_first_mut() else { return };
    first.near.retain_mut(|near| {
        others.iter().all(|answer| match answer.near.iter().find(|other| other.word == near.word) {
            Some(other) => {
                let new = other.instead.iter().filter(|word| !near.instead.contains(word)).cloned();
                let new: Vec<_> = new.collect();
                near.instead.extend(new);
                true
            }
            None => false,
        })
    });
    let shared = first.near.clone();
    others.iter_mut().for_each(|answer| answer.near.clone_from(&shared));
}

/// Merges the answers to one query by score; the first is that of the first repository. At most
/// `limit` results.
///
/// A score is relative to the best chunk by words in its own repository, so each answer's scores
/// are weighted by that chunk's share of the words. References between repositories are added by
/// [`follow`].
pub fn merge(mut answers: Vec<Results>, limit: usize) -> Results {
    let most = answers.iter().map(|answer| answer.strength).fold(0.0, f64::max);
    share_near(&mut answers);
    let mut answers = answers.into_iter();
    let Some(mut merged) = answers.next() else { return Results::default() };
    let scale = |strength: f64| if most > 0.0 { strength / most } else { 1.0 };
    let own = scale(merged.strength);
    merged.results.iter_mut().for_each(|item| item.score *= own);
    for (answer, repository) in answers.zip(1..) {
        let own = scale(answer.strength);
        merged.others.push(SearchedRepository {
            repository: answer.repository,
            revision: answer.revision,
            commit: answer.commit,
            worktree: answer.worktree,
            n_dirty: answer.n_dirty,
        });
        merged.n_more += answer.n_more;
        merged.asks_references |= answer.asks_references;
        merged.warnings.extend(answer.warnings);
        for mut item in answer.results {
            item.repository = repository;
            item.score *= own;
            merged.results.push(item);
        }
    }
    merged.strength = most;
    if !merged.others.is_empty() {
        for item in &mut merged.results {
            // Scores alone order the results of several repositories.
            item.moved = None;
            let other = item.repository.checked_sub(1).and_then(|at| merged.others.get(at));
            item.checkout = other.map_or(&merged.repository.path, |other| &other.repository.path).clone();
        }
    }
    merged.results.sort_by(|a, b| {
        let key = |item: &super::view::ResultItem| Reverse(item.included.is_some());
        key(a).cmp(&key(b)).then(b.score.total_cmp(&a.score)).then(a.repository.cmp(&b.repository))
    });
    merged.n_more += merged.results.len().saturating_sub(limit);
    merged.results.truncate(limit);
    for (item, rank) in merged.results.iter_mut().zip(1..) {
        item.rank = rank;
    }
    merged
}

/// Sets each result's [`ResultItem::relation`]: which declarations of other repositories use it and
/// which it uses, if certain, for the first [`MAX_FOLLOWED`]. [`ResultItem::repository`] is a
/// position in `repositories`. They are called by `names`, or by their places.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub fn follow<'r>(
    repositories: &[&Searcher],
    names: Option<&[&str]>,
    results: impl Iterator<Item = &'r mut ResultItem>,
) -> Result<()> {
    if repositories.len() < 2 {
        return Ok(());
    }
    let indexes: Vec<Index<'_>> = repositories.iter().map(|searcher| searcher.index()).collect();
    let graphs = graphs_of(repositories, &indexes);
    let names = match names {
        Some(names) => names.iter().map(|name| (*name).to_owned()).collect(),
        None => self::names(repositories),
    };
    for item in results.take(MAX_FOLLOWED) {
        let relations = relations(&graphs, &names, item)?;
        if !relations.is_empty() {
            let known = item.relation.take().into_iter();
            item.relation = Some(known.chain([relations]).collect::<Vec<_>>().join("; "));
        }
    }
    Ok(())
}

/// The names of repositories in a line: the last part of their place, if that is unique.
fn names(repositories: &[&Searcher]) -> Vec<String> {
    let places: Vec<String> = repositories.iter().map(|one| repository_info(one.repo()).path).collect();
    let last = |place: &String| {
        let last = place.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(place);
        last.trim_end_matches(".git").to_owned()
    };
    let short: Vec<String> = places.iter().map(last).collect();
    let is_same = |name: &String| short.iter().filter(|other| *other == name).count() > 1;
    let named = short.iter().zip(places);
    named.map(|(name, place)| if is_same(name) { place } else { name.clone() }).collect()
}

/// One line: `called by Shop.open, make in shop; calls dumps in json`.
fn relations(graphs: &Graphs<'_, '_>, names: &[String], item: &ResultItem) -> Result<String> {
    let home = item.repository;
    let Some(graph) = graphs.graph(home) else { return Ok(String::new()) };
    let Some(file) = graph.index().file_by_path(item.path.as_bstr()) else { return Ok(String::new()) };
    let mut found: BTreeMap<(bool, usize, &'static str), Vec<String>> = BTreeMap::new();
    let mut tell = |is_used: bool, other: usize, verb: &'static str, name: String| {
        let named = found.entry((!is_used, other, verb)).or_default();
        if !name.is_empty() && !named.contains(&name) {
            named.push(name);
        }
    };
    // The declaration that names the result.
    let line = item.named.and_then(|at| item.declarations.get(at)).map(|one| one.name_line);
    let meant = file.declarations().filter(|one| {
        let begins = one.row.span.bytes.start;
        let is_in = item.span.bytes.contains(begins);
        is_in && line.map_or_else(|| one.symbol_path() == item.symbol, |line| one.row.name_line == line)
    });
    let kinds = [ReferenceKind::Call, ReferenceKind::Type, ReferenceKind::Inherits, ReferenceKind::Use];
    if let Some(one) = meant.take(1).next() {
        let to = DeclarationRef { part: one.file.part, ord: one.ord };
        for other in (0..graphs.len()).filter(|&other| other != home) {
            let Some(abroad) = graphs.graph(other) else { continue };
            for edge in graphs.incoming_from(other, home, to, &kinds)? {
                if let Some(place) =
                    chunk_place(other, abroad, edge.from).filter(|_| edge.evidence.is_certain())
                {
                    let name = if place.symbol.is_empty() { place.path } else { place.symbol };
                    tell(true, other, backward(edge.kind), name);
                }
            }
        }
    }
    for ord in file.segment.chunks_of(file.ord) {
        let is_shown = file.segment.chunk(ord).is_some_and(|row| row.span == item.span);
        if !is_shown {
            continue;
        }
        for (other, edge) in graphs.outgoing(home, ChunkRef { part: file.part, ord })? {
            if other != home
                && kinds.contains(&edge.kind)
                && edge.evidence.is_certain()
                && let Some((of, _)) = graphs.graph(other).and_then(|graph| graph.declaration(edge.to))
            {
                tell(false, other, forward(edge.kind), of.segment.symbol_path(edge.to.ord));
            }
        }
    }
    let parts = found.into_iter().map(|((_, other, verb), all)| {
        let named = all.iter().take(MAX_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = match all.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let name = names.get(other).map(String::as_str).unwrap_or_default();
        format!("{verb} {named}{more} in {name}")
    });
    Ok(parts.collect::<Vec<_>>().join("; "))
}
