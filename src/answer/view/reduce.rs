//! Reduction: a result and how much of it may be shown → which of its lines are.
//!
//! A declaration is reduced to what a reader needs to use it: doc comment and signature. Where the body went is
//! said by the view, in a line of its own. Works on whole lines: a signature and a body that share one stay together.

use super::lines::Lines;
use super::terms::Terms;
use super::{DeclarationItem, Included, ResultItem};
use crate::index::chunk::Language;
use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

/// How much of a result is shown, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// Nothing.
    Dropped,
    /// Where it lies; for language models with its signature on one line.
    Location,
    /// Doc comments and signatures.
    Signature,
    /// These, and the lines with the query's words.
    Matches,
    /// All of it.
    Full,
}

/// One row of a reduced text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Row {
    /// The line with that number.
    Line(usize),
    /// A place where these lines are left out.
    Elided(RangeInclusive<usize>),
}

/// Lines of one doc comment that a signature brings along: the first ones sum it up.
const DOC_LINES: usize = 6;

/// Lines of one signature.
const SIGNATURE_LINES: usize = 8;

/// Bytes of a last line that is only punctuation and worth keeping (`});`): the brackets close.
const CLOSING: usize = 3;

/// Signatures that stand for a group of declarations.
const BRIEF: usize = 3;

/// Lines in which the end of a licence is looked for: the GPL's notice has some twenty, BSD's thirty.
const LICENCE_LINES: usize = 60;

/// Lines with the query's words, with those beside them, that are kept of a result at [`Detail::Matches`].
const MATCH_LINES: usize = 16;

/// Lines that are shown above and below one that the query names.
const BESIDE: usize = 3;

/// Lines that the query names of one result, and those beside them, at most.
const NAMED_LINES: usize = 40;

/// The lines of `item` that the query names, with `beside` above and below each; no blank ones.
pub(super) fn named_lines(
    item: &ResultItem,
    lines: &Lines<'_>,
    beside: usize,
) -> impl Iterator<Item = usize> {
    let all = lines.of_span(&item.span);
    let near = move |&line: &u32| (line as usize).saturating_sub(beside)..=line as usize + beside;
    let near = item.lines.iter().flat_map(near).take(NAMED_LINES);
    near.filter(move |at| all.contains(at) && !lines.is_blank(*at))
}

/// The lines of `item` that are shown at `detail`; none below [`Detail::Signature`].
pub(super) fn shown(item: &ResultItem, lines: &Lines<'_>, terms: &Terms, detail: Detail) -> BTreeSet<usize> {
    let all = lines.of_span(&item.span);
    let is_limited = item.included == Some(Included::Signature);
    match if is_limited { detail.min(Detail::Signature) } else { detail } {
        Detail::Dropped | Detail::Location => BTreeSet::new(),
        Detail::Full => {
            let licence = licence(lines, &item.language);
            lines
                .of_item(item)
                .filter(|at| !licence.as_ref().is_some_and(|licence| licence.contains(at)))
                .collect()
        }
        Detail::Matches => {
            let mut kept = shown(item, lines, terms, Detail::Signature);
            let most = kept.len() + MATCH_LINES;
            add_matches(lines, all, terms, most, &mut kept);
            kept.extend(lines.around(item));
            kept
        }
        Detail::Signature => {
            let mut kept = BTreeSet::new();
            for declaration in &item.declarations {
                let doc = lines.of_bytes(&declaration.doc).into_iter().flat_map(|at| at.take(DOC_LINES));
                let signature = lines.of_bytes(&declaration.signature);
                // Doc comments of declarations whose signature lies elsewhere belong there.
                let Some(signature) = signature.filter(|at| all.contains(at.start())) else { continue };
                kept.extend(doc.chain(signature.take(SIGNATURE_LINES)).filter(|at| all.contains(at)));
                let end = declaration.span.end_line as usize;
                if !declaration.body.is_empty() && all.contains(&end) && is_closing(lines.get(end)) {
                    kept.insert(end);
                }
            }
            if kept.is_empty() && item.lines.is_empty() {
                kept.extend(all.filter(|&at| !lines.is_blank(at)).take(2));
            }
            kept.extend(named_lines(item, lines, BESIDE));
            kept
        }
    }
}

