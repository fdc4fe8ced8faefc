//! AsciiDoc: lines → sections, described terms, blocks of code and links.
//!
//! Titles are marked (`== Title`) or underlined. A term of a description list (`--foo::`) is an
//! entry, so the manuals of Git have one for each option and each setting. A paragraph that is
//! neither indented nor attached with `+` ends the list.

use super::super::fences;
use super::super::lines::Lines;
use super::super::scan::Scanner;
use super::super::walk_result::WalkResult;
use super::super::{ChunkKind, Language};
use super::{
    ENTRY, Ends, Heading, LineScan, MAX_MARKUP, MAX_TARGET, Outline, main_term, page, take_char, term, title,
};
use crate::base::text::head;

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner =
    Scanner { scan: |lines| Some(scan(lines)), chunks: Some(ChunkKind::Section), is_exact: false };

/// What ends a term.
const MARKS: [&str; 4] = ["::::", ":::", "::", ";;"];

/// References with a target behind them. They are followed by `[…]`.
const REFERENCES: [&str; 5] = ["xref:", "link:", "include::", "image:", "linkgit:"];

fn scan<'t>(lines: &'t Lines<'t>) -> WalkResult<'t> {
    let ends = Ends::new(lines, |text| Some(text.trim_end()).filter(|text| delimiter(text).is_some()));
    let mut scan = Scan {
        page: Outline::new(lines),
        lines,
        ends,
        compounds: Vec::new(),
        source: None,
        lists: Vec::new(),
        is_attached: false,
    };
    scan.read(lines);
    scan.page.finish()
}

/// What a line of punctuation is around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Delimiter {
    /// Text as it is.
    Verbatim,
    Comment,
    /// Other blocks.
    Compound,
}

struct Scan<'t> {
    page: Outline<'t>,
    lines: &'t Lines<'t>,
    /// The delimiters, by their text.
    ends: Ends<'t>,
    /// The open compound blocks.
    compounds: Vec<&'t str>,
    /// The language of the block below, from the line `[source,…]`.
    source: Option<Language>,
    /// The marks of the open description lists.
    lists: Vec<&'static str>,
    /// Whether the line before attaches a block to the list.
    is_attached: bool,
}

impl<'t> LineScan<'t> for Scan<'t> {
    fn page(&mut self) -> &mut Outline<'t> {
        &mut self.page
    }

    fn blank(&mut self) {
        self.page.flush();
        self.source = None;
    }

    fn line(&mut self, line: u32) -> u32 {
        let text = self.page.at(line).trim_end();
        if let Some(kind) = delimiter(text)
            && let Some(next) = self.block(line, text, kind)
        {
            self.is_attached = false;
            return next;
        }
        if let Some((last, level, written)) = self.heading(line, text) {
            self.lists.clear();
            self.links(written);
            let name = title(&plain(written));
            self.page.open(Heading { first_line: line, last_line: last, name_line: line, level, name });
            return last + 1;
        }
        if text.starts_with("//") {
            self.page.comment(line, line);
            return line + 1;
        }
        self.links(text);
        if self.attribute(line, text) {
            return line + 1;
        }
        if text == "+" {
            self.is_attached = true;
            self.page.text_line(line, 2);
            return line + 1;
        }
        if let Some(next) = self.terms(line) {
            return next;
        }
        let content = text.trim_start();
        let is_item = is_item(content);
        if self.page.block.is_none() {
            let is_indented = content.len() < text.len();
            if !is_item && !is_indented && !self.is_attached && self.compounds.is_empty() {
                self.lists.clear();
                self.page.dedent(0);
            }
        } else if is_item {
            self.page.flush();
        }
        self.is_attached = false;
        self.page.text_line(line, 1 + u32::from(is_item) + 2 * u32::from(!self.lists.is_empty()));
        if let Some(language) = self.source.take() {
            // A paragraph of code without delimiters.
            let mut last = line;
            while last + 1 < self.lines.len() && !self.lines.blank(last + 1) {
                last += 1;
                self.page.text_line(last, 1);
            }
            self.page.fence(Some(language), (line, last), false);
            return last + 1;
        }
        line + 1
    }
}

