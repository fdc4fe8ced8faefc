//! The words, strings, comments and marks of a program, for languages that have no grammar here.

use super::Page;
use crate::index::chunk::ByteRange;
use crate::index::chunk::atom::{Atom, AtomKind};
use crate::index::chunk::lines::offset;

/// What a language's tokens look like.
pub(super) struct Syntax {
    /// Prefixes of a comment that goes on to the end of the line.
    pub(super) line_comments: &'static [&'static str],
    /// Start and end of a comment of any length; empty if there is none.
    pub(super) block_comment: (&'static str, &'static str),
    /// Whether such comments nest.
    pub(super) nests: bool,
    /// Marks around a string of several lines; empty if there is none.
    pub(super) long_string: &'static str,
    /// Characters that words may have besides letters, digits and `_`.
    pub(super) letters: &'static [char],
    /// Characters that make one mark together (`|>`, `<=`).
    pub(super) operators: &'static [char],
    /// Whether `'x'` is a character, `` ``a b`` `` a name, `@"\\"` a string without escapes, and
    /// `(*)` an operator.
    pub(super) is_fsharp: bool,
}

/// The operator `*` of F#, which begins no comment.
const STAR: &str = "(*)";

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or a word of the language.
    Word,
    /// A number.
    Number,
    /// A string or a character.
    Text,
    /// Anything else.
    Mark,
}

/// A token; comments are none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'t> {
    /// Its text.
    pub(super) text: &'t str,
    pub(super) kind: TokenKind,
    /// Its first line, 0-based.
    pub(super) line: u32,
    /// The bytes in front of it in its line, if only blanks are there.
    pub(super) indent: Option<u32>,
}

impl<'t> Token<'t> {
    /// Returns its text if it is a word.
    pub(super) fn word(self) -> Option<&'t str> {
        (self.kind == TokenKind::Word).then_some(self.text)
    }

    /// Returns whether it is this mark or this word.
    pub(super) fn is(self, text: &str) -> bool {
        self.text == text && !matches!(self.kind, TokenKind::Text | TokenKind::Number)
    }
}

/// Reads the tokens of a page. Adds its comments, and an atom for each comment that stands alone;
/// the depth of these atoms is 0, for [`add_lines`] to set.
pub(super) fn tokens<'t>(page: &mut Page<'t>, syntax: &Syntax) -> Vec<Token<'t>> {
    let start = page.range(0, 0).start as usize;
    let mut lexer = Lexer { text: page.text, at: start, syntax, no_comment_ends: false };
    let mut found: Vec<Token<'t>> = Vec::new();
    let mut line = 0;
    // The end of the last token or comment.
    let mut read_until = start;
    while lexer.at < lexer.text.len() {
        let from = lexer.at;
        let rest = lexer.rest();
        if rest.starts_with(char::is_whitespace) {
            lexer.at += rest.len() - rest.trim_start().len();
            continue;
        }
        while line + 1 < page.lines.len() && page.lines.start(line + 1) as usize <= from {
            line += 1;
        }
        // Only blanks are between what was read last and here.
        let line_start = page.range(line, line).start as usize;
        let indent = (line_start >= read_until).then(|| offset(from - line_start));
        if lexer.comment() {
            read_until = lexer.at;
            add_comment(page, ByteRange { start: offset(from), end: offset(lexer.at) }, indent.is_some());
            continue;
        }
        let kind = lexer.token();
        read_until = lexer.at;
        let text = page.text.get(from..lexer.at).unwrap_or_default();
        found.push(Token { text, kind, line, indent });
    }
    found
}

fn add_comment(page: &mut Page<'_>, bytes: ByteRange, is_first: bool) {
    let length = bytes.of(page.text).trim_end().len();
    let bytes = ByteRange { end: bytes.start + offset(length), ..bytes };
    if !bytes.of(page.text).starts_with('#') {
        page.remark(bytes);
    }
    let last = page.lines.of(bytes.end.saturating_sub(1));
    let behind = page.text.get(bytes.end as usize..page.lines.end(last) as usize).unwrap_or_default();
    if is_first && behind.trim().is_empty() {
        // A directive of the compiler (`#if DEBUG`) documents nothing.
        let is_directive = bytes.of(page.text).starts_with('#');
        let kind = if is_directive { AtomKind::Other } else { AtomKind::Comment };
        page.out.atoms.push(Atom { bytes, depth: 0, kind });
    }
}

struct Lexer<'t, 's> {
    text: &'t str,
    at: usize,
    syntax: &'s Syntax,
    /// Whether no end of a comment or of a long string stands further down.
    no_comment_ends: bool,
}

