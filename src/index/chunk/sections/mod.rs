//! Documents that consist of sections: lines → sections, entries, blocks and links.
//!
//! Each format has one file here with a scanner of its lines; [`Outline`] is what they share. The
//! structure that matters (headings, options, blocks of code, paragraphs) consists of lines, and a
//! broken document is read as its reader sees it. The grammars of these formats are slow or fail on
//! real documents.
//!
//! A **section** begins with a heading and nests by its level. An **entry** is a described thing
//! within a section, such as an option of a program. Both are declarations, so a question finds
//! their lines. A block that is not closed does not swallow the rest of the document. Every scanner
//! takes linear time, whatever the text.

pub(super) mod asciidoc;
pub(super) mod latex;
pub(super) mod markdown;
pub(super) mod org;
pub(super) mod pod;
pub(super) mod restructuredtext;
pub(super) mod roff;
pub(super) mod roff_text;
pub(super) mod texinfo;
mod text;
pub(super) mod wiki;

use super::atom::{Atom, AtomKind};
use super::fences::{self, Fence};
use super::lines::{Lines, offset};
use super::links::links;
use super::mention::{MAX_NAME, Mention};
use super::walk_result::WalkResult;
use super::{ByteRange, Declaration, DeclarationKind, Language, ReferenceKind};
use std::borrow::Cow;
use std::collections::HashMap;
use text::{
    MAX_MARKUP, MAX_TARGET, MAX_TERM, file, is_option, main_term, page, take_char, term, title,
    with_shown_links,
};

/// Levels from here on are those of entries; lower ones are those of headings.
const ENTRY: u32 = 100;

/// Deepest nesting of lists that counts.
const MAX_LISTS: u32 = 40;

/// A format whose lines are read one by one, or block by block.
trait LineScan<'t>: Sized {
    /// The outline that the lines add to.
    fn page(&mut self) -> &mut Outline<'t>;

    /// Reads a line that is not blank, or the block that begins with it; returns the line after
    /// that.
    fn line(&mut self, line: u32) -> u32;

    /// Ends what a blank line ends.
    fn blank(&mut self) {
        self.page().flush();
    }

    /// Reads all lines.
    fn read(&mut self, lines: &Lines<'t>) {
        let mut line = 0;
        while line < lines.len() {
            if lines.blank(line) {
                self.blank();
                line += 1;
            } else {
                line = self.line(line);
            }
        }
    }
}

/// The head of a section or an entry, on whole lines, 0-based and inclusive.
struct Heading {
    first_line: u32,
    last_line: u32,
    /// The line that the name is on.
    name_line: u32,
    /// It is below the open sections of lower levels.
    level: u32,
    /// The name; if it is empty, nothing is declared.
    name: String,
}

impl Heading {
    /// Returns a heading on one line.
    fn on(line: u32, level: u32, name: String) -> Self {
        Self { first_line: line, last_line: line, name_line: line, level, name }
    }
}

/// A run of lines that belong together.
struct Block {
    first_line: u32,
    last_line: u32,
    depth: u32,
}

/// The lines of a document, and what is found in them so far.
struct Outline<'t> {
    text: &'t str,
    lines: &'t Lines<'t>,
    out: WalkResult<'t>,
    /// The open sections and entries: level, index of the declaration.
    open: Vec<(u32, usize)>,
    block: Option<Block>,
    /// Lines that belong to the heading below them, if there is one: first and last.
    lead: Option<(u32, u32)>,
    /// The last line of the last block.
    last_line: Option<u32>,
    /// The blocks of code in a language that can be read.
    fences: Vec<Fence>,
}

impl<'t> Outline<'t> {
    fn new(lines: &'t Lines<'t>) -> Self {
        Self {
            text: lines.text(),
            lines,
            out: WalkResult::default(),
            open: Vec::new(),
            block: None,
            lead: None,
            last_line: None,
            fences: Vec::new(),
        }
    }

