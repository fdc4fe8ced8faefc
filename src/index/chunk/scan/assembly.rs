//! Assembly, in the forms of GNU, NASM, MASM, ARM and Go: labels, macros and constants, and what
//! refers to them.
//!
//! A label counts as a function if the file exports it, gives it that type, calls it, or begins it
//! with a macro (`ENTRY(name)`, `SYM_FUNC_START(name)`). A label in front of data is a variable.
//! Other labels are places inside of functions, and are not declared. Each declaration ends in
//! front of the next one.

use super::super::atom::AtomKind;
use super::super::lines::{Lines, offset};
use super::super::walk_result::WalkResult;
use super::super::{ByteRange, DeclarationKind as K, ReferenceKind};
use super::{LinedDeclaration, Page, Scanner};
use std::collections::HashSet;

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner = Scanner { scan, chunks: None, is_exact: true };

/// Directives that export names or say what they are.
const EXPORTS: [&str; 10] =
    [".export", ".global", ".globl", ".public", ".type", ".weak", "export", "global", "public", "xdef"];

/// Directives that place what follows.
const ALIGNMENTS: [&str; 8] =
    [".align", ".balign", ".code", ".ent", ".p2align", ".thumb_func", "align", ".even"];

/// Directives for data.
const DATA: [&str; 35] = [
    ".2byte", ".4byte", ".8byte", ".ascii", ".asciz", ".byte", ".comm", ".dword", ".double", ".fill",
    ".float", ".hword", ".int", ".lcomm", ".long", ".octa", ".quad", ".short", ".single", ".skip", ".space",
    ".string", ".word", ".zero", "db", "dc.b", "dc.l", "dc.w", "dd", "dq", "dw", "resb", "resd", "resq",
    "resw",
];

/// Macros of C that begin a function or an object, whose name is their first argument.
const HEADS: [&str; 22] = [
    "ASM_FUNC",
    "ASM_FUNCTION",
    "BEGIN",
    "C_SYM",
    "ENTRY",
    "ENTRY_NP",
    "FUNC",
    "FUNCTION",
    "GLOBAL",
    "LEAF",
    "NESTED",
    "OBJECT",
    "PROC",
    "SYM_CODE_START",
    "SYM_CODE_START_LOCAL",
    "SYM_DATA_START",
    "SYM_FUNC_START",
    "SYM_FUNC_START_LOCAL",
    "SYM_FUNC_START_WEAK",
    "SYM_INNER_LABEL",
    "SYM_TYPED_FUNC_START",
    "WEAK",
];

/// Instructions that call what their operand names.
const CALLS: [&str; 14] = [
    "bl", "bl.w", "blx", "bsr", "call", "callq", "jal", "jalr", "jarl", "jbsr", "jms", "jsr", "rcall", "tail",
];

/// Directives that begin another part of the program.
const SECTIONS: [&str; 6] = [".bss", ".data", ".section", ".text", "section", "segment"];

/// Instructions that jump there, maybe to another function.
const JUMPS: [&str; 6] = ["b", "br", "bx", "ja", "jmp", "jr"];

/// Most operands of a line that are read.
const MAX_OPERANDS: usize = 24;

fn scan<'t>(lines: &'t Lines<'t>) -> Option<WalkResult<'t>> {
    let mut code = Code {
        page: Page::new(lines),
        functions: HashSet::new(),
        open: None,
        in_comment: false,
        macros: HashSet::new(),
        announced: None,
    };
    code.collect();
    code.read();
    Some(code.page.finish())
}

/// A line without its comment: the label in front, the instruction or the directive, and the rest.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Line<'t> {
    label: &'t str,
    word: &'t str,
    rest: &'t str,
}

struct Code<'t> {
    page: Page<'t>,
    /// The names that are exported, typed or called.
    functions: HashSet<&'t str>,
    /// The declaration that the lines belong to, and its last line.
    open: Option<(u32, u32)>,
    in_comment: bool,
    /// The names of the file's macros.
    macros: HashSet<&'t str>,
    /// The first of the directives above that belong to the label below: `.globl`, `.type`.
    announced: Option<u32>,
}