impl<'t> Scan<'t> {
    /// Reads a block between delimiters; returns the line after it, or after its first line.
    fn block(&mut self, line: u32, text: &'t str, kind: Delimiter) -> Option<u32> {
        if kind == Delimiter::Compound {
            match self.compounds.iter().rposition(|open| *open == text) {
                Some(at) => self.compounds.truncate(at),
                None => {
                    self.ends.after(line, text)?;
                    self.compounds.push(text);
                }
            }
            self.page.flush();
            self.page.text_line(line, 2);
            return Some(line + 1);
        }
        let close = if text.starts_with("```") { "```" } else { text };
        let end = self.ends.after(line, close)?;
        if kind == Delimiter::Comment {
            self.page.comment(line, end);
        } else {
            self.page.add_text(line, end, 1 + 2 * u32::from(!self.lists.is_empty()));
            let written = fences::language(text.trim_start_matches('`')).filter(|_| text.starts_with("```"));
            let language = self.source.take().or(written);
            self.page.fence(language, (line + 1, end.saturating_sub(1)), false);
        }
        Some(end + 1)
    }

    /// Returns the last line, the level and the text of the heading that begins here.
    fn heading(&self, line: u32, text: &'t str) -> Option<(u32, u32, &'t str)> {
        let mark = text.bytes().next().filter(|byte| matches!(byte, b'=' | b'#'));
        if let Some(mark) = mark {
            let n = text.bytes().take_while(|byte| *byte == mark).count();
            let written = text.get(n..)?;
            if n > 6 || !written.starts_with(' ') {
                return None;
            }
            return Some((
                line,
                u32::try_from(n).ok()?,
                written.trim().trim_end_matches([' ', char::from(mark)]),
            ));
        }
        let is_title = self.page.block.is_none()
            && text.starts_with(|c: char| c.is_alphanumeric() || c == '`' || c == '_' || c == '{');
        if !is_title || line + 1 >= self.lines.len() {
            return None;
        }
        let below = self.page.at(line + 1).trim_end();
        let level = b"=-~^+".iter().position(|mark| below.bytes().all(|byte| byte == *mark))?;
        let fits = below.len() > 1 && below.len().abs_diff(text.chars().count()) <= 2;
        (fits && !self.compounds.contains(&below)).then_some((line + 1, u32::try_from(level).ok()? + 1, text))
    }

    /// Reads a line with attributes; returns whether it is one.
    fn attribute(&mut self, line: u32, text: &'t str) -> bool {
        let is_entry =
            text.strip_prefix(':').and_then(|rest| rest.split_once(':')).is_some_and(|(key, value)| {
                let is_key = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '!');
                !key.is_empty() && key.chars().all(is_key) && (value.is_empty() || value.starts_with(' '))
            });
        let is_list = text.starts_with('[') && text.ends_with(']') && !text.starts_with("[[[");
        // The title of a block.
        let is_title = text.starts_with('.')
            && text.get(1..).is_some_and(|rest| rest.starts_with(|c: char| !matches!(c, '.' | ' ')));
        if is_entry && self.page.block.is_none() {
            self.page.text_line(line, 1);
            return true;
        }
        if !(is_list || is_title && self.page.block.is_none()) {
            return false;
        }
        let words = text.trim_matches(['[', ']']);
        let mut words = words.split(',').map(str::trim);
        let first = words.next().unwrap_or_default();
        if is_list && (first.starts_with("source") || first.is_empty()) {
            self.source = words.next().and_then(fences::language);
        }
        if self.lists.is_empty() {
            self.page.lead_line(line);
        } else {
            self.page.flush();
            self.page.text_line(line, 3);
        }
        true
    }

    /// Reads the terms of a description list that begin here; returns the line after them.
    fn terms(&mut self, line: u32) -> Option<u32> {
        let (mark, _, is_last) = term_of(self.page.at(line))?;
        let mut terms = Vec::new();
        let (mut last, mut is_last) = (line, is_last);
        terms.push((line, self.term(line)));
        while !is_last
            && last + 1 < self.lines.len()
            && let Some((next, _, ends)) = term_of(self.page.at(last + 1))
            && next == mark
        {
            last += 1;
            is_last = ends;
            terms.push((last, self.term(last)));
        }
        let depth = match self.lists.iter().position(|open| *open == mark) {
            Some(at) => at,
            None => {
                self.lists.push(mark);
                self.lists.len() - 1
            }
        };
        self.lists.truncate(depth + 1);
        let (name_line, name) = main_term(&terms).cloned().unwrap_or_default();
        let level = ENTRY + u32::try_from(depth).unwrap_or_default();
        self.page.open(Heading { first_line: line, last_line: last, name_line, level, name });
        self.is_attached = false;
        Some(last + 1)
    }

    fn term(&self, line: u32) -> String {
        term_of(self.page.at(line)).map(|(_, written, _)| term(&plain(written))).unwrap_or_default()
    }

    /// Adds the files of references: `xref:a.adoc#b[text]`, `<<a.adoc#b>>`, `include::a.adoc[]`.
    fn links(&mut self, text: &'t str) {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('[') {
            rest = after;
            let word = before.rsplit([' ', '\t', '(', '"', ']', ',', '*', '_', '`']).next().unwrap_or(before);
            let target = REFERENCES.iter().find_map(|prefix| word.strip_prefix(prefix));
            let target = target.map(|target| target.trim_start_matches(':'));
            target.and_then(page).into_iter().for_each(|target| self.page.link(target));
        }
        rest = text;
        while let Some((_, after)) = rest.split_once("<<") {
            rest = after;
            let near = head(after, MAX_TARGET);
            let target = near.split_once(">>").map_or("", |(target, _)| target).split(',').next();
            let target = target.filter(|target| target.contains('#') || target.contains(".adoc"));
            target.and_then(page).into_iter().for_each(|target| self.page.link(target));
        }
    }
}

