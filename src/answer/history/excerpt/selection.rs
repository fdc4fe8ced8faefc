//! Which declarations of a known version can be left out of what is parsed of another one: those
//! that are the same there and, if only one name counts, those that changed and lack it.

use std::collections::HashMap;
use std::ops::Range;

use super::lines::{Difference, offset};
use super::{AFTER_ERROR, KnownVersion};
use crate::index::chunk::{ByteRange, Declaration, DeclarationKind};
use crate::search::graph::is_function;

/// A shorter body is not left out.
const LEAST_LINES: usize = 3;

/// What is left out of an excerpt, and what stays the same in it.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// What is left out, in order.
    pub(super) units: Vec<Unit>,
    /// The declarations that stay in the excerpt and are the same in both versions.
    pub(super) witnesses: Vec<usize>,
    /// The errors of the known version that are not left out.
    pub(super) errors: Vec<ByteRange>,
    /// Those that are left out with declarations that are the same.
    pub(super) left_out_errors: Vec<ByteRange>,
    /// For each declaration of the known version, whether it is left out.
    pub(super) is_left_out: Vec<bool>,
}

/// A declaration with everything in it, or the body of a function.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// Of the known version's declarations.
    pub(super) declarations: Range<usize>,
    pub(super) bytes: ByteRange,
    /// Of the known version.
    pub(super) lines: Range<u32>,
    /// Of the other version. Empty if it is not there, or if its lines look like those
    /// around it.
    pub(super) new_lines: Range<u32>,
    pub(super) is_same: bool,
    /// Whether one declaration begins and ends it.
    is_whole: bool,
}

impl Unit {
    /// Its place in the other version.
    pub(super) fn new_bytes(&self, difference: &Difference<'_>) -> ByteRange {
        if self.is_same {
            return difference.bytes(self.bytes);
        }
        difference.new.bytes(&self.new_lines)
    }
}

impl Selection {
    /// Selects what the other version need not be parsed for. With a name, only the declarations
    /// of that name are asked for.
    pub(super) fn of(known: KnownVersion<'_>, difference: &Difference<'_>, name: Option<&str>) -> Self {
        let mut children: HashMap<Option<u32>, Vec<usize>> = HashMap::new();
        for (at, one) in known.declarations.iter().enumerate() {
            children.entry(one.parent).or_default().push(at);
        }
        let mut found = Self { is_left_out: vec![false; known.declarations.len()], ..Self::default() };
        let containers = containers(known);
        let mut open = vec![None];
        while let Some(parent) = open.pop() {
            let inside = children.get(&parent).map(Vec::as_slice).unwrap_or_default();
            let units = units(known, difference, inside);
            // Everything in the declaration that is asked for belongs to it.
            let name = name.filter(|name| !is_inside(known, parent, name));
            let lacks_name = |unit: &Unit| name.is_some_and(|name| lacks(known, difference, unit, name));
            let is_quiet: Vec<bool> = units.iter().map(|unit| unit.is_same || lacks_name(unit)).collect();
            let is_quiet = |at: Option<usize>| at.and_then(|at| is_quiet.get(at)).copied();
            for (at, unit) in units.iter().enumerate() {
                let own = unit.declarations.clone();
                // At the end of a file, nothing stays beside it that it could be mixed up with.
                let is_end_fine = parent.is_none();
                let are_around_quiet = is_quiet(at.checked_sub(1)).unwrap_or(is_end_fine)
                    && is_quiet(at.checked_add(1)).unwrap_or(is_end_fine);
                let is_in_parent = containers.get(own.start).copied().flatten() == parent;
                let is_whole = is_quiet(Some(at)) == Some(true)
                    && are_around_quiet
                    && can_leave_out(known, difference, unit);
                let left_out = if is_whole {
                    Some(unit.clone())
                } else if unit.is_same {
                    body(known, difference, unit)
                } else {
                    None
                };
                match left_out.filter(|_| is_in_parent) {
                    Some(unit) => found.units.push(unit),
                    None if !unit.is_same => {
                        let is_open = |at: &usize| {
                            let one = known.declarations.get(*at);
                            inside.contains(at) && one.is_some_and(|one| !is_closed(one.kind))
                        };
                        open.extend(own.clone().filter(is_open).map(|at| Some(offset(at))));
                    }
                    None => {}
                }
                if unit.is_same {
                    found.witnesses.extend(own);
                }
            }
        }
        found.units.sort_by_key(|unit| unit.bytes.start);
        let mut end = 0;
        found.units.retain(|unit| {
            // Lines between two units that changed may be either's.
            let is_behind = unit.new_lines.start >= end;
            end = if is_behind { unit.new_lines.end } else { end };
            is_behind
        });
        found.keep_near_errors(known, name.is_some());
        for unit in &found.units {
            found.is_left_out.get_mut(unit.declarations.clone()).unwrap_or_default().fill(true);
        }
        let is_left_out = &found.is_left_out;
        found.witnesses.retain(|at| is_left_out.get(*at) == Some(&false));
        found
    }

