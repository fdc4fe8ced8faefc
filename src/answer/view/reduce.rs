//! Reduction: a result and a level of detail → the lines to show.
//!
//! A declaration is reduced to what a reader needs to use it: doc comment and signature. The views
//! mark the omitted body with a line of their own. Reduction works on whole lines, so a signature
//! and a body on the same line stay together.

use super::lines::Lines;
use super::terms::Terms;
use super::{DeclarationItem, InclusionDetail, ResultItem};
use crate::index::chunk::Language;
use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;

/// How much of a result is shown, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// Nothing.
    Dropped,
    /// Its place; for language models also a one-line signature.
    Location,
    /// Doc comments and signatures.
    Signature,
    /// Doc comments, signatures and the lines with query words.
    Matches,
    /// At most this many lines: the signature, and what is around the lines with query words.
    Lines(u16),
    /// The whole chunk.
    Full,
}

/// One row of a reduced text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Row {
    /// The line with that number.
    Line(usize),
    /// A gap in which these lines are left out.
    Elided(RangeInclusive<usize>),
}

/// Maximum lines of a doc comment shown with a signature. The first lines summarise it.
const DOC_LINES: usize = 6;

/// Lines at the head of a declaration that are chosen before any others.
const HEAD_LINES: usize = 3;

/// Maximum lines of a signature.
const SIGNATURE_LINES: usize = 8;

/// Maximum bytes of a last line that is only punctuation (`});`). Such a line is kept, so that
/// brackets are closed.
const CLOSING: usize = 3;

/// Maximum number of signatures that represent a group of declarations.
const BRIEF: usize = 3;

/// Lines that are searched for the end of a licence. The notice of the GPL has about twenty lines,
/// that of BSD thirty.
const LICENCE_LINES: usize = 60;

/// Maximum lines with query words and their neighbours at [`Detail::Matches`].
const MATCH_LINES: usize = 16;

/// Lines shown above and below a line that the query names.
const BESIDE: usize = 3;

/// Maximum lines per result that are shown because the query names them or a neighbour.
const NAMED_LINES: usize = 40;

/// Returns the lines of `item` that the query names, with `beside` lines above and below each,
/// without blank lines.
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