    /// Returns the text of a line without its line feed; of the first one without its byte order
    /// mark.
    fn at(&self, line: u32) -> &'t str {
        let text = self.range(line, line).of(self.text);
        if line == 0 { text.trim_start_matches('\u{feff}') } else { text }
    }

    /// Returns the bytes of whole lines.
    fn range(&self, first_line: u32, last_line: u32) -> ByteRange {
        ByteRange { start: self.lines.start(first_line), end: self.lines.end(last_line) }
    }

    /// Returns the bytes of white space before the text of a line.
    fn indent(&self, line: u32) -> u32 {
        let text = self.at(line);
        offset(text.len() - text.trim_start().len())
    }

    /// Returns the next line that is not blank, after this one.
    fn next(&self, line: u32) -> Option<u32> {
        (line + 1..self.lines.len()).find(|&next| !self.lines.blank(next))
    }

    /// Returns the first and last line of the text below a line that is indented by more than this.
    fn body(&self, line: u32, indent: u32) -> Option<(u32, u32)> {
        let first = self.next(line).filter(|&first| self.indent(first) > indent)?;
        let mut last = first;
        for next in first + 1..self.lines.len() {
            if self.lines.blank(next) {
                continue;
            }
            if self.indent(next) <= indent {
                break;
            }
            last = next;
        }
        Some((first, last))
    }

    /// Adds whole lines as a block.
    fn add(&mut self, first_line: u32, last_line: u32, depth: u32, kind: AtomKind) {
        self.flush();
        self.settle_lead();
        self.atom(first_line, last_line, depth, kind);
    }

    fn atom(&mut self, first_line: u32, last_line: u32, depth: u32, kind: AtomKind) {
        let bytes = self.range(first_line, last_line);
        if !bytes.of(self.text).trim().is_empty() {
            self.out.atoms.push(Atom { bytes, depth, kind });
            self.last_line = Some(last_line);
        }
    }

    /// Adds a block and the links that stand in it.
    fn add_text(&mut self, first_line: u32, last_line: u32, depth: u32) {
        self.add(first_line, last_line, depth, AtomKind::Other);
        self.plain_links(self.range(first_line, last_line));
    }

    /// Adds a line to the current block, or begins one of this depth.
    fn text_line(&mut self, line: u32, depth: u32) {
        self.settle_lead();
        match &mut self.block {
            Some(block) => block.last_line = line,
            None => self.block = Some(Block { first_line: line, last_line: line, depth }),
        }
    }

    /// Ends the current block; returns its bytes.
    fn flush(&mut self) -> Option<ByteRange> {
        let Block { first_line, last_line, depth } = self.block.take()?;
        self.atom(first_line, last_line, depth, AtomKind::Other);
        let bytes = self.range(first_line, last_line);
        self.plain_links(bytes);
        Some(bytes)
    }

    /// Adds a line that belongs to the heading below it, if there is one: a label.
    fn lead_line(&mut self, line: u32) {
        self.flush();
        self.lead = Some((self.lead.map_or(line, |(first, _)| first), line));
    }

    /// Adds the lines before a heading that did not come.
    fn settle_lead(&mut self) {
        if let Some((first, last)) = self.lead.take() {
            self.atom(first, last, 1, AtomKind::Other);
            self.plain_links(self.range(first, last));
        }
    }

    /// Adds whole lines as a comment.
    fn comment(&mut self, first_line: u32, last_line: u32) {
        self.add(first_line, last_line, 1, AtomKind::Comment);
        let bytes = self.range(first_line, last_line);
        let written = bytes.of(self.text);
        let start = bytes.start + offset(written.len() - written.trim_start().len());
        let end = bytes.start + offset(written.trim_end().len());
        self.out.comments.push(ByteRange { start, end });
        self.plain_links(bytes);
    }

    /// Adds a line and those below it for which `is_comment` holds as a comment; returns the line
    /// after them.
    fn comments(&mut self, line: u32, is_comment: impl Fn(&str) -> bool) -> u32 {
        let mut last = line;
        while last + 1 < self.lines.len() && is_comment(self.at(last + 1)) {
            last += 1;
        }
        self.comment(line, last);
        last + 1
    }

    /// Begins a section or an entry.
    fn open(&mut self, heading: Heading) {
        self.flush();
        let Heading { first_line, last_line, name_line, level, name } = heading;
        let (first_line, head_line) = match self.lead.take() {
            Some((lead, _)) => (lead, first_line),
            None => (first_line, first_line),
        };
        self.close(level);
        let kind = if level < ENTRY || name.is_empty() { AtomKind::Other } else { AtomKind::Entry };
        self.atom(first_line, last_line, 1, kind);
        let bytes = self.range(first_line, last_line);
        self.plain_links(bytes);
        if name.is_empty() {
            return;
        }
        let trimmed = |bytes: ByteRange| {
            let written = bytes.of(self.text);
            let written = written.trim_start_matches('\u{feff}');
            bytes.end - offset(written.trim_start().len())
        };
        let start = trimmed(bytes);
        let written = bytes.of(self.text).trim_end();
        let index = self.out.declarations.len();
        self.out.declarations.push(Declaration {
            scope: String::new(),
            name,
            kind: DeclarationKind::Section,
            parent: self.open.last().map(|(_, outer)| offset(*outer)),
            span: self.lines.span(ByteRange { start, end: bytes.end }),
            name_line: name_line + 1,
            signature: ByteRange {
                start: trimmed(self.range(head_line, last_line)),
                end: bytes.start + offset(written.len()),
            },
            body: ByteRange { start: bytes.end, end: bytes.end },
            doc: ByteRange::default(),
        });
        self.open.push((level, index));
    }

    /// Ends the open sections and entries of this level and of deeper ones.
    fn close(&mut self, level: u32) {
        let end = self.last_line.map(|line| self.lines.end(line)).unwrap_or_default();
        while let Some(&(_, index)) = self.open.last().filter(|(open, _)| *open >= level) {
            self.open.pop();
            let Some(section) = self.out.declarations.get_mut(index) else { continue };
            let end = end.max(section.span.bytes.end);
            section.span = self.lines.span(ByteRange { end, ..section.span.bytes });
            section.body.end = end;
            if section.body.is_empty() {
                section.body = ByteRange::default();
            }
        }
    }

    /// Ends the entries that a line of this indentation is not part of.
    fn dedent(&mut self, indent: u32) {
        if self.open.last().is_some_and(|(level, _)| *level >= ENTRY + indent) {
            self.flush();
            self.settle_lead();
            self.close(ENTRY + indent);
        }
    }

    /// Remembers a block of code on these lines if its language can be read.
    fn fence(&mut self, language: Option<Language>, lines: (u32, u32), has_prompts: bool) {
        if let Some(language) = language.filter(|_| lines.0 <= lines.1) {
            let indent = self.indent(lines.0);
            self.fences.push(Fence { language, lines, indent, has_prompts, is_cell: false });
        }
    }

    /// Adds a link. The target is a part of the text.
    fn link(&mut self, target: &'t str) {
        if target.bytes().any(|byte| byte.is_ascii_alphanumeric()) && target.len() <= MAX_NAME {
            // Its address gives its position.
            let at = offset(target.as_ptr().addr().saturating_sub(self.text.as_ptr().addr()));
            self.out.mentions.push(Mention::new(at, ReferenceKind::Link, target, Cow::Borrowed("")));
        }
    }

    /// Adds the files and URLs that a text mentions.
    fn plain_links(&mut self, bytes: ByteRange) {
        let mut found = Vec::new();
        links(bytes.of(self.text), |_, name| found.push(name));
        found.into_iter().for_each(|name| self.link(name));
    }

    fn finish(mut self) -> WalkResult<'t> {
        self.flush();
        self.settle_lead();
        self.close(0);
        fences::add(&mut self.out, &self.fences, self.lines);
        self.out
    }
}