impl<'t> Code<'t> {
    /// Collects the names of functions.
    fn collect(&mut self) {
        for line in 0..self.page.lines.len() {
            let Line { word, rest, .. } = split(code(self.page.line(line)));
            let lower = word.to_ascii_lowercase();
            if EXPORTS.contains(&lower.as_str()) {
                let names = rest.split([',', ' ', '\t']).map(|name| name.split(':').next().unwrap_or(name));
                let names = names.filter(|name| is_symbol(name)).take(MAX_OPERANDS);
                self.functions.extend(names);
            } else if CALLS.contains(&lower.as_str()) {
                let operand = rest.rsplit([',', ' ', '\t']).next().unwrap_or(rest);
                self.functions.extend(Some(operand).filter(|name| is_symbol(name)));
            } else if matches!(lower.as_str(), ".macro" | "%macro" | "%imacro") {
                self.macros.extend(rest.split([',', ' ', '\t', '(']).next());
            } else if rest.split_whitespace().next().is_some_and(|next| next.eq_ignore_ascii_case("macro")) {
                self.macros.insert(word);
            }
        }
    }

    fn read(&mut self) {
        let mut line = 0;
        while line < self.page.lines.len() {
            line = self.step(line);
        }
        self.end();
    }

    /// Ends the open declaration with its last line.
    fn end(&mut self) {
        if let Some((declaration, last)) = self.open.take() {
            self.page.extend(declaration, last);
        }
    }

    /// Reads a line; returns the next one.
    fn step(&mut self, line: u32) -> u32 {
        let text = self.page.line(line);
        let content = text.trim();
        if content.is_empty() {
            return line + 1;
        }
        if self.in_comment || content.starts_with("/*") {
            let inner = if self.in_comment { content } else { content.get(2..).unwrap_or_default() };
            self.in_comment = !inner.contains("*/");
            let behind = inner.split_once("*/").map_or("", |(_, behind)| behind);
            if behind.trim().is_empty() {
                self.page.comment(line, self.depth());
                return line + 1;
            }
        }
        let own = code(text);
        if own.trim().is_empty() {
            self.page.comment(line, self.depth());
            return line + 1;
        }
        if let Some(directive) = content.strip_prefix('#').map(str::trim_start)
            && directive.starts_with(char::is_alphabetic)
        {
            return self.directive(line, directive);
        }
        self.statement(line, own);
        line + 1
    }

    fn depth(&self) -> u32 {
        1 + u32::from(self.open.is_some())
    }

    /// Adds a line to the declaration around.
    fn add(&mut self, line: u32) {
        self.page.atom(line, line, self.depth(), AtomKind::Other);
        if let Some((_, last)) = &mut self.open {
            *last = line;
        }
    }

