//! Budgets: results and a limit → how much of each result is shown.
//!
//! By rank, each result gets the most detail with which the whole output still fits:
//!
//! - the whole chunk,
//! - doc comment, signature and the lines with query words,
//! - doc comment and signature,
//! - its place,
//! - nothing.
//!
//! A note at the end, inside the limit, names what was cut.
//!
//! Only complete outputs that were measured are returned. If not even the note fits, the output is
//! empty. Measuring complete outputs costs a few dozen renderings. Adding up parts would be
//! cheaper, but wrong: views merge chunks, and tokens join where parts meet.

use super::reduce::{Detail, place};
use super::{Budget, Results, counted};
use crate::base::text::clean;
use crate::base::text::tokens::tokens_up_to;
use bstr::ByteSlice;

/// Consecutive results whose places do not fit, after which all others are dropped.
const GIVE_UP: usize = 8;

/// Approximate number of characters per token.
const CHARACTERS_PER_TOKEN: usize = 4;

/// Budget tokens per candidate result, see [`Budget::results`].
const TOKENS_PER_RESULT: usize = 27;

/// Minimum and maximum of [`Budget::results`].
const RESULTS: (usize, usize) = (200, 1000);

/// Largest limit that [`Budget::needed`] tries: more than the longest answers have.
const MOST_NEEDED: usize = 1 << 24;

/// Maximum number of files and places that the note about a cut names.
const NAMED: usize = 5;

/// How the line about what a budget left out begins.
pub const OMISSION: &str = "to fit the ";

/// The part of the results that a budget left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Omission {
    /// Number of results that are not shown.
    pub(super) n_dropped: usize,
    /// Number of results that are shown in part.
    pub(super) n_reduced: usize,
    /// Places of the first results that are not shown, best first, cleaned.
    pub(super) places: Vec<String>,
    /// Paths of those places, each once, cleaned.
    pub(super) paths: Vec<String>,
    /// The limit that was hit: `budget of 4000 tokens`.
    pub(super) reason: String,
}

impl Omission {
    /// Returns one line for people and models: `to fit the budget of 400 tokens: 3 results left
    /// out (a.rs:1-9, …), 2 shortened`.
    pub(super) fn line(&self) -> String {
        let mut parts = Vec::new();
        if self.n_dropped > 0 {
            let more =
                if self.n_dropped > self.places.len() && !self.places.is_empty() { ", …" } else { "" };
            let named = if self.places.is_empty() {
                String::new()
            } else {
                format!(" ({}{more})", self.places.join(", "))
            };
            parts.push(format!("{} left out{named}", counted(self.n_dropped, "result", "results")));
        }
        if self.n_reduced > 0 {
            parts.push(format!("{} shortened", self.n_reduced));
        }
        format!("{OMISSION}{}: {}", self.reason, parts.join(", "))
    }
}

impl Budget {
    /// Returns whether a text is within the budget.
    pub fn holds(&self, text: &str) -> bool {
        // Every character and every token has at least one byte, so short texts need no counting.
        self.characters.is_none_or(|most| text.len() <= most || text.chars().count() <= most)
            && self.tokens.is_none_or(|most| text.len() <= most || tokens_up_to(text, most) <= most)
    }

    /// Returns the largest number from `least` to `all` for which the output of `draw` is within
    /// the budget.
    ///
    /// `least` is assumed to fit. The number is found by bisection, because the output usually
    /// grows with it. `all` is tried first: the one exception is the note about the rest, which the
    /// complete output lacks.
    pub fn most(&self, least: usize, all: usize, draw: impl Fn(usize) -> String) -> usize {
        if self.holds(&draw(all)) {
            return all;
        }
        let (mut fits, mut exceeds) = (least, all);
        while exceeds - fits > 1 {
            let middle = fits + (exceeds - fits) / 2;
            if self.holds(&draw(middle)) { fits = middle } else { exceeds = middle }
        }
        fits
    }

