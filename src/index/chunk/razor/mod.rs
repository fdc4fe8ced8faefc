//! Razor (`.razor`, `.cshtml`): HTML around C# → one walk of both.
//!
//! `scan` takes a file apart, and `program` makes the C# program that the file stands for. C#'s
//! grammar reads that program. Its findings are then moved back to their places in the file; those
//! that are not in the file are dropped. HTML's grammar reads the markup, and sees letters in place
//! of the code ([`markup_alone`]).
//!
//! The file belongs to the family of C#. Its scripts and style sheets carry a mark (`embedded`).
//! The name of the class is that of the file, which this part does not see: segments add it.

mod lexer;
mod program;
mod scan;

use super::atom::{Atom, AtomKind};
use super::container::{group, merged};
use super::embedded::mark;
use super::lines::Lines;
use super::markup::Part;
use super::mention::Mention;
use super::resolve::ResolvedTable;
use super::table::Table;
use super::walk_result::WalkResult;
use super::{ByteRange, Declaration, Language, ReferenceKind, complete, parse, walk};
use crate::base::text::identifier::offset_in;
use crate::base::text::words;
use program::{CLASS, Program};
use scan::{RazorFile, scan};
use std::borrow::Cow;
use std::sync::OnceLock;

/// C#'s table. A bare name may mean a declaration in another part of the class: `a.razor.cs`.
static TABLE: OnceLock<Table> = OnceLock::new();
static RESOLVED: OnceLock<ResolvedTable> = OnceLock::new();

/// Shortest block of code, in bytes, that is cut along its own syntax.
const MIN_BLOCK: u32 = 200;

/// Adds the code of a file to the walk of its markup. `limit` is that of [`walk::walk`].
pub(super) fn add<'t>(mut host: WalkResult<'t>, lines: &'t Lines<'t>, limit: u32) -> WalkResult<'t> {
    let RazorFile { class, parts, mut blocks, comments, code } = scan(lines.text());
    let code = outermost(code);
    // The target of a link, or an argument in a script, may be code.
    let is_markup = |one: &Mention<'_>| {
        let end = one.name_at.saturating_add(super::lines::offset(one.name.len()));
        let next = code.partition_point(|range| range.start < end);
        next.checked_sub(1).and_then(|at| code.get(at)).is_none_or(|range| range.end <= one.name_at)
    };
    host.mentions.retain(is_markup);
    host.comments.extend(comments);
    host.comments.sort_unstable();
    let program = Program::new(lines.text(), &class);
    blocks.retain(|block| block.len() >= MIN_BLOCK);
    let blocks = outermost(blocks);
    if let Some(found) = walked(&program, lines, &blocks, limit) {
        host = merged(host, found, &blocks, lines.text());
    }
    for language in ["css", "javascript"] {
        let of_language: Vec<Part> = parts.iter().filter(|part| part.language == language).copied().collect();
        if of_language.is_empty() {
            continue;
        }
        if let Some((mut found, blocks)) = group(language, &of_language, lines, limit) {
            found.mentions.retain(is_markup);
            mark(&mut found, language);
            host = merged(host, found, &blocks, lines.text());
        }
    }
    host
}

/// Returns the bytes of a file with letters in place of its code.
#[cfg(any(feature = "lang-c-sharp", test))]
pub(super) fn markup_alone(text: &str) -> Cow<'_, [u8]> {
    let mut bytes = text.as_bytes().to_vec();
    for range in scan(text).code {
        let code = bytes.get_mut(range.start as usize..range.end as usize).unwrap_or_default();
        code.iter_mut().filter(|byte| !byte.is_ascii_whitespace()).for_each(|byte| *byte = b'x');
    }
    Cow::Owned(bytes)
}

/// Returns the C# program of a file.
pub(super) fn program_of(text: &str) -> String {
    Program::new(text, &scan(text).class).text
}

/// Returns the ranges that are in no other one, in order.
fn outermost(mut ranges: Vec<ByteRange>) -> Vec<ByteRange> {
    ranges.sort_unstable_by_key(|one| (one.start, std::cmp::Reverse(one.end)));
    let mut end = 0;
    ranges.retain(|one| {
        let is_outside = one.start >= end;
        end = end.max(one.end);
        is_outside
    });
    ranges
}

/// Walks the program and moves what it finds to its place in the file.
fn walked<'t>(
    program: &Program,
    lines: &'t Lines<'t>,
    blocks: &[ByteRange],
    limit: u32,
) -> Option<WalkResult<'t>> {
    let language = Language::from_name("c-sharp")?;
    let resolved = language.resolved()?;
    if !parse::is_parseable(&program.text) {
        return None;
    }
    let own_lines = Lines::new(&program.text);
    let tree = parse::parse(language, &program.text)?;
    let mut walked = walk::walk(language, resolved, &tree, &own_lines, limit);
    let table = TABLE.get_or_init(|| Table { sees_package: true, ..*resolved.table });
    let of_program = RESOLVED.get_or_init(|| resolved.with_table(table));
    complete(of_program, &program.text, &mut walked);
    let has = |name: &&str| words(lines.text(), name).next().is_some();
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let model = Model {
        name: ["Model", "model"].into_iter().find(has),
        of_type: program.model.map(|ty| ty.of(lines.text())).filter(|ty| ty.chars().all(is_path)),
    };
    let mut found = WalkResult {
        declarations: declarations(program, &walked.declarations, &own_lines, lines),
        mentions: walked
            .mentions
            .iter()
            .filter_map(|one| mention(program, &model, one, lines.text()))
            .collect(),
        ..WalkResult::default()
    };
    found.comments = walked.comments.iter().filter_map(|one| program.source_range(*one)).collect();
    found.atoms = atoms(program, &walked.atoms, blocks, lines.text());
    Some(found)
}

