//! Languages that are read by lines: text → declarations, mentions, comments and atoms.
//!
//! A Makefile, a Dockerfile or an INI file consists of lines, and a broken line costs that line
//! alone. So these scanners need no grammar. Each has one file here; [`Page`] is what they share.
//! Every scanner takes linear time, whatever the text.

pub(super) mod assembly;
pub(super) mod dockerfile;
pub(super) mod fsharp;
pub(super) mod ini;
pub(super) mod lisp;
pub(super) mod makefile;
pub(super) mod scss;
pub(super) mod template;
pub(super) mod template_marks;
mod tokens;
pub(super) mod verilog;

use super::atom::{Atom, AtomKind};
use super::lines::{Lines, offset};
use super::links::links;
use super::mention::{MAX_NAME, Mention};
use super::walk_result::WalkResult;
use super::{ByteRange, ChunkKind, Declaration, DeclarationKind, ReferenceKind};
use crate::base::text::BYTE_ORDER_MARK;
use std::borrow::Cow;

/// A scanner of a language; it returns `None` if the text has another form than expected.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scanner {
    /// The function that scans.
    pub(super) scan: for<'t> fn(&'t Lines<'t>) -> Option<WalkResult<'t>>,
    /// The kind of all chunks but the head, for languages that are not programs.
    pub(super) chunks: Option<ChunkKind>,
    /// Whether each mention says where its name is.
    pub(super) is_exact: bool,
}

/// A declaration on whole lines, 0-based and inclusive.
struct LinedDeclaration<'t> {
    name: &'t str,
    kind: DeclarationKind,
    /// See [`Declaration::parent`].
    parent: Option<u32>,
    first_line: u32,
    last_line: u32,
    /// The line of its name.
    name_line: u32,
    /// Where its signature ends.
    signature_end: u32,
    /// Its body; empty if there is none.
    body: ByteRange,
    /// Its doc comment, if that is not the one directly above.
    doc: ByteRange,
}

/// The lines of a file, and what is found in them.
struct Page<'t> {
    text: &'t str,
    lines: &'t Lines<'t>,
    out: WalkResult<'t>,
    /// The first and last line of the comment that was read last.
    comment: Option<(u32, u32)>,
}

impl<'t> Page<'t> {
    fn new(lines: &'t Lines<'t>) -> Self {
        Self { text: lines.text(), lines, out: WalkResult::default(), comment: None }
    }

    /// Returns the text of a line without its line feed.
    fn line(&self, line: u32) -> &'t str {
        self.range(line, line).of(self.text)
    }

    /// Returns the bytes of whole lines.
    fn range(&self, first_line: u32, last_line: u32) -> ByteRange {
        let has_mark = first_line == 0 && self.text.starts_with(BYTE_ORDER_MARK);
        let start = if has_mark { offset(BYTE_ORDER_MARK.len_utf8()) } else { self.lines.start(first_line) };
        ByteRange { start, end: self.lines.end(last_line) }
    }

    /// Returns the offset of a part of the text.
    fn at(&self, part: &str) -> u32 {
        // The part borrows from the text, so its address gives its position.
        offset(part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr()))
    }

    /// Returns the last line of the statement that begins here and goes on after each `mark` at the
    /// end of a line.
    fn continued(&self, line: u32, mark: char) -> u32 {
        let mut last = line;
        while last + 1 < self.lines.len() && is_continued(self.line(last), mark) {
            last += 1;
        }
        last
    }

    fn atom(&mut self, first_line: u32, last_line: u32, depth: u32, kind: AtomKind) {
        let bytes = self.range(first_line, last_line);
        if !bytes.of(self.text).trim().is_empty() {
            self.out.atoms.push(Atom { bytes, depth, kind });
        }
    }

    /// Adds a line of a comment. Several of them, one below the other, are one comment.
    fn comment(&mut self, line: u32, depth: u32) {
        let bytes = self.range(line, line);
        let written = bytes.of(self.text);
        let start = bytes.start + offset(written.len() - written.trim_start().len());
        self.remark(ByteRange { start, end: bytes.end });
        self.atom(line, line, depth, AtomKind::Comment);
        self.comment = match self.comment {
            Some((first, last)) if last + 1 == line => Some((first, line)),
            _ => Some((line, line)),
        };
    }

    /// Adds a comment that may stand behind something, and its links.
    fn remark(&mut self, bytes: ByteRange) {
        self.out.comments.push(bytes);
        self.links(bytes);
    }

    /// Adds the files and URLs that a text mentions.
    fn links(&mut self, bytes: ByteRange) {
        let mentions = &mut self.out.mentions;
        links(bytes.of(self.text), |at, name| {
            let at = bytes.start + offset(at);
            mentions.push(Mention::new(at, ReferenceKind::Link, name, Cow::Borrowed("")));
        });
    }

    fn mention(&mut self, kind: ReferenceKind, name: &'t str, qualifier: &'t str, within: Option<u32>) {
        if !name.is_empty() && name.len() <= MAX_NAME {
            let at = self.at(name);
            let mention = Mention::new(at, kind, name, Cow::Borrowed(qualifier));
            self.out.mentions.push(Mention { within, ..mention });
        }
    }

    /// Adds the import of a file, by its path.
    fn import_file(&mut self, path: &'t str) {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.mention(ReferenceKind::Import, name, path, None);
    }

    /// Adds a declaration, with the comment directly above; returns its index. `None` for a text
    /// that is not a name.
    fn declare(&mut self, one: LinedDeclaration<'t>) -> Option<u32> {
        let name = one.name.trim();
        if name.is_empty() || name.len() > MAX_NAME {
            return None;
        }
        let own = self.range(one.first_line, one.last_line);
        let mut start = own.start + offset(own.of(self.text).len() - own.of(self.text).trim_start().len());
        let signature = ByteRange { start, end: one.signature_end.max(start) };
        let mut doc = one.doc;
        let outer = one.parent.and_then(|at| self.out.declarations.get(at as usize));
        let outer_start = outer.map_or(0, |outer| outer.span.bytes.start);
        if let Some((first, last)) = self.comment.filter(|(_, last)| last + 1 == one.first_line) {
            let above = self.range(first, last);
            let indent = above.of(self.text).len() - above.of(self.text).trim_start().len();
            if above.start >= outer_start {
                start = above.start + offset(indent);
                if doc.is_empty() {
                    doc = ByteRange { start, end: above.end };
                }
            }
        }
        let index = offset(self.out.declarations.len());
        self.out.declarations.push(Declaration {
            name: name.to_owned(),
            scope: String::new(),
            kind: one.kind,
            parent: one.parent,
            span: self.lines.span(ByteRange { start, end: own.end }),
            name_line: one.name_line + 1,
            signature: ByteRange { end: signature.end.min(own.end), ..signature },
            body: one.body,
            doc,
        });
        Some(index)
    }

    /// Lets a declaration end with a line. The lines below its first statement are its body.
    fn extend(&mut self, declaration: u32, last_line: u32) {
        let end = self.lines.end(last_line);
        if let Some(one) = self.out.declarations.get_mut(declaration as usize)
            && end > one.span.bytes.end
        {
            let below = self.lines.start(one.span.end_line);
            let start = if one.body.is_empty() { below } else { one.body.start };
            one.body = ByteRange { start, end };
            one.span = self.lines.span(ByteRange { end, ..one.span.bytes });
        }
    }

    fn finish(mut self) -> WalkResult<'t> {
        self.out.comments.sort_unstable();
        self.out.comments.dedup_by(|next, kept| next.start < kept.end);
        self.out
    }
}

