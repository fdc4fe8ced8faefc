//! Conditional text inside of a declaration, and macros for `try` and `catch`.
//!
//! The grammar reads `#if` between declarations and statements, but not in the middle of one. There
//! the first branch is kept and the others are blanked, with all directives.

use super::{Brace, Scan};

/// Longest conditional text in bytes that is looked at.
const MAX_CONDITIONAL: usize = 1 << 12;

/// Longest block in bytes behind a macro for `try`.
const MAX_BLOCK: usize = 1 << 14;

/// The ends of what is blanked of conditional text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Conditional {
    /// The end of the first directive.
    first_end: usize,
    /// The begin of the second one.
    second: usize,
    /// The end of the last one.
    end: usize,
}

impl Scan<'_> {
    /// Passes a directive. If it begins conditional text that is a part of the current item, the
    /// item goes on with the first branch.
    pub(super) fn directive(&mut self, start: usize) {
        if let Some(open) = self.chosen.take_if(|open| open.second == start) {
            self.at = open.end;
            return;
        }
        self.at = self.after_directive(start);
        if self.tokens.is_empty() || self.braces.contains(&Brace::Code) {
            return;
        }
        let found = self.conditional(start, self.text.len());
        let ends_item = |one: &Conditional| self.has_end(one.first_end, one.second);
        self.chosen = found.filter(|one| !ends_item(one));
        match self.chosen {
            Some(found) => self.choose(start, found),
            None => self.blank_stray(),
        }
    }

    /// Chooses the first branches of all conditional text between two places, such as parentheses.
    pub(super) fn choose_within(&mut self, start: usize, end: usize) {
        if !self.between(start, end).contains('#') {
            return;
        }
        let mut at = start;
        while at < end {
            let found = match self.byte(at) {
                Some(b'#') if self.begins_line(at) => self.conditional(at, end),
                _ => None,
            };
            match found {
                Some(found) => {
                    self.choose(at, found);
                    at = found.end;
                }
                None => at = self.after(at),
            }
        }
    }

    fn choose(&mut self, start: usize, found: Conditional) {
        self.blank(start, found.first_end);
        self.blank(found.second, found.end);
    }

    /// Returns the conditional text that begins at `start`; `None` if there is none before `limit`,
    /// or if it has other directives inside.
    fn conditional(&self, start: usize, limit: usize) -> Option<Conditional> {
        if !self.word_of_directive(start).starts_with("if") {
            return None;
        }
        let first_end = self.after_directive(start);
        let limit = limit.min(start + MAX_CONDITIONAL);
        let (mut at, mut second) = (first_end, None);
        while at < limit {
            if self.byte(at) != Some(b'#') || !self.begins_line(at) {
                at = self.after(at);
                continue;
            }
            let end = self.after_directive(at);
            match self.word_of_directive(at) {
                "else" | "elif" | "elifdef" | "elifndef" => second = second.or(Some(at)),
                "endif" => return Some(Conditional { first_end, second: second.unwrap_or(at), end }),
                _ => return None,
            }
            at = end;
        }
        None
    }

    /// Returns the word behind the `#` of a directive.
    fn word_of_directive(&self, start: usize) -> &str {
        let text = self.text.get(start + 1..).unwrap_or_default().trim_start_matches([' ', '\t']);
        let end = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        text.get(..end).unwrap_or_default()
    }

    /// Returns whether an item ends, or a block begins or ends, between two places.
    fn has_end(&self, start: usize, end: usize) -> bool {
        let mut at = start;
        while at < end {
            if matches!(self.byte(at), Some(b';' | b'{' | b'}')) {
                return true;
            }
            at = self.after(at);
        }
        false
    }

    /// Turns macros for `try` and `catch` into these words (`JSON_TRY {`, `JSON_CATCH (…) {`).
    /// `start` is where a word begins, and it ends where the scan is.
    pub(super) fn guard(&mut self, start: usize) {
        let (end, word) = (self.at, self.between(start, self.at));
        if !word.ends_with("_TRY") && !word.ends_with("_CATCH") {
            return;
        }
        let next = self.after_space(end);
        let replacement: &[u8] = if self.is_catch(word, next) {
            b"catch"
        } else if word.ends_with("_TRY") && self.is_caught(next) {
            b"try"
        } else {
            return;
        };
        self.blank(start, end);
        self.put(start, replacement);
    }

    /// Returns whether a word is a macro for `catch`, by the parentheses and the block at `next`.
    fn is_catch(&self, word: &str, next: usize) -> bool {
        let is_open = word.ends_with("_CATCH") && self.byte(next) == Some(b'(');
        let after = self.after_group(next).filter(|_| is_open).map(|end| self.after_space(end));
        after.is_some_and(|after| self.byte(after) == Some(b'{'))
    }

    /// Returns whether the block that opens at `start` is followed by a macro for `catch`.
    fn is_caught(&self, start: usize) -> bool {
        let (mut at, mut depth) = (start, 0usize);
        while at < start + MAX_BLOCK {
            match self.byte(at) {
                Some(b'{') => depth += 1,
                Some(b'}') if depth == 1 => {
                    let begin = self.after_space(at + 1);
                    let end = self.after(begin);
                    return self.is_catch(self.between(begin, end), self.after_space(end));
                }
                Some(b'}') => depth -= 1,
                Some(_) if depth > 0 => {}
                _ => return false,
            }
            at = self.after(at);
        }
        false
    }

    fn after_space(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + (rest.len() - rest.trim_start().len())
    }
}
