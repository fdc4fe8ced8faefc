//! Macros of C and C++ that the parser would take for something else: text → text of the same
//! length, which only the parser sees.
//!
//! A grammar does not know macros. It takes `SYSCALL_DEFINE3(read, …) {` for a call and a block,
//! and `void printflike(1, 0) log(…) {` for a function called `printflike`. Then names are wrong,
//! and what follows is read wrongly, too. Here such text is blanked or put into a form that the
//! grammar reads rightly. Offsets and lines stay, so names come from the real text.
//!
//! Items outside of functions are looked at, token by token. An item that has no such macro stays
//! as it is. Inside of functions, only `#if`, macros for `try` and `catch`, and those in statements
//! are looked at. `leading` owns the macros in front of an item. `declarator` owns those around its
//! name, and statements that a macro ends. `statements` owns the others in functions. `annotations`
//! owns those behind a name or a star. `blocks` owns macros that begin a block, and `members` those
//! that are a whole item. `type_heads` owns those around the name and the block of a type, and
//! `conditional` owns `#if` inside of an item. `defines` finds the
//! directives that are parsed alone.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;

use crate::index::chunk::lines;
pub(super) use blocks::{FIXTURE, is_suite, is_test};
pub(super) use defines::between_values;

use bstr::ByteSlice;
use conditional::Conditional;
use words::{ATTRIBUTES, BOUNDS, CONVENTIONS, TYPES, WORDS};

mod annotations;
mod blocks;
mod conditional;
mod declarator;
mod defines;
mod leading;
mod members;
mod statements;
#[cfg(test)]
mod tests;
mod type_heads;
mod words;

/// Most tokens of an item that are looked at; a longer one is data.
const MAX_TOKENS: usize = 64;

/// Longest parentheses in bytes that are skipped as one token.
const MAX_GROUP: usize = 1 << 14;

/// The meaning of an open brace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brace {
    /// It contains items: a namespace, or `extern "C"`.
    Items,
    /// It contains members of a type, which has this name.
    Members(Option<Token>),
    /// It contains the values of an enumeration.
    Values,
    /// It contains code or data.
    Code,
}

impl Brace {
    fn is_code(self) -> bool {
        matches!(self, Self::Values | Self::Code)
    }
}

/// A token of an item outside of functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Token {
    kind: TokenKind,
    start: usize,
    end: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenKind {
    Word,
    /// Parentheses with everything inside.
    Group,
    Other,
}

/// Returns the text that the parser sees.
pub(super) fn without(text: &str) -> Cow<'_, [u8]> {
    let mut scan = Scan {
        text,
        at: 0,
        tokens: Vec::new(),
        braces: Vec::new(),
        chosen: Vec::new(),
        defined: OnceCell::new(),
        is_behind_type: false,
        seen: None,
    };
    scan.run();
    match scan.seen {
        Some(seen) => Cow::Owned(seen),
        None => Cow::Borrowed(text.as_bytes()),
    }
}

/// Returns the same for a text in which these ranges are blank: what the grammar cannot read.
pub(super) fn without_ranges(text: &str, ranges: impl Iterator<Item = (usize, usize)>) -> Cow<'_, [u8]> {
    let mut seen = Cow::Borrowed(text.as_bytes());
    for (start, end) in ranges {
        lines::blank(seen.to_mut().get_mut(start..end).unwrap_or_default());
    }
    match seen {
        Cow::Borrowed(_) => without(text),
        Cow::Owned(seen) => Cow::Owned(without(&String::from_utf8_lossy(&seen)).into_owned()),
    }
}

/// The state of the scan.
struct Scan<'t> {
    text: &'t str,
    at: usize,
    /// The tokens of the current item.
    tokens: Vec<Token>,
    braces: Vec<Brace>,
    /// Conditional text of which one branch is being read, the innermost last.
    chosen: Vec<Conditional>,
    /// The macros with parameters that the text defines.
    defined: OnceCell<HashSet<&'t str>>,
    /// Whether the block of a type has just ended.
    is_behind_type: bool,
    /// The changed text, once anything has changed.
    seen: Option<Vec<u8>>,
}

