//! The declarations of a version that differs little from a version that was read before.
//!
//! Owns [`read`] and [`read_named`]: (text, known version) → declarations and errors, or `None` if
//! the text must be parsed as a whole. Most commits change a few lines of a file. So only an
//! excerpt of the text is parsed: everything but the declarations that have the same lines in both
//! versions, and whose neighbours have too. Beside a change, a function loses only its body. What
//! is left out is taken from the known version, at its place in the text.
//!
//! [`read_named`] is asked for the declarations of one name. So a declaration that changed is left
//! out too, with its errors, if its new lines lack the name. One without a name takes its place: it
//! is read as soon as a version has the name there. If the name is declared in another place than
//! before, or another number of times, the text is parsed as a whole.
//!
//! The result must be that of the whole text. These rules see to it:
//! - All syntax errors are in the excerpt, because their number decides how a text is read. Text
//!   follows each, by which the parser finds out of it. Those of the known version are there again,
//!   if their lines are the same, and no others. None of them hides anything: no other reading of
//!   the text declares more.
//! - An empty line is left in place of a declaration, so that a comment above it documents nothing
//!   else.
//! - Macros stay, and so does everything with `#if` or `#endif` without the other.
//! - The declarations that are the same in both versions and stay in the excerpt are witnesses:
//!   they must be read as before. If a change opens a brace or a comment, they are not.
//! - What is left out is in a declaration of the same kind in both versions.
//! - The rest must not have the name of a macro that begins or ceases to be defined, nor that of a
//!   variable whose declaration moves to another place: some languages declare a variable where it
//!   is assigned first.
//!
//! A text that can't be parsed as a whole is left to the parser.

mod lines;
mod selection;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::base::text::words;
use crate::index::chunk::{
    ByteRange, ChunkOptions, ChunkedFile, Declaration, DeclarationKind, Language, Span, chunk,
    chunk_as_written, is_parseable,
};

use lines::{Difference, Lines, offset};
use selection::{Selection, Unit};

/// An excerpt must leave out at least the text's length divided by this, or it saves no time.
const LEAST_SHARE: usize = 4;

/// Bytes that must follow a syntax error. Of two ways out of an error, the parser keeps the better
/// one after some tens of tokens at most.
const AFTER_ERROR: u32 = 512;

/// Languages in which an assignment never declares what it assigns to.
const DECLARES_FIRST: [&str; 10] =
    ["c", "c-sharp", "cpp", "go", "java", "kotlin", "rust", "scala", "swift", "zig"];

/// A version that was read, and in which no error hides anything.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownVersion<'k> {
    pub(super) language: Language,
    pub(super) text: &'k str,
    /// Those of the whole text, in order.
    pub(super) declarations: &'k [Declaration],
    /// The syntax errors.
    pub(super) errors: &'k [ByteRange],
}

/// What was read of a text, or of an excerpt.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FoundSyntax {
    pub(super) declarations: Vec<Declaration>,
    /// The syntax errors, at their places in the whole text.
    pub(super) errors: Vec<ByteRange>,
}

/// Reads a text in the known version's language. The known version must have been read so, too.
pub(super) fn read(text: &str, known: KnownVersion<'_>, options: &ChunkOptions) -> Option<FoundSyntax> {
    read_excerpt(text, known, None, options)
}

/// Reads the declarations of one name in a text, and what is around them and in them. Of the
/// others, it may read some. The known version may have been read so, for the same name.
pub(super) fn read_named(
    name: &str,
    text: &str,
    known: KnownVersion<'_>,
    options: &ChunkOptions,
) -> Option<FoundSyntax> {
    read_excerpt(text, known, Some(name), options)
}

