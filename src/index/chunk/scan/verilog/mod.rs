//! Verilog and SystemVerilog: modules, classes, ports, functions, macros, and what refers to them.
//!
//! A grammar for them is larger than the rest of the program. Their constructs end with a word of
//! their own (`endmodule`), and conditional text (`` `ifdef ``) may open one of them twice. So
//! words are read, and what can't be read is passed over.
//!
//! A module is a class, and an instance of it is a call. Ports are its fields.

mod conditional;
mod head;
mod statement;
mod words;

use super::tokens::{Syntax, Token, TokenKind, add_lines, take_comment, tokens};
use super::{LinedDeclaration, Page, Scanner};
use crate::index::chunk::atom::AtomKind;
use crate::index::chunk::lines::{Lines, offset};
use crate::index::chunk::walk_result::WalkResult;
use crate::index::chunk::{ByteRange, DeclarationKind as K, ReferenceKind};
use std::collections::HashSet;

use words::{is_digits, is_other_word, is_reserved, is_type_word};

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner = Scanner { scan, chunks: None, is_exact: true };

const SYNTAX: Syntax = Syntax {
    line_comments: &["//"],
    block_comment: ("/*", "*/"),
    nests: false,
    long_string: "",
    letters: &['$', '`'],
    operators: &[],
    is_fsharp: false,
};

/// Deepest nesting of constructs.
const MAX_DEPTH: usize = 64;

/// Most tokens of the arguments of a type.
const MAX_ARGUMENTS: usize = 2048;

/// Most tokens of a port in front of its name.
const MAX_PART: usize = 24;

/// Most names that one statement declares.
const MAX_NAMES: usize = 256;

fn scan<'t>(lines: &'t Lines<'t>) -> Option<WalkResult<'t>> {
    let mut page = Page::new(lines);
    let mut tokens = tokens(&mut page, &SYNTAX);
    conditional::balance(&mut tokens);
    let mut design = Design {
        page,
        tokens,
        at: 0,
        open: Vec::new(),
        depths: Vec::new(),
        blocks: Vec::new(),
        is_process: false,
    };
    design.read();
    let Design { mut page, depths, .. } = design;
    add_lines(&mut page, &depths);
    Some(page.finish())
}

/// An open construct.
struct Open<'t> {
    end: &'static str,
    kind: K,
    declaration: Option<u32>,
    /// The names of a function's parameters and variables.
    locals: HashSet<&'t str>,
    /// The number of blocks around it.
    blocks: usize,
}

