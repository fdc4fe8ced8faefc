//! Token windows: text without known syntax → chunks that overlap.
//!
//! A window holds a fixed number of tokens and shares some with the one before it, so that a
//! sentence at an edge is not only seen cut in half. It begins and ends at line boundaries, except
//! inside a line that alone exceeds it. The overlap is at most half a window, and each window
//! begins after the one before, so the cut always ends.

use super::lines::{Lines, offset};
use super::{ByteRange, Chunk, ChunkKind, ChunkOptions};

/// Longest token in bytes. A longer word counts as several (hashes, Base64, text without spaces).
const TOKEN_BYTES: usize = 16;

/// Returns the ends of the tokens. A token is a run of ASCII letters, digits and `_`, or any other
/// single character but white space.
fn token_ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        loop {
            let (at, c) = chars.next()?;
            if c.is_whitespace() {
                continue;
            }
            let mut end = at + c.len_utf8();
            if c.is_ascii_alphanumeric() || c == '_' {
                while let Some(&(next, c)) = chars.peek() {
                    if !(c.is_ascii_alphanumeric() || c == '_') || next - at >= TOKEN_BYTES {
                        break;
                    }
                    end = next + c.len_utf8();
                    chars.next();
                }
            }
            return Some(end);
        }
    })
}

/// The smallest part of a window: a line, or a piece of a huge one.
struct Piece {
    bytes: ByteRange,
    n_tokens: u32,
}

fn pieces(text: &str, lines: &Lines<'_>, most: u32) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for line in 0..lines.len() {
        let bytes = ByteRange { start: lines.start(line), end: lines.end(line) };
        let (mut start, mut end, mut n_tokens) = (bytes.start, bytes.start, 0);
        for token_end in token_ends(bytes.of(text)) {
            if n_tokens == most {
                pieces.push(Piece { bytes: ByteRange { start, end }, n_tokens });
                (start, n_tokens) = (end, 0);
            }
            end = bytes.start + offset(token_end);
            n_tokens += 1;
        }
        if n_tokens > 0 {
            pieces.push(Piece { bytes: ByteRange { start, end: bytes.end }, n_tokens });
        }
    }
    pieces
}

/// Cuts the text into windows.
pub(super) fn windows(text: &str, lines: &Lines<'_>, options: &ChunkOptions) -> Vec<Chunk> {
    let size = options.window_tokens.max(8);
    let overlap = options.window_overlap.min(size / 2);
    let pieces = pieces(text, lines, size);
    let mut chunks = Vec::new();
    let mut first = 0;
    while let Some(begin) = pieces.get(first) {
        let (mut n_tokens, mut next) = (0, first);
        while let Some(piece) =
            pieces.get(next).filter(|piece| next == first || n_tokens + piece.n_tokens <= size)
        {
            n_tokens += piece.n_tokens;
            next += 1;
        }
        let end = pieces.get(next - 1).map_or(begin.bytes.end, |last| last.bytes.end);
        let span = lines.span(ByteRange { start: begin.bytes.start, end });
        chunks.push(Chunk { span, kind: ChunkKind::Window, declaration: None });
        if next == pieces.len() {
            break;
        }
        // Step back by whole pieces as far as the overlap allows, but always advance.
        let mut shared = 0;
        let mut again = next;
        while again > first + 1 {
            let Some(piece) = pieces.get(again - 1).filter(|piece| shared + piece.n_tokens <= overlap) else {
                break;
            };
            shared += piece.n_tokens;
            again -= 1;
        }
        first = again;
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, window_tokens: u32, window_overlap: u32) -> Vec<(u32, u32)> {
        let options = ChunkOptions { window_tokens, window_overlap, ..ChunkOptions::default() };
        windows(text, &Lines::new(text), &options)
            .iter()
            .map(|c| (c.span.start_line, c.span.end_line))
            .collect()
    }

    #[test]
    fn snaps_to_lines_and_overlaps() {
        let text = "a b c d\n".repeat(6);
        assert_eq!(cut(&text, 8, 4), [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]);
        assert_eq!(cut(&text, 8, 0), [(1, 2), (3, 4), (5, 6)]);
        assert_eq!(cut("\n\n  \n", 8, 0), []);
    }

    #[test]
    fn cuts_a_huge_line() {
        let text = "x ".repeat(20);
        assert_eq!(cut(&text, 8, 2), [(1, 1), (1, 1), (1, 1)]);
    }

    #[test]
    fn a_token_has_16_bytes() {
        for (len, n_tokens) in [(1, 1), (16, 1), (17, 2), (32, 2), (33, 3)] {
            assert_eq!(token_ends(&"x".repeat(len)).count(), n_tokens, "{len} bytes");
        }
        // At least eight tokens, of which at most half are shared.
        assert_eq!(cut(&"a b c d\n".repeat(4), 1, 0), [(1, 2), (3, 4)]);
        assert_eq!(cut(&"a b c d\n".repeat(3), 8, 8), [(1, 2), (2, 3)]);
    }
}
