//! reStructuredText: lines → sections, described objects and options, blocks of code and links.
//!
//! Sections nest by the order in which their underlines first appear, as in Docutils. A directive
//! that describes an object (`.. function::`, `.. option::`) and an item of an option list are
//! entries. The text indented below them is theirs. A label belongs to the heading below it.

use super::super::fences;
use super::super::lines::{Lines, offset};
use super::super::scan::Scanner;
use super::super::walk_result::WalkResult;
use super::super::{ChunkKind, Language};
use super::{
    ENTRY, Heading, LineScan, MAX_MARKUP, Outline, file, is_option, main_term, page, take_char, term, title,
};
use crate::base::text::head;

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner =
    Scanner { scan: |lines| Some(scan(lines)), chunks: Some(ChunkKind::Section), is_exact: false };

/// Directives that describe a function, a type or a variable: the name ends before its parameters.
const OBJECTS: [&str; 26] = [
    "attribute",
    "class",
    "classmethod",
    "concept",
    "data",
    "decorator",
    "decoratormethod",
    "enum",
    "enumerator",
    "exception",
    "fieldlookup",
    "function",
    "interface",
    "macro",
    "member",
    "method",
    "module",
    "namespace",
    "property",
    "staticmethod",
    "struct",
    "templatefilter",
    "templatetag",
    "type",
    "union",
    "var",
];

/// Directives that describe anything else: the name is the whole argument.
const DESCRIBED: [&str; 15] = [
    "cfg",
    "cmdoption",
    "command",
    "confval",
    "describe",
    "directive",
    "django-admin",
    "django-admin-option",
    "envvar",
    "event",
    "object",
    "option",
    "role",
    "setting",
    "signal",
];

/// Directives without text. They belong to the heading below them.
const MARKS: [&str; 6] =
    ["currentmodule", "highlight", "index", "program", "py:currentmodule", "tabularcolumns"];

/// Directives with code.
const CODE: [&str; 8] =
    ["code", "code-block", "ipython", "parsed-literal", "prompt", "sourcecode", "testcode", "testsetup"];

/// Most lines between a mark and the heading that it belongs to.
const MAX_LEAD: u32 = 16;

fn scan<'t>(lines: &'t Lines<'t>) -> WalkResult<'t> {
    let mut scan = Scan { page: Outline::new(lines), lines, styles: Vec::new(), highlight: None };
    scan.read(lines);
    scan.page.finish()
}

struct Scan<'t> {
    page: Outline<'t>,
    lines: &'t Lines<'t>,
    /// The styles of headings in the order of their levels: character, whether there is a line
    /// above.
    styles: Vec<(u8, bool)>,
    /// The language of blocks without one.
    highlight: Option<Language>,
}

impl<'t> LineScan<'t> for Scan<'t> {
    fn page(&mut self) -> &mut Outline<'t> {
        &mut self.page
    }

    fn line(&mut self, line: u32) -> u32 {
        let text = self.page.at(line);
        let content = text.trim();
        let indent = self.page.indent(line);
        if let Some(rest) = content.strip_prefix("..")
            && (rest.is_empty() || rest.starts_with([' ', '\t']))
        {
            self.page.flush();
            return self.explicit(line, indent, rest.trim_start());
        }
        if indent == 0
            && let Some((first, last, style, written)) = self.heading(line)
        {
            let level = match self.styles.iter().position(|one| *one == style) {
                Some(at) => at,
                None => {
                    self.styles.push(style);
                    self.styles.len() - 1
                }
            };
            self.links(written);
            let name = title(&plain(written));
            let name_line = if style.1 { first + 1 } else { first };
            self.page.open(Heading {
                first_line: first,
                last_line: last,
                name_line,
                level: 1 + offset(level),
                name,
            });
            return last + 1;
        }
        self.page.dedent(indent);
        if let Some(option) = self.option(line, content, indent) {
            let name = term(&plain(option));
            self.page.open(Heading::on(line, ENTRY + indent, name));
            return line + 1;
        }
        if self.page.block.is_none() && content.starts_with(">>>") {
            return self.session(line, indent);
        }
        if is_item(content) {
            self.page.flush();
        }
        let depth = 1 + indent / 2 + u32::from(is_item(content));
        self.page.text_line(line, depth);
        self.links(content);
        if content.ends_with("::")
            && let Some((first, last)) = self.literal(line, indent)
        {
            self.page.add_text(first, last, depth + 1);
            self.code(self.highlight, first, last);
            return last + 1;
        }
        line + 1
    }
}

