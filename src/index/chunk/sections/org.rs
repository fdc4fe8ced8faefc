//! Org: lines → sections, blocks of code and links.
//!
//! A headline's name is its title without the keyword, the priority and the tags. `#+TITLE:` is the
//! section around all others. A term of a list (`- term :: text`) is an entry.

use super::super::ChunkKind;
use super::super::fences;
use super::super::lines::Lines;
use super::super::scan::Scanner;
use super::super::walk_result::WalkResult;
use super::{ENTRY, Ends, Heading, LineScan, Outline, file, page, term, title, with_shown_links};
use crate::base::text::head;

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner =
    Scanner { scan: |lines| Some(scan(lines)), chunks: Some(ChunkKind::Section), is_exact: false };

/// Keywords that are not part of a title.
const KEYWORDS: [&str; 14] = [
    concat!("TO", "DO"),
    "DONE",
    "NEXT",
    "WAIT",
    "WAITING",
    "HOLD",
    "CANCELED",
    "CANCELLED",
    "STARTED",
    "PROJ",
    "KILL",
    "STRT",
    "IDEA",
    "COMMENT",
];

fn scan<'t>(lines: &'t Lines<'t>) -> WalkResult<'t> {
    let ends = Ends::new(lines, |text| {
        let end = text.trim();
        if end.get(..6).is_some_and(|begin| begin.eq_ignore_ascii_case("#+end_")) {
            return Some("block");
        }
        if end.eq_ignore_ascii_case(":end:") {
            return Some("drawer");
        }
        headline(text).map(|_| "headline")
    });
    let mut scan = Scan { page: Outline::new(lines), ends };
    scan.read(lines);
    scan.page.finish()
}

struct Scan<'t> {
    page: Outline<'t>,
    /// The ends of blocks and of drawers, and the headlines.
    ends: Ends<'t>,
}

impl<'t> LineScan<'t> for Scan<'t> {
    fn page(&mut self) -> &mut Outline<'t> {
        &mut self.page
    }

    fn line(&mut self, line: u32) -> u32 {
        let text = self.page.at(line);
        let content = text.trim();
        let indent = self.page.indent(line);
        if let Some((level, written)) = headline(text) {
            self.links(written);
            self.page.open(Heading::on(line, level, title(&plain(headline_title(written)))));
            return line + 1;
        }
        if let Some(keyword) = content.strip_prefix("#+") {
            return self.keyword(line, indent, keyword);
        }
        self.page.dedent(indent);
        if content == "#" || content.starts_with("# ") {
            return self.page.comments(line, |next| next.trim_start().starts_with("# "));
        }
        if is_drawer(content)
            && let Some(end) = self.end(line, "drawer")
        {
            self.page.add_text(line, end, 2);
            return end + 1;
        }
        self.links(content);
        if let Some(item) = item(content) {
            self.page.flush();
            if let Some((written, _)) =
                item.split_once(" ::").filter(|(_, rest)| rest.is_empty() || rest.starts_with(' '))
            {
                self.page.open(Heading::on(line, ENTRY + indent, term(&plain(written))));
                return line + 1;
            }
        }
        let depth = 1 + indent / 2 + u32::from(item(content).is_some());
        self.page.text_line(line, depth);
        line + 1
    }
}

impl<'t> Scan<'t> {
    /// Returns where the block or drawer ends that begins here. It ends before the next headline.
    fn end(&self, line: u32, kind: &str) -> Option<u32> {
        let end = self.ends.after(line, kind)?;
        self.ends.after(line, "headline").is_none_or(|next| end < next).then_some(end)
    }

