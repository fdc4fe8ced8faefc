//! String literals of the source, and the texts that they can make.
//!
//! Text and position → [`Literal`] → whether a message is the whole literal with its placeholders
//! filled in, or begins it. The value of a settings file and the text of an XML element are
//! literals without quotes. A literal ends with its line. Nothing here reads an index.

use std::ops::Range;

use crate::base::text::identifier::tokens;

use super::Word;

/// Beginnings of comment lines in most languages.
const COMMENTS: [&str; 6] = ["//", "/*", "* ", "# ", "-- ", ";;"];

/// Minimum words, and content words among them, of a message that begins a literal. Fewer begin
/// one by chance.
const BEGINNING: (usize, usize) = (3, 2);

/// How well a message fits a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// The message begins the literal.
    Beginning,
    /// The message is the literal.
    Whole,
}

/// A string literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Literal<'t> {
    /// The text between the quotes.
    pub(super) text: &'t str,
    /// The text of the line after the closing quote.
    pub(super) after: &'t str,
}

impl<'t> Literal<'t> {
    /// Returns the literal around a position of a text; `None` if there is none.
    pub(super) fn around(text: &'t str, at: usize, language: &str) -> Option<Self> {
        let begin = text.get(..at)?.rfind('\n').map_or(0, |feed| feed + 1);
        let line = text.get(begin..)?.split('\n').next()?;
        let has_backticks = has_backticks(language);
        let mut open: Option<(char, usize)> = None;
        let mut last = ' ';
        for (byte, c) in line.char_indices() {
            match open {
                Some((quote, from)) if quote == c && last != '\\' => {
                    if begin + byte > at {
                        return Self::new(line, from..byte);
                    }
                    open = None;
                }
                None if begin + byte > at => return Self::unquoted(line, at - begin, language),
                None if is_quote(c, last, has_backticks) => open = Some((c, byte + c.len_utf8())),
                _ => {}
            }
            // A backslash that is escaped escapes nothing.
            last = if last == '\\' && c == '\\' { ' ' } else { c };
        }
        match open {
            Some((_, from)) => Self::new(line, from..line.len()),
            None => Self::unquoted(line, at - begin, language),
        }
    }

    /// Returns the value or the text of an element around a position of a line; `None` if the
    /// language has no literals without quotes there.
    fn unquoted(line: &'t str, at: usize, language: &str) -> Option<Self> {
        let (before, rest) = line.split_at_checked(at)?;
        let (start, end) = if is_settings(language) {
            (before.find(['=', ':'])?, line.len())
        } else if is_markup(language) {
            (end_of_tag(before)?, at + rest.find('<').unwrap_or(rest.len()))
        } else {
            return None;
        };
        let text = line.get(start + 1..end)?;
        let from = start + 1 + (text.len() - text.trim_start().len());
        Self::new(line, from..(start + 1 + text.trim_end().len()).max(from))
    }

    fn new(line: &'t str, text: Range<usize>) -> Option<Self> {
        let after = line.get(text.end..)?;
        let after = after.strip_prefix(['"', '\'', '`']).unwrap_or(after);
        Some(Self { text: line.get(text)?, after })
    }

    /// Returns the number of words that are not filled in.
    pub(super) fn n_words(&self) -> usize {
        Pieces::of(self.text).runs.iter().map(Vec::len).sum()
    }

    /// Returns how well a message fits the literal; `None` if it does not.
    pub(super) fn fit(&self, message: &[Word]) -> Option<Fit> {
        if self.is_whole(message) {
            return Some(Fit::Whole);
        }
        let (n_words, n_content) = BEGINNING;
        let is_enough =
            message.len() >= n_words && message.iter().filter(|word| word.carries).count() >= n_content;
        (is_enough && self.is_begun_by(message)).then_some(Fit::Beginning)
    }

    /// Returns how well the literal's own words fit a phrase, which names no values: `None` if the
    /// phrase has other words before, between or behind them.
    pub(super) fn fit_phrase(&self, phrase: &[Word]) -> Option<Fit> {
        let is_same = self.is_begun_by(phrase) && tokens(self.text).count() == phrase.len();
        if is_same { Some(Fit::Whole) } else { self.fit(phrase).filter(|fit| *fit == Fit::Beginning) }
    }

    /// Returns whether the literal begins with all words of a message.
    fn is_begun_by(&self, message: &[Word]) -> bool {
        let mut words = tokens(self.text);
        !message.is_empty() && message.iter().all(|word| words.next() == Some(word.lower.as_str()))
    }

