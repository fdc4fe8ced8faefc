//! Line arithmetic: byte offset ↔ line, and blank lines.
//!
//! A line ends with a line feed; a carriage return before it belongs to the line's end. Lines are
//! 0-based inside this part and 1-based in spans. Offsets are `u32`, because texts are clipped to
//! fit before they get here.

use super::{ByteRange, Span};

/// A text and the offsets at which its lines start.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<u32>,
}

/// Puts spaces in place of a text that a parser must not see. Line breaks stay.
pub(super) fn blank(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}

/// Converts a length to `u32`. It always fits, because texts are clipped before.
pub(super) fn offset(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl<'t> Lines<'t> {
    /// Finds the starts of the lines.
    pub(super) fn new(text: &'t str) -> Self {
        let mut starts = vec![0];
        for (at, byte) in text.bytes().enumerate() {
            if byte == b'\n' {
                starts.push(offset(at + 1));
            }
        }
        if text.is_empty() || text.ends_with('\n') {
            starts.pop();
        }
        Self { text, starts }
    }

    /// Returns the text.
    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the number of lines.
    pub(super) fn len(&self) -> u32 {
        offset(self.starts.len())
    }

    /// Returns the line of a byte; for the end of the text, the last line.
    pub(super) fn of(&self, byte: u32) -> u32 {
        offset(self.starts.partition_point(|&start| start <= byte).saturating_sub(1))
    }

    /// Returns the offset at which a line starts; after the last line, the length of the text.
    pub(super) fn start(&self, line: u32) -> u32 {
        self.starts.get(line as usize).copied().unwrap_or(offset(self.text.len()))
    }

    /// Returns the offset at which a line ends, before its line feed and carriage return.
    pub(super) fn end(&self, line: u32) -> u32 {
        let range = ByteRange { start: self.start(line), end: self.start(line.saturating_add(1)) };
        range.start + offset(range.of(self.text).trim_end_matches(['\n', '\r']).len())
    }

    /// Returns whether a line has only white space.
    pub(super) fn blank(&self, line: u32) -> bool {
        ByteRange { start: self.start(line), end: self.end(line) }.of(self.text).trim().is_empty()
    }

    /// Returns the span of a byte range.
    pub(super) fn span(&self, bytes: ByteRange) -> Span {
        let last = if bytes.is_empty() { bytes.start } else { bytes.end - 1 };
        Span { bytes, start_line: self.of(bytes.start) + 1, end_line: self.of(last) + 1 }
    }
}
