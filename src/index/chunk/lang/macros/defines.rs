//! Definitions of macros between values: text → the directives `#define` that the grammar cannot
//! read where they are.
//!
//! In a list of values, in an enumeration and between parentheses, the grammar knows no `#define`.
//! Headers of a system define each constant behind its place in an enumeration. Here such
//! directives are found, so that they can be parsed alone. Those between items, members and
//! statements are read where they are.

use super::is_word_byte;
use crate::index::chunk::ByteRange;
use crate::index::chunk::lines::offset;

/// Most directives of one text that are parsed alone.
const MAX_DEFINES: usize = 500;

/// What encloses a place of the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Enclosure {
    /// Items, members or statements.
    Code,
    /// Values: those of an array, of a structure, or of an enumeration.
    Values,
    /// Parentheses.
    Group,
}

/// Returns the directives between values, in order.
pub(in crate::index::chunk::lang) fn between_values(text: &str) -> Vec<ByteRange> {
    if !text.contains("define") {
        return Vec::new();
    }
    let mut reader = Reader { text: text.as_bytes(), at: 0, around: Vec::new(), last: 0, is_enum: false };
    let mut found = Vec::new();
    while reader.at < reader.text.len() && found.len() < MAX_DEFINES {
        found.extend(reader.next());
    }
    found
}

/// The state of the reading.
struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    around: Vec<Enclosure>,
    /// The last byte that is neither white space nor in a comment.
    last: u8,
    /// Whether `enum` stands in front, in the same item, and is not the type of a function.
    is_enum: bool,
}

impl Reader<'_> {
    /// Reads what comes next. Returns it if it is a directive that is looked for.
    fn next(&mut self) -> Option<ByteRange> {
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or_default();
        let byte = rest.first().copied().unwrap_or_default();
        self.at += 1;
        match rest {
            [b' ' | b'\t' | b'\r' | b'\n', ..] => return None,
            [b'/', b'/', ..] => self.skip_line(),
            [b'/', b'*', ..] => self.skip_past(b"*/", 2),
            [b'#', ..] if self.begins_line(start) => return self.directive(start),
            [b'"', ..] => self.skip_quoted(b'"'),
            // A digit separator (`1'000`) begins no character.
            [b'\'', ..] if !self.last.is_ascii_digit() => self.skip_quoted(b'\''),
            [b'{', ..] => self.open(),
            [b'}', ..] => self.close(start),
            [b'(', ..] => self.around.push(Enclosure::Group),
            [b')', ..] => {
                self.around.pop_if(|one| *one == Enclosure::Group);
                self.is_enum = false;
            }
            [b';', ..] => self.is_enum = false,
            [first, ..] if is_word_byte(*first) => {
                let len = rest.iter().take_while(|byte| is_word_byte(**byte)).count();
                self.at = start + len;
                self.is_enum |= rest.get(..len) == Some(b"enum");
            }
            _ => {}
        }
        if !matches!(rest, [b'/', b'/' | b'*', ..]) {
            self.last = byte;
        }
        None
    }

    fn open(&mut self) {
        let is_value = self.around.last() == Some(&Enclosure::Values)
            || self.is_enum
            || matches!(self.last, b'=' | b']') && self.around.last() != Some(&Enclosure::Group);
        self.is_enum = false;
        self.around.push(if is_value { Enclosure::Values } else { Enclosure::Code });
    }

    /// Closes a brace. Conditional text can open more braces than it closes, so one in the first
    /// column closes all.
    fn close(&mut self, start: usize) {
        let is_first = start == 0 || self.text.get(start - 1) == Some(&b'\n');
        if is_first {
            self.around.clear();
        }
        while self.around.pop_if(|one| *one == Enclosure::Group).is_some() {}
        self.around.pop();
        self.is_enum = false;
    }

    /// Reads a directive with the lines that continue it.
    fn directive(&mut self, start: usize) -> Option<ByteRange> {
        while self.at < self.text.len() {
            let from = self.at;
            self.skip_line();
            let line = self.text.get(from..self.at).unwrap_or_default().trim_ascii_end();
            if !line.ends_with(b"\\") {
                break;
            }
        }
        let written = self.text.get(start + 1..self.at)?.trim_ascii_start();
        let is_define = written.strip_prefix(b"define").is_some_and(|rest| rest.starts_with(b" "));
        let is_inside = matches!(self.around.last(), Some(Enclosure::Values | Enclosure::Group));
        (is_define && is_inside).then(|| ByteRange { start: offset(start), end: offset(self.at) })
    }

    fn begins_line(&self, at: usize) -> bool {
        let before = self.text.get(..at).unwrap_or_default();
        before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t')).is_none_or(|byte| *byte == b'\n')
    }

    /// Goes to the next line.
    fn skip_line(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1);
    }

    /// Goes behind a mark; `from` bytes of what is read are not part of it.
    fn skip_past(&mut self, mark: &[u8], from: usize) {
        let start = self.at + from - 1;
        let rest = self.text.get(start..).unwrap_or_default();
        let end = rest.windows(mark.len()).position(|one| one == mark);
        self.at = end.map_or(self.text.len(), |end| start + end + mark.len());
    }

    /// Goes behind a literal, which ends in its line.
    fn skip_quoted(&mut self, quote: u8) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => return,
                b'\\' => self.at += 1,
                _ if byte == quote => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::between_values;

    #[test]
    fn directives_between_values_are_found() {
        for (text, expected) in [
            ("int a[] = {\n 1,\n#define B 2\n B };\n", &["#define B 2\n"][..]),
            ("enum c {\n A,\n# define A A\n};\n", &["# define A A\n"]),
            ("enum { A,\n#define F(x) \\\n  (x)\n};\n", &["#define F(x) \\\n  (x)\n"]),
            ("struct s t = { .a = {\n#define X 1\n X } };\n", &["#define X 1\n"]),
            ("f(a,\n#define Y 1\n Y);\n", &["#define Y 1\n"]),
            // These are read where they are.
            ("#define Z 1\nint f(void) {\n#define Z2 2\n}\n", &[]),
            ("struct s {\n int a;\n#define S 1\n};\n", &[]),
            ("enum e f(void) {\n return 1;\n}\n#define G 1\n", &[]),
            ("int a = '{';\n#define H 1\n/* = {\n#define I 1\n*/\n", &[]),
            ("int a[] = {\n\"#define J\",\n#undef K\n#if defined(L)\n};\n", &[]),
        ] {
            let found: Vec<&str> = between_values(text).iter().map(|one| one.of(text)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
