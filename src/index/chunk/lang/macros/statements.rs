//! Macros in the statements of a function, and labels that no statement follows.
//!
//! The grammar takes `VERBOSE(int n = 0);` and `int n INIT(0);` for something else than a
//! declaration, and a label behind them for the end of it. Then the function, and often the next
//! ones, are lost. Here such text becomes what the macro makes of it.

use super::{Scan, TYPES, Token, TokenKind, WORDS, is_word_byte};

/// Words that begin a statement, but never a declaration.
const STATEMENTS: &[&str] =
    &["break", "case", "continue", "default", "delete", "goto", "return", "throw", "using"];

/// Words in front of a type.
const SPECIFIERS: &[&str] = &[
    "class",
    "const",
    "constexpr",
    "enum",
    "extern",
    "inline",
    "register",
    "static",
    "struct",
    "union",
    "volatile",
];

/// Longest declaration in bytes that is looked at in front of a macro.
const MAX_DECLARATION: usize = 256;

impl Scan<'_> {
    /// Reads a word in a function, from `start` to `end`.
    pub(super) fn read_statement(&mut self, start: usize, end: usize) {
        let word = Token { kind: TokenKind::Word, start, end };
        if self.byte(end) == Some(b':') && self.begins_line(start) {
            self.blank_label(word);
        } else if self.is_macro(word) {
            self.read_declaration(word);
            self.blank_expansion(word);
        }
    }

    /// Blanks a macro that is alone in its line, if the next line undefines what it expands:
    /// `#define X(name) name,`, `LIST`, `#undef X`. In a list of values, a comma is missing.
    fn blank_expansion(&mut self, word: Token) {
        let behind = self.text.get(word.end..).unwrap_or_default();
        let Some(next) = behind.trim_start_matches([' ', '\t', '\r']).strip_prefix('\n') else { return };
        let directive = next.trim_start().strip_prefix('#').map(str::trim_start);
        if self.begins_line(word.start) && directive.is_some_and(|word| word.starts_with("undef")) {
            self.blank(word.start, word.end);
        }
    }

    /// Puts a number in place of an operator that is an argument alone: `assert_op(a, ==, b)`. The
    /// comma in front of it is at `comma`.
    pub(super) fn read_operator(&mut self, comma: usize) {
        let start = self.after_space(comma + 1);
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        let len = rest.iter().take(3).take_while(|byte| b"=<>!&|^+-*/%".contains(byte)).count();
        if len > 0 && self.byte(self.after_space(start + len)) == Some(b',') {
            self.blank(start, start + len);
            self.put(start, b"0");
        }
    }

    /// Blanks a label behind which conditional text or a block ends. The grammar needs a statement
    /// there.
    fn blank_label(&mut self, word: Token) {
        let behind = self.text.get(word.end + 1..).unwrap_or_default();
        let Some(next) = behind.trim_start_matches([' ', '\t', '\r']).strip_prefix('\n') else { return };
        let next = next.trim_start();
        let is_end = ["#endif", "#else", "#elif", "}"].iter().any(|one| next.starts_with(one));
        if is_end && self.of(word) != "default" {
            self.blank(word.start, word.end + 1);
        }
    }

    /// Reads a macro that is a declaration (`VERBOSE(int n = 0);`), or the value of one
    /// (`int n INIT(0);`).
    fn read_declaration(&mut self, word: Token) {
        let open = self.after_space(word.end);
        let Some(close) = self.after_group(open) else { return };
        let group = Token { kind: TokenKind::Group, start: open, end: close };
        if self.byte(self.after_space(close)) != Some(b';') {
            return;
        }
        let before = self.text.get(..word.start).unwrap_or_default().trim_end();
        if before.ends_with([';', '{', '}', ':']) {
            if self.has_declaration(group) {
                self.put(group.start, b";");
                self.blank(group.end - 1, group.end);
            }
            return;
        }
        let is_space =
            word.start.checked_sub(1).and_then(|at| self.byte(at)).is_some_and(|b| b" \t".contains(&b));
        if is_space && self.is_declarator(before) {
            self.put(word.start - 1, b"=");
        }
    }

    /// Returns whether parentheses hold a declaration: a type and a name, and maybe a value.
    fn has_declaration(&self, group: Token) -> bool {
        let tokens = self.tokens_within(group);
        let end = tokens.iter().position(|one| self.of(*one) == "=").unwrap_or(tokens.len());
        let head = tokens.get(..end).unwrap_or_default();
        let &[first, second, ..] = head else { return false };
        let is_name = |one: &Token| {
            let word = self.of(*one);
            one.kind == TokenKind::Word && !TYPES.contains(&word) && !STATEMENTS.contains(&word)
        };
        let is_part = |one: &Token| one.kind == TokenKind::Word || self.of(*one) == "*";
        // `a * b = c` is a value, too.
        let is_typed = TYPES.contains(&self.of(first)) || is_name(&first) && is_name(&second);
        let is_expression = WORDS.contains(&self.of(first));
        is_typed && !is_expression && head.iter().all(is_part) && head.last().is_some_and(is_name)
    }

    /// Returns whether a text ends with a declaration that has no value: `const char *name`.
    fn is_declarator(&self, before: &str) -> bool {
        let mut from = before.len().saturating_sub(MAX_DECLARATION);
        while !before.is_char_boundary(from) {
            from += 1;
        }
        let near = before.get(from..).unwrap_or_default();
        let Some(at) = near.rfind([';', '{', '}', ':']) else { return false };
        let written = near.get(at + 1..).unwrap_or_default().trim();
        let is_plain = written.bytes().all(|b| is_word_byte(b) || b.is_ascii_whitespace() || b == b'*');
        let words = written.split(|c: char| c.is_ascii_whitespace() || c == '*');
        let mut words = words.filter(|word| !word.is_empty() && !SPECIFIERS.contains(word));
        let first = words.next().unwrap_or_default();
        let name = words.next_back().unwrap_or_default();
        is_plain
            && !name.is_empty()
            && written.ends_with(name)
            && ![first, name].iter().any(|one| WORDS.contains(one) || STATEMENTS.contains(one))
            && !TYPES.contains(&name)
    }
}
