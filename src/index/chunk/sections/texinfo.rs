//! Texinfo: lines → chapters, described items, examples and links.
//!
//! `@node` belongs to the heading below it. `@item`, `@itemx` and the `@def…` commands are entries
//! if they name something.

use super::super::ChunkKind;
use super::super::lines::{Lines, offset};
use super::super::scan::Scanner;
use super::super::walk_result::WalkResult;
use super::{
    ENTRY, Ends, Heading, LineScan, MAX_LISTS, MAX_MARKUP, Outline, main_term, page, take_char, term, title,
};
use crate::base::text::head;

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner =
    Scanner { scan: |lines| Some(scan(lines)), chunks: Some(ChunkKind::Section), is_exact: false };

/// The commands of each level.
const LEVELS: [&[&str]; 5] = [
    &["settitle"],
    &["top", "chapter", "unnumbered", "appendix", "chapheading", "majorheading"],
    &["section", "unnumberedsec", "appendixsec", "heading"],
    &["subsection", "unnumberedsubsec", "appendixsubsec", "subheading"],
    &["subsubsection", "unnumberedsubsubsec", "appendixsubsubsec", "subsubheading"],
];

/// Environments with text as it is.
const VERBATIM: [&str; 8] =
    ["display", "example", "format", "ignore", "lisp", "smallexample", "smalllisp", "verbatim"];

/// Environments with items.
const LISTS: [&str; 5] = ["enumerate", "ftable", "itemize", "table", "vtable"];

fn scan<'t>(lines: &'t Lines<'t>) -> WalkResult<'t> {
    let ends = Ends::new(lines, |text| text.trim().strip_prefix("@end ").map(str::trim));
    let mut scan = Scan { page: Outline::new(lines), lines, ends, lists: 0 };
    scan.read(lines);
    scan.page.finish()
}

struct Scan<'t> {
    page: Outline<'t>,
    lines: &'t Lines<'t>,
    /// The lines that end environments.
    ends: Ends<'t>,
    /// The number of open lists.
    lists: u32,
}

impl<'t> LineScan<'t> for Scan<'t> {
    fn page(&mut self) -> &mut Outline<'t> {
        &mut self.page
    }

    fn line(&mut self, line: u32) -> u32 {
        let content = self.page.at(line).trim();
        let depth = 1 + self.lists;
        let end = content.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(content.len());
        let (command, behind) = content.split_at_checked(end).unwrap_or((content, ""));
        let Some(command) = command.strip_prefix('@') else {
            self.page.text_line(line, depth);
            return line + 1;
        };
        let behind = behind.trim();
        if let Some(level) = LEVELS.iter().position(|all| all.contains(&command)) {
            self.lists = 0;
            self.page.open(Heading::on(line, offset(level), title(&plain(behind))));
            return line + 1;
        }
        match command {
            "c" | "comment" => self.page.comment(line, line),
            "node" | "anchor" => self.page.lead_line(line),
            "include" | "verbatiminclude" => {
                page(behind).into_iter().for_each(|target| self.page.link(target));
                self.page.text_line(line, depth);
            }
            "item" | "itemx" => return self.items(line),
            "end" => {
                self.page.text_line(line, depth);
                if LISTS.contains(&behind) && self.lists > 0 || behind.starts_with("def") {
                    self.page.flush();
                    self.page.dedent(self.lists);
                    self.lists = self.lists.saturating_sub(u32::from(!behind.starts_with("def")));
                }
            }
            _ if VERBATIM.contains(&command) && self.ends.after(line, command).is_some() => {
                let end = self.ends.after(line, command).unwrap_or(line);
                if command == "ignore" {
                    self.page.comment(line, end);
                } else {
                    self.page.add_text(line, end, depth);
                }
                return end + 1;
            }
            _ if LISTS.contains(&command) => {
                self.page.flush();
                self.page.text_line(line, depth);
                self.lists = (self.lists + 1).min(MAX_LISTS);
            }
            _ if command.starts_with("def") && !behind.is_empty() && !command.starts_with("defcodeindex") => {
                self.page.dedent(self.lists);
                let name = term(&defined(command, behind));
                self.page.open(Heading::on(line, ENTRY + self.lists, name));
            }
            _ => self.page.text_line(line, depth),
        }
        line + 1
    }
}

impl<'t> Scan<'t> {
    /// Reads the items that begin here; returns the line after them.
    fn items(&mut self, line: u32) -> u32 {
        let mut last = line;
        while last + 1 < self.lines.len() && self.page.at(last + 1).trim_start().starts_with("@itemx ") {
            last += 1;
        }
        let name = |at: u32| {
            let text = self.page.at(at).trim().trim_start_matches("@itemx").trim_start_matches("@item");
            term(&plain(text))
        };
        let terms: Vec<(u32, String)> = (line..=last).map(|at| (at, name(at))).collect();
        self.page.flush();
        self.page.dedent(self.lists);
        let (name_line, name) = main_term(&terms).cloned().unwrap_or_default();
        self.page.open(Heading {
            first_line: line,
            last_line: last,
            name_line,
            level: ENTRY + self.lists,
            name,
        });
        last + 1
    }
}

/// Returns what a `@def…` command describes. Some begin with a category, which can be in braces.
fn defined(command: &str, behind: &str) -> String {
    let has_category = matches!(
        command.trim_end_matches('x'),
        "deffn"
            | "defvr"
            | "deftp"
            | "defcv"
            | "defop"
            | "deftypefn"
            | "deftypevr"
            | "deftypeop"
            | "deftypecv"
    );
    let mut rest = behind;
    if has_category {
        rest = match rest.strip_prefix('{') {
            Some(inner) => inner.split_once('}').map_or("", |(_, rest)| rest),
            None => rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest),
        };
    }
    if command.starts_with("deftype") {
        // The type stands before the name.
        rest = rest.trim_start();
        rest = match rest.strip_prefix('{') {
            Some(inner) => inner.split_once('}').map_or("", |(_, rest)| rest),
            None => rest.split_once(char::is_whitespace).map_or("", |(_, rest)| rest),
        };
    }
    plain(rest.split_whitespace().next().unwrap_or_default())
}

/// Returns a text without commands and braces.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = head(text, MAX_MARKUP);
    while let Some(c) = take_char(&mut rest) {
        let after = rest;
        match c {
            '@' if after.starts_with(['@', '{', '}']) => {
                out.push_str(after.get(..1).unwrap_or_default());
                rest = after.get(1..).unwrap_or_default();
            }
            '@' => {
                let end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
                rest = after.get(end..).unwrap_or_default();
            }
            '{' | '}' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(plain("The @code{a_b} of a@@b.c"), "The a_b of a@b.c");
        for (command, behind, name) in [
            ("deffn", "{User Option} org-roam-dir x", "org-roam-dir"),
            ("defun", "car list", "car"),
            ("deftypefun", "int main (void)", "main"),
            ("deftypefn", "{Library Function} {const char *} name (int x)", "name"),
            ("defvar", "x", "x"),
        ] {
            assert_eq!(defined(command, behind), name);
        }
    }
}