/// Moves declarations. The class and its method are dropped, and what they hold is on its own.
fn declarations(
    program: &Program,
    all: &[Declaration],
    own_lines: &Lines<'_>,
    lines: &Lines<'_>,
) -> Vec<Declaration> {
    let mut places: Vec<Option<u32>> = Vec::with_capacity(all.len());
    let mut moved: Vec<Declaration> = Vec::new();
    for one in all {
        let parent = one.parent.and_then(|parent| places.get(parent as usize).copied().flatten());
        let bytes = program.source_range(one.span.bytes).filter(|_| one.name != CLASS);
        // The property of the model has its name from this part.
        let bytes = bytes.filter(|bytes| words(bytes.of(lines.text()), &one.name).next().is_some());
        let Some(bytes) = bytes else {
            places.push(None);
            continue;
        };
        places.push(u32::try_from(moved.len()).ok());
        let name_line = own_lines.start(one.name_line.saturating_sub(1)).max(one.span.bytes.start);
        let part = |range: ByteRange| program.source_range(range).unwrap_or_default();
        moved.push(Declaration {
            parent,
            span: lines.span(bytes),
            name_line: program.source(name_line).map_or(lines.of(bytes.start), |at| lines.of(at)) + 1,
            signature: program.source_range(one.signature).unwrap_or(bytes),
            body: part(one.body),
            doc: part(one.doc),
            ..one.clone()
        });
    }
    moved
}

/// The model of a page, whose property has its name from this part.
struct Model<'t> {
    /// The word that the file has for it, because a record holds only what its file has.
    name: Option<&'static str>,
    /// Its type, if that is written without arguments.
    of_type: Option<&'t str>,
}

/// Moves a mention. `None` if its name is not in the file.
fn mention<'t>(
    program: &Program,
    model: &Model<'t>,
    one: &Mention<'_>,
    text: &'t str,
) -> Option<Mention<'t>> {
    let name_at = program.source(one.name_at).filter(|at| is_at(text, *at, &one.name));
    let name_at =
        name_at.or_else(|| program.source(u32::try_from(offset_in(&program.text, &one.name)).ok()?))?;
    let name = ByteRange { start: name_at, end: name_at + u32::try_from(one.name.len()).ok()? }.of(text);
    if name != one.name || name.is_empty() {
        return None;
    }
    let written = |name: &str| match name.strip_prefix("Model") {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => Some([model.name?, rest].concat()),
        _ => Some(name.to_owned()),
    };
    // The class has no name here.
    let of_class = words(&one.alias, CLASS).next().is_some();
    let mut alias = if of_class { String::new() } else { written(&one.alias)? };
    // The model looks like a type, but it is an object.
    if let Some(ty) = model.of_type {
        match one.kind {
            ReferenceKind::Use if alias.is_empty() && one.qualifier == "Model" => ty.clone_into(&mut alias),
            ReferenceKind::Type if one.name == "Model" && one.qualifier.is_empty() => return None,
            _ => {}
        }
    }
    Some(Mention {
        at: program.source(one.at).unwrap_or(name_at),
        kind: one.kind,
        name: Cow::Borrowed(name),
        qualifier: Cow::Owned(written(&one.qualifier)?),
        alias: Cow::Owned(alias),
        within: None,
        is_own: one.is_own,
        is_in_modules: one.is_in_modules,
        is_implicit: one.is_implicit,
        may_be_value: one.may_be_value,
        is_read: one.is_read,
        is_assigned: one.is_assigned,
        name_at,
    })
}

fn is_at(text: &str, at: u32, name: &str) -> bool {
    text.get(at as usize..).is_some_and(|rest| rest.starts_with(name))
}

/// Moves the atoms in these blocks, which are in order. A block without one is an atom itself.
fn atoms(program: &Program, all: &[Atom], blocks: &[ByteRange], text: &str) -> Vec<Atom> {
    let mut moved: Vec<Atom> = Vec::new();
    let mut is_empty = vec![true; blocks.len()];
    for atom in all {
        let Some(bytes) = program.source_range(atom.bytes) else { continue };
        let at = blocks.partition_point(|block| block.end < bytes.end);
        if blocks.get(at).is_some_and(|block| block.start <= bytes.start) {
            moved.push(Atom { bytes, ..*atom });
            is_empty.get_mut(at).into_iter().for_each(|is_empty| *is_empty = false);
        }
    }
    for (block, is_empty) in blocks.iter().zip(is_empty) {
        let written = block.of(text);
        let start = block.start + super::lines::offset(written.len() - written.trim_start().len());
        let bytes = ByteRange { start, end: start + super::lines::offset(written.trim().len()) };
        if is_empty && !bytes.is_empty() {
            moved.push(Atom { bytes, depth: 2, kind: AtomKind::Other });
        }
    }
    moved.sort_unstable_by_key(|one| (one.bytes.start, one.bytes.end));
    moved
}

#[cfg(all(test, feature = "lang-c-sharp"))]
#[allow(clippy::unwrap_used)]
mod tests;
