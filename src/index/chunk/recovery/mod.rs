//! Recovery: a text with places that its grammar can't read → a walk that keeps what stands around
//! them.
//!
//! At such a place a parser may skip the rest of the file. A function whose last brace is missing,
//! or a quote that nothing closes, would cost all declarations behind it. Here the lines of the
//! place are left out, and the rest is parsed again; the lines that were left out are parsed alone.
//! Which lines they are follows from blocks with braces (`narrow`), or else from their indentation:
//! first the statement, then what is around it. A reading counts only if it declares lines that
//! were lost, and loses fewer.
//!
//! A line is **lost** if it is in an error of the syntax tree, begins like a line that declares
//! something, and declares nothing. It begins so if another line with the same indentation and the
//! same first word declares something, or if its words are those of a declaration (`public class
//! A`). It is lost, too, if what it declares seems to belong to something that is not indented
//! less.

mod errors;
mod indented;
mod left_out;
mod narrow;
mod piece;
#[cfg(test)]
mod tests;

use super::atom::Atom;
use super::embedded::declaration_order;
use super::lines::{Lines, offset};
use super::parse::{self, Budget, SeenText};
use super::resolve::ResolvedTable;
use super::table::Outermost;
use super::walk;
use super::walk_result::WalkResult;
use super::{ByteRange, Declaration, DeclarationKind, Language};
use errors::ErrorPlaces;
use indented::Entries;
pub(super) use left_out::without_markers;
use left_out::{Conflicts, conflicts, less, without};
use narrow::Narrower;
use piece::Part;
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use tree_sitter::Tree;

/// Most places of a tree that are tried, in order.
const MAX_PLACES: usize = 6;

/// Most lines around a place that are tried: the statement, and what is around it.
const MAX_LEVELS: usize = 3;

/// Most places that are left out of one text.
const MAX_ROUNDS: usize = 8;

/// Most readings of a text that may fail.
const MAX_FAILURES: usize = 3;

/// Lines in front of a lost line among which the broken place is looked for.
const MAX_LINES_BEFORE: usize = 1000;

/// Bytes that may be parsed again, over all readings of a text.
const MAX_BYTES: usize = 1 << 19;

/// Most errors of a text in which blocks are taken apart.
const MAX_NARROWED: usize = 64;

/// Most places of a text that is worth it. One with more is another dialect, or no such text.
const MAX_ERRORS: usize = 12;

/// Most words of a line among which the one that declares something is looked for.
const MAX_MODIFIERS: usize = 6;

/// Words that begin a declaration in many languages. `def` is not one of them: in Groovy, it begins
/// a local variable, too.
const DECLARING: [&str; 10] =
    ["class", "enum", "fn", "fun", "func", "interface", "object", "protocol", "struct", "trait"];

/// What a text with broken places says.
pub(super) struct Reading<'t> {
    /// The syntax tree without the places, and that of each place.
    pub(super) trees: Vec<Tree>,
    /// The walk of the first tree.
    walked: WalkResult<'t>,
    /// The walks of the others.
    alone: Vec<Part<'t>>,
    /// What the first tree leaves out, in order.
    pub(super) left_out: Vec<ByteRange>,
    /// Where the declarations begin, in order, that are read alone because nothing is around them.
    outermost: Vec<u32>,
    /// Whether some other reading declared a lost line.
    is_recoverable: bool,
}

/// Parses a text with `parse`, and walks its tree. Parts that hide other lines are left out, parsed
/// and walked alone, if the reading `recovers`. Returns `None` if `parse` returns no tree.
pub(super) fn read<'t>(
    language: Language,
    resolved: &'static ResolvedTable,
    parse: impl FnOnce() -> Option<Tree>,
    lines: &'t Lines<'t>,
    limit: u32,
    recovers: bool,
) -> Option<Reading<'t>> {
    let mut recovery = Recovery {
        language,
        resolved,
        lines,
        limit,
        seen: OnceCell::new(),
        budget: Budget::default(),
        n_failures: 0,
        n_bytes: 0,
        tried: HashSet::new(),
    };
    let sides = conflicts(lines).filter(|_| recovers).and_then(|conflicts| recovery.sides(conflicts));
    let mut reading = match sides {
        Some(reading) => reading,
        None => recovery.whole(parse)?,
    };
    if !recovers {
        return Some(reading);
    }
    if resolved.table.is_indented {
        recovery.entries(&mut reading);
        return Some(reading);
    }
    recovery.narrow(&mut reading);
    let mut n_rounds = 0;
    while n_rounds < MAX_ROUNDS && recovery.improve(&mut reading) {
        n_rounds += 1;
    }
    Some(reading)
}

