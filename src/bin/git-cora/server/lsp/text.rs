//! Places in a text: bytes ↔ lines and columns, as the protocol counts them.
//!
//! Owns [`Text`]. A line ends with a line feed, a carriage return, or both. The index counts line
//! feeds only, so its lines are turned into bytes first. A byte order mark is not a column, because
//! no editor shows it.

use std::sync::Arc;

use gen_lsp_types::{Position, PositionEncodingKind, Range};

use git_cora::index::chunk::ByteRange;

/// How the columns of a line are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

impl Encoding {
    /// Returns the encoding to use, of those that the client accepts: bytes if possible.
    pub(super) fn choose(accepted: &[PositionEncodingKind]) -> Self {
        let accepts = |kind: &PositionEncodingKind| accepted.contains(kind);
        if accepts(&PositionEncodingKind::UTF8) {
            Self::Utf8
        } else if accepts(&PositionEncodingKind::UTF32) && !accepts(&PositionEncodingKind::UTF16) {
            Self::Utf32
        } else {
            Self::Utf16
        }
    }

    /// Returns its name in the protocol.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn len(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// A text with the starts of its lines.
#[derive(Debug)]
pub(super) struct Text {
    text: Arc<str>,
    starts: Vec<usize>,
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl Text {
    pub(super) fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let mut starts = vec![if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }];
        let mut bytes = text.bytes().enumerate().peekable();
        while let Some((at, byte)) = bytes.next() {
            let is_pair = byte == b'\r' && bytes.peek().is_some_and(|(_, next)| *next == b'\n');
            if byte == b'\n' || byte == b'\r' && !is_pair {
                starts.push(at + 1);
            }
        }
        Self { text, starts }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns a line without its end; empty beyond the last one.
    pub(super) fn line(&self, line: u32) -> &str {
        let start = self.starts.get(line as usize).copied().unwrap_or(self.text.len());
        let end = self.starts.get(line as usize + 1).copied().unwrap_or(self.text.len());
        self.text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r'])
    }

    /// Returns the lines without their ends.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        (0..narrow(self.starts.len())).map(|line| self.line(line))
    }

    /// Returns the first byte of a line; beyond the last line, the end of the text.
    pub(super) fn start(&self, line: u32) -> u32 {
        narrow(self.starts.get(line as usize).copied().unwrap_or(self.text.len()))
    }

    /// Returns the first byte of a line of the index, which counts line feeds, from 1.
    pub(super) fn start_of_index_line(&self, line: u32) -> u32 {
        let ends = self.text.match_indices('\n').map(|(at, _)| at + 1);
        let start = std::iter::once(0).chain(ends).nth(line.saturating_sub(1) as usize);
        narrow(start.unwrap_or(self.text.len()))
    }

    /// Returns the line of a byte.
    pub(super) fn line_of(&self, byte: u32) -> u32 {
        narrow(self.starts.partition_point(|start| *start <= byte as usize).saturating_sub(1))
    }

    /// Returns the place of a byte. A byte inside of a character is taken for its beginning.
    pub(super) fn position(&self, byte: u32, encoding: Encoding) -> Position {
        let line = self.line_of(byte);
        let start = self.starts.get(line as usize).copied().unwrap_or(0);
        let mut column = 0;
        for (at, c) in self.line(line).char_indices() {
            if start + at + c.len_utf8() > byte as usize {
                break;
            }
            column += encoding.len(c);
        }
        Position { line, character: narrow(column) }
    }

    /// Returns the byte of a place. A place behind the end of its line is taken for the end, one
    /// inside of a character for its beginning, and one behind the last line for the end of the
    /// text.
    pub(super) fn byte(&self, place: Position, encoding: Encoding) -> u32 {
        let Some(&start) = self.starts.get(place.line as usize) else { return narrow(self.text.len()) };
        let (mut column, mut byte) = (0, start);
        for c in self.line(place.line).chars() {
            column += encoding.len(c);
            if column > place.character as usize {
                break;
            }
            byte += c.len_utf8();
        }
        narrow(byte)
    }

    pub(super) fn range(&self, range: ByteRange, encoding: Encoding) -> Range {
        Range { start: self.position(range.start, encoding), end: self.position(range.end, encoding) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_are_counted_in_each_encoding() {
        let text = Text::new("\ta🙂é = x\r\nzwei\n");
        for (encoding, column) in [(Encoding::Utf8, 11), (Encoding::Utf16, 8), (Encoding::Utf32, 7)] {
            let byte = narrow(text.as_str().find('x').unwrap());
            assert_eq!(text.position(byte, encoding), at(0, column), "{encoding:?}");
            assert_eq!(text.byte(at(0, column), encoding), byte, "{encoding:?}");
            // Beyond the end of the line, which has no carriage return.
            assert_eq!(text.byte(at(0, 99), encoding), byte + 1);
            assert_eq!(text.byte(at(1, 1), encoding), byte + 4);
        }
        // Inside of the emoji.
        assert_eq!(text.byte(at(0, 3), Encoding::Utf16), 2);
        assert_eq!(text.byte(at(0, 4), Encoding::Utf8), 2);
        assert_eq!(text.position(4, Encoding::Utf16), at(0, 2));
    }

    #[test]
    fn every_end_of_line_counts() {
        let text = Text::new("a\rb\r\nc\nd");
        assert_eq!(text.lines().collect::<Vec<_>>(), ["a", "b", "c", "d"]);
        assert_eq!(text.position(6, Encoding::Utf8), at(2, 1));
        // The index knows the line feeds only.
        assert_eq!(text.start_of_index_line(1), 0);
        assert_eq!(text.start_of_index_line(2), 5);
        assert_eq!(text.start_of_index_line(3), 7);
        assert_eq!(text.start_of_index_line(9), 8);
        assert_eq!(Text::new("").lines().count(), 1);
        assert_eq!(Text::new("a\n").byte(at(7, 7), Encoding::Utf8), 2);
    }

    #[test]
    fn a_byte_order_mark_is_no_column() {
        let text = Text::new("\u{feff}fn a");
        assert_eq!(text.position(6, Encoding::Utf16), at(0, 3));
        assert_eq!(text.byte(at(0, 3), Encoding::Utf8), 6);
        assert_eq!(text.line(0), "fn a");
    }

    #[test]
    fn bytes_are_preferred() {
        use PositionEncodingKind as K;
        assert_eq!(Encoding::choose(&[K::UTF16, K::UTF8]), Encoding::Utf8);
        assert_eq!(Encoding::choose(&[K::UTF32, K::UTF16]), Encoding::Utf16);
        assert_eq!(Encoding::choose(&[K::UTF32]), Encoding::Utf32);
        assert_eq!(Encoding::choose(&[]), Encoding::Utf16);
    }
}
