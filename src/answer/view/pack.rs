//! Packing: results and a budget → how much of each result the view for language models shows.
//!
//! The best results of the first files are shown in full, and the next ones by their best lines:
//! the line that answers is mostly among them. The rest of the budget is spent on breadth first. A
//! one-line signature costs a tenth of its body, and a reader who sees that a place exists can ask
//! for it. So most results show their signature, and some of the best are shown in full in between.
//! A larger budget shows more of them in full. `cargo xtask eval --budget` measures this: it checks
//! whether the file, the function and the code that an issue is about are shown. See
//! `doc/experiments/answer.md`.
//!
//! Below [`SMALL`] tokens a list of signatures would leave no room for code, so the best lines of
//! the best results come first there, and places take the place of signatures.
//!
//! Only complete texts that were measured are returned, so the limit holds however tags and tokens
//! join. The number of steps that fit is found by trying ever more of them in one go, and fewer
//! after a miss. That takes some dozen renderings.

use super::budget::{Omission, cut};
use super::reduce::Detail;
use super::{Budget, ResultItem, Results};
use std::collections::{HashMap, HashSet};

/// Factor by which each further result of the same file counts less. The second result of a good
/// file adds less than the first of another file.
const FURTHER: f64 = 0.95;

/// What comes before any signature.
struct BestResults {
    /// Number of files whose best result is shown in full.
    n_full: usize,
    /// Number of results that show their best lines.
    n_in_lines: usize,
    /// Maximum number of these lines.
    lines: u16,
}

/// In budgets from [`ROOM_FOR_TWO`] tokens on.
const BEST: BestResults = BestResults { n_full: 2, n_in_lines: 6, lines: 24 };
/// In smaller budgets that are not [small](SMALL).
const BEST_IN_LESS: BestResults = BestResults { n_full: 1, n_in_lines: 8, lines: 12 };
/// Budget in tokens from which the results of two files leave room for others.
const ROOM_FOR_TWO: usize = 4000;
/// Number of signatures before the next result is shown in full.
const LEAD: usize = 24;
/// Number of signatures between two results that are shown in full.
const BETWEEN: usize = 16;

/// Budgets with fewer tokens than this are small.
const SMALL: usize = 2000;
/// The lines shown of a result, and fewer of them if that is too much; the first only if there is
/// [room for two](ROOM_FOR_TWO) files.
pub(super) const LINES: [Detail; 4] =
    [Detail::Lines(24), Detail::Lines(12), Detail::Lines(6), Detail::Lines(3)];
/// In a small budget: the number of results that show lines before any place, and the number of
/// places before the best result is shown in full.
const SMALL_LEAD: usize = 3;
const SMALL_PLACES: usize = 8;

/// Returns whether a budget is small.
pub(super) fn is_small(budget: &Budget) -> bool {
    budget.about_tokens().is_some_and(|limit| limit < SMALL)
}

/// Returns whether there is room for whole results of two files, and for more of the others' lines.
fn has_room(budget: &Budget) -> bool {
    budget.about_tokens().is_none_or(|limit| limit >= ROOM_FOR_TWO)
}

/// Number of steps that do not fit, after which no more are tried.
const MISSES: usize = 24;

/// Limit tokens per place that the note about the cut names.
const PER_NAME: usize = 800;
/// Maximum number of places that the note about the cut names.
const NAMED: usize = 5;

/// Draws as much as the budget allows. `draw` gets one detail per result, and the cut.
pub(super) fn pack(
    results: &Results,
    budget: &Budget,
    draw: &dyn Fn(&[Detail], Option<&Omission>) -> String,
) -> String {
    let n = results.results.len();
    let all = draw(&vec![Detail::Full; n], None);
    if budget.holds(&all) {
        return all;
    }
    let most_named = budget.about_tokens().map_or(NAMED, |limit| (limit / PER_NAME).min(NAMED));
    let try_draw = |details: &[Detail]| {
        let text = draw(details, cut(results, budget, details, Detail::Full, most_named).as_ref());
        budget.holds(&text).then_some(text)
    };
    let mut details = vec![Detail::Dropped; n];
    let mut best = try_draw(&details);
    if best.is_none() {
        return String::new();
    }
    let steps = steps(results, budget);
    let (mut at, mut stride, mut n_misses) = (0, 1, 0);
    while at < steps.len() && n_misses < MISSES {
        let until = (at + stride).min(steps.len());
        let mut next = details.clone();
        for &(result, detail) in steps.get(at..until).unwrap_or_default() {
            raise(&mut next, result, detail);
        }
        if next == details {
            at = until;
        } else if let Some(text) = try_draw(&next) {
            (details, best, at) = (next, Some(text), until);
            stride *= 2;
        } else if until - at > 1 {
            stride = (until - at) / 2;
        } else {
            n_misses += 1;
            at = until;
            // A smaller part of the same result may fit.
            let Some(&(result, tried @ (Detail::Full | Detail::Lines(_)))) = steps.get(until - 1) else {
                continue;
            };
            let fewer = LINES.into_iter().skip(usize::from(!has_room(budget)));
            // Of a better result, the place comes before the lines of the others.
            for detail in fewer.filter(|one| *one < tried).chain([Detail::Location]) {
                let mut next = details.clone();
                raise(&mut next, result, detail);
                if let Some(text) = try_draw(&next) {
                    (details, best) = (next, Some(text));
                    break;
                }
            }
        }
    }
    // A view without a result says nothing.
    let is_empty = n > 0 && details.iter().all(|one| *one == Detail::Dropped);
    best.filter(|_| !is_empty).unwrap_or_default()
}