/// Reads a text with merge conflicts: all of it but their second sides, and these. `None` if there
/// are none, or if there is a syntax error left.
pub(super) fn read_sides<'t>(
    language: Language,
    resolved: &'static ResolvedTable,
    lines: &'t Lines<'t>,
    limit: u32,
) -> Option<Reading<'t>> {
    let reading = read(language, resolved, || None, lines, limit, true)?;
    let is_read = reading.trees.first().is_some_and(|tree| !tree.root_node().has_error());
    is_read.then_some(reading)
}

/// A reading that may be better than another.
struct NextReading<'t> {
    tree: Tree,
    walked: WalkResult<'t>,
    /// What is read alone in addition.
    alone: Vec<(Tree, Part<'t>)>,
    left_out: Vec<ByteRange>,
}

/// The state of a recovery.
struct Recovery<'t> {
    language: Language,
    resolved: &'static ResolvedTable,
    lines: &'t Lines<'t>,
    limit: u32,
    /// What the parser sees of the text, once a part of it is parsed.
    seen: OnceCell<Option<SeenText<'t>>>,
    budget: Budget,
    /// Readings that were not better.
    n_failures: usize,
    /// Bytes that were parsed again.
    n_bytes: usize,
    /// The first and the last offset of what was left out before.
    tried: HashSet<(u32, u32)>,
}