    /// Reads a line of the preprocessor of C.
    fn directive(&mut self, line: u32, directive: &'t str) -> u32 {
        let last = self.page.continued(line, '\\');
        let (word, rest) = directive.split_once([' ', '\t']).unwrap_or((directive, ""));
        let rest = rest.trim();
        match word {
            "include" => self.include(rest),
            "define" => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                let name = rest.get(..end).unwrap_or_default();
                self.declare(name, K::Macro, line, last, false);
            }
            _ => {}
        }
        for at in line..=last {
            self.add(at);
        }
        last + 1
    }

    fn include(&mut self, rest: &'t str) {
        let path = rest.trim_matches(|c: char| matches!(c, '"' | '<' | '>' | '\'') || c.is_whitespace());
        if !path.rsplit('/').next().unwrap_or(path).contains([' ', ',']) {
            self.page.import_file(path);
        }
    }

    fn statement(&mut self, line: u32, own: &'t str) {
        let Line { label, word, rest } = split(own);
        let lower = word.to_ascii_lowercase();
        let lower = lower.as_str();
        if label.is_empty() && (EXPORTS.contains(&lower) || ALIGNMENTS.contains(&lower)) {
            self.announced.get_or_insert(line);
            self.page.atom(line, line, 1, AtomKind::Other);
            return;
        }
        let head = if label.is_empty() { self.head(word, lower, rest) } else { None };
        if SECTIONS.contains(&lower) && self.is_in_data() {
            self.end();
        }
        if !label.is_empty() {
            self.label(label, lower, line);
        } else if let Some((name, kind, is_open)) = head {
            self.declare(name, kind, line, line, is_open);
        }
        self.announced = None;
        self.macro_call(word, head.map(|(name, ..)| name));
        match lower {
            ".include" | "%include" | "include" | "get" | ".incbin" | "incbin" => self.include(rest),
            ".endm" | ".endmacro" | "%endmacro" | "endm" | "endp" => {
                self.add(line);
                self.end();
                return;
            }
            // The name itself and the parameters of a macro are not references.
            _ => match head {
                Some((_, K::Function | K::Macro | K::Struct, true)) => {}
                Some((name, ..)) => {
                    self.operands(lower, rest.split_once(name).map_or(rest, |(_, rest)| rest))
                }
                None => self.operands(lower, rest),
            },
        }
        self.add(line);
    }

    /// Reads a label: declares what it names, unless it is a place in a function.
    fn label(&mut self, label: &'t str, word: &str, line: u32) {
        let is_data = DATA.contains(&word) || word.is_empty() && self.leads_to_data(line);
        let is_local =
            label.starts_with(['.', '$', '@', '%']) || label.starts_with(|c: char| c.is_ascii_digit());
        if word == "equ" || word == "=" || word == ".equ" {
            self.declare(label, K::Constant, line, line, false);
        } else if self.functions.contains(label) {
            self.declare(label, if is_data { K::Variable } else { K::Function }, line, line, true);
        } else if is_local
            || label.starts_with("L")
                && label.get(1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        {
            // A place in a function.
        } else if is_data {
            self.declare(label, K::Variable, line, line, true);
        } else if self.open.is_none() || self.is_in_data() && self.leads_to_code(word, line) {
            self.declare(label, K::Function, line, line, true);
        }
    }

    /// Returns whether the lines belong to a variable.
    fn is_in_data(&self) -> bool {
        let open =
            self.open.and_then(|(declaration, _)| self.page.out.declarations.get(declaration as usize));
        open.is_some_and(|open| open.kind == K::Variable)
    }

    /// Returns whether an instruction stands behind a label, or in the next line with code.
    fn leads_to_code(&self, word: &str, line: u32) -> bool {
        let below = line + 1..self.page.lines.len().min(line + 6);
        let mut below = below.map(|line| split(code(self.page.line(line))));
        let below = below.find(|next| !next.word.is_empty()).map(|next| next.word).unwrap_or_default();
        let word = if word.is_empty() { below } else { word };
        // A macro may stand for data.
        word.starts_with(char::is_lowercase)
            && !word.contains('_')
            && !self.macros.contains(word)
            && !DATA.contains(&word.to_ascii_lowercase().as_str())
    }

    /// Adds the use of a macro: one of this file, or a word that no instruction is.
    fn macro_call(&mut self, word: &'t str, declared: Option<&str>) {
        let name = word.split('(').next().unwrap_or(word);
        let is_macro = self.macros.contains(name) || name.contains('_') || name.len() < word.len();
        if is_macro && is_symbol(name) && !name.starts_with('.') && declared != Some(name) {
            let within = self.open.map(|(declaration, _)| declaration);
            self.page.mention(ReferenceKind::Call, name, "", within);
        }
    }

    /// Returns whether the next line with code has data.
    fn leads_to_data(&self, line: u32) -> bool {
        let below = line + 1..self.page.lines.len().min(line + 6);
        let next = below.map(|line| split(code(self.page.line(line)))).find(|next| !next.word.is_empty());
        next.is_some_and(|next| {
            next.label.is_empty() && DATA.contains(&next.word.to_ascii_lowercase().as_str())
        })
    }

    /// Returns what a line without a label declares: its name, its kind, and whether lines below
    /// belong to it.
    fn head(&self, word: &'t str, lower: &str, rest: &'t str) -> Option<(&'t str, K, bool)> {
        let first = rest.split([' ', '\t', ',', '(']).find(|part| !part.is_empty()).unwrap_or_default();
        let second = rest.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        if let Some((head, inner)) =
            word.split_once('(').or_else(|| rest.strip_prefix('(').map(|inner| (word, inner)))
        {
            let whole = if word.contains('(') { inner } else { rest.strip_prefix('(').unwrap_or(inner) };
            let name = whole.split([')', ',', ' ']).next().unwrap_or_default();
            return is_head(head).then_some((name, K::Function, true));
        }
        match lower {
            ".macro" | "%macro" | "%imacro" => Some((first, K::Macro, true)),
            "%define" | "%idefine" | "%xdefine" | "%assign" => Some((first, K::Macro, false)),
            ".equ" | ".set" | ".equiv" | ".define" => Some((first, K::Constant, false)),
            "struc" | "struct" | ".struct" => Some((first, K::Struct, true)),
            // `TEXT ·add(SB), NOSPLIT, $0` of Go.
            "text" | "globl" if rest.contains("(SB)") => {
                let name = first.rsplit('·').next().unwrap_or(first).split(['<', '(']).next()?;
                Some((name, if lower == "text" { K::Function } else { K::Variable }, true))
            }
            _ if is_function_start(word) => Some((first, K::Function, true)),
            _ => match second.as_str() {
                "proc" | "function" => Some((word, K::Function, true)),
                "macro" => Some((word, K::Macro, true)),
                "equ" | "=" | "set" => Some((word, K::Constant, false)),
                "db" | "dw" | "dd" | "dq" | "resb" | "resw" | "resd" | "resq" => {
                    Some((word, K::Variable, false))
                }
                // Of an instruction, it is the size of an operand: `mov dword [x], 1`.
                "byte" | "word" | "dword" | "qword" if is_value_behind(rest) && !is_call(lower) => {
                    Some((word, K::Variable, false))
                }
                _ => None,
            },
        }
    }

    /// Declares a name; `is_open` says whether the lines below belong to it.
    fn declare(&mut self, name: &'t str, kind: K, line: u32, last_line: u32, is_open: bool) {
        if !is_symbol(name) {
            return;
        }
        if is_open {
            self.end();
        }
        let first_line = self.announced.filter(|_| is_open).unwrap_or(line);
        let own = code(self.page.line(line)).trim_end();
        let declared = self.page.declare(LinedDeclaration {
            name,
            kind,
            parent: None,
            first_line,
            last_line,
            name_line: line,
            signature_end: self.page.lines.start(line) + offset(own.len()),
            body: ByteRange::default(),
            doc: ByteRange::default(),
        });
        let start = self.page.lines.start(line) + offset(own.len() - own.trim_start().len());
        if let Some(one) = declared.and_then(|at| self.page.out.declarations.get_mut(at as usize)) {
            one.signature.start = start.clamp(one.signature.start, one.signature.end);
        }
        if is_open {
            self.open = declared.map(|declared| (declared, line));
        }
    }

    /// Adds the symbols that operands name.
    fn operands(&mut self, word: &str, rest: &'t str) {
        let within = self.open.map(|(declaration, _)| declaration);
        let kind = if is_call(word) { ReferenceKind::Call } else { ReferenceKind::Use };
        let mut in_text = false;
        let is_letter = |c: char| {
            c.is_alphanumeric() || matches!(c, '_' | '.' | '@' | '$' | '%' | '·' | '"' | '\'' | '?' | '\\')
        };
        for part in rest.split(|c| !is_letter(c)).filter(|part| !part.is_empty()).take(MAX_OPERANDS) {
            if part.matches(['"', '\'']).count() % 2 == 1 {
                in_text = !in_text;
                continue;
            }
            let name = part.split('@').next().unwrap_or(part).rsplit('·').next().unwrap_or_default();
            if !in_text && is_symbol(name) && !is_register(name) {
                self.page.mention(kind, name, "", within);
            }
        }
    }
}

