//! Macros around a declarator, and statements that a macro ends.
//!
//! `EXPORT(void f(int a));` declares `f`, and so do `void SYMBOL(f)(int a);` and
//! `int f PARAMS((int a));`, a prototype that old compilers read as `int f();`. The grammar takes
//! the first for a call, and finds the names of types in the last. In a function, it takes a macro
//! without a semicolon for the type of the next line.

use super::{Scan, TYPES, Token, TokenKind, WORDS};

impl Scan<'_> {
    /// Blanks a macro with a whole declarator in it: `EXPORT(void f(int a))`. Returns whether the
    /// tokens are one.
    pub(super) fn blank_around(&mut self, tokens: &[Token]) -> bool {
        let Some((head, group)) = self.call_alone(tokens).filter(|(head, _)| self.is_macro(*head)) else {
            return false;
        };
        let inner = self.tokens_within(group);
        let Some((parameters, before)) = inner.split_last() else { return false };
        let is_part = |one: &Token| one.kind == TokenKind::Word || self.of(*one) == "*";
        let is_name = |one: &Token| {
            let word = self.of(*one);
            one.kind == TokenKind::Word && !WORDS.contains(&word) && !TYPES.contains(&word)
        };
        let is_declarator = parameters.kind == TokenKind::Group
            && before.len() > 1
            && before.iter().all(is_part)
            && before.first().is_some_and(|first| first.kind == TokenKind::Word)
            && before.last().is_some_and(is_name);
        if is_declarator {
            self.blank(head.start, group.start + 1);
            self.blank(group.end - 1, group.end);
        }
        is_declarator
    }

    /// Blanks the star of a parameter without a name that has a default: `void f(int * = 0)`. The
    /// grammar needs a name there.
    pub(super) fn blank_unnamed(&mut self, tokens: &[Token]) {
        let item = tokens.first().zip(tokens.last()).map(|(first, last)| (first.start, last.end));
        let (start, end) = item.unwrap_or_default();
        let text = self.between(start, end);
        for at in ["* =", "& ="].into_iter().flat_map(|sign| text.match_indices(sign)).map(|(at, _)| at) {
            let before = text.get(..at).unwrap_or_default().trim_end_matches(['*', '&', ' ']);
            let is_default = !text.get(at + 3..).is_some_and(|behind| behind.starts_with('='));
            let is_within = tokens
                .iter()
                .any(|one| one.kind == TokenKind::Group && one.start < start + at && start + at < one.end);
            if is_default && is_within && before.ends_with(|c: char| c.is_alphanumeric() || "_>".contains(c))
            {
                self.blank(start + before.len(), start + at + 1);
            }
        }
    }

    /// Blanks a macro around the name of a function: `void SYMBOL(f)(int a);`. Returns whether the
    /// tokens have one.
    pub(super) fn blank_around_name(&mut self, tokens: &[Token]) -> bool {
        let is_name = |window: &&[Token]| {
            let &[before, word, group, parameters] = *window else { return false };
            let is_before = before.kind == TokenKind::Word && !WORDS.contains(&self.of(before))
                || matches!(self.of(before), "*" | "&" | ">");
            is_before
                && self.is_macro(word)
                && group.kind == TokenKind::Group
                && parameters.kind == TokenKind::Group
                && self.is_name(group)
        };
        let Some(&[_, word, group, _]) = tokens.windows(4).find(is_name) else { return false };
        self.blank(word.start, group.start + 1);
        self.blank(group.end - 1, group.end);
        true
    }

    /// Returns the range of the macros between the type and the name of a function, of which the
    /// last one has arguments: `int NOTHROW ATTR(pure) f(int a)`.
    pub(super) fn macros_before_name(&self, tokens: &[Token]) -> Option<(usize, usize)> {
        let is_pair = |window: &&[Token]| {
            let &[word, group, name, parameters] = *window else { return false };
            self.is_macro(word)
                && group.kind == TokenKind::Group
                && self.is_declarable(name)
                && parameters.kind == TokenKind::Group
        };
        let pair = tokens.windows(4).position(|window| is_pair(&window))?;
        let is_type = |at: usize| {
            tokens.get(at).is_some_and(|one| {
                let word = self.of(*one);
                let is_specifier = matches!(word, "const" | "extern" | "inline" | "static" | "volatile");
                word == "*" || one.kind == TokenKind::Word && !is_specifier && !self.is_macro(*one)
            })
        };
        // A type can look like a macro: `static STACK_OF(x) f(void)`.
        let mut first = pair;
        while let Some(before) = first.checked_sub(1).and_then(|at| tokens.get(at)) {
            let n = match before.kind {
                TokenKind::Group
                    if first >= 2 && tokens.get(first - 2).is_some_and(|one| self.is_macro(*one)) =>
                {
                    2
                }
                TokenKind::Word if self.is_macro(*before) && first >= 2 && is_type(first - 2) => 1,
                _ => break,
            };
            first -= n;
        }
        first.checked_sub(1).filter(|&before| is_type(before))?;
        let start = tokens.get(first)?.start;
        tokens.get(pair + 1).map(|group| (start, group.end))
    }

    /// Returns the word and the parentheses if tokens are nothing but a call, with or without a
    /// word such as `static` in front.
    pub(super) fn call_alone(&self, tokens: &[Token]) -> Option<(Token, Token)> {
        let start = tokens.iter().position(|one| !matches!(self.of(*one), "static" | "inline" | "extern"))?;
        let &[head, group] = tokens.get(start..)? else { return None };
        let is_call = head.kind == TokenKind::Word && group.kind == TokenKind::Group;
        is_call.then_some((head, group))
    }

    /// Blanks the macro around the parameters of a prototype: `int f PARAMS((int a));`. Returns
    /// whether the tokens have one.
    pub(super) fn blank_prototype(&mut self, tokens: &[Token]) -> bool {
        let [.., before, name, word, group] = *tokens else { return false };
        let is_upper = |one: &str| one.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        let is_name = name.kind == TokenKind::Word
            && !TYPES.contains(&self.of(name))
            && (before.kind == TokenKind::Word || self.of(before) == "*");
        if !is_name || word.kind != TokenKind::Word || !is_upper(self.of(word)) {
            return false;
        }
        let &[inner] = self.tokens_within(group).as_slice() else { return false };
        let is_around = group.kind == TokenKind::Group && inner.kind == TokenKind::Group;
        if !is_around || !self.has_parameters(inner) {
            return false;
        }
        self.blank(word.start, group.start + 1);
        self.blank(group.end - 1, group.end);
        true
    }

    /// Returns whether parentheses hold parameters, and not the arguments of an attribute.
    pub(super) fn has_parameters(&self, group: Token) -> bool {
        let first = self.parts(group).first().map(|&(start, end)| self.between(start, end));
        let Some(first) = first else { return false };
        let mut words = first.split_whitespace();
        let is_type = words.next().is_none_or(|word| TYPES.contains(&word) || word == "...");
        is_type || first.contains('*') || words.next().is_some_and(|word| !word.starts_with('('))
    }

    /// Ends a statement that is a macro without a semicolon, if a label or a declaration follows on
    /// the next line. A call in it stays; otherwise the macro does.
    pub(super) fn end_statement(&mut self, start: usize, end: usize) {
        let word = Token { kind: TokenKind::Word, start, end };
        if !self.is_macro(word) {
            return;
        }
        let before = self.text.get(..start).unwrap_or_default().trim_end();
        if !before.ends_with([';', '{', '}', ':']) {
            return;
        }
        let open = self.after_space(end);
        let is_open = self.byte(open) == Some(b'(');
        let Some(close) = is_open.then(|| self.after_group(open)).flatten() else { return };
        let next = self.after_space(close);
        let follows = self.between(next, self.after(next));
        let is_end = matches!(follows, "case" | "default") || TYPES.contains(&follows);
        if !is_end || !self.between(close, next).contains('\n') {
            return;
        }
        match self.between(open + 1, close).contains('(') {
            true => self.blank(start, open + 1),
            false => self.blank(open, close),
        }
        self.put(close - 1, b";");
    }

    /// Returns the tokens in parentheses. Inner parentheses are one.
    pub(super) fn tokens_within(&self, group: Token) -> Vec<Token> {
        let (mut tokens, mut at) = (Vec::new(), group.start + 1);
        while at + 1 < group.end {
            let start = at;
            let byte = self.byte(at).unwrap_or_default();
            let is_group = byte == b'(';
            at = if is_group { self.after_group(at).unwrap_or(group.end) } else { self.after(at) };
            let kind = match byte {
                b'(' => TokenKind::Group,
                _ if super::is_word_byte(byte) => TokenKind::Word,
                _ => TokenKind::Other,
            };
            let is_comment = byte == b'/' && at > start + 1;
            if !byte.is_ascii_whitespace() && !is_comment {
                tokens.push(Token { kind, start, end: at });
            }
        }
        tokens
    }
}
