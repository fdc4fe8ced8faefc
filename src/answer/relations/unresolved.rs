//! Files that mention a name without a resolved reference: an honest end of a list of callers.
//!
//! Templates, build files, dialects and languages without a grammar have no references, and some
//! mentions can't be resolved. The words of the index find them all the same. The source decides
//! whether the name stands there as a whole word. So "none found" is only said where it is true.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use bstr::{BStr, BString};
use serde::Serialize;

use super::words::{Remarks, enclosing_byte, is_comment_line, mentions};
use crate::answer::view::{counted, labels};
use crate::base::text::quoted;
use crate::index::chunk::{ReferenceKind, is_document};
use crate::search::Result;
use crate::search::graph::Graph;
use crate::search::segment::terms::{TermKind, each_term};
use crate::search::segment::{ChunkRef, DeclarationView, FileView, Index};

/// Most chunks whose source is read for one name. A name with more is a common word.
const MOST_CHUNKS: usize = 2000;
/// Shortest name that is looked for, in bytes: a shorter one is a word of any text.
const MIN_NAME: usize = 3;

/// Files that mention a name, though no reference there is resolved.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct MentioningFiles {
    /// Their paths: code first, then tests, then other files, each by path.
    pub files: Vec<String>,
    /// How many more there are.
    pub more: usize,
    /// The lines with the name in these files, in the same order.
    pub lines: Vec<MentioningLine>,
    /// How many more lines there are, in all files.
    pub more_lines: usize,
}

/// A line that mentions a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MentioningLine {
    /// Source path.
    pub path: String,
    /// The line; 1-based.
    pub line: u32,
    /// Symbol path of the declaration around it; empty outside of declarations.
    pub symbol: String,
    /// Kind of that declaration; empty outside of declarations.
    pub kind: &'static str,
}

impl MentioningFiles {
    /// Returns how many files there are, listed or not.
    pub fn n_files(&self) -> usize {
        self.files.len() + self.more
    }
}

/// Says that this many files contain a name whose references there could not be resolved.
pub fn unresolved_files(n: usize) -> String {
    let files = counted(n, "file contains", "files contain");
    format!("{files} the name, but the reference could not be resolved")
}

/// As [`unresolved_files`], with the first `limit` of the files, as they are shown.
pub(crate) fn unresolved_list(paths: &[String], limit: usize) -> String {
    let shown: Vec<&str> = paths.iter().take(limit).map(String::as_str).collect();
    let rest = if paths.len() > shown.len() { ", …" } else { "" };
    let list = if shown.is_empty() { String::new() } else { format!(": {}{rest}", shown.join(", ")) };
    unresolved_files(paths.len()) + &list
}

/// Returns the files of an index that mention the name of these declarations, which have the same
/// name, in chunks other than `resolved`; of more than `limit` files or lines, the others are
/// counted. Declarations of the same name, comments in programs, and names that an import brings
/// from outside the repository are not mentions. `None` if the name is too common.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged index.
pub(super) fn mentioning<'s>(
    graph: &Graph<'_, 's>,
    targets: &[DeclarationView<'s>],
    resolved: &HashSet<ChunkRef>,
    text: &mut dyn FnMut(&BStr) -> Option<Arc<str>>,
    limit: usize,
) -> Result<Option<MentioningFiles>> {
    let index = graph.index();
    let Some(name) = targets.first().map(DeclarationView::name) else { return Ok(None) };
    let Some(chunks) = chunks_by_file(index, name, resolved)? else { return Ok(None) };
    let mut found: Vec<FileMentions> = Vec::new();
    for (path, chunks) in chunks {
        let Some(text) = text(path.as_ref()) else { continue };
        let mut lines: Vec<(u32, u32)> = Vec::new();
        let declared = declared_lines(graph, chunks.first(), name);
        for chunk in chunks {
            lines.append(&mut mentions_in(graph, chunk, targets, &declared, &text)?);
        }
        lines.sort_unstable();
        lines.dedup_by_key(|(_, line)| *line);
        if !lines.is_empty() {
            found.push(FileMentions { rank: order(index, path.as_ref()), path, lines });
        }
    }
    found.sort_by_key(|one| one.rank);
    let mut mentioning = MentioningFiles {
        more: found.len().saturating_sub(limit),
        more_lines: found.iter().map(|one| one.lines.len()).sum(),
        ..MentioningFiles::default()
    };
    for FileMentions { path, lines, .. } in found.iter().take(limit) {
        let file = index.file_by_path(path.as_ref());
        let shown = quoted(path.as_ref()).into_owned();
        let left = limit.saturating_sub(mentioning.lines.len());
        let of = |(byte, line)| mentioning_line(file, &shown, byte, line);
        mentioning.lines.extend(lines.iter().copied().take(left).map(of));
        mentioning.files.push(shown);
    }
    mentioning.more_lines -= mentioning.lines.len();
    Ok(Some(mentioning))
}

