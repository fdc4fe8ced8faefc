//! The lookup of declared names: as written, in any case, by prefix, with typing errors.
//!
//! Names of the query → chunks that declare them, with a quality. Each step runs only if the one
//! before found nothing in the live files. Declarations of outdated files do not count, so every
//! base gives the same answer.

use std::collections::BTreeMap;

use crate::index::chunk::DeclarationKind;
use crate::search::graph::WrittenName;
use crate::search::segment::terms::symbol_key;
use crate::search::segment::{DeclarationRow, Index, Part, Segment};

use crate::search::query::parse::parser::{ParsedQuery, SymbolWord};
use crate::search::query::weights;
use crate::search::query::{ChunkRef, Error, QueryKind};

/// Maximum number of names for a prefix or a typing error, in bytewise order.
const MAX_NAMES: usize = 64;
/// Minimum length of a prefix, in characters.
const MIN_PREFIX: usize = 3;
/// Length from which one typing error is allowed, in characters; from twice this length, two.
const MIN_TYPO: usize = 4;
/// In a text, a name with more declarations than this is ignored as too common (`__init__`,
/// `main`).
const COMMON: usize = 100;

/// The best match between a chunk's declarations and the query's names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::search::query) struct DefinitionMatch {
    /// The quality of the match, from 0 to 1.
    pub(in crate::search::query) quality: f64,
    /// The declaration, an ordinal in the chunk's segment.
    pub(in crate::search::query) declaration: u32,
    /// The way it matches, for people to read.
    pub(in crate::search::query) how: &'static str,
}

/// A declaration of a live file.
#[derive(Debug, Clone, Copy)]
pub(super) struct LiveDeclaration {
    /// The part of the index that has it.
    pub(super) part: Part,
    /// Its ordinal in the segment of that part.
    pub(super) ord: u32,
    pub(super) row: DeclarationRow,
}

impl LiveDeclaration {
    fn name<'s>(&self, index: &Index<'s>) -> &'s str {
        index.segment(self.part).map_or("", |segment| segment.name(&self.row))
    }

    /// Returns the chunk with its name.
    fn chunk(&self, index: &Index<'_>) -> Option<ChunkRef> {
        let segment = index.segment(self.part)?;
        Some(ChunkRef { part: self.part, ord: segment.chunk_of_name(&self.row) })
    }
}

/// The live declarations of a name.
type LiveDeclarations = Vec<LiveDeclaration>;

/// Returns the chunks that declare a name in the query.
pub(in crate::search::query) fn definitions(
    index: &Index<'_>,
    parsed: &ParsedQuery,
) -> Result<BTreeMap<ChunkRef, DefinitionMatch>, Error> {
    let mut chunks = BTreeMap::new();
    note_dotted_key(index, &parsed.dotted, &mut chunks)?;
    for word in &parsed.symbols {
        let mut asked = word.written.as_str();
        let mut key = symbol_key(asked);
        let mut found = named(index, &key)?;
        if found.is_empty() && word.name != word.written {
            asked = &word.name;
            key = symbol_key(asked);
            found = named(index, &key)?;
        }
        if !found.is_empty() {
            if parsed.kind == QueryKind::Identifier || found.len() <= COMMON {
                let any_is_written = found.iter().any(|one| one.name(index) == asked);
                for one in found {
                    let name = one.name(index);
                    let beside = if any_is_written && name != asked { weights::SYMBOL_BESIDE } else { 1.0 };
                    let quality = spelling(name, asked) * beside;
                    note(index, &mut chunks, word, one, quality, "declares");
                }
            }
            continue;
        }
        if parsed.kind != QueryKind::Identifier {
            continue;
        }
        let mut quality = weights::SYMBOL_PREFIX;
        let mut how = "declares a longer name:";
        let mut near = if key.chars().count() >= MIN_PREFIX { prefixed(index, &key)? } else { Vec::new() };
        for (edits, malus) in [(1, weights::SYMBOL_TYPO_1), (2, weights::SYMBOL_TYPO_2)] {
            if near.is_empty() && key.chars().count() >= MIN_TYPO * edits as usize {
                near = similar(index, &key, edits)?;
                (quality, how) = (malus, "declares a similar name:");
            }
        }
        for declaration in near {
            note(index, &mut chunks, word, declaration, quality, how);
        }
    }
    for name in &parsed.symbol_filters {
        let wanted = name.trim_end_matches('*');
        let (qualifier, last) = split_qualifier(wanted);
        let word = SymbolWord {
            name: last.to_owned(),
            written: last.to_owned(),
            qualifier: qualifier.to_owned(),
            kinds: &[],
        };
        for one in declaring_one(index, name)? {
            let found = one.name(index);
            let quality = if symbol_key(found) == symbol_key(last) {
                spelling(found, last)
            } else {
                weights::SYMBOL_PREFIX
            };
            note(index, &mut chunks, &word, one, quality, "declares");
        }
    }
    Ok(chunks)
}

