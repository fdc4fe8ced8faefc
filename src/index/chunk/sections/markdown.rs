//! Markdown: lines → sections, blocks and links.
//!
//! This scanner reads lines instead of using a grammar. The tree-sitter grammar for Markdown is
//! slower, and it finds links only with a second parse of every paragraph.
//!
//! Sections nest by the level of their headings: `#`, underlined, and `<h1>…</h1>` on one line. A
//! fence or comment that is not closed is an ordinary line, so that it doesn't swallow the rest of
//! the document.

use super::super::atom::AtomKind;
use super::super::fences;
use super::super::lines::{Lines, offset};
use super::super::mention::MAX_NAME;
use super::super::scan::Scanner;
use super::super::walk_result::WalkResult;
use super::super::{ByteRange, ChunkKind, Language};
use super::{Heading, MAX_TARGET, Outline, file};
use crate::base::text::head;

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner =
    Scanner { scan: |lines| Some(scan(lines)), chunks: Some(ChunkKind::Section), is_exact: false };

/// Most lines with imports above such a statement.
const MAX_IMPORTS: usize = 200;

/// Most lines of a statement of JavaScript between paragraphs.
const MAX_STATEMENT: u32 = 200;

/// Scans a document.
fn scan<'t>(lines: &'t Lines<'t>) -> WalkResult<'t> {
    let mut scan = Scan {
        page: Outline::new(lines),
        lines,
        in_list: false,
        closing: closing(lines),
        unclosed: [usize::MAX; 2],
        no_comment_ends: false,
    };
    let mut line = scan.front_matter();
    while line < lines.len() {
        line = scan.line(line);
    }
    scan.flush();
    scan.page.finish()
}

struct Scan<'t> {
    page: Outline<'t>,
    lines: &'t Lines<'t>,
    in_list: bool,
    /// The lines that can close a fence, with the fence's length; first for backticks, then for
    /// tildes.
    closing: [Vec<(u32, usize)>; 2],
    /// For either kind: no fence of at least this length is closed further down.
    unclosed: [usize; 2],
    no_comment_ends: bool,
}

impl<'t> Scan<'t> {
    /// Reads the metadata at the beginning; returns the line after it.
    fn front_matter(&mut self) -> u32 {
        let mark = self.page.at(0).trim_end();
        if mark != "---" && mark != "+++" {
            return 0;
        }
        let is_end = |line: &u32| {
            let text = self.page.at(*line).trim_end();
            text == mark || (mark == "---" && text == "...")
        };
        let Some(end) = (1..self.lines.len()).find(is_end) else { return 0 };
        self.page.add(0, end, 1, AtomKind::Head);
        end + 1
    }

    /// Reads one line, or the block that begins with it; returns the line after that.
    fn line(&mut self, line: u32) -> u32 {
        if self.lines.blank(line) {
            self.flush();
            return line + 1;
        }
        let text = self.page.at(line);
        let content = text.trim_start();
        let indent = text.len() - content.len();
        if let Some(end) = self.fence_end(line, content) {
            let depth = if self.in_list && indent > 1 { 3 } else { 1 };
            self.flush();
            self.page.add_text(line, end, depth);
            self.fence(line, end);
            return end + 1;
        }
        if indent == 0
            && self.page.block.is_none()
            && let Some(end) = self.module_end(line, content)
        {
            self.flush();
            self.page.add_text(line, end, 1);
            if let Some(language) = Language::from_name("javascript") {
                let lines = (line, end);
                let fence = fences::Fence { language, lines, indent: 0, has_prompts: false, is_cell: true };
                self.page.fences.push(fence);
            }
            return end + 1;
        }
        let marked = indent < 4;
        if marked
            && content.starts_with("<!--")
            && let Some(end) = self.comment_end(line)
        {
            self.flush();
            let bytes = self.page.range(line, end);
            let start = bytes.start + offset(indent);
            let within =
                ByteRange { start, ..bytes }.of(self.lines.text()).rfind("-->").map_or(0, |at| at + 3);
            self.page.out.comments.push(ByteRange { start, end: start + offset(within) });
            self.page.add(line, end, 1, AtomKind::Comment);
            self.page.plain_links(bytes);
            return end + 1;
        }
        let heading = if marked { atx(content).or_else(|| html_heading(content)) } else { None };
        if let Some((level, title)) = heading {
            self.section(line, line, level, title);
            return line + 1;
        }
        let is_item = is_list_item(content) && (marked || self.in_list);
        if marked && self.page.block.is_none() && !is_item && !content.starts_with(['>', '|']) {
            let underline =
                if line + 1 < self.lines.len() { underline(self.page.at(line + 1)) } else { None };
            if let Some(level) = underline {
                self.section(line, line + 1, level, content);
                return line + 2;
            }
        }
        if is_item {
            self.flush();
            self.in_list = true;
        }
        if self.page.block.is_none() {
            self.in_list &= is_item || indent > 1;
        }
        let depth = if self.in_list { 2 + offset(indent / 2) } else { 1 };
        self.page.text_line(line, depth);
        line + 1
    }

