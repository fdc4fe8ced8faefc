//! Tokens of Kotlin: text → words, numbers, strings and signs, without comments.
//!
//! Strings are one token with the code in them, because the mask changes nothing there but dollars.

/// A token of the code: a word, a number, a string or one sign.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
    /// Whether it is the first one of its line.
    pub(super) is_first: bool,
    /// The sign that closes it, if it opens something: an index into the tokens.
    pub(super) close: Option<usize>,
}

/// Reads the tokens of a text.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    pub(super) tokens: Vec<Token<'t>>,
    /// What the parser sees of the dollars of strings with several of them: offset and byte.
    pub(super) dollars: Vec<(usize, u8)>,
}

impl<'t> Lexer<'t> {
    /// Reads a whole text.
    pub(super) fn read(text: &'t str) -> Self {
        let mut lexer = Self { text, at: 0, tokens: Vec::new(), dollars: Vec::new() };
        lexer.run();
        lexer
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or_default()
    }

    fn run(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        let mut is_first = true;
        while self.at < self.text.len() {
            let start = self.at;
            match self.byte(start) {
                b'\n' => {
                    is_first = true;
                    self.at += 1;
                    continue;
                }
                byte if byte.is_ascii_whitespace() => {
                    self.at += 1;
                    continue;
                }
                b'/' if matches!(self.byte(start + 1), b'/' | b'*') => {
                    self.comment();
                    continue;
                }
                b'"' => self.string(1),
                b'$' if self.byte(start + 1) == b'$' => {
                    let n = self.count(start, b'$');
                    self.at += n;
                    if self.byte(self.at) == b'"' {
                        self.dollars.extend((start..self.at).map(|at| (at, b' ')));
                        self.string(n);
                    }
                }
                b'\'' => self.skip_quoted(b'\''),
                b'`' => self.skip_quoted(b'`'),
                byte if byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii() => {
                    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
                    while is_part(self.byte(self.at)) && self.at < self.text.len() {
                        self.at += 1;
                    }
                }
                _ => self.at += 1,
            }
            let n = self.tokens.len();
            let text = self.text.get(start..self.at).unwrap_or_default();
            match text {
                "(" | "[" | "{" => open.push(n),
                ")" | "]" | "}" => {
                    if let Some(opened) = open.pop().and_then(|at| self.tokens.get_mut(at)) {
                        opened.close = Some(n);
                    }
                }
                _ => {}
            }
            self.tokens.push(Token { text, start, is_first, close: None });
            is_first = false;
        }
    }

    fn count(&self, at: usize, sign: u8) -> usize {
        self.text.bytes().skip(at).take_while(|byte| *byte == sign).count()
    }

    /// Skips a comment. Comments nest.
    fn comment(&mut self) {
        if self.byte(self.at + 1) == b'/' {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            return;
        }
        let mut depth = 0_usize;
        while self.at < self.text.len() {
            match (self.byte(self.at), self.byte(self.at + 1)) {
                (b'/', b'*') => depth += 1,
                (b'*', b'/') => depth -= 1,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips a character or a name in quotes, which ends on its line.
    fn skip_quoted(&mut self, quote: u8) {
        self.at += 1;
        while self.at < self.text.len() && self.byte(self.at) != b'\n' {
            let byte = self.byte(self.at);
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == quote {
                return;
            }
        }
    }

    /// Skips a string, in which this many dollars begin an expression.
    fn string(&mut self, n_dollars: usize) {
        let is_raw = self.text.get(self.at..).is_some_and(|rest| rest.starts_with("\"\"\""));
        self.at += if is_raw { 3 } else { 1 };
        // Open braces of expressions in the string.
        let mut depth = 0_usize;
        while self.at < self.text.len() {
            let byte = self.byte(self.at);
            match byte {
                b'\\' if !is_raw && depth == 0 => self.at += 1,
                b'"' if depth > 0 => {
                    // Strings in it are not entered deeper: they end like the first kind.
                    self.skip_quoted(b'"');
                    continue;
                }
                b'"' if is_raw => {
                    let n = self.count(self.at, b'"');
                    self.at += n;
                    if n >= 3 {
                        return;
                    }
                    continue;
                }
                b'"' => {
                    self.at += 1;
                    return;
                }
                b'\n' if !is_raw && depth == 0 => return,
                b'{' if depth > 0 => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                b'$' if depth == 0 => {
                    let n = self.count(self.at, b'$');
                    if n_dollars > 1 {
                        let hidden = if n < n_dollars { n } else { n - 1 };
                        self.dollars.extend((self.at..self.at + hidden).map(|at| (at, b'_')));
                    }
                    self.at += n;
                    if n >= n_dollars && self.byte(self.at) == b'{' {
                        depth = 1;
                        self.at += 1;
                    }
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.text.len());
    }
}
