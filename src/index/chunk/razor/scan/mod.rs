//! The scanner of Razor: text → the fragments of its C# program, its scripts and style sheets, and
//! the bytes that are not markup.
//!
//! `@` leads from markup to code, and a tag at the beginning of a statement leads back. Anything
//! that is not closed ends with the file. The time is linear in the text: an expression or the head
//! of a statement has a largest length, and the scanner goes back behind them only a number of
//! times. A search that fails is not repeated ([`Ends`]).

mod tag;

use super::lexer::{
    MAX_EXPRESSION, balanced, byte, expression_end, is_word, line_end, space_end, token_end, word_end,
};
use super::program::{Class, Fragment};
use crate::base::text::tail;
use crate::index::chunk::ByteRange;
use crate::index::chunk::ends::Ends;
use crate::index::chunk::lines::offset;
use crate::index::chunk::markup::Part;
use tag::Tag;

/// Deepest nesting of markup in code that is followed.
const MAX_DEPTH: u32 = 32;
/// Longest white space in front of a directive, in bytes.
const MAX_INDENT: usize = 200;
/// Parentheses and statements without an end after which no further ones are read.
const MAX_FAILURES: u32 = 200;
/// Most fragments; what follows stays markup.
const MAX_FRAGMENTS: usize = 40_000;

/// Directives that take a line, and refer to nothing.
const LINES: [&str; 8] = [
    "addTagHelper",
    "namespace",
    "page",
    "preservewhitespace",
    "removeTagHelper",
    "rendermode",
    "tagHelperPrefix",
    "helper",
];
/// Words that begin a statement with a block.
const STATEMENTS: [&str; 9] = ["do", "for", "foreach", "if", "lock", "switch", "try", "using", "while"];
/// Words that continue a statement.
const CONTINUED: [&str; 4] = ["catch", "else", "finally", "while"];

/// A file of Razor, taken apart.
#[derive(Debug, Default)]
pub(super) struct RazorFile {
    pub(super) class: Class,
    /// Scripts, style sheets and event handlers of the browser.
    pub(super) parts: Vec<Part>,
    /// The bytes that are not markup.
    pub(super) code: Vec<ByteRange>,
    /// The contents of blocks of code, which have lines of their own.
    pub(super) blocks: Vec<ByteRange>,
    pub(super) comments: Vec<ByteRange>,
}

/// Takes a file apart.
pub(super) fn scan(text: &str) -> RazorFile {
    let mut scan = Scan {
        text,
        at: text.len() - text.trim_start_matches('\u{feff}').len(),
        depth: 0,
        out: RazorFile::default(),
        sink: Vec::new(),
        deferred: Vec::new(),
        ends: Ends::default(),
        n_failures: 0,
        n_fragments: 0,
    };
    scan.markup(End::File);
    let mut file = scan.out;
    file.class.statements = scan.sink;
    file.class.statements.append(&mut scan.deferred);
    file.code.sort_unstable();
    file
}

/// What ends a piece of markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    File,
    /// The end of the element that it begins with.
    Element,
    /// The end of the line.
    Line,
    /// A closing brace.
    Brace,
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
    out: RazorFile,
    /// Where the code goes that is read.
    sink: Vec<Fragment>,
    /// The code of markup inside of expressions.
    deferred: Vec<Fragment>,
    ends: Ends,
    n_failures: u32,
    n_fragments: usize,
}

