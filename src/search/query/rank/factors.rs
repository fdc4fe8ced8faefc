//! The factors of the ranking: everything that multiplies the score of a chunk.
//!
//! File or chunk → a factor for each kind of code that fewer queries ask for; 1 if it is not of
//! that kind or if the query asks for it. [`FACTORS`] is the only list of them. Those of a file are
//! the same for all its chunks.

use bstr::{BStr, ByteSlice};

use crate::base::text::path;
use crate::index::chunk::ChunkKind;
use crate::search::graph::is_function;
use crate::search::segment::{ChunkRow, FileView};

use super::is_prose;
use super::recalled::Recalled;
use super::translation;
use crate::search::query::QueryKind;
use crate::search::query::parse::language;
use crate::search::query::parse::parser::ParsedQuery;

/// Something that multiplies the score of a chunk.
struct Factor {
    /// The name, for people to read.
    name: &'static str,
    of: Of,
}

/// The way to a factor.
enum Of {
    /// It is the same for all chunks of a file.
    File(fn(&Recalled<'_>, &FileView<'_>) -> f64),
    /// It differs between the chunks of a file.
    Chunk(fn(&Recalled<'_>, &FileView<'_>, &ChunkRow) -> f64),
}

/// All factors. They are multiplied in this order.
const FACTORS: [Factor; 14] = [
    Factor {
        name: "test",
        of: Of::File(|all, file| all.weights.test.when(file.flags().is_test() && !all.parsed.wants_tests)),
    },
    Factor {
        name: "example",
        of: Of::File(|all, file| {
            all.weights.example.when(file.flags().is_example() && !all.parsed.wants_examples)
        }),
    },
    Factor {
        name: "vendored",
        of: Of::File(|all, file| all.weights.vendored.when(file.flags().is_vendored())),
    },
    Factor {
        name: "prose",
        of: Of::File(|all, file| {
            let reads = reads_as_prose(all.parsed.kind, file);
            all.weights.prose.when(reads && !all.parsed.wants_prose && !is_asked_manual(all, file))
        }),
    },
    Factor { name: "manual", of: Of::File(|all, file| all.weights.manual.when(is_asked_manual(all, file))) },
    Factor {
        name: "not in the requested language",
        of: Of::File(|all, file| all.weights.other_language.when(is_other(&all.parsed, file.language()))),
    },
    Factor { name: "typings", of: Of::File(|all, file| all.weights.typings.when(has_typings(file.path()))) },
    Factor {
        name: "drawing",
        of: Of::File(|all, file| all.weights.prose.when(is_drawing(&all.parsed, file.path()))),
    },
    Factor {
        name: "patch",
        of: Of::File(|all, file| all.weights.prose.when(is_patch(&all.parsed, file.path()))),
    },
    Factor {
        name: "translation",
        of: Of::File(|all, file| {
            let is_one = || translation::family(file.path(), file.language()).is_some();
            all.weights.translation.when(!all.parsed.wants_translations && is_one())
        }),
    },
    Factor {
        name: "boosted",
        of: Of::File(|all, file| {
            let fitting = all.boosts.iter().filter(|(spec, _)| spec.fits(file.path()));
            fitting.map(|one| one.1).product()
        }),
    },
    Factor {
        name: "test",
        of: Of::Chunk(|all, file, row| {
            let is_test = row.is_test && !file.flags().is_test();
            all.weights.test.when(is_test && !all.parsed.wants_tests)
        }),
    },
    Factor {
        name: "head of a file",
        of: Of::Chunk(|all, _, row| all.weights.head.when(row.kind == ChunkKind::Head)),
    },
    Factor {
        name: "part of a large function",
        of: Of::Chunk(|all, file, row| {
            let part_of = Some(row).filter(|row| row.kind == ChunkKind::Part);
            let of = part_of.and_then(|row| file.segment.declaration(row.declaration?));
            all.weights.large.when(of.is_some_and(|of| is_function(of.kind)))
        }),
    },
];

/// Returns the factors that all chunks of a file share, each with its name.
pub(super) fn of_file(
    recalled: &Recalled<'_>,
    file: &FileView<'_>,
) -> impl Iterator<Item = (&'static str, f64)> {
    FACTORS.iter().filter_map(|factor| match factor.of {
        Of::File(of) => Some((factor.name, of(recalled, file))),
        Of::Chunk(_) => None,
    })
}