/// Returns what a line of punctuation delimits.
fn delimiter(text: &str) -> Option<Delimiter> {
    let mark = text.bytes().next()?;
    let is_all = |mark: u8| text.bytes().all(|byte| byte == mark);
    match mark {
        b'-' if text == "--" => Some(Delimiter::Compound),
        b'`' if text.starts_with("```") && !text.get(3..)?.contains('`') => Some(Delimiter::Verbatim),
        b'|' | b',' | b':' | b'!' if text.get(1..) == Some("===") => Some(Delimiter::Verbatim),
        b'-' | b'.' | b'+' if text.len() > 3 && is_all(mark) => Some(Delimiter::Verbatim),
        b'/' if text.len() > 3 && is_all(mark) => Some(Delimiter::Comment),
        b'=' | b'*' | b'_' if text.len() > 3 && is_all(mark) => Some(Delimiter::Compound),
        _ => None,
    }
}

/// Returns the mark and the text of a term, and whether a description is beside it.
fn term_of(line: &str) -> Option<(&'static str, &str, bool)> {
    let text = line.trim();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find([':', ';'])) {
        let at = from + at;
        let rest = text.get(at..).unwrap_or_default();
        if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            let behind = rest.get(mark.len()..).unwrap_or_default();
            if at > 0 && (behind.is_empty() || behind.starts_with([' ', '\t'])) && !is_item(text) {
                return Some((mark, text.get(..at)?, !behind.trim().is_empty()));
            }
            from = at + mark.len();
        } else {
            from = at + 1;
        }
    }
    None
}

fn is_item(content: &str) -> bool {
    let bare = content.trim_start_matches(['*', '.', '-']);
    let n = content.len() - bare.len();
    let digits = content.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = digits.len() < content.len() && digits.starts_with(". ");
    (1..6).contains(&n) && bare.starts_with([' ', '\t']) || is_number
}

/// Returns a text without its marks of code, emphasis and links.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = head(text, MAX_MARKUP);
    while let Some(c) = take_char(&mut rest) {
        let after = rest;
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        match c {
            '`' | '*' => {}
            '_' if !(is_word(out.chars().next_back()) && is_word(after.chars().next())) => {}
            '[' if after.starts_with('[') => {
                rest = after.split_once("]]").map_or(after, |(_, rest)| rest);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_lists() {
        for (line, expected) in [
            ("--foo=<x>::", Some(("::", "--foo=<x>", false))),
            ("a b:: text", Some(("::", "a b", true))),
            ("  deep;;", Some((";;", "deep", false))),
            ("std::map is", None),
            ("std::map:: x", Some(("::", "std::map", true))),
            ("include::a[]", None),
            ("- a:: b", None),
            ("::", None),
        ] {
            assert_eq!(term_of(line), expected, "{line}");
        }
    }

    #[test]
    fn titles() {
        for (written, name) in [
            ("The `a_b` *option*", "The a_b option"),
            ("`--file`=_<path>_", "--file=<path>"),
            ("[[id]]Text", "Text"),
            ("C++ code", "C++ code"),
            ("a + b", "a + b"),
        ] {
            assert_eq!(plain(written), name);
        }
    }

    #[test]
    fn delimiters() {
        assert_eq!(delimiter("----"), Some(Delimiter::Verbatim));
        assert_eq!(delimiter("--"), Some(Delimiter::Compound));
        assert_eq!(delimiter("==="), None);
        assert_eq!(delimiter("|==="), Some(Delimiter::Verbatim));
        assert_eq!(delimiter("////"), Some(Delimiter::Comment));
        assert!(
            is_item("* a") && is_item(".. b") && is_item("1. c") && !is_item("--foo") && !is_item("**a**")
        );
    }
}
