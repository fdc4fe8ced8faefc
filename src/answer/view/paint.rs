//! Words of a text for people: in the colours of a terminal, or as they are.
//!
//! Owns [`Paint`], and with it how a commit, a place and a declaration look on a line. What colour
//! a word has is in `theme`.

use anstyle::Style;

use super::labels;
use super::theme::{FAINT, NUMBER, PATH, STATUS, SYMBOL};
use crate::base::id::ObjectId;
use crate::base::text::{visible, visible_path};

/// Writes words in colour, or as they are.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    is_on: bool,
}

impl Paint {
    /// Returns a paint that colours words, or leaves them as they are.
    pub fn new(is_on: bool) -> Self {
        Self { is_on }
    }

    /// Returns whether words are coloured.
    pub fn is_on(self) -> bool {
        self.is_on
    }

    /// Returns the text in a style.
    pub fn text(self, text: &str, style: Style) -> String {
        if self.is_on && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Returns the short id of a commit.
    pub fn commit(self, id: ObjectId) -> String {
        self.text(&id.abbreviated(10).to_string(), STATUS)
    }

    /// Returns `path:line`, with control characters made visible.
    pub fn place(self, path: &str, line: u32) -> String {
        let (path, line) = (self.text(&visible_path(path), PATH), self.text(&line.to_string(), NUMBER));
        format!("{path}{}{line}", self.text(":", FAINT))
    }

    /// Returns `path:line: kind symbol`, with control characters made visible. The line is that of
    /// the declaration.
    pub fn declaration(self, path: &str, line: u32, kind: &str, symbol: &str) -> String {
        self.row(path, line, labels::around(kind, symbol), symbol)
    }

    /// Returns `path:line: in kind symbol`: the place of a reference, and the declaration around
    /// it.
    pub fn reference(self, path: &str, line: u32, kind: &str, symbol: &str) -> String {
        self.row(path, line, &format!("in {}", labels::around(kind, symbol)), symbol)
    }

    fn row(self, path: &str, line: u32, kind: &str, symbol: &str) -> String {
        let place = format!("{}{}", self.place(path, line), self.text(":", FAINT));
        let parts = [place, self.text(kind, FAINT), self.text(&visible(symbol), SYMBOL)];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_coloured_and_their_text_stays() {
        let plain = |text: &str| anstream::adapter::strip_str(text).to_string();
        for paint in [Paint::new(false), Paint::new(true)] {
            let line = paint.declaration("a/b.rs", 7, "method", "S.f\x1b[2J");
            assert_eq!(plain(&line), "a/b.rs:7: method S.f␛[2J");
            assert_eq!(line.contains('\x1b'), paint.is_on());
            assert_eq!(plain(&paint.declaration("a", 1, "group", "")), "a:1: code outside declarations");
            let inside = paint.reference("a/b.rs", 9, "method", "S.f");
            assert_eq!(plain(&inside), "a/b.rs:9: in method S.f");
            let outside = paint.reference("a.md", 2, "section", "");
            assert_eq!(plain(&outside), "a.md:2: in text outside declarations");
        }
    }
}
