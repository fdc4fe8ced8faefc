//! Makefiles: lines → targets, variables, macros, and what refers to them.
//!
//! A target counts as a function that calls its prerequisites. Conditionals and other directives
//! are lines like any other: each of their branches is read. A recipe is read for variables, and
//! for targets that it makes by calling `make` again.

use super::super::atom::AtomKind;
use super::super::lines::{Lines, offset};
use super::super::walk_result::WalkResult;
use super::super::{ByteRange, DeclarationKind as K, ReferenceKind};
use super::{LinedDeclaration, Page, Scanner, is_name};

/// The scanner.
pub(in crate::index::chunk) const SCANNER: Scanner = Scanner { scan, chunks: None, is_exact: false };

/// Most targets of one rule that are declared.
const MAX_TARGETS: usize = 50;

/// Operators that assign, longest first.
const ASSIGNMENTS: [&str; 7] = [":::=", "::=", ":=", "?=", "+=", "!=", "="];

/// Words before an assignment.
const MODIFIERS: [&str; 4] = ["export", "override", "private", "unexport"];

/// Functions of make itself, which are not variables.
const FUNCTIONS: [&str; 42] = [
    "abspath",
    "addprefix",
    "addsuffix",
    "and",
    "basename",
    "call",
    "dir",
    "error",
    "eval",
    "file",
    "filter",
    "filter-out",
    "findstring",
    "firstword",
    "flavor",
    "foreach",
    "guile",
    "if",
    "info",
    "intcmp",
    "join",
    "lastword",
    "let",
    "notdir",
    "or",
    "origin",
    "patsubst",
    "realpath",
    "shell",
    "sort",
    "strip",
    "subst",
    "suffix",
    "value",
    "warning",
    "wildcard",
    "word",
    "wordlist",
    "words",
    "MAKE",
    "MAKEFILE_LIST",
    "CURDIR",
];

fn scan<'t>(lines: &'t Lines<'t>) -> Option<WalkResult<'t>> {
    let mut make = Make { page: Page::new(lines), rule: None, no_macro_ends: false };
    let mut line = 0;
    while line < lines.len() {
        line = make.step(line);
    }
    make.end_rule();
    Some(make.page.finish())
}

/// The rule whose recipe is being read.
struct Rule {
    targets: Vec<u32>,
    last_line: u32,
}

struct Make<'t> {
    page: Page<'t>,
    rule: Option<Rule>,
    /// Whether no `endef` stands further down.
    no_macro_ends: bool,
}