impl<'t> Recovery<'t> {
    /// Reads a text as a whole, but for parts that the grammar cannot read in it.
    fn whole(&mut self, parse: impl FnOnce() -> Option<Tree>) -> Option<Reading<'t>> {
        let table = &self.resolved.table;
        let text = self.lines.text();
        let outermost = table.outermost.map(|find| find(text)).unwrap_or_default();
        let nested = match table.nested {
            Some(find) => find(text),
            None => outermost.iter().map(|one| one.bytes).collect(),
        };
        if let Some(reading) = self.apart(&nested) {
            return Some(reading.with(outermost, self.lines));
        }
        let tree = parse()?;
        let walked = walk::walk(self.language, self.resolved, &tree, self.lines, self.limit);
        Some(Reading::of(tree, walked, Vec::new()))
    }

    /// Reads a text without the markers and the second sides of conflicts. A reading without the
    /// first sides says what is in the second ones. `None` if the rest cannot be parsed.
    fn sides(&mut self, conflicts: Conflicts) -> Option<Reading<'t>> {
        let Conflicts { second, first, own } = conflicts;
        let (left_out, remaining) = without(&[], &second, self.lines.text())?;
        let (tree, walked) = self.parse(&remaining, None)?;
        let mut reading = Reading::of(tree, walked, left_out);
        let other = without(&[], &first, self.lines.text());
        if let Some((_, walked)) = other.and_then(|(_, remaining)| self.parse(&remaining, None)) {
            let own = own.into_iter().filter(|one| !one.of(self.lines.text()).trim().is_empty()).collect();
            reading.alone.push(Part::sides(walked, own));
        }
        Some(reading)
    }

    /// Reads a text without the entries that the parser cannot read, if there are any: it stops at
    /// the first one.
    fn entries(&mut self, reading: &mut Reading<'t>) {
        let is_broken = reading.trees.first().is_some_and(|tree| tree.root_node().has_error());
        if !is_broken || !reading.left_out.is_empty() {
            return;
        }
        let Some(seen) = self.seen() else { return };
        let mut budget = Budget::default();
        let Some(found) = Entries::new(self.lines, seen, &mut budget).find() else { return };
        let out: Vec<ByteRange> = found.iter().map(|one| one.value).collect();
        let Some((left_out, remaining)) = without(&[], &out, self.lines.text()) else { return };
        let Some((tree, walked)) = self.parse(&remaining, None) else { return };
        let next = Reading::of(tree, walked, left_out);
        if next.declared(self.lines).len() > reading.declared(self.lines).len() {
            *reading = next;
            reading.trees.extend(found.into_iter().map(|one| one.tree));
        }
    }

    /// Reads a text without these parts, and each of them alone. An outer one is before those in
    /// it. `None` if there are none, or if the rest cannot be parsed.
    fn apart(&mut self, nested: &[ByteRange]) -> Option<Reading<'t>> {
        nested.first()?;
        let whole = ByteRange { start: 0, end: offset(self.lines.text().len()) };
        let (remaining, left_out) = less(whole, nested);
        let (tree, walked) = self.parse(&remaining, None)?;
        let mut reading = Reading::of(tree, walked, left_out);
        for (at, one) in nested.iter().enumerate() {
            let inner = nested.get(at + 1..).unwrap_or_default();
            if let Some((tree, walked)) = self.parse(&less(*one, inner).0, None) {
                reading.trees.push(tree);
                reading.alone.push(Part::whole(walked));
            }
        }
        Some(reading)
    }

    /// Takes apart the blocks with an error, and reads the text without the statements that the
    /// grammar cannot read, if that is better.
    fn narrow(&mut self, reading: &mut Reading<'t>) {
        let broken = reading.trees.first().filter(|tree| tree.root_node().has_error());
        let Some(errors) = broken.filter(|_| reading.left_out.is_empty()).map(ErrorPlaces::of) else {
            return;
        };
        if errors.spans.is_empty() || errors.places.len() > MAX_NARROWED {
            return;
        }
        let declared = reading.declared(self.lines);
        let lost = self.lost(&errors, &declared, &reading.left_out);
        if lost.is_empty() {
            return;
        }
        let Some(seen) = self.seen() else { return };
        let mut budget = Budget::default();
        let mut narrowing = Narrower {
            lines: self.lines,
            seen,
            budget: &mut budget,
            n_bytes: MAX_BYTES,
            spans: &errors.spans,
            found: Vec::new(),
        };
        if !narrowing.run() {
            return;
        }
        let pieces = narrowing.found;
        let out: Vec<ByteRange> = pieces.iter().map(|piece| piece.bytes).collect();
        let alone = pieces.iter().filter_map(|piece| {
            let tree = seen.parse(self.lines, &piece.ranges(), None, &mut budget)?;
            let walked = walk::walk(self.language, self.resolved, &tree, self.lines, self.limit);
            Some((tree, Part::piece(walked, piece)))
        });
        let alone = alone.collect();
        let Some((left_out, remaining)) = without(&reading.left_out, &out, self.lines.text()) else { return };
        let Some((tree, walked)) = self.parse(&remaining, reading.trees.first()) else { return };
        let next = NextReading { tree, walked, alone, left_out };
        self.adopt(reading, next, &out, &lost, &declared);
    }

    /// Replaces a reading by the next one, if that declares more lines. `out` is what it leaves out
    /// in addition; `lost` and `declared` are the lines before. Returns whether it does.
    fn adopt(
        &self,
        reading: &mut Reading<'t>,
        next: NextReading<'t>,
        out: &[ByteRange],
        lost: &BTreeSet<u32>,
        declared: &BTreeSet<u32>,
    ) -> bool {
        let mut now: BTreeSet<u32> = lines_of(&next.walked.declarations, self.lines).collect();
        let alone = reading.alone.iter().chain(next.alone.iter().map(|(_, part)| part));
        now.extend(alone.flat_map(|part| part.lines(self.lines)));
        let found = lost.intersection(&now).count();
        reading.is_recoverable |= found > 0;
        let is_cut = |line: &&u32| {
            let at = self.lines.start(**line);
            out.iter().any(|one| one.start <= at && at < one.end)
        };
        // The place itself may lose its declaration, for as many others.
        let (in_cut, outside): (Vec<&u32>, Vec<&u32>) = declared.difference(&now).partition(is_cut);
        if found < in_cut.len() + outside.len() || found <= outside.len() {
            return false;
        }
        (reading.walked, reading.left_out) = (next.walked, next.left_out);
        if let Some(slot) = reading.trees.first_mut() {
            *slot = next.tree;
        }
        for (tree, part) in next.alone {
            reading.trees.push(tree);
            reading.alone.push(part);
        }
        true
    }

    /// Looks for lines without which the text can be read better, and reads it so. Returns whether
    /// there are any.
    fn improve(&mut self, reading: &mut Reading<'t>) -> bool {
        let broken = reading.trees.first().filter(|tree| tree.root_node().has_error());
        let Some(errors) = broken.map(ErrorPlaces::of) else { return false };
        if errors.spans.is_empty() || errors.places.len() > MAX_ERRORS {
            return false;
        }
        let declared = reading.declared(self.lines);
        let lost = self.lost(&errors, &declared, &reading.left_out);
        if lost.is_empty() {
            return false;
        }
        for cut in self.cuts(&errors, &lost) {
            if !self.tried.insert((cut.start, cut.end)) {
                continue;
            }
            let Some((left_out, remaining)) = without(&reading.left_out, &[cut], self.lines.text()) else {
                continue;
            };
            self.n_bytes += remaining.iter().map(|one| one.len() as usize).sum::<usize>();
            if self.n_bytes > MAX_BYTES || self.n_failures == MAX_FAILURES {
                return false;
            }
            let Some((tree, walked)) = self.parse(&remaining, reading.trees.first()) else {
                self.n_failures += 1;
                continue;
            };
            let alone = self.parse(&[cut], None).map(|(tree, walked)| (tree, Part::whole(walked)));
            let next = NextReading { tree, walked, alone: alone.into_iter().collect(), left_out };
            if self.adopt(reading, next, &[cut], &lost, &declared) {
                return true;
            }
            self.n_failures += 1;
        }
        false
    }

    /// Returns what may be left out, in the order in which it is tried.
    fn cuts(&self, errors: &ErrorPlaces, lost: &BTreeSet<u32>) -> Vec<ByteRange> {
        // The line in front of a lost line is likely to hide it.
        let before = lost.iter().take(2).filter_map(|&line| self.line_before(line));
        let places = before.chain(errors.places.iter().copied().take(MAX_PLACES));
        places.flat_map(|line| blocks(self.lines, line)).collect()
    }

    /// Returns the last line in front of one that has the same indentation and begins something.
    fn line_before(&self, line: u32) -> Option<u32> {
        let (indent, _) = begin(self.lines, line)?;
        let begins = |line: &u32| {
            begin(self.lines, *line).is_some_and(|(of, _)| of == indent) && !is_continued(self.lines, *line)
        };
        (0..line).rev().take(MAX_LINES_BEFORE).find(begins)
    }

    /// Returns what the parser sees of the text.
    fn seen(&self) -> Option<&SeenText<'t>> {
        self.seen.get_or_init(|| SeenText::of(self.language, self.lines.text())).as_ref()
    }

    /// Parses these ranges, and walks the tree. An `old` tree of other ranges saves time.
    fn parse(&mut self, ranges: &[ByteRange], old: Option<&Tree>) -> Option<(Tree, WalkResult<'t>)> {
        let end = offset(self.lines.text().len());
        let is_whole = ranges.first()?.start == 0 && ranges.last()?.end == end;
        let mut budget = std::mem::take(&mut self.budget);
        // A part alone may mean something else, as what looks like a macro does.
        let tree = match if is_whole { self.seen() } else { None } {
            Some(seen) => seen.parse(self.lines, ranges, old, &mut budget),
            None => parse::parse_masked(self.language, self.lines, ranges, None, &mut budget),
        };
        self.budget = budget;
        let tree = tree?;
        let walked = walk::walk(self.language, self.resolved, &tree, self.lines, self.limit);
        Some((tree, walked))
    }

    /// Returns the lines that are lost.
    fn lost(&self, errors: &ErrorPlaces, declared: &BTreeSet<u32>, left_out: &[ByteRange]) -> BTreeSet<u32> {
        let begins = |line: u32| begin(self.lines, line);
        let mut known: HashSet<(usize, &str)> =
            declared.iter().chain(&errors.places).filter_map(|&line| begins(line)).collect();
        // In some languages, a declaration begins with its name. There, and where nothing is known,
        // people put an empty line between declarations, or a brace at the end of each.
        let levels: HashSet<usize> = known.iter().map(|(indentation, _)| *indentation).collect();
        let is_apart = |line: &u32| {
            let before = line.checked_sub(1);
            let is_first = before.is_some_and(|before| {
                let ends = is_continued(self.lines, before) && indentation(self.lines, before) == 0;
                self.lines.blank(before) || ends
            });
            is_first
                && begins(*line).is_some_and(|(of, _)| of == 0 && levels.contains(&0) || declared.is_empty())
        };
        known.extend((0..self.lines.len()).filter(is_apart).filter_map(begins));
        let is_left_out = |line: u32| {
            let at = self.lines.start(line);
            left_out.iter().any(|one| one.start <= at && at < one.end)
        };
        let lines = errors.spans.iter().flat_map(|&(first, last)| first..=last);
        lines
            .filter(|line| !declared.contains(line) && !is_left_out(*line))
            .filter(|&line| {
                begins(line).is_some_and(|begin| known.contains(&begin)) || is_declaring(self.lines, line)
            })
            .collect()
    }
}

