//! Macros that are a whole item: `MOCK_METHOD(void, pay, (int a));`, `FLAG(int, port, 80, "");`.
//!
//! In a class, the grammar takes such a macro for a constructor, and elsewhere for one if a keyword
//! begins its arguments. A mock method is put into the form of a method, and other macros in a
//! class into that of a field. Elsewhere they stay calls, without arguments that are not
//! expressions.

use super::{Brace, Scan, TYPES, Token, TokenKind, is_plain};

/// The type of a mock method whose own type is behind its name.
const VOID: &[u8] = b"void";

impl Scan<'_> {
    /// Reads an item that is a macro with arguments. Returns whether the tokens are one.
    pub(super) fn read_call(&mut self, tokens: &[Token]) -> bool {
        let Some((head, group)) = self.call_alone(tokens).filter(|(head, _)| self.is_macro(*head)) else {
            return false;
        };
        match self.braces.last() {
            Some(Brace::Members(Some(class))) => {
                let is_constructor = self.of(*class) == self.of(head);
                if !is_constructor && !self.mock(head, group) {
                    self.put_field(group);
                }
                !is_constructor
            }
            Some(Brace::Members(None)) => self.mock(head, group),
            _ => {
                self.blank_types(group);
                true
            }
        }
    }

    /// Puts a mock method (`MOCK_METHOD(void, pay, (int a), (override))`,
    /// `MOCK_METHOD1(pay, void(int a))`) into the form of a method. Returns whether it is one.
    fn mock(&mut self, head: Token, group: Token) -> bool {
        if !self.of(head).contains("MOCK") {
            return false;
        }
        let parts = self.parts(group);
        let is_group = |(start, end): (usize, usize)| self.after_group(start) == Some(end);
        let is_name = |(start, end): (usize, usize)| is_plain(self.between(start, end));
        let (mut kept, has_type) = match *parts.as_slice() {
            [ty, name, parameters, ..] if is_name(name) && is_group(parameters) => {
                // Parentheses protect commas in a type.
                let ty = if is_group(ty) { (ty.0 + 1, ty.1 - 1) } else { ty };
                (vec![ty, name, parameters], true)
            }
            [name, signature, ..] if is_name(name) => {
                let Some(parameters) = self.last_group(signature) else { return false };
                (vec![name, parameters], false)
            }
            _ => return false,
        };
        let mut start = head.start;
        kept.push((group.end, group.end));
        for (from, to) in kept {
            self.blank(start, from);
            start = to;
        }
        if !has_type {
            self.put(head.start, VOID);
        }
        true
    }

    /// Turns a macro into a field, whose type is the macro: `BIT(on);` is `BIT on;`, and with other
    /// arguments, the field has no name.
    fn put_field(&mut self, group: Token) {
        if self.is_name(group) {
            self.blank(group.start, group.start + 1);
            self.blank(group.end - 1, group.end);
        } else {
            self.blank(group.start, group.end);
        }
    }

    /// Returns the parentheses at the end of some text.
    fn last_group(&self, (start, end): (usize, usize)) -> Option<(usize, usize)> {
        let within = Token { kind: TokenKind::Group, start: start.checked_sub(1)?, end: end + 1 };
        let last = self.tokens_within(within).pop()?;
        (last.kind == TokenKind::Group && last.end == end).then_some((last.start, last.end))
    }

    /// Blanks arguments that are types, and which an expression cannot be: `int`, `struct shop *`.
    fn blank_types(&mut self, group: Token) {
        let parts = self.parts(group);
        let n = parts.len();
        for (at, (start, end)) in parts.into_iter().enumerate() {
            let written = self.between(start, end);
            let first = self.between(start, self.after(start));
            if !TYPES.contains(&first) && !written.ends_with(['*', '&']) {
                continue;
            }
            // The comma goes, too.
            let to = if at + 1 < n { self.after_space(end) + 1 } else { end };
            self.blank(start, to);
        }
    }
}
