//! LaTeX: lines → sections, macros, descriptions, listings and links.
//!
//! Only commands at the beginning of a line have structure: sections, frames, definitions of macros
//! and items with a label. That is how people write them, and it needs no model of TeX.

use super::super::fences;
use super::super::lines::{Lines, offset};
use super::super::scan::Scanner;
use super::super::walk_result::WalkResult;
use super::super::{ByteRange, ChunkKind, Declaration, DeclarationKind, Language};
use super::{ENTRY, Ends, Heading, LineScan, MAX_LISTS, MAX_MARKUP, Outline, page, take_char, term, title};
use crate::base::text::head;

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner =
    Scanner { scan: |lines| Some(scan(lines)), chunks: Some(ChunkKind::Section), is_exact: false };

/// Most lines of a title.
const MAX_TITLE_LINES: u32 = 4;

/// The commands of sections, outermost first.
const SECTIONS: [&str; 7] =
    ["part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph"];

/// The level of a frame of a presentation.
const FRAME: u32 = 8;

/// Commands that define a macro. The name is in the first argument, or directly behind.
const DEFINITIONS: [&str; 16] = [
    "DeclareMathOperator",
    "DeclarePairedDelimiter",
    "DeclareRobustCommand",
    "NewDocumentCommand",
    "NewDocumentEnvironment",
    "ProvideDocumentCommand",
    "RenewDocumentCommand",
    "cs_new:Npn",
    "cs_new_protected:Npn",
    "def",
    "gdef",
    "newcommand",
    "newenvironment",
    "newtheorem",
    "providecommand",
    "renewcommand",
];

/// Commands whose argument is a file, perhaps without its extension.
const FILES: [&str; 14] = [
    "addbibresource",
    "bibliography",
    "documentclass",
    "include",
    "includegraphics",
    "includeonly",
    "input",
    "inputminted",
    "lstinputlisting",
    "LoadClass",
    "RequirePackage",
    "subfile",
    "usepackage",
    "verbatiminput",
];

/// Environments in which a backslash is a character.
const VERBATIM: [&str; 9] = [
    "Verbatim",
    "alltt",
    "comment",
    "filecontents",
    "lstlisting",
    "macrocode",
    "minted",
    "verbatim",
    "Highlighting",
];

/// Most lines of a definition.
const MAX_LINES: u32 = 200;

fn scan<'t>(lines: &'t Lines<'t>) -> WalkResult<'t> {
    let ends = Ends::new(lines, |text| argument(text.trim_start().strip_prefix("\\end")?));
    let mut scan = Scan { page: Outline::new(lines), lines, ends, listings: None, lists: 0 };
    scan.read(lines);
    scan.page.finish()
}

struct Scan<'t> {
    page: Outline<'t>,
    lines: &'t Lines<'t>,
    /// The lines that end environments.
    ends: Ends<'t>,
    /// The language of listings without one.
    listings: Option<Language>,
    /// The number of open lists.
    lists: u32,
}

impl<'t> LineScan<'t> for Scan<'t> {
    fn page(&mut self) -> &mut Outline<'t> {
        &mut self.page
    }

    fn line(&mut self, line: u32) -> u32 {
        let text = self.page.at(line);
        let content = text.trim();
        if content.starts_with('%') {
            return self.page.comments(line, |next| next.trim_start().starts_with('%'));
        }
        self.links(content);
        let depth = 1 + self.page.indent(line) / 2 + self.lists;
        let Some((command, behind)) = command(content) else {
            self.page.text_line(line, depth);
            return line + 1;
        };
        if let Some(at) = SECTIONS.iter().position(|one| *one == command.trim_end_matches('*')) {
            self.lists = 0;
            // A title may go on in the next lines.
            let below = (line + 1..line + MAX_TITLE_LINES).map(|line| self.page.at(line).trim());
            let joined = below.fold(behind.to_owned(), |all, next| all + " " + next);
            let written = argument(behind).or_else(|| argument(&joined)).unwrap_or(behind);
            self.page.open(Heading::on(line, 1 + offset(at), title(&plain(written))));
            return line + 1;
        }
        match command {
            "begin" => return self.begin(line, depth, behind),
            "end" => {
                self.page.text_line(line, depth);
                if is_list(argument(behind)) && self.lists > 0 {
                    self.page.flush();
                    self.page.dedent(self.lists);
                    self.lists -= 1;
                }
                return line + 1;
            }
            "frametitle" => {
                self.page.open(Heading::on(line, FRAME, title(&plain(argument(behind).unwrap_or_default()))));
                return line + 1;
            }
            "item" => {
                self.page.flush();
                self.page.dedent(self.lists);
                if let Some(label) = behind.strip_prefix('[').and_then(bracketed) {
                    self.page.open(Heading::on(line, ENTRY + self.lists, term(&plain(label))));
                    return line + 1;
                }
            }
            "lstset" => {
                let language = behind.split_once("language=").map(|(_, rest)| rest.trim_start_matches('{'));
                self.listings = language.and_then(fences::language);
            }
            _ if DEFINITIONS.contains(&command.trim_end_matches('*')) => {
                if let Some(next) = self.definition(line, behind) {
                    return next;
                }
            }
            _ => {}
        }
        self.page.text_line(line, depth);
        line + 1
    }
}