impl<'t> Reading<'t> {
    /// Returns the reading of one tree.
    fn of(tree: Tree, walked: WalkResult<'t>, left_out: Vec<ByteRange>) -> Self {
        let (trees, alone, outermost) = (vec![tree], Vec::new(), Vec::new());
        Self { trees, walked, alone, left_out, outermost, is_recoverable: false }
    }

    /// Returns the errors, as [`super::ChunkedFile`] has them.
    pub(super) fn errors(&self) -> Option<Vec<ByteRange>> {
        let [tree] = self.trees.as_slice() else { return None };
        let is_local = || ErrorPlaces::of(tree).spans.iter().all(|(first, last)| first == last);
        let is_plain = self.left_out.is_empty() && !self.is_recoverable;
        (is_plain && is_local()).then(|| errors::outermost(tree))
    }

    /// Returns the lines at which declarations begin.
    fn declared(&self, lines: &Lines<'_>) -> BTreeSet<u32> {
        let alone = self.alone.iter().flat_map(|part| part.lines(lines));
        alone.chain(lines_of(&self.walked.declarations, lines)).collect()
    }

    /// Adds what is known of the parts that are read alone because nothing is around them.
    fn with(mut self, outermost: Vec<Outermost>, lines: &Lines<'_>) -> Self {
        if outermost.len() == self.alone.len() {
            let parts = std::mem::take(&mut self.alone).into_iter().zip(&outermost);
            self.alone = parts.map(|(part, one)| part.with_head(one, lines)).collect();
        }
        self.outermost = outermost.into_iter().map(|one| one.bytes.start).collect();
        self
    }

