//! Expressions, patterns and types: the names that they bind, and those that they refer to.

use super::{K, MAX_NAME, Open, Part, Source, State, WORDS};
use crate::index::chunk::ReferenceKind;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::scan::tokens::{Token, TokenKind};
use std::borrow::Cow;

impl<'t> Source<'t> {
    /// Reads a token of an expression, a pattern or a type.
    pub(super) fn expression(&mut self, token: Token<'t>) {
        match token.text {
            _ if token.kind == TokenKind::Word => self.names(token.text),
            _ if token.kind != TokenKind::Mark => {}
            "(" | "[" | "{" => self.state.brackets += 1,
            ")" | "]" | "}" => {
                self.state.brackets = self.state.brackets.saturating_sub(1);
                if self.state.types.is_some_and(|around| around > self.state.brackets) {
                    self.state.types = None;
                }
            }
            ":" | ":>" | ":?" | ":?>" => self.state.types = Some(self.state.brackets),
            // A parameter may have a default value.
            "=" if self.at >= self.state.head_end => {
                self.state = State { brackets: self.state.brackets, ..State::default() };
            }
            "->" if self.state.types.is_none() => self.state.binds = false,
            "," | ";" if self.state.types == Some(self.state.brackets) => self.state.types = None,
            "|" if self.part() == Part::Code => (self.state.binds, self.state.types) = (true, None),
            "|" if self.open.last().is_some_and(|open| open.has_parts) => {
                if let Some(name) = self.word(self.at + 1).filter(|_| self.is_alternative(self.at + 1)) {
                    self.at += 1;
                    self.declare_part(K::Variant, name);
                    self.at += 1;
                }
                self.state = State::default();
            }
            _ => {}
        }
    }

    /// Reads a word, and the names that are joined to it with dots.
    pub(super) fn names(&mut self, word: &'t str) {
        match word {
            "let" | "use" | "fun" | "for" | "as" | "let!" | "use!" | "and" => {
                (self.state.binds, self.state.types) = (true, None);
                return;
            }
            "in" | "when" | "do" | "then" | "with" | "match" | "if" => {
                (self.state.binds, self.state.types) = (false, None);
                return;
            }
            "of" | "new" => {
                self.state.types = Some(self.state.brackets);
                return;
            }
            _ if WORDS.contains(&word) || word.starts_with('\'') => return,
            _ => {}
        }
        let Some((name, qualifier, behind)) = self.path(self.at) else { return };
        let next = self.text(behind);
        // A label in a type: `radius: float`.
        if self.state.types.is_some() && next == ":" && is_small(name) {
            self.at = behind;
            if self.state.binds
                && let Some(open) = self.open.last_mut()
            {
                open.locals.insert(name);
            }
            return;
        }
        let is_type = self.state.types.is_some() && next != ":";
        let is_variable = is_small(name);
        let before = self.at.checked_sub(1).and_then(|at| self.token(at));
        self.at = behind;
        if self.state.binds && !is_type && qualifier.is_empty() && is_variable {
            if let Some(open) = self.open.last_mut() {
                open.locals.insert(name);
            }
            return;
        }
        let first = qualifier.split('.').next().unwrap_or_default();
        let is_local = |open: &Open<'t>| open.locals.contains(name) || open.object == name;
        if qualifier.is_empty() && self.open.iter().any(is_local) {
            return;
        }
        let within = self.within();
        let kind = if is_type {
            ReferenceKind::Type
        } else if self.is_call(behind, before) {
            ReferenceKind::Call
        } else {
            ReferenceKind::Use
        };
        if is_type
            && is_variable
            && qualifier.is_empty()
            && matches!(name, "int" | "string" | "bool" | "float" | "unit")
        {
            return;
        }
        let is_object =
            !first.is_empty() && self.open.iter().rev().any(|open| open.object == first && !first.is_empty());
        let name = name.trim_matches('`');
        if name.is_empty() || name.len() > MAX_NAME {
            return;
        }
        let qualifier = match qualifier.strip_prefix(first) {
            Some(rest) if is_object => Cow::Owned(format!("this{rest}")),
            _ => Cow::Borrowed(qualifier),
        };
        let mention = Mention::new(self.page.at(name), kind, name, qualifier);
        self.page.out.mentions.push(Mention { within, ..mention });
    }

    /// Returns whether the name in front of a token is called: an argument follows, or a value is
    /// passed to it.
    pub(super) fn is_call(&self, behind: usize, before: Option<Token<'t>>) -> bool {
        if before.is_some_and(|before| matches!(before.text, "|>" | ">>" | "||>" | "|||>")) {
            return true;
        }
        let (Some(name), Some(next)) = (self.token(behind - 1), self.token(behind)) else { return false };
        let is_argument = match next.kind {
            TokenKind::Word => {
                !WORDS.contains(&next.text) || matches!(next.text, "true" | "false" | "null" | "_")
            }
            TokenKind::Number | TokenKind::Text => true,
            TokenKind::Mark => matches!(next.text, "(" | "[" | "{" | "<|" | "<|>"),
        };
        // In `f a b`, only `f` is called.
        let is_head = before.is_none_or(|before| {
            before.line != name.line
                || before.kind == TokenKind::Mark && !matches!(before.text, ")" | "]" | "}")
                || before.kind == TokenKind::Word && WORDS.contains(&before.text)
        });
        let is_joined = next.text == "(" && self.is_joined(behind - 1);
        next.line == name.line && is_argument && (is_head || is_joined)
    }
}

/// Returns whether a name begins like that of a value.
pub(super) fn is_small(name: &str) -> bool {
    name.starts_with(|c: char| c.is_lowercase() || c == '_')
}
