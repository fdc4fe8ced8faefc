//! Programs that can't be parsed as a whole: text → pieces that can, one after the other.
//!
//! A large program is cut between declarations. Lines that nobody wrote by hand, such as an image
//! in a string, are left out if they make up most of the text. So a large file and a file with a
//! very long line keep their declarations. A declaration around a cut may be lost; those inside it
//! are kept.

use super::container::append;
use super::lines::Lines;
use super::parse::{self, LONG_LINE, MAX_PARSE_BYTES};
use super::resolve::ResolvedTable;
use super::walk;
use super::walk_result::WalkResult;
use super::{ByteRange, Language, complete};
use tree_sitter::Tree;

/// A large text with more declarations than one per this many bytes is a table of constants, such
/// as the registers of a device. See `doc/experiments/chunking.md`.
const BYTES_PER_DECLARATION: usize = 128;

/// The ranges of a text that a parser reads as one.
type Piece = Vec<ByteRange>;

/// Walks a program piece by piece. `None` if it declares nothing, or if it is a table of constants.
/// `limit` is that of [`walk::walk`].
pub(super) fn walk<'t>(
    language: Language,
    resolved: &'static ResolvedTable,
    lines: &'t Lines<'t>,
    limit: u32,
) -> Option<WalkResult<'t>> {
    let mut all = WalkResult::default();
    let is_large = lines.text().len() > MAX_PARSE_BYTES;
    let mut n_bytes = 0;
    for piece in pieces(language, lines) {
        n_bytes += piece.iter().map(|range| range.len() as usize).sum::<usize>();
        let Some(tree) = tree(language, lines, &piece) else { continue };
        append(&mut all, walk::walk(language, resolved, &tree, lines, limit));
        if is_large && all.declarations.len() > n_bytes / BYTES_PER_DECLARATION {
            return None;
        }
    }
    complete(resolved.table, lines.text(), &mut all);
    (!all.declarations.is_empty()).then_some(all)
}

/// Parses a piece; `None` as for [`parse::parse`].
pub(super) fn tree(language: Language, lines: &Lines<'_>, piece: &[ByteRange]) -> Option<Tree> {
    parse::parse_ranges(language, lines, piece)
}

/// Returns the pieces of a program, in order; none of data, which has no declarations to keep.
pub(super) fn pieces(language: Language, lines: &Lines<'_>) -> Vec<Piece> {
    let is_program = language.table().is_some_and(|table| table.chunks.is_none());
    let mut pieces = Vec::new();
    let mut first = 0;
    while is_program && first < lines.len() {
        let end = end_of_piece(lines, first);
        let piece = without_long_lines(lines, first, end);
        let is_read = |range: &ByteRange| parse::is_parseable(range.of(lines.text()));
        if !piece.is_empty() && piece.iter().all(is_read) {
            pieces.push(piece);
        }
        first = end;
    }
    pieces
}

/// Returns a text whose very long lines consist of words without signs; `None` if such lines do not
/// make up most of it. Offsets are those of the text. A scanner would look for the end of each sign
/// in such a line again and again.
pub(super) fn with_long_lines_masked(text: &str) -> Option<String> {
    if text.len() > MAX_PARSE_BYTES || parse::is_parseable(text) {
        return None;
    }
    let masked = |c: char| if c.is_ascii() && !c.is_ascii_whitespace() { 'x' } else { c };
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.len() > LONG_LINE {
            out.extend(line.chars().map(masked));
        } else {
            out.push_str(line);
        }
    }
    Some(out)
}

/// Returns the line before which a piece ends that begins with the line `first`: the end of the
/// text, or in the second half of what may be parsed at once, the last of the least indented lines
/// behind an empty line.
fn end_of_piece(lines: &Lines<'_>, first: u32) -> u32 {
    let start = lines.start(first) as usize;
    let size = |end: u32| lines.start(end) as usize - start;
    if size(lines.len()) <= MAX_PARSE_BYTES {
        return lines.len();
    }
    let (mut end, mut least) = (first + 1, usize::MAX);
    for line in first + 1..lines.len() {
        if size(line) > MAX_PARSE_BYTES {
            break;
        }
        if least == usize::MAX {
            end = line;
        }
        if size(line) < MAX_PARSE_BYTES / 2 || !lines.blank(line - 1) || lines.blank(line) {
            continue;
        }
        let written = ByteRange { start: lines.start(line), end: lines.end(line) }.of(lines.text());
        let indent = written.len() - written.trim_start().len();
        if indent <= least {
            (end, least) = (line, indent);
        }
    }
    end
}