    /// Returns the smallest limits with which `draw` writes anything, each without the other one;
    /// `None` if it never does.
    pub fn needed(&self, draw: impl Fn(&Self) -> String) -> Option<Self> {
        let least = |given: Option<usize>, of: &dyn Fn(usize) -> Self| -> Option<Option<usize>> {
            let Some(given) = given else { return Some(None) };
            let is_enough = |limit: usize| !draw(&of(limit)).is_empty();
            let (mut too_few, mut enough) = (0, given.max(1));
            while !is_enough(enough) {
                (too_few, enough) = (enough, enough.checked_mul(2).filter(|limit| *limit <= MOST_NEEDED)?);
            }
            while enough - too_few > 1 {
                let middle = too_few + (enough - too_few) / 2;
                if is_enough(middle) { enough = middle } else { too_few = middle }
            }
            Some(Some(enough))
        };
        Some(Self {
            characters: least(self.characters, &|limit| Self { characters: Some(limit), tokens: None })?,
            tokens: least(self.tokens, &|limit| Self { characters: None, tokens: Some(limit) })?,
        })
    }

    /// Returns the approximate limit in tokens, at four characters a token; `None` without a limit.
    pub(super) fn about_tokens(&self) -> Option<usize> {
        [self.characters.map(|n| n / CHARACTERS_PER_TOKEN), self.tokens].into_iter().flatten().min()
    }

    /// Returns the number of results that the view for language models should choose from: about
    /// 200, and more for larger budgets.
    ///
    /// A large budget holds more than 200 results. See `doc/experiments/answer.md`.
    pub fn results(&self) -> usize {
        (self.about_tokens().unwrap_or(0) / TOKENS_PER_RESULT).clamp(RESULTS.0, RESULTS.1)
    }

    /// Returns whether the budget has no limit.
    pub fn is_unlimited(&self) -> bool {
        self.characters.is_none() && self.tokens.is_none()
    }

    fn reason(&self) -> String {
        let limits: Vec<String> = [(self.characters, "characters"), (self.tokens, "tokens (cl100k)")]
            .into_iter()
            .filter_map(|(most, unit)| most.map(|most| format!("{most} {unit}")))
            .collect();
        format!("budget of {}", limits.join(" and "))
    }
}

/// Draws as much as the budget allows.
///
/// `levels` lists the details that the view supports, most first. `draw` gets one detail per
/// result, and the cut.
pub(super) fn fit(
    results: &Results,
    budget: &Budget,
    levels: &[Detail],
    draw: &dyn Fn(&[Detail], Option<&Omission>) -> String,
) -> String {
    let n = results.results.len();
    let most = levels.first().copied().unwrap_or(Detail::Full);
    let mut details = vec![most; n];
    let all = draw(&details, None);
    if budget.is_unlimited() || budget.holds(&all) {
        return all;
    }
    details.fill(Detail::Dropped);
    let mut most_named = NAMED;
    let try_draw = |details: &[Detail], most_named: usize| {
        let text = draw(details, cut(results, budget, details, most, most_named).as_ref());
        budget.holds(&text).then_some(text)
    };
    let mut best = try_draw(&details, most_named);
    if best.is_none() {
        // The places alone may exceed the budget.
        most_named = 0;
        best = try_draw(&details, most_named);
    }
    let mut n_misses = 0;
    for at in 0..n {
        let mut fits = false;
        for &level in levels {
            if let Some(detail) = details.get_mut(at) {
                *detail = level;
            }
            if let Some(text) = try_draw(&details, most_named) {
                best = Some(text);
                fits = true;
                break;
            }
        }
        if !fits {
            if let Some(detail) = details.get_mut(at) {
                *detail = Detail::Dropped;
            }
            n_misses += 1;
        } else {
            n_misses = 0;
        }
        if n_misses >= GIVE_UP {
            break;
        }
    }
    // A view without a result says nothing.
    let is_empty = n > 0 && details.iter().all(|one| *one == Detail::Dropped);
    best.filter(|_| !is_empty).unwrap_or_default()
}

