//! Reading of a program that can be parsed as a whole: text → syntax trees → a completed walk.
//!
//! Most programs have one tree. A text with a syntax error has one more for each broken place
//! (`recovery`), and SQL in a dialect has one for each statement (`sql_parts`). Macros may hold
//! declarations that only another parse finds (`item_macros`).

use super::lines::Lines;
use super::resolve::ResolvedTable;
use super::walk_result::WalkResult;
use super::{ByteRange, Language, complete, container, item_macros, parse, recovery, sql_parts};
use tree_sitter::Tree;

/// Walks a program. `None` if the parser's budget does not suffice. `limit` is that of
/// [`super::walk::walk`].
pub(super) fn walk<'t>(
    language: Language,
    resolved: &'static ResolvedTable,
    lines: &'t Lines<'t>,
    limit: u32,
) -> Option<WalkResult<'t>> {
    let tree = parse::parse(language, lines.text())?;
    if has_parts(resolved, &tree) {
        return Some(sql_parts::walk(language, resolved, lines, limit));
    }
    let mut reading = recovery::read(language, resolved, tree, lines, limit);
    let trees = std::mem::take(&mut reading.trees);
    let mut walked = reading.joined();
    let mut has_items = false;
    for tree in trees.iter().filter(|_| resolved.table.has_item_macros) {
        has_items |= item_macros::add(language, resolved, tree, lines, limit, &mut walked);
    }
    complete(resolved, lines.text(), &mut walked);
    if has_items {
        walked.declarations = container::in_order(&walked.declarations, |_| true).0;
    }
    Some(walked)
}

/// Returns the syntax trees that [`walk`] reads, and the ranges that the first one leaves out.
pub(super) fn trees(
    language: Language,
    resolved: &'static ResolvedTable,
    lines: &Lines<'_>,
) -> Option<(Vec<Tree>, Vec<ByteRange>)> {
    let tree = parse::parse(language, lines.text())?;
    if has_parts(resolved, &tree) {
        let trees = sql_parts::trees(language, lines).into_iter().filter_map(|(_, tree)| tree);
        return Some((trees.collect(), Vec::new()));
    }
    let reading = recovery::read(language, resolved, tree, lines, u32::MAX);
    Some((reading.trees, reading.left_out))
}

/// Returns whether a text is read statement by statement.
fn has_parts(resolved: &ResolvedTable, tree: &Tree) -> bool {
    resolved.table.has_dialects && tree.root_node().has_error()
}
