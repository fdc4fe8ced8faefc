//! Documentation as it stands in the source → its text: a comment or docstring without its marks.
//!
//! [`doc_text`] takes off what the language puts around prose: `///`, ` * `, `"""`, and the
//! indentation. [`first_sentence`] summarises what is left.

use std::borrow::Cow;

use super::{CommentSyntax, Language};
use crate::base::text::clean;

/// Characters of a summary.
pub(crate) const SUMMARY: usize = 160;

/// The prose of a comment, a docstring, or several of them one below the other; lines end with line
/// feeds.
pub fn doc_text(source: &str, language: &str) -> String {
    let comments = Language::from_name(language)
        .map_or(CommentSyntax { line: "", block: ("", "") }, |language| language.comments());
    let mut out = String::new();
    let mut block: Option<Block> = None;
    let mut lines = Vec::new();
    for raw in source.lines() {
        let raw = raw.trim_end();
        let (state, text) = match block.take() {
            Some(open) => (Some(open), Cow::Borrowed(raw)),
            None => match Block::open(raw.trim_start(), comments) {
                Some((open, rest)) => {
                    // The text beside the opening has no indentation to compare with.
                    (Some(Block { is_first: true, ..open }), Cow::Borrowed(rest))
                }
                None => (None, Cow::Owned(uncommented_line(raw.trim_start(), comments).to_owned())),
            },
        };
        let Some(mut open) = state else {
            flush(&mut lines, &mut out);
            out.push_str(&text);
            out.push('\n');
            continue;
        };
        let (text, is_closed) = match text.find(open.close) {
            Some(at) => (text.get(..at).unwrap_or_default(), true),
            None => (&*text, false),
        };
        let starred = text.trim_start().strip_prefix('*').filter(|_| open.has_stars && !open.is_first);
        let text = match starred {
            Some(rest) => rest.strip_prefix(' ').unwrap_or(rest),
            None => text,
        };
        let first = std::mem::take(&mut open.is_first);
        let text = if first { text.trim_start() } else { text };
        lines.push((text.trim_end().to_owned(), first || starred.is_some()));
        if is_closed {
            flush(&mut lines, &mut out);
        } else {
            block = Some(open);
        }
    }
    flush(&mut lines, &mut out);
    let trimmed = out.trim_matches('\n');
    if trimmed.trim().is_empty() { String::new() } else { format!("{trimmed}\n") }
}

/// A block comment or string that is open.
pub(crate) struct Block {
    pub(crate) close: &'static str,
    /// Whether its lines may begin with ` * `.
    has_stars: bool,
    is_first: bool,
}

impl Block {
    /// The block that a line begins with, and what stands after its opening.
    pub(crate) fn open(line: &str, comments: CommentSyntax) -> Option<(Self, &str)> {
        let (begin, close) = comments.block;
        if !begin.is_empty()
            && let Some(rest) = line.strip_prefix(begin)
        {
            let rest = rest.trim_start_matches(['*', '!', '|']);
            // `/**/` and `/***/` are closed at once.
            let rest = if close == "*/" && rest.starts_with('/') { "*/" } else { rest };
            return Some((Self { close, has_stars: begin == "/*", is_first: false }, rest));
        }
        let mut string = line;
        for word in ["@doc ", "@moduledoc ", "@typedoc ", "~S", "~s"] {
            string = string.strip_prefix(word).unwrap_or(string);
        }
        let bare = string.trim_start_matches(['r', 'R', 'u', 'U', 'b', 'B']);
        let string = if string.len() - bare.len() <= 2 { bare } else { string };
        let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| string.starts_with(quote))?;
        let rest = string.get(quote.len()..)?;
        // A line that begins with a quotation, and is none of a docstring.
        if quote.len() == 1 && (!rest.ends_with(quote) || comments.line != "#") {
            return None;
        }
        Some((Self { close: quote, has_stars: false, is_first: false }, rest))
    }
}