/// Draws like [`fit`], but first gives every result the least detail of `levels`.
///
/// The places of the last results are then not dropped to make room for the code of the first. If
/// not even the least detail of all results fits, this falls back to [`fit`].
pub(super) fn fit_wide(
    results: &Results,
    budget: &Budget,
    levels: &[Detail],
    draw: &dyn Fn(&[Detail], Option<&Omission>) -> String,
) -> String {
    let (Some(&most), Some(&least)) = (levels.first(), levels.last()) else {
        return fit(results, budget, levels, draw);
    };
    let n = results.results.len();
    let all = draw(&vec![most; n], None);
    if budget.holds(&all) {
        return all;
    }
    let mut details = vec![least; n];
    let try_draw = |details: &[Detail]| {
        let text = draw(details, cut(results, budget, details, most, NAMED).as_ref());
        budget.holds(&text).then_some(text)
    };
    let Some(mut best) = try_draw(&details) else {
        return fit(results, budget, levels, draw);
    };
    let mut n_misses = 0;
    for at in 0..n {
        let mut fits = false;
        for &level in levels.iter().filter(|&&level| level != least) {
            let before = details.get(at).copied().unwrap_or(least);
            details.iter_mut().skip(at).take(1).for_each(|detail| *detail = level);
            if let Some(text) = try_draw(&details) {
                best = text;
                fits = true;
                break;
            }
            details.iter_mut().skip(at).take(1).for_each(|detail| *detail = before);
        }
        n_misses = if fits { 0 } else { n_misses + 1 };
        if n_misses >= GIVE_UP {
            break;
        }
    }
    best
}

/// Returns what these details leave out compared to `most` for all; `None` if nothing is left out.
pub(super) fn cut(
    results: &Results,
    budget: &Budget,
    details: &[Detail],
    most: Detail,
    most_named: usize,
) -> Option<Omission> {
    let dropped: Vec<_> = results
        .results
        .iter()
        .zip(details)
        .filter(|&(_, &detail)| detail == Detail::Dropped)
        .map(|(item, _)| item)
        .collect();
    let is_reduced = |detail: &&Detail| **detail != Detail::Dropped && **detail < most;
    let n_reduced = details.iter().filter(is_reduced).count();
    if dropped.is_empty() && n_reduced == 0 {
        return None;
    }
    let mut paths: Vec<String> = Vec::new();
    for item in &dropped {
        let path = clean::path(item.path.as_bstr());
        if paths.len() < most_named && !paths.contains(&path) {
            paths.push(path);
        }
    }
    Some(Omission {
        n_dropped: dropped.len(),
        n_reduced,
        places: dropped.iter().take(most_named).map(|item| place(item)).collect(),
        paths,
        reason: budget.reason(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_budgets_choose_from_more_results() {
        for (tokens, expected) in [
            (None, 200),
            (Some(0), 200),
            (Some(5426), 200),
            (Some(5427), 201),
            (Some(26_999), 999),
            (Some(90_000), 1000),
        ] {
            assert_eq!(Budget { tokens, characters: None }.results(), expected, "{tokens:?}");
        }
    }

    #[test]
    fn a_token_has_about_four_characters() {
        for (tokens, characters, expected) in [
            (None, None, None),
            (Some(9), None, Some(9)),
            (None, Some(39), Some(9)),
            (None, Some(40), Some(10)),
            (Some(9), Some(40), Some(9)),
            (Some(11), Some(40), Some(10)),
        ] {
            assert_eq!(Budget { tokens, characters }.about_tokens(), expected, "{tokens:?} {characters:?}");
        }
    }

    #[test]
    fn the_least_that_is_needed_is_found() {
        let draw = |budget: &Budget| {
            let text = "x".repeat(37);
            if budget.holds(&text) { text } else { String::new() }
        };
        for (characters, expected) in [(1, 37), (36, 37), (37, 37), (90, 37)] {
            let budget = Budget { tokens: None, characters: Some(characters) };
            let needed = Budget { tokens: None, characters: Some(expected) };
            assert_eq!(budget.needed(draw), Some(needed), "{characters}");
        }
        let both = Budget { tokens: Some(1), characters: Some(1) }.needed(draw).unwrap();
        assert_eq!((both.characters, both.tokens), (Some(37), Some(tokens_up_to(&"x".repeat(37), 99))));
        assert_eq!(Budget { tokens: Some(1), characters: None }.needed(|_| String::new()), None);
        assert_eq!(Budget::default().needed(draw), Some(Budget::default()));
    }

    #[test]
    fn the_most_that_fits_is_found() {
        let draw = |n: usize| "x".repeat(n);
        for (characters, expected) in [(9, 9), (10, 10), (99, 20), (20, 20), (19, 19), (3, 3)] {
            let budget = Budget { tokens: None, characters: Some(characters) };
            assert_eq!(budget.most(0, 20, draw), expected, "{characters}");
        }
        assert_eq!(Budget::default().most(0, 20, draw), 20);
    }
}
