//! Man pages: lines of roff with the macros `man` or `mdoc` → sections, entries and links.
//!
//! The title (`.TH`, `.Dt`) is around all sections. A tagged paragraph (`.TP`, `.IP`) and an item
//! of a list (`.It`) are entries if their tag has a letter, so each option has its own lines. Names
//! are those that a reader sees: `--foo`, not `\fB\-\-foo\fR`.

use super::super::ChunkKind;
use super::super::lines::Lines;
use super::super::scan::Scanner;
use super::super::walk_result::WalkResult;
use super::roff_text::{is_comment, of_line, request};
use super::{ENTRY, Heading, LineScan, MAX_LISTS, Outline, page, term, title};

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner =
    Scanner { scan: |lines| Some(scan(lines)), chunks: Some(ChunkKind::Section), is_exact: false };

/// Most lines between `.TP` and its tag.
const MAX_BETWEEN: u32 = 4;

fn scan<'t>(lines: &'t Lines<'t>) -> WalkResult<'t> {
    let mut scan = Scan { page: Outline::new(lines), lines, depth: 0 };
    scan.read(lines);
    scan.page.finish()
}

struct Scan<'t> {
    page: Outline<'t>,
    lines: &'t Lines<'t>,
    /// The open indentations and lists.
    depth: u32,
}

impl<'t> LineScan<'t> for Scan<'t> {
    fn page(&mut self) -> &mut Outline<'t> {
        &mut self.page
    }

    fn line(&mut self, line: u32) -> u32 {
        let text = self.page.at(line);
        if is_comment(text) {
            return self.page.comments(line, is_comment);
        }
        let Some((name, behind)) = request(text) else {
            self.page.text_line(line, 1 + self.depth);
            return line + 1;
        };
        match name {
            "TH" | "Dt" => {
                self.page.open(Heading::on(line, 0, title(&of_line(&tag_of(behind)))));
                line + 1
            }
            "SH" | "Sh" | "SS" | "Ss" => {
                let level = if name.eq_ignore_ascii_case("sh") { 1 } else { 2 };
                self.depth = 0;
                self.section(line, level, behind)
            }
            "TP" | "TQ" | "It" | "IP" => self.entry(line, name, behind),
            "RS" | "Bl" => {
                self.page.flush();
                self.depth = (self.depth + 1).min(MAX_LISTS);
                self.page.text_line(line, 1 + self.depth);
                line + 1
            }
            "RE" | "El" => {
                self.page.text_line(line, 1 + self.depth);
                self.page.flush();
                self.page.dedent(self.depth);
                self.depth = self.depth.saturating_sub(1);
                line + 1
            }
            "PP" | "P" | "LP" | "Pp" | "sp" => {
                self.page.flush();
                if !matches!(name, "Pp" | "sp") {
                    self.page.dedent(self.depth);
                }
                self.page.text_line(line, 1 + self.depth);
                line + 1
            }
            _ => {
                self.links(name, behind);
                self.page.text_line(line, 1 + self.depth);
                line + 1
            }
        }
    }
}

impl<'t> Scan<'t> {
    /// Begins a section; its title can stand on the next line.
    fn section(&mut self, line: u32, level: u32, behind: &str) -> u32 {
        let is_below = behind.is_empty() && line + 1 < self.lines.len() && !self.lines.blank(line + 1);
        let name_line = if is_below { line + 1 } else { line };
        let name = title(&of_line(self.page.at(name_line)));
        self.page.open(Heading { first_line: line, last_line: name_line, name_line, level, name });
        name_line + 1
    }

