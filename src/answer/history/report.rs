//! A history → text for people.

use std::fmt::Write as _;

use anstyle::Style;
use bstr::ByteSlice;

use crate::answer::view::Paint;
use crate::answer::view::theme::{BAD, FAINT, GOOD, SYMBOL};
use crate::base::text::{counted, quoted, visible};

use super::{History, HistoryRow, VersionPlace};

/// Writes a history for people: a line for each commit, with the patch below it.
/// `limit_flag` is the flag that lists more commits; it may be empty.
pub fn history_text(history: &History, limit_flag: &str, paint: Paint) -> String {
    let mut out = String::new();
    for row in &history.rows {
        let merge = row.merge.then_some("merge");
        let changes: Vec<&str> = merge.into_iter().chain(row.changes.iter().map(|one| one.words())).collect();
        let (id, date, author) = (paint.commit(row.commit), &row.date, visible(&row.author));
        let subject = visible(&row.subject);
        let what = paint.text(&format!("[{}]", changes.join(", ")), SYMBOL);
        let _ = writeln!(out, "{id} {date} {author} {what} {subject}");
        if let Some(was) = source(row, paint) {
            let _ = writeln!(out, "           {was}");
        }
        for line in row.patch.iter().flat_map(|patch| patch.lines()) {
            let style = match line.as_bytes().first() {
                Some(b'+') => GOOD,
                Some(b'-') => BAD,
                Some(b'@') => FAINT,
                _ => Style::new(),
            };
            let _ = writeln!(out, "{}", paint.text(&visible(line), style));
        }
    }
    if history.more > 0 {
        let raise = if limit_flag.is_empty() { String::new() } else { format!("; raise {limit_flag}") };
        let _ = writeln!(out, "and {}{raise}", counted(history.more, "older commit", "older commits"));
    }
    out
}

/// Returns the other end of a row whose declaration was elsewhere before.
fn source(row: &HistoryRow, paint: Paint) -> Option<String> {
    let named = |place: &VersionPlace| {
        paint.declaration(&quoted(place.path.as_bstr()), place.line, &place.kind, &place.symbol)
    };
    match (&row.old, &row.new) {
        (Some(old), Some(new)) if old.path != new.path || old.symbol != new.symbol => {
            Some(format!("{} -> {}", named(old), named(new)))
        }
        (None, Some(new)) => Some(named(new)),
        (Some(old), None) => Some(named(old)),
        _ => None,
    }
}
