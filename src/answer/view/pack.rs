//! Packing: results and a budget → how much of each result the view for language models shows.
//!
//! A small budget is spent on breadth first: a signature on one line costs a tenth of its body, and a reader who sees
//! that a place exists can ask for it, while one who does not never will. So most results get their signature, and
//! the best ones are shown in full in between, the more of them the larger the budget. Measured by
//! `cargo xtask eval --budget`, which asks whether the file and the function that an issue is about are there.
//!
//! Only whole texts that were measured are given back, so that the limit holds however tags and tokens join. What
//! fits is found by trying ever more steps at once, and fewer after a miss: some dozen drawings.

use super::budget::{Cut, cut};
use super::reduce::Detail;
use super::{Budget, ResultItem, Results};
use std::collections::HashMap;

/// What a further result of a file counts, of what the one before it does: the second of a good file says less than
/// the first of another.
const FURTHER: f64 = 0.95;

/// Signatures before the best result is shown in full, and between one such and the next.
const LEAD: usize = 24;
/// See [`LEAD`].
const BETWEEN: usize = 16;

/// Steps that did not fit, after which no more are tried.
const MISSES: usize = 24;

/// Characters or tokens of the limit for each place that the note about the cut names, and most of them.
const PER_NAME: usize = 800;
/// See [`PER_NAME`].
const NAMED: usize = 5;

/// Draws as much as the budget allows; `draw` gets one detail for each result, and what was cut.
pub(super) fn pack(
    results: &Results,
    budget: &Budget,
    draw: &dyn Fn(&[Detail], Option<&Cut>) -> String,
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
    let steps = steps(results);
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
            // Less of the same one may fit.
            let Some(&(result, Detail::Full)) = steps.get(until - 1) else { continue };
            for detail in [Detail::Matches, Detail::Signature] {
                let mut next = details.clone();
                raise(&mut next, result, detail);
                if let Some(text) = try_draw(&next) {
                    (details, best) = (next, Some(text));
                    break;
                }
            }
        }
    }
    best.unwrap_or_default()
}

fn raise(details: &mut [Detail], result: usize, detail: Detail) {
    if let Some(known) = details.get_mut(result) {
        *known = detail.max(*known);
    }
}

/// What is shown, in the order in which it is worth it.
fn steps(results: &Results) -> Vec<(usize, Detail)> {
    let mut n_of_file: HashMap<(usize, &[u8]), i32> = HashMap::new();
    let mut order: Vec<(f64, usize, &ResultItem)> = Vec::new();
    for (at, item) in results.results.iter().enumerate() {
        let n = n_of_file.entry((item.repository, item.path.as_slice())).or_default();
        order.push((item.score * FURTHER.powi(*n), at, item));
        *n += 1;
    }
    // Equals stay in their order.
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (included, found): (Vec<_>, Vec<_>) =
        order.into_iter().partition(|(.., item)| item.included.is_some());
    let (with_lines, others): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(.., item)| !item.lines.is_empty());
    let of = |list: &[(f64, usize, &ResultItem)]| list.iter().map(|&(_, at, _)| at).collect::<Vec<_>>();
    let (included, with_lines, others) = (of(&included), of(&with_lines), of(&others));
    let at_detail = |detail: Detail| move |&at: &usize| (at, detail);
    let mut steps: Vec<(usize, Detail)> = included.iter().map(at_detail(Detail::Full)).collect();
    // Lines that the query names before what is only likely; of a trace, all around them.
    let found = if results.is_lines {
        steps.extend(with_lines.iter().map(at_detail(Detail::Location)));
        steps.extend(with_lines.iter().map(at_detail(Detail::Full)));
        others
    } else {
        [with_lines, others].concat()
    };
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
