//! Several repositories: one answer of each → one answer.

use std::cmp::Reverse;

use crate::view::{Results, Searched};

/// Merges the answers to one query by score; the first is that of the first repository. At most `limit` results.
///
/// A score is relative to the best chunk by words of its own repository, so each answer's scores count by what that
/// chunk has of the words. Nothing is resolved across repositories.
pub fn merge(answers: Vec<Results>, limit: usize) -> Results {
    let most = answers.iter().map(|answer| answer.strength).fold(0.0, f64::max);
    let mut answers = answers.into_iter();
    let Some(mut merged) = answers.next() else { return Results::default() };
    let scale = |strength: f64| if most > 0.0 { strength / most } else { 1.0 };
    let own = scale(merged.strength);
    merged.results.iter_mut().for_each(|item| item.score *= own);
    for (answer, repository) in answers.zip(1..) {
        let own = scale(answer.strength);
        merged.others.push(Searched {
            repository: answer.repository,
            revision: answer.revision,
            commit: answer.commit,
            worktree: answer.worktree,
            n_dirty: answer.n_dirty,
        });
        merged.n_more += answer.n_more;
        merged.warnings.extend(answer.warnings);
        // A word is misspelled only if no repository has it.
        merged.near.retain(|near| answer.near.contains(near));
        for mut item in answer.results {
            item.repository = repository;
            item.score *= own;
            merged.results.push(item);
        }
    }
    merged.strength = most;
    if !merged.others.is_empty() {
        for item in &mut merged.results {
            let other = item.repository.checked_sub(1).and_then(|at| merged.others.get(at));
            item.checkout = other.map_or(&merged.repository.path, |other| &other.repository.path).clone();
        }
    }
    merged.results.sort_by(|a, b| {
        let key = |item: &crate::view::ResultItem| Reverse(item.included.is_some());
        key(a).cmp(&key(b)).then(b.score.total_cmp(&a.score)).then(a.repository.cmp(&b.repository))
    });
    merged.n_more += merged.results.len().saturating_sub(limit);
    merged.results.truncate(limit);
    for (item, rank) in merged.results.iter_mut().zip(1..) {
        item.rank = rank;
    }
    merged
}