    /// Keeps units with an error, or with one so near in front that the parser may need the unit
    /// to find out of the error. If only one name is asked for, errors may be left out with what
    /// is around them.
    fn keep_near_errors(&mut self, known: KnownVersion<'_>, leaves_out_errors: bool) {
        loop {
            let around = |one: &ByteRange| {
                let next = self.units.partition_point(|unit| unit.bytes.end < one.end);
                self.units.get(next).filter(|unit| leaves_out_errors && unit.bytes.start <= one.start)
            };
            let is_outside = |one: &&ByteRange| around(one).is_none();
            let is_known = |one: &&ByteRange| around(one).is_some_and(|unit| unit.is_same);
            let left_out = known.errors.iter().filter(is_known).copied().collect();
            let errors: Vec<ByteRange> = known.errors.iter().filter(is_outside).copied().collect();
            let n_units = self.units.len();
            self.units.retain(|unit| {
                let next = errors.partition_point(|one| one.end + AFTER_ERROR <= unit.bytes.start);
                errors.get(next).is_none_or(|one| one.start > unit.bytes.end)
            });
            if self.units.len() == n_units {
                (self.errors, self.left_out_errors) = (errors, left_out);
                return;
            }
        }
    }
}

/// Whether a declaration, or one around it, has a name.
fn is_inside(known: KnownVersion<'_>, mut at: Option<u32>, name: &str) -> bool {
    while let Some(one) = at.and_then(|at| known.declarations.get(at as usize)) {
        if one.name == name {
            return true;
        }
        at = one.parent;
    }
    false
}

/// Whether the lines of the other version that replace a unit begin and end with its first and its
/// last line, go on with one declaration alone, do without a name, and have no effect on the rest.
fn lacks(known: KnownVersion<'_>, difference: &Difference<'_>, unit: &Unit, name: &str) -> bool {
    if unit.new_lines.is_empty() || !difference.keeps_ends(&unit.lines, &unit.new_lines) {
        return false;
    }
    let old = difference.old.bytes(&unit.lines).of(known.text);
    let text = unit.new_bytes(difference).of(difference.new.text);
    let ((before, n_before), (now, n_now)) = (least_indented(old), least_indented(text));
    before == now && n_now <= n_before && !text.contains(name) && !has_effect(known, text)
}

/// The least indentation of a text's lines, and how many have it: not more than before, unless
/// another declaration ends or begins between them.
fn least_indented(text: &str) -> (usize, usize) {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let indented: Vec<usize> = lines.map(|line| line.len() - line.trim_start().len()).collect();
    let least = indented.iter().min().copied().unwrap_or_default();
    (least, indented.iter().filter(|one| **one == least).count())
}

/// The lines in the braces of a function that an excerpt can do without.
fn body(known: KnownVersion<'_>, difference: &Difference<'_>, unit: &Unit) -> Option<Unit> {
    let one = known.declarations.get(unit.declarations.start)?;
    let text = one.body.of(known.text);
    let has_braces = text.len() > 2 && text.starts_with('{') && text.ends_with('}');
    if !is_function(one.kind) || !unit.is_whole || !has_braces || one.doc.start >= one.body.start {
        return None;
    }
    let lines = &difference.old;
    let lines_inside = lines.at(one.body.start) + 1..lines.at(one.body.end - 1);
    let bytes = lines.bytes(&lines_inside);
    if lines_inside.len() < LEAST_LINES {
        return None;
    }
    let is_before = |at: u32| known.declarations.partition_point(|one| one.span.bytes.start < at);
    let declarations = is_before(bytes.start)..is_before(bytes.end);
    let outer = Some(offset(unit.declarations.start));
    let new_lines = difference.lines(&lines_inside);
    let inside = Unit { declarations, bytes, lines: lines_inside, new_lines, is_same: true, is_whole: true };
    has_no_effect(known, &inside, outer).then_some(inside)
}