impl<'t> Make<'t> {
    /// Reads one statement; returns the line after it.
    fn step(&mut self, line: u32) -> u32 {
        let text = self.page.line(line);
        let content = text.trim();
        if content.is_empty() {
            return line + 1;
        }
        let is_recipe = text.starts_with('\t') && self.rule.is_some();
        if content.starts_with('#') && !is_recipe {
            if self.rule.as_ref().is_some_and(|rule| rule.last_line + 1 < line) {
                self.end_rule();
            }
            self.page.comment(line, 1);
            return line + 1;
        }
        let last = self.page.continued(line, '\\');
        if is_recipe {
            self.recipe(line, last);
            return last + 1;
        }
        let word = content.split([' ', '\t', '(', '"']).next().unwrap_or_default();
        match word {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" | "else" | "endif" => {
                if matches!(word, "ifdef" | "ifndef") {
                    let name = content.get(word.len()..).unwrap_or_default().trim();
                    if is_name(name, &['_', '-', '.']) {
                        self.page.mention(ReferenceKind::Use, name, "", None);
                    }
                }
                self.uses(self.page.range(line, last), None);
                self.add(line, last);
            }
            "define" => {
                if let Some(end) = self.macro_end(line) {
                    self.define(line, end, content);
                    return end + 1;
                }
                self.add(line, last);
            }
            "include" | "-include" | "sinclude" => {
                self.end_rule();
                self.include(line, last, word.len());
            }
            _ => self.statement(line, last),
        }
        last + 1
    }

    /// Adds lines to the rule around, or as top-level lines.
    fn add(&mut self, line: u32, last: u32) {
        let depth = match &mut self.rule {
            Some(rule) => {
                rule.last_line = last;
                2
            }
            None => 1,
        };
        self.page.atom(line, last, depth, AtomKind::Other);
    }

    fn end_rule(&mut self) {
        if let Some(rule) = self.rule.take() {
            for target in rule.targets {
                self.page.extend(target, rule.last_line);
            }
        }
    }

    fn recipe(&mut self, line: u32, last: u32) {
        self.add(line, last);
        let within = self.rule.as_ref().and_then(|rule| rule.targets.first().copied());
        let bytes = self.page.range(line, last);
        self.uses(bytes, within);
        self.page.links(bytes);
        self.makes(bytes, within);
    }

    /// Adds the targets of a `make` that a recipe runs in the same folder.
    fn makes(&mut self, bytes: ByteRange, within: Option<u32>) {
        let text = bytes.of(self.page.text);
        let Some(at) = ["$(MAKE) ", "${MAKE} "].iter().find_map(|make| Some(text.find(make)? + make.len()))
        else {
            return;
        };
        let rest = text.get(at..).unwrap_or_default();
        let end = rest.find([';', '&', '|', '\n', '>']).unwrap_or(rest.len());
        let words = rest.get(..end).unwrap_or_default();
        if words.contains("-C") || words.contains("-f") || words.contains("--directory") {
            return;
        }
        for word in words.split_whitespace() {
            if is_name(word, &['_', '-', '.', '/']) && !word.starts_with('-') {
                self.page.mention(ReferenceKind::Call, word, "", within);
            }
        }
    }

    /// Returns the line of the `endef` that ends the macro that begins here.
    fn macro_end(&mut self, line: u32) -> Option<u32> {
        if self.no_macro_ends {
            return None;
        }
        let mut nested = 0;
        for at in line..self.page.lines.len() {
            let word = self.page.line(at).split_whitespace().next().unwrap_or_default();
            match word {
                "define" => nested += 1,
                "endef" if nested <= 1 => return Some(at),
                "endef" => nested -= 1,
                _ => {}
            }
        }
        self.no_macro_ends = true;
        None
    }

    fn define(&mut self, line: u32, end: u32, content: &'t str) {
        self.end_rule();
        let rest = content.strip_prefix("define").unwrap_or_default().trim();
        let name = rest.split([' ', '\t', '=', ':', '?', '+']).next().unwrap_or_default();
        let body = if end > line + 1 { self.page.range(line + 1, end) } else { ByteRange::default() };
        let declared = self.page.declare(LinedDeclaration {
            name,
            kind: K::Macro,
            parent: None,
            first_line: line,
            last_line: end,
            name_line: line,
            signature_end: self.page.lines.end(line),
            body,
            doc: ByteRange::default(),
        });
        for at in line..=end {
            self.page.atom(at, at, 2, AtomKind::Other);
        }
        self.uses(self.page.range(line + 1, end), declared);
    }

    fn include(&mut self, line: u32, last: u32, word: usize) {
        let bytes = self.page.range(line, last);
        let written = bytes.of(self.page.text).trim_start();
        let files = written.get(word..).unwrap_or_default();
        for file in files.split_whitespace() {
            if file.starts_with('#') {
                break;
            }
            if !file.contains(['$', '\\', '*']) {
                self.page.import_file(file);
            }
        }
        self.uses(bytes, None);
        self.page.atom(line, last, 1, AtomKind::Head);
    }

    /// Reads an assignment or a rule.
    fn statement(&mut self, line: u32, last: u32) {
        let bytes = self.page.range(line, last);
        let mut content = bytes.of(self.page.text).trim_start();
        while let Some(rest) = MODIFIERS.iter().find_map(|word| content.strip_prefix(word)) {
            if !rest.starts_with([' ', '\t']) {
                break;
            }
            content = rest.trim_start();
        }
        if let Some((name, operator)) = assignment(content) {
            self.end_rule();
            self.assign(line, last, name, operator);
        } else if let Some((targets, rest)) = rule(content) {
            self.end_rule();
            self.rule(line, last, targets, rest);
        } else {
            self.uses(bytes, None);
            self.add(line, last);
        }
    }

    fn assign(&mut self, line: u32, last: u32, name: &'t str, operator: &str) {
        let mut within = None;
        let bytes = self.page.range(line, last);
        if !is_name(name, &['_', '-', '.', '/']) {
            // A computed name is never looked up.
        } else if operator == "+=" {
            // As a rule, another line declares the variable.
            self.page.mention(ReferenceKind::Use, name, "", None);
        } else {
            within = self.page.declare(LinedDeclaration {
                name,
                kind: K::Variable,
                parent: None,
                first_line: line,
                last_line: last,
                name_line: line,
                signature_end: self.page.lines.end(line),
                body: if last > line { self.page.range(line + 1, last) } else { ByteRange::default() },
                doc: ByteRange::default(),
            });
        }
        self.uses(bytes, within);
        self.page.links(bytes);
        self.page.atom(line, last, 1, AtomKind::Other);
    }

    fn rule(&mut self, line: u32, last: u32, targets: &'t str, rest: &'t str) {
        // `target: ## The convention for texts of help.`
        let remark = rest.find('#').map(|at| rest.split_at(at));
        let (prerequisites, doc) = match remark {
            Some((before, remark)) => {
                let start = self.page.at(remark);
                let end = start + offset(remark.lines().next().unwrap_or_default().trim_end().len());
                self.page.remark(ByteRange { start, end });
                (before, ByteRange { start, end })
            }
            None => (rest, ByteRange::default()),
        };
        let is_help = !doc.is_empty() && doc.of(self.page.text).starts_with("##");
        let (prerequisites, recipe) = prerequisites.split_once(';').unwrap_or((prerequisites, ""));
        let body_start = if recipe.trim().is_empty() { 0 } else { self.page.at(recipe) };
        let body = ByteRange { start: body_start, end: body_start + offset(recipe.trim_end().len()) };
        let mut declared = Vec::new();
        for name in words(targets).take(MAX_TARGETS) {
            // `.PHONY` and its like are not targets.
            let is_special = name.strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_uppercase));
            if is_special || matches!(name, "&" | "\\") {
                continue;
            }
            declared.extend(self.page.declare(LinedDeclaration {
                name,
                kind: K::Function,
                parent: None,
                first_line: line,
                last_line: last,
                name_line: self.page.lines.of(self.page.at(name)),
                signature_end: self.page.at(rest) + offset(prerequisites.trim_end().len()),
                body: if recipe.trim().is_empty() { ByteRange::default() } else { body },
                doc: if is_help { doc } else { ByteRange::default() },
            }));
        }
        let within = declared.first().copied();
        if within.is_some() {
            // A variable that belongs to this target alone is not a prerequisite.
            let own = assignment(prerequisites.trim_start());
            for name in words(prerequisites).filter(|_| own.is_none()) {
                if is_name(name, &['_', '-', '.', '/', '@', '+']) {
                    self.page.mention(ReferenceKind::Call, name, "", within);
                }
            }
        }
        self.uses(self.page.range(line, last), within);
        self.page.atom(line, last, 1, AtomKind::Other);
        self.rule = Some(Rule { targets: declared, last_line: last });
    }

    /// Adds the variables that a text expands, and the macros that it calls.
    fn uses(&mut self, bytes: ByteRange, within: Option<u32>) {
        let text = bytes.of(self.page.text);
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            rest = rest.get(at + 1..).unwrap_or_default();
            if let Some(after) = rest.strip_prefix('$') {
                // The shell's own `$`.
                rest = after;
                continue;
            }
            let Some(inner) = rest.strip_prefix(['(', '{']) else { continue };
            let end = inner.find(|c: char| " \t)}:,$(".contains(c)).unwrap_or(inner.len());
            let name = inner.get(..end).unwrap_or_default();
            let behind = inner.get(end..).unwrap_or_default();
            if name == "call" {
                let called = behind.trim_start();
                let end = called.find([',', ')', '}', '$']).unwrap_or(called.len());
                let called = called.get(..end).unwrap_or_default().trim();
                if is_name(called, &['_', '-', '.']) {
                    self.page.mention(ReferenceKind::Call, called, "", within);
                }
            } else if behind.starts_with([')', '}', ':'])
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && is_name(name, &['_', '-', '.', '/'])
                && !FUNCTIONS.contains(&name)
            {
                self.page.mention(ReferenceKind::Use, name, "", within);
            }
            rest = inner;
        }
    }
}