impl<'t> Scan<'t> {
    /// Returns the lines of the literal block below a paragraph that ends here.
    fn literal(&self, line: u32, indent: u32) -> Option<(u32, u32)> {
        let is_end = line + 1 < self.lines.len() && self.lines.blank(line + 1);
        if is_end { self.page.body(line, indent) } else { None }
    }

    /// Reads a session of Python, up to the next blank line.
    fn session(&mut self, line: u32, indent: u32) -> u32 {
        let is_in = |next: u32| next < self.lines.len() && !self.lines.blank(next);
        let mut last = line;
        while is_in(last + 1) && self.page.indent(last + 1) >= indent {
            last += 1;
        }
        self.page.add_text(line, last, 2 + indent / 2);
        self.code(Language::from_name("python"), line, last);
        last + 1
    }

    /// Remembers a block of code.
    fn code(&mut self, language: Option<Language>, first: u32, last: u32) {
        let has_prompts = self.page.at(first).trim_start().starts_with(">>>");
        let language = if has_prompts { Language::from_name("python") } else { language };
        self.page.fence(language, (first, last), has_prompts);
    }

    /// Returns the first and last line of the heading that begins here, its style and its title.
    fn heading(&self, line: u32) -> Option<(u32, u32, (u8, bool), &'t str)> {
        if self.page.block.is_some() {
            return None;
        }
        let at = |line: u32| if line < self.lines.len() { self.page.at(line).trim_end() } else { "" };
        let (first, second, third) = (at(line), at(line + 1), at(line + 2));
        if let Some(mark) = rule(first) {
            let is_heading = first.len() > 1
                && rule(third) == Some(mark)
                && rule(second).is_none()
                && !second.trim().is_empty();
            return is_heading.then_some((line, line + 2, (mark, true), second.trim()));
        }
        let mark = rule(second)?;
        let is_long = second.len() >= 4 || second.len() >= first.chars().count();
        let is_title = is_long && !first.starts_with([' ', '\t', '|']) && !is_item(first);
        is_title.then_some((line, line + 1, (mark, false), first))
    }

    /// Returns the options of an item of an option list.
    fn option(&self, line: u32, content: &'t str, indent: u32) -> Option<&'t str> {
        if !is_option(content) || self.page.block.is_some() && !content.contains("  ") {
            return None;
        }
        match content.split_once("  ") {
            Some((option, _)) => Some(option),
            None => {
                let below = Some(line + 1).filter(|&next| next < self.lines.len() && !self.lines.blank(next));
                below.filter(|&next| self.page.indent(next) > indent).map(|_| content)
            }
        }
    }

    /// Reads what begins with `..`; returns the line after it.
    fn explicit(&mut self, line: u32, indent: u32, rest: &'t str) -> u32 {
        if rest.starts_with('_') && rest.trim_end().ends_with(':') && indent == 0 {
            self.page.lead_line(line);
            return line + 1;
        }
        if rest.starts_with(['_', '[', '|']) {
            self.page.dedent(indent);
            self.page.text_line(line, 1 + indent / 2);
            return line + 1;
        }
        let directive = rest.split_once("::").filter(|(name, arguments)| {
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '+' | '.');
            !name.is_empty()
                && name.trim_end().chars().all(is_name)
                && (arguments.is_empty() || arguments.starts_with([' ', '\t']))
        });
        match directive {
            Some((name, arguments)) => self.directive(line, indent, name.trim_end(), arguments.trim()),
            None => {
                self.page.dedent(indent);
                // An empty comment does not take the block below a blank line.
                let is_followed = line + 1 < self.lines.len() && !self.lines.blank(line + 1);
                let body = if !rest.is_empty() || is_followed { self.page.body(line, indent) } else { None };
                let last = body.map_or(line, |(_, last)| last);
                self.page.comment(line, last);
                last + 1
            }
        }
    }

