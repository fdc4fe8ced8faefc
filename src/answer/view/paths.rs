//! Paths: results → one `path:line: name` a line, for editors and `grep`-like pipelines.

use super::lines::Lines;
use super::{Budget, Results, clean};
use std::collections::HashSet;
use std::fmt::Write;

/// Characters of the first line, where it stands in for a symbol.
const MAX_TEXT: usize = 120;

/// Writes one line a result, best first: path, first line, and the symbol or else the first line of text. Of a chunk
/// that groups several declarations, the line is that of the symbol.
///
/// `vim -q`, Emacs' compilation mode and what reads `grep -n` read it. A place occurs once. Control characters in
/// paths and text are replaced by visible ones, so that a line is a result whatever the paths are. The lines end where the
/// budget does; what reads them takes a note of that for a place.
pub fn paths(results: &Results, budget: &Budget) -> String {
    let mut out = String::new();
    let mut seen = HashSet::new();
    for item in &results.results {
        let named = item.named.and_then(|at| item.declarations.get(at));
        let line = named.map_or(item.span.start_line, |one| one.name_line);
        let place = format!("{}:{line}", item.shown_path());
        if !seen.insert(place.clone()) {
            continue;
        }
        let name = match (&item.symbol, &item.text) {
            (symbol, Some(text)) if symbol.is_empty() => {
                let lines = Lines::new(text);
                let first = lines.of_span(&item.span).find(|&at| !lines.is_blank(at));
                first.map(|at| lines.get(at).trim().chars().take(MAX_TEXT).collect()).unwrap_or_default()
            }
            (symbol, _) => symbol.clone(),
        };
        let kept = out.len();
        // Writing to a String does not fail.
        let _ = writeln!(out, "{place}: {}", clean::name(&name));
        if !budget.holds(&out) {
            out.truncate(kept);
            break;
        }
    }
    out
}