/// Returns a line without the comment at its end.
fn code(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match c {
            // An apostrophe alone begins nothing.
            '"' | '\'' if quote.is_none() && line.get(at + 1..).is_some_and(|rest| rest.contains(c)) => {
                quote = Some(c);
            }
            c if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            ';' | '|' if !line.get(at..).is_some_and(|rest| rest.starts_with("||")) => return head(line, at),
            '/' if line.get(at..).is_some_and(|rest| rest.starts_with("//") || rest.starts_with("/*")) => {
                return head(line, at);
            }
            '@' | '#' if begins_comment(line, at, c) => return head(line, at),
            _ => {}
        }
    }
    line
}

fn head(line: &str, at: usize) -> &str {
    line.get(..at).unwrap_or(line)
}

/// Returns whether `@` or `#` begins a comment: a blank stands in front of it and behind it.
fn begins_comment(line: &str, at: usize, mark: char) -> bool {
    let before = head(line, at);
    let behind = line.get(at + 1..).unwrap_or_default();
    let is_alone = before.trim().is_empty() || before.ends_with([' ', '\t']);
    // `mov r0, #1` is a number, and `#include` a line of the preprocessor.
    is_alone && (behind.is_empty() || behind.starts_with([' ', '\t', mark]))
}

/// Splits a line into its label, its first word and the rest.
fn split(line: &str) -> Line<'_> {
    let mut content = line.trim();
    let mut label = "";
    let end =
        content.find(|c: char| c.is_whitespace() || matches!(c, ':' | '"' | ',')).unwrap_or(content.len());
    if let (Some(name), Some(behind)) =
        (content.get(..end), content.get(end..).and_then(|rest| rest.strip_prefix(':')))
        && !behind.starts_with('=')
    {
        label = name.trim_matches('"');
        content = behind.trim_start_matches(':').trim_start();
    }
    let (word, rest) = content.split_once([' ', '\t']).unwrap_or((content, ""));
    Line { label, word, rest: rest.trim() }
}