/// A file with the places of a name: a byte and a line for each line, in order.
struct FileMentions {
    rank: u8,
    path: BString,
    lines: Vec<(u32, u32)>,
}

/// Returns a line of a file, whose path is `shown`, with the declaration around a byte of it.
fn mentioning_line(file: Option<FileView<'_>>, shown: &str, byte: u32, line: u32) -> MentioningLine {
    let around = file.and_then(|file| enclosing_byte(&file, byte));
    MentioningLine {
        path: shown.to_owned(),
        line,
        symbol: around.map(|one| one.symbol_path()).unwrap_or_default(),
        kind: around.map(|one| labels::declaration_kind(one.row.kind)).unwrap_or_default(),
    }
}

/// Returns the paths of all of these files, in the same order.
///
/// # Errors
/// As [`mentioning`].
pub(super) fn mentioning_paths<'s>(
    graph: &Graph<'_, 's>,
    targets: &[DeclarationView<'s>],
    resolved: &HashSet<ChunkRef>,
    text: &mut dyn FnMut(&BStr) -> Option<Arc<str>>,
) -> Result<Option<Vec<BString>>> {
    let index = graph.index();
    let Some(name) = targets.first().map(DeclarationView::name) else { return Ok(None) };
    let Some(chunks) = chunks_by_file(index, name, resolved)? else { return Ok(None) };
    let mut found: Vec<(u8, BString)> = Vec::new();
    for (path, chunks) in chunks {
        let Some(text) = text(path.as_ref()) else { continue };
        let declared = declared_lines(graph, chunks.first(), name);
        for chunk in chunks {
            if !mentions_in(graph, chunk, targets, &declared, &text)?.is_empty() {
                found.push((order(index, path.as_ref()), path));
                break;
            }
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    Ok(Some(found.into_iter().map(|(_, path)| path).collect()))
}

/// Returns the chunks other than `resolved` that have the words of a name, by file.
/// `None` if the name is too short or too common.
///
/// # Errors
/// As [`mentioning`].
fn chunks_by_file<'s>(
    index: &Index<'s>,
    name: &str,
    resolved: &HashSet<ChunkRef>,
) -> Result<Option<BTreeMap<BString, Vec<ChunkRef>>>> {
    if name.len() < MIN_NAME {
        return Ok(None);
    }
    let mut chunks: BTreeMap<BString, Vec<ChunkRef>> = BTreeMap::new();
    let mut left = MOST_CHUNKS;
    let is_whole = each_chunk_with(index, name, |chunk, file| {
        if resolved.contains(&chunk) {
            return ControlFlow::Continue(());
        }
        if left == 0 {
            return ControlFlow::Break(());
        }
        left -= 1;
        chunks.entry(file.path().to_owned()).or_default().push(chunk);
        ControlFlow::Continue(())
    })?;
    Ok(is_whole.then_some(chunks))
}

/// Calls `visit` with each live chunk that has the words of a name, and with its file, until it
/// breaks. Returns whether it visited all; `false` for a name without words, too.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged index.
pub(crate) fn each_chunk_with<'s>(
    index: &Index<'s>,
    name: &str,
    mut visit: impl FnMut(ChunkRef, FileView<'s>) -> ControlFlow<()>,
) -> Result<bool> {
    let Some(term) = term_of(name) else { return Ok(false) };
    for (part, segment) in index.segments() {
        let mut postings = segment.postings(std::iter::once(term.as_str()))?.pop();
        while let Some(posting) = postings.as_mut().and_then(|list| list.next_raw()) {
            let Some(row) = segment.chunk(posting.chunk) else { continue };
            let file = index.file(part, row.file).filter(|_| index.is_live(part, row.file));
            let Some(file) = file else { continue };
            if visit(ChunkRef { part, ord: posting.chunk }, file).is_break() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Returns the term under which a name is in the index. Of a name of several tokens (`Data.Lib`),
/// the last one counts.
fn term_of(name: &str) -> Option<String> {
    let is_separator = |c: char| !(c.is_alphanumeric() || c == '_');
    let token = name.rsplit(is_separator).find(|token| !token.is_empty()).unwrap_or(name);
    let (mut part, mut whole) = (None, None);
    each_term(token, |term, kind| match kind {
        TermKind::Part => part = Some(term.to_owned()),
        TermKind::Compound | TermKind::Word => whole = Some(term.to_owned()),
    });
    whole.or(part)
}

/// Returns the files with a name, at most those of the first chunks that have it, by path.
///
/// # Errors
/// As [`mentioning`].
pub(crate) fn files_with<'s>(index: &Index<'s>, name: &str) -> Result<Vec<FileView<'s>>> {
    let mut files: BTreeMap<BString, FileView<'s>> = BTreeMap::new();
    let mut left = MOST_CHUNKS;
    each_chunk_with(index, name, |_, file| {
        if left == 0 {
            return ControlFlow::Break(());
        }
        left -= 1;
        files.entry(file.path().to_owned()).or_insert(file);
        ControlFlow::Continue(())
    })?;
    Ok(files.into_values().collect())
}

/// Returns the lines in which the file of a chunk declares a name.
fn declared_lines(graph: &Graph<'_, '_>, chunk: Option<&ChunkRef>, name: &str) -> HashSet<u32> {
    let file = chunk.and_then(|chunk| graph.file_of(*chunk));
    let named = file.into_iter().flat_map(|file| file.declarations()).filter(|one| one.name() == name);
    named.map(|one| one.row.name_line).collect()
}

/// Returns where the name of the targets stands in a chunk, elsewhere than in the lines where its
/// file declares it: bytes and lines. Lines of programs that are comments do not count. The other
/// comments of a file that declares it are about the declaration. In prose, an ordinary word counts
/// only if it is written as code.
fn mentions_in(
    graph: &Graph<'_, '_>,
    chunk: ChunkRef,
    targets: &[DeclarationView<'_>],
    declared: &HashSet<u32>,
    text: &str,
) -> Result<Vec<(u32, u32)>> {
    let index = graph.index();
    let Some(target) = targets.first() else { return Ok(Vec::new()) };
    let Some(segment) = index.segment(chunk.part) else { return Ok(Vec::new()) };
    let Some(row) = segment.chunk(chunk.ord) else { return Ok(Vec::new()) };
    let is_here = |one: &&DeclarationView<'_>| (chunk.part, row.file) == (one.file.part, one.file.ord);
    let own: Vec<&DeclarationView<'_>> = targets.iter().filter(is_here).collect();
    let is_own = |byte: u32| own.iter().any(|one| one.row.span.bytes.contains(byte));
    let is_declared = !own.is_empty() || !declared.is_empty();
    // A licence that speaks of a grant does not mean the function `Grant`.
    let language = index.file(chunk.part, row.file).map(|file| file.language());
    let is_text = |it: &str| it == "text" || is_document(it);
    let is_prose = is_plain_word(target.name()) && language.is_some_and(is_text);
    // A comment of a program names it, but refers to nothing.
    let is_code = language.is_some_and(|it| !is_text(it));
    // Many files are looked through, so none is parsed.
    let remarks = Remarks::default();
    let places = mentions(text, &remarks, row.span.bytes, target.name(), ReferenceKind::Use)
        .into_iter()
        .filter(|(byte, line)| !(declared.contains(line) || is_own(*byte)))
        .filter(|(byte, _)| is_whole(text, *byte, target.name(), target.file.language()))
        .filter(|(byte, _)| !is_prose || is_as_code(text, *byte, target.name()))
        .filter(|(byte, _)| {
            let is_comment = is_code && is_comment_line(text, *byte);
            !(is_comment || is_declared && remarks.contain(text, *byte))
        });
    let mut found = Vec::new();
    for place in places {
        if !is_code || !graph.is_outside(chunk, path_at(text, place.0, target.name()))? {
            found.push(place);
        }
    }
    Ok(found)
}

/// Returns the path that ends with the name at a byte: `sync.Mutex`. Empty if the name is a member
/// of an expression.
fn path_at<'t>(text: &'t str, byte: u32, name: &str) -> &'t str {
    let before = text.get(..byte as usize).unwrap_or_default();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':' | '\\');
    let start = before.trim_end_matches(is_part).len();
    let path = text.get(start..before.len() + name.len()).unwrap_or_default();
    if path.starts_with('.') { "" } else { path }
}