    /// Begins an entry.
    fn entry(&mut self, line: u32, name: &str, behind: &'t str) -> u32 {
        let tag_line = match name {
            "TP" | "TQ" => self.tag_line(line),
            // The tag is on the next lines, up to `.Xc`.
            "It" if behind == "Xo" => Some(line + 1).filter(|&next| next < self.lines.len()),
            _ => Some(line),
        };
        let (last_line, tag) = match tag_line {
            Some(at) if at != line => (at, of_line(self.page.at(at))),
            _ if name == "IP" => (line, of_line(&tag_of(behind))),
            // A further column (`Ta`) describes the first one.
            _ => (line, of_line(self.page.at(line).split(" Ta").next().unwrap_or_default())),
        };
        let tag = term(&tag);
        if name == "IP" && tag.is_empty() {
            // A further paragraph, or an item with a bullet.
            self.page.flush();
            if !behind.is_empty() {
                self.page.dedent(self.depth);
            }
            self.page.text_line(line, 1 + self.depth);
            return line + 1;
        }
        self.page.dedent(self.depth);
        let level = ENTRY + self.depth;
        self.page.open(Heading { first_line: line, last_line, name_line: last_line, level, name: tag });
        last_line + 1
    }

    /// Returns the line with the tag of a `.TP`.
    fn tag_line(&self, line: u32) -> Option<u32> {
        let below = line + 1..self.lines.len().min(line + 1 + MAX_BETWEEN);
        let tag = below.into_iter().find(|&next| {
            let text = self.page.at(next);
            let is_setting =
                request(text).is_some_and(|(name, _)| matches!(name, "PD" | "TP" | "nf" | "fi" | "ns"));
            !is_setting && !is_comment(text) && !text.trim().is_empty()
        })?;
        let is_head = request(self.page.at(tag))
            .is_some_and(|(name, _)| matches!(name, "SH" | "SS" | "PP" | "RS" | "RE"));
        (!is_head).then_some(tag)
    }

    /// Adds the pages that a request names: `.so man1/a.1`, `.Xr a 1`, `.BR a (1)`.
    fn links(&mut self, name: &str, behind: &'t str) {
        let target = match name {
            "so" => page(behind),
            "Xr" => {
                let mut ends = behind.match_indices(' ').map(|(at, _)| at);
                ends.next();
                let end = ends.next().unwrap_or(behind.len());
                behind.get(..end).filter(|target| is_page(target))
            }
            "BR" | "IR" => {
                behind.find(')').and_then(|end| behind.get(..=end)).filter(|target| is_page(target))
            }
            _ => None,
        };
        target.into_iter().for_each(|target| self.page.link(target));
    }
}

/// Returns whether a text names a page and its section: `a 1` or `a (1)`.
fn is_page(target: &str) -> bool {
    let Some((name, section)) = target.split_once(' ') else { return false };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | ':');
    let section = section.trim_start_matches('(').trim_end_matches(')');
    !name.is_empty()
        && name.chars().all(is_name)
        && section.starts_with(|c: char| c.is_ascii_digit())
        && section.len() < 5
        && section.chars().all(char::is_alphanumeric)
}

/// Returns the first argument of a request: a word, or a text in quotation marks.
fn tag_of(behind: &str) -> String {
    match behind.strip_prefix('"') {
        Some(rest) => rest.split('"').next().unwrap_or_default().to_owned(),
        None => {
            // A blank can be escaped.
            let mut end = 0;
            let mut is_escaped = false;
            for (at, c) in behind.char_indices() {
                if c.is_whitespace() && !is_escaped {
                    break;
                }
                is_escaped = c == '\\' && !is_escaped;
                end = at + c.len_utf8();
            }
            behind.get(..end).unwrap_or_default().to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags() {
        for (behind, tag) in
            [(r#""\-f file" 4"#, r"\-f file"), (r"\-f\ x 4", r"\-f\ x"), ("", ""), (r"\(bu 2", r"\(bu")]
        {
            assert_eq!(tag_of(behind), tag);
        }
    }

    #[test]
    fn pages() {
        for (target, expected) in
            [("tmux 1", true), ("git-add (1)", true), ("printf (3p)", true), ("a b", false), ("a", false)]
        {
            assert_eq!(is_page(target), expected, "{target}");
        }
    }
}
