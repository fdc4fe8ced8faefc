//! Macros and words that annotate a declarator: `int n GUARDED_BY(mu);`, `Shop* absl_nonnull f();`.
//!
//! The grammar takes the first for a function that is called as the macro, and cannot read the
//! second. Such words are only blanked where nothing else can stand: behind a type and a name, or
//! between a star and a name.

use super::{Scan, TYPES, Token, TokenKind, WORDS};

/// Words that are a type without another one.
const BASES: &[&str] = &[
    "auto", "bool", "char", "double", "float", "int", "long", "short", "signed", "size_t", "unsigned", "void",
];

/// Words in front of a type, besides those of `TYPES`.
const SPECIFIERS: &[&str] = &["constexpr", "constinit", "inline", "mutable", "register", "thread_local"];

/// Words between a star and a name that the grammar reads.
const QUALIFIERS: &[&str] = &[
    "__restrict",
    "__restrict__",
    "__unaligned",
    "_Atomic",
    "const",
    "constexpr",
    "mutable",
    "noexcept",
    "operator",
    "restrict",
    "volatile",
];

impl Scan<'_> {
    /// Blanks annotations of the names in an item, and of its parameters. Removes them from the
    /// tokens.
    pub(super) fn blank_annotations(&mut self, tokens: &mut Vec<Token>) {
        // `requires A && B` is a condition.
        if tokens.iter().any(|one| self.of(*one) == "requires") {
            return;
        }
        let end = tokens.iter().position(|one| self.of(*one) == "=").unwrap_or(tokens.len());
        for group in tokens.iter().take(end).filter(|one| one.kind == TokenKind::Group) {
            let inner = self.tokens_within(*group);
            let mut depth = 0usize;
            let parts = inner.split(|one| {
                match self.of(*one) {
                    "<" => depth += 1,
                    ">" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0 && self.of(*one) == ","
            });
            let ranges: Vec<_> = parts.flat_map(|part| self.annotations(part)).collect();
            for (start, end) in ranges {
                self.blank(start, end);
            }
        }
        let ranges = self.annotations(tokens);
        tokens.retain(|one| !ranges.iter().any(|&(start, end)| start <= one.start && one.end <= end));
        for (start, end) in ranges {
            self.blank(start, end);
        }
    }

    /// Puts `int` in place of a type with a number of bits (`_BitInt(7)`), which the grammar does
    /// not know. Removes it from the tokens.
    pub(super) fn replace_widths(&mut self, tokens: &mut Vec<Token>) {
        let is_width = |window: &[Token]| {
            let [word, group] = window else { return false };
            self.of(*word) == "_BitInt" && group.kind == TokenKind::Group
        };
        let found: Vec<_> = tokens.windows(2).filter(|window| is_width(window)).flatten().copied().collect();
        tokens.retain(|one| !found.contains(one));
        for token in found {
            self.blank(token.start, token.end);
            if token.kind == TokenKind::Word {
                self.put(token.start, b"int");
            }
        }
    }

    /// Returns the ranges of the annotations in a declaration or a parameter.
    fn annotations(&self, tokens: &[Token]) -> Vec<(usize, usize)> {
        let mut found: Vec<_> = self.macros_behind(tokens).into_iter().collect();
        let mut is_behind_star = false;
        for (at, window) in tokens.windows(2).enumerate() {
            let &[one, next] = window else { continue };
            let word = self.of(one);
            if matches!(word, "*" | "&") {
                is_behind_star = true;
                continue;
            }
            // `void NOTHROW *f()`: no name stands between the two.
            let is_before_star = tokens.get(at + 2).is_some_and(|one| self.of(*one) == "*");
            if is_before_star && BASES.contains(&word) && self.is_macro(next) {
                found.push((next.start, next.end));
            }
            let is_known = QUALIFIERS.contains(&word);
            let is_word = self.is_declarable(one) || self.is_macro(one);
            let is_annotation = is_behind_star && !is_known && is_word && self.is_declarable(next);
            if is_annotation {
                found.push((one.start, one.end));
            }
            is_behind_star &= is_known || is_annotation;
        }
        found
    }

    /// Returns whether a token can be a name or an annotation in front of one.
    pub(super) fn is_declarable(&self, token: Token) -> bool {
        let word = self.of(token);
        token.kind == TokenKind::Word
            && !self.is_macro(token)
            && !word.starts_with("__")
            && (word == "const" || word == "operator" || !WORDS.contains(&word) && !TYPES.contains(&word))
    }

    /// Returns the range of the macros behind a type and a name, up to a value or the end.
    fn macros_behind(&self, tokens: &[Token]) -> Option<(usize, usize)> {
        let mut rest = tokens.get(self.after_variable(tokens)?..)?;
        let start = rest.first().filter(|one| self.is_macro(**one))?.start;
        let mut end = start;
        while let [word, behind @ ..] = rest
            && self.is_macro(*word)
        {
            (end, rest) = match behind {
                [group, behind @ ..] if group.kind == TokenKind::Group => (group.end, behind),
                _ => (word.end, behind),
            };
        }
        rest.first().is_none_or(|next| matches!(self.of(*next), "=" | "," | "[")).then_some((start, end))
    }

    /// Returns the number of tokens of a type and a name at the start: `const T *x[2]`.
    fn after_variable(&self, tokens: &[Token]) -> Option<usize> {
        let is = |at: usize, word: &str| tokens.get(at).is_some_and(|one| self.of(*one) == word);
        let (mut at, mut is_complete) = (0, false);
        while let Some(word) = tokens.get(at).map(|one| self.of(*one)) {
            if !TYPES.contains(&word)
                && !SPECIFIERS.contains(&word)
                && word != "auto"
                && !word.starts_with('"')
            {
                break;
            }
            is_complete |= BASES.contains(&word);
            at += 1;
        }
        if !is_complete {
            at += Some(self.after_name(tokens.get(at..)?)).filter(|&n| n > 0)?;
        }
        while ["*", "&", "const", "volatile"].iter().any(|word| is(at, word)) {
            at += 1;
        }
        tokens.get(at).filter(|name| self.is_declarable(**name))?;
        at += 1;
        while is(at, "[") {
            at += tokens.get(at..)?.iter().position(|one| self.of(*one) == "]")? + 1;
        }
        Some(at)
    }
}