/// Notes the keys of settings files whose name is a name with dots: `mail.from=…`.
fn note_dotted_key(
    index: &Index<'_>,
    dotted: &str,
    chunks: &mut BTreeMap<ChunkRef, DefinitionMatch>,
) -> Result<(), Error> {
    if dotted.is_empty() {
        return Ok(());
    }
    let (name, written) = (dotted.to_owned(), dotted.to_owned());
    let word = SymbolWord { name, written, qualifier: String::new(), kinds: &[] };
    for one in named(index, &symbol_key(dotted))? {
        if one.row.kind == DeclarationKind::Key {
            let quality = spelling(one.name(index), dotted);
            note(index, chunks, &word, one, quality, "declares");
        }
    }
    Ok(())
}

/// Returns the quality of a name's spelling, for a name with the same key as the one asked for.
fn spelling(name: &str, wanted: &str) -> f64 {
    if name == wanted {
        weights::SYMBOL_EXACT
    } else if name.to_lowercase() == wanted.to_lowercase() {
        weights::SYMBOL_CASE
    } else {
        weights::SYMBOL_SEPARATORS
    }
}

/// Splits `Foo.bar` into `Foo` and `bar`.
fn split_qualifier(name: &str) -> (&str, &str) {
    let (before, last) = name.rsplit_once(['.', ':']).unwrap_or(("", name));
    (before.trim_end_matches(':').rsplit(['.', ':']).next().unwrap_or_default(), last)
}

/// Returns the live declarations that match a `symbol:` filter.
fn declaring_one(index: &Index<'_>, name: &str) -> Result<LiveDeclarations, Error> {
    match name.strip_suffix('*') {
        Some(prefix) => all_prefixed(index, &symbol_key(prefix), usize::MAX),
        // Of `Foo.bar`, only the last name decides here; the words rank the rest.
        None => named(index, &symbol_key(split_qualifier(name).1)),
    }
}

/// Returns the live chunks that declare one of these names, in any case; `*` at the end stands for
/// any rest.
pub(in crate::search::query) fn declaring(
    index: &Index<'_>,
    names: &[String],
) -> Result<Vec<ChunkRef>, Error> {
    let mut chunks = Vec::new();
    for name in names {
        chunks.extend(declaring_one(index, name)?.iter().filter_map(|one| one.chunk(index)));
    }
    chunks.sort_unstable();
    chunks.dedup();
    Ok(chunks)
}

/// Notes that a declaration has a name of the query, unless its chunk has a better one.
fn note(
    index: &Index<'_>,
    chunks: &mut BTreeMap<ChunkRef, DefinitionMatch>,
    word: &SymbolWord,
    declaration: LiveDeclaration,
    quality: f64,
    how: &'static str,
) {
    let LiveDeclaration { part, ord, row } = declaration;
    let file = index.segment(part).and_then(|segment| segment.chunk(row.chunk));
    let file = file.and_then(|chunk| index.file(part, chunk.file));
    let written = WrittenName::within(&word.qualifier, &word.name);
    let inside = file.is_some_and(|file| written.fit(&file, &row).is_some());
    let quality = if inside { quality } else { quality * weights::SYMBOL_ELSEWHERE };
    let is_of_kind = word.kinds.is_empty() || word.kinds.contains(&row.kind);
    let quality = if is_of_kind { quality } else { quality * weights::SYMBOL_OTHER_KIND };
    let quality = match row.kind {
        DeclarationKind::Implementation => quality * weights::SYMBOL_IMPLEMENTATION,
        DeclarationKind::Constructor => quality * weights::SYMBOL_CONSTRUCTOR,
        DeclarationKind::Field | DeclarationKind::Variable | DeclarationKind::Key => {
            quality * weights::SYMBOL_VARIABLE
        }
        _ => quality,
    };
    let Some(chunk) = declaration.chunk(index) else { return };
    let better = chunks.get(&chunk).is_none_or(|known| known.quality < quality);
    if better {
        chunks.insert(chunk, DefinitionMatch { quality, declaration: ord, how });
    }
}

