//! Jupyter notebooks: JSON → the cells, each read in its own language.
//!
//! The code of all cells is decoded into one text ([`code`]), and each cell is parsed there as a
//! part of one file. So a name of one cell is found in the others. Then every position is mapped
//! back to the notebook's own bytes, so that lines are those of the file. Outputs, attachments and
//! metadata are in no chunk.
//!
//! Invariant: chunks are pieces of cells, in order. The time is linear in the text.

mod cells;
mod code;

use super::atom::Atom;
use super::lines::{Lines, offset};
use super::walk_result::WalkResult;
use super::{ByteRange, Chunk, ChunkKind, ChunkedFile, Declaration, DeclarationKind, Language, Method};
use super::{container, cut, documents};
use crate::base::text::head;
use cells::{Cell, CellKind};
use code::Code;

/// Longest title of a section in bytes.
const MAX_TITLE: usize = 200;

/// The position of a part of a notebook in its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellPlace {
    /// The number of the cell, 1-based; cells of text count too.
    pub number: usize,
    /// The first line in the cell, 1-based.
    pub start_line: usize,
    /// The last line in the cell, 1-based, inclusive.
    pub end_line: usize,
}

/// Returns the cell that a byte range of a notebook begins in, and its lines there. `None` for
/// another language, and for a range outside of all cells.
pub fn cell_place(language: &str, text: &str, at: ByteRange) -> Option<CellPlace> {
    if language != "jupyter" {
        return None;
    }
    let cells = cells::cells(text)?;
    let cell = cells.iter().find(|cell| cell.bytes.end > at.start && cell.bytes.start < at.end)?;
    let bytes =
        cell.trimmed(ByteRange { start: at.start.max(cell.bytes.start), end: at.end.min(cell.bytes.end) });
    let line_of = |byte: u32| {
        let before = cell.strings.iter().take_while(|string| string.start < byte);
        let n_feeds = |string: &ByteRange| {
            let read = ByteRange { start: string.start, end: string.end.min(byte) };
            super::unescaped(read.of(text)).0.bytes().filter(|&c| c == b'\n').count()
        };
        1 + before.map(n_feeds).sum::<usize>()
    };
    let start_line = line_of(bytes.start);
    Some(CellPlace { number: cell.number, start_line, end_line: line_of(bytes.end).max(start_line) })
}

/// Returns the line of a cell that a line of a notebook holds: the content of its only string.
///
/// `None` for a line of another form, such as one that holds a whole cell.
pub fn cell_line(line: &str) -> Option<String> {
    let bare = line.trim();
    let bare = bare.strip_suffix(',').unwrap_or(bare);
    let text: String = serde_json::from_str(bare).ok()?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    (!text.contains('\n')).then(|| text.to_owned())
}

/// Cuts a notebook; `None` if the text is not one. `target` is the size of a chunk in bytes.
pub(super) fn chunked(lines: &Lines<'_>, target: u32) -> Option<ChunkedFile> {
    let cells = cells::cells(lines.text())?;
    let code = Code::new(lines.text(), &cells);
    let notebook = Notebook { lines, cells: &cells, code: &code, target };
    Some(notebook.chunked())
}

/// A notebook that is being cut.
struct Notebook<'t> {
    lines: &'t Lines<'t>,
    cells: &'t [Cell<'t>],
    code: &'t Code,
    target: u32,
}

