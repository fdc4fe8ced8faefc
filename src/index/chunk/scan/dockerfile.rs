//! Dockerfiles: instructions → build stages, variables, and what refers to them.
//!
//! A stage with a name is a module; `FROM` and `COPY --from` refer to it. An `ARG` or `ENV` is a
//! variable of its stage. Images are imports. A word of a shell command is a variable only if the
//! file declares it further up.

use super::super::atom::AtomKind;
use super::super::lines::{Lines, offset};
use super::super::walk_result::WalkResult;
use super::super::{ByteRange, DeclarationKind as K, ReferenceKind};
use super::{LinedDeclaration, Page, Scanner, is_name};
use std::collections::HashSet;

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner = Scanner { scan, chunks: None, is_exact: false };

/// Here-documents without an end after which none is looked for.
const MAX_UNCLOSED: usize = 16;

fn scan<'t>(lines: &'t Lines<'t>) -> Option<WalkResult<'t>> {
    let mut docker = Docker {
        page: Page::new(lines),
        escape: escape(lines.text()),
        stage: None,
        stages: HashSet::new(),
        variables: HashSet::new(),
        last_line: 0,
        unclosed: HashSet::new(),
    };
    let mut line = 0;
    while line < lines.len() {
        line = docker.step(line);
    }
    docker.end_stage();
    Some(docker.page.finish())
}

/// Returns the character that continues a line, as a directive at the beginning sets it.
fn escape(text: &str) -> char {
    let mut directives = text.lines().map_while(|line| line.trim().strip_prefix('#'));
    let is_escape = |line: &&str| {
        let mut parts = line.split('=').map(str::trim);
        parts.next().is_some_and(|key| key.eq_ignore_ascii_case("escape")) && parts.next() == Some("`")
    };
    if directives.any(|line| is_escape(&line)) { '`' } else { '\\' }
}

struct Docker<'t> {
    page: Page<'t>,
    escape: char,
    /// The declaration of the open stage.
    stage: Option<u32>,
    stages: HashSet<&'t str>,
    variables: HashSet<&'t str>,
    /// The last line of the open stage.
    last_line: u32,
    /// Ends of here-documents that do not stand further down.
    unclosed: HashSet<&'t str>,
}

impl<'t> Docker<'t> {
    /// Reads one instruction; returns the line after it.
    fn step(&mut self, line: u32) -> u32 {
        let content = self.page.line(line).trim();
        if content.is_empty() {
            return line + 1;
        }
        let depth = if self.stage.is_some() { 2 } else { 1 };
        if content.starts_with('#') {
            self.page.comment(line, depth);
            return line + 1;
        }
        let mut last = self.page.continued(line, self.escape);
        // A comment inside a continued command does not end it.
        while last + 1 < self.page.lines.len()
            && last > line
            && self.page.line(last).trim_start().starts_with('#')
        {
            last = self.page.continued(last + 1, self.escape);
        }
        let bytes = self.page.range(line, last);
        let written = bytes.of(self.page.text).trim_start();
        let end = written.find(char::is_whitespace).unwrap_or(written.len());
        let (word, rest) = written.split_at_checked(end).unwrap_or((written, ""));
        let word = word.to_ascii_uppercase();
        if matches!(word.as_str(), "RUN" | "COPY" | "ADD") {
            last = self.here_document(rest, last);
        }
        let bytes = self.page.range(line, last);
        if word == "FROM" {
            self.end_stage();
            self.from(line, last, rest);
        } else {
            match word.as_str() {
                "ARG" | "ENV" => self.variables(line, last, rest, word == "ENV"),
                "COPY" | "ADD" => self.copied(rest),
                _ => {}
            }
            self.page.links(bytes);
            let depth = if self.stage.is_some() { 2 } else { 1 };
            self.page.atom(line, last, depth, AtomKind::Other);
        }
        self.uses(bytes);
        self.last_line = last;
        last + 1
    }

    fn end_stage(&mut self) {
        if let Some(stage) = self.stage.take() {
            self.page.extend(stage, self.last_line);
        }
    }

    /// Returns the last line of the here-documents that a command begins.
    fn here_document(&mut self, command: &'t str, last: u32) -> u32 {
        let mut last = last;
        let mut rest = command;
        while let Some(at) = rest.find("<<") {
            rest = rest.get(at + 2..).unwrap_or_default();
            let word = rest.trim_start_matches('-').trim_start_matches(['"', '\'']);
            let end = word.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(word.len());
            let mark = word.get(..end).unwrap_or_default();
            if mark.is_empty() || self.unclosed.len() >= MAX_UNCLOSED || self.unclosed.contains(mark) {
                continue;
            }
            let found = (last + 1..self.page.lines.len()).find(|&line| self.page.line(line).trim() == mark);
            match found {
                Some(line) => last = line,
                None => {
                    self.unclosed.insert(mark);
                }
            }
        }
        last
    }