impl<'t> Scan<'t> {
    /// Reads the begin of an environment; returns the line after it, or after the environment.
    fn begin(&mut self, line: u32, depth: u32, behind: &'t str) -> u32 {
        let name = argument(behind);
        if let Some(name) = name.filter(|name| VERBATIM.contains(&name.trim_end_matches('*')))
            && let Some(end) = self.ends.after(line, name)
        {
            self.page.add_text(line, end, depth);
            let options = behind.split_once('}').map_or("", |(_, rest)| rest);
            let language = match name {
                "minted" => options.rsplit_once('{').and_then(|(_, rest)| fences::language(rest)),
                "lstlisting" => match options.split_once("language=") {
                    Some((_, rest)) => fences::language(rest.trim_start_matches('{')),
                    None => self.listings,
                },
                _ => None,
            };
            self.page.fence(language, (line + 1, end.saturating_sub(1)), false);
            return end + 1;
        }
        if name == Some("frame") {
            let options = behind.split_once('}').map_or("", |(_, rest)| rest);
            let written = options.find('{').and_then(|at| argument(options.get(at..)?));
            self.page.open(Heading::on(line, FRAME, title(&plain(written.unwrap_or_default()))));
            return line + 1;
        }
        self.page.flush();
        self.page.text_line(line, depth);
        if is_list(name) {
            self.lists = (self.lists + 1).min(MAX_LISTS);
        }
        line + 1
    }

    /// Reads the definition of a macro; returns the line after it.
    fn definition(&mut self, line: u32, behind: &'t str) -> Option<u32> {
        let name = behind.trim_start_matches(['{', '\\', ' ']);
        let end = name.find(|c: char| !(c.is_alphanumeric() || matches!(c, '@' | '_' | ':' | '*')));
        let name = name.get(..end.unwrap_or(name.len()))?;
        if name.is_empty() || name.len() > super::MAX_TERM {
            return None;
        }
        // The definition ends where its braces balance.
        let mut last = line;
        let mut open = 0i32;
        loop {
            open += braces(self.page.at(last));
            if open <= 0 || last + 1 >= self.lines.len() || last - line >= MAX_LINES {
                break;
            }
            last += 1;
        }
        if open > 0 {
            last = line;
        }
        self.page.flush();
        self.page.settle_lead();
        let bytes = self.page.range(line, last);
        let indent = self.page.indent(line);
        let span = ByteRange { start: bytes.start + indent, end: bytes.end };
        self.page.atom(line, last, 1, super::AtomKind::Other);
        let end = self.lines.end(line);
        self.page.out.declarations.push(Declaration {
            name: name.to_owned(),
            scope: String::new(),
            kind: DeclarationKind::Macro,
            parent: self.page.open.last().map(|(_, outer)| offset(*outer)),
            span: self.lines.span(span),
            name_line: line + 1,
            signature: ByteRange { end, ..span },
            body: if last > line { ByteRange { start: end, end: span.end } } else { ByteRange::default() },
            doc: ByteRange::default(),
        });
        Some(last + 1)
    }