impl Notebook<'_> {
    fn chunked(&self) -> ChunkedFile {
        let code_lines = Lines::new(&self.code.text);
        let walked = self.walk(&code_lines);
        let WalkResult { mut declarations, mut mentions, mut comments, mut atoms, .. } = walked;
        for one in &mut declarations {
            let named = code_lines.start(one.name_line - 1).max(one.span.bytes.start);
            one.name_line = self.lines.of(self.code.raw(named)) + 1;
            one.span = self.lines.span(self.code.raw_range(one.span.bytes));
            for part in [&mut one.signature, &mut one.body, &mut one.doc] {
                *part = self.code.raw_range(*part);
            }
        }
        mentions.iter_mut().for_each(|one| one.at = self.code.raw(one.at));
        comments.iter_mut().for_each(|one| *one = self.code.raw_range(*one));
        atoms.iter_mut().for_each(|one| one.bytes = self.code.raw_range(one.bytes));
        let mut declarations = container::declarations(self.sections(), declarations, &[]);
        super::in_order(&mut declarations);
        let mut chunks = Vec::new();
        for cell in self.cells {
            self.cut(cell, &declarations, &atoms, &mut chunks);
        }
        comments.retain(|comment| comment.start < comment.end);
        let references = super::places::references(&declarations, &chunks, mentions);
        let n_lines = self.lines.len();
        ChunkedFile {
            method: Method::Syntax,
            n_lines,
            declarations,
            chunks,
            references,
            comments,
            errors: None,
        }
    }

    /// Walks all cells of code, by language.
    fn walk<'c>(&self, code_lines: &'c Lines<'c>) -> WalkResult<'c> {
        let mut all = WalkResult::default();
        let mut languages: Vec<Language> = self.cells.iter().filter_map(Cell::language).collect();
        languages.sort_unstable();
        languages.dedup();
        for language in languages {
            let cells = self.cells.iter().zip(&self.code.cells);
            let parts: Vec<ByteRange> = cells
                .filter(|(cell, bytes)| cell.language() == Some(language) && !bytes.is_empty())
                .map(|(_, bytes)| *bytes)
                .collect();
            all = container::add_blocks(language, all, &parts, code_lines, cut::limit(self.target));
        }
        all
    }

    /// Returns the headings of the cells of text, each as a section that is its cell.
    fn sections(&self) -> Vec<Declaration> {
        let of = |cell: &Cell<'_>| {
            let text = cell.decoded();
            let heading = text.lines().find(|line| !line.trim().is_empty())?.trim_start();
            let title = heading.strip_prefix('#')?.trim_matches(['#', ' ', '\t', '*']);
            let name = Some(head(title, MAX_TITLE)).filter(|name| !name.is_empty())?;
            let span = self.lines.span(cell.trimmed(cell.bytes));
            let first = cell.strings.first().map_or(span.bytes, |first| cell.trimmed(*first));
            Some(Declaration {
                name: name.to_owned(),
                scope: String::new(),
                kind: DeclarationKind::Section,
                parent: None,
                span,
                name_line: span.start_line,
                signature: first,
                body: ByteRange::default(),
                doc: ByteRange::default(),
            })
        };
        self.cells.iter().filter(|cell| cell.kind == CellKind::Text).filter_map(of).collect()
    }

    /// Adds the chunks of a cell: one, unless it is too large.
    fn cut(&self, cell: &Cell<'_>, declarations: &[Declaration], atoms: &[Atom], chunks: &mut Vec<Chunk>) {
        // Both lists are in order, and a cell has a run of each.
        let from = declarations.partition_point(|one| one.span.bytes.start < cell.bytes.start);
        let to = declarations.partition_point(|one| one.span.bytes.start < cell.bytes.end);
        let own = declarations.get(from..to).unwrap_or_default();
        let pieces = self.pieces(cell, atoms);
        let is_whole = pieces.len() == 1;
        for piece in pieces {
            let bytes = cell.trimmed(piece);
            if bytes.of(self.lines.text()).trim().is_empty() {
                continue;
            }
            let starts_before = |at: u32| own.partition_point(|one| one.span.bytes.start < at);
            let (first, last) = (starts_before(bytes.start), starts_before(bytes.end));
            // The innermost declaration around the beginning of the piece.
            let before = own.get(..first).unwrap_or_default();
            let outer = before.iter().rev().take(64).position(|one| one.span.bytes.end > bytes.start);
            let outer = outer.map(|back| first - 1 - back);
            let n_top =
                own.get(first..last).unwrap_or_default().iter().filter(|one| one.parent.is_none()).count();
            let kind = match (cell.kind, outer) {
                (CellKind::Text, _) => ChunkKind::Section,
                (_, Some(_)) => ChunkKind::Part,
                _ if first == last => ChunkKind::Code,
                _ if n_top == 1 && is_whole => ChunkKind::Declaration,
                _ => ChunkKind::Group,
            };
            let declaration = outer.or((first < last).then_some(first)).map(|at| offset(from + at));
            chunks.push(Chunk { span: self.lines.span(bytes), kind, declaration });
        }
    }

    /// Cuts a cell into pieces of about the target size: before a statement, else before a line.
    fn pieces(&self, cell: &Cell<'_>, atoms: &[Atom]) -> Vec<ByteRange> {
        let (mut from, end) = (cell.bytes.start, cell.bytes.end);
        let limit = cut::limit(self.target);
        if end - from <= limit {
            return vec![cell.bytes];
        }
        let first = atoms.partition_point(|atom| atom.bytes.start < from);
        let last = atoms.partition_point(|atom| atom.bytes.start < end);
        let atoms = atoms.get(first..last).unwrap_or_default().iter();
        let mut pieces = Vec::new();
        let mut last = from;
        for at in atoms.map(|atom| atom.bytes.start).chain([end]) {
            if at - from > self.target && last > from {
                pieces.push(ByteRange { start: from, end: last });
                from = last;
            }
            last = at;
        }
        pieces.push(ByteRange { start: from, end });
        // A statement that is too large, text, and an unknown language are cut between lines.
        let lines = |piece: ByteRange| {
            let is_large = piece.len() > limit.saturating_mul(2);
            let most = if is_large { self.target } else { piece.len() };
            let inner = documents::pieces(piece.of(self.lines.text()), &[], most);
            let at = move |one: ByteRange| ByteRange {
                start: piece.start + one.start,
                end: piece.start + one.end,
            };
            inner.into_iter().map(at)
        };
        pieces.into_iter().flat_map(lines).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::{ChunkOptions, ReferenceKind, chunk};

    fn notebook(text: &str) -> ChunkedFile {
        chunk(Language::from_name("jupyter").unwrap(), text, &ChunkOptions::default())
    }

    const TEXT: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "source": [
    "# Load the data\n",
    "\n",
    "From the shop."
   ]
  },
  {
   "cell_type": "code",
   "outputs": [
    {"data": {"image/png": "iVBORw0KGgoAAAANSUhEUg"}, "output_type": "display_data"}
   ],
   "source": [
    "%matplotlib inline\n",
    "import pandas as pd\n",
    "\n",
    "def load(path):\n",
    "    \"\"\"Reads \"orders\".\"\"\"\n",
    "    return pd.read_csv(path)\n"
   ]
  },
  {
   "cell_type": "code",
   "source": "orders = load(\"orders.csv\")\norders.head()"
  }
 ],
 "metadata": {"kernelspec": {"language": "python"}},
 "nbformat": 4
}
"##;

    #[test]
    fn names_are_followed_across_cells() {
        let file = notebook(TEXT);
        let shown: Vec<_> =
            file.declarations.iter().map(|one| (one.name.as_str(), one.kind, one.name_line)).collect();
        use DeclarationKind as K;
        assert_eq!(
            shown,
            [("Load the data", K::Section, 6), ("load", K::Function, 20), ("orders", K::Variable, 27)]
        );
        let [_, load, _] = file.declarations.as_slice() else { panic!() };
        assert_eq!(load.signature.of(TEXT), "def load(path):");
        let lines: Vec<_> = file.chunks.iter().map(|one| (one.span.start_line, one.span.end_line)).collect();
        assert_eq!(lines, [(6, 8), (17, 22), (27, 27)], "outputs are in no chunk");
        let call = file.references.iter().find(|one| one.name == "load").unwrap();
        assert_eq!((call.kind, call.chunk), (ReferenceKind::Call, 2));
        let read = file.references.iter().find(|one| one.name == "read_csv").unwrap();
        assert_eq!(read.qualifier, "pd");
    }

    #[test]
    fn places_are_cells_and_lines() {
        let file = notebook(TEXT);
        let of = |at: usize| {
            let place = cell_place("jupyter", TEXT, file.chunks[at].span.bytes).unwrap();
            (place.number, place.start_line, place.end_line)
        };
        assert_eq!([of(0), of(1), of(2)], [(1, 1, 3), (2, 1, 6), (3, 1, 2)]);
        let head = offset(TEXT.find("orders.head").unwrap());
        let place = cell_place("jupyter", TEXT, ByteRange { start: head, end: head + 4 }).unwrap();
        assert_eq!((place.number, place.start_line, place.end_line), (3, 2, 2));
        assert_eq!(cell_place("json", TEXT, file.chunks[0].span.bytes), None);
        assert_eq!(cell_place("jupyter", TEXT, ByteRange { start: 0, end: 2 }), None);
    }

    #[test]
    fn a_large_cell_is_cut_at_statements() {
        let lines: Vec<String> = (0..60).map(|n| format!("\"total_{n} = compute({n})\\n\"")).collect();
        let text =
            format!("{{\"cells\": [{{\"cell_type\": \"code\", \"source\": [\n{}\n]}}]}}", lines.join(",\n"));
        let options = ChunkOptions { target_bytes: 200, ..ChunkOptions::default() };
        let file = chunk(Language::from_name("jupyter").unwrap(), &text, &options);
        assert!(file.chunks.len() > 5, "{:?}", file.chunks);
        let mut line = 2;
        for one in &file.chunks {
            assert_eq!(one.span.start_line, line);
            line = one.span.end_line + 1;
        }
        assert_eq!(line, 62);
    }

    #[test]
    fn what_is_no_notebook_is_windows() {
        for text in ["{\"cells\": 3}", "not json", "{\"cells\": [", "[[[[", "{\"a\": {\"cells\": []}}"] {
            assert_eq!(notebook(text).method, Method::Fallback, "{text}");
        }
        let deep = format!("{{\"nbformat\": 4, \"cells\": [{}{}]}}", "[".repeat(50_000), "]".repeat(50_000));
        assert!(notebook(&deep).chunks.is_empty());
    }
}