/// Reads a text for a name, or for all names.
fn read_excerpt(
    text: &str,
    known: KnownVersion<'_>,
    name: Option<&str>,
    options: &ChunkOptions,
) -> Option<FoundSyntax> {
    let table = known.language.table()?;
    if table.chunks.is_some() || table.has_dialects || !is_parseable(text) {
        return None;
    }
    let difference = Difference::of(Lines::of(known.text), Lines::of(text));
    let selection = Selection::of(known, &difference, name);
    let excerpt = Excerpt::of(&difference, &selection.units);
    if text.len() - excerpt.text.len() < text.len() / LEAST_SHARE {
        return None;
    }
    let known = KnownVersion { errors: &selection.errors, ..known };
    let FoundSyntax { declarations, mut errors } = excerpt.read(known, &difference, options)?;
    if !has_same_errors(known, &errors, &difference) {
        return None;
    }
    let own = Lines::of(&excerpt.text);
    let found = declarations.into_iter().map(|one| excerpt.placed(one, &own, &difference.new));
    let found = found.collect::<Option<_>>()?;
    let reading = Reading { known, difference: &difference, selection: &selection, found, name };
    let is_valid = reading.has_witnesses() && reading.has_same_names();
    let declarations = if is_valid { reading.joined() } else { None }?;
    // What is left out may have begun or ended what is around a declaration of the name.
    if name.is_some_and(|name| places(&declarations, name) != places(known.declarations, name)) {
        return None;
    }
    errors.extend(selection.left_out_errors.iter().map(|one| difference.bytes(*one)));
    errors.sort_unstable();
    Some(FoundSyntax { declarations, errors })
}

/// For each declaration of a name, its kind, and the kinds and names of those around it, in order.
fn places<'d>(all: &'d [Declaration], name: &str) -> Vec<Vec<(DeclarationKind, &'d str)>> {
    let around = |one: &'d Declaration| {
        let outer = |one: &&'d Declaration| all.get(one.parent? as usize);
        let chain = std::iter::successors(Some(one), outer);
        chain.map(|one| (one.kind, one.name.as_str())).collect()
    };
    let mut places: Vec<Vec<(DeclarationKind, &str)>> =
        all.iter().filter(|one| one.name == name).map(around).collect();
    places.sort();
    places
}

/// Whether the lines that are in both versions have the same errors. Those of a declaration that
/// was not read are unknown.
fn has_same_errors(known: KnownVersion<'_>, found: &[ByteRange], difference: &Difference<'_>) -> bool {
    let is_unread = |one: &&Declaration| {
        let lines = difference.old.around(one.span.bytes);
        one.name.is_empty() && difference.keeps(&lines)
    };
    let unread = known.declarations.iter().filter(is_unread);
    let unread: Vec<ByteRange> = unread.map(|one| difference.bytes(one.span.bytes)).collect();
    let is_read = |one: &&ByteRange| unread.iter().all(|all| !all.contains(one.start));
    let kept = known.errors.iter().filter(|one| !difference.has_changed(difference.old.at(one.start)));
    let kept = kept.map(|one| difference.bytes(*one));
    let found = found.iter().filter(is_read);
    kept.eq(found.filter(|one| !difference.is_new(difference.new.at(one.start))).copied())
}

/// Whether the text around each error stays the same: the outermost declaration, or else its line.
fn keeps_errors(known: KnownVersion<'_>, difference: &Difference<'_>) -> bool {
    known.errors.iter().all(|one| {
        let is_around = |outer: &&Declaration| {
            let bytes = outer.span.bytes;
            outer.parent.is_none() && bytes.start <= one.start && one.end <= bytes.end
        };
        let around = known.declarations.iter().find(is_around).map_or(*one, |outer| outer.span.bytes);
        difference.keeps(&difference.old.around(around))
    })
}

/// A text without some declarations.
struct Excerpt {
    text: String,
    /// For each part, where it begins in the excerpt and in the whole text, and its length.
    parts: Vec<(u32, u32, u32)>,
}

impl Excerpt {
    /// Leaves some units of the old version out of the new one.
    fn of(difference: &Difference<'_>, units: &[Unit]) -> Self {
        let new = &difference.new;
        let mut excerpt = Self { text: String::with_capacity(new.text.len()), parts: Vec::new() };
        let mut from = 0;
        for unit in units {
            excerpt.push(new, ByteRange { start: from, end: new.start(unit.new_lines.start) });
            excerpt.text.push('\n');
            from = new.start(unit.new_lines.end);
        }
        excerpt.push(new, ByteRange { start: from, end: offset(new.text.len()) });
        excerpt
    }

    fn push(&mut self, new: &Lines<'_>, part: ByteRange) {
        self.parts.push((offset(self.text.len()), part.start, part.len()));
        self.text.push_str(part.of(new.text));
    }

    /// The place of a byte of the excerpt in the whole text; `None` if a unit was there.
    fn start(&self, at: u32) -> Option<u32> {
        let next = self.parts.partition_point(|&(from, _, _)| from <= at);
        let &(from, whole, len) = self.parts.get(next.checked_sub(1)?)?;
        let is_in = at - from < len || next == self.parts.len() && at - from == len;
        is_in.then(|| whole + (at - from))
    }