fn live(index: &Index<'_>, part: Part, segment: &Segment, declarations: Vec<u32>) -> LiveDeclarations {
    declarations
        .into_iter()
        .filter_map(|ord| Some(LiveDeclaration { part, ord, row: segment.declaration(ord)? }))
        .filter(|one| segment.chunk(one.row.chunk).is_some_and(|chunk| index.is_live(part, chunk.file)))
        .collect()
}

pub(super) fn named(index: &Index<'_>, key: &str) -> Result<LiveDeclarations, Error> {
    let mut found = Vec::new();
    for (part, segment) in index.segments() {
        found.extend(live(index, part, segment, segment.symbol(key)?));
    }
    Ok(found)
}

fn prefixed(index: &Index<'_>, prefix: &str) -> Result<LiveDeclarations, Error> {
    all_prefixed(index, prefix, MAX_NAMES)
}

/// Returns the declarations of the first `most` live names with a prefix. Up to `most` are taken
/// from each segment, so the first of both together are among them.
fn all_prefixed(index: &Index<'_>, prefix: &str, most: usize) -> Result<LiveDeclarations, Error> {
    let mut names: BTreeMap<String, LiveDeclarations> = BTreeMap::new();
    for (part, segment) in index.segments() {
        let mut n = 0;
        segment.symbols_with_prefix(prefix, |name, declarations| {
            let found = live(index, part, segment, declarations);
            if !found.is_empty() {
                n += 1;
                names.entry(name.to_owned()).or_default().extend(found);
            }
            n < most
        })?;
    }
    Ok(names.into_values().take(most).flatten().collect())
}

