//! Conditional text inside of a declaration or a statement, and macros for `try` and `catch`.
//!
//! The grammar reads `#if` between declarations and statements, but not in the middle of one. There
//! the first branch is kept and the others are blanked, with all directives. The same holds for
//! branches that open or close more blocks than they end (`#ifdef A`, `if (a) {`, `#else`,
//! `if (b) {`, `#endif`).

use super::words::CONVENTIONS;
use super::{Brace, Scan, is_word_byte};

/// Longest conditional text in bytes that is looked at.
const MAX_CONDITIONAL: usize = 1 << 13;

/// Longest block in bytes behind a macro for `try`.
const MAX_BLOCK: usize = 1 << 14;

/// Conditional text, of which one branch is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Conditional {
    start: usize,
    /// The branch that is kept; empty if it is none.
    kept: (usize, usize),
    /// The end of the last directive.
    end: usize,
}

/// What stands in one branch of conditional text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Branch {
    start: usize,
    end: usize,
    /// Braces that it opens, less those that it closes.
    braces: isize,
    /// The same for parentheses.
    parentheses: isize,
    /// Whether a block ends that it doesn't begin.
    closes: bool,
    /// The first and the last token, without comments.
    first: (usize, usize),
    last: (usize, usize),
}

impl Scan<'_> {
    /// Passes a directive. If it begins conditional text that the grammar could not read where it
    /// stands, the text goes on with one branch.
    pub(super) fn directive(&mut self, start: usize) {
        if let Some(open) = self.chosen.pop_if(|open| open.kept.1 == start) {
            self.at = open.end;
            return;
        }
        self.at = self.after_directive(start);
        self.blank_comments(start);
        // The grammar reads conditional values of an enumeration.
        let is_code = self.is_code() && self.braces.last() != Some(&Brace::Values);
        if self.is_code() && !is_code {
            return;
        }
        let found = self.branches(start, self.text.len()).filter(|(branches, end)| {
            if is_code {
                self.breaks_statement(start, branches, *end)
            } else if self.tokens.is_empty() {
                breaks_item(branches)
            } else {
                branches.first().is_some_and(|one| !self.has_end(one.start, one.end)) || breaks_item(branches)
            }
        });
        match found {
            Some((branches, end)) => {
                let chosen = self.choose(start, &branches, end);
                self.at = chosen.kept.0;
                self.chosen.push(chosen);
            }
            None if !is_code && !self.tokens.is_empty() => self.blank_stray(),
            None => {}
        }
    }

    /// Chooses one branch of all conditional text between two places, such as parentheses.
    pub(super) fn choose_within(&mut self, start: usize, end: usize) {
        if !self.between(start, end).contains('#') {
            return;
        }
        let (mut at, mut open): (usize, Vec<Conditional>) = (start, Vec::new());
        while at < end {
            if let Some(passed) = open.pop_if(|one| one.kept.1 == at) {
                at = passed.end;
                continue;
            }
            let found = match self.byte(at) {
                Some(b'#') if self.begins_line(at) => self.branches(at, end),
                _ => None,
            };
            match found {
                Some((branches, end)) => {
                    let chosen = self.choose(at, &branches, end);
                    at = chosen.kept.0;
                    open.push(chosen);
                }
                None => at = self.after(at),
            }
        }
    }

    /// Blanks all of conditional text but its first branch, or the second one behind `#if 0`.
    fn choose(&mut self, start: usize, branches: &[Branch], end: usize) -> Conditional {
        let condition = self.between(start, branches.first().map_or(end, |one| one.start));
        let is_off = condition.trim_start_matches(['#', ' ', '\t']).trim_start_matches("if").trim() == "0";
        let kept = branches.get(usize::from(is_off)).map_or((end, end), |one| (one.start, one.end));
        self.blank(start, kept.0);
        self.blank(kept.1, end);
        Conditional { start, kept, end }
    }

    /// Returns the branches of the conditional text that begins at `start`, and its end. `None` if
    /// there is none before `limit`.
    fn branches(&self, start: usize, limit: usize) -> Option<(Vec<Branch>, usize)> {
        if !self.word_of_directive(start).starts_with("if") {
            return None;
        }
        let limit = limit.min(start + MAX_CONDITIONAL);
        let mut at = self.after_directive(start);
        let (mut branches, mut current, mut depth) = (Vec::new(), Branch::new(at), 0usize);
        while at < limit {
            if self.byte(at) != Some(b'#') || !self.begins_line(at) {
                let end = self.after(at);
                current.add(self.between(at, end), at, end);
                at = end;
                continue;
            }
            let end = self.after_directive(at);
            match self.word_of_directive(at) {
                "else" | "elif" | "elifdef" | "elifndef" if depth == 0 => {
                    branches.push(Branch { end: at, ..current });
                    current = Branch::new(end);
                }
                "endif" if depth == 0 => {
                    branches.push(Branch { end: at, ..current });
                    return Some((branches, end));
                }
                "endif" => depth -= 1,
                word if word.starts_with("if") => depth += 1,
                _ => {}
            }
            at = end;
        }
        None
    }

    /// Returns whether conditional text in a function stands in the middle of a statement, or has
    /// branches that open or close blocks.
    fn breaks_statement(&self, start: usize, branches: &[Branch], end: usize) -> bool {
        let starts_with_else = |one: &Branch| self.between(one.first.0, one.first.1) == "else";
        let is_open = |one: &Branch| {
            let last = self.between(one.last.0, one.last.1);
            !one.is_empty() && !matches!(last, ";" | "}" | "{" | ":")
        };
        if branches.iter().any(|one| one.is_unbalanced() || starts_with_else(one)) {
            return true;
        }
        if branches.iter().all(Branch::is_empty) {
            return false;
        }
        let next = self.after_space(end);
        let is_before_else = self.between(next, self.after(next)) == "else";
        is_before_else || self.is_in_statement(start) || branches.iter().any(is_open)
    }

    /// Returns whether the text in front of a place leaves a statement unfinished.
    fn is_in_statement(&self, start: usize) -> bool {
        let before = self.text.get(..start).unwrap_or_default().trim_end();
        // A comment or a directive may stand in front, too.
        let line = before.rsplit('\n').next().unwrap_or(before);
        let is_text =
            !line.trim_start().starts_with(['#', '/', '*']) && !line.contains("//") && !line.contains("*/");
        is_text && before.ends_with(['(', ',', '=', '&', '|', '+', '?'])
    }

    /// Blanks the comments in the directive at `start` that the scan has just passed: the grammar
    /// ends a macro at a comment.
    fn blank_comments(&mut self, start: usize) {
        let end = self.at;
        if self.word_of_directive(start) != "define"
            || self.ends_empty(start, end)
            || !self.between(start, end).contains("/*")
        {
            return;
        }
        let mut at = start + 1;
        while at < end {
            let after = self.after(at);
            let comment = self.between(at, after);
            if comment.starts_with("/*") && comment.ends_with("*/") {
                let mut line_start = at;
                // Where a line goes on without a backslash, the comment alone continues the macro.
                let n_lines = comment.lines().count();
                let is_continued = comment.lines().take(n_lines - 1).all(|line| line.ends_with('\\'));
                for (n, line) in comment.split_inclusive('\n').enumerate().filter(|_| is_continued) {
                    let written = line.trim_end_matches(['\r', '\n']).len() - usize::from(n + 1 < n_lines);
                    self.blank(line_start, line_start + written);
                    line_start += line.len();
                }
            }
            at = after;
        }
    }

    /// Returns whether a macro has no value but a comment. The grammar would take white space
    /// behind it, and then the next lines, for its value, so a comment begins there.
    fn ends_empty(&mut self, start: usize, end: usize) -> bool {
        let space = |at: usize| {
            let rest = self.between(at, end);
            at + rest.len() - rest.trim_start_matches([' ', '\t']).len()
        };
        let hash = space(start + 1);
        let mut at = self.after(space(self.after(hash)));
        if self.byte(at) == Some(b'(') {
            at = self.after_group(at).unwrap_or(end);
        }
        let mut trailing = at;
        while at < end {
            let after = self.after(at).min(end);
            let part = self.between(at, after);
            match self.byte(at) {
                Some(b'/') if part.starts_with("//") => return true,
                Some(b'/') if part.len() > 1 => trailing = after,
                Some(byte) if byte.is_ascii_whitespace() => {}
                _ => return false,
            }
            at = after;
        }
        match end.saturating_sub(trailing) {
            0 => {}
            1 => self.put(trailing, b"\r"),
            _ => self.put(trailing, b"//"),
        }
        true
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

    /// Blanks a word that says how a function is called, and turns macros for `try` and `catch`
    /// into these words (`JSON_TRY {`, `JSON_CATCH (…) {`). `start` is where a word begins, and it
    /// ends where the scan is.
    pub(super) fn guard(&mut self, start: usize) {
        let end = self.at;
        // Most bytes of code are neither a word, nor a comma, nor a label.
        if !self.byte(start).is_some_and(|byte| is_word_byte(byte) || byte == b',')
            && self.byte(end) != Some(b':')
        {
            return;
        }
        let word = self.between(start, end);
        if CONVENTIONS.contains(&word) {
            self.blank(start, end);
            return;
        }
        if !word.ends_with("_TRY") && !word.ends_with("_CATCH") {
            if word == "," {
                self.read_operator(start);
            }
            self.end_statement(start, end);
            self.read_statement(start, end);
            self.name_section(start, end);
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

    pub(super) fn after_space(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + (rest.len() - rest.trim_start().len())
    }
}

impl Branch {
    fn new(start: usize) -> Self {
        Self {
            start,
            end: start,
            braces: 0,
            parentheses: 0,
            closes: false,
            first: (start, start),
            last: (start, start),
        }
    }

    /// Adds a token.
    fn add(&mut self, token: &str, start: usize, end: usize) {
        if token.trim().is_empty() || token.starts_with("//") || token.starts_with("/*") {
            return;
        }
        match token {
            "{" => self.braces += 1,
            "}" => self.braces -= 1,
            "(" => self.parentheses += 1,
            ")" => self.parentheses -= 1,
            _ => {}
        }
        self.closes |= self.braces < 0 || self.parentheses < 0;
        if self.is_empty() {
            self.first = (start, end);
        }
        self.last = (start, end);
    }

    /// Returns whether no token stands in it.
    fn is_empty(&self) -> bool {
        self.first.0 == self.first.1
    }

    /// Returns whether it opens or closes blocks or parentheses beyond itself.
    fn is_unbalanced(&self) -> bool {
        self.closes || self.braces != 0 || self.parentheses != 0
    }
}

/// Returns whether each of several branches opens the same block, such as two heads of one
/// function.
fn breaks_item(branches: &[Branch]) -> bool {
    let first = branches.first().map_or(0, |one| one.braces);
    branches.len() > 1 && first > 0 && branches.iter().all(|one| one.braces == first && !one.closes)
}