/// The lines that can end a block, by their text.
struct Ends<'t>(HashMap<&'t str, Vec<u32>>);

impl<'t> Ends<'t> {
    /// Collects the lines for which `key` returns a text.
    fn new(lines: &'t Lines<'t>, key: impl Fn(&'t str) -> Option<&'t str>) -> Self {
        let mut ends: HashMap<&'t str, Vec<u32>> = HashMap::new();
        for line in 0..lines.len() {
            let bytes = ByteRange { start: lines.start(line), end: lines.end(line) };
            if let Some(key) = key(bytes.of(lines.text())) {
                ends.entry(key).or_default().push(line);
            }
        }
        Self(ends)
    }

    /// Returns the next such line after this one.
    fn after(&self, line: u32, key: &str) -> Option<u32> {
        let all = self.0.get(key)?;
        all.get(all.partition_point(|&end| end <= line)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::testing::{HOSTILE, within};
    use crate::index::chunk::{ChunkOptions, chunk};

    #[test]
    fn takes_no_time_for_hostile_text() {
        let scanners = [
            asciidoc::SCANNER,
            latex::SCANNER,
            org::SCANNER,
            pod::SCANNER,
            restructuredtext::SCANNER,
            roff::SCANNER,
            texinfo::SCANNER,
            wiki::SCANNER,
        ];
        let steps = |unit: &str| (0..1000).map(|n| " ".repeat(n) + unit).collect::<String>();
        let mut texts: Vec<String> = [
            "a\n=\n",
            "==\na\n==\n",
            ".. a::\n",
            ".. code::\n\n",
            ".. index::\n",
            ".. function:: a\n",
            ".. _a:\n",
            "..\n\n",
            ":doc:`",
            "a::\n\n",
            ">>> a\n",
            "--a  b\n",
            "`a <",
            "* a\n",
            "#+begin_src c\n",
            "#+end_src\n",
            ":a:\n",
            "- a :: b\n",
            "[[",
            "[[a][",
            "== a\n",
            "----\n",
            "====\n",
            "====\n=====\n",
            "////\n",
            "a::\n",
            "a::\nb:::\nc;;\n",
            "[[a]]\n",
            "[source,c]\n",
            "<<",
            "<<a#",
            "include::[",
            "+\n",
            "\\section{a}\n",
            "\\begin{verbatim}\n",
            "\\begin{itemize}\n",
            "\\def\\a{\n",
            "\\item[\n",
            "\\input{",
            "\\inputminted{",
            "\\",
            "{",
            "\\[",
            "\\f[",
            "\\*(",
            "\\h'",
            ".SH\n",
            ".TP\n",
            ".IP \"\n",
            ".RS\n",
            ".Bl\n",
            ".It Xo\n",
            ".BR a (",
            "Fl ",
            ".\\\"\n",
            "@item a\n",
            "@itemx a\n",
            "@example\n",
            "@deffn {a\n",
            "@table\n",
            "=head1 a\n",
            "=item C<\n",
            "=begin a\n",
            "=over\n",
            "L<",
            "== [[a ==\n",
            "<pre>\n",
            "%\n",
            "# \n",
        ]
        .iter()
        .map(|unit| unit.repeat(200_000 / unit.len()))
        .collect();
        texts.extend(
            [".. code::\n", ".. function:: a\n", "..\n\n", "a::\n\n", "- a :: b\n", "a\n"].map(steps),
        );
        for text in texts {
            let lines = Lines::new(&text);
            for one in scanners {
                within(HOSTILE, || (one.scan)(&lines));
            }
            within(HOSTILE, || roff_text::words(&text));
        }
    }

    #[test]
    fn an_open_block_takes_nothing_with_it() {
        for (name, text) in [
            ("asciidoc", "= A\n\n----\nx\n\n== B\n"),
            ("latex", "\\section{A}\n\\begin{verbatim}\nx\n\\section{B}\n"),
            ("latex", "\\section{A}\n\\newcommand{\\x}{\n\\section{B}\n"),
            ("mediawiki", "== A ==\n<pre>\nx\n== B ==\n"),
            ("org", "* A\n#+begin_src c\nx\n* B\n"),
            ("org", "* A\n:LOGBOOK:\nx\n* B\n:END:\n"),
            ("pod", "=head1 A\n\n=begin x\n\n=head1 B\n"),
            ("restructuredtext", "A\n=\n\n``x\n\nB\n=\n"),
            ("roff", ".SH A\n.nf\n.RS\n.SH B\n"),
            ("texinfo", "@chapter A\n@example\nx\n@chapter B\n"),
        ] {
            let file = chunk(Language::from_name(name).unwrap(), text, &ChunkOptions::default());
            let names: Vec<&str> = file.declarations.iter().map(|one| one.name.as_str()).collect();
            let sections: Vec<&str> = names.into_iter().filter(|name| *name != "x").collect();
            assert_eq!(sections, ["A", "B"], "{name}: {text}");
        }
    }

    #[test]
    fn a_document_is_read_with_any_line_ends_and_marks() {
        for (name, text) in [
            ("asciidoc", "= A\n\n== B\nx\n"),
            ("latex", "\\section{A}\n\\subsection{B}\nx\n"),
            ("markdown", "# A\n\n## B\nx\n"),
            ("mediawiki", "= A =\n== B ==\nx\n"),
            ("org", "* A\n** B\nx\n"),
            ("pod", "=head1 A\n\n=head2 B\n\nx\n"),
            ("restructuredtext", "A\n=\n\nB\n-\n\nx\n"),
            ("roff", ".SH A\n.SS B\nx\n"),
            ("texinfo", "@chapter A\n@section B\nx\n"),
        ] {
            let crlf = text.replace('\n', "\r\n");
            for text in [
                text.to_owned(),
                crlf,
                format!("\u{feff}{text}"),
                format!("{text}\0\n"),
                text.trim().to_owned(),
            ] {
                let file = chunk(Language::from_name(name).unwrap(), &text, &ChunkOptions::default());
                let path = |one: &Declaration| (one.name.clone(), one.parent);
                let found: Vec<_> = file.declarations.iter().map(path).collect();
                assert_eq!(found, [("A".to_owned(), None), ("B".to_owned(), Some(0))], "{name}: {text:?}");
            }
        }
    }
}
