//! F#: modules, types and their members, functions and values, and what refers to them.
//!
//! The grammar for F# is larger than those of all other languages together, so its text is read by
//! tokens and indentation. A declaration ends in front of the next line that is not indented more.
//!
//! The word in front of a member (`member x.Total`) is the object, whatever it is called.

mod head;
mod name;

use super::tokens::{Syntax, Token, TokenKind, add_lines, take_comment, tokens};
use super::{LinedDeclaration, Page, Scanner};
use crate::index::chunk::atom::AtomKind;
use crate::index::chunk::lines::{Lines, offset};
use crate::index::chunk::mention::MAX_NAME;
use crate::index::chunk::walk_result::WalkResult;
use crate::index::chunk::{ByteRange, DeclarationKind as K, ReferenceKind};
use std::collections::HashSet;

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner = Scanner { scan, chunks: None, is_exact: true };

const SYNTAX: Syntax = Syntax {
    line_comments: &["//", "#if", "#else", "#endif", "#nowarn", "#light"],
    block_comment: ("(*", "*)"),
    nests: true,
    long_string: "\"\"\"",
    letters: &['\''],
    operators: &['!', '%', '&', '*', '+', '-', '.', '/', '<', '=', '>', '?', '@', '^', '|', '~', '$', ':'],
    is_fsharp: true,
};

/// Words of the language.
const WORDS: [&str; 66] = [
    "_",
    "abstract",
    "and",
    "as",
    "assert",
    "base",
    "begin",
    "class",
    "default",
    "delegate",
    "do",
    "done",
    "downcast",
    "downto",
    "elif",
    "else",
    "end",
    "exception",
    "extern",
    "false",
    "finally",
    "fixed",
    "for",
    "fun",
    "function",
    "global",
    "if",
    "in",
    "inherit",
    "inline",
    "interface",
    "internal",
    "lazy",
    "let",
    "match",
    "member",
    "mod",
    "module",
    "mutable",
    "namespace",
    "new",
    "null",
    "of",
    "open",
    "or",
    "override",
    "private",
    "public",
    "rec",
    "return",
    "sig",
    "static",
    "struct",
    "then",
    "to",
    "true",
    "try",
    "type",
    "upcast",
    "use",
    "val",
    "void",
    "when",
    "while",
    "with",
    "yield",
];

/// Words in front of the name of a declaration.
const MODIFIERS: [&str; 8] =
    ["global", "inline", "internal", "mutable", "private", "public", "rec", "static"];

/// Most tokens of the head of a declaration.
const MAX_HEAD: usize = 400;

/// Deepest nesting of declarations.
const MAX_DEPTH: usize = 48;

fn scan<'t>(lines: &'t Lines<'t>) -> Option<WalkResult<'t>> {
    let mut page = Page::new(lines);
    let tokens = tokens(&mut page, &SYNTAX);
    let mut source = Source {
        page,
        tokens,
        at: 0,
        open: Vec::new(),
        depths: Vec::new(),
        last_line: 0,
        attributes: None,
        is_literal: false,
        state: State::default(),
    };
    source.read();
    let Source { mut page, depths, .. } = source;
    add_lines(&mut page, &depths);
    Some(page.finish())
}

/// What an open declaration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Module,
    Type,
    Code,
}

/// An open declaration.
struct Open<'t> {
    part: Part,
    /// Lines that are indented no more end it; `None` if only the end of the file does.
    indent: Option<u32>,
    declaration: Option<u32>,
    name: &'t str,
    /// The names that it binds.
    locals: HashSet<&'t str>,
    /// The object of a member.
    object: &'t str,
    /// Whether the alternatives and fields of a type can follow.
    has_parts: bool,
}

/// What the next word of a line means.
#[derive(Default)]
struct State {
    /// Whether names are being bound.
    binds: bool,
    /// Open brackets around the type that is being read; `None` outside of types.
    types: Option<usize>,
    brackets: usize,
    /// The end of the head that is being read.
    head_end: usize,
}

