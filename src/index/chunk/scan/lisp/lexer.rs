//! The reader of s-expressions: text → forms, comments.
//!
//! Forms are stored in the order in which they begin; each knows where its subtree ends, so no
//! recursion is needed to visit them. A parenthesis or a quote that is missing costs little: a text
//! that is not balanced is read again, and then a list at the first column is in no other one, and
//! a string ends before such a list.

use crate::index::chunk::ByteRange;
use crate::index::chunk::lines::offset;

/// How a dialect writes what is not a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Syntax {
    /// Whether `[…]` and `{…}` are forms; otherwise only `[…]` is, and braces are letters.
    pub(super) has_braces: bool,
    /// Whether `#|…|#` is a comment.
    pub(super) has_block_comments: bool,
    /// Whether `|…|` quotes a symbol.
    pub(super) has_bars: bool,
    /// The mark in front of a form that is left out (`#_`, `#;`); empty if there is none.
    pub(super) discard: &'static str,
    /// Whether a comma is a blank, and `^` is in front of metadata.
    pub(super) is_clojure: bool,
    /// Whether `?x` is a character.
    pub(super) has_question_marks: bool,
    /// Whether `#+x` and `#-x` are in front of a form that only some systems read.
    pub(super) has_conditions: bool,
}

/// The kind of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormKind {
    /// `(…)`, and in some dialects `[…]`.
    List,
    /// `[…]`.
    Vector,
    /// `{…}`.
    Map,
    /// A symbol or a keyword.
    Symbol,
    /// A string.
    String,
    /// A number or a character.
    Other,
}

/// A form.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    pub(super) kind: FormKind,
    /// Whether it is quoted data.
    pub(super) is_quoted: bool,
    /// Whether `#'` is in front of it.
    pub(super) is_function: bool,
    /// Whether it is metadata, left out, or a condition: not one of the values around it.
    pub(super) is_skipped: bool,
    /// Its text, with brackets or quotes and without what is in front of it.
    pub(super) bytes: ByteRange,
    /// The first byte of what is in front of it.
    pub(super) start: u32,
    /// The index of the first form that is not in it.
    pub(super) next: u32,
    /// How many lists are around it.
    pub(super) depth: u32,
}

/// A text that was read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) forms: Vec<Form>,
    pub(super) comments: Vec<ByteRange>,
    /// Whether every list and string ends, and none ends twice.
    is_balanced: bool,
}

/// Reads a text.
pub(super) fn read(text: &str, syntax: Syntax) -> Reading {
    let reading = Reader::new(text, syntax, false).read();
    if reading.is_balanced { reading } else { Reader::new(text, syntax, true).read() }
}