/// Adds lines of `all` with words of the query to `chosen`, until these are `most` or nothing is left to add; gives
/// the first that was added.
///
/// One after the other, the line that says most is taken, with the line above it and the one below. A word says the
/// less, the more lines of the chunk have it, and half as much each time that a chosen line has it already: so the
/// lines for different words come before many for the same.
pub(super) fn add_matches(
    lines: &Lines<'_>,
    all: RangeInclusive<usize>,
    terms: &Terms,
    most: usize,
    chosen: &mut BTreeSet<usize>,
) -> Option<usize> {
    let words_of = |at: usize| -> BTreeSet<usize> {
        terms.find(lines.get(at)).into_iter().map(|(_, which)| which).collect()
    };
    let mut open: Vec<(usize, BTreeSet<usize>)> = all.clone().map(|at| (at, words_of(at))).collect();
    open.retain(|(_, words)| !words.is_empty());
    let mut worth: HashMap<usize, f64> = HashMap::new();
    for (_, words) in &open {
        words.iter().for_each(|word| *worth.entry(*word).or_default() += 1.0);
    }
    worth.values_mut().for_each(|n_lines| *n_lines = 1.0 / n_lines.sqrt());
    let cover = |at: usize, worth: &mut HashMap<usize, f64>| {
        for word in words_of(at) {
            worth.entry(word).and_modify(|worth| *worth /= 2.0);
        }
    };
    chosen.range(all.clone()).for_each(|&at| cover(at, &mut worth));
    let mut best = None;
    while chosen.len() < most {
        open.retain(|(at, _)| !chosen.contains(at));
        let value =
            |words: &BTreeSet<usize>| -> f64 { words.iter().filter_map(|word| worth.get(word)).sum() };
        // The first of equals.
        let next = open.iter().rev().max_by(|a, b| value(&a.1).total_cmp(&value(&b.1)));
        let Some(&(at, _)) = next else { break };
        best = best.or(Some(at));
        for at in [at, at + 1, at - 1] {
            if chosen.len() < most && all.contains(&at) && !lines.is_blank(at) && chosen.insert(at) {
                cover(at, &mut worth);
            }
        }
    }
    best
}

/// The lines that stand for the item where there is no place for more: the first of its signature; of a group, those of
/// up to [`BRIEF`] declarations, those with most words of the query; where nothing is declared, the first line with
/// words of the query. They lie above the item where it is a part of a declaration. Lines that the query names are always
/// there.
pub(super) fn brief(item: &ResultItem, lines: &Lines<'_>, terms: &Terms) -> BTreeSet<usize> {
    let all = lines.of_span(&item.span);
    let first = |one: &DeclarationItem| lines.of_bytes(&one.signature).map(|at| *at.start());
    let begins = |one: &&DeclarationItem| first(one).is_some_and(|at| all.contains(&at));
    let mut inside: Vec<&DeclarationItem> = item.declarations.iter().filter(begins).collect();
    if inside.is_empty() {
        // A part of something that begins above: the innermost that goes around it.
        let around = |one: &&DeclarationItem| {
            !one.body.is_empty()
                && one.span.bytes.start <= item.span.bytes.start
                && one.span.bytes.end >= item.span.bytes.end
        };
        inside.extend(item.declarations.iter().rfind(around));
    }
    if inside.len() > BRIEF {
        let words = |one: &DeclarationItem| {
            let found = lines.of_span(&one.span).flat_map(|at| terms.find(lines.get(at)));
            found.map(|(_, which)| which).collect::<BTreeSet<usize>>().len()
        };
        let named = item.named.and_then(|at| item.declarations.get(at));
        let mut by_worth: Vec<(bool, usize, usize)> = (0..)
            .zip(&inside)
            .map(|(at, one)| {
                let is_named = named.map_or(at == 0, |named| named.span == one.span);
                (is_named, words(one), at)
            })
            .collect();
        by_worth.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then(a.2.cmp(&b.2)));
        let kept: BTreeSet<usize> = by_worth.into_iter().take(BRIEF).map(|(.., at)| at).collect();
        let mut at = 0..;
        inside.retain(|_| at.next().is_some_and(|at| kept.contains(&at)));
    }
    let mut kept: BTreeSet<usize> = inside.into_iter().filter_map(first).collect();
    // What it lies in: a method without its class says little.
    if let Some(&at) = kept.first() {
        let goes_around =
            |one: &&DeclarationItem| (one.span.start_line as usize) < at && one.span.end_line as usize >= at;
        let around = item.declarations.iter().filter(goes_around).filter_map(first);
        kept.extend(around.filter(|&line| line < at).max());
    }
    kept.extend(named_lines(item, lines, BESIDE));
    if kept.is_empty() {
        let line = all.clone().find(|&at| !terms.find(lines.get(at)).is_empty());
        kept.extend(line.or_else(|| all.clone().find(|&at| !lines.is_blank(at))));
    }
    kept
}

