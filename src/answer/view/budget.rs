//! Budget: results and a limit → how much of each result is shown.
//!
//! By rank, each result gets the most detail with which the whole output still fits: all of it; doc, signature and
//! the lines with the query's words; doc and signature; its place; nothing. What was cut is named at the end, inside the limit. **The output never passes the limit:**
//! only whole outputs that were measured are returned, and when not even the note about the cut fits, nothing.
//!
//! Measuring whole outputs rather than adding up parts costs some dozen renderings, and makes the limit independent
//! of how a view merges chunks, or of how tokens join where parts meet.

use super::reduce::{Detail, place};
use super::{Budget, Results, counted};
use crate::base::text::clean;
use crate::base::text::tokens::tokens_up_to;
use bstr::ByteSlice;

/// Results after which the rest is dropped when not even their places fit one after the other.
const GIVE_UP: usize = 8;

/// Characters that are about one token.
const CHARACTERS_PER_TOKEN: usize = 4;

/// Tokens of a budget for each result that a view chooses from, see [`Budget::results`].
const TOKENS_PER_RESULT: usize = 27;

/// The fewest and most of these.
const RESULTS: (usize, usize) = (200, 1000);

/// Files and places that the note about a cut names.
const NAMED: usize = 5;

/// What a budget left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut {
    /// Results that are not shown.
    pub(super) n_dropped: usize,
    /// Results of which less than all is shown.
    pub(super) n_reduced: usize,
    /// Places of the first results that are not shown, best first, cleaned.
    pub(super) places: Vec<String>,
    /// Their paths, each once, cleaned.
    pub(super) paths: Vec<String>,
    /// Which limit: `budget of 4000 tokens`.
    pub(super) reason: String,
}

impl Cut {
    /// One line for people and models: `cut: 3 results (a.rs:1-9, …), 2 shortened, by the budget of 400 tokens`.
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
            parts.push(format!("{}{named}", counted(self.n_dropped, "result", "results")));
        }
        if self.n_reduced > 0 {
            parts.push(format!("{} shortened", self.n_reduced));
        }
        format!("cut: {}, by the {}", parts.join(", "), self.reason)
    }
}

impl Budget {
    /// Whether a text is within it.
    pub fn holds(&self, text: &str) -> bool {
        // A character and a token are a byte at least: short texts need no counting.
        self.characters.is_none_or(|most| text.len() <= most || text.chars().count() <= most)
            && self.tokens.is_none_or(|most| text.len() <= most || tokens_up_to(text, most) <= most)
    }

    /// The largest number from `least`, which is taken to fit, to `all` with which what `draw` writes is within it. Found by
    /// halving: what is drawn grows with the number, but for what is said of the rest, so all of it is tried first.
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

    /// About how many tokens it allows, a token being four characters; `None` without a limit.
    pub(super) fn about_tokens(&self) -> Option<usize> {
        [self.characters.map(|n| n / CHARACTERS_PER_TOKEN), self.tokens].into_iter().flatten().min()
    }

    /// How many results the view for language models should have to choose from: some 200, and more for a budget that
    /// holds more. Of 380 issues in Python, 92.9 % have all of their files in 8,000 tokens and 97.9 % any of them, and 92.4
    /// and 97.4 % if it chooses from 200 results there (`cargo xtask eval --budget`).
    pub fn results(&self) -> usize {
        (self.about_tokens().unwrap_or(0) / TOKENS_PER_RESULT).clamp(RESULTS.0, RESULTS.1)
    }

    /// Whether it allows anything.
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

/// Draws as much as the budget allows. `levels` are the details that the view knows, most first; `draw` gets one
/// detail for each result and what was cut.
pub(super) fn fit(
    results: &Results,
    budget: &Budget,
    levels: &[Detail],
    draw: &dyn Fn(&[Detail], Option<&Cut>) -> String,
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
        // The paths may be longer than the budget.
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
    best.unwrap_or_default()
}

/// As [`fit`], but each result first gets the least detail of `levels`, so that the places of the last are not given up
/// for the code of the first; where not even those fit, as [`fit`].
pub(super) fn fit_wide(
    results: &Results,
    budget: &Budget,
    levels: &[Detail],
    draw: &dyn Fn(&[Detail], Option<&Cut>) -> String,
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

/// What these details leave out of `most`; `None`: nothing.
pub(super) fn cut(
    results: &Results,
    budget: &Budget,
    details: &[Detail],
    most: Detail,
    most_named: usize,
) -> Option<Cut> {
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
    Some(Cut {
        n_dropped: dropped.len(),
        n_reduced,
        places: dropped.iter().take(most_named).map(|item| place(item)).collect(),
        paths,
        reason: budget.reason(),
    })
}