    /// Reads `FROM [--platform=…] image [AS name]`.
    fn from(&mut self, line: u32, last: u32, rest: &'t str) {
        let mut words = rest.split_whitespace().filter(|word| !word.starts_with("--"));
        let image = words.next().unwrap_or_default();
        let is_named = words.next().is_some_and(|word| word.eq_ignore_ascii_case("as"));
        let name = words.next().filter(|_| is_named).unwrap_or_default();
        if self.stages.contains(image) {
            self.page.mention(ReferenceKind::Type, image, "", None);
        } else if !image.contains('$') {
            // Neither tag nor digest: `registry:5000/team/app:1.2@sha256:…`.
            let path = image.split('@').next().unwrap_or(image);
            let tag = path.rfind(':').filter(|at| !path.get(*at..).is_some_and(|tag| tag.contains('/')));
            let path = tag.and_then(|at| path.get(..at)).unwrap_or(path);
            let name = path.rsplit('/').next().unwrap_or(path);
            if name != "scratch" {
                self.page.mention(ReferenceKind::Import, name, path, None);
            }
        }
        self.stage = self.page.declare(LinedDeclaration {
            name,
            kind: K::Module,
            parent: None,
            first_line: line,
            last_line: last,
            name_line: if name.is_empty() { line } else { self.page.lines.of(self.page.at(name)) },
            signature_end: self.page.lines.end(last),
            body: ByteRange::default(),
            doc: ByteRange::default(),
        });
        self.stages.insert(name);
        self.page.atom(line, last, 1, AtomKind::Other);
    }

    /// Reads `ARG name[=value] …`, `ENV name=value …` and `ENV name value`.
    fn variables(&mut self, line: u32, last: u32, rest: &'t str, is_env: bool) {
        let mut words = rest.split(char::is_whitespace).filter(|word| !word.is_empty());
        let first = words.next().unwrap_or_default();
        let is_single = is_env && !first.contains('=');
        let all = std::iter::once(first).chain(words.filter(|_| !is_single));
        let mut quote = None;
        let mut names = Vec::new();
        for word in all {
            // A quoted value may have blanks in it.
            let is_inside = quote.is_some();
            for c in word.chars() {
                match (quote, c) {
                    (None, '"' | '\'') => quote = Some(c),
                    (Some(open), c) if c == open => quote = None,
                    _ => {}
                }
            }
            let name = word.split('=').next().unwrap_or_default();
            let is_assigned = word.contains('=') || is_single || !is_env;
            if !is_inside && is_assigned && is_name(name, &['_']) {
                names.push(name);
            }
        }
        for name in names {
            let name_line = self.page.lines.of(self.page.at(name));
            self.variables.insert(name);
            self.page.declare(LinedDeclaration {
                name,
                kind: K::Variable,
                parent: self.stage,
                first_line: line,
                last_line: last,
                name_line,
                signature_end: self.page.lines.end(last),
                body: ByteRange::default(),
                doc: ByteRange::default(),
            });
        }
    }

    /// Adds the stages that `COPY --from=…` copies from.
    fn copied(&mut self, rest: &'t str) {
        let options = rest.split_whitespace().take_while(|word| word.starts_with("--"));
        for stage in options.filter_map(|word| word.strip_prefix("--from=")) {
            if self.stages.contains(stage) {
                self.page.mention(ReferenceKind::Type, stage, "", self.stage);
            }
        }
    }

    /// Adds the variables of the file that an instruction expands.
    fn uses(&mut self, bytes: ByteRange) {
        let text = bytes.of(self.page.text);
        for (at, _) in text.match_indices('$') {
            let rest = text.get(at + 1..).unwrap_or_default();
            let rest = rest.strip_prefix('{').unwrap_or(rest);
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let name = rest.get(..end).unwrap_or_default();
            if self.variables.contains(name) && offset(at) < bytes.end {
                self.page.mention(ReferenceKind::Use, name, "", self.stage);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives() {
        assert_eq!(escape("# syntax=docker/dockerfile:1\n# escape=`\nFROM a\n"), '`');
        assert_eq!(escape("FROM a\n# escape=`\n"), '\\');
        assert_eq!(escape(""), '\\');
    }
}