/// The lines of a file's first comment if it is a licence or a note of copyright: the same in every file.
pub(super) fn licence(lines: &Lines<'_>, language: &str) -> Option<RangeInclusive<usize>> {
    let comments = Language::from_name(language)?.comments();
    let (open, close) = comments.block;
    let most = lines.n().min(LICENCE_LINES);
    let start = (1..=most).find(|&at| !lines.is_blank(at) && !lines.get(at).starts_with("#!"))?;
    let first = lines.get(start).trim_start();
    let end = if !open.is_empty() && first.starts_with(open) {
        (start..=most).find(|&at| lines.get(at).contains(close))?
    } else if !comments.line.is_empty() && first.starts_with(comments.line) {
        (start..=most).take_while(|&at| lines.get(at).trim_start().starts_with(comments.line)).last()?
    } else {
        return None;
    };
    let says = |at: usize| {
        let line = lines.get(at).to_ascii_lowercase();
        ["copyright", "license", "licence", "spdx-"].iter().any(|word| line.contains(word))
    };
    (end - start >= 2 && (start..=end).any(says)).then_some(start..=end)
}

fn is_closing(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && line.len() <= CLOSING && line.bytes().all(|byte| byte.is_ascii_punctuation())
}

/// The rows for `all`, of which `shown` are shown. A single line between two that are shown is shown too: the note
/// in its place would be as long.
pub(super) fn rows(all: RangeInclusive<usize>, shown: &BTreeSet<usize>) -> Vec<Row> {
    let mut rows = Vec::new();
    if all.is_empty() {
        return rows;
    }
    let mut next = *all.start();
    let skip =
        |rows: &mut Vec<Row>, next: usize, until: usize, is_between: bool| match until.saturating_sub(next) {
            0 => (),
            1 if is_between => rows.push(Row::Line(next)),
            _ => rows.push(Row::Elided(next..=until - 1)),
        };
    for &at in shown.range(all.clone()) {
        skip(&mut rows, next, at, next != *all.start());
        rows.push(Row::Line(at));
        next = at + 1;
    }
    skip(&mut rows, next, all.end() + 1, false);
    rows
}

/// The blanks that a note in place of these lines is indented by: those of the first line that has something on it.
pub(super) fn indentation<'t>(lines: &Lines<'t>, mut elided: RangeInclusive<usize>) -> &'t str {
    let line = elided.find(|&at| !lines.is_blank(at)).map_or("", |at| lines.get(at));
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..blanks.min(80)).unwrap_or_default()
}

/// `path:10-36`, or `path:10` for one line, cleaned.
pub(super) fn place(item: &ResultItem) -> String {
    format!("{}:{}", item.shown_path(), line_range(item.span.start_line, item.span.end_line))
}

/// `10-36`, or `10` for one line.
pub(super) fn line_range(start: impl Into<u64>, end: impl Into<u64>) -> String {
    let (start, end) = (start.into(), end.into());
    if start == end { start.to_string() } else { format!("{start}-{end}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_what_is_left_out() {
        let shown = BTreeSet::from([2, 4, 9]);
        assert_eq!(
            rows(1..=10, &shown),
            [
                Row::Elided(1..=1),
                Row::Line(2),
                Row::Line(3),
                Row::Line(4),
                Row::Elided(5..=8),
                Row::Line(9),
                Row::Elided(10..=10)
            ]
        );
    }
}
