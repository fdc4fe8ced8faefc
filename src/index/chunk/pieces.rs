//! Programs that can't be parsed as a whole: text → pieces that can, one after the other.
//!
//! A large program is cut between declarations. Lines that nobody wrote by hand, such as an image
//! in a string, and patterns that are repeated are left out. So a large file and a file with a very
//! long line keep their declarations. A declaration around a cut may be lost; those inside it are
//! kept.

use super::container::append;
use super::lines::Lines;
use super::parse::{self, BLOCK, LONG_LINE, MAX_PARSE_BYTES};
use super::resolve::ResolvedTable;
use super::walk;
use super::walk_result::WalkResult;
use super::{ByteRange, Language, complete};

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
    let n_bytes = lines.text().len();
    for piece in pieces(language, lines) {
        let Some(tree) = parse::parse_ranges(language, lines, &piece) else { continue };
        append(&mut all, walk::walk(language, resolved, &tree, lines, limit));
        if n_bytes > MAX_PARSE_BYTES && all.declarations.len() > n_bytes / BYTES_PER_DECLARATION {
            return None;
        }
    }
    complete(resolved, lines.text(), &mut all);
    (!all.declarations.is_empty()).then_some(all)
}

/// Returns the pieces of a program, in order; none of data, which has no declarations to keep.
pub(super) fn pieces(language: Language, lines: &Lines<'_>) -> Vec<Piece> {
    let is_program = language.table().is_some_and(|table| table.chunks.is_none());
    let mut pieces = Vec::new();
    let mut first = 0;
    while is_program && first < lines.len() {
        let end = end_of_piece(lines, first);
        let piece = readable(lines, first, end);
        // The parser reads the ranges as if nothing were between them.
        let read: String = piece.iter().map(|range| range.of(lines.text())).collect();
        if !read.is_empty() && parse::is_parseable(&read) {
            pieces.push(piece);
        }
        first = end;
    }
    pieces
}

/// Returns a text that can't be parsed, with very long lines of words without signs. `None` if the
/// rest is not worth scanning either. Offsets are those of the text. A scanner would look for the
/// end of each sign in such a line again and again.
pub(super) fn with_long_lines_masked(text: &str) -> Option<String> {
    if text.len() > MAX_PARSE_BYTES {
        return None;
    }
    let masked = |c: char| if c.is_ascii() && !c.is_ascii_whitespace() { 'x' } else { c };
    let (mut out, mut rest) = (String::with_capacity(text.len()), String::new());
    for line in text.split_inclusive('\n') {
        if is_long(line) {
            out.extend(line.chars().map(masked));
        } else {
            out.push_str(line);
            rest.push_str(line);
        }
    }
    (!rest.trim().is_empty() && parse::is_parseable(&rest)).then_some(out)
}

/// Returns whether nobody has written a line by hand.
fn is_long(line: &str) -> bool {
    line.trim_end_matches('\n').len() > LONG_LINE
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

/// Returns the ranges of the lines from `first` to before `end` that a parser may read: those that
/// may have been written by hand, without groups of [`BLOCK`] bytes that repeat a pattern.
fn readable(lines: &Lines<'_>, first: u32, end: u32) -> Piece {
    let mut ranges: Piece = Vec::new();
    let (mut group, mut written): (Piece, String) = Default::default();
    for line in first..end {
        let range = ByteRange { start: lines.start(line), end: lines.start(line + 1) };
        let text = range.of(lines.text());
        if !is_long(text) {
            written.push_str(text);
            group.push(range);
        }
        if written.len() < BLOCK && line + 1 < end {
            continue;
        }
        if parse::is_repetitive(written.as_bytes()) {
            group.clear();
        }
        for range in group.drain(..) {
            match ranges.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => ranges.push(range),
            }
        }
        written.clear();
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
        let large = image.repeat(6);
        let text = format!(
            "# First\n\nSome words.\n\n![logo](data:image/png;base64,{large})\n\n# Second\n\nText.\n"
        );
        assert_eq!(names(&chunked("markdown", &text)), ["First", "Second"], "however large the image is");
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
    fn a_pattern_is_left_out_wherever_it_is() {
        let comment: String = (0..900).map(|at| format!("{at} ")).collect::<String>() + &"-".repeat(2_000);
        let comment = format!("// {comment}\n");
        assert!(is_long(&comment));
        // Between long lines, which are left out.
        let hidden = format!("class A {{}}\n{}", format!("{}\n{comment}", "a<".repeat(1_000)).repeat(60));
        let pieces_of = |text: &str| pieces(Language::from_name("java").unwrap(), &Lines::new(text));
        let read: u32 = pieces_of(&hidden).iter().flatten().map(ByteRange::len).sum();
        assert!(read < 20_000, "{read}");
        // Behind other text.
        let other: String = (0..2_000).map(|at| format!("// Line {at} of the text.\n")).collect();
        let text = format!("class A {{}}\n{other}\n{}\nclass B {{}}\n{other}", "a<\n".repeat(20_000));
        assert!(!parse::is_parseable(&text));
        let read: u32 = pieces_of(&text).iter().flatten().map(ByteRange::len).sum();
        assert!(read as usize > other.len() && (read as usize) < 2 * other.len() + 40_000, "{read}");
        assert_eq!(names(&chunked("java", &text)).first(), Some(&"A"));
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
