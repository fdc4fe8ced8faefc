//! The tokens of a text of Rust, as far as items need them: a text → words and marks.
//!
//! Comments and literals are left out, so nothing in them is taken for an item or a brace. Unlike a
//! syntax tree, the tokens show the items inside of a macro too, as in `cfg_if! { mod unix; }`. Any
//! text gives some tokens, even if it is not Rust.

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name or a keyword. A raw name is without its `r#`.
    Word(&'t str),
    /// Any other character.
    Mark(char),
}

/// The rest of a text that is split into tokens.
pub(super) struct Tokens<'t> {
    rest: &'t str,
}

impl<'t> Tokens<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { rest: text }
    }

    /// Leaves out this many bytes; all of the rest if it has fewer.
    fn skip(&mut self, n: usize) {
        self.rest = self.rest.get(n..).unwrap_or_default();
    }

    /// Leaves out the text up to a mark and the mark itself.
    fn skip_past(&mut self, mark: &str) {
        let end = self.rest.find(mark).map_or(self.rest.len(), |at| at + mark.len());
        self.skip(end);
    }

    /// Leaves out a comment, whose inner comments have ends of their own.
    fn skip_block(&mut self) {
        let mut depth = 0usize;
        let mut end = self.rest.len();
        let mut pairs = self.rest.as_bytes().windows(2).enumerate();
        while let Some((at, pair)) = pairs.next() {
            match pair {
                b"/*" => depth += 1,
                b"*/" => depth = depth.saturating_sub(1),
                _ => continue,
            }
            if depth == 0 {
                end = at + 2;
                break;
            }
            // In `/*/`, the second mark is not a part of both.
            pairs.next();
        }
        self.skip(end);
    }

    /// Leaves out a literal in quotes, after its first one.
    fn skip_quoted(&mut self, quote: char) {
        let mut is_escaped = false;
        let end = self.rest.find(|c: char| {
            let is_end = c == quote && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            is_end
        });
        self.skip(end.map_or(self.rest.len(), |at| at + quote.len_utf8()));
    }

    /// Leaves out a character after its first quote, or only the quote of a lifetime.
    fn skip_character(&mut self) {
        let mut chars = self.rest.chars();
        let is_character = match chars.next() {
            Some('\\') => true,
            Some(_) => chars.next() == Some('\''),
            None => false,
        };
        if is_character {
            // The first one may itself be a quote: `'\''`, but not `'''`.
            self.skip_quoted('\'');
        }
    }

    /// Leaves out a raw string if the rest is one behind its prefix.
    fn skip_raw(&mut self) -> bool {
        let n = self.rest.len() - self.rest.trim_start_matches('#').len();
        let is_raw = self.rest.get(n..).is_some_and(|rest| rest.starts_with('"'));
        if is_raw {
            self.skip(n + 1);
            self.skip_past(&format!("\"{}", "#".repeat(n)));
        }
        is_raw
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        loop {
            self.rest = self.rest.trim_start();
            let first = self.rest.chars().next()?;
            if self.rest.starts_with("//") {
                self.skip_past("\n");
                continue;
            }
            if self.rest.starts_with("/*") {
                self.skip_block();
                continue;
            }
            if is_word(first) {
                let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
                let (word, _) = self.rest.split_at(end);
                self.skip(end);
                if matches!(word, "r" | "br" | "cr") && self.skip_raw() {
                    continue;
                }
                if word == "r" && self.rest.starts_with('#') {
                    self.skip(1);
                    continue;
                }
                return Some(Token::Word(word));
            }
            self.skip(first.len_utf8());
            match first {
                '"' => self.skip_quoted('"'),
                '\'' => self.skip_character(),
                mark => return Some(Token::Mark(mark)),
            }
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_comments_have_no_tokens() {
        let tokens = |text: &'static str| -> String {
            let each = Tokens::of(text).map(|token| match token {
                Token::Word(word) => word.to_owned(),
                Token::Mark(mark) => mark.to_string(),
            });
            each.collect::<Vec<_>>().join(" ")
        };
        for (text, expected) in [
            ("pub mod a;", "pub mod a ;"),
            ("a::b", "a : : b"),
            ("mod r#type {}", "mod type { }"),
            ("let s = \"\n}\\\"{\n\";", "let s = ;"),
            ("let s = r#\"\n}\"{\n\"#;", "let s = ;"),
            ("let s = r\"\\\";}", "let s = ; }"),
            ("let s = b\"}\";", "let s = b ;"),
            ("let c = '{';", "let c = ;"),
            ("let c = '\\'';}", "let c = ; }"),
            ("let c = b'\\\\';}", "let c = b ; }"),
            ("fn f<'a>(x: &'a str) {}", "fn f < a > ( x : & a str ) { }"),
            ("a // }\nb", "a b"),
            ("a /* } /* { */ } */ b", "a b"),
            ("a /* {", "a"),
            ("a \"{", "a"),
            ("a r#\"{", "a"),
            ("'", ""),
            ("é { 'é' }", "é { }"),
        ] {
            assert_eq!(tokens(text), expected, "{text}");
        }
    }
}