/// Marks in front of the next form.
#[derive(Debug, Clone, Copy, Default)]
struct Marks {
    start: Option<usize>,
    is_quoted: bool,
    is_function: bool,
    is_skipped: bool,
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    syntax: Syntax,
    /// Whether a list at the first column is in no other one.
    is_strict: bool,
    at: usize,
    open: Vec<(u32, u8)>,
    marks: Marks,
    /// Whether no block comment ends further down.
    no_comment_ends: bool,
    /// Whether a text up to a line had no such line.
    no_text_ends: bool,
    out: Reading,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, syntax: Syntax, is_strict: bool) -> Self {
        let out = Reading { is_balanced: true, ..Reading::default() };
        let bytes = text.as_bytes();
        let marks = Marks::default();
        Self {
            text,
            bytes,
            syntax,
            is_strict,
            at: 0,
            open: Vec::new(),
            marks,
            no_comment_ends: false,
            no_text_ends: false,
            out,
        }
    }

    fn read(mut self) -> Reading {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        if self.rest().starts_with("#!") || self.rest().starts_with("#lang") {
            self.comment_line();
        }
        while let Some(&byte) = self.bytes.get(self.at) {
            self.step(byte);
        }
        self.out.is_balanced &= self.open.is_empty();
        while let Some((form, _)) = self.open.pop() {
            self.close(form, self.bytes.len());
        }
        self.out
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn step(&mut self, byte: u8) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | 0 => self.at += 1,
            b',' if self.syntax.is_clojure => self.at += 1,
            b';' => self.comment_line(),
            b'"' => self.string(),
            b'(' | b'[' => self.open(byte),
            b')' | b']' => self.end(byte),
            b'{' if self.syntax.has_braces => self.open(byte),
            b'}' if self.syntax.has_braces => self.end(byte),
            b'\'' => self.mark(1, |marks| marks.is_quoted = true),
            // A template is code.
            b'`' => self.mark(1, |_| {}),
            b',' | b'~' if byte == b',' || self.syntax.is_clojure => {
                let n = if self.bytes.get(self.at + 1) == Some(&b'@') { 2 } else { 1 };
                self.mark(n, |_| {});
            }
            b'@' if self.syntax.is_clojure => self.mark(1, |_| {}),
            b'^' if self.syntax.is_clojure => self.mark(1, |marks| marks.is_skipped = true),
            b'\\' if self.syntax.is_clojure => self.character(1),
            b'?' if self.syntax.has_question_marks => self.question_mark(),
            b'#' => self.hash(),
            _ => self.symbol(),
        }
    }

    /// Notes what is in front of the next form, and `n` bytes long.
    fn mark(&mut self, n: usize, set: impl Fn(&mut Marks)) {
        self.marks.start.get_or_insert(self.at);
        set(&mut self.marks);
        self.at += n;
    }

    fn comment_line(&mut self) {
        let len = self.rest().find('\n').unwrap_or(self.rest().len());
        let line = self.rest().get(..len).unwrap_or_default().trim_end();
        self.out.comments.push(ByteRange { start: offset(self.at), end: offset(self.at + line.len()) });
        self.at += len;
    }

    /// Reads what begins with `#`.
    fn hash(&mut self) {
        let rest = self.rest();
        let second = rest.as_bytes().get(1).copied().unwrap_or_default();
        if self.syntax.has_block_comments && second == b'|' && self.block_comment() {
            return;
        }
        if !self.syntax.discard.is_empty() && rest.starts_with(self.syntax.discard) {
            return self.mark(2, |marks| marks.is_skipped = true);
        }
        match second {
            b'\'' => self.mark(2, |marks| marks.is_function = true),
            b'+' | b'-' if self.syntax.has_conditions => self.mark(2, |marks| marks.is_skipped = true),
            b'\\' if !self.syntax.is_clojure => self.character(2),
            b'^' if self.syntax.is_clojure => self.mark(2, |marks| marks.is_skipped = true),
            b'?' if self.syntax.is_clojure => self.mark(if rest.starts_with("#?@") { 3 } else { 2 }, |_| {}),
            b'<' if rest.starts_with("#<<") && self.here_string() => {}
            // A function, a set, a vector, a regular expression, or another prefix.
            b'(' | b'[' | b'{' | b'"' | b'`' | b',' => self.mark(1, |_| {}),
            _ => self.symbol(),
        }
    }

    /// Reads `#|…|#`, which may be nested. Returns `false` if it has no end.
    fn block_comment(&mut self) -> bool {
        if self.no_comment_ends {
            return false;
        }
        let mut depth = 0_usize;
        let mut at = self.at;
        loop {
            match (self.bytes.get(at), self.bytes.get(at + 1)) {
                (Some(b'#'), Some(b'|')) => (depth, at) = (depth + 1, at + 2),
                (Some(b'|'), Some(b'#')) => {
                    (depth, at) = (depth - 1, at + 2);
                    if depth == 0 {
                        break;
                    }
                }
                (Some(_), _) => at += 1,
                (None, _) => {
                    self.no_comment_ends = true;
                    return false;
                }
            }
        }
        self.out.comments.push(ByteRange { start: offset(self.at), end: offset(at) });
        self.at = at;
        true
    }

    /// Reads a text of Racket up to a line: `#<<END`. Returns `false` if that line is not there.
    fn here_string(&mut self) -> bool {
        let rest = self.rest();
        let Some(line) = rest.find('\n').filter(|_| !self.no_text_ends) else { return false };
        let (head, body) = rest.split_at_checked(line).unwrap_or((rest, ""));
        let mark = format!("\n{}\n", head.get(3..).unwrap_or_default().trim_end());
        let Some(end) = body.find(&mark).filter(|_| mark.len() > 2 && mark.len() < 64) else {
            self.no_text_ends = true;
            return false;
        };
        self.add(FormKind::String, self.at, line + end + mark.len() - 1);
        true
    }

    /// Reads a character whose mark is `n` bytes long: `\a`, `\newline`, `#\(`.
    fn character(&mut self, n: usize) {
        let rest = self.rest().get(n..).unwrap_or_default();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let name = rest.get(first..).unwrap_or_default();
        let is_named = rest.starts_with(char::is_alphanumeric);
        let more = name.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(name.len());
        self.add(FormKind::Other, self.at, n + first + if is_named { more } else { 0 });
    }

    /// Reads a character of Emacs Lisp: `?a`, `?\(`, `?\C-x`.
    fn question_mark(&mut self) {
        let rest = self.rest();
        let mut len = 1;
        // Modifiers: `\C-`, `\M-`, …
        while rest
            .get(len..)
            .is_some_and(|rest| rest.starts_with('\\') && rest.as_bytes().get(2) == Some(&b'-'))
        {
            len += 3;
        }
        let is_escaped = rest.as_bytes().get(len) == Some(&b'\\');
        len += usize::from(is_escaped);
        let letter = rest.get(len..).and_then(|rest| rest.chars().next());
        match letter {
            Some(c) if len > 1 || !c.is_whitespace() && !matches!(c, ')' | ']') => {
                len += c.len_utf8();
                if is_escaped && c.is_ascii_alphanumeric() {
                    let code = rest.get(len..).unwrap_or_default();
                    len += code.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(code.len());
                }
                self.add(FormKind::Other, self.at, len);
            }
            _ => self.symbol(),
        }
    }

    /// Reads a string. Without its end, only its line is one.
    fn string(&mut self) {
        let mut at = self.at + 1;
        let mut line_end = None;
        loop {
            match self.bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                Some(b'\n') => {
                    line_end.get_or_insert(at);
                    at += 1;
                    if self.is_strict && self.bytes.get(at) == Some(&b'(') {
                        break;
                    }
                }
                Some(_) => at += 1,
                None => {
                    self.out.is_balanced = false;
                    break;
                }
            }
        }
        let end = match (self.bytes.get(at), line_end) {
            (Some(b'"'), _) => at + 1,
            (Some(_), Some(_)) => at,
            // Every quote behind this one would read the rest of the text again, but for this.
            (_, line_end) if self.is_strict => line_end.unwrap_or(self.bytes.len()),
            _ => self.bytes.len(),
        };
        self.add(FormKind::String, self.at, end.min(self.bytes.len()) - self.at);
    }

    fn symbol(&mut self) {
        let rest = self.rest();
        let mut letters = rest.char_indices();
        let mut end = rest.len();
        let mut in_bars = false;
        while let Some((at, c)) = letters.next() {
            if in_bars {
                in_bars = c != '|';
                continue;
            }
            match c {
                '|' if self.syntax.has_bars => {
                    let line = rest.get(at + 1..).unwrap_or_default();
                    let close = line.bytes().take(256).position(|byte| matches!(byte, b'|' | b'\n'));
                    in_bars = close.is_some_and(|close| line.as_bytes().get(close) == Some(&b'|'));
                }
                '\\' if !self.syntax.is_clojure => drop(letters.next()),
                '{' | '}' if !self.syntax.has_braces => {}
                '(' | ')' | '[' | ']' | '{' | '}' | '"' | ';' => {
                    end = at;
                    break;
                }
                ',' | '`' | '\'' if !(c == '\'' && self.syntax.is_clojure) => {
                    end = at;
                    break;
                }
                '@' | '~' | '^' if self.syntax.is_clojure && at == 0 => {}
                c if c.is_whitespace() || c == '\0' => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let word = rest.get(..end).unwrap_or_default();
        let is_number = word.trim_start_matches(['-', '+', '.']).starts_with(|c: char| c.is_ascii_digit())
            || word.starts_with('#') && !word.starts_with("#:") && !word.starts_with("#%");
        self.add(if is_number { FormKind::Other } else { FormKind::Symbol }, self.at, end.max(first));
    }

    /// Adds a form without others in it.
    fn add(&mut self, kind: FormKind, start: usize, len: usize) {
        let form = self.push(kind, start);
        let mut end = (start + len).min(self.bytes.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        self.close(form, end);
        self.at = end;
    }

    fn push(&mut self, kind: FormKind, start: usize) -> u32 {
        let index = offset(self.out.forms.len());
        let marks = std::mem::take(&mut self.marks);
        self.out.forms.push(Form {
            kind,
            is_quoted: marks.is_quoted,
            is_function: marks.is_function,
            is_skipped: marks.is_skipped,
            bytes: ByteRange { start: offset(start), end: offset(start) },
            start: offset(marks.start.unwrap_or(start)),
            next: index + 1,
            depth: offset(self.open.len()),
        });
        index
    }

    fn close(&mut self, form: u32, end: usize) {
        let next = offset(self.out.forms.len());
        if let Some(form) = self.out.forms.get_mut(form as usize) {
            form.bytes.end = offset(end);
            form.next = next;
        }
    }

    fn open(&mut self, bracket: u8) {
        let is_at_column_0 = self.at == 0 || self.bytes.get(self.at - 1) == Some(&b'\n');
        if self.is_strict && is_at_column_0 && bracket == b'(' {
            let end = self.text.get(..self.at).unwrap_or_default().trim_end().len();
            while let Some((form, _)) = self.open.pop() {
                self.close(form, end);
            }
            self.marks = Marks::default();
        }
        let kind = match bracket {
            b'(' => FormKind::List,
            b'[' => FormKind::Vector,
            _ => FormKind::Map,
        };
        let form = self.push(kind, self.at);
        self.open.push((form, bracket));
        self.at += 1;
    }

    /// Ends the innermost list of a kind. One that does not fit ends nothing.
    fn end(&mut self, bracket: u8) {
        self.marks = Marks::default();
        let opening = match bracket {
            b')' => b'(',
            b']' => b'[',
            _ => b'{',
        };
        self.at += 1;
        match self.open.last() {
            Some(&(form, open)) if open == opening => {
                self.open.pop();
                self.close(form, self.at);
            }
            // A bracket inside was not closed.
            Some(_) if self.open.iter().rev().take(MAX_UNCLOSED).any(|(_, open)| *open == opening) => {
                self.out.is_balanced = false;
                while let Some((form, open)) = self.open.pop() {
                    self.close(form, self.at);
                    if open == opening {
                        break;
                    }
                }
            }
            _ => self.out.is_balanced = false,
        }
    }
}

/// Most brackets that one of another kind closes.
const MAX_UNCLOSED: usize = 8;