/// Returns the lines of `item` that are shown at `detail`; none below [`Detail::Signature`].
pub(super) fn shown(item: &ResultItem, lines: &Lines<'_>, terms: &Terms, detail: Detail) -> BTreeSet<usize> {
    let all = lines.of_span(&item.span);
    let is_limited = item.included == Some(InclusionDetail::Signature);
    match if is_limited { detail.min(Detail::Signature) } else { detail } {
        Detail::Dropped | Detail::Location => BTreeSet::new(),
        Detail::Full => {
            let licence = licence(lines, &item.language);
            lines
                .of_item(item)
                .filter(|at| !licence.as_ref().is_some_and(|licence| licence.contains(at)))
                .collect()
        }
        Detail::Lines(most) => choose(item, lines, terms, most.into()),
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
                // A declaration whose signature is elsewhere shows its doc comment there, too.
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

/// Returns at most `most` lines of a chunk.
///
/// A short chunk is shown completely. Otherwise the lines are the beginning of its documentation,
/// its signature, the lines with query words (see [`add_matches`]) and what follows them.
pub(super) fn choose(item: &ResultItem, lines: &Lines<'_>, terms: &Terms, most: usize) -> BTreeSet<usize> {
    let all = lines.of_span(&item.span);
    let first = all.clone().find(|&at| !lines.is_blank(at)).unwrap_or(*all.start());
    let last = all.clone().rev().find(|&at| !lines.is_blank(at)).unwrap_or(*all.end());
    if last < first || last - first < most {
        return (first..=last).collect();
    }
    let mut chosen = BTreeSet::new();
    if let Some(named) = item.named.and_then(|at| item.declarations.get(at)) {
        // In a group of declarations, show the one that the header names.
        let doc = lines.of_bytes(&named.doc).into_iter().flat_map(|at| at.take(1));
        let head = lines.of_bytes(&named.signature).into_iter().flat_map(|at| at.take(HEAD_LINES));
        chosen.extend(doc.chain(head).filter(|at| (first..=last).contains(at)));
    }
    if chosen.is_empty() {
        chosen.insert(first);
        let heads = item.declarations.iter().filter_map(|one| lines.of_bytes(&one.signature));
        if let Some(head) = heads.filter(|head| all.contains(head.start())).min_by_key(|head| *head.start()) {
            chosen.extend(head.take(HEAD_LINES).filter(|at| (first..=last).contains(at)));
        }
    }
    // Lines that the query names, and as many lines around them as fit, come before merely likely
    // ones.
    for beside in 0..=most {
        let more: BTreeSet<usize> = named_lines(item, lines, beside).collect();
        if !more.is_subset(&chosen) && more.union(&chosen).count() > most {
            break;
        }
        chosen.extend(more);
    }
    while chosen.len() > most {
        chosen.pop_last();
    }
    let after_head = chosen.last().map_or(first, |at| at + 1);
    let best = add_matches(lines, first..=last, terms, most, &mut chosen);
    for at in (best.unwrap_or(after_head)..=last).chain(after_head..=last).chain(first..=last) {
        if chosen.len() >= most {
            break;
        }
        chosen.insert(at);
    }
    chosen
}

/// Adds lines of `all` with query words to `chosen`, until there are `most` lines or no more
/// candidates. Returns the first line that was added.
///
/// The most valuable line is taken first, with the lines below and above it, then the next. A word
/// counts less the more lines of the chunk contain it. Its value is halved with each chosen line
/// that contains it. So lines with different words come before several lines with the same word.
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
        // Reversed, because `max_by` returns the last of equal values and we want the first.
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

/// Returns the lines that represent the item if there is no room for more.
///
/// - For a declaration: the first line of its signature.
/// - For a group: the first lines of at most [`BRIEF`] signatures, those with the most query words.
/// - For a part of a declaration: the first line of that declaration's signature, above the item.
/// - Without declarations: the first line with query words.
///
/// Lines that the query names are always included.
pub(super) fn brief(item: &ResultItem, lines: &Lines<'_>, terms: &Terms) -> BTreeSet<usize> {
    let all = lines.of_span(&item.span);
    let first = |one: &DeclarationItem| lines.of_bytes(&one.signature).map(|at| *at.start());
    let begins = |one: &&DeclarationItem| first(one).is_some_and(|at| all.contains(&at));
    let mut inside: Vec<&DeclarationItem> = item.declarations.iter().filter(begins).collect();
    if inside.is_empty() {
        // The item is a part of a declaration that begins above. Use the innermost one that
        // encloses it.
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
    // Add the enclosing declaration: a method without its class says little.
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

/// Returns the lines of a file's first comment if it is a licence or copyright notice, which
/// repeats in every file.
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

/// Returns whether a line only closes what is open, such as `}`.
pub(super) fn is_closing(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && line.len() <= CLOSING && line.bytes().all(|byte| byte.is_ascii_punctuation())
}

/// Returns the rows for the lines `all`, of which `shown` are shown.
///
/// A single hidden line between two shown lines is shown as well, because a note in its place would
/// be as long.
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

/// Returns the indentation of a note in place of these lines: that of the first line that is not
/// blank.
pub(super) fn indentation<'t>(lines: &Lines<'t>, mut elided: RangeInclusive<usize>) -> &'t str {
    let line = elided.find(|&at| !lines.is_blank(at)).map_or("", |at| lines.get(at));
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..blanks.min(80)).unwrap_or_default()
}

/// Returns `path:10-36`, or `path:10` for one line, cleaned.
pub(super) fn place(item: &ResultItem) -> String {
    format!("{}:{}", item.shown_path(), line_range(item.span.start_line, item.span.end_line))
}

/// Returns `10-36`, or `10` for one line.
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

    #[test]
    fn a_licence_is_a_comment_of_three_to_sixty_lines() {
        for (n, expected) in [(2, None), (3, Some(1..=3)), (60, Some(1..=60)), (61, Some(1..=60))] {
            let text = format!("// Copyright\n{}fn a() {{}}\n", "// words\n".repeat(n - 1));
            assert_eq!(licence(&Lines::new(&text), "rust"), expected, "{n} lines");
        }
        let block = |n: usize| format!("/* License\n{}*/\nint a;\n", " words\n".repeat(n - 2));
        for (n, expected) in [(3, Some(1..=3)), (60, Some(1..=60)), (61, None)] {
            assert_eq!(licence(&Lines::new(&block(n)), "c"), expected, "{n} lines");
        }
        assert_eq!(licence(&Lines::new("// a\n// b\n// c\n"), "rust"), None);
    }

    #[test]
    fn closing_lines_are_short_and_have_no_letters() {
        for (line, expected) in [
            ("}", true),
            ("  });", true),
            ("})))", false),
            ("end", false),
            ("", false),
            ("  ", false),
            ("}é", false),
        ] {
            assert_eq!(is_closing(line), expected, "{line}");
        }
    }
}
