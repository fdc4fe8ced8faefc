//! INI and properties: lines → sections and their keys.
//!
//! Covers the many files of the form `key = value` below `[section]`: `.gitconfig`, `setup.cfg`,
//! units of systemd, `.properties` of Java. A file of which less than half has that form is
//! something else, such as the settings of a web server, and is left to the token windows.

use super::super::atom::AtomKind;
use super::super::lines::Lines;
use super::super::walk_result::WalkResult;
use super::super::{ByteRange, ChunkKind, DeclarationKind as K};
use super::{LinedDeclaration, Page, Scanner, is_name};

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner =
    Scanner { scan, chunks: Some(ChunkKind::Data), is_exact: false };

/// Sections and keys of a file above which the further ones are left out: such a file is data.
const MAX_KEYS: usize = 5000;

fn scan<'t>(lines: &'t Lines<'t>) -> Option<WalkResult<'t>> {
    let mut ini = Ini { page: Page::new(lines), section: None, is_open: false, last_line: 0 };
    let (mut n_known, mut n_other) = (0u32, 0u32);
    let mut line = 0;
    while line < lines.len() {
        let content = ini.page.line(line).trim();
        if content.is_empty() {
            line += 1;
            continue;
        }
        let depth = if ini.section.is_some() { 2 } else { 1 };
        if content.starts_with([';', '#', '!']) || content.starts_with("//") {
            ini.page.comment(line, depth);
            line += 1;
            continue;
        }
        let last = ini.page.continued(line, '\\');
        let is_known = ini.line(line, last);
        *(if is_known { &mut n_known } else { &mut n_other }) += 1;
        ini.last_line = last;
        line = last + 1;
    }
    ini.end_section();
    (n_known > 0 && n_known >= n_other).then(|| ini.page.finish())
}

struct Ini<'t> {
    page: Page<'t>,
    section: Option<u32>,
    /// Whether the last key has no value on its own line, so that indented lines belong to it.
    is_open: bool,
    last_line: u32,
}

impl<'t> Ini<'t> {
    /// Reads a section, a key, or a further line of a value; returns whether it is one.
    fn line(&mut self, line: u32, last: u32) -> bool {
        let text = self.page.line(line);
        let content = text.trim();
        let is_indented = text.starts_with([' ', '\t']);
        if let Some(name) = section(content) {
            self.end_section();
            self.is_open = false;
            self.section = self.declare(name, None, line, line);
            self.page.atom(line, last, 1, AtomKind::Other);
            return true;
        }
        let depth = if self.section.is_some() { 2 } else { 1 };
        let key = key(content).filter(|_| !(is_indented && self.is_open));
        if let Some((name, value)) = key {
            self.is_open = value.is_empty() && last == line;
            self.declare(name, self.section, line, last);
            self.page.links(self.page.range(line, last));
            self.page.atom(line, last, depth, AtomKind::Other);
            return true;
        }
        self.page.links(self.page.range(line, last));
        self.page.atom(line, last, depth + 1, AtomKind::Other);
        is_indented && self.page.out.declarations.last().is_some_and(|one| one.parent == self.section)
    }

    fn declare(&mut self, name: &'t str, parent: Option<u32>, line: u32, last: u32) -> Option<u32> {
        if self.page.out.declarations.len() >= MAX_KEYS {
            return None;
        }
        self.page.declare(LinedDeclaration {
            name,
            kind: K::Key,
            parent,
            first_line: line,
            last_line: last,
            name_line: line,
            signature_end: self.page.lines.end(line),
            body: ByteRange::default(),
            doc: ByteRange::default(),
        })
    }

    fn end_section(&mut self) {
        if let Some(section) = self.section.take() {
            self.page.extend(section, self.last_line);
        }
    }
}

/// Returns the name of a section.
fn section(content: &str) -> Option<&str> {
    let inner = content.strip_prefix('[')?;
    let end = inner.rfind(']')?;
    let behind = inner.get(end + 1..)?.trim_start();
    let name = inner.get(..end)?.trim();
    (!name.is_empty() && (behind.is_empty() || behind.starts_with([';', '#']))).then_some(name)
}

/// Returns a key and its value.
fn key(content: &str) -> Option<(&str, &str)> {
    let at = content.find(['=', ':'])?;
    let (name, value) = content.split_at_checked(at)?;
    let name = name.trim_end();
    let is_key = is_name(name, &['_', '-', '.', '/', '*', '$', '@', ' ', '[', ']']) && name.len() <= 120;
    // `C:\\path` and `https://…` are values.
    let is_path = value.starts_with(":\\") || value.starts_with("://");
    let n_words = name.split(' ').count();
    (is_key && !is_path && n_words <= 4).then(|| (name, value.get(1..).unwrap_or_default().trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_keys() {
        for (content, expected) in [
            ("[core]", Some("core")),
            ("[remote \"origin\"] ; main", Some("remote \"origin\"")),
            ("[*.{js,ts}]", Some("*.{js,ts}")),
            ("[]", None),
            ("[a] = b", None),
            ("a[b]", None),
        ] {
            assert_eq!(section(content), expected, "{content}");
        }
        for (content, expected) in [
            ("a.b = c", Some(("a.b", "c"))),
            ("key: value", Some(("key", "value"))),
            ("empty=", Some(("empty", ""))),
            ("server {", None),
            ("https://example.org", None),
            ("location ~ \\.php$ { a = b", None),
        ] {
            assert_eq!(key(content), expected, "{content}");
        }
    }

    #[test]
    fn what_has_another_form_is_left_alone() {
        for (text, is_ini) in [
            ("[a]\nb = c\n", true),
            ("server {\n  listen 80;\n  root /srv;\n}\n", false),
            ("", false),
            ("a = b\nc\nd\n", false),
            ("install =\n    a>=1\n    b==2\n", true),
        ] {
            assert_eq!(scan(&Lines::new(text)).is_some(), is_ini, "{text}");
        }
    }
}
