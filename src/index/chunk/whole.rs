//! Reading of a program that can be parsed as a whole: text → syntax trees → a completed walk.
//!
//! Most programs have one tree. A text with a syntax error has one more for each broken place
//! (`recovery`), and SQL in a dialect has one for each statement (`sql_parts`). Macros may hold
//! declarations that only another parse finds (`item_macros`).

use super::embedded::declaration_order;
use super::lang::sql_calls;
use super::lines::Lines;
use super::resolve::ResolvedTable;
use super::walk_result::WalkResult;
use super::{ByteRange, Language, complete, item_macros, parse, recovery, sql_parts};
use tree_sitter::Tree;

/// Walks a program. `None` if the parser's budget does not suffice. `limit` is that of
/// [`super::walk::walk`]. `recovers`: whether broken places are read again.
pub(super) fn walk<'t>(
    language: Language,
    resolved: &'static ResolvedTable,
    lines: &'t Lines<'t>,
    limit: u32,
    recovers: bool,
) -> Option<WalkResult<'t>> {
    let Program::Whole(mut reading) = read(language, resolved, lines, limit, recovers)? else {
        let mut walked = sql_parts::walk(language, resolved, lines, limit);
        sql_calls::add(lines.text(), &mut walked);
        return Some(walked);
    };
    let errors = reading.errors();
    let trees = std::mem::take(&mut reading.trees);
    let mut walked = reading.joined(lines);
    walked.errors = errors;
    let mut has_items = false;
    for tree in trees.iter().filter(|_| resolved.table.has_item_macros) {
        has_items |= item_macros::add(language, resolved, tree, lines, limit, &mut walked);
    }
    if resolved.table.has_dialects {
        sql_calls::add(lines.text(), &mut walked);
    }
    complete(resolved, lines.text(), &mut walked);
    if has_items {
        walked.declarations = declaration_order::in_order(&walked.declarations, |_| true).0;
    }
    Some(walked)
}

/// Returns the syntax trees that [`walk`] reads, and the ranges that the first one leaves out.
pub(super) fn trees(
    language: Language,
    resolved: &'static ResolvedTable,
    lines: &Lines<'_>,
) -> Option<(Vec<Tree>, Vec<ByteRange>)> {
    let Program::Whole(reading) = read(language, resolved, lines, u32::MAX, true)? else {
        let trees = sql_parts::trees(language, lines).into_iter().filter_map(|(_, tree)| tree);
        return Some((trees.collect(), Vec::new()));
    };
    Some((reading.trees, reading.left_out))
}

/// How a program is read.
enum Program<'t> {
    /// As a whole.
    Whole(Box<recovery::Reading<'t>>),
    /// Statement by statement.
    Statements,
}

impl<'t> Program<'t> {
    fn whole(reading: recovery::Reading<'t>) -> Self {
        Self::Whole(Box::new(reading))
    }
}

/// Reads a program. `None` if the parser's budget does not suffice.
fn read<'t>(
    language: Language,
    resolved: &'static ResolvedTable,
    lines: &'t Lines<'t>,
    limit: u32,
    recovers: bool,
) -> Option<Program<'t>> {
    let parse = || parse::parse(language, lines.text());
    if !resolved.table.has_dialects {
        return recovery::read(language, resolved, parse, lines, limit, recovers).map(Program::whole);
    }
    let tree = parse()?;
    if tree.root_node().has_error() {
        let sides = if recovers { recovery::read_sides(language, resolved, lines, limit) } else { None };
        return Some(sides.map_or(Program::Statements, Program::whole));
    }
    recovery::read(language, resolved, || Some(tree), lines, limit, recovers).map(Program::whole)
}