impl<'t> Scan<'t> {
    fn byte(&self, by: usize) -> u8 {
        byte(self.text, self.at + by)
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn is_over(&self) -> bool {
        self.at >= self.text.len() || self.n_fragments >= MAX_FRAGMENTS
    }

    /// Returns where an end occurs next.
    fn find(&mut self, end: &'static str) -> Option<usize> {
        self.ends.next(self.text, self.at, end)
    }

    fn range(start: usize, end: usize) -> ByteRange {
        ByteRange { start: offset(start), end: offset(end.max(start)) }
    }

    fn source(&mut self, start: usize, end: usize) {
        if start < end {
            self.n_fragments += 1;
            self.sink.push(Fragment::Source(Self::range(start, end)));
        }
    }

    fn glue(&mut self, glue: &'static str) {
        self.sink.push(Fragment::Glue(glue));
    }

    /// Adds an expression, as the value of an assignment.
    fn expression(&mut self, start: usize, end: usize) {
        if !self.text.get(start..end).unwrap_or_default().trim().is_empty() {
            self.glue("_=");
            self.source(start, end);
            self.glue(";\n");
        }
    }

    fn code(&mut self, start: usize, end: usize) {
        if start < end {
            self.out.code.push(Self::range(start, end));
        }
    }

    /// Reads markup up to an end, which is read too unless it is a brace.
    fn markup(&mut self, end: End) {
        self.depth += 1;
        let mut level = 0u32;
        while !self.is_over() {
            let is_mark = |byte: &u8| match byte {
                b'@' | b'<' => true,
                b'}' => end == End::Brace,
                b'\n' => end == End::Line,
                _ => false,
            };
            let Some(next) = self.rest().bytes().position(|byte| is_mark(&byte)) else {
                self.at = self.text.len();
                break;
            };
            self.at += next;
            match self.byte(0) {
                b'@' => self.transition(),
                b'<' => match self.tag() {
                    Some(Tag::Open) => level += 1,
                    Some(Tag::Close) => level = level.saturating_sub(1),
                    Some(Tag::Whole) => {}
                    None => continue,
                },
                _ => break,
            }
            if end == End::Element && level == 0 {
                break;
            }
        }
        self.depth -= 1;
    }

    /// Reads what an `@` leads to.
    fn transition(&mut self) {
        let start = self.at;
        match self.byte(1) {
            b'@' => self.at += 2,
            b'*' => {
                self.at = self.find("*@").map_or(self.text.len(), |end| end + 2);
                self.out.comments.push(Self::range(start, self.at));
                self.code(start, self.at);
            }
            b'{' => {
                self.at += 2;
                let first = self.at;
                self.code(start, first);
                // A block of its own, so that its variables are known behind it.
                self.block(false);
                self.glue("\n");
                self.out.blocks.push(Self::range(first, self.at.saturating_sub(1)));
            }
            b'(' => match self.balanced(start + 1) {
                Some(end) => {
                    self.expression(start + 1, end);
                    self.code(start, end);
                    self.at = end;
                }
                None => self.at += 2,
            },
            next if is_word(next) && !next.is_ascii_digit() => {
                // An address of electronic mail.
                let is_address = start > 0 && is_word(byte(self.text, start - 1));
                if is_address { self.at += 1 } else { self.word() }
            }
            _ => self.at += 1,
        }
    }

    fn balanced(&mut self, at: usize) -> Option<usize> {
        if self.n_failures >= MAX_FAILURES {
            return None;
        }
        let end = balanced(self.text, at);
        self.n_failures += u32::from(end.is_none());
        end
    }

    fn expression_end(&mut self, at: usize) -> usize {
        let text = self.text;
        expression_end(text, at, |at| self.balanced(at))
    }

    /// Reads a directive, a statement or an expression, from the `@` before its first word on.
    fn word(&mut self) {
        let start = self.at;
        let first = start + 1;
        let end = word_end(self.text, first);
        let word = self.text.get(first..end).unwrap_or_default();
        let next = space_end(self.text, end);
        let is_spaced = matches!(byte(self.text, end), b' ' | b'\t' | b'\r' | b'\n' | 0);
        let before = tail(self.text.get(..start).unwrap_or_default(), MAX_INDENT);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let is_first = line.trim_matches(['\u{feff}', ' ', '\t', '\r']).is_empty()
            && (line.len() < before.len() || start == before.len());
        match word {
            "code" | "functions" if byte(self.text, next) == b'{' => {
                self.at = next + 1;
                self.code(start, self.at);
                let outer = std::mem::replace(&mut self.sink, std::mem::take(&mut self.out.class.members));
                let first = self.at;
                self.block(false);
                self.glue("\n");
                self.out.blocks.push(Self::range(first, self.at.saturating_sub(1)));
                self.out.class.members = std::mem::replace(&mut self.sink, outer);
            }
            "section" if is_first && is_spaced && self.depth < MAX_DEPTH => {
                let name = word_end(self.text, next);
                let brace = space_end(self.text, name);
                if byte(self.text, brace) != b'{' {
                    self.at = end;
                    return;
                }
                self.at = brace + 1;
                self.code(start, self.at);
                self.markup(End::Brace);
                self.code(self.at, self.at + 1);
                self.at += 1;
            }
            _ if is_first && is_spaced && self.directive(word, start, next) => {}
            _ if STATEMENTS.contains(&word) => self.statement(),
            "await" => {
                let end = self.expression_end(next);
                self.expression(first, end);
                self.code(start, end);
                self.at = end.max(first);
            }
            _ => {
                let end = self.expression_end(first);
                self.expression(first, end);
                self.code(start, end);
                self.at = end;
            }
        }
    }

    /// Reads a directive that takes a line; returns whether the word is one. `from` is where its
    /// argument begins.
    fn directive(&mut self, word: &str, start: usize, from: usize) -> bool {
        let end = line_end(self.text, start);
        let from = from.min(end);
        let line = self.text.get(from..end).unwrap_or_default().trim_end().trim_end_matches(';');
        let to = from + line.len();
        // A type may have arguments, so its name begins at the last blank outside of them.
        let name = line.rfind(|c: char| c.is_whitespace()).map(|at| from + at);
        match word {
            "using" if !line.starts_with('(') => {
                let directive = [
                    Fragment::Glue("using "),
                    Fragment::Source(Self::range(from, to)),
                    Fragment::Glue(";\n"),
                ];
                self.out.class.usings.extend(directive);
            }
            "inject" if name.is_some() => self.property(from, to, " { get; }\n"),
            "model" => {
                self.out.class.model = Some(Self::range(from, to));
                self.property(from, to, " Model { get; }\n");
            }
            "inherits" | "implements" | "layout" => {
                if !line.is_empty() && word != "layout" {
                    self.out.class.bases.push(Self::range(from, to));
                } else {
                    self.glue("_=typeof(");
                    self.source(from, to);
                    self.glue(");\n");
                }
            }
            "attribute" => {
                self.out.class.attributes.push(Fragment::Source(Self::range(from, to)));
                self.out.class.attributes.push(Fragment::Glue("\n"));
            }
            "typeparam" => {
                let to = word_end(self.text, from);
                self.out.class.parameters.push(Self::range(from, to));
            }
            _ if LINES.contains(&word) => {}
            _ => return false,
        }
        self.code(start, end);
        self.at = end;
        true
    }

    fn property(&mut self, from: usize, to: usize, rest: &'static str) {
        if from < to {
            self.out.class.members.push(Fragment::Source(Self::range(from, to)));
            self.out.class.members.push(Fragment::Glue(rest));
        }
    }

    /// Reads a statement with its blocks: `if (…) { … } else { … }`.
    fn statement(&mut self) {
        let mut start = self.at;
        let mut from = start + 1;
        loop {
            let Some(brace) = self.header_end(from) else {
                self.at = self.at.max(from);
                return;
            };
            self.at = brace + 1;
            self.source(from, self.at);
            self.code(start, self.at);
            self.block(true);
            let next = space_end(self.text, self.at);
            let end = word_end(self.text, next);
            let word = self.text.get(next..end).unwrap_or_default();
            if !CONTINUED.contains(&word) || self.is_over() {
                return;
            }
            if word == "while" {
                // The end of `do { … } while (…);`, or a statement of its own, which has an `@`.
                let Some(closed) = self.balanced(space_end(self.text, end)) else { return };
                self.source(next, closed);
                self.glue(";\n");
                self.code(next, closed);
                self.at = closed;
                return;
            }
            (start, from) = (next, next);
        }
    }

    /// Returns where the brace is that ends the head of a statement.
    fn header_end(&mut self, from: usize) -> Option<usize> {
        if self.n_failures >= MAX_FAILURES {
            return None;
        }
        let brace = self.brace(from);
        self.n_failures += u32::from(brace.is_none());
        brace
    }

    fn brace(&mut self, from: usize) -> Option<usize> {
        let mut at = from;
        while at < self.text.len() && at - from < MAX_EXPRESSION {
            match byte(self.text, at) {
                b'{' => return Some(at),
                b'(' => at = self.balanced(at)?,
                b'<' | b'@' | b';' | b'}' => return None,
                _ => at += 1,
            }
        }
        None
    }

    /// Reads code up to the brace that ends it. The brace is part of it, or not.
    fn block(&mut self, with_brace: bool) {
        self.depth += 1;
        let (mut start, mut level) = (self.at, 0u32);
        // The last sign; a tag behind one of these begins an element.
        let mut last = b'{';
        while !self.is_over() {
            let begins = matches!(last, b'{' | b'}' | b';' | b':');
            let next = self.byte(1);
            match self.byte(0) {
                byte if byte.is_ascii_whitespace() => self.at += 1,
                b'}' if level == 0 => {
                    let inner = self.at;
                    self.at += 1;
                    self.flush(start, if with_brace { self.at } else { inner });
                    self.code(inner, self.at);
                    self.depth -= 1;
                    return;
                }
                b'<' if begins && (next.is_ascii_alphabetic() || next == b'!') && self.depth < MAX_DEPTH => {
                    self.flush(start, self.at);
                    self.markup(End::Element);
                    (start, last) = (self.at, b';');
                }
                b'@' if begins && next == b':' && self.depth < MAX_DEPTH => {
                    self.flush(start, self.at);
                    self.at += 2;
                    self.markup(End::Line);
                    (start, last) = (self.at, b';');
                }
                b'@' if next == b'*' => {
                    self.flush(start, self.at);
                    self.transition();
                    start = self.at;
                }
                b'@' if next == b'<' && self.depth < MAX_DEPTH => {
                    self.flush(start, self.at);
                    self.template();
                    (start, last) = (self.at, b')');
                }
                // Inside of code, an expression or another statement may begin as in markup.
                b'@' if begins && (next.is_ascii_alphabetic() || next == b'(') && self.depth < MAX_DEPTH => {
                    self.flush(start, self.at);
                    self.transition();
                    (start, last) = (self.at, b';');
                }
                _ => match token_end(self.text, self.at) {
                    Some(end) => {
                        let is_comment = self.byte(0) == b'/';
                        self.at = end.max(self.at + 1);
                        last = if is_comment { last } else { b'"' };
                    }
                    None => {
                        last = self.byte(0);
                        level = match last {
                            b'{' => level + 1,
                            b'}' => level.saturating_sub(1),
                            _ => level,
                        };
                        self.at += 1;
                    }
                },
            }
        }
        self.at = self.text.len();
        self.flush(start, self.at);
        self.depth -= 1;
    }

    /// Adds code, which ends here.
    fn flush(&mut self, start: usize, end: usize) {
        self.source(start, end);
        self.code(start, end);
    }

    /// Reads an element that is a value: `@<p>…</p>`.
    fn template(&mut self) {
        self.code(self.at, self.at + 1);
        self.at += 1;
        self.glue("null");
        let outer = std::mem::replace(&mut self.sink, std::mem::take(&mut self.deferred));
        self.markup(End::Element);
        self.deferred = std::mem::replace(&mut self.sink, outer);
    }
}
