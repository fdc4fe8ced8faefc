//! The text that PowerShell's parser sees: text → text of the same length.
//!
//! The grammar reads a comment behind a variable in a string (`"$a#b"`). It cannot read a bare word
//! behind a block and a comma (`@{…}, b`), a block that is the first statement of another one, or
//! an attribute of a type (`[Flags()] enum A {…}`). Each of these places would cost what is around
//! it or behind it. Here the sign becomes another one, and the comma, the braces and the attribute
//! become spaces. Offsets and lines stay, so names come from the real text.

use std::borrow::Cow;

/// Deepest nesting of code in strings in code.
const MAX_DEPTH: usize = 64;

/// What encloses a place of the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Enclosure {
    /// Code, with the number of open parentheses.
    Code(usize),
    /// A string with variables; in a here-string, quotes need no escape.
    Text { is_here: bool },
}

/// Returns the text that the parser sees.
pub(super) fn readable(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    let mut reader = Reader { bytes, at: 0, around: vec![Enclosure::Code(0)], seen: Cow::Borrowed(bytes) };
    while reader.at < bytes.len() {
        reader.next();
    }
    without_attributes(text, without_first_blocks(text, reader.seen))
}

/// Hides the attributes of classes and enumerations: those in the line of the word, and those in
/// lines of their own above it.
fn without_attributes<'t>(text: &str, mut seen: Cow<'t, [u8]>) -> Cow<'t, [u8]> {
    let (mut start, mut open) = (0, Vec::new());
    for line in text.split_inclusive('\n') {
        let mut code = line.trim_start();
        let mut at = start + line.len() - code.len();
        start += line.len();
        while let Some(end) = after_attribute(code) {
            open.push((at, at + end));
            let rest = code.get(end..).unwrap_or_default();
            at += code.len() - rest.trim_start().len();
            code = rest.trim_start();
        }
        let word = code.split_whitespace().next().unwrap_or_default();
        if word.eq_ignore_ascii_case("class") || word.eq_ignore_ascii_case("enum") {
            for &(start, end) in &open {
                seen.to_mut().get_mut(start..end).unwrap_or_default().fill(b' ');
            }
        }
        if !code.is_empty() {
            open.clear();
        }
    }
    seen
}

/// Returns the length of the attribute at the start of a line: `[Flags()]`. `None` if there is
/// none.
fn after_attribute(code: &str) -> Option<usize> {
    let inner = code.strip_prefix('[').filter(|inner| inner.starts_with(|c: char| c.is_alphabetic()))?;
    let end = inner.find(")]")? + 1;
    let name = inner.get(..inner.find('(')?)?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
    (is_name && !inner.get(..end)?.contains('[')).then_some(end + 2)
}

/// Hides the braces of a block that is the first statement of another one: `if ($a) {` and a line
/// that is `{`. Its end is a line that is `}`, with the same indentation.
fn without_first_blocks<'t>(text: &str, mut seen: Cow<'t, [u8]>) -> Cow<'t, [u8]> {
    // The open blocks, each with its indentation and the place of its brace.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut hide = |at: usize, length: usize| {
        if let Some(braces) = seen.to_mut().get_mut(at..at + length) {
            braces.fill(b' ');
        }
    };
    let mut start = 0;
    // Whether the last code opens a block.
    let mut is_first = false;
    for line in text.split_inclusive('\n') {
        let code = line.trim();
        let indent = line.len() - line.trim_start().len();
        match code {
            "{" if is_first => open.push((indent, start + indent)),
            "{}" if is_first => hide(start + indent, code.len()),
            // A block with a pipe behind it (`} | Sort-Object`) is read.
            _ if code.starts_with('}') => {
                if let Some((_, at)) = open.pop_if(|(begun, _)| *begun == indent)
                    && code == "}"
                {
                    hide(at, 1);
                    hide(start + indent, 1);
                }
            }
            _ => {}
        }
        if !code.is_empty() && !code.starts_with('#') {
            is_first = code.ends_with('{');
        }
        start += line.len();
    }
    seen
}

struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
    around: Vec<Enclosure>,
    seen: Cow<'t, [u8]>,
}