    fn bytes(&self, bytes: ByteRange) -> Option<ByteRange> {
        if bytes == ByteRange::default() {
            return Some(bytes);
        }
        let start = self.start(bytes.start)?;
        let end = if bytes.is_empty() { start } else { self.start(bytes.end - 1)? + 1 };
        Some(ByteRange { start, end })
    }

    /// Reads the excerpt. Errors that hid nothing in the known version are not looked at again, if
    /// they are all that there are.
    fn read(
        &self,
        known: KnownVersion<'_>,
        difference: &Difference<'_>,
        options: &ChunkOptions,
    ) -> Option<FoundSyntax> {
        let placed = |file: ChunkedFile| {
            let errors = file.errors?.into_iter().map(|one| self.error(one)).collect::<Option<_>>()?;
            Some(FoundSyntax { declarations: file.declarations, errors })
        };
        let is_old = |one: &ByteRange| !difference.is_new(difference.new.at(one.start));
        if keeps_errors(known, difference) {
            let found = chunk_as_written(known.language, &self.text, options).and_then(placed)?;
            if found.errors.iter().all(is_old) {
                return Some(found);
            }
        }
        placed(chunk(known.language, &self.text, options))
    }

    /// A syntax error of the excerpt at its place in the whole text; `None` if what follows it is
    /// left out.
    fn error(&self, bytes: ByteRange) -> Option<ByteRange> {
        let last = offset(self.text.len());
        let end = self.start(bytes.end.saturating_add(AFTER_ERROR).min(last))?;
        let found = self.bytes(bytes)?;
        let is_together = end - found.start <= bytes.len() + AFTER_ERROR;
        is_together.then_some(found)
    }

    /// A declaration of the excerpt at its place in the whole text.
    fn placed(&self, mut one: Declaration, own: &Lines<'_>, new: &Lines<'_>) -> Option<Declaration> {
        let line = |line: u32| Some(new.at(self.start(own.start(line.checked_sub(1)?))?) + 1);
        one.name_line = line(one.name_line)?;
        let (start_line, end_line) = (line(one.span.start_line)?, line(one.span.end_line)?);
        one.span = Span { bytes: self.bytes(one.span.bytes)?, start_line, end_line };
        one.signature = self.bytes(one.signature)?;
        one.body = self.bytes(one.body)?;
        one.doc = self.bytes(one.doc)?;
        Some(one)
    }
}

/// What was read of an excerpt.
struct Reading<'r> {
    known: KnownVersion<'r>,
    difference: &'r Difference<'r>,
    selection: &'r Selection,
    /// The declarations of the excerpt, at their places in the whole text.
    found: Vec<Declaration>,
    /// The only name that is asked for.
    name: Option<&'r str>,
}