    /// Returns whether a message is this literal and nothing else but what fills the placeholders,
    /// and what other programs put before or behind it with a colon. A literal of one word, or of
    /// at most half of the clauses that it is in, is not enough.
    fn is_whole(&self, message: &[Word]) -> bool {
        let pieces = Pieces::of(self.text);
        let n_words: usize = pieces.runs.iter().map(Vec::len).sum();
        let Some((first, others)) = pieces.runs.split_first().filter(|_| n_words > 1) else { return false };
        let follows = |run: &Vec<&str>, from: usize| {
            let words = message.get(from..).unwrap_or_default();
            let found = words.windows(run.len()).position(|words| words.iter().map(|w| &w.lower).eq(run));
            found.map(|place| from + place)
        };
        let ends_clause = |place: usize| {
            place.checked_sub(1).and_then(|last| message.get(last)).is_none_or(|word| word.ends_clause)
        };
        let Some(begin) = follows(first, 0) else { return false };
        let mut end = begin + first.len();
        for run in others {
            let Some(place) = follows(run, end) else { return false };
            end = place + run.len();
        }
        let clauses = (0..=begin).rfind(|&at| ends_clause(at)).unwrap_or(0);
        let clauses = clauses..(end..message.len()).find(|&at| ends_clause(at)).unwrap_or(message.len());
        let words = message.get(clauses).unwrap_or_default();
        if n_words * 2 <= words.iter().filter(|word| !word.lower.is_empty()).count() {
            return false;
        }
        (pieces.is_filled_before || ends_clause(begin))
            && (pieces.is_filled_behind || end == message.len() || ends_clause(end))
    }
}

/// Returns whether a position of a text is inside a string, judging by its line. It is if a quote
/// is open there and the line is not a comment. In a settings file, it is if it follows the sign
/// before a value; in markup, if it is between two tags. Strings of several lines are not
/// recognised.
pub(super) fn is_in_string(text: &str, at: usize, language: &str) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    if COMMENTS.iter().any(|sign| line.trim_start().starts_with(sign)) {
        return false;
    }
    if is_settings(language) && line.contains(['=', ':']) || is_markup(language) && end_of_tag(line).is_some()
    {
        return true;
    }
    let has_backticks = has_backticks(language);
    let mut open: Option<char> = None;
    let mut last = ' ';
    // Python docstrings begin with three quotes; they are documentation, not messages.
    for c in line.replace("\"\"\"", "").chars() {
        match open {
            Some(quote) if quote == c && last != '\\' => open = None,
            None if is_quote(c, last, has_backticks) => open = Some(c),
            _ => {}
        }
        last = c;
    }
    open.is_some()
}

/// Returns whether a language has values without quotes behind a sign.
fn is_settings(language: &str) -> bool {
    matches!(language, "yaml" | "toml" | "ini")
}

/// Returns whether a language has texts between tags.
fn is_markup(language: &str) -> bool {
    matches!(language, "xml")
}

/// Returns the place of the sign that ends the last tag of a line, if text follows it.
fn end_of_tag(before: &str) -> Option<usize> {
    before.rfind(['<', '>']).filter(|&sign| before.get(sign..).is_some_and(|rest| rest.starts_with('>')))
}

/// Returns whether single backticks begin a string in a language.
fn has_backticks(language: &str) -> bool {
    matches!(language, "javascript" | "typescript" | "tsx" | "go" | "vue" | "svelte")
}

/// Returns whether a character outside a string begins one; `last` is the character before it.
fn is_quote(c: char, last: char, has_backticks: bool) -> bool {
    last != '\\' && (c == '"' || c == '`' && has_backticks || c == '\'' && !last.is_alphabetic())
}

/// The words of a literal between its placeholders.
#[derive(Debug, Default, PartialEq, Eq)]
struct Pieces<'t> {
    /// The words of each piece; no piece is empty.
    runs: Vec<Vec<&'t str>>,
    /// Whether something is filled in before the first word, or may be put before the literal.
    is_filled_before: bool,
    /// The same behind the last word.
    is_filled_behind: bool,
}

impl<'t> Pieces<'t> {
    fn of(text: &'t str) -> Self {
        let mut pieces = Self::default();
        let (mut rest, mut is_filled) = (text, text.starts_with(' '));
        pieces.is_filled_before = is_filled;
        let mut run = Vec::new();
        while !rest.is_empty() {
            let placeholder = placeholder_len(rest);
            let escape = if rest.starts_with('\\') { 2 } else { 0 };
            let skipped = placeholder.max(escape);
            if skipped > 0 {
                if placeholder > 0 {
                    pieces.is_filled_before |= pieces.runs.is_empty() && run.is_empty();
                    pieces.runs.extend(Some(std::mem::take(&mut run)).filter(|run| !run.is_empty()));
                    is_filled = true;
                }
                rest = rest.get(skipped..).unwrap_or_default();
                continue;
            }
            let stops =
                |at: &usize| rest.get(*at..).is_some_and(|rest| rest.starts_with(['%', '{', '#', '$', '\\']));
            let mut ends = rest.char_indices().skip(1).map(|(at, _)| at);
            let end = ends.find(stops).unwrap_or(rest.len());
            let (plain, behind) = rest.split_at(end);
            let n_before = run.len();
            run.extend(tokens(plain));
            is_filled &= run.len() == n_before;
            // A text that ends with a space or a sign for a value has its rest elsewhere.
            is_filled |= behind.is_empty() && plain.ends_with([' ', ':', '=']);
            rest = behind;
        }
        pieces.runs.extend(Some(run).filter(|run| !run.is_empty()));
        pieces.is_filled_behind = is_filled;
        pieces
    }
}

