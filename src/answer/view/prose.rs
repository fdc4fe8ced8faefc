//! Prose: a comment or docstring in source form → Markdown that is safe to embed in our pages.
//!
//! Two steps. [`crate::index::chunk::doc_text`] takes off what the language puts around prose:
//! `///`, ` * `, `"""`, and the indentation. [`embedded`] makes what is left a part of a larger
//! page: headings become bold lines, so that the page keeps its outline; HTML shows as it is
//! written; a fence that nothing closes is closed. The text is a repository's, not ours: nothing in
//! it can end the part that it stands in.

use super::lines::Lines;
use super::reduce;
use crate::base::text::clean;
use crate::index::chunk::Language;
use crate::index::chunk::doc_text::{Block, fence_of, is_field, is_underline};
use std::ops::Range;

/// Markdown, or what is written like it, as a part of a page: at most `most` lines, and whether
/// more were there.
pub(super) fn embedded(text: &str, most: usize) -> (String, bool) {
    let mut out = String::new();
    let mut fence: Option<(char, usize)> = None;
    let mut n = 0;
    let mut is_cut = false;
    let mut lines = text.lines().peekable();
    let mut is_blank = true;
    let mut was_tag = false;
    while let Some(raw) = lines.next() {
        if n >= most {
            is_cut = lines.any(|line| !line.trim().is_empty()) || !raw.trim().is_empty();
            break;
        }
        n += 1;
        let line = clean::line(raw.trim_end());
        let mark = fence_of(&line);
        if let Some((c, length)) = fence {
            out.push_str(&line);
            out.push('\n');
            let is_end = mark.is_some_and(|(other, n)| other == c && n >= length)
                && line.trim().trim_matches(c).is_empty();
            if is_end {
                fence = None;
            }
            is_blank = false;
            continue;
        }
        if mark.is_some() {
            fence = mark;
            out.push_str(&line);
            out.push('\n');
            continue;
        }
        let text = line.trim_start();
        if text.is_empty() {
            out.push_str(if is_blank { "" } else { "\n" });
            (is_blank, was_tag) = (true, false);
            continue;
        }
        // Skip a line that would turn the line above it into a heading, or start a table.
        let underlined = lines.peek().is_some_and(|next| is_underline(next)) && !is_underline(text);
        if underlined {
            lines.next();
            n += 1;
        }
        if is_underline(text) && !is_blank {
            continue;
        }
        let heading = text.trim_start_matches('#');
        let level = text.len() - heading.len();
        let is_heading = (1..=6).contains(&level) && heading.starts_with([' ', '\t']);
        let is_tag = is_field(text);
        if is_heading || underlined {
            if !is_blank {
                out.push('\n');
            }
            let title = if is_heading { heading.trim().trim_end_matches('#').trim_end() } else { text };
            out.push_str(&format!("**{}**\n\n", escaped(title.trim_matches('*'))));
            is_blank = true;
            continue;
        }
        if is_tag {
            if !is_blank && !was_tag {
                out.push('\n');
            }
            out.push_str("- ");
            out.push_str(&escaped(text));
        } else {
            let indent = line.len() - text.len();
            // Text with this indentation is code, unless it continues the line above it.
            let is_code = indent >= 4 && is_blank;
            out.push_str(line.get(..indent).unwrap_or_default());
            if is_code {
                out.push_str(text)
            } else {
                out.push_str(&escaped(text))
            };
        }
        was_tag |= is_tag;
        is_blank = false;
        out.push('\n');
    }
    if let Some((c, length)) = fence {
        out.extend(std::iter::repeat_n(c, length));
        out.push('\n');
    }
    let trimmed = out.trim_matches('\n');
    (if trimmed.is_empty() { String::new() } else { format!("{trimmed}\n") }, is_cut)
}

/// A line of prose in which no `<` begins a tag and no `{@code …}` is left; what stands between
/// backticks stays.
pub(super) fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let mut taken = c.len_utf8();
        if c == '`' {
            let length = rest.len() - rest.trim_start_matches('`').len();
            let mark = "`".repeat(length);
            let end = rest.get(length..).and_then(|after| after.find(&mark)).map(|at| 2 * length + at);
            taken = end.unwrap_or(length);
            out.push_str(rest.get(..taken).unwrap_or_default());
        } else if let Some((text, length)) = inline_tag(rest) {
            taken = length;
            out.push_str(&code(text));
        } else if let Some(length) = structure(rest) {
            taken = length;
        } else if c == '<' && begins_tag(rest) {
            out.push_str("\\<");
        } else {
            out.push(c);
        }
        rest = rest.get(taken..).unwrap_or_default();
    }
    out
}