impl Reading<'_> {
    /// A declaration of the known version that is kept, at its place in the whole text.
    fn moved(&self, one: &Declaration) -> Declaration {
        let line = |line: u32| self.difference.line(line.saturating_sub(1)) + 1;
        let bytes = |bytes: ByteRange| {
            if bytes == ByteRange::default() { bytes } else { self.difference.bytes(bytes) }
        };
        let span = Span {
            bytes: bytes(one.span.bytes),
            start_line: line(one.span.start_line),
            end_line: line(one.span.end_line),
        };
        Declaration {
            name_line: line(one.name_line),
            span,
            signature: bytes(one.signature),
            body: bytes(one.body),
            doc: bytes(one.doc),
            ..one.clone()
        }
    }

    /// The declaration without a name in place of a unit that was not read.
    fn unread(&self, unit: &Unit) -> Declaration {
        let Range { start, end } = unit.new_lines;
        let span = Span { bytes: unit.new_bytes(self.difference), start_line: start + 1, end_line: end };
        Declaration {
            name: String::new(),
            scope: String::new(),
            kind: DeclarationKind::Function,
            parent: None,
            span,
            name_line: start + 1,
            signature: ByteRange::default(),
            body: ByteRange::default(),
            doc: ByteRange::default(),
        }
    }

    /// Whether the declarations that are kept and stay in the excerpt were read as before.
    fn has_witnesses(&self) -> bool {
        let all = self.selection.witnesses.iter().filter_map(|&at| self.known.declarations.get(at));
        all.filter(|one| !one.name.is_empty()).all(|one| {
            let one = self.moved(one);
            let start = one.span.bytes.start;
            let first = self.found.partition_point(|other| other.span.bytes.start < start);
            let beside = self.found.iter().skip(first).take_while(|other| other.span.bytes.start == start);
            beside.cloned().any(|other| Declaration { parent: one.parent, ..other } == one)
        })
    }

    /// Whether the rest has no name that begins or ceases to be declared, or that moves across what
    /// is left out, of those that tell how the rest is read.
    fn has_same_names(&self) -> bool {
        let units = &self.selection.units;
        let declares_first = DECLARES_FIRST.contains(&self.known.language.name());
        let has_effect = |one: &Declaration| match one.kind {
            DeclarationKind::Macro => true,
            DeclarationKind::Variable | DeclarationKind::Constant | DeclarationKind::Field => !declares_first,
            _ => false,
        };
        let mut before = HashSet::new();
        for (one, _) in
            self.known.declarations.iter().zip(&self.selection.is_left_out).filter(|(_, out)| !**out)
        {
            if has_effect(one) {
                let n_before = units.partition_point(|unit| unit.bytes.start < one.span.bytes.start);
                before.insert((one.kind, one.name.as_str(), n_before));
            }
        }
        let mut now = HashSet::new();
        for one in self.found.iter().filter(|one| has_effect(one)) {
            let start = |unit: &Unit| unit.new_bytes(self.difference).start;
            let n_before = units.partition_point(|unit| start(unit) < one.span.bytes.start);
            now.insert((one.kind, one.name.as_str(), n_before));
        }
        let mut changed = before.symmetric_difference(&now);
        let texts = units.iter().map(|unit| unit.bytes.of(self.known.text));
        let texts: Vec<&str> =
            texts.filter(|text| self.name.is_none_or(|name| text.contains(name))).collect();
        changed.all(|(_, name, _)| texts.iter().all(|text| words(text, name).next().is_none()))
    }

    /// All declarations of the whole text. `None` if one that was left out is in another kind of
    /// declaration now.
    fn joined(self) -> Option<Vec<Declaration>> {
        /// Where a declaration comes from, and its parent there.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        enum Source {
            Known(u32),
            Excerpt(u32),
        }
        let mut all: Vec<(Declaration, Source, Option<Source>)> = Vec::new();
        for (at, one) in self.found.iter().enumerate() {
            all.push((one.clone(), Source::Excerpt(offset(at)), one.parent.map(Source::Excerpt)));
        }
        for unit in &self.selection.units {
            let inside = self.known.declarations.get(unit.declarations.clone())?;
            let Some(outer) = inside.first().map(|one| one.parent) else { continue };
            let bytes = unit.new_bytes(self.difference);
            let around = self.around(bytes);
            let kind = |all: &[Declaration], at: Option<u32>| Some(all.get(at? as usize)?.kind);
            if kind(self.known.declarations, outer) != kind(&self.found, around) {
                return None;
            }
            if !unit.is_same {
                all.push((
                    self.unread(unit),
                    Source::Known(offset(unit.declarations.start)),
                    around.map(Source::Excerpt),
                ));
                continue;
            }
            for (at, one) in unit.declarations.clone().zip(inside) {
                let parent = if one.parent == outer {
                    around.map(Source::Excerpt)
                } else {
                    one.parent.map(Source::Known)
                };
                all.push((self.moved(one), Source::Known(offset(at)), parent));
            }
        }
        all.sort_by_key(|(one, _, _)| one.span.bytes.start);
        let places: HashMap<Source, u32> =
            all.iter().enumerate().map(|(at, (_, source, _))| (*source, offset(at))).collect();
        let with_parent = |(mut one, _, parent): (Declaration, Source, Option<Source>)| {
            one.parent = parent.and_then(|parent| places.get(&parent).copied());
            one
        };
        Some(all.into_iter().map(with_parent).collect())
    }

    /// The innermost declaration of the excerpt around some bytes.
    fn around(&self, bytes: ByteRange) -> Option<u32> {
        let before = self.found.partition_point(|one| one.span.bytes.start <= bytes.start);
        let around = self.found.iter().take(before).rposition(|one| bytes.end <= one.span.bytes.end);
        around.map(offset)
    }
}