    /// Returns the last line of the fenced block that begins here.
    fn fence_end(&mut self, line: u32, content: &str) -> Option<u32> {
        let (mark, length) = fence(content)?;
        let kind = usize::from(mark == b'~');
        let unclosed = self.unclosed.get_mut(kind).filter(|unclosed| length < **unclosed)?;
        let closing = self.closing.get(kind).map(Vec::as_slice).unwrap_or_default();
        let below = closing.get(closing.partition_point(|(at, _)| *at <= line)..).unwrap_or_default();
        let end = below.iter().find(|(_, closed)| *closed >= length).map(|(at, _)| *at);
        if end.is_none() {
            *unclosed = length;
        }
        end
    }

    /// Remembers a fenced block on these lines if its language can be read.
    fn fence(&mut self, line: u32, end: u32) {
        let text = self.page.at(line);
        let Some(at) = text.find(['`', '~']) else { return };
        let info = text.get(at..).unwrap_or_default().trim_start_matches(['`', '~']);
        let lines = (line + 1, end.saturating_sub(1));
        if let Some(language) = fences::language(info.trim()).filter(|_| lines.0 <= lines.1) {
            let (indent, is_cell) = (offset(at), fences::is_cell(info.trim()));
            self.page.fences.push(fences::Fence { language, lines, indent, has_prompts: false, is_cell });
        }
    }

    /// Returns the last line of the statement of a module that begins here. MDX has them between
    /// paragraphs (<https://mdxjs.com/docs/what-is-mdx/#esm>).
    fn module_end(&self, line: u32, content: &str) -> Option<u32> {
        if content.starts_with("import ") {
            // Imports may stand directly above.
            let next = (line + 1..self.lines.len()).take(MAX_IMPORTS);
            let first = next.map(|at| (at, self.page.at(at))).find(|(_, text)| !text.starts_with("import "));
            return first.and_then(|(at, text)| self.module_end(at, text));
        }
        let (word, rest) = content.strip_prefix("export ")?.trim_start().split_once([' ', '('])?;
        let is_statement =
            matches!(word, "async" | "class" | "const" | "default" | "function" | "let" | "var")
                && rest.contains(['=', '(', '{']);
        let last = line.saturating_add(MAX_STATEMENT).min(self.lines.len());
        let mut depth = 0_usize;
        for at in (line..last).filter(|_| is_statement) {
            if depth == 0 && self.lines.blank(at) {
                return at.checked_sub(1);
            }
            for byte in self.page.at(at).bytes() {
                match byte {
                    b'(' | b'[' | b'{' => depth += 1,
                    b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            if depth == 0 && at + 1 == self.lines.len() {
                return Some(at);
            }
        }
        None
    }

    /// Returns the last line of the comment that begins here.
    fn comment_end(&mut self, line: u32) -> Option<u32> {
        if self.no_comment_ends {
            return None;
        }
        let from = self.lines.start(line);
        let end = self.lines.text().get(from as usize..).and_then(|rest| rest.find("-->"));
        self.no_comment_ends = end.is_none();
        end.map(|at| self.lines.of(from + offset(at)))
    }

    /// Begins a section whose heading is on these lines.
    fn section(&mut self, first_line: u32, last_line: u32, level: usize, title: &str) {
        self.flush();
        self.in_list = false;
        let name = plain(title);
        let heading = Heading { first_line, last_line, name_line: first_line, level: offset(level), name };
        self.page.open(heading);
        self.targets(self.page.range(first_line, last_line));
    }

    /// Ends the current block.
    fn flush(&mut self) {
        if let Some(bytes) = self.page.flush() {
            self.targets(bytes);
        }
    }

    /// Adds the targets of links and images: `[…](target)`, `[…]: target`, `href="target"`.
    fn targets(&mut self, bytes: ByteRange) {
        let text = bytes.of(self.lines.text());
        for mark in ["](", "]:", "href=\"", "src=\""] {
            let mut from = 0;
            while let Some(at) = text.get(from..).and_then(|rest| rest.find(mark)) {
                from += at + mark.len();
                let rest = text.get(from..).unwrap_or_default().trim_start_matches([' ', '<']);
                let rest = head(rest, MAX_TARGET + 1);
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ')' | '>' | '"'));
                let target = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                if let Some(file) = file(target) {
                    self.page.link(file);
                }
            }
        }
    }
}

/// Returns the lines that can close a fence.
fn closing(lines: &Lines<'_>) -> [Vec<(u32, usize)>; 2] {
    let mut closing = [Vec::new(), Vec::new()];
    for line in 0..lines.len() {
        let bytes = ByteRange { start: lines.start(line), end: lines.end(line) };
        let text = bytes.of(lines.text()).trim();
        for (all, mark) in closing.iter_mut().zip([b'`', b'~']) {
            if text.len() >= 3 && text.bytes().all(|byte| byte == mark) {
                all.push((line, text.len()));
            }
        }
    }
    closing
}