struct Source<'t> {
    page: Page<'t>,
    tokens: Vec<Token<'t>>,
    at: usize,
    open: Vec<Open<'t>>,
    depths: Vec<(u32, u32, AtomKind)>,
    /// The last line with a token.
    last_line: u32,
    /// The token with which the attributes above begin.
    attributes: Option<usize>,
    /// Whether one of the attributes says that a value is a constant.
    is_literal: bool,
    state: State,
}
impl<'t> Source<'t> {
    fn token(&self, at: usize) -> Option<Token<'t>> {
        self.tokens.get(at).copied()
    }

    fn text(&self, at: usize) -> &'t str {
        self.token(at).filter(|token| token.kind != TokenKind::Text).map_or("", |token| token.text)
    }

    fn word(&self, at: usize) -> Option<&'t str> {
        self.token(at).and_then(Token::word)
    }

    fn within(&self) -> Option<u32> {
        self.open.iter().rev().find_map(|open| open.declaration)
    }

    fn part(&self) -> Part {
        self.open.last().map_or(Part::Module, |open| open.part)
    }

    fn read(&mut self) {
        while let Some(token) = self.token(self.at) {
            if let Some(indent) = token.indent {
                self.begin_line(token, indent);
            }
            if self.depths.last().is_none_or(|(line, ..)| *line < token.line) {
                let depth = token.indent.unwrap_or_default() + 1;
                let is_head = depth == 1 && matches!(token.text, "open" | "module" | "namespace");
                let kind = if is_head { AtomKind::Head } else { AtomKind::Other };
                self.depths.push((token.line, depth, kind));
            }
            self.last_line = token.line;
            let from = self.at;
            self.step(token);
            self.at = self.at.max(from + 1);
        }
        self.end(0);
    }

    /// Ends the declarations from an index on.
    fn end(&mut self, from: usize) {
        for open in self.open.drain(from..) {
            if let Some(declaration) = open.declaration {
                self.page.extend(declaration, self.last_line);
            }
        }
    }

    /// Ends what a line is not a part of.
    fn begin_line(&mut self, token: Token<'t>, indent: u32) {
        // The brackets and the alternatives of a body may stand as far left as its first line.
        let is_inside =
            matches!(token.text, ")" | "]" | "}" | "|" | "|]" | "|>" | ">]" | "with" | "then" | "else");
        let ends = |open: &Open<'t>| {
            open.indent.is_some_and(|outer| indent < outer || indent == outer && !is_inside)
        };
        // The text of a string may begin at the first column.
        let is_text = token.kind == TokenKind::Text && indent == 0 && self.part() == Part::Code;
        let from = self.open.iter().position(ends).filter(|_| !is_text).unwrap_or(self.open.len());
        self.end(from);
        // The head of a function may have several lines.
        self.state.binds = self.at < self.state.head_end;
        self.state.types = None;
        self.state.brackets = 0;
    }

    /// Reads a token, or the head of a declaration.
    fn step(&mut self, token: Token<'t>) {
        let is_first = token.indent.is_some() || self.is_behind_attributes();
        if is_first && self.opens_attributes(self.at) {
            self.read_attributes();
            return;
        }
        if is_first || self.is_inline(token) {
            let is_declared = self.declaration(token);
            self.attributes = None;
            self.is_literal = false;
            if is_declared {
                return;
            }
            if is_first {
                self.statement(token);
            }
        }
        self.expression(token);
    }

    /// Returns whether a token begins a part of a type or of a module in the line of its head:
    /// `type Cart() = member _.Total = 1`, `type Item = { Name: string; Price: int }`.
    fn is_inline(&self, token: Token<'t>) -> bool {
        let before = self.at.checked_sub(1).map_or("", |before| self.text(before));
        let word = token.word().unwrap_or_default();
        match self.part() {
            Part::Type => {
                let is_member = matches!(word, "abstract" | "default" | "member" | "override" | "static")
                    && matches!(before, "=" | "with" | "}" | ")");
                let is_field = self.text(self.at + 1) == ":" && matches!(before, "{" | ";" | "mutable");
                is_member || is_field && !word.is_empty() && self.is_record()
            }
            Part::Module => before == "=" && matches!(word, "let" | "type" | "module"),
            Part::Code => false,
        }
    }

    /// Returns whether the innermost declaration is a record.
    fn is_record(&self) -> bool {
        let open = self.open.last().filter(|open| open.has_parts).and_then(|open| open.declaration);
        let declared = open.and_then(|at| self.page.out.declarations.get(at as usize));
        declared.is_some_and(|one| one.kind == K::Struct)
    }

    /// Opens an expression of a module, or `do` of a type: what it binds is local.
    fn statement(&mut self, token: Token<'t>) {
        let is_do = token.is("do") || token.is("static") && self.text(self.at + 1) == "do";
        let is_code = match self.part() {
            // `begin` and brackets may be around declarations, and a colon in front of a type.
            Part::Module => !matches!(token.text, "begin" | "end" | "extern" | ")" | "]" | "}" | "="),
            Part::Type => is_do,
            Part::Code => false,
        };
        if let Some(indent) = token.indent.filter(|_| is_code) {
            self.push(Part::Code, Some(indent), None, "");
        }
    }

    /// Returns whether `[<` is at a token.
    fn opens_attributes(&self, at: usize) -> bool {
        self.text(at) == "[" && self.text(at + 1).starts_with('<') && self.is_joined(at)
    }

    /// Returns whether attributes of the same line end in front of the current token.
    fn is_behind_attributes(&self) -> bool {
        self.attributes.is_some() && self.at > 1 && self.text(self.at - 1) == "]"
    }

    /// Returns whether no blank is between a token and the next.
    fn is_joined(&self, at: usize) -> bool {
        let (Some(one), Some(next)) = (self.token(at), self.token(at + 1)) else { return false };
        self.page.at(one.text) as usize + one.text.len() == self.page.at(next.text) as usize
    }

    fn read_attributes(&mut self) {
        let first = self.at;
        let within = self.within();
        let mut depth = 0usize;
        let mut expects_name = true;
        while let Some(token) = self.token(self.at).filter(|_| self.at < first + MAX_HEAD) {
            match token.text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                ";" if depth == 0 => expects_name = true,
                "]" if depth == 0 && self.text(self.at - 1).ends_with('>') => {
                    self.at += 1;
                    break;
                }
                _ => {
                    if let Some(word) = token.word().filter(|_| expects_name && depth == 0) {
                        let is_path = self.text(self.at + 1) == ".";
                        if !is_path {
                            self.is_literal |= word == "Literal";
                            self.page.mention(ReferenceKind::Type, word, "", within);
                            expects_name = false;
                        }
                    }
                }
            }
            self.at += 1;
        }
        self.attributes.get_or_insert(first);
    }

    /// Skips modifiers and attributes from a position on.
    fn skip_modifiers(&self, mut at: usize) -> usize {
        loop {
            if self.word(at).is_some_and(|word| MODIFIERS.contains(&word)) {
                at += 1;
            } else if self.opens_attributes(at) {
                let end = (at..at + MAX_HEAD)
                    .find(|one| self.text(*one) == "]" && self.text(one - 1).ends_with('>'));
                match end {
                    Some(end) => at = end + 1,
                    None => return at,
                }
            } else {
                return at;
            }
        }
    }

    /// Reads a dotted name; returns its last segment, what stands in front, and the token behind.
    fn path(&self, mut at: usize) -> Option<(&'t str, &'t str, usize)> {
        let first = self.word(at)?;
        let mut last = first;
        while self.text(at + 1) == "." && self.word(at + 2).is_some() {
            at += 2;
            last = self.word(at)?;
        }
        let start = self.page.at(first) as usize;
        let end = self.page.at(last) as usize;
        let before = self.page.text.get(start..end).unwrap_or_default().trim_end_matches(['.', ' ']);
        Some((last, before, at + 1))
    }

    /// Returns the first token at or behind a position that is one of these marks outside of
    /// brackets, and in the head that the position is in.
    fn find(&self, from: usize, marks: &[&str], indent: u32) -> Option<usize> {
        let mut depth = 0usize;
        for at in from..from + MAX_HEAD {
            let token = self.token(at)?;
            if token.indent.is_some_and(|own| own <= indent) {
                return None;
            }
            match token.text {
                text if depth == 0 && token.kind != TokenKind::Text && marks.contains(&text) => {
                    return Some(at);
                }
                "(" | "[" | "{" | "[|" | "{|" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }

    /// Returns the first token below the line of one.
    fn line_end(&self, at: usize) -> usize {
        let line = self.token(at).map_or(0, |token| token.line);
        let rest = self.tokens.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|token| token.line == line).count()
    }

    /// Returns the indentation of the declaration that begins here.
    fn indent(&self) -> u32 {
        let first = self.attributes.unwrap_or(self.at);
        self.token(first)
            .and_then(|token| token.indent)
            .or_else(|| self.token(self.at)?.indent)
            .or_else(|| {
                let token = self.token(self.at)?;
                Some(self.page.at(token.text).saturating_sub(self.page.lines.start(token.line)))
            })
            .unwrap_or_default()
    }

    fn push(&mut self, part: Part, indent: Option<u32>, declaration: Option<u32>, name: &'t str) {
        if self.open.len() < MAX_DEPTH {
            let has_parts = part == Part::Type;
            let locals = HashSet::new();
            self.open.push(Open { part, indent, declaration, name, locals, object: "", has_parts });
        }
    }

    fn set_scope(&mut self, declaration: Option<u32>, scope: &str) {
        if let Some(one) = declaration.and_then(|at| self.page.out.declarations.get_mut(at as usize)) {
            scope.clone_into(&mut one.scope);
        }
    }

    /// Declares what the tokens `first..=end` declare.
    fn declare(&mut self, kind: K, name: &'t str, first: usize, end: usize) -> Option<u32> {
        let first_token = self.token(first)?;
        let own = self.token(self.at).filter(|own| own.line > first_token.line).unwrap_or(first_token);
        let last_token = self.token(end).unwrap_or(own);
        if first_token.indent.is_some() {
            take_comment(&mut self.page, first_token.line);
        } else {
            self.page.comment = None;
        }
        let name = name.trim_matches('`');
        if name.len() > MAX_NAME {
            return None;
        }
        let signature_start = if first_token.indent.is_some() { own } else { first_token };
        let declared = self.page.declare(LinedDeclaration {
            name,
            kind,
            parent: self.within(),
            first_line: first_token.line,
            last_line: last_token.line.max(own.line),
            name_line: self.page.lines.of(self.page.at(name)),
            signature_end: self.page.at(last_token.text) + offset(last_token.text.len()),
            body: ByteRange::default(),
            doc: ByteRange::default(),
        });
        // Attributes are not a part of the signature.
        let start = self.page.at(signature_start.text);
        if let Some(one) = declared.and_then(|at| self.page.out.declarations.get_mut(at as usize)) {
            one.signature.start = start.clamp(one.signature.start, one.signature.end);
        }
        declared
    }
}
