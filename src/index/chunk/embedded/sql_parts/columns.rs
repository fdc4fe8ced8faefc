//! The columns of a table whose statement the grammar cannot read: text → columns.
//!
//! Databases differ most in what they allow behind a column's type. One such word would cost the
//! columns behind it, and the grammar would take others for names. So the list is split at its
//! commas, and the first word of each part is the column. The time is linear in the text.

use super::name;
use crate::index::chunk::lines::{Lines, offset};
use crate::index::chunk::{ByteRange, Declaration, DeclarationKind};

/// Words that begin a part of the list that is not a column.
const CONSTRAINTS: &[&str] = &[
    "CHECK",
    "CONSTRAINT",
    "EXCLUDE",
    "FOREIGN",
    "FULLTEXT",
    "INDEX",
    "INHERITS",
    "KEY",
    "LIKE",
    "PERIOD",
    "PRIMARY",
    "PROJECTION",
    "SPATIAL",
    "SUPPLEMENTAL",
    "UNIQUE",
    "WATERMARK",
];

/// Words that begin a method of a type with attributes.
const METHODS: &[&str] = &["CONSTRUCTOR", "MAP", "MEMBER", "ORDER", "OVERRIDING", "STATIC"];

/// Words behind which a list in parentheses has columns, besides the name of the table.
const BEFORE: &[&str] = &["AS", "OBJECT", "TABLE", "UNDER"];

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column<'t> {
    name: &'t str,
    name_at: u32,
    bytes: ByteRange,
}

/// Returns the columns of a table, and the range of their list. `at` is where the table's name
/// ends, and `end` where its statement does.
pub(super) fn columns(text: &str, at: u32, end: u32) -> Option<(Vec<Column<'_>>, ByteRange)> {
    let start = opening(text, at as usize, end as usize)? + 1;
    let mut reader = Reader { text: text.as_bytes(), at: start, end: end as usize };
    let (mut found, mut from) = (Vec::new(), start);
    let mut depth = 0usize;
    while let Some(byte) = reader.next() {
        match byte {
            b'(' | b'<' => depth += 1,
            b')' if depth == 0 => {
                found.extend(column(text, from, reader.at - 1));
                return Some((found, ByteRange { start: offset(start), end: offset(reader.at - 1) }));
            }
            b')' | b'>' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                found.extend(column(text, from, reader.at - 1));
                from = reader.at;
            }
            _ => {}
        }
    }
    None
}

impl Column<'_> {
    /// Returns the declaration of a column of a table.
    pub(super) fn declaration(self, lines: &Lines<'_>, parent: u32) -> Declaration {
        Declaration {
            name: self.name.to_owned(),
            scope: String::new(),
            kind: DeclarationKind::Field,
            parent: Some(parent),
            span: lines.span(self.bytes),
            name_line: lines.of(self.name_at) + 1,
            signature: self.bytes,
            body: ByteRange::default(),
            doc: ByteRange::default(),
        }
    }
}

/// Returns where the list of columns opens behind the name of a table. `None` if anything else
/// stands there.
fn opening(text: &str, at: usize, end: usize) -> Option<usize> {
    let mut at = at;
    loop {
        let rest = text.get(at..end)?;
        let behind = rest.trim_start_matches(['"', '`', ']', '\'']).trim_start();
        at += rest.len() - behind.len();
        if behind.starts_with('(') {
            return Some(at);
        }
        let word = behind.get(..behind.find(|c: char| !c.is_alphabetic())?)?;
        if !BEFORE.iter().any(|one| word.eq_ignore_ascii_case(one)) {
            return None;
        }
        at += word.len();
    }
}

