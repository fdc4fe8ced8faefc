//! Attributes and macros around the name and the block of a type: `class [[nodiscard]] API Shop {`,
//! `} __packed name;`.
//!
//! The grammar takes the last word in front of a block for the name of a type, and the first one
//! behind it for that of a variable. Here such words are blanked.

use super::{ATTRIBUTES, Scan, Token, TokenKind};

impl Scan<'_> {
    /// Blanks what stands between `class` and the name of the type, if it is not one name:
    /// `class [[nodiscard]] API Shop`, `struct EXPORT(x) Shop`.
    pub(super) fn blank_before_type(&mut self, name: Token) {
        let Some(at) = self.tokens.iter().position(|one| one.start == name.start) else { return };
        let before = self.tokens.get(..at).unwrap_or_default();
        let is_type = |one: &Token| matches!(self.of(*one), "class" | "struct" | "union");
        let Some(kind) = before.iter().rposition(is_type) else { return };
        let between = before.get(kind + 1..).unwrap_or_default();
        let is_attribute = |one: &Token| self.is_macro(*one) || self.is_reserved(*one);
        let has_macro = between.iter().any(|one| one.kind == TokenKind::Group || is_attribute(one))
            // The grammar knows an attribute alone, but not with an alignment behind it.
            || between.first().is_some_and(|first| self.between(first.start, name.start).contains("alignas"));
        // A name may stand in an attribute: `[[gnu::packed]]`.
        let behind = between.iter().rposition(|one| self.of(*one) == "]").map_or(0, |at| at + 1);
        let plain = between.get(behind..).unwrap_or_default();
        let is_name = plain.iter().any(|one| matches!(self.of(*one), ":" | "<"));
        if let (Some(first), true) = (between.first().copied(), has_macro && !is_name) {
            self.blank(first.start, name.start);
        }
    }

    /// Blanks attributes between the block of a type and what it declares: `} __packed name;`.
    /// Removes their tokens.
    pub(super) fn blank_behind_type(&mut self, tokens: &mut Vec<Token>) {
        while let [first, rest @ ..] = tokens.as_slice() {
            let has_group = rest.first().is_some_and(|next| next.kind == TokenKind::Group);
            let is_before_name = rest.first().is_some_and(|next| {
                next.kind == TokenKind::Word || self.of(*next) == "*" || next.kind == TokenKind::Group
            });
            let is_attribute = self.is_reserved(*first) || self.is_macro(*first) && is_before_name;
            if !is_attribute {
                return;
            }
            let n = 1 + usize::from(has_group);
            let end = tokens.get(n - 1).map_or(0, |last| last.end);
            self.blank(first.start, end);
            tokens.drain(..n);
        }
    }

    /// Blanks an attribute between `enum` and the name of the type, which the grammar does not know
    /// there: `enum class [[nodiscard]] Color {`, `enum __packed color {`.
    pub(super) fn blank_before_enum(&mut self) {
        let Some(at) = self.tokens.iter().rposition(|one| self.of(*one) == "enum") else { return };
        let rest = self.tokens.get(at + 1..).unwrap_or_default();
        let rest = match rest {
            [word, rest @ ..] if matches!(self.of(*word), "class" | "struct") => rest,
            rest => rest,
        };
        let Some(&first) = rest.first() else { return };
        let end = match self.of(first) {
            "[" => {
                rest.windows(2).find(|two| two.iter().all(|one| self.of(*one) == "]")).map(|two| two[1].end)
            }
            word => {
                let has_name = rest.get(1).is_some_and(|next| next.kind == TokenKind::Word);
                let is_one = self.is_reserved(first) && has_name || ATTRIBUTES.contains(&word);
                is_one.then_some(first.end)
            }
        };
        if let Some(end) = end {
            self.blank(first.start, end);
        }
    }

    /// Returns whether a token is a word that begins with two underscores: such names belong to
    /// compilers and systems, and stand for attributes in front of another name.
    fn is_reserved(&self, token: Token) -> bool {
        token.kind == TokenKind::Word && self.of(token).starts_with("__")
    }
}