impl Reader<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or_default()
    }

    fn starts_with(&self, word: &[u8]) -> bool {
        self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word))
    }

    fn put(&mut self, at: usize, byte: u8) {
        if let Some(slot) = self.seen.to_mut().get_mut(at) {
            *slot = byte;
        }
    }

    /// Reads a sign, a comment, or a string without variables.
    fn next(&mut self) {
        match self.around.last().copied() {
            Some(Enclosure::Text { is_here }) => self.text(is_here),
            Some(Enclosure::Code(n_open)) => self.code(n_open),
            None => self.at = self.bytes.len(),
        }
    }

    /// Moves behind the next place that has these bytes, or to the end.
    fn skip_to(&mut self, end: &[u8]) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let found = rest.windows(end.len()).position(|part| part == end);
        self.at += found.map_or(rest.len(), |found| found + end.len());
    }

    fn open(&mut self, around: Enclosure) {
        if self.around.len() < MAX_DEPTH {
            self.around.push(around);
        }
    }

    fn text(&mut self, is_here: bool) {
        match self.byte(self.at) {
            b'`' => self.at += 1,
            b'#' => self.put(self.at, b'.'),
            b'$' if self.byte(self.at + 1) == b'(' => {
                self.open(Enclosure::Code(0));
                self.at += 1;
            }
            b'"' if is_here => {
                let is_end = self.byte(self.at + 1) == b'@' && self.byte(self.at.wrapping_sub(1)) == b'\n';
                if is_end {
                    self.around.pop();
                    self.at += 1;
                }
            }
            b'"' if self.byte(self.at + 1) == b'"' => self.at += 1,
            b'"' => drop(self.around.pop()),
            _ => {}
        }
        self.at += 1;
    }

    fn code(&mut self, n_open: usize) {
        let set = |reader: &mut Self, n_open| {
            if let Some(last) = reader.around.last_mut() {
                *last = Enclosure::Code(n_open);
            }
        };
        match self.byte(self.at) {
            b'`' => self.at += 1,
            b'<' if self.starts_with(b"<#") => return self.skip_to(b"#>"),
            b'#' if self.begins_word() => return self.skip_to(b"\n"),
            b'@' if self.starts_with(b"@\"") => {
                self.open(Enclosure::Text { is_here: true });
                self.at += 1;
            }
            b'@' if self.starts_with(b"@'") => return self.skip_to(b"\n'@"),
            b'"' => self.open(Enclosure::Text { is_here: false }),
            b'\'' => {
                self.at += 1;
                return self.skip_to(b"'");
            }
            b'(' => set(self, n_open + 1),
            b')' if n_open == 0 && self.around.len() > 1 => drop(self.around.pop()),
            b')' => set(self, n_open.saturating_sub(1)),
            b',' if self.separates_word() => self.put(self.at, b' '),
            _ => {}
        }
        self.at += 1;
    }

    /// Returns whether a word can begin here, not only go on.
    fn begins_word(&self) -> bool {
        let before = self.at.checked_sub(1).map_or(b'\n', |before| self.byte(before));
        before.is_ascii_whitespace() || b";,(){}|&=[]\"'".contains(&before)
    }

    /// Returns whether a comma stands between a block and a bare word: `{…}, a`. In the arguments
    /// of an attribute, a name has a value: `[A({…}, b = 1)]`.
    fn separates_word(&self) -> bool {
        let before = self.bytes.get(..self.at).unwrap_or_default();
        let behind = self.bytes.get(self.at + 1..).unwrap_or_default().trim_ascii_start();
        let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-.".contains(*byte);
        let n = behind.iter().take_while(is_word).count();
        let rest = behind.get(n..).unwrap_or_default().trim_ascii_start();
        before.trim_ascii_end().ends_with(b"}")
            && behind.first().is_some_and(u8::is_ascii_alphabetic)
            && !rest.starts_with(b"=")
    }
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn a_string_has_no_comment_and_an_argument_no_comma() {
        for (text, seen) in [
            ("\"$a#b\" # \"$a#b\"", "\"$a.b\" # \"$a#b\""),
            ("\"$($a)#b $(c \"$d#e\" (f) # g\n)#\"", "\"$($a).b $(c \"$d.e\" (f) # g\n).\""),
            ("\"`\"#$a`\"\" #\"", "\"`\".$a`\"\" #\""),
            ("\"a\"\"#\" '#\"' <# \" #> \"#\"", "\"a\"\".\" '#\"' <# \" #> \".\""),
            ("@\"\n\"#\"\n\"@ #", "@\"\n\".\"\n\"@ #"),
            ("@'\n'#\"'\n'@ \"#\"", "@'\n'#\"'\n'@ \".\""),
            ("a#\"b\"", "a#\"b\""),
            ("a @{b = 1}, c", "a @{b = 1}  c"),
            ("a {b}, @{c = 1}", "a {b}, @{c = 1}"),
            ("[A({b}, c = 1)]", "[A({b}, c = 1)]"),
            ("if (a) {\n  # b\n  {\n    c\n  }\n}\n", "if (a) {\n  # b\n   \n    c\n   \n}\n"),
            ("it {\n  {\n    c\n  } | d\n}\n", "it {\n  {\n    c\n  } | d\n}\n"),
            ("if (a)\n{\n  {}\n}\n", "if (a)\n{\n    \n}\n"),
            ("[Flags()] enum A {}\n", "          enum A {}\n"),
            ("[A()]\n[B(c = 'd')] class E {}\n", "     \n             class E {}\n"),
            ("[A()]\n[int]$b = 1\n", "[A()]\n[int]$b = 1\n"),
            ("\"", "\""),
            ("\"$(", "\"$("),
            ("`", "`"),
        ] {
            assert_eq!(String::from_utf8_lossy(&readable(text)), seen, "{text}");
        }
    }
}
