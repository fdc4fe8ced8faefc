//! The brief view: results → text for a coding agent, within few tokens.
//!
//! Every result shows its place, so that the agent can open it. As far as the budget allows, the
//! best results show more. No result is dropped to make room for the code of a better one. Lines
//! are numbered but otherwise unchanged, tabs included, so that the agent can copy them into an
//! edit.

use super::budget::{Omission, cut, fit_wide};
use super::lines::Lines;
use super::passage::passage;
use super::reduce::{self, Detail, Row};
use super::terms::Terms;
use super::text::{TextStyle, footer, header};
use super::{Budget, ResultItem, Results};
use std::fmt::Write;

/// The maximum that the brief view shows of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BriefLimit {
    /// Place, symbol and kind.
    Location,
    /// Also doc comment and signature.
    Signature,
    /// The whole chunk.
    #[default]
    Full,
}

/// Writes the results, best first, below the text `above`, all within the budget. The last line
/// states what was searched and what was cut.
///
/// If not even the place of one result fits, the text has the first one and exceeds the budget: it
/// is the shortest one that says anything.
pub fn brief(above: &str, results: &Results, most: BriefLimit, budget: &Budget) -> String {
    let terms = Terms::of(results);
    let levels: &[Detail] = match most {
        BriefLimit::Location => &[Detail::Location],
        BriefLimit::Signature => &[Detail::Signature, Detail::Location],
        BriefLimit::Full => &[
            Detail::Full,
            Detail::Lines(150),
            Detail::Lines(90),
            Detail::Lines(54),
            Detail::Lines(32),
            Detail::Lines(19),
            Detail::Matches,
            Detail::Signature,
            Detail::Location,
        ],
    };
    let style = TextStyle::default();
    let drawn: Vec<Vec<(Detail, String)>> = results
        .results
        .iter()
        .map(|item| {
            let header = header(item, &style);
            levels.iter().map(|&level| (level, format!("{header}{}", body(item, &terms, level)))).collect()
        })
        .collect();
    let draw = |details: &[Detail], cut: Option<&Omission>| {
        let mut out = above.to_owned();
        for (drawn, wanted) in drawn.iter().zip(details) {
            if let Some((_, text)) = drawn.iter().find(|(detail, _)| detail == wanted) {
                out.push_str(text);
            }
        }
        out.push_str(&footer(results, &style, cut));
        out
    };
    let text = fit_wide(results, budget, levels, &draw);
    let is_shown = |drawn: &Vec<(Detail, String)>| {
        let place = drawn.last().map(|(_, place)| place.as_str()).unwrap_or_default();
        text.get(above.len()..).is_some_and(|below| below.contains(place))
    };
    if !text.is_empty() && (drawn.is_empty() || drawn.iter().any(is_shown)) {
        return text;
    }
    let mut details = vec![Detail::Dropped; drawn.len()];
    details.iter_mut().take(1).for_each(|first| *first = Detail::Location);
    let most = levels.first().copied().unwrap_or(Detail::Location);
    draw(&details, cut(results, budget, &details, most, 0).as_ref())
}

fn body(item: &ResultItem, terms: &Terms, detail: Detail) -> String {
    let Some(text) = item.text.as_deref().filter(|_| detail != Detail::Location) else {
        return String::new();
    };
    let lines = Lines::new(text);
    let all = lines.of_span(&item.span);
    let gutter = all.end().to_string().len();
    let mut out = String::new();
    // In a group of declarations, show the signature of the one that the header names.
    let named = item.named.and_then(|at| item.declarations.get(at)).filter(|_| detail == Detail::Signature);
    let shown = match named {
        Some(named) => {
            let alone = ResultItem { declarations: vec![named.clone()], ..item.clone() };
            reduce::shown(&alone, &lines, terms, detail)
        }
        None => reduce::shown(item, &lines, terms, detail),
    };
    for row in reduce::rows(all, &shown) {
        match row {
            Row::Line(at) => {
                let _ = writeln!(out, "{at:>gutter$}  {}", passage(item, &lines, at));
            }
            Row::Elided(_) if detail == Detail::Signature => {}
            Row::Elided(_) => out.push_str("⋮\n"),
        }
    }
    for also in item.also_line().into_iter().chain(item.copies_line()) {
        let _ = writeln!(out, "{:>gutter$}  {also}", "");
    }
    out
}