/// Whether the declarations in a declaration of this kind are read together with it.
fn is_closed(kind: DeclarationKind) -> bool {
    is_function(kind) || matches!(kind, DeclarationKind::Test | DeclarationKind::Macro)
}

/// For each declaration, the innermost one around it.
fn containers(known: KnownVersion<'_>) -> Vec<Option<u32>> {
    let mut open: Vec<(ByteRange, u32)> = Vec::new();
    let mut found = Vec::with_capacity(known.declarations.len());
    for (at, one) in known.declarations.iter().enumerate() {
        let bytes = one.span.bytes;
        while open.pop_if(|(last, _)| last.end < bytes.end || last.end <= bytes.start).is_some() {}
        found.push(open.last().map(|&(_, at)| at));
        open.push((bytes, offset(at)));
    }
    found
}

/// The units of declarations beside each other. Those that overlap are one.
fn units(known: KnownVersion<'_>, difference: &Difference<'_>, siblings: &[usize]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for &at in siblings {
        let Some(one) = known.declarations.get(at) else { continue };
        let bytes = one.span.bytes;
        if let Some(last) = units.last_mut().filter(|last| bytes.start < last.bytes.end) {
            last.is_whole &= bytes.end <= last.bytes.end;
            last.bytes.end = last.bytes.end.max(bytes.end);
            continue;
        }
        let declarations = at..at + 1;
        units.push(Unit {
            declarations,
            bytes,
            lines: 0..0,
            new_lines: 0..0,
            is_same: false,
            is_whole: true,
        });
    }
    for unit in &mut units {
        let end = known.declarations.partition_point(|one| one.span.bytes.start < unit.bytes.end);
        unit.declarations.end = end.max(unit.declarations.start);
        unit.lines = difference.old.around(unit.bytes);
        unit.is_same = difference.keeps(&unit.lines);
        unit.new_lines = difference.lines(&unit.lines);
    }
    units
}

/// Whether an excerpt can do without a unit: it has its lines for itself, and nothing in it has an
/// effect on the rest.
fn can_leave_out(known: KnownVersion<'_>, difference: &Difference<'_>, unit: &Unit) -> bool {
    let all = difference.old.bytes(&unit.lines);
    let before = ByteRange { start: all.start, end: unit.bytes.start };
    let after = ByteRange { start: unit.bytes.end, end: all.end };
    let is_end = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let outer = known.declarations.get(unit.declarations.start).and_then(|one| one.parent);
    unit.is_whole
        && all.of(known.text).ends_with('\n')
        && before.of(known.text).trim().is_empty()
        && after.of(known.text).trim_matches(is_end).is_empty()
        && has_no_effect(known, unit, outer)
}

/// Whether all declarations of a unit belong to it or to `outer`, and no directive in it has an
/// effect on the rest.
fn has_no_effect(known: KnownVersion<'_>, unit: &Unit, outer: Option<u32>) -> bool {
    let inside = known.declarations.get(unit.declarations.clone()).unwrap_or_default();
    let is_own = |at: u32| unit.declarations.contains(&(at as usize));
    let is_inside = |one: &Declaration| {
        one.span.bytes.end <= unit.bytes.end
            && (one.parent == outer || one.parent.is_some_and(is_own))
            && one.kind != DeclarationKind::Macro
    };
    inside.iter().all(is_inside) && !has_effect(known, unit.bytes.of(known.text))
}

/// Whether a directive in a text has an effect on the rest. In some languages, `#` begins a
/// comment.
fn has_effect(known: KnownVersion<'_>, text: &str) -> bool {
    known.language.comments().line != "#" && has_directive(text)
}

/// Whether a text defines macros, or has `#if` or `#endif` without the other.
fn has_directive(text: &str) -> bool {
    let mut depth = 0i32;
    for (at, _) in text.match_indices('#') {
        let word = text.get(at + 1..).unwrap_or_default().trim_start_matches([' ', '\t']);
        if word.starts_with("define") || word.starts_with("undef") {
            return true;
        }
        depth += i32::from(word.starts_with("if")) - i32::from(word.starts_with("endif"));
        let is_branch = word.starts_with("el");
        if depth < 0 || is_branch && depth == 0 {
            return true;
        }
    }
    depth != 0
}