/// Returns the character that a fence consists of, and its length.
fn fence(content: &str) -> Option<(u8, usize)> {
    // A list item can begin with a fence.
    let content = if is_list_item(content) {
        content.trim_start_matches(|c: char| !c.is_whitespace()).trim_start()
    } else {
        content
    };
    let mark = content.bytes().next().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = content.bytes().take_while(|byte| *byte == mark).count();
    let info = content.get(length..).unwrap_or_default();
    (length >= 3 && !(mark == b'`' && info.contains('`'))).then_some((mark, length))
}

/// Returns level and title of a heading with `#`.
fn atx(content: &str) -> Option<(usize, &str)> {
    let title = content.trim_start_matches('#');
    let level = content.len() - title.len();
    ((1..=6).contains(&level) && (title.is_empty() || title.starts_with([' ', '\t'])))
        .then_some((level, title))
}

/// Returns level and title of a heading in HTML.
fn html_heading(content: &str) -> Option<(usize, &str)> {
    let rest = content.strip_prefix("<h").or_else(|| content.strip_prefix("<H"))?;
    let level = rest.bytes().next().filter(u8::is_ascii_digit).map(|byte| usize::from(byte - b'0'))?;
    let (tag, title) = rest.split_once('>')?;
    let title = title.split("</h").next()?;
    let is_heading =
        (1..=6).contains(&level) && tag.get(1..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    (is_heading && content.contains("</h")).then_some((level, title))
}

/// Returns the level of the heading that a line underlines.
fn underline(text: &str) -> Option<usize> {
    let content = text.trim();
    let all = |mark| content.bytes().all(|byte| byte == mark);
    if content.is_empty() || text.len() - text.trim_start().len() > 3 {
        None
    } else if all(b'=') {
        Some(1)
    } else {
        (all(b'-') && content.len() > 1).then_some(2)
    }
}

fn is_list_item(content: &str) -> bool {
    let digits = content.len() - content.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = content.get(digits..).unwrap_or_default();
    let marks: &[char] = if digits == 0 { &['-', '*', '+'] } else { &['.', ')'] };
    digits <= 9
        && rest.strip_prefix(marks).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Returns a title without its markup: emphasis, code, links, tags, `{#id}`, and the closing `#`.
fn plain(title: &str) -> String {
    let mut title = head(title.trim(), 4 * MAX_NAME);
    if title.ends_with('}')
        && let Some(at) = title.rfind("{#")
    {
        title = title.get(..at).unwrap_or_default().trim_end();
    }
    let open = title.trim_end_matches('#');
    if open.is_empty() || open.ends_with([' ', '\t']) {
        title = open.trim_end();
    }
    let mut name = String::new();
    let mut rest = title;
    let mut in_code = false;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        // The text after the markup that begins here.
        let skipped = match c {
            '`' => {
                in_code = !in_code;
                Some(after)
            }
            _ if in_code => None,
            '*' | '[' | '\\' => Some(after),
            '!' if after.starts_with('[') => after.split_once(')').map(|(_, rest)| rest),
            ']' if after.starts_with('(') => Some(after.split_once(')').map_or(after, |(_, rest)| rest)),
            ']' if after.starts_with('[') => Some(after.split_once(']').map_or(after, |(_, rest)| rest)),
            ']' => Some(after),
            '<' if after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') => {
                after.split_once('>').map(|(_, rest)| rest)
            }
            _ => None,
        };
        if skipped.is_none() {
            if c.is_whitespace() {
                if !name.is_empty() && !name.ends_with(' ') {
                    name.push(' ');
                }
            } else {
                name.push(c);
            }
        }
        if name.len() >= MAX_NAME - 4 {
            break;
        }
        rest = skipped.unwrap_or(after);
    }
    name.truncate(name.trim_end().len());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        for (written, name) in [
            (" Install ##", "Install"),
            (" C# ", "C#"),
            (" The `a_b*` *option*  {#option}", "The a_b* option"),
            (" [1.2.0](https://x.org/(a)) - **new**", "1.2.0) - new"),
            (" ![logo](a.png) cora <a name=\"x\"></a>", "cora"),
            (" \\# a < b", "# a < b"),
            (" ##", ""),
        ] {
            assert_eq!(plain(written), name);
        }
    }

    #[test]
    fn takes_no_time_for_hostile_text() {
        let long = "x\n".repeat(200_000);
        let fences: String = (3..900).rev().map(|n| format!("{} a\n", "`".repeat(n))).collect();
        for text in [
            format!("# {}\n{long}", "](".repeat(100_000)),
            format!("{}\n{long}", "](".repeat(100_000)),
            format!("{fences}{long}"),
            format!("{}{long}", "<!--\n".repeat(50_000)),
            format!("{}{long}", "# a\n###### b\n".repeat(20_000)),
        ] {
            assert!(!scan(&Lines::new(&text)).atoms.is_empty());
        }
    }

    #[test]
    fn headings() {
        assert_eq!(atx("## a"), Some((2, " a")));
        assert_eq!(atx("#a"), None);
        assert_eq!(atx("####### a"), None);
        assert_eq!(html_heading("<h1 align=\"center\">cora</h1>"), Some((1, "cora")));
        assert_eq!(html_heading("<hr>"), None);
        assert_eq!(underline("==="), Some(1));
        assert_eq!(underline("-- "), Some(2));
        assert_eq!(underline("- -"), None);
    }
}