/// Returns whether a statement goes on in the next line: it ends with an odd number of `mark`s.
fn is_continued(line: &str, mark: char) -> bool {
    let line = line.trim_end_matches('\r');
    let marks = line.chars().rev().take_while(|&c| c == mark).count();
    marks % 2 == 1
}

/// Returns whether a name consists of letters, digits and these characters.
fn is_name(name: &str, also: &[char]) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || also.contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::testing::{HOSTILE, within};

    #[test]
    fn a_mark_at_the_end_goes_on() {
        for (line, expected) in
            [("a \\", true), ("a \\\\", false), ("a \\\\\\", true), ("a", false), ("", false), ("\\\r", true)]
        {
            assert_eq!(is_continued(line, '\\'), expected, "{line:?}");
        }
    }

    #[test]
    fn takes_no_time_for_hostile_text() {
        for unit in [
            "a:\\\n",
            "$(",
            "define x\n",
            "[a]\n",
            "a=",
            "FROM a AS b\n",
            "RUN <<E\n",
            "#\n",
            "a: $(b\n",
            "${a",
            "a{",
            "/*",
            "#{",
            "$a: (",
            "@include a {\n",
            "<%",
            "{%",
            "{{",
            "@section('a')\n",
            "{% block a %}\n",
            "{{ if ",
            "{{ define \"a\" }}",
            "{{ include \"a\" \"",
            "module m(",
            "begin ",
            "typedef ",
            "a b(.c(",
            "`define a \\\n",
            "\\",
            "\"",
            "let f x =\n",
            "type A =\n  | B\n",
            "(*",
            "[<A",
            "@\"\"",
            "'",
            "a:\n",
            ".macro a\n",
            "call a\n",
            "(",
            "(a [",
            ")",
            "\"\n(",
            "#|",
            "#<<A\n",
            "'(",
            "#_",
            "?\\C-",
            "|",
            "(def a ",
            "(let ((a ",
            "(define (",
            "(defclass a (b) ((c ",
            "(ns a (:require [b :as ",
            "(require (only-in ",
            "(module a b ",
            ";\n(def a b)\n",
        ] {
            let text = unit.repeat(100_000);
            let lines = Lines::new(&text);
            let scanners = [makefile::SCANNER, dockerfile::SCANNER, ini::SCANNER, scss::SCANNER];
            let lisps = [
                lisp::CLOJURE_SCANNER,
                lisp::COMMON_LISP_SCANNER,
                lisp::EMACS_LISP_SCANNER,
                lisp::SCHEME_SCANNER,
            ];
            let templates = [template::ERB, template::JINJA, template::BLADE, template::GO];
            let programs = [assembly::SCANNER, fsharp::SCANNER, verilog::SCANNER];
            for one in scanners.into_iter().chain(templates).chain(lisps).chain(programs) {
                within(HOSTILE, || (one.scan)(&lines));
            }
        }
    }
}