fn similar(index: &Index<'_>, word: &str, edits: u32) -> Result<LiveDeclarations, Error> {
    let mut names: BTreeMap<String, LiveDeclarations> = BTreeMap::new();
    for (part, segment) in index.segments() {
        for (name, declarations) in segment.symbols_like(word, edits)? {
            let found = live(index, part, segment, declarations);
            if !found.is_empty() {
                names.entry(name).or_default().extend(found);
            }
        }
    }
    Ok(names.into_values().take(MAX_NAMES).flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::DeclarationKind::{Constructor, Field, Function, Implementation, Key, Variable};
    use crate::index::chunk::{ByteRange, Chunk, ChunkKind, Span};
    use crate::search::query::parse::parser::parse;
    use crate::search::segment::{DeclarationInput, FileInput, SegmentBuilder};

    /// Returns a segment with a chunk for each declaration: name, scope and kind.
    fn declared(all: &[(&str, &str, DeclarationKind)]) -> Segment {
        let mut builder = SegmentBuilder::new();
        let n = u32::try_from(all.len()).unwrap();
        let input = FileInput { language: "python", n_lines: n * 10, source_bytes: n * 100 };
        builder.begin_file("all.py".into(), input).unwrap();
        for (at, &(name, scope, kind)) in (0..n).zip(all) {
            let bytes = ByteRange { start: at * 100, end: at * 100 + 100 };
            let span = Span { bytes, start_line: at * 10 + 1, end_line: at * 10 + 10 };
            let chunk = Chunk { span, kind: ChunkKind::Declaration, declaration: Some(at) };
            builder.begin_chunk(&chunk).unwrap();
            let (name_line, none) = (span.start_line, ByteRange::default());
            let (signature, body, doc) = (none, none, none);
            let parent = None;
            builder
                .declaration(&DeclarationInput {
                    name,
                    scope,
                    kind,
                    parent,
                    span,
                    name_line,
                    signature,
                    body,
                    doc,
                })
                .unwrap();
            builder.keyword(name, 0, 1, 0).unwrap();
            builder.end_chunk().unwrap();
        }
        Segment::from_bytes(builder.into_memory().unwrap()).unwrap()
    }

    /// Returns the quality of each chunk's declaration; 0 if it does not match.
    fn qualities(all: &[(&str, &str, DeclarationKind)], query: &str) -> Vec<f64> {
        let segment = declared(all);
        let found = definitions(&Index::whole(&segment), &parse(query)).unwrap();
        let quality = |ord| found.get(&ChunkRef { part: Part::Base, ord }).map_or(0.0, |one| one.quality);
        (0..segment.n_chunks()).map(|ord| (quality(ord) * 1e6f64).round() / 1e6).collect()
    }

    #[test]
    fn a_name_matches_as_well_as_it_is_spelled() {
        let header = [("parse_header", "", Function)];
        for (query, expected) in [
            ("parse_header", 1.0),
            ("PARSE_HEADER", 0.9),
            ("parseHeader", 0.85),
            ("parse_head", 0.6),
            ("parse_heador", 0.5),
            ("parse_hxadxr", 0.35),
            ("header", 0.0),
        ] {
            assert_eq!(qualities(&header, query), [expected], "{query}");
        }
        // Beside a declaration that is spelled as asked, others count less.
        let both =
            [("parse_header", "", Function), ("parseHeader", "", Function), ("PARSE_HEADER", "", Function)];
        assert_eq!(qualities(&both, "parse_header"), [1.0, 0.595, 0.63]);
    }

    #[test]
    fn a_declaration_counts_by_its_kind_and_place() {
        for (kind, expected) in [
            (Function, 1.0),
            (Implementation, 0.7),
            (Constructor, 0.8),
            (Field, 0.6),
            (Variable, 0.6),
            (Key, 0.6),
        ] {
            assert_eq!(qualities(&[("Header", "", kind)], "Header"), [expected], "{kind:?}");
        }
        let places = [("open", "Parser", Function), ("open", "Socket", Function)];
        assert_eq!(qualities(&places, "Parser.open"), [1.0, 0.7]);
        assert_eq!(qualities(&places, "parser.open"), [1.0, 0.7]);
        // The name of the file counts as a place too.
        assert_eq!(qualities(&places, "all.open"), [1.0, 1.0]);
    }

    #[test]
    fn short_names_are_not_completed_or_corrected() {
        let names = |name| [(name, "", Function)];
        assert_eq!(qualities(&names("abcdef"), "abc"), [0.6]);
        assert_eq!(qualities(&names("abcdef"), "ab"), [0.0], "a prefix of two letters");
        assert_eq!(qualities(&names("abcx"), "abcd"), [0.5]);
        assert_eq!(qualities(&names("abx"), "abd"), [0.0], "three letters with an edit");
        assert_eq!(qualities(&names("abcdefxx"), "abcdefgh"), [0.35]);
        assert_eq!(qualities(&names("abcdexx"), "abcdefg"), [0.0], "seven letters with two edits");
        let many: Vec<String> = (100..180).map(|n| format!("handler{n}")).collect();
        let many: Vec<(&str, &str, DeclarationKind)> =
            many.iter().map(|name| (name.as_str(), "", Function)).collect();
        let found = qualities(&many, "handler").iter().filter(|one| **one > 0.0).count();
        assert_eq!(found, 64);
    }

    #[test]
    fn a_text_does_not_mean_a_name_that_is_very_common() {
        let n_found = |n: usize, query: &str| {
            let all = vec![("do_it", "", Function); n];
            qualities(&all, query).iter().filter(|one| **one > 0.0).count()
        };
        assert_eq!(n_found(100, "why does do_it fail here"), 100);
        assert_eq!(n_found(101, "why does do_it fail here"), 0);
        assert_eq!(n_found(101, "do_it"), 101, "a name means itself");
    }
}