fn raise(details: &mut [Detail], result: usize, detail: Detail) {
    if let Some(known) = details.get_mut(result) {
        *known = detail.max(*known);
    }
}

/// Returns the details to show, in order of decreasing value.
fn steps(results: &Results, budget: &Budget) -> Vec<(usize, Detail)> {
    let mut n_of_file: HashMap<(usize, &[u8]), i32> = HashMap::new();
    let mut order: Vec<(f64, usize, &ResultItem)> = Vec::new();
    for (at, item) in results.results.iter().enumerate() {
        let n = n_of_file.entry((item.repository, item.path.as_slice())).or_default();
        order.push((item.score * FURTHER.powi(*n), at, item));
        *n += 1;
    }
    // The sort is stable: equal scores keep their order.
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (included, found): (Vec<_>, Vec<_>) =
        order.into_iter().partition(|(.., item)| item.included.is_some());
    let (with_lines, others): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(.., item)| !item.lines.is_empty());
    let of = |list: &[(f64, usize, &ResultItem)]| list.iter().map(|&(_, at, _)| at).collect::<Vec<_>>();
    let (included, with_lines, others) = (of(&included), of(&with_lines), of(&others));
    let at_detail = |detail: Detail| move |&at: &usize| (at, detail);
    let mut steps: Vec<(usize, Detail)> = included.iter().map(at_detail(Detail::Full)).collect();
    // Lines that the query names come before results that are merely likely. For a stack trace, all
    // of them come first in full.
    let found = if results.is_lines {
        // In the order of the results: inner frames come first.
        let mut with_lines = with_lines;
        with_lines.sort_unstable();
        steps.extend(with_lines.iter().map(at_detail(Detail::Location)));
        steps.extend(with_lines.iter().map(at_detail(Detail::Full)));
        others
    } else {
        [with_lines, others].concat()
    };
    if is_small(budget) {
        let (lead, rest) = found.split_at(SMALL_LEAD.min(found.len()));
        let (places, rest) = rest.split_at(SMALL_PLACES.min(rest.len()));
        steps.extend(lead.iter().map(at_detail(Detail::Lines(12))));
        steps.extend(places.iter().map(at_detail(Detail::Location)));
        steps.extend(lead.iter().take(1).map(at_detail(Detail::Full)));
        steps.extend(places.iter().map(at_detail(Detail::Lines(12))));
        steps.extend(rest.iter().map(at_detail(Detail::Location)));
        steps.extend(found.iter().map(at_detail(Detail::Full)));
        return steps;
    }
    let best = if has_room(budget) { BEST } else { BEST_IN_LESS };
    // The frames are shown in full already.
    let (n_full, n_in_lines) = if results.is_lines { (0, 0) } else { (best.n_full, best.n_in_lines) };
    let mut seen = HashSet::new();
    let file = |at: usize| results.results.get(at).map(|item| (item.repository, item.path.as_slice()));
    let first = found.iter().filter(|at| seen.insert(file(**at))).take(n_full);
    steps.extend(first.map(at_detail(Detail::Full)));
    steps.extend(found.iter().take(n_in_lines).map(at_detail(Detail::Lines(best.lines))));
    let mut full = found.iter();
    for (n, &at) in found.iter().enumerate() {
        if n >= LEAD && (n - LEAD).is_multiple_of(BETWEEN) {
            steps.extend(full.next().map(at_detail(Detail::Full)));
        }
        steps.push((at, Detail::Location));
    }
    steps.extend(full.map(at_detail(Detail::Full)));
    steps
}