/// A line without the mark of a comment to its end.
fn uncommented_line(line: &str, comments: CommentSyntax) -> &str {
    if comments.line.is_empty() {
        return line;
    }
    let Some(rest) = line.strip_prefix(comments.line) else { return line };
    let rest = match comments.line {
        "//" => rest.trim_start_matches(['/', '!']),
        "--" => rest.trim_start_matches('-').trim_start_matches([' ', '|', '^']),
        ";" => rest.trim_start_matches(';'),
        "#" => rest.trim_start_matches(['#', '\'']),
        _ => rest,
    };
    rest.strip_prefix(' ').unwrap_or(rest)
}

/// Writes the lines of a block without the indentation that they share; the flag says that a line
/// has none.
fn flush(lines: &mut Vec<(String, bool)>, out: &mut String) {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let shared = lines
        .iter()
        .filter(|(line, is_first)| !is_first && !line.is_empty())
        .map(|(line, _)| indent(line))
        .min()
        .unwrap_or(0);
    for (line, is_first) in lines.drain(..) {
        let from = if is_first { 0 } else { shared.min(line.len()) };
        out.push_str(line.get(from..).unwrap_or_default());
        out.push('\n');
    }
}

/// The mark and its length if a line begins or ends a fenced block.
pub(crate) fn fence_of(line: &str) -> Option<(char, usize)> {
    let text = line.trim_start();
    ['`', '~'].into_iter().find_map(|c| {
        let length = text.len() - text.trim_start_matches(c).len();
        let is_fence =
            length >= 3 && !(c == '`' && text.get(length..).is_some_and(|rest| rest.contains('`')));
        is_fence.then_some((c, length))
    })
}

/// Whether a line underlines the one above it.
pub(crate) fn is_underline(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && ['-', '=', '~'].iter().any(|&mark| line.chars().all(|c| c == mark))
}

/// Whether a line says something of a parameter: `@param x`, `:returns:`, `\return`.
pub(crate) fn is_field(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(['@', ':', '\\']) else { return false };
    let word = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_lowercase()).len();
    let after = rest.get(word..).unwrap_or_default();
    match line.chars().next() {
        Some(':') => word > 2 && after.split_once(':').is_some_and(|(name, _)| name.len() < 40),
        _ => word > 2 && (after.is_empty() || after.starts_with([' ', '\t', '['])),
    }
}

/// The first sentence of what [`doc_text`] gave, on one line, as plain text; empty if it begins
/// with no sentence.
pub fn first_sentence(text: &str) -> String {
    let paragraph: Vec<&str> = text
        .lines()
        .skip_while(|line| line.trim().is_empty())
        .map(str::trim)
        .take_while(|line| {
            !line.is_empty() && fence_of(line).is_none() && !is_underline(line) && !is_field(line)
        })
        .take(8)
        .collect();
    let joined = paragraph.join(" ");
    let text = joined.trim_start_matches(['#', '-', '*', '>', ' ']);
    let end = text
        .match_indices(['.', '!', '?'])
        .map(|(at, _)| at + 1)
        .find(|&at| {
            let is_short =
                text.get(..at).is_some_and(|before| before.ends_with("e.g.") || before.ends_with("i.e."));
            !is_short && text.get(at..).is_none_or(|rest| rest.is_empty() || rest.starts_with(' '))
        })
        .unwrap_or(text.len());
    let sentence = text.get(..end).unwrap_or_default();
    let cut: String = sentence.chars().take(SUMMARY).collect();
    let cut = if cut.len() < sentence.len() {
        // The end of a clause says more than the middle of the next one.
        let clause = cut.rfind("; ").filter(|at| at * 2 > cut.len()).and_then(|at| cut.get(..at));
        let word = cut.rsplit_once(' ').map_or(cut.as_str(), |(before, _)| before);
        format!("{} …", clause.unwrap_or(word))
    } else {
        cut
    };
    let cut = if cut.matches('`').count() % 2 == 1 { cut.replace('`', "") } else { cut };
    clean::name(&cut).into_owned()
}