    /// Reads a line that begins with `#+`.
    fn keyword(&mut self, line: u32, indent: u32, keyword: &'t str) -> u32 {
        let starts =
            |with: &str| keyword.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
        if starts("begin_")
            && let Some(end) = self.end(line, "block")
        {
            self.page.dedent(indent);
            self.page.add_text(line, end, 1 + indent / 2);
            let info = keyword.get("begin_src".len()..).filter(|_| starts("begin_src"));
            let language = info.and_then(|info| fences::language(info.trim()));
            self.page.fence(language, (line + 1, end.saturating_sub(1)), false);
            return end + 1;
        }
        if starts("title:") && self.page.out.declarations.is_empty() {
            let written = keyword.get("title:".len()..).unwrap_or_default();
            self.page.open(Heading::on(line, 0, title(&plain(written))));
            return line + 1;
        }
        if starts("include:") || starts("setupfile:") {
            let written = keyword.split_once(':').map_or("", |(_, rest)| rest.trim());
            let target = match written.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next(),
                None => written.split_whitespace().next(),
            };
            target.and_then(page).into_iter().for_each(|target| self.page.link(target));
        }
        self.page.text_line(line, 1);
        line + 1
    }

    /// Adds the files of links: `[[file:path::place][text]]`, `[[./path]]`.
    fn links(&mut self, text: &'t str) {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once("[[") {
            let target = head(after, super::MAX_TARGET).split([']', '[']).next().unwrap_or_default();
            rest = after;
            let target = target.strip_prefix("file:").unwrap_or(target);
            let target = target.split("::").next().unwrap_or(target);
            file(target).into_iter().for_each(|target| self.page.link(target));
        }
    }
}

/// Returns level and text of a headline.
fn headline(text: &str) -> Option<(u32, &str)> {
    let rest = text.trim_start_matches('*');
    let level = u32::try_from(text.len() - rest.len()).unwrap_or(u32::MAX);
    (level > 0 && rest.starts_with(' ')).then_some((level.min(ENTRY - 1), rest.trim()))
}

/// Returns a headline's text without keyword, priority and tags.
fn headline_title(text: &str) -> &str {
    let mut title = text;
    if let Some((first, rest)) = title.split_once(' ')
        && KEYWORDS.contains(&first)
    {
        title = rest.trim_start();
    }
    if let Some(rest) = title.strip_prefix("[#") {
        title = rest.split_once(']').map_or(title, |(_, rest)| rest.trim_start());
    }
    if let Some((before, tags)) = title.rsplit_once(' ')
        && tags.len() > 2
        && tags.starts_with(':')
        && tags.ends_with(':')
    {
        title = before.trim_end();
    }
    title
}

fn is_drawer(content: &str) -> bool {
    let name = content.strip_prefix(':').and_then(|rest| rest.strip_suffix(':'));
    name.is_some_and(|name| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
    })
}

/// Returns the text of an item of a list.
fn item(content: &str) -> Option<&str> {
    let marked = content.strip_prefix("- ").or_else(|| content.strip_prefix("+ "));
    let digits = content.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = (1..4).contains(&(content.len() - digits.len()));
    marked.or_else(|| digits.strip_prefix(['.', ')'])?.strip_prefix(' ').filter(|_| is_number))
}

/// Returns a text without its markup: links become their descriptions, and the marks around code
/// are left out.
fn plain(text: &str) -> String {
    let out = with_shown_links(text, "][");
    out.replace(['~', '='], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        for (written, name) in [
            ("NEXT [#A] Use =org-roam=   :a:b:", "Use org-roam"),
            ("[[file:a.org][The link]] here", "The link here"),
            ("Time: 12:30", "Time: 12:30"),
            ("COMMENT x", "x"),
        ] {
            assert_eq!(plain(headline_title(written)), name);
        }
        assert_eq!(headline("** a"), Some((2, "a")));
        assert_eq!(headline("**a**"), None);
        assert_eq!(headline(" * a"), None);
    }

    #[test]
    fn items_and_drawers() {
        assert_eq!(item("- a :: b"), Some("a :: b"));
        assert_eq!(item("12) a"), Some("a"));
        assert_eq!(item("-a"), None);
        assert!(is_drawer(":PROPERTIES:") && !is_drawer(":a b:") && !is_drawer("::"));
    }
}