/// Returns the text and the length of a tag such as `{@code text}` or `{@link text}`.
fn inline_tag(text: &str) -> Option<(&str, usize)> {
    let after = ["{@code ", "{@link ", "{@linkplain ", "{@literal ", "{@value "]
        .into_iter()
        .find_map(|begin| text.strip_prefix(begin))?;
    let end = after.find('}')?;
    let inner = after.get(..end)?.trim();
    Some((inner.trim_start_matches('#'), text.len() - after.len() + end + 1))
}

/// Returns the length of a tag that only marks a paragraph or list.
fn structure(text: &str) -> Option<usize> {
    let end = text.get(..text.len().min(8)).unwrap_or_default().find('>')?;
    let tag = text.get(..=end)?.to_ascii_lowercase();
    let known = [
        "<p>", "</p>", "<p/>", "<br>", "<br/>", "<ul>", "</ul>", "<ol>", "</ol>", "</li>", "<pre>", "</pre>",
    ];
    known.contains(&tag.as_str()).then_some(end + 1)
}

fn begins_tag(text: &str) -> bool {
    let after = text.get(1..).unwrap_or_default();
    after.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
        && !["https://", "http://"].iter().any(|scheme| after.starts_with(scheme))
}

/// Returns a code span that contains any text safely.
pub(super) fn code(text: &str) -> String {
    let text = clean::name(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let marks = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{marks}{pad}{text}{pad}{marks}")
}

/// Returns the byte range of a file's first comment or docstring, if it comes before any code and
/// is not a licence.
pub fn head_comment(text: &str, language: &str) -> Option<Range<usize>> {
    let comments = Language::from_name(language)?.comments();
    let lines = Lines::new(text);
    let after = reduce::licence(&lines, language).map_or(0, |licence| lines.start(licence.end() + 1));
    let mut at = after;
    let mut found: Option<(usize, Option<&'static str>)> = None;
    for line in text.get(after..)?.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim();
        match found {
            Some((from, Some(close))) => {
                if line.contains(close) {
                    return Some(from..at);
                }
            }
            Some((from, None)) => {
                if !line.starts_with(comments.line) {
                    return Some(from..start);
                }
            }
            None => {
                let is_line = !comments.line.is_empty() && line.starts_with(comments.line);
                if let Some((block, rest)) = Block::open(line, comments) {
                    if rest.contains(block.close) {
                        return Some(start..at);
                    }
                    found = Some((start, Some(block.close)));
                } else if line.starts_with("#!") || line.contains("-*-") {
                    // Skip lines that tell programs how to read the file.
                } else if is_line {
                    found = Some((start, None));
                } else if !line.is_empty() && !["<?php", "'use strict';", "\"use strict\";"].contains(&line) {
                    return None;
                }
            }
        }
    }
    found.filter(|(_, close)| close.is_none()).map(|(from, _)| from..at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::{doc_text, first_sentence};

    #[test]
    fn comments_lose_their_marks() {
        for (language, source, prose) in [
            (
                "rust",
                "    /// Opens it.\n    ///\n    /// # Errors\n    ///     code",
                "Opens it.\n\n# Errors\n    code\n",
            ),
            ("rust", "//! Head.\n//! More.", "Head.\nMore.\n"),
            ("java", "/**\n     * Sends it.\n     * @param x what\n     */", "Sends it.\n@param x what\n"),
            ("java", "/** One line. */", "One line.\n"),
            ("c", "/*\n   Plain block.\n   * item\n */", "Plain block.\nitem\n"),
            (
                "python",
                "\"\"\"Gives it.\n\n        Args:\n            x: what\n        \"\"\"",
                "Gives it.\n\nArgs:\n    x: what\n",
            ),
            ("python", "r'''Raw.'''", "Raw.\n"),
            ("python", "'One line.'", "One line.\n"),
            ("python", "\"One\" is a word.", "\"One\" is a word.\n"),
            ("go", "\"One\"", "\"One\"\n"),
            ("python", "# One.\n# Two.", "One.\nTwo.\n"),
            ("haskell", "-- | Folds.\n-- More.", "Folds.\nMore.\n"),
            ("ocaml", "(** Folds. *)", "Folds.\n"),
            ("elixir", "@doc \"\"\"\n  Starts it.\n  \"\"\"", "Starts it.\n"),
            ("r", "#' Title\n#' @param x what", "Title\n@param x what\n"),
            ("go", "// Package a is.\n//\n//\tcode", "Package a is.\n\n\tcode\n"),
            ("nothing-known", "plain", "plain\n"),
            ("rust", "", ""),
            ("java", "/**/", ""),
        ] {
            assert_eq!(doc_text(source, language), prose, "{language}: {source}");
        }
    }

    #[test]
    fn a_part_keeps_to_its_part() {
        for (text, expected) in [
            ("# Errors\nNone.", "**Errors**\n\nNone.\n"),
            ("Parameters\n----------\nx : int", "**Parameters**\n\nx : int\n"),
            (
                "a <script>b</script> `<c>` <https://x.org>",
                "a \\<script>b\\</script> `<c>` <https://x.org>\n",
            ),
            ("```rust\n# <a>\nlet x;", "```rust\n# <a>\nlet x;\n```\n"),
            ("~~~~\n```\n", "~~~~\n```\n~~~~\n"),
            ("Sends {@code x < y} to {@link #to}.<p>", "Sends `x < y` to `to`.\n"),
            ("Does.\n@param a one\n@return two", "Does.\n\n- @param a one\n- @return two\n"),
            ("a\x1b[31m\u{202e}b", "a␛[31m‹U+202E›b\n"),
            ("#hashtag\n", "#hashtag\n"),
        ] {
            assert_eq!(embedded(text, 100).0, expected, "{text}");
        }
        assert_eq!(embedded("a\nb\nc", 2), ("a\nb\n".into(), true));
        assert_eq!(embedded("```\nb\nc", 2), ("```\nb\n```\n".into(), true));
        assert_eq!(embedded("a\nb\n\n", 2), ("a\nb\n".into(), false));
    }

    #[test]
    fn summaries_are_one_sentence() {
        for (text, expected) in [
            ("Opens it. Then more.", "Opens it."),
            ("Opens e.g. this\nfile. Then more.", "Opens e.g. this file."),
            ("\n# Title\n\ntext", "Title"),
            ("Of `a. b", "Of a."),
            ("```\nx", ""),
            ("", ""),
            ("@param x", ""),
        ] {
            assert_eq!(first_sentence(text), expected, "{text}");
        }
        let long = first_sentence(&"word ".repeat(100));
        assert!(
            long.ends_with(" …") && long.chars().count() <= crate::index::chunk::doc_text::SUMMARY + 2,
            "{long}"
        );
    }

    #[test]
    fn a_file_says_first_what_it_is() {
        for (language, text, expected) in [
            ("rust", "//! What.\n//! More.\n\nuse x;\n", "What.\nMore.\n"),
            ("rust", "// Copyright x\n// licensed\n// so\n\n//! What.\n", "What.\n"),
            (
                "python",
                "#!/usr/bin/python\n# -*- coding: x -*-\n\"\"\"What.\n\nMore.\n\"\"\"\nimport x\n",
                "What.\n\nMore.\n",
            ),
            ("go", "// Package a is.\npackage a\n", "Package a is.\n"),
            ("java", "/* one */\npackage a;\n", "one\n"),
            ("java", "package a;\n/** later */\n", ""),
            ("rust", "/* never closed", ""),
            ("text", "words", ""),
            ("rust", "", ""),
        ] {
            let range = head_comment(text, language);
            let found = range.map_or(String::new(), |range| doc_text(&text[range], language));
            assert_eq!(found, expected, "{language}: {text}");
        }
    }

    #[test]
    fn code_spans_hold_anything() {
        for (text, expected) in [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a\nb", "`a␊b`")] {
            assert_eq!(code(text), expected);
        }
    }
}