    /// Joins the walks into one. A part that was read alone belongs to the declaration around it.
    pub(super) fn joined(self, lines: &Lines<'_>) -> WalkResult<'t> {
        let Self { walked: mut all, alone, outermost, .. } = self;
        if alone.is_empty() {
            return all;
        }
        // A function whose end is not found must not contain those behind it.
        for one in &mut all.declarations {
            let next = outermost.partition_point(|at| *at <= one.span.bytes.start);
            if let Some(&end) = outermost.get(next).filter(|end| **end < one.span.bytes.end) {
                let bytes = ByteRange { end, ..one.span.bytes };
                let length = offset(bytes.of(lines.text()).trim_end().len());
                one.span = lines.span(ByteRange { end: bytes.start + length, ..bytes });
            }
        }
        // A part that was read alone may be in another one that was read before.
        let mut spans: Vec<ByteRange> = Vec::new();
        for one in alone {
            spans.extend(all.declarations.iter().skip(spans.len()).map(|one| one.span.bytes));
            let around =
                |at: u32| spans.iter().rposition(|span| span.start < at && at < span.end).map(offset);
            one.append_to(&mut all, around);
        }
        sort(&mut all);
        all
    }
}

/// Puts what was found into the order of the text.
fn sort(all: &mut WalkResult<'_>) {
    let (declarations, places) = declaration_order::in_order(&all.declarations, |_| true);
    let moved = |at: u32| places.get(at as usize).copied().flatten().unwrap_or(at);
    all.declarations = declarations;
    all.mentions.iter_mut().for_each(|one| one.within = one.within.map(moved));
    all.leaves.iter_mut().for_each(|one| one.within = one.within.map(moved));
    all.bound.iter_mut().for_each(|one| one.map(moved));
    all.mentions.sort_by_key(|one| one.at);
    all.leaves.sort_by_key(|one| one.at);
    all.comments.sort_unstable();
    all.comments.dedup_by(|next, kept| next.start < kept.end);
    all.atoms.sort_by_key(|atom| (atom.bytes.start, Reverse(atom.bytes.end)));
    let mut end = 0;
    all.atoms.retain(|&Atom { bytes, .. }| {
        let is_next = bytes.start >= end;
        end = end.max(bytes.end);
        is_next
    });
}

/// Returns the lines at which declarations begin, without their comments. A declaration that is
/// indented no more than the one around it is left out: it belongs to that by mistake. So does a
/// variable in a variable, which is a local one of a function that was lost.
fn lines_of<'l>(declarations: &'l [Declaration], lines: &'l Lines<'_>) -> impl Iterator<Item = u32> + 'l {
    let line = |one: &Declaration| lines.of(one.signature.start);
    let is_misplaced = move |one: &Declaration| {
        let around = one.parent.and_then(|parent| declarations.get(parent as usize));
        around.is_some_and(|around| {
            let is_level = around.kind != DeclarationKind::Module
                && line(around) != line(one)
                && indentation(lines, line(around)) == indentation(lines, line(one));
            is_level || [around.kind, one.kind].iter().all(|kind| *kind == DeclarationKind::Variable)
        })
    };
    declarations.iter().filter(move |one| !is_misplaced(one)).map(line)
}