    fn directive(&mut self, line: u32, indent: u32, name: &'t str, arguments: &'t str) -> u32 {
        let kind = name.rsplit(':').next().unwrap_or(name);
        let depth = 1 + indent / 2;
        let is_object = OBJECTS.contains(&kind);
        if is_object || DESCRIBED.contains(&kind) {
            return self.object(line, indent, is_object);
        }
        if MARKS.contains(&name) {
            if name == "highlight" {
                self.highlight = fences::language(arguments);
            }
            if indent == 0 && self.page.body(line, 0).is_none() {
                self.page.lead_line(line);
                return line + 1;
            }
        }
        self.page.dedent(indent);
        if CODE.contains(&kind) || kind == "doctest" {
            let Some((first, last)) = self.page.body(line, indent) else {
                self.page.text_line(line, depth);
                return line + 1;
            };
            self.page.add_text(line, last, depth);
            let is_option = |line: &u32| {
                let text = self.page.at(*line).trim_start();
                self.lines.blank(*line)
                    || text.starts_with(':') && text.get(1..).is_some_and(|rest| rest.contains(':'))
            };
            let language = match (kind, arguments) {
                ("testcode" | "testsetup" | "ipython" | "doctest", _) => Language::from_name("python"),
                (_, "") => self.highlight,
                _ => fences::language(arguments),
            };
            if let Some(first) = (first..=last).find(|line| !is_option(line)) {
                self.code(language, first, last);
            }
            return last + 1;
        }
        if matches!(kind, "include" | "literalinclude" | "image" | "figure" | "thumbnail") {
            page(arguments).into_iter().for_each(|target| self.page.link(target));
        }
        if kind == "toctree"
            && let Some((first, last)) = self.page.body(line, indent)
        {
            for one in first..=last {
                let entry = self.page.at(one).trim();
                let target = target(entry).filter(|_| !entry.starts_with(':') && entry != "self");
                target.into_iter().for_each(|target| self.page.link(target));
            }
            self.page.add_text(line, last, depth);
            return last + 1;
        }
        self.page.text_line(line, depth);
        self.links(arguments);
        line + 1
    }

    /// Reads the first lines of a directive that describes something.
    fn object(&mut self, line: u32, indent: u32, is_object: bool) -> u32 {
        let next = self.page.next(line);
        let is_bare = next.is_none_or(|next| self.page.indent(next) <= indent);
        if is_bare && indent == 0 && self.is_lead(line) {
            self.page.lead_line(line);
            return line + 1;
        }
        // Several signatures stand one below the other.
        let mut last = line;
        while last + 1 < self.lines.len()
            && !self.lines.blank(last + 1)
            && self.page.indent(last + 1) > indent
            && !self.page.at(last + 1).trim_start().starts_with(':')
        {
            last += 1;
        }
        let mut terms = Vec::new();
        for at in line..=last {
            let written = self.page.at(at).trim();
            let written =
                if at == line { written.split_once("::").map_or("", |(_, rest)| rest) } else { written };
            let written = written.trim();
            // A directive that describes a directive.
            let directive = written.strip_prefix(".. ").and_then(|rest| rest.split_once("::"));
            let written = directive.map_or(written, |(name, _)| name);
            terms.push((at, term(&if is_object { object_name(written).to_owned() } else { plain(written) })));
        }
        let (name_line, name) = main_term(&terms).cloned().unwrap_or_default();
        self.page.dedent(indent);
        self.page.open(Heading { first_line: line, last_line: last, name_line, level: ENTRY + indent, name });
        last + 1
    }

    /// Returns whether only marks and labels are between this line and the next heading.
    fn is_lead(&self, line: u32) -> bool {
        let below = line + 1..self.lines.len().min(line + MAX_LEAD);
        let next =
            below.into_iter().find(|&next| !self.lines.blank(next) && !self.page.at(next).starts_with(".. "));
        next.is_some_and(|next| self.heading(next).is_some())
    }

    /// Adds the targets of roles and references: `` :doc:`target` ``, `` `text <target>`_ ``.
    fn links(&mut self, text: &'t str) {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('`') {
            let Some((inner, behind)) = after.split_once('`') else { break };
            rest = behind;
            let role = before.strip_suffix(':').and_then(|before| before.rsplit(':').next());
            match role.filter(|_| before.ends_with(':')) {
                Some("doc" | "download" | "any") => {
                    target(inner).into_iter().for_each(|target| self.page.link(target));
                }
                Some(_) => {}
                None if behind.starts_with('_') => {
                    let written = inner.rsplit_once('<').and_then(|(_, target)| target.strip_suffix('>'));
                    written.and_then(file).into_iter().for_each(|target| self.page.link(target));
                }
                None => {}
            }
        }
    }
}

/// Returns the document of an entry or a role: `target`, or `text <target>`.
fn target(written: &str) -> Option<&str> {
    let inner = written.rsplit_once('<').and_then(|(_, target)| target.strip_suffix('>'));
    page(inner.unwrap_or(written))
}

/// Returns the character that a whole line repeats.
fn rule(line: &str) -> Option<u8> {
    let line = line.trim_end();
    let mark = line.bytes().next().filter(u8::is_ascii_punctuation)?;
    let is_rule = line.bytes().all(|byte| byte == mark) && !matches!(line, ".." | "::" | "...");
    is_rule.then_some(mark)
}