/// Returns the further factors of a chunk, each with its name.
pub(super) fn of_chunk(
    recalled: &Recalled<'_>,
    file: &FileView<'_>,
    row: Option<&ChunkRow>,
) -> impl Iterator<Item = (&'static str, f64)> {
    FACTORS.iter().filter_map(move |factor| match factor.of {
        Of::File(_) => None,
        Of::Chunk(of) => Some((factor.name, row.map_or(1.0, |row| of(recalled, file, row)))),
    })
}

/// A weight that applies under a condition.
trait Conditional {
    /// Returns the factor if the condition holds, else 1.
    fn when(self, holds: bool) -> f64;
}

impl Conditional for f64 {
    fn when(self, holds: bool) -> f64 {
        if holds { self } else { 1.0 }
    }
}

/// Returns whether a language is not one that the query asks for. Documents are exempt if the query
/// asks for documents.
fn is_other(parsed: &ParsedQuery, language: &str) -> bool {
    let is_asked_for = is_prose(language) && parsed.wants_prose;
    language::is_other(language, parsed.written_in) && !is_asked_for
}

/// Returns whether a file is written for people to read. The language "text" also covers files
/// without a grammar, and "latex" packages of macros. So for a name or a path, such a file counts
/// only if it has no extension or one of prose. For questions all of them count, as they answer
/// few. See `doc/experiments/ranking.md`.
fn reads_as_prose(kind: QueryKind, file: &FileView<'_>) -> bool {
    const ENDS: [&str; 10] =
        ["adoc", "asciidoc", "org", "pod", "rdoc", "rst", "tex", "text", "textile", "txt"];
    let is_name = matches!(kind, QueryKind::Identifier | QueryKind::Path);
    if is_name && matches!(file.language(), "text" | "latex") {
        let name = path::name(file.path());
        let end = name.rsplit_once_str(".").map(|(_, end)| end.to_ascii_lowercase());
        return end.is_none_or(|end| ENDS.iter().any(|known| end == known.as_bytes()));
    }
    is_prose(file.language()) || is_manual(file.path(), file.language())
}

/// Returns whether a manual answers the query, and the file is one or a part of one: prose that is
/// not a list of changes, or a page for `man`.
fn is_asked_manual(recalled: &Recalled<'_>, file: &FileView<'_>) -> bool {
    if !recalled.parsed.wants_manual || file.flags().is_test() {
        return false;
    }
    let name = path::name(file.path()).to_ascii_lowercase();
    let lists_changes =
        [&b"change"[..], b"history", b"news", b"release"].iter().any(|begin| name.starts_with(begin));
    let is_page = match name.strip_suffix(b".in").unwrap_or(&name).rsplit_once_str(".") {
        Some((_, [section @ b'1'..=b'9', ..])) => section.is_ascii_digit() && file.language() != "json",
        Some((_, end)) => matches!(end, b"man" | b"mdoc" | b"roff"),
        None => false,
    };
    !lists_changes && (is_page || reads_as_prose(QueryKind::Identifier, file))
}

/// Returns whether a file is a manual in HTML, often generated from the code: a page in a
/// documentation directory. Ranking these lower helps issues find the code. See
/// `doc/experiments/ranking.md`.
fn is_manual(path: &BStr, language: &str) -> bool {
    const DIRECTORIES: [&str; 6] = ["apidocs", "doc", "docs", "documentation", "javadoc", "javadocs"];
    // Checked first because this runs for every file: the language decides in most cases.
    if language != "html" {
        return false;
    }
    let directories = path::parent(path);
    let is_document =
        |part: &[u8]| DIRECTORIES.iter().any(|known| part.eq_ignore_ascii_case(known.as_bytes()));
    directories.split_str("/").any(is_document)
}

/// Returns whether a file declares the types of code that is elsewhere.
fn has_typings(path: &BStr) -> bool {
    [".d.ts", ".d.mts", ".d.cts", ".pyi"].iter().any(|end| path.ends_with(end.as_bytes()))
}

/// Returns whether a file is a drawing and the query does not ask for one. Numbers and names of
/// shapes are about nothing.
fn is_drawing(parsed: &ParsedQuery, path: &BStr) -> bool {
    path.ends_with(b".svg") && !asks_for(parsed, "svg")
}

/// Returns whether a file is a patch of code elsewhere and the query does not ask for one.
fn is_patch(parsed: &ParsedQuery, path: &BStr) -> bool {
    let is_patch = [".patch", ".diff"].iter().any(|end| path.ends_with(end.as_bytes()));
    is_patch && !asks_for(parsed, "patch") && !asks_for(parsed, "diff")
}

fn asks_for(parsed: &ParsedQuery, term: &str) -> bool {
    parsed.terms.iter().any(|asked| asked.term == term)
}