impl<'t> Lexer<'t, '_> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Goes to the end of the line.
    fn end_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// Skips a comment; returns `false` if there is none.
    fn comment(&mut self) -> bool {
        let (open, close) = self.syntax.block_comment;
        let rest = self.rest();
        let is_operator = self.syntax.is_fsharp && rest.starts_with(STAR);
        if !open.is_empty() && rest.starts_with(open) && !is_operator && !self.no_comment_ends {
            match self.block_end(open, close) {
                Some(length) => self.at += length,
                // The rest of the file is code, whatever the mistake.
                None => {
                    self.no_comment_ends = true;
                    self.end_line();
                }
            }
            return true;
        }
        if self.syntax.line_comments.iter().any(|mark| rest.starts_with(mark)) {
            self.end_line();
            return true;
        }
        false
    }

    /// Returns the length of the comment that begins here.
    fn block_end(&self, open: &str, close: &str) -> Option<usize> {
        let rest = self.rest();
        let mut at = open.len();
        let mut depth = 1;
        while depth > 0 {
            let after = rest.get(at..)?;
            let end = after.find(close)?;
            let inner = after.get(..end)?;
            if self.syntax.is_fsharp && inner.ends_with('(') {
                depth += inner.matches(open).count();
                at += end + close.len();
                continue;
            }
            if self.syntax.nests {
                depth += inner.matches(open).count();
            }
            depth -= 1;
            at += end + close.len();
        }
        Some(at)
    }

    /// Reads a token; returns what it is.
    fn token(&mut self) -> TokenKind {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return TokenKind::Mark };
        let is_letter = |c: char| c.is_alphanumeric() || c == '_' || self.syntax.letters.contains(&c);
        let long = self.syntax.long_string;
        if !long.is_empty() && rest.starts_with(long) {
            let inner = rest.get(long.len()..).unwrap_or_default();
            let end = if self.no_comment_ends { None } else { inner.find(long) };
            self.no_comment_ends |= end.is_none();
            match end {
                Some(end) => self.at += end + 2 * long.len(),
                None => self.end_line(),
            }
            return TokenKind::Text;
        }
        if self.syntax.is_fsharp
            && let Some((length, kind)) = fsharp_token(rest)
        {
            self.at += length;
            return kind;
        }
        if first == '"' {
            self.string();
            return TokenKind::Text;
        }
        if is_letter(first) {
            let length = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
            self.at += length;
            return if first.is_ascii_digit() { TokenKind::Number } else { TokenKind::Word };
        }
        let is_operator = |c: char| self.syntax.operators.contains(&c);
        let length = if is_operator(first) { rest.find(|c| !is_operator(c)) } else { Some(first.len_utf8()) };
        self.at += length.unwrap_or(rest.len());
        TokenKind::Mark
    }

    /// Skips a string; one that is not closed ends with its line.
    fn string(&mut self) {
        let rest = self.rest();
        let mut is_escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '"' => {
                    self.at += at + 1;
                    return;
                }
                '\n' => {
                    self.at += at;
                    return;
                }
                _ => {}
            }
        }
        self.at = self.text.len();
    }
}

/// Returns the length and the kind of the character, of the name in backquotes or of the verbatim
/// string with which a text begins.
fn fsharp_token(rest: &str) -> Option<(usize, TokenKind)> {
    if let Some(inner) = rest.strip_prefix("``") {
        let line = inner.lines().next().unwrap_or_default();
        return Some((line.find("``")? + 4, TokenKind::Word));
    }
    if let Some(inner) = rest.strip_prefix("@\"").or_else(|| rest.strip_prefix("$@\"")) {
        // Two quotes are one in it.
        let mut quotes = inner.match_indices('"').map(|(at, _)| at).peekable();
        while let Some(at) = quotes.next() {
            if quotes.next_if_eq(&(at + 1)).is_none() {
                return Some((rest.len() - inner.len() + at + 1, TokenKind::Text));
            }
        }
        return Some((rest.find('\n').unwrap_or(rest.len()), TokenKind::Text));
    }
    let inner = rest.strip_prefix('\'')?;
    let mut chars = inner.char_indices();
    let (_, first) = chars.next()?;
    if first == '\\' {
        let escape: usize = inner.chars().take(12).take_while(|c| *c != '\n').map(char::len_utf8).sum();
        let end = inner.get(2..escape)?.find('\'')?;
        return Some((end + 4, TokenKind::Text));
    }
    chars.next().filter(|(_, c)| *c == '\'' && first != '\n')?;
    Some((first.len_utf8() + 2, TokenKind::Text))
}

/// Lets the comment directly above a line be the one that the next declaration gets.
pub(super) fn take_comment(page: &mut Page<'_>, line: u32) {
    let start = page.lines.start(line);
    let atoms = &page.out.atoms;
    let mut at = atoms.partition_point(|atom| atom.bytes.start < start);
    let mut found: Option<(u32, u32)> = None;
    while let Some(atom) = at.checked_sub(1).and_then(|above| atoms.get(above)) {
        let (first, last) =
            (page.lines.of(atom.bytes.start), page.lines.of(atom.bytes.end.saturating_sub(1)));
        if atom.kind != AtomKind::Comment || last + 1 != found.map_or(line, |(first, _)| first) {
            break;
        }
        found = Some((first, found.map_or(last, |(_, last)| last)));
        at -= 1;
    }
    page.comment = found;
}

/// Adds an atom for each line that has a token; `depths` gives the depth of the nesting of each
/// line, in order. Comments get the depth of the line below.
pub(super) fn add_lines(page: &mut Page<'_>, depths: &[(u32, u32, AtomKind)]) {
    let mut atoms: Vec<Atom> = std::mem::take(&mut page.out.atoms);
    for atom in &mut atoms {
        let below = depths.partition_point(|(line, ..)| page.lines.start(*line) < atom.bytes.start);
        atom.depth = depths.get(below).map_or(1, |(_, depth, _)| *depth);
    }
    for (line, depth, kind) in depths {
        let bytes = page.range(*line, *line);
        // A comment of several lines may end in front of the token.
        atoms.push(Atom { bytes, depth: *depth, kind: *kind });
    }
    atoms.sort_by_key(|atom| (atom.bytes.start, atom.bytes.end));
    page.out.atoms = atoms;
}