/// Returns whether a macro of C begins a function whose name is its first argument.
fn is_head(word: &str) -> bool {
    HEADS.contains(&word) || is_function_start(word)
}

/// Returns whether a word is a macro that begins a function: `ARM_FUNC_START`, `BEGIN_FUNC`.
fn is_function_start(word: &str) -> bool {
    let has = |names: &[&str]| word.split('_').any(|part| names.contains(&part));
    word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        && has(&["FUNC", "FUNCTION", "PROC"])
        && has(&["BEGIN", "ENTRY", "START"])
}

/// Returns whether a value follows the first word, and not the place of an operand.
fn is_value_behind(rest: &str) -> bool {
    let behind = rest.split_once(char::is_whitespace).map_or("", |(_, behind)| behind.trim_start());
    let is_place = behind.starts_with(['[', '%']) || behind.to_ascii_lowercase().starts_with("ptr");
    !behind.is_empty() && !is_place
}

/// Returns whether a word is an instruction that calls or jumps.
fn is_call(word: &str) -> bool {
    CALLS.contains(&word) || JUMPS.contains(&word)
}

/// Returns whether a text can be the name of a symbol.
fn is_symbol(name: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$' | '?' | '@');
    name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '?' | '@'))
        && name.chars().all(is_letter)
}

/// Returns whether a name is probably a register: at most three letters and a number, or one of
/// x86.
fn is_register(name: &str) -> bool {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_numbered = letters.len() < name.len() && letters.len() <= 3 && name.len() <= 5;
    let bare = letters.strip_prefix(['r', 'e', 'R', 'E']).unwrap_or(letters).to_ascii_lowercase();
    is_numbered
        || name.len() <= 3
            && matches!(
                bare.as_str(),
                "ax" | "bx"
                    | "cx"
                    | "dx"
                    | "si"
                    | "di"
                    | "sp"
                    | "bp"
                    | "ip"
                    | "al"
                    | "bl"
                    | "cl"
                    | "dl"
                    | "lr"
                    | "pc"
                    | "ra"
                    | "zero"
                    | "sb"
                    | "fp"
            )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_comments() {
        for (line, expected) in [
            ("add:\tmov eax, 1 ; one", ("add", "mov", "eax, 1")),
            ("  bl  _write  @ calls it", ("", "bl", "_write")),
            ("mov r0, #1", ("", "mov", "r0, #1")),
            ("msg db 'a;b', 0", ("", "msg", "db 'a;b', 0")),
            ("1: jmp 1b # again", ("1", "jmp", "1b")),
            ("TEXT ·add(SB), $0 // adds", ("", "TEXT", "·add(SB), $0")),
            (".ascii \"a # b\"", ("", ".ascii", "\"a # b\"")),
        ] {
            let (label, word, rest) = expected;
            assert_eq!(split(code(line)), Line { label, word, rest }, "{line}");
        }
    }

    #[test]
    fn registers_are_not_symbols() {
        for name in ["rax", "eax", "r10", "x0", "v31", "sp", "xmm0"] {
            assert!(is_register(name), "{name}");
        }
        for name in ["memcpy", "crc32c", "sha256_block", "buf"] {
            assert!(!is_register(name), "{name}");
        }
    }
}