    /// Adds the files that commands name.
    fn links(&mut self, text: &'t str) {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once('\\') {
            rest = after;
            let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
            let Some((command, behind)) = after.split_at_checked(end) else { continue };
            if !FILES.contains(&command) {
                continue;
            }
            // A listing has its language before the file.
            let behind = if command == "inputminted" {
                head(behind, 1000).split_once('}').map_or(behind, |(_, rest)| rest)
            } else {
                behind
            };
            for target in argument(behind).unwrap_or_default().split(',') {
                page(target).into_iter().for_each(|target| self.page.link(target));
            }
        }
    }
}

/// Returns the name of the command that a text begins with, and the text behind it.
fn command(content: &str) -> Option<(&str, &str)> {
    let rest = content.strip_prefix('\\')?;
    let end = rest.find(|c: char| !(c.is_ascii_alphabetic() || c == '_' || c == ':'));
    let mut end = end.unwrap_or(rest.len());
    if rest.get(end..).is_some_and(|rest| rest.starts_with('*')) {
        end += 1;
    }
    rest.split_at_checked(end)
}

/// Returns the first argument in braces, behind options in brackets.
fn argument(behind: &str) -> Option<&str> {
    let behind = head(behind, 1000).trim_start();
    let behind = match behind.strip_prefix('[') {
        Some(rest) => rest.get(bracketed(rest)?.len() + 1..)?.trim_start(),
        None => behind,
    };
    let inner = behind.strip_prefix('{')?;
    let mut open = 1;
    for (at, c) in inner.char_indices() {
        match c {
            '{' => open += 1,
            '}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return inner.get(..at);
        }
    }
    None
}

/// Returns the text up to the bracket that closes it.
fn bracketed(text: &str) -> Option<&str> {
    let mut open = 0;
    for (at, c) in head(text, 1000).char_indices() {
        match c {
            '{' => open += 1,
            '}' => open -= 1,
            ']' if open == 0 => return text.get(..at),
            _ => {}
        }
    }
    None
}

/// Returns how many braces of a line stay open; a comment and an escaped brace don't count.
fn braces(line: &str) -> i32 {
    let (mut open, mut is_escaped) = (0, false);
    for c in line.chars() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '%' => break,
            '{' => open += 1,
            '}' => open -= 1,
            _ => {}
        }
    }
    open
}

fn is_list(environment: Option<&str>) -> bool {
    matches!(environment, Some("description" | "itemize" | "enumerate"))
}

/// Returns a text without commands and braces. A command for one character stays as it is written.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = head(text, MAX_MARKUP);
    while let Some(c) = take_char(&mut rest) {
        let after = rest;
        match c {
            '\\' if after.starts_with(['&', '%', '$', '#', '_', '{', '}']) => {
                out.push_str(after.get(..1).unwrap_or_default());
                rest = after.get(1..).unwrap_or_default();
            }
            '\\' if after.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
                let (command, behind) = after.split_at_checked(end).unwrap_or((after, ""));
                if matches!(command, "label" | "index" | "footnote") {
                    let skipped = argument(behind).map_or(0, |inner| inner.len() + 2);
                    rest = behind.get(skipped..).unwrap_or_default();
                } else {
                    if command.ends_with("TeX") {
                        out.push_str(command);
                    }
                    rest = behind.trim_start_matches(' ');
                    if rest.len() < behind.len() && out.ends_with(char::is_alphanumeric) {
                        out.push(' ');
                    }
                }
            }
            '\\' if after.starts_with('\\') => {
                out.push(' ');
                rest = after.get(1..).unwrap_or_default();
            }
            '{' | '}' | '$' => {}
            '~' => out.push(' '),
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
            (r"The \emph{long} \texttt{a\_b}", "The long a_b"),
            (r"Use of \LaTeX{} \& more~text", "Use of LaTeX & more text"),
            (r"Sums\label{sec:sums}", "Sums"),
            (r"Caf\'e", r"Caf\'e"),
            (r"A \textbf", "A "),
        ] {
            assert_eq!(plain(written), name);
        }
    }

    #[test]
    fn arguments() {
        assert_eq!(argument("[a]{b{c}d}e"), Some("b{c}d"));
        assert_eq!(argument("{a"), None);
        assert_eq!(argument(" {a}"), Some("a"));
        assert_eq!(command(r"\section*{a}"), Some(("section*", "{a}")));
        assert_eq!(braces(r"{\{ % {"), 1);
    }
}