fn is_item(content: &str) -> bool {
    let marks: &[char] = &['-', '*', '+'];
    let bare = content.trim_start_matches(|c: char| c.is_ascii_digit() || c == '#');
    let is_number = bare.len() < content.len() && content.len() - bare.len() < 5;
    let rest = if is_number { bare.strip_prefix(['.', ')']) } else { content.strip_prefix(marks) };
    rest.is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// Returns the name in a signature: `open` of `open(path)`, `Field.null` of `Field.null = False`.
fn object_name(signature: &str) -> &str {
    let mut end = signature.find(['(', '=', '[', '{']).unwrap_or(signature.len());
    // A type stands behind a colon, but a name can have two of them.
    let mut from = 0;
    while let Some(at) = signature.get(from..end).and_then(|rest| rest.find(':')) {
        let at = from + at;
        if signature.get(at..).is_some_and(|rest| rest.starts_with("::")) {
            from = at + 2;
        } else {
            end = at;
        }
    }
    let before = signature.get(..end).unwrap_or_default().trim_end();
    before.rsplit([' ', '*', '&']).next().unwrap_or(before)
}

/// Returns whether an asterisk begins or ends emphasis: a blank is on one side alone.
fn is_emphasis(before: &str, after: &str) -> bool {
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '*');
    let (before, after) = (before.chars().next_back(), after.chars().next());
    let has_blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
    (is_edge(before) && !has_blank(after)) || (is_edge(after) && !has_blank(before))
}

/// Returns a text without its markup: roles, literals, emphasis, targets and escapes.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = head(text, MAX_MARKUP);
    while let Some(c) = take_char(&mut rest) {
        let after = rest;
        match c {
            '\\' => {
                let next = after.chars().next().unwrap_or(' ');
                out.push(next);
                rest = after.get(next.len_utf8()..).unwrap_or_default();
            }
            '`' => {
                let literal = after.strip_prefix('`');
                let close = if literal.is_some() { "``" } else { "`" };
                let inner = literal.unwrap_or(after);
                let Some((inner, behind)) = inner.split_once(close) else { continue };
                let shown =
                    inner.split_once(" <").filter(|_| literal.is_none()).map_or(inner, |(shown, _)| shown);
                out.push_str(shown.trim_start_matches(['~', '!']));
                rest = behind.trim_start_matches('_');
            }
            '*' if is_emphasis(&out, after) => {}
            ':' => match after.split_once(":`") {
                Some((role, _))
                    if role.bytes().all(|b| b.is_ascii_alphanumeric() || b":-+_".contains(&b)) =>
                {
                    rest = after.get(role.len() + 1..).unwrap_or_default();
                }
                _ => out.push(c),
            },
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        for (written, name) in [
            ("The ``a_b*`` *option*", "The a_b* option"),
            (":mod:`django.db` --- models", "django.db --- models"),
            ("`Text <https://x.org>`_ here", "Text here"),
            (":class:`~a.B` x", "a.B x"),
            ("2 * 3", "2 * 3"),
            ("a\\*b: c", "a*b: c"),
            ("open `", "open "),
        ] {
            assert_eq!(plain(written), name);
        }
    }

    #[test]
    fn names_of_objects() {
        for (signature, name) in [
            ("open(path, mode='r')", "open"),
            ("Field.null", "Field.null"),
            ("Field.null = False", "Field.null"),
            ("PyObject* PyList_New(Py_ssize_t len)", "PyList_New"),
            ("void std::swap(T &a)", "std::swap"),
            ("count: int", "count"),
            ("async fetch()", "fetch"),
            ("", ""),
        ] {
            assert_eq!(object_name(signature), name);
        }
    }

    #[test]
    fn a_line_of_code_is_no_option() {
        for (line, expected) in [(":size.then { |x| shrink(x) }", true), (":caption: shrink(x)", false)] {
            let text = format!("A\n=\n\n.. code-block:: ruby\n\n   {line}\n");
            let language = Language::from_name("restructuredtext").unwrap();
            let file =
                crate::index::chunk::chunk(language, &text, &crate::index::chunk::ChunkOptions::default());
            assert_eq!(file.references.iter().any(|one| one.name == "shrink"), expected, "{line}");
        }
    }

    #[test]
    fn lines_that_repeat_a_character() {
        assert_eq!(rule("===="), Some(b'='));
        assert_eq!(rule("~"), Some(b'~'));
        assert_eq!(rule("== =="), None);
        assert_eq!(rule("::"), None);
        assert_eq!(rule(""), None);
        assert!(is_item("- a") && is_item("12. a") && is_item("#) a") && !is_item("-a") && !is_item("1.5"));
    }
}