/// Returns whether a name is not a part of a longer one: in a Lisp, `regexp-run-all` has another
/// name than `regexp-run`.
fn is_whole(text: &str, byte: u32, name: &str, language: &str) -> bool {
    if !matches!(language, "clojure" | "common-lisp" | "emacs-lisp" | "racket" | "scheme") {
        return true;
    }
    let is_mark = |c: char| matches!(c, '-' | '?' | '!' | '*' | '+' | '<' | '>' | '=' | '%' | '&');
    // In front of a name, they may end that of its package.
    let is_letter = |c: char| is_mark(c) || matches!(c, '/' | ':');
    let start = byte as usize;
    let before = text.get(..start).unwrap_or_default();
    let after = text.get(start + name.len()..).unwrap_or_default();
    !before.ends_with(is_mark) && !after.starts_with(is_letter)
}

/// Returns whether a name may be an ordinary word: letters, of which at most the first is in
/// capitals.
fn is_plain_word(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_alphabetic) && letters.all(char::is_lowercase)
}

/// Returns whether a name in prose is written as code: called, qualified or quoted.
fn is_as_code(text: &str, byte: u32, name: &str) -> bool {
    let start = byte as usize;
    let before = text.get(..start).and_then(|text| text.chars().next_back());
    let mut after = text.get(start + name.len()..).unwrap_or_default().chars();
    let is_qualifier = match (after.next(), after.next()) {
        (Some('(' | '`' | '"'), _) => true,
        (Some('\''), next) => !next.is_some_and(char::is_alphanumeric),
        (Some('.' | ':'), Some(next)) => next.is_alphanumeric() || next == ':',
        _ => false,
    };
    is_qualifier || matches!(before, Some('.' | ':' | '`' | '#' | '@' | '\'' | '"'))
}