struct Design<'t> {
    page: Page<'t>,
    tokens: Vec<Token<'t>>,
    at: usize,
    open: Vec<Open<'t>>,
    depths: Vec<(u32, u32, AtomKind)>,
    /// Open `begin` and `fork`, and whether each holds statements, not parts of a module.
    blocks: Vec<bool>,
    /// Whether the next block is that of a process: `always`, `initial`.
    is_process: bool,
}
impl<'t> Design<'t> {
    fn token(&self, ahead: usize) -> Option<Token<'t>> {
        self.tokens.get(self.at + ahead).copied()
    }

    fn is(&self, ahead: usize, text: &str) -> bool {
        self.token(ahead).is_some_and(|token| token.is(text))
    }

    fn word(&self, ahead: usize) -> Option<&'t str> {
        self.token(ahead).and_then(Token::word)
    }

    /// Returns the word in front of the current one.
    fn last_word(&self) -> &'t str {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.copied().and_then(Token::word).unwrap_or_default()
    }

    fn within(&self) -> Option<u32> {
        self.open.iter().rev().find_map(|open| open.declaration)
    }

    fn depth(&self) -> u32 {
        offset(self.open.len() + self.blocks.len()) + 1
    }

    /// Returns whether the code belongs to a function.
    fn is_local(&self) -> bool {
        self.open.last().is_some_and(|open| open.kind == K::Function)
    }

    fn read(&mut self) {
        while let Some(token) = self.token(0) {
            if self.depths.last().is_none_or(|(last, ..)| *last < token.line) {
                let is_end =
                    token.word().is_some_and(|word| word.starts_with("end") || word.starts_with("join"));
                let depth = self.depth();
                let depth = if is_end { depth.saturating_sub(1).max(1) } else { depth };
                let is_head = matches!(token.text, "`include" | "import" | "`timescale");
                let kind = if is_head && depth == 1 { AtomKind::Head } else { AtomKind::Other };
                self.depths.push((token.line, depth, kind));
            }
            let from = self.at;
            self.statement(token);
            // The lines of a statement that was read as a whole.
            for at in from..self.at.max(from + 1) {
                let Some(next) = self.tokens.get(at) else { break };
                if self.depths.last().is_some_and(|(last, ..)| *last < next.line) {
                    let depth = self.depth();
                    self.depths.push((next.line, depth, AtomKind::Other));
                }
            }
            self.at = self.at.max(from + 1);
        }
        let last = self.page.lines.len().saturating_sub(1);
        while let Some(open) = self.open.pop() {
            if let Some(declaration) = open.declaration {
                self.page.extend(declaration, last);
            }
        }
    }

    /// Reads a statement, or a word of one.
    fn statement(&mut self, token: Token<'t>) {
        let Some(word) = token.word() else {
            self.is_process &= !token.is(";");
            return;
        };
        if let Some(directive) = word.strip_prefix('`') {
            self.directive(directive, token);
            return;
        }
        match word {
            "begin" | "fork" => {
                let is_process = self.is_process || self.blocks.last() == Some(&true);
                self.blocks.push(is_process);
                self.is_process = false;
                self.skip_label();
            }
            "end" | "join" | "join_any" | "join_none" => {
                self.blocks.pop();
                self.skip_label();
            }
            "always" | "always_comb" | "always_ff" | "always_latch" | "initial" | "final" => {
                self.is_process = true;
            }
            "typedef" => self.typedef(),
            "import" | "export" => self.import(),
            "modport" | "constraint" => self.named(K::Field),
            "assert" | "assume" | "cover" | "expect" if self.is(1, "property") || self.is(1, "sequence") => {
                self.at += 2;
            }
            // A condition or a loop may be a module's: what it has in it is like what is around.
            _ if self.close(word, token.line) => {}
            _ if self.construct(word) => {}
            _ if is_type_word(word) || matches!(word, "enum" | "struct" | "union") => self.variables(),
            _ if is_other_word(word) => {}
            _ if self.is_first() && self.instance_or_variable() => {}
            _ => self.name(word),
        }
    }

    /// Returns whether the current word begins a statement.
    fn is_first(&self) -> bool {
        let Some(before) = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)) else { return true };
        matches!(before.text, ";" | "begin" | "end" | "endcase" | "else" | "generate")
            || before.text.starts_with("end")
            || before.text.starts_with('`')
            || (before.text == ")" || before.kind == TokenKind::Word)
                && self.token(0).is_some_and(|token| token.line > before.line && token.indent.is_some())
    }

    fn skip_label(&mut self) {
        if self.is(1, ":") && self.word(2).is_some() {
            self.at += 3;
        }
    }

    /// Reads `` `define ``, `` `include ``, or the use of a macro.
    fn directive(&mut self, directive: &'t str, token: Token<'t>) {
        match directive {
            "define" => self.define(token),
            "include" => {
                let path =
                    self.token(1).filter(|path| path.kind == TokenKind::Text && path.line == token.line);
                if let Some(path) = path.map(|path| path.text.trim_matches('"')) {
                    self.page.import_file(path);
                    self.at += 2;
                }
            }
            "ifdef" | "ifndef" | "elsif" | "undef" => {
                if let Some(name) =
                    self.word(1).filter(|_| self.token(1).is_some_and(|one| one.line == token.line))
                {
                    self.page.mention(ReferenceKind::Use, name, "", self.within());
                    self.at += 2;
                }
            }
            "else" | "endif" | "resetall" | "celldefine" | "endcelldefine" | "undefineall" => {}
            "timescale" | "default_nettype" | "pragma" | "line" | "begin_keywords" | "unconnected_drive" => {
                self.at = self.line_end(token.line);
            }
            name => {
                let kind = if self.is(1, "(") { ReferenceKind::Call } else { ReferenceKind::Use };
                let within = self.within();
                self.page.mention(kind, name, "", within);
                // A type among the arguments declares nothing.
                if kind == ReferenceKind::Call {
                    let end = self.behind(self.at + 1);
                    self.names_between(self.at + 1, end);
                    self.at = end;
                }
            }
        }
    }

    /// Returns the first token below a line.
    fn line_end(&self, line: u32) -> usize {
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        self.at + rest.iter().take_while(|token| token.line <= line).count()
    }

    fn define(&mut self, token: Token<'t>) {
        let last_line = self.page.continued(token.line, '\\');
        let end = self.line_end(last_line);
        let Some(name) = self.word(1) else { return };
        take_comment(&mut self.page, token.line);
        let declared = self.page.declare(LinedDeclaration {
            name,
            kind: K::Macro,
            parent: self.within(),
            first_line: token.line,
            last_line,
            name_line: token.line,
            signature_end: self.page.lines.end(token.line),
            body: if last_line > token.line {
                self.page.range(token.line + 1, last_line)
            } else {
                ByteRange::default()
            },
            doc: ByteRange::default(),
        });
        self.at += 2;
        let mut parameters: Vec<&str> = Vec::new();
        if self.is(0, "(")
            && self
                .token(0)
                .is_some_and(|open| self.page.at(open.text) == self.page.at(name) + offset(name.len()))
        {
            let behind = self.behind(self.at).min(end);
            let list = self.tokens.get(self.at..behind).unwrap_or_default();
            parameters = list.iter().filter_map(|token| token.word()).collect();
            self.at = behind;
        }
        while self.at < end {
            if let Some(word) = self.word(0)
                && !parameters.contains(&word)
                && !is_reserved(word)
                && !word.starts_with('$')
            {
                let (kind, name) = match word.strip_prefix('`') {
                    Some(name) => (ReferenceKind::Use, name),
                    None if self.is(1, "(") => (ReferenceKind::Call, word),
                    None => (ReferenceKind::Use, word),
                };
                self.page.mention(kind, name, "", declared);
            }
            self.at += 1;
        }
    }

    /// Declares what the tokens `first..=end` declare.
    fn declare(&mut self, kind: K, name: &'t str, first: usize, end: usize) -> Option<u32> {
        let name = name.trim_start_matches('`');
        let first_token = self.tokens.get(first).copied()?;
        let last_token = self.tokens.get(end).copied().unwrap_or(first_token);
        let is_part = first_token.indent.is_none();
        if is_part {
            self.page.comment = None;
        } else {
            take_comment(&mut self.page, first_token.line);
        }
        let signature_end = self.page.at(last_token.text) + offset(last_token.text.len());
        let parent = self.within();
        let is_own = last_token.is(";");
        let declared = self.page.declare(LinedDeclaration {
            name,
            kind,
            parent,
            first_line: first_token.line,
            last_line: last_token.line,
            name_line: self.page.lines.of(self.page.at(name)),
            signature_end: signature_end - u32::from(is_own),
            body: ByteRange::default(),
            doc: ByteRange::default(),
        });
        // Of a list in one line, each name is declared from the last comma on.
        let before = self.tokens.get(..first).unwrap_or_default().iter().rev();
        let own =
            before.take(MAX_PART).take_while(|token| !matches!(token.text, "," | "(" | ";" | "{")).last();
        let start = own.map_or(self.page.at(first_token.text), |own| self.page.at(own.text));
        let declared_part = declared.filter(|_| is_part);
        if let Some(one) = declared_part.and_then(|at| self.page.out.declarations.get_mut(at as usize)) {
            one.signature.start = start.clamp(one.signature.start, one.signature.end);
        }
        declared
    }

    /// Returns the token behind the statement that begins here.
    fn statement_end(&self) -> usize {
        let mut depth = 0usize;
        let mut at = self.at;
        while let Some(token) = self.tokens.get(at) {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth == 0 => break,
                ")" | "]" | "}" => depth -= 1,
                ";" if depth == 0 => break,
                word if word.starts_with("end") && token.kind == TokenKind::Word => break,
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// Reads `import a::*;`, `import a::b;` or a function of C.
    fn import(&mut self) {
        if self.token(1).is_some_and(|token| token.kind == TokenKind::Text) {
            self.at += 1;
            return;
        }
        let end = self.statement_end();
        self.packages(self.at, end);
        self.at = end;
    }

    /// Adds the names of packages that the tokens of an import list.
    fn packages(&mut self, from: usize, end: usize) {
        for at in from..end {
            let word = |at: usize| self.tokens.get(at).copied().and_then(Token::word);
            let is_colon = |at: usize| self.tokens.get(at).is_some_and(|token| token.is(":"));
            if let Some(package) = word(at).filter(|_| is_colon(at + 1) && is_colon(at + 2)) {
                let name = word(at + 3).unwrap_or(package);
                self.page.mention(ReferenceKind::Import, name, package, None);
            }
        }
    }

    /// Declares what a word and a name declare: `modport target (…)`.
    fn named(&mut self, kind: K) {
        let first = self.at;
        let Some(name) = self.word(1) else { return };
        self.declare(kind, name, first, first + 1);
        self.at += 2;
        // What a list of ports repeats.
        if self.is(0, "(") {
            self.at = self.statement_end();
        }
    }

    /// Adds what a name in an expression refers to. Goes on to its last segment.
    fn name(&mut self, word: &'t str) {
        if word.starts_with('$') || is_type_word(word) {
            return;
        }
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map(|token| token.text);
        if before == Some("'") && is_digits(word) {
            return;
        }
        let within = self.within();
        if let Some(name) = word.strip_prefix('`') {
            let kind = if self.is(1, "(") { ReferenceKind::Call } else { ReferenceKind::Use };
            self.page.mention(kind, name, "", within);
            return;
        }
        if is_other_word(word) && !matches!(word, "this" | "super") {
            return;
        }
        let (mut name, mut qualifier) = (word, "");
        let start = self.page.at(word) as usize;
        loop {
            let step = if self.is(1, ".") {
                2
            } else if self.is(1, ":") && self.is(2, ":") {
                3
            } else {
                break;
            };
            let Some(next) = self.word(step).filter(|next| !next.starts_with('`')) else { break };
            let end = self.page.at(next) as usize - (step - 1);
            qualifier = self.page.text.get(start..end).unwrap_or_default().trim_end();
            name = next;
            self.at += step;
        }
        if qualifier.is_empty() && self.open.iter().any(|open| open.locals.contains(name)) {
            return;
        }
        if qualifier.contains('\n') || before == Some(".") {
            qualifier = "";
        }
        let kind = if self.is(1, "(") { ReferenceKind::Call } else { ReferenceKind::Use };
        self.page.mention(kind, name, qualifier, within);
    }
}
