//! Line arithmetic: byte offset ↔ line, and whether a line is blank.
//!
//! Lines end with a line feed; a carriage return before it belongs to the line's end. Inside this stage lines
//! are 0-based, in spans 1-based.

use super::{ByteRange, Span};

/// Where the lines of a text start.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<u32>,
}

/// A length as `u32`; texts are clipped to fit before.
pub(super) fn offset(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl<'t> Lines<'t> {
    /// Finds the lines.
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

    /// The text.
    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// The number of lines.
    pub(super) fn len(&self) -> u32 {
        offset(self.starts.len())
    }

    /// The line of a byte; the last one for the end of the text.
    pub(super) fn of(&self, byte: u32) -> u32 {
        offset(self.starts.partition_point(|&start| start <= byte).saturating_sub(1))
    }

    /// Where a line starts.
    pub(super) fn start(&self, line: u32) -> u32 {
        self.starts.get(line as usize).copied().unwrap_or(offset(self.text.len()))
    }

    /// Where a line ends, before its line feed and a carriage return.
    pub(super) fn end(&self, line: u32) -> u32 {
        let range = ByteRange { start: self.start(line), end: self.start(line.saturating_add(1)) };
        range.start + offset(range.of(self.text).trim_end_matches(['\n', '\r']).len())
    }

    /// Whether there's only white space on it.
    pub(super) fn blank(&self, line: u32) -> bool {
        ByteRange { start: self.start(line), end: self.end(line) }.of(self.text).trim().is_empty()
    }

    /// The span of a byte range.
    pub(super) fn span(&self, bytes: ByteRange) -> Span {
        let last = if bytes.is_empty() { bytes.start } else { bytes.end - 1 };
        Span { bytes, start_line: self.of(bytes.start) + 1, end_line: self.of(last) + 1 }
    }
}