fn indentation(lines: &Lines<'_>, line: u32) -> usize {
    let text = written(lines, line);
    text.len() - text.trim_start().len()
}

/// Returns the indentation and the first word of a line; `None` if it begins with something else.
fn begin<'t>(lines: &Lines<'t>, line: u32) -> Option<(usize, &'t str)> {
    let text = written(lines, line);
    let trimmed = text.trim_start();
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '$');
    let end = trimmed.find(|c: char| !is_letter(c)).unwrap_or(trimmed.len());
    let word = trimmed.get(..end).filter(|word| !word.is_empty());
    // A list begins with a parenthesis: `(defn f [])`.
    let word = word.or_else(|| trimmed.strip_prefix('(').map(|_| "("))?;
    Some((text.len() - trimmed.len(), word))
}

fn written<'t>(lines: &Lines<'t>, line: u32) -> &'t str {
    ByteRange { start: lines.start(line), end: lines.end(line) }.of(lines.text())
}

/// Returns whether the words of a line are those that declare a type or a function in many
/// languages: one of them behind modifiers, in front of a name.
fn is_declaring(lines: &Lines<'_>, line: u32) -> bool {
    let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
    let mut words = written(lines, line).split_ascii_whitespace().take(MAX_MODIFIERS);
    let declares = words.by_ref().take_while(is_word).any(|word| DECLARING.contains(&word));
    declares && words.next().is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// Returns the lines that may be the broken place around a line: those that begin with it and are
/// indented further, then the same for each line around that is indented less.
fn blocks(lines: &Lines<'_>, line: u32) -> Vec<ByteRange> {
    let indent = |line: u32| indentation(lines, line);
    let mut blocks = Vec::new();
    let mut first = line;
    // A line that begins with a brace goes on with the one before.
    while first > 0 && (lines.blank(first) || is_continued(lines, first)) {
        first -= 1;
    }
    loop {
        let level = indent(first);
        let mut end = first + 1;
        while end < lines.len() {
            let is_inside = lines.blank(end) || indent(end) > level;
            if !(is_inside || indent(end) == level && is_continued(lines, end)) {
                break;
            }
            end += 1;
        }
        blocks.push(ByteRange { start: lines.start(first), end: lines.start(end) });
        let around = (0..first)
            .rev()
            .find(|&line| !lines.blank(line) && !is_continued(lines, line) && indent(line) < level);
        match around {
            Some(line) if level > 0 && blocks.len() < MAX_LEVELS => first = line,
            _ => return blocks,
        }
    }
}

/// Returns whether a line goes on with what the line before began, or ends it.
fn is_continued(lines: &Lines<'_>, line: u32) -> bool {
    let text = written(lines, line).trim_start();
    let word = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    text.starts_with(['{', '}', ')', ']'])
        || word.to_ascii_lowercase().starts_with("end")
        || matches!(word, "begin" | "do" | "done" | "else" | "esac" | "fi" | "is" | "then")
}