/// Returns the length of the placeholder that a text begins with, in bytes; 0 if it begins with
/// none. Placeholders are `%s`, `%-3.2f`, `{}`, `{name}`, `#{…}`, `${…}`, `$name` and Swift's
/// `\(…)`.
fn placeholder_len(text: &str) -> usize {
    let closed = |begin: &str, close: char| {
        let inner = text.strip_prefix(begin)?;
        inner.find(close).map(|end| begin.len() + end + close.len_utf8())
    };
    let brackets = [("{", '}'), ("#{", '}'), ("${", '}'), ("\\(", ')')];
    if let Some(len) = brackets.iter().find_map(|(begin, close)| closed(begin, *close)) {
        return len;
    }
    let length_of = |from: usize, belongs: fn(char) -> bool| {
        let rest = text.get(from..).unwrap_or_default();
        rest.find(|c| !belongs(c)).unwrap_or(rest.len())
    };
    if text.starts_with('%') {
        let flags = length_of(1, |c| c.is_ascii_digit() || "$-+#.*".contains(c));
        let letters = length_of(1 + flags, |c| c.is_ascii_alphabetic());
        return if letters > 0 { 1 + flags + letters } else { 0 };
    }
    let is_name =
        text.strip_prefix('$').is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    if is_name { 1 + length_of(1, |c| c.is_alphanumeric() || c == '_') } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::query::QueryKind;
    use crate::search::query::recall::message::Message;

    #[test]
    fn a_literal_is_found_with_what_follows() {
        let text = "x = 1\nfail(\"it's \\\"gone\\\"\", 'now')\n";
        let around = |word: &str| Literal::around(text, text.find(word).unwrap(), "python");
        let gone = around("gone").unwrap();
        assert_eq!((gone.text, gone.after), ("it's \\\"gone\\\"", ", 'now')"));
        assert_eq!(around("now").unwrap().text, "now");
        assert_eq!(around("fail"), None);
    }

    #[test]
    fn values_and_texts_of_elements_are_literals() {
        for (text, language, expected) in [
            ("a.b=The hour is shared \nc=d", "ini", Some("The hour is shared")),
            ("  a: it: the hour # x", "yaml", Some("it: the hour # x")),
            ("  a: \"the hour\" # x", "yaml", Some("the hour")),
            ("<string name=\"a\">the hour</string>", "xml", Some("the hour")),
            ("<string name=\"the hour\">a</string>", "xml", Some("the hour")),
            ("let the hour = 1", "rust", None),
            ("the hour", "ini", None),
        ] {
            let found = Literal::around(text, text.find("hour").unwrap(), language);
            assert_eq!(found.map(|literal| literal.text), expected, "{text}");
        }
    }

    #[test]
    fn a_message_begins_a_literal_with_three_words_or_more() {
        let fit = |literal: &str, asked: &str| {
            let message = Message::of(asked, QueryKind::NaturalLanguage).unwrap();
            let literal = Literal { text: literal, after: "" };
            (literal.fit(&message.words), literal.fit_phrase(&message.words))
        };
        let beginning = Some(Fit::Beginning);
        for (literal, asked, expected) in [
            ("page rotation stalled in slot", "page rotation stalled", (beginning, beginning)),
            ("page rotation stalled", "page rotation stalled", (Some(Fit::Whole), Some(Fit::Whole))),
            ("page {} stalled", "page rotation stalled", (Some(Fit::Whole), None)),
            ("page rotation is on", "page rotation", (None, None)),
            ("page rotation", "page rotation", (Some(Fit::Whole), Some(Fit::Whole))),
            ("the page rotation stalled in slot", "page rotation stalled", (None, None)),
            ("it is in the slot", "it is in", (None, None)),
        ] {
            assert_eq!(fit(literal, asked), expected, "{literal} / {asked}");
        }
    }

    #[test]
    fn a_message_is_the_whole_literal_if_only_placeholders_are_filled() {
        let is_whole = |literal: &str, asked: &str| {
            let message = Message::of(asked, QueryKind::NaturalLanguage).unwrap();
            let literal = literal.to_lowercase();
            Literal { text: &literal, after: "" }.is_whole(&message.words)
        };
        for (literal, asked) in [
            ("snapshot is empty", "error: snapshot is empty"),
            ("invalid branch", "Invalid branch"),
            ("unsupported file type %q", "unsupported file type foo"),
            ("failed loading snapshot: %v", "failed loading snapshot: no such file"),
            ("unknown %s flag in {}", "unknown size flag in conf"),
            ("#{name} could not be read", "settings could not be read"),
            ("could not open $path for writing\\n", "could not open a.txt for writing"),
            ("unable to read ", "unable to read settings"),
            ("no ids specified", "Fatal: no ids specified"),
        ] {
            assert!(is_whole(literal, asked), "{literal} / {asked}");
        }
        for (literal, asked) in [
            ("snapshot is empty or damaged", "error: snapshot is empty"),
            ("not found", "failed to load asset: file not found"),
            ("failed to ", "failed to load asset"),
            ("failed", "failed: it"),
            ("file not found", "the file not found here"),
        ] {
            assert!(!is_whole(literal, asked), "{literal} / {asked}");
        }
    }
}
