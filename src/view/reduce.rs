//! Reduction: a result and how much of it may be shown → which of its lines are.
//!
//! A declaration is reduced to what a reader needs to use it: doc comment and signature. Where the body went is
//! said by the view, in a line of its own. Works on whole lines: a signature and a body that share one stay together.

use super::lines::Lines;
use super::{ResultItem, clean};
use bstr::ByteSlice;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// How much of a result is shown, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// Nothing.
    Dropped,
    /// Where it lies.
    Location,
    /// Doc comments and signatures.
    Signature,
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

/// The lines of `item` that are shown at `detail`; none below [`Detail::Signature`].
pub(super) fn shown(item: &ResultItem, lines: &Lines<'_>, detail: Detail) -> BTreeSet<usize> {
    let all = lines.of_span(&item.span);
    match detail {
        Detail::Dropped | Detail::Location => BTreeSet::new(),
        Detail::Full => all.collect(),
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
            if kept.is_empty() {
                kept.extend(all.filter(|&at| !lines.is_blank(at)).take(2));
            }
            kept
        }
    }
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
    format!("{}:{}", clean::path(item.path.as_bstr()), line_range(item.span.start_line, item.span.end_line))
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