/// Returns the rank of a file in the list.
fn order(index: &Index<'_>, path: &BStr) -> u8 {
    let Some(file) = index.file_by_path(path) else { return 2 };
    let flags = file.flags();
    if is_document(file.language()) || matches!(file.language(), "text" | "json" | "yaml" | "toml") {
        2
    } else if flags.is_test() || flags.is_vendored() || flags.is_example() {
        1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_several_tokens_is_found_by_its_last_one() {
        for (name, term) in [
            ("Data.Lib", Some("lib")),
            ("Data.LibCore", Some("libcore")),
            ("empty?", Some("empty")),
            ("parse_header", Some("parseheader")),
            ("+", None),
        ] {
            assert_eq!(term_of(name).as_deref(), term, "{name}");
        }
    }

    #[test]
    fn names_of_a_lisp_end_at_what_is_no_letter_there() {
        for (text, language, expected) in [
            ("(regexp-run-offsets a)", "scheme", false),
            ("(my-regexp-run a)", "scheme", false),
            ("(regexp-run? a)", "racket", false),
            ("(regexp-run/c a)", "racket", false),
            ("(regexp-run a)", "scheme", true),
            ("'regexp-run", "emacs-lisp", true),
            ("shop:regexp-run)", "common-lisp", true),
            ("re/regexp-run)", "clojure", true),
            ("regexp-run-offsets", "makefile", true),
        ] {
            let byte = u32::try_from(text.find("regexp-run").unwrap()).unwrap();
            assert_eq!(is_whole(text, byte, "regexp-run", language), expected, "{text}");
        }
    }

    #[test]
    fn in_prose_an_ordinary_word_has_to_look_like_code() {
        for (name, expected) in [
            ("Grant", true),
            ("grant", true),
            ("GRANT", false),
            ("revokeLease", false),
            ("lease_id", false),
            ("v2", false),
            ("", false),
        ] {
            assert_eq!(is_plain_word(name), expected, "{name}");
        }
        for (text, expected) in [
            ("the Grant of a licence", false),
            ("to Grant. Then", false),
            ("the Grant: a right", false),
            ("the Grant's end", false),
            ("see Lease.Grant for it", true),
            ("call Grant(id)", true),
            ("the `Grant` call", true),
            ("Grant.id is", true),
            ("Grant::new is", true),
            ("a 'Grant' is", true),
        ] {
            let byte = u32::try_from(text.find("Grant").unwrap()).unwrap();
            assert_eq!(is_as_code(text, byte, "Grant"), expected, "{text}");
        }
    }
}