/// Returns the words of a list, without marks of continuation.
fn words(list: &str) -> impl Iterator<Item = &str> {
    // A reference with blanks in it (`$(wildcard *.c)`) is not a word; neither are its parts.
    let mut depth = 0usize;
    list.split_whitespace().filter(move |word| {
        let was_inside = depth > 0;
        for c in word.chars() {
            match c {
                '(' | '{' => depth += 1,
                ')' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        !was_inside && depth == 0 && !matches!(*word, "\\" | "|")
    })
}

/// Returns the name that a statement assigns to, and the operator.
fn assignment(content: &str) -> Option<(&str, &str)> {
    let line = content.lines().next().unwrap_or_default();
    let at = line.find(['=', ':', '#', '\t', ' ', '?', '+', '!'])?;
    let (name, rest) = line.split_at_checked(at)?;
    let rest = rest.trim_start();
    let operator = ASSIGNMENTS.iter().find(|one| rest.starts_with(**one))?;
    (!name.is_empty()).then_some((name, operator))
}

/// Splits a rule into its targets, and the text after the colon.
fn rule(content: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    for (at, c) in content.char_indices() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            '#' | '=' if depth == 0 => return None,
            ':' if depth == 0 => {
                let (targets, rest) = content.split_at_checked(at)?;
                let rest = rest.trim_start_matches(':');
                let is_rule = !targets.trim().is_empty() && !rest.starts_with('=');
                return is_rule.then_some((targets.trim_end_matches(['&', ' ', '\t']), rest));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements() {
        for (content, expected) in [
            ("CC = gcc", Some(("CC", "="))),
            ("CFLAGS+=-g", Some(("CFLAGS", "+="))),
            ("A ?= b", Some(("A", "?="))),
            ("A ::= b", Some(("A", "::="))),
            ("all: a = b", None),
            ("all:", None),
            ("", None),
        ] {
            assert_eq!(assignment(content), expected, "{content}");
        }
        for (content, expected) in [
            ("all: a b", Some(("all", " a b"))),
            ("a b:: c", Some(("a b", " c"))),
            ("a b &: c", Some(("a b", " c"))),
            ("$(O:.c=.o): %.o: %.c", Some(("$(O:.c=.o)", " %.o: %.c"))),
            ("$(foreach x,y,$(x):z)", None),
            ("A := b", None),
            (": a", None),
        ] {
            assert_eq!(rule(content), expected, "{content}");
        }
    }

    #[test]
    fn words_of_a_list() {
        let all: Vec<&str> = words("a $(wildcard b c) $(d) | e \\\n f").collect();
        assert_eq!(all, ["a", "$(d)", "e", "f"]);
    }
}