/// Returns the column that a part of the list declares.
fn column(text: &str, start: usize, end: usize) -> Option<Column<'_>> {
    let start = after_blanks(text, start, end);
    let written = text.get(start..end)?.trim_end();
    let (found, from) = name(written).filter(|(_, from)| *from <= 1)?;
    let word = written.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let is_one_of = |words: &[&str]| words.iter().any(|one| word.eq_ignore_ascii_case(one));
    let next = written.get(from + found.len()..)?.trim_start();
    // A column may be called `key` or `map`.
    let is_method = is_one_of(METHODS) && {
        let mut words = next.split_whitespace();
        words.next().is_some_and(|next| {
            ["FUNCTION", "MEMBER", "PROCEDURE"].iter().any(|one| next.eq_ignore_ascii_case(one))
        })
    };
    let is_name = found.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '#' | '@'));
    let is_quoted = from == 1;
    if is_one_of(CONSTRAINTS) || is_method || !(is_name || is_quoted) || next.starts_with('(') {
        return None;
    }
    let bytes = ByteRange { start: offset(start), end: offset(start + written.len()) };
    Some(Column { name: found, name_at: offset(start + from), bytes })
}

/// Returns where the first code at or behind `at` begins.
fn after_blanks(text: &str, at: usize, end: usize) -> usize {
    let mut at = at;
    loop {
        let rest = text.get(at..end).unwrap_or_default();
        at += rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        at += match rest {
            _ if rest.starts_with("--") || rest.starts_with('#') => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |close| close + 2),
            _ => return at,
        };
    }
}

/// Reads the signs of a statement, without comments and quotations.
struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        while self.at < self.end {
            let rest = self.text.get(self.at..self.end)?;
            let byte = *rest.first()?;
            self.at += 1;
            match rest {
                [b'-', b'-', ..] => self.skip_past(b"\n"),
                [b'/', b'*', ..] => self.skip_past(b"*/"),
                [b'\'' | b'"' | b'`', ..] => self.skip_past(&[byte]),
                // `STRUCT<a INT, b INT>`; elsewhere, the sign compares.
                [b'<' | b'>', ..] => {
                    let before = self.at.checked_sub(2).and_then(|at| self.text.get(at));
                    let is_type =
                        before.is_some_and(|one| one.is_ascii_alphanumeric() || matches!(one, b'>' | b')'));
                    if is_type {
                        return Some(byte);
                    }
                }
                _ => return Some(byte),
            }
        }
        None
    }

    fn skip_past(&mut self, mark: &[u8]) {
        let rest = self.text.get(self.at..self.end).unwrap_or_default();
        let found = rest.windows(mark.len()).position(|one| one == mark);
        self.at += found.map_or(rest.len(), |found| found + mark.len());
    }
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn the_first_word_of_each_part_is_a_column() {
        for (text, expected) in [
            ("t (a int, b text STORAGE EXTERNAL, c int[])", &["a", "b", "c"][..]),
            ("t(a numeric(10, 2) DEFAULT (1, 2), -- x, y\n /* z, */ b int)", &["a", "b"]),
            (
                "t\" (\"my col\" int COMMENT 'a, b)', `c` set('x','y'), [d] [int] IDENTITY(1,1))",
                &["my col", "c", "d"],
            ),
            (
                "t (a int, PRIMARY KEY (a), KEY k (a), CONSTRAINT c CHECK (a > 1), EXCLUDE USING gist (c WITH &&))",
                &["a"],
            ),
            ("t (x STRUCT<a INT64, b ARRAY<STRING>>, y int CHECK (y < 2), z int)", &["x", "y", "z"]),
            ("t AS OBJECT (name VARCHAR2(3), MEMBER FUNCTION f RETURN NUMBER, map int)", &["name", "map"]),
            ("t (a, b)", &["a", "b"]),
            ("t AS TABLE (id int)", &["id"]),
            ("t AS SELECT (a, b)", &[]),
            ("t (a int", &[]),
            ("t", &[]),
        ] {
            let found = columns(text, 1, u32::try_from(text.len()).unwrap_or_default());
            let names: Vec<&str> = found.iter().flat_map(|(all, _)| all.iter().map(|one| one.name)).collect();
            assert_eq!(names, expected, "{text}");
        }
    }
}