/// Returns the ranges of the lines from `first` to before `end` that may have been written by hand.
fn without_long_lines(lines: &Lines<'_>, first: u32, end: u32) -> Piece {
    let mut ranges: Piece = Vec::new();
    for line in first..end {
        let range = ByteRange { start: lines.start(line), end: lines.start(line + 1) };
        if range.len() as usize > LONG_LINE {
            continue;
        }
        match ranges.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => ranges.push(range),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::{ChunkOptions, ChunkedFile, Method, chunk};

    fn chunked(language: &str, text: &str) -> ChunkedFile {
        chunk(Language::from_name(language).unwrap(), text, &ChunkOptions::default())
    }

    fn names(file: &ChunkedFile) -> Vec<&str> {
        file.declarations.iter().map(|one| one.name.as_str()).collect()
    }

    /// Functions with different bodies, of about 400 bytes each.
    fn functions(n: usize, indent: &str) -> String {
        let body = |at: usize| -> String {
            (0..12).map(|line| format!("{indent}    total += step_{at}_{line}(total)\n")).collect()
        };
        (0..n).map(|at| format!("{indent}def f{at}(total):\n{}\n", body(at))).collect()
    }

    #[test]
    fn a_long_line_costs_only_itself() {
        let image: String = (0..20_000).map(|at| format!("{:x}", at * 7919)).collect();
        let text = format!(
            "def before():\n    return 1\n\n\nIMAGE = \"{image}\"\n\n\ndef after():\n    return IMAGE\n"
        );
        let file = chunked("python", &text);
        assert_eq!((file.method, names(&file)), (Method::Syntax, vec!["before", "after"]));
        let in_list = format!("ICONS = [\n\"{image}\",\n]\n\n\ndef after():\n    return ICONS\n");
        assert_eq!(names(&chunked("python", &in_list)), ["ICONS", "after"]);
        let covered: usize = file.chunks.iter().map(|one| one.span.bytes.len() as usize).sum();
        assert!(covered > image.len(), "the long line can be found too");
    }

    #[test]
    fn a_document_with_an_image_in_a_line_keeps_its_sections() {
        let image: String = (0..20_000).map(|at| format!("{:x}", at * 7919)).collect();
        let body: String = (0..200).map(|at| format!("Word {at} of the text, and {}.\n", at * 31)).collect();
        let text =
            format!("# First\n\n{body}\n![logo](data:image/png;base64,{image})\n\n# Second\n\nText.\n");
        let file = chunked("markdown", &text);
        assert_eq!((file.method, names(&file)), (Method::Syntax, vec!["First", "Second"]));
        let lines: u32 = file.chunks.iter().map(|one| one.span.end_line).max().unwrap();
        assert_eq!(lines, file.n_lines);
        let only = format!("![logo](data:image/png;base64,{image})\n");
        assert_ne!(chunked("markdown", &only).chunks, []);
    }

    #[test]
    fn a_large_program_keeps_its_declarations() {
        let n = 3 * MAX_PARSE_BYTES / 400;
        let text = functions(n, "");
        assert!(text.len() > 2 * MAX_PARSE_BYTES);
        let file = chunked("python", &text);
        let expected: Vec<String> = (0..n).map(|at| format!("f{at}")).collect();
        assert_eq!(file.method, Method::Syntax);
        assert_eq!(names(&file), expected);
        assert!(file.references.iter().any(|one| one.name == format!("step_{}_3", n - 1)));
        // One class around them all.
        let file = chunked("python", &format!("class All:\n{}", functions(n, "    ")));
        assert_eq!(names(&file).len(), n + 1);
    }

    #[test]
    fn tables_and_data_are_not_cut_along_their_syntax() {
        let registers: String =
            (0..40_000).map(|at| format!("#define REGISTER_{at}_SHIFT 0x{:x}\n", at * 7919)).collect();
        assert!(registers.len() > MAX_PARSE_BYTES);
        assert_eq!(chunked("c", &registers).method, Method::Fallback);
        let keys: String = (0..80_000).map(|at| format!("  \"key{at}\": {},\n", at * 7919)).collect();
        assert_eq!(chunked("json", &format!("{{\n{keys}}}\n")).method, Method::Fallback);
    }

    #[test]
    fn a_cut_is_between_declarations() {
        let text = functions(2 * MAX_PARSE_BYTES / 400, "");
        let lines = Lines::new(&text);
        let pieces = pieces(Language::from_name("python").unwrap(), &lines);
        assert!(pieces.len() >= 2);
        for piece in &pieces {
            let [range] = piece.as_slice() else { panic!("one range: {piece:?}") };
            assert!(range.of(&text).starts_with("def f"), "{range:?}");
            assert!(range.len() as usize <= MAX_PARSE_BYTES);
        }
        assert_eq!(pieces.iter().flatten().map(|range| range.len() as usize).sum::<usize>(), text.len());
    }
}