impl<'t> Scan<'t> {
    fn run(&mut self) {
        while let Some(byte) = self.byte(self.at) {
            let start = self.at;
            self.at = self.after(start);
            match byte {
                b'#' if self.begins_line(start) => self.directive(start),
                b'{' => self.open(),
                b'}' => self.close(start),
                _ if self.is_code() => self.guard(start),
                _ if byte.is_ascii_whitespace() => {}
                b'/' if self.at > start + 1 => {}
                b';' => self.item(false),
                b':' if self.label(start) => self.tokens.clear(),
                _ => self.push(byte, start),
            }
        }
        self.blank_stray();
    }

    /// Returns whether the scan is in code or data, not between items.
    fn is_code(&self) -> bool {
        self.braces.iter().any(|brace| brace.is_code())
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Returns the text between two offsets; empty if they are not between characters.
    fn between(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn of(&self, token: Token) -> &'t str {
        self.between(token.start, token.end)
    }

    /// Returns the end of what begins at `at`: a comment, a literal, a word, or a single byte.
    fn after(&self, at: usize) -> usize {
        let Some(rest) = self.text.as_bytes().get(at..) else { return at + 1 };
        let found = |needle: &[u8], from: usize| {
            let behind = rest.get(from..).and_then(|behind| behind.find(needle));
            behind.map_or(self.text.len(), |found| at + from + found + needle.len())
        };
        match rest {
            [b'/', b'/', ..] => found(b"\n", 0),
            [b'/', b'*', ..] => found(b"*/", 2),
            [b'R', b'"', delimiter @ ..] => {
                let Some(open) = delimiter.iter().take(17).position(|&byte| byte == b'(') else {
                    return at + 1;
                };
                let mut close = vec![b')'];
                close.extend_from_slice(delimiter.get(..open).unwrap_or_default());
                close.push(b'"');
                found(&close, open + 3)
            }
            [quote @ (b'"' | b'\''), ..] => {
                let mut end = at + 1;
                while let Some(byte) = self.byte(end) {
                    match byte {
                        b'\\' => end += 1,
                        b'\n' => return at + 1,
                        _ if byte == *quote => return end + 1,
                        _ => {}
                    }
                    end += 1;
                }
                at + 1
            }
            [first, ..] if is_word_byte(*first) => {
                // A digit separator (`1'000`) is part of its number.
                let is_number = first.is_ascii_digit();
                let is_part = |&byte: &u8| is_word_byte(byte) || is_number && byte == b'\'';
                at + rest.iter().take_while(|byte| is_part(byte)).count()
            }
            _ => at + 1,
        }
    }

    /// Returns whether only white space precedes `at` in its line.
    fn begins_line(&self, at: usize) -> bool {
        let before = self.text.as_bytes().get(..at).unwrap_or_default();
        before.iter().rev().take_while(|&&byte| byte != b'\n').all(u8::is_ascii_whitespace)
    }

    /// Returns the end of a preprocessor directive with its continuations.
    fn after_directive(&self, at: usize) -> usize {
        let mut end = at;
        while let Some(byte) = self.byte(end) {
            end += match (byte, self.byte(end + 1)) {
                (b'\\', Some(b'\r')) => 3,
                (b'\\', Some(_)) => 2,
                (b'/', Some(b'*')) | (b'"', _) => self.after(end) - end,
                (b'\n', _) => break,
                _ => 1,
            };
        }
        end
    }

    /// Adds a token to the current item. Parentheses are one token.
    fn push(&mut self, byte: u8, start: usize) {
        if self.tokens.len() > MAX_TOKENS {
            return;
        }
        let mut kind = if is_word_byte(byte) { TokenKind::Word } else { TokenKind::Other };
        if byte == b'(' {
            let Some(end) = self.after_group(start) else { return };
            self.at = end;
            // The grammar knows these.
            let is_known = |last: &Token| {
                matches!(
                    self.of(*last),
                    "__attribute__" | "__attribute" | "__declspec" | "alignas" | "_Alignas"
                )
            };
            if self.tokens.last().is_some_and(is_known) {
                self.tokens.pop();
                return;
            }
            kind = TokenKind::Group;
            self.choose_within(start, end);
        }
        self.tokens.push(Token { kind, start, end: self.at });
    }

    /// Returns the end of the parentheses that open at `at`. `None` if none open there, or nothing
    /// closes them.
    fn after_group(&self, at: usize) -> Option<usize> {
        let (mut depth, mut end) = (0usize, at);
        self.byte(at).filter(|&byte| byte == b'(')?;
        while end - at < MAX_GROUP {
            match self.byte(end)? {
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(end + 1),
                b')' => depth = depth.checked_sub(1)?,
                b'#' if self.begins_line(end) => {
                    end = self.after_directive(end);
                    continue;
                }
                _ => {}
            }
            end = self.after(end);
        }
        None
    }

    /// Whether the tokens before a colon are an access specifier. Blanks macros in front of it
    /// (`Q_OBJECT public:`), a second word (`public slots:`), and a macro in its place.
    fn label(&mut self, colon: usize) -> bool {
        let is_access = |one: &Token| matches!(self.of(*one), "public" | "private" | "protected");
        let Some(at) = self.tokens.iter().rposition(is_access) else { return self.macro_label(colon) };
        let (before, after) = (self.tokens.get(..at), self.tokens.get(at + 1..));
        let (before, after) = (before.unwrap_or_default().to_vec(), after.unwrap_or_default().to_vec());
        let is_macro = |one: &Token| one.kind == TokenKind::Group || self.is_macro(*one);
        let is_second = after.iter().all(|one| one.kind == TokenKind::Word);
        if !before.iter().all(is_macro) || after.len() > 1 || !is_second {
            return false;
        }
        for token in before.into_iter().chain(after) {
            self.blank(token.start, token.end);
        }
        true
    }

    /// Whether a macro alone stands in the place of an access specifier; blanks it.
    fn macro_label(&mut self, colon: usize) -> bool {
        let &[word] = self.tokens.as_slice() else { return false };
        let is_label = self.is_macro(word) || self.of(word) == "signals";
        let behind = self.text.get(colon + 1..).unwrap_or_default();
        let line = behind.lines().next().unwrap_or_default().trim_start();
        // `UINT : 3;` is a field without a name.
        let ends = line.is_empty() || line.starts_with("//") || line.starts_with("/*");
        if !is_label || !ends || !matches!(self.braces.last(), Some(Brace::Members(_))) {
            return false;
        }
        self.blank(word.start, colon + 1);
        true
    }

    fn open(&mut self) {
        self.is_behind_type = false;
        if self.is_code() {
            self.braces.push(Brace::Code);
            return;
        }
        if self.name_suite() {
            self.tokens.clear();
            self.braces.push(Brace::Items);
            return;
        }
        self.blank_before_enum();
        let class = self.class_name(&self.tokens);
        if let Some(name) = class {
            self.blank_before_type(name);
        }
        let has = |word: &str| self.tokens.iter().any(|one| self.of(*one) == word);
        let has_group = self.tokens.iter().any(|one| one.kind == TokenKind::Group);
        let brace = if class.is_some() {
            Brace::Members(class)
        } else if has_group || has("=") {
            Brace::Code
        } else if has("enum") {
            Brace::Values
        } else if has("namespace") || has("extern") {
            Brace::Items
        } else if has("class") || has("struct") || has("union") {
            Brace::Members(None)
        } else {
            Brace::Code
        };
        self.item(true);
        self.braces.push(brace);
    }

    fn close(&mut self, start: usize) {
        self.blank_stray();
        let is_line_start = start == 0 || self.byte(start - 1) == Some(b'\n');
        self.is_behind_type = matches!(self.braces.last(), Some(Brace::Members(_) | Brace::Values));
        match self.braces.iter().position(|brace| brace.is_code()) {
            // Conditional code can open more braces than it closes.
            Some(first) if is_line_start => self.braces.truncate(first),
            _ => drop(self.braces.pop()),
        }
        self.tokens.clear();
    }

    /// Handles the tokens of an item, which ends with a block or a semicolon.
    fn item(&mut self, has_block: bool) {
        let is_behind_type = std::mem::take(&mut self.is_behind_type);
        if self.tokens.len() <= MAX_TOKENS && !self.tokens.is_empty() {
            let mut tokens = std::mem::take(&mut self.tokens);
            if is_behind_type {
                self.blank_behind_type(&mut tokens);
            }
            self.blank_conventions(&mut tokens);
            self.replace_widths(&mut tokens);
            self.blank_leading(&mut tokens);
            self.blank_unnamed(&tokens);
            let is_done = self.blank_prototype(&tokens) || {
                self.blank_annotations(&mut tokens);
                let is_around = self.blank_around(&tokens) || self.blank_around_name(&tokens);
                is_around || if has_block { self.name_block(&tokens) } else { self.read_call(&tokens) }
            };
            if !is_done {
                self.blank_between(&tokens, has_block);
            }
            self.blank_attributes(&tokens);
        }
        self.tokens.clear();
    }

    /// Blanks words that say how a function is called: between other words, and in front of the
    /// star of a pointer to a function (`BOOL (WINAPI *f)(HANDLE)`). The bounds of a kernel in CUDA
    /// have arguments (`__launch_bounds__(256)`).
    fn blank_conventions(&mut self, tokens: &mut Vec<Token>) {
        let mut has_bounds = false;
        tokens.retain(|token| {
            let is_argument = has_bounds && token.kind == TokenKind::Group;
            has_bounds = BOUNDS.contains(&self.of(*token));
            let is_convention = is_argument || has_bounds || CONVENTIONS.contains(&self.of(*token));
            if is_convention {
                self.blank(token.start, token.end);
            }
            !is_convention
        });
        for window in tokens.windows(2) {
            let &[group, behind] = window else { continue };
            if group.kind != TokenKind::Group || behind.kind != TokenKind::Group {
                continue;
            }
            let start = self.after_space(group.start + 1);
            let end = self.after(start);
            let word = Token { kind: TokenKind::Word, start, end };
            let is_word = self.is_macro(word) || CONVENTIONS.contains(&self.of(word));
            if is_word && self.byte(self.after_space(end)) == Some(b'*') {
                self.blank(start, end);
            }
        }
    }

    /// Blanks macros with arguments beside the name of a function (`printflike(1, 2) log(…)`),
    /// words behind its parameters, and words between `class` and a name.
    fn blank_between(&mut self, tokens: &[Token], has_block: bool) {
        if let Some((start, end)) = self.macros_before_name(tokens) {
            self.blank(start, end);
        }
        let first_group = tokens.iter().position(|one| one.kind == TokenKind::Group);
        for (at, window) in tokens.windows(4).enumerate() {
            let &[a, a_group, b, b_group] = window else { continue };
            let is_call = |word: Token, group: Token| {
                word.kind == TokenKind::Word
                    && group.kind == TokenKind::Group
                    && !WORDS.contains(&self.of(word))
            };
            if !is_call(a, a_group) || !is_call(b, b_group) {
                continue;
            }
            let (is_first, is_second) = (self.is_numbers(a_group), self.is_numbers(b_group));
            if is_first && !is_second && at > 0 {
                self.blank(a.start, a_group.end);
            } else if is_second && !is_first {
                self.blank(b.start, b_group.end);
            }
        }
        let behind = first_group.and_then(|at| tokens.get(at + 1..)).unwrap_or_default();
        let is_qualifier =
            |word: &str| matches!(word, "const" | "volatile" | "override" | "final" | "noexcept");
        let mut behind = behind.iter().peekable();
        // `int (*f)(void) ATTR`
        if first_group.and_then(|at| tokens.get(at)).is_some_and(|first| self.is_pointer(*first)) {
            behind.next_if(|next| next.kind == TokenKind::Group);
        }
        while let Some(&word) = behind.next().filter(|one| one.kind == TokenKind::Word) {
            let group = behind.next_if(|next| next.kind == TokenKind::Group).copied();
            let is_attribute = self.is_macro(word) || self.of(word).starts_with("__");
            if is_attribute && !WORDS.contains(&self.of(word)) {
                self.blank(word.start, group.map_or(word.end, |group| group.end));
            } else if !is_qualifier(self.of(word)) {
                break;
            }
        }
        for window in tokens.windows(3) {
            let &[kind, word, name] = window else { continue };
            let is_type = match self.of(kind) {
                "class" => true,
                "struct" | "union" => {
                    has_block && first_group.is_none() && !tokens.iter().any(|one| self.of(*one) == "=")
                }
                _ => false,
            };
            if is_type && self.is_macro(word) && name.kind == TokenKind::Word && self.of(name) != "final" {
                self.blank(word.start, word.end);
            }
        }
    }

    /// Blanks known attributes, among parameters too.
    fn blank_attributes(&mut self, tokens: &[Token]) {
        for &token in tokens {
            match token.kind {
                TokenKind::Word if ATTRIBUTES.contains(&self.of(token)) => self.blank(token.start, token.end),
                TokenKind::Group if self.of(token).contains("__") => {
                    let mut at = token.start;
                    while at < token.end {
                        let end = self.after(at);
                        if ATTRIBUTES.contains(&self.between(at, end)) {
                            self.blank(at, end);
                        }
                        at = end;
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns whether a token is written like a macro.
    fn is_macro(&self, token: Token) -> bool {
        let word = self.of(token);
        token.kind == TokenKind::Word
            && word.len() > 2
            && word.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
            && word.bytes().any(|byte| byte.is_ascii_uppercase())
            && !word.bytes().any(|byte| byte.is_ascii_lowercase())
    }

    /// Returns whether parentheses hold the name of a pointer to a function: `(*f)`.
    fn is_pointer(&self, group: Token) -> bool {
        self.byte(self.after_space(group.start + 1)) == Some(b'*')
    }

    /// Returns whether parentheses hold nothing but one name.
    fn is_name(&self, group: Token) -> bool {
        is_plain(self.between(group.start + 1, group.end - 1).trim())
    }

    /// Returns whether parentheses hold the arguments of an attribute: names and numbers, and at
    /// least one number.
    fn is_numbers(&self, group: Token) -> bool {
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> =
            self.parts(group).iter().map(|&(start, end)| self.between(start, end)).collect();
        parts.iter().any(|part| is_number(part)) && parts.iter().all(|part| is_number(part) || is_plain(part))
    }

    /// Returns the ranges of what stands between the commas in parentheses.
    fn parts(&self, group: Token) -> Vec<(usize, usize)> {
        let end = group.end - 1;
        let (mut parts, mut begin, mut depth, mut at) =
            (Vec::new(), group.start + 1, 0usize, group.start + 1);
        let trimmed = |start: usize, end: usize| {
            let part = self.between(start, end);
            let start = start + part.len() - part.trim_start().len();
            (start, start + part.trim().len())
        };
        while at < end {
            match self.byte(at) {
                Some(b'(' | b'[' | b'{') => depth += 1,
                Some(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                Some(b',') if depth == 0 => {
                    parts.push(trimmed(begin, at));
                    begin = at + 1;
                }
                _ => {}
            }
            at = self.after(at);
        }
        parts.push(trimmed(begin, end));
        parts
    }

    /// Puts spaces in place of some text, except line breaks.
    fn blank(&mut self, start: usize, end: usize) {
        let seen = self.seen.get_or_insert_with(|| self.text.as_bytes().to_vec());
        lines::blank(seen.get_mut(start..end).unwrap_or_default());
    }

    fn put(&mut self, at: usize, new: &[u8]) {
        let seen = self.seen.get_or_insert_with(|| self.text.as_bytes().to_vec());
        if let Some(old) = seen.get_mut(at..at + new.len()) {
            old.copy_from_slice(new);
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Returns whether a text is a name that something can be called.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(is_word_byte)
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && !TYPES.contains(&text)
}
